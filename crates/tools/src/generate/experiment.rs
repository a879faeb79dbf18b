//! Experiments: what is made up of a sequence, and a question about it.

use super::Feature;
use super::maker::Maker;
use super::tree::{item, name};
use super::world::Sequence;
use arbitrary::Result;
use endstep_language::syntax::ast::{
    Alteration, Claim, ClaimKind, Experiment, Item, ItemKind, ListPolicy, Loc,
};

const EXPERIMENT: &str = "otherwise";

impl Maker<'_> {
    /// An experiment of one of some sequences, and what is asked of it.
    pub(super) fn experiment(&mut self, roots: &[String]) -> Result<Vec<Item>> {
        if !self.may(Feature::Claims, 72)? {
            return Ok(Vec::new());
        }
        let root = self.one_of(roots)?;
        let mut all = self.world.sequences.iter();
        let planned = all.find(|one| one.name == root).cloned();
        // What only its own steps leave.
        let Some(planned) = planned.filter(|one| !one.jumps && !self.world.left.contains(&root))
        else {
            return Ok(Vec::new());
        };
        let experiment = Experiment {
            name: name(EXPERIMENT),
            of: name(&root),
            alterations: self.alterations(&planned)?,
        };
        let question = match self.odds(128)? {
            true => {
                let (one, other) = match self.odds(64)? {
                    true => (EXPERIMENT, &*root),
                    false => (&*root, EXPERIMENT),
                };
                ItemKind::Claim(Claim {
                    question: true,
                    name: name("tried"),
                    kind: ClaimKind::Equivalent(name(one), name(other), None),
                    observer: None,
                    on: None,
                })
            }
            false => match self.claim("tried", EXPERIMENT)? {
                ItemKind::Claim(claim) => ItemKind::Claim(Claim {
                    question: true,
                    ..claim
                }),
                other => other,
            },
        };
        Ok(vec![item(ItemKind::Experiment(experiment)), item(question)])
    }

    /// What is changed of a sequence, each change in its place.
    fn alterations(&mut self, of: &Sequence) -> Result<Vec<(Alteration, Loc)>> {
        let mut found = Vec::new();
        let free = u8::from(self.allows(Feature::FreeLists));
        let policy = self.pick(&[(2, None), (2, Some(false)), (2 * free, Some(true))])?;
        let is_open = policy.unwrap_or(of.is_open);
        found.extend(policy.map(|any| {
            Alteration::Steps(match any {
                true => ListPolicy::Any,
                false => ListPolicy::InOrder { written: true },
            })
        }));
        let mut steps = of.steps.clone();
        if steps.len() > 1 && !is_open && self.odds(160)? {
            found.push(self.moved(&steps)?);
        }
        if steps.len() > 1 && self.odds(64)? {
            let step = steps.remove(self.below(steps.len())?);
            found.push(Alteration::Without(name(&step)));
        }
        if of.restarts && self.odds(96)? {
            found.push(Alteration::NeverRestarting);
        }
        if found.is_empty() {
            found.push(Alteration::Steps(ListPolicy::InOrder { written: true }));
        }
        Ok(found.into_iter().map(|one| (one, Loc::default())).collect())
    }

    /// One of some steps in another place.
    fn moved(&mut self, steps: &[String]) -> Result<Alteration> {
        let at = self.below(steps.len())?;
        let others: Vec<&String> = steps.iter().filter(|one| **one != steps[at]).collect();
        let other = self.one_of(&others)?;
        let (step, back) = (name(&steps[at]), self.odds(128)?);
        Ok(match self.odds(128)? {
            true => Alteration::ToEnd { step, last: back },
            false => Alteration::Beside {
                step,
                after: back,
                other: name(other),
            },
        })
    }
}
