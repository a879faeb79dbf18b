//! What programs hold: ids, conversions, defaults, clauses and names of statements.

use super::program;
use endstep::index::Id;
use endstep::syntax::ast::{BasisKind, BinaryOp};
use endstep::typing::program::{
    Bounds, ExprKind, ListPolicy, Nest, PlaceKind, Program, ReadingOrigin, StmtKind, Type, Value,
};
use std::fs;

fn features() -> Program {
    program(&fs::read_to_string("tests/corpus/typing/pass/features.endstep").unwrap())
}

/// The value of the definition of a name.
fn defined<'p>(program: &'p Program, name: &str) -> &'p ExprKind {
    let defines = program.defines.values().iter();
    &defines
        .into_iter()
        .find(|one| one.name == name)
        .unwrap()
        .body
        .kind
}

const CARDS: &str = "
player Player, explore 2
  glory: integer, explore 0 to 3
entity Card, explore up to 2
  host: optional Card
  health: integer, explore 0 to 3
type Side is one of left, right
type Exit is one of up, left
zone hand of Card per Player
zone row of Card
role champion: Player
var active: Player
var side: Side
";

fn with_cards(more: &str) -> Program {
    program(&format!("{CARDS}{more}"))
}

#[test]
fn optionals_are_followed_only_where_an_entity_is_needed() {
    let program = with_cards(
        "define glory() = champion.glory\n\
         define same() = champion = active\n\
         define vacant() = champion is none\n\
         define absent() = champion != none\n\
         define held(c: Card) = hand(holder of c) is empty\n",
    );
    let ExprKind::Field(owner, _) = defined(&program, "glory") else {
        panic!("a field")
    };
    assert!(matches!(owner.kind, ExprKind::Unwrap(_)));
    assert_eq!(
        owner.ty,
        Type::Entity(program.zones.values()[0].per.unwrap())
    );
    let ExprKind::Binary(BinaryOp::Equal, left, _) = defined(&program, "same") else {
        panic!("a comparison")
    };
    assert!(matches!(left.kind, ExprKind::Var(_)));
    assert!(matches!(defined(&program, "vacant"), ExprKind::IsNone(_)));
    let ExprKind::Binary(BinaryOp::NotEqual, _, none) = defined(&program, "absent") else {
        panic!("a comparison")
    };
    assert_eq!(none.kind, ExprKind::Const(Value::None));
    let ExprKind::ZoneEmpty(zone) = defined(&program, "held") else {
        panic!("a test of a zone")
    };
    assert!(matches!(
        zone.of.as_ref().unwrap().kind,
        ExprKind::Unwrap(_)
    ));
}

#[test]
fn values_belong_to_the_type_that_the_place_wants() {
    let program = with_cards(
        "var exit: Exit\n\
         define a() = left = side\n\
         define b() = exit is left\n\
         define c() = up\n\
         define d() = if side = right then exit else left\n",
    );
    let constant = |name| match defined(&program, name) {
        ExprKind::Binary(_, left, right) => match (&left.kind, &right.kind) {
            (ExprKind::Const(value), _) | (_, ExprKind::Const(value)) => *value,
            _ => panic!("a constant"),
        },
        ExprKind::Cond(_, _, no) => match no.kind {
            ExprKind::Const(value) => value,
            _ => panic!("a constant"),
        },
        ExprKind::Const(value) => *value,
        _ => panic!("a comparison"),
    };
    assert_eq!(
        ["a", "b", "c", "d"].map(constant),
        [0, 1, 0, 1].map(Value::Enum)
    );
}

#[test]
fn bounds_and_defaults_fill_each_other() {
    let program = program(
        "var a: integer from 1 to 9\n\
         var b: integer from 0 to 9, explore 2 to 3\n\
         var c: integer, explore -3 to 3, reach -5 to 5, default 2\n\
         var d: integer, starts 4\n\
         supply e: integer, explore 0 to 2\n\
         role f: Card\n\
         entity Card, explore 1\n",
    );
    let bounds = |name: &str| {
        let vars = program.vars.values().iter();
        let var = vars.into_iter().find(|var| var.name == name).unwrap();
        (var.bounds, var.default, var.starts)
    };
    let all = |document, explore, reach| Bounds {
        document,
        explore: Some(explore),
        reach: Some(reach),
    };
    let nine = Some((1, 9));
    assert_eq!(
        bounds("a"),
        (all(nine, (1, 9), (-7, 17)), Value::Int(1), None)
    );
    assert_eq!(
        bounds("b"),
        (all(Some((0, 9)), (2, 3), (-6, 11)), Value::Int(2), None)
    );
    assert_eq!(
        bounds("c"),
        (all(None, (-3, 3), (-5, 5)), Value::Int(2), None)
    );
    let four = Value::Int(4);
    assert_eq!(bounds("d"), (all(None, (4, 4), (-4, 12)), four, Some(four)));
    assert_eq!(
        bounds("e"),
        (all(None, (0, 2), (0, 10)), Value::Int(0), None)
    );
    assert_eq!(bounds("f"), (Bounds::default(), Value::None, None));
}

