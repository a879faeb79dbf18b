//! Worked examples: a board, what is performed on it, and what is expected.

use super::activation::Activation;
use super::board::Lines;
use super::checker::Checker;
use super::program::{
    Board, BoardId, EntityId, Example, ExampleLine, ExpectedGap, GapCause, ReadingId, SequenceId,
    StepId, StmtKind, Type, Value,
};
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::{Entry, NameKind, nearest, unknown};
use crate::source::Span;
use crate::syntax::ast::{self, ExampleLine as L, ItemKind, Name, StepRef};

impl Checker<'_> {
    /// All examples.
    pub(super) fn examples(&mut self) {
        let outline = self.outline;
        for entry in &outline.items {
            if let ItemKind::Example(example) = entry.kind {
                let built = self.example(example, entry);
                if let Some(built) = self.needed(built) {
                    self.program.examples.push(built);
                }
            }
        }
    }

    fn example(&mut self, example: &ast::Example, entry: &Entry<'_>) -> Option<Example> {
        let board = self.example_board(example);
        let (sequence, args) = self.performed(example).unzip();
        let mut readings: Vec<(ReadingId, u16)> = Vec::new();
        let (mut lines, mut docs) = (Vec::new(), Vec::new());
        let mut sound = true;
        for (trivia, line) in &example.lines {
            match line {
                L::On(_) | L::Given(..) | L::Perform(..) => {}
                L::Reading(name, alternative) => {
                    let fixed = self.fixed(name, alternative);
                    sound &= fixed.is_some();
                    let Some(fixed) = fixed else {
                        continue;
                    };
                    if readings.iter().any(|(reading, _)| *reading == fixed.0) {
                        self.given_twice("reading", name);
                    }
                    readings.push(fixed);
                }
                _ => {
                    let line = self.example_line(line, sequence);
                    sound &= line.is_some();
                    docs.extend(line.is_some().then(|| trivia.documentation()));
                    lines.extend(line);
                }
            }
        }
        let args = args.flatten();
        Some(Example {
            name: example.name.text.clone(),
            board: board?,
            sequence: sequence.filter(|_| sound)?,
            args: args?,
            readings,
            lines,
            docs,
            clause: Self::clause_idx(entry.clause),
            doc: entry.trivia.documentation(),
            span: example.name.loc.span(),
        })
    }

    /// The board of an example; its entities can be named afterwards.
    fn example_board(&mut self, example: &ast::Example) -> Option<BoardId> {
        let named = example.lines.iter().filter_map(|(_, line)| match line {
            L::On(name) => Some(name),
            _ => None,
        });
        let named: Vec<&Name> = named.collect();
        let given = example.lines.iter().filter_map(|(_, line)| match line {
            L::Given(lines, _) => Some(lines.as_slice()),
            _ => None,
        });
        let given: Vec<Lines<'_>> = given.collect();
        self.frame = Activation::default();
        // One under `given` that says what is otherwise on the one that is named is no second board.
        let found = named.len().max(given.len());
        if found != 1 {
            let help = "`on NAME`, or `given` with lines";
            self.one_expected(&example.name, found, "boards", help);
        }
        self.frame.any_entity = found == 0;
        match (named.first(), given.first()) {
            (Some(name), None) => {
                let found = self.written_board(name);
                self.frame.any_entity = found.is_none();
                let id = found?;
                let board = self.program.boards.get(id)?.clone();
                self.name_entities(&board);
                Some(id)
            }
            (name, Some(lines)) => {
                let mut layers = self.layers(name.copied());
                layers.push(lines);
                let board = self.board(&example.name, &layers);
                Some(self.program.boards.push(board))
            }
            (None, None) => None,
        }
    }

    pub(super) fn name_entities(&mut self, board: &Board) {
        for (number, entity) in board.entities.iter().enumerate() {
            let id = EntityId::from_index(number);
            let place = self.entity_place(&board.name, &entity.name);
            let known = (id, entity.sort, place.unwrap_or(board.span));
            self.frame.entities.insert(entity.name.clone(), known);
        }
    }

    /// What is performed, with its arguments if they are sound.
    fn performed(&mut self, example: &ast::Example) -> Option<(SequenceId, Option<Vec<Value>>)> {
        let mut performs = example.lines.iter().filter_map(|(_, line)| match line {
            L::Perform(name, arguments) => Some((name, arguments)),
            _ => None,
        });
        let first = performs.next();
        let others = performs.count();
        if others > 0 || first.is_none() {
            let found = others + usize::from(first.is_some());
            self.one_expected(
                &example.name,
                found,
                "lines with `perform`",
                "`perform SEQUENCE`",
            );
        }
        let (name, arguments) = first?;
        let id = self.sequence_named(name)?;
        if self.not_made_up(id, name, "the document works no such example") {
            return None;
        }
        let signature = self.sequence_params.get(id)?.clone();
        if signature.len() != arguments.len() {
            self.wrong_count(name, &signature, arguments.len());
            return Some((id, None));
        }
        let mut values = Vec::new();
        for ((_, ty), argument) in signature.iter().zip(arguments) {
            values.push(ty.and_then(|ty| self.literal(argument, ty)));
        }
        Some((id, values.into_iter().collect()))
    }

    fn one_expected(&mut self, name: &Name, found: usize, what: &str, help: &str) {
        let found = match found {
            0 => "no".to_owned(),
            more => more.to_string(),
        };
        let message = format!(
            "the example `{}` has {found} {what}, expected one",
            name.text
        );
        let error = Diagnostic::error(codes::forms::EXAMPLE, message).at(name.loc, "this example");
        self.report(error.help(format!("write one line {help}")));
    }

    fn fixed(&mut self, name: &Name, alternative: &Name) -> Option<(ReadingId, u16)> {
        let reading = self.reading_named(name)?;
        let alternative = self.alternative(reading, alternative)?;
        Some((reading, alternative))
    }

    fn example_line(
        &mut self,
        line: &L,
        sequence: Option<SequenceId>,
    ) -> Option<(ExampleLine, Span)> {
        Some(match line {
            L::Error | L::On(_) | L::Given(..) | L::Perform(..) | L::Reading(..) => return None,
            L::Choose(label) => (ExampleLine::Choose(label.line()), label.loc.span()),
            L::After(step, condition) => {
                let step = self.step_of_example(step, sequence);
                let condition_checked = self.expect(condition, Type::Bool);
                (
                    ExampleLine::After(step?, condition_checked?),
                    condition.loc.span(),
                )
            }
            L::Expect {
                possible,
                condition,
            } => {
                let checked = self.expect(condition, Type::Bool)?;
                let line = match possible {
                    true => ExampleLine::ExpectPossible(checked),
                    false => ExampleLine::Expect(checked),
                };
                (line, condition.loc.span())
            }
            L::ExpectGap { possible, gap } => {
                let (gap, span) = self.expected_gap(gap)?;
                let line = match possible {
                    true => ExampleLine::ExpectPossibleGap(gap),
                    false => ExampleLine::ExpectGap(gap),
                };
                (line, span)
            }
            L::ExpectOutcome(word, whom, loc) => {
                let declared = self.declared(*word, whom.as_ref(), *loc)?;
                (ExampleLine::ExpectOutcome(declared), loc.span())
            }
        })
    }

    /// A gap at which runs stop, or a kind of gaps.
    fn expected_gap(&mut self, gap: &ast::ExpectedGap) -> Option<(ExpectedGap, Span)> {
        let name = match gap {
            ast::ExpectedGap::Named(name) => name,
            ast::ExpectedGap::Kind(kind) => {
                let Some(cause) = GapCause::called(&kind.text) else {
                    self.no_kind_of_gap(kind);
                    return None;
                };
                return Some((ExpectedGap::Implicit(cause), kind.loc.span()));
            }
        };
        let id = self.named(|names| Some(&names.gaps), NameKind::Gap, name)?;
        let mut stmts = self.program.stmts.values().iter();
        let is_of = |kind: &StmtKind| match kind {
            StmtKind::Gap(gap) | StmtKind::GapGoesOn { gap, .. } => *gap == id,
            _ => false,
        };
        if !stmts.any(|stmt| is_of(&stmt.kind)) {
            let message = format!(
                "the gap `{}` lets something change, expected one that says nothing of what comes next",
                name.text
            );
            let error = Diagnostic::error(codes::forms::EXAMPLE, message)
                .at(name.loc, "runs only choose a value here")
                .help("`gap NAME` and `gap NAME and go on` can be expected");
            self.report(error);
            return None;
        }
        Some((ExpectedGap::Named(id), name.loc.span()))
    }

    fn no_kind_of_gap(&mut self, kind: &ast::Text) {
        let message = format!("found `{}`, expected a kind of gap", kind.text);
        let error = Diagnostic::error(codes::names::UNKNOWN, message).at(kind.loc, "no such kind");
        let kinds = GapCause::ALL.map(GapCause::words);
        let help = match nearest(&kind.text, kinds.into_iter()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("the kinds are \"{}\"", kinds.join("\", \"")),
        };
        self.report(error.help(help));
    }

    /// `SEQUENCE.STEP`, or a step of the sequence that is performed, or the only step of the name.
    fn step_of_example(&mut self, step: &StepRef, performed: Option<SequenceId>) -> Option<StepId> {
        if let Some(name) = &step.step {
            let sequence = self.sequence_named(&step.sequence)?;
            if self.not_made_up(
                sequence,
                &step.sequence,
                "the example performs no step of it",
            ) {
                return None;
            }
            return self.step_named(sequence, name);
        }
        let name = &step.sequence;
        let own = performed.and_then(|sequence| self.names.steps.get(&sequence)?.get(&name.text));
        if let Some(own) = own {
            self.means_step(name, own);
            return Some(own);
        }
        let everywhere: Vec<StepId> = self
            .names
            .steps
            .iter()
            .filter(|(of, _)| !self.names.experiments.contains_key(of))
            .filter_map(|(_, steps)| steps.get(&name.text))
            .collect();
        match everywhere.as_slice() {
            [only] => {
                self.means_step(name, *only);
                Some(*only)
            }
            [] => {
                let steps = self
                    .program
                    .steps
                    .values()
                    .iter()
                    .map(|step| step.name.as_str());
                let near = nearest(&name.text, steps).map(str::to_owned);
                let error = unknown("step", &name.text, name.loc.span(), near.as_deref());
                self.report(error);
                None
            }
            several => {
                let message = format!(
                    "found {} steps `{}`, expected one",
                    several.len(),
                    name.text
                );
                let error = Diagnostic::error(codes::names::WRONG_KIND, message)
                    .at(name.loc, "which one?")
                    .help("write the sequence as well, as in `cleanup.destroy`");
                self.report(error);
                None
            }
        }
    }
}
