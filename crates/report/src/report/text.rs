//! The report of a check as text: findings by document and clause, what holds, what
//! is covered, what was explored.

use super::causes::leaders;
use super::caveat::caveat;
use super::coverage::clause_counts_explained;
use super::extreme;
use super::finding::Entry;
use super::layout::{Style, Tone, count, hang, list, wrap};
use super::part::{left_out, missed, open};
use super::scope_line::scope_line;
use super::verdict::{
    argued, explored_only, held, restricted, told, unseen, why_open, why_unknown,
};
use super::words::Words;
use super::{Sheet, Standing, Tally, Unfound, finding, made_up};
use endstep_language::typing::program::{ClauseIdx, DocumentId, Program};
use endstep_tools::coverage::clauses;
use endstep_verdicts::analysis::sequences_not_run;
use endstep_verdicts::verdict::{
    ExpectedFinding, Finding, Question, Results, Scope, Verdict, accepts, fingerprint,
};
use std::collections::BTreeMap;

/// So many answers that hold are listed; the others are counted.
const MOST_ANSWERS: usize = 12;

/// The title over what was expected and is gone.
pub(super) const GONE: &str = "No longer found, or not needed";

/// The title over what is proved.
const PROVED: &str = "Proved: so on boards of every size, in every run";

/// The beginning of the title over what holds.
const HOLDS: &str = "Holds in scope";

/// The title over what a single run shows, whatever was left out.
const SHOWN: &str = "Shown: a run that does this was found and replayed";

/// The beginning of the title over the largest and smallest values.
const VALUES: &str = "Largest and smallest values";

/// The same where the check was restricted to some boards or readings.
const HOLDS_IN_PART: &str = "Holds in the part that was checked";

/// The report on one specification.
pub fn check_text(sheet: Sheet<'_>, style: Style) -> String {
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let mut out = title(sheet, style);
    if let Some(sentences) = left_out(sheet.restrictions, sheet.results.narrowed) {
        out.push_str(&format!("{}\n", wrap(&sentences, style.width, 0)));
    }
    out.push_str(&findings(sheet, style));
    out.push_str(&gone(sheet, words, style));
    if !style.quiet {
        out.push_str(&answers(sheet, words, style));
        out.push_str(&covered(sheet, style));
        out.push_str(&explored(sheet, words, style));
    }
    out.push_str(&last_line(sheet, style));
    out
}

/// The name of the game and of the specification.
pub(super) fn title(sheet: Sheet<'_>, style: Style) -> String {
    let title = match sheet.program.game.is_empty() {
        true => sheet.name.to_owned(),
        false => format!("{} ({})", sheet.program.game, sheet.name),
    };
    format!("{}\n\n", style.paint(Tone::Strong, &title))
}

/// The findings, by document and clause.
pub(super) fn findings(sheet: Sheet<'_>, style: Style) -> String {
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let mut out = String::new();
    let mut shown: Vec<&Finding> = Vec::new();
    let leaders = leaders(sheet);
    for ((document, clause), members) in groups(sheet) {
        // Each finding leaves an empty line behind.
        out.push_str(&group_title(words, style, document, clause));
        for at in members {
            let findings = &sheet.results.findings;
            let (finding, standing) = (&findings[at], &sheet.standings[at]);
            let same = |other: &&&Finding| other.witness == finding.witness;
            let leader = leaders.get(at).filter(|leader| **leader != at);
            let entry = Entry {
                finding,
                standing,
                earlier: shown.iter().find(same).copied(),
                cause: leader.and_then(|leader| findings.get(*leader)),
            };
            out.push_str(&finding::text(sheet, style, entry));
            out.push('\n');
            if finding.witness.is_some() && *standing == Standing::New {
                shown.push(finding);
            }
        }
    }
    out
}

type Group = (Option<DocumentId>, Option<ClauseIdx>);

/// The findings by the document and clause that they rest on, in the order of the
/// specification; those without a clause come last.
fn groups(sheet: Sheet<'_>) -> Vec<(Group, Vec<usize>)> {
    let mut found: BTreeMap<_, (Group, Vec<_>)> = BTreeMap::new();
    for (at, finding) in sheet.results.findings.iter().enumerate() {
        let clause = finding.clauses.first().copied();
        let document = clause.and_then(|id| sheet.program.clauses[id].document);
        let order = (clause.is_none(), document, clause);
        let entry = found
            .entry(order)
            .or_insert(((document, clause), Vec::new()));
        entry.1.push(at);
    }
    found.into_values().collect()
}

fn group_title(
    words: Words<'_>,
    style: Style,
    document: Option<DocumentId>,
    clause: Option<ClauseIdx>,
) -> String {
    let mut title = String::new();
    if let Some(id) = document {
        title.push_str(&words.program.documents[id].title);
        title.push_str(", ");
    }
    match clause {
        Some(id) => title.push_str(&words.clause(id)),
        None => title.push_str("Outside of any clause"),
    }
    let lines = hang(&title, style.width, 0, 2);
    let painted = lines.lines().map(|line| style.paint(Tone::Strong, line));
    format!("{}\n\n", painted.collect::<Vec<_>>().join("\n"))
}

