//! Turns the texts of a specification into results: the whole pipeline on one screen.
//!
//! ```text
//! bytes --source--> texts --syntax--> trees --resolve, typing--> program
//! program --explore, analysis--> findings and answers --verdict--> new, expected, vanished
//! ```
//!
//! *Guarantees*: a specification with an error has no program, and one mistake gives
//! one diagnostic: what the checker says about a part that could not be read is left
//! out. Nothing here reads files or prints; bytes come from a [`Reader`].

pub mod audit;
pub mod campaign;
mod count;
mod ending;
mod engine;
mod errors;
mod load;
pub mod mutants;
mod only;
mod proved;
mod repair;
mod standing;
mod start;
mod still;
mod suggested;
pub mod vectors;
mod walk;
mod written;

pub use count::{Request, count};
pub use ending::{Asked, Found, ends};
pub use engine::Engine;
pub use load::{Reader, included};
pub use only::{Choice, NotFound, claims, fields, only, readings, sizes};
pub use proved::{Orders, orders};
pub use standing::{Checked, Standings};
pub use start::{Starts, any_sequence, sequence, verified};
pub use still::{Still, still_found};
pub use suggested::{Suggestions, suggested};
pub use walk::{At, Walk, WalkError};
pub use written::{could_begin, is_asked_of};

use endstep_engines::explore;
use endstep_kernel::lower::lower;
use endstep_kernel::{footprint, ir};
use endstep_language::diag::{Diagnostic, codes, has_errors, sort};
use endstep_language::resolve::{Uses, expand};
use endstep_language::source::{SourceId, SourceMap};
use endstep_language::typing;
use endstep_language::typing::program::Program;
use endstep_verdicts::analysis::{self, Key, Limits, Options, Progress, Threads};
use endstep_verdicts::order;
use endstep_verdicts::verdict::{Expected, Finding, Results};
use engine::explored;
use load::Loader;

/// So many boards of each sequence are looked at in a [`glance`].
const GLANCED_BOARDS: u64 = 100;

/// And so many steps taken.
const GLANCED_STEPS: u64 = 400_000;

/// How many diagnostics a specification gets, and one that counts the others.
pub const MAX_DIAGNOSTICS: usize = 1000;

/// A specification that was read: its meaning, unless it is in error.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The program; none if a diagnostic is an error.
    pub program: Option<Program>,
    /// All that is wrong or worth knowing, in order of places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a specification, and all that it includes, up to its typed program.
pub fn compile(root: SourceId, sources: &mut SourceMap, reader: &mut dyn Reader) -> Compiled {
    compile_names(root, sources, reader, &mut Uses::default())
}

/// As [`compile`]; what names mean is taken down.
pub fn compile_names(
    root: SourceId,
    sources: &mut SourceMap,
    reader: &mut dyn Reader,
    uses: &mut Uses,
) -> Compiled {
    let mut loader = Loader::new(sources, reader);
    let (files, mut diagnostics) = expand(&[root], &mut loader);
    diagnostics.extend(loader.into_diagnostics());
    if files.iter().all(|file| file.items.is_empty()) && !has_errors(&diagnostics) {
        diagnostics.push(nothing_said(root, sources));
    }
    let (program, found) = typing::check_names(&files, uses);
    diagnostics.extend(errors::independent(&files, &diagnostics, found));
    let program = program.filter(|_| !has_errors(&diagnostics));
    bound(&mut diagnostics);
    sort(&mut diagnostics);
    Compiled {
        program,
        diagnostics,
    }
}

/// Leaves out diagnostics that nobody would read, the least severe first.
fn bound(diagnostics: &mut Vec<Diagnostic>) {
    let left = diagnostics.len().saturating_sub(MAX_DIAGNOSTICS);
    if left == 0 {
        return;
    }
    sort(diagnostics);
    diagnostics.sort_by_key(|one| one.severity);
    diagnostics.truncate(MAX_DIAGNOSTICS);
    let message = format!("{left} more diagnostics are left out");
    diagnostics.push(Diagnostic::note(codes::syntax::TOO_MANY_ERRORS, message));
}

