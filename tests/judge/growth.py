"""Rounds: what grows with each, whether anybody decides in it, and what a paragraph says of what changes (docs/semantics.md §8)."""

from __future__ import annotations

import re
from collections import Counter

from .model import CREATED, REMOVED, STRIDE, Choice, Data, Trigger
from .names import plain
from .told import CREATED_NAME, changed, entities_of

EACH_TIME = re.compile(r", but each time (.+?)\. (?=Nobody|Somebody)")
GROWS = ((r"(.+) is larger by (\d+)", 1), (r"(.+) is smaller by (\d+)", -1))
MORE = (r"there (?:is|are) (?P<n>\d+) (?P<what>.+) more", r"(?P<n>\d+) more (?:is|are) pending in (?P<what>.+)")
INTERRUPTED = r"(\d+) more triggers? (?:is|are) interrupted"
DECIDED = {"Nobody decides anything on the way.": False, "Somebody or chance decides something on the way.": True}
VERBS = r"(?:becomes (?P<now>.+?)|(?P<way>grows|falls) by (?P<by>\d+)|goes, the first time, from (?P<old>.+?) to (?P<new>.+?))"
CHANGE = rf"(?:(?<=, )|(?<= and )|(?<=: ))(?P<what>[^,:;]+?) {VERBS}(?=, | and |; then |\.(?: |$)|$)"
OF_RULES = r"\"[^\"]*\" (?=of |acts|begins|goes)"


# Two states of which the second is the first but for what has grown ---------------------------------------------


