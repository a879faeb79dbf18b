//! Takes the items of all files out of what they stand in, and remembers the clause around each.
//!
//! ```text
//! document gu "End of turn"
//!   clause c.1 (rule) at "1"
//!     sequence cleanup
//!       clause c.2 (rule) at "2"
//!         reading zero …
//! ```
//!
//! has the clauses `c.1`, `c.2` and the items `cleanup` (in `c.1`), `zero` (in `c.2`).

use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{
    Block, Clause, Document, File, Item, ItemKind, Loc, SeqItem, SeqItemKind, Stmt, StmtKind, Text,
    Trivia,
};

/// How deep clauses, statements and expressions may be nested in each other.
pub const MAX_DEPTH: u32 = 256;

/// A clause with its surroundings.
#[derive(Debug, Clone, Copy)]
pub struct ClauseEntry<'a> {
    /// The clause.
    pub clause: &'a Clause,
    /// The document around it, by position in [`Outline::documents`].
    pub document: Option<usize>,
    /// The clause around it within the same list of items, sequence or step.
    pub parent: Option<usize>,
    /// Something formal stands directly under it.
    pub formal: bool,
}

/// An item with the clause around it.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The item; never a document or clause.
    pub kind: &'a ItemKind,
    /// The innermost clause around it, by position in [`Outline::clauses`].
    pub clause: Option<usize>,
    /// Its heading.
    pub loc: Loc,
    /// The comments around it.
    pub trivia: &'a Trivia,
}

/// All items in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Outline<'a> {
    /// Every `game "…"`.
    pub games: Vec<&'a Text>,
    /// The documents.
    pub documents: Vec<&'a Document>,
    /// The clauses, also those inside sequences and steps.
    pub clauses: Vec<ClauseEntry<'a>>,
    /// The other items.
    pub items: Vec<Entry<'a>>,
    /// Whether some tree has an error node, which the parser reported.
    pub broken: bool,
}

/// What surrounds the place the walk is at.
#[derive(Clone, Copy)]
struct Around {
    document: Option<usize>,
    clause: Option<usize>,
    // The clause that a nested clause belongs to; ends at a sequence or step.
    parent: Option<usize>,
    depth: u32,
}

impl<'a> Outline<'a> {
    /// The outline of the files, and what is wrong with their nesting.
    pub fn new(files: &'a [File]) -> (Self, Vec<Diagnostic>) {
        let mut walk = Walk {
            outline: Outline::default(),
            diagnostics: Vec::new(),
        };
        let around = Around {
            document: None,
            clause: None,
            parent: None,
            depth: 0,
        };
        for file in files {
            walk.items(&file.items, around);
        }
        (walk.outline, walk.diagnostics)
    }
}

