//! That a check looked at a part only: options that kept it from the rest, in a sentence, and conditions.
//!
//! ```text
//! Only a part was explored: `--reading r=one`.
//! ```

use super::layout::list;

/// How an option begins that only keeps findings from being shown.
pub(super) const ONLY: &str = "--only ";

/// Whether an option of the command line only keeps findings from being shown.
pub(super) fn keeps_findings_back(option: &str) -> bool {
    option.starts_with(ONLY)
}

/// Options as they are written, in a list.
pub(super) fn options_in_words<'o>(options: impl IntoIterator<Item = &'o String>) -> String {
    let all = options.into_iter().map(|one| format!("`{one}`"));
    list(&all.collect::<Vec<_>>(), "and")
}

/// What some options, as they are written, kept from being looked at or shown; nothing if there are none.
pub(super) fn part(restrictions: &[String]) -> Option<String> {
    let named = |only: bool| {
        let all = restrictions.iter();
        options_in_words(all.filter(|one| keeps_findings_back(one) == only))
    };
    let sentences = [
        ("Only a part was explored", named(false)),
        ("Other findings are not shown", named(true)),
    ];
    let sentences = sentences.iter().filter(|(_, options)| !options.is_empty());
    let sentences = sentences.map(|(what, options)| format!("{what}: {options}."));
    let sentences: Vec<String> = sentences.collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Which boards beyond the scope options kept from being tried, in a sentence: something that is said to hold could
/// be refuted there. `only_claims`: nothing was looked at but claims that the options name.
pub(super) fn untried(restrictions: &[String], only_claims: bool) -> Option<&'static str> {
    let in_part = restrictions.iter().any(|one| !keeps_findings_back(one));
    match (in_part, only_claims) {
        (true, _) => Some(
            "Boards that the prover suggests were not tried, nor claims on boards of the file that they do not name.",
        ),
        (false, true) => Some("Boards that the prover suggests were not tried."),
        (false, false) => None,
    }
}

/// What options kept a check from looking at, or showing, in sentences; nothing if there are none.
pub(super) fn left_out(restrictions: &[String], only_claims: bool) -> Option<String> {
    let part = part(restrictions)?;
    Some(match untried(restrictions, only_claims) {
        Some(untried) => format!("{part} {untried}"),
        None => part,
    })
}

/// That an expected finding was not found, though it may be there.
pub(super) fn missed(code: &str, subject: &str) -> String {
    open(&format!("{code} at {subject} was known and was not found"))
}

/// What was not found, with the reason why it may be there all the same.
pub(super) fn open(what: &str) -> String {
    format!("{what}, but not everything could be looked at")
}

/// What legal boards have to meet besides to be looked at: what `explore only` says, and the `where` of a
/// `verify`.
pub(super) fn conditions(explored: bool, verified: bool) -> Option<&'static str> {
    match (explored, verified) {
        (false, false) => None,
        (true, false) => Some("`explore only`"),
        (false, true) => Some("the `where` of its `verify`"),
        (true, true) => Some("`explore only` and the `where` of its `verify`"),
    }
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn what_is_explored_and_what_is_shown_are_told_apart() {
        let of = |options: &[&str]| {
            let options: Vec<String> = options.iter().map(|&one| one.to_owned()).collect();
            part(&options)
        };
        assert_eq!(of(&[]), None);
        assert_eq!(
            of(&["--scope Card=1", "--reading r=a", "--only F0201"]).as_deref(),
            Some(
                "Only a part was explored: `--scope Card=1` and `--reading r=a`. \
                 Other findings are not shown: `--only F0201`."
            )
        );
    }
}
