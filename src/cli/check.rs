//! `endstep check`: what is wrong with specifications.

use super::account::Account;
use super::arguments::{Arguments, Emit};
use super::baseline::Known;
use super::destinations;
use super::exit::Exit;
use super::expected;
use super::input::{Input, Unreadable};
use super::output;
use super::part::{self, Shown};
use super::plain::{show, show_error};
use super::plan::{self, Plan};
use super::selection::{self, How};
use super::shape::{self, Shape};
use super::signal;
use super::specification::{Specification, fail};
use super::terminal;
use super::watch::watch;
use super::witnesses;
use crate::driver::{self, Checked};
use endstep_language::diag::{Diagnostic, codes, render};
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{Named, Program};
use endstep_proofs::smt;
use endstep_report::report::{Sheet, Style, Tally, answer_certificates, check_json, check_text};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    match arguments.watch {
        false => once(arguments, out),
        true if arguments.paths.iter().any(|path| path == Path::new("-")) => {
            fail("standard input cannot be watched", Exit::Usage)
        }
        true => watch(
            &|| plan::files(arguments),
            &mut |out| once(arguments, out),
            out,
        ),
    }
}

/// Checks everything once.
fn once(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let mut plan = match Plan::make(arguments) {
        Ok(plan) => plan,
        Err((why, exit)) => return fail(&why, exit),
    };
    plan.account = match arguments
        .shard
        .map(|_| Account::of(arguments, (&plan.inputs, &plan.known)))
    {
        Some(Err(Unreadable(why))) => return fail(&why, Exit::Unreadable),
        account => account.and_then(Result::ok),
    };
    let inputs = std::mem::take(&mut plan.inputs);
    let folders = match Folders::of(arguments, &inputs) {
        Ok(folders) => folders,
        Err((why, exit)) => return fail(&why, exit),
    };
    if arguments.update_expected
        && let Err((why, exit)) = expected::apart(&inputs)
    {
        return fail(&why, exit);
    }
    if !arguments.watch && arguments.emit.is_none() {
        let stop = plan.stop.clone();
        signal::heed(move || stop.stop());
    }
    let mut worst = Exit::Ok;
    let mut all = Vec::new();
    let mine = |position: usize| arguments.shard.is_none_or(|shard| shard.has(position));
    for (position, input) in inputs.iter().enumerate().filter(|(at, _)| mine(*at)) {
        plan.position = (position + 1, inputs.len());
        let (exit, mut shown) = match plan.stop.is_wanted() {
            true => (Exit::Interrupted, Some(unread(&input.name))),
            false => one(arguments, &mut plan, (input, &folders[position]), out)?,
        };
        worst = worst.worse(exit);
        if plan.stop.is_wanted() {
            worst = Exit::Interrupted;
            let report = matches!(arguments.format, Shape::Text) && arguments.shard.is_none();
            interrupted(&input.name, shown.as_mut(), report)?;
        }
        all.extend(shown.map(|shown| (position, shown)));
    }
    if arguments.shard.is_none()
        && worst != Exit::Interrupted
        && let Some(name) = plan.unused_size()
    {
        let why =
            format!("endstep.toml has a size for `{name}`, and no specification has that sort");
        return fail(&why, Exit::Usage);
    }
    finish(arguments, &mut plan, (all, inputs.len(), worst), out)
}

/// What is shown of a specification that was not looked at.
fn unread(name: &str) -> Shown {
    Shown {
        json: json!({ "name": name, "compiled": false, "diagnostics": [] }),
        text: String::new(),
        complaints: String::new(),
        tally: Tally::default(),
    }
}

/// Says of a specification that its check was interrupted: for people, or in what is shown of it.
fn interrupted(name: &str, shown: Option<&mut Shown>, is_text: bool) -> io::Result<()> {
    let message = format!("the check of `{name}` was interrupted: what is shown of it is not all");
    let fault = Diagnostic::error(codes::source::INTERRUPTED, message);
    let sources = SourceMap::new();
    let faults = [fault];
    if is_text {
        show_error(|style| render::text(&faults, &sources, style))?;
    }
    let faults = render::json(&faults, &sources);
    let known = shown.and_then(|shown| shown.json["diagnostics"].as_array_mut());
    if let (Some(known), Some(faults)) = (known, faults.as_array()) {
        known.extend(faults.iter().cloned());
    }
    Ok(())
}

