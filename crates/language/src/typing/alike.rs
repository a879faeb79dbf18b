//! Warnings about names that read alike where they are said in sentences.
//!
//! ```text
//! zone deck of Card per Player, role boss: Player      "deck of boss"
//! zone deck_of_boss of Card                            "deck of boss"
//! ```
//!
//! A sentence says `_` as a space, and begins with a capital.

use super::checker::Checker;
use super::program::{ReadingOrigin, SortId, Type};
use crate::diag::{Diagnostic, codes};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What reports say of nobody and nothing.
const SAID: [&str; 13] = [
    "anybody",
    "anyone",
    "noone",
    "nobody",
    "nothing",
    "none",
    "everyone",
    "everybody",
    "somebody",
    "someone",
    "chance",
    "the document",
    "the players",
];

/// So many of a kind are thought of that have no name but a number.
const NUMBERED: usize = 9;

/// What a sentence says, where it was declared, and how it is written.
type Said = (String, Span, String);

impl Checker<'_> {
    /// Warns about each name that reads as another does, or as a word of the sentences around it; where those stand.
    pub(super) fn alike(&mut self) -> BTreeSet<Span> {
        let mut warned = BTreeSet::new();
        if self.failed || self.outline.broken {
            return warned;
        }
        let mut first: BTreeMap<String, (Span, String)> = BTreeMap::new();
        let mut warnings = Vec::new();
        let mut told: BTreeSet<(String, String)> = BTreeSet::new();
        for (said, span, written) in self.all_said() {
            let mut warning = |message: String| {
                warned.insert(span);
                Diagnostic::warning(codes::warnings::READS_ALIKE, message).at(span, "called so")
            };
            if SAID.contains(&said.as_str()) {
                let message = format!("in a sentence `{written}` reads as a word, not as a name");
                warnings.push(warning(message).help("give it another name"));
            } else if let Some((other, known)) = first.get(&said) {
                if *known != written && told.insert((known.clone(), written.clone())) {
                    let message = format!("in a sentence `{known}` and `{written}` read alike");
                    let warning = warning(message).also(*other, "the other one");
                    warnings.push(warning.help("give one of them another name"));
                    warned.insert(*other);
                }
            } else {
                first.insert(said, (span, written));
            }
        }
        for warning in warnings {
            self.report(warning);
        }
        warned
    }

    /// What sentences call things.
    fn all_said(&self) -> Vec<Said> {
        let program = &self.program;
        let vars = program.vars.values().iter();
        let zones = program.zones.values().iter();
        let sequences = program.sequences.values().iter();
        let queues = program.queues.values().iter();
        let events = program.events.values().iter();
        let readings = program.readings.values().iter();
        let readings = readings.filter(|one| one.origin == ReadingOrigin::Declared);
        let observers = program.observers.values().iter();
        let names = (vars.map(|one| (&one.name, one.span)))
            .chain(zones.map(|one| (&one.name, one.span)))
            .chain(sequences.map(|one| (&one.name, one.span)))
            .chain(queues.map(|one| (&one.name, one.span)))
            .chain(events.map(|one| (&one.name, one.span)))
            .chain(readings.map(|one| (&one.name, one.span)))
            .chain(observers.map(|one| (&one.name, one.span)));
        // What has no name in the specification cannot get another one.
        let mut found = self.implicit();
        found.extend(names.map(|(name, span)| (said(name), span, name.clone())));
        let boards = program.boards.values().iter();
        found.extend(boards.flat_map(|board| {
            let entities = board.entities.iter();
            let odd = entities.filter(|one| SAID.contains(&said(&one.name).as_str()));
            odd.map(|one| (said(&one.name), board.span, one.name.clone()))
        }));
        found.extend(self.traits());
        found.extend(self.conditions());
        found.extend(self.sorts());
        let families = program.zones.values().iter();
        let families = families.filter_map(|zone| Some((&zone.name, zone.per?)));
        let fields = program.fields.values().iter();
        let owned = families.chain(fields.map(|field| (&field.name, field.sort)));
        for (name, sort) in owned {
            let mut all = self.lying(sort);
            let known: BTreeSet<String> = all.iter().map(|(thing, _)| said(thing)).collect();
            let vars = self
                .called(sort)
                .filter(|(var, _)| !known.contains(&said(var)));
            all.extend(vars.map(|(var, span)| (var.clone(), span)));
            for (var, span) in all {
                let both = format!("{} of {}", said(name), said(&var));
                found.push((both, span, format!("{name} of {var}")));
            }
        }
        found
    }

    /// What the specification gives no name: things on boards that are explored, and orders of lists.
    fn implicit(&self) -> Vec<Said> {
        let program = &self.program;
        let things = program.sorts.ids().flat_map(|sort| self.numbered(sort));
        let mut found: Vec<Said> = things
            .map(|(name, span)| (said(&name), span, name))
            .collect();
        let span = program.sorts.values().first().map(|sort| sort.span);
        found.extend(span.into_iter().flat_map(|span| {
            (1..=NUMBERED).map(move |at| {
                let name = format!("created {at}");
                (name.clone(), span, name)
            })
        }));
        let readings = program.readings.values().iter();
        let lists = readings.filter(|one| one.origin != ReadingOrigin::Declared);
        found.extend(lists.map(|one| (said(&one.name), one.span, plain(&one.name))));
        found
    }

    /// One and several of each sort; and what a field and a zone of one name are called of each of its things.
    fn sorts(&self) -> Vec<Said> {
        let program = &self.program;
        let sorts = program.sorts.values().iter();
        let mut found: Vec<Said> = sorts
            .flat_map(|sort| {
                let name = said(&sort.name);
                let of =
                    move |text: String| (format!("so many: {text}"), sort.span, sort.name.clone());
                [of(name.clone()), of(format!("{name}s"))]
            })
            .collect();
        let called = |name: &str, sort: SortId, what: &str, span: Span| {
            let sort = &program.sorts[sort].name;
            let key = format!("{} of each {sort}", said(name));
            (key, span, format!("the {what} {name} of a {sort}"))
        };
        let fields = program.fields.values().iter();
        found.extend(fields.map(|one| called(&one.name, one.sort, "field", one.span)));
        let zones = program.zones.values().iter();
        found.extend(zones.filter_map(|one| Some(called(&one.name, one.per?, "zone", one.span))));
        found
    }

    /// What is said of one thing by a field, and what by a definition or a continuous value of it.
    fn traits(&self) -> Vec<Said> {
        let program = &self.program;
        let fields = program.fields.values().iter();
        let fields = fields.map(|field| {
            let sort = &program.sorts[field.sort].name;
            let written = format!("{sort}.{}", field.name);
            (&field.name, sort, field.span, written)
        });
        let defines = program.defines.values().iter().filter_map(|define| {
            let [param] = define.params.as_slice() else {
                return None;
            };
            let (Type::Entity(sort) | Type::Optional(sort)) = param.ty else {
                return None;
            };
            let sort = &program.sorts[sort].name;
            let written = format!("{}({sort})", define.name);
            Some((&define.name, sort, define.span, written))
        });
        let all = fields.chain(defines).map(|(name, sort, span, written)| {
            let name = said(name);
            let name = name.strip_prefix("is ").unwrap_or(&name);
            (format!("{name} of any {sort}"), span, written)
        });
        let owned = program
            .zones
            .values()
            .iter()
            .filter(|zone| zone.per.is_some());
        let holders = owned.map(|zone| {
            let sort = &program.sorts[zone.sort].name;
            (
                format!("holder of any {sort}"),
                zone.span,
                "holder of".to_owned(),
            )
        });
        // Those that the language has come last: names are what could be others.
        all.chain(holders).collect()
    }

    /// What is true or false, by a name, and what the language can say in the same words: `is_boss(p)` and
    /// `p = boss`, `turn_is_red` and `turn = red`.
    fn conditions(&self) -> Vec<Said> {
        let program = &self.program;
        let of =
            |what: &str, sort: SortId| format!("is {what} of any {}", program.sorts[sort].name);
        let bare = |name: &str| {
            let name = said(name);
            name.strip_prefix("is ").map_or(name.clone(), str::to_owned)
        };
        let truths = |ty: Type| ty == Type::Bool;
        let fields = program.fields.values().iter();
        let fields = fields.filter(|one| truths(one.ty)).map(|one| {
            let written = format!("{}.{}", program.sorts[one.sort].name, one.name);
            (of(&bare(&one.name), one.sort), one.span, written)
        });
        let vars = program.vars.values().iter();
        let vars = vars.filter(|one| truths(one.ty));
        let vars = vars.map(|one| {
            (
                format!("so: {}", said(&one.name)),
                one.span,
                one.name.clone(),
            )
        });
        let defines = program.defines.values().iter();
        let defines = defines.filter(|one| truths(one.body.ty)).filter_map(|one| {
            let (key, sort) = match one.params.as_slice() {
                [] => (format!("so: {}", said(&one.name)), None),
                [param] => match param.ty {
                    Type::Entity(sort) | Type::Optional(sort) => {
                        (of(&bare(&one.name), sort), Some(sort))
                    }
                    Type::Int | Type::Bool | Type::Enum(_) => return None,
                },
                // Of two things nothing is said that the language says in the same words.
                [_, _, ..] => return None,
            };
            let sort = sort.map(|sort| format!("({})", program.sorts[sort].name));
            let written = format!("{}{}", one.name, sort.unwrap_or_default());
            Some((key, one.span, written))
        });
        let mut found: Vec<Said> = fields.chain(vars).chain(defines).collect();
        // Those that the language has come last: names are what could be others.
        for zone in program.zones.values() {
            let key = of(&format!("in {}", said(&zone.name)), zone.sort);
            found.push((key, zone.span, format!("is in {}", zone.name)));
        }
        for var in program.vars.values() {
            match var.ty {
                Type::Entity(sort) | Type::Optional(sort) => {
                    let key = of(&said(&var.name), sort);
                    found.push((key, var.span, format!("= {}", var.name)));
                }
                Type::Enum(id) => found.extend(program.enums[id].values.iter().map(|value| {
                    let key = format!("so: {} is {}", said(&var.name), said(value));
                    (key, var.span, format!("{} = {value}", var.name))
                })),
                // Numbers are told by digits, and what is true or false by its name.
                Type::Int | Type::Bool => {}
            }
        }
        for field in program.fields.values() {
            if let Type::Enum(id) = field.ty {
                found.extend(program.enums[id].values.iter().map(|value| {
                    let what = format!("has {} {}", said(&field.name), said(value));
                    let written = format!("{} = {value}", field.name);
                    (of(&what, field.sort), field.span, written)
                }));
            }
        }
        found
    }

    /// Things of a sort that boards in the file name, and those that have numbers on boards that are explored.
    fn lying(&self, sort: SortId) -> Vec<(String, Span)> {
        let boards = self.program.boards.values().iter();
        let named = boards.flat_map(|board| {
            let here = board.entities.iter().filter(|one| one.sort == sort);
            here.map(|one| (one.name.clone(), board.span))
        });
        named.chain(self.numbered(sort)).collect()
    }

    /// How things of a sort are called on boards that are explored.
    fn numbered(&self, sort: SortId) -> impl Iterator<Item = (String, Span)> {
        let sort = &self.program.sorts[sort];
        let name = sort.name.to_lowercase();
        (1..=NUMBERED).map(move |at| (format!("{name} {at}"), sort.span))
    }

    /// The variables that hold an entity of a sort.
    fn called(&self, sort: SortId) -> impl Iterator<Item = (&String, Span)> {
        let vars = self.program.vars.values().iter();
        let of_sort = vars.filter(
            move |var| matches!(var.ty, Type::Entity(of) | Type::Optional(of) if of == sort),
        );
        of_sort.map(|var| (&var.name, var.span))
    }
}

/// A name as sentences say it, wherever they do: at their beginning it has a capital.
pub(super) fn said(name: &str) -> String {
    plain(name).to_lowercase()
}

/// A name of the specification as people write it: `turn_over` is "turn over".
pub fn plain(name: &str) -> String {
    // At an end it may be all that tells two names apart.
    let inner = name.trim_matches('_');
    match inner.is_empty() {
        true => name.to_owned(),
        false => name.replacen(inner, &inner.replace('_', " "), 1),
    }
}
