//! Puts findings in order and gives every question its answer.

use std::collections::{BTreeMap, BTreeSet};

use super::bucket::{BucketKey, weaker};
use super::demands;
use super::document;
use super::example::Examined;
use super::options::Options;
use super::partial::leaves_boards_out;
use super::setup::Open;
use super::subject;
use super::survey::Explored;
use super::trial;
use super::tried::{leave_uncompared, note_untried, note_untried_of_best, told_by_two};
use crate::verdict::{
    Answer, Best, ClaimFailure, Detail, Extra, Finding, Limitation, Minimality, Origin, Question,
    Results, Scope, Under, Untested, Verdict,
};
use endstep_language::diag::Severity;
use endstep_language::diag::codes::finding as code;
use endstep_language::source::Span;
use endstep_language::syntax::ast::Extreme;
use endstep_language::typing::program::{ClauseIdx, Program, SequenceId, StepId};
use endstep_semantics::semantics::Site;
use endstep_semantics::witness::{Witness, replay};

/// Results in the making.
pub struct Gathered<'a> {
    program: &'a Program,
    options: &'a Options,
    findings: BTreeMap<BucketKey, Finding>,
    answers: Vec<(Answer, Vec<BucketKey>)>,
    scopes: Vec<Scope>,
    /// Steps that are executed, with the sequences that come out the same without them.
    idle: BTreeMap<StepId, BTreeSet<SequenceId>>,
    /// Steps without which some sequence comes out otherwise, or may.
    differing: BTreeSet<StepId>,
    /// Steps that are not idempotent in place, by sequence.
    unstable: BTreeMap<SequenceId, BTreeSet<StepId>>,
}

impl<'a> Gathered<'a> {
    /// Nothing yet.
    pub fn new(program: &'a Program, options: &'a Options) -> Self {
        Self {
            program,
            options,
            findings: BTreeMap::new(),
            answers: Vec::new(),
            scopes: Vec::new(),
            idle: BTreeMap::new(),
            differing: BTreeSet::new(),
            unstable: BTreeMap::new(),
        }
    }

    /// The steps of which nothing more needs to be looked at beside runs of a sequence: without them something is
    /// different, or they are not idempotent in place.
    pub fn settled(&self, sequence: SequenceId) -> Open {
        Open {
            idle: self.differing.clone(),
            recheck: self.unstable.get(&sequence).cloned().unwrap_or_default(),
        }
    }

    /// How many scopes there are.
    pub fn scopes(&self) -> usize {
        self.scopes.len()
    }

    /// Adds findings. Of two with one cause, from two scopes, the one with the smaller witness stays.
    pub fn add(&mut self, findings: Vec<(BucketKey, Finding)>) {
        let size = |finding: &Finding| {
            let runs = finding.witness.as_ref().map(Witness::runs);
            let entities = runs.and_then(|runs| Some(runs.first()?.board.entities.len()));
            (finding.basis, entities)
        };
        for (key, mut finding) in findings {
            let Some(known) = self.findings.get_mut(&key) else {
                self.findings.insert(key, finding);
                continue;
            };
            let is_known = known.readings_known && finding.readings_known;
            let mut scopes: BTreeSet<usize> = known.elsewhere.iter().copied().collect();
            scopes.extend(finding.elsewhere.iter().copied());
            scopes.extend(known.scope.into_iter().chain(finding.scope));
            let mut counted = std::mem::take(&mut known.counted);
            counted.append(&mut finding.counted);
            let weighs = |one: &Finding| matches!(one.detail, Detail::Conflict(_, Some(true)));
            let weighs = weighs(known) || weighs(&finding);
            if size(&finding) < size(known) {
                *known = finding;
            }
            counted.sort_by_key(|one| one.scope);
            known.counted = counted;
            known.readings_known = is_known;
            // In which scope the difference is found does not matter.
            if let Detail::Conflict(_, Some(matters)) = &mut known.detail {
                *matters = weighs;
            }
            scopes.retain(|at| known.scope != Some(*at));
            known.elsewhere = scopes.into_iter().collect();
        }
    }

    /// Takes away findings whose witness, replayed by the interpreter, does not show what it says, and makes
    /// the scope an incomplete one. There are none, unless Endstep has a fault.
    fn take_unshown<const N: usize>(
        &self,
        scope: &mut Scope,
        told: [&mut Vec<(BucketKey, Finding)>; N],
    ) -> BTreeSet<BucketKey> {
        let is_unshown = |finding: &Finding| {
            let witness = finding.witness.as_ref();
            witness
                .is_some_and(|one| replay(self.program, one).is_err_and(|error| !error.is_limit()))
        };
        let mut taken = BTreeSet::new();
        for findings in told {
            let unshown = findings.extract_if(.., |(_, finding)| is_unshown(finding));
            taken.extend(unshown.map(|(key, _)| key));
        }
        if !taken.is_empty() {
            let number = taken.len() as u64;
            scope.limitations.push(Limitation::Unshown(number));
        }
        taken
    }

