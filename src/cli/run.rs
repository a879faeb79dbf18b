//! `endstep run`: play a sequence on a board, by yourself or by dice.

use super::exit::Exit;
use super::include::Roots;
use super::plain::show;
use super::specification::{Specification, fail, open};
use super::terminal;
use crate::driver::{self, At, Choice, NotFound, Starts, Walk};
use clap::Args;
use endstep_language::typing::program::{Program, ReadingId, SequenceId};
use endstep_report::report::{Play, shell_word};
use endstep_semantics::semantics::{ChoicePoint, Data, Interpreter, Names, Tag};
use endstep_semantics::witness::Run;
use endstep_verdicts::analysis::is_legal_at_all;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

/// The most choices that dice make.
const MOST_CHOICES: usize = 1000;

/// More bytes than these are not read for one answer.
const LONGEST_ANSWER: u64 = 4096;

/// Play a sequence on a board, by dice or choice by choice
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep run game.endstep                               by dice, on a random board
  endstep run game.endstep cleanup --board davids_lane --seed 7
  endstep run game.endstep --board 12 --interactive      on the 12th legal board")]
pub(super) struct Arguments {
    /// The specification
    file: PathBuf,
    /// What is played; without it, the first sequence that is verified
    sequence: Option<String>,
    /// A board of the specification, or the number of a legal one: smallest first, and one `verify` after the other
    #[arg(long, value_name = "NAME|N")]
    board: Option<String>,
    /// Decides where dice do: the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Read a clause in this way; others are asked for, or read in the first way
    #[arg(long, value_name = "READING=ALTERNATIVE")]
    reading: Vec<Choice>,
    /// Ask for every choice; u takes the last one back
    #[arg(long, short)]
    interactive: bool,
    #[command(flatten)]
    roots: Roots,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let (_, specification) = match open(&arguments.file, &arguments.roots)? {
        Ok(opened) => opened,
        Err(exit) => return Ok(exit),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok(Exit::Specification);
    };
    let mut dice = Dice(arguments.seed);
    let begun = begin(arguments, program, &mut dice);
    let (sequence, board, names, readings) = match begun {
        Ok(begun) => begun,
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    let game = Game {
        specification: &specification,
        program,
        names: &names,
    };
    game.show(out, &|play| play.opening(sequence, &board))?;
    let walk = Walk::new(program, sequence, (board, names.clone()), readings);
    match arguments.interactive {
        true => game.ask(walk, &mut io::stdin().lock(), out),
        false => game.roll(walk, &mut dice, out),
    }
}

type Begun = (
    SequenceId,
    Data,
    Names,
    endstep_semantics::semantics::Readings,
);

/// What is played, on which board, under which readings.
fn begin(arguments: &Arguments, program: &Program, dice: &mut Dice) -> Result<Begun, NotFound> {
    let sequence = driver::sequence(program, arguments.sequence.as_deref())?;
    let readings = driver::readings(program, &arguments.reading)?;
    let starts = Starts::new(program, &readings, sequence);
    let (board, names) = match &arguments.board {
        Some(name) => starts.called(name)?,
        None => starts.any(&mut |sides| dice.below(sides))?,
    };
    Ok((sequence, board, names, readings))
}

/// What a run is shown with.
#[derive(Clone, Copy)]
struct Game<'a> {
    specification: &'a Specification,
    program: &'a Program,
    names: &'a Names,
}

