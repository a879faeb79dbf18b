"""The witness of a finding: its board, its runs, how small it is, what decides, and larger boards."""

from __future__ import annotations

from itertools import islice, product

from . import claims as C, sentences
from .conditions import covers
from .graph import DIVERGES, Consulted, Graph, TooLarge
from .growth import growth
from .kinds import kinds_told
from .loops import classes
from .model import OVER, Choice, End, Exceeded, NeedsReading, NoValue
from .observe import observe
from .orders import Points, subject
from .report import Tally
from .smallest import minimality
from .told import of_again, of_runs, observer_of
from .tallies import uncounted
from .undecided import given_up, reason
from .witness import BoardText, Cannot, Replay, differences

VALUES = ("integer", "boolean", "enum")
LOOPS = ("F0501", "F0502", "F0503", "F0504")


def examine(checker, finding):
    witness = finding["witness"]
    tally, title = checker.tally, checker.title(finding)
    if not witness or not witness["runs"]:
        return
    run = witness["runs"][0]
    try:
        board = BoardText(checker.spec, run["board"])
    except (Cannot, KeyError, ValueError) as error:
        tally.check("witness", False, f"{title}: the board cannot be read: {error!r}")
        return
    finding_board(checker, finding, board)
    try:
        runs(checker, finding, board)
    except Cannot as error:
        tally.check("witness", False, f"{title}: {error}")


def assignment_of(spec, run):
    found = {}
    for name, alternative in run["readings"].items():
        reading = next((r for r in spec.readings if r.name == name), None)
        if reading is None or alternative not in reading.alternatives:
            raise Cannot(f"no reading {name} = {alternative}")
        found[reading.index] = reading.alternatives.index(alternative)
    return found


def finding_board(checker, finding, board):
    """The finding is there on the witness's board, no smaller board has it, and what decides it."""
    judge, tally, title = checker.judge, checker.tally, checker.title(finding)
    keys = checker.keys(finding)
    if keys is None:
        return
    facts = judge.facts_on(board.data)
    assignments = [a for key in keys for a in facts.get(key, ())]
    if not assignments and (finding["suggested"] or finding["written"]):  # bounds are wider there (§9, §10)
        facts = judge.facts_on(board.data, wide=True)
        assignments = [a for key in keys for a in facts.get(key, ())]
    if not assignments and any((k[0], k[1]) in judge.unsure for k in keys):
        tally.skip("on its board")
        return
    tally.check("on its board", bool(assignments), f"{title}: not on the board of its witness")
    if finding["witness"]["runs"] and assignments and finding["code"] not in ("F0612",):
        given = assignment_of(checker.spec, finding["witness"]["runs"][0])
        tally.check("under its readings", any(
            all(given.get(r, k) == k for r, k in a.items()) for a in assignments),
            f"{title}: not under the readings of its witness")
    if finding["suggested"]:
        tally.check("legal", judge.legal(board.data), f"{title}: the suggested board is not legal")
        minimality(checker, finding, board, keys)
        return
    if len(checker.alike(finding)) > 1:
        return
    minimality(checker, finding, board, keys)
    decisive(checker, finding, board, keys)
    wider(checker, finding, board, keys)


# What decides --------------------------------------------------------------------------------------------


def places(spec, board):
    """(entity name or None, place, data -> value, (data, value) -> data) of all that has values and no link."""
    for sort in spec.sorts:
        for slot, entity in enumerate(board.data.entities[sort.index]):
            for place in sort.fields:
                if place.type.kind in VALUES and not place.has_starts:
                    yield board.names[sort.base + slot], place, (sort.index, slot)
    for place in spec.variables:
        if place.type.kind in VALUES and not place.has_starts:
            yield None, place, None


def value_at(data, place, where):
    if where is None:
        return data.variables[place.index]
    return data.entities[where[0]][where[1]][1 + place.index]


