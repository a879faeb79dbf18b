//! Under which readings only something was found, as sentences say it.
//!
//! ```text
//! zero = exactly              the reading "zero" is taken as "only a health of exactly 0 counts"
//! cleanup order = free        the order of the steps of cleanup does not bind
//! ```

use super::layout::list;
use super::words::{Words, plain};
use endstep_language::syntax::ast::BinaryOp;
use endstep_language::typing::program::{
    ClaimKind, Expr, ExprKind, Program, ReadingId, ReadingOrigin,
};
use endstep_semantics::semantics::{Readings, Who};
use endstep_verdicts::verdict::{Detail, Finding, Under, Untested};
use std::collections::BTreeMap;

/// So many alternatives of readings are told in a condition.
const MOST_FACTS: usize = 2;

/// The combinations of readings under which only a finding occurs, without those that an example or
/// a claim fixes itself; none if it always can.
pub(super) fn combinations(program: &Program, finding: &Finding) -> Vec<Readings> {
    let Under::Listed(listed) = &finding.readings else {
        return Vec::new();
    };
    let fixed = fixed(program, finding);
    let mut left: Vec<Readings> = Vec::new();
    for one in listed {
        let open = one.iter().filter(|(id, at)| !fixed.contains(&(**id, **at)));
        let open: Readings = open.map(|(id, at)| (*id, *at)).collect();
        if !left.contains(&open) {
            left.push(open);
        }
    }
    match left.iter().any(Readings::is_empty) {
        true => Vec::new(),
        false => left,
    }
}

