//! Pictures of what depends on what, and what the engines know of them.

use endstep::analysis::Options;
use endstep::depend::{Cycle, Evidence, Kind, Link, Picture, Source, Thing, picture};
use endstep::explore;
use endstep::footprint::name;
use endstep::lower::lower;
use endstep::typing::program::Program;

use super::engines::compiled;

const CARDS: &str = "game \"g\"\nentity Card, explore up to 2\n  health: integer, explore 0 to 2\n  \
                     shielded: boolean\nzone board of Card\nzone void of Card, starts empty\n\
                     var score: integer, explore 0 to 1, reach 0 to 9\nvar round: integer, starts 1\n";

fn drawn(text: &str, kind: Kind, checked: bool) -> (Picture, Program) {
    let program = compiled(text).unwrap_or_else(|| panic!("in error: {text}"));
    let results = checked.then(|| explore::check(&program, &Options::default(), &mut |_| {}));
    let source = Source {
        program: &program,
        system: &lower(&program),
        results: results.as_ref(),
        sequence: None,
    };
    (picture(source, kind), program)
}

fn title(program: &Program, thing: Thing) -> String {
    match thing {
        Thing::Step(id) => program.steps[id].name.clone(),
        Thing::Restart(id) => format!("restart {}", program.sequences[id].name),
        Thing::Event(id) => program.events[id].name.clone(),
        Thing::Trigger(id) => program.triggers[id].name.clone(),
        Thing::Place(place) => name(&lower(program), place),
        Thing::Clause(id) => program.clauses[id].id.clone(),
    }
}

/// `from -> to: Feeds Card.health, score`, in order.
fn lines(picture: &Picture, program: &Program) -> Vec<String> {
    let system = lower(program);
    let line = |one: &endstep::depend::Dependence| {
        let [from, to] = [one.from, one.to].map(|at| title(program, picture.things[at]));
        let places = one.places.iter().map(|&place| name(&system, place));
        let places: Vec<String> = places.collect();
        let sign = if one.link.is_directed() { "->" } else { "--" };
        let line = format!("{from} {sign} {to}: {:?} {}", one.link, places.join(", "));
        line.trim_end().to_owned()
    };
    let mut lines: Vec<String> = picture.links.iter().map(line).collect();
    lines.sort();
    lines
}

#[test]
fn a_step_is_fed_by_the_nearest_one_before_it_that_writes() {
    let (picture, program) = drawn(
        &format!(
            "{CARDS}sequence cleanup\n  step first\n    set score to 1\n  step second\n    set score to 2\n  \
             step third\n    if score = 2\n      set round to score\n  step fourth\n    for each c in board\n      \
             set c.health to 0\n"
        ),
        Kind::Steps,
        false,
    );
    assert_eq!(
        lines(&picture, &program),
        [
            "first -- second: Overwrites score",
            "second -> third: Feeds score"
        ]
    );
}

/// What `b` writes `a` reads, if `s` is done again.
const AGAIN: &str =
    "sequence s\n  step a\n    if round = 1\n      set score to 7\n  step b\n    set round to 1\n";

#[test]
fn a_later_step_feeds_an_earlier_one_where_the_list_is_done_again() {
    let feeds = |more: &str| -> bool {
        let (picture, program) = drawn(&format!("{CARDS}{AGAIN}{more}"), Kind::Steps, false);
        lines(&picture, &program).contains(&"b -> a: Feeds round".to_owned())
    };
    assert!(!feeds(""));
    assert!(!feeds("sequence main\n  step x\n    perform s\n"));
    assert!(!feeds(
        "sequence main\n  step x\n    if score = 1\n      perform s\n    otherwise\n      perform s\n"
    ));
    assert!(!feeds(
        "event e, at once\ntrigger t on e\n  perform s\nsequence main\n  step x\n    announce e\n"
    ));
    for twice in [
        "sequence main\n  step x\n    perform s\n    perform s\n",
        "sequence main\n  step x\n    perform s\n  step y\n    perform s\n",
        "sequence main\n  step x\n    repeat until score = 7\n      perform s\n",
        "sequence main\n  step x\n    for each c in board\n      perform s\n",
        "sequence main\n  step x\n    perform sub\n    perform sub\nsequence sub\n  step x\n    perform s\n",
        "event e, at once\ntrigger t on e\n  perform s\nsequence main\n  step x\n    announce e\n    announce e\n",
        "event e, at once\ntrigger t for each c: Card in board, on e\n  perform s\n\
         sequence main\n  step x\n    announce e\n",
    ] {
        assert!(feeds(twice), "{twice}");
    }
}

