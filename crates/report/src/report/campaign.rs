//! The report of a campaign: findings as in the report of a check, then what was sampled.

use serde_json::{Value, json};

use super::layout::{Style, Tone, count, digits, hang};
use super::part::{conditions, options_in_words};
use super::text::{findings, last_line, title};
use super::words::{Words, plain};
use super::{Sheet, check_json};
use endstep_engines::sample::{Edge, Sign, Suspicion, Why};
use endstep_language::typing::program::{Claim, ClaimKind};
use endstep_verdicts::verdict::Detail;

/// What was sampled.
#[derive(Clone, Copy, Debug)]
pub struct Sampled<'a> {
    /// Runs.
    pub runs: u64,
    /// How many different legal boards were dealt, as far as they are told apart.
    pub boards: u64,
    /// Whether there were more.
    pub more_boards: bool,
    /// How often a legal board was dealt.
    pub deals: u64,
    /// Edges that were taken.
    pub edges: usize,
    /// Inputs that are kept.
    pub corpus: usize,
    /// Findings that were there before.
    pub resumed: usize,
    /// What could not be decided.
    pub suspected: &'a [Suspicion],
    /// The folder in which witnesses are saved, if they are.
    pub folder: Option<&'a str>,
    /// The options that say what is sampled, as they are written.
    pub options: &'a [String],
    /// Legal boards that the specification leaves out of what is explored were dealt, too.
    pub all_legal: bool,
}

/// The report on one specification as text.
pub fn campaign_text(sheet: Sheet<'_>, sampled: Sampled<'_>, style: Style) -> String {
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let mut out = title(sheet, style);
    out.push_str(&findings(sheet, style));
    let mut section = |tone: Tone, title: &str, lines: &[String]| {
        if !lines.is_empty() {
            out.push_str(&format!("{}\n", style.paint(tone, title)));
            for line in lines {
                out.push_str(&hang(line, style.width, 2, 4));
            }
            out.push('\n');
        }
    };
    let suspected = sampled.suspected.iter().map(|one| suspicion(words, one));
    let suspected: Vec<String> = suspected.collect();
    section(
        Tone::Odd,
        "Suspected: the runs of these boards are too many to tell, or some were given up",
        &suspected,
    );
    if !style.quiet {
        let claims = match sampled.runs {
            0 => Vec::new(),
            _ => unrefuted(sheet, false),
        };
        let title = "Not refuted by any run that was sampled";
        section(Tone::Strong, title, &claims);
        let title = "Not looked for by sampling: ask `endstep check`";
        section(Tone::Strong, title, &unrefuted(sheet, true));
        section(Tone::Strong, "Sampled", &[amount(sheet, sampled)]);
    }
    out.push_str(&last_line(sheet, style));
    out
}

/// The report on one specification as JSON: that of a check, with what was sampled.
pub fn campaign_json(sheet: Sheet<'_>, sampled: Sampled<'_>) -> Value {
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let mut report = check_json(sheet);
    let suspected = sampled.suspected.iter().map(|one| {
        json!({
            "sequence": words.program.sequences[one.sequence].name,
            "kind": kind(one.why),
            "text": suspicion(words, one),
        })
    });
    report["sampled"] = json!({
        "runs": sampled.runs,
        "boards": sampled.boards,
        "boards_at_least": sampled.more_boards,
        "deals": sampled.deals,
        "options": sampled.options,
        "edges": sampled.edges,
        "corpus": sampled.corpus,
        "resumed": sampled.resumed,
        "suspected": suspected.collect::<Vec<_>>(),
        "not_refuted": unrefuted(sheet, false),
        "left_to_check": unrefuted(sheet, true),
    });
    report
}

