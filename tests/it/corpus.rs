//! Runs every specification of `tests/corpus` and compares what is found with what it expects.
//!
//! The format is documented in `tests/corpus/README.md`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use endstep::analysis::Options;
use endstep::diag::{Diagnostic, Severity};
use endstep::exhaust::check;
use endstep::source::SourceMap;
use endstep::typing::program::Program;
use endstep::verdict::{Question, Results, Verdict, fingerprint};
use endstep::witness::{from_json, replay, site_path, step_path, to_json};

/// What a file expects.
#[derive(Debug, Default)]
struct Expected {
    findings: BTreeSet<String>,
    answers: Vec<(String, String)>,
    values: Vec<(i64, String)>,
    errors: BTreeSet<String>,
    quiet: BTreeSet<String>,
    states: Option<usize>,
}

fn expected(text: &str) -> Expected {
    let mut expected = Expected::default();
    for line in text.lines() {
        let Some(line) = line.strip_prefix("-- ") else {
            continue;
        };
        let Some((word, rest)) = line.split_once(": ") else {
            continue;
        };
        let rest = rest.trim();
        match word {
            "finding" => {
                expected.findings.insert(rest.to_owned());
            }
            "answer" => {
                let (verdict, question) = rest.split_once(' ').unwrap();
                let pair = (verdict.to_owned(), question.to_owned());
                expected.answers.push(pair);
            }
            "value" => {
                let (value, name) = rest.split_once(' ').unwrap();
                expected
                    .values
                    .push((value.parse().unwrap(), name.to_owned()));
            }
            "error" => expected.errors.extend(words(rest)),
            "quiet" => expected.quiet.extend(words(rest)),
            "states" => expected.states = Some(rest.parse().unwrap()),
            _ => {}
        }
    }
    expected
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split_whitespace().map(str::to_owned)
}

fn compile(path: &Path, text: &str) -> (Option<Program>, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let id = sources
        .load(path.to_string_lossy(), text.as_bytes())
        .unwrap();
    let parsed = endstep::syntax::parse(id, text);
    let (program, more) = endstep::typing::check(&[parsed.file]);
    let diagnostics = parsed.diagnostics.into_iter().chain(more).collect();
    (program, diagnostics)
}

/// Specifications under a folder, in order.
pub fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "endstep") {
            found.push(path);
        }
    }
}

fn question(program: &Program, question: Question) -> String {
    match question {
        Question::Claim(at) => format!("claim {}", program.claims[at].name),
        Question::Example(at) => format!("example {}", program.examples[at].name),
        Question::Reading(_, reading) => format!("reading {}", program.readings[reading].name),
        Question::Ways(_, reading, a, b) => {
            let reading = &program.readings[reading];
            let name = |at: u16| &reading.alternatives[usize::from(at)].name;
            format!("ways {}: {} | {}", reading.name, name(a), name(b))
        }
        Question::Order(_, site) => format!("order {}", site_path(program, site)),
        Question::Triggers(_, a, b) => {
            let name = |id| &program.triggers[id].name;
            format!("triggers {} & {}", name(a), name(b))
        }
        Question::Steps(_, a, b) => {
            format!(
                "steps {} & {}",
                step_path(program, a),
                step_path(program, b)
            )
        }
        Question::Position(_, stmt) => format!("position {}", program.stmts[stmt].path),
        Question::Terminates(of) => format!("terminates {}", program.sequences[of].name),
        Question::Legal(_, at) => format!("legal {}", program.legals[at].name),
        Question::Contract(of) => format!("contract {}", program.sequences[of].name),
        Question::Gap(_, stmt) => format!("gap {}", program.stmts[stmt].path),
    }
}

fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::HoldsInScope => "holds",
        Verdict::Refuted => "refuted",
        Verdict::Shown => "shown",
        Verdict::NoneInScope => "none",
        Verdict::Unknown(_) => "unknown",
    }
}