fn nothing_said(root: SourceId, sources: &SourceMap) -> Diagnostic {
    let name = sources.file(root).name();
    let message = format!("found nothing in `{name}`, expected a specification");
    Diagnostic::error(codes::source::EMPTY, message)
        .help("`endstep init NAME` writes one to begin with")
}

/// The system that the engines run, as text.
pub fn ir(program: &Program) -> String {
    ir::print(&lower(program))
}

/// What each step and trigger can read and write, as text.
pub fn footprints(program: &Program) -> String {
    footprint::print(&lower(program))
}

/// Checks a program, and compares what is found with what is expected.
pub fn check(
    program: &Program,
    (options, engine): (&Options, Engine),
    expected: Option<&Expected>,
    progress: &mut dyn FnMut(&Progress),
) -> Checked {
    // Who has seen it before does not look again.
    let key = Key::of("results", &[program, &options.that_matter(), &engine]);
    let known = options.memory.recall(&key);
    let results = known.unwrap_or_else(|| {
        let results = found(program, (options, engine), progress);
        if !options.stop.is_wanted() {
            options.memory.keep(&key, &results);
        }
        results
    });
    let partial = !options.only.is_empty()
        || analysis::is_restricted(program, options)
        || options.stop.is_wanted();
    standing::judge(program, results, expected, partial)
}

/// What is found on the smallest boards, without anything that takes longer: for those who cannot wait for
/// [`check`]. Nothing is said about what was not found, and of much it is not known how it comes out.
pub fn glance(
    program: &Program,
    (options, engine): (&Options, Engine),
    expected: Option<&Expected>,
) -> Checked {
    let usual = options.limits;
    let options = Options {
        limits: Limits {
            boards: usual.boards.min(GLANCED_BOARDS),
            steps: usual.steps.min(GLANCED_STEPS),
            ..usual
        },
        ..options.clone()
    };
    let mut results = explored(program, (&options, engine), &mut |_| {});
    analysis::keep_wanted(program, &options, &mut results);
    standing::judge(program, results, expected, true)
}

/// All that is found out of a program.
fn found(
    program: &Program,
    (options, engine): (&Options, Engine),
    progress: &mut dyn FnMut(&Progress),
) -> Results {
    let mut results = explored(program, (options, engine), progress);
    // What is left is worth knowing of what was found. Who interrupts a check does not wait for it.
    let goes_on = || !options.stop.is_wanted();
    let mut next = |what: &str| {
        progress(&Progress::phase(what));
        goes_on()
    };
    if next("what holds for boards of every size") {
        proved::proved(program, options, &mut results);
    }
    if next("the boards in the file") {
        written::written(program, options, &mut results);
    }
    if goes_on() {
        suggested::suggested(program, options, &mut results);
    }
    open_orders(program, options, &mut results);
    analysis::keep_wanted(program, options, &mut results);
    if goes_on() {
        wider(program, options, &mut results);
    }
    if next("other values") && !options.faults_only {
        decisive(program, options, &mut results);
    }
    if options.repairs && goes_on() {
        repair::repairs(program, (options, engine), &mut results, progress);
    }
    results
}

/// Says of which orders nothing is known because a limit was met. Interrupted or not: what was not looked at is open.
fn open_orders(program: &Program, options: &Options, results: &mut Results) {
    let system = order::overlooking(&lower(program), &results.overlooked);
    analysis::leave_open((program, &system), !options.faults_only, results);
}

/// Says of each finding to which larger boards it extends.
fn wider(program: &Program, options: &Options, results: &mut Results) {
    let system = lower(program);
    let engine = explore::Explorer::new(program);
    let one =
        |(_, finding): (usize, &Finding)| analysis::wider((program, &system, &engine), finding);
    let all = Threads::new(options.threads).map(&results.findings, one);
    for (finding, wider) in results.findings.iter_mut().zip(all) {
        finding.wider = wider;
    }
}

/// Says of each finding which values on its board decide.
fn decisive(program: &Program, options: &Options, results: &mut Results) {
    let program = analysis::unlimited(program);
    let engine = explore::Explorer::new(&program);
    analysis::decisive((&program, &engine), options, results);
}
