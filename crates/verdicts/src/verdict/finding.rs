//! Findings: what is wrong with a document, or noteworthy, as data.

use super::answer::{Extra, Question, Scope, Untested};
use super::under::Under;
use endstep_language::diag::{Code, Severity};
use endstep_language::source::Span;
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{
    BoardId, ClauseIdx, EntityId, GapId, Owner, Program, ReadingId, SequenceId, SortId, StepId,
    StmtId, TriggerId, Value, ZoneId,
};
use endstep_semantics::semantics::{ChoiceKind, Exceeded, GapName, Readings, Site, Spot, Who};
use endstep_semantics::witness::{Ability, Grown, Outcome, Violated, Witness};
use serde::{Deserialize, Serialize};

/// Something wrong or noteworthy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What kind of finding.
    pub code: Code,
    /// Whether an engine found it, or the author wrote it down as a claim or example.
    pub origin: Origin,
    /// How bad it is.
    pub severity: Severity,
    /// The weakest basis of any rule executed on the witness; `Text` of findings without one.
    pub basis: BasisKind,
    /// A name that survives unrelated edits: a statement's path, `cleanup/destroy`, a reading, a claim.
    pub subject: String,
    /// What is to blame there, for telling findings with one subject apart; by names.
    pub cause: String,
    /// Clauses it rests on, in order, each once.
    pub clauses: Vec<ClauseIdx>,
    /// Where it is, the most telling place first.
    pub spans: Vec<Span>,
    /// Under which readings it occurs.
    pub readings: Under,
    /// Whether it is known not to occur under the others: nothing was given up or left out, and nothing else
    /// that was looked at shows it.
    pub readings_known: bool,
    /// On how many legal boards of the scope it occurs, under some of these readings.
    pub boards: u64,
    /// On how many of them it occurs under each of these readings.
    pub boards_each: u64,
    /// On how many of them under which, if not on as many under all of them.
    pub by_reading: Vec<(Readings, u64)>,
    /// The same for each scope in which it was found on boards, by position, ascending; what stands here for itself
    /// is that of [`scope`](Self::scope).
    pub counted: Vec<Counted>,
    /// On which; `None` of findings that are about no board.
    pub occurs: Option<super::Occurs>,
    /// The scope, by position; `None`: nothing had to be explored.
    pub scope: Option<usize>,
    /// The other scopes in which it was found, by position, ascending.
    pub elsewhere: Vec<usize>,
    /// The readings that were fixed from outside: nothing is known of runs under other alternatives.
    pub fixed: Readings,
    /// Whether some boards were left out under some readings, under which they are legal and not to be explored.
    pub untried: bool,
    /// What reproduces it.
    pub witness: Option<Witness>,
    /// Why its board was looked at, if it belongs to no scope.
    pub outside: Option<Outside>,
    /// How small the witness is.
    pub minimality: Minimality,
    /// Where any number of entities more changes nothing of it: they stand by.
    pub wider: Vec<Standby>,
    /// Places on the board of the witness whose value decides whether it is found.
    pub decisive: Vec<Decisive>,
    /// Places there of which it is not known whether their value decides.
    pub undecided: Vec<Undecided>,
    /// The facts.
    pub detail: Detail,
}

/// On how many boards of a scope a finding occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The scope, by position.
    pub scope: usize,
    /// Under which readings.
    pub readings: Under,
    /// On how many legal boards, under some of these readings.
    pub boards: u64,
    /// On how many under each of them.
    pub boards_each: u64,
    /// On how many under which, if not on as many under all of them.
    pub by_reading: Vec<(Readings, u64)>,
    /// What tells these boards from others, whatever the order of declarations; `None`: it was not worked out.
    pub digest: Option<u64>,
}

/// Why a board was looked at that belongs to no scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outside {
    /// The prover suggested it.
    Suggested,
    /// The specification writes it down.
    Written(BoardId),
}

impl Finding {
    /// Whether all boards were looked at under every reading.
    pub fn is_tried_under_all(&self) -> bool {
        self.fixed.is_empty() && !self.untried
    }

