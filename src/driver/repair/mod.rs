//! The smallest change of a specification after which something that matters does not matter any
//! more, found by making changes and checking again.
//!
//! Tried are, for what a finding is about, the smallest first: one of two steps always before the
//! other, as they stand before the other way round; an iteration, the listeners of an event or the places
//! of a sequence as they lie, from left to right; the whole list in the order written; one alternative of
//! a reading; one step done once more at the end. Each is tried on the board of the finding first, where
//! most do not help:
//!
//! ```text
//! draw before discard     on the board of the witness: still there
//! discard before draw     on the board of the witness: gone      on all 412 boards: gone, nothing new
//! ```
//!
//! *Guarantees.* A change is suggested only if a check with it, of the same sequence in the same sizes, no
//! longer has the finding, has no warning or error that was not there before, and meets no limit; and if a check of
//! all that the specification asks (its other sequences, claims and examples) does not have the finding nor any new warning
//! or error, and meets no limit where the finding was. It is true of the boards explored. It is the first that does; of the
//! alternatives of a reading the one that leaves the fewest findings.
//!
//! *Limits.* Changes are made one at a time, and to choices that somebody makes on purpose only if the
//! document claims that they make no difference. No new check of a sequence begins that would take the
//! micro-steps of all checks beyond [`MOST_STEPS`], if it took as many as the one before the change did;
//! those that were least work come first, and how many changes were not tried is said.

mod change;
mod trial;

use std::collections::{BTreeMap, BTreeSet};

use crate::driver::Engine;
use change::changes;
use endstep_language::typing::program::Program;
use endstep_semantics::witness::Witness;
use endstep_verdicts::analysis::{Options, Progress};
use endstep_verdicts::verdict::{Change, Detail, Finding, Repair, Results, ScopeOf};
use trial::{Checked, Recheck, fault};

/// So many micro-steps may be spent on new checks.
const MOST_STEPS: u64 = 200_000_000;

/// A scope, and the claim if only that is looked at.
type Subject = (usize, Option<usize>);

/// Fills in a repair for each finding that one was found for, and how many were not tried.
pub(super) fn repairs(
    program: &Program,
    (options, engine): (&Options, Engine),
    whole: &mut Results,
    progress: &mut dyn FnMut(&Progress),
) {
    (whole.repairs, whole.untried) =
        within(MOST_STEPS, (program, options, engine), &*whole, progress);
}

/// Repairs of findings, and how many changes were not tried of others; by position.
type Repairs = (Vec<(usize, Repair)>, Vec<(usize, usize)>);

/// What can be found within so many micro-steps.
fn within(
    most: u64,
    (program, options, engine): (&Program, &Options, Engine),
    results: &Results,
    progress: &mut dyn FnMut(&Progress),
) -> Repairs {
    let mut search = Search {
        results,
        most,
        spent: 0,
        tried: Vec::new(),
        before: BTreeMap::new(),
        all: Vec::new(),
    };
    let scoped = results.findings.iter().enumerate();
    let mut scoped: Vec<(u64, usize, Subject)> = scoped
        .filter_map(|(at, finding)| {
            let scope = finding.scope?;
            let explored = results.scopes.get(scope)?;
            let claim = match finding.detail {
                Detail::Claim(claim, _) => Some(claim),
                _ => None,
            };
            let is_verify = matches!(explored.subject, ScopeOf::Verify(_));
            let is_checkable = explored.limitations.is_empty() && (is_verify || claim.is_some());
            is_checkable.then_some((explored.steps, at, (scope, claim)))
        })
        .collect();
    scoped.sort_unstable();
    let mut found = Vec::new();
    let mut untried = Vec::new();
    for (_, at, subject) in scoped {
        let recheck = Recheck {
            program,
            options,
            engine,
            subject: results.scopes[subject.0].subject,
            claim: subject.1,
        };
        match search.repair(recheck, subject, &results.findings[at], progress) {
            Ok(repair) => found.extend(repair.map(|repair| (at, repair))),
            Err(left) => untried.push((at, left)),
        }
    }
    found.sort_unstable_by_key(|(at, _)| *at);
    untried.sort_unstable();
    (found, untried)
}

/// What is known on the way.
struct Search<'a> {
    results: &'a Results,
    /// Micro-steps that may be spent.
    most: u64,
    /// Micro-steps of new checks.
    spent: u64,
    /// Changes that were tried on all boards.
    tried: Vec<(Subject, Change, Option<Checked>)>,
    /// What is at fault without a change.
    before: BTreeMap<Subject, BTreeSet<String>>,
    /// What a check of everything comes to with each change, and without one.
    all: Vec<(Option<Change>, Option<Checked>)>,
}

