"""`simultaneously`: all is looked up first, and then changed together (docs/semantics.md §4.4)."""

from __future__ import annotations

from typing import Any

from .data import (
    Stop, bound_crossed, contents, is_removed, put_contents, read, taken_out, write,
)
from .choices import Depending, If
from .happen import Announce
from .iterate import ForEach
from .model import NoValue
from .run import Block, Node, chosen_of
from .statements import Change, Let, Move, MoveAll, Nothing, Set, Transfer
from .values import LACKS, Missing, checked
from .whenever import after_change


class Writes:
    """What the statements of the body want to change."""

    def __init__(self):
        self.places: dict = {}  # (place, owner) -> [sets, sum, at most, at least, taken]
        self.moves: dict = {}  # entity -> [(sort, zone, owner, first), ...]
        self.announcements: list = []  # (event, payload)

    def of(self, where: tuple) -> list:
        return self.places.setdefault(where, [[], 0, None, None, 0])

    def set(self, where: tuple, value: Any) -> None:
        sets = self.of(where)[0]
        if value not in sets:
            sets.append(value)

    def add(self, where: tuple, amount: int, most: Any = None, least: Any = None) -> None:
        """An amount that is added, or taken if it is negative, with the bounds that stop it."""
        entry = self.of(where)
        entry[1] = checked(entry[1] + amount)
        if most is not None:
            entry[2] = most if entry[2] is None else min(entry[2], most)
        if least is not None:
            entry[3] = least if entry[3] is None else max(entry[3], least)
        if amount < 0:
            entry[4] -= amount

    def move(self, entity: int, destination: tuple) -> None:
        destinations = self.moves.setdefault(entity, [])
        if destination not in destinations:
            destinations.append(destination)


class Simultaneously(Node):
    """Frame: (node, places, moves, arrivals, announcements).

    places: (((place, owner), sets, sum, at most, at least), ...); moves: ((entity, destinations), ...); arrivals:
    entities whose insertion is already in order; announcements: what is announced when the writes were made.
    """

    busy = True

    def __init__(self, block: Block):
        self.block = block

    def execute(self, machine):
        writes = Writes()
        collect_block(machine, writes, self.block, machine.locals)
        machine.site = self.site
        for (place, owner), entry in writes.places.items():
            if place.kind == "supply" and entry[4] > read(machine.data, place, owner):
                raise Stop(("conflict",))
        # which is settled first makes no difference: variables, then fields, each as declared
        order = sorted(writes.places.items(), key=lambda e: (e[0][0].sort is not None, e[0][0].span.number, e[0][1] or 0))
        places = tuple((where, tuple(e[0]), e[1], e[2], e[3]) for where, e in order)
        moves = tuple((entity, tuple(destinations)) for entity, destinations in writes.moves.items())
        if any(disputed(entry) for entry in places) or any(len(move[1]) > 1 for move in moves):
            machine.events.append(("conflict", self.site))
        machine.frames.append((self, places, moves, (), tuple(writes.announcements)))
        self.resume(machine, machine.frames[-1])

    def resume(self, machine, frame):
        _, places, moves, arrivals, announcements = frame
        for index, entry in enumerate(places):
            if disputed(entry):
                return self.settle_place(machine, frame, index)
        for index, (entity, destinations) in enumerate(moves):
            if len(destinations) > 1:
                machine.choose("gap", None, [
                    (("write", f"to {'first' if d[3] else 'last'} of {d[1].name}", d), lambda d=d: self.go(
                        machine, places, replaced(moves, index, (entity, (d,))), arrivals, announcements))
                    for d in destinations
                ], conflict=True)
                return True
        waiting = self.waiting(moves, arrivals)
        if waiting:
            machine.choose("order", None, [
                (("insertion", entity), lambda entity=entity: self.go(
                    machine, places, moves, arrivals + (entity,), announcements))
                for entity in waiting
            ])
            return True
        before = machine.data
        self.apply(machine, places, moves, arrivals)
        machine.frames.pop()
        after_change(machine, before, self.site, announcements)
        return True

    def go(self, machine, places, moves, arrivals, announcements):
        machine.frames[-1] = (self, places, moves, arrivals, announcements)

    def settle_place(self, machine, frame, index):
        _, places, moves, arrivals, announcements = frame
        where, sets, total, most, least = places[index]
        options = []
        for value in sets:
            settled = (where, (value,), 0, None, None)
            options.append((("write", f"set {where[0].full_name}", value), settled))
        value = summed(read(machine.data, *where), total, most, least) if total else None
        if total and value not in sets:
            options.append((("write", f"set {where[0].full_name}", value), (where, (), total, most, least)))
        machine.choose("gap", None, [
            (label, lambda settled=settled: self.go(
                machine, replaced(places, index, settled), moves, arrivals, announcements))
            for label, settled in options
        ], conflict=True)
        return True

    @staticmethod
    def waiting(moves: tuple, arrivals: tuple) -> list:
        """Entities of which one has to be inserted next: several go to one end of one ordered zone."""
        ends: dict = {}
        for entity, (destination,) in moves:
            if not destination[1].unordered and entity not in arrivals:
                ends.setdefault(destination[1:], []).append(entity)
        for entities in ends.values():
            if len(entities) > 1:
                return entities
        return []

    def apply(self, machine, places, moves, arrivals):
        data = machine.data
        crossed = []
        for (place, owner), sets, total, most, least in places:
            if sets:
                value = sets[0]
            else:
                value = read(data, place, owner)
                checked(value + total)
                value = summed(value, total, most, least)
            tag = bound_crossed(place, value, machine.wide)
            if tag is not None:
                crossed.append((tag[0] == "limit", int(place.sort is not None), place.span.number, tag))
            data = write(data, place, owner, value)
        for entity, (destination,) in moves:
            data = taken_out(data, destination[0], entity)
        first_to_last = {entity: at for at, entity in enumerate(arrivals)}
        for entity, (destination,) in sorted(moves, key=lambda move: first_to_last.get(move[0], len(arrivals))):
            _, zone, owner, first = destination
            inside = contents(data, zone, owner)
            data = put_contents(data, zone, owner, (entity,) + inside if first else inside + (entity,))
            if zone.holds is not None and len(inside) + 1 > zone.holds:
                crossed.append((False, 2, zone.span.number, ("range", zone.name)))
        if crossed:
            raise Stop(min(crossed, key=lambda c: c[:3])[3])
        machine.data = data


