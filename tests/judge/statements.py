"""Statements that change data, call and repeat (docs/semantics.md §4.2, §4.5, §4.8); see also `choices`."""

from __future__ import annotations

from itertools import product
from typing import Any, Callable, Optional

from .data import (
    Stop, bound_crossed, contents, is_removed, location, put_contents, put_in, read, taken_out, with_created,
    with_removed, write, write_checked,
)
from .model import Data, NoValue, Place, Sequence, Sort, Zone
from .run import Block, Node
from .values import all_of, checked
from .whenever import Changing, after_change


class PlaceCode:
    """A place of a statement: which one, and of which entity."""

    def __init__(self, place: Place, owner: Optional[Callable], words: str):
        self.place = place
        self.owner = owner
        self.words = words

    def find(self, machine) -> tuple:
        """(Place, the entity or None)."""
        return self.place, None if self.owner is None else machine.value(self.owner)

    def find_with(self, data, locals, a) -> tuple:
        return self.place, None if self.owner is None else self.owner(data, locals, a, None)


class Decider:
    """Who decides: 'everyone', 'chance', nobody (None), or somebody, told by an expression."""

    def __init__(self, fixed: Optional[str], who: Optional[Callable] = None):
        self.fixed = fixed
        self.who = who

    def decide(self, machine) -> Any:
        if self.fixed == "everyone" and machine.spec.player is not None:
            players = all_of(machine.spec.player)(machine.data)
            if len(players) == 1:
                return players[0]  # the only player decides alone
        return self.fixed if self.who is None else machine.value(self.who)


class Target:
    """Where something is put: an end of a zone, or beside an entity."""

    def __init__(self, zone: Optional[Zone], owner: Optional[Callable], first: bool, beside=None, before=False, sort=None, words=""):
        self.zone = zone
        self.words = words
        self.owner = owner
        self.first = first
        self.beside = beside  # the entity
        self.before = before
        self.sort = sort

    def find(self, machine) -> tuple:
        """What its operands are: (zone, owner, entity beside)."""
        if self.beside is not None:
            beside = machine.value(self.beside)
            if location(machine.data, self.sort, beside) is None:
                raise NoValue("next to what lies nowhere", self.words, None)
            return None, None, beside
        return self.zone, None if self.owner is None else machine.value(self.owner), None

    def put(self, data: Data, found: tuple, entities: tuple) -> Data:
        """Puts entities that lie nowhere there."""
        zone, owner, beside = found
        if beside is None:
            at = 0 if self.first else len(contents(data, zone, owner))
            return put_in(data, zone, owner, at, entities)
        where = location(data, self.sort, beside)
        at = contents(data, *where).index(beside) + (0 if self.before else 1)
        return put_in(data, *where, at, entities)


class Nothing(Node):
    def execute(self, machine):
        pass


class Let(Node):
    def __init__(self, value: Callable):
        self.value = value

    def execute(self, machine):
        machine.locals += (machine.value(self.value),)


class Set(Changing):
    def __init__(self, place: PlaceCode, value: Callable):
        self.place = place
        self.value = value

    def change(self, machine):
        place, owner = self.place.find(machine)
        value = machine.value(self.value)
        if place not in machine.still:
            machine.data = write_checked(machine.data, place, owner, value, machine.wide)


def changed(value: int, amount: int, up: bool, bound: Optional[int]) -> int:
    """What `increase` or `decrease` makes of a value."""
    if amount < 0 or bound is None:
        return checked(value + amount if up else value - amount)
    if up:
        return max(value, min(checked(value + amount), bound))
    return min(value, max(checked(value - amount), bound))


class Change(Changing):
    """`increase` and `decrease`."""

    def __init__(self, place: PlaceCode, amount: Callable, bound: Optional[Callable], up: bool):
        self.place = place
        self.amount = amount
        self.bound = bound
        self.up = up

    def change(self, machine):
        place, owner = self.place.find(machine)
        amount = machine.value(self.amount)
        bound = None if self.bound is None else machine.value(self.bound)
        value = changed(read(machine.data, place, owner), amount, self.up, bound)
        if place.kind == "supply" and value < 0:
            raise NoValue("short supply", self.place.words, None)
        if place not in machine.still:
            machine.data = write_checked(machine.data, place, owner, value, machine.wide)


class Transfer(Changing):
    def __init__(self, amount: Callable, words: str, span, source: PlaceCode, target: PlaceCode):
        self.amount = amount
        self.words = words
        self.span = span
        self.source = source
        self.target = target

    def change(self, machine):
        amount = machine.value(self.amount)
        if amount < 0:
            raise NoValue("negative amount", self.words, self.span)
        source, target = self.source.find(machine), self.target.find(machine)
        held = read(machine.data, *source)
        if source[0].kind == "supply" and held < amount:
            raise NoValue("short supply", self.source.words, None)
        if source == target:
            return
        left, given = checked(held - amount), checked(read(machine.data, *target) + amount)
        data = write_checked(machine.data, *source, left, machine.wide)
        machine.data = write_checked(data, *target, given, machine.wide)


