"""Sentences of a paragraph that repeat what other members of a finding have: readings, ways to end, who can make sure."""

from __future__ import annotations

import re

from .graph import DIVERGES, Consulted, Graph, TooLarge
from .loops import TOGETHER, powers
from .names import plain

NUMBERS = ("first", "second", "third", "fourth", "fifth", "sixth")
EVERY = re.compile(r"(?:There is a loop there u|U)nder every reading of the text(?P<tried> that was tried)?"
                   r"(?:, though it need not be this one| some board has a loop there)\.")
HERE = "There is a loop there under every reading of the text"
SOME = "Such a board was found under some readings of the text only."
FOUND = re.compile(r"Such a board was found (only )?if (.+?)(; other readings may have one, too)?\.(?: |$)")
CAN_END = re.compile(r"can end in (\d+) ways?( for what \"[^\"]*\" sees| that differ in [^,]*?)?, and (this is not met|this is met in none of them|neither meets both|"
                     r"none of them meets both|none of them meets all (\d+))(?:: (.*?))?\.(?: |$)")
SURE = re.compile(r"Under the (first|second), (.+?) can (make sure that it ends|prevent that it ends|prevent it from ending) (?:exactly )?as in "
                  r"the (first|second) run below; under the (first|second), not\.")
SURE_OF = re.compile(r"Under the (first|second), (.+?) can (make sure|prevent) that ([^;]+?); under the (first|second), not\.")
END_WITH = re.compile(r"\bWith (?P<name>\"[^\"]*\"|[^,.\"]+?)(?P<how> first| chosen|), "
                      r"(?P<end>it (?:ends|stops|never|can (?:end|stop|go))[^\"]*?)\.(?: |$)")
# What can be so, and how it is said of a run in which it is.
POSSIBLY = {"it can end ": "it ends ", "it can stop, ": "it stops, ", "it can go on for ever": "it never ends"}
LIKE_THIS = "it ends like this: "
SIDES = re.compile(r" \(a\) (.*) \(b\) (.*)\.$")


def meaning(spec, words):
    """The readings that words name, as `only if` has them: {name: alternative}; None if they are not understood."""
    found = {}
    for part in re.split(r" and (?=the reading |the order |in )", words):
        declared = re.fullmatch(r'the reading "([^"]+)" is taken as "(.*)"', part)
        order = re.fullmatch(r"the order of the steps of (.+) (binds|does not bind)", part)
        nest = re.fullmatch(r"in (.+) (each step is done everywhere before the next step|"
                            r"all steps are done in one place before the next place)", part)
        if declared:
            reading = next((r for r in spec.readings if plain(r.name) == declared[1]), None)
            texts = [] if reading is None else [n for n, text in enumerate(reading.texts) if declared[2] in (
                text, plain(reading.alternatives[n]))]
            if len(texts) != 1:
                return None
            found[reading.name] = reading.alternatives[texts[0]]
        elif order:
            found[order[1] + " order"] = "binding" if order[2] == "binds" else "free"
        elif nest:
            found[nest[1] + " nesting"] = "steps" if nest[2].startswith("each") else "places"
        else:
            return None
    return found


MOST_FACTS = 2  # of readings, all alternatives together, are named in a paragraph


def told_readings(checker, finding):
    """What the paragraph says of readings is what the member `readings` has."""
    tally, text, readings = checker.tally, finding["text"], finding["readings"]
    kind, title = "readings in words", checker.title(finding)
    every = EVERY.search(text)
    if every:
        same = readings == f"under every reading{every['tried'] or ''}"
        tally.check(kind, same, f"{title}: every reading is told; it is {readings!r}")
        on_each = finding["boards_each"] == finding["boards"]
        tally.check(kind, on_each or HERE not in text, f"{title}: not every board has it under every reading")
    if SOME in text:
        tally.check(kind, readings.count(" = ") > MOST_FACTS, f"{title}: some readings are told; it is {readings!r}")
    found = FOUND.search(text)
    if found is None or SOME in text:
        return
    ways = [meaning(checker.spec, way) for way in found[2].split(", or if ")]
    if None in ways or not readings.removeprefix("found ").startswith("only if "):
        tally.skip(kind, f"{title}: {found[0]!r}") if None in ways else tally.check(kind, False, f"{title}: {found[0]!r}; it is {readings!r}")
        return
    rows = readings.removeprefix("found ")[len("only if "):].split("; or ")
    meant = [{plain(n): a for n, a in (t.rsplit(" = ", 1) for t in row.split(", "))} for row in rows]
    ways = [{plain(n): a for n, a in way.items()} for way in ways]
    good = all(way in meant for way in ways) and len(ways) == len(meant)
    good = good and bool(found[1]) == (not readings.startswith("found ")) and bool(found[3]) != bool(found[1])
    tally.check(kind, good, f"{title}: {found[0]!r}; it is {readings!r}")


