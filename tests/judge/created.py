"""What was created in two runs, matched so that least differs: how many rows a table of differences then has (§5, §11).

Of the ways to match some may tell a difference by the same words for both ends: `bin: created 1` beside `created 1`, where the one
is created 2 of the other. These are left out as long as there are others.
"""

from __future__ import annotations

from itertools import permutations, product
from math import factorial

from .model import CREATED, REMOVED
from .observe import seen_created

MOST_MATCHINGS = 5000


def matchings(first, second):
    """The ways to match the identities of two lists of lists, as far as they go: {identity of the second: of the first}."""
    rows = []
    for one, two in zip(first, second):
        if len(one) <= len(two):
            rows.append([dict(zip(some, one)) for some in permutations(two, len(one))])
        else:
            rows.append([dict(zip(two, some)) for some in permutations(one, len(two))])
    for parts in product(*rows):
        yield {two: one for part in parts for two, one in part.items()}


def too_many(first, second):
    number = 1
    for one, two in zip(first, second):
        most, least = max(len(one), len(two)), min(len(one), len(two))
        number *= factorial(most) // factorial(most - least)
    return number > MOST_MATCHINGS


def things(spec, observer, data, call):
    """{thing: value} of what an observer sees; `call` gives what a value is called."""
    found = {}
    for sort in spec.sorts:
        fields = [f for f in sort.fields if f in observer.fields]
        for slot, entity in enumerate(data.entities[sort.index]):
            identity = sort.base + slot
            if entity is None or entity[0] & CREATED and call(identity) is None:
                continue
            for field in fields:
                found[field.full_name, call(identity)] = call(entity[1 + field.index])
            if observer.removed:
                found["there", call(identity)] = not entity[0] & REMOVED
    for place in observer.variables:
        found[place.full_name] = call(data.variables[place.index])
    for zone, as_set in observer.zones:
        inside = data.zones[zone.index]
        for slot, part in enumerate((inside,) if zone.owner is None else inside):
            names = [call(one) for one in part]
            found[zone.name, slot] = tuple(sorted(names, key=repr) if as_set or zone.unordered else names)
    return found


def differing(one, two):
    """How many rows tell two such pictures apart: what is in one only has one for each of its fields, and one that it is
    there if it has none."""
    places = {key for key in {**one, **two} if key in one and key in two and one[key] != two[key]}
    alone = {key for key in {**one, **two} if (key in one) != (key in two)}
    whole = {key[1] for key in alone}
    return len(places) + sum(max(1, sum(key[1] == who and key[0] != "there" for key in alone)) for who in whole)


def is_seen(one, two, raw_one, raw_two):
    """Whether things that differ are told by other words, where those of one slot have one name in both runs."""
    keys = [key for key in one if key in two and one[key] != two[key]]
    return all(raw_one[key] != raw_two[key] for key in keys)


def fewest_rows(spec, observer, first, second):
    """The fewest rows of any matching, and of any that can be seen by the names in each run, expressions left out; None if there are
    too many, or nothing was created."""
    created = [seen_created(spec, data) for data in (first, second)]
    if not any(map(any, created)) or too_many(*created):
        return None
    known = [{i for row in rows for i in row} for rows in created]
    gone = [{sort.base + slot for sort in spec.sorts for slot, e in enumerate(data.entities[sort.index])
             if e is not None and e[0] & CREATED} - some for data, some in zip((first, second), known)]
    def same(v):
        return None if type(v) is int and v in gone[0] else v

    one = things(spec, observer, first, same)
    best = best_seen = None
    for matching in matchings(*created):
        def call(v):
            if type(v) is not int or v not in known[1] | gone[1]:
                return v
            return None if v in gone[1] else matching.get(v, ("other", v))

        two = things(spec, observer, second, call)
        number = differing(one, two)
        best = number if best is None else min(best, number)
        # Both are made in the same order, so that each value without the matching belongs to the key with it.
        raw = [dict(zip(told, things(spec, observer, data, lambda v, out=out: None if type(v) is int and v in out else v).values()))
               for told, data, out in ((one, first, gone[0]), (two, second, gone[1]))]
        if is_seen(one, two, *raw):
            best_seen = number if best_seen is None else min(best_seen, number)
    return best, best_seen


__all__ = ["fewest_rows"]
