"""From the items of a text to a Spec: names, types, bounds, and all that is compiled.

Declarations may stand in any order, so this goes in rounds: first all items of all files are collected with the
clause around each; then types, sorts, places and zones get their meaning; then definitions, readings, events and
the headings of sequences; at last bodies and conditions are compiled. What is asked (claims, boards, examples, ...)
is in `check_asked`.
"""

from __future__ import annotations

import os
from typing import Any, Optional

from . import continuous, lexer, parse_items, tables, whenever
from .build import Builder, clause_basis
from .check_asked import Asked
from .check_sequences import Procedures
from .concern import ALWAYS, Spoken
from .evaluate import Compiler
from .experiments import Experiments
from .model import (
    Clause, Condition, Event, Expression, Place, Queue, Reading, Sequence, Site, Sort, Spec, SpecError, Type, Zone,
)
from .parse import Cursor, Tree
from .tallies import Named
from .values import BOOLEAN, INTEGER, LARGEST, SMALLEST, Definition, Scope

MOST_ENTITIES = 10000
UNSAID_CAPACITY = 8  # of a queue
MOST_VALUES = 10000


def load(path: str) -> Spec:
    world = World(path)
    world.read_file(path)
    world.declare()
    world.compile()
    Asked(world).all()
    world.spec.sites.sort(key=lambda site: (site.span.number, site.kind == "sequence"))
    for index, site in enumerate(world.spec.sites):
        site.index = index
    world.spec.world = world
    return world.spec


def condition(spec: Spec, text: str) -> Expression:
    """A condition on boards, written in the language."""
    line = lexer.Line(lexer.tokens_of(text, 1, "<condition>"), 0, "<condition>", len(spec.files))
    cursor = Cursor(line)
    tree = cursor.expression()
    cursor.finish()
    return Compiler(spec.world, old_allowed=False).expression(tree, Scope(), BOOLEAN)


class Item:
    """A declaration with where it stands."""

    def __init__(self, tree: Tree, clause: Optional[Clause], document: Optional[str], sequence: Optional[Tree]):
        self.tree = tree
        self.clause = clause
        self.document = document
        self.sequence = sequence  # the tree of the sequence around it


