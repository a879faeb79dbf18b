//! Finds a short formula that is true of some boards and of no others.
//!
//! What all the boards have in common is looked for first: up to three facts that are true of each of
//! them and of as few others as possible. If others are left, cases are added one by one, as in the
//! covering algorithms of rule learning (Fürnkranz, "Separate-and-conquer rule learning", Artificial
//! Intelligence Review 13, 1999), each a conjunction found by a beam search, until every board is in
//! a case and no other board is in one.
//!
//! *Guarantees.* What is returned as exact is true of just the boards given; what is returned as a
//! common fact is true of all of them. The result depends on nothing but the columns.
//!
//! *Limits.* The search is not exhaustive: there may be a shorter formula, or one where none was
//! found.

use fixedbitset::FixedBitSet;

use super::rows::{Columns, families_of, with_values};
use crate::verdict::{Fact, Formula, Literal, Occurs, Test};
use endstep_language::typing::program::Value;

/// Facts in a conjunction.
const MOST_FACTS: usize = 3;

/// Conjunctions that are kept while one is made longer.
const BEAM: usize = 8;

/// Cases of a formula.
const MOST_CASES: usize = 3;

/// What the facts of a formula may cost together.
const DEAREST: u32 = 8;

/// What facts may cost that do not say everything.
const DEAREST_PART: u32 = 4;

/// What each fact may cost, in the searches that are made one after the other. The cheapest formula that
/// one of them finds is taken.
const SEARCHES: [u32; 3] = [1, 2, 3];

/// More values in a list are no short description.
const MOST_LISTED: usize = 6;

/// The boards that a formula is to tell apart.
pub struct Boards {
    /// It is to be true of these.
    pub yes: FixedBitSet,
    /// And of none of these.
    pub no: FixedBitSet,
}

/// A fact, or that it is not one, with the boards of which that is true.
#[derive(Debug, Clone)]
pub struct Choice {
    literal: Literal,
    on: FixedBitSet,
    cost: u32,
}

/// How hard a fact is to read.
fn cost(literal: &Literal) -> u32 {
    fn list(values: &[Value]) -> u32 {
        let next = |pair: &[Value]| match pair {
            [Value::Int(one), Value::Int(next)] => one + 1 == *next,
            _ => false,
        };
        match values.len() {
            1 => 1,
            _ if values.windows(2).all(next) => 2,
            n => 2 + (n as u32) / 3,
        }
    }
    fn test(of: &Test) -> u32 {
        match of {
            Test::Value(_, values) => list(values),
            Test::AtMost(..) | Test::In(_) | Test::InOf(..) | Test::IsVar(_) => 1,
            Test::Less(..) | Test::Equal(..) => 2,
            Test::Linked(_, of) | Test::Not(of) => 1 + test(of),
        }
    }
    match &literal.fact {
        Fact::Var(_, values) => list(values),
        Fact::VarAtMost(..) | Fact::VarLess(..) | Fact::VarEqual(..) => 1,
        Fact::Of(_, of) => test(of),
        Fact::Count(_, tests, least) => {
            let several = !tests.is_empty() && *least > 1;
            u32::from(several) + tests.iter().map(test).sum::<u32>().max(1)
        }
        // That no two entities are as said is hard to grasp.
        Fact::Two(_, one, other) => {
            1 + test(one) + test(other) + if literal.holds { 0 } else { DEAREST }
        }
    }
}

/// Facts together.
#[derive(Clone)]
struct Rule {
    /// Positions of choices.
    choices: Vec<usize>,
    /// The boards that are left: of those wanted, and of the others.
    yes: FixedBitSet,
    no: FixedBitSet,
    counts: Counts,
}

impl Rule {
    fn all(boards: &Boards) -> Self {
        Self::new(Vec::new(), boards.yes.clone(), boards.no.clone())
    }

    fn new(choices: Vec<usize>, yes: FixedBitSet, no: FixedBitSet) -> Self {
        let counts = (yes.count_ones(..), no.count_ones(..));
        Self {
            choices,
            yes,
            no,
            counts,
        }
    }