def shape(value, data, sorts):
    """A part of the control, without the names of what was created, and without data that were put aside."""
    if isinstance(value, Data):
        return None
    if isinstance(value, tuple):
        return tuple(shape(part, data, sorts) for part in value)
    if type(value) is int and value >= STRIDE:
        sort = sorts[value // STRIDE - 1]
        entity = data.entities[sort.index][value - sort.base]
        if entity is None or entity[0] & CREATED:
            return ("created", sort.index)
    return value


def grown(spec, one, two, name):
    """{words: by how much} of what the second of two data has more; None if something else differs."""
    found = Counter()

    def number(words, place, a, b):
        if place.type.kind == "integer" and words is not None:
            found[words] += b - a
            return True
        return place.type.kind == "integer" or shape(a, one, spec.sorts) == shape(b, two, spec.sorts)

    for (sort, who, a), (_, _, b) in zip(entities_of(spec, one, name), entities_of(spec, two, name)):
        if a[0] != b[0] or not all(
                number(f"{plain(f.name)} of {who}", f, a[1 + f.index], b[1 + f.index]) for f in sort.fields):
            return None
    if not all(number(plain(v.name), v, one.variables[v.index], two.variables[v.index]) for v in spec.variables):
        return None
    for sort in spec.sorts:
        counts = [sum(e is not None and e[0] & CREATED != 0 and not e[0] & REMOVED for e in data.entities[sort.index])
                  for data in (one, two)]
        found[f"{plain(sort.name)} more"] += counts[1] - counts[0]
    for queue in spec.queues:
        found[f"pending in {plain(queue.name)}"] += len(two.queues[queue.index]) - len(one.queues[queue.index])
    found = {words: n for words, n in found.items() if n}
    return None if any(n < 0 for words, n in found.items() if words.endswith(" more") or words.startswith("pending in ")) else found


def told_growth(text):
    """The same of a paragraph; None if it is not understood."""
    found = {}
    told = EACH_TIME.search(text)
    for part in re.split(r", | and ", told[1]) if told else ():
        number = next(((m[1], sign * int(m[2])) for pattern, sign in GROWS for m in [re.fullmatch(pattern, part)] if m), None)
        interrupted = re.fullmatch(INTERRUPTED, part)
        if interrupted:
            found["interrupted"] = int(interrupted[1])
            continue
        more = next((m for m in (re.fullmatch(pattern, part) for pattern in MORE) if m), None)
        if number:
            found[number[0]] = number[1]
        elif more:
            found[f"{more['what']} more" if part.startswith("there") else f"pending in {more['what']}"] = int(more["n"])
        else:
            return None
    return found or None


def rounds(spec, replay):
    """(first, last place in the path, what grows) of all that can be rounds; the last choice of the run is in them or
    before. Two rounds are one as well."""
    shapes = [shape(state.control, state.data, spec.sorts) for state in replay.path]
    for last in range(max(1, replay.after_choices), len(replay.path)):
        for first in range(last):
            waiting = interrupted(shapes[first], shapes[last])
            if waiting is None:
                continue
            found = grown(spec, replay.path[first].data, replay.path[last].data, replay.name)
            if found is not None and waiting:
                found["interrupted"] = waiting
            if found:
                yield first, last, found


def interrupted(before, after):
    """How many more triggers wait in the second place, if it is the first but for what waits below its last activation."""
    if not before or not after or before[-1] != after[-1]:
        return None
    below, waiting = before[:-1], after[:-1]
    if waiting[: len(below)] != below:
        return None
    more = waiting[len(below):]
    triggers = sum(isinstance(unit, Trigger) for unit, _, _ in more)
    return triggers if triggers or not more else None


# What a paragraph says of a round -------------------------------------------------------------------------------


def decided(replay, first, last):
    """Whether somebody or chance decides something between two places of a path."""
    return any(type(result) is Choice and result.decider is not None for result in (
        replay.machine.advance(state, replay.assignment) for state in replay.path[first:last]))


def changes_between(spec, replay, first, last):
    """What changes in the small steps between two places of a path: {words: [(before, after)]}."""
    found = {}
    for n in range(first, last):
        for change in changed(spec, replay.path[n].data, replay.path[n + 1].data, replay.name):
            if change[0] == "value":
                found.setdefault(change[1], []).append(change[2:])
    return found


def said_wrong(text, changes):
    """What a paragraph says of values in a round, and no small step of it does; None if all is so."""
    told = text[text.find("Each time round:"):] if "Each time round:" in text else ""
    told = re.sub(OF_RULES, "", told)
    for found in re.finditer(CHANGE, told):
        what = found["what"].rpartition(" and ")[2]
        if CREATED_NAME.search(found[0]):
            continue
        known = changes.get(what, [])
        if found["by"]:
            wanted = int(found["by"]) * (1 if found["way"] == "grows" else -1)
            good = any(int(b) - int(a) == wanted for a, b in known)
        elif found["now"]:
            good = any(b == found["now"] for _, b in known)
        else:
            good = (found["old"], found["new"]) in known
        if not good:
            return f"{found[0]!r}; the judge has {known}"
    for what, now in re.findall(r"\"([^\"]+)\" is (now|no longer) true", told):
        if not any(b == ("true" if now == "now" else "false") for _, b in changes.get(what, [])):
            return f"{what} is {now} true; the judge has {changes.get(what)}"
    return None


def sums(text):
    """{words of a number: by how much the parts of a round that are told change it}; none if not all parts are told."""
    found = Counter()
    told = text[text.find("Each time round:"):] if "Each time round:" in text else ""
    if re.search(r" and \d+ more| then \d+ more", told):
        return {}
    for part in re.finditer(CHANGE, re.sub(OF_RULES, "", told)):
        what = part["what"].rpartition(" and ")[2]
        if CREATED_NAME.search(what):
            continue  # it is another one each time
        if part["by"]:
            found[what] += int(part["by"]) * (1 if part["way"] == "grows" else -1)
        elif part["old"] and re.fullmatch(r"-?\d+ -?\d+", f"{part['old']} {part['new']}"):
            found[what] += int(part["new"]) - int(part["old"])
        else:
            return {}  # it is not told what it was before
    return dict(found)


def growth(checker, finding, replay):
    """Some round of the run grows as it is told, and in it somebody decides just if it is said."""
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    text = finding["text"]
    told = told_growth(text)
    said = [value for words, value in DECIDED.items() if words in text]
    if told is None or len(said) != 1:
        tally.check("growth", False, f"{title}: {text!r} is not understood")
        return
    found = list(rounds(spec, replay))
    parts = sums(text)
    wrong = {what: n for what, n in parts.items() if n != told.get(what, 0)}
    tally.check("growth", not wrong, f"{title}: it grows by {told}, and the parts of the round by {wrong}")
    fitting = [(first, last) for first, last, more in found if more == told]
    tally.check("growth", bool(fitting), f"{title}: it grows by {told}; the judge has {[more for _, _, more in found][:5]}")
    if not fitting:
        return
    tally.check("growth", any(decided(replay, *pair) == said[0] for pair in fitting), (
        f"{title}: somebody decides: {said[0]}; the judge has the contrary"))
    wrong = [said_wrong(text, changes_between(spec, replay, *pair)) for pair in fitting]
    tally.check("round", None in wrong, lambda: f"{title}: {wrong[0]}")


def of_lasso(checker, finding, replay):
    """The values that a paragraph tells of the round of a loop are those of the round that is shown."""
    if replay.end is not None or replay.path[-1] not in replay.path[:-1]:
        return
    first = replay.path.index(replay.path[-1])
    wrong = said_wrong(finding["text"], changes_between(checker.spec, replay, first, len(replay.path) - 1))
    checker.tally.check("round", wrong is None, f"{checker.title(finding)}: {wrong}")


__all__ = ["growth", "of_lasso"]