    /// Adds what a job came to.
    pub fn explored(&mut self, mut explored: Explored) {
        let scope = self.scopes.len();
        let told = [&mut explored.findings, &mut explored.shown];
        let unshown = self.take_unshown(&mut explored.scope, told);
        self.add(explored.findings);
        let limitations = explored.scope.limitations.clone();
        self.scopes.push(explored.scope);
        for (question, keys) in explored.asked {
            let untested = explored.trials.get(&question).copied().flatten();
            let shown = explored.shown.iter().find(|(_, finding)| {
                matches!((&finding.detail, question), (Detail::Claim(a, _), Question::Claim(b)) if *a == b)
            });
            let keys = keys.into_iter().filter(|key| !unshown.contains(key));
            let keys: Vec<BucketKey> = keys.collect();
            let shown = shown.map(|(_, finding)| finding);
            let witness = shown.and_then(|finding| finding.witness.clone());
            let best = shown.and_then(best);
            let mut limitations = limitations.clone();
            let given_up = |extra| self.scopes[scope].given_up.get(&extra).copied();
            limitations.extend(match question {
                Question::Position(_, stmt) => {
                    given_up(Extra::Position(stmt)).map(Limitation::Unasked)
                }
                Question::Claim(claim) => given_up(Extra::Again(claim))
                    .map(Limitation::Again)
                    .or_else(|| given_up(Extra::Compared(claim)).map(Limitation::Compared)),
                // Whatever else is asked is answered from the runs of the boards alone.
                _ => None,
            });
            let verdict = match () {
                // Whatever was given up can be better.
                () if best.is_some() && !limitations.is_empty() => Verdict::Unknown(limitations),
                () if shown.is_some() => Verdict::Shown,
                () => self.verdict(question, &keys, &limitations),
            };
            let (best, shows) = match best {
                Some(best) => (witness.map(|witness| (best, witness)), None),
                None => (None, witness),
            };
            self.answer(question, verdict, keys, (scope, shows, untested));
            if let Some((best, witness)) = best {
                self.better(question, best, witness);
            }
        }
        let sequence = explored.sequence;
        for step in explored.idle {
            self.idle.entry(step).or_default().insert(sequence);
        }
        self.differing.extend(explored.differing);
        let unstable = self.unstable.entry(sequence).or_default();
        unstable.extend(explored.unstable);
    }

    /// Adds what an example came to.
    pub fn examined(&mut self, index: usize, mut examined: Examined) {
        let scope = self.scopes.len();
        self.take_unshown(&mut examined.scope, [&mut examined.findings]);
        let keys: Vec<BucketKey> = examined
            .findings
            .iter()
            .map(|(key, _)| key.clone())
            .collect();
        self.add(examined.findings);
        let limitations = examined.scope.limitations.clone();
        self.scopes.push(examined.scope);
        let question = Question::Example(index);
        let verdict = self.verdict(question, &keys, &limitations);
        self.answer(question, verdict, keys, (scope, None, examined.untested));
    }

    /// What one scope says, where it shows nothing.
    fn verdict(
        &self,
        question: Question,
        keys: &[BucketKey],
        limitations: &[Limitation],
    ) -> Verdict {
        let existential = match question {
            Question::Claim(claim) => self.program.claims[claim].kind.is_existential(),
            _ => false,
        };
        if !keys.is_empty() {
            Verdict::Refuted
        } else if !limitations.is_empty() {
            Verdict::Unknown(limitations.to_vec())
        } else if existential {
            Verdict::NoneInScope
        } else {
            Verdict::HoldsInScope
        }
    }

    /// Takes down what one scope says; what was asked in several scopes has one answer.
    fn answer(
        &mut self,
        question: Question,
        verdict: Verdict,
        keys: Vec<BucketKey>,
        (scope, witness, untested): (usize, Option<Witness>, Option<Untested>),
    ) {
        let mut known = self.answers.iter_mut();
        if let Some((answer, all)) = known.find(|(one, _)| one.subject == question) {
            answer.verdict = match extreme(self.program, question) {
                Some(_) => both_looked_at(&answer.verdict, verdict),
                None => both(&answer.verdict, verdict),
            };
            answer.untested = trial::further(answer.untested, untested);
            answer.scopes.push(scope);
            answer.witness = answer.witness.take().or(witness);
            all.extend(keys);
            return;
        }
        let (clauses, span) = place(self.program, question);
        let answer = Answer {
            subject: question,
            untested,
            verdict,
            scopes: vec![scope],
            findings: Vec::new(),
            left_out: Vec::new(),
            clauses,
            span,
            witness,
            suggested: false,
            best: None,
            proof: None,
        };
        self.answers.push((answer, keys));
    }

