"""Numbers of a report that are about its runs: small steps, states of a scope, boards that were given up, and the like.

How small a small step is, docs/semantics.md leaves open for statements that take several (§4.6), for what is pending and
for restarts; where runs come to these, the numbers are not compared. The states of a scope are those that `explore`
counts (docs/cli.md); where no cycle begins anew, those in which something is chosen, and ends; fewer where one order
stands for all.
"""

from __future__ import annotations

import re

from .graph import TooLarge
from .model import Choice, End

SEVERAL = ("announce", "simultaneously", "shuffle", "distribute", "resolve", "depending on", "perform", "create", "gap")
AGAIN = ("announce", "resolve", "repeat", "for each", "perform", "simultaneously", "shuffle", "distribute")
LEFT = re.compile(r"runs from (\d+) boards? were given up because they left the bounds of exploration or something in them became too large")
MUCH = re.compile(r"on (\d+) boards? too much has to be evaluated at once, or a number becomes too large")


def kinds_of(events):
    """The kinds of what is executed, and "trigger", "several" of what takes small steps of its own."""
    found = set()
    for e in events:
        if e[0] == "executed":
            found.add(e[1].kind)
        elif e[0] in ("trigger", "cancelled", "replaced"):
            found.add("announce")
    return found


def plain_steps(spec, events, kinds=SEVERAL):
    """Whether each statement is one small step, whoever counts them."""
    if spec.raised and "announce" in kinds:  # whatever changes data may announce something
        return False
    return not kinds_of(events) & set(kinds) and not any(s.restart or s.has_places for s in spec.sequences.values())


def steps_told(checker, finding, ends):
    """A moment in which something is chosen tells which small step of the run it is; steps never go back."""
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    for (replay, _), run in zip(ends, finding["witness"]["runs"]):
        trace = run["trace"]
        if trace is None:
            continue
        steps = [moment["step"] for moment in trace]
        tally.check("steps", steps == sorted(steps), f"{title}: the steps of a trace go back: {steps}")
        if not plain_steps(spec, [e for row in replay.events for e in row]):
            continue
        told = [moment["step"] for moment in trace if moment["choice"]]
        mine = [n + 1 for n, state in enumerate(replay.path)
                if type(replay.machine.advance(state, replay.assignment)) is Choice][:len(told)]
        tally.check("steps", told == mine, f"{title}: something is chosen in the steps {told}; the judge has {mine}")


# Scopes ---------------------------------------------------------------------------------------------------


def scopes(checker):
    """States of a scope, and boards whose runs were given up, as its limits tell them in words."""
    judge, tally = checker.judge, checker.tally
    rows = [row for row in checker.report["scopes"] if not row["subject"].startswith("the example ")]
    for row, (number, scope) in zip(rows, enumerate(judge.scopes)):
        for text in row["limits"]:
            for pattern, mine in ((LEFT, judge.limited[number]), (MUCH, too_much(judge, number, scope))):
                found = pattern.fullmatch(text)
                if found:
                    tally.check("limits", int(found[1]) == len(mine), (
                        f"{row['subject']}: {text}; the judge has {len(mine)} boards"))
        if judge.limited[number] and scope.verify is not None:
            tally.check("limits", any(LEFT.fullmatch(t) for t in row["limits"]) or bool(named(row["limits"])), (
                f"{row['subject']}: it is not said that runs were given up"))
        try:
            states(checker, row, number, scope)
        except TooLarge:
            tally.skip("states")


def too_much(judge, number, scope):
    """The boards of a scope on which too much is evaluated, or a number becomes too large: of a condition, or on a run."""
    found = set(judge.unknown[number])
    for at in judge.limited[number]:
        for graph in judge.graphs(scope, judge.orbits[number][at]):
            if any(end.tag[0] == "limit" and end.tag[1] in ("expressions", "overflow") for _, end in graph.ends()):
                found.add(at)
    return found


def named(limits):
    return [t for t in limits if not LEFT.fullmatch(t) and not MUCH.fullmatch(t) and "no board" not in t]


def states(checker, row, number, scope):
    judge, tally = checker.judge, checker.tally
    tally.check("states", (row["states"] == 0) <= (row["legal_boards"] == 0 or bool(row["limits"])),
                f"{row['subject']}: no states")
    if row["limits"] or judge.legal_readings or judge.unknown[number]:
        tally.skip("states")
        return
    graphs = [judge.graphs(scope, orbit) for orbit in judge.orbits[number]]
    if row["readings"] != max(map(len, graphs), default=0):
        tally.skip("states")  # what is asked consults more readings
        return
    most = 0
    exact = True
    for of_board in graphs:
        for graph in of_board:
            choices = [r for r in graph.results if type(r) is Choice]
            most += len(choices) + sum(type(r) is End for r in graph.results)
            events = [e for _, _, some, _ in graph.edges() for e in some]
            if not plain_steps(checker.spec, events, AGAIN) or any(c for _, c in graph.components()[1]):
                tally.skip("states")
                return
            ends = [(end.tag, end.data) for _, end in graph.ends()]
            exact = exact and not any(c.kind == "order" for c in choices) and len(set(ends)) == len(ends)
    told = row["states"]
    if told > most and checker.spec.readings:
        tally.skip("states")  # so it does on some board
        return
    tally.check("states", told == most if exact else told <= most,
                f"{row['subject']}: {told} states; the judge has {'' if exact else 'at most '}{most}")


# Answers --------------------------------------------------------------------------------------------------


def answers(checker):
    """On how many boards runs were given up, as the limits of an answer tell; how many ways a reading has."""
    rows, spec, tally = checker.report["scopes"], checker.spec, checker.tally
    forms = {claim.name: claim.form for claim in spec.claims}
    for answer in checker.report["answers"]:
        asked = [rows[n] for n in answer["scopes"] if n < len(rows)]
        limits = [row[which] for row in asked for which in ("limited_boards", "written_boards_given_up")]
        again = answer["kind"] == "claim" and forms.get(answer["subject"]) in ("equivalent", "idempotent")
        for text in answer["limits"]:
            found = LEFT.fullmatch(text)
            if found and not again:
                tally.check("limits", int(found[1]) in (*limits, sum(limits)),
                            f"{answer['subject']}: {text}; the scopes have {limits}")
        if answer["kind"] == "reading":
            ways(checker, answer)


def ways(checker, answer):
    reading = next((r for r in checker.spec.readings if r.name == answer["subject"]), None)
    found = re.search(r"\b(both|all (\d+)) ways of ", answer["text"])
    if reading is None or found is None:
        checker.tally.skip("number of ways")
        return
    told = 2 if found[1] == "both" else int(found[2])
    checker.tally.check("number of ways", told == len(reading.alternatives), (
        f"reading {reading.name}: {answer['text']!r}; it has {len(reading.alternatives)}"))


def figures(checker):
    scopes(checker)
    answers(checker)


__all__ = ["figures", "plain_steps", "steps_told"]
