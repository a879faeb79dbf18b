//! Conformance vectors as JSON, by the names of the specification; `docs/conformance.md` describes it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::layout::list;
use super::ranges::chosen_values;
use super::words::{Words, kind, who};
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{
    ClauseIdx, FieldId, ObserverId, Program, ReadingId, SequenceId, SortId, StmtId, StmtKind,
    TriggerId,
};
use endstep_semantics::semantics::{Ended, Note, Readings, Site};
use endstep_semantics::witness::{
    Ends, Instant, Lens, Made, Root, Run, RunEnd, choice_path, data_json, key_json, step_path, tag,
};

/// The version of the format.
pub const VECTORS_VERSION: u32 = 1;

/// Something to be covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// Something that rests on a clause is done.
    Clause(ClauseIdx),
    /// A statement goes one of its ways.
    Branch(StmtId, Way),
    /// A run that depends on a reading is done under one of its alternatives.
    Alternative(ReadingId, u16),
    /// A trigger is resolved.
    Trigger(TriggerId),
    /// A trigger is resolved, and the next one is this.
    After(TriggerId, TriggerId),
    /// Something is chosen among several.
    Choice(Site),
}

/// Which way a statement goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// The n-th block: of a condition, case or option.
    Block(usize),
    /// None of them, or what is done otherwise.
    Otherwise,
    /// Of an iteration: at least one turn.
    Turns,
    /// Of an iteration: none.
    NoTurn,
    /// What may be done is done.
    Taken,
    /// It is not.
    NotTaken,
}

/// A run that other programs can be compared with.
#[derive(Debug, Clone)]
pub struct Vector {
    /// The run.
    pub run: Run,
    /// Its micro-steps.
    pub instants: Vec<Instant>,
    /// What counts in its outcome.
    pub observer: Option<ObserverId>,
    /// All outcomes, whatever is chosen, each with an end that has it; none if they are too many.
    pub allowed: Option<Ends>,
    /// What it covers.
    pub covers: BTreeSet<Goal>,
}

/// Vectors, and what they come to.
#[derive(Debug, Clone, Default)]
pub struct Vectors {
    /// How many runs were found that end; the vectors are a few of them.
    pub runs: usize,
    /// Those of small boards first.
    pub all: Vec<Vector>,
    /// What is covered.
    pub covered: BTreeSet<Goal>,
    /// What no run that was found does.
    pub missed: BTreeSet<Goal>,
    /// What of that no run from any legal board that was explored does.
    pub nowhere: BTreeSet<Goal>,
    /// To what that is restricted besides.
    pub within: Within,
}

/// What of the runs of a specification was not looked at.
#[derive(Debug, Clone, Default)]
pub struct Within {
    /// Only runs of this sequence were.
    pub sequence: Option<SequenceId>,
    /// Only boards with the condition of one of these `verify`, by position.
    pub conditions: Vec<usize>,
    /// Only runs under these alternatives.
    pub fixed: Readings,
    /// Only boards with at most so many entities.
    pub sizes: Vec<(SortId, u32)>,
    /// Only boards on which fields have these values.
    pub fields: Vec<(FieldId, Vec<endstep_language::typing::program::Value>)>,
}

/// The vectors of a program.
pub fn vectors_json((program, sources): (&Program, &SourceMap), vectors: &Vectors) -> Value {
    let sheet = Sheet { program, sources };
    let observers: BTreeSet<Option<ObserverId>> =
        vectors.all.iter().map(|one| one.observer).collect();
    let observers = observers.into_iter().map(|one| sheet.observer(one));
    let all = vectors.all.iter().enumerate();
    json!({
        "schema": "endstep vectors",
        "version": VECTORS_VERSION,
        "game": program.game,
        "observers": observers.collect::<Vec<_>>(),
        "covered": vectors.covered.iter().map(|&one| sheet.goal(one)).collect::<Vec<_>>(),
        "not_covered": vectors.missed.iter().map(|&one| sheet.goal(one)).collect::<Vec<_>>(),
        "nowhere": vectors.nowhere.iter().map(|&one| sheet.goal(one)).collect::<Vec<_>>(),
        "nowhere_within": sheet.within(&vectors.within),
        "vectors": all.map(|(at, one)| sheet.vector(at, one)).collect::<Vec<_>>(),
    })
}

