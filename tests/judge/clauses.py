"""What is said of clauses: formalised or not, references and terms (F0101 to F0103, coverage)."""

from __future__ import annotations


def state(spec, clause):
    cited = set()
    for site in spec.sites:
        cited.update(site.cites)
    for reading in spec.readings:
        for ids in reading.cites:
            cited.update(ids)
    formal = cited | {one.id for one in spec.clauses.values() if one.formal}
    while True:
        more = {to for one in spec.clauses.values() if one.id in formal for to in one.cites} - formal
        if not more:
            break
        formal |= more
    if clause.id in formal:
        return "formalised"
    if clause.waived is not None:
        return "waived"
    if clause.kind in ("note", "reference") or clause.kind == "definition" and clause.defines:
        return "informal"
    return "missing"


def clauses(checker):
    spec, tally, report = checker.spec, checker.tally, checker.report
    told = {(f["code"], f["subject"], f["cause"]) for f in report["findings"]}
    counts = {"formalised": 0, "waived": 0, "informal": 0, "missing": 0}
    defined = {term.lower() for c in spec.clauses.values() for term in c.defines}
    for clause in spec.clauses.values():
        what = state(spec, clause)
        counts[what] += 1
        tally.check("clause", (("F0101", clause.id, "") in told) == (what == "missing"),
                    f"F0101 {clause.id}: the judge has it {what}")
        for term in clause.uses:
            tally.check("clause", (("F0103", clause.id, term) in told) == (term.lower() not in defined),
                        f"F0103 {clause.id} | {term}: defined are {sorted(defined)}")
        for kind, to in clause.refers:
            if kind == "id":
                tally.check("clause", (("F0102", clause.id, to) in told) == (to not in spec.clauses),
                            f"F0102 {clause.id} | {to}")
    tally.check("coverage", counts == report["coverage"], f"coverage {report['coverage']}; the judge has {counts}")
