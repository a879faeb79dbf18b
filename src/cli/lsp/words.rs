//! The words that begin lines: what follows them, and what they mean, in a line each.
//!
//! In a form, `${1:NAME}` is a place to be filled in. `\n` and `\t` lay out the block below.

/// A word, what can follow it, and what it means.
#[derive(Debug)]
pub(super) struct Word {
    pub word: &'static str,
    pub form: &'static str,
    pub meaning: &'static str,
}

pub(super) const fn word(word: &'static str, form: &'static str, meaning: &'static str) -> Word {
    Word {
        word,
        form,
        meaning,
    }
}

/// What begins items.
pub(super) const ITEMS: &[Word] = &[
    word(
        "accept",
        "accept ${1:F0301} at ${2:NAME} because \"${3:why}\"",
        "This finding is known, and accepted for a reason.",
    ),
    word(
        "board",
        "board ${1:NAME}\n\t${2:Player} ${3:ann}",
        "A board that is written out, for examples and questions.",
    ),
    word(
        "claim",
        "claim ${1:NAME}: ${2:terminates} ${3:SEQUENCE}",
        "What the document says is so. It is proved, tried on every board, or refuted by one.",
    ),
    word(
        "clause",
        "clause ${1:ID} (${2:rule}) at \"${3:where it stands}\"\n\tsays \"${4:in your own words}\"",
        "A sentence of the document. What it means stands under it.",
    ),
    word(
        "continuous",
        "continuous ${1:NAME}(${2:c: Card}): ${3:boolean} = ${4:condition}",
        "A value that follows from the state at every moment, and may depend on itself.",
    ),
    word(
        "define",
        "define ${1:NAME}(${2:c: Card}) = ${3:expression}",
        "A name for an expression.",
    ),
    word(
        "document",
        "document ${1:NAME} \"${2:title}\"",
        "The document that the clauses under it are from.",
    ),
    word(
        "entity",
        "entity ${1:Card}, explore up to ${2:3}\n\t${3:health}: ${4:integer, explore 0 to 2}",
        "A sort of things: how many there are, and which fields they have.",
    ),
    word(
        "event",
        "event ${1:NAME}(${2:c: Card}), ${3:at once}",
        "Something that is announced, and on which triggers wait.",
    ),
    word(
        "example",
        "example ${1:NAME}\n\ton ${2:BOARD}\n\tperform ${3:SEQUENCE}\n\texpect ${4:condition}",
        "An example that the document works, or a test.",
    ),
    word(
        "experiment",
        "experiment ${1:NAME}: ${2:SEQUENCE} but ${3:without STEP}",
        "A sequence as it would be if the rules were others. Only questions are about it.",
    ),
    word(
        "explore",
        "explore only ${1:NAME}: ${2:condition}",
        "Boards on which this is not so are not tried.",
    ),
    word("game", "game \"${1:title}\"", "The title of the game."),
    word(
        "include",
        "include \"${1:file.endstep}\"",
        "Another file is part of this specification.",
    ),
    word(
        "legal",
        "legal ${1:NAME}: ${2:condition}",
        "What is so on every board that can occur.",
    ),
    word(
        "observer",
        "observer ${1:NAME} \"${2:who cares about what}\"\n\tsees ${3:board}",
        "What counts as a difference between two ends.",
    ),
    word(
        "player",
        "player ${1:Player}, explore ${2:2}",
        "The sort of the players.",
    ),
    word(
        "question",
        "question ${1:NAME}: ${2:reachable} ${3:condition} in ${4:SEQUENCE}",
        "What you want to know, though the document does not say that it is so.",
    ),
    word(
        "queue",
        "queue ${1:NAME}, ${2:first in first out}",
        "Where events wait until they are resolved.",
    ),
    word(
        "reading",
        "reading ${1:NAME}\n\t${2:one} \"${3:in words}\"\n\t${4:other} \"${5:in words}\"",
        "A sentence that can be read in several ways. All of them are tried, and compared.",
    ),
    word(
        "role",
        "role ${1:active}: ${2:Player}",
        "Somebody, or nobody, who has a part in the game.",
    ),
    word(
        "sequence",
        "sequence ${1:NAME}\n\tstep ${2:NAME}\n\t\t${3:nothing}",
        "A procedure: steps, one after the other unless it says otherwise.",
    ),
    word(
        "supply",
        "supply ${1:tokens}: integer from 0 to ${2:20}",
        "A stock from which is taken, and that can run out.",
    ),
    word(
        "table",
        "table ${1:Model}\n\t${2:health}: integer\n\trow ${3:ram} with ${2:health} = ${4:3}",
        "A type whose values have printed properties: kinds of cards, say.",
    ),
    word(
        "trigger",
        "trigger ${1:NAME} on ${2:EVENT}\n\t${3:nothing}",
        "What happens whenever an event is announced.",
    ),
    word(
        "type",
        "type ${1:Colour} is one of ${2:red, blue}",
        "A type with a few values.",
    ),
    word(
        "var",
        "var ${1:round}: integer from ${2:1} to ${3:9}",
        "Something that the game keeps track of.",
    ),
    word(
        "verify",
        "verify ${1:SEQUENCE}",
        "This sequence is tried on every small board, in every order, under every reading.",
    ),
    word(
        "zone",
        "zone ${1:hand} of ${2:Card} per ${3:Player}",
        "Where things lie: in order, unless it is `unordered`.",
    ),
];

