"""From trees of expressions to Python functions (docs/semantics.md §2).

Every function takes `(d, l, a, o)`: the Data, the tuple of locals, the assignment of the readings, and the
Data that `old` reads. It returns the value, or raises NoValue, NeedsReading or Exceeded. A binder of an
expression appends its element to the locals for as long as its filter and body are evaluated.

How much is evaluated is counted where it can get out of hand: for each element of a binder, and for each
use of a definition, by how many expressions stand there.
"""

from __future__ import annotations

from typing import Any, Optional

from . import continuous
from .forms import Forms
from .model import REMOVED, Exceeded, Expression, NeedsReading, NoValue, Reading, Sort, SpecError, Type
from .parse import Tree
from .values import ABSENT, BOOLEAN, INTEGER, NONE, Code, Definition, Scope, checked, exists, spend, spent  # noqa: F401


MOST_DEEP = 512  # expressions in each other, those of the definitions that are used among them


def depth_of(tree: Tree, definitions: dict) -> int:
    """How many expressions stand in each other; of definitions that are used all are known."""
    inner = 0
    for part in tree.__dict__.values():
        for one in part if isinstance(part, (list, tuple)) else (part,):
            for tree_ in one if isinstance(one, tuple) else (one,):
                if isinstance(tree_, Tree):
                    inner = max(inner, depth_of(tree_, definitions))
    if tree.kind in ("name", "call") and tree.name in definitions:
        inner = max(inner, definitions[tree.name].depth)
    return inner + 1


class Compiler(Forms):
    """Compiles expressions with the names that a specification declares.

    `world` has: variables, definitions, zones, queues, readings, sorts, types (dicts by name), values (dict from a
    value to the types that have it), player (Sort or None), columns (from a type that is a table to its columns).
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

    def entity(self, tree: Tree, scope: Scope, sort: Optional[Sort] = None, code: Optional[Code] = None) -> Code:
        """The tree where an entity is needed; `none` there is a gap. `code` is what it was compiled to, if it was."""
        if sort is not None and tree.kind == "none":
            self.wrong(tree, f"found `none`, expected a `{sort.name}`", "E0303")
        code = code or self.compile(tree, scope, sort.optional if sort else None)
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

    def present(self, tree: Tree, scope: Scope, code: Optional[Code] = None) -> Code:
        """An entity of which something is read: in `old`, one that existed then."""
        code = self.entity(tree, scope, code=code)
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
            self.world.named.note(variable)
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
        self.world.spoken.comes_to("define", definition.tree.name)
        if definition.continuous is not None:
            return continuous.use(self, definition, arguments, tree)
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
            with self.world.spoken.within("define", definition.tree.name):
                found = self.compiled(definition)
            definition.busy = False
            definition.depth = depth_of(definition.tree.body, self.world.definitions)
            if definition.depth > MOST_DEEP:
                self.wrong(tree, f"a definition {definition.depth} expressions deep", "E0424")
            definition.compiled[self.in_old] = found
        return found

    def compiled(self, definition: Definition) -> tuple:
        scope = Scope()
        for name, type_ in definition.parameters:
            self.world.spoken.sort(type_.sort)
            scope = scope.bind(name, type_)
        inner = Compiler(self.world, self.in_old, old_allowed=False)
        own = definition.continuous
        body = definition.tree.body
        code = inner.compile(body, scope) if own is None else inner.as_type(body, scope, own.type)
        return code, inner.uses_old

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

    def on_divided_by(self, tree, scope, want):
        words, span = tree.words, tree.span

        def floor(a, b):
            if b == 0:
                raise NoValue("division by zero", words, span)
            return a // b

        return self.arithmetic(tree, scope, floor)

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
        if left.kind == "name" and left.name not in scope.names and continuous.is_asked(self.world, tree):
            self.world.spoken.comes_to("define", left.name)
            return continuous.asked(self, tree)
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

    def on_is_before(self, tree, scope, want):
        return self.nearer(tree, scope, True)

    def on_is_after(self, tree, scope, want):
        return self.nearer(tree, scope, False)

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

    # -- fields and the past

    def on_field(self, tree, scope, want):
        code = self.compile(tree.owner, scope)
        if code.type in self.world.columns:
            return self.printed(tree, code)
        code = self.present(tree.owner, scope, code)
        sort = code.type.sort
        field = next((f for f in sort.fields if f.name == tree.name), None)
        if field is None:
            self.wrong(tree, f"found `{tree.name}`, expected a field of `{sort.name}`", "E0208")
        f, index, base, at = code.run, sort.index, sort.base, 1 + field.index
        self.world.named.note(field)
        return Code(lambda d, l, a, o: d[0][index][f(d, l, a, o) - base][at], field.type, 1 + code.weight)

    def printed(self, tree: Tree, code: Code) -> Code:
        """What is printed in a column of a row."""
        columns = self.world.columns[code.type]
        if tree.name not in columns:
            self.wrong(tree, f"found `{tree.name}`, expected a column of `{code.type.name}`", "E0208")
        type_, rows = columns[tree.name]
        run = code.run
        return Code(lambda d, l, a, o: rows[run(d, l, a, o)], type_, 1 + code.weight)

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


setattr(Compiler, "on_+", Compiler.on_plus)
setattr(Compiler, "on_-", Compiler.on_minus)
setattr(Compiler, "on_*", Compiler.on_times)