/// In a few lines: how many there are, and what they do not cover.
pub fn vectors_text(sheet: (&Program, &SourceMap), vectors: &Vectors) -> String {
    let (program, sources) = sheet;
    let sheet = Sheet { program, sources };
    let mut out = format!(
        "{} {} of {} clauses, branches, alternatives, triggers, pairs of triggers and choices\n",
        match vectors.all.len() {
            1 => "1 vector covers".to_owned(),
            number => format!("{number} vectors cover"),
        },
        vectors.covered.len(),
        vectors.covered.len() + vectors.missed.len(),
    );
    let open = vectors
        .all
        .iter()
        .filter(|one| one.allowed.is_none())
        .count();
    if open > 0 {
        out.push_str(&format!(
            "{open} without the outcomes allowed: there are too many runs, some leave the bounds of exploration, or a \
             gap may change more than was tried\n"
        ));
    }
    let within = sheet.within_text(&vectors.within);
    let within = within.map_or_else(String::new, |within| format!(" ({within})"));
    for &goal in &vectors.missed {
        let why = match vectors.nowhere.contains(&goal) {
            true => format!(
                "; no run from any legal board of the sizes and values explored does it{within}"
            ),
            false => String::new(),
        };
        out.push_str(&format!("not covered: {}{why}\n", sheet.goal(goal)));
    }
    out
}

#[derive(Clone, Copy)]
struct Sheet<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
}

