"""Verdicts of answers, findings about all boards together, and what a report leaves out."""

from __future__ import annotations

import re
from itertools import combinations

from .asked import scopes_told
from .beyond import executed_beyond
from .conditions import readings_statement
from .examples import line_facts
from .facts import LIMIT  # noqa: F401  (what a limit is, for readers)
from .graph import TooLarge
from .kinds_of import READINGS
from .tried import never_compared, restricted
from .whenever import can_announce
from .witness import example_labels

HOLDS = ("proved", "holds in scope")
TRIED = re.compile(r"under (?:any|every) reading( that was tried)?")


def answers(checker):
    for answer in checker.report["answers"]:
        scopes_told(checker, answer)
        verdict(checker, answer)


def named_limit(answer):
    return [t for t in answer["limits"] if "were given up because they left" not in t and "no board" not in t]


def verdict(checker, answer):
    judge, tally = checker.judge, checker.tally
    kind, subject, said = answer["kind"], answer["subject"], answer["verdict"]
    title = f"{kind} {subject}"
    findings = [checker.by_print[f] for f in answer["findings"] if f in checker.by_print]
    if kind == "example":
        return example(checker, answer)
    claim = next((c for c in judge.spec.claims if kind == "claim" and c.name == subject), None)
    if claim is not None and claim.form in ("largest", "smallest"):
        return extreme(checker, answer, claim)
    refuted, limited, boards = state_of(checker, kind, subject, answer["scopes"])
    if refuted is None:
        tally.skip("verdict")
        return
    if said == "refuted":
        if not refuted and findings and kind == "position" and any(u[1] == subject for u in judge.unsure):
            tally.skip("verdict")  # too many orders for the judge
            return
        if not refuted and findings and all(f["suggested"] for f in findings):
            tally.skip("verdict")  # the witness is looked at by itself
            return
        if not refuted and kind == "claim" and judge.may_be_in_file([]):
            tally.skip("verdict")  # not all runs from a board of the file are known
            return
        tally.check("verdict", refuted, f"{title}: refuted; the judge finds nothing against it")
    elif said == "shown":
        if not refuted and answer["suggested"] and answer["witness"]:
            from .examine import value_shown

            value_shown(checker, {**answer, "value": True}, claim)  # on a board beyond the scope
            return
        if not refuted and kind == "claim" and judge.may_be_in_file([]):
            tally.skip("verdict")
            return
        tally.check("verdict", refuted, f"{title}: shown; the judge does not find it")
    elif said == "none in scope":
        tally.check("verdict", not refuted and not limited, f"{title}: none in scope; the judge finds it, or a limit")
    elif said == "proved":
        tally.check("verdict", not refuted, f"{title}: proved; the judge refutes it")
    elif said == "holds in scope":
        too_many = ("F0203", subject) in judge.unsure and ("F0203", subject, "limit") not in judge.unsure
        if not refuted and kind == "position" and too_many:
            tally.skip("verdict")  # too many orders for the judge
            return
        tally.check("verdict", not refuted and not limited and boards > 0, lambda: (
            f"{title}: holds in scope; " + ("the judge refutes it" if refuted else
            "the judge meets a limit" if limited else "there is no board")))
    elif said == "unknown":
        if named_limit(answer):
            tally.skip("verdict")
        else:
            # boards that do not meet the condition of a claim need not count, and may
            given_up = kind == "claim" and any(judge.limited[n] for n in answer["scopes"] if n < len(judge.limited))
            tally.check("verdict", not refuted and (limited or given_up or boards == 0), lambda: (
                f"{title}: unknown; " + ("the judge refutes it" if refuted else "the judge meets no limit")))
    if kind == "claim":
        untested(checker, answer, refuted)
    elif kind in ("contract", "legal") and said in HOLDS and not limited:
        sequence = subject.partition(": ")[0]
        words = judge.totals.untested.get(("sequence", sequence), set())
        expected = None
        if "ended" not in words:
            expected = "no run tried for it ends normally"
        elif kind == "contract" and checker.spec.sequences[sequence].contract.changes and "changed" not in words:
            expected = "at every normal end all that it lists is as it was at the start"
        if answer["untested"] is None and expected is not None and elsewhere(checker):
            tally.skip("untested")
        else:
            tally.check("untested", answer["untested"] == expected,
                        f"{title}: untested: {answer['untested']}; the judge has {expected}")
    if kind in ("claim", "contract"):
        noted = any(f["code"] == "F0613" and f["subject"] == subject for f in checker.report["findings"])
        tally.check("untested", noted == (answer["untested"] is not None), f"{title}: F0613 and `untested` do not agree")


