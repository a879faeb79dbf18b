"""The sentences of a report that name readings, and conditions on boards."""

from __future__ import annotations

import re
from itertools import product

from . import claims as C
from . import lexer, parse_items
from .evaluate import BOOLEAN, Compiler, Scope
from .model import SpecError


def parse_readings(spec, text):
    """A predicate on full assignments (dicts by index), or None if the words are not known."""
    text = text.removeprefix("found ").removesuffix(" that was tried")  # others may have it, too
    if text in ("", "under every reading"):
        return lambda a: True
    if not text.startswith("only if "):
        return None
    ways = []
    for way in text[len("only if "):].split("; or "):
        terms = []
        for term in way.split(", "):
            if " = " not in term:
                return None
            name, alternative = term.rsplit(" = ", 1)
            reading = next((r for r in spec.readings if r.name == name), None)
            if reading is None or alternative not in reading.alternatives:
                return None
            terms.append((reading.index, reading.alternatives.index(alternative)))
        ways.append(terms)
    return lambda a: any(all(a.get(r) == k for r, k in terms) for terms in ways)


def full_assignments(spec, limit=256):
    """All full assignments, or None if there are too many."""
    count = 1
    for reading in spec.readings:
        count *= len(reading.alternatives)
    if count > limit:
        return None
    indices = [r.index for r in spec.readings]
    return [dict(zip(indices, ks)) for ks in product(*(range(len(r.alternatives)) for r in spec.readings))]


def covers(partial, full):
    return all(full[r] == k for r, k in partial.items())


def readings_statement(spec, text, assignments):
    """What is wrong with the words about readings, or None; ('unknown', …) if it cannot be said."""
    if not spec.readings:
        return None if text == "" else f"readings {text!r}, and there are none"
    says = parse_readings(spec, text)
    if says is None:
        return ("unknown", text)
    every = full_assignments(spec)
    if every is None:
        return ("unknown", "too many readings")
    for full in every:
        shown = any(covers(a, full) for a in assignments)
        if shown and not says(full):
            return f"{text!r}, and it is also found under {words(spec, full)}"
        if not shown and says(full):
            return f"{text!r}, and it is not found under {words(spec, full)}"
    return None


def words(spec, assignment):
    return ", ".join(
        f"{r.name} = {r.alternatives[assignment[r.index]]}" for r in spec.readings if r.index in assignment)


def true_on(spec, expression, data):
    """Whether a condition is true of a board, whatever the readings."""
    return all(value is True for value, _ in C.under(spec, expression, data, {}))


class Conditions:
    """Compiles conditions on boards that a report is written in, in the names of a specification."""

    def __init__(self, path):
        from .check import World

        self.world = World(path)
        self.world.read_file(path)
        self.world.declare()
        self.compiler = Compiler(self.world, old_allowed=False)
        for definition in self.world.definitions.values():
            self.compiler.definition(definition, definition.tree)
        self.known = {}

    def about(self, text, sort):
        """A condition on an entity of a sort, by whatever name it is called in; None if it is not understood."""
        key = (text, sort)
        if key not in self.known:
            self.known[key] = None
            lines = lexer.lines_of(f"legal judged: {text}\n", "<condition>", 10**6)
            tree = parse_items.file(lines)[0].condition
            type_ = self.world.sorts[sort.name].type
            for name in dict.fromkeys(re.findall(r"[A-Za-z_]\w*", text)):
                try:
                    self.known[key] = self.compiler.expression(tree, Scope().bind(name, type_), BOOLEAN)
                    break
                except SpecError:
                    continue
        return self.known[key]

    def compile(self, text):
        if text not in self.known:
            lines = lexer.lines_of(f"legal judged: {text}\n", "<condition>", 10**6)
            tree = parse_items.file(lines)[0]
            self.known[text] = self.compiler.expression(tree.condition, Scope(), BOOLEAN)
        return self.known[text]
