"""All boards of all scopes of a specification, and what they show together."""

from __future__ import annotations

from . import boards as B
from . import claims as C
from .conditions import covers, full_assignments
from .facts import Scope, Totals
from .graph import Budget, TooLarge, leaves
from .model import Choice, Exceeded, NeedsReading, NoValue
from .observe import observe
from .run import Machine


# In the place of the locals with which a step is done again: for each place.
EVERYWHERE = "everywhere"

# A program may give up a board with so many states where it is only tried beside another.
LARGE = 250


class Shown:
    """Where a fact was shown: boards by scope, and assignments, of all boards together and of each."""

    __slots__ = ("boards", "assignments", "by_board")

    def __init__(self):
        self.boards = {}  # scope number -> set of numbers of orbits
        self.assignments = {}  # scope number -> [assignment]
        self.by_board = {}  # (scope number, number of an orbit) -> [assignment]

    def add(self, scope, orbit, assignments):
        self.boards.setdefault(scope, set()).add(orbit)
        self.by_board.setdefault((scope, orbit), []).extend(assignments)
        known = self.assignments.setdefault(scope, [])
        for a in assignments:
            if a not in known:
                known.append(a)


class Limits:
    def __init__(self, boards=400, states=60000, per_graph=6000, numberings=True):
        self.boards = boards
        self.states = states
        self.per_graph = per_graph
        self.numberings = numberings


