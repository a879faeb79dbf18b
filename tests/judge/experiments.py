"""Experiments: a sequence as it is written, but with changes (docs/semantics.md, "Experiments").

An experiment is compiled from the tree of the sequence that it is of, with its steps in other places.
"""

from __future__ import annotations

import copy

from .model import Sequence, SpecError
from .parse import Cursor, Tree
from .parse_lines import bare, whole


def experiment(c: Cursor, line) -> Tree:
    bare(line)
    name = c.name()
    c.expect(":")
    of = c.name()
    c.expect("but")
    changes = [change(c)]
    while c.accept(","):
        changes.append(change(c))
    return whole("experiment", c, name=name, of=of, changes=changes)


def change(c: Cursor) -> tuple:
    if c.accept("steps"):
        if c.accept("in", "any", "order"):
            return "steps", "any", None
        if c.accept("in", "an", "order", "chosen", "by"):
            return "steps", "chosen", c.decider()
        c.expect("in", "order")
        return "steps", "in order", None
    if c.accept("without"):
        return "without", c.name(), None
    if c.accept("never", "restarting"):
        return "never", None, None
    name = c.name()
    for word in ("first", "last"):
        if c.accept(word):
            return word, name, None
    for word in ("before", "after", "for"):
        if c.accept(word):
            return word, name, c.name()
    c.fail("expected a change")


class Experiments:
    """What is made up; a part of the checker."""

    def new_experiments(self) -> None:
        for item in self.of("experiment"):
            tree = item.tree
            if tree.name in self.spec.sequences:
                raise SpecError(f"the sequence `{tree.name}` is declared twice", "E0202", tree.span)
            bases = {one.tree.name: one for one in self.of("sequence")}
            if tree.of not in bases:
                made_up = any(one.tree.name == tree.of for one in self.of("experiment"))
                raise SpecError(f"`{tree.of}` is no sequence", "E0428" if made_up else "E0201", tree.span)
            base = bases[tree.of]
            self.making = tree.name
            site = self.new_site("sequence", tree.name, base.tree, base.clause, None, base.tree.words)
            self.making = None
            sequence = Sequence(
                tree.name, len(self.spec.sequences), site, self.parameters(base.tree), base.tree.policy
            )
            sequence.nest = base.tree.nest
            sequence.has_places = base.tree.binder is not None
            sequence.experiment = self.spec.sequences[tree.of]
            self.spec.sequences[tree.name] = sequence

    def compile_experiments(self) -> None:
        for item in self.of("experiment"):
            self.compile_experiment(item, next(one for one in self.of("sequence") if one.tree.name == item.tree.of))

    def compile_experiment(self, item, base) -> None:
        tree = item.tree
        parts = list(self.flat(base.tree.block, base.clause))
        steps = [part for part in parts if part[0].kind == "step"]
        rest = [part for part in parts if part[0].kind == "restart"]
        changed = copy.copy(base.tree)
        changed.name = tree.name
        moved, instead = False, {}

        def at(name: str) -> int:
            for n, (step, _) in enumerate(steps):
                if step.name == name:
                    return n
            raise SpecError(f"`{name}` is no step", "E0201", tree.span)

        for kind, name, other in tree.changes:
            if kind == "steps":
                changed.policy, changed.by = name, other
            elif kind == "without":
                del steps[at(name)]
            elif kind == "never":
                if not rest:
                    raise SpecError("it never restarts", "E0428", tree.span)
                rest = []
            elif kind == "for":
                self.of_one(tree, name, other)
                if other in instead:
                    raise SpecError("it is replaced already", "E0428", tree.span)
                instead[other] = name
            else:
                if name == other:
                    raise SpecError("a step beside itself", "E0428", tree.span)
                n = at(name)
                if other is not None:
                    at(other)
                step = steps.pop(n)
                to = {"first": 0, "last": len(steps)}.get(kind)
                if to is None:
                    to = at(other) + (kind == "after")
                steps.insert(to, step)
                moved = True
        if not steps:
            raise SpecError("no step is left", "E0428", tree.span)
        if moved and changed.policy in ("any", "chosen"):
            raise SpecError("the order is open", "E0428", tree.span)
        self.left_by_others(base.tree.name, tree)
        changed.block = [self.under(part, base) for part in rest + steps]
        self.spec.sequences[tree.name].policy = changed.policy
        self.making, self.instead, self.replaced = tree.name, instead, set()
        self.compile_sequence(type(base)(changed, base.clause, base.document, base.sequence))
        if self.replaced != set(instead):
            raise SpecError("nothing is replaced", "E0428", tree.span)
        self.making, self.instead = None, {}

    def of_one(self, tree, name: str, of: str) -> None:
        for one in (name, of):
            if one not in self.spec.sequences:
                raise SpecError(f"`{one}` is no sequence", "E0201", tree.span)
        made_of = self.spec.sequences[name].experiment
        if made_of is None or made_of.name != of:
            raise SpecError(f"`{name}` is no experiment of `{of}`", "E0428", tree.span)

    def flat(self, trees, clause):
        """The lines of a sequence, each with the clause around it."""
        for tree in trees:
            if tree.kind == "clause":
                yield from self.flat(tree.block, self.clause_of[id(tree)])
            else:
                yield tree, clause

    def under(self, part, base) -> Tree:
        """A line with its clause around it."""
        line, clause = part
        if clause is base.clause:
            return line
        around = Tree("clause", line.line, line.low, line.high, block=[line])
        self.clause_of[id(around)] = clause
        self.trees.append(around)
        return around

    def left_by_others(self, name: str, tree) -> None:
        if any(left == name and own != name for own, left in self.leaves):
            raise SpecError(f"`leave {name}` outside of it", "E0428", tree.span)

    def itself(self, sequence):
        """What `leave` names, in a step of an experiment the experiment."""
        own = self.spec.sequences.get(self.making)
        if sequence.experiment is not None:
            raise SpecError(f"`{sequence.name}` is an experiment", "E0427", sequence.site.span)
        return own if own is not None and own.experiment is sequence else sequence

    def performed(self, sequence, tree):
        """What is performed where a sequence is named."""
        if sequence.experiment is not None:
            raise SpecError(f"`{sequence.name}` is an experiment", "E0427", tree.span)
        if sequence.name in self.instead:
            self.replaced.add(sequence.name)
            return self.spec.sequences[self.instead[sequence.name]]
        return sequence
