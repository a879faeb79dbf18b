//! The grammar against the compiler, on all specifications of the repository and on random ones.

use crate::{compiler, tree};
use arbitrary::Unstructured;
use endstep_language::source::SourceId;
use endstep_language::syntax::{parse, print};
use endstep_tools::generate::specification;
use std::fs;
use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files under a folder that are specifications, in order.
pub fn specifications(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            specifications(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "endstep") {
            found.push(path);
        }
    }
}

/// The codes of what the grammar does not look at: how often a line stands, how large and how deep
/// something is. There it finds no fault.
const UNSEEN: [&str; 5] = ["E0107", "E0114", "E0115", "E0116", "E0119"];

/// In what the grammar and the compiler differ on a text.
pub fn difference(text: &str) -> Option<String> {
    let read = parse(SourceId(0), text);
    let tree = tree::parse(text);
    let mut codes: Vec<_> = read.diagnostics.iter().map(|one| one.code.id()).collect();
    codes.retain(|code| !UNSEEN.contains(code));
    let has_error = tree.root_node().has_error();
    if !codes.is_empty() && !has_error {
        return Some(format!(
            "the compiler finds {codes:?}, and the grammar nothing"
        ));
    }
    if !read.diagnostics.is_empty() {
        return None;
    }
    if has_error {
        let nodes = tree::nodes(&tree).into_iter();
        let wrong = nodes.filter(|node| node.is_error() || node.is_missing());
        let wrong: Vec<_> = wrong.map(|node| node.to_string()).collect();
        return Some(format!("only the grammar finds a fault: {wrong:?}"));
    }
    let [expected, found] = [compiler::lines(&read.file, text), tree::lines(&tree, text)];
    if let Some((expected, found)) = expected
        .iter()
        .zip(&found)
        .find(|(one, other)| one != other)
    {
        return Some(format!("expected\n{expected}\nfound\n{found}"));
    }
    if expected.len() != found.len() {
        return Some(format!(
            "expected {} items, found {}",
            expected.len(),
            found.len()
        ));
    }
    let expected = compiler::expressions(&read.file);
    let found = tree::places(&tree);
    let missing = expected.difference(&found).map(|one| ("missing", one));
    let more = found.difference(&expected);
    let invented = more.filter(|(_, _, kind)| tree::is_expression(kind));
    let mut wrong = missing.chain(invented.map(|one| ("invented", one)));
    wrong.next().map(|(what, (start, end, kind))| {
        let shown = text.get(*start..*end).unwrap_or_default();
        format!("{what}: the {kind} {start}..{end}, `{shown}`")
    })
}

#[test]
fn all_specifications_are_read_as_the_compiler_reads_them() {
    let mut paths = Vec::new();
    for folder in ["specs", "examples", "docs", "tests"] {
        specifications(&root().join(folder), &mut paths);
    }
    assert!(paths.len() > 400, "{} specifications", paths.len());
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let wrong = difference(&text);
        assert!(wrong.is_none(), "{}: {}", path.display(), wrong.unwrap());
    }
}

/// Bytes that look random, the same for the same number.
pub fn noise(number: u64, length: usize) -> Vec<u8> {
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

#[test]
fn random_specifications_are_read_as_the_compiler_reads_them() {
    for number in 0..300 {
        let bytes = noise(number, 2_000);
        let file = specification(&mut Unstructured::new(&bytes)).unwrap();
        let text = print(&file);
        let wrong = difference(&text);
        assert!(wrong.is_none(), "{number}: {}\n{text}", wrong.unwrap());
    }
}
