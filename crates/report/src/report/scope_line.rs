//! What was explored from one start, in a line.

use super::layout::{count, list};
use super::ranges::{chosen_values, in_words, let_change, sizes, values};
use super::verdict::{extra_words, limitation, scope_condition, scope_subject};
use super::words::{Words, plain};
use endstep_language::typing::program::Program;
use endstep_verdicts::verdict::{Bound, Limitation, Scope, ScopeOf};

/// What was explored from one start, in a line; `only` says which of the legal boards, if not all.
pub(super) fn scope_line(words: Words<'_>, scope: &Scope, only: &str) -> String {
    let sizes = sizes(words, scope);
    let is_one = matches!(scope.subject, ScopeOf::On(..));
    let sizes = match sizes.is_empty() || is_one {
        true => String::new(),
        false => format!(" with {sizes}"),
    };
    let ranges = in_words(&values(words, scope));
    let sizes = match ranges.is_empty() {
        true => sizes,
        false => format!("{sizes} ({ranges})"),
    };
    let condition = scope_condition(words, scope);
    let condition = condition.map_or_else(String::new, |one| format!(", where {one}"));
    let mut line = format!(
        "{}{sizes}{only}{condition}: {}",
        scope_subject(words, scope),
        looked_at(scope),
    );
    let changed = in_words(&let_change(words.program, scope));
    if !changed.is_empty() {
        line.push_str(&format!(
            "; of what a gap or contract may change, only {changed}"
        ));
    }
    let part = part(words, scope);
    if !part.is_empty() {
        line.push_str(&format!("; a part only: {part}"));
    }
    if scope.written > 0 {
        let written = count(scope.written, "board", "boards");
        line.push_str(&format!(
            "; claims also on {written} that the file writes down"
        ));
    }
    if scope.partial && !is_one && has_claims(words.program, scope, false) {
        line.push_str("; claims on none of the boards that the file writes down");
        if has_claims(words.program, scope, true) {
            line.push_str(" but those that they name");
        }
    }
    if scope.unvisited > 0 {
        let unvisited = count(scope.unvisited, "board", "boards");
        line.push_str(&format!(
            "; {unvisited} in the file could not be tried in full"
        ));
    }
    line.push_str(&combinations(scope.readings));
    for why in &scope.limitations {
        line.push_str(&format!("; not all: {}", limitation(why)));
        let left: Vec<String> = scope.left.iter().map(|&one| bound(words, one)).collect();
        if matches!(why, Limitation::Bounds(_)) && !left.is_empty() {
            line.push_str(&format!(" ({})", list(&left, "and")));
        }
    }
    for (extra, boards) in &scope.given_up {
        let boards = count(*boards, "board", "boards");
        let what = extra_words(words, *extra);
        line.push_str(&format!("; not completed on {boards}: {what}"));
    }
    line
}

/// What was explored from each start; examples in a row of which nothing else is to be said, in one line.
pub(super) fn scope_lines(words: Words<'_>, scopes: &[Scope]) -> Vec<String> {
    let is_plain = |scope: &Scope| {
        let is_example = matches!(scope.subject, ScopeOf::Example(_)) && scope.legal == 1;
        let name = scope_subject(words, scope);
        is_example && scope_line(words, scope, "") == format!("{name}: {}", extent(scope))
    };
    let groups = scopes.chunk_by(|one, other| is_plain(one) && is_plain(other));
    let line = |group: &[Scope]| match group {
        [one] => scope_line(words, one, ""),
        several => {
            let sum = |number: fn(&Scope) -> u64| several.iter().map(number).sum();
            let readings = several.iter().map(|one| one.readings).max();
            format!(
                "{} examples, each on its board: {}, {}{}",
                several.len(),
                count(sum(|one| one.states), "state", "states"),
                count(sum(|one| one.steps), "step", "steps"),
                combinations(readings.unwrap_or(0)),
            )
        }
    };
    groups.map(line).collect()
}

/// `1 legal board, 8 states, 8 steps, up to 2 combinations of readings`.
fn extent(scope: &Scope) -> String {
    format!("{}{}", looked_at(scope), combinations(scope.readings))
}

/// How much was looked at.
fn looked_at(scope: &Scope) -> String {
    format!(
        "{}, {}, {}",
        count(scope.legal, "legal board", "legal boards"),
        count(scope.states, "state", "states"),
        count(scope.steps, "step", "steps"),
    )
}

/// Under how many readings, if under several.
fn combinations(readings: u64) -> String {
    let number = || {
        count(
            readings,
            "combination of readings",
            "combinations of readings",
        )
    };
    match readings > 1 {
        true => format!(", up to {}", number()),
        false => String::new(),
    }
}

/// A limit that runs met.
fn bound(words: Words<'_>, bound: Bound) -> String {
    let program = words.program;
    match bound {
        Bound::Var(id) => format!("`reach` of {}", plain(&program.vars[id].name)),
        Bound::Field(id) => {
            let field = &program.fields[id];
            let sort = plain(&program.sorts[field.sort].name);
            format!("`reach` of {} of {sort}", plain(&field.name))
        }
        Bound::Created(id) => format!("`headroom` of {}", plain(&program.sorts[id].name)),
        Bound::Queue(id) => format!("the room of {}", plain(&program.queues[id].name)),
        Bound::Interrupts => "triggers that interrupt each other".to_owned(),
        Bound::Expressions => "too much to evaluate at once".to_owned(),
        Bound::Numbers => "numbers of more than 64 bits".to_owned(),
        Bound::Values => "too many values to choose from".to_owned(),
    }
}

/// Whether the specification writes down boards, and claims something about what was explored that can be tried on
/// all of them; or, if `named`, something of one of them alone.
fn has_claims(program: &Program, scope: &Scope, named: bool) -> bool {
    let of = scope.subject.sequence(program);
    let mut claims = program.claims.iter();
    let is_claimed =
        claims.any(|claim| claim.on.is_some() == named && Some(claim.kind.sequence()) == of);
    is_claimed && program.boards.ids().next().is_some()
}

/// To which values and readings a scope was restricted from outside; empty if to none.
fn part(words: Words<'_>, scope: &Scope) -> String {
    let mut all = chosen_values(words.program, &scope.values);
    if !scope.fixed.is_empty() {
        all.push(words.readings(&scope.fixed));
    }
    all.join(", ")
}
