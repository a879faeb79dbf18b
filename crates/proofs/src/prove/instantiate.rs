//! What is known of all entities, said of those that a question speaks of: there are no quantifiers.
//!
//! ```text
//! size of board = n, c lies there, d lies there       c = d or 2 <= n
//! ```

use super::context::{Context, Exec};
use super::state::{Cell, State};
use crate::smt::Term;
use endstep_language::index::Id;
use endstep_verdicts::verdict::Refusal;

type Result<T> = std::result::Result<T, Refusal>;

/// What is known of sums, of firsts and lasts, and of positions, for the entities that are spoken of.
pub(super) fn instantiate(c: &mut Context<'_>) -> Result<()> {
    let seen = c.seen.clone();
    for total in c.totals.clone() {
        if !total.counts {
            continue;
        }
        let entities = &seen[total.sort.index()];
        let mut shares = Vec::new();
        for &entity in entities {
            let mut x = Exec::new(c, total.state.clone(), total.frames.clone());
            x.lenient = total.lenient;
            let share = x.strictly(|x| (total.share)(x, entity))?;
            let fact = c.terms.at_most(share, total.whole);
            c.fact_once(fact);
            shares.push((entity, share));
            if entity == total.witness {
                let zero = c.terms.number(0);
                let (some, gives) = (c.terms.less(zero, total.whole), c.terms.less(zero, share));
                let fact = c.terms.implies(some, gives);
                c.fact_once(fact);
            }
        }
        let pairs = if c.pairs { &shares[..] } else { &[] };
        for (at, &(a, one)) in pairs.iter().enumerate() {
            for &(b, other) in &shares[at + 1..] {
                let two = c.terms.add(&[one, other]);
                let both = c.terms.at_most(two, total.whole);
                let same = c.terms.equal(a, b);
                let fact = c.terms.or(&[same, both]);
                c.fact_once(fact);
            }
        }
    }
    for end in c.ends.clone() {
        for &entity in &seen[end.sort.index()] {
            let mut x = Exec::new(c, end.state.clone(), end.frames.clone());
            let lies = x.strictly(|x| (end.member)(x, entity))?;
            let position = x.read(Cell::Position(end.sort), entity)?;
            let of_end = x.read(Cell::Position(end.sort), end.entity)?;
            let (a, b) = match end.first {
                true => (of_end, position),
                false => (position, of_end),
            };
            let ordered = c.terms.at_most(a, b);
            let fact = c.terms.implies(lies, ordered);
            c.fact_once(fact);
        }
    }
    if !c.ends.is_empty() {
        apart(c, &seen)?;
    }
    Ok(())
}

/// No two entities lie at one place.
fn apart(c: &mut Context<'_>, seen: &[Vec<Term>]) -> Result<()> {
    let board = State::any(c.system, &mut c.terms);
    for (sort, _) in c.system.sorts.iter() {
        let ordered = c.system.zones.iter();
        let ordered = ordered.filter(|(_, zone)| zone.sort == sort && !zone.unordered);
        let ordered: Vec<usize> = ordered.map(|(id, _)| id.index()).collect();
        let mut places = Vec::new();
        for &entity in &seen[sort.index()] {
            let mut x = Exec::new(c, board.clone(), Vec::new());
            let place = [
                x.read(Cell::Zone(sort), entity)?,
                x.read(Cell::Holder(sort), entity)?,
                x.read(Cell::Position(sort), entity)?,
            ];
            places.push((entity, place));
        }
        for (at, (a, one)) in places.iter().enumerate() {
            for (b, other) in &places[at + 1..] {
                let mut here = Vec::new();
                for &zone in &ordered {
                    here.push(c.lies_in(one[0], Some(zone)));
                }
                let mut all = vec![c.terms.or(&here)];
                for (&x, &y) in one.iter().zip(other) {
                    all.push(c.terms.equal(x, y));
                }
                let one_place = c.terms.and(&all);
                let same = c.terms.equal(*a, *b);
                let fact = c.terms.implies(one_place, same);
                c.fact_once(fact);
            }
        }
    }
    Ok(())
}
