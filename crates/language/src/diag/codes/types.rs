//! E03xx: types.

use crate::diag::registry::declare_codes;

declare_codes! {
    MISMATCH = "E0301", "a value of another type is expected", "
Every expression has a type: integer, boolean, a type of values, a sort, or an
optional sort. Where a value of one type is needed, one of another was found:

    entity Card, explore up to 2
      health: integer, explore 0 to 3
    define dead(c: Card) = c.health and true

An optional may stand where an entity is needed; if it is absent in a run, that
is a gap. Nothing else is converted.
";

    ARGUMENTS = "E0302", "the number of arguments is wrong", "
A definition, sequence or event is used with exactly the arguments it declares:

    define strong(c: Card, least: integer) = c.strength >= least
    legal fair: every c: Card has strong(c)

Give each parameter its argument.
";

    NEVER_NONE = "E0303", "this always has a value", "
Only roles, optional fields, variables and parameters, `neighbour`, `holder`,
`first … in … where` (`last`, `top`, `bottom`), `next … where` and
`previous … where` can be `none`. To test anything else for it is a mistake:

    var active: Player
    legal somebody: active is not none

Declare the place `optional`, or leave out the test. Numbers, truth values and
values of types are always there (E0310).
";

    NOT_A_PLACE = "E0304", "this cannot be written", "
What is set, increased, decreased, transferred or changed must be a variable, a
supply, a role, or a field of an entity. A name bound by `let` or `for each` is
a value and stays what it is:

    let left = 3
    decrease left by 1

Declare a variable, or change the field of an entity. What is printed in a table
stays what it is; what can change is a field.
";

    ZONE_ARGUMENT = "E0305", "a zone is used with the wrong argument", "
A zone declared `per` a sort is a family: one zone for each entity of the sort.
All of them together can be counted, tested and iterated over; anything else
needs one of them:

    zone hand of Card per Player
    zone pile of Card
    sequence tidy
      step all_together
        move all of hand to pile

Write `hand(p)`. A zone that is not a family takes no argument.
";

    NOT_CONSTANT = "E0306", "a constant is expected", "
The ends of ranges, `default` and `starts`, and what a board says of its
entities are constants: numbers and sums of numbers, `true`, `false`, `none`,
values of types, and on a board the names of its entities.

    var round: integer from 1 to last_round

Write the number itself.
";

    NO_PLAYERS = "E0307", "there are no players", "
`next after`, `in player order`, `by p` and `declare win for p` speak of
players, so the specification must declare them:

    sequence finish
      step the_end
        declare win for winner

Add a line such as `player Player, explore 2`.
";

    UNTYPED_NONE = "E0308", "nothing tells which `none` is meant", "
`none` is the absent value of an optional sort, and its surroundings tell of
which one. Here nothing does:

    sequence s
      step t
        let nobody = none

Compare or set a place with it, or test with `is none`.
";

    ALTERNATIVES = "E0309", "not all alternatives of the reading are covered", "
`per r (x: a | y: b)` has one part for each alternative of the reading `r`, in
any order; `depending on r` has one `when` for each.

    reading zero
      exactly \"exactly 0\"
      or_less \"0 or less\"
    define dead(c: Card) = per zero (exactly: c.health = 0)

Add what is missing.
";

    OPTIONAL_VALUE = "E0310", "only a sort can be optional", "
`optional Card` may hold a card or none. Numbers, truth values and values of
types are always there:

    type Colour is one of red, blue
    var trump: optional Colour

Add a value such as `no_colour` to the type.
";

    NOT_ITERABLE = "E0311", "this cannot be iterated over", "
`for each`, `every`, `count of` and the like range over a sort, a type of
values, `boolean`, or a zone:

    legal fair: every c: health has c > 0

Name a sort, as in `every c: Card`, or a zone, as in `every c in hand`.
";
}