def told_ways(checker, finding):
    """How many ways there are to end, and what is not met in which of those that are shown (§9.1)."""
    found = CAN_END.search(finding["text"])
    if finding["code"] != "F0405" or finding["witness"] is None:
        return
    tally, title = checker.tally, checker.title(finding)
    if found is None:
        tally.check("ways in words", False, f"{title}: it is not said in how many ways it can end")
        return
    ways = finding["witness"]["ways"]
    mine, size = sum(w["outcomes"] for w in ways), len(finding["cause"].split(" + "))
    tally.check("ways in words", int(found[1]) == mine, f"{title}: {found[1]} ways to end; there are {mine}")
    told = {"this": 1, "neit": 2, "none": int(found[4] or 2)}[found[3][:4]]
    good = told == size and (found[4] is not None or size == 1 or (mine == 2) == (found[3] == "neither meets both"))
    tally.check("ways in words", good, f"{title}: {found[3]!r} of {size} demands, {mine} ways")
    parts = re.findall(r"in the (\w+) ([^,]+?) is not met", found[5] or "")
    tally.check("ways in words", not parts or len(parts) == mine, f"{title}: {found[5]!r} of {mine} ways")
    numbers = re.findall(r"in (\d+) (.+?) (?:is|are) not met", found[5] or "")
    told = sorted((re.split(r", | and ", names), int(number)) for number, names in numbers)
    good = not numbers or told == sorted((w["not_met"], w["outcomes"]) for w in ways)
    tally.check("ways in words", good, f"{title}: {found[5]!r}; the ways are {ways}")
    runs = [re.fullmatch(r"\w+: (.+) is not met", run["title"]) for run in finding["witness"]["runs"]]
    for number, name in parts:
        at = NUMBERS.index(number) if number in NUMBERS else len(runs)
        good = at < len(runs) and runs[at] is not None and name == runs[at][1] and [name] in [w["not_met"] for w in ways]
        tally.check("ways in words", good, f"{title}: {name} is not met in the {number}; the ways are {ways}")


def certainly(end):
    """What is so, of what can be."""
    for can, is_so in POSSIBLY.items():
        if end.startswith(can):
            return is_so + end[len(can):]
    return end


def forced(checker, finding, run, end, by_choice):
    """It only can be so just where something else is chosen than what the run is called by."""
    choices = [moment["choice"] for moment in run["trace"] or [] if moment["choice"] is not None]
    others = sum(len(choice["offered"]) > 1 for choice in choices) > by_choice
    good = (certainly(end) != end) == others
    checker.tally.check("can end in words", good, f"{checker.title(finding)}: {end!r}; other choices: {others}")


def told_sides(checker, finding):
    """What is said of the ends under two alternatives of a reading, each with its own run."""
    found = SIDES.search(finding["text"])
    reading = next((r for r in checker.spec.readings if r.name == finding["subject"]), None)
    runs = finding["witness"]["runs"] if finding["witness"] else []
    taken = [run["readings"].get(finding["subject"]) for run in runs]
    if finding["code"] != "F0401" or found is None or reading is None or len(taken) != 2 or None in taken:
        return
    for side, said in enumerate((found[1].removesuffix("."), found[2])):
        end = said.rpartition(". Then ")[2]
        if end == said:
            continue
        if end.startswith(("it ends", "it can end", "it stops", "it can stop", "it never", "it can go")):
            forced(checker, finding, runs[side], end, False)
        if certainly(end).startswith(LIKE_THIS):
            lies_so(checker, finding, side, certainly(end)[len(LIKE_THIS):])
        else:
            good = runs[side]["text"] == end or certainly(end).startswith("it stops, ") or certainly(end) == runs[side]["text"]
            good = good or end.replace(" can win", " wins").replace(" can lose", " loses") == runs[side]["text"]
            good = good or end == "it can be a draw" and runs[side]["text"] == "it is a draw"
            checker.tally.check("ends in words", good, f"{checker.title(finding)}: {end!r}; the run has {runs[side]['text']!r}")


def performed(spec):
    """What runs of sequences and of steps are called."""
    names = {plain(name) for name in spec.sequences}
    steps = {f'the step "{plain(step.name)}" of {plain(s.name)}' for s in spec.sequences.values() for step in s.steps}
    return names | {f'"{name}"' for name in names} | steps