class Move(Changing):
    def __init__(self, what: Callable, sort: Sort, target: Target):
        self.what = what
        self.sort = sort
        self.target = target

    def change(self, machine):
        entity = machine.value(self.what)
        found = self.target.find(machine)
        if is_removed(machine.data, self.sort, entity) or found[2] == entity:
            return
        machine.data = self.target.put(taken_out(machine.data, self.sort, entity), found, (entity,))


class MoveAll(Changing):
    def __init__(self, zone: Zone, owner: Optional[Callable], target: Target):
        self.zone = zone
        self.owner = owner
        self.target = target

    def change(self, machine):
        owner = None if self.owner is None else machine.value(self.owner)
        found = self.target.find(machine)
        inside = contents(machine.data, self.zone, owner)
        staying = tuple(entity for entity in inside if entity == found[2])
        moving = tuple(entity for entity in inside if entity != found[2])
        machine.data = self.target.put(put_contents(machine.data, self.zone, owner, staying), found, moving)


class Shuffle(Node):
    """Frame: (node, owner of the zone, next place)."""

    busy = True

    def __init__(self, zone: Zone, owner: Optional[Callable]):
        self.zone = zone
        self.owner = owner

    def execute(self, machine):
        owner = None if self.owner is None else machine.value(self.owner)
        if not self.zone.unordered and len(contents(machine.data, self.zone, owner)) > 1:
            machine.frames.append((self, owner, 0))

    def resume(self, machine, frame):
        _, owner, at = frame
        inside = contents(machine.data, self.zone, owner)

        def take(entity):
            rest = tuple(other for other in inside[at:] if other != entity)
            machine.data = put_contents(machine.data, self.zone, owner, inside[:at] + (entity,) + rest)
            if at + 1 < len(inside) - 1:
                machine.frames[-1] = (self, owner, at + 1)
            else:
                machine.frames.pop()

        machine.choose("chance", "chance", [(("card", entity), lambda entity=entity: take(entity)) for entity in inside[at:]])


class Create(Changing):
    def __init__(self, sort: Sort, named: bool, target: Optional[Target], values: list):
        self.sort = sort
        self.named = named
        self.target = target
        self.values = values  # (field, code)

    def change(self, machine):
        given = [(field, machine.value(code)) for field, code in self.values]
        found = None if self.target is None else self.target.find(machine)
        fields = [field.default for field in self.sort.fields]
        for field, value in given:
            fields[field.index] = value
        data, entity = with_created(machine.data, self.sort, tuple(fields), machine.wide)
        for field, value in given:
            tag = bound_crossed(field, value, machine.wide)
            if tag is not None:
                raise Stop(tag)
        if self.target is not None:
            data = self.target.put(data, found, (entity,))
        machine.data = data
        if self.named:
            machine.locals += (entity,)


class Remove(Changing):
    def __init__(self, what: Callable, sort: Sort):
        self.what = what
        self.sort = sort

    def change(self, machine):
        machine.data = with_removed(machine.data, self.sort, machine.value(self.what))


class Perform(Node):
    def __init__(self, sequence: Sequence, arguments: list):
        self.sequence = sequence
        self.arguments = arguments

    def execute(self, machine):
        arguments = tuple(machine.value(code) for code in self.arguments)
        if self.sequence.name in machine.contracts:
            machine.frames.append((CONTRACTED, self.sequence, arguments))
            return
        machine.events.append(("performed", self.sequence))
        machine.begin(self.sequence, arguments, [self.sequence.passes.fresh(())])


class Contracted(Node):
    """A contract that stands for a sequence. Frame: (node, sequence, arguments)."""

    busy = True

    def resume(self, machine, frame):
        _, sequence, arguments = frame
        machine.site = sequence.site
        data, contract = machine.data, sequence.contract
        targets, ranges = [], []
        for place, owner, within in contract.changes:
            bounds = None
            if within is not None:
                bounds = tuple(e.value(data, arguments, machine.a, None) for e in within)
            if place.sort is None:
                owners = [None]
            elif owner is not None:
                owners = [owner.value(data, arguments, machine.a, None)]
            else:
                owners = all_of(place.sort)(data)
            for one in owners:
                targets.append((place, one))
                ranges.append(values_of(data, place, bounds))
        options = []
        for values in product(*ranges):
            new = data
            for (place, owner), value in zip(targets, values):
                new = write(new, place, owner, value)
            try:
                if not all(e.value(new, arguments, machine.a, data) for e in contract.ensures):
                    continue
            except NoValue:
                continue
            tags = [bound_crossed(place, value, machine.wide) for (place, _), value in zip(targets, values)]
            tags = [tag for tag in tags if tag is not None]
            if all(tag[0] != "range" for tag in tags):
                options.append((("values", values), lambda new=new, tags=tags: self.take(machine, new, tags)))
        if not options:
            raise Stop(("stuck", sequence.name))
        machine.events.append(("replaced", sequence))
        machine.choose("gap", None, options)

    def take(self, machine, new, tags):
        machine.frames.pop()
        if tags:
            machine.frames.append((STOPS, tags[0]))
        else:
            machine.data = new