def with_value(data, place, where, value):
    if where is None:
        row = list(data.variables)
        row[place.index] = value
        return data._replace(variables=tuple(row))
    sorts = list(data.entities)
    entities = list(sorts[where[0]])
    entity = list(entities[where[1]])
    entity[1 + place.index] = value
    entities[where[1]] = tuple(entity)
    sorts[where[0]] = tuple(entities)
    return data._replace(entities=tuple(sorts))


def candidates(place):
    """(values that are tried, whether these are all)."""
    kind = place.type.kind
    if kind == "boolean":
        return [False, True], True
    if kind == "enum":
        return list(place.type.values), True
    low, high = place.document or (None, None)
    if place.kind == "supply":
        low = 0 if low is None else max(0, low)
    if high is not None and high >= 2**62:
        high = None
    if low is not None and high is not None and high - low < 64:
        return list(range(low, high + 1)), True
    first, last = place.explored
    first, last = first - 8, last + 8
    if place.document is None and place.explored[0] >= 0:
        first = max(first, 0)
    if place.document is None and place.explored[0] < 0 and place.explored[1] <= 0:
        last = min(last, 0)
    if low is not None:
        first = max(first, low)
    if high is not None:
        last = min(last, high)
    return list(range(first, last + 1)), False


def agreed(spec, finding):
    """The readings in which the runs of the witness agree (§10, other values)."""
    runs = [assignment_of(spec, run) for run in finding["witness"]["runs"]]
    consulted = {r: k for run in runs for r, k in run.items()}
    return {r: k for r, k in consulted.items() if all(run.get(r, k) == k for run in runs)}


def shows(checker, data, keys, numbers=None, given=None):
    """Whether a board shows the finding in some scopes, under some readings: True, False, or None (too large)."""
    judge = checker.judge
    given = given or {}

    def among(facts):
        return any(covered(a, given) for k in keys for a in facts.get(k, ()))

    try:  # bounds of exploration do not count
        facts = judge.facts_on(data, numbers, all_legal=True)
        if among(facts):
            return True
        if not any(f[0] in ("limited", "open") for f in facts):
            return False
        return among(judge.facts_on(data, numbers, wide=True))
    except TooLarge:
        return None


def scopes_of(checker, finding, board, keys):
    """The scopes in which the witness may have been found: of its sequence, those that show it on its board."""
    judge = checker.judge
    if finding["scope"] is not None and finding["scope"] < len(judge.scopes):
        return [finding["scope"]]
    scope = scope_of(checker, finding)
    numbers = [n for n, s in enumerate(judge.scopes) if scope is None or s.sequence is scope.sequence]
    given = agreed(checker.spec, finding)
    showing = [n for n in numbers if shows(checker, board.data, keys, (n,), given) is not False]
    return showing or numbers


def covered(assignment, given):
    return all(given.get(r, k) == k for r, k in assignment.items())


def decisive(checker, finding, board, keys):
    """What is told is so in the scope in which the finding was made; the report does not say which one that is."""
    if finding["code"] in ("F0612", "F0702"):
        return
    scope = finding["scope"]
    if scope is not None and checker.report["scopes"][scope].get("on") is not None:
        checker.tally.check("decisive", not finding["decisive"], "other values of a board that the file writes down")
        return
    best = None
    for number in scopes_of(checker, finding, board, keys):
        tally = Tally()
        decisive_in(checker, tally, finding, board, keys, (number,))
        if best is None or len(tally.wrong) < len(best.wrong):
            best = tally
        if not tally.wrong:
            break
    if best is not None:
        checker.tally.merge(best)


