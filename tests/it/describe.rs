//! Descriptions of the boards on which a finding occurs, against checks of just these boards: the
//! condition is added to the specification, in its own notation, as one on the boards to be
//! explored.

use std::fmt::Write as _;
use std::path::Path;

use endstep::analysis::{Limits, Options};
use endstep::explore;
use endstep::report::{conditions, described};
use endstep::typing::program::Program;
use endstep::verdict::{Detail, Finding, Occurs, Results, ScopeOf};

use crate::engines::{compiled, random};

const LIMITS: Limits = Limits {
    boards: 400,
    candidates: 4000,
    states: 1000,
    readings: 64,
    steps: 200_000,
};

/// How often descriptions were compared.
#[derive(Default, Debug)]
struct Compared {
    exact: usize,
    cases: usize,
    only: usize,
    always: usize,
    read: usize,
}

fn check(program: &Program) -> Results {
    let options = Options {
        limits: LIMITS,
        threads: 1,
        ..Options::default()
    };
    explore::check(program, &options, &mut |_| {})
}

/// The finding again, and the number of legal boards, if only some boards are explored.
fn again(text: &str, finding: &Finding, when: &str) -> Result<(u64, u64), String> {
    let text = format!("{text}\nexplore only the_described: {when}\n");
    let program = compiled(&text).ok_or_else(|| format!("no condition: {when}"))?;
    let results = check(&program);
    let same = |one: &&Finding| {
        (one.code, &one.subject, &one.cause) == (finding.code, &finding.subject, &finding.cause)
            && one.scope == finding.scope
    };
    let boards = results
        .findings
        .iter()
        .find(same)
        .map_or(0, |one| one.boards);
    let scope = finding.scope.and_then(|at| results.scopes.get(at));
    Ok((boards, scope.map_or(0, |scope| scope.legal)))
}

fn compare(text: &str, compared: &mut Compared) -> Result<(), String> {
    let Some(program) = compiled(text) else {
        return Ok(());
    };
    let results = check(&program);
    for finding in &results.findings {
        let Some(occurs) = &finding.occurs else {
            continue;
        };
        // Where all boards are such boards, the refutation of the demand tells it.
        if matches!(&finding.detail, Detail::Demands(_, core) if core.len() == 1) {
            continue;
        }
        let scope = finding.scope.map(|at| &results.scopes[at]);
        let scope = scope.ok_or("a description without a scope")?;
        // It is asked of one board.
        if matches!(scope.subject, ScopeOf::On(..)) {
            continue;
        }
        // It speaks of the boards of which everything is known that it is about.
        let needed = finding.detail.depends_on();
        let given_up = needed.iter().any(|one| scope.given_up.contains_key(one));
        if !scope.limitations.is_empty() || given_up {
            continue;
        }
        let wrong = |what: &str, found: (u64, u64), expected: (u64, u64)| {
            let about = format!("{} {} {}", finding.code, finding.subject, finding.cause);
            match found == expected {
                true => Ok(()),
                false => Err(format!(
                    "{about}\n{what}\n{found:?} instead of {expected:?}"
                )),
            }
        };
        let (only, always) = conditions(&program, occurs, finding.boards);
        if let Some((when, count)) = only {
            compared.only += 1;
            wrong(&when, again(text, finding, &when)?, (finding.boards, count))?;
            if !matches!(occurs, Occurs::Between { .. }) {
                let other = format!("not ({when})");
                let others = scope.legal - finding.boards;
                wrong(&other, again(text, finding, &other)?, (0, others))?;
            }
        }
        if let Some((when, count)) = always {
            compared.always += 1;
            wrong(&when, again(text, finding, &when)?, (count, count))?;
        }
        if let Some(when) = read(&described(&program, occurs)) {
            let all = finding.boards;
            wrong(&when, again(text, finding, &when)?, (all, all))?;
            compared.read += 1;
        }
        if let Occurs::Exactly(formula) = occurs {
            compared.exact += 1;
            compared.cases += usize::from(formula.any.len() > 1);
        }
    }
    Ok(())
}

/// "Just those on which some Card has health of at most 1": random ones are rarely so simple.
const READ: &str = r#"game "Read"
entity Card, explore 1 to 2
  health: integer from 0 to 3
var n: integer from 0 to 9, starts 0
sequence s
  step a
    for each c: Card, in any order
      if c.health < 2
        set n to 1
verify s
claim c: must n = 0 after s
"#;

#[test]
fn descriptions_are_true_of_the_boards_of_a_finding() {
    let mut compared = Compared::default();
    let mut wrong = String::new();
    let mut look = |name: &str, text: &str| {
        if let Err(error) = compare(text, &mut compared) {
            let _ = writeln!(wrong, "{name}: {error}\n");
        }
    };
    let mut files = Vec::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    crate::corpus::files(&corpus, &mut files);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        look(&path.display().to_string(), &text);
    }
    for number in 0..1000 {
        look(&format!("random {number}"), &random(number));
    }
    look("what is read", READ);
    assert!(wrong.is_empty(), "{wrong}");
    let Compared {
        exact,
        cases,
        only,
        always,
        read,
    } = compared;
    let enough = exact > 50 && cases > 2 && only > exact && always > exact && read > 0;
    assert!(enough, "{compared:?}");
}

