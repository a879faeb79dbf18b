//! One run of a board along a schedule: where it goes, and what it shows.

use rustc_hash::FxHashSet;

use smallvec::SmallVec;

use super::cover::Cover;
use super::deal::Decoded;
use super::sign::{Edge, Sign, Stop};
use endstep_kernel::instance::{Machine, Outcome};
use endstep_kernel::ir::{Function, OpKind};
use endstep_language::syntax::ast::At;
use endstep_language::typing::program::{ClaimKind, Program, StmtId, Type};
use endstep_semantics::semantics::{
    ChoiceKind, Data, GapName, Interpreter, Key, Note, Site, Stop as NoValue, Tag, Who,
};
use endstep_semantics::witness::outside_contract;
use endstep_verdicts::analysis::{Event, Ground, Job, Watch};

/// Longer runs are given up.
pub const LONGEST_RUN: u32 = 20_000;

/// A choice that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// Which alternative, by position.
    pub taken: usize,
    /// Its kind.
    pub kind: ChoiceKind,
    /// Who decided.
    pub who: Who,
    /// Where.
    pub site: Site,
    /// What could be chosen.
    pub keys: Vec<Key>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Last {
    /// So.
    Ended(Tag),
    /// It came back to a state that it had been in.
    Again,
    /// It was given up.
    GivenUp,
}

/// What came of a run.
#[derive(Debug, Clone)]
pub struct RunResult {
    /// What it shows.
    pub signs: Vec<Sign>,
    /// Micro-steps.
    pub steps: u32,
    /// How often something was chosen.
    pub choices: u32,
    /// How it ended.
    pub last: Last,
    /// The data at its end, packed; only if they were asked for.
    pub data: Vec<u8>,
    /// The same as the interpreter has them; only if they were asked for.
    pub whole: Option<Data>,
    /// What was chosen; only if it was asked for.
    pub chosen: Vec<Chosen>,
}

/// What a run is asked for besides what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wanted {
    /// The data at the end.
    pub data: bool,
    /// The choices.
    pub choices: bool,
    /// The data at the end as the interpreter has them.
    pub whole: bool,
}

/// What is looked at when a run ends.
#[derive(Debug)]
struct Promise {
    sign: Sign,
    condition: Function,
    /// Only of boards on which this holds.
    when: Option<Function>,
    /// The groups of places that it reads; it holds on the board if nothing in them has changed.
    reads: Option<u64>,
    /// Only at a normal end.
    normal: bool,
}

/// Runs the boards of one sequence.
#[derive(Debug)]
pub struct Runner<'g> {
    ground: &'g Ground,
    job: &'g Job,
    looks: Vec<(Watch<'g>, u64)>,
    /// The groups of places that any of these reads.
    reads: u64,
    /// Some of these are looked at where steps end.
    after_steps: bool,
    promises: Vec<Promise>,
    log: Vec<Stop>,
    seen: FxHashSet<u64>,
    /// The states where cycles began anew, with how much was logged then.
    cuts: Vec<(u64, usize)>,
    bytes: Vec<u8>,
}

