//! Words for things of a specification: steps, statements, clauses, places, deciders.

use super::layout::list;
use endstep_language::diag::Severity;
use endstep_language::source::{SourceMap, Span};
use endstep_language::syntax::ast::BasisKind;
pub(super) use endstep_language::typing::plain;
use endstep_language::typing::program::{
    Alternative, BoardId, ClauseIdx, GapId, ObserverId, Owner, Program, ReadingId, ReadingOrigin,
    SequenceId, StepId, StmtId, StmtKind, TriggerId, Value,
};
use endstep_semantics::semantics::{ChoiceKind, Key, KeyType, Names, Readings, Site, Who};
use endstep_verdicts::verdict::Under;
use std::collections::BTreeSet;

/// Why a run is given up, whatever the run.
pub(super) const GIVEN_UP: &str =
    "because they left the bounds of exploration or something in them became too large";

/// So many alternatives of readings are told in a condition.
const MOST_FACTS: usize = 2;

/// What words are made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub sources: &'a SourceMap,
}

impl Words<'_> {
    /// `file:line`
    pub(super) fn place(self, span: Span) -> String {
        let mut files = self.sources.files();
        match files.find(|(id, _)| *id == span.source) {
            Some((_, file)) => format!("{}:{}", file.name(), file.line_column(span.start).line),
            None => String::new(),
        }
    }

    /// What the specification says at a place, in one line.
    pub(super) fn quote(self, span: Span) -> String {
        joined(self.sources.text(span))
    }

    /// The lines of the specification on which something stands, as one.
    pub(super) fn line(self, span: Span) -> String {
        let mut files = self.sources.files();
        let Some((_, file)) = files.find(|(id, _)| *id == span.source) else {
            return String::new();
        };
        let [first, last] = [span.start, span.end].map(|at| file.line_column(at).line);
        let lines = (first..=last).filter_map(|line| file.line(line));
        joined(&lines.collect::<Vec<_>>().join("\n"))
    }

    /// `cleanup`
    pub(super) fn sequence(self, id: SequenceId) -> String {
        in_quotes_if(&self.program.sequences[id].name, |name| {
            let mut words = name.split(' ');
            words.clone().next().is_some_and(is_compound)
                || words.any(|word| matches!(word, "or" | "nor"))
        })
    }

    /// `the step "destroy"`, with its sequence where the specification has several.
    pub(super) fn step(self, id: StepId) -> String {
        let step = &self.program.steps[id];
        let name = plain(&step.name);
        let several = self.program.sequences.len() > 1;
        match several {
            true => format!("the step \"{name}\" of {}", self.sequence(step.sequence)),
            false => format!("the step \"{name}\""),
        }
    }

    /// `the trigger "comes back"`
    pub(super) fn trigger(self, id: TriggerId) -> String {
        format!("the trigger \"{}\"", plain(&self.program.triggers[id].name))
    }

    /// The statement between backticks, and its place: `(cleanup.endstep:12)`.
    pub(super) fn statement(self, id: StmtId) -> String {
        let span = self.program.stmts[id].span;
        format!("`{}` ({})", self.quote(span), self.place(span))
    }

    /// Where something happens: the step or trigger around it, and the place.
    pub(super) fn site(self, site: Site) -> String {
        match site {
            Site::Stmt(id) => {
                let at = self.statement(id);
                match self.around(id) {
                    Some(around) => format!("{around}, at {at}"),
                    None => at,
                }
            }
            Site::Sequence(id) => format!("the list of steps of {}", self.sequence(id)),
            Site::Places(id) => format!("the places for which {} is done", self.sequence(id)),
            Site::Event(id) => {
                let event = &self.program.events[id];
                let name = plain(&event.name);
                match event.whenever {
                    // What raises it, or what reacts to it.
                    Some(_) => format!("the event \"{name}\""),
                    None => format!("what reacts to \"{name}\""),
                }
            }
            Site::Trigger(id) => self.trigger(id),
            Site::Step(id) => self.step(id),
            Site::Outside(span) => format!("`{}` ({})", self.quote(span), self.place(span)),
        }
    }

    /// Where an order is in question: `in what reacts to "rain"`.
    pub(super) fn within(self, site: Site) -> String {
        let among = matches!(site, Site::Places(_));
        let within = if among { "among" } else { "in" };
        format!("{within} {}", self.site(site))
    }

    /// Where something is in question, for people who do not read the specification: `"draw up" of draw phase`.
    pub(super) fn scene(self, site: Site) -> String {
        let step = match site {
            Site::Stmt(id) => self.step_around(id),
            Site::Step(id) => Some(id),
            _ => None,
        };
        match (step, site) {
            (Some(id), _) if self.program.sequences.len() > 1 => {
                let step = &self.program.steps[id];
                let sequence = self.sequence(step.sequence);
                format!("\"{}\" of {sequence}", plain(&step.name))
            }
            (Some(id), _) => self.step(id),
            (None, Site::Stmt(id)) => self.around(id).unwrap_or_else(|| self.statement(id)),
            (None, other) => self.site(other),
        }
    }

    /// The same without what the specification says there; empty if that is nothing that has a name.
    pub(super) fn region(self, site: Site) -> String {
        match site {
            Site::Stmt(id) => {
                let place = self.place(self.program.stmts[id].span);
                match self.around(id) {
                    Some(around) => format!("{around} ({place})"),
                    None => place,
                }
            }
            Site::Outside(span) => self.place(span),
            other => self.site(other),
        }
    }

    /// The step that a statement stands in.
    pub(super) fn step_around(self, id: StmtId) -> Option<StepId> {
        match self.program.stmts[id].owner? {
            Owner::Step(step) => Some(step),
            Owner::Trigger(_) | Owner::Restart(_) => None,
        }
    }

    /// Whether a statement stands in a step or a trigger.
    pub(super) fn is_within(self, id: StmtId) -> bool {
        self.around(id).is_some()
    }

    /// The step or trigger that a statement stands in.
    fn around(self, id: StmtId) -> Option<String> {
        match self.program.stmts[id].owner? {
            Owner::Step(step) => Some(self.step(step)),
            Owner::Trigger(trigger) => Some(self.trigger(trigger)),
            Owner::Restart(_) => None,
        }
    }

    /// `cleanup.1 (The Cleanup Step, 1): "Creatures without health are destroyed."`
    pub(super) fn clause(self, id: ClauseIdx) -> String {
        let clause = &self.program.clauses[id];
        let mut out = clause.id.clone();
        if !clause.locator.is_empty() {
            out.push_str(&format!(" ({})", clause.locator));
        }
        if !clause.says.is_empty() {
            out.push_str(&format!(": \"{}\"", clause.says));
        }
        out
    }

    /// `the reading "zero"`, or words for the order of an unspecified list.
    pub(super) fn reading(self, id: ReadingId) -> String {
        let reading = &self.program.readings[id];
        match reading.origin {
            ReadingOrigin::Declared => format!("the reading \"{}\"", plain(&reading.name)),
            ReadingOrigin::List(sequence) => {
                let name = self.sequence(sequence);
                format!("whether the order of the steps of {name} binds")
            }
            ReadingOrigin::Nest(sequence) => {
                let name = self.sequence(sequence);
                format!("whether {name} goes step by step or place by place")
            }
        }
    }

    /// `the board "two wolves"`
    pub(super) fn board(self, id: BoardId) -> String {
        format!("the board \"{}\"", plain(&self.program.boards[id].name))
    }

    /// `"only 0 counts" (exactly)`
    pub(super) fn alternative(self, id: ReadingId, at: u16) -> String {
        let reading = &self.program.readings[id];
        match reading.alternatives.get(usize::from(at)) {
            Some(one) if one.text.is_empty() => called(&one.name),
            Some(one) => format!("\"{}\" ({})", one.text, one.name),
            None => format!("alternative {}", at + 1),
        }
    }

    /// What the text means by an alternative of a reading: `"only 0 counts"`. If another alternative has the
    /// same text, the name is added.
    pub(super) fn meaning(self, id: ReadingId, at: u16) -> String {
        let all = &self.program.readings[id].alternatives;
        let Some(one) = all.get(usize::from(at)) else {
            return format!("alternative {}", at + 1);
        };
        let told = |one: &Alternative| match one.text.is_empty() {
            true => plain(&one.name),
            false => one.text.trim_end_matches('.').to_owned(),
        };
        let alike = |other: &&Alternative| alike(&told(other)) == alike(&told(one));
        match all.iter().filter(alike).count() {
            1 => format!("\"{}\"", told(one)),
            _ => format!("\"{}\" ({})", told(one), one.name),
        }
    }

    /// The text of a gap in quotation marks. If another gap has the same text, the name is added.
    pub(super) fn gap(self, id: GapId) -> String {
        let gap = &self.program.gaps[id];
        let text = gap.text.trim_end_matches('.');
        match self.has_twin(id) {
            true => format!("\"{text}\" ({})", gap.name),
            false => format!("\"{text}\""),
        }
    }

    /// `zero = exactly, broken_off = now`: as `--reading` wants them.
    pub(super) fn readings(self, readings: &Readings) -> String {
        self.choices_of(readings, [str::to_owned, str::to_owned])
    }

    /// `zero = exactly, broken off = "now or never"`: as a heading tells them.
    pub(super) fn readings_told(self, readings: &Readings) -> String {
        self.choices_of(readings, [plain, |name| in_quotes_if(name, joins)])
    }

    /// Readings with their alternatives, each told in its way.
    fn choices_of(self, readings: &Readings, told: [fn(&str) -> String; 2]) -> String {
        let [reading_told, told] = told;
        let one = |(id, at): (&ReadingId, &u16)| {
            let reading = &self.program.readings[*id];
            let name = reading.alternatives.get(usize::from(*at));
            let name = name.map_or_else(|| at.to_string(), |one| told(&one.name));
            format!("{} = {name}", reading_told(&reading.name))
        };
        readings.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// Under which readings something occurs, as somebody would say it: with at most two facts. Empty if
    /// the specification has no readings; [`Self::under_in_full`] has all.
    pub(super) fn under(self, under: &Under) -> String {
        match under {
            Under::Listed(listed)
                if !listed.iter().any(Readings::is_empty)
                    && listed.iter().map(Readings::len).sum::<usize>() > MOST_FACTS =>
            {
                "under some readings only".to_owned()
            }
            other => self.under_in_full(other),
        }
    }

    /// Under which readings something occurs; empty if the specification has none.
    pub(super) fn under_in_full(self, under: &Under) -> String {
        match under {
            _ if self.program.readings.is_empty() => String::new(),
            Under::All => "under every reading".to_owned(),
            Under::Listed(listed) if listed.iter().any(Readings::is_empty) => {
                "under every reading".to_owned()
            }
            Under::Listed(listed) => {
                let mut items: Vec<String> = listed.iter().map(|one| self.readings(one)).collect();
                items.truncate(5);
                let more = listed.len() - items.len();
                if more > 0 {
                    items.push(format!("{more} more"));
                }
                format!("only if {}", items.join("; or "))
            }
        }
    }

    /// ` for what "table" sees`, where outcomes of sequences are compared by what observers see; else empty.
    pub(super) fn for_what_is_seen(self, sequences: &[SequenceId]) -> String {
        let observers = sequences.iter().filter_map(|&id| {
            let mut verifies = self.program.verifies.iter();
            verifies.find(|one| one.sequence == id)?.observer
        });
        let observers: BTreeSet<ObserverId> = observers.collect();
        let name = |&id: &ObserverId| format!("\"{}\"", plain(&self.program.observers[id].name));
        let names: Vec<String> = observers.iter().map(name).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!(" for what {} sees", list(&names, "and")),
        }
    }

    /// What an alternative chooses; of a case, its condition.
    pub(super) fn key(self, names: &Names, key: &Key) -> String {
        match key {
            Key::Case(stmt, at) => {
                if let StmtKind::Cases { arms, .. } = &self.program.stmts[*stmt].kind
                    && let Some((guard, _)) = arms.get(*at)
                {
                    return format!("case {} (`when {}`)", at + 1, self.quote(guard.span));
                }
            }
            // Whether it is taken is no part of what it is called.
            Key::Taken(stmt, taken) => {
                return match &self.program.stmts[*stmt].kind {
                    StmtKind::May {
                        label: Some(label), ..
                    } if *taken => called(label),
                    StmtKind::May {
                        label: Some(label), ..
                    } => format!("not {}", called(label)),
                    _ => self.label(names, key),
                };
            }
            Key::Element(value, ty) => return value_words(self.program, names, (*value, *ty)),
            Key::Step(_)
            | Key::Instance(_)
            | Key::Option(..)
            | Key::Write(..)
            | Key::Destination(..)
            | Key::Insert(_)
            | Key::Announce(..)
            | Key::Values(_) => {}
        }
        called(&names.key(self.program, key))
    }

    /// The same as it stands between quotation marks.
    pub(super) fn label(self, names: &Names, key: &Key) -> String {
        plain(&names.key(self.program, key))
    }

    /// What may be chosen, joined with "or"; what has commas itself, so that it can be told apart.
    pub(super) fn keys(self, names: &Names, keys: &[Key]) -> String {
        let words: Vec<String> = keys.iter().map(|key| self.key(names, key)).collect();
        match words.iter().any(|word| word.contains(',')) {
            true => words.join("; or "),
            false => list(&words, "or"),
        }
    }
}

