//! What of an end counts: in which manner, and the observed data, created entities up to renaming.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use super::twins::{self, renamings};
use crate::semantics::{
    Data, Ended, Exceeded, GapName, Interpreter, Limit, Manner, Spot, Stop, Tag, ZoneKey,
};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    EntityId, Expr, FieldId, Kinds, ObserverId, Program, ReadingId, Sight, Value, VarId, ZoneId,
};

/// An outcome of a run, in a form in which equal outcomes are equal values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Outcome {
    /// It ended.
    Ended(Ending, Observed),
    /// It never ends.
    Diverges,
}

impl Outcome {
    /// Whether the rules say all along what happens: they neither fall silent nor are broken, and nothing is given up.
    pub fn is_by_the_rules(&self) -> bool {
        match self {
            Self::Ended(ending, _) => ending.tag().is_outcome(),
            Self::Diverges => true,
        }
    }
}

/// How a run ended. Two are equal if the manner is; the tag is that of a run that ended so.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ending {
    manner: Manner,
    tag: Tag,
}

impl Ending {
    /// What is compared.
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// What is shown.
    pub fn tag(&self) -> &Tag {
        &self.tag
    }

    fn renamed(&self, rename: &impl Fn(EntityId) -> EntityId) -> Self {
        Self {
            manner: self.manner.renamed(rename),
            tag: renamed_tag(&self.tag, rename),
        }
    }
}

impl PartialEq for Ending {
    fn eq(&self, other: &Self) -> bool {
        self.manner == other.manner
    }
}

impl Eq for Ending {}

impl Hash for Ending {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.manner.hash(state);
    }
}

impl PartialOrd for Ending {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ending {
    fn cmp(&self, other: &Self) -> Ordering {
        self.manner.cmp(&other.manner)
    }
}

/// The observed part of the data. Created entities are numbered in the way that makes this value
/// the smallest, so that two of them are equal exactly if some renaming makes them so.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Observed {
    /// For each entity of the board, then for each created one: whether it is removed (only if
    /// everything is observed), and the observed fields in the order of their ids.
    pub entities: Vec<(EntityId, Option<bool>, Vec<Value>)>,
    /// The observed variables, in the order of their ids.
    pub vars: Vec<Value>,
    /// The observed zones; those seen as a set in order of identity.
    pub zones: Vec<(ZoneKey, Vec<EntityId>)>,
    /// The values of observed expressions; `None` where one has no value.
    pub exprs: Vec<Option<Value>>,
    /// What is seen of the elements of binders, each with whose zone it lies in; those seen as a set
    /// in order. `None` where an element has no value.
    #[serde(default)]
    pub kinds: Vec<Option<Vec<Kind>>>,
}

/// Whose zone something lies in, and what is seen of it.
pub type Kind = (Option<EntityId>, Value);

/// Why an end cannot be observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unobservable {
    /// An observed expression depends on a reading that is not fixed.
    Consult(ReadingId),
    /// More created entities than can be compared up to renaming: more than six of a sort of which nothing that is seen tells
    /// one from the others, and which cannot just change places.
    TooManyCreated,
    /// An observed expression has no value within the limits of evaluation.
    Limit,
}

/// An observer, ready to look: what it sees, in the order of ids.
#[derive(Debug, Clone)]
pub struct Lens<'p> {
    program: &'p Program,
    /// Whether removed entities are told apart from others.
    removals: bool,
    fields: BTreeSet<FieldId>,
    vars: BTreeSet<VarId>,
    /// Zones, and whether as a set.
    zones: Vec<(ZoneId, bool)>,
    exprs: Vec<&'p Expr>,
    kinds: Vec<&'p Kinds>,
}

