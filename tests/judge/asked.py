"""In which scopes a question is asked, as an answer says (docs/semantics.md §1.2, §9)."""

from __future__ import annotations


def scopes_told(checker, answer):
    """The scopes of an answer are those in which its question is asked."""
    told, tally = answer["scopes"], checker.tally
    expected = expected_scopes(checker, answer)
    if expected is None:
        tally.skip("asked in")
        return
    if not told and only_suggested(checker, answer):
        tally.skip("asked in")  # in no scope there are ever two things whose order is open
        return
    tally.check("asked in", sorted(told) == sorted(expected), lambda: (
        f"{answer['kind']} {answer['subject']}: asked in the scopes {told}; the judge has {sorted(expected)}"))


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
    return {n for n, s in enumerate(judge.scopes) if s.sequence.name == answer["sequence"] and s.verify is not None}
