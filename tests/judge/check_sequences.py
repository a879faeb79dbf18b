"""Triggers and sequences with their steps, restarts and contracts; a part of `check.World`."""

from __future__ import annotations

from typing import Optional

from .build import BASES, Builder, clause_basis
from .evaluate import Compiler
from .happen import TriggerNode
from .iterate import ForEach
from .model import Contract, Reading, Sequence, Site, SpecError, Step, Trigger
from .parse import Tree
from .run import Passes, Restart, StepNode
from .values import BOOLEAN, INTEGER, Scope


class Procedures:
    """Compiles what happens. `self` is a World."""

    def compile_trigger(self, item, index: int) -> None:
        tree, spec = item.tree, self.spec
        if any(trigger.name == tree.name for trigger in spec.triggers):
            raise SpecError(f"the trigger `{tree.name}` is declared twice", "E0202", tree.span)
        event = spec.events.get(tree.event)
        if event is None:
            raise SpecError(f"`{tree.event}` is no event", "E0201", tree.span)
        if len(tree.payload) != len(event.parameters):
            raise SpecError(f"`{event.name}` has {len(event.parameters)} parameters", "E0302", tree.span)
        if tree.priority and (event.queue is None or event.queue.discipline != "priority"):
            raise SpecError("a priority needs a queue by priority", "E0420", tree.span)
        site = self.new_site("trigger", tree.name, tree, item.clause, None, tree.words)
        trigger = Trigger(tree.name, event, site, tree.priority, tree.listener is not None, index=index)
        builder = Builder(self, site)
        with self.spoken.within("trigger", tree.name):
            self.compile_listener(trigger, builder, item)
        trigger.performs = builder.performs
        self.settle_basis(site, builder, item.clause, None)
        event.triggers.append(trigger)
        spec.triggers.append(trigger)

    @staticmethod
    def compile_listener(trigger: Trigger, builder: Builder, item) -> None:
        tree, event, site = item.tree, trigger.event, trigger.site
        node = TriggerNode(trigger)
        scope = Scope()
        if tree.listener is not None:
            node.listener = builder.binder(tree.listener, scope)
            scope = node.listener.scope
        for name, (_, type_) in zip(tree.payload, event.parameters):
            scope = builder.bind(scope, name, type_, tree)
        if tree.where is not None:
            node.where = builder.code(tree.where, scope, BOOLEAN)
        node.block = builder.block(tree.block, scope, item.clause, site)
        trigger.body = node

    def settle_basis(self, site: Site, builder: Builder, clause, sequence_basis: Optional[str]) -> None:
        """On what a step or trigger stands (docs/language-types.md, "Clauses and basis")."""
        own = getattr(site, "own_basis", None)
        cites = site.cites or site.parent is not None and site.parent.cites
        # what is said of all that stands under no clause inside of it
        rest = clause_basis(clause) or sequence_basis or ("text" if cites else "invented")
        if own:
            site.basis = own
        elif builder.bases:
            site.basis = max([*builder.bases, *([rest] if builder.bare else [])], key=BASES.index)
        else:
            site.basis = rest

    def compile_sequence(self, item) -> None:
        with self.spoken.within("sequence", item.tree.name):
            self.compile_all_of(item)

    def compile_all_of(self, item) -> None:
        tree = item.tree
        sequence = self.spec.sequences[tree.name]
        builder = Builder(self, sequence.site)
        scope = Scope()
        for name, type_ in sequence.parameters:
            scope = builder.bind(scope, name, type_, tree)
        outside = scope
        passes = sequence.passes = Passes(sequence)
        if tree.by is not None:
            passes.by = builder.decider(tree.by, outside)
        if tree.binder is not None:
            passes.binder = builder.binder(tree.binder, outside)
            passes.order = builder.order(tree.order, outside, passes.binder)
            self.number_by_order(passes.order, passes.binder)
            scope = passes.binder.scope
        basis: list = [None]
        self.sequence_items(tree.block, item.clause, sequence, scope, outside, basis, item.clause)
        for step, step_builder, clause in sequence.pending:
            inner = clause if clause is not item.clause else None
            around = clause_basis(item.clause) if item.clause is not None else None
            self.settle_basis(step.site, step_builder, inner, basis[0] or around)
            step.clauses = self.clauses_of(clause, step_builder, step.site)
            if sequence.experiment is not None:
                step.site.basis = "invented"
        del sequence.pending
        if sequence.experiment is not None:
            # what the text leaves open is one reading for both
            if sequence.policy == "unspecified":
                sequence.steps_reading = sequence.experiment.steps_reading
            sequence.nest_reading = sequence.experiment.nest_reading
            return
        if sequence.policy == "unspecified":
            sequence.steps_reading = self.implicit(sequence, tree, item.clause, "steps", ["binding", "free"])
        if sequence.nest == "unspecified":
            sequence.nest_reading = self.implicit(sequence, tree, item.clause, "nesting", ["steps", "places"])

    def clauses_of(self, clause, builder: Builder, site: Site) -> list:
        found = []
        while clause is not None:
            found.append(clause)
            clause = clause.parent
        found += [inner for inner in builder.clauses if inner not in found]
        found += [self.spec.clauses[id_] for id_ in site.cites if id_ in self.spec.clauses]
        return found

    def implicit(self, sequence: Sequence, tree: Tree, clause, kind: str, alternatives: list) -> Reading:
        name = f"{sequence.name} {'order' if kind == 'steps' else kind}"
        reading = Reading(
            name, len(self.spec.readings), kind, alternatives, list(alternatives), [[], []], clause, sequence, tree.span
        )
        self.spec.readings.append(reading)
        return reading

    def sequence_items(self, trees, clause, sequence, scope, outside, basis, around) -> None:
        for tree in trees:
            if tree.kind == "clause":
                self.sequence_items(
                    tree.block, self.clause_of[id(tree)], sequence, scope, outside, basis, around
                )
            elif tree.kind == "step":
                self.compile_step(tree, clause, sequence, scope, outside)
            elif tree.kind == "restart":
                if sequence.restart:
                    raise SpecError("a second `restart`", "E0417", tree.span)
                self.compile_restart(tree, clause, sequence, outside)
            elif tree.kind == "contract":
                if sequence.contract:
                    raise SpecError("a second `contract`", "E0417", tree.span)
                self.spoken.comes_to("contract", sequence.name)
                with self.spoken.within("contract", sequence.name):
                    self.compile_contract(tree, sequence, outside)
            elif tree.kind == "cites":
                self.cite(tree, sequence.site)
            elif tree.kind == "basis" and clause is around:
                if basis[0] is not None:
                    raise SpecError("a second `basis`", "E0417", tree.span)
                basis[0] = tree.basis
        sequence.pending = sequence.__dict__.get("pending", [])

    def compile_step(self, tree, clause, sequence, scope, outside) -> None:
        if any(step.name == tree.name for step in sequence.steps):
            raise SpecError(f"the step `{tree.name}` is declared twice", "E0202", tree.span)
        site = self.new_site("step", f"{sequence.name}/{tree.name}", tree, clause, sequence.site, tree.line.all_words())
        builder = Builder(self, site)
        step = Step(tree.name, len(sequence.steps), sequence, site)
        block = builder.block(tree.block, scope, clause, site)
        compiler = Compiler(self)
        for condition, _ in builder.ensures if sequence.experiment is None else ():
            step.ensures.append(compiler.expression(condition, scope, BOOLEAN))
        step.body = block
        step.node = StepNode(step, block)
        step.node.direct = [node for node in block.statements if independent(node, outside)]
        sequence.steps.append(step)
        sequence.performs |= builder.performs
        sequence.__dict__.setdefault("pending", []).append((step, builder, clause))

    def compile_restart(self, tree, clause, sequence, outside) -> None:
        site = self.new_site("restart", f"{sequence.name}/before restarting", tree, clause, sequence.site, tree.words)
        builder = Builder(self, site)
        condition = builder.code(tree.condition, outside, BOOLEAN)
        block = builder.block(tree.before, outside, clause, site) if tree.before else None
        sequence.restart = Restart(
            sequence, site, condition, builder.policy(tree.cancel), builder.policy(tree.unfinished), block
        )
        sequence.restart_site = site
        sequence.performs |= builder.performs

    def compile_contract(self, tree, sequence, outside) -> None:
        compiler = Compiler(self)
        contract = Contract([], [])
        known: list = []
        for line in tree.lines:
            if line.kind == "ensures":
                contract.ensures.append(compiler.expression(line.condition, outside, BOOLEAN))
                continue
            place, owner = self.contract_place(line.place, compiler, outside)
            self.spoken.place(place)
            within = None
            if line.within is not None:
                if place.type.kind != "integer":
                    raise SpecError(f"found a range for {place.type!r}, expected none", "E0301", line.span)
                within = tuple(compiler.expression(end, outside, INTEGER) for end in line.within)
            named = getattr(line.place, "words", None)
            for other, whole, words in known:
                if other is place and (owner is None or whole or words == named):
                    raise SpecError("two lines about one place", "E0421", line.span)
            known.append((place, owner is None, named))
            contract.changes.append((place, owner, within))
        sequence.contract = contract

    def contract_place(self, tree, compiler, outside) -> tuple:
        if tree.kind == "name" and tree.name in self.variables:
            return self.variables[tree.name], None
        if tree.kind == "field" and tree.owner.kind == "name":
            name = tree.owner.name
            sort = None if name in outside.names else self.sorts.get(name)
            owner = None if sort is not None else compiler.expression(tree.owner, outside)
            if owner is not None:
                sort = owner.type.sort
            place = next((field for field in sort.fields if field.name == tree.name), None) if sort else None
            if place is not None:
                return place, owner
            raise SpecError(f"`{tree.name}` is no field", "E0208", tree.span)
        raise SpecError("expected the field of a parameter or of a sort, or a variable", "E0304", tree.span)


def independent(node, outside: Scope) -> bool:
    """Whether an iteration depends on no local that its step binds before it."""
    return isinstance(node, ForEach) and not node.names & (node.known - set(outside.names))
