"""On how many boards a finding occurs, under which readings, and the sentence about it (docs/semantics.md §10)."""

from __future__ import annotations

import re

from .conditions import covers, full_assignments
from .kinds_of import READINGS
from .names import plain
from .tried import not_compared

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
EVERY = r"every legal board(?: in scope)? that was tried \((?P<every>\d+)\)"
SOME = r"(?P<least>at least )?(?P<some>\d+) of (?P<legal>\d+) legal boards?(?: in scope)?(?: that were tried)?"
WHERE = r" in the (?:(?P<which>\w+) of (?P<of>\d+) scopes|scope) of (?P<sequence>[^,]+)"
SENTENCE = re.compile(f"^(?:{EVERY}|{SOME})(?:{WHERE})?(?:, (?P<tail>.*))?$")
EACH = re.compile(r"^(?:(?P<head>.*)[,;] |)on (?P<least>at least )?(?P<each>none|\d+) of them "
                  r"(?:under every reading|under each of these|whatever the other readings are)(?:, of those that were tried)?(?: \((?P<by>.*)\))?$")
NOT_COMPARED = re.compile(r"; on (\d+) the two were not compared throughout$")
MOST_BY_READING = 16
MOST_IN_WORDS = 4


def by_board(checker, keys, scope):
    """{number of an orbit: assignments} of the boards of a scope that show one of these facts."""
    found = {}
    for key in keys:
        shown = checker.judge.shown.get(key)
        for (number, at), assignments in (shown.by_board if shown else {}).items():
            if number == scope:
                found.setdefault(at, []).extend(assignments)
    return found


def given_up(checker, finding, scope):
    """The orbits of a scope on which not all that concerns a finding is known."""
    judge = checker.judge
    found = set(judge.limited[scope] | judge.unknown[scope])
    open_ = judge.shown.get(("open", finding["subject"], ""))
    if open_ and finding["code"] in ("F0610", "F0611"):
        refuted = by_board(checker, checker.keys(finding), scope)
        found |= open_.boards.get(scope, set()) - set(refuted)
    return found


def uncompared(checker, finding):
    """On how many boards of its scope the two ways to read a sentence that a finding is about were not compared throughout."""
    judge, number = checker.judge, finding["scope"]
    if finding["code"] not in READINGS or number is None or number >= len(judge.scopes):
        return 0
    reading = next((r for r in checker.spec.readings if r.name == finding["subject"]), None)
    ways = finding["cause"].split(" | ")
    if reading is None or not set(ways) <= set(reading.alternatives):
        return 0
    return not_compared(judge, number, reading.index, tuple(map(reading.alternatives.index, ways)))


def counts(checker, finding, choice):
    """`boards_each` and `by_reading` of a finding whose boards lie in one scope."""
    tally, title = checker.tally, checker.title(finding)
    every = full_assignments(checker.spec)
    if choice is None or len(choice) != 1 or every is None:
        tally.skip("boards each")
        return
    boards = by_board(checker, checker.keys(finding), choice[0][0])
    on = {n: sum(any(covers(a, full) for a in some) for some in boards.values()) for n, full in enumerate(every)}
    under = [n for n in on if on[n]]
    each = sum(all(any(covers(a, every[n]) for a in some) for n in under) for some in boards.values())
    tally.check("boards each", finding["boards_each"] == each, lambda: (
        f"{title}: on {finding['boards_each']} boards under each of its readings; the judge has {each}"))
    wrong = by_reading_wrong(checker.spec, finding["by_reading"], every, on)
    tally.check("by reading", wrong is None, lambda: f"{title}: {wrong}")


