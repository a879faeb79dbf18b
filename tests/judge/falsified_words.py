"""Corruptions of what a report says in words, and of its numbers of steps and states, for the self test."""

from __future__ import annotations

import re

from .described import CLAIMED
from .enders import sentence
from .kinds_of import READINGS
from .paragraphs import CAN_END, EVERY, FOUND, SURE
from .stops import BECOMES, HOLDS

TRIED = " that was tried"

SWAPPED = (("at least ", "more than "), ("at most ", "less than "), ("more than ", "at least "), ("less than ", "at most "),
           ("fewer than ", "at most "))
WITH_RUN = ("win", "loss", "range")


def worded(report):
    """(kind, what makes a report false)."""
    yield from of_scopes(report)
    for n, finding in enumerate(report["findings"]):
        yield from of_boards(n, finding)
        yield from of_readings(n, finding)
        yield from of_claims(n, finding)
        yield from of_loops(n, finding)
        yield from of_paragraph(n, finding)
        witness = finding["witness"]
        if witness and finding["code"] != "F0612" and witness["kind"] not in ("growth", "again"):
            yield from of_runs(n, finding, witness)
    for n, answer in enumerate(report["answers"]):
        if answer["kind"] == "reading" and " ways of " in answer["text"]:
            def ways(r, n=n):
                text = r["answers"][n]["text"]
                r["answers"][n]["text"] = text.replace("both ways", "all 3 ways") if "both ways" in text else \
                    re.sub(r"all \d+ ways", "both ways", text)

            yield "number of ways", ways


def of_scopes(report):
    for n, scope in enumerate(report["scopes"]):
        if scope["subject"].startswith("the example"):
            continue
        if scope["states"] and not scope["limits"]:
            def fewer(r, n=n):
                r["scopes"][n]["states"] = 0

            yield "no states", fewer
        for k, text in enumerate(scope["limits"]):
            if re.match(r"runs from \d+ board", text):
                def limit(r, n=n, k=k):
                    text = r["scopes"][n]["limits"][k]
                    r["scopes"][n]["limits"][k] = re.sub(r"from \d+ boards?", "from 777 boards", text)

                yield "limit in words", limit


def swaps(text):
    """(kind, other words) of words with a comparison, a number or a quantifier."""
    for one, two in SWAPPED:
        if one in text:
            yield f"{one}said as {two}", text.replace(one, two, 1)
            break
    number = re.search(r"(?<![\w-])\d+\b", text)
    if number:
        yield "number in words", f"{text[:number.start()]}{int(number[0]) + 1}{text[number.end():]}"
    for one, two in (("there is no ", "there is a "), ("there is a ", "there is no "), ("no ", "some "), ("some ", "no "), ("is not ", "is "), (" is ", " is not ")):
        if one in text:
            yield "negated words", text.replace(one, two, 1)
            break


def of_boards(n, finding):
    occurs = finding["occurs"]
    words = occurs["words"] if occurs else ""
    begun = re.match(r"(just those|(?:some|all) of the \d+) on which ", words)
    if not begun or finding["suggested"]:
        return
    for kind, other in swaps(words[begun.end():]):
        def said(r, other=other):
            r["findings"][n]["occurs"]["words"] = words[: begun.end()] + other

        yield f"boards: {kind}", said
    if words.startswith("just those"):
        def some(r):
            r["findings"][n]["occurs"]["words"] = words.replace("just those", f"all of the {finding['boards']}")

        yield "boards: just those", some
    else:
        def more(r):
            r["findings"][n]["occurs"]["words"] = re.sub(r"of the \d+ on", "of the 777 on", words)

        yield "boards: number", more


def of_readings(n, finding):
    """What is said of readings that were tried, and of ways that were compared."""
    said, on = finding["readings"], finding["occurs_on"]
    if said.startswith("under every reading") and not finding["suggested"]:
        def tried(r):
            other = said.removesuffix(TRIED) if said.endswith(TRIED) else said + TRIED
            r["findings"][n]["readings"] = other
            if on is not None:
                r["findings"][n]["occurs_on"] = on.replace(said, other)

        yield "tried in words", tried
    if finding["code"] in READINGS and on is not None:
        def compared(r):
            more = re.sub(r"; on (\d+) the two", lambda m: f"; on {int(m[1]) + 1} the two", on)
            r["findings"][n]["occurs_on"] = more if more != on else on + "; on 1 the two were not compared throughout"

        yield "compared in words", compared
    text = finding["text"]
    if finding["code"] in ("F0703", "F0704") and re.search("under (any|every) reading", text):
        def told(r):
            other = re.sub(rf"(under (?:any|every) reading)({TRIED})?", lambda m: m[1] + ("" if m[2] else TRIED), text)
            r["findings"][n]["text"] = other

        yield "tried in words", told


def of_claims(n, finding):
    text = finding["text"]
    begun = CLAIMED.search(text) or re.search(r"it does not: |does not keep it: |^The specification demands this \(\w+: ", text)
    if not begun or finding["code"] not in ("F0610", "F0611", "F0613", "F0405", "F0602", "F0603"):
        return
    rest = text[begun.end():]
    end = rest.find(". ")
    if "`" in rest[:end] or "reading" in rest[:end] or not re.search(r" is | has ", rest[:end]):
        return
    for kind, other in swaps(rest[:end]):
        if not kind.startswith(("number", "negated")):
            def said(r, other=other):
                r["findings"][n]["text"] = text[: begun.end()] + other + rest[end:]

            yield f"claims: {kind}", said


