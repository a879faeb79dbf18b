//! Two engines at once: what one is asked the other is asked too, on the same graphs.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;

use endstep::analysis::{
    Blamed, Continuation, Engine, Graph, Halt, Kept, NO_ORDERS, Outcomes, Task, Values, Viewer,
};
use endstep::exhaust::Naive;
use endstep::explore::{Explorer, Quest, space};
use endstep::semantics::{ChoiceKind, Data, Who};
use endstep::typing::program::Program;
use endstep::verdict::LoopClass;
use endstep::witness::{Ability, Root};

/// Answers as the naive engine does, and takes down where the other differs.
pub struct Both {
    explorer: Explorer,
    first: Mutex<Option<String>>,
}

impl Both {
    /// For a program.
    pub fn new(program: &Program) -> Self {
        Self {
            explorer: Explorer::new(program),
            first: Mutex::default(),
        }
    }

    /// The first difference.
    pub fn difference(self) -> Option<String> {
        self.first.into_inner().unwrap()
    }

    fn compare<T: Debug + PartialEq>(&self, what: &str, naive: &T, fast: &T) {
        if naive != fast {
            let mut first = self.first.lock().unwrap();
            first.get_or_insert_with(|| format!("{what}\n naive {naive:?}\n fast  {fast:?}"));
        }
    }
}

/// Everything about a node but its state.
fn shape(graph: &Graph) -> Vec<String> {
    let nodes = graph.nodes.iter().map(|node| format!("{node:?}"));
    nodes.collect()
}

/// The numbers of what a node may come to.
fn numbers(values: &Values, node: usize) -> Vec<usize> {
    values.set(node).iter().collect()
}

impl Engine for Both {
    fn graph(&self, task: Task<'_>, root: &Root, board: &Data) -> Result<Graph, Halt> {
        let before = task.spent.get();
        self.compare_alone(task, root, board);
        task.spent.set(before);
        // Graphs are compared with every order.
        let task = Task {
            orders: &NO_ORDERS,
            ..task
        };
        let fast = self.explorer.graph(task, root, board);
        task.spent.set(before);
        let naive = Naive.graph(task, root, board);
        match (&naive, &fast) {
            (Ok(naive), Ok(fast)) => {
                self.compare("graph", &shape(naive), &shape(fast));
                self.compare("marks", &naive.marks, &fast.marks);
                self.compare("coverage", &naive.coverage, &fast.coverage);
                for node in 0..naive.nodes.len().min(fast.nodes.len()) {
                    self.compare("state", &naive.state(node), &fast.state(node));
                }
            }
            _ => self.compare("halt", &naive.as_ref().err(), &fast.as_ref().err()),
        }
        if let Ok(naive) = &naive {
            self.counted(task, root, board, naive);
        }
        naive
    }

    fn lend(&self) -> Kept {
        self.explorer.lend()
    }

    fn give_back(&self, kept: Kept) {
        self.explorer.give_back(kept);
    }

    fn values(
        &self,
        graph: &Graph,
        viewer: Viewer<'_>,
        outcomes: &mut Outcomes,
    ) -> Result<Values, Halt> {
        let mut more = outcomes.clone();
        let fast = self.explorer.values(graph, viewer, &mut more);
        let naive = Naive.values(graph, viewer, outcomes);
        if let (Ok(naive), Ok(fast)) = (&naive, &fast) {
            self.compare("ends", &naive.ends, &fast.ends);
            for node in 0..graph.nodes.len() {
                let what = format!("V of node {node}");
                self.compare(&what, &numbers(naive, node), &numbers(fast, node));
                // Classes are numbered otherwise, but are the same classes.
                let same = |values: &Values| values.class(node) == values.class(0);
                self.compare("class", &same(naive), &same(fast));
            }
            self.all_about(graph, naive, fast);
        }
        self.compare("halt", &naive.as_ref().err(), &fast.as_ref().err());
        naive
    }

    fn is_able(&self, graph: &Graph, values: &Values, who: Who, what: (Ability, usize)) -> bool {
        Naive.is_able(graph, values, who, what)
    }

    fn loops(&self, graph: &Graph) -> Vec<(Vec<usize>, LoopClass)> {
        Naive.loops(graph)
    }

    fn unequal(&self, graph: &Graph, values: &Values, kind: ChoiceKind) -> Vec<usize> {
        Naive.unequal(graph, values, kind)
    }

