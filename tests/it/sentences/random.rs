//! Sentences about random specifications against all their runs, visited with the interpreter alone.
//!
//! `SENTENCES=0..1000 cargo test --test it sentences` looks at the random specifications with these
//! numbers.

use std::collections::BTreeMap;

use endstep::analysis::Options;
use endstep::semantics::{Key, Site, Who};
use endstep::typing::program::{Claim, ClaimKind, Order, Program, ReadingOrigin, StmtKind};
use endstep::verdict::{
    Detail, Finding, Limitation, Question, Results, Untested, Verdict, fingerprint,
};
use endstep::witness::{Happening, Made, Run, Versus, Witness, trace};
use serde_json::Value;

use super::Checked;
use super::headings::headings;
use super::moments::{arrangements, choosers, positions, rounds, zones};
use super::named::{named, only_if};
use super::walk::{Met, Walk};
use crate::engines::{LIMITS, random};
use crate::orders::numbers;

/// How often each kind of sentence was looked at.
pub type Counted = BTreeMap<&'static str, u64>;

pub fn wrong(what: &str, told: impl std::fmt::Debug) -> String {
    format!("{what}: {told:?}")
}

/// What is chosen on a run, in order.
fn made(program: &Program, run: &Run) -> Vec<Made> {
    let moments = trace(program, run).unwrap().moments.into_iter();
    let made = moments.filter_map(|one| match one.what {
        Happening::Choice(made) => Some(made),
        _ => None,
    });
    made.collect()
}

/// What two runs take where they first part.
fn parting(program: &Program, versus: &Versus) -> Option<(Made, Made)> {
    let (first, second) = (made(program, &versus.run), made(program, &versus.against));
    let mut pairs = first.into_iter().zip(second);
    pairs.find(|(one, other)| one.taken != other.taken)
}

/// The findings with what the report says of each.
pub fn told(checked: &Checked) -> Vec<(&Finding, Value)> {
    let json = checked.json();
    let all = json["findings"].as_array().unwrap().clone();
    checked.results.findings.iter().zip(all).collect()
}

pub fn text(told: &Value) -> &str {
    told["text"].as_str().unwrap()
}

/// "Nobody decides anything on the way", "player 1 decides which", "a player chooses it".
fn deciders(
    program: &Program,
    (finding, told): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    match (&finding.detail, &finding.witness) {
        (Detail::Growth { .. }, Some(Witness::Growth { run, .. })) => {
            let moments = trace(program, run).unwrap().moments.into_iter();
            let mut round = moments.skip_while(|one| !matches!(one.what, Happening::CycleBegins));
            let decided = |what| matches!(what, Happening::Choice(made) if made.who != Who::Nobody);
            let decided = round.any(|one| decided(one.what));
            if decided == text(told).contains("Nobody decides anything on the way") {
                return Err(wrong("who decides", text(told)));
            }
            *counted.entry("rounds decided").or_default() += 1;
        }
        (Detail::Order(pair) | Detail::Steps(_, pair), Some(Witness::Versus(versus))) => {
            let title = told["title"].as_str().unwrap();
            let open = pair.who == Who::Nobody;
            let says_open = title.contains("the document does not fix it")
                || title.contains("the document leaves it open");
            let parted = parting(program, versus);
            let same = |(one, other): &(Made, Made)| one.who == pair.who && other.who == pair.who;
            if open != says_open || !parted.as_ref().is_none_or(same) {
                return Err(wrong(title, (pair, parted)));
            }
            *counted.entry("orders decided").or_default() += 1;
        }
        _ => {}
    }
    Ok(())
}

