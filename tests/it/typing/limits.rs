//! No tree makes the checker panic, and a program is returned exactly if there is no error.

use endstep::diag::has_errors;
use endstep::source::SourceId;
use endstep::syntax::ast::{
    Define, Expr, ExprKind, File, Item, ItemKind, Loc, Name, Stmt, StmtKind, Trivia, When,
};
use endstep::syntax::parse;
use endstep::typing::check;
use proptest::prelude::{ProptestConfig, Strategy, any, prop, prop_assert, proptest};
use std::fs;

fn name(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        loc: Loc::default(),
    }
}

fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        loc: Loc::default(),
    }
}

fn file(kind: ItemKind) -> File {
    let item = Item {
        trivia: Trivia::default(),
        kind,
        loc: Loc::default(),
    };
    File {
        items: vec![item],
        tail: Vec::new(),
    }
}

/// `define deep = not not … true`
fn nested(depth: usize) -> File {
    let mut body = expr(ExprKind::Bool(true));
    for level in 0..depth {
        let inner = Box::new(body);
        body = expr(match level % 3 {
            0 => ExprKind::Not(inner),
            1 => ExprKind::Paren(inner),
            _ => ExprKind::Cond(inner.clone(), inner, Box::new(expr(ExprKind::Bool(false)))),
        });
        if level % 3 == 2 && level > 20 {
            // Doubling would take too long: only the outermost levels branch.
            let ExprKind::Cond(_, yes, no) = body.kind else {
                unreachable!("made above")
            };
            let condition = Box::new(expr(ExprKind::Bool(true)));
            body = expr(ExprKind::Cond(condition, yes, no));
        }
    }
    file(ItemKind::Define(Define {
        continuous: None,
        name: name("deep"),
        params: Vec::new(),
        body,
    }))
}

#[test]
fn deep_expressions_are_checked_or_refused_once() {
    let (program, found) = check(&[nested(250)]);
    assert!(program.is_some(), "{found:?}");
    for depth in [300, 2000] {
        let (program, found) = check(&[nested(depth)]);
        assert!(program.is_none());
        let messages: Vec<_> = found.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(
            messages,
            ["found nesting of more than 256 levels, expected less"]
        );
    }
}

#[test]
fn deep_statements_are_checked_or_refused_once() {
    for (depth, sound) in [(100, true), (400, false)] {
        let mut body = vec![statement(StmtKind::Nothing)];
        for _ in 0..depth {
            let block = endstep::syntax::ast::Block {
                stmts: body,
                tail: Vec::new(),
            };
            body = vec![statement(StmtKind::Repeat(When::Stable, block))];
        }
        let parsed = parse(SourceId(0), "sequence s\n  step t\n    nothing\n");
        let mut file = parsed.file;
        if let ItemKind::Sequence(sequence) = &mut file.items[0].kind
            && let endstep::syntax::ast::SeqItemKind::Step(step) = &mut sequence.items[0].kind
        {
            step.body.stmts = body;
        }
        let (program, found) = check(&[file]);
        assert_eq!(program.is_some(), sound, "{depth}");
        let errors = found.iter().filter(|one| one.code.id() == "E0418").count();
        assert_eq!(errors, usize::from(!sound), "{found:?}");
    }
}

fn statement(kind: StmtKind) -> Stmt {
    Stmt {
        trivia: Trivia::default(),
        kind,
        loc: Loc::default(),
    }
}

/// The lines of all texts of the corpus.
fn corpus() -> Vec<Vec<String>> {
    let folders = [
        "tests/corpus/passages",
        "tests/corpus/typing/pass",
        "tests/corpus/typing/fail",
    ];
    let mut texts = Vec::new();
    for folder in folders {
        let mut paths: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|one| one.unwrap().path())
            .collect();
        paths.sort();
        let read = |path| fs::read_to_string(path).unwrap();
        texts.extend(
            paths
                .into_iter()
                .map(read)
                .map(|text| text.lines().map(str::to_owned).collect()),
        );
    }
    texts
}

/// A text of the corpus in which lines and words were lost or swapped.
fn damaged() -> impl Strategy<Value = String> {
    let texts = corpus();
    let edits = prop::collection::vec((any::<u16>(), any::<u16>(), 0..4_u8), 1..6);
    (0..texts.len(), edits).prop_map(move |(text, edits)| {
        let mut lines = texts[text].clone();
        for (a, b, edit) in edits {
            let (a, b) = (usize::from(a) % lines.len(), usize::from(b) % lines.len());
            match edit {
                0 if lines.len() > 1 => drop(lines.remove(a)),
                1 => lines.swap(a, b),
                2 => {
                    let word = lines[b].split_whitespace().last().unwrap_or("x").to_owned();
                    if let Some((kept, _)) = lines[a].clone().rsplit_once(' ') {
                        lines[a] = format!("{kept} {word}");
                    }
                }
                _ => {
                    let mut words: Vec<&str> = lines[a].split(' ').collect();
                    let (other, last) = (b % words.len(), words.len() - 1);
                    words.swap(other, last);
                    lines[a] = words.join(" ");
                }
            }
        }
        lines.join("\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Damaged texts have a program exactly if the checker finds nothing wrong with what the parser
    /// understood; without a program something is said.
    #[test]
    fn damaged_texts_are_checked(text in damaged()) {
        let parsed = parse(SourceId(0), &text);
        let (program, found) = check(&[parsed.file]);
        prop_assert!(program.is_none() || !has_errors(&found));
        prop_assert!(program.is_some() || has_errors(&found) || has_errors(&parsed.diagnostics));
    }
}
