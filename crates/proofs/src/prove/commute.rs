//! Whether two parts can change places, on any board.
//!
//! One is done and then the other, from data of which nothing is known; and the other way round. If
//! the data and the way to end cannot differ, neighbours can change places in any order, and so all
//! orders come to the same: every order is made from every other by exchanging neighbours.
//!
//! *What it rests on.* Both parts are total: how a run ends is part of what is compared, and after an
//! end nothing is done. What is chosen on the way is named, and the choices that are possible in one
//! order have to be possible in the other, with the same result. Nothing is assumed of the board but
//! what the types and the document's bounds say; for elements of an iteration also that they are two,
//! and, if turns leave it so, that both still belong to it.
//!
//! *Background.* M. C. Rinard, P. C. Diniz, *Commutativity analysis: a new analysis technique for
//! parallelizing compilers*, TOPLAS 19(6), 1997. D. Kim, M. C. Rinard, *Verification of semantic
//! commutativity conditions and inverse operations on linked data structures*, PLDI 2011.

use super::context::{Chosen, Context, Exec};
use super::frame::Frame;
use super::instantiate::instantiate;
use super::state::{Cell, State, cells, sort_of};
use crate::smt::{Reply, Solver, Term, script};
use endstep_kernel::ir::{Each, Expr, Range};
use endstep_language::index::Id;
use endstep_language::typing::program::{BlockId, DomainPolicy, Type};
use endstep_verdicts::verdict::{Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

/// A part.
#[derive(Debug, Clone)]
pub(super) enum Part<'s> {
    /// The turn of an element of an iteration.
    Element(&'s Each, Term, Frame),
    /// A block.
    Block(BlockId, Frame),
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Commutation {
    /// They can, as these questions show that nobody can answer with yes.
    Commute(Vec<String>),
    /// There may be data from which they cannot.
    May,
    /// The solver gave up.
    GaveUp,
    /// What is assumed contradicts itself.
    Vacuous,
}

/// Two parts that are compared, and what is assumed.
#[derive(Debug)]
pub(super) struct Pair<'s> {
    pub one: Part<'s>,
    pub other: Part<'s>,
    pub assumed: Vec<Term>,
    pub comment: String,
}

impl<'s> Part<'s> {
    fn run(&self, x: &mut Exec<'_, 's>, whose: &str) -> Result<()> {
        let always = x.c.terms.truth(true);
        match self {
            Self::Element(each, element, frame) => {
                x.turn_of(whose, vec![frame.clone()]);
                let g = x.live(always);
                let still = x.still(each, &each.domain, *element, g)?;
                let here = x.live(still);
                x.block(each.body, here)
            }
            Self::Block(block, frame) => {
                x.turn_of(whose, vec![frame.clone()]);
                let g = x.live(always);
                x.block(*block, g)
            }
        }
    }

    fn is_live(&self) -> bool {
        fn live(domain: &DomainPolicy) -> bool {
            match domain {
                DomainPolicy::Live | DomainPolicy::LiveByPosition | DomainPolicy::UntilAllPass => {
                    true
                }
                DomainPolicy::Snapshot | DomainPolicy::Rechecked => false,
                DomainPolicy::Per(_, all) => all.iter().any(live),
            }
        }
        matches!(self, Self::Element(each, ..) if live(&each.domain))
    }
}

impl<'s> Exec<'_, 's> {
    /// Whether what was chosen until now could be chosen.
    fn possible(&mut self) -> Term {
        let chosen = std::mem::take(&mut self.chosen);
        let terms = &mut self.c.terms;
        let possible: Vec<Term> = chosen
            .iter()
            .map(|one| terms.implies(one.guard, one.possible))
            .collect();
        terms.and(&possible)
    }

    /// Whether an element whose turn has come has it.
    fn still(
        &mut self,
        each: &'s Each,
        domain: &'s DomainPolicy,
        element: Term,
        g: Term,
    ) -> Result<Term> {
        match domain {
            DomainPolicy::Snapshot => match each.binder.ty {
                Type::Entity(sort) | Type::Optional(sort) => {
                    let there = self.read(Cell::There(sort), element)?;
                    Ok(self.c.terms.is_one(there))
                }
                Type::Int | Type::Bool | Type::Enum(_) => Ok(self.c.terms.truth(true)),
            },
            DomainPolicy::Rechecked | DomainPolicy::Live => {
                let of = match &each.binder.range {
                    Range::Zone(zone) => self.zone_holder(zone, g)?,
                    _ => None,
                };
                self.strictly(|x| x.belongs(&each.binder, of, element))
            }
            DomainPolicy::LiveByPosition => Err(Obstacle::ByPosition.into()),
            DomainPolicy::UntilAllPass => Err(Obstacle::Turns.into()),
            DomainPolicy::Per(reading, all) => {
                let reading = self.c.reading(*reading);
                let mut still = self.c.terms.truth(false);
                for (at, one) in all.iter().enumerate() {
                    let at = self.c.terms.number(at as i64);
                    let is = self.c.terms.equal(reading, at);
                    let one = self.still(each, one, element, g)?;
                    let here = self.both(is, one);
                    still = self.c.terms.or(&[still, here]);
                }
                Ok(still)
            }
        }
    }
}