/// "(a) … Then it ends so", "With … first, it can end so": each end with its own alternative, in the order of the list.
fn sides(
    program: &Program,
    (finding, told): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    let Some(Witness::Versus(versus)) = &finding.witness else {
        return Ok(());
    };
    let runs = [(&versus.run, 0), (&versus.against, 1)];
    let end = |at: usize| told["witness"]["runs"][at]["text"].as_str().unwrap();
    if end(0) == end(1) {
        return Ok(());
    }
    let said = text(told);
    if let Detail::Reading {
        reading,
        first,
        second,
        ..
    } = &finding.detail
    {
        if program.readings[*reading].origin != ReadingOrigin::Declared || !said.contains("(a) ") {
            return Ok(());
        }
        let mut from = 0;
        for at in [*first, *second] {
            let alternative = &program.readings[*reading].alternatives[usize::from(at)];
            let means = match alternative.text.is_empty() {
                true => alternative.name.replace('_', " "),
                false => alternative.text.trim_end_matches('.').to_owned(),
            };
            let mut its = runs.iter();
            let its = its.find(|(run, _)| run.readings.get(reading) == Some(&at));
            let (_, which) = its.ok_or_else(|| wrong("no run under", &means))?;
            let means = means.to_lowercase();
            let sentences = [end(*which).to_owned(), possibly(end(*which))];
            let sentences = sentences.map(|end| format!("{means}. then {end}.").to_lowercase());
            let said = said.to_lowercase();
            let mut found = sentences.iter().filter_map(|one| said[from..].find(one));
            from += found
                .next()
                .ok_or_else(|| wrong(&sentences[0], said.clone()))?
                + 1;
        }
        *counted.entry("sides of readings").or_default() += 1;
        return Ok(());
    }
    let Some((one, other)) = parting(program, versus) else {
        return Ok(());
    };
    if said.contains("With ")
        && matches!(
            (&one.taken, &other.taken),
            (Key::Element(..), Key::Element(..))
        )
    {
        for ((run, at), made) in runs.iter().zip([one, other]) {
            let name = run.names.key(program, &made.taken).replace('_', " ");
            let ended = said.split(". ").any(|one| {
                let one = one.trim_end_matches('.');
                let ends = [end(*at).to_owned(), possibly(end(*at))];
                one.starts_with(&format!("With {name}"))
                    && ends
                        .iter()
                        .any(|end| one.ends_with(end.trim_end_matches('.')))
            });
            if said.contains(&format!("With {name}")) && !ended {
                return Err(wrong(&name, said));
            }
        }
        *counted.entry("sides of orders").or_default() += 1;
    }
    Ok(())
}

/// How a run can end, of how it ends.
fn possibly(end: &str) -> String {
    let end = end.replacen("it ends ", "it can end ", 1);
    let end = end.replacen("it stops, ", "it can stop, ", 1);
    let end = end.replacen("it is a draw", "it can be a draw", 1);
    let end = end.replacen("it never ends", "it can go on for ever", 1);
    end.replacen(" wins", " can win", 1)
        .replacen(" loses", " can lose", 1)
}

/// What is moved at once is told in the order of its arrival, as far as it was chosen.
fn arrivals(
    program: &Program,
    (finding, told): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    let runs = finding
        .witness
        .as_ref()
        .map_or_else(Vec::new, Witness::runs);
    for (at, run) in runs.iter().enumerate() {
        let trace = trace(program, run).unwrap();
        let mut chosen: Vec<String> = Vec::new();
        let moments = told["witness"]["runs"][at]["trace"].as_array();
        let moments = moments.cloned().unwrap_or_default();
        for moment in &trace.moments {
            if let Happening::Choice(made) = &moment.what
                && let Key::Insert(id) = made.taken
            {
                chosen.push(run.names.entity(id));
            }
            if moment.changes.is_empty() || chosen.is_empty() {
                continue;
            }
            let same = |one: &&Value| {
                one["step"] == moment.step && one["changes"] != Value::Array(Vec::new())
            };
            let lines = moments.iter().filter(same);
            let lines: Vec<&str> = lines
                .flat_map(|one| one["changes"].as_array().unwrap())
                .map(|line| line.as_str().unwrap())
                .collect();
            let place = |name: &String| {
                let mut lines = lines.iter();
                lines.position(|line| {
                    let rest = line.strip_prefix(name.as_str());
                    let verbs = [" moves from ", " lay nowhere ", " is new "];
                    rest.is_some_and(|rest| verbs.iter().any(|verb| rest.starts_with(verb)))
                })
            };
            let places: Vec<usize> = chosen.iter().filter_map(place).collect();
            if !places.is_sorted() {
                return Err(wrong("arrivals", (&chosen, &lines)));
            }
            *counted.entry("arrivals").or_default() += u64::from(places.len() > 1);
            chosen.clear();
        }
    }
    Ok(())
}

/// Two ends that are said to differ do, and each row of what differs has two values.
fn differences((finding, told): (&Finding, &Value), counted: &mut Counted) -> Result<(), String> {
    let rows = told["witness"]["differences"].as_array();
    for row in rows.into_iter().flatten() {
        if row["first"] == row["second"] {
            return Err(wrong("no difference", row));
        }
        *counted.entry("differences").or_default() += 1;
    }
    let compares = matches!(
        finding.witness,
        Some(Witness::Versus(_) | Witness::Power(_))
    );
    if compares && rows.is_none_or(Vec::is_empty) {
        return Err(wrong("nothing differs", text(told)));
    }
    Ok(())
}

