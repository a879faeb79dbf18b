//! Worked examples: their board, their choices, and what they say comes of it.
//!
//! All runs that make the example's choices are followed, micro-step by micro-step, together with how
//! many of its lines have been met; the first way to a state is the shortest.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use rustc_hash::FxBuildHasher;

use super::branch::{Found, Plainness};
use super::bucket::{BucketKey, Buckets, Hit, Place};
use super::halt::Halt;
use super::legal::is_legal_at_all;
use super::met::{ExpectedGaps, Met, basis_of};
use super::options::{Limits, Options};
use super::readings::each_alternative;
use super::unknown::Unknown;
use super::watch::fails;
use crate::verdict::{
    Coverage, Detail, ExampleFailure, Finding, Limitation, Origin, Scope, Untested,
};
use endstep_language::diag::Severity;
use endstep_language::diag::codes::finding as code;
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{Example, ExampleLine, Program};
use endstep_semantics::semantics::{
    Data, Ended, Interpreter, Key, Names, Next, Note, Readings, State, Tag, Variant,
};
use endstep_semantics::witness::{
    Lens, Outcome, Root, Run, RunEnd, Violated, Witness, declared_tag, stops_in,
};

/// A state, and what was met on the way to it.
type Position = (State, Met);

/// How a position was reached first.
#[derive(Debug, Clone, Default)]
struct Trail {
    from: Option<usize>,
    key: Option<Key>,
    steps: u64,
    basis: Option<BasisKind>,
    next: Vec<(usize, Option<Key>)>,
    end: bool,
}

/// Follows the runs of an example.
struct Follower<'a> {
    program: &'a Program,
    index: usize,
    example: &'a Example,
    board: Data,
    names: Names,
    readings: Readings,
    variant: Variant,
    /// Lines that speak of the way, in order.
    script: Vec<usize>,
    expected: ExpectedGaps,
    trails: IndexMap<Position, Trail, FxBuildHasher>,
    limit: usize,
    coverage: Coverage,
    /// Lines of which some run must have something, and has.
    possible: BTreeSet<usize>,
    /// Line, reason, position, and what is shown there.
    failed: Vec<(Option<usize>, ExampleFailure, Option<Shown>)>,
    /// Some run was given up.
    limited: bool,
    /// Its board is not legal.
    illegal: bool,
    /// Some run never ends.
    endless: bool,
}

/// What a failure shows.
enum Shown {
    Ended(usize, Box<Ended>),
    Left(usize),
    Loop(usize),
}

/// What an example came to.
pub struct Examined {
    /// What was explored.
    pub scope: Scope,
    /// Findings.
    pub findings: Vec<(BucketKey, Finding)>,
    /// What was executed.
    pub coverage: Coverage,
    /// Why it could not have failed, if nothing speaks against it.
    pub untested: Option<Untested>,
}

