//! What a finding names is what its witness shows, and readings that are listed are those under which it is found.

use endstep::analysis::Options;
use endstep::semantics::{Key, Readings, Tag};
use endstep::typing::program::{Program, ReadingId, ReadingOrigin};
use endstep::verdict::{Detail, Finding, fingerprint};
use endstep::witness::{Run, Side, Witness};
use serde_json::Value;

use super::random::{Counted, text, wrong};
use crate::engines::LIMITS;

/// What a finding names is what its witness shows: why the run stops, which alternatives are taken.
pub fn named(
    _: &Program,
    (finding, _): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    let runs = finding
        .witness
        .as_ref()
        .map_or_else(Vec::new, Witness::runs);
    let Some(end) = runs.first().map(|run| run.tag()) else {
        return Ok(());
    };
    let taken = |run: &Run, side: &Side| {
        let at = side.fixed.checked_sub(1);
        at.and_then(|at| run.choices.get(at).cloned())
    };
    let fits = match (&finding.detail, &finding.witness) {
        (Detail::Range(what), _) => end == Some(&Tag::Range(*what)),
        (Detail::Gap(what), _) => end == Some(&Tag::Gap(what.clone())),
        (
            Detail::Order(pair)
            | Detail::Steps(_, pair)
            | Detail::SameGap(_, pair)
            | Detail::Position { pair, .. }
            | Detail::NobodyChooses(pair),
            Some(Witness::Versus(versus)),
        ) => {
            let one = taken(&versus.run, &versus.side);
            let other = taken(&versus.against, &versus.other);
            let named = [&pair.first, &pair.second].map(|key| Some(key.clone()));
            named == [one.clone(), other.clone()] || named == [other, one]
        }
        (Detail::GapMatters(_, _, first, second), Some(Witness::Versus(versus))) => {
            let is =
                |key: Option<Key>, value| matches!(key, Some(Key::Write(_, one)) if one == value);
            is(taken(&versus.run, &versus.side), *first)
                && is(taken(&versus.against, &versus.other), *second)
        }
        _ => return Ok(()),
    };
    *counted.entry("named").or_default() += 1;
    match fits {
        true => Ok(()),
        false => Err(wrong(
            "the witness shows something else",
            (&finding.detail, runs),
        )),
    }
}

/// "Such a board was found only if …": under just the assignments that have some of what is listed.
pub fn only_if(
    program: &Program,
    (finding, told): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    let Some((_, says)) = text(told).split_once("Such a board was found only if ") else {
        return Ok(());
    };
    let mut all = vec![Readings::new()];
    for (id, reading) in program.readings.iter() {
        let longer = all.iter().flat_map(|one| {
            (0..reading.alternatives.len()).map(move |at| {
                let mut one = one.clone();
                one.insert(id, u16::try_from(at).unwrap());
                one
            })
        });
        all = longer.collect();
    }
    let said = |(id, at): (&ReadingId, &u16)| {
        let reading = &program.readings[*id];
        let alternative = &reading.alternatives[usize::from(*at)];
        let means = match alternative.text.is_empty() {
            true => alternative.name.replace('_', " "),
            false => alternative.text.clone(),
        };
        format!(
            "the reading \"{}\" is taken as \"{means}\"",
            reading.name.replace('_', " ")
        )
    };
    let print = fingerprint(program, finding);
    let declared = |id: &ReadingId| program.readings[*id].origin == ReadingOrigin::Declared;
    for readings in all
        .into_iter()
        .filter(|one| one.len() < 4 && one.keys().all(declared))
    {
        let true_facts: Vec<String> = readings.iter().map(said).collect();
        let mut cases = says.trim_end_matches('.').split(", or if ");
        let is_said = cases.any(|case| {
            let mut facts = case.split(" and the reading");
            let first = facts.next().map(str::to_owned);
            let rest = facts.map(|one| format!("the reading{one}"));
            first
                .into_iter()
                .chain(rest)
                .all(|fact| true_facts.contains(&fact))
        });
        let options = Options {
            limits: LIMITS,
            readings,
            ..Options::default()
        };
        let found = endstep::explore::check(program, &options, &mut |_| {}).findings;
        if found.iter().any(|one| fingerprint(program, one) == print) != is_said {
            return Err(wrong(says, options.readings));
        }
        *counted.entry("only if").or_default() += 1;
    }
    Ok(())
}
