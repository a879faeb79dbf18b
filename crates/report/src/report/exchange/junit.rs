//! The report as JUnit XML, in the dialect of Jenkins (`junit-4.xsd` of its test formats).
//!
//! A specification is a suite. It has a case for being read at all, one for each question, whether the
//! author asked it or not, and one for each kind of finding, for those that answer no question:
//!
//! ```text
//! <testcase classname="game.endstep" name="claim any_order" file="game.endstep">
//!   <failure type="F0610" message="a claim of the document is not true">The document says …</failure>
//! </testcase>
//! <testcase classname="game.endstep" name="F0302 a rule cannot be followed"/>
//! ```
//!
//! So names stay from check to check, and a board of results shows since when something fails. What is
//! expected, accepted or only a note passes, and is told in `system-out`. What a limit kept from being
//! answered is skipped, and so is each kind of finding of which not everything was looked at, unless one fails, a
//! question whose finding is not shown, and the list of what is expected where it was not compared.

use super::record::{Answered, Checked, Fault, Found, Record, Status};
use crate::report::Policy;
use endstep_language::diag::{Code, Severity};

/// The report as JUnit XML.
pub fn junit(record: &Record) -> String {
    let suites: Vec<(&Checked, Vec<Case>)> = record
        .specifications
        .iter()
        .map(|one| (one, cases(one, record.policy)))
        .collect();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all = suites.iter().flat_map(|(_, cases)| cases);
    let counts = Counts::of(all);
    let Counts {
        tests,
        failures,
        errors,
        ..
    } = counts;
    out.push_str(&format!(
        "<testsuites name=\"endstep\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">\n"
    ));
    for (one, cases) in &suites {
        let name = escape(&one.name);
        let Counts {
            tests,
            failures,
            errors,
            skipped,
        } = Counts::of(cases.iter());
        out.push_str(&format!(
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
             skipped=\"{skipped}\">\n"
        ));
        for case in cases {
            out.push_str(&case.xml(&name));
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// How many cases came out how.
#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl Counts {
    fn of<'c>(cases: impl Iterator<Item = &'c Case>) -> Self {
        let mut counts = Self::default();
        for case in cases {
            counts.tests += 1;
            counts.failures += usize::from(case.has("failure"));
            counts.errors += usize::from(case.has("error"));
            counts.skipped += usize::from(case.has("skipped"));
        }
        counts
    }
}

/// A case: a name, a file, and what is told of it.
struct Case {
    name: String,
    file: Option<String>,
    /// In the order that the dialect asks for: `skipped`, `error`, `failure`, `system-out`.
    told: Vec<Element>,
}

/// An element with a text.
struct Element {
    element: &'static str,
    /// `type` and `message` of errors and failures.
    head: Option<(String, String)>,
    text: String,
}

impl Case {
    fn has(&self, element: &str) -> bool {
        self.told.iter().any(|told| told.element == element)
    }

    fn xml(&self, suite: &str) -> String {
        let file = self.file.as_deref().map(escape);
        let file = file.map_or_else(String::new, |file| format!(" file=\"{file}\""));
        let head = format!(
            "    <testcase classname=\"{suite}\" name=\"{}\"{file}",
            escape(&self.name)
        );
        if self.told.is_empty() {
            return format!("{head}/>\n");
        }
        let mut out = format!("{head}>\n");
        for told in &self.told {
            let attributes = told
                .head
                .as_ref()
                .map_or_else(String::new, |(kind, message)| {
                    format!(" type=\"{}\" message=\"{}\"", escape(kind), escape(message))
                });
            let (element, text) = (told.element, escape(&told.text));
            out.push_str(&format!(
                "      <{element}{attributes}>{text}</{element}>\n"
            ));
        }
        out.push_str("    </testcase>\n");
        out
    }
}

fn cases(one: &Checked, policy: Policy) -> Vec<Case> {
    let mut cases = vec![reading(one)];
    if !one.compiled {
        return cases;
    }
    cases.extend(
        one.answers
            .iter()
            .map(|answer| question(one, answer, policy)),
    );
    let answers = |found: &Found| {
        let mut all = one.answers.iter().flat_map(|answer| &answer.findings);
        all.any(|print| *print == found.fingerprint)
    };
    for code in Code::all().filter(|code| code.id().starts_with('F')) {
        let of_code = |found: &&Found| found.code == code.id() && !answers(found);
        let found: Vec<&Found> = one.findings.iter().filter(of_code).collect();
        let fails = found.iter().any(|found| found.fails(policy));
        let left_out = one.left_out(code).filter(|_| !fails);
        cases.push(Case {
            name: format!("{} {}", code.id(), code.title()),
            file: found
                .iter()
                .find_map(|found| Some(found.place()?.file.clone())),
            told: left_out
                .map(skipped)
                .into_iter()
                .chain(told(&found, policy))
                .collect(),
        });
    }
    cases.push(list(one, policy));
    cases
}

/// Whether the specification can be read.
fn reading(one: &Checked) -> Case {
    let errors = one
        .diagnostics
        .iter()
        .filter(|fault| fault.severity == Severity::Error);
    let others = one
        .diagnostics
        .iter()
        .filter(|fault| fault.severity != Severity::Error);
    let errors = errors.map(|fault| Element {
        element: "error",
        head: Some((fault.code.clone(), fault.message.clone())),
        text: format!("{}{}", at(fault), fault.told()),
    });
    let others = others.map(|fault| {
        let text = format!("{} {}{}", fault.code, at(fault), fault.told());
        output(text)
    });
    Case {
        name: "the specification can be read".to_owned(),
        file: Some(one.name.clone()),
        told: errors.chain(others).collect(),
    }
}

/// `game.endstep:3:6: `, if it is about a place.
fn at(fault: &Fault) -> String {
    let place = fault.primary().and_then(|label| label.place());
    place.map_or_else(String::new, |at| {
        format!("{}:{}:{}: ", at.file, at.line, at.column)
    })
}

fn skipped(text: String) -> Element {
    Element {
        element: "skipped",
        head: None,
        text,
    }
}

fn output(text: String) -> Element {
    Element {
        element: "system-out",
        head: None,
        text,
    }
}

/// The case of a question. Its name does not depend on lines.
fn question(one: &Checked, answer: &Answered, policy: Policy) -> Case {
    let is_about = |found: &&Found| answer.findings.contains(&found.fingerprint);
    let found: Vec<&Found> = one.findings.iter().filter(is_about).collect();
    let mut all = Vec::new();
    if answer.is_unknown() {
        let limits = answer.limits.join("; ");
        all.push(skipped(format!("not answered: {limits}")));
    }
    all.extend(one.kept_back(answer).map(skipped));
    all.extend(told(&found, policy));
    all.extend(answer.caveat.clone().map(output));
    Case {
        name: question_name(one, answer),
        file: answer.place.as_ref().map(|place| place.file.clone()),
        told: all,
    }
}

/// The kind and the subject of a question; in which sequence, if the same is asked of several. What the document does
/// not claim, but its author asks, is a question.
fn question_name(one: &Checked, answer: &Answered) -> String {
    let is_asked = answer.kind == "claim" && answer.text.starts_with("question ");
    let kind = if is_asked { "question" } else { &answer.kind };
    let name = format!("{kind} {}", answer.subject);
    let about = |one: &Answered| (one.kind.clone(), one.subject.clone());
    let mut others = one.answers.iter();
    let is_shared =
        others.any(|other| about(other) == about(answer) && other.sequence != answer.sequence);
    match &answer.sequence {
        Some(sequence) if is_shared => format!("{name} in {sequence}"),
        _ => name,
    }
}

/// Failures first, then what is told of those that do not fail.
fn told(all: &[&Found], policy: Policy) -> Vec<Element> {
    let failing = all.iter().filter(|found| found.fails(policy));
    let failing = failing.map(|found| Element {
        element: "failure",
        head: Some((found.code.clone(), found.title.clone())),
        text: body(found),
    });
    let passing = all.iter().filter(|found| !found.fails(policy));
    let passing = passing.map(|found| {
        let reason = found.reason.as_ref();
        let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
        let standing = match found.status {
            Status::New => "note",
            Status::Expected => "expected",
            Status::Accepted => "accepted",
        };
        output(format!(
            "{} {standing}{reason}: {}",
            found.code,
            body(found)
        ))
    });
    failing.chain(passing).collect()
}

fn body(found: &Found) -> String {
    let place = found.place().map_or_else(String::new, |at| {
        format!("\nat: {}:{}:{}", at.file, at.line, at.column)
    });
    format!(
        "{}{place}\nfingerprint: {}",
        found.told(),
        found.fingerprint
    )
}

/// Whether what is expected and accepted is still so.
fn list(one: &Checked, policy: Policy) -> Case {
    let gone = one.vanished.iter().map(|gone| {
        let text = format!("{}\nfingerprint: {}", gone.told(), gone.fingerprint);
        match policy.vanished_fails {
            true => failure("vanished", text),
            false => output(text),
        }
    });
    let unused = one.unused_accepts.iter();
    let unused = unused.map(|unused| failure("unused accept", unused.told()));
    let mut told: Vec<Element> = gone.chain(unused).collect();
    told.sort_by_key(|told| told.element != "failure");
    let unfound = one.unfound_told();
    if told.is_empty()
        && let Some(why) = one.restricted()
    {
        told.push(skipped(why));
    } else if told.is_empty() && !unfound.is_empty() {
        told.push(skipped(unfound.join("\n")));
    } else {
        told.extend(unfound.into_iter().map(output));
    }
    Case {
        name: "what is expected and accepted is still found".to_owned(),
        file: Some(one.name.clone()),
        told,
    }
}

fn failure(kind: &str, text: String) -> Element {
    let message = text.lines().next().unwrap_or_default().to_owned();
    Element {
        element: "failure",
        head: Some((kind.to_owned(), message)),
        text,
    }
}

/// Text as XML has it; what XML cannot hold is replaced.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // As they are, attributes would lose them.
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_survive_as_xml() {
        assert_eq!(
            escape("a<b & \"c\">\n\u{1b}"),
            "a&lt;b &amp; &quot;c&quot;&gt;&#10;\u{fffd}"
        );
    }
}
