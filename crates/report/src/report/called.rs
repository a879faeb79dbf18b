//! What the runs of a witness are called: over what happens in them, and over the columns of a table.
//!
//! ```text
//! First: zero = exactly            zero = exactly    runs under two readings
//! With fighter 1 first             fighter 1 first   runs under one, by where they first part
//! ```

use super::demands;
use super::words::{Words, plain};
use endstep_semantics::semantics::{ChoiceKind, Key, Readings};
use endstep_semantics::witness::{
    Ability, Happening, Made, Power, Root, Run, RunEnd, Versus, Witness, trace,
};

/// What runs are called.
pub(super) struct Called {
    /// Over what happens in each.
    pub titles: Vec<String>,
    /// Over the columns that compare two.
    pub columns: [String; 2],
}

/// What one run is called that has no other name.
pub(super) const HAPPENS: &str = "What happens";

impl Called {
    /// What the runs of a witness are called.
    pub(super) fn of(words: Words<'_>, witness: &Witness) -> Self {
        let one = |title: &str| Self {
            titles: vec![title.to_owned()],
            columns: NAMELESS.map(str::to_owned),
        };
        match witness {
            Witness::Run { .. } => one(HAPPENS),
            Witness::Lasso { .. } => one("What happens, and happens again"),
            Witness::Growth { .. } => one("What happens, and happens again with more"),
            Witness::Versus(versus) => of_versus(words, versus),
            Witness::Again { .. } => Self {
                titles: ["First", "Once again"].map(str::to_owned).into(),
                columns: ["done once", "done once again"].map(str::to_owned),
            },
            Witness::Power(power) => Self {
                titles: power_titles(words, power),
                columns: by_readings(words, &power.able, &power.unable),
            },
            Witness::Demands(shown) => {
                let titles = demands::titles(words, shown);
                let column = |at: usize| {
                    let title = titles.get(at).and_then(|one| one.split_once(": "));
                    title.map_or_else(|| NAMELESS[at].to_owned(), |(_, what)| plain(what))
                };
                Self {
                    columns: [column(0), column(1)],
                    titles,
                }
            }
        }
    }
}

/// What two are called of which nothing else is known.
const NAMELESS: [&str; 2] = ["first", "second"];

fn of_versus(words: Words<'_>, versus: &Versus) -> Called {
    let (first, second) = (&versus.run, &versus.against);
    if first.readings != second.readings {
        let titles = ["First", "Second"]
            .into_iter()
            .zip(own(words, first, second));
        let title = |(which, own): (&str, String)| match own.is_empty() {
            true => which.to_owned(),
            false => format!("{which}: {own}"),
        };
        return Called {
            titles: titles.map(title).collect(),
            columns: by_readings(words, first, second),
        };
    }
    match by_course(words, first, second) {
        Some(columns) => Called {
            titles: columns.iter().map(|name| format!("With {name}")).collect(),
            columns,
        },
        None => Called {
            titles: ["First", "Second"].map(str::to_owned).into(),
            columns: NAMELESS.map(str::to_owned),
        },
    }
}

/// By what they perform, else by where they part.
fn by_course(words: Words<'_>, first: &Run, second: &Run) -> Option<[String; 2]> {
    by_root(words, first, second).or_else(|| by_choice(words, first, second))
}

/// What two runs are called in a sentence, after "with"; nothing if they have no names that tell them
/// apart.
pub(super) fn compared(words: Words<'_>, versus: &Versus) -> Option<[String; 2]> {
    let (first, second) = (&versus.run, &versus.against);
    if first.readings == second.readings {
        return by_course(words, first, second);
    }
    let names = by_readings(words, first, second);
    (names[0] != NAMELESS[0]).then_some(names)
}

/// Whether two runs are called by what is chosen where they part.
pub(super) fn are_by_choice(words: Words<'_>, versus: &Versus) -> bool {
    let (first, second) = (&versus.run, &versus.against);
    first.readings == second.readings
        && by_root(words, first, second).is_none()
        && by_choice(words, first, second).is_some()
}

/// Who can bring about or prevent something.
pub(super) fn able(power: &Power) -> String {
    let player = power.player.map(|player| power.able.names.entity(player));
    player.unwrap_or_else(|| "the players together".to_owned())
}

