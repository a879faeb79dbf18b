"""Observers that see of several things one value each: `sees c in pile by c.kind` (docs/semantics.md §5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Optional

from .model import Exceeded, NeedsReading, NoValue, Sort, Span, Type
from .names import plain
from .values import LACKS, Missing, Scope, spend, spent


NO_VALUE = ("no value",)


class Values(NamedTuple):
    """What is seen: ((identity of whose zone it is or None, values), ...), as the things lie."""

    rows: tuple
    as_set: bool

    def as_named(self, named: Callable) -> tuple:
        """Equal exactly if the same is seen, created entities being called by their names."""
        rows = [(named(owner), tuple(map(named, values))) for owner, values in self.rows if values]
        if self.as_set:
            rows = [(owner, tuple(sorted(values, key=repr))) for owner, values in rows]
        return tuple(sorted(rows, key=repr))


@dataclass(eq=False)
class SeenBy:
    """A line of an observer; `value(data, locals, assignment, old)` as of an Expression, and gives Values."""

    type: Type  # of one value
    span: Span
    text: str  # from the binder on, as written
    as_set: bool
    owner: Optional[Sort]  # of a family: each value is seen with whose zone it is of, also in a set
    value: Callable


def seen_by(compiler: Any, sight: Any) -> SeenBy:
    tree = sight.what
    binder = compiler.binder(tree.binder, Scope())
    by = compiler.compile(tree.by, binder.scope)
    if by.type.kind == "none":
        compiler.wrong(tree.by, "nothing says which sort is meant", "E0308")
    zone = binder.zone
    as_set = sight.as_set or zone is None or zone.unordered
    elements, run, weight = binder.elements, by.run, by.weight

    def value(d, l, a, o):
        missing, values = None, {}
        for element in elements(d, l, a, o):
            spend(weight)
            try:
                values[element] = run(d, l + (element,), a, o)
            except LACKS as why:
                missing = missing or Missing()
                missing.add(why)
        if missing:
            missing.tell()
        if not binder.family:
            return Values(((None, tuple(values.values())),), as_set)
        return Values(tuple(
            (zone.owner.base + slot, tuple(values[one] for one in inside if one in values))
            for slot, inside in enumerate(d[2][zone.index])
        ), as_set)

    return SeenBy(by.type, tree.span, tree.text, as_set, zone.owner if binder.family else None, value)


# The rows of a witness ------------------------------------------------------------------------------------


def in_words(line: SeenBy, data: Any, assignment: dict, name: Callable) -> Optional[tuple]:
    """The values as a row tells them, sorted where only how often each occurs is seen; None of what has no words."""
    spent[0] = 0
    try:
        seen = line.value(data, (), assignment, None)
    except NoValue:
        return NO_VALUE
    except (NeedsReading, Exceeded):
        return None
    words = []
    for owner, values in seen.rows:
        whose = name(owner) if owner is not None and values else ""
        for value in values:
            text = value_words(line.type, value, name)
            if text is None or whose is None:
                return None
            words.append(f"{text} ({whose})" if whose else text)
    return tuple(sorted(words) if line.as_set else words)


def value_words(type_: Type, value: Any, name: Callable) -> Optional[str]:
    if value is None:
        return "none"
    if type_.kind in ("entity", "optional"):
        return name(value)
    if type(value) is bool:
        return "true" if value else "false"
    return plain(str(value)) if type_.kind == "enum" else str(value)


def kinds_told(checker: Any, finding: dict, observer: Any, ends: list, name: Callable) -> None:
    """There is a row for each such line of which the values differ, and it tells them. `ends`: (data, assignment)."""
    tally, title = checker.tally, checker.title(finding)
    rows = {d["what"]: (d["first"], d["second"]) for d in finding["witness"]["differences"]}
    for line in observer.expressions:
        if type(line) is not SeenBy:
            continue
        mine = tuple(in_words(line, data, assignment, name) for data, assignment in ends)
        if None in mine or mine == (NO_VALUE, NO_VALUE):  # two gaps are told alike
            tally.skip("values seen")
            continue
        told = None
        if line.text in rows:
            told = tuple(() if row == "nothing" else tuple(row.split(", ")) for row in rows[line.text])
            told = tuple(tuple(sorted(row)) for row in told) if line.as_set else told
        has = mine if mine[0] != mine[1] else None
        tally.check("values seen", told == has,
                    f"{title}: {line.text}: {rows.get(line.text)}; the judge has {has}")
