"""The machine that plays a specification, one small step at a time (docs/semantics.md §4).

While a small step is made, the state is taken apart into registers: `data`, and of the innermost activation
`unit`, `locals` and `frames`; `below` are the activations under it. Nodes (statements, iterations, passes, ...)
change the registers. A frame is a tuple that begins with the node that it belongs to. A node has

    execute(machine)         of statements: do it, or put a frame on the stack that does
    resume(machine, frame)   of frames: go on; False says that nothing happened but for the stack
    busy                     whether what a frame of it does is one statement, which is not interrupted (§4.6)
    binds_element            whether it is an iteration, whose element is bound while its block is done
"""

from __future__ import annotations

from typing import Any, Callable, Optional

from .data import Stop, forgotten, has_waste, is_removed
from .model import (
    Activation, Alternative, Choice, Consult, Data, End, Exceeded, NeedsReading, Next, NoValue, Sequence, Spec,
    State, Step, Trigger,
)
from .values import spent

NESTED_TRIGGERS = 16


class Node:
    """Something that can be executed or resumed; `site` says where it stands."""

    busy = False
    binds_element = False
    is_step = False
    is_list = False
    site = None


class Block(Node):
    """Statements, one after the other. Frame: (block, index of the next one)."""

    def __init__(self, statements: list, base: int):
        self.statements = statements
        self.base = base  # how many locals are known where it begins


