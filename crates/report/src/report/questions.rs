//! The questions that the sentences of a rules text raise, as text and JSON.
//!
//! ```text
//! rules.txt:9
//!   All players must discard down to five cards.
//!   - "All players" (turns): In which order do they do it, or all at the same time? …
//! ```

use super::layout::{Style, Tone, count, hang};
use endstep_tools::questions::{Asked, CATALOGUE};
use serde_json::{Value, json};

/// The version of the format of [`questions_json`].
const VERSION: u32 = 1;

/// A rules text with its questions.
#[derive(Debug, Clone, Copy)]
pub struct Raised<'a> {
    /// What people call the text.
    pub name: &'a str,
    /// The sentences that raise questions.
    pub asked: &'a [Asked<'a>],
    /// How many sentences there are.
    pub sentences: usize,
    /// How many more questions there are that are seldom worth asking.
    pub more: usize,
}

impl Raised<'_> {
    fn number(self) -> usize {
        self.asked.iter().map(|one| one.questions.len()).sum()
    }
}

/// The questions as text; without their sentences where that is to be quiet.
pub fn questions_text(raised: Raised<'_>, style: Style) -> String {
    let mut out = String::new();
    for asked in raised.asked {
        let (first, last) = asked.sentence.lines;
        let place = match first == last {
            true => format!("{}:{first}", raised.name),
            false => format!("{}:{first}-{last}", raised.name),
        };
        out.push_str(&format!("{}\n", style.paint(Tone::Faint, &place)));
        if !style.quiet {
            out.push_str(&hang(&asked.sentence.text, style.width, 2, 2));
        }
        for one in &asked.questions {
            let sign = &asked.sentence.text[one.sign.clone()];
            let line = format!(
                "- \"{sign}\" ({}): {}",
                one.pattern.name, one.pattern.question
            );
            out.push_str(&hang(&line, style.width, 2, 4));
        }
        out.push('\n');
    }
    let questions = count(raised.number() as u64, "question", "questions");
    let sentences = count(raised.sentences as u64, "sentence", "sentences");
    let more = match raised.more {
        0 => String::new(),
        more => format!("; --all asks {more} more, which are seldom worth it"),
    };
    let last = format!("{questions} in {} of {sentences}{more}", raised.asked.len());
    out.push_str(&hang(&last, style.width, 0, 2));
    out
}

/// The questions as JSON.
pub fn questions_json(raised: Raised<'_>) -> Value {
    let sentences = raised.asked.iter().map(|asked| {
        let questions = asked.questions.iter().map(|one| {
            json!({
                "kind": one.pattern.name,
                "sign": &asked.sentence.text[one.sign.clone()],
                "question": one.pattern.question,
            })
        });
        json!({
            "lines": [asked.sentence.lines.0, asked.sentence.lines.1],
            "heading": asked.sentence.heading,
            "text": asked.sentence.text,
            "questions": questions.collect::<Vec<_>>(),
        })
    });
    json!({
        "schema": "endstep questions",
        "version": VERSION,
        "name": raised.name,
        "sentences": raised.sentences,
        "questions": raised.number(),
        "more": raised.more,
        "asked": sentences.collect::<Vec<_>>(),
    })
}

/// All that is looked for, with an example of each.
pub fn catalogue_text(style: Style) -> String {
    let mut out = String::new();
    for pattern in &CATALOGUE {
        let seldom = if pattern.usual {
            ""
        } else {
            " (only with --all)"
        };
        let name = style.paint(Tone::Strong, pattern.name);
        out.push_str(&format!("{name}{seldom}\n"));
        out.push_str(&hang(pattern.question, style.width, 2, 2));
        let example = format!("as in: {}", pattern.example);
        out.push_str(&hang(&example, style.width, 2, 4));
    }
    out
}