/// Two runs: one part and then the other.
struct InTurn<'s> {
    state: State<'s>,
    between: State<'s>,
    possible: Term,
    required: Vec<Term>,
}

fn run<'s>(
    c: &mut Context<'s>,
    board: &State<'s>,
    (first, second): ((&Part<'s>, &str), (&Part<'s>, &str)),
) -> Result<InTurn<'s>> {
    let nothing = Vec::new();
    let mut x = Exec::new(c, board.clone(), nothing);
    first.0.run(&mut x, first.1)?;
    let between = x.s.clone();
    second.0.run(&mut x, second.1)?;
    let possible = x.possible();
    Ok(InTurn {
        state: x.s,
        between,
        possible,
        required: x.required,
    })
}

/// Whether two parts can change places. If that is not so on any data, it is asked of data on which
/// both elements still belong to the iteration, if turns leave it so.
pub(super) fn commute<'s>(
    c: &mut Context<'s>,
    solver: &mut Solver,
    pair: &Pair<'s>,
) -> Result<Commutation> {
    let board = any_board(c);
    let told = compare(c, solver, (&board, pair), &[])?;
    if told != Commutation::May {
        return Ok(told);
    }
    let Some(belong) = belonging(c, &board, pair)? else {
        return Ok(told);
    };
    let mut assumed = pair.assumed.clone();
    assumed.extend(&belong);
    let comment = format!("{}: the other still belongs after a turn", pair.comment);
    let kept = kept(c, &board, pair)?;
    match ask(c, solver, (&assumed, kept), &comment)? {
        Err(told) => Ok(told),
        Ok(text) => Ok(match compare(c, solver, (&board, pair), &belong)? {
            Commutation::Commute(mut texts) => {
                texts.push(text);
                Commutation::Commute(texts)
            }
            told => told,
        }),
    }
}

/// Data of which nothing is known but what their types and the document's bounds say.
pub(super) fn any_board<'s>(c: &mut Context<'s>) -> State<'s> {
    let board = State::any(c.system, &mut c.terms);
    for &waiting in &board.queues {
        let fact = c.within(waiting, Some(0), None);
        c.fact_once(fact);
    }
    for (at, var) in board.vars.clone().into_iter().enumerate() {
        let system = c.system;
        let id = endstep_language::typing::program::VarId::from_index(at);
        let fact = c.held(var, &system.vars[id].domain);
        c.fact_once(fact);
    }
    board
}

/// That both elements belong to an iteration that takes its elements once, if that is what is asked
/// about. While they wait for their turn they belong if turns leave it so.
fn belonging<'s>(
    c: &mut Context<'s>,
    board: &State<'s>,
    pair: &Pair<'s>,
) -> Result<Option<Vec<Term>>> {
    let mut belong = Vec::new();
    for part in [&pair.one, &pair.other] {
        let Part::Element(each, element, frame) = part else {
            return Ok(None);
        };
        if !matches!(each.domain, DomainPolicy::Snapshot) {
            return Ok(None);
        }
        belong.push(belongs(c, board, (each, *element, frame))?);
    }
    Ok(Some(belong))
}