def by_reading_wrong(spec, told, every, on):
    """What is wrong with the numbers of boards by readings, or None; `on` are those of the judge."""
    if not told:
        if len({n for n in on.values() if n}) > 1 and sum(1 for n in on.values() if n) <= MOST_BY_READING:
            return f"nothing is said of readings; the judge has {sorted(on.values())} boards"
        return None
    rows = []
    for row in told:
        partial = {}
        for name, alternative in row["readings"].items():
            reading = next((r for r in spec.readings if r.name == name), None)
            if reading is None or alternative not in reading.alternatives:
                return f"no reading {name} = {alternative}"
            partial[reading.index] = reading.alternatives.index(alternative)
        rows.append((partial, row["boards"]))
    if len({n for _, n in rows}) == 1 or len(rows) > MOST_BY_READING:
        return f"{len(rows)} readings are told that need not be"
    for n, full in enumerate(every):
        said = [count for partial, count in rows if covers(partial, full)]
        if said != ([on[n]] if on[n] else []):
            return f"on {said} boards under {full}; the judge has {on[n]}"
    return None


def counted(checker, finding, boards):
    """In which scopes it was found, on how many boards, and by what these are known."""
    tally, title = checker.tally, checker.title(finding)
    told = {c["scope"]: c["boards"] for c in finding["counted"]}
    mine = {scope: len(some) for scope, some in boards.items() if some}
    tally.check("counted", told == mine, lambda: f"{title}: counted {told} by scope; the judge has {mine}")
    for c in finding["counted"]:
        if c["digest"] is not None and c["scope"] in boards:
            orbits = checker.judge.orbits[c["scope"]]
            known = frozenset(orbits[n].data for n in boards[c["scope"]])
            # what is asked of one board may be asked of a moment in the middle of a run
            where = checker.judge.scopes[c["scope"]].on and c["scope"]
            checker.digests.append((title, (where, c["digest"]), known))


def digests(checker):
    """Two findings have the same digest where they are found on the same boards, and nowhere else."""
    by_digest, by_boards = {}, {}
    for title, digest, boards in checker.digests:
        one = by_digest.setdefault(digest, (title, boards))
        other = by_boards.setdefault((digest[0], boards), (title, digest))
        checker.tally.check("digest", one[1] == boards, lambda: (
            f"{title} has the digest {digest} of {one[0]}, which is found on other boards"))
        checker.tally.check("digest", other[1] == digest, lambda: (
            f"{title} has the digest {digest}; {other[0]}, which is found on the same boards, has {other[1]}"))


def at_least(checker, finding):
    """Whether it may occur on more boards: just where boards of its scope were given up."""
    scope, code = finding["scope"], finding["code"]
    tally, title, judge = checker.tally, checker.title(finding), checker.judge
    if scope is None or scope >= len(judge.scopes) or finding["witness"] is None:
        return
    subject = finding["subject"].removeprefix("trigger ")
    expected = bool(given_up(checker, finding, scope))
    unsure = any((code, subject) == u for u in judge.unsure) or any(
        row["given_up"] for row in checker.report["scopes"])
    if not expected and unsure:
        tally.skip("at least")
        return
    tally.check("at least", finding["boards_at_least"] == expected, lambda: (
        f"{title}: at least: {finding['boards_at_least']}; the judge has "
        + (f"{len(given_up(checker, finding, scope))} boards given up" if expected else "none given up")))


# The sentence --------------------------------------------------------------------------------------------


def sentence(checker, finding):
    """`occurs_on` says what the other members do."""
    tally, text = checker.tally, finding["occurs_on"]
    if finding["code"] == "F0612":
        return
    if text is None:
        lacking = finding["witness"] is None or finding["suggested"] or finding["written"] or not finding["boards"]
        tally.check("occurs on", bool(lacking), lambda: (
            f"{checker.title(finding)}: it is not said on which boards it occurs"))
        return
    wrong = sentence_wrong(checker, finding, text)
    if wrong == "":
        tally.skip("occurs on")
    else:
        tally.check("occurs on", wrong is None, lambda: f"{checker.title(finding)}: {text!r}: {wrong}")


