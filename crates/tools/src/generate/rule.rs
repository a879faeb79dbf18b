//! Declarations that rules rest on: readings, queues, events, definitions, legality.

use super::Feature;
use super::maker::{Around, Maker};
use super::tree::{binary, condition, item, name, text};
use super::world::{Define, Event, Queue, Reading, Ty};
use arbitrary::Result;
use endstep_language::syntax::ast::{
    self, Expr, Item, ItemKind, Legal, Order, Param, QueueDiscipline, ReadingAlt, Trivia, TypeExpr,
};

const READINGS: [(&str, [&str; 3]); 2] = [
    ("how_strictly", ["strict", "loose", "lax"]),
    ("whose_turn", ["mine", "yours", "ours"]),
];
const QUEUES: [&str; 2] = ["inbox", "pile"];
const EVENTS: [&str; 3] = ["bell", "storm", "spark"];
const DEFINES: [&str; 2] = ["worth", "ready"];

impl Maker<'_> {
    /// The items that declare readings, queues, events and definitions.
    pub(super) fn rules(&mut self) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        for at in 0..READINGS.len() {
            if self.may(Feature::Readings, 80)? {
                items.push(self.reading(at)?);
            }
        }
        if self.allows(Feature::Queues) {
            let count = self.pick(&[(4, 0), (5, 1), (1, 2)])?;
            for queue in QUEUES.iter().take(count) {
                items.push(self.queue(queue)?);
            }
        }
        let count = self.pick(&[(2, 0), (3, 1), (3, 2), (1, 3)])?;
        for event in EVENTS.iter().take(count) {
            items.extend(self.event(event)?);
        }
        for define in DEFINES {
            if self.may(Feature::Definitions, 80)? {
                items.push(self.define(define)?);
            }
        }
        for (condition, explored, cases) in [("fair", false, 48), ("handy", true, 24)] {
            if self.may(Feature::Legality, cases)? {
                items.push(self.legal(condition, explored)?);
            }
        }
        if self.may(Feature::Continuous, 48)? {
            items.extend(self.continuous()?);
        }
        Ok(items)
    }

    fn reading(&mut self, at: usize) -> Result<Item> {
        let (reading, words) = READINGS[at];
        let count = self.pick(&[(5, 2), (1, 3)])?;
        let names = words.iter().take(count);
        let alternatives = names.clone().map(|word| ReadingAlt {
            trivia: Trivia::default(),
            name: name(word),
            text: text(format!("it is meant to be {word}")),
            cites: Vec::new(),
        });
        self.world.readings.push(Reading {
            name: reading.to_owned(),
            alternatives: names.map(|&word| word.to_owned()).collect(),
        });
        Ok(item(ItemKind::Reading(ast::Reading {
            name: name(reading),
            alternatives: alternatives.collect(),
            tail: Vec::new(),
        })))
    }

    fn queue(&mut self, queue: &str) -> Result<Item> {
        let discipline = self.pick(&[
            (1, QueueDiscipline::FirstInFirstOut),
            (1, QueueDiscipline::LastInFirstOut),
            (1, QueueDiscipline::ByPriority),
        ])?;
        self.world.queues.push(Queue {
            name: queue.to_owned(),
            by_priority: discipline == QueueDiscipline::ByPriority,
        });
        let capacity = self.pick(&[(4, Some(2)), (3, Some(3)), (1, None), (1, Some(1))])?;
        Ok(item(ItemKind::Queue(ast::Queue {
            name: name(queue),
            discipline,
            capacity,
        })))
    }

    /// An event; none where neither queues nor interrupts may occur.
    fn event(&mut self, event: &str) -> Result<Option<Item>> {
        let queues: Vec<usize> = (0..self.world.queues.len()).collect();
        let mut queue = self.any_of(&queues)?;
        if self.allows(Feature::Interrupts) && self.odds(100)? {
            queue = None;
        }
        if queue.is_none() && !self.allows(Feature::Interrupts) {
            return Ok(None);
        }
        let (mut listener, mut listens) = (None, None);
        let listeners = if self.odds(64)? {
            let plain = self.order(None, 1)?;
            let placed = is_along(&plain) || is_seated(&plain);
            match placed {
                true => Some(plain),
                false => {
                    let (order, listening) = self.listeners(plain)?;
                    listens = listening.as_ref().map(|one| one.sort);
                    listener = listening.map(|one| one.called);
                    Some(order)
                }
            }
        } else {
            None
        };
        let raised = match self.may(Feature::Raised, 24)? {
            true => self.raised()?,
            false => None,
        };
        let is_raised = raised.is_some();
        let (params, types, whenever) = match raised {
            Some(raised) => (raised.params, raised.types, Some(raised.condition)),
            None => {
                let params = self.params(2)?;
                let types = params.iter().map(|(_, ty)| *ty).collect();
                (self.written(&params), types, None)
            }
        };
        self.world.events.push(Event {
            name: event.to_owned(),
            params: types,
            queue,
            raised: is_raised,
            along: listeners.as_ref().is_some_and(is_along),
            seated: listeners.as_ref().is_some_and(is_seated),
            listens,
            line: None,
        });
        Ok(Some(item(ItemKind::Event(ast::Event {
            name: name(event),
            params,
            whenever,
            queue: queue.map(|queue| name(&self.world.queues[queue].name)),
            listener,
            listeners,
        }))))
    }

    /// Up to so many parameters.
    pub(super) fn params(&mut self, most: usize) -> Result<Vec<(String, Ty)>> {
        let mut types = vec![(2, Ty::Int), (1, Ty::Bool)];
        types.extend(self.world.things().map(|sort| (5, Ty::Entity(sort))));
        types.extend(self.world.players().map(|sort| (2, Ty::Entity(sort))));
        if self.allows(Feature::Links) {
            types.extend(self.world.things().map(|sort| (1, Ty::Optional(sort))));
        }
        let ranges = self.world.ranges();
        types.extend(ranges.iter().filter_map(|(_, ty)| match ty {
            Ty::Enum(_) => Some((1, *ty)),
            _ => None,
        }));
        let count = self.below(most + 1)?;
        self.scoped(|maker| {
            let each = (0..count).map(|_| {
                let ty = maker.pick(&types)?;
                Ok((maker.bind(ty), ty))
            });
            each.collect()
        })
    }

    /// Parameters as they are declared.
    pub(super) fn written(&self, params: &[(String, Ty)]) -> Vec<Param> {
        let each = params.iter().map(|(param, ty)| Param {
            name: name(param),
            ty: self.type_of(*ty),
            value: None,
        });
        each.collect()
    }

    fn type_of(&self, ty: Ty) -> TypeExpr {
        let (optional, of) = match ty {
            Ty::Bool => return TypeExpr::Boolean,
            Ty::Int => {
                return TypeExpr::Integer {
                    document: None,
                    explore: Vec::new(),
                    reach: None,
                };
            }
            Ty::Enum(at) => (false, &self.world.enums[at].name),
            Ty::Entity(at) => (false, &self.world.sorts[at].name),
            Ty::Optional(at) => (true, &self.world.sorts[at].name),
        };
        TypeExpr::Named {
            optional,
            name: name(of),
        }
    }

    /// Makes something in the scope of parameters.
    pub(super) fn with_params<T>(
        &mut self,
        params: &[(String, Ty)],
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.scoped(|maker| {
            maker.locals.extend(params.iter().cloned());
            make(maker)
        })
    }

    fn define(&mut self, define: &str) -> Result<Item> {
        let params = self.params(2)?;
        let mut types = vec![(3, Ty::Bool), (3, Ty::Int)];
        types.extend((0..self.world.enums.len()).map(|at| (1, Ty::Enum(at))));
        let ty = self.pick(&types)?;
        let around = Around {
            defined: self.world.defines.len(),
            ..Around::default()
        };
        let body = self.amid(around, |maker| {
            maker.with_params(&params, |maker| maker.value(ty, 2))
        })?;
        self.world.defines.push(Define {
            name: define.to_owned(),
            params: params.iter().map(|(_, ty)| *ty).collect(),
            ty,
            continuous: false,
        });
        Ok(item(ItemKind::Define(ast::Define {
            continuous: None,
            name: name(define),
            params: self.written(&params),
            body,
        })))
    }

    fn legal(&mut self, legal: &str, explored: bool) -> Result<Item> {
        let around = Around {
            defined: self.world.defines.len(),
            ..Around::default()
        };
        let condition = self.amid(around, |maker| maker.probable())?;
        Ok(item(ItemKind::Legal(Legal {
            explored,
            name: name(legal),
            condition,
        })))
    }

    /// A condition that something often meets.
    pub(super) fn probable(&mut self) -> Result<Expr> {
        let may = condition(self.truth(2)?);
        if self.odds(96)? {
            return Ok(may);
        }
        let or = condition(self.truth(1)?);
        Ok(binary(ast::BinaryOp::Or, may, or))
    }
}

/// Whether an order takes things as they lie, under some reading.
fn is_along(order: &Order) -> bool {
    match order {
        Order::Zone { .. } => true,
        Order::Per(per) => per.alternatives.iter().any(|(_, one)| is_along(one)),
        Order::Ranked(ranked) => ranked.then.as_ref().is_some_and(is_along),
        Order::Any | Order::Players { .. } | Order::Chosen(_) | Order::Own => false,
    }
}

/// Whether an order is that of the players, under some reading.
fn is_seated(order: &Order) -> bool {
    match order {
        Order::Players { .. } => true,
        Order::Per(per) => per.alternatives.iter().any(|(_, one)| is_seated(one)),
        Order::Ranked(ranked) => ranked.then.as_ref().is_some_and(is_seated),
        Order::Any | Order::Zone { .. } | Order::Chosen(_) | Order::Own => false,
    }
}
