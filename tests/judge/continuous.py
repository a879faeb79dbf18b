"""Continuous values (docs/semantics.md §2.1).

All assignments of those values are tried for which some expression asks; the others are what their expressions come to. What
was found is kept for equal data.
"""

from __future__ import annotations

from .model import Exceeded, NeedsReading, NoValue, SpecError
from .parse import Tree
from .values import ABSENT, BOOLEAN, INTEGER, Code, all_of, spend

WORDS = {"determined": 1, "contradictory": 0, "ambiguous": 2}
NONE_FITS = "contradictory values"
SEVERAL_FIT = "ambiguous values"
MOST_LEVELS = 4
MOST_KEPT = 4096

assigned: list = []  # what is tried, innermost last: the names of the group, and from (name, entity) to a value


class Lacks(Exception):
    """A value of the group is asked for that is not tried yet. Nothing else is told before it is."""

    def __init__(self, place):
        super().__init__(place)
        self.place = place


class Continuous:
    """What a definition is, if it is a continuous value."""

    def __init__(self, world, tree: Tree, parameters: list):
        self.name = tree.name
        self.type = world.type_of(tree.continuous, tree.name)
        self.sort = parameters[0][1].sort if parameters else None
        written = tree.continuous
        if len(parameters) > 1 or parameters and parameters[0][1].kind != "entity":
            raise SpecError("other parameters than one entity", "E0429", tree.span)
        if self.type is INTEGER:
            if written.document is None or written.explore or written.reach:
                raise SpecError("a continuous number without bounds", "E0429", tree.span)
            low, high = world.range(written.document)
            self.values = range(low, high + 1)
        elif self.type is BOOLEAN or self.type.kind == "enum":
            self.values = self.type.values
        else:
            raise SpecError("a continuous entity", "E0429", tree.span)
        if any(word in self.type.values for word in WORDS) and self.type is not BOOLEAN:
            raise SpecError("a word with two meanings", "E0429", tree.span)
        self.group: list = []
        self.readings: list = []
        self.known: dict = {}


def trees(tree):
    """A tree and all that stand in it."""
    todo = [tree]
    while todo:
        one = todo.pop()
        if isinstance(one, (list, tuple)):
            todo.extend(one)
        elif isinstance(one, Tree):
            yield one
            todo.extend(part for key, part in one.__dict__.items() if key != "line")


def names_in(tree) -> set:
    """All names in a tree, those of readings included."""
    parts = (getattr(one, part, None) for one in trees(tree) for part in ("name", "reading"))
    return {part for part in parts if isinstance(part, str)}


def asked_in(world, tree) -> set:
    """The continuous values of which a tree asks whether they are determined."""
    return {one.left.name for one in trees(tree) if one.kind == "is" and is_asked(world, one)}


def is_asked(world, tree: Tree) -> bool:
    left, right = tree.left, tree.right
    if left.kind != "name" or right.kind != "name" or right.name not in WORDS:
        return False
    definition = world.definitions.get(left.name)
    return definition is not None and definition.continuous is not None


def group(world) -> None:
    """Which values depend on each other, and on which readings."""
    uses = {
        name: names_in(definition.tree.body) & set(world.definitions) for name, definition in world.definitions.items()
    }

    def reached(start: str) -> set:
        found, todo = set(), [start]
        while todo:
            for name in uses[todo.pop()] - found:
                found.add(name)
                todo.append(name)
        return found

    reach = {name: reached(name) for name in uses}
    for name, definition in world.definitions.items():
        own = definition.continuous
        if own is None:
            continue
        circle = {other for other in reach[name] if name in reach[other]} | {name}
        own.group = [d.continuous for n, d in world.definitions.items() if n in circle and d.continuous is not None]
        for other in circle:
            if asked_in(world, world.definitions[other].tree.body) & circle:
                raise SpecError(f"`{name}` depends on whether it is determined", "E0429", definition.tree.span)
        spoken = set().union(*(names_in(world.definitions[other].tree.body) for other in reach[name] | {name}))
        own.readings = sorted(
            (reading for reading in world.readings.values() if reading.name in spoken), key=lambda one: one.index
        )

    def level(name: str) -> int:
        circle = {other for other in reach[name] if name in reach[other]} | {name}
        below = {other for one in circle for other in uses[one]} - circle
        some = any(world.definitions[one].continuous for one in circle)
        return int(some) + max((level(one) for one in below), default=0)

    for name, definition in world.definitions.items():
        if definition.continuous is not None and level(name) > MOST_LEVELS:
            raise SpecError(f"`{name}` uses others too deep", "E0424", definition.tree.span)


