//! Everything about a board under one assignment of the readings that it consults.

use std::collections::BTreeSet;

use super::again::Repeats;
use super::graph::{Graph, NO_ORDERS, Task};
use super::halt::{Halt, unless_consulted};
use super::job::is_fixed_under;
use super::leaf::{Again, Leaf, Met, Taken};
use super::legal::{is_legal, is_legal_at_all};
use super::odds::Odds;
use super::setup::{Failure, Open, Runs, Setup, Start};
use super::values::{Outcomes, Values};
use super::watch::{fails, taken};
use crate::verdict::{ClaimFailure, Extra};
use endstep_language::syntax::ast::At;
use endstep_language::typing::program::{ClaimKind, SequenceId, StmtKind};
use endstep_semantics::semantics::{Data, Interpreter, Readings, Tag, Variant};
use endstep_semantics::witness::{Root, outside_contract};

/// The runs from a board, and what they show.
struct Visited {
    graph: Graph,
    /// What is possible, for each observer.
    values: Vec<Values>,
    /// What is wrong at ends.
    failures: Vec<(usize, Failure)>,
    /// The values that are asked for at ends.
    taken: Vec<Taken>,
    /// Which demands are at odds.
    odds: Odds,
}

impl Setup<'_> {
    pub(super) fn interpreter<'a>(&'a self, readings: &'a Readings) -> Interpreter<'a> {
        Interpreter {
            program: self.program,
            readings,
            variant: &self.job.variant,
        }
    }

    /// Everything about a board under readings; `None`: it is not legal.
    pub fn leaf(
        &self,
        start: Start<'_>,
        readings: &Readings,
        open: &Open,
        met: &mut Met,
    ) -> Result<Option<Leaf>, Halt> {
        let it = self.interpreter(readings);
        let explored = || self.is_explored(it, start.board);
        if !met.explored.get(readings, explored)? {
            let is_legal = || is_legal_at_all(it, start.board) != Ok(false);
            met.left_out |=
                !self.job.all_legal && self.has_what_is_named(start.board) && is_legal();
            return Ok(None);
        }
        let keep = self.keep(open);
        let root = self.root();
        let runs = Runs {
            root: &root,
            readings,
            variant: &self.job.variant,
            watches: &self.watches,
            keep: &keep,
        };
        let concerned = || self.concerned(it, start.board);
        let concerned = met.concerned.get(readings, concerned)?;
        let visited = self.run(start, runs, &concerned, &mut met.outcomes);
        if let Err(Halt::Consult(reading)) = visited {
            met.consulted.insert(reading);
        }
        let Visited {
            graph,
            values,
            failures,
            taken,
            odds,
        } = visited?;
        let outcomes = &mut met.outcomes;
        let limited = graph.is_limited();
        let mut leaf = Leaf {
            readings: readings.clone(),
            odds,
            graph,
            values,
            limited,
            concerned,
            failures,
            taken,
            freed: Vec::new(),
            uncounted: None,
            skipped: Vec::new(),
            others: Vec::new(),
            again: Again::default(),
            given_up: BTreeSet::new(),
        };
        let mut repeats = Repeats {
            setup: self,
            start,
            known: &mut met.effects,
            covered: &mut met.repeated,
        };
        leaf.again = repeats.look(&leaf, open, outcomes)?;
        let given_up = leaf.again.given_up.iter().copied();
        leaf.given_up.extend(given_up.map(Extra::Recheck));
        let claims = leaf.again.open.iter().copied();
        leaf.given_up.extend(claims.map(Extra::Again));
        leaf.given_up
            .extend(leaf.odds.too_many.then_some(Extra::Demands));
        if limited {
            self.uncount(start, &mut leaf)?;
        } else {
            self.free(start, &mut leaf, &mut outcomes[0])?;
            self.skip(start, &mut leaf, open, &mut outcomes[0])?;
            self.other_sequences(start, &mut leaf, outcomes)?;
        }
        // What consults another reading is looked at again under each of its alternatives.
        met.states += leaf.graph.count();
        Ok(Some(leaf))
    }

    /// The graph of a board, what is possible, what is wrong at its ends, and what is at odds there.
    fn run(
        &self,
        start: Start<'_>,
        runs: Runs<'_>,
        concerned: &[bool],
        outcomes: &mut [Outcomes],
    ) -> Result<Visited, Halt> {
        let known: Vec<usize> = outcomes.iter().map(Outcomes::count).collect();
        let (graph, values) = self.compared(start, runs, outcomes)?;
        let failures = self.failures(self.interpreter(runs.readings), &graph)?;
        let odds = Odds::of(self, &graph, (&failures, concerned));
        if graph.narrowed.is_empty() || odds.is_nothing() {
            let taken = self.taken(self.interpreter(runs.readings), &graph, concerned)?;
            return Ok(Visited {
                graph,
                values,
                failures,
                taken,
                odds,
            });
        }
        // What is at odds on every run is shown by every run.
        for (outcomes, known) in outcomes.iter_mut().zip(known) {
            outcomes.forget_since(known);
        }
        let start = Start {
            orders: &NO_ORDERS,
            ..start
        };
        self.run(start, runs, concerned, outcomes)
    }

    /// What a single run from a board shows; `None`: it is not looked at, or cannot be.
    pub fn path(
        &self,
        start: Start<'_>,
        readings: &Readings,
        choices: &[usize],
    ) -> Result<Option<Leaf>, Halt> {
        let it = self.interpreter(readings);
        if !self.is_explored(it, start.board)? {
            return Ok(None);
        }
        let task = Task {
            program: self.program,
            readings,
            variant: &self.job.variant,
            names: start.names,
            watches: &self.watches,
            keep: &BTreeSet::new(),
            orders: &NO_ORDERS,
            states: self.limits.states,
            steps: start.budget,
            spent: start.spent,
            kept: None,
        };
        let Some(graph) = self.engine.path(task, &self.root(), (start.board, choices)) else {
            return Ok(None);
        };
        let graph = graph?;
        Ok(Some(Leaf {
            readings: readings.clone(),
            values: Vec::new(),
            limited: graph.is_limited(),
            failures: self.failures(it, &graph)?,
            // Which value is the largest, no single run says.
            taken: Vec::new(),
            // Other runs may meet what this one does not.
            odds: Odds::default(),
            concerned: self.concerned(it, start.board)?,
            graph,
            freed: Vec::new(),
            uncounted: None,
            skipped: Vec::new(),
            others: Vec::new(),
            again: Again::default(),
            given_up: BTreeSet::new(),
        }))
    }

    /// Whether a board is one of those that are looked at.
    pub(super) fn is_explored(&self, it: Interpreter<'_>, board: &Data) -> Result<bool, Halt> {
        if !self.has_what_is_named(board) {
            return Ok(false);
        }
        match self.job.all_legal {
            true => is_legal_at_all(it, board),
            false => is_legal(it, self.job.only(self.program), board),
        }
    }

    /// Whether a board has everything that the claims of the job can name: what lies on the board they are asked of.
    fn has_what_is_named(&self, board: &Data) -> bool {
        let on = self.job.on.map(|on| &self.program.boards[on].entities);
        let mut named = on.into_iter().flatten().map(|one| one.sort);
        let mut there = board.entities.iter().map(|one| one.sort);
        named.all(|sort| there.next() == Some(sort))
    }

    fn concerned(&self, it: Interpreter<'_>, board: &Data) -> Result<Vec<bool>, Halt> {
        let mut concerned = Vec::new();
        for &claim in self.job.claims.iter().chain(&self.job.also) {
            let condition = match &self.program.claims[claim].kind {
                ClaimKind::Equivalent(_, _, condition)
                | ClaimKind::Terminates(_, condition)
                | ClaimKind::Must(_, _, condition)
                | ClaimKind::ReachableAfter(_, _, condition)
                | ClaimKind::ExtremeAfter(_, _, _, condition) => condition.as_ref(),
                _ => None,
            };
            concerned.push(match condition {
                Some(condition) => fails(it, condition, board, board)?.is_none(),
                None => true,
            });
        }
        Ok(concerned)
    }

    fn failures(&self, it: Interpreter<'_>, graph: &Graph) -> Result<Vec<(usize, Failure)>, Halt> {
        let mut found = Vec::new();
        // What is promised is a demand beside those that are claimed.
        let demands = self.job.verify().is_some() && self.job.demands(self.program);
        let promised = self.job.full || demands;
        for (at, node) in graph.nodes.iter().enumerate() {
            let Some(end) = node.end() else { continue };
            let data = &end.ended.data;
            let mut add = |failure| found.push((at, failure));
            if end.ended.tag == Tag::End && promised {
                for (index, legal) in self.program.legals.iter().enumerate() {
                    if fails(it, &legal.condition, data, &graph.board)?.is_some() {
                        add(Failure::Legal(index));
                    }
                }
                self.contract(it, graph, data, &mut add)?;
            }
            let ends = end.ended.tag.is_outcome();
            for &claim in self.job.claims.iter().chain(&self.job.also) {
                let condition = match &self.program.claims[claim].kind {
                    ClaimKind::Must(e, ..) => e,
                    // A declared outcome is not the end of the sequence.
                    ClaimKind::Invariant(e, At::End, _) if end.ended.tag == Tag::End => e,
                    ClaimKind::Invariant(e, At::Steps | At::Throughout, _) => e,
                    ClaimKind::ReachableAfter(e, ..) => {
                        if ends && fails(it, e, data, &graph.board)?.is_none() {
                            add(Failure::Claim(claim, ClaimFailure::Reached));
                        }
                        continue;
                    }
                    _ => continue,
                };
                if ends && let Some(why) = fails(it, condition, data, &graph.board)? {
                    add(Failure::Claim(claim, why));
                }
            }
        }
        Ok(found)
    }

    /// The values that are asked for at the ends of runs, of claims that concern the board.
    fn taken(
        &self,
        it: Interpreter<'_>,
        graph: &Graph,
        concerned: &[bool],
    ) -> Result<Vec<Taken>, Halt> {
        let mut found = Vec::new();
        for (at, &claim) in self.job.claims.iter().enumerate() {
            let ClaimKind::ExtremeAfter(_, e, ..) = &self.program.claims[claim].kind else {
                continue;
            };
            let nodes = graph.nodes.iter().enumerate().filter(|_| concerned[at]);
            let ends = nodes.filter_map(|(node, one)| Some((node, &one.end()?.ended)));
            for (node, ended) in ends.filter(|(_, ended)| ended.tag.is_outcome()) {
                let value = taken(it.value(e, &ended.data, Some(&graph.board)))?;
                found.extend(value.map(|value| Taken { node, claim, value }));
            }
        }
        Ok(found)
    }

    fn contract(
        &self,
        it: Interpreter<'_>,
        graph: &Graph,
        data: &Data,
        add: &mut dyn FnMut(Failure),
    ) -> Result<(), Halt> {
        let sequence: SequenceId = self.job.sequence;
        let Some(contract) = &self.program.sequences[sequence].contract else {
            return Ok(());
        };
        for (index, condition) in contract.ensures.iter().enumerate() {
            if fails(it, condition, data, &graph.board)?.is_some() {
                add(Failure::Contract(index));
            }
        }
        let changed = outside_contract(it, sequence, &graph.board, data);
        for outside in unless_consulted(changed)?.unwrap_or_default() {
            add(Failure::Frame(outside));
        }
        Ok(())
    }

    /// The runs of another variant, and what is possible on them.
    fn other(
        &self,
        start: Start<'_>,
        (readings, variant): (&Readings, &Variant),
        outcomes: &mut Outcomes,
    ) -> Result<(Graph, Values), Halt> {
        let root = self.root();
        let runs = Runs {
            root: &root,
            readings,
            variant,
            watches: &[],
            keep: &BTreeSet::new(),
        };
        let outcomes = std::slice::from_mut(outcomes);
        let (graph, mut values) = self.compared(start, runs, outcomes)?;
        // INVARIANT: one for each observer that was given.
        Ok((graph, values.remove(0)))
    }

    fn free(&self, start: Start<'_>, leaf: &mut Leaf, outcomes: &mut Outcomes) -> Result<(), Halt> {
        for &stmt in self.fixed.iter().filter(|_| self.job.full) {
            let StmtKind::ForEach { order, .. } = &self.program.stmts[stmt].kind else {
                continue;
            };
            // Under another reading the order can be open; a difference is then reported as one of order.
            let decides = leaf.graph.coverage.has_wide(stmt) || leaf.graph.stops_at(stmt);
            if !decides || !is_fixed_under(order, &leaf.readings) {
                continue;
            }
            let mut variant = self.job.variant.clone();
            variant.free.insert(stmt);
            let come_to = start
                .aside()
                .map(|start| self.other(start, (&leaf.readings, &variant), outcomes));
            let extra = Extra::Position(stmt);
            match leaf.unless_given_up(extra, come_to)? {
                // What cannot be compared is not known either.
                Some((graph, _)) if graph.is_limited() => {
                    leaf.given_up.insert(extra);
                }
                Some((graph, values)) => leaf.freed.push((stmt, graph, values)),
                None => {}
            }
        }
        Ok(())
    }

    /// The runs with nothing counted, if others leave the bounds of exploration by what they count.
    fn uncount(&self, start: Start<'_>, leaf: &mut Leaf) -> Result<(), Halt> {
        let asks =
            |&claim: &usize| matches!(self.program.claims[claim].kind, ClaimKind::Terminates(..));
        let asked = self.job.full || self.job.claims.iter().any(asks);
        let Some(variant) = self.uncounting.as_ref().filter(|_| asked) else {
            return Ok(());
        };
        let by_tally = leaf.graph.leaves_reach(&|spot| variant.keeps(spot));
        let Some(start) = start.aside().filter(|_| by_tally) else {
            return Ok(());
        };
        let how = (&leaf.readings, variant);
        match self.explore(start, &self.root(), how, (&[], &BTreeSet::new())) {
            Ok(graph) => leaf.uncounted = Some(graph),
            Err(Halt::Consult(reading)) => return Err(Halt::Consult(reading)),
            // Loops are then told as far as they show in the other runs.
            Err(_) => {}
        }
        Ok(())
    }

    fn skip(
        &self,
        start: Start<'_>,
        leaf: &mut Leaf,
        open: &Open,
        outcomes: &mut Outcomes,
    ) -> Result<(), Halt> {
        for &step in &open.idle {
            if !leaf.graph.coverage.has_step(step) {
                continue;
            }
            if !leaf.graph.coverage.has_effect(step) {
                leaf.skipped.push((step, false));
                continue;
            }
            let mut variant = self.job.variant.clone();
            variant.skip = Some(step);
            let come_to = start
                .aside()
                .map(|start| self.other(start, (&leaf.readings, &variant), outcomes));
            if let Some((_, values)) = leaf.unless_given_up(Extra::Idle(step), come_to)? {
                let differs = values.set(0) != leaf.values[0].set(0);
                leaf.skipped.push((step, differs));
            }
        }
        Ok(())
    }

    /// The runs of another sequence, and what is possible on them for an observer.
    fn other_sequence(
        &self,
        start: Start<'_>,
        (sequence, readings): (SequenceId, &Readings),
        (observer, outcomes): (usize, &mut Outcomes),
    ) -> Result<(Graph, Values), Halt> {
        let root = Root::Sequence(sequence, Vec::new());
        let nothing = (&[][..], &BTreeSet::new());
        let graph = self.explore(start, &root, (readings, &self.job.variant), nothing)?;
        let values = self
            .engine
            .values(&graph, self.viewer(observer), outcomes)?;
        Ok((graph, values))
    }

    fn other_sequences(
        &self,
        start: Start<'_>,
        leaf: &mut Leaf,
        outcomes: &mut [Outcomes],
    ) -> Result<(), Halt> {
        for (at, &claim) in self.job.claims.iter().enumerate() {
            let ClaimKind::Equivalent(_, other, _) = &self.program.claims[claim].kind else {
                continue;
            };
            if !leaf.concerned[at] {
                continue;
            }
            let observer = self.observer_of(claim);
            let come_to = self.other_sequence(
                start,
                (*other, &leaf.readings),
                (observer, &mut outcomes[observer]),
            );
            let extra = Extra::Compared(claim);
            // Nobody else asks for its runs: what is known without them stays known.
            let Some((graph, values)) = leaf.unless_given_up(extra, Some(come_to))? else {
                continue;
            };
            // What cannot be compared is not known.
            if graph.is_limited() {
                leaf.given_up.insert(extra);
            }
            leaf.others.push((claim, graph, values));
        }
        Ok(())
    }
}