    /// Under which readings it occurs in its own scope.
    pub fn readings_in_scope(&self) -> &Under {
        let mut counted = self.counted.iter();
        let own = counted.find(|one| Some(one.scope) == self.scope);
        own.map_or(&self.readings, |one| &one.readings)
    }

    /// Whether something was given up in a scope without which it is not known of a board whether it occurs there.
    pub fn lacks(&self, scope: &Scope) -> bool {
        let needed = self.detail.depends_on();
        needed.iter().any(|one| scope.given_up.contains_key(one))
    }

    /// The names of claims and conditions of legality that are at odds, if that is what it says.
    pub fn demanded<'p>(&self, program: &'p Program) -> Vec<&'p str> {
        let Detail::Demands(_, core) = &self.detail else {
            return Vec::new();
        };
        let name = |one: &Violated| match one {
            Violated::Claim(at) => program.claims.get(*at).map(|claim| claim.name.as_str()),
            Violated::Legal(at) => program.legals.get(*at).map(|legal| legal.name.as_str()),
            _ => None,
        };
        core.iter().filter_map(name).collect()
    }
}

/// Where entities can be added to a board without changing what happens on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standby {
    /// Of which sort.
    pub sort: SortId,
    /// Where they lie; `None` of sorts without zones.
    pub zone: Option<ZoneId>,
    /// Conditions on their fields, by their places, and whether they are true of them.
    pub only: Vec<(Span, bool)>,
}

/// A place on the board of a witness whose value decides, all else being as it is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decisive {
    /// The place.
    pub spot: Spot,
    /// With these values the same is found, in order.
    pub found: Vec<Value>,
    /// With these the board is legal, and it is not found; in order.
    pub other: Vec<Value>,
    /// Whether the document allows no values that were not tried.
    pub all: bool,
}

/// A place on the board of a witness of which it is not known whether its value decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undecided {
    /// The place.
    pub spot: Spot,
    /// Why not.
    pub why: Obscurity,
}

impl Undecided {
    /// That place, for that reason.
    pub fn of(spot: Spot, why: Obscurity) -> Self {
        Self { spot, why }
    }
}

/// Why it is not known whether a value decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Obscurity {
    /// There are more values than are tried.
    Values,
    /// Runs were given up, with one value or another.
    Runs,
    /// Looked at by itself, within wider bounds of exploration, the board of the witness shows something else.
    Board,
}

/// Who says that something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// An engine, of itself.
    Discovered,
    /// The author, by a claim, a question or an example.
    Declared,
}

/// Whether a smaller witness could exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Minimality {
    /// Everything smaller was exhausted.
    Exact,
    /// Smaller boards show it, too, but on a weaker basis, or less plainly.
    Plainest,
    /// Something smaller was left out because of a limit.
    BestEffort,
}

/// Two alternatives of a choice point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The point.
    pub site: Site,
    /// The kind of the point.
    pub kind: ChoiceKind,
    /// The decider.
    pub who: Who,
    /// The kinds of alternatives, in words that do not depend on the board (`Card`, names of steps
    /// and triggers).
    pub kinds: (String, String),
    /// The one.
    pub first: endstep_semantics::semantics::Key,
    /// The other.
    pub second: endstep_semantics::semantics::Key,
}

impl Pair {
    /// The same two, the other way round.
    pub fn turn(&mut self) {
        std::mem::swap(&mut self.first, &mut self.second);
        std::mem::swap(&mut self.kinds.0, &mut self.kinds.1);
    }
}

/// A change of a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// The first of two steps of a list always comes before the second.
    Before(StepId, StepId),
    /// The steps of a sequence are done in the order written.
    AsWritten(SequenceId),
    /// What is done in any order there is done as things lie, from left to right.
    LeftToRight(Site),
    /// Only this alternative of a reading is meant.
    Reading(ReadingId, u16),
    /// The step is done once more at the end of its sequence.
    Again(StepId),
}

/// A change after which a finding is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// Which.
    pub change: Change,
    /// On how many boards that was checked, those of each scope.
    pub boards: u64,
    /// In how many scopes, which can have boards in common.
    pub scopes: usize,
}

