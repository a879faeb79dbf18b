"""Integers that only count (docs/semantics.md §8): no run reads them, and loops are looked for without them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .model import Data, Place


class Named:
    """Takes down where the places are named in what runs do and read."""

    def __init__(self, spoken: Any) -> None:
        self.spoken = spoken
        self.counts: Counter = Counter()
        self.listens = False
        self.compares = False  # whether some `repeat` compares all data

    def note(self, place: Place) -> None:
        self.spoken.place(place)
        if self.listens:
            self.counts[place] += 1

    def adds(self, place: Place, times: int) -> None:
        """So many of these were part of adding to it."""
        self.counts[place] -= times

    def tallies(self, spec: Any) -> frozenset:
        if self.compares:
            return frozenset()
        fields = (field for sort in spec.sorts for field in sort.fields)
        return frozenset(place for place in (*spec.variables, *fields) if place.type.kind == "integer"
                         and place.kind in ("var", "field") and place.document is None and not self.counts[place])


def adds_to(tree: Any) -> bool:
    """Whether `set p to e` adds something to p, or takes it away."""
    value, sides = tree.value, ()
    if value.kind == "+":
        sides = (value.left, value.right)
    elif value.kind == "-":
        sides = (value.left,)
    return any(is_place(side, tree.place) for side in sides)


def is_place(one: Any, other: Any) -> bool:
    if one.kind != other.kind:
        return False
    if one.kind == "name":
        return one.name == other.name
    return one.kind == "field" and one.name == other.name and one.owner.kind == other.owner.kind == "name" \
        and one.owner.name == other.owner.name


def uncounted(spec: Any, what: Any) -> Any:
    """A state, or a part of one, in which the tallies hold nothing."""
    if type(what) is Data:
        entities = tuple(
            tuple(None if row is None else blank(row, [f.index for f in sort.fields if f in spec.tallies], 1) for row in rows)
            for sort, rows in zip(spec.sorts, what.entities))
        return Data(entities, blank(what.variables, [v.index for v in spec.variables if v in spec.tallies], 0), *what[2:])
    if not isinstance(what, tuple):
        return what
    inside = [uncounted(spec, part) for part in what]
    return type(what)(*inside) if hasattr(what, "_fields") else tuple(inside)


def blank(row: tuple, at: list, shift: int) -> tuple:
    return tuple(0 if n - shift in at else value for n, value in enumerate(row))
