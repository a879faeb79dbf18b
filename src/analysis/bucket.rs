//! Gathers what is found on many boards into findings, one for each cause, with the smallest witness.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::sides::Found;
use crate::diag::{Code, Severity};
use crate::semantics::Readings;
use crate::source::Span;
use crate::syntax::ast::BasisKind;
use crate::typing::program::{ClauseIdx, Program, ReadingId, ReadingOrigin};
use crate::verdict::{Detail, Finding, Minimality, Occurs, Origin, Under};
use crate::witness::Witness;

/// At most so many witnesses of one finding are looked at on one board.
const MOST_TRIES: u32 = 64;

/// More assignments than this are listed as they were met.
const MOST_ASSIGNMENTS: usize = 4096;

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
}

#[derive(Debug)]
struct Bucket {
    hit: Hit,
    /// The numbers of the boards, ascending.
    boards: Vec<u64>,
    tries: u32,
    under: BTreeSet<Readings>,
    size: Option<Size>,
    witness: Option<Witness>,
    exact: bool,
}

/// Findings in the making.
#[derive(Debug)]
pub struct Buckets {
    found: BTreeMap<BucketKey, Bucket>,
    /// The strongest basis that a witness can have.
    strongest: BasisKind,
    /// The readings of unspecified lists.
    lists: BTreeSet<ReadingId>,
    /// The sizes of witnesses that are known already, of findings that are merged with these.
    known: Arc<Sizes>,
}

/// Of a witness its basis, whether it is oblique, how many entities the board has, whether other runs end
/// as they should, how many lists are not done as they stand, and how many steps there are.
type Size = (BasisKind, bool, usize, bool, usize, u64);

/// The sizes of the smallest witnesses known.
pub type Sizes = BTreeMap<BucketKey, Size>;

