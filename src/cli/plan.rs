//! What a check is going to do: the command line and `endstep.toml` together.

use super::account::Account;
use super::arguments::Arguments;
use super::baseline::{Known, Listed};
use super::config::{self, Settings};
use super::exit::Exit;
use super::expected;
use super::include::Roots;
use super::input::{self, Input, Unreadable};
use super::specification::Specification;
use crate::driver::Choice;
use endstep_language::typing::program::Program;
use endstep_report::report::Policy;
use endstep_verdicts::analysis::Stop;
use endstep_verdicts::verdict::Expected;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a check is going to do.
#[derive(Debug)]
pub(super) struct Plan {
    /// The specifications.
    pub inputs: Vec<Input>,
    /// What fails.
    pub policy: Policy,
    /// What is expected.
    pub known: Known,
    /// Whether somebody has had enough.
    pub stop: Stop,
    /// What the check reads, if it is one of several parts.
    pub account: Option<Account>,
    /// Which specification is looked at, of how many, the first being 1.
    pub position: (usize, usize),
    settings: Settings,
    sizes: Vec<Choice>,
    /// Sorts that some specification has.
    used: BTreeSet<String>,
}

impl Plan {
    /// Finds out what to do.
    pub(super) fn make(arguments: &Arguments) -> Result<Self, (String, Exit)> {
        let unreadable = |Unreadable(why)| (why, Exit::Unreadable);
        let (file, profile) = (arguments.config.as_deref(), arguments.profile.as_deref());
        let settings = config::load(file, profile).map_err(unreadable)?;
        let paths = match arguments.paths.is_empty() {
            true => &settings.specifications,
            false => &arguments.paths,
        };
        if arguments.paths.is_empty() {
            let folder = file.and_then(Path::parent);
            confined(paths, folder.unwrap_or(Path::new("")), &arguments.roots)?;
        }
        let inputs = input::specifications(paths).map_err(unreadable)?;
        let baseline = arguments.baseline.as_ref().or(settings.baseline.as_ref());
        let known = match baseline {
            _ if arguments.no_expected => Known::Nothing,
            None if arguments.update_baseline => {
                let why = "found --update-baseline, expected --baseline FILE with it";
                return Err((why.to_owned(), Exit::Usage));
            }
            _ if arguments.update_expected => Known::Beside,
            None => Known::Beside,
            Some(path) => {
                let listed = Listed::load(path, arguments.update_baseline);
                Known::Listed(Box::new(listed.map_err(unreadable)?))
            }
        };
        let fail_on = arguments.fail_on.or(settings.fail_on);
        let usual = Policy::default();
        Ok(Self {
            position: (1, 1),
            inputs,
            policy: Policy {
                fail_on: fail_on.map_or(usual.fail_on, Into::into),
                vanished_fails: !matches!(known, Known::Listed(_)),
            },
            known,
            stop: Stop::default(),
            account: None,
            sizes: settings.sizes(),
            settings,
            used: BTreeSet::new(),
        })
    }

    /// The limits.
    pub(super) fn limits(&self) -> endstep_verdicts::analysis::Limits {
        self.settings.limits()
    }

    /// The sizes of the sorts that a specification has.
    pub(super) fn sizes(&mut self, program: &Program) -> Vec<Choice> {
        let has = |size: &&Choice| {
            let mut sorts = program.sorts.values().iter();
            sorts.any(|sort| sort.name == size.name)
        };
        let sizes: Vec<Choice> = self.sizes.iter().filter(has).cloned().collect();
        self.used.extend(sizes.iter().map(|size| size.name.clone()));
        sizes
    }

    /// A sort with a size that no specification has.
    pub(super) fn unused_size(&self) -> Option<&str> {
        let mut names = self.sizes.iter().map(|size| size.name.as_str());
        names.find(|name| !self.used.contains(*name))
    }

    /// What is expected of a specification.
    pub(super) fn expected(&self, input: &Input) -> Result<Option<Expected>, (String, Exit)> {
        match &self.known {
            Known::Nothing => Ok(None),
            Known::Listed(listed) => Ok(listed.of(input)),
            Known::Beside => {
                let known = expected::load(input, false);
                known.map_err(|Unreadable(why)| (why, Exit::Unreadable))
            }
        }
    }
}

/// Refuses specifications that `endstep.toml` names and that are elsewhere than in its folder and below:
/// what is wrong with them is shown with their text, and the file may be somebody else's.
fn confined(paths: &[PathBuf], folder: &Path, roots: &Roots) -> Result<(), (String, Exit)> {
    match paths.iter().find(|path| !roots.reach(folder, path)) {
        None => Ok(()),
        Some(path) => {
            let why = Roots::refusal(&path.display().to_string(), folder);
            Err((
                format!("cannot read what `{}` names: {why}", config::NAME),
                Exit::Unreadable,
            ))
        }
    }
}

/// The files on which the results of a check depend, as far as they can be found now.
pub(super) fn files(arguments: &Arguments) -> Vec<PathBuf> {
    let file = arguments.config.as_deref();
    let mut all = vec![file.unwrap_or(Path::new(config::NAME)).to_owned()];
    let settings = config::load(file, arguments.profile.as_deref()).unwrap_or_default();
    let paths = match arguments.paths.is_empty() {
        true => &settings.specifications,
        false => &arguments.paths,
    };
    all.extend(
        arguments
            .baseline
            .clone()
            .or_else(|| settings.baseline.clone()),
    );
    all.extend(paths.iter().cloned());
    for input in input::specifications(paths).unwrap_or_default() {
        all.extend(input.beside("expected"));
        let specification = Specification::load(&input, &arguments.roots);
        let files = specification.sources.files();
        all.extend(files.map(|(_, file)| PathBuf::from(file.name())));
    }
    all
}