#[test]
fn numbers_of_entities_are_read_as_written() {
    let program = program(
        "player P, explore up to 3\n\
         entity A, explore 2\n\
         entity B, explore 1 to 2, headroom 3\n\
         entity C from 2 to 4\n\
         entity D from 2 to 4, explore up to 2\n",
    );
    let sorts: Vec<_> = program
        .sorts
        .values()
        .iter()
        .map(|sort| (sort.explore, sort.document, sort.headroom))
        .collect();
    assert_eq!(
        sorts,
        [
            ((1, 3), None, 0),
            ((2, 2), None, 0),
            ((1, 2), None, 3),
            ((2, 4), Some((2, 4)), 0),
            ((0, 2), Some((2, 4)), 0),
        ]
    );
}

#[test]
fn locals_last_until_their_block_ends() {
    let program = with_cards(
        "sequence s\n\
         \x20 step t\n\
         \x20   clause a (rule) at \"1\"\n\
         \x20     choose c: Card in row by active\n\
         \x20     let n = c.health\n\
         \x20   for each d: Card in row\n\
         \x20     let m = n + d.health\n\
         \x20     set c.health to m\n\
         \x20   choose d: Card in row by active\n\
         \x20   set d.health to n\n",
    );
    let step = &program.steps.values()[0];
    let body = &program.blocks[step.body];
    let binds: Vec<_> = body.binds.iter().map(|local| local.index()).collect();
    assert_eq!(binds, [0, 1, 4], "c, n and the second d");
    assert_eq!(program.sequences.values()[0].locals.len(), 5);
    let StmtKind::ForEach { body, binder, .. } = &program.stmts[body.stmts[2]].kind else {
        panic!("an iteration")
    };
    assert_eq!(binder.local.index(), 2);
    let inner: Vec<_> = program.blocks[*body]
        .binds
        .iter()
        .map(|local| local.index())
        .collect();
    assert_eq!(inner, [3]);
}

#[test]
fn statements_have_paths_and_clauses() {
    let program = with_cards(
        "clause a (rule) at \"1\"\n\
         \x20 sequence s\n\
         \x20   step t\n\
         \x20     set champion to none\n\
         \x20     clause b (rule) at \"2\"\n\
         \x20       set champion to active\n\
         \x20       if true\n\
         \x20         set champion to none\n\
         \x20   clause c (rule) at \"3\"\n\
         \x20     step u\n\
         \x20       nothing\n\
         trigger w on e\n\
         \x20 nothing\n\
         event e, at once\n",
    );
    let stmts: Vec<_> = program
        .stmts
        .values()
        .iter()
        .map(|stmt| {
            (
                stmt.path.as_str(),
                stmt.clause.map(|id| program.clauses[id].id.as_str()),
            )
        })
        .collect();
    assert_eq!(
        stmts,
        [
            ("s/t/set#1", Some("a")),
            ("s/t/set#2", Some("b")),
            ("s/t/if#1", Some("b")),
            ("s/t/set#3", Some("b")),
            ("s/u/nothing#1", Some("c")),
            ("trigger w/nothing#1", None),
        ]
    );
    let formalised: Vec<_> = program
        .clauses
        .values()
        .iter()
        .map(|one| one.formalised)
        .collect();
    assert_eq!(formalised, [true, true, true]);
}

#[test]
fn the_innermost_level_that_says_something_is_the_basis() {
    let program = program(
        "sequence s\n\
         \x20 basis external \"FAQ\"\n\
         \x20 step a\n\
         \x20   nothing\n\
         \x20 clause x (rule) at \"1\"\n\
         \x20   step b\n\
         \x20     nothing\n\
         \x20   step c\n\
         \x20     basis invented \"why\"\n\
         \x20     nothing\n\
         \x20 clause y (rule) at \"2\"\n\
         \x20   basis gap \"silence\"\n\
         \x20   clause y.1 (rule) at \"2\"\n\
         \x20     step d\n\
         \x20       nothing\n\
         \x20 step e\n\
         \x20   clause z (rule) at \"3\"\n\
         \x20     nothing\n\
         sequence t\n\
         \x20 step f\n\
         \x20   nothing\n\
         \x20 step g\n\
         \x20   cites x\n\
         \x20   nothing\n",
    );
    use BasisKind::{External, Gap, Invented, Text};
    let bases: Vec<_> = program
        .steps
        .values()
        .iter()
        .map(|step| step.basis.kind)
        .collect();
    assert_eq!(bases, [External, Text, Invented, Gap, Text, Invented, Text]);
    let notes = program
        .steps
        .values()
        .iter()
        .map(|step| step.basis.note.as_deref());
    let notes: Vec<_> = notes.collect();
    assert_eq!(
        notes[..4],
        [Some("FAQ"), None, Some("why"), Some("silence")]
    );
    let bases: Vec<_> = program
        .sequences
        .values()
        .iter()
        .map(|one| one.basis.kind)
        .collect();
    assert_eq!(bases, [External, Invented]);
}

