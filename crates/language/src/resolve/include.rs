//! Follows `include "path"` from file to file.
//!
//! The items of what is included stand where it is included first, after the line that includes them, be that in a
//! document or a clause or outside of them.

use super::outline::MAX_DEPTH;
use crate::diag::{Diagnostic, codes};
use crate::source::{SourceId, Span};
use crate::syntax::ast::{File, Item, ItemKind, Text};
use std::collections::BTreeMap;

/// After so many complaints no further file is looked for.
const MAX_COMPLAINTS: usize = 100;

/// Where files come from. The file system is not known here.
pub trait Loader {
    /// The source that `path`, written in the source `from`, names; the same id for the same file.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, for a message.
    fn load(&mut self, path: &str, from: SourceId) -> Result<SourceId, String>;

    /// The syntax tree of a source that was loaded.
    fn parse(&mut self, source: SourceId) -> File;
}

/// The trees of the sources and of all that they include, each once.
pub fn expand(roots: &[SourceId], loader: &mut dyn Loader) -> (Vec<File>, Vec<Diagnostic>) {
    let mut expansion = Expansion {
        loader,
        progress: BTreeMap::new(),
        followed: BTreeMap::new(),
        done: Vec::new(),
        diagnostics: Vec::new(),
    };
    for &root in roots {
        expansion.run(root);
    }
    expansion.fill();
    let files = expansion.done.into_iter().map(|(_, file)| file);
    (files.collect(), expansion.diagnostics)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Open,
    Done,
}

struct Expansion<'l> {
    loader: &'l mut dyn Loader,
    progress: BTreeMap<SourceId, Progress>,
    /// What a line that includes a file, the first to do so, has brought in.
    followed: BTreeMap<Span, SourceId>,
    done: Vec<(SourceId, File)>,
    diagnostics: Vec<Diagnostic>,
}

/// A file whose includes are being followed.
struct Open {
    source: SourceId,
    file: File,
    left: Vec<Text>,
}

impl Expansion<'_> {
    /// A depth-first walk with a stack of its own, so that a long chain of files is no deep
    /// recursion.
    fn run(&mut self, root: SourceId) {
        if self.progress.contains_key(&root) {
            return;
        }
        let mut stack = vec![self.open(root)];
        while let Some(top) = stack.last_mut() {
            let from = top.source;
            let Some(path) = top.left.pop() else {
                self.progress.insert(from, Progress::Done);
                self.done.extend(stack.pop().map(|open| (from, open.file)));
                continue;
            };
            if let Some(source) = self.follow(&path, from) {
                let open = self.open(source);
                stack.push(open);
            }
        }
    }

    fn open(&mut self, source: SourceId) -> Open {
        self.progress.insert(source, Progress::Open);
        let file = self.loader.parse(source);
        let mut left = Vec::new();
        includes(&file.items, &mut left);
        left.reverse();
        Open { source, file, left }
    }

    fn follow(&mut self, path: &Text, from: SourceId) -> Option<SourceId> {
        if self.diagnostics.len() >= MAX_COMPLAINTS {
            return None;
        }
        let source = match self.loader.load(&path.text, from) {
            Ok(source) => source,
            Err(why) => {
                let message = format!("found `include \"{}\"`, expected a file: {why}", path.text);
                let error = Diagnostic::error(codes::names::INCLUDE_MISSING, message)
                    .at(path.loc, "cannot be read")
                    .help("the path is relative to the folder of the file that includes it");
                self.diagnostics.push(error);
                return None;
            }
        };
        match self.progress.get(&source) {
            None => {
                self.followed.insert(path.loc.span(), source);
                Some(source)
            }
            Some(Progress::Done) => None,
            Some(Progress::Open) => {
                let message = format!("`{}` includes itself, by way of this line", path.text);
                let error = Diagnostic::error(codes::names::INCLUDE_CYCLE, message)
                    .at(path.loc, "closes the circle")
                    .help("put what both need into a third file, and include that");
                self.diagnostics.push(error);
                None
            }
        }
    }
}

impl Expansion<'_> {
    /// Moves what is included to where it is included. What a file includes is done before the file.
    fn fill(&mut self) {
        for at in 0..self.done.len() {
            let items = std::mem::take(&mut self.done[at].1.items);
            self.done[at].1.items = self.filled(items, 0);
        }
    }

    fn filled(&mut self, items: Vec<Item>, depth: u32) -> Vec<Item> {
        let mut filled = Vec::with_capacity(items.len());
        for mut item in items {
            let mut source = None;
            match &mut item.kind {
                // What is deeper is complained of later.
                ItemKind::Document(_, inside, _) | ItemKind::Clause(_, inside, _)
                    if depth < MAX_DEPTH =>
                {
                    *inside = self.filled(std::mem::take(inside), depth + 1);
                }
                ItemKind::Include(path) => source = self.followed.get(&path.loc.span()).copied(),
                _ => {}
            }
            filled.push(item);
            let included = self.done.iter_mut().find(|(id, _)| Some(*id) == source);
            if let Some((_, file)) = included {
                filled.append(&mut file.items);
            }
        }
        filled
    }
}

