//! Mutants: which there are, that each is a program that makes sense, and that whatever is said of one
//! is so.

use std::collections::BTreeSet;
use std::path::Path;

use endstep::analysis::{Apart, Options, Unsaid, apart, jobs};
use endstep::diag::codes::finding::CLAIM_REFUTED;
use endstep::driver::campaign::Plan;
use endstep::driver::mutants::{Hunt, Original, Terms};
use endstep::exhaust::Naive;
use endstep::explore::{self, Explorer};
use endstep::ir;
use endstep::lower::lower;
use endstep::mutate::{Mutant, Operator, mutants};
use endstep::report::{By, Fate, Place};
use endstep::sample::{Scene, Sizes};
use endstep::source::SourceMap;
use endstep::syntax::parse;
use endstep::typing::program::Program;
use endstep::verdict::fingerprint;

use super::engines::{LIMITS, random};

/// A specification with its text.
fn read(text: &str) -> Option<(Program, SourceMap)> {
    let mut sources = SourceMap::new();
    let id = sources.load("mutated", text.as_bytes()).unwrap();
    let program = endstep::typing::check(&[parse(id, text).file]).0?;
    Some((program, sources))
}

/// The specifications of the corpus that are programs.
fn corpus() -> Vec<(Program, SourceMap)> {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    super::corpus::files(&root, &mut files);
    let texts = files
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap());
    texts.filter_map(|text| read(&text)).collect()
}

fn terms(jobs: usize) -> Terms {
    Terms {
        steps: 20_000,
        jobs,
        ..Terms::default()
    }
}

const GAME: &str = "game \"Mutated\"
player Player from 2 to 2, explore 2 to 2
type Kind is one of spell, troop
entity Card, explore up to 2
  kind: Kind
  health: integer from 0 to 9, explore 0 to 2
zone board of Card per Player
zone grave of Card
queue effects, first in first out
event died(c: Card), in effects
var deaths: integer from 0 to 9, starts 0
define dead(c: Card) = c.health <= 0 and c.kind is not spell
define asked(c: Card) = c.health > 5
sequence cleanup
  step hurt
    for each c: Card in board, in any order, rechecked
      decrease c.health by 1, at least 0
      increase deaths by 0
  step bury
    simultaneously
      for each c: Card in board where dead(c)
        move c to top of grave
    repeat until deaths >= 0
      increase deaths by half of 2 rounded up
    resolve effects
trigger counting on died(c) where c.kind is troop
  if deaths < 3
    increase deaths by 1
  otherwise
    announce died(c)
claim none_is_large: invariant every c: Card has not asked(c) at the end of cleanup
";

#[test]
fn each_operator_makes_its_mistake_where_it_can() {
    let (program, sources) = read(GAME).unwrap();
    let all = mutants(&program, &sources);
    let said: Vec<String> = all
        .iter()
        .map(|one| format!("{} {}", one.name, one.text))
        .collect();
    let expected = [
        "9:order last in first out",
        "12:guard it always holds",
        "12:negate it is negated",
        "12:connective `and` becomes `or`",
        "12:part the second part is left out",
        "12:part#2 the first part is left out",
        "12:compare `<=` becomes `<`",
        "12:number `0` becomes `1`",
        "12:value `spell` becomes `troop`",
        "14:order its steps in any order",
        "15:step it does nothing",
        "16:order left to right",
        "16:domain all that were there at the start",
        "17:assignment it is left out",
        "17:clamp it is not clamped",
        "17:sign `decrease` becomes `increase`",
        "17:number `1` becomes `2`",
        "17:number#2 `1` becomes `0`",
        "19:swap `bury` comes before `hurt`",
        "20:together one after the other, not at once",
        "22:move it is left out",
        "22:end to the last place, not to the first",
        "23:repeat once",
        "23:compare `>=` becomes `>`",
        "24:rounding `rounded up` becomes `rounded down`",
        "25:call it is left out",
        "26:guard it always holds",
        "27:otherwise what is done otherwise is left out",
        "30:emission it is left out",
    ];
    for one in expected {
        assert!(said.iter().any(|line| line == one), "{one} in {said:#?}");
    }
    // What is asked is not changed: the definition of line 13 is used by a claim alone.
    let lines = [13, 31].map(|line| format!("{line}:"));
    let asked = |one: &&Mutant| lines.iter().any(|line| one.name.starts_with(line));
    assert_eq!(all.iter().find(asked), None);
    assert!(
        !said
            .iter()
            .any(|line| line.starts_with("4:") || line.starts_with("6:"))
    );
}

