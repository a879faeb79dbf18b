//! A run in the Informal Trace Format, which viewers of Apalache and Quint read.
//!
//! ```json
//! { "vars": ["round", "Card", "deck", "happened"],
//!   "states": [{ "round": {"#bigint": "1"}, "deck": ["wolf"], "happened": "the board", … }, …],
//!   "loop": 3 }
//! ```
//!
//! A variable is an integer, a truth value or text; a sort a map from the names of its entities to records of their
//! fields; a zone the names of what lies there, first to last, or, where each of several has one, a map from their
//! names to that; a queue what waits there in words. Where there is nothing stands "none". The states are the board
//! and what it is after each moment of which a trace tells something; `happened` tells it. Of a run that goes round
//! for ever, `loop` is the state that comes after the last, unless something is only counted, and is another number
//! after each round.
//!
//! Source: Apalache, ADR 015, "Informal Trace Format in JSON".

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::report::called::Called;
use crate::report::outcome::end;
use crate::report::trace::{LineKind, entries};
use crate::report::words::Words;
use endstep_language::index::Id;
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{EntityId, Program, Type, Value, ZoneId};
use endstep_semantics::semantics::{Data, Key, Names};
use endstep_semantics::witness::{ReplayError, Run, RunEnd, Witness, trace};
use serde_json::{Map, Value as Json, json};

/// Where the format is described.
const DESCRIBED: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";

/// What says what happened.
const HAPPENED: &str = "happened";

/// A run of a witness, counted from 0; nothing if it has no such run.
///
/// # Errors
///
/// Where the run cannot be replayed.
pub fn itf(
    program: &Program,
    sources: &SourceMap,
    witness: &Witness,
    at: usize,
) -> Option<Result<Json, ReplayError>> {
    let words = Words { program, sources };
    let titles = Called::of(words, witness).titles;
    let (run, title) = (*witness.runs().get(at)?, titles.get(at)?);
    Some(states(words, run, title))
}

fn states(words: Words<'_>, run: &Run, title: &str) -> Result<Json, ReplayError> {
    let Words { program, sources } = words;
    let followed = trace(program, run)?;
    let board = Board {
        program,
        names: &run.names,
        called: Variables::of(program),
    };
    let mut data = Arc::new(run.board.clone());
    let mut states = vec![board.state(&data, "the board", 0)];
    let mut round = None;
    let mut begun = None;
    for entry in entries(words, &run.names, &followed.moments) {
        if let Some(after) = &entry.moment.data {
            data = Arc::clone(after);
        }
        if entry
            .lines
            .iter()
            .any(|line| line.kind == LineKind::Repeats)
        {
            round = Some(states.len());
            begun = Some(Arc::clone(&data));
            continue;
        }
        let lines = entry.lines.iter().map(|line| line.text.as_str());
        let told: Vec<&str> = entry.heading.as_deref().into_iter().chain(lines).collect();
        states.push(board.state(&data, &told.join("; "), states.len()));
    }
    let mut out = json!({
        "#meta": {
            "format": "ITF",
            "format-description": DESCRIBED,
            "source": sources.files().next().map(|(_, file)| file.name()),
            "description": format!("{title}; {}", end(words, run)),
            "endstep": env!("CARGO_PKG_VERSION"),
        },
        "params": [],
        "vars": board.called.all(),
        "states": states,
    });
    // If nothing happens in the round, the last state follows itself. A tally never comes back to what it was.
    let comes_back = begun.as_ref() == Some(&data);
    if let (RunEnd::Loop { .. }, Some(round), true) = (&run.end, round, comes_back) {
        let last = states.len() - 1;
        out["loop"] = json!(round.min(last));
    }
    Ok(out)
}

/// What everything is called: names of different kinds may be one.
struct Variables {
    vars: Vec<String>,
    sorts: Vec<String>,
    zones: Vec<String>,
    queues: Vec<String>,
    happened: String,
}

