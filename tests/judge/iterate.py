"""Orders and iterations (docs/semantics.md §4.3)."""

from __future__ import annotations

from typing import Any, Callable, Optional

from .data import is_removed
from .model import NeedsReading, NoValue, Sort, slot_of
from .run import Block, Node, Passes, chosen_of
from .values import ABSENT, LACKS, Binder, Missing, spend, where_is

PLAYER_ORDERS = ("player order", "reverse player order")
TURNS = "until all pass"


class Order:
    """An order: 'any', 'chosen', 'left to right', 'right to left', 'player order', 'reverse player order', 'per',
    'own' (the player of the rank decides), 'rank' (see Rank)."""

    def __init__(self, kind: str, *, start: Optional[Callable] = None, by=None, reading=None, parts: list = (),
                 player: Optional[Sort] = None):
        self.kind = kind
        self.start = start  # the player from whom
        self.by = by  # Decider
        self.reading = reading
        self.parts = parts
        self.player = player

    def resolved(self, machine) -> "Order":
        if self.kind == "per":
            return self.parts[chosen_of(machine, self.reading)].resolved(machine)
        return self

    def said(self, assignment: dict) -> Optional[str]:
        """'fixed', 'any', 'chosen', 'rank', or None where a reading without an alternative says."""
        if self.kind == "per":
            chosen = assignment.get(self.reading.index)
            return None if chosen is None else self.parts[chosen].said(assignment)
        return self.kind if self.kind in ("any", "chosen", "rank") else "fixed"

    def deciders(self) -> set:
        """The kinds of who decides, under some reading; where the order is fixed, nobody does."""
        if self.kind == "per":
            return set().union(*(part.deciders() for part in self.parts))
        if self.kind == "any":
            return {None}
        if self.kind == "chosen":
            return {"a player" if self.by.who is not None else self.by.fixed}
        if self.kind == "own":
            return {"a player"}
        return set()

    def last(self, machine) -> "Order":
        """The order among those of one rank in every respect."""
        order = self.resolved(machine)
        while order.kind == "rank":
            order = order.then.resolved(machine)
        return order

    def asks(self, machine, player: Optional[int] = None) -> tuple:
        """('any', who decides) if the next of several elements of one rank is chosen, else (None, None); `player` is
        the one of the rank."""
        order = self.last(machine)
        if order.kind == "any":
            return "any", None
        if order.kind == "chosen":
            return "any", order.by.decide(machine)
        if order.kind == "own":
            return "any", player
        return None, None

    def grouped(self, machine, sort: Optional[Sort], elements: tuple, outside: tuple, lie: Callable) -> tuple:
        """Elements by rank: ((the player of the rank or None, (element, ...)), ...), those of the first rank first.
        `outside` are the locals around the element; `lie` puts those of one rank as a plain order has them."""
        order = self
        groups = [(None, tuple(elements))]
        while any(len(members) > 1 for _, members in groups):
            order = order.resolved(machine)
            if order.kind != "rank":
                groups = [(player, lie(order, members) if len(members) > 1 else members) for player, members in groups]
                break
            groups = order.split(machine, sort, groups, outside)
            order = order.then
        return tuple(groups)

    def arranged(self, machine, binder: Binder, elements: tuple) -> tuple:
        """Two elements or more in a fixed order; where somebody or nobody chooses, as they are."""
        order = self.resolved(machine)
        if order.kind in ("any", "chosen", "own"):
            return elements
        start = 0 if order.start is None else slot_of(machine.value(order.start))
        sort = binder.type.sort
        if order.kind in PLAYER_ORDERS:
            number = len(machine.data.entities[order.player.index])
            way = 1 if order.kind == "player order" else -1
            return tuple(sorted(elements, key=lambda x: way * (self.player_of(machine, sort, x, order.player) - start) % number))
        backwards = order.kind == "right to left"
        if not binder.family:
            return tuple(reversed(elements)) if backwards else tuple(elements)
        number = len(machine.data.zones[binder.zone.index])
        zones: dict = {}
        for element in elements:
            zones.setdefault(where_is(machine.data, sort, element)[1], []).append(element)
        found: list = []
        for slot in sorted(zones, key=lambda slot: (slot - start) % number):
            found += reversed(zones[slot]) if backwards else zones[slot]
        return tuple(found)

    def after(self, machine, last: int, players: tuple) -> int:
        """The first of two or more players after the one who had the last turn, who is tried last."""
        order = self.resolved(machine)
        way = 1 if order.kind == "player order" else -1
        number = len(machine.data.entities[order.player.index])
        return min(players, key=lambda x: (way * (slot_of(x) - slot_of(last)) - 1) % number)

    @staticmethod
    def player_of(machine, sort: Sort, element: Any, player: Sort) -> int:
        """The slot of the player that an element is, or in whose zone it lies."""
        if sort is player:
            return slot_of(element)
        found = where_is(machine.data, sort, element)
        if found is None or found[1] is None or found[0].owner is not player:
            return 0
        return found[1]


