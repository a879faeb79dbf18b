//! Puts findings in order and gives every question its answer.

use std::collections::BTreeMap;

use super::bucket::BucketKey;
use super::example::Examined;
use super::options::Options;
use super::subject;
use super::survey::Explored;
use crate::diag::Severity;
use crate::diag::codes::finding as code;
use crate::semantics::Site;
use crate::source::Span;
use crate::typing::program::{ClaimKind, ClauseIdx, Program};
use crate::verdict::{
    Answer, ClaimFailure, Detail, Finding, Limitation, Minimality, Origin, Question, Results,
    Scope, Under, Verdict,
};
use crate::witness::Witness;

/// Results in the making.
pub struct Gathered<'a> {
    program: &'a Program,
    options: &'a Options,
    findings: BTreeMap<BucketKey, Finding>,
    answers: Vec<(Answer, Vec<BucketKey>)>,
    scopes: Vec<Scope>,
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
        for (key, finding) in findings {
            let known = self.findings.get(&key);
            if known.is_none_or(|known| size(&finding) < size(known)) {
                self.findings.insert(key, finding);
            }
        }
    }

    /// Adds what a job came to.
    pub fn explored(&mut self, explored: Explored) {
        let scope = self.scopes.len();
        self.add(explored.findings);
        let limitations = explored.scope.limitations.clone();
        self.scopes.push(explored.scope);
        for (question, keys) in explored.asked {
            let shown = explored.shown.iter().find(|(_, finding)| {
                matches!((&finding.detail, question), (Detail::Claim(a, _), Question::Claim(b)) if *a == b)
            });
            let keys: Vec<BucketKey> = keys.into_iter().collect();
            self.answer(
                question,
                keys,
                &limitations,
                (scope, shown.map(|(_, one)| one)),
            );
        }
    }

    /// Adds what an example came to.
    pub fn examined(&mut self, index: usize, examined: Examined) {
        let scope = self.scopes.len();
        let keys: Vec<BucketKey> = examined
            .findings
            .iter()
            .map(|(key, _)| key.clone())
            .collect();
        self.add(examined.findings);
        let limitations = examined.scope.limitations.clone();
        self.scopes.push(examined.scope);
        self.answer(Question::Example(index), keys, &limitations, (scope, None));
    }

    fn answer(
        &mut self,
        question: Question,
        mut keys: Vec<BucketKey>,
        limitations: &[Limitation],
        (scope, shown): (usize, Option<&Finding>),
    ) {
        let existential = match question {
            Question::Claim(claim) => {
                matches!(
                    self.program.claims[claim].kind,
                    ClaimKind::Reachable(true, ..)
                )
            }
            _ => false,
        };
        let verdict = if shown.is_some() {
            Verdict::Shown
        } else if !keys.is_empty() {
            Verdict::Refuted
        } else if !limitations.is_empty() {
            Verdict::Unknown(limitations.to_vec())
        } else if existential {
            Verdict::NoneInScope
        } else {
            Verdict::HoldsInScope
        };
        if let (Verdict::NoneInScope, Question::Claim(claim)) = (&verdict, question) {
            let (key, finding) = self.never(claim, scope);
            keys.push(key.clone());
            self.findings.insert(key, finding);
        }
        let (clauses, span) = place(self.program, question);
        let answer = Answer {
            subject: question,
            verdict,
            scope: Some(scope),
            findings: Vec::new(),
            clauses,
            span,
            witness: shown.and_then(|finding| finding.witness.clone()),
        };
        self.answers.push((answer, keys));
    }

    /// The finding that nothing that a claim says can be reached is ever reached.
    fn never(&self, claim: usize, scope: usize) -> (BucketKey, Finding) {
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
            basis: crate::syntax::ast::BasisKind::Text,
            subject: declared.name.clone(),
            cause: String::new(),
            clauses: declared.clause.into_iter().collect(),
            spans: vec![declared.span],
            readings: Under::All,
            boards: self.scopes.get(scope).map_or(0, |scope| scope.legal),
            occurs: None,
            scope: Some(scope),
            witness: None,
            minimality: Minimality::Exact,
            detail: Detail::Claim(claim, ClaimFailure::Never),
        };
        ((code, declared.name.clone(), String::new()), finding)
    }

    /// All results: findings by severity, place and code; answers in the order in which things stand.
    pub fn finish(self) -> Results {
        let (program, options) = (self.program, self.options);
        let wanted = |finding: &Finding| is_wanted(program, options, finding);
        let mut findings: Vec<(BucketKey, Finding)> = self
            .findings
            .into_iter()
            .filter(|(_, finding)| wanted(finding))
            .collect();
        findings.sort_by(|(a, one), (b, other)| {
            let place = |finding: &Finding| (finding.severity, finding.spans.first().copied());
            place(one).cmp(&place(other)).then_with(|| a.cmp(b))
        });
        let position = |key: &BucketKey| findings.iter().position(|(other, _)| other == key);
        let answers = self.answers.into_iter().map(|(mut answer, keys)| {
            answer.findings = keys.iter().filter_map(position).collect();
            answer.findings.sort_unstable();
            answer
        });
        let answers = answers.collect();
        Results {
            findings: findings.into_iter().map(|(_, finding)| finding).collect(),
            answers,
            scopes: self.scopes,
        }
    }
}

fn is_wanted(program: &Program, options: &Options, finding: &Finding) -> bool {
    let has = |word: &String| {
        let clause = |clause: &ClauseIdx| program.clauses[*clause].id == *word;
        word.eq_ignore_ascii_case(finding.code.id())
            || is_about(word, &finding.subject)
            || finding.clauses.iter().any(clause)
    };
    options.only.is_empty() || options.only.iter().any(has)
}

/// Whether a word names a subject, or what a subject is part of: `cleanup.destroy` names
/// `cleanup/destroy/for each#1`.
pub fn is_about(word: &str, subject: &str) -> bool {
    let rest = subject.strip_prefix(word.replace('.', "/").as_str());
    subject == word || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What a question is about.
fn place(program: &Program, question: Question) -> (Vec<ClauseIdx>, Span) {
    let at = |site: Site| {
        (
            subject::clauses(program, site),
            subject::span(program, site),
        )
    };
    match question {
        Question::Claim(index) => {
            let claim = &program.claims[index];
            (claim.clause.into_iter().collect(), claim.span)
        }
        Question::Example(index) => {
            let example = &program.examples[index];
            (example.clause.into_iter().collect(), example.span)
        }
        Question::Reading(_, reading) => {
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