def decisive_in(checker, tally, finding, board, keys, numbers):
    judge, title = checker.judge, checker.title(finding)
    told = {(d["entity"], d["name"]): d for d in finding["decisive"]}
    given = agreed(checker.spec, finding)
    undecided = {(u["entity"], u["name"]): u["because"] for u in finding["undecided"]}
    sizes = [len(candidates(place)[0]) for _, place, _ in places(checker.spec, board)]
    for entity, place, where in places(checker.spec, board):
        entry = told.pop((entity, place.name), None)
        because = undecided.pop((entity, place.name), None)
        if because is not None:
            tally.check("decisive", entry is None, f"{title}: {place.name} is told and not tried")
            tried = legal_boards(checker, board, place, where, given)
            wrong = reason(checker, finding, board.data, keys, numbers, given, tried, sizes, because)
            tally.check("undecided", wrong is None, lambda: f"{title}: {place.name} of {entity}: {wrong}")
            continue
        if entry is None and finding["written"]:
            continue  # not tried there
        values, every = candidates(place)
        if entry is None and checker.quick:
            now = value_at(board.data, place, where)
            values = [v for v in values if v == now or place.explored is None or place.kind == "supply"
                      or place.type.kind != "integer" or place.explored[0] <= v <= place.explored[1]]
        found, other, open_ = [], [], False
        for v in values:
            data = with_value(board.data, place, where, v)
            if not judge.legal(data, given):
                continue
            answer = shows(checker, data, keys, numbers, given)
            if answer is None:
                open_ = True
            else:
                (found if answer else other).append(v)
        name = f"{place.name} of {entity}" if entity else place.name
        for v in entry["other"] if entry is not None and judge.legal_under(board.data) is None else ():
            data = with_value(board.data, place, where, v)
            tally.check("decisive known", not given_up(checker, data, numbers, given), (
                f"{title}: with {name} = {v} runs were given up, and it is told as known"))
        if open_:
            tally.skip("decisive")
        elif entry is not None:
            good = set(entry["found"]) == set(found) and set(entry["other"]) == set(other)
            if finding["code"] in LOOPS:  # another loop of its class may be there: which cycle is whose is not judged
                good = set(entry["found"]) <= set(found) and set(other) <= set(entry["other"])
            tally.check("decisive", good, lambda: (
                f"{title}: with {name} = {entry['found']}, not {entry['other']}; the judge has {found}, not {other}"))
            tally.check("decisive all", entry["all"] == every, f"{title}: {name}: all = {entry['all']}")
        elif other and found and checker.quick and may_be_given_up(checker, board, place, where):
            tally.skip("not decisive")
        else:
            tally.check("not decisive", not other or not found, lambda: (
                f"{title}: {name} decides and is not told: found with {found}, not with {other}"))
    for key in [*told, *undecided]:
        tally.check("decisive", False, f"{title}: {key} is no place of the board")


def legal_boards(checker, board, place, where, given):
    """The legal boards with each of the values of a place, all else being as it is."""
    found = [with_value(board.data, place, where, v) for v in candidates(place)[0]]
    return [data for data in found if checker.judge.legal(data, given)]


def may_be_given_up(checker, board, place, where):
    """Whether the runs with some value leave the bounds of exploration: then nothing need be told of the place."""
    for v in candidates(place)[0]:
        data = with_value(board.data, place, where, v)
        try:
            if checker.judge.legal(data) and ("limited",) in checker.judge.facts_on(data):
                return True
        except TooLarge:
            return True
    return False


def wider(checker, finding, board, keys):
    """A few larger boards as samples."""
    judge, tally, title = checker.judge, checker.tally, checker.title(finding)
    spec = checker.spec
    given = agreed(spec, finding)
    numbers = scopes_of(checker, finding, board, keys) if finding["wider"] else None
    for entry in finding["wider"]:
        sort = next(s for s in spec.sorts if s.name == entry["sort"])
        zone = next((z for z in spec.zones if z.name == entry["zone"]), None)
        tally.check("wider allowed", not sort.player and sort.document is None and (zone is None or zone.holds is None),
                    f"{title}: the document bounds how many {sort.name} there are in {entry['zone']}, or they are players")
        conditions = [(checker.conditions_about(part["condition"], sort), part["holds"]) for part in entry["only"]]
        if any(condition is None for condition, _ in conditions):
            tally.skip("wider")
            continue
        tried = 0
        for fields in new_fields(sort):
            n = tried % 2  # first or last in the zone, of the first or the last owner
            data = larger(spec, board.data, sort, zone, fields, n)
            if data is None:
                break
            if not fits(sort, data, conditions) or not judge.legal(data):
                continue
            answer = shows(checker, data, keys, numbers, given)
            if answer is None:
                tally.skip("wider")
            else:
                tally.check("wider", answer, lambda: f"{title}: not with one more {sort.name} in {entry['zone']}")
            tried += 1
            if tried == 4:
                break


