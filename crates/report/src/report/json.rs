//! The report of a check as JSON. `docs/json.md` describes it, `docs/check.schema.json`
//! is its schema.

use super::called::Called;
use super::causes::leaders;
use super::conditional::{found_under_in_full, title};
use super::differences::{Row, beside};
use super::extreme;
use super::finding::{Extent, extent, found_on};
use super::follows;
use super::headline::origin;
use super::outcome::{end, tag_word};
use super::paragraph::{names, paragraph};
use super::ranges::{Tried, let_change, values};
use super::stood::{rests_on, unsaid};

use super::place::place;
use super::verdict::{
    explored_only, extra_json, is_known, limitation, of_finding, question, question_kind,
    question_sequence, question_subject, scope_condition, scope_subject, unseen, why_unknown, word,
};
use super::words::{Words, basis};
use super::{
    Sheet, Standing, Tally, Unfound, board, decisive, demands, made_up, occurs, trace, untested,
};
use endstep_language::typing::program::{ClauseIdx, Program, ReadingId};
use endstep_semantics::semantics::Readings;
use endstep_semantics::witness::{Run, RunEnd, Violated, Witness};
use endstep_tools::coverage::{ClauseState, clauses};
use endstep_verdicts::verdict::{
    Answer, Counted, Detail, Finding, Minimality, Occurs, Outside, Scope, ScopeOf, Standby,
    Undecided, Verdict, fingerprint,
};
use serde_json::{Value, json};

/// The version of the format. Members may be added without a new version; one that
/// is removed or changes its meaning makes a new one.
pub const SCHEMA_VERSION: u32 = 1;

/// The report on one specification, an element of `specifications`.
pub fn check_json(sheet: Sheet<'_>) -> Value {
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let leaders = leaders(sheet);
    let findings = sheet.standings.iter().enumerate();
    let findings: Vec<Value> = findings
        .filter_map(|(at, _)| one(sheet, words, at, &leaders))
        .collect();
    let answers = sheet.results.answers.iter();
    let clauses = clauses(sheet.program);
    let scopes = sheet.results.scopes.iter();
    let tally = Tally::of(sheet);
    let unused = sheet.unused.iter();
    let unused = unused.filter_map(|&at| accept_json(words, at));
    let missed = sheet.unfound.iter().filter_map(|one| match one {
        Unfound::Expected(one) => Some(one),
        Unfound::Accept(_) => None,
    });
    let idle = sheet.unfound.iter().filter_map(|one| match one {
        Unfound::Expected(_) => None,
        Unfound::Accept(at) => accept_json(words, *at),
    });
    json!({
        "name": sheet.name,
        "game": sheet.program.game,
        "restrictions": sheet.restrictions,
        "only_claims": sheet.results.narrowed,
        "findings": findings,
        "vanished": sheet.vanished,
        "unused_accepts": unused.collect::<Vec<_>>(),
        "unfound": {
            "expected": missed.collect::<Vec<_>>(),
            "accepts": idle.collect::<Vec<_>>(),
        },
        "unseen": unseen(words, sheet.results),
        "answers": answers.map(|answer| answer_json(sheet, words, answer)).collect::<Vec<_>>(),
        "coverage": {
            "formalised": clauses.count(ClauseState::Formalised),
            "waived": clauses.count(ClauseState::Waived),
            "informal": clauses.count(ClauseState::Informal),
            "missing": clauses.count(ClauseState::Missing),
        },
        "experiments": made_up::json(words),
        "scopes": scopes.map(|scope| scope_json(words, scope)).collect::<Vec<_>>(),
        "suggested_boards": sheet.results.suggested,
        "summary": {
            "new": tally.new,
            "notes": tally.notes,
            "expected": tally.expected,
            "accepted": tally.accepted,
            "vanished": tally.vanished,
            "unused_accepts": tally.unused,
            "unknown": tally.unknown,
        },
    })
}

/// An `accept`, by position.
fn accept_json(words: Words<'_>, at: usize) -> Option<Value> {
    let accept = words.program.accepts.get(at)?;
    Some(json!({
        "code": accept.code,
        "at": accept.at,
        "because": accept.because,
        "place": place(words, accept.span),
    }))
}

