//! Two runs of two continuations that take the same choices for as far as they can.
//!
//! What is different at the ends of two runs can come from what is compared, or from something else that
//! was chosen on the way. So of all pairs that show a difference, one is shown in which as little as
//! possible was chosen differently:
//!
//! ```text
//! wolf first:  wolf uses its effect, owl uses its effect    pile: wolf, owl
//! owl first:   owl uses its effect, wolf uses its effect    pile: owl, wolf        the order
//!              owl declines, wolf uses its effect           pile: wolf             the order, and a choice
//! ```
//!
//! Both runs are followed at once, the one that has chosen less before the other. Beside the two places
//! there is kept what was chosen in one of them only. A choice is the same in both if the same decider
//! takes the same alternative, about the same entities (those of the iterations, or the listener, in whose
//! turn it is taken). The two alternatives that are compared do not count. To be asked the same and to answer
//! otherwise is more of a difference than to be asked something that the other run never comes to ([`CONTRARY`]).
//!
//! *Guarantees.* Deterministic. If the search was not cut short, and some pair differs in nothing that was
//! chosen, such a pair is found.
//!
//! *Limits.* [`MOST_PAIRS`] pairs of places, and [`MOST_APART`] choices of one run that the other has not
//! taken yet.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::branch::Branch;
use super::flat::Edge;
use super::graph::Graph;
use super::paths::{Route, RunBuilder};
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{Program, StmtKind, Value};
use endstep_semantics::semantics::{Key, Site, Who};
use endstep_semantics::witness::Run;

/// So many pairs of places are looked at.
const MOST_PAIRS: usize = 6000;

/// No further apart are two runs on the way.
const MOST_APART: u32 = 8;

/// How much more it counts if two runs answer the same question otherwise.
const CONTRARY: u32 = 3;

/// What is chosen, whichever statement asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum What {
    Key(Key),
    /// Something with this label, or not.
    Label(String, bool),
}

/// A choice: by whom, what, and about which entities.
type Choice = (Who, What, Vec<Value>);

/// What is asked where something is chosen, whatever is answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Asked {
    At(Site),
    /// Which of these, or whether this.
    Labels(Vec<String>),
}

/// How often something was chosen in the first run more than in the second, where that is not 0; by the
/// numbers of choices, which ascend.
type Apart = Vec<(usize, i32)>;

/// Where two runs are.
type Place = (usize, usize, Apart);

/// A place with the way to it.
struct Reached {
    place: Place,
    steps: u64,
    /// From which place, and over which edge of which side (0 or 1).
    from: Option<(usize, usize, usize)>,
    /// At a start, which entries.
    entries: (usize, usize),
}

/// Numbers for choices.
struct Choices<'a> {
    program: &'a Program,
    known: IndexSet<Choice, FxBuildHasher>,
    /// The numbers of what is asked, by those of choices.
    questions: Vec<usize>,
    asked: IndexSet<(Who, Asked, Vec<Value>), FxBuildHasher>,
    /// By side and node what its alternatives are about.
    about: FxHashMap<(usize, usize), Vec<Value>>,
    /// Those that do not count.
    compared: FxHashSet<usize>,
    /// Of each side what was chosen: what one does about it the other does about its own.
    chosen: [Vec<Value>; 2],
}

impl Choices<'_> {
    /// The number of the choice that an edge takes, if it takes one that counts.
    fn number(
        &mut self,
        graph: &Graph,
        (side, node): (usize, usize),
        edge: Edge<'_>,
    ) -> Option<usize> {
        let number = self.any(graph, (side, node), edge)?;
        (!self.compared.contains(&number)).then_some(number)
    }

    fn any(
        &mut self,
        graph: &Graph,
        (side, node): (usize, usize),
        edge: Edge<'_>,
    ) -> Option<usize> {
        let key = edge.key()?;
        let point = graph.nodes.at(node).point()?;
        let chosen = &self.chosen[side];
        let about = self.about.entry((side, node)).or_insert_with(|| {
            let state = graph.state(node);
            let locals = state.control.last().map(|top| top.locals.clone());
            let entities = locals.into_iter().flatten();
            let entities = entities.filter(|one| matches!(one, Value::Entity(_)));
            let named = entities.map(|one| match chosen.contains(&one) {
                true => Value::None,
                false => one,
            });
            named.collect()
        });
        let choice = (point.who, what(self.program, key), about.clone());
        let question = (
            point.who,
            asked(self.program, key, point.site),
            about.clone(),
        );
        let (number, is_new) = self.known.insert_full(choice);
        if is_new {
            self.questions.push(self.asked.insert_full(question).0);
        }
        Some(number)
    }

    /// How often two runs answer the same question otherwise.
    fn contrary(&self, apart: &Apart) -> u32 {
        let question = |of: &(usize, i32)| self.questions[of.0];
        let firsts = apart.iter().enumerate();
        let firsts = firsts.filter(|(at, one)| {
            !apart[..*at]
                .iter()
                .any(|before| question(before) == question(one))
        });
        let of = |first: &(usize, i32)| {
            let all = apart.iter().filter(|one| question(one) == question(first));
            let (more, less) = all.fold((0, 0), |(more, less), (_, by)| {
                (more + by.max(&0), less - by.min(&0))
            });
            more.min(less).unsigned_abs()
        };
        firsts.map(|(_, first)| of(first)).sum()
    }

    /// How much of what two runs choose is not the same.
    fn distance(&self, apart: &Apart) -> u32 {
        not_shared(apart) + CONTRARY * self.contrary(apart)
    }
}

