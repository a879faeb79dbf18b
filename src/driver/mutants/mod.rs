//! Whether a check, or a campaign, notices that a specification was changed.
//!
//! ```text
//! mutant ──lower──▶ the same system: equivalent
//!        ──examples──▶ another finding: killed
//!        ──smallest boards──▶ a new finding: killed          (twice as large, and so on)
//!        ──all boards of the sizes──▶ another finding or verdict: killed
//!        ──outcomes──▶ the same from every board: the same in scope; otherwise it survives, on this board
//! ```
//!
//! A campaign (`hunt`) takes the place of the checks if one is asked for.
//!
//! *Guarantees.* The same program and terms give the same fates, whatever the number of threads; with
//! campaigns, if these end by runs. A
//! mutant that is killed at some sizes is told from the original by a check at the sizes of the terms:
//! before the last rung only what larger boards cannot take back is believed.
//!
//! *Limits.* What is a note and costs much is not looked at: steps that make no difference, what is never
//! done, what another order than a fixed one would do, on which boards something occurs. Two versions
//! that differ only there are the same for it.

mod hunt;
mod rung;
mod terms;

use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use endstep_engines::explore::Explorer;
use endstep_kernel::ir;
use endstep_kernel::lower::lower;
use endstep_language::diag::Severity;
use endstep_language::diag::codes::finding as code;
use endstep_language::source::SourceMap;
use endstep_language::typing::program::Program;
use endstep_report::report::{By, Change, Changes, Fate, Place, Sheet, Standing, Versions};
use endstep_tools::mutate::Mutant;
use endstep_verdicts::analysis::{Apart, Options, Unsaid, apart, jobs};
use endstep_verdicts::verdict::{Finding, Results, Scope, fingerprint};
use hunt::Hunting;
use rung::{Ladder, Rung};
use terms::{NOT_FOR_EVER, checked, is_complete};

pub use hunt::{Clock, Hunt};
pub use terms::{Terms, leaves_out};

/// The stack of a thread.
const STACK: usize = 64 << 20;

/// What mutants are compared with.
pub struct Original<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    terms: &'a Terms,
    /// The system, as text.
    system: String,
    ladder: Ladder,
    hunting: Option<Hunting<'a>>,
}

impl<'a> Original<'a> {
    /// Checks the original, and chooses the sizes.
    pub fn new(program: &'a Program, sources: &'a SourceMap, terms: &'a Terms) -> Self {
        Self {
            program,
            sources,
            terms,
            system: ir::print(&lower(program)),
            ladder: Ladder::new(program, terms),
            hunting: None,
        }
    }

    /// Mutants are tried by campaigns, not by checks. The first one is on the original.
    pub fn hunting(mut self, hunt: &Hunt<'a>) -> Self {
        let known = self.ladder.prints().union(&self.terms.known);
        let known = known.cloned().collect();
        self.hunting = Some(Hunting::new(self.program, hunt, known));
        self
    }

    /// How many runs the campaign on the original had, if there was one.
    pub fn runs(&self) -> Option<u64> {
        self.hunting.as_ref().map(|hunting| hunting.runs)
    }

    /// The scopes in which mutants are compared.
    pub fn scopes(&self) -> &[Scope] {
        &self.ladder.last().results.scopes
    }

    /// What becomes of mutants, in their order; `told` after each. Of one that is not tried to the end, since somebody
    /// would not wait, nothing is known.
    pub fn judge(&self, mutants: &[Mutant], told: &(dyn Fn(&Mutant) + Sync)) -> Vec<Option<Fate>> {
        let stop = &self.terms.options.stop;
        let one = |mutant: &Mutant| {
            let fate = (!stop.is_wanted()).then(|| self.fate(mutant));
            // What was broken off would be judged by what it has not come to.
            let fate = fate.filter(|_| !stop.is_wanted())?;
            told(mutant);
            Some(fate)
        };
        let builder = ThreadPoolBuilder::new().num_threads(self.terms.jobs.max(1));
        match builder.stack_size(STACK).build() {
            Ok(pool) => pool.install(|| mutants.par_iter().map(one).collect()),
            Err(_) => mutants.iter().map(one).collect(),
        }
    }

    fn fate(&self, mutant: &Mutant) -> Fate {
        let system = lower(&mutant.apply(self.program));
        if let Some(why) = ir::fault(&system) {
            return Fate::Invalid(why);
        }
        if ir::print(&system) == self.system {
            return Fate::Equivalent;
        }
        let killed = |by, place| Fate::Killed { by, place };
        if let Some(hunting) = &self.hunting {
            return match hunting.kill(&mutant.apply(self.program)) {
                Some((by, runs)) => killed(by, Place::Campaign(runs)),
                None => self.outcomes(&mutant.apply(&self.ladder.last().program)),
            };
        }
        for rung in self.ladder.rungs() {
            let program = mutant.apply(&rung.program);
            let results = checked(&program, self.terms);
            let by = match rung.examples {
                true => self.difference(rung, (&program, &results)),
                false => self.lasting(&program, &results),
            };
            if let Some(by) = by {
                return killed(by, rung.most.map_or(Place::Example, Place::Small));
            }
        }
        for rung in self.ladder.single() {
            let program = mutant.apply(&rung.program);
            let results = checked(&program, self.terms);
            let by = self.lasting(&program, &results);
            if let Some(by) = by.or_else(|| self.claim(rung, (&program, &results))) {
                return killed(by, Place::Scope);
            }
        }
        let last = self.ladder.last();
        let program = mutant.apply(&last.program);
        let results = checked(&program, self.terms);
        match self.difference(last, (&program, &results)) {
            Some(by) => killed(by, Place::Scope),
            None => self.outcomes(&program),
        }
    }

