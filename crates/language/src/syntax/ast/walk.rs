//! How a syntax tree is traversed.
//!
//! The parts of `count of c in hand(p) where c.ready` are the zone `hand(p)` and the filter
//! `c.ready`; those of the zone are `p`.

use super::{
    Alteration, BasisKind, BinaryOp, BoardLine, Builtin, Cancel, CasePolicy, ClaimKind, ClauseId,
    ClauseKind, ClauseLine, Comment, Decider, DomainPolicy, ExampleLine, Expr, IsTest, ItemKind,
    ListPolicy, Loc, MoveTarget, Name, Nest, Order, OutcomeWord, QueueDiscipline, SeqItemKind,
    Sight, StmtKind, Text, Trivia, TypeExpr, Unfinished, When, Whom, ZoneOption,
};

crate::walkable! {
    nodes {
        expr, expr_mut: Expr;
        item, item_mut: ItemKind;
        seq_item, seq_item_mut: SeqItemKind;
        stmt, stmt_mut: StmtKind;
        operator, operator_mut: BinaryOp;
        test, test_mut: IsTest;
        builtin, builtin_mut: Builtin;
        order, order_mut: Order;
        domain, domain_mut: DomainPolicy;
        target, target_mut: MoveTarget;
        cancel, cancel_mut: Cancel;
        unfinished, unfinished_mut: Unfinished;
        case_policy, case_policy_mut: CasePolicy;
        decider, decider_mut: Decider;
        when, when_mut: When;
        whom, whom_mut: Whom;
        outcome, outcome_mut: OutcomeWord;
        list_policy, list_policy_mut: ListPolicy;
        nest, nest_mut: Nest;
        discipline, discipline_mut: QueueDiscipline;
        zone_option, zone_option_mut: ZoneOption;
        type_expr, type_expr_mut: TypeExpr;
        clause_kind, clause_kind_mut: ClauseKind;
        clause_line, clause_line_mut: ClauseLine;
        basis, basis_mut: BasisKind;
        sight, sight_mut: Sight;
        claim, claim_mut: ClaimKind;
        alteration, alteration_mut: Alteration;
        board_line, board_line_mut: BoardLine;
        example_line, example_line_mut: ExampleLine;
    }
    ids {}
    leaves {
        ClauseId; Comment; Loc; Name; Text; Trivia; bool; i64;
    }
    condition: expr, expr_mut: Expr;
}

impl Expr {
    /// The expressions directly inside this one, in the order in which they are written.
    pub fn children(&self) -> Vec<&Self> {
        directly(self)
    }

    /// The number of expressions on the longest way from this one to a part without parts; 1 for
    /// a name.
    ///
    /// Recursive: the parser bounds the height of what it returns by
    /// [`MAX_NESTING`](crate::syntax::MAX_NESTING).
    pub fn height(&self) -> usize {
        let inside = self.children().into_iter().map(Self::height).max();
        inside.unwrap_or(0) + 1
    }
}