struct Walk<'a> {
    outline: Outline<'a>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Walk<'a> {
    /// One level further in; none, and a diagnostic, if that is too deep.
    fn deeper(&mut self, around: Around, loc: Loc) -> Option<Around> {
        if around.depth >= MAX_DEPTH {
            self.diagnostics.push(too_deep(loc));
            return None;
        }
        Some(Around {
            depth: around.depth + 1,
            ..around
        })
    }

    fn items(&mut self, items: &'a [Item], around: Around) {
        for item in items {
            self.item(&item.kind, (item.loc, &item.trivia), around);
        }
    }

    fn item(&mut self, kind: &'a ItemKind, at: (Loc, &'a Trivia), around: Around) {
        let Some(inside) = self.deeper(around, at.0) else {
            return;
        };
        match kind {
            ItemKind::Error => self.outline.broken = true,
            ItemKind::Game(title) => self.outline.games.push(title),
            ItemKind::Include(_) => {}
            ItemKind::Document(document, items, _) => {
                let number = self.outline.documents.len();
                self.outline.documents.push(document);
                let inside = Around {
                    document: Some(number),
                    ..inside
                };
                self.items(items, inside);
            }
            ItemKind::Clause(clause, items, _) => {
                let inside = self.clause(clause, inside);
                self.items(items, inside);
            }
            ItemKind::Verify(_)
            | ItemKind::Observer(_)
            | ItemKind::Accept(_)
            | ItemKind::Experiment(_) => {
                self.push(kind, at, around);
            }
            ItemKind::Sequence(sequence) => {
                self.formal(around);
                self.push(kind, at, around);
                let inside = Around {
                    parent: None,
                    ..inside
                };
                self.seq_items(&sequence.items, inside);
            }
            ItemKind::Trigger(trigger) => {
                self.formal(around);
                self.push(kind, at, around);
                self.step(&trigger.body, inside);
            }
            _ => {
                self.formal(around);
                self.push(kind, at, around);
            }
        }
    }

    fn push(&mut self, kind: &'a ItemKind, (loc, trivia): (Loc, &'a Trivia), around: Around) {
        self.outline.items.push(Entry {
            kind,
            clause: around.clause,
            loc,
            trivia,
        });
    }

    fn clause(&mut self, clause: &'a Clause, around: Around) -> Around {
        let number = self.outline.clauses.len();
        self.outline.clauses.push(ClauseEntry {
            clause,
            document: around.document,
            parent: around.parent,
            formal: false,
        });
        Around {
            clause: Some(number),
            parent: Some(number),
            ..around
        }
    }

    /// Something formal stands here.
    fn formal(&mut self, around: Around) {
        let clause = around.clause.and_then(|n| self.outline.clauses.get_mut(n));
        if let Some(entry) = clause {
            entry.formal = true;
        }
    }

    fn seq_items(&mut self, items: &'a [SeqItem], around: Around) {
        for item in items {
            let Some(inside) = self.deeper(around, item.loc) else {
                return;
            };
            match &item.kind {
                SeqItemKind::Error => self.outline.broken = true,
                SeqItemKind::Annotation(_) => {}
                SeqItemKind::Clause(clause, items, _) => {
                    let inside = self.clause(clause, inside);
                    self.seq_items(items, inside);
                }
                SeqItemKind::Item(kind) => self.item(kind, (item.loc, &item.trivia), around),
                SeqItemKind::Step(step) => {
                    self.formal(around);
                    self.step(&step.body, inside);
                }
                SeqItemKind::Restart(restart) => {
                    self.formal(around);
                    if let Some((_, block)) = &restart.before {
                        self.step(block, inside);
                    }
                }
                SeqItemKind::Contract(_) => self.formal(around),
            }
        }
    }

    fn step(&mut self, block: &'a Block, around: Around) {
        let inside = Around {
            parent: None,
            ..around
        };
        self.block(block, inside);
    }

    fn block(&mut self, block: &'a Block, around: Around) {
        for stmt in &block.stmts {
            let Some(inside) = self.deeper(around, stmt.loc) else {
                return;
            };
            match &stmt.kind {
                StmtKind::Error => self.outline.broken = true,
                StmtKind::Annotation(_) => {}
                StmtKind::Clause(clause, block) => {
                    let inside = self.clause(clause, inside);
                    self.block(block, inside);
                }
                _ => {
                    self.formal(around);
                    for block in blocks(stmt) {
                        self.block(block, inside);
                    }
                }
            }
        }
    }
}

/// The blocks of a statement in the order of the text.
fn blocks(stmt: &Stmt) -> Vec<&Block> {
    fn last(block: &Option<(Trivia, Block)>) -> impl Iterator<Item = &Block> {
        block.iter().map(|(_, block)| block)
    }
    match &stmt.kind {
        StmtKind::If(arms, otherwise) => arms
            .iter()
            .map(|(_, block)| block)
            .chain(last(otherwise))
            .collect(),
        StmtKind::Cases {
            arms, otherwise, ..
        } => arms
            .iter()
            .map(|arm| &arm.body)
            .chain(last(otherwise))
            .collect(),
        StmtKind::Depending { arms, .. } => arms.iter().map(|(_, _, block)| block).collect(),
        StmtKind::ForEach { body, .. }
        | StmtKind::Simultaneously(body)
        | StmtKind::Repeat(_, body) => vec![body],
        StmtKind::ChooseOne { options, .. } => options.iter().map(|one| &one.body).collect(),
        StmtKind::May {
            body, otherwise, ..
        } => std::iter::once(body).chain(last(otherwise)).collect(),
        _ => Vec::new(),
    }
}

/// The error for what is nested too deeply.
pub(crate) fn too_deep(loc: Loc) -> Diagnostic {
    let message = format!("found nesting of more than {MAX_DEPTH} levels, expected less");
    Diagnostic::error(codes::forms::TOO_DEEP, message)
        .at(loc, "too deep")
        .help("give a part of it a name: a `define`, or a `sequence` that is performed")
}