    /// A claim about the one sequence of a rung with another verdict. Of what is no claim other
    /// sequences may say something as well.
    fn claim(&self, rung: &Rung, (program, results): (&Program, &Results)) -> Option<By> {
        let by = self.differences(rung, (program, results)).into_iter();
        let mut by = by.filter(|by| matches!(by, By::Verdict { kind: "claim", .. }));
        by.next()
    }

    /// A finding that the original has not, and that larger boards cannot take back.
    fn lasting(&self, program: &Program, results: &Results) -> Option<By> {
        let mut findings = results.findings.iter();
        let lasts = |finding: &&Finding| {
            finding.witness.is_some()
                && !NOT_FOR_EVER.contains(&finding.code)
                && self.is_news(program, finding)
        };
        findings
            .find(lasts)
            .map(|one| By::New(one.code, one.subject.clone()))
    }

    /// Whether the original does not have a finding at the sizes of the terms, or beyond.
    fn is_news(&self, program: &Program, finding: &Finding) -> bool {
        let print = fingerprint(program, finding);
        let partial = finding.severity == Severity::Note && self.ladder.is_partial();
        !partial && !self.ladder.prints().contains(&print) && !self.terms.known.contains(&print)
    }

    /// The first of what a check says of a mutant that it does not say of the original.
    fn difference(&self, rung: &Rung, versions: (&Program, &Results)) -> Option<By> {
        self.differences(rung, versions).into_iter().next()
    }

    /// What a check says of a mutant that it does not say of the original.
    fn differences(&self, rung: &Rung, (program, results): (&Program, &Results)) -> Vec<By> {
        let old = &rung.results;
        let none: [Vec<Standing>; 2] =
            [old, results].map(|results| results.findings.iter().map(|_| Standing::New).collect());
        let sheet = |program, results, standings| Sheet {
            name: "",
            sources: self.sources,
            program,
            results,
            standings,
            vanished: &[],
            unused: &[],
            unfound: &[],
            policy: Default::default(),
            restrictions: &[],
            saved: None,
            reread: None,
        };
        let changes = Changes::of(Versions {
            old: sheet(&rung.program, old, &none[0]),
            new: sheet(program, results, &none[1]),
        });
        let complete = |finding: &Finding| {
            let both = [old, results].map(|one| {
                let scope = finding.scope.and_then(|at| one.scopes.get(at));
                scope.is_none_or(is_complete)
            });
            both == [true, true]
        };
        let all = [old, results].into_iter().flat_map(|one| &one.scopes);
        let all = all.into_iter().all(is_complete);
        let each = changes.each().into_iter();
        let each = each.filter(|change| !is_about_tests(change, (old, results)));
        let each = each.filter_map(|change| match change {
            Change::New(at) => {
                let finding = &results.findings[at];
                let is_so = self.is_news(program, finding)
                    && (finding.witness.is_some() || complete(finding));
                is_so.then(|| By::New(finding.code, finding.subject.clone()))
            }
            Change::Gone(at) => {
                let finding = &old.findings[at];
                complete(finding).then_some(By::Gone(finding.code, finding.subject.clone()))
            }
            Change::Altered(at) => {
                let finding = &old.findings[at];
                complete(finding).then_some(By::Altered(finding.code, finding.subject.clone()))
            }
            Change::Verdict {
                kind,
                subject,
                before: Some(before),
                after: Some(after),
            } if [&before, &after].iter().all(|one| *one != UNKNOWN) => {
                all.then_some(By::Verdict {
                    kind,
                    subject,
                    before,
                    after,
                })
            }
            // What only one of them is asked, or can be said of one, tells of no difference in what they do.
            Change::Verdict { .. } => None,
        });
        each.collect()
    }

    /// What becomes of a mutant that nothing notices: whether it plays otherwise.
    fn outcomes(&self, mutant: &Program) -> Fate {
        let program = &self.ladder.last().program;
        let engines = [program, mutant].map(Explorer::new);
        let [one, other] = &engines;
        let mut same = Vec::new();
        let mut undecided = None;
        let options = Options {
            limits: self.terms.limits(),
            ..self.terms.options.clone()
        };
        for job in jobs(program, None) {
            match apart([(program, one), (mutant, other)], &job, &options) {
                Apart::Nowhere(legal) => same.push((job.sequence, legal)),
                Apart::Unknown(why) => undecided = undecided.or(Some(why)),
                Apart::On(board, readings, contrast) => {
                    return Fate::Survivor {
                        sequence: job.sequence,
                        board,
                        readings,
                        contrast,
                    };
                }
            }
        }
        // On no board nothing is compared.
        if same.iter().all(|(_, legal)| *legal == 0) {
            undecided = undecided.or(Some(Unsaid::NoBoard));
        }
        match undecided {
            Some(why) => Fate::Undecided(why),
            None => Fate::Same(same),
        }
    }
}

/// A verdict that says nothing.
const UNKNOWN: &str = "unknown";

/// Whether a change is about nothing but how far something was put to the test, which other boards can do.
fn is_about_tests(change: &Change, (old, new): (&Results, &Results)) -> bool {
    let finding = match *change {
        Change::New(at) => new.findings.get(at),
        Change::Gone(at) | Change::Altered(at) => old.findings.get(at),
        Change::Verdict { .. } => None,
    };
    finding.is_some_and(|one| one.code == code::UNTESTED)
}
