//! From what depends on what to a diagram with words.

use super::super::compared::{Compared, Looked};
use super::super::finding::short_print;
use super::super::layout::list;
use super::super::stood::{LEFT_OUT, what_allows};
use super::super::words::{Words, beside_others, plain};
use super::names::UNKNOWN;
use super::{Diagram, Edge, Group, Node, Shape};
use crate::depend::{
    Cycle, Dependence, Evidence, Kind, Link, Picture, Round, Shown, Source, Thing, is_performed,
    performs, sequences,
};
use endstep_kernel::footprint::{self, Place};
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{ClauseIdx, SequenceId};
use std::collections::BTreeSet;

/// The diagram of a picture. `restrictions` are the options that kept the check from looking at everything.
pub fn sketch(
    source: Source<'_>,
    sources: &SourceMap,
    (kind, picture): (Kind, &Picture),
    restrictions: &[String],
) -> Diagram {
    let program = source.program;
    let words = Words { program, sources };
    let pen = Pen { source, words };
    let written = written(source);
    let mut diagram = Diagram {
        title: title(pen, kind),
        legend: Vec::new(),
        groups: Vec::new(),
        nodes: Vec::new(),
        edges: Vec::new(),
        notes: Vec::new(),
        restrictions: Vec::new(),
        only_claims: false,
    };
    for (at, &thing) in picture.things.iter().enumerate() {
        let group = pen.group(thing).map(|name| group(&mut diagram, name));
        if let (Some(group), Kind::Steps) = (group, kind) {
            diagram.groups[group].is_part |= pen.is_part(thing);
        }
        diagram.nodes.push(Node {
            key: pen.key(thing),
            label: pen.label(thing),
            more: Vec::new(),
            shape: shape(thing),
            group,
            cycle: picture.cycle_at(at),
            given: matches!(thing, Thing::Place(place) if !written.contains(&place)),
        });
    }
    for link in &picture.links {
        diagram.edges.push(Edge {
            from: link.from,
            to: link.to,
            link: link.link,
            labels: pen.labels(picture, link),
            places: link.places.len(),
            cycle: picture.cycle_of(link),
        });
    }
    diagram.legend = legend(&diagram.edges, kind);
    let partly = |link: &Dependence| pen.compared(link).is_some();
    if picture.links.iter().any(partly) {
        let commutes = |(link, _): &&mut (Link, String)| *link == Link::Commutes;
        if let Some((_, meaning)) = diagram.legend.iter_mut().find(commutes) {
            meaning.push_str(", as far as was compared");
        }
    }
    diagram.notes = pen.notes(picture);
    if kind != Kind::Clauses {
        diagram.notes.extend(pen.contracts());
    }
    if let (true, Some(results)) = (kind.rests_on_runs(), source.results) {
        diagram.restrictions = restrictions.to_vec();
        diagram.only_claims = results.narrowed;
    }
    diagram
}

fn title(pen: Pen<'_>, kind: Kind) -> String {
    let game = &pen.source.program.game;
    let what = match kind {
        Kind::Steps => "Steps",
        Kind::Triggers => "Events and triggers",
        Kind::Fields => "Data",
        Kind::Clauses => "Clauses",
    };
    match pen.source.sequence {
        Some(sequence) => format!("{what} of {}: {game}", pen.words.sequence(sequence)),
        None => format!("{what} of {game}"),
    }
}

fn group(diagram: &mut Diagram, name: String) -> usize {
    match diagram.groups.iter().position(|one| one.name == name) {
        Some(at) => at,
        None => {
            let remark = String::new();
            diagram.groups.push(Group {
                name,
                remark,
                is_part: false,
            });
            diagram.groups.len() - 1
        }
    }
}

fn shape(thing: Thing) -> Shape {
    match thing {
        Thing::Step(_) => Shape::Step,
        Thing::Restart(_) => Shape::Restart,
        Thing::Event(_) => Shape::Event,
        Thing::Trigger(_) => Shape::Trigger,
        Thing::Place(_) => Shape::Place,
        Thing::Clause(_) => Shape::Clause,
    }
}

