//! E00xx: bytes that are no source text.

use crate::diag::registry::declare_codes;

declare_codes! {
    NOT_UTF8 = "E0001", "the source is not UTF-8 text", "
A specification is text in the encoding UTF-8. The message says where the first
byte stands that is not. Usually the file was saved in an older encoding: in
Latin-1 the `é` of

    game \"Réinitialisation\"

is the single byte 0xe9, which UTF-8 never has between two letters. Save the
file as UTF-8. If it is no text at all, the wrong file was named.
";

    TOO_LARGE = "E0002", "the source is too large", "
One source may have at most 4 MiB (4194304 bytes), some forty times a long
rulebook. Split the specification into several files and include them. If the
file is no specification, the wrong file was named.
";

    TOO_MANY = "E0003", "there are too many sources", "
One run reads at most 10000 files. Name fewer of them, or a folder further down,
such as

    endstep check specs/gods-unchained/
";

    EMPTY = "E0004", "the source says nothing", "
The file is empty, or has nothing but comments. A specification begins like
this:

    game \"Gods Unchained\"

`endstep init NAME` writes one to begin with.
";

    INTERRUPTED = "E0005", "the check was interrupted", "
Somebody ended the check with Ctrl-C, or a system did with the signal SIGTERM,
because it took too long, say. What was known by then is shown; everything else
is open, and the exit code is 130. A check that takes too long can be split, or
look at less:

    endstep check game.endstep --scope Card=2
";
}
