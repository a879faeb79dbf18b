//! Whether two versions of a specification look at the same: a finding that only one of them has need not be new, or
//! gone, where they do not.
//!
//! ```text
//! verify s                   verify s observing table        what "table" does not see is no longer compared
//! n: integer from 0 to 9     …, explore 0 to 2               boards with other values are no longer tried
//! claim c: invariant n < 2   claim c: invariant n < 3        another thing is claimed under the same name
//! ```
//!
//! Bounds of exploration are compared where the document's are the same: with other rules other boards are legal.

use super::Sheet;
use super::layout::list;
use super::words::{Words, plain};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{
    Binder, Board, Bounds, Claim, ClaimKind, DefineId, EntityId, ExampleLine, Expr, ExprKind,
    ObserverId, Param, Program, SequenceId, StepId, Verify, Visit, Walk,
};
use endstep_semantics::semantics::Names;
use endstep_semantics::witness::Lens;
use std::collections::{BTreeMap, BTreeSet};

/// What is not looked at in the same way, in a sentence; nothing if all is that both versions verify.
pub(super) fn differs(old: Sheet<'_>, new: Sheet<'_>) -> Option<String> {
    let [before, after] = [old, new].map(Outlook::of);
    let both = before.sequences.intersection(&after.sequences);
    let otherwise = both.filter(|name| before.of_sequence(name) != after.of_sequence(name));
    // One that only one version verifies, of those that both have.
    let alone = before.sequences.symmetric_difference(&after.sequences);
    let alone =
        alone.filter(|&name| before.declared.contains(name) && after.declared.contains(name));
    let mut all: Vec<String> = otherwise
        .chain(alone)
        .map(|name| format!("the `verify` of {name}"))
        .collect();
    if before.only != after.only {
        all.push("`explore only`".to_owned());
    }
    let explored = before.explored.iter().filter(|&(name, (document, tried))| {
        let now = after.explored.get(name);
        now.is_some_and(|(bound, now)| bound == document && now != tried)
    });
    all.extend(explored.map(|(name, _)| format!("what is explored of {name}")));
    let names: BTreeSet<&String> = before.boards.keys().chain(after.boards.keys()).collect();
    let boards = names
        .into_iter()
        .filter(|&name| before.boards.get(name) != after.boards.get(name));
    all.extend(boards.map(|name| format!("the board \"{}\"", plain(name))));
    let asked = before.asked.iter().filter_map(|(name, (kind, told))| {
        let (now, says) = after.asked.get(name)?;
        let name = plain(name);
        match (kind == now, told == says) {
            (false, _) => Some(format!("whether \"{name}\" is a {kind} or a {now}")),
            (true, false) => Some(format!("what the {kind} \"{name}\" says")),
            (true, true) => None,
        }
    });
    all.extend(asked);
    let examples = before.examples.iter().filter(|&(name, told)| {
        let now = after.examples.get(name);
        now.is_some_and(|now| now != told)
    });
    all.extend(examples.map(|(name, _)| format!("what the example \"{}\" says", plain(name))));
    (!all.is_empty()).then(|| {
        format!(
            "Not the same was looked at: {} differs. What only one version shows need not be new or gone.",
            list(&all, "or")
        )
    })
}

/// What a version looks at, by the names of the specification.
struct Outlook {
    /// The sequences that there are.
    declared: BTreeSet<String>,
    /// The sequences that are verified.
    sequences: BTreeSet<String>,
    /// Of each `verify` its sequence, and its observer, contracts, condition and sizes as text.
    verifies: BTreeSet<(String, String)>,
    /// The conditions of `explore only`.
    only: BTreeSet<String>,
    /// Of sorts, fields, variables and zones the bounds of the document, and what is explored.
    explored: BTreeMap<String, (String, String)>,
    /// What lies on boards that the file writes down.
    boards: BTreeMap<String, BTreeSet<String>>,
    /// Of claims and questions which of both they are, and what they say.
    asked: BTreeMap<String, (&'static str, String)>,
    /// What examples say.
    examples: BTreeMap<String, String>,
}

impl Outlook {
    fn of(sheet: Sheet<'_>) -> Self {
        let program = sheet.program;
        let words = Words {
            program,
            sources: sheet.sources,
        };
        let name = |id: SequenceId| program.sequences[id].name.clone();
        let verifies = program.verifies.iter();
        let declared = program.sequences.values().iter();
        Self {
            declared: declared.map(|one| one.name.clone()).collect(),
            sequences: verifies.clone().map(|one| name(one.sequence)).collect(),
            verifies: verifies
                .map(|one| (name(one.sequence), told(words, one)))
                .collect(),
            only: program
                .explored
                .iter()
                .map(|one| in_full(words, &one.condition))
                .collect(),
            explored: explored(program),
            boards: program
                .boards
                .iter()
                .map(|(_, board)| (board.name.clone(), written(program, board)))
                .collect(),
            asked: asked(words),
            examples: examples(words),
        }
    }

