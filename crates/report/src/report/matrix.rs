//! The order matrix as text for people.

use std::collections::BTreeSet;

use super::caveat::not_who;
use super::compared::{Compared, Looked};
use super::finding::short_print;
use super::layout::{Style, Tone, count, hang, list, wrap};
use super::order_open::{unknown, unproved};
use super::part::left_out;
use super::scope_line::scope_line;
use super::stood::{LEFT_OUT, allows, by_contract, by_contract_left_out, what_allows};
use super::text::only;
use super::verdict::restricted;
use super::words::{Words, beside_others, plain};
use endstep_kernel::footprint::{Place, name};
use endstep_kernel::ir::{OpKind, System};
use endstep_language::source::{SourceMap, Span};
use endstep_language::typing::program::{Program, SequenceId, Type, ZoneId};
use endstep_semantics::semantics::{Readings, Site};
use endstep_verdicts::order::{At, Closed, Evidence, Matrix, Pair, Point, Row, Settled};
use endstep_verdicts::verdict::{Results, Scope, Together, together};

/// What is shown of a matrix.
#[derive(Debug, Clone, Copy)]
pub struct OrderSheet<'a> {
    /// The specification.
    pub program: &'a Program,
    /// The same without sugar.
    pub system: &'a System,
    /// Its texts.
    pub sources: &'a SourceMap,
    /// The zones of which nobody looks at the arrangement.
    pub overlooked: &'a BTreeSet<ZoneId>,
    /// The matrix.
    pub matrix: &'a Matrix,
    /// What the engines found, if they were asked.
    pub results: Option<&'a Results>,
    /// The options that kept them from looking at everything.
    pub restrictions: &'a [String],
}

/// The grade of what was compared on every board of a scope.
const EXHAUSTED: &str = "exhausted";

/// The grade of what a run speaks against.
const REFUTED: &str = "refuted";

/// The grades, in the order of columns.
const GRADES: [&str; 7] = [
    "disjoint",
    "symmetric",
    "proved",
    EXHAUSTED,
    "decided",
    REFUTED,
    "unknown",
];

/// What the grades mean, in the same order.
const MEANINGS: [&str; 7] = [
    "neither changes what the other looks at or changes: true of every board",
    "what both change comes out the same in either order: true of every board",
    "there are no data from which the two orders come out differently: true of every board",
    "no run from any board of the sizes and values explored comes out differently",
    "which comes first is not left open, so no other order is compared here",
    "a board, replayed, on which the order decides",
    "not known, with the reason",
];

/// A part of what is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// What the document leaves open.
    Open,
    /// What is decided wherever it was looked at.
    Decided,
    /// What the document fixes.
    Fixed,
}

impl Part {
    /// All, in the order in which they are shown.
    pub(super) const ALL: [Self; 3] = [Self::Open, Self::Decided, Self::Fixed];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Open => "Orders that the document leaves open",
            Self::Decided => "Orders that are not left open",
            Self::Fixed => "Orders that the document fixes, and what if they were any other",
        }
    }

    /// Its points.
    pub(super) fn of(self, matrix: &Matrix) -> Vec<&Point> {
        let is_own = |point: &&Point| self == Self::around(point);
        matrix.points.iter().filter(is_own).collect()
    }

    fn around(point: &Point) -> Self {
        let decided = |row: &Row| match row.pair {
            Pair::Nesting(_) => matches!(row.evidence, Evidence::Closed(_)),
            Pair::Steps(..) | Pair::Elements | Pair::Triggers(..) | Pair::Arrivals => {
                point.settled == Settled::Chance || matches!(row.evidence, Evidence::Closed(_))
            }
        };
        match (point.settled, point.rows.iter().all(decided)) {
            // Of triggers no other order is tried.
            (Settled::Fixed, _) if matches!(point.at, At::Event(_)) => Self::Decided,
            (Settled::Fixed, _) => Self::Fixed,
            (_, true) => Self::Decided,
            (_, false) => Self::Open,
        }
    }
}

