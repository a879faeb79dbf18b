"""What a witness tells beside its runs: where two ends differ, what changes on the way, and on what the runs rest."""

from __future__ import annotations

import re

from .build import BASES
from .created import fewest_rows
from .enders import enders
from .figures import steps_told
from .model import CREATED, OVER, REMOVED, Choice, Exceeded, NeedsReading, Next, NoValue
from .names import plain
from .values import spent

CREATED_NAME = re.compile(r"\bcreated \d+")


# Values, by the words of a report -------------------------------------------------------------------------


def value_text(place, v, name):
    """A value in words; None of a created entity, whose name is the program's own."""
    if v is None:
        return "none"
    if place.type.kind in ("entity", "optional"):
        return name(v)
    if type(v) is bool:
        return "true" if v else "false"
    return plain(str(v)) if place.type.kind == "enum" else str(v)


def zones_of(spec, data, name):
    """(zone, its words, identities) of each single zone; of one that a created entity keeps the words are None."""
    for zone in spec.zones:
        inside = data.zones[zone.index]
        if zone.owner is None:
            yield zone, plain(zone.name), inside
            continue
        for slot, part in enumerate(inside):
            owner = name(zone.owner.base + slot)
            yield zone, owner and f"{plain(zone.name)} of {owner}", part


def entities_of(spec, data, name):
    """(sort, words, entity) of what was on the board."""
    for sort in spec.sorts:
        for slot, entity in enumerate(data.entities[sort.index]):
            if entity is not None and not entity[0] & CREATED:
                yield sort, name(sort.base + slot), entity


# Where two ends differ ------------------------------------------------------------------------------------


def seen(spec, observer, data, name, assignment, board):
    """{words: text} of all that an observer sees of things on the board; the text of a zone is a tuple of names, sorted
    where the arrangement is not seen; None of what has no words."""
    found = {}
    for sort, who, entity in entities_of(spec, data, name):
        for place in sort.fields:
            if place in observer.fields:
                found[f"{plain(place.name)} of {who}"] = value_text(place, entity[1 + place.index], name)
    for place in observer.variables:
        found[plain(place.name)] = value_text(place, data.variables[place.index], name)
    as_set = {zone.index: flag or zone.unordered for zone, flag in observer.zones}
    for zone, words, inside in zones_of(spec, data, name):
        if zone.index not in as_set or words is None:
            continue
        names = [name(one) for one in inside]
        known = None not in names
        found[words] = tuple(sorted(names) if as_set[zone.index] else names) if known else None
    for expression in observer.expressions:
        found[expression.text] = expression_text(expression, data, assignment)
    return found


def expression_text(expression, data, assignment):
    spent[0] = 0
    try:
        v = expression.value(data, (), assignment, None)
    except (NoValue, NeedsReading, Exceeded):
        return None
    if type(v) is bool:
        return "true" if v else "false"
    return str(v) if type(v) is int and expression.type.kind == "integer" else None


def rows_between(spec, observer, first, second, name, assignments):
    """({words: (first, second)} of what differs, the words of which nothing is known); each under its own assignment."""
    a, b = (seen(spec, observer, data, name, one, None) for data, one in zip((first, second), assignments))
    if observer.removed:
        for (sort, who, one), (_, _, two) in zip(entities_of(spec, first, name), entities_of(spec, second, name)):
            if one[0] & REMOVED != two[0] & REMOVED:
                a[who], b[who] = ("not there" if e[0] & REMOVED else "there" for e in (one, two))
    unknown = {words for words in {**a, **b} if a.get(words) is None or b.get(words) is None}
    return {words: (a[words], b[words]) for words in a if words not in unknown and a[words] != b[words]}, unknown


def told_text(value, like):
    """The text of a row in the form in which `seen` has it."""
    if type(like) is not tuple:
        return value
    return tuple(value.split(", ")) if value != "nothing" else ()


