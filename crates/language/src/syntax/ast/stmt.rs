//! Statements: what a step does.

use endstep_walk::Walk;

use super::walk::{Visit, VisitMut, Walk};
use super::{Binder, Clause, ClauseLine, Comment, End, Expr, Loc, Name, Range, Text, Trivia};

/// The lines nested under a heading.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Walk)]
pub struct Block {
    /// The statements in order.
    pub stmts: Vec<Stmt>,
    /// Comments after the last of them.
    pub tail: Vec<Comment>,
}

/// One statement with its comments.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Stmt {
    /// Comments around it.
    pub trivia: Trivia,
    /// What it does.
    pub kind: StmtKind,
    /// The heading line (not the nested lines).
    pub loc: Loc,
}

/// The forms of statements.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = stmt)]
pub enum StmtKind {
    /// What the parser could not understand (an error was reported).
    Error,
    /// `nothing`: does nothing; for an alternative that the text says has no effect.
    Nothing,
    /// `pass`: whoever's turn it is does not react.
    Pass,
    /// `clause …` around statements, or `cites a, b` and the like standing alone.
    Clause(Box<Clause>, Block),
    /// A line that annotates the enclosing step, trigger or sequence (`cites`, `basis`).
    Annotation(ClauseLine),
    /// `let n = e`: the value now, for the rest of the block.
    Let(Name, Expr),
    /// `set PLACE to e`
    Set(Expr, Expr),
    /// `increase PLACE by e [, at most m]`
    Increase(Expr, Expr, Option<Expr>),
    /// `decrease PLACE by e [, at least m]`
    Decrease(Expr, Expr, Option<Expr>),
    /// `transfer e from PLACE to PLACE`
    Transfer {
        /// How much.
        amount: Expr,
        /// Taken from; a supply with less is a gap.
        from: Expr,
        /// Given to.
        to: Expr,
    },
    /// `move c to TARGET`
    Move(Expr, MoveTarget),
    /// `move all of Z to TARGET`, keeping their order.
    MoveAll(Expr, MoveTarget),
    /// `shuffle Z`
    Shuffle(Expr),
    /// `create Card [as n] [in TARGET] [with f = e, g = e]`
    Create {
        /// The sort.
        sort: Name,
        /// A name for it in the rest of the block.
        name: Option<Name>,
        /// Where it appears.
        target: Option<MoveTarget>,
        /// Fields other than the default.
        with: Vec<(Name, Expr)>,
    },
    /// `remove c`: out of the game.
    Remove(Expr),
    /// `announce destroyed(c)`
    Announce(Name, Vec<Expr>),
    /// `if c … otherwise if d … otherwise …`
    If(Vec<(Expr, Block)>, Option<(Trivia, Block)>),
    /// `cases [in order | chosen by P]` with `when` arms.
    Cases {
        /// What happens when several guards are true.
        policy: CasePolicy,
        /// The arms.
        arms: Vec<Arm>,
        /// `otherwise`
        otherwise: Option<(Trivia, Block)>,
        /// Comments after the last arm.
        tail: Vec<Comment>,
    },
    /// `depending on READING` with one `when ALTERNATIVE` each.
    Depending {
        /// The reading.
        reading: Name,
        /// The alternatives with what they do.
        arms: Vec<(Trivia, Name, Block)>,
        /// Comments after the last arm.
        tail: Vec<Comment>,
    },
    /// `for each BINDER[, ORDER][, DOMAIN]`
    ForEach {
        /// Over what.
        binder: Binder,
        /// In which order; not given: any.
        order: Option<Order>,
        /// Which elements if the body changes them; not given: snapshot.
        domain: Option<DomainPolicy>,
        /// The body.
        body: Block,
    },
    /// `simultaneously`
    Simultaneously(Block),
    /// `repeat` … with `until e` / `while e` / `until stable` in the heading.
    Repeat(When, Block),
    /// `choose BINDER by D`: binds for the rest of the block; nothing to choose from is a gap.
    Choose(Binder, Decider),
    /// `choose number n from a to b by D`
    ChooseNumber {
        /// The bound name.
        name: Name,
        /// Smallest.
        low: Expr,
        /// Largest.
        high: Expr,
        /// Who decides.
        by: Decider,
    },
    /// `choose one by D` with `option "…"` arms.
    ChooseOne {
        /// Who decides.
        by: Decider,
        /// The options.
        options: Vec<ChoiceOption>,
        /// Comments after the last option.
        tail: Vec<Comment>,
    },
    /// `may by D "…"` … `otherwise` …
    May {
        /// Who decides.
        by: Decider,
        /// What is offered, in words.
        label: Option<Text>,
        /// If taken.
        body: Block,
        /// If not.
        otherwise: Option<(Trivia, Block)>,
    },
    /// `distribute e over BINDER into PLACE by D [, at most m each]`
    Distribute {
        /// How many units.
        amount: Expr,
        /// Over what.
        binder: Binder,
        /// The place, in terms of the bound name.
        into: Expr,
        /// Who decides.
        by: Decider,
        /// Cap of what the place may hold afterwards.
        each: Option<Expr>,
    },
    /// `perform SEQUENCE(args)`
    Perform(Name, Vec<Expr>),
    /// `resolve QUEUE`: until it is empty. `resolve next of QUEUE`: one.
    Resolve {
        /// Only one.
        one: bool,
        /// The queue.
        queue: Name,
    },
    /// `leave SEQUENCE`: the rest of it is skipped.
    Leave(Name),
    /// `go to STEP`: that step of the list is next.
    GoTo(Name),
    /// `declare win for p`, `declare draw`, …: the run ends.
    Declare(OutcomeWord, Option<Whom>),
    /// `gap NAME "…"`: the run ends in that gap.
    Gap(Name, Option<Text>),
    /// `gap NAME "…" and go on [assuming "…"]`: the run goes on.
    GapGoesOn {
        /// The gap.
        name: Name,
        /// In words.
        text: Option<Text>,
        /// What the statements after it do in its place, in words.
        assuming: Option<Text>,
    },
    /// `gap NAME "…" may change PLACE [within a to b]`: goes on, with every value.
    GapMayChange {
        /// The gap.
        name: Name,
        /// In words.
        text: Option<Text>,
        /// What may change.
        place: Expr,
        /// To what.
        within: Option<Range>,
    },
}

