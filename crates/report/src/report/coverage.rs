//! The account of coverage as text and JSON.

use super::layout::{Style, Tone, count, hang};
use super::words::Words;
use endstep_language::source::SourceMap;
use endstep_language::syntax::ast::ClauseKind;
use endstep_language::typing::program::Program;
use endstep_tools::coverage::{
    ClauseState, ClauseStatus, Clauses, Problem, SentenceAccount, TextAccount,
};
use serde_json::{Value, json};

/// The account as text: every clause with how far it got, the sentences that need
/// a look, and what to do next.
pub fn coverage_text(
    (program, sources): (&Program, &SourceMap),
    clauses: &Clauses,
    text: Option<(&str, &TextAccount)>,
    style: Style,
) -> String {
    let words = Words { program, sources };
    let mut out = String::new();
    let mut document = None;
    for clause in &clauses.all {
        if clause.document != document {
            document.clone_from(&clause.document);
            let title = document.as_deref().unwrap_or("outside of any document");
            out.push_str(&format!("{}\n", style.paint(Tone::Strong, title)));
        }
        if !style.quiet || clause.state == ClauseState::Missing {
            out.push_str(&clause_line(style, clause));
        }
    }
    if let Some((name, account)) = text {
        out.push_str(&sentences(name, account, style));
    }
    out.push('\n');
    out.push_str(&format!("{}\n", clause_counts(clauses)));
    if let Some(next) = clauses.next() {
        let place = words.place(next.span);
        let mut line = format!("next to formalise: {}", next.id);
        if !next.locator.is_empty() {
            line.push_str(&format!(" ({})", next.locator));
        }
        if !next.says.is_empty() {
            line.push_str(&format!(": \"{}\"", next.says));
        }
        line.push_str(&format!(" at {place}"));
        out.push_str(&hang(&line, style.width, 0, 2));
    }
    out
}

/// `9 clauses: 6 formalised, 2 waived, 1 missing`
pub(super) fn clause_counts(clauses: &Clauses) -> String {
    let informal = match clauses.count(ClauseState::Informal) {
        0 => String::new(),
        number => format!(", {number} with nothing to formalise"),
    };
    format!(
        "{}: {} formalised, {} waived, {} missing{informal}",
        count(clauses.all.len() as u64, "clause", "clauses"),
        clauses.count(ClauseState::Formalised),
        clauses.count(ClauseState::Waived),
        clauses.count(ClauseState::Missing),
    )
}

/// The same for those who have not written them: `9 clauses: 6 formalised (modelled as …), …`
pub(super) fn clause_counts_explained(clauses: &Clauses) -> String {
    let of = |state| clauses.count(state);
    let mut parts = vec![format!(
        "{} formalised (modelled as rules, claims or examples)",
        of(ClauseState::Formalised)
    )];
    for (number, what) in [
        (of(ClauseState::Waived), "waived (set aside, with a reason)"),
        (of(ClauseState::Missing), "missing (not modelled yet)"),
        (of(ClauseState::Informal), "with nothing to formalise"),
    ] {
        if number > 0 {
            parts.push(format!("{number} {what}"));
        }
    }
    let all = count(clauses.all.len() as u64, "clause", "clauses");
    format!("{all}: {}", parts.join(", "))
}

fn clause_line(style: Style, clause: &ClauseStatus) -> String {
    let (word, tone) = match clause.state {
        ClauseState::Formalised => ("formalised", Tone::Good),
        ClauseState::Waived => ("waived    ", Tone::Faint),
        ClauseState::Informal => ("nothing   ", Tone::Faint),
        ClauseState::Missing => ("missing   ", Tone::Bad),
    };
    let mut text = format!("{}, {}", clause.id, clause.locator);
    if clause.locator.is_empty() {
        text.clone_from(&clause.id);
    }
    if let Some(reason) = &clause.reason {
        text.push_str(&format!(" ({reason})"));
    }
    let lines = hang(&text, style.width.saturating_sub(14), 0, 2);
    let mut lines = lines.lines();
    let first = lines.next().unwrap_or_default();
    let mut out = format!("  {}  {first}\n", style.paint(tone, word));
    for line in lines {
        out.push_str(&format!("{}{line}\n", " ".repeat(14)));
    }
    out
}