/// What begins lines of clauses, sequences, boards and examples.
pub(super) const LINES: &[Word] = &[
    word(
        "basis",
        "basis ${1:text}",
        "On what this rests: `text`, `external`, `gap` or `invented`.",
    ),
    word(
        "cancel",
        "cancel ${1:at end of step}",
        "When what is under way is broken off: `at once`, `at end of step` or `at end of pass`.",
    ),
    word(
        "changes",
        "changes ${1:place}",
        "What the sequence may change, by its contract.",
    ),
    word(
        "cites",
        "cites ${1:ID}",
        "Other clauses on which this rests.",
    ),
    word(
        "contract",
        "contract\n\tchanges ${1:place}\n\tensures ${2:condition}",
        "What a sequence changes and promises. It can then stand for its steps.",
    ),
    word(
        "defines",
        "defines \"${1:term}\"",
        "Terms that this clause explains.",
    ),
    word(
        "ensures",
        "ensures ${1:condition}",
        "What is so when the step or sequence has ended.",
    ),
    word(
        "expect",
        "expect ${1:condition}",
        "What is so at the end of every run of the example; with `possible`, of some run.",
    ),
    word(
        "given",
        "given\n\t${1:Player} ${2:ann}",
        "The board of the example.",
    ),
    word(
        "ignores",
        "ignores ${1:place}",
        "What this observer does not look at.",
    ),
    word("on", "on ${1:BOARD}", "The board of the example."),
    word(
        "option",
        "option \"${1:in words}\"\n\t${2:nothing}",
        "One of several things of which somebody chooses one.",
    ),
    word(
        "otherwise",
        "otherwise\n\t${1:nothing}",
        "What is done if not.",
    ),
    word(
        "refers",
        "refers to ${1:ID}",
        "Another clause, or a heading, to which this sentence refers.",
    ),
    word(
        "restart",
        "restart when ${1:condition}\n\tcancel ${2:at end of step}\n\tunfinished ${3:lost}",
        "When the sequence is broken off and begins again.",
    ),
    word(
        "row",
        "row ${1:NAME} with ${2:column} = ${3:value}",
        "A row of a table: one of its values.",
    ),
    word(
        "says",
        "says \"${1:in your own words}\"",
        "What the sentence says, in your own words.",
    ),
    word("sees", "sees ${1:place}", "What this observer looks at."),
    word(
        "step",
        "step ${1:NAME}\n\t${2:nothing}",
        "A step of a sequence.",
    ),
    word(
        "unfinished",
        "unfinished ${1:lost}",
        "What becomes of the rest when a sequence begins again: `lost`, or `carried` on.",
    ),
    word(
        "uses",
        "uses \"${1:term}\"",
        "Terms that this clause uses; some clause should define them.",
    ),
    word(
        "waived",
        "waived \"${1:why}\"",
        "This sentence is not formalised, for a reason.",
    ),
    word(
        "when",
        "when ${1:condition}\n\t${2:nothing}",
        "One of several cases.",
    ),
    word(
        "yields",
        "yields to ${1:ID}",
        "Where both speak, the other clause goes before this one.",
    ),
];