def extreme(checker, answer, claim):
    """The largest or smallest value: of all boards, or a bound where something was given up (§9)."""
    judge, tally = checker.judge, checker.tally
    title, said, value = f"question {claim.name}", answer["verdict"], answer["value"]
    tally.check("asks", answer["asks"] == claim.form, f"{title}: asks {answer['asks']}")
    numbers = [n for n, s in enumerate(judge.scopes) if claim in s.claims]
    in_file, open_in_file = judge.values_in_file(claim)
    values = {k[2] for k in judge.shown if k[0] == "value" and k[1] == claim.name} | in_file
    given_up = any(judge.limited[n] or judge.unknown[n] for n in numbers)
    best = (max if claim.form == "largest" else min)(values, default=None)
    told = f"{title}: {said}, {value}; the judge has {best}"
    if said not in ("shown", "none in scope", "unknown"):
        tally.check("value", False, told)
    elif said == "unknown":
        empty = not in_file and not any(judge.orbits[n] for n in numbers)
        if named_limit(answer):
            tally.skip("value")
        else:
            tally.check("value", given_up or open_in_file or empty, f"{told}, and meets no limit")
        if value not in values and value is not None and (given_up or open_in_file):
            tally.skip("value")  # the judge may give up elsewhere
        else:
            tally.check("value", value is None or value in values, f"{told}, and not this value")
        least = best_found(judge, claim, values, bool(named_limit(answer) or open_in_file))
        good = least is None or value is not None and (max if claim.form == "largest" else min)(value, least) == value
        tally.check("best value", good, f"{title}: {value} is the best that was found; the judge has {least}")
    elif open_in_file:
        tally.skip("value")
    else:
        tally.check("value", value == best and (said == "shown") == (value is not None), told)
        tally.check("value", not given_up, f"{told}, and meets a limit")
        tally.check("value", bool(in_file) or any(judge.orbits[n] for n in numbers), f"{told}: there is no board")
        shown = judge.shown.get(("value", claim.name, value))
        if shown is not None and len(shown.boards) == 1 and not in_file:
            some = [a for row in shown.assignments.values() for a in row]
            wrong = readings_statement(judge.spec, answer["readings"], some)
            if wrong is None and answer["readings"].startswith("only") and any(n in judge.restricted for n in numbers):
                wrong = f"{answer['readings']!r}, and boards were left out under others"
            if isinstance(wrong, tuple):
                tally.skip("value readings")
            else:
                tally.check("value readings", wrong is None, lambda: f"{title}: {wrong}")
    if value is None:
        tally.check("value shown", answer["witness"] is None, f"{title}: a run without a value")
    else:
        from .examine import value_shown

        value_shown(checker, answer, claim)


def best_found(judge, claim, values, other_limits):
    """The best value to which runs come that the bounds of exploration do not end; where there are `other_limits`, the
    best on boards of the scopes of which all is known."""
    numbers = [n for n, s in enumerate(judge.scopes) if claim in s.claims]

    def known(value):
        shown = judge.shown.get(("value", claim.name, value))
        if not other_limits:
            return True
        boards = {} if shown is None else shown.boards
        return any(boards.get(n, set()) - judge.limited[n] - judge.unknown[n] for n in numbers)

    return (max if claim.form == "largest" else min)(filter(known, values), default=None)


