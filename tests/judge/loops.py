"""Games on the graph: what somebody can force or avoid (docs/semantics.md, §7), and loops by class (§8)."""

from __future__ import annotations

from .graph import DIVERGES, leaves
from .model import Choice, End

MANDATORY, ORDER, CHANCE, OPTIONAL = "F0501", "F0502", "F0503", "F0504"
TOGETHER = "together"


def predecessors(graph):
    if graph._before is None:
        before = [[] for _ in graph.succ]
        for i, row in enumerate(graph.succ):
            for j in row:
                before[j].append(i)
        graph._before = before
    return graph._before


def attractor(graph, targets, ours):
    """Nodes from which those for whose choices `ours(choice)` is true can make sure of reaching a target."""
    before = predecessors(graph)
    inside = set(targets)
    missing = {}
    work = list(inside)
    results = graph.results
    while work:
        j = work.pop()
        for i in before[j]:
            if i in inside:
                continue
            result = results[i]
            if type(result) is Choice and not ours(result):
                left = missing.get(i)
                if left is None:
                    left = len(graph.succ[i])
                left -= 1
                missing[i] = left
                if left:
                    continue
            inside.add(i)
            work.append(i)
    return inside


def nobody(choice):
    return choice.decider is None


def everybody(choice):
    """Choices of players, alone or together."""
    return choice.decider is not None and choice.decider != "chance"


def deciders(graph):
    """The players who decide something somewhere."""
    return sorted({c.decider for _, c in graph.choices() if type(c.decider) is int})


def loop_nodes(graph):
    """Nodes that lie on a cycle."""
    found = []
    for nodes, cyclic in graph.components()[1]:
        if cyclic:
            found.extend(nodes)
    return found


def classes(graph):
    """{node on a cycle: (code, players who can end it alone)}; None where a limit leaves it open."""
    nodes = loop_nodes(graph)
    if not nodes:
        return {}
    ends = [i for i, r in graph.ends() if r.tag[0] != "limit"]
    given_up = [i for i, r in graph.ends() if r.tag[0] == "limit"]
    found = _classes(graph, nodes, ends + given_up)
    if given_up:
        found = {i: c if c[0] == MANDATORY else None for i, c in found.items()}
    return found


def rounds(judge, graph):
    """[(classes of nodes on cycles, assignment)]; where runs leave the bounds, of those on which tallies stay as they
    are."""
    still = judge.still(graph.machine)
    if still is None or not graph.limited():
        return [(classes(graph), graph.assignment)]
    found = leaves(graph.spec, still, graph.states[0], judge.budget, graph.assignment)
    return [(classes(one), one.assignment) for one in found]


def _classes(graph, nodes, ends):
    can_end = attractor(graph, ends, lambda c: True)
    with_luck = attractor(graph, ends, lambda c: not nobody(c))
    together = attractor(graph, ends, everybody)
    players = {p: attractor(graph, ends, lambda c, p=p: c.decider == p) for p in deciders(graph)}
    found = {}
    for i in nodes:
        if i not in can_end:
            found[i] = (MANDATORY, ())
        elif i not in with_luck:
            found[i] = (ORDER, ())
        elif i not in together:
            found[i] = (CHANCE, ())
        else:
            found[i] = (OPTIONAL, tuple(p for p, won in players.items() if i in won))
    return found


def powers(graph, observer):
    """{(player, outcome): (can force, can avoid)} at the start, for all players who decide something, and
    for the players together (TOGETHER)."""
    outcomes = {}
    for i, r in graph.ends():
        outcomes.setdefault(graph.outcome(r, observer), []).append(i)
    found = {}
    for p in [*deciders(graph), TOGETHER]:

        def ours(choice, p=p):
            return everybody(choice) if p == TOGETHER else choice.decider == p

        def theirs(choice, ours=ours):
            return not ours(choice)

        for outcome, nodes in outcomes.items():
            force = 0 in attractor(graph, nodes, ours)
            avoid = 0 not in attractor(graph, nodes, theirs)
            found[p, outcome] = (force, avoid)
        ends = [i for i, _ in graph.ends()]
        if DIVERGES in graph.values(observer)[0]:
            force = 0 not in attractor(graph, ends, theirs)
            found[p, DIVERGES] = (force, 0 in attractor(graph, ends, ours))
    return found


def powers_differ(first, second, observer):
    """Pairs (player, outcome, 'force' | 'avoid') that only one of two boards or readings has (§7)."""
    a, b = powers(first, observer), powers(second, observer)
    va, vb = first.values(observer)[0], second.values(observer)[0]
    found = set()
    for key in set(a) | set(b):
        p, outcome = key
        # a player who decides nothing forces what happens anyway, and avoids what cannot happen
        pa = a.get(key) or (va == {outcome}, outcome not in va)
        pb = b.get(key) or (vb == {outcome}, outcome not in vb)
        if pa[0] != pb[0]:
            found.add((p, outcome, "force"))
        if pa[1] != pb[1]:
            found.add((p, outcome, "avoid"))
    return found


__all__ = ["DIVERGES", "End", "attractor", "classes", "powers", "powers_differ", "rounds"]
