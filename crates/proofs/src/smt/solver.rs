//! Whether terms can be true together, asked of Z3.
//!
//! One solver answers all questions of a thread, each between a push and a pop, with a limit of
//! resources that does not depend on the machine's speed. A model that Z3 gives is not believed:
//! the terms are evaluated again under it ([`Values`]).

use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, Dynamic, Int};
use z3::{FuncDecl, Params, SatResult, Solver as Z3, Sort};

use super::reply::{Reply, Values};
use super::term::{Node, Symbol, Term, Terms};

/// The version of the Z3 library that was loaded, such as `5.4.0.0`.
pub fn version() -> String {
    z3::full_version().to_owned()
}

/// The solver with its version, such as `Z3 5.4.0.0`.
pub fn solver() -> String {
    format!("Z3 {}", version())
}

/// Something that can be asserted in one question and not in another.
#[derive(Debug)]
pub struct Choice(Bool);

/// A solver.
#[derive(Debug)]
pub struct Solver {
    z3: Z3,
    symbols: FxHashMap<Symbol, FuncDecl>,
    translated: FxHashMap<Term, Dynamic>,
    about: Option<usize>,
    resources: u32,
    /// How many questions may still be asked.
    left: u32,
}

impl Solver {
    /// A solver that stops after so many of Z3's resource units, for each question anew.
    pub fn new(resources: u32) -> Self {
        let z3 = Z3::new();
        let mut params = Params::new();
        params.set_u32("rlimit", resources);
        // A signal is the program's: Z3 would take it for its own, and say that it does not know.
        params.set_bool("ctrl_c", false);
        z3.set_params(&params);
        Self {
            z3,
            symbols: FxHashMap::default(),
            translated: FxHashMap::default(),
            about: None,
            resources,
            left: u32::MAX,
        }
    }

    /// The same, with models that are as different as possible from each other: one that tells what many
    /// candidates do wrong.
    /// After so many questions it gives up.
    pub fn varied(resources: u32, questions: u32) -> Self {
        let mut solver = Self::new(resources);
        solver.left = questions;
        let mut params = Params::new();
        params.set_u32("smt.phase_selection", 5);
        params.set_bool("smt.arith.random_initial_value", true);
        solver.z3.set_params(&params);
        solver
    }

    /// From here on a question may use one such part of the resources.
    pub fn hurry(&mut self, part: u32) {
        let mut params = Params::new();
        params.set_u32("rlimit", (self.resources / part.max(1)).max(1));
        self.z3.set_params(&params);
    }

    /// From here on the terms are those of this number; if they were before, nothing is forgotten.
    pub fn about(&mut self, number: usize) {
        if self.about != Some(number) {
            self.forget();
            self.about = Some(number);
        }
    }

    /// From here on the terms are others.
    pub fn forget(&mut self) {
        self.about = None;
        self.symbols.clear();
        self.translated.clear();
    }

    /// Whether some terms can be true together; all of them since [`Self::forget`] are of one
    /// [`Terms`].
    ///
    /// # Panics
    ///
    /// If Z3's model does not make them true: that is a mistake in the translation, or in Z3.
    pub fn ask(&mut self, terms: &Terms, asserted: &[Term]) -> Reply {
        if !self.may_ask() {
            return Reply::Unknown("no more questions".to_owned());
        }
        self.z3.push();
        for &term in asserted {
            let term = self.translate(terms, term);
            self.z3.assert(truth(&term));
        }
        let reply = match self.z3.check() {
            SatResult::Unsat => Reply::Unsatisfiable,
            SatResult::Unknown => {
                let why = self.z3.get_reason_unknown();
                Reply::Unknown(why.unwrap_or_default())
            }
            SatResult::Sat => self.values(terms, (asserted, asserted)),
        };
        self.z3.pop(1);
        reply
    }

    /// Begins questions that have most of what is asserted in common; it is taken back with
    /// [`Self::end`].
    pub fn begin(&mut self, terms: &Terms, asserted: &[Term]) {
        self.z3.push();
        for &term in asserted {
            let term = self.translate(terms, term);
            self.z3.assert(truth(&term));
        }
    }

    /// Something that is asserted as well, from here on.
    pub fn assert(&mut self, terms: &Terms, term: Term) {
        let term = self.translate(terms, term);
        self.z3.assert(truth(&term));
    }

    /// Something that is asserted in those questions that ask for it.
    pub fn option(&mut self, terms: &Terms, asserted: &[Term]) -> Choice {
        let taken = Bool::fresh_const("option");
        for &term in asserted {
            let term = truth(&self.translate(terms, term));
            self.z3.assert(taken.implies(&term));
        }
        Choice(taken)
    }

    /// Whether what was asserted can be true together with some options; if so, with values for all
    /// that some terms speak of.
    pub fn check(&mut self, terms: &Terms, options: &[&Choice], of: &[Term]) -> Reply {
        if !self.may_ask() {
            return Reply::Unknown("no more questions".to_owned());
        }
        let taken: Vec<Bool> = options.iter().map(|one| one.0.clone()).collect();
        match self.z3.check_assumptions(&taken) {
            SatResult::Unsat => Reply::Unsatisfiable,
            SatResult::Unknown => {
                let why = self.z3.get_reason_unknown();
                Reply::Unknown(why.unwrap_or_default())
            }
            SatResult::Sat => self.values(terms, (of, &[])),
        }
    }

    fn may_ask(&mut self) -> bool {
        let may = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may
    }

    /// Whether so many questions were asked that it gave up.
    pub fn gave_up(&self) -> bool {
        self.left == 0
    }

