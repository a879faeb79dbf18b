//! What is kept of an author's layout, and what becomes of the rest.

use super::round_trip;
use endstep::source::SourceId;
use endstep::syntax::parse;

/// Checks what a text looks like when it was printed.
fn becomes(text: &str, expected: &str) {
    assert_eq!(round_trip("layout", text), expected);
}

#[test]
fn spaces_are_set_and_bounds_are_put_in_order() {
    becomes(
        "entity  Card,headroom 2 , explore up  to 3\r\n     host:optional Card,starts none,default none",
        "entity Card, explore up to 3, headroom 2\n  host: optional Card, default none, starts none\n",
    );
    becomes(
        "define  x=-  -a*( b+1 )<=max( a,b )",
        "define x = - -a * (b + 1) <= max(a, b)\n",
    );
}

#[test]
fn empty_lines_and_comments_stay_where_they_are() {
    let text = "\
-- The file.

-- The game.
game \"g\"  -- named

sequence s

  -- First.
  step t
    nothing
    -- after the last statement

    -- still in the step

  -- after the last step
-- the end
";
    becomes(text, text);
    becomes(
        "\n\n\ngame \"g\"\n\n\n\nzone z of C\n\n\n",
        "game \"g\"\n\nzone z of C\n",
    );
}

#[test]
fn a_comment_goes_with_the_block_of_its_column() {
    becomes(
        "\
sequence s
  step t
    if a
      nothing
      -- of the if
     -- of the step
    -- of the step, too
      -- no deeper than the one above it
  step u
    nothing
 -- of u, which comes next
game \"g\"
",
        "\
sequence s
  step t
    if a
      nothing
      -- of the if
    -- of the step
    -- of the step, too
    -- no deeper than the one above it
  step u
    nothing
-- of u, which comes next
game \"g\"
",
    );
}

#[test]
fn comments_without_a_place_of_their_own_move_up() {
    becomes(
        "\
-- one
clause a (rule) at \"b\"  -- two
  -- three
  says \"c\"  -- four
",
        "\
-- one
-- three
-- four
clause a (rule) at \"b\"  -- two
  says \"c\"
",
    );
    becomes(
        "\
sequence s
  restart when a
    -- one
    unfinished lost  -- two
    cancel at once
    -- three
",
        "\
sequence s
  -- one
  -- two
  -- three
  restart when a
    cancel at once
    unfinished lost
",
    );
    becomes(
        "\
type t is one of a,  -- one
  -- two
  b,
    c  -- three
",
        "\
-- one
-- two
type t is one of a, b, c  -- three
",
    );
}

#[test]
fn comments_above_otherwise_if_end_the_block_before() {
    becomes(
        "\
sequence s
  step t
    if a
      nothing
    -- one
    otherwise if b  -- two
      nothing
    -- three
    otherwise
      nothing
",
        "\
sequence s
  step t
    if a
      nothing
      -- one
      -- two
    otherwise if b
      nothing
    -- three
    otherwise
      nothing
",
    );
}

#[test]
fn lines_go_on_where_they_cannot_end() {
    becomes(
        "legal l:\n  every c in board\n  where c.b and\n      c.d\n  has c.a\n    or c.e = (\n  f\n)",
        "legal l: every c in board where c.b and c.d has c.a or c.e = (f)\n",
    );
    // What is not deeper never goes on.
    for text in [
        "legal l: a and\nb",
        "legal l: a\nor b",
        "legal l: (a\nand b)",
    ] {
        assert!(!parse(SourceId(0), text).diagnostics.is_empty(), "{text}");
    }
}

#[test]
fn long_lines_are_broken_outside_of_brackets_if_that_is_possible() {
    becomes(
        "define long = first_of_the_names and (second_of_the_names or third_of_the_names) and \
         every c in the_board where c.ready has c.fourth\n",
        "\
define long = first_of_the_names and (second_of_the_names or third_of_the_names)
    and every c in the_board where c.ready has c.fourth
",
    );
    becomes(
        "type t is one of an_alternative_with_a_long_name, another_alternative_with_a_long_name, \
         the_last_alternative\n",
        "\
type t is one of an_alternative_with_a_long_name, another_alternative_with_a_long_name,
    the_last_alternative
",
    );
    let unbreakable = format!("game \"{}\"\n", "a, ".repeat(50));
    becomes(&unbreakable, &unbreakable);
}

#[test]
fn lines_of_a_clause_a_step_and_a_contract_are_put_in_order() {
    becomes(
        "\
sequence s
  contract
    ensures a
    changes b

  step t
    ensures c

    nothing
  clause d (rule) at \"e\"
    step u
      nothing
    cites f
    says \"g\"
",
        "\
sequence s
  contract
    changes b
    ensures a

  step t

    nothing
    ensures c
  clause d (rule) at \"e\"
    says \"g\"
    cites f
    step u
      nothing
",
    );
}

#[test]
fn texts_keep_their_escapes() {
    let text = "game \"a \\\"b\\\" \\\\ \\n -- (\"\n";
    becomes(text, text);
}
