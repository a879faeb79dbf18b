//! A question as a text that any solver reads (SMT-LIB 2.6).
//!
//! ```text
//! (set-logic QF_UFLIA)
//! (declare-fun health (Int) Int)
//! (assert (not (= (health 1) (health 2))))
//! (check-sat)
//! ```
//!
//! *Source.* C. Barrett, P. Fontaine, C. Tinelli, *The SMT-LIB Standard: Version 2.6* (2017).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::term::{Node, Symbol, Term, Terms};

/// Whether some of the terms can be true together, as a script; `comment` stands on top, a line each.
pub fn script(terms: &Terms, asserted: &[Term], comment: &str, expected: &str) -> String {
    let inside = terms.inside(asserted);
    let mut used = BTreeMap::new();
    let mut uses: BTreeMap<Term, u32> = BTreeMap::new();
    let mut product = false;
    for &term in &inside {
        if let Node::Apply(symbol, args) = terms.node(term) {
            used.insert(*symbol, args.len());
        }
        product |= matches!(terms.node(term), Node::Product(..));
        for child in terms.children(term) {
            *uses.entry(child).or_default() += 1;
        }
    }
    let mut out = String::new();
    for line in comment.lines() {
        let _ = writeln!(out, "; {line}");
    }
    let logic = if product { "QF_UFNIA" } else { "QF_UFLIA" };
    let _ = writeln!(
        out,
        "(set-info :smt-lib-version 2.6)\n(set-info :status {expected})"
    );
    let _ = writeln!(out, "(set-logic {logic})");
    for (&symbol, &arity) in &used {
        let args = vec!["Int"; arity].join(" ");
        let _ = writeln!(out, "(declare-fun {} ({args}) Int)", name(terms, symbol));
    }
    // What is used more than once has a name, so that the text stays as small as the terms are.
    let mut named: BTreeMap<Term, String> = BTreeMap::new();
    for &term in &inside {
        let shared = uses.get(&term).is_some_and(|&uses| uses > 1);
        if shared && !terms.children(term).is_empty() {
            let sort = match is_truth(terms.node(term)) {
                true => "Bool",
                false => "Int",
            };
            let text = text(terms, &named, term);
            let name = format!("t{}", named.len());
            let _ = writeln!(out, "(define-fun {name} () {sort} {text})");
            named.insert(term, name);
        }
    }
    for &term in asserted {
        let _ = writeln!(out, "(assert {})", inner(terms, &named, term));
    }
    out.push_str("(check-sat)\n");
    out
}

fn is_truth(node: &Node) -> bool {
    matches!(
        node,
        Node::Truth(_) | Node::Not(_) | Node::And(_) | Node::Equal(..) | Node::AtMost(..)
    )
}

fn name(terms: &Terms, symbol: Symbol) -> String {
    let (name, _) = terms.symbol(symbol);
    format!("|{}|", name.replace(['|', '\\'], "/"))
}

fn inner(terms: &Terms, named: &BTreeMap<Term, String>, term: Term) -> String {
    match named.get(&term) {
        Some(name) => name.clone(),
        None => text(terms, named, term),
    }
}

fn text(terms: &Terms, named: &BTreeMap<Term, String>, term: Term) -> String {
    let inner = |&term: &Term| inner(terms, named, term);
    let list = |word: &str, all: &[Term]| {
        let all: Vec<String> = all.iter().map(inner).collect();
        format!("({word} {})", all.join(" "))
    };
    match terms.node(term) {
        Node::Truth(value) => value.to_string(),
        Node::Number(value) => number(*value),
        Node::Apply(symbol, args) if args.is_empty() => name(terms, *symbol),
        Node::Apply(symbol, args) => list(&name(terms, *symbol), args),
        Node::Not(a) => list("not", &[*a]),
        Node::And(all) => list("and", all),
        Node::Equal(a, b) => list("=", &[*a, *b]),
        Node::AtMost(a, b) => list("<=", &[*a, *b]),
        Node::Add(all) => list("+", all),
        Node::Times(factor, a) => format!("(* {} {})", number(*factor), inner(a)),
        Node::Product(a, b) => list("*", &[*a, *b]),
        Node::Quotient(a, by) => format!("(div {} {by})", inner(a)),
        Node::If(a, b, c) => list("ite", &[*a, *b, *c]),
    }
}

fn number(value: i64) -> String {
    match value {
        0.. => value.to_string(),
        _ => format!("(- {})", value.unsigned_abs()),
    }
}
