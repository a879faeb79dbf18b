//! What one board under one assignment has to say: gaps, conflicts, bounds, promises, events, loops.

use std::collections::{BTreeMap, BTreeSet};

use super::branch::{Found, Plainness};
use super::bucket::{BucketKey, Buckets, Hit, Place};
use super::flat::{Edge, End};
use super::graph::Graph;
use super::growth::{self, Growing};
use super::leaf::Leaf;
use super::loops::{self, Through};
use super::odds::is_mixed;
use super::paths::{Route, RunBuilder, Tree};
use super::setup::{Failure, Setup};
use super::sides::RunShown;
use super::subject;
use super::values::Outcomes;
use super::watch::{Event, Mark};
use crate::verdict::{ClaimFailure, Detail, LoopClass, Origin, Question, rank};
use endstep_language::diag::codes::finding as code;
use endstep_language::diag::{Code, Severity};
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{ClaimKind, Program, SequenceId};
use endstep_semantics::semantics::{ChoiceKind, GapName, Site, Tag};
use endstep_semantics::witness::{Grown, Outside, Violated, site_path, step_path};

/// What was asked, and which findings speak against it.
pub type Asked = BTreeMap<Question, BTreeSet<BucketKey>>;

/// Where findings go.
pub struct Collector<'a, 'b> {
    /// What stays the same for all boards.
    pub setup: &'a Setup<'b>,
    /// Findings.
    pub buckets: &'a mut Buckets,
    /// What shows that something is reachable.
    pub shown: &'a mut Buckets,
    /// Questions.
    pub asked: &'a mut Asked,
    /// Conflicts after which it makes a difference which sentence is followed.
    pub weighty: &'a mut BTreeSet<Site>,
    /// The outcomes on the board, for each observer.
    pub outcomes: &'a [Outcomes],
    /// The number of the board, and its entities.
    pub board: (u64, usize),
}

/// Ways to all nodes of a graph, by the weakest basis that they may have.
pub struct Ways<'g> {
    leaf: &'g Leaf,
    trees: Vec<(BasisKind, Tree)>,
}

impl<'g> Ways<'g> {
    /// Of a leaf.
    pub fn new(leaf: &'g Leaf) -> Self {
        let mut bounds = BTreeSet::from([BasisKind::Text]);
        bounds.extend(leaf.graph.nodes.edges().map(Edge::basis));
        let trees = bounds.into_iter().map(|bound| {
            let tree = Tree::from(&leaf.graph, 0, &|_, edge| edge.basis() <= bound);
            (bound, tree)
        });
        Self {
            leaf,
            trees: trees.collect(),
        }
    }

    /// The way of strongest basis, then of fewest steps.
    pub fn to(&self, node: usize) -> Option<Route> {
        self.trees.iter().find_map(|(_, tree)| tree.route(node))
    }

    /// The fewest steps to a node, whatever the basis.
    pub fn least(&self, node: usize) -> u64 {
        let all = self.trees.last();
        all.and_then(|(_, tree)| tree.cost(node)).unwrap_or(0)
    }

    /// All ways, whatever their basis.
    pub fn all(&self) -> &Tree {
        &self.trees[self.trees.len() - 1].1
    }

    pub(super) fn ended<'p>(
        &self,
        setup: &Setup<'p>,
        node: usize,
        violated: Violated,
    ) -> Option<Found<RunShown<'p>>> {
        let way = self.to(node)?;
        let builder = RunBuilder {
            program: setup.program,
            graph: &self.leaf.graph,
        };
        Some(Found {
            basis: way.basis(&self.leaf.graph),
            plain: Plainness::Ends,
            steps: way.cost,
            witness: RunShown {
                program: setup.program,
                run: builder.ended(&way)?,
                violated,
            },
        })
    }

    /// The way to a mark: after some steps of an edge, on the board, or at an end.
    pub(super) fn at<'p>(
        &self,
        setup: &Setup<'p>,
        (node, edge): (usize, Option<usize>),
        mark: &Mark,
        violated: Violated,
    ) -> Option<Found<RunShown<'p>>> {
        match self.leaf.graph.nodes.at(node).end() {
            Some(_) => self.ended(setup, node, violated),
            None => self.stopped(setup, (node, edge), mark, violated),
        }
    }

    fn stopped<'p>(
        &self,
        setup: &Setup<'p>,
        (node, edge): (usize, Option<usize>),
        mark: &Mark,
        violated: Violated,
    ) -> Option<Found<RunShown<'p>>> {
        let way = self.to(node)?;
        let builder = RunBuilder {
            program: setup.program,
            graph: &self.leaf.graph,
        };
        let within = edge.map(|edge| (edge, mark.offset));
        Some(Found {
            basis: way.basis(&self.leaf.graph).max(mark.basis),
            plain: Plainness::Ends,
            steps: way.cost + mark.offset,
            witness: RunShown {
                program: setup.program,
                run: builder.left(&way, within),
                violated,
            },
        })
    }
}