/// Follows an example under all readings that it leaves open.
pub fn examine(program: &Program, index: usize, options: &Options, scope: usize) -> Examined {
    let example = &program.examples[index];
    let fixed = example.left_open(&options.readings);
    let mut buckets = Buckets::new(program).under(&fixed, &Readings::new());
    let mut coverage = Coverage::new(program);
    let mut counts = (0, 0, 0);
    let mut misses: Vec<Readings> = Vec::new();
    let (mut legal, mut ends, mut limitations) = (false, false, BTreeSet::new());
    let boards = 1;
    let own = example.readings.iter().copied();
    let mut todo: Vec<Readings> = vec![own.chain(fixed.clone()).collect()];
    while let Some(readings) = todo.pop() {
        // This one, too.
        if counts.2 + todo.len() >= options.limits.readings {
            let limit = options.limits.readings as u64;
            limitations.insert(Limitation::Readings { limit, boards });
            misses.push(readings);
            misses.extend(todo);
            break;
        }
        counts.2 += 1;
        let mut follower = Follower::new(program, index, readings.clone(), options);
        match follower.follow() {
            Ok(()) => {
                counts.0 += 1;
                counts.1 += follower.trails.len() as u64;
                follower.record(&mut buckets);
                legal |= !follower.illegal;
                ends |= follower.trails.values().any(|trail| trail.end);
                if !follower.comes_out() {
                    misses.push(readings);
                }
                coverage.merge(&follower.coverage);
                if follower.limited {
                    limitations.insert(Limitation::Bounds(boards));
                }
            }
            Err(Halt::Consult(reading)) => {
                counts.2 -= 1;
                coverage.readings.insert(reading);
                todo.extend(each_alternative(program, &readings, reading));
            }
            Err(halt) => {
                // It need not be the board.
                legal |= follower.is_known_legal();
                misses.push(readings);
                limitations.insert(limitation(&halt, &options.limits));
            }
        }
    }
    let unknown = Unknown::rest(!limitations.is_empty());
    let mut findings = buckets.finish(program, Some(scope), &unknown, &mut |_| None);
    tell_misses(&mut findings, &misses);
    let explored = Scope::of_example(index, fixed, limitations);
    Examined {
        scope: Scope {
            legal: u64::from(legal),
            states: counts.1,
            steps: counts.1,
            readings: counts.0,
            ..explored
        },
        findings,
        coverage,
        untested: (!ends).then_some(Untested::NoEnd),
    }
}

/// What is not known of the example, as its runs were given up.
fn limitation(halt: &Halt, limits: &Limits) -> Limitation {
    let (limit, boards) = (limits.states as u64, 1);
    match halt {
        Halt::Evaluation => Limitation::Evaluation(boards),
        _ => Limitation::States { limit, boards },
    }
}

/// Tells each finding under which assignments the example is not known to come out.
fn tell_misses(findings: &mut [(BucketKey, Finding)], misses: &[Readings]) {
    for (_, finding) in findings {
        if let Detail::Example { misses: all, .. } = &mut finding.detail {
            *all = misses.to_vec();
        }
    }
}

impl<'a> Follower<'a> {
    fn new(program: &'a Program, index: usize, readings: Readings, options: &Options) -> Self {
        let example = &program.examples[index];
        let (board, names) = Data::from_board(program, &program.boards[example.board]);
        let on_the_way =
            |line: &ExampleLine| matches!(line, ExampleLine::Choose(_) | ExampleLine::After(..));
        let lines = example.lines.iter().enumerate();
        let script = lines
            .filter(|(_, (line, _))| on_the_way(line))
            .map(|(at, _)| at);
        Self {
            program,
            index,
            example,
            board,
            names,
            readings,
            variant: Variant::default(),
            script: script.collect(),
            expected: ExpectedGaps::of(program, example),
            trails: IndexMap::default(),
            limit: options.limits.states.saturating_mul(10),
            coverage: Coverage::new(program),
            possible: BTreeSet::new(),
            failed: Vec::new(),
            limited: false,
            illegal: false,
            endless: false,
        }
    }

    /// Whether its board is legal, as far as that can be said.
    fn is_known_legal(&self) -> bool {
        let it = Interpreter {
            program: self.program,
            readings: &self.readings,
            variant: &self.variant,
        };
        matches!(is_legal_at_all(it, &self.board), Ok(true))
    }

    fn follow(&mut self) -> Result<(), Halt> {
        let readings = self.readings.clone();
        let variant = self.variant.clone();
        let it = Interpreter {
            program: self.program,
            readings: &readings,
            variant: &variant,
        };
        for (index, legal) in self.program.legals.iter().enumerate() {
            if fails(it, &legal.condition, &self.board, &self.board)?.is_some() {
                self.illegal = true;
                self.failed
                    .push((None, ExampleFailure::Illegal(index), None));
            }
        }
        let start = it.start(
            self.example.sequence,
            &self.example.args,
            self.board.clone(),
        );
        self.trails
            .insert((start, Met::default()), Trail::default());
        let mut at = 0;
        while at < self.trails.len() {
            if self.trails.len() > self.limit {
                return Err(Halt::States);
            }
            self.step(it, at)?;
            at += 1;
        }
        self.never_ending();
        for (line, (what, _)) in self.example.lines.iter().enumerate() {
            let open = matches!(
                what,
                ExampleLine::ExpectPossible(_) | ExampleLine::ExpectPossibleGap(_)
            );
            if open && !self.possible.contains(&line) && !self.limited {
                self.failed
                    .push((Some(line), ExampleFailure::Impossible, None));
            }
        }
        Ok(())
    }

