//! Demands that no outcome of a board meets, in words.
//!
//! ```text
//! Clause a.1 says "No card is lost." (none_lost: after cleanup, …). Clause a.2 says "The dead are
//! discarded." (no_dead: after cleanup, …). From the board below cleanup can end in 2 ways, and neither meets both: in the
//! first none_lost is not met, in the second no_dead is not met.
//! ```

use super::layout::{count, digits, list};
use super::rests::rests;
use super::spoken;
use super::words::{Words, plain};
use endstep_language::syntax::ast::At;
use endstep_language::typing::program::{ClaimKind, Expr, Program, SequenceId};
use endstep_semantics::semantics::Names;
use endstep_semantics::witness::{Demands, Run, Violated, Way, Witness};
use endstep_verdicts::verdict::Finding;
use std::collections::{BTreeMap, BTreeSet};

/// So many ways to break demands are told apart in a sentence.
const MOST_WAYS: usize = 8;

/// What a finding about demands says.
pub(super) fn paragraph(words: Words<'_>, sequence: SequenceId, finding: &Finding) -> String {
    let Some(Witness::Demands(demands)) = &finding.witness else {
        return String::new();
    };
    let intros = demands.core.iter().map(|one| intro(words, one));
    let intros: Vec<String> = intros.collect();
    let ways = &demands.ways;
    let (number, sequence) = (ways.len() as u64, words.sequence(sequence));
    let how = match (number, demands.core.len()) {
        (1, _) => "this is not met".to_owned(),
        (_, 1) => "this is met in none of them".to_owned(),
        (2, 2) => format!("neither meets both: {}", told(words, demands)),
        (_, 2) => format!("none of them meets both: {}", told(words, demands)),
        (_, all) => format!("none of them meets all {all}: {}", told(words, demands)),
    };
    let read = match demands.runs.iter().all(|run| run.readings.is_empty()) {
        true => "",
        false => ", as the text is read there,",
    };
    format!(
        "{} From the board below{read} {sequence} can end in {}, and {how}.",
        intros.join(" "),
        number_of_ways(words, demands)
    )
}

/// `4 ways`, and what tells them apart if that is not everything.
fn number_of_ways(words: Words<'_>, demands: &Demands) -> String {
    let ways = count(demands.ways.len() as u64, "way", "ways");
    let seen: BTreeSet<_> = demands.ways.iter().map(|(outcome, _)| outcome).collect();
    let Some(observer) = demands.observer else {
        return match seen.len() == demands.ways.len() {
            true => ways,
            // At a win nothing that lies there counts, and demands look at it all the same.
            false => format!("{ways} that differ in how they end or in what is not met"),
        };
    };
    let name = plain(&words.program.observers[observer].name);
    match seen.len() == demands.ways.len() {
        true => format!("{ways} for what \"{name}\" sees"),
        // What looks the same can break other demands.
        false => format!("{ways} that differ in what \"{name}\" sees or in what is not met"),
    }
}

/// What is demanded, as a sentence.
fn intro(words: Words<'_>, demand: &Violated) -> String {
    let program = words.program;
    let name = demand.name(program);
    let what = match said(words, demand) {
        Some(said) => format!("{name}: {said}"),
        None => format!("{name}: `{}`", formula(words, demand)),
    };
    let what = match is_of_more_than_ends(program, demand) {
        true => format!("{what}; only where it ends counts here"),
        false => what,
    };
    let clause = match demand {
        Violated::Claim(at) => program.claims.get(*at).and_then(|claim| claim.clause),
        Violated::Legal(at) => program.legals.get(*at).and_then(|legal| legal.clause),
        Violated::Contract(sequence, _) => program.sequences[*sequence].clause,
        _ => None,
    };
    let clause = clause.map(|id| &program.clauses[id]);
    match clause {
        Some(clause) if !clause.says.is_empty() => {
            format!("Clause {} says \"{}\" ({what}).", clause.id, clause.says)
        }
        Some(clause) => format!("Clause {} demands this ({what}).", clause.id),
        None => format!("The specification demands this ({what})."),
    }
}

/// Whether a claim speaks of other moments, too: of these nothing is demanded together with others.
fn is_of_more_than_ends(program: &Program, demand: &Violated) -> bool {
    let Violated::Claim(at) = demand else {
        return false;
    };
    let kind = program.claims.get(*at).map(|claim| &claim.kind);
    matches!(
        kind,
        Some(ClaimKind::Invariant(_, At::Steps | At::Throughout, _))
    )
}