def state_of(checker, kind, subject, told):
    """(is there anything against it (of `reachable`: for it), was a limit met, number of boards), in the scopes
    that are told (in all of a sequence if none are)."""
    judge = checker.judge
    subject = subject if kind in ("claim", "reading", "ways") else subject.removeprefix("trigger ")
    told = set(told) & set(range(len(judge.scopes)))
    shown = {k for k, s in judge.shown.items() if not told or told & set(s.boards)}

    def scopes_of(sequence=None):
        return [n for n, s in enumerate(judge.scopes)
                if (sequence is None or s.sequence.name == sequence) and (not told or n in told)]

    def count(numbers):
        if any(not judge.orbits[n] for n in numbers):
            return 0  # nothing can be said of one of the scopes
        return sum(len(judge.orbits[n]) for n in numbers)

    def limited(numbers):
        return any(judge.limited[n] or judge.unknown[n] for n in numbers)

    if kind == "claim":
        claim = next((c for c in judge.spec.claims if c.name == subject), None)
        if claim is None:
            return None, False, 0
        numbers = [n for n, s in enumerate(judge.scopes) if claim in s.claims]
        code = "shown" if claim.form == "reachable" else "F0611" if claim.question else "F0610"
        refuted = (code, subject, "") in shown or judge.in_file([(code, subject, "")])
        open_ = ("open", subject, "") in shown or any(judge.unknown[n] for n in numbers)
        return refuted, open_, count(numbers)
    if kind == "reading":
        refuted = any(k[0] in READINGS and k[1] == subject for k in shown)
        reading = next((r for r in judge.spec.readings if reading_name(r) == subject), None)
        two = [] if reading is None else combinations(range(len(reading.alternatives)), 2)
        never = any(never_compared(judge, scopes_of(), reading.index, pair) for pair in two)
        return refuted, never or limited(scopes_of()), count(scopes_of())
    if kind == "ways":
        name, _, two = subject.partition(": ")
        ways = set(two.split(" | "))
        refuted = any(k[0] in READINGS and k[1] == name
                      and set(k[2].split(" | ")) == ways for k in shown)
        reading = next((r for r in judge.spec.readings if reading_name(r) == name), None)
        names = [] if reading is None else [a if isinstance(a, str) else a.name for a in reading.alternatives]
        pair = tuple(sorted(names.index(way) for way in ways)) if ways <= set(names) else None
        never = pair is not None and never_compared(judge, scopes_of(), reading.index, pair)
        return refuted, never or limited(scopes_of()), count(scopes_of())
    if kind == "order":
        return ("order", subject, None) in shown, limited(scopes_of()), count(scopes_of())
    if kind in ("steps", "triggers"):
        return pair_state(shown, kind, subject, limited(scopes_of()), count(scopes_of()))
    if kind == "position":
        refuted = any(k[0] == "F0203" and k[1] == subject for k in shown)
        open_ = any(u[1] == subject for u in judge.unsure)
        return refuted, open_ or limited(scopes_of()), count(scopes_of())
    if kind == "terminates":
        numbers = scopes_of(subject)
        refuted = any((code, subject, None) in shown for code in ("F0501", "F0502"))
        return refuted, limited(numbers), count(numbers)
    if kind == "legal":
        sequence, _, name = subject.partition(": ")
        numbers = scopes_of(sequence)
        return ("F0601", name, sequence) in shown, limited(numbers), count(numbers)
    if kind == "contract":
        numbers = scopes_of(subject)
        return any(k[0] == "F0603" and k[1] == subject for k in shown), limited(numbers), count(numbers)
    if kind == "gap":
        return ("F0305", subject.removeprefix("trigger "), "") in shown, limited(scopes_of()), count(scopes_of())
    return None, False, 0


def pair_state(shown, kind, subject, limited, boards):
    names = subject.split(" + ")
    if len(names) != 2:
        return None, False, 0
    if kind == "steps":
        sequence = names[0].split("/")[0]
        pair = " & ".join(sorted(n.split("/")[-1] for n in names))
        refuted = any(k[0] in ("blame", "same gap", "to blame") and k[1] == sequence and k[2] == pair for k in shown)
    else:
        pair = " & ".join(sorted(names))
        refuted = any(k[0] in ("blame", "same gap", "to blame") and k[1].startswith("event ") and k[2] == pair
                      for k in shown)
    return refuted, limited, boards


