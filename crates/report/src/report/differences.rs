//! Two ends side by side.
//!
//! ```text
//!                    this run         the other run
//! outcome            it ends normally it is a draw
//! health of owl      0                1
//! board              wolf             wolf, owl
//! ```
//!
//! Only what the observer sees is compared, and only what differs is shown. Created things count up to
//! renaming, as where ends are compared (§5 of the semantics): they are matched so that least differs, as long as the
//! names that they have in each run tell that it does.
//!
//! ```text
//! bin                created 1, created 2  created 1, created 2     not so, where the one is the other,
//! hp of created 1    0                     1                        but so
//! hp of created 2    1                     0
//! ```

use super::outcome::{end_data, ends, is_step};
use super::paired::paired;
use super::words::{Words, plain};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    EntityId, Expr, FieldId, Kinds, ObserverId, SortId, Value, VarId, ZoneId,
};
use endstep_semantics::semantics::{Data, Entity, Interpreter, KeyType, Spot, Tag, ZoneKey};
use endstep_semantics::witness::{Kind, Lens, Run, permutations};
use std::collections::BTreeSet;

/// The value of a place of something that is not there.
pub(super) const ABSENT: &str = "not there";

/// What is said of something that is there, where it is not in the other end.
const PRESENT: &str = "there";

/// What is said where there is nothing.
const NOTHING: &str = "nothing";

/// What is added to the name of a created thing that is matched with none in the other end.
const ALONE: &str = " (in one only)";

/// What is added to the value of something that is not there any more, but is referred to.
const GONE: &str = " (out of the game)";

/// What is said of what has no value.
const NO_VALUE: &str = "no value";

/// More ways to match created things than this are not tried.
const MOST_MATCHINGS: usize = 720;

/// What a row is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum About {
    /// A field or a variable.
    Place,
    /// Whether something is there.
    Presence,
    /// A zone, with what lies there in each of the ends.
    Zone([Vec<String>; 2]),
    /// An expression, as it is written.
    Expression,
}

/// Something in which two ends differ.
pub(super) struct Row {
    /// What it is about.
    pub about: About,
    /// What it is called in each of the runs: what is created may have another name in each.
    pub names: [String; 2],
    /// What it is in each of them.
    pub values: [String; 2],
}

impl Row {
    /// Of an expression.
    fn new(name: String, values: [String; 2]) -> Self {
        Self {
            about: About::Expression,
            names: [name.clone(), name],
            values,
        }
    }

    /// One name for both: both names, where they are not the same.
    pub(super) fn name(&self) -> String {
        match &self.names {
            [one, other] if one == other => one.clone(),
            [one, other] => format!("{one} / {other}"),
        }
    }

    /// As a line of a table.
    pub(super) fn cells(self) -> [String; 3] {
        let name = self.name();
        let [one, other] = self.values;
        [name, one, other]
    }
}

/// The end of a run.
#[derive(Clone, Copy)]
struct End<'a> {
    run: &'a Run,
    data: &'a Data,
}

impl<'a> End<'a> {
    fn interpreter(self, words: Words<'a>) -> Interpreter<'a> {
        Interpreter {
            program: words.program,
            readings: &self.run.readings,
            variant: &self.run.variant,
        }
    }

    fn entity(self, id: EntityId) -> Option<&'a Entity> {
        self.data.entities.get(id.index())
    }

    /// The created things that count, by sort; all that are there where that cannot be said.
    fn created(self, words: Words<'a>, lens: &Lens<'_>) -> Vec<EntityId> {
        let tag = self.run.tag().unwrap_or(&Tag::End);
        let found = lens.created(self.interpreter(words), self.data, tag, &self.run.board);
        found.unwrap_or_else(|_| {
            let all = self.data.entities.iter().enumerate();
            let created = all.filter(|(_, one)| one.created && !one.removed);
            let mut ids: Vec<_> = created.map(|(at, _)| EntityId::from_index(at)).collect();
            ids.sort_by_key(|id| self.data.entities[id.index()].sort);
            ids
        })
    }

