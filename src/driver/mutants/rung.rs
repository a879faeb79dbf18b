//! The sizes in which mutants are looked at, the smallest first.
//!
//! The first rung is the worked examples. On the n-th after it a board has at most n of each sort (or as
//! many as it must have), up to the sizes asked for, and for each `verify` up to the sizes for which the
//! original does not need more micro-steps than the terms allow.

use std::collections::BTreeSet;

use super::{Terms, checked, is_complete};
use crate::typing::program::Program;
use crate::verdict::{Results, ScopeOf, fingerprint};

/// Some sizes, and what a check says of the original there.
#[derive(Debug)]
pub(super) struct Rung {
    /// The original, restricted to the sizes.
    pub program: Program,
    /// What a check says of it; only of the examples and of the last one it is known.
    pub results: Results,
    /// Only the worked examples.
    pub examples: bool,
    /// At most so many of each sort.
    pub most: Option<u32>,
}

/// All rungs.
#[derive(Debug)]
pub(super) struct Ladder {
    rungs: Vec<Rung>,
    last: Rung,
    /// Fingerprints of what the original has on the last one.
    prints: BTreeSet<String>,
    partial: bool,
}

/// How many of a sort each exploration takes at most.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Caps {
    verifies: Vec<u32>,
    /// Of sequences that only claims name.
    others: u32,
}

impl Ladder {
    pub(super) fn new(program: &Program, terms: &Terms) -> Self {
        let sized = sized(program, terms);
        let (last, partial) = caps(&sized, terms);
        let top = last.verifies.iter().copied().chain([last.others]).max();
        let top = top.unwrap_or(0);
        let mut rungs = vec![examples(&sized, terms)];
        rungs.extend((1..top).map(|most| {
            // What is as large as it gets was looked at before.
            let cap = |cap: u32| if cap < most { 0 } else { most };
            let caps = Caps {
                verifies: last.verifies.iter().map(|&of| cap(of)).collect(),
                others: cap(last.others),
            };
            Rung {
                program: capped(&sized, &caps),
                results: Results::default(),
                examples: false,
                most: Some(most),
            }
        }));
        let program = capped(&sized, &last);
        let results = checked(&program, terms);
        let found = results.findings.iter();
        let prints = found.map(|one| fingerprint(&program, one)).collect();
        Self {
            rungs,
            last: Rung {
                program,
                results,
                examples: false,
                most: Some(top),
            },
            prints,
            partial,
        }
    }

    /// From the smallest to the last.
    pub(super) fn rungs(&self) -> impl Iterator<Item = &Rung> {
        self.rungs.iter().chain([&self.last])
    }

    /// The largest sizes.
    pub(super) fn last(&self) -> &Rung {
        &self.last
    }

    /// Fingerprints of what the original has there.
    pub(super) fn prints(&self) -> &BTreeSet<String> {
        &self.prints
    }

    /// Whether not all boards that the specification asks for were looked at.
    pub(super) fn is_partial(&self) -> bool {
        self.partial
    }
}

fn examples(program: &Program, terms: &Terms) -> Rung {
    let mut program = program.clone();
    program.verifies.clear();
    program.claims.clear();
    Rung {
        results: checked(&program, terms),
        program,
        examples: true,
        most: None,
    }
}

/// The program with the sizes of the terms, where they are smaller, and without examples.
fn sized(program: &Program, terms: &Terms) -> Program {
    let mut sized = program.clone();
    sized.examples.clear();
    for (id, sort) in sized.sorts.iter_mut() {
        if let Some((_, most)) = terms.sizes.iter().find(|(of, _)| *of == id) {
            sort.explore.1 = sort.explore.1.min(*most).max(sort.explore.0);
        }
    }
    for verify in &mut sized.verifies {
        let of_verify = |id| {
            let mut sizes = verify.sizes.iter();
            sizes.find(|(of, _)| *of == id).map(|(_, most)| *most)
        };
        let all = sized.sorts.iter().map(|(id, sort)| {
            let asked = terms.sizes.iter().find(|(of, _)| *of == id);
            let most = of_verify(id).unwrap_or(sort.explore.1);
            (id, asked.map_or(most, |(_, asked)| most.min(*asked)))
        });
        verify.sizes = all.collect();
    }
    sized
}

fn capped(program: &Program, caps: &Caps) -> Program {
    let mut capped = program.clone();
    for (verify, &cap) in capped.verifies.iter_mut().zip(&caps.verifies) {
        for (id, most) in &mut verify.sizes {
            let sort = &program.sorts[*id];
            let least = sort.document.map_or(0, |(low, _)| low).max(sort.explore.0);
            *most = (*most).min(cap.max(least));
        }
    }
    for (_, sort) in capped.sorts.iter_mut() {
        let least = sort.document.map_or(0, |(low, _)| low).max(sort.explore.0);
        sort.explore.1 = sort.explore.1.min(caps.others.max(least));
    }
    capped
}

/// The largest caps that the steps allow, and whether they leave anything out.
fn caps(program: &Program, terms: &Terms) -> (Caps, bool) {
    let largest = |sizes: &mut dyn Iterator<Item = u32>| sizes.max().unwrap_or(0).max(1);
    let full = Caps {
        verifies: program
            .verifies
            .iter()
            .map(|verify| largest(&mut verify.sizes.iter().map(|(_, most)| *most)))
            .collect(),
        others: largest(&mut program.sorts.values().iter().map(|sort| sort.explore.1)),
    };
    let mut caps = Caps {
        verifies: full.verifies.iter().map(|_| 1).collect(),
        others: 1,
    };
    let mut done: Vec<bool> = vec![false; caps.verifies.len() + 1];
    let mut partial = false;
    while done.contains(&false) {
        let results = checked(&capped(program, &caps), terms);
        let cut = |at: usize| {
            let mut scopes = results.scopes.iter();
            scopes.any(|scope| {
                let verify = match scope.subject {
                    ScopeOf::Verify(verify) => verify,
                    ScopeOf::Sequence(_) => done.len() - 1,
                    ScopeOf::Example(_) => return false,
                };
                verify == at && !is_complete(scope)
            })
        };
        let places = caps.verifies.iter_mut().chain([&mut caps.others]);
        let fulls = full.verifies.iter().chain([&full.others]);
        let mut next = done.clone();
        for (at, (cap, full)) in places.zip(fulls).enumerate().filter(|(at, _)| !done[*at]) {
            let is_cut = cut(at);
            partial |= is_cut;
            next[at] = is_cut || *cap >= *full;
            // What does not even fit with one of each is looked at as far as the steps go.
            *cap = match (is_cut, next[at]) {
                (true, _) => (*cap - 1).max(1),
                (false, true) => *cap,
                (false, false) => *cap + 1,
            };
        }
        done = next;
    }
    (caps, partial)
}
