//! Two runs that show a difference: which, in which order, and with which choices.

use std::collections::BTreeMap;

use endstep::analysis::check;
use endstep::analysis::{Limits, Options};
use endstep::exhaust::Naive;
use endstep::semantics::{Ended, Interpreter, Key, Next, Note, State, Tag, Who};
use endstep::syntax::ast::BasisKind;
use endstep::typing::program::{Owner, Program, StmtKind, Value};
use endstep::verdict::{Detail, Minimality};
use endstep::witness::{Lens, Outcome, Root, Run, RunEnd, Versus, Witness};

use super::engines::{LIMITS, random};
use super::orders::numbers;
use super::told::Told;

fn versus<'t>(told: &'t Told, code: &str, subject: &str) -> &'t Versus {
    match &told.finding(code, subject).witness {
        Some(Witness::Versus(versus)) => versus,
        other => panic!("{other:?}"),
    }
}

/// What was taken where something is optional.
fn used(run: &Run) -> Vec<bool> {
    let taken = run.choices.iter().filter_map(|key| match key {
        Key::Taken(_, is) => Some(*is),
        _ => None,
    });
    taken.collect()
}

#[test]
fn an_order_is_shown_by_runs_that_use_the_same_effects() {
    let told = Told::of(
        r#"game "May"
player Player, explore 2
entity Effect, explore up to 2
zone waiting of Effect per Player
zone chain of Effect, starts empty
zone declined of Effect, starts empty, unordered
var active: Player
sequence s
  step t
    for each p: Player, in player order from active
      for each e: Effect in waiting(p), in an order chosen by p
        may by p "activate it"
          move e to last of chain
        otherwise
          move e to declined
verify s
"#,
    );
    for code in ["F0201", "F0203"] {
        let versus = versus(&told, code, "s");
        assert_eq!(used(&versus.run), [true, true], "{code}");
        assert_eq!(used(&versus.against), [true, true], "{code}");
    }
}

#[test]
fn a_difference_of_readings_is_one_of_runs_with_the_same_choices() {
    let told = Told::of(
        r#"game "g"
player Player, explore 2
entity Card, explore 1
  counters: integer from 0 to 9, starts 0
zone board of Card
reading how
  once "one counter"
  twice "two counters"
var active: Player
sequence s
  step t
    for each c: Card in board
      may by active "add counters"
        increase c.counters by per how (once: 1 | twice: 2)
      may by active "remove it"
        remove c
verify s
"#,
    );
    let versus = versus(&told, "F0401", "how");
    assert_eq!(used(&versus.run), used(&versus.against));
    assert!(used(&versus.run)[0], "{:?}", versus.run.choices);
}

#[test]
fn a_difference_at_normal_ends_is_preferred_to_one_where_both_stop() {
    let text = r#"game "g"
entity Card, explore up to 1
  power: integer from 0 to 9, explore 1 to 1
zone hand of Card
var score: integer from 0 to 99, starts 0
reading how
  single "one"
  double "two"
sequence s
  step count_it
    set score to per how (single: 1 | double: 2)
  step show_it
    increase score by (first of hand).power
verify s
"#;
    let told = Told::of(text);
    let versus = versus(&told, "F0401", "how");
    assert_eq!(versus.run.board.entities.len(), 1);
    assert!(
        [&versus.run, &versus.against]
            .iter()
            .all(|run| run.tag().is_some_and(Tag::is_outcome))
    );
    let finding = told.finding("F0401", "how");
    assert_eq!(finding.minimality, Minimality::Plainest);
    told.says("smaller boards show it, too, but on a weaker basis or less plainly");
    // If there is nothing plainer, the smallest board is shown.
    let never = text.replace("(first of hand).power", "half of (1 + 2 * score)");
    let told = Told::of(&never);
    let versus = self::versus(&told, "F0401", "how");
    assert_eq!(versus.run.board.entities.len(), 0);
    assert_eq!(told.finding("F0401", "how").minimality, Minimality::Exact);
}

