//! What the grammar reads in a text: its lines in blocks, and its expressions.

use crate::line::Line;
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::{Node, Parser, Tree};

/// A parser of specifications.
pub fn parser() -> Parser {
    let mut parser = Parser::new();
    let language = tree_sitter_endstep::LANGUAGE.into();
    parser.set_language(&language).expect("a known version");
    parser
}

/// The tree of a text.
pub fn parse(text: impl AsRef<[u8]>) -> Tree {
    parser()
        .parse(text, None)
        .expect("a parser with a language, and no limit")
}

/// All nodes, each before those in it.
pub fn nodes(tree: &Tree) -> Vec<Node<'_>> {
    let mut cursor = tree.walk();
    let mut found = Vec::new();
    loop {
        found.push(cursor.node());
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.children(&mut node.walk()).collect()
}

/// The lines of a file.
pub fn lines(tree: &Tree, text: &str) -> Vec<Line> {
    nested(tree.root_node(), text)
}

/// The lines directly in a file or a block.
fn nested(block: Node<'_>, text: &str) -> Vec<Line> {
    let lines = children(block).into_iter();
    let lines = lines.filter(|node| node.is_named() && !node.is_extra());
    lines.map(|node| line(node, text)).collect()
}

/// The kinds of lines of whose place the compiler says nothing.
const WITHOUT_PLACE: [&str; 28] = [
    "after",
    "arm",
    "basis",
    "before_restarting",
    "cancel",
    "changes",
    "choice_option",
    "chosen",
    "cites",
    "column",
    "defines",
    "ensures",
    "entities",
    "expect",
    "field_decl",
    "given",
    "holds",
    "ignores",
    "on",
    "otherwise",
    "reading_alt",
    "refers",
    "row",
    "says",
    "sees",
    "unfinished",
    "uses",
    "value",
];

fn line(node: Node<'_>, text: &str) -> Line {
    let kind = node.kind();
    let mut line = Line::new(kind);
    let in_example = node.parent().and_then(|block| block.parent());
    let in_example = in_example.is_some_and(|heading| heading.kind() == "example");
    let is_placed = !WITHOUT_PLACE.contains(&kind) && !["waived", "yields"].contains(&kind);
    if is_placed && !in_example {
        line = line.at(heading(node));
    }
    line.facts = facts(node, text);
    for child in children(node) {
        match child.kind() {
            "block" => line = line.over(nested(child, text)),
            // The rest of the statement before it.
            "otherwise" | "otherwise_if" if kind != "cases" => {
                let blocks = children(child).into_iter();
                for block in blocks.filter(|child| child.kind() == "block") {
                    line = line.over(nested(block, text));
                }
            }
            _ => {}
        }
    }
    line
}

/// The bytes of a line without its blocks.
fn heading(node: Node<'_>) -> Range<usize> {
    let parts = children(node).into_iter();
    let parts = parts.filter(|child| !child.is_extra());
    let parts = parts.take_while(|child| child.kind() != "block");
    let end = parts.last().map_or(node.end_byte(), |last| last.end_byte());
    node.start_byte()..end
}

/// The kinds of nodes whose name is compared.
const NAMED: [&str; 28] = [
    "board",
    "choose_number",
    "claim",
    "column",
    "continuous",
    "create",
    "define",
    "document",
    "entities",
    "entity",
    "event",
    "example",
    "experiment",
    "field_decl",
    "gap",
    "legal",
    "let",
    "observer",
    "question",
    "queue",
    "reading",
    "reading_alt",
    "role",
    "row",
    "sequence",
    "step",
    "table",
    "trigger",
];

fn facts(node: Node<'_>, text: &str) -> Vec<String> {
    let kind = node.kind();
    let field = |name| node.child_by_field_name(name);
    if kind == "clause" {
        let place = |name| field(name).map_or(0..0, |node| node.byte_range());
        return vec![
            format!("id {:?}", place("id")),
            field("kind")
                .map_or("", |node| &text[node.byte_range()])
                .to_owned(),
            format!("locator {:?}", place("locator")),
        ];
    }
    let mut facts = Vec::new();
    if NAMED.contains(&kind) || ["type", "value", "var", "zone"].contains(&kind) {
        let names: Vec<_> = node
            .children_by_field_name("name", &mut node.walk())
            .collect();
        facts.extend(
            names
                .iter()
                .map(|name| format!("name {}", &text[name.byte_range()])),
        );
    }
    let parts = children(node).into_iter();
    let mut parts = parts.filter(|child| child.is_named() && !child.is_extra());
    match kind {
        // The name, and what is claimed.
        "claim" | "question" => facts.extend(parts.nth(1).map(|child| child.kind().to_owned())),
        "experiment" => {
            let changes = parts.filter(|child| child.kind() == "alteration").count();
            facts.push(format!("{changes} changes"));
        }
        _ => {}
    }
    facts
}

/// The kinds of nodes that are expressions wherever they stand.
const EXPRESSIONS: [&str; 23] = [
    "binary",
    "bool",
    "builtin",
    "call",
    "cond",
    "count",
    "end_of",
    "endmost",
    "extreme",
    "field",
    "half",
    "holder",
    "is",
    "negate",
    "neighbour",
    "none",
    "not",
    "old",
    "paren",
    "quantified",
    "size",
    "sum",
    "turn",
];

/// All named nodes: the expressions, and others, some of which look the same, such as the name of an item.
pub fn places(tree: &Tree) -> BTreeSet<(usize, usize, &str)> {
    let nodes = nodes(tree).into_iter().filter(Node::is_named);
    nodes
        .map(|node| (node.start_byte(), node.end_byte(), node.kind()))
        .collect()
}

/// Whether a node of a kind is an expression wherever it stands.
pub fn is_expression(kind: &str) -> bool {
    EXPRESSIONS.contains(&kind)
}
