"""What stands above and beside: titles of findings, caveats of answers (§10, §11)."""

from __future__ import annotations

import re

from . import claims as C
from .conditions import covers, full_assignments
from .examples import Play
from .graph import Consulted, TooLarge
from .names import plain
from .paragraphs import meaning
from .witness import example_labels

SUFFIXES = {" if the text is read in one way": "one", " under some readings of the text": "some",
            ", at least under one reading of the text": "at least"}
CLAIMS = ("F0405", "F0610", "F0611")
NOT_COUNTED = re.compile(r"runs that stop or never end do not count: ([^;]+)")
STOPS = ("F0301", "F0302", "F0303", "F0304", "F0604", "F0501", "F0502", "F0503", "F0504")


# Titles ---------------------------------------------------------------------------------------------------


def of_title(finding):
    """What a title says of readings: 'one', 'some', 'at least' or nothing."""
    return next((kind for words, kind in SUFFIXES.items() if finding["title"].endswith(words)), "")


def title_told(checker, finding):
    """The title names readings as the member `readings` does: one way is one alternative, of one reading."""
    tally, title, readings = checker.tally, checker.title(finding), finding["readings"]
    mine = ""
    if finding["code"] in CLAIMS and readings.startswith("only if "):
        mine = "one" if readings.count(" = ") == 1 else "some"
    elif finding["code"] in CLAIMS and readings.startswith("found only if "):
        mine = "at least"
    claim = next((c for c in checker.spec.claims if c.name == finding["subject"]), None)
    if mine == "one" and claim is not None and claim.where is not None and not of_title(finding):
        return  # it is asked of boards under that reading alone
    tally.check("title", of_title(finding) == mine, f"{title}: {finding['title']!r}; the readings are {readings!r}")


# Examples that come out under some readings -----------------------------------------------------------------


def example_title(checker, finding):
    """Of an example: under which readings it comes out, or does not."""
    tally, title, spec = checker.tally, checker.title(finding), checker.spec
    only = re.search(r"comes out only if (.+?)\. (?=[A-Z])", finding["text"])
    fails = re.search(r"does not come out if (.+?): ", finding["text"])
    kind = of_title(finding)
    tally.check("title", bool(kind) == bool(only or fails), f"{title}: {finding['title']!r}: {finding['text']!r}")
    if not (only or fails):
        return
    # Only under one of several of each reading: (a or b), and c. It fails under one of several ways: a and b, or if c.
    groups = [ways(spec, part, " or ") for part in only[1].split(", and ")] if only else [
        ways(spec, fails[1], ", or if ")]
    example = next((e for e in spec.examples if plain(e.name) == plain(finding["subject"])), None)
    every = full_assignments(spec)
    if None in groups or example is None or every is None:
        tally.check("example in words", None not in groups and example is not None, f"{title}: {finding['text']!r}")
        return
    for full in every:
        if not covers(example.readings, full):
            continue
        inside = all(any(covers(way, full) for way in group) for group in groups)
        failed, known = outcome_of(checker, example, full)
        if failed is None:
            tally.skip("example under readings")
            continue
        if only and inside:
            tally.check("example in words", known and not failed, f"{title}: it does not come out if {only[1]}, or may not")
        elif only or inside:
            line = finding["cause"].removeprefix("line ")
            tally.check("example in words", line in failed, f"{title}: line {line} is met under {full}")


def ways(spec, text, between):
    """The ways of reading that words name, as parts of assignments; None if they are not understood."""
    found = [meaning(spec, part) for part in text.split(between)]
    if None in found:
        return None
    return [{r.index: r.alternatives.index(way[r.name]) for r in spec.readings if r.name in way} for way in found]


def outcome_of(checker, example, full):
    """(lines that are not met under an assignment, or None; whether all its runs are known to end)."""
    judge, spec = checker.judge, checker.spec
    try:
        play = Play(spec, judge.machine(frozenset()), example, full, judge.budget, example_labels)
    except (Consulted, TooLarge):
        return None, False
    failed = {str(n + 1) for n in play.failed}
    failed |= {str(n + 1) for n, line in enumerate(example.lines) if line.kind.startswith("possible") and n not in play.possible}
    if not judge.always_legal(example.board.data, full):
        failed.add("board")
    return failed, not play.limited and play.ends


# Caveats --------------------------------------------------------------------------------------------------


def speaks_of_ends(spec, answer):
    """Whether what holds speaks of what ends alone, so that runs that stop do not count for it."""
    claim = next((c for c in spec.claims if answer["kind"] == "claim" and c.name == answer["subject"]), None)
    if claim is not None and claim.form in ("largest", "smallest"):
        return claim.moment == "end" and answer["verdict"] == "shown"
    if answer["verdict"] not in ("holds in scope", "proved"):
        return False
    if answer["kind"] in ("legal", "contract"):
        return True
    return claim is not None and (claim.form == "must" or claim.form == "invariant" and claim.moment == "end"
                                  or claim.form == "idempotent" and claim.step is None)


def caveat(checker, answer):
    """The codes of what stops or never ends in a scope of the sequence stand beside what holds of its ends."""
    tally, judge = checker.tally, checker.judge
    title, words = f"{answer['kind']} {answer['subject']}", answer["caveat"] or ""
    told = NOT_COUNTED.search(words)
    said = (answer["untested"] or "").endswith("ends normally")  # that no run does says more
    if said or not speaks_of_ends(checker.spec, answer):
        tally.check("caveat", told is None, f"{title}: {words!r}")
        return
    codes = {f["code"] for f in checker.report["findings"] if f["code"] in STOPS and stops(checker, f)
             and {c["scope"] for c in f["counted"]} & set(answer["scopes"])}
    if "if any do" in words:
        sequences = [judge.scopes[n] for n in answer["scopes"] if n < len(judge.scopes)]
        tally.check("caveat", any(s.verify is None for s in sequences), f"{title}: {words!r} of what is verified")
        return
    mine = sorted(codes)
    tally.check("caveat", (re.split(r", | and ", told[1]) if told else []) == mine, f"{title}: {words!r}; the judge has {mine}")


def stops(checker, finding):
    """Whether what a finding is about ends runs: not a gap that goes on, nor a conflict after which the run forks."""
    if finding["code"] == "F0301":
        return not any(site.is_met for site in checker.spec.sites if getattr(site, "gap", None) == finding["subject"])
    return finding["code"] != "F0303" or finding["title"] == "more is taken than there is"


def headings(checker):
    for finding in checker.report["findings"]:
        (example_title if finding["code"] == "F0612" else title_told)(checker, finding)
    for answer in checker.report["answers"]:
        caveat(checker, answer)


__all__ = ["headings"]
