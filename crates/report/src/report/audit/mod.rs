//! Decisions that a specification makes without saying so, in words.
//!
//! ```text
//! 1. Does it still happen to a Card that no longer meets the condition when its turn comes?
//!    cleanup.1:rechecked, game.endstep:22
//!    for each c: Card in board where c.health <= 0, left to right
//!    It happens to all that meet the condition at the beginning, whatever becomes of them before their turn. If a
//!    Card that no longer meets the condition when its turn comes were passed over, cleanup could end otherwise:
//!    …the board, and a table: what is so at the end as written, and otherwise
//! ```

mod question;

use super::board;
use super::differences::beside;
use super::json::run_json;
use super::layout::{Style, Tone, count, hang, list, table};
use super::part::part;
use super::words::Words;
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{ObserverId, Program, SequenceId};
use endstep_semantics::witness::Run;
use endstep_tools::decisions::{Alternative, Decision};
use question::Question;
use serde_json::{Value, json};

/// The version of the format of [`audit_json`].
const VERSION: u32 = 1;

/// So many open decisions are told unless all are wanted.
const MOST: usize = 10;

/// What becomes of a decision.
#[derive(Debug, Clone)]
pub enum Ruling {
    /// It makes a difference, and nothing answers it.
    Open(Box<Open>),
    /// It makes one, and an example of the document tells which is meant: by position.
    Settled(usize),
    /// The author says that it is meant, by the `accept` at this position.
    Accepted(usize),
    /// Another alternative of the same decision is open.
    Beside,
    /// It makes no difference on any board of the scopes on which it is made: so many. `None`: it is the same everywhere.
    Same(Option<u64>),
    /// It makes none on so many boards that were tried, and there are more.
    SoFar(u64),
    /// It is not known whether it makes one.
    Unknown,
}

/// What shows that a decision makes a difference.
#[derive(Debug, Clone)]
pub struct Open {
    /// What is performed.
    pub sequence: SequenceId,
    /// What counts as a difference.
    pub observer: Option<ObserverId>,
    /// A run by the rules as they are written.
    pub written: Run,
    /// One with the alternative, from the same board, to whose end no run by the rules as written comes.
    pub otherwise: Run,
    /// The program with the alternative.
    pub changed: Program,
    /// Whether no run with the alternative ends as one by the rules as they are written.
    pub always: bool,
}

/// All that is reported.
#[derive(Debug, Clone, Copy)]
pub struct Audit<'a> {
    /// What people call the specification.
    pub name: &'a str,
    /// Its text.
    pub sources: &'a SourceMap,
    /// Its meaning.
    pub program: &'a Program,
    /// The decisions.
    pub decisions: &'a [Decision],
    /// What became of each.
    pub rulings: &'a [Ruling],
    /// The options that left boards or readings out, as they are written.
    pub restrictions: &'a [String],
    /// The `accept`s, by position, that speak of a decision which nobody makes.
    pub stale: &'a [usize],
}

impl<'a> Audit<'a> {
    fn words(self) -> Words<'a> {
        Words {
            program: self.program,
            sources: self.sources,
        }
    }

    /// The open decisions, those that are most worth asking first.
    fn open(self) -> Vec<(&'a Decision, &'a Open)> {
        let both = self.decisions.iter().zip(self.rulings);
        let open = both.filter_map(|(decision, ruling)| match ruling {
            Ruling::Open(open) => Some((decision, &**open)),
            Ruling::Settled(_)
            | Ruling::Accepted(_)
            | Ruling::Beside
            | Ruling::Same(_)
            | Ruling::SoFar(_)
            | Ruling::Unknown => None,
        });
        let mut open: Vec<_> = open.collect();
        // Where it can end as it does now, one more end surprises less.
        open.sort_by_key(|(decision, open)| (weight(&decision.alternative), !open.always));
        open
    }

    /// How many decisions are open.
    pub fn number_open(self) -> usize {
        self.open().len()
    }

    /// Whether it is not known of some whether they make a difference.
    pub fn is_unsure(self) -> bool {
        self.rulings
            .iter()
            .any(|one| matches!(one, Ruling::Unknown))
    }
}

/// How likely it is that nobody has thought of it: the lower the likelier. What the specification says in a word of its
/// own comes last.
fn weight(alternative: &Alternative) -> u32 {
    match alternative {
        Alternative::Announced(..) | Alternative::NotItself | Alternative::StillThere => 0,
        Alternative::Rechecked | Alternative::Newcomers | Alternative::StillTrue => 1,
        Alternative::Together => 2,
        Alternative::FirstPlace(_) | Alternative::StopsAtZero => 3,
        Alternative::Cancelled(_) | Alternative::Carried(_) | Alternative::OneByOne => 4,
        Alternative::AtOnce(_) | Alternative::Waits(..) => 5,
        Alternative::Unlimited | Alternative::Discipline(..) => 6,
    }
}

