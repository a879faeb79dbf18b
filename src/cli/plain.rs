//! What is printed as text, without what a terminal would obey.
//!
//! Names, titles and texts of a specification, paths, and what files in JSON say may come from somebody
//! else. Characters that move a cursor, change colours or turn the direction of writing are shown by
//! their numbers:
//!
//! ```text
//! game "\x1b]0;owned\x07"        is shown as        \u{1b}]0;owned\u{7}
//! ```
//!
//! Everything that commands print goes through [`Plain`], so nobody who prints has to think of it. Only
//! [`show`] and [`show_error`] write past it: a text with colours, of which they know that without the
//! colours it has no such character. In JSON these characters are escaped as JSON does it.

use super::escape::{escaped, is_plain, with};
use super::terminal;
use endstep_language::diag;
use endstep_report::report;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes text on, with escapes in place of control characters.
pub(super) struct Plain<W>(pub W);

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(escaped(text).as_bytes()),
            Err(_) => {
                let text = String::from_utf8_lossy(bytes);
                self.0.write_all(escaped(&text).as_bytes())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard error.
pub(super) fn err() -> impl Write {
    Plain(io::stderr())
}

/// A value as JSON, with a line end. What serde leaves as it is, and a terminal obeys, is escaped.
pub(super) fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    let text = with(&text, &|out, one| {
        let _ = write!(out, "\\u{:04x}", u32::from(one));
    });
    Ok(text.into_owned())
}

/// Writes a report to standard output, in colours where they are wanted.
pub(super) fn show(
    out: &mut dyn Write,
    style: report::Style,
    render: impl Fn(report::Style) -> String,
) -> io::Result<()> {
    let plain = render(report::Style {
        colour: false,
        ..style
    });
    if style.colour && is_plain(&plain) {
        // What was written before comes first.
        out.flush()?;
        return io::stdout().write_all(render(style).as_bytes());
    }
    out.write_all(plain.as_bytes())
}

/// Writes diagnostics to standard error, in colours where they are wanted.
pub(super) fn show_error(render: impl Fn(&diag::Style) -> String) -> io::Result<()> {
    let style = terminal::diagnostics_style();
    let plain = render(&diag::Style {
        colour: false,
        ..style.clone()
    });
    if style.colour && is_plain(&plain) {
        return io::stderr().write_all(render(&style).as_bytes());
    }
    err().write_all(plain.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        let mut out = Vec::new();
        let text = "a\tb\n\u{1b}[31m\r\u{7f}\u{9b}\u{202e}\u{2069}é";
        write!(Plain(&mut out), "{text}").unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert_eq!(
            shown,
            "a\tb\n\\u{1b}[31m\\u{d}\\u{7f}\\u{9b}\\u{202e}\\u{2069}é"
        );
    }

    #[test]
    fn json_stays_json() {
        let value = serde_json::json!({ "a": "\u{1b}\u{7f}\u{9b}\u{202e} \\ \u{e9}\n" });
        let text = json(&value).unwrap();
        assert!(is_plain(&text), "{text}");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            value
        );
    }
}
