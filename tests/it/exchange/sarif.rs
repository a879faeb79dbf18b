//! SARIF reports fit the schema of OASIS, and have what the JSON report has.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;

use super::{all, check, check_json, each, folders};

fn validator() -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/sarif-2.1.0.schema.json");
    let mut schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    // The pattern of `language`, which we never write, is no regular expression: it has a lone `]`.
    for owner in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][owner]["properties"]["language"];
        assert!(
            language
                .as_object_mut()
                .unwrap()
                .remove("pattern")
                .is_some()
        );
    }
    let options = jsonschema::options().should_validate_formats(true);
    options.build(&schema).unwrap()
}

#[test]
fn sarif_reports_fit_the_schema_and_lose_nothing() {
    let validator = validator();
    let mut seen = std::collections::BTreeSet::new();
    for folder in folders() {
        let sarif: Value = serde_json::from_str(&check(&folder, "sarif")).unwrap();
        let wrong: Vec<String> = validator
            .iter_errors(&sarif)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(
            wrong.is_empty(),
            "{}:\n{}",
            folder.display(),
            wrong.join("\n")
        );
        let report = check_json(&folder);
        let run = &sarif["runs"][0];
        let results: Vec<&Value> = all(run, "results").collect();
        let (faults, findings) = (each(&report, "diagnostics"), each(&report, "findings"));
        assert_eq!(results.len(), faults.len() + findings.len());
        for result in &results {
            let rule =
                &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(rule["help"]["text"].as_str().unwrap().len() > 60);
        }
        for finding in findings {
            let print = &finding["fingerprint"];
            let is_it = |one: &&&Value| {
                one["partialFingerprints"]["endstep/v1"] == *print
                    && one["properties"]["specification"].is_string()
                    && one["ruleId"] == finding["code"]
            };
            let result = results.iter().find(is_it).unwrap();
            let kinds: Vec<&Value> = all(result, "suppressions")
                .map(|one| &one["kind"])
                .collect();
            let expected = match finding["status"].as_str().unwrap() {
                "new" => vec![],
                "expected" => vec!["external"],
                _ => vec!["inSource"],
            };
            assert_eq!(kinds, expected);
            seen.extend(expected);
            let place = &finding["places"][0];
            let region = &result["locations"][0]["physicalLocation"];
            assert_eq!(region["region"]["startLine"], place["line"]);
            assert_eq!(region["artifactLocation"]["uri"], place["file"]);
            let runs = all(&finding["witness"], "runs").count();
            assert_eq!(all(result, "codeFlows").count(), runs);
        }
        let invocation = &run["invocations"][0];
        assert_eq!(invocation["exitCode"], report["exit"]);
        let open = each(&report, "answers").into_iter();
        let open = open.filter(|one| one["verdict"] == "unknown").count();
        let gone = each(&report, "vanished").len();
        let told = all(invocation, "toolExecutionNotifications").count();
        assert_eq!(told, open + gone);
        let unused = each(&report, "unused_accepts").len();
        assert_eq!(
            all(invocation, "toolConfigurationNotifications").count(),
            unused
        );
        seen.extend((open > 0).then_some("open"));
        seen.extend((gone > 0).then_some("gone"));
        seen.extend((unused > 0).then_some("unused"));
        seen.extend((!faults.is_empty()).then_some("faults"));
    }
    let wanted = ["external", "faults", "gone", "inSource", "open", "unused"];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), wanted);
}

#[test]
fn the_validator_sees_what_does_not_fit() {
    let validator = validator();
    let good = json!({ "version": "2.1.0", "runs": [] });
    assert!(validator.is_valid(&good));
    assert!(!validator.is_valid(&json!({ "version": "2.0.0", "runs": [] })));
    let message = json!({ "message": { "text": "x" }, "level": "bad" });
    let run = json!({ "tool": { "driver": { "name": "x" } }, "results": [message] });
    assert!(!validator.is_valid(&json!({ "version": "2.1.0", "runs": [run] })));
}
