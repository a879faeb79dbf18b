"""Events, triggers and queues (docs/semantics.md §4.7)."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Callable, Optional

from .data import Stop, replaced, with_pending
from .model import Event, Instance, NoValue, Queue, Trigger
from .run import NESTED_TRIGGERS, Block, Node
from .values import LACKS, Missing, spend, where_is


class TriggerNode(Node):
    """What a trigger listens for and does. Frame: (node, instance), under its block."""

    def __init__(self, trigger: Trigger):
        self.trigger = trigger
        self.site = trigger.site
        self.listener: Any = None  # Binder
        self.where: Optional[Callable] = None
        self.block: Optional[Block] = None

    def instances(self, machine, payload: tuple, missing: Missing) -> list:
        """The instances that match now; what has no value is collected."""
        trigger = self.trigger
        if self.listener is None:
            heads = [((), None)]
        else:
            try:
                heads = [((x,), x) for x in self.listener.elements(machine.data, (), machine.a, None)]
            except LACKS as why:
                self.lacks(missing, why)
                return []
        found = []
        for head, listener in heads:
            spend(1)
            try:
                if self.where is None or self.where(machine.data, head + payload, machine.a, None):
                    found.append(Instance(trigger.index, listener, payload))
            except LACKS as why:
                self.lacks(missing, why)
        return found

    def lacks(self, missing: Missing, why: Exception) -> None:
        why.site = self.site  # a gap in what a trigger listens for is one of the trigger
        missing.add(why)

    def begin(self, machine, instance: Instance) -> None:
        depth = sum(1 for a in machine.below if isinstance(a.unit, Trigger)) + isinstance(machine.unit, Trigger)
        if depth >= NESTED_TRIGGERS:
            raise Stop(("limit", "nesting"))
        locals = instance.payload if self.listener is None else (instance.listener,) + instance.payload
        machine.events.append(("trigger", self.trigger, instance))
        machine.begin(self.trigger, locals, [(self, instance), (self.block, 0)])

    def resume(self, machine, frame):
        machine.events.append(("trigger ended", self.trigger, frame[1]))
        machine.end_activation()


class Announce(Node):
    """`announce E(...)`; the rest is done by the event."""

    def __init__(self, event: Event, arguments: list):
        self.event = event
        self.arguments = arguments

    def execute(self, machine):
        payload = tuple(machine.value(code) for code in self.arguments)
        announced(machine, self.event, payload, self.site)


def announced(machine, event: Event, payload: tuple, site) -> None:
    """Matches the triggers; what then happens is on the stack, or done."""
    machine.events.append(("announced", event.name, payload))
    missing = Missing()
    instances = [i for trigger in event.triggers for i in trigger.body.instances(machine, payload, missing)]
    try:
        missing.tell()
    except NoValue as gap:
        machine.site = gap.site
        raise
    if event.queue is not None and event.queue.discipline == "priority":
        instances.sort(key=lambda i: -machine.spec.triggers[i.trigger].priority)
        classes = [tuple(g) for _, g in groupby(instances, key=lambda i: machine.spec.triggers[i.trigger].priority)]
    else:
        classes = [tuple(instances)] if instances else []
    if instances:
        machine.frames.append((ARRANGE, event, site, tuple(classes), (), ()))
        if all(len(one) == 1 for one in classes):
            finish(machine, event, tuple(instances))


def has_room(machine, event: Event, number: int) -> None:
    """Whether so many more fit into the queue is looked at when it is known who begins to put them in order."""
    queue = event.queue
    if queue is not None and queue.capacity is not None and machine.wide is not True:
        if len(machine.data.queues[queue.index]) + number > queue.capacity:
            raise Stop(("limit", "capacity"))


class Arrange(Node):
    """Puts instances in an order.

    Frame: (node, event, site, classes, unit, ordered). Classes are taken one after the other; of a class, its
    listeners in the order that the event fixes, if it fixes one; `unit` are the instances of one listener, or
    of a class without an order of listeners, of which the next one is chosen.
    """

    busy = True

    def resume(self, machine, frame):
        _, event, site, classes, unit, ordered = frame
        machine.site = site
        room = lambda: has_room(machine, event, sum(map(len, classes)) + len(unit) + len(ordered))  # noqa: E731
        if unit:
            room()
            rest = lambda i: unit[:i] + unit[i + 1:]  # noqa: E731
            machine.choose("order", None, [
                (("instance", x), lambda i=i, x=x: self.go(machine, event, site, classes, rest(i), ordered + (x,)))
                for i, x in enumerate(unit)
            ])
            return True
        if not classes:
            finish(machine, event, ordered)
            return True
        first, others = classes[0], classes[1:]
        if event.order is None or len(first) == 1:
            self.go(machine, event, site, others, first, ordered)
            return False
        if event.order.resolved(machine).kind == "rank":
            return self.by_rank(machine, frame, room)
        kind, decider = unbound(machine, event, lambda: event.order.asks(machine))
        if kind is None:
            listeners = self.listeners(machine, event, first)
            room()
            self.take(machine, frame, listeners[0])
            return False
        room()

        def take(i):
            left = first[:i] + first[i + 1:]
            self.go(machine, event, site, (left,) + others, (), ordered + (first[i],))

        machine.choose("order", decider, [
            (("instance", x), lambda i=i: take(i)) for i, x in enumerate(first)
        ])
        return True

    def by_rank(self, machine, frame, room: Callable) -> bool:
        """The instances whose listeners have the first rank come next; those without a listener last."""
        _, event, site, classes, _, ordered = frame
        instances, others = classes[0], classes[1:]
        heard = [x for x in instances if x.listener is not None]
        if not heard:
            self.go(machine, event, site, others, instances, ordered)
            return False
        player, first = self.first_rank(machine, event, heard)
        if len(first) == 1:
            self.put(machine, frame, first)
            return False
        kind, decider = unbound(machine, event, lambda: event.order.asks(machine, player))
        room()
        if kind is None:
            self.put(machine, frame, first)
            return False

        def take(x):
            rest = tuple(y for y in instances if y is not x)
            self.go(machine, event, site, (rest,) + others if rest else others, (), ordered + (x,))

        machine.choose("order", decider, [(("instance", x), lambda x=x: take(x)) for x in first])
        return True

    def put(self, machine, frame, unit: tuple) -> None:
        """These instances are next, in whichever order."""
        _, event, site, classes, _, ordered = frame
        rest = tuple(x for x in classes[0] if x not in unit)
        self.go(machine, event, site, ((rest,) if rest else ()) + classes[1:], unit, ordered)

    def first_rank(self, machine, event: Event, heard: list) -> tuple:
        """(the player of the first rank or None, its instances; those of one listener if the order is fixed)."""
        if len(heard) == 1:
            return None, tuple(heard)
        listeners = tuple(x.listener for x in heard)
        sort = event.listener.sort

        def look():
            lie = lambda order, members: tuple(arranged(machine, order, heard, members))  # noqa: E731
            return event.order.grouped(machine, sort, listeners, (), lie)[0]

        player, first = unbound(machine, event, look)
        if len(first) > 1 and event.order.last(machine).kind in ("any", "chosen", "own"):
            return player, tuple(x for x in heard if x.listener in first)
        return player, tuple(x for x in heard if x.listener == first[0])

    def listeners(self, machine, event: Event, instances: tuple) -> list:
        """The listeners of instances in the order of the event, None for those without one last."""
        found = []
        for instance in instances:
            if instance.listener is not None and instance.listener not in found:
                found.append(instance.listener)
        if len(found) > 1:
            found = unbound(machine, event, lambda: arranged(machine, event.order, instances, found))
        if any(instance.listener is None for instance in instances):
            found.append(None)
        return found

    def take(self, machine, frame, listener):
        _, event, site, classes, _, ordered = frame
        mine = tuple(x for x in classes[0] if x.listener == listener)
        rest = tuple(x for x in classes[0] if x.listener != listener)
        self.go(machine, event, site, ((rest,) if rest else ()) + classes[1:], mine, ordered)

    def go(self, machine, event, site, classes, unit, ordered):
        machine.frames[-1] = (self, event, site, classes, unit, ordered)


def unbound(machine, event: Event, look: Callable) -> Any:
    """What is said of an event knows no locals, and its gaps stand at the event."""
    locals, machine.locals = machine.locals, ()
    try:
        return look()
    except NoValue:
        machine.site = event.site
        raise
    finally:
        machine.locals = locals


def arranged(machine, order, instances: tuple, listeners) -> list:
    """Listeners as the elements of an iteration over their binder would be taken."""
    binders: dict = {}
    for instance in instances:
        if instance.listener is not None:
            node = machine.spec.triggers[instance.trigger].body
            binders.setdefault(instance.listener, node.listener)
    groups: dict = {}
    for listener in listeners:
        binder = binders[listener]
        sort = binder.type.sort
        key = (-1 if sort is None else sort.index, -1 if binder.zone is None else binder.zone.index, binder.type.name)
        groups.setdefault(key, (binder, []))[1].append(listener)
    found: list = []
    for key in sorted(groups):
        binder, members = groups[key]
        members.sort(key=lambda x: lies(machine, binder, x))
        found += order.arranged(machine, binder, tuple(members)) if len(listeners) > 1 else members
    return found


def lies(machine, binder, listener) -> tuple:
    """Where a listener lies, so that they can be taken as they lie."""
    if binder.type.sort is None:
        return (-1, -1, binder.type.values.index(listener))
    found = where_is(machine.data, binder.type.sort, listener)
    if found is None:
        return (-1, -1, listener)
    return (found[0].index, -1 if found[1] is None else found[1], found[3])


ARRANGE = Arrange()


def finish(machine, event: Event, instances: tuple) -> None:
    """The instances are in order: they are appended to the queue, or wait to be resolved at once."""
    machine.frames.pop()
    if event.queue is not None:
        machine.data = with_pending(machine.data, event.queue, instances, machine.wide)
    else:
        machine.frames.append((AT_ONCE, instances))


class AtOnce(Node):
    """Instances that are resolved in turn, within one statement. Frame: (node, those left)."""

    busy = True

    def resume(self, machine, frame):
        instances = frame[1]
        if len(instances) > 1:
            machine.frames[-1] = (self, instances[1:])
        else:
            machine.frames.pop()
        machine.spec.triggers[instances[0].trigger].body.begin(machine, instances[0])


AT_ONCE = AtOnce()


class Announcing(Node):
    """What one statement announces together: nobody says in which order. Frame: (node, site of the statement, those
    left)."""

    busy = True

    def resume(self, machine, frame):
        _, site, left = frame
        machine.site = site

        def make(index):
            rest = left[:index] + left[index + 1:]
            machine.frames.pop()
            if rest:  # after the last one the statement has been executed
                machine.frames.append((self, site, rest))
            machine.frames.append((MAKE, site) + left[index])

        machine.choose("order", None, [
            (("announcement", event.name, payload), lambda index=index: make(index))
            for index, (event, payload) in enumerate(left)
            if left.index((event, payload)) == index  # the same twice is one alternative
        ])
        return True


class Make(Node):
    """An announcement is made. Frame: (node, site of the statement, event, payload)."""

    busy = True

    def resume(self, machine, frame):
        _, machine.site, event, payload = frame
        machine.frames.pop()
        announced(machine, event, payload, machine.site)
        return True


ANNOUNCING = Announcing()
MAKE = Make()


class Resolve(Node):
    """`resolve Q` and `resolve next of Q`. Frame: (node,)."""

    def __init__(self, queue: Queue, one: bool):
        self.queue = queue
        self.one = one

    def execute(self, machine):
        if machine.data.queues[self.queue.index]:
            machine.frames.append((self,))

    def resume(self, machine, frame):
        pending = machine.data.queues[self.queue.index]
        if self.one or not pending:
            machine.frames.pop()
            if not pending:
                return False
        at = self.next(machine, pending)
        instance = pending[at]
        pending = pending[:at] + pending[at + 1:]
        machine.data = machine.data._replace(queues=replaced(machine.data.queues, self.queue.index, pending))
        machine.spec.triggers[instance.trigger].body.begin(machine, instance)
        return True

    def next(self, machine, pending: tuple) -> int:
        if self.queue.discipline == "first":
            return 0
        if self.queue.discipline == "last":
            return len(pending) - 1
        triggers = machine.spec.triggers
        return max(range(len(pending)), key=lambda i: (triggers[pending[i].trigger].priority, -i))