def elsewhere(checker):
    """Whether boards beyond the scopes may have been tried: those of the file, and those that the prover suggests."""
    spec = checker.spec
    answers = [a for a in checker.report["answers"] if a["kind"] in ("order", "steps", "triggers")]
    if spec.boards or spec.examples or any(a["verdict"] != "proved" for a in answers):
        return True
    # of an order at which no run of the scopes has two things there is no answer, and the prover is asked
    told = {a["subject"].removeprefix("trigger ") for a in answers}
    return any(path not in told for path in orders_left_open(spec))


def orders_left_open(spec):
    """The paths of all that can have an order which no document fixes, whether or not any run comes to it."""
    for site in spec.sites:
        if site.made_up:
            continue
        if site.kind == "for each" and site.order({}) not in ("fixed", "turns") or can_announce(spec, site):
            yield site.path
    for sequence in spec.sequences.values():
        if sequence.experiment is None and (sequence.policy != "in order" or sequence.has_places):
            yield sequence.name
    for event in spec.events.values():
        if event.triggers:
            yield f"event {event.name}"


def untested(checker, answer, refuted):
    """Whether what holds was put to the test (§10)."""
    claim = next((c for c in checker.spec.claims if c.name == answer["subject"]), None)
    if claim is None or refuted or answer["verdict"] not in HOLDS:
        return
    if any(claim in s.claims and not checker.judge.orbits[n] for n, s in enumerate(checker.judge.scopes)):
        return
    words = checker.judge.totals.untested.get(claim.name, set())
    expected = None
    if claim.form in ("equivalent", "terminates", "must") and claim.where is not None and claim.form != "equivalent":
        if "asked" not in words:
            expected = "no board meets the condition"
    if expected is None and (claim.form == "must" or claim.form == "invariant" and claim.moment == "end"
                             or claim.form == "idempotent" and claim.step is None):
        if "ended" not in words:
            of = " from a board that meets the condition" if claim.form == "must" and claim.where is not None else ""
            expected = f"no run tried for it{of} ends normally"
    if expected is None and claim.form == "idempotent" and claim.step is not None and "done" not in words:
        expected = "no run tried for it comes to the end of the step"
    if expected is None and claim.form == "order irrelevant" and "ordered" not in words:
        expected = "no run tried for it comes to two things whose order is open"
    said = answer["untested"]
    if (said or "").endswith("there is nothing of which it speaks") or claim.form == "equivalent":
        checker.tally.skip("untested")
        return
    # of what is proved and does not hold in scope, since a limit was met, nothing need be said
    limits = answer["verdict"] == "proved" and any(
        claim in s.claims and checker.judge.limited[n] for n, s in enumerate(checker.judge.scopes))
    if said is None and expected is not None and (limits or elsewhere(checker)):
        checker.tally.skip("untested")
        return
    checker.tally.check("untested", said == expected, f"claim {claim.name}: untested: {said}; the judge has {expected}")


# Examples ------------------------------------------------------------------------------------------------


def example(checker, answer):
    judge, tally = checker.judge, checker.tally
    spec = checker.spec
    name = answer["subject"]
    example_ = next((e for e in spec.examples if e.name == name), None)
    if example_ is None:
        tally.skip("example")
        return
    machine = judge.machine(frozenset())  # the rules themselves
    try:
        failed, limited = line_facts(spec, machine, example_, judge.budget, example_labels, judge.totals)
    except TooLarge:
        tally.skip("example")
        return
    said = {int(f["cause"].split()[1]) for f in checker.report["findings"]
            if f["code"] == "F0612" and f["subject"] == name and f["cause"].startswith("line ")}
    not_legal = any(f["code"] == "F0612" and f["subject"] == name and f["cause"] == "board"
                    for f in checker.report["findings"])
    tally.check("example line", not_legal == (not judge.always_legal(example_.board.data, example_.readings)),
                f"example {name}: whether its board is legal")
    for n, line in enumerate(example_.lines, 1):
        if limited and (n in said) != (n in failed):
            tally.skip("example line")
            continue
        tally.check("example line", (n in said) == (n in failed), lambda: (
            f"example {name}, line {n}: " + ("not met" if n in said else "met") + " in the report; the judge has it "
            + ("not met" if n in failed else "met")))
    if not limited and answer["verdict"] != "unknown":
        tally.check("verdict", (answer["verdict"] == "refuted") == (bool(failed) or not_legal), f"example {name}: {answer['verdict']}")