/// The sentences with a problem, those that vanished, and how many are covered.
fn sentences(name: &str, account: &TextAccount, style: Style) -> String {
    let mut out = format!("\n{}\n", style.paint(Tone::Strong, name));
    for one in account.problems() {
        let (from, to) = one.sentence.lines;
        let what = match &one.problem {
            None => continue,
            Some(Problem::Uncovered) => "no clause covers it".to_owned(),
            Some(Problem::Changed(was, _)) => {
                let ids = one.clauses.join(", ");
                match ids.is_empty() {
                    true => format!("changed; it began: {was}"),
                    false => format!("changed; look again at {ids}; it began: {was}"),
                }
            }
            Some(Problem::Unknown(ids)) => format!("no clause is called {}", ids.join(" or ")),
        };
        let line = format!("{}: \"{}\": {what}", lines(from, to), one.sentence.text);
        out.push_str(&hang(&line, style.width, 2, 4));
    }
    for tie in &account.vanished {
        let ids = match tie.clauses.is_empty() {
            true => String::new(),
            false => format!("; look again at {}", tie.clauses.join(", ")),
        };
        let (from, to) = tie.lines;
        let line = format!(
            "{} before: \"{}\": vanished{ids}",
            lines(from, to),
            tie.begins
        );
        out.push_str(&hang(&line, style.width, 2, 4));
    }
    let fine = account.sentences.iter().filter(|one| one.problem.is_none());
    let (skipped, covered): (Vec<_>, Vec<_>) = fine.partition(|one| one.skip.is_some());
    let (skipped, covered) = (skipped.len(), covered.len());
    let problems = account.problems().count();
    out.push_str(&format!(
        "  {}: {covered} covered, {skipped} skipped with a reason, {problems} to look at, {} vanished\n",
        count(account.sentences.len() as u64, "sentence", "sentences"),
        account.vanished.len(),
    ));
    if !account.untied.is_empty() && !style.quiet {
        let line = format!("clauses tied to no sentence: {}", account.untied.join(", "));
        out.push_str(&hang(&line, style.width, 2, 4));
    }
    out
}

fn lines(from: u32, to: u32) -> String {
    match from == to {
        true => format!("line {from}"),
        false => format!("lines {from}-{to}"),
    }
}

/// The account as JSON.
pub fn coverage_json(
    (program, sources): (&Program, &SourceMap),
    clauses: &Clauses,
    text: Option<(&str, &TextAccount)>,
) -> Value {
    let words = Words { program, sources };
    let clause = |clause: &ClauseStatus| {
        json!({
            "id": clause.id,
            "document": clause.document,
            "kind": kind(clause.kind),
            "locator": clause.locator,
            "says": clause.says,
            "state": clause.state,
            "reason": clause.reason,
            "place": words.place(clause.span),
        })
    };
    let text = text.map(|(name, account)| {
        json!({
            "source": name,
            "sentences": account.sentences.iter().map(sentence).collect::<Vec<_>>(),
            "vanished": account.vanished,
            "untied_clauses": account.untied,
        })
    });
    json!({
        "version": super::SCHEMA_VERSION,
        "clauses": clauses.all.iter().map(clause).collect::<Vec<_>>(),
        "next": clauses.next().map(|clause| clause.id.as_str()),
        "text": text,
    })
}

fn sentence(account: &SentenceAccount) -> Value {
    let state = match (&account.problem, &account.skip) {
        (Some(Problem::Uncovered), _) => "uncovered",
        (Some(Problem::Changed(..)), _) => "changed",
        (Some(Problem::Unknown(_)), _) => "unknown clause",
        (None, Some(_)) => "skipped",
        (None, None) => "covered",
    };
    json!({
        "lines": account.sentence.lines,
        "hash": account.sentence.hash(),
        "text": account.sentence.text,
        "clauses": account.clauses,
        "skip": account.skip,
        "state": state,
    })
}

fn kind(kind: ClauseKind) -> &'static str {
    match kind {
        ClauseKind::Rule => "rule",
        ClauseKind::Definition => "definition",
        ClauseKind::Example => "example",
        ClauseKind::Claim => "claim",
        ClauseKind::Note => "note",
        ClauseKind::Reference => "reference",
    }
}
