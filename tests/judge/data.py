"""Reading and changing the data of a state; every change makes new data.

A change that a bound forbids raises Stop: of the document it ends the run as `range`, of the exploration
as `limit` (docs/semantics.md §1.1). Within one small step nothing is written if it ends the run.
"""

from __future__ import annotations

from typing import Any, Optional

from .model import CREATED, REMOVED, STRIDE, Data, Place, Queue, Sort, Zone
from .values import LARGEST

NEAR = "near"  # bounds of exploration are those that values other than those of a board are tried with (§10)
MARGIN = 8


class Stop(Exception):
    """The run ends with this tag."""

    def __init__(self, tag: tuple):
        super().__init__(tag)
        self.tag = tag


def replaced(row: tuple, index: int, value: Any) -> tuple:
    return row[:index] + (value,) + row[index + 1:]


# ---------------------------------------------------------------------------------------------------
# Places: variables have the owner None, fields the identity of their entity


def read(data: Data, place: Place, owner: Optional[int]) -> Any:
    if owner is None:
        return data.variables[place.index]
    return data.entities[place.sort.index][owner - place.sort.base][1 + place.index]


def write(data: Data, place: Place, owner: Optional[int], value: Any) -> Data:
    entities, variables, zones, queues = data
    if owner is None:
        return Data(entities, replaced(variables, place.index, value), zones, queues)
    sort = place.sort
    row = entities[sort.index]
    slot = owner - sort.base
    row = replaced(row, slot, replaced(row[slot], 1 + place.index, value))
    return Data(replaced(entities, sort.index, row), variables, zones, queues)


def bound_crossed(place: Place, value: Any, wide: Any) -> Optional[tuple]:
    """The tag of the bound that the value leaves, or None; `wide` as that of a Machine."""
    if place.type.kind != "integer":
        return None
    document = place.document
    if document is not None and not document[0] <= value <= document[1]:
        return ("range", place.full_name)
    reach = place.reach
    if reach is not None and wide == NEAR:
        unbounded = document is None or place.kind == "supply" and document[1] == LARGEST
        if unbounded and not reach[0] - MARGIN <= value <= reach[1] + MARGIN:
            return ("limit", "reach")
    elif reach is not None and not wide and not reach[0] <= value <= reach[1]:
        return ("limit", "reach")
    return None


def write_checked(data: Data, place: Place, owner: Optional[int], value: Any, wide: Any) -> Data:
    tag = bound_crossed(place, value, wide)
    if tag is not None:
        raise Stop(tag)
    return write(data, place, owner, value)


# ---------------------------------------------------------------------------------------------------
# Zones: single ones have the owner None


def contents(data: Data, zone: Zone, owner: Optional[int]) -> tuple:
    inside = data.zones[zone.index]
    return inside if owner is None else inside[owner - zone.owner.base]


def put_contents(data: Data, zone: Zone, owner: Optional[int], inside: tuple) -> Data:
    if zone.unordered:
        inside = tuple(sorted(inside))
    if owner is not None:
        inside = replaced(data.zones[zone.index], owner - zone.owner.base, inside)
    return Data(data.entities, data.variables, replaced(data.zones, zone.index, inside), data.queues)


def location(data: Data, sort: Sort, entity: int):
    """(zone, owner) of where an entity lies, or None."""
    for zone in sort.zones:
        inside = data.zones[zone.index]
        if zone.owner is None:
            if entity in inside:
                return zone, None
        else:
            for slot, one in enumerate(inside):
                if entity in one:
                    return zone, zone.owner.base + slot
    return None


def taken_out(data: Data, sort: Sort, entity: int) -> Data:
    found = location(data, sort, entity)
    if found is None:
        return data
    inside = tuple(other for other in contents(data, *found) if other != entity)
    return put_contents(data, *found, inside)