/// On which boards it occurs; nothing of what is about no board.
fn occurs_json(words: Words<'_>, finding: &Finding, extent: Option<&Extent>) -> Option<Value> {
    let program = words.program;
    let which = finding.occurs.as_ref()?;
    let told = match extent {
        Some(extent) => extent.which.clone(),
        None => occurs::described(program, which),
    };
    let part = |(when, boards): (String, u64)| json!({ "when": when, "boards": boards });
    let (only, always) = occurs::conditions(program, which, finding.boards);
    Some(json!({
        "exact": !matches!(which, Occurs::Between { .. }),
        "words": told,
        "only": only.map(part),
        "always": always.map(part),
    }))
}

/// The n-th finding; `leaders`: for each the one that leads those of its cause.
pub(super) fn one(
    sheet: Sheet<'_>,
    words: Words<'_>,
    at: usize,
    leaders: &[usize],
) -> Option<Value> {
    let finding = sheet.results.findings.get(at)?;
    let (status, reason) = match sheet.standings.get(at)? {
        Standing::New => ("new", None),
        Standing::Expected(reason) => ("expected", reason.as_deref()),
        Standing::Accepted(reason) => ("accepted", Some(reason.as_str())),
    };
    let leader = leaders.get(at).filter(|leader| **leader != at);
    let leader = leader.and_then(|leader| sheet.results.findings.get(*leader));
    let clauses = finding.clauses.iter();
    let spans = finding.spans.iter();
    let scope = finding.scope.and_then(|at| sheet.results.scopes.get(at));
    let is_it = |at: usize| sheet.results.findings.get(at) == Some(finding);
    let repair = sheet.results.repairs.iter().find(|(at, _)| is_it(*at));
    let names = names(finding);
    let undecided = |one: &Undecided| decisive::undecided_json(words, &names, *one);
    let decisive = |one| decisive::json(words, &names, one);
    let by_reading = finding.by_reading.iter();
    let by_reading = by_reading.map(|(readings, boards)| {
        let readings = readings_json(words.program, readings);
        json!({ "readings": readings, "boards": boards })
    });
    let mut untried = sheet.results.untried.iter();
    let untried = untried.find(|(at, _)| is_it(*at));
    let no_board = matches!(finding.detail, Detail::NoBoard(_));
    let extent = extent(sheet, words, finding);
    Some(json!({
        "repair": repair.map(|(_, repair)| json!({
            "text": words.repair(repair),
            "legal_boards": repair.boards,
        })),
        "changes_not_tried": untried.map_or(0, |(_, left)| *left),
        "code": finding.code.id(),
        "title": title(sheet.program, finding),
        "severity": finding.severity,
        "fingerprint": fingerprint(sheet.program, finding),
        "status": status,
        "reason": reason,
        "verdict": of_finding(finding),
        "origin": origin(finding.origin),
        "basis": basis(finding.basis),
        "subject": finding.subject,
        "cause": finding.cause,
        "same_cause_as": leader.map(|leader| fingerprint(sheet.program, leader)),
        "text": paragraph(words, finding),
        "clauses": clauses.map(|&id| clause(words, id)).collect::<Vec<_>>(),
        "places": spans.map(|&span| place(words, span)).collect::<Vec<_>>(),
        "scope": finding.scope,
        "boards": if no_board { 0 } else { finding.boards },
        "boards_each": if no_board { 0 } else { finding.boards_each },
        "boards_at_least": scope.is_some_and(|scope| !is_known(scope, finding)),
        "by_reading": by_reading.collect::<Vec<_>>(),
        "counted": finding.counted.iter().map(counted).collect::<Vec<_>>(),
        "legal_boards": scope.and_then(|scope| legal_boards(finding, scope)),
        "occurs_on": extent.as_ref().map(|extent| extent.boards.as_str()),
        "occurs": occurs_json(words, finding, extent.as_ref()),
        "readings": found_under_in_full(words, finding),
        "found_on": found_on(words, finding),
        "rests_on": rests_on(sheet.results, words, finding),
        "suggested": finding.outside == Some(Outside::Suggested),
        "written": written(words, finding),
        "minimality": match finding.minimality {
            Minimality::Exact => "exact",
            Minimality::Plainest => "plainest",
            Minimality::BestEffort => "best effort",
        },
        "wider": finding.wider.iter().map(|one| wider_json(words, one)).collect::<Vec<_>>(),
        "decisive": finding.decisive.iter().map(decisive).collect::<Vec<_>>(),
        "undecided": finding.undecided.iter().map(undecided).collect::<Vec<_>>(),
        "witness": finding.witness.as_ref().map(|witness| witness_json(words, witness)),
    }))
}

