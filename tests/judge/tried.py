"""Under which readings boards were looked at, and which alternatives were compared (docs/semantics.md §7)."""

from __future__ import annotations

from itertools import product

from .conditions import covers


def restricted(checker, finding):
    """Whether boards of the sequence of a finding were left out under some readings, under which they are legal and not to be
    explored; of any sequence, where a finding has no board."""
    judge, number = checker.judge, finding["scope"]
    scopes = [n for n, s in enumerate(judge.scopes) if s.on is None]
    if number is not None and number < len(judge.scopes):
        of = judge.scopes[number]
        scopes = [] if of.on is not None else [n for n in scopes if judge.scopes[n].sequence is of.sequence]
    return any(n in judge.restricted for n in scopes)


def never_compared(judge, scopes, reading, pair):
    """Whether two alternatives were compared on no board of some scopes, if there is one."""
    boards = [some for n in scopes for some in judge.assignments[n].values()]
    return bool(boards) and not any(compared(judge.spec, some, reading, pair) for some in boards)


def not_compared(judge, scope, reading, pair):
    """On how many boards of a scope two alternatives were not compared throughout."""
    return sum(not compared(judge.spec, some, reading, pair) or not throughout(judge.spec, some, reading, pair)
               for some in judge.assignments[scope].values())


def both(spec, assignments, reading, pair):
    """Of each two full assignments that differ in this alone, under which of them the board is there."""
    involved = sorted({r for one in assignments for r in one} - {reading})
    number = {r.index: len(r.alternatives) for r in spec.readings}
    for values in product(*(range(number[r]) for r in involved)):
        rest = dict(zip(involved, values))
        yield [any(covers(one, {**rest, reading: k}) for one in assignments) for k in pair]


def compared(spec, assignments, reading, pair):
    """Whether the board is there under two assignments that differ in this alone."""
    return any(all(there) for there in both(spec, assignments, reading, pair))


def throughout(spec, assignments, reading, pair):
    """Whether each assignment under one of two alternatives has one under the other that differs in this alone."""
    return all(one == other for one, other in both(spec, assignments, reading, pair))


__all__ = ["restricted", "never_compared", "not_compared"]
