//! Visits every node of a syntax tree and notes the name of its form.

use super::names;
use endstep_language::syntax::ast::{
    Alteration, BasisKind, BinaryOp, BoardLine, Builtin, Cancel, CasePolicy, ClaimKind, ClauseKind,
    ClauseLine, Decider, DomainPolicy, ExampleLine, Expr, IsTest, ItemKind, ListPolicy, MoveTarget,
    Nest, Order, OutcomeWord, QueueDiscipline, SeqItemKind, Sight, StmtKind, TypeExpr, Unfinished,
    Visit, Walk, When, Whom, ZoneOption,
};
use std::collections::BTreeSet;

/// The names found so far.
#[derive(Default)]
pub(super) struct Census {
    pub(super) found: BTreeSet<&'static str>,
}

/// Notes the names of nodes, each by the function of the same name in `names`.
macro_rules! noted {
    ($($node:ident: $Node:ty;)*) => {
        impl Visit<'_> for Census {
            fn expr(&mut self, e: &Expr) {
                self.found.insert(names::expr(&e.kind));
                e.inside(self);
            }

            $(fn $node(&mut self, node: &$Node) {
                self.found.insert(names::$node(node));
                node.inside(self);
            })*
        }
    };
}

noted! {
    item: ItemKind;
    seq_item: SeqItemKind;
    stmt: StmtKind;
    operator: BinaryOp;
    test: IsTest;
    builtin: Builtin;
    order: Order;
    domain: DomainPolicy;
    target: MoveTarget;
    cancel: Cancel;
    unfinished: Unfinished;
    case_policy: CasePolicy;
    decider: Decider;
    when: When;
    whom: Whom;
    outcome: OutcomeWord;
    list_policy: ListPolicy;
    nest: Nest;
    discipline: QueueDiscipline;
    zone_option: ZoneOption;
    type_expr: TypeExpr;
    clause_kind: ClauseKind;
    clause_line: ClauseLine;
    basis: BasisKind;
    sight: Sight;
    alteration: Alteration;
    claim: ClaimKind;
    board_line: BoardLine;
    example_line: ExampleLine;
}
