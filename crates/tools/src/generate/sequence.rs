//! Sequences: first their names and parameters, then restart rules, contracts and steps.

use super::Feature;
use super::block::REACH;
use super::maker::{Around, Maker};
use super::tree::{block, field, is, item, name, named, range, seq_item, stmt};
use super::world::{Place, Sequence, Ty};
use arbitrary::Result;
use endstep_language::syntax::ast::{
    self, Block, Contract, Expr, ExprKind, Item, ItemKind, ListPolicy, Nest, NestOver, Restart,
    SeqItem, SeqItemKind, Step, StmtKind, Trivia,
};

const HELPERS: [&str; 2] = ["aside", "detour"];
const STEPS: [&str; 3] = ["start", "middle", "close"];

impl Maker<'_> {
    /// Names of sequences, those that others may perform first; how many of these there are.
    pub(super) fn plan(&mut self) -> Result<usize> {
        let mut helpers = 0;
        for helper in HELPERS {
            if self.may(Feature::Calls, 96)? {
                let params = self.params(2)?;
                self.plan_one(helper, params, 2)?;
                helpers += 1;
            }
        }
        self.plan_one("main", Vec::new(), 3)?;
        if self.odds(64)? {
            self.plan_one("again", Vec::new(), 2)?;
        }
        Ok(helpers)
    }

    fn plan_one(&mut self, sequence: &str, params: Vec<(String, Ty)>, most: usize) -> Result<()> {
        let count = 1 + self.below(most)?;
        let contract = self.may(Feature::Contracts, 56)?;
        self.world.sequences.push(Sequence {
            name: sequence.to_owned(),
            params,
            steps: STEPS
                .iter()
                .take(count)
                .map(|&step| step.to_owned())
                .collect(),
            contract,
            is_open: false,
            restarts: false,
            jumps: false,
        });
        Ok(())
    }

    /// The sequences as planned.
    pub(super) fn sequences(&mut self, helpers: usize) -> Result<Vec<Item>> {
        let count = self.world.sequences.len();
        let each = (0..count).map(|at| {
            self.slice(count - at, |maker| {
                let around = Around {
                    // Triggers perform the first helper, and must not resolve.
                    reacting: at == 0 && helpers > 0,
                    callable: at.min(helpers),
                    defined: maker.world.defines.len(),
                    ..Around::default()
                };
                maker.amid(around, |maker| maker.sequence(at))
            })
        });
        each.collect()
    }

    fn sequence(&mut self, at: usize) -> Result<Item> {
        let planned = self.world.sequences[at].clone();
        let policy = self.list_policy(&planned)?;
        self.world.sequences[at].is_open =
            matches!(policy, ListPolicy::Any | ListPolicy::Chosen(_));
        let in_order = matches!(policy, ListPolicy::InOrder { .. });
        let params = planned.params.clone();
        let (over, items) = self.with_params(&params, |maker| {
            let mut items = Vec::new();
            if maker.may(Feature::Restarts, 64)? {
                let restart = maker.head(24, Self::restart)?;
                maker.world.sequences[at].restarts = true;
                items.push(seq_item(SeqItemKind::Restart(restart)));
            }
            if planned.contract {
                let contract = maker.head(16, Self::contract)?;
                items.push(seq_item(SeqItemKind::Contract(contract)));
            }
            if maker.allows(Feature::Documents) && maker.odds(40)? {
                let line = maker.annotation()?;
                items.push(seq_item(SeqItemKind::Annotation(line)));
            }
            let over = if maker.may(Feature::Nesting, 48)? {
                Some(maker.nest_over()?)
            } else {
                None
            };
            let claim = if params.is_empty() && maker.may(Feature::Claims, 40)? {
                let claim = maker.head(24, |maker| {
                    maker.claim(&format!("inside_{}", planned.name), &planned.name)
                })?;
                Some(seq_item(SeqItemKind::Item(claim)))
            } else {
                None
            };
            let count = planned.steps.len();
            for (number, step) in planned.steps.iter().enumerate() {
                let around = Around {
                    list: in_order.then_some((at, number)).filter(|_| over.is_none()),
                    ..maker.around
                };
                let step = |maker: &mut Self| maker.step_item(step);
                items.push(maker.slice(count - number, |maker| maker.amid(around, step))?);
            }
            items.extend(claim);
            Ok((over, items))
        })?;
        Ok(item(ItemKind::Sequence(ast::Sequence {
            name: name(&planned.name),
            params: self.written(&params),
            policy,
            over,
            items,
            tail: Vec::new(),
        })))
    }

    fn list_policy(&mut self, planned: &Sequence) -> Result<ListPolicy> {
        if planned.steps.len() < 2 && !self.odds(16)? || !self.allows(Feature::FreeLists) {
            return Ok(ListPolicy::InOrder { written: false });
        }
        Ok(match self.below(8)? {
            4 | 5 => ListPolicy::Any,
            6 if self.allows(Feature::Readings) => ListPolicy::Unspecified,
            7 => {
                let params = planned.params.clone();
                ListPolicy::Chosen(self.with_params(&params, Self::decider)?)
            }
            3 => ListPolicy::InOrder { written: true },
            _ => ListPolicy::InOrder { written: false },
        })
    }

    /// `over each …`: the element is in scope afterwards.
    fn nest_over(&mut self) -> Result<NestOver> {
        let bound = self.locals.len();
        let binder = self.binder(None, 1)?;
        let element = self.locals.split_off(bound);
        let ty = element.first().map_or(Ty::Bool, |(_, ty)| *ty);
        let order = if self.odds(128)? {
            Some(self.order(Some((&binder, ty)), 1)?)
        } else {
            None
        };
        self.locals.extend(element);
        let nest = match self.below(3)? {
            0 => Nest::Steps,
            1 if self.allows(Feature::Readings) => Nest::Unspecified,
            _ => Nest::Places,
        };
        Ok(NestOver {
            binder,
            order,
            nest,
        })
    }

    fn step_item(&mut self, step: &str) -> Result<SeqItem> {
        let clause = if self.may(Feature::Documents, 80)? {
            Some(self.clause()?)
        } else {
            None
        };
        let around = Around {
            old: true,
            ..self.around
        };
        let mut ensures = Vec::new();
        if self.odds(40)? {
            let promise = |maker: &mut Self| maker.amid(around, |maker| maker.truth(REACH));
            ensures.push((Trivia::default(), self.head(12, promise)?));
        }
        let body = self.body(self.around)?;
        let made = seq_item(SeqItemKind::Step(Step {
            name: name(step),
            body,
            ensures,
        }));
        Ok(match clause {
            None => made,
            Some(clause) => seq_item(SeqItemKind::Clause(
                Box::new(clause),
                vec![made],
                Vec::new(),
            )),
        })
    }

    /// `restart when …`: while something is pending, while a counter runs, or as it comes.
    fn restart(&mut self) -> Result<Restart> {
        let (cancel, unfinished) = (self.cancel()?, self.unfinished()?);
        let queues = self.world.queues.clone();
        let (when, before) = match self.below(4)? {
            0 | 1 if !queues.is_empty() && !self.around.reacting => {
                let queue = self.one_of(&queues)?;
                let when = is(named(&queue.name), true, ast::IsTest::Empty);
                let resolve = StmtKind::Resolve {
                    one: self.odds(40)?,
                    queue: name(&queue.name),
                };
                (when, Some(block(vec![stmt(resolve)])))
            }
            0..=2 => match self.counter()? {
                Some((when, progress)) => {
                    let before = block(vec![stmt(progress)]);
                    (when, Some(before))
                }
                None => (self.truth(1)?, None),
            },
            _ => {
                let when = self.truth(1)?;
                let before = if self.odds(128)? {
                    Some(self.block(1)?)
                } else {
                    None
                };
                (when, before)
            }
        };
        let before = before.map(|before: Block| (Trivia::default(), before));
        Ok(Restart {
            when,
            cancel,
            unfinished,
            before,
        })
    }

    fn contract(&mut self) -> Result<Contract> {
        let mut changes: Vec<(Trivia, Expr, Option<ast::Range>)> = Vec::new();
        let mut vars: Vec<(Expr, Ty)> = Vec::new();
        vars.extend(self.world.vars.iter().map(|var| (named(&var.name), var.ty)));
        for sort in &self.world.sorts {
            let all = |one: &Place| (field(named(&sort.name), &one.name), one.ty);
            vars.extend(sort.fields.iter().map(all));
        }
        for (param, ty) in &self.locals {
            let Ty::Entity(sort) = ty else { continue };
            let fields = self.world.sorts[*sort].fields.iter();
            vars.extend(fields.map(|one| (field(named(param), &one.name), one.ty)));
        }
        let sorts: Vec<String> = self
            .world
            .sorts
            .iter()
            .map(|one| one.name.clone())
            .collect();
        let count = 1 + self.below(2)?;
        for _ in 0..count {
            let Some((place, ty)) = self.any_of(&vars)? else {
                break;
            };
            let is_sort = |owner: &Expr| sorts.iter().any(|sort| named(sort) == *owner);
            let is_about = |other: &Expr| match (&other.kind, &place.kind) {
                // A field of all of a sort, and one of some entity of it.
                (ExprKind::Field(of, one), ExprKind::Field(whose, other)) => {
                    one.text == other.text && (of == whose || is_sort(of) || is_sort(whose))
                }
                _ => *other == place,
            };
            if changes.iter().any(|(_, other, _)| is_about(other)) {
                continue;
            }
            let within = if ty == Ty::Int && self.odds(150)? {
                Some(range((0, 1)))
            } else {
                None
            };
            changes.push((Trivia::default(), place, within));
        }
        let around = Around {
            old: true,
            ..self.around
        };
        let mut ensures = Vec::new();
        if changes.is_empty() || self.odds(160)? {
            let promise = self.amid(around, |maker| maker.truth(1))?;
            ensures.push((Trivia::default(), promise));
        }
        Ok(Contract {
            changes,
            ensures,
            tail: Vec::new(),
        })
    }
}
