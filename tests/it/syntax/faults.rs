//! Every code of the grammar has an input that fails with it, and the message
//! says what was found and what was expected.

use super::shown;
use endstep::diag::{Code, Diagnostic};
use endstep::source::SourceId;
use endstep::syntax::parse;
use std::collections::BTreeSet;

/// A text, and the code, message and help of its only diagnostic.
type Fault = (&'static str, &'static str, &'static str, &'static str);

const FAULTS: &[Fault] = &[
    (
        "sequence s\n\tstep t\n\t\tnothing\n  step u\n    nothing\n",
        "E0101",
        "found a tab in the indentation, expected spaces",
        "indent each block by two spaces",
    ),
    (
        "sequence s\n    step t\n      nothing\n  step u\n    nothing\n",
        "E0102",
        "found 2 spaces, expected 0 or 4 as in the lines above",
        "lines of one block start in the same column",
    ),
    (
        "  game \"g\"\n  game \"h\"\n",
        "E0102",
        "found 2 spaces before the first line, expected none",
        "lines of one block start in the same column",
    ),
    (
        "sequence s {\n",
        "E0103",
        "found `{`, which the language does not use",
        "blocks are written by indentation, without braces",
    ),
    (
        "define x = a && b\n",
        "E0103",
        "found `&&`, which the language does not use",
        "write `and`",
    ),
    (
        "define x = a / b\n",
        "E0103",
        "found `/`, which the language does not use",
        "write `divided by`, which rounds down, or `half of … rounded up`",
    ),
    (
        "define x = a ≤ b\n",
        "E0103",
        "found `≤`, which the language does not use",
        "write `<=`",
    ),
    (
        "game \"Gods\n",
        "E0104",
        "found the end of the line, expected `\"` at the end of the text",
        "a text ends on the line on which it starts; write a line break as `\\n`",
    ),
    (
        "game \"C:\\rules\"\n",
        "E0105",
        "found `\\r`, expected `\\\"`, `\\\\` or `\\n`",
        "write a backslash itself as `\\\\`",
    ),
    (
        "zone 2nd of Card\n",
        "E0106",
        "found `2nd`, expected a number or a name",
        "names start with a letter or `_`; if `2` is a number, put a space behind it",
    ),
    (
        "define x = 1_000\n",
        "E0106",
        "found `1_000`, expected a number or a name",
        "write a number without `_`",
    ),
    (
        "trigger t on e\n  gap g \"why\" and\n",
        "E0108",
        "found the end of the line, expected `go`",
        "",
    ),
    (
        "trigger t on e\n  gap g and go\n",
        "E0108",
        "found the end of the line, expected `on`",
        "",
    ),
    (
        "trigger t on e\n  gap g go on\n",
        "E0108",
        "found `go`, expected `and go on`",
        "",
    ),
    (
        "trigger t on e\n  gap g \"why\" assuming \"nothing\"\n",
        "E0108",
        "found `assuming`, expected `and go on`",
        "",
    ),
    (
        "trigger t on e\n  gap g and go on assuming\n",
        "E0108",
        "found the end of the line, expected what is assumed, as a text such as \"nobody does\"",
        "",
    ),
    (
        "trigger t on e\n  gap g may change x and go on\n",
        "E0108",
        "found `and`, expected the end of the line: a gap that `may change` a place goes on with every value, and one \
         that says `and go on` changes nothing",
        "",
    ),
    (
        "trigger t on e\n  gap g and go on may change x\n",
        "E0108",
        "found `may`, expected the end of the line: a gap that `may change` a place goes on with every value, and one \
         that says `and go on` changes nothing",
        "",
    ),
    (
        "define x = top of row of c\n",
        "E0108",
        "found `of`, expected the end of the line",
        "",
    ),
    (
        "define x = 9223372036854775808\n",
        "E0107",
        "found `9223372036854775808`, expected a number up to 9223372036854775807",
        "",
    ),
    (
        "define x = c.health == 0\n",
        "E0108",
        "found `==`, expected the end of the line",
        "\"is equal\" is written `=`",
    ),
    (
        "define x = (a + b\n",
        "E0108",
        "found the end of the line, expected `)`",
        "",
    ),
    (
        "question k: conserves bank + sum of p.coins over p: Player in s\n",
        "E0108",
        "found the end of the line, expected `in`",
        "the binder before it took `in s`; put brackets around the expression: `(…) in s`",
    ),
    (
        "question k: reachable b and c.kind = d in\n",
        "E0108",
        "found the end of the line, expected the name of a sequence",
        "",
    ),
    (
        "question k: reachable 0 < count of c: Card in hand\n",
        "E0108",
        "found the end of the line, expected `in` or `after` and the name of a sequence",
        "the binder before it took `in hand`; put brackets around the expression: `(…) in hand`",
    ),
    (
        "question k: reachable a = b\n",
        "E0108",
        "found the end of the line, expected `in` or `after` and the name of a sequence",
        "",
    ),
    (
        "define x = a = not b\n",
        "E0108",
        "found `not`, expected a value, a name or `(`",
        "put brackets around `not …` here",
    ),
    (
        "define x = count c in hand\n",
        "E0108",
        "found `c`, expected the end of the line",
        "write `count of …`",
    ),
    (
        "define x = every c: Card hsa c.ready\n",
        "E0108",
        "found `hsa`, expected `has`",
        "did you mean `has`?",
    ),
    (
        "define x = a,\n  game \"g\"\n",
        "E0108",
        "found `,`, expected the end of the line",
        "",
    ),
    (
        "type t is one of a,\n  \"b\"\n",
        "E0108",
        "found a text, expected the name of a value",
        "the line above ends so that this line continues it",
    ),
    (
        "var old: integer\n",
        "E0109",
        "found the reserved word `old`, expected a name",
        "if it is meant as a name, call it `old_` or the like",
    ),
    (
        "sequnce s\n  step t\n    nothing\n",
        "E0110",
        "found `sequnce`, expected an item such as `entity`, `sequence` or `clause`",
        "did you mean `sequence`?",
    ),
    (
        "step t\n  nothing\n",
        "E0111",
        "found `step`, expected an item such as `entity`, `sequence` or `clause`",
        "`step` stands in a sequence",
    ),
    (
        "sequence s\n  move c to dying\n",
        "E0111",
        "found `move`, expected `step`, `restart`, `contract`, `clause` or a declaration",
        "`move` stands in a step or a trigger",
    ),
    (
        "reading r\n",
        "E0112",
        "found nothing nested under `reading`, expected one alternative on each line: its name \
         and, in quotes, what it means",
        "",
    ),
    (
        "sequence s\n  step t\n",
        "E0112",
        "found nothing nested under `step`, expected at least one statement, or `nothing`",
        "",
    ),
    (
        "game \"g\"\n  zone z of Card\n",
        "E0113",
        "found lines nested under `game`, expected none",
        "start it in the same column as the line above",
    ),
    (
        "sequence s\n  restart when a\n    cancel at once\n",
        "E0115",
        "found no `unfinished` line in a restart rule, expected one",
        "nest `unfinished lost` or `unfinished carried` under it; if the document does not say, \
         make it a reading: `unfinished per r (a: … | b: …)`",
    ),
    (
        "sequence s\n  restart when a\n    unfinished lost\n",
        "E0115",
        "found no `cancel` line in a restart rule, expected one",
        "nest `cancel at once`, `cancel at end of step` or `cancel at end of pass` under it; if \
         the document does not say, make it a reading: `cancel per r (a: … | b: …)`",
    ),
    (
        "clause a (rule) at \"1\"\n  says \"b\"\n  says \"c\"\n",
        "E0116",
        "found a second `says` line, expected at most one",
        "",
    ),
    (
        "define x = 0 < a < 5\n",
        "E0117",
        "found a second comparison, expected `and`, `or` or the end of the condition",
        "write `a < b and b < c`, or put brackets around one of them",
    ),
];

