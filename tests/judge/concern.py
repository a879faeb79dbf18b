"""What a sequence has to do with: the values and numbers of entities in which its boards differ (docs/semantics.md §1.2)."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterator, NamedTuple

ALWAYS = ("always",)


class Concern(NamedTuple):
    """The places that take all their values, and the sorts of which there are as many as are explored."""

    places: set
    sorts: set


class Spoken:
    """Takes down of what each part of a specification speaks, and which other parts it comes to."""

    def __init__(self) -> None:
        self.unit: tuple = ("nowhere",)  # boards and examples do not count
        self.places: dict = {}
        self.sorts: dict = {}
        self.units: dict = {}

    @contextmanager
    def within(self, *unit: Any) -> Iterator[None]:
        around, self.unit = self.unit, unit
        yield
        self.unit = around

    def place(self, place: Any) -> None:
        self.places.setdefault(self.unit, set()).add(place)
        self.sort(place.sort)
        self.sort(place.type.sort)

    def zone(self, zone: Any) -> None:
        self.sort(zone.sort)
        self.sort(zone.owner)

    def sort(self, sort: Any) -> None:
        if sort is not None:
            self.sorts.setdefault(self.unit, set()).add(sort.index)

    def comes_to(self, *unit: Any) -> None:
        self.units.setdefault(self.unit, set()).add(unit)

    def led_to(self, spec: Any, sequences: Any) -> set:
        """The parts that sequences come to, by performing them or by triggers."""
        todo = [("sequence", sequence.name) for sequence in sequences]
        todo += [("event", event.name) for event in spec.raised] if todo else []
        seen: set = set()
        while todo:
            unit = todo.pop()
            if unit in seen:
                continue
            seen.add(unit)
            todo += self.units.get(unit, ())
            if unit[0] == "event":
                todo += [("trigger", trigger.name) for trigger in spec.triggers if trigger.event.name == unit[1]]
        return seen

    def concern(self, spec: Any, sequence: Any) -> Concern:
        fields = [field for sort in spec.sorts for field in sort.fields]
        links = {place for place in (*spec.variables, *fields) if place.type.kind == "entity"}
        sorts = {sort.index for sort in spec.sorts if sort.player}
        sorts |= {s.index for link in links for s in (link.sort, link.type.sort) if s is not None}
        todo = [ALWAYS, ("sequence", sequence.name), ("about", sequence.name)]
        todo += [("event", event.name) for event in spec.raised]
        contracts = {name for v in spec.verifies if v.sequence is sequence for name in v.contracts}
        seen: set = set()
        places = set(links)
        while todo:
            unit = todo.pop()
            if unit in seen or unit[0] == "sequence" and unit[1] in contracts:
                todo += [("contract", unit[1])] if unit not in seen else []
                seen.add(unit)
                continue
            seen.add(unit)
            places |= self.places.get(unit, set())
            sorts |= self.sorts.get(unit, set())
            todo += self.units.get(unit, ())
            if unit[0] == "event":
                todo += [("trigger", trigger.name) for trigger in spec.triggers if trigger.event.name == unit[1]]
        return Concern(places, sorts)


def one_of(values: list, place: Any) -> list:
    """The value of a place with which the sequence has nothing to do."""
    return [place.default] if place.default in values else values[:1]
