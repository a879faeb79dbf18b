//! Demands that are at odds, found once more by brute force: on random specifications all runs of all boards
//! are visited with the interpreter, what is demanded is evaluated where they end, and all sets of demands
//! are tried.
//!
//! `DEMANDS=0..1000 cargo test --test it demands` looks at the random specifications with these numbers.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::{ControlFlow, Range};

use endstep::analysis::{Boards, Halt, Limits, Options, is_legal};
use endstep::explore::check;
use endstep::semantics::{Data, Ended, Interpreter, Next, Readings, State, Stop, Tag, Variant};
use endstep::syntax::ast::At;
use endstep::typing::program::{
    ClaimKind, Concern, Expr, Field, Program, ReadingId, SequenceId, Type,
};
use endstep::verdict::{Detail, Finding, Limitation, Results, ScopeOf};
use endstep::witness::{Root, Violated, Witness, replay};

use crate::engines::{compiled, random};

/// The random specifications that are looked at if nothing else is said.
const NUMBERS: Range<u64> = 0..200;

/// So few that a specification takes milliseconds.
const LIMITS: Limits = Limits {
    boards: 300,
    candidates: 5000,
    states: 1000,
    readings: 32,
    steps: 100_000,
};

/// More states of one board are not visited.
const MOST_STATES: usize = 20_000;

/// Demands: claims, then conditions of legality, then what a contract ensures.
type Core = Vec<(u8, usize)>;

/// What is demanded: which demand it is, whether only of ends with the tag `end`, and the condition.
type Demand<'p> = ((u8, usize), bool, &'p Expr);

/// Why a board is left out.
enum Stuck {
    Consult(ReadingId),
    Limit,
}

/// What is asked of one sequence.
struct Asked<'p> {
    program: &'p Program,
    sequence: SequenceId,
    variant: Variant,
    verified: bool,
}

impl<'p> Asked<'p> {
    fn of(program: &'p Program, scope: ScopeOf) -> Option<Self> {
        match scope {
            ScopeOf::Verify(at) => {
                let verify = &program.verifies[at];
                Some(Self {
                    program,
                    sequence: verify.sequence,
                    variant: Variant {
                        contracts: verify.contracts.iter().copied().collect(),
                        ..Variant::default()
                    },
                    verified: true,
                })
            }
            ScopeOf::Sequence(sequence) => Some(Self {
                program,
                sequence,
                variant: Variant::default(),
                verified: false,
            }),
            ScopeOf::Example(_) | ScopeOf::On(..) => None,
        }
    }

    /// Whether claims are judged in this scope: only where contracts stand in as in the first.
    fn is_claimed(&self) -> bool {
        let mut verifies = self.program.verifies.iter();
        let first = verifies.find(|one| one.sequence == self.sequence);
        first.is_none_or(|one| {
            let contracts: BTreeSet<SequenceId> = one.contracts.iter().copied().collect();
            contracts == self.variant.contracts
        })
    }

    fn it<'a>(&'a self, readings: &'a Readings) -> Interpreter<'a> {
        Interpreter {
            program: self.program,
            readings,
            variant: &self.variant,
        }
    }

