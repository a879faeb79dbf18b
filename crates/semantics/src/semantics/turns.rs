//! Turns that go round until all pass.
//!
//! ```text
//! for each p: Player, in player order from active, until all pass      turns        passed in a row
//!   may by p                                                           ann passes   1
//!     perform reaction(p)                                              bob reacts   0
//!   otherwise                                                          ann passes   1
//!     pass                                                             bob passes   2: over
//! ```
//!
//! The frame of the iteration has the player whose turn it is, or was last (`visited`), and how many turns in a row
//! were passed before it (`position`); as long as a turn is not passed, its player is still to do (`todo`).

use super::iterate::lies;
use super::machine::{Flow, Machine};
use super::next::Note;
use super::state::{Frame, Site};
use super::stop::Stop;
use endstep_language::index::Id;
use endstep_language::typing::program::{Binder, BlockId, DomainPolicy, Order, StmtId, Value};

impl Machine<'_> {
    /// Whether an iteration goes on until all pass.
    pub fn takes_turns(&mut self, stmt: StmtId) -> Result<bool, Stop> {
        Ok(*self.domain(stmt)? == DomainPolicy::UntilAllPass)
    }

    /// The innermost frame is an iteration that goes on until all pass: the next turn begins, or it is over.
    pub(super) fn turn(
        &mut self,
        stmt: StmtId,
        (binder, order, body): (&Binder, &Order, BlockId),
    ) -> Result<Flow, Stop> {
        let Some(Frame::Iterate {
            todo,
            visited,
            position,
            ..
        }) = self.frames().last()
        else {
            unreachable!("expected an iteration");
        };
        let passes = if todo.is_empty() { *position } else { 0 };
        let last = visited.first().copied();
        let Some(next) = self.next_turn(stmt, (binder, order), (last, passes))? else {
            self.pop();
            self.bind(binder.local.index(), Value::None);
            return Ok(Flow::On);
        };
        self.take_turn(next, passes);
        self.notes.push(Note::Cut);
        self.bind(binder.local.index(), next);
        self.push(Frame::Block {
            block: body,
            next: 0,
        });
        Ok(Flow::Go)
    }

    /// Who is asked next of those who take turns; nobody once all have passed in a row.
    fn next_turn(
        &mut self,
        stmt: StmtId,
        (binder, order): (&Binder, &Order),
        (last, passes): (Option<Value>, usize),
    ) -> Result<Option<Value>, Stop> {
        let site = Site::Stmt(stmt);
        let all = self.eval(site, |scope| scope.elements(binder))?;
        if passes >= all.len() {
            return Ok(None);
        }
        let Some(last) = last else {
            let first = self.arrange(order, lies(binder), all, site)?;
            return Ok(first.first().copied());
        };
        let backwards = matches!(
            self.meant(order, site)?,
            Order::Players { reversed: true, .. }
        );
        let mut round: Vec<Value> = self
            .eval(site, |scope| Ok(scope.players()))?
            .into_iter()
            .map(Value::Entity)
            .collect();
        if backwards {
            round.reverse();
        }
        // The one asked last comes last.
        let at = round.iter().position(|one| *one == last);
        round.rotate_left(at.map_or(0, |at| at + 1));
        Ok(round.into_iter().find(|one| all.contains(one)))
    }

    /// A turn begins, after so many that were passed in a row; it counts as taken until somebody passes.
    fn take_turn(&mut self, element: Value, passes: usize) {
        if let Some(Frame::Iterate {
            todo,
            visited,
            position,
            ..
        }) = self.frames().last_mut()
        {
            *todo = vec![element];
            *visited = vec![element];
            *position = passes;
        }
    }

    /// The turn under way counts as passed.
    pub fn pass_turn(&mut self) -> Result<(), Stop> {
        let frames = self.frames().iter().enumerate().rev();
        let around: Vec<(usize, StmtId)> = frames
            .filter_map(|(at, frame)| match frame {
                Frame::Iterate { stmt, .. } => Some((at, *stmt)),
                _ => None,
            })
            .collect();
        for (at, stmt) in around {
            if *self.domain(stmt)? != DomainPolicy::UntilAllPass {
                continue;
            }
            if let Frame::Iterate { todo, position, .. } = &mut self.frames()[at]
                && !todo.is_empty()
            {
                todo.clear();
                *position += 1;
            }
            break;
        }
        Ok(())
    }
}
