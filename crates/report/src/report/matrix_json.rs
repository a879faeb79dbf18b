//! The order matrix as JSON for programs. `docs/order.schema.json` is its schema.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::compared::Looked;
use super::json::scope_json;
use super::matrix::{OrderSheet, grade_of};
use super::order_open::{unknown, unproved};
use endstep_kernel::footprint::{Place, name};
use endstep_verdicts::order::{At, Evidence, Pair, Row, Settled};
use endstep_verdicts::verdict::fingerprint;

/// The version of the format. Members may be added without a new version; one that is removed or
/// changes its meaning makes a new one.
pub const ORDER_VERSION: u32 = 1;

/// What is known, for programs.
fn evidence_json(sheet: OrderSheet<'_>, evidence: &Evidence, how: Looked) -> Value {
    let places = match evidence {
        Evidence::Symmetric(places) => sheet.named(places),
        // No other evidence is about places.
        _ => Vec::new(),
    };
    // Text and prover do not say whether a run comes to it.
    let two = match evidence {
        Evidence::NeverTwo(_) => Some(false),
        Evidence::Exhausted(_) | Evidence::Refuted(_) => Some(true),
        Evidence::Disjoint
        | Evidence::Symmetric(_)
        | Evidence::Proved
        | Evidence::NeverOpen(_)
        | Evidence::Closed(_)
        | Evidence::Unknown(_) => None,
    };
    let findings = match evidence {
        Evidence::Refuted(refuting) => sheet.findings(&refuting.shown, &|results, at| {
            let finding = results.findings.get(at)?;
            Some(fingerprint(sheet.program, finding))
        }),
        _ => Vec::new(),
    };
    let why = match evidence {
        Evidence::Unknown(why) => Some(unknown(why)),
        Evidence::Closed(by) => Some(sheet.decided(*by)),
        Evidence::Disjoint
        | Evidence::Symmetric(_)
        | Evidence::Proved
        | Evidence::Exhausted(_)
        | Evidence::NeverTwo(_)
        | Evidence::NeverOpen(_)
        | Evidence::Refuted(_) => None,
    };
    let boards = sheet.boards(evidence.scopes());
    let compared = sheet.compared(evidence, how);
    let observers = compared.observers.iter();
    let observers = observers.map(|&id| &sheet.program.observers[id].name);
    let contracts = compared.contracts.iter();
    let contracts = contracts.map(|&id| &sheet.program.sequences[id].name);
    json!({
        "grade": grade_of(evidence),
        "places": places,
        "legal_boards": boards.least,
        "legal_boards_at_most": boards.most,
        "observers": observers.collect::<Vec<_>>(),
        "contracts": contracts.collect::<Vec<_>>(),
        "two_at_once": two,
        "findings": findings,
        "why": why,
    })
}

/// The matrix as an object. `docs/order.schema.json` is its schema.
pub fn order_json(sheet: OrderSheet<'_>) -> Value {
    let scopes = sheet.results.map_or(&[][..], |results| &results.scopes);
    let scopes = scopes.iter().map(|scope| scope_json(sheet.words(), scope));
    let row = |at: At, row: &Row| {
        json!({
            "pair": sheet.pair(at, row.pair),
            "kind": pair_kind(at, row.pair),
            "evidence": evidence_json(sheet, &row.evidence, Looked::Compared),
            "shared": sheet.named(&row.shared),
            "unproved": unproved(row),
        })
    };
    let points = sheet.matrix.points.iter().map(|point| {
        let rows: Vec<Value> = point.rows.iter().map(|one| row(point.at, one)).collect();
        json!({
            "text": sheet.at(point.at),
            "place": sheet.words().place(sheet.span(point.at)),
            "settled": match point.settled {
                Settled::Open => "open",
                Settled::Chosen => "chosen",
                Settled::Chance => "chance",
                Settled::Reading(_) => "reading",
                Settled::Fixed => "fixed",
            },
            "reading": match point.settled {
                Settled::Reading(id) => Some(&sheet.program.readings[id].name),
                _ => None,
            },
            "pairs": rows,
        })
    });
    let claims = sheet.matrix.claims.iter().map(|(claim, one)| {
        json!({
            "claim": sheet.program.claims[*claim].name,
            "evidence": evidence_json(sheet, one, sheet.looked(*claim)),
        })
    });
    json!({
        "schema": "endstep order",
        "version": ORDER_VERSION,
        "game": sheet.program.game,
        "checked": sheet.results.is_some(),
        "restrictions": sheet.restrictions,
        "overlooked": sheet.overlooked_names(),
        "claims": claims.collect::<Vec<_>>(),
        "points": points.collect::<Vec<_>>(),
        "scopes": scopes.collect::<Vec<_>>(),
    })
}

impl OrderSheet<'_> {
    fn named(&self, places: &BTreeSet<Place>) -> Vec<String> {
        places
            .iter()
            .map(|&place| name(self.system, place))
            .collect()
    }
}

/// What is compared, for programs.
fn pair_kind(at: At, pair: Pair) -> &'static str {
    match (pair, at) {
        (Pair::Steps(..), _) => "steps",
        (Pair::Elements, At::Places(_)) => "places",
        (Pair::Elements, _) => "elements",
        (Pair::Nesting(_), _) => "nesting",
        (Pair::Triggers(..), _) => "triggers",
        (Pair::Arrivals, _) => "arrivals",
    }
}
