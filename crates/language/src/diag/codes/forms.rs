//! E04xx: declarations and statements that do not fit together.

use crate::diag::registry::declare_codes;

declare_codes! {
    NO_BOUND = "E0401", "nothing says how much is explored", "
A board is made by trying all values of its fields and all numbers of its
entities, so their range must be known. For an integer it is the document's
(`from 0 to 5`) or the explorer's (`explore 0 to 5`):

    entity Card, explore up to 3
      health: integer

Write `health: integer, explore 0 to 3`. The prover ignores `explore`. A field
or variable that begins with one value on every board needs only `starts 0`.
";

    BAD_RANGE = "E0402", "a range or number makes no sense here", "
The first number of a range is the smaller one, numbers of entities are not
negative, and a `verify` looks at no fewer than are explored at least:

    var round: integer from 9 to 1

A supply is never below zero.
";

    OUT_OF_BOUNDS = "E0403", "a constant lies outside the bounds of its place", "
A `default`, a `starts` and a value on a board must be one that the place can
have:

    var round: integer from 1 to 9, starts 0

So must every value that is explored:

    var round: integer from 1 to 9, explore 0 to 3

Change the value or the bounds.
";

    TWO_PLAYERS = "E0404", "there are two sorts of players", "
One sort is the players: it has an order of play, and it decides.

    player Hero, explore 2
    player Rival, explore 1

Declare the others with `entity`, or tell them apart by a field.
";

    PLAYERS_FIXED = "E0405", "players are not created, removed or moved", "
The players of a board stay its players during a run:

    sequence s
      step out
        for each p: Player where p.lives = 0
          remove p

Give players a field that says whether they are still in the game.
";

    NO_HEADROOM = "E0406", "the sort has no room for created entities", "
How many entities a run may create before it is given up is part of the sort:

    entity Token, explore up to 2
    sequence s
      step t
        create Token

Write `entity Token, explore up to 2, headroom 3`.
";

    FAMILY_HEADROOM = "E0407", "a family of zones needs a fixed number of owners", "
`zone lane of Card per Location` has one zone for each location of the board; a
location that appears during the run would have none.

    entity Location, explore 2, headroom 1
    zone lane of Card per Location

Leave out the headroom, or put the created entities into another sort.
";

    FIELD_NEEDED = "E0408", "a field or column has no value", "
A field that refers to an entity and is not optional has no default, so whoever
makes an entity must give it:

    entity Token, explore 0, headroom 1
      owner: Player
    sequence s
      step t
        create Token

Write `create Token with owner = p`, or declare the field optional. In a table
every row says what is printed in each column that has no `default`.
";

    CYCLE = "E0409", "something is defined by itself", "
A sequence cannot perform itself, directly or through others, and a definition
cannot use itself:

    sequence a
      step one
        perform a

Use `repeat`, or an event with a trigger.
";

    RESOLVE_IN_TRIGGER = "E0410", "a trigger resolves a queue", "
Queues are resolved by sequences. What a trigger does must not resolve one,
neither itself nor by way of a sequence it performs:

    trigger chain on destroyed(c)
      resolve effects

To interrupt what is going on, declare the event `at once`.
";

    NOT_TOGETHER = "E0411", "this cannot be done simultaneously", "
What stands under `simultaneously` reads the old state and writes together, so
it must need no choice, call or order: `set`, `increase`, `decrease`,
`transfer`, `move` (not `move all`), `announce` (of events in a queue), `let`,
`if`, `depending on`, `for each`, `gap … and go on` and `nothing`.

    simultaneously
      choose c: Card in hand by p

Take choices before, and call sequences after.
";

    NO_ORDER = "E0412", "there is no such order here", "
An `unordered` zone has no first and last place, and nothing there lies beside
something. `left to right` means a zone with an order, or a sort without zones
(lanes 1, 2, 3); `in player order` means players, or what lies in zones of
theirs that have an order; `live by position` needs an order in which things
lie, and `from p` needs zones that belong to players. What comes from an
unordered zone all at once arrives in no order:

    zone void of Card, unordered
    define newest() = top of void

Nor can a step say:

    for each c: Card in void, left to right
      move c to deck
    move all of void to deck

Declare the zone without `unordered`, range over a zone, or say who decides:
`in any order`, `in an order chosen by p`.

An order by rank (`largest c.speed first`) speaks of what it puts in order: of
the elements of a `for each`, or of listeners that have a name and a sort
(`listeners c: Card largest c.speed first`), which all listeners then are.
`in an order of their own` comes after the `then` of a player order, and
`until all pass` needs players in player order.

Listeners that are taken as they lie, or in player order, all lie in one zone
(or family of zones), or are of one sort: of a player and a card, or of cards in
two zones, nothing says which comes first.
";

    OLD_OUTSIDE = "E0413", "`old` has no meaning here", "
`old e` is the value of `e` when the step or run began. It can stand in
`ensures`, and in what `invariant`, `must`, `reachable`, `unreachable`,
`conserves`, `largest` and `smallest` say. In what raises an event
(`whenever`), and in what that event carries, it is the value before the
statement:

    define grown(c: Card) = c.health > old c.health

Elsewhere bind the earlier value by `let`.
";

    HAS_PARAMETERS = "E0414", "the sequence has parameters", "
A sequence that is verified, or about which something is claimed, starts on a
board, where nothing gives it arguments:

    sequence attack(c: Card)
      step hit
        nothing
    verify attack

Write a sequence without parameters that performs it.
";

    BOARD = "E0415", "a board leaves something open", "
A board says where every entity lies, if its sort has zones, and what every
variable is that has no default:

    zone board of Card
    board one
      Card wolf

Write `Card wolf in board`.
";

    EXAMPLE = "E0416", "an example is incomplete", "
An example has one board (`on NAME`, or `given` with lines) and performs one
sequence:

    example nothing_happens
      perform cleanup

Add what is missing, and split what is two examples.
";

    MISPLACED = "E0417", "this line does not belong here", "
A sequence has at most one `contract` and one `restart`; `waived`, `refers to`,
`defines`, `uses` and `yields to` belong to clauses, directly under their
heading; an item is named once.

    sequence s
      contract
        changes score
      contract
        changes round
";

    TOO_DEEP = "E0418", "this is nested too deeply", "
Expressions, statements and clauses can be nested in each other at most 256
deep. In a text no more than 64 can be (E0114), so only a tree that a program
puts together comes to this:

    define huge() = not not not not true     -- with 300 times `not`

Give parts names by `define` or `sequence`.
";

    OUTCOME = "E0419", "this outcome is not declared so", "
A win or a loss is somebody's; a draw or an end is nobody's in particular:

    declare win
    declare draw for p

Write `declare win for p`, `declare win for everyone`, `declare draw`.
";

    PRIORITY = "E0420", "priority has no effect here", "
`priority` orders the triggers that are pending in a queue `by priority`. In
other queues, and for events that interrupt at once, it would be ignored:

    event hit, at once
    trigger shield on hit, priority 2
      nothing

Leave it out, or declare the queue `by priority`.
";

    GIVEN_TWICE = "E0421", "something is given twice", "
A field, a column, a size, an alternative or an argument is given once:

    create Token with power = 1, power = 2

So is the label of an option: examples and reports tell options by it. An option
of a zone stands once, a contract has one `changes` line for a place, and an
observer sees a thing or ignores it.
";

    TOO_FEW = "E0422", "too few to choose from", "
A reading has at least two alternatives, a type at least one value, and a table
at least one row and one column:

    reading zero
      exactly \"only exactly 0\"

Add the alternative that the text allows as well.
";

    NO_CONTRACT = "E0423", "the sequence has no contract", "
`verify S with T by contract` replaces `T` by what its `contract` says:

    sequence t
      step one
        nothing
    verify s with t by contract

Write a `contract` in the sequence.
";

    DEEP_USE = "E0424", "rules use each other too deep, or there are too many", "
A definition with all that it uses is at most 512 expressions deep, and at most
256 sequences perform each other, one within the other. Continuous values use
others that do not use them at most four deep. A sequence has at most
512 steps, and all of them together 4096; and there are at most 4096 sorts, and
512 zones. All tables together have at most 16384 printed values:

    define a1 = a0 + 1
    define a2 = a1 + 1

Nobody can follow rules that go deeper; let some of them do more by themselves.
";

    VERIFIED_OTHERWISE = "E0425", "a sequence is verified in two ways", "
What is asked of a sequence is answered once, for all `verify` lines that name
it. They may have sizes and a condition of their own, but what counts
(`observing`) and what is replaced (`by contract`) is the same in all of them:

    verify s observing table where n = 0
    verify s where n = 1

To look at it in another way, verify a sequence that performs it, or let a claim
have an observer of its own.
";

    PASS = "E0426", "nobody can pass here", "
`for each p: Player, in player order, until all pass` asks the players in turn,
round and round, until all of them have passed in a row; whoever's turn executes
`pass` has passed. So `pass` stands in such an iteration only, and such an
iteration has one:

    for each p: Player, in player order from active, until all pass
      may by p
        set p.shield to true
      otherwise
        pass

It does not reach out of a sequence that is performed there, nor out of a
trigger: pass where the turn is. Of iterations in one another each needs a
`pass` of its own. To do nothing, write `nothing`.
";

    MADE_UP = "E0427", "an experiment stands where a rule belongs", "
An `experiment` is a sequence that the author makes up, to ask what would be so
if the rules were other ones. So only a `question` is about it, and nothing that
it does is a fault of the document:

    experiment swapped: cleanup but infection before armour
    question same: equivalent cleanup, swapped

No `verify`, `claim` or example names it, and no step or trigger performs it. In
another experiment it can take the place of what it is made of:

    experiment late: turn but swapped for cleanup
";

    NO_CHANGE = "E0428", "an experiment cannot be made like this", "
An experiment changes a sequence, and each change needs something to change:

    experiment e: cleanup but armour last, without infection, never restarting

A step that is moved or left out is one that is left; a place in the list means
something where the list has an order; what never begins again cannot be kept
from it; and `swapped for cleanup` is said of a sequence whose own steps perform
`cleanup`, and of an experiment made of that. At least one step is left.

What else than its own steps leaves a sequence (`leave cleanup` in a trigger, or
in what it performs) would not end an experiment that is made of it.
";

    CONTINUOUS = "E0429", "a continuous value cannot be made like this", "
A `continuous` value is not kept anywhere: it is what its expression says as
long as the state is as it is, and its expression may use it, too:

    continuous strongest(m: Monster): boolean =
      every o: Monster in field has attack(o) <= attack(m)
    continuous attack(m: Monster): integer from 0 to 9 =
      m.printed + (if strongest(m) then 2 else 0)

Which values fit together is found by trying, so there have to be few of them:
truth values, values of a type, or numbers `from … to …`. There is one for each
entity of a sort, or one alone. What it is made of cannot ask whether it
`is determined`; the rules can.
";

    NO_WAY = "E0431", "no step to go to", "
`go to STEP` ends the step in which it stands; the named step of the same list
is next, and then those that are written after it, done before or not:

    sequence chain
      step finalize
        perform finalize(top of pile)
      step pass
        if somebody_plays()
          go to finalize
      step settle
        perform settle(top of pile)

So it stands in a step, whose list is done in the order in which it is written,
and not for each of several places. It stands not in a trigger or in what is
done before restarting, where no step is under way, nor under `simultaneously`.
In what a step performs only the steps of that sequence can be named.
";

    RAISED = "E0430", "an event that the state raises is said in another way", "
With `whenever` no statement announces an event: the state raises it when a
statement makes its condition true.

    event dies(c: Card), whenever c is in board and c.health <= 0, in effects
    event leaves(c: Card, whose: optional Player = old holder of c),
      whenever c is not in board, at once

It is about nothing in particular or about one entity, its first parameter;
every other parameter has a value, in which `old` is what was so before the
statement. So `announce dies(c)` is not written; to have both, declare another
event for what is announced, and let triggers listen to each.

The condition is about the board: not about what waits in a queue, and not
about how something lies that is shuffled.
";
}
