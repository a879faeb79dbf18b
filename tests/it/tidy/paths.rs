//! The paths that a file names: what it imports, and what it names in full.

use std::collections::BTreeSet;

use super::scan::File;

/// A path that leads to another module, or may.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    /// From 1.
    pub line: usize,
    /// Its names, such as `super`, `board`, `Board`.
    pub path: Vec<String>,
    /// If it is an import, what.
    pub import: Option<Import>,
}

/// An import.
#[derive(Debug, PartialEq, Eq)]
pub struct Import {
    /// What it is called in the file.
    pub name: String,
    /// Whether others may import it from there.
    pub passed_on: bool,
}

/// A word, `::`, or another character that is not white space; with its line.
#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    line: usize,
    text: &'a str,
}

impl Token<'_> {
    fn is_word(&self) -> bool {
        self.text.starts_with(is_of_word)
    }
}

fn is_of_word(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

/// The words of a file that do not belong to tests, and the paths among them.
pub struct Paths {
    /// All paths of at least two names, and all imports.
    pub named: Vec<Named>,
    /// Each word that stands alone or begins a path, outside of imports.
    pub words: BTreeSet<String>,
}

/// What a file names.
pub fn paths(file: &File) -> Paths {
    let code = file.untested();
    let tokens = tokens(&code);
    let mut paths = Paths {
        named: Vec::new(),
        words: BTreeSet::new(),
    };
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).map(|before| tokens[before].text);
        if token.text == "use" {
            let passed_on = matches!(before, Some("pub" | ")"));
            at = imports(
                &tokens,
                at + 1,
                &mut Vec::new(),
                (passed_on, &mut paths.named),
            );
        } else if token.text == "mod" || before == Some("(") && token.text == "in" {
            // A declaration, or how far something can be seen: nothing is used.
            let is_over = |token: &Token| matches!(token.text, ";" | "{" | ")");
            let length = tokens[at..].iter().position(is_over);
            at += length.unwrap_or_default();
        } else if token.is_word() && !matches!(before, Some("::" | ".")) {
            paths.words.insert(token.text.to_owned());
            let mut path = vec![token.text.to_owned()];
            let line = token.line;
            while tokens.get(at + 1).is_some_and(|next| next.text == "::")
                && tokens.get(at + 2).is_some_and(Token::is_word)
            {
                path.push(tokens[at + 2].text.to_owned());
                at += 2;
            }
            if path.len() > 1 {
                paths.named.push(Named {
                    line,
                    path,
                    import: None,
                });
            }
        }
        at += 1;
    }
    paths
}

/// Takes down the imports of a tree such as `a::{b, c::D as E}`; gives the place after it.
fn imports(
    tokens: &[Token],
    mut at: usize,
    stem: &mut Vec<String>,
    (passed_on, named): (bool, &mut Vec<Named>),
) -> usize {
    let depth = stem.len();
    while let Some(token) = tokens.get(at) {
        let next = tokens.get(at + 1).map(|next| next.text);
        match token.text {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token.text != "}") {
                    at = imports(tokens, at, stem, (passed_on, named));
                    at += usize::from(tokens.get(at).is_some_and(|token| token.text == ","));
                }
                at += 1;
                break;
            }
            "}" | "," | ";" => break,
            "::" | "*" => at += 1,
            word => {
                at += 1;
                if word != "self" || stem.is_empty() {
                    stem.push(word.to_owned());
                }
                if next == Some("::") {
                    continue;
                }
                let mut name = stem.last().cloned().unwrap_or_default();
                if next == Some("as") {
                    name = tokens[at + 1].text.to_owned();
                    at += 2;
                }
                named.push(Named {
                    line: token.line,
                    path: stem.clone(),
                    import: Some(Import { name, passed_on }),
                });
                break;
            }
        }
    }
    stem.truncate(depth);
    at
}

fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (at, mut rest) in code.lines().enumerate() {
        while let Some(first) = rest.chars().next() {
            let length = match first {
                _ if is_of_word(first) => rest.find(|one| !is_of_word(one)).unwrap_or(rest.len()),
                ':' if rest.starts_with("::") => 2,
                _ => first.len_utf8(),
            };
            let (text, left) = rest.split_at(length);
            if !first.is_whitespace() {
                tokens.push(Token { line: at + 1, text });
            }
            rest = left;
        }
    }
    tokens
}

#[test]
fn paths_are_taken_apart() {
    let text = "pub use self::a::{B, c::{self, D as E}};\nuse super::f;\npub(in p::q) fn g() {\n    \
                crate::h::i::<J>(x.k, l::m!(n));\n}\n#[cfg(test)]\nmod tests {\n    use super::o;\n}\n";
    let paths = paths(&File::new("src/x/y.rs".to_owned(), text.to_owned()));
    let found: Vec<_> = paths
        .named
        .iter()
        .map(|one| {
            let import = one.import.as_ref();
            let import = import.map(|one| (one.name.as_str(), one.passed_on));
            (one.line, one.path.join("::"), import)
        })
        .collect();
    let expected = [
        (1, "self::a::B", Some(("B", true))),
        (1, "self::a::c", Some(("c", true))),
        (1, "self::a::c::D", Some(("E", true))),
        (2, "super::f", Some(("f", false))),
        (4, "crate::h::i", None),
        (4, "l::m", None),
    ];
    assert_eq!(
        found,
        expected.map(|(line, path, import)| (line, path.to_owned(), import))
    );
    let words: Vec<_> = paths.words.iter().map(String::as_str).collect();
    assert_eq!(words, ["J", "crate", "fn", "g", "l", "n", "pub", "x"]);
}
