//! Which files of a folder need each other.
//!
//! The members of a folder are its files, its folders, each with all that is in it, and its own `mod.rs`. One
//! needs another if its code, tests aside, names something that is defined there:
//!
//! ```text
//! board/mod.rs    pub use card::Card;           passes on, and needs nothing
//! board/card.rs   use super::deck::Deck;        card needs deck
//! board/deck.rs   use super::Card;              deck needs card, which defines it: a circle
//! ```
//!
//! So `mod.rs` is a member like all others: it needs what it names, and is needed for what it defines. Only
//! the lines do not count with which it declares its members and passes on what they define, unless its own code
//! uses what it passes on.
//!
//! *Limits.* Only names are looked at: who calls a method of something that it never names, needs nothing.

use std::collections::BTreeMap;
use std::fmt::Write;

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::paths::{Named, Paths, paths};
use super::scan::File;

/// A module, as the names that lead to it from the folder of the crate's sources, which comes first.
type Module = Vec<String>;

/// What of each folder needs what, with the places where it does.
type Needs = BTreeMap<Module, BTreeMap<(String, String), Vec<String>>>;

/// The `mod.rs` of a folder, among its members.
const OWN: &str = "mod";

struct Tree<'a> {
    modules: BTreeMap<Module, (&'a File, Paths)>,
}

/// The circles of all folders that may not have any: their members, and why each of them needs another.
/// Also the folders that may have some and have none.
pub fn circles(files: &[File], may: &[&str]) -> Vec<String> {
    let files = files.iter();
    // The program is a crate of its own.
    let files = files.filter(|file| !file.is_test() && file.path != "src/main.rs");
    let modules = files.map(|file| (module(file), (file, paths(file))));
    let tree = Tree {
        modules: modules.collect(),
    };
    let mut told = Vec::new();
    let mut without = may.to_vec();
    for (folder, needs) in tree.needs() {
        let path = folder.join("/");
        let found = circles_of(&needs);
        if !may.contains(&path.as_str()) {
            told.extend(found.iter().map(|one| format!("{path}: {one}")));
        } else if !found.is_empty() {
            without.retain(|&one| one != path);
        }
    }
    told.extend(
        without
            .iter()
            .map(|one| format!("{one} has none: take it off the list")),
    );
    told
}

fn circles_of(needs: &BTreeMap<(String, String), Vec<String>>) -> Vec<String> {
    let edges = needs.keys().map(|(a, b)| (a.as_str(), b.as_str()));
    let graph = DiGraphMap::<&str, ()>::from_edges(edges);
    let mut circles = Vec::new();
    for mut members in tarjan_scc(&graph) {
        if members.len() < 2 {
            continue;
        }
        members.sort_unstable();
        let mut text = members.join(", ");
        for ((a, b), places) in needs {
            if members.contains(&a.as_str()) && members.contains(&b.as_str()) {
                let _ = write!(text, "\n    {a} needs {b}: {}", places.join(", "));
            }
        }
        circles.push(text);
    }
    circles.sort();
    circles
}

fn module(file: &File) -> Module {
    let (folder, inner) = file.path.split_at(file.path.len() - file.inner().len());
    let inner = inner.trim_end_matches(".rs");
    let inner = inner.strip_suffix("/mod").unwrap_or(inner);
    let inner = if inner == "lib" { "" } else { inner };
    let names = inner.split('/').filter(|name| !name.is_empty());
    let root = folder.trim_end_matches('/');
    [root].into_iter().chain(names).map(str::to_owned).collect()
}

impl Tree<'_> {
    fn needs(&self) -> Needs {
        let mut needs = Needs::new();
        for (from, (file, paths)) in &self.modules {
            for named in &paths.named {
                let Some(to) = self.resolve(from, &named.path, 0) else {
                    continue;
                };
                let passes_on = named.import.as_ref().is_some_and(|import| {
                    import.passed_on && to.starts_with(from) && !paths.words.contains(&import.name)
                });
                if to == *from || passes_on {
                    continue;
                }
                let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                let member = |of: &Module| of.get(shared).map_or(OWN, String::as_str).to_owned();
                let place = format!("{}:{} {}", file.path, named.line, named.path.join("::"));
                let folder = needs.entry(from[..shared].to_vec()).or_default();
                folder
                    .entry((member(from), member(&to)))
                    .or_default()
                    .push(place);
            }
        }
        needs
    }

    /// The module of the same crate that defines what a path names, if the path leads out of its file.
    fn resolve(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let mut module = from.clone();
        let mut is_of_crate = false;
        for (at, name) in path.iter().enumerate() {
            let child = [module.as_slice(), std::slice::from_ref(name)].concat();
            match name.as_str() {
                "crate" => module.truncate(1),
                "self" => {}
                "super" => module.truncate(module.len() - 1),
                _ if self.modules.contains_key(&child) => module = child,
                _ => {
                    let import = self.import(&module, name);
                    return match import {
                        // The import is a path of its own.
                        _ if !is_of_crate && depth == 0 => None,
                        // Imports in a circle lead nowhere.
                        Some(import) if depth < 16 => {
                            let path = [&import.path, &path[at + 1..]].concat();
                            self.resolve(&module, &path, depth + 1)
                        }
                        _ => is_of_crate.then_some(module),
                    };
                }
            }
            is_of_crate = true;
        }
        Some(module)
    }

    fn import(&self, module: &Module, name: &str) -> Option<&Named> {
        let (_, paths) = self.modules.get(module)?;
        let is_it = |one: &&Named| {
            one.import
                .as_ref()
                .is_some_and(|import| import.name == name)
        };
        paths.named.iter().find(is_it)
    }
}

#[test]
fn circles_are_told() {
    let file = |(path, text): (&str, &str)| File::new(format!("src/{path}.rs"), text.to_owned());
    let told = |files: &[(&str, &str)], may: &[&str]| {
        let files: Vec<File> = files.iter().copied().map(file).collect();
        circles(&files, may)
    };
    let passes_on = ("board/mod", "mod card;\nmod deck;\npub use card::Card;\n");
    let deck = ("board/deck", "use super::Card;\n");
    let card = ("board/card", "use super::deck::Deck;\npub struct Card;\n");
    let found = told(&[passes_on, deck, card], &[]);
    assert_eq!(
        found,
        ["src/board: card, deck\n    \
          card needs deck: src/board/card.rs:1 super::deck::Deck\n    \
          deck needs card: src/board/deck.rs:1 super::Card"]
    );
    assert!(told(&[passes_on, deck, card], &["src/board"]).is_empty());
    // What is passed on is no need of `mod.rs`, unless it uses it.
    let plain = ("board/card", "use super::Hand;\npub struct Card;\n");
    let defines = "mod card;\npub use card::Card;\npub struct Hand;\n";
    assert!(told(&[("board/mod", defines), plain], &[]).is_empty());
    let uses = defines.replace("Hand;", "Hand(Card);");
    assert_eq!(told(&[("board/mod", &uses), plain], &[]).len(), 1);
    // A folder is a member of the one that it lies in.
    let inner = ("board/card/back", "use crate::board::deck::Deck;\n");
    let card = ("board/card/mod", "mod back;\npub struct Card;\n");
    assert_eq!(told(&[passes_on, deck, card, inner], &[]).len(), 1);
    // Tests may need what they test.
    let tests = "#[cfg(test)]\nmod tests {\n    use super::super::deck;\n}\n";
    assert!(told(&[passes_on, deck, ("board/card", tests)], &[]).is_empty());
    assert_eq!(told(&[], &["src/board"]).len(), 1, "a folder that has none");
}
