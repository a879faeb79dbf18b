//! What sentences of reports assert (docs/semantics.md, 11): on specifications of which a sentence was
//! once not true, and on random ones by brute force.

mod agreed;
mod apart;
mod beside;
mod by_contract;
mod clauses;
mod compared;
mod contradictions;
mod drawn;
mod dropped;
mod edges;
mod endless;
mod every_case;
mod followed;
mod headings;
mod in_full;
mod known;
mod lacking;
mod left_out;
mod less_used;
mod moments;
mod named;
mod once_wrong;
mod one_cause;
mod overstated;
mod pictures;
mod qualified;
mod random;
mod runs;
mod several;
mod told_apart;
mod uncounted;
mod unproved;
mod untried;
mod walk;
mod weighed;
mod who;

use endstep::analysis::Options;
use endstep::explore::check;
use endstep::report::{Sheet, Standing, Style, check_json, check_text};
use endstep::source::SourceMap;
use endstep::typing::program::Program;
use endstep::verdict::Results;

use super::folder::empty;
use super::usage::endstep;

/// The report on a text, as words with one space between them.
fn told(text: &str) -> String {
    Checked::of(text, &Options::default()).text()
}

/// What a command prints about a text, as words with one space between them.
pub fn printed(name: &str, text: &str, arguments: &[&str]) -> String {
    let folder = empty(name);
    std::fs::write(folder.join("told.endstep"), text).unwrap();
    let output = endstep(arguments, &folder);
    let all = [output.stdout, output.stderr].concat();
    let all = String::from_utf8(all).unwrap();
    all.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
pub fn says(text: &str, part: &str) {
    assert!(text.contains(part), "{part}\nis not in\n{text}");
}

#[track_caller]
fn never_says(text: &str, part: &str) {
    assert!(!text.contains(part), "{part}\nis in\n{text}");
}

/// A specification that was checked.
struct Checked {
    sources: SourceMap,
    program: Program,
    results: Results,
}

impl Checked {
    fn of(text: &str, options: &Options) -> Self {
        let mut sources = SourceMap::new();
        let id = sources.load("told.endstep", text.as_bytes()).unwrap();
        let parsed = endstep::syntax::parse(id, text);
        let (program, found) = endstep::typing::check(&[parsed.file]);
        let program = program.unwrap_or_else(|| panic!("{:?} {found:?}", parsed.diagnostics));
        let results = check(&program, options, &mut |_| {});
        Self {
            sources,
            program,
            results,
        }
    }

    fn with_sheet<T>(&self, tell: impl FnOnce(Sheet<'_>) -> T) -> T {
        let standings = vec![Standing::New; self.results.findings.len()];
        tell(Sheet {
            name: "told.endstep",
            sources: &self.sources,
            program: &self.program,
            results: &self.results,
            standings: &standings,
            vanished: &[],
            unused: &[],
            unfound: &[],
            policy: Default::default(),
            restrictions: &[],
            saved: None,
            reread: None,
        })
    }

    /// The report; nothing in it is broken into lines for its length.
    fn report(&self) -> String {
        let style = Style {
            all: true,
            width: 1_000_000,
            ..Style::default()
        };
        self.with_sheet(|sheet| check_text(sheet, style))
    }

    /// The report, as words with one space between them.
    fn text(&self) -> String {
        let text = self.report();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn json(&self) -> serde_json::Value {
        self.with_sheet(check_json)
    }
}
