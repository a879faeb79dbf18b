//! Boards as rows of bits, and facts as columns.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;

use super::facts::Facts;
use crate::verdict::{Fact, Test};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, Program, SortId, Value};
use endstep_semantics::semantics::Data;

/// All columns that are looked at while they are made have together at most so many bits.
const MOST_RAW_BITS: usize = 1 << 28;

/// All columns that are searched have together at most so many bits.
const MOST_BITS: usize = 1 << 24;

/// More entities of a sort with a property than this are not told apart.
const MOST_COUNTED: usize = 2;

/// What is true of a board.
#[derive(Debug)]
pub struct Row {
    /// Its number.
    pub number: u64,
    /// The sorts of its entities.
    pub sorts: Vec<SortId>,
    bits: Vec<u64>,
    len: usize,
}

impl Row {
    /// Of a board, empty.
    pub fn new(number: u64) -> Self {
        Self {
            number,
            sorts: Vec::new(),
            bits: Vec::new(),
            len: 0,
        }
    }

    /// Adds bits.
    pub fn push(&mut self, bits: impl Iterator<Item = bool>) {
        for bit in bits {
            if self.len.is_multiple_of(64) {
                self.bits.push(0);
            }
            self.bits[self.len / 64] |= u64::from(bit) << (self.len % 64);
            self.len += 1;
        }
    }

    fn get(&self, at: usize) -> bool {
        self.bits[at / 64] >> (at % 64) & 1 == 1
    }
}

impl Facts {
    /// What is true of a board.
    pub fn row(&self, program: &Program, number: u64, board: &Data) -> Row {
        let mut row = Row::new(number);
        row.push(self.alone.iter().map(|fact| fact.is_true(program, board)));
        for (index, entity) in board.entities.iter().enumerate() {
            let id = EntityId::from_index(index);
            let tests = self.tests[entity.sort.index()].iter();
            row.sorts.push(entity.sort);
            row.push(tests.map(|test| test.passes(program, board, id)));
        }
        row
    }
}

/// Facts that tell boards apart.
#[derive(Debug, Default)]
pub struct Columns {
    /// Each with the boards of which it is true; no two alike, none true of all or of none.
    pub facts: Vec<(Fact, FixedBitSet)>,
    /// Facts that differ in one value only, in all ways: the fact without the value, then values
    /// and columns.
    pub families: Vec<(Fact, Vec<(Value, usize)>)>,
}

impl Columns {
    /// The columns of some boards; simpler facts come first, and what is too much is left out.
    pub fn new(facts: &Facts, rows: &[Row]) -> Self {
        let mut maker = Maker {
            rows,
            raw: Vec::new(),
            left: MOST_RAW_BITS,
        };
        maker.alone(facts);
        let sorts = (0..facts.tests.len()).map(SortId::from_index);
        let passing: Vec<Passing<'_>> = sorts.map(|sort| Passing::of(facts, rows, sort)).collect();
        for tier in [Tier::One, Tier::Both, Tier::Two] {
            maker.of_entities(&passing, tier);
        }
        Self::distinct(maker.raw, rows.len())
    }

    fn distinct(raw: Vec<(Fact, FixedBitSet)>, rows: usize) -> Self {
        let mut known: HashMap<FixedBitSet, usize> = HashMap::new();
        let mut families: IndexMap<Fact, Vec<(Value, usize)>> = IndexMap::new();
        let mut found = Self::default();
        for (fact, bits) in raw {
            let count = bits.count_ones(..);
            if count == 0 || count == rows {
                continue;
            }
            let at = match known.get(&bits) {
                Some(&at) => at,
                None if (found.facts.len() + 1) * rows > MOST_BITS => continue,
                None => {
                    let at = found.facts.len();
                    known.insert(bits.clone(), at);
                    found.facts.push((fact.clone(), bits));
                    at
                }
            };
            for (family, value) in families_of(&fact) {
                families.entry(family).or_default().push((value, at));
            }
        }
        let several = families
            .into_iter()
            .filter(|(_, members)| members.len() > 1);
        found.families = several.collect();
        found
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tier {
    /// Of one entity, and how many there are.
    One,
    /// Two tests of one entity.
    Both,
    /// Tests of two entities.
    Two,
}

struct Maker<'a> {
    rows: &'a [Row],
    raw: Vec<(Fact, FixedBitSet)>,
    /// Bits that may still be made.
    left: usize,
}

impl Maker<'_> {
    fn room(&mut self, facts: usize) -> bool {
        let bits = facts.saturating_mul(self.rows.len());
        let fits = bits <= self.left;
        if fits {
            self.left -= bits;
        }
        fits
    }