class Rank(Order):
    """An order by rank: by 'largest', 'smallest', 'those' (true first), or in 'player order' or 'reverse player
    order' of `key`, or of the player that the element is, or in whose zone it lies."""

    def __init__(self, tree, key: Optional[Callable], weight: int, start: Optional[Callable], player: Optional[Sort],
                 then: Order):
        super().__init__("rank", start=start, player=player)
        by, self.words, self.span = tree.by, tree.words, tree.span
        self.rank_by = by
        self.key = key
        self.weight = weight  # of the key
        self.then = then

    def deciders(self) -> set:
        return self.then.deciders()

    def value(self, machine, sort: Optional[Sort], element: Any, outside: tuple) -> Any:
        """What gives an element its rank; who lies in no zone of a player has none."""
        if self.key is not None:
            spend(self.weight)
            return self.key(machine.data, outside + (element,), machine.a, None)
        if sort is self.player:
            return element
        found = where_is(machine.data, sort, element)
        if found is None or found[0].owner is not self.player:
            raise NoValue(ABSENT, self.words, self.span)
        return self.player.base + found[1]

    def split(self, machine, sort: Optional[Sort], groups: list, outside: tuple) -> list:
        """Parts the groups of two or more; the elements of all of them are asked for their value, as by a filter."""
        values: dict = {}
        missing = Missing()
        for _, members in groups:
            for x in members if len(members) > 1 else ():
                try:
                    values[x] = self.value(machine, sort, x, outside)
                except LACKS as why:
                    missing.add(why)
        missing.tell()
        of_players = self.rank_by in PLAYER_ORDERS
        if of_players:
            start = 0 if self.start is None else slot_of(machine.value(self.start))
            number = len(machine.data.entities[self.player.index])
            way = 1 if self.rank_by == "player order" else -1

        def place(value) -> int:
            if of_players:
                return way * (slot_of(value) - start) % number
            return value if self.rank_by == "smallest" else -value if self.rank_by == "largest" else not value

        found: list = []
        for player, members in groups:
            if len(members) < 2:
                found.append((player, members))
                continue
            for value in sorted({values[x] for x in members}, key=place):
                found.append((value if of_players else player, tuple(x for x in members if values[x] == value)))
        return found


ANY = Order("any")
OWN = Order("own")


class Domain:
    """'snapshot', 'rechecked', 'live', 'by position', 'until all pass', or what a reading says."""

    def __init__(self, kind: str, reading=None, parts: list = ()):
        self.kind = kind
        self.reading = reading
        self.parts = parts

    def resolved(self, machine) -> str:
        if self.kind == "per":
            return self.parts[chosen_of(machine, self.reading)].resolved(machine)
        return self.kind

    def can_be(self, kind: str) -> bool:
        """Under some reading."""
        return any(part.can_be(kind) for part in self.parts) if self.kind == "per" else self.kind == kind

    def said(self, assignment: dict) -> Optional[str]:
        """The policy, or None where a reading without an alternative says."""
        if self.kind == "per":
            chosen = assignment.get(self.reading.index)
            return None if chosen is None else self.parts[chosen].said(assignment)
        return self.kind