    /// Takes back what was asserted since [`Self::begin`].
    pub fn end(&mut self) {
        self.z3.pop(1);
    }

    /// The values of what some terms speak of; those asserted have to be true.
    fn values(&mut self, terms: &Terms, (of, asserted): (&[Term], &[Term])) -> Reply {
        for &term in of {
            self.translate(terms, term);
        }
        let Some(model) = self.z3.get_model() else {
            return Reply::Unknown("no model".to_owned());
        };
        let mut values = Values::default();
        for term in terms.inside(of) {
            let Node::Apply(symbol, args) = terms.node(term) else {
                continue;
            };
            let number = |term: &Term| {
                let value = model.eval(&number(&self.translated[term]), true)?;
                value.as_i64().map(i128::from)
            };
            let args: Option<Vec<i128>> = args.iter().map(number).collect();
            let (Some(args), Some(value)) = (args, number(&term)) else {
                return Reply::Unknown("a model with numbers beyond 64 bits".to_owned());
            };
            let before = values.insert(*symbol, args, value);
            assert!(
                before.is_none_or(|before| before == value),
                "Z3 gives two values to one application of {}",
                terms.symbol(*symbol).0
            );
        }
        for &term in asserted {
            let value = values.evaluate(terms, term);
            assert!(
                value == Some(1) || value.is_none(),
                "Z3's model does not make a term true that it was asked about"
            );
        }
        Reply::Satisfiable(values)
    }

    fn translate(&mut self, terms: &Terms, term: Term) -> Dynamic {
        for term in terms.inside(&[term]) {
            if !self.translated.contains_key(&term) {
                let made = self.one(terms, term);
                self.translated.insert(term, made);
            }
        }
        self.translated[&term].clone()
    }

    /// A term of which the parts are translated.
    fn one(&mut self, terms: &Terms, term: Term) -> Dynamic {
        if let Node::Apply(symbol, args) = terms.node(term) {
            let args: Vec<Int> = args.iter().map(|a| number(&self.translated[a])).collect();
            let args: Vec<&dyn Ast> = args.iter().map(|a| a as &dyn Ast).collect();
            return self.function(terms, *symbol).apply(&args);
        }
        let number = |term: &Term| number(&self.translated[term]);
        let truth = |term: &Term| truth(&self.translated[term]);
        match terms.node(term) {
            Node::Truth(value) => Bool::from_bool(*value).into(),
            Node::Number(value) => Int::from_i64(*value).into(),
            Node::Not(a) => truth(a).not().into(),
            Node::And(all) => Bool::and(&all.iter().map(truth).collect::<Vec<_>>()).into(),
            Node::Equal(a, b) => number(a).eq(number(b)).into(),
            Node::AtMost(a, b) => number(a).le(number(b)).into(),
            Node::Add(all) => Int::add(&all.iter().map(number).collect::<Vec<_>>()).into(),
            Node::Times(factor, a) => Int::mul(&[Int::from_i64(*factor), number(a)]).into(),
            Node::Product(a, b) => Int::mul(&[number(a), number(b)]).into(),
            Node::Quotient(a, by) => number(a).div(Int::from_i64(*by)).into(),
            Node::If(a, b, c) => truth(a).ite(&number(b), &number(c)).into(),
            Node::Apply(..) => unreachable!("applications are translated above"),
        }
    }

    fn function(&mut self, terms: &Terms, symbol: Symbol) -> &FuncDecl {
        self.symbols.entry(symbol).or_insert_with(|| {
            let (name, arity) = terms.symbol(symbol);
            let int = Sort::int();
            FuncDecl::new(name, &vec![&int; arity], &int)
        })
    }
}

fn number(term: &Dynamic) -> Int {
    term.as_int().expect("a number")
}

fn truth(term: &Dynamic) -> Bool {
    term.as_bool().expect("a truth value")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_true_is_told_with_values() {
        let mut t = Terms::new();
        let f = t.declare("f", 1);
        let (x, y) = (t.constant("x"), t.constant("y"));
        let (fx, fy) = (t.apply(f, &[x]), t.apply(f, &[y]));
        let same = t.equal(x, y);
        let less = t.less(fx, fy);
        let mut solver = Solver::new(1_000_000);
        assert_eq!(solver.ask(&t, &[same, less]), Reply::Unsatisfiable);
        let Reply::Satisfiable(values) = solver.ask(&t, &[less]) else {
            panic!("f(x) < f(y) is possible");
        };
        assert_eq!(values.evaluate(&t, less), Some(1));
        assert_eq!(values.evaluate(&t, same), Some(0));
    }

    #[test]
    fn resources_are_limited() {
        // Pigeons in one hole fewer.
        let mut t = Terms::new();
        let (low, high) = (t.number(1), t.number(11));
        let pigeons: Vec<Term> = (0..12).map(|at| t.constant(&format!("p{at}"))).collect();
        let mut asserted = Vec::new();
        for (at, &one) in pigeons.iter().enumerate() {
            asserted.push(t.at_most(low, one));
            asserted.push(t.at_most(one, high));
            for &other in &pigeons[at + 1..] {
                let same = t.equal(one, other);
                asserted.push(t.not(same));
            }
        }
        let reply = Solver::new(2000).ask(&t, &asserted);
        assert!(matches!(reply, Reply::Unknown(_)), "{reply:?}");
    }

    #[test]
    fn the_loaded_library_is_as_new_as_the_bindings_need() {
        let version = super::version();
        let numbers = version.split('.');
        let found: Vec<u32> = numbers.map_while(|part| part.parse().ok()).collect();
        assert!(
            found >= vec![5, 3, 2],
            "found {version}, expected 5.3.2 or newer"
        );
    }
}
