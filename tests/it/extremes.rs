//! Questions for the largest and smallest value, answered once more by brute force: on random specifications all
//! states of all boards are visited with the interpreter; and on small ones each bound is asked for with `reachable`.
//!
//! `EXTREMES=0..1000 cargo test --test it extremes` looks at the random specifications with these numbers.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::{ControlFlow, Range};

use endstep::analysis::{Boards, Halt, Limits, Options, each_alternative, is_legal};
use endstep::driver::{Checked, Engine};
use endstep::report::{Change, Changes, Sheet, Standing, Style, Versions, check_text};
use endstep::semantics::{Data, Interpreter, Next, Readings, State, Stop, Tag, Variant};
use endstep::source::SourceMap;
use endstep::syntax::ast::Extreme;
use endstep::typing::program::{ClaimKind, Expr, Program, ReadingId, Value};
use endstep::verdict::{Answer, Limitation, Question, Results, ScopeOf, Verdict};
use endstep::witness::{Violated, Witness, replay};

use crate::engines::{compiled, random};

/// The random specifications that are looked at if nothing else is said.
const NUMBERS: Range<u64> = 0..120;

/// So few that a specification takes milliseconds.
const LIMITS: Limits = Limits {
    boards: 300,
    candidates: 5000,
    states: 1000,
    readings: 32,
    steps: 100_000,
};

/// More states of one board are not visited.
const MOST_STATES: usize = 20_000;

/// Why a board is left out.
enum Stuck {
    Consult(ReadingId),
    Limit,
}

impl From<Halt> for Stuck {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Consult(reading) => Self::Consult(reading),
            _ => Self::Limit,
        }
    }
}

/// The value of something, if it has one.
fn value(
    it: Interpreter<'_>,
    e: &Expr,
    (data, board): (&Data, &Data),
) -> Result<Option<Value>, Stuck> {
    match it.value(e, data, Some(board)) {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Consult(reading)) => Err(Stuck::Consult(reading)),
        Err(Stop::Tag(Tag::Limit(_))) => Err(Stuck::Limit),
        Err(Stop::Tag(_)) => Ok(None),
    }
}

/// All values that a question asks about, on one board under an assignment.
fn on_board(it: Interpreter<'_>, kind: &ClaimKind, board: &Data) -> Result<Vec<i64>, Stuck> {
    let mut found = Vec::new();
    let (_, e) = kind.extreme().unwrap();
    let mut add = |data: &Data| -> Result<(), Stuck> {
        if let Some(Value::Int(number)) = value(it, e, (data, board))? {
            found.push(number);
        }
        Ok(())
    };
    let always = match kind {
        ClaimKind::ExtremeAfter(_, _, _, Some(when)) => {
            if value(it, when, (board, board))? != Some(Value::Bool(true)) {
                return Ok(Vec::new());
            }
            false
        }
        ClaimKind::ExtremeAfter(..) => false,
        _ => true,
    };
    if always {
        add(board)?;
    }
    let first = it.start(kind.sequence(), &[], board.clone());
    let mut known: HashSet<State> = HashSet::from([first.clone()]);
    let mut todo = vec![first];
    while let Some(state) = todo.pop() {
        let next = match it.next(state) {
            Next::Consult(reading) => return Err(Stuck::Consult(reading)),
            Next::Done(ended, _) => {
                if matches!(ended.tag, Tag::Limit(_)) {
                    return Err(Stuck::Limit);
                }
                if always || ended.tag.is_outcome() {
                    add(&ended.data)?;
                }
                continue;
            }
            Next::Step(state, _) => vec![state],
            Next::Choose(point) => {
                let all = point.alternatives.into_iter();
                all.map(|one| one.state).collect()
            }
        };
        for state in next {
            if known.insert(state.clone()) {
                if always && state.is_settled() {
                    add(&state.data)?;
                }
                todo.push(state);
            }
        }
        if known.len() > MOST_STATES {
            return Err(Stuck::Limit);
        }
    }
    Ok(found)
}

