"""Continuous values on the runs of a witness (docs/semantics.md §11, continuous values on a run, why nothing fits)."""

from __future__ import annotations

import re

from .continuous import found_by_trying, solutions
from .model import NeedsReading
from .names import plain
from .told import CREATED_NAME
from .values import all_of

MORE = re.compile(r"so (\d+) more values? (?:is another|are others)")
MOST = 6


def continuous_of(spec):
    """The continuous values, as declared."""
    return [d.continuous for d in spec.world.definitions.values() if d.continuous is not None]


def values_of(spec, data, assignment):
    """{(continuous value, identity): its value, or None}, of what consults no other reading."""
    found = {}
    for own in continuous_of(spec):
        try:
            fits = solutions(spec.world, own, data, assignment)
        except NeedsReading:
            continue
        for entity in all_of(own.sort)(data) if own.sort is not None else (None,):
            found[own, entity] = fits[0][own.name, entity] if len(fits) == 1 else None
    return found


def called(own, entity, name):
    """`power of ogre`; None of a created entity."""
    who = None if entity is None else name(entity)
    if entity is not None and who is None:
        return None
    return plain(own.name) if entity is None else f"{plain(own.name)} of {who}"


def text_of(own, value):
    return ("true" if value else "false") if type(value) is bool else plain(str(value)) if own.type.values else str(value)


def lines(before, after, name):
    """What is told of one change; None where a created entity has a part in it."""
    found = []
    for (own, entity), now in after.items():
        if (own, entity) not in before or before[own, entity] == now:
            continue
        who, was = called(own, entity, name), before[own, entity]
        if who is None:
            return None
        if now is None:
            found.append(f"so {who} has no value any more")
        elif was is None:
            found.append(f"so {who} is {text_of(own, now)} now, and had no value")
        else:
            found.append(f"so {who}: from {text_of(own, was)} to {text_of(own, now)}")
    return found


def follows_told(checker, finding, replay, run):
    """What is told to follow does, at each change, and all that follows is told."""
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    if run["trace"] is None:
        return
    told = [moment["follows"] for moment in run["trace"] if moment["follows"]]
    if not continuous_of(spec):
        tally.check("follows", not told and not run["unsettled"], f"{title}: something follows: {told}")
        return
    data = [state.data for state in replay.path] + ([replay.end.data] if replay.end is not None else [])
    mine, now = [], values_of(spec, data[0], replay.assignment)
    for one, two in zip(data, data[1:]):
        if one != two:
            before, now = now, values_of(spec, two, replay.assignment)
            mine.append(lines(before, now, replay.name))
    mine = [part for part in mine if part != []]
    if None in mine or any(CREATED_NAME.search(line) for part in told for line in part):
        tally.skip("follows")
        return
    whole = run["outcome"] not in ("stopped", "diverges", "grows")  # else what is shown may end before, or go on
    good = all(alike(a, b) for a, b in zip(told, mine)) and (not whole or len(told) == len(mine))
    tally.check("follows", good, lambda: f"{title}: {told} follow; the judge has {mine}")


def alike(told, mine):
    """Whether the lines are those of a change, in any order, of many some of them."""
    more = [MORE.fullmatch(line) for line in told]
    lines_ = [line for line, found in zip(told, more) if not found]
    left = sum(int(found[1]) for found in more if found)
    if left == 0:
        return sorted(lines_) == sorted(mine)
    return len(lines_) == MOST and set(lines_) <= set(mine) and len(mine) == MOST + left


# Why nothing fits -----------------------------------------------------------------------------------------


def place_of(spec, words, data, name):
    """(continuous value, identity) of its words."""
    for own in continuous_of(spec):
        for entity in all_of(own.sort)(data) if own.sort is not None else (None,):
            if called(own, entity, name) == words:
                return own, entity
    return None


def value_in(own, text):
    return next((value for value in own.values if text_of(own, value) == text), None)


def pairs(spec, text, data, name):
    """{(name, identity): value} of "power of ogre = 2, taunt of ogre = true"; None if it is not understood."""
    found = {}
    for part in text.split(", "):
        if re.fullmatch(r"\d+ more", part):
            continue
        words, _, value = part.rpartition(" = ")
        place = place_of(spec, words, data, name)
        told = place and value_in(place[0], value)
        if told is None:
            return None
        found[place[0].name, place[1]] = told
    return found


def why_told(checker, finding, replay, run):
    """Two assignments that are told both fit, and differ in what is told; each value that is tried leads to what is said."""
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    if replay.end is None or not run["unsettled"]:
        return
    data, a = replay.end.data, replay.assignment
    for text in run["unsettled"]:
        two = re.fullmatch(r"either of these fits: (.+?); or (.+)", text)
        if two is None:
            tally.check("why nothing fits", circle(spec, text, data, a, replay.name), lambda: f"{title}: {text}")
            continue
        told = [pairs(spec, part, data, replay.name) for part in two.groups()]
        good = None not in told and told[0].keys() == told[1].keys() and all(told[0][p] != told[1][p] for p in told[0])
        for some in told if good else ():
            group = spec.world.definitions[next(iter(some))[0]].continuous.group
            good = good and bool(found_by_trying(spec.world, group, data, a, some))
        tally.check("why nothing fits", bool(good), lambda: f"{title}: {text}")


def circle(spec, text, data, a, name):
    """Whether no value of what is tried fits, and all of them are told."""
    tried, told = None, set()
    for part in text.split("; "):
        if_ = re.fullmatch(r"if (.+?) is ([^,]+), (.+)", part)
        comes = if_[3] if if_ else part
        found = re.fullmatch(r"(it|.+?) comes to (.+?)(?:, which is not from (-?\d+) to (-?\d+))?", comes)
        rule = re.fullmatch(r"the rule of (.+) gives no value", comes)
        if rule is None and found is None:
            return False
        place = place_of(spec, if_[1], data, name) if if_ else None
        if if_:
            if place is None or tried not in (None, place):
                return False
            tried = place
            told.add(value_in(place[0], if_[2]))
        own = place or place_of(spec, rule[1] if rule else found[1], data, name)
        if own is None or solutions(spec.world, own[0], data, a):
            return False
        if found and found[1] == "it" and place is not None and value_in(place[0], found[2]) == value_in(place[0], if_[2]):
            return False
        if found and found[3] and int(found[3]) <= int(found[2]) <= int(found[4]):
            return False
    return tried is None or told == set(tried[0].values)


__all__ = ["follows_told", "why_told"]
