//! Decisions that a specification makes without saying so: each kind is found where it makes a difference and nothing
//! answers it, and nowhere else.
//!
//! `AUDITED=0..3000 cargo test --test it audit` looks at the random specifications with these numbers.

use std::collections::BTreeSet;

use endstep::analysis::{Job, Limits, Options, ends};
use endstep::decisions::{Decision, decisions};
use endstep::driver::audit::{Inquiry, audit};
use endstep::exhaust::Naive;
use endstep::index::Id;
use endstep::report::{Audit, Open, Ruling, Style, audit_json, audit_text};
use endstep::semantics::Names;
use endstep::source::SourceMap;
use endstep::syntax::parse;
use endstep::typing::program::{ClauseIdx, DECISIONS, Program};
use endstep::witness::trace;

use super::engines::random;
use super::orders::numbers;
use super::passing::with_clauses;

struct Audited {
    program: Program,
    sources: SourceMap,
    decisions: Vec<Decision>,
    rulings: Vec<Ruling>,
}

impl Audited {
    /// Whatever is decided in a text.
    fn of(text: &str) -> Option<Self> {
        let mut sources = SourceMap::new();
        let id = sources.load("audited", text.as_bytes()).unwrap();
        let program = endstep::typing::check(&[parse(id, text).file]).0?;
        Some(Self::new(program, sources, 2))
    }

    fn new(program: Program, sources: SourceMap, jobs: usize) -> Self {
        let decisions = decisions(&program, &sources);
        let inquiry = Inquiry {
            options: Options::default(),
            steps: 2_000_000,
            jobs,
        };
        let rulings = audit(&program, &decisions, &inquiry, &|| {});
        Self {
            program,
            sources,
            decisions,
            rulings,
        }
    }

    fn report(&self) -> Audit<'_> {
        Audit {
            name: "audited",
            sources: &self.sources,
            program: &self.program,
            decisions: &self.decisions,
            rulings: &self.rulings,
            restrictions: &[],
            stale: &[],
        }
    }

    /// The names of those with a ruling.
    fn with(&self, test: fn(&Ruling) -> bool) -> Vec<&str> {
        let both = self.decisions.iter().zip(&self.rulings);
        let found = both.filter(|(_, ruling)| test(ruling));
        found.map(|(decision, _)| decision.name.as_str()).collect()
    }

    fn open(&self) -> Vec<&str> {
        self.with(|one| matches!(one, Ruling::Open(_)))
    }

    fn shown(&self) -> impl Iterator<Item = (&Decision, &Open)> {
        let both = self.decisions.iter().zip(&self.rulings);
        both.filter_map(|(decision, ruling)| match ruling {
            Ruling::Open(open) => Some((decision, &**open)),
            _ => None,
        })
    }
}

const HEAD: &str = r#"game "Row"
player Player, explore 1
entity Card, explore up to 2
  health: integer, explore 0 to 1, reach -9 to 9, default 1
  kind: one of plain, bomb, watcher, default plain
zone row of Card
zone ashes of Card, starts empty
legal all_in_the_row: every c: Card has c is in row
observer table "what lies there"
  sees Card.health
  sees row
  sees ashes
verify cleanup observing table
"#;

/// A specification with rules in one clause, and declarations before it.
fn specification(declared: &str, rules: &str) -> String {
    let rules: String = rules.lines().map(|line| format!("  {line}\n")).collect();
    format!("{HEAD}{declared}\ndocument d \"D\"\n{rules}")
}

fn of(declared: &str, rules: &str) -> Audited {
    let text = specification(declared, rules);
    Audited::of(&text).unwrap_or_else(|| panic!("in error:\n{text}"))
}

/// A clause with a sequence of one step.
fn step(body: &str) -> String {
    let body: String = body.lines().map(|line| format!("      {line}\n")).collect();
    format!(
        "clause one (rule) at \"1\"\n  says \"It is so.\"\n  sequence cleanup\n    step only\n{body}"
    )
}