class Machine:
    """Plays the runs of a specification; see the end of model.py for what the parameters mean."""

    def __init__(self, spec: Spec, contracts=frozenset(), *, without=frozenset(), free=frozenset(), wide=False,
                 still=frozenset()):
        self.spec = spec
        self.contracts = contracts
        self.without = without
        self.free = free
        self.wide = wide
        self.still = still
        self.watches = any(sequence.restart for sequence in spec.sequences.values())
        self.data: Data = None
        self.unit: Any = None
        self.locals: tuple = ()
        self.frames: list = []
        self.below: tuple = ()
        self.events: list = []
        self.a: dict = {}
        self.site = None
        self.ended: Optional[tuple] = None
        self.result: Optional[Choice] = None

    # -- from outside

    def start(self, sequence: Sequence, data: Data, arguments: tuple = ()) -> State:
        return State(data, (Activation(sequence, tuple(arguments), (sequence.passes.fresh(()),)),))

    def start_step(self, step: Step, data: Data, locals: tuple) -> State:
        self.data, self.unit, self.locals = data, step.sequence, locals
        self.frames, self.below, self.events = [(ALONE,)], (), []
        place = locals[-1] if step.sequence.has_places else None
        step.node.begin(self, place)
        return self.assembled()

    def start_everywhere(self, step: Step, data: Data) -> State:
        frame = (Everywhere(step), None)
        return State(data, (Activation(step.sequence, (), (frame,)),))

    def advance(self, state: State, assignment: dict):
        spent[0] = 0
        self.data = state.data
        control = state.control
        self.unit, self.locals, frames = control[-1]
        self.frames = list(frames)
        self.below = control[:-1]
        self.events = []
        self.a = assignment
        self.ended = self.result = None
        self.site = None
        try:
            if not (self.watches and self.restarted_at_once()):
                self.small_step()
        except NeedsReading as need:
            return Consult(need.reading)
        except NoValue as gap:
            return End(self.gap_tag(gap, self.site), state.data, self.site, tuple(self.events))
        except Exceeded as why:
            return End(("limit", str(why)), state.data, self.site, tuple(self.events))
        except Stop as stop:
            return End(stop.tag, state.data, self.site, tuple(self.events))
        if self.ended is not None:
            return End(self.ended, self.data, self.site, tuple(self.events))
        if self.result is not None:
            return self.result
        return Next(self.assembled(), tuple(self.events))

    def steps_running(self, state: State) -> tuple:
        return tuple(
            frame[0].step for activation in state.control for frame in activation.frames if type(frame[0]) is StepNode
        )

    # -- the small step

    def small_step(self) -> None:
        frames = self.frames
        while True:
            frame = frames[-1]
            node = frame[0]
            if type(node) is Block:
                index = frame[1]
                if index < len(node.statements):
                    frames[-1] = (node, index + 1)
                    statement = node.statements[index]
                    self.site = statement.site
                    self.events.append(("executed", statement.site))
                    if self.watches:
                        self.mark_executed()
                    statement.execute(self)
                    return
                frames.pop()
                self.locals = self.locals[:node.base]
            else:
                self.site = node.site
                if node.resume(self, frame) is not False:
                    return
                frames = self.frames

    @staticmethod
    def gap_tag(gap: NoValue, site) -> tuple:
        clause = site.clause.id if site is not None and site.clause is not None else None
        return ("gap", gap.kind, clause, gap.words or ("" if site is None else site.heading))

    def assembled(self) -> State:
        self.leave_blocks()
        control = self.below + (Activation(self.unit, self.locals, tuple(self.frames)),)
        data = self.data
        if has_waste(data):
            data = forgotten(data, control)
        return State(data, control)

    def leave_blocks(self) -> None:
        """Takes away the blocks of which nothing is left, with what they bind."""
        frames = self.frames
        while frames and type(frames[-1][0]) is Block and frames[-1][1] >= len(frames[-1][0].statements):
            block, _ = frames.pop()
            self.locals = self.locals[:block.base]
            if frames and frames[-1][0].binds_element:
                self.locals = self.locals[:frames[-1][0].base]
                return

    # -- what nodes use

    def value(self, code: Callable) -> Any:
        return code(self.data, self.locals, self.a, None)

    def enter(self, block: Block) -> None:
        self.frames.append((block, 0))

    def begin(self, unit: Any, locals: tuple, frames: list) -> None:
        """A new activation."""
        self.below += (Activation(self.unit, self.locals, tuple(self.frames)),)
        self.unit, self.locals, self.frames = unit, locals, frames

    def end_activation(self) -> None:
        if isinstance(self.unit, Sequence):
            self.events.append(("sequence ended", self.unit))
        if not self.below:
            self.ended = ("end",)
            return
        self.unit, self.locals, frames = self.below[-1]
        self.frames = list(frames)
        self.below = self.below[:-1]

    def choose(self, kind: str, decider: Any, options: list, conflict: bool = False) -> None:
        """One alternative for each (label, action); an action changes the registers and cannot fail."""
        if len(options) == 1:
            label, action = options[0]
            self.events.append(("only", label))
            action()
            return
        depth = (len(self.below) + 1, len(self.frames))
        saved = (self.data, self.unit, self.locals, tuple(self.frames), self.below, tuple(self.events))
        alternatives = []
        for label, action in options:
            self.data, self.unit, self.locals, frames, self.below, events = saved
            self.frames, self.events = list(frames), list(events)
            action()
            alternatives.append(Alternative(label, self.assembled(), tuple(self.events)))
        if decider == "chance":
            kind = "chance"
        self.result = Choice(kind, decider, self.site, depth, alternatives, conflict)

    # -- restarts

    def mark_executed(self) -> None:
        """Notes in the passes around the statement that they have executed something."""
        if isinstance(self.unit, Trigger):
            return
        if self.unit.restart:
            self.frames[0] = marked(self.frames[0])
        below = list(self.below)
        for index in range(len(below) - 1, -1, -1):
            activation = below[index]
            if isinstance(activation.unit, Trigger):
                break
            if activation.unit.restart:
                frame = marked(activation.frames[0])
                if frame is not activation.frames[0]:
                    below[index] = activation._replace(frames=(frame,) + activation.frames[1:])
        self.below = tuple(below)

    def restarted_at_once(self) -> bool:
        """Looks at the restarts that are looked at after every statement, the innermost first."""
        if self.frames[-1][0].busy:
            return False
        activations = self.below + (Activation(self.unit, self.locals, tuple(self.frames)),)
        for level in range(len(activations) - 1, -1, -1):
            unit, _, frames = activations[level]
            if isinstance(unit, Trigger):
                return False
            rule = unit.restart
            if not rule or isinstance(frames[0][0], Alone) or not frames[0][1]:
                continue
            if len(frames) > 1 and frames[1][0] is rule:
                continue
            if rule.due(self, "at once", activations[level]):
                rule.cancel(self, level)
                return True
        return False


def marked(frame: tuple) -> tuple:
    if isinstance(frame[0], Alone) or frame[1]:
        return frame
    return (frame[0], True) + frame[2:]


class Alone(Node):
    """The bottom of an activation that does one step and no pass."""

    def resume(self, machine, frame):
        machine.end_activation()


ALONE = Alone()