impl<'p> Lens<'p> {
    /// What an observer sees; everything without one.
    pub fn new(program: &'p Program, observer: Option<ObserverId>) -> Self {
        let mut lens = Self {
            program,
            removals: false,
            fields: BTreeSet::new(),
            vars: BTreeSet::new(),
            zones: Vec::new(),
            exprs: Vec::new(),
            kinds: Vec::new(),
        };
        match observer {
            None => lens.everything(),
            Some(id) => {
                let sights = &program.observers[id].sights;
                let ignores = |sight: &&Sight| {
                    use Sight::{IgnoreField, IgnoreVar, IgnoreZone};
                    matches!(sight, IgnoreField(_) | IgnoreVar(_) | IgnoreZone(_))
                };
                // What a line says of a zone prevails over what is said of everything.
                if sights.contains(&Sight::Everything) {
                    lens.everything();
                }
                sights
                    .iter()
                    .filter(|one| !ignores(one))
                    .for_each(|one| lens.add(one));
                sights.iter().filter(ignores).for_each(|one| lens.add(one));
            }
        }
        // The document does not say where in an unordered zone something lies.
        for (zone, as_set) in &mut lens.zones {
            *as_set |= program.zones[*zone].unordered;
        }
        lens.zones.sort_unstable();
        lens.zones.dedup_by_key(|(zone, _)| *zone);
        lens
    }

    fn everything(&mut self) {
        self.removals = true;
        self.fields.extend(self.program.fields.ids());
        self.vars.extend(self.program.vars.ids());
        self.zones
            .extend(self.program.zones.ids().map(|zone| (zone, false)));
    }

    fn add(&mut self, sight: &'p Sight) {
        match sight {
            Sight::Everything => {}
            Sight::Field(field) => {
                self.fields.insert(*field);
            }
            Sight::Var(var) => {
                self.vars.insert(*var);
            }
            Sight::Zone(zone, as_set) => {
                self.zones.retain(|(other, _)| other != zone);
                self.zones.push((*zone, *as_set));
            }
            Sight::Expr(expr) => self.exprs.push(expr),
            Sight::Kinds(kinds) => self.kinds.push(kinds),
            Sight::IgnoreField(field) => {
                self.fields.remove(field);
            }
            Sight::IgnoreVar(var) => {
                self.vars.remove(var);
            }
            Sight::IgnoreZone(zone) => self.zones.retain(|(other, _)| other != zone),
        }
    }