    /// What is demanded on a board.
    fn demands(&self, readings: &Readings, board: &Data) -> Result<Vec<Demand<'p>>, Stuck> {
        let mut found = Vec::new();
        for (at, claim) in self.program.claims.iter().enumerate() {
            let is_of_all = claim.on.is_none() && claim.kind.sequence() == self.sequence;
            if claim.question || !is_of_all || !self.is_claimed() {
                continue;
            }
            match &claim.kind {
                ClaimKind::Must(e, _, condition) => {
                    let concerns = condition.as_ref();
                    let concerns =
                        concerns.map(|one| holds(self.it(readings), one, (board, board)));
                    if concerns.transpose()?.unwrap_or(true) {
                        found.push(((0, at), false, e));
                    }
                }
                ClaimKind::Invariant(e, of, _) => found.push(((0, at), *of == At::End, e)),
                _ => {}
            }
        }
        if self.verified {
            let legals = self.program.legals.iter().enumerate();
            found.extend(legals.map(|(at, one)| ((1, at), true, &one.condition)));
            let contract = self.program.sequences[self.sequence].contract.iter();
            let ensures = contract.flat_map(|one| one.ensures.iter().enumerate());
            found.extend(ensures.map(|(at, e)| ((2, at), true, e)));
        }
        Ok(found)
    }

    /// The cores of a board under an assignment, or what is wanting.
    fn cores(&self, readings: &Readings, board: &Data) -> Result<BTreeSet<Core>, Stuck> {
        let it = self.it(readings);
        let mut ends: BTreeSet<Ended> = BTreeSet::new();
        let first = it.start(self.sequence, &[], board.clone());
        let mut known: HashSet<State> = HashSet::from([first.clone()]);
        let mut todo = vec![first];
        while let Some(state) = todo.pop() {
            let next = match it.next(state) {
                Next::Consult(reading) => return Err(Stuck::Consult(reading)),
                Next::Done(ended, _) => {
                    ends.insert(ended);
                    continue;
                }
                Next::Step(state, _) => vec![state],
                Next::Choose(point) => {
                    let all = point.alternatives.into_iter();
                    all.map(|one| one.state).collect()
                }
            };
            for state in next {
                if known.insert(state.clone()) {
                    todo.push(state);
                }
            }
            if known.len() > MOST_STATES {
                return Err(Stuck::Limit);
            }
        }
        let demands = self.demands(readings, board)?;
        let mut broken: BTreeSet<BTreeSet<(u8, usize)>> = BTreeSet::new();
        for ended in &ends {
            match ended.tag {
                Tag::End | Tag::Win(_) | Tag::Loss(_) | Tag::Draw => {}
                Tag::Limit(_) => return Ok(BTreeSet::new()),
                _ => continue,
            }
            let mut here = BTreeSet::new();
            for (demand, only_end, condition) in &demands {
                let speaks = ended.tag == Tag::End || !only_end;
                if speaks && !holds(it, condition, (&ended.data, board))? {
                    here.insert(*demand);
                }
            }
            broken.insert(here);
        }
        Ok(minimal(
            &demands.iter().map(|one| one.0).collect::<Vec<_>>(),
            &broken,
        ))
    }
}

fn holds(it: Interpreter<'_>, e: &Expr, (data, board): (&Data, &Data)) -> Result<bool, Stuck> {
    match it.condition(e, data, Some(board)) {
        Ok(holds) => Ok(holds),
        Err(Stop::Consult(reading)) => Err(Stuck::Consult(reading)),
        Err(Stop::Tag(Tag::Limit(_))) => Err(Stuck::Limit),
        Err(Stop::Tag(_)) => Ok(false),
    }
}

/// All cores of one demand, and all those of at most six of the other demands: every set of them is tried.
fn minimal(demands: &[(u8, usize)], broken: &BTreeSet<BTreeSet<(u8, usize)>>) -> BTreeSet<Core> {
    let mut found = BTreeSet::new();
    if broken.is_empty() || broken.contains(&BTreeSet::new()) {
        return found;
    }
    let hits = |core: &[(u8, usize)]| {
        let mut all = broken.iter();
        all.all(|set| core.iter().any(|one| set.contains(one)))
    };
    let (alone, others): (Vec<_>, Vec<_>) = demands.iter().partition(|one| hits(&[**one]));
    found.extend(alone.into_iter().map(|one| vec![one]));
    let sets = (1_u32..1 << others.len()).map(|bits| {
        let chosen = others.iter().enumerate();
        let chosen = chosen.filter(|(at, _)| bits >> at & 1 == 1);
        chosen.map(|(_, one)| *one).collect::<Core>()
    });
    let is_minimal = |core: &Core| {
        let mut all = 0..core.len();
        hits(core) && all.all(|at| !hits(&[&core[..at], &core[at + 1..]].concat()))
    };
    found.extend(sets.filter(|core| core.len() <= 6 && is_minimal(core)));
    found
}

