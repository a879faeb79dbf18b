//! Gathers what is found on many boards into findings, one for each cause, with the smallest witness.

use std::cmp::Ordering;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::branch::{Found, Plainness};
use super::describe::Described;
use super::sides::Shown;
use super::under::{Shapes, under, without};
use super::unknown::Unknown;
use crate::verdict::{ClaimFailure, Counted, Detail, Finding, Minimality, Origin};
use endstep_language::diag::codes::finding as code;
use endstep_language::diag::{Code, Severity};
use endstep_language::source::Span;
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{ClauseIdx, Program, ReadingId, ReadingOrigin, Value};
use endstep_semantics::semantics::{Key, Readings};
use endstep_semantics::witness::Witness;

/// At most so many witnesses of one finding are looked at on one board.
const MOST_TRIES: u32 = 64;

/// What identifies a finding: code, subject, cause.
pub type BucketKey = (Code, String, String);

/// Something found on a board.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The kind of finding.
    pub code: Code,
    /// Who says so.
    pub origin: Origin,
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub subject: String,
    /// What is to blame there.
    pub cause: String,
    /// The clauses it rests on.
    pub clauses: Vec<ClauseIdx>,
    /// The places.
    pub spans: Vec<Span>,
    /// The facts.
    pub detail: Detail,
    /// Of hits of one kind only those count for which this is lowest.
    pub rank: i64,
}

/// Where something was found.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The number of the board.
    pub board: u64,
    /// How many entities it has.
    pub entities: usize,
    /// Under which readings.
    pub readings: &'a Readings,
    /// What is shown does not show what the finding is about as well as it could be shown.
    pub oblique: bool,
    /// Other runs from the board end as they should; of boards with as many entities another is shown.
    pub mixed: bool,
    /// No witness from there shows it more plainly than this.
    pub plainest: Plainness,
}

impl Hit {
    /// The same, the two things that are compared in the order in which a witness shows them. (Of a fixed
    /// order the first is what the document puts first.)
    fn in_order_of(mut self, witness: &Witness) -> Self {
        let Witness::Versus(versus) = witness else {
            return self;
        };
        let taken = versus.side.fixed.checked_sub(1);
        let taken = taken.and_then(|at| versus.run.choices.get(at));
        match &mut self.detail {
            Detail::Reading {
                reading,
                first,
                second,
                ..
            } if versus.run.readings.get(reading) == Some(second) => {
                std::mem::swap(first, second);
            }
            Detail::Order(pair)
            | Detail::Steps(_, pair)
            | Detail::SameGap(_, pair)
            | Detail::NobodyChooses(pair)
            | Detail::Claim(_, ClaimFailure::Order(pair))
                if taken == Some(&pair.second) =>
            {
                pair.turn();
            }
            Detail::GapMatters(_, _, first, second) if is_value(taken, *second) => {
                std::mem::swap(first, second);
            }
            _ => {}
        }
        self
    }
}

impl Detail {
    /// Under which assignments it occurs, without the reading of which it compares two alternatives.
    fn beside_compared(&self, shapes: Shapes) -> Shapes {
        let (Self::Reading { reading, .. } | Self::ReadingPower { reading, .. }) = self else {
            return shapes;
        };
        let mut beside = Shapes::new();
        for (shape, boards) in shapes {
            let without = |mut one: Readings| {
                one.remove(reading);
                one
            };
            let shape = shape.into_iter().map(without).collect();
            *beside.entry(shape).or_default() += boards;
        }
        beside
    }
}

/// Whether that value is what is written.
fn is_value(taken: Option<&Key>, value: Value) -> bool {
    matches!(taken, Some(Key::Write(_, written)) if *written == value)
}

#[derive(Debug)]
struct Bucket {
    hit: Hit,
    /// The numbers of the boards, ascending.
    boards: Vec<u64>,
    tries: u32,
    /// Under which assignments it occurs on the board looked at last.
    here: BTreeSet<Readings>,
    /// On how many of the boards before it occurs under just these assignments.
    under: Shapes,
    /// The fewest entities of a board on which it occurs.
    least: usize,
    size: Option<Size>,
    witness: Option<Witness>,
    exact: bool,
}

/// Says which some boards are, given those of which not everything is known.
pub type Describe<'a> = dyn FnMut(&[u64]) -> Option<Described> + 'a;

/// Findings in the making.
#[derive(Debug)]
pub struct Buckets {
    found: BTreeMap<BucketKey, Bucket>,
    /// The readings of unspecified lists.
    lists: BTreeSet<ReadingId>,
    /// The sizes of witnesses that are known already, of findings that are merged with these.
    known: Arc<Sizes>,
    /// Readings that somebody fixed: that a finding occurs under their alternatives only is not said.
    fixed: Readings,
    /// Of some readings only the alternatives of one run were looked at.
    guided: bool,
}

/// Of a witness the rank of what it shows, its basis, whether it is oblique, how plainly it shows a difference, how many entities the
/// board has, whether other runs end as they should, how many lists are not done as they stand, and how
/// many steps there are.
type Size = (i64, BasisKind, bool, Plainness, usize, bool, usize, u64);