    /// Fields that are seen, in the order of their ids.
    pub fn fields(&self) -> impl Iterator<Item = FieldId> + '_ {
        self.fields.iter().copied()
    }

    /// Variables that are seen, in the order of their ids.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars.iter().copied()
    }

    /// Zones that are seen, and whether as a set.
    pub fn zones(&self) -> &[(ZoneId, bool)] {
        &self.zones
    }

    /// Whether it is seen that something was removed.
    pub fn sees_removals(&self) -> bool {
        self.removals
    }

    /// Expressions whose values are seen.
    pub fn exprs(&self) -> &[&'p Expr] {
        &self.exprs
    }

    /// Things of which one value each is seen.
    pub fn kinds(&self) -> &[&'p Kinds] {
        &self.kinds
    }

    /// The zones whose arrangement may be seen.
    pub fn arranged(&self) -> BTreeSet<ZoneId> {
        match self.exprs.is_empty() && self.kinds.is_empty() {
            true => {
                let zones = self.zones.iter().filter(|(_, as_set)| !as_set);
                zones.map(|(zone, _)| *zone).collect()
            }
            // What an expression looks at is not told.
            false => self.program.zones.ids().collect(),
        }
    }

    /// The outcome with which a run ended. `old` is its board.
    pub fn outcome(
        &self,
        interpreter: Interpreter<'_>,
        ended: &Ended,
        old: &Data,
    ) -> Result<Outcome, Unobservable> {
        // The game is over, and what still lies there makes no difference.
        let observed = match ended.tag.is_declared() {
            true => Observed::default(),
            false => self.look(interpreter, &ended.data, old)?,
        };
        let ending = Ending {
            manner: Manner::of(self.program, &ended.tag),
            tag: ended.tag.clone(),
        };
        self.smallest(&ended.data, ending, observed)
    }

    /// The created entities that count at an end, by sort: a removed one only if something else refers to it.
    pub fn created(
        &self,
        interpreter: Interpreter<'_>,
        data: &Data,
        tag: &Tag,
        old: &Data,
    ) -> Result<Vec<EntityId>, Unobservable> {
        let observed = self.look(interpreter, data, old)?;
        Ok(created_in(data, Manner::of(self.program, tag), &observed))
    }

    fn look(
        &self,
        interpreter: Interpreter<'_>,
        data: &Data,
        old: &Data,
    ) -> Result<Observed, Unobservable> {
        let mut observed = Observed::default();
        for (index, entity) in data.entities.iter().enumerate() {
            let declared = &self.program.sorts[entity.sort].fields;
            let seen = declared.iter().zip(&entity.fields);
            let seen: Vec<Value> = seen
                .filter(|(field, _)| self.fields.contains(field))
                .map(|(_, value)| *value)
                .collect();
            let removed = self.removals.then_some(entity.removed);
            if removed.is_some() || !seen.is_empty() {
                let id = EntityId::from_index(index);
                observed.entities.push((id, removed, seen));
            }
        }
        observed.vars = self.vars.iter().map(|var| data.vars[var.index()]).collect();
        for &(zone, _) in &self.zones {
            let range = (zone, None)..=(zone, Some(EntityId(u32::MAX)));
            let contents = data.zones.range(range);
            observed
                .zones
                .extend(contents.map(|(key, contents)| (*key, contents.clone())));
        }
        for expr in &self.exprs {
            let value = interpreter.value(expr, data, Some(old));
            observed.exprs.push(seen(value)?);
        }
        for kinds in &self.kinds {
            observed
                .kinds
                .push(seen(interpreter.kinds(kinds, data, old))?);
        }
        Ok(observed)
    }

    /// The smallest value that a renaming of the created entities in it makes.
    fn smallest(
        &self,
        data: &Data,
        ending: Ending,
        mut observed: Observed,
    ) -> Result<Outcome, Unobservable> {
        let created = created_in(data, ending.manner, &observed);
        // A removed created entity of which nothing speaks any more is forgotten.
        observed.entities.retain(|(id, ..)| {
            let entity = &data.entities[id.index()];
            !(entity.created && entity.removed) || created.contains(id)
        });
        if created.is_empty() {
            return Ok(Outcome::Ended(ending, self.settled(observed)));
        }
        let board = data.entities.iter().filter(|one| !one.created).count();
        let mut best: Option<Outcome> = None;
        for order in self.orders(data, &created, &ending, &observed)? {
            let rename = |id: EntityId| {
                let at = order.iter().position(|&other| other == id);
                at.map_or(id, |at| EntityId::from_index(board + at))
            };
            let renamed = self.settled(renamed(&observed, &rename));
            let candidate = Outcome::Ended(ending.renamed(&rename), renamed);
            if best.as_ref().is_none_or(|best| candidate < *best) {
                best = Some(candidate);
            }
        }
        best.ok_or(Unobservable::TooManyCreated)
    }

    /// Orders of created entities one of which is that of any other outcome that is the same up to renaming.
    fn orders(
        &self,
        data: &Data,
        created: &[EntityId],
        ending: &Ending,
        observed: &Observed,
    ) -> Result<Vec<Vec<EntityId>>, Unobservable> {
        renamings(data, created).map_or_else(
            || {
                let kind = |id: EntityId| data.entities[id.index()].sort;
                let orders = twins::orders(created, kind, |rename| {
                    let manner = ending.manner.renamed(rename);
                    (manner, self.settled(renamed(observed, rename)))
                });
                orders.ok_or(Unobservable::TooManyCreated)
            },
            Ok,
        )
    }

    /// The same, in the order of ids, and sets in order.
    fn settled(&self, mut observed: Observed) -> Observed {
        self.forget_arrangements(&mut observed);
        observed.entities.sort();
        observed.zones.sort();
        observed
    }

    fn forget_arrangements(&self, observed: &mut Observed) {
        for (seen, kinds) in self.kinds.iter().zip(&mut observed.kinds) {
            if let Some(kinds) = kinds
                && seen.as_set
            {
                kinds.sort_unstable();
            }
        }
        for (key, contents) in &mut observed.zones {
            if self.zones.contains(&(key.0, true)) {
                contents.sort_unstable();
            }
        }
    }
}