fn belongs<'s>(
    c: &mut Context<'s>,
    state: &State<'s>,
    (each, element, frame): (&'s Each, Term, &Frame),
) -> Result<Term> {
    let mut x = Exec::new(c, state.clone(), vec![frame.clone()]);
    let always = x.c.terms.truth(true);
    let of = match &each.binder.range {
        Range::Zone(zone) => x.strictly(|x| x.zone_holder(zone, always))?,
        _ => None,
    };
    x.strictly(|x| x.belongs(&each.binder, of, element))
}

/// After the turn of one the other belongs, or is removed, or the run has ended.
fn kept<'s>(c: &mut Context<'s>, board: &State<'s>, pair: &Pair<'s>) -> Result<Term> {
    let Part::Element(each, element, frame) = &pair.other else {
        return Err(Obstacle::Form.into());
    };
    let mut x = Exec::new(c, board.clone(), Vec::new());
    pair.one.run(&mut x, "one")?;
    let possible = x.possible();
    let (state, required) = (x.s, x.required);
    let mut all = required;
    let belongs = belongs(c, &state, (each, *element, frame))?;
    let zero = c.terms.number(0);
    let goes_on = c.terms.equal(state.ended, zero);
    let mut not = vec![belongs, c.terms.not(goes_on)];
    if let Type::Entity(sort) | Type::Optional(sort) = each.binder.ty {
        let mut x = Exec::new(c, state, Vec::new());
        let there = x.read(Cell::There(sort), *element)?;
        let there = c.terms.is_one(there);
        not.push(c.terms.not(there));
    }
    let kept = c.terms.or(&not);
    all.push(c.terms.implies(possible, kept));
    Ok(c.terms.and(&all))
}

/// Both orders.
struct Both {
    /// What is so if they come to the same.
    goals: Vec<Term>,
    /// What has to be so for the terms to mean what the rules do.
    required: Vec<Term>,
    /// Whether what was chosen could be, in the one and in the other.
    possible: (Term, Term),
}

fn both_orders<'s>(c: &mut Context<'s>, board: &State<'s>, pair: &Pair<'s>) -> Result<Both> {
    let (one, other) = ((&pair.one, "one"), (&pair.other, "other"));
    let forth = run(c, board, (one, other))?;
    let back = run(c, board, (other, one))?;
    let mut goals = same(c, &forth.state, &back.state)?;
    let required = [forth.required, back.required].concat();
    for (part, between) in [(&pair.one, &forth.between), (&pair.other, &back.between)] {
        if part.is_live() {
            goals.push(nobody_joins(c, part, (board, between))?);
        }
    }
    Ok(Both {
        goals,
        required,
        possible: (forth.possible, back.possible),
    })
}

/// Whether both orders come to the same, if something is assumed beside what the pair says.
fn compare<'s>(
    c: &mut Context<'s>,
    solver: &mut Solver,
    (board, pair): (&State<'s>, &Pair<'s>),
    beside: &[Term],
) -> Result<Commutation> {
    let both = both_orders(c, board, pair)?;
    let goals = [both.goals, both.required].concat();
    let assumed = [&pair.assumed, beside].concat();
    both_ways(c, solver, (&assumed, &goals), both.possible, &pair.comment)
}

/// What is so of data from which the two orders differ. Where the terms would not mean what the rules do
/// nothing is said of that; both elements of an iteration that takes its elements once belong to it.
pub(super) fn difference<'s>(
    c: &mut Context<'s>,
    board: &State<'s>,
    pair: &Pair<'s>,
) -> Result<Vec<Term>> {
    let both = both_orders(c, board, pair)?;
    let mut all = both.required;
    all.extend(&pair.assumed);
    all.extend(belonging(c, board, pair).ok().flatten().unwrap_or_default());
    let mut ways = Vec::new();
    let (one, other) = both.possible;
    for (here, there) in [(one, other), (other, one)] {
        let goal = c.terms.and(&[&both.goals[..], &[there]].concat());
        let not = c.terms.not(goal);
        ways.push(c.terms.and(&[here, not]));
    }
    all.push(c.terms.or(&ways));
    Ok(all)
}