/// A hit that an engine makes of itself.
pub fn discovered(code: Code, severity: Severity, subject: String, detail: Detail) -> Hit {
    Hit {
        code,
        origin: Origin::Discovered,
        severity,
        subject,
        cause: String::new(),
        clauses: Vec::new(),
        spans: Vec::new(),
        detail,
        rank: 0,
    }
}

impl Hit {
    /// The same, at a place of the specification.
    #[must_use]
    pub fn at(mut self, program: &Program, site: Site) -> Self {
        self.clauses.extend(subject::clauses(program, site));
        self.spans.push(site.span(program));
        self
    }

    /// The same, where a round of a sequence stands; at the sequence, if no clause says that.
    fn going_through(mut self, program: &Program, sequence: SequenceId, round: Through) -> Self {
        let nowhere = round.clauses.is_empty();
        self.clauses.extend(round.clauses);
        self.spans.extend(round.spans);
        self.spans.push(program.sequences[sequence].span);
        if nowhere {
            let clauses = subject::clauses(program, Site::Sequence(sequence));
            self.clauses.extend(clauses);
        }
        self.because(round.cause)
    }

    /// The same, with what is to blame.
    #[must_use]
    pub fn because(mut self, cause: impl Into<String>) -> Self {
        self.cause = cause.into();
        self
    }
}

