//! Which values on the board of a finding decide that it is found there, all else being as it is.
//!
//! ```text
//! board  Card health 0, guest no        a loop
//! health ..., -1, 0 | 1, 2, ...         found with 0 or less, not with 1 or more
//! guest  no, yes |                      found with both: it decides nothing
//! ```
//!
//! Each value of a place makes a board of its own, which is looked at [closely](super::closely) in all its
//! runs, under the readings in which the runs of the witness agree. (Readings that none of these consults
//! stay open, and so does the one that the finding is about.) What is found there is the same if it has the
//! same fingerprint.
//!
//! *Guarantees.* Of a place that is told, every value that it can have on legal boards was tried: all that
//! the document allows, or, of a number that the document does not bound closely, all that is explored and
//! [`FURTHER`] on either side; which of both is said. A number that the document does not bound goes no further
//! than 0 on a side of 0 on which nothing is explored: a number of things is never negative, and nothing
//! else says that it is one. Bounds of exploration leave no values out. Where the same is not found no run of the
//! board was given up. A place with several values that is neither told nor named as undecided was tried,
//! too: its value does not matter.
//!
//! *Limits.* One place is varied at a time. Links to entities are not, nor where things lie. Undecided are
//! places with more than [`MOST_VALUES`] values, those that would need more than [`MOST_BOARDS`] boards for one
//! finding (places with the fewest values come first), those with a value from which runs were given up on
//! which it depends, and all of them if that is so of the board as it is.

use std::collections::{BTreeMap, BTreeSet};

use super::closely::{all_of_it, is_of_one_board};
use super::engine::Engine;
use super::job::{Job, jobs};
use super::options::{Limits, Options};
use super::threads::Threads;
use crate::verdict::{
    Decisive, Extra, Finding, Obscurity, Results, ScopeOf, Undecided, fingerprint,
};
use endstep_language::diag::codes::finding as code;
use endstep_language::index::Id;
use endstep_language::typing::program::{Bounds, EntityId, Program, Type, Value, VarKind};
use endstep_semantics::semantics::{Data, Readings, Spot};

/// A place with more values than this is left out.
const MOST_VALUES: u64 = 64;

/// So many boards are looked at for one finding.
const MOST_BOARDS: usize = 256;

/// So much further than what is explored numbers go that the document does not bound.
const FURTHER: i64 = 8;

/// Of each of these boards.
const LIMITS: Limits = Limits {
    boards: 1,
    candidates: 1,
    states: 300,
    readings: 64,
    steps: 10_000,
};

/// A place with the values that it can have.
struct Place {
    spot: Spot,
    values: Vec<Value>,
    /// Whether the document allows no others.
    all: bool,
}

/// A board of a job.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Trial {
    /// By position.
    job: usize,
    board: Data,
    /// What is fixed.
    readings: Readings,
    /// Whether orders that the document fixes are looked at, too.
    fixed: bool,
}

/// The program without the limits that end runs on values which the document allows.
pub fn unlimited(program: &Program) -> Program {
    let further = |bounds: &mut Bounds| {
        if let Some(reach) = &mut bounds.reach {
            let document = bounds.document.unwrap_or(*reach);
            *reach = (
                reach.0.saturating_sub(FURTHER).min(document.0),
                reach.1.saturating_add(FURTHER).max(document.1),
            );
        }
    };
    let mut program = program.clone();
    for id in program.fields.ids().collect::<Vec<_>>() {
        further(&mut program.fields[id].bounds);
    }
    for id in program.vars.ids().collect::<Vec<_>>() {
        further(&mut program.vars[id].bounds);
    }
    program
}