#[test]
fn readings_are_named_in_the_order_of_the_runs() {
    // Only under the second is there an outcome that the other has not.
    let told = Told::of(
        r#"game "g"
player Player, explore 1
var active: Player
var score: integer from 0 to 9, starts 0
reading how
  fixed "one"
  free "one or two"
sequence s
  step t
    depending on how
      when fixed
        set score to 1
      when free
        choose number n from 1 to 2 by active
        set score to n
verify s
"#,
    );
    let finding = told.finding("F0401", "how");
    let Detail::Reading {
        reading,
        first,
        second,
        ..
    } = finding.detail
    else {
        panic!("{finding:?}");
    };
    let versus = versus(&told, "F0401", "how");
    assert_eq!((first, second), (1, 0));
    assert_eq!(versus.run.readings[&reading], first);
    assert_eq!(versus.against.readings[&reading], second);
    told.says("(a) One or two. Then it can end like this: score is 2. (b) One. Then it ends like this: score is 1.");
}

/// A choice: by whom, what, about which entities.
type Choice = (Who, Key, Option<(String, bool)>, Vec<Value>);

/// How often each choice is taken.
type Choices = BTreeMap<Choice, i32>;

fn choice(program: &Program, state: &State, (who, key): (Who, &Key)) -> Choice {
    let label = match key {
        Key::Taken(stmt, is) => match &program.stmts[*stmt].kind {
            StmtKind::May { label, .. } => Some((label.clone().unwrap_or_default(), *is)),
            _ => None,
        },
        Key::Option(stmt, at) => match &program.stmts[*stmt].kind {
            StmtKind::ChooseOne { options, .. } => Some((options[*at].0.clone(), true)),
            _ => None,
        },
        _ => None,
    };
    let locals = state.control.last().map(|top| top.locals.clone());
    let about = locals.into_iter().flatten();
    let about = about.filter(|one| matches!(one, Value::Entity(_)));
    let key = match label {
        Some(_) => Key::Insert(endstep::typing::program::EntityId(0)),
        None => key.clone(),
    };
    (who, key, label, about.collect())
}

/// Whether what was executed stands in steps and triggers that rest on the text.
fn is_text(program: &Program, notes: &[Note]) -> bool {
    notes.iter().all(|note| match note {
        Note::Executed(stmt) => match program.stmts[*stmt].owner {
            Some(Owner::Step(id)) => program.steps[id].basis.kind == BasisKind::Text,
            Some(Owner::Trigger(id)) => program.triggers[id].basis.kind == BasisKind::Text,
            Some(Owner::Restart(id)) => program.sequences[id].basis.kind == BasisKind::Text,
            None => true,
        },
        _ => true,
    })
}

/// All runs from the start of one, up to a number of them, each with whether it rests on the text alone; `None`: there
/// are more, or some is too long.
fn all(program: &Program, run: &Run) -> Option<Vec<(Choices, Ended, bool)>> {
    let it = Interpreter {
        program,
        readings: &run.readings,
        variant: &run.variant,
    };
    let Root::Sequence(sequence, args) = &run.root else {
        return None;
    };
    let mut found = Vec::new();
    let start = it.start(*sequence, args, run.board.clone());
    let mut todo = vec![(start, Choices::new(), true)];
    let mut steps = 0;
    while let Some((state, choices, text)) = todo.pop() {
        steps += 1;
        if steps > 20_000 || found.len() > 400 {
            return None;
        }
        match it.next(state.clone()) {
            Next::Step(state, notes) => {
                todo.push((state, choices, text && is_text(program, &notes)))
            }
            Next::Done(ended, notes) => {
                found.push((choices, ended, text && is_text(program, &notes)));
            }
            Next::Consult(_) => return None,
            Next::Choose(point) => {
                for one in point.alternatives {
                    let mut choices = choices.clone();
                    let choice = choice(program, &state, (point.who, &one.key));
                    *choices.entry(choice).or_default() += 1;
                    todo.push((one.state, choices, text && is_text(program, &one.notes)));
                }
            }
        }
    }
    Some(found)
}

fn distance(one: &Choices, other: &Choices) -> i32 {
    let keys: std::collections::BTreeSet<_> = one.keys().chain(other.keys()).collect();
    let of = |all: &Choices, key| all.get(key).copied().unwrap_or(0);
    keys.into_iter()
        .map(|key| (of(one, key) - of(other, key)).abs())
        .sum()
}

/// The choices that a run takes.
fn taken(program: &Program, run: &Run) -> Option<Choices> {
    let it = Interpreter {
        program,
        readings: &run.readings,
        variant: &run.variant,
    };
    let Root::Sequence(sequence, args) = &run.root else {
        return None;
    };
    let mut state = it.start(*sequence, args, run.board.clone());
    let mut keys = run.choices.iter();
    let mut choices = Choices::new();
    loop {
        match it.next(state.clone()) {
            Next::Step(next, _) => state = next,
            Next::Choose(point) => {
                let key = keys.next()?;
                let choice = choice(program, &state, (point.who, key));
                *choices.entry(choice).or_default() += 1;
                let mut alternatives = point.alternatives.into_iter();
                state = alternatives.find(|one| one.key == *key)?.state;
            }
            Next::Done(..) => return Some(choices),
            Next::Consult(_) => return None,
        }
    }
}