#[test]
fn lists_and_nestings_that_are_left_open_are_readings() {
    let program = features();
    let readings: Vec<_> = program
        .readings
        .values()
        .iter()
        .map(|one| {
            (
                one.name.as_str(),
                one.origin,
                one.alternatives[0].name.as_str(),
            )
        })
        .collect();
    let [declared, list, nest] = readings[..] else {
        panic!("{readings:?}")
    };
    assert_eq!(declared, ("zero", ReadingOrigin::Declared, "exactly"));
    assert_eq!((list.0, list.2), ("finish order", "binding"));
    assert_eq!((nest.0, nest.2), ("count_up nesting", "steps"));
    let [finish, count_up, ..] = program.sequences.values() else {
        panic!("two sequences and more")
    };
    assert!(matches!(finish.policy, ListPolicy::Unspecified(_)));
    assert!(matches!(list.1, ReadingOrigin::List(id) if id.index() == 0));
    assert!(matches!(
        count_up.over.as_ref().unwrap().nest,
        Nest::Unspecified(_)
    ));
}

#[test]
fn clauses_know_what_is_missing() {
    let program = features();
    let [first, second, inner] = program.clauses.values() else {
        panic!("three clauses")
    };
    assert_eq!(first.defines, ["Low"]);
    assert_eq!(second.undefined[0].0, "Void");
    assert_eq!(second.dangling[0].0, "d.9");
    assert_eq!(second.yields_to.len(), 1);
    assert!(first.formalised && second.formalised && inner.formalised);
    let zero = &program.readings.values()[0];
    let cites = |n: usize| program.clauses[zero.alternatives[n].cites[0]].id.as_str();
    assert_eq!((cites(0), cites(1)), ("d.1", "d.2"));
}

#[test]
fn a_waived_clause_is_not_formalised() {
    let program =
        program("clause a (note) at \"1\"\n  waived \"a joke\"\nclause b (rule) at \"2\"\n");
    let clauses = program.clauses.values();
    assert_eq!(clauses[0].waived.as_deref(), Some("a joke"));
    assert!(!clauses[0].formalised && !clauses[1].formalised);
}

#[test]
fn boards_are_complete() {
    let program = features();
    let board = &program.boards.values()[0];
    let names: Vec<_> = board.entities.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["ann", "bob", "wolf", "owl", "bear"]);
    let id = |name| Id::from_index(names.iter().position(|one| *one == name).unwrap());
    let entity = |name| Value::Entity(id(name));
    let owl = &board.entities[3].fields;
    // health, side, kind, host, owner, seen
    let int = Value::Int;
    assert_eq!(
        *owl,
        [
            int(3),
            Value::Enum(0),
            Value::Enum(1),
            entity("wolf"),
            entity("bob"),
            Value::Bool(true)
        ]
    );
    assert_eq!(
        board.entities[1].fields[0],
        int(2),
        "glory is given to both players"
    );
    let contents: Vec<_> = board
        .zones
        .iter()
        .map(|(_, of, held)| (*of, held.clone()))
        .collect();
    assert_eq!(
        contents,
        [
            (Some(id("ann")), vec![]),
            (Some(id("bob")), vec![id("owl"), id("bear")]),
            (None, vec![id("wolf")]),
            (None, vec![]),
        ]
    );
    // active, exit, round, champion, gold
    let vars = [entity("ann"), Value::Enum(2), int(2), Value::None, int(3)];
    assert_eq!(board.vars, vars);
}

#[test]
fn without_verify_every_sequence_that_nothing_performs_is_verified() {
    let program = program(
        "sequence a\n  step t\n    perform b\n\
         sequence b\n  step t\n    nothing\n\
         sequence c(n: integer)\n  step t\n    nothing\n\
         sequence d\n  step t\n    nothing\n",
    );
    let verified: Vec<_> = program
        .verifies
        .iter()
        .map(|verify| program.sequences[verify.sequence].name.as_str())
        .collect();
    assert_eq!(verified, ["a", "d"]);
}

#[test]
fn gaps_are_one_by_name() {
    let program = program(
        "sequence a\n  step t\n    if true\n      gap g\n    otherwise\n      gap g \"silence\"\n",
    );
    let gaps = program.gaps.values();
    assert_eq!((gaps.len(), gaps[0].text.as_str()), (1, "silence"));
}

#[test]
fn places_are_variables_and_fields() {
    let program = with_cards(
        "sequence s\n  step t\n    set champion to active\n    increase champion.glory by 1\n",
    );
    let kinds: Vec<_> = program
        .stmts
        .values()
        .iter()
        .map(|stmt| &stmt.kind)
        .collect();
    let [
        StmtKind::Set(place, value),
        StmtKind::Increase(field, _, None),
    ] = kinds[..]
    else {
        panic!("{kinds:?}")
    };
    assert!(matches!(place.kind, PlaceKind::Var(_)));
    assert!(matches!(
        (place.ty, value.ty),
        (Type::Optional(_), Type::Entity(_))
    ));
    let PlaceKind::Field(owner, _) = &field.kind else {
        panic!("a field")
    };
    assert!(matches!(owner.kind, ExprKind::Unwrap(_)));
}
