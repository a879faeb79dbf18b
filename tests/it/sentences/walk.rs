//! All runs of all boards of a scope, visited with the interpreter alone, and what is met on them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;

use endstep::analysis::{Boards, Halt, Options, is_legal};
use endstep::semantics::{
    ChoiceKind, Data, GapName, Interpreter, Next, Note, Readings, Site, State, Tag, Variant,
};
use endstep::typing::program::{Concern, Program, ReadingId, SequenceId, StepId, StmtId};
use endstep::verdict::ScopeOf;

/// More states of one board are not visited.
const MOST_STATES: usize = 5_000;

/// What is met on the runs of a scope.
#[derive(Default)]
pub struct Met {
    /// The boards from which some run stops in a gap, under some reading.
    pub gaps: BTreeMap<GapName, Vec<Data>>,
    /// How many boards are legal under every assignment, or under none that was consulted.
    pub boards: u64,
    /// Whether some run stops where the rules cannot be followed.
    pub stops: bool,
    /// Whether some run never ends.
    pub endless: bool,
    /// Whether some run ends normally.
    pub ends: bool,
    /// Statements that some run executes.
    pub executed: BTreeSet<StmtId>,
    /// Steps that some run begins.
    pub begun: BTreeSet<StepId>,
    /// Where there are two things or more whose order is open.
    pub open: BTreeSet<Site>,
}

enum Stuck {
    Consult(ReadingId),
    Limit,
}

/// The runs of one scope.
pub struct Walk<'p> {
    program: &'p Program,
    pub sequence: SequenceId,
    variant: Variant,
    verify: Option<usize>,
}

impl<'p> Walk<'p> {
    pub fn of(program: &'p Program, scope: ScopeOf) -> Option<Self> {
        let (sequence, verify) = match scope {
            ScopeOf::Verify(at) => (program.verifies[at].sequence, Some(at)),
            ScopeOf::Sequence(sequence) => (sequence, None),
            ScopeOf::Example(_) | ScopeOf::On(..) => return None,
        };
        let contracts = verify.map_or(&[][..], |at| &program.verifies[at].contracts);
        let variant = Variant {
            contracts: contracts.iter().copied().collect(),
            ..Variant::default()
        };
        Some(Self {
            program,
            sequence,
            variant,
            verify,
        })
    }

    fn it<'a>(&'a self, readings: &'a Readings) -> Interpreter<'a> {
        Interpreter {
            program: self.program,
            readings,
            variant: &self.variant,
        }
    }

    /// What is met; `None` if there is too much, or some run leaves the bounds of exploration.
    pub fn met(&self) -> Option<Met> {
        let verify = self.verify.map(|at| &self.program.verifies[at]);
        let sizes = verify.map_or(&[][..], |one| &one.sizes);
        let only = verify.and_then(|one| one.condition.as_ref());
        let mut met = Met::default();
        let mut known = true;
        let options = Options::default();
        let boards = Boards::new(self.program, sizes, &options);
        let boards = boards.about(Concern::of(self.program, self.sequence));
        let _ = boards.each(&|_| None, &mut |_, board| {
            let mut todo = vec![Readings::new()];
            let mut is_one = false;
            let mut gaps = BTreeSet::new();
            while let Some(readings) = todo.pop() {
                let legal = match is_legal(self.it(&readings), only, board) {
                    Ok(legal) => Ok(legal),
                    Err(Halt::Consult(reading)) => Err(Stuck::Consult(reading)),
                    Err(_) => Err(Stuck::Limit),
                };
                is_one |= matches!(legal, Ok(true));
                let here = legal.and_then(|legal| match legal {
                    true => self.runs(&readings, board, &mut met, &mut gaps),
                    false => Ok(()),
                });
                match here {
                    Ok(()) => {}
                    Err(Stuck::Consult(reading)) => {
                        let count = self.program.readings[reading].alternatives.len();
                        todo.extend((0..count).map(|at| {
                            let mut more = readings.clone();
                            more.insert(reading, u16::try_from(at).unwrap());
                            more
                        }));
                    }
                    Err(Stuck::Limit) => {
                        known = false;
                        return ControlFlow::Break(());
                    }
                }
            }
            met.boards += u64::from(is_one);
            for gap in gaps {
                met.gaps.entry(gap).or_default().push(board.clone());
            }
            ControlFlow::Continue(())
        });
        known.then_some(met)
    }

    /// Visits what can be reached from a board; what is met under an assignment that turns out to be too
    /// few is met under some that goes on from it.
    fn runs(
        &self,
        readings: &Readings,
        board: &Data,
        met: &mut Met,
        gaps: &mut BTreeSet<GapName>,
    ) -> Result<(), Stuck> {
        let it = self.it(readings);
        let first = it.start(self.sequence, &[], board.clone());
        let mut numbers: HashMap<State, usize> = HashMap::from([(first.clone(), 0)]);
        let mut successors: Vec<Vec<usize>> = vec![Vec::new()];
        let mut todo = vec![(0, first)];
        while let Some((number, state)) = todo.pop() {
            let next = match it.next(state) {
                Next::Consult(reading) => return Err(Stuck::Consult(reading)),
                Next::Done(ended, notes) => {
                    note(met, &notes);
                    match ended.tag {
                        Tag::Limit(_) => return Err(Stuck::Limit),
                        Tag::Gap(name) => {
                            met.stops = true;
                            gaps.insert(name);
                        }
                        Tag::Conflict(_) | Tag::Range(_) | Tag::Stuck(_) => met.stops = true,
                        Tag::End => met.ends = true,
                        Tag::Win(_) | Tag::Loss(_) | Tag::Draw => {}
                    }
                    continue;
                }
                Next::Step(state, notes) => {
                    note(met, &notes);
                    vec![state]
                }
                Next::Choose(point) => {
                    if point.kind == ChoiceKind::Order {
                        met.open.insert(point.site);
                    }
                    for one in &point.alternatives {
                        note(met, &one.notes);
                    }
                    let all = point.alternatives.into_iter();
                    all.map(|one| one.state).collect()
                }
            };
            for state in next {
                let fresh = successors.len();
                let to = *numbers.entry(state.clone()).or_insert(fresh);
                if to == fresh {
                    successors.push(Vec::new());
                    todo.push((to, state));
                }
                successors[number].push(to);
            }
            if successors.len() > MOST_STATES {
                return Err(Stuck::Limit);
            }
        }
        met.endless |= comes_round(&successors);
        Ok(())
    }
}

fn note(met: &mut Met, notes: &[Note]) {
    for note in notes {
        match note {
            Note::Executed(stmt) => {
                met.executed.insert(*stmt);
            }
            Note::StepBegan(step) => {
                met.begun.insert(*step);
            }
            _ => {}
        }
    }
}

/// Whether there is a cycle: something is left after all that nothing leads to was taken away, again and
/// again.
fn comes_round(successors: &[Vec<usize>]) -> bool {
    let mut leading = vec![0; successors.len()];
    for &to in successors.iter().flatten() {
        leading[to] += 1;
    }
    let mut free: Vec<usize> = (0..leading.len()).filter(|&at| leading[at] == 0).collect();
    let mut taken = 0;
    while let Some(at) = free.pop() {
        taken += 1;
        for &to in &successors[at] {
            leading[to] -= 1;
            if leading[to] == 0 {
                free.push(to);
            }
        }
    }
    taken < successors.len()
}
