//! Phrases of messages: numbers with their nouns, and lists of names.
//!
//! `count(2, "argument")` is `2 arguments`; `listed` shows the first eight of many names.

/// `1 argument`, `2 arguments`
pub(super) fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

/// The first few of some names, for a message.
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut shown: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    shown.join(", ")
}
