"""Sentences of a paragraph that say something of the runs shown, or of what the judge found by itself (docs/semantics.md §11).

Each check knows which sentence a finding has to have, and reads from it what it asserts; a sentence that is missing or
cannot be read is wrong.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from . import claims as C
from .graph import DIVERGES, TooLarge, leaves
from .model import STRIDE, Alternative, Choice, Next
from .names import plain
from .orders import steps_of

POSITION = re.compile(r"that order decides what happens: if (.+?) came before (.+?), it would come out differently\.")
NO_BEGINNING = re.compile(r"on a run from this board that order has no beginning: it would make a difference whether (.+?) or (.+?) came "
                          r"first\.")
CANNOT = re.compile(r"This fails on the board below: (.+?) can end (?:for what \"[^\"]*\" sees )?in a way in which (.+?) cannot\.")
AGAIN = re.compile(r"This fails on the board below: (doing it again changes something|done again, it ends in another way|"
                   r"done again, it never ends)\.")
KEPT = re.compile(r"This fails on the board below(?:: (it has a value at the start, and has none then|"
                  r"it has no value at the start, and has one then)|: ([^.]*))?\.")
MATTERS = re.compile(r"It matters, because it comes out differently with (.+?) and with (.+?)\.(?: |$)")
LIST = re.compile(r"The steps \"(?P<one>[^\"]*)\" and \"(?P<two>[^\"]*)\" of (?P<of>.+?) (?P<how>stand in a list, and the text does not "
                  r"say that its order binds|may be done in (?:either|any) order, and the document does not say which)\.")
CHOSEN = re.compile(r"(?P<who>[^.]+?) (?:chooses|choose together) which of the steps \"(?P<one>[^\"]*)\" and \"(?P<two>[^\"]*)\" of "
                    r"(?P<of>.+?) comes first\.")
CONFLICT = re.compile(r": (on some board it comes out differently depending on which one is followed|on no board in scope was it "
                      r"seen to matter which one is followed)(?: for what \"[^\"]*\" sees)?\.")
NO_BOARD = re.compile(r"(No board within the explored sizes is both legal and one of those to be tried: (?P<all>.+) was explored from "
                      r"none|At least one of the scopes of (?P<one>.+) has no board: none within its sizes is both legal and one of those to be "
                      r"tried)\.")


class Parting(NamedTuple):
    """Where two runs part: the choice, the numbers of the alternatives that they take, and the place in their paths."""

    choice: Choice
    taken: list
    at: int


def divergence(replays):
    """Where two runs under the same readings part; None if that is not at a choice."""
    first, second = replays
    at = next((n for n, (a, b) in enumerate(zip(first.path, second.path)) if a != b), None)
    if not at or first.assignment != second.assignment:
        return None
    choice = first.machine.advance(first.path[at - 1], first.assignment)
    if type(choice) is not Choice:
        return None
    taken = [[n for n, a in enumerate(choice.alternatives) if a.state == r.path[at]] for r in replays]
    if any(len(some) != 1 for some in taken):
        return None
    return Parting(choice, [some[0] for some in taken], at)


def names_taken(replays, parting):
    return [taken_name(replays[0], parting.choice, parting.choice.alternatives[n].label) for n in parting.taken]


def taken_name(replay, choice, label):
    if label[0] == "value" and type(label[1]) is int and label[1] >= STRIDE:
        return replay.name(label[1])
    return replay.label(choice, label)


# Two runs that part ---------------------------------------------------------------------------------------


def position(checker, finding, replays):
    """Which of two the document puts first: it is named second."""
    tally, title = checker.tally, checker.title(finding)
    parting = divergence(replays)
    told = NO_BEGINNING.search(finding["text"])
    if told is not None:
        without_beginning(checker, title, told, (replays, parting))
        return
    told = POSITION.search(finding["text"])
    if told is None or parting is None:
        tally.check("fixed order", False, f"{title}: it is not said, or not shown, which came before which")
        return
    labels = [parting.choice.alternatives[n].label for n in parting.taken]
    names = names_taken(replays, parting)
    first = comes_first(checker, replays[0], parting, [label[1] for label in labels])
    if first is None or None in names:
        tally.skip("fixed order", title)
        return
    fixed, other = (names if first == labels[0][1] else reversed(names))
    tally.check("fixed order", (told[1], told[2]) == (other, fixed), (
        f"{title}: {told[0]!r}; the document puts {fixed} before {other}"))


def without_beginning(checker, title, told, shown):
    """The fixed order has no beginning on some run from the board, and the two named are those that the runs take."""
    replays, parting = shown
    replay = replays[0]
    fixed = checker.judge.machine(replay.machine.contracts, wide=replay.machine.wide)
    graphs = leaves(checker.spec, fixed, replay.path[0], checker.judge.budget, replay.assignment)
    stops = parting is not None and any(
        end.tag[0] == "gap" and end.site is parting.choice.site for graph in graphs for _, end in graph.ends())
    names = set(names_taken(replays, parting)) if parting else set()
    checker.tally.check("fixed order", stops and names == {told[1], told[2]}, (
        f"{title}: {told[0]!r}; the judge has {names}, and a run that stops there: {stops}"))


def comes_first(checker, replay, parting, elements):
    """Which of two elements has its turn first where the order is as it is fixed; None if that run goes another way
    before."""
    site, fixed = parting.choice.site, checker.judge.machine(replay.machine.contracts, wide=replay.machine.wide)
    before = [e[2] for events in replay.events[:parting.at - 1] for e in events if e[0] == "visit" and e[1] is site]
    taken = [label for n in range(parting.at - 1) for label in label_taken(replay, n, site)]
    state, left = replay.path[0], 0
    while True:
        result = fixed.advance(state, replay.assignment)
        if type(result) is Choice and left < len(taken):
            result = next((a for a in result.alternatives if a.label == taken[left]), None)
            left += 1
        if not isinstance(result, (Next, Alternative)):
            return None
        for e in result.events:
            if e[0] == "visit" and e[1] is site and before:
                if e[2] != before.pop(0):
                    return None
            elif e[0] == "visit" and e[1] is site and e[2] in elements:
                return e[2]
        state = result.state


def label_taken(replay, n, site):
    """What is taken in a small step, if something is chosen there that is no turn of the iteration."""
    choice = replay.machine.advance(replay.path[n], replay.assignment)
    if type(choice) is Choice and choice.site is not site:
        yield next(a.label for a in choice.alternatives if a.state == replay.path[n + 1])


def in_list(checker, finding, replays):
    """Which list two steps stand in, and what the text says of its order."""
    tally, title = checker.tally, checker.title(finding)
    told = LIST.search(finding["text"]) or CHOSEN.search(finding["text"])
    parting = divergence(replays)
    if parting is None:
        tally.skip("list in words", title)
        return
    choice = parting.choice
    if choice.alternatives[0].label[0] != "step":
        tally.check("list in words", told is None, f"{title}: they are no steps of a list")
        return
    sequence = steps_of(checker.spec, choice.site)
    if told is None:
        tally.check("list in words", False, f"{title}: it is not said in which list the steps stand")
        return
    if told.re is CHOSEN:
        good = sequence.policy == "chosen" and decider_named(replays[0], choice.decider, told["who"])
    else:
        how = "stand in a list" if sequence.policy == "unspecified" else "may be done"
        good = choice.decider is None and told["how"].startswith(how)
    good = good and plain(sequence.name) == told["of"] and names_taken(replays, parting) == [told["one"], told["two"]]
    tally.check("list in words", good, f"{title}: {told[0]!r}; the judge has {sequence.name}, {sequence.policy}")


def decider_named(replay, decider, words):
    """Whether words name who decides."""
    if decider == "everyone":
        return words.lower() == "the players"
    if decider == "chance":
        return words.lower() == "chance"
    name = replay.name(decider) if type(decider) is int else None
    return name is None or words.lower() == name.lower()


def matters(checker, finding, replays):
    """With which two values of what a gap leaves open it comes out differently."""
    tally, title = checker.tally, checker.title(finding)
    told = MATTERS.search(finding["text"])
    if told is None:
        tally.check("values in words", False, f"{title}: it is not said with which values it comes out differently")
        return
    tally.check("values in words", told[1] != told[2], f"{title}: {told[0]!r}: one value twice")
    parting = divergence(replays)
    names = None if parting is None else names_taken(replays, parting)
    if names is None or None in names:
        tally.skip("values in words", title)
        return
    tally.check("values in words", [told[1], told[2]] == names, f"{title}: {told[0]!r}; the runs have {names}")


# Claims ---------------------------------------------------------------------------------------------------


def equivalent(checker, finding, claim, scope, ends):
    """Which of two sequences can end as the other cannot: the run of the one shows it."""
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    told = CANNOT.search(finding["text"])
    if told is None:
        tally.check("equivalent in words", False, f"{title}: it is not said which can end as the other cannot")
        return
    sequences = {plain(s.name): s for s in (claim.sequence, claim.other)}
    named = [sequences.get(told[1]), sequences.get(told[2])]
    if None in named or named[0] is named[1]:
        tally.check("equivalent in words", False, f"{title}: {told[0]!r}; claimed of {list(sequences)}")
        return
    shown = ends[0][0]
    if shown.path[0].control[0].unit is not named[0]:
        tally.check("equivalent in words", False, f"{title}: {told[0]!r}: the first run is none of {told[1]}")
        return
    assignment = {r: k for replay, _ in ends for r, k in replay.assignment.items()}
    observer = scope.observer_of(claim)
    start = shown.machine.start(named[1], ends[0][1].data)
    try:
        others = leaves(spec, shown.machine, start, checker.judge.budget, assignment)
        good = all((graph.outcome(shown.end, observer) if shown.end else DIVERGES) not in graph.values(observer)[0]
                   for graph in others)
    except TooLarge:
        tally.skip("equivalent", title)
        return
    tally.check("equivalent in words", good, f"{title}: {told[0]!r}: {told[2]} can end so, too")


def again(checker, finding, second):
    """How a second run refutes that it changes nothing."""
    told = AGAIN.search(finding["text"])
    mine = "done again, it never ends" if second.end is None else "doing it again changes something" if second.end.tag == ("end",) \
        else "done again, it ends in another way"
    checker.tally.check("again in words", told is not None and told[1] == mine, (
        f"{checker.title(finding)}: {told and told[1]!r}; the judge has {mine!r}"))


def conserves(checker, finding, claim, replay):
    """Whether something has a value at the start, and has one then."""
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    told = KEPT.search(finding["text"])
    if told is None or told[2] is not None:
        tally.check("kept in words", False, f"{title}: what becomes of the value is not said")
        return
    board = replay.path[0].data
    moments = [s.data for s in replay.path[replay.after_choices:] if not C.busy(s)]
    moments += [replay.end.data] if replay.end and replay.end.tag[0] in C.SPOKEN else []
    has = {True: "has a value at the start, and has none then", False: "has no value at the start, and has one then"}
    mine = set()
    for before, a in C.under(spec, claim.expression, board, replay.assignment, board, True):
        for data in moments:
            for after, _ in C.under(spec, claim.expression, data, a, board, True):
                lost = [type(v) is tuple and v[0] == C.NO_VALUE for v in (before, after)]
                if before != after:
                    mine.add(None if lost[0] == lost[1] else f"it {has[lost[1]]}")
    tally.check("kept in words", told[1] in mine, f"{title}: {told[0]!r}; the judge has {mine}")


def of_claim(checker, finding, scope, ends):
    claim = next((c for c in checker.spec.claims if c.name == finding["subject"]), None)
    if finding["code"] not in ("F0610", "F0611") or claim is None or scope is None:
        return
    if claim.form == "equivalent" and len(ends) == 2:
        equivalent(checker, finding, claim, scope, ends)
    elif claim.form == "conserves" and ends:
        conserves(checker, finding, claim, ends[0][0])


def of_pair(checker, finding, ends):
    """Of two runs, of which the one takes what the other does not."""
    code = finding["code"]
    if finding["witness"]["kind"] != "versus" or len(ends) != 2:
        return
    replays = [replay for replay, _ in ends]
    if code == "F0203":
        position(checker, finding, replays)
    elif code in ("F0201", "F0202", "F0204"):
        in_list(checker, finding, replays)
    elif code == "F0305":
        matters(checker, finding, replays)


# What the judge found by itself -----------------------------------------------------------------------------


def conflict(checker, finding):
    """Whether it matters on some board which of the things said at once is followed (§6)."""
    tally, title, judge = checker.tally, checker.title(finding), checker.judge
    told = CONFLICT.search(finding["text"])
    known = judge.totals.matters.get(("conflict", finding["subject"].removeprefix("trigger ")))
    if finding["title"] == "more is taken than there is":
        tally.check("conflict in words", told is None, f"{title}: nothing can be followed there")
        return
    if told is None:
        tally.check("conflict in words", False, f"{title}: it is not said whether it matters")
        return
    beyond = bool(checker.spec.boards or checker.spec.examples or finding["suggested"])
    if known is None or not known and beyond or any(judge.limited) or any(judge.unknown):
        if not known:
            tally.skip("conflict in words")
            return
    tally.check("conflict in words", told[1].startswith("on some board") == known, (
        f"{title}: {told[1]!r}; the judge finds that it {'matters' if known else 'never matters'}"))


def no_board(checker, finding):
    """Of how many scopes of a sequence there is no board."""
    tally, title, judge = checker.tally, checker.title(finding), checker.judge
    told = NO_BOARD.search(finding["text"])
    if told is None:
        tally.check("no board in words", False, f"{title}: {finding['text']!r} is not understood")
        return
    name = (told["all"] or told["one"]).lower()
    boards = [bool(judge.orbits[n]) for n, s in enumerate(judge.scopes) if s.on is None and plain(s.sequence.name).lower() == name]
    good = boards and not any(boards) if told["all"] else len(boards) > 1 and boards.count(False) >= 1
    tally.check("no board in words", bool(good), f"{title}: {told[0]!r}; of its scopes {boards.count(True)} have boards of {len(boards)}")


def passages(checker, finding):
    """Each of two passages that disagree is cited by its alternative, and not by the other."""
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    found = re.search(r"One side (.*?) The other (.*)$", finding["text"])
    reading = next((r for r in spec.readings if r.name == finding["subject"]), None)
    runs = finding["witness"]["runs"]
    taken = [run["readings"].get(finding["subject"]) for run in runs]
    if found is None or reading is None or len(taken) != 2 or None in taken:
        tally.check("passages", found is not None, f"{title}: the two sides are not told")
        return
    cites = [set(reading.cites[reading.alternatives.index(name)]) for name in taken]
    for side, mine, other in ((found[1], *cites), (found[2], *reversed(cites))):
        quoted = side.split("By it, ")[0]
        told = set(re.findall(r"\(([^()]*)\): \"", quoted))
        meant = {spec.clauses[i].locator or i for i in mine - other}
        tally.check("passages", told == meant, f"{title}: one side is {told}; the judge has {meant}")


def of_finding(checker, finding):
    if finding["code"] == "F0303":
        conflict(checker, finding)
    elif finding["code"] == "F0705":
        no_board(checker, finding)
    elif finding["code"] in ("F0402", "F0403") and finding["witness"]:
        passages(checker, finding)


def sentences(checker):
    for finding in checker.report["findings"]:
        of_finding(checker, finding)


__all__ = ["sentences", "of_pair", "of_claim", "again", "divergence"]