/// The paths that a file includes, in the order of the text.
fn includes(items: &[Item], found: &mut Vec<Text>) {
    let mut left: Vec<&Item> = items.iter().rev().collect();
    while let Some(item) = left.pop() {
        match &item.kind {
            ItemKind::Include(path) => found.push(path.clone()),
            ItemKind::Document(_, items, _) | ItemKind::Clause(_, items, _) => {
                left.extend(items.iter().rev());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files with texts: a name for the game, and the names that they include.
    fn texts(files: &[(&'static str, &[&'static str])]) -> Texts {
        let text = |name: &str, includes: &[&str]| {
            let includes = includes.iter().map(|path| format!("include \"{path}\"\n"));
            format!("game \"{name}\"\n{}", includes.collect::<String>())
        };
        let files = files.iter();
        Texts(
            files
                .map(|(name, includes)| (*name, text(name, includes)))
                .collect(),
        )
    }

    fn names(files: &[File]) -> Vec<&str> {
        let items = files.iter().flat_map(|file| &file.items);
        items
            .filter_map(|item| match &item.kind {
                ItemKind::Game(text) => Some(text.text.as_str()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn what_is_included_stands_there_and_once() {
        let mut files = texts(&[
            ("root", &["b", "c"]),
            ("b", &["d"]),
            ("c", &["d"]),
            ("d", &[]),
        ]);
        let (trees, diagnostics) = expand(&[SourceId(0)], &mut files);
        assert_eq!(names(&trees), ["root", "b", "d", "c"]);
        assert!(diagnostics.is_empty());
    }

    /// Files with texts of their own.
    struct Texts(Vec<(&'static str, String)>);

    impl Loader for Texts {
        fn load(&mut self, path: &str, _: SourceId) -> Result<SourceId, String> {
            let found = self.0.iter().position(|(name, _)| *name == path);
            found
                .map(|n| SourceId(n as u32))
                .ok_or_else(|| "no such file".to_owned())
        }

        fn parse(&mut self, source: SourceId) -> File {
            crate::syntax::parse(source, &self.0[source.0 as usize].1).file
        }
    }

    #[test]
    fn what_is_included_in_a_document_or_clause_is_part_of_it() {
        let files = [
            (
                "root",
                "include \"table\"\ndocument d \"D\"\n  include \"first\"\n  var last: boolean\n",
            ),
            ("table", "var on_the_table: boolean\n"),
            (
                "first",
                "include \"table\"\ninclude \"inner\"\nvar of_first: boolean\nclause a (rule) at \"1\"\n  include \"clause\"\n",
            ),
            ("inner", "var of_inner: boolean\n"),
            ("clause", "var of_clause: boolean\n"),
        ];
        let mut texts = Texts(files.map(|(name, text)| (name, text.to_owned())).to_vec());
        let (trees, diagnostics) = expand(&[SourceId(0)], &mut texts);
        assert!(diagnostics.is_empty());
        fn variables(items: &[Item]) -> Vec<&str> {
            let names = items.iter().flat_map(|item| match &item.kind {
                ItemKind::Var(var) => vec![var.name.text.as_str()],
                ItemKind::Clause(_, inside, _) => variables(inside),
                _ => Vec::new(),
            });
            names.collect()
        }
        let outside: Vec<_> = trees
            .iter()
            .flat_map(|tree| variables(&tree.items))
            .collect();
        let inside = trees.iter().flat_map(|tree| &tree.items);
        let inside: Vec<_> = inside
            .filter_map(|item| match &item.kind {
                ItemKind::Document(_, items, _) => Some(variables(items)),
                _ => None,
            })
            .flatten()
            .collect();
        assert_eq!(outside, ["on_the_table"]);
        assert_eq!(inside, ["of_inner", "of_first", "of_clause", "last"]);
    }

    #[test]
    fn circles_and_missing_files_are_reported_together() {
        let mut files = texts(&[("root", &["gone", "b"]), ("b", &["root"])]);
        let (trees, diagnostics) = expand(&[SourceId(0)], &mut files);
        assert_eq!(names(&trees), ["root", "b"]);
        let messages: Vec<_> = diagnostics.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "found `include \"gone\"`, expected a file: no such file",
                "`root` includes itself, by way of this line",
            ]
        );
    }
}
