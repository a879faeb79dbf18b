//! What is reported about random specifications: every witness survives a file and
//! replays, no two findings of a report have one fingerprint, the report fits its
//! schema, and the same specification gives the same bytes.
//!
//! `CASES=2000 cargo test --release reports_of_what_is_made` looks at more.

use super::{made, sample};
use crate::schema;
use endstep::analysis::{Limits, Options};
use endstep::driver;
use endstep::report::{SCHEMA_VERSION, Sheet, Style, check_json, check_text};
use endstep::source::SourceMap;
use endstep::syntax::{parse, print};
use endstep::typing::program::Program;
use endstep::verdict::{Results, fingerprint};
use endstep::witness::{from_json, replay, to_json};
use serde_json::json;
use std::collections::BTreeSet;

fn options() -> Options {
    Options {
        limits: Limits {
            boards: 30,
            candidates: 300,
            states: 150,
            readings: 16,
            steps: 30_000,
        },
        ..Options::default()
    }
}

/// The report as JSON and as text, and what it rests on.
fn report(text: &str) -> (String, String, Program, Results) {
    let mut sources = SourceMap::new();
    let id = sources.load("made", text.as_bytes()).unwrap();
    let (program, _) = endstep::typing::check(&[parse(id, text).file]);
    let program = program.unwrap();
    let checked = driver::check(
        &program,
        (&options(), driver::Engine::default()),
        None,
        &mut |_| {},
    );
    let sheet = Sheet {
        name: "made",
        sources: &sources,
        program: &program,
        results: &checked.results,
        standings: &checked.judged.standings,
        vanished: &checked.judged.vanished,
        unused: &checked.judged.unused,
        unfound: &checked.judged.unfound,
        policy: Default::default(),
        restrictions: &[],
        saved: None,
        reread: None,
    };
    let mut value = check_json(sheet);
    value["compiled"] = json!(true);
    value["diagnostics"] = json!([]);
    let all = json!({
        "version": SCHEMA_VERSION,
        "endstep": "0",
        "exit": 0,
        "policy": { "fail_on": "warning", "vanished_fails": true },
        "specifications": [value],
    });
    let shown = check_text(sheet, Style::default());
    (all.to_string(), shown, program, checked.results)
}

#[test]
fn reports_of_what_is_made() {
    let cases = std::env::var("CASES").map_or(100, |cases| cases.parse().unwrap());
    let mut witnesses = 0;
    for bytes in sample(cases, 512) {
        let text = print(&made(&bytes));
        let (json, shown, program, results) = report(&text);
        let again = report(&text);
        assert_eq!((&json, &shown), (&again.0, &again.1), "{text}");
        let found = schema::misfits_of_report(&serde_json::from_str(&json).unwrap());
        assert!(found.is_empty(), "{}\n{text}", found.join("\n"));
        let mut prints = BTreeSet::new();
        for finding in &results.findings {
            let print = fingerprint(&program, finding);
            let name = format!("{} {}", finding.code, finding.subject);
            assert!(
                prints.insert(print),
                "{name}: its fingerprint is not its own\n{text}"
            );
            let Some(witness) = &finding.witness else {
                continue;
            };
            witnesses += 1;
            let saved = to_json(&program, witness);
            let read = from_json(&program, &saved);
            let read = read.unwrap_or_else(|why| panic!("{name}: {why}\n{saved}\n{text}"));
            assert!(
                read == *witness,
                "{name} changes in a file\n{saved}\n{text}"
            );
            let replayed = replay(&program, &read);
            assert!(
                replayed.is_ok(),
                "{name}: {:?}\n{saved}\n{text}",
                replayed.err()
            );
        }
    }
    assert!(witnesses >= cases / 10, "only {witnesses} witnesses");
}
