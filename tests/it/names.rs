//! What names mean: every name is known, each declaration is one, and another name changes nothing.

use endstep::driver::{Reader, compile_names};
use endstep::resolve::{NameKind, Use, Uses};
use endstep::source::{SourceMap, Span};
use endstep::syntax::keywords;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A specification of one file that was read.
struct Read {
    text: String,
    uses: Uses,
    sound: bool,
}

/// Nothing is included.
struct Nothing;

impl Reader for Nothing {
    fn read(&mut self, _: &str, _: &str) -> Result<(String, Vec<u8>), String> {
        Err("nothing is included".to_owned())
    }
}

fn read(text: &str) -> Read {
    let mut sources = SourceMap::new();
    let root = sources.load("x", text.as_bytes()).unwrap();
    let mut uses = Uses::default();
    let compiled = compile_names(root, &mut sources, &mut Nothing, &mut uses);
    Read {
        text: sources.file(root).text().to_owned(),
        uses,
        sound: compiled.program.is_some(),
    }
}

/// The specifications in a folder and below.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(below(&path));
        } else if path.extension().is_some_and(|end| end == "endstep") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The specifications of the repository that are one file.
fn specifications() -> Vec<(PathBuf, String)> {
    let folders = [
        "specs",
        "tests/corpus",
        "docs/examples",
        "tests/regressions",
    ];
    let folders = folders
        .iter()
        .map(|folder| Path::new(crate::ROOT).join(folder));
    let paths = folders.flat_map(|folder| below(&folder));
    let all = paths.map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    });
    all.filter(|(_, text)| !text.contains("include \""))
        .collect()
}

/// The words of a text outside of comments and quotation marks.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(one) = text[at..].chars().next() {
        let rest = &text[at..];
        let line = rest.find('\n').unwrap_or(rest.len());
        at += match one {
            '-' if rest.starts_with("--") => line,
            '"' => {
                let mut escaped = false;
                let end = rest.char_indices().skip(1).find(|(_, one)| {
                    let ends = *one == '"' && !escaped;
                    escaped = *one == '\\' && !escaped;
                    ends
                });
                end.map_or(rest.len(), |(end, _)| end + 1)
            }
            one if one.is_alphabetic() || one == '_' => {
                let end = rest.find(|one: char| !one.is_alphanumeric() && one != '_');
                let end = end.unwrap_or(rest.len());
                found.push((at, &rest[..end]));
                end
            }
            one => one.len_utf8(),
        };
    }
    found
}

#[test]
fn every_word_that_is_none_of_the_language_is_a_name_that_is_known() {
    let mut unknown: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    let mut known = 0;
    for (path, text) in specifications() {
        let read = read(&text);
        if !read.sound {
            continue;
        }
        let at = |offset: usize| Span::point(Default::default(), offset as u32);
        for (offset, word) in words(&read.text) {
            match read.uses.at(at(offset)) {
                Some(found) if found.at.range().contains(&offset) => known += 1,
                _ if keywords::is_keyword(word) => {}
                _ => {
                    unknown
                        .entry(word.to_owned())
                        .or_default()
                        .insert(path.clone());
                }
            }
        }
    }
    // Codes of findings are no names, nor are the words that say how many solutions there are, nor the id of a clause that
    // is not there, which is only found.
    let others = ["ambiguous", "contradictory", "d", "determined"];
    unknown.retain(|word, _| !others.contains(&word.as_str()));
    unknown.retain(|word, _| {
        !(word.starts_with('F') && word[1..].bytes().all(|one| one.is_ascii_digit()))
    });
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert!(known > 20_000, "{known}");
}

#[test]
fn what_is_declared_is_declared_once_and_means_itself() {
    for (path, text) in specifications() {
        let read = read(&text);
        for one in read.uses.all() {
            let declared = read.uses.at(one.declared);
            let is_one =
                declared.is_some_and(|known| known.is_declaration() && known.kind == one.kind);
            assert!(
                is_one,
                "{}: {one:?}, {:?}, {declared:?}",
                path.display(),
                &read.text[one.at.range()]
            );
            if one.kind != NameKind::Clause {
                assert_eq!(
                    read.text[one.at.range()],
                    read.text[one.declared.range()],
                    "{}",
                    path.display()
                );
            }
        }
    }
}

/// A text in which what is declared at a place has another name.
fn renamed(read: &Read, declared: Span, name: &str) -> String {
    let mut out = String::new();
    let mut done = 0;
    for one in read.uses.of(declared) {
        out.push_str(&read.text[done..one.at.range().start]);
        out.push_str(name);
        done = one.at.range().end;
    }
    out + &read.text[done..]
}

/// For each name what kind it is of, and which name declares it.
fn shape(uses: &Uses) -> Vec<(NameKind, usize)> {
    let places: BTreeMap<Span, usize> = uses.all().map(|one| one.at).zip(0..).collect();
    uses.all()
        .map(|one| (one.kind, places[&one.declared]))
        .collect()
}

#[test]
fn with_another_name_everything_means_the_same() {
    let mut tried: BTreeMap<NameKind, usize> = BTreeMap::new();
    for (at, (path, text)) in specifications().into_iter().enumerate() {
        let read_before = read(&text);
        if !read_before.sound {
            continue;
        }
        let declared: Vec<Use> = read_before
            .uses
            .all()
            .filter(|one| one.is_declaration())
            .copied()
            .collect();
        // A few of each file; which ones depends on the file.
        let few = declared.iter().skip(at % 7).step_by(1 + declared.len() / 4);
        for one in few {
            let name = "another_name_for_it";
            let after = read(&renamed(&read_before, one.at, name));
            let old = &read_before.text[one.at.range()];
            assert!(after.sound, "{}: {old}, {one:?}", path.display());
            assert_eq!(
                shape(&read_before.uses),
                shape(&after.uses),
                "{}: {old}",
                path.display()
            );
            *tried.entry(one.kind).or_default() += 1;
        }
    }
    let kinds: Vec<_> = tried.keys().collect();
    assert!(kinds.len() > 18, "{tried:?}");
}

#[test]
fn what_could_stand_at_a_place_fits_there() {
    let begin = "type Colour is one of red, blue\nentity Card, explore 1\n  colour: Colour\n  health: integer, explore 0 to 1\n\
                 zone hand of Card\nvar round: integer, explore 0 to 1\nevent hit(c: Card), at once\nsequence other\n  step a\n    nothing\n\
                 sequence s\n  step b\n    for each c in hand, in any order\n";
    let offered = |line: &str| {
        let text = format!("{begin}      {line}\nverify s\n");
        let mut sources = SourceMap::new();
        let root = sources.load("x", text.as_bytes()).unwrap();
        let mut uses = Uses::probing("zzz");
        compile_names(root, &mut sources, &mut Nothing, &mut uses);
        let offers = uses.offers().iter();
        offers.map(|one| one.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(offered("set c.zzz to 0"), ["colour", "health"]);
    assert_eq!(offered("set c.colour to zzz")[..2], ["red", "blue"]);
    assert_eq!(offered("perform zzz"), ["other", "s"]);
    assert_eq!(offered("announce zzz(c)"), ["hit"]);
    assert_eq!(offered("move c to zzz"), ["hand"]);
    assert_eq!(offered("set zzz to 1"), ["c", "round"]);
    assert_eq!(offered("leave zzz"), ["other", "s"]);
    assert_eq!(offered("go to zzz"), ["b"]);
    assert!(offered("set round to zzz").starts_with(&["c".to_owned(), "round".to_owned()]));
    assert_eq!(offered("set c.health to 0"), [""; 0]);
}