/// How two readings that differ stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Difference {
    /// They rest on one clause.
    Ambiguity,
    /// They rest on different clauses.
    Contradiction,
    /// One rests only on clauses that yield to one of the other.
    Overruled,
}

/// How a state that can run for ever could come to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LoopClass {
    /// Not at all.
    Mandatory,
    /// Not if the order or a gap's values are unlucky, even if all players cooperate.
    OrderDriven,
    /// If chance wills.
    ByChance,
    /// If somebody wants it: a player, or (`None`) only the players together.
    Optional(Option<EntityId>),
}

/// The facts of a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Detail {
    /// A clause is neither formalised nor waived.
    MissingClause(ClauseIdx),
    /// A clause refers to what is not there.
    DanglingReference(ClauseIdx, String),
    /// A clause uses a term that none defines.
    UndefinedTerm(ClauseIdx, String),
    /// The order of two alternatives matters. The outcomes are in the witness.
    Order(Pair),
    /// Two steps of an unspecified or free list do not commute.
    Steps(SequenceId, Pair),
    /// Two such steps do not commute, but all runs stop in the same gaps, whichever comes first.
    SameGap(SequenceId, Pair),
    /// In an order that the document fixes, the position of elements decides.
    Position {
        /// The iteration.
        stmt: StmtId,
        /// The two elements, in the order of the document if that has one.
        pair: Pair,
        /// Whether that order has a beginning on all runs from the board; else some stop there.
        begins: bool,
    },
    /// Runs end in a gap.
    Gap(GapName),
    /// A gap that goes on is met, by this statement.
    GapMet(GapId, StmtId),
    /// The values of a gap make a difference: two of them.
    GapMatters(GapId, StmtId, Value, Value),
    /// It matters what is chosen where nobody in particular chooses: two choices.
    NobodyChooses(Pair),
    /// Two sentences cannot both be followed; whether it makes a difference which one is (`None`: more is
    /// taken from a supply than it holds, and the run cannot go on).
    Conflict(Site, Option<bool>),
    /// A write outside the document's bound.
    Range(Exceeded),
    /// Two alternatives of a reading lead to different outcomes.
    Reading {
        /// Which.
        reading: ReadingId,
        /// One alternative.
        first: u16,
        /// The other.
        second: u16,
        /// How they stand to each other.
        difference: Difference,
    },
    /// Two alternatives of a reading have the same outcomes, but give somebody different power.
    ReadingPower {
        /// Which.
        reading: ReadingId,
        /// The alternative under which they can.
        able: u16,
        /// The one under which not.
        unable: u16,
        /// Force or avoid.
        ability: Ability,
        /// How they stand to each other.
        difference: Difference,
    },
    /// At each outcome of the sequence some of these demands is not met, at none all of them are.
    Demands(SequenceId, Vec<Violated>),
    /// A run may never end.
    Loop {
        /// The sequence.
        sequence: SequenceId,
        /// How it could end.
        class: LoopClass,
        /// What its round passes: the triggers that are resolved, else the steps, in an order of their own.
        passes: Vec<Site>,
    },
    /// A run goes round as before, each time with more.
    Growth {
        /// The sequence.
        sequence: SequenceId,
        /// What a round adds.
        grown: Vec<Grown>,
        /// Whether a player or chance decides something in a round.
        decided: bool,
    },
    /// A condition of legality does not hold at a normal end.
    Legal(SequenceId, usize),
    /// An `ensures` of a step fails.
    Ensures(StepId, usize),
    /// An `ensures` of the contract of a sequence fails at its end.
    Contract(SequenceId, usize),
    /// A sequence changes what its contract does not list, or (`true`) leaves outside of its bounds what it
    /// does list: the place or zone, in words.
    Frame(SequenceId, String, bool),
    /// A contract cannot be met.
    Stuck(SequenceId),
    /// A claim, by position, is false. The witness says why.
    Claim(usize, ClaimFailure),
    /// A line of an example, by positions, does not hold. The outcome expected of a run that has
    /// another one is in the example.
    Example {
        /// Which.
        example: usize,
        /// Its line; `None`: the board is not legal, or a choice was never offered.
        line: Option<usize>,
        /// Why.
        why: ExampleFailure,
        /// The assignments under which the example is not known to come out, in all of its lines and with an
        /// end.
        misses: Vec<Readings>,
    },
    /// A cancelled pass drops steps or elements that nothing brings back.
    Dropped {
        /// Which sequence.
        sequence: SequenceId,
        /// Steps that are dropped on some board.
        steps: Vec<StepId>,
        /// Iterations whose elements are dropped on some board.
        iterations: Vec<StmtId>,
    },
    /// Doing a step again at once changes nothing, doing it at the end does.
    MissingRecheck(SequenceId, StepId),
    /// No run executes it.
    DeadStatement(StmtId),
    /// No run executes it.
    DeadStep(StepId),
    /// No run executes it.
    DeadTrigger(TriggerId),
    /// No run depends on the reading at all.
    DeadReading(ReadingId),
    /// Without it nothing would be different: these sequences execute it, and come out the same.
    IdleStep(StepId, Vec<SequenceId>),
    /// Something that holds was never put to the test.
    Untested(Question, Untested),
    /// The writing of a specification stops here: it has no legal board in scope.
    NoBoard(SequenceId),
}