def replaced(row: tuple, index: int, value: Any) -> tuple:
    return row[:index] + (value,) + row[index + 1:]


def summed(value: int, total: int, most: Any, least: Any) -> int:
    """What a sum makes of a value; a bound stops a change and does not turn it round (§4.2)."""
    if total > 0:
        return value + total if most is None else max(value, min(value + total, most))
    return value + total if least is None or not total else min(value, max(value + total, least))


def disputed(entry: tuple) -> bool:
    """Whether the writes of a place contradict each other."""
    return len(entry[1]) > 1 or bool(entry[1]) and entry[2] != 0


# ---------------------------------------------------------------------------------------------------
# Collecting


def collect_block(machine, writes: Writes, block, locals: tuple) -> None:
    if block is None:
        return
    for statement in block.statements:
        machine.site = statement.site
        machine.events.append(("executed", statement.site))
        try:
            locals = COLLECT[type(statement)](machine, writes, statement, locals) or locals
        except NoValue as gap:
            if not hasattr(gap, "site"):
                gap.site = statement.site
            machine.site = gap.site
            raise


def value(machine, code, locals):
    return code(machine.data, locals, machine.a, None)


def collect_nothing(machine, writes, node, locals):
    return None


def collect_let(machine, writes, node, locals):
    return locals + (value(machine, node.value, locals),)


def collect_set(machine, writes, node, locals):
    where = node.place.find_with(machine.data, locals, machine.a)
    writes.set(where, value(machine, node.value, locals))


def collect_change(machine, writes, node, locals):
    where = node.place.find_with(machine.data, locals, machine.a)
    amount = value(machine, node.amount, locals)
    bound = None if node.bound is None else value(machine, node.bound, locals)
    if amount < 0:
        bound = None
    if node.up:
        writes.add(where, amount, most=bound)
    else:
        writes.add(where, checked(-amount), least=bound)


def collect_transfer(machine, writes, node, locals):
    amount = value(machine, node.amount, locals)
    if amount < 0:
        raise NoValue("negative amount", node.words, node.span)
    source = node.source.find_with(machine.data, locals, machine.a)
    target = node.target.find_with(machine.data, locals, machine.a)
    writes.add(source, -amount)
    writes.add(target, amount)


def collect_move(machine, writes, node, locals):
    entity = value(machine, node.what, locals)
    target = node.target
    owner = None if target.owner is None else value(machine, target.owner, locals)
    if not is_removed(machine.data, node.sort, entity):
        writes.move(entity, (node.sort, target.zone, owner, target.first and not target.zone.unordered))


def collect_move_all(machine, writes, node, locals):
    source = None if node.owner is None else value(machine, node.owner, locals)
    target = node.target
    owner = None if target.owner is None else value(machine, target.owner, locals)
    for entity in contents(machine.data, node.zone, source):
        writes.move(entity, (node.zone.sort, target.zone, owner, target.first and not target.zone.unordered))


def collect_announce(machine, writes, node, locals):
    payload = tuple(value(machine, code, locals) for code in node.arguments)
    writes.announcements.append((node.event, payload))


def collect_if(machine, writes, node, locals):
    for index, (condition, block) in enumerate(node.branches):
        if value(machine, condition, locals):
            machine.events.append(("branch", node.site, index))
            collect_block(machine, writes, block, locals)
            return
    machine.events.append(("branch", node.site, len(node.branches) if node.otherwise is not None else -1))
    collect_block(machine, writes, node.otherwise, locals)


def collect_depending(machine, writes, node, locals):
    chosen = chosen_of(machine, node.reading)
    machine.events.append(("branch", node.site, chosen))
    collect_block(machine, writes, node.blocks[chosen], locals)


def collect_for_each(machine, writes, node, locals):
    missing = Missing()
    for element in node.binder.elements(machine.data, locals, machine.a, None):
        machine.events.append(("visit", node.site, element))
        try:
            collect_block(machine, writes, node.block, locals + (element,))
        except LACKS as why:
            missing.add(why)
    missing.tell()


COLLECT = {
    Nothing: collect_nothing, Let: collect_let, Set: collect_set, Change: collect_change,
    Transfer: collect_transfer, Move: collect_move, MoveAll: collect_move_all, Announce: collect_announce,
    If: collect_if, Depending: collect_depending, ForEach: collect_for_each,
}