#[test]
fn a_step_that_can_end_the_list_decides_on_those_after_it() {
    let decides = |ends: &str, more: &str| -> Vec<String> {
        let text = format!(
            "{CARDS}sequence s\n  step first\n    nothing\n  step may_end\n    if score = 1\n      {ends}\n  \
             step second\n    nothing\n  step third\n    nothing\n{more}"
        );
        let (picture, program) = drawn(&text, Kind::Steps, false);
        let mut lines = lines(&picture, &program);
        lines.retain(|line| line.contains("Enables"));
        lines
    };
    let both = [
        "may_end -> second: Enables".to_owned(),
        "may_end -> third: Enables".to_owned(),
    ];
    assert_eq!(decides("leave s", ""), both);
    assert_eq!(decides("declare draw", ""), both);
    let sub = |ends: &str| format!("sequence sub\n  step x\n    {ends}\n");
    assert_eq!(decides("perform sub", &sub("declare draw")), both);
    assert!(decides("perform sub", &sub("leave sub")).is_empty());
    assert!(decides("nothing", "").is_empty());
}

#[test]
fn what_a_step_ensures_a_later_one_can_undo() {
    let (picture, program) = drawn(
        &format!(
            "{CARDS}sequence cleanup\n  step destroy\n    for each c in board where c.health = 0\n      \
             move c to void\n    ensures every c in board has c.health > 0\n  step infect\n    \
             for each c in board\n      set c.health to 0\n"
        ),
        Kind::Steps,
        false,
    );
    let lines = lines(&picture, &program);
    assert!(
        lines.contains(&"infect -> destroy: Undoes Card.health".to_owned()),
        "{lines:?}"
    );
}

const OPEN: &str = "sequence cleanup, steps in any order\n  step score_it\n    set score to 1\n  \
                    step score_more\n    set score to max(score, 1)\n  step hurt\n    for each c in board\n      set c.health to 0\n  step shield\n    \
                    for each c in board where c.health > 0\n      set c.shielded to true\n";

#[test]
fn pairs_of_an_open_list_say_how_they_are_known() {
    let text = format!("{CARDS}{OPEN}verify cleanup\n");
    let (unchecked, program) = drawn(&text, Kind::Steps, false);
    let (checked, _) = drawn(&text, Kind::Steps, true);
    let evidence = |picture: &Picture| -> Vec<(Link, Evidence)> {
        let links = picture.links.iter();
        links.map(|one| (one.link, one.evidence)).collect()
    };
    let lines = lines(&unchecked, &program);
    assert_eq!(
        lines,
        [
            "hurt -- shield: Conflicts Card.health",
            "score_it -- hurt: Commutes",
            "score_it -- score_more: Conflicts score",
            "score_it -- shield: Commutes",
            "score_more -- hurt: Commutes",
            "score_more -- shield: Commutes"
        ]
    );
    let text_only = evidence(&unchecked);
    assert!(text_only.contains(&(Link::Commutes, Evidence::Disjoint)));
    assert!(text_only.contains(&(Link::Conflicts, Evidence::Text)));
    let known = evidence(&checked);
    // What the text shows is more than what a scope shows.
    let commute = |evidence| {
        let known = known
            .iter()
            .filter(|one| **one == (Link::Commutes, evidence));
        known.count()
    };
    assert_eq!(commute(Evidence::Disjoint), 4, "{known:?}");
    assert_eq!(commute(Evidence::Scope), 1, "{known:?}");
    let found = |one: &(Link, Evidence)| matches!(one, (Link::Conflicts, Evidence::Finding(_)));
    assert!(known.iter().any(found), "{known:?}");
}

/// A trigger that announces its own event again, where `where` keeps it from going on or not.
fn rings(condition: &str) -> String {
    format!(
        "{CARDS}queue effects, first in first out, explore up to 3\nevent rung(c: Card), in effects\n\
         event calm, in effects\n\
         trigger echo on rung(c) where {condition}\n  announce rung(c)\n\
         trigger rest on calm\n  set round to 1\n\
         sequence cleanup\n  step ring\n    for each c in board\n      announce rung(c)\n    \
         announce calm\n  step pump\n    resolve effects\nverify cleanup\n"
    )
}

