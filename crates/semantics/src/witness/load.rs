//! Reads a witness that was written as JSON, and says what does not fit the specification any more.

use std::sync::Arc;

use super::demand::ways;
use super::named::{
    LoadError, Loaded, find, load_observer, load_violated, position, sequence, step, stmt,
};
use super::region;
use super::replay::{actual_end, side_outcomes};
use super::run::{
    Ability, Closed, Demands, Power, Root, Run, RunEnd, Side, Versus, Violated, Witness,
};
use super::save::{VERSION, Writer};
use super::saved::{
    SavedData, SavedEnd, SavedInstance, SavedKey, SavedRun, SavedShows, SavedSide, SavedSpot,
    SavedValue, SavedVariant, SavedViolated, SavedWitness,
};
use crate::semantics::{
    Data, Ended, Entity, Instance, Key, KeyType, Names, Readings, Spot, Tag, Variant, ZoneKey,
};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    EntityId, ObserverId, Program, StmtKind, Tallies, Type, Value,
};

/// Reads the text of a file. Sets of outcomes are not in it; they are enumerated anew.
pub fn from_json(program: &Program, text: &str) -> Loaded<Witness> {
    let saved: SavedWitness = serde_json::from_str(text).map_err(|_| LoadError::Malformed)?;
    if saved.version != VERSION {
        return Err(LoadError::Version(saved.version));
    }
    let run = |saved: &SavedRun| load_run(program, saved);
    let seen = |name: &Option<String>| load_observer(program, name.as_ref());
    Ok(match &saved.shows {
        SavedShows::Run {
            run: saved,
            violated,
        } => Witness::Run {
            run: run(saved)?,
            violated: match violated {
                Some(violated) => load_violated(program, violated)?,
                None => Violated::Nothing,
            },
        },
        SavedShows::Versus {
            run: saved,
            side,
            against,
            other,
            observer,
        } => {
            let sides = ((run(saved)?, side), (run(against)?, other));
            load_versus(program, sides, seen(observer)?)?
        }
        SavedShows::Again {
            first,
            second,
            observer,
        } => Witness::Again {
            first: run(first)?,
            second: run(second)?,
            observer: seen(observer)?,
        },
        SavedShows::Lasso {
            run: saved,
            closed,
            uncounted,
        } => Witness::Lasso {
            run: run(saved)?,
            closed: load_closed(*closed, *uncounted),
        },
        SavedShows::Growth { run: saved, later } => load_growth(program, run(saved)?, later)?,
        SavedShows::Power {
            player,
            ability,
            able,
            unable,
            observer,
        } => {
            let sides = (run(able)?, run(unable)?);
            let who = (player.as_deref(), ability.as_str());
            load_power(program, who, sides, seen(observer)?)?
        }
        SavedShows::Demands {
            core,
            runs,
            observer,
        } => {
            let runs = runs.iter().map(run).collect::<Loaded<_>>()?;
            load_demands(program, (core, runs), seen(observer)?)?
        }
    })
}

fn load_versus(
    program: &Program,
    ((run, side), (against, other)): ((Run, &SavedSide), (Run, &SavedSide)),
    observer: Option<ObserverId>,
) -> Loaded<Witness> {
    let side = load_side(program, &run, side)?;
    let other = load_side(program, &against, other)?;
    let outcomes = side_outcomes(program, &against, &other, observer);
    Ok(Witness::Versus(Box::new(Versus {
        run,
        side,
        outcomes: outcomes.map_err(LoadError::Run)?,
        against,
        other,
        observer,
    })))
}

fn load_power(
    program: &Program,
    (player, ability): (Option<&str>, &str),
    (able, unable): (Run, Run),
    observer: Option<ObserverId>,
) -> Loaded<Witness> {
    let reader = Reader::of(program, &able.names, able.board.entities.len());
    let (ability, so) = match ability {
        "force" => (Ability::Force, &able),
        "avoid" => (Ability::Avoid, &unable),
        other => return Err(LoadError::Value(other.to_owned())),
    };
    let outcome = region::outcome_of(program, so, observer);
    Ok(Witness::Power(Box::new(Power {
        player: player.map(|player| reader.entity(player)).transpose()?,
        ability,
        outcome: outcome.map_err(LoadError::Run)?,
        able,
        unable,
        observer,
    })))
}

fn load_demands(
    program: &Program,
    (core, runs): (&[SavedViolated], Vec<Run>),
    observer: Option<ObserverId>,
) -> Loaded<Witness> {
    let core = core.iter().map(|one| load_violated(program, one));
    let core: Vec<Violated> = core.collect::<Loaded<_>>()?;
    let first = runs.first().ok_or(LoadError::Malformed)?;
    let ways = ways(program, first, (&core, observer)).map_err(LoadError::Run)?;
    Ok(Witness::Demands(Box::new(Demands {
        core,
        runs,
        ways,
        observer,
    })))
}