impl Bucket {
    fn merge(&mut self, later: Self) {
        self.boards.extend(later.boards);
        self.under.extend(later.under);
        self.exact &= later.exact;
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
        let steps = program.steps.values().iter().map(|step| step.basis.kind);
        let triggers = program.triggers.values().iter().map(|one| one.basis.kind);
        let is_list = |origin: &ReadingOrigin| matches!(origin, ReadingOrigin::List(_));
        let lists = program.readings.iter();
        Self {
            found: BTreeMap::new(),
            strongest: steps.chain(triggers).min().unwrap_or(BasisKind::Text),
            lists: lists
                .filter(|(_, reading)| is_list(&reading.origin))
                .map(|(id, _)| id)
                .collect(),
            known: Arc::default(),
        }
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
    pub fn record(
        &mut self,
        place: Place<'_>,
        hit: Hit,
        least: u64,
        witness: impl FnOnce() -> Option<Found<Witness>>,
    ) -> BucketKey {
        let key = (hit.code, hit.subject.clone(), hit.cause.clone());
        let strongest = self.strongest;
        let is_freed = |(list, at): &(&ReadingId, &u16)| **at > 0 && self.lists.contains(list);
        let freed = place.readings.iter().filter(is_freed).count();
        let bucket = self.found.entry(key.clone()).or_insert_with(|| Bucket {
            hit: hit.clone(),
            boards: Vec::new(),
            tries: 0,
            under: BTreeSet::new(),
            size: None,
            witness: None,
            exact: true,
        });
        if bucket.boards.last() != Some(&place.board) {
            bucket.boards.push(place.board);
            bucket.tries = 0;
        }
        if !bucket.under.contains(place.readings) {
            bucket.under.insert(place.readings.clone());
        }
        let Place {
            oblique,
            entities,
            mixed,
            ..
        } = place;
        let smallest = (strongest, oblique, entities, mixed, freed, least);
        let known = [bucket.size, self.known.get(&key).copied()];
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
        let size = (found.basis, oblique, entities, mixed, freed, found.steps);
        if known.is_none_or(|known| size < known) {
            bucket.size = Some(size);
            bucket.witness = Some(found.witness);
            bucket.hit = hit;
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
    pub fn forget_weaker(&mut self, weak: Code, strong: &[Code]) {
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

    /// The findings, and the key of each.
    pub fn finish(
        self,
        program: &Program,
        scope: Option<usize>,
        exact: bool,
        describe: &mut dyn FnMut(&[u64]) -> Option<Occurs>,
    ) -> Vec<(BucketKey, Finding)> {
        let findings = self.found.into_iter().map(|(key, bucket)| {
            let mut clauses = bucket.hit.clauses;
            clauses.sort_unstable();
            clauses.dedup();
            let exhausted = exact && bucket.exact;
            let finding = Finding {
                code: bucket.hit.code,
                origin: bucket.hit.origin,
                severity: bucket.hit.severity,
                basis: bucket.size.map_or(BasisKind::Text, |size| size.0),
                subject: bucket.hit.subject,
                cause: bucket.hit.cause,
                clauses,
                spans: bucket.hit.spans,
                readings: under(program, &bucket.under),
                boards: bucket.boards.len() as u64,
                occurs: describe(&bucket.boards),
                scope,
                witness: bucket.witness,
                outside: None,
                minimality: if exhausted {
                    Minimality::Exact
                } else {
                    Minimality::BestEffort
                },
                wider: Vec::new(),
                decisive: Vec::new(),
                detail: bucket.hit.detail,
            };
            (key, finding)
        });
        findings.collect()
    }
}

/// Under which readings something occurs, without the readings on which that does not depend.
fn under(program: &Program, met: &BTreeSet<Readings>) -> Under {
    let involved: BTreeSet<ReadingId> = met.iter().flat_map(|one| one.keys().copied()).collect();
    let mut all: Vec<Readings> = vec![Readings::new()];
    for &reading in &involved {
        let count = program.readings[reading].alternatives.len();
        let alternatives = (0..count).filter_map(|n| u16::try_from(n).ok());
        let longer = alternatives.flat_map(|alternative| {
            all.iter().map(move |one| {
                let mut one = one.clone();
                one.insert(reading, alternative);
                one
            })
        });
        all = longer.collect();
        if all.len() > MOST_ASSIGNMENTS {
            return Under::Listed(met.iter().cloned().collect());
        }
    }
    let occurs = |full: &Readings| {
        met.iter().any(|part| {
            part.iter()
                .all(|(reading, at)| full.get(reading) == Some(at))
        })
    };
    let total = all.len();
    let mut listed: BTreeSet<Readings> = all.into_iter().filter(occurs).collect();
    if listed.len() == total {
        return Under::All;
    }
    for &reading in &involved {
        let without = |one: &Readings| {
            let mut one = one.clone();
            one.remove(&reading);
            one
        };
        let shorter: BTreeSet<Readings> = listed.iter().map(without).collect();
        if shorter.len() * program.readings[reading].alternatives.len() == listed.len() {
            listed = shorter;
        }
    }
    Under::Listed(listed.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typing::program::{Alternative, Reading};

    fn program() -> Program {
        let mut program = Program::default();
        for name in ["zero", "order"] {
            let alternatives = ["first", "second"].map(|name| Alternative {
                name: name.to_owned(),
                text: String::new(),
                cites: Vec::new(),
            });
            program.readings.push(Reading {
                name: name.to_owned(),
                alternatives: alternatives.to_vec(),
                origin: ReadingOrigin::Declared,
                clause: None,
                span: Span::default(),
            });
        }
        program
    }

    fn met(all: &[&[(u32, u16)]]) -> BTreeSet<Readings> {
        let one =
            |pairs: &&[(u32, u16)]| pairs.iter().map(|(id, at)| (ReadingId(*id), *at)).collect();
        all.iter().map(one).collect()
    }

    #[test]
    fn readings_on_which_a_finding_does_not_depend_are_left_out() {
        let program = program();
        assert_eq!(under(&program, &met(&[&[]])), Under::All);
        assert_eq!(under(&program, &met(&[&[(0, 0)], &[(0, 1)]])), Under::All);
        let both_orders = met(&[&[(0, 1), (1, 0)], &[(0, 1), (1, 1)]]);
        let expected = met(&[&[(0, 1)]]).into_iter().collect();
        assert_eq!(under(&program, &both_orders), Under::Listed(expected));
        let neither_alone = met(&[&[(0, 0), (1, 0)], &[(0, 1), (1, 1)]]);
        let expected = neither_alone.iter().cloned().collect();
        assert_eq!(under(&program, &neither_alone), Under::Listed(expected));
    }
}