#[test]
fn mutants_are_programs_with_names_of_their_own() {
    let mut operators = BTreeSet::new();
    let (mut count, mut invalid) = (0, 0);
    for (program, sources) in corpus() {
        let all = mutants(&program, &sources);
        assert_eq!(all, mutants(&program, &sources));
        let names: BTreeSet<&str> = all.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        for mutant in &all {
            let changed = mutant.apply(&program);
            assert_ne!(changed, program, "{}", mutant.name);
            assert_eq!(changed.claims, program.claims);
            invalid += usize::from(ir::fault(&lower(&changed)).is_some());
            operators.insert(mutant.operator);
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
    assert_eq!(invalid, 0);
    let missing = Operator::ALL.iter().filter(|one| !operators.contains(one));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&Operator>::new());
}

/// Random specifications with some of their mutants.
fn samples(count: u64) -> impl Iterator<Item = (Program, SourceMap, Vec<Mutant>)> {
    (0..count).filter_map(|number| {
        let (program, sources) = read(&random(number))?;
        let all = mutants(&program, &sources);
        let step = all.len() / 6 + 1;
        let some: Vec<Mutant> = all.into_iter().step_by(step).collect();
        Some((program, sources, some))
    })
}

#[test]
fn both_engines_say_alike_where_two_versions_are_apart() {
    let (mut nowhere, mut on) = (0, 0);
    let options = Options {
        limits: LIMITS,
        ..Options::default()
    };
    for (program, _, some) in samples(40) {
        for mutant in some {
            let other = mutant.apply(&program);
            let [fast, changed] = [&program, &other].map(Explorer::new);
            for job in jobs(&program, None) {
                let fast = apart([(&program, &fast), (&other, &changed)], &job, &options);
                let plain = apart([(&program, &Naive), (&other, &Naive)], &job, &options);
                match (&fast, &plain) {
                    (Apart::Nowhere(_), _) => nowhere += 1,
                    (Apart::On(..), _) => on += 1,
                    // The engines do not reach the same limits.
                    _ => continue,
                }
                if !matches!(plain, Apart::Unknown(_)) {
                    assert_eq!(fast, plain, "{}", mutant.name);
                }
            }
        }
    }
    assert!(nowhere > 20 && on > 20, "{nowhere} and {on}");
}

/// What a check of everything finds, notes that cost most left out.
fn found(program: &Program) -> BTreeSet<String> {
    let options = Options {
        faults_only: true,
        ..Options::default()
    };
    let results = explore::check(program, &options, &mut |_| {});
    let findings = results.findings.iter();
    findings.map(|one| fingerprint(program, one)).collect()
}

#[test]
fn what_is_killed_early_is_told_from_the_original_by_a_whole_check() {
    let (mut early, mut same) = (0, 0);
    for (program, sources, some) in samples(24) {
        let terms = terms(1);
        let original = Original::new(&program, &sources, &terms);
        let fates = original
            .judge(&some, &|_| {})
            .into_iter()
            .flatten()
            .collect::<Vec<_>>();
        same += fates
            .iter()
            .filter(|one| matches!(one, Fate::Same(_)))
            .count();
        let is_early = |fate: &Fate| {
            matches!(
                fate,
                Fate::Killed {
                    place: Place::Small(_),
                    ..
                }
            )
        };
        let all = some.iter().zip(&fates).filter(|(_, fate)| is_early(fate));
        let all: Vec<_> = all.take(3).collect();
        if all.is_empty() {
            continue;
        }
        let before = found(&program);
        for (mutant, fate) in all {
            early += 1;
            let after = found(&mutant.apply(&program));
            assert_ne!(before, after, "{} {fate:?}", mutant.name);
        }
    }
    assert!(early > 2 && same > 2, "{early} and {same}");
}

#[test]
fn fates_do_not_depend_on_the_number_of_threads() {
    let (program, sources) = read(GAME).unwrap();
    let all = mutants(&program, &sources);
    let fates = |jobs: usize| {
        let terms = terms(jobs);
        Original::new(&program, &sources, &terms)
            .judge(&all, &|_| {})
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    };
    let one = fates(1);
    assert_eq!(one, fates(3));
    let killed = |fate: &&Fate| matches!(fate, Fate::Killed { .. });
    assert!(one.iter().filter(killed).count() > 10);
    assert!(one.iter().any(|fate| matches!(fate, Fate::Survivor { .. })));
}

#[test]
fn worked_examples_kill_what_they_narrate_otherwise() {
    let example = "example one_is_hurt\n  given\n    Player ann, bob\n    Card wolf in board(ann) with health = 2\n  \
                   perform cleanup\n  expect wolf.health = 1\n";
    let (program, sources) = read(&format!("{GAME}{example}")).unwrap();
    assert_eq!(program.examples.len(), 1);
    let all = mutants(&program, &sources);
    let terms = terms(1);
    let fates = Original::new(&program, &sources, &terms)
        .judge(&all, &|_| {})
        .into_iter()
        .flatten()
        .collect::<Vec<_>>();
    let at = all.iter().position(|one| one.name == "17:number");
    let fate = &fates[at.unwrap()];
    assert!(
        matches!(
            fate,
            Fate::Killed {
                place: Place::Example,
                ..
            }
        ),
        "{fate:?}"
    );
}

/// Campaigns of so many runs, on boards no larger than a check looks at.
fn hunted(program: &Program, runs: u64) -> Hunt<'static> {
    let sizes = program.sorts.iter().map(|(id, sort)| (id, sort.explore.1));
    Hunt {
        plan: Plan {
            seed: 1,
            runs: Some(runs),
            scene: Scene {
                sizes: Sizes {
                    most: sizes.collect(),
                    ..Sizes::default()
                },
                all_legal: false,
            },
            ..Plan::default()
        },
        clock: &|| Box::new(|| true),
    }
}

