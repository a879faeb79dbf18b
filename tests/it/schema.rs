//! The JSON report fits its schema. The validator knows the keywords that the
//! schema uses and refuses any other, so that nothing is silently unchecked.

use endstep::report::ORDER_VERSION;
use endstep::report::diagram::{Cycle, Diagram, Edge, GRAPH_VERSION, Group, Link, Node, Shape};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What of a value does not fit a schema.
fn misfits(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let mut wrong = |why: String| found.push(format!("{at}: {why}"));
    for (keyword, expected) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" => {}
            "type" if !types(expected).iter().any(|one| has_type(one, value)) => {
                wrong(format!("expected {expected}, found {value}"));
            }
            "const" if expected != value => wrong(format!("expected {expected}, found {value}")),
            "enum" if !expected.as_array().unwrap().contains(value) => {
                wrong(format!("expected one of {expected}, found {value}"));
            }
            "minimum" if value.is_number() && value.as_i64() < expected.as_i64() => {
                wrong(format!("expected at least {expected}, found {value}"));
            }
            "pattern" if !matches_pattern(expected.as_str().unwrap(), value) => {
                wrong(format!("expected {expected}, found {value}"));
            }
            "required" if value.is_object() => {
                for name in expected.as_array().unwrap() {
                    if value.get(name.as_str().unwrap()).is_none() {
                        wrong(format!("{name} is not there"));
                    }
                }
            }
            "type" | "const" | "enum" | "minimum" | "pattern" | "required" => {}
            "$ref" | "properties" | "additionalProperties" | "items" => {}
            "anyOf" => {
                let fits = |schema: &Value| {
                    let mut found = Vec::new();
                    misfits(root, schema, value, at, &mut found);
                    found.is_empty()
                };
                if !expected.as_array().unwrap().iter().any(fits) {
                    wrong(format!("fits none of {expected}"));
                }
            }
            other => panic!("the validator does not know `{other}`"),
        }
    }
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.strip_prefix('#').unwrap()).unwrap();
        misfits(root, target, value, at, found);
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        if schema.get("items").is_some() {
            misfits(
                root,
                &schema["items"],
                item,
                &format!("{at}[{index}]"),
                found,
            );
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        match (
            schema["properties"].get(name),
            &schema["additionalProperties"],
        ) {
            (Some(inner), _) => misfits(root, inner, member, &at, found),
            (None, Value::Bool(false)) => found.push(format!("{at}: not in the schema")),
            (None, inner @ Value::Object(_)) => misfits(root, inner, member, &at, found),
            (None, _) => {}
        }
    }
}

fn types(expected: &Value) -> Vec<&str> {
    match expected {
        Value::Array(all) => all.iter().map(|one| one.as_str().unwrap()).collect(),
        one => vec![one.as_str().unwrap()],
    }
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the validator does not know the type `{other}`"),
    }
}

/// The patterns of the schema; they are about texts alone.
fn matches_pattern(pattern: &str, value: &Value) -> bool {
    let Some(text) = value.as_str() else {
        return true;
    };
    match pattern {
        "^[EWF][0-9]{4}$" => {
            let (family, number) = text.split_at(1);
            "EWF".contains(family) && number.len() == 4 && number.parse::<u16>().is_ok()
        }
        "^[0-9a-f]{16}$" | "^[0-9a-f]{32}$" => {
            text.len() == if pattern.contains("16") { 16 } else { 32 }
                && text
                    .bytes()
                    .all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
        }
        other => panic!("the validator does not know the pattern `{other}`"),
    }
}

/// What of a report does not fit the schema.
pub(crate) fn misfits_of_report(report: &Value) -> Vec<String> {
    misfits_of("docs/check.schema.json", report)
}

/// What of a value does not fit the schema in a file.
pub(crate) fn misfits_of(path: &str, value: &Value) -> Vec<String> {
    let schema = schema_at(path);
    let mut found = Vec::new();
    misfits(&schema, &schema, value, "report", &mut found);
    found
}

fn schema() -> Value {
    schema_at("docs/check.schema.json")
}

fn schema_at(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn report(path: &Path) -> Value {
    let output = crate::endstep()
        .args(["check", "--format", "json"])
        .arg(path)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}: {error}", path.display()))
}

/// The specifications in a folder; of the corpus, those that are checked in no time.
fn specifications(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let large = ["passages", "typing"];
        if path.is_dir() && !large.iter().any(|name| path.ends_with(name)) {
            specifications(&path, found);
        } else if path.extension().is_some_and(|end| end == "endstep") {
            found.push(path);
        }
    }
}

#[test]
fn reports_fit_the_schema() {
    let schema = schema();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut paths = Vec::new();
    specifications(&tests.join("cli/check.in"), &mut paths);
    specifications(&tests.join("corpus"), &mut paths);
    let (mut findings, mut runs) = (0, 0);
    for path in &paths {
        let report = report(path);
        let mut found = Vec::new();
        misfits(&schema, &schema, &report, "report", &mut found);
        assert!(
            found.is_empty(),
            "{}:\n{}",
            path.display(),
            found.join("\n")
        );
        for finding in report["specifications"][0]["findings"]
            .as_array()
            .into_iter()
            .flatten()
        {
            findings += 1;
            runs += finding["witness"]["runs"].as_array().map_or(0, Vec::len);
        }
    }
    assert!(
        findings >= 10 && runs >= 10,
        "{findings} findings, {runs} runs"
    );
}