def differences_told(checker, finding, observer, ends, name):
    """Each row is so, and there is one for all that differs. `ends` are (tag or None, data, assignment)."""
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    (one, first, before), (two, second, after) = ends
    mine, unknown = rows_between(spec, observer, first, second, name, (before, after))
    over = any(tag is not None and tag[0] in OVER for tag in (one, two))
    if over:
        mine, unknown = {}, set()  # nothing else counts
    sets = {words for zone, flag in observer.zones if flag or zone.unordered
            for other, words, _ in zones_of(spec, first, name) if other is zone}
    rows = {d["what"]: (d["first"], d["second"]) for d in finding["witness"]["differences"]}
    if one is not None:
        tally.check("rows", ("outcome" in rows) == (one != two), f"{title}: whether the outcomes differ: {one}, {two}")
    for what, row in rows.items():
        if what == "outcome" or what in unknown or CREATED_NAME.search(what):
            continue
        has = mine.get(what)
        told = has and tuple(told_text(value, like) for value, like in zip(row, has))
        if has and what in sets:
            told = tuple(tuple(sorted(part)) for part in told)
        tally.check("rows", has is not None and told == has, f"{title}: {what}: {row}; the judge has {has}")
    for what, has in mine.items():
        tally.check("rows", what in rows, f"{title}: the report does not tell that {what} differs: {has}")
    fewest = None if over else fewest_rows(spec, observer, first, second)
    if fewest is not None:
        computed = {expression.text for expression in observer.expressions} | {"outcome"}
        number = sum(what not in computed for what in rows)
        tally.check("rows of what was created", number in fewest, f"{title}: {list(rows)}; the judge has {fewest} rows")
    same = [what for what, (one_told, other_told) in rows.items() if one_told == other_told]
    tally.check("rows", not same, f"{title}: told by the same words for both ends: {same}")


def observer_of(checker, finding, scope):
    """Who compares: the observer of the claim, or that of the scope."""
    claim = next((c for c in checker.spec.claims if c.name == finding["subject"]), None)
    if finding["code"] in ("F0610", "F0611") and claim is not None:
        return scope.observer_of(claim)
    return scope.observer


def tag_of(end):
    """A tag, so that two are equal if the outcomes end in the same way (§6)."""
    if end.tag[0] == "conflict":
        return ("conflict", end.site.clause.id if end.site.clause else None, end.site.words)
    return end.tag


# What changes on the way ----------------------------------------------------------------------------------


def lies(spec, data, name):
    """{identity: words of the zone}; {words: identities}."""
    where, contents = {}, {}
    for _, words, inside in zones_of(spec, data, name):
        contents[words] = inside
        where.update((one, words) for one in inside)
    return where, contents


def changed(spec, before, after, name):
    """What a small step changes, as `read_change` has it, but for what is about created entities; ("lies", zone, names)
    is how a zone lies then that something left, or came to and lies last, which may be told as well."""
    found = []

    def value(words, place, one, two):
        one, two = value_text(place, one, name), value_text(place, two, name)
        if one is not None and two is not None and one != two:
            found.append(("value", words, one, two))

    where, contents = lies(spec, before, name)
    there, now = lies(spec, after, name)
    for sort in spec.sorts:
        for slot, (one, two) in enumerate(zip(before.entities[sort.index], after.entities[sort.index])):
            identity, who = sort.base + slot, name(sort.base + slot)
            if one is None or two is None or one == two and where.get(identity) == there.get(identity) or who is None:
                continue
            for place in sort.fields:
                value(f"{plain(place.name)} of {who}", place, one[1 + place.index], two[1 + place.index])
            if where.get(identity) != there.get(identity):
                found.append(("move", who, where.get(identity), there.get(identity)))
            elif two[0] & REMOVED and not one[0] & REMOVED:
                found.append(("out", who))
    for place in spec.variables:
        value(plain(place.name), place, before.variables[place.index], after.variables[place.index])
    for zone, words, inside in zones_of(spec, after, name):
        old = contents.get(words, ())
        names = [name(one) for one in inside]
        if words is not None and not zone.unordered and None not in names and old != inside:
            staying = tuple(one for one in old if one in inside)
            found.append(("lies" if inside[:len(staying)] == staying else "order", words, tuple(names)))
    for queue in spec.queues:
        if before.queues[queue.index] != after.queues[queue.index]:
            waiting = [plain(spec.triggers[i.trigger].name) for i in after.queues[queue.index]]
            found.append(("queue", plain(queue.name), tuple(sorted(waiting))))
    return found