/// The readings that an example fixes, or that are asked for where a claim is made.
fn fixed(program: &Program, finding: &Finding) -> Vec<(ReadingId, u16)> {
    match &finding.detail {
        Detail::Example { example, .. } => {
            let example = program.examples.get(*example);
            example.map_or_else(Vec::new, |one| one.readings.clone())
        }
        Detail::Claim(at, _) => match program.claims.get(*at).map(|claim| &claim.kind) {
            Some(
                ClaimKind::Equivalent(_, _, Some(condition))
                | ClaimKind::Terminates(_, Some(condition))
                | ClaimKind::Must(_, _, Some(condition)),
            ) => asked_for(condition),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The readings without which a condition does not hold.
fn asked_for(condition: &Expr) -> Vec<(ReadingId, u16)> {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, one, other) => {
            let mut all = asked_for(one);
            all.extend(asked_for(other));
            all
        }
        ExprKind::ReadingIs(id, at) => vec![(*id, *at)],
        _ => Vec::new(),
    }
}

/// `the reading "zero" is taken as "only 0 counts"`
pub(super) fn taken(words: Words<'_>, id: ReadingId, at: u16) -> String {
    let reading = &words.program.readings[id];
    let alternative = reading.alternatives.get(usize::from(at));
    let text = alternative.map_or("", |one| one.text.as_str());
    match (reading.origin, at) {
        (ReadingOrigin::List(sequence), 0) => {
            format!(
                "the order of the steps of {} binds",
                words.sequence(sequence)
            )
        }
        (ReadingOrigin::List(sequence), _) => format!(
            "the order of the steps of {} does not bind",
            words.sequence(sequence)
        ),
        (ReadingOrigin::Nest(sequence), _) => {
            format!("in {} {text}", words.sequence(sequence))
        }
        (ReadingOrigin::Declared, _) => format!(
            "the reading \"{}\" is taken as {}",
            plain(&reading.name),
            words.meaning(id, at)
        ),
    }
}

/// The condition on the readings under which a finding occurs; nothing if it always can, or if that
/// cannot be said in a sentence.
pub(super) fn found_only_if(words: Words<'_>, finding: &Finding) -> Option<String> {
    let listed = combinations(words.program, finding);
    let facts: usize = listed.iter().map(Readings::len).sum();
    if listed.is_empty() || facts > MOST_FACTS {
        return None;
    }
    let cases = listed.iter().map(|one| {
        let all = one.iter().map(|(&id, &at)| taken(words, id, at));
        list(&all.collect::<Vec<_>>(), "and")
    });
    Some(cases.collect::<Vec<_>>().join(", or if "))
}

/// Alternatives of readings.
type Alternatives = BTreeMap<ReadingId, Vec<u16>>;

/// Under which alternatives an example comes out: of each reading that alone makes a line fail, the others;
/// nothing if it is not known to come out under all of these.
fn comes_out_under(program: &Program, finding: &Finding) -> Option<Alternatives> {
    let Detail::Example { misses, .. } = &finding.detail else {
        return None;
    };
    if !finding.readings_known {
        return None;
    }
    let mut bad = Alternatives::new();
    for one in combinations(program, finding) {
        let mut fixed = one.iter();
        let (Some((&id, &at)), None) = (fixed.next(), fixed.next()) else {
            return None;
        };
        bad.entry(id).or_default().push(at);
    }
    let others = bad.iter().map(|(&id, bad)| {
        let all = 0..program.readings[id].alternatives.len() as u16;
        (id, all.filter(|at| !bad.contains(at)).collect())
    });
    let good: Alternatives = others.collect();
    let is_good = |one: &Readings| {
        let mut all = good.iter();
        all.all(|(id, good)| one.get(id).is_none_or(|at| good.contains(at)))
    };
    let is_possible = !good.is_empty() && good.values().all(|good| !good.is_empty());
    (is_possible && !misses.iter().any(is_good)).then_some(good)
}

/// The condition on the readings under which an example comes out, and without which a line of it fails.
pub(super) fn comes_out_only_if(words: Words<'_>, finding: &Finding) -> Option<String> {
    let good = comes_out_under(words.program, finding)?;
    if good.values().map(Vec::len).sum::<usize>() > MOST_FACTS {
        return None;
    }
    let told = good.iter().map(|(&id, good)| {
        let good: Vec<String> = good.iter().map(|&at| taken(words, id, at)).collect();
        list(&good, "or")
    });
    Some(told.collect::<Vec<_>>().join(", and "))
}

/// Under which readings a finding occurs, in few words: `found only if` those if others may have it, too.
pub(super) fn found_under(words: Words<'_>, finding: &Finding) -> String {
    as_found(finding, words.under(&finding.readings))
}

/// The same in full.
pub(super) fn found_under_in_full(words: Words<'_>, finding: &Finding) -> String {
    as_found(finding, words.under_in_full(&finding.readings))
}

fn as_found(finding: &Finding, under: String) -> String {
    match under.as_str() {
        "under every reading" if !finding.is_tried_under_all() => under + " that was tried",
        _ if !finding.readings_known => found(under),
        _ => under,
    }
}

/// Under which readings something was found, where others may have it, too.
pub(super) fn found(under: String) -> String {
    match under.as_str() {
        "under some readings only" => "found under some readings".to_owned(),
        only if only.starts_with("only") => format!("found {only}"),
        _ => under,
    }
}

/// Which readings were tried: `every reading`, or what is left of them if some were fixed from outside; `of`
/// is what they are readings of.
pub(super) fn tried(program: &Program, finding: &Finding, of: &str) -> String {
    match finding.fixed.len() {
        0 if finding.untried => format!("every reading{of} that was tried"),
        0 => format!("every reading{of}"),
        fixed if fixed < program.readings.len() => format!("every reading{of} that was tried"),
        1 => format!("this reading{of}"),
        _ => format!("these readings{of}"),
    }
}

/// Words with which a sentence claims something of most cases only.
const HEDGES: [&str; 9] = [
    "mostly",
    "most of the time",
    "usually",
    "normally",
    "generally",
    "in general",
    "often",
    "as a rule",
    "almost",
];

/// Whether a finding is about a sentence that admits exceptions.
fn is_hedged(program: &Program, finding: &Finding) -> bool {
    let clause = finding.clauses.first().map(|&id| &program.clauses[id]);
    clause.is_some_and(|clause| {
        let says = clause.says.to_lowercase();
        HEDGES.iter().any(|hedge| says.contains(hedge))
    })
}

/// What a finding is called: the title of its code, unless it is only so under some readings, against a
/// sentence that admits exceptions, or of a kind that has a title of its own.
pub fn title(program: &Program, finding: &Finding) -> String {
    use endstep_language::diag::codes::finding as code;
    let always = combinations(program, finding).is_empty();
    let hedged = is_hedged(program, finding);
    let title = match finding.code {
        one if one == code::CLAIM_REFUTED && hedged => {
            "a claim of the document is not true on every board"
        }
        one if one == code::EXAMPLE_FAILS && !always && !finding.readings_known => {
            "a worked example does not come out, at least under one reading of the text"
        }
        one if one == code::CLAIM_REFUTED && !always && !finding.readings_known => {
            "a claim of the document is not true, at least under one reading of the text"
        }
        one if one == code::EXAMPLE_FAILS && !always => {
            let good = comes_out_under(program, finding);
            match good.map(|good| good.values().map(Vec::len).collect::<Vec<_>>()) {
                Some(good) if good == [1] => {
                    "a worked example comes out only if the text is read in one way"
                }
                _ => "a worked example does not come out under some readings of the text",
            }
        }
        one if one == code::CLAIM_REFUTED && !always => match ways(program, finding) {
            Some((1, _)) => "a claim of the document is not true if the text is read in one way",
            _ => "a claim of the document is not true under some readings of the text",
        },
        one if one == code::DEMANDS_AT_ODDS && !always => demands_title(program, finding),
        one if one == code::QUESTION_NO && !always && !finding.readings_known => {
            "the answer to a question is no, at least under one reading of the text"
        }
        one if one == code::QUESTION_NO && !always => match ways(program, finding) {
            Some((1, _)) => "the answer to a question is no if the text is read in one way",
            _ => "the answer to a question is no under some readings of the text",
        },
        one if one == code::ORDER_MATTERS => order_title(&finding.detail),
        other => match finding.detail {
            Detail::Untested(_, Untested::NothingChanges) => {
                "it holds, and was hardly put to the test"
            }
            Detail::Conflict(_, Some(_)) => "the document says different things at once",
            Detail::Conflict(_, None) => "more is taken than there is",
            _ => other.title(),
        },
    };
    title.to_owned()
}

/// What demands are called that are at odds under some readings.
fn demands_title(program: &Program, finding: &Finding) -> &'static str {
    let alone = matches!(&finding.detail, Detail::Demands(_, core) if core.len() == 1);
    match (ways(program, finding), alone) {
        (_, true) if !finding.readings_known => {
            "a demand that cannot be kept, at least under one reading of the text"
        }
        (_, false) if !finding.readings_known => {
            "demands that cannot be kept together, though any fewer can, at least under one reading of the text"
        }
        (Some((1, _)), true) => "a demand that cannot be kept if the text is read in one way",
        (Some((1, _)), false) => {
            "demands that cannot be kept together, though any fewer can, if the text is read in one way"
        }
        (_, true) => "a demand that cannot be kept under some readings of the text",
        (_, false) => {
            "demands that cannot be kept together, though any fewer can, under some readings of the text"
        }
    }
}

/// Of the alternatives of the one reading that decides about a finding, with how many it is found, and with
/// how many not; `None` if several decide.
fn ways(program: &Program, finding: &Finding) -> Option<(usize, usize)> {
    let listed = combinations(program, finding);
    let of = *listed.first()?.keys().next()?;
    let alone = |one: &Readings| one.len() == 1 && one.contains_key(&of);
    let all = program.readings[of].alternatives.len();
    listed
        .iter()
        .all(alone)
        .then(|| (listed.len(), all - listed.len()))
}

/// What a finding about an order is called, by who decides about it.
fn order_title(detail: &Detail) -> &'static str {
    match detail {
        Detail::Order(pair) | Detail::Steps(_, pair) => match pair.who {
            Who::Nobody => "the order matters, and the document does not fix it",
            Who::Player(_) => "the order matters, and a player chooses it",
            Who::Everyone => "the order matters, and the players choose it together",
            Who::Chance => "the order matters, and chance decides it",
        },
        // Nothing else has this code.
        _ => endstep_language::diag::codes::finding::ORDER_MATTERS.title(),
    }
}