/// "The document fixes the order": it does under the readings of the run shown.
fn fixed(program: &Program, finding: &Finding, counted: &mut Counted) -> Result<(), String> {
    let (Detail::Position { stmt, .. }, Some(Witness::Versus(versus))) =
        (&finding.detail, &finding.witness)
    else {
        return Ok(());
    };
    let StmtKind::ForEach { order, .. } = &program.stmts[*stmt].kind else {
        return Err(wrong("no iteration", &finding.subject));
    };
    let mut order = order;
    while let Order::Per(reading, alternatives) = order {
        let at = versus.run.readings.get(reading);
        let at = at.ok_or_else(|| wrong("a reading that was not asked", &finding.subject))?;
        order = &alternatives[usize::from(*at)];
    }
    if matches!(order, Order::Any | Order::Chosen(_)) {
        return Err(wrong("no fixed order", &finding.subject));
    }
    *counted.entry("orders fixed").or_default() += 1;
    Ok(())
}

/// "occurs on N of M legal boards", "every legal board", of runs that stop in a gap.
fn boards(
    results: &Results,
    met: &BTreeMap<usize, Met>,
    finding: &Finding,
    counted: &mut Counted,
) -> Result<(), String> {
    let Some(met) = finding.scope.and_then(|at| met.get(&at)) else {
        return Ok(());
    };
    let scope = &results.scopes[finding.scope.unwrap()];
    if scope.legal != met.boards {
        return Err(wrong("legal boards", (scope.legal, met.boards)));
    }
    let Detail::Gap(name) = &finding.detail else {
        return Ok(());
    };
    let stopped = met.gaps.get(name).map_or(&[][..], Vec::as_slice);
    let run = finding
        .witness
        .as_ref()
        .and_then(|one| one.runs().first().copied());
    let shown = run.is_some_and(|run| stopped.contains(&run.board));
    if !shown {
        return Err(wrong(
            "no run from the board shown stops so",
            &finding.subject,
        ));
    }
    // Gaps of one kind at one place are one finding, however they are told apart on the way.
    let others: u64 = met.gaps.values().map(|one| one.len() as u64).sum();
    if finding.boards < stopped.len() as u64 || finding.boards > others {
        return Err(wrong("boards", (finding.boards, stopped.len(), others)));
    }
    *counted.entry("boards counted").or_default() += 1;
    Ok(())
}

/// "no run that follows the document gets here".
fn never(met: &[&Met], finding: &Finding, counted: &mut Counted) -> Result<(), String> {
    let executed = match finding.detail {
        Detail::DeadStatement(id) => met.iter().any(|one| one.executed.contains(&id)),
        Detail::DeadStep(id) => met.iter().any(|one| one.begun.contains(&id)),
        _ => return Ok(()),
    };
    if executed {
        return Err(wrong("some run gets there", &finding.subject));
    }
    *counted.entry("never").or_default() += 1;
    Ok(())
}

/// What is said beside claims that hold: that they could not have failed, or do not speak of all runs.
fn claims(
    checked: &Checked,
    met: &BTreeMap<usize, Met>,
    counted: &mut Counted,
) -> Result<(), String> {
    let (program, results) = (&checked.program, &checked.results);
    let report = checked.report();
    for answer in &results.answers {
        let Question::Claim(at) = answer.subject else {
            continue;
        };
        let Some(mets): Option<Vec<&Met>> = answer.scopes.iter().map(|at| met.get(at)).collect()
        else {
            continue;
        };
        let claim = &program.claims[at];
        if answer.untested == Some(Untested::NothingToOrder) {
            let ClaimKind::OrderIrrelevant(_, step) = &claim.kind else {
                return Err(wrong("no claim about orders", &claim.name));
            };
            let path = step.map(|step| {
                let step = &program.steps[step];
                format!("{}/{}/", program.sequences[step.sequence].name, step.name)
            });
            // Of a step only what is written in it is looked at here.
            let inside = |site: &&Site| match (&path, site) {
                (Some(path), Site::Stmt(id)) => program.stmts[*id].path.starts_with(path.as_str()),
                (Some(_), _) => false,
                (None, _) => true,
            };
            if let Some(site) = mets
                .iter()
                .flat_map(|one| &one.open)
                .find(|site| inside(site))
            {
                return Err(wrong("something is left open", (&claim.name, site)));
            }
            *counted.entry("nothing left open").or_default() += 1;
        }
        if answer.untested == Some(Untested::NoEnd) && mets.iter().any(|one| one.ends) {
            return Err(wrong("some run ends", &claim.name));
        }
        let of_end = matches!(
            claim.kind,
            ClaimKind::Invariant(_, endstep::syntax::ast::At::End, _) | ClaimKind::Must(..)
        );
        if of_end && answer.verdict == Verdict::HoldsInScope {
            let missing = mets.iter().any(|one| one.stops || one.endless);
            let line = line(&report, claim);
            let told = line.contains("do not count");
            // Of what is not verified that is not known.
            let is_open = line.contains("if any do");
            // Where no run ends, that is said anyhow.
            if answer.untested != Some(Untested::NoEnd) && missing != told && !is_open {
                return Err(wrong("runs without an end", (&claim.name, missing, line)));
            }
            *counted.entry("claims about ends").or_default() += 1;
        }
    }
    Ok(())
}