class ForEach(Node):
    """Frame: (node, domain, groups left, visited ones or the next position, carried ones).

    The groups (see Order.grouped) are of the elements not begun, as they were last determined; under `by position`
    of all of them. Without an order by rank there is one.

    Where players take turns: (node, domain, the player whose turn it is or None, how many turns in a row were passed
    before it, or None if none has begun, whether it is passed).
    """

    binds_element = True

    def __init__(self, binder: Binder, order: Order, domain: Domain, block: Block, base: int):
        self.binder = binder
        self.order = order
        self.domain = domain
        self.block = block
        self.base = base  # how many locals are known outside
        self.of_entities = binder.type.kind == "entity"

        self.together = False  # whether it stands under `simultaneously`, where there is no order

    def said_order(self, assignment: dict) -> Optional[str]:
        if self.together:
            return None
        return "turns" if self.domain.said(assignment) == TURNS else self.order.said(assignment)

    # -- the elements

    def order_of(self, machine, domain: str) -> Order:
        """The order; where it is tried what another than the fixed one would do (§7), any, unless places have turns
        and not elements."""
        if self.site not in machine.free or domain == "by position":
            return self.order
        order = self.order.resolved(machine)
        return order if order.kind in ("any", "chosen", "rank") else ANY

    def standing_groups(self, machine, groups: tuple) -> tuple:
        left = ((player, self.standing(machine, members)) for player, members in groups)
        return tuple((player, members) for player, members in left if members)

    def standing(self, machine, elements: tuple) -> tuple:
        """Those that are not removed."""
        if not self.of_entities:
            return elements
        sort = self.binder.type.sort
        return tuple(x for x in elements if not is_removed(machine.data, sort, x))

    def determined(self, machine) -> tuple:
        """The elements of the binder."""
        return tuple(self.binder.elements(machine.data, machine.locals[:self.base], machine.a, None))

    def arranged(self, machine, domain: str, elements: tuple, late: tuple) -> tuple:
        """The elements in groups, as they are to be taken; `late` are those that were carried and do not belong."""
        if not elements:
            return ()

        def lie(order, members):
            own = tuple(x for x in members if x not in late)
            return order.arranged(machine, self.binder, own) + tuple(x for x in members if x in late)

        outside = machine.locals[:self.base]
        return self.order_of(machine, domain).grouped(machine, self.binder.type.sort, elements, outside, lie)

    def take_carried(self, machine) -> tuple:
        """What cancelled passes left of this iteration; it is taken out of the pass."""
        frame = machine.frames[0]
        if type(frame[0]) is not Passes or not frame[2]:
            return ()
        kept = dict(frame[2])
        found = kept.pop(self, ())
        if found:
            machine.frames[0] = frame[:2] + (tuple(kept.items()),) + frame[3:]
        return found

    # -- control

    def execute(self, machine):
        elements = self.determined(machine)
        carried = self.standing(machine, self.take_carried(machine))
        late = tuple(x for x in carried if x not in elements)
        elements += late
        if not elements:
            return
        domain = self.domain.resolved(machine)
        if domain == TURNS:
            machine.frames.append((self, domain, None, None, False))
            return
        # The order of what is determined again is looked at when an element is to be taken.
        again = domain in ("live", "by position")
        elements, carried = ((), carried) if again else (self.arranged(machine, domain, elements, late), ())
        visited: Any = (0, ()) if domain == "by position" else ()
        machine.frames.append((self, domain, elements, visited, carried))

    def left(self, machine, activation, frame: tuple, lost: bool) -> tuple:
        """The elements that have not begun, when the pass is cancelled; of a live iteration those it has then."""
        if frame[1] == TURNS:
            return ()
        _, domain, elements, visited, carried = frame
        if domain not in ("live", "by position"):
            return self.standing(machine, flat(elements))
        try:
            now = self.binder.elements(machine.data, activation.locals[:self.base], machine.a, None)
        except NoValue:
            now = ()
        except NeedsReading:
            if not lost:  # what is lost is only told
                raise
            now = ()
        now = tuple(now) + tuple(x for x in self.standing(machine, carried) if x not in now)
        visited = visited[1] if domain == "by position" else visited
        return tuple(x for x in now if x not in visited)

    def resume(self, machine, frame):
        if frame[1] == TURNS:
            return self.next_turn(machine, frame)
        _, domain, elements, visited, carried = frame
        if domain == "by position":
            groups = self.arranged(machine, domain, self.determined(machine), ())
            at, before = visited
            # What was carried and has had no turn comes where no position is left.
            next_one = flat(groups)[at:at + 1] or self.standing(machine, carried)[:1]
            if not next_one:
                machine.frames.pop()
                return False
            visited = (at + 1, tuple(sorted({*before, *next_one})))
            carried = tuple(x for x in carried if x not in next_one)
            self.visit(machine, (self, domain, groups, visited, carried), next_one[0])
            return True
        if domain == "live":
            visited = self.standing(machine, visited)
            elements = tuple(x for x in self.determined(machine) if x not in visited)
            late = tuple(x for x in self.standing(machine, carried) if x not in elements)
            groups = self.arranged(machine, domain, elements + late, late)
        else:
            groups = self.standing_groups(machine, elements)
        if not groups:
            machine.frames.pop()
            return False
        player, first = groups[0]
        kind, decider = self.order_of(machine, domain).asks(machine, player) if len(first) > 1 else (None, None)
        if kind is None:
            self.take(machine, domain, groups, 0, visited, carried)
            return True
        label = "entity" if self.of_entities else "value"
        machine.choose("order", decider, [
            ((label, x), lambda index=index: self.take(machine, domain, groups, index, visited, carried))
            for index, x in enumerate(first)
        ])
        return True

    def next_turn(self, machine, frame):
        _, domain, player, in_row, passed = frame
        if in_row is None:
            in_row = 0
            elements = self.determined(machine)
            player = self.order.arranged(machine, self.binder, elements)[0] if len(elements) > 1 else elements[0]
        else:
            in_row = in_row + 1 if passed else 0
            elements = self.determined(machine)
            if in_row >= len(elements):
                machine.frames.pop()
                return False
            player = self.order.after(machine, player, elements) if len(elements) > 1 else elements[0]
        self.visit(machine, (self, domain, player, in_row, False), player)
        return True

    def take(self, machine, domain, groups, index, visited, carried):
        player, first = groups[0]
        element = first[index]
        rest = first[:index] + first[index + 1:]
        left = ((player, rest),) * bool(rest) + groups[1:]
        if domain == "live":
            visited = tuple(sorted(visited + (element,)))
            carried = tuple(x for x in carried if x != element)
        frame = (self, domain, left, visited, carried)
        if domain == "rechecked":
            machine.frames[-1] = frame
            machine.frames.append((RECHECK, self, element))
        else:
            self.visit(machine, frame, element)

    def visit(self, machine, frame, element):
        machine.frames[-1] = frame
        machine.locals = machine.locals[:self.base] + (element,)
        machine.events.append(("visit", self.site, element))
        machine.enter(self.block)


def flat(groups: tuple) -> tuple:
    return tuple(x for _, members in groups for x in members)


class Pass(Node):
    """`pass`: the turn of the innermost iteration around it that goes on until all pass is passed."""

    def execute(self, machine):
        frames = machine.frames
        for index in range(len(frames) - 1, -1, -1):
            if type(frames[index][0]) is ForEach and frames[index][1] == TURNS:
                frames[index] = frames[index][:4] + (True,)
                return


class Recheck(Node):
    """An element whose turn has come is visited or skipped. Frame: (node, iteration, element)."""

    def resume(self, machine, frame):
        _, node, element = frame
        machine.site = node.site
        machine.frames.pop()
        locals = machine.locals[:node.base]
        inside = node.binder.all(machine.data, locals, machine.a, None)
        admits = node.binder.admits
        if element in inside and (admits is None or admits(machine.data, locals + (element,), machine.a, None)):
            node.visit(machine, machine.frames[-1], element)
        return False


RECHECK = Recheck()
