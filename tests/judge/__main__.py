"""`python3 -m judge SPEC` (from tests/): the boards of each verified sequence, and how runs from them end."""

from __future__ import annotations

import sys

if __package__ in (None, ""):
    import os

    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "judge"

from .boards import orbits  # noqa: E402
from .model import Choice, Consult, End, SpecError, load  # noqa: E402
from .run import Machine  # noqa: E402


def ends_of(machine: Machine, sequence, data, assignment: dict, most: int = 1_000_000, arguments=()) -> dict:
    """All ends of runs from a board: (assignment, tag, data) -> number of states; the assignments are those consulted."""
    found: dict = {}
    waiting = [dict(assignment)]
    states = 0
    while waiting:
        a = waiting.pop()
        seen = {machine.start(sequence, data, arguments)}
        todo = list(seen)
        ends: dict = {}
        while todo:
            state = todo.pop()
            result = machine.advance(state, a)
            if type(result) is Consult:
                reading = result.reading
                waiting += [{**a, reading.index: i} for i in range(len(reading.alternatives))]
                break
            if type(result) is End:
                ends[(result.tag, result.data)] = None
                continue
            for other in [x.state for x in result.alternatives] if type(result) is Choice else [result.state]:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
            if len(seen) > most:
                raise MemoryError("too many states")
        else:
            states += len(seen)
            found[tuple(sorted(a.items()))] = ends
    return found


def main(paths: list) -> int:
    for path in paths:
        try:
            spec = load(path)
        except SpecError as error:
            print(error)
            return 1
        for verify in spec.verifies:
            boards = orbits(spec, verify.sequence, verify)
            tags: dict = {}
            for orbit in boards:
                machine = Machine(spec, verify.contracts)
                for ends in ends_of(machine, verify.sequence, orbit.data, {}).values():
                    for tag, _ in ends:
                        tags[tag] = tags.get(tag, 0) + 1
            numberings = sum(orbit.count for orbit in boards)
            print(f"{verify.sequence.name}: {len(boards)} boards ({numberings} numberings)")
            for tag, number in sorted(tags.items(), key=repr):
                print(f"  {number} {' '.join(map(str, tag))}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) > 2:
        from .judging import main  # noqa: F811  (a report is judged)
    sys.exit(main(sys.argv[1:]))
