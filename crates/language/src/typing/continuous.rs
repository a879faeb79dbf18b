//! Continuous values: what they may be, and which depend on each other.
//!
//! ```text
//! continuous strongest(m: Monster): boolean = every o: Monster in field has attack(o) <= attack(m)
//! continuous attack(m: Monster): integer from 0 to 9 = m.printed + (if strongest(m) then 2 else 0)
//! ```
//!
//! The two are a group: each uses the other.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;

use super::checker::{Checker, Global};
use super::compare::bare_name;
use super::program::{
    self, Continuous, DefineId, ExprKind, ReadingId, Solutions, Type, Visit, Walk,
};
use super::want::typed;
use crate::diag::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, Define, Loc, TypeExpr};

/// Groups use each other at most so many deep.
// INVARIANT: whatever recurses over expressions has room on its stack for the deepest definitions as many times, and
// once more.
const MOST_LEVELS: usize = 4;

impl Checker<'_> {
    /// What a definition is, if it is a continuous value.
    pub(super) fn declare_continuous(&mut self, define: &Define) -> Option<Continuous> {
        let written = define.continuous.as_ref()?;
        let ty = self.type_of(written, &define.name)?;
        let range = match (ty, written) {
            (Type::Bool, _) => (0, 1),
            (Type::Enum(id), _) => {
                let values = &self.program.enums.get(id)?.values;
                let last = values.len() as i64 - 1;
                let mut words = Solutions::ALL.into_iter().map(Solutions::word);
                if let Some(word) = words.find(|word| values.iter().any(|one| one == word)) {
                    let message = format!(
                        "found a continuous value that can be `{word}`, expected other values"
                    );
                    let label = format!("`{} is {word}` would have two meanings", define.name.text);
                    self.error(codes::forms::CONTINUOUS, message, define.name.loc, &label);
                }
                (0, last)
            }
            (
                Type::Int,
                TypeExpr::Integer {
                    document: Some(document),
                    explore,
                    reach: None,
                },
            ) if explore.is_empty() => self.range(document)?,
            (Type::Int, _) => {
                let message =
                    "found other bounds of a continuous value, expected `integer from a to b`"
                        .to_owned();
                let error = Diagnostic::error(codes::forms::CONTINUOUS, message)
                    .at(
                        define.name.loc,
                        "its values are tried, so there have to be few of them",
                    )
                    .help(
                        "write `integer from 0 to 9` after the colon, with the bounds that it has",
                    );
                self.report(error);
                return None;
            }
            (Type::Entity(_) | Type::Optional(_), _) => {
                let message = "found a continuous value that is an entity, expected a number, a truth value or a value of a type".to_owned();
                let label = "entities come and go";
                self.error(codes::forms::CONTINUOUS, message, define.name.loc, label);
                return None;
            }
        };
        Some(Continuous {
            ty,
            range,
            group: Vec::new(),
            readings: Vec::new(),
        })
    }

    /// The parameter of a continuous value is an entity.
    pub(super) fn one_entity(&mut self, define: &Define, signature: &[(String, Option<Type>)]) {
        let fits = match signature {
            [] => true,
            [(_, ty)] => ty.is_none_or(|ty| matches!(ty, Type::Entity(_))),
            _ => false,
        };
        if !fits {
            let message =
                "found other parameters of a continuous value, expected none or one entity"
                    .to_owned();
            let error = Diagnostic::error(codes::forms::CONTINUOUS, message)
                .at(define.name.loc, "each entity has one value")
                .help("use a `define` for what depends on more");
            self.report(error);
        }
    }

    /// `attack is determined`, if its subject is a continuous value.
    pub(super) fn solutions(
        &mut self,
        subject: &ast::Expr,
        other: &ast::Expr,
        loc: Loc,
    ) -> Option<program::Expr> {
        let other = bare_name(other)?;
        let mut all = Solutions::ALL.into_iter();
        let solutions = all.find(|one| one.word() == other.text)?;
        let (name, is_applied) = match &subject.kind {
            ast::ExprKind::Call(name, _) => (name, true),
            _ => (bare_name(subject)?, false),
        };
        let Some(Global::Define(id)) = self.names.globals.get(&name.text) else {
            return None;
        };
        self.program.defines.get(id)?.continuous.as_ref()?;
        self.usage.defines.insert(id);
        self.meant(name);
        if is_applied {
            let text = &name.text;
            let message = format!("found one value of `{text}`, expected `{text}` alone");
            let error = Diagnostic::error(codes::forms::CONTINUOUS, message)
                .at(
                    subject.loc,
                    "all of its values are determined together, or none",
                )
                .help(format!("write `{text} is {}`", solutions.word()));
            self.report(error);
        }
        typed(ExprKind::Solutions(id, solutions), Type::Bool, loc)
    }

    /// Which continuous values depend on each other, and on which readings.
    pub(super) fn groups(&mut self) {
        let uses: BTreeMap<DefineId, Uses> = self
            .program
            .defines
            .iter()
            .map(|(id, define)| {
                let mut uses = Uses::default();
                define.body.meet(&mut uses);
                (id, uses)
            })
            .collect();
        let mut graph = DiGraphMap::<DefineId, ()>::new();
        for (&id, uses) in &uses {
            graph.add_node(id);
            for &used in &uses.defines {
                graph.add_edge(id, used, ());
            }
        }
        let mut levels: BTreeMap<DefineId, usize> = BTreeMap::new();
        let mut readings: BTreeMap<DefineId, BTreeSet<ReadingId>> = BTreeMap::new();
        // Components come after those they point to.
        for mut component in kosaraju_scc(&graph) {
            component.sort_unstable();
            let is_continuous = |id: &&DefineId| self.program.defines[**id].continuous.is_some();
            let group: Vec<DefineId> = component.iter().filter(is_continuous).copied().collect();
            let used = || component.iter().flat_map(|id| &uses[id].defines);
            let below = used().filter_map(|id| levels.get(id)).max();
            let level = below.copied().unwrap_or(0) + usize::from(!group.is_empty());
            let mut consulted: BTreeSet<ReadingId> = component
                .iter()
                .flat_map(|id| &uses[id].readings)
                .copied()
                .collect();
            consulted.extend(used().filter_map(|id| readings.get(id)).flatten());
            if level > MOST_LEVELS
                && let Some(&first) = group.first()
            {
                self.too_many_levels(first);
            }
            for id in &component {
                for &(asked, span) in &uses[id].asked {
                    if component.contains(&asked) {
                        self.asks_itself(asked, span);
                    }
                }
                levels.insert(*id, level.min(MOST_LEVELS));
                readings.insert(*id, consulted.clone());
            }
            for id in &group {
                if let Some(continuous) = &mut self.program.defines[*id].continuous {
                    continuous.group.clone_from(&group);
                    continuous.readings = consulted.iter().copied().collect();
                }
            }
        }
    }

    fn too_many_levels(&mut self, id: DefineId) {
        let define = &self.program.defines[id];
        let message = format!(
            "the continuous value `{}` uses others that use others more than {MOST_LEVELS} deep",
            define.name
        );
        let span = define.span;
        self.report(Diagnostic::error(codes::forms::DEEP_USE, message).at(span, "too deep"));
    }

    fn asks_itself(&mut self, id: DefineId, span: Span) {
        let name = &self.program.defines[id].name;
        let message =
            format!("`{name}` asks whether it is determined itself, expected that it does not");
        let error = Diagnostic::error(codes::forms::CONTINUOUS, message);
        self.report(error.at(span, "asked by what it is made of"));
    }
}

/// What the body of a definition uses.
#[derive(Default)]
struct Uses {
    defines: BTreeSet<DefineId>,
    readings: BTreeSet<ReadingId>,
    /// Of which values it is asked whether they are determined, and where.
    asked: Vec<(DefineId, Span)>,
}

impl<'t> Visit<'t> for Uses {
    fn expr(&mut self, e: &'t program::Expr) {
        if let ExprKind::Solutions(id, _) = e.kind {
            self.asked.push((id, e.span));
        }
        e.inside(self);
    }

    fn define(&mut self, id: DefineId) {
        self.defines.insert(id);
    }

    fn reading(&mut self, id: ReadingId) {
        self.readings.insert(id);
    }
}
