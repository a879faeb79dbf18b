"""Under which readings boards were looked at, and which alternatives were compared (docs/semantics.md §7)."""

from __future__ import annotations

from .graph import differ_in_one


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
    return bool(boards) and not any(compared(some, reading, pair) for some in boards)


def not_compared(judge, scope, reading, pair):
    """On how many boards of a scope two alternatives were not compared throughout."""
    return sum(not throughout(some, reading, pair) for some in judge.assignments[scope].values())


def compared(assignments, reading, pair):
    """Whether two assignments of a board differ in this alone, or some run of it does not depend on the reading."""
    if any(reading not in one for one in assignments):
        return True
    under = [[one for one in assignments if one[reading] == alternative] for alternative in pair]
    return any(differ_in_one(one, other) == reading for one in under[0] for other in under[1])


def throughout(assignments, reading, pair):
    """Whether each assignment under one of two alternatives has one under the other that differs in this alone."""
    under = [[one for one in assignments if one.get(reading) == alternative] for alternative in pair]
    return all(any(differ_in_one(one, other) == reading for other in there)
               for here, there in (under, under[::-1]) for one in here)


__all__ = ["restricted", "never_compared", "not_compared"]
