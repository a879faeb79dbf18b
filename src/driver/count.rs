//! Counts the state space of a sequence, on one board or on all legal ones.
//!
//! ```text
//! board 1   no reading consulted        9 states     1 combination
//! board 2   zero = exactly             12 states     2 combinations
//!           zero = or_less             14 states
//! ```

use std::ops::ControlFlow;

use super::NotFound;
use super::start::{Starts, no_board, sequence};
use endstep_engines::explore::{Consulted, Explorer, Quest, space};
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{Concern, Program, SequenceId, Verify};
use endstep_report::report::{Account, Shortfall};
use endstep_semantics::semantics::{Data, Interpreter, Names, Readings, Variant};
use endstep_verdicts::analysis::{
    self, Boards, Engine, Options, each_alternative, leaves_boards_out,
};

/// What is to be counted.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The name of the sequence; without it, the first that is verified.
    pub sequence: Option<&'a str>,
    /// A written board, or the number of a legal one; without it, all legal ones.
    pub board: Option<&'a str>,
    /// Which boards and readings, and the limits; their number of states is not looked at.
    pub options: &'a Options,
    /// Most states, over all boards.
    pub states: u64,
    /// Whether data are counted at choice points and where steps end.
    pub points: bool,
}

/// Counts what is asked for.
///
/// # Errors
///
/// If there is no such sequence or board, or no legal board.
pub fn count(sheet: (&Program, &SourceMap), request: Request<'_>) -> Result<Account, NotFound> {
    let program = sheet.0;
    let sequence = sequence(program, request.sequence)?;
    let readings = &request.options.readings;
    let mut verifies = program.verifies.iter();
    let verify = verifies.find(|one| one.sequence == sequence);
    let mut counter = Counter {
        sheet,
        request,
        sequence,
        verify: None,
        variant: Variant::default(),
        explorer: Explorer::new(program),
        account: Account::new(sequence, readings),
    };
    counter.asked_by(verify);
    if let Some(name) = request.board {
        let starts = Starts::new(program, readings, sequence);
        let number = name.parse().ok();
        let (board, names) = match number {
            Some(number) => {
                let (board, verify) = starts.of_verify(number)?;
                counter.asked_by(verify);
                starts.with_names(board)
            }
            None => starts.named(name)?,
        };
        counter.account.board = Some(name.to_owned());
        // A number is that of a legal board, which need not be legal under all readings.
        let _ = counter.board(&board, &names, number.is_some());
        return Ok(counter.account);
    }
    let sizes = verify.map_or(&[][..], |one| &one.sizes);
    let boards = Boards::new(program, sizes, request.options);
    counter.all(&boards.about(Concern::of(program, sequence)));
    match counter.account {
        account if account.boards == 0 && account.shortfalls.is_empty() => {
            let options = request.options;
            let left = leaves_boards_out(program, options) || !options.readings.is_empty();
            Err(no_board(program, verify, left))
        }
        account => Ok(account),
    }
}

/// Why runs from a board under some readings are not counted.
enum Halt {
    /// It is not a legal one.
    Illegal,
    /// A reading must be fixed first.
    Consult(Consulted),
    /// It cannot be said whether it is legal.
    Costly,
}

struct Counter<'a> {
    sheet: (&'a Program, &'a SourceMap),
    request: Request<'a>,
    sequence: SequenceId,
    /// The `verify` that asks for the boards.
    verify: Option<usize>,
    variant: Variant,
    explorer: Explorer,
    account: Account,
}

impl Counter<'_> {
    /// Boards are those for which a `verify` asks, and what it replaces by contracts is replaced.
    fn asked_by(&mut self, verify: Option<&Verify>) {
        let mut verifies = self.sheet.0.verifies.iter();
        self.verify = verify.and_then(|one| verifies.position(|other| std::ptr::eq(one, other)));
        let contracts = verify.map(|one| one.contracts.iter().copied());
        self.variant.contracts = contracts.into_iter().flatten().collect();
    }

    fn all(&mut self, boards: &Boards<'_>) {
        let limits = self.request.options.limits;
        let explorer = self.explorer.clone();
        let readings = &self.request.options.readings;
        let verify = self.verify;
        let sieves = |dealt: &Data| explorer.sieve(dealt, readings, verify);
        let mut left = limits.candidates;
        let _ = boards.each(&sieves, &mut |_, board| {
            if left == 0 || self.account.boards >= limits.boards {
                self.account.shortfalls.insert(Shortfall::Boards);
                return ControlFlow::Break(());
            }
            left -= 1;
            let names = Names::numbered(self.sheet.0, board);
            self.board(board, &names, true)
        });
        if boards.gave_up() {
            self.account.shortfalls.insert(Shortfall::Boards);
        }
    }

    /// Counts on one board under all readings that are consulted; breaks at a limit.
    fn board(&mut self, board: &Data, names: &Names, enumerated: bool) -> ControlFlow<()> {
        let mut todo = vec![self.request.options.readings.clone()];
        let mut tried = 0;
        let before = self.account.combinations;
        let mut flow = ControlFlow::Continue(());
        while let Some(readings) = todo.pop() {
            tried += 1;
            if tried > self.request.options.limits.readings {
                self.account.shortfalls.insert(Shortfall::Readings);
                break;
            }
            match self.combination(board, names, (&readings, enumerated)) {
                Ok(()) if self.account.space.complete => {}
                Ok(()) => {
                    let most = self.request.states;
                    self.account.shortfalls.insert(Shortfall::States(most));
                    flow = ControlFlow::Break(());
                    break;
                }
                Err(Halt::Illegal) => {}
                Err(Halt::Costly) => {
                    self.account.shortfalls.insert(Shortfall::Legality);
                }
                Err(Halt::Consult(Consulted(reading))) => {
                    todo.extend(each_alternative(self.sheet.0, &readings, reading));
                }
            }
        }
        self.account.boards += u64::from(self.account.combinations > before);
        flow
    }

    /// Counts on one board under some readings.
    fn combination(
        &mut self,
        board: &Data,
        names: &Names,
        (readings, enumerated): (&Readings, bool),
    ) -> Result<(), Halt> {
        if enumerated {
            self.is_legal(board, readings)?;
        }
        let left = self.request.states - self.account.space.states.min(self.request.states);
        let quest = Quest {
            sequence: self.sequence,
            board,
            readings,
            variant: &self.variant,
            states: usize::try_from(left).unwrap_or(usize::MAX),
            points: self.request.points,
        };
        let counted = space(self.explorer.ground(), quest).map_err(Halt::Consult)?;
        self.account.add(self.sheet, names, counted);
        Ok(())
    }

    fn is_legal(&self, board: &Data, readings: &Readings) -> Result<(), Halt> {
        let interpreter = Interpreter {
            program: self.sheet.0,
            readings,
            variant: &self.variant,
        };
        let program = self.sheet.0;
        let verify = self.verify.map(|at| &program.verifies[at]);
        let only = verify.and_then(|one| one.condition.as_ref());
        match analysis::is_legal(interpreter, only, board) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Halt::Illegal),
            Err(analysis::Halt::Consult(reading)) => Err(Halt::Consult(Consulted(reading))),
            Err(_) => Err(Halt::Costly),
        }
    }
}
