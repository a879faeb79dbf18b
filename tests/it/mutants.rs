//! Changes real specifications a little, and wants exactly the claim refuted that the change
//! breaks.
//!
//! A claim that holds may hold because it says nothing. So each change of `tests/mutants` names the
//! claim that stops holding; the format is documented in `tests/mutants/README.md`.
//!
//! ```text
//! find     for each c: Card in board where c.kind is spell,
//! replace  for each c: Card in board where c.kind is spell and c.destroyed,
//! breaks   no_spell_stays, and nothing else
//! ```

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use endstep::analysis::Options;
use endstep::diag::Severity;
use endstep::driver::{Choice, fields, sizes};
use endstep::exhaust::check;
use endstep::source::SourceMap;
use endstep::typing::program::{Program, SortId};
use endstep::verdict::{Question, Verdict};

/// A change and what it breaks.
#[derive(Debug, Default)]
struct Mutant {
    file: String,
    breaks: String,
    scope: Vec<Choice>,
    only: Vec<Choice>,
    edits: Vec<(String, String)>,
}

fn choice(text: &str) -> Choice {
    let (name, value) = text.split_once('=').unwrap();
    Choice {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

impl Mutant {
    fn read(text: &str) -> Self {
        let mut mutant = Self::default();
        let mut replacing = None;
        for line in text.lines() {
            let heading = line.split_once(':').filter(|_| !line.starts_with(' '));
            match heading.map(|(word, rest)| (word, rest.trim())) {
                Some(("file", rest)) => rest.clone_into(&mut mutant.file),
                Some(("breaks", rest)) => rest.clone_into(&mut mutant.breaks),
                Some(("scope", rest)) => mutant.scope.push(choice(rest)),
                Some(("only", rest)) => mutant.only.push(choice(rest)),
                Some(("find", "")) => {
                    mutant.edits.push((String::new(), String::new()));
                    replacing = Some(false);
                }
                Some(("replace", "")) => replacing = Some(true),
                _ => {
                    let Some(replacing) = replacing else {
                        assert!(line.starts_with("-- "), "what does this mean: {line}");
                        continue;
                    };
                    let (old, new) = mutant.edits.last_mut().unwrap();
                    let side = if replacing { new } else { old };
                    let _ = writeln!(side, "{line}");
                }
            }
        }
        mutant
    }

    fn apply(&self, text: &str) -> Result<String, String> {
        let mut text = text.to_owned();
        // One text may be put where the other was, so all places are marked before any is changed.
        for (at, (old, _)) in self.edits.iter().enumerate() {
            let times = text.matches(old.as_str()).count();
            if times != 1 {
                return Err(format!("occurs {times} times:\n{old}"));
            }
            text = text.replace(old, &format!("\u{0}{at}\n"));
        }
        for (at, (_, new)) in self.edits.iter().enumerate() {
            text = text.replace(&format!("\u{0}{at}\n"), new);
        }
        Ok(text)
    }
}

fn compile(name: &str, text: &str) -> Result<Program, String> {
    let mut sources = SourceMap::new();
    let id = sources.load(name, text.as_bytes()).unwrap();
    let parsed = endstep::syntax::parse(id, text);
    let (program, more) = endstep::typing::check(&[parsed.file]);
    let mut errors = parsed.diagnostics.into_iter().chain(more);
    if let Some(error) = errors.find(|one| one.severity == Severity::Error) {
        return Err(error.message);
    }
    program.ok_or_else(|| "no program".to_owned())
}

/// The claims that are refuted on the boards of a mutant, or for which no run is found; an error if
/// one is not answered at all.
fn refuted(mutant: &Mutant, mut program: Program) -> Result<BTreeSet<String>, String> {
    let options = Options {
        sizes: sizes(&program, &mutant.scope).map_err(|why| why.0)?,
        fields: fields(&program, &mutant.only).map_err(|why| why.0)?,
        // For claims alone much less has to be compared.
        claims: Some((0..program.claims.len()).collect()),
        ..Options::default()
    };
    // A `verify` may ask for more boards than a change needs to be seen.
    let most = |sort: &SortId| program.sorts[*sort].explore.1;
    for verify in &mut program.verifies {
        verify.sizes.retain(|(sort, size)| *size < most(sort));
    }
    let results = check(&program, &options, &mut |_| {});
    let mut found = BTreeSet::new();
    for answer in results.answers {
        let Question::Claim(at) = answer.subject else {
            continue;
        };
        let name = &program.claims[at].name;
        match answer.verdict {
            Verdict::Refuted | Verdict::NoneInScope => {
                found.insert(name.clone());
            }
            Verdict::Unknown(why) if *name == mutant.breaks => {
                return Err(format!("{name} is not answered: {why:?}"));
            }
            _ => {}
        }
    }
    Ok(found)
}

fn run(text: &str) -> Result<(), String> {
    let mutant = Mutant::read(text);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let original = std::fs::read_to_string(root.join(&mutant.file)).unwrap();
    let before = refuted(&mutant, compile(&mutant.file, &original)?)?;
    let changed = mutant.apply(&original)?;
    let after = refuted(&mutant, compile(&mutant.file, &changed)?)?;
    let broken: Vec<_> = after.difference(&before).collect();
    if broken == [&mutant.breaks] {
        Ok(())
    } else {
        Err(format!("should break {}, breaks {broken:?}", mutant.breaks))
    }
}

#[test]
fn each_mutant_breaks_one_claim() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutants");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "mutant"));
    paths.sort();
    let only = std::env::var("MUTANTS").unwrap_or_default();
    paths.retain(|path| path.to_string_lossy().contains(&only));
    assert!(!paths.is_empty(), "no mutants were found");
    let mut report = String::new();
    for path in paths {
        if let Err(why) = run(&std::fs::read_to_string(&path).unwrap()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let _ = writeln!(report, "  {name}: {why}");
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn two_texts_can_change_places() {
    let mutant = Mutant::read("find:\n  a\nreplace:\n  b\nfind:\n  b\nreplace:\n  a\n");
    assert_eq!(mutant.apply("  a\n  b\n").unwrap(), "  b\n  a\n");
    assert!(mutant.apply("  a\n  a\n  b\n").unwrap_err().contains('2'));
}
