//! Edits of specifications that change no meaning.

use endstep::source::SourceId;
use endstep::syntax::ast::{ClauseKind, Document, File, Item, ItemKind, Text};
use endstep::syntax::keywords::is_keyword;
use endstep::syntax::{parse, print};

use crate::texts::Texts;

/// What stands in the names of what edits add.
pub(super) const UNRELATED: &str = "unrelated";

/// An edit.
#[derive(Clone, Copy)]
pub(super) struct Edit {
    /// What it does.
    pub name: &'static str,
    /// How.
    pub make: fn(&mut Texts),
}

const fn edit(name: &'static str, make: fn(&mut Texts)) -> Edit {
    Edit { name, make }
}

/// All edits, in the order in which they are made together.
pub(super) const ALL: &[Edit] = &[
    edit("rename the loop variables", |texts| {
        rename(texts, &["each"])
    }),
    edit("rename the variables of counts and quantifiers", |texts| {
        rename(texts, &["of", "every", "some", "over"]);
    }),
    edit("rename parameters", |texts| rename(texts, &["(", ","])),
    edit("reverse the clauses of the documents", |texts| {
        reverse(texts, |kind| matches!(kind, ItemKind::Clause(..)));
    }),
    edit("reverse the claims", |texts| {
        reverse(texts, |kind| matches!(kind, ItemKind::Claim(_)))
    }),
    edit("reverse what is legal", |texts| {
        reverse(texts, |kind| matches!(kind, ItemKind::Legal(_)))
    }),
    edit("reverse the definitions", |texts| {
        reverse(texts, |kind| matches!(kind, ItemKind::Define(_)))
    }),
    edit("reverse the variables", |texts| {
        reverse(texts, |kind| matches!(kind, ItemKind::Var(_)))
    }),
    edit("reverse the zones", |texts| {
        reverse(texts, |kind| matches!(kind, ItemKind::Zone(_)))
    }),
    edit("reverse the sorts", |texts| {
        reverse(texts, |kind| matches!(kind, ItemKind::Entity(_)))
    }),
    edit("reverse the fields of the sorts", |texts| {
        items(texts, &mut |item| {
            if let ItemKind::Entity(entity) = &mut item.kind {
                entity.fields.reverse();
            }
        });
    }),
    edit("reverse the alternatives of the readings", |texts| {
        items(texts, &mut |item| {
            if let ItemKind::Reading(reading) = &mut item.kind {
                reading.alternatives.reverse();
            }
        });
    }),
    edit("reverse what is verified", |texts| {
        reverse(texts, |kind| matches!(kind, ItemKind::Verify(_)))
    }),
    edit("number the pages anew", |texts| {
        items(texts, &mut |item| {
            if let ItemKind::Clause(clause, ..) = &mut item.kind {
                clause.locator.text.insert_str(0, "second edition, ");
            }
        });
    }),
    edit("word the clauses otherwise", |texts| {
        items(texts, &mut |item| {
            if let ItemKind::Clause(clause, ..) = &mut item.kind
                && let Some(says) = &mut clause.says
            {
                says.text.push_str(" That is so.");
            }
        });
    }),
    edit("put an unrelated clause before the others", |texts| {
        add_clause(texts, 0)
    }),
    edit("put an unrelated clause between the others", |texts| {
        add_clause(texts, 1)
    }),
    edit("put an unrelated clause behind the others", |texts| {
        add_clause(texts, usize::MAX)
    }),
    edit("declare unrelated things", |texts| {
        texts.root().push_str(
            "\ntype Unrelated is one of unrelated_a, unrelated_b\n\nvar unrelated_round: integer, starts 0\n\n\
             define unrelated_twice(n: integer) = n + n\n\nevent unrelated_event, at once\n",
        );
    }),
    edit("move declarations to an include", |texts| {
        to_include(texts, "declared.endstep", |kind| {
            matches!(
                kind,
                ItemKind::Define(_) | ItemKind::Legal(_) | ItemKind::Type(_) | ItemKind::Entity(_)
            )
        });
    }),
    edit("move the documents to an include", |texts| {
        to_include(texts, "documents.endstep", |kind| {
            matches!(kind, ItemKind::Document(..))
        });
    }),
    edit("call the file otherwise", |texts| {
        texts.rename("another.endstep")
    }),
    edit("comment every clause", |texts| {
        lines(texts, &mut |line, out| {
            let inner = line.trim_start();
            if inner.starts_with("clause ") {
                let indent = &line[..line.len() - inner.len()];
                out.push_str(&format!("{indent}-- What follows was looked over.\n"));
            }
            out.push_str(&format!("{line}\n"));
        });
    }),
    edit("document all that can be documented", |texts| {
        lines(texts, &mut |line, out| {
            let inner = line.trim_start();
            let word = inner.split(' ').next().unwrap_or_default();
            let documented = [
                "claim", "question", "example", "expect", "trigger", "sequence", "step",
            ];
            if documented.contains(&word) {
                let indent = &line[..line.len() - inner.len()];
                out.push_str(&format!("{indent}-- This is said in other words now.\n"));
            }
            out.push_str(&format!("{line}\n"));
        });
    }),
    edit("indent by four spaces", |texts| {
        lines(texts, &mut |line, out| {
            let inner = line.trim_start();
            out.push_str(&" ".repeat(line.len() - inner.len()));
            out.push_str(&format!("{line}\n"));
        });
    }),
    edit("put lines at the top", |texts| {
        for text in texts.each() {
            text.insert_str(0, "-- One line,\n-- and another.\n\n\n");
        }
    }),
    edit("end lines with spaces and as Windows does", |texts| {
        lines(texts, &mut |line, out| {
            out.push_str(&format!("{line}  \r\n"))
        });
    }),
];