/// Shows what all specifications came to, or writes it where it is wanted.
fn finish(
    arguments: &Arguments,
    plan: &mut Plan,
    (all, number, worst): (Vec<(usize, Shown)>, usize, Exit),
    out: &mut dyn Write,
) -> io::Result<Exit> {
    if arguments.emit.is_some() || arguments.update_expected {
        return Ok(worst);
    }
    if arguments.update_baseline {
        return match worst {
            Exit::Interrupted => Ok(worst),
            _ => updated_baseline(plan, worst, out),
        };
    }
    if arguments.shard.is_some() {
        let is_made = (worst as u8) < Exit::Usage as u8;
        let exit = if is_made { Exit::Ok } else { worst };
        let part = arguments.shard.zip(plan.account.as_ref());
        let report = part::report(all, worst, plan.policy, part);
        shape::write(Shape::Json, report, out)?;
        return Ok(exit);
    }
    match arguments.format {
        Shape::Text => {
            let tallies = all.iter().map(|(_, shown)| shown.tally);
            last_lines(number, tallies, worst, out)?;
        }
        format => shape::write(format, part::report(all, worst, plan.policy, None), out)?,
    }
    Ok(worst)
}

/// Sums up the check of several specifications; of one, nothing is left to say.
pub(super) fn last_lines(
    number: usize,
    tallies: impl Iterator<Item = Tally>,
    exit: Exit,
    out: &mut dyn Write,
) -> io::Result<()> {
    if number == 1 && exit != Exit::Interrupted {
        return Ok(());
    }
    let mut total = Tally::default();
    tallies.for_each(|tally| total.add(tally));
    let what = if number == 1 {
        "specification"
    } else {
        "specifications"
    };
    writeln!(out, "\n{number} {what}: {}", total.line())?;
    writeln!(out, "exit code {}: {}", exit as u8, exit.reason())
}

/// Checks one specification; returns how it went, and what is shown of it. As text it is shown at once.
fn one(
    arguments: &Arguments,
    plan: &mut Plan,
    (input, folders): (&Input, &Folders),
    out: &mut dyn Write,
) -> io::Result<(Exit, Option<Shown>)> {
    let specification = Specification::load(input, &arguments.roots);
    let is_text = arguments.format == Shape::Text && arguments.shard.is_none();
    if is_text {
        specification.complain()?;
    }
    let diagnostics = render::json(&specification.compiled.diagnostics, &specification.sources);
    let mut shown = Shown {
        json: json!({ "name": input.name, "compiled": false, "diagnostics": diagnostics }),
        text: String::new(),
        complaints: specification.complaints(),
        tally: Tally::default(),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok((Exit::Specification, Some(shown)));
    };
    if let Some(what) = arguments.emit {
        return Ok((emit(what, program, out)?, None));
    }
    let mut checked = match look(arguments, plan, input, program) {
        Ok(checked) => checked,
        Err((why, exit)) => return Ok((fail(&why, exit)?, None)),
    };
    checked.judged.policy = plan.policy;
    let sizes = plan.sizes(program);
    let selection = &arguments.selection;
    let restrictions = selection.kept_from_with(&sizes, program, &checked.results);
    let sheet = specification.sheet((program, &checked), &restrictions);
    if let Err(Unreadable(why)) = folders.write(sheet) {
        return Ok((fail(&why, Exit::Output)?, None));
    }
    shown.tally = Tally::of(sheet);
    let is_written = arguments.update_expected || arguments.update_baseline;
    if is_written && plan.stop.is_wanted() {
        return Ok((Exit::Interrupted, None));
    }
    if is_written && !restrictions.is_empty() {
        let why = format!(
            "what is expected is not written where something was not looked at: `{}`",
            restrictions.join("`, `")
        );
        return Ok((fail(&why, Exit::Usage)?, None));
    }
    if arguments.update_expected {
        let unknown = shown.tally.unknown;
        return Ok((updated((input, program), (&checked, unknown), out)?, None));
    }
    if let (true, Known::Listed(listed)) = (arguments.update_baseline, &mut plan.known) {
        listed.put(input, expected::listed(program, &checked));
        let open = shown.tally.unknown > 0;
        return Ok((if open { Exit::Inconclusive } else { Exit::Ok }, None));
    }
    shown.json = check_json(sheet);
    shown.json["compiled"] = json!(true);
    shown.json["diagnostics"] = diagnostics;
    let style = |usual| Style {
        all: arguments.all,
        quiet: arguments.quiet,
        ..usual
    };
    if is_text {
        let style = style(terminal::style(arguments.quiet));
        show(out, style, |style| check_text(sheet, style))?;
    } else if arguments.shard.is_some() {
        shown.text = check_text(sheet, style(Style::default()));
    }
    Ok((exit(shown.tally), Some(shown)))
}