impl<'g> Runner<'g> {
    /// For a job.
    pub fn new(program: &'g Program, ground: &'g Ground, job: &'g Job) -> Self {
        // Which value is the largest, no single run says.
        let is_asked = |claim: &&usize| program.claims[**claim].kind.extreme().is_none();
        let claims = job.claims.iter().filter(is_asked);
        let looks =
            claims.filter_map(|&claim| Some((Watch::of(program, claim)?, ground.reads[claim])));
        let looks: Vec<_> = looks.collect();
        Self {
            reads: looks.iter().fold(0, |all, (_, reads)| all | reads),
            after_steps: looks.iter().any(|(watch, _)| watch.after_steps()),
            looks,
            promises: promises(program, ground, job),
            ground,
            job,
            log: Vec::new(),
            seen: FxHashSet::default(),
            cuts: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Runs a board; choice after choice takes what a byte of the schedule says, and the first
    /// alternative when there are no more.
    pub fn run(
        &mut self,
        program: &Program,
        dealt: &Decoded,
        (schedule, wanted): (&[u8], Wanted),
        cover: &mut Cover,
    ) -> RunResult {
        let mut ran = self.go(program, dealt, (schedule, wanted), cover);
        if !self.job.full {
            // Nobody asks about anything but claims.
            let asked = |sign: &Sign| matches!(sign, Sign::Claim(_) | Sign::Loop(_));
            ran.signs.retain(asked);
        }
        ran
    }

    fn go(
        &mut self,
        program: &Program,
        dealt: &Decoded,
        (schedule, wanted): (&[u8], Wanted),
        cover: &mut Cover,
    ) -> RunResult {
        cover.clear();
        self.log.clear();
        self.cuts.clear();
        let setting = dealt.setting(self.ground, &self.job.variant);
        let mut machine = Machine::new(setting, dealt.board.clone());
        machine.begin(self.job.sequence, &[], None);
        let mut ran = RunResult {
            signs: Vec::new(),
            steps: 0,
            choices: 0,
            last: Last::GivenUp,
            data: Vec::new(),
            whole: None,
            chosen: Vec::new(),
        };
        self.look(program, dealt, &mut machine, (true, &mut ran.signs));
        machine.changed = 0;
        let mut changed = 0;
        let mut stmt = None;
        let mut schedule = schedule.iter();
        while ran.steps < LONGEST_RUN {
            ran.steps += 1;
            let done = match machine.step() {
                Outcome::Step => None,
                Outcome::Choose(point) => {
                    let byte = schedule.next().copied().unwrap_or(0);
                    let taken = usize::from(byte) % point.keys.len();
                    machine.take(&point, taken);
                    ran.choices += 1;
                    if wanted.choices {
                        ran.chosen.push(Chosen {
                            taken,
                            kind: point.kind,
                            who: point.who,
                            site: point.site,
                            keys: point.keys,
                        });
                    }
                    None
                }
                Outcome::Done(tag) => Some(tag),
                // INVARIANT: every reading is fixed by the input.
                Outcome::Consult(_) => return ran,
            };
            let cut = self.take_down(&machine, cover, (&mut stmt, &mut ran.signs));
            changed |= machine.changed;
            // Where a run stops, but for an outcome, nothing is done.
            let stops = done.as_ref().is_some_and(|tag| !tag.is_outcome());
            if !stops && self.is_due(&machine) {
                self.look(program, dealt, &mut machine, (false, &mut ran.signs));
            }
            if let Some(tag) = done {
                ran.signs.extend(Sign::of_end(&tag, stmt));
                self.at_end(dealt, &machine, (&tag, changed), &mut ran.signs);
                if tag == Tag::End {
                    self.within_contract(program, dealt, &machine, &mut ran.signs);
                }
                if wanted.data {
                    machine.pack_only_data(&mut ran.data);
                }
                ran.whole = wanted.whole.then(|| machine.data());
                ran.last = Last::Ended(tag);
                return ran;
            }
            if cut && let Some(round) = self.came_back(&machine) {
                ran.signs.push(round);
                ran.last = Last::Again;
                return ran;
            }
        }
        ran.signs.push(Sign::Long);
        ran
    }

    /// Takes down what happened on a step; whether a control cycle has begun anew.
    fn take_down(
        &mut self,
        machine: &Machine<'_>,
        cover: &mut Cover,
        (stmt, signs): (&mut Option<StmtId>, &mut Vec<Sign>),
    ) -> bool {
        let mut cut = false;
        for note in &machine.notes {
            cover.note(note);
            match note {
                Note::Executed(id) => {
                    *stmt = Some(*id);
                    if let OpKind::Meet(gap) = self.ground.system.ops[*id].kind {
                        add(signs, Sign::Gap(GapName::Named(gap)));
                    }
                }
                Note::Resolving(trigger) => self.log.push(Stop::Trigger(*trigger)),
                Note::StepBegan(step) => self.log.push(Stop::Step(*step)),
                Note::Cut => cut = true,
                Note::EnsuresFailed(step, at) => add(signs, Sign::Ensures(*step, *at)),
                Note::Conflict(site) => add(signs, Sign::Competing(*site)),
                Note::Cancelled {
                    sequence,
                    steps,
                    lost,
                    ..
                } if Event::dropped(*sequence, steps, lost).is_some() => {
                    add(signs, Sign::Dropped(*sequence));
                }
                _ => {}
            }
        }
        cut
    }

    /// What the run goes through for ever, if it was in this state before.
    fn came_back(&mut self, machine: &Machine<'_>) -> Option<Sign> {
        let hash = machine.hash(&mut self.bytes);
        // Few cuts are compared one by one, many by a table.
        const FEW: usize = 16;
        let known = match self.cuts.len() {
            0..FEW => self.cuts.iter().any(|(other, _)| *other == hash),
            FEW => {
                self.seen.clear();
                self.seen.extend(self.cuts.iter().map(|(other, _)| *other));
                !self.seen.insert(hash)
            }
            _ => !self.seen.insert(hash),
        };
        if !known {
            self.cuts.push((hash, self.log.len()));
            return None;
        }
        let since = self.cuts.iter().find(|(other, _)| *other == hash)?.1;
        let round = &self.log[since..];
        let triggers = round.iter().filter(|one| matches!(one, Stop::Trigger(_)));
        let mut round: Vec<Stop> = match triggers.clone().next() {
            Some(_) => triggers.copied().collect(),
            None => round.to_vec(),
        };
        round.sort_unstable();
        round.dedup();
        Some(Sign::Loop(round))
    }

    /// Whether any claim is to be looked at: a guess that may be wrong only if it says so.
    fn is_due(&self, machine: &Machine<'_>) -> bool {
        let ended = |note: &Note| matches!(note, Note::StepEnded(..));
        machine.changed & self.reads != 0 || (self.after_steps && machine.notes.iter().any(ended))
    }

    /// Looks at claims about the states on the way.
    fn look(
        &self,
        program: &Program,
        dealt: &Decoded,
        machine: &mut Machine<'_>,
        (first, signs): (bool, &mut Vec<Sign>),
    ) {
        let settled = machine.is_settled();
        let changed = machine.changed;
        for (watch, reads) in &self.looks {
            let fresh = watch.after_steps() || changed & reads != 0;
            let due = first || (fresh && watch.is_due(program, &machine.notes, settled));
            if !due {
                continue;
            }
            let condition = &self.ground.system.claims[watch.claim][0];
            let now = machine.condition(condition, &dealt.board);
            let then = || machine.condition_on(condition, &dealt.board, &dealt.board);
            if let Ok(Some(_)) = watch.judge(now, then) {
                add(signs, Sign::Claim(watch.claim));
            }
        }
        if settled {
            machine.changed = 0;
        }
    }

    /// Looks at what the contract of the sequence allows to change.
    fn within_contract(
        &self,
        program: &Program,
        dealt: &Decoded,
        machine: &Machine<'_>,
        signs: &mut Vec<Sign>,
    ) {
        let sequence = self.job.sequence;
        if !self.job.full || program.sequences[sequence].contract.is_none() {
            return;
        }
        let readings = dealt.assignment();
        let it = Interpreter {
            program,
            readings: &readings,
            variant: &self.job.variant,
        };
        let (old, new) = (dealt.data(self.ground), machine.data());
        for one in outside_contract(it, sequence, &old, &new).unwrap_or_default() {
            add(
                signs,
                Sign::Outside(Edge::between(&one.difference), one.listed),
            );
        }
    }

    /// Looks at what has to hold at an end.
    fn at_end(
        &self,
        dealt: &Decoded,
        machine: &Machine<'_>,
        (tag, changed): (&Tag, u64),
        signs: &mut Vec<Sign>,
    ) {
        if !tag.is_outcome() {
            return;
        }
        for promise in &self.promises {
            let may_fail = promise.reads.is_none_or(|reads| reads & changed != 0);
            if !may_fail || (promise.normal && *tag != Tag::End) {
                continue;
            }
            let on_board =
                |when: &Function| machine.condition_on(when, &dealt.board, &dealt.board) == Ok(1);
            if !promise.when.as_ref().is_none_or(on_board) {
                continue;
            }
            match machine.condition(&promise.condition, &dealt.board) {
                Ok(1) | Err(NoValue::Consult(_) | NoValue::Tag(Tag::Limit(_))) => {}
                _ => add(signs, promise.sign.clone()),
            }
        }
    }
}

fn add(signs: &mut Vec<Sign>, sign: Sign) {
    if !signs.contains(&sign) {
        signs.push(sign);
    }
}

/// What has to hold when a run ends.
fn promises(program: &Program, ground: &Ground, job: &Job) -> Vec<Promise> {
    let system = &ground.system;
    let mut all = Vec::new();
    if job.full {
        for (at, condition) in system.legal.iter().enumerate() {
            all.push(Promise {
                sign: Sign::Legal(at),
                condition: condition.clone(),
                when: None,
                reads: Some(ground.reads_of(condition)),
                normal: true,
            });
        }
        let procedure = &system.procedures[job.sequence];
        for (at, ensured) in procedure.ensures.iter().enumerate() {
            all.push(Promise {
                sign: Sign::Contract(at),
                condition: Function {
                    name: procedure.name.clone(),
                    params: Vec::new(),
                    locals: procedure.locals,
                    ty: Type::Bool,
                    body: ensured.clone(),
                    continuous: None,
                },
                when: None,
                reads: None,
                normal: true,
            });
        }
    }
    for &claim in &job.claims {
        let normal = match &program.claims[claim].kind {
            ClaimKind::Must(..) | ClaimKind::Invariant(_, At::Steps | At::Throughout, _) => false,
            ClaimKind::Invariant(_, At::End, _) => true,
            _ => continue,
        };
        let parts = &system.claims[claim];
        all.extend(parts.first().map(|condition| Promise {
            sign: Sign::Claim(claim),
            condition: condition.clone(),
            when: parts.get(1).cloned(),
            reads: None,
            normal,
        }));
    }
    all
}

/// The alternatives that a run did not take, of a choice of no player: order, gap, or nobody's.
pub fn open_choices(ran: &RunResult) -> SmallVec<[usize; 8]> {
    let all = ran.chosen.iter().enumerate();
    let open = all.filter(|(_, one)| match one.kind {
        ChoiceKind::Order | ChoiceKind::Gap => true,
        _ => one.who == Who::Nobody,
    });
    open.map(|(at, _)| at).collect()
}