fn compare(program: &Program, expected: &Expected, results: &Results, out: &mut String) {
    let mut found = BTreeSet::new();
    for finding in &results.findings {
        if expected.quiet.contains(finding.code.id()) {
            continue;
        }
        let mut line = format!("{} {}", finding.code, finding.subject);
        if !finding.cause.is_empty() {
            let _ = write!(line, " | {}", finding.cause);
        }
        found.insert(line);
    }
    for line in expected.findings.difference(&found) {
        let _ = writeln!(out, "    expected, not found:  {line}");
    }
    for line in found.difference(&expected.findings) {
        let _ = writeln!(out, "    found, not expected:  {line}");
    }
    for (wanted, about) in &expected.answers {
        let mut answers = results.answers.iter();
        let answer = answers.find(|one| question(program, one.subject) == *about);
        let given = answer.map_or("no answer", |one| verdict(&one.verdict));
        if answer.is_none() {
            let all = results
                .answers
                .iter()
                .map(|one| question(program, one.subject));
            let _ = writeln!(out, "    answers: {:?}", all.collect::<Vec<_>>());
        }
        if given != wanted {
            let _ = writeln!(out, "    {about}: expected {wanted}, found {given}");
        }
    }
    for (wanted, name) in &expected.values {
        let mut answers = results.answers.iter();
        let about = format!("claim {name}");
        let answer = answers.find(|one| question(program, one.subject) == about);
        let given = answer.and_then(|one| Some(one.best.as_ref()?.value));
        if given != Some(*wanted) {
            let _ = writeln!(out, "    {name}: expected {wanted}, found {given:?}");
        }
    }
}

/// Every witness replays, also after it was written to a file and read again.
fn replays(program: &Program, results: &Results, out: &mut String) {
    let mut prints = BTreeSet::new();
    for finding in &results.findings {
        let name = format!("{} {}", finding.code, finding.subject);
        if !prints.insert(fingerprint(program, finding)) {
            let _ = writeln!(out, "    {name}: its fingerprint is not its own");
        }
    }
    let findings = results
        .findings
        .iter()
        .map(|one| (one.code.id(), &one.witness));
    let shown = results.answers.iter().map(|one| ("shown", &one.witness));
    for (name, witness) in findings.chain(shown) {
        let Some(witness) = witness else { continue };
        if let Err(why) = replay(program, witness) {
            let _ = writeln!(out, "    the witness of {name} does not replay: {why}");
            continue;
        }
        let text = to_json(program, witness);
        match from_json(program, &text) {
            Ok(read) if read == *witness => {}
            Ok(_) => {
                let _ = writeln!(out, "    the witness of {name} changes in a file:\n{text}");
            }
            Err(why) => {
                let _ = writeln!(out, "    the witness of {name} is not read again: {why}");
            }
        }
    }
}

fn run(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let expected = expected(&text);
    let (program, diagnostics) = compile(path, &text);
    let mut out = String::new();
    let errors: BTreeSet<String> = diagnostics
        .iter()
        .filter(|one| one.severity == Severity::Error)
        .map(|one| one.code.id().to_owned())
        .collect();
    if errors != expected.errors {
        for one in &diagnostics {
            let line = one.place().map(|span| {
                let before = &text[..span.start as usize];
                before.matches('\n').count() + 1
            });
            let _ = writeln!(out, "    {} line {line:?}: {}", one.code, one.message);
        }
        return out;
    }
    let Some(program) = program else {
        return out;
    };
    let mut options = Options::default();
    if let Some(states) = expected.states {
        options.limits.states = states;
    }
    let results = check(&program, &options, &mut |_| {});
    compare(&program, &expected, &results, &mut out);
    replays(&program, &results, &mut out);
    out
}

#[test]
fn every_file_of_the_corpus_says_what_is_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut all = Vec::new();
    files(&root, &mut all);
    all.retain(|path| {
        let folder = path.parent().and_then(Path::file_name);
        // Those that do not compile say so line by line, and are read by tests of their own.
        let front = path.starts_with(root.join("typing/fail"));
        folder.is_some_and(|name| name == "pass" || name == "fail") && !front
    });
    let only = std::env::var("CORPUS").unwrap_or_default();
    all.retain(|path| path.to_string_lossy().contains(&only));
    assert!(!all.is_empty(), "the corpus was not found");
    let mut report = String::new();
    for path in &all {
        let said = std::panic::catch_unwind(|| run(path));
        let said = said.unwrap_or_else(|_| "    a panic\n".to_owned());
        if !said.is_empty() {
            let name = path.strip_prefix(&root).unwrap();
            let _ = writeln!(report, "  {}\n{said}", name.display());
        }
    }
    assert!(report.is_empty(), "\n{report}");
}