fn asked(program: &Program, key: &Key, site: Site) -> Asked {
    match key {
        Key::Taken(stmt, _) => match &program.stmts[*stmt].kind {
            StmtKind::May { label, .. } => Asked::Labels(label.iter().cloned().collect()),
            _ => Asked::At(site),
        },
        Key::Option(stmt, _) => match &program.stmts[*stmt].kind {
            StmtKind::ChooseOne { options, .. } => {
                Asked::Labels(options.iter().map(|option| option.0.clone()).collect())
            }
            _ => Asked::At(site),
        },
        _ => Asked::At(site),
    }
}

fn what(program: &Program, key: &Key) -> What {
    match key {
        Key::Taken(stmt, is) => match &program.stmts[*stmt].kind {
            StmtKind::May { label, .. } => What::Label(label.clone().unwrap_or_default(), *is),
            _ => What::Key(key.clone()),
        },
        Key::Option(stmt, at) => match &program.stmts[*stmt].kind {
            StmtKind::ChooseOne { options, .. } => {
                let label = options.get(*at).map(|option| option.0.clone());
                What::Label(label.unwrap_or_default(), true)
            }
            _ => What::Key(key.clone()),
        },
        _ => What::Key(key.clone()),
    }
}

/// How many choices two runs do not share.
fn not_shared(apart: &Apart) -> u32 {
    apart.iter().map(|(_, by)| by.unsigned_abs()).sum()
}

fn add(apart: &mut Apart, number: usize, by: i32) {
    match apart.binary_search_by_key(&number, |(one, _)| *one) {
        Ok(at) => {
            apart[at].1 += by;
            if apart[at].1 == 0 {
                apart.remove(at);
            }
        }
        Err(at) => apart.insert(at, (number, by)),
    }
}

/// The search.
struct Search<'s, 'a> {
    sides: [&'s Branch<'a>; 2],
    basis: BasisKind,
    choices: Choices<'s>,
    reached: Vec<Reached>,
    known: FxHashMap<Place, u64>,
    queue: BinaryHeap<Reverse<(u32, u64, usize)>>,
}

impl Search<'_, '_> {
    /// What is chosen on a way.
    fn along(&mut self, side: usize, route: &Route, apart: &mut Apart) {
        let graph = self.sides[side].graph;
        let by = if side == 0 { 1 } else { -1 };
        for &(node, at) in &route.edges {
            let edge = graph.nodes.at(node).edge(at);
            if let Some(number) = self.choices.number(graph, (side, node), edge) {
                add(apart, number, by);
            }
        }
    }

    /// The alternatives that make the sides what they are do not count.
    fn leave_out_compared(&mut self) {
        for (side, branch) in self.sides.into_iter().enumerate() {
            let Some(last) = branch.side.fixed.checked_sub(1) else {
                continue;
            };
            for entry in &branch.entries {
                let edges = entry.edges.iter().map(|&(node, at)| (node, at));
                let edge = |(node, at): (usize, usize)| branch.graph.nodes.at(node).edge(at);
                let chosen = edges.filter(|&at| edge(at).key().is_some());
                let chosen: Vec<(usize, usize)> = chosen.collect();
                // What is taken when the iteration chooses again is the last of an entry.
                let then = branch.side.then.as_ref();
                let again = chosen.last().filter(|&&at| edge(at).key() == then);
                for &at in chosen.get(last).into_iter().chain(again) {
                    let number = self.choices.any(branch.graph, (side, at.0), edge(at));
                    self.choices.compared.extend(number);
                    // Of an order, each of the two comes in both runs.
                    if let (None, Some(Key::Element(one @ Value::Entity(_), _))) =
                        (then, edge(at).key())
                    {
                        self.choices.chosen[side].push(*one);
                    }
                }
            }
        }
    }

