//! What was found in a specification, once it was looked at.

use super::documents::known_as;
use super::lines::Encoding;
use super::specification::Specification;
use crate::cli::config;
use crate::cli::expected;
use crate::cli::input::{Input, Unreadable};
use crate::cli::selection::sizes_kept_from;
use crate::cli::specification;
use crate::driver::{self, Checked, Engine, NotFound};
use endstep_language::diag::{Diagnostic, render};
use endstep_language::source::SourceMap;
use endstep_language::typing::program::Program;
use endstep_report::report::exchange::{Answered, Checked as Told, Found, Place};
use endstep_report::report::{Play, Sheet, Style, check_json, page_markdown};
use endstep_semantics::semantics::Names;
use endstep_semantics::witness::Witness;
use endstep_verdicts::analysis::{Memory, Options, Stop};
use endstep_verdicts::verdict::{Expected, Finding, Question};
use lsp_types::{Position, Range};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to be looked at.
#[derive(Debug, Clone)]
pub(super) struct Order {
    /// The file of the specification.
    pub root: PathBuf,
    /// Its name in reports.
    pub name: String,
    /// Which of its versions.
    pub generation: u64,
    /// Its meaning.
    pub program: Arc<Program>,
    /// Its texts.
    pub sources: SourceMap,
    /// What is worth knowing about them.
    pub diagnostics: Vec<Diagnostic>,
    /// The folder with settings, if there is one.
    pub folder: Option<PathBuf>,
    /// The only claims and codes that are of interest; all, if none are named.
    pub only: Vec<String>,
    /// Whether changes are looked for that mend what is found.
    pub repairs: bool,
    /// Whether somebody has had enough.
    pub stop: Stop,
    /// What was found out before.
    pub memory: Memory,
}

/// What was found.
#[derive(Debug)]
pub(super) struct Looked {
    /// Whether everything was looked at, and not only the smallest boards.
    pub whole: bool,
    /// The report, as `check --format json` has it for a specification.
    pub report: Value,
    /// The same as data.
    pub told: Told,
    /// How paths begin that need not be told in full.
    folder: String,
    order: Order,
    checked: Checked,
}

impl Looked {
    /// The verdict on a claim, question or example.
    pub(super) fn verdict(&self, name: &str) -> Option<String> {
        let is_of = |one: &&Answered| {
            one.subject == name && matches!(one.kind.as_str(), "claim" | "example")
        };
        let answer = self.answers().find(is_of)?;
        Some(match answer.value {
            Some(value) => format!("{value} ({})", answer.verdict),
            None => answer.verdict.clone(),
        })
    }

    /// The answers that are known.
    pub(super) fn answers(&self) -> impl Iterator<Item = &Answered> {
        let all = self.told.answers.iter();
        // What a few boards show is so, but that a value is the largest; of everything else they tell nothing.
        let is_shown = |one: &Answered| matches!(one.verdict.as_str(), "refuted" | "shown");
        all.filter(move |one| self.whole || is_shown(one) && one.asks.is_none())
    }

    /// A finding, by the beginning of its fingerprint.
    pub(super) fn finding(&self, print: &str) -> Option<&Found> {
        self.both(print).map(|(told, _)| told)
    }

    /// A finding as it is told, and as it was found: reports have them in the same order.
    fn both(&self, print: &str) -> Option<(&Found, &Finding)> {
        let found = self.checked.results.findings.iter();
        let mut both = self.told.findings.iter().zip(found);
        both.find(|(told, _)| told.fingerprint.starts_with(print))
    }

    /// A text in which files are named as from the folder that is open.
    pub(super) fn in_short(&self, text: &str) -> String {
        match self.folder.len() > 1 {
            true => text.replace(&self.folder, ""),
            false => text.to_owned(),
        }
    }

    /// A finding as `endstep replay` shows it.
    pub(super) fn played(&self, print: &str) -> Option<String> {
        let (told, finding) = self.both(print)?;
        let mut text = format!("{}: {}\n\n{}", told.code, told.title, told.told());
        if let Some(witness) = &finding.witness {
            text.push_str(&format!("\n\n{}", self.run(witness)));
        }
        Some(self.in_short(&text))
    }

    /// The board and the runs of a witness.
    fn run(&self, witness: &Witness) -> String {
        self.play(witness, |play| play.witness(witness))
    }

    /// The board of a finding.
    pub(super) fn board(&self, print: &str) -> Option<String> {
        let witness = self.both(print)?.1.witness.as_ref()?;
        let board = &witness.runs().into_iter().next()?.board;
        let drawn = self.play(witness, |play| play.board(board));
        Some(drawn.trim_end().to_owned())
    }

