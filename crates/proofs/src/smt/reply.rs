//! What a solver says of a question, and the values of terms under it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::term::{Node, Symbol, Term, Terms};

/// What is known of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// They can, with these values.
    Satisfiable(Values),
    /// They cannot.
    Unsatisfiable,
    /// The resources were used up, or the solver gave up; with what it says.
    Unknown(String),
}

/// Numbers for applied symbols.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Values {
    of: BTreeMap<(Symbol, Vec<i128>), i128>,
}

impl Values {
    /// Gives an applied symbol a value; what it had is returned.
    pub fn insert(&mut self, symbol: Symbol, args: Vec<i128>, value: i128) -> Option<i128> {
        self.of.insert((symbol, args), value)
    }

    /// The value of a term, truth values as 0 and 1; none if it leaves 128 bits or speaks of what has
    /// no value.
    pub fn evaluate(&self, terms: &Terms, term: Term) -> Option<i128> {
        let mut known: FxHashMap<Term, i128> = FxHashMap::default();
        for term in terms.inside(&[term]) {
            let of = |term: &Term| known[term];
            let value = match terms.node(term) {
                Node::Truth(value) => i128::from(*value),
                Node::Number(value) => i128::from(*value),
                Node::Apply(symbol, args) => {
                    let args: Vec<i128> = args.iter().map(of).collect();
                    *self.of.get(&(*symbol, args))?
                }
                Node::Not(a) => 1 - of(a),
                Node::And(all) => i128::from(all.iter().all(|a| of(a) == 1)),
                Node::Equal(a, b) => i128::from(of(a) == of(b)),
                Node::AtMost(a, b) => i128::from(of(a) <= of(b)),
                Node::Add(all) => {
                    let mut sum = 0i128;
                    for a in all {
                        sum = sum.checked_add(of(a))?;
                    }
                    sum
                }
                Node::Times(factor, a) => i128::from(*factor).checked_mul(of(a))?,
                Node::Product(a, b) => of(a).checked_mul(of(b))?,
                Node::Quotient(a, by) => of(a).div_euclid(i128::from(*by)),
                Node::If(a, b, c) => match of(a) {
                    1 => of(b),
                    _ => of(c),
                },
            };
            known.insert(term, value);
        }
        known.get(&term).copied()
    }
}
