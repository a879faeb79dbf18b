"""How a run ends, in words: who wins, which gap it stops in, what would leave its bounds (docs/semantics.md §5, §6)."""

from __future__ import annotations

import re

from .model import Choice, Next
from .names import plain
from .run import Machine
from .told import zones_of

STOPS = "it stops, because "
GIVEN_UP = "it was given up: "
WHERE = re.compile(r"in (?:(?:the step|the trigger|what) [^(]*\([^()]*\.endstep:\d+\)|the list of steps of [^ ,]+), ")
KINDS = {
    "nothing to choose from": r".*one has to be chosen|.* has to be chosen, and none of them is allowed|.* has to be chosen, and there is no value that it may have|something has to be chosen and there is nothing to choose|"
                              r".* is to be given to .*, and there is no room for all of it",
    "empty zone": r".* is empty, and the rule needs its (?:first|last) \w+|something is taken from where nothing lies",
    "vacant role or absent link": r".*there is no .*, and the rule needs one|.* was not there before, and the rule asks what it was then|.*somebody or something is named that is not there.*",
    "odd half": r".* is odd, and it is not said how half of it is rounded|half of an odd number .*",
    "division by zero": r".* is 0, and .* is to be divided by it|.* is divided by 0",
    "largest of nothing": r"there is no .*, and the (?:largest|smallest) .* is needed|the (?:largest|smallest|largest or smallest) of nothing .*",
    "short supply": r".* holds less than is to be taken from it|.*more is taken .*",
    "negative amount": r".* is below 0, and so much is to be .*|.*less than nothing .*|.*negative.*",
    "no case applies": r".*none of these is so: .*|none of the cases applies",
    "leaving what is not running": r".* is not going on, and is to be left|.*is left that is not .*",
    "contradictory values": r"no value of .* agrees with its rule|no values of .* agree with their rules(?: \(.*\))?|"
                            r"a value is needed, and none agrees with its rule",
    "ambiguous values": r".* can have several values, and the rules do not say which|"
                        r"a value is needed, and several agree with its rule",
    "next to what lies nowhere": r".* lies nowhere, and something is to be put next to it|.*next to .* nowhere",
}
BECOMES = re.compile(r"(?P<what>.+) would become (?P<value>-?\d+), (?:and the document allows (?P<low>-?\d+) to (?P<high>-?\d+)|"
                     r"which the document does not allow)")
HOLDS = re.compile(r"(?P<zone>.+) would hold more than (?P<most>\d+)")
WHO = {"win": "wins", "loss": "loses"}


def said_wrong(checker, replay, text):
    """What is wrong with the words about how a run ends, or None; empty if they are not looked at."""
    end = replay.end
    if end is None:
        return ""
    tag = end.tag
    if tag[0] == "end":
        good = text in ("it ends normally", "the step is over")
        return None if good else "it ends normally"
    if tag[0] in ("win", "loss", "draw"):
        who = tag[1] if len(tag) > 1 else None
        return None if text == declared(tag[0], who, replay) else f"it ends in {declared(tag[0], who, replay)!r}"
    if tag[0] == "limit":
        return None if text.startswith(GIVEN_UP) else "it was given up"
    if not text.startswith(STOPS):
        return "it stops"
    words = WHERE.sub("", text[len(STOPS):], count=1)
    if tag[0] == "range":
        return crossed_wrong(checker, replay, words)
    if tag[0] == "conflict":
        good = "more is taken than there is" in words or "more is taken from a supply than it holds" in words
        return None if good else "more is taken from a supply than it holds"
    if tag[0] == "stuck":
        return None if words == f"nothing that was tried meets the contract of {plain(tag[1])}" else f"stuck in {tag[1]}"
    if tag[0] == "gap" and len(tag) == 2:
        named = words.startswith(("the document does not say ", "the document is silent here: ")) or words == f"the document leaves \"{plain(tag[1])}\" open"
        return None if named else f"it stops in the gap {tag[1]}"
    if tag[0] == "gap":
        pattern = KINDS.get(tag[1])
        if pattern is None:
            return ""
        return None if re.fullmatch(pattern, words, re.S) else f"it stops: {tag[1]}"
    return ""


def declared(kind, who, replay):
    if kind == "draw":
        return "it is a draw"
    if who == "everyone":
        return f"everyone {WHO[kind]}"
    name = replay.name(who) if type(who) is int else None
    return f"{name} {WHO[kind]}" if name else f"nobody {WHO[kind]}"


def crossed_wrong(checker, replay, words):
    """What would leave its bounds, to which value, and what the document allows."""
    spec, name = checker.spec, replay.end.tag[1]
    zone = next((z for z in spec.zones if z.name == name), None)
    if zone is not None:
        found = HOLDS.fullmatch(words)
        if found is None:
            return f"{name} would hold more than {zone.holds}"
        known = {w for z, w, _ in zones_of(spec, replay.path[-1].data, replay.name) if z is zone}
        good = int(found["most"]) == zone.holds and (found["zone"] in known | {plain(name)} or None in known)
        return None if good else f"{known} would hold more than {zone.holds}"
    found = BECOMES.fullmatch(words)
    place = next((p for p in (*spec.variables, *(f for s in spec.sorts for f in s.fields)) if p.full_name == name), None)
    if found is None or place is None:
        return f"{name} leaves its bounds"
    if found["low"] is not None and (int(found["low"]), int(found["high"])) != tuple(place.document):
        return f"the document allows {place.document}"
    if place.document[0] <= int(found["value"]) <= place.document[1]:
        return f"{found['value']} lies within what the document allows"
    if found["low"] is None and int(found["value"]) >= 0 and place.document[0] == 0:
        return f"the document allows {place.document}"
    values = written(replay, place)
    if values is None:
        return ""
    good = (found["what"], int(found["value"])) in values
    return None if good else f"the judge has {sorted(values)}"


def written(replay, place):
    """{(words of a place, value)} of what the last small step would write there without its bounds; None if not known."""
    spec, state = replay.spec, replay.path[-1]
    machine = Machine(spec, replay.machine.contracts, without=replay.machine.without, free=replay.machine.free, wide=True)
    bounds = place.document, place.reach
    place.document = place.reach = None
    try:
        result = machine.advance(state, replay.assignment)
    finally:
        place.document, place.reach = bounds
    if type(result) is Choice or type(result) is not Next and result.__class__.__name__ != "End":
        return None
    after = result.state.data if type(result) is Next else result.data
    if type(result) is not Next and result.tag[0] in ("range", "limit"):
        return None
    found = set()
    if place.sort is None:
        found.add((plain(place.name), after.variables[place.index]))
        return found
    for slot, entity in enumerate(after.entities[place.sort.index]):
        name = replay.name(place.sort.base + slot)
        if entity is not None and name is None:
            return None
        if entity is not None:
            found.add((f"{plain(place.name)} of {name}", entity[1 + place.index]))
    return found


def ends_told(checker, finding, ends):
    """Each run of a witness ends as its words say."""
    tally, title = checker.tally, checker.title(finding)
    for (replay, _), run in zip(ends, finding["witness"]["runs"]):
        wrong = "" if run["outcome"] in ("stopped", "grows", "diverges") else said_wrong(checker, replay, run["text"])
        if run["outcome"] == "diverges":
            wrong = None if run["text"] == "it never ends" else "it never ends"
        if wrong == "":
            tally.skip("end in words")
        else:
            tally.check("end in words", wrong is None, f"{title}: {run['text']!r}: {wrong}")


__all__ = ["ends_told"]