    fn play<T>(&self, witness: &Witness, of: impl Fn(Play<'_>) -> T) -> T {
        let run = witness.runs().into_iter().next();
        let names = run.map_or_else(Names::default, |run| run.names.clone());
        of(Play {
            program: &self.order.program,
            sources: &self.order.sources,
            names: &names,
            style: Style::default(),
        })
    }

    /// What shows the answer to a question: the board and the run.
    pub(super) fn shown(&self, name: &str) -> Option<String> {
        let program = &*self.order.program;
        let mut claims = program.claims.iter();
        let at = claims.position(|claim| claim.name == name)?;
        let answers = self.checked.results.answers.iter();
        let mut own = answers.filter(|answer| answer.subject == Question::Claim(at));
        let witness = own.find_map(|answer| answer.witness.as_ref())?;
        Some(self.in_short(&self.run(witness)))
    }

    /// All that was found, as a page of Markdown.
    pub(super) fn page(&self) -> String {
        let sheet = sheet(&self.order, &self.checked, &self.told.restrictions);
        self.in_short(&page_markdown(sheet))
    }

    /// A finding, as the file beside the specification would list it.
    pub(super) fn to_expect(&self, print: &str) -> Option<Expected> {
        let (_, finding) = self.both(print)?;
        let one = std::slice::from_ref(finding);
        Some(Expected::of(&self.order.program, one))
    }
}

/// Looks at a specification; `whole`, or only at the smallest boards.
///
/// # Errors
///
/// What is said of it elsewhere, the settings say, does not fit it.
pub(super) fn look(order: &Order, whole: bool) -> Result<Looked, String> {
    let program = &*order.program;
    let settings = order
        .folder
        .as_deref()
        .map(|folder| folder.join(config::NAME));
    let settings = settings.filter(|path| path.exists());
    let settings = config::load(settings.as_deref(), None);
    let settings = settings.map_err(|Unreadable(why)| why)?;
    let has = |name: &str| program.sorts.values().iter().any(|sort| sort.name == name);
    let sizes: Vec<_> = settings
        .sizes()
        .into_iter()
        .filter(|one| has(&one.name))
        .collect();
    let not_found = |NotFound(why)| why;
    let options = Options {
        sizes: driver::sizes(program, &sizes).map_err(not_found)?,
        only: driver::only(program, &order.only).map_err(not_found)?,
        claims: driver::claims(program, &order.only),
        limits: settings.limits(),
        repairs: order.repairs,
        stop: order.stop.clone(),
        memory: order.memory.clone(),
        ..Options::default()
    };
    let known = expected::load(&as_input(&order.root), false);
    let known = known.map_err(|Unreadable(why)| why)?;
    let engine = Engine::default();
    let checked = match whole {
        true => driver::check(program, (&options, engine), known.as_ref(), &mut |_| {}),
        false => driver::glance(program, (&options, engine), known.as_ref()),
    };
    let sizes = sizes_kept_from(&sizes, program, &checked.results);
    let mut report = check_json(sheet(order, &checked, &sizes));
    report["compiled"] = json!(true);
    report["diagnostics"] = render::json(&order.diagnostics, &order.sources);
    let mut told = Told::deserialize(&report).map_err(|error| error.to_string())?;
    if !whole {
        // Of how many boards this is so is not known yet.
        let findings = told.findings.iter_mut();
        findings.for_each(|one| one.occurs_on = None);
    }
    let folder = order.folder.as_deref().or(order.root.parent());
    let folder = folder.map_or_else(String::new, |folder| format!("{}/", folder.display()));
    Ok(Looked {
        whole,
        folder,
        report,
        told,
        order: order.clone(),
        checked,
    })
}

/// What a report shows of a specification that was looked at.
fn sheet<'a>(order: &'a Order, checked: &'a Checked, restrictions: &'a [String]) -> Sheet<'a> {
    let (sources, program) = (&order.sources, &order.program);
    specification::sheet(&order.name, sources, program, checked, restrictions)
}

/// A specification whose text is of no interest.
fn as_input(root: &Path) -> Input {
    Input {
        name: root.display().to_string(),
        bytes: Vec::new(),
        path: Some(root.to_owned()),
    }
}

/// Where a place of a report is.
pub(super) fn span_of(
    specification: &Specification,
    place: &Place,
    encoding: Encoding,
) -> Option<(PathBuf, Range)> {
    let path = known_as(Path::new(&place.file));
    let (text, lines) = specification.text(&path)?;
    let offset = |line: u32, column: u32| {
        let at = Position::new(line.saturating_sub(1), column.saturating_sub(1));
        lines.offset(text, at, Encoding::Utf32)
    };
    let bytes = offset(place.line, place.column)..offset(place.end_line, place.end_column);
    let range = lines.range(text, bytes, encoding);
    Some((path, range))
}
