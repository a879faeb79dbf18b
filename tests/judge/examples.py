"""Worked examples (docs/semantics.md, §9): which of their lines are not met."""

from __future__ import annotations

from .claims import NO_VALUE, Unknown, under
from .graph import Consulted, TooLarge, components
from .model import Choice, Consult, End, Next


class Play:
    """All runs of an example under an assignment: states with how far the choices and lines have come."""

    def __init__(self, spec, machine, example, assignment, budget, labels):
        self.spec = spec
        self.example = example
        self.assignment = assignment
        self.failed = set()  # numbers of lines that some run does not meet
        self.possible = set()  # numbers of `possible` lines that some run meets
        self.limited = False
        self.ends = False  # whether every run ends, and there is one
        self.executed = set()
        lines = example.lines
        self.chooses = [n for n, line in enumerate(lines) if line.kind == "choose"]
        self.afters = [n for n, line in enumerate(lines) if line.kind == "after"]
        self.rest = [n for n, line in enumerate(lines) if line.kind not in ("choose", "after")]
        board = example.board.data
        start = (machine.start(example.sequence, board, example.arguments), 0, 0, frozenset())
        index = {start: 0}
        nodes = [start]
        succ = []
        results = {}
        at = 0
        while at < len(nodes):
            state, choice_at, after_at, met = nodes[at]
            result = results.get(state)
            if result is None:
                result = results[state] = machine.advance(state, assignment)
            row = []
            if type(result) is Consult:
                raise Consulted(result.reading)
            if type(result) is End:
                after_at = self.passed(result.events, result.data, choice_at, after_at, board)
                self.ended(result, choice_at, after_at, met | self.met(result.events), board)
            elif type(result) is Next:
                after_at = self.passed(result.events, result.state.data, choice_at, after_at, board)
                row.append((result.state, choice_at, after_at, met | self.met(result.events)))
            else:
                offered = result.alternatives
                if choice_at < len(self.chooses) and not any(n < self.chooses[choice_at] for n in self.afters[after_at:]):
                    wanted = lines[self.chooses[choice_at]].text.replace("_", " ")
                    named = [(a, labels(self, result, a.label)) for a in offered]
                    chosen = [a for a, label in named if label and label.replace("_", " ") == wanted]
                    if chosen:
                        offered = chosen[:1]
                        choice_at += 1
                for a in offered:
                    passed = self.passed(a.events, a.state.data, choice_at, after_at, board)
                    row.append((a.state, choice_at, passed, met | self.met(a.events)))
            numbers = []
            for node in row:
                if node not in index:
                    index[node] = len(nodes)
                    nodes.append(node)
                numbers.append(index[node])
            succ.append(numbers)
            at += 1
            if at > budget.per_graph or at > budget.left:
                raise TooLarge("an example has too many states")
        budget.left -= at
        budget.visited += at
        component, parts = components(succ)
        self.ends = not any(cyclic for _, cyclic in parts)
        for nodes_of, cyclic in parts:
            if cyclic:
                self.failed.update(n for n in self.rest if lines[n].kind == "outcome")
                for i in nodes_of:
                    state, choice_at, after_at, met = nodes[i]
                    self.waiting(choice_at, after_at)
                    # a run that goes on for ever may have met on its way what is expected of every run
                    self.failed.update(n for n in self.rest if lines[n].kind == "gap" and lines[n].gap not in met)

    def waiting(self, choice_at, after_at):
        """Of the lines that a run does not come to, the first is not met."""
        left = self.chooses[choice_at:choice_at + 1] + self.afters[after_at:after_at + 1]
        if left:
            self.failed.add(min(left))

    def met(self, events):
        """The gaps that go on which are met, as lines name them; of some run it is enough to have met them once."""
        found = frozenset(("name", e[1].gap) for e in events if e[0] == "executed" and e[1].is_met)
        lines = self.example.lines
        self.possible.update(n for n in self.rest if lines[n].kind == "possible gap" and lines[n].gap in found)
        return frozenset(gap for gap in found if any(lines[n].kind == "gap" and lines[n].gap == gap for n in self.rest))

    def passed(self, events, data, choice_at, after_at, board):
        lines = self.example.lines
        self.executed.update(
            e[1] if e[0] == "executed" else e[1].site for e in events if e[0] in ("executed", "step begun", "trigger"))
        for e in events:
            if e[0] == "step ended" and after_at < len(self.afters):
                n = self.afters[after_at]
                if lines[n].step is e[1] and not any(c < n for c in self.chooses[choice_at:]):
                    for value, a in under(self.spec, lines[n].expression, data, self.assignment, board):
                        if value is not True:
                            self.failed.add(n)
                    after_at += 1
        return after_at

    def ended(self, end, choice_at, after_at, gaps, board):
        lines = self.example.lines
        if end.tag[0] == "limit":
            self.limited = True
            return
        self.waiting(choice_at, after_at)
        for n in self.rest:
            line = lines[n]
            if line.kind in ("expect", "possible"):
                met = all(v is True for v, _ in under(self.spec, line.expression, end.data, self.assignment, board))
            elif line.kind == "outcome":
                met = matches(line.tag, end.tag)
            else:
                kind, name = line.gap
                met = (kind, name) in gaps or end.tag[0] == "gap" and (
                    len(end.tag) == 2 and name == end.tag[1] if kind == "name" else
                    len(end.tag) > 2 and name == end.tag[1])
            if line.kind.startswith("possible"):
                if met:
                    self.possible.add(n)
            elif not met:
                self.failed.add(n)


def matches(expected, tag):
    return tuple(expected) == tuple(tag) or expected[0] == tag[0] == "draw"


def line_facts(spec, machine, example, budget, labels, totals):
    """({line number from 1: [assignments] under which it is not met}, whether limited)."""
    found = {}
    limited = False
    plays = []
    pending = [dict(example.readings)]
    while pending:
        assignment = pending.pop()
        try:
            plays.append(Play(spec, machine, example, assignment, budget, labels))
        except Consulted as consulted:
            for k in range(len(consulted.reading.alternatives)):
                pending.append({**assignment, consulted.reading.index: k})
    for play in plays:
        limited = limited or play.limited
        totals.executed |= play.executed
        totals.consulted.update(set(play.assignment) - set(example.readings))
        for n in play.failed:
            found.setdefault(n + 1, []).append(play.assignment)
        for n, line in enumerate(example.lines):
            if line.kind.startswith("possible") and n not in play.possible and not play.limited:
                found.setdefault(n + 1, []).append(play.assignment)
    totals.limits += limited  # what was given up could do more
    return found, limited


__all__ = ["line_facts", "NO_VALUE", "Unknown", "Choice"]