/// All values on the legal boards of a scope; `None`: that is not known of some.
fn in_scope(program: &Program, kind: &ClaimKind, scope: ScopeOf) -> Option<Vec<i64>> {
    let options = Options::default();
    let verify = scope.verify(program);
    let sizes = verify.map_or(&[][..], |one| &one.sizes);
    let only = verify.and_then(|one| one.condition.as_ref());
    let contracts = verify.map(|one| one.contracts.iter().copied().collect());
    let variant = Variant {
        contracts: contracts.unwrap_or_default(),
        ..Variant::default()
    };
    let mut found = Vec::new();
    let mut known = true;
    let _ = Boards::new(program, sizes, &options).each(&|_| None, &mut |_, board| {
        let mut todo = vec![Readings::new()];
        while let Some(readings) = todo.pop() {
            let it = Interpreter {
                program,
                readings: &readings,
                variant: &variant,
            };
            let legal = is_legal(it, only, board).map_err(Stuck::from);
            let here = legal.and_then(|legal| match legal {
                true => on_board(it, kind, board),
                false => Ok(Vec::new()),
            });
            match here {
                Ok(here) => found.extend(here),
                Err(Stuck::Limit) => {
                    known = false;
                    return ControlFlow::Break(());
                }
                Err(Stuck::Consult(reading)) => {
                    todo.extend(each_alternative(program, &readings, reading));
                }
            }
        }
        ControlFlow::Continue(())
    });
    known.then_some(found)
}

/// Whether the run that shows a value does so; nothing is shown where there is none.
fn is_shown(program: &Program, at: usize, answer: &Answer) -> bool {
    match (&answer.best, &answer.witness) {
        (None, None) => true,
        (Some(best), Some(Witness::Run { run, violated })) => {
            let witness = |violated| Witness::Run {
                run: run.clone(),
                violated,
            };
            let off = replay(program, &witness(Violated::Takes(at, best.value + 1)));
            *violated == Violated::Takes(at, best.value)
                && replay(program, &witness(violated.clone())).is_ok()
                && off.is_err()
        }
        _ => false,
    }
}

/// What is wrong with the answers to questions for the largest and smallest; how many were compared with all values,
/// and how many of these are none.
fn compare(program: &Program, results: &Results, out: &mut String) -> [usize; 2] {
    let mut counts = [0; 2];
    for answer in &results.answers {
        let Question::Claim(at) = answer.subject else {
            continue;
        };
        let claim = &program.claims[at];
        let Some((extreme, _)) = claim.kind.extreme() else {
            continue;
        };
        let best = answer.best.as_ref().map(|best| best.value);
        if !is_shown(program, at, answer) {
            let _ = writeln!(out, "{}: {best:?} is not shown", claim.name);
        }
        let verdict = match &answer.verdict {
            Verdict::Shown => best.is_some(),
            Verdict::NoneInScope => best.is_none(),
            Verdict::Unknown(why) => *why == [Limitation::NoBoard] && best.is_none(),
            _ => false,
        };
        let open = matches!(answer.verdict, Verdict::Unknown(_));
        if !verdict && !open {
            let _ = writeln!(out, "{}: {:?}", claim.name, answer.verdict);
        }
        let scopes = answer.scopes.iter().map(|&at| results.scopes[at].subject);
        let all: Option<Vec<Vec<i64>>> = scopes
            .map(|scope| in_scope(program, &claim.kind, scope))
            .collect();
        let Some(all) = all else { continue };
        let all = all.into_iter().flatten();
        let wanted = match extreme {
            Extreme::Largest => all.max(),
            Extreme::Smallest => all.min(),
        };
        if verdict && best != wanted {
            let _ = writeln!(out, "{}: {best:?}, and not {wanted:?}", claim.name);
        }
        // What is only a bound is no better than what there is.
        let is_worse = |value| match extreme {
            Extreme::Largest => wanted.is_none_or(|wanted| value > wanted),
            Extreme::Smallest => wanted.is_none_or(|wanted| value < wanted),
        };
        if open && best.is_some_and(is_worse) {
            let _ = writeln!(out, "{}: bound {best:?}, and not {wanted:?}", claim.name);
        }
        counts[0] += usize::from(verdict);
        counts[1] += usize::from(verdict && wanted.is_none());
    }
    counts
}

