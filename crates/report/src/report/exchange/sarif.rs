//! The report as SARIF 2.1.0, the Static Analysis Results Interchange Format of OASIS.
//!
//! Each finding and each diagnostic is a `result`; its code is a rule, with the texts of the registry of
//! codes. An expected finding is suppressed by something outside of the sources, one that the
//! specification accepts by something in them. The runs of a witness are code flows. What is no
//! result is a notification: open questions, `accept`s that cover nothing, findings that are gone, or that were not
//! found where not everything could be looked at.

use super::record::{Answered, Checked, Fault, Found, Place, Record, Run, Status};
use endstep_language::diag::{Code, Severity};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Where the format is defined.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The name of our fingerprint; the number goes up if it is made in another way.
const FINGERPRINT: &str = "endstep/v1";

/// The report as SARIF.
pub fn sarif(record: &Record) -> Value {
    let rules = rules(record);
    let at = |code: &str| rules.iter().position(|rule| rule.id() == code);
    let mut results = Vec::new();
    for one in &record.specifications {
        results.extend(one.diagnostics.iter().map(|fault| diagnostic(fault, &at)));
        results.extend(one.findings.iter().map(|found| finding(one, found, &at)));
    }
    let (run, configuration) = notifications(record);
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "endstep",
                "version": record.endstep,
                "semanticVersion": record.endstep,
                "shortDescription": { "text": "Verifies rules documents of games" },
                "rules": rules.iter().copied().map(rule).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": record.exit < 3,
                "exitCode": record.exit,
                "toolExecutionNotifications": run,
                "toolConfigurationNotifications": configuration,
            }],
            "results": results,
        }],
    })
}

/// The codes that the report mentions, in order.
fn rules(record: &Record) -> Vec<Code> {
    let specifications = record.specifications.iter();
    let mentioned = specifications.flat_map(|one| {
        let faults = one.diagnostics.iter().map(|fault| fault.code.as_str());
        faults.chain(one.findings.iter().map(|found| found.code.as_str()))
    });
    let codes: BTreeSet<Code> = mentioned.filter_map(Code::find).collect();
    codes.into_iter().collect()
}