/// What is demanded, in words.
fn said(words: Words<'_>, demand: &Violated) -> Option<String> {
    let program = words.program;
    let condition = match demand {
        Violated::Claim(at) => return spoken::claim(words, program.claims.get(*at)?),
        Violated::Legal(at) => &program.legals.get(*at)?.condition,
        Violated::Contract(sequence, at) => promise(words, *sequence, *at)?,
        _ => return None,
    };
    spoken::condition(words, &Names::default(), condition)
}

/// The same as the specification writes it, without its name.
fn formula(words: Words<'_>, demand: &Violated) -> String {
    let program = words.program;
    let line = match demand {
        Violated::Claim(at) => program.claims.get(*at).map(|one| words.line(one.span)),
        Violated::Legal(at) => program.legals.get(*at).map(|one| words.line(one.span)),
        Violated::Contract(sequence, at) => {
            let promise = promise(words, *sequence, *at);
            return promise.map_or_else(String::new, |one| words.quote(one.span));
        }
        _ => None,
    };
    let line = line.unwrap_or_default();
    match line.split_once(": ") {
        Some((_, formula)) => formula.to_owned(),
        None => line,
    }
}

fn promise(words: Words<'_>, sequence: SequenceId, at: usize) -> Option<&Expr> {
    let contract = words.program.sequences[sequence].contract.as_ref()?;
    contract.ensures.get(at)
}

/// The formulas of what is told in words.
pub(super) fn formally(words: Words<'_>, finding: &Finding) -> Vec<(&'static str, String)> {
    let Some(Witness::Demands(demands)) = &finding.witness else {
        return Vec::new();
    };
    let core = demands.core.iter();
    let worded = core.filter(|one| said(words, one).is_some());
    let line = |one: &Violated| format!("{}: {}", one.name(words.program), formula(words, one));
    worded.map(|one| ("formally", line(one))).collect()
}

/// How many ways there are to break which demands, the fewest demands first.
pub(super) fn patterns(ways: &[Way]) -> Vec<(Vec<usize>, u64)> {
    let mut counted: BTreeMap<(usize, &[usize]), u64> = BTreeMap::new();
    for (_, broken) in ways {
        *counted.entry((broken.len(), broken)).or_default() += 1;
    }
    let counted = counted.into_iter();
    counted
        .map(|((_, broken), n)| (broken.to_vec(), n))
        .collect()
}

/// Which of several demands are not met in which ways.
fn told(words: Words<'_>, demands: &Demands) -> String {
    let patterns = patterns(&demands.ways);
    let names = |broken: &[usize]| {
        let names = broken
            .iter()
            .map(|&at| demands.core[at].name(words.program));
        list(&names.collect::<Vec<_>>(), "and")
    };
    if patterns.len() > MOST_WAYS {
        return "in each of them at least one is not met".to_owned();
    }
    let one_each = demands.ways.len() == demands.core.len();
    let parts = patterns.iter().enumerate().map(|(at, (broken, number))| {
        let which = match one_each {
            true => format!("in the {}", ordinal(at).to_lowercase()),
            false => format!("in {}", digits(*number)),
        };
        let verb = if broken.len() == 1 { "is" } else { "are" };
        format!("{which} {} {verb} not met", names(broken))
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn ordinal(at: usize) -> String {
    match ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"].get(at) {
        Some(word) => (*word).to_owned(),
        None => format!("Run {}", at + 1),
    }
}

/// What the runs are called: each breaks one demand.
pub(super) fn titles(words: Words<'_>, demands: &Demands) -> Vec<String> {
    let one = |(at, demand): (usize, &Violated)| match demands.core.len() {
        1 => "What happens".to_owned(),
        _ => format!("{}: {} is not met", ordinal(at), demand.name(words.program)),
    };
    demands.core.iter().enumerate().map(one).collect()
}

/// What is to be said of a demand that is met in no way in which a run from its board can end.
pub(super) fn everywhere(words: Words<'_>, run: &Run) -> String {
    let rests = rests(words, &[run]);
    match run.readings.is_empty() {
        true => format!("No run from this board satisfies it.{rests}"),
        false => format!("Read this way, no run from this board satisfies it.{rests}"),
    }
}