def new_fields(sort):
    """What an entity that is added can be; the extremes first."""
    columns = []
    for f in sort.fields:
        if f.has_starts:
            columns.append([f.starts])
        elif f.type.kind == "integer":
            low, high = f.explored
            columns.append([low, high, *range(low + 1, high)] if low < high else [low])
        elif f.type.kind == "boolean":
            columns.append([False, True])
        elif f.type.kind == "enum":
            columns.append(list(f.type.values))
        elif f.type.kind == "optional":
            columns.append([None])
        else:
            return
    yield from islice(product(*columns), 64)


def fits(sort, data, conditions):
    """Whether the entity that was added is as the conditions say that it is."""
    new = sort.base + len(data.entities[sort.index]) - 1
    for condition, holds in conditions:
        try:
            if bool(condition.value(data, (new,), {}, None)) != holds:
                return False
        except (NoValue, NeedsReading, Exceeded):
            return False
    return True


def larger(spec, data, sort, zone, fields, n):
    sorts = list(data.entities)
    slot = len(sorts[sort.index])
    sorts[sort.index] = sorts[sort.index] + ((0, *fields),)
    zones = list(data.zones)
    for family in spec.zones:
        if family.owner is sort:  # what it holds itself
            zones[family.index] = (*zones[family.index], ())
    if zone is not None:
        new = sort.base + slot

        def put(content):
            return (new, *content) if n and not zone.unordered else (*content, new)

        if zone.owner is None:
            zones[zone.index] = put(zones[zone.index])
        elif zones[zone.index]:
            family = list(zones[zone.index])
            family[-n] = put(family[-n])
            zones[zone.index] = tuple(family)
        else:
            return None
    return data._replace(entities=tuple(sorts), zones=tuple(zones))


# Runs ----------------------------------------------------------------------------------------------------


def scope_of(checker, finding):
    """A scope in which the witness was found: of its sequence, by the heading of the trace."""
    judge = checker.judge
    if finding["scope"] is not None and finding["scope"] < len(judge.scopes) and finding["witness"]:
        return judge.scopes[finding["scope"]]
    if finding["code"] in ("F0610", "F0611"):  # the run of the other of two sequences can come first
        for scope in judge.scopes:
            if any(claim.name == finding["subject"] for claim in scope.claims):
                return scope
    trace = finding["witness"]["runs"][0]["trace"] or [{}]
    heading = trace[0].get("heading") or ""
    scopes = [s for s in judge.scopes if heading == f"{s.sequence.name.replace('_', ' ')} begins"]
    keys = checker.keys(finding)
    for scope in scopes if keys else ():  # with other contracts it may not be there
        if any(scope in (judge.scopes[n] for n in judge.shown[key].boards) for key in keys if key in judge.shown):
            return scope
    return scopes[0] if scopes else None


def machine_of(checker, finding, scope, free=frozenset()):
    """The machine of the runs of a witness; beyond the scopes the bounds of exploration do not count (§9, §10)."""
    wide = bool(finding["suggested"] or finding["written"] or scope.on)
    return checker.judge.machine(scope.contracts, free=free, wide=wide)


