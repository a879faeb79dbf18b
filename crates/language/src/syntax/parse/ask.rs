//! Reads what is asked: observers, what to verify, claims and accepted findings.

use super::heading::Context;
use super::{Failed, Parse, Parser};
use crate::diag::Diagnostic;
use crate::diag::codes::syntax as codes;
use crate::syntax::ast::{
    Accept, Alteration, At, Claim, ClaimKind, Experiment, Expr, Extreme, Loc, Name, Observer,
    Sight, StepRef, Trivia, Verify,
};
use crate::syntax::lex::Kind;

/// Where something is looked at that is asked of runs.
enum Moment {
    /// At all moments of a sequence.
    In(Name),
    /// Where it ends, on boards that meet a condition.
    After(Name, Option<Expr>),
}

impl Parser<'_> {
    /// `NAME "why"` with what it sees.
    pub(super) fn observer(&mut self) -> Parse<Observer> {
        let name = self.name("the name of the observer")?;
        let why = self.quoted("why this counts, in quotes")?;
        self.expect_end()?;
        let mut sights: Vec<(Trivia, Sight)> = Vec::new();
        let tail = self.block(&mut |parser, trivia| {
            let sight = parser.attempt(|parser| parser.sight().map(Some), None);
            sights.extend(sight.map(|sight| (trivia, sight)));
        });
        Ok(Observer {
            name,
            why,
            sights,
            tail,
        })
    }

    fn sight(&mut self) -> Parse<Sight> {
        let sight = if self.eat_words(&["sees", "everything"]) {
            Sight::Everything
        } else if self.is_word("sees") && self.is_binder_at(1) {
            self.take();
            let binder = self.binder()?;
            self.expect_words(&["by"])?;
            let by = self.expr()?;
            Sight::SeesBy {
                binder: Box::new(binder),
                by,
                as_set: self.eat_words(&["as", "a", "set"]),
            }
        } else if self.eat_word("sees") {
            let seen = self.expr()?;
            if self.eat_words(&["as", "a", "set"]) {
                Sight::SeesAsSet(seen)
            } else {
                Sight::Sees(seen)
            }
        } else if self.eat_word("ignores") {
            Sight::Ignores(self.expr()?)
        } else {
            let context = Context::Lines("an observer", &["sees", "ignores"]);
            return Err(self.unknown_heading(context));
        };
        self.expect_end()?;
        Ok(sight)
    }

    /// `SEQUENCE [observing O] [up to Card = 2, …] [with S, … by contract] [where E]`
    pub(super) fn verify(&mut self) -> Parse<Verify> {
        let sequence = self.name("the name of a sequence")?;
        let observer = self.observing()?;
        let mut sizes = Vec::new();
        if self.eat_words(&["up", "to"]) {
            sizes.push(self.size()?);
            while self.eat(Kind::Comma) {
                sizes.push(self.size()?);
            }
        }
        let mut contracts = Vec::new();
        if self.eat_word("with") {
            contracts = self.names("the name of a sequence")?;
            self.expect_words(&["by", "contract"])?;
        }
        let condition = match self.eat_word("where") {
            true => Some(self.expr()?),
            false => None,
        };
        if !self.is_over() {
            return Err(self.unexpected(
                "`observing …`, `up to …`, `with … by contract`, `where …` or the end of the line",
            ));
        }
        Ok(Verify {
            sequence,
            observer,
            sizes,
            contracts,
            condition,
        })
    }

    fn observing(&mut self) -> Parse<Option<Name>> {
        if self.eat_word("observing") {
            return self.name("the name of an observer").map(Some);
        }
        Ok(None)
    }

    fn size(&mut self) -> Parse<(Name, i64)> {
        let sort = self.name("a sort such as `Card`")?;
        self.expect(Kind::Equal, "`=` and a number")?;
        Ok((sort, self.integer("a number")?))
    }

    /// `NAME: SEQUENCE but CHANGE, …`
    pub(super) fn experiment(&mut self) -> Parse<Experiment> {
        let name = self.name("a name for the experiment")?;
        self.expect(Kind::Colon, "`:` and the name of a sequence")?;
        let of = self.name("the name of a sequence")?;
        if !self.eat_word("but") {
            return Err(self.unexpected("`but` and what is changed"));
        }
        let mut alterations = vec![self.alteration()?];
        while self.eat(Kind::Comma) {
            alterations.push(self.alteration()?);
        }
        self.expect_end()?;
        Ok(Experiment {
            name,
            of,
            alterations,
        })
    }

    fn alteration(&mut self) -> Parse<(Alteration, Loc)> {
        let begin = self.at;
        let kind = if self.eat_word("steps") {
            Alteration::Steps(self.list_policy(false)?)
        } else if self.eat_word("without") {
            Alteration::Without(self.name("the name of a step")?)
        } else if self.eat_words(&["never", "restarting"]) {
            Alteration::NeverRestarting
        } else {
            let expected = "`steps …`, `without …`, `never restarting`, or the name of a step or of an experiment";
            let step = self.name(expected)?;
            match self.peek_word(0) {
                word @ ("first" | "last") => {
                    self.take();
                    Alteration::ToEnd {
                        step,
                        last: word == "last",
                    }
                }
                word @ ("before" | "after") => {
                    self.take();
                    let other = self.name("the name of another step")?;
                    Alteration::Beside {
                        step,
                        after: word == "after",
                        other,
                    }
                }
                "for" => {
                    self.take();
                    Alteration::For {
                        experiment: step,
                        sequence: self.name("the name of a sequence")?,
                    }
                }
                _ => {
                    return Err(
                        self.unexpected("`first`, `last`, `before …`, `after …` or `for …`")
                    );
                }
            }
        };
        Ok((kind, self.loc_since(begin)))
    }

    /// `NAME: …`
    pub(super) fn claim(&mut self, question: bool) -> Parse<Claim> {
        let name = self.name("a name for the claim")?;
        self.expect(Kind::Colon, "`:` and what is claimed")?;
        let kind = self.claim_kind(question)?;
        let observer = self.observing()?;
        let on = match self.eat_word("on") {
            true => Some(self.name("the name of a board")?),
            false => None,
        };
        self.expect_end()?;
        Ok(Claim {
            question,
            name,
            kind,
            observer,
            on,
        })
    }

    fn claim_kind(&mut self, question: bool) -> Parse<ClaimKind> {
        let start = self.at;
        let word = self.peek_word(0);
        self.at += 1;
        Ok(match word {
            "order" => {
                self.expect_words(&["irrelevant", "in"])?;
                ClaimKind::OrderIrrelevant(self.step_ref()?)
            }
            "equivalent" => {
                let first = self.name("the name of a sequence")?;
                self.expect(Kind::Comma, "`,` and another sequence")?;
                let second = self.name("the name of a sequence")?;
                ClaimKind::Equivalent(first, second, self.condition()?)
            }
            "terminates" => {
                let sequence = self.name("the name of a sequence")?;
                ClaimKind::Terminates(sequence, self.condition()?)
            }
            "invariant" => {
                let condition = self.expr()?;
                let at = self.claim_points()?;
                ClaimKind::Invariant(condition, at, self.name("the name of a sequence")?)
            }
            "must" => {
                let condition = self.expr()?;
                self.expect_words(&["after"])?;
                let sequence = self.name("the name of a sequence")?;
                ClaimKind::Must(condition, sequence, self.condition()?)
            }
            "reachable" => self.reachable(true)?,
            "unreachable" => self.reachable(false)?,
            "largest" if question => self.extreme_of_runs(Extreme::Largest)?,
            "smallest" if question => self.extreme_of_runs(Extreme::Smallest)?,
            "largest" | "smallest" => {
                self.at = start;
                return Err(self.nothing_claimed(word));
            }
            "conserves" => {
                let (value, sequence) = self.in_sequence()?;
                ClaimKind::Conserves(value, sequence)
            }
            "idempotent" => ClaimKind::Idempotent(self.step_ref()?),
            _ => {
                self.at = start;
                return Err(self.unexpected(match question {
                    true => {
                        "`order irrelevant in`, `equivalent`, `terminates`, `invariant`, `must`, \
                         `reachable`, `unreachable`, `largest`, `smallest`, `conserves` or \
                         `idempotent`"
                    }
                    false => {
                        "`order irrelevant in`, `equivalent`, `terminates`, `invariant`, `must`, \
                         `reachable`, `unreachable`, `conserves` or `idempotent`"
                    }
                }));
            }
        })
    }

    /// `e in S`, or `e after S [where e]`
    fn reachable(&mut self, reachable: bool) -> Parse<ClaimKind> {
        let condition = self.expr()?;
        if !reachable && self.is_word("after") {
            let message = "found `after`, expected `in` and the name of a sequence";
            let wrong = Diagnostic::error(codes::UNEXPECTED, message)
                .at(self.here(), "`unreachable` looks at all moments")
                .help("write `must not (…) after …` for what is so where it ends");
            self.complaints.add(wrong);
            return Err(Failed);
        }
        Ok(match self.moment(reachable)? {
            Moment::In(sequence) => ClaimKind::Reachable(reachable, condition, sequence),
            Moment::After(sequence, on) => ClaimKind::ReachableAfter(condition, sequence, on),
        })
    }

    /// `in S`, or, if it may be, `after S [where e]`
    fn moment(&mut self, can_be_after: bool) -> Parse<Moment> {
        if self.eat_word("in") {
            return Ok(Moment::In(self.name("the name of a sequence")?));
        }
        if can_be_after && self.eat_word("after") {
            let sequence = self.name("the name of a sequence")?;
            return Ok(Moment::After(sequence, self.condition()?));
        }
        Err(self.unexpected(match can_be_after {
            true => "`in` or `after` and the name of a sequence",
            false => "`in` and the name of a sequence",
        }))
    }

    /// `e in S` or `e after S [where e]`
    fn extreme_of_runs(&mut self, extreme: Extreme) -> Parse<ClaimKind> {
        let value = self.expr()?;
        if self.is_word("over") {
            return Err(self.asked_over(extreme));
        }
        Ok(match self.moment(true)? {
            Moment::In(sequence) => ClaimKind::ExtremeIn(extreme, value, sequence),
            Moment::After(sequence, on) => ClaimKind::ExtremeAfter(extreme, value, sequence, on),
        })
    }

    /// Reports that the largest of several things stands where that of all moments is asked for.
    fn asked_over(&mut self, extreme: Extreme) -> Failed {
        let word = extreme.word();
        let message = "found `over`, expected `in` or `after` and the name of a sequence";
        let help = format!(
            "the first `{word}` asks when; that of several things needs a second one: `{word} ({word} … over …) in …`"
        );
        let wrong = Diagnostic::error(codes::UNEXPECTED, message)
            .at(self.here(), "the sequence is missing before this")
            .help(help);
        self.complaints.add(wrong);
        Failed
    }

    /// Reports a value that is asked for under `claim`.
    fn nothing_claimed(&mut self, word: &str) -> Failed {
        let message = format!("found `{word}`, expected what is claimed");
        let label = format!("`{word}` asks for a value and claims nothing");
        let wrong = Diagnostic::error(codes::UNEXPECTED, message)
            .at(self.here(), label)
            .help("ask for it with `question`, or claim a bound: `invariant … <= 7 throughout …`");
        self.complaints.add(wrong);
        Failed
    }

    /// `e in S`
    fn in_sequence(&mut self) -> Parse<(Expr, Name)> {
        let expr = self.expr()?;
        self.expect_words(&["in"])?;
        Ok((expr, self.name("the name of a sequence")?))
    }

    /// `at the end of`, `at every step of` or `throughout`.
    fn claim_points(&mut self) -> Parse<At> {
        if self.eat_words(&["at", "the", "end", "of"]) {
            Ok(At::End)
        } else if self.eat_words(&["at", "every", "step", "of"]) {
            Ok(At::Steps)
        } else if self.eat_word("throughout") {
            Ok(At::Throughout)
        } else {
            Err(self.unexpected("`at the end of`, `at every step of` or `throughout`"))
        }
    }

    /// `SEQUENCE` or `SEQUENCE.STEP`
    pub(super) fn step_ref(&mut self) -> Parse<StepRef> {
        let sequence = self.name("the name of a sequence")?;
        let step = if self.eat(Kind::Dot) {
            Some(self.name("the name of a step")?)
        } else {
            None
        };
        Ok(StepRef { sequence, step })
    }

    /// `CODE [at ID] because "…"`
    pub(super) fn accept(&mut self) -> Parse<Accept> {
        let code = self.name("the code of a finding, such as `F0301`")?;
        let at = if self.eat_word("at") {
            Some(self.clause_id()?)
        } else {
            None
        };
        self.expect_words(&["because"])?;
        let because = self.quoted("the reason, in quotes")?;
        self.expect_end()?;
        Ok(Accept { code, at, because })
    }
}