/// Statements, with the code, message and help of their only diagnostic.
const IN_STEPS: &[Fault] = &[
    (
        "mvoe c to dying",
        "E0110",
        "found `mvoe`, expected a statement such as `set`, `move` or `for each`",
        "did you mean `move`?",
    ),
    (
        "unless c.health = 3",
        "E0110",
        "found `unless`, expected a statement such as `set`, `move` or `for each`",
        "write `if not …`",
    ),
    (
        "whenever c.health = 3",
        "E0110",
        "found `whenever`, expected a statement such as `set`, `move` or `for each`",
        "",
    ),
    (
        "set top of row.h to 1",
        "E0108",
        "found `of`, expected `to`",
        "",
    ),
    (
        "c.health = 3",
        "E0110",
        "found `c.health`, expected a statement such as `set`, `move` or `for each`",
        "write `set … to …` to change a value",
    ),
    (
        "destroyed(c)",
        "E0110",
        "found `destroyed`, expected a statement such as `set`, `move` or `for each`",
        "write `perform destroyed(…)` or `announce destroyed(…)`",
    ),
    (
        "if a\n  nothing\nelse\n  nothing",
        "E0110",
        "found `else`, expected a statement such as `set`, `move` or `for each`",
        "write `otherwise`",
    ),
    (
        "if a\n  nothing\nelif b\n  nothing",
        "E0110",
        "found `elif`, expected a statement such as `set`, `move` or `for each`",
        "write `otherwise if`",
    ),
    (
        "otherwise\n  nothing",
        "E0111",
        "found `otherwise`, expected a statement such as `set`, `move` or `for each`",
        "`otherwise` stands after `if` or `may` in the same column, or last in `cases`",
    ),
    (
        "reading r\n  a \"b\"",
        "E0111",
        "found `reading`, expected a statement such as `set`, `move` or `for each`",
        "`reading` stands outside of steps, at the top level or in a sequence",
    ),
    (
        "cases\n  otherwise\n    nothing\n  when a\n    nothing",
        "E0111",
        "found `when` after `otherwise`, expected no more cases",
        "put `otherwise` last",
    ),
    (
        "choose c in hand p",
        "E0108",
        "found `p`, expected `by`",
        "",
    ),
    (
        "increase a with 1",
        "E0108",
        "found `with`, expected `by`",
        "",
    ),
    ("set a + 1 to 2", "E0108", "found `+`, expected `to`", ""),
    (
        "set (a) to 2",
        "E0108",
        "found `(`, expected a place such as `round` or `c.health`",
        "",
    ),
    (
        "choose one by p\n  when a\n    nothing",
        "E0111",
        "found `when`, expected `option` in `choose one`",
        "`when` stands in `cases` or `depending on`",
    ),
    (
        "for each c in z, snapshot, left to right\n  nothing",
        "E0108",
        "found `left`, expected nothing more: first the order, then the elements",
        "",
    ),
    (
        "for each c in z, left to rihgt\n  nothing",
        "E0108",
        "found `left`, expected an order: `in any order`, `left to right`, `right to left`, \
         `in player order`, `in reverse player order`, `in an order chosen by …`, `largest … first`, \
         `smallest … first` or `those where … first`",
        "",
    ),
    (
        "for each c in z, largest c.a - 1 first\n  nothing",
        "E0108",
        "found `-`, expected `first` (a sum or a product stands in brackets)",
        "",
    ),
    // What belongs to a faulty `if` is not reported once more.
    (
        "if a b\n  mvoe c\notherwise if c\n  nothing\notherwise\n  nothing",
        "E0108",
        "found `b`, expected the end of the line",
        "",
    ),
];