/// What the links that occur mean, each once.
fn legend(edges: &[Edge], kind: Kind) -> Vec<(Link, String)> {
    let occurs = |link: &Link| edges.iter().any(|edge| edge.link == *link);
    let shown = Link::ALL.into_iter().filter(occurs);
    shown
        .map(|link| (link, link.meaning(kind).to_owned()))
        .collect()
}

/// Puts things into words.
#[derive(Clone, Copy)]
struct Pen<'a> {
    source: Source<'a>,
    words: Words<'a>,
}

impl Pen<'_> {
    fn key(self, thing: Thing) -> String {
        let program = self.source.program;
        match thing {
            Thing::Step(id) => {
                let step = &program.steps[id];
                format!("{}.{}", program.sequences[step.sequence].name, step.name)
            }
            Thing::Restart(id) => format!("restart {}", program.sequences[id].name),
            Thing::Event(id) => format!("event {}", program.events[id].name),
            Thing::Trigger(id) => format!("trigger {}", program.triggers[id].name),
            Thing::Place(place) => endstep_kernel::footprint::name(self.source.system, place),
            Thing::Clause(id) => format!("clause {}", program.clauses[id].id),
        }
    }

    fn label(self, thing: Thing) -> String {
        let program = self.source.program;
        match thing {
            Thing::Step(id) => plain(&program.steps[id].name),
            Thing::Restart(_) => "restart".to_owned(),
            Thing::Event(id) => plain(&program.events[id].name),
            Thing::Trigger(id) => plain(&program.triggers[id].name),
            Thing::Place(place) => self.place(place),
            Thing::Clause(id) => self.clause(id),
        }
    }

    fn clause(self, id: ClauseIdx) -> String {
        let clause = &self.source.program.clauses[id];
        match clause.locator.is_empty() {
            true => clause.id.clone(),
            false => format!("{}: {}", clause.id, clause.locator),
        }
    }

    fn place(self, place: Place) -> String {
        let program = self.source.program;
        match place {
            Place::Field(id) => {
                let field = &program.fields[id];
                let sort = &program.sorts[field.sort].name;
                format!("{} of {sort}", beside_others(&field.name))
            }
            Place::Var(id) => beside_others(&program.vars[id].name),
            Place::Zone(id) => beside_others(&program.zones[id].name),
            Place::Sort(id) => format!("which {} there are", program.sorts[id].name),
            Place::Queue(id) => beside_others(&program.queues[id].name),
        }
    }

    fn group(self, thing: Thing) -> Option<String> {
        let program = self.source.program;
        match thing {
            Thing::Step(id) => Some(self.words.sequence(program.steps[id].sequence)),
            Thing::Restart(id) => Some(self.words.sequence(id)),
            Thing::Place(Place::Field(id)) => {
                Some(program.sorts[program.fields[id].sort].name.clone())
            }
            Thing::Clause(id) => {
                let document = program.clauses[id].document?;
                Some(program.documents[document].title.clone())
            }
            Thing::Event(_) | Thing::Trigger(_) | Thing::Place(_) => None,
        }
    }

    /// Whether something performs the list in which a step stands.
    fn is_part(self, thing: Thing) -> bool {
        match thing {
            Thing::Step(step) => {
                is_performed(self.source, self.source.program.steps[step].sequence)
            }
            Thing::Restart(sequence) => is_performed(self.source, sequence),
            Thing::Event(_) | Thing::Trigger(_) | Thing::Place(_) | Thing::Clause(_) => false,
        }
    }

    fn labels(self, picture: &Picture, link: &Dependence) -> Vec<String> {
        let mut labels: Vec<String> = link.places.iter().map(|&one| self.place(one)).collect();
        match (link.link, picture.things[link.from]) {
            (Link::Causes, Thing::Event(_)) => labels.push("wakes".to_owned()),
            (Link::Causes, Thing::Trigger(_)) => labels.push("announces".to_owned()),
            (Link::Causes, from @ (Thing::Step(_) | Thing::Restart(_))) => {
                labels.push(self.brings_about(from, picture.things[link.to]));
            }
            // Of other links the places say why.
            _ => {}
        }
        match link.evidence {
            Evidence::Text if link.link == Link::Conflicts => {
                labels.push(UNKNOWN.to_owned());
            }
            Evidence::Text => {}
            Evidence::Symmetric => labels.push("changed alike in either order".to_owned()),
            Evidence::Disjoint => labels.push("nothing in common".to_owned()),
            Evidence::Proved => labels.push("proved to make no difference".to_owned()),
            Evidence::Never => labels.push("never two at once".to_owned()),
            Evidence::Scope => {
                let scopes = self.source.results.map(|results| &results.scopes);
                let tried = match scopes.into_iter().flatten().any(|scope| scope.partial) {
                    true => "that was tried",
                    false => "in scope",
                };
                let compared = self
                    .compared(link)
                    .map_or_else(String::new, |one| format!(" ({one})"));
                labels.push(format!("no difference on any board {tried}{compared}"));
            }
            Evidence::LeftOut(at) => labels.extend(self.left_out(at)),
            Evidence::Finding(at) => labels.extend(self.finding(at)),
        }
        labels
    }

    /// How a step or a restart brings something about.
    fn brings_about(self, from: Thing, to: Thing) -> String {
        let Thing::Step(step) = to else {
            return "announces".to_owned();
        };
        let performed = self.source.program.steps[step].sequence;
        let name = self.words.sequence(performed);
        match performs(self.source.system, from, performed) {
            true => format!("performs {name}"),
            false => format!("sets off a trigger that performs {name}"),
        }
    }

    /// What counted where outcomes were compared, if not everything did.
    fn compared(self, link: &Dependence) -> Option<String> {
        let results = self.source.results?;
        let scopes = link.compared.iter().copied();
        Compared::of(self.words, results, scopes, Looked::Compared).words(self.words)
    }

    /// `F0202 1a2b3c4d`
    fn finding(self, at: usize) -> Option<String> {
        let finding = self.source.results?.findings.get(at)?;
        let print = short_print(self.source.program, finding);
        let allows = what_allows(self.words, finding);
        Some(format!("{} {print}{allows}", finding.code))
    }

    /// What is to be said of a finding that nobody wants to see.
    fn left_out(self, at: usize) -> Option<String> {
        let finding = self.source.results?.left_out.get(at)?;
        Some(format!("{LEFT_OUT}{}", what_allows(self.words, finding)))
    }

    fn notes(self, picture: &Picture) -> Vec<String> {
        let rounds = picture.rounds.iter().map(|round| {
            let things = round
                .things
                .iter()
                .map(|&at| self.label(picture.things[at]));
            let names: Vec<String> = things.map(|name| format!("\"{name}\"")).collect();
            let can = match names.as_slice() {
                [one] => format!("{one} can bring itself about without end"),
                names => format!(
                    "{} can bring each other about without end",
                    list(names, "and")
                ),
            };
            let known = match round.cycle {
                Cycle::Confirmed => self.shown(picture, round),
                Cycle::Cleared => "no run from any board of the scopes does".to_owned(),
                Cycle::Possible | Cycle::None => {
                    format!(
                        "it is not known whether a run does{}",
                        self.followed(picture, round)
                    )
                }
            };
            format!("{can}, as far as the text shows: {known}.")
        });
        let endless = picture.endless.iter();
        let endless = endless.filter_map(|shown| self.endless(picture, shown));
        rounds.chain(endless).chain(self.cones(picture)).collect()
    }

    /// For which sequences a contract stands somewhere: what is shown is what their rules do.
    fn contracts(self) -> Option<String> {
        let shown = sequences(self.source);
        let verifies = self.source.program.verifies.iter();
        let verifies = verifies.filter(|one| shown.contains(&one.sequence));
        let all: BTreeSet<SequenceId> = verifies.flat_map(|one| &one.contracts).copied().collect();
        let names: Vec<String> = all.iter().map(|&id| self.words.sequence(id)).collect();
        let contracts = match names.len() {
            0 => return None,
            1 => "the contract",
            _ => "the contracts",
        };
        let names = list(&names, "and");
        Some(format!(
            "Where other sequences are checked, {contracts} of {names} can stand for the rules. Shown here is what \
             the rules do, and not what a contract reads or allows beyond that."
        ))
    }

    /// Which runs go round, and through what of it: `a run does (F0501 1a2b3c4d)`.
    fn shown(self, picture: &Picture, round: &Round) -> String {
        let one = |shown: &Shown| {
            let finding = self.finding(shown.finding).unwrap_or_default();
            match shown.things == round.things {
                true => format!("a run does ({finding})"),
                false => format!(
                    "a run goes round without end through {} alone ({finding})",
                    self.listed(picture, shown)
                ),
            }
        };
        let all: Vec<String> = round.shown.iter().map(one).collect();
        all.join("; ")
    }

    /// What is on the way round of a run.
    fn listed(self, picture: &Picture, shown: &Shown) -> String {
        let things = shown.things.iter();
        let things = things.map(|&at| match picture.things[at] {
            Thing::Restart(id) => format!("the restart of {}", self.words.sequence(id)),
            thing => format!("\"{}\"", self.label(thing)),
        });
        list(&things.collect::<Vec<_>>(), "and")
    }

    /// `; as far as one was followed, it goes on (F0505 1a2b3c4d)`
    fn followed(self, picture: &Picture, round: &Round) -> String {
        let one = |shown: &Shown| {
            let finding = self.finding(shown.finding).unwrap_or_default();
            let through = match shown.things == round.things {
                true => String::new(),
                false => format!(" through {} alone", self.listed(picture, shown)),
            };
            format!("; as far as one was followed, it goes on{through} ({finding})")
        };
        round.followed.iter().map(one).collect()
    }

    /// A run that never ends, and is not told beside what can go round by itself.
    fn endless(self, picture: &Picture, shown: &Shown) -> Option<String> {
        let mut rounds = picture.rounds.iter().flat_map(|round| &round.shown);
        if rounds.any(|one| one.finding == shown.finding) {
            return None;
        }
        let finding = self.finding(shown.finding).unwrap_or_default();
        Some(format!(
            "A run goes round without end through {} ({finding}); that these bring each other about need not be why.",
            self.listed(picture, shown)
        ))
    }

    /// What can influence claims, or, where that is shorter, what cannot; a sentence for those alike.
    fn cones(self, picture: &Picture) -> Vec<String> {
        let all = places(self.source);
        let mut found: Vec<(&BTreeSet<Place>, Vec<String>)> = Vec::new();
        for (claim, cone) in &picture.cones {
            let name = format!("\"{}\"", plain(&self.source.program.claims[*claim].name));
            match found.iter_mut().find(|(other, _)| *other == cone) {
                Some((_, names)) => names.push(name),
                None => found.push((cone, vec![name])),
            }
        }
        found.retain(|(cone, _)| cone.len() < all.len());
        let sentence = |(cone, claims): &(&BTreeSet<Place>, Vec<String>)| {
            let claims = list(claims, "or");
            let few = cone.len() * 2 <= all.len();
            let told = all.iter().filter(|place| cone.contains(place) == few);
            let names: Vec<String> = told.map(|&place| self.place(place)).collect();
            let (names, of) = (
                list(&names, "and"),
                format!("{} of {}", cone.len(), all.len()),
            );
            match few {
                true => format!("Nothing but {names} can influence {claims} ({of})."),
                // What is left may influence it: that part of a cone is no more than a bound.
                false => format!("{names} cannot influence {claims}; the other {of} may."),
            }
        };
        found.iter().map(sentence).collect()
    }
}

/// What anything writes.
fn written(source: Source<'_>) -> BTreeSet<Place> {
    let system = source.system;
    let steps = system.steps.ids();
    let steps = steps.flat_map(|id| footprint::of_step(system, id).writes);
    let triggers = system.triggers.ids();
    let triggers = triggers.flat_map(|id| footprint::of_trigger(system, id).writes);
    let again = system.procedures.ids().filter_map(|id| {
        let before = system.procedures[id].restart.as_ref()?.before?;
        Some(footprint::of_block(system, before, id).writes)
    });
    steps.chain(triggers).chain(again.flatten()).collect()
}

/// All places there are.
fn places(source: Source<'_>) -> Vec<Place> {
    let system = source.system;
    let fields = system.fields.ids().map(Place::Field);
    let vars = system.vars.ids().map(Place::Var);
    let zones = system.zones.ids().map(Place::Zone);
    let sorts = system.sorts.ids().map(Place::Sort);
    let queues = system.queues.ids().map(Place::Queue);
    fields
        .chain(vars)
        .chain(zones)
        .chain(sorts)
        .chain(queues)
        .collect()
}
