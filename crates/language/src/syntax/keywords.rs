//! The words that mean something in the language: one table for suggestions, for the syntax
//! highlighting of editors, and for the list of words that cannot be names.
//!
//! Most keywords are keywords only where the grammar asks for them: `size of deck(p)` counts cards
//! though `size` may be a field, as in `c.size`. The reserved ones are those without which an
//! expression could be read in two ways.
//!
//! Architecture invariant: the parser asks for no word that is not in this table (checked in debug
//! builds).

/// What a keyword does; where it does several things, the first of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Begins an item: `zone hand of Card per Player`.
    Item,
    /// Begins a line of a clause, sequence, board or example.
    Line,
    /// Begins a statement.
    Statement,
    /// An operator, or the beginning of a form of expressions.
    Operator,
    /// A value.
    Constant,
    /// A type.
    Type,
    /// Joins the parts of a line.
    Connective,
    /// One of a few choices that the language offers, such as `snapshot`.
    Choice,
}

/// All keywords.
pub const KEYWORDS: &[(Role, &[&str])] = &[
    (
        Role::Item,
        &[
            "accept",
            "board",
            "claim",
            "clause",
            "continuous",
            "define",
            "document",
            "entity",
            "event",
            "example",
            "experiment",
            "game",
            "include",
            "legal",
            "observer",
            "player",
            "question",
            "queue",
            "reading",
            "role",
            "sequence",
            "supply",
            "table",
            "trigger",
            "type",
            "var",
            "verify",
            "zone",
        ],
    ),
    (
        Role::Line,
        &[
            "basis",
            "cancel",
            "changes",
            "cites",
            "contract",
            "defines",
            "ensures",
            "expect",
            "given",
            "ignores",
            "option",
            "otherwise",
            "refers",
            "restart",
            "restarting",
            "row",
            "says",
            "sees",
            "step",
            "unfinished",
            "uses",
            "waived",
            "when",
            "yields",
        ],
    ),
    (
        Role::Statement,
        &[
            "announce",
            "cases",
            "choose",
            "create",
            "declare",
            "decrease",
            "depending",
            "distribute",
            "for",
            "gap",
            "go",
            "if",
            "increase",
            "leave",
            "let",
            "may",
            "move",
            "nothing",
            "pass",
            "perform",
            "remove",
            "repeat",
            "resolve",
            "set",
            "shuffle",
            "simultaneously",
            "transfer",
        ],
    ),
    (
        Role::Operator,
        &[
            "and",
            "bottom",
            "clamp",
            "count",
            "divided",
            "else",
            "every",
            "first",
            "half",
            "has",
            "holder",
            "is",
            "largest",
            "last",
            "max",
            "min",
            "neighbour",
            "next",
            "not",
            "old",
            "or",
            "over",
            "per",
            "previous",
            "size",
            "smallest",
            "some",
            "sum",
            "then",
            "top",
            "where",
        ],
    ),
    (
        Role::Constant,
        &[
            "chance",
            "everyone",
            "everything",
            "false",
            "nobody",
            "none",
            "true",
        ],
    ),
    (Role::Type, &["boolean", "integer", "one", "optional"]),
    (
        Role::Connective,
        &[
            "a",
            "after",
            "all",
            "an",
            "as",
            "assuming",
            "at",
            "because",
            "before",
            "but",
            "by",
            "default",
            "each",
            "explore",
            "from",
            "headroom",
            "holds",
            "in",
            "into",
            "like",
            "nest",
            "never",
            "number",
            "observing",
            "of",
            "on",
            "only",
            "out",
            "priority",
            "reach",
            "starts",
            "steps",
            "the",
            "throughout",
            "to",
            "until",
            "up",
            "whenever",
            "while",
            "with",
            "within",
            "without",
        ],
    ),
    (
        Role::Choice,
        &[
            "any",
            "carried",
            "change",
            "chosen",
            "conserves",
            "definition",
            "down",
            "draw",
            "empty",
            "end",
            "equivalent",
            "external",
            "idempotent",
            "invariant",
            "invented",
            "irrelevant",
            "least",
            "left",
            "listeners",
            "live",
            "loss",
            "lost",
            "most",
            "must",
            "note",
            "once",
            "order",
            "outcome",
            "own",
            "particular",
            "places",
            "position",
            "possible",
            "reachable",
            "rechecked",
            "reference",
            "removed",
            "reverse",
            "right",
            "rounded",
            "rule",
            "snapshot",
            "stable",
            "terminates",
            "text",
            "their",
            "those",
            "together",
            "unordered",
            "unreachable",
            "unspecified",
            "win",
        ],
    ),
];

/// The keywords that cannot be names.
pub const RESERVED: &[&str] = &[
    "after", "and", "before", "else", "every", "false", "has", "if", "in", "is", "largest", "none",
    "not", "of", "old", "or", "over", "per", "smallest", "some", "then", "true", "where",
];

/// Whether a word means something in the language.
pub fn is_keyword(word: &str) -> bool {
    all().any(|keyword| keyword == word)
}

/// Whether a word cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// All keywords, role by role.
pub fn all() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().flat_map(|(_, words)| words.iter().copied())
}

/// The keywords that have a role.
pub fn with_role(role: Role) -> impl Iterator<Item = &'static str> {
    let of_role = KEYWORDS.iter().filter(move |(its, _)| *its == role);
    of_role.flat_map(|(_, words)| words.iter().copied())
}

/// Whether a word makes a form of expressions with `of`, which is easily forgotten.
pub(crate) fn goes_with_of(word: &str) -> bool {
    [
        "bottom", "count", "first", "half", "holder", "last", "size", "sum", "top",
    ]
    .contains(&word)
}

/// So many words are compared with one that is not known.
const MOST_COMPARED: usize = 1000;