    fn value(self, words: Words<'_>, value: Value, ty: KeyType) -> String {
        plain(&self.run.names.value(words.program, value, ty))
    }
}

/// Two ends, and which thing of the one is which of the other.
struct Ends<'a> {
    words: Words<'a>,
    lens: Lens<'a>,
    both: [End<'a>; 2],
    /// Things that are in both or in one of them: those of the board, then created ones.
    pairs: Vec<[Option<EntityId>; 2]>,
    /// Whether values name a thing by both of its names, where it has another one in each end.
    by_both_names: bool,
}

/// Where the ends of two runs differ.
pub(super) fn beside(
    words: Words<'_>,
    first: &Run,
    second: &Run,
    observer: Option<ObserverId>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let told = ends(words, [first, second]);
    // A step that is done again ends; whatever it was done after goes on, or has ended.
    let again = is_step(second)
        && matches!(first.tag(), None | Some(Tag::End))
        && end_data(first).is_some();
    if !again && (told[0] != told[1] || end_data(first).is_none()) {
        rows.push(Row::new("outcome".to_owned(), told));
    }
    // Where the game is over, nothing else counts.
    let is_over = |run: &Run| run.tag().is_some_and(Tag::is_declared);
    if is_over(first) || is_over(second) {
        return rows;
    }
    let (Some(one), Some(other)) = (end_data(first), end_data(second)) else {
        return rows;
    };
    let both = [(first, one), (second, other)].map(|(run, data)| End { run, data });
    let mut ends = Ends {
        words,
        lens: Lens::new(words.program, observer),
        both,
        pairs: Vec::new(),
        by_both_names: false,
    };
    rows.extend(ends.rows());
    rows
}

impl<'a> Ends<'a> {
    /// What differs, with the created things matched so that it is least. If the names of each run tell that the ends
    /// differ when things are matched in one way, and not when they are in another, that way is taken.
    fn rows(&mut self) -> Vec<Row> {
        let entities = &self.both[0].data.entities;
        let board = entities.iter().filter(|one| !one.created).count();
        let board: Vec<_> = (0..board)
            .map(|at| [Some(EntityId::from_index(at)); 2])
            .collect();
        let created = self.both.map(|end| end.created(self.words, &self.lens));
        let mut best = None;
        for matched in self.matchings(&created) {
            self.pairs = board.iter().copied().chain(matched).collect();
            let rows = self.differing();
            let is_seen = rows.iter().all(|row| row.values[0] != row.values[1]);
            let size = (!is_seen, rows.len());
            if best.as_ref().is_none_or(|(known, _)| size < *known) {
                best = Some((size, self.pairs.clone()));
            }
        }
        self.pairs = best.map_or(board, |(_, pairs)| pairs);
        self.by_both_names = true;
        self.differing()
    }

    /// Ways to match created things with those of the other end, each with one of its sort or with nothing; first
    /// each with the one of its name, and if there are too many only that and one by what things look like.
    fn matchings(&self, created: &[Vec<EntityId>; 2]) -> Vec<Vec<[Option<EntityId>; 2]>> {
        let named = |at: usize| created[at].iter().map(move |&id| (id, at));
        let all: BTreeSet<EntityId> = created.iter().flatten().copied().collect();
        let same_name = |id: &EntityId| {
            let is_one = self.both[0].entity(*id).map(|one| one.sort)
                == self.both[1].entity(*id).map(|one| one.sort);
            let sides = [0, 1].map(|at| created[at].contains(id).then_some(*id));
            match (sides, is_one) {
                ([Some(_), Some(_)], false) => vec![[Some(*id), None], [None, Some(*id)]],
                _ => vec![sides],
            }
        };
        let mut ways = vec![all.iter().flat_map(same_name).collect()];
        let sort = |(id, at): &(EntityId, usize)| {
            let entity = self.both[*at].entity(*id);
            entity.map(|one| one.sort)
        };
        let sorts: BTreeSet<SortId> = named(0)
            .chain(named(1))
            .filter_map(|one| sort(&one))
            .collect();
        let mut found: Vec<Vec<[Option<EntityId>; 2]>> = vec![Vec::new()];
        for of in sorts {
            let mut sides = [0, 1].map(|at| {
                let those = named(at).filter(|one| sort(one) == Some(of));
                those.map(|(id, _)| Some(id)).collect::<Vec<_>>()
            });
            let most = sides.iter().map(Vec::len).max().unwrap_or(0);
            sides.iter_mut().for_each(|side| side.resize(most, None));
            let arranged = permutations(&sides[1]);
            let arranged = arranged.filter(|all| found.len() * all.len() <= MOST_MATCHINGS);
            let Some(arranged) = arranged else {
                let both = self.both.map(|end| end.data);
                ways.push(paired(self.words.program, both, created));
                return ways;
            };
            let longer = |way: &Vec<[Option<EntityId>; 2]>| {
                let more = |others: &Vec<Option<EntityId>>| {
                    let pairs = sides[0].iter().zip(others);
                    let pairs = pairs.map(|(&one, &other)| [one, other]);
                    way.iter().copied().chain(pairs).collect::<Vec<_>>()
                };
                arranged.iter().map(more).collect::<Vec<_>>()
            };
            found = found.iter().flat_map(longer).collect();
        }
        ways.extend(found);
        ways
    }

