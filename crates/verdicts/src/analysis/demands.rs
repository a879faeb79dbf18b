//! What is found where demands on the outcomes of a board are at [odds](super::odds).

use std::collections::BTreeSet;

use super::branch::{Found, Plainness};
use super::bucket::{BucketKey, Hit};
use super::harvest::{Collector, Ways};
use super::leaf::Leaf;
use super::odds::Demand;
use super::paths::RunBuilder;
use super::values::Outcomes;
use crate::verdict::{Detail, Finding, Origin};
use endstep_language::diag::Severity;
use endstep_language::diag::codes::finding as code;
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{Program, SequenceId};
use endstep_semantics::witness::{Demands, Root, Violated, Way, Witness};

/// Takes away cores of one demand that the finding which refutes it tells of already.
pub fn retell(findings: &mut Vec<(BucketKey, Finding)>) {
    let told = findings.iter().filter_map(|(_, finding)| {
        let Some(Witness::Run { run, violated }) = &finding.witness else {
            return None;
        };
        match (violated, &run.root) {
            (Violated::Everywhere(demand), Root::Sequence(sequence, _)) => {
                Some((*sequence, (**demand).clone()))
            }
            _ => None,
        }
    });
    let told: Vec<(SequenceId, Violated)> = told.collect();
    findings.retain(|(_, finding)| match &finding.detail {
        Detail::Demands(sequence, core) => match core.as_slice() {
            [one] => !told.contains(&(*sequence, one.clone())),
            _ => true,
        },
        _ => true,
    });
}

impl Collector<'_, '_> {
    /// Demands that the outcomes of a leaf cannot meet.
    pub fn odds(&mut self, leaf: &Leaf, ways: &Ways<'_>) {
        let job = self.setup.job;
        let odds = &leaf.odds;
        let alone = odds.alone.iter().map(|one| vec![*one]);
        for core in alone.chain(odds.cores.iter().cloned()) {
            let asked = |one: &Demand| matches!(one, Demand::Claim(at) if job.claims.contains(at));
            if !job.full && !core.iter().any(asked) {
                continue;
            }
            let hit = self.at_odds(&core);
            let nodes = odds.nodes(&core);
            let least = |nodes: &Vec<usize>| nodes.iter().map(|&node| ways.least(node)).min();
            let least = nodes.iter().filter_map(least).sum();
            let place = self.place(leaf);
            let (program, observer) = (self.setup.program, self.setup.observers[0]);
            let outcomes = &self.outcomes[0];
            self.buckets.record(place, hit, least, || {
                let mut found = runs(program, leaf, (ways, &nodes))?;
                found.witness.core = violated(&core, job.sequence);
                found.witness.ways = all_ways(leaf, &core, outcomes);
                found.witness.observer = observer;
                Some(Found {
                    basis: found.basis,
                    plain: Plainness::Ends,
                    steps: found.steps,
                    witness: Witness::Demands(Box::new(found.witness)),
                })
            });
        }
    }

    /// A finding about a core.
    fn at_odds(&self, core: &[Demand]) -> Hit {
        let program = self.setup.program;
        let sequence = self.setup.job.sequence;
        let demands = violated(core, sequence);
        let is_claim = |one: &Demand| matches!(one, Demand::Claim(_));
        let names: Vec<String> = demands.iter().map(|one| one.name(program)).collect();
        let hit = Hit {
            code: code::DEMANDS_AT_ODDS,
            origin: match core.iter().any(is_claim) {
                true => Origin::Declared,
                false => Origin::Discovered,
            },
            severity: Severity::Warning,
            subject: program.sequences[sequence].name.clone(),
            cause: names.join(" + "),
            clauses: Vec::new(),
            spans: Vec::new(),
            detail: Detail::Demands(sequence, demands),
            rank: 0,
        };
        let place = |hit, one: &Demand| one.place(program, sequence, hit);
        core.iter().fold(hit, place)
    }
}

/// All ways in which runs can end, with what of a core is not met there.
fn all_ways(leaf: &Leaf, core: &[Demand], outcomes: &Outcomes) -> Vec<Way> {
    let way = |&node: &usize| {
        let outcome = leaf.values[0].ends[node]?;
        Some((
            outcomes.get(outcome).clone(),
            leaf.odds.positions(core, node),
        ))
    };
    let all: BTreeSet<Way> = leaf.odds.broken.keys().filter_map(way).collect();
    all.into_iter().collect()
}

fn violated(core: &[Demand], sequence: SequenceId) -> Vec<Violated> {
    core.iter().map(|one| one.violated(sequence)).collect()
}

/// For each list of nodes the run to one of them: of strongest basis, then shortest.
fn runs(
    program: &Program,
    leaf: &Leaf,
    (ways, nodes): (&Ways<'_>, &[Vec<usize>]),
) -> Option<Found<Demands>> {
    let builder = RunBuilder {
        program,
        graph: &leaf.graph,
    };
    let mut found = Found {
        basis: BasisKind::Text,
        plain: Plainness::Ends,
        steps: 0,
        witness: Demands {
            core: Vec::new(),
            runs: Vec::new(),
            ways: Vec::new(),
            observer: None,
        },
    };
    for nodes in nodes {
        let routes = nodes.iter().filter_map(|&node| ways.to(node));
        let route = routes.min_by_key(|route| (route.basis(&leaf.graph), route.cost))?;
        found.basis = found.basis.max(route.basis(&leaf.graph));
        found.steps += route.cost;
        found.witness.runs.push(builder.ended(&route)?);
    }
    Some(found)
}
