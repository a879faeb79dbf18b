//! The interpreter's surface: what is fixed for a run, and how a run begins.

use std::collections::{BTreeMap, BTreeSet};

use super::next::Next;
use super::state::{Data, State};
use crate::typing::program::{Program, ReadingId, SequenceId, StepId, StmtId, Value};

/// Alternatives of readings, fixed so far.
pub type Readings = BTreeMap<ReadingId, u16>;

/// How the program is changed for a check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Variant {
    /// Iterations that run in any order whatever the program says (position checks).
    pub free: BTreeSet<StmtId>,
    /// A step that does nothing (idle checks).
    pub skip: Option<StepId>,
    /// Sequences replaced by their contracts.
    pub contracts: BTreeSet<SequenceId>,
    /// Added to the headroom of every sort and the capacity of every queue, and, on both sides, to
    /// the reach of every place (to confirm growth).
    pub extra: u32,
}

/// The interpreter of a program under readings and a variant.
#[derive(Debug, Clone, Copy)]
pub struct Interpreter<'p> {
    /// The program.
    pub program: &'p Program,
    /// The readings fixed so far; one that is needed and not fixed is reported as [`Next::Consult`].
    pub readings: &'p Readings,
    /// The variant.
    pub variant: &'p Variant,
}

// Signatures (bodies in the sibling modules):
//   Interpreter::start(self, sequence, args: &[Value], data: Data) -> State
//   Interpreter::start_step(self, step, data: Data) -> State          (the step alone; no restart)
//   Interpreter::next(self, state: State) -> Next
//   Interpreter::condition(self, expr: &Expr, data: &Data, old: Option<&Data>) -> Result<bool, Stop>
//   Interpreter::value(self, expr: &Expr, data: &Data, old: Option<&Data>) -> Result<Value, Stop>
//   board::from_program(program, &Board) -> (Data, Names)
// Stop::Tag(Tag) | Stop::Consult(ReadingId)
