//! Statements with others under them: branches, iterations, repeats, simultaneous effects.

use super::Feature;
use super::block::REACH;
use super::maker::{Around, Maker};
use super::tree::{block, expr, name, not, stmt};
use super::world::Ty;
use arbitrary::Result;
use endstep_language::syntax::ast::{Arm, Block, CasePolicy, ExprKind, StmtKind, Trivia, When};

impl Maker<'_> {
    /// `otherwise`, in so many of 256 cases.
    fn otherwise(&mut self, cases: u8, depth: u8) -> Result<Option<(Trivia, Block)>> {
        if !self.odds(cases)? {
            return Ok(None);
        }
        let made = self.block(depth)?;
        Ok(Some((Trivia::default(), made)))
    }

    /// `if … otherwise if … otherwise …`
    pub(super) fn if_statement(&mut self, depth: u8) -> Result<StmtKind> {
        let count = self.pick(&[(3, 1), (1, 2)])?;
        let mut arms = Vec::new();
        for at in 0..count {
            let guard = self.truth(REACH)?;
            let body = self.slice(count - at + 1, |maker| maker.block(depth))?;
            arms.push((guard, body));
        }
        let otherwise = self.otherwise(96, depth)?;
        Ok(StmtKind::If(arms, otherwise))
    }

    /// `cases`
    pub(super) fn cases(&mut self, depth: u8) -> Result<StmtKind> {
        let policy = match self.below(4)? {
            1 => CasePolicy::InOrder,
            2 if self.allows(Feature::Choices) => CasePolicy::Chosen(self.decider()?),
            _ => CasePolicy::Exclusive,
        };
        let count = 1 + self.below(3)?;
        let mut arms = Vec::new();
        for at in 0..count {
            let guard = self.truth(REACH)?;
            arms.push(Arm {
                trivia: Trivia::default(),
                guard,
                body: self.slice(count - at + 1, |maker| maker.block(depth))?,
            });
        }
        // Without it, there is a gap where no case applies.
        let otherwise = if self.allows(Feature::Gaps) {
            self.otherwise(190, depth)?
        } else {
            Some((Trivia::default(), self.block(depth)?))
        };
        Ok(StmtKind::Cases {
            policy,
            arms,
            otherwise,
            tail: Vec::new(),
        })
    }

    /// `depending on r`
    pub(super) fn depending(&mut self, depth: u8) -> Result<Option<StmtKind>> {
        let readings = self.world.readings.clone();
        let Some(reading) = self.any_of(&readings)? else {
            return Ok(None);
        };
        let count = reading.alternatives.len();
        let mut arms = Vec::new();
        for (at, alternative) in reading.alternatives.iter().enumerate() {
            let body = self.slice(count - at, |maker| maker.block(depth))?;
            arms.push((Trivia::default(), name(alternative), body));
        }
        if self.odds(32)? {
            arms.reverse();
        }
        Ok(Some(StmtKind::Depending {
            reading: name(&reading.name),
            arms,
            tail: Vec::new(),
        }))
    }

    /// `for each`
    pub(super) fn for_each(&mut self, depth: u8) -> Result<StmtKind> {
        self.scoped(|maker| {
            let bound = maker.locals.len();
            let binder = maker.binder(None, 1)?;
            // Only ranks speak of the element.
            let element = maker.locals.split_off(bound);
            let ty = element.first().map_or(Ty::Bool, |(_, ty)| *ty);
            let together = maker.around.together;
            let order = if together || maker.odds(56)? {
                None
            } else {
                let plain = maker.order(Some((&binder, ty)), 1)?;
                Some(maker.ranked(&element, plain)?)
            };
            let domain = if together {
                None
            } else {
                maker.domain(&binder, order.as_ref())?
            };
            maker.locals.extend(element);
            let body = maker.block(depth)?;
            Ok(StmtKind::ForEach {
                binder,
                order,
                domain,
                body,
            })
        })
    }

    /// `simultaneously`, in part with two writes to one place.
    pub(super) fn simultaneously(&mut self, depth: u8) -> Result<StmtKind> {
        let around = Around {
            together: true,
            ..self.around
        };
        self.amid(around, |maker| {
            let mut stmts = Vec::new();
            if maker.odds(96)?
                && let Some(place) = maker.writable(Ty::Int)?
            {
                let (first, second) = (maker.integer_value(1)?, maker.integer_value(1)?);
                let set = maker.odds(160)?;
                stmts.push(stmt(StmtKind::Set(place.clone(), first)));
                stmts.push(stmt(if set {
                    StmtKind::Set(place, second)
                } else {
                    StmtKind::Increase(place, second, None)
                }));
            }
            let count = maker.pick(&[(2, 1), (2, 2), (1, 3)])?;
            let more = maker.scoped(|maker| maker.statements(count, depth))?;
            stmts.extend(more);
            Ok(StmtKind::Simultaneously(block(stmts)))
        })
    }

    /// `repeat`: bounded by a counter, for as long as somebody wants, until stable, or as it comes.
    pub(super) fn repeat(&mut self, depth: u8) -> Result<StmtKind> {
        let bounded = match self.below(7)? {
            0 | 1 => self.counter()?,
            2 if self.allows(Feature::Removal) => self.supply_of_things()?,
            3 if self.allows(Feature::Choices) && self.allows(Feature::Calls) => {
                return self.at_will(depth);
            }
            _ => None,
        };
        if let Some((going, progress)) = bounded {
            let mut made = self.block(depth)?;
            // First: what is bound in the block afterwards could have a name that is bound in it.
            made.stmts.insert(0, stmt(progress));
            let when = if self.odds(64)? {
                When::Until(not(going))
            } else {
                When::While(going)
            };
            return Ok(StmtKind::Repeat(when, made));
        }
        let endless = self.odds(130)?;
        let when = match (self.below(3)?, endless) {
            (0, _) => When::Stable,
            (1, true) => When::Until(expr(ExprKind::Bool(false))),
            (_, true) => When::While(expr(ExprKind::Bool(true))),
            (1, false) => When::Until(self.truth(1)?),
            (_, false) => When::While(self.truth(1)?),
        };
        Ok(StmtKind::Repeat(when, self.round(depth)?))
    }

    /// The body of a round that nothing brings to an end.
    fn round(&mut self, depth: u8) -> Result<Block> {
        let around = Around {
            round: true,
            ..self.around
        };
        self.amid(around, |maker| maker.block(depth))
    }

    /// A round that anybody may leave.
    fn at_will(&mut self, depth: u8) -> Result<StmtKind> {
        let by = self.decider()?;
        let leave = self.leave()?;
        let mut made = self.round(depth)?;
        let may = StmtKind::May {
            by,
            label: None,
            body: block(vec![stmt(leave)]),
            otherwise: None,
        };
        // First, as above.
        made.stmts.insert(0, stmt(may));
        let always = expr(ExprKind::Bool(true));
        Ok(StmtKind::Repeat(When::While(always), made))
    }
}