/// The matrix as text.
pub fn order_text(sheet: OrderSheet<'_>, style: Style) -> String {
    let game = plain(&sheet.program.game);
    let of = if game.is_empty() { "" } else { " of " };
    let title = format!("Orders in question{of}{game}");
    let title = style.paint(Tone::Strong, &title);
    let mut out = format!("{title}\n");
    let who = not_who(sheet.program).map(str::to_owned);
    for sentence in sheet.left_out().into_iter().chain(who) {
        out.push_str(&wrap(&sentence, style.width, 0));
    }
    for (heading, claims) in sheet.asked() {
        out.push_str(&format!("\n{heading}\n"));
        for (claim, evidence) in claims {
            let name = &sheet.program.claims[claim].name;
            let line = format!("{name}: {}", sheet.claimed(claim, evidence));
            out.push_str(&hang(&line, style.width, 2, 6));
        }
    }
    for part in Part::ALL {
        let points = part.of(sheet.matrix);
        if !points.is_empty() {
            out.push_str(&format!("\n{}\n", part.title()));
            out.push_str(&sheet.points(&points, style));
        }
    }
    if sheet.matrix.points.is_empty() {
        out.push_str("\nNothing has an order that is in question.\n");
    }
    out.push_str(&sheet.legend(style));
    out
}

