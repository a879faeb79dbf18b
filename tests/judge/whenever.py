"""Events that the state raises (docs/semantics.md §4.7): what has become so is announced by the statement that changed it."""

from __future__ import annotations

from typing import Any, Callable, Optional

from .continuous import trees
from .data import Stop
from .evaluate import Compiler
from .happen import ANNOUNCING
from .model import Data, Event, Exceeded, NoValue, Sort, SpecError
from .parse import Tree
from .run import Node
from .values import BOOLEAN, LACKS, Code, Missing, Scope, all_of, spend

CHANGING = frozenset(
    """set increase decrease transfer move create remove distribute gap simultaneously""".split()
) | {"move all"}


class Raised:
    """When the state raises an event, and what it then tells."""

    def __init__(self, event: Event, sort: Optional[Sort], condition: Code, asks_past: bool, values: list):
        self.event = event
        self.sort = sort  # of the elements, if it is about one
        self.condition = condition
        self.asks_past = asks_past  # whether `old` stands in the condition
        self.values = values  # Code of what is told beside the element

    def announcements(self, before: Data, after: Data, a: dict) -> list:
        """(event, payload) for each element of which it has become true."""
        known = {()} if self.sort is None else {(x,) for x in all_of(self.sort)(before)}
        there = known if self.sort is None else {(x,) for x in all_of(self.sort)(after)}
        asked = [head for head in sorted(known | there) if head in known or not self.asks_past]
        risen = of_all(asked, lambda head: self.is_true(head, after, a, before, head in there)
                       and not (head in known and self.is_true(head, before, a, before, False)))
        heads = [head for head, holds in zip(asked, risen) if holds]
        told = of_all(heads, lambda head: tuple(value(code, head, after, a, before) for code in self.values))
        return [(self.event, head + values) for head, values in zip(heads, told)]

    def is_true(self, head: tuple, data: Data, a: dict, old: Data, has_to: bool) -> bool:
        """Whether it is true of a change; without a value, which it need not have, it is not."""
        try:
            return value(self.condition, head, data, a, old)
        except NoValue:
            if has_to:
                raise
            return False


def value(code: Code, head: tuple, data: Data, a: dict, old: Data) -> Any:
    """What an expression comes to for an element."""
    spend(1 + code.weight)
    return code.run(data, head, a, old)


def of_all(elements: list, look: Callable) -> list:
    """What is looked up for each of several elements; of those without a value one tells (§2)."""
    found, missing = [], Missing()
    for element in elements:
        try:
            found.append(look(element))
        except LACKS as why:
            missing.add(why)
    missing.tell()
    return found


# ---------------------------------------------------------------------------------------------------
# Statements that change data


def kept(machine) -> Optional[Data]:
    """The data before a statement of several small steps, where something wants to know of them at its end."""
    return machine.data if machine.spec.raised else None


def after_change(machine, before: Optional[Data], site, waiting: tuple = ()) -> None:
    """A statement has changed all that it changes: what is raised is announced, with what waits to be announced.

    It can stand in the action of a choice: what stops the run does so in a small step of its own, and at the event (§6).
    """
    announcements = waiting
    for event in machine.spec.raised:
        try:
            announcements += tuple(event.raised.announcements(before, machine.data, machine.a))
        except NoValue as gap:
            machine.frames.append((STOPPED, event.site, machine.gap_tag(gap, event.site)))
            return
        except Exceeded as why:
            machine.frames.append((STOPPED, event.site, ("limit", str(why))))
            return
    if announcements:
        machine.frames.append((ANNOUNCING, site, announcements))


class Stopped(Node):
    """The run stops in what is asked for an event. Frame: (node, site of the event, tag)."""

    busy = True

    def resume(self, machine, frame):
        _, machine.site, tag = frame
        raise Stop(tag)


STOPPED = Stopped()


class Changing(Node):
    """A statement that is one change of the data and one small step; `change` makes it."""

    def execute(self, machine):
        before = machine.data
        self.change(machine)
        after_change(machine, before, self.site)

    def change(self, machine) -> None:
        raise NotImplementedError


def can_announce(spec, site) -> bool:
    """Whether a statement can have several things to announce, as far as its kind tells."""
    return site.kind == "simultaneously" or bool(spec.raised) and site.kind in CHANGING


# ---------------------------------------------------------------------------------------------------
# What is written


def refuse_parameters(event: Event, tree: Tree) -> None:
    """Such an event is about nothing or about one entity; whatever else it tells has a value, and no other event's has."""
    for index, (parameter, (_, type_)) in enumerate(zip(tree.parameters, event.parameters)):
        if tree.condition is None and parameter.value is not None:
            raise SpecError("only what the state raises has values", "E0430", parameter.span)
        if tree.condition is not None and parameter.value is None and (index or type_.kind != "entity"):
            raise SpecError("nothing says what this is", "E0430", parameter.span)


def compile_events(world: Any) -> None:
    """The events that the state raises, as declared."""
    for item in sorted(world.of("event"), key=lambda item: item.tree.span.number):
        if item.tree.condition is not None:
            event = world.spec.events[item.tree.name]
            with world.spoken.within("event", event.name):
                event.raised = compiled(world, event, item.tree)
            world.spec.raised.append(event)


def compiled(world: Any, event: Event, tree: Tree) -> Raised:
    scope, sort = Scope(), None
    given = [(parameter.value, type_) for parameter, (_, type_) in zip(tree.parameters, event.parameters)]
    if given and given[0][0] is None:
        name, type_ = event.parameters[0]
        scope, sort = Compiler(world).bound(tree.parameters[0], scope, name, type_), type_.sort
        world.spoken.sort(sort)
        given = given[1:]
    asking = Compiler(world)
    condition = asking.as_type(tree.condition, scope, BOOLEAN)
    values = [Compiler(world).as_type(tree_, scope, type_) for tree_, type_ in given]
    for part in [tree.condition, *(tree_ for tree_, _ in given)]:
        for one in looked_at(world, part):
            if one.kind == "name" and one.name in world.queues:
                raise SpecError(f"it looks at what waits in `{one.name}`", "E0430", one.span)
    return Raised(event, sort, condition, asking.uses_old, values)


def refuse_shuffles(world: Any) -> None:
    """How a zone is arranged raises nothing if somebody shuffles it."""
    for item in world.of("event"):
        if item.tree.condition is None:
            continue
        for one in looked_at(world, item.tree.condition):
            for zone in one.__dict__.get("arranged", ()):
                if any(zone is other for other in world.shuffled):
                    raise SpecError(f"`{zone.name}` is shuffled", "E0430", one.span)


def looked_at(world: Any, tree: Tree):
    """A tree and all that stand in it, those of the definitions that it uses included."""
    todo, used = [tree], set()
    while todo:
        for one in trees(todo.pop()):
            yield one
            if one.kind in ("name", "call") and one.name in world.definitions and one.name not in used:
                used.add(one.name)
                todo.append(world.definitions[one.name].tree.body)
