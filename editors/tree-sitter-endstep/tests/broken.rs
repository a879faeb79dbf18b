//! Texts that are no specifications: the grammar finds a fault where the compiler does, always ends,
//! and a fault spoils little more than its line.

use crate::agreement::{difference, noise, root, specifications};
use crate::tree;
use endstep_language::syntax::keywords;
use std::fs;
use std::ops::Range;
use tree_sitter::{InputEdit, Point};

/// A specification with steps, a trigger and a restart rule.
const SHORT: &str = "tests/corpus/restart/pass/carried.endstep";

/// A document in clauses.
const LONG: &str = "specs/rumblebots.endstep";

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn agree(text: &str) {
    let wrong = difference(text);
    assert!(wrong.is_none(), "{}\n{text}", wrong.unwrap());
}

/// The words, texts, signs and rows of spaces of a text.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let inside = |same: fn(char) -> bool| rest.find(|one| !same(one)).unwrap_or(rest.len());
        let length = match first {
            ' ' => inside(|one| one == ' '),
            '"' => rest[1..].find(['"', '\n']).map_or(rest.len(), |at| at + 2),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => {
                inside(|one| one.is_ascii_alphanumeric() || one == '_')
            }
            _ => first.len_utf8(),
        };
        let start = text.len() - rest.len();
        found.push(start..start + length);
        rest = &rest[length..];
    }
    found
}

/// What can stand in the place of a token, besides nothing and keywords.
const OTHERS: [&str; 24] = [
    "", "", " ", "\n", "\n  ", "\n    ", "\t", "\r\n", "(", ")", ",", ":", ".", "-", "--", "=",
    "1", "1a", " and ", " or ", " in ", "\"", "\\", "?",
];

/// Numbers that look random.
struct Choices(Vec<u8>);

impl Choices {
    fn below(&mut self, end: usize) -> usize {
        let last = self.0.split_off(self.0.len() - 3);
        last.iter()
            .fold(0, |number, &byte| number * 256 + usize::from(byte))
            % end
    }
}

#[test]
fn changed_specifications_have_faults_where_the_compiler_finds_some() {
    let mut paths = Vec::new();
    specifications(&root().join("tests/corpus"), &mut paths);
    let texts: Vec<_> = paths
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let words: Vec<_> = keywords::all().collect();
    let rounds = 5_000;
    let mut choices = Choices(noise(1, rounds * 20));
    for _ in 0..rounds {
        let text = &texts[choices.below(texts.len())];
        let tokens = tokens(text);
        let token = &tokens[choices.below(tokens.len())];
        let new = match choices.below(2) {
            0 => OTHERS[choices.below(OTHERS.len())],
            _ => words[choices.below(words.len())],
        };
        let end = [token.start, token.end][choices.below(2)];
        agree(&format!("{}{new}{}", &text[..token.start], &text[end..]));
    }
}

#[test]
fn half_a_specification_has_faults_where_the_compiler_finds_some() {
    let text = read(SHORT);
    for end in 0..=text.len() {
        agree(&text[..end]);
        // Also where a half line is in the middle.
        agree(&format!("{}\nzone rest of Card\n", &text[..end]));
    }
}

#[test]
fn lines_are_found_whatever_ends_and_indents_them() {
    let text = read(SHORT);
    agree(&text.replace('\n', "\r\n"));
    agree(&text.replace("\n  ", "\n\t"));
    agree(&text.replace("\n  ", "\n \t"));
    agree(&format!("{text}\r"));
    for (number, _) in text.match_indices('\n') {
        for space in [" ", "  ", "   ", "\t"] {
            agree(&format!(
                "{}{space}{}",
                &text[..=number],
                &text[number + 1..]
            ));
        }
        if text[number + 1..].starts_with(' ') {
            agree(&format!("{}{}", &text[..=number], &text[number + 2..]));
        }
    }
    // With carriage returns alone, as in old files, and with a mark at the start.
    for text in [text.replace('\n', "\r"), format!("\u{feff}{text}")] {
        assert!(!tree::parse(&text).root_node().has_error(), "{text:?}");
    }
}

#[test]
fn comments_belong_to_no_line() {
    let text = read(SHORT);
    for (number, _) in text.match_indices('\n') {
        for space in ["", "  ", "    ", "            "] {
            let comment = format!("{space}-- so \"it is (\n");
            agree(&format!(
                "{}{comment}{}",
                &text[..=number],
                &text[number + 1..]
            ));
        }
        agree(&format!("{} --{}", &text[..number], &text[number..]));
    }
}

/// Each comment says in what it should lie.
const COMMENTS: &str = "\
-- file
sequence cleanup
    -- sequence
  -- sequence
  step destroy  -- step
    for each c in board
          -- binder
        where c.ready
      nothing
      -- block of for_each
    -- block of step
 -- block of sequence
  -- block of sequence
  step report
    nothing
    -- block of step
   -- block of sequence
-- file
game \"g\"
  -- file
-- file
";

#[test]
fn comments_lie_in_the_blocks_that_their_columns_say() {
    let tree = tree::parse(COMMENTS);
    assert!(!tree.root_node().has_error());
    let nodes = tree::nodes(&tree).into_iter();
    let comments: Vec<_> = nodes.filter(|node| node.kind() == "comment").collect();
    assert_eq!(comments.len(), COMMENTS.matches("--").count());
    for comment in comments {
        let parent = comment.parent().unwrap();
        let found = match (parent.kind(), parent.parent()) {
            ("block", Some(heading)) => format!("-- block of {}", heading.kind()),
            (kind, _) => format!("-- {kind}"),
        };
        let row = comment.start_position().row;
        assert_eq!(found, COMMENTS[comment.byte_range()], "line {}", row + 1);
    }
}