class Everywhere(Alone):
    """The bottom of an activation that does one step for each place. Frame: (node, the places left, or None before they
    are determined)."""

    def __init__(self, step: Step):
        self.step = step
        self.site = step.sequence.site

    def __eq__(self, other):
        return isinstance(other, Everywhere) and other.step is self.step

    def __hash__(self):
        return hash(self.step.index)

    def resume(self, machine, frame):
        passes = self.step.sequence.passes
        if frame[1] is None:
            machine.frames[-1] = (self, passes.places(machine))
            return False
        left = passes.standing(machine, frame[1], False)
        if not left:
            machine.end_activation()
            return True
        return passes.pick(machine, False, left, lambda chosen, rest: self.go(machine, chosen, rest))

    def go(self, machine, chosen, rest):
        machine.frames[-1] = (self, rest)
        self.step.node.begin(machine, chosen)


# ---------------------------------------------------------------------------------------------------
# Passes and steps


class Passes(Node):
    """The passes of a sequence.

    Frame: (node, whether a statement was executed, what is carried, nest, outer, current, inner).
    Of a pass that has not begun, nest is None. With `nest steps` the outer ones are steps and the inner ones
    places, with `nest places` the other way round; `outer` and `inner` are those left, and `current` is the
    outer one whose inner ones are being done; `inner` is None before they are determined.
    """

    is_list = True

    def __init__(self, sequence: Sequence):
        self.sequence = sequence
        self.site = sequence.site
        self.by: Any = None  # decider of the steps
        self.binder: Any = None  # of the places
        self.order: Any = None  # of the places

    def fresh(self, carried: tuple) -> tuple:
        return (self, False, carried, None, (), None, ())

    def resume(self, machine, frame):
        nest = frame[3]
        if nest is None:
            return self.begin(machine, frame)
        _, executed, carried, _, outer, current, inner = frame
        by_steps = nest == "steps"
        if inner is None:
            inner = self.places(machine) if by_steps else self.steps()
            machine.frames[-1] = frame[:6] + (inner,)
            return False
        inner = self.standing(machine, inner, not by_steps)
        outer = self.standing(machine, outer, by_steps)
        if inner:
            return self.pick(machine, not by_steps, inner, lambda chosen, rest: self.go(
                machine, (self, executed, carried, nest, outer, current, rest), current, chosen, by_steps
            ))
        if outer:
            return self.pick(machine, by_steps, outer, lambda chosen, rest: self.enter(
                machine, (self, executed, carried, nest, rest, chosen, None)
            ))
        machine.frames[-1] = (self, executed, carried, nest, (), None, ())
        rule = self.sequence.restart
        if rule and rule.due_here(machine, "pass"):
            rule.cancel(machine, len(machine.below))
            return True
        machine.end_activation()
        return True

    def begin(self, machine, frame):
        sequence = self.sequence
        machine.events.append(("pass", sequence))
        nest = sequence.nest if sequence.has_places else "steps"
        if nest == "unspecified":
            nest = "steps"
            if sequence.nest_reading.index in machine.a or len(sequence.steps) > 1 and self.has_place(machine):
                nest = sequence.nest_reading.alternatives[chosen_of(machine, sequence.nest_reading)]
        outer = self.steps() if nest == "steps" else self.places(machine)
        machine.frames[-1] = (self, False, frame[2], nest, outer, None, ())
        return True

    def has_place(self, machine) -> bool:
        """Whether there is a place; where that has no value, the run stops before the reading is consulted."""
        return bool(machine.value(self.binder.elements))

    def standing(self, machine, left: tuple, are_steps: bool) -> tuple:
        """Those left, without places that were removed meanwhile."""
        if are_steps or not self.sequence.has_places or self.binder.type.kind != "entity":
            return left
        sort = self.binder.type.sort
        return tuple(x for x in left if not is_removed(machine.data, sort, x))

    def steps(self) -> tuple:
        return tuple(step.index for step in self.sequence.steps)

    def places(self, machine) -> tuple:
        places = tuple(machine.value(self.binder.elements))
        return tuple(self.order.arranged(machine, self.binder, places)) if len(places) > 1 else places

    def enter(self, machine, frame):
        if self.sequence.has_places:
            machine.frames[-1] = frame
        else:
            self.go(machine, frame[:6] + ((),), frame[5], None, True)

    def go(self, machine, frame, current, chosen, by_steps):
        machine.frames[-1] = frame
        step, place = (current, chosen) if by_steps else (chosen, current)
        self.sequence.steps[step].node.begin(machine, place)

    def pick(self, machine, are_steps: bool, left: tuple, then: Callable):
        """Takes one of the steps or places that are left."""
        sequence = self.sequence
        kind, decider = None, None
        if len(left) > 1:
            if are_steps:
                if sequence.policy == "any":
                    kind = "any"
                elif sequence.policy == "chosen":
                    kind, decider = "any", self.by.decide(machine)
                elif sequence.policy == "unspecified":
                    if chosen_of(machine, sequence.steps_reading) == 1:
                        kind = "any"
            else:
                kind, decider = self.order.asks(machine)
        if kind is None:
            then(left[0], left[1:])
            return True
        label = "step" if are_steps else "entity" if self.binder.type.kind == "entity" else "value"
        machine.choose("order", decider, [
            ((label, x), lambda x=x, i=i: then(x, left[:i] + left[i + 1:])) for i, x in enumerate(left)
        ])
        return True

    def not_begun(self, frame: tuple) -> tuple:
        """(step index, place or None) of what the pass has not begun."""
        nest, outer, current, inner = frame[3:]
        inner = inner or ()
        if nest is None:
            return tuple((step.index, None) for step in self.sequence.steps)
        if not self.sequence.has_places:
            return tuple((step, None) for step in outer) + (((current, None),) if inner else ())
        if nest == "steps":
            return tuple((current, place) for place in inner) + tuple((step, None) for step in outer)
        return tuple((step, current) for step in inner) + tuple((None, place) for place in outer)


