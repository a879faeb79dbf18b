"""Draws a finding as text: what is wrong, the board, the runs."""

from __future__ import annotations

from collections.abc import Iterator

from .results import Board, Finding, Run


def finding(one: Finding) -> str:
    lines = [f"{one.code}  {one.title}", f"  {one.text}"]
    if one.occurs_on:
        lines.append(f"  occurs on: {one.occurs_on}")
    runs = one.witness.runs if one.witness else []
    if runs:
        lines += ["", "The board", *board(runs[0].board)]
    for run in runs:
        lines += ["", *_run(run)]
    return "\n".join(lines)


def board(one: Board) -> list[str]:
    """Each sort as a table with its fields and where things lie; then variables."""
    where = {name: zone for zone, names in one.zones.items() for name in names}
    lines = []
    there = [entity for entity in one.entities if not entity.removed]
    for sort in dict.fromkeys(entity.sort for entity in there):
        own = [entity for entity in there if entity.sort == sort]
        names = list(dict.fromkeys(name for entity in own for name in entity.fields))
        lies = ["in"] if any(entity.name in where for entity in own) else []
        rows = [[sort, *names, *lies]]
        for entity in own:
            values = [entity.fields.get(name, "") for name in names]
            rows.append([entity.name, *values, *([where.get(entity.name, "")] if lies else [])])
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines += ["  " + "  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
    return lines + [f"  {name} = {value}" for name, value in one.variables.items()]


def _run(run: Run) -> Iterator[str]:
    yield run.title or "What happens"
    heading = None
    for moment in run.trace or []:
        heading = moment.heading or heading
        lines = list(moment.changes)
        if moment.choice:
            offered = " or ".join(moment.choice.offered)
            lines.insert(0, f"chosen: {moment.choice.taken} (of {offered}; {moment.choice.decider})")
        if lines and heading:
            yield f"  {heading}"
            heading = None
        yield from (f"    {line}" for line in lines)
    yield f"  => {run.text}"