    /// Whether it is known that all is as the example tells it, and that it comes to an end.
    fn comes_out(&self) -> bool {
        let ends = self.trails.values().any(|trail| trail.end);
        ends && self.failed.is_empty() && !self.limited && !self.endless
    }

    fn line(&self, met: usize) -> Option<(usize, &'a ExampleLine)> {
        let line = *self.script.get(met)?;
        Some((line, &self.example.lines[line].0))
    }

    fn step(&mut self, it: Interpreter<'_>, at: usize) -> Result<(), Halt> {
        let Some(((state, met), _)) = self.trails.get_index(at) else {
            return Ok(());
        };
        let (state, mut met) = (state.clone(), met.clone());
        match it.next(state) {
            Next::Consult(reading) => Err(Halt::Consult(reading)),
            Next::Done(ended, notes) => {
                self.note(&notes, &mut met);
                self.trails[at].end = true;
                self.end(it, at, &met, ended)
            }
            Next::Step(state, notes) => self.reach(it, (at, None), (state, met), &notes),
            Next::Choose(point) => {
                let label = match self.line(met.lines) {
                    // Reports write a space for `_`.
                    Some((_, ExampleLine::Choose(label))) => Some(label.replace('_', " ")),
                    _ => None,
                };
                let named = |key: &Key| self.names.key(self.program, key).replace('_', " ");
                let says = |key: &Key| label.as_ref() == Some(&named(key));
                let chosen = point.alternatives.iter().position(|one| says(&one.key));
                for (index, one) in point.alternatives.into_iter().enumerate() {
                    if chosen.is_none_or(|chosen| chosen == index) {
                        let mut met = met.clone();
                        met.lines += usize::from(chosen.is_some());
                        let next = (one.state, met);
                        self.reach(it, (at, Some(one.key)), next, &one.notes)?;
                    }
                }
                Ok(())
            }
        }
    }

    fn note(&mut self, notes: &[Note], met: &mut Met) {
        for note in notes {
            self.coverage.note(note);
        }
        self.expected
            .note(self.program, notes, met, &mut self.possible);
    }

    fn reach(
        &mut self,
        it: Interpreter<'_>,
        (from, key): (usize, Option<Key>),
        (state, mut met): Position,
        notes: &[Note],
    ) -> Result<(), Halt> {
        self.note(notes, &mut met);
        let mut failure = None;
        if let Some((line, ExampleLine::After(step, condition))) = self.line(met.lines)
            && notes
                .iter()
                .any(|note| matches!(note, Note::StepEnded(ended, _) if ended == step))
        {
            met.lines += 1;
            let why = fails(it, condition, &state.data, &self.board)?;
            failure = why.map(|why| (line, ExampleFailure::unmet(&why)));
        }
        let basis = self.trails[from].basis.max(basis_of(self.program, notes));
        let steps = self.trails[from].steps + 1;
        let entry = self.trails.entry((state, met));
        let to = entry.index();
        entry.or_insert_with(|| Trail {
            from: Some(from),
            key: key.clone(),
            steps,
            basis,
            ..Trail::default()
        });
        self.trails[from].next.push((to, key));
        if let Some((line, why)) = failure {
            self.failed.push((Some(line), why, Some(Shown::Left(to))));
        }
        Ok(())
    }

