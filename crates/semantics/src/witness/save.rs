//! Writes a witness as JSON, with names rather than numbers.
//!
//! ```json
//! { "perform": "cleanup", "readings": { "zero": "exactly" },
//!   "board": { "entities": [{ "name": "wolf", "sort": "Card", "fields": { "health": 0 } }], … },
//!   "choices": [{ "entity": "wolf" }], "end": { "ended": { "tag": "end", … } } }
//! ```

use super::run::{Ability, Root, Run, RunEnd, Side, Violated, Witness};
use super::saved::{
    SavedData, SavedEnd, SavedEntity, SavedInstance, SavedKey, SavedRun, SavedShows, SavedSide,
    SavedSpot, SavedValue, SavedVariant, SavedViolated, SavedWitness, SavedZone,
};
use super::words::{site_path, step_path};
use crate::semantics::{Data, Exceeded, GapName, Instance, Key, KeyType, Limit, Names, Spot, Tag};
use endstep_language::index::Id;
use endstep_language::typing::program::{ObserverId, Program, StmtKind, Type, Value};

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// The text of a file that [`from_json`](super::from_json) reads.
pub fn to_json(program: &Program, witness: &Witness) -> String {
    let saved = SavedWitness {
        version: VERSION,
        game: program.game.clone(),
        shows: shows(program, witness),
    };
    let mut text = serde_json::to_string_pretty(&saved).unwrap_or_default();
    text.push('\n');
    text
}

/// Data by names.
pub fn data_json(program: &Program, names: &Names, data: &Data) -> serde_json::Value {
    let data = Writer::new(program, names).data(data);
    serde_json::to_value(data).unwrap_or_default()
}

/// What was chosen, by names.
pub fn key_json(program: &Program, names: &Names, key: &Key) -> serde_json::Value {
    let key = Writer::new(program, names).key(key);
    serde_json::to_value(key).unwrap_or_default()
}

fn shows(program: &Program, witness: &Witness) -> SavedShows {
    let run = |run: &Run| Writer::new(program, &run.names).run(run);
    let observer = |id: Option<ObserverId>| id.map(|id| program.observers[id].name.clone());
    match witness {
        Witness::Run { run: one, violated } => SavedShows::Run {
            run: run(one),
            violated: violation(program, violated),
        },
        Witness::Versus(versus) => SavedShows::Versus {
            run: run(&versus.run),
            side: side(program, &versus.run, &versus.side),
            against: run(&versus.against),
            other: side(program, &versus.against, &versus.other),
            observer: observer(versus.observer),
        },
        Witness::Again {
            first,
            second,
            observer: seen,
        } => SavedShows::Again {
            first: run(first),
            second: run(second),
            observer: observer(*seen),
        },
        Witness::Lasso { run: one, closed } => SavedShows::Lasso {
            run: run(one),
            closed: closed.map(|closed| closed.states),
            uncounted: closed.is_some_and(|closed| closed.uncounted),
        },
        Witness::Growth { run: one, later } => {
            let writer = Writer::new(program, &one.names);
            let keys = |keys: &Vec<Key>| keys.iter().map(|key| writer.key(key)).collect();
            SavedShows::Growth {
                run: run(one),
                later: later.iter().map(keys).collect(),
            }
        }
        Witness::Power(power) => SavedShows::Power {
            player: power.player.map(|player| power.able.names.entity(player)),
            ability: match power.ability {
                Ability::Force => "force".to_owned(),
                Ability::Avoid => "avoid".to_owned(),
            },
            able: run(&power.able),
            unable: run(&power.unable),
            observer: observer(power.observer),
        },
        Witness::Demands(demands) => {
            let core = demands.core.iter();
            SavedShows::Demands {
                core: core.filter_map(|one| violation(program, one)).collect(),
                runs: demands.runs.iter().map(run).collect(),
                observer: observer(demands.observer),
            }
        }
    }
}

fn violation(program: &Program, violated: &Violated) -> Option<SavedViolated> {
    Some(match violated {
        Violated::Nothing => return None,
        Violated::Meets(gap) => SavedViolated::Meets(program.gaps.get(*gap)?.name.clone()),
        Violated::Legal(at) => SavedViolated::Legal(program.legals.get(*at)?.name.clone()),
        Violated::Ensures(step, at) => SavedViolated::Ensures(step_path(program, *step), at + 1),
        Violated::Contract(sequence, at) => {
            SavedViolated::Contract(program.sequences[*sequence].name.clone(), at + 1)
        }
        Violated::Frame(sequence) => {
            SavedViolated::Frame(program.sequences[*sequence].name.clone())
        }
        Violated::Claim(at) => SavedViolated::Claim(program.claims.get(*at)?.name.clone()),
        Violated::Takes(at, value) => {
            SavedViolated::Takes(program.claims.get(*at)?.name.clone(), *value)
        }
        Violated::Example(at, line) => {
            SavedViolated::Example(program.examples.get(*at)?.name.clone(), line + 1)
        }
        Violated::Everywhere(demand) => {
            SavedViolated::Everywhere(Box::new(violation(program, demand)?))
        }
    })
}