    fn with(&self, at: usize, choice: &Choice) -> Self {
        let [yes, no] = [&self.yes, &self.no].map(|boards| within(boards, [choice]));
        let mut choices = self.choices.clone();
        choices.push(at);
        choices.sort_unstable();
        Self::new(choices, yes, no)
    }
}

/// How many boards are left: of those wanted, and of the others.
type Counts = (usize, usize);

/// Whether the first separates better: how many of those wanted are kept, as often as they are among
/// all that are kept.
fn separates_better(one: Counts, other: Counts) -> bool {
    let worth = |(yes, no): Counts| ((yes * yes) as u128, (yes + no).max(1) as u128);
    let ((a, b), (c, d)) = (worth(one), worth(other));
    a * d > c * b
}

/// The boards of which all of some facts are true.
fn within<'c>(boards: &FixedBitSet, facts: impl IntoIterator<Item = &'c Choice>) -> FixedBitSet {
    let mut left = boards.clone();
    facts
        .into_iter()
        .for_each(|fact| left.intersect_with(&fact.on));
    left
}

/// Facts and their opposites, the simplest first.
pub fn choices(columns: &Columns) -> Vec<Choice> {
    let facts = columns.facts.iter();
    let both = facts.flat_map(|(fact, on)| {
        let mut off = on.clone();
        off.toggle_range(..);
        [(true, on.clone()), (false, off)].map(|(holds, on)| {
            let fact = fact.clone();
            let literal = Literal { fact, holds };
            let cost = cost(&literal);
            Choice { literal, on, cost }
        })
    });
    let dearest = SEARCHES.iter().max().copied().unwrap_or(0);
    let mut both: Vec<Choice> = both.filter(|choice| choice.cost <= dearest).collect();
    both.sort_by_key(|choice| choice.cost);
    both
}

/// Says on which boards something occurs.
pub fn describe(columns: &Columns, choices: &[Choice], boards: &Boards) -> Occurs {
    if boards.no.is_clear() {
        return Occurs::Everywhere;
    }
    let lists = lists(columns, &boards.yes, &boards.no);
    let mut found: Option<((u32, usize), Formula)> = None;
    let search = |dearest| Search {
        columns,
        choices: &choices[..choices.partition_point(|one| one.cost <= dearest)],
        lists: &lists,
        dearest,
    };
    for dearest in SEARCHES {
        if let Some((cost, formula)) = search(dearest).formula(boards)
            && cost <= DEAREST
        {
            let facts = formula.all.len() + formula.any.iter().map(Vec::len).sum::<usize>();
            let known = found.as_ref();
            if known.is_none_or(|(known, _)| (cost, facts) < *known) {
                found = Some(((cost, facts), formula));
            }
        }
    }
    if let Some((_, formula)) = found {
        return Occurs::Exactly(formula);
    }
    search(SEARCHES[1]).between(boards)
}

/// A search among facts of some simplicity.
struct Search<'a> {
    columns: &'a Columns,
    choices: &'a [Choice],
    /// Lists of values of which each board wanted has one.
    lists: &'a [Choice],
    dearest: u32,
}

impl Search<'_> {
    /// A formula for just these boards, and what it costs.
    fn formula(&self, boards: &Boards) -> Option<(u32, Formula)> {
        let (common, rule) = self.common(boards);
        if rule.counts.1 == 0 {
            let common = needed(common, &[], boards);
            let all = literals(&common);
            let any = Vec::new();
            return Some((price(&common), Formula { all, any }));
        }
        let rest = Boards {
            yes: boards.yes.clone(),
            no: rule.no,
        };
        let cases = self.cases(&rest)?;
        let common = needed(common, &cases, boards);
        let cost = price(&common) + cases.iter().map(|case| price(case)).sum::<u32>();
        let formula = Formula {
            all: literals(&common),
            any: cases.iter().map(|case| literals(case)).collect(),
        };
        Some((cost, formula))
    }

    /// What is true of all boards, and what is true only of them.
    fn between(&self, boards: &Boards) -> Occurs {
        let (common, _) = self.common(boards);
        let common = telling(common, boards);
        let mut all = boards.yes.clone();
        all.union_with(&boards.no);
        let true_of = within(&all, &common);
        let always = self.case(boards).map(|case| needed(case, &[], boards));
        let always = always.filter(|case| price(case) <= DEAREST_PART);
        let always = always.map(|case| {
            let on = within(&boards.yes, &case);
            (literals(&case), on.count_ones(..) as u64)
        });
        Occurs::Between {
            only: (literals(&common), true_of.count_ones(..) as u64),
            always,
        }
    }
}

