"""What one board shows under each assignment of the readings: the facts behind findings and answers.

A fact has a key (code, subject, cause), named as reports name findings, and the assignments under which a
run from the board shows it.
"""

from __future__ import annotations

from . import claims as C
from .alike import differ_after_choices
from .graph import LIMIT, TooLarge, differ_in_one, leaves
from .loops import powers_differ, rounds
from .model import Choice, End
from .orders import open_choices, order_facts, pairs_met


class Totals:
    """What is collected over all boards of all scopes."""

    def __init__(self):
        self.executed = set()  # sites
        self.consulted = set()  # indices of readings
        self.points = {}  # subject -> [some alternatives differ, limited]
        self.met = set()  # (subject, pair)
        self.again = {}  # step -> [idempotent in place so far, unsure]
        self.recheck = {}  # step -> boards on which it would change something at the end
        self.limits = 0
        self.differs = {}  # (subject, pair) -> set of kinds of blame
        self.conflicts = set()
        self.matters = {}  # ('F0305' | 'F0306' | 'conflict', path) -> differs
        self.steps = set()  # steps that ended or began
        self.loops = {}  # sequence -> set of classes
        self.untested = {}  # claim name -> set of words: 'asked', 'ended', 'done', 'ordered'


class BoardFacts:
    __slots__ = ("shown", "limited", "unknown", "unsure", "values", "assignments")

    def __init__(self):
        self.shown = {}
        self.limited = False
        self.unknown = False
        self.unsure = set()
        self.values = {}
        self.assignments = []  # those under which runs differ, as far as they consult readings

    def add(self, key, assignment):
        row = self.shown.setdefault(key, [])
        if assignment not in row:
            row.append(assignment)