fn load_side(program: &Program, run: &Run, saved: &SavedSide) -> Loaded<Side> {
    let reader = Reader::of(program, &run.names, usize::MAX);
    let then = saved.then.as_ref().map(|key| reader.key(key)).transpose()?;
    Ok(Side {
        fixed: saved.fixed,
        then,
    })
}

fn load_run(program: &Program, saved: &SavedRun) -> Loaded<Run> {
    let board = saved.board.entities.iter().filter(|one| !one.created);
    let names = Names {
        board: board.map(|one| one.name.clone()).collect(),
    };
    let reader = Reader::of(program, &names, usize::MAX);
    let root = if saved.perform.contains('/') {
        let step = step(program, &saved.perform)?;
        let over = &program.sequences[program.steps[step].sequence].over;
        match (over, saved.args.as_slice()) {
            (_, []) => Root::Step(step, Value::None),
            (Some(over), [place]) => Root::Step(step, reader.value(place, over.binder.ty)?),
            (_, args) => return Err(LoadError::Value(format!("{} arguments", args.len()))),
        }
    } else {
        let sequence = sequence(program, &saved.perform)?;
        let params = &program.sequences[sequence].params;
        if params.len() != saved.args.len() {
            return Err(LoadError::Value(format!("{} arguments", saved.args.len())));
        }
        let args = saved.args.iter().zip(params);
        let args = args.map(|(value, param)| reader.value(value, param.ty));
        Root::Sequence(sequence, args.collect::<Loaded<_>>()?)
    };
    let mut readings = Readings::new();
    for (name, alternative) in &saved.readings {
        let id = find(&program.readings, "reading", name, |one| &one.name)?;
        let all = &program.readings[id].alternatives;
        let at = position(all, "alternative", alternative, |one| &one.name)?;
        readings.insert(id, u16::try_from(at).unwrap_or(u16::MAX));
    }
    let choices = saved.choices.iter().map(|key| reader.key(key));
    let mut run = Run {
        root,
        readings,
        variant: load_variant(program, &saved.variant)?,
        board: reader.data(&saved.board)?,
        choices: choices.collect::<Loaded<_>>()?,
        end: open_end(&saved.end),
        names: names.clone(),
    };
    run.end = actual_end(program, &run).map_err(LoadError::Run)?;
    let now = known_to(&saved.end, Writer::new(program, &names).end(&run.end));
    if now == saved.end {
        Ok(run)
    } else {
        Err(LoadError::EndsOtherwise(saved.end.words(), now.words()))
    }
}

/// An end of the same kind, to be filled in by doing the run.
fn open_end(saved: &SavedEnd) -> RunEnd {
    match saved {
        SavedEnd::Ended { .. } => RunEnd::Ended(Ended {
            tag: Tag::End,
            data: Arc::default(),
        }),
        SavedEnd::Loop { stem, cycle } => RunEnd::Loop {
            stem: *stem,
            cycle: *cycle,
        },
        SavedEnd::Grows { stem, cycle } => RunEnd::Grows {
            stem: *stem,
            cycle: *cycle,
        },
        SavedEnd::Stopped { steps, .. } => RunEnd::Stopped {
            steps: *steps,
            data: Data::default(),
        },
    }
}

/// An end without the variables and fields that a file does not know, because they are newer.
fn known_to(saved: &SavedEnd, mut now: SavedEnd) -> SavedEnd {
    let (
        SavedEnd::Ended { data: old, .. } | SavedEnd::Stopped { data: old, .. },
        SavedEnd::Ended { data, .. } | SavedEnd::Stopped { data, .. },
    ) = (saved, &mut now)
    else {
        return now;
    };
    data.vars.retain(|name, _| old.vars.contains_key(name));
    for (entity, before) in data.entities.iter_mut().zip(&old.entities) {
        entity
            .fields
            .retain(|name, _| before.fields.contains_key(name));
    }
    now
}

fn load_growth(program: &Program, run: Run, later: &[Vec<SavedKey>]) -> Loaded<Witness> {
    let reader = Reader::of(program, &run.names, usize::MAX);
    let keys = |keys: &Vec<SavedKey>| keys.iter().map(|key| reader.key(key)).collect();
    let later = later.iter().map(keys).collect::<Loaded<_>>()?;
    Ok(Witness::Growth { run, later })
}

fn load_closed(closed: Option<u64>, uncounted: bool) -> Option<Closed> {
    closed.map(|states| Closed { states, uncounted })
}

