"""From trees of sequences, triggers and statements to the nodes that the machine plays.

A `Builder` compiles one step, trigger or restart: it numbers the statements, remembers the clauses around them,
and keeps track of which locals are known.
"""

from __future__ import annotations

from typing import Any, Optional

from . import choices, happen, iterate, statements as s, together
from .evaluate import Compiler
from .model import Clause, Site, SpecError
from .parse import Tree
from .run import Block, Policy
from .tallies import adds_to
from .values import BOOLEAN, INTEGER, Scope

BASES = ("text", "external", "gap", "invented")  # strongest first
NAMES = {"depending on": "depending"}  # what paths call a statement
TOGETHER = frozenset(together.COLLECT)
LEFT_AND_RIGHT = ("left to right", "right to left")


def clause_basis(clause: Optional[Clause]) -> Optional[str]:
    """The basis of a clause: its own, that of a clause directly around it, else text."""
    if clause is None:
        return None
    if clause.basis:
        return clause.basis
    if clause.direct and clause.parent.basis:
        return clause.parent.basis
    return "text"


class Builder:
    """Builds the nodes of one step, trigger or restart."""

    def __init__(self, world: Any, site: Site):
        self.world = world
        self.compiler = Compiler(world, old_allowed=False)
        self.site = site  # what the statements belong to
        self.numbers: dict = {}
        self.ensures: list = []
        self.clauses: list = []
        self.bases: list = []
        self.within: Any = None  # stands for the block that is built
        self.bare = False  # whether a statement stands under none of these clauses
        self.performs: set = set()
        self.together = 0  # how many `simultaneously` stand around
        self.turns: list = []  # of each iteration around that can go on until all pass: the `pass` statements in it

    # -- blocks

    def block(self, trees: list, scope: Scope, clause: Optional[Clause], parent: Optional[Site]) -> Block:
        nodes: list = []
        around, self.within = self.within, object()
        self.fill(nodes, trees, scope, clause, parent)
        self.within = around
        return Block(nodes, scope.size)

    def fill(self, nodes: list, trees: list, scope: Scope, clause, parent) -> Scope:
        for tree in trees:
            if tree.kind == "clause":
                inner = self.world.clause_of[id(tree)]
                if any(t.kind not in ("cites", "basis", "clause") for t in tree.block):
                    inner.formal = True
                self.clauses.append(inner)
                self.bases.append(clause_basis(inner))
                scope = self.fill(nodes, tree.block, scope, inner, parent)
            elif tree.kind == "ensures":
                self.ensures.append((tree.condition, clause))
            elif tree.kind == "cites":
                self.world.cite(tree, self.site)
            elif tree.kind == "basis":
                if parent is self.site or parent is None:
                    self.site.own_basis = tree.basis
            else:
                self.bare = self.bare or parent is self.site and clause is parent.clause
                node, scope = self.statement(tree, scope, clause, parent)
                nodes.append(node)
        return scope

    def statement(self, tree: Tree, scope: Scope, clause, parent) -> tuple:
        name = NAMES.get(tree.kind, tree.kind)
        if tree.kind == "gap" and tree.place is not None:
            name = "gap may change"
        elif tree.kind == "gap" and tree.goes_on:
            name = "gap and go on"
        number = self.numbers[name] = self.numbers.get(name, 0) + 1
        site = self.world.new_site(
            tree.kind, f"{self.site.path}/{name}#{number}", tree, clause, parent, tree.line.all_words()
        )
        site.block = self.within
        site.heading = tree.line.heading()
        result = getattr(self, "on_" + tree.kind.replace(" ", "_"))(tree, scope, clause, site)
        node, scope = result if isinstance(result, tuple) else (result, scope)
        node.site = site
        if isinstance(node, iterate.ForEach):
            site.iteration = node
        return node, scope

    def inner(self, trees: Optional[list], scope: Scope, clause, site: Site) -> Optional[Block]:
        return None if trees is None else self.block(trees, scope, clause, site)

    # -- parts

    def code(self, tree: Tree, scope: Scope, type_=None):
        return (self.compiler.as_type(tree, scope, type_) if type_ else self.compiler.compile(tree, scope)).run

    def typed(self, tree: Tree, scope: Scope):
        return self.compiler.compile(tree, scope)

    def place(self, tree: Tree, scope: Scope) -> s.PlaceCode:
        if tree.kind == "name":
            place = self.world.variables.get(tree.name)
            if place is None:
                known = tree.name in scope.names or tree.name in self.world.shared_names()
                raise SpecError(f"`{tree.name}` is no place", "E0304" if known else "E0201", tree.span)
            self.world.named.note(place)
            return s.PlaceCode(place, None, tree.words)
        if tree.kind != "field":
            raise SpecError("expected a field or a variable", "E0304", tree.span)
        owner = self.compiler.compile(tree.owner, scope)
        if owner.type in self.world.columns:
            raise SpecError("what is printed cannot be written", "E0304", tree.span)
        owner = self.compiler.entity(tree.owner, scope, code=owner)
        place = next((f for f in owner.type.sort.fields if f.name == tree.name), None)
        if place is None:
            raise SpecError(f"`{tree.name}` is no field of `{owner.type.sort.name}`", "E0208", tree.span)
        self.world.named.note(place)
        return s.PlaceCode(place, owner.run, tree.words)

    def number(self, tree: Tree, scope: Scope) -> s.PlaceCode:
        found = self.place(tree, scope)
        if found.place.type.kind != "integer":
            raise SpecError(f"found {found.place.type!r}, expected an integer", "E0301", tree.span)
        return found

    def decider(self, tree: Tree, scope: Scope) -> s.Decider:
        if tree.kind == "everyone":
            return s.Decider("everyone")
        if tree.kind == "chance":
            return s.Decider("chance")
        if tree.kind == "nobody":
            return s.Decider(None)
        player = self.compiler.player(tree)
        return s.Decider(None, self.compiler.entity(tree.who, scope, player).run)

    def order(self, tree: Optional[Tree], scope: Scope, binder=None, inner: Optional[Scope] = None,
              within: bool = False) -> iterate.Order:
        """`inner` knows the element, and is None where there can be no order by rank; `within` says whether the
        order stands after that of players, who can have an order of their own."""
        if tree is None or tree.kind == "any":
            return iterate.ANY
        if tree.kind == "per":
            reading = self.compiler.reading(tree)
            parts = [self.order(part, scope, binder, inner, within) for _, part in tree.parts]
            return iterate.Order("per", reading=reading, parts=parts)
        if tree.kind == "chosen":
            return iterate.Order("chosen", by=self.decider(tree.by, scope))
        if tree.kind == "own":
            if not within:
                raise SpecError("their own order stands after a player order", "E0412", tree.span)
            return iterate.OWN
        if tree.kind == "rank":
            return self.rank(tree, scope, binder, inner, within)
        player = self.world.player
        start = None
        if tree.start is not None or tree.kind in iterate.PLAYER_ORDERS:
            player = self.compiler.player(tree)
        if tree.start is not None:
            start = self.compiler.entity(tree.start, scope, player).run
        if tree.kind in iterate.PLAYER_ORDERS and binder is not None:
            if binder.type.sort is not player and not (binder.zone is not None and binder.zone.owner is player
                                                       and not binder.zone.unordered):
                raise SpecError("a player order needs players, or an ordered zone of each", "E0412", tree.span)
        if tree.kind not in iterate.PLAYER_ORDERS:
            if tree.start is not None and binder is not None and not (binder.family and binder.zone.owner is player):
                raise SpecError("`from` needs a family of zones per player", "E0412", tree.span)
            if binder is not None and binder.zone is not None and binder.zone.unordered:
                raise SpecError(f"nothing lies left or right in `{binder.zone.name}`", "E0412", tree.span)
            if binder is not None and binder.zone is None and binder.type.kind == "entity" and binder.type.sort.zones:
                raise SpecError(f"`{binder.type.sort.name}` lie in zones, and not beside each other", "E0412", tree.span)
        return iterate.Order(tree.kind, start=start, player=player)

    def rank(self, tree: Tree, scope: Scope, binder, inner: Optional[Scope], within: bool) -> iterate.Order:
        if inner is None:
            raise SpecError("no order by rank can stand here", "E0412", tree.span)
        of_players = tree.by in iterate.PLAYER_ORDERS
        player = self.compiler.player(tree) if of_players else None
        key = start = None
        if tree.key is not None and of_players:
            key = self.compiler.entity(tree.key, inner, player)
        elif tree.key is not None:
            key = self.compiler.as_type(tree.key, inner, BOOLEAN if tree.by == "those" else INTEGER)
        elif binder is not None:
            self.lies_with_a_player(tree, binder, player)
        if tree.start is not None:
            start = self.compiler.entity(tree.start, scope, player).run
        then = self.order(tree.then, scope, binder, inner, within or of_players)
        run, weight = (None, 0) if key is None else (key.run, key.weight)
        return iterate.Rank(tree, run, weight, start, player, then)

    def lies(self, tree: Optional[Tree], kinds: tuple) -> bool:
        """Whether an order is one of these kinds, whatever readings say."""
        if tree is not None and tree.kind == "per":
            return all(self.lies(part, kinds) for _, part in tree.parts)
        return tree is not None and tree.kind in kinds

    def ranks(self, tree: Tree) -> bool:
        """Whether an order is one by rank under some reading."""
        if tree.kind == "per":
            return any(self.ranks(part) for _, part in tree.parts)
        return tree.kind == "rank"

    def goes_along(self, tree: Tree) -> bool:
        """Whether an order takes what it orders as it lies, or in player order, under some reading."""
        if tree.kind == "per":
            return any(self.goes_along(part) for _, part in tree.parts)
        if tree.kind == "rank" and tree.then is not None:
            return self.goes_along(tree.then)
        return tree.kind in LEFT_AND_RIGHT + iterate.PLAYER_ORDERS

    def as_listeners(self, tree: Tree, binder) -> None:
        """Whether listeners can be taken in a plain order."""
        unordered = binder.zone is not None and binder.zone.unordered
        if tree.kind == "per":
            for _, part in tree.parts:
                self.as_listeners(part, binder)
        elif tree.kind == "rank":
            if tree.key is None:
                self.lies_with_a_player(tree, binder, self.world.player)
            if tree.then is not None:
                self.as_listeners(tree.then, binder)
        elif tree.kind in iterate.PLAYER_ORDERS:
            self.lies_with_a_player(tree, binder, self.world.player)
        if tree.kind in LEFT_AND_RIGHT + iterate.PLAYER_ORDERS and unordered:
            raise SpecError(f"nothing lies left or right in `{binder.zone.name}`", "E0412", tree.span)

    @staticmethod
    def lies_with_a_player(tree: Tree, binder, player) -> None:
        """Without `of`, each element is a player or lies in the zone of one."""
        if binder.type.sort is not player and not (binder.zone is not None and binder.zone.owner is player):
            raise SpecError("these lie in no zone of a player", "E0412", tree.span)

    def domain(self, tree: Optional[Tree]) -> iterate.Domain:
        if tree is None:
            return iterate.Domain("snapshot")
        if tree.kind == "per":
            reading = self.compiler.reading(tree)
            return iterate.Domain("per", reading, [self.domain(part) for _, part in tree.parts])
        return iterate.Domain(tree.kind)

    def target(self, tree: Tree, scope: Scope, sort) -> s.Target:
        if tree.kind == "beside":
            beside = self.compiler.entity(tree.inner, scope, sort)
            return s.Target(None, None, False, beside.run, tree.before, sort, tree.inner.words)
        zone, owner = self.zone(tree.inner, scope)
        if zone.sort is not sort:
            raise SpecError(f"`{zone.name}` is no zone of `{sort.name}`", "E0301", tree.span)
        return s.Target(zone, owner, tree.first)

    def zone(self, tree: Tree, scope: Scope) -> tuple:
        _, zone, owner, _, _ = self.compiler.zone(tree, scope)
        return zone, owner

    def bind(self, scope: Scope, name: str, type_, tree: Tree) -> Scope:
        return self.compiler.bound(tree, scope, name, type_)

    def policy(self, tree: Tree) -> Policy:
        if tree.kind == "per":
            reading = self.compiler.reading(tree)
            return Policy(None, reading, [self.policy(part) for _, part in tree.parts])
        return Policy(tree.kind)

    def binder(self, tree: Tree, scope: Scope):
        return self.compiler.binder(tree, scope)

    # -- statements

    def on_nothing(self, tree, scope, clause, site):
        return s.Nothing()

    def on_pass(self, tree, scope, clause, site):
        if not self.turns:
            raise SpecError("there is nothing here that goes on until all pass", "E0426", tree.span)
        for inside in self.turns:
            inside.append(tree)
        return iterate.Pass()

    def on_let(self, tree, scope, clause, site):
        code = self.typed(tree.value, scope)
        if code.type.kind == "none":
            raise SpecError("nothing says which sort is meant", "E0308", tree.span)
        return s.Let(code.run), self.bind(scope, tree.name, code.type, tree)

    def on_set(self, tree, scope, clause, site):
        place = self.place(tree.place, scope)
        if adds_to(tree) and not self.together:
            self.world.named.adds(place.place, 2)
        return s.Set(place, self.code(tree.value, scope, place.place.type))

    def on_increase(self, tree, scope, clause, site):
        place = self.number(tree.place, scope)
        amount = self.code(tree.amount, scope, INTEGER)
        bound = None if tree.bound is None else self.code(tree.bound, scope, INTEGER)
        if bound is None and not self.together:
            self.world.named.adds(place.place, 1)
        return s.Change(place, amount, bound, tree.kind == "increase")

    on_decrease = on_increase

    def on_transfer(self, tree, scope, clause, site):
        amount = self.code(tree.amount, scope, INTEGER)
        source, target = self.number(tree.source, scope), self.number(tree.target, scope)
        return s.Transfer(amount, tree.amount.words, tree.amount.span, source, target)

    def movable(self, tree, sort):
        if sort.player:
            raise SpecError("players are not created, removed or moved", "E0405", tree.span)

    def on_move(self, tree, scope, clause, site):
        what = self.compiler.entity(tree.what, scope)
        self.movable(tree, what.type.sort)
        return s.Move(what.run, what.type.sort, self.target(tree.target, scope, what.type.sort))

    def on_move_all(self, tree, scope, clause, site):
        zone, owner = self.zone(tree.source, scope)
        self.movable(tree, zone.sort)
        target = self.target(tree.target, scope, zone.sort)
        if zone.unordered and target.zone is not None and not target.zone.unordered:
            raise SpecError("nobody says in which order they arrive", "E0412", tree.span)
        return s.MoveAll(zone, owner, target)

    def on_shuffle(self, tree, scope, clause, site):
        zone, owner = self.zone(tree.zone, scope)
        self.world.shuffled.append(zone)
        return s.Shuffle(zone, owner)

    def on_create(self, tree, scope, clause, site):
        sort = self.world.sort(tree.sort, tree)
        self.movable(tree, sort)
        if not sort.headroom:
            raise SpecError(f"`{sort.name}` has no headroom", "E0406", tree.span)
        self.world.spoken.sort(sort)
        target = None if tree.target is None else self.target(tree.target, scope, sort)
        values = []
        for with_ in tree.values:
            field = next((f for f in sort.fields if f.name == with_.name), None)
            if field is None:
                raise SpecError(f"`{with_.name}` is no field of `{sort.name}`", "E0208", with_.span)
            self.world.named.note(field)
            values.append((field, self.code(with_.value, scope, field.type)))
        for field in sort.fields:
            if field.type.kind == "entity" and all(field is not given for given, _ in values):
                raise SpecError(f"`{field.name}` has to be given", "E0408", tree.span)
        if tree.name is not None:
            scope = self.bind(scope, tree.name, sort.type, tree)
        return s.Create(sort, tree.name is not None, target, values), scope

    def on_remove(self, tree, scope, clause, site):
        what = self.compiler.entity(tree.what, scope)
        self.movable(tree, what.type.sort)
        return s.Remove(what.run, what.type.sort)

    def arguments(self, tree, parameters: list, scope: Scope, what: str) -> list:
        if len(tree.arguments) != len(parameters):
            raise SpecError(f"{len(tree.arguments)} arguments of {what}, expected {len(parameters)}", "E0302", tree.span)
        return [self.code(argument, scope, type_) for argument, (_, type_) in zip(tree.arguments, parameters)]

    def on_announce(self, tree, scope, clause, site):
        event = self.world.spec.events.get(tree.name)
        if event is None:
            raise SpecError(f"`{tree.name}` is no event", "E0201", tree.span)
        if event.raised is not None:
            raise SpecError(f"`{tree.name}` is raised by the state", "E0430", tree.span)
        self.world.spoken.comes_to("event", event.name)
        return happen.Announce(event, self.arguments(tree, event.parameters, scope, tree.name))

    def sequence(self, tree):
        sequence = self.world.spec.sequences.get(tree.name)
        if sequence is None:
            raise SpecError(f"`{tree.name}` is no sequence", "E0201", tree.span)
        return sequence

    def on_perform(self, tree, scope, clause, site):
        sequence = self.world.performed(self.sequence(tree), tree)
        self.performs.add(sequence.name)
        self.world.spoken.comes_to("sequence", sequence.name)
        return s.Perform(sequence, self.arguments(tree, sequence.parameters, scope, tree.name))

    def on_resolve(self, tree, scope, clause, site):
        queue = self.world.queues.get(tree.name)
        if queue is None:
            raise SpecError(f"`{tree.name}` is no queue", "E0201", tree.span)
        return happen.Resolve(queue, tree.one)

    def on_leave(self, tree, scope, clause, site):
        left = self.sequence(tree)
        if self.world.making is None:
            self.world.leaves.append((self.world.compiled, left.name))
        return s.Leave(self.world.itself(left))

    def on_go_to(self, tree, scope, clause, site):
        return s.GoTo(tree.name)

    def on_declare(self, tree, scope, clause, site):
        if tree.whom is None or tree.whom == "everyone":
            return s.Declare(tree.outcome, tree.whom == "everyone", None)
        player = self.compiler.player(tree)
        return s.Declare(tree.outcome, False, self.compiler.entity(tree.whom, scope, player).run)

    def on_gap(self, tree, scope, clause, site):
        does = "goes on" if tree.goes_on else "ends" if tree.place is None else "changes"
        known = self.world.gaps.setdefault(tree.name, [])
        known.append(does)
        if {"goes on", "ends"} <= set(known):
            raise SpecError(f"the gap `{tree.name}` ends runs here and goes on there", "E0202", tree.span)
        site.gap = tree.name
        if tree.goes_on:
            site.is_met = True
            return s.Nothing()
        if tree.place is None:
            return s.Gap(tree.name, None, None)
        place = self.place(tree.place, scope)
        within = None
        if tree.within is not None:
            within = tuple(self.code(end, scope, INTEGER) for end in tree.within)
        return s.Gap(tree.name, place, within)

    def on_choose(self, tree, scope, clause, site):
        binder = self.binder(tree.binder, scope)
        by = self.decider(tree.by, scope)
        return choices.Choose(binder, by), binder.scope

    def on_choose_number(self, tree, scope, clause, site):
        low, high = self.code(tree.low_, scope, INTEGER), self.code(tree.high_, scope, INTEGER)
        by = self.decider(tree.by, scope)
        return choices.ChooseNumber(low, high, by), self.bind(scope, tree.name, INTEGER, tree)

    def on_choose_one(self, tree, scope, clause, site):
        by = self.decider(tree.by, scope)
        options = []
        for option in tree.options:
            where = None if option.where is None else self.code(option.where, scope, BOOLEAN)
            if any(option.text_ == text for text, _, _ in options):
                raise SpecError(f"a second option `{option.text_}`", "E0421", option.span)
            options.append((option.text_, where, self.inner(option.block, scope, clause, site)))
        site.branches = len(options)
        return choices.ChooseOne(by, options)

    def on_distribute(self, tree, scope, clause, site):
        amount = self.code(tree.amount, scope, INTEGER)
        binder = self.binder(tree.binder, scope)
        place = self.number(tree.place, binder.scope)
        by = self.decider(tree.by, scope)
        cap = None if tree.cap is None else self.code(tree.cap, binder.scope, INTEGER)
        sort = binder.type.sort
        if sort is not None and (binder.zone is None or binder.zone.unordered) and place.place.document is not None:
            self.world.number(sort)
        return choices.Distribute(amount, tree.amount.words, tree.amount.span, binder, place, by, cap)

    def on_if(self, tree, scope, clause, site):
        branches = [
            (self.code(condition, scope, BOOLEAN), self.inner(block, scope, clause, site))
            for condition, block in tree.branches
        ]
        self.note_branches(site, branches, tree.otherwise)
        return choices.If(branches, self.inner(tree.otherwise, scope, clause, site))

    @staticmethod
    def note_branches(site: Site, branches: list, otherwise: Optional[list]) -> None:
        site.branches = len(branches) + (otherwise is not None)
        site.otherwise = otherwise is not None

    def on_cases(self, tree, scope, clause, site):
        by = None if tree.by is None else self.decider(tree.by, scope)
        branches = [
            (self.code(condition, scope, BOOLEAN), self.inner(block, scope, clause, site))
            for condition, block in tree.branches
        ]
        self.note_branches(site, branches, tree.otherwise)
        return choices.Cases(tree.policy, by, branches, self.inner(tree.otherwise, scope, clause, site))

    def on_depending_on(self, tree, scope, clause, site):
        reading = self.compiler.reading(tree)
        site.branches = len(tree.parts)
        return choices.Depending(reading, [self.inner(block, scope, clause, site) for _, block in tree.parts])

    def on_for_each(self, tree, scope, clause, site):
        binder = self.binder(tree.binder, scope)
        order = self.order(tree.order, scope, binder, binder.scope)
        domain = self.domain(tree.domain)
        if domain.can_be("by position") and (binder.zone is None or not self.lies(tree.order, LEFT_AND_RIGHT)):
            raise SpecError("positions are those in a zone, from left to right or right to left", "E0412", tree.span)
        turns = domain.can_be(iterate.TURNS)
        if turns and not (binder.type.sort is self.world.player and binder.type.kind == "entity"
                          and self.lies(tree.order, iterate.PLAYER_ORDERS)):
            raise SpecError("turns are those of players, in player order", "E0412", tree.span)
        self.world.number_by_order(order, binder)
        if turns:
            self.turns.append([])
        block = self.block(tree.block, binder.scope, clause, site)
        block.base = scope.size
        if turns and not self.turns.pop():
            raise SpecError("nobody can pass in it", "E0426", tree.span)
        node = iterate.ForEach(binder, order, domain, block, scope.size)
        node.known = set(scope.names)
        node.names = {token.text for token in tree.line.tokens[tree.binder.low:tree.binder.high]}
        return node

    def on_simultaneously(self, tree, scope, clause, site):
        self.together += 1
        block = self.block(tree.block, scope, clause, site)
        self.together -= 1
        self.allowed_together(block)
        return together.Simultaneously(block)

    def allowed_together(self, block: Optional[Block]) -> None:
        for node in block.statements if block is not None else ():
            fits = type(node) in TOGETHER
            if isinstance(node, (s.Move, s.MoveAll)) and node.target.zone is None:
                fits = False
            if isinstance(node, happen.Announce) and node.event.queue is None:
                fits = False
            if not fits:
                raise SpecError("this cannot stand under `simultaneously`", "E0411", node.site.span)
            if isinstance(node, choices.If):
                for _, inner in node.branches:
                    self.allowed_together(inner)
                self.allowed_together(node.otherwise)
            elif isinstance(node, choices.Depending):
                for inner in node.blocks:
                    self.allowed_together(inner)
            elif isinstance(node, iterate.ForEach):
                node.together = True
                self.allowed_together(node.block)

    def on_repeat(self, tree, scope, clause, site):
        condition = None if tree.condition is None else self.code(tree.condition, scope, BOOLEAN)
        self.world.named.compares |= condition is None
        kind = "stable" if condition is None else "until" if tree.until else "while"
        return s.Repeat(kind, condition, self.block(tree.block, scope, clause, site))

    def on_may(self, tree, scope, clause, site):
        by = self.decider(tree.by, scope)
        block = self.inner(tree.block, scope, clause, site)
        self.note_branches(site, [block], tree.otherwise)
        return choices.May(by, tree.text_, block, self.inner(tree.otherwise, scope, clause, site))