    fn blame(&self, graph: &Graph, values: &Values, counts: &dyn Fn(usize) -> bool) -> Vec<Blamed> {
        let (naive, fast) = (
            Naive.blame(graph, values, counts),
            self.explorer.blame(graph, values, counts),
        );
        self.compare("blame where it counts", &naive, &fast);
        naive
    }

    fn continuation(
        &self,
        both: (&Graph, &Values),
        node: usize,
        pair: (usize, usize),
    ) -> Option<Continuation> {
        Naive.continuation(both, node, pair)
    }
}

impl Both {
    /// Compares a graph with the same one when nothing was kept of others.
    fn compare_alone(&self, task: Task<'_>, root: &Root, board: &Data) {
        let made = |kept| {
            task.spent.set(0);
            let graph = self.explorer.graph(Task { kept, ..task }, root, board);
            (graph, task.spent.get())
        };
        let (alone, cost) = made(None);
        let (shared, paid) = made(task.kept);
        self.compare("cost", &cost, &paid);
        match (&alone, &shared) {
            (Ok(alone), Ok(shared)) => {
                self.compare("graph alone", &shape(alone), &shape(shared));
                self.compare("marks alone", &alone.marks, &shared.marks);
                self.compare("coverage alone", &alone.coverage, &shared.coverage);
                self.compare("orders alone", &alone.narrowed, &shared.narrowed);
                for node in 0..alone.nodes.len().min(shared.nodes.len()) {
                    self.compare("state alone", &alone.state(node), &shared.state(node));
                }
            }
            _ => self.compare("halt alone", &alone.as_ref().err(), &shared.as_ref().err()),
        }
    }

    /// Counts the states, which are no more than the nodes: passes that begin once are none, and
    /// locals of blocks that are over tell none apart.
    fn counted(&self, task: Task<'_>, root: &Root, board: &Data, naive: &Graph) {
        let Root::Sequence(sequence, args) = root else {
            return;
        };
        if !args.is_empty() {
            return;
        }
        let quest = Quest {
            sequence: *sequence,
            board,
            readings: task.readings,
            variant: task.variant,
            states: naive.nodes.len(),
            points: true,
        };
        let space = space(self.explorer.ground(), quest).unwrap();
        self.compare("all counted", &true, &space.complete);
        let edges: usize = naive.nodes.iter().map(|node| node.degree()).sum();
        let fits = space.transitions <= edges as u64;
        self.compare("no more transitions than edges", &true, &fits);
        let ends = naive.nodes.iter().filter_map(|node| node.end());
        let ends: BTreeSet<_> = ends.map(|end| end.ended.tag.clone()).collect();
        let counted: BTreeSet<_> = space.ends.into_keys().collect();
        self.compare("ends that are counted", &ends, &counted);
    }

    /// Asks everything that can be asked about a graph, whether or not the analysis would.
    fn all_about(&self, graph: &Graph, naive: &Values, fast: &Values) {
        self.compare("loops", &Naive.loops(graph), &self.explorer.loops(graph));
        for kind in [ChoiceKind::Order, ChoiceKind::Gap, ChoiceKind::Selection] {
            let (one, other) = (
                Naive.unequal(graph, naive, kind),
                self.explorer.unequal(graph, fast, kind),
            );
            self.compare("unequal", &one, &other);
        }
        let (one, other) = (
            Naive.blame(graph, naive, &|_| true),
            self.explorer.blame(graph, fast, &|_| true),
        );
        self.compare("blame", &one, &other);
        let alone = graph.deciders().into_iter().map(Who::Player);
        for who in alone.chain([Who::Everyone]) {
            for outcome in std::iter::once(0).chain(naive.set(0).iter()) {
                for ability in [Ability::Force, Ability::Avoid] {
                    let (one, other) = (
                        Naive.is_able(graph, naive, who, (ability, outcome)),
                        self.explorer.is_able(graph, fast, who, (ability, outcome)),
                    );
                    let what = format!("{ability:?} {outcome} {who:?}");
                    self.compare(&what, &one, &other);
                }
            }
        }
        for (node, one) in graph.nodes.iter().enumerate() {
            for first in 0..one.degree() {
                for second in (0..one.degree()).filter(|&second| second != first) {
                    let (one, other) = (
                        Naive.continuation((graph, naive), node, (first, second)),
                        self.explorer
                            .continuation((graph, fast), node, (first, second)),
                    );
                    self.compare("continuation", &one, &other);
                }
            }
        }
    }
}