def lies_so(checker, finding, side, told):
    """What is said of one of two ends is what the table of differences has of it."""
    rows = finding["witness"]["differences"]
    phrases = set()
    for row in rows:
        value = (row["first"], row["second"])[side]
        what = row["what"]
        for name in (what, f'"{what}"'):
            phrases |= {f"{name} is {value}", f"{name} holds {value}", f"`{what}` is {value}"}
            if value == "nothing":
                phrases.add(f"{name} is empty")
            phrases |= {f"{thing} is in {name}" for thing in value.split(", ")}
    any_of = "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))
    good = re.fullmatch(f"(?:{any_of})(?:, (?:{any_of})){{0,2}}", told) is not None
    checker.tally.check("ends in words", good, f"{checker.title(finding)}: {told!r}; the table has {rows}")


def told_ends(checker, finding):
    """What is said of how one of two runs ends is what that run says."""
    runs = finding["witness"]["runs"] if finding["witness"] else []
    for found in END_WITH.finditer(finding["text"]):
        name = f"With {found['name']}{found['how']}"
        run = next((r for r in runs if r["title"] == name), None)
        if run is None:
            checker.tally.skip("ends in words", f"{checker.title(finding)}: {found[0]!r}")
            continue
        end = certainly(found["end"])
        by_choice = runs[0]["readings"] == runs[1]["readings"] and found["name"] not in performed(checker.spec)
        forced(checker, finding, run, found["end"], by_choice)
        if end.startswith(LIKE_THIS):
            lies_so(checker, finding, runs.index(run), end[len(LIKE_THIS):])
            continue
        told = re.sub(r"in (?:(?:the step|the trigger|what) [^(]*\([^()]*\.endstep:\d+\)|the list of steps of [^ ,]+), |, in (?:the step|the trigger|what) .*|"
                      r" \([^()]*\.endstep:\d+\)", "", end)
        checker.tally.check("ends in words", run["text"].startswith(told) or told.startswith(run["text"]), (
            f"{checker.title(finding)}: {found[0]!r}; the run has {run['text']!r}"))


def told_power(checker, finding, scope, ends):
    """Who can make sure of an end under one alternative, and not under the other (§7)."""
    found = SURE.search(finding["text"]) or SURE_OF.search(finding["text"])
    if finding["code"] != "F0404":
        return
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    runs = finding["witness"]["runs"]
    reading = next((r for r in spec.readings if r.name == finding["subject"]), None)
    if found is None or len(ends) != 2 or reading is None or not all(r.end or r.comes_back() for r, _ in ends):
        tally.skip("power in words", title)
        return
    first, text = ends[0]
    listed = [reading.alternatives.index(run["readings"][reading.name]) for run in runs if reading.name in run["readings"]]
    if len(listed) != 2:
        tally.skip("power in words", title)
        return
    able = NUMBERS.index(found[1])
    if found[4] in NUMBERS:
        which = NUMBERS.index(found[4])
    else:  # what is forced is what the run shows under this alternative, what is prevented what the other one does
        which = able if found[3] == "make sure" else 1 - able
    can, shown = listed[able], ends[which][0]
    if found[4] == "it never ends":
        tally.check("power in words", shown.end is None, f"{title}: {found[0]!r}, and the run has an end")
    player = TOGETHER if found[2] == "the players together" else next(
        (i for i, name in text.names.items() if name == found[2]), None)
    answers = []
    for alternative in (can, listed[1 - NUMBERS.index(found[1])]):
        assignment = {**first.assignment, **ends[1][0].assignment, reading.index: alternative}
        try:
            graph = Graph(spec, first.machine, first.path[0], assignment, checker.judge.budget)
        except (Consulted, TooLarge):
            tally.skip("power in words", title)
            return
        outcome = graph.outcome(shown.end, scope.observer) if shown.end else DIVERGES
        known = powers(graph, scope.observer).get((player, outcome))
        if known is None:  # who decides nothing forces what happens anyway
            values = graph.values(scope.observer)[0]
            known = (values == {outcome}, outcome not in values)
        answers.append(known[0 if found[3].startswith("make") else 1])
    good = answers == [True, False] and found[1] != found[5]
    tally.check("power in words", good, f"{title}: {found[0]!r}; the judge has {answers} for {found[2]}")


def everywhere(checker, finding):
    """"No run from this board satisfies it" is said just where the witness says so of each outcome."""
    witness = finding["witness"]
    if witness is None or finding["code"] not in ("F0601", "F0603", "F0610"):
        return
    told = "o run from this board satisfies it" in finding["text"]
    checker.tally.check("everywhere in words", told == witness["everywhere"], (
        f"{checker.title(finding)}: no run satisfies it: told {told}; everywhere: {witness['everywhere']}"))


def paragraphs(checker):
    for finding in checker.report["findings"]:
        told_readings(checker, finding)
        told_ways(checker, finding)
        told_ends(checker, finding)
        told_sides(checker, finding)
        everywhere(checker, finding)


__all__ = ["paragraphs", "told_power"]