    fn add(&mut self, fact: Fact) -> usize {
        self.raw
            .push((fact, FixedBitSet::with_capacity(self.rows.len())));
        self.raw.len() - 1
    }

    fn alone(&mut self, facts: &Facts) {
        if !self.room(facts.alone.len()) {
            return;
        }
        for (at, fact) in facts.alone.iter().enumerate() {
            let column = self.add(fact.clone());
            for (index, row) in self.rows.iter().enumerate() {
                self.raw[column].1.set(index, row.get(at));
            }
        }
        for &(sort, low, high) in &facts.sizes {
            for least in low.max(1)..=high.min(low + 8) {
                let column = self.add(Fact::Count(sort, Vec::new(), least));
                for (index, row) in self.rows.iter().enumerate() {
                    let count = row.sorts.iter().filter(|of| **of == sort).count();
                    self.raw[column].1.set(index, count >= least as usize);
                }
            }
        }
    }

    fn of_entities(&mut self, passing: &[Passing], tier: Tier) {
        for of in passing {
            let n = of.tests.len();
            let many = match tier {
                Tier::One => n * MOST_COUNTED,
                Tier::Both | Tier::Two => n * n.saturating_sub(1) / 2,
            };
            if !self.room(many) {
                continue;
            }
            if tier == Tier::One {
                for (a, test) in of.tests.iter().enumerate() {
                    for (least, on) in (1..).zip(&of.counted[a]) {
                        let fact = Fact::Count(of.sort, vec![test.clone()], least);
                        self.raw.push((fact, on.clone()));
                    }
                }
                continue;
            }
            for a in 0..n {
                for b in a + 1..n {
                    let (one, two) = (of.tests[a].clone(), of.tests[b].clone());
                    self.raw.push(match tier {
                        Tier::Both => (Fact::Count(of.sort, vec![one, two], 1), of.both(a, b)),
                        _ => (Fact::Two(of.sort, one, two), of.two(a, b)),
                    });
                }
            }
        }
    }
}

/// On which boards entities of a sort pass tests.
struct Passing<'f> {
    sort: SortId,
    tests: &'f [Test],
    /// Of the first entity of the sort on each board, the second, and so on: for each test the boards on which it
    /// passes.
    each: Vec<Vec<FixedBitSet>>,
    /// For each test the boards on which one entity passes it, and those on which two do.
    counted: Vec<[FixedBitSet; MOST_COUNTED]>,
    /// No boards.
    none: FixedBitSet,
}

impl<'f> Passing<'f> {
    fn of(facts: &'f Facts, rows: &[Row], sort: SortId) -> Self {
        let tests = facts.tests[sort.index()].as_slice();
        let none = FixedBitSet::with_capacity(rows.len());
        let mut each: Vec<Vec<FixedBitSet>> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let mut start = facts.alone.len();
            let mut position = 0;
            for of in &row.sorts {
                if *of == sort {
                    if position == each.len() {
                        each.push(vec![none.clone(); tests.len()]);
                    }
                    for (at, on) in each[position].iter_mut().enumerate() {
                        on.set(index, row.get(start + at));
                    }
                    position += 1;
                }
                start += facts.tests[of.index()].len();
            }
        }
        let counted = (0..tests.len()).map(|at| {
            let [mut one, mut two] = [none.clone(), none.clone()];
            for passed in each.iter().map(|entity| &entity[at]) {
                two.union_with(&(&one & passed));
                one.union_with(passed);
            }
            [one, two]
        });
        Self {
            sort,
            tests,
            counted: counted.collect(),
            each,
            none,
        }
    }

    /// Where one entity passes both tests.
    fn both(&self, a: usize, b: usize) -> FixedBitSet {
        let mut on = self.none.clone();
        for entity in &self.each {
            on.union_with(&(&entity[a] & &entity[b]));
        }
        on
    }

    /// Where one entity passes a test and another one a second test.
    fn two(&self, a: usize, b: usize) -> FixedBitSet {
        let ([one, ones], [other, others]) = (&self.counted[a], &self.counted[b]);
        // Not if there is one of either and it is the same.
        let mut on = self.both(a, b);
        on.toggle_range(..);
        on.union_with(ones);
        on.union_with(others);
        on.intersect_with(one);
        on.intersect_with(other);
        on
    }
}

