"""Under which alternatives of readings boards were looked at, and which of them were compared (docs/semantics.md §7)."""

from __future__ import annotations

from .graph import differ_in_one


def untried(judge, sequence):
    """The alternatives, as (reading, alternative), under which no board of a sequence is legal and explored, though what it
    comes to, or which these boards are, depends on the reading."""
    return untried_in(judge, [n for n, s in enumerate(judge.scopes) if s.sequence is sequence and s.on is None])


def untried_in(judge, scopes):
    every = [one for n in scopes for some in judge.assignments[n].values() for one in some]
    found = set()
    for reading in judge.spec.readings:
        under = {one[reading.index] for one in every if reading.index in one}
        if under and all(reading.index in one for one in every):
            found |= {(reading.index, k) for k, _ in enumerate(reading.alternatives) if k not in under}
    return found


def untried_of(checker, finding):
    """The same of a finding; of one without a board, of all sequences."""
    judge, number = checker.judge, finding["scope"]
    if number is not None and number < len(judge.scopes):
        scope = judge.scopes[number]
        return untried_in(judge, [number]) if scope.on is not None else untried(judge, scope.sequence)
    return set().union(*(untried(judge, s.sequence) for s in judge.scopes if s.on is None))


def never_compared(judge, scopes, reading, pair):
    """Whether two alternatives were compared on no board of some scopes, if there is one."""
    boards = [some for n in scopes for some in judge.assignments[n].values()]
    return bool(boards) and not any(compared(some, reading, pair) for some in boards)


def not_compared(judge, scope, reading, pair):
    """On how many boards of a scope two alternatives were not compared."""
    return sum(not compared(some, reading, pair) for some in judge.assignments[scope].values())


def compared(assignments, reading, pair):
    """Whether two assignments of a board differ in this alone, or some run of it does not depend on the reading."""
    if any(reading not in one for one in assignments):
        return True
    under = [[one for one in assignments if one[reading] == alternative] for alternative in pair]
    return any(differ_in_one(one, other) == reading for one in under[0] for other in under[1])


__all__ = ["untried", "untried_of", "never_compared", "not_compared"]