    fn begin(&mut self) {
        self.leave_out_compared();
        // Once it is known what was chosen, choices have other numbers.
        self.choices.about.clear();
        self.choices.compared.clear();
        self.leave_out_compared();
        let [mine, theirs] = self.sides;
        let fits = |branch: &Branch<'_>, entry: &Route| entry.basis(branch.graph) <= self.basis;
        let mut pairs = Vec::new();
        for (one, first) in mine.entries.iter().enumerate() {
            for (other, second) in theirs.entries.iter().enumerate() {
                if fits(mine, first) && fits(theirs, second) {
                    pairs.push((one, other));
                }
            }
        }
        for entries in pairs {
            let (first, second) = (&mine.entries[entries.0], &theirs.entries[entries.1]);
            let mut apart = Apart::new();
            self.along(0, first, &mut apart);
            self.along(1, second, &mut apart);
            self.reach(Reached {
                place: (first.end, second.end, apart),
                steps: first.cost + second.cost,
                from: None,
                entries,
            });
        }
    }

    fn reach(&mut self, reached: Reached) {
        let known = self.known.get(&reached.place);
        if not_shared(&reached.place.2) > MOST_APART
            || known.is_some_and(|known| *known <= reached.steps)
        {
            return;
        }
        self.known.insert(reached.place.clone(), reached.steps);
        let distance = self.choices.distance(&reached.place.2);
        let at = self.reached.len();
        self.queue.push(Reverse((distance, reached.steps, at)));
        self.reached.push(reached);
    }

    /// What can follow a place: a step of the run that has chosen less.
    fn expand(&mut self, at: usize) {
        let (one, other, apart) = self.reached[at].place.clone();
        let lead: i32 = apart.iter().map(|(_, by)| by).sum();
        let is_end =
            |side: usize, node: usize| self.sides[side].graph.nodes.at(node).end().is_some();
        let side = match (is_end(0, one), is_end(1, other)) {
            (false, true) => 0,
            (true, false) => 1,
            _ if lead > 0 => 1,
            _ => 0,
        };
        let node = [one, other][side];
        let graph = self.sides[side].graph;
        for (edge_at, edge) in graph.nodes.at(node).edges().enumerate() {
            if edge.basis() > self.basis {
                continue;
            }
            let mut apart = apart.clone();
            if let Some(number) = self.choices.number(graph, (side, node), edge) {
                add(&mut apart, number, if side == 0 { 1 } else { -1 });
            }
            let place = match side {
                0 => (edge.to(), other, apart),
                _ => (one, edge.to(), apart),
            };
            self.reach(Reached {
                place,
                steps: self.reached[at].steps + edge.length(),
                from: Some((at, side, edge_at)),
                entries: self.reached[at].entries,
            });
        }
    }

    /// The ways of both runs to a place.
    fn routes(&self, at: usize) -> [Route; 2] {
        let mut edges: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
        let mut here = &self.reached[at];
        while let Some((before, side, edge)) = here.from {
            edges[side].push(edge);
            here = &self.reached[before];
        }
        let entries = [here.entries.0, here.entries.1];
        [0, 1].map(|side| {
            let branch = self.sides[side];
            let start = branch.entries[entries[side]].clone();
            let edges = edges[side].iter().rev();
            edges.fold(start, |route, &edge| route.then(branch.graph, edge))
        })
    }
}

/// A run of each of two sides, of the basis or a stronger one, that end in outcomes as wanted: of those
/// the pair that differs least in what is chosen, then the shortest that is found; and whether they answer no question
/// otherwise. `None`: the search was cut short before, or one of them never ends.
pub fn runs(
    program: &Program,
    (mine, theirs): (&Branch<'_>, &Branch<'_>),
    basis: BasisKind,
    wanted: &dyn Fn(usize, usize) -> bool,
) -> Option<((Run, Run), bool)> {
    let mut search = Search {
        sides: [mine, theirs],
        basis,
        choices: Choices {
            program,
            known: IndexSet::default(),
            questions: Vec::new(),
            asked: IndexSet::default(),
            about: FxHashMap::default(),
            compared: FxHashSet::default(),
            chosen: Default::default(),
        },
        reached: Vec::new(),
        known: FxHashMap::default(),
        queue: BinaryHeap::new(),
    };
    search.begin();
    let mut best: Option<(u32, u64, usize)> = None;
    let mut looked = 0;
    while let Some(Reverse((distance, steps, at))) = search.queue.pop() {
        looked += 1;
        let is_done = best.is_some_and(|best| best.0 == 0 && distance > 0);
        if is_done || looked > MOST_PAIRS {
            break;
        }
        let (one, other, _) = &search.reached[at].place;
        if let (Some(first), Some(second)) = (mine.values.ends[*one], theirs.values.ends[*other]) {
            let found = (distance, steps, at);
            if wanted(first, second) && best.is_none_or(|best| found < best) {
                best = Some(found);
            }
            continue;
        }
        search.expand(at);
    }
    let best = best?.2;
    let agree = search.choices.contrary(&search.reached[best].place.2) == 0;
    let [first, second] = search.routes(best);
    let run = |branch: &Branch<'_>, route: &Route| {
        let graph = branch.graph;
        RunBuilder { program, graph }.ended(route)
    };
    Some(((run(mine, &first)?, run(theirs, &second)?), agree))
}