class Stops(Node):
    """What was chosen crosses a bound. Frame: (node, tag)."""

    busy = True

    def resume(self, machine, frame):
        raise Stop(frame[1])


CONTRACTED = Contracted()
STOPS = Stops()


def values_of(data: Data, place: Place, bounds: Optional[tuple]) -> list:
    """All values of a place: those within bounds, else those that are explored."""
    type_ = place.type
    if type_.kind == "integer":
        low, high = bounds or place.explored or place.document
        return list(range(low, high + 1))
    if type_.kind == "optional":
        return [None] + all_of(type_.sort)(data)
    if type_.kind == "entity":
        return all_of(type_.sort)(data)
    return list(type_.values)


class Leave(Node):
    def __init__(self, sequence: Sequence):
        self.sequence = sequence

    def execute(self, machine):
        if machine.unit is not self.sequence and all(a.unit is not self.sequence for a in machine.below):
            raise NoValue("leaving what is not running", "", None)
        while machine.unit is not self.sequence:
            machine.unit, machine.locals, machine.frames = machine.below[-1]
            machine.below = machine.below[:-1]
        machine.end_activation()


class GoTo(Node):
    """The step under way has nothing left to do, and another one of its list is next (§4.1)."""

    def __init__(self, name: str):
        self.name = name

    def execute(self, machine):
        sequence = machine.unit
        own = next(n for n, frame in enumerate(machine.frames) if frame[0].is_step)
        machine.frames = machine.frames[: own + 1]
        machine.locals = machine.locals[: len(sequence.parameters)]
        if not machine.frames[0][0].is_list:
            return  # a step that is done by itself
        at = next(step.index for step in sequence.steps if step.name == self.name)
        following = tuple(step.index for step in sequence.steps if step.index >= at)
        passes = machine.frames[0]
        machine.frames[0] = (*passes[:4], following, *passes[5:])


class Declare(Node):
    def __init__(self, outcome: str, everyone: bool, whom: Optional[Callable]):
        self.outcome = outcome
        self.everyone = everyone
        self.whom = whom

    def execute(self, machine):
        whom = "everyone" if self.everyone else None if self.whom is None else machine.value(self.whom)
        machine.ended = (self.outcome,) if self.outcome == "end" else (self.outcome, whom)


class Gap(Node):
    """A named gap, which ends the run or changes a place. Frame: (node, owner, value) before the write."""

    busy = True

    def __init__(self, name: str, place: Optional[PlaceCode], within: Optional[tuple]):
        self.name = name
        self.place = place
        self.within = within

    def execute(self, machine):
        if self.place is None:
            raise Stop(("gap", self.name))
        place, owner = self.place.find(machine)
        bounds = None if self.within is None else tuple(machine.value(code) for code in self.within)
        values = values_of(machine.data, place, bounds)
        if not values:
            raise NoValue("nothing to choose from", "", None)
        if len(values) == 1:
            machine.events.append(("only", ("value", values[0])))
            before = machine.data
            machine.data = write_checked(before, place, owner, values[0], machine.wide)
            after_change(machine, before, self.site)
            return
        machine.choose("gap", None, [
            (("value", value), lambda value=value: self.take(machine, place, owner, value)) for value in values
        ])

    def take(self, machine, place, owner, value):
        if bound_crossed(place, value, machine.wide) is None:
            before, machine.data = machine.data, write(machine.data, place, owner, value)
            after_change(machine, before, self.site)
        else:
            machine.frames.append((self, owner, value))

    def resume(self, machine, frame):
        machine.data = write_checked(machine.data, self.place.place, frame[1], frame[2], machine.wide)


class Repeat(Node):
    """Frame: (node, the data with which the round began, or None)."""

    def __init__(self, kind: str, condition: Optional[Callable], block: Block):
        self.kind = kind  # 'while', 'until', 'stable'
        self.condition = condition
        self.block = block

    def execute(self, machine):
        if self.kind == "while" and not machine.value(self.condition):
            return
        self.round(machine)

    def round(self, machine):
        machine.frames.append((self, machine.data if self.kind == "stable" else None))
        machine.enter(self.block)

    def resume(self, machine, frame):
        machine.events.append(("round", self.site))
        if self.kind == "stable":
            goes_on = machine.assembled().data != frame[1]
        else:
            goes_on = machine.value(self.condition) == (self.kind == "while")
        machine.frames.pop()
        if not goes_on:
            return False
        self.round(machine)
        return True