impl Sheet<'_> {
    fn words(&self) -> Words<'_> {
        Words {
            program: self.program,
            sources: self.sources,
        }
    }

    /// What an observer sees.
    fn observer(&self, id: Option<ObserverId>) -> Value {
        let program = self.program;
        let lens = Lens::new(program, id);
        let fields = lens.fields().map(|id| {
            let field = &program.fields[id];
            format!("{}.{}", program.sorts[field.sort].name, field.name)
        });
        let zones = lens
            .zones()
            .iter()
            .map(|&(id, as_set)| json!({ "zone": program.zones[id].name, "as_set": as_set }));
        let spans = lens.exprs().iter().map(|e| e.span);
        let spans = spans.chain(lens.kinds().iter().map(|kinds| kinds.span));
        let exprs = spans.map(|span| self.words().quote(span));
        json!({
            "name": id.map(|id| &program.observers[id].name),
            "fields": fields.collect::<Vec<_>>(),
            "vars": lens.vars().map(|id| &program.vars[id].name).collect::<Vec<_>>(),
            "zones": zones.collect::<Vec<_>>(),
            "removed": lens.sees_removals(),
            "expressions": exprs.collect::<Vec<_>>(),
        })
    }

    /// What alone was looked at for what no run does.
    fn within(&self, within: &Within) -> Vec<String> {
        let conditions = self.conditions(within).into_iter();
        let conditions = conditions.map(|(name, condition)| format!("{name} where {condition}"));
        self.alone(within).into_iter().chain(conditions).collect()
    }

    /// The same as a part of a sentence: `only boards of `explore only few`; s only where x < 2`. Of sequences that it
    /// does not name all boards were looked at.
    fn within_text(&self, within: &Within) -> Option<String> {
        let alone = self.alone(within);
        let alone = (!alone.is_empty()).then(|| format!("only {}", list(&alone, "and")));
        let mut of: Vec<(&str, Vec<String>)> = Vec::new();
        for (name, condition) in self.conditions(within) {
            match of.iter_mut().find(|(known, _)| *known == name) {
                Some((_, all)) => all.push(condition),
                None => of.push((name, vec![condition])),
            }
        }
        let of = of
            .iter()
            .map(|(name, all)| format!("{name} only where {}", all.join(", or where ")));
        let all: Vec<String> = alone.into_iter().chain(of).collect();
        (!all.is_empty()).then(|| format!("looked at: {}", all.join("; ")))
    }

    /// The `verify` with conditions: their sequences and these.
    fn conditions(&self, within: &Within) -> Vec<(&str, String)> {
        let words = self.words();
        let mut found: Vec<(&str, String)> = Vec::new();
        for &at in &within.conditions {
            let verify = self.program.verifies.get(at);
            let condition = verify.and_then(|one| Some((one.sequence, one.condition.as_ref()?)));
            if let Some((sequence, condition)) = condition {
                let name = self.program.sequences[sequence].name.as_str();
                let one = (name, words.quote(condition.span));
                if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
        found
    }

    /// To what it is restricted besides the conditions of `verify`.
    fn alone(&self, within: &Within) -> Vec<String> {
        let (program, words) = (self.program, self.words());
        let is_named = |id: &SequenceId| {
            let mut conditions = within.conditions.iter();
            conditions.any(|&at| {
                program
                    .verifies
                    .get(at)
                    .is_some_and(|one| one.sequence == *id)
            })
        };
        let sequence = within.sequence.filter(|id| !is_named(id));
        let sequence = sequence.map(|id| &program.sequences[id].name);
        let mut found: Vec<String> = sequence.into_iter().cloned().collect();
        let explored = program.explored.iter();
        found.extend(explored.map(|one| format!("boards of `explore only {}`", one.name)));
        let sizes = within.sizes.iter();
        found.extend(sizes.map(|(id, most)| format!("up to {most} {}", program.sorts[*id].name)));
        found.extend(chosen_values(program, &within.fields));
        if !within.fixed.is_empty() {
            found.push(words.readings(&within.fixed));
        }
        found
    }

    fn vector(&self, at: usize, vector: &Vector) -> Value {
        let (program, run) = (self.program, &vector.run);
        let perform = match &run.root {
            Root::Sequence(id, _) => program.sequences[*id].name.clone(),
            Root::Step(id, _) => step_path(program, *id),
        };
        let readings: BTreeMap<&str, &str> = run
            .readings
            .iter()
            .filter_map(|(&id, &at)| {
                let reading = &program.readings[id];
                let alternative = reading.alternatives.get(usize::from(at))?;
                Some((reading.name.as_str(), alternative.name.as_str()))
            })
            .collect();
        let outcome = match &run.end {
            RunEnd::Ended(ended) => self.outcome(run, Some(ended)),
            RunEnd::Loop { .. } | RunEnd::Grows { .. } | RunEnd::Stopped { .. } => {
                self.outcome(run, None)
            }
        };
        let allowed = vector.allowed.as_ref().map(|all| {
            let all = all.values().map(|ended| self.outcome(run, ended.as_ref()));
            all.collect::<Vec<_>>()
        });
        json!({
            "name": format!("{perform} {}", at + 1),
            "perform": perform,
            "readings": readings,
            "observer": vector.observer.map(|id| &program.observers[id].name),
            "board": data_json(program, &run.names, &run.board),
            "moments": self.moments(vector),
            "outcome": outcome,
            "allowed": allowed,
            "covers": vector.covers.iter().map(|&one| self.goal(one)).collect::<Vec<_>>(),
        })
    }

    /// How a run ends; without an end it never does.
    fn outcome(&self, run: &Run, ended: Option<&Ended>) -> Value {
        match ended {
            Some(ended) => json!({
                "tag": tag(self.program, &run.names, &ended.tag),
                "data": data_json(self.program, &run.names, &ended.data),
            }),
            None => json!({ "tag": "never ends" }),
        }
    }

    /// What was chosen, and the data whenever they changed.
    fn moments(&self, vector: &Vector) -> Vec<Value> {
        let names = &vector.run.names;
        let mut found = Vec::new();
        let mut last: Option<StmtId> = None;
        for instant in &vector.instants {
            for note in &instant.notes {
                if let Note::Executed(stmt) = note {
                    last = Some(*stmt);
                }
            }
            if let Some(made) = &instant.made {
                found.push(
                    json!({ "step": instant.step, "choice": self.choice(made, &vector.run) }),
                );
            }
            if let Some(data) = &instant.data {
                let stmt = last.map(|id| &self.program.stmts[id]);
                let clause = stmt.and_then(|one| one.clause);
                found.push(json!({
                    "step": instant.step,
                    "after": stmt.map(|one| &one.path),
                    "clause": clause.map(|id| &self.program.clauses[id].id),
                    "place": stmt.map(|one| self.words().place(one.span)),
                    "data": data_json(self.program, names, data),
                }));
            }
        }
        found
    }

    fn choice(&self, made: &Made, run: &Run) -> Value {
        let key = |key| key_json(self.program, &run.names, key);
        json!({
            "kind": kind(made.kind),
            "by": who(&run.names, made.who),
            "at": choice_path(self.program, made.site),
            "offered": made.offered.iter().map(key).collect::<Vec<_>>(),
            "taken": key(&made.taken),
        })
    }

    /// What is covered, in words.
    fn goal(&self, goal: Goal) -> String {
        let program = self.program;
        let trigger = |id: TriggerId| &program.triggers[id].name;
        match goal {
            Goal::Clause(id) => format!("clause {}", program.clauses[id].id),
            Goal::Branch(id, way) => {
                let stmt = &program.stmts[id];
                format!("branch {}: {}", stmt.path, self.way(&stmt.kind, way))
            }
            Goal::Alternative(id, at) => {
                let reading = &program.readings[id];
                let alternative = reading.alternatives.get(usize::from(at));
                let alternative = alternative.map_or("", |one| one.name.as_str());
                format!("reading {} = {alternative}", reading.name)
            }
            Goal::Trigger(id) => format!("trigger {}", trigger(id)),
            Goal::Choice(site) => format!("choice {}", choice_path(program, site)),
            Goal::After(one, next) => format!("trigger {}, then {}", trigger(one), trigger(next)),
        }
    }

    fn way(&self, kind: &StmtKind, way: Way) -> String {
        match (way, kind) {
            (Way::Block(at), StmtKind::ChooseOne { options, .. }) => options
                .get(at)
                .map_or_else(String::new, |one| one.0.clone()),
            (Way::Block(at), _) => format!("case {}", at + 1),
            (Way::Otherwise, _) => "otherwise".to_owned(),
            (Way::Turns, _) => "some".to_owned(),
            (Way::NoTurn, _) => "none".to_owned(),
            (Way::Taken, _) => "done".to_owned(),
            (Way::NotTaken, _) => "not done".to_owned(),
        }
    }
}
