//! Input that is large: what is made of it is counted, since seconds depend on the machine.

use super::{QUIET, ends};
use crate::folder::empty;
use endstep::driver::{MAX_DIAGNOSTICS, Reader, compile};
use endstep::source::{MAX_SOURCE_BYTES, SourceId, SourceMap};
use endstep::syntax::{self, MAX_TOKENS, parse};
use std::fs;

/// As much of something as a file may have.
fn full(of: &str) -> String {
    of.repeat(MAX_SOURCE_BYTES / of.len())
}

#[test]
fn of_any_text_there_are_few_diagnostics_and_tokens() {
    let lines = [
        "@\n",
        "@",
        "@ ",
        "\"\n",
        "\"",
        "(",
        ")",
        "(\n",
        "\t",
        "\t\n",
        "\ta\n",
        "\r",
        "\0",
        "\0\n",
        "\u{feff}\n",
        "--\n",
        "a",
        "a ",
        "a\n",
        "1",
        "1 ",
        "\"\\x",
        "é",
        "😀 ",
        ":\n",
        "not ",
        "sort S\n",
        "zone z of Card\n",
        "include \"x\"\n",
        "-- \n  --\n",
        "a (\n  b\n",
    ];
    for line in lines {
        let parsed = parse(SourceId(0), &full(line));
        let (diagnostics, tokens) = (parsed.diagnostics.len(), parsed.tokens);
        assert!(
            diagnostics <= syntax::MAX_DIAGNOSTICS + 1,
            "{line:?}: {diagnostics}"
        );
        assert!(tokens <= MAX_TOKENS + 1, "{line:?}: {tokens}");
    }
    // The rest is not read.
    assert!(parse(SourceId(0), &full("@\n")).tokens <= syntax::MAX_DIAGNOSTICS);
    assert!(parse(SourceId(0), &full("@ ")).tokens <= syntax::MAX_DIAGNOSTICS);
}

#[test]
fn a_text_may_have_so_many_tokens_and_no_more() {
    let errors = |count: usize| {
        let parsed = parse(SourceId(0), &"--\n".repeat(count));
        parsed
            .diagnostics
            .iter()
            .map(|one| one.code.id())
            .collect::<Vec<_>>()
    };
    assert!(errors(MAX_TOKENS).is_empty());
    assert_eq!(errors(MAX_TOKENS + 2), ["E0119"]);
}

/// Gives the same text for every path, and counts.
struct Same(String, usize);

impl Reader for Same {
    fn read(&mut self, path: &str, _: &str) -> Result<(String, Vec<u8>), String> {
        self.1 += 1;
        Ok((path.to_owned(), self.0.clone().into_bytes()))
    }

    fn name(&mut self, path: &str, _: &str) -> Option<String> {
        Some(path.to_owned())
    }
}

/// Codes of what is wrong with a text, with the number of files that were read.
fn compiled(text: &str, included: &str) -> (Vec<&'static str>, usize) {
    let mut sources = SourceMap::new();
    let root = sources.load("root", text.as_bytes()).unwrap();
    let mut reader = Same(included.to_owned(), 0);
    let compiled = compile(root, &mut sources, &mut reader);
    assert!(compiled.program.is_none());
    let codes = compiled.diagnostics.iter().map(|one| one.code.id());
    (codes.collect(), reader.1)
}

#[test]
fn a_file_is_read_once_however_often_it_is_included() {
    let (_, reads) = compiled(&"include \"a\"\n".repeat(20_000), "game \"g\"\n?\n");
    assert_eq!(reads, 1);
    let many: String = (0..20_000)
        .map(|at| format!("include \"f{at}\"\n"))
        .collect();
    // Each of them is wrong, and after so many complaints nothing is looked for.
    let (codes, _) = compiled(&many, "?\n");
    assert!(codes.len() <= MAX_DIAGNOSTICS + 1, "{}", codes.len());
    // Together they are too much.
    let (codes, reads) = compiled(&many, &" ".repeat(MAX_SOURCE_BYTES));
    assert!(reads < 200 && codes.len() < 200, "{reads} {}", codes.len());
}

#[test]
fn very_many_unknown_names_are_told_and_bounded() {
    let zones: String = (0..20_000)
        .map(|at| format!("zone z{at} of Card\n"))
        .collect();
    let (codes, _) = compiled(&format!("game \"g\"\n{zones}"), "");
    assert_eq!(codes.len(), MAX_DIAGNOSTICS + 1);
    assert!(codes.contains(&"E0118"));
}

#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_read() {
    let folder = empty("robust/large");
    fs::write(folder.join("game.endstep"), QUIET).unwrap();
    for name in ["large.endstep", "large.json", "large.txt"] {
        // A terabyte, of which nothing is on the disk.
        fs::File::create(folder.join(name))
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
    }
    fs::write(folder.join("all.endstep"), "include \"large.endstep\"\n").unwrap();
    let values = format!("[{}0]", "0,".repeat(1_100_000));
    fs::write(folder.join("values.json"), values).unwrap();
    fs::write(folder.join("lines.txt"), "\n".repeat(100_001)).unwrap();
    fs::write(folder.join("sentences.txt"), "Go! ".repeat(100_001)).unwrap();
    let large = "it is too large: expected at most";
    for (arguments, code, message) in [
        (&["check", "large.endstep"][..], 3, "E0002"),
        (&["fmt", "large.endstep"], 3, "E0002"),
        (
            &["check", "all.endstep"],
            3,
            "is too large: found more than 4194304 bytes",
        ),
        (&["merge", "large.json"], 66, large),
        (&["replay", "large.json"], 66, large),
        (
            &["check", "game.endstep", "--baseline", "large.json"],
            66,
            large,
        ),
        (
            &["coverage", "game.endstep", "--text", "large.txt"],
            66,
            large,
        ),
        (&["init", "new", "--from", "large.txt"], 66, large),
        (
            &["coverage", "game.endstep", "--text", "lines.txt"],
            66,
            "it is too long: expected at most 100000 lines",
        ),
        (
            &["init", "new", "--from", "sentences.txt"],
            66,
            "it is too long: expected at most 100000 sentences",
        ),
        (
            &["merge", "values.json"],
            66,
            "expected at most 1000000 values",
        ),
        (
            &["replay", "values.json"],
            66,
            "expected at most 1000000 values",
        ),
    ] {
        ends(arguments, &folder, code, message);
    }
}

#[test]
fn of_a_line_that_nobody_reads_only_the_place_is_shown() {
    let folder = empty("robust/line");
    let text = format!("game \"g\" {}", "@ ".repeat(100_000));
    fs::write(folder.join("game.endstep"), text).unwrap();
    let error = ends(
        &["check", "game.endstep"],
        &folder,
        3,
        "--> game.endstep:1:10",
    );
    assert!(error.len() < 50_000, "{}", error.len());
}
