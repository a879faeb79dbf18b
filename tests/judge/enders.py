"""Who can end a loop, and how many positions follow it, as a paragraph tells (docs/semantics.md §8, §11)."""

from __future__ import annotations

import re

from .figures import plain_steps
from .graph import Consulted, Graph, TooLarge
from .loops import CHANCE, MANDATORY, OPTIONAL, ORDER, classes
from .names import plain

SENTENCES = (
    (MANDATORY, r"can reach a point after which it never ends, whatever anybody chooses and however chance turns out"),
    (ORDER, r"can come to a point from which it can go on for ever: an order, a value or a choice that the document "
            r"leaves to nobody can turn out so, again and again, that no end is reached, even if all players want it to "
            r"end and chance helps them"),
    (CHANCE, r"can come to a point from which it can go on for ever: with luck it can be brought to an end, but "
             r"(?P<who>[^.:;]*?) (?:can|cannot) make sure of it(?P<together>, not even together)?"),
    (OPTIONAL, r"can come to a point from which it can go on for ever, but need not: from there (?P<who>[^.:;]*?) can "
               r"bring it to an end(?P<together> together, and none of them alone)?(?:, whatever all others do)?"),
)
POSITIONS = re.compile(r"(?:^|\. )(\d+|One) positions? can follow(?:, whatever (?P<counted>.*?) may be)?, "
                       r"(none of which|which) is (?:an|no) end")
GOES_ON = re.compile(r"can (?:reach|come to) a point (?:after|from) which")


def players_of(spec, text):
    """The names of the players on a board, in order of play."""
    if spec.player is None:
        return []
    rows = text.data.entities[spec.player.index]
    return [text.names[spec.player.base + slot] for slot in range(len(rows))]


def counted_words(spec):
    """What only counts, in the words of a paragraph."""
    variables = [plain(place.name) for place in spec.variables if place in spec.tallies]
    fields = [field for sort in spec.sorts for field in sort.fields if field in spec.tallies]
    return variables + [f"the {plain(field.name)} of each {field.sort.name}" for field in fields]


def in_words(all_of):
    return ", ".join(all_of[:-1]) + " and " * (len(all_of) > 1) + "".join(all_of[-1:])


def sentence(text):
    """(class of the loop, match) of the sentence in a paragraph that tells it; None if there is none."""
    for code, pattern in SENTENCES:
        found = re.search(pattern + r"\.", text)
        if found:
            return code, found
    return None


def wrong_about(found, code, alone, players):
    """What is wrong with the sentence, or None: `alone` are those of the players who can end the loop for themselves."""
    told, match = found
    if told != code:
        return f"it tells of a loop {told}; the judge has {code}"
    if told == CHANCE:
        meant = "the players" if len(players) > 1 else players[0] if players else "nobody"
        says = match[0]
        if match["who"] != meant:
            return f"{match['who']!r} cannot; the judge has {meant!r}"
        if (" cannot make" in says) != bool(players):
            return f"it is said of {len(players)} players whether they can"
        if bool(match["together"]) != (len(players) > 1):
            return f"of {len(players)} players: {match['together']!r}"
    if told == OPTIONAL:
        if match["together"]:
            if match["who"] != "the players" or alone or len(players) < 2:
                return f"none of them alone; the judge has {alone} of {players}"
            return None
        named = re.split(r", | and | or ", match["who"].removeprefix("either ").removeprefix("each of "))
        if not named or not set(named) <= set(alone):
            return f"{match['who']!r} can; the judge has {alone} of {players}"
    return None


def enders(checker, finding, replay, text):
    """The sentence about a loop says who can end it on the board shown, and how many states can follow."""
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    words = finding["text"]
    found = sentence(words)
    if found is None:
        claim = next((c for c in spec.claims if c.name == finding["subject"]), None)
        told = finding["code"] in (MANDATORY, ORDER, CHANCE, OPTIONAL) or GOES_ON.search(words)
        told = told or finding["code"] in ("F0610", "F0611") and claim is not None and claim.form == "terminates"
        if told:
            tally.check("enders", False, f"{title}: it is not said who can end it: {words!r}")
        return
    if not replay.comes_back():
        tally.skip("enders")
        return
    try:
        number = POSITIONS.search(words)
        is_counted = number is not None and number["counted"] is None
        machine = not is_counted and checker.judge.still(replay.machine) or replay.machine
        graph = Graph(spec, machine, replay.path[-1], replay.assignment, checker.judge.budget)
    except (Consulted, TooLarge):
        tally.skip("enders")
        return
    known = classes(graph).get(0)
    if known is None:
        tally.skip("enders")
        return
    code, alone = known[0], [replay.name(p) for p in known[1]]
    wrong = wrong_about(found, code, alone, players_of(spec, text))
    tally.check("enders", wrong is None, lambda: f"{title}: {found[1][0]!r}: {wrong}")
    if number and not is_counted:
        counted = [] if replay.machine.contracts else counted_words(spec)
        tally.check("positions", number["counted"] == in_words(counted), (
            f"{title}: {number['counted']!r} is not counted; the judge has {counted}"))
    if code == MANDATORY:
        mine = len(graph.states)
        told = number and (1 if number[1] == "One" else int(number[1]))
        if told and not plain_steps(spec, [e for _, _, events, _ in graph.edges() for e in events]):
            tally.check("positions", told >= len({state.data for state in graph.states}), (
                f"{title}: {told} positions can follow; the judge has more"))
            return
        tally.check("positions", told == mine, f"{title}: {told} positions can follow; the judge has {mine}")
    else:
        tally.check("positions", number is None, f"{title}: the number of positions is told of a loop that can end")


__all__ = ["enders"]
