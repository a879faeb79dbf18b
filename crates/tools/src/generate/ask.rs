//! The whole file; and what is asked: observers, what to verify, claims.

use super::Feature;
use super::maker::{Around, Maker};
use super::tree::{condition, field, item, name, named, not, text, tight};
use super::world::Place;
use arbitrary::{Result, Unstructured};
use endstep_language::syntax::ast::{
    At, Claim, ClaimKind, Document, Expr, Extreme, File, Item, ItemKind, Name, Observer, Sight,
    StepRef, Trivia, Verify,
};

const CLAIMS: [&str; 3] = ["first_claim", "second_claim", "third_claim"];

const DEMANDS: [&str; 4] = [
    "first_demand",
    "second_demand",
    "third_demand",
    "fourth_demand",
];

impl Maker<'_> {
    /// The specification.
    pub fn file(mut self) -> Result<File> {
        let mut items = vec![item(ItemKind::Game(text("A game")))];
        items.extend(self.head(80, Self::state)?);
        items.extend(self.head(80, Self::rules)?);
        let helpers = self.head(20, Self::plan)?;
        let observers = self.head(20, Self::observers)?;
        let asked = self.head(80, |maker| maker.u.bytes(maker.u.len()))?;
        let triggers = self.slice(4, |maker| maker.triggers(helpers))?;
        let sequences = self.sequences(helpers)?;
        self.u = Unstructured::new(asked);
        self.around = Around {
            defined: self.world.defines.len(),
            ..Around::default()
        };
        items.extend(self.arranged(sequences, triggers)?);
        items.extend(observers);
        items.extend(self.examples()?);
        items.extend(self.questions(helpers)?);
        Ok(File {
            items,
            ..File::default()
        })
    }

    /// Sequences and triggers, alone or in a document and under clauses.
    fn arranged(&mut self, sequences: Vec<Item>, triggers: Vec<Item>) -> Result<Vec<Item>> {
        if !self.may(Feature::Documents, 120)? {
            return Ok(sequences.into_iter().chain(triggers).collect());
        }
        let mut items = Vec::new();
        for one in sequences {
            items.push(if self.odds(128)? {
                let clause = self.clause()?;
                item(ItemKind::Clause(Box::new(clause), vec![one], Vec::new()))
            } else {
                one
            });
        }
        if self.odds(64)? {
            items.push(self.waived()?);
        }
        let document = Document {
            name: name("rulebook"),
            title: text("The rulebook"),
        };
        let document = item(ItemKind::Document(document, items, Vec::new()));
        Ok(std::iter::once(document).chain(triggers).collect())
    }

    fn observers(&mut self) -> Result<Vec<Item>> {
        if !self.may(Feature::Observers, 80)? {
            return Ok(Vec::new());
        }
        let mut sights = Vec::new();
        if self.odds(96)? {
            sights.push((Trivia::default(), Sight::Everything));
        }
        let count = self.below(3)?;
        for _ in 0..count {
            let sight = self.sight()?;
            // Of one zone there are no two ways to be seen.
            let is_other = |one: &Sight| match (one, &sight) {
                (Sight::Sees(one), Some(Sight::SeesAsSet(other)))
                | (Sight::SeesAsSet(one), Some(Sight::Sees(other)))
                | (Sight::Ignores(one), Some(Sight::Sees(other) | Sight::SeesAsSet(other)))
                | (Sight::Sees(one) | Sight::SeesAsSet(one), Some(Sight::Ignores(other))) => {
                    one == other
                }
                _ => false,
            };
            let fits = !sights.iter().any(|(_, one)| is_other(one));
            let sight = sight.filter(|_| fits);
            sights.extend(sight.map(|sight| (Trivia::default(), sight)));
        }
        if sights.is_empty() {
            sights.push((Trivia::default(), Sight::Everything));
        }
        self.world.observers.push("onlooker".to_owned());
        Ok(vec![item(ItemKind::Observer(Observer {
            name: name("onlooker"),
            why: text("what people look at"),
            sights,
            tail: Vec::new(),
        }))])
    }

    fn sight(&mut self) -> Result<Option<Sight>> {
        let zones: Vec<String> = self
            .world
            .zones
            .iter()
            .map(|zone| zone.name.clone())
            .collect();
        let zone = self.any_of(&zones)?.map(|zone| named(&zone));
        let mut seen: Vec<_> = self.world.vars.iter().map(|var| named(&var.name)).collect();
        for sort in &self.world.sorts {
            let of = |one: &Place| field(named(&sort.name), &one.name);
            seen.extend(sort.fields.iter().map(of));
        }
        let place = self.any_of(&seen)?;
        Ok(match self.below(7)? {
            6 => return self.seen_by().map(Some),
            0 => place.map(Sight::Sees),
            1 => place.map(Sight::Ignores),
            2 => zone.map(Sight::Ignores),
            3 => zone.map(Sight::SeesAsSet),
            4 => zone.map(Sight::Sees),
            _ => Some(Sight::Sees(tight(self.integer_value(1)?))),
        })
    }

    /// `sees c in row by c.kind`
    fn seen_by(&mut self) -> Result<Sight> {
        self.scoped(|maker| {
            let binder = maker.binder(None, 1)?;
            let by = match maker.odds(128)? {
                true => maker.integer_value(1)?,
                false => maker.truth(1)?,
            };
            let as_set = maker.odds(128)?;
            Ok(Sight::SeesBy {
                binder: Box::new(binder),
                by,
                as_set,
            })
        })
    }

    /// What to verify, and claims.
    fn questions(&mut self, helpers: usize) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        let roots = self.world.sequences.iter().skip(helpers);
        let roots: Vec<String> = roots.map(|one| one.name.clone()).collect();
        if self.odds(128)? {
            for root in &roots {
                let first = self.verify(root, helpers)?;
                let again = self.u.int_in_range(0..=7)? == 7;
                let second = again.then(|| self.verify(root, helpers)).transpose()?;
                // Both in one way.
                let second = second.map(|second| Verify {
                    observer: first.observer.clone(),
                    contracts: first.contracts.clone(),
                    ..second
                });
                let verifies = [Some(first), second].into_iter().flatten();
                items.extend(verifies.map(|one| item(ItemKind::Verify(one))));
            }
        }
        if self.allows(Feature::Claims) {
            let count = self.pick(&[(2, 0), (2, 1), (1, 2), (1, 3)])?;
            for claim in CLAIMS.iter().take(count) {
                let root = self.one_of(&roots)?;
                items.push(item(self.claim(claim, &root)?));
            }
            items.extend(self.slice(4, |maker| maker.moments(&roots))?);
            items.extend(self.demands(&roots)?);
            items.extend(self.experiment(&roots)?);
        }
        Ok(items)
    }

    /// Claims that demand several things of the end of one sequence; often what cannot be met together.
    fn demands(&mut self, roots: &[String]) -> Result<Vec<Item>> {
        let count = self.pick(&[(5, 0), (1, 2), (2, 3), (1, 4)])?;
        let root = self.one_of(roots)?;
        let around = Around {
            old: true,
            ..self.around
        };
        let mut made: Vec<Expr> = Vec::new();
        let mut items = Vec::new();
        for demand in DEMANDS.iter().take(count) {
            let before = self.any_of(&made)?;
            let against = before.filter(|_| made.len() < 3);
            let holds = match (against, self.odds(112)?) {
                (Some(before), true) => not(before),
                _ => {
                    let locals = std::mem::take(&mut self.locals);
                    let holds = self.amid(around, |maker| maker.truth(2))?;
                    self.locals = locals;
                    holds
                }
            };
            let holds = condition(holds);
            made.push(holds.clone());
            let kind = match self.odds(48)? {
                true => ClaimKind::Invariant(holds, At::End, name(&root)),
                false => ClaimKind::Must(holds, name(&root), None),
            };
            items.push(item(ItemKind::Claim(Claim {
                question: false,
                name: name(demand),
                kind,
                observer: None,
                on: None,
            })));
        }
        Ok(items)
    }

    fn observing(&mut self) -> Result<Option<Name>> {
        let observers = self.world.observers.clone();
        let observer = self.any_of(&observers)?;
        let observing = self.odds(128)?;
        Ok(observer.filter(|_| observing).map(|one| name(&one)))
    }

    fn verify(&mut self, root: &str, helpers: usize) -> Result<Verify> {
        let promised = self.world.sequences.iter().take(helpers);
        let promised = promised
            .filter(|one| one.contract)
            .map(|one| name(&one.name));
        let promised: Vec<_> = promised.collect();
        let contracts = if self.odds(128)? {
            promised
        } else {
            Vec::new()
        };
        let mut sizes = Vec::new();
        if let Some(sort) = self.world.sorts.first()
            && self.u.int_in_range(0..=7)? == 7
        {
            sizes.push((name(&sort.name), sort.sizes.0));
        }
        let observer = self.observing()?;
        let condition = match self.u.int_in_range(0..=5)? == 5 {
            true => Some(self.of_boards()?),
            false => None,
        };
        Ok(Verify {
            sequence: name(root),
            observer,
            sizes,
            contracts,
            condition,
        })
    }

    /// A condition of boards that many meet.
    fn of_boards(&mut self) -> Result<Expr> {
        let plain = Around {
            old: false,
            ..self.around
        };
        let locals = std::mem::take(&mut self.locals);
        let condition = self.amid(plain, Self::probable)?;
        self.locals = locals;
        Ok(condition)
    }

    /// A claim about a sequence without parameters.
    pub(super) fn claim(&mut self, claim: &str, root: &str) -> Result<ItemKind> {
        let locals = std::mem::take(&mut self.locals);
        let made = self.claim_naming(claim, root);
        self.locals = locals;
        made
    }

    /// The same; it can name whatever is in scope.
    pub(super) fn claim_naming(&mut self, claim: &str, root: &str) -> Result<ItemKind> {
        let steps = self.world.sequences.iter().find(|one| one.name == *root);
        let steps = steps.map(|one| one.steps.clone()).unwrap_or_default();
        let part = if self.odds(96)? {
            self.any_of(&steps)?.map(|step| name(&step))
        } else {
            None
        };
        let part = StepRef {
            sequence: name(root),
            step: part,
        };
        let form = self.below(10)?;
        let on = if self.odds(80)? {
            Some(self.of_boards()?)
        } else {
            None
        };
        let around = Around {
            old: true,
            ..self.around
        };
        let holds = self.amid(around, |maker| maker.truth(2))?;
        let number = tight(self.integer_value(1)?);
        let holds = condition(holds);
        let at = self.pick(&[(1, At::End), (1, At::Steps), (1, At::Throughout)])?;
        let sequence = name(root);
        let kind = match form {
            0 => ClaimKind::Terminates(sequence, on),
            1 => ClaimKind::OrderIrrelevant(part),
            2 => ClaimKind::Equivalent(sequence, self.other_root(root), on),
            3 => ClaimKind::Invariant(holds, at, sequence),
            4 => ClaimKind::Must(holds, sequence, on),
            5 if on.is_some() => ClaimKind::ReachableAfter(holds, sequence, on),
            5 => ClaimKind::Reachable(true, tight(holds), sequence),
            6 => ClaimKind::Reachable(false, tight(holds), sequence),
            7 => ClaimKind::Conserves(number, sequence),
            8 => ClaimKind::ExtremeAfter(self.extreme()?, number, sequence, on),
            _ => ClaimKind::Idempotent(part),
        };
        // Which value is the largest can only be asked.
        let asked = matches!(kind, ClaimKind::ExtremeAfter(..));
        Ok(ItemKind::Claim(Claim {
            question: self.odds(128)? || asked,
            name: name(claim),
            kind,
            observer: self.observing()?,
            on: None,
        }))
    }

    /// The largest or the smallest value.
    pub(super) fn extreme(&mut self) -> Result<Extreme> {
        self.pick(&[(1, Extreme::Largest), (1, Extreme::Smallest)])
    }

    /// Another sequence without parameters, or the same.
    fn other_root(&self, root: &str) -> Name {
        let mut all = self.world.sequences.iter();
        let other = all.find(|one| one.params.is_empty() && one.name != root);
        name(other.map_or(root, |one| &one.name))
    }
}
