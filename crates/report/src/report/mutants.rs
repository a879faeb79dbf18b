//! What became of mutants, in words.

use super::board;
use super::caveat::{compared, decides};
use super::layout::{Style, Tone, count, hang, list};
use super::part::part;
use super::text::not_run;
use super::verdict::restricted;
use super::words::Words;
use endstep_language::diag::Code;
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{Program, SequenceId};
use endstep_semantics::semantics::{Data, Names, Readings};
use endstep_tools::mutate::{Mutant, Operator};
use endstep_verdicts::analysis::{Contrast, Unsaid};
use endstep_verdicts::verdict::{Scope, ScopeOf};
use serde_json::{Value, json};

/// The version of the format of [`mutants_json`].
const VERSION: u32 = 1;

/// What a check tells of a specification, and is not compared.
const NOT_COMPARED: &str = "not compared, though a check can tell it: what no run executes (F0703), steps that make no \
     difference (F0704), other orders than fixed ones (F0203), what was never put to the test (F0613), other boards, and on which boards something occurs, if on \
     as many";

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// A check says something else of it, or a campaign finds something.
    Killed {
        /// What, or the first of it.
        by: By,
        /// Where.
        place: Place,
    },
    /// It is lowered to the same system.
    Equivalent,
    /// Nothing notices it, and from each of so many boards, all of a scope of this sequence, it has the
    /// same outcomes; of every scope.
    Same(Vec<(SequenceId, u64)>),
    /// It makes no sense.
    Invalid(String),
    /// Nothing notices it, but from this board it has other outcomes.
    Survivor {
        /// What is performed.
        sequence: SequenceId,
        /// The board.
        board: Box<Data>,
        /// Under which readings.
        readings: Readings,
        /// How it differs there.
        contrast: Contrast,
    },
    /// Nothing notices it; whether it has other outcomes cannot be said.
    Undecided(Unsaid),
}

/// Where a mutant is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On a worked example.
    Example,
    /// On boards with at most so many of each sort.
    Small(u32),
    /// In the whole scope.
    Scope,
    /// In a campaign, after so many runs.
    Campaign(u64),
}

/// What is said of one version only.
#[derive(Debug, Clone, PartialEq)]
pub enum By {
    /// A finding of the mutant.
    New(Code, String),
    /// A finding that the mutant has not.
    Gone(Code, String),
    /// A finding that the mutant has under other readings.
    Altered(Code, String),
    /// Another verdict.
    Verdict {
        /// What kind of question.
        kind: &'static str,
        /// About what.
        subject: String,
        /// Of the original.
        before: String,
        /// Of the mutant.
        after: String,
    },
}

/// All that is reported.
#[derive(Debug, Clone, Copy)]
pub struct Mutants<'a> {
    /// What people call the specification.
    pub name: &'a str,
    /// Its text.
    pub sources: &'a SourceMap,
    /// Its meaning.
    pub program: &'a Program,
    /// The mutants.
    pub mutants: &'a [Mutant],
    /// What became of each.
    pub fates: &'a [Fate],
    /// How many there are, with those that were not tried.
    pub all: usize,
    /// Where they were compared.
    pub scopes: &'a [Scope],
    /// The options that left boards or readings out, as they are written.
    pub restrictions: &'a [String],
    /// How many runs the campaign on the original had, if mutants were tried by campaigns.
    pub campaign: Option<u64>,
}

/// How many of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Toll {
    /// A check notices them.
    pub killed: usize,
    /// The same system.
    pub equivalent: usize,
    /// The same outcomes from every board of the scope.
    pub same: usize,
    /// Without meaning.
    pub invalid: usize,
    /// With other outcomes, and no check notices.
    pub survived: usize,
    /// Nobody knows.
    pub undecided: usize,
}

impl Toll {
    /// Counts fates.
    pub fn of<'f>(fates: impl Iterator<Item = &'f Fate>) -> Self {
        let mut toll = Self::default();
        for fate in fates {
            let number = match fate {
                Fate::Killed { .. } => &mut toll.killed,
                Fate::Equivalent => &mut toll.equivalent,
                Fate::Same(_) => &mut toll.same,
                Fate::Invalid(_) => &mut toll.invalid,
                Fate::Survivor { .. } => &mut toll.survived,
                Fate::Undecided(_) => &mut toll.undecided,
            };
            *number += 1;
        }
        toll
    }

    /// How many percent are killed of those that are known to be something else, or not known to be the
    /// same; and of all but those that are equivalent.
    fn percent(self) -> Option<(usize, usize)> {
        let alive = self.survived + self.undecided;
        let different = self.killed + alive;
        let all = different + self.same;
        (different > 0).then(|| (percent(self.killed, different), percent(self.killed, all)))
    }
}

