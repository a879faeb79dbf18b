//! F….: what is wrong with a document, or noteworthy.

use crate::diag::Code;
use crate::diag::registry::declare_findings;

/// What the text alone shows, and no run.
pub const BY_TEXT: [Code; 3] = [MISSING_CLAUSE, DANGLING_REFERENCE, UNDEFINED_TERM];

declare_findings! {
    MISSING_CLAUSE = "F0101", "a clause is neither formalised nor waived",
        { rank: 26, one_board: false }, "What this sentence says was not checked at all.", "
The specification quotes or paraphrases a sentence of the document, but nothing
formal stands under it, nothing cites it, and nobody says why that is right:

    clause cleanup.4 (rule) at \"Cleanup Step, 4\"
      says \"The active player draws a card.\"

Write the rule under it, or add `waived \"reason\"`.
";

    DANGLING_REFERENCE = "F0102", "a clause refers to something that is not there",
        { rank: 27, one_board: false }, "Who follows the reference finds nothing there.", "
The document sends its reader somewhere that does not exist, or that the
specification has not taken down yet:

    clause a.1 (rule) at \"Scoring, 1\"
      says \"Score as in the End of Age Routine.\"
      refers to \"End of Age Routine\"

If the document has such a passage, add its clause, and let it say
`defines \"End of Age Routine\"`, or refer to it by its id (`refers to r.1`):
what a clause is located at is no name. If it has none, the document has a
hole, and this finding says so.
";

    UNDEFINED_TERM = "F0103", "a term is used that no clause defines",
        { rank: 28, one_board: false }, "Readers take the word as they please, and whatever depends on it with it.", "
A clause says `uses \"Void\"`, and no clause says `defines \"Void\"`. Readers will
take the word as they please:

    clause a.2 (rule) at \"Targets, 2\"
      says \"Cards in the Void cannot be targeted.\"
      uses \"Void\"

Add the definition if the document has one.
";

    ORDER_MATTERS = "F0201", "the order matters, and it is not fixed",
        { rank: 10, one_board: true }, "The document does not fix the order, yet it decides what happens.", "
Two things may be done in either order, and the outcomes differ:

    for each c: Card in board          -- in any order
      if count of d: Card in board > 1
        move c to discard

With two cards on the board, whichever is visited first goes and the other
stays. The finding shows such a board (the smallest, unless it says that smaller
ones show it, too), the two that do not commute, and a run of one order whose
outcome the other order does not have.

It is a fault where nobody says which comes first. Where the document lets a
player, or all players together, decide, it is a note: that choice matters.
Where chance decides, orders are not compared.
";

    STEPS_MATTER = "F0202", "the order of two steps matters, and the document leaves it open",
        { rank: 11, one_board: true }, "A reader cannot know whether a list binds in its order, and here the order decides what happens.", "
The steps of a list are numbered, but nothing says that the numbers bind, and
doing two of them the other way round leads to other outcomes:

    sequence upkeep, steps unspecified
      step heal
        for each c in board
          increase c.health by 1
      step destroy
        for each c in board where c.health = 0
          move c to discard

A card without health survives if `heal` comes first.
";

    POSITION_MATTERS = "F0203", "the order matters, and the document fixes it",
        { rank: 32, one_board: true }, "It is settled and no fault, but players should know that it matters who or what comes first.", "
The document fixes the order of an iteration, such as left to right. That order
decides the outcome: with the elements visited in another order it would be
another one. It is no fault, but designers and players should know that it
matters where things lie, or who comes first:

    for each c: Card in lane, left to right
      if c.strength > strongest
        set strongest to c.strength
        increase scored by c.strength

";

    SAME_GAP = "F0204", "two steps lead to the same gap, whichever comes first",
        { rank: 24, one_board: true }, "Once the gap is filled, the order may matter too.", "
Two steps stand in a list whose order is open. One of them stops where the
document does not say what happens, so whichever comes first, the run ends in
that gap. Only what has been done until then differs:

    sequence upkeep, steps unspecified
      step heal
        for each c in board
          increase c.health by 1
      step draw
        if deck is empty
          gap empty_deck

The gap is a finding of its own. Whether the order of the two matters can only
be said once it is filled. If they end otherwise on some board, and differ
there, they are told as F0201 or F0202 instead.
";

    NAMED_GAP = "F0301", "the document does not say what happens",
        { rank: 8, one_board: true }, "The players have to make up a rule to go on, and another table will make up another one.", "
A run reaches a situation for which the specification says `gap NAME`: the
document is silent there.

    if deck is empty
      gap empty_deck \"Nothing is said about drawing from an empty deck.\"

The finding shows the smallest board on which it happens, unless it says that
smaller ones show it, too. A run ends in a gap, unless the specification goes on
with what its author assumes; then the finding tells that as well, and what
comes later is looked at, too:

    if deck is empty
      gap empty_deck and go on assuming \"the turn is over\"
      leave turn
";

    IMPLICIT_GAP = "F0302", "a rule cannot be followed",
        { rank: 7, one_board: true }, "The rule cannot be followed as it stands, so the players have to make up what happens.", "
A rule asks for something that is not there, or that cannot be done as it is
said: a choice from nothing, the top of an empty zone, a vacant role, half of an
odd number without a word on rounding, more than a supply holds, the largest of
nothing, a case for which no alternative is written, a continuous value that
nothing fits or several things do.

    choose c: Card in hand(p) by p     -- with an empty hand

The document does not say what happens then.
";

    CONFLICT = "F0303", "what is asked for at once cannot all be done",
        { rank: 6, one_board: true }, "What is asked for at one moment cannot all be done, and the document does not say what gives way.", "
Several things are asked for at the same time and cannot all be done: two
values for one place, two destinations of one card, two cases of which only one
should apply. Or more is taken from a supply than it holds, by one of them or
by several together:

    simultaneously
      for each p: Player
        transfer 1 from tokens to p.tokens   -- one token, two players

";

    OUT_OF_RANGE = "F0304", "a value leaves the bounds that the document gives",
        { rank: 16, one_board: true }, "The document says how much there can be, and following its rules leads beyond.", "
The document says how much there can be:

    entity Card, explore up to 3
      health: integer from 0 to 9

A run leaves those bounds:

    decrease c.health by 1                 -- with health 0

Values are never clamped silently: say `at least 0` if the document does.
";

    GAP_MATTERS = "F0305", "what the document leaves open makes a difference",
        { rank: 17, one_board: true }, "What the document does not say decides what happens, so the players have to fill it in.", "
The specification goes on after a gap with every value that is possible
(`gap g may change P`), and two of them lead to different outcomes:

    gap start_player may change first

Of a number without `within`, the values that are explored are tried.

If no values differed, the silence would be harmless, and the report would say
so instead.
";

    NOBODY_CHOOSES = "F0306", "a choice matters, and nobody is said to make it",
        { rank: 12, one_board: true }, "Somebody has to choose, the document does not say who, and the choice decides what happens.", "
Something is chosen by nobody in particular, and it comes out differently if
something else is taken:

    choose p: Player by nobody in particular
    set keeper to p

The document says that something is chosen, or that one of several is meant, and
leaves open which one and who says so. Say who decides, or by what rule.
";

    AMBIGUITY = "F0401", "two readings of a sentence play differently",
        { rank: 13, one_board: true }, "Two groups of players who both follow the text play different games.", "
One clause can be read in several ways, and on some board they have different
outcomes:

    reading no_health                      -- \"no health left\"
      exactly \"health = 0\"
      or_less \"health <= 0\"

The finding shows the smallest board that tells them apart, unless it says that
smaller ones do, too.
";

    CONTRADICTION = "F0402", "two clauses contradict each other",
        { rank: 1, one_board: true }, "People who follow one passage play a different game from people who follow the other, and both can \
         point to the document.", "
Two passages speak of the same thing, and on some board what they say leads to
different outcomes:

    reading draw_step
      early \"the player draws first\" cites simple.2
      late \"the player draws last\" cites full.7

Each of the two rests on a passage on which the other does not; else it is
F0401.
If one of them yields to the other, say so with `yields to`.
";

    OVERRULED = "F0403", "two clauses differ, and precedence settles it",
        { rank: 29, one_board: true }, "The document settles it, but who reads the first passage alone plays another game.", "
Two passages lead to different outcomes, and one of them yields to the other:

    clause simple.2 (rule) at \"Simple Rules, 2\"
      yields to full.7

The document can be followed, but readers of the first passage alone will play
another game.
";

    POWER_DIFFERS = "F0404", "two readings differ only in who decides",
        { rank: 15, one_board: true }, "Both ways to read it allow the same ends, but somebody can bring about or prevent under one of them \
         what they cannot under the other.", "
Under both readings the same outcomes are possible, but under one of them a
player, or all players together, can force or avoid an outcome, and under the
other the same player, or they, cannot:

    choose c: Card in row by per who (turn: active | other: next after active)

";

    CHOICES_DIFFER = "F0406", "two readings differ only after the same choices",
        { rank: 14, one_board: true }, "Both ways to read it allow the same ends, but what the same choices lead to is not the same.", "
Under both readings the same outcomes are possible from the board, but not any
more once the same has been chosen under both:

    choose one by bidder
      option \"bid\"
        choose number n from 1 to 2 by bidder
        set bid to n
      option \"pass\"
        depending on value
          when lowest
            set bid to 1
          when any_value
            choose number m from 1 to 2 by dealer
            set bid to m

A game can end with 1 or 2 either way. But after the same pass the dealer has a
choice under one reading, and none under the other. Two runs are shown that make
the same choices until then.
";

    DEMANDS_AT_ODDS = "F0405", "no way to end meets all that is demanded",
        { rank: 3, one_board: true }, "However it ends from this board, as the text is read there, something that is demanded of it is not \
         met.", "
Each way to end is one that some demand forbids. Of several demands any fewer
can be kept, but not all together, however it ends from this board as the text
is read there:

    claim none_lost: must count of c: Card in play = 2 after cleanup
    claim no_dead: must every c: Card in play has c.health > 0 after cleanup

With one dead card, cleanup keeps it or discards it, and breaks the one claim or
the other. There is a finding for each set of demands that cannot be met
together while any fewer of them can. It shows such a board (the smallest,
unless it says that smaller ones show it, too), all ways in which a run from it
can end, and for each demand a run that breaks just this one. Demands are claims
with `must` or `invariant` (as far as they speak of the end), and of a sequence
under `verify` conditions of `legal` and what its contract ensures. Questions
demand nothing.

If a single demand is named, the procedure itself rules it out on this board. Of
runs from it that stop or never end, nothing is demanded.
";

    MANDATORY_LOOP = "F0501", "an endless loop with no way out",
        { rank: 5, one_board: true }, "From there on nobody can bring the procedure to an end, so the game cannot be finished by its rules.", "
A run can reach a point after which it never ends, whatever anybody chooses and
however chance turns out:

    repeat until dying is empty
      for each c: Card in dying
        move c to discard
      resolve afterlives                 -- which create another dying card

The finding shows a run up to such a point, a run from it back to it, and how
many positions can be reached from there, none of which is an end. Until that
point other choices may still have led to an end.
";

    ORDER_LOOP = "F0502", "what is left to nobody can keep it going for ever",
        { rank: 9, one_board: true }, "Whether the game can go on depends on an order, a value or a choice that the document leaves to \
         nobody.", "
The order of things that nobody decides, the value of something that the
document leaves open, or a choice by nobody in particular, can keep a run going
for ever, even if all players want it to end and chance helps them:

    repeat while running
      for each l: Lane, in any order
        set running to l.goes_on         -- the lane that comes last decides

";

    CHANCE_LOOP = "F0503", "a run can go on for ever, and the players cannot be sure of its end",
        { rank: 23, one_board: true }, "The players cannot be sure that it ends, and there is no bound on how long it takes.", "
A run can reach a point from which, with luck, it can be brought to an end, but
the players cannot make sure of it, not even together:

    repeat until (top of deck).kind = creature
      shuffle deck

";

    OPTIONAL_LOOP = "F0504", "it can go on for ever, unless players end it",
        { rank: 30, one_board: true }, "Nothing makes those who can end it do so, and until then it may go on.", "
A run can reach a point from which it can go on for ever, but need not: from
there a player, whatever the others do, or the players together can bring it to
an end:

    repeat while done = false
      may by active \"stop\"
        set done to true

What could have been done before that point is not asked.
";

    GROWTH = "F0505", "a run goes round as before, each time with more or less",
        { rank: 22, one_board: true }, "Each time round there is more or less of something, and whether that ever ends is not known.", "
A run comes to a point where it has been before, but for something of which
there is more now (or a number that is less), and goes on in the same way:

    trigger breeds on arrives(c)
      create Card as young in board
      announce arrives(young)

The finding shows the first round. Twelve more were done, with room for more
than the sizes explored: each executes the same statements in the same order,
and adds as much. That it can go on so for ever is likely, and not proved; the
runs beyond the bounds of exploration are not known. Where a player or chance
decides something on the way, that may end it.

Where nothing that happens reads what grows (a score that is only counted), the
round is a loop instead (F0501 to F0504).
";

    LEGAL_BROKEN = "F0601", "a legal board leads to an illegal one",
        { rank: 18, one_board: true }, "The rules lead to a board that by the same rules should not exist.", "
A condition that holds on every legal board does not hold any more when the
sequence has ended:

    legal hand_size: every p: Player has count of c: Card in hand(p) <= 5

The rules break what they promise, or the condition is not what was meant.
";

    ENSURES_FAILS = "F0602", "a step does not ensure what it says",
        { rank: 20, one_board: true }, "A step does not see to what it is there for.", "
The condition of an `ensures` is false when the step has ended:

    step destroy
      ensures every c: Card in board has c.health > 0

";

    CONTRACT_BROKEN = "F0603", "a sequence does not keep its contract",
        { rank: 19, one_board: true }, "What else was said on the strength of this promise does not count until it is kept.", "
A sequence ends with something that its contract does not ensure, has changed
something that its contract does not list, or leaves something outside of the
bounds that the contract lists it within. Verdicts that used the contract in
place of the sequence do not count until this is repaired.

    contract
      changes score
      ensures score >= old score
";

    STUCK = "F0604", "no value that was tried meets a contract",
        { rank: 21, one_board: true }, "Nothing that was tried keeps the promise, so whoever relies on it comes no further there.", "
A sequence is replaced by its contract, and none of the values that were tried
for what it may change makes true what it ensures:

    contract
      changes score within 0 to 3
      ensures score = old score + 1      -- with a score of 3

Tried are the values `within` the bounds that the contract gives, or else those
that are explored. Where others would do, widen these.
";

    CLAIM_REFUTED = "F0610", "a claim of the document is not true",
        { rank: 2, one_board: true }, "Players rely on what is claimed. Where it is false, it misleads them.", "
What the document claims, or what the specification claims of it, is not so.
There is a board and a run against it; or, of what is said to be possible, none
for it:

    claim order_does_not_matter: order irrelevant in cleanup

The board shown is the smallest one that was found, unless the finding says that
smaller ones show it, too.
";

    QUESTION_NO = "F0611", "the answer to a question is no",
        { rank: 31, one_board: true }, "The author asked to know. Whether the answer is a fault is for the author to say.", "
The author of the specification asked something, and it is not so. There is a
board and a run against it; or, of what could be possible, none for it:

    question ends: terminates cleanup
";

    EXAMPLE_FAILS = "F0612", "a worked example does not come out",
        { rank: 4, one_board: false }, "Many learn the rules from examples. One that the rules do not bear out teaches another game.", "
Following the rules on the board of the example, with the choices that it makes,
something that the example says is not so:

    example two_wolves
      on wolves
      perform clash
      expect score = 2

What is offered alone is done without being chosen: no `choose` line names it.

Either the rules are not what the example thinks, or the formalisation is wrong.
";

    UNTESTED = "F0613", "it holds, and was never put to the test",
        { rank: 35, one_board: false }, "It is true, but as little or nothing of it could have failed, it says little.", "
What was claimed or asked holds, but on no board and no run that was looked at
could it have failed, or little of it could:

    claim order_does_not_matter: order irrelevant in cleanup
                              -- no card is ever in question beside another
    question full: must score = 3 after feast where count of c: Card in hand > 5
                              -- with at most five cards

The finding says what was never there: two things to put in order, a board that
meets the condition, a run that ends (also of an example), something of which
the claim speaks, or an end at which something that a contract lists is not as
it was at the start. (What such a contract ensures can have been put to the test
all the same.) Raise the sizes that are explored, look at the condition, or mend
the rules that no run gets past.
";

    DROPPED = "F0701", "a restart drops what was still to be done",
        { rank: 33, one_board: true }, "What is dropped is not kept: it is done only if something comes to it again. The document should \
         say whether that is meant.", "
A restart rule cancels a pass while there are elements of an iteration left, and
does not keep them for the next one. Those of steps that were not begun count,
too; the steps themselves are done by the next pass:

    restart when effects is not empty
      cancel at once
      unfinished lost

A card whose turn had not come gets it only if a later pass, or what is done
before restarting, comes to it. With `unfinished carried`, iterations in the
steps of the sequence itself are kept, and not those in a sequence that a step
performs. If the document means that, this is harmless; if not, it is a hole.
";

    MISSING_RECHECK = "F0702", "what a step did can be undone later",
        { rank: 34, one_board: false }, "What the step sees to need not hold any more at the end. The document should say whether that is \
         meant.", "
Doing the step again at once changes nothing: it sees to it that something
holds. But at the end of a sequence that has done it, doing it again
would change something: what came later has undone it, and nothing looks again.
It is no fault if it need hold only at that moment; the document rarely says.

    sequence upkeep
      step destroy
        for each c in board where c.health = 0
          move c to discard
      step poison
        for each c in board
          decrease c.health by 1, at least 0
";

    DEAD = "F0703", "no run ever does this",
        { rank: 36, one_board: false }, "Either it is of no use, or what was tried does not come to it: the boards may be too small or too \
         few, or a contract may stand for it.", "
A statement, step or trigger is never executed, from any legal board in scope,
under any reading; or no rule that is explored speaks of a reading:

    if count of c: Card in hand > 5        -- with at most five cards
      move top of deck to discard

The document may speak of something that cannot happen, or the boards that are
explored may be too small, or too few. Where a contract stands for a sequence,
nothing of that sequence is executed.
";

    IDLE = "F0704", "a step makes no difference to how it can end",
        { rank: 37, one_board: false }, "Either it is of no use, or what it is for was not formalised, or the boards that were tried do not \
         show it.", "
The step is executed, but without it no outcome of any board in scope would be
different, whichever sequence is verified. All that execute it are named.

    step announce_end
      nothing

Where a limit was met, nothing is said of steps that could be executed there.
";

    NO_BOARD = "F0705", "there is no board to look at",
        { rank: 25, one_board: false }, "Nothing can be checked, because no board meets all conditions.", "
No board up to the sizes explored meets all conditions of `legal`, and all that
restrict which boards are tried (`explore only`, `verify … where`), so no run
was explored:

    legal enough: count of c: Card > 3     -- with up to three cards

Raise the sizes, or look at the conditions.
";
}
