//! Names the forms of each kind of node. What is named `""` is not made by the generator.

use endstep_language::syntax::ast::{
    Alteration, At, BasisKind, BinaryOp, BoardLine, Builtin, Cancel, CasePolicy, ClaimKind,
    ClauseKind, ClauseLine, Decider, DomainPolicy, End, ExampleLine, ExprKind, Extreme, IsTest,
    ItemKind, ListPolicy, MoveTarget, Nest, Order, OutcomeWord, Quantifier, QueueDiscipline,
    Reference, Rounding, SeqItemKind, Side, Sight, StmtKind, TypeExpr, Unfinished, When, Whom,
    ZoneOption,
};

/// An exhaustive match over the forms of a type, and the list of its results.
macro_rules! forms {
    ($($function:ident, $list:ident, $of:ty { $($form:pat $(if $guard:expr)? => $name:literal,)* })*) => {
        $(
            pub(super) fn $function(of: &$of) -> &'static str {
                match of {
                    $($form $(if $guard)? => $name,)*
                }
            }

            const $list: &[&str] = &[$($name,)*];
        )*

        /// All names, by kind of node.
        pub(super) const ALL: &[&[&str]] = &[$($list,)*];
    };
}

forms! {
    item, ITEMS, ItemKind {
        ItemKind::Error => "",
        ItemKind::Game(_) => "game",
        ItemKind::Include(_) => "",
        ItemKind::Document(..) => "document",
        ItemKind::Clause(..) => "clause around items",
        ItemKind::Type(_) => "type",
        ItemKind::Table(_) => "table",
        ItemKind::Entity(one) if one.player => "player",
        ItemKind::Entity(_) => "entity",
        ItemKind::Var(one) if one.supply => "supply",
        ItemKind::Var(_) => "var",
        ItemKind::Role(_) => "role",
        ItemKind::Zone(one) if one.per.is_some() => "zone per",
        ItemKind::Zone(_) => "zone",
        ItemKind::Define(one) if one.continuous.is_some() => "continuous",
        ItemKind::Define(one) if one.params.is_empty() => "define",
        ItemKind::Define(_) => "define with parameters",
        ItemKind::Legal(one) if one.explored => "explore only",
        ItemKind::Legal(_) => "legal",
        ItemKind::Queue(_) => "queue",
        ItemKind::Event(one) if one.whenever.is_some() => "event that the state raises",
        ItemKind::Event(one) if one.listeners.is_some() => "event with listeners in order",
        ItemKind::Event(one) if one.queue.is_none() => "event at once",
        ItemKind::Event(_) => "event in a queue",
        ItemKind::Reading(_) => "reading",
        ItemKind::Trigger(one) if one.listener.is_some() => "trigger for each",
        ItemKind::Trigger(_) => "trigger",
        ItemKind::Sequence(one) if one.params.is_empty() => "sequence",
        ItemKind::Sequence(_) => "sequence with parameters",
        ItemKind::Observer(_) => "observer",
        ItemKind::Verify(one) if !one.contracts.is_empty() => "verify by contract",
        ItemKind::Verify(one) if one.condition.is_some() => "verify where",
        ItemKind::Verify(one) if !one.sizes.is_empty() => "verify up to",
        ItemKind::Verify(_) => "verify",
        ItemKind::Experiment(_) => "experiment",
        ItemKind::Claim(one) if one.question => "question",
        ItemKind::Claim(_) => "claim",
        ItemKind::Board(_) => "board",
        ItemKind::Example(_) => "example",
        ItemKind::Accept(_) => "",
    }

    seq_item, SEQ_ITEMS, SeqItemKind {
        SeqItemKind::Error => "",
        SeqItemKind::Clause(..) => "clause around steps",
        SeqItemKind::Annotation(_) => "annotation of a sequence",
        SeqItemKind::Item(_) => "item in a sequence",
        SeqItemKind::Step(one) if !one.ensures.is_empty() => "step with ensures",
        SeqItemKind::Step(_) => "step",
        SeqItemKind::Restart(one) if one.before.is_some() => "restart with before",
        SeqItemKind::Restart(_) => "restart",
        SeqItemKind::Contract(_) => "contract",
    }

    stmt, STMTS, StmtKind {
        StmtKind::Error => "",
        StmtKind::Nothing => "nothing",
        StmtKind::Pass => "pass",
        StmtKind::Clause(..) => "clause around statements",
        StmtKind::Annotation(_) => "annotation of a step",
        StmtKind::Let(..) => "let",
        StmtKind::Set(..) => "set",
        StmtKind::Increase(_, _, Some(_)) => "increase at most",
        StmtKind::Increase(_, _, None) => "increase",
        StmtKind::Decrease(_, _, Some(_)) => "decrease at least",
        StmtKind::Decrease(_, _, None) => "decrease",
        StmtKind::Transfer { .. } => "transfer",
        StmtKind::Move(..) => "move",
        StmtKind::MoveAll(..) => "move all",
        StmtKind::Shuffle(_) => "shuffle",
        StmtKind::Create { target: Some(_), .. } => "create in",
        StmtKind::Create { target: None, .. } => "create",
        StmtKind::Remove(_) => "remove",
        StmtKind::Announce(..) => "announce",
        StmtKind::If(_, Some(_)) => "if otherwise",
        StmtKind::If(_, None) => "if",
        StmtKind::Cases { otherwise: Some(_), .. } => "cases otherwise",
        StmtKind::Cases { otherwise: None, .. } => "cases",
        StmtKind::Depending { .. } => "depending on",
        StmtKind::ForEach { .. } => "for each",
        StmtKind::Simultaneously(_) => "simultaneously",
        StmtKind::Repeat(..) => "repeat",
        StmtKind::Choose(..) => "choose",
        StmtKind::ChooseNumber { .. } => "choose number",
        StmtKind::ChooseOne { .. } => "choose one",
        StmtKind::May { otherwise: Some(_), .. } => "may otherwise",
        StmtKind::May { otherwise: None, .. } => "may",
        StmtKind::Distribute { each: Some(_), .. } => "distribute at most",
        StmtKind::Distribute { each: None, .. } => "distribute",
        StmtKind::Perform(_, arguments) if arguments.is_empty() => "perform",
        StmtKind::Perform(..) => "perform with arguments",
        StmtKind::Resolve { one: true, .. } => "resolve next",
        StmtKind::Resolve { one: false, .. } => "resolve",
        StmtKind::Leave(_) => "leave",
        StmtKind::GoTo(_) => "go to",
        StmtKind::Declare(..) => "declare",
        StmtKind::Gap(..) => "gap",
        StmtKind::GapGoesOn {
            assuming: Some(_), ..
        } => "gap and go on assuming",
        StmtKind::GapGoesOn { assuming: None, .. } => "gap and go on",
        StmtKind::GapMayChange { within: Some(_), .. } => "gap may change within",
        StmtKind::GapMayChange { within: None, .. } => "gap may change",
    }

    expr, EXPRS, ExprKind {
        ExprKind::Error => "",
        ExprKind::Int(_) => "number",
        ExprKind::Bool(_) => "true or false",
        ExprKind::None => "none",
        ExprKind::Name(_) => "name",
        ExprKind::Field(..) => "field",
        ExprKind::Call(..) => "call",
        ExprKind::Not(_) => "not",
        ExprKind::Negate(_) => "minus",
        ExprKind::Binary(..) => "operator",
        ExprKind::Is { negated: true, .. } => "is not",
        ExprKind::Is { negated: false, .. } => "is",
        ExprKind::Cond(..) => "if then else",
        ExprKind::Half(_, None) => "half",
        ExprKind::Half(_, Some(Rounding::Up)) => "half rounded up",
        ExprKind::Half(_, Some(Rounding::Down)) => "half rounded down",
        ExprKind::Builtin(..) => "built-in function",
        ExprKind::Count(_) => "count of",
        ExprKind::Sum(..) => "sum of",
        ExprKind::Extreme(Extreme::Largest, ..) => "largest",
        ExprKind::Extreme(Extreme::Smallest, ..) => "smallest",
        ExprKind::Quantified(Quantifier::Every, ..) => "every",
        ExprKind::Quantified(Quantifier::Some, ..) => "some",
        ExprKind::EndOf(End::Top, _) => "top of",
        ExprKind::EndOf(End::Bottom, _) => "bottom of",
        ExprKind::EndOf(End::First, _) => "first of",
        ExprKind::EndOf(End::Last, _) => "last of",
        ExprKind::Endmost(End::Top | End::First, _) => "first where",
        ExprKind::Endmost(End::Bottom | End::Last, _) => "last where",
        ExprKind::Size(_) => "size of",
        ExprKind::Turn { forward: true, such_that: None, .. } => "next after",
        ExprKind::Turn { forward: false, such_that: None, .. } => "previous before",
        ExprKind::Turn { forward: true, such_that: Some(_), .. } => "next after where",
        ExprKind::Turn { forward: false, such_that: Some(_), .. } => "previous before where",
        ExprKind::Neighbour(Side::Before, _) => "neighbour before",
        ExprKind::Neighbour(Side::After, _) => "neighbour after",
        ExprKind::Holder(_) => "holder of",
        ExprKind::Old(_) => "old",
        ExprKind::Per(..) => "per reading",
        ExprKind::Paren(_) => "brackets",
    }

    operator, OPERATORS, BinaryOp {
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Equal => "=",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "divided by",
    }

    test, TESTS, IsTest {
        IsTest::None => "is none",
        IsTest::Empty => "is empty",
        IsTest::Removed => "is removed",
        IsTest::In(_) => "is in",
        IsTest::Beside(Side::Before, _) => "is before",
        IsTest::Beside(Side::After, _) => "is after",
        IsTest::Equal(_) => "is equal",
    }

    builtin, BUILTINS, Builtin {
        Builtin::Min => "min",
        Builtin::Max => "max",
        Builtin::Clamp => "clamp",
    }

    order, ORDERS, Order {
        Order::Any => "in any order",
        Order::Zone { reversed: false, from: None } => "left to right",
        Order::Zone { reversed: true, from: None } => "right to left",
        Order::Zone { reversed: false, from: Some(_) } => "left to right from",
        Order::Zone { reversed: true, from: Some(_) } => "right to left from",
        Order::Players { reversed: false, from: None } => "in player order",
        Order::Players { reversed: true, from: None } => "in reverse player order",
        Order::Players { reversed: false, from: Some(_) } => "in player order from",
        Order::Players { reversed: true, from: Some(_) } => "in reverse player order from",
        Order::Chosen(_) => "in an order chosen by",
        Order::Own => "in an order of their own",
        Order::Ranked(_) => "order by rank",
        Order::Per(_) => "order per reading",
    }

    domain, DOMAINS, DomainPolicy {
        DomainPolicy::Snapshot => "snapshot",
        DomainPolicy::Rechecked => "rechecked",
        DomainPolicy::Live => "live",
        DomainPolicy::LiveByPosition => "live by position",
        DomainPolicy::UntilAllPass => "until all pass",
        DomainPolicy::Per(_) => "domain per reading",
    }

    target, TARGETS, MoveTarget {
        MoveTarget::Zone(None, _) => "to a zone",
        MoveTarget::Zone(Some(End::Top), _) => "to top of",
        MoveTarget::Zone(Some(End::Bottom), _) => "to bottom of",
        MoveTarget::Zone(Some(End::First), _) => "to first of",
        MoveTarget::Zone(Some(End::Last), _) => "to last of",
        MoveTarget::Before(_) => "to before",
        MoveTarget::After(_) => "to after",
    }

    cancel, CANCELS, Cancel {
        Cancel::AtOnce => "cancel at once",
        Cancel::EndOfStep => "cancel at end of step",
        Cancel::EndOfPass => "cancel at end of pass",
        Cancel::Per(_) => "cancel per reading",
    }

    unfinished, UNFINISHED, Unfinished {
        Unfinished::Lost => "unfinished lost",
        Unfinished::Carried => "unfinished carried",
        Unfinished::Per(_) => "unfinished per reading",
    }

    case_policy, CASE_POLICIES, CasePolicy {
        CasePolicy::Exclusive => "cases exclude each other",
        CasePolicy::InOrder => "cases in order",
        CasePolicy::Chosen(_) => "cases chosen by",
    }

    decider, DECIDERS, Decider {
        Decider::Player(_) => "by a player",
        Decider::Everyone => "by everyone",
        Decider::Chance => "by chance",
        Decider::Nobody => "by nobody",
    }

    when, WHENS, When {
        When::Until(_) => "repeat until",
        When::While(_) => "repeat while",
        When::Stable => "repeat until stable",
    }

    whom, WHOMS, Whom {
        Whom::Player(_) => "for a player",
        Whom::Everyone => "for everyone",
    }

    outcome, OUTCOMES, OutcomeWord {
        OutcomeWord::Win => "win",
        OutcomeWord::Loss => "loss",
        OutcomeWord::Draw => "draw",
        OutcomeWord::End => "end",
    }

    list_policy, LIST_POLICIES, ListPolicy {
        ListPolicy::InOrder { written: true } => "steps in order",
        ListPolicy::InOrder { written: false } => "steps",
        ListPolicy::Unspecified => "steps unspecified",
        ListPolicy::Any => "steps in any order",
        ListPolicy::Chosen(_) => "steps in an order chosen by",
    }

    nest, NESTS, Nest {
        Nest::Steps => "nest steps",
        Nest::Places => "nest places",
        Nest::Unspecified => "nest unspecified",
    }

    discipline, DISCIPLINES, QueueDiscipline {
        QueueDiscipline::FirstInFirstOut => "first in first out",
        QueueDiscipline::LastInFirstOut => "last in first out",
        QueueDiscipline::ByPriority => "by priority",
    }

    zone_option, ZONE_OPTIONS, ZoneOption {
        ZoneOption::StartsEmpty => "starts empty",
        ZoneOption::HoldsAtMost(_) => "holds at most",
        ZoneOption::ExploreAtMost(_) => "explore at most",
        ZoneOption::Unordered => "unordered",
    }

    type_expr, TYPES, TypeExpr {
        TypeExpr::Error(_) => "",
        TypeExpr::Boolean => "boolean",
        TypeExpr::Integer { document: Some(_), .. } => "integer from to",
        TypeExpr::Integer { document: None, reach: Some(_), .. } => "integer with reach",
        TypeExpr::Integer { document: None, reach: None, .. } => "integer",
        TypeExpr::Named { optional: true, .. } => "optional",
        TypeExpr::Named { optional: false, .. } => "named type",
        TypeExpr::OneOf(_) => "one of",
    }

    clause_kind, CLAUSE_KINDS, ClauseKind {
        ClauseKind::Rule => "(rule)",
        ClauseKind::Definition => "(definition)",
        ClauseKind::Example => "(example)",
        ClauseKind::Claim => "(claim)",
        ClauseKind::Note => "(note)",
        ClauseKind::Reference => "(reference)",
    }

    clause_line, CLAUSE_LINES, ClauseLine {
        ClauseLine::Waived(_) => "waived",
        ClauseLine::RefersTo(Reference::Clause(_)) => "refers to a clause",
        ClauseLine::RefersTo(Reference::Title(_)) => "refers to a title",
        ClauseLine::Defines(_) => "defines",
        ClauseLine::Uses(_) => "uses",
        ClauseLine::YieldsTo(_) => "yields to",
        ClauseLine::Cites(_) => "cites",
        ClauseLine::Basis(_) => "basis",
    }

    basis, BASES, BasisKind {
        BasisKind::Text => "basis text",
        BasisKind::External => "basis external",
        BasisKind::Gap => "basis gap",
        BasisKind::Invented => "basis invented",
    }

    sight, SIGHTS, Sight {
        Sight::Everything => "sees everything",
        Sight::Sees(_) => "sees",
        Sight::SeesAsSet(_) => "sees as a set",
        Sight::SeesBy { as_set: false, .. } => "sees by",
        Sight::SeesBy { as_set: true, .. } => "sees by, as a set",
        Sight::Ignores(_) => "ignores",
    }

    alteration, ALTERATIONS, Alteration {
        Alteration::Steps(_) => "steps in an experiment",
        Alteration::Without(_) => "without a step",
        Alteration::ToEnd { last: false, .. } => "a step first",
        Alteration::ToEnd { last: true, .. } => "a step last",
        Alteration::Beside { after: false, .. } => "a step before another",
        Alteration::Beside { after: true, .. } => "a step after another",
        Alteration::NeverRestarting => "never restarting",
        Alteration::For { .. } => "",
    }

    claim, CLAIMS, ClaimKind {
        ClaimKind::Error => "",
        ClaimKind::OrderIrrelevant(_) => "order irrelevant",
        ClaimKind::Equivalent(..) => "equivalent",
        ClaimKind::Terminates(..) => "terminates",
        ClaimKind::Invariant(_, At::End, _) => "invariant at the end",
        ClaimKind::Invariant(_, At::Steps, _) => "invariant at every step",
        ClaimKind::Invariant(_, At::Throughout, _) => "invariant throughout",
        ClaimKind::Must(..) => "must",
        ClaimKind::Reachable(true, ..) => "reachable",
        ClaimKind::Reachable(false, ..) => "unreachable",
        ClaimKind::ReachableAfter(..) => "reachable after a sequence",
        ClaimKind::ExtremeIn(Extreme::Largest, ..) => "largest in a sequence",
        ClaimKind::ExtremeIn(Extreme::Smallest, ..) => "smallest in a sequence",
        ClaimKind::ExtremeAfter(Extreme::Largest, ..) => "largest after a sequence",
        ClaimKind::ExtremeAfter(Extreme::Smallest, ..) => "smallest after a sequence",
        ClaimKind::Conserves(..) => "conserves",
        ClaimKind::Idempotent(_) => "idempotent",
    }

    board_line, BOARD_LINES, BoardLine {
        BoardLine::Error => "",
        BoardLine::Entities { .. } => "entities of a board",
        BoardLine::Var(..) => "variable of a board",
    }

    example_line, EXAMPLE_LINES, ExampleLine {
        ExampleLine::Error => "",
        ExampleLine::On(_) => "on",
        ExampleLine::Given(..) => "given",
        ExampleLine::Perform(..) => "example performs",
        ExampleLine::Reading(..) => "example with a reading",
        ExampleLine::Choose(_) => "example chooses",
        ExampleLine::After(..) => "after expect",
        ExampleLine::Expect { possible: true, .. } => "expect possible",
        ExampleLine::Expect { possible: false, .. } => "expect",
        ExampleLine::ExpectOutcome(..) => "expect outcome",
        ExampleLine::ExpectGap { possible: true, .. } => "expect possible gap",
        ExampleLine::ExpectGap {
            possible: false, ..
        } => "expect gap",
    }
}