def sentence_wrong(checker, finding, text):
    """What is wrong with the sentence, or None; empty if it is not understood."""
    scopes, number = checker.judge.scopes, finding["scope"]
    if number is not None and number < len(scopes) and scopes[number].on is not None:
        there = f'the board "{plain(scopes[number].on.name)}"'
        return None if (text + ",").startswith(there + ",") else f"it is asked of {there}"
    told = NOT_COMPARED.search(text)
    not_ = uncompared(checker, finding)
    if (int(told[1]) if told else 0) != not_:
        return f"on {not_} boards the two were not compared throughout"
    text = NOT_COMPARED.sub("", text)
    found = SENTENCE.match(text)
    if found is None:
        return ""
    boards, legal = finding["boards"], finding["legal_boards"]
    if found["every"] is not None:
        if not int(found["every"]) == boards == legal:
            return f"there are {boards} of {legal}"
    elif (int(found["some"]), int(found["legal"])) != (boards, legal):
        return f"there are {boards} of {legal}"
    elif bool(found["least"]) != finding["boards_at_least"]:
        return f"at least: {finding['boards_at_least']}"
    # The readings are those of all scopes together, and of the boards in the file.
    several = len(finding["counted"]) > 1 or bool(checker.judge.assignments_in_file(checker.keys(finding) or ()))
    return scope_wrong(checker, finding, found) or (None if several else readings_wrong(finding, found["tail"] or ""))


def scope_wrong(checker, finding, found):
    """What is wrong with the words about the scope of a sentence, or None."""
    scopes, number = checker.judge.scopes, finding["scope"]
    if found["sequence"] is None:
        several = len(finding["counted"]) > 1
        return "it is also found in other scopes" if several else None
    if number is None or number >= len(scopes):
        return "it has no scope"
    sequence = scopes[number].sequence
    same = [n for n, s in enumerate(scopes) if s.sequence is sequence and s.verify is not None] or [number]
    if found["sequence"] != sequence.name.replace("_", " "):
        return f"it is in a scope of {sequence.name}"
    if found["which"] is None:
        return None if len(same) == 1 else f"{sequence.name} has {len(same)} scopes"
    at = same.index(number)
    named = ORDINALS[at] if at < len(ORDINALS) else found["which"]
    if int(found["of"]) != len(same) or found["which"] != named:
        return f"it is in scope {at + 1} of {len(same)}"
    return None


def readings_wrong(finding, tail):
    """What is wrong with the words about readings of a sentence, or None."""
    readings, each, boards = finding["readings"], finding["boards_each"], finding["boards"]
    found = EACH.match(tail)
    if found is None:
        least = finding["boards_at_least"]
        if each != boards and (not least or tail.startswith("under every reading")):
            return f"it is not said that it occurs on {each} under each"
        if least and each == 0 and readings.startswith("under every reading") and tail == "under some reading":
            return None
        # other scopes may have runs that were given up, so that there it is only `found`
        good = tail == readings or "found " + tail == readings or not tail and readings.startswith("under every reading")
        good = good or tail == "under some readings only" and readings.count(" = ") > 2
        good = good or tail == "found under some readings" and readings.startswith("found only") and readings.count(" = ") > 2
        return None if good else f"the readings are {readings!r}"
    if int(found["each"].replace("none", "0")) != each:
        return f"it occurs on {each} under each"
    if found["least"]:
        if not finding["boards_at_least"] or found["by"]:
            return "it is known on how many it occurs"
        return None if readings.startswith("under every reading") else f"the readings are {readings!r}"
    rows = finding["by_reading"] if len(finding["by_reading"]) <= MOST_IN_WORDS else []  # more are left out in words
    by = "; ".join(", ".join(f"{n} = {a}" for n, a in row["readings"].items()) + f": {row['boards']}" for row in rows)
    if sorted((found["by"] or "").split("; ")) != sorted(by.split("; ")):
        told = sorted(tuple(sorted(re.split(r", |: ", part))) for part in (found["by"] or "").split("; "))
        if told != sorted(tuple(sorted(re.split(r", |: ", part))) for part in by.split("; ")):
            return f"by readings: {by}"
    head = found["head"] or ""
    good = head in ("under some reading", readings) or head == "" and (not readings or readings.startswith("under every reading"))
    good = good or head == "under some readings only" and readings.count(" = ") > 2
    return None if good else f"the readings are {readings!r}"
