//! With any number of threads the results are the same, also where a limit is met.

use std::path::Path;

use endstep::analysis::{Limits, Options};
use endstep::explore;

/// Passages with hundreds of boards, so that there are several chunks.
const PASSAGES: [&str; 3] = [
    "tests/corpus/passages/gods-unchained-restart.endstep",
    "tests/corpus/typing/fail/warnings.endstep",
    "tests/cli/check.in/readings.endstep",
];

fn printed(path: &str, format: &str, threads: &str) -> Vec<u8> {
    let output = crate::endstep()
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["check", "--no-expected", "--format", format, path])
        .args(["--threads", threads])
        .output()
        .unwrap();
    assert!(!output.stdout.is_empty(), "{path}");
    output.stdout
}

#[test]
fn any_number_of_threads_prints_the_same_bytes() {
    for path in PASSAGES {
        for format in ["text", "json"] {
            let one = printed(path, format, "1");
            assert!(one == printed(path, format, "2"), "{path}, {format}");
        }
    }
}

#[test]
fn limits_are_met_at_the_same_board_with_any_number_of_threads() {
    for path in PASSAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let program = super::compiled(&std::fs::read_to_string(path).unwrap()).unwrap();
        let results = |limits, threads| {
            let options = Options {
                limits,
                threads,
                ..Options::default()
            };
            explore::check(&program, &options, &mut |_| {})
        };
        for limit in [50, 1000, 7777, 30_000] {
            let steps = Limits {
                steps: limit,
                ..Limits::default()
            };
            let boards = Limits {
                boards: limit / 100,
                ..Limits::default()
            };
            for limits in [steps, boards] {
                let one = results(limits, 1);
                assert!(one.scopes.iter().all(|scope| scope.steps <= limits.steps));
                for threads in [2, 5] {
                    assert!(one == results(limits, threads), "{limits:?}, {threads}");
                }
            }
        }
    }
}