/// When a `repeat` ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = when)]
pub enum When {
    /// `until e`, tested after each round.
    Until(Expr),
    /// `while e`, tested before each round.
    While(Expr),
    /// `until stable`: a round that changes no data is the last.
    Stable,
}

/// A guarded alternative.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Arm {
    /// Comments.
    pub trivia: Trivia,
    /// `when e`
    pub guard: Expr,
    /// What then happens.
    pub body: Block,
}

/// `option "label" [where e]`
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct ChoiceOption {
    /// Comments.
    pub trivia: Trivia,
    /// In words.
    pub label: Text,
    /// When it is offered.
    pub guard: Option<Expr>,
    /// What then happens.
    pub body: Block,
}

/// What several true guards mean.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = case_policy)]
pub enum CasePolicy {
    /// Not said: several true guards are a conflict.
    Exclusive,
    /// `in order`: the first true guard.
    InOrder,
    /// `chosen by D`
    Chosen(Decider),
}

/// Who takes a choice.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = decider)]
pub enum Decider {
    /// A player, by an expression.
    Player(Expr),
    /// `everyone together`: the players as one.
    Everyone,
    /// `chance`
    Chance,
    /// `nobody in particular`: the document does not say who.
    Nobody,
}

/// For whom an outcome is declared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = whom)]
pub enum Whom {
    /// `for p`
    Player(Expr),
    /// `for everyone`
    Everyone,
}

/// Outcomes that a rule can declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Walk)]
#[walk(node = outcome)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub enum OutcomeWord {
    Win,
    Loss,
    Draw,
    End,
}