    /// How a sequence is verified.
    fn of_sequence(&self, sequence: &str) -> Vec<&str> {
        let of = self.verifies.iter().filter(|(name, _)| name == sequence);
        of.map(|(_, told)| told.as_str()).collect()
    }
}

/// What a `verify` looks at.
fn told(words: Words<'_>, verify: &Verify) -> String {
    let program: &Program = words.program;
    let observer = verify.observer.map(|id| seen(words, id));
    let contracts = verify.contracts.iter();
    let contracts: BTreeSet<String> = contracts.map(|&id| promised(words, id)).collect();
    let condition = verify.condition.as_ref().map(|one| in_full(words, one));
    let sizes = verify.sizes.iter();
    let sizes: BTreeSet<(&str, u32)> = sizes
        .map(|(sort, most)| (program.sorts[*sort].name.as_str(), *most))
        .collect();
    format!("{observer:?} {contracts:?} {condition:?} {sizes:?}")
}

/// A sequence for which its contract stands, with what that says.
fn promised(words: Words<'_>, id: SequenceId) -> String {
    let sequence = &words.program.sequences[id];
    let contract = sequence.contract.iter();
    let says: BTreeSet<String> = contract
        .flat_map(|one| {
            let changes = one.changes.iter().map(|change| {
                let within = change.within.as_ref();
                let within = within.map(|(low, high)| [low, high].map(|one| in_full(words, one)));
                format!("{} {within:?}", words.quote(change.span))
            });
            let ensures = one.ensures.iter().map(|one| in_full(words, one));
            changes.chain(ensures)
        })
        .collect();
    format!("{}: {says:?}", sequence.name)
}

/// What claims and questions say, by name.
fn asked(words: Words<'_>) -> BTreeMap<String, (&'static str, String)> {
    let claims = words.program.claims.iter().map(|claim| {
        let kind = if claim.question { "question" } else { "claim" };
        (claim.name.clone(), (kind, claimed(words, claim)))
    });
    claims.collect()
}

/// What examples say, by name.
fn examples(words: Words<'_>) -> BTreeMap<String, String> {
    let program = words.program;
    let line = |(line, span): &(ExampleLine, Span)| match line {
        ExampleLine::After(step, e) => {
            format!("after {} {}", program.steps[*step].name, in_full(words, e))
        }
        ExampleLine::Expect(e) => format!("expect {}", in_full(words, e)),
        ExampleLine::ExpectPossible(e) => format!("possible {}", in_full(words, e)),
        ExampleLine::Choose(_)
        | ExampleLine::ExpectOutcome(_)
        | ExampleLine::ExpectGap(_)
        | ExampleLine::ExpectPossibleGap(_) => words.quote(*span),
    };
    let examples = program.examples.iter().map(|example| {
        let lines: Vec<String> = example.lines.iter().map(line).collect();
        let readings = example.readings.iter();
        let readings: BTreeSet<String> = readings
            .map(|&(reading, at)| words.alternative(reading, at))
            .collect();
        let args = &example.args;
        let told = performed(words, example.sequence);
        let told = format!("{told} {args:?} {readings:?} {lines:?}");
        (example.name.clone(), told)
    });
    examples.collect()
}

/// A sequence by name; an experiment with what it is.
fn performed(words: Words<'_>, id: SequenceId) -> String {
    let sequence = &words.program.sequences[id];
    match &sequence.experiment {
        Some(made_up) => {
            let of = &words.program.sequences[made_up.of].name;
            format!("{}: {of} but {}", sequence.name, made_up.alterations)
        }
        None => sequence.name.clone(),
    }
}

/// What a claim or question says.
fn claimed(words: Words<'_>, claim: &Claim) -> String {
    let program = words.program;
    let of_step = |step: &Option<StepId>| step.map(|id| program.steps[id].name.clone());
    let form = match &claim.kind {
        ClaimKind::OrderIrrelevant(_, step) => format!("order {:?}", of_step(step)),
        ClaimKind::Equivalent(..) => "equivalent".to_owned(),
        ClaimKind::Terminates(..) => "terminates".to_owned(),
        ClaimKind::Invariant(_, at, _) => format!("invariant {at:?}"),
        ClaimKind::Must(..) => "must".to_owned(),
        ClaimKind::Reachable(is_so, ..) => format!("reachable {is_so}"),
        ClaimKind::ReachableAfter(..) => "reachable after".to_owned(),
        ClaimKind::ExtremeIn(extreme, ..) => format!("{extreme:?} in"),
        ClaimKind::ExtremeAfter(extreme, ..) => format!("{extreme:?} after"),
        ClaimKind::Conserves(..) => "conserves".to_owned(),
        ClaimKind::Idempotent(_, step) => format!("idempotent {:?}", of_step(step)),
    };
    let sequences = claim.kind.sequences().into_iter();
    let sequences: Vec<String> = sequences.map(|id| performed(words, id)).collect();
    let exprs = claim.kind.exprs().into_iter();
    let exprs: Vec<String> = exprs.map(|one| in_full(words, one)).collect();
    let observer = claim.observer.map(|id| seen(words, id));
    let board = claim.on.map(|id| program.boards[id].name.as_str());
    format!("{form} {sequences:?} {exprs:?} {observer:?} {board:?}")
}

/// What an observer sees.
fn seen(words: Words<'_>, id: ObserverId) -> String {
    let program = words.program;
    let lens = Lens::new(program, Some(id));
    let fields = lens.fields().map(|id| {
        let field = &program.fields[id];
        format!("{}.{}", program.sorts[field.sort].name, field.name)
    });
    let vars = lens.vars().map(|id| program.vars[id].name.clone());
    let zones = lens.zones().iter();
    let zones = zones.map(|(id, as_set)| format!("{} {as_set}", program.zones[*id].name));
    let exprs = lens.exprs().iter().map(|expr| in_full(words, expr));
    let kinds = lens.kinds().iter().map(|kinds| {
        let by = in_full(words, &kinds.by);
        format!("{} {by} {}", words.quote(kinds.span), kinds.as_set)
    });
    let all: BTreeSet<String> = fields
        .chain(vars)
        .chain(zones)
        .chain(exprs)
        .chain(kinds)
        .collect();
    format!("{all:?} {}", lens.sees_removals())
}

/// A condition as it is written, with the definitions that it uses; what is bound there has a number for a name.
fn in_full(words: Words<'_>, expr: &Expr) -> String {
    let mut known: BTreeSet<DefineId> = BTreeSet::new();
    let program = words.program;
    let mut all = nameless(program, &words.quote(expr.span), expr, &[]);
    let mut todo = vec![expr];
    while let Some(next) = todo.pop() {
        if let Some(id) = used(next)
            && known.insert(id)
        {
            let define = &program.defines[id];
            let body = words.quote(define.body.span);
            let body = nameless(program, &body, &define.body, &define.params);
            all.push_str(&format!("; {body}"));
            todo.push(&define.body);
        }
        todo.extend(next.children());
    }
    all
}

/// The definition that an expression uses itself.
fn used(expr: &Expr) -> Option<DefineId> {
    match &expr.kind {
        ExprKind::Solutions(id, _) => Some(*id),
        _ => expr.applied().map(|(id, _)| id),
    }
}

/// A text with numbers for the names that are bound in it, and for those of definitions.
fn nameless(program: &Program, text: &str, expr: &Expr, params: &[Param]) -> String {
    let names = params.iter().map(|one| one.name.as_str()).collect();
    let mut bound = Bound { program, names };
    bound.expr(expr);
    let mut met: Vec<&str> = Vec::new();
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split_inclusive(|c: char| !letters(c)).map(|part| {
        let word = part.trim_end_matches(|c: char| !letters(c));
        if !bound.names.contains(word) {
            return part.to_owned();
        }
        let at = met.iter().position(|one| *one == word);
        let at = at.unwrap_or_else(|| {
            met.push(word);
            met.len() - 1
        });
        format!("#{at}{}", &part[word.len()..])
    });
    words.collect()
}

/// The names that are bound in an expression, and those of the definitions that it uses.
struct Bound<'t> {
    program: &'t Program,
    names: BTreeSet<&'t str>,
}