/// What is seen; nothing where there is no value.
fn seen<T>(found: Result<T, Stop>) -> Result<Option<T>, Unobservable> {
    match found {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Consult(reading)) => Err(Unobservable::Consult(reading)),
        Err(Stop::Tag(Tag::Limit(_))) => Err(Unobservable::Limit),
        Err(Stop::Tag(_)) => Ok(None),
    }
}

/// The created entities that occur in what is observed, by sort; removed ones only if something
/// else refers to them.
fn created_in(data: &Data, manner: Manner, observed: &Observed) -> Vec<EntityId> {
    let mut found = BTreeSet::new();
    let present = observed.entities.iter().map(|(id, ..)| *id);
    found.extend(present.filter(|id| {
        let entity = &data.entities[id.index()];
        entity.created && !entity.removed
    }));
    let mut note = |id: EntityId| {
        if data.entities.get(id.index()).is_some_and(|one| one.created) {
            found.insert(id);
        }
        id
    };
    let _ = manner.renamed(&mut note);
    let others = Observed {
        entities: Vec::new(),
        ..observed.clone()
    };
    renamed(&others, &mut note);
    // What only something that is forgotten refers to is forgotten as well.
    let mut left: Vec<_> = observed.entities.iter().collect();
    loop {
        let known = found.clone();
        left.retain(|(id, _, fields)| {
            let counts = !data.entities[id.index()].created || known.contains(id);
            if counts {
                for value in fields {
                    if let Value::Entity(other) = value
                        && data.entities[other.index()].created
                    {
                        found.insert(*other);
                    }
                }
            }
            !counts
        });
        if found == known {
            break;
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|id| data.entities[id.index()].sort);
    found
}

fn renamed_value(value: Value, rename: &mut impl FnMut(EntityId) -> EntityId) -> Value {
    match value {
        Value::Entity(id) => Value::Entity(rename(id)),
        other => other,
    }
}

fn renamed_spot(spot: Spot, rename: &mut impl FnMut(EntityId) -> EntityId) -> Spot {
    match spot {
        Spot::Field(id, field) => Spot::Field(rename(id), field),
        Spot::Var(var) => Spot::Var(var),
    }
}

fn renamed_tag(tag: &Tag, mut rename: impl FnMut(EntityId) -> EntityId) -> Tag {
    match tag {
        Tag::Win(who) => Tag::Win(who.map(rename)),
        Tag::Loss(who) => Tag::Loss(who.map(rename)),
        Tag::Range(Exceeded::Spot(spot, value)) => {
            Tag::Range(Exceeded::Spot(renamed_spot(*spot, &mut rename), *value))
        }
        Tag::Limit(Limit::Reach(spot, value)) => {
            Tag::Limit(Limit::Reach(renamed_spot(*spot, &mut rename), *value))
        }
        Tag::End
        | Tag::Draw
        | Tag::Gap(GapName::Named(_) | GapName::Implicit(..))
        | Tag::Conflict(_)
        | Tag::Range(Exceeded::Zone(_))
        | Tag::Stuck(_)
        | Tag::Limit(_) => tag.clone(),
    }
}

fn renamed(observed: &Observed, mut rename: impl FnMut(EntityId) -> EntityId) -> Observed {
    let rename = &mut rename;
    Observed {
        entities: observed
            .entities
            .iter()
            .map(|(id, removed, fields)| {
                let fields = fields.iter().map(|&value| renamed_value(value, rename));
                let fields = fields.collect();
                (rename(*id), *removed, fields)
            })
            .collect(),
        vars: observed
            .vars
            .iter()
            .map(|&value| renamed_value(value, rename))
            .collect(),
        zones: observed
            .zones
            .iter()
            .map(|((zone, of), contents)| {
                let contents = contents.iter().map(|&id| rename(id)).collect();
                ((*zone, of.map(&mut *rename)), contents)
            })
            .collect(),
        exprs: observed
            .exprs
            .iter()
            .map(|value| value.map(|value| renamed_value(value, rename)))
            .collect(),
        kinds: observed
            .kinds
            .iter()
            .map(|all| {
                let all = all.as_ref()?.iter();
                let kind =
                    |&(of, value): &Kind| (of.map(&mut *rename), renamed_value(value, rename));
                Some(all.map(kind).collect())
            })
            .collect(),
    }
}
