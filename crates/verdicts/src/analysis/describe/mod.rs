//! Describes all boards on which a finding occurs by what can be seen on them.
//!
//! Every legal board of a scope becomes a row of facts ([`facts`]); the rows of all boards become columns,
//! one for each fact ([`rows`]); and a short formula is looked for that is true of the boards on which the
//! finding occurs and of no others ([`learn`]).
//!
//! ```text
//! boards              1   2   3   4          occurs on 2 and 4
//! health 0 (some)     .   x   .   x          exactly where some Card has health 0
//! two Cards           .   .   x   x
//! ```
//!
//! Beside it stands what tells the boards from others, in whatever words ([`digest`]).
//!
//! *Guarantees.* A description is true of the boards that were looked at; nothing is said of others.

mod digest;
mod facts;
mod learn;
mod rows;

use std::collections::HashMap;

use fixedbitset::FixedBitSet;

use crate::verdict::Occurs;
use digest::Digester;
use endstep_language::typing::program::{Concern, Program, SortId};
use endstep_semantics::semantics::Data;
use facts::Facts;
use rows::{Columns, Row};

/// Takes down boards, to describe some of them later.
#[derive(Debug)]
pub struct Describer {
    facts: Facts,
    rows: Vec<Row>,
    digester: Digester,
    /// Of each board what tells it from others.
    digests: Vec<u64>,
    columns: Option<(Columns, Vec<learn::Choice>)>,
    /// What was said already, by the boards.
    known: HashMap<Vec<u64>, Option<Described>>,
}

/// What is said of some boards.
#[derive(Debug, Clone)]
pub struct Described {
    /// Which they are.
    pub occurs: Occurs,
    /// What tells them from other boards.
    pub digest: u64,
}

impl Describer {
    /// For boards with these numbers of entities, told apart by nothing of `alone`.
    pub fn new(program: &Program, sizes: &[(SortId, u32, u32)], alone: &Concern) -> Self {
        Self {
            facts: Facts::new(program, sizes),
            rows: Vec::new(),
            digester: Digester::new(program, alone),
            digests: Vec::new(),
            columns: None,
            known: HashMap::new(),
        }
    }

    /// Takes down a legal board. Numbers ascend.
    pub fn take_down(&mut self, program: &Program, number: u64, board: &Data) {
        self.rows.push(self.facts.row(program, number, board));
        self.digests.push(self.digester.of(board));
    }

    /// Describes the boards with these numbers, in ascending order: those on which something was seen, as against all
    /// others that were taken down, given up or not. `None`: some of them are not known.
    pub fn describe(&mut self, numbers: &[u64]) -> Option<Described> {
        if let Some(known) = self.known.get(numbers) {
            return known.clone();
        }
        let found = self.look(numbers);
        self.known.insert(numbers.to_vec(), found.clone());
        found
    }

    fn look(&mut self, numbers: &[u64]) -> Option<Described> {
        let (columns, choices) = self.columns.get_or_insert_with(|| {
            let columns = Columns::new(&self.facts, &self.rows);
            let choices = learn::choices(&columns);
            (columns, choices)
        });
        let none = FixedBitSet::with_capacity(self.rows.len());
        let mut boards = learn::Boards {
            yes: none.clone(),
            no: none,
        };
        for number in numbers {
            let at = self.rows.binary_search_by_key(number, |row| row.number);
            boards.yes.insert(at.ok()?);
        }
        boards.no.insert_range(..);
        boards.no.difference_with(&boards.yes);
        let digests = boards.yes.ones().map(|at| self.digests[at]);
        Some(Described {
            occurs: learn::describe(columns, choices, &boards),
            digest: digest::of_set(digests),
        })
    }
}