impl Search<'_> {
    /// The repair of a finding, if there is one; how many changes were not tried if that is not known.
    fn repair(
        &mut self,
        recheck: Recheck<'_>,
        subject: Subject,
        finding: &Finding,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Option<Repair>, usize> {
        let mut best: Option<(u8, usize, Repair)> = None;
        let mut left = 0;
        for (size, change) in changes(recheck.program, finding) {
            let is_reading = matches!(change, Change::Reading(..));
            if best
                .as_ref()
                .is_some_and(|best| best.0 < size || !is_reading)
            {
                break;
            }
            if !self.helps_there(recheck, change, finding, progress) {
                continue;
            }
            let Some(checked) = self.checked(recheck, subject, change, progress) else {
                left += 1;
                continue;
            };
            let Some(checked) = checked.filter(|checked| checked.is_without(finding)) else {
                continue;
            };
            let so_far = self.is_no_worse(recheck, subject, &checked, progress);
            let found = match so_far {
                Some(true) => self.everywhere(recheck, change, finding, progress),
                Some(false) => Some(None),
                None => None,
            };
            match found {
                None => left += 1,
                Some(None) => {}
                Some(Some((count, repair))) => {
                    if best.as_ref().is_none_or(|best| count < best.1) {
                        best = Some((size, count, repair));
                    }
                }
            }
        }
        match best {
            None if left > 0 => Err(left),
            best => Ok(best.map(|(.., repair)| repair)),
        }
    }

    /// Whether a finding is gone on the board of its witness.
    fn helps_there(
        &mut self,
        recheck: Recheck<'_>,
        change: Change,
        finding: &Finding,
        progress: &mut dyn FnMut(&Progress),
    ) -> bool {
        let runs = finding.witness.as_ref().map(Witness::runs);
        let Some(run) = runs.and_then(|runs| runs.first().copied()) else {
            return true;
        };
        let Some(checked) = recheck.check(Some(change), Some(&run.board), progress) else {
            return false;
        };
        self.spent = self.spent.saturating_add(checked.steps);
        checked.is_without(finding)
    }

    /// What a check of all boards says with a change; outside `None` if that takes too long, inside if
    /// the change cannot be made.
    fn checked(
        &mut self,
        recheck: Recheck<'_>,
        subject: Subject,
        change: Change,
        progress: &mut dyn FnMut(&Progress),
    ) -> Option<Option<Checked>> {
        let mut tried = self.tried.iter();
        if let Some(known) = tried.find(|one| (one.0, one.1) == (subject, change)) {
            return Some(known.2.clone());
        }
        self.begin(subject)?;
        let checked = recheck.check(Some(change), None, progress);
        self.spend(checked.as_ref());
        self.tried.push((subject, change, checked.clone()));
        Some(checked)
    }

    /// Whether nothing is at fault that was not before; `None` if it takes too long to know.
    fn is_no_worse(
        &mut self,
        recheck: Recheck<'_>,
        subject: Subject,
        checked: &Checked,
        progress: &mut dyn FnMut(&Progress),
    ) -> Option<bool> {
        let here = self.results.findings.iter();
        let here = here.filter(|one| one.scope == Some(subject.0));
        let known = here.filter_map(|one| fault(recheck.program, one)).collect();
        if checked.has_only(&known) {
            return Some(true);
        }
        if !self.before.contains_key(&subject) {
            self.begin(subject)?;
            // Of what several sequences have, only one is named in the results.
            let before = recheck.check(None, None, progress);
            self.spend(before.as_ref());
            let faults = before.map(|before| before.faults()).unwrap_or_default();
            self.before.insert(subject, faults);
        }
        Some(checked.has_only(&self.before[&subject]))
    }

    /// How many findings a check of everything has with a change, and the repair that it is, if the finding is gone and
    /// nothing is at fault that was not before; outside `None` if it takes too long to know.
    fn everywhere(
        &mut self,
        recheck: Recheck<'_>,
        change: Change,
        finding: &Finding,
        progress: &mut dyn FnMut(&Progress),
    ) -> Option<Option<(usize, Repair)>> {
        let Some(checked) = self.all_of(recheck, Some(change), progress)? else {
            return Some(None);
        };
        let counted = finding.counted.iter().map(|one| one.scope);
        let scopes = counted.chain(finding.scope);
        let subjects: Vec<ScopeOf> = scopes
            .filter_map(|scope| Some(self.results.scopes.get(scope)?.subject))
            .collect();
        let Some((boards, scopes)) = checked.without(finding, &subjects) else {
            return Some(None);
        };
        let known = self.results.findings.iter();
        let known = known
            .filter_map(|one| fault(recheck.program, one))
            .collect();
        if !checked.has_nothing_but(&known) {
            // Of what several sequences have, only one is named in the results, and not all may be shown.
            let before = self.all_of(recheck, None, progress)?;
            let faults = before.map(|before| before.faults()).unwrap_or_default();
            if !checked.has_nothing_but(&faults) {
                return Some(None);
            }
        }
        let repair = Repair {
            change,
            boards,
            scopes,
        };
        Some(Some((checked.seen.len(), repair)))
    }

    /// What a check of everything comes to; outside `None` if that takes too long, inside if the change cannot be made.
    fn all_of(
        &mut self,
        recheck: Recheck<'_>,
        change: Option<Change>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Option<Option<Checked>> {
        if let Some((_, known)) = self.all.iter().find(|(of, _)| *of == change) {
            return Some(known.clone());
        }
        let likely = self.results.scopes.iter().map(|one| one.steps).sum();
        self.has_room(likely)?;
        let checked = recheck.check_all(change, progress);
        self.spend(checked.as_ref());
        self.all.push((change, checked.clone()));
        Some(checked)
    }

    /// `None` if there is not enough left for another check.
    fn begin(&self, subject: Subject) -> Option<()> {
        self.has_room(self.results.scopes.get(subject.0)?.steps)
    }

    /// `None` if so many micro-steps are more than are left.
    fn has_room(&self, likely: u64) -> Option<()> {
        (self.spent.saturating_add(likely) <= self.most).then_some(())
    }

    fn spend(&mut self, checked: Option<&Checked>) {
        let steps = checked.map_or(0, |checked| checked.steps);
        self.spent = self.spent.saturating_add(steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endstep_language::source::SourceMap;

    const LIST: &str = "game \"g\"\nvar score: integer, explore 0 to 5, reach -9 to 9\n\
        sequence cleanup, steps in any order\n  step one\n    set score to 1\n  step two\n    \
        set score to 2\nverify cleanup\n";

    fn checked(text: &str) -> (Program, Results) {
        let mut sources = SourceMap::new();
        let id = sources.load("test", text.as_bytes()).unwrap();
        let file = endstep_language::syntax::parse(id, text).file;
        let (program, diagnostics) = endstep_language::typing::check(&[file]);
        let program = program.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let results = crate::driver::engine::explored(
            &program,
            (&Options::default(), Engine::Fast),
            &mut |_| {},
        );
        (program, results)
    }

    #[test]
    fn changes_that_take_too_long_are_counted_and_not_suggested() {
        let (program, results) = checked(LIST);
        let options = Options::default();
        let with = (&program, &options, Engine::Fast);
        let (found, untried) = within(MOST_STEPS, with, &results, &mut |_| {});
        let change = |at: usize| found[at].1.change;
        assert_eq!((found.len(), untried.len()), (1, 0));
        assert!(matches!(change(0), Change::Before(one, two) if one < two));
        assert_eq!(found[0].1.boards, 6);
        // One before two, two before one, and the list in the order written.
        let at = found[0].0;
        assert_eq!(
            within(0, with, &results, &mut |_| {}),
            (Vec::new(), vec![(at, 3)])
        );
    }

    #[test]
    fn one_board_is_looked_at_or_all() {
        let (program, results) = checked(LIST);
        let finding = results.findings.iter().find(|one| one.witness.is_some());
        let finding = finding.unwrap();
        let options = Options::default();
        let recheck = Recheck {
            program: &program,
            options: &options,
            engine: Engine::Fast,
            subject: ScopeOf::Verify(0),
            claim: None,
        };
        let runs = finding.witness.as_ref().unwrap().runs();
        let board = &runs[0].board;
        let boards = |board| recheck.check(None, board, &mut |_| {}).unwrap().boards();
        assert_eq!((boards(Some(board)), boards(None)), (1, 6));
        let there = recheck.check(None, Some(board), &mut |_| {}).unwrap();
        assert!(!there.is_without(finding));
    }
}