/// The sizes of the smallest witnesses known.
pub type Sizes = BTreeMap<BucketKey, Size>;

impl Bucket {
    /// Of a hit, with no board yet.
    fn new(hit: Hit, entities: usize) -> Self {
        Self {
            hit,
            boards: Vec::new(),
            tries: 0,
            here: BTreeSet::new(),
            under: Shapes::new(),
            least: entities,
            size: None,
            witness: None,
            exact: true,
        }
    }

    /// Nothing more is said of the board looked at last.
    fn end_board(&mut self) {
        let here = std::mem::take(&mut self.here);
        if !here.is_empty() {
            *self.under.entry(here).or_default() += 1;
        }
    }

    fn merge(&mut self, mut later: Self) {
        match later.hit.rank.cmp(&self.hit.rank) {
            Ordering::Less => {
                *self = later;
                return;
            }
            Ordering::Equal => {}
            Ordering::Greater => return,
        }
        self.boards.extend(&later.boards);
        self.end_board();
        later.end_board();
        for (shape, boards) in std::mem::take(&mut later.under) {
            *self.under.entry(shape).or_default() += boards;
        }
        self.exact &= later.exact;
        self.least = self.least.min(later.least);
        let is_smaller = |size| self.size.is_none_or(|known| size < known);
        if later.size.is_some_and(is_smaller) {
            self.size = later.size;
            self.witness = later.witness;
            self.hit = later.hit;
        }
    }
}

impl Buckets {
    /// None yet.
    pub fn new(program: &Program) -> Self {
        let is_list = |origin: &ReadingOrigin| matches!(origin, ReadingOrigin::List(_));
        let lists = program.readings.iter();
        Self {
            found: BTreeMap::new(),
            lists: lists
                .filter(|(_, reading)| is_list(&reading.origin))
                .map(|(id, _)| id)
                .collect(),
            known: Arc::default(),
            fixed: Readings::new(),
            guided: false,
        }
    }

    /// The same, where these readings are fixed, and of those others one alternative is looked at and nothing
    /// said about the rest.
    pub fn under(mut self, fixed: &Readings, guide: &Readings) -> Self {
        self.fixed = fixed.clone();
        self.guided = !guide.is_empty();
        self
    }

    /// None yet; only witnesses smaller than those known are looked for.
    pub fn smaller_than(program: &Program, known: Arc<Sizes>) -> Self {
        Self {
            known,
            ..Self::new(program)
        }
    }

    /// The sizes of the smallest witnesses.
    pub fn sizes(&self) -> Sizes {
        let found = self.found.iter();
        let sizes = found.filter_map(|(key, bucket)| Some((key.clone(), bucket.size?)));
        sizes.collect()
    }

