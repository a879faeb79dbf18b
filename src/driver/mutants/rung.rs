//! The sizes in which mutants are looked at, the smallest first.
//!
//! The first rung is the worked examples. On those after it a board has at most one of each sort (or as
//! many as it must have), two, four, and so on, up to the sizes asked for, and for each `verify` up to the
//! sizes for which the original does not need more micro-steps than the terms allow.

use std::collections::BTreeSet;

use super::terms::{Terms, checked, is_complete};
use endstep_language::typing::program::{Program, SequenceId, SortId, Verify};
use endstep_verdicts::verdict::{Results, ScopeOf, fingerprint};

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
    /// The largest sizes, one sequence at a time, the least work first; without the one that is most work.
    single: Vec<Rung>,
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
        let mut rungs = vec![examples(program, terms)];
        let doubled = std::iter::successors(Some(1_u32), |most| most.checked_mul(2));
        let mut before = 0;
        rungs.extend(doubled.take_while(|most| *most < top).map(|most| {
            // What is as large as it gets was looked at before.
            let cap = |cap: u32| if cap <= before { 0 } else { cap.min(most) };
            let caps = Caps {
                verifies: last.verifies.iter().map(|&of| cap(of)).collect(),
                others: cap(last.others),
            };
            before = most;
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
            single: single(&program, terms),
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

    /// From the smallest to the last but one.
    pub(super) fn rungs(&self) -> &[Rung] {
        &self.rungs
    }

    /// The largest sizes, one sequence at a time.
    pub(super) fn single(&self) -> &[Rung] {
        &self.single
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

fn single(program: &Program, terms: &Terms) -> Vec<Rung> {
    let sequences: BTreeSet<SequenceId> = program.verifies.iter().map(|one| one.sequence).collect();
    let rungs = sequences.into_iter().map(|sequence| {
        let mut program = program.clone();
        program.verifies.retain(|one| one.sequence == sequence);
        program.claims.retain(|one| one.kind.sequence() == sequence);
        Rung {
            results: checked(&program, terms),
            program,
            examples: false,
            most: None,
        }
    });
    let mut rungs: Vec<Rung> = rungs.collect();
    let work = |rung: &Rung| rung.results.scopes.iter().map(|one| one.steps).sum::<u64>();
    rungs.sort_by_key(work);
    // Everything is looked at together in the end.
    rungs.pop();
    rungs
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

/// The program with boards as small as that; what may have none of any sort is not looked at.
fn capped(program: &Program, caps: &Caps) -> Program {
    let mut capped = program.clone();
    let both = capped.verifies.drain(..).zip(&caps.verifies);
    let kept: Vec<_> = both
        .filter(|(_, cap)| **cap > 0)
        .map(|(mut verify, &cap)| {
            for (id, most) in &mut verify.sizes {
                *most = (*most).min(cap.max(least(program, *id)));
            }
            verify
        })
        .collect();
    let is_verified = |verifies: &[Verify], sequence| {
        let mut all = verifies.iter();
        all.any(|verify| verify.sequence == sequence)
    };
    capped.claims.retain(|claim| {
        let sequence = claim.kind.sequence();
        let before = is_verified(&program.verifies, sequence);
        is_verified(&kept, sequence) || (!before && caps.others > 0)
    });
    capped.verifies = kept;
    for (id, sort) in capped.sorts.iter_mut() {
        sort.explore.1 = sort.explore.1.min(caps.others.max(least(program, id)));
    }
    capped
}

/// How many of a sort every board has.
fn least(program: &Program, id: SortId) -> u32 {
    let sort = &program.sorts[id];
    sort.document.map_or(0, |(low, _)| low).max(sort.explore.0)
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
                    // No size is asked of it.
                    ScopeOf::Example(_) | ScopeOf::On(..) => return false,
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