    /// Takes down a value that was found where the largest or smallest is asked for, unless a better one is known.
    fn better(&mut self, question: Question, best: Best, witness: Witness) {
        let mut known = self.answers.iter_mut();
        if let Some((answer, _)) = known.find(|(one, _)| one.subject == question) {
            answer.take(extreme(self.program, question), best, witness);
        }
    }

    /// The finding that nothing that a claim says can be reached is ever reached.
    fn never(&self, claim: usize, scopes: &[usize]) -> (BucketKey, Finding) {
        let declared = &self.program.claims[claim];
        let (code, severity) = if declared.question {
            (code::QUESTION_NO, Severity::Note)
        } else {
            (code::CLAIM_REFUTED, Severity::Warning)
        };
        let finding = Finding {
            code,
            origin: Origin::Declared,
            severity,
            basis: endstep_language::syntax::ast::BasisKind::Text,
            subject: declared.name.clone(),
            cause: String::new(),
            clauses: declared.clause.into_iter().collect(),
            spans: vec![declared.span],
            readings: Under::All,
            boards: scopes.iter().map(|&at| self.scopes[at].legal).sum(),
            readings_known: true,
            boards_each: scopes.iter().map(|&at| self.scopes[at].legal).sum(),
            by_reading: Vec::new(),
            counted: Vec::new(),
            occurs: None,
            scope: scopes.first().copied(),
            elsewhere: scopes.iter().skip(1).copied().collect(),
            fixed: self.options.readings.clone(),
            untried: false,
            witness: None,
            outside: None,
            minimality: Minimality::Exact,
            wider: Vec::new(),
            decisive: Vec::new(),
            undecided: Vec::new(),
            detail: Detail::Claim(claim, ClaimFailure::Never),
        };
        ((code, declared.name.clone(), String::new()), finding)
    }

    /// Adds a finding for each claim that something can be reached which no scope shows.
    fn never_reached(&mut self) {
        for at in 0..self.answers.len() {
            let (answer, _) = &self.answers[at];
            if let (Verdict::NoneInScope, Question::Claim(claim)) =
                (&answer.verdict, answer.subject)
                // That something has no value anywhere is an answer, too.
                && self.program.claims[claim].kind.extreme().is_none()
            {
                let (key, finding) = self.never(claim, &answer.scopes);
                self.answers[at].1.push(key.clone());
                self.findings.insert(key, finding);
            }
        }
    }

    /// Whether a finding that says something of all boards of one `verify` is not true of those of
    /// another of the same sequence.
    fn is_overtaken(&self, finding: &Finding) -> bool {
        let Detail::MissingRecheck(sequence, step) = finding.detail else {
            return false;
        };
        let unstable = self.unstable.get(&sequence);
        unstable.is_some_and(|steps| steps.contains(&step))
    }

    /// Notes on what holds, and was put to the test nowhere.
    fn untested(&self) -> Vec<(BucketKey, Finding)> {
        let one = |(answer, _): &(Answer, Vec<BucketKey>)| {
            let why = answer.untested?;
            // Names of each kind are their own.
            let (subject, cause) = match answer.subject {
                Question::Claim(claim) => (self.program.claims[claim].name.clone(), ""),
                Question::Contract(sequence) => {
                    (self.program.sequences[sequence].name.clone(), "contract")
                }
                Question::Example(at) => (self.program.examples[at].name.clone(), "example"),
                // Nobody claims it.
                _ => return None,
            };
            let scopes = answer.scopes.iter();
            let finding = Finding {
                code: code::UNTESTED,
                origin: Origin::Discovered,
                severity: Severity::Note,
                basis: endstep_language::syntax::ast::BasisKind::Text,
                subject: subject.clone(),
                cause: cause.to_owned(),
                clauses: answer.clauses.clone(),
                spans: vec![answer.span],
                readings: Under::All,
                boards: scopes.clone().map(|&at| self.scopes[at].legal).sum(),
                readings_known: true,
                boards_each: scopes.map(|&at| self.scopes[at].legal).sum(),
                by_reading: Vec::new(),
                counted: Vec::new(),
                occurs: None,
                scope: answer.scopes.first().copied(),
                elsewhere: answer.scopes.iter().skip(1).copied().collect(),
                fixed: self.options.readings.clone(),
                untried: false,
                witness: None,
                outside: None,
                minimality: Minimality::Exact,
                wider: Vec::new(),
                decisive: Vec::new(),
                undecided: Vec::new(),
                detail: Detail::Untested(answer.subject, why),
            };
            Some(((code::UNTESTED, subject, cause.to_owned()), finding))
        };
        self.answers.iter().filter_map(one).collect()
    }