#[test]
fn reports_of_campaigns_fit_the_schema() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for path in ["cli/fuzz.in/duel.endstep", "cli/check.in/loop.endstep"] {
        let output = crate::endstep()
            .args(["fuzz", "--runs", "200", "--jobs", "1", "--format", "json"])
            .arg(tests.join(path))
            .output()
            .unwrap();
        let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(misfits_of_report(&report), Vec::<String>::new(), "{path}");
        let sampled = &mut report["specifications"][0]["sampled"];
        assert!(sampled["runs"].as_u64() >= Some(200), "{path}: {sampled}");
        // Few campaigns leave anything open, so that is looked at here.
        let suspected = |kind: &str| json!([{ "sequence": "play", "kind": kind, "text": "a run" }]);
        sampled["suspected"] = suspected("loop");
        assert_eq!(misfits_of_report(&report), Vec::<String>::new());
        report["specifications"][0]["sampled"]["suspected"] = suspected("feeling");
        assert_eq!(misfits_of_report(&report).len(), 1);
    }
}

#[test]
fn the_validator_sees_what_does_not_fit() {
    let schema = schema();
    let refuses = |value: Value| {
        let mut found = Vec::new();
        misfits(&schema, &schema, &value, "report", &mut found);
        found.len()
    };
    let good = json!({
        "version": 1,
        "endstep": "0",
        "exit": 0,
        "policy": { "fail_on": "warning", "vanished_fails": true },
        "specifications": [],
    });
    assert_eq!(refuses(good.clone()), 0);
    for (member, wrong) in [
        ("version", json!(2)),
        ("exit", json!(-1)),
        ("endstep", json!(null)),
        ("more", json!(0)),
        (
            "specifications",
            json!([{ "name": "x", "compiled": 1, "diagnostics": [] }]),
        ),
    ] {
        let mut value = good.clone();
        value[member] = wrong;
        assert_eq!(refuses(value), 1, "{member}");
    }
}

#[test]
fn graphs_fit_their_schema() {
    let schema = schema_at("docs/graph.schema.json");
    assert_eq!(schema["properties"]["version"]["const"], GRAPH_VERSION);
    let shapes = [
        Shape::Step,
        Shape::Event,
        Shape::Trigger,
        Shape::Place,
        Shape::Clause,
    ];
    let cycles = [
        Cycle::None,
        Cycle::Possible,
        Cycle::Cleared,
        Cycle::Confirmed,
    ];
    let nodes = shapes.iter().enumerate().map(|(at, &shape)| Node {
        more: Vec::new(),
        given: false,
        key: format!("key {at}"),
        label: "a label".to_owned(),
        shape,
        group: (at == 0).then_some(0),
        cycle: cycles[at % 4],
    });
    let edges = Link::ALL.iter().map(|&link| Edge {
        places: 1,
        from: 0,
        to: 1,
        link,
        labels: vec!["a field".to_owned()],
        cycle: Cycle::None,
    });
    let graph = Diagram {
        title: "a graph".to_owned(),
        legend: vec![(Link::Feeds, "a meaning".to_owned())],
        groups: vec![Group {
            name: "a group".to_owned(),
            remark: String::new(),
            is_part: false,
        }],
        nodes: nodes.collect(),
        edges: edges.collect(),
        notes: vec!["a note".to_owned()],
        restrictions: vec!["--reading r=a".to_owned()],
        only_claims: false,
    };
    let mut value = graph.json();
    let mut found = Vec::new();
    misfits(&schema, &schema, &value, "graph", &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
    value["edges"][0]["link"] = json!("leads");
    misfits(&schema, &schema, &value, "graph", &mut found);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn order_matrices_fit_their_schema() {
    let schema = schema_at("docs/order.schema.json");
    assert_eq!(schema["properties"]["version"]["const"], ORDER_VERSION);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, more) in [
        ("specs/gods-unchained.endstep", "--no-check"),
        ("specs/price-of-power.endstep", "--no-check"),
        ("tests/cli/order.in/sweep.endstep", "--threads=1"),
    ] {
        let output = crate::endstep()
            .args(["order", "--format", "json", more])
            .arg(root.join(file))
            .output()
            .unwrap();
        let mut value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut found = Vec::new();
        misfits(&schema, &schema, &value, "order", &mut found);
        assert!(found.is_empty(), "{}", found.join("\n"));
        value["points"][0]["settled"] = json!("perhaps");
        misfits(&schema, &schema, &value, "order", &mut found);
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

/// The names of all members that a schema knows.
fn members<'a>(schema: &'a Value, found: &mut BTreeSet<&'a str>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        found.extend(properties.keys().map(String::as_str));
    }
    match schema {
        Value::Object(members_of) => members_of.values().for_each(|inner| members(inner, found)),
        Value::Array(items) => items.iter().for_each(|inner| members(inner, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// `python/test-wheel` makes the classes anew and compares them; that takes minutes, and this tells at once.
#[test]
fn the_classes_in_python_have_the_members_of_the_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let schema = fs::read_to_string(root.join("docs/check.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let classes = fs::read_to_string(root.join("python/endstep/results.py")).unwrap();
    let mut wanted = BTreeSet::new();
    members(&schema, &mut wanted);
    let absent: Vec<&str> = wanted
        .into_iter()
        .filter(|name| {
            !classes
                .lines()
                .any(|line| line.trim_start().starts_with(&format!("{name}:")))
        })
        .collect();
    assert!(
        absent.is_empty(),
        "{absent:?}: run python/make-results (python/requirements.txt has what it needs)"
    );
}