const BOMB: &str = "for each c: Card in row where c.health <= 0, left to right
  if c.kind is bomb
    for each d: Card in row where d != c, left to right
      decrease d.health by 1
  if c.kind is watcher
    for each d: Card in row where d != c, left to right
      set d.health to 1
  move c to ashes";

#[test]
fn elements_that_come_or_go_meanwhile_are_asked_for() {
    // A watcher heals whoever would have been next.
    let rules = step(BOMB);
    assert!(
        of("", &rules).open().contains(&"one:rechecked"),
        "{:?}",
        of("", &rules).open()
    );
    // Without anything that heals, a bomb still makes another card fall.
    let falls: String = rules.replace("set d.health to 1", "nothing");
    assert!(of("", &falls).open().contains(&"one:newcomers"));
    // Who says which are meant has thought of it, and so has who names two readings.
    let said = rules.replace("<= 0, left to right", "<= 0, left to right, snapshot");
    assert!(
        !of("", &said)
            .open()
            .iter()
            .any(|one| one.contains("rechecked") || one.contains("newcomers"))
    );
}

#[test]
fn what_is_done_to_each_can_be_done_at_once() {
    let rules = step(
        "for each c: Card in row, left to right
  if some d: Card in row has d.health <= 0
    increase c.health by 1",
    );
    assert!(of("", &rules).open().contains(&"one:together"));
    // The other way round.
    let rules = step(
        "simultaneously
  for each c: Card in row, left to right
    if some d: Card in row has d.health <= 0
      increase c.health by 1",
    );
    assert!(of("", &rules).open().contains(&"one:one_by_one"));
    // Within one element it would be something else: that a statement does not see the one before it.
    let rules = step(
        "for each c: Card in row, left to right
  increase c.health by 1
  if c.health > 1
    set c.kind to bomb",
    );
    assert!(
        !of("", &rules)
            .decisions
            .iter()
            .any(|one| one.name == "one:together")
    );
    // Nobody sees what another one does.
    let rules = step("for each c: Card in row, left to right\n  increase c.health by 1");
    assert!(
        of("", &rules).open().is_empty(),
        "{:?}",
        of("", &rules).open()
    );
}

#[test]
fn ends_of_zones_and_of_numbers() {
    let rules = step("for each c: Card in row, left to right\n  move c to ashes");
    assert_eq!(of("", &rules).open(), ["one:first_place"]);
    let said = rules.replace("to ashes", "to last of ashes");
    assert!(of("", &said).open().is_empty());
    let rules = step("for each c: Card in row, left to right\n  decrease c.health by 1");
    assert_eq!(of("", &rules).open(), ["one:stops_at_zero"]);
    let rules =
        step("for each c: Card in row, left to right\n  decrease c.health by 1, at least 0");
    assert_eq!(of("", &rules).open(), ["one:unlimited"]);
}

const EVENTS: &str = "queue effects, first in first out
event dies(c: Card), in effects
";

fn dying(trigger: &str) -> String {
    format!(
        "clause one (rule) at \"1\"
  says \"It is so.\"
  sequence cleanup
    step fall
      for each c: Card in row where c.health <= 0, left to right, snapshot
        move c to last of ashes
        announce dies(c)
    step react
      resolve effects
clause two (rule) at \"2\"
  says \"Whoever watches reacts.\"
{trigger}"
    )
}

#[test]
fn reactions_to_oneself_and_too_late() {
    let trigger =
        "  trigger watch for each w: Card where w.kind is watcher, on dies(c) where w.health <= 0
    increase w.health by 1";
    let found = of(EVENTS, &dying(trigger));
    let open = found.open();
    assert!(open.contains(&"two:not_itself"), "{open:?}");
    // The second of two deaths no longer finds it without health.
    assert!(open.contains(&"two:still_true"), "{open:?}");
    let trigger =
        "  trigger watch for each w: Card in row where w.kind is watcher, on dies(c) where c != w
    increase w.health by 1";
    let open_of = of(EVENTS, &dying(trigger));
    // It heard of the first death, and has fallen itself when it reacts.
    assert!(
        open_of.open().contains(&"two:still_there"),
        "{:?}",
        open_of.open()
    );
    assert!(!open_of.open().contains(&"two:not_itself"));
}

