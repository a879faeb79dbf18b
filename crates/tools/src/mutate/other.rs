//! Other orders, domains and policies than those of the program.

use endstep_language::typing::program::{DomainPolicy, ListPolicy, Nest, Order, Rank, Ranked};

pub(super) fn lists(policy: &ListPolicy) -> Vec<(&'static str, ListPolicy)> {
    let any = ("its steps in any order", ListPolicy::Any);
    let written = ("its steps in the order written", ListPolicy::InOrder);
    match policy {
        ListPolicy::InOrder => vec![any],
        ListPolicy::Any => vec![written],
        ListPolicy::Unspecified(_) => vec![written, any],
        ListPolicy::Chosen(_) => vec![any, written],
    }
}

pub(super) fn nests(nest: Nest) -> Vec<(&'static str, Nest)> {
    let steps = ("each step for all places", Nest::Steps);
    let places = ("all steps for each place", Nest::Places);
    match nest {
        Nest::Steps => vec![places],
        Nest::Places => vec![steps],
        Nest::Unspecified(_) => vec![steps, places],
    }
}

/// Other orders than this one.
pub(super) fn orders(order: &Order) -> Vec<(String, Order)> {
    let any = || ("in any order".to_owned(), Order::Any);
    match order {
        Order::Any => {
            let order = Order::Zone {
                reversed: false,
                from: None,
            };
            vec![("left to right".to_owned(), order)]
        }
        Order::Zone { reversed, from } => {
            let order = Order::Zone {
                reversed: !reversed,
                from: from.clone(),
            };
            let text = match reversed {
                true => "left to right",
                false => "right to left",
            };
            vec![(text.to_owned(), order), any()]
        }
        Order::Players { reversed, from } => {
            let order = Order::Players {
                reversed: !reversed,
                from: from.clone(),
            };
            let text = match reversed {
                true => "in player order",
                false => "in reverse player order",
            };
            vec![(text.to_owned(), order), any()]
        }
        Order::Chosen(_) | Order::Own => vec![any()],
        Order::Ranked(ranked) => ranks(ranked),
        Order::Per(..) => Vec::new(),
    }
}

/// Other orders than one by rank: the other way round, and without ranks.
fn ranks(ranked: &Ranked) -> Vec<(String, Order)> {
    let mut turned = ranked.clone();
    let text = match &mut turned.by {
        Rank::Smallest | Rank::Largest => {
            turned.by = match turned.by {
                Rank::Smallest => Rank::Largest,
                _ => Rank::Smallest,
            };
            "those that come first come last"
        }
        Rank::Turn { reversed, .. } => {
            *reversed = !*reversed;
            "the other way round the table"
        }
    };
    let turned = (text.to_owned(), Order::Ranked(Box::new(turned)));
    vec![turned, ("in any order".to_owned(), Order::Any)]
}

/// Other domains than this one.
pub(super) fn domains(domain: &DomainPolicy) -> Vec<(String, DomainPolicy)> {
    let snapshot = || {
        (
            "all that were there at the start".to_owned(),
            DomainPolicy::Snapshot,
        )
    };
    let rechecked = || {
        (
            "the condition is looked at again".to_owned(),
            DomainPolicy::Rechecked,
        )
    };
    let live = || ("all that are there then".to_owned(), DomainPolicy::Live);
    match domain {
        DomainPolicy::Snapshot => vec![rechecked(), live()],
        DomainPolicy::Rechecked | DomainPolicy::Live => vec![snapshot()],
        DomainPolicy::LiveByPosition => vec![snapshot(), live()],
        DomainPolicy::UntilAllPass => {
            vec![("each is asked once".to_owned(), DomainPolicy::Snapshot)]
        }
        DomainPolicy::Per(..) => Vec::new(),
    }
}
