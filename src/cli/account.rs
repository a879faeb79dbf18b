//! What a check in parts is made of: by it `merge` knows that parts belong together.
//!
//! Parts are made on several machines, and may come from different states of a repository, or from
//! different command lines. A verdict that rests on both is nobody's. So every part lists all that the
//! whole check reads and all options on which results depend:
//!
//! ```json
//! { "specifications": ["rules/duel.endstep"],
//!   "files": { "rules/duel.endstep": "9f86d081…", "endstep.toml": "60303ae2…" },
//!   "options": ["--scope Card=2"] }
//! ```
//!
//! *Guarantees.* Two parts with the same account are parts of one check, unless a file was changed while
//! a part was made.

use super::arguments::Arguments;
use super::baseline::Known;
use super::config;
use super::input::{Input, Unreadable, json_if_there, text_if_there};
use super::specification::Specification;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// More differences are not named.
const MOST_NAMED: usize = 5;

/// What a check reads, and how it was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Account {
    /// The specifications of the whole check in order.
    pub specifications: Vec<String>,
    /// The hash of every file that is read, by its name.
    files: BTreeMap<String, String>,
    /// The options on which results depend.
    options: BTreeSet<String>,
}

impl Account {
    /// The account of a check that was not begun yet.
    pub(super) fn of(
        arguments: &Arguments,
        (inputs, known): (&[Input], &Known),
    ) -> Result<Self, Unreadable> {
        let mut files = BTreeMap::new();
        let mut listed = |name: String, bytes: &[u8]| {
            files.insert(name, hash(bytes));
        };
        for input in inputs {
            let specification = Specification::load(input, &arguments.roots);
            for (_, file) in specification.sources.files() {
                listed(file.name().to_owned(), file.text().as_bytes());
            }
            // What cannot be read as a text is among the sources of none.
            listed(input.name.clone(), &input.bytes);
            let beside = input.beside("expected");
            if let (Some(path), Known::Beside) = (beside, known)
                && let Some(text) = json_if_there(&path)?
            {
                listed(path.display().to_string(), text.as_bytes());
            }
        }
        if let Known::Listed(baseline) = known {
            let path = baseline.path();
            let text = json_if_there(path)?.unwrap_or_default();
            listed(path.display().to_string(), text.as_bytes());
        }
        let config = arguments.config.as_deref();
        let config = config.unwrap_or(Path::new(config::NAME));
        if let Some(text) = text_if_there(config)? {
            listed(config.display().to_string(), text.as_bytes());
        }
        let names = inputs.iter().map(|input: &Input| input.name.clone());
        Ok(Self {
            specifications: names.collect(),
            files,
            options: arguments.that_matter().into_iter().collect(),
        })
    }

    /// How a part differs from another one, if so; both with the names of their files.
    pub(super) fn difference(
        &self,
        (name, other_name): (&str, &str),
        other: &Self,
    ) -> Option<String> {
        if self == other {
            return None;
        }
        let mut found = Vec::new();
        let has = |file: &str, what: &str| format!("only `{file}` has {what}");
        for (file, hash) in &self.files {
            match other.files.get(file) {
                None => found.push(has(name, &format!("`{file}`"))),
                Some(theirs) if theirs != hash => {
                    found.push(format!("`{file}` was changed in between"));
                }
                Some(_) => {}
            }
        }
        let theirs = other.files.keys();
        let theirs = theirs.filter(|file| !self.files.contains_key(*file));
        found.extend(theirs.map(|file| has(other_name, &format!("`{file}`"))));
        let option = |one: &String| format!("the option `{one}`");
        let ours = self.options.difference(&other.options);
        found.extend(ours.map(|one| has(name, &option(one))));
        let theirs = other.options.difference(&self.options);
        found.extend(theirs.map(|one| has(other_name, &option(one))));
        if found.is_empty() {
            found.push("they list the specifications in another order".to_owned());
        }
        let more = found.len().saturating_sub(MOST_NAMED);
        found.truncate(MOST_NAMED);
        if more > 0 {
            found.push(format!("and {more} more differences"));
        }
        Some(found.join("; "))
    }
}

fn hash(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