impl Variables {
    fn of(program: &Program) -> Self {
        let mut known = BTreeMap::new();
        let mut own = |name: &String| {
            let count = known.entry(name.clone()).or_insert(0);
            *count += 1;
            match count {
                1 => name.clone(),
                count => format!("{name}_{count}"),
            }
        };
        let vars = program.vars.values().iter().map(|one| &one.name);
        let vars = vars.map(&mut own).collect();
        let sorts = program.sorts.values().iter().map(|one| &one.name);
        let sorts = sorts.map(&mut own).collect();
        let zones = program.zones.values().iter().map(|one| &one.name);
        let zones = zones.map(&mut own).collect();
        let queues = program.queues.values().iter().map(|one| &one.name);
        let queues = queues.map(&mut own).collect();
        Self {
            vars,
            sorts,
            zones,
            queues,
            happened: own(&HAPPENED.to_owned()),
        }
    }

    fn all(&self) -> Vec<&String> {
        let places = self.vars.iter().chain(&self.sorts);
        let places = places.chain(&self.zones).chain(&self.queues);
        places.chain([&self.happened]).collect()
    }
}

/// Boards of one run.
struct Board<'a> {
    program: &'a Program,
    names: &'a Names,
    called: Variables,
}

impl Board<'_> {
    fn state(&self, data: &Data, happened: &str, index: usize) -> Json {
        let program = self.program;
        let mut out = Map::new();
        out.insert("#meta".to_owned(), json!({ "index": index }));
        let vars = self.called.vars.iter().zip(program.vars.values());
        for ((name, var), value) in vars.zip(&data.vars) {
            out.insert(name.clone(), self.value(*value, var.ty));
        }
        for (name, sort) in self.called.sorts.iter().zip(program.sorts.ids()) {
            let members = data.members(sort);
            let members = members.map(|id| json!([self.names.entity(id), self.entity(data, id)]));
            out.insert(name.clone(), json!({ "#map": members.collect::<Vec<_>>() }));
        }
        for (name, zone) in self.called.zones.iter().zip(program.zones.ids()) {
            out.insert(name.clone(), self.zone(data, zone));
        }
        for (name, waiting) in self.called.queues.iter().zip(&data.queues) {
            let key = |one: &_| self.names.key(program, &Key::Instance(Clone::clone(one)));
            out.insert(name.clone(), waiting.iter().map(key).collect());
        }
        out.insert(self.called.happened.clone(), json!(happened));
        Json::Object(out)
    }

    fn entity(&self, data: &Data, id: EntityId) -> Json {
        let Some(entity) = data.entities.get(id.index()) else {
            return json!({});
        };
        let fields = self.program.sorts[entity.sort].fields.iter();
        let fields = fields.map(|&field| &self.program.fields[field]);
        let fields = fields.zip(&entity.fields);
        let fields =
            fields.map(|(field, value)| (field.name.clone(), self.value(*value, field.ty)));
        Json::Object(fields.collect())
    }

    fn zone(&self, data: &Data, zone: ZoneId) -> Json {
        let own = data.zones.iter().filter(|(key, _)| key.0 == zone);
        let contents = |contents: &Vec<EntityId>| -> Vec<String> {
            contents.iter().map(|&id| self.names.entity(id)).collect()
        };
        let mut owned = Vec::new();
        for ((_, owner), inside) in own {
            match owner {
                None => return json!(contents(inside)),
                Some(owner) => owned.push(json!([self.names.entity(*owner), contents(inside)])),
            }
        }
        json!({ "#map": owned })
    }

    fn value(&self, value: Value, ty: Type) -> Json {
        match value {
            // Numbers of JSON are not exact everywhere.
            Value::Int(number) => json!({ "#bigint": number.to_string() }),
            Value::Bool(holds) => json!(holds),
            Value::None | Value::Enum(_) | Value::Entity(_) => {
                json!(self.names.value(self.program, value, ty.into()))
            }
        }
    }
}