/// A fact without one of its values, in all ways, with the value.
pub fn families_of(fact: &Fact) -> Vec<(Fact, Value)> {
    let mut found = Vec::new();
    match fact {
        Fact::Var(var, values) => {
            if let [value] = values.as_slice() {
                found.push((Fact::Var(*var, Vec::new()), *value));
            }
        }
        Fact::Of(var, test) => {
            found.extend(without(test).map(|(test, value)| (Fact::Of(*var, test), value)));
        }
        Fact::Count(sort, tests, 1) => {
            for (at, test) in tests.iter().enumerate() {
                if let Some((test, value)) = without(test) {
                    let mut tests = tests.clone();
                    tests[at] = test;
                    found.push((Fact::Count(*sort, tests, 1), value));
                }
            }
        }
        Fact::Two(sort, one, other) => {
            let first =
                without(one).map(|(one, value)| (Fact::Two(*sort, one, other.clone()), value));
            let second =
                without(other).map(|(other, value)| (Fact::Two(*sort, one.clone(), other), value));
            found.extend(first.into_iter().chain(second));
        }
        Fact::VarAtMost(..) | Fact::VarLess(..) | Fact::VarEqual(..) | Fact::Count(..) => {}
    }
    found
}

fn without(test: &Test) -> Option<(Test, Value)> {
    match test {
        Test::Value(field, values) => match values.as_slice() {
            [value] => Some((Test::Value(*field, Vec::new()), *value)),
            _ => None,
        },
        Test::Linked(field, test) => {
            let (test, value) = without(test)?;
            Some((Test::Linked(*field, Box::new(test)), value))
        }
        _ => None,
    }
}

/// A fact of a family with some of the values.
pub fn with_values(family: &Fact, values: &[Value]) -> Fact {
    let of_test = |test: &Test| with(test, values);
    match family {
        Fact::Var(var, _) => Fact::Var(*var, values.to_vec()),
        Fact::Of(var, test) => Fact::Of(*var, of_test(test)),
        Fact::Count(sort, tests, least) => {
            Fact::Count(*sort, tests.iter().map(of_test).collect(), *least)
        }
        Fact::Two(sort, one, other) => Fact::Two(*sort, of_test(one), of_test(other)),
        other => other.clone(),
    }
}

fn with(test: &Test, values: &[Value]) -> Test {
    match test {
        Test::Value(field, none) if none.is_empty() => Test::Value(*field, values.to_vec()),
        Test::Linked(field, test) => Test::Linked(*field, Box::new(with(test, values))),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::analysis::{Boards, Options};
    use endstep_language::source::SourceMap;

    const TEXT: &str = "var n: integer, explore 0 to 3\nplayer Player, explore 2\n  gold: integer, explore 0 to 1\n\
        var active: Player\nentity Card, explore 0 to 2\n  red: boolean\n  low: integer, explore 0 to 2\n  \
        high: integer, explore 1 to 2\n  host: optional Card\nzone hand of Card per Player\nzone deck of Card\n";

    #[test]
    fn columns_are_true_of_the_boards_of_which_facts_are() {
        let mut sources = SourceMap::new();
        let id = sources.load("facts", TEXT.as_bytes()).expect("it is text");
        let file = endstep_language::syntax::parse(id, TEXT).file;
        let program = endstep_language::typing::check(&[file])
            .0
            .expect("it is well typed");
        let boards = Boards::new(&program, &[], &Options::default());
        let facts = Facts::new(&program, &boards.sizes);
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        let none = |_: &endstep_semantics::semantics::Data| None;
        let _ = boards.each(&none, &mut |number, board| {
            if number % 41 == 0 {
                rows.push(facts.row(&program, number, board));
                all.push(board.clone());
            }
            ControlFlow::Continue(())
        });
        let columns = Columns::new(&facts, &rows);
        let sizes = (columns.facts.len(), all.len());
        assert!(sizes.0 > 200 && sizes.1 > 200, "{sizes:?}");
        let mut kinds = [0; 3];
        for (fact, on) in &columns.facts {
            for (at, board) in all.iter().enumerate() {
                assert_eq!(on.contains(at), fact.is_true(&program, board), "{fact:?}");
            }
            kinds[0] += usize::from(matches!(fact, Fact::Two(..)));
            kinds[1] += usize::from(matches!(fact, Fact::Count(_, _, 2)));
            kinds[2] += usize::from(matches!(fact, Fact::Of(..)));
        }
        assert!(kinds.iter().all(|count| *count > 0), "{kinds:?}");
    }
}