def of_loops(n, finding):
    text = finding["text"]
    found = sentence(text)
    if found is None:
        return
    number = re.search(r"(\d+) positions? can follow", text)
    if number:
        def positions(r):
            r["findings"][n]["text"] = text.replace(number[0], "1 positions can follow")

        yield "positions", positions
    if "who" in found[1].groupdict():
        who = found[1]["who"]
        for other in {"nobody can", "player 1 cannot", "the players cannot", "the dealer", "player 2"} - {who}:
            verb = other if found[0] == "F0503" else other.removesuffix(" cannot").removesuffix(" can")
            old = re.search(re.escape(who) + r" (?:can|cannot)" if found[0] == "F0503" else re.escape(who), found[1][0])[0]

            def ends(r, old=old, verb=verb):
                r["findings"][n]["text"] = text.replace(found[1][0], found[1][0].replace(old, verb, 1), 1)

            if old != verb:
                yield "who can end a loop", ends

    def other_class(r):
        r["findings"][n]["text"] = text.replace(found[1][0], "can go on for ever if somebody wants it.")

    yield "class of a loop in words", other_class


def of_paragraph(n, finding):
    text = finding["text"]

    def put(kind, other):
        def said(r):
            r["findings"][n]["text"] = other

        return kind, said

    if EVERY.search(text):
        yield put("readings in words", EVERY.sub("Such a board was found under some readings of the text only.", text))
    elif FOUND.search(text) and "; other readings" not in text:
        yield put("readings in words", text.replace("found only if", "found if"))
    found = CAN_END.search(text)
    if found and finding["code"] == "F0405" and finding["witness"]:
        yield put("ways in words", text.replace(f"can end in {found[1]} way", f"can end in {int(found[1]) + 1} way"))
    found = SURE.search(text)
    if found and finding["code"] == "F0404":
        swapped = found[0].replace("Under the first", "Under the 1st").replace("under the second", "under the first")
        yield put("power in words", text.replace(found[0], swapped.replace("Under the 1st", "Under the second")))
    if finding["witness"] and finding["code"] in ("F0601", "F0603", "F0610"):
        if "o run from this board satisfies it" in text:
            yield put("everywhere in words", text.replace("o run from this board satisfies it", "o more is said"))
        else:
            yield put("everywhere in words", text + " No run from this board satisfies it.")
    for is_so, can in (("it ends like this", "it can end like this"), ("it can end like this", "it ends like this")):
        if finding["code"] in ("F0201", "F0202", "F0401") and is_so in text:
            yield put("can end in words", text.replace(is_so, can, 1))
            break
    value = re.search(r"it (?:ends|can end) like this: [^.]*? is (?=-?\d)", text)
    if finding["code"] in ("F0201", "F0202", "F0401") and value:
        yield put("ends in words", text[:value.end()] + "7" + text[value.end():])
    for begun, other in (("it ends normally", "it never ends"), ("it never ends", "it ends normally")):
        if re.search(rf"With [^.]*? (?:first|chosen), {begun}\.", text):
            yield put("ends in words", re.sub(rf"(With [^.]*? (?:first|chosen), ){begun}\.", rf"\g<1>{other}.", text, count=1))
            break


def of_runs(n, finding, witness):
    for k, run in enumerate(witness["runs"]):
        def put(kind, other, k=k):
            def said(r):
                r["findings"][n]["witness"]["runs"][k]["text"] = other

            return kind, said

        text = run["text"]
        if run["outcome"] in ("win", "loss") and re.search(r" (wins|loses)$", text):
            yield put("who wins", text.replace("loses", "wins") if "loses" in text else text.replace("wins", "loses"))
        if run["outcome"] == "end":
            yield put("how a run ends", "it is a draw")
        crossed = BECOMES.search(text)
        if run["outcome"] == "range" and crossed and crossed["low"] is not None:
            yield put("what is allowed", text.replace(f"to {crossed['high']}", f"to {int(crossed['high']) + 1}"))
            low, high, value = (int(crossed[name]) for name in ("low", "high", "value"))
            other = value + 1 if value > high else value - 1
            if "simultaneously" not in finding["cause"] + finding["subject"] and low <= high and all(" created" not in c for m in run["trace"] or () for c in m["changes"]):
                yield put("what would be written", text.replace(f"become {value},", f"become {other},"))
        if run["outcome"] == "range" and HOLDS.search(text):
            yield put("what a zone holds", re.sub(r"more than \d+", "more than 77", text))
        if run["trace"] and len(run["trace"]) > 1 and run["outcome"] != "grows":
            def back(r, k=k):
                r["findings"][n]["witness"]["runs"][k]["trace"][-1]["step"] = 0

            yield "step of a trace", back


WANTED = {"boards: at least said as more than ", "boards: number in words", "boards: negated words", "boards: just those",
          "boards: number", "claims: at least said as more than ", "claims: at most said as less than ",
          "claims: more than said as at least ", "who can end a loop", "class of a loop in words", "positions",
          "readings in words", "ways in words", "power in words", "everywhere in words", "ends in words", "can end in words",
          "how a run ends", "what is allowed", "what would be written", "step of a trace", "no states", "limit in words",
          "number of ways", "tried in words", "compared in words"}

__all__ = ["worded", "WANTED"]
