//! All that a report shows of one specification.

use serde::{Deserialize, Serialize};

use endstep_language::diag::Severity;
use endstep_language::source::SourceMap;
use endstep_language::typing::program::Program;
use endstep_verdicts::verdict::{ExpectedFinding, Results};

/// How a finding stands to what is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nobody expected it.
    New,
    /// It is in the file of expected findings; the reason there, if any.
    Expected(Option<String>),
    /// The specification accepts it; the reason there.
    Accepted(String),
}

/// What was not found, and can be there all the same: a limit kept something from being looked at that may show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfound {
    /// A finding that is expected.
    Expected(ExpectedFinding),
    /// What an `accept`, by position, would cover.
    Accept(usize),
}

/// All that a report shows of one specification.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// What people call the specification: its path.
    pub name: &'a str,
    /// How a command line names it, with the options that are needed to read it; `None` if none can: of
    /// standard input, or of a revision.
    pub reread: Option<&'a str>,
    /// The sources, for places and lines.
    pub sources: &'a SourceMap,
    /// The program.
    pub program: &'a Program,
    /// What was found.
    pub results: &'a Results,
    /// For each finding how it stands.
    pub standings: &'a [Standing],
    /// Expected findings that are gone.
    pub vanished: &'a [ExpectedFinding],
    /// Positions of `accept`s that cover no finding.
    pub unused: &'a [usize],
    /// What was not found, and may be there.
    pub unfound: &'a [Unfound],
    /// What of that fails.
    pub policy: Policy,
    /// The options that kept the check from looking at everything, or from showing it, as they are written.
    pub restrictions: &'a [String],
    /// The folder in which witnesses were saved, if a check would not find them again.
    pub saved: Option<&'a str>,
}

/// What makes a check fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Policy {
    /// New findings that are as bad as this, or worse.
    pub fail_on: Severity,
    /// Whether a finding that is expected and gone fails, too.
    pub vanished_fails: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            fail_on: Severity::Warning,
            vanished_fails: true,
        }
    }
}

impl Policy {
    /// Whether a new finding fails.
    pub fn fails(self, severity: Severity) -> bool {
        severity <= self.fail_on
    }
}
