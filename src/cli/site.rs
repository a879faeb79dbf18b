//! The folder of a site: what a report wrote there before, what it may replace, and what is written now.
//!
//! ```text
//! DIR/endstep-site.json     the files of the site, so that the next report knows which are its own
//! DIR/index.html            …
//! ```
//!
//! *Guarantees.* A file that no report wrote is never replaced and never removed, and nothing is written
//! outside of the folder: a link in it is replaced, or refused where a folder is needed. Hidden files
//! beside the site, such as `.git`, are nobody's concern. Pages that a report wrote before and does not write any
//! more are removed.

use super::exit::Exit;
use super::input::{self, Input, Unreadable};
use super::output;
use super::part::{self, Shown};
use super::specification::Specification;
use crate::driver::Checked;
use endstep_kernel::lower::lower;
use endstep_language::diag::render;
use endstep_language::typing::program::Program;
use endstep_report::depend::{self, Kind, Source};
use endstep_report::report::diagram::{Diagram, sketch};
use endstep_report::report::{
    Entry, Exposition, Graph, OrderSheet, SiteFile, Tally, check_json, site_pages,
};
use endstep_verdicts::order::{matrix, overlooking};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The list of the files of a site.
const LIST: &str = "endstep-site.json";

/// The first page.
pub(super) const FIRST: &str = "index.html";

/// Names at the top of a site that no document may have.
const TAKEN: [&str; 4] = [FIRST, LIST, "endstep.css", "endstep.js"];

/// How the files of a site end.
const ENDINGS: [&str; 6] = ["html", "svg", "md", "json", "css", "js"];

/// The folder of a site.
#[derive(Debug)]
pub(super) struct Site {
    root: PathBuf,
    /// What a report wrote there before.
    ours: BTreeSet<String>,
}

impl Site {
    /// A folder that is not there, is empty, or holds a site.
    pub(super) fn open(root: &Path) -> Result<Self, Unreadable> {
        let name = root.display();
        let site = |ours| Self {
            root: root.to_owned(),
            ours,
        };
        let unusable =
            |error: io::Error| Unreadable(format!("cannot use `{name}` for a site: {error}"));
        let entries = match fs::read_dir(root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(site(BTreeSet::new()));
            }
            Err(error) => return Err(unusable(error)),
        };
        let names: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.file_name())).collect();
        let names = names.map_err(unusable)?;
        if names.iter().any(|name| name == LIST) {
            return Ok(site(listed(&root.join(LIST))?));
        }
        let is_visible = |name: &&std::ffi::OsString| !name.to_string_lossy().starts_with('.');
        match names.iter().filter(is_visible).min() {
            None => Ok(site(BTreeSet::new())),
            Some(other) => Err(Unreadable(format!(
                "found `{}` in `{name}`, expected a folder that is new, empty or holds a site",
                other.display()
            ))),
        }
    }

    /// Writes a site.
    pub(super) fn write(&self, files: &[SiteFile]) -> Result<(), Unreadable> {
        let new: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let is_foreign = |path: &&&str| {
            !self.ours.contains(**path) && self.root.join(path).symlink_metadata().is_ok()
        };
        if let Some(path) = new.iter().find(is_foreign) {
            let path = self.root.join(path);
            return Err(Unreadable(format!(
                "found `{}`, which is no part of the site and would be replaced",
                path.display()
            )));
        }
        // Whatever keeps this from being finished, the next report knows what is its own.
        let old = self.ours.iter().map(String::as_str);
        self.list(old.chain(new.iter().copied()).collect())?;
        for file in files {
            let path = match file.path.rsplit_once('/') {
                Some((folder, name)) => output::make_in(&self.root, folder)?.join(name),
                None => self.root.join(&file.path),
            };
            output::replace(&path, file.text.as_bytes())?;
        }
        for path in self.ours.iter().filter(|path| !new.contains(path.as_str())) {
            let path = self.root.join(path);
            let folder = path.parent().unwrap_or(&self.root);
            if folder != self.root && output::is_link(folder) {
                continue;
            }
            // What is gone already need not be removed; folders stay unless they are empty.
            let _ = fs::remove_file(&path);
            let _ = fs::remove_dir(folder);
        }
        self.list(new)
    }

    fn list(&self, files: BTreeSet<&str>) -> Result<(), Unreadable> {
        output::make(&self.root)?;
        let list = json!({ "version": 1, "files": files });
        let mut text = serde_json::to_string_pretty(&list).unwrap_or_default();
        text.push('\n');
        output::replace(&self.root.join(LIST), text.as_bytes())
    }
}