/// Rounded, but 100 only of all, and 0 only of none.
fn percent(part: usize, all: usize) -> usize {
    match (200 * part + all) / (2 * all) {
        100 if part < all => 99,
        0 if part > 0 => 1,
        rounded => rounded,
    }
}

/// The report as text: survivors, and with `all` every mutant; then how many.
pub fn mutants_text(report: Mutants<'_>, all: bool, style: Style) -> String {
    let mut out = format!("{} ({})\n\n", report.program.game, report.name);
    let words = Words {
        program: report.program,
        sources: report.sources,
    };
    let both = report.mutants.iter().zip(report.fates);
    for (mutant, fate) in both {
        let (tone, word) = match fate {
            Fate::Survivor { .. } => (Tone::Bad, "survivor"),
            Fate::Undecided(_) => (Tone::Odd, "undecided"),
            _ if !all => continue,
            Fate::Same(_) => (Tone::Strong, "same in scope"),
            Fate::Killed { .. } => (Tone::Good, "killed"),
            Fate::Equivalent => (Tone::Strong, "equivalent"),
            Fate::Invalid(_) => (Tone::Strong, "invalid"),
        };
        out.push_str(&format!("{}  {}\n", style.paint(tone, word), mutant.name));
        out.push_str(&excerpt(report.sources, mutant));
        if let Some(why) = why(words, fate) {
            out.push_str(&hang(&why, style.width, 2, 4));
        }
        if let Fate::Survivor { board, .. } = fate
            && !style.quiet
        {
            let names = Names::numbered(report.program, board);
            out.push_str(&board::text(report.program, &names, board, 4, style.width));
        }
        out.push('\n');
    }
    if let Some(sentence) = part(report.restrictions) {
        out.push_str(&hang(&sentence, style.width, 0, 2));
    }
    let compared = format!("compared: {}", scope(report));
    out.push_str(&hang(&compared, style.width, 0, 2));
    out.push_str(&hang(NOT_COMPARED, style.width, 0, 2));
    if let Some(line) = not_run(words) {
        out.push_str(&hang(&line, style.width, 0, 2));
    }
    if let Some(runs) = report.campaign {
        let runs = count(runs, "run", "runs");
        let tried =
            format!("tried: a campaign on each, from nothing; that on the original had {runs}");
        out.push_str(&hang(&tried, style.width, 0, 2));
    }
    let toll = Toll::of(report.fates.iter());
    if !style.quiet {
        out.push_str(&by_operator(report));
    }
    out.push_str(&hang(&last_line(report, toll), style.width, 0, 2));
    out
}

/// The mutants alone, without fates.
pub fn listed_text(sources: &SourceMap, mutants: &[Mutant]) -> String {
    let line = |mutant: &Mutant| format!("{}\n{}\n", mutant.name, excerpt(sources, mutant));
    let lines: String = mutants.iter().map(line).collect();
    let number = count(mutants.len() as u64, "mutant", "mutants");
    format!("{lines}{number}\n")
}

/// The line of a mutant, with a caret under what is changed and what becomes of it.
fn excerpt(sources: &SourceMap, mutant: &Mutant) -> String {
    let file = sources.file(mutant.span.source);
    let at = file.line_column(mutant.span.start);
    let line = file.line(at.line).unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    let column = at.column as usize - 1;
    let width = line.chars().count().saturating_sub(column);
    let length = sources
        .text(mutant.span)
        .chars()
        .take_while(|&one| one != '\n');
    let length = length.count().clamp(1, width.max(1));
    let number = format!("{}:{}", file.name(), at.line);
    format!(
        "  {number}\n    {}\n    {}{} {}\n",
        line.trim_end().trim_start(),
        " ".repeat(column.saturating_sub(indent)),
        "^".repeat(length),
        mutant.text,
    )
}

