"""Why it is not known of a place whether it decides a finding (docs/semantics.md §10, other values)."""

from __future__ import annotations

from .data import NEAR
from .graph import TooLarge, leaves

MOST_VALUES = 64  # of one place
MOST_BOARDS = 256  # of one finding


def reason(checker, finding, data, keys, numbers, given, values, sizes, because):
    """What is wrong with the reason, or None. `values` are the legal boards with one value of the place each, `sizes`
    how many values each place of the board has."""
    if because == "values":
        if len(values) > MOST_VALUES or max(sizes, default=0) > MOST_VALUES or sum(sizes) > MOST_BOARDS:
            return None
        return f"too many values; the judge has {sum(sizes)} boards"
    if because == "board":
        if given_up(checker, data, numbers, given):
            return "its own board: runs were given up on it"
        known = absent(checker, data, keys, numbers, given)
        return None if known else "its own board shows it within the wider bounds, too"
    if any(may_be_open(checker, finding, other, keys, numbers, given) for other in values):
        return None
    return "runs were given up; the judge knows all of each value"


def shows_it(facts, keys, given):
    return any(all(given.get(r, k) == k for r, k in a.items()) for key in keys for a in facts.get(key, ()))


def given_up(checker, data, numbers, given):
    """Whether runs from a board leave the bounds of exploration, within the wider bounds, or too many orders are left to
    be tried on it."""
    judge = checker.judge
    for scope in (judge.scopes[n] for n in numbers):
        machine = judge.machine(scope.contracts, wide=NEAR)
        try:
            graphs = leaves(checker.spec, machine, machine.start(scope.sequence, data), judge.budget, given)
        except TooLarge:
            return False  # not known
        if any(graph.limited() for graph in graphs):
            return True
    return False


def absent(checker, data, keys, numbers, given):
    """Whether a board may not show the finding within the wider bounds."""
    try:
        return not shows_it(checker.judge.facts_on(data, numbers, wide=NEAR), keys, given)
    except TooLarge:
        return True


def may_be_open(checker, finding, data, keys, numbers, given):
    """Whether runs may be given up on a board, within the wider bounds, while the others do not show the finding."""
    try:
        both = [checker.judge.facts_on(data, numbers, wide=wide, all_legal=True) for wide in (False, NEAR)]
        if any(("large",) in facts for facts in both):
            return True  # a program may give up all its runs, whatever some of them show
        for facts in both:
            if shows_it(facts, keys, given):
                return False
            if ("limited",) not in facts and not any(k[0] == "open" and k[1] == finding["subject"] for k in facts):
                return False
    except TooLarge:
        pass
    return True
