//! Statements that ask somebody, end the run, or call.

use super::block::REACH;
use super::maker::Maker;
use super::tree::{condition, field, int, name, named, range, text, tight};
use super::world::{GAPS, MET, Ty};
use arbitrary::Result;
use endstep_language::syntax::ast::{ChoiceOption, OutcomeWord, Range, StmtKind, Trivia, Whom};

/// Words for options.
const LABELS: [&str; 3] = ["take it", "leave it", "ask again"];

impl Maker<'_> {
    /// `choose`, `choose number`
    pub(super) fn choose(&mut self) -> Result<Option<StmtKind>> {
        let by = self.decider()?;
        if self.odds(96)? {
            let low = int(i64::try_from(self.below(2)?).unwrap_or(0));
            let high = if self.odds(96)? {
                tight(self.integer_value(1)?)
            } else {
                int(2)
            };
            return Ok(Some(StmtKind::ChooseNumber {
                name: name(&self.bind(Ty::Int)),
                low,
                high,
                by,
            }));
        }
        let binder = self.binder(None, 1)?;
        Ok(Some(StmtKind::Choose(binder, by)))
    }

    /// `choose one by D`
    pub(super) fn choose_one(&mut self, depth: u8) -> Result<StmtKind> {
        let by = self.decider()?;
        let count = 1 + self.below(LABELS.len())?;
        let mut options = Vec::new();
        for (at, label) in LABELS.iter().enumerate().take(count) {
            let guard = if self.odds(80)? {
                Some(self.truth(1)?)
            } else {
                None
            };
            options.push(ChoiceOption {
                trivia: Trivia::default(),
                label: text(*label),
                guard,
                body: self.slice(count - at, |maker| maker.block(depth))?,
            });
        }
        Ok(StmtKind::ChooseOne {
            by,
            options,
            tail: Vec::new(),
        })
    }

    /// `may by D`
    pub(super) fn may_do(&mut self, depth: u8) -> Result<StmtKind> {
        let by = self.decider()?;
        let label = if self.odds(128)? {
            Some(text(self.one_of(&LABELS)?))
        } else {
            None
        };
        let body = self.slice(2, |maker| maker.block(depth))?;
        let otherwise = if self.odds(96)? {
            Some((Trivia::default(), self.block(depth)?))
        } else {
            None
        };
        Ok(StmtKind::May {
            by,
            label,
            body,
            otherwise,
        })
    }

    /// `distribute`: over entities that have a field of integers, if there are any.
    pub(super) fn distribute(&mut self) -> Result<Option<StmtKind>> {
        let has_int = |&sort: &usize| {
            let fields = &self.world.sorts[sort].fields;
            fields.iter().any(|field| field.ty == Ty::Int)
        };
        let sorts: Vec<usize> = (0..self.world.sorts.len()).filter(has_int).collect();
        let Some(sort) = self.any_of(&sorts)? else {
            return Ok(None);
        };
        let amount = match self.pick(&[(3, 2), (2, 1), (2, 0)])? {
            0 => condition(self.integer_value(1)?),
            units => int(units),
        };
        let by = self.decider()?;
        self.scoped(|maker| {
            let binder = maker.binder(Some(sort), 1)?;
            let fields = maker.world.sorts[sort].fields.clone();
            let fields: Vec<_> = fields.into_iter().filter(|one| one.ty == Ty::Int).collect();
            let into = maker.one_of(&fields)?;
            let into = field(named(&binder.name.text), &into.name);
            let each = if maker.odds(128)? {
                Some(maker.integer_value(1)?)
            } else {
                None
            };
            Ok(Some(StmtKind::Distribute {
                amount,
                binder,
                into,
                by,
                each,
            }))
        })
    }

    /// `gap … and go on`
    pub(super) fn gap_that_goes_on(&mut self) -> Result<StmtKind> {
        let (gap, words) = self.one_of(&MET)?;
        if !self.world.met.contains(&gap) {
            self.world.met.push(gap);
        }
        Ok(StmtKind::GapGoesOn {
            name: name(gap),
            text: self.odds(160)?.then(|| text(words)),
            assuming: self.odds(128)?.then(|| text("what comes next is right")),
        })
    }

    /// `gap`, `gap … may change PLACE`
    pub(super) fn gap(&mut self) -> Result<StmtKind> {
        let (gap, words) = self.one_of(&GAPS)?;
        let words = self.odds(160)?.then(|| text(words));
        let mut types = vec![Ty::Int, Ty::Bool];
        types.extend((0..self.world.enums.len()).map(Ty::Enum));
        types.extend((0..self.world.sorts.len()).map(Ty::Optional));
        types.extend((0..self.world.sorts.len()).map(Ty::Entity));
        let ty = self.one_of(&types)?;
        let place = if self.odds(150)? {
            self.writable(ty)?
        } else {
            None
        };
        let Some(place) = place else {
            return Ok(StmtKind::Gap(name(gap), words));
        };
        let within = if ty == Ty::Int && self.odds(170)? {
            Some(self.within()?)
        } else {
            None
        };
        Ok(StmtKind::GapMayChange {
            name: name(gap),
            text: words,
            place,
            within,
        })
    }

    /// `within a to b`
    pub(super) fn within(&mut self) -> Result<Range> {
        if self.odds(200)? {
            return Ok(range(self.one_of(&[(0, 1), (0, 2), (-1, 1)])?));
        }
        let low = int(0);
        let high = tight(self.integer_value(1)?);
        Ok(Range { low, high })
    }

    /// `declare`
    pub(super) fn declare_outcome(&mut self) -> Result<StmtKind> {
        let word = self.pick(&[
            (2, OutcomeWord::End),
            (2, OutcomeWord::Draw),
            (3, OutcomeWord::Win),
            (2, OutcomeWord::Loss),
        ])?;
        let whom = match word {
            OutcomeWord::Win | OutcomeWord::Loss => Some(self.whom()?),
            OutcomeWord::Draw | OutcomeWord::End => None,
        };
        Ok(StmtKind::Declare(word, whom))
    }

    /// Somebody for whom an outcome is declared.
    fn whom(&mut self) -> Result<Whom> {
        match self.world.players() {
            Some(players) if self.odds(180)? => Ok(Whom::Player(self.entity(players, REACH)?)),
            _ => Ok(Whom::Everyone),
        }
    }

    /// `perform S(arguments)`, of a sequence for which there are arguments.
    pub(super) fn perform(&mut self) -> Result<Option<StmtKind>> {
        let able = self.world.sequences.iter().take(self.around.callable);
        let able = able.filter(|one| one.params.iter().all(|(_, ty)| self.can(*ty)));
        let able: Vec<_> = able.cloned().collect();
        let Some(sequence) = self.any_of(&able)? else {
            return Ok(None);
        };
        let arguments = sequence.params.iter().map(|(_, ty)| self.value(*ty, REACH));
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        Ok(Some(StmtKind::Perform(name(&sequence.name), arguments)))
    }

    /// `resolve Q`, `resolve next of Q`
    pub(super) fn resolve(&mut self) -> Result<Option<StmtKind>> {
        let queues = self.world.queues.clone();
        let queue = self.any_of(&queues)?;
        let one = self.odds(64)?;
        Ok(queue.map(|queue| StmtKind::Resolve {
            one,
            queue: name(&queue.name),
        }))
    }

    /// `leave S`: mostly of one that may be running; or `go to STEP`, mostly further down.
    pub(super) fn leave(&mut self) -> Result<StmtKind> {
        if let Some((at, number)) = self.around.list
            && self.world.sequences[at].steps.len() > 1
            && self.odds(96)?
        {
            let steps = self.world.sequences[at].steps.clone();
            let back = self.odds(64)?;
            let from = if back {
                0
            } else {
                (number + 1).min(steps.len() - 1)
            };
            self.world.sequences[at].jumps = true;
            return Ok(StmtKind::GoTo(name(&self.one_of(&steps[from..])?)));
        }
        let names: Vec<String> = self
            .world
            .sequences
            .iter()
            .map(|one| one.name.clone())
            .collect();
        let from = self.around.callable.min(names.len() - 1);
        let at = if self.odds(80)? {
            self.below(names.len())?
        } else {
            from
        };
        self.world.left.insert(names[at].clone());
        Ok(StmtKind::Leave(name(&names[at])))
    }
}