/// The legal boards of a scope on which demands are at odds, by core; `None`: that is not known of some.
fn by_force(asked: &Asked<'_>, scope: ScopeOf) -> Option<BTreeMap<Core, Vec<Data>>> {
    let options = Options::default();
    let program = asked.program;
    let verify = match scope {
        ScopeOf::Verify(at) => Some(&program.verifies[at]),
        _ => None,
    };
    let sizes = verify.map_or(&[][..], |one| &one.sizes);
    let only = verify.and_then(|one| one.condition.as_ref());
    let mut found: BTreeMap<Core, Vec<Data>> = BTreeMap::new();
    let mut known = true;
    let boards = Boards::new(program, sizes, &options);
    let boards = boards.about(Concern::of(program, asked.sequence));
    let _ = boards.each(&|_| None, &mut |_, board| {
        let mut cores = BTreeSet::new();
        let mut todo = vec![Readings::new()];
        while let Some(readings) = todo.pop() {
            let legal = match is_legal(asked.it(&readings), only, board) {
                Ok(legal) => Ok(legal),
                Err(Halt::Consult(reading)) => Err(Stuck::Consult(reading)),
                Err(_) => Err(Stuck::Limit),
            };
            let here = legal.and_then(|legal| match legal {
                true => asked.cores(&readings, board),
                false => Ok(BTreeSet::new()),
            });
            match here {
                Ok(here) => cores.extend(here),
                Err(Stuck::Limit) => {
                    known = false;
                    return ControlFlow::Break(());
                }
                Err(Stuck::Consult(reading)) => {
                    let count = program.readings[reading].alternatives.len();
                    todo.extend((0..count).map(|at| {
                        let mut more = readings.clone();
                        more.insert(reading, u16::try_from(at).unwrap());
                        more
                    }));
                }
            }
        }
        for core in cores {
            found.entry(core).or_default().push(board.clone());
        }
        ControlFlow::Continue(())
    });
    known.then_some(found)
}

fn core(violated: &[Violated]) -> Core {
    let one = |one: &Violated| match one {
        Violated::Claim(at) => (0, *at),
        Violated::Legal(at) => (1, *at),
        Violated::Contract(_, at) => (2, *at),
        other => panic!("no demand: {other:?}"),
    };
    violated.iter().map(one).collect()
}

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    specifications: u64,
    alone: u64,
    several: u64,
    larger: u64,
}

