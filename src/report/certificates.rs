//! What is proved, as questions that another solver can answer, with a list of them.
//!
//! ```text
//! manifest.json       what each question shows, and by which argument
//! 001-1.smt2          the first question of the first proof
//! ```

use serde_json::{Value, json};

use super::matrix::OrderSheet;
use crate::order::{Evidence, proof_of};
use crate::smt;
use crate::verdict::{Outcome, Proof};

/// The version of the list.
const MANIFEST_VERSION: u32 = 1;

/// By which argument pairs make orders irrelevant.
const ARGUMENT: &str = "adjacent transpositions";

/// The same in words.
const THEOREM: &str = "Every order of finitely many things is made from every other by exchanging neighbours. \
If any two can change places from all data, and how a run ends counts as data from which nothing more is done, \
all orders come to the same. Each question asks for data from which two orders of two things differ, or on which \
the terms would not mean what the rules do; there are none if the answer is unsat.";

/// A file by name, and what stands in it.
pub type Named = (String, String);

/// The questions of all pairs that are proved, and the list of them, which is the last.
pub fn certificates(sheet: OrderSheet<'_>, proofs: &[Proof]) -> Vec<Named> {
    let mut files = Vec::new();
    let mut listed: Vec<Value> = Vec::new();
    for point in &sheet.matrix.points {
        for row in &point.rows {
            let Some(Outcome::Proved(questions)) = proof_of(point.at, row.pair, proofs) else {
                continue;
            };
            if row.evidence != Evidence::Proved {
                continue;
            }
            let number = listed.len() + 1;
            let mut names = Vec::new();
            for (at, question) in questions.iter().enumerate() {
                let name = format!("{number:03}-{}.smt2", at + 1);
                names.push(json!({ "file": name, "expected": "unsat" }));
                files.push((name, question.clone()));
            }
            listed.push(json!({
                "pair": sheet.pair(point.at, row.pair),
                "of": sheet.at(point.at),
                "argument": ARGUMENT,
                "questions": names,
            }));
        }
    }
    let manifest = json!({
        "schema": "endstep certificates",
        "version": MANIFEST_VERSION,
        "game": sheet.program.game,
        "solver": format!("Z3 {}", smt::version()),
        "theorem": THEOREM,
        "proofs": listed,
    });
    let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
    files.push(("manifest.json".to_owned(), format!("{text}\n")));
    files
}
