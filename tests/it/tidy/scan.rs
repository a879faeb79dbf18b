//! The project's source files, with comments and strings blanked.

use std::fmt;
use std::path::Path;

/// A Rust file of the project.
pub struct File {
    /// The path from the package's folder, with `/`.
    pub path: String,
    /// The text as it is.
    pub raw: String,
    /// The text with comments, strings and character literals blanked; the lines
    /// are the same.
    pub code: String,
}

/// A line of a file.
pub struct Place<'a> {
    path: &'a str,
    number: usize,
    /// The line, comments and strings blanked.
    pub line: &'a str,
    /// Whether the line belongs to a module of tests.
    pub in_test: bool,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.number, self.line.trim())
    }
}

impl Place<'_> {
    /// Whether the line has the word, not as the tail of a longer one.
    pub fn has_word(&self, word: &str) -> bool {
        self.line.match_indices(word).any(|(at, _)| {
            let before = self.line[..at].chars().next_back();
            !before.is_some_and(|one| one.is_alphanumeric() || one == '_')
        })
    }
}

impl File {
    /// A file.
    pub fn new(path: String, raw: String) -> Self {
        let code = blank(&raw);
        Self { path, raw, code }
    }

    /// The path in the sources of its crate.
    pub fn inner(&self) -> &str {
        let inner = self.path.split_once("src/").map(|(_, inner)| inner);
        inner.unwrap_or(&self.path)
    }

    /// The top module that the file belongs to.
    pub fn module(&self) -> &str {
        let parts = &mut self.inner().split(['/', '.']);
        parts.next().unwrap_or_default()
    }

    /// Whether the whole file is a module of tests.
    pub fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }

    /// The lines that are not in a module of tests.
    pub fn code_lines(&self) -> usize {
        self.places().iter().filter(|place| !place.in_test).count()
    }

    /// The code without modules of tests; the lines are the same.
    pub fn untested(&self) -> String {
        let lines = self.places().into_iter().map(|place| match place.in_test {
            true => "\n".to_owned(),
            false => format!("{}\n", place.line),
        });
        lines.collect()
    }

    /// The lines for which something holds, as `path:line: text`.
    pub fn find(&self, wanted: impl Fn(&Place) -> bool) -> impl Iterator<Item = String> {
        let found = self.places().into_iter().filter(move |place| wanted(place));
        found.map(|place| place.to_string())
    }

    /// All lines. A module of tests begins at `#[cfg(test)]` with a `mod … {` in
    /// the next line, and ends at the next `}` in the same column: rustfmt sees
    /// to that.
    fn places(&self) -> Vec<Place<'_>> {
        let lines: Vec<&str> = self.code.lines().collect();
        let mut places = Vec::with_capacity(lines.len());
        let mut end: Option<String> = None;
        for (index, line) in lines.iter().enumerate() {
            let next = lines.get(index + 1).copied().unwrap_or_default();
            let opens = line.trim() == "#[cfg(test)]"
                && next.trim_start().starts_with("mod ")
                && next.ends_with('{');
            if end.is_none() && opens {
                let indent = line.len() - line.trim_start().len();
                end = Some(format!("{}}}", " ".repeat(indent)));
            }
            places.push(Place {
                path: &self.path,
                number: index + 1,
                line,
                in_test: end.is_some() || self.is_test(),
            });
            if end.as_deref() == Some(*line) {
                end = None;
            }
        }
        places
    }
}

/// The Rust files of all crates that the program is made of.
pub fn sources() -> Vec<File> {
    let all = ["src", "crates"].into_iter().flat_map(files);
    all.filter(|file| file.path.starts_with("src/") || file.path.contains("/src/"))
        .collect()
}

/// The Rust files under a folder of the package, in order.
pub fn files(folder: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(root, folder, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn collect(root: &Path, folder: &str, files: &mut Vec<File>) {
    for entry in std::fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            collect(root, &path, files);
        } else if path.ends_with(".rs") {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            files.push(File::new(path, text));
        }
    }
}

/// Replaces comments, strings and character literals by spaces.
fn blank(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after_word = code.ends_with(|one: char| one.is_alphanumeric() || one == '_');
        let length = skipped(rest, after_word);
        let (taken, left) = rest.split_at(length.unwrap_or(first.len_utf8()));
        match length {
            None => code.push_str(taken),
            Some(_) => code.extend(taken.chars().map(|one| if one == '\n' { one } else { ' ' })),
        }
        rest = left;
    }
    code
}

/// The length of the comment or literal at the start of a text, if one is there.
fn skipped(text: &str, after_word: bool) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(text.find("*/").map_or(text.len(), |end| end + 2));
    }
    if text.starts_with('"') {
        return Some(quoted(text, '"'));
    }
    if let Some(inner) = text.strip_prefix('\'') {
        // A character, unless it is the name of a lifetime.
        let mut following = inner.chars();
        let escaped = following.next()? == '\\';
        let closed = following.next() == Some('\'');
        return (escaped || closed).then(|| quoted(text, '\''));
    }
    if text.starts_with('r') && !after_word {
        let hashes = text[1..].bytes().take_while(|&byte| byte == b'#').count();
        let body = text[1 + hashes..].strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(hashes));
        let end = body
            .find(&close)
            .map_or(body.len(), |end| end + close.len());
        return Some(2 + hashes + end);
    }
    None
}

/// The length of a literal with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, one) in text.char_indices().skip(1) {
        match one {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if one == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[test]
fn comments_and_literals_are_no_code() {
    let text = "a // b\n\"c\\\"d\" e 'f' 'g /* h\ni */ r#\"j\"k\"# for\"l\" '\\'' m";
    let code = blank(text);
    let words: Vec<_> = code.split_whitespace().collect();
    assert_eq!(words, ["a", "e", "'g", "for", "m"]);
    assert_eq!(code.lines().count(), text.lines().count());
}

#[test]
fn modules_of_tests_are_told_apart() {
    let text = "a\n#[cfg(test)]\nmod tests {\n    b\n}\nc\n#[cfg(test)]\nmod tests;\n";
    let file = File::new("src/x/y.rs".to_owned(), text.to_owned());
    assert_eq!(file.code_lines(), 4);
    assert_eq!(file.module(), "x");
    let found: Vec<_> = file
        .find(|place| place.has_word("b") && place.in_test)
        .collect();
    assert_eq!(found, ["src/x/y.rs:4: b"]);
}
