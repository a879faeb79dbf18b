//! Terms over truth values and whole numbers, each made once.
//!
//! ```text
//! x = 3 and f(x) <= f(3) + 1
//! ```
//!
//! Making a term simplifies it: constants are computed, what contradicts itself in one conjunction
//! is false, and a choice between equal things is that thing. Two terms are equal if they have the
//! same number.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// A term of a [`Terms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);

impl Term {
    /// Its number: the how manieth it was to be made.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function or constant without a meaning of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

/// What a term is made of. Numbers are whole numbers of any size; the sort of a term is that of its
/// form, and symbols take numbers and give one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// `true` or `false`.
    Truth(bool),
    /// A number.
    Number(i64),
    /// A symbol applied to numbers.
    Apply(Symbol, Box<[Term]>),
    /// Whether not.
    Not(Term),
    /// Whether all.
    And(Box<[Term]>),
    /// Whether one of two numbers is the other.
    Equal(Term, Term),
    /// Whether one number is at most another.
    AtMost(Term, Term),
    /// The sum.
    Add(Box<[Term]>),
    /// So many times.
    Times(i64, Term),
    /// The product.
    Product(Term, Term),
    /// The quotient by a positive number, rounded down.
    Quotient(Term, i64),
    /// The second if the first, else the third; both are numbers.
    If(Term, Term, Term),
}

/// Terms and symbols.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    made: FxHashMap<Node, Term>,
    symbols: Vec<(String, usize)>,
    named: FxHashMap<String, Symbol>,
}

impl Terms {
    /// No terms.
    pub fn new() -> Self {
        Self::default()
    }

    /// What a term is made of.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    /// The name of a symbol, and how many numbers it takes.
    pub fn symbol(&self, symbol: Symbol) -> (&str, usize) {
        let (name, arity) = &self.symbols[symbol.0 as usize];
        (name, *arity)
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn make(&mut self, node: Node) -> Term {
        if let Some(&term) = self.made.get(&node) {
            return term;
        }
        let number = u32::try_from(self.nodes.len()).expect("fewer than u32::MAX terms");
        self.nodes.push(node.clone());
        self.made.insert(node, Term(number));
        Term(number)
    }

    /// The symbol with a name.
    ///
    /// # Panics
    ///
    /// If there is one of this name that takes another number of arguments.
    pub fn declare(&mut self, name: &str, arity: usize) -> Symbol {
        if let Some(&symbol) = self.named.get(name) {
            assert_eq!(self.symbols[symbol.0 as usize].1, arity, "{name}");
            return symbol;
        }
        let number = u32::try_from(self.symbols.len()).expect("fewer than u32::MAX symbols");
        self.symbols.push((name.to_owned(), arity));
        self.named.insert(name.to_owned(), Symbol(number));
        Symbol(number)
    }

    /// A symbol applied.
    pub fn apply(&mut self, symbol: Symbol, args: &[Term]) -> Term {
        debug_assert_eq!(self.symbols[symbol.0 as usize].1, args.len());
        self.make(Node::Apply(symbol, args.into()))
    }

    /// The constant with a name.
    pub fn constant(&mut self, name: &str) -> Term {
        let symbol = self.declare(name, 0);
        self.apply(symbol, &[])
    }

    /// `true` or `false`.
    pub fn truth(&mut self, value: bool) -> Term {
        self.make(Node::Truth(value))
    }

    /// A number.
    pub fn number(&mut self, value: i64) -> Term {
        self.make(Node::Number(value))
    }

    /// Whether a term is `true` or `false`, if it is one of them.
    pub fn is_truth(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Truth(value) => Some(*value),
            _ => None,
        }
    }

