"""Random specifications in large numbers: `python3 -m judge.many GENERATOR PROGRAM FROM..TO` (from tests/).

GENERATOR is the program `random-specifications`, PROGRAM an `endstep`. Specifications are made, checked and judged some
hundred at a time; one that takes too long is left out, one that disagrees is kept (`--keep`), and it goes on. At the end
is said how many agree, how many do not (by kind of statement), and how many were left out, and why.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from .judging import one, summary
from .scopes import Limits


class Sums:
    def __init__(self):
        self.outcomes = Counter()
        self.why = Counter()
        self.agreed, self.wrong, self.skipped = Counter(), Counter(), Counter()
        self.of_program = self.of_judge = 0.0
        self.times = []


def checked(program, spec, seconds):
    """Writes the report of a specification beside it; says why, if there is none."""
    try:
        done = subprocess.run([program, "check", spec, "--format", "json"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return "the program takes too long"
    try:
        json.loads(done.stdout)
    except ValueError:
        return f"the program fails ({done.returncode})"
    spec.with_suffix(".json").write_bytes(done.stdout)
    return None


def judged(spec, options, limits, sums):
    began = time.perf_counter()
    why = checked(options.program, spec, options.seconds)
    between = time.perf_counter()
    sums.of_program += between - began
    if why is not None:
        sums.outcomes["failed" if "fails" in why else "skipped"] += 1
        sums.why[why] += 1
        print(f"{spec.name}: {why}", flush=True)
        return "failed" if "fails" in why else "skipped"
    try:
        outcome, tally = one(spec, spec.with_suffix(".json"), limits, options)
    except Exception as error:  # a fault of the judge, told as such
        outcome, tally = "broken", f"{type(error).__name__}: {error}"
    took = time.perf_counter() - between
    sums.of_judge += took
    sums.times.append(took)
    sums.outcomes[outcome] += 1
    if outcome == "skipped":
        sums.why[re.sub(r"\d+(\.\d+)?", "N", tally)] += 1
    elif outcome == "broken":
        print(f"{spec.name}: broken: {tally}", flush=True)
    else:
        sums.agreed.update(tally.agreed)
        sums.skipped.update(tally.skipped)
        for kind, words in tally.wrong:
            sums.wrong[kind] += 1
            print(f"{spec.name}: {kind}: {words}", flush=True)
    return outcome


def main():
    parser = argparse.ArgumentParser(prog="judge.many", description=__doc__)
    parser.add_argument("generator")
    parser.add_argument("program")
    parser.add_argument("numbers", help="FROM..TO")
    parser.add_argument("--seconds", type=float, default=20, help="of one specification, for the program and for the judge")
    parser.add_argument("--boards", type=int, default=400)
    parser.add_argument("--states", type=int, default=60000)
    parser.add_argument("--graph", type=int, default=6000)
    parser.add_argument("--at-a-time", type=int, default=250)
    parser.add_argument("--keep", metavar="FOLDER", help="where those that disagree are kept, with their reports")
    parser.add_argument("--thorough", action="store_true")
    options = parser.parse_args()
    first, last = map(int, options.numbers.split(".."))
    limits = Limits(options.boards, options.states, options.graph)
    gc.set_threshold(500000, 20, 100)
    sums = Sums()
    if options.keep:
        Path(options.keep).mkdir(parents=True, exist_ok=True)
    for start in range(first, last, options.at_a_time):
        end = min(start + options.at_a_time, last)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([options.generator, f"{start}..{end}", folder], stdout=subprocess.DEVNULL, check=True)
            for spec in sorted(Path(folder).glob("*.endstep")):
                outcome = judged(spec, options, limits, sums)
                if options.keep and outcome in ("failed", "broken"):
                    for file in (spec, spec.with_suffix(".json")):
                        if file.exists():
                            shutil.copy(file, options.keep)
        count = sums.outcomes
        print(f"-- to {end}: {count['passed']} agree, {count['failed'] + count['broken']} do not, "
              f"{count['skipped']} left out", flush=True)
    summary(sums.agreed, sums.wrong, sums.skipped)
    number = sum(sums.outcomes.values())
    for why, times in sums.why.most_common():
        print(f"  left out: {times}: {why}")
    sums.times.sort()
    if number and sums.times:
        print(f"{sums.of_program / number:.3f} s each of the program, {sums.of_judge / number:.3f} s of the judge "
              f"(median {sums.times[len(sums.times) // 2]:.3f}, longest {sums.times[-1]:.1f})")
    failed = sums.outcomes["failed"] + sums.outcomes["broken"]
    print(f"{sums.outcomes['passed']} agree, {failed} disagree, {sums.outcomes['skipped']} left out")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