/// What a finding says of demands: of which sequence, the core, and the board that shows it.
fn said(finding: &Finding) -> Option<(SequenceId, Core, &Data)> {
    match (&finding.detail, finding.witness.as_ref()?) {
        (Detail::Demands(sequence, of), Witness::Demands(demands)) => {
            assert_eq!(*of, demands.core);
            Some((*sequence, core(of), &demands.runs[0].board))
        }
        (Detail::Demands(..), other) => panic!("{other:?}"),
        (_, Witness::Run { run, violated }) => match (violated, &run.root) {
            (Violated::Everywhere(one), Root::Sequence(sequence, _)) => {
                Some((*sequence, core(std::slice::from_ref(one)), &run.board))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Where results and brute force differ.
fn compare(program: &Program, results: &Results, compared: &mut Compared) -> Result<(), String> {
    let mut forced = BTreeMap::new();
    for (at, scope) in results.scopes.iter().enumerate() {
        let known = |one: &Limitation| matches!(one, Limitation::Bounds(_) | Limitation::NoBoard);
        if !scope.limitations.iter().all(known) {
            return Ok(());
        }
        if let Some(asked) = Asked::of(program, scope.subject) {
            let Some(found) = by_force(&asked, scope.subject) else {
                return Ok(());
            };
            forced.insert(at, (asked.sequence, found));
        }
    }
    compared.specifications += 1;
    let mut told = BTreeSet::new();
    for finding in &results.findings {
        let Some((sequence, core, board)) = said(finding) else {
            continue;
        };
        let scope = finding.scope.ok_or("no scope")?;
        if matches!(results.scopes[scope].subject, ScopeOf::On(..)) {
            continue;
        }
        let boards = forced[&scope].1.get(&core);
        let boards = boards.ok_or_else(|| format!("not at odds: {core:?}"))?;
        if !boards.contains(board) {
            return Err(format!("not at odds on the board shown: {core:?}"));
        }
        if matches!(finding.detail, Detail::Demands(..)) {
            if boards.len() as u64 != finding.boards {
                let (found, all) = (finding.boards, boards.len());
                return Err(format!("{core:?} on {found} boards instead of {all}"));
            }
            let entities = boards.iter().map(|one| one.entities.len()).min();
            if program.readings.is_empty() && program.clauses.is_empty() {
                assert_eq!(Some(board.entities.len()), entities, "the smallest board");
            }
        }
        let witness = finding.witness.as_ref().ok_or("no witness")?;
        replay(program, witness).map_err(|why| format!("{core:?}: {why}"))?;
        match core.len() {
            1 => compared.alone += 1,
            2 => compared.several += 1,
            _ => compared.larger += 1,
        }
        told.insert((sequence, core));
    }
    for (sequence, found) in forced.values() {
        for core in found.keys() {
            if !told.contains(&(*sequence, core.clone())) {
                return Err(format!("not found: {core:?}"));
            }
        }
    }
    Ok(())
}

/// A specification in which more is demanded of what its first sequence does with numbers and zones.
fn demanding(text: &str, program: &Program) -> String {
    let mut text = text.to_owned();
    let Some(verify) = program.verifies.last() else {
        return text;
    };
    let sequence = &program.sequences[verify.sequence].name;
    let vars = program.vars.values().iter();
    let vars = vars.filter(|one| matches!(one.ty, Type::Int));
    let zones = program.zones.values().iter();
    let zones = zones.filter(|one| one.per.is_none());
    let fields = program.fields.values().iter();
    let fields = fields.filter(|one| matches!(one.ty, Type::Int));
    let sum = |one: &Field| {
        let sort = &program.sorts[one.sort].name;
        format!("(sum of x.{} over x: {sort})", one.name)
    };
    let values = vars
        .map(|one| one.name.clone())
        .chain(fields.map(sum))
        .chain(zones.map(|one| format!("(size of {})", one.name)));
    for (at, value) in values.take(5).enumerate() {
        for (name, sign) in [("changes", "!="), ("no_more", "<="), ("no_less", ">=")] {
            let line =
                format!("claim {name}_{at}: must {value} {sign} old {value} after {sequence}\n");
            text.push_str(&line);
        }
    }
    text
}

fn numbers() -> Range<u64> {
    let Ok(wanted) = std::env::var("DEMANDS") else {
        return NUMBERS;
    };
    let (first, end) = wanted.split_once("..").expect("DEMANDS is a range");
    first.parse().unwrap()..end.parse().unwrap()
}

#[test]
fn demands_are_at_odds_where_all_runs_of_random_specifications_say_so() {
    let mut compared = Compared::default();
    let mut wrong = Vec::new();
    for number in numbers() {
        let mut text = random(number);
        let mut program = compiled(&text).unwrap();
        if number % 3 > 0 {
            text = demanding(&text, &program);
            program = compiled(&text).unwrap_or_else(|| panic!("{text}"));
        }
        let options = Options {
            limits: LIMITS,
            faults_only: true,
            ..Options::default()
        };
        let results = check(&program, &options, &mut |_| {});
        if let Err(why) = compare(&program, &results, &mut compared) {
            wrong.push(format!("number {number}: {why}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let Range { start, end } = numbers();
    let enough = compared.specifications > (end - start) / 2
        && compared.alone > (end - start) / 5
        && compared.several + compared.larger > (end - start) / 100;
    assert!(enough, "{compared:?}");
}