# What is not in the report -------------------------------------------------------------------------------


def completeness(checker):
    """Whatever brute force shows is in the report."""
    judge, tally = checker.judge, checker.tally
    have = set()
    for finding in checker.report["findings"]:
        for key in checker.keys(finding) or ():
            have.add(key)
    for key, shown in sorted(judge.shown.items(), key=lambda item: str(item[0])):
        code = key[0]
        if code in ("open", "shown", "order", "to blame", "conflict", "value"):
            continue
        if code == "same gap":
            blame = ("blame", key[1], key[2])
            good = key in have or blame in judge.shown or blame in have
        elif code in ("F0404", "F0406"):
            good = any(k[0] in READINGS and k[1:] == key[1:] for k in have)
        elif code == "F0405" and " + " not in key[2]:
            good = key in have or told_everywhere(checker, key[1], key[2])
        elif code in ("F0502", "F0503", "F0504"):
            good = any(k[0] in ("F0501", "F0502", "F0503", "F0504") and k[1] == key[1] for k in have)
        else:
            good = key in have
        tally.check("complete", good, lambda: f"the report does not have {words(key)}")
    # what is told of the same thing, be it of a board outside of the scopes, leaves no room for a weaker note (§7)
    for key in sorted((k for k in have if k[0] in YIELDING), key=str):
        stronger = [k for k in have if k[0] in YIELDING[key[0]] and k[1:] == key[1:]]
        tally.check("yields", not stronger, lambda: f"{words(key)} is told beside {words(stronger[0])}")


# Notes, and what they are not told beside.
YIELDING = {"same gap": ("blame",), "F0404": ("F0401", "F0402", "F0403", "F0406"), "F0406": ("F0401", "F0402", "F0403")}


def told_everywhere(checker, sequence, demand):
    """Whether the refutation of a demand says that no outcome of its board meets it (§9.1)."""
    for finding in checker.report["findings"]:
        about = {
            "F0610": finding["subject"],
            "F0601": f"legal {finding['subject']}",
            "F0603": finding["cause"],
        }.get(finding["code"])
        if about == demand and finding["witness"] and finding["witness"]["everywhere"]:
            return True
    return False


def words(key):
    return " ".join(x for x in (key[0], key[1], key[2] and "| " + key[2]) if x)


def not_run(checker):
    """Names of sequences and triggers to which nothing comes that is run from all legal boards (§7, dead), though something
    else could."""
    spec, judge = checker.spec, checker.judge
    rules = [s for s in spec.sequences.values() if s.experiment is None]
    run = [s.sequence for s in judge.scopes if s.on is None]
    run += [c.other for c in spec.claims if c.other is not None and c.on is None and c.where is None]
    led = spec.spoken.led_to(spec, [s for s in run if s in rules])
    every = spec.spoken.led_to(spec, rules)
    names = {s.name for s in rules if ("sequence", s.name) not in led}
    events = {unit[1] for unit in every - led if unit[0] == "event"}
    return names | {t.name for t in spec.triggers if t.event.name in events}


