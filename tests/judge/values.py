"""What compiled expressions are made of: types, what is counted, names with their slots, and where things lie."""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional

from .model import REMOVED, Exceeded, NeedsReading, NoValue, Sort, Type, Zone, slot_of
from .parse import Tree

INTEGER = Type("integer", "integer")
BOOLEAN = Type("boolean", "boolean", (False, True))
NONE = Type("none", "none")
LARGEST = 9223372036854775807
SMALLEST = -LARGEST - 1
EXPRESSIONS = 1_000_000
ABSENT = "vacant role or absent link"

spent = [0]  # expressions evaluated in this small step


def spend(amount: int) -> None:
    spent[0] += amount
    if spent[0] > EXPRESSIONS:
        raise Exceeded("expressions")


def checked(value: int) -> int:
    if value > LARGEST or value < SMALLEST:
        raise Exceeded("overflow")
    return value


def position(gap: NoValue) -> tuple:
    span = gap.span
    return (span.number, span.end_line, span.end_column)


def earliest(gaps: list) -> NoValue:
    """Of several gaps, the one that stands first in the specification."""
    return min(gaps, key=position)


class Missing:
    """Why elements that are all looked at have no value, and what is told of them (§2)."""

    def __init__(self):
        self.gaps: list = []
        self.readings: list = []
        self.overflow: Optional[Exceeded] = None

    def add(self, why: Exception) -> None:
        if type(why) is NoValue:
            self.gaps.append(why)
        elif type(why) is NeedsReading:
            self.readings.append(why)
        elif str(why) == "expressions":
            raise why
        else:
            self.overflow = why

    def tell(self) -> None:
        """A reading that is not fixed is consulted first, and an integer beyond 64 bits counts before gaps."""
        if self.readings:
            raise min(self.readings, key=lambda need: need.reading.index)
        if self.overflow is not None:
            raise self.overflow
        if self.gaps:
            raise earliest(self.gaps)


LACKS = (NoValue, NeedsReading, Exceeded)


class Code(NamedTuple):
    run: Callable
    type: Type
    weight: int  # how many expressions it is made of


class Scope:
    """The bound names that are known somewhere, with their slot among the locals and their type."""

    def __init__(self, names: Optional[dict] = None, size: int = 0, entities: Optional[dict] = None):
        self.names = names or {}
        self.size = size
        self.entities = entities or {}  # of a written board: name -> (identity, Sort)

    def bind(self, name: str, type_: Type) -> "Scope":
        names = dict(self.names)
        names[name] = (self.size, type_)
        return Scope(names, self.size + 1, self.entities)


class Definition:
    """A `define`. It is compiled when it is first used, once for the present and once for `old`."""

    def __init__(self, tree: Tree, parameters: list):
        self.tree = tree
        self.parameters = parameters  # (name, Type)
        self.compiled: dict = {}
        self.busy = False
        self.depth = 0  # see depth_of
        self.continuous = None  # see continuous.py


class Binder(NamedTuple):
    """`elements(d, l, a, o)` are those for which the filter is true; `all` those before the filter."""

    elements: Callable
    all: Callable
    admits: Optional[Callable]  # the filter, given the locals with the element; None: there is none
    scope: Scope
    type: Type
    zone: Optional[Zone]
    owner: Optional[Callable]  # of an applied family: the entity whose zone it is
    family: bool  # an unapplied family
    weight: int


# ---------------------------------------------------------------------------------------------------
# Looking things up in the data


def exists(d, sort_index: int, identity: int) -> bool:
    row = d[0][sort_index]
    slot = slot_of(identity)
    return slot < len(row) and row[slot] is not None


def all_of(sort: Sort) -> Callable:
    """All entities of a sort that are not removed, in order of identity."""
    index, base = sort.index, sort.base

    def entities(d, l=None, a=None, o=None):
        return [base + slot for slot, entity in enumerate(d[0][index]) if entity is not None and entity[0] < REMOVED]

    return entities


def where_is(d, sort: Sort, entity: int):
    """(Zone, slot of the owner or None, contents, place) of where an entity lies, or None."""
    for zone in sort.zones:
        inside = d[2][zone.index]
        if zone.owner is None:
            if entity in inside:
                return zone, None, inside, inside.index(entity)
        else:
            for slot, one in enumerate(inside):
                if entity in one:
                    return zone, slot, one, one.index(entity)
    return None