/// Expected findings that were not found, and `accept`s that cover nothing.
fn gone(sheet: Sheet<'_>, words: Words<'_>, style: Style) -> String {
    let lines = gone_lines(sheet, words);
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines
        .iter()
        .map(|line| hang(line, style.width, 2, 4))
        .collect();
    let title = style.paint(Tone::Odd, GONE);
    let option = match sheet.policy.vanished_fails {
        true => "--update-expected",
        false => "--update-baseline --baseline FILE",
    };
    let help = format!(
        "  If that is as it should be: endstep check {option} {}\n",
        sheet.name
    );
    match sheet.vanished.is_empty() {
        true => format!("{title}\n{lines}\n"),
        false => format!("{title}\n{lines}{help}\n"),
    }
}

/// Expected findings that were not found, and `accept`s that cover nothing, a line for each; last those that may be
/// there all the same.
pub(super) fn gone_lines(sheet: Sheet<'_>, words: Words<'_>) -> Vec<String> {
    let found = |one: &ExpectedFinding| {
        let mut findings = sheet.results.findings.iter();
        findings.find(|finding| fingerprint(sheet.program, finding) == one.fingerprint)
    };
    let vanished = sheet.vanished.iter().map(|one| match found(one) {
        Some(other) => format!(
            "{} at {} was known, but its fingerprint is that of a finding {}",
            one.code, one.subject, other.code
        ),
        None => {
            let decided = one.because.as_ref();
            let decided = decided.map_or_else(String::new, |one| format!(" (decided: {one})"));
            format!(
                "{} at {} was known and is gone{decided}",
                one.code, one.subject
            )
        }
    });
    let accept = |&at: &usize| {
        let accept = sheet.program.accepts.get(at)?;
        let place = words.place(accept.span);
        let mut findings = sheet.results.findings.iter();
        let covers = match findings.any(|one| accepts(sheet.program, accept, one)) {
            true => "covers nothing that another one does not",
            false => "covers nothing",
        };
        Some(format!("accept {} ({place}) {covers}", accept.code))
    };
    let unused = sheet.unused.iter().filter_map(accept);
    let unfound = sheet.unfound.iter().filter_map(|one| {
        Some(match one {
            Unfound::Expected(one) => missed(&one.code, &one.subject),
            Unfound::Accept(at) => open(&accept(at)?),
        })
    });
    vanished.chain(unused).chain(unfound).collect()
}

/// What is proved, what holds, and what is unknown.
fn answers(sheet: Sheet<'_>, words: Words<'_>, style: Style) -> String {
    let mut proved = Vec::new();
    let mut good = Vec::new();
    let mut seen = Vec::new();
    let mut values = Vec::new();
    let mut open = Vec::new();
    let but = |answer| {
        let caveat = caveat(words, answer, sheet.results);
        caveat.map_or_else(String::new, |caveat| format!(" ({caveat})"))
    };
    for answer in &sheet.results.answers {
        if let Some(said) = extreme::answered(words, answer, sheet.results) {
            match answer.verdict {
                Verdict::Unknown(_) => open.push(said),
                _ => values.push((said, extreme::shown(words, answer, style))),
            }
            continue;
        }
        let asked = told(words, answer.subject);
        if let Some(proof) = &answer.proof {
            let but = but(answer);
            let why = argued(words, answer.subject, &proof.argument);
            proved.push(format!("{asked}: {why}{but}"));
            continue;
        }
        match &answer.verdict {
            Verdict::HoldsInScope => good.push(held(words, answer, sheet.results)),
            Verdict::Shown => {
                let said = format!("{asked}{}", but(answer));
                // What a claim says to be so need not be looked at.
                let is_wanted = style.all || is_question(sheet.program, answer.subject);
                let shown = is_wanted.then(|| extreme::shown(words, answer, style));
                seen.push((said, shown.flatten()));
            }
            Verdict::Unknown(why) => {
                let why: Vec<String> = why_unknown(why);
                open.push(format!("{asked}: {}", why.join("; ")));
            }
            // Of what is said to be reachable, "nowhere" is a no. Its finding tells it, if it is shown.
            Verdict::Refuted | Verdict::NoneInScope => {}
        }
    }
    open.extend(unseen(words, sheet.results));
    let most = if style.all { usize::MAX } else { MOST_ANSWERS };
    let (holds, tried) = holds(words, &sheet.results.scopes);
    let holds = format!("{holds}: {tried}");
    let unknown = format!("Unknown: {}", why_open(sheet.results));
    [
        listed((Tone::Good, PROVED), &proved, most, style),
        listed((Tone::Good, &holds), &good, most, style),
        witnessed(SHOWN, &seen, style),
        witnessed(&format!("{VALUES}: {tried}"), &values, style),
        listed((Tone::Odd, &unknown), &open, usize::MAX, style),
    ]
    .concat()
}

