//! Statements: blocks, writes, moves, calls and control.
//!
//! Clauses around statements disappear; each statement knows the innermost one. What `let`,
//! `choose` and `create as` bind is known for the rest of the block, also behind the end of such a
//! clause.

use super::checker::Checker;
use super::expr::is_first;
use super::program::{
    Block, BlockId, Expr, Gap, GapId, LocalId, Place, SortId, StepId, Stmt, StmtId, StmtKind,
    Target, Type, When, ZoneRef,
};
use super::want::Want;
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::NameKind;
use crate::syntax::ast::{self, Loc, MoveTarget, Name, StmtKind as S, Text};

impl Checker<'_> {
    /// A block; the names that its statements bind end with it.
    pub(super) fn block(&mut self, block: &ast::Block) -> BlockId {
        let id = self.program.blocks.push(Block::default());
        let bound = self.frame.bound();
        let outer = std::mem::take(&mut self.frame.binds);
        let mut stmts = Vec::new();
        self.statements(block, &mut stmts);
        let binds = std::mem::replace(&mut self.frame.binds, outer);
        self.frame.unbind(bound);
        self.program.blocks[id] = Block { stmts, binds };
        id
    }

    pub(super) fn optional_block(
        &mut self,
        block: Option<&(ast::Trivia, ast::Block)>,
    ) -> Option<BlockId> {
        block.map(|(_, block)| self.block(block))
    }

    fn statements(&mut self, block: &ast::Block, stmts: &mut Vec<StmtId>) {
        for stmt in &block.stmts {
            if !self.enter(stmt.loc) {
                return;
            }
            match &stmt.kind {
                S::Clause(clause, inner) => self.within_clause(clause, inner, stmts),
                S::Annotation(line) => self.annotation(line, stmt.loc),
                _ => stmts.push(self.statement(stmt)),
            }
            self.exit();
        }
    }

    fn within_clause(&mut self, clause: &ast::Clause, inner: &ast::Block, stmts: &mut Vec<StmtId>) {
        let outer = self.frame.clause;
        self.frame.clause = self.names.clauses.get(&clause.id.text).or(outer);
        self.open_clause(clause);
        self.statements(inner, stmts);
        self.close_clause();
        self.frame.clause = outer;
    }

    fn statement(&mut self, stmt: &ast::Stmt) -> StmtId {
        self.frame.notes.bare |= self.frame.notes.open == 0;
        let word = word(&stmt.kind);
        let id = self.program.stmts.push(Stmt {
            kind: StmtKind::Nothing,
            clause: self.frame.clause,
            owner: self.frame.owner,
            path: self.frame.statement(word),
            span: stmt.loc.span(),
        });
        self.wordbook.stmt(id, stmt);
        if self.frame.together && !may_be_together(&stmt.kind) {
            let message = format!("found `{word}` under `simultaneously`, expected a plain write");
            let label = match &stmt.kind {
                S::Move(..) => "nothing is next to anything while all moves at once",
                _ => "this cannot happen at once with other things",
            };
            let error = Diagnostic::error(codes::forms::NOT_TOGETHER, message)
                .at(stmt.loc, label)
                .help("do it before or after");
            self.report(error);
        }
        let kind = self.statement_kind(stmt);
        if let Some(kind) = self.needed(kind) {
            self.program.stmts[id].kind = kind;
        }
        id
    }

    fn statement_kind(&mut self, stmt: &ast::Stmt) -> Option<StmtKind> {
        let loc = stmt.loc;
        match &stmt.kind {
            S::Error | S::Clause(..) | S::Annotation(_) => None,
            S::Nothing => Some(StmtKind::Nothing),
            S::Pass => self.pass(loc),
            S::Let(name, value) => self.let_value(name, value),
            S::Set(place, value) => self.set(place, value),
            S::Increase(place, by, most) => {
                let (place, by, most) = self.change(place, by, most)?;
                Some(StmtKind::Increase(place, by, most))
            }
            S::Decrease(place, by, least) => {
                let (place, by, least) = self.change(place, by, least)?;
                Some(StmtKind::Decrease(place, by, least))
            }
            S::Transfer { amount, from, to } => self.transfer(amount, from, to),
            S::Move(moved, target) => self.move_one(moved, target),
            S::MoveAll(zone, target) => self.move_all(zone, target),
            S::Shuffle(zone) => {
                let zone = self.zone(zone, false)?;
                self.has_ends(&zone)?;
                Some(StmtKind::Shuffle(zone))
            }
            S::Create { .. } => self.create(&stmt.kind),
            S::Remove(removed) => {
                let (removed, sort) = self.entity(removed)?;
                self.not_a_player(sort, loc)?;
                Some(StmtKind::Remove(removed))
            }
            S::Announce(event, arguments) => self.announce(event, arguments),
            S::Perform(sequence, arguments) => self.perform(sequence, arguments),
            S::Resolve { one, queue } => self.resolve(*one, queue, loc),
            S::Leave(sequence) => {
                let left = self.sequence_named(sequence)?;
                if self.not_made_up(left, sequence, "no rule leaves this") {
                    return None;
                }
                Some(StmtKind::Leave(self.itself(left)))
            }
            S::GoTo(step) => self.go_to(step),
            S::Declare(word, whom) => {
                let declared = self.declared(*word, whom.as_ref(), loc)?;
                Some(StmtKind::Declare(declared))
            }
            S::Gap(..) | S::GapGoesOn { .. } | S::GapMayChange { .. } => self.silence(&stmt.kind),
            S::Simultaneously(body) => {
                let outer = std::mem::replace(&mut self.frame.together, true);
                let body = self.block(body);
                self.frame.together = outer;
                Some(StmtKind::Simultaneously(body))
            }
            S::Repeat(when, body) => self.repeat(when, body),
            S::If(..) | S::Cases { .. } | S::Depending { .. } | S::ForEach { .. } => {
                self.branching(&stmt.kind, loc)
            }
            S::Choose(..)
            | S::ChooseNumber { .. }
            | S::ChooseOne { .. }
            | S::May { .. }
            | S::Distribute { .. } => self.choice(&stmt.kind),
        }
    }

    /// Binds a name by a statement: until the block ends.
    pub(super) fn bind_here(&mut self, name: &Name, ty: Option<Type>) -> LocalId {
        let local = self.bind(name, ty);
        self.frame.binds.push(local);
        local
    }

    /// The step that is next.
    fn go_to(&mut self, to: &Name) -> Option<StmtKind> {
        let Some((first, names)) = &self.frame.list else {
            let message = format!(
                "`go to {}` stands in no list whose steps come in order",
                to.text
            );
            let error = Diagnostic::error(codes::forms::NO_WAY, message)
                .at(to.loc, "no step comes next")
                .help(
                    "write it in a step of a `sequence` whose steps are done in order, once and not for each of \
                     several places; to end a sequence, write `leave` and its name",
                );
            self.report(error);
            return None;
        };
        if let Some(at) = names.iter().position(|name| *name == to.text) {
            let step = StepId::from_index(first.index() + at);
            self.means_step(to, step);
            return Some(StmtKind::GoTo(step));
        }
        if self.uses.is_probe(&to.text) {
            let names = names.iter().map(String::as_str);
            self.uses.offer(Some(NameKind::Step), names);
        }
        let near = crate::resolve::nearest(&to.text, names.iter().map(String::as_str));
        let error = crate::resolve::unknown("step", &to.text, to.loc.span(), near);
        self.report(error);
        None
    }

    fn let_value(&mut self, name: &Name, value: &ast::Expr) -> Option<StmtKind> {
        let value = self.expr(value, Want::Any);
        let local = self.bind_here(name, value.as_ref().map(|value| value.ty));
        Some(StmtKind::Let(local, value?))
    }

    fn set(&mut self, place: &ast::Expr, value: &ast::Expr) -> Option<StmtKind> {
        let place = self.place(place);
        let value = match &place {
            Some(place) => self.expect(value, place.ty),
            None => self.expr(value, Want::Unknown),
        };
        Some(StmtKind::Set(place?, value?))
    }

    fn transfer(
        &mut self,
        amount: &ast::Expr,
        from: &ast::Expr,
        to: &ast::Expr,
    ) -> Option<StmtKind> {
        let amount = self.int(amount);
        let (from, to) = (self.int_place(from), self.int_place(to));
        Some(StmtKind::Transfer {
            amount: *amount?,
            from: from?,
            to: to?,
        })
    }

    /// What is done where the document is silent.
    fn silence(&mut self, stmt: &S) -> Option<StmtKind> {
        match stmt {
            S::Gap(name, text) => {
                let gap = self.gap(name, text.as_ref());
                self.ends_or_goes_on(gap, name, true);
                Some(StmtKind::Gap(gap))
            }
            S::GapGoesOn {
                name,
                text,
                assuming,
            } => {
                let gap = self.gap(name, text.as_ref());
                self.ends_or_goes_on(gap, name, false);
                let assuming = assuming.as_ref().map(Text::line);
                let assuming = assuming.filter(|text| !text.is_empty());
                Some(StmtKind::GapGoesOn { gap, assuming })
            }
            S::GapMayChange {
                name,
                text,
                place,
                within,
            } => {
                let gap = self.gap(name, text.as_ref());
                let place = self.place(place);
                let within = self.within_range(within, place.as_ref().map(|place| place.ty));
                Some(StmtKind::GapMayChange {
                    gap,
                    place: place?,
                    within: within?,
                })
            }
            _ => None,
        }
    }

    fn change(
        &mut self,
        place: &ast::Expr,
        by: &ast::Expr,
        end: &Option<ast::Expr>,
    ) -> Option<(Place, Expr, Option<Expr>)> {
        let place = self.int_place(place);
        let by = self.int(by);
        let end = end.as_ref().map(|end| self.int(end));
        let end = match end {
            Some(end) => Some(*end?),
            None => None,
        };
        Some((place?, *by?, end))
    }

    fn move_one(&mut self, moved: &ast::Expr, target: &MoveTarget) -> Option<StmtKind> {
        let loc = moved.loc;
        let moved = self.entity(moved);
        let sort = moved.as_ref().map(|(_, sort)| *sort);
        let target = self.target(target, sort);
        let (moved, sort) = moved?;
        self.not_a_player(sort, loc)?;
        Some(StmtKind::Move(moved, target?))
    }

    fn move_all(&mut self, zone: &ast::Expr, target: &MoveTarget) -> Option<StmtKind> {
        let zone = self.zone(zone, false);
        let sort = zone
            .as_ref()
            .and_then(|zone| Some(self.program.zones.get(zone.zone)?.sort));
        let target = self.target(target, sort);
        let (zone, target) = (zone?, target?);
        self.not_a_player(sort?, zone.span.into())?;
        self.arrives_in_order(&zone, &target)?;
        Some(StmtKind::MoveAll(zone, target))
    }

    /// What lies in no order cannot arrive, all at once, where there is one.
    fn arrives_in_order(&mut self, zone: &ZoneRef, target: &Target) -> Option<()> {
        let from = self.program.zones.get(zone.zone)?;
        let mut zones = self.program.zones.values().iter();
        let ordered = match target {
            Target::Zone(_, to) => !self.program.zones.get(to.zone)?.unordered,
            // Beside something that lies in any zone of the sort.
            Target::Before(_) | Target::After(_) => {
                zones.any(|one| one.sort == from.sort && !one.unordered)
            }
        };
        if !from.unordered || !ordered {
            return Some(());
        }
        let message = format!(
            "found everything in the unordered zone `{}` moved to where there is an order",
            from.name
        );
        let error = Diagnostic::error(codes::forms::NO_ORDER, message)
            .at(zone.span, "in which order does it arrive?")
            .also(from.span, "declared `unordered`")
            .help(format!(
                "say who decides: `for each c in {}, in any order`, or `in an order chosen by p`, \
                 and `move c` there",
                from.name
            ));
        self.report(error);
        None
    }

    /// Where something of a sort is put.
    pub(super) fn target(&mut self, target: &MoveTarget, sort: Option<SortId>) -> Option<Target> {
        let (checked, found, span) = match target {
            MoveTarget::Zone(end, zone) => {
                let zone = self.zone(zone, false)?;
                if end.is_some() {
                    self.has_ends(&zone)?;
                }
                let (lies, span) = (self.program.zones.get(zone.zone)?.sort, zone.span);
                (Target::Zone(end.is_some_and(is_first), zone), lies, span)
            }
            MoveTarget::Before(other) => {
                let (other, lies) = self.entity(other)?;
                let span = other.span;
                (Target::Before(other), lies, span)
            }
            MoveTarget::After(other) => {
                let (other, lies) = self.entity(other)?;
                let span = other.span;
                (Target::After(other), lies, span)
            }
        };
        if let Some(sort) = sort.filter(|sort| *sort != found) {
            let (moved, lies) = (self.sort_name(sort), self.sort_name(found));
            let message = format!("found a place for a `{lies}`, expected one for a `{moved}`");
            let label = "nothing of this sort lies here";
            self.error(codes::types::MISMATCH, message, span.into(), label);
            return None;
        }
        Some(checked)
    }

    /// Reports if the sort is the players.
    pub(super) fn not_a_player(&mut self, sort: SortId, loc: Loc) -> Option<()> {
        if self.players != Some(sort) {
            return Some(());
        }
        let message = "found a player, expected something that can be moved, created or removed";
        let error = Diagnostic::error(codes::forms::PLAYERS_FIXED, message)
            .at(loc, "players stay")
            .help("give players a field that says whether they are still in the game");
        self.report(error);
        None
    }

    fn announce(&mut self, event: &Name, arguments: &[ast::Expr]) -> Option<StmtKind> {
        let Some(id) = self.event_named(event) else {
            for argument in arguments {
                self.expr(argument, Want::Unknown);
            }
            return None;
        };
        self.usage.announced.insert(id);
        self.not_raised(id, event.loc);
        let signature = self.event_params.get(id)?.clone();
        let arguments = self.arguments(event, &signature, arguments);
        let declared = self.program.events.get(id)?;
        if self.frame.together && declared.queue.is_none() {
            let message = format!(
                "found `{}`, which interrupts at once, expected an event in a queue",
                event.text
            );
            let error = Diagnostic::error(codes::forms::NOT_TOGETHER, message)
                .at(event.loc, "nothing can interrupt what is simultaneous")
                .also(declared.span, "declared here");
            self.report(error);
        }
        Some(StmtKind::Announce(id, arguments?))
    }

    fn perform(&mut self, sequence: &Name, arguments: &[ast::Expr]) -> Option<StmtKind> {
        let Some(id) = self.sequence_named(sequence) else {
            for argument in arguments {
                self.expr(argument, Want::Unknown);
            }
            return None;
        };
        if self.not_made_up(id, sequence, "no rule performs this") {
            return None;
        }
        let id = self.performed_here(id);
        if let Some(caller) = self.frame.caller {
            self.calls.perform(caller, id, sequence.loc.span());
        }
        let signature = self.sequence_params.get(id)?.clone();
        let arguments = self.arguments(sequence, &signature, arguments)?;
        Some(StmtKind::Perform(id, arguments))
    }

    fn resolve(&mut self, one: bool, queue: &Name, loc: Loc) -> Option<StmtKind> {
        let queue = self.queue(queue)?;
        if let Some(caller) = self.frame.caller {
            self.calls.resolve(caller, loc.span());
        }
        Some(StmtKind::Resolve { one, queue })
    }

    fn gap(&mut self, name: &Name, text: Option<&Text>) -> GapId {
        let words = text.map_or_else(String::new, Text::line);
        let Some(id) = self.names.gaps.get(&name.text) else {
            let id = self.program.gaps.push(Gap {
                name: name.text.clone(),
                text: words,
                clause: self.frame.clause,
                span: name.loc.span(),
            });
            let place = name.loc.span();
            self.uses.add(place, place, NameKind::Gap);
            let declared = self.names.gaps.declare(name, id);
            self.found(declared);
            return id;
        };
        let gap = &mut self.program.gaps[id];
        self.uses.add(name.loc.span(), gap.span, NameKind::Gap);
        if gap.text.is_empty() {
            gap.text = words;
        } else if !words.is_empty() && gap.text != words {
            let message = format!("the gap `{}` is described in two ways", name.text);
            let error = Diagnostic::error(codes::names::DECLARED_TWICE, message)
                .at(name.loc, "in other words")
                .also(gap.span, "it stands here first")
                .help("describe it once, or give the other gap another name");
            self.report(error);
        }
        id
    }

    /// Whether runs end in a gap or go on from it has to be the same wherever its name stands: what is found of it
    /// is told once.
    fn ends_or_goes_on(&mut self, gap: GapId, name: &Name, ends: bool) {
        let known = self.names.gap_ends.entry(gap);
        let (first, first_ends) = *known.or_insert((name.loc.span(), ends));
        if first_ends == ends {
            return;
        }
        let (here, elsewhere, there) = match ends {
            true => (
                "ends runs here",
                "they go on from it elsewhere",
                "they go on from it here",
            ),
            false => (
                "lets runs go on here",
                "ends them elsewhere",
                "they end in it here",
            ),
        };
        let message = format!("the gap `{}` {here}, and {elsewhere}", name.text);
        let error = Diagnostic::error(codes::names::DECLARED_TWICE, message)
            .at(name.loc, here)
            .also(first, there)
            .help("give one of the two gaps another name");
        self.report(error);
    }

    fn repeat(&mut self, when: &ast::When, body: &ast::Block) -> Option<StmtKind> {
        let when = match when {
            ast::When::Until(until) => self.truth(until).map(|until| When::Until(*until)),
            ast::When::While(condition) => self.truth(condition).map(|one| When::While(*one)),
            ast::When::Stable => Some(When::Stable),
        };
        let body = self.block(body);
        Some(StmtKind::Repeat(when?, body))
    }
}