/// What begins statements.
pub(super) const STATEMENTS: &[Word] = &[
    word(
        "announce",
        "announce ${1:EVENT}",
        "An event happens: what waits on it is done, at once or from its queue.",
    ),
    word(
        "cases",
        "cases\n\twhen ${1:condition}\n\t\t${2:nothing}",
        "Just one of the cases should hold; that several or none do is found. With `in order` the first that holds counts.",
    ),
    word(
        "choose",
        "choose ${1:c} in ${2:hand(p)} by ${3:p}",
        "Somebody chooses: a thing, a number, or one of several options.",
    ),
    word(
        "create",
        "create ${1:Card} as ${2:token} in ${3:board}",
        "A new thing comes into the game.",
    ),
    word(
        "declare",
        "declare ${1:win} for ${2:p}",
        "The game ends: `win`, `loss`, `draw` or `end`.",
    ),
    word(
        "decrease",
        "decrease ${1:place} by ${2:1}",
        "A number gets smaller; with `, at least 0` not below that.",
    ),
    word(
        "depending",
        "depending on ${1:READING}\n\twhen ${2:ALTERNATIVE}\n\t\t${3:nothing}",
        "What is done depends on how a sentence is read.",
    ),
    word(
        "distribute",
        "distribute ${1:3} over ${2:c} in ${3:board} into ${4:c.damage} by ${5:p}",
        "Somebody divides a number among several.",
    ),
    word(
        "for",
        "for each ${1:c}: ${2:Card} in ${3:board}, ${4:in any order}\n\t${5:nothing}",
        "The same for each of several, in an order that somebody chooses, that is fixed, or that the text leaves open.",
    ),
    word(
        "gap",
        "gap ${1:NAME} \"${2:what the text does not say}\"",
        "The text is silent here. That is reported with a board on which it matters.",
    ),
    word(
        "go",
        "go to ${1:STEP}",
        "This step ends, and that one is next.",
    ),
    word(
        "if",
        "if ${1:condition}\n\t${2:nothing}",
        "Only if this is so.",
    ),
    word(
        "increase",
        "increase ${1:place} by ${2:1}",
        "A number gets larger; with `, at most 9` not above that.",
    ),
    word("leave", "leave ${1:SEQUENCE}", "The sequence ends here."),
    word(
        "let",
        "let ${1:x} = ${2:expression}",
        "A name for a value as it is now.",
    ),
    word(
        "may",
        "may by ${1:p} \"${2:what}\"\n\t${3:nothing}",
        "Somebody decides whether this is done.",
    ),
    word(
        "move",
        "move ${1:c} to ${2:zone}",
        "A thing goes to another zone, last unless another place is named.",
    ),
    word("nothing", "nothing", "Nothing is done."),
    word(
        "pass",
        "pass",
        "Whoever's turn it is passes, where a line goes on `until all pass`.",
    ),
    word(
        "perform",
        "perform ${1:SEQUENCE}",
        "Another sequence is done here.",
    ),
    word("remove", "remove ${1:c}", "A thing leaves the game."),
    word(
        "repeat",
        "repeat until ${1:condition}\n\t${2:nothing}",
        "Again and again: `until stable`, `until` or `while` something is so.",
    ),
    word(
        "resolve",
        "resolve ${1:QUEUE}",
        "What waits in a queue is done, all of it or the `next of` it.",
    ),
    word(
        "set",
        "set ${1:place} to ${2:value}",
        "A variable or field gets another value.",
    ),
    word(
        "shuffle",
        "shuffle ${1:zone}",
        "What lies there comes into an order by chance.",
    ),
    word(
        "simultaneously",
        "simultaneously\n\t${1:nothing}",
        "All at the same time: nothing sees what the others have changed.",
    ),
    word(
        "transfer",
        "transfer ${1:2} from ${2:place} to ${3:place}",
        "A number goes from one place to another, not more than there is.",
    ),
];

/// What begins lines of examples alone.
pub(super) const IN_EXAMPLES: &[Word] = &[
    word(
        "after",
        "after ${1:SEQUENCE.STEP} expect ${2:condition}",
        "What is so whenever this step has ended.",
    ),
    word(
        "choose",
        "choose \"${1:option}\"",
        "What somebody chooses, in the words of the option or the name of a thing.",
    ),
    word(
        "reading",
        "reading ${1:READING} is ${2:ALTERNATIVE}",
        "How a sentence is read in this example.",
    ),
];

/// What a word that begins lines means.
pub(super) fn find(text: &str) -> Option<&'static Word> {
    let all = STATEMENTS.iter().chain(ITEMS).chain(LINES);
    let mut all = all.filter(|one| one.word == text);
    all.next()
}

/// A form with what stands in its places.
pub(super) fn plain(form: &str) -> String {
    let mut out = String::new();
    let mut rest = form;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let (place, after) = after.split_once('}').unwrap_or((after, ""));
        out.push_str(place.split_once(':').map_or(place, |(_, text)| text));
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use endstep_language::syntax::keywords::{Role, with_role};

    #[test]
    fn every_word_that_begins_a_line_is_told_about() {
        let roles = [Role::Item, Role::Line, Role::Statement];
        let all = roles.into_iter().flat_map(with_role);
        let untold: Vec<_> = all.filter(|word| find(word).is_none()).collect();
        // It stands behind `before` only.
        assert_eq!(untold, ["restarting"]);
    }

    #[test]
    fn a_form_without_its_places_is_text() {
        assert_eq!(plain("set ${1:place} to ${2:0}"), "set place to 0");
        assert_eq!(plain("nothing"), "nothing");
    }
}