/// Says of each finding which values decide; program and engine are those of [`unlimited`].
pub fn decisive(
    (program, engine): (&Program, &dyn Engine),
    options: &Options,
    results: &mut Results,
) {
    let mut jobs = jobs(program, options.claims.as_deref());
    // What is left out of the exploration is a legal board all the same.
    for job in &mut jobs {
        job.all_legal = true;
    }
    let asked: Vec<Option<Asked>> = results
        .findings
        .iter()
        .map(|finding| asked(program, (&jobs, options), results, finding))
        .collect();
    // Each board with the fingerprints of the findings that are looked for on it.
    let mut trials: BTreeMap<&Trial, BTreeSet<&str>> = BTreeMap::new();
    for one in asked.iter().flatten() {
        for trial in one.places.iter().flat_map(|(_, trials)| trials) {
            trials.entry(trial).or_default().insert(&one.print);
        }
    }
    let trials: Vec<(&Trial, BTreeSet<&str>)> = trials.into_iter().collect();
    let look = |(_, trial): (usize, &(&Trial, BTreeSet<&str>))| {
        look((program, engine), (&jobs, options), trial)
    };
    let shown = Threads::new(options.threads).map(&trials, look);
    let shown: BTreeMap<&Trial, Shown> =
        trials.iter().map(|(trial, _)| *trial).zip(shown).collect();
    let all: Vec<(Vec<Decisive>, Vec<Undecided>)> = results
        .findings
        .iter()
        .zip(&asked)
        .map(|(finding, asked)| match asked {
            Some(asked) => told(finding, asked, &shown),
            None => (Vec::new(), Vec::new()),
        })
        .collect();
    for (finding, told) in results.findings.iter_mut().zip(all) {
        (finding.decisive, finding.undecided) = told;
    }
}

/// The places of a finding's board, each with the boards that its values make.
struct Asked {
    /// The fingerprint of the finding.
    print: String,
    /// The board as it is.
    own: Trial,
    places: Vec<(Place, Vec<Trial>)>,
    /// Those that are not tried.
    left_out: Vec<Undecided>,
}

fn asked(
    program: &Program,
    (jobs, options): (&[Job], &Options),
    results: &Results,
    finding: &Finding,
) -> Option<Asked> {
    if !is_of_one_board(finding.code) {
        return None;
    }
    let subject = results.scopes.get(finding.scope?)?.subject;
    // Of a board that the file writes down no other values are tried.
    if matches!(subject, ScopeOf::On(..)) {
        return None;
    }
    let job = jobs.iter().position(|job| job.subject == subject)?;
    let witness = finding.witness.as_ref()?;
    let board = &witness.runs().first()?.board;
    let mut readings = options.readings.clone();
    readings.extend(witness.common_readings());
    let trial = |board: Data| Trial {
        job,
        board,
        readings: readings.clone(),
        fixed: finding.code == code::POSITION_MATTERS,
    };
    let mut left = MOST_BOARDS;
    let mut places = Vec::new();
    let (all, mut left_out) = places_of(program, board);
    for place in all {
        let Some(rest) = left.checked_sub(place.values.len()) else {
            left_out.push(Undecided::of(place.spot, Obscurity::Values));
            continue;
        };
        left = rest;
        let boards = place.values.iter();
        let trials = boards.map(|value| trial(with(program, board, (place.spot, *value))));
        let trials = trials.collect();
        places.push((place, trials));
    }
    let own = trial(board.clone());
    Some(Asked {
        print: fingerprint(program, finding),
        own,
        places,
        left_out,
    })
}

/// The places whose values can be varied, those with the fewest values first; and those with too many.
fn places_of(program: &Program, board: &Data) -> (Vec<Place>, Vec<Undecided>) {
    let vars = program.vars.iter().map(|(id, var)| {
        let mut bounds = var.bounds;
        if var.kind == VarKind::Supply {
            // There is never less than nothing of a supply.
            bounds.document = bounds.document.or(Some((0, i64::MAX)));
        }
        let of = (var.ty, bounds, var.starts);
        (Spot::Var(id), of)
    });
    let entities = board.entities.iter().enumerate();
    let fields = entities.flat_map(|(at, entity)| {
        let fields = program.sorts[entity.sort].fields.iter();
        fields.map(move |&id| {
            let field = &program.fields[id];
            let of = (field.ty, field.bounds, field.starts);
            (Spot::Field(EntityId::from_index(at), id), of)
        })
    });
    let mut places = Vec::new();
    let mut too_many = Vec::new();
    for (spot, (ty, bounds, starts)) in vars.chain(fields) {
        if starts.is_some() {
            continue;
        }
        match values(program, ty, bounds) {
            Some((values, all)) if values.len() > 1 => places.push(Place { spot, values, all }),
            None if ty == Type::Int => too_many.push(Undecided::of(spot, Obscurity::Values)),
            _ => {}
        }
    }
    places.sort_by_key(|place| place.values.len());
    (places, too_many)
}

