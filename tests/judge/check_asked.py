"""The second half of `check`: observers, what is verified and claimed, boards and examples."""

from __future__ import annotations

from typing import Any, Optional

from .data import put_in, Stop
from .evaluate import Compiler
from .kinds import seen_by
from .model import (
    Accept, Board, Claim, Data, Example, Line, Observer, Sequence, SpecError, Step, Verify,
)
from .parse import Tree
from .values import BOOLEAN, INTEGER, Scope

GAP_KINDS = (
    "nothing to choose from", "empty zone", "vacant role or absent link", "odd half", "division by zero", "largest of nothing",
    "short supply", "negative amount", "no case applies", "leaving what is not running", "next to what lies nowhere",
    "contradictory values", "ambiguous values",
)
ABOUT_THE_PAST = ("invariant", "must", "reachable", "unreachable", "conserves", "largest", "smallest")


class Asked:
    """Compiles what is asked of a specification."""

    def __init__(self, world: Any):
        self.world = world
        self.spec = world.spec
        self.past = Compiler(world)
        self.present = Compiler(world, old_allowed=False)

    def all(self) -> None:
        spec = self.spec
        spec.everything = Observer(
            None, True, [field for sort in spec.sorts for field in sort.fields], list(spec.variables),
            [(zone, zone.unordered) for zone in spec.zones], [], True,
        )
        for item in self.world.of("observer"):
            self.observer(item.tree)
        for item in self.world.of("verify"):
            self.verify(item.tree)
        if not spec.verifies:
            self.verify_all()
        self.written = {}
        for item in self.world.of("board"):
            self.new_name(item.tree)
            self.written.setdefault(item.tree.name, item.tree)
            spec.boards[item.tree.name] = None
        for item in self.world.of("board"):
            tree = item.tree
            spec.boards[tree.name] = self.board(self.layers(tree.like, tree) + [tree.lines], tree, tree.name)
        for item in self.world.of("claim"):
            self.claim(item)
        for item in self.world.of("example"):
            self.new_name(item.tree)
            self.example(item)
        for item in self.world.of("accept"):
            tree = item.tree
            spec.accepts.append(Accept(tree.code, tree.at, tree.because, tree.span))

    def new_name(self, tree: Tree) -> None:
        if tree.name in self.spec.boards or any(example.name == tree.name for example in self.spec.examples):
            raise SpecError(f"`{tree.name}` is declared twice", "E0202", tree.span)

    # -- observers

    def observer(self, tree: Tree) -> None:
        if tree.name in self.spec.observers:
            raise SpecError(f"the observer `{tree.name}` is declared twice", "E0202", tree.span)
        found = Observer(tree.name, False, [], [], [], [], False)
        lines: dict = {}
        seen, ignored = (
            {str(sight.what.words) for sight in tree.sights if sight.kind == kind} for kind in ("sees", "ignores"))
        if seen & ignored:
            raise SpecError("something is seen and ignored", "E0421", tree.span)
        for sight in tree.sights:
            if sight.kind == "everything":
                found.everything = found.removed = True
                found.fields = list(self.spec.everything.fields)
                found.variables = list(self.spec.variables)
                found.zones = list(self.spec.everything.zones)
        for sight in tree.sights:
            if sight.kind == "sees by":
                with self.world.spoken.within("observer", tree.name):
                    found.expressions.append(seen_by(self.present, sight))
            elif sight.kind == "sees":
                with self.world.spoken.within("observer", tree.name):
                    kind, what = self.seen(sight.what)
                if kind == "zone":
                    if lines.setdefault(what.name, sight.as_set) != sight.as_set:
                        raise SpecError(f"two ways to see `{what.name}`", "E0421", sight.span)
                    found.zones = [z for z in found.zones if z[0] is not what]
                    found.zones.append((what, sight.as_set or what.unordered))
                elif kind == "expression":
                    found.expressions.append(what)
                else:
                    row = found.fields if kind == "field" else found.variables
                    if what not in row:
                        row.append(what)
        for sight in tree.sights:
            if sight.kind == "ignores":
                kind, what = self.seen(sight.what)
                if kind == "zone":
                    found.zones = [z for z in found.zones if z[0] is not what]
                elif kind == "expression":
                    raise SpecError("only places and zones can be ignored", "E0304", sight.span)
                else:
                    row = found.fields if kind == "field" else found.variables
                    if what in row:
                        row.remove(what)
        self.spec.observers[tree.name] = found

    def seen(self, tree: Tree) -> tuple:
        world = self.world
        if tree.kind == "name" and tree.name in world.zones:
            return "zone", world.zones[tree.name]
        if tree.kind == "name" and tree.name in world.variables:
            return "variable", world.variables[tree.name]
        if tree.kind == "field" and tree.owner.kind == "name" and tree.owner.name in world.sorts:
            for field in world.sorts[tree.owner.name].fields:
                if field.name == tree.name:
                    return "field", field
            raise SpecError(f"`{tree.name}` is no field", "E0208", tree.span)
        return "expression", self.present.expression(tree, Scope())

    def observing(self, name: Optional[str], tree: Tree) -> Optional[Observer]:
        if name is None:
            return None
        if name not in self.spec.observers:
            raise SpecError(f"`{name}` is no observer", "E0201", tree.span)
        self.world.spoken.comes_to("observer", name)
        return self.spec.observers[name]

    # -- verify and claims

    def sequence(self, name: str, tree: Tree, parameters: bool = False) -> Sequence:
        sequence = self.spec.sequences.get(name)
        if sequence is None:
            raise SpecError(f"`{name}` is no sequence", "E0201", tree.span)
        if sequence.parameters and not parameters:
            raise SpecError(f"`{name}` has parameters", "E0414", tree.span)
        return sequence

    def rule(self, sequence: Sequence, tree: Tree) -> None:
        """Experiments are only asked about."""
        if sequence is not None and sequence.experiment is not None:
            raise SpecError(f"`{sequence.name}` is an experiment", "E0427", tree.span)

    def step(self, sequence: Sequence, name: Optional[str], tree: Tree) -> Optional[Step]:
        if name is None:
            return None
        for step in sequence.steps:
            if step.name == name:
                return step
        raise SpecError(f"`{name}` is no step of `{sequence.name}`", "E0201", tree.span)

    def verify(self, tree: Tree) -> None:
        sequence = self.sequence(tree.name, tree)
        self.rule(sequence, tree)
        sizes = {}
        for name, number in tree.sizes:
            sort = self.world.sort(name, tree)
            if number < sort.explored[0]:
                raise SpecError(f"up to {number} {name}, expected {sort.explored[0]} or more", "E0402", tree.span)
            sizes[sort.name] = number
        for name in tree.contracts:
            self.rule(self.sequence(name, tree, parameters=True), tree)
            if self.sequence(name, tree, parameters=True).contract is None:
                raise SpecError(f"`{name}` has no contract", "E0414", tree.span)
        with self.world.spoken.within("about", sequence.name):
            where = None if tree.where is None else self.present.expression(tree.where, Scope(), BOOLEAN)
            observer = self.observing(tree.observer, tree)
        contracts = frozenset(tree.contracts)
        for before in self.spec.verifies:
            if before.sequence is sequence and (before.observer, before.contracts) != (observer, contracts):
                raise SpecError(f"`{sequence.name}` is verified in two ways", "E0425", tree.span)
        self.spec.verifies.append(Verify(
            sequence, observer, sizes, contracts, where, tree.span, len(self.spec.verifies)
        ))

    def verify_all(self) -> None:
        """Without any `verify`: every sequence without parameters that nothing performs."""
        performed = set().union(*(s.performs for s in self.spec.sequences.values()), *(
            trigger.performs for trigger in self.spec.triggers
        ))
        for sequence in self.spec.sequences.values():
            if not sequence.parameters and sequence.name not in performed and sequence.experiment is None:
                self.spec.verifies.append(Verify(sequence, None, {}, frozenset(), None, None, len(self.spec.verifies)))

    def claim(self, item) -> None:
        tree = item.tree
        if any(claim.name == tree.name for claim in self.spec.claims):
            raise SpecError(f"the claim `{tree.name}` is declared twice", "E0202", tree.span)
        sequence = self.sequence(tree.sequence, tree)
        other = None if tree.other is None else self.sequence(tree.other, tree)
        if not tree.question:
            self.rule(sequence, tree)
            self.rule(other, tree)
        on = None
        if tree.on is not None:
            on = self.spec.boards.get(tree.on)
            if on is None:
                raise SpecError(f"`{tree.on}` is no board", "E0201", tree.span)
        scope = Scope() if on is None else Scope(entities=self.entities_on(on))
        with self.world.spoken.within("about", sequence.name):
            expression, where = self.asked(tree, scope)
            observer = self.observing(tree.observer, tree)
            if other is not None:
                self.world.spoken.comes_to("sequence", other.name)
        self.spec.claims.append(Claim(
            tree.name, tree.question, tree.form, sequence, other, self.step(sequence, tree.step, tree), tree.moment,
            expression, where, observer, item.clause, tree.span, on,
        ))

    def asked(self, tree: Tree, scope: Scope) -> tuple:
        """What is claimed or asked for, and the condition of boards."""
        expression = where = None
        if tree.expression is not None:
            type_ = {"conserves": None, "largest": INTEGER, "smallest": INTEGER}.get(tree.form, BOOLEAN)
            compiler = self.past if tree.form in ABOUT_THE_PAST else self.present
            expression = compiler.expression(tree.expression, scope, type_)
        if tree.where is not None:
            where = self.present.expression(tree.where, scope, BOOLEAN)
        return expression, where

    # -- boards

    def entities_on(self, board: Board) -> dict:
        return {name: (i, self.sort_of(i)) for name, i in board.names.items()}

    def layers(self, like: Optional[str], tree: Tree) -> list:
        """The lines of a board of that name, and before them those of the boards that it is like."""
        found, known = [], set()
        while like is not None:
            if like not in self.written:
                raise SpecError(f"`{like}` is no board", "E0201", tree.span)
            if like in known:
                raise SpecError(f"`{like}` is like itself", "E0415", tree.span)
            known.add(like)
            found.insert(0, self.written[like].lines)
            like = self.written[like].like
        return found

    def board(self, layers: list, tree: Tree, name: Optional[str]) -> Board:
        spec, world = self.spec, self.world
        names: dict = {}
        numbers = [0] * len(spec.sorts)
        # Each layer says otherwise what those before it say; what it tells of once more is not new.
        lines = [line for layer in layers for line in layer]
        at = {id(line): number for number, layer in enumerate(layers) for line in layer}
        told: dict = {}  # name -> numbers of layers
        for line in lines:
            if line.kind == "entities":
                sort = world.sort(line.sort, line)
                for entity in line.names:
                    before = told.setdefault(entity, set())
                    if before and at[id(line)] not in before and names[entity][1] is sort:
                        before.add(at[id(line)])
                        continue
                    before.add(at[id(line)])
                    if entity in names:
                        raise SpecError(f"the entity `{entity}` is declared twice", "E0202", line.span)
                    if entity in world.shared or entity in world.values:
                        raise SpecError(f"`{entity}` already means something", "E0203", line.span)
                    names[entity] = (sort.base + numbers[sort.index], sort)
                    numbers[sort.index] += 1
        for sort, number in zip(spec.sorts, numbers):
            if sort.document is not None and not sort.document[0] <= number <= sort.document[1]:
                raise SpecError(f"found {number} of `{sort.name}`", "E0403", tree.span)
        if world.player is not None and numbers[world.player.index] == 0:
            raise SpecError("a board without players", "E0403", tree.span)
        rows = [[[0] + [field.default for field in sort.fields] for _ in range(n)] for sort, n in zip(spec.sorts, numbers)]
        variables = [variable.default for variable in spec.variables]
        zones = tuple(() if z.owner is None else ((),) * numbers[z.owner.index] for z in spec.zones)
        data = Data(tuple(() for _ in rows), (), zones, ((),) * len(spec.queues))
        given: set = set()
        # Who is told to lie somewhere in several layers lies where the last says.
        last = {entity: line for line in lines if line.kind == "entities" and line.zone is not None for entity in line.names}
        for entity, (_, sort) in names.items():
            if sort.zones and entity not in last:
                raise SpecError(f"the board has no zone for `{entity}`", "E0415", tree.span)
        for line in lines:
            if line.kind == "entities":
                data = self.entities(line, names, rows, data, last)
            else:
                variable = world.variables.get(line.name)
                if variable is None:
                    raise SpecError(f"`{line.name}` is no variable", "E0201", line.span)
                if (variable.name, at[id(line)]) in given:
                    raise SpecError(f"`{line.name}` is given twice", "E0421", line.span)
                given.add((variable.name, at[id(line)]))
                variables[variable.index] = self.value(line.value, variable, names)
        for variable in spec.variables:
            if variable.type.kind == "entity" and not any(variable.name == one for one, _ in given):
                raise SpecError(f"the board has no value for `{variable.name}`", "E0415", tree.span)
        for sort in spec.sorts:
            for entity in rows[sort.index]:
                for field in sort.fields:
                    if field.type.kind == "entity" and entity[1 + field.index] is None:
                        raise SpecError(f"the board has no value for a `{field.name}`", "E0415", tree.span)
        data = data._replace(entities=tuple(tuple(map(tuple, row)) for row in rows), variables=tuple(variables))
        return Board(name, data, {entity: identity for entity, (identity, _) in names.items()}, tree.span)

    def value(self, tree: Tree, place, names: dict) -> Any:
        value = self.world.constant(tree, place.type, names)
        if place.type.kind == "integer" and place.document is not None:
            if not place.document[0] <= value <= place.document[1]:
                raise SpecError(f"found {value}, expected {place.document}", "E0403", tree.span)
        return value

    def entities(self, line: Tree, names: dict, rows: list, data: Data, last: dict) -> Data:
        sort = self.world.sorts[line.sort]
        zone = owner = None
        if line.zone is not None:
            zone = self.world.zones.get(line.zone.name) if line.zone.kind in ("name", "call") else None
            if zone is None:
                raise SpecError("expected a zone", "E0201", line.span)
            if zone.sort is not sort:
                raise SpecError(f"`{zone.name}` is no zone of `{sort.name}`", "E0301", line.span)
            arguments = line.zone.arguments if line.zone.kind == "call" else []
            if len(arguments) != (zone.owner is not None):
                raise SpecError(f"{len(arguments)} arguments of a zone", "E0305", line.span)
            if arguments:
                owner = self.world.constant(arguments[0], zone.owner.type, names)
        for entity in line.names:
            identity = names[entity][0]
            seen: set = set()
            for with_ in line.values:
                field = next((f for f in sort.fields if f.name == with_.name), None)
                if field is None:
                    raise SpecError(f"`{with_.name}` is no field of `{sort.name}`", "E0208", with_.span)
                if field.name in seen:
                    raise SpecError(f"`{with_.name}` is given twice", "E0421", with_.span)
                seen.add(field.name)
                rows[sort.index][identity - sort.base][1 + field.index] = self.value(with_.value, field, names)
            if zone is not None and last[entity] is line:
                inside = data.zones[zone.index] if owner is None else data.zones[zone.index][owner - zone.owner.base]
                try:
                    data = put_in(data, zone, owner, len(inside), (identity,))
                except Stop:
                    raise SpecError(f"too many in `{zone.name}`", "E0403", line.span) from None
        return data

    # -- examples

    def example(self, item) -> None:
        tree, spec = item.tree, self.spec
        board: Optional[Board] = None
        performed: Optional[Tree] = None
        readings: dict = {}
        named = [line.name for line in tree.lines if line.kind == "on"]
        own = [line for line in tree.lines if line.kind == "given"]
        if max(len(named), len(own)) != 1:
            raise SpecError("an example has one board", "E0416", tree.span)
        if own:
            board = self.board(self.layers(named[0] if named else None, own[0]) + [own[0].lines], own[0], None)
        elif named[0] not in spec.boards:
            raise SpecError(f"`{named[0]}` is no board", "E0201", tree.span)
        else:
            board = spec.boards[named[0]]
        for line in tree.lines:
            if line.kind == "perform":
                if performed is not None:
                    raise SpecError("an example has one `perform`", "E0416", line.span)
                performed = line
            elif line.kind == "reading is":
                reading = self.world.readings.get(line.name)
                if reading is None or line.alternative not in reading.alternatives:
                    raise SpecError(f"`{line.name}` has no alternative `{line.alternative}`", "E0201", line.span)
                readings[reading.index] = reading.alternatives.index(line.alternative)
        if board is None or performed is None:
            raise SpecError("an example has one board and one `perform`", "E0416", tree.span)
        sequence = self.sequence(performed.name, performed, parameters=True)
        self.rule(sequence, performed)
        if len(performed.arguments) != len(sequence.parameters):
            raise SpecError(f"{len(performed.arguments)} arguments of `{sequence.name}`", "E0302", performed.span)
        entities = self.entities_on(board)
        arguments = tuple(
            self.world.constant(argument, type_, entities)
            for argument, (_, type_) in zip(performed.arguments, sequence.parameters)
        )
        scope = Scope(entities=entities)
        lines = [self.line(line, sequence, scope) for line in tree.lines]
        spec.examples.append(Example(
            tree.name, board, sequence, arguments, readings, [line for line in lines if line is not None], item.clause,
            tree.span,
        ))

    def sort_of(self, identity: int):
        return next(sort for sort in self.spec.sorts if sort.base <= identity and identity - sort.base < (1 << 31))

    def line(self, line: Tree, sequence: Sequence, scope: Scope) -> Optional[Line]:
        kind = line.kind
        if kind == "choose":
            return Line("choose", line.span, text=line.text_)
        if kind in ("expect", "after"):
            expression = self.present.expression(line.condition, scope, BOOLEAN)
            if kind == "after":
                return Line("after", line.span, expression=expression, step=self.example_step(line, sequence))
            return Line("possible" if line.possible else "expect", line.span, expression=expression)
        if kind == "expect outcome":
            whom: Any = line.whom
            if whom is not None and whom != "everyone":
                whom = self.world.constant(whom, self.present.player(line).type, scope.entities)
            return Line("outcome", line.span, tag=(line.outcome,) if line.outcome == "end" else (line.outcome, whom))
        if kind == "expect gap":
            what, name = line.gap
            if what == "kind" and name not in GAP_KINDS:
                raise SpecError(f"`{name}` is no kind of gap", "E0201", line.span)
            if what == "name" and name not in self.world.gaps:
                raise SpecError(f"`{name}` is no gap", "E0201", line.span)
            if what == "name" and set(self.world.gaps[name]) == {"changes"}:
                raise SpecError(f"the gap `{name}` lets runs go on", "E0416", line.span)
            return Line("possible gap" if line.possible else "gap", line.span, gap=line.gap)
        return None

    def example_step(self, line: Tree, sequence: Sequence) -> Step:
        first, second = line.step
        if second is not None:
            return self.step(self.sequence(first, line, parameters=True), second, line)
        for step in sequence.steps:
            if step.name == first:
                return step
        rules = [other for other in self.spec.sequences.values() if other.experiment is None]
        found = [step for other in rules for step in other.steps if step.name == first]
        if len(found) != 1:
            raise SpecError(f"`{first}` is no step, or several", "E0201", line.span)
        return found[0]
