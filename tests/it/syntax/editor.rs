//! The grammar for editors is made from the table of keywords.

use endstep::syntax::keywords::{KEYWORDS, Role};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode")
}

fn read(name: &str) -> Value {
    let path = folder().join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The scope that colours the keywords of a role.
fn scope(role: Role) -> &'static str {
    match role {
        Role::Item => "keyword.other.item.endstep",
        Role::Line => "keyword.other.line.endstep",
        Role::Statement => "keyword.control.endstep",
        Role::Operator => "keyword.operator.word.endstep",
        Role::Constant => "constant.language.endstep",
        Role::Type => "support.type.endstep",
        Role::Connective => "keyword.other.connective.endstep",
        Role::Choice => "support.constant.endstep",
    }
}

/// A pattern for words that are no field, such as `size` in `c.size`, and no
/// part of a clause id.
fn words(words: &[&str]) -> String {
    format!(r"(?<![.\w])({})\b(?!\.)", words.join("|"))
}

/// The grammar as the table of keywords has it.
fn grammar() -> Value {
    let keywords: Vec<_> = KEYWORDS
        .iter()
        .map(|(role, list)| json!({ "name": scope(*role), "match": words(list) }))
        .collect();
    let mut patterns = vec![
        json!({ "include": "#comment" }),
        json!({ "include": "#text" }),
        json!({ "include": "#clause" }),
        json!({ "include": "#declared" }),
        json!({ "include": "#clause_id" }),
        json!({ "include": "#number" }),
    ];
    patterns.extend(keywords);
    patterns.push(json!({ "include": "#sign" }));
    json!({
        "name": "Endstep",
        "scopeName": "source.endstep",
        "fileTypes": ["endstep"],
        "patterns": patterns,
        "repository": {
            "comment": { "name": "comment.line.double-dash.endstep", "match": "--.*$" },
            "text": {
                "name": "string.quoted.double.endstep",
                "begin": "\"",
                "end": "\"|$",
                "patterns": [
                    { "name": "constant.character.escape.endstep", "match": r#"\\["\\n]"# },
                    { "name": "invalid.illegal.escape.endstep", "match": r"\\." }
                ]
            },
            "clause": {
                "match": r"^\s*(clause)\s+([\w.]+)\s*\(\s*(\w+)\s*\)",
                "captures": {
                    "1": { "name": "keyword.other.item.endstep" },
                    "2": { "name": "entity.name.section.endstep" },
                    "3": { "name": "support.constant.endstep" }
                }
            },
            "declared": {
                "match": r"^\s*(document|type|table|row|entity|player|role|zone|define|legal|queue|event|reading|trigger|sequence|step|observer|claim|question|board|example)\s+([A-Za-z_]\w*)",
                "captures": {
                    "1": { "name": "keyword.other.item.endstep" },
                    "2": { "name": "entity.name.function.endstep" }
                }
            },
            "clause_id": {
                "name": "entity.name.section.endstep",
                "match": r"\b[A-Za-z_]\w*(\.\w+)*\.\d+(\.\w+)*"
            },
            "number": { "name": "constant.numeric.endstep", "match": r"(?<![\w.])\d+\b" },
            "sign": {
                "name": "keyword.operator.endstep",
                "match": r"!=|<=|>=|[=<>+*|-]"
            }
        }
    })
}

#[test]
fn the_grammar_is_made_from_the_table() {
    let path = folder().join("endstep.tmLanguage.json");
    let expected = serde_json::to_string_pretty(&grammar()).unwrap() + "\n";
    // Written anew where that is asked for, as snapshots are.
    if std::env::var_os("ENDSTEP_WRITE_GRAMMAR").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "editors/vscode/endstep.tmLanguage.json differs from the table of keywords; \
         run the test with ENDSTEP_WRITE_GRAMMAR=1"
    );
}

#[test]
fn all_keywords_are_coloured() {
    let text = read("endstep.tmLanguage.json").to_string();
    for word in KEYWORDS.iter().flat_map(|(_, words)| words.iter()) {
        let stands = ["(", "|"].iter().any(|before| {
            let ends = [")", "|"].iter();
            ends.clone()
                .any(|after| text.contains(&format!("{before}{word}{after}")))
        });
        assert!(stands, "`{word}` has no colour");
    }
}

#[test]
fn the_extension_names_files_that_are_there() {
    let package = read("package.json");
    let language = &package["contributes"]["languages"][0];
    assert_eq!(language["extensions"], json!([".endstep"]));
    let grammar = &package["contributes"]["grammars"][0];
    assert_eq!(
        grammar["scopeName"],
        read("endstep.tmLanguage.json")["scopeName"]
    );
    for path in [&language["configuration"], &grammar["path"]] {
        let path = folder().join(path.as_str().unwrap());
        assert!(path.exists(), "{}", path.display());
    }
    assert_eq!(
        read("language-configuration.json")["comments"]["lineComment"],
        json!("--")
    );
}