fn is_question(program: &Program, subject: Question) -> bool {
    let Question::Claim(at) = subject else {
        return false;
    };
    program.claims.get(at).is_some_and(|claim| claim.question)
}

/// What was asked for and found, each with the run that shows it.
fn witnessed(title: &str, answers: &[(String, Option<String>)], style: Style) -> String {
    if answers.is_empty() {
        return String::new();
    }
    let mut out = titled(Tone::Good, title, style);
    let mut ends_blank = false;
    for (said, shown) in answers {
        let said = match shown {
            Some(_) => format!("{said}, as on this board"),
            None => said.clone(),
        };
        out.push_str(&hang(&said, style.width, 2, 4));
        out.push_str(shown.as_deref().unwrap_or_default());
        ends_blank = shown.is_some();
    }
    if !ends_blank {
        out.push('\n');
    }
    out
}

/// The title over what holds: how it begins, and what was tried.
fn holds(words: Words<'_>, scopes: &[Scope]) -> (&'static str, String) {
    if scopes.iter().any(|scope| scope.partial) {
        let tried = "every one of its boards and runs was tried".to_owned();
        return (HOLDS_IN_PART, tried);
    }
    let tried = match restricted(words, scopes) {
        Some(conditions) => format!(
            "every board of these sizes that meets {conditions}, and every run from it, was tried"
        ),
        None => "every board of these sizes and every run was tried".to_owned(),
    };
    (HOLDS, tried)
}

/// A title, as wide as the terminal.
fn titled(tone: Tone, title: &str, style: Style) -> String {
    let title = hang(title, style.width, 0, 2);
    title
        .lines()
        .map(|line| style.paint(tone, line) + "\n")
        .collect()
}

/// Lines under a title, the first of them if there are many.
fn listed((tone, title): (Tone, &str), lines: &[String], most: usize, style: Style) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut out = titled(tone, title, style);
    for line in lines.iter().take(most) {
        out.push_str(&hang(line, style.width, 2, 4));
    }
    if lines.len() > most {
        out.push_str(&format!(
            "  and {} more; --all lists them\n",
            lines.len() - most
        ));
    }
    out.push('\n');
    out
}

/// How far the clauses got.
fn covered(sheet: Sheet<'_>, style: Style) -> String {
    let clauses = clauses(sheet.program);
    if clauses.all.is_empty() {
        return String::new();
    }
    let line = hang(&clause_counts_explained(&clauses), style.width, 2, 4);
    format!("{}\n{line}\n", style.paint(Tone::Strong, "Covered"))
}

/// What was explored, one line for each start.
fn explored(sheet: Sheet<'_>, words: Words<'_>, style: Style) -> String {
    if sheet.results.scopes.is_empty() {
        return String::new();
    }
    let mut out = format!("{}\n", style.paint(Tone::Strong, "Explored"));
    for scope in &sheet.results.scopes {
        let line = scope_line(words, scope, &only(words, scope));
        out.push_str(&hang(&line, style.width, 2, 4));
    }
    for line in made_up::lines(words) {
        out.push_str(&hang(&line, style.width, 2, 4));
    }
    if let Some(line) = not_run(words) {
        out.push_str(&hang(&line, style.width, 2, 4));
    }
    for line in beyond(sheet.results) {
        out.push_str(&hang(&line, style.width, 2, 4));
    }
    out.push('\n');
    out
}

/// The sequences that nothing looks at.
pub(super) fn not_run(words: Words<'_>) -> Option<String> {
    let names = sequences_not_run(words.program).into_iter();
    let names: Vec<String> = names.map(|id| words.sequence(id)).collect();
    let named = list(&names, "and");
    (!names.is_empty()).then(|| {
        format!("not run: {named}, since no `verify`, claim, question or example comes to it")
    })
}

/// What was tried beyond the scopes on boards that the prover suggests, and of which open orders it was not asked.
pub(super) fn beyond(results: &Results) -> impl Iterator<Item = String> {
    let suggested = (results.suggested > 0).then(|| {
        let boards = count(results.suggested as u64, "board", "boards");
        format!("also tried: {boards} suggested by the prover")
    });
    let unasked = (results.unsuggested > 0).then(|| {
        let orders = count(results.unsuggested as u64, "open order", "open orders");
        format!("beyond that, the prover was asked for boards, but not for {orders}: there were too many")
    });
    suggested.into_iter().chain(unasked)
}

/// Which of the legal boards were enumerated, if not all.
pub(super) fn only(words: Words<'_>, scope: &Scope) -> String {
    let names = explored_only(words, scope);
    match names.is_empty() {
        true => String::new(),
        false => format!(", only boards with {}", names.join(" and ")),
    }
}

pub(super) fn last_line(sheet: Sheet<'_>, style: Style) -> String {
    let tally = Tally::of(sheet);
    let tone = match (tally.is_news(), tally.unknown) {
        (true, _) => Tone::Bad,
        (false, 0) => Tone::Good,
        (false, _) => Tone::Odd,
    };
    format!("{}\n", style.paint(tone, &tally.line()))
}
