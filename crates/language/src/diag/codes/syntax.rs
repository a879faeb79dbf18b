//! E01xx: text that does not follow the grammar.

use crate::diag::registry::declare_codes;

declare_codes! {
    TAB = "E0101", "a line is indented with a tab", "
What is nested under a line is written with more spaces in front. A tab is as
wide as an editor likes, so that the same file could mean two things. Indent
each block by two spaces:

    step destroy
      move c to dying
";

    INDENTATION = "E0102", "a line is indented unlike the lines around it", "
All lines of a block start in the same column, and the lines of the file itself
in the first one. Here the last line is neither in the block of the first
`nothing` nor in that of the `if`:

    if ready
        nothing
      nothing
";

    UNKNOWN_CHARACTER = "E0103", "a character is used that means nothing", "
Outside of texts and comments, a specification consists of words, numbers, texts
in double quotes, and the signs ( ) , : . | + - * = != < <= > >=. Blocks are
written by indentation, not with braces; a statement ends with its line, not
with a semicolon; texts stand in straight quotes:

    game \"Gods Unchained\"
";

    OPEN_TEXT = "E0104", "a quoted text does not end on its line", "
A text starts and ends with a double quote on the same line. A quote inside of
it is written \\\", a line break \\n, a backslash \\\\:

    says \"The card named \\\"Void\\\" is removed.\"
";

    BAD_ESCAPE = "E0105", "a backslash is followed by an unknown character", "
In a quoted text a backslash stands only before a double quote, before the
letter n (a line break) and before another backslash:

    document hotfix \"C:\\\\rules\\\\hotfix.txt\"
";

    BAD_NUMBER = "E0106", "a word starts with digits", "
Names start with a letter or `_`, and numbers have digits only. So `2nd_card` is
neither. Write `second_card`, or a space if a number and a word were meant:

    define doubled(c: Card) = 2 * c.health
";

    BIG_NUMBER = "E0107", "a number is too large", "
Numbers go up to 9223372036854775807. Games stay far below that; perhaps two
numbers were joined:

    var round: integer from 1 to 9
";

    UNEXPECTED = "E0108", "something else is expected here", "
The line is understood up to the marked place. There the grammar expects
something else; the message says what was found and what would be right. In

    increase c.health with 1

the word `by` is expected where `with` stands. docs/language.md has the whole
grammar, with an example of each form.
";

    RESERVED_WORD = "E0109", "a reserved word is used as a name", "
Most words of the language can be names as well; a few cannot, because an
expression could then be read in two ways: after and before else every false has
if in is largest none not of old or over per smallest some then true where. In

    var old: integer

choose another name, such as `former`.
";

    UNKNOWN_HEADING = "E0110", "a line begins with an unknown word", "
Every line of a specification begins with a word that says what it is: `entity`,
`step`, `move` and so on. Which words are known depends on the block: a step
takes statements, a sequence takes steps. In

    step destroy
      mvoe c to dying

the statement is misspelt. Whatever is nested under the line is not read.
";

    MISPLACED = "E0111", "a line stands where it cannot", "
The line begins with a word of the language that belongs elsewhere. A step, for
example, stands in a sequence and not beside it, and `otherwise` in the same
column as its `if`:

    if c.ready
      nothing
    otherwise
      move c to dying
";

    MISSING_BLOCK = "E0112", "nothing is nested under a heading", "
Some lines only announce what the lines nested under them say: a step its
statements, a reading its alternatives, `cases` its `when` lines. Nest lines
under it, indented by two more spaces. A step that does nothing says so:

    step pause
      nothing
";

    UNEXPECTED_BLOCK = "E0113", "lines are nested under a line that takes none", "
A line that is indented deeper than the one above is nested under it. A
statement such as `move` has nothing nested under it. Start the next statement
in the same column:

    step destroy
      move c to dying
      announce destroyed(c)
";

    TOO_DEEP = "E0114", "blocks or expressions are nested too deep", "
At most 64 blocks stand in each other, and at most 64 expressions: each pair of
brackets, each operator of a chain and each field counts. Nobody can follow
rules that go deeper; give parts of them names with `define`, `let`, or a
sequence of their own:

    define is_dead(c: Card) = c.health <= 0 and not c.shielded
";

    MISSING_LINE = "E0115", "a line is missing that has to be there", "
A restart rule says how fine the cancel is and what becomes of the part that was
not run. Neither has a default, because rulebooks that leave one of them open
can be played in several ways. If the document does not say, make it a reading:

    restart when not pending is empty
      cancel at end of step
      unfinished per leftover (forgotten: lost | kept: carried)
";

    DUPLICATE_LINE = "E0116", "a line stands twice of which there is one", "
A clause has one `says` line, and a restart rule one line each of `cancel`,
`unfinished` and `before restarting`. Remove one of the two, or join them:

    clause cleanup.1 (rule) at \"Cleanup Step, 1\"
      says \"Creatures and relics with no health left are destroyed.\"
";

    COMPARISON_CHAIN = "E0117", "two comparisons stand in a row", "
`a < b < c` compares a truth with a number, which is hardly meant. Say both
comparisons:

    legal hand_size: 0 <= cards and cards <= 5
";

    TOO_MANY_ERRORS = "E0118", "there are too many errors", "
After 100 errors the rest of a file is not read: it is probably no
specification, or one early error caused the later ones. Repair the first ones
and try again:

    endstep check rules.endstep
";

    TOO_MANY_TOKENS = "E0119", "a specification is too large", "
A specification has at most 250,000 words, numbers, texts, operators and
comments, with all that it includes. That is some twenty times a long rulebook;
a file with more was probably made by a program. Write what is alike once, and
pass what differs:

    define is_worn(c: Card) = c.health <= 0
";
}