fn side(program: &Program, run: &Run, side: &Side) -> SavedSide {
    let writer = Writer::new(program, &run.names);
    SavedSide {
        fixed: side.fixed,
        then: side.then.as_ref().map(|key| writer.key(key)),
    }
}

/// Writes things with the names of one board.
pub(super) struct Writer<'a> {
    program: &'a Program,
    names: &'a Names,
}

impl<'a> Writer<'a> {
    /// With these names.
    pub fn new(program: &'a Program, names: &'a Names) -> Self {
        Self { program, names }
    }

    /// A run.
    pub fn run(&self, run: &Run) -> SavedRun {
        let program = self.program;
        let (perform, args) = match &run.root {
            Root::Sequence(sequence, args) => {
                let declared = &program.sequences[*sequence];
                let args = args.iter().zip(&declared.params);
                let args = args.map(|(value, param)| self.value(*value, param.ty));
                (declared.name.clone(), args.collect())
            }
            Root::Step(step, place) => {
                let over = &program.sequences[program.steps[*step].sequence].over;
                let place = over
                    .as_ref()
                    .filter(|_| *place != Value::None)
                    .map(|over| self.value(*place, over.binder.ty));
                (step_path(program, *step), place.into_iter().collect())
            }
        };
        let readings = run.readings.iter().map(|(reading, at)| {
            let declared = &program.readings[*reading];
            let alternative = declared.alternatives.get(usize::from(*at));
            let alternative = alternative.map_or_else(String::new, |one| one.name.clone());
            (declared.name.clone(), alternative)
        });
        let free = run.variant.free.iter();
        let contracts = run.variant.contracts.iter();
        SavedRun {
            perform,
            args,
            readings: readings.collect(),
            variant: SavedVariant {
                free: free.map(|stmt| program.stmts[*stmt].path.clone()).collect(),
                skip: run.variant.skip.map(|step| step_path(program, step)),
                contracts: contracts
                    .map(|sequence| program.sequences[*sequence].name.clone())
                    .collect(),
                extra: run.variant.extra,
            },
            board: self.data(&run.board),
            choices: run.choices.iter().map(|key| self.key(key)).collect(),
            end: self.end(&run.end),
        }
    }

    /// How a run ends.
    pub fn end(&self, end: &RunEnd) -> SavedEnd {
        match end {
            RunEnd::Ended(ended) => SavedEnd::Ended {
                tag: tag(self.program, self.names, &ended.tag),
                data: self.data(&ended.data),
            },
            RunEnd::Loop { stem, cycle } => SavedEnd::Loop {
                stem: *stem,
                cycle: *cycle,
            },
            RunEnd::Grows { stem, cycle } => SavedEnd::Grows {
                stem: *stem,
                cycle: *cycle,
            },
            RunEnd::Stopped { steps, data } => SavedEnd::Stopped {
                steps: *steps,
                data: self.data(data),
            },
        }
    }

    fn value(&self, value: Value, ty: Type) -> SavedValue {
        match value {
            Value::None => SavedValue::Null,
            Value::Bool(b) => b.into(),
            Value::Int(n) => n.into(),
            Value::Entity(id) => self.names.entity(id).into(),
            Value::Enum(_) => self.names.value(self.program, value, ty.into()).into(),
        }
    }

    fn data(&self, data: &Data) -> SavedData {
        let program = self.program;
        let entities = data.entities.iter().enumerate().map(|(at, entity)| {
            let sort = &program.sorts[entity.sort];
            let fields = sort
                .fields
                .iter()
                .zip(&entity.fields)
                .map(|(field, value)| {
                    let declared = &program.fields[*field];
                    (declared.name.clone(), self.value(*value, declared.ty))
                });
            SavedEntity {
                name: self.names.entity(Id::from_index(at)),
                sort: sort.name.clone(),
                created: entity.created,
                removed: entity.removed,
                fields: fields.collect(),
            }
        });
        let vars = program.vars.values().iter().zip(&data.vars);
        let zones = data
            .zones
            .iter()
            .filter(|(_, contents)| !contents.is_empty());
        let queues = program.queues.values().iter().zip(&data.queues);
        let queues = queues.filter(|(_, pending)| !pending.is_empty());
        SavedData {
            entities: entities.collect(),
            vars: vars
                .map(|(var, value)| (var.name.clone(), self.value(*value, var.ty)))
                .collect(),
            zones: zones
                .map(|((zone, of), contents)| SavedZone {
                    zone: program.zones[*zone].name.clone(),
                    of: of.map(|of| self.names.entity(of)),
                    holds: contents.iter().map(|&id| self.names.entity(id)).collect(),
                })
                .collect(),
            queues: queues
                .map(|(queue, pending)| {
                    let pending = pending.iter().map(|one| self.instance(one));
                    (queue.name.clone(), pending.collect())
                })
                .collect(),
        }
    }