    /// Adds what was found on other boards, later ones.
    pub fn merge(&mut self, later: Self) {
        for (key, more) in later.found {
            match self.found.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(more);
                }
                Entry::Occupied(mut entry) => entry.get_mut().merge(more),
            }
        }
    }

    /// How many findings.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Takes down that something was found. `least` is a number of steps that its witness has in
    /// any case; `witness` is asked only if it could be smaller than the one known.
    pub fn record<W: Shown>(
        &mut self,
        place: Place<'_>,
        hit: Hit,
        least: u64,
        witness: impl FnOnce() -> Option<Found<W>>,
    ) -> BucketKey {
        let key = (hit.code, hit.subject.clone(), hit.cause.clone());
        let is_freed = |(list, at): &(&ReadingId, &u16)| **at > 0 && self.lists.contains(list);
        let freed = place.readings.iter().filter(is_freed).count();
        let rank = hit.rank;
        let known = self.known.get(&key).copied();
        if known.is_some_and(|size| size.0 < rank) {
            return key;
        }
        let fresh = || Bucket::new(hit.clone(), place.entities);
        let bucket = self.found.entry(key.clone()).or_insert_with(fresh);
        match rank.cmp(&bucket.hit.rank) {
            Ordering::Less => *bucket = fresh(),
            Ordering::Equal => {}
            Ordering::Greater => return key,
        }
        if bucket.boards.last() != Some(&place.board) {
            bucket.end_board();
            bucket.boards.push(place.board);
            bucket.tries = 0;
        }
        if !bucket.here.contains(place.readings) {
            bucket.here.insert(place.readings.clone());
        }
        let Place {
            oblique,
            entities,
            mixed,
            plainest,
            ..
        } = place;
        bucket.least = bucket.least.min(entities);
        let size =
            |basis, plain, steps| (rank, basis, oblique, plain, entities, mixed, freed, steps);
        // Where nothing is executed yet, nothing weakens what the witness rests on.
        let smallest = size(BasisKind::Text, plainest, least);
        let known = [bucket.size, known];
        let known = known.into_iter().flatten().min();
        if known.is_some_and(|size| size <= smallest) {
            return key;
        }
        if bucket.tries >= MOST_TRIES {
            bucket.exact = false;
            return key;
        }
        bucket.tries += 1;
        let Some(found) = witness() else {
            return key;
        };
        let size = size(found.basis, found.plain, found.steps);
        if known.is_none_or(|known| size < known) {
            let Some(witness) = found.witness.shown() else {
                return key;
            };
            bucket.size = Some(size);
            bucket.hit = hit.in_order_of(&witness);
            bucket.witness = Some(witness);
        }
        key
    }

    /// Whether there is a witness of a finding.
    pub fn has_witness(&self, key: &BucketKey) -> bool {
        let found = self.found.get(key);
        found.is_some_and(|bucket| bucket.size.is_some()) || self.known.contains_key(key)
    }

    /// Takes findings away again.
    pub fn forget(&mut self, key: &BucketKey) {
        self.found.remove(key);
    }

    /// Takes away findings of one kind where there is one of another kind about the same.
    pub fn forget_weaker(&mut self, weak: Code) {
        let strong = stronger(weak);
        let about = |key: &BucketKey| (key.1.clone(), key.2.clone());
        let said: BTreeSet<_> = self
            .found
            .keys()
            .filter(|key| strong.contains(&key.0))
            .map(about)
            .collect();
        self.found
            .retain(|key, _| key.0 != weak || !said.contains(&about(key)));
    }

    /// The findings, and the key of each. `describe` says which some boards are, if it is not known of those
    /// others.
    pub fn finish(
        self,
        program: &Program,
        scope: Option<usize>,
        unknown: &Unknown,
        describe: &mut Describe<'_>,
    ) -> Vec<(BucketKey, Finding)> {
        let findings = self.found.into_iter().map(|(key, mut bucket)| {
            bucket.end_board();
            let shapes = bucket.hit.detail.beside_compared(bucket.under);
            let shapes = without(&self.fixed, shapes);
            let (readings, each, by_reading) = under(program, &shapes);
            let mut clauses = bucket.hit.clauses;
            clauses.sort_unstable();
            clauses.dedup();
            let entities = bucket.size.map_or(bucket.least, |size| size.4);
            let detail = &bucket.hit.detail;
            let exact = !unknown.concerns(detail);
            // Everything is known of the boards with fewer entities.
            let known = unknown.is_known_below(entities, detail);
            let minimality = match () {
                () if entities == bucket.least && known => Minimality::Exact,
                () if (exact || known) && bucket.exact => Minimality::Plainest,
                () => Minimality::BestEffort,
            };
            let described = describe(&bucket.boards);
            let boards = bucket.boards.len() as u64;
            let shown = scope.filter(|_| bucket.witness.is_some());
            let counted = shown.map(|scope| Counted {
                scope,
                readings: readings.clone(),
                boards,
                boards_each: each,
                by_reading: by_reading.clone(),
                digest: described.as_ref().map(|one| one.digest),
            });
            let finding = Finding {
                code: bucket.hit.code,
                origin: bucket.hit.origin,
                severity: bucket.hit.severity,
                basis: bucket
                    .size
                    .map_or_else(|| bucket.hit.detail.own_basis(program), |size| size.1),
                subject: bucket.hit.subject,
                cause: bucket.hit.cause,
                clauses,
                spans: bucket.hit.spans,
                readings,
                readings_known: exact && !self.guided,
                boards,
                boards_each: each,
                by_reading,
                counted: counted.into_iter().collect(),
                occurs: described.map(|one| one.occurs),
                scope,
                elsewhere: Vec::new(),
                fixed: self.fixed.clone(),
                untried: false,
                witness: bucket.witness,
                outside: None,
                minimality,
                wider: Vec::new(),
                decisive: Vec::new(),
                undecided: Vec::new(),
                detail: bucket.hit.detail,
            };
            (key, finding)
        });
        findings.collect()
    }
}

/// Kinds of findings that say less than others do.
pub const WEAK: [Code; 3] = [code::CHOICES_DIFFER, code::POWER_DIFFERS, code::SAME_GAP];

/// Kinds of findings that are not told where there is one of these about the same.
pub fn stronger(weak: Code) -> &'static [Code] {
    match () {
        () if weak == code::CHOICES_DIFFER => {
            &[code::AMBIGUITY, code::CONTRADICTION, code::OVERRULED]
        }
        () if weak == code::POWER_DIFFERS => &[
            code::AMBIGUITY,
            code::CONTRADICTION,
            code::OVERRULED,
            code::CHOICES_DIFFER,
        ],
        () if weak == code::SAME_GAP => &[code::STEPS_MATTER, code::ORDER_MATTERS],
        () => &[],
    }
}

/// Findings that only say something where another one about the same has nothing stronger to say, whichever scope that
/// is found in; with the stronger one.
pub fn weaker(findings: &[(BucketKey, Finding)]) -> BTreeMap<BucketKey, BucketKey> {
    let keys: BTreeSet<&BucketKey> = findings.iter().map(|(key, _)| key).collect();
    let instead = |(key, _): &(BucketKey, Finding)| {
        let of = |&code: &Code| (code, key.1.clone(), key.2.clone());
        let mut strong = stronger(key.0).iter().map(of);
        Some((key.clone(), strong.find(|one| keys.contains(one))?))
    };
    findings.iter().filter_map(instead).collect()
}
