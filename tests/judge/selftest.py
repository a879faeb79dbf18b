"""Would the judge notice? `python3 -m judge.selftest FOLDER` (*.endstep with *.json beside them).

Of each report that agrees, one statement at a time is made false; each such report has to be caught. A
kind of statement that no report of the folder has is told, and fails the test.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
from collections import Counter
from pathlib import Path

from .beyond import executed_beyond
from .causes import perhaps
from .falsified import beside
from .falsified_sentences import SENTENCES, said
from .falsified_words import WANTED, worded
from .judging import judge_report
from .graph import TooLarge
from .model import load
from .report import Checker, Tally
from .scopes import Judge, Limits

LOOPS = ["F0501", "F0502", "F0503", "F0504"]
FLIP = {"refuted": "holds in scope", "holds in scope": "refuted", "proved": "refuted", "shown": "none in scope",
        "none in scope": "shown", "unknown": "refuted"}


def scopes(report):
    for n in range(len(report["scopes"])):
        if report["scopes"][n]["subject"].startswith("the example"):
            continue

        def more(r, n=n):
            r["scopes"][n]["legal_boards"] += 1

        def limited(r, n=n):
            r["scopes"][n]["limited_boards"] += 1

        def fault(r, n=n):
            r["scopes"][n]["limits"] = ["what was found cannot be shown again, which is a fault of Endstep"]

        yield "fault", fault
        yield "number of legal boards", more
        yield "number of limited boards", limited
        if report["scopes"][n]["values"]:
            def values(r, n=n):
                r["scopes"][n]["values"][0]["largest"] += 1

            yield "values of a scope", values


def answers(report):
    for n, answer in enumerate(report["answers"]):
        def flip(r, n=n):
            r["answers"][n]["verdict"] = FLIP[r["answers"][n]["verdict"]]

        def untested(r, n=n):
            a = r["answers"][n]
            a["untested"] = "no run tried for it comes to two things whose order is open" if a["untested"] is None else None

        told = [f for f in report["findings"] if f["fingerprint"] in answer["findings"]]
        if told and all(f["suggested"] for f in told):
            continue
        # a claim of order is checked for "no run tried for it comes to two things whose order is open", and so on
        yield f"verdict of {answer['kind']}", flip
        if answer["scopes"] and answer["kind"] in ("claim", "terminates", "example", "legal", "contract"):
            def fewer(r, n=n):
                del r["answers"][n]["scopes"][-1]

            yield "scopes of an answer", fewer
        if answer["value"] is not None and answer["verdict"] == "shown":
            def other(r, n=n):
                r["answers"][n]["value"] += 1

            yield "value of an answer", other
        if answer["kind"] == "claim" and answer["verdict"] in ("holds in scope", "proved") \
                and not (answer["untested"] or "").endswith("there is nothing of which it speaks") and "equivalent" not in answer["text"]:
            yield "untested", untested


def findings(report):
    for n, f in enumerate(report["findings"]):
        if f["suggested"] or f["verdict"] == "by inspection":
            continue
        code = f["code"]

        def remove(r, n=n):
            del r["findings"][n]

        if code == "F0505":
            continue  # growth is not judged
        if code == "F0703" and f["cause"] == "reading":
            continue  # nor whether a reading that is looked at and makes no difference is told
        if code[:3] in ("F02", "F03", "F05", "F04") or code in ("F0602", "F0601", "F0603", "F0604", "F0612", "F0702",
                                                                 "F0703", "F0704"):
            if code not in ("F0502", "F0503", "F0504"):
                yield f"left out {code}", remove
        if f["witness"] is None:
            continue

        def boards(r, n=n):
            r["findings"][n]["boards"] += 1

        def legal(r, n=n):
            r["findings"][n]["legal_boards"] += 1

        if sum((g["code"], g["subject"]) == (code, f["subject"]) for g in report["findings"]) > 1 and code in LOOPS:
            continue  # several loops of a class are not told apart
        if f["legal_boards"] is not None and code not in ("F0612", "F0702"):
            yield "boards of a finding", boards
            yield "legal boards of a finding", legal
        if f["readings"].startswith("only if") and code not in ("F0404", "F0406", "F0702"):
            def every(r, n=n):
                r["findings"][n]["readings"] = "under every reading"

            yield "readings", every
        if code == "F0505":
            continue
        if code not in ("F0612", "F0702"):
            yield from numbers(n, f, report)
        yield from conditions(n, f)
        yield from decisive(n, f)
        yield from witness(n, f)
        if code in LOOPS:
            def other(r, n=n):
                r["findings"][n]["code"] = LOOPS[(LOOPS.index(r["findings"][n]["code"]) + 1) % 4]

            yield "loop class", other
        if f["cause"] and code in ("F0201", "F0202", "F0203", "F0401", "F0402", "F0403", "F0404", "F0406", "F0405", "F0602", "F0302"):
            def cause(r, n=n):
                r["findings"][n]["cause"] += " & more"

            yield f"cause of {code}", cause


def together(report):
    """Findings are said to have one cause that have not, or not to have one that they have."""
    named = {f["same_cause_as"] for f in report["findings"]}
    alone = [n for n, f in enumerate(report["findings"]) if f["same_cause_as"] is None and f["fingerprint"] not in named]
    for n in alone[1:]:
        first, f = report["findings"][alone[0]], report["findings"][n]
        if not perhaps(first, f):
            def joined(r, n=n):
                r["findings"][n]["same_cause_as"] = r["findings"][alone[0]]["fingerprint"]

            yield "one cause", joined


def numbers(n, f, report):
    """On how many boards, by readings and scopes, and how small the board is that is shown."""
    if f["scope"] is None:
        return
    # what is compared with other runs may have been given up on more boards, and then nothing is said of it
    if not any(row["given_up"] for row in report["scopes"]):
        def least(r):
            r["findings"][n]["boards_at_least"] = not f["boards_at_least"]

        yield "at least", least

    def size(r):
        r["findings"][n]["minimality"] = "plainest" if f["minimality"] == "exact" else "exact"

    yield "minimality", size
    if f["legal_boards"] is not None and f["scope"] in [c["scope"] for c in f["counted"]]:
        def each(r):
            r["findings"][n]["boards_each"] += 1

        def silent(r):
            r["findings"][n]["occurs_on"] = None

        def sentence(r):
            r["findings"][n]["occurs_on"] = f["occurs_on"].replace(str(f["legal_boards"]), "77")

        yield "boards under each reading", each
        yield "no sentence about boards", silent
        if " legal board" in (f["occurs_on"] or ""):
            yield "sentence about boards", sentence
    if f["counted"]:
        def count(r):
            r["findings"][n]["counted"][0]["boards"] += 1

        yield "boards of a scope", count
        same = [c["digest"] for g in report["findings"] for c in g["counted"] if g["code"] not in ("F0505", "F0702")]
        if same.count(f["counted"][0]["digest"]) > 1:
            def digest(r):
                r["findings"][n]["counted"][0]["digest"] = "0" * 16

            yield "digest", digest
    for k, _ in enumerate(f["by_reading"]):
        def by(r, k=k):
            r["findings"][n]["by_reading"][k]["boards"] += 1

        yield "boards by reading", by
    for k, _ in enumerate(f["undecided"]):
        def because(r, k=k):
            r["findings"][n]["undecided"][k]["because"] = "values"

        yield "why undecided", because


def conditions(n, f):
    occurs = f["occurs"]
    if occurs is None or f["code"] in ("F0612", "F0702"):
        return
    for name in ("only", "always"):
        if occurs[name] is None:
            continue

        def count(r, name=name):
            r["findings"][n]["occurs"][name]["boards"] += 1

        def negated(r, name=name):
            part = r["findings"][n]["occurs"][name]
            part["when"] = f"not ({part['when']})"

        yield f"boards of {name}", count
        yield f"condition {name}", negated
    if occurs["exact"] and f["boards"] < f["legal_boards"]:
        def everywhere(r):
            r["findings"][n]["occurs"]["only"]["when"] = "true"
            r["findings"][n]["occurs"]["only"]["boards"] = r["findings"][n]["legal_boards"]

        yield "exact", everywhere


def decisive(n, f):
    if f["code"] in ("F0612", "F0702"):
        return
    for k, entry in enumerate(f["decisive"]):
        def moved(r, k=k):
            e = r["findings"][n]["decisive"][k]
            e["found"].append(e["other"].pop())

        def dropped(r, k=k):
            del r["findings"][n]["decisive"][k]

        def every(r, k=k):
            e = r["findings"][n]["decisive"][k]
            e["all"] = not e["all"]

        yield "decisive value", moved
        yield "decisive place left out", dropped
        yield "decisive: all", every


def witness(n, f):
    w = f["witness"]
    if f["code"] in ("F0612",) or w["kind"] in ("growth",):
        return
    for k, run in enumerate(w["runs"]):
        if w["kind"] == "again" and k:
            break
        if run["outcome"] in ("end", "gap", "win", "loss", "draw", "conflict", "range", "stuck"):
            def ends(r, k=k):
                run = r["findings"][n]["witness"]["runs"][k]
                run["outcome"] = "win" if run["outcome"] != "win" else "end"

            yield "outcome of a run", ends
        if run["choices"]:
            def choice(r, k=k):
                run = r["findings"][n]["witness"]["runs"][k]
                run["choices"].append(run["choices"][-1])
                for m in run["trace"]:
                    if m["choice"]:
                        last = m
                run["trace"].append(last)

            if run["outcome"] not in ("stopped", "diverges"):
                yield "choices of a run", choice
    for k, way in enumerate(w["ways"]):
        def ways(r, k=k):
            r["findings"][n]["witness"]["ways"][k]["outcomes"] += 1

        yield "ways", ways
    for k, d in enumerate(w["differences"]):
        if w["kind"] == "versus" and d["first"].lstrip("-").isdigit() and " of created" not in d["what"] \
                and not d["what"].startswith("count"):
            def first(r, k=k):
                r["findings"][n]["witness"]["differences"][k]["first"] += "7"

            yield "difference", first


def corruptions(report):
    yield from scopes(report)
    yield from answers(report)
    yield from findings(report)
    yield from together(report)
    yield from beside(report)
    yield from worded(report)
    yield from said(report)


def unsure(judge, report):
    """The numbers of findings of which the judge cannot say whether they are so: too many orders."""
    return [n for n, f in enumerate(report["findings"]) if (f["code"], f["subject"]) in judge.unsure]


def change_of(change):
    """The number of the finding that a corruption is about, if it is about one."""
    code = change.__code__
    names = code.co_varnames[:code.co_argcount]
    defaults = change.__defaults__ or ()
    found = dict(zip(names[len(names) - len(defaults):], defaults))
    for name, cell in zip(code.co_freevars, change.__closure__ or ()):
        found.setdefault(name, cell.cell_contents)
    return found.get("n")


def main():
    parser = argparse.ArgumentParser(prog="judge.selftest", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--each", type=int, default=3, help="corruptions of one kind in one report")
    options = parser.parse_args()
    caught, missed = Counter(), []
    used = 0
    for path in sorted(Path(options.folder).glob("*.endstep")):
        report = json.loads(path.with_suffix(".json").read_text())["specifications"][0]
        if not report["compiled"]:
            continue
        limits = Limits(boards=60, states=20000)
        try:
            tally, judge = judge_report(path, report, limits, quick=False)
        except TooLarge:
            continue
        if tally.wrong or judge is None:
            continue
        used += 1
        count = Counter()
        for kind, change in corruptions(report):
            if kind == "left out F0703" and not executed_beyond(Checker(judge, report))[1]:
                continue  # runs beyond the scopes may have been made, which the judge does not know
            if "F0203" in kind and judge.unsure or any(change_of(change) == f for f in unsure(judge, report)):
                continue
            count[kind] += 1
            if count[kind] > options.each:
                continue
            false = copy.deepcopy(report)
            change(false)
            judge.budget.left = limits.states
            tally = Tally()
            try:
                Checker(judge, false, tally, quick=False).run()
            except TooLarge:
                if not tally.wrong:
                    continue
            if tally.wrong:
                caught[kind] += 1
            else:
                missed.append((path.name, kind))
    for kind in sorted(caught):
        print(f"  {kind}: {caught[kind]} caught")
    for name, kind in missed:
        print(f"{name}: not caught: {kind}")
    wanted = {"number of legal boards", "number of limited boards", "verdict of claim", "verdict of order", "verdict of terminates",
              "verdict of reading", "verdict of example", "untested", "boards of a finding", "readings", "boards of only",
              "condition only", "condition always", "exact", "decisive value", "decisive place left out",
              "fault", "scopes of an answer", "at least", "minimality", "boards under each reading",
              "no sentence about boards", "sentence about boards", "boards of a scope", "digest",
              "boards by reading", "why undecided",
              "outcome of a run", "choices of a run", "ways", "difference", "loop class", "cause of F0201", "summary",
              "only of a scope", "where of a scope", "boards of the file", "dead and idle", "words of a clause",
              "clause left out", "places", "everywhere", "basis", "change left out", "change told twice", "row left out",
              "row", "left out F0703", "one cause"} | WANTED | SENTENCES
    for kind in sorted(wanted - set(caught)):
        print(f"no report of the folder has: {kind}")
    print(f"{used} reports, {sum(caught.values())} corruptions caught, {len(missed)} missed")
    return 1 if missed or wanted - set(caught) else 0


if __name__ == "__main__":
    sys.exit(main())

__all__ = ["load", "Judge"]
