//! The queries: they fit the grammar, and every keyword of the language has a colour.

use crate::agreement::{root, specifications};
use crate::tree;
use endstep_language::syntax::keywords;
use std::collections::BTreeSet;
use std::fs;
use tree_sitter::{Language, Node, Query, QueryCursor, StreamingIterator};

/// The nodes that a query captures, with the names of the captures, in the order of the text.
fn captures(query: &str, text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    each_capture(query, text, |name, node| {
        found.push((name.to_owned(), text[node.byte_range()].to_owned()));
    });
    found
}

fn each_capture(source: &str, text: &str, mut tell: impl FnMut(&str, Node<'_>)) {
    let language: Language = tree_sitter_endstep::LANGUAGE.into();
    let query = Query::new(&language, source).unwrap();
    let parsed = tree::parse(text);
    let mut cursor = QueryCursor::new();
    let mut captures = cursor.captures(&query, parsed.root_node(), text.as_bytes());
    while let Some((found, index)) = captures.next() {
        let capture = found.captures()[*index];
        tell(query.capture_names()[capture.index as usize], capture.node);
    }
}

/// The examples of `docs/language.md`, those of statements and expressions where they can stand.
fn examples() -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/language.md")).unwrap();
    let mut found = Vec::new();
    for block in page.split("```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').unwrap();
        let indented = |text: &str| text.replace('\n', "\n    ");
        match kind {
            "endstep" => found.push(text.to_owned()),
            "endstep statements" => {
                found.push(format!("sequence s\n  step t\n    {}\n", indented(text)));
            }
            "endstep expressions" => {
                found.extend(text.lines().map(|line| format!("define x = {line}\n")));
            }
            // The grammar in words, and other languages.
            _ => {}
        }
    }
    found
}

/// Colours of words that the language gives a meaning.
const COLOURS: [&str; 9] = [
    "boolean",
    "constant.builtin",
    "function.builtin",
    "keyword",
    "keyword.conditional",
    "keyword.modifier",
    "keyword.operator",
    "keyword.repeat",
    "type.builtin",
];

#[test]
fn every_keyword_has_a_colour() {
    let mut texts = examples();
    assert!(texts.len() > 50, "{} examples", texts.len());
    let mut paths = Vec::new();
    for folder in ["specs", "tests/corpus"] {
        specifications(&root().join(folder), &mut paths);
    }
    texts.extend(paths.iter().map(|path| fs::read_to_string(path).unwrap()));
    let mut coloured = BTreeSet::new();
    for text in &texts {
        assert!(!tree::parse(text).root_node().has_error(), "{text}");
        each_capture(tree_sitter_endstep::HIGHLIGHTS_QUERY, text, |name, node| {
            if COLOURS.contains(&name) {
                coloured.insert(text[node.byte_range()].to_owned());
            }
        });
    }
    let plain: Vec<_> = keywords::all()
        .filter(|&word| !coloured.contains(word))
        .collect();
    assert!(
        plain.is_empty(),
        "without a colour, or in no example: {plain:?}"
    );
}

#[test]
fn every_word_of_the_grammar_is_a_keyword() {
    let language: Language = tree_sitter_endstep::LANGUAGE.into();
    for kind in 0..language.node_kind_count() {
        let kind = kind as u16;
        let name = language.node_kind_for_id(kind).unwrap();
        let is_word = name.chars().all(|one| one.is_ascii_lowercase());
        if is_word && language.node_kind_is_visible(kind) && !language.node_kind_is_named(kind) {
            assert!(keywords::is_keyword(name), "`{name}`");
        }
    }
}

#[test]
fn names_and_keywords_are_told_apart() {
    let text = "define size = size of hand + top\n";
    let found = captures(tree_sitter_endstep::HIGHLIGHTS_QUERY, text);
    let last = |word: &str, which: usize| {
        let mut of_word = found.iter().filter(|(_, text)| text == word);
        of_word.nth(which).map(|(name, _)| name.as_str())
    };
    assert_eq!(last("define", 0), Some("keyword"));
    // The name has a general colour, which the next one replaces.
    assert_eq!(
        [last("size", 0), last("size", 1)],
        [Some("variable"), Some("function")]
    );
    assert_eq!(last("size", 2), Some("keyword.operator"));
    assert_eq!(last("top", 0), Some("variable"));
}

const STEP: &str = "\
sequence cleanup
  step destroy
    for each c in board
      move c to dying
    if done
      nothing
    otherwise
      nothing
";

#[test]
fn headings_fold_with_what_is_under_them() {
    let mut found = Vec::new();
    each_capture(tree_sitter_endstep::FOLDS_QUERY, STEP, |name, node| {
        assert_eq!(name, "fold");
        found.push((node.start_position().row, node.end_position().row));
    });
    assert_eq!(found, [(0, 7), (1, 7), (2, 3), (4, 7), (6, 7)]);
}

#[test]
fn headings_are_known_to_indent() {
    let found = captures(tree_sitter_endstep::INDENTS_QUERY, STEP);
    let count = |name: &str| found.iter().filter(|(found, _)| found == name).count();
    assert_eq!(count("indent.begin"), 4);
    assert_eq!(count("indent.branch"), 1);
}

#[test]
fn names_are_found_where_they_are_bound() {
    let text = "define few(p: Player) = every c in hand(p) has c.health > 0\n";
    let found = captures(tree_sitter_endstep::LOCALS_QUERY, text);
    let with = |name: &str| -> Vec<_> {
        let found = found.iter().filter(|(found, _)| found == name);
        found.map(|(_, text)| text.as_str()).collect()
    };
    assert_eq!(with("local.definition.parameter"), ["p"]);
    assert_eq!(with("local.definition.var"), ["c"]);
    assert_eq!(with("local.scope").len(), 2);
}

#[test]
fn what_is_declared_has_a_tag() {
    let found = captures(tree_sitter_endstep::TAGS_QUERY, STEP);
    let names: Vec<_> = found.iter().filter(|(name, _)| name == "name").collect();
    let names: Vec<_> = names.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(names, ["cleanup", "destroy"]);
}
