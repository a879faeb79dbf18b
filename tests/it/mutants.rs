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
use endstep::driver::{Choice, fields, sizes};
use endstep::explore::check;
use endstep::typing::program::Program;
use endstep::verdict::{Question, Verdict};

use super::texts::Texts;

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

    /// Changes a specification, in whichever of its texts what is changed stands.
    fn apply(&self, texts: &mut Texts) -> Result<(), String> {
        // One text may be put where the other was, so all places are marked before any is changed.
        for (at, (old, _)) in self.edits.iter().enumerate() {
            let times: usize = texts.each().map(|text| text.matches(old).count()).sum();
            if times != 1 {
                return Err(format!("occurs {times} times:\n{old}"));
            }
            for text in texts.each() {
                *text = text.replace(old, &format!("\u{0}{at}\n"));
            }
        }
        for (at, (_, new)) in self.edits.iter().enumerate() {
            for text in texts.each() {
                *text = text.replace(&format!("\u{0}{at}\n"), new);
            }
        }
        Ok(())
    }
}

/// The claims that are refuted on the boards of a mutant, or for which no run is found; an error if
/// one is not answered at all.
fn refuted(mutant: &Mutant, mut program: Program) -> Result<BTreeSet<String>, String> {
    let options = Options {
        fields: fields(&program, &mutant.only).map_err(|why| why.0)?,
        // For claims alone much less has to be compared.
        claims: Some((0..program.claims.len()).collect()),
        ..Options::default()
    };
    let scope = sizes(&program, &mutant.scope).map_err(|why| why.0)?;
    // A `verify` may ask for more boards than a change needs to be seen, and for those that it does
    // not ask for, a change need not be looked at.
    for verify in &mut program.verifies {
        verify.sizes.retain_mut(|(sort, size)| {
            let scoped = scope.iter().find(|(scoped, _)| scoped == sort);
            *size = scoped.map_or(*size, |(_, most)| (*size).min(*most));
            scoped.is_some() || *size < program.sorts[*sort].explore.1
        });
    }
    for &(sort, most) in &scope {
        let explored = &mut program.sorts[sort].explore;
        if explored.1 > 0 {
            *explored = (explored.0.min(most), most);
        }
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
    let mut texts = Texts::read(&mutant.file);
    let before = refuted(&mutant, texts.compile()?)?;
    mutant.apply(&mut texts)?;
    let after = refuted(&mutant, texts.compile()?)?;
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
    let changed = |text: &str, other: &str| {
        let mut texts = Texts::of(&[("first", text), ("second", other)]);
        mutant.apply(&mut texts).map(|()| {
            let all: Vec<_> = texts.each().map(|text| text.clone()).collect();
            all.concat()
        })
    };
    assert_eq!(changed("  a\n  b\n", "").unwrap(), "  b\n  a\n");
    assert_eq!(changed("  a\n", "  b\n").unwrap(), "  b\n  a\n");
    assert!(changed("  a\n  a\n  b\n", "").unwrap_err().contains('2'));
    assert!(changed("  a\n  b\n", "  a\n").unwrap_err().contains('2'));
}
