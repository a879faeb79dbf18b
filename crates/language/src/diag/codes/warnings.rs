//! W05xx: a meaning, but probably not the intended one.

use crate::diag::registry::declare_codes;

declare_codes! {
    NO_CLAUSE = "W0501", "a rule rests on no clause", "
Every rule that is executed should be traceable to the text. What stands under
no clause, cites none and has no `basis` line counts as invented:

    trigger burn on hit(c)
      decrease c.health by 1

Put it under its clause, or say where it comes from: `basis external \"FAQ\"`,
`basis invented \"a card to make the loop visible\"`.
";

    UNUSED_READING = "W0502", "a reading is never consulted", "
A reading has an effect only where `per r`, `depending on r` or `r is a` asks
for it:

    reading zero
      exactly \"exactly 0\"
      or_less \"0 or less\"

If the two meanings play the same, say so in a comment and leave it out.
";

    UNUSED_DEFINITION = "W0503", "a definition is never used", "
    define dead(c: Card) = c.health <= 0

Nothing in the specification asks for `dead`. Use it or leave it out.
";

    NEVER_ANNOUNCED = "W0504", "an event is never announced", "
Triggers on an event run when `announce` says that it happened. Nothing does:

    event destroyed(c: Card), in effects
    trigger afterlife on destroyed(c)
      nothing

Announce it where it happens.
";

    NEVER_READ = "W0505", "a variable is never read", "
    var round: integer from 1 to 9

No rule, claim or declared observer looks at it. If something writes it, it
still counts where outcomes are compared as a whole, and where it has bounds.
";

    SAME_AS_NOW = "W0506", "`old` of a bound name is the name itself", "
A bound name stands for one thing from beginning to end, so `old` in front of it
alone changes nothing. `old` goes no further than the next word:

    claim kept: must (every c: Card has old c is in hand) after draw

This speaks of what is in hand now. What was so in the past has to stand in
parentheses after it:

    claim kept: must (every c: Card has old (c is in hand)) after draw
";

    CONTRACT_UNCHECKED = "W0507", "a contract is relied on and checked nowhere", "
    verify payday with pay by contract

What pay does is replaced by all that its contract allows, so what is said of
payday is so if pay keeps its contract. Check that, too:

    verify pay
";

    YIELDS_TO_ITSELF = "W0508", "a clause yields to itself", "
    clause d.1 (rule) at \"1\"
      yields to d.2
    clause d.2 (rule) at \"2\"
      yields to d.1

Each prevails over the other, so precedence does not settle which one is
followed: where the two disagree, that is reported as a contradiction (F0402).
Leave out the line that the document does not bear out.
";

    ORDER_TOGETHER = "W0509", "an order that nothing follows", "
    simultaneously
      for each c: Card in hand, left to right
        move c to discard

What is simultaneous is done for all at once, so this order says nothing. Where
the order in which things arrive matters, it is left open (F0201). Leave out the
order, or the `simultaneously`.
";

    NOT_ASKED = "W0510", "nobody asks about an experiment", "
    experiment swapped: cleanup but infection before armour

It is explored for what is asked of it alone, so nothing is said of this one.
Ask something, or leave it out:

    question same: equivalent cleanup, swapped
";

    READS_ALIKE = "W0511", "two names read alike", "
    zone deck of Card per Player
    zone deck_of_boss of Card
    role boss: Player

Reports call both `deck(boss)` and `deck_of_boss` \"deck of boss\". At the start
of a sentence, names that differ only in capitals read alike, too; a name like
`nobody` reads as a word, and `deck_or_hand` as two places if one of both is a
zone. Give one of them another name.
";
}