#[test]
fn a_campaign_kills_no_mutant_that_plays_alike() {
    let (mut alike, mut killed) = (0, 0);
    for (program, sources, some) in samples(24) {
        let terms = terms(1);
        let original = Original::new(&program, &sources, &terms);
        let checked = original
            .judge(&some, &|_| {})
            .into_iter()
            .flatten()
            .collect::<Vec<_>>();
        let original = original.hunting(&hunted(&program, 100));
        let sampled = original
            .judge(&some, &|_| {})
            .into_iter()
            .flatten()
            .collect::<Vec<_>>();
        for ((mutant, checked), sampled) in some.iter().zip(checked).zip(sampled) {
            let is_killed = matches!(sampled, Fate::Killed { .. });
            killed += usize::from(is_killed);
            if matches!(checked, Fate::Same(_) | Fate::Equivalent) {
                alike += 1;
                assert!(!is_killed, "{} {checked:?} {sampled:?}", mutant.name);
            }
        }
    }
    assert!(alike > 2 && killed > 2, "{alike} and {killed}");
}

#[test]
fn a_campaign_says_what_it_finds_and_after_how_many_runs() {
    let claim =
        "claim two_at_most: invariant every c: Card has c.health <= 2 at the end of cleanup\n";
    let (program, sources) = read(&format!("{GAME}{claim}")).unwrap();
    let some = ["16:order", "17:sign", "20:together", "24:sign"];
    let mut all = mutants(&program, &sources);
    all.retain(|one| some.contains(&one.name.as_str()));
    assert_eq!(all.len(), some.len());
    let fates = |jobs: usize| {
        let terms = terms(jobs);
        let original = Original::new(&program, &sources, &terms);
        let original = original.hunting(&hunted(&program, 500));
        assert!(original.runs().is_some_and(|runs| runs >= 500));
        original
            .judge(&all, &|_| {})
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    };
    let one = fates(1);
    assert_eq!(one, fates(3));
    let fate = |name: &str| &one[all.iter().position(|one| one.name == name).unwrap()];
    let by = By::New(CLAIM_REFUTED, "two_at_most".to_owned());
    match fate("17:sign") {
        Fate::Killed { by: said, place } => {
            assert_eq!(*said, by);
            assert!(matches!(place, Place::Campaign(1..)), "{place:?}");
        }
        other => panic!("{other:?}"),
    }
    // What is not found any more is no sign of anything.
    let lost = fate("16:order");
    assert!(!matches!(lost, Fate::Killed { .. }), "{lost:?}");
}

/// Whether a reading, of which alternative `a` changes nothing beside it, decides.
const READ: &str = "game \"Read\"
var x: integer, explore 0 to 1
reading r
  a \"one\"
  b \"two\"
sequence s
  basis text
  step one
    depending on r
      when a
        set x to 1
      when b
        set x to 2