/// Whether two runs come to the same, and what can be chosen in one can be chosen in the other.
fn both_ways(
    c: &mut Context<'_>,
    solver: &mut Solver,
    (assumed, goals): (&[Term], &[Term]),
    (one, other): (Term, Term),
    comment: &str,
) -> Result<Commutation> {
    let mut texts = Vec::new();
    for (here, there) in [(one, other), (other, one)] {
        let goal = c.terms.and(&[goals, &[there]].concat());
        let assumed = [assumed, &[here]].concat();
        match ask(c, solver, (&assumed, goal), comment)? {
            Ok(text) => texts.extend((!texts.contains(&text)).then_some(text)),
            Err(told) => return Ok(told),
        }
    }
    Ok(Commutation::Commute(texts))
}

/// The questions that show that two blocks come to the same from some data, with the same choices of the same people.
pub(super) fn alike<'s>(
    c: &mut Context<'s>,
    solver: &mut Solver,
    (board, frame): (&State<'s>, &Frame),
    (one, other): (BlockId, BlockId),
) -> Result<Vec<String>> {
    let mut rans = Vec::new();
    for block in [one, other] {
        let mut x = Exec::new(c, board.clone(), Vec::new());
        Part::Block(block, frame.clone()).run(&mut x, "whoever it is")?;
        let chosen = x.chosen.clone();
        let possible = x.possible();
        rans.push((x.s, possible, x.required, chosen));
    }
    let [(here, can, need, ours), (there, could, needed, theirs)] = &rans[..] else {
        return Err(Obstacle::Form.into());
    };
    let mut goals = same(c, here, there)?;
    goals.extend(need.iter().chain(needed));
    goals.extend(same_deciders(c, ours, theirs));
    let comment = "it makes no difference how it is read";
    match both_ways(c, solver, (&[], &goals), (*can, *could), comment)? {
        Commutation::Commute(texts) => Ok(texts),
        _ => Err(Obstacle::Form.into()),
    }
}

/// That the same choices are made by the same people.
fn same_deciders(c: &mut Context<'_>, ours: &[Chosen], theirs: &[Chosen]) -> Vec<Term> {
    let mut goals = Vec::new();
    for one in ours {
        for other in theirs.iter().filter(|other| other.value == one.value) {
            let both = c.terms.and(&[one.guard, other.guard]);
            let same = c.terms.equal(one.who, other.who);
            goals.push(c.terms.implies(both, same));
        }
    }
    goals
}

/// The questions that show that two conditions are true of the same data, and always have a value.
pub(super) fn same_truth<'s>(
    c: &mut Context<'s>,
    solver: &mut Solver,
    (board, frame): (&State<'s>, &Frame),
    (one, other): (&'s Expr, &'s Expr),
) -> Result<Vec<String>> {
    let mut x = Exec::new(c, board.clone(), vec![frame.clone()]);
    let always = x.c.terms.truth(true);
    let one = x.strictly(|x| x.eval(one, always))?;
    let other = x.strictly(|x| x.eval(other, always))?;
    let mut goals = std::mem::take(&mut x.required);
    goals.push(c.terms.equal(one, other));
    let goal = c.terms.and(&goals);
    match ask(
        c,
        solver,
        (&[], goal),
        "a condition is true of the same data",
    )? {
        Ok(text) => Ok(vec![text]),
        Err(_) => Err(Obstacle::Form.into()),
    }
}

