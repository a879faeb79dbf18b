"""What an observer sees of data, so that two outcomes are equal exactly if this is (docs/semantics.md §5).

Entities of the board are seen by name. Created ones have no names: of all ways to name them, the one is taken in
which what is seen is smallest.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import Any, Hashable, Optional

from .data import refer_to, refer_to_others
from .kinds import SeenBy
from .model import CREATED, REMOVED, Data, NoValue, Observer, Spec
from .values import spent


def observe(spec: Spec, observer: Optional[Observer], data: Data, assignment: Optional[dict] = None) -> Hashable:
    """What is seen. Raises NeedsReading if an expression of the observer consults a reading."""
    observer = observer or spec.everything
    values = []
    for expression in observer.expressions:
        spent[0] = 0
        kind = "values" if type(expression) is SeenBy else "value"
        try:
            values.append((kind, expression.value(data, (), assignment or {}, None)))
        except NoValue as gap:
            values.append(("gap", gap.kind, gap.words))
    created = seen_created(spec, data)
    if not any(created):
        return picture(spec, observer, data, values, {}, created)
    best = None
    for images in product(*(permutations(range(len(of_sort))) for of_sort in created)):
        names = {
            identity: ("created", index, image[at])
            for index, (of_sort, image) in enumerate(zip(created, images))
            for at, identity in enumerate(of_sort)
        }
        found = picture(spec, observer, data, values, names, created)
        rank = repr(found)
        if best is None or rank < best[0]:
            best = (rank, found)
    return best[1]


def seen_created(spec: Spec, data: Data) -> list:
    """The created entities of each sort, without those that were removed and are named by nothing else that is seen."""
    gone: frozenset = frozenset()
    while True:
        referred: set = set()
        refer_to(data.variables, referred)
        refer_to_others(data, referred, gone)
        found = frozenset(
            sort.base + slot for sort, row in zip(spec.sorts, data.entities) for slot, entity in enumerate(row)
            if entity is not None and entity[0] & CREATED and entity[0] & REMOVED and sort.base + slot not in referred
        )
        if found == gone:
            break
        gone = found
    return [
        tuple(
            sort.base + slot for slot, entity in enumerate(row)
            if entity is not None and entity[0] & CREATED and sort.base + slot not in gone
        )
        for sort, row in zip(spec.sorts, data.entities)
    ]


def picture(spec: Spec, observer: Observer, data: Data, values: list, names: dict, created: list) -> tuple:
    """What is seen, with created entities called by the names."""
    def named(value: Any) -> Any:
        return names.get(value, value) if names else value

    fields = []
    for sort in spec.sorts:
        seen = [1 + field.index for field in observer.fields if field.sort is sort]
        if not seen and not observer.removed:
            continue
        row = data.entities[sort.index]
        board = []
        for entity in row:
            if entity is None or entity[0] & CREATED:
                continue
            board.append((entity[0] if observer.removed else 0, tuple(named(entity[at]) for at in seen)))
        new = [None] * len(created[sort.index])
        for identity in created[sort.index]:
            entity = row[identity - sort.base]
            new[names[identity][2]] = (
                entity[0] if observer.removed else CREATED, tuple(named(entity[at]) for at in seen)
            )
        fields.append((sort.name, tuple(board), tuple(new)))
    variables = tuple(named(data.variables[place.index]) for place in observer.variables)
    zones = []
    for zone, as_set in observer.zones:
        inside = data.zones[zone.index]
        parts = []
        for part in (inside,) if zone.owner is None else inside:
            part = [named(entity) for entity in part]
            parts.append(frozenset_key(part) if as_set or zone.unordered else tuple(part))
        zones.append(tuple(parts))
    return (tuple(fields), variables, tuple(zones), tuple(
        (value[0], named(value[1])) if value[0] == "value" else
        (value[0], value[1].as_named(named)) if value[0] == "values" else value for value in values
    ))


def frozenset_key(part: list) -> tuple:
    """The contents of a zone of which the arrangement is not seen."""
    return tuple(sorted(part, key=repr))
