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
const MOST_COUNTED: u32 = 2;

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
        for tier in [Tier::One, Tier::Both, Tier::Two] {
            maker.of_entities(facts, tier);
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

    fn of_entities(&mut self, facts: &Facts, tier: Tier) {
        for (sort, tests) in facts.tests.iter().enumerate() {
            let sort = SortId::from_index(sort);
            let n = tests.len();
            let many = match tier {
                Tier::One => n * MOST_COUNTED as usize,
                Tier::Both | Tier::Two => n * n.saturating_sub(1) / 2,
            };
            if !self.room(many) {
                continue;
            }
            let first = self.raw.len();
            match tier {
                Tier::One => {
                    for test in tests {
                        for least in 1..=MOST_COUNTED {
                            self.add(Fact::Count(sort, vec![test.clone()], least));
                        }
                    }
                }
                Tier::Both | Tier::Two => {
                    for (a, one) in tests.iter().enumerate() {
                        for two in &tests[a + 1..] {
                            let (one, two) = (one.clone(), two.clone());
                            self.add(match tier {
                                Tier::Both => Fact::Count(sort, vec![one, two], 1),
                                _ => Fact::Two(sort, one, two),
                            });
                        }
                    }
                }
            }
            let rows = self.rows;
            for (index, row) in rows.iter().enumerate() {
                let counts = Counts::of(facts, row, sort);
                self.fill(index, (first, tier), &counts);
            }
        }
    }

    fn fill(&mut self, row: usize, (first, tier): (usize, Tier), counts: &Counts) {
        let n = counts.one.len();
        let mut column = first;
        for a in 0..n {
            if tier == Tier::One {
                for least in 1..=MOST_COUNTED {
                    self.raw[column].1.set(row, counts.one[a] >= least);
                    column += 1;
                }
                continue;
            }
            for b in a + 1..n {
                let both = counts.both[a * n + b];
                let is_true = match tier {
                    Tier::Both => both > 0,
                    // More pairs than those of one entity with itself.
                    _ => counts.one[a] * counts.one[b] > both,
                };
                self.raw[column].1.set(row, is_true);
                column += 1;
            }
        }
    }
}

/// How many entities of a board pass one test, and two.
struct Counts {
    one: Vec<u32>,
    both: Vec<u32>,
}

impl Counts {
    fn of(facts: &Facts, row: &Row, sort: SortId) -> Self {
        let n = facts.tests[sort.index()].len();
        let mut counts = Self {
            one: vec![0; n],
            both: vec![0; n * n],
        };
        let mut start = facts.alone.len();
        let mut passed = Vec::new();
        for of in &row.sorts {
            if *of == sort {
                passed.clear();
                passed.extend((0..n).filter(|at| row.get(start + at)));
                for (index, &a) in passed.iter().enumerate() {
                    counts.one[a] += 1;
                    for &b in &passed[index + 1..] {
                        counts.both[a * n + b] += 1;
                    }
                }
            }
            start += facts.tests[of.index()].len();
        }
        counts
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
