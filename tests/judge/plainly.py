"""How plainly two runs show a difference: not with one that stops where some board has two that do not (docs/semantics.md §10)."""

from __future__ import annotations

from .claims import SPOKEN
from .graph import DIVERGES, LIMIT, differ_in_one
from .model import Choice
from .orders import Points, pair_name, subject

ORDERS = ("F0201", "F0202")
READINGS = ("F0401", "F0402", "F0403")
WEAKEST = "invented"


def normal(outcome):
    return outcome not in (DIVERGES, LIMIT) and outcome[0][0] in SPOKEN


def plainest(one, two):
    """Whether two sides differ in an end that is none of the other's, and both have ends that do not stop."""
    return any(normal(o) for o in one ^ two) and all(any(map(normal, side)) for side in (one, two))


def plainly(checker, finding, ends):
    """Of a finding whose runs are not shown most plainly: no board of its scope shows it so, on as strong a basis."""
    judge, spec, number = checker.judge, checker.spec, finding["scope"]
    if finding["code"] not in (*ORDERS, *READINGS) or finding["suggested"] or finding["written"] or len(ends) != 2:
        return
    if all(replay.end is not None and replay.end.tag[0] in SPOKEN for replay, _ in ends):
        return
    alike = finding["basis"] == WEAKEST or all(site.basis == "text" for site in spec.sites) and all(
        set(kinds) == {"ends"} for kinds in spec.world.gaps.values())  # whatever goes on rests on less
    if not alike or number is None or number >= len(judge.scopes):
        checker.tally.skip("plainly")
        return
    scope = judge.scopes[number]
    of_board = of_orders if finding["code"] in ORDERS else of_readings
    found = any(of_board(finding, [g for g in judge.graphs(scope, orbit) if not g.limited()], scope.observer)
                for orbit in judge.orbits[number])
    checker.tally.check("plainly", not found, f"{checker.title(finding)}: a run that stops is shown, and some board has two that do not")


def of_orders(finding, graphs, observer):
    wanted = (finding["subject"].removeprefix("trigger "), finding["cause"])
    for graph in graphs:
        values, points = graph.values(observer), Points(graph, observer)
        for i, choice in graph.choices():
            if choice.kind != "order" or choice.conflict or not any(map(normal, values[i])) or len(values[i]) == 1:
                continue
            if any(plainest(points.both(i, k, m), points.both(i, m, k)) for k, m in pairs(graph.spec, choice, wanted)):
                return True
    return False


def pairs(spec, choice: Choice, wanted):
    labels = [a.label for a in choice.alternatives]
    if subject(spec, choice) == wanted[0]:
        for m in range(len(labels)):
            for k in range(m):
                if pair_name(spec, choice, labels[k], labels[m]) == wanted[1]:
                    yield k, m


def of_readings(finding, graphs, observer):
    for n, second in enumerate(graphs):
        for first in graphs[:n]:
            reading = differ_in_one(first.assignment, second.assignment)
            if reading is None or second.spec.readings[reading].name != finding["subject"]:
                continue
            taken = sorted((first.assignment[reading], second.assignment[reading]))
            names = [second.spec.readings[reading].alternatives[k] for k in taken]
            sides = [graph.values(observer)[0] for graph in (first, second)]
            if " | ".join(names) == finding["cause"] and plainest(*sides):
                return True
    return False


__all__ = ["plainly"]