/// Lines as one, without their comments and their layout.
fn joined(text: &str) -> String {
    let words = text.lines().flat_map(|line| {
        let line = &line[..comment(line).unwrap_or(line.len())];
        line.split_whitespace()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Where the comment of a line begins: at two hyphens outside of a quoted text.
fn comment(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let (mut quoted, mut at) = (false, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b'-' if !quoted && bytes.get(at + 1) == Some(&b'-') => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// `order`, `selection`, …
pub(super) fn kind(kind: ChoiceKind) -> &'static str {
    match kind {
        ChoiceKind::Order => "order",
        ChoiceKind::Selection => "selection",
        ChoiceKind::Distribution => "distribution",
        ChoiceKind::Chance => "chance",
        ChoiceKind::Gap => "gap",
    }
}

/// Who decides, as the subject of a sentence.
pub(super) fn who(names: &Names, who: Who) -> String {
    match who {
        Who::Nobody => "nobody decides".to_owned(),
        Who::Player(player) => format!("{} decides", names.entity(player)),
        Who::Everyone => "the players decide together".to_owned(),
        Who::Chance => "chance decides".to_owned(),
    }
}

/// `text`, `external`, …
pub(super) fn basis(basis: BasisKind) -> &'static str {
    match basis {
        BasisKind::Text => "text",
        BasisKind::External => "external",
        BasisKind::Gap => "gap",
        BasisKind::Invented => "invented",
    }
}

/// `error`, `warning`, `note`
pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// `a Card`, `an Enemy`
pub(super) fn with_article(name: &str) -> String {
    let vowel = name.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

/// The text with a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

/// Words in a name of which nobody could tell how far they go if others are said with them, or "not" is.
const REACHING: [&str; 27] = [
    "all",
    "and",
    "any",
    "anybody",
    "anything",
    "both",
    "but",
    "each",
    "either",
    "every",
    "everything",
    "except",
    "if",
    "minus",
    "neither",
    "never",
    "no",
    "nobody",
    "none",
    "nor",
    "not",
    "nothing",
    "only",
    "or",
    "plus",
    "times",
    "unless",
];

/// Words at the beginning of a name with which it reads like what is compared, not like a name.
const COMPARING: [&str; 7] = [
    "at least ",
    "at most ",
    "half of ",
    "less than ",
    "more than ",
    "other than ",
    "what ",
];

/// Whether a name has a word of which nobody could tell how far it goes.
pub(super) fn is_compound(name: &str) -> bool {
    name.split(' ')
        .any(|word| REACHING.contains(&word) || word.starts_with("some"))
        || COMPARING.iter().any(|words| name.starts_with(words))
}

/// A text without capitals, and with single spaces: readers may overlook what is left out.
pub(super) fn alike(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// A name among other words.
pub(super) fn called(name: &str) -> String {
    in_quotes_if(name, is_compound)
}

/// A name as people write it, in quotation marks if it could be misread without them.
fn in_quotes_if(name: &str, is_misread: fn(&str) -> bool) -> String {
    let name = plain(name);
    match is_misread(&name) {
        true => format!("\"{name}\""),
        false => name,
    }
}

/// A value where others can stand beside it.
pub(super) fn value_words(
    program: &Program,
    names: &Names,
    (value, ty): (Value, KeyType),
) -> String {
    let text = names.value(program, value, ty);
    match value {
        Value::None => text,
        _ => in_quotes_if(&text, joins),
    }
}

/// Whether a name has a word that joins what stands on both sides.
fn joins(name: &str) -> bool {
    let mut words = name.split(' ');
    words.any(|word| matches!(word, "or" | "and" | "nor"))
}

/// A name that stands by itself where others can stand beside it, and which a sentence can begin with: `from red to
/// "red or blue"`, `"no one" would become 4`.
pub(super) fn beside_others(name: &str) -> String {
    in_quotes_if(name, |name| {
        let first = name.split(' ').next();
        first.is_some_and(is_compound) || joins(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_without_their_comments() {
        let text = "claim a:  must x  -- because\n    -- of this\n    and y";
        assert_eq!(joined(text), "claim a: must x and y");
        let text = "clause \"a -- b \\\" -- c\" -- d";
        assert_eq!(joined(text), "clause \"a -- b \\\" -- c\"");
        assert_eq!(joined("a - b"), "a - b");
        assert_eq!(joined(""), "");
    }
}