/// Whether a statement may stand under `simultaneously`.
fn may_be_together(kind: &S) -> bool {
    matches!(
        kind,
        S::Error
            | S::Nothing
            | S::GapGoesOn { .. }
            | S::Let(..)
            | S::Set(..)
            | S::Increase(..)
            | S::Decrease(..)
            | S::Transfer { .. }
            | S::Move(_, MoveTarget::Zone(..))
            | S::Announce(..)
            | S::If(..)
            | S::Depending { .. }
            | S::ForEach { .. }
    )
}

/// The words that a statement begins with.
fn word(kind: &S) -> &'static str {
    match kind {
        S::Error | S::Nothing | S::Clause(..) | S::Annotation(_) => "nothing",
        S::Pass => "pass",
        S::Let(..) => "let",
        S::Set(..) => "set",
        S::Increase(..) => "increase",
        S::Decrease(..) => "decrease",
        S::Transfer { .. } => "transfer",
        S::Move(..) => "move",
        S::MoveAll(..) => "move all",
        S::Shuffle(_) => "shuffle",
        S::Create { .. } => "create",
        S::Remove(_) => "remove",
        S::Announce(..) => "announce",
        S::If(..) => "if",
        S::Cases { .. } => "cases",
        S::Depending { .. } => "depending",
        S::ForEach { .. } => "for each",
        S::Simultaneously(_) => "simultaneously",
        S::Repeat(..) => "repeat",
        S::Choose(..) => "choose",
        S::ChooseNumber { .. } => "choose number",
        S::ChooseOne { .. } => "choose one",
        S::May { .. } => "may",
        S::Distribute { .. } => "distribute",
        S::Perform(..) => "perform",
        S::Resolve { .. } => "resolve",
        S::Leave(_) => "leave",
        S::GoTo(_) => "go to",
        S::Declare(..) => "declare",
        S::Gap(..) => "gap",
        S::GapGoesOn { .. } => "gap and go on",
        S::GapMayChange { .. } => "gap may change",
    }
}