def runs(checker, finding, board):
    judge, tally, title, spec = checker.judge, checker.tally, checker.title(finding), checker.spec
    witness = finding["witness"]
    scope = scope_of(checker, finding)
    if scope is None or finding["code"] == "F0612":
        tally.skip("witness")
        return
    kind = witness["kind"]
    ends = []
    for number, run in enumerate(witness["runs"]):
        if kind == "again" and number:
            done_again(checker, finding, scope, ends[0], run)
            break
        text = BoardText(spec, run["board"])
        assignment = assignment_of(spec, run)
        free = frozenset()
        if finding["code"] == "F0203":
            free = frozenset(s for s in spec.sites if s.path == finding["subject"].removeprefix("trigger "))
        machine = machine_of(checker, finding, scope, free)
        counting = {}
        if kind == "lasso" and judge.still(machine):  # what it counts may leave the bounds of exploration (§8)
            machine = judge.machine(machine.contracts, free=free, wide=True)
            counting = {"like": lambda state: uncounted(spec, state)}
        sequence = scope.sequence
        heading = ((run["trace"] or [{}])[0]).get("heading") or ""
        for other in spec.sequences.values():
            if f"{other.name.replace('_', ' ')} begins" == heading or not heading and run["title"] == f"With {other.name.replace('_', ' ')}":
                sequence = other
        replay = Replay(spec, machine, machine.start(sequence, text.data), assignment, text.names,
                        run["choices"], run["trace"], **counting)
        outcome = run["outcome"]
        if outcome in ("stopped", "grows"):
            tally.check("run", True, "")
        elif outcome == "diverges":
            again = replay.comes_back()
            if kind != "lasso" and not again:
                tally.check("run", replay.end is None, f"{title}: a run that never ends has an end")
            else:
                tally.check("run", again, f"{title}: the run does not come back to where it was")
                if again and kind == "lasso" and finding["code"] in LOOPS:
                    loop_class(checker, finding, replay, machine, assignment)
        else:
            tag = replay.end.tag[0] if replay.end else "no end"
            tally.check("run", tag == outcome, f"{title}: a run ends in {outcome}; the judge has {tag}")
        ends.append((replay, text))
    if kind == "growth":
        growth(checker, finding, ends[0][0])
        return
    if kind == "versus" and len(ends) == 2 and all(r.end for r, _ in ends):
        versus(checker, finding, ends)
    if kind == "versus" and len(ends) == 2 and finding["code"] in ("F0201", "F0202", "F0204"):
        sides(checker, finding, [replay for replay, _ in ends])
    if kind == "demands":
        demands(checker, finding, scope, board)
    of_runs(checker, finding, scope, ends)
    if kind == "versus" and len(ends) == 2 and all(r.end and r.end.tag[0] not in OVER for r, _ in ends):
        kinds_told(checker, finding, observer_of(checker, finding, scope),
                   [(r.end.data, r.assignment) for r, _ in ends], ends[0][0].name)