/// The report as text: the open decisions, all of them with `all`, then how many of each.
pub fn audit_text(audit: Audit<'_>, style: Style) -> String {
    let mut out = format!("{} ({})\n\n", audit.program.game, audit.name);
    let open = audit.open();
    let told = match style.all {
        true => open.len(),
        false => open.len().min(MOST),
    };
    for (at, (decision, open)) in open.iter().take(told).enumerate() {
        out.push_str(&entry(audit, style, (at + 1, decision, open)));
        out.push('\n');
    }
    if style.all {
        out.push_str(&others(audit, style));
    } else if let Some(line) = untested(audit) {
        out.push_str(&hang(&line, style.width, 0, 2));
    }
    for &at in audit.stale {
        let accept = &audit.program.accepts[at];
        let place = audit.words().place(accept.span);
        let at = accept.at.as_deref();
        let at = at.map_or_else(String::new, |at| format!(" at {at}"));
        let line = format!(
            "`accept {}{at}` ({place}) speaks of no decision that is made",
            accept.code
        );
        out.push_str(&hang(&line, style.width, 0, 2));
    }
    if let Some(sentence) = part(audit.restrictions) {
        out.push_str(&hang(&sentence, style.width, 0, 2));
    }
    out.push_str(&hang(&last_line(audit, told), style.width, 0, 2));
    out
}

/// One open decision.
fn entry(
    audit: Audit<'_>,
    style: Style,
    (number, decision, open): (usize, &Decision, &Open),
) -> String {
    let words = audit.words();
    let question = Question::of(words, decision);
    let (inner, width) = (3, style.width);
    let title = format!("{number}. {}", question.asked);
    let mut out = hang(&style.paint(Tone::Strong, &title), width, 0, inner);
    let place = format!("{}, {}", decision.name, words.place(decision.span));
    out.push_str(&hang(
        &style.paint(Tone::Faint, &place),
        width,
        inner,
        inner,
    ));
    let source = format!("`{}`", words.quote(decision.span));
    out.push_str(&hang(&source, width, inner, inner + 2));
    if let Some(says) = says(audit, decision) {
        out.push_str(&hang(&says, width, inner, inner + 2));
    }
    let (board, stop) = match style.quiet {
        true => ("some board", "."),
        false => ("this board", ":"),
    };
    let told = sentence(words, &question, open, board) + stop;
    out.push_str(&hang(&told, width, inner, inner));
    if style.quiet {
        return out;
    }
    let run = &open.written;
    let laid = board::text(audit.program, &run.names, &run.board, inner + 2, width);
    out.push_str(&laid);
    let rows = rows(audit, open);
    if !rows.is_empty() {
        let head = ["at the end", "as written", "otherwise"].map(str::to_owned);
        let rows: Vec<Vec<String>> = [head].into_iter().chain(rows).map(Vec::from).collect();
        out.push_str(&table(&rows, inner + 2));
    }
    out
}

/// What the clause around a decision says.
fn says(audit: Audit<'_>, decision: &Decision) -> Option<String> {
    let clause = &audit.program.clauses[decision.clause?];
    Some(format!("{}: \"{}\"", clause.locator, clause.says))
}

fn sentence(words: Words<'_>, question: &Question, open: &Open, board: &str) -> String {
    let sequence = words.sequence(open.sequence);
    let under = match open.written.readings.is_empty() {
        true => String::new(),
        false => format!(" (if {})", words.readings(&open.written.readings)),
    };
    let otherwise = match open.always {
        true => "would end otherwise",
        false => "could end in a way in which it cannot end now",
    };
    format!(
        "{}. If {}, {sequence} {otherwise} on {board}{under}",
        question.written, question.otherwise
    )
}

/// In what the two runs differ at their ends.
fn rows(audit: Audit<'_>, open: &Open) -> Vec<[String; 3]> {
    // What else is done has statements that the program as written does not have.
    let words = Words {
        program: &open.changed,
        sources: audit.sources,
    };
    let rows = beside(words, &open.written, &open.otherwise, open.observer);
    rows.into_iter().map(|row| row.cells()).collect()
}

/// Where something is decided that no board puts to the test.
fn untested(audit: Audit<'_>) -> Option<String> {
    let words = audit.words();
    let both = audit.decisions.iter().zip(audit.rulings);
    let untested = both.filter(|(_, ruling)| matches!(ruling, Ruling::Same(Some(0))));
    let mut places: Vec<String> = untested
        .map(|(decision, _)| words.place(decision.span))
        .collect();
    // Several alternatives of one place stand beside each other.
    places.dedup();
    let left = places.len().saturating_sub(MOST);
    places.truncate(MOST);
    if left > 0 {
        places.push(format!("{left} more (--all)"));
    }
    (!places.is_empty()).then(|| {
        format!(
            "What is decided here, no board that is explored puts to the test: {}",
            list(&places, "and")
        )
    })
}

