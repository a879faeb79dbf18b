//! Continuous values on a run: what they are after a change, and why they are nothing where a run stops for that.
//!
//! ```text
//! so power of ogre: from 2 to 3
//! either of these fits: power of ogre = 2, taunt of ogre = true; or power of ogre = 1, taunt of ogre = false
//! if taunt of ogre is true, it comes to false; if it is false, it comes to true
//! ```

use super::words::{Words, beside_others, value_words};
use endstep_language::typing::program::{DefineId, Program, Type, Value};
use endstep_semantics::semantics::{
    Circle, Clash, Data, Group, Interpreter, Member, Names, Readings, Solved, Variant,
};
use endstep_semantics::witness::Follows;
use std::collections::BTreeMap;

/// More than these are only counted.
const MOST: usize = 6;

/// A line for each value that is something else now.
pub(super) fn lines(words: Words<'_>, names: &Names, follows: &[Follows]) -> Vec<String> {
    let line = |one: &Follows| {
        let name = called(words, names, one.member);
        let told = |value| shown(words.program, names, one.member, value);
        match (one.before, one.after) {
            (Some(before), Some(after)) => {
                format!("so {name}: from {} to {}", told(before), told(after))
            }
            (_, Some(after)) => format!("so {name} is {} now, and had no value", told(after)),
            (_, None) => format!("so {name} has no value any more"),
        }
    };
    let mut lines: Vec<String> = follows.iter().take(MOST).map(line).collect();
    match follows.len().saturating_sub(MOST) {
        0 => {}
        1 => lines.push("so 1 more value is another".to_owned()),
        more => lines.push(format!("so {more} more values are others")),
    }
    lines
}

/// What continuous values are on a board, of those that consult no reading.
pub(super) fn at(program: &Program, names: &Names, data: &Data) -> Vec<String> {
    let it = Interpreter {
        program,
        readings: &Readings::new(),
        variant: &Variant::default(),
    };
    let mut found: BTreeMap<DefineId, Vec<String>> = BTreeMap::new();
    for (member, value) in it.groups(data).iter().flat_map(|one| one.values(program)) {
        let told = value.map_or_else(
            || "no value".to_owned(),
            |value| shown(program, names, member, value),
        );
        found
            .entry(member.value)
            .or_default()
            .push(match member.of {
                Some(of) => format!("{} {told}", names.entity(of)),
                None => told,
            });
    }
    let line = |(value, mut all): (DefineId, Vec<String>)| {
        let more = all.len().saturating_sub(MOST);
        all.truncate(MOST);
        if more > 0 {
            all.push(format!("{more} more"));
        }
        let name = beside_others(&program.defines[value].name);
        format!("{name}: {}", all.join(", "))
    };
    found.into_iter().map(line).collect()
}

/// Why groups have no value.
pub(super) fn why(words: Words<'_>, names: &Names, open: &[Group]) -> Vec<String> {
    open.iter()
        .filter_map(|group| match (&group.solved, &group.circle) {
            (Solved::Several(two), _) => Some(several(words, names, group, two)),
            (Solved::None, Some(circle)) => Some(none(words, names, group, circle)),
            (Solved::None, None) | (Solved::One(_), _) => None,
        })
        .collect()
}

/// Two assignments that fit, without what is the same in both.
fn several(words: Words<'_>, names: &Names, group: &Group, two: &[Vec<i64>; 2]) -> String {
    let [one, other] = two;
    let differs: Vec<usize> = (0..group.members.len())
        .filter(|&at| one[at] != other[at])
        .collect();
    let told = |numbers: &[i64]| {
        let shown = differs.iter().take(MOST).map(|&at| {
            let (name, value) = told(words, names, group, at, numbers[at]);
            format!("{name} = {value}")
        });
        let mut all: Vec<String> = shown.collect();
        if differs.len() > MOST {
            all.push(format!("{} more", differs.len() - MOST));
        }
        all.join(", ")
    };
    format!("either of these fits: {}; or {}", told(one), told(other))
}

/// What each value that is tried leads to.
fn none(words: Words<'_>, names: &Names, group: &Group, circle: &Circle) -> String {
    let comes = |(number, clash): &(i64, Clash)| {
        let tried = circle.tried.map(|at| (at, *number));
        led(words, names, group, tried, *clash)
    };
    let all: Vec<String> = circle.clashes.iter().map(comes).collect();
    all.join("; ")
}

/// What a value that is tried leads to.
fn led(
    words: Words<'_>,
    names: &Names,
    group: &Group,
    tried: Option<(usize, i64)>,
    clash: Clash,
) -> String {
    let comes = match clash {
        Clash::Comes(number) => {
            let at = tried.map_or(0, |(at, _)| at);
            let (_, value) = told(words, names, group, at, number);
            format!("it comes to {value}")
        }
        Clash::Beyond(at, number) => {
            let (name, value) = told(words, names, group, at, number);
            let define = &words.program.defines[group.members[at].value];
            let range = define.continuous.as_ref().map(|one| (one.ty, one.range));
            match range {
                Some((Type::Int, (low, high))) => {
                    format!("{name} comes to {value}, which is not from {low} to {high}")
                }
                _ => format!("{name} comes to {value}"),
            }
        }
        Clash::Nothing(at) => {
            let name = called(words, names, group.members[at]);
            format!("the rule of {name} gives no value")
        }
    };
    match tried {
        Some((at, number)) => {
            let (name, value) = told(words, names, group, at, number);
            format!("if {name} is {value}, {comes}")
        }
        None => comes,
    }
}

/// The name of the n-th member, and a number of it as a value.
fn told(
    words: Words<'_>,
    names: &Names,
    group: &Group,
    at: usize,
    number: i64,
) -> (String, String) {
    let member = group.members[at];
    let value = group.value(words.program, at, number);
    (
        called(words, names, member),
        shown(words.program, names, member, value),
    )
}

/// `power of ogre`.
fn called(words: Words<'_>, names: &Names, member: Member) -> String {
    let name = beside_others(&words.program.defines[member.value].name);
    match member.of {
        Some(of) => format!("{name} of {}", names.entity(of)),
        None => name,
    }
}

fn shown(program: &Program, names: &Names, member: Member, value: Value) -> String {
    let continuous = program.defines[member.value].continuous.as_ref();
    match (continuous, value) {
        (Some(one), Value::Enum(_)) => value_words(program, names, (value, one.ty.into())),
        (_, Value::Bool(is_so)) => is_so.to_string(),
        (_, value) => value_words(program, names, (value, Type::Int.into())),
    }
}
