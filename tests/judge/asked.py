"""In which scopes a question is asked, as an answer says (docs/semantics.md §1.2, §9)."""

from __future__ import annotations

# Questions that come up in those scopes alone whose runs come to what they are about
OF_RUNS = ("order", "steps", "triggers", "reading", "ways", "position", "gap")


def scopes_told(checker, answer):
    """The scopes of an answer are those in which its question is asked."""
    told, tally = answer["scopes"], checker.tally
    expected = expected_scopes(checker, answer)
    if expected is None:
        tally.skip("asked in")
        return
    least = set(expected) if answer["kind"] not in OF_RUNS else {n for n in expected if comes_up(checker, answer, n)}
    if answer["kind"] in OF_RUNS and answer["verdict"] in ("refuted", "proved"):
        least -= {n for n, limited in enumerate(checker.judge.limited) if limited}  # perhaps nothing was compared there
    if only_suggested(checker, answer):
        least = set()  # it may come up in no scope
    elif not least and answer["verdict"] != "proved":
        least = set(expected) if len(expected) == 1 else set()
    tally.check("asked in", least <= set(told) <= expected and len(set(told)) == len(told), lambda: (
        f"{answer['kind']} {answer['subject']}: asked in the scopes {told}; the judge has {sorted(least)} of "
        f"{sorted(expected)}"))


def only_suggested(checker, answer):
    """Whether all that answers a question of order was found on boards that the prover suggested."""
    findings = [f for f in checker.report["findings"] if f["fingerprint"] in answer["findings"]]
    return answer["kind"] in ("order", "steps", "triggers") and findings and all(f["suggested"] for f in findings)


def expected_scopes(checker, answer):
    """The positions of the scopes in which something is asked; None if that is not known."""
    judge, kind, subject = checker.judge, answer["kind"], answer["subject"]
    if kind == "example":
        words = f"the example \"{subject.replace('_', ' ')}\""
        return {n for n, s in enumerate(checker.report["scopes"]) if s["subject"] == words}
    if kind == "claim":
        return {n for n, s in enumerate(judge.scopes) if any(c.name == subject for c in s.claims)}
    if answer["sequence"] is None:
        return None
    blamed = kind in ("order", "steps", "triggers") and answer["verdict"] == "refuted"  # by a claim (§9)
    return {n for n, s in enumerate(judge.scopes) if s.sequence.name == answer["sequence"] and (
        s.verify is not None or blamed and any(c.form == "order irrelevant" for c in s.claims))}


def comes_up(checker, answer, number):
    """Whether a run of a scope comes to what a question of an order or a reading is about."""
    scope, kind, subject = checker.judge.scopes[number], answer["kind"], answer["subject"].removeprefix("trigger ")
    if kind in ("reading", "ways"):
        name, _, ways = subject.partition(": ")
        reading = next((r for r in checker.spec.readings if r.name == name), None)
        met = {k for r, k in scope.consulted if reading is not None and r == reading.index}
        # where boards are looked at under one alternative alone, nothing is compared
        return met >= {reading.alternatives.index(way) for way in ways.split(" | ")} if ways and met else len(met) > 1
    if kind == "order":
        return any(about == subject for about, _ in scope.orders_met)
    if kind in ("steps", "triggers"):
        names = subject.split(" + ")
        pair = " & ".join(sorted(n.split("/")[-1] for n in names))
        about = names[0].split("/")[0]
        met = {a for a, p in scope.orders_met if p == pair}
        return about in met if kind == "steps" else any(a.startswith("event ") for a in met)
    code = {"position": "F0203", "gap": "F0305"}[kind]
    return any(k[:2] == (code, subject) and number in s.boards for k, s in checker.judge.shown.items())
