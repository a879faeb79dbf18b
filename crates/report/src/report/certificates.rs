//! What is proved, as questions that another solver can answer, with a list of them.
//!
//! ```text
//! manifest.json       what each question shows, by which argument, and what that rests on
//! 001-1.smt2          the first question of the first proof
//! ```
//!
//! A question that several proofs need is written once.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Sheet;
use super::matrix::OrderSheet;
use super::verdict::question;
use super::words::Words;
use endstep_language::typing::program::Program;
use endstep_verdicts::order::{Evidence, proof_of};
use endstep_verdicts::verdict::{Argument, Outcome, Proof};

/// The version of the list.
const MANIFEST_VERSION: u32 = 2;

/// A file by name, and what stands in it.
pub type Named = (String, String);

/// Proofs that are listed.
#[derive(Default)]
struct Listed<'a> {
    files: Vec<Named>,
    names: BTreeMap<&'a str, String>,
    proofs: Vec<Value>,
}

impl<'a> Listed<'a> {
    fn add(&mut self, proof: Value, argument: &Argument, questions: &'a [String]) {
        let number = self.proofs.len() + 1;
        let mut names = Vec::new();
        for (at, question) in questions.iter().enumerate() {
            let files = &mut self.files;
            let name = self.names.entry(question).or_insert_with(|| {
                let name = format!("{number:03}-{}.smt2", at + 1);
                files.push((name.clone(), question.clone()));
                name
            });
            names.push(json!({ "file": name, "expected": "unsat" }));
        }
        let mut proof = proof;
        proof["argument"] = json!(argument.name());
        proof["theorem"] = json!(argument.theorem());
        proof["questions"] = json!(names);
        self.proofs.push(proof);
    }

    fn finish(mut self, program: &Program, solver: &str) -> Vec<Named> {
        let manifest = json!({
            "schema": "endstep certificates",
            "version": MANIFEST_VERSION,
            "game": program.game,
            "solver": solver,
            "proofs": self.proofs,
        });
        let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
        let name = "manifest.json".to_owned();
        self.files.push((name, format!("{text}\n")));
        self.files
    }
}

/// The questions of all pairs that are proved, and the list of them, which is the last and names the `solver`.
pub fn certificates(sheet: OrderSheet<'_>, proofs: &[Proof], solver: &str) -> Vec<Named> {
    let mut listed = Listed::default();
    for point in &sheet.matrix.points {
        for row in &point.rows {
            let Some(Outcome::Proved(questions)) = proof_of(point.at, row.pair, proofs) else {
                continue;
            };
            if row.evidence == Evidence::Proved {
                let of = json!({
                    "claim": format!("{} can change places", sheet.pair(point.at, row.pair)),
                    "of": sheet.at(point.at),
                });
                listed.add(of, &Argument::Exchange, questions);
            }
        }
    }
    listed.finish(sheet.program, solver)
}

/// The questions of all answers that are proved, and the list of them, which is the last and names the `solver`.
pub fn answer_certificates(sheet: Sheet<'_>, solver: &str) -> Vec<Named> {
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let mut listed = Listed::default();
    for answer in &sheet.results.answers {
        if let Some(proof) = &answer.proof {
            let of = json!({
                "claim": question(words, answer.subject),
                "because": proof.argument.words(),
            });
            listed.add(of, &proof.argument, &proof.questions);
        }
    }
    listed.finish(sheet.program, solver)
}