impl Detail {
    /// The basis of what no run does, or what makes no difference: that of its step or trigger.
    pub fn own_basis(&self, program: &Program) -> BasisKind {
        let of_step = |step: StepId| program.steps[step].basis.kind;
        match self {
            Self::DeadStep(step) | Self::IdleStep(step, _) | Self::MissingRecheck(_, step) => {
                of_step(*step)
            }
            Self::DeadTrigger(trigger) => program.triggers[*trigger].basis.kind,
            Self::DeadStatement(stmt) => match program.stmts[*stmt].owner {
                Some(Owner::Step(step)) => of_step(step),
                Some(Owner::Trigger(trigger)) => program.triggers[trigger].basis.kind,
                Some(Owner::Restart(_)) | None => BasisKind::Text,
            },
            // What has a witness rests on what is executed there; the rest is about no rule.
            _ => BasisKind::Text,
        }
    }

    /// The tests beside the runs themselves without which it is not known of a board whether this occurs there.
    pub fn depends_on(&self) -> Vec<Extra> {
        match self {
            Self::Claim(claim, ClaimFailure::Again | ClaimFailure::Equivalent) => {
                vec![Extra::Again(*claim), Extra::Compared(*claim)]
            }
            Self::Position { stmt, .. } => vec![Extra::Position(*stmt)],
            Self::Demands(..) => vec![Extra::Demands],
            _ => Vec::new(),
        }
    }
}

/// Why a claim is false.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClaimFailure {
    /// The order of two alternatives matters.
    Order(Pair),
    /// The two sequences end differently. Which of them has the outcome is in the witness.
    Equivalent,
    /// Some run need not end.
    Loop(LoopClass),
    /// The condition is false there.
    Condition,
    /// The condition (of `unreachable`) is true there; of `reachable`: it is nowhere.
    Reached,
    /// Nowhere true (`reachable`).
    Never,
    /// The condition has no value there: a gap.
    Gap(GapName),
    /// Doing it again changes something.
    Again,
    /// No failure: what is asked for the largest or smallest value takes this one there.
    Takes(i64),
}

/// Why an example fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExampleFailure {
    /// Its board is not legal: the n-th condition.
    Illegal(usize),
    /// No choice point of a run offers the label.
    NeverOffered,
    /// A condition is false.
    False,
    /// A condition has no value.
    NoValue,
    /// No run has it.
    Impossible,
    /// A run ends otherwise.
    Otherwise(Outcome),
    /// The step does not end after the line before.
    NoStep,
}

impl ExampleFailure {
    /// A condition is not met, for this reason.
    pub fn unmet(why: &ClaimFailure) -> Self {
        match matches!(why, ClaimFailure::Gap(_)) {
            true => Self::NoValue,
            false => Self::False,
        }
    }
}