def chosen_of(machine, reading) -> int:
    chosen = machine.a.get(reading.index)
    if chosen is None:
        raise NeedsReading(reading)
    return chosen


class StepNode(Node):
    """A step that is being done. Frame: (node, place, the data with which it began or None)."""

    is_step = True

    def __init__(self, step: Step, block: Block):
        self.step = step
        self.block = block
        self.site = step.site
        self.keeps = any(expression.uses_old for expression in step.ensures)
        self.direct: list = []  # iterations that stand directly in it and depend on no local of it

    def begin(self, machine, place):
        if self.step.sequence.has_places:
            machine.locals = machine.locals[:len(self.step.sequence.parameters)] + (place,)
        machine.events.append(("step begun", self.step, place))
        machine.frames.append((self, place, machine.data if self.keeps else None))
        if self.step not in machine.without:
            machine.enter(self.block)

    def resume(self, machine, frame):
        step = self.step
        _, place, old = frame
        for index, expression in enumerate(step.ensures):
            holds = expression.value(machine.data, machine.locals, machine.a, old)
            machine.events.append(("ensures", step, index, holds))
        machine.events.append(("step ended", step, place, machine.locals))
        machine.frames.pop()
        if step.sequence.has_places:
            machine.locals = machine.locals[:len(step.sequence.parameters)]
        rule = step.sequence.restart
        if rule and type(machine.frames[0][0]) is Passes and rule.due_here(machine, "step"):
            rule.cancel(machine, len(machine.below))
        return True


# ---------------------------------------------------------------------------------------------------
# Restarts


