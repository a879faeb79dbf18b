//! Splits a rules text into blocks, and blocks into sentences with their lines.
//!
//! A block is a paragraph, a list item or a heading. Empty lines, list markers and
//! headings end a block; lines of one block are joined before it is split:
//!
//! ```text
//! Cleanup                                  heading
//!   1. Creatures with no health are        item 1, first sentence, lines 2 to 3
//!      destroyed. Relics, e.g. swords,     item 1, second sentence, lines 3 to 4
//!      are destroyed, too.
//! ```
//!
//! *Limits*: it knows plain text, Markdown and the lists and headings of wikis. A
//! short line without a full stop that stands alone is a heading.

use sha2::{Digest, Sha256};

/// What a [`Sentence`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SentenceKind {
    /// A heading, or another short line that says nothing by itself.
    Heading,
    /// Something that has to be covered.
    Sentence,
}

/// A sentence, or a heading, of a rules text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// What it is.
    pub kind: SentenceKind,
    /// The text in one line.
    pub text: String,
    /// The first and last line, counted from 1.
    pub lines: (u32, u32),
    /// The marker of the list item it stands in, such as `1` or `•`.
    pub item: Option<String>,
    /// Which sentence of its block it is, counted from 1.
    pub ordinal: u32,
    /// Which paragraph under its heading it stands in, counted from 1; list items
    /// count as part of the paragraph before them.
    pub paragraph: u32,
    /// The heading it stands under; empty before the first one.
    pub heading: String,
}

impl Sentence {
    /// What the record knows a sentence by: 12 hexadecimal digits that depend on
    /// its words and marks alone, not on layout or the shape of quotation marks.
    pub fn hash(&self) -> String {
        let plain: String = self.text.chars().map(plain_mark).collect();
        let digest = Sha256::digest(plain.as_bytes());
        digest.iter().take(6).map(|b| format!("{b:02x}")).collect()
    }

    /// The first few words, by which a person recognises it.
    pub fn beginning(&self) -> String {
        let words: Vec<&str> = self.text.split(' ').collect();
        match words.len() {
            0..=6 => self.text.clone(),
            _ => format!("{} …", words[..5].join(" ")),
        }
    }
}

fn plain_mark(one: char) -> char {
    match one {
        '‘' | '’' | '‚' => '\'',
        '“' | '”' | '„' | '«' | '»' => '"',
        '‐' | '‑' | '–' | '—' => '-',
        other => other,
    }
}

/// The sentences and headings of a text, in order.
pub fn split(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut heading = String::new();
    let mut paragraph = 0;
    for block in blocks(text) {
        if block.is_heading() {
            heading = block.joined().0;
            paragraph = 0;
            found.push(Sentence {
                kind: SentenceKind::Heading,
                text: heading.clone(),
                lines: block.lines(),
                item: None,
                ordinal: 1,
                paragraph,
                heading: heading.clone(),
            });
            continue;
        }
        paragraph += u32::from(block.item.is_none());
        found.extend(block.sentences(&heading, paragraph));
    }
    found
}

/// Lines that belong together.
#[derive(Default)]
struct Block<'t> {
    heading: bool,
    item: Option<&'t str>,
    lines: Vec<(u32, &'t str)>,
}

/// The blocks of a text.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut done: Vec<Block<'_>> = Vec::new();
    let mut open = Block::default();
    let lines: Vec<&str> = text.lines().collect();
    let start = front_matter(&lines);
    for (index, raw) in lines.iter().enumerate().skip(start) {
        let (number, line) = (index as u32 + 1, raw.trim());
        if line.is_empty() {
            done.push(std::mem::take(&mut open));
        } else if is_rule(line) {
            // A line of dashes under a single line makes that line a heading.
            open.heading = open.lines.len() == 1 && open.item.is_none();
            done.push(std::mem::take(&mut open));
        } else if let Some(title) = marked_heading(line) {
            done.push(std::mem::take(&mut open));
            done.push(Block {
                heading: true,
                item: None,
                lines: vec![(number, title)],
            });
        } else if let Some((marker, rest)) = list_marker(line) {
            done.push(std::mem::take(&mut open));
            open.item = Some(marker);
            open.lines.push((number, rest));
        } else {
            if open.is_title_above(line) {
                open.heading = true;
                done.push(std::mem::take(&mut open));
            }
            open.lines.push((number, line));
        }
    }
    done.push(open);
    done.retain(|block| !block.lines.is_empty());
    if let [first, _, ..] = done.as_mut_slice() {
        first.heading |= first.is_title();
    }
    done
}