/// On how many boards of a scope a finding occurs, and what tells them from others.
fn counted(counted: &Counted) -> Value {
    json!({
        "scope": counted.scope,
        "boards": counted.boards,
        "digest": counted.digest.map(|digest| format!("{digest:016x}")),
    })
}

fn wider_json(words: Words<'_>, one: &Standby) -> Value {
    let program = words.program;
    let only = one
        .only
        .iter()
        .map(|(span, holds)| json!({ "condition": words.quote(*span), "holds": holds }));
    json!({
        "sort": program.sorts[one.sort].name,
        "zone": one.zone.map(|zone| program.zones[zone].name.as_str()),
        "only": only.collect::<Vec<_>>(),
    })
}

fn clause(words: Words<'_>, id: ClauseIdx) -> Value {
    let clause = &words.program.clauses[id];
    let document = clause
        .document
        .and_then(|id| words.program.documents.get(id));
    json!({
        "id": clause.id,
        "document": document.map(|document| document.name.as_str()),
        "locator": clause.locator,
        "says": clause.says,
    })
}

fn witness_json(words: Words<'_>, witness: &Witness) -> Value {
    let kind = match witness {
        Witness::Run { .. } => "run",
        Witness::Versus(_) => "versus",
        Witness::Again { .. } => "again",
        Witness::Lasso { .. } => "lasso",
        Witness::Growth { .. } => "growth",
        Witness::Power(_) => "power",
        Witness::Demands(_) => "demands",
    };
    let runs = witness.runs();
    let differences = match (witness, &runs[..]) {
        (Witness::Versus(versus), [first, second, ..]) => {
            beside(words, first, second, versus.observer)
        }
        (Witness::Again { observer, .. }, [first, second, ..]) => {
            beside(words, first, second, *observer)
        }
        (Witness::Power(power), [first, second, ..]) => {
            beside(words, first, second, power.observer)
        }
        (Witness::Demands(demands), [first, second]) => {
            beside(words, first, second, demands.observer)
        }
        _ => Vec::new(),
    };
    let ways = match witness {
        Witness::Demands(demands) => demands::patterns(&demands.ways),
        _ => Vec::new(),
    };
    let way = |(broken, outcomes): (Vec<usize>, u64)| {
        let core = match witness {
            Witness::Demands(demands) => demands.core.as_slice(),
            _ => &[],
        };
        let names = broken.iter().filter_map(|&at| core.get(at));
        let names: Vec<String> = names.map(|one| one.name(words.program)).collect();
        json!({ "not_met": names, "outcomes": outcomes })
    };
    let everywhere = matches!(
        witness,
        Witness::Run {
            violated: Violated::Everywhere(_),
            ..
        }
    );
    let titles = Called::of(words, witness).titles;
    let all_runs = runs.into_iter().enumerate().map(|(at, run)| {
        let mut one = run_json(words, run);
        one["title"] = json!(titles.get(at));
        one
    });
    let difference = |row: Row| {
        let [what, first, second] = row.cells();
        json!({ "what": what, "first": first, "second": second })
    };
    json!({
        "kind": kind,
        "runs": all_runs.collect::<Vec<_>>(),
        "differences": differences.into_iter().map(difference).collect::<Vec<_>>(),
        "ways": ways.into_iter().map(way).collect::<Vec<_>>(),
        "everywhere": everywhere,
    })
}

/// Alternatives by their readings.
pub(super) fn readings_json(program: &Program, readings: &Readings) -> Value {
    let name = |(id, at): (&ReadingId, &u16)| {
        let reading = &program.readings[*id];
        let name = reading.alternatives.get(usize::from(*at));
        let name = name.map(|one| one.name.as_str());
        (reading.name.clone(), json!(name))
    };
    Value::Object(readings.iter().map(name).collect())
}

pub(super) fn run_json(words: Words<'_>, run: &Run) -> Value {
    let program = words.program;
    let word = match &run.end {
        RunEnd::Ended(ended) => tag_word(&ended.tag),
        RunEnd::Loop { .. } => "diverges",
        RunEnd::Grows { .. } => "grows",
        RunEnd::Stopped { .. } => "stopped",
    };
    let choices = run.choices.iter();
    let trace = endstep_semantics::witness::trace(program, run).ok();
    let unsettled = trace.as_ref().map(|trace| &trace.open);
    let unsettled = unsettled.map(|open| follows::why(words, &run.names, open));
    json!({
        "board": board::json(program, &run.names, &run.board),
        "readings": readings_json(program, &run.readings),
        "choices": choices.map(|key| run.names.key(program, key)).collect::<Vec<_>>(),
        "outcome": word,
        "text": end(words, run),
        "trace": trace.as_ref().map(|trace| trace::json(words, &run.names, trace)),
        "unsettled": unsettled.unwrap_or_default(),
    })
}

