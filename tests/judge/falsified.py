"""Corruptions of what a report tells beside findings and answers, for the self test: (kind, what makes a report false)."""

from __future__ import annotations

from .told import CREATED_NAME, read_change

ENDS = ("end", "win", "loss", "draw", "gap", "conflict", "range", "stuck")
BASES = ("text", "external", "gap", "invented")
WITH_CLAUSES = ("F0302", "F0303", "F0304", "F0306", "F0401", "F0402", "F0403", "F0404", "F0406")
WITH_PLACES = (*WITH_CLAUSES, "F0202", "F0602", "F0610", "F0611", "F0702", "F0703", "F0704")


def beside(report):
    yield from sums(report)
    yield from of_scopes(report)
    yield from idle(report)
    for n, finding in enumerate(report["findings"]):
        yield from of_text(n, finding)
        witness = finding["witness"]
        if witness and witness["runs"] and finding["code"] != "F0612" and witness["kind"] != "growth":
            yield from of_runs(n, finding, witness)


def sums(report):
    for name in report["summary"]:
        def more(r, name=name):
            r["summary"][name] += 1

        yield "summary", more


def of_scopes(report):
    for n, scope in enumerate(report["scopes"]):
        if scope["subject"].startswith("the example"):
            continue

        def only(r, n=n):
            r["scopes"][n]["only"].append("another")

        def where(r, n=n):
            r["scopes"][n]["where"] = "true" if r["scopes"][n]["where"] is None else None

        def written(r, n=n):
            r["scopes"][n]["written_boards"] += 1

        yield "only of a scope", only
        yield "where of a scope", where
        yield "boards of the file", written


def idle(report):
    for n, finding in enumerate(report["findings"]):
        if finding["code"] == "F0703" and finding["cause"] == "" and finding["subject"].count("/") == 1:
            def both(r, n=n):
                r["findings"].append({**r["findings"][n], "code": "F0704"})

            yield "dead and idle", both


def of_text(n, finding):
    if finding["clauses"]:
        def says(r):
            r["findings"][n]["clauses"][0]["says"] += "!"

        yield "words of a clause", says
        if finding["code"] in WITH_CLAUSES:
            def fewer(r):
                r["findings"][n]["clauses"].pop()

            yield "clause left out", fewer
    if finding["code"] in WITH_PLACES and finding["cause"] != "reading" and not finding["subject"].startswith("event "):
        def moved(r):
            for place in r["findings"][n]["places"]:
                place["line"] += 1

        yield "places", moved


def of_runs(n, finding, witness):
    def every(r):
        w = r["findings"][n]["witness"]
        w["everywhere"] = not w["everywhere"]

    if not finding["suggested"]:
        yield "everywhere", every
    outcomes = [run["outcome"] for run in witness["runs"]]
    if witness["kind"] != "again" and "stopped" not in outcomes:
        def basis(r):
            f = r["findings"][n]
            f["basis"] = BASES[BASES.index(f["basis"]) - 1]

        yield "basis", basis
    for k, run in enumerate(witness["runs"]):
        if run["outcome"] in ENDS and not (k and witness["kind"] == "again"):
            yield from of_trace(n, k, run["trace"] or [])
    if witness["kind"] == "versus" and all(outcome in ENDS for outcome in outcomes):
        for k, row in enumerate(witness["differences"]):
            if CREATED_NAME.search("".join(row.values())):
                continue

            def fewer(r, k=k):
                del r["findings"][n]["witness"]["differences"][k]

            def equal(r, k=k):
                row = r["findings"][n]["witness"]["differences"][k]
                row["first"] = row["second"]

            yield "row left out", fewer
            if row["what"] != "outcome":
                yield "row", equal


def of_trace(n, k, trace):
    for m, moment in enumerate(trace):
        for c, text in enumerate(moment["changes"]):
            change = read_change(text)
            if CREATED_NAME.search(text) or change is None or change[0] not in ("value", "move"):
                continue

            def fewer(r, m=m, c=c):
                del r["findings"][n]["witness"]["runs"][k]["trace"][m]["changes"][c]

            def twice(r, m=m, c=c):
                lines = r["findings"][n]["witness"]["runs"][k]["trace"][m]["changes"]
                lines.append(lines[c])

            yield "change left out", fewer
            yield "change told twice", twice


__all__ = ["beside"]
