"""Statements that choose, by somebody or by a condition (docs/semantics.md §4.2)."""

from __future__ import annotations

from typing import Callable, Optional

from .data import read, write_checked
from .model import NoValue, Site
from .run import Block, Node, chosen_of
from .statements import Decider, PlaceCode
from .values import checked
from .whenever import after_change, kept


class Choose(Node):
    def __init__(self, binder, by: Decider):
        self.binder = binder
        self.by = by

    def execute(self, machine):
        elements = machine.value(self.binder.elements)
        decider = self.by.decide(machine)
        if not elements:
            raise NoValue("nothing to choose from", "", None)
        label = "entity" if self.binder.type.kind == "entity" else "value"

        def take(element):
            machine.locals += (element,)

        machine.choose("selection", decider, [((label, x), lambda x=x: take(x)) for x in elements])


class ChooseNumber(Node):
    def __init__(self, low: Callable, high: Callable, by: Decider):
        self.low = low
        self.high = high
        self.by = by

    def execute(self, machine):
        low, high = machine.value(self.low), machine.value(self.high)
        decider = self.by.decide(machine)
        if low > high:
            raise NoValue("nothing to choose from", "", None)

        def take(number):
            machine.locals += (number,)

        machine.choose("selection", decider, [(("number", n), lambda n=n: take(n)) for n in range(low, high + 1)])


class ChooseOne(Node):
    def __init__(self, by: Decider, options: list):
        self.by = by
        self.options = options  # (text, where or None, block)

    def execute(self, machine):
        decider = self.by.decide(machine)
        offered = [
            (index, text, block) for index, (text, where, block) in enumerate(self.options)
            if where is None or machine.value(where)
        ]
        if not offered:
            raise NoValue("nothing to choose from", "", None)
        machine.choose("selection", decider, [
            (("option", index, text), lambda index=index, block=block: take_branch(machine, self.site, index, block))
            for index, text, block in offered
        ])


def take_branch(machine, site: Site, index: int, block: Optional[Block]) -> None:
    machine.events.append(("branch", site, index))
    if block is not None:
        machine.enter(block)


class May(Node):
    def __init__(self, by: Decider, text: Optional[str], block: Block, otherwise: Optional[Block]):
        self.by = by
        self.text = text
        self.block = block
        self.otherwise = otherwise

    def execute(self, machine):
        machine.choose("selection", self.by.decide(machine), [
            (("may", True, self.text), lambda: take_branch(machine, self.site, 0, self.block)),
            (("may", False, self.text), lambda: take_branch(machine, self.site, 1, self.otherwise)),
        ])


class If(Node):
    def __init__(self, branches: list, otherwise: Optional[Block]):
        self.branches = branches  # (condition, block)
        self.otherwise = otherwise

    def execute(self, machine):
        for index, (condition, block) in enumerate(self.branches):
            if machine.value(condition):
                take_branch(machine, self.site, index, block)
                return
        index = len(self.branches) if self.otherwise is not None else -1
        take_branch(machine, self.site, index, self.otherwise)


class Cases(Node):
    def __init__(self, policy: str, by: Optional[Decider], branches: list, otherwise: Optional[Block]):
        self.policy = policy
        self.by = by
        self.branches = branches
        self.otherwise = otherwise

    def execute(self, machine):
        true = []
        for index, (condition, block) in enumerate(self.branches):
            if machine.value(condition):
                true.append((index, block))
                if self.policy == "in order":
                    break
        if not true:
            if self.otherwise is None:
                raise NoValue("no case applies", "", None)
            take_branch(machine, self.site, len(self.branches), self.otherwise)
            return
        options = [
            (("case", index), lambda index=index, block=block: take_branch(machine, self.site, index, block))
            for index, block in true
        ]
        if len(true) > 1 and self.policy == "all":
            machine.events.append(("conflict", self.site))
            machine.choose("gap", None, options, conflict=True)
            return
        kind = "selection" if self.policy == "chosen" else "gap"
        decider = self.by.decide(machine) if self.policy == "chosen" else None
        machine.choose(kind, decider, options)


class Depending(Node):
    def __init__(self, reading, blocks: list):
        self.reading = reading
        self.blocks = blocks

    def execute(self, machine):
        chosen = chosen_of(machine, self.reading)
        take_branch(machine, self.site, chosen, self.blocks[chosen])


class Distribute(Node):
    """Frame: (node, decider, units left, elements from the last one on, places, caps, the data before it if they are
    asked for)."""

    busy = True

    def __init__(self, amount, words: str, span, binder, place: PlaceCode, by: Decider, cap: Optional[Callable]):
        self.amount = amount
        self.words = words
        self.span = span
        self.binder = binder
        self.place = place
        self.by = by
        self.cap = cap

    def execute(self, machine):
        amount = machine.value(self.amount)
        if amount < 0:
            raise NoValue("negative amount", self.words, self.span)
        elements = tuple(machine.value(self.binder.elements))
        owners, caps = [], []
        for element in elements:
            locals = machine.locals + (element,)
            owners.append(self.place.find_with(machine.data, locals, machine.a)[1])
            caps.append(None if self.cap is None else self.cap(machine.data, locals, machine.a, None))
        if amount == 0:
            return
        if self.room(machine, owners, caps, amount) < amount:
            raise NoValue("nothing to choose from", "", None)
        decider = self.by.decide(machine)
        machine.frames.append((self, decider, amount, elements, tuple(owners), tuple(caps), kept(machine)))

    def room(self, machine, owners, caps, amount: int) -> int:
        """How many of the units fit at most."""
        if self.cap is None:
            return amount if owners else 0
        highest: dict = {}
        for owner, cap in zip(owners, caps):
            highest[owner] = max(cap, highest.get(owner, cap))
        place = self.place.place
        return sum(max(0, cap - read(machine.data, place, owner)) for owner, cap in highest.items())

    def resume(self, machine, frame):
        _, decider, amount, elements, owners, caps, before = frame
        place = self.place.place

        def take(index):
            after = (self, decider, amount - 1, elements[index:], owners[index:], caps[index:], before)
            machine.frames[-1] = (UNIT, self, after)

        options = []
        for index, owner in enumerate(owners):
            if caps[index] is not None and read(machine.data, place, owner) >= caps[index]:
                continue
            if self.room(machine, owners[index:], caps[index:], amount) < amount:
                continue
            options.append((("unit", elements[index]), lambda index=index: take(index)))
        machine.choose("distribution", decider, options)
        if machine.result is None:
            machine.small_step()


class Unit(Node):
    """A unit is placed. Frame: (node, the distribution, its next frame)."""

    busy = True

    def resume(self, machine, frame):
        _, node, after = frame
        machine.site = node.site
        place, owner = node.place.place, after[4][0]
        value = checked(read(machine.data, place, owner) + 1)
        machine.data = write_checked(machine.data, place, owner, value, machine.wide)
        if after[2]:
            machine.frames[-1] = after
        else:
            machine.frames.pop()
            after_change(machine, after[6], node.site)


UNIT = Unit()