fn answer_json(sheet: Sheet<'_>, words: Words<'_>, answer: &Answer) -> Value {
    let limits = match &answer.verdict {
        Verdict::Unknown(why) if answer.is_open() => why_unknown(why),
        _ => Vec::new(),
    };
    let found = answer
        .findings
        .iter()
        .filter_map(|&at| sheet.results.findings.get(at));
    let prints = found.map(|finding| fingerprint(sheet.program, finding));
    let asks = extreme::asked(sheet.program, answer.subject);
    let shown = answer.witness.as_ref();
    json!({
        "kind": question_kind(answer.subject),
        "subject": question_subject(sheet.program, answer.subject),
        "sequence": question_sequence(answer.subject).map(|id| &sheet.program.sequences[id].name),
        "text": question(words, answer.subject),
        "verdict": word(answer),
        "limits": limits,
        "untested": answer
            .untested
            .map(|why| untested::in_brief(sheet.program, answer.subject, why)),
        "caveat": unsaid(words, answer, sheet.results),
        "argument": answer.proof.as_ref().map(|proof| proof.argument.words()),
        "asks": asks.map(|(_, extreme)| extreme.word()),
        "value": answer.best.as_ref().map(|best| best.value),
        "readings": answer.best.as_ref().map(|best| extreme::readings(words, best)),
        "witness": shown.map(|witness| witness_json(words, witness)),
        "suggested": answer.suggested,
        "scopes": answer.scopes,
        "findings": prints.collect::<Vec<_>>(),
        "place": place(words, answer.span),
    })
}

/// The board that the specification writes down and that shows a finding, if one does.
fn written(words: Words<'_>, finding: &Finding) -> Value {
    match finding.outside {
        Some(Outside::Written(board)) => words.program.boards[board].name.as_str().into(),
        Some(Outside::Suggested) | None => Value::Null,
    }
}

/// A scope as an object.
pub(super) fn scope_json(words: Words<'_>, scope: &Scope) -> Value {
    let size = |(sort, low, high): &(_, u32, u32)| {
        let name = &words.program.sorts[*sort].name;
        json!({ "sort": name, "smallest": low, "largest": high })
    };
    let value = |one: Tried| {
        let (low, high) = one.range;
        json!({ "place": one.place, "smallest": low, "largest": high })
    };
    let on = match scope.subject {
        ScopeOf::On(board, _) => Some(&words.program.boards[board].name),
        ScopeOf::Sequence(_) | ScopeOf::Verify(_) | ScopeOf::Example(_) => None,
    };
    let given_up = scope.given_up.iter();
    let given_up = given_up.map(|(extra, boards)| extra_json(words.program, (*extra, *boards)));
    json!({
        "subject": scope_subject(words, scope),
        "on": on,
        "sizes": scope.sizes.iter().map(size).collect::<Vec<_>>(),
        "values": values(words, scope).into_iter().map(value).collect::<Vec<_>>(),
        "may_change": let_change(words.program, scope).into_iter().map(value).collect::<Vec<_>>(),
        "only": explored_only(words, scope),
        "where": scope_condition(words, scope),
        "boards": scope.boards,
        "legal_boards": scope.legal,
        "states": scope.states,
        "steps": scope.steps,
        "readings": scope.readings,
        "limited_boards": scope.limited,
        "written_boards": scope.written,
        "written_boards_given_up": scope.unvisited,
        "given_up": given_up.collect::<Vec<_>>(),
        "limits": scope.limitations.iter().map(limitation).collect::<Vec<_>>(),
    })
}

/// How many legal boards of a scope a finding speaks of; `None` if it is about an example whose board is not legal.
fn legal_boards(finding: &Finding, scope: &Scope) -> Option<u64> {
    match (&finding.detail, &finding.witness) {
        (Detail::Example { .. }, _) if scope.legal == 0 => None,
        (_, Some(_)) => Some(scope.legal),
        (Detail::NoBoard(_), None) => Some(0),
        // Without a witness it speaks of all boards of all scopes of its sequence.
        (_, None) => Some(scope.legal.max(finding.boards)),
    }
}