    /// Which number a term is, if it is one.
    pub fn is_number(&self, term: Term) -> Option<i64> {
        match self.node(term) {
            Node::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether not.
    pub fn not(&mut self, term: Term) -> Term {
        match *self.node(term) {
            Node::Truth(value) => self.truth(!value),
            Node::Not(inner) => inner,
            _ => self.make(Node::Not(term)),
        }
    }

    /// Whether all.
    pub fn and(&mut self, terms: &[Term]) -> Term {
        let mut parts = Vec::new();
        for &term in terms {
            match self.node(term) {
                Node::Truth(true) => {}
                Node::Truth(false) => return self.truth(false),
                Node::And(inner) => parts.extend_from_slice(inner),
                _ => parts.push(term),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let contradicts = |&&term: &&Term| match self.node(term) {
            Node::Not(inner) => parts.binary_search(inner).is_ok(),
            _ => false,
        };
        if parts.iter().find(contradicts).is_some() {
            return self.truth(false);
        }
        match parts.as_slice() {
            [] => self.truth(true),
            [one] => *one,
            _ => self.make(Node::And(parts.into())),
        }
    }

    /// Whether one at least.
    pub fn or(&mut self, terms: &[Term]) -> Term {
        let none: Vec<Term> = terms.iter().map(|&term| self.not(term)).collect();
        let none = self.and(&none);
        self.not(none)
    }

    /// Whether the second, if the first.
    pub fn implies(&mut self, condition: Term, then: Term) -> Term {
        let not = self.not(condition);
        self.or(&[not, then])
    }

    /// Whether two numbers are equal.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.truth(true);
        }
        if let (Some(a), Some(b)) = (self.is_number(a), self.is_number(b)) {
            return self.truth(a == b);
        }
        // `(if c then 1 else 0) = 1` is `c`.
        for (one, other) in [(a, b), (b, a)] {
            if let (Node::If(c, x, y), Some(_)) = (self.node(one).clone(), self.is_number(other))
                && let (Some(x), Some(y)) = (self.is_number(x), self.is_number(y))
            {
                let value = self.is_number(other);
                return match (Some(x) == value, Some(y) == value) {
                    (true, true) => self.truth(true),
                    (true, false) => c,
                    (false, true) => self.not(c),
                    (false, false) => self.truth(false),
                };
            }
        }
        self.make(Node::Equal(a.min(b), a.max(b)))
    }

    /// Whether one number is at most another.
    pub fn at_most(&mut self, a: Term, b: Term) -> Term {
        match (self.is_number(a), self.is_number(b)) {
            (Some(a), Some(b)) => self.truth(a <= b),
            _ if a == b => self.truth(true),
            _ => self.make(Node::AtMost(a, b)),
        }
    }

    /// Whether one number is less than another.
    pub fn less(&mut self, a: Term, b: Term) -> Term {
        let not = self.at_most(b, a);
        self.not(not)
    }

    /// The sum. Sums of constants that leave 64 bits are left as they are.
    pub fn add(&mut self, terms: &[Term]) -> Term {
        // How many times what is added; one that leaves 64 bits is left as it is.
        let mut shares: BTreeMap<Term, i64> = BTreeMap::new();
        let mut parts = Vec::new();
        let mut todo: Vec<Term> = terms.iter().rev().copied().collect();
        let mut constant = 0i64;
        while let Some(term) = todo.pop() {
            let (factor, of) = match self.node(term) {
                Node::Add(inner) => {
                    todo.extend(inner.iter().rev());
                    continue;
                }
                Node::Number(value) => match constant.checked_add(*value) {
                    Some(sum) => {
                        constant = sum;
                        continue;
                    }
                    None => (1, term),
                },
                Node::Times(factor, of) => (*factor, *of),
                _ => (1, term),
            };
            let share = shares.entry(of).or_default();
            match share.checked_add(factor) {
                Some(sum) => *share = sum,
                None => parts.push(term),
            }
        }
        for (of, factor) in shares {
            if factor != 0 {
                parts.push(self.times(factor, of));
            }
        }
        parts.sort_unstable();
        if constant != 0 || parts.is_empty() {
            parts.push(self.number(constant));
        }
        match parts.as_slice() {
            [one] => *one,
            _ => self.make(Node::Add(parts.into())),
        }
    }

    /// So many times.
    pub fn times(&mut self, factor: i64, term: Term) -> Term {
        match (factor, self.node(term).clone()) {
            (0, _) => self.number(0),
            (1, _) => term,
            (_, Node::Number(value)) if factor.checked_mul(value).is_some() => {
                self.number(factor * value)
            }
            (_, Node::Times(inner, of)) if factor.checked_mul(inner).is_some() => {
                self.times(factor * inner, of)
            }
            _ => self.make(Node::Times(factor, term)),
        }
    }

    /// The difference.
    pub fn subtract(&mut self, a: Term, b: Term) -> Term {
        let less = self.times(-1, b);
        self.add(&[a, less])
    }

    /// The product.
    pub fn product(&mut self, a: Term, b: Term) -> Term {
        match (self.is_number(a), self.is_number(b)) {
            (Some(factor), _) => self.times(factor, b),
            (_, Some(factor)) => self.times(factor, a),
            _ => self.make(Node::Product(a.min(b), a.max(b))),
        }
    }

    /// The half, rounded down.
    pub fn half(&mut self, term: Term) -> Term {
        self.quotient(term, 2)
    }

    /// The quotient by a positive number, rounded down.
    pub fn quotient(&mut self, term: Term, by: i64) -> Term {
        debug_assert!(by > 0, "{by} is not positive");
        match self.is_number(term) {
            _ if by == 1 => term,
            Some(value) => self.number(value.div_euclid(by)),
            None => self.make(Node::Quotient(term, by)),
        }
    }

    /// One number or the other.
    pub fn choose(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        match self.is_truth(condition) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None if then == otherwise => return then,
            None => {}
        }
        match *self.node(condition) {
            Node::Not(inner) => self.choose(inner, otherwise, then),
            _ => self.make(Node::If(condition, then, otherwise)),
        }
    }

    /// 1 if it is so, else 0.
    pub fn bit(&mut self, condition: Term) -> Term {
        let (one, zero) = (self.number(1), self.number(0));
        self.choose(condition, one, zero)
    }

    /// Whether a number is 1.
    pub fn is_one(&mut self, bit: Term) -> Term {
        let one = self.number(1);
        self.equal(bit, one)
    }

    /// The terms directly inside.
    pub fn children(&self, term: Term) -> Vec<Term> {
        match self.node(term) {
            Node::Truth(_) | Node::Number(_) => Vec::new(),
            Node::Apply(_, list) | Node::And(list) | Node::Add(list) => list.to_vec(),
            Node::Not(a) | Node::Times(_, a) | Node::Quotient(a, _) => vec![*a],
            Node::Equal(a, b) | Node::AtMost(a, b) | Node::Product(a, b) => vec![*a, *b],
            Node::If(a, b, c) => vec![*a, *b, *c],
        }
    }

    /// Terms and all that they are made of, what is inside before what is around it.
    pub fn inside(&self, roots: &[Term]) -> Vec<Term> {
        let mut found = rustc_hash::FxHashSet::default();
        let mut todo = roots.to_vec();
        while let Some(term) = todo.pop() {
            if found.insert(term) {
                todo.extend(self.children(term));
            }
        }
        let mut found: Vec<Term> = found.into_iter().collect();
        // A term is made after what is inside of it.
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_made_once_and_simplified() {
        let mut t = Terms::new();
        let (x, y) = (t.constant("x"), t.constant("y"));
        let one = t.equal(x, y);
        assert_eq!(t.equal(y, x), one);
        let not = t.not(one);
        assert_eq!(t.and(&[one, not]), t.truth(false));
        assert_eq!(t.or(&[one, not]), t.truth(true));
        let bit = t.bit(one);
        assert_eq!(t.is_one(bit), one);
        let sum = t.add(&[x, y]);
        assert_eq!(t.subtract(sum, y), x);
        let minus = t.number(-3);
        assert_eq!(t.half(minus), t.number(-2));
    }
}
