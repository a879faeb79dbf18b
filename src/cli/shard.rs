//! Which part of a check: `--shard 2/3`.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which part of how many; counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Shard {
    pub(super) index: usize,
    pub(super) of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(format!(
                "found `{text}`, expected I/N such as 2/3, with I from 1 to N"
            )),
        }
    }
}

impl Shard {
    /// Whether the specification at a position, counted from 0, belongs to the part.
    pub(super) fn has(self, position: usize) -> bool {
        position % self.of == self.index - 1
    }
}