    fn differing(&self) -> Vec<Row> {
        let mut rows = self.fields();
        rows.extend(self.variables());
        rows.extend(self.there());
        rows.extend(self.zones());
        rows.extend(self.kinds());
        rows.extend(self.values());
        rows
    }

    fn is_one(&self, one: Value, other: Value) -> bool {
        match (one, other) {
            (Value::Entity(one), Value::Entity(other)) => {
                self.pairs.contains(&[Some(one), Some(other)])
            }
            _ => one == other,
        }
    }

    /// Where something of one of the ends stands among the pairs; what counts in neither, at the end.
    fn rank(&self, side: usize, id: EntityId) -> usize {
        let mut pairs = self.pairs.iter();
        let found = pairs.position(|pair| pair[side] == Some(id));
        found.unwrap_or(self.pairs.len() + id.index())
    }

    /// A row with two values of a type, where they differ; one that is not there is said to be `lacking`.
    fn compared(
        &self,
        names: [String; 2],
        values: [Option<Value>; 2],
        ty: KeyType,
        lacking: &str,
    ) -> Option<Row> {
        let is_same = match values {
            [Some(one), Some(other)] => self.is_one(one, other),
            [one, other] => one == other,
        };
        let told = |at: usize| match values[at] {
            Some(value) => self.value(at, value, ty),
            None => lacking.to_owned(),
        };
        (!is_same).then(|| Row {
            about: About::Place,
            names,
            values: [told(0), told(1)],
        })
    }

    /// A value in one of the ends, in words.
    fn value(&self, at: usize, value: Value, ty: KeyType) -> String {
        match value {
            Value::Entity(id) => plain(&self.called(at, id)),
            _ => self.both[at].value(self.words, value, ty),
        }
    }

    /// What a thing in one of the ends is called there, and what in the other, if that is something else; of what is
    /// matched with nothing, and has the name that something of another sort has there, also the sort.
    fn called(&self, at: usize, id: EntityId) -> String {
        let name = |at: usize, id| self.both[at].run.names.entity(id);
        let pair = self.pairs.iter().find(|pair| pair[at] == Some(id));
        let sort = |at: usize| self.both[at].entity(id).map(|one| one.sort);
        match pair {
            Some([Some(one), Some(other)]) if self.by_both_names && one != other => {
                format!("{} / {}", name(0, *one), name(1, *other))
            }
            Some([Some(_), None] | [None, Some(_)]) if self.by_both_names => match sort(at) {
                Some(own) if sort(1 - at).is_some_and(|other| other != own) => {
                    format!("{} ({})", name(at, id), self.words.program.sorts[own].name)
                }
                _ => name(at, id),
            },
            _ => name(at, id),
        }
    }

