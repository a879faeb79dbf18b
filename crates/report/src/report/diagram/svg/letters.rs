//! Breaks, measures and escapes the text of a picture.

/// The width of text in letters of a size, rather too much than too little: fonts differ.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let units = text.chars().map(|letter| match letter {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|' => 0.5,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.05,
        'A'..='Z' => 0.78,
        letter if letter >= '\u{1100}' => 1.1,
        _ => 0.66,
    });
    units.sum::<f64>() * size
}

/// The text in lines of so many letters at most; longer words are broken. At least one line.
pub(super) fn lines(text: &str, most: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        for part in parts(word, most) {
            let length = line.chars().count() + 1 + part.chars().count();
            if !line.is_empty() && length > most {
                out.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&part);
        }
    }
    if !line.is_empty() || out.is_empty() {
        out.push(line);
    }
    out
}

/// A word in parts of so many letters at most, broken after signs where there are any.
fn parts(word: &str, most: usize) -> Vec<String> {
    let mut rest: Vec<char> = word.chars().collect();
    let mut out = Vec::new();
    while rest.len() > most {
        let sign = |letter: &char| !letter.is_alphanumeric();
        let found = rest[..most].iter().rposition(sign);
        let at = found.filter(|&at| at >= most / 2).map_or(most, |at| at + 1);
        let tail = rest.split_off(at);
        out.push(rest.into_iter().collect());
        rest = tail;
    }
    out.push(rest.into_iter().collect());
    out
}

/// The text in one line, cut off if it is longer than so many letters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let kept: String = line.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}

/// The text as it may stand in XML, between tags or in quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(letter),
            // XML has no way to write these.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter if letter.is_control() => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_broken_after_signs() {
        assert_eq!(
            lines("a cleanup.destroy_cards", 12),
            ["a cleanup.", "destroy_", "cards"]
        );
        assert_eq!(lines("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(lines("", 3), [""]);
    }

    #[test]
    fn long_lines_are_cut_off() {
        assert_eq!(shortened("health of  Card", 30), "health of Card");
        assert_eq!(shortened("health of Card", 8), "health…");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            escaped("<a & \"b\">\u{1}"),
            "&lt;a &amp; &quot;b&quot;&gt;\u{fffd}"
        );
    }
}
