//! What a run of an example has met on its way: lines of the example, and gaps that go on.
//!
//! ```text
//! gap tie "who wins a tie is not said" and go on     met here; two runs that come to one state are told
//! set champion to nobody                             apart if only one of them has met it
//! ```
//!
//! A state does not know which gaps its run has met. `expect gap tie` asks for it, so the runs of an example are
//! followed with the gaps that it expects of every run; of those that it expects of some run it is enough to have
//! seen them once.

use std::collections::BTreeSet;

use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{
    Example, ExampleLine, ExpectedGap, GapId, Program, StmtKind,
};
use endstep_semantics::semantics::Note;

/// What a run has met.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Met {
    /// How many of the lines that speak of the way.
    pub lines: usize,
    /// Gaps that every run is to meet.
    gaps: BTreeSet<GapId>,
}

impl Met {
    /// Whether an expected gap was met.
    pub fn has(&self, gap: ExpectedGap) -> bool {
        matches!(gap, ExpectedGap::Named(gap) if self.gaps.contains(&gap))
    }
}

/// The gaps that an example expects, of those that go on.
#[derive(Debug, Default)]
pub struct ExpectedGaps {
    /// Of every run.
    always: BTreeSet<GapId>,
    /// Of some run, with the line that does.
    possible: Vec<(GapId, usize)>,
}

impl ExpectedGaps {
    /// Of an example.
    pub fn of(program: &Program, example: &Example) -> Self {
        let mut found = Self::default();
        for (at, (line, _)) in example.lines.iter().enumerate() {
            match line {
                ExampleLine::ExpectGap(ExpectedGap::Named(gap)) if program.goes_on(*gap) => {
                    found.always.insert(*gap);
                }
                ExampleLine::ExpectPossibleGap(ExpectedGap::Named(gap)) => {
                    found.possible.push((*gap, at));
                }
                _ => {}
            }
        }
        found
    }

    /// Takes down which of them are met on a micro-step, and the lines that this meets.
    pub fn note(
        &self,
        program: &Program,
        notes: &[Note],
        met: &mut Met,
        lines: &mut BTreeSet<usize>,
    ) {
        if self.always.is_empty() && self.possible.is_empty() {
            return;
        }
        for note in notes {
            let Note::Executed(stmt) = note else { continue };
            let Some(gap) = program.met_by(*stmt) else {
                continue;
            };
            let of_some = self
                .possible
                .iter()
                .filter(|(expected, _)| *expected == gap);
            lines.extend(of_some.map(|(_, line)| *line));
            if self.always.contains(&gap) {
                met.gaps.insert(gap);
            }
        }
    }
}

/// The weakest basis of what is executed on a micro-step; none if no rule is.
pub fn basis_of(program: &Program, notes: &[Note]) -> Option<BasisKind> {
    let bases = notes.iter().filter_map(|note| match note {
        Note::StepBegan(step) => Some(program.steps[*step].basis.kind),
        Note::Resolving(trigger) => Some(program.triggers[*trigger].basis.kind),
        Note::Executed(stmt) => {
            let fills = matches!(
                program.stmts[*stmt].kind,
                StmtKind::GapMayChange { .. } | StmtKind::GapGoesOn { .. }
            );
            fills.then_some(BasisKind::Gap)
        }
        _ => None,
    });
    bases.max()
}
