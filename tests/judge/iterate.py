"""Orders and iterations (docs/semantics.md §4.3)."""

from __future__ import annotations

from typing import Any, Callable, Optional

from .data import is_removed
from .model import NeedsReading, NoValue, Sort, slot_of
from .run import Block, Node, Passes, chosen_of
from .values import Binder, where_is

PLAYER_ORDERS = ("player order", "reverse player order")


class Order:
    """An order: 'any', 'chosen', 'left to right', 'right to left', 'player order', 'reverse player order', 'per'."""

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
        """'fixed', 'any', 'chosen', or None where a reading without an alternative says."""
        if self.kind == "per":
            chosen = assignment.get(self.reading.index)
            return None if chosen is None else self.parts[chosen].said(assignment)
        return self.kind if self.kind in ("any", "chosen") else "fixed"

    def deciders(self) -> set:
        """The kinds of who decides, under some reading; where the order is fixed, nobody does."""
        if self.kind == "per":
            return set().union(*(part.deciders() for part in self.parts))
        if self.kind == "any":
            return {None}
        if self.kind == "chosen":
            return {"a player" if self.by.who is not None else self.by.fixed}
        return set()

    def asks(self, machine) -> tuple:
        """('any', who decides) if the next of several elements is chosen, else (None, None)."""
        order = self.resolved(machine)
        if order.kind == "any":
            return "any", None
        if order.kind == "chosen":
            return "any", order.by.decide(machine)
        return None, None

    def arranged(self, machine, binder: Binder, elements: tuple) -> tuple:
        """Two elements or more in a fixed order; where somebody or nobody chooses, as they are."""
        order = self.resolved(machine)
        if order.kind in ("any", "chosen"):
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

    @staticmethod
    def player_of(machine, sort: Sort, element: Any, player: Sort) -> int:
        """The slot of the player that an element is, or in whose zone it lies."""
        if sort is player:
            return slot_of(element)
        found = where_is(machine.data, sort, element)
        if found is None or found[1] is None or found[0].owner is not player:
            return 0
        return found[1]


ANY = Order("any")


class Domain:
    """'snapshot', 'rechecked', 'live', 'by position', or what a reading says."""

    def __init__(self, kind: str, reading=None, parts: list = ()):
        self.kind = kind
        self.reading = reading
        self.parts = parts

    def resolved(self, machine) -> str:
        if self.kind == "per":
            return self.parts[chosen_of(machine, self.reading)].resolved(machine)
        return self.kind


class ForEach(Node):
    """Frame: (node, domain, elements left, visited ones or the next position, carried ones).

    `left` are those not begun, as they were last determined; under `by position` all of them.
    """

    def __init__(self, binder: Binder, order: Order, domain: Domain, block: Block, base: int):
        self.binder = binder
        self.order = order
        self.domain = domain
        self.block = block
        self.base = base  # how many locals are known outside
        self.of_entities = binder.type.kind == "entity"

        self.together = False  # whether it stands under `simultaneously`, where there is no order

    def said_order(self, assignment: dict) -> Optional[str]:
        return None if self.together else self.order.said(assignment)

    # -- the elements

    def order_of(self, machine, domain: str) -> Order:
        """The order; where it is tried what another than the fixed one would do (§7), any, unless places have turns
        and not elements."""
        if self.site not in machine.free or domain == "by position":
            return self.order
        order = self.order.resolved(machine)
        return order if order.kind in ("any", "chosen") else ANY

    def standing(self, machine, elements: tuple) -> tuple:
        """Those that are not removed."""
        if not self.of_entities:
            return elements
        sort = self.binder.type.sort
        return tuple(x for x in elements if not is_removed(machine.data, sort, x))

    def determined(self, machine, carried: tuple) -> tuple:
        """The elements of the binder, and after them what was carried on."""
        found = tuple(self.binder.elements(machine.data, machine.locals[:self.base], machine.a, None))
        if carried:
            found += tuple(x for x in self.standing(machine, carried) if x not in found)
        return found

    def arranged(self, machine, domain: str, elements: tuple, carried: tuple) -> tuple:
        if len(elements) < 2:
            return elements
        own = tuple(x for x in elements if x not in carried)
        late = tuple(x for x in elements if x in carried)
        return self.order_of(machine, domain).arranged(machine, self.binder, own) + late

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
        elements = self.determined(machine, ())
        carried = self.take_carried(machine)
        if carried:
            carried = tuple(x for x in self.standing(machine, carried) if x not in elements)
            elements += carried
        if not elements:
            return
        domain = self.domain.resolved(machine)
        elements = self.arranged(machine, domain, elements, carried)
        visited: Any = (0, ()) if domain == "by position" else ()
        machine.frames.append((self, domain, elements, visited, carried))

    def left(self, machine, activation, frame: tuple, lost: bool) -> tuple:
        """The elements that have not begun, when the pass is cancelled; of a live iteration those it has then."""
        _, domain, elements, visited, carried = frame
        if domain not in ("live", "by position"):
            return elements
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
        _, domain, elements, visited, carried = frame
        if domain == "by position":
            elements = self.arranged(machine, domain, self.determined(machine, carried), carried)
            at, before = visited
            if at >= len(elements):
                machine.frames.pop()
                return False
            visited = (at + 1, tuple(sorted({*before, elements[at]})))
            self.visit(machine, (self, domain, elements, visited, carried), elements[at])
            return True
        if domain == "live":
            visited = self.standing(machine, visited)
            elements = tuple(x for x in self.determined(machine, carried) if x not in visited)
            elements = self.arranged(machine, domain, elements, carried)
        else:
            elements = self.standing(machine, elements)
        if not elements:
            machine.frames.pop()
            return False
        kind, decider = self.order_of(machine, domain).asks(machine) if len(elements) > 1 else (None, None)
        if kind is None:
            self.take(machine, domain, elements, 0, visited, carried)
            return True
        label = "entity" if self.of_entities else "value"
        machine.choose("order", decider, [
            ((label, x), lambda index=index: self.take(machine, domain, elements, index, visited, carried))
            for index, x in enumerate(elements)
        ])
        return True

    def take(self, machine, domain, elements, index, visited, carried):
        element = elements[index]
        left = elements[:index] + elements[index + 1:]
        if domain == "live":
            visited = tuple(sorted(visited + (element,)))
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
            return True
        return False


RECHECK = Recheck()