/// The numbers of random specifications.
fn numbers() -> Range<u64> {
    let Ok(range) = std::env::var("EXTREMES") else {
        return NUMBERS;
    };
    let (low, high) = range.split_once("..").unwrap();
    low.parse().unwrap()..high.parse().unwrap()
}

#[test]
fn values_are_those_of_all_states_visited_by_brute_force() {
    let options = Options {
        limits: LIMITS,
        ..Options::default()
    };
    let mut wrong = String::new();
    let mut counts = [0; 2];
    for number in numbers() {
        let text = random(number);
        let program = compiled(&text).unwrap();
        for check in [endstep::explore::check, endstep::exhaust::check] {
            let results = check(&program, &options, &mut |_| {});
            let mut out = String::new();
            let here = compare(&program, &results, &mut out);
            counts = [counts[0] + here[0], counts[1] + here[1]];
            if !out.is_empty() {
                let _ = writeln!(wrong, "number {number}\n{text}\n{out}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(counts[0] >= 40 || numbers() != NUMBERS, "{counts:?}");
}

const GAME: &str = r#"game "g"
player Player, explore 1 to 2
  coins: integer, explore 0 to 2, reach -9 to 30
var active: Player
var round: integer from 0 to 3, starts 0
reading tax
  flat "one coin"
  double "as many as one has"
sequence upkeep
  step give
    for each p: Player, in any order
      may by p
        depending on tax
          when flat
            increase p.coins by 1
          when double
            increase p.coins by p.coins
  step count
    repeat until round = 3
      increase round by 1
      if active.coins > round
        decrease active.coins by 1
      otherwise
        choose one by active
          option "on"
            increase active.coins by 2
          option "out"
            declare win for active
"#;

#[test]
fn a_value_is_the_last_bound_that_can_be_reached() {
    let values = [
        "active.coins",
        "sum of p.coins over p: Player",
        "active.coins - old active.coins",
        "round * active.coins",
        "smallest p.coins over p: Player where p is not active",
    ];
    let bounds = -30..=40;
    let mut asked = String::new();
    for (at, value) in values.iter().enumerate() {
        let _ = writeln!(asked, "question most_{at}: largest ({value}) in upkeep");
        let _ = writeln!(asked, "question least_{at}: smallest ({value}) in upkeep");
        for bound in bounds.clone() {
            let name = bound + 100;
            let _ = writeln!(
                asked,
                "question more_{at}_{name}: reachable (({value}) >= {bound}) in upkeep\n\
                 question less_{at}_{name}: reachable (({value}) <= {bound}) in upkeep"
            );
        }
    }
    let program = compiled(&format!("{GAME}{asked}")).unwrap();
    let results = endstep::explore::check(&program, &Options::default(), &mut |_| {});
    let answer = |name: &str| {
        let at = program.claims.iter().position(|one| one.name == name);
        let question = Question::Claim(at.unwrap());
        let mut answers = results.answers.iter();
        answers.find(|one| one.subject == question).unwrap()
    };
    let is_shown = |name: String| answer(&name).verdict == Verdict::Shown;
    for (at, value) in values.iter().enumerate() {
        let found = |name: &str| answer(&format!("{name}_{at}")).best.as_ref().unwrap().value;
        let all = bounds.clone();
        let most = all.filter(|one| is_shown(format!("more_{at}_{}", one + 100)));
        assert_eq!(most.max(), Some(found("most")), "largest {value}");
        let all = bounds.clone();
        let least = all.filter(|one| is_shown(format!("less_{at}_{}", one + 100)));
        assert_eq!(least.min(), Some(found("least")), "smallest {value}");
        assert!(is_shown(format!("most_{at}")) && is_shown(format!("least_{at}")));
    }
}

/// What is asked of a specification, by name: the verdict, and the best value.
fn asked(text: &str, engine: Engine) -> Vec<(String, Verdict, Option<i64>)> {
    let program = compiled(text).unwrap();
    let options = Options::default();
    let checked: Checked = endstep::driver::check(&program, (&options, engine), None, &mut |_| {});
    let answers = checked.results.answers.iter();
    let all = answers.filter_map(|answer| {
        let Question::Claim(at) = answer.subject else {
            return None;
        };
        assert!(is_shown(&program, at, answer), "{answer:?}");
        assert!(answer.proof.is_none() && answer.findings.is_empty());
        let value = answer.best.as_ref().map(|best| best.value);
        Some((
            program.claims[at].name.clone(),
            answer.verdict.clone(),
            value,
        ))
    });
    all.collect()
}

const WRITTEN: &str = r#"game "g"
entity Card, explore 0 to 1
zone row of Card
var n: integer, explore 0 to 2, reach 0 to 40
board rich
  n = 17
board far
  Card a in row
  Card b in row
board odd
  n = 30
legal not_too_many: n < 20
sequence s
  step a
    increase n by 1
    if size of row = 2
      DO
question most: largest n in s
question least: smallest n in s
question most_after: largest n after s where n < 10
"#;

#[test]
fn boards_in_the_file_are_asked_and_make_it_unknown_if_not_all_is_known_of_them() {
    for engine in [Engine::Fast, Engine::Naive] {
        let found = asked(&WRITTEN.replace("DO", "nothing"), engine);
        let wanted = [("most", 18), ("least", 0), ("most_after", 3)];
        let wanted = wanted.map(|(name, value)| (name.to_owned(), Verdict::Shown, Some(value)));
        assert_eq!(found, wanted);
        let more = "repeat while n >= 0\n        increase n by 1";
        for (name, verdict, value) in asked(&WRITTEN.replace("DO", more), engine) {
            assert!(
                matches!(verdict, Verdict::Unknown(_)),
                "{name}: {verdict:?}"
            );
            assert!(value.is_some(), "{name}");
        }
    }
}

#[test]
fn a_scope_without_a_board_has_no_part_in_an_answer() {
    let text = |only: &str| {
        format!(
            "game \"g\"\nvar n: integer from 0 to 9\nsequence s\n  step a\n    nothing\n\
             verify s where {only}\nverify s where n > 9\n\
             question most: largest n in s\nquestion undefined: largest 1 divided by 0 in s\n"
        )
    };
    let found = asked(&text("n < 5"), Engine::Fast);
    let [(_, most, value), (_, undefined, none)] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!((most, *value), (&Verdict::Shown, Some(4)));
    assert_eq!((undefined, *none), (&Verdict::NoneInScope, None));
    let found = asked(&text("n > 10"), Engine::Fast);
    let open = Verdict::Unknown(vec![Limitation::NoBoard]);
    assert!(
        found.iter().all(|(_, verdict, _)| *verdict == open),
        "{found:?}"
    );
}

/// A specification with what a check says of it.
struct Told {
    sources: SourceMap,
    program: Program,
    results: Results,
    standings: Vec<Standing>,
}

impl Told {
    fn of(text: &str) -> Self {
        let program = compiled(text).unwrap();
        let mut sources = SourceMap::new();
        sources.load("compared", text.as_bytes()).unwrap();
        let options = Options::default();
        let checked = endstep::driver::check(&program, (&options, Engine::Fast), None, &mut |_| {});
        let findings = checked.results.findings.iter();
        Self {
            sources,
            standings: findings.map(|_| Standing::New).collect(),
            results: checked.results,
            program,
        }
    }

    fn sheet(&self) -> Sheet<'_> {
        Sheet {
            name: "g",
            sources: &self.sources,
            program: &self.program,
            results: &self.results,
            standings: &self.standings,
            vanished: &[],
            unused: &[],
            unfound: &[],
            policy: Default::default(),
            restrictions: &[],
            saved: None,
            reread: None,
        }
    }
}

#[test]
fn versions_differ_if_a_value_does() {
    let text = |more: i64| {
        format!(
            "game \"g\"\nvar n: integer from 0 to 9\nsequence s\n  basis text\n  step a\n    \
             if n < 3\n      increase n by {more}\nquestion most: largest n after s where n < 3\n"
        )
    };
    let [old, new] = [1, 2].map(|more| Told::of(&text(more)));
    let changes = Changes::of(Versions {
        old: old.sheet(),
        new: new.sheet(),
    });
    let turned = Change::Verdict {
        kind: "question",
        subject: "most".to_owned(),
        before: Some("shown: 3".to_owned()),
        after: Some("shown: 4".to_owned()),
    };
    assert!(changes.each().contains(&turned), "{:?}", changes.each());
}

#[test]
fn versions_differ_if_a_value_is_reached_under_other_readings() {
    let text = |one: i64, two: i64| {
        format!(
            "game \"g\"\nvar n: integer from 0 to 9, explore 0\nreading r\n  one \"a\"\n  two \"b\"\nsequence s\n  basis \
             text\n  step a\n    increase n by per r (one: {one} | two: {two})\nquestion most: largest n after s\n"
        )
    };
    let [old, new] = [(1, 2), (2, 1)].map(|(one, two)| Told::of(&text(one, two)));
    let changes = Changes::of(Versions {
        old: old.sheet(),
        new: new.sheet(),
    });
    let turned = Change::Verdict {
        kind: "question",
        subject: "most".to_owned(),
        before: Some("shown: 2, only if r = two".to_owned()),
        after: Some("shown: 2, only if r = one".to_owned()),
    };
    assert!(changes.each().contains(&turned), "{:?}", changes.each());
}

#[test]
fn answers_are_told_with_what_they_rest_on() {
    let text = r#"game "g"
player Player, explore 1
  coins: integer, explore 0 to 1, reach 0 to 9
var active: Player
reading tax
  low "one"
  high "two"
sequence upkeep
  step pay
    depending on tax
      when low
        increase active.coins by 1
      when high
        increase active.coins by 2
-- How rich can one get?
question how_rich: largest active.coins in upkeep
question how_poor: smallest active.coins after upkeep where active.coins = 1
"#;
    let said = check_text(Told::of(text).sheet(), Style::default());
    let rich = "question how_rich: How rich can one get? ";
    // Lines may be broken anywhere.
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let most = "is 3 at most during upkeep (only if tax = high), as on this board";
    let least = "how_poor: coins of active is 2 at least after upkeep, if at the start active has";
    let title = "Largest and smallest values: every board";
    for told in [rich, most, least, title] {
        assert!(line.contains(told), "{told}\n{said}");
    }
    assert!(!said.contains("F0611"), "{said}");
}

#[test]
fn what_is_asked_has_to_be_a_number_and_a_question() {
    let game = "game \"g\"\nvar n: integer from 0 to 9\nsequence s\n  step a\n    nothing\n";
    let said = |asked: &str| {
        let text = format!("{game}{asked}\n");
        let mut sources = SourceMap::new();
        let id = sources.load("g", text.as_bytes()).unwrap();
        let parsed = endstep::syntax::parse(id, &text);
        let (_, more) = endstep::typing::check(&[parsed.file]);
        let all = parsed.diagnostics.into_iter().chain(more);
        let all = all.filter(|one| one.severity == endstep::diag::Severity::Error);
        let told = all.map(|one| (one.code.id(), one.message, one.help.join(" ")));
        told.collect::<Vec<_>>()
    };
    for (asked, code, message, help) in [
        (
            "question q: largest n > 3 in s",
            "E0301",
            "found a truth value, expected an integer",
            "`reachable`",
        ),
        (
            "claim q: largest n in s",
            "E0108",
            "found `largest`, expected what is claimed",
            "`question`",
        ),
        (
            "question q: smallest n over s",
            "E0108",
            "found `over`, expected `in` or `after` and the name of a sequence",
            "`smallest (smallest … over …) in …`",
        ),
        (
            "question q: largest n throughout s",
            "E0108",
            "found `throughout`, expected `in` or `after` and the name of a sequence",
            "",
        ),
    ] {
        let [(found, told, helped)] = &said(asked)[..] else {
            panic!("{asked}: {:?}", said(asked));
        };
        assert_eq!((*found, told.as_str()), (code, message), "{asked}");
        assert!(helped.contains(help), "{asked}: {helped}");
    }
    assert!(said("question q: largest n + 1 after s where n > 2").is_empty());
}