/// How many lines of front matter, between two lines `---`, stand at the start.
fn front_matter(lines: &[&str]) -> usize {
    let is_fence = |line: &&str| line.trim() == "---";
    if !lines.first().is_some_and(is_fence) {
        return 0;
    }
    let end = lines.iter().skip(1).position(is_fence);
    end.map_or(0, |end| end + 2)
}

/// Whether a line only draws a line.
fn is_rule(line: &str) -> bool {
    let first = line.chars().next();
    let drawn = first.is_some_and(|first| "=-~_*".contains(first));
    drawn && line.len() >= 3 && line.chars().all(|one| Some(one) == first)
}

/// The title in a heading of Markdown (`## Title`) or of a wiki (`== Title ==`).
fn marked_heading(line: &str) -> Option<&str> {
    if line.starts_with("==") && line.ends_with("==") {
        return Some(line.trim_matches('=').trim());
    }
    let title = line.trim_start_matches('#');
    if title.len() == line.len() || !title.starts_with(' ') {
        return None;
    }
    // A wiki also numbers lists with `#`.
    (is_short(title.trim()) && !title.contains("'''")).then(|| title.trim())
}

/// The marker of a list item, without its stop or bracket, and the text after it.
fn list_marker(line: &str) -> Option<(&str, &str)> {
    let (first, rest) = line.split_once([' ', '\t'])?;
    let rest = rest.trim_start();
    let bullet = ["-", "*", "•", "–", "·", "o", "►", "▪", "#", "##"].contains(&first);
    if bullet {
        // `o` is a bullet only as some word processors write it, before a capital.
        let plausible = first != "o" || rest.starts_with(char::is_uppercase);
        return plausible.then_some((first, rest));
    }
    let bare = first.trim_start_matches('(').trim_end_matches([')', '.']);
    let numbered = bare.len() <= 3 && !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_digit());
    let lettered = bare.len() == 1 && bare.bytes().all(|b| b.is_ascii_alphabetic());
    let closed = first.ends_with(')') || first.ends_with('.');
    ((numbered || lettered) && closed || is_outlined(bare)).then_some((bare, rest))
}

/// The number of a rule of a long document: `3.1`, `337.1.a`, `4-5-3-1`.
fn is_outlined(bare: &str) -> bool {
    let is_part = |part: &str| {
        let is_letter = part.len() == 1 && part.bytes().all(|b| b.is_ascii_lowercase());
        is_letter || part.parse::<u16>().is_ok()
    };
    let parts = |by: char| bare.split(by).all(is_part).then(|| bare.split(by).count());
    let begins = bare.starts_with(|one: char| one.is_ascii_digit());
    // A score is `3-2`.
    begins && bare.len() <= 14 && (parts('.') > Some(1) || parts('-') > Some(2))
}

/// Few words, and no mark at the end that a sentence or a wrapped line would have.
fn is_short(line: &str) -> bool {
    let bare = line.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']', '*', '_']);
    let ends = bare.ends_with(['.', '!', '?', ':', ';', ',', '…', '。', '！', '？']);
    let is_one = self::ends(line).len() == 1;
    !ends && is_one && line.chars().count() <= 60 && line.split_whitespace().count() <= 9
}

impl Block<'_> {
    fn lines(&self) -> (u32, u32) {
        let first = self.lines.first().map_or(0, |line| line.0);
        (first, self.lines.last().map_or(first, |line| line.0))
    }

    fn is_heading(&self) -> bool {
        let alone = self.lines.len() == 1 && self.item.is_none();
        self.heading || alone && self.lines.iter().all(|(_, line)| is_short(line))
    }

    /// Whether the block, the first of a text, reads as its title: `Yu-Gi-Oh! The end of a turn`.
    fn is_title(&self) -> bool {
        let [(_, line)] = self.lines[..] else {
            return false;
        };
        let goes_on = line.ends_with(['.', ';', ',', ':', '…', '。', '；']);
        let is_short = line.chars().count() <= 90 && line.split_whitespace().count() <= 14;
        self.item.is_none() && !goes_on && is_short
    }

    /// Whether the block is a single short line, and the line below it begins
    /// something new rather than going on.
    fn is_title_above(&self, below: &str) -> bool {
        let [(_, line)] = self.lines[..] else {
            return false;
        };
        let fresh = below.starts_with(|one: char| one.is_uppercase() || one.is_numeric());
        self.item.is_none() && fresh && is_short(line) && line.chars().count() <= 40
    }

    /// The lines as one, and the offset in it at which each begins.
    fn joined(&self) -> (String, Vec<(usize, u32)>) {
        let mut text = String::new();
        let mut starts = Vec::new();
        for (number, line) in &self.lines {
            for word in line.split_whitespace() {
                if !text.is_empty() {
                    text.push(' ');
                }
                if starts.last().is_none_or(|&(_, last)| last != *number) {
                    starts.push((text.len(), *number));
                }
                text.push_str(word);
            }
        }
        (text, starts)
    }

    fn sentences(&self, heading: &str, paragraph: u32) -> Vec<Sentence> {
        let (text, starts) = self.joined();
        let line_at = |offset: usize| {
            let index = starts.partition_point(|&(start, _)| start <= offset);
            starts.get(index.saturating_sub(1)).map_or(0, |line| line.1)
        };
        let mut found = Vec::new();
        let mut from = 0;
        for end in ends(&text) {
            let piece = text.get(from..end).unwrap_or_default();
            let trimmed = piece.trim_start();
            let start = end - trimmed.len();
            from = end;
            if !trimmed.chars().any(char::is_alphanumeric) {
                continue;
            }
            found.push(Sentence {
                kind: SentenceKind::Sentence,
                text: trimmed.trim_end().to_owned(),
                lines: (line_at(start), line_at(end.saturating_sub(1))),
                item: self.item.map(str::to_owned),
                ordinal: found.len() as u32 + 1,
                paragraph,
                heading: heading.to_owned(),
            });
        }
        found
    }
}

