//! The words inside of lines: an example of each, and what it means.

use super::words::{Word, word};

/// Words inside of lines.
const INSIDE: &[Word] = &[
    word(
        "carried",
        "unfinished carried",
        "What was not done yet is done when the sequence has begun again.",
    ),
    word(
        "chance",
        "by chance",
        "Nobody decides: dice or a shuffled pile do.",
    ),
    word(
        "conserves",
        "conserves sum of c.gold over c in SEQUENCE",
        "The sum is the same at the end as at the start.",
    ),
    word(
        "default",
        "default 1",
        "What a board has where it does not say.",
    ),
    word("empty", "zone is empty", "Nothing lies there."),
    word(
        "equivalent",
        "equivalent ONE, OTHER",
        "Two sequences come to the same from every board.",
    ),
    word(
        "everyone",
        "everyone together",
        "All players decide together, against nobody.",
    ),
    word(
        "headroom",
        "headroom 2",
        "So many more can be created in a run than there are at the start.",
    ),
    word(
        "idempotent",
        "idempotent SEQUENCE.STEP",
        "Done twice, it comes to the same as once.",
    ),
    word(
        "invariant",
        "invariant condition throughout SEQUENCE",
        "It is so at every moment, after every step, or at the end.",
    ),
    word(
        "irrelevant",
        "order irrelevant in SEQUENCE.STEP",
        "Whatever comes first, it comes to the same.",
    ),
    word(
        "largest",
        "largest n in SEQUENCE",
        "The largest value that a number comes to; or, before `over`, the largest of several.",
    ),
    word(
        "live",
        "live",
        "Whoever comes to be concerned while it goes on has a turn, too.",
    ),
    word(
        "lost",
        "unfinished lost",
        "What was not done yet is forgotten when the sequence begins again.",
    ),
    word(
        "must",
        "must condition after SEQUENCE",
        "Every run has to end so.",
    ),
    word("none", "none", "Nothing: no card, nobody."),
    word(
        "observing",
        "observing OBSERVER",
        "Only what this observer sees counts as a difference.",
    ),
    word(
        "old",
        "old c.health",
        "What it was before: before the sequence, the step or the event.",
    ),
    word(
        "order",
        "in any order",
        "Which comes first: left open, fixed, or somebody's choice.",
    ),
    word(
        "over",
        "over each l: Lane, left to right",
        "The steps are done in each of several places.",
    ),
    word(
        "priority",
        "priority 2",
        "Of triggers that wait, those of a higher priority come first.",
    ),
    word(
        "reach",
        "reach -4 to 9",
        "How far a run may take the value; beyond that it is given up.",
    ),
    word(
        "reachable",
        "reachable condition in SEQUENCE",
        "Some run comes to where this is so.",
    ),
    word(
        "rechecked",
        "rechecked",
        "The condition is looked at once more when an element's turn has come.",
    ),
    word(
        "smallest",
        "smallest n in SEQUENCE",
        "The smallest value that a number comes to; or, before `over`, the smallest of several.",
    ),
    word(
        "snapshot",
        "snapshot",
        "Who is concerned is settled at the beginning, and nothing that happens changes it.",
    ),
    word(
        "stable",
        "repeat until stable",
        "Until a round changes nothing any more.",
    ),
    word(
        "starts",
        "starts 1",
        "What it is on every board at the start.",
    ),
    word(
        "terminates",
        "terminates SEQUENCE",
        "Every run comes to an end.",
    ),
    word(
        "unordered",
        "unordered",
        "Which lies first there means nothing.",
    ),
    word(
        "unreachable",
        "unreachable condition in SEQUENCE",
        "No run comes to where this is so.",
    ),
    word(
        "unspecified",
        "steps unspecified",
        "The text does not say in which order; both readings are tried.",
    ),
];

/// What a word inside of lines means.
pub(super) fn inside(text: &str) -> Option<&'static Word> {
    INSIDE.iter().find(|one| one.word == text)
}