/// The files that a list names; only paths that a site can have.
fn listed(path: &Path) -> Result<BTreeSet<String>, Unreadable> {
    let wrong = |why: &dyn std::fmt::Display| {
        Unreadable(format!("cannot read the list `{}`: {why}", path.display()))
    };
    let text = input::json(path)?;
    let list: Value = serde_json::from_str(&text).map_err(|why| wrong(&why))?;
    let Some(files) = list["files"].as_array() else {
        return Err(wrong(&"found no `files`"));
    };
    let files = files.iter().filter_map(Value::as_str).filter(|path| {
        let parts: Vec<&str> = path.split('/').collect();
        let ending = Path::new(path).extension().and_then(|end| end.to_str());
        let is_plain = |part: &&str| !part.is_empty() && slug(part) == **part;
        parts.len() <= 2
            && parts.iter().all(is_plain)
            && ending.is_some_and(|ending| ENDINGS.contains(&ending))
    });
    Ok(files.map(str::to_owned).collect())
}

/// A name of letters that need no escapes in an address and that no system refuses.
fn slug(name: &str) -> String {
    let letter = |one: char| match one {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '.' => one,
        _ => '-',
    };
    let name: String = name.chars().map(letter).collect();
    match name.starts_with('.') {
        true => format!("-{name}"),
        false => name,
    }
}

/// The folder of each specification in a site.
pub(super) fn folders(inputs: &[Input]) -> Result<Vec<String>, (String, Exit)> {
    let folder = |input: &Input| {
        let stem = input.path.as_deref().and_then(Path::file_stem);
        let stem = stem.map(|stem| slug(&stem.to_string_lossy()));
        let stem = stem.unwrap_or_else(|| "specification".to_owned());
        match TAKEN.contains(&stem.as_str()) {
            true => format!("{stem}-"),
            false => stem,
        }
    };
    let folders: Vec<String> = inputs.iter().map(folder).collect();
    let paths: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    output::apart(inputs, &paths, "the pages")?;
    Ok(folders)
}

/// The kinds of graphs that a site has, and what their files are called.
const GRAPHS: [(Kind, &str); 4] = [
    (Kind::Steps, "steps"),
    (Kind::Triggers, "triggers"),
    (Kind::Fields, "fields"),
    (Kind::Clauses, "clauses"),
];

/// The pages about a specification that was checked.
pub(super) fn pages(
    specification: &Specification,
    (program, checked): (&Program, &Checked),
    restrictions: &[String],
    folder: &str,
) -> (Vec<SiteFile>, Entry) {
    let sheet = specification.sheet((program, checked), restrictions);
    let system = lower(program);
    let results = Some(&checked.results);
    let same = overlooking(&system, &checked.results.overlooked);
    let matrix = matrix((program, &same), results, &checked.results.proofs);
    let source = Source {
        program,
        system: &system,
        results,
        sequence: None,
    };
    let diagram = |(kind, name)| -> (&str, Diagram) {
        let picture = depend::picture(source, kind);
        (
            name,
            sketch(
                source,
                &specification.sources,
                (kind, &picture),
                restrictions,
            ),
        )
    };
    let diagrams = GRAPHS.map(diagram);
    let graphs = diagrams
        .each_ref()
        .map(|(name, diagram)| Graph { name, diagram });
    let tally = Tally::of(sheet);
    let mut shown = check_json(sheet);
    shown["compiled"] = json!(true);
    shown["diagnostics"] =
        render::json(&specification.compiled.diagnostics, &specification.sources);
    let shown = Shown {
        json: shown,
        text: String::new(),
        complaints: String::new(),
        tally,
    };
    let report = part::report(
        vec![(0, shown)],
        super::check::exit(tally),
        sheet.policy,
        None,
    );
    site_pages(Exposition {
        sheet,
        report: &report,
        orders: OrderSheet {
            program,
            system: &same,
            overlooked: &checked.results.overlooked,
            sources: &specification.sources,
            matrix: &matrix,
            results,
            restrictions,
        },
        graphs: &graphs,
        folder,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_names_that_need_no_escapes() {
        assert_eq!(slug("gods-unchained_2.1"), "gods-unchained_2.1");
        assert_eq!(slug("a b/<ä>"), "a-b----");
        assert_eq!(slug(".hidden"), "-.hidden");
        assert_eq!(slug(".."), "-..");
    }
}
