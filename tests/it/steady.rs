//! The documents that are checked quickly keep their fingerprints, whatever edit is made that changes no
//! meaning.

use super::fingerprints::{Document, all_together, before, each_alone, found};
use super::texts::Texts;

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

#[test]
fn all_edits_together_keep_every_fingerprint() {
    all_together(&QUICK);
}

#[test]
fn each_edit_alone_keeps_every_fingerprint() {
    each_alone(&QUICK);
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
