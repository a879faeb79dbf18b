//! Blocks: which statements follow each other.

use super::Feature;
use super::maker::{Around, Maker};
use super::tree::{block, name, stmt};
use super::world::Ty;
use arbitrary::Result;
use endstep_language::syntax::ast::{Block, ClauseLine, Stmt, StmtKind};

/// How deep blocks are nested in a step.
pub(super) const DEPTH: u8 = 3;

/// How deep expressions are nested in a statement.
pub(super) const REACH: u8 = 2;

/// Forms of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Nothing,
    Set,
    Change,
    Transfer,
    Move,
    MoveAll,
    Shuffle,
    Create,
    Remove,
    Announce,
    Let,
    Perform,
    Resolve,
    Leave,
    Declare,
    Gap,
    GapGoesOn,
    If,
    Cases,
    Depending,
    ForEach,
    Turns,
    Simultaneously,
    Repeat,
    Choose,
    ChooseOne,
    May,
    Distribute,
    Clause,
}

impl Maker<'_> {
    /// A block of one to a few statements, fewer if there are few bytes left.
    pub(super) fn block(&mut self, depth: u8) -> Result<Block> {
        let most = (self.u.len() / 8 + 1).min(3);
        let count = 1 + self.below(most)?;
        let stmts = self.scoped(|maker| maker.statements(count, depth))?;
        Ok(block(stmts))
    }

    /// So many statements; the names they bind stay in scope.
    pub(super) fn statements(&mut self, count: usize, depth: u8) -> Result<Vec<Stmt>> {
        let each = (0..count).map(|at| self.slice(count - at, |maker| maker.statement(depth)));
        each.collect()
    }

    /// The body of a step or trigger, with lines that say on what it stands.
    pub(super) fn body(&mut self, around: Around) -> Result<Block> {
        self.amid(around, |maker| {
            let annotation = if maker.allows(Feature::Documents) && maker.odds(40)? {
                Some(maker.annotation()?)
            } else {
                None
            };
            let mut made = maker.block(DEPTH)?;
            let annotation = annotation.map(|line: ClauseLine| stmt(StmtKind::Annotation(line)));
            made.stmts.splice(0..0, annotation);
            Ok(made)
        })
    }

    fn statement(&mut self, depth: u8) -> Result<Stmt> {
        let forms = self.forms(depth);
        let form = self.pick(&forms)?;
        let mut kind = self.form(form, depth.saturating_sub(1))?;
        if kind.is_none() && form != Form::Nothing {
            kind = self.change()?;
        }
        Ok(stmt(kind.unwrap_or(StmtKind::Nothing)))
    }

    /// The statements that may stand here, weighted.
    fn forms(&self, depth: u8) -> Vec<(u8, Form)> {
        let mut forms = vec![
            (1, Form::Nothing),
            (16, Form::Set),
            (if self.around.round { 3 } else { 14 }, Form::Change),
            (3, Form::Transfer),
            (8, Form::Move),
            (7, Form::Announce),
            (2, Form::Let),
        ];
        if depth > 0 {
            forms.extend([(5, Form::If), (9, Form::ForEach)]);
            if !self.world.readings.is_empty() {
                forms.push((3, Form::Depending));
            }
        }
        if self.allows(Feature::Gaps) {
            forms.push((2, Form::GapGoesOn));
        }
        if self.around.together {
            return forms;
        }
        let ends = u8::from(!self.around.round);
        let mut add = |feature: Feature, form: Form, weight: u8| {
            if self.allows(feature) {
                forms.push((weight, form));
            }
        };
        add(Feature::Zones, Form::MoveAll, 2);
        add(Feature::Chance, Form::Shuffle, 2);
        add(Feature::Creation, Form::Create, 3);
        add(Feature::Removal, Form::Remove, 2);
        add(Feature::Gaps, Form::Gap, 1 + ends);
        add(Feature::Outcomes, Form::Declare, 1 + ends);
        add(Feature::Choices, Form::Choose, 5);
        add(Feature::Distribution, Form::Distribute, 2);
        add(Feature::Calls, Form::Leave, 1);
        if self.around.callable > 0 {
            add(Feature::Calls, Form::Perform, 5);
        }
        if !self.around.reacting {
            add(Feature::Queues, Form::Resolve, 7);
        }
        if depth > 0 {
            add(Feature::Simultaneous, Form::Simultaneously, 4);
            add(Feature::Repeats, Form::Repeat, 12);
            add(Feature::Choices, Form::ChooseOne, 2);
            add(Feature::Choices, Form::May, 3);
            if self.allows(Feature::Domains) {
                add(Feature::Repeats, Form::Turns, 2);
            }
            add(Feature::Documents, Form::Clause, 2);
            forms.push((4, Form::Cases));
        }
        forms
    }

    /// A statement of a form; none if something that it needs is not declared.
    fn form(&mut self, form: Form, depth: u8) -> Result<Option<StmtKind>> {
        match form {
            Form::Nothing => Ok(None),
            Form::Set => self.set(),
            Form::Change => self.change(),
            Form::Transfer => self.transfer(),
            Form::Move => self.move_one(),
            Form::MoveAll => self.move_all(),
            Form::Shuffle => self.shuffle(),
            Form::Create => self.create(),
            Form::Remove => self.remove(),
            Form::Announce => self.announce(),
            Form::Let => self.let_value().map(Some),
            Form::Perform => self.perform(),
            Form::Resolve => self.resolve(),
            Form::Leave => self.leave().map(Some),
            Form::Declare => self.declare_outcome().map(Some),
            Form::Gap => self.gap().map(Some),
            Form::GapGoesOn => self.gap_that_goes_on().map(Some),
            Form::If => self.if_statement(depth).map(Some),
            Form::Cases => self.cases(depth).map(Some),
            Form::Depending => self.depending(depth),
            Form::ForEach => self.for_each(depth).map(Some),
            Form::Turns => self.turns(depth),
            Form::Simultaneously => self.simultaneously(depth).map(Some),
            Form::Repeat => self.repeat(depth).map(Some),
            Form::Choose => self.choose(),
            Form::ChooseOne => self.choose_one(depth).map(Some),
            Form::May => self.may_do(depth).map(Some),
            Form::Distribute => self.distribute(),
            Form::Clause => {
                let clause = self.clause()?;
                // What is bound in a clause is known in the rest of the block around it.
                let count = 1 + self.below(2)?;
                let inner = block(self.statements(count, depth)?);
                Ok(Some(StmtKind::Clause(Box::new(clause), inner)))
            }
        }
    }

    fn let_value(&mut self) -> Result<StmtKind> {
        let things: Vec<usize> = (0..self.world.sorts.len())
            .filter(|&sort| self.has(sort))
            .collect();
        let mut types = vec![(3, Ty::Int), (1, Ty::Bool)];
        types.extend(things.into_iter().map(|sort| (2, Ty::Entity(sort))));
        let mut ty = self.pick(&types)?;
        let value = self.value(ty, REACH)?;
        // What may be none stays optional: it is followed where it is used.
        if let (Ty::Entity(sort), true) = (ty, self.is_optional(&value)) {
            ty = Ty::Optional(sort);
        }
        let bound = name(&self.bind(ty));
        Ok(StmtKind::Let(bound, value))
    }
}
