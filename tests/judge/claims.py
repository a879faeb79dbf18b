"""What is asked of a sequence on one board: claims, legality, contracts, demands (docs/semantics.md, §9)."""

from __future__ import annotations

from itertools import combinations

from .evaluate import spent
from .graph import DIVERGES, LIMIT, Graph, TooLarge
from .loops import MANDATORY, ORDER
from .model import CREATED, OVER, REMOVED, STRIDE, Choice, End, Exceeded, NeedsReading, NoValue
from .observe import observe

SPOKEN = ("end", *OVER)
NO_VALUE = "no value"


class Unknown(Exception):
    """A condition outside of the run was too much (§2)."""


def under(spec, expression, data, assignment, old=None, reasons=False):
    """[(value or NO_VALUE, assignment)]: readings that the condition consults are fixed as well. With `reasons`, two
    that have no value are equal if it is for the same reason."""
    spent[0] = 0
    try:
        return [(expression.value(data, (), assignment, old), assignment)]
    except NoValue as gap:
        return [((NO_VALUE, gap.kind, gap.words) if reasons else NO_VALUE, assignment)]
    except Exceeded:
        raise Unknown from None
    except NeedsReading as needed:
        found = []
        for k in range(len(needed.reading.alternatives)):
            more = dict(assignment)
            more[needed.reading.index] = k
            found.extend(under(spec, expression, data, more, old, reasons))
        return found


def moments(graph, claim_moment, sequence):
    """Data at which an invariant is asked, as (node, data), without doubles."""
    seen = set()

    def new(data):
        if data in seen:
            return False
        seen.add(data)
        return True

    if claim_moment == "end":
        for i, end in graph.ends():
            if end.tag == ("end",) and new(end.data):
                yield i, end.data
        return
    start = graph.states[0].data
    if new(start):
        yield 0, start
    for i, end in graph.ends():
        if end.tag[0] in SPOKEN and new(end.data):
            yield i, end.data
    for i, k, events, following in graph.edges():
        stepped = any(e[0] == "step ended" and e[1].sequence is sequence for e in events)
        if not stepped:
            # a statement of several small steps has been executed after the last of them
            executed = busy(graph.states[i]) or any(e[0] == "executed" for e in events)
            if claim_moment != "throughout" or not executed or following is not None and busy(graph.states[following]):
                continue
        if following is not None:
            data = graph.states[following].data
        elif busy(graph.states[i]):
            continue  # it stops in the middle of a statement
        elif graph.results[i].tag[0] not in SPOKEN:
            continue  # it stops, and nothing is done where it does
        else:
            data = graph.results[i].data
        if new(data):
            yield i, data


def busy(state):
    """Whether a statement is being executed that takes several small steps."""
    return bool(state.control) and state.control[-1].frames[-1][0].busy


def all_data(graph):
    """The data of all states of all runs in which no statement is half done."""
    seen = set()
    for i, state in enumerate(graph.states):
        if not busy(state) and state.data not in seen:
            seen.add(state.data)
            yield i, state.data
        result = graph.results[i]
        if type(result) is End and not busy(state) and result.tag[0] in SPOKEN and result.data not in seen:
            seen.add(result.data)
            yield i, result.data


def ends_spoken(graph):
    """The data of the ends that a claim about ends speaks of, without doubles."""
    return {end.data for _, end in graph.ends() if end.tag[0] in SPOKEN}


def meets(spec, where, board, assignment):
    """[(assignment)] under which the board meets a condition."""
    if where is None:
        return [assignment]
    return [a for value, a in under(spec, where, board, assignment) if value is True]


class Answer:
    """What one leaf says of a claim: `refuted` and `shown` list assignments, `values` those under which something has
    a value; `open` if a limit was met."""

    __slots__ = ("refuted", "shown", "open", "asked", "values")

    def __init__(self):
        self.refuted = []
        self.shown = []
        self.open = False
        self.asked = False
        self.values = {}