    /// The name of a pair in each of the ends.
    fn names(
        &self,
        pair: [Option<EntityId>; 2],
        name: impl Fn(End<'_>, EntityId) -> String,
    ) -> [String; 2] {
        let own = [0, 1].map(|at| pair[at].map(|id| name(self.both[at], id)));
        let either = own.iter().flatten().next().cloned().unwrap_or_default();
        let alone = format!("{either}{ALONE}");
        match own {
            [Some(one), Some(other)] => [one, other],
            _ => [alone.clone(), alone],
        }
    }

    /// What a pair is in each of the ends.
    fn entities(&self, pair: [Option<EntityId>; 2]) -> [Option<&'a Entity>; 2] {
        [0, 1].map(|at| pair[at].and_then(|id| self.both[at].entity(id)))
    }

    fn fields(&self) -> Vec<Row> {
        let program = self.words.program;
        let seen: BTreeSet<FieldId> = self.lens.fields().collect();
        let of = |pair: &[Option<EntityId>; 2]| {
            let (pair, entities) = (*pair, self.entities(*pair));
            let sort = entities.into_iter().flatten().next().map(|one| one.sort);
            let fields = sort.map(|sort| program.sorts[sort].fields.iter().copied());
            let row = |id: FieldId| {
                let field = &program.fields[id];
                // What is out of the game keeps what it has, and that counts.
                let values = entities
                    .map(|one| one.and_then(|one| one.fields.get(field.index as usize).copied()));
                let names = self.names(pair, |end, one| {
                    plain(&end.run.names.spot(program, Spot::Field(one, id)))
                });
                let mut row = self.compared(names, values, field.ty.into(), ABSENT)?;
                if let [Some(one), None] | [None, Some(one)] = entities
                    && one.removed
                {
                    let there = usize::from(entities[0].is_none());
                    row.values[there].push_str(GONE);
                }
                Some(row)
            };
            let told = fields.into_iter().flatten().filter(|id| seen.contains(id));
            told.filter_map(row).collect::<Vec<_>>()
        };
        self.pairs.iter().flat_map(of).collect()
    }

    fn variables(&self) -> Vec<Row> {
        let program = self.words.program;
        let row = |id: VarId| {
            let values = self.both.map(|end| end.data.vars.get(id.index()).copied());
            let names = self
                .both
                .map(|end| plain(&end.run.names.spot(program, Spot::Var(id))));
            self.compared(names, values, program.vars[id].ty.into(), ABSENT)
        };
        self.lens.vars().filter_map(row).collect()
    }

    /// What is in one of the ends only; of what was never there in the other, its fields may tell.
    fn there(&self) -> Vec<Row> {
        if !self.lens.sees_removals() {
            return Vec::new();
        }
        let fields: BTreeSet<FieldId> = self.lens.fields().collect();
        let row = |pair: &[Option<EntityId>; 2]| {
            let entities = self.entities(*pair);
            if let [Some(entity), None] | [None, Some(entity)] = entities {
                let mut all = self.words.program.sorts[entity.sort].fields.iter();
                if all.any(|field| fields.contains(field)) {
                    return None;
                }
            }
            let said = entities.map(|one| one.is_some_and(|one| !one.removed));
            let names = self.names(*pair, |end, id| end.run.names.entity(id));
            let values = said.map(|there| if there { PRESENT } else { ABSENT }.to_owned());
            (said[0] != said[1]).then_some(Row {
                about: About::Presence,
                names,
                values,
            })
        };
        self.pairs.iter().filter_map(row).collect()
    }

    /// Expressions that an observer sees.
    fn values(&self) -> Vec<Row> {
        let row = |expr: &&Expr| {
            let values = self.both.map(|end| {
                let it = end.interpreter(self.words);
                it.value(expr, end.data, Some(&end.run.board)).ok()
            });
            let quote = self.words.quote(expr.span);
            let row = self.compared([quote.clone(), quote], values, expr.ty.into(), NO_VALUE);
            row.map(|row| Row {
                about: About::Expression,
                ..row
            })
        };
        self.lens.exprs().iter().filter_map(row).collect()
    }

    /// What an observer sees of each of several things.
    fn kinds(&self) -> Vec<Row> {
        let row = |kinds: &&Kinds| {
            let seen = [0, 1].map(|at| self.seen(at, kinds));
            let is_same = match &seen {
                [Some(one), Some(other)] => are_same(one, other, |(whose, value), (other, it)| {
                    self.is_one(value, it) && self.is_one(owner(whose), owner(other))
                }),
                [one, other] => one.is_none() && other.is_none(),
            };
            let told = |at: usize| match &seen[at] {
                Some(all) => listed(all, |&(whose, value)| {
                    let value = self.value(at, value, kinds.by.ty.into());
                    match whose {
                        Some(whose) => format!("{value} ({})", self.called(at, whose)),
                        None => value,
                    }
                }),
                None => NO_VALUE.to_owned(),
            };
            let quote = self.words.quote(kinds.span);
            (!is_same).then(|| Row::new(quote, [told(0), told(1)]))
        };
        self.lens.kinds().iter().filter_map(row).collect()
    }

    fn seen(&self, at: usize, kinds: &Kinds) -> Option<Vec<Kind>> {
        let end = self.both[at];
        let it = end.interpreter(self.words);
        let mut all = it.kinds(kinds, end.data, &end.run.board).ok()?;
        if kinds.as_set {
            all.sort_by_key(|&(whose, value)| {
                let rank = |id| self.rank(at, id);
                let other = match value {
                    Value::Entity(id) => Value::Int(rank(id).try_into().unwrap_or(i64::MAX)),
                    other => other,
                };
                (whose.map(rank), other)
            });
        }
        Some(all)
    }

    fn zones(&self) -> Vec<Row> {
        let program = self.words.program;
        let own = |at: usize, key: &ZoneKey| {
            let (zone, whose) = *key;
            let rank = whose.map(|id| self.rank(at, id));
            (zone, rank)
        };
        let mut keys: BTreeSet<(ZoneId, Option<usize>)> = BTreeSet::new();
        for at in [0, 1] {
            keys.extend(self.both[at].data.zones.keys().map(|key| own(at, key)));
        }
        let is_seen = |key: &&(ZoneId, _)| self.lens.zones().iter().any(|(zone, _)| *zone == key.0);
        let row = |key: &(ZoneId, Option<usize>)| {
            let found = [0, 1].map(|at| {
                let mut all = self.both[at].data.zones.iter();
                all.find(|(other, _)| own(at, other) == *key)
            });
            let contents = [0, 1].map(|at| {
                let mut all = found[at].map(|(_, all)| all.clone()).unwrap_or_default();
                if self.lens.zones().contains(&(key.0, true)) {
                    all.sort_by_key(|&id| self.rank(at, id));
                }
                all
            });
            let is_same = are_same(&contents[0], &contents[1], |one, other| {
                self.is_one(Value::Entity(one), Value::Entity(other))
            });
            let own_names = [0, 1].map(|at| {
                found[at].map(|(key, _)| plain(&self.both[at].run.names.zone(program, *key)))
            });
            let either = own_names.iter().flatten().next().cloned()?;
            let names = own_names.map(|name| name.unwrap_or_else(|| either.clone()));
            let called = |at: usize| -> Vec<String> {
                let contents = contents[at].iter();
                contents.map(|&id| self.called(at, id)).collect()
            };
            let both = [called(0), called(1)];
            (!is_same).then(|| Row {
                names,
                values: both.each_ref().map(|all| listed(all, String::clone)),
                about: About::Zone(both),
            })
        };
        keys.iter().filter(is_seen).filter_map(row).collect()
    }
}

/// Whether two lists are one, item by item.
fn are_same<T: Copy>(one: &[T], other: &[T], is_one: impl Fn(T, T) -> bool) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(&one, &other)| is_one(one, other))
}

/// What there is, by name.
fn listed<T>(all: &[T], name: impl Fn(&T) -> String) -> String {
    match all.is_empty() {
        true => NOTHING.to_owned(),
        false => all.iter().map(name).collect::<Vec<_>>().join(", "),
    }
}

/// Whose zone it is, as a value.
fn owner(whose: Option<EntityId>) -> Value {
    whose.map_or(Value::None, Value::Entity)
}
