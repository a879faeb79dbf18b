//! What is left out stays out.

use super::sample;
use arbitrary::Unstructured;
use endstep::generate::{Feature, Options, census, restricted};
use endstep::syntax::print;

/// Constructs that only occur if a feature is allowed.
fn shown_by(feature: Feature) -> &'static [&'static str] {
    match feature {
        Feature::Players => &["player", "by a player", "for a player", "next after"],
        Feature::Links => &["optional"],
        Feature::Roles => &["role"],
        Feature::Supplies => &["supply"],
        Feature::Zones => &["zone", "zone per", "move", "move all", "top of", "is in"],
        Feature::Families => &["zone per", "holder of"],
        Feature::Creation => &["create", "create in"],
        Feature::Removal => &["remove"],
        Feature::Queues => &["queue", "event in a queue", "resolve", "resolve next"],
        Feature::Interrupts => &["event at once"],
        Feature::Readings => &[
            "reading",
            "depending on",
            "per reading",
            "steps unspecified",
            "nest unspecified",
        ],
        Feature::Gaps => &["gap", "gap may change", "gap may change within", "cases"],
        Feature::Restarts => &["restart", "restart with before"],
        Feature::Nesting => &["nest steps", "nest places", "nest unspecified"],
        Feature::FreeLists => &[
            "steps unspecified",
            "steps in any order",
            "steps in an order chosen by",
        ],
        Feature::Domains => &["rechecked", "live", "live by position"],
        Feature::Repeats => &["repeat"],
        Feature::Simultaneous => &["simultaneously"],
        Feature::Distribution => &["distribute", "distribute at most"],
        Feature::Chance => &["shuffle", "by chance"],
        Feature::Choices => &[
            "choose",
            "choose number",
            "choose one",
            "may",
            "cases chosen by",
        ],
        Feature::Contracts => &["contract", "verify by contract"],
        Feature::Continuous => &["continuous"],
        Feature::Raised => &["event that the state raises"],
        Feature::Definitions => &["define", "define with parameters"],
        Feature::Calls => &["perform", "perform with arguments", "leave"],
        Feature::Outcomes => &["declare"],
        Feature::Documents => &[
            "document",
            "clause around items",
            "clause around steps",
            "clause around statements",
            "annotation of a step",
            "annotation of a sequence",
        ],
        Feature::Legality => &["legal", "explore only"],
        Feature::Observers => &["observer"],
        Feature::Claims => &["claim", "question"],
        Feature::Examples => &["board", "example"],
    }
}

#[test]
fn what_is_left_out_stays_out() {
    for feature in Feature::ALL {
        let mut options = Options::default();
        options.without.insert(feature);
        for bytes in sample(60, 600) {
            let made = restricted(&mut Unstructured::new(&bytes), &options).unwrap();
            let found = census::constructs(&made);
            for &construct in shown_by(feature) {
                assert!(
                    !found.contains(construct),
                    "{construct} without {feature:?}:\n{}",
                    print(&made)
                );
            }
            super::checked(&made);
        }
    }
}

#[test]
fn features_are_shown_by_constructs_that_there_are() {
    let all = census::all();
    for feature in Feature::ALL {
        for construct in shown_by(feature) {
            assert!(all.contains(construct), "{construct}, of {feature:?}");
        }
    }
}