/// Changes each line of each text.
fn lines(texts: &mut Texts, change: &mut dyn FnMut(&str, &mut String)) {
    for text in texts.each() {
        let mut out = String::new();
        text.lines().for_each(|line| change(line, &mut out));
        *text = out;
    }
}

fn tree(text: &str) -> File {
    let parsed = parse(SourceId(0), text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.file
}

/// Changes the lists of items that stand together, in each text.
fn groups(texts: &mut Texts, change: &mut dyn FnMut(&mut Vec<Item>, Option<&Document>)) {
    fn inside(
        items: &mut Vec<Item>,
        document: Option<&Document>,
        change: &mut dyn FnMut(&mut Vec<Item>, Option<&Document>),
    ) {
        for item in items.iter_mut() {
            match &mut item.kind {
                ItemKind::Document(document, items, _) => inside(items, Some(document), change),
                ItemKind::Clause(_, items, _) => inside(items, None, change),
                _ => {}
            }
        }
        change(items, document);
    }
    for text in texts.each() {
        let mut file = tree(text);
        inside(&mut file.items, None, change);
        *text = print(&file);
    }
}

fn items(texts: &mut Texts, change: &mut dyn FnMut(&mut Item)) {
    groups(texts, &mut |items, _| {
        items.iter_mut().for_each(&mut *change)
    });
}

/// Puts items of a kind into the reverse order, among each other.
fn reverse(texts: &mut Texts, is_of_kind: fn(&ItemKind) -> bool) {
    groups(texts, &mut |items, _| {
        let places: Vec<usize> = (0..items.len())
            .filter(|&at| is_of_kind(&items[at].kind))
            .collect();
        for (&one, &other) in places.iter().zip(places.iter().rev()) {
            if one < other {
                items.swap(one, other);
            }
        }
    });
}

/// Adds a clause to each list of clauses, at a place counted in clauses.
fn add_clause(texts: &mut Texts, at: usize) {
    let mut number = 0;
    groups(texts, &mut |items, _| {
        let is_clause = |item: &Item| matches!(item.kind, ItemKind::Clause(..));
        let Some(first) = items.iter().position(is_clause) else {
            return;
        };
        number += 1;
        let id = format!("unrelated_{}.{number}", at.min(9));
        let mut file = tree(&format!(
            "clause {id} (note) at \"Page 0\"\n  says \"Have fun.\"\n"
        ));
        assert!(
            matches!(&file.items[0].kind, ItemKind::Clause(one, ..) if one.kind == ClauseKind::Note)
        );
        let place = first.saturating_add(at).min(items.len());
        items.insert(place, file.items.remove(0));
    });
}

/// Moves top-level items of a kind to a file of their own, which is included where the first stood.
fn to_include(texts: &mut Texts, name: &str, is_of_kind: fn(&ItemKind) -> bool) {
    // Where the specification has parts, its declarations are in one of them.
    let mut moved = None;
    for (from, text) in texts.each_named() {
        let mut file = tree(text);
        let Some(at) = file.items.iter().position(|item| is_of_kind(&item.kind)) else {
            continue;
        };
        let include = Item {
            trivia: file.items[at].trivia.clone(),
            kind: ItemKind::Include(Text {
                text: name.to_owned(),
                ..Text::default()
            }),
            loc: file.items[at].loc,
        };
        let (taken, mut kept): (Vec<Item>, Vec<Item>) = file
            .items
            .drain(..)
            .partition(|item| is_of_kind(&item.kind));
        kept.insert(at, include);
        file.items = kept;
        *text = print(&file);
        let file = File {
            items: taken,
            ..File::default()
        };
        moved = Some((from.to_owned(), print(&file)));
        break;
    }
    if let Some((from, text)) = moved {
        texts.add(name, &from, text);
    }
}

/// Renames short names that stand behind these words, wherever they stand; not those with which the id
/// of a clause begins, since that is a name of its own (`clause c.1`, `for each c: Card`).
fn rename(texts: &mut Texts, behind: &[&str]) {
    let mut ids = Vec::new();
    items(texts, &mut |item| {
        if let ItemKind::Clause(clause, ..) = &item.kind {
            let first = clause.id.text.split('.').next();
            ids.extend(first.map(str::to_owned));
        }
    });
    for text in texts.each() {
        let words = words(text);
        let mut names = Vec::new();
        for three in words.windows(3) {
            let [(_, one), (_, name), (_, colon)] = three else {
                continue;
            };
            let is_name = name.starts_with(|first: char| first.is_ascii_lowercase());
            // `up` may be the name of a player who is up, and is a word of the language.
            if behind.contains(one)
                && is_name
                && !is_keyword(name)
                && name.len() <= 2
                && !ids.iter().any(|id| id == name)
                && *colon == ":"
            {
                names.push((*name).to_owned());
            }
        }
        let mut out = String::new();
        let mut last = 0;
        for (at, word) in words {
            if names.iter().any(|name| name == word) {
                out.push_str(&text[last..at]);
                out.push_str(word);
                out.push('_');
                last = at + word.len();
            }
        }
        out.push_str(&text[last..]);
        *text = out;
    }
}

/// Names and other characters of a text, with their places; quoted texts and comments are left out.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'-' if bytes.get(at + 1) == Some(&b'-') => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
            }
            byte if part(&byte) => {
                let length = bytes[at..].iter().take_while(|byte| part(byte)).count();
                found.push((at, &text[at..at + length]));
                at += length;
            }
            byte if byte.is_ascii_whitespace() || !byte.is_ascii() => at += 1,
            _ => {
                found.push((at, &text[at..=at]));
                at += 1;
            }
        }
    }
    found
}