/// Words before whose full stop no sentence ends.
const ABBREVIATIONS: [&str; 32] = [
    "e.g", "i.e", "cf", "vs", "max", "min", "no", "nos", "p", "pp", "fig", "figs", "mr", "mrs",
    "ms", "dr", "st", "approx", "resp", "incl", "excl", "jr", "sr", "nat", "ca", "eg", "ie", "al",
    "sec", "ch", "vol", "def",
];

/// The offsets at which the sentences of a line of text end.
fn ends(text: &str) -> Vec<usize> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let closes_later = closing_brackets(&chars);
    let mut ends = Vec::new();
    let mut depth = 0_i32;
    let mut at = 0;
    while let Some(&(offset, one)) = chars.get(at) {
        at += 1;
        match one {
            '(' if closes_later.contains(&offset) => depth += 1,
            ')' => depth = (depth - 1).max(0),
            '。' | '！' | '？' if depth == 0 => ends.push(offset + one.len_utf8()),
            '.' | '!' | '?' | '…' if depth == 0 => {
                let mut next = at;
                while chars.get(next).is_some_and(|(_, c)| is_closing(*c)) {
                    next += 1;
                }
                let end = chars.get(next).map_or(text.len(), |one| one.0);
                if begins_anew(text, end) && !(one == '.' && abbreviates(text, offset)) {
                    ends.push(end);
                    at = next;
                }
            }
            _ => {}
        }
    }
    if ends.last() != Some(&text.len()) {
        ends.push(text.len());
    }
    ends
}

/// Marks that may follow the mark that ends a sentence.
fn is_closing(one: char) -> bool {
    matches!(
        one,
        '.' | '!' | '?' | '…' | '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '*' | '_'
    )
}

/// The offsets of opening brackets that a closing one answers.
fn closing_brackets(chars: &[(usize, char)]) -> std::collections::BTreeSet<usize> {
    let mut open = Vec::new();
    let mut answered = std::collections::BTreeSet::new();
    for &(offset, one) in chars {
        match one {
            '(' => open.push(offset),
            ')' => answered.extend(open.pop()),
            _ => {}
        }
    }
    answered
}

/// Whether a new sentence can begin at an offset: white space and then a capital,
/// a number or a letter of a script without capitals; or nothing more.
fn begins_anew(text: &str, offset: usize) -> bool {
    let rest = text.get(offset..).unwrap_or_default();
    if rest.is_empty() {
        return true;
    }
    if !rest.starts_with(' ') {
        return false;
    }
    let first = rest.chars().find(|one| one.is_alphanumeric());
    first.is_none_or(|one| !one.is_lowercase())
}

