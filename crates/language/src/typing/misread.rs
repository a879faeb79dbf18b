//! Names that read as more than a name where they are said in sentences.
//!
//! ```text
//! zone row_or_bin of Card            "some Card is in row or bin"      … if there are a row and a bin, too
//! card pal_of_wolf on a board        "pal of wolf has hp 1"            … if pals are told of things, and one is called wolf
//! define hp_of(c: Card) = 7          "every Card has hp 7"
//! ```
//!
//! *Limits.* What can be said of names is known by patterns; a name that fits none of them may still be odd.

use super::alike::said;
use super::checker::Checker;
use super::program::{SortId, Type};
use crate::diag::{Diagnostic, codes};
use crate::source::Span;
use std::collections::BTreeSet;

/// Words that join what stands on both sides.
const JOINING: [&str; 4] = ["and", "but", "nor", "or"];

/// Words that say something of all that follows.
const BEGINNING: [&str; 8] = ["any", "each", "every", "if", "no", "not", "only", "some"];

/// What a sentence can be made of.
struct Vocabulary {
    /// Things, numbers and truths by themselves: variables, definitions and what lies on boards.
    names: BTreeSet<String>,
    /// Things among them that rules can name.
    things: BTreeSet<String>,
    /// Sequences.
    sequences: BTreeSet<String>,
    /// What can be said of one thing: its fields, and definitions and continuous values with one parameter.
    traits: BTreeSet<String>,
    /// Where something lies.
    zones: BTreeSet<String>,
    /// One of a sort.
    one: BTreeSet<String>,
    /// Several of a sort.
    several: BTreeSet<String>,
    /// Values of enumerations.
    values: BTreeSet<String>,
}

impl Checker<'_> {
    /// Warns about each name that reads as more than a name, but for those of which something is said already.
    pub(super) fn misread(&mut self, warned: &BTreeSet<Span>) {
        if self.failed || self.outline.broken {
            return;
        }
        let vocabulary = self.vocabulary();
        let mut told: BTreeSet<String> = BTreeSet::new();
        for (name, span, is_var) in self.all_names() {
            let says = said(&name);
            let is_value = is_var && vocabulary.values.contains(&says);
            let of_things = vocabulary.traits.contains(&says);
            let is_more = is_value || vocabulary.is_more(&says, of_things);
            if !is_more || warned.contains(&span) || !told.insert(name.clone()) {
                continue;
            }
            let message = match is_value {
                true => format!("in a sentence `{name}` reads as the value of that name"),
                false => format!("in a sentence `{name}` reads as more than a name"),
            };
            let warning = Diagnostic::warning(codes::warnings::READS_ALIKE, message);
            let warning = warning.at(span, format!("\"{says}\""));
            self.report(warning.help("give it another name"));
        }
    }

    /// The names that sentences use without quotation marks, each with whether it is that of a variable or definition.
    fn all_names(&self) -> Vec<(String, Span, bool)> {
        let program = &self.program;
        let vars = program.vars.values().iter();
        let defines = program.defines.values().iter();
        let defines = defines.filter(|one| one.printed.is_none());
        let zones = program.zones.values().iter();
        let sequences = program.sequences.values().iter();
        let fields = program.fields.values().iter();
        let boards = program.boards.values().iter();
        let things = boards.flat_map(|board| {
            let all = board.entities.iter();
            all.map(|one| (one.name.clone(), board.span, false))
        });
        (vars.map(|one| (one.name.clone(), one.span, true)))
            .chain(defines.map(|one| (one.name.clone(), one.span, true)))
            .chain(zones.map(|one| (one.name.clone(), one.span, false)))
            .chain(sequences.map(|one| (one.name.clone(), one.span, false)))
            .chain(fields.map(|one| (one.name.clone(), one.span, false)))
            .chain(things)
            .collect()
    }

    fn vocabulary(&self) -> Vocabulary {
        let program = &self.program;
        let of_one = |ty: Type| matches!(ty, Type::Entity(_) | Type::Optional(_));
        let defines = program.defines.values().iter();
        let of_things = defines.clone().filter(|one| match one.params.as_slice() {
            [param] => of_one(param.ty),
            _ => false,
        });
        let alone = defines.filter(|one| one.params.is_empty());
        let vars = program.vars.values().iter();
        let boards = program.boards.values().iter();
        let lying = boards.flat_map(|board| board.entities.iter().map(|one| &one.name));
        let values = program.enums.values().iter().flat_map(|one| &one.values);
        let fields = program.fields.values().iter();
        let sorts = program.sorts.values().iter().map(|sort| said(&sort.name));
        let sequences = program.sequences.values().iter();
        let held = vars.clone().filter(|one| of_one(one.ty));
        let told = alone.clone().filter(|one| of_one(one.body.ty));
        let things = held.map(|one| &one.name).chain(told.map(|one| &one.name));
        let things = things.map(|name| said(name));
        let names = (vars.map(|one| &one.name)).chain(alone.map(|one| &one.name));
        let names = names
            .map(|name| said(name))
            .chain(lying.map(|name| said(name)));
        let numbered = program
            .sorts
            .ids()
            .flat_map(|sort| self.told_by_number(sort));
        let numbered: Vec<String> = numbered.collect();
        let traits = fields
            .map(|one| &one.name)
            .chain(of_things.map(|one| &one.name));
        let holder = ["holder", "half"].map(str::to_owned);
        Vocabulary {
            names: names.chain(numbered.clone()).collect(),
            things: things.chain(numbered).collect(),
            sequences: sequences.map(|one| said(&one.name)).collect(),
            traits: traits.map(|name| said(name)).chain(holder).collect(),
            zones: program
                .zones
                .values()
                .iter()
                .map(|one| said(&one.name))
                .collect(),
            several: sorts.clone().map(|sort| format!("{sort}s")).collect(),
            one: sorts.collect(),
            values: values.map(|value| said(value)).collect(),
        }
    }

    fn told_by_number(&self, sort: SortId) -> impl Iterator<Item = String> {
        let name = self.program.sorts[sort].name.to_lowercase();
        (1..10).map(move |at| format!("{name} {at}"))
    }
}