claim c: must x < 3 after s
";

#[test]
fn runs_under_other_readings_tell_no_mutant_apart() {
    let (program, sources) = read(READ).unwrap();
    let readings = endstep::driver::readings(
        &program,
        &[endstep::driver::Choice {
            name: "r".to_owned(),
            value: "a".to_owned(),
        }],
    );
    let readings = readings.unwrap();
    let all = mutants(&program, &sources);
    let of_b: Vec<Mutant> = all
        .into_iter()
        .filter(|one| one.name.starts_with("13:"))
        .collect();
    assert!(of_b.len() > 1, "{of_b:?}");
    let terms = |readings| Terms {
        options: Options {
            readings,
            ..Options::default()
        },
        ..terms(1)
    };
    let (under_a, all) = (terms(readings.clone()), terms(Default::default()));
    let mut hunt = hunted(&program, 200);
    hunt.plan.scene.sizes.readings = readings.into_iter().collect();
    for fate in Original::new(&program, &sources, &under_a)
        .judge(&of_b, &|_| {})
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
    {
        assert!(
            matches!(&fate, Fate::Same(of) if matches!(of[..], [(_, 2)])),
            "{fate:?}"
        );
    }
    let original = Original::new(&program, &sources, &under_a).hunting(&hunt);
    for fate in original
        .judge(&of_b, &|_| {})
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
    {
        assert!(
            matches!(&fate, Fate::Same(of) if matches!(of[..], [(_, 2)])),
            "{fate:?}"
        );
    }
    let fates = Original::new(&program, &sources, &all)
        .judge(&of_b, &|_| {})
        .into_iter()
        .flatten()
        .collect::<Vec<_>>();
    let differ = |fate: &Fate| !matches!(fate, Fate::Same(_));
    assert!(fates.iter().all(differ), "{fates:?}");
}

#[test]
fn what_cannot_be_compared_says_why() {
    let text = "game \"Far\"\nvar x: integer, explore 0 to 3, reach 0 to 6\n\
        sequence s\n  basis text\n  step a\n    if x = 3\n      set x to 9\n    \
        if x = 1\n      gap stop\nclaim c: must x < 5 after s\n";
    let (program, sources) = read(text).unwrap();
    let all = mutants(&program, &sources);
    let fates = Original::new(&program, &sources, &terms(1))
        .judge(&all, &|_| {})
        .into_iter()
        .flatten()
        .collect::<Vec<_>>();
    let open = fates
        .iter()
        .filter(|fate| matches!(fate, Fate::Undecided(_)));
    assert!(open.clone().count() > 0, "{fates:?}");
    for fate in open {
        assert!(matches!(fate, Fate::Undecided(Unsaid::Bounds)), "{fate:?}");
    }
}

/// A check of this mutant has other notes (F0703, F0704): a survivor is not said to be one that nothing would notice.
#[test]
fn what_is_not_compared_is_said_in_the_report_and_in_the_help() {
    let folder = super::folder::empty("mutate-not-compared");
    let text = "game \"Mut\"\nvar n: integer from 0 to 9, explore 0 to 3\nvar big: integer from 0 to 99, explore 0 to 1\n\
                sequence s\n  basis text\n  step a\n    if big > 50\n      set n to 0\n    otherwise\n      \
                increase n by 1, at most 9\n  step b\n    if n > 2\n      set n to 2\nverify s\n\
                claim c: must n <= 2 after s\n";
    std::fs::write(folder.join("old.endstep"), text).unwrap();
    std::fs::write(folder.join("new.endstep"), text.replace("big > 50", "true")).unwrap();
    let said = |arguments: &[&str]| {
        let output = super::usage::endstep(arguments, &folder);
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let diff = said(&["diff", "old.endstep", "new.endstep", "--quiet"]);
    assert!(diff.contains("findings: 3 new, 1 gone"), "{diff}");
    let mutants = said(&["mutate", "old.endstep", "--operators", "guard"]);
    for part in [
        "big > 50",
        "nothing that is compared notices that s can end otherwise",
        "not compared, though a check can tell it: what no run executes (F0703), steps that make no difference (F0704)",
    ] {
        assert!(mutants.contains(part), "{part} in {mutants}");
    }
    let help = said(&["mutate", "--help"]);
    assert!(
        help.contains(
            "Some of what `endstep diff` compares takes too long to be looked at for each mutant"
        ),
        "{help}"
    );
}