fn check(text: &str, fault: &Fault) {
    let (_, code, message, help) = fault;
    let found = parse(SourceId(0), text).diagnostics;
    let [only] = found.as_slice() else {
        panic!("one diagnostic is expected\n{}", shown("a", text));
    };
    assert_eq!(only.message, *message, "{text}");
    assert_eq!(only.code.id(), *code, "{text}");
    assert_eq!(only.help.join("; "), *help, "{text}");
    assert!(only.place().is_some(), "{text}");
}

#[test]
fn faults_of_items_are_reported_once_and_in_words() {
    for fault in FAULTS {
        check(fault.0, fault);
    }
}

#[test]
fn faults_of_statements_are_reported_once_and_in_words() {
    for fault in IN_STEPS {
        let nested: String = fault
            .0
            .lines()
            .map(|line| format!("    {line}\n"))
            .collect();
        check(&format!("sequence s\n  step t\n{nested}"), fault);
    }
}

#[test]
fn every_code_has_an_input() {
    let mut seen: BTreeSet<_> = FAULTS.iter().chain(IN_STEPS).map(|fault| fault.1).collect();
    // Tested with the inputs that no author writes.
    seen.extend(["E0114", "E0118", "E0119"]);
    let codes = Code::all().map(|code| code.id());
    let untested: Vec<_> = codes
        .filter(|id| id.starts_with("E01") && !seen.contains(id))
        .collect();
    assert!(untested.is_empty(), "{untested:?}");
}