/// `per READING (x: a | y: b)` around a policy.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Per<T> {
    /// The reading.
    pub reading: Name,
    /// One for each of its alternatives, by name.
    pub alternatives: Vec<(Name, T)>,
}

/// In which order elements are taken.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = order)]
pub enum Order {
    /// `in any order`: nobody decides.
    Any,
    /// `left to right [from p]` or `right to left [from p]`: as they lie; zones of a family in
    /// player order from `p`.
    Zone {
        /// `right to left`
        reversed: bool,
        /// `from p`
        from: Option<Expr>,
    },
    /// `in player order [from p]`, `in reverse player order [from p]`
    Players {
        /// Against the order of play.
        reversed: bool,
        /// `from p`; not given: from the first player.
        from: Option<Expr>,
    },
    /// `in an order chosen by D`
    Chosen(Decider),
    /// `in an order of their own`: within an order by players, each decides about what is theirs.
    Own,
    /// `largest e first, then O`
    Ranked(Box<Ranked>),
    /// `per r (x: … | y: …)`
    Per(Per<Order>),
}

/// An order of elements by what they are, and of equal ones in another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub struct Ranked {
    /// What is compared.
    pub by: Rank,
    /// `then O`: of those that are equal; not given: in any order.
    pub then: Option<Order>,
}

/// What elements are compared by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
pub enum Rank {
    /// `smallest e first`
    Smallest(Expr),
    /// `largest e first`
    Largest(Expr),
    /// `those where e first`
    Where(Expr),
    /// `in [reverse] player order [of e] [from p]`
    Players {
        /// Against the order of play.
        reversed: bool,
        /// `of e`: whose each is; not given: of the player in whose zone it lies.
        of: Option<Expr>,
        /// `from p`; not given: from the first player.
        from: Option<Expr>,
    },
}

/// Which elements an iteration visits when its body changes them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = domain)]
pub enum DomainPolicy {
    /// `snapshot`: fixed at the start.
    Snapshot,
    /// `rechecked`: fixed at the start, the condition looked at again before each.
    Rechecked,
    /// `live`: every element not yet visited that belongs now.
    Live,
    /// `live by position`: by place in the zone; one visit per place reached.
    LiveByPosition,
    /// `until all pass`: players take turns until all of them have passed in a row.
    UntilAllPass,
    /// `per r (x: … | y: …)`
    Per(Per<DomainPolicy>),
}

impl DomainPolicy {
    /// Whether it goes on until all pass: under some reading, and under every reading.
    pub fn takes_turns(&self) -> (bool, bool) {
        match self {
            Self::UntilAllPass => (true, true),
            Self::Per(per) => {
                let turns = per.alternatives.iter().map(|(_, one)| one.takes_turns());
                turns.fold((false, true), |all, one| (all.0 || one.0, all.1 && one.1))
            }
            Self::Snapshot | Self::Rechecked | Self::Live | Self::LiveByPosition => (false, false),
        }
    }
}

/// Where something is moved.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = target)]
pub enum MoveTarget {
    /// `[top of] Z`; without an end: the last place.
    Zone(Option<End>, Expr),
    /// `before c`
    Before(Expr),
    /// `after c`
    After(Expr),
}

/// How fine a cancel is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = cancel)]
pub enum Cancel {
    /// `at once`: after the statement that made the condition true.
    AtOnce,
    /// `at end of step`
    EndOfStep,
    /// `at end of pass`
    EndOfPass,
    /// `per r (x: … | y: …)`
    Per(Per<Cancel>),
}

/// What becomes of the part of a cancelled pass that was not run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Walk)]
#[walk(node = unfinished)]
pub enum Unfinished {
    /// `lost`
    Lost,
    /// `carried`: unfinished pairs of step and element join that step's domain in the next pass.
    Carried,
    /// `per r (x: … | y: …)`
    Per(Per<Unfinished>),
}