    fn end(&mut self, it: Interpreter<'_>, at: usize, met: &Met, ended: Ended) -> Result<(), Halt> {
        if matches!(ended.tag, Tag::Limit(_)) {
            self.limited = true;
            return Ok(());
        }
        let shown = |ended: &Ended| Some(Shown::Ended(at, Box::new(ended.clone())));
        if let Some((line, what)) = self.line(met.lines) {
            let why = match what {
                ExampleLine::After(..) => ExampleFailure::NoStep,
                _ => ExampleFailure::NeverOffered,
            };
            self.failed.push((Some(line), why, shown(&ended)));
        }
        for (line, (what, _)) in self.example.lines.iter().enumerate() {
            let why = match what {
                ExampleLine::Expect(condition) => {
                    let failure = fails(it, condition, &ended.data, &self.board)?;
                    failure.map(|why| ExampleFailure::unmet(&why))
                }
                ExampleLine::ExpectPossible(condition) => {
                    if fails(it, condition, &ended.data, &self.board)?.is_none() {
                        self.possible.insert(line);
                    }
                    None
                }
                ExampleLine::ExpectPossibleGap(gap) => {
                    if stops_in(&ended.tag, *gap) {
                        self.possible.insert(line);
                    }
                    None
                }
                ExampleLine::ExpectOutcome(declared) => {
                    let wanted = declared_tag(it, declared, &self.board);
                    self.otherwise(it, wanted.as_ref() == Some(&ended.tag), &ended)
                }
                ExampleLine::ExpectGap(gap) => {
                    let as_expected = stops_in(&ended.tag, *gap) || met.has(*gap);
                    self.otherwise(it, as_expected, &ended)
                }
                ExampleLine::Choose(_) | ExampleLine::After(..) => None,
            };
            if let Some(why) = why {
                self.failed.push((Some(line), why, shown(&ended)));
            }
        }
        Ok(())
    }

    /// How a run ended, if not as expected.
    fn otherwise(
        &self,
        it: Interpreter<'_>,
        as_expected: bool,
        ended: &Ended,
    ) -> Option<ExampleFailure> {
        if as_expected {
            return None;
        }
        let outcome = Lens::new(self.program, None).outcome(it, ended, &self.board);
        outcome.ok().map(ExampleFailure::Otherwise)
    }

    /// A run that never ends meets neither an outcome nor lines that are still to come.
    fn never_ending(&mut self) {
        let cycles = self.on_cycles();
        let mut by_lines: BTreeMap<usize, usize> = BTreeMap::new();
        for (met, &at) in &cycles {
            let first = by_lines.entry(met.lines).or_insert(at);
            *first = at.min(*first);
        }
        for (met, at) in by_lines {
            if let Some((line, what)) = self.line(met) {
                let why = match what {
                    ExampleLine::After(..) => ExampleFailure::NoStep,
                    _ => ExampleFailure::NeverOffered,
                };
                self.failed.push((Some(line), why, Some(Shown::Loop(at))));
            }
        }
        let Some(&at) = cycles.values().min() else {
            return;
        };
        self.endless = true;
        for (line, (what, _)) in self.example.lines.iter().enumerate() {
            let at = match what {
                ExampleLine::ExpectOutcome(_) => Some(at),
                ExampleLine::ExpectGap(gap) => {
                    let without = cycles.iter().filter(|(met, _)| !met.has(*gap));
                    without.map(|(_, &at)| at).min()
                }
                _ => None,
            };
            if let Some(at) = at {
                let why = ExampleFailure::Otherwise(Outcome::Diverges);
                self.failed.push((Some(line), why, Some(Shown::Loop(at))));
            }
        }
    }

    /// For all that can be met on the way, the first position on a cycle at which just that is.
    fn on_cycles(&self) -> BTreeMap<Met, usize> {
        let trails = self.trails.values().enumerate();
        let edges = trails.flat_map(|(at, one)| one.next.iter().map(move |(to, _)| (at, *to)));
        let graph: DiGraphMap<usize, ()> = DiGraphMap::from_edges(edges);
        let mut found: BTreeMap<Met, usize> = BTreeMap::new();
        for part in kosaraju_scc(&graph) {
            let first = part.iter().copied().min().unwrap_or(0);
            let turns = self.trails[first].next.iter().any(|(to, _)| *to == first);
            if part.len() > 1 || turns {
                let position = self.trails.get_index(first);
                let met = position.map_or_else(Met::default, |((_, met), _)| met.clone());
                let known = found.entry(met).or_insert(first);
                *known = first.min(*known);
            }
        }
        found
    }