fn price(facts: &[Choice]) -> u32 {
    facts.iter().map(|fact| fact.cost).sum()
}

/// Leaves out facts that hardly tell the boards from others, and those that are too much together.
fn telling(mut facts: Vec<Choice>, boards: &Boards) -> Vec<Choice> {
    let let_in = |facts: &[Choice]| within(&boards.no, facts).count_ones(..);
    loop {
        let with_all = let_in(&facts);
        let without = (0..facts.len()).map(|at| {
            let mut others = facts.clone();
            others.remove(at);
            (let_in(&others), at)
        });
        match without.min() {
            // A fact tells something if it keeps out half of what the others let in.
            Some((more, at)) if more < 2 * with_all || price(&facts) > DEAREST_PART => {
                facts.remove(at);
            }
            _ => return facts,
        }
    }
}

fn literals(choices: &[Choice]) -> Vec<Literal> {
    choices
        .iter()
        .map(|choice| choice.literal.clone())
        .collect()
}

/// Leaves out facts without which no other board is let in; of each of the cases, if there are any.
fn needed(mut facts: Vec<Choice>, cases: &[Vec<Choice>], boards: &Boards) -> Vec<Choice> {
    let lets_in = |facts: &[Choice], case: &[Choice]| {
        !within(&boards.no, facts.iter().chain(case)).is_clear()
    };
    let one = [Vec::new()];
    let cases = if cases.is_empty() { &one } else { cases };
    let mut at = facts.len();
    while at > 0 {
        at -= 1;
        let fact = facts.remove(at);
        if cases.iter().any(|case| lets_in(&facts, case)) {
            facts.insert(at, fact);
        }
    }
    facts
}

impl Search<'_> {
    /// Facts that are true of all boards wanted and of few others.
    fn common(&self, boards: &Boards) -> (Vec<Choice>, Rule) {
        let is_common = |choice: &&Choice| boards.yes.is_subset(&choice.on);
        let lists = self
            .lists
            .iter()
            .filter(|list| list.cost <= self.dearest + 1);
        let choices = self
            .choices
            .iter()
            .filter(is_common)
            .chain(lists)
            .collect::<Vec<_>>();
        let mut best = Rule::all(boards);
        let mut beam = vec![best.clone()];
        for _ in 0..MOST_FACTS {
            beam = longer(&choices, &beam, |one, other| one.1 < other.1);
            match beam.first() {
                Some(first) if first.counts.1 < best.counts.1 => best = first.clone(),
                _ => break,
            }
            if best.counts.1 == 0 {
                break;
            }
        }
        let facts = best.choices.iter().map(|at| choices[*at].clone());
        (facts.collect(), best)
    }

    /// Cases that together are all boards wanted.
    fn cases(&self, boards: &Boards) -> Option<Vec<Vec<Choice>>> {
        let mut cases = Vec::new();
        let mut left = Boards {
            yes: boards.yes.clone(),
            no: boards.no.clone(),
        };
        while !left.yes.is_clear() {
            if cases.len() == MOST_CASES {
                return None;
            }
            let case = self.case(&left)?;
            left.yes.difference_with(&within(&left.yes, &case));
            cases.push(case);
        }
        Some(cases)
    }

    /// Facts that are true of many of the boards wanted and of no others.
    fn case(&self, boards: &Boards) -> Option<Vec<Choice>> {
        let choices = self.choices.iter().collect::<Vec<_>>();
        let mut pure: Option<Rule> = None;
        let mut beam = vec![Rule::all(boards)];
        for _ in 0..MOST_FACTS {
            beam = longer(&choices, &beam, separates_better);
            for rule in beam.iter().filter(|rule| rule.counts.1 == 0) {
                if pure
                    .as_ref()
                    .is_none_or(|best| rule.counts.0 > best.counts.0)
                {
                    pure = Some(rule.clone());
                }
            }
        }
        let rule = pure?;
        let mut facts: Vec<Choice> = rule.choices.iter().map(|at| choices[*at].clone()).collect();
        // A list of values instead of one lets more boards in, if all others stay out.
        for at in 0..facts.len() {
            let others = facts.iter().enumerate().filter(|(other, _)| *other != at);
            let others: Vec<&Choice> = others.map(|(_, fact)| fact).collect();
            let [yes, no] =
                [&boards.yes, &boards.no].map(|boards| within(boards, others.iter().copied()));
            if let Some(wider) = wider(self.columns, &facts[at], (&yes, &no)) {
                facts[at] = wider;
            }
        }
        Some(facts)
    }
}