class Judge:
    def __init__(self, spec, limits=None):
        self.spec = spec
        self.limits = limits or Limits()
        self.budget = Budget(self.limits.states, self.limits.per_graph)
        self.totals = Totals()
        self.shown = {}
        self.scopes = []
        self.orbits = []  # for each scope its orbits
        self.assignments = []  # for each scope those of each orbit that is legal
        self.limited = []  # for each scope numbers of orbits whose runs were given up
        self.unknown = []
        self.unsure = set()
        self.disagreements = []  # between numberings of one board
        self.all_numberings = True
        self._machines = {}
        self._demands = {}
        self._lists = {}
        self.legal_readings = set()  # indices of readings that decide what is legal
        self._in_file = None
        self._too_large_in_file = False
        self.limited_in_file = set()  # numbers of scopes in which runs from boards of the file were given up
        self._keys = {}
        self._restricted = set()  # of these, the facts under the assignments under which the board is explored
        self.restricted = set()  # scopes of which some board is legal under an assignment under which it is not explored
        self._graphs = {}

    # What there is ----------------------------------------------------------------------------------

    def machine(self, contracts, without=frozenset(), free=frozenset(), wide=False, still=frozenset()):
        key = (contracts, without, free, wide, still)
        if key not in self._machines:
            self._machines[key] = Machine(self.spec, contracts, without=without, free=free, wide=wide, still=still)
        return self._machines[key]

    def still(self, machine):
        """The machine on which tallies stay as they are; None, if that is nothing else (§8)."""
        if not self.spec.tallies or machine.contracts:
            return None
        return self.machine(machine.contracts, machine.without, machine.free, machine.wide, self.spec.tallies)

    def contracts_of(self, sequence):
        for verify in self.spec.verifies:
            if verify.sequence is sequence:
                return verify.contracts
        return frozenset()

    def demands(self, scope):
        """The demands on the sequence of a scope; claims among them where claims are asked (§1.2)."""
        asked = scope.contracts == self.contracts_of(scope.sequence)
        key = (scope.sequence.name, scope.verify is not None, asked, id(scope.on))
        if key not in self._demands:
            demands = C.demands_on(self.spec, scope.sequence, scope.verify is not None)
            self._demands[key] = [d for d in demands if d.claim is None or asked and (
                d.claim.on is None or d.claim.on is scope.on)]
        return self._demands[key]

    def make_scopes(self):
        spec = self.spec
        for verify in spec.verifies:
            self.scopes.append(Scope(self, verify.sequence, verify.observer, verify.contracts, verify))
        for claim in (c for c in spec.claims if c.on is None):
            if not any(s.sequence is claim.sequence for s in self.scopes):
                self.scopes.append(Scope(self, claim.sequence, None, frozenset(), None))
            for scope in self.scopes:
                if scope.sequence is claim.sequence and scope.contracts == self.contracts_of(claim.sequence):
                    scope.claims.append(claim)
        for claim in (c for c in spec.claims if c.on is not None):
            same = [s for s in self.scopes if s.on is claim.on and s.sequence is claim.sequence]
            if not same:
                verified = [v for v in spec.verifies if v.sequence is claim.sequence]
                observer = verified[0].observer if verified else None
                contracts = self.contracts_of(claim.sequence)
                same = [Scope(self, claim.sequence, observer, contracts, None, claim.on)]
                self.scopes += same
            same[0].claims.append(claim)

    def only(self, board):
        """The only board of a scope, if it is legal."""
        status = B.judge_board(self.spec, board.data, only=False)
        if status == "illegal" or status == "depends" and not self.legal_under(board.data):
            return []
        return [B.Orbit(board.data, 1, status)]

    # All boards -------------------------------------------------------------------------------------

    def run(self):
        self.make_scopes()
        for scope in self.scopes:
            key = (id(scope.verify), scope.sequence.name)
            orbits = self._lists.get(key)
            if scope.on is not None:
                orbits = self.only(scope.on)
            elif orbits is None:
                orbits = B.orbits(self.spec, scope.sequence, scope.verify)
                self._lists[key] = orbits
            if len(orbits) > self.limits.boards:
                raise TooLarge(f"{len(orbits)} boards")
            self.orbits.append(orbits)
        for number, scope in enumerate(self.scopes):
            limited, unknown, legal_under = set(), set(), {}
            for at, orbit in enumerate(self.orbits[number]):
                found = None
                if orbit.status == "unknown":
                    unknown.add(at)
                    continue
                for data in self.numberings(orbit):
                    legal = self.legal_in(scope, data, orbit.status)
                    before = self.budget.visited
                    facts = scope.facts(data, self.totals, claims_only=scope.verify is None, legal=legal)
                    large = self.budget.visited - before > LARGE
                    self._keys[number, data] = (facts.shown, facts.limited or bool(facts.unsure), large)
                    if legal is not None and legal != self.legal_under(data):
                        self._restricted.add((number, data))
                        if self.left_out(legal, self.legal_under(data)):
                            self.restricted.add(number)
                    if found is None:
                        found = facts
                        if facts.assignments:
                            legal_under[at] = facts.assignments
                        self._graphs[id(scope), orbit.data] = facts.values
                    elif set(facts.shown) != set(found.shown):
                        odd = sorted(map(str, set(facts.shown) ^ set(found.shown)))
                        self.disagreements.append(f"numberings of one board differ in {odd[0]}")
                    if facts.limited:
                        limited.add(at)
                    if facts.unknown:
                        unknown.add(at)
                    self.unsure |= facts.unsure
                    for key, assignments in facts.shown.items():
                        shown = self.shown.get(key)
                        if shown is None:
                            shown = self.shown[key] = Shown()
                        shown.add(number, at, assignments)
            self.limited.append(limited)
            self.unknown.append(unknown)
            self.assignments.append(legal_under)

    def numberings(self, orbit):
        """All numberings of a board, or a few of them if they are many."""
        if orbit.count == 1 or not self.limits.numberings:
            return [orbit.data]
        if orbit.count > 6:
            self.all_numberings = False
            return [orbit.data, *(d for d in B.members(self.spec, orbit.data)[:6] if d != orbit.data)]
        return B.members(self.spec, orbit.data)

    def facts_on(self, data, numbers=None, wide=False, all_legal=False):
        """The keys of all facts that a board shows in any scope (in those that are given), with assignments: under
        those under which it is explored, or `all_legal` ones."""
        found = {}
        for number, scope in enumerate(self.scopes):
            if numbers is not None and number not in numbers:
                continue
            if numbers is None and scope.on is not None and scope.on.data != data:
                continue
            key = (number, data)
            if wide or all_legal and key in self._restricted:
                key = (number, data, wide)
            if key not in self._keys:
                machine = self.machine(scope.contracts, wide=wide) if wide else None
                before = self.budget.visited
                facts = scope.facts(data, wide=machine, legal=self.legal_under(data))
                large = self.budget.visited - before > LARGE
                self._keys[key] = (facts.shown, facts.limited or bool(facts.unsure), large)
            shown, limited, large = self._keys[key]
            if large:
                found[("large",)] = []
            for key, assignments in shown.items():
                found.setdefault(key, []).extend(assignments)
            if limited:
                found[("limited",)] = []
        return found

    def in_file(self, keys):
        """Whether a board that the specification writes down shows one of these facts (§9)."""
        if self._in_file is None:
            self._in_file = {}
            boards = [b for b in self.spec.boards.values()] + [e.board for e in self.spec.examples]
            for board in boards:
                if self.allowed(board.data) and self.starts(board.data) and self.legal(board.data):
                    facts = self.facts_on(board.data, all_legal=True)
                    self.add_in_file(facts)
                    if ("limited",) in facts or any(k[0] == "open" for k in facts):
                        for number in (n for n, s in enumerate(self.scopes) if s.on is None):
                            try:  # the bounds of exploration do not count for it
                                wide = self.facts_on(board.data, (number,), wide=True)
                                self.add_in_file(wide)
                                if ("limited",) in wide:
                                    self.limited_in_file.add(number)
                            except TooLarge:
                                self._too_large_in_file = True
        return any(key in self._in_file for key in keys)

    def add_in_file(self, facts):
        for key, assignments in facts.items():
            self._in_file.setdefault(key, []).extend(assignments)

    def assignments_in_file(self, keys):
        """The assignments under which such a board shows one of these facts."""
        self.in_file(keys)
        return [one for key in keys for one in self._in_file.get(key, ())]

    def values_in_file(self, claim):
        """The values that such boards come to, and whether there may be others."""
        self.in_file([])
        numbers = {n for n, s in enumerate(self.scopes) if claim in s.claims}
        values = {k[2] for k in self._in_file if k[0] == "value" and k[1] == claim.name}
        return values, self._too_large_in_file or bool(numbers & self.limited_in_file)

    def may_be_in_file(self, keys):
        """Whether such a board may show one of these facts, for all that is known: not all its runs were visited."""
        return self.in_file(keys) or self._too_large_in_file

    def allowed(self, data):
        """Whether the document allows these numbers of entities."""
        for sort in self.spec.sorts:
            if sort.document is not None:
                count = sum(1 for e in data.entities[sort.index] if e is not None)
                if not sort.document[0] <= count <= sort.document[1]:
                    return False
        return True

    def starts(self, data):
        """Whether everything that `starts` somehow does so (§9)."""
        spec = self.spec
        for sort in spec.sorts:
            for entity in data.entities[sort.index]:
                if any(f.has_starts and entity[1 + f.index] != f.starts for f in sort.fields):
                    return False
        if any(v.has_starts and data.variables[v.index] != v.starts for v in spec.variables):
            return False
        for zone in spec.zones:
            inside = data.zones[zone.index]
            if zone.starts_empty and (inside if zone.owner is None else any(inside)):
                return False
        return True

    def sees_all(self, finding):
        """Whether everything is seen by every observer with whom something is compared."""
        return all(s.observer is self.spec.everything for s in self.scopes) and not any(
            c.observer for c in self.spec.claims)

    def legal(self, data, given=None):
        """Whether a board is legal under some readings, which agree with those that are given."""
        given = given or {}
        legal = self.legal_under(data)
        if legal is None:
            return B.judge_board(self.spec, data, only=False) == "legal"
        return any(all(given.get(r, k) == k for r, k in a.items()) for a in legal)

    def always_legal(self, data, given):
        """Whether a board is legal under all readings that agree with those that are given."""
        return B.judge_board(self.spec, data, None, given, only=False) == "legal" or not any(
            value is not True for c in self.spec.legal for value, _ in C.under(self.spec, c.expression, data, given))


    def legal_in(self, scope, data, status):
        """The assignments under which a board of a scope is legal and explored; None if that depends on none."""
        if status != "depends":
            return None
        found = B.legal_assignments(self.spec, data, scope.verify and scope.verify.where, only=scope.on is None)
        self.legal_readings.update(*found)
        return found

    def left_out(self, explored, legal):
        """Whether some full assignment is one of the latter, and none of the former."""
        every = full_assignments(self.spec) or []
        return any((legal is None or any(covers(a, full) for a in legal)) and not any(covers(a, full) for a in explored)
                   for full in every)

    def legal_under(self, data):
        """The assignments under which a board is legal; None if that depends on none."""
        if not self.spec.readings or B.judge_board(self.spec, data, only=False) != "depends":
            return None
        return B.legal_assignments(self.spec, data, only=False)

    # Steps that make no difference, and steps that may have to be done once more -----------------------

    def idle(self):
        """Steps that are executed and without which no outcome differs (§7); None where a limit was met."""
        found = set()
        steps = sorted(self.totals.steps, key=lambda s: s.site.index)
        for step in steps:
            if self._idle(step):
                found.add(step)
        return found

    def _idle(self, step):
        for number, scope in enumerate(self.scopes):
            if scope.verify is None:
                continue
            machine = self.machine(scope.contracts, without=frozenset((step,)))
            for orbit in self.orbits[number]:
                with_it = self.graphs(scope, orbit)
                if not any(step in graph.steps() for graph in with_it):
                    continue
                legal = self.legal_in(scope, orbit.data, orbit.status)
                without = leaves(self.spec, machine, machine.start(scope.sequence, orbit.data), self.budget, legal)
                for graph in with_it:
                    for other in without:
                        if any(other.assignment.get(r, k) != k for r, k in graph.assignment.items()):
                            continue
                        if graph.values(scope.observer)[0] != other.values(scope.observer)[0]:
                            return False
        return True

    def graphs(self, scope, orbit):
        """The graphs of a board; `run` has made them."""
        found = self._graphs.get((id(scope), orbit.data))
        if found is None:
            legal = self.legal_in(scope, orbit.data, orbit.status)
            found = leaves(self.spec, scope.machine, scope.machine.start(scope.sequence, orbit.data), self.budget, legal)
        return found

    def recheck(self):
        """{step: [boards on which doing it again changes something]} of steps idempotent in place (§7)."""
        in_place = {}  # step -> True, False, None (not known)
        at_end = {}
        memo = {}
        for number, scope in enumerate(self.scopes):
            if scope.verify is None:
                continue
            for at, orbit in enumerate(self.orbits[number]):
                for graph in self.graphs(scope, orbit):
                    self._in_place(scope, graph, in_place, memo)
                    self._at_end(scope, graph, (number, at), at_end, memo)
        # Where a list for several places can be left, a place may have had no turn.
        left = {name for _, name in self.spec.leaves}
        asked = [s for s in at_end if not (s.sequence.has_places and s.sequence.name in left)]
        return {s: (in_place.get(s), at_end[s]) for s in asked}

    def changes(self, scope, graph, step, data, local, memo):
        """Whether doing a step on data, with locals or EVERYWHERE, changes something observed: True, False, or None (not
        known)."""
        key = (id(scope), step, data, local, tuple(sorted(graph.assignment.items())))
        if key not in memo:
            answer = False
            machine = scope.machine
            start = (machine.start_everywhere(step, data) if local is EVERYWHERE else
                     machine.start_step(step, data, local))
            try:
                for leaf in leaves(self.spec, machine, start, self.budget, graph.assignment):
                    before = observe(self.spec, scope.observer, data, leaf.assignment)
                    for outcome in leaf.values(scope.observer)[0]:
                        if outcome[0] in ("limit", "diverges") or outcome[0][0] != "end":
                            answer = None if answer is False else answer
                        elif outcome[1] != before:
                            answer = True
            except (NoValue, NeedsReading, Exceeded):
                answer = None
            memo[key] = answer
        return memo[key]

    def _in_place(self, scope, graph, in_place, memo):
        for step, place, local, data in C.step_ends(graph):
            if in_place.get(step, True) is False or C.gone(data, place):
                continue
            changed = self.changes(scope, graph, step, data, local, memo)
            if changed is True:
                in_place[step] = False
            elif changed is None:
                in_place[step] = None
            else:
                in_place.setdefault(step, True)

    def _at_end(self, scope, graph, board, at_end, memo):
        """Follows, for each step, with which locals it was done last."""
        done = {}
        for i, k, events, following in graph.edges():
            for e in events:
                if e[0] == "step ended" and e[1].sequence is scope.sequence:
                    done.setdefault(e[1], set())
        for step in done:
            seen = {(0, None)}
            work = [(0, None)]
            while work:
                i, last = work.pop()
                result = graph.results[i]
                if not graph.succ[i]:
                    for e in result.events:
                        if e[0] == "step ended" and e[1] is step:
                            last = EVERYWHERE if scope.sequence.has_places else e[3]
                    if last is not None and result.tag == ("end",):
                        changed = self.changes(scope, graph, step, result.data, last, memo)
                        if changed is not False:
                            at_end.setdefault(step, {}).setdefault(board, set()).add(changed)
                    continue
                for k, j in enumerate(graph.succ[i]):
                    events = result.alternatives[k].events if type(result) is Choice else result.events
                    now = last
                    for e in events:
                        if e[0] == "step ended" and e[1] is step:
                            now = EVERYWHERE if scope.sequence.has_places else e[3]
                    if (j, now) not in seen:
                        seen.add((j, now))
                        work.append((j, now))
