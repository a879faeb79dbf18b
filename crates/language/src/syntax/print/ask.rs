//! Writes what is asked: observers, what to verify, claims, boards, examples, accepted findings.

use super::Printer;
use super::expr::{Follow, Level};
use super::policy::outcome_word;
use crate::syntax::ast::{
    Accept, Alteration, At, BoardLine, Claim, ClaimKind, Comment, Example, ExampleLine,
    ExpectedGap, Experiment, Expr, Name, Observer, Sight, StepRef, Trivia, Verify,
};

impl Printer {
    pub(super) fn observer(&mut self, trivia: &Trivia, observer: &Observer) {
        self.put("observer ").name(&observer.name).put(" ");
        self.quoted(&observer.why).end_line(trivia);
        self.nested(|printer| {
            for (trivia, sight) in &observer.sights {
                match sight {
                    Sight::Everything => printer.put("sees everything"),
                    Sight::Sees(seen) => printer.put("sees ").expr(seen),
                    Sight::SeesAsSet(seen) => printer.put("sees ").expr(seen).put(" as a set"),
                    Sight::SeesBy { binder, by, as_set } => printer
                        .put("sees ")
                        .binder(binder, Follow::NOTHING)
                        .put(" by ")
                        .expr(by)
                        .put(if *as_set { " as a set" } else { "" }),
                    Sight::Ignores(ignored) => printer.put("ignores ").expr(ignored),
                };
                printer.end_line(trivia);
            }
            printer.comments(&observer.tail);
        });
    }

    pub(super) fn verify(&mut self, trivia: &Trivia, verify: &Verify) {
        self.put("verify ")
            .name(&verify.sequence)
            .observing(verify.observer.as_ref());
        if !verify.sizes.is_empty() {
            self.put(" up to ")
                .list(&verify.sizes, |printer, (sort, size)| {
                    printer.name(sort).put(" = ").number(*size);
                });
        }
        if !verify.contracts.is_empty() {
            self.put(" with ")
                .names(&verify.contracts)
                .put(" by contract");
        }
        if let Some(condition) = &verify.condition {
            self.put(" where ").expr(condition);
        }
        self.end_line(trivia);
    }

    fn observing(&mut self, observer: Option<&Name>) -> &mut Self {
        match observer {
            Some(observer) => self.put(" observing ").name(observer),
            None => self,
        }
    }

    pub(super) fn experiment(&mut self, trivia: &Trivia, experiment: &Experiment) {
        self.put("experiment ").name(&experiment.name).put(": ");
        self.name(&experiment.of).put(" but ");
        self.alterations(experiment);
        self.end_line(trivia);
    }

    pub(super) fn alterations(&mut self, experiment: &Experiment) {
        self.list(&experiment.alterations, |printer, (alteration, _)| {
            printer.alteration(alteration);
        });
    }

    fn alteration(&mut self, alteration: &Alteration) {
        match alteration {
            Alteration::Steps(policy) => self.put("steps ").list_policy(policy),
            Alteration::Without(step) => self.put("without ").name(step),
            Alteration::ToEnd { step, last } => {
                let end = if *last { " last" } else { " first" };
                self.name(step).put(end)
            }
            Alteration::Beside { step, after, other } => {
                let beside = if *after { " after " } else { " before " };
                self.name(step).put(beside).name(other)
            }
            Alteration::NeverRestarting => self.put("never restarting"),
            Alteration::For {
                experiment,
                sequence,
            } => self.name(experiment).put(" for ").name(sequence),
        };
    }

    pub(super) fn claim(&mut self, trivia: &Trivia, claim: &Claim) {
        if claim.kind == ClaimKind::Error {
            return self.error(trivia);
        }
        self.put(if claim.question {
            "question "
        } else {
            "claim "
        });
        self.name(&claim.name).put(": ").claim_kind(&claim.kind);
        self.observing(claim.observer.as_ref());
        if let Some(board) = &claim.on {
            self.put(" on ").name(board);
        }
        self.end_line(trivia);
    }

