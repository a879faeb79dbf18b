"""From trees of expressions to Python functions (docs/semantics.md §2).

Every function takes `(d, l, a, o)`: the Data, the tuple of locals, the assignment of the readings, and the
Data that `old` reads. It returns the value, or raises NoValue, NeedsReading or Exceeded. A binder of an
expression appends its element to the locals for as long as its filter and body are evaluated.

How much is evaluated is counted where it can get out of hand: for each element of a binder, and for each
use of a definition, by how many expressions stand there.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

from .model import (
    REMOVED, Exceeded, Expression, NeedsReading, NoValue, Reading, Sort, SpecError, Type, Zone, slot_of,
)
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


class Compiler:
    """Compiles expressions with the names that a specification declares.

    `world` has: variables, definitions, zones, queues, readings, sorts, types (dicts by name), values (dict from a
    value to the types that have it), player (Sort or None).
    """

    def __init__(self, world: Any, in_old: bool = False, old_allowed: bool = True):
        self.world = world
        self.in_old = in_old
        self.old_allowed = old_allowed
        self.uses_old = False

    # -- the ways in

    def expression(self, tree: Tree, scope: Scope, type_: Optional[Type] = None) -> Expression:
        self.uses_old = False
        code = self.as_type(tree, scope, type_) if type_ else self.compile(tree, scope)
        return Expression(code.run, code.type, tree.span, tree.text, self.uses_old, tree, code.run)

    def as_type(self, tree: Tree, scope: Scope, type_: Type) -> Code:
        """The tree where a value of the type is wanted: an optional is followed where an entity is."""
        if type_.kind == "entity":
            return self.entity(tree, scope, type_.sort)
        code = self.compile(tree, scope, type_)
        self.fits(code.type, type_, tree)
        return code

    def fits(self, found: Type, wanted: Type, tree: Tree) -> None:
        if found is wanted:
            return
        if wanted.kind == "optional" and (found.kind == "none" or found.sort is wanted.sort and found.sort):
            return
        if wanted.kind == "entity" and found.sort is wanted.sort and found.sort:
            return
        self.wrong(tree, f"found {found!r}, expected {wanted!r}", "E0301")

    def wrong(self, tree: Tree, message: str, code: str):
        raise SpecError(message, code, tree.span)

    def entity(self, tree: Tree, scope: Scope, sort: Optional[Sort] = None) -> Code:
        """The tree where an entity is needed; `none` there is a gap."""
        code = self.compile(tree, scope, sort.optional if sort else None)
        if code.type.kind == "none" and sort is None:
            self.wrong(tree, "nothing says which sort is meant", "E0308")
        if code.type.kind == "none":
            self.wrong(tree, f"found `none`, expected a `{sort.name}`", "E0303")
        if code.type.kind not in ("entity", "optional"):
            self.wrong(tree, f"found {code.type!r}, expected an entity", "E0301")
        if sort is not None and code.type.sort is not sort:
            self.wrong(tree, f"found a `{code.type.sort.name}`, expected a `{sort.name}`", "E0301")
        if code.type.kind == "entity":
            return code
        run, words, span = code.run, tree.words, tree.span

        def follow(d, l, a, o):
            value = run(d, l, a, o)
            if value is None:
                raise NoValue(ABSENT, words, span)
            return value

        return Code(follow, code.type.sort.type, code.weight)

    def present(self, tree: Tree, scope: Scope) -> Code:
        """An entity of which something is read: in `old`, one that existed then."""
        code = self.entity(tree, scope)
        if not self.in_old:
            return code
        run, words, span, index = code.run, tree.words, tree.span, code.type.sort.index

        def existing(d, l, a, o):
            value = run(d, l, a, o)
            if not exists(d, index, value):
                raise NoValue(ABSENT, words, span)
            return value

        return Code(existing, code.type, code.weight)

    def compile(self, tree: Tree, scope: Scope, want: Optional[Type] = None) -> Code:
        return getattr(self, "on_" + tree.kind.replace(" ", "_"))(tree, scope, want)

    # -- literals and names

    def on_number(self, tree, scope, want):
        value = tree.value
        return Code(lambda d, l, a, o: value, INTEGER, 1)

    def on_boolean(self, tree, scope, want):
        value = tree.value
        return Code(lambda d, l, a, o: value, BOOLEAN, 1)

    def on_none(self, tree, scope, want):
        type_ = want if want is not None and want.kind == "optional" else NONE
        return Code(lambda d, l, a, o: None, type_, 1)

    def on_name(self, tree, scope, want):
        name = tree.name
        if name in scope.names:
            slot, type_ = scope.names[name]
            return Code(lambda d, l, a, o: l[slot], type_, 1)
        variable = self.world.variables.get(name)
        if variable is not None:
            index = variable.index
            return Code(lambda d, l, a, o: d[1][index], variable.type, 1)
        if name in self.world.definitions and not self.world.definitions[name].parameters:
            return self.use(self.world.definitions[name], (), tree)
        if want is not None and want.kind == "enum" and name in want.values:
            return Code(lambda d, l, a, o: name, want, 1)
        types = self.world.values.get(name, ())
        if len(types) == 1:
            type_ = types[0]
            return Code(lambda d, l, a, o: name, type_, 1)
        if types:
            self.wrong(tree, f"`{name}` is a value of several types", "E0204")
        if name in scope.entities:
            identity, sort = scope.entities[name]
            return Code(lambda d, l, a, o: identity, sort.type, 1)
        if name in self.world.shared_names():
            self.wrong(tree, f"found `{name}`, expected a value", "E0205")
        self.wrong(tree, f"found `{name}`, expected a declared value, variable or other name", "E0201")

    def is_open(self, tree: Tree, scope: Scope) -> bool:
        """Whether the type of the tree is told by the place alone."""
        if tree.kind == "none":
            return True
        if tree.kind == "name":
            name = tree.name
            return (
                name not in scope.names and name not in self.world.variables
                and name not in self.world.definitions and name in self.world.values
            )
        if tree.kind == "if":
            return self.is_open(tree.then, scope) and self.is_open(tree.other, scope)
        if tree.kind == "per":
            return all(self.is_open(part, scope) for _, part in tree.parts)
        return False

    def several(self, trees: list, scope: Scope, want: Optional[Type]) -> tuple:
        """Trees of one type: their codes, and the type."""
        codes: list = [None] * len(trees)
        order = sorted(range(len(trees)), key=lambda i: self.is_open(trees[i], scope))
        joint = None
        for index in order:
            hint = want if want is not None else joint
            if hint is not None and hint.kind == "entity":
                hint = hint.sort.optional
            codes[index] = self.compile(trees[index], scope, hint)
            joint = self.join(joint, codes[index].type, trees[index])
        return codes, joint

    def join(self, one: Optional[Type], two: Type, tree: Tree) -> Type:
        if one is None or one is two:
            return two
        if one.kind == "none" and two.sort:
            return two.sort.optional
        if two.kind == "none" and one.sort:
            return one.sort.optional
        if one.sort is not None and one.sort is two.sort:
            return one.sort.optional
        self.wrong(tree, f"found {two!r}, expected {one!r}", "E0301")

    # -- definitions and built-in functions

    def on_call(self, tree, scope, want):
        name = tree.name
        if name in ("min", "max", "clamp") and name not in self.world.definitions:
            return self.built_in(tree, scope)
        definition = self.world.definitions.get(name)
        if definition is None:
            if name in self.world.shared_names():
                self.wrong(tree, f"found `{name}`, expected a definition", "E0205")
            self.wrong(tree, f"found `{name}`, expected a declared definition", "E0201")
        if len(tree.arguments) != len(definition.parameters):
            self.wrong(tree, f"{len(tree.arguments)} arguments, expected {len(definition.parameters)}", "E0302")
        arguments = [
            self.as_type(argument, scope, type_)
            for argument, (_, type_) in zip(tree.arguments, definition.parameters)
        ]
        return self.use(definition, tuple(arguments), tree)

    def use(self, definition: Definition, arguments: tuple, tree: Tree) -> Code:
        body, uses_old = self.definition(definition, tree)
        if uses_old:
            self.uses_old = True
        run, weight = body.run, body.weight
        runs = tuple(code.run for code in arguments)

        def call(d, l, a, o):
            spend(weight)
            return run(d, tuple([f(d, l, a, o) for f in runs]), a, o)

        return Code(call, body.type, 1 + sum(code.weight for code in arguments))

    def definition(self, definition: Definition, tree: Tree) -> tuple:
        found = definition.compiled.get(self.in_old)
        if found is None:
            if definition.busy:
                self.wrong(tree, "a definition that uses itself", "E0409")
            definition.busy = True
            scope = Scope()
            for name, type_ in definition.parameters:
                scope = scope.bind(name, type_)
            inner = Compiler(self.world, self.in_old, old_allowed=False)
            found = (inner.compile(definition.tree.body, scope), inner.uses_old)
            definition.busy = False
            definition.compiled[self.in_old] = found
        return found

    def built_in(self, tree, scope):
        codes = [self.as_type(argument, scope, INTEGER) for argument in tree.arguments]
        runs = tuple(code.run for code in codes)
        weight = 1 + sum(code.weight for code in codes)
        if tree.name == "clamp":
            if len(runs) != 3:
                self.wrong(tree, f"found {len(runs)} arguments, expected 3", "E0302")
            value, low, high = runs

            def clamp(d, l, a, o):
                v, x, y = value(d, l, a, o), low(d, l, a, o), high(d, l, a, o)
                return max(x, min(v, y))

            return Code(clamp, INTEGER, weight)
        if len(runs) < 2:
            self.wrong(tree, f"found {len(runs)} argument, expected 2", "E0302")
        pick = min if tree.name == "min" else max
        return Code(lambda d, l, a, o: pick([f(d, l, a, o) for f in runs]), INTEGER, weight)

    # -- operators

    def on_or(self, tree, scope, want):
        left, right = self.as_type(tree.left, scope, BOOLEAN), self.as_type(tree.right, scope, BOOLEAN)
        f, g = left.run, right.run
        return Code(lambda d, l, a, o: f(d, l, a, o) or g(d, l, a, o), BOOLEAN, 1 + left.weight + right.weight)

    def on_and(self, tree, scope, want):
        left, right = self.as_type(tree.left, scope, BOOLEAN), self.as_type(tree.right, scope, BOOLEAN)
        f, g = left.run, right.run
        return Code(lambda d, l, a, o: f(d, l, a, o) and g(d, l, a, o), BOOLEAN, 1 + left.weight + right.weight)

    def on_not(self, tree, scope, want):
        inner = self.as_type(tree.inner, scope, BOOLEAN)
        f = inner.run
        return Code(lambda d, l, a, o: not f(d, l, a, o), BOOLEAN, 1 + inner.weight)

    def on_negative(self, tree, scope, want):
        inner = self.as_type(tree.inner, scope, INTEGER)
        f = inner.run
        return Code(lambda d, l, a, o: checked(-f(d, l, a, o)), INTEGER, 1 + inner.weight)

    def arithmetic(self, tree, scope, combine):
        left, right = self.as_type(tree.left, scope, INTEGER), self.as_type(tree.right, scope, INTEGER)
        f, g = left.run, right.run
        return Code(
            lambda d, l, a, o: checked(combine(f(d, l, a, o), g(d, l, a, o))), INTEGER, 1 + left.weight + right.weight
        )

    def on_plus(self, tree, scope, want):
        return self.arithmetic(tree, scope, int.__add__)

    def on_minus(self, tree, scope, want):
        return self.arithmetic(tree, scope, int.__sub__)

    def on_times(self, tree, scope, want):
        return self.arithmetic(tree, scope, int.__mul__)

    def on_compare(self, tree, scope, want):
        operator = tree.operator
        if operator in ("=", "!="):
            return self.equality(tree, scope, operator == "=")
        left, right = self.as_type(tree.left, scope, INTEGER), self.as_type(tree.right, scope, INTEGER)
        f, g = left.run, right.run
        run = {
            "<": lambda d, l, a, o: f(d, l, a, o) < g(d, l, a, o),
            "<=": lambda d, l, a, o: f(d, l, a, o) <= g(d, l, a, o),
            ">": lambda d, l, a, o: f(d, l, a, o) > g(d, l, a, o),
            ">=": lambda d, l, a, o: f(d, l, a, o) >= g(d, l, a, o),
        }[operator]
        return Code(run, BOOLEAN, 1 + left.weight + right.weight)

    def equality(self, tree, scope, positive: bool):
        codes, joint = self.several([tree.left, tree.right], scope, None)
        kinds = {code.type.kind for code in codes}
        if "none" in kinds and "entity" in kinds:
            self.wrong(tree, "an entity is never none", "E0303")
        if joint.kind == "none":
            self.wrong(tree, "nothing says which sort is meant", "E0308")
        f, g = codes[0].run, codes[1].run
        weight = 1 + codes[0].weight + codes[1].weight
        if positive:
            return Code(lambda d, l, a, o: f(d, l, a, o) == g(d, l, a, o), BOOLEAN, weight)
        return Code(lambda d, l, a, o: f(d, l, a, o) != g(d, l, a, o), BOOLEAN, weight)

    # -- tests

    def on_is(self, tree, scope, want):
        left, right = tree.left, tree.right
        if left.kind == "name" and left.name not in scope.names and left.name in self.world.readings:
            reading = self.world.readings[left.name]
            if right.kind != "name" or right.name not in reading.alternatives:
                self.wrong(right, f"expected an alternative of `{reading.name}`", "E0201")
            alternative, index = reading.alternatives.index(right.name), reading.index
            negated = tree.negated

            def holds(d, l, a, o):
                chosen = a.get(index)
                if chosen is None:
                    raise NeedsReading(reading)
                return (chosen == alternative) != negated

            return Code(holds, BOOLEAN, 1)
        return self.equality(tree, scope, not tree.negated)

    def on_is_none(self, tree, scope, want):
        code = self.compile(tree.left, scope)
        if code.type.kind != "optional":
            self.wrong(tree.left, f"found {code.type!r}, expected something that can be none", "E0303")
        f, negated = code.run, tree.negated
        return Code(lambda d, l, a, o: (f(d, l, a, o) is None) != negated, BOOLEAN, 1 + code.weight)

    def on_is_removed(self, tree, scope, want):
        code = self.present(tree.left, scope)
        f, negated, index = code.run, tree.negated, code.type.sort.index
        base = code.type.sort.base

        def removed(d, l, a, o):
            return (d[0][index][f(d, l, a, o) - base][0] >= REMOVED) != negated

        return Code(removed, BOOLEAN, 1 + code.weight)

    def on_is_in(self, tree, scope, want):
        code = self.entity(tree.left, scope)
        contents, zone, _, _, weight = self.zone(tree.right, scope, family=True)
        if zone.sort is not code.type.sort:
            self.wrong(tree.left, f"found a `{code.type.sort.name}`, expected a `{zone.sort.name}`", "E0301")
        f, negated = code.run, tree.negated
        return Code(
            lambda d, l, a, o: (f(d, l, a, o) in contents(d, l, a, o)) != negated, BOOLEAN, 1 + code.weight + weight
        )

    def on_is_empty(self, tree, scope, want):
        contents, weight = self.container(tree.left, scope)
        negated = tree.negated
        return Code(lambda d, l, a, o: (not contents(d, l, a, o)) != negated, BOOLEAN, 1 + weight)

    def on_size(self, tree, scope, want):
        contents, weight = self.container(tree.inner, scope)
        return Code(lambda d, l, a, o: len(contents(d, l, a, o)), INTEGER, 1 + weight)

    def container(self, tree, scope) -> tuple:
        """A zone, a family or a queue: its contents, and a weight."""
        if tree.kind == "name" and tree.name in self.world.queues:
            index = self.world.queues[tree.name].index
            return (lambda d, l, a, o: d[3][index]), 1
        contents, _, _, _, weight = self.zone(tree, scope, family=True)
        return contents, weight

    # -- zones

    def zone(self, tree: Tree, scope: Scope, family: bool = False) -> tuple:
        """(contents, Zone, the owner of an applied family or None, whether it is an unapplied family, weight)."""
        if tree.kind not in ("name", "call"):
            self.wrong(tree, "expected a zone", "E0301")
        zone = self.world.zones.get(tree.name)
        if zone is None:
            known = tree.name in scope.names or tree.name in self.world.shared_names()
            self.wrong(tree, f"found `{tree.name}`, expected a zone", "E0205" if known else "E0201")
        index = zone.index
        if tree.kind == "call":
            if zone.owner is None or len(tree.arguments) != 1:
                expected = "none" if zone.owner is None else "1"
                self.wrong(tree, f"{len(tree.arguments)} arguments of a zone, expected {expected}", "E0305")
            owner = self.entity(tree.arguments[0], scope, zone.owner)
            f, base = owner.run, zone.owner.base
            return (lambda d, l, a, o: d[2][index][f(d, l, a, o) - base]), zone, f, False, 1 + owner.weight
        if zone.owner is None:
            return (lambda d, l, a, o: d[2][index]), zone, None, False, 1
        if not family:
            self.wrong(tree, f"found the zones `{zone.name}` of every `{zone.owner.name}`, expected one", "E0305")
        return (lambda d, l, a, o: sum(d[2][index], ())), zone, None, True, 1

    def on_end(self, tree, scope, want):
        contents, zone, _, _, weight = self.zone(tree.inner, scope)
        if zone.unordered:
            self.wrong(tree.inner, f"found the unordered zone `{zone.name}`", "E0412")
        at = 0 if tree.first else -1
        words, span = tree.inner.words, tree.inner.span

        def end(d, l, a, o):
            inside = contents(d, l, a, o)
            if not inside:
                raise NoValue("empty zone", words, span)
            return inside[at]

        return Code(end, zone.sort.type, 1 + weight)

    def on_holder(self, tree, scope, want):
        code = self.entity(tree.inner, scope)
        families = [zone for zone in code.type.sort.zones if zone.owner is not None]
        owners = {zone.owner.index: zone.owner for zone in families}
        if len(owners) != 1:
            self.wrong(tree, "families of one sort of owners are needed", "E0305")
        owner = families[0].owner
        f, base, indices = code.run, owner.base, tuple(zone.index for zone in families)

        def holder(d, l, a, o):
            entity = f(d, l, a, o)
            for index in indices:
                for slot, inside in enumerate(d[2][index]):
                    if entity in inside:
                        return base + slot
            return None

        return Code(holder, owner.optional, 1 + code.weight)

    def on_neighbour(self, tree, scope, want):
        code = self.entity(tree.inner, scope)
        f, sort, before = code.run, code.type.sort, tree.before

        def neighbour(d, l, a, o):
            entity = f(d, l, a, o)
            found = where_is(d, sort, entity)
            if found is None or found[0].unordered:
                return None
            inside, at = found[2], found[3]
            if before:
                return inside[at - 1] if at else None
            return inside[at + 1] if at + 1 < len(inside) else None

        return Code(neighbour, sort.optional, 1 + code.weight)

    # -- fields and the past

    def on_field(self, tree, scope, want):
        code = self.present(tree.owner, scope)
        sort = code.type.sort
        field = next((f for f in sort.fields if f.name == tree.name), None)
        if field is None:
            self.wrong(tree, f"found `{tree.name}`, expected a field of `{sort.name}`", "E0208")
        f, index, base, at = code.run, sort.index, sort.base, 1 + field.index
        return Code(lambda d, l, a, o: d[0][index][f(d, l, a, o) - base][at], field.type, 1 + code.weight)

    def on_old(self, tree, scope, want):
        if not self.old_allowed and not self.in_old:
            self.wrong(tree, "found `old`, expected an expression of the present", "E0413")
        inner = Compiler(self.world, in_old=True)
        code = inner.compile(tree.inner, scope, want)
        self.uses_old = True
        run = code.run
        return Code(lambda d, l, a, o: run(o, l, a, o), code.type, 1 + code.weight)

    # -- forms

    def on_if(self, tree, scope, want):
        condition = self.as_type(tree.condition, scope, BOOLEAN)
        (then, other), joint = self.several([tree.then, tree.other], scope, want)
        c, f, g = condition.run, then.run, other.run
        return Code(
            lambda d, l, a, o: f(d, l, a, o) if c(d, l, a, o) else g(d, l, a, o),
            joint, 1 + condition.weight + then.weight + other.weight,
        )

    def on_per(self, tree, scope, want):
        reading = self.reading(tree)
        codes, joint = self.several([part for _, part in tree.parts], scope, want)
        runs, index = tuple(code.run for code in codes), reading.index

        def per(d, l, a, o):
            chosen = a.get(index)
            if chosen is not None:
                return runs[chosen](d, l, a, o)
            results = []
            for run in runs:
                try:
                    results.append(("value", run(d, l, a, o)))
                except NoValue as gap:
                    results.append((gap.kind, gap.words))
                except (NeedsReading, Exceeded):
                    raise NeedsReading(reading) from None
            if any(result != results[0] for result in results):
                raise NeedsReading(reading)
            return runs[0](d, l, a, o)

        return Code(per, joint, 1 + sum(code.weight for code in codes))

    def reading(self, tree) -> Reading:
        """The reading of a `per`, whose parts have to be its alternatives; they are put in its order."""
        name = tree.reading
        reading = self.world.readings.get(name)
        if reading is None:
            known = name in self.world.shared_names()
            self.wrong(tree, f"found `{name}`, expected a reading", "E0205" if known else "E0201")
        if sorted(alternative for alternative, _ in tree.parts) != sorted(reading.alternatives):
            self.wrong(tree, f"expected one part for each alternative of `{name}`", "E0309")
        tree.parts.sort(key=lambda part: reading.alternatives.index(part[0]))
        return reading

    def on_half(self, tree, scope, want):
        inner = self.as_type(tree.inner, scope, INTEGER)
        f, rounded, words, span = inner.run, tree.rounded, tree.words, tree.span

        def half(d, l, a, o):
            value = f(d, l, a, o)
            if value % 2 and rounded is None:
                raise NoValue("odd half", words, span)
            return -(-value // 2) if rounded == "up" else value // 2

        return Code(half, INTEGER, 1 + inner.weight)

    def on_neighbour_player(self, tree, scope, want):
        player = self.player(tree)
        code = self.entity(tree.inner, scope, player)
        f, index, base, way = code.run, player.index, player.base, 1 if tree.forward else -1
        return Code(
            lambda d, l, a, o: base + (f(d, l, a, o) - base + way) % len(d[0][index]), player.type, 1 + code.weight
        )

    def on_search_player(self, tree, scope, want):
        player = self.player(tree)
        code = self.entity(tree.inner, scope, player)
        where = self.as_type(tree.where, self.bound(tree, scope, tree.name, player.type), BOOLEAN)
        f, g, index, base, way = code.run, where.run, player.index, player.base, 1 if tree.forward else -1
        weight = where.weight

        def search(d, l, a, o):
            start = f(d, l, a, o) - base
            number = len(d[0][index])
            for distance in range(1, number + 1):
                spend(weight)
                found = base + (start + way * distance) % number
                if g(d, l + (found,), a, o):
                    return found
            return None

        return Code(search, player.optional, 1 + code.weight + where.weight)

    def player(self, tree) -> Sort:
        if self.world.player is None:
            self.wrong(tree, "this speaks of players, expected a `player` declaration", "E0307")
        return self.world.player

    # -- binders

    def bound(self, tree, scope: Scope, name: str, type_: Type) -> Scope:
        if name in scope.names or name in self.world.shared_names() or name in self.world.values:
            self.wrong(tree, f"`{name}` already means something here", "E0203")
        return scope.bind(name, type_)

    def binder(self, tree: Tree, scope: Scope) -> Binder:
        zone = owner = None
        family = False
        if tree.zone is not None:
            everything, zone, owner, family, weight = self.zone(tree.zone, scope, family=True)
            type_ = zone.sort.type
            if tree.sort is not None and self.sort_or_type(tree) is not type_:
                self.wrong(tree, f"found a `{zone.sort.name}`, expected a `{tree.sort}`", "E0301")
        else:
            type_ = self.sort_or_type(tree)
            weight = 1
            if type_.kind == "entity":
                everything = all_of(type_.sort)
            else:
                values = type_.values
                everything = lambda d, l, a, o: values  # noqa: E731
        inner = self.bound(tree, scope, tree.name, type_)
        if tree.where is None:
            def elements(d, l, a, o):
                found = everything(d, l, a, o)
                spend(len(found))
                return found

            return Binder(elements, everything, None, inner, type_, zone, owner, family, weight)
        where = self.as_type(tree.where, inner, BOOLEAN)
        admits, cost = where.run, 1 + where.weight

        def filtered(d, l, a, o):
            found, gaps = [], []
            for element in everything(d, l, a, o):
                spend(cost)
                try:
                    if admits(d, l + (element,), a, o):
                        found.append(element)
                except NoValue as gap:
                    gaps.append(gap)
            if gaps:
                raise earliest(gaps)
            return found

        return Binder(filtered, everything, admits, inner, type_, zone, owner, family, weight + where.weight)

    def sort_or_type(self, tree) -> Type:
        name = tree.sort
        if name == "boolean":
            return BOOLEAN
        if name in self.world.sorts:
            return self.world.sorts[name].type
        if name in self.world.types:
            return self.world.types[name]
        known = name in self.world.shared_names()
        self.wrong(tree, f"found `{name}`, expected a sort or type", "E0311" if known else "E0201")

    def on_count(self, tree, scope, want):
        binder = self.binder(tree.binder, scope)
        elements = binder.elements
        return Code(lambda d, l, a, o: len(elements(d, l, a, o)), INTEGER, 1 + binder.weight)

    def values_of(self, tree, scope) -> tuple:
        """What the body of a fold is, for each element; all are looked at."""
        binder = self.binder(tree.binder, scope)
        body = self.as_type(tree.body, binder.scope, INTEGER)
        elements, f, cost = binder.elements, body.run, body.weight

        def values(d, l, a, o):
            found, gaps = [], []
            for element in elements(d, l, a, o):
                spend(cost)
                try:
                    found.append(f(d, l + (element,), a, o))
                except NoValue as gap:
                    gaps.append(gap)
            if gaps:
                raise earliest(gaps)
            return found

        return values, 1 + binder.weight + body.weight

    def on_sum(self, tree, scope, want):
        values, weight = self.values_of(tree, scope)

        def total(d, l, a, o):
            result = 0
            for value in values(d, l, a, o):
                result = checked(result + value)
            return result

        return Code(total, INTEGER, weight)

    def extreme(self, tree, scope, pick):
        values, weight = self.values_of(tree, scope)
        words, span = tree.words, tree.span

        def found(d, l, a, o):
            candidates = values(d, l, a, o)
            if not candidates:
                raise NoValue("largest of nothing", words, span)
            return pick(candidates)

        return Code(found, INTEGER, weight)

    def on_largest(self, tree, scope, want):
        return self.extreme(tree, scope, max)

    def on_smallest(self, tree, scope, want):
        return self.extreme(tree, scope, min)

    def quantifier(self, tree, scope, decisive: bool):
        binder = self.binder(tree.binder, scope)
        body = self.as_type(tree.body, binder.scope, BOOLEAN)
        elements, f, cost = binder.elements, body.run, body.weight

        def quantified(d, l, a, o):
            gaps = []
            for element in elements(d, l, a, o):
                spend(cost)
                try:
                    if f(d, l + (element,), a, o) == decisive:
                        return decisive
                except NoValue as gap:
                    gaps.append(gap)
            if gaps:
                raise earliest(gaps)
            return not decisive

        return Code(quantified, BOOLEAN, 1 + binder.weight + body.weight)

    def on_every(self, tree, scope, want):
        return self.quantifier(tree, scope, False)

    def on_some(self, tree, scope, want):
        return self.quantifier(tree, scope, True)


setattr(Compiler, "on_+", Compiler.on_plus)
setattr(Compiler, "on_-", Compiler.on_minus)
setattr(Compiler, "on_*", Compiler.on_times)


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