def solutions(world, own: Continuous, d, a) -> list:
    """The stable assignments, two at most."""
    for reading in own.readings:
        if a.get(reading.index) is None:
            raise NeedsReading(reading)
    key = (d, tuple(a[reading.index] for reading in own.readings))
    first = own.group[0]
    if key not in first.known:
        if len(first.known) >= MOST_KEPT:
            first.known.clear()
        first.known[key] = found_by_trying(world, own.group, d, a)
    return first.known[key]


def found_by_trying(world, members: list, d, a, begun=()) -> list:
    """The stable assignments of a group, two at most, that agree with what is begun with."""
    places = [
        (one, entity) for one in members for entity in (all_of(one.sort)(d) if one.sort is not None else (None,))
    ]
    by_name = {one.name: one for one in members}
    found: list = []

    def evaluated(place, values):
        """("value", what an expression comes to), ("nothing", None), or ("lacks", the place that it asks for)."""
        one, entity = place
        body = world.definitions[one.name].compiled[False][0]
        spend(body.weight)
        assigned.append((by_name, values))
        try:
            return ("value", body.run(d, () if entity is None else (entity,), a, d))
        except Lacks as lack:
            return ("lacks", lack.place)
        except NoValue:
            return ("nothing", None)
        except Exceeded as why:
            if str(why) == "expressions":
                raise
            return ("nothing", None)
        finally:
            assigned.pop()

    def check(values) -> None:
        """Tries all values of whatever the expressions ask for, one after the other, and nothing else."""
        if len(found) > 1:
            return
        for one, entity in places:
            kind, what = evaluated((one, entity), values)
            if kind == "lacks":
                for value in by_name[what[0]].values:
                    check({**values, what: value})
                return
            if kind == "nothing" or what not in one.values:
                return
            place = (one.name, entity)
            if place not in values:
                check({**values, place: what})
                return
            if values[place] != what:
                return
        found.append(values)

    check(dict(begun))
    return found


def use(compiler, definition, arguments: tuple, tree: Tree) -> Code:
    """A continuous value of an entity, or of nothing."""
    own, world = definition.continuous, compiler.world
    words, span = tree.words, tree.span
    of = arguments[0].run if arguments else None

    def value(d, l, a, o):
        entity = None if of is None else of(d, l, a, o)
        if entity is not None and entity not in all_of(own.sort)(d):
            raise NoValue(ABSENT, words, span)
        place = (own.name, entity)
        if assigned and own.name in assigned[-1][0]:
            if place not in assigned[-1][1]:
                raise Lacks(place)
            return assigned[-1][1][place]
        found = solutions(world, own, d, a)
        if len(found) != 1:
            raise NoValue(SEVERAL_FIT if found else NONE_FITS, words, span)
        return found[0][place]

    return Code(value, own.type, 1 + sum(code.weight for code in arguments))


def asked(compiler, tree: Tree) -> Code:
    """`attack is determined`"""
    world = compiler.world
    own, wanted, negated = world.definitions[tree.left.name].continuous, WORDS[tree.right.name], tree.negated
    return Code(lambda d, l, a, o: (len(solutions(world, own, d, a)) == wanted) != negated, BOOLEAN, 1)
