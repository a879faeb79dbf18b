//! One finding as text: what it says, the board, the trace, both outcomes, and how
//! to see it again.

use super::headline::{headline, standing_line};
use super::layout::{Style, Tone, count, digits, hang, table, table_width, wrap};
use super::outcome::{beside, end};
use super::paragraph::paragraph;
use super::words::Words;
use super::{Sheet, Standing, board, occurs, trace};
use crate::verdict::{Detail, Finding, Minimality, fingerprint};
use crate::witness::{Run, Witness};

/// How many digits of a fingerprint are shown; enough to tell findings apart.
const SHOWN_DIGITS: usize = 8;

/// The first digits of a fingerprint.
pub(super) fn short_print(sheet: Sheet<'_>, finding: &Finding) -> String {
    let mut print = fingerprint(sheet.program, finding);
    print.truncate(SHOWN_DIGITS);
    print
}

/// A finding in a report.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// How it stands.
    pub standing: &'a Standing,
    /// An earlier finding of the report with the same witness.
    pub earlier: Option<&'a Finding>,
}

/// The finding as text.
pub(super) fn text(sheet: Sheet<'_>, style: Style, entry: Entry<'_>) -> String {
    let Entry {
        finding,
        standing,
        earlier,
    } = entry;
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let mut out = headline(style, finding, standing);
    out.push_str(&format!("  {}\n", standing_line(style, finding, standing)));
    out.push_str(&wrap(&paragraph(words, finding), style.width, 2));
    if *standing != Standing::New {
        return out;
    }
    if !style.quiet {
        if let Some(earlier) = earlier {
            let print = short_print(sheet, earlier);
            out.push_str(&format!(
                "\n  The board and the runs are those of {print} above.\n\n"
            ));
        } else if let Some(witness) = &finding.witness {
            out.push_str(&shown(words, style, witness));
        }
        out.push_str(&facts(sheet, words, style, finding));
    }
    if finding.witness.is_some() {
        let print = short_print(sheet, finding);
        let command = format!(
            "  replay: endstep replay {} {print}\n",
            shell_word(sheet.name)
        );
        out.push_str(&command);
    }
    out
}