    fn instance(&self, instance: &Instance) -> SavedInstance {
        let trigger = &self.program.triggers[instance.trigger];
        let listener = trigger.listener.as_ref().map(|binder| binder.ty);
        let params = &self.program.events[trigger.event].params;
        let payload = instance.payload.iter().zip(params);
        SavedInstance {
            trigger: trigger.name.clone(),
            listener: listener.map_or(SavedValue::Null, |ty| self.value(instance.listener, ty)),
            payload: payload
                .map(|(value, param)| self.value(*value, param.ty))
                .collect(),
        }
    }

    fn spot(&self, spot: Spot) -> (SavedSpot, Type) {
        match spot {
            Spot::Var(var) => {
                let var = &self.program.vars[var];
                (SavedSpot::Var(var.name.clone()), var.ty)
            }
            Spot::Field(entity, field) => {
                let field = &self.program.fields[field];
                let entity = self.names.entity(entity);
                let sort = &self.program.sorts[field.sort].name;
                let name = format!("{sort}.{}", field.name);
                (SavedSpot::Field(entity, name), field.ty)
            }
        }
    }

    fn writes(&self, writes: &[(Spot, Value)]) -> Vec<(SavedSpot, SavedValue)> {
        let writes = writes.iter().map(|(spot, value)| {
            let (spot, ty) = self.spot(*spot);
            (spot, self.value(*value, ty))
        });
        writes.collect()
    }

    fn key(&self, key: &Key) -> SavedKey {
        let program = self.program;
        match key {
            Key::Element(Value::Entity(id), _) => SavedKey::Entity(self.names.entity(*id)),
            Key::Element(value @ Value::Enum(_), KeyType::Enum(id)) => SavedKey::Named(
                program.enums[*id].name.clone(),
                self.names.value(program, *value, KeyType::Enum(*id)),
            ),
            Key::Element(value, _) => SavedKey::Value(self.value(*value, Type::Int)),
            Key::Step(step) => SavedKey::Step(step_path(program, *step)),
            Key::Instance(instance) => SavedKey::Instance(self.instance(instance)),
            Key::Option(stmt, at) => {
                let stmt = &program.stmts[*stmt];
                let label = match &stmt.kind {
                    StmtKind::ChooseOne { options, .. } => options.get(*at).map(|one| &one.0),
                    _ => None,
                };
                SavedKey::Option(stmt.path.clone(), label.cloned().unwrap_or_default())
            }
            Key::Taken(stmt, taken) => SavedKey::Taken(program.stmts[*stmt].path.clone(), *taken),
            Key::Case(stmt, at) => SavedKey::Case(program.stmts[*stmt].path.clone(), at + 1),
            Key::Write(spot, value) => SavedKey::Write(self.writes(&[(*spot, *value)])),
            Key::Destination(id, (zone, of), first) => SavedKey::Destination(
                self.names.entity(*id),
                program.zones[*zone].name.clone(),
                of.map(|of| self.names.entity(of)),
                *first,
            ),
            Key::Insert(id) => SavedKey::Insert(self.names.entity(*id)),
            Key::Announce(event, payload) => {
                let event = &program.events[*event];
                let payload = payload.iter().zip(&event.params);
                let payload = payload.map(|(value, param)| self.value(*value, param.ty));
                SavedKey::Announce(event.name.clone(), payload.collect())
            }
            Key::Values(writes) => SavedKey::Values(self.writes(writes)),
        }
    }
}

/// A tag in words, by names.
pub fn tag(program: &Program, names: &Names, tag: &Tag) -> String {
    let whom = |who: &Option<endstep_language::typing::program::EntityId>| {
        who.map_or_else(|| "everyone".to_owned(), |who| names.entity(who))
    };
    match tag {
        Tag::End => "end".to_owned(),
        Tag::Win(who) => format!("win for {}", whom(who)),
        Tag::Loss(who) => format!("loss for {}", whom(who)),
        Tag::Draw => "draw".to_owned(),
        Tag::Gap(GapName::Named(gap)) => format!("gap {}", program.gaps[*gap].name),
        Tag::Gap(GapName::Implicit(cause, site, _)) => {
            format!("gap: {} at {}", cause.words(), site_path(program, *site))
        }
        Tag::Conflict(site) => format!("conflict at {}", site_path(program, *site)),
        Tag::Range(Exceeded::Spot(spot, _)) => format!("range {}", names.spot(program, *spot)),
        Tag::Range(Exceeded::Zone(zone)) => format!("range {}", program.zones[*zone].name),
        Tag::Stuck(sequence) => format!("stuck in {}", program.sequences[*sequence].name),
        Tag::Limit(limit) => format!("limit: {}", limit_words(program, names, *limit)),
    }
}

fn limit_words(program: &Program, names: &Names, limit: Limit) -> String {
    match limit {
        Limit::Reach(spot, _) => format!("reach of {}", names.spot(program, spot)),
        Limit::Headroom(sort) => format!("headroom of {}", program.sorts[sort].name),
        Limit::Queue(queue) => format!("queue {}", program.queues[queue].name),
        Limit::Interrupts => "nested triggers".to_owned(),
        Limit::Expressions => "expressions evaluated at once".to_owned(),
        Limit::Overflow => "integers of 64 bits".to_owned(),
        Limit::Values => "values to choose from".to_owned(),
    }
}