def ask(spec, claim, graph, budget, observer, rounds):
    """A claim on one board under the assignment of `graph`; `rounds` are the loops (see tallies.loops). Equivalence is
    asked elsewhere."""
    answer = Answer()
    board = graph.states[0].data
    form = claim.form
    conditions = meets(spec, claim.where, board, graph.assignment) if claim.where else [graph.assignment]
    if not conditions:
        return answer
    answer.asked = True
    answer.open = graph.limited()
    expression = claim.expression
    if form == "terminates":
        for known, more in rounds:
            if any(c and c[0] in (MANDATORY, ORDER) for c in known.values()):
                answer.refuted += [{**a, **more} for a in conditions if all(more.get(r, k) == k for r, k in a.items())]
    elif form == "invariant":
        for _, data in moments(graph, claim.moment, claim.sequence):
            for value, a in under(spec, expression, data, graph.assignment, board):
                if value is not True:
                    answer.refuted.append(a)
    elif form == "must":
        seen = set()
        for _, end in graph.ends():
            if end.tag[0] in SPOKEN and end.data not in seen:
                seen.add(end.data)
                for condition in conditions:
                    for value, a in under(spec, expression, end.data, condition, board):
                        if value is not True:
                            answer.refuted.append(a)
    elif form in ("reachable", "unreachable"):
        for data in ends_spoken(graph) if claim.moment == "end" else (data for _, data in all_data(graph)):
            for condition in conditions:
                for value, a in under(spec, expression, data, condition, board):
                    if value is True:
                        (answer.shown if form == "reachable" else answer.refuted).append(a)
    elif form in ("largest", "smallest"):
        for data in (data for _, data in all_data(graph)) if claim.moment == "ever" else ends_spoken(graph):
            for condition in conditions:
                for value, a in under(spec, expression, data, condition, board):
                    if value != NO_VALUE and a not in answer.values.setdefault(value, []):
                        answer.values[value].append(a)
    elif form == "conserves":
        for before, a in under(spec, expression, board, graph.assignment, board, True):
            for _, data in moments(graph, "throughout", claim.sequence):
                for after, a2 in under(spec, expression, data, a, board, True):
                    if after != before:
                        answer.refuted.append(a2)
    elif form == "order irrelevant":
        values = graph.values(observer)
        if not answer.open:
            for i, choice in graph.choices():
                if choice.kind == "order" and not choice.conflict and inside(graph, i, claim):
                    row = graph.succ[i]
                    if any(values[j] != values[row[0]] for j in row):
                        answer.refuted.append(graph.assignment)
                        break
    elif form == "idempotent":
        for a, same in repeated(spec, claim, graph, budget, observer):
            if same is None:
                answer.open = True
            elif not same:
                answer.refuted.append(a)
    return answer


def inside(graph, i, claim):
    """Whether a point lies inside of what the claim names (a sequence, or one step of it)."""
    if claim.step is None:
        return True
    running = getattr(graph.machine, "steps_running", None)
    if running is not None:
        return claim.step in running(graph.states[i])
    site = graph.results[i].site
    while site is not None:
        if site is claim.step.site:
            return True
        site = site.parent
    return False


def repeated(spec, claim, graph, budget, observer):
    """(assignment, nothing observed changed) for each time that it is done again; None: not known."""
    machine = graph.machine
    again = {}
    if claim.step is None:
        for _, end in graph.ends():
            if end.tag == ("end",):
                again[machine.start(claim.sequence, end.data)] = end.data
    else:
        for step, place, local, data in step_ends(graph):
            if step is claim.step and not gone(data, place):
                again[machine.start_step(step, data, local)] = data
    for state, data in again.items():
        yield from unchanged(spec, machine, state, data, graph.assignment, budget, observer)