fn load_variant(program: &Program, saved: &SavedVariant) -> Loaded<Variant> {
    let free = saved.free.iter().map(|path| stmt(program, path));
    let contracts = saved.contracts.iter().map(|name| sequence(program, name));
    let skip = saved.skip.as_ref().map(|path| step(program, path));
    Ok(Variant {
        free: free.collect::<Loaded<_>>()?,
        skip: skip.transpose()?,
        contracts: contracts.collect::<Loaded<_>>()?,
        extra: saved.extra,
        still: Tallies::default(),
    })
}

/// Reads things with the names of one board.
struct Reader<'a> {
    program: &'a Program,
    names: &'a Names,
    /// Created entities have numbers below this.
    most: usize,
}

impl<'a> Reader<'a> {
    fn of(program: &'a Program, names: &'a Names, most: usize) -> Self {
        Self {
            program,
            names,
            most,
        }
    }

    fn entity(&self, name: &str) -> Loaded<EntityId> {
        let board = &self.names.board;
        if let Some(at) = board.iter().position(|one| one == name) {
            return Ok(EntityId::from_index(at));
        }
        let number = name
            .strip_prefix(self.names.created())
            .and_then(|rest| rest.strip_prefix(' '))
            .and_then(|n| n.parse::<u32>().ok());
        number
            .map(|number| board.len() + number as usize)
            .and_then(|after| after.checked_sub(1))
            .filter(|&at| at < self.most && at < u32::MAX as usize)
            .map(EntityId::from_index)
            .ok_or_else(|| LoadError::Unknown("entity", name.to_owned()))
    }

    fn value(&self, saved: &SavedValue, ty: Type) -> Loaded<Value> {
        let wrong = || LoadError::Value(saved.to_string());
        match (saved, ty) {
            (SavedValue::Null, Type::Optional(_) | Type::Entity(_)) => Ok(Value::None),
            (SavedValue::Bool(b), Type::Bool) => Ok(Value::Bool(*b)),
            (SavedValue::Number(n), Type::Int) => n.as_i64().map(Value::Int).ok_or_else(wrong),
            (SavedValue::String(name), Type::Entity(_) | Type::Optional(_)) => {
                self.entity(name).map(Value::Entity)
            }
            (SavedValue::String(name), Type::Enum(id)) => {
                let values = &self.program.enums[id].values;
                let at = position(values, "value", name, String::as_str)?;
                Ok(Value::Enum(u16::try_from(at).map_err(|_| wrong())?))
            }
            _ => Err(wrong()),
        }
    }

    fn data(&self, saved: &SavedData) -> Loaded<Data> {
        let program = self.program;
        let mut data = Data::empty(program);
        for one in &saved.entities {
            let sort = find(&program.sorts, "sort", &one.sort, |sort| &sort.name)?;
            let mut fields = Vec::new();
            for &field in &program.sorts[sort].fields {
                let declared = &program.fields[field];
                fields.push(match one.fields.get(&declared.name) {
                    Some(value) => self.value(value, declared.ty)?,
                    None => declared.starts.unwrap_or(declared.default),
                });
            }
            let known = |name: &String| {
                let fields = &program.sorts[sort].fields;
                fields
                    .iter()
                    .any(|&field| program.fields[field].name == *name)
            };
            if let Some(unknown) = one.fields.keys().find(|name| !known(name)) {
                return Err(LoadError::Unknown("field", unknown.clone()));
            }
            data.entities.push(Entity {
                sort,
                created: one.created,
                removed: one.removed,
                fields,
            });
        }
        for (id, var) in program.vars.iter() {
            data.vars[id.index()] = var.starts.unwrap_or(var.default);
        }
        for (name, value) in &saved.vars {
            let id = find(&program.vars, "variable", name, |var| &var.name)?;
            data.vars[id.index()] = self.value(value, program.vars[id].ty)?;
        }
        data.add_zones(program);
        for zone in &saved.zones {
            let key = self.zone(&zone.zone, zone.of.as_deref())?;
            let holds = zone.holds.iter().map(|name| self.entity(name));
            data.zones.insert(key, holds.collect::<Loaded<_>>()?);
        }
        for (name, pending) in &saved.queues {
            let id = find(&program.queues, "queue", name, |queue| &queue.name)?;
            let pending = pending.iter().map(|one| self.instance(one));
            data.queues[id.index()] = pending.collect::<Loaded<_>>()?;
        }
        self.fits(&data)?;
        Ok(data)
    }

    /// Whether every entity that is spoken of exists.
    fn fits(&self, data: &Data) -> Loaded<()> {
        let fields = data.entities.iter().flat_map(|one| &one.fields);
        let values = fields.chain(&data.vars).filter_map(|value| match value {
            Value::Entity(id) => Some(*id),
            _ => None,
        });
        let lying = data.zones.values().flatten().copied();
        let owners = data.zones.keys().filter_map(|key| key.1);
        let mut all = values.chain(lying).chain(owners);
        match all.find(|id| id.index() >= data.entities.len()) {
            Some(id) => Err(LoadError::Unknown("entity", self.names.entity(id))),
            None => Ok(()),
        }
    }

