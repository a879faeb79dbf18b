//! Random expressions without more brackets than there happen to be: what binds tighter, what goes on
//! as far as it can, and what can stand nowhere.

use crate::agreement::{difference, noise};

/// Forms; each `_` stands for an expression.
const FORMS: [&str; 44] = [
    "_ or _",
    "_ and _",
    "not _",
    "_ = _",
    "_ < _",
    "_ != _",
    "_ is _",
    "_ is not _",
    "_ is none",
    "_ is not empty",
    "_ is in _",
    "_ is before _",
    "_ + _",
    "_ - _",
    "_ * _",
    "_ divided by _",
    "- _",
    "_.f",
    "f(_, _)",
    "size(_)",
    "min(_, _)",
    "(_)",
    "per r (x: _ | y: _)",
    "if _ then _ else _",
    "half of _",
    "half of _ rounded up",
    "count of c: C",
    "count of c in _",
    "count of c: C in _ where _",
    "sum of _ over c in _",
    "largest _ over c: C where _",
    "smallest _ over c in _ where _",
    "every c: C has _",
    "some c in _ where _ has _",
    "top of _",
    "first c in _",
    "last c: C in _ where _",
    "size of _",
    "holder of _",
    "next after _",
    "next q after _ where _",
    "previous before _",
    "neighbour after _",
    "old _",
];

const LEAVES: [&str; 12] = [
    "a", "b", "c", "1", "20", "true", "none", "size", "top", "next", "all", "max",
];

/// What stands around an expression and may end it.
const PLACES: [&str; 12] = [
    "define x = _",
    "claim x: invariant _ at the end of s",
    "claim x: must _ after s where _",
    "question x: reachable _ in s",
    "question x: largest _ in s on b",
    "var x: integer from _ to _, explore 0, _ to _, default _",
    "event x(c: C), whenever _, at once, listeners c: C largest _ first, then in player order of _ from _",
    "sequence s\n  step t\n    move _ to _",
    "sequence s\n  step t\n    transfer _ from _ to _",
    "sequence s\n  step t\n    increase _ by _, at most _",
    "sequence s\n  step t\n    distribute _ over c in _ into _ by _, at most _ each",
    "sequence s\n  step t\n    for each c in _ where _, those where _ first, then in an order chosen by _, live\n      nothing",
];

/// Writes a form with random expressions in it, of so many levels at most.
fn write(form: &str, levels: usize, choices: &mut impl Iterator<Item = u8>, text: &mut String) {
    for (number, part) in form.split('_').enumerate() {
        if number > 0 {
            let choice = usize::from(choices.next().unwrap_or_default());
            if levels == 0 || choice % 3 == 0 {
                text.push_str(LEAVES[choice / 3 % LEAVES.len()]);
            } else {
                write(FORMS[choice % FORMS.len()], levels - 1, choices, text);
            }
        }
        text.push_str(part);
    }
}

#[test]
fn random_expressions_are_read_as_the_compiler_reads_them() {
    let mut sound = 0;
    for number in 0..20_000 {
        let mut choices = noise(number, 100).into_iter();
        let place = PLACES[number as usize % PLACES.len()];
        let mut text = String::new();
        write(place, 3, &mut choices, &mut text);
        text.push('\n');
        let wrong = difference(&text);
        assert!(wrong.is_none(), "{}\n{text}", wrong.unwrap());
        sound += usize::from(!crate::tree::parse(&text).root_node().has_error());
    }
    assert!(sound > 2_000, "only {sound} of them can be read at all");
}