impl<'t> Visit<'t> for Bound<'t> {
    fn binder(&mut self, binder: &'t Binder) {
        self.names.insert(&binder.name);
        binder.inside(self);
    }

    fn expr(&mut self, expr: &'t Expr) {
        let used = used(expr).map(|id| self.program.defines[id].name.as_str());
        self.names.extend(used);
        expr.inside(self);
    }
}

/// The bounds of the document, and what is explored, by what they are called.
fn explored(program: &Program) -> BTreeMap<String, (String, String)> {
    let of = |bounds: Bounds, listed: &[(i64, i64)], starts: &dyn std::fmt::Debug| {
        let document = format!("{:?} {starts:?}", bounds.document);
        (
            document,
            format!("{:?} {listed:?} {:?}", bounds.explore, bounds.reach),
        )
    };
    let sorts = program.sorts.values().iter().map(|sort| {
        let tried = format!("{:?} {}", sort.explore, sort.headroom);
        (plain(&sort.name), (format!("{:?}", sort.document), tried))
    });
    let fields = program.fields.values().iter().map(|field| {
        let sort = &program.sorts[field.sort].name;
        let name = format!("{} of {}", plain(&field.name), plain(sort));
        (name, of(field.bounds, &field.listed, &field.starts))
    });
    let vars = program.vars.values().iter();
    let vars = vars.map(|var| (plain(&var.name), of(var.bounds, &var.listed, &var.starts)));
    let zones = program.zones.values().iter().map(|zone| {
        let document = format!("{:?} {}", zone.capacity, zone.starts_empty);
        let tried = format!("{:?}", zone.explore);
        (plain(&zone.name), (document, tried))
    });
    let queues = program.queues.values().iter().map(|queue| {
        let tried = format!("{}", queue.capacity);
        (plain(&queue.name), (String::new(), tried))
    });
    sorts
        .chain(fields)
        .chain(vars)
        .chain(zones)
        .chain(queues)
        .collect()
}

/// What lies on a board, each thing by its name.
fn written(program: &Program, board: &Board) -> BTreeSet<String> {
    let names = Names {
        board: board.entities.iter().map(|one| one.name.clone()).collect(),
    };
    let entity = |id: EntityId| names.entity(id);
    let entities = board.entities.iter().flat_map(|one| {
        let sort = &program.sorts[one.sort];
        let fields = sort.fields.iter().zip(&one.fields).map(|(&id, &value)| {
            let field = &program.fields[id];
            let value = names.value(program, value, field.ty.into());
            format!("{} {} {} {value}", sort.name, one.name, field.name)
        });
        fields.chain([format!("{} {}", sort.name, one.name)])
    });
    let zones = board.zones.iter().map(|(id, of, lying)| {
        let lying: Vec<String> = lying.iter().map(|&id| entity(id)).collect();
        format!("{} {:?} {lying:?}", program.zones[*id].name, of.map(entity))
    });
    let vars = program.vars.iter().map(|(id, var)| {
        let value = board.vars.get(id.index()).copied().unwrap_or(var.default);
        format!(
            "{} {}",
            var.name,
            names.value(program, value, var.ty.into())
        )
    });
    entities.chain(zones).chain(vars).collect()
}
