//! Counts state spaces of `tests/classics/`.

use std::path::Path;

use endstep::analysis::Options;
use endstep::driver::{Request, compile, count};
use endstep::report::Account;
use endstep::source::SourceMap;

struct Alone;

impl endstep::driver::Reader for Alone {
    fn read(&mut self, path: &str, _: &str) -> Result<(String, Vec<u8>), String> {
        Err(format!("{path} is not included by any of these"))
    }
}

/// Counts on a board, or on all legal ones.
pub fn counted(name: &str, board: Option<&str>, states: u64) -> Account {
    let path = Path::new(crate::ROOT)
        .join("tests/classics")
        .join(format!("{name}.endstep"));
    let text = std::fs::read(&path).unwrap();
    let mut sources = SourceMap::new();
    let root = sources.load(name, &text).unwrap();
    let compiled = compile(root, &mut sources, &mut Alone);
    let program = compiled
        .program
        .unwrap_or_else(|| panic!("{name}: {:?}", compiled.diagnostics));
    let request = Request {
        sequence: None,
        board,
        options: &Options::default(),
        states,
        points: true,
    };
    count((&program, &sources), request).unwrap()
}

/// Compares numbers of states, of transitions and of deadlocks.
pub fn is(name: &str, board: Option<&str>, expected: (u64, u64, u64)) -> Account {
    let account = counted(name, board, 5_000_000);
    let space = &account.space;
    let found = (space.states, space.transitions, space.deadlocks);
    assert_eq!(found, expected, "{name} {board:?}");
    assert!(account.shortfalls.is_empty(), "{name} {board:?}");
    account
}