def value_shown(checker, answer, claim):
    """The run of an answer comes to its value: where it ends, or after the last of its choices."""
    judge, tally, spec = checker.judge, checker.tally, checker.spec
    title, value = f"question {claim.name}", answer["value"]
    run = answer["witness"]["runs"][0]
    contracts = judge.contracts_of(claim.sequence)
    try:
        text = BoardText(spec, run["board"])
        assignment = assignment_of(spec, run)
        good = False
        for wide in (False, True):
            machine = judge.machine(contracts, wide=wide)
            try:
                replay = Replay(spec, machine, machine.start(claim.sequence, text.data), assignment, text.names,
                                run["choices"], run["trace"])
            except Cannot:
                if wide:
                    raise
                continue  # a board in the file: the bounds of exploration do not count
            board = replay.path[0].data
            if run["outcome"] == "stopped":
                states = replay.path[replay.after_choices:]
                data = [s.data for s in states if not C.busy(s)]
            else:
                data = [replay.end.data] if replay.end and replay.end.tag[0] == run["outcome"] else []
            if claim.moment == "end":
                data = data if run["outcome"] in C.SPOKEN else []
            good = good or any(v == value for d in data for v, _ in C.under(spec, claim.expression, d, assignment, board))
        tally.check("value shown", good, f"{title}: its run does not come to {value}")
        met = claim.where is None or bool(C.meets(spec, claim.where, text.data, assignment))
        tally.check("value shown", met and judge.legal(text.data, assignment), f"{title}: its board is none that is asked")
    except Cannot as error:
        if str(error) == "the run is too long":
            tally.skip("value shown by a long run")
            return
        # A value of the board itself: what the run would consult next is not fixed.
        at_once = run["outcome"] == "stopped" and not run["choices"] and not run["trace"]
        found = at_once and [v for v, _ in C.under(spec, claim.expression, text.data, assignment, text.data)]
        tally.check("value shown", at_once and value in found, f"{title}: {error!r}")
    except (KeyError, ValueError) as error:
        tally.check("value shown", False, f"{title}: {error!r}")
    except C.Unknown:
        tally.skip("value shown")


def done_again(checker, finding, scope, first, run):
    """The second run starts where the first ended, or where its step ended, and changes something."""
    judge, tally, title, spec = checker.judge, checker.tally, checker.title(finding), checker.spec
    replay, text = first
    assignment = assignment_of(spec, run)
    claim = next((c for c in spec.claims if c.name == finding["subject"]), None)
    path = finding["subject"] if finding["code"] == "F0702" else claim and claim.step and claim.step.site.path
    machine = machine_of(checker, finding, scope)
    starts = []
    if path is None:
        if replay.end is not None:
            starts.append((machine.start(scope.sequence, replay.end.data), replay.end.data))
    else:
        for n, events in enumerate(replay.events):
            for e in events:
                if e[0] == "step ended" and e[1].site.path == path:
                    data = replay.path[n + 1].data if n + 1 < len(replay.path) else replay.end.data
                    if finding["code"] == "F0702":
                        starts = []
                        data = replay.end.data if replay.end else data
                    # At the end of a run it is done for every place that is there then.
                    everywhere = finding["code"] == "F0702" and e[1].sequence.has_places
                    state = machine.start_everywhere(e[1], data) if everywhere else machine.start_step(e[1], data, e[3])
                    starts.append((state, data))
    observer = scope.observer if claim is None else scope.observer_of(claim)
    for state, data in starts:
        try:
            second = Replay(spec, machine, state, assignment, text.names, run["choices"], run["trace"])
        except Cannot:
            continue
        if second.end is not None and second.end.tag[0] == run["outcome"]:
            before = observe(spec, observer, data, assignment)
            if observe(spec, observer, second.end.data, assignment) != before or run["outcome"] != "end":
                tally.check("again", True, "")
                if claim is not None:
                    sentences.again(checker, finding, second)
                if path is None or finding["code"] == "F0702":
                    of_again(checker, finding, observer, replay, data, second)
                    kinds_told(checker, finding, observer, [(data, assignment), (second.end.data, assignment)],
                               replay.name)
                return
        if second.end is None and run["outcome"] == "diverges":
            tally.check("again", True, "")
            if claim is not None:
                sentences.again(checker, finding, second)
            return
    tally.check("again", False, f"{title}: doing it again does not change anything as it is told")


def loop_class(checker, finding, replay, machine, assignment):
    tally, title = checker.tally, checker.title(finding)
    try:
        machine = checker.judge.still(machine) or machine
        graph = Graph(checker.spec, machine, replay.path[-1], assignment, checker.judge.budget)
    except Consulted as consulted:
        tally.skip("loop class")
        return
    found = classes(graph).get(0)
    tally.check("loop class", found is None or found[0] == finding["code"],
                lambda: f"{title}: the judge has {found[0]} at the loop of the witness")


