//! Boards written out, and worked examples.

use super::Feature;
use super::maker::{Around, Maker};
use super::tree::{call, expr, item, name, named, text};
use super::world::Ty;
use arbitrary::Result;
use endstep_language::syntax::ast::{
    BoardItem, BoardLine, Claim, Example, ExampleLine, ExpectedGap, Expr, ExprKind, Item, ItemKind,
    Loc, OutcomeWord, StepRef, Trivia, Whom,
};
use endstep_language::typing::program::GapCause;

const PLAYERS: [&str; 2] = ["ann", "bob"];
const THINGS: [[&str; 2]; 3] = [["wolf", "owl"], ["hill", "lake"], ["oak", "elm"]];

type Lines = Vec<(Trivia, BoardLine)>;

impl Maker<'_> {
    /// A board and examples.
    pub(super) fn examples(&mut self) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        if !self.may(Feature::Examples, 64)? {
            return Ok(items);
        }
        let written = self.scoped(|maker| {
            let Some(lines) = maker.board()? else {
                return Ok(Vec::new());
            };
            let named_board = item(ItemKind::Board(BoardItem {
                name: name("opening"),
                like: None,
                lines,
                tail: Vec::new(),
            }));
            let asked = maker.asked_on("opening")?;
            let on = ExampleLine::On(name("opening"));
            let mut example = maker.example("from_the_opening", on)?;
            let other = maker.other_value()?;
            if let (Some(ItemKind::Example(example)), Some(other)) =
                (example.as_mut().map(|item| &mut item.kind), other)
            {
                let given = ExampleLine::Given(vec![other], Vec::new());
                example.lines.insert(1, (Trivia::default(), given));
            }
            Ok([Some(named_board), asked, example]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>())
        })?;
        items.extend(written);
        let given = self.scoped(|maker| {
            let lines = if maker.odds(128)? {
                maker.board()?
            } else {
                None
            };
            match lines {
                Some(lines) => {
                    let given = ExampleLine::Given(lines, Vec::new());
                    maker.example("from_nothing", given)
                }
                None => Ok(None),
            }
        })?;
        items.extend(given);
        Ok(items)
    }

    /// Sometimes another value for a variable of a board.
    fn other_value(&mut self) -> Result<Option<(Trivia, BoardLine)>> {
        let vars = self.world.vars.clone();
        let Some(var) = self.any_of(&vars)? else {
            return Ok(None);
        };
        if !self.odds(64)? {
            return Ok(None);
        }
        let value = self.settled(var.ty, var.range)?;
        Ok(value.map(|value| {
            let line = BoardLine::Var(name(&var.name), value);
            (Trivia::default(), line)
        }))
    }

    /// Sometimes a claim or question about a board alone; it can name what lies there.
    fn asked_on(&mut self, board: &str) -> Result<Option<Item>> {
        let sequences = self.world.sequences.iter();
        let roots = sequences.filter(|one| one.params.is_empty());
        let roots: Vec<String> = roots.map(|one| one.name.clone()).collect();
        let Some(root) = self.any_of(&roots)? else {
            return Ok(None);
        };
        if !self.may(Feature::Claims, 96)? {
            return Ok(None);
        }
        let kind = match self.claim_naming("asked_there", &root)? {
            ItemKind::Claim(claim) => ItemKind::Claim(Claim {
                on: Some(name(board)),
                ..claim
            }),
            other => other,
        };
        Ok(Some(item(kind)))
    }

    /// The lines of a board; its entities are in scope afterwards. None if a place has no value.
    fn board(&mut self) -> Result<Option<Lines>> {
        let mut entities = Vec::new();
        for sort in 0..self.world.sorts.len() {
            let declared = self.world.sorts[sort].clone();
            let names = if declared.player {
                PLAYERS
            } else {
                THINGS[sort % THINGS.len()]
            };
            let more = usize::try_from(declared.sizes.1 - declared.sizes.0).unwrap_or(0);
            let least = usize::try_from(declared.sizes.0).unwrap_or(0);
            let count = least + self.below(more + 1)?;
            for entity in names.iter().take(count) {
                self.locals.push(((*entity).to_owned(), Ty::Entity(sort)));
                entities.push(((*entity).to_owned(), sort));
            }
        }
        let mut lines = Vec::new();
        let mut taken: Vec<Expr> = Vec::new();
        for (entity, sort) in entities {
            let Some(line) = self.entity_line(&entity, sort, &mut taken)? else {
                return Ok(None);
            };
            lines.push((Trivia::default(), line));
        }
        for var in self.world.vars.clone() {
            let Some(value) = self.settled(var.ty, var.range)? else {
                return Ok(None);
            };
            lines.push((Trivia::default(), BoardLine::Var(name(&var.name), value)));
        }
        Ok(Some(lines))
    }

    fn entity_line(
        &mut self,
        entity: &str,
        sort: usize,
        taken: &mut Vec<Expr>,
    ) -> Result<Option<BoardLine>> {
        let fields = self.world.sorts[sort].fields.clone();
        let mut with = Vec::new();
        for field in fields {
            let Some(value) = self.settled(field.ty, field.range)? else {
                return Ok(None);
            };
            with.push((name(&field.name), value));
        }
        let mut zones = Vec::new();
        for zone in self.world.zones_of(sort) {
            let each = match zone.per {
                None => vec![named(&zone.name)],
                Some(per) => {
                    let owners = self.locals.iter().filter(|(_, ty)| *ty == Ty::Entity(per));
                    owners
                        .map(|(owner, _)| call(&zone.name, vec![named(owner)]))
                        .collect()
                }
            };
            let room = |one: &Expr| {
                let there = taken.iter().filter(|other| *other == one).count();
                zone.most
                    .is_none_or(|most| there < usize::try_from(most).unwrap_or(0))
            };
            zones.extend(each.into_iter().filter(room));
        }
        if zones.is_empty() && self.world.zones_of(sort).next().is_some() {
            return Ok(None);
        }
        let zone = self.any_of(&zones)?;
        taken.extend(zone.clone());
        Ok(Some(BoardLine::Entities {
            sort: name(&self.world.sorts[sort].name),
            names: vec![name(entity)],
            zone,
            with,
        }))
    }

    /// An example that begins with this line; none if a parameter has no value.
    fn example(&mut self, example: &str, board: ExampleLine) -> Result<Option<Item>> {
        let sequences = self.world.sequences.clone();
        let sequence = self.one_of(&sequences)?;
        let mut arguments = Vec::new();
        for (_, ty) in &sequence.params {
            let Some(value) = self.settled(*ty, (0, 1))? else {
                return Ok(None);
            };
            arguments.push(value);
        }
        let mut lines = vec![board, ExampleLine::Perform(name(&sequence.name), arguments)];
        for reading in self.world.readings.clone() {
            if self.odds(96)? {
                let alternative = self.one_of(&reading.alternatives)?;
                lines.push(ExampleLine::Reading(
                    name(&reading.name),
                    name(&alternative),
                ));
            }
        }
        let count = self.below(3)?;
        for _ in 0..count {
            lines.push(self.example_line(&sequence.name, &sequence.steps)?);
        }
        Ok(Some(item(ItemKind::Example(Example {
            name: name(example),
            lines: lines
                .into_iter()
                .map(|line| (Trivia::default(), line))
                .collect(),
            tail: Vec::new(),
        }))))
    }

    fn example_line(&mut self, sequence: &str, steps: &[String]) -> Result<ExampleLine> {
        let plain = Around {
            old: false,
            ..self.around
        };
        Ok(match self.below(6)? {
            5 => {
                let met = self.world.met.clone();
                let gap = match !met.is_empty() && self.odds(128)? {
                    true => ExpectedGap::Named(name(self.one_of(&met)?)),
                    false => ExpectedGap::Kind(text(self.one_of(&GapCause::ALL)?.words())),
                };
                ExampleLine::ExpectGap {
                    possible: self.odds(128)?,
                    gap,
                }
            }
            0 => ExampleLine::Choose(text("take it")),
            1 => {
                let step = self.one_of(steps)?;
                let step = StepRef {
                    sequence: name(sequence),
                    step: Some(name(&step)),
                };
                ExampleLine::After(step, self.amid(plain, |maker| maker.truth(2))?)
            }
            2 => {
                let players = self.world.players();
                let whom = match players {
                    Some(sort) => self.settled(Ty::Entity(sort), (0, 0))?,
                    None => None,
                };
                match whom {
                    Some(player) => {
                        let whom = Some(Whom::Player(player));
                        ExampleLine::ExpectOutcome(OutcomeWord::Win, whom, Loc::default())
                    }
                    None => ExampleLine::ExpectOutcome(OutcomeWord::End, None, Loc::default()),
                }
            }
            _ => ExampleLine::Expect {
                possible: self.odds(128)?,
                condition: self.amid(plain, |maker| maker.truth(2))?,
            },
        })
    }

    /// A constant for a parameter or place of a board: an entity is one of the names in scope.
    pub(super) fn settled(&mut self, ty: Ty, bounds: (i64, i64)) -> Result<Option<Expr>> {
        let (sort, optional) = match ty {
            Ty::Entity(sort) => (sort, false),
            Ty::Optional(sort) => (sort, true),
            Ty::Int | Ty::Bool | Ty::Enum(_) => return self.constant(ty, bounds).map(Some),
        };
        if optional && !self.odds(128)? {
            return Ok(Some(expr(ExprKind::None)));
        }
        let names = self.locals.iter().filter(|(_, of)| *of == Ty::Entity(sort));
        let names: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        let found = self.any_of(&names)?;
        let none = optional.then(|| expr(ExprKind::None));
        Ok(found.map(|one| named(&one)).or(none))
    }
}