#[test]
fn a_loop_in_the_text_is_confirmed_or_cleared_by_a_check() {
    let cycles = |condition: &str, checked| -> Vec<Cycle> {
        let (picture, _) = drawn(&rings(condition), Kind::Triggers, checked);
        picture.rounds.iter().map(|round| round.cycle).collect()
    };
    assert_eq!(cycles("c.health = 2", false), [Cycle::Possible]);
    assert_eq!(cycles("c.health = 2", true), [Cycle::Confirmed]);
    assert_eq!(cycles("c.health > 2", true), [Cycle::Cleared]);
}

/// `e` and `t` bring each other about; with `u`, that goes by way of `f` and `w`, but nothing wakes `u`.
const TWO_WAYS: &str = "queue effects, first in first out, explore up to 3\n\
                        event e, in effects\nevent f, in effects\n\
                        trigger t on e\n  announce e\n\
                        trigger u on e where round > 1\n  announce f\n\
                        trigger w on f\n  announce e\n\
                        sequence s\n  step a\n    announce e\n  step b\n    resolve effects\nverify s\n";

#[test]
fn a_run_goes_round_only_through_what_it_goes_through() {
    let (picture, program) = drawn(&format!("{CARDS}{TWO_WAYS}"), Kind::Triggers, true);
    let round = &picture.rounds[0];
    assert_eq!((round.things.len(), round.cycle), (5, Cycle::Confirmed));
    let things = picture.things.iter().enumerate();
    let mut marked: Vec<(String, Cycle)> = things
        .map(|(at, &thing)| (title(&program, thing), picture.cycle_at(at)))
        .collect();
    marked.sort();
    let expected = [
        ("a", Cycle::None),
        ("e", Cycle::Confirmed),
        ("f", Cycle::Possible),
        ("t", Cycle::Confirmed),
        ("u", Cycle::Possible),
        ("w", Cycle::Possible),
    ];
    assert_eq!(
        marked,
        expected.map(|(name, cycle)| (name.to_owned(), cycle))
    );
    for link in &picture.links {
        let [from, to] = [link.from, link.to].map(|at| title(&program, picture.things[at]));
        let expected = match (from.as_str(), to.as_str()) {
            ("a", _) => Cycle::None,
            ("e", "t") | ("t", "e") => Cycle::Confirmed,
            _ => Cycle::Possible,
        };
        assert_eq!(picture.cycle_of(link), expected, "{from} -> {to}");
    }
}

#[test]
fn nothing_is_cleared_that_was_not_run() {
    let cycle = |text: &str, options: &Options| {
        let program = compiled(text).unwrap();
        let results = explore::check(&program, options, &mut |_| {});
        let source = Source {
            program: &program,
            system: &lower(&program),
            results: Some(&results),
            sequence: None,
        };
        picture(source, Kind::Triggers).rounds[0].cycle
    };
    let ends = rings("c.health > 2");
    let all = Options::default();
    assert_eq!(cycle(&ends, &all), Cycle::Cleared);
    // Another sequence is verified, or only a claim is looked at.
    let other = "sequence other\n  step rests\n    nothing\n";
    let unverified = ends.replace("verify cleanup\n", &format!("{other}verify other\n"));
    assert_eq!(cycle(&unverified, &all), Cycle::Possible);
    let claims = Options {
        claims: Some(Vec::new()),
        ..Options::default()
    };
    assert_eq!(cycle(&ends, &claims), Cycle::Possible);
}

#[test]
fn text_says_which_step_can_undo_which() {
    use endstep::report::diagram::sketch;
    use endstep::source::SourceMap;
    let text = format!(
        "{CARDS}sequence cleanup\n  step destroy\n    for each c in board where c.health = 0\n      \
         move c to void\n    ensures every c in board has c.health > 0\n  step infect\n    \
         for each c in board\n      set c.health to 0\n"
    );
    let (picture, program) = drawn(&text, Kind::Steps, false);
    let source = Source {
        program: &program,
        system: &lower(&program),
        results: None,
        sequence: None,
    };
    let mut sources = SourceMap::new();
    sources.load("compared", text.as_bytes()).unwrap();
    let told = sketch(source, &sources, (Kind::Steps, &picture), &[]).text(100);
    assert!(
        told.contains("  infect\n    can undo destroy: health of Card"),
        "{told}"
    );
}