/// The folders that were asked for, of one specification.
struct Folders {
    /// For witnesses.
    witnesses: Option<PathBuf>,
    /// For the questions behind proofs.
    certificates: Option<PathBuf>,
}

impl Folders {
    /// Those of each specification.
    fn of(arguments: &Arguments, inputs: &[Input]) -> Result<Vec<Self>, (String, Exit)> {
        let each = |root: &Option<PathBuf>, what| destinations::of(root.as_deref(), what, inputs);
        let witnesses = each(&arguments.save_witnesses, "the witnesses")?;
        let certificates = each(&arguments.emit_smt, "the certificates")?;
        let both = witnesses.into_iter().zip(certificates);
        let folders = both.map(|(witnesses, certificates)| Self {
            witnesses,
            certificates,
        });
        Ok(folders.collect())
    }

    /// Writes what belongs there.
    fn write(&self, sheet: Sheet<'_>) -> Result<(), Unreadable> {
        if let Some(folder) = &self.witnesses {
            witnesses::save(folder, sheet.name, sheet.program, &sheet.results.findings)?;
        }
        match &self.certificates {
            Some(folder) => output::write_all(folder, &answer_certificates(sheet, &smt::solver())),
            None => Ok(()),
        }
    }
}

/// Looks at a specification as the plan says.
fn look(
    arguments: &Arguments,
    plan: &mut Plan,
    input: &Input,
    program: &Program,
) -> Result<Checked, (String, Exit)> {
    let known = plan.expected(input)?;
    let sizes = plan.sizes(program);
    let how = How {
        name: &input.name,
        position: plan.position,
        sizes: &sizes,
        limits: plan.limits(),
        quiet: arguments.quiet,
        stop: plan.stop.clone(),
        beside: BTreeMap::new(),
        alone: Named::default(),
    };
    selection::check(program, &arguments.selection, &how, known.as_ref())
}

/// Writes the baseline.
fn updated_baseline(plan: &mut Plan, worst: Exit, out: &mut dyn Write) -> io::Result<Exit> {
    let Known::Listed(listed) = &mut plan.known else {
        return Ok(worst);
    };
    match listed.write() {
        Ok(what) => {
            writeln!(out, "{what}")?;
            Ok(worst)
        }
        Err(Unreadable(why)) => fail(&why, Exit::Output),
    }
}

/// Prints what the engines make of a specification.
fn emit(what: Emit, program: &Program, out: &mut dyn Write) -> io::Result<Exit> {
    let text = match what {
        Emit::Ir => driver::ir(program),
        Emit::Footprints => driver::footprints(program),
    };
    out.write_all(text.as_bytes())?;
    Ok(Exit::Ok)
}

/// The exit code that the numbers of findings call for.
pub(super) fn exit(tally: Tally) -> Exit {
    match (tally.is_news(), tally.unknown) {
        (true, _) => Exit::Findings,
        (false, 0) => Exit::Ok,
        (false, _) => Exit::Inconclusive,
    }
}

/// Writes the file of expected findings. What is unknown is not in it.
fn updated(
    (input, program): (&Input, &Program),
    (checked, unknown): (&Checked, usize),
    out: &mut dyn Write,
) -> io::Result<Exit> {
    match expected::update(input, program, checked) {
        Ok(Some((path, count))) => {
            let findings = if count == 1 { "finding" } else { "findings" };
            let (open, exit) = match unknown {
                0 => (String::new(), Exit::Ok),
                1 => ("; 1 question is open".to_owned(), Exit::Inconclusive),
                _ => (
                    format!("; {unknown} questions are open"),
                    Exit::Inconclusive,
                ),
            };
            writeln!(out, "{}: {count} expected {findings}{open}", path.display())?;
            Ok(exit)
        }
        Ok(None) => fail(
            "standard input has no file of expected findings",
            Exit::Usage,
        ),
        Err(Unreadable(why)) => fail(&why, Exit::Output),
    }
}
