//! What is generated belongs to the grammar as it is.
//!
//! The generator is not needed for that: `generate` writes down the hashes of what it read and made.

use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

const FILES: [&str; 4] = [
    "grammar.js",
    "src/grammar.json",
    "src/node-types.json",
    "src/parser.c",
];

/// The most bytes that `src/parser.c` may have: editors compile it.
const MOST_BYTES: usize = 3_000_000;

fn read(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

fn hash(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_parser_is_that_of_the_grammar() {
    let lines = FILES.map(|name| format!("{}  {name}\n", hash(&read(name))));
    let noted = String::from_utf8(read("src/generated.sha256")).unwrap();
    assert!(
        lines.concat() == noted,
        "grammar.js or what is generated from it has changed; run editors/tree-sitter-endstep/generate"
    );
}

#[test]
fn the_parser_is_not_too_large() {
    let bytes = read("src/parser.c").len();
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
}