/// What the runs are called of which somebody can bring about or prevent one.
fn power_titles(words: Words<'_>, power: &Power) -> Vec<String> {
    let who = able(power);
    let shown = match power.ability {
        Ability::Force => &power.able,
        Ability::Avoid => &power.unable,
    };
    let ends = matches!(shown.end, RunEnd::Ended(_));
    let [able, unable] = match (power.ability, ends) {
        (Ability::Force, true) => [
            "can make sure that it ends just so",
            "cannot make sure of that end",
        ],
        (Ability::Force, false) => [
            "can make sure that it never ends",
            "cannot make sure of that",
        ],
        (Ability::Avoid, true) => [
            "can prevent that it ends just as in the second",
            "cannot prevent this end",
        ],
        (Ability::Avoid, false) => [
            "can prevent that it never ends",
            "cannot prevent that it never ends",
        ],
    };
    let [one, other] = own(words, &power.able, &power.unable);
    vec![
        format!("First: {one}; {who} {able}"),
        format!("Second: {other}; {who} {unable}"),
    ]
}

/// The readings that all of some runs have. Neither need depend on them: which other outcomes there are does.
pub(super) fn shared(runs: &[&Run]) -> Readings {
    let Some((first, others)) = runs.split_first() else {
        return Readings::new();
    };
    let mut shared = first.readings.clone();
    shared.retain(|id, at| others.iter().all(|run| run.readings.get(id) == Some(at)));
    shared
}

/// The readings of two runs that they do not share.
fn own(words: Words<'_>, first: &Run, second: &Run) -> [String; 2] {
    let shared = shared(&[first, second]);
    [first, second].map(|run| {
        let mut own = run.readings.clone();
        own.retain(|id, _| !shared.contains_key(id));
        words.readings(&own)
    })
}

/// By the readings that both depend on and take differently; where there are none, by those that only one
/// depends on.
fn by_readings(words: Words<'_>, first: &Run, second: &Run) -> [String; 2] {
    let (first, second) = (&first.readings, &second.readings);
    let own = |one: &Readings, other: &Readings, both: bool| {
        let differs = one.iter().filter(|(id, at)| match other.get(*id) {
            Some(its) => its != *at,
            None => !both,
        });
        words.readings_told(&differs.map(|(id, at)| (*id, *at)).collect())
    };
    let names = |both| [own(first, second, both), own(second, first, both)];
    let of_both = names(true);
    let all = if of_both[0].is_empty() {
        names(false)
    } else {
        of_both
    };
    match all.iter().all(|name| !name.is_empty()) {
        true => all,
        false => NAMELESS.map(str::to_owned),
    }
}

/// By what they perform, if that is not the same.
fn by_root(words: Words<'_>, first: &Run, second: &Run) -> Option<[String; 2]> {
    let name = |run: &Run| match &run.root {
        Root::Sequence(sequence, _) => words.sequence(*sequence),
        Root::Step(step, _) => words.step(*step),
    };
    let names = [name(first), name(second)];
    (names[0] != names[1]).then_some(names)
}

/// What is chosen in a run, in order.
pub(super) fn made(words: Words<'_>, run: &Run) -> Option<Vec<Made>> {
    let moments = trace(words.program, run).ok()?.moments.into_iter();
    let made = moments.filter_map(|moment| match moment.what {
        Happening::Choice(made) => Some(made),
        _ => None,
    });
    Some(made.collect())
}

/// What two runs take where they first part, if it is one choice between the same things.
fn parting(words: Words<'_>, first: &Run, second: &Run) -> Option<[Made; 2]> {
    let made = |run: &Run| made(words, run);
    let mut pairs = made(first)?.into_iter().zip(made(second)?);
    let (one, other) = pairs.find(|(one, other)| one.taken != other.taken)?;
    (one.kind == other.kind && one.offered == other.offered).then_some([one, other])
}

/// Two alternatives, that which the first run of a witness takes first.
pub(super) fn as_shown<'p>(
    words: Words<'_>,
    witness: Option<&Witness>,
    (one, other): (&'p Key, &'p Key),
) -> (&'p Key, &'p Key) {
    let parting = match witness {
        Some(Witness::Versus(versus)) => parting(words, &versus.run, &versus.against),
        _ => None,
    };
    match parting {
        Some([first, second]) if first.taken == *other && second.taken == *one => (other, one),
        _ => (one, other),
    }
}

/// By what is chosen where they first part.
fn by_choice(words: Words<'_>, first: &Run, second: &Run) -> Option<[String; 2]> {
    let [one, other] = parting(words, first, second)?;
    let name = |run: &Run, made: &Made| {
        let key = words.key(&run.names, &made.taken);
        match (made.kind, &made.taken) {
            (ChoiceKind::Order, step @ Key::Step(_)) => {
                format!("\"{}\" first", words.label(&run.names, step))
            }
            (ChoiceKind::Order, _) => format!("{key} first"),
            (ChoiceKind::Selection | ChoiceKind::Distribution, _) => format!("{key} chosen"),
            (ChoiceKind::Chance, _) => format!("{key} by chance"),
            (ChoiceKind::Gap, _) => key,
        }
    };
    let names = [name(first, &one), name(second, &other)];
    (names[0] != names[1]).then_some(names)
}