/// How outcomes of a sequence are compared, if not as a whole and by the rules, in brackets.
fn looked(words: Words<'_>, sequence: SequenceId) -> String {
    let mut verifies = words.program.verifies.iter();
    let Some(verify) = verifies.find(|one| one.sequence == sequence) else {
        return String::new();
    };
    let contracts = verify.contracts.iter().map(|&id| words.sequence(id));
    let contracts: Vec<String> = contracts.collect();
    let allowed = (!contracts.is_empty()).then(|| {
        format!(
            "with what the contract of {} allows, of the values that were tried",
            list(&contracts, "and")
        )
    });
    let told = compared(words, verify.observer, decides(words.program, sequence));
    let told: Vec<String> = told.into_iter().chain(allowed).collect();
    match told.is_empty() {
        true => String::new(),
        false => format!(" ({})", told.join("; ")),
    }
}

/// Why it is what it is.
fn why(words: Words<'_>, fate: &Fate) -> Option<String> {
    let program = words.program;
    Some(match fate {
        Fate::Killed { by, place } => {
            let place = match place {
                Place::Example => ", by a worked example".to_owned(),
                Place::Small(most) => {
                    format!(", with at most {most} of each sort, or as many as there must be")
                }
                Place::Scope => String::new(),
                Place::Campaign(runs) => format!(", after {}", count(*runs, "run", "runs")),
            };
            format!("{}{place}", noticed(by))
        }
        Fate::Equivalent => return None,
        Fate::Same(scopes) => {
            // Scopes can have boards in common: their numbers are no sum.
            let boards = scopes.iter().map(|(sequence, boards)| {
                let boards = count(*boards, "board", "boards");
                let looked = looked(words, *sequence);
                match scopes.len() {
                    1 => format!("each of {boards}{looked}"),
                    _ => {
                        let name = &program.sequences[*sequence].name;
                        format!("each of {boards} of {name}{looked}")
                    }
                }
            });
            let boards: Vec<String> = boards.collect();
            format!("the same outcomes from {}", list(&boards, "and"))
        }
        Fate::Invalid(why) => why.clone(),
        Fate::Survivor {
            sequence,
            readings,
            contrast,
            ..
        } => {
            let name = &program.sequences[*sequence].name;
            let under = readings.iter().map(|(id, at)| {
                let reading = &program.readings[*id];
                let alternative = &reading.alternatives[usize::from(*at)].name;
                format!("{} is {alternative}", reading.name)
            });
            let under: Vec<String> = under.collect();
            let under = match under.is_empty() {
                true => String::new(),
                false => format!(" if {}", under.join(" and ")),
            };
            let what = match contrast {
                Contrast::Ends => format!("{name} can end otherwise on a board{under}"),
                Contrast::FirstOnly => {
                    format!("a board of {name} is no longer legal or explored{under}")
                }
                Contrast::SecondOnly => {
                    format!("a board of {name} has become legal or explored{under}")
                }
            };
            format!("nothing that is compared notices that {what}")
        }
        Fate::Undecided(why) => format!("whether it plays otherwise {}", unsaid(*why)),
    })
}

/// What is said of one version only.
fn noticed(by: &By) -> String {
    match by {
        By::New(code, subject) => format!("new: {code} {subject}"),
        By::Gone(code, subject) => format!("no longer so: {code} {subject}"),
        By::Altered(code, subject) => format!("otherwise: {code} {subject}"),
        By::Verdict {
            kind,
            subject,
            before,
            after,
        } => format!("{kind} {subject}: {before} -> {after}"),
    }
}

/// Why it cannot be said whether a mutant plays otherwise, as the rest of a sentence.
fn unsaid(why: Unsaid) -> &'static str {
    match why {
        Unsaid::Large => "would take too many steps to say",
        Unsaid::Bounds => "cannot be said: runs leave the bounds of exploration",
        Unsaid::NoBoard => "cannot be said: there was no legal board to look at",
        Unsaid::Evaluation => "cannot be said: something takes too much to evaluate, or to compare",
    }
}

/// In which sizes mutants were compared.
fn scope(report: Mutants<'_>) -> String {
    let program = report.program;
    let words = Words {
        program,
        sources: report.sources,
    };
    let scopes = report.scopes.iter().filter_map(|scope| {
        let sequence = scope.subject.sequence(program)?;
        let sizes = scope.sizes.iter().map(|(sort, _, most)| {
            let name = &program.sorts[*sort].name;
            format!("{name} = {most}")
        });
        let sizes: Vec<String> = sizes.collect();
        let boards = count(scope.legal, "board", "boards");
        let cut = match scope.limitations.is_empty() {
            true => "",
            false => ", not all of them",
        };
        let conditions = restricted(words, std::slice::from_ref(scope));
        let only =
            conditions.map_or_else(String::new, |one| format!(", only those that meet {one}"));
        let name = &program.sequences[sequence].name;
        let sizes = match sizes.is_empty() {
            true => String::new(),
            false => format!(" up to {}", sizes.join(", ")),
        };
        let looked = looked(words, sequence);
        if let ScopeOf::On(board, _) = scope.subject {
            return Some(format!("{name} from {}{looked}", words.board(board)));
        }
        Some(format!("{name}{sizes} ({boards}{only}{cut}){looked}"))
    });
    let scopes: Vec<String> = scopes.collect();
    match scopes.is_empty() {
        true => "worked examples only".to_owned(),
        false => scopes.join("; "),
    }
}

