//! Findings keep their names: edits of the real documents that change no meaning keep every
//! fingerprint.
//!
//! [`edits::ALL`] lists the edits. Each of them alone, and all of them at once, are made in the documents
//! that are checked quickly (`steady`), and in the others by `tests/long`. What is explored is less than the
//! specifications ask for, so that it takes seconds.

mod edits;

use std::collections::BTreeMap;

use endstep::analysis::Options;
use endstep::driver::{Choice, sizes};
use endstep::explore::check;
use endstep::typing::program::Program;
use endstep::verdict::fingerprint;

use crate::texts::Texts;
use edits::{ALL, Edit, UNRELATED};

/// A document and how much of it is explored.
pub struct Document {
    /// Its file.
    pub file: &'static str,
    /// Largest numbers of entities.
    pub scope: &'static [&'static str],
    /// At least so many findings.
    pub findings: usize,
}

/// What is found, by fingerprint.
pub fn found(program: &Program, scope: &[&str]) -> BTreeMap<String, String> {
    let scope: Vec<Choice> = scope.iter().map(|one| one.parse().unwrap()).collect();
    let options = Options {
        sizes: sizes(program, &scope).unwrap(),
        ..Options::default()
    };
    let results = check(program, &options, &mut |_| {});
    let one = |finding: &endstep::verdict::Finding| {
        let told = format!(
            "{} {} ({}) {:?}",
            finding.code.id(),
            finding.subject,
            finding.cause,
            finding
                .clauses
                .iter()
                .map(|&id| program.clauses[id].id.as_str())
                .collect::<Vec<_>>()
        );
        (fingerprint(program, finding), told)
    };
    results.findings.iter().map(one).collect()
}

/// What differs after edits; what is about what they added does not count.
fn differences(
    document: &Document,
    before: &BTreeMap<String, String>,
    edits: &[Edit],
) -> Vec<String> {
    let mut texts = Texts::read(document.file);
    let mut names = Vec::new();
    for edit in edits {
        let old = texts.clone();
        (edit.make)(&mut texts);
        if texts == old {
            return vec![format!("{}: {} changes nothing", document.file, edit.name)];
        }
        names.push(edit.name);
    }
    let names = names.join(", ");
    let program = match texts.compile() {
        Ok(program) => program,
        Err(why) => return vec![format!("{}: {names}: {why}", document.file)],
    };
    let after = found(&program, document.scope);
    let lost = before
        .iter()
        .filter(|(print, _)| !after.contains_key(*print));
    let lost = lost.map(|(_, told)| format!("{}: {names}: lost {told}", document.file));
    let more = after
        .iter()
        .filter(|(print, told)| !before.contains_key(*print) && !told.contains(UNRELATED));
    let more = more.map(|(_, told)| format!("{}: {names}: more {told}", document.file));
    lost.chain(more).collect()
}

/// What is found before any edit.
pub fn before(document: &Document) -> BTreeMap<String, String> {
    let program = Texts::read(document.file).compile().unwrap();
    let before = found(&program, document.scope);
    assert!(
        before.len() >= document.findings,
        "{}: {}",
        document.file,
        before.len()
    );
    before
}

fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Makes each edit alone.
pub fn each_alone(documents: &[Document]) {
    let mut differ = Vec::new();
    for document in documents {
        let before = before(document);
        for edit in ALL {
            differ.extend(differences(document, &before, &[*edit]));
        }
    }
    assert_none(&differ);
}

/// Makes all edits at once.
pub fn all_together(documents: &[Document]) {
    assert!(ALL.len() >= 20);
    let mut differ = Vec::new();
    for document in documents {
        differ.extend(differences(document, &before(document), ALL));
    }
    assert_none(&differ);
}