    /// The choices and the length of the shortest way from a position back to it.
    fn round(&self, start: usize) -> Option<(Vec<Key>, u64)> {
        let mut from: Vec<Option<(usize, Option<Key>)>> = vec![None; self.trails.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            for (to, key) in &self.trails[at].next {
                if *to == start {
                    let mut keys: Vec<Key> = key.iter().cloned().collect();
                    let mut length = 1;
                    let mut node = at;
                    while node != start {
                        let (before, key) = from[node].clone()?;
                        keys.extend(key);
                        length += 1;
                        node = before;
                    }
                    keys.reverse();
                    return Some((keys, length));
                }
                if from[*to].is_none() {
                    from[*to] = Some((at, key.clone()));
                    queue.push_back(*to);
                }
            }
        }
        None
    }

    fn choices(&self, to: usize) -> Vec<Key> {
        let mut keys = Vec::new();
        let mut at = Some(to);
        while let Some(here) = at {
            keys.extend(self.trails[here].key.clone());
            at = self.trails[here].from;
        }
        keys.reverse();
        keys
    }

    fn witness(&self, line: usize, shown: &Shown) -> Option<Found<Witness>> {
        let at = match shown {
            Shown::Ended(at, _) | Shown::Left(at) | Shown::Loop(at) => *at,
        };
        let trail = &self.trails[at];
        let mut choices = self.choices(at);
        let mut steps = trail.steps;
        let end = match shown {
            Shown::Ended(_, ended) => RunEnd::Ended((**ended).clone()),
            Shown::Left(_) => RunEnd::Stopped {
                steps,
                data: self.trails.get_index(at)?.0.0.data.clone(),
            },
            Shown::Loop(_) => {
                let (keys, cycle) = self.round(at)?;
                choices.extend(keys);
                let stem = steps;
                steps += cycle;
                RunEnd::Loop { stem, cycle }
            }
        };
        let run = Run {
            root: Root::Sequence(self.example.sequence, self.example.args.clone()),
            readings: self.readings.clone(),
            variant: self.variant.clone(),
            board: self.board.clone(),
            names: self.names.clone(),
            choices,
            end,
        };
        let witness = match shown {
            Shown::Loop(_) => Witness::Lasso { run, closed: None },
            Shown::Ended(..) | Shown::Left(_) => Witness::Run {
                run,
                violated: Violated::Example(self.index, line),
            },
        };
        Some(Found {
            basis: trail.basis.unwrap_or(BasisKind::Text),
            plain: Plainness::Ends,
            steps,
            witness,
        })
    }

    fn record(&self, buckets: &mut Buckets) {
        for (line, why, shown) in &self.failed {
            let place = Place {
                oblique: false,
                mixed: false,
                plainest: Plainness::Ends,
                board: 1,
                entities: self.board.entities.len(),
                readings: &self.readings,
            };
            let mut spans = vec![self.example.span];
            if let Some(line) = line {
                spans.insert(0, self.example.lines[*line].1);
            }
            let cause = match line {
                Some(line) => format!("line {}", line + 1),
                None => "board".to_owned(),
            };
            let hit = Hit {
                code: code::EXAMPLE_FAILS,
                origin: Origin::Declared,
                severity: Severity::Warning,
                subject: self.example.name.clone(),
                cause,
                clauses: self.example.clause.into_iter().collect(),
                spans,
                detail: Detail::Example {
                    example: self.index,
                    line: *line,
                    why: why.clone(),
                    misses: Vec::new(),
                },
                rank: 0,
            };
            buckets.record(place, hit, 0, || {
                self.witness(line.unwrap_or(0), shown.as_ref()?)
            });
        }
    }
}