fn rule(code: Code) -> Value {
    let explanation = code.explanation();
    let first = explanation.split("\n\n").next().unwrap_or_default();
    let full = first.trim_end_matches(':').replace('\n', " ");
    json!({
        "id": code.id(),
        "name": code.id(),
        "shortDescription": { "text": code.title() },
        "fullDescription": { "text": full },
        "help": { "text": explanation, "markdown": explanation },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn diagnostic(fault: &Fault, at: &dyn Fn(&str) -> Option<usize>) -> Value {
    let place = fault.primary().and_then(|label| label.place());
    let others = fault
        .labels
        .iter()
        .filter(|label| !std::ptr::eq(*label, fault.primary().unwrap_or(label)));
    let others = others.filter_map(|label| Some(location(&label.place()?, Some(&label.text))));
    json!({
        "ruleId": fault.code,
        "ruleIndex": at(&fault.code).map_or(-1, |at| at as i64),
        "level": level(fault.severity),
        "message": { "text": fault.told() },
        "locations": place.iter().map(|place| location(place, None)).collect::<Vec<_>>(),
        "relatedLocations": others.collect::<Vec<_>>(),
    })
}

fn finding(one: &Checked, found: &Found, at: &dyn Fn(&str) -> Option<usize>) -> Value {
    let places = found.places.iter().flatten();
    let others = places.skip(1).map(|place| location(place, None));
    let suppression = match found.status {
        Status::New => None,
        Status::Expected => Some("external"),
        Status::Accepted => Some("inSource"),
    };
    let reason = found.reason.as_deref();
    let justified = |kind| match reason {
        Some(reason) => json!({ "kind": kind, "status": "accepted", "justification": reason }),
        None => json!({ "kind": kind, "status": "accepted" }),
    };
    let runs = found.witness.iter().flat_map(|witness| &witness.runs);
    let clauses = found.clauses.iter().map(
        |clause| json!({ "id": clause.id, "document": clause.document, "locator": clause.locator }),
    );
    json!({
        "ruleId": found.code,
        "ruleIndex": at(&found.code).map_or(-1, |at| at as i64),
        "level": level(found.severity),
        "message": { "text": found.told() },
        "locations": found.place().map(|place| location(place, None)).into_iter().collect::<Vec<_>>(),
        "relatedLocations": others.collect::<Vec<_>>(),
        "partialFingerprints": { FINGERPRINT: found.fingerprint },
        "suppressions": suppression.map(justified).into_iter().collect::<Vec<_>>(),
        "codeFlows": runs.filter_map(|run| flow(run, found.place()?)).collect::<Vec<_>>(),
        "properties": {
            "specification": one.name,
            "verdict": found.verdict,
            "origin": found.origin,
            "basis": found.basis,
            "subject": found.subject,
            "cause": found.cause,
            "clauses": clauses.collect::<Vec<_>>(),
        },
    })
}

/// A run, moment by moment, each at the place in the specification that brings it about. A moment without a place has
/// that of the moment before it, and the first one that of the finding.
fn flow(run: &Run, place: &Place) -> Option<Value> {
    let mut at = place;
    let mut moments = Vec::new();
    for moment in run.trace.as_ref()? {
        at = moment.place.as_ref().unwrap_or(at);
        let told = moment.told();
        if !told.is_empty() {
            moments.push((at, told));
        }
    }
    moments.push((at, format!("=> {}", run.text)));
    let moments = moments.iter();
    let moments = moments.map(|(at, told)| json!({ "location": location(at, Some(told)) }));
    Some(json!({ "threadFlows": [{ "locations": moments.collect::<Vec<_>>() }] }))
}

fn location(place: &Place, message: Option<&str>) -> Value {
    let mut location = json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&place.file) },
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        },
    } });
    if let Some(text) = message.filter(|text| !text.is_empty()) {
        location["message"] = json!({ "text": text });
    }
    location
}

/// A path as a reference: one that is not absolute stays so.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let mut out = match path.starts_with('/') {
        true => "file://".to_owned(),
        false => String::new(),
    };
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// What is to be said of the run: open questions, findings that are gone; and of what it was told:
/// `accept`s that cover nothing.
fn notifications(record: &Record) -> (Vec<Value>, Vec<Value>) {
    let note = |level: &str, text: String, place: Option<&Place>| {
        let locations = place.map(|place| location(place, None));
        json!({
            "level": level,
            "message": { "text": text },
            "locations": locations.into_iter().collect::<Vec<_>>(),
        })
    };
    let (mut run, mut configuration) = (Vec::new(), Vec::new());
    for one in &record.specifications {
        let open = one.answers.iter().filter(|answer| answer.is_unknown());
        let told = |answer: &Answered| format!("not answered: {}", answer.told());
        run.extend(open.map(|answer| note("warning", told(answer), answer.place.as_ref())));
        let gone = one.vanished.iter();
        let told = |told: String| format!("{}: {told}", one.name);
        run.extend(gone.map(|gone| note("warning", told(gone.told()), None)));
        let unfound = one.restricted().into_iter().chain(one.unfound_told());
        run.extend(unfound.map(|unfound| note("note", told(unfound), None)));
        let unused = one.unused_accepts.iter();
        configuration
            .extend(unused.map(|unused| note("warning", unused.told(), unused.place.as_ref())));
    }
    (run, configuration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("specs/game.endstep"), "specs/game.endstep");
        assert_eq!(uri("./a b#c.endstep"), "a%20b%23c.endstep");
        assert_eq!(uri("C:\\x"), "C%3A/x");
        assert_eq!(uri("/games/ü"), "file:///games/%C3%BC");
        assert_eq!(uri("<standard input>"), "%3Cstandard%20input%3E");
    }
}