impl Collector<'_, '_> {
    /// Where a leaf's findings are.
    pub fn place<'l>(&self, leaf: &'l Leaf) -> Place<'l> {
        Place {
            board: self.board.0,
            entities: self.board.1,
            readings: &leaf.readings,
            oblique: false,
            mixed: false,
            plainest: Plainness::Ends,
        }
    }

    /// Takes down a question.
    pub fn ask(&mut self, question: Question) {
        self.asked.entry(question).or_default();
    }

    /// Takes down that a finding speaks against something.
    pub fn refute(&mut self, question: Question, key: BucketKey) {
        self.asked.entry(question).or_default().insert(key);
    }

    /// A finding about a claim of the author.
    pub fn claimed(&self, claim: usize, why: ClaimFailure) -> Hit {
        let declared = &self.setup.program.claims[claim];
        let (code, severity) = if declared.question {
            (code::QUESTION_NO, Severity::Note)
        } else {
            (code::CLAIM_REFUTED, Severity::Warning)
        };
        Hit {
            code,
            origin: Origin::Declared,
            severity,
            subject: declared.name.clone(),
            cause: String::new(),
            clauses: declared.clause.into_iter().collect(),
            spans: vec![declared.span],
            rank: match (declared.kind.extreme(), &why) {
                (Some((extreme, _)), ClaimFailure::Takes(value)) => rank(extreme, *value),
                _ => 0,
            },
            detail: Detail::Claim(claim, why),
        }
    }

    /// Everything that can be said of a leaf alone, but for the order of things.
    pub fn leaf(&mut self, leaf: &Leaf, ways: &Ways<'_>) {
        self.run(leaf, ways);
        self.again(leaf);
        self.loops(leaf);
    }

    /// Everything that single runs of a leaf show.
    pub fn run(&mut self, leaf: &Leaf, ways: &Ways<'_>) {
        if self.setup.job.full {
            for (node, one) in leaf.graph.nodes.iter().enumerate() {
                if let Some(end) = one.end() {
                    self.end(leaf, ways, node, end);
                }
            }
        }
        for (node, failure) in &leaf.failures {
            self.failure(leaf, ways, *node, failure);
        }
        self.marks(leaf, ways);
        self.extremes(leaf, ways);
        self.growth(leaf);
    }

    fn end(&mut self, leaf: &Leaf, ways: &Ways<'_>, node: usize, end: &End) {
        let program = self.setup.program;
        let warn = |code, subject, detail| discovered(code, Severity::Warning, subject, detail);
        let hit = match &end.ended.tag {
            Tag::Gap(GapName::Named(gap)) => {
                let declared = &program.gaps[*gap];
                let detail = Detail::Gap(GapName::Named(*gap));
                let mut hit = warn(code::NAMED_GAP, declared.name.clone(), detail);
                hit.clauses.extend(declared.clause);
                hit.spans.push(declared.span);
                if declared.clause.is_none()
                    && let Some(stmt) = subject::ending(program, &leaf.graph, node)
                {
                    hit = hit.at(program, Site::Stmt(stmt));
                }
                hit
            }
            Tag::Gap(name @ GapName::Implicit(cause, site, span)) => {
                let detail = Detail::Gap(name.clone());
                let mut hit = warn(code::IMPLICIT_GAP, site_path(program, *site), detail);
                hit = hit.because(cause.words()).at(program, *site);
                hit.spans.insert(0, *span);
                hit
            }
            Tag::Conflict(site) => {
                let detail = Detail::Conflict(*site, None);
                // It is another fault than that different things are said there.
                let hit = warn(code::CONFLICT, site_path(program, *site), detail);
                hit.because("supply").at(program, *site)
            }
            Tag::Range(what) => {
                let (name, span) = subject::exceeded(program, *what);
                let mut hit = warn(code::OUT_OF_RANGE, name, Detail::Range(*what));
                // Two statements that leave one bound are two faults.
                if let Some(stmt) = subject::ending(program, &leaf.graph, node) {
                    let site = Site::Stmt(stmt);
                    hit = hit.at(program, site).because(site_path(program, site));
                }
                hit.spans.push(span);
                hit
            }
            Tag::Stuck(sequence) => {
                let name = program.sequences[*sequence].name.clone();
                let hit = warn(code::STUCK, name, Detail::Stuck(*sequence));
                hit.at(program, Site::Sequence(*sequence))
            }
            Tag::End | Tag::Win(_) | Tag::Loss(_) | Tag::Draw | Tag::Limit(_) => return,
        };
        let setup = self.setup;
        let least = ways.least(node);
        self.buckets.record(self.place(leaf), hit, least, || {
            ways.ended(setup, node, Violated::Nothing)
        });
    }

    fn failure(&mut self, leaf: &Leaf, ways: &Ways<'_>, node: usize, failure: &Failure) {
        let (program, setup) = (self.setup.program, self.setup);
        let sequence = setup.job.sequence;
        let name = program.sequences[sequence].name.clone();
        let warn = |code, subject, detail| discovered(code, Severity::Warning, subject, detail);
        let (hit, question, violated) = match failure {
            Failure::Legal(_) | Failure::Contract(_) | Failure::Frame(_) if !setup.job.full => {
                return;
            }
            Failure::Legal(index) => {
                let legal = &program.legals[*index];
                let detail = Detail::Legal(sequence, *index);
                let mut hit = warn(code::LEGAL_BROKEN, legal.name.clone(), detail).because(name);
                hit.clauses.extend(legal.clause);
                hit.spans.push(legal.span);
                (
                    hit,
                    Question::Legal(sequence, *index),
                    Violated::Legal(*index),
                )
            }
            Failure::Contract(index) => {
                let detail = Detail::Contract(sequence, *index);
                let hit = warn(code::CONTRACT_BROKEN, name, detail);
                let hit = hit.because(format!("ensures #{}", index + 1));
                let violated = Violated::Contract(sequence, *index);
                (
                    hit.at(program, Site::Sequence(sequence)),
                    Question::Contract(sequence),
                    violated,
                )
            }
            Failure::Frame(Outside { difference, listed }) => {
                let what = subject::changed(program, &leaf.graph, difference);
                let detail = Detail::Frame(sequence, what.clone(), *listed);
                let within = if *listed { " within" } else { "" };
                let hit = warn(code::CONTRACT_BROKEN, name, detail);
                let hit = hit.because(format!("{what}{within}"));
                let violated = Violated::Frame(sequence);
                (
                    hit.at(program, Site::Sequence(sequence)),
                    Question::Contract(sequence),
                    violated,
                )
            }
            Failure::Claim(claim, why) => {
                let at = setup.job.claims.iter().position(|one| one == claim);
                if !at.is_some_and(|at| leaf.concerned[at]) {
                    return;
                }
                let hit = self.claimed(*claim, why.clone());
                (hit, Question::Claim(*claim), Violated::Claim(*claim))
            }
        };
        let violated = leaf.odds.judged(violated);
        let place = Place {
            mixed: is_mixed(program, &violated),
            ..self.place(leaf)
        };
        let least = ways.least(node);
        if matches!(question, Question::Claim(claim) if program.claims[claim].kind.is_existential())
        {
            self.shown
                .record(place, hit, least, || ways.ended(setup, node, violated));
            return;
        }
        let key = self
            .buckets
            .record(place, hit, least, || ways.ended(setup, node, violated));
        self.refute(question, key);
    }

    fn marks(&mut self, leaf: &Leaf, ways: &Ways<'_>) {
        for (node, edge, mark) in leaf.graph.all_marks() {
            self.mark(leaf, ways, (node, edge), mark);
        }
    }

    /// Takes down what happened at a mark: after some steps of an edge, on the board, or at an end.
    fn mark(
        &mut self,
        leaf: &Leaf,
        ways: &Ways<'_>,
        (node, edge): (usize, Option<usize>),
        mark: &Mark,
    ) {
        let setup = self.setup;
        let at_end = leaf.graph.nodes.at(node).end().is_some();
        let (hit, violated) = match &mark.event {
            // The best of them are taken down by themselves.
            Event::Claim(_, ClaimFailure::Takes(_)) => return,
            Event::Claim(claim, why) => {
                let violated = leaf.odds.judged(Violated::Claim(*claim));
                (self.claimed(*claim, why.clone()), violated)
            }
            // That the run could not go on is found at its end.
            Event::Conflict(_) if at_end => return,
            event if setup.job.full => match self.event(event) {
                Some(found) => found,
                None => return,
            },
            _ => return,
        };
        let claim = match mark.event {
            Event::Claim(claim, _) => Some(claim),
            _ => None,
        };
        let place = Place {
            mixed: is_mixed(setup.program, &violated),
            ..self.place(leaf)
        };
        let least = ways.least(node) + mark.offset;
        let witness = || ways.at(setup, (node, edge), mark, violated);
        if claim.is_some_and(|claim| setup.program.claims[claim].kind.is_existential()) {
            self.shown.record(place, hit, least, witness);
            return;
        }
        let key = self.buckets.record(place, hit, least, witness);
        if let Some(claim) = claim {
            self.refute(Question::Claim(claim), key);
        }
    }

    /// What an event that is no claim says, with what it violates.
    fn event(&self, event: &Event) -> Option<(Hit, Violated)> {
        let program = self.setup.program;
        Some(match event {
            Event::Conflict(site) => {
                let subject = site_path(program, *site);
                let detail = Detail::Conflict(*site, Some(false));
                let hit = discovered(code::CONFLICT, Severity::Warning, subject, detail);
                (hit.at(program, *site), Violated::Nothing)
            }
            Event::GapMet(gap, stmt) => {
                let subject = program.gaps[*gap].name.clone();
                let detail = Detail::GapMet(*gap, *stmt);
                let hit = discovered(code::NAMED_GAP, Severity::Warning, subject, detail);
                (hit.at(program, Site::Stmt(*stmt)), Violated::Meets(*gap))
            }
            Event::Dropped {
                sequence,
                steps,
                iterations,
            } => {
                let name = program.sequences[*sequence].name.clone();
                let detail = Detail::Dropped {
                    sequence: *sequence,
                    steps: steps.clone(),
                    iterations: iterations.clone(),
                };
                let hit = discovered(code::DROPPED, Severity::Note, name, detail);
                let mut hit = hit.at(program, Site::Sequence(*sequence));
                if let Some(rule) = &program.sequences[*sequence].restart {
                    hit.clauses.extend(rule.clause);
                    hit.spans.insert(0, rule.span);
                }
                (hit, Violated::Nothing)
            }
            Event::Ensures(step, at) => {
                let subject = step_path(program, *step);
                let detail = Detail::Ensures(*step, *at);
                let hit = discovered(code::ENSURES_FAILS, Severity::Warning, subject, detail);
                let hit = hit.at(program, Site::Step(*step));
                let hit = hit.because(format!("ensures #{}", at + 1));
                (hit, Violated::Ensures(*step, *at))
            }
            Event::StepEnded(..) | Event::Claim(..) => return None,
        })
    }

    fn again(&mut self, leaf: &Leaf) {
        for (&claim, witness) in &leaf.again.claims {
            let hit = self.claimed(claim, ClaimFailure::Again);
            let witness = witness.clone();
            let key = self.buckets.record(self.place(leaf), hit, 0, || witness);
            self.refute(Question::Claim(claim), key);
        }
        for (&step, witness) in &leaf.again.at_end {
            let subject = step_path(self.setup.program, step);
            let detail = Detail::MissingRecheck(self.setup.job.sequence, step);
            let hit = discovered(code::MISSING_RECHECK, Severity::Note, subject, detail);
            let hit = hit.at(self.setup.program, Site::Step(step));
            let witness = witness.clone();
            self.buckets.record(self.place(leaf), hit, 0, || witness);
        }
    }

    fn loops(&mut self, leaf: &Leaf) {
        let (program, setup) = (self.setup.program, self.setup);
        let sequence = setup.job.sequence;
        let (graph, all) = loops::of(setup, leaf);
        for (nodes, class) in all {
            let (code, severity) = match class {
                LoopClass::Mandatory => (code::MANDATORY_LOOP, Severity::Warning),
                LoopClass::OrderDriven => (code::ORDER_LOOP, Severity::Warning),
                LoopClass::ByChance => (code::CHANCE_LOOP, Severity::Note),
                LoopClass::Optional(_) => (code::OPTIONAL_LOOP, Severity::Note),
            };
            let mandatory = class == LoopClass::Mandatory;
            let Some((found, through)) = loops::lasso(program, graph, &nodes, mandatory) else {
                continue;
            };
            let place = self.place(leaf);
            let fails = matches!(class, LoopClass::Mandatory | LoopClass::OrderDriven);
            if setup.job.full {
                let name = program.sequences[sequence].name.clone();
                let passes = through.passes.clone();
                let detail = Detail::Loop {
                    sequence,
                    class,
                    passes,
                };
                let hit = discovered(code, severity, name, detail);
                let hit = hit.going_through(program, sequence, through);
                let key = self.buckets.record(place, hit, 0, || Some(found.clone()));
                if fails {
                    self.refute(Question::Terminates(sequence), key);
                }
            }
            for (at, &claim) in setup.job.claims.iter().enumerate() {
                let about = matches!(program.claims[claim].kind, ClaimKind::Terminates(..));
                if fails && about && leaf.concerned[at] {
                    let hit = self.claimed(claim, ClaimFailure::Loop(class));
                    let key = self.buckets.record(place, hit, 0, || Some(found.clone()));
                    self.refute(Question::Claim(claim), key);
                }
            }
        }
    }

    /// A run that leaves the bounds because it goes round with more each time.
    fn growth(&mut self, leaf: &Leaf) {
        let program = self.setup.program;
        if !self.setup.job.full || !leaf.limited {
            return;
        }
        for growing in growth::find(program, &leaf.graph) {
            self.grows(leaf, growing);
        }
    }

    fn grows(&mut self, leaf: &Leaf, growing: Growing) {
        let program = self.setup.program;
        // What grows without being read leaves a loop, which tells more.
        let uncounted = leaf.uncounted.as_ref().filter(|one| !one.is_limited());
        let counts = |graph: &Graph| {
            let mut grown = growing.grown.iter();
            grown.all(|one| matches!(one, Grown::Spot(spot, _) if graph.variant.keeps(*spot)))
        };
        if uncounted.is_some_and(counts) {
            return;
        }
        let sequence = self.setup.job.sequence;
        let name = program.sequences[sequence].name.clone();
        let severity = match growing.decided {
            true => Severity::Note,
            false => Severity::Warning,
        };
        let detail = Detail::Growth {
            sequence,
            grown: growing.grown,
            decided: growing.decided,
        };
        let hit = discovered(code::GROWTH, severity, name, detail);
        let hit = hit.going_through(program, sequence, growing.through);
        let found = growing.found;
        self.buckets
            .record(self.place(leaf), hit, 0, || Some(found));
    }

    /// The points where something is chosen because the document does not say it.
    pub fn gap_points(leaf: &Leaf) -> Vec<(usize, Site)> {
        let nodes = leaf.graph.nodes.iter().enumerate();
        nodes
            .filter_map(|(at, node)| {
                let point = node.point()?;
                (point.kind == ChoiceKind::Gap).then_some((at, point.site))
            })
            .collect()
    }
}