/// What the words of one fact say, in the notation of specifications; `None` of those that are not read here.
fn read(words: &str) -> Option<String> {
    let fact = words.strip_prefix("just those on which ")?;
    if fact.contains(", and ") || fact.starts_with("either ") || fact.contains(" another one ") {
        return None;
    }
    let (who, rest) = fact.split_once(" has ")?;
    let (it, quantified) = match who.split_once(' ') {
        Some(("some", sort)) => ("it", format!("some it: {sort} has ")),
        Some(("no", sort)) => ("it", format!("not some it: {sort} has ")),
        Some(("every", sort)) => ("it", format!("every it: {sort} has ")),
        Some(_) => return None,
        None => (who, String::new()),
    };
    let (field, test) = rest.split_once(' ')?;
    let of = |than: &str| test.strip_prefix(than);
    let place = format!("{it}.{field}");
    let test = match () {
        () if let Some(n) = of("of at most ") => format!("{place} <= {n}"),
        () if let Some(n) = of("of more than ") => format!("{place} > {n}"),
        () if let Some(n) = of("of at least ") => format!("{place} >= {n}"),
        () if let Some(other) = of("smaller than its ") => format!("{place} < {it}.{other}"),
        () if let Some(other) = of("no smaller than its ") => format!("{place} >= {it}.{other}"),
        () if let Some(other) = of("equal to its ") => format!("{place} = {it}.{other}"),
        () if let Some(other) = of("different from its ") => format!("{place} != {it}.{other}"),
        () => return None,
    };
    Some(format!("({quantified}{test})"))
}

/// A claim that fails on just some boards, and how these are described.
const TOLD: [(&str, &str); 16] = [
    ("n <= 3", "n is more than 3"),
    ("n != 2 and n != 3 and n != 4", "n is 2 to 4"),
    ("n != 1 and n != 4", "n is 1 or 4"),
    ("n <= m", "m is less than n"),
    ("every c: Card has not c.red", "some Card is red"),
    ("some c: Card has c.kind is egg", "no Card has kind egg"),
    (
        "every c: Card has c.kind is owl",
        "some Card has kind other than owl",
    ),
    (
        "every c: Card has c.kind is owl or not c.red",
        "some Card is red and has kind other than owl",
    ),
    (
        "every c: Card has c.kind is owl or c.kind is egg or not c.red",
        "some Card is red and has kind wolf or crow",
    ),
    (
        "(count of c: Card where c.red) < 2",
        "more than one Card is red",
    ),
    (
        "every c: Card has not c.red or every d: Card has d = c or d.kind is not egg",
        "some Card is red and another one has kind egg",
    ),
    ("some c: Card has not c.red", "every Card is red"),
    (
        "every c: Card has not (c.red and c.kind is egg)",
        "some Card is red and has kind egg",
    ),
    ("(count of c: Card) < 2", "there are at least 2 Cards"),
    ("(count of c: Card) >= 2", "there is at most one Card"),
    (
        "(every c: Card has c.kind is not egg) and n != 5",
        "either some Card has kind egg; or n is 5",
    ),
];

/// Conditions that nobody would say, or keep in mind: the data have them.
const LONG: [&str; 2] = [
    "(n != 5 and every c: Card has c.kind is not egg) or every c: Card has c.red",
    "not (n = 5 and m = 3 and some c: Card has c.red)",
];

/// On which boards a claim is refuted.
fn refuted(claim: &str) -> (Program, Occurs) {
    let text = format!(
        "sequence rest\n  step one\n    set m to m\n\
         var n: integer, explore 0 to 5\nvar m: integer, explore 2 to 3\n\
         entity Card, explore 0 to 2\n  red: boolean\n  kind: one of owl, egg, wolf, crow\n\
         claim kept: must {claim} after rest\n"
    );
    let program = compiled(&text).unwrap();
    let results = check(&program);
    let claimed = results.findings.iter().find(|one| one.subject == "kept");
    let occurs = claimed.and_then(|one| one.occurs.clone()).unwrap();
    (program, occurs)
}

#[test]
fn conditions_of_many_facts_are_left_out_of_the_prose() {
    for claim in LONG {
        let (program, occurs) = refuted(claim);
        assert_eq!(described(&program, &occurs), "", "{claim}");
        let (only, _) = conditions(&program, &occurs, 1);
        assert!(only.is_some(), "{claim}");
    }
}

#[test]
fn descriptions_are_short() {
    let mut wrong = String::new();
    for (claim, words) in TOLD {
        let (program, occurs) = refuted(claim);
        let said = described(&program, &occurs);
        if said != format!("just those on which {words}") {
            let _ = writeln!(wrong, "{claim}\n  {said}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