/// A path as a shell wants it.
fn shell_word(text: &str) -> String {
    let plain = |one: char| one.is_ascii_alphanumeric() || "/._-+=:@%".contains(one);
    match text.chars().all(plain) && !text.is_empty() {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// Where it stands, on how many boards and under which readings it occurs.
fn facts(sheet: Sheet<'_>, words: Words<'_>, style: Style, finding: &Finding) -> String {
    let mut out = String::new();
    let mut fact = |name: &str, text: &str| {
        if !text.is_empty() {
            out.push_str(&hang(&format!("{name} {text}"), style.width, 2, 4));
        }
    };
    // The first one is in the heading above.
    for &clause in finding.clauses.iter().skip(1) {
        fact("clause:", &words.clause(clause));
    }
    if let Some(&span) = finding.spans.first() {
        fact("at:", &words.place(span));
    }
    let scope = finding.scope.and_then(|at| sheet.results.scopes.get(at));
    if let Some(scope) = scope.filter(|_| finding.witness.is_some()) {
        let compares = matches!(
            finding.detail,
            Detail::Reading { .. } | Detail::ReadingPower { .. }
        );
        let under = match compares {
            true => String::new(),
            false => words.under(&finding.readings),
        };
        let under = match under.is_empty() {
            true => String::new(),
            false => format!(", {under}"),
        };
        let legal = count(scope.legal, "legal board", "legal boards");
        let boards = digits(finding.boards);
        fact("occurs on:", &format!("{boards} of {legal}{under}"));
        let which = finding.occurs.as_ref();
        let which = which.map_or_else(String::new, |which| occurs::described(words.program, which));
        fact("which ones:", &which);
        let smallest = match finding.minimality {
            Minimality::Exact => "no smaller board shows it",
            Minimality::BestEffort => "the smallest board found; there may be a smaller one",
        };
        fact("size:", smallest);
    }
    out
}

/// The board, the traces and the outcomes of a witness.
pub(super) fn shown(words: Words<'_>, style: Style, witness: &Witness) -> String {
    let title = |text: &str| format!("\n  {}\n", style.paint(Tone::Strong, text));
    let runs = witness.runs();
    let Some(first) = runs.first() else {
        return String::new();
    };
    let mut out = title("The board");
    out.push_str(&board::text(
        words.program,
        &first.names,
        (&first.board, board::Shown::Telling),
        4,
        style.width,
    ));
    let alike = runs.iter().all(|run| run.readings == first.readings);
    if alike && !first.readings.is_empty() {
        let readings = words.readings(&first.readings);
        out.push_str(&hang(&format!("readings: {readings}"), style.width, 4, 6));
    }
    for (run, name) in runs.iter().zip(run_titles(words, witness)) {
        out.push_str(&title(&name));
        out.push_str(&played(words, style, run));
    }
    if let (Some(second), Some(observer)) = (runs.get(1), compared(witness)) {
        let rows = beside(words, first, second, observer);
        if !rows.is_empty() {
            let mut all = vec![["".to_owned(), "first".to_owned(), "second".to_owned()]];
            all.extend(rows);
            let all: Vec<Vec<String>> = all.into_iter().map(|row| row.to_vec()).collect();
            out.push_str(&title("Where they end differently"));
            out.push_str(&compared_ends(&all, style.width));
        }
    }
    out.push('\n');
    out
}

/// Where two ends differ: a table, or a list where it would be wider than the page.
fn compared_ends(rows: &[Vec<String>], width: usize) -> String {
    if table_width(rows) + 4 <= width {
        return table(rows, 4);
    }
    let mut out = String::new();
    for row in rows.iter().skip(1) {
        if let [what, first, second] = row.as_slice() {
            out.push_str(&format!("    {what}\n"));
            out.push_str(&hang(&format!("first: {first}"), width, 6, 8));
            out.push_str(&hang(&format!("second: {second}"), width, 6, 8));
        }
    }
    out
}

/// The observer with which two ends are compared, if two are.
fn compared(witness: &Witness) -> Option<Option<crate::typing::program::ObserverId>> {
    match witness {
        Witness::Versus(versus) => Some(versus.observer),
        Witness::Again { observer, .. } => Some(*observer),
        Witness::Run { .. }
        | Witness::Lasso { .. }
        | Witness::Growth { .. }
        | Witness::Power(_) => None,
    }
}

/// What each run of a witness is called.
fn run_titles(words: Words<'_>, witness: &Witness) -> Vec<String> {
    let titles: [&str; 2] = match witness {
        Witness::Run { .. } => ["What happens", ""],
        Witness::Lasso { .. } => ["What happens, and happens again", ""],
        Witness::Growth { .. } => ["What happens, and happens again with more", ""],
        Witness::Versus(versus) => {
            let differ = versus.run.readings != versus.against.readings;
            if differ {
                let title =
                    |which: &str, run: &Run| format!("{which}: {}", words.readings(&run.readings));
                return vec![
                    title("First", &versus.run),
                    title("Second", &versus.against),
                ];
            }
            ["First", "Second"]
        }
        Witness::Again { .. } => ["First", "Once again"],
        Witness::Power(_) => ["Where the player can", "Where the player cannot"],
    };
    titles.iter().map(|&title| title.to_owned()).collect()
}

/// The trace of a run and its end.
fn played(words: Words<'_>, style: Style, run: &Run) -> String {
    let mut out = match crate::witness::trace(words.program, run) {
        Ok(found) => match trace::text(words, &run.names, &found, style) {
            empty if empty.is_empty() => "    nothing changes\n".to_owned(),
            text => text,
        },
        Err(error) => {
            let message = error.message(words.program, &run.names);
            wrap(
                &format!("this run could not be replayed: {message}"),
                style.width,
                4,
            )
        }
    };
    out.push_str(&hang(&format!("=> {}", end(words, run)), style.width, 4, 7));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_that_fit_no_table_are_listed() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [
            row(["", "first", "second"]),
            row(["outcome", "it ends", "it never ends"]),
        ];
        let table = "             first    second\n    outcome  it ends  it never ends\n";
        assert_eq!(compared_ends(&rows, 40), table);
        let list = "    outcome\n      first: it ends\n      second: it never\n        ends\n";
        assert_eq!(compared_ends(&rows, 22), list);
    }
}
