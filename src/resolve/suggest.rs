//! Proposes, for a name that nothing declares, the declared one that was probably meant.
//!
//! `clenup` is two letters away from `cleanup`; `c` is not close to anything but `c`.

/// The candidate that differs from `name` in the fewest letters, if that is at most a third of them;
/// of several, the first.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    let length = name.chars().count();
    if length > LONGEST {
        return None;
    }
    let most = length.div_ceil(3);
    let close = candidates.filter_map(|candidate| {
        let lengths = candidate.chars().count().abs_diff(length);
        let distance = (lengths <= most).then(|| distance(name, candidate))?;
        (distance <= most && distance < length).then_some((distance, candidate))
    });
    close
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters have to be put in, left out, replaced or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b
        .chars()
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut left = None;
    for (i, x) in a
        .chars()
        .map(|letter| letter.to_ascii_lowercase())
        .enumerate()
    {
        let mut row = vec![i + 1];
        let mut over = None;
        for (j, &y) in b.iter().enumerate() {
            let at =
                |row: &[usize], place: usize| row.get(place).copied().unwrap_or(usize::MAX - 1);
            let mut best = (at(&last, j) + usize::from(x != y))
                .min(at(&last, j + 1) + 1)
                .min(at(&row, j) + 1);
            if left == Some(y) && over == Some(x) && j > 0 {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
            over = Some(y);
        }
        left = Some(x);
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_letters_and_swaps() {
        assert_eq!(distance("cleanup", "cleanup"), 0);
        assert_eq!(distance("clenup", "cleanup"), 1);
        assert_eq!(distance("celanup", "cleanup"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("health", "wealthy"), 2);
    }

    #[test]
    fn only_close_names_are_proposed() {
        let names = ["board", "hand", "discard"];
        let near = |name| nearest(name, names.into_iter());
        assert_eq!(near("baord"), Some("board"));
        assert_eq!(near("hands"), Some("hand"));
        assert_eq!(near("x"), None);
        assert_eq!(near("deck"), None);
        assert_eq!(near(&"b".repeat(100)), None);
    }
}
