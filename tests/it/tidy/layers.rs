//! Who may import whom.

use super::scan::File;

/// How the modules of one crate stand to each other.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    /// They never import each other.
    Apart,
    /// Each may import those before it.
    InOrder,
}
use Within::{Apart, InOrder};

/// The crates from the bottom up, as in the table of ARCHITECTURE.md, the application last. What one may use of
/// another is also what its manifest says.
const LAYERS: [(Within, &[&str]); 10] = [
    (
        InOrder,
        &["index", "source", "diag", "syntax", "resolve", "typing"],
    ),
    (InOrder, &["semantics", "witness"]),
    (InOrder, &["ir", "lower", "footprint", "instance"]),
    (InOrder, &["verdict", "order", "analysis"]),
    (Apart, &["explore", "exhaust", "sample"]),
    (InOrder, &["smt", "prove"]),
    (Apart, &["generate", "mutate", "decisions", "coverage"]),
    (Apart, &["questions"]),
    (InOrder, &["depend", "report"]),
    (InOrder, &["driver", "cli"]),
];

/// Macros, which live in the crate's root whichever module defines them.
const MACROS: [&str; 2] = ["define_id", "walkable"];

/// The crate of a module and its place there.
fn position(module: &str) -> Option<(usize, usize)> {
    LAYERS.iter().enumerate().find_map(|(layer, (_, modules))| {
        let place = modules.iter().position(|&name| name == module)?;
        Some((layer, place))
    })
}

/// Why a module may not import another, if so.
fn objection(from: &str, to: &str) -> Option<String> {
    let Some((from_layer, from_place)) = position(from) else {
        return Some(format!("`{from}` has no layer in tests/it/tidy/layers.rs"));
    };
    let Some((to_layer, to_place)) = position(to) else {
        return Some(format!("`{to}` has no layer in tests/it/tidy/layers.rs"));
    };
    let allowed = from == to
        || to_layer < from_layer
        || (to_layer == from_layer && to_place < from_place && LAYERS[to_layer].0 == InOrder);
    (!allowed).then(|| format!("`{from}` (layer {from_layer}) imports `{to}` (layer {to_layer})"))
}

/// The imports of a file that break the rule.
pub fn violations(file: &File) -> Vec<String> {
    // Roots declare the modules, and the program only calls `cli`.
    if file.path.ends_with("src/lib.rs") || file.path.ends_with("src/main.rs") {
        return Vec::new();
    }
    let from = file.module();
    let mut broken = Vec::new();
    if position(from).is_none() {
        broken.push(format!(
            "{}: `{from}` has no layer in tests/it/tidy/layers.rs",
            file.path
        ));
    }
    for (line, to) in crate_paths(&file.code) {
        if let Some(objection) = objection(from, &to) {
            broken.push(format!("{}:{line}: {objection}", file.path));
        }
    }
    // `super` of a top module is the crate, which would go unseen above.
    let depth = file.inner().matches('/').count() - usize::from(file.path.ends_with("/mod.rs")) + 1;
    let climb = "super::".repeat(depth);
    let climbs = file.find(|place| !place.in_test && place.line.contains(&climb));
    broken.extend(climbs.map(|place| format!("{place}: write `crate::` for what is up there")));
    broken
}

/// The first names after `crate::` or the name of a crate of the project, with their lines;
/// `crate::{a, b::c}` gives two. Macros are left out.
fn crate_paths(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, separator) in code.match_indices("::") {
        let word = |one: char| one.is_alphanumeric() || one == '_' || one == '$';
        let root = code[..at].rfind(|one| !word(one)).map_or(0, |one| one + 1);
        let root = &code[root..at];
        // What is derived is a macro.
        if root != "crate" && (!root.starts_with("endstep_") || root == "endstep_walk") {
            continue;
        }
        let line = code[..at].matches('\n').count() + 1;
        let rest = &code[at + separator.len()..];
        for name in heads(rest) {
            found.push((line, name));
        }
    }
    found
}

/// The first names of a path, or of each path of a group in braces.
fn heads(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        return name(path).into_iter().collect();
    };
    let mut names = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, one) in group.char_indices() {
        match one {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.extend(name(group[start..at].trim_start()));
                start = at + 1;
                if one == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

fn name(path: &str) -> Option<String> {
    let end = path.find(|one: char| !one.is_alphanumeric() && one != '_');
    let name = &path[..end.unwrap_or(path.len())];
    (!name.is_empty() && !MACROS.contains(&name)).then(|| name.to_owned())
}

#[test]
fn paths_are_found_in_groups_and_in_expressions() {
    let code = "use crate::{diag::{A, b}, source,};\nlet x = crate::smt::version();\n\
                crate::define_id! { struct A; }\n$crate::index::Id\nuse endstep_kernel::ir::Op;\n\
                use endstep_walk::Walk;";
    let found: Vec<_> = crate_paths(code);
    let expected = [(1, "diag"), (1, "source"), (2, "smt"), (5, "ir")];
    assert_eq!(found, expected.map(|(line, name)| (line, name.to_owned())));
}

#[test]
fn layers_are_judged() {
    let objects = |from, to| objection(from, to).is_some();
    assert!(!objects("syntax", "diag") && !objects("explore", "explore"));
    assert!(objects("diag", "syntax"), "upwards");
    assert!(
        objects("explore", "exhaust") && objects("exhaust", "explore"),
        "engines"
    );
    assert!(
        !objects("typing", "resolve") && objects("resolve", "typing"),
        "in order"
    );
    assert!(
        objects("semantics", "ir") && objects("semantics", "lower"),
        "the oracle"
    );
    assert!(
        objects("cli", "nowhere") && objects("nowhere", "cli"),
        "unknown modules"
    );
}