class Scope:
    """A sequence with contracts, an observer and claims, looked at board by board."""

    def __init__(self, judge, sequence, observer, contracts, verify, on=None):
        self.judge = judge
        self.spec = judge.spec
        self.sequence = sequence
        self.observer = observer or judge.spec.everything
        self.contracts = contracts
        self.verify = verify
        self.on = on  # the only board; bounds of exploration do not count for it (§9)
        self.machine = judge.machine(contracts, wide=on is not None)
        self.claims = []
        self.others = []  # (claim, machine) of equivalences
        self.fixed_sites = set()
        self.orders_met = set()  # (subject, pair) of two things that stood before somebody at once
        self.consulted = set()  # (index of a reading, alternative under which runs were looked at)

    def observer_of(self, claim):
        return claim.observer or self.observer

    # One board --------------------------------------------------------------------------------------

    def facts(self, data, totals=None, claims_only=False, wide=None, legal=None):
        """All facts of a board. `totals` collects what concerns all boards together; `legal` are the assignments under
        which the board is legal, where that depends on readings."""
        spec, judge = self.spec, self.judge
        budget = judge.budget
        found = BoardFacts()
        if self.on is not None:
            wide = self.machine
        machine = wide or self.machine
        graphs = leaves(spec, machine, machine.start(self.sequence, data), budget, legal)
        found.assignments = [graph.assignment for graph in graphs]
        for graph in graphs:
            limited = graph.limited()
            found.limited = found.limited or limited
            if not claims_only:
                self.run_facts(graph, found, totals)
                self.compared(graph, found, totals, limited)
            elif totals is not None:
                self.seen(graph, totals, self.sequence)
            self.asked(graph, found, totals)
        if not claims_only:
            self.readings(graphs, found)
            self.positions(data, graphs, found, wide, legal)
        self.equivalences(data, graphs, found, totals, wide, legal)
        if totals is not None:
            totals.limits += found.limited
        found.values = graphs
        return found

    def seen(self, graph, totals, sequence):
        """What a sequence executes that is only compared with another."""
        totals.consulted.update(graph.assignment)
        for i, k, events, following in graph.edges():
            for e in events:
                if e[0] == "executed":
                    executes(totals.executed, sequence, e[1])
                elif e[0] in ("step begun", "trigger"):
                    executes(totals.executed, sequence, e[1].site)

    def run_facts(self, graph, found, totals):
        """What single runs show."""
        spec, a = self.spec, graph.assignment
        if totals is not None:
            totals.consulted.update(a)
        executed = totals.executed if totals is not None else set()
        for i, k, events, following in graph.edges():
            for e in events:
                kind = e[0]
                if kind == "executed":
                    executes(executed, self.sequence, e[1])
                    if e[1].is_met:
                        found.add(("F0301", e[1].gap, ""), a)
                elif kind == "step begun":
                    executes(executed, self.sequence, e[1].site)
                    if totals is not None:
                        totals.steps.add(e[1])
                elif kind == "trigger":
                    executes(executed, self.sequence, e[1].site)
                elif kind == "ensures":
                    if e[3] is False:
                        found.add(("F0602", e[1].site.path, f"ensures #{e[2] + 1}"), a)
                elif kind == "conflict":
                    found.add(("F0303", e[1].path, ""), a)
                elif kind == "cancelled":
                    # what is carried is what stood in the sequence itself (§4.6)
                    if any(elements and (e[4] == "lost" or not own) for _, elements, own in e[3]):
                        found.add(("F0701", e[1].name, ""), a)
        start = graph.states[0].data
        for i, end in graph.ends():
            tag = end.tag
            if tag[0] == "gap":
                if len(tag) == 2:
                    found.add(("F0301", tag[1], ""), a)
                else:
                    path = end.site.path if end.site else ""
                    found.add(("F0302", path, tag[1]), a)
            elif tag[0] == "conflict":
                found.add(("F0303", end.site.path, "supply"), a)
            elif tag[0] == "range":
                found.add(("F0304", tag[1], end.site.path if end.site else ""), a)
            elif tag[0] == "stuck":
                found.add(("F0604", tag[1], ""), a)
            elif tag == ("end",) and self.verify is not None:
                self.promises(start, end, graph, found)
                if totals is not None:
                    words = totals.untested.setdefault(("sequence", self.sequence.name), set())
                    words.add("ended")
                    if self.sequence.contract and C.changed(self.spec, self.sequence.contract, start, end.data):
                        words.add("changed")

    def promises(self, start, end, graph, found):
        spec, a = self.spec, graph.assignment
        for condition in spec.legal:
            for value, a2 in C.under(spec, condition.expression, end.data, a):
                if value is not True:
                    found.add(("F0601", condition.name, self.sequence.name), a2)
        contract = self.sequence.contract
        if contract:
            name = self.sequence.name
            for n, expression in enumerate(contract.ensures, 1):
                for value, a2 in C.under(spec, expression, end.data, a, start):
                    if value is not True:
                        found.add(("F0603", name, f"ensures #{n}"), a2)
            for what in C.frame(spec, contract, start, end.data):
                found.add(("F0603", name, what), a)

    def compared(self, graph, found, totals, limited):
        """What comparing outcomes shows; nothing where a limit was met."""
        spec, a = self.spec, graph.assignment
        for known, under in rounds(self.judge, graph):
            for c in known.values():
                if c is not None:
                    found.add((c[0], self.sequence.name, None), under)
        if totals is not None:
            met = pairs_met(graph)
            totals.met |= met
            self.orders_met |= met
            self.consulted.update(a.items())
        if limited:
            return
        points, blame, blamed = order_facts(graph, self.observer)
        for about in blamed:
            found.add(("order", about, None), a)
        for about, rows in points.items():
            differs = any(d for _, d in rows)
            if differs:
                found.add(("order", about, None), a)
            if totals is not None:
                totals.points[about] = totals.points.get(about, False) or differs
        for (about, pair), kind in blame.items():
            found.add(("same gap" if kind == "same gap" else "blame", about, pair), a)
            if totals is not None:
                totals.differs.setdefault((about, pair), set()).add(kind)
        for (code, path), differs in open_choices(graph, self.observer).items():
            if differs:
                found.add((code, path, ""), a)
            if totals is not None:
                key = (code, path)
                totals.matters[key] = totals.matters.get(key, False) or differs

    # Claims -----------------------------------------------------------------------------------------

    def asked(self, graph, found, totals):
        spec = self.spec
        for claim in self.claims:
            if claim.form == "equivalent":
                continue
            code = "F0611" if claim.question else "F0610"
            try:
                answer = C.ask(spec, claim, graph, self.judge.budget, self.observer_of(claim),
                               rounds(self.judge, graph) if claim.form == "terminates" else ())
            except C.Unknown:
                found.unknown = True
                continue
            for a in answer.refuted:
                found.add((code, claim.name, ""), a)
            for a in answer.shown:
                found.add(("shown", claim.name, ""), a)
            for value, assignments in answer.values.items():
                for a in assignments:
                    found.add(("value", claim.name, value), a)
            if answer.open:
                found.add(("open", claim.name, ""), graph.assignment)
            if claim.form == "order irrelevant" and self.verify is None and answer.refuted:
                self.to_blame(claim, graph, found)
            if totals is not None:
                self.tested(claim, graph, answer, totals)
        demands = self.judge.demands(self)
        if demands and not graph.limited():
            try:
                for assignment, rows in C.each_not_met(spec, demands, graph):
                    for core in C.cores(rows):
                        if self.on is not None and not any(demands[n].claim in self.claims for n in core):
                            continue
                        names = " + ".join(demands[n].name for n in core)
                        found.add(("F0405", self.sequence.name, names), assignment)
            except C.Unknown:
                found.unknown = True

    def to_blame(self, claim, graph, found):
        """The orders that refute a claim about a sequence that is not verified (§9)."""
        _, blame, blamed = order_facts(graph, self.observer_of(claim), inside=lambda i: C.inside(graph, i, claim))
        for about in blamed:
            found.add(("order", about, None), graph.assignment)
        for about, pair in blame:
            found.add(("to blame", about, pair), graph.assignment)

    def tested(self, claim, graph, answer, totals):
        words = totals.untested.setdefault(claim.name, set())
        if not answer.asked:
            return
        words.add("asked")
        for _, end in graph.ends():
            tag = end.tag[0]
            if end.tag == ("end",) or (claim.form == "must" and tag in C.SPOKEN):
                words.add("ended")
                break
        if claim.form == "order irrelevant":
            for i, choice in graph.choices():
                if choice.kind == "order" and not choice.conflict and C.inside(graph, i, claim):
                    words.add("ordered")
                    break
        events = (e for _, _, some, _ in graph.edges() for e in some)
        if claim.step is not None and any(e[0] == "step ended" and e[1] is claim.step for e in events):
            words.add("done")

    def equivalences(self, data, graphs, found, totals, wide, legal):
        spec = self.spec
        for claim in self.claims:
            if claim.form != "equivalent":
                continue
            code = "F0611" if claim.question else "F0610"
            observer = self.observer_of(claim)
            machine = wide or self.machine  # both with the contracts with which the claim is asked
            others = leaves(spec, machine, machine.start(claim.other, data), self.judge.budget, legal)
            for graph in graphs:
                for a in C.meets(spec, claim.where, data, graph.assignment):
                    for other in others:
                        if any(other.assignment.get(r, k) != k for r, k in a.items()):
                            continue
                        if totals is not None:
                            self.seen(other, totals, claim.other)
                        one, two = graph.values(observer)[0], other.values(observer)[0]
                        if LIMIT in one or LIMIT in two:
                            found.add(("open", claim.name, ""), a)
                        elif one != two:
                            found.add((code, claim.name, ""), {**a, **other.assignment})

    # Readings and positions -------------------------------------------------------------------------

    def readings(self, graphs, found):
        spec = self.spec
        for x in range(len(graphs)):
            for y in range(x + 1, len(graphs)):
                first, second = graphs[x], graphs[y]
                r = differ_in_one(first.assignment, second.assignment)
                if r is None:
                    continue
                one, two = first.values(self.observer)[0], second.values(self.observer)[0]
                if LIMIT in one or LIMIT in two:
                    continue
                reading = spec.readings[r]
                k, m = sorted((first.assignment[r], second.assignment[r]))
                cause = f"{reading.alternatives[k]} | {reading.alternatives[m]}"
                if one != two:
                    code = code_of(spec, reading, k, m)
                elif differ_after_choices(first, second, self.observer):
                    code = "F0406"
                elif powers_differ(first, second, self.observer):
                    code = "F0404"
                else:
                    continue
                # assignments are those of the other readings (§10)
                others = {**first.assignment, **second.assignment}
                del others[r]
                found.add((code, reading.name, cause), others)

    def positions(self, data, graphs, found, wide, legal):
        """Iterations whose order the document fixes, in any order instead (§7)."""
        fixed = set()
        for graph in graphs:
            met = {e[1] for _, _, events, _ in graph.edges() for e in events if e[0] == "visit"}
            # Where the order has no beginning no element is visited.
            met |= {end.site for _, end in graph.ends() if end.tag[0] == "gap"}
            fixed |= {s for s in met if s and s.kind == "for each" and s.order(graph.assignment) == "fixed"}
        for site in fixed:
            machine = self.judge.machine(self.contracts, free=frozenset((site,)), wide=wide.wide if wide else False)
            try:
                freed = leaves(self.spec, machine, machine.start(self.sequence, data), self.judge.budget, legal)
            except TooLarge:
                found.unsure.add(("F0203", site.path))
                continue
            for graph in freed:
                if site.order(graph.assignment) != "fixed":
                    continue  # it is open under this reading
                if graph.limited():
                    found.unsure |= {("F0203", site.path), ("F0203", site.path, "limit")}
                    continue
                _, blame, _ = order_facts(graph, self.observer, only=site)
                for (about, pair), kind in blame.items():
                    found.add(("F0203", about, pair), graph.assignment)


def executes(executed: set, sequence, site) -> None:
    """What is done in an experiment is not done by the document."""
    if sequence.experiment is None or site.made_up:
        executed.add(site)


def code_of(spec, reading, k, m):
    """Ambiguity, contradiction, or settled by precedence (§3)."""
    own = [reading.clause.id] if reading.clause else []
    one = set(reading.cites[k]) or set(own)
    two = set(reading.cites[m]) or set(own)
    if one == two:
        return "F0401"
    if not one or not two:
        return "F0401"

    def overruled(a, b):
        return all(any(c not in prevailing(spec, above) for above in prevailing(spec, c) & b) for c in a)

    if overruled(one, two) != overruled(two, one):
        return "F0403"
    return "F0401" if one <= two or two <= one else "F0402"


def prevailing(spec, clause) -> set:
    """The clauses to which one yields, directly or not."""
    found: set = set()
    todo = list(spec.clauses[clause].yields_to) if clause in spec.clauses else []
    while todo:
        above = todo.pop()
        if above not in found:
            found.add(above)
            todo += spec.clauses[above].yields_to
    return found


__all__ = ["Scope", "Totals", "BoardFacts", "Choice", "End"]
