//! The file `endstep.toml`: what a repository wants to be checked, and how.
//!
//! ```toml
//! specifications = ["rules"]
//!
//! [profile.nightly.sizes]
//! Card = 4
//! ```
//!
//! What stands at the top holds for all profiles, what stands in a profile goes before it, and what the
//! command line says before both. A key that is not known is an error, which says where it stands.

use super::input::{Unreadable, text_if_there};
use super::shape::Level;
use crate::driver::Choice;
use endstep_verdicts::analysis::Limits;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the file.
pub(super) const NAME: &str = "endstep.toml";

/// What the file says.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Config {
    #[serde(default)]
    specifications: Vec<PathBuf>,
    baseline: Option<PathBuf>,
    fail_on: Option<Level>,
    #[serde(default)]
    sizes: BTreeMap<String, u32>,
    #[serde(default)]
    limits: Bounds,
    #[serde(default)]
    profile: BTreeMap<String, Settings>,
}

impl Config {
    /// What holds for all profiles.
    fn top(self) -> Settings {
        Settings {
            specifications: self.specifications,
            baseline: self.baseline,
            fail_on: self.fail_on,
            sizes: self.sizes,
            limits: self.limits,
        }
    }
}

/// What is wanted; what is not said is as it is without the file.
#[derive(Deserialize, Debug, Default, Clone)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Settings {
    /// Files and folders, relative to the file.
    #[serde(default)]
    pub specifications: Vec<PathBuf>,
    /// The baseline, relative to the file.
    pub baseline: Option<PathBuf>,
    /// What fails.
    pub fail_on: Option<Level>,
    /// Largest numbers of entities, by sort.
    #[serde(default)]
    pub sizes: BTreeMap<String, u32>,
    /// Limits that differ from the usual ones.
    #[serde(default)]
    pub limits: Bounds,
}

/// Limits of an exploration; reaching one leaves questions open.
#[derive(Deserialize, Debug, Default, Clone)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Bounds {
    boards: Option<u64>,
    candidates: Option<u64>,
    states: Option<usize>,
    readings: Option<usize>,
    steps: Option<u64>,
}

impl Settings {
    /// These settings, and where they say nothing, the others.
    fn or(self, other: Self) -> Self {
        let mut sizes = other.sizes;
        sizes.extend(self.sizes);
        Self {
            specifications: match self.specifications.is_empty() {
                true => other.specifications,
                false => self.specifications,
            },
            baseline: self.baseline.or(other.baseline),
            fail_on: self.fail_on.or(other.fail_on),
            sizes,
            limits: Bounds {
                boards: self.limits.boards.or(other.limits.boards),
                candidates: self.limits.candidates.or(other.limits.candidates),
                states: self.limits.states.or(other.limits.states),
                readings: self.limits.readings.or(other.limits.readings),
                steps: self.limits.steps.or(other.limits.steps),
            },
        }
    }

    /// The limits, with the usual ones where nothing is said.
    pub(super) fn limits(&self) -> Limits {
        let (bounds, usual) = (&self.limits, Limits::default());
        Limits {
            boards: bounds.boards.unwrap_or(usual.boards),
            candidates: bounds.candidates.unwrap_or(usual.candidates),
            states: bounds.states.unwrap_or(usual.states),
            readings: bounds.readings.unwrap_or(usual.readings),
            steps: bounds.steps.unwrap_or(usual.steps),
        }
    }

    /// The sizes as `--scope` would give them.
    pub(super) fn sizes(&self) -> Vec<Choice> {
        let choice = |(name, size): (&String, &u32)| Choice {
            name: name.clone(),
            value: size.to_string(),
        };
        self.sizes.iter().map(choice).collect()
    }
}

/// Reads the file that is named, or that of the current folder if there is one, as a profile has it.
/// Paths are those of the file's folder.
pub(super) fn load(named: Option<&Path>, profile: Option<&str>) -> Result<Settings, Unreadable> {
    let path = named.unwrap_or(Path::new(NAME));
    let name = path.display();
    let Some(text) = text_if_there(path)? else {
        return match (named, profile) {
            (Some(_), _) => Err(Unreadable(format!("cannot read `{name}`: it is not there"))),
            (None, Some(profile)) => Err(Unreadable(format!(
                "found no `{NAME}` in the current folder, expected one with the profile `{profile}`"
            ))),
            (None, None) => Ok(Settings::default()),
        };
    };
    let mut config =
        parse(&text).map_err(|why| Unreadable(format!("cannot read `{name}`: {why}")))?;
    let mut settings = match profile {
        None => config.top(),
        Some(profile) => match config.profile.remove(profile) {
            Some(found) => found.or(config.top()),
            None => {
                let names: Vec<String> = config
                    .profile
                    .keys()
                    .map(|one| format!("`{one}`"))
                    .collect();
                let known = match names.is_empty() {
                    true => "it has none".to_owned(),
                    false => format!("expected one of {}", names.join(", ")),
                };
                return Err(Unreadable(format!(
                    "found no profile `{profile}` in `{name}`: {known}"
                )));
            }
        },
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let places = settings
        .specifications
        .iter_mut()
        .chain(&mut settings.baseline);
    places.for_each(|place| *place = folder.join(&*place));
    Ok(settings)
}

/// Reads the text of a file; the error says where it is wrong.
fn parse(text: &str) -> Result<Config, String> {
    toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_goes_before_what_stands_at_the_top() {
        let text = "fail-on = \"note\"\n[sizes]\nCard = 2\nRow = 1\n[limits]\nboards = 10\n\
                    [profile.nightly]\nfail-on = \"error\"\n[profile.nightly.sizes]\nCard = 4\n";
        let mut config = parse(text).unwrap();
        let nightly = config.profile.remove("nightly").unwrap().or(config.top());
        assert_eq!(nightly.fail_on, Some(Level::Error));
        assert_eq!(nightly.limits().boards, 10);
        assert_eq!(nightly.limits().states, Limits::default().states);
        let sizes: Vec<_> = nightly
            .sizes()
            .iter()
            .map(|one| format!("{}={}", one.name, one.value))
            .collect();
        assert_eq!(sizes, ["Card=4", "Row=1"]);
    }

    #[test]
    fn a_key_that_is_not_known_is_an_error_at_its_place() {
        for (text, place) in [
            ("size = 3\n", "line 1, column 1"),
            ("\n[limits]\nboard = 3\n", "line 3, column 1"),
            ("[profile.ci]\nfailon = \"note\"\n", "line 2, column 1"),
            ("fail-on = \"bad\"\n", "line 1, column 11"),
            ("specifications = \"rules\"\n", "line 1, column 18"),
        ] {
            let why = parse(text).unwrap_err();
            assert!(why.contains(place), "{text}: {why}");
        }
    }
}
