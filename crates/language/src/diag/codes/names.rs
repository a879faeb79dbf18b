//! E02xx: names, and files that are included.

use crate::diag::registry::declare_codes;

declare_codes! {
    UNKNOWN = "E0201", "nothing of this kind has this name", "
Every name is declared somewhere in the specification or in a file that it
includes; the order does not matter. What is of another kind, or belongs to
another sequence, does not count. Here `clenup` is declared, `cleanup` used:

    sequence clenup
      step destroy
        nothing
    verify cleanup

Correct the spelling, or declare what is missing. The names of fields belong to
their sort: `c.health` is looked up among the fields of the sort of `c`.
";

    DECLARED_TWICE = "E0202", "a name is declared twice", "
A name stands for one thing. Sorts, types, variables, roles, supplies, zones,
definitions, queues and readings share their names; sequences, events,
triggers, claims, boards and so on have names of their own.

    zone void of Card
    var void: boolean

A gap has one name wherever it stands, and is described in one way. Either runs
end in it, or they go on from it (`gap NAME and go on`).

Rename one of the two.
";

    SHADOWS = "E0203", "a local name hides another one", "
A name that is bound by `for each`, `choose`, `let`, a parameter and the like
must not already mean something where it is bound:

    var round: integer from 1 to 9
    define late(round: integer) = round > 7

A reader could not tell which `round` is meant. Choose another name for one.
";

    AMBIGUOUS_VALUE = "E0204", "a value belongs to several types", "
Types may have values of the same name, as long as the place tells which one is
meant: the other side of `=` or `is`, the field, the parameter.

    type Side is one of left, right
    type Exit is one of left, right
    define odd() = count of s: Side where left = right

Here it does not. Compare with something whose type is known, or rename a
value.
";

    WRONG_KIND = "E0205", "a name of another kind is expected here", "
The name is declared, but what it names cannot stand here: a zone where a value
is expected, a reading where its alternative must be asked for, a sort where an
entity is.

    zone hand of Card
    define many() = hand > 3

Write `size of hand`, `c is in hand`, `r is alternative` and the like.
";

    INCLUDE_MISSING = "E0206", "an included file cannot be read", "
`include \"cards.endstep\"` names a file by its path from the folder of the file
in which the line stands. The message says why the file could not be read.

    include \"card.endstep\"
";

    INCLUDE_CYCLE = "E0207", "a file includes itself", "
A file that includes another one cannot be included by it, directly or through
further files. With this line in `a.endstep`

    include \"b.endstep\"

the file `b.endstep` cannot have `include \"a.endstep\"`. Two files that need the
same declarations both include a third one.
";

    UNKNOWN_FIELD = "E0208", "the sort or table has no such field or column", "
`c.health` is a field of the sort of `c`, or a column of the table of which `c`
is a row. The fields of a sort are listed under its heading:

    entity Card, explore up to 2
      health: integer, explore 0 to 3
    define hurt(c: Card) = c.helth < 3

Correct the name, or add the field to the sort (the column to the table).
";

    UNKNOWN_CLAUSE = "E0209", "no clause has this id", "
`cites` and `yields to` name clauses by their ids, as they stand after
`clause`:

    clause cleanup.1 (rule) at \"The Cleanup Step, 1\"
      yields to cleanup.11

Correct the id, or write the clause down. (A reference of the document that
leads nowhere, `refers to`, is a finding and not an error.)
";
}