def versus(checker, finding, ends):
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    (first, text), (second, _) = ends
    over = any(r.end.tag[0] in OVER for r in (first, second))
    mine = set() if over else differences(spec, None, first.end.data, second.end.data, text.names.get)
    told = {(d["what"], d["first"], d["second"]) for d in finding["witness"]["differences"]}
    known = {what for what, _, _ in mine} | {what for what, _, _ in told}
    plain = {d for d in told if " of " in d[0] or d[0] in {p.name.replace("_", " ") for p in spec.variables}}
    seen = checker.judge.sees_all(finding)
    for d in plain:
        if any(x in d[0] for x in ("hand of", "outcome", "created")) or "created" in d[1] + d[2]:
            continue
        if d[0] in known and any(m[0] == d[0] for m in mine):
            tally.check("difference", d in mine, f"{title}: {d}; the judge has {[m for m in mine if m[0] == d[0]]}")
    tally.check("difference", not over or not plain, f"{title}: data of an end at which the game is over: {plain}")
    if seen:
        for m in mine:
            tally.check("difference", any(d[0] == m[0] for d in told), f"{title}: the report does not tell of {m}")
    tags = first.end.tag != second.end.tag
    if tags and first.end.tag[0] != second.end.tag[0]:
        tally.check("difference", any(d[0] == "outcome" for d in told), f"{title}: the outcomes differ")


def sides(checker, finding, replays):
    """Each of the two runs is one of its side, and one has an outcome that the other side does not have (§7, §10)."""
    judge, tally, title, spec = checker.judge, checker.tally, checker.title(finding), checker.spec
    first, second = replays
    machine = first.machine
    at = next((n for n, (one, two) in enumerate(zip(first.path, second.path)) if one != two), None)
    if first.assignment != second.assignment or not at or second.machine is not machine:
        tally.skip("sides")
        return
    try:
        graph = Graph(spec, machine, first.path[at - 1], first.assignment, judge.budget)
    except Consulted:
        tally.skip("sides")  # other runs from there depend on readings that neither of these does
        return
    choice = graph.results[0]
    taken = [[n for n, a in enumerate(choice.alternatives) if a.state == r.path[at]] for r in replays]
    if graph.limited() or any(len(some) != 1 for some in taken):
        tally.skip("sides")
        return
    (k,), (m,) = taken
    good = False
    for observer in {id(s.observer): s.observer for s in judge.scopes if machine_of(checker, finding, s) is machine}.values():
        points = Points(graph, observer)
        one, two = points.both(0, k, m), points.both(0, m, k)
        if one == two:  # no pair that can change places differs: the alternatives as they are
            one, two = (points.values[graph.succ[0][n]] for n in (k, m))
        ends = [graph.outcome(r.end, observer) if r.end else DIVERGES for r in replays]
        good = good or ends[0] in one and ends[1] in two and (ends[0] not in two or ends[1] not in one)
    tally.check("sides", good, f"{title}: the two runs do not show that the order of these two matters")


def demands(checker, finding, scope, board):
    judge, tally, title, spec = checker.judge, checker.tally, checker.title(finding), checker.spec
    assignment = assignment_of(spec, finding["witness"]["runs"][0])
    machine = machine_of(checker, finding, scope)
    graph = Graph(spec, machine, machine.start(scope.sequence, board.data), assignment, judge.budget)
    all_demands = judge.demands(scope)
    rows = C.not_met(spec, all_demands, graph, assignment)
    names = [d.name for d in all_demands]
    core = tuple(names.index(n) for n in finding["cause"].split(" + ") if n in names)
    mine = {tuple(names[n] for n in key): count for key, count in C.ways(graph, rows, core, scope.observer).items()}
    told = {tuple(w["not_met"]): w["outcomes"] for w in finding["witness"]["ways"]}
    tally.check("ways", mine == told, f"{title}: ways {told}; the judge has {mine}")


__all__ = ["examine", "Choice", "End", "subject", "covers"]
