//! The exit codes of the program, as documented constants.

use std::process::ExitCode;

/// How a run ended. Codes from 64 on are those of the BSD header `sysexits.h`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Exit {
    /// Nothing is wrong that was not expected.
    Ok = 0,
    /// There are findings that were not expected.
    Findings = 1,
    /// A limit was reached, and there are no new findings: something is unknown.
    Inconclusive = 2,
    /// The specification is in error: it has no meaning that could be checked.
    Specification = 3,
    /// The command line makes no sense.
    Usage = 64,
    /// An input cannot be read.
    Unreadable = 66,
    /// A fault of ours.
    Internal = 70,
    /// The output cannot be written.
    Output = 74,
    /// A check, or the report of a campaign, was interrupted: what is shown is not all. What a shell reports
    /// for a program that is ended by the signal SIGINT.
    Interrupted = 130,
    /// The reader of the output went away; what a shell reports for a program
    /// that is ended by the signal SIGPIPE.
    BrokenPipe = 141,
}

/// The codes as `--help` shows them.
pub(super) const HELP: &str = "\
Exit codes:
    0  nothing new is wrong
    1  findings that were not expected
    2  inconclusive: a limit was reached, or testgen made no vector
    3  the specification is in error
   64  bad usage
   66  an input cannot be read
   70  internal error
   74  the output cannot be written
  130  interrupted: what is shown is not all
  141  the reader of the output went away";

impl Exit {
    /// The code of a check that was finished.
    pub(super) fn of(code: u8) -> Option<Self> {
        let all = [
            Self::Ok,
            Self::Findings,
            Self::Inconclusive,
            Self::Specification,
        ];
        all.into_iter().find(|exit| *exit as u8 == code)
    }

    /// Why a check of several specifications ends so, in a few words.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Ok => "nothing new is wrong",
            Self::Findings => "something is new, or not as it was written down",
            Self::Inconclusive => "nothing new is wrong, but a limit left questions open",
            Self::Specification => "a specification is in error",
            Self::Usage => "the command line does not fit a specification",
            Self::Unreadable => "an input cannot be read",
            Self::Output => "the output cannot be written",
            Self::Interrupted => "the check was interrupted: what is shown is not all",
            Self::BrokenPipe | Self::Internal => "the check could not be finished",
        }
    }

    /// The one that says more of two, for a run on several specifications: that
    /// something is in error, then findings, then what is unknown.
    pub(super) fn worse(self, other: Self) -> Self {
        let rank = |exit: Self| match exit {
            Self::Ok => 0,
            Self::Inconclusive => 1,
            Self::Findings => 2,
            other => other as u8,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
