"""`python3 -m judge SPEC.endstep REPORT.json`, or `--batch FOLDER`: is every statement of a report so?"""

from __future__ import annotations

import argparse
import gc
import json
import signal
import time
from collections import Counter
from pathlib import Path

from .graph import TooLarge
from .model import SpecError, load
from .report import Checker, Tally
from .scopes import Judge, Limits


class TimeOut(Exception):
    pass


def judge_report(path, report, limits, quick=True):
    """The tally of one specification's report; raises TooLarge where it is beyond the limits."""
    tally = Tally()
    try:
        spec = load(str(path))
    except SpecError as error:
        tally.check("compiled", not report["compiled"], f"it is compiled; the judge has {error}")
        return tally, None
    tally.check("compiled", report["compiled"], "the report has errors; the judge compiles it")
    if not report["compiled"]:
        return tally, None
    judge = Judge(spec, limits)
    checker = Checker(judge, report, tally, quick)
    try:
        judge.run()
        checker.run()
    except TooLarge:
        if not tally.wrong:
            checker.faults()
        if not tally.wrong:  # what is wrong already is wrong however much more there is
            raise
    return tally, judge


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="judge", description=__doc__)
    parser.add_argument("paths", nargs="*", help="SPEC.endstep REPORT.json")
    parser.add_argument("--batch", metavar="FOLDER", help="all *.endstep with *.json beside them")
    parser.add_argument("--boards", type=int, default=400, help="boards of one scope")
    parser.add_argument("--states", type=int, default=60000, help="states of one specification")
    parser.add_argument("--graph", type=int, default=6000, help="states of one board under one reading")
    parser.add_argument("--seconds", type=float, default=20, help="of one specification")
    parser.add_argument("--thorough", action="store_true", help="try all values of places that no report names")
    parser.add_argument("--representatives", action="store_true", help="one numbering of each board only")
    parser.add_argument("--first", type=int, default=None, help="so many files of a folder")
    options = parser.parse_args(arguments)
    limits = Limits(options.boards, options.states, options.graph, not options.representatives)
    if options.batch:
        return batch(options, limits)
    if len(options.paths) != 2:
        parser.error("a specification and its report are needed")
    spec, report = options.paths
    outcome, tally = one(Path(spec), Path(report), limits, options)
    if outcome == "skipped":
        print(f"skipped: {tally}")
        return 2
    for kind, words in tally.wrong:
        print(f"{kind}: {words}")
    summary(tally.agreed, Counter(k for k, _ in tally.wrong), tally.skipped)
    return 1 if tally.wrong else 0


def one(spec, report, limits, options):
    document = json.loads(report.read_text())
    found = document["specifications"][0]

    def ring(*_):
        raise TimeOut(f"more than {options.seconds} seconds")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, options.seconds)
    try:
        tally, _ = judge_report(spec, found, limits, not options.thorough)
    except (TooLarge, TimeOut, RecursionError, MemoryError) as error:
        return "skipped", str(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return ("failed" if tally.wrong else "passed"), tally


def batch(options, limits):
    files = sorted(Path(options.batch).glob("*.endstep"))[: options.first]
    agreed, wrong, skipped, outcomes = Counter(), Counter(), Counter(), Counter()
    times = []
    gc.set_threshold(500000, 20, 100)
    for spec in files:
        report = spec.with_suffix(".json")
        if not report.exists():
            continue
        began = time.perf_counter()
        try:
            outcome, tally = one(spec, report, limits, options)
        except Exception as error:  # a fault of the judge, told as such
            outcome, tally = "broken", f"{type(error).__name__}: {error}"
        times.append(time.perf_counter() - began)
        outcomes[outcome] += 1
        if outcome in ("skipped", "broken"):
            print(f"{spec.name}: {outcome}: {tally}")
            continue
        agreed.update(tally.agreed)
        skipped.update(tally.skipped)
        for kind, words in tally.wrong:
            wrong[kind] += 1
            print(f"{spec.name}: {kind}: {words}")
    summary(agreed, wrong, skipped)
    times.sort()
    if times:
        print(f"{sum(times):.1f} s, median {times[len(times) // 2]:.3f} s, longest {times[-1]:.1f} s")
    failed = outcomes["failed"] + outcomes["broken"]
    print(f"{outcomes['passed']} passed, {failed} failed, {outcomes['skipped']} skipped")
    return 1 if failed else 2 if outcomes["skipped"] else 0


def summary(agreed, wrong, skipped):
    for kind in sorted(set(agreed) | set(wrong) | set(skipped)):
        print(f"  {kind}: {agreed[kind]} agree, {wrong[kind]} disagree, {skipped[kind]} not looked at")
