//! Whatever is told of a run stands under the step or trigger that does it: what a change stands under
//! has a statement of its own that can make it.

use std::collections::BTreeSet;

use endstep::analysis::Options;
use endstep::semantics::Spot;
use endstep::typing::program::{Owner, Place, PlaceKind, Program, StmtKind};
use endstep::verdict::Finding;
use endstep::witness::{Difference, Run, Witness, trace};
use serde_json::Value;

use super::Checked;
use super::random::{Counted, told, wrong};

/// Every change in the traces of a finding against the heading that it stands under.
pub fn headings(
    program: &Program,
    (finding, told): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    let runs = finding
        .witness
        .as_ref()
        .map_or_else(Vec::new, Witness::runs);
    for (at, run) in runs.iter().enumerate() {
        let moments = told["witness"]["runs"][at]["trace"].as_array();
        let moments = moments.map_or(&[][..], Vec::as_slice);
        for moment in &trace(program, run).unwrap().moments {
            let is_it = |one: &Value| {
                one["step"] == moment.step && one["changes"] != Value::Array(Vec::new())
            };
            let Some(place) = moments.iter().position(is_it) else {
                continue;
            };
            let heading = moments[..=place].iter().rev();
            let heading = heading
                .filter_map(|one| one["heading"].as_str())
                .next()
                .unwrap_or_default();
            let owners = owners(program, heading);
            for change in &moment.changes {
                let can = |owner: &Owner| can_make(program, run, *owner, change);
                if !owners.iter().any(can) {
                    return Err(wrong(heading, (change, moments)));
                }
                *counted.entry("changes under headings").or_default() += 1;
            }
        }
    }
    Ok(())
}

/// What may be meant by a heading.
fn owners(program: &Program, heading: &str) -> Vec<Owner> {
    let plain = |name: &str| name.replace('_', " ");
    let mut all = Vec::new();
    for (id, step) in program.steps.iter() {
        let sequence = &program.sequences[step.sequence];
        if heading == format!("{}: {}", plain(&sequence.name), plain(&step.name)) {
            all.push(Owner::Step(id));
        }
    }
    for (id, trigger) in program.triggers.iter() {
        let name = format!("the trigger \"{}\" ", plain(&trigger.name));
        if heading.starts_with(&name) {
            all.push(Owner::Trigger(id));
        }
    }
    for (id, sequence) in program.sequences.iter() {
        if heading == format!("{}, before it begins again", plain(&sequence.name)) {
            all.push(Owner::Restart(id));
        }
    }
    all
}

/// Whether a statement that stands directly in something can make a change.
fn can_make(program: &Program, run: &Run, owner: Owner, change: &Difference) -> bool {
    // What is resolved leaves its queue.
    let resolves = matches!((owner, change), (Owner::Trigger(_), Difference::Queue(..)));
    let mut own = program.stmts.values().iter();
    resolves || own.any(|stmt| stmt.owner == Some(owner) && makes(run, &stmt.kind, change))
}

fn makes(run: &Run, kind: &StmtKind, change: &Difference) -> bool {
    if let StmtKind::Perform(sequence, _) = kind {
        return run.variant.contracts.contains(sequence);
    }
    match change {
        Difference::Spot(spot, ..) => match kind {
            StmtKind::Set(place, _)
            | StmtKind::Increase(place, ..)
            | StmtKind::Decrease(place, ..)
            | StmtKind::Distribute { into: place, .. }
            | StmtKind::GapMayChange { place, .. } => is(place, *spot),
            StmtKind::Transfer { from, to, .. } => is(from, *spot) || is(to, *spot),
            _ => false,
        },
        Difference::Zone(..) => matches!(
            kind,
            StmtKind::Move(..)
                | StmtKind::MoveAll(..)
                | StmtKind::Shuffle(_)
                | StmtKind::Create { .. }
                | StmtKind::Remove(_)
        ),
        Difference::Created(_) => matches!(kind, StmtKind::Create { .. }),
        Difference::Removed(_) => matches!(kind, StmtKind::Remove(_)),
        Difference::Queue(..) => {
            matches!(kind, StmtKind::Announce(..) | StmtKind::Resolve { .. })
        }
    }
}

fn is(place: &Place, spot: Spot) -> bool {
    match (&place.kind, spot) {
        (PlaceKind::Var(one), Spot::Var(other)) => *one == other,
        (PlaceKind::Field(_, one), Spot::Field(_, other)) => *one == other,
        _ => false,
    }
}

/// Each way to come back from something else: a sequence, a trigger at once, a queue, to statements that
/// take one small step or several.
const WAYS: [&str; 5] = [
    "perform help",
    "announce e(first of row)",
    "announce f(first of row)\n          resolve q",
    "announce f(first of row)\n          resolve next of q",
    "for each p: P, in player order\n            perform help",
];

const THEN: [&str; 8] = [
    "for each c in row, left to right\n            set c.up to not c.up",
    "repeat until n >= 5\n            increase n by 1",
    "simultaneously\n            set n to 6\n            for each c in row\n              set c.up to true",
    "distribute 2 over c in row into c.v by nobody in particular",
    "gap left may change m within 1 to 2",
    "shuffle row",
    "choose one by chance\n            option \"x\"\n              set n to 7\n            option \"y\"\n              move all of row to out",
    "may by lead \"jump\"\n            set n to 8",
];

fn specification(way: &str, then: &str, body: &str) -> String {
    format!(
        r#"game "Headings"
document d "d"
  clause d.1 (rule) at "1"
    says "x"
    player P, explore 2
    entity Card, explore 2
      up: boolean, starts false
      v: integer from 0 to 9, starts 0
      w: integer from 0 to 9, starts 0
    zone row of Card
    zone out of Card, starts empty
    role lead: P
    var n: integer from 0 to 99, starts 0
    var m: integer from 0 to 99, starts 0
    var k: integer from 0 to 99, starts 0
    queue q, first in first out
    event e(c: Card), at once
    event f(c: Card), in q
    trigger t on e(c)
      set c.w to 1
    trigger t2 on f(c)
      set c.w to 2
    sequence help
      step cure
        set k to k + 1
    sequence u
      step one
        {body}
          {way}
          {then}
      step two
        set k to 9
    verify u
    claim c: invariant k = 0 at the end of u
"#
    )
}

#[test]
fn changes_stand_under_what_makes_them() {
    let mut counted = Counted::new();
    let mut seen = BTreeSet::new();
    for way in WAYS {
        for then in THEN {
            for body in ["if true", "for each o: P, in player order"] {
                let text = specification(way, then, body);
                let checked = Checked::of(&text, &Options::default());
                for (finding, told) in told(&checked) {
                    let before = counted.clone();
                    headings(&checked.program, (finding, &told), &mut counted)
                        .unwrap_or_else(|why| panic!("{why}\n{text}"));
                    if counted != before {
                        seen.insert((way, then));
                    }
                }
            }
        }
    }
    assert_eq!(seen.len(), WAYS.len() * THEN.len(), "{counted:?}");
}