fn by_operator(report: Mutants<'_>) -> String {
    let mut out = "\noperator    killed  survived  undecided  same  equivalent\n".to_owned();
    for operator in Operator::ALL {
        let both = report.mutants.iter().zip(report.fates);
        let fates = both.filter(|(mutant, _)| mutant.operator == operator);
        let toll = Toll::of(fates.map(|(_, fate)| fate));
        if toll != Toll::default() {
            out.push_str(&format!(
                "{:<10}  {:>6}  {:>8}  {:>9}  {:>4}  {:>10}\n",
                operator.word(),
                toll.killed,
                toll.survived,
                toll.undecided,
                toll.same,
                toll.equivalent
            ));
        }
    }
    out.push('\n');
    out
}

fn last_line(report: Mutants<'_>, toll: Toll) -> String {
    let tried = report.fates.len();
    let of = match report.all == tried {
        true => String::new(),
        false => format!(" (of {})", report.all),
    };
    let number = count(tried as u64, "mutant", "mutants");
    let percent = match toll.percent() {
        Some((different, all)) => format!(
            "; {different} % of those that are not shown to be the same are killed, {all} % of all that \
             are not equivalent"
        ),
        None => String::new(),
    };
    format!(
        "{number}{of}: {} killed, {} survived, {} undecided, {} the same in scope, {} equivalent, {} \
         invalid{percent}",
        toll.killed, toll.survived, toll.undecided, toll.same, toll.equivalent, toll.invalid
    )
}

/// The report as JSON.
pub fn mutants_json(report: Mutants<'_>) -> Value {
    let words = Words {
        program: report.program,
        sources: report.sources,
    };
    let both = report.mutants.iter().zip(report.fates);
    let mutants = both.map(|(mutant, fate)| {
        let mut value = listed(report.program, report.sources, mutant);
        value["fate"] = json!(word(fate));
        value["why"] = json!(why(words, fate));
        if let Fate::Survivor { board, .. } = fate {
            let names = Names::numbered(report.program, board);
            value["board"] = board::json(report.program, &names, board);
        }
        value
    });
    let mutants: Vec<Value> = mutants.collect();
    let toll = Toll::of(report.fates.iter());
    json!({
        "schema": "endstep mutate",
        "version": VERSION,
        "name": report.name,
        "game": report.program.game,
        "all": report.all,
        "restrictions": report.restrictions,
        "compared": scope(report),
        "campaign": report.campaign,
        "killed": toll.killed,
        "survived": toll.survived,
        "undecided": toll.undecided,
        "same_in_scope": toll.same,
        "equivalent": toll.equivalent,
        "invalid": toll.invalid,
        "mutants": mutants,
    })
}

/// The mutants alone as JSON, without fates.
pub fn listed_json(program: &Program, sources: &SourceMap, mutants: &[Mutant]) -> Value {
    let all = mutants.iter().map(|one| listed(program, sources, one));
    json!({
        "schema": "endstep mutate",
        "version": VERSION,
        "game": program.game,
        "mutants": all.collect::<Vec<_>>(),
    })
}

fn listed(program: &Program, sources: &SourceMap, mutant: &Mutant) -> Value {
    let words = Words { program, sources };
    json!({
        "name": mutant.name,
        "operator": mutant.operator.word(),
        "clause": mutant.clause.map(|id| &program.clauses[id].id),
        "place": words.place(mutant.span),
        "source": words.quote(mutant.span),
        "text": mutant.text,
    })
}

fn word(fate: &Fate) -> &'static str {
    match fate {
        Fate::Killed { .. } => "killed",
        Fate::Equivalent => "equivalent",
        Fate::Same(_) => "same in scope",
        Fate::Invalid(_) => "invalid",
        Fate::Survivor { .. } => "survivor",
        Fate::Undecided(_) => "undecided",
    }
}
