//! Choices: what may be chosen, by whom, and what each alternative does.

use std::collections::BTreeMap;

use super::GapCause;
use super::eval::{Scope, overflow};
use super::machine::{Flow, Machine};
use super::next::{ChoiceKind, GapName, Key, Limit, Tag};
use super::state::{Frame, Site, Spot, Who, ZoneKey};
use super::stop::{Lacking, Stop};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Binder, Change, ChangeTarget, Contract, Decider, Expr, Place, SequenceId, Stmt, StmtId,
    StmtKind, Type, Value,
};

/// More values than this to choose from end a run as `limit`.
const MOST_VALUES: usize = 4096;

impl Machine<'_> {
    /// Statements that ask somebody.
    pub fn ask(&mut self, id: StmtId, stmt: &Stmt) -> Result<Flow, Stop> {
        let site = Site::Stmt(id);
        match &stmt.kind {
            StmtKind::Shuffle(zone) => {
                let zone = self.eval(site, |scope| scope.zone(zone))?;
                self.push(Frame::Shuffle {
                    stmt: id,
                    zone,
                    placed: 0,
                });
                Ok(Flow::Go)
            }
            StmtKind::Choose(binder, by) => self.choose((binder, by), site, stmt),
            StmtKind::ChooseNumber {
                local,
                low,
                high,
                by,
            } => {
                let (low, high) =
                    self.eval(site, |scope| Ok((scope.int(low)?, scope.int(high)?)))?;
                let who = self.who(by, site)?;
                if low > high {
                    return Err(self.gap(GapCause::NothingToChoose, site, stmt));
                }
                let values = numbers(low, high)?;
                let local = local.index();
                let asked = self.asked(ChoiceKind::Selection, who, site);
                let keys = values
                    .into_iter()
                    .map(|n| Key::Element(n, Type::Int.into()));
                Ok(self.branch(asked, keys.collect(), |machine, key| {
                    if let Key::Element(value, _) = key {
                        machine.bind(local, *value);
                    }
                }))
            }
            StmtKind::ChooseOne { .. } | StmtKind::May { .. } => self.options(id, stmt),
            StmtKind::Distribute { .. } => self.begin_distribution(id, stmt),
            StmtKind::GapMayChange { place, within, .. } => {
                self.may_change(id, place, within.as_ref())
            }
            other => unreachable!("asks nobody: {other:?}"),
        }
    }

    fn begin_distribution(&mut self, id: StmtId, stmt: &Stmt) -> Result<Flow, Stop> {
        let StmtKind::Distribute {
            amount,
            binder,
            into,
            by,
            each,
        } = &stmt.kind
        else {
            unreachable!("not a distribution");
        };
        let site = Site::Stmt(id);
        let left = self.eval(site, |scope| scope.int(amount))?;
        if left < 0 {
            let cause = GapCause::NegativeAmount;
            return Err(Stop::Tag(Tag::Gap(GapName::Implicit(
                cause,
                site,
                amount.span,
            ))));
        }
        let elements = self.eval(site, |scope| scope.elements(binder))?;
        let into = self.shares(&elements, (binder, into, each.as_ref()), site)?;
        if left == 0 {
            return Ok(Flow::Go);
        }
        let rest = self.room(&into, site)?;
        if rest.first().is_none_or(|&(_, rest)| rest < left) {
            return Err(self.gap(GapCause::NothingToChoose, site, stmt));
        }
        let who = self.who(by, site)?;
        let before = self.before(&stmt.kind);
        self.push(Frame::Distribute {
            stmt: id,
            left,
            elements,
            into,
            who,
            before,
        });
        Ok(Flow::Go)
    }

    fn choose(
        &mut self,
        (binder, by): (&Binder, &Decider),
        site: Site,
        stmt: &Stmt,
    ) -> Result<Flow, Stop> {
        let elements = self.eval(site, |scope| scope.elements(binder))?;
        let who = self.who(by, site)?;
        if elements.is_empty() {
            return Err(self.gap(GapCause::NothingToChoose, site, stmt));
        }
        let ty = binder.ty.into();
        let local = binder.local.index();
        let keys = elements
            .into_iter()
            .map(|element| Key::Element(element, ty));
        let asked = self.asked(ChoiceKind::Selection, who, site);
        Ok(self.branch(asked, keys.collect(), |machine, key| {
            if let Key::Element(value, _) = key {
                machine.bind(local, *value);
            }
        }))
    }

    fn options(&mut self, id: StmtId, stmt: &Stmt) -> Result<Flow, Stop> {
        let site = Site::Stmt(id);
        if let StmtKind::May {
            by,
            body,
            otherwise,
            ..
        } = &stmt.kind
        {
            let who = self.who(by, site)?;
            let asked = self.asked(ChoiceKind::Selection, who, site);
            let keys = vec![Key::Taken(id, true), Key::Taken(id, false)];
            return Ok(self.branch(asked, keys, |machine, key| {
                let taken = matches!(key, Key::Taken(_, true));
                if let Some(block) = if taken { Some(*body) } else { *otherwise } {
                    machine.enter(block);
                }
            }));
        }
        let StmtKind::ChooseOne { by, options } = &stmt.kind else {
            unreachable!("has no options");
        };
        let who = self.who(by, site)?;
        let mut keys = Vec::new();
        for (at, (_, guard, _)) in options.iter().enumerate() {
            let offered = match guard {
                Some(guard) => self.eval(site, |scope| scope.truth(guard))?,
                None => true,
            };
            if offered {
                keys.push(Key::Option(id, at));
            }
        }
        if keys.is_empty() {
            return Err(self.gap(GapCause::NothingToChoose, site, stmt));
        }
        let asked = self.asked(ChoiceKind::Selection, who, site);
        Ok(self.branch(asked, keys, |machine, key| {
            if let Key::Option(_, at) = key {
                machine.enter(options[*at].2);
            }
        }))
    }

    /// The place of each element, and what it may hold at most; without a cap, more than can be asked for.
    fn shares(
        &mut self,
        elements: &[Value],
        (binder, into, each): (&Binder, &Place, Option<&Expr>),
        site: Site,
    ) -> Result<Vec<(Spot, Value)>, Stop> {
        let mut shares = Vec::with_capacity(elements.len());
        let mut lacking = Lacking::default();
        for &element in elements {
            let share = self.eval(site, |scope| {
                scope.with(binder.local, element, |scope| {
                    let cap = each.map_or(Ok(i64::MAX), |each| scope.int(each))?;
                    Ok((scope.spot(into)?, Value::Int(cap)))
                })
            });
            shares.extend(lacking.value(share));
        }
        lacking.told()?;
        Ok(shares)
    }

    /// How many units each place can still take, and how many it and those after it can; a place that
    /// several elements share has room once.
    fn room(&mut self, into: &[(Spot, Value)], site: Site) -> Result<Vec<(i64, i64)>, Stop> {
        self.eval(site, |scope| {
            let mut rest: BTreeMap<Spot, i64> = BTreeMap::new();
            let mut room = Vec::with_capacity(into.len());
            for &(spot, cap) in into.iter().rev() {
                let own = match cap {
                    Value::Int(i64::MAX) => i64::MAX,
                    Value::Int(cap) => cap.saturating_sub(scope.held(spot)).max(0),
                    _ => 0,
                };
                let most = rest.entry(spot).or_default();
                *most = own.max(*most);
                room.push((
                    own,
                    rest.values()
                        .fold(0, |sum: i64, one| sum.saturating_add(*one)),
                ));
            }
            room.reverse();
            Ok(room)
        })
    }

    /// The innermost frame distributes: place the next unit, or end.
    pub fn distribute(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let StmtKind::Distribute { binder, .. } = &self.program().stmts[stmt].kind else {
            unreachable!("not a distribution");
        };
        let site = Site::Stmt(stmt);
        let Some(Frame::Distribute {
            left,
            elements,
            into,
            who,
            before,
            ..
        }) = self.frames().last().cloned()
        else {
            unreachable!("expected a distribution");
        };
        if left == 0 {
            self.pop();
            if let Some(before) = before {
                self.changed(stmt, &before)?;
            }
            return Ok(Flow::On);
        }
        let room = self.room(&into, site)?;
        let mut offers = Vec::new();
        let mut lacking = Lacking::default();
        for (at, &element) in elements.iter().enumerate() {
            // Units go to elements in canonical order, so what follows must have room for the rest.
            if room[at].0 > 0 && room[at].1 >= left {
                let (spot, _) = into[at];
                let offer = self.eval(site, |scope| {
                    let more = scope.held(spot).checked_add(1);
                    Ok((element, at, spot, more.ok_or_else(overflow)?))
                });
                offers.extend(lacking.value(offer));
            }
        }
        lacking.told()?;
        if offers.is_empty() {
            return Err(self.gap(GapCause::NothingToChoose, site, &self.program().stmts[stmt]));
        }
        let ty = binder.ty.into();
        let keys = offers
            .iter()
            .map(|(element, ..)| Key::Element(*element, ty))
            .collect();
        let asked = self.asked(ChoiceKind::Distribution, who, site);
        Ok(self.branch(asked, keys, |machine, key| {
            let Key::Element(chosen, _) = key else { return };
            let Some(&(_, at, spot, value)) = offers.iter().find(|offer| offer.0 == *chosen) else {
                return;
            };
            if let Some(Frame::Distribute {
                left,
                elements,
                into,
                ..
            }) = machine.frames().last_mut()
            {
                *left -= 1;
                elements.drain(..at);
                into.drain(..at);
            }
            machine.push(Frame::Write {
                by: None,
                writes: vec![(spot, Value::Int(value))],
            });
        }))
    }

    /// The innermost frame shuffles: settle the next place, or end.
    pub fn shuffle(&mut self, stmt: StmtId, zone: ZoneKey, placed: usize) -> Result<Flow, Stop> {
        let contents = self
            .state
            .data
            .zones
            .get(&zone)
            .cloned()
            .unwrap_or_default();
        if placed + 1 >= contents.len() {
            self.pop();
            return Ok(Flow::On);
        }
        let sort = self.program().zones[zone.0].sort;
        let ty = Type::Entity(sort).into();
        let keys = contents[placed..]
            .iter()
            .map(|&id| Key::Element(Value::Entity(id), ty));
        let asked = self.asked(ChoiceKind::Chance, Who::Chance, Site::Stmt(stmt));
        Ok(self.branch(asked, keys.collect(), |machine, key| {
            let Key::Element(Value::Entity(chosen), _) = key else {
                return;
            };
            if let Some(contents) = machine.state.data.zones.get_mut(&zone)
                && let Some(at) = contents.iter().position(|id| id == chosen)
            {
                contents.remove(at);
                contents.insert(placed, *chosen);
            }
            if let Some(Frame::Shuffle { placed, .. }) = machine.frames().last_mut() {
                *placed += 1;
            }
        }))
    }

    fn may_change(
        &mut self,
        stmt: StmtId,
        place: &Place,
        within: Option<&(Expr, Expr)>,
    ) -> Result<Flow, Stop> {
        let site = Site::Stmt(stmt);
        let spot = self.spot_of(place, site)?;
        let within = self.eval(site, |scope| bounds(scope, within))?;
        let values = self.values_of(spot, place.ty, within)?;
        if values.is_empty() {
            return Err(self.gap(GapCause::NothingToChoose, site, &self.program().stmts[stmt]));
        }
        let asked = self.asked(ChoiceKind::Gap, Who::Nobody, site);
        let keys = values
            .into_iter()
            .map(|value| Key::Write(spot, value))
            .collect();
        Ok(self.branch(asked, keys, |machine, key| {
            if let Key::Write(spot, value) = key {
                machine.push(Frame::Write {
                    by: Some(stmt),
                    writes: vec![(*spot, *value)],
                });
            }
        }))
    }

    /// The values that a place may take: those within the bounds, else all explored ones of its
    /// type.
    fn values_of(
        &mut self,
        spot: Spot,
        ty: Type,
        within: Option<(i64, i64)>,
    ) -> Result<Vec<Value>, Stop> {
        match ty {
            Type::Int => {
                let (low, high) = within.unwrap_or_else(|| self.it.explored(spot));
                numbers(low, high)
            }
            Type::Bool => Ok(vec![Value::Bool(false), Value::Bool(true)]),
            Type::Enum(id) => {
                let count = self.program().enums[id].values.len();
                Ok((0..count)
                    .filter_map(|n| u16::try_from(n).ok())
                    .map(Value::Enum)
                    .collect())
            }
            Type::Entity(sort) | Type::Optional(sort) => {
                let none = matches!(ty, Type::Optional(_)).then_some(Value::None);
                let members = self.state.data.members(sort).map(Value::Entity);
                Ok(none.into_iter().chain(members).collect())
            }
        }
    }

    /// Performs a sequence by its contract: any values of what it changes that it ensures.
    pub fn by_contract(&mut self, sequence: SequenceId, args: &[Value]) -> Result<Flow, Stop> {
        let declared = &self.program().sequences[sequence];
        let site = Site::Sequence(sequence);
        let Some(contract) = &declared.contract else {
            unreachable!("only sequences with a contract are replaced by one");
        };
        let mut locals = args.to_vec();
        locals.resize(declared.locals.len(), Value::None);
        let spots = self.changes(contract, &mut locals, site)?;
        let mut choices: Vec<Vec<(Spot, Value)>> = vec![Vec::new()];
        for (spot, values) in spots {
            if choices.len() * values.len() > MOST_VALUES {
                return Err(Stop::Tag(Tag::Limit(Limit::Values)));
            }
            choices = choices
                .into_iter()
                .flat_map(|done| {
                    values.iter().map(move |value| {
                        let mut more = done.clone();
                        more.push((spot, *value));
                        more
                    })
                })
                .collect();
        }
        let mut kept = Vec::new();
        let mut lacking = Lacking::default();
        for writes in choices {
            let ensured = self.ensured(contract, &writes, &mut locals, site);
            if lacking.value(ensured) == Some(true) {
                kept.push(Key::Values(writes));
            }
        }
        lacking.told()?;
        if kept.is_empty() {
            return Ok(Flow::Done(Tag::Stuck(sequence)));
        }
        let asked = self.asked(ChoiceKind::Gap, Who::Nobody, site);
        Ok(self.branch(asked, kept, |machine, key| {
            let Key::Values(writes) = key else { return };
            machine.push(Frame::Write {
                by: None,
                writes: writes.clone(),
            });
        }))
    }

    fn ensured(
        &mut self,
        contract: &Contract,
        writes: &[(Spot, Value)],
        locals: &mut Vec<Value>,
        site: Site,
    ) -> Result<bool, Stop> {
        let mut data = self.state.data.clone();
        if self.it.write(&mut data, writes).is_err() {
            return Ok(false);
        }
        for condition in &contract.ensures {
            let mut scope =
                self.it
                    .scope((&data, Some(&self.state.data)), locals, site, &self.budget);
            // What has no value does not hold.
            match scope.truth(condition) {
                Ok(true) => {}
                Ok(false) | Err(Stop::Tag(Tag::Gap(_))) => return Ok(false),
                Err(stop) => return Err(stop),
            }
        }
        Ok(true)
    }

    fn changes(
        &mut self,
        contract: &Contract,
        locals: &mut Vec<Value>,
        site: Site,
    ) -> Result<Vec<(Spot, Vec<Value>)>, Stop> {
        let mut spots = Vec::new();
        for Change { target, within, .. } in &contract.changes {
            let found: Vec<(Spot, Type)> = match target {
                ChangeTarget::Place(place) => {
                    let mut scope =
                        self.it
                            .scope((&self.state.data, None), locals, site, &self.budget);
                    vec![(scope.spot(place)?, place.ty)]
                }
                ChangeTarget::FieldOfAll(field) => {
                    let declared = &self.program().fields[*field];
                    let members = self.state.data.members(declared.sort);
                    members
                        .map(|id| (Spot::Field(id, *field), declared.ty))
                        .collect()
                }
            };
            // The bounds may name parameters of the sequence, which the caller does not have.
            let mut scope = self
                .it
                .scope((&self.state.data, None), locals, site, &self.budget);
            let within = bounds(&mut scope, within.as_ref())?;
            for (spot, ty) in found {
                let values = self.values_of(spot, ty, within)?;
                spots.push((spot, values));
            }
        }
        Ok(spots)
    }
}

/// The values of two bounds, if there are any.
fn bounds(
    scope: &mut Scope<'_>,
    within: Option<&(Expr, Expr)>,
) -> Result<Option<(i64, i64)>, Stop> {
    within
        .map(|(low, high)| Ok((scope.int(low)?, scope.int(high)?)))
        .transpose()
}

fn numbers(low: i64, high: i64) -> Result<Vec<Value>, Stop> {
    let count = i128::from(high) - i128::from(low) + 1;
    if count > MOST_VALUES as i128 {
        return Err(Stop::Tag(Tag::Limit(Limit::Values)));
    }
    Ok((low..=high).map(Value::Int).collect())
}