#[test]
fn what_waits_for_ever_could_happen_at_once() {
    let trigger = "  trigger watch for each w: Card where w.kind is watcher, on dies(c)
    set w.health to 9";
    let rules = dying(trigger).replace("      resolve effects", "      nothing");
    assert!(of(EVENTS, &rules).open().contains(&"dies:at_once"));
}

#[test]
fn what_is_announced_here_and_not_there() {
    let trigger =
        "  trigger watch for each w: Card in row where w.kind is watcher, on dies(c) where c != w
    set w.health to 9
clause three (rule) at \"3\"
  says \"Bombs go, too.\"
  sequence last
    step bombs
      for each b: Card in row where b.kind is bomb, left to right, snapshot
        move b to last of ashes
      resolve effects
sequence both
  step first
    perform cleanup
  step second
    perform last
verify both observing table";
    let found = of(EVENTS, &dying(trigger));
    assert!(
        found.open().contains(&"three:announced"),
        "{:?}",
        found.open()
    );
    let told = audit_text(found.report(), Style::default());
    assert!(told.contains("Does this count as \"dies\"?"), "{told}");
}

#[test]
fn when_it_begins_again() {
    let rules = "clause one (rule) at \"1\"
  says \"It is so.\"
  sequence cleanup
    restart when effects is not empty
      cancel at end of pass
      unfinished lost
      before restarting
        resolve effects
    step fall
      for each c: Card in row where c.health <= 0, left to right, snapshot
        move c to last of ashes
        announce dies(c)
    step last
      if ashes is not empty
        for each c: Card in row, left to right, snapshot
          set c.health to 7
clause two (rule) at \"2\"
  says \"Whoever watches recovers.\"
  trigger watch for each w: Card where w.kind is watcher, on dies(c) where w != c
    move w to last of ashes";
    let found = of(EVENTS, rules);
    assert!(
        found.open().iter().any(|one| one.contains("cancelled")),
        "{:?}",
        found.open()
    );
}

#[test]
fn what_is_answered_is_not_asked() {
    let rules = step("for each c: Card in row, left to right\n  decrease c.health by 1");
    let accept = "accept stops_at_zero at one because \"negative health is printed on cards\"";
    let found = of(accept, &rules);
    assert!(found.open().is_empty());
    assert_eq!(
        found.with(|one| matches!(one, Ruling::Accepted(_))),
        ["one:stops_at_zero"]
    );
    // Elsewhere it says nothing, and the check does not miss it.
    let elsewhere = of(&accept.replace("at one", "at two"), &rules);
    assert_eq!(elsewhere.open(), ["one:stops_at_zero"]);
    let checked = super::engines::compiled(&specification(accept, &rules)).unwrap();
    assert_eq!(
        endstep::verdict::unused_accepts(&checked, &[]),
        Vec::<usize>::new()
    );
}

#[test]
fn an_example_of_the_document_settles_it() {
    let rules = step("for each c: Card in row, left to right\n  decrease c.health by 1");
    let example = |kind: &str| {
        format!(
            "{rules}clause two ({kind}) at \"2\"
  says \"A card without health has a health of -1 afterwards.\"
  example below
    given
      Player ann
      Card c in row with health = 0
    perform cleanup
    expect c.health = -1
"
        )
    };
    let settled = of("", &example("example"));
    assert!(settled.open().is_empty(), "{:?}", settled.open());
    assert_eq!(
        settled.with(|one| matches!(one, Ruling::Settled(0))),
        ["one:stops_at_zero"]
    );
    // What the author makes up is no word of the document.
    assert_eq!(of("", &example("rule")).open(), ["one:stops_at_zero"]);
}