/// Whether a goal follows from what is assumed, and that is possible.
fn ask(
    c: &mut Context<'_>,
    solver: &mut Solver,
    (assumed, goal): (&[Term], Term),
    comment: &str,
) -> Result<std::result::Result<String, Commutation>> {
    let mut asserted = assumed.to_vec();
    let not = c.terms.not(goal);
    instantiate(c)?;
    asserted.extend(&c.facts);
    asserted.sort_unstable();
    asserted.dedup();
    let possible = asserted.clone();
    asserted.push(not);
    match solver.ask(&c.terms, &asserted) {
        Reply::Satisfiable(_) => return Ok(Err(Commutation::May)),
        Reply::Unknown(_) => return Ok(Err(Commutation::GaveUp)),
        Reply::Unsatisfiable => {}
    }
    if solver.ask(&c.terms, &possible) == Reply::Unsatisfiable {
        return Ok(Err(Commutation::Vacuous));
    }
    Ok(Ok(script(&c.terms, &asserted, comment, "unsat")))
}

/// What has to be so for two data, and two ways to end, to be the same.
pub(super) fn same<'s>(c: &mut Context<'s>, a: &State<'s>, b: &State<'s>) -> Result<Vec<Term>> {
    let mut all = vec![c.terms.equal(a.ended, b.ended)];
    for (&x, &y) in a
        .detail
        .iter()
        .zip(&b.detail)
        .chain(a.vars.iter().zip(&b.vars))
        .chain(a.queues.iter().zip(&b.queues))
    {
        all.push(c.terms.equal(x, y));
    }
    for cell in cells(c.system) {
        let system = c.system;
        if matches!(cell, Cell::Low(_) | Cell::High(_))
            || a.map(system, cell).is(b.map(system, cell))
        {
            continue;
        }
        let any = match sort_of(system, cell) {
            Some(sort) => c.any(
                &format!("any {}", system.sorts[sort].name),
                Type::Entity(sort),
            ),
            None => c.terms.number(0),
        };
        let mut x = Exec::new(c, a.clone(), Vec::new());
        let one = x.read(cell, any)?;
        let mut x = Exec::new(c, b.clone(), Vec::new());
        let other = x.read(cell, any)?;
        all.push(c.terms.equal(one, other));
    }
    all.extend(same_queue(c, a, b));
    Ok(all)
}

/// What was announced is the same, in the same order. The first part's comes first in the one run, and
/// last in the other.
fn same_queue(c: &mut Context<'_>, a: &State<'_>, b: &State<'_>) -> Vec<Term> {
    if a.announced.is_empty() && b.announced.is_empty() {
        return Vec::new();
    }
    // Nothing is said of where parts of the lists come from; so none may be there.
    let mut all = Vec::new();
    for one in a.announced.iter().chain(&b.announced) {
        all.push(c.terms.not(one.guard));
    }
    all
}

/// After the turn of a part nobody is an element who was none before.
fn nobody_joins<'s>(
    c: &mut Context<'s>,
    part: &Part<'s>,
    (before, after): (&State<'s>, &State<'s>),
) -> Result<Term> {
    let Part::Element(each, _, frame) = part else {
        return Err(Obstacle::Form.into());
    };
    let number = c.fresh();
    let newcomer = c.any(&format!("newcomer {number}"), each.binder.ty);
    let mut belongs = Vec::new();
    for state in [before, after] {
        let mut x = Exec::new(c, state.clone(), vec![frame.clone()]);
        x.frame_mut()
            .bind(each.binder.local, Some(each.binder.ty), Some(newcomer));
        let always = x.c.terms.truth(true);
        let of = match &each.binder.range {
            Range::Zone(zone) => x.strictly(|x| x.zone_holder(zone, always))?,
            _ => None,
        };
        belongs.push(x.strictly(|x| x.belongs(&each.binder, of, newcomer))?);
    }
    Ok(c.terms.implies(belongs[1], belongs[0]))
}

/// Two different values of a type.
pub(super) fn two(c: &mut Context<'_>, ty: Type) -> (Term, Term, Term) {
    let (one, other) = (c.any("one", ty), c.any("other", ty));
    let same = c.terms.equal(one, other);
    (one, other, c.terms.not(same))
}