impl Vocabulary {
    /// Whether a name reads as several names that are joined, or as what is said of one.
    fn is_more(&self, name: &str, of_things: bool) -> bool {
        self.is_joined(name)
            || self.is_noun(name)
            || (of_things && self.is_said_of(name))
            || self.is_statement(name)
    }

    fn is_any(&self, words: &str) -> bool {
        self.names.contains(words) || self.zones.contains(words) || is_number(words)
    }

    fn is_joinable(&self, words: &str) -> bool {
        [&self.traits, &self.values, &self.sequences]
            .iter()
            .any(|all| all.contains(words))
    }

    /// `row or bin`, `no row`
    fn is_joined(&self, name: &str) -> bool {
        let all = BEGINNING.iter();
        let mut all = all.filter_map(|word| name.strip_prefix(word)?.strip_prefix(' '));
        if all.any(|rest| self.is_any(rest)) {
            return true;
        }
        let words: Vec<&str> = name.split(' ').collect();
        let mut at = (0..words.len()).filter(|&at| JOINING.contains(&words[at]));
        at.any(|at| {
            let sides = [words[..at].join(" "), words[at + 1..].join(" ")];
            let is_known = |side: &String| self.is_any(side) || self.is_joinable(side);
            sides.iter().any(is_known)
        })
    }

    /// `pal of wolf`, `the first Card in row`, `the number of Cards`, `that Card`, `its hp`, `hp of`
    fn is_noun(&self, name: &str) -> bool {
        let first = |of: &str, words: &BTreeSet<String>| {
            name.strip_prefix(of)
                .is_some_and(|rest| words.contains(rest))
        };
        let mut of = name.match_indices(" of ");
        let is_of = |(at, _): (usize, &str)| {
            self.traits.contains(&name[..at]) && self.is_any(&name[at + 4..])
        };
        let in_zone = |rest: &str, words: &BTreeSet<String>| {
            let lying = rest.split_once(" in ");
            words.contains(rest)
                || lying
                    .is_some_and(|(what, zone)| words.contains(what) && self.zones.contains(zone))
        };
        let begins = |of: &str, words: &BTreeSet<String>| {
            name.strip_prefix(of)
                .is_some_and(|rest| in_zone(rest, words))
        };
        of.any(is_of)
            || name
                .strip_suffix(" of")
                .is_some_and(|what| self.traits.contains(what))
            || first("that ", &self.one)
            || first("its ", &self.traits)
            || begins("the first ", &self.one)
            || begins("the last ", &self.one)
            || begins("exactly one ", &self.one)
            || begins("the number of ", &self.several)
    }

    /// Of something: `is me`, `is in row`, `has hp 2`, `has me as its holder`, `lies before star`
    fn is_said_of(&self, name: &str) -> bool {
        if let Some(rest) = name.strip_prefix("is ") {
            let lies = rest
                .strip_prefix("in ")
                .is_some_and(|zone| self.zones.contains(zone));
            return lies
                || self.things.contains(rest)
                || self.is_noun(rest)
                || rest == "out of the game";
        }
        if let Some(rest) = name.strip_prefix("has ") {
            let held = rest.split_once(" as its ");
            let held = held.is_some_and(|(what, of)| self.is_any(what) && self.traits.contains(of));
            return held || self.is_measured(rest);
        }
        ["lies before ", "lies after ", "lies next to "]
            .iter()
            .any(|verb| {
                name.strip_prefix(verb)
                    .is_some_and(|rest| self.is_any(rest))
            })
    }

    /// `hp 2`, `hp n`
    fn is_measured(&self, words: &str) -> bool {
        let mut spaces = words.match_indices(' ');
        spaces.any(|(at, _)| self.traits.contains(&words[..at]) && self.is_any(&words[at + 1..]))
    }

    /// `boss is me`, `wolf has hp 2`, `n is 3`
    fn is_statement(&self, name: &str) -> bool {
        let verbs = [" is ", " has ", " lies "].into_iter();
        let mut all = verbs.flat_map(|verb| name.match_indices(verb).map(|(at, _)| at));
        all.any(|at| {
            let (who, what) = (&name[..at], &name[at + 1..]);
            let number = what.strip_prefix("is ").is_some_and(is_number);
            self.is_any(who) && (number || self.is_said_of(what))
        })
    }
}

fn is_number(words: &str) -> bool {
    words.parse::<i64>().is_ok()
}
