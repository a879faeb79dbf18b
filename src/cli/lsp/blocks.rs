//! What can begin a line, by the block in which it stands.

use super::view::View;
use super::words::{IN_EXAMPLES, ITEMS, LINES, STATEMENTS, Word, plain};
use lsp_types::{CompletionItem, CompletionItemKind, Documentation, InsertTextFormat};

/// In which blocks a line can stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Block {
    /// In a file or document.
    Items,
    /// In a clause.
    Clause,
    /// Under `cases` or `depending on`.
    Cases,
    /// In a sequence.
    Sequence,
    /// In a step, or below a statement.
    Statements,
    /// In a board, or under `given`.
    Board,
    /// In an example.
    Example,
    /// In another one, of which nothing is offered.
    Other,
}

/// The words that begin lines in a block.
fn in_block(block: Block) -> impl Iterator<Item = &'static Word> {
    let items = matches!(block, Block::Items | Block::Clause | Block::Sequence);
    let lines: &[&str] = match block {
        Block::Clause => &[
            "says", "waived", "refers", "defines", "uses", "yields", "cites", "basis",
        ],
        Block::Cases => &["when", "otherwise"],
        Block::Sequence => &["step", "restart", "contract", "cites", "basis"],
        Block::Statements => &["cites", "basis", "ensures", "otherwise", "when", "option"],
        Block::Example => &["on", "given", "expect"],
        Block::Items | Block::Board | Block::Other => &[],
    };
    let statements = STATEMENTS.iter().filter(move |one| match block {
        Block::Statements => true,
        Block::Example => one.word == "perform",
        Block::Items
        | Block::Clause
        | Block::Cases
        | Block::Sequence
        | Block::Board
        | Block::Other => false,
    });
    let lines = LINES.iter().filter(move |one| lines.contains(&one.word));
    let clause = ITEMS
        .iter()
        .filter(move |one| block == Block::Statements && one.word == "clause");
    let items = ITEMS.iter().filter(move |_| items);
    let examples = IN_EXAMPLES.iter().filter(move |_| block == Block::Example);
    let own = statements.chain(lines).chain(examples);
    own.chain(clause).chain(items)
}

/// The form of a word, indented, without places to be filled in if the editor cannot do that.
fn inserted(form: &str, depth: usize, snippets: bool) -> String {
    let indent = " ".repeat(depth);
    let form = form
        .replace('\n', &format!("\n{indent}"))
        .replace('\t', "  ");
    match snippets {
        true => form,
        false => plain(&form),
    }
}

/// What can begin a line of a block.
pub(super) fn beginnings(block: Block, depth: usize, snippets: bool) -> Vec<CompletionItem> {
    let item = |one: &'static Word| CompletionItem {
        label: one.word.to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        detail: Some(
            plain(one.form)
                .split('\n')
                .next()
                .unwrap_or_default()
                .to_owned(),
        ),
        documentation: Some(Documentation::String(one.meaning.to_owned())),
        insert_text: Some(inserted(one.form, depth, snippets)),
        insert_text_format: Some(match snippets {
            true => InsertTextFormat::SNIPPET,
            false => InsertTextFormat::PLAIN_TEXT,
        }),
        // Behind the names.
        sort_text: Some(format!("z{}", one.word)),
        ..CompletionItem::default()
    };
    in_block(block).map(item).collect()
}

/// The kind of block that a line opens; `None` if the line around it decides.
fn below(first: &str) -> Option<Block> {
    Some(match first {
        "document" => Block::Items,
        "sequence" => Block::Sequence,
        "step" | "trigger" | "for" | "if" | "otherwise" | "may" | "option" | "repeat" | "when"
        | "simultaneously" | "before" => Block::Statements,
        "board" | "given" => Block::Board,
        "example" => Block::Example,
        "clause" => return None,
        "cases" | "depending" => Block::Cases,
        _ => Block::Other,
    })
}

/// In what kind of block a line stands, and how far it is indented.
pub(super) fn block_of(view: View<'_>, line: usize) -> (Block, usize) {
    let Some((text, lines)) = view.specification.text(view.path) else {
        return (Block::Other, 0);
    };
    let depth_of = |line: usize| {
        let text = lines.line(text, line);
        text.len() - text.trim_start().len()
    };
    let own = depth_of(line);
    let mut depth = own;
    let mut in_clause = false;
    for above in (0..line).rev() {
        let text = lines.line(text, above);
        let is_said = !text.trim().is_empty() && !text.trim_start().starts_with("--");
        if !is_said || depth_of(above) >= depth {
            continue;
        }
        depth = depth_of(above);
        let first = text.split_whitespace().next().unwrap_or_default();
        if let Some(block) = below(first) {
            // A clause is what stands around it, and has lines of its own.
            return match (block, in_clause) {
                (Block::Items, true) => (Block::Clause, own),
                (block, _) => (block, own),
            };
        }
        in_clause = true;
    }
    match in_clause {
        true => (Block::Clause, own),
        false => (Block::Items, own),
    }
}