    fn claim_kind(&mut self, kind: &ClaimKind) -> &mut Self {
        match kind {
            ClaimKind::Error => self.put("?"),
            ClaimKind::OrderIrrelevant(step) => self.put("order irrelevant in ").step_ref(step),
            ClaimKind::Equivalent(first, second, on) => {
                self.put("equivalent ").name(first).comma().name(second);
                self.condition(on.as_ref())
            }
            ClaimKind::Terminates(sequence, on) => self
                .put("terminates ")
                .name(sequence)
                .condition(on.as_ref()),
            ClaimKind::Invariant(condition, at, sequence) => {
                self.put("invariant ").expr(condition);
                self.put(match at {
                    At::End => " at the end of ",
                    At::Steps => " at every step of ",
                    At::Throughout => " throughout ",
                });
                self.name(sequence)
            }
            ClaimKind::Must(condition, sequence, on) => {
                self.put("must ")
                    .expr(condition)
                    .put(" after ")
                    .name(sequence);
                self.condition(on.as_ref())
            }
            ClaimKind::Reachable(true, condition, sequence) => {
                self.put("reachable ").in_sequence(condition, sequence)
            }
            ClaimKind::Reachable(false, condition, sequence) => {
                self.put("unreachable ").in_sequence(condition, sequence)
            }
            ClaimKind::ReachableAfter(condition, sequence, on) => {
                self.put("reachable ").expr(condition);
                self.put(" after ").name(sequence).condition(on.as_ref())
            }
            ClaimKind::ExtremeIn(extreme, value, sequence) => self
                .put(extreme.word())
                .put(" ")
                .in_sequence(value, sequence),
            ClaimKind::ExtremeAfter(extreme, value, sequence, on) => {
                self.put(extreme.word()).put(" ").expr(value);
                self.put(" after ").name(sequence).condition(on.as_ref())
            }
            ClaimKind::Conserves(value, sequence) => {
                self.put("conserves ").in_sequence(value, sequence)
            }
            ClaimKind::Idempotent(step) => self.put("idempotent ").step_ref(step),
        }
    }

    fn in_sequence(&mut self, expr: &Expr, sequence: &Name) -> &mut Self {
        self.expr_at(expr, Level::Or, Follow::IN)
            .put(" in ")
            .name(sequence)
    }

    fn step_ref(&mut self, step: &StepRef) -> &mut Self {
        self.name(&step.sequence);
        match &step.step {
            Some(step) => self.put(".").name(step),
            None => self,
        }
    }

    /// The lines of a board, nested under the last line.
    pub(super) fn board_lines(&mut self, lines: &[(Trivia, BoardLine)], tail: &[Comment]) {
        self.nested(|printer| {
            for (trivia, line) in lines {
                printer.board_line(trivia, line);
            }
            printer.comments(tail);
        });
    }

    fn board_line(&mut self, trivia: &Trivia, line: &BoardLine) {
        match line {
            BoardLine::Error => return self.error(trivia),
            BoardLine::Var(name, value) => self.name(name).put(" = ").expr(value),
            BoardLine::Entities {
                sort,
                names,
                zone,
                with,
            } => {
                self.name(sort).put(" ").names(names);
                if let Some(zone) = zone {
                    self.put(" in ").operand(zone);
                }
                self.with(with)
            }
        };
        self.end_line(trivia);
    }

    pub(super) fn example(&mut self, trivia: &Trivia, example: &Example) {
        self.put("example ").name(&example.name).end_line(trivia);
        self.nested(|printer| {
            for (trivia, line) in &example.lines {
                printer.example_line(trivia, line);
            }
            printer.comments(&example.tail);
        });
    }

    fn example_line(&mut self, trivia: &Trivia, line: &ExampleLine) {
        match line {
            ExampleLine::Error => return self.error(trivia),
            ExampleLine::Given(lines, tail) => {
                self.put("given").end_line(trivia);
                return self.board_lines(lines, tail);
            }
            ExampleLine::On(board) => self.put("on ").name(board),
            ExampleLine::Perform(sequence, arguments) => {
                self.put("perform ").name(sequence).arguments(arguments)
            }
            ExampleLine::Reading(reading, alternative) => self
                .put("reading ")
                .name(reading)
                .put(" is ")
                .name(alternative),
            ExampleLine::Choose(option) => self.put("choose ").quoted(option),
            ExampleLine::After(step, condition) => self
                .put("after ")
                .step_ref(step)
                .put(" expect ")
                .expr(condition),
            ExampleLine::Expect {
                possible,
                condition,
            } => {
                self.put(if *possible {
                    "expect possible "
                } else {
                    "expect "
                });
                self.expr(condition)
            }
            ExampleLine::ExpectGap { possible, gap } => {
                self.put(if *possible {
                    "expect possible gap "
                } else {
                    "expect gap "
                });
                match gap {
                    ExpectedGap::Named(name) => self.name(name),
                    ExpectedGap::Kind(kind) => self.quoted(kind),
                }
            }
            ExampleLine::ExpectOutcome(outcome, whom, _) => self
                .put("expect outcome ")
                .put(outcome_word(*outcome))
                .whom(whom.as_ref()),
        };
        self.end_line(trivia);
    }

    pub(super) fn accept(&mut self, trivia: &Trivia, accept: &Accept) {
        self.put("accept ").name(&accept.code);
        if let Some(at) = &accept.at {
            self.put(" at ").put(&at.text);
        }
        self.put(" because ")
            .quoted(&accept.because)
            .end_line(trivia);
    }
}
