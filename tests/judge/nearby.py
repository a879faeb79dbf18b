"""Boards and moments on which two conditions are compared: those of the scopes, and others that are near to them."""

from __future__ import annotations

from .graph import TooLarge
from .model import CREATED, REMOVED

BASES = 16  # boards of a scope from which others are made
MOST = 320
MOST_ADDED = 9  # entities of one sort
ZONES = 4


def some_of(rows, most):
    """At most so many of a list, spread over it."""
    step = max(1, len(rows) // most)
    return rows[::step][:most]


def nearby(judge):
    """Boards of all scopes, moments of runs from them, and boards in which one place is another."""
    found = {}
    for number, scope in enumerate(judge.scopes):
        orbits = some_of(judge.orbits[number], BASES)
        for orbit in orbits:
            found[orbit.data] = None
        for orbit in orbits[:6]:
            try:
                for graph in judge.graphs(scope, orbit)[:2]:
                    for state in some_of(graph.states, 8):
                        found[state.data] = None
            except TooLarge:
                pass
    bases = list(found)
    near = {}
    for data in some_of(bases, BASES):
        for other in changed(judge.spec, data):
            near[other] = None
    return bases[:MOST] + some_of([d for d in near if d not in found], MOST)


def values_of(place, spec, data):
    kind = place.type.kind
    if kind == "boolean":
        return [False, True]
    if kind == "enum":
        return list(place.type.values)
    if kind == "integer":
        low, high = place.explored
        return list(range(low - 1, min(high, low + 8) + 2))
    if kind in ("entity", "optional"):
        sort = place.type.sort
        if sort is None:
            return [*place.type.values, None] if getattr(place.type, "values", None) else [None]
        there = [sort.base + slot for slot, e in enumerate(data.entities[sort.index]) if e is not None][:3]
        return there + ([None] if kind == "optional" else [])
    return []


def with_place(data, place, where, value):
    if where is None:
        row = list(data.variables)
        row[place.index] = value
        return data._replace(variables=tuple(row))
    sorts = list(data.entities)
    entities = list(sorts[where[0]])
    entity = list(entities[where[1]])
    entity[1 + place.index] = value
    entities[where[1]] = tuple(entity)
    sorts[where[0]] = tuple(entities)
    return data._replace(entities=tuple(sorts))


def places(spec, data):
    for place in spec.variables:
        yield place, None
    for sort in spec.sorts:
        for slot, entity in enumerate(data.entities[sort.index][:3]):
            if entity is not None:
                for place in sort.fields:
                    yield place, (sort.index, slot)


def changed(spec, data):
    """Boards that differ from one in one value, or in where one entity lies."""
    for place, where in places(spec, data):
        for value in values_of(place, spec, data):
            yield with_place(data, place, where, value)
    for sort in spec.sorts:
        for slot, entity in enumerate(data.entities[sort.index][:3]):
            if entity is None:
                continue
            identity = sort.base + slot
            away = without(data, identity)
            for zone in sort.zones[:ZONES]:
                yield into(away, zone, identity, 0)
                yield into(away, zone, identity, -1)
            sorts = list(data.entities)
            row = list(sorts[sort.index])
            row[slot] = ((row[slot][0] & CREATED) | REMOVED, *row[slot][1:])
            sorts[sort.index] = tuple(row)
            yield away._replace(entities=tuple(sorts))


def without(data, identity):
    """A board with an entity in no zone."""
    def left(content):
        return tuple(left(c) if isinstance(c, tuple) else c for c in content if c != identity)

    return data._replace(zones=tuple(left(z) for z in data.zones))


def into(data, zone, identity, owner):
    """A board with an entity in a zone, of a family in that of the first or the last owner."""
    zones = list(data.zones)
    if zone.owner is None:
        zones[zone.index] = (*zones[zone.index], identity)
    elif zones[zone.index]:
        family = list(zones[zone.index])
        family[owner] = (*family[owner], identity)
        zones[zone.index] = tuple(family)
    return data._replace(zones=tuple(zones))


def with_numbers(spec, boards, numbers):
    """Boards whose integers, or numbers of entities, are near to some numbers."""
    found = []
    wanted = sorted({n + k for n in numbers if n < 1000 for k in (-1, 0, 1)} | {-n for n in numbers if n < 1000})
    for data in some_of(boards, 3):
        for place, where in places(spec, data):
            if place.type.kind == "integer":
                found += [with_place(data, place, where, n) for n in wanted]
    largest = min(max([n for n in wanted if n <= MOST_ADDED], default=0), MOST_ADDED)
    for data in some_of(boards, 2):
        for sort in spec.sorts:
            for zone in [None, *sort.zones[:ZONES]] if data.entities[sort.index] else []:
                found += added(spec, data, sort, zone, largest)
    return found


def added(spec, data, sort, zone, most):
    """Boards with more and more entities of a sort, all like the last one, in one zone."""
    found = []
    while len(data.entities[sort.index]) < most:
        sorts = list(data.entities)
        row = sorts[sort.index]
        if row[-1] is None:
            break
        sorts[sort.index] = (*row, row[-1])
        zones = list(data.zones)
        for family in spec.zones:
            if family.owner is sort:
                zones[family.index] = (*zones[family.index], ())
        data = data._replace(entities=tuple(sorts), zones=tuple(zones))
        if zone is not None:
            data = into(data, zone, sort.base + len(row), 0)
        found.append(data)
    return found


__all__ = ["nearby", "with_numbers"]