CHANGES = (
    (r"(.+?): (?:pending now|still pending) (.+)", lambda m: ("queue", m[1], waiting(m[2]))),
    (r"(.+?): nothing is pending any more", lambda m: ("queue", m[1], ())),
    (r"(.+?): from (.+) to (.+)", lambda m: ("value", m[1], m[2], m[3])),
    (r'"(.+)" is now true', lambda m: ("value", m[1], "false", "true")),
    (r'"(.+)" is no longer true', lambda m: ("value", m[1], "true", "false")),
    (r'(.+) is now marked "(.+)"', lambda m: ("value", f"{m[2]} of {m[1]}", "false", "true")),
    (r'(.+) is no longer marked "(.+)"', lambda m: ("value", f"{m[2]} of {m[1]}", "true", "false")),
    (r"(.+) moves from (.+) to (.+)", lambda m: ("move", m[1], m[2], m[3])),
    (r"(.+) comes to (.+)", lambda m: ("move", m[1], None, m[2])),
    (r"(.+) leaves (.+) and is out of the game", lambda m: ("move", m[1], m[2], None)),
    (r"(.+) is (?:out of the game|removed)", lambda m: ("out", m[1])),
    (r"(.+), now in this order: (.+)", lambda m: ("order", m[1], tuple(m[2].split(", ")))),
)


def waiting(text):
    """The names of the triggers that wait, without whom they are for and with what."""
    alone = re.sub(r"\([^()]*\)", "", text)
    return tuple(sorted(part.split(" of ")[0].strip() for part in alone.split(", ")))


def read_change(text):
    """A line of a trace: ("value", where, from, to), ("move", who, from, to), ...; None of one that is not known."""
    for pattern, made in CHANGES:
        match = re.fullmatch(pattern, text)
        if match:
            return tuple(bare(part) for part in made(match))
    return None


def bare(words):
    """A name without the quotation marks in which one stands that could be misread."""
    quoted = type(words) is str and re.fullmatch('"([^"]*)"', words)
    return quoted[1] if quoted else words


def segments(spec, replay, on):
    """What changes in each small step, in parts that each begin with a choice but for the first; of a run that never
    ends also what it goes on doing, if it goes `on`: (what changes, how zones lie then that something came to)."""
    parts = [[]]
    data = [state.data for state in replay.path]
    if replay.end is not None:
        data.append(replay.end.data)
    for at in range(len(data) - 1):
        if type(replay.machine.advance(replay.path[at], replay.assignment)) is Choice:
            parts.append([])
        parts[-1].append(changed(spec, data[at], data[at + 1], replay.name))
    state = replay.path[-1]
    for _ in replay.path if on and replay.end is None else ():
        result = replay.machine.advance(state, replay.assignment)
        if type(result) is not Next:
            break
        parts[-1].append(changed(spec, state.data, result.state.data, replay.name))
        state = result.state
    return parts


def told_segments(trace):
    """The same of a trace; None if a line is not understood."""
    parts = [[]]
    for moment in trace:
        if moment["choice"]:
            parts.append([])
        for text in moment["changes"]:
            if CREATED_NAME.search(text) and not re.search(": (pending now|still pending) ", text):
                continue
            change = read_change(text)
            if change is None:
                return None
            parts[-1].append(change)
    return parts


def queues(changes):
    """{queue: what it holds, each time that something was taken out or nothing more is put in}: whether several triggers
    come into it in one small step or in several makes no difference."""
    found = {}
    for change in changes:
        if change[0] == "queue":
            row = found.setdefault(change[1], [])
            if row and len(row[-1]) < len(change[2]):
                row.pop()
            row.append(change[2])
    return found


def unlike(lines, steps, may_stop):
    """What of a part of a trace is not as the small steps have it; None if all is."""
    rest = [line for line in lines if line[0] != "queue"]
    for step in steps:
        due = [change for change in step if change[0] not in ("queue", "lies")]
        lying = [("order", *change[1:]) for change in step if change[0] == "lies"]
        told = []
        while rest and (rest[0] in due or rest[0] in lying):
            (due if rest[0] in due else lying).remove(rest[0])
            told.append(rest.pop(0))
        if due and not (may_stop and not rest):
            return f"{rest[:1]}; the judge has {due}"
        for _, words, names in lying if not due else ():
            came = tuple(line[1] for line in told if line[0] == "move" and line[3] == words)
            if names[len(names) - len(came):] != came:
                return f"{came} come to {words} and lie in another order; the judge has {names}"
    return f"{rest} does not happen" if rest else None