/// `1 234 runs; 34 different legal boards, dealt 345 times; …`
fn amount(sheet: Sheet<'_>, sampled: Sampled<'_>) -> String {
    if sampled.deals == 0 && sampled.runs == 0 {
        return "nothing: no board to start from was found, or no sequence is verified".to_owned();
    }
    let runs = count(sampled.runs, "run", "runs");
    // Runs that make boards smaller are counted, and their boards are not.
    let deals = count(sampled.deals, "time", "times");
    let only = only(sheet, sampled);
    let boards = match sampled.boards {
        0 => String::new(),
        1 => format!("; one legal board{only}, dealt {deals}"),
        number => {
            let least = if sampled.more_boards {
                "more than "
            } else {
                ""
            };
            let number = digits(number);
            format!("; {least}{number} different legal boards{only}, dealt {deals}")
        }
    };
    let edges = count(sampled.edges as u64, "edge", "edges");
    let kept = count(sampled.corpus as u64, "input is kept", "inputs are kept");
    let before = match sampled.resumed {
        0 => String::new(),
        known => format!(
            "; {} known before",
            count(known as u64, "finding was", "findings were")
        ),
    };
    format!("{runs}{boards}; {edges} of what follows what; {kept}{before}")
}

/// What the boards that were dealt meet besides being legal, and the options that were given.
fn only(sheet: Sheet<'_>, sampled: Sampled<'_>) -> String {
    let program = sheet.program;
    let mut verifies = program.verifies.iter();
    let verified = verifies.any(|one| one.condition.is_some());
    let met = match sampled.all_legal {
        true => None,
        false => conditions(!program.explored.is_empty(), verified),
    };
    let met = met.map_or_else(String::new, |one| format!(" that meet {one}"));
    match sampled.options.is_empty() {
        true => met,
        false => format!("{met} (with {})", options_in_words(sampled.options)),
    }
}

/// Claims that no run refutes: no more is said of them than that. Those that no campaign looks for apart.
fn unrefuted(sheet: Sheet<'_>, left_to_check: bool) -> Vec<String> {
    let found = &sheet.results.findings;
    let refuted = |at: usize| {
        let mut found = found.iter();
        found.any(|one| matches!(one.detail, Detail::Claim(claim, _) if claim == at))
    };
    let claims = sheet.program.claims.iter().enumerate();
    let open = claims.filter(|(at, claim)| !refuted(*at) && is_left(claim) == left_to_check);
    open.map(|(_, claim)| claim.name.clone()).collect()
}

/// Whether a claim is asked of one board, speaks of what is there somewhere, or compares with runs that no campaign
/// makes.
fn is_left(claim: &Claim) -> bool {
    claim.on.is_some()
        || matches!(
            claim.kind,
            ClaimKind::Reachable(..)
                | ClaimKind::ReachableAfter(..)
                | ClaimKind::ExtremeIn(..)
                | ClaimKind::ExtremeAfter(..)
                | ClaimKind::Equivalent(..)
                | ClaimKind::Idempotent(..)
        )
}

fn kind(why: Why) -> &'static str {
    match why {
        Why::Loop => "loop",
        Why::Orders => "orders",
        Why::Differs => "differs",
        Why::Long => "long",
    }
}

/// What is suspected, as a sentence.
fn suspicion(words: Words<'_>, suspicion: &Suspicion) -> String {
    let sequence = words.sequence(suspicion.sequence);
    let place = match &suspicion.sign {
        Sign::Order(site, _) | Sign::Choice(site, _) => format!(" in {}", words.site(*site)),
        Sign::Reading(reading, ..) => {
            let name = plain(&words.program.readings[*reading].name);
            format!(" under the readings \"{name}\"")
        }
        Sign::Limit(Edge::Sort(sort)) => {
            // What is gone was created all the same.
            let sort = &words.program.sorts[*sort].name;
            format!(" because it creates more {sort} than `headroom` allows")
        }
        Sign::Limit(Edge::Queue(queue)) => {
            format!(
                " with \"{}\" full",
                plain(&words.program.queues[*queue].name)
            )
        }
        _ => String::new(),
    };
    match suspicion.why {
        Why::Loop => format!(
            "{sequence} comes back to where it was; whether there is a way out is not known"
        ),
        Why::Orders => format!(
            "an order matters in {sequence}: two runs that differ only in orders, one of them{place}, end differently"
        ),
        Why::Differs => format!(
            "what is done{place} may matter in {sequence}: two runs end differently, but others could make up for it"
        ),
        Why::Long => {
            let given_up = match suspicion.sign {
                Sign::Long => "takes more steps than are tried",
                _ => "leaves the bounds of exploration",
            };
            format!("{sequence} {given_up}{place}; whether it ends is not known from that")
        }
    }
}
