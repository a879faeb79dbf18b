//! Which values a sequence has to do with: those of which anything speaks that counts in its scopes
//! (`docs/semantics.md`, 1.2).
//!
//! ```text
//! var round: integer from 1 to 9
//! var bid: integer from 0 to 9
//! sequence auction … bid …         the round stays 1 on its boards: 10 boards, and not 90
//! claim low: must bid < round after auction    now something speaks of it: 90
//! ```

use super::{
    Binder, BlockId, ChangeTarget, Claim, DefineId, EventId, FieldId, ListPolicy, ObserverId,
    Program, SequenceId, Sight, SortId, StmtKind, Type, Value, VarId, Visit, Walk, ZoneId,
};
use std::collections::BTreeSet;

/// The variables and fields that take all their values on the boards of a sequence, and the sorts of which there are
/// as many as are explored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Concern {
    /// Sorts.
    pub sorts: BTreeSet<SortId>,
    /// Variables.
    pub vars: BTreeSet<VarId>,
    /// Fields of all entities of their sorts.
    pub fields: BTreeSet<FieldId>,
}

/// What a sequence has to do with, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Named {
    sorts: BTreeSet<String>,
    vars: BTreeSet<String>,
    /// Sorts, and their fields.
    fields: BTreeSet<(String, String)>,
}

impl Named {
    /// With more.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.sorts.extend(other.sorts);
        self.vars.extend(other.vars);
        self.fields.extend(other.fields);
        self
    }

    /// Without some.
    fn without(mut self, other: &Self) -> Self {
        self.sorts.retain(|one| !other.sorts.contains(one));
        self.vars.retain(|one| !other.vars.contains(one));
        self.fields.retain(|one| !other.fields.contains(one));
        self
    }
}

impl Concern {
    /// What a program declares and another does not, by name.
    pub fn alone(program: &Program, other: &Program) -> Named {
        let all = |program: &Program| {
            let all = Self {
                sorts: program.sorts.ids().collect(),
                vars: program.vars.ids().collect(),
                fields: program.fields.ids().collect(),
            };
            all.named(program)
        };
        all(program).without(&all(other))
    }

    /// What a sequence has to do with.
    pub fn of(program: &Program, sequence: SequenceId) -> Self {
        let mut search = Search {
            program,
            found: Self::default(),
            blocks: BTreeSet::new(),
            defines: BTreeSet::new(),
            events: BTreeSet::new(),
            sequences: BTreeSet::new(),
            replaced: BTreeSet::new(),
        };
        let verifies = program.verifies.iter();
        for verify in verifies.filter(|one| one.sequence == sequence) {
            search.replaced.extend(&verify.contracts);
            verify.condition.meet(&mut search);
            verify.observer.iter().for_each(|&id| search.observer(id));
        }
        search.always();
        for legal in program.legals.iter().chain(&program.explored) {
            legal.condition.meet(&mut search);
        }
        // What the state raises, any change can raise.
        for (id, event) in program.events.iter() {
            if event.whenever.is_some() {
                search.event(id);
            }
        }
        search.sequence(sequence);
        let is_about = |claim: &&Claim| claim.kind.sequence() == sequence;
        for claim in program.claims.iter().filter(is_about) {
            claim.observer.iter().for_each(|&id| search.observer(id));
            let asked = claim.kind.exprs().into_iter();
            asked.for_each(|e| e.meet(&mut search));
            let others = claim.kind.sequences().into_iter();
            others.for_each(|id| search.sequence(id));
        }
        search.found
    }

    /// Whether all with which another sequence has to do is part of it.
    pub fn has_all_of(&self, other: &Self) -> bool {
        other.vars.is_subset(&self.vars)
            && other.fields.is_subset(&self.fields)
            && other.sorts.is_subset(&self.sorts)
    }

    /// The same by name, for another program in which these are declared, too.
    pub fn named(&self, program: &Program) -> Named {
        let name = |id: FieldId| {
            let field = &program.fields[id];
            (program.sorts[field.sort].name.clone(), field.name.clone())
        };
        let sorts = self.sorts.iter();
        let vars = self.vars.iter();
        Named {
            sorts: sorts.map(|&id| program.sorts[id].name.clone()).collect(),
            vars: vars.map(|&id| program.vars[id].name.clone()).collect(),
            fields: self.fields.iter().map(|&id| name(id)).collect(),
        }
    }

    /// With what else counts, as far as the program declares it.
    pub fn and(mut self, program: &Program, also: &Named) -> Self {
        let sorts = program.sorts.iter();
        let sorts = sorts.filter(|(_, one)| also.sorts.contains(&one.name));
        self.sorts.extend(sorts.map(|(id, _)| id));
        let vars = program.vars.iter();
        let vars = vars.filter(|(_, one)| also.vars.contains(&one.name));
        self.vars.extend(vars.map(|(id, _)| id));
        let is_named = |id: &FieldId| {
            let field = &program.fields[*id];
            let sort = program.sorts[field.sort].name.clone();
            also.fields.contains(&(sort, field.name.clone()))
        };
        self.fields.extend(program.fields.ids().filter(is_named));
        self
    }

    /// Keeps one value of a variable, if it has nothing to do with the sequence: the default, if it is among them, else
    /// the first.
    pub fn of_var(&self, id: VarId, values: &mut Vec<Value>, default: Value) {
        if !self.vars.contains(&id) {
            only_one(values, default);
        }
    }

