//! What was found in a specification, once it was looked at.

use super::specification::Specification;
use crate::cli::config;
use crate::cli::expected;
use crate::cli::input::{Input, Unreadable};
use crate::driver::{self, Checked, Engine, NotFound};
use endstep_language::diag::Severity;
use endstep_language::source::SourceMap;
use endstep_language::typing::program::Program;
use endstep_report::report::{Play, Sheet, Style, check_json, page_markdown, title};
use endstep_semantics::semantics::Names;
use endstep_semantics::witness::Witness;
use endstep_verdicts::analysis::{Memory, Options, Stop};
use endstep_verdicts::verdict::{Expected, Question, fingerprint};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
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
    /// The same, as much of it as is shown.
    pub told: Told,
    /// How paths begin that need not be told in full.
    folder: String,
    order: Order,
    checked: Checked,
}

/// As much of a report as is shown.
#[derive(Deserialize, Debug, Default)]
pub(super) struct Told {
    pub findings: Vec<Finding>,
    pub answers: Vec<Answer>,
    /// What was expected and is gone.
    pub vanished: Vec<Vanished>,
    /// Lines that accept what is not there.
    pub unused_accepts: Vec<Unused>,
}

/// A finding that was expected and is gone.
#[derive(Deserialize, Debug)]
pub(super) struct Vanished {
    pub code: String,
    pub subject: String,
}

/// A line that accepts what is not there.
#[derive(Deserialize, Debug)]
pub(super) struct Unused {
    pub code: String,
    pub place: Option<Place>,
}

/// A finding.
#[derive(Deserialize, Debug)]
pub(super) struct Finding {
    pub code: String,
    pub title: String,
    pub text: String,
    pub severity: Severity,
    pub fingerprint: String,
    pub status: String,
    pub occurs_on: Option<String>,
    pub repair: Option<Repair>,
    pub places: Vec<Option<Place>>,
    pub clauses: Vec<Clause>,
    /// Whether a run shows it.
    pub witness: Option<IgnoredAny>,
}

/// A change that mends what was found.
#[derive(Deserialize, Debug)]
pub(super) struct Repair {
    pub text: String,
}

/// A clause.
#[derive(Deserialize, Debug)]
pub(super) struct Clause {
    pub id: String,
}

/// An answer.
#[derive(Deserialize, Debug)]
pub(super) struct Answer {
    pub kind: String,
    pub subject: String,
    pub sequence: Option<String>,
    pub text: String,
    pub verdict: String,
    pub value: Option<i64>,
    pub place: Option<Place>,
    pub findings: Vec<String>,
}

/// A place: lines and characters, both counted from 1.
#[derive(Deserialize, Debug, Clone)]
pub(super) struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Looked {
    /// The verdict on a claim, question or example.
    pub(super) fn verdict(&self, name: &str) -> Option<String> {
        let is_of =
            |one: &&Answer| one.subject == name && matches!(one.kind.as_str(), "claim" | "example");
        self.answers().find(is_of).map(Answer::shown)
    }

    /// The answers that are known.
    pub(super) fn answers(&self) -> impl Iterator<Item = &Answer> {
        let all = self.told.answers.iter();
        // What a few boards show is so, and of everything else they tell nothing.
        all.filter(|one| self.whole || one.verdict == "refuted" && one.value.is_none())
    }

    /// A finding, by the beginning of its fingerprint.
    pub(super) fn finding(&self, print: &str) -> Option<&Finding> {
        let mut findings = self.told.findings.iter();
        findings.find(|one| one.fingerprint.starts_with(print))
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
        let program = &*self.order.program;
        let mut findings = self.checked.results.findings.iter();
        let finding = findings.find(|one| fingerprint(program, one).starts_with(print))?;
        let heading = format!("{}: {}", finding.code, title(program, finding));
        let told = self.finding(print);
        let on = told.and_then(|told| told.occurs_on.as_ref());
        let on = on.map(|on| format!("On {on}."));
        let told = told.map(|told| told.text.clone());
        let run = finding.witness.as_ref().map(|witness| self.run(witness));
        let parts = [Some(heading), told, on, run];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        Some(self.in_short(&text))
    }

    /// The board and the runs of a witness.
    fn run(&self, witness: &Witness) -> String {
        self.play(witness, |play| play.witness(witness))
    }

    /// The board of a finding.
    pub(super) fn board(&self, print: &str) -> Option<String> {
        let program = &*self.order.program;
        let mut findings = self.checked.results.findings.iter();
        let finding = findings.find(|one| fingerprint(program, one).starts_with(print))?;
        let witness = finding.witness.as_ref()?;
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
        self.in_short(&page_markdown(sheet(&self.order, &self.checked)))
    }

    /// A finding, as the file beside the specification would list it.
    pub(super) fn to_expect(&self, print: &str) -> Option<Expected> {
        let program = &*self.order.program;
        let mut findings = self.checked.results.findings.iter();
        let finding = findings.find(|one| fingerprint(program, one).starts_with(print))?;
        Some(Expected::of(program, std::slice::from_ref(finding)))
    }
}

impl Answer {
    /// The verdict, or the value that was asked for.
    pub(super) fn shown(&self) -> String {
        match self.value {
            Some(value) => format!("{value} ({})", self.verdict),
            None => self.verdict.clone(),
        }
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
    let report = check_json(sheet(order, &checked));
    let mut told = Told::deserialize(&report).map_err(|error| error.to_string())?;
    if !whole {
        // Of how many boards this is so is not known yet.
        told.findings
            .iter_mut()
            .for_each(|one| one.occurs_on = None);
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
fn sheet<'a>(order: &'a Order, checked: &'a Checked) -> Sheet<'a> {
    Sheet {
        name: &order.name,
        reread: None,
        sources: &order.sources,
        program: &order.program,
        results: &checked.results,
        standings: &checked.judged.standings,
        vanished: &checked.judged.vanished,
        unused: &checked.judged.unused,
        unfound: &checked.judged.unfound,
        policy: checked.judged.policy,
        restrictions: &[],
        saved: None,
    }
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
    encoding: super::lines::Encoding,
) -> Option<(PathBuf, lsp_types::Range)> {
    let path = super::documents::known_as(Path::new(&place.file));
    let (text, lines) = specification.text(&path)?;
    let offset = |line: u32, column: u32| {
        let at = lsp_types::Position::new(line.saturating_sub(1), column.saturating_sub(1));
        lines.offset(text, at, super::lines::Encoding::Utf32)
    };
    let bytes = offset(place.line, place.column)..offset(place.end_line, place.end_column);
    let range = lines.range(text, bytes, encoding);
    Some((path, range))
}
