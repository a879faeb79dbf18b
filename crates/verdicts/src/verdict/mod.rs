//! Turns what engines find into verdicts and findings that reports and tests can read.
//!
//! An engine explores; what it has to say is an [`Answer`] to each question and a [`Finding`] for
//! each thing that is wrong or noteworthy:
//!
//! ```text
//! claim order_claim: order irrelevant in cleanup     Answer  { Claim(0), Refuted, findings: [3] }
//! "destroy the creatures with no health"             Finding { F0201 cleanup/destroy/for each#1 }
//! ```
//!
//! Findings have a [`fingerprint`], which stays the same while lines are renumbered, clauses
//! reordered and locals renamed; the file of [`Expected`] findings is a list of them.
//!
//! Architecture invariant: a finding holds no wording and no text of the sources; reports word it
//! from its [`Detail`].

mod answer;
mod baseline;
mod boards;
mod coverage;
mod expected;
mod finding;
mod occurs;
mod proof;
mod sketch;
mod under;

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use endstep_language::diag::Code;
use endstep_language::typing::program::{Program, SequenceId, ZoneId};

pub use answer::{
    Answer, Best, Bound, Extra, Limitation, Question, Scope, ScopeOf, Uncompared, Untested,
    Verdict, rank,
};
pub use baseline::Baseline;
pub use boards::{Together, together};
pub use coverage::{Coverage, Covered};
pub use expected::{
    Comparison, Expected, ExpectedError, ExpectedFinding, accepted, accepts, compare, digest,
    fingerprint, unused_accepts,
};
pub use finding::{
    Change, ClaimFailure, Counted, Decisive, Detail, Difference, ExampleFailure, Finding,
    LoopClass, Minimality, Obscurity, Origin, Outside, Pair, Repair, Standby, Undecided,
};
pub use occurs::{Fact, Formula, Literal, Occurs, Test};
pub use proof::{
    Argument, Certificate, Commuting, Exchangeable, Obstacle, Outcome, Proof, Refusal,
};
pub use sketch::{Sketch, Sketched};
pub use under::Under;

/// All that an engine has to say about a program.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Results {
    /// What is wrong or noteworthy: by severity, then place, then code.
    pub findings: Vec<Finding>,
    /// The findings that nobody wants to see. What they speak against is refuted all the same.
    pub left_out: Vec<Finding>,
    /// What was asked, and what turned out to be well.
    pub answers: Vec<Answer>,
    /// What was explored.
    pub scopes: Vec<Scope>,
    /// Changes after which a finding, by position, is gone; if they were looked for.
    pub repairs: Vec<(usize, Repair)>,
    /// Of findings without one how many changes were not tried, because it would have taken too long.
    pub untried: Vec<(usize, usize)>,
    /// What was put to the prover, if it was asked.
    pub proofs: Vec<Proof>,
    /// The zones of which nobody looks at the arrangement; what was put to the prover does not tell
    /// arrangements there apart.
    pub overlooked: BTreeSet<ZoneId>,
    /// What was executed, and the readings that what was explored speaks of.
    pub coverage: Coverage,
    /// Which kinds of findings show runs that stop or never end, by what is performed; also those that nobody wants
    /// to see.
    pub without_end: BTreeSet<(SequenceId, Code)>,
    /// The sequences of which some run stops, or never ends, from a board that the specification writes down: of these only
    /// claims are looked at.
    pub without_end_on_written: BTreeSet<SequenceId>,
    /// Whether nothing was looked at but some claims: not which runs stop, and on no board that the prover suggests.
    pub narrowed: bool,
    /// How many boards that the prover suggests were tried: legal ones, as far as that is known.
    pub suggested: usize,
    /// Of how many pairs whose order is open the prover was not asked for boards, because of its limits.
    pub unsuggested: usize,
}

impl Results {
    /// Takes down a finding in `without_end`, if it belongs there.
    pub fn note_without_end(&mut self, program: &Program, finding: &Finding) {
        let stops = matches!(
            finding.detail,
            Detail::Gap(_)
                | Detail::Conflict(_, None)
                | Detail::Range(_)
                | Detail::Stuck(_)
                | Detail::Loop { .. }
                | Detail::Growth { .. }
        );
        let scopes = finding.scope.iter().chain(&finding.elsewhere);
        let scopes = scopes.filter_map(|&at| self.scopes.get(at));
        let sequences = scopes.filter_map(|scope| scope.subject.sequence(program));
        let codes = sequences.filter(|_| stops).map(|of| (of, finding.code));
        self.without_end.extend(codes);
    }

    /// The scopes of what is verified of which not all was looked at, if no answer is open for that reason:
    /// something that nobody asked for can be wrong there.
    pub fn unseen(&self) -> Vec<&Scope> {
        let open = |answer: &Answer| answer.is_open() && !answer.is_unasked();
        if self.answers.iter().any(open) {
            return Vec::new();
        }
        let given_up = |scope: &&Scope| {
            let mut why = scope.limitations.iter();
            matches!(scope.subject, ScopeOf::Verify(_))
                && why.any(|why| !why.is_of_no_board() && !matches!(why, Limitation::Unasked(_)))
        };
        self.scopes.iter().filter(given_up).collect()
    }
}