#[test]
fn the_messages_of_limits_say_the_limits() {
    let message = |text: &str| {
        let found = parse(SourceId(0), text).diagnostics;
        found.last().map(|one| one.message.clone())
    };
    let expected = "found an expression with more than 64 parts in each other";
    assert_eq!(
        message(&format!("define x = {}", "(".repeat(99))).as_deref(),
        Some(expected)
    );
    let expected =
        "found more than 250000 words, numbers, texts, operators and comments in a specification";
    assert_eq!(message(&"a ".repeat(300_000)).as_deref(), Some(expected));
    let expected = "found 100 errors, the rest is not read";
    assert_eq!(message(&"x\n".repeat(999)).as_deref(), Some(expected));
    let blocks: String = (0..99)
        .map(|depth| format!("{}clause a (rule) at \"b\"\n", " ".repeat(depth)))
        .collect();
    assert_eq!(
        message(&blocks).as_deref(),
        Some("found more than 64 blocks in each other")
    );
}

#[test]
fn a_faulty_line_does_not_hide_the_others() {
    let text = "game Gods\nsequence s\n  stpe t\n    mvoe c\n  step u\n    nothing\n    st x to 1\nzone z\n";
    let found = parse(SourceId(0), text);
    let messages: Vec<_> = found
        .diagnostics
        .iter()
        .map(|one| one.message.as_str())
        .collect();
    assert_eq!(
        messages,
        [
            "found `Gods`, expected the name of the game, in quotes",
            "found `stpe`, expected `step`, `restart`, `contract`, `clause` or a declaration",
            "found `st`, expected a statement such as `set`, `move` or `for each`",
            "found the end of the line, expected `of`",
        ]
    );
    assert_eq!(found.file.items.len(), 3);
}

#[test]
fn a_bracket_left_open_spoils_only_its_line() {
    let text = "sequence s\n  step t\n    set a to (b\n    set c to d)\n    set e to f\n";
    let found: Vec<Diagnostic> = parse(SourceId(0), text).diagnostics;
    let messages: Vec<_> = found.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "found the end of the line, expected `)`",
            "found `)`, expected the end of the line",
        ]
    );
}

#[test]
fn diagnostics_point_at_the_place() {
    let text = "sequence s\n  step t\n    increase c.health wiht 1\n";
    assert_eq!(
        shown("rules.endstep", text).trim_end(),
        "\
error[E0108]: found `wiht`, expected `by`
 --> rules.endstep:3:23
  |
3 |     increase c.health wiht 1
  |                       ^^^^ expected `by`"
    );
}
