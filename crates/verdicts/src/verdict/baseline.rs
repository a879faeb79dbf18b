//! The baseline: the expected findings of many specifications in one file.
//!
//! ```json
//! { "version": 1, "specifications": { "games/go.endstep": [ { "code": "F0201", … } ] } }
//! ```
//!
//! Each list is what a file of [`Expected`] findings has, so both are compared in the same way.

use super::expected::{Expected, ExpectedError, ExpectedFinding, VERSION};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The expected findings of specifications, by their paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The version of the format.
    version: u32,
    /// For each specification, in order of paths.
    specifications: BTreeMap<String, Vec<ExpectedFinding>>,
}

impl Default for Baseline {
    fn default() -> Self {
        Self {
            version: VERSION,
            specifications: BTreeMap::new(),
        }
    }
}

impl Baseline {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// If it is no baseline, or one of another version.
    pub fn from_json(text: &str) -> Result<Self, ExpectedError> {
        let read: Self = serde_json::from_str(text)
            .map_err(|error| ExpectedError::Malformed(error.to_string()))?;
        match read.version {
            VERSION => Ok(read),
            other => Err(ExpectedError::Version(other)),
        }
    }

    /// The text of a file, with a line for each value.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// What is expected of a specification; nothing of one that is not listed.
    pub fn of(&self, path: &str) -> Expected {
        Expected {
            version: VERSION,
            findings: self.specifications.get(path).cloned().unwrap_or_default(),
        }
    }

    /// Replaces what is expected of a specification.
    pub fn put(&mut self, path: String, expected: Expected) {
        match expected.findings.is_empty() {
            true => self.specifications.remove(&path),
            false => self.specifications.insert(path, expected.findings),
        };
    }

    /// Forgets the specifications for which this is false.
    pub fn retain(&mut self, keep: &mut dyn FnMut(&str) -> bool) {
        self.specifications.retain(|path, _| keep(path));
    }

    /// How many findings of how many specifications there are.
    pub fn size(&self) -> (usize, usize) {
        let findings = self.specifications.values().map(Vec::len).sum();
        (findings, self.specifications.len())
    }
}