class World(Procedures, Experiments):
    """All that is declared."""

    def __init__(self, path: str):
        self.spec = Spec(path=path)
        self.items: dict = {}  # kind -> [Item]
        self.read: dict = {}  # file -> number
        self.spoken = self.spec.spoken = Spoken()
        self.named = Named(self.spoken)
        self.clause_of: dict = {}  # id of a tree -> Clause
        self.blocks: dict = {}  # Clause -> the trees that stand in it
        self.trees: list = []  # keeps trees alive, whose ids are used
        self.shared: dict = {}  # the names that types, sorts, variables, ... share
        self.values: dict = {}
        self.variables: dict = {}
        self.definitions: dict = {}
        self.zones: dict = {}
        self.queues: dict = {}
        self.readings: dict = {}
        self.sorts: dict = {}
        self.types: dict = {}
        self.columns: dict = {}  # Type of a table -> name of a column -> (Type, what is printed in each row)
        self.gaps: dict = {}  # name -> what its statements do: "ends", "changes" or "goes on"
        self.player: Optional[Sort] = None
        self.compiled: Optional[str] = None  # the sequence whose steps are compiled
        self.leaves = self.spec.leaves = []  # (the sequence in whose steps, or None; the sequence that is left)
        self.making: Optional[str] = None  # the experiment that is made
        self.instead: dict = {}  # in it: name of a sequence -> name of the experiment performed in its place
        self.replaced: set = set()
        self.shuffled: list = []  # Zone

    def shared_names(self) -> dict:
        return self.shared

    def of(self, kind: str) -> list:
        return self.items.get(kind, [])

    # -- files, documents, clauses

    def read_file(self, path: str, clause=None, document=None) -> None:
        real = os.path.realpath(path)
        if real in self.read:
            return
        self.read[real] = len(self.read)
        self.spec.files.append(path)
        try:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise SpecError(f"{path}: {error}") from None
        self.collect(parse_items.file(lexer.lines_of(text, path, self.read[real])), clause, document, None)

    def collect(self, trees: list, clause, document, sequence) -> None:
        for tree in trees:
            kind = tree.kind
            if kind == "game":
                if self.spec.game:
                    raise SpecError("the game is declared twice", "E0202", tree.span)
                self.spec.game = tree.title
            elif kind == "include":
                self.read_file(os.path.join(os.path.dirname(tree.line.file), tree.path), clause, document)
            elif kind == "document":
                if any(name == tree.name for name, _ in self.spec.documents):
                    raise SpecError(f"the document `{tree.name}` is declared twice", "E0202", tree.span)
                self.spec.documents.append((tree.name, tree.title))
                self.collect(tree.block, clause, tree.name, sequence)
            elif kind == "clause":
                self.collect(tree.block, self.new_clause(tree, clause, document), document, sequence)
            else:
                if clause is not None and kind not in ("cites", "basis", "experiment"):
                    clause.formal = True
                self.items.setdefault(kind, []).append(Item(tree, clause, document, sequence))
                if kind == "trigger":
                    self.collect_clauses(tree.block, clause, document)
                if kind == "sequence":
                    self.collect_sequence(tree.block, clause, document, tree)

    def collect_sequence(self, trees: list, clause, document, sequence) -> None:
        """Declarations inside of a sequence; its steps and the like stay with it."""
        for tree in trees:
            if tree.kind == "clause":
                self.collect_sequence(tree.block, self.new_clause(tree, clause, document), document, sequence)
            elif tree.kind == "step":
                if clause is not None:
                    clause.formal = True
                self.collect_clauses(tree.block, clause, document)
            elif tree.kind in ("cites", "basis"):
                continue
            elif tree.kind in ("restart", "contract"):
                if clause is not None:
                    clause.formal = True
                if tree.kind == "restart":
                    self.collect_clauses(tree.before, clause, document)
            else:
                self.collect([tree], clause, document, sequence)

    def collect_clauses(self, trees: Optional[list], clause, document) -> None:
        """Clauses among statements."""
        for tree in trees or ():
            if tree.kind == "clause":
                self.collect_clauses(tree.block, self.new_clause(tree, clause, document), document)
                continue
            for name in ("block", "otherwise"):
                self.collect_clauses(tree.__dict__.get(name), clause, document)
            for name in ("branches", "parts"):
                for _, block in tree.__dict__.get(name) or ():
                    self.collect_clauses(block, clause, document)
            for option in tree.__dict__.get("options") or ():
                self.collect_clauses(option.block, clause, document)

    def new_clause(self, tree: Tree, parent: Optional[Clause], document: Optional[str]) -> Clause:
        if tree.id in self.spec.clauses:
            raise SpecError(f"the clause `{tree.id}` is declared twice", "E0202", tree.span)
        clause = Clause(tree.id, tree.clause_kind, tree.locator, document, parent=parent, span=tree.span)
        for line in tree.lines:
            if line.kind in ("says", "waived"):
                if getattr(clause, line.kind) is not None:
                    raise SpecError(f"a second `{line.kind}`", "E0417", line.span)
                setattr(clause, line.kind, line.text_)
            elif line.kind == "refers":
                clause.refers.append(line.target)
            elif line.kind in ("defines", "uses"):
                getattr(clause, line.kind).extend(line.texts)
            elif line.kind == "yields":
                clause.yields_to.append(line.id)
            elif line.kind == "cites":
                clause.cites.extend(line.ids)
            else:
                if clause.basis is not None:
                    raise SpecError("a second `basis`", "E0417", line.span)
                clause.basis = line.basis
        clause.direct = parent is not None and any(one is tree for one in self.blocks[parent])
        self.blocks[clause] = tree.block
        self.spec.clauses[tree.id] = clause
        self.clause_of[id(tree)] = clause
        self.trees.append(tree)
        return clause

    # -- names

    def share(self, name: str, what: Any, tree: Tree) -> None:
        if name in self.shared:
            raise SpecError(f"the name `{name}` is declared twice", "E0202", tree.span)
        self.shared[name] = what

    def sort(self, name: str, tree: Tree) -> Sort:
        if name not in self.sorts:
            raise SpecError(f"`{name}` is no sort", "E0311" if name in self.shared else "E0201", tree.span)
        return self.sorts[name]

    def new_type(self, name: str, values: list, tree: Tree) -> Type:
        if len(set(values)) != len(values):
            raise SpecError("a value is declared twice", "E0202", tree.span)
        type_ = Type("enum", name, tuple(values))
        for value in values:
            self.values.setdefault(value, []).append(type_)
        return type_

    def type_of(self, tree: Tree, name: str = "", parameter: bool = False) -> Type:
        if tree.kind == "type boolean":
            return BOOLEAN
        if tree.kind == "type integer":
            if parameter and (tree.document or tree.explore or tree.reach):
                raise SpecError("bounds of a parameter", "E0417", tree.span)
            return INTEGER
        if tree.kind == "type values":
            return self.new_type(name, tree.values, tree)
        if tree.name in self.types and not tree.optional:
            return self.types[tree.name]
        if tree.name in self.types:
            raise SpecError("only sorts can be optional", "E0310", tree.span)
        sort = self.sort(tree.name, tree)
        return sort.optional if tree.optional else sort.type

    # -- constants

    def constant(self, tree: Tree, type_: Type, entities: Optional[dict] = None) -> Any:
        """The value of a tree that may not depend on a board, but for the entities that it names."""
        kind = tree.kind
        if type_.kind == "integer":
            value = self.integer(tree)
            if not SMALLEST <= value <= LARGEST:
                raise SpecError("a number beyond 64 bits", "E0306", tree.span)
            return value
        if type_.kind == "boolean" and kind == "boolean":
            return tree.value
        if type_.kind == "enum" and kind == "name":
            if tree.name not in type_.values:
                raise SpecError(f"`{tree.name}` is no value of `{type_.name}`", "E0201", tree.span)
            return tree.name
        if type_.kind == "optional" and kind == "none":
            return None
        if type_.sort is not None and kind == "name" and entities is not None:
            if tree.name not in entities:
                raise SpecError(f"`{tree.name}` is no entity of the board", "E0201", tree.span)
            identity, sort = entities[tree.name]
            if sort is not type_.sort:
                raise SpecError(f"`{tree.name}` is a `{sort.name}`", "E0301", tree.span)
            return identity
        raise SpecError(f"found an expression, expected a constant: {type_!r}", "E0306", tree.span)

    def integer(self, tree: Tree) -> int:
        kind = tree.kind
        if kind == "number":
            return tree.value
        if kind == "negative":
            return -self.integer(tree.inner)
        if kind in ("+", "-", "*"):
            left, right = self.integer(tree.left), self.integer(tree.right)
            return left + right if kind == "+" else left - right if kind == "-" else left * right
        if kind == "divided by":
            left, right = self.integer(tree.left), self.integer(tree.right)
            if right == 0:
                raise SpecError("a division by zero", "E0306", tree.right.span)
            return left // right
        if kind == "call" and tree.name in ("min", "max", "clamp") and len(tree.arguments) > 1:
            values = [self.integer(argument) for argument in tree.arguments]
            if tree.name == "clamp" and len(values) == 3:
                return max(values[1], min(values[0], values[2]))
            if tree.name != "clamp":
                return min(values) if tree.name == "min" else max(values)
        raise SpecError("found an expression, expected a constant: an integer", "E0306", tree.span)

    def range(self, pair: Optional[tuple]) -> Optional[tuple]:
        if pair is None:
            return None
        low, high = self.constant(pair[0], INTEGER), self.constant(pair[1], INTEGER)
        if low > high:
            raise SpecError(f"found {low} to {high}, expected the smaller number first", "E0402", pair[0].span)
        return low, high

    # -- the first round: what there is

    def declare(self) -> None:
        spec = self.spec
        for item in self.of("type"):
            tree = item.tree
            self.types[tree.name] = self.new_type(tree.name, tree.values, tree)
            spec.types[tree.name] = self.types[tree.name]
            self.share(tree.name, "type", tree)
        for item in self.of("table"):
            tree = item.tree
            self.types[tree.name] = self.new_type(tree.name, [row.name for row in tree.rows], tree)
            spec.types[tree.name] = self.types[tree.name]
            self.share(tree.name, "type", tree)
        for item in self.of("entity"):
            self.new_sort(item.tree)
        found = tables.printed(self, [item.tree for item in self.of("table")])
        self.columns = {self.types[name]: columns for name, columns in found.items()}
        for item in self.of("entity"):
            sort = self.sorts[item.tree.name]
            for tree in item.tree.fields:
                if any(field.name == tree.name for field in sort.fields):
                    raise SpecError(f"the field `{tree.name}` is declared twice", "E0202", tree.span)
                sort.fields.append(self.new_place(tree, len(sort.fields), sort))
        for item in sorted(self.of("place"), key=lambda item: item.tree.span.number):
            place = self.new_place(item.tree, len(spec.variables), None)
            self.share(place.name, "variable", item.tree)
            self.variables[place.name] = place
            spec.variables.append(place)
        for item in self.of("zone"):
            self.new_zone(item.tree)
        for item in self.of("queue"):
            tree = item.tree
            if tree.capacity is not None and tree.capacity > MOST_ENTITIES:
                raise SpecError("too large a capacity", "E0402", tree.span)
            capacity = UNSAID_CAPACITY if tree.capacity is None else tree.capacity
            queue = Queue(tree.name, len(spec.queues), tree.discipline, capacity, tree.span)
            self.share(queue.name, "queue", tree)
            self.queues[queue.name] = queue
            spec.queues.append(queue)
        for item in self.of("define"):
            tree = item.tree
            self.share(tree.name, "definition", tree)
            self.definitions[tree.name] = Definition(tree, self.parameters(tree))
            if tree.continuous is not None:
                self.definitions[tree.name].continuous = continuous.Continuous(
                    self, tree, self.definitions[tree.name].parameters
                )
        for item in self.of("reading"):
            self.new_reading(item)
        for item in self.of("event"):
            self.new_event(item.tree)
        for item in self.of("sequence"):
            self.new_sequence(item)
        self.new_experiments()
        continuous.group(self)

    def new_sort(self, tree: Tree) -> None:
        if tree.player and self.player is not None:
            raise SpecError(f"`{tree.name}` is a second sort of players", "E0404", tree.span)
        if tree.size is None and tree.document is None:
            raise SpecError(f"nothing says how many `{tree.name}` are explored", "E0401", tree.span)
        for pair in (tree.size, tree.document):
            if pair is not None and pair[0] is not None and pair[0] > pair[1]:
                raise SpecError("expected the smaller number first", "E0402", tree.span)
        if max(tree.headroom or 0, (tree.size or (0, 0))[1]) > MOST_ENTITIES:
            raise SpecError("expected a number from 0 to 10000", "E0402", tree.span)
        if tree.player and tree.headroom:
            raise SpecError("found headroom for players, expected none", "E0405", tree.span)
        size = tree.size or tree.document
        explored = (int(tree.player) if size[0] is None else size[0], size[1])
        sort = Sort(tree.name, len(self.spec.sorts), tree.player, tree.document, explored, tree.headroom or 0)
        sort.span = tree.span
        self.share(tree.name, "sort", tree)
        self.sorts[tree.name] = sort
        self.spec.sorts.append(sort)
        if tree.player:
            self.player = self.spec.player = sort
            sort.numbered = True

    def new_place(self, tree: Tree, index: int, sort: Optional[Sort]) -> Place:
        kind = tree.place_kind
        type_ = self.type_of(tree.type, tree.name)
        place = Place(tree.name, type_, index, kind, sort, span=tree.span)
        if kind == "supply" and type_.kind != "integer":
            raise SpecError(f"the supply `{tree.name}` is no integer", "E0301", tree.span)
        if tree.starts is not None:
            place.has_starts, place.starts = True, self.constant(tree.starts, type_)
        if type_.kind == "integer":
            self.bounds(place, tree)
        if tree.default is not None:
            place.has_default, place.default = True, self.constant(tree.default, type_)
        elif place.has_starts:
            place.has_default, place.default = True, place.starts
        elif type_.kind == "integer":
            low, high = place.explored
            place.has_default, place.default = True, 0 if low <= 0 <= high else low
        elif type_.kind != "entity":
            place.has_default = True
            place.default = {"boolean": False, "optional": None}.get(type_.kind, type_.values[0] if type_.values else None)
        for value in (place.starts, place.default):
            if type_.kind == "integer" and value is not None:
                for bound in (place.document, place.reach):
                    if bound is not None and not bound[0] <= value <= bound[1]:
                        raise SpecError(f"found {value}, expected {bound[0]} to {bound[1]}", "E0403", tree.span)
        return place

    def bounds(self, place: Place, tree: Tree) -> None:
        place.document = self.range(tree.type.document)
        if place.kind == "supply":
            if place.document is not None and place.document[0] < 0:
                raise SpecError("a supply is never below 0", "E0402", tree.span)
            place.document = place.document or (0, LARGEST)
        parts = [self.range(part) for part in tree.type.explore or ()]
        for before, part in zip(parts, parts[1:]):
            if part[0] <= before[1]:
                raise SpecError("expected the smaller values first", "E0402", tree.span)
        explored = (parts[0][0], parts[-1][1]) if parts else None
        place.listed = parts if len(parts) > 1 else []
        if explored is None and tree.type.document is not None:
            explored = place.document
        if explored is None and place.has_starts:
            explored = (place.starts, place.starts)
        if explored is None:
            raise SpecError(f"nothing says which values of `{place.name}` are explored", "E0401", tree.span)
        if not place.has_starts and sum(high - low + 1 for low, high in place.listed or [explored]) > MOST_VALUES:
            raise SpecError("too many values to explore", "E0402", tree.span)
        place.explored = explored
        place.reach = self.range(tree.type.reach) or (max(SMALLEST, explored[0] - 8), min(LARGEST, explored[1] + 8))

    def new_zone(self, tree: Tree) -> None:
        sort = self.sort(tree.sort, tree)
        owner = None if tree.owner is None else self.sort(tree.owner, tree)
        if owner is not None:
            if owner.headroom:
                raise SpecError(f"`{owner.name}` has headroom", "E0407", tree.span)
            owner.numbered = True
        zone = Zone(
            tree.name, len(self.spec.zones), sort, owner, tree.starts_empty, tree.holds, tree.explored, tree.unordered,
            tree.span,
        )
        self.share(tree.name, "zone", tree)
        self.zones[tree.name] = zone
        self.spec.zones.append(zone)
        sort.zones.append(zone)

    def parameters(self, tree: Tree) -> list:
        found: list = []
        for parameter in tree.parameters:
            name = parameter.name
            if any(name == other for other, _ in found) or name in self.values:
                raise SpecError(f"`{name}` already means something here", "E0203", parameter.span)
            found.append((name, self.type_of(parameter.type, name, parameter=True)))
        return found

    def new_reading(self, item: Item) -> None:
        tree = item.tree
        names = [a.name for a in tree.alternatives]
        if len(set(names)) != len(names):
            raise SpecError("an alternative is declared twice", "E0202", tree.span)
        if len(names) < 2:
            raise SpecError(f"found 1 alternative of `{tree.name}`, expected at least two", "E0422", tree.span)
        reading = Reading(
            tree.name, len(self.spec.readings), "declared", names, [a.text_ for a in tree.alternatives],
            [a.ids for a in tree.alternatives], item.clause, span=tree.span,
        )
        self.share(tree.name, "reading", tree)
        self.readings[tree.name] = reading
        self.spec.readings.append(reading)

    def new_event(self, tree: Tree) -> None:
        if tree.name in self.spec.events:
            raise SpecError(f"the event `{tree.name}` is declared twice", "E0202", tree.span)
        if tree.queue is not None and tree.queue not in self.queues:
            raise SpecError(f"`{tree.queue}` is no queue", "E0201", tree.span)
        queue = None if tree.queue is None else self.queues[tree.queue]
        event = Event(tree.name, self.parameters(tree), queue, tree.order, span=tree.span)
        if tree.sort is not None:
            event.listener = self.sort(tree.sort, tree).type
            event.listener_name = tree.listener
        whenever.refuse_parameters(event, tree)
        event.site = Site("event", f"event {tree.name}", tree.span, "", None, None)
        self.spec.events[tree.name] = event

    def new_sequence(self, item: Item) -> None:
        tree = item.tree
        if tree.name in self.spec.sequences:
            raise SpecError(f"the sequence `{tree.name}` is declared twice", "E0202", tree.span)
        site = self.new_site("sequence", tree.name, tree, item.clause, None, tree.words)
        sequence = Sequence(tree.name, len(self.spec.sequences), site, self.parameters(tree), tree.policy)
        sequence.nest = tree.nest
        sequence.has_places = tree.binder is not None
        self.spec.sequences[tree.name] = sequence

    def new_site(self, kind: str, path: str, tree: Tree, clause, parent, words: str) -> Site:
        site = Site(kind, path, tree.span, words, clause, parent)
        site.basis = (clause_basis(clause) or "text") if clause else (parent.basis if parent else "text")
        site.made_up = self.making is not None
        self.spec.sites.append(site)
        return site

    def cite(self, tree: Tree, site: Site) -> None:
        site.cites += tuple(tree.ids)

    def number(self, sort: Optional[Sort]) -> None:
        """Identities of the sort can be told apart (§1.2)."""
        if sort is not None:
            sort.numbered = True

    def number_by_order(self, order, binder) -> None:
        if order.kind == "per":
            for part in order.parts:
                self.number_by_order(part, binder)
        elif order.kind == "rank":
            self.number_by_order(order.then, binder)
        elif order.kind in ("left to right", "right to left") and binder.type.sort is not None:
            if binder.zone is None and not binder.type.sort.zones:
                if binder.type.sort.headroom:
                    raise SpecError("what is created has no place among the others", "E0412", binder.type.sort.span)
                self.number(binder.type.sort)

    # -- the second round: what happens

    def compile(self) -> None:
        spec = self.spec
        self.named.listens = True
        present = Compiler(self, old_allowed=False)
        for definition in self.definitions.values():
            present.definition(definition, definition.tree)
        whenever.compile_events(self)
        self.named.listens = False  # no run asks what is legal
        for item in self.of("legal"):
            tree = item.tree
            with self.spoken.within(*ALWAYS):
                expression = present.expression(tree.condition, Scope(), BOOLEAN)
            condition = Condition(tree.name, expression, item.clause, tree.span)
            (spec.only if tree.only else spec.legal).append(condition)
        self.named.listens = True
        for index, item in enumerate(sorted(self.of("trigger"), key=lambda item: item.tree.span.number)):
            self.compile_trigger(item, index)
        for event in spec.events.values():
            if event.order is not None:
                self.order_listeners(event)
        for item in self.of("sequence"):
            self.compiled = item.tree.name
            self.compile_sequence(item)
        self.compile_experiments()
        self.named.listens = False
        spec.tallies = self.named.tallies(spec)
        whenever.refuse_shuffles(self)
        self.refuse_cycles()
        for clause in spec.clauses.values():
            for other in clause.cites + clause.yields_to:
                if other not in spec.clauses:
                    raise SpecError(f"`{other}` is no clause", "E0209", clause.span)

    def order_listeners(self, event: Event) -> None:
        with self.spoken.within("event", event.name):
            self.compile_order(event)

    def compile_order(self, event: Event) -> None:
        builder, tree, inner = Builder(self, None), event.order, None
        listeners = [trigger.body.listener for trigger in event.triggers if trigger.body.listener is not None]
        if event.listener is not None:
            inner = builder.bind(Scope(), event.listener_name, event.listener, tree)
            if not builder.ranks(tree):
                raise SpecError("a name without an order by rank", "E0412", tree.span)
            if any(binder.type is not event.listener for binder in listeners):
                raise SpecError(f"a listener is no `{event.listener.name}`", "E0412", tree.span)
        event.order = builder.order(tree, Scope(), None, inner)
        if builder.goes_along(tree):
            self.one_line(event)
        for binder in listeners:
            builder.as_listeners(tree, binder)
            self.number_by_order(event.order, binder)

    def one_line(self, event: Event) -> None:
        """Listeners that wait together lie in one zone or are of one sort."""
        lines: dict = {}
        for trigger in event.triggers:
            binder = trigger.body.listener
            if binder is None:
                continue
            line = binder.type.sort or binder.type.name if binder.zone is None else binder.zone
            if lines.setdefault(trigger.priority, line) != line:
                raise SpecError("listeners that lie apart", "E0412", trigger.site.span)

    def refuse_cycles(self) -> None:
        """Sequences perform each other acyclically; triggers resolve no queue."""
        sequences = self.spec.sequences
        done: set = set()

        def visit(name, path):
            if name in path:
                raise SpecError(f"`{name}` performs itself", "E0409", sequences[name].site.span)
            if name not in done:
                for other in sequences[name].performs:
                    visit(other, path + (name,))
                done.add(name)

        for name in sequences:
            visit(name, ())
