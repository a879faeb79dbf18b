//! Small phrases that are made of names: what is true of something, plurals, comparisons.

use crate::report::words::{is_compound, plain};
use endstep_language::syntax::ast::{BinaryOp, OperatorClass};

/// Verbs that may stand at the beginning of a name, each with its negation.
const VERBS: [(&str, &str); 9] = [
    ("is", "is not"),
    ("has", "does not have"),
    ("can", "cannot"),
    ("was", "was not"),
    ("had", "did not have"),
    ("must", "need not"),
    ("may", "may not"),
    ("will", "will not"),
    ("does", "does not"),
];

/// Whether a name that is true or false reads like more than a name: like a condition that Endstep tells in these
/// words (`is_in_row`, `has_health_0`, `round_is_2`), or with words that reach further.
fn is_misread(name: &str) -> bool {
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    let words: Vec<&str> = name.split(' ').collect();
    let reads_alike = match words.as_slice() {
        ["is", word, _, ..] => ["after", "at", "before", "in"].contains(word),
        ["has", _, .., last] => is_number(last),
        ["out", "of", "the", "game"] => true,
        _ => name.split_once(" is ").is_some_and(|(_, how)| {
            let first = how.split(' ').next().unwrap_or_default();
            is_number(first) || ["at", "determined", "empty", "in", "less", "more"].contains(&first)
        }),
    };
    reads_alike || is_compound(name)
}

/// What is said of something by a name that is true or false of it: `is ready`, `does not stay too
/// small`, `cannot attack`.
pub(in crate::report) fn trait_words(name: &str, holds: bool) -> String {
    let name = plain(name);
    let (first, rest) = name.split_once(' ').unwrap_or((&name, ""));
    let with = |verb: &str| format!("{verb} {rest}").trim_end().to_owned();
    if is_misread(&name) {
        let named = VERBS
            .iter()
            .find(|(verb, _)| *verb == first && !rest.is_empty());
        return match (named, holds) {
            (Some((verb, _)), true) => format!("{verb} \"{rest}\""),
            (Some((_, not)), false) => format!("{not} \"{rest}\""),
            (None, true) => format!("is \"{name}\""),
            (None, false) => format!("is not \"{name}\""),
        };
    }
    let is_perfect = ["been", "ever", "never", "already", "just"];
    if first == "has" && is_perfect.iter().any(|word| rest.starts_with(word)) {
        return if holds { name.clone() } else { with("has not") };
    }
    let mut verbs = VERBS.iter();
    if let Some((_, not)) = verbs.find(|(verb, _)| *verb == first && !rest.is_empty()) {
        return if holds { name.clone() } else { with(not) };
    }
    match (base(first), holds) {
        (Some(_), true) => name.clone(),
        (Some(base), false) => with(&format!("does not {base}")),
        (None, true) => format!("is {name}"),
        (None, false) => format!("is not {name}"),
    }
}

/// What is said of nothing in particular by a name that is true or false.
pub(in crate::report) fn fact_words(name: &str, holds: bool) -> String {
    let name = plain(name);
    let first = name.split(' ').next().unwrap_or_default();
    let is_verb = VERBS.iter().any(|(verb, _)| *verb == first);
    match (name.split_once(" is "), holds) {
        _ if is_misread(&name) && !(is_verb && first != name) => match holds {
            true => format!("\"{name}\" is true"),
            false => format!("\"{name}\" is not true"),
        },
        _ if is_verb && first != name => format!("it {}", trait_words(&name, holds)),
        (Some(_), true) => name,
        (Some((what, how)), false) => format!("{what} is not {how}"),
        (None, true) => format!("\"{name}\" is true"),
        (None, false) => format!("\"{name}\" is not true"),
    }
}

/// The verb of which a word is the form for one thing: `stay` of `stays`.
fn base(word: &str) -> Option<String> {
    let stem = word.strip_suffix('s')?;
    let is_other = ["s", "u", "i", "'"].iter().any(|end| stem.ends_with(end));
    if is_other || stem.len() < 3 {
        return None;
    }
    let ends = |all: &[&str]| all.iter().any(|end| stem.ends_with(end));
    if ends(&["sse", "xe", "che", "she", "goe", "doe"]) {
        return stem.strip_suffix('e').map(str::to_owned);
    }
    match stem.strip_suffix("ie") {
        // Short ones keep it: `die`, `lie`, `tie`.
        Some(short) if short.len() > 1 => Some(format!("{short}y")),
        _ => Some(stem.to_owned()),
    }
}

/// The phrase about several things: `are ready` for `is ready`.
pub(super) fn of_several(phrase: &str) -> String {
    let (first, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
    let verb = match first {
        "is" => "are".to_owned(),
        "has" => "have".to_owned(),
        "was" => "were".to_owned(),
        "does" => "do".to_owned(),
        other => base(other).unwrap_or_else(|| other.to_owned()),
    };
    format!("{verb} {rest}").trim_end().to_owned()
}

/// Several of a sort: `Enemies` of `Enemy`.
pub(in crate::report) fn plural(sort: &str) -> String {
    let ends = |all: &[&str]| all.iter().any(|end| sort.ends_with(end));
    let vowel_y = ends(&["ay", "ey", "oy", "uy"]);
    match sort.strip_suffix('y') {
        Some(stem) if !vowel_y => format!("{stem}ies"),
        _ if ends(&["s", "x", "ch", "sh"]) => format!("{sort}es"),
        _ => format!("{sort}s"),
    }
}

/// The comparison that holds where another does not.
pub(super) fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        other => other,
    }
}

