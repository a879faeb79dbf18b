"""The boards of an instance (docs/semantics.md §1.2).

`all_boards` has every numbering: entities of a sort are told apart by their number. `orbits` has one board of
each set of boards that are one board: those that a permutation turns into each other that maps entities to such of
their sort, and those of numbered sorts to themselves. Its representatives are made directly: of a sort that is not
numbered, entities are numbered as they lie; those that nothing but fields tells apart (in an unordered zone, or in
no zone) in every way, of which the smallest is taken.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import Iterator, NamedTuple, Optional

from .concern import Concern, one_of
from .model import STRIDE, Data, Exceeded, NeedsReading, NoValue, Sort, Spec, Verify
from .values import spent


class Orbit(NamedTuple):
    """A board. `data`: one numbering; `count`: how many numberings it has; `members(spec, data)` are all."""

    data: Data
    count: int
    status: str  # 'legal', or 'unknown' or 'depends' (on readings)


def all_boards(spec: Spec, sizes: Optional[dict] = None) -> Iterator[Data]:
    """Every numbering of every board of the sizes, legal or not."""
    for numbers in all_numbers(spec, sizes or {}):
        for data, _ in boards_of(spec, numbers, {sort.index for sort in spec.sorts}):
            yield data


def orbits(spec: Spec, sequence, verify: Optional[Verify] = None, assignment: Optional[dict] = None) -> list:
    """The legal boards of a sequence or verify, each once; boards that are not known to be legal are among them."""
    concern = spec.spoken.concern(spec, sequence)
    sizes = verify.sizes if verify is not None else {}
    where = verify.where if verify is not None else None
    numbered = {sort.index for sort in spec.sorts if sort.numbered}
    found = []
    for numbers in all_numbers(spec, sizes, concern):
        total = 1
        for sort, number in zip(spec.sorts, numbers):
            if sort.index not in numbered:
                total *= factorial(number)
        for data, fixing in boards_of(spec, numbers, numbered, concern):
            status = judge_board(spec, data, where, assignment)
            if status == "depends" and not legal_assignments(spec, data, where):
                continue
            if status in ("legal", "unknown", "depends"):
                found.append(Orbit(data, total // fixing, status))
    return found


def factorial(number: int) -> int:
    return 1 if number < 2 else number * factorial(number - 1)


def judge_board(spec: Spec, data: Data, where=None, assignment: Optional[dict] = None, only: bool = True) -> str:
    """'legal'; 'illegal'; 'excluded' by a bound of exploration; 'unknown'; 'depends' on a reading not assigned.

    Without `only`, `explore only` does not count.
    """
    for sort in spec.sorts:
        number = len(data.entities[sort.index])
        if sort.document is not None and not sort.document[0] <= number <= sort.document[1]:
            return "illegal"
    status = "legal"
    for kind, conditions in (
        ("illegal", [c.expression for c in spec.legal]),
        ("excluded", [c.expression for c in spec.only if only] + ([where] if where is not None else [])),
    ):
        for expression in conditions:
            spent[0] = 0
            try:
                if not expression.value(data, (), assignment or {}, None):
                    return kind
            except NoValue:
                return kind
            except Exceeded:
                status = "unknown"
            except NeedsReading:
                status = "depends" if status == "legal" else status
    return status


def legal_assignments(spec: Spec, data: Data, where=None, only: bool = True) -> list:
    """The assignments of the readings that legality consults under which the board is legal, or not known not to be."""
    found, waiting = [], [{}]
    while waiting:
        assignment = waiting.pop()
        reading = consulted(spec, data, where, assignment, only)
        if reading is not None:
            waiting += [{**assignment, reading.index: i} for i in reversed(range(len(reading.alternatives)))]
        elif judge_board(spec, data, where, assignment, only) in ("legal", "unknown"):
            found.append(assignment)
    return found


def consulted(spec: Spec, data: Data, where, assignment: dict, only: bool = True):
    """The first reading that conditions on the board consult and that has no alternative, or None."""
    for expression in [c.expression for c in spec.legal + (spec.only if only else [])] + ([where] if where is not None else []):
        spent[0] = 0
        try:
            if not expression.value(data, (), assignment, None):
                return None
        except NeedsReading as need:
            return need.reading
        except NoValue:
            return None
        except Exceeded:
            continue
    return None


def all_numbers(spec: Spec, sizes: dict, concern: Optional[Concern] = None) -> Iterator[tuple]:
    """How many entities of each sort there are."""
    ranges = []
    for sort in spec.sorts:
        low, high = sort.explored
        if concern is not None and sort.index not in concern.sorts:
            high = low
        high = sizes.get(sort.name, high)
        ranges.append(range(low, high + 1))
    yield from product(*ranges)


# ---------------------------------------------------------------------------------------------------
# Boards with given numbers of entities


def boards_of(spec: Spec, numbers: tuple, numbered: set, concern: Optional[Concern] = None) -> Iterator[tuple]:
    """(data, how many permutations leave it as it is) of each board with so many entities."""
    entities = [range(sort.base, sort.base + number) for sort, number in zip(spec.sorts, numbers)]
    values = {sort.index: entities[sort.index] for sort in spec.sorts}
    rows = [field_rows(sort, values, concern) for sort in spec.sorts]
    variables = [explored_values(place, values, concern) for place in spec.variables]
    queues = ((),) * len(spec.queues)
    for arranged in arranged_sorts(spec, spec.sorts, numbers, numbered):
        zones: list = [None] * len(spec.zones)
        classes: list = []  # for each sort, the sets of entities that nothing but fields tells apart
        for zones_of_sort, classes_of_sort in arranged:
            for index, inside in zones_of_sort:
                zones[index] = inside
            classes.append(classes_of_sort)
        renamings = list(renamings_of(classes)) if any(classes) else []
        place = tuple(zones)
        for chosen in chosen_rows(rows, numbers):
            for given in product(*variables):
                data = Data(chosen, given, place, queues)
                if not renamings:
                    yield data, 1
                    continue
                fixing = 1
                mine = key(data)
                for renaming in renamings:
                    other = key(renamed(spec, data, renaming))
                    if other < mine:
                        break
                    fixing += other == mine
                else:
                    yield data, fixing


def field_rows(sort: Sort, values: dict, concern: Optional[Concern] = None) -> list:
    """All that an entity of the sort can be."""
    return [(0,) + row for row in product(*(explored_values(field, values, concern) for field in sort.fields))]


def chosen_rows(rows: list, numbers: tuple) -> Iterator[tuple]:
    """All that the entities of all sorts can be."""
    if not rows:
        yield ()
        return
    for first in product(rows[0], repeat=numbers[0]):
        for rest in chosen_rows(rows[1:], numbers[1:]):
            yield (first,) + rest


def explored_values(place, values: dict, concern: Optional[Concern] = None) -> list:
    """The values that a place has on boards; `values` are the entities of each sort."""
    found = values_of(place, values)
    return found if concern is None or place in concern.places else one_of(found, place)


def values_of(place, values: dict) -> list:
    if place.has_starts:
        return [place.starts]
    kind = place.type.kind
    if kind == "integer":
        return [n for low, high in place.listed or [place.explored] for n in range(low, high + 1)]
    if kind == "entity":
        return list(values[place.type.sort.index])
    if kind == "optional":
        return [None, *values[place.type.sort.index]]
    return list(place.type.values)


def arranged_sorts(spec: Spec, sorts: list, numbers: tuple, numbered: set) -> Iterator[tuple]:
    """All ways in which the entities of all sorts can lie."""
    if not sorts:
        yield ()
        return
    for first in arrangements_of(spec, sorts[0], numbers, sorts[0].index in numbered):
        for rest in arranged_sorts(spec, sorts[1:], numbers, numbered):
            yield (first,) + rest


def arrangements_of(spec: Spec, sort: Sort, numbers: tuple, numbered: bool) -> Iterator[tuple]:
    """([(zone index, contents)], sets of entities that nothing but fields tells apart) for each way in which the
    entities of a sort can lie."""
    entities = tuple(range(sort.base, sort.base + numbers[sort.index]))
    slots: list = []  # (zone, slot of the owner or None) of all zones, in order
    for zone in sort.zones:
        if zone.owner is None:
            slots.append((zone, None))
        else:
            slots += [(zone, slot) for slot in range(numbers[zone.owner.index])]
    open_ = [i for i, (zone, _) in enumerate(slots) if not zone.starts_empty]
    starts = any(not zone.starts_empty for zone in sort.zones)
    if not starts:
        classes = [entities] if not numbered and len(entities) > 1 else []
        yield contents_of(sort, slots, [()] * len(slots), numbers), classes
        return
    limits = []
    for i in open_:
        zone = slots[i][0]
        bounds = [b for b in (zone.explored, zone.holds) if b is not None]
        limits.append(min([len(entities), *bounds]))
    for sizes in compositions(len(entities), limits):
        for order in orders(entities, sizes, [slots[i][0].unordered for i in open_], numbered):
            inside: list = [()] * len(slots)
            classes = []
            for i, part in zip(open_, order):
                inside[i] = part
                if slots[i][0].unordered and not numbered and len(part) > 1:
                    classes.append(part)
            yield contents_of(sort, slots, inside, numbers), classes


def compositions(total: int, limits: list) -> Iterator[tuple]:
    """All ways to write a number as a sum of parts that are at most the limits."""
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]) + 1):
        for rest in compositions(total - first, limits[1:]):
            yield (first,) + rest


def orders(entities: tuple, sizes: tuple, unordered: list, numbered: bool) -> Iterator[tuple]:
    """All ways to deal entities out to zones of these sizes; as they are numbered, if numbers do not count."""
    for order in permutations(entities) if numbered else [entities]:
        parts, at = [], 0
        for size in sizes:
            parts.append(order[at:at + size])
            at += size
        if all(not free or list(part) == sorted(part) for part, free in zip(parts, unordered)):
            yield tuple(parts)


def contents_of(sort: Sort, slots: list, inside: list, numbers: tuple) -> list:
    found = []
    for zone in sort.zones:
        parts = tuple(part for (other, _), part in zip(slots, inside) if other is zone)
        found.append((zone.index, parts[0] if zone.owner is None else parts))
    return found


# ---------------------------------------------------------------------------------------------------
# Renaming


def renamings_of(classes: list) -> Iterator[dict]:
    """The permutations (but for the identity) that keep each set of entities; as dicts of identities."""
    sets = [part for of_sort in classes for part in of_sort]
    first = True
    for images in product(*(permutations(part) for part in sets)):
        if first:  # the identity
            first = False
            continue
        yield {a: b for part, image in zip(sets, images) for a, b in zip(part, image) if a != b}


def renamed(spec: Spec, data: Data, renaming: dict) -> Data:
    """The data with entities renamed. Identities are larger than any other number on a board."""
    def new(value):
        return renaming.get(value, value) if type(value) is int else value

    rows = []
    for sort, row in zip(spec.sorts, data.entities):
        changed: list = [None] * len(row)
        for slot, entity in enumerate(row):
            changed[new(sort.base + slot) - sort.base] = tuple(map(new, entity))
        rows.append(tuple(changed))
    zones = []
    for zone, inside in zip(spec.zones, data.zones):
        parts = [tuple(map(new, part)) for part in ([inside] if zone.owner is None else inside)]
        if zone.unordered:
            parts = [tuple(sorted(part)) for part in parts]
        zones.append(parts[0] if zone.owner is None else tuple(parts))
    return Data(tuple(rows), tuple(map(new, data.variables)), tuple(zones), data.queues)


def key(data: Data) -> tuple:
    """Something by which data can be compared: `none` is less than anything else."""
    def plain(value):
        return -STRIDE if value is None else value

    return (
        tuple(tuple(tuple(map(plain, entity)) for entity in row) for row in data.entities),
        tuple(map(plain, data.variables)),
        data.zones,
    )


def members(spec: Spec, data: Data) -> list:
    """All numberings of a board."""
    parts = []
    for sort, row in zip(spec.sorts, data.entities):
        entities = tuple(range(sort.base, sort.base + len(row)))
        if not sort.numbered and len(entities) > 1:
            parts.append([entities])
    found = {data: None}
    for renaming in renamings_of(parts):
        # Of a family kept per a sort that is not numbered there is none: such sorts are numbered.
        found.setdefault(renamed(spec, data, renaming))
    return list(found)
