//! The tests that take minutes without optimisation: `cargo test --release -p endstep-long`.
//!
//! What they share with the other tests is in the folder of those.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../it/counted.rs"]
mod counted;
#[path = "../it/fingerprints/mod.rs"]
mod fingerprints;
#[allow(dead_code, reason = "the other tests need more of it")]
#[path = "../it/texts.rs"]
mod texts;

use counted::is;
use fingerprints::{Document, all_together, each_alone};

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const APEX_PREDATOR: Document = Document {
    file: "specs/apex-predator.endstep",
    scope: &["Card=1"],
    findings: 10,
};

const PRICE_OF_POWER: Document = Document {
    file: "specs/price-of-power.endstep",
    scope: &["Marker=1", "Realm=1", "Card=0", "Area=0", "Nation=0"],
    findings: 10,
};

const XENOSHYFT: Document = Document {
    file: "specs/xenoshyft.endstep",
    scope: &["Troop=0"],
    findings: 20,
};

#[test]
fn all_edits_together_keep_every_fingerprint() {
    all_together(&[APEX_PREDATOR, PRICE_OF_POWER, XENOSHYFT]);
}

#[test]
fn each_edit_alone_keeps_every_fingerprint_of_apex_predator() {
    each_alone(&[APEX_PREDATOR]);
}

#[test]
fn each_edit_alone_keeps_every_fingerprint_of_price_of_power() {
    each_alone(&[PRICE_OF_POWER]);
}

#[test]
fn each_edit_alone_keeps_every_fingerprint_of_xenoshyft() {
    each_alone(&[XENOSHYFT]);
}

/// 8^7 states.
#[test]
fn seven_counters() {
    is("counters_7", None, (2_097_152, 14_680_064, 0));
}

/// Model Checking Contest, Kanban-PT-00005.
#[test]
fn kanban_of_five_cards() {
    is("kanban", Some("five"), (2_546_432, 24_460_016, 0));
}