/// What became of the decisions that are not open.
fn others(audit: Audit<'_>, style: Style) -> String {
    let words = audit.words();
    let mut out = String::new();
    for (decision, ruling) in audit.decisions.iter().zip(audit.rulings) {
        let what = match ruling {
            Ruling::Open(_) => continue,
            Ruling::Settled(at) => format!("settled by the example {}", example(audit, *at)),
            Ruling::Accepted(at) => {
                format!("meant: {}", audit.program.accepts[*at].because)
            }
            Ruling::Beside => "asked already, with another alternative".to_owned(),
            Ruling::Same(None) => "the same, whatever the board".to_owned(),
            Ruling::Same(Some(0)) => "no board puts it to the test".to_owned(),
            Ruling::Same(Some(boards)) => {
                let boards = count(*boards, "board", "boards");
                format!("no further end on {boards}, all that there are")
            }
            Ruling::SoFar(boards) => {
                let boards = count(*boards, "board", "boards");
                format!("no further end on {boards}; others were not tried")
            }
            Ruling::Unknown => "not known: no board that was visited puts it to the test, or none could be tried to its end".to_owned(),
        };
        let line = format!("{}, {}: {what}", decision.name, words.place(decision.span));
        out.push_str(&hang(&line, style.width, 0, 2));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn example(audit: Audit<'_>, at: usize) -> &str {
    &audit.program.examples[at].name
}

/// How many there are of each sort.
fn last_line(audit: Audit<'_>, told: usize) -> String {
    let number = |test: fn(&Ruling) -> bool| audit.rulings.iter().filter(|one| test(one)).count();
    let open = audit.number_open();
    let left = match open - told {
        0 => String::new(),
        left => format!(" ({left} more with --all)"),
    };
    let questions = count(open as u64, "open question", "open questions");
    let tried = count(
        audit.decisions.len() as u64,
        "alternative tried",
        "alternatives tried",
    );
    let parts = [
        (
            number(|one| matches!(one, Ruling::Beside)),
            "of the same questions",
        ),
        (
            number(|one| matches!(one, Ruling::Settled(_))),
            "settled by examples of the document",
        ),
        (number(|one| matches!(one, Ruling::Accepted(_))), "accepted"),
        (
            number(|one| matches!(one, Ruling::Same(None | Some(1..)) | Ruling::SoFar(_))),
            "without a further end on the boards that were tried",
        ),
        (
            number(|one| matches!(one, Ruling::Same(Some(0)))),
            "that no board puts to the test",
        ),
        (number(|one| matches!(one, Ruling::Unknown)), "not known"),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: String = parts
        .map(|(number, what)| format!(", {number} {what}"))
        .collect();
    let make = match open {
        1 => "makes",
        _ => "make",
    };
    format!("{questions}{left}; {tried}: {open} {make} a difference{parts}")
}

/// The report as JSON.
pub fn audit_json(audit: Audit<'_>) -> Value {
    let words = audit.words();
    let entries = audit
        .decisions
        .iter()
        .zip(audit.rulings)
        .map(|(decision, ruling)| {
            let question = Question::of(words, decision);
            let mut value = json!({
                "name": decision.name,
                "kind": decision.alternative.word(),
                "clause": decision.clause.map(|id| &audit.program.clauses[id].id),
                "place": words.place(decision.span),
                "source": words.quote(decision.span),
                "question": question.asked,
                "as_written": question.written,
                "otherwise": question.otherwise,
                "ruling": word(ruling),
            });
            match ruling {
                Ruling::Open(open) => value["shown"] = shown(audit, open),
                Ruling::Settled(at) => value["example"] = json!(example(audit, *at)),
                Ruling::Accepted(at) => {
                    value["because"] = json!(audit.program.accepts[*at].because);
                }
                Ruling::Same(boards) => value["boards"] = json!(boards),
                Ruling::SoFar(boards) => value["boards"] = json!(boards),
                Ruling::Beside | Ruling::Unknown => {}
            }
            value
        });
    let entries: Vec<Value> = entries.collect();
    let ranked = audit.open().into_iter().map(|(decision, _)| &decision.name);
    let stale = audit.stale.iter().map(|&at| {
        let accept = &audit.program.accepts[at];
        json!({ "kind": accept.code, "at": accept.at, "place": words.place(accept.span) })
    });
    json!({
        "schema": "endstep audit",
        "version": VERSION,
        "name": audit.name,
        "game": audit.program.game,
        "restrictions": audit.restrictions,
        "open": ranked.collect::<Vec<_>>(),
        "decisions": entries,
        "stale": stale.collect::<Vec<_>>(),
    })
}

fn shown(audit: Audit<'_>, open: &Open) -> Value {
    let words = audit.words();
    let changed = Words {
        program: &open.changed,
        sources: audit.sources,
    };
    let differences = rows(audit, open).into_iter().map(|[what, written, otherwise]| {
        json!({ "what": what, "as_written": written, "otherwise": otherwise })
    });
    json!({
        "sequence": audit.program.sequences[open.sequence].name,
        "always": open.always,
        "as_written": run_json(words, &open.written),
        "otherwise": run_json(changed, &open.otherwise),
        "differences": differences.collect::<Vec<_>>(),
    })
}

fn word(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Open(_) => "open",
        Ruling::Settled(_) => "settled",
        Ruling::Accepted(_) => "accepted",
        Ruling::Beside => "beside",
        Ruling::Same(_) => "same",
        Ruling::SoFar(_) => "same so far",
        Ruling::Unknown => "unknown",
    }
}