/// What a comparison of readings shows, and whether a plainer pair, or one with the same choices where the
/// one shown has not, exists: looked for among all pairs of runs.
fn compare(program: &Program, versus: &Versus) -> Option<()> {
    let ended = |run: &Run| matches!(run.end, RunEnd::Ended(_));
    if versus.side.fixed > 0 || !ended(&versus.run) || !ended(&versus.against) {
        return None;
    }
    let lens = Lens::new(program, versus.observer);
    let outcomes = |run: &Run| -> Option<Vec<(Choices, Outcome, bool)>> {
        let it = Interpreter {
            program,
            readings: &run.readings,
            variant: &run.variant,
        };
        let all = all(program, run)?.into_iter();
        let one = |(choices, ended, text): (Choices, Ended, bool)| {
            Some((choices, lens.outcome(it, &ended, &run.board).ok()?, text))
        };
        all.map(one).collect()
    };
    let (mine, theirs) = (outcomes(&versus.run)?, outcomes(&versus.against)?);
    let normal = |outcome: &Outcome| matches!(outcome, Outcome::Ended(ending, _) if ending.tag().is_outcome());
    let is_plain = |run: &Run| run.tag().is_some_and(Tag::is_outcome);
    let plain = is_plain(&versus.run) && is_plain(&versus.against);
    let shown = distance(
        &taken(program, &versus.run)?,
        &taken(program, &versus.against)?,
    );
    let mut plainer = false;
    for (mine, theirs) in [(&mine, &theirs), (&theirs, &mine)] {
        for (_, outcome, _) in mine.iter().filter(|one| one.2) {
            let is_own = !theirs.iter().any(|(_, other, _)| other == outcome);
            let mut others = theirs.iter().filter(|one| one.2);
            plainer |= is_own && normal(outcome) && others.any(|(_, one, _)| normal(one));
        }
    }
    assert_eq!(plainer, plain, "{versus:?}");
    // The side whose outcome is shown is chosen before the choices are; the other could show it with fewer.
    let own = mine.iter().filter(|(_, one, text)| {
        *text && normal(one) && !theirs.iter().any(|(_, other, _)| other == one)
    });
    let closest = own.flat_map(|(first, ..)| {
        let theirs = theirs
            .iter()
            .filter(|(_, other, text)| *text && normal(other));
        theirs.map(move |(second, ..)| distance(first, second))
    });
    if let Some(closest) = closest.min().filter(|_| plain) {
        assert_eq!(shown, closest, "{versus:?}");
    }
    Some(())
}

#[test]
fn of_all_pairs_of_runs_the_plainest_with_the_same_choices_is_shown() {
    let mut compared = 0;
    for seed in numbers("PAIRED", 700) {
        let text = random(seed);
        let Some(program) = super::engines::compiled(&text) else {
            continue;
        };
        let options = Options {
            limits: Limits {
                states: 200,
                ..LIMITS
            },
            ..Options::default()
        };
        let engine = Naive;
        let results = check(&program, &options, &engine, &mut |_| {});
        for finding in &results.findings {
            if let (Detail::Reading { .. }, Some(Witness::Versus(versus))) =
                (&finding.detail, &finding.witness)
                && finding.basis == BasisKind::Text
            {
                compared += compare(&program, versus).map_or(0, |()| 1);
            }
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn a_choice_about_something_else_is_another_choice() {
    let text = r#"game "g"
player Player, explore 1
entity Card, explore 2
  power: integer from 0 to 9, starts 0
zone row of Card
reading which
  left "the left one"
  right "the right one"
var active: Player
sequence s
  basis text
  step t
    let c = per which (left: first of row | right: last of row)
    may by active "boost it"
      increase c.power by 1
      may by active "boost it once more"
        increase c.power by 1
verify s
"#;
    let program = super::engines::compiled(text).unwrap();
    let results = check(&program, &Options::default(), &Naive, &mut |_| {});
    let found = results.findings.iter().find_map(|one| match &one.witness {
        Some(Witness::Versus(versus)) => compare(&program, versus),
        _ => None,
    });
    assert_eq!(found, Some(()));
}