/// Whether the full stop at an offset belongs to an abbreviation or an initial.
fn abbreviates(text: &str, offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or_default();
    let word = before
        .rsplit([' ', '(', '[', '"'])
        .next()
        .unwrap_or_default();
    if ABBREVIATIONS.contains(&word.to_lowercase().as_str()) {
        return true;
    }
    // An initial: `J. Smith`, but not the number in `takes X. Then`.
    let mut letters = word.chars();
    let single = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    let rest = before.trim_end_matches(word).trim_end();
    let previous = rest.rsplit(' ').next().unwrap_or_default();
    single && (previous.is_empty() || previous.starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let show = |one: &Sentence| {
            let (from, to) = one.lines;
            let kind = match one.kind {
                SentenceKind::Heading => "# ",
                SentenceKind::Sentence => "",
            };
            let item = one
                .item
                .as_ref()
                .map_or(String::new(), |i| format!("[{i}] "));
            format!("{from}-{to} {kind}{item}{}", one.text)
        };
        split(text).iter().map(show).collect()
    }

    #[test]
    fn paragraphs_are_joined_and_split() {
        let text = "Draw a card. If you cannot,\nyou lose! Really?\n\nThen rest";
        let expected = [
            "1-1 Draw a card.",
            "1-2 If you cannot, you lose!",
            "2-2 Really?",
            "4-4 # Then rest",
        ];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn list_items_stand_alone_and_go_on_in_indented_lines() {
        let text = "The following steps occur:\n\n  1. First, draw.\n     Then discard.\n  \
                    2) Rest\n  • A bullet. It has two.\n(a) A letter.\n3.1 An outline number.\n\
                    337.1.a. A letter in it.\n4-5-3-1 With dashes.";
        let expected = [
            "1-1 The following steps occur:",
            "3-3 [1] First, draw.",
            "4-4 [1] Then discard.",
            "5-5 [2] Rest",
            "6-6 [•] A bullet.",
            "6-6 [•] It has two.",
            "7-7 [a] A letter.",
            "8-8 [3.1] An outline number.",
            "9-9 [337.1.a] A letter in it.",
            "10-10 [4-5-3-1] With dashes.",
        ];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn headings_are_short_or_marked() {
        let text = "---\ntitle: x\n---\n# 4.5 Cleanup\n\n== A. Refresh ==\n\nDrawing\n=======\n\
                    Everybody draws.\n\nFinal Phases\nCommunity content is free.\n\n\
                    # '''Disband''' all units.\n";
        let expected = [
            "4-4 # 4.5 Cleanup",
            "6-6 # A. Refresh",
            "8-8 # Drawing",
            "10-10 Everybody draws.",
            "12-12 # Final Phases",
            "13-13 Community content is free.",
            "15-15 [#] '''Disband''' all units.",
        ];
        assert_eq!(shown(text), expected);
        let last = split(text).pop();
        assert_eq!(last.map(|one| one.heading), Some("Final Phases".to_owned()));
    }

    #[test]
    fn the_first_line_can_be_a_title_that_is_longer_or_ends_like_a_sentence() {
        let kinds = |text: &str| -> Vec<SentenceKind> {
            split(text).into_iter().map(|one| one.kind).collect()
        };
        let (heading, sentence) = (SentenceKind::Heading, SentenceKind::Sentence);
        assert_eq!(kinds("Yu-Gi-Oh!\n\nDraw a card.\n"), [heading, sentence]);
        assert_eq!(
            kinds("The Lord of the Rings, the Card Game: what players do in each phase\n\nDraw.\n"),
            [heading, sentence]
        );
        assert_eq!(kinds("Draw a card!\n"), [sentence]);
        assert_eq!(
            kinds("Draw a card.\n\nDiscard one.\n"),
            [sentence, sentence]
        );
    }

    #[test]
    fn stops_inside_brackets_numbers_and_abbreviations_end_nothing() {
        let one = |text: &str| assert_eq!(shown(text).len(), 1, "{text}");
        one("Move half (min. 3, max. 6) to the pool.");
        one("Cards, e.g. Swords, cost 3.5 gold.");
        one("Adjust it (see above. All of it.) and go on.");
        one("J. R. Smith made it.");
        one("Some words ... and some more.");
        let two = |text: &str| assert_eq!(shown(text).len(), 2, "{text}");
        two("Each creature heals for X. Then it rests.");
        two("He said \"stop.\" The game ended.");
        two("An open bracket ( is no reason. This is another.");
        two("カードを引く。終わる。");
    }

    #[test]
    fn a_hash_ignores_layout_and_the_shape_of_quotes() {
        let hash = |text: &str| split(text).first().map(Sentence::hash);
        assert_eq!(hash("It isn’t\n   over."), hash("It isn't over."));
        assert_ne!(hash("It is over."), hash("It is Over."));
        assert_eq!(hash("It is over.").map(|hash| hash.len()), Some(12));
    }

    #[test]
    fn odd_texts_are_split_somehow() {
        for text in [
            "",
            "\n\n",
            "...",
            "( . ( . A",
            "1.",
            "- ",
            "= =",
            "\u{feff}x",
            "é. É.",
        ] {
            for one in split(text) {
                assert!(one.lines.0 >= 1 && one.lines.0 <= one.lines.1, "{text:?}");
            }
        }
    }
}