impl OrderSheet<'_> {
    /// What options kept from being looked at or shown, in sentences; nothing if there are none.
    pub(super) fn left_out(&self) -> Option<String> {
        let narrowed = self.results.is_some_and(|results| results.narrowed);
        left_out(self.restrictions, narrowed)
    }

    /// Claims and questions that order is irrelevant, with their evidence, under headings.
    pub(super) fn asked(&self) -> impl Iterator<Item = (&'static str, Vec<(usize, &Evidence)>)> {
        let headings = [
            (false, "Claims that order does not matter"),
            (true, "Questions whether order does not matter"),
        ];
        let under = headings.map(|(question, heading)| {
            let all = self
                .matrix
                .claims
                .iter()
                .map(|(at, evidence)| (*at, evidence));
            let of_kind = all.filter(|&(at, _)| self.program.claims[at].question == question);
            (heading, of_kind.collect::<Vec<_>>())
        });
        under.into_iter().filter(|(_, all)| !all.is_empty())
    }

    pub(super) fn words(&self) -> Words<'_> {
        Words {
            program: self.program,
            sources: self.sources,
        }
    }

    fn points(&self, points: &[&Point], style: Style) -> String {
        let mut out = String::new();
        for point in points {
            let settled = self.settled(point.settled);
            let heading = format!("{}{settled}", self.at(point.at));
            out.push_str(&format!("\n{}", wrap(&heading, style.width, 2)));
            let never = |row: &&Row| matches!(row.evidence, Evidence::NeverTwo(_));
            let (never, rows): (Vec<&Row>, Vec<&Row>) = point.rows.iter().partition(never);
            // Of triggers that exclude each other there are many pairs.
            let (alone, alike) = match never.len() > MOST_NEVER {
                true => (Vec::new(), by_evidence(&never)),
                false => (never, Vec::new()),
            };
            let (one, more) = match rows.is_empty() {
                true => ("pair", "pairs"),
                false => ("other pair", "other pairs"),
            };
            for row in rows.into_iter().chain(alone) {
                let told = self.told(&row.evidence, &row.shared);
                let told = match unproved(row) {
                    Some(why) => format!("{told}; not proved, {why}"),
                    None => told,
                };
                let line = format!("{}: {told}", self.pair(point.at, row.pair));
                out.push_str(&hang(&line, style.width, 4, 8));
            }
            for (evidence, number) in alike {
                let told = self.told(evidence, &BTreeSet::new());
                let line = format!("{}: {told}", count(number, one, more));
                out.push_str(&hang(&line, style.width, 4, 8));
            }
        }
        out
    }

    /// Where the order is in question.
    pub(super) fn at(&self, at: At) -> String {
        let words = self.words();
        let text = match at {
            At::List(id) => words.site(Site::Sequence(id)),
            At::Places(id) => words.site(Site::Places(id)),
            At::Each(stmt) | At::Together(stmt) => words.site(Site::Stmt(stmt)),
            At::Event(id) => words.site(Site::Event(id)),
        };
        match at {
            At::Each(_) | At::Together(_) => text,
            _ => format!("{text} ({})", words.place(self.span(at))),
        }
    }

    pub(super) fn span(&self, at: At) -> Span {
        match at {
            At::List(id) | At::Places(id) => self.program.sequences[id].span,
            At::Each(stmt) | At::Together(stmt) => self.program.stmts[stmt].span,
            At::Event(id) => self.program.events[id].span,
        }
    }

    pub(super) fn settled(&self, settled: Settled) -> String {
        match settled {
            Settled::Open | Settled::Fixed => String::new(),
            Settled::Chosen => ", chosen by somebody".to_owned(),
            Settled::Chance => ", by chance".to_owned(),
            Settled::Reading(id) => format!(", by {}", self.words().reading(id)),
        }
    }

    /// Of what sort the elements of a point are.
    fn sort(&self, at: At) -> String {
        let ty = match at {
            At::Places(id) => {
                let over = self.system.procedures[id].over.as_ref();
                over.map(|(binder, ..)| binder.ty)
            }
            At::Each(stmt) => match &self.system.ops[stmt].kind {
                OpKind::Each(each) => Some(each.binder.ty),
                _ => None,
            },
            _ => None,
        };
        match ty {
            Some(Type::Entity(sort) | Type::Optional(sort)) => self.system.sorts[sort].name.clone(),
            Some(Type::Enum(id)) => self.system.enums[id].name.clone(),
            _ => "value".to_owned(),
        }
    }

    pub(super) fn pair(&self, at: At, pair: Pair) -> String {
        let step = |id| plain(&self.program.steps[id].name);
        let trigger = |id| plain(&self.program.triggers[id].name);
        match pair {
            Pair::Steps(one, other) => format!("{} & {}", step(one), step(other)),
            Pair::Elements => format!("one {0} & another {0}", self.sort(at)),
            Pair::Nesting(_) => format!(
                "all steps for one {0} first & one step for every {0} first",
                self.sort(at)
            ),
            Pair::Triggers(one, other) if one == other => {
                format!("{} for one & for another", trigger(one))
            }
            Pair::Triggers(one, other) => format!("{} & {}", trigger(one), trigger(other)),
            Pair::Arrivals => "what arrives or is announced together".to_owned(),
        }
    }

    fn places(&self, places: &BTreeSet<Place>) -> String {
        let names = places
            .iter()
            .map(|&place| beside_others(&name(self.system, place)));
        let mut names: Vec<String> = names.collect();
        let more = names.len().saturating_sub(MOST_PLACES);
        names.truncate(MOST_PLACES);
        match more {
            0 => {}
            1 => names.push("1 more".to_owned()),
            _ => names.push(format!("{more} more")),
        }
        list(&names, "and")
    }

    /// How many legal boards some scopes have together.
    pub(super) fn boards(&self, scopes: &[usize]) -> Together {
        let scopes: BTreeSet<usize> = scopes.iter().copied().collect();
        let all = self.results.map(|results| &results.scopes);
        together(self.program, scopes.iter().filter_map(|&at| all?.get(at)))
    }

    /// The contracts on which findings that refute rest.
    fn by_contract(&self, evidence: &Evidence) -> BTreeSet<SequenceId> {
        let Evidence::Refuted(refuting) = evidence else {
            return BTreeSet::new();
        };
        if refuting.shown.is_empty() {
            let results = self.results.into_iter();
            let left_out = results.flat_map(|results| refuting.left_out_of(results));
            return by_contract_left_out(self.words(), left_out);
        }
        let all = self.findings(&refuting.shown, &|results, at| {
            Some(by_contract(self.words(), results.findings.get(at)?))
        });
        all.into_iter().flatten().collect()
    }

    /// What counted, or of what refutes which contracts it rests on.
    pub(super) fn compared(&self, evidence: &Evidence, how: Looked) -> Compared {
        let how = match evidence {
            Evidence::Exhausted(_) => how,
            Evidence::Refuted(_) => return Compared::shown(self.by_contract(evidence)),
            // Where nothing was ever open, nothing was compared.
            _ => Looked::Run,
        };
        let scopes: BTreeSet<usize> = evidence.scopes().iter().copied().collect();
        self.results.map_or_else(Compared::default, |results| {
            Compared::of(self.words(), results, scopes, how)
        })
    }

    /// How outcomes were compared for a claim.
    pub(super) fn looked(&self, claim: usize) -> Looked {
        let claim = self.program.claims.get(claim);
        let observer = claim.and_then(|claim| claim.observer);
        observer.map_or(Looked::Compared, Looked::Seen)
    }

    /// What is known of a claim, and why.
    pub(super) fn claimed(&self, claim: usize, evidence: &Evidence) -> String {
        self.known(evidence, &BTreeSet::new(), self.looked(claim))
    }

    /// What is known of a pair, and why.
    pub(super) fn told(&self, evidence: &Evidence, shared: &BTreeSet<Place>) -> String {
        self.known(evidence, shared, Looked::Compared)
    }

    fn known(&self, evidence: &Evidence, shared: &BTreeSet<Place>, how: Looked) -> String {
        let because = match shared.is_empty() {
            true => String::new(),
            false => format!("; both concern {}", self.places(shared)),
        };
        let compared = self.compared(evidence, how).words(self.words());
        let compared = compared.map_or_else(String::new, |one| format!(" ({one})"));
        let boards = |scopes: &[usize]| {
            let Together { least, most } = self.boards(scopes);
            let boards = count(least, "legal board", "legal boards");
            match (least, least == most) {
                (_, true) => format!("{boards}{compared}"),
                (0, false) => format!("the boards that were tried{compared}"),
                (_, false) => format!("at least {boards}{compared}"),
            }
        };
        match evidence {
            Evidence::Disjoint => "disjoint".to_owned(),
            Evidence::Symmetric(places) => format!("symmetric in {}", self.places(places)),
            Evidence::Proved => "proved".to_owned(),
            Evidence::Exhausted(scopes) => {
                format!("exhausted, no difference on {}{because}", boards(scopes))
            }
            Evidence::NeverTwo(scopes) => {
                format!(
                    "exhausted, never two at once on {}{because}",
                    boards(scopes)
                )
            }
            Evidence::NeverOpen(scopes) => {
                format!(
                    "exhausted, never two at once whose order is open on {}{because}",
                    boards(scopes)
                )
            }
            Evidence::Closed(by) => format!("decided, {}{because}", self.decided(*by)),
            Evidence::Refuted(refuting) => {
                let contracts = self.by_contract(evidence);
                // What both concern by the rules is beside the point where contracts stand for these.
                let because = match contracts.is_empty() {
                    true => because,
                    false => String::new(),
                };
                let shown: Vec<String> = self.findings(&refuting.shown, &|results, at| {
                    let finding = results.findings.get(at)?;
                    let print = short_print(self.program, finding);
                    let allows = what_allows(self.words(), finding);
                    Some(format!("{} [{print}]{allows}", finding.code.id()))
                });
                let by = match shown.is_empty() {
                    true => format!("{LEFT_OUT}{}", allows(self.words(), contracts)),
                    false => list(&shown, "and"),
                };
                format!("refuted by {by}{because}")
            }
            Evidence::Unknown(why) => format!("unknown, {}{because}", unknown(why)),
        }
    }

    /// Who decides which comes first.
    pub(super) fn decided(&self, by: Closed) -> String {
        match by {
            Closed::Chance => "by chance".to_owned(),
            Closed::Document => "by the document".to_owned(),
            Closed::Either => "by chance or by the document, as it is read".to_owned(),
            Closed::Reading(id, at) => {
                let readings = self.words().readings(&Readings::from([(id, at)]));
                format!("under {} (nothing else was looked at)", plain(&readings))
            }
        }
    }

    pub(super) fn findings<T>(
        &self,
        findings: &[usize],
        show: &dyn Fn(&Results, usize) -> Option<T>,
    ) -> Vec<T> {
        let results = self.results.into_iter();
        let all = results.flat_map(|results| findings.iter().filter_map(|&at| show(results, at)));
        all.collect()
    }

    /// How many pairs have each grade, what the grades mean, and from which boards that is known.
    fn legend(&self, style: Style) -> String {
        let all = self.evidence();
        let mut out = String::new();
        for (grade, means) in self.grades() {
            let number = all.iter().filter(|one| grade_of(one) == grade).count();
            if number > 0 {
                let line = format!("{grade} ({number}): {means}");
                out.push_str(&hang(&line, style.width, 2, 6));
            }
        }
        if let Some(line) = self.not_compared() {
            out.push_str(&hang(&line, style.width, 2, 6));
        }
        let explored = self.explored();
        let explored = explored.iter().map(|line| hang(line, style.width, 2, 6));
        let explored: String = explored.collect();
        let sections = [("Evidence", out), ("Explored", explored)];
        let sections = sections.iter().filter(|(_, lines)| !lines.is_empty());
        sections
            .map(|(title, lines)| format!("\n{title}\n{lines}"))
            .collect()
    }

    /// The grades with what they mean.
    pub(super) fn grades(&self) -> impl Iterator<Item = (&'static str, String)> {
        let scopes: Vec<&Scope> = self.scopes().collect();
        let only = restricted(self.words(), scopes.iter().copied());
        let partial = scopes.iter().any(|scope| scope.partial);
        let in_part = self.is_in_part();
        let refuted_by_contract = self
            .evidence()
            .iter()
            .any(|one| !self.by_contract(one).is_empty());
        GRADES.into_iter().zip(MEANINGS).map(move |(grade, means)| {
            let means = match (grade, partial, only) {
                (EXHAUSTED, false, Some(conditions)) => format!(
                    "no run from any board of the sizes and values explored that meets {conditions} comes out \
                     differently"
                ),
                (EXHAUSTED, true, Some(conditions)) => format!(
                    "no run of the part that was explored comes out differently, from any board that meets {conditions}"
                ),
                (EXHAUSTED, true, None) => {
                    "no run of the part that was explored comes out differently".to_owned()
                }
                _ => means.to_owned(),
            };
            let means = match grade {
                EXHAUSTED if in_part => format!("{means}, as far as was compared"),
                REFUTED if refuted_by_contract => {
                    format!("{means}, by the rules or by what a contract allows")
                }
                _ => means,
            };
            (grade, means)
        })
    }

    /// Whether anything was compared for an observer only, or with what a contract allows.
    fn is_in_part(&self) -> bool {
        let points = self.matrix.points.iter();
        let mut rows = points.flat_map(|point| &point.rows);
        let mut claims = self.matrix.claims.iter();
        let partly = |compared: Compared| compared.words(self.words()).is_some();
        rows.any(|row| partly(self.compared(&row.evidence, Looked::Compared)))
            || claims.any(|(claim, one)| partly(self.compared(one, self.looked(*claim))))
    }

    /// All that is known, of pairs and of claims.
    fn evidence(&self) -> Vec<&Evidence> {
        let points = self.matrix.points.iter();
        let rows = points.flat_map(|point| &point.rows);
        let rows = rows.map(|row| &row.evidence);
        let claims = self.matrix.claims.iter().map(|(_, evidence)| evidence);
        rows.chain(claims).collect()
    }

    /// The scopes on which anything here rests.
    fn scopes(&self) -> impl Iterator<Item = &Scope> {
        let rests = self.evidence().into_iter().flat_map(Evidence::scopes);
        let rests: BTreeSet<usize> = rests.copied().collect();
        let scopes = self.results.into_iter().flat_map(|results| &results.scopes);
        let scopes = scopes.enumerate();
        scopes.filter_map(move |(at, scope)| rests.contains(&at).then_some(scope))
    }

    /// What was explored, a line for each scope on which anything here rests.
    pub(super) fn explored(&self) -> Vec<String> {
        let words = self.words();
        self.scopes()
            .map(|scope| scope_line(words, scope, &only(words, scope)))
            .collect()
    }

    /// What is not compared, if anything is not.
    pub(super) fn not_compared(&self) -> Option<String> {
        let names = self.overlooked_names().join(", ");
        (!names.is_empty()).then(|| {
            format!(
                "not compared: in which order things lie in {names}, which no rule and no observer looks at"
            )
        })
    }

    pub(super) fn overlooked_names(&self) -> Vec<String> {
        let zones = self.overlooked.iter();
        zones
            .map(|&zone| self.system.zones[zone].name.clone())
            .collect()
    }
}

/// Which evidence there is, and of how many rows.
fn by_evidence<'r>(rows: &[&'r Row]) -> Vec<(&'r Evidence, u64)> {
    let mut all: Vec<(&Evidence, u64)> = Vec::new();
    for row in rows {
        match all.iter_mut().find(|(known, _)| **known == row.evidence) {
            Some((_, number)) => *number += 1,
            None => all.push((&row.evidence, 1)),
        }
    }
    all
}

/// More pairs than these of which there are never two at once are counted, not listed.
const MOST_NEVER: usize = 4;

/// So many places are named at once.
const MOST_PLACES: usize = 4;

pub(super) fn grade_of(evidence: &Evidence) -> &'static str {
    match evidence {
        Evidence::Disjoint => GRADES[0],
        Evidence::Symmetric(_) => GRADES[1],
        Evidence::Proved => GRADES[2],
        Evidence::Exhausted(_) | Evidence::NeverTwo(_) | Evidence::NeverOpen(_) => GRADES[3],
        Evidence::Closed(_) => GRADES[4],
        Evidence::Refuted(_) => GRADES[5],
        Evidence::Unknown(_) => GRADES[6],
    }
}