#[test]
fn invented_rules_and_experiments_decide_nothing() {
    let rules = step("for each c: Card in row, left to right\n  decrease c.health by 1");
    let invented = rules.replace(
        "    step only\n",
        "    step only\n      basis invented \"for a try\"\n",
    );
    let found = of("", &invented);
    assert!(found.decisions.is_empty(), "{:?}", found.decisions);
    let names = |found: Audited| {
        found
            .decisions
            .into_iter()
            .map(|one| one.name)
            .collect::<Vec<_>>()
    };
    let two = rules.replace(
        "    step only\n",
        "    step first\n      nothing\n    step only\n",
    );
    let experiment =
        "experiment other: cleanup but without first\nquestion ends: terminates other\n";
    assert_eq!(names(of(experiment, &two)), names(of("", &two)));
}

#[test]
fn questions_are_sentences() {
    let texts = [
        of("", &step(BOMB)),
        of(
            EVENTS,
            &dying(
                "  trigger watch for each w: Card in row, on dies(c)\n    increase w.health by 1",
            ),
        ),
    ];
    for found in &texts {
        let told = audit_text(
            found.report(),
            Style {
                all: true,
                ..Style::default()
            },
        );
        let value = audit_json(found.report());
        assert!(
            found.open().iter().all(|name| told.contains(name)),
            "{told}"
        );
        for entry in value["decisions"].as_array().unwrap() {
            let kind = entry["kind"].as_str().unwrap();
            assert!(DECISIONS.contains(&kind));
            for part in ["question", "as_written", "otherwise"] {
                let text = entry[part].as_str().unwrap();
                assert!(!text.is_empty() && !text.contains('_'), "{part}: {text}");
            }
        }
    }
}

/// An open decision is what it is said to be: by another engine that visits every order, no run by the rules as
/// written comes to the end that is shown, and the run that is shown is one of the other version.
fn is_as_told(found: &Audited, number: u64) {
    for (decision, open) in found.shown() {
        let name = &decision.name;
        let board = &open.written.board;
        assert_eq!(board, &open.otherwise.board, "{number} {name}");
        let names = Names::numbered(&found.program, board);
        let options = Options {
            limits: Limits::default(),
            readings: open.written.readings.clone(),
            ..Options::default()
        };
        let job = Job::of(&found.program, open.sequence);
        let outcomes = |program: &Program| {
            let ends = ends((program, &Naive), &job, (board, &names), &options);
            assert!(ends.given_up.is_none(), "{number} {name}");
            let all = ends.ways.into_iter().map(|way| way.outcome);
            all.collect::<BTreeSet<_>>()
        };
        let (written, otherwise) = (outcomes(&found.program), outcomes(&open.changed));
        let more = otherwise
            .difference(&written)
            .any(|one| one.is_by_the_rules());
        assert!(more, "{number} {name}");
        assert_eq!(
            written.is_disjoint(&otherwise),
            open.always,
            "{number} {name}"
        );
        trace(&found.program, &open.written).unwrap();
        trace(&open.changed, &open.otherwise).unwrap();
    }
}

/// A random specification of which every statement and trigger stands in a clause.
fn drawn(number: u64, jobs: usize) -> Option<Audited> {
    let text = random(number);
    let mut sources = SourceMap::new();
    let id = sources.load("drawn", text.as_bytes()).unwrap();
    let program = endstep::typing::check(&[parse(id, &text).file]).0?;
    let (mut program, clause) = with_clauses(program);
    let triggers: Vec<_> = program.triggers.ids().collect();
    for id in triggers {
        program.triggers[id].clause = Some(ClauseIdx::from_index(clause));
    }
    Some(Audited::new(program, sources, jobs))
}

#[test]
fn open_decisions_are_open() {
    let (mut tried, mut open) = (0, 0);
    for number in numbers("AUDITED", 250) {
        let Some(found) = drawn(number, 2) else {
            continue;
        };
        tried += found.decisions.len();
        open += found.open().len();
        is_as_told(&found, number);
        assert_eq!(found.open(), drawn(number, 1).unwrap().open(), "{number}");
    }
    assert!(tried > 400 && open > 10, "{tried}, {open}");
}