/// `is at most`; nothing of what compares nothing.
pub(super) fn compares(op: BinaryOp) -> Option<&'static str> {
    (op.class() == OperatorClass::Comparison).then(|| op.spoken())
}

/// Words with which names of places begin: `in_reactor`, `on`.
const PREPOSITIONS: [&str; 7] = ["in", "on", "at", "under", "over", "beside", "with"];

fn is_place(what: &str) -> bool {
    let first = what.split(' ').next();
    first.is_some_and(|first| PREPOSITIONS.contains(&first))
}

/// What something has: `has health 0`, `has health of at most 3`, `has at most 3 in reactor`.
pub(super) fn has(what: &str, op: BinaryOp, value: &str) -> Option<String> {
    let (than, of) = match op {
        BinaryOp::Equal => ("", ""),
        BinaryOp::NotEqual => ("other than ", ""),
        BinaryOp::Less => ("less than ", "of "),
        BinaryOp::LessEqual => ("at most ", "of "),
        BinaryOp::Greater => ("more than ", "of "),
        BinaryOp::GreaterEqual => ("at least ", "of "),
        _ => return None,
    };
    Some(match is_place(what) {
        true => format!("has {than}{value} {what}"),
        false => format!("has {what} {of}{than}{value}"),
    })
}

/// That something has as much as before, or more or less.
pub(super) fn has_as_before(what: &str, op: BinaryOp) -> Option<String> {
    Some(match op {
        BinaryOp::Equal => format!("has the same {what} as at the start"),
        BinaryOp::NotEqual => format!("has another {what} than at the start"),
        BinaryOp::Less => format!("has less {what} than at the start"),
        BinaryOp::LessEqual => format!("has no more {what} than at the start"),
        BinaryOp::Greater => format!("has more {what} than at the start"),
        BinaryOp::GreaterEqual => format!("has no less {what} than at the start"),
        _ => return None,
    })
}

/// That something has an entity, or has it not.
pub(super) fn has_entity(what: &str, holds: bool, entity: &str) -> String {
    match (is_place(what), holds) {
        (true, true) => format!("is {what} {entity}"),
        (true, false) => format!("is not {what} {entity}"),
        (false, true) => format!("has {entity} as its {what}"),
        (false, false) => format!("does not have {entity} as its {what}"),
    }
}

/// That something has none of what it may have, or has one.
pub(super) fn has_none(what: &str, holds: bool) -> String {
    match (is_place(what), holds) {
        (true, true) => format!("is {what} nothing"),
        (true, false) => format!("is {what} something"),
        (false, true) => format!("has no {what}"),
        (false, false) => format!("has some {what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_phrases() {
        let cases = [
            ("ready", "is ready", "is not ready"),
            ("is_ill", "is ill", "is not ill"),
            (
                "has_default_stats",
                "has default stats",
                "does not have default stats",
            ),
            ("has_ever_moved", "has ever moved", "has not ever moved"),
            (
                "stays_too_small",
                "stays too small",
                "does not stay too small",
            ),
            ("can_attack", "can attack", "cannot attack"),
            ("falls", "falls", "does not fall"),
            ("dies_first", "dies first", "does not die first"),
            ("carries", "carries", "does not carry"),
            ("passes", "passes", "does not pass"),
            ("face_up", "is face up", "is not face up"),
            ("has", "is has", "is not has"),
            (
                "ready_or_up",
                "is \"ready or up\"",
                "is not \"ready or up\"",
            ),
            (
                "has_no_host",
                "has \"no host\"",
                "does not have \"no host\"",
            ),
            ("is_in_row", "is \"in row\"", "is not \"in row\""),
            (
                "has_health_0",
                "has \"health 0\"",
                "does not have \"health 0\"",
            ),
        ];
        for (name, yes, no) in cases {
            assert_eq!(trait_words(name, true), yes);
            assert_eq!(trait_words(name, false), no);
        }
    }

    #[test]
    fn facts_about_nothing_in_particular() {
        assert_eq!(fact_words("is_over", false), "it is not over");
        assert_eq!(
            fact_words("first_zone_is_empty", false),
            "\"first zone is empty\" is not true"
        );
        assert_eq!(
            fact_words("first_zone_is_safe", false),
            "first zone is not safe"
        );
        assert_eq!(
            fact_words("nothing_is_left", false),
            "\"nothing is left\" is not true"
        );
        assert_eq!(fact_words("token_stays", true), "\"token stays\" is true");
    }

    #[test]
    fn several_are_many() {
        assert_eq!(plural("Enemy"), "Enemies");
        assert_eq!(plural("Box"), "Boxes");
        assert_eq!(plural("Lay"), "Lays");
        assert_eq!(of_several("is in board"), "are in board");
        assert_eq!(of_several("stays too small"), "stay too small");
        assert_eq!(of_several("cannot attack"), "cannot attack");
    }
}