#[test]
fn clauses_change_places_only_if_all_their_steps_do() {
    let (picture, program) = drawn(
        &format!(
            "{CARDS}sequence cleanup, steps in any order\n  clause a (rule) at \"1\"\n    says \"x\"\n    \
             step one\n      set score to 1\n    step two\n      set round to 1\n  \
             clause b (rule) at \"2\"\n    says \"y\"\n    step three\n      set score to 0\n"
        )
        .replace("sequence cleanup", "document d \"D\"\n  sequence cleanup")
        .replace("\n  clause", "\n    clause")
        .replace("\n    says", "\n      says")
        .replace("\n    step", "\n      step")
        .replace("\n      set", "\n        set"),
        Kind::Clauses,
        false,
    );
    assert_eq!(lines(&picture, &program), ["a -- b: Conflicts score"]);
}

#[test]
fn only_what_can_bring_itself_about_is_in_a_round() {
    let (picture, program) = drawn(&rings("c.health = 2"), Kind::Triggers, true);
    let round = &picture.rounds[0];
    let names = round
        .things
        .iter()
        .map(|&at| title(&program, picture.things[at]));
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names, ["echo", "rung"]);
    assert_eq!(round.shown.len(), 1);
    assert_eq!(round.shown[0].things, round.things);
    let lines = lines(&picture, &program);
    assert!(
        lines.contains(&"calm -> rest: Causes".to_owned()),
        "{lines:?}"
    );
    assert!(
        lines.contains(&"ring -> rung: Causes".to_owned()),
        "{lines:?}"
    );
}

#[test]
fn places_are_fed_by_what_is_read_and_by_what_decides() {
    let (picture, program) = drawn(
        &format!(
            "{CARDS}sequence cleanup\n  step count\n    let n = count of c: Card in board\n    \
             if round = 1\n      set score to n\n\
             claim scored: invariant score >= 0 at the end of cleanup\n"
        ),
        Kind::Fields,
        false,
    );
    let lines = lines(&picture, &program);
    assert_eq!(
        lines,
        ["board -> score: Feeds", "round -> score: Feeds"],
        "the locals' sources and the conditions around"
    );
    let (_, cone) = &picture.cones[0];
    let cone: Vec<String> = cone
        .iter()
        .map(|&place| name(&lower(&program), place))
        .collect();
    assert!(cone.contains(&"score".to_owned()) && !cone.contains(&"Card.shielded".to_owned()));
}

#[test]
fn clauses_are_connected_by_references_and_by_their_steps() {
    let (picture, program) = drawn(
        &format!(
            "{CARDS}document d \"D\"\n  clause a (rule) at \"1\"\n    says \"x\"\n    refers to c\n    \
             sequence cleanup\n      clause b (rule) at \"2\"\n        step one\n          set score to 1\n      \
             clause c (rule) at \"3\"\n        yields to b\n        step two\n          set round to score\n"
        ),
        Kind::Clauses,
        false,
    );
    assert_eq!(
        lines(&picture, &program),
        ["a -> c: Refers", "b -> c: Feeds score", "c -> b: Yields"]
    );
}

#[test]
fn a_sequence_shows_the_references_of_its_clauses() {
    let text = format!(
        "{CARDS}document d \"D\"\n  clause a (rule) at \"1\"\n    says \"x\"\n    refers to c\n  \
         clause e (rule) at \"4\"\n    says \"x\"\n    refers to a\n  \
         sequence cleanup\n      clause b (rule) at \"2\"\n        step one\n          set score to 1\n  \
         sequence other\n      clause c (rule) at \"3\"\n        step two\n          set round to score\n"
    );
    let program = compiled(&text).unwrap_or_else(|| panic!("in error: {text}"));
    let shown = |name: &str| {
        let mut sequences = program.sequences.iter();
        let source = Source {
            program: &program,
            system: &lower(&program),
            results: None,
            sequence: sequences
                .find(|(_, one)| one.name == name)
                .map(|(id, _)| id),
        };
        lines(&picture(source, Kind::Clauses), &program)
    };
    assert_eq!(shown(""), ["a -> c: Refers", "e -> a: Refers"]);
    assert_eq!(shown("other"), ["a -> c: Refers"]);
    assert!(shown("cleanup").is_empty());
}