#[test]
fn texts_without_a_specification_are_read() {
    for text in [
        "",
        "\n",
        "   ",
        "\t\t",
        "\r\n\r\n",
        "-- only a comment",
        "--\n  --\n--\n    --\n",
        "  game \"g\"\n",
        "    game \"g\"\n  var a: boolean\nvar b: boolean\n",
        "sequence s\n    step a\n        nothing\n  step b\n      nothing\n",
        "sequence s\n  step a\n    nothing\n      nothing\n",
        "define x = (1\n) + 2\n",
        "define x = (1\n + first -- of all\n -- them\n   c in z\n )\n",
        "define x = (1\n - 2)\n-- end\n",
        "define x = first\nc: Card\n",
    ] {
        agree(text);
    }
}

#[test]
fn long_and_strange_texts_end() {
    let many = 20_000;
    for text in [
        "--\n".repeat(many),
        "\n".repeat(many),
        "\"".repeat(many),
        ")".repeat(many),
        "mvoe\n".repeat(many / 10),
        format!("define x = {}", "(".repeat(many)),
        format!("define x = {}y", "not ".repeat(many)),
        format!("game (\n{}", " a, -- b\n".repeat(many / 10)),
        (0..2_000)
            .map(|depth| format!("{}--\n", " ".repeat(depth)))
            .collect(),
        (0..200)
            .map(|depth| format!("{}if a\n", " ".repeat(depth)))
            .collect(),
    ] {
        assert_eq!(tree::parse(&text).root_node().end_byte(), text.len());
    }
    for number in 0..300 {
        let bytes = noise(number, 200);
        tree::parse(&bytes);
        let few = bytes
            .iter()
            .map(|byte| b" \n\t(-:a\"\\\r,1"[usize::from(byte % 12)]);
        tree::parse(few.collect::<Vec<_>>());
    }
}

/// The lines in which something begins that a fault elsewhere should not hide, with what it is.
fn beginnings(text: &str) -> Vec<(String, usize)> {
    let kinds = [
        "board", "claim", "clause", "entity", "example", "question", "reading", "sequence",
        "trigger",
    ];
    let tree = tree::parse(text);
    let nodes = tree::nodes(&tree)
        .into_iter()
        .filter(|node| node.is_named());
    let nodes = nodes.filter(|node| kinds.contains(&node.kind()));
    nodes
        .map(|node| (node.kind().to_owned(), node.start_position().row))
        .collect()
}

/// The lines from one on that a fault in it may hide: itself, with what goes on with it, and what is
/// nested under it.
fn spoilt(lines: &[&str], number: usize) -> Range<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_inner = |line: &&&str| line.trim().is_empty() || indent(line) > indent(lines[number]);
    let inner = lines[number + 1..].iter().take_while(is_inner).count();
    // It may be what an item above goes on with.
    let above = (0..number)
        .rev()
        .find(|&above| indent(lines[above]) < indent(lines[number]));
    above.unwrap_or(number)..number + 1 + inner
}

#[test]
fn a_fault_hides_no_other_clause() {
    let text = read(LONG);
    let lines: Vec<_> = text.lines().collect();
    let expected = beginnings(&text);
    assert!(expected.len() > 100, "{} beginnings", expected.len());
    for number in (0..lines.len()).step_by(11) {
        let line = lines[number];
        let content = line.trim_start();
        let indent = " ".repeat(line.len() - content.len());
        let half = content.len() / 2;
        let faults = [
            "???".to_owned(),
            format!("{content} ("),
            content[..half].to_owned(),
        ];
        for fault in faults {
            let mut changed: Vec<_> = lines.iter().map(|&line| line.to_owned()).collect();
            changed[number] = format!("{indent}{fault}");
            let found = beginnings(&changed.join("\n"));
            let spoilt = spoilt(&lines, number);
            let elsewhere = expected.iter().filter(|(_, row)| !spoilt.contains(row));
            let hidden: Vec<_> = elsewhere.filter(|one| !found.contains(one)).collect();
            assert!(
                hidden.is_empty(),
                "line {number} as `{fault}` hides {hidden:?}"
            );
        }
    }
}

fn point(text: &str, at: usize) -> Point {
    let before = &text[..at];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    Point::new(before.matches('\n').count(), at - line)
}

/// The text with some of its bytes replaced, and the edit that tells the parser so.
fn edit(text: &str, old: Range<usize>, new: &str) -> (String, InputEdit) {
    let changed = format!("{}{new}{}", &text[..old.start], &text[old.end..]);
    let new_end = old.start + new.len();
    let edit = InputEdit {
        start_byte: old.start,
        old_end_byte: old.end,
        new_end_byte: new_end,
        start_position: point(text, old.start),
        old_end_position: point(text, old.end),
        new_end_position: point(&changed, new_end),
    };
    (changed, edit)
}

#[test]
fn what_is_taken_back_is_read_as_before() {
    let text = read(SHORT);
    let expected = tree::parse(&text).root_node().to_sexp();
    let mut parser = tree::parser();
    for token in tokens(&text) {
        for new in ["", "(", "\n", " \"", "-- "] {
            let mut tree = tree::parse(&text);
            let (changed, there) = edit(&text, token.clone(), new);
            tree.edit(&there);
            let mut tree = parser.parse(&changed, Some(&tree)).unwrap();
            let old = &text[token.clone()];
            let (again, back) = edit(&changed, token.start..token.start + new.len(), old);
            assert_eq!(again, text);
            tree.edit(&back);
            let tree = parser.parse(&text, Some(&tree)).unwrap();
            assert_eq!(tree.root_node().to_sexp(), expected, "{old:?} as {new:?}");
        }
    }
}
