"""All runs from a board: the graph of states under an assignment of the readings, and outcome sets.

Readings are fixed lazily (docs/semantics.md, §3): a graph is built under a partial assignment; where a run
consults a reading that it does not fix, the graph is built anew once for each alternative. So the leaves of
a board partition all full assignments, and a leaf stands for all that agree with it.
"""

from __future__ import annotations

from .model import OVER, Choice, End, NeedsReading, Next
from .observe import observe

DIVERGES = ("diverges",)
LIMIT = ("limit",)


class TooLarge(Exception):
    """The specification is beyond the limits of the judge."""


class Budget:
    """How many states may be visited still."""

    __slots__ = ("left", "per_graph", "visited")

    def __init__(self, states, per_graph):
        self.left = states
        self.per_graph = per_graph
        self.visited = 0


class Consulted(Exception):
    def __init__(self, reading):
        self.reading = reading


class Graph:
    """States of all runs from one board under one assignment. Node 0 is the start."""

    def __init__(self, spec, machine, start, assignment, budget):
        self.spec = spec
        self.machine = machine
        self.assignment = assignment
        self.states = [start]
        self.results = []
        self.succ = []
        self._values = {}
        self._components = None
        self._before = None
        self._steps = None
        index = {start: 0}
        states, results, succ = self.states, self.results, self.succ
        advance = machine.advance
        at = 0
        while at < len(states):
            result = advance(states[at], assignment)
            if type(result) is Next:
                following = (result.state,)
            elif type(result) is Choice:
                following = [a.state for a in result.alternatives]
            elif type(result) is End:
                following = ()
            else:
                budget.left -= len(states)
                budget.visited += len(states)
                raise Consulted(result.reading)
            row = []
            for state in following:
                number = index.get(state)
                if number is None:
                    number = index[state] = len(states)
                    states.append(state)
                row.append(number)
            results.append(result)
            succ.append(row)
            at += 1
            if at > budget.per_graph or at > budget.left:
                raise TooLarge(f"more than {at} states")
        budget.left -= len(states)
        budget.visited += len(states)

    # Events -----------------------------------------------------------------------------------------

    def edges(self):
        """(node, alternative or None, events, successor or None) of all small steps."""
        for i, result in enumerate(self.results):
            if type(result) is Next:
                yield i, None, result.events, self.succ[i][0]
            elif type(result) is Choice:
                for k, a in enumerate(result.alternatives):
                    yield i, k, a.events, self.succ[i][k]
            else:
                yield i, None, result.events, None

    def events_of(self, i, k=None):
        result = self.results[i]
        return result.alternatives[k].events if type(result) is Choice else result.events

    def choices(self):
        for i, result in enumerate(self.results):
            if type(result) is Choice:
                yield i, result

    def ends(self):
        for i, result in enumerate(self.results):
            if type(result) is End:
                yield i, result

    def steps(self):
        """The steps that some run begins."""
        if self._steps is None:
            self._steps = {e[1] for _, _, events, _ in self.edges() for e in events if e[0] == "step begun"}
        return self._steps

    # Structure --------------------------------------------------------------------------------------

    def components(self):
        """(component of each node, [(nodes, has a cycle)] with successors first)."""
        if self._components is None:
            self._components = components(self.succ)
        return self._components

    def limited(self):
        return any(r.tag[0] == "limit" for _, r in self.ends())

    # Outcomes ---------------------------------------------------------------------------------------

    def outcome(self, result, observer):
        """What an end looks like to an observer (§5, §6)."""
        tag = result.tag
        if tag[0] == "limit":
            return LIMIT
        if tag[0] == "conflict":
            site = result.site
            tag = ("conflict", site.clause.id if site.clause else None, site.words)
        if tag[0] in OVER:  # the game is over
            return (tag, ())
        try:
            return (tag, observe(self.spec, observer, result.data, self.assignment))
        except NeedsReading:
            raise TooLarge("an observer consults a reading that no run does") from None

    def values(self, observer):
        """V of each node: a frozenset of outcomes."""
        key = id(observer)
        if key in self._values:
            return self._values[key]
        component, parts = self.components()
        of_part = []
        ends = {}
        for nodes, cyclic in parts:
            found = set()
            single = None
            own = len(of_part)
            for i in nodes:
                result = self.results[i]
                if type(result) is End:
                    outcome = self.outcome(result, observer)
                    found.add(ends.setdefault(outcome, outcome))
                for j in self.succ[i]:
                    c = component[j]
                    if c != own:
                        v = of_part[c]
                        if single is None and not found:
                            single = v
                            found = set(v)
                        elif v is not single:
                            found |= v
            if cyclic:
                found.add(DIVERGES)
            of_part.append(single if single is not None and len(single) == len(found) else frozenset(found))
        values = [of_part[c] for c in component]
        self._values[key] = values
        return values


def components(succ):
    """Strongly connected components by Tarjan, successors first, without recursion."""
    n = len(succ)
    number = [-1] * n
    low = [0] * n
    component = [-1] * n
    parts = []
    stack = []
    count = 0
    for root in range(n):
        if number[root] >= 0:
            continue
        number[root] = low[root] = count
        count += 1
        stack.append(root)
        work = [(root, iter(succ[root]))]
        while work:
            i, rest = work[-1]
            for j in rest:
                if number[j] < 0:
                    number[j] = low[j] = count
                    count += 1
                    stack.append(j)
                    work.append((j, iter(succ[j])))
                    break
                if component[j] < 0 and number[j] < low[i]:
                    low[i] = number[j]
            else:
                work.pop()
                if work and low[i] < low[work[-1][0]]:
                    low[work[-1][0]] = low[i]
                if low[i] == number[i]:
                    nodes = []
                    while True:
                        j = stack.pop()
                        component[j] = len(parts)
                        nodes.append(j)
                        if j == i:
                            break
                    parts.append((nodes, len(nodes) > 1 or i in succ[i]))
    return component, parts


def leaves(spec, machine, start, budget, fixed=None):
    """Graphs of one board under all assignments that its runs tell apart, of those that are fixed (one or several)."""
    found = []
    pending = [dict(a) for a in reversed(fixed)] if type(fixed) is list else [dict(fixed or {})]
    while pending:
        assignment = pending.pop()
        try:
            found.append(Graph(spec, machine, start, assignment, budget))
        except Consulted as consulted:
            reading = consulted.reading
            for k in reversed(range(len(reading.alternatives))):
                more = dict(assignment)
                more[reading.index] = k
                pending.append(more)
        if len(pending) + len(found) > 512:
            raise TooLarge("more than 512 combinations of readings")
    return found


def differ_in_one(first, second):
    """The only reading in which two leaves have to differ, if full assignments exist that do just so."""
    only = None
    for reading, alternative in first.items():
        if reading in second and second[reading] != alternative:
            if only is not None:
                return None
            only = reading
    return only
