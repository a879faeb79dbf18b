//! Findings keep their names: edits of the real documents that change no meaning keep every
//! fingerprint.
//!
//! [`edits::ALL`] lists the edits. Each of them alone, and all of them at once, are made in the documents
//! that are checked quickly, and in the others by `cargo test --release -- --ignored`. What is explored is
//! less than the specifications ask for, so that the test takes seconds.
//!
//! *Limits*: steps that make no difference (F0704, a note) are left out. Of a step that several sequences
//! share, only one of them is said to come out the same without it: the one that is looked at first, and
//! that can change with the order of clauses.

mod edits;

use std::collections::BTreeMap;

use endstep::analysis::Options;
use endstep::diag::codes;
use endstep::driver::{Choice, sizes};
use endstep::explore::check;
use endstep::typing::program::Program;
use endstep::verdict::fingerprint;

use super::texts::Texts;
use edits::{ALL, Edit, UNRELATED};

/// A document and how much of it is explored.
struct Document {
    file: &'static str,
    scope: &'static [&'static str],
    /// At least so many findings.
    findings: usize,
}

const QUICK: [Document; 2] = [
    Document {
        file: "specs/gods-unchained.endstep",
        scope: &["Card=1", "Effect=1"],
        findings: 20,
    },
    Document {
        file: "specs/rumblebots.endstep",
        scope: &["Bot=1", "Player=2"],
        findings: 10,
    },
];

const SLOW: [Document; 3] = [
    Document {
        file: "specs/apex-predator.endstep",
        scope: &["Card=1"],
        findings: 10,
    },
    Document {
        file: "specs/price-of-power.endstep",
        scope: &["Marker=1", "Realm=1", "Card=0", "Area=0", "Nation=0"],
        findings: 10,
    },
    Document {
        file: "specs/xenoshyft.endstep",
        scope: &["Troop=0"],
        findings: 20,
    },
];

/// What is found, by fingerprint.
fn found(program: &Program, scope: &[&str]) -> BTreeMap<String, String> {
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
    let findings = results.findings.iter();
    let findings = findings.filter(|finding| finding.code != codes::finding::IDLE);
    findings.map(one).collect()
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

fn before(document: &Document) -> BTreeMap<String, String> {
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

fn each_alone(documents: &[Document]) {
    let mut differ = Vec::new();
    for document in documents {
        let before = before(document);
        for edit in ALL {
            differ.extend(differences(document, &before, &[*edit]));
        }
    }
    assert_none(&differ);
}

fn all_together(documents: &[Document]) {
    assert!(ALL.len() >= 20);
    let mut differ = Vec::new();
    for document in documents {
        differ.extend(differences(document, &before(document), ALL));
    }
    assert_none(&differ);
}

#[test]
fn all_edits_together_keep_every_fingerprint() {
    all_together(&QUICK);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn all_edits_together_keep_every_fingerprint_of_the_large_documents() {
    all_together(&SLOW);
}

#[test]
fn each_edit_alone_keeps_every_fingerprint() {
    each_alone(&QUICK);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn each_edit_alone_keeps_every_fingerprint_of_the_large_documents() {
    each_alone(&SLOW);
}

#[test]
fn what_changes_the_meaning_changes_fingerprints() {
    let document = &QUICK[0];
    let mut texts = Texts::read(document.file);
    let text = texts.root();
    assert!(text.contains("document gu "));
    *text = text.replace("document gu ", "document another ");
    let before = before(document);
    let after = found(&texts.compile().unwrap(), document.scope);
    assert!(before.keys().any(|print| !after.contains_key(print)));
}