/// The rules that come of one more fact, the best ones.
fn longer(
    choices: &[&Choice],
    beam: &[Rule],
    is_better: impl Fn(Counts, Counts) -> bool,
) -> Vec<Rule> {
    let mut found: Vec<Rule> = Vec::new();
    for rule in beam {
        for (at, choice) in choices.iter().enumerate() {
            let yes = rule.yes.intersection_count(&choice.on);
            let no = rule.no.intersection_count(&choice.on);
            if yes == 0 || no == rule.counts.1 {
                continue;
            }
            let place = found.partition_point(|one| !is_better((yes, no), one.counts));
            if place < BEAM {
                let new = rule.with(at, choice);
                if found.iter().all(|one| one.choices != new.choices) {
                    found.insert(place, new);
                    found.truncate(BEAM);
                }
            }
        }
    }
    found
}

/// Lists of values of which each board wanted has one: as few values as possible.
fn lists(columns: &Columns, yes: &FixedBitSet, no: &FixedBitSet) -> Vec<Choice> {
    let families = columns.families.iter();
    let lists = families.filter_map(|(family, members)| {
        let mut kept = members.clone();
        // Those that keep out most are tried first.
        kept.sort_by_key(|(_, at)| std::cmp::Reverse(columns.facts[*at].1.intersection_count(no)));
        let mut at = 0;
        while at < kept.len() {
            let one = kept.remove(at);
            if !yes.is_subset(&union(columns, &kept)) {
                kept.insert(at, one);
                at += 1;
            }
        }
        let on = union(columns, &kept);
        let is_list = (2..=MOST_LISTED).contains(&kept.len()) && yes.is_subset(&on);
        is_list.then(|| list(family, kept, on))
    });
    lists.collect()
}

fn union(columns: &Columns, members: &[(Value, usize)]) -> FixedBitSet {
    let mut on = FixedBitSet::new();
    for (_, at) in members {
        on.union_with(&columns.facts[*at].1);
    }
    on
}

fn list(family: &Fact, mut members: Vec<(Value, usize)>, on: FixedBitSet) -> Choice {
    members.sort_unstable();
    let values: Vec<Value> = members.into_iter().map(|(value, _)| value).collect();
    let literal = Literal {
        fact: with_values(family, &values),
        holds: true,
    };
    let cost = cost(&literal);
    Choice { literal, on, cost }
}

/// The widest list of values of a fact that lets no board in that is not wanted.
fn wider(
    columns: &Columns,
    choice: &Choice,
    (yes, no): (&FixedBitSet, &FixedBitSet),
) -> Option<Choice> {
    if !choice.literal.holds {
        return None;
    }
    let mut best: Option<(usize, Choice)> = None;
    let reached = yes.intersection_count(&choice.on);
    for (family, value) in families_of(&choice.literal.fact) {
        let Some((_, members)) = columns.families.iter().find(|(of, _)| *of == family) else {
            continue;
        };
        let fits = |(of, at): &&(Value, usize)| {
            let on = &columns.facts[*at].1;
            *of == value || (no.is_disjoint(on) && !yes.is_disjoint(on))
        };
        let fitting: Vec<(Value, usize)> = members.iter().filter(fits).copied().collect();
        let on = union(columns, &fitting);
        let count = yes.intersection_count(&on);
        let most = best.as_ref().map_or(reached, |(most, _)| *most);
        if count > most {
            best = Some((count, list(&family, fitting, on)));
        }
    }
    best.map(|(_, choice)| choice)
}