def global_findings(checker):
    """Dead, idle, and steps that may have to be done once more."""
    judge, tally, report = checker.judge, checker.tally, checker.report
    totals = judge.totals
    named = {}
    for finding in report["findings"]:
        named.setdefault(finding["code"], set()).add(finding["subject"].removeprefix("trigger "))
    for finding in report["findings"]:
        texts = [finding["text"]] if finding["code"] in ("F0703", "F0704") else []
        texts += [finding["readings"]] if finding["scope"] is None and not finding["suggested"] else []
        for tried in filter(None, map(TRIED.search, texts)):
            left_out = restricted(checker, finding)
            tally.check("tried", bool(tried[1]) == left_out, (
                f"{finding['code']} {finding['subject']}: {tried[0]!r}; boards were {'' if left_out else 'not '}left out under some"))
    # dead
    verified = {s.sequence.name for s in judge.scopes}
    beyond, sure = executed_beyond(checker)
    executed = {site.path for site in totals.executed} | beyond
    for finding in report["findings"]:
        if finding["code"] == "F0703":
            subject = finding["subject"].removeprefix("trigger ")
            if finding["cause"] == "reading":
                reading = next((r for r in checker.spec.readings if reading_name(r) == subject), None)
                if reading is not None and reading.index in judge.legal_readings:
                    tally.skip("dead")  # whether a run consults it as well is not seen
                elif reading is not None:
                    tally.check("dead", reading.index not in totals.consulted, f"F0703 {subject}: it is consulted")
            else:
                tally.check("dead", subject not in executed, f"F0703 {subject}: the judge has it executed")
    empty = any(not o for o in judge.orbits) or any(judge.unknown)
    aside = not_run(checker)
    for finding in report["findings"]:
        if finding["code"] == "F0703" and finding["cause"] != "reading":
            root = finding["subject"].removeprefix("trigger ").split("/")[0]
            tally.check("dead", root not in aside, f"F0703 {finding['subject']}: nothing runs it")
    if not totals.limits and not empty:
        dead = [s for s in checker.spec.sites if s.path not in executed and s.kind not in ("sequence", "restart") and not s.made_up]
        for site in dead:
            if site.path.split("/")[0] in aside:
                continue
            above = site.parent
            while above is not None and above.path not in executed and above.kind in ("sequence", "restart"):
                above = above.parent
            if above is not None and above.path not in executed:
                continue
            before = [o for o in dead if site.parent is not None and o.block is site.block and o.index < site.index
                      and o.kind != "step" and site.kind != "step"]
            if any(o.path in named.get("F0703", ()) for o in before):
                continue  # what stands after a dead statement is not told again
            if site.kind in ("trigger", "step") or above is not None or site.parent.kind == "restart":
                path = site.path
                if path not in named.get("F0703", ()) and not sure:
                    tally.skip("dead")
                    continue
                tally.check("dead", path in named.get("F0703", ()), f"the report does not have F0703 {path}")
    if not verified:
        return
    try:
        idle = judge.idle()
    except TooLarge:
        tally.skip("idle")
        idle = None
    if idle is not None:
        said = named.get("F0704", set())
        for step in totals.steps:
            path = step.site.path
            if (totals.limits or empty) and path not in said:
                tally.skip("idle")
                continue
            tally.check("idle", (path in said) == (step in idle), lambda: (
                f"F0704 {path}: " + ("without it some outcome differs" if path in said else "the report does not have it")))
    try:
        recheck = judge.recheck()
    except TooLarge:
        tally.skip("recheck")
        return
    said = named.get("F0702", set())
    for step in totals.steps:
        path = step.site.path
        in_place, boards = recheck.get(step, (None, None))
        if boards is None:
            tally.check("recheck", path not in said, f"F0702 {path}: doing it again changes nothing at any end")
            continue
        if totals.limits and path not in said:
            tally.skip("recheck")  # some run was not looked at to its end
            continue
        sure = any(True in kinds for kinds in boards.values())
        if in_place is None or (in_place and not sure):
            tally.skip("recheck")
        else:
            tally.check("recheck", (path in said) == bool(in_place), lambda: (
                f"F0702 {path}: " + ("it is not idempotent in place" if path in said else "the report does not have it")))
            if in_place and path in said and all(None not in kinds for kinds in boards.values()):
                for f in report["findings"]:
                    if f["code"] == "F0702" and f["subject"] == path and f["legal_boards"] is not None:
                        by_scope = {}
                        for scope, at in boards:
                            by_scope.setdefault(scope, set()).add(at)
                        tally.check("boards", checker.matching(f, by_scope) is not None, lambda: (
                            f"F0702 {path}: on {f['boards']} of {f['legal_boards']}; the judge has "
                            + str([(len(b), checker.legal_count(s)) for s, b in by_scope.items()])))


def reading_name(reading):
    return reading.name