    /// The same of a field.
    pub fn of_field(&self, id: FieldId, values: &mut Vec<Value>, default: Value) {
        if !self.fields.contains(&id) {
            only_one(values, default);
        }
    }
}

fn only_one(values: &mut Vec<Value>, default: Value) {
    match values.contains(&default) {
        true => *values = vec![default],
        false => values.truncate(1),
    }
}

/// Looks for what is spoken of, through all that can come to be done and evaluated.
struct Search<'p> {
    program: &'p Program,
    found: Concern,
    blocks: BTreeSet<BlockId>,
    defines: BTreeSet<DefineId>,
    events: BTreeSet<EventId>,
    sequences: BTreeSet<SequenceId>,
    /// Sequences for which their contracts stand.
    replaced: BTreeSet<SequenceId>,
}

impl<'p> Search<'p> {
    /// Players, and what has a link to something whatever it is.
    fn always(&mut self) {
        let sorts = self.program.sorts.iter();
        let players = sorts.filter(|(_, sort)| sort.player);
        self.found.sorts.extend(players.map(|(id, _)| id));
        for (id, field) in self.program.fields.iter() {
            if matches!(field.ty, Type::Entity(_)) {
                self.field(id);
            }
        }
        for (id, var) in self.program.vars.iter() {
            if matches!(var.ty, Type::Entity(_)) {
                self.var(id);
            }
        }
    }

    fn ty(&mut self, ty: Type) {
        if let Type::Entity(sort) | Type::Optional(sort) = ty {
            self.found.sorts.insert(sort);
        }
    }

    fn observer(&mut self, id: ObserverId) {
        for sight in &self.program.observers[id].sights {
            match sight {
                Sight::Expr(e) => e.meet(self),
                Sight::Kinds(kinds) => {
                    kinds.binder.meet(self);
                    kinds.by.meet(self);
                }
                // What nothing else speaks of stays as it is, and is the same at all ends.
                Sight::Everything
                | Sight::Field(_)
                | Sight::Var(_)
                | Sight::Zone(..)
                | Sight::IgnoreField(_)
                | Sight::IgnoreVar(_)
                | Sight::IgnoreZone(_) => {}
            }
        }
    }
}

impl<'p> Visit<'p> for Search<'p> {
    fn var(&mut self, id: VarId) {
        self.found.vars.insert(id);
        self.ty(self.program.vars[id].ty);
    }

    fn field(&mut self, id: FieldId) {
        let field = &self.program.fields[id];
        self.found.fields.insert(id);
        self.found.sorts.insert(field.sort);
        self.ty(field.ty);
    }

    fn zone_id(&mut self, id: ZoneId) {
        let zone = &self.program.zones[id];
        self.found.sorts.insert(zone.sort);
        self.found.sorts.extend(zone.per);
    }

    fn binder(&mut self, binder: &'p Binder) {
        self.ty(binder.ty);
        binder.inside(self);
    }

    fn stmt(&mut self, stmt: &'p StmtKind) {
        match stmt {
            StmtKind::Create { sort, .. } => {
                self.found.sorts.insert(*sort);
            }
            // What it leaves, it does not perform.
            StmtKind::Leave(_) | StmtKind::GoTo(_) => return,
            // Whatever else they speak of stands inside.
            _ => {}
        }
        stmt.inside(self);
    }

    fn define(&mut self, id: DefineId) {
        if self.defines.insert(id) {
            let define = &self.program.defines[id];
            define.params.iter().for_each(|param| self.ty(param.ty));
            define.body.meet(self);
        }
    }

    fn block(&mut self, id: BlockId) {
        if self.blocks.insert(id) {
            for &stmt in &self.program.blocks[id].stmts {
                self.program.stmts[stmt].kind.meet(self);
            }
        }
    }

    /// What it announces goes to its triggers.
    fn event(&mut self, id: EventId) {
        if !self.events.insert(id) {
            return;
        }
        let event = &self.program.events[id];
        event.listeners.meet(self);
        if let Some(whenever) = &event.whenever {
            self.found.sorts.extend(whenever.element);
            whenever.condition.meet(self);
            whenever.with.meet(self);
        }
        let triggers = self.program.triggers.values().iter();
        for trigger in triggers.filter(|one| one.event == id) {
            trigger.listener.meet(self);
            trigger.condition.meet(self);
            self.block(trigger.body);
        }
    }

    fn sequence(&mut self, id: SequenceId) {
        if !self.sequences.insert(id) {
            return;
        }
        let sequence = &self.program.sequences[id];
        if let Some(contract) = &sequence.contract {
            contract.ensures.meet(self);
            for change in &contract.changes {
                change.within.meet(self);
                match &change.target {
                    ChangeTarget::Place(place) => place.meet(self),
                    ChangeTarget::FieldOfAll(field) => self.field(*field),
                }
            }
        }
        if self.replaced.contains(&id) {
            return;
        }
        if let ListPolicy::Chosen(by) = &sequence.policy {
            by.meet(self);
        }
        if let Some(over) = &sequence.over {
            over.binder.meet(self);
            over.order.meet(self);
        }
        if let Some(rule) = &sequence.restart {
            rule.when.meet(self);
            rule.cancel.meet(self);
            rule.unfinished.meet(self);
            rule.before.iter().for_each(|&block| self.block(block));
        }
        for &step in &sequence.steps {
            let step = &self.program.steps[step];
            step.ensures.meet(self);
            self.block(step.body);
        }
    }
}