/// What is said of a claim that holds.
fn line<'a>(report: &'a str, claim: &Claim) -> &'a str {
    let (_, holds) = report.split_once("Holds in scope: every board").unwrap();
    let kind = if claim.question { "question" } else { "claim" };
    let begins = format!("  {kind} {}: ", claim.name);
    let mut lines = holds.lines();
    lines.find(|line| line.starts_with(&begins)).unwrap()
}

/// Identity is no matter of words.
fn prints(program: &Program, (finding, told): (&Finding, &Value)) -> Result<(), String> {
    match told["fingerprint"] == fingerprint(program, finding) {
        true => Ok(()),
        false => Err(wrong("fingerprint", &told["fingerprint"])),
    }
}

fn compare(text: &str, counted: &mut Counted) -> Result<(), String> {
    let options = Options {
        limits: LIMITS,
        ..Options::default()
    };
    let checked = Checked::of(text, &options);
    let (program, results) = (&checked.program, &checked.results);
    for (finding, told) in told(&checked) {
        let both = (finding, &told);
        prints(program, both)?;
        deciders(program, both, counted)?;
        sides(program, both, counted)?;
        arrivals(program, both, counted)?;
        headings(program, both, counted)?;
        choosers(program, both, counted)?;
        zones(program, both, counted)?;
        arrangements(program, both, counted)?;
        positions(program, both, counted)?;
        rounds(program, both, counted)?;
        named(program, both, counted)?;
        only_if(program, both, counted)?;
        differences(both, counted)?;
        fixed(program, finding, counted)?;
    }
    let mut met = BTreeMap::new();
    for (at, scope) in results.scopes.iter().enumerate() {
        let is_known = |one: &Limitation| matches!(one, Limitation::NoBoard);
        if !scope.limitations.iter().all(is_known) {
            continue;
        }
        if let Some(found) = Walk::of(program, scope.subject).and_then(|walk| walk.met()) {
            met.insert(at, found);
        }
    }
    // What is done in an experiment is not done by the document.
    let rules = met.iter().filter(|(at, _)| {
        let sequence = results.scopes[**at].subject.sequence(program);
        sequence.is_none_or(|id| !program.sequences[id].is_experiment())
    });
    let rules: Vec<&Met> = rules.map(|(_, met)| met).collect();
    for finding in &results.findings {
        boards(results, &met, finding, counted)?;
        never(&rules, finding, counted)?;
    }
    claims(&checked, &met, counted)
}

#[test]
fn sentences_about_random_specifications_are_true() {
    let mut counted = Counted::new();
    let mut found = Vec::new();
    let all = numbers("SENTENCES", 220);
    for number in all.clone() {
        let text = random(number);
        if let Err(why) = compare(&text, &mut counted) {
            found.push(format!("number {number}: {why}\n{text}"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    if all.end - all.start < 150 {
        return;
    }
    for what in [
        "orders decided",
        "changes under headings",
        "differences",
        "choosers",
        "zones",
        "arrangements",
        "positions",
        "rounds",
        "named",
        "boards counted",
        "never",
        "claims about ends",
    ] {
        assert!(
            counted.get(what).is_some_and(|&n| n > 5),
            "{what}: {counted:?}"
        );
    }
}

#[test]
fn where_a_zone_is_seen_as_a_set_its_arrangement_is_no_difference() {
    for sight in ["pile", "pile as a set", "score"] {
        let text = format!(
            "game \"Piled\"\nentity Card, explore 2\n  power: integer, explore 0 to 1\nzone row of Card\n\
             zone pile of Card, starts empty\nvar score: integer from 0 to 9, starts 0\nobserver seen \"so\"\n  \
             sees score\n  sees {sight}\nsequence s\n  step t\n    basis text\n    \
             for each c: Card in row, in any order\n      set score to 2 * score + c.power\n      \
             move c to bottom of pile\nverify s observing seen\n"
        );
        let mut counted = Counted::new();
        compare(&text, &mut counted).unwrap();
        let zones = counted.get("zones").copied().unwrap_or(0);
        assert_eq!(zones > 0, sight == "pile", "{counted:?}");
    }
}

#[test]
fn all_readings_under_which_a_run_never_ends_are_told() {
    let text = "game \"Spin\"\nreading pace\n  slow \"slowly\"\n  quick \"quickly\"\n  never \"not at all\"\n\
                sequence s\n  step t\n    basis text\n    repeat while pace is slow or pace is never\n      \
                nothing\nverify s\n";
    let mut counted = Counted::new();
    compare(text, &mut counted).unwrap();
    assert_eq!(counted["only if"], 3);
}
