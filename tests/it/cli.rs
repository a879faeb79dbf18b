//! The command line: every file under `tests/cli/` shows commands with their
//! output and exit code.

use std::process::Stdio;

#[test]
fn commands_print_what_their_files_show() {
    let cases = trycmd::TestCases::new();
    cases.env("ENDSTEP_NO_CACHE", "1");
    cases.case("tests/cli/*.trycmd");
}

/// `endstep … | head -1` ends quietly.
#[test]
fn a_reader_that_goes_away_is_no_panic() {
    // A child that another test starts at this moment may hold the reading end a
    // little longer, so that there is still somebody who reads.
    let codes = (0..5).map(|_| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = crate::endstep()
            .args(["completions", "bash"])
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        output.status.code()
    });
    assert!(codes.into_iter().any(|code| code == Some(141)));
}