    /// All results: findings by severity, place and code; answers in the order in which things stand.
    pub fn finish(mut self) -> Results {
        let (program, options) = (self.program, self.options);
        self.never_reached();
        self.idle.retain(|step, _| !self.differing.contains(step));
        let idle = document::idle(program, &self.idle);
        self.add(idle);
        for (answer, _) in &mut self.answers {
            let untested = answer.untested.take();
            answer.untested = untested.filter(|_| answer.verdict == Verdict::HoldsInScope);
        }
        // Where one run guides, nothing is asked of readings.
        for (answer, _) in self.answers.iter_mut().filter(|_| options.guide.is_empty()) {
            leave_uncompared(program, &self.scopes, answer);
            note_untried_of_best(program, &self.scopes, answer);
        }
        // Boards that are left out could have put it to the test.
        if !leaves_boards_out(program, options) {
            let untested = self.untested();
            self.add(untested);
        }
        let all = std::mem::take(&mut self.findings).into_iter();
        let mut findings: Vec<(BucketKey, Finding)> = all.collect();
        demands::retell(&mut findings);
        findings.retain(|(_, finding)| !self.is_overtaken(finding));
        let instead = weaker(&findings);
        findings.retain(|(key, _)| !instead.contains_key(key));
        let mut results = Results {
            scopes: self.scopes,
            ..Results::default()
        };
        for (_, finding) in &findings {
            results.note_without_end(program, finding);
        }
        for (_, finding) in &mut findings {
            if options.guide.is_empty() {
                note_untried(program, &results.scopes, finding);
            }
            finding.fixed = match finding.detail {
                Detail::Example { example, .. } => {
                    program.examples[example].left_open(&options.readings)
                }
                _ => options.readings.clone(),
            };
        }
        findings.sort_by(|(a, one), (b, other)| {
            let place = |finding: &Finding| (finding.severity, finding.spans.first().copied());
            place(one).cmp(&place(other)).then_with(|| a.cmp(b))
        });
        let position = |key: &BucketKey| {
            let key = instead.get(key).unwrap_or(key);
            findings.iter().position(|(other, _)| other == key)
        };
        // What is so of all is so of two.
        let by_two = told_by_two(self.answers.iter().map(|(answer, _)| answer));
        let tells = |(answer, _): &(Answer, Vec<BucketKey>)| match answer.subject {
            Question::Ways(sequence, reading, ..) => by_two.contains(&(sequence, reading)),
            _ => true,
        };
        let answers = self.answers.into_iter().filter(tells);
        let answers = answers.map(|(mut answer, keys)| {
            answer.findings = keys.iter().filter_map(position).collect();
            answer.findings.sort_unstable();
            answer.findings.dedup();
            answer
        });
        let answers = answers.collect();
        Results {
            findings: findings.into_iter().map(|(_, finding)| finding).collect(),
            answers,
            ..results
        }
    }
}

/// Leaves out of results the findings that nobody wants to see. What was looked at, and the answers, stay as they are.
pub fn keep_wanted(program: &Program, options: &Options, results: &mut Results) {
    let all = std::mem::take(&mut results.findings).into_iter();
    let wanted = |(_, finding): &(usize, Finding)| is_wanted(program, options, finding);
    let (kept, others): (Vec<_>, Vec<_>) = all.enumerate().partition(wanted);
    let (kept, findings): (Vec<usize>, Vec<Finding>) = kept.into_iter().unzip();
    let (others, left_out): (Vec<usize>, Vec<Finding>) = others.into_iter().unzip();
    (results.findings, results.left_out) = (findings, left_out);
    let those = |all: &[usize], of: &[usize]| -> Vec<usize> {
        let position = |at: &usize| of.iter().position(|one| one == at);
        all.iter().filter_map(position).collect()
    };
    for answer in &mut results.answers {
        answer.left_out = those(&answer.findings, &others);
        answer.findings = those(&answer.findings, &kept);
    }
}

