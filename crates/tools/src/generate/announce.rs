//! Events that are announced, and triggers that react to them.

use super::block::REACH;
use super::maker::{Around, Maker};
use super::tree::{condition, item, name, stmt};
use arbitrary::Result;
use endstep_language::syntax::ast::{Item, ItemKind, StmtKind, Trigger};

const TRIGGERS: [&str; 3] = ["answers", "echoes", "shivers"];

impl Maker<'_> {
    /// `announce E(arguments)`, of an event for which there are arguments.
    pub(super) fn announce(&mut self) -> Result<Option<StmtKind>> {
        let interrupting = !self.around.together && (!self.around.reacting || self.odds(48)?);
        let events = self.world.events.iter();
        let able = events.filter(|event| {
            (event.queue.is_some() || interrupting)
                && !event.raised
                && event.params.iter().all(|param| self.can(*param))
        });
        let able: Vec<_> = able.cloned().collect();
        let Some(event) = self.any_of(&able)? else {
            return Ok(None);
        };
        let arguments = event.params.iter().map(|param| self.value(*param, REACH));
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        Ok(Some(StmtKind::Announce(name(&event.name), arguments)))
    }

    /// The triggers; each reacts to one of the events, if there are any.
    pub(super) fn triggers(&mut self, helpers: usize) -> Result<Vec<Item>> {
        let events = self.world.events.len();
        let mut items = Vec::new();
        if events == 0 {
            return Ok(items);
        }
        let count = 1 + self.below(TRIGGERS.len())?;
        for (at, trigger) in TRIGGERS.iter().enumerate().take(count) {
            let event = if self.odds(96)? {
                self.below(events)?
            } else {
                at % events
            };
            items.push(self.slice(count - at, |maker| {
                maker.scoped(|maker| maker.trigger(trigger, event, helpers))
            })?);
        }
        Ok(items)
    }

    fn trigger(&mut self, trigger: &str, event: usize, helpers: usize) -> Result<Item> {
        let around = Around {
            reacting: true,
            callable: helpers.min(1),
            defined: self.world.defines.len(),
            ..Around::default()
        };
        self.around = around;
        let number = event;
        let event = self.world.events[number].clone();
        let listener = if !self.odds(96)? {
            None
        } else if event.along || event.seated {
            self.lying(number, 1)?
        } else {
            Some(self.binder(event.listens, 1)?)
        };
        let args: Vec<_> = event
            .params
            .iter()
            .map(|ty| name(&self.bind(*ty)))
            .collect();
        let met = if self.odds(96)? {
            Some(condition(self.truth(REACH)?))
        } else {
            None
        };
        let ranked = event
            .queue
            .is_some_and(|at| self.world.queues[at].by_priority);
        let priority = if ranked && self.odds(160)? {
            Some(self.pick(&[(1, 1), (1, 2), (1, -1)])?)
        } else {
            None
        };
        // Something that is queued again and again is a loop.
        let again = event.queue.is_some()
            && !event.raised
            && self.odds(80)?
            && event.params.iter().all(|param| self.can(*param));
        let again = if again {
            let each = event.params.iter().map(|param| self.value(*param, 0));
            Some(StmtKind::Announce(
                name(&event.name),
                each.collect::<Result<_>>()?,
            ))
        } else {
            None
        };
        let mut body = self.body(around)?;
        body.stmts.extend(again.map(stmt));
        Ok(item(ItemKind::Trigger(Trigger {
            name: name(trigger),
            listener,
            event: name(&event.name),
            args,
            condition: met,
            priority,
            body,
        })))
    }
}