/// The values of a type, and whether the document allows no others.
fn values(program: &Program, ty: Type, bounds: Bounds) -> Option<(Vec<Value>, bool)> {
    match ty {
        Type::Int => {
            let near = |&(low, high): &(i64, i64)| high.abs_diff(low) < MOST_VALUES;
            let all = bounds.document.filter(near);
            let further = |(low, high): (i64, i64)| {
                let wide = (low.saturating_sub(FURTHER), high.saturating_add(FURTHER));
                match bounds.document {
                    Some((least, most)) => (wide.0.clamp(least, most), wide.1.clamp(least, most)),
                    // Nothing says that there are such numbers on the other side of 0.
                    None if low >= 0 => (wide.0.max(0), wide.1),
                    None if high <= 0 => (wide.0, wide.1.min(0)),
                    None => wide,
                }
            };
            let tried = bounds.explore.map(further).filter(near);
            let (low, high) = all.or(tried)?;
            Some(((low..=high).map(Value::Int).collect(), all.is_some()))
        }
        Type::Bool => Some((vec![Value::Bool(false), Value::Bool(true)], true)),
        Type::Enum(id) => {
            let count = u16::try_from(program.enums[id].values.len()).ok()?;
            Some(((0..count).map(Value::Enum).collect(), true))
        }
        Type::Entity(_) | Type::Optional(_) => None,
    }
}

fn with(program: &Program, board: &Data, (spot, value): (Spot, Value)) -> Data {
    let mut board = board.clone();
    match spot {
        Spot::Var(var) => board.vars[var.index()] = value,
        Spot::Field(id, field) => {
            board.entities[id.index()].fields[program.fields[field].index as usize] = value;
        }
    }
    board
}

/// What a board shows.
struct Shown {
    legal: bool,
    complete: bool,
    /// What was given up beside the runs themselves.
    given_up: BTreeSet<Extra>,
    /// The fingerprints of what is found.
    prints: BTreeSet<String>,
}

fn look(
    of: (&Program, &dyn Engine),
    (jobs, options): (&[Job], &Options),
    (trial, wanted): &(&Trial, BTreeSet<&str>),
) -> Shown {
    let options = Options {
        limits: LIMITS,
        board: Some(trial.board.clone()),
        readings: trial.readings.clone(),
        guide: options.guide.clone(),
        faults_only: !trial.fixed,
        threads: 1,
        ..Options::default()
    };
    let is_wanted = |one: &Finding| wanted.contains(fingerprint(of.0, one).as_str());
    let close = all_of_it(of, &jobs[trial.job], &options, &is_wanted);
    let prints = close.findings.iter();
    Shown {
        legal: close.legal,
        complete: close.complete,
        given_up: close.given_up,
        prints: prints.map(|one| fingerprint(of.0, one)).collect(),
    }
}

/// The places of which everything is known and that decide, and those of which not everything is.
fn told(
    finding: &Finding,
    asked: &Asked,
    shown: &BTreeMap<&Trial, Shown>,
) -> (Vec<Decisive>, Vec<Undecided>) {
    let needed = finding.detail.depends_on();
    let is_complete = |shown: &Shown| {
        shown.complete && !needed.iter().any(|extra| shown.given_up.contains(extra))
    };
    let mut told = Vec::new();
    let mut undecided = asked.left_out.clone();
    for (place, trials) in &asked.places {
        let mut decisive = Decisive {
            spot: place.spot,
            found: Vec::new(),
            other: Vec::new(),
            all: place.all,
        };
        let mut own = false;
        let mut is_known = true;
        for (value, trial) in place.values.iter().zip(trials) {
            let shown = &shown[trial];
            if shown.prints.contains(&asked.print) {
                own |= *trial == asked.own;
                decisive.found.push(*value);
            } else if shown.legal {
                is_known &= is_complete(shown);
                decisive.other.push(*value);
            }
        }
        match (is_known, own) {
            (false, _) => undecided.push(Undecided::of(place.spot, Obscurity::Runs)),
            // What is compared is not one thing.
            (true, false) => undecided.push(Undecided::of(place.spot, Obscurity::Board)),
            (true, true) if decisive.other.is_empty() => {}
            (true, true) => told.push(decisive),
        }
    }
    let is_number = |one: &Decisive| matches!(one.found.first(), Some(Value::Int(_)));
    told.sort_by_key(|one| (!is_number(one), one.spot));
    undecided.sort_unstable_by_key(|one| (one.why, one.spot));
    (told, undecided)
}