impl Game<'_> {
    /// Shows something of the run.
    fn show(&self, out: &mut dyn Write, what: &dyn Fn(&Play<'_>) -> String) -> io::Result<()> {
        show(out, terminal::style(false), |style| {
            what(&Play {
                program: self.program,
                sources: &self.specification.sources,
                names: self.names,
                style,
            })
        })
    }

    /// Shows what happened since `shown` moments; returns how many there are now.
    fn news(&self, walk: &Walk<'_>, shown: usize, out: &mut dyn Write) -> io::Result<usize> {
        match walk.trace() {
            Ok(trace) => {
                let shown = shown.min(trace.moments.len());
                self.show(out, &|play| play.moments(&trace.moments, shown))?;
                Ok(trace.moments.len())
            }
            Err(error) => {
                let why = error.message(self.program, self.names);
                writeln!(out, "  the run cannot be shown: {why}")?;
                Ok(shown)
            }
        }
    }

    /// Plays by dice.
    fn roll(&self, mut walk: Walk<'_>, dice: &mut Dice, out: &mut dyn Write) -> io::Result<Exit> {
        let mut assumed: Vec<ReadingId> = Vec::new();
        let end = loop {
            match walk.go() {
                At::Choice(point) if walk.run().choices.len() < MOST_CHOICES => {
                    let taken = dice.below(point.alternatives.len());
                    if walk.take(taken).is_err() {
                        break At::GivenUp;
                    }
                }
                At::Choice(_) => break At::GivenUp,
                At::Reading(reading) => {
                    walk.read(reading, 0);
                    assumed.push(reading);
                }
                end => break end,
            }
        };
        self.news(&walk, 0, out)?;
        for reading in assumed {
            let reading = &self.program.readings[reading];
            let name = reading
                .alternatives
                .first()
                .map_or("", |one| one.name.as_str());
            let taken = shell_word(&format!("{}={name}", reading.name));
            writeln!(out, "  read as --reading {taken}")?;
        }
        self.finish(walk.run(), &end, out)
    }

    /// Says how it ended, and if the board is not legal as the text was read.
    fn finish(&self, run: &Run, end: &At, out: &mut dyn Write) -> io::Result<Exit> {
        let it = Interpreter {
            program: self.program,
            readings: &run.readings,
            variant: &run.variant,
        };
        if is_legal_at_all(it, &run.board) == Ok(false) {
            writeln!(
                out,
                "  under these readings the board does not meet all conditions of `legal`"
            )?;
        }
        match end {
            At::Ended(ended) => {
                self.show(out, &|play| play.outcome(ended))?;
                Ok(match ended.tag {
                    Tag::Limit(_) => Exit::Inconclusive,
                    _ => Exit::Ok,
                })
            }
            At::Again { since, forced } => {
                writeln!(out, "=> {}", again(*since, *forced))?;
                Ok(Exit::Ok)
            }
            At::GivenUp | At::Choice(_) | At::Reading(_) => {
                writeln!(out, "=> given up: too many steps without an end")?;
                Ok(Exit::Inconclusive)
            }
        }
    }

    /// Plays choice by choice.
    fn ask(
        &self,
        mut walk: Walk<'_>,
        answers: &mut dyn BufRead,
        out: &mut dyn Write,
    ) -> io::Result<Exit> {
        let mut shown = 0;
        let mut exit = Exit::Ok;
        loop {
            let at = walk.go();
            shown = self.news(&walk, shown, out)?;
            let answer = match &at {
                At::Choice(point) => self.question(point, answers, out)?,
                At::Reading(reading) => self.reading(*reading, answers, out)?,
                At::Again {
                    forced: false,
                    since,
                } => {
                    writeln!(out, "{}", again(*since, false))?;
                    continue;
                }
                end => {
                    exit = self.finish(walk.run(), end, out)?;
                    self.prompt("u to take the last answer back, q to stop", answers, out)?
                }
            };
            match (answer, at) {
                (Answer::Quit, _) => return Ok(exit),
                (Answer::Unreadable(why), _) => {
                    return fail(&format!("cannot read the answer: {why}"), Exit::Unreadable);
                }
                (Answer::Undo, _) => {
                    exit = Exit::Ok;
                    if walk.undo().is_err() {
                        writeln!(out, "there is nothing to take back")?;
                    }
                    shown = walk.trace().map_or(0, |trace| trace.moments.len());
                    writeln!(out, "\nback to")?;
                    let board = walk.data().clone();
                    self.show(out, &|play| play.board(&board))?;
                }
                (Answer::Number(at), At::Choice(_)) => {
                    if walk.take(at).is_err() {
                        writeln!(out, "there is no such alternative")?;
                    }
                }
                (Answer::Number(at), At::Reading(reading)) => walk.read(reading, at as u16),
                (Answer::Number(_), _) => {}
            }
        }
    }

    fn question(
        &self,
        point: &ChoicePoint,
        answers: &mut dyn BufRead,
        out: &mut dyn Write,
    ) -> io::Result<Answer> {
        self.show(out, &|play| play.choice(point))?;
        let most = point.alternatives.len();
        self.number(most, answers, out)
    }

    fn reading(
        &self,
        reading: ReadingId,
        answers: &mut dyn BufRead,
        out: &mut dyn Write,
    ) -> io::Result<Answer> {
        self.show(out, &|play| play.reading(reading))?;
        let most = self.program.readings[reading].alternatives.len();
        self.number(most, answers, out)
    }

    /// Asks until there is an answer that fits.
    fn number(
        &self,
        most: usize,
        answers: &mut dyn BufRead,
        out: &mut dyn Write,
    ) -> io::Result<Answer> {
        loop {
            match self.prompt(&format!("1 to {most}, u to undo, q to stop"), answers, out)? {
                Answer::Number(at) if at >= most => {}
                answer => return Ok(answer),
            }
        }
    }

    fn prompt(
        &self,
        text: &str,
        answers: &mut dyn BufRead,
        out: &mut dyn Write,
    ) -> io::Result<Answer> {
        loop {
            write!(out, "{text}> ")?;
            out.flush()?;
            let mut line = String::new();
            match io::Read::take(&mut *answers, LONGEST_ANSWER).read_line(&mut line) {
                Ok(0) => {
                    writeln!(out)?;
                    return Ok(Answer::Quit);
                }
                Ok(_) => {}
                Err(error) => return Ok(Answer::Unreadable(error.to_string())),
            }
            if !io::stdin().is_terminal() {
                // What is typed on a terminal is seen anyway.
                writeln!(out, "{}", line.trim())?;
            }
            match (line.trim(), line.trim().parse::<usize>()) {
                ("u", _) => return Ok(Answer::Undo),
                ("q", _) => return Ok(Answer::Quit),
                (_, Ok(number)) if number > 0 => return Ok(Answer::Number(number - 1)),
                _ => {}
            }
        }
    }
}

fn again(since: usize, forced: bool) -> String {
    match forced {
        true => "it never ends: the same position comes back, and nothing can be chosen".to_owned(),
        false => format!(
            "the same position as after {since} choices is back: the run can go round for ever"
        ),
    }
}

/// What a person answers.
enum Answer {
    Number(usize),
    Undo,
    Quit,
    Unreadable(String),
}

/// Numbers that look random and are the same on every machine (`SplitMix64`).
struct Dice(u64);

impl Dice {
    /// A number from 0 up to, but not including, the sides; 0 without any.
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let rest = mixed.checked_rem(sides as u64).unwrap_or(0);
        rest as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_show_every_side_and_nothing_else() {
        let mut dice = Dice(0);
        let mut seen = [0_usize; 6];
        for _ in 0..600 {
            seen[dice.below(6)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
        assert_eq!(dice.below(0), 0);
        assert_eq!(dice.below(1), 0);
    }
}