def gone(data, place):
    """Whether the place for which a step was done was removed: then it has no turn again."""
    if type(place) is not int or place < STRIDE:
        return False
    row = data.entities[place // STRIDE - 1]
    entity = row[place % STRIDE] if place % STRIDE < len(row) else None
    return entity is None or entity[0] >= REMOVED


def unchanged(spec, machine, state, data, assignment, budget, observer):
    from .graph import leaves

    for leaf in leaves(spec, machine, state, budget, assignment):
        try:
            before = observe(spec, observer, data, leaf.assignment)
        except NeedsReading:
            raise TooLarge("an observer consults a reading that no run does") from None
        outcomes = leaf.values(observer)[0]
        others = [one for one in outcomes if one != LIMIT]
        same = all(one != DIVERGES and one[0] == ("end",) and one[1] == before for one in others)
        # where some run is given up, and no other changes anything, it is not known
        yield leaf.assignment, None if same and LIMIT in outcomes else same


def step_ends(graph):
    """(step, place, locals, data) of each time that a step ended."""
    seen = set()
    for i, k, events, following in graph.edges():
        for e in events:
            # a run that stops as a step ends (the condition of the restart has no value) has not ended it
            if e[0] == "step ended" and not (following is None and graph.results[i].tag[0] == "gap"):
                data = graph.results[i].data if following is None else graph.states[following].data
                key = (e[1].site.index, e[1].index, e[2], e[3], data)
                if key not in seen:
                    seen.add(key)
                    yield e[1], e[2], e[3], data


# Contracts ------------------------------------------------------------------------------------------


def frame(spec, contract, before, after):
    """What a run has changed that the contract does not list, by the names that reports use."""
    listed = {place for place, owner, _ in contract.changes if owner is None}
    single = set()
    for place, owner, _ in contract.changes:
        if owner is not None:
            try:
                single.add((place, owner.value(before, (), {}, before)))
            except (NoValue, NeedsReading, Exceeded):
                listed.add(place)
    found = []
    for sort in spec.sorts:
        old, new = before.entities[sort.index], after.entities[sort.index]
        for slot, entity in enumerate(new):
            was = old[slot] if slot < len(old) else None
            if was is None and entity is not None and not entity[0] & REMOVED:
                found.append("a new entity")
            if was is not None and (entity is None or entity[0] & REMOVED and not was[0] & REMOVED):
                found.append(f"removal of {sort.name}")
            if was is not None and entity is not None:
                for place in sort.fields:
                    if was[1 + place.index] == entity[1 + place.index] or place in listed:
                        continue
                    if (place, sort.base + slot) not in single:
                        found.append(place.full_name)
    for place in spec.variables:
        if place not in listed and before.variables[place.index] != after.variables[place.index]:
            found.append(place.name)
    for zone in spec.zones:
        a, b = before.zones[zone.index], after.zones[zone.index]
        if zone.unordered:
            a, b = unarranged(zone, a), unarranged(zone, b)
        if a != b:
            found.append(zone.name)
    for queue in spec.queues:
        if before.queues[queue.index] != after.queues[queue.index]:
            found.append(f"queue {queue.name}")
    return found + left_bounds(spec, contract, before, after)


def left_bounds(spec, contract, before, after):
    """What is listed within bounds and is outside of them at the end."""
    found = []
    for place, owner, within in contract.changes:
        if within is None:
            continue
        low, high = (bound.value(before, (), {}, before) for bound in within)
        if place.sort is None:
            values = [after.variables[place.index]]
        else:
            only = None if owner is None else owner.value(before, (), {}, before)
            old, new = before.entities[place.sort.index], after.entities[place.sort.index]
            values = [
                entity[1 + place.index] for slot, entity in enumerate(new)
                if entity is not None and not entity[0] & REMOVED and slot < len(old) and old[slot] is not None
                and (only is None or only == place.sort.base + slot)
            ]
        if any(not low <= value <= high for value in values):
            found.append(f"{place.name if place.sort is None else place.full_name} within")
    return found


def changed(spec, contract, before, after):
    """Whether a run has changed anything that the contract lists."""
    for place, owner, _ in contract.changes:
        if place.sort is None:
            if before.variables[place.index] != after.variables[place.index]:
                return True
            continue
        old, new = before.entities[place.sort.index], after.entities[place.sort.index]
        for slot, was in enumerate(old):
            now = new[slot] if slot < len(new) else None
            if was is not None and now is not None and was[1 + place.index] != now[1 + place.index]:
                return True
    return False


def unarranged(zone, content):
    if zone.owner is None:
        return frozenset(content)
    return tuple(frozenset(c) for c in content)


# Demands together (§9.1) ------------------------------------------------------------------------------


class Demand:
    __slots__ = ("name", "expression", "tags", "where", "claim")

    def __init__(self, name, expression, tags, where=None, claim=None):
        self.name = name
        self.expression = expression
        self.tags = tags
        self.where = where
        self.claim = claim

MOST_OF_A_CORE = 6


def demands_on(spec, sequence, verified):
    found = []
    for claim in spec.claims:
        if claim.question or claim.sequence is not sequence:
            continue
        if claim.form == "must":
            found.append(Demand(claim.name, claim.expression, SPOKEN, claim.where, claim))
        elif claim.form == "invariant":
            tags = ("end",) if claim.moment == "end" else SPOKEN
            found.append(Demand(claim.name, claim.expression, tags, None, claim))
    if verified:
        for condition in spec.legal:
            found.append(Demand(f"legal {condition.name}", condition.expression, ("end",)))
        if sequence.contract:
            for n, expression in enumerate(sequence.contract.ensures, 1):
                found.append(Demand(f"ensures #{n}", expression, ("end",)))
    return found


def not_met(spec, demands, graph, assignment):
    """[(end node, set of the numbers of demands that it does not meet)] under one assignment.

    Raises NeedsReading if a demand consults a reading that the assignment does not fix.
    """
    board = graph.states[0].data
    active = [n for n, d in enumerate(demands) if d.where is None or truth(d.where, board, assignment, board) is True]
    rows = []
    cache = {}
    for i, end in graph.ends():
        tag = end.tag[0]
        if tag not in SPOKEN:
            continue
        key = (tag, end.data)
        if key not in cache:
            cache[key] = frozenset(
                n for n in active
                if tag in demands[n].tags and truth(demands[n].expression, end.data, assignment, board) is not True)
        rows.append((i, cache[key]))
    return rows


def truth(expression, data, assignment, old):
    """The value of a condition, or NO_VALUE; a reading that is missing is raised."""
    spent[0] = 0
    try:
        return expression.value(data, (), assignment, old)
    except NoValue:
        return NO_VALUE
    except Exceeded:
        raise Unknown from None


def each_not_met(spec, demands, graph):
    """(assignment, rows) for the assignment of the graph, or those that the demands tell apart."""
    pending = [graph.assignment]
    while pending:
        assignment = pending.pop()
        try:
            yield assignment, not_met(spec, demands, graph, assignment)
        except NeedsReading as needed:
            for k in range(len(needed.reading.alternatives)):
                pending.append({**assignment, needed.reading.index: k})


def cores(rows):
    """All cores of one demand, and those of at most six of the others (§9.1)."""
    if not rows:
        return []
    sets = {failed for _, failed in rows}
    if frozenset() in sets:
        return []
    everywhere = frozenset.intersection(*sets)
    found = [(n,) for n in sorted(everywhere)]
    rest = {failed - everywhere for failed in sets}
    names = sorted(set().union(*rest))
    for size in range(2, MOST_OF_A_CORE + 1):
        for core in combinations(names, size):
            if all(failed & set(core) for failed in rest) and not any(set(one) <= set(core) for one in found):
                found.append(core)
    return found


def ways(graph, rows, core, observer):
    """How many outcomes there are at which just these demands of the core are not met."""
    found = {}
    for i, failed in rows:
        outcome = graph.outcome(graph.results[i], observer)
        key = tuple(n for n in core if n in failed)
        found.setdefault(key, set()).add(outcome)
    return {key: len(outcomes) for key, outcomes in found.items()}


__all__ = ["ask", "Graph", "Choice", "CREATED"]