class Restart(Node):
    """A restart rule. Frame: (node,), under the block of `before restarting`."""

    def __init__(self, sequence: Sequence, site, condition: Callable, cancel, unfinished, block: Optional[Block]):
        self.sequence = sequence
        self.site = site
        self.condition = condition
        self.policy = cancel  # Policy: 'at once', 'step', 'pass'
        self.unfinished = unfinished  # Policy: 'lost', 'carried'
        self.block = block

    def resume(self, machine, frame):
        machine.frames.pop()
        return False

    def due_here(self, machine, moment: str) -> bool:
        return self.due(machine, moment, Activation(machine.unit, machine.locals, tuple(machine.frames)))

    def due(self, machine, moment: str, activation: Activation) -> bool:
        """Looks at the condition, if the policy says so at this moment."""
        fixed = self.policy.fixed(machine.a)
        if fixed is not None:
            if fixed != moment:
                return False
        elif moment not in self.policy.possible(machine.a):
            return False
        before, machine.site = machine.site, self.sequence.site
        locals = activation.locals[:len(self.sequence.parameters)]
        try:
            result = self.condition(machine.data, locals, machine.a, None)
        except NoValue:
            if fixed is None:
                raise NeedsReading(self.policy.unfixed(machine.a)) from None
            raise
        if result and fixed is None:
            raise NeedsReading(self.policy.unfixed(machine.a))
        if not result:
            machine.site = before
        return result

    def cancel(self, machine, level: int) -> None:
        """Cancels the pass of the activation at the level, with all above it."""
        activations = machine.below + (Activation(machine.unit, machine.locals, tuple(machine.frames)),)
        activation = activations[level]
        frame = activation.frames[0]
        passes = frame[0]
        steps = passes.not_begun(frame)
        running = []
        lost = self.unfinished.fixed(machine.a) == "lost"
        for above in activations[level:]:
            for one in above.frames:
                left = getattr(one[0], "left", None)
                if left is not None:
                    elements = left(machine, above, one, lost)
                    if elements:
                        running.append((one[0], elements, above is activation))
        parameters = activation.locals[:len(self.sequence.parameters)]
        waiting = [] if self.sequence.has_places else self.waiting(machine, steps, parameters)
        carried: tuple = ()
        if running or waiting or frame[2]:
            if self.unfinished.of(machine) == "carried":
                kept = dict(frame[2])
                for node, elements, own in running:
                    if own:
                        kept[node] = merged(elements, kept.get(node, ()))
                for node, elements in waiting:
                    kept[node] = merged(elements, kept.get(node, ()))
                carried = tuple(sorted(kept.items(), key=lambda item: item[0].site.index))
        dropped = [(node.site, elements, own) for node, elements, own in running]
        dropped += [(node.site, elements, True) for node, elements in waiting]
        policy = self.unfinished.fixed(machine.a)
        machine.events.append(("cancelled", self.sequence, steps, tuple(dropped), policy))
        machine.below = activations[:level]
        machine.unit, machine.locals = activation.unit, parameters
        machine.frames = [passes.fresh(carried)]
        if self.block is not None:
            machine.frames.append((self,))
            machine.enter(self.block)

    def waiting(self, machine, steps: tuple, parameters: tuple) -> list:
        """The elements of the iterations that stand directly in the steps not begun."""
        found = []
        lost = self.unfinished.fixed(machine.a) == "lost"
        for index, _ in steps:
            for node in self.sequence.steps[index].node.direct:
                locals = parameters + (None,) * (node.base - len(parameters))
                try:
                    elements = tuple(node.binder.elements(machine.data, locals, machine.a, None))
                except NoValue:
                    continue
                except NeedsReading:
                    if lost:  # what is dropped is only told
                        continue
                    raise
                if elements and self.takes_turns(machine, node, lost):
                    continue
                if elements and not lost:
                    elements = self.as_taken(machine, node, elements, locals)
                if elements:
                    found.append((node, elements))
        return found

    @staticmethod
    def takes_turns(machine, node, lost: bool) -> bool:
        """Whether nothing of an iteration is dropped, because players take turns in it; nor is it if only a reading
        that is not consulted can tell."""
        if not node.domain.can_be("until all pass"):
            return False  # whatever a reading says
        if lost and node.domain.said(machine.a) is None:
            return True
        return node.domain.resolved(machine) == "until all pass"

    @staticmethod
    def as_taken(machine, node, elements: tuple, locals: tuple) -> tuple:
        """The elements in the order in which they would be taken now; as they are if that has no value."""
        before, machine.locals = machine.locals, locals
        try:
            groups = node.arranged(machine, None, elements, ())
            return tuple(x for _, members in groups for x in members)
        except (NoValue, TypeError):  # a name that the step has not bound has no value
            return elements
        finally:
            machine.locals = before


def merged(first: tuple, second: tuple) -> tuple:
    return first + tuple(x for x in second if x not in first)


class Policy:
    """What a `cancel` or `unfinished` line says: a word, or one for each alternative of a reading."""

    def __init__(self, word: Optional[str] = None, reading=None, parts: list = ()):
        self.word = word
        self.reading = reading
        self.parts = parts

    def fixed(self, a: dict) -> Optional[str]:
        if self.word is not None:
            return self.word
        chosen = a.get(self.reading.index)
        return None if chosen is None else self.parts[chosen].fixed(a)

    def possible(self, a: dict) -> set:
        if self.word is not None:
            return {self.word}
        chosen = a.get(self.reading.index)
        if chosen is not None:
            return self.parts[chosen].possible(a)
        return set().union(*(part.possible(a) for part in self.parts))

    def unfixed(self, a: dict):
        """The first reading that it depends on and that has no alternative yet."""
        chosen = a.get(self.reading.index)
        return self.reading if chosen is None else self.parts[chosen].unfixed(a)

    def of(self, machine) -> str:
        word = self.fixed(machine.a)
        if word is None:
            raise NeedsReading(self.unfixed(machine.a))
        return word