def put_in(data: Data, zone: Zone, owner: Optional[int], at: int, entities: tuple) -> Data:
    """Puts entities that lie nowhere at a place of a zone; more than it holds is `range`."""
    inside = contents(data, zone, owner)
    if zone.holds is not None and len(inside) + len(entities) > zone.holds:
        raise Stop(("range", zone.name))
    return put_contents(data, zone, owner, inside[:at] + entities + inside[at:])


# ---------------------------------------------------------------------------------------------------
# Entities


def is_removed(data: Data, sort: Sort, entity: int) -> bool:
    return data.entities[sort.index][entity - sort.base][0] >= REMOVED


def with_created(data: Data, sort: Sort, fields: tuple, wide: Any) -> tuple:
    """(data with a new entity that lies nowhere, its identity)."""
    row = data.entities[sort.index]
    created = sum(1 for entity in row if entity is not None and entity[0] & CREATED)
    if created >= sort.headroom and wide is not True:
        raise Stop(("limit", "headroom"))
    entity = (CREATED,) + fields
    slot = row.index(None) if None in row else len(row)
    row = replaced(row, slot, entity) if slot < len(row) else row + (entity,)
    return data._replace(entities=replaced(data.entities, sort.index, row)), sort.base + slot


def with_removed(data: Data, sort: Sort, entity: int) -> Data:
    data = taken_out(data, sort, entity)
    row = data.entities[sort.index]
    slot = entity - sort.base
    if row[slot][0] >= REMOVED:
        return data
    row = replaced(row, slot, (row[slot][0] + REMOVED,) + row[slot][1:])
    return data._replace(entities=replaced(data.entities, sort.index, row))


def forgotten(data: Data, control: tuple) -> Data:
    """The data without created entities that were removed and to which nothing refers any more (§1)."""
    while True:
        gone = [
            (sort, slot)
            for sort, row in enumerate(data.entities)
            for slot, entity in enumerate(row)
            if entity is not None and entity[0] == CREATED + REMOVED
        ]
        if not gone:
            return data
        referred: set = set()
        refer_to(data.variables, referred)
        refer_to(data.queues, referred)
        refer_to(control, referred)
        refer_to_others(data, referred)
        gone = [(sort, slot) for sort, slot in gone if (sort + 1) * STRIDE + slot not in referred]
        if not gone:
            return data
        rows = [list(row) for row in data.entities]
        for sort, slot in gone:
            rows[sort][slot] = None
        for row in rows:
            while row and row[-1] is None:
                row.pop()
        data = data._replace(entities=tuple(map(tuple, rows)))


def refer_to(value: Any, referred: set) -> None:
    """Collects the identities in nested tuples; data that were put aside refer to nothing (§1)."""
    if type(value) is int:
        if value >= STRIDE:
            referred.add(value)
    elif type(value) is not Data and isinstance(value, tuple):
        for part in value:
            refer_to(part, referred)


def refer_to_others(data: Data, found: set, without: frozenset = frozenset()) -> None:
    """The entities that fields of other ones hold (§1: nothing else), but for those of the entities `without`."""
    for sort, row in enumerate(data.entities):
        for slot, entity in enumerate(row):
            identity = (sort + 1) * STRIDE + slot
            if entity is not None and identity not in without:
                held: set = set()
                refer_to(entity[1:], held)
                found |= held - {identity}


def has_waste(data: Data) -> bool:
    """Whether a created entity was removed."""
    for row in data.entities:
        for entity in row:
            if entity is not None and entity[0] == CREATED + REMOVED:
                return True
    return False


# ---------------------------------------------------------------------------------------------------
# Queues


def with_pending(data: Data, queue: Queue, instances: tuple, wide: Any) -> Data:
    pending = data.queues[queue.index] + instances
    if queue.capacity is not None and len(pending) > queue.capacity and instances and wide is not True:
        raise Stop(("limit", "capacity"))
    return data._replace(queues=replaced(data.queues, queue.index, pending))
