//! What would mend a finding, in words.

use super::layout::count;
use super::words::{Words, plain};
use endstep_language::typing::program::{Order, StepId, StmtKind};
use endstep_semantics::semantics::Site;
use endstep_verdicts::verdict::{Change, Repair};

impl Words<'_> {
    /// `say that "draw" always comes before "discard": then this is gone, on all 12 boards of a new check`
    pub(super) fn repair(self, repair: &Repair) -> String {
        let step = |id: StepId| plain(&self.program.steps[id].name);
        let change = match repair.change {
            Change::Before(one, other) => format!(
                "say that \"{}\" always comes before \"{}\"",
                step(one),
                step(other)
            ),
            Change::AsWritten(id) => format!(
                "say that the steps of {} are done in the order written",
                self.sequence(id)
            ),
            Change::LeftToRight(site) => format!(
                "name a fixed order, such as from left to right, {}{}",
                match self.goes_by_ranks(site) {
                    true => "for those of one rank ",
                    false => "",
                },
                match site {
                    Site::Places(_) => format!("of {}", self.site(site)),
                    other => format!("in {}", self.site(other)),
                }
            ),
            Change::Reading(id, at) => format!(
                "of {} say that only {} is meant",
                self.reading(id),
                self.alternative(id, at)
            ),
            Change::Again(id) => format!("say that {} is done once more at the end", self.step(id)),
        };
        let mut boards = count(repair.boards, "legal board", "legal boards");
        if repair.scopes > 1 {
            boards.push_str(&format!(", counted in each of {} scopes,", repair.scopes));
        }
        format!("{change}: with that, a new check of {boards} no longer finds this")
    }

    /// Whether an order goes by ranks, so that it is open for those of one rank alone.
    fn goes_by_ranks(self, site: Site) -> bool {
        let program = self.program;
        let order = match site {
            Site::Stmt(id) => match &program.stmts[id].kind {
                StmtKind::ForEach { order, .. } => Some(order),
                _ => None,
            },
            Site::Event(id) => program.events[id].listeners.as_ref(),
            Site::Sequence(_)
            | Site::Places(_)
            | Site::Trigger(_)
            | Site::Step(_)
            | Site::Outside(_) => None,
        };
        order.is_some_and(Order::goes_by_ranks)
    }
}