    fn zone(&self, name: &str, of: Option<&str>) -> Loaded<ZoneKey> {
        let zone = find(&self.program.zones, "zone", name, |zone| &zone.name)?;
        let of = of.map(|of| self.entity(of)).transpose()?;
        if of.is_some() != self.program.zones[zone].per.is_some() {
            return Err(LoadError::Value(name.to_owned()));
        }
        Ok((zone, of))
    }

    fn instance(&self, saved: &SavedInstance) -> Loaded<Instance> {
        let program = self.program;
        let trigger = find(&program.triggers, "trigger", &saved.trigger, |one| {
            &one.name
        })?;
        let declared = &program.triggers[trigger];
        let listener = match &declared.listener {
            Some(binder) => self.value(&saved.listener, binder.ty)?,
            None => Value::None,
        };
        let params = &program.events[declared.event].params;
        if params.len() != saved.payload.len() {
            return Err(LoadError::Value(saved.trigger.clone()));
        }
        let payload = saved.payload.iter().zip(params);
        let payload = payload.map(|(value, param)| self.value(value, param.ty));
        Ok(Instance {
            trigger,
            listener,
            payload: payload.collect::<Loaded<_>>()?,
        })
    }

    fn writes(&self, saved: &[(SavedSpot, SavedValue)]) -> Loaded<Vec<(Spot, Value)>> {
        let program = self.program;
        let writes = saved.iter().map(|(spot, value)| {
            let (spot, ty) = match spot {
                SavedSpot::Var(name) => {
                    let id = find(&program.vars, "variable", name, |var| &var.name)?;
                    (Spot::Var(id), program.vars[id].ty)
                }
                SavedSpot::Field(entity, path) => {
                    let unknown = || LoadError::Unknown("field", path.clone());
                    let (sort, name) = path.split_once('.').ok_or_else(unknown)?;
                    let sort = find(&program.sorts, "sort", sort, |sort| &sort.name)?;
                    let fields = program.sorts[sort].fields.iter().copied();
                    let mut fields = fields.filter(|&id| program.fields[id].name == name);
                    let id = fields.next().ok_or_else(unknown)?;
                    (Spot::Field(self.entity(entity)?, id), program.fields[id].ty)
                }
            };
            Ok((spot, self.value(value, ty)?))
        });
        writes.collect()
    }

    fn key(&self, saved: &SavedKey) -> Loaded<Key> {
        let program = self.program;
        Ok(match saved {
            SavedKey::Entity(name) => {
                Key::Element(Value::Entity(self.entity(name)?), KeyType::Plain)
            }
            SavedKey::Value(value) => {
                let value = match value {
                    SavedValue::Null => Value::None,
                    SavedValue::Bool(b) => Value::Bool(*b),
                    other => self.value(other, Type::Int)?,
                };
                Key::Element(value, KeyType::Plain)
            }
            SavedKey::Named(of, name) => {
                let id = find(&program.enums, "type", of, |one| &one.name)?;
                let value = SavedValue::String(name.clone());
                Key::Element(self.value(&value, Type::Enum(id))?, KeyType::Enum(id))
            }
            SavedKey::Step(path) => Key::Step(step(program, path)?),
            SavedKey::Instance(instance) => Key::Instance(self.instance(instance)?),
            SavedKey::Option(path, label) => {
                let id = stmt(program, path)?;
                let at = match &program.stmts[id].kind {
                    StmtKind::ChooseOne { options, .. } => {
                        position(options, "option", label, |one| &one.0)?
                    }
                    _ => return Err(LoadError::Unknown("choice", path.clone())),
                };
                Key::Option(id, at)
            }
            SavedKey::Taken(path, taken) => Key::Taken(stmt(program, path)?, *taken),
            SavedKey::Case(path, at) => Key::Case(stmt(program, path)?, at.saturating_sub(1)),
            SavedKey::Write(writes) => match self.writes(writes)?.as_slice() {
                [(spot, value)] => Key::Write(*spot, *value),
                _ => return Err(LoadError::Value("a choice between writes".to_owned())),
            },
            SavedKey::Destination(entity, zone, of, first) => Key::Destination(
                self.entity(entity)?,
                self.zone(zone, of.as_deref())?,
                *first,
            ),
            SavedKey::Insert(name) => Key::Insert(self.entity(name)?),
            SavedKey::Announce(name, payload) => {
                let event = find(&program.events, "event", name, |one| &one.name)?;
                let params = &program.events[event].params;
                let payload = payload.iter().zip(params);
                let payload = payload.map(|(value, param)| self.value(value, param.ty));
                Key::Announce(event, payload.collect::<Loaded<_>>()?)
            }
            SavedKey::Values(writes) => Key::Values(self.writes(writes)?),
        })
    }
}