def changes_told(checker, finding, replay, run):
    """The trace tells what changes between one choice and the next, in the order in which it does."""
    tally, title = checker.tally, checker.title(finding)
    if run["trace"] is None or run["outcome"] == "grows":
        return
    told = told_segments(run["trace"])
    if told is None:
        tally.skip("changes", f"{title}: {run['title']}")
        return
    open_end = run["outcome"] in ("stopped", "diverges")  # what is shown may end before the run does
    mine = segments(checker.spec, replay, run["outcome"] == "diverges")
    wrong = None if len(told) == len(mine) else f"{len(told) - 1} choices are shown; the judge has {len(mine) - 1}"
    for n, (lines, steps) in enumerate(zip(told, mine)):
        words = unlike(lines, steps, open_end and n + 1 == len(told))
        wrong = wrong or words and f"after choice {n}: {words}"
    one, two = queues([c for part in told for c in part]), queues([c for part in mine for step in part for c in step])
    for name in {*one, *two}:
        a, b = one.get(name, []), two.get(name, [])
        good = a[:-1] == b[:len(a[:-1])] if open_end else a == b
        wrong = wrong or (None if good else f"{name}: {a}; the judge has {b}")
    tally.check("changes", wrong is None, lambda: f"{title}: {wrong}")


# On what it rests -----------------------------------------------------------------------------------------


def ranks(replay, at_odds=False):
    """After each small step the weakest basis of what was executed until then (§10); `at_odds`: the last of which is the
    one after the replay, in which a `simultaneously` asks what is to happen."""
    found, now, later = [], 0, 0
    last = len(replay.events) - 1
    for at, events in enumerate(replay.events):
        now = max(now, later)
        for e in events:
            if e[0] in ("step begun", "trigger"):
                now = max(now, BASES.index(e[1].site.basis))
            elif e[0] == "executed" and e[1].is_met:  # it counts from the next small step
                later = max(later, BASES.index("gap"))
            elif e[0] == "executed" and e[1].gap is not None and not (at == last and replay.end is not None):
                now = max(now, BASES.index("gap"))
        found.append(now)
    if found and replay.end is not None and tag_of(replay.end)[0] == "range":
        found[-1] = max(found[-1], later)  # what crosses a bound is written after all of a `simultaneously` was evaluated
    if found and at_odds and replay.end is None:
        found[-1] = max(found[-1], later)
    return found or [0]


def basis_told(checker, finding, replays, runs):
    """The weakest basis of the rules executed on the runs; of a run that is shown only until it is seen, between the
    last choice and where the judge stops."""
    tally, title = checker.tally, checker.title(finding)
    least = most = 0
    for replay, run in zip(replays, runs):
        row = ranks(replay, finding["code"] == "F0303")
        whole = run["outcome"] != "stopped"
        least = max(least, row[-1] if whole else row[max(0, replay.after_choices - 1)])
        most = max(most, row[-1])
    good = least <= BASES.index(finding["basis"]) <= most
    tally.check("basis", good, lambda: (
        f"{title}: basis {finding['basis']}; the judge has {BASES[least]} to {BASES[most]}"))


# All of them ----------------------------------------------------------------------------------------------


def of_runs(checker, finding, scope, ends):
    """What is told of the runs of a witness, which were replayed: (replay, the board as read) of each."""
    witness = finding["witness"]
    from .follows import follows_told, why_told

    replays = [replay for replay, _ in ends]
    for replay, run in zip(replays, witness["runs"]):
        changes_told(checker, finding, replay, run)
        follows_told(checker, finding, replay, run)
        why_told(checker, finding, replay, run)
    if witness["kind"] != "again":
        basis_told(checker, finding, replays, witness["runs"])
    from .growth import of_lasso
    from .paragraphs import told_power
    from .plainly import plainly
    from .rests import rests_told
    from .sentences import of_claim, of_pair
    from .stops import ends_told

    ends_told(checker, finding, ends)
    steps_told(checker, finding, ends)
    told_power(checker, finding, scope, ends)
    rests_told(checker, finding, replays)
    if witness["kind"] == "versus":
        plainly(checker, finding, ends)
    of_pair(checker, finding, ends)
    of_claim(checker, finding, scope, ends)
    if witness["kind"] == "lasso":
        enders(checker, finding, *ends[0])
        of_lasso(checker, finding, ends[0][0])
    if witness["kind"] == "versus" and len(ends) == 2 and all(r.end for r in replays):
        first, second = replays
        differences_told(checker, finding, observer_of(checker, finding, scope),
                         [(tag_of(r.end), r.end.data, r.assignment) for r in (first, second)], first.name)


def of_again(checker, finding, observer, first, data, second):
    """What is told of a run, and of a second one that starts with the data with which it ended."""
    runs = finding["witness"]["runs"]
    changes_told(checker, finding, second, runs[1])
    basis_told(checker, finding, [first, second], runs)
    if second.end is not None:
        ends = [(("end",), data, first.assignment), (tag_of(second.end), second.end.data, second.assignment)]
        differences_told(checker, finding, observer, ends, first.name)


__all__ = ["of_runs", "of_again"]