fn is_wanted(program: &Program, options: &Options, finding: &Finding) -> bool {
    let has = |word: &String| {
        let clause = |clause: &ClauseIdx| program.clauses[*clause].id == *word;
        word.eq_ignore_ascii_case(finding.code.id())
            || is_about(word, &finding.subject)
            || finding.demanded(program).contains(&word.as_str())
            || finding.clauses.iter().any(clause)
    };
    options.only.is_empty() || options.only.iter().any(has)
}

/// What two scopes say together of something that is asked of both.
pub(super) fn both(one: &Verdict, other: Verdict) -> Verdict {
    match (one, other) {
        // A run that shows it is enough.
        (Verdict::Shown, _) | (_, Verdict::Shown) => Verdict::Shown,
        (Verdict::Refuted, _) | (_, Verdict::Refuted) => Verdict::Refuted,
        (Verdict::Unknown(some), Verdict::Unknown(others)) => {
            let mut all = some.clone();
            all.extend(others);
            all.sort();
            all.dedup();
            Verdict::Unknown(all)
        }
        (Verdict::Unknown(some), _) => Verdict::Unknown(some.clone()),
        (_, other) => other,
    }
}

/// The same of a question for the largest or smallest value: it takes both scopes, unless there is no board in one.
pub(super) fn both_looked_at(one: &Verdict, other: Verdict) -> Verdict {
    let is_empty = |one: &Verdict| *one == Verdict::Unknown(vec![Limitation::NoBoard]);
    match (one, other) {
        (one, other) if is_empty(one) => other,
        (one, other) if is_empty(&other) => one.clone(),
        (Verdict::Unknown(some), Verdict::Shown) => Verdict::Unknown(some.clone()),
        (Verdict::Shown, Verdict::Unknown(some)) => Verdict::Unknown(some),
        (one, other) => both(one, other),
    }
}

/// Whether a question asks for the largest or the smallest value of something.
pub(super) fn extreme(program: &Program, question: Question) -> Option<Extreme> {
    match question {
        Question::Claim(claim) => Some(program.claims[claim].kind.extreme()?.0),
        _ => None,
    }
}

/// The value that a finding shows, of a question for the largest or smallest.
pub(super) fn best(finding: &Finding) -> Option<Best> {
    match finding.detail {
        Detail::Claim(_, ClaimFailure::Takes(value)) => Some(Best {
            value,
            readings: finding.readings.clone(),
            readings_known: finding.readings_known,
        }),
        _ => None,
    }
}

/// Whether a word names a subject, or what a subject is part of: `cleanup.destroy` names
/// `cleanup/destroy/for each#1`, and `bell` names `event bell` and `trigger bell/announce#1`.
pub fn is_about(word: &str, subject: &str) -> bool {
    let is_part_of = |subject: &str| {
        let rest = subject.strip_prefix(word.replace('.', "/").as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let bare = ["event ", "trigger "]
        .iter()
        .find_map(|kind| subject.strip_prefix(kind));
    subject == word || is_part_of(subject) || bare.is_some_and(is_part_of)
}

/// What a question is about.
pub(super) fn place(program: &Program, question: Question) -> (Vec<ClauseIdx>, Span) {
    let at = |site: Site| (subject::clauses(program, site), site.span(program));
    match question {
        Question::Claim(index) => {
            let claim = &program.claims[index];
            (claim.clause.into_iter().collect(), claim.span)
        }
        Question::Example(index) => {
            let example = &program.examples[index];
            (example.clause.into_iter().collect(), example.span)
        }
        Question::Reading(_, reading) | Question::Ways(_, reading, ..) => {
            let reading = &program.readings[reading];
            let cites = reading.alternatives.iter().flat_map(|one| &one.cites);
            let mut clauses: Vec<ClauseIdx> = cites.copied().chain(reading.clause).collect();
            clauses.sort_unstable();
            clauses.dedup();
            (clauses, reading.span)
        }
        Question::Order(_, site) => at(site),
        Question::Steps(_, one, other) => {
            let (mut clauses, span) = at(Site::Step(one));
            clauses.extend(subject::of_step(program, other));
            (clauses, span)
        }
        Question::Triggers(_, one, other) => {
            let (mut clauses, span) = at(Site::Trigger(one));
            clauses.extend(subject::clauses(program, Site::Trigger(other)));
            clauses.sort_unstable();
            clauses.dedup();
            (clauses, span)
        }
        Question::Position(_, stmt) | Question::Gap(_, stmt) => at(Site::Stmt(stmt)),
        Question::Terminates(sequence) | Question::Contract(sequence) => {
            at(Site::Sequence(sequence))
        }
        Question::Legal(_, index) => {
            let legal = &program.legals[index];
            (legal.clause.into_iter().collect(), legal.span)
        }
    }
}