/// The longest word for which a similar one is looked for.
const MAX_MISSPELT: usize = 24;

/// The most similar of some words, if one is so similar that it may be meant.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    if word.len() < 2 || word.len() > MAX_MISSPELT {
        return None;
    }
    let allowed = if word.len() < 6 { 1 } else { 2 };
    let candidates = candidates.take(MOST_COMPARED);
    let candidates = candidates.filter(|candidate| candidate.len() <= MAX_MISSPELT);
    // A file with many errors compares each of them with each of its names.
    let candidates = candidates.filter(|candidate| candidate.len().abs_diff(word.len()) <= allowed);
    let rated = candidates.map(|candidate| (distance(word, candidate), candidate));
    let near = rated.filter(|(distance, _)| (1..=allowed).contains(distance));
    near.min().map(|(_, candidate)| candidate)
}

/// The number of letters to insert, delete, replace or swap with their neighbour that leads from
/// one word to another (optimal string alignment). Neither is longer than [`MAX_MISSPELT`].
fn distance(from: &str, to: &str) -> usize {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    let mut before = [0; MAX_MISSPELT + 1];
    let mut row: [usize; MAX_MISSPELT + 1] = std::array::from_fn(|at| at);
    for (i, a) in from.iter().enumerate() {
        let mut next = [i + 1; MAX_MISSPELT + 1];
        for (j, b) in to.iter().enumerate() {
            let mut best = (row[j] + usize::from(a != b))
                .min(row[j + 1] + 1)
                .min(next[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                best = best.min(before[j - 1] + 1);
            }
            next[j + 1] = best;
        }
        before = std::mem::replace(&mut row, next);
    }
    row[to.len()]
}

/// How the language says what a word of another language says.
pub(crate) fn foreign(word: &str) -> Option<&'static str> {
    Some(match word {
        "else" => "`otherwise`",
        "unless" => "`if not …`",
        "elif" | "elseif" | "elsif" => "`otherwise if`",
        "while" => "`repeat while …`",
        "until" => "`repeat until …`",
        "foreach" | "each" | "forall" => "`for each …`",
        "switch" | "match" | "case" => "`cases` with `when` lines under it",
        "goto" | "jump" | "continue" => "`go to` and the name of a step",
        "return" | "break" | "exit" => "`leave` and the name of the sequence",
        "skip" | "noop" => "`nothing`",
        "enum" => "`type NAME is one of …`",
        "def" | "fn" | "function" => "`define NAME(…) = …`",
        "class" | "struct" | "record" => "`entity NAME` with its fields under it",
        "proc" | "procedure" => "`sequence NAME` with `step` lines under it",
        "call" | "do" | "run" => "`perform` and the name of a sequence",
        "emit" | "raise" | "fire" => "`announce` and the name of an event",
        "add" => "`increase … by …`",
        "subtract" => "`decrease … by …`",
        "assert" => "`ensures …` in a step, or a `claim`",
        "theorem" | "property" => "`claim NAME: …`",
        "import" | "use" => "`include \"…\"`",
        "destroy" | "delete" => "`remove …`, or `move … to …`",
        _ => return None,
    })
}

/// Where a line that begins with a word stands, for a message that begins with the word.
pub(crate) fn belongs(word: &str) -> Option<&'static str> {
    Some(match word {
        "step" | "restart" | "contract" => "in a sequence",
        "row" => "in a table",
        "ensures" => "directly in a step or in a contract",
        "changes" => "in a contract",
        "when" => "in `cases` or `depending on`",
        "option" => "in `choose one`",
        "otherwise" => "after `if` or `may` in the same column, or last in `cases`",
        "cancel" | "unfinished" | "before" => "in a restart rule",
        "clause" => "around declarations, steps or statements, or by itself",
        "says" | "waived" | "refers" | "defines" | "uses" | "yields" => "in a clause",
        "cites" | "basis" => "in a clause, a sequence or a block of statements",
        "sees" | "ignores" => "in an observer",
        "given" | "expect" | "on" | "after" => "in an example",
        "game" | "include" | "document" | "sequence" => {
            "at the top level, or in a document or clause there"
        }
        _ if with_role(Role::Item).any(|item| item == word) => {
            "outside of steps, at the top level or in a sequence"
        }
        _ if with_role(Role::Statement).any(|statement| statement == word) => {
            "in a step or a trigger"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_keyword_stands_in_the_table_once_and_in_order() {
        for (role, words) in KEYWORDS {
            assert!(words.is_sorted(), "{role:?}");
        }
        let mut sorted: Vec<_> = all().collect();
        sorted.sort_unstable();
        let twice: Vec<_> = sorted
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn reserved_words_are_sorted_keywords() {
        assert!(RESERVED.is_sorted());
        assert!(RESERVED.iter().all(|word| is_keyword(word)));
        assert!(is_reserved("where") && !is_reserved("size"));
    }

    #[test]
    fn the_nearest_word_is_proposed_only_if_it_is_near() {
        let near = |word| nearest(word, with_role(Role::Statement));
        assert_eq!(near("mvoe"), Some("move"));
        assert_eq!(near("transfr"), Some("transfer"));
        assert_eq!(near("simultanously"), Some("simultaneously"));
        assert_eq!(near("discard"), None);
        assert_eq!(near("x"), None);
        assert_eq!(near(&"m".repeat(1000)), None);
        assert_eq!(nearest("set", ["set"].into_iter()), None, "it is that word");
    }

    #[test]
    fn every_keyword_that_begins_a_line_belongs_somewhere() {
        for role in [Role::Item, Role::Line, Role::Statement] {
            for word in with_role(role).filter(|&word| word != "restarting") {
                assert!(belongs(word).is_some(), "{word}");
            }
        }
    }
}
