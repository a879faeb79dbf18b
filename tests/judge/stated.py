"""What a report states beside findings and answers: clauses and places, scopes, sums, what no outcome meets."""

from __future__ import annotations

from os.path import basename

from . import claims as C
from .examine import assignment_of, machine_of, scope_of
from .graph import Consulted, Graph, TooLarge
from .kinds_of import READINGS
from .names import plain
from .witness import BoardText, Cannot

STOPS = ("F0302", "F0303", "F0304", "F0306")
NAMED = ("step", "trigger", "sequence", "event")


def stated(checker):
    summary(checker)
    for finding in checker.report["findings"]:
        clauses_of(checker, finding)
        places_of(checker, finding)
        try:
            everywhere(checker, finding)
        except (TooLarge, C.Unknown, Consulted):
            checker.tally.skip("everywhere")
        except (Cannot, KeyError, ValueError) as error:
            checker.tally.check("everywhere", False, f"{checker.title(finding)}: {error!r}")
    scopes(checker)
    idle_steps(checker)


# Sums -----------------------------------------------------------------------------------------------------


def summary(checker):
    """Numbers of findings by status (notes that are new for themselves), and of questions left unknown."""
    report, tally = checker.report, checker.tally
    told, findings = report["summary"], report["findings"]
    mine = {
        "new": sum(f["status"] == "new" and f["severity"] != "note" for f in findings),
        "notes": sum(f["status"] == "new" and f["severity"] == "note" for f in findings),
        "expected": sum(f["status"] == "expected" for f in findings),
        "accepted": sum(f["status"] == "accepted" for f in findings),
        "vanished": len(report["vanished"]),
        "unused_accepts": len(report["unused_accepts"]),
    }
    tally.check("summary", all(told[name] == n for name, n in mine.items()), f"summary: {told}; the judge has {mine}")
    # what nobody asked for, and was given up, is no question left unknown
    unasked = [all(t.endswith("it would have taken too much") for t in a["limits"]) for a in report["answers"]]
    unknown = sum(a["verdict"] == "unknown" and not extra for a, extra in zip(report["answers"], unasked))
    verified = [scope.verify is not None for scope in checker.judge.scopes]
    given_up = sum(row["limited_boards"] > 0 for row, is_verified in zip(report["scopes"], verified) if is_verified)
    # where nothing that is asked is open, what else can happen on boards that were given up is (§10)
    unknown = unknown or given_up
    tally.check("summary", told["unknown"] == unknown, f"summary: {told['unknown']} unknown; the judge has {unknown}")


# Clauses and places ---------------------------------------------------------------------------------------


def site_at(checker, finding):
    """The statement, step, trigger or sequence at which something stops."""
    path = finding["cause"] if finding["code"] == "F0304" else finding["subject"]
    path = path.removeprefix("trigger ")
    return next((site for site in checker.spec.sites if site.path == path), None)


def rests_on(site):
    """The innermost clause; of a step or trigger, and of a statement in one with no clause around it, what it cites too."""
    own = set() if site.clause is None else {site.clause.id}
    if own and site.kind not in ("step", "trigger"):
        return own
    while site.parent is not None and site.kind not in ("step", "trigger"):
        site = site.parent
    return own | set(site.cites) if site.kind in ("step", "trigger") else own


def clauses_of(checker, finding):
    """Clauses are told as they are written; and those of readings, and of what stops, are the ones that are meant."""
    spec, tally, title = checker.spec, checker.tally, checker.title(finding)
    ids = [clause["id"] for clause in finding["clauses"]]
    for row in finding["clauses"]:
        clause = spec.clauses.get(row["id"])
        as_written = clause and (clause.document, clause.locator, clause.says or "")
        tally.check("clauses", as_written == (row["document"], row["locator"], row["says"]),
                    f"{title}: clause {row}; the judge has {as_written}")
    meant = None
    if finding["code"] in READINGS:
        meant = clauses_of_reading(spec, finding)
    elif finding["code"] in STOPS:
        site = site_at(checker, finding)
        meant = rests_on(site) if site is not None else None
    if meant is not None:
        tally.check("clauses", sorted(meant) == sorted(ids), f"{title}: rests on {ids}; the judge has {sorted(meant)}")


def clauses_of_reading(spec, finding):
    """What both alternatives cite, and the clause in which the reading stands."""
    reading = next((r for r in spec.readings if r.name == finding["subject"]), None)
    if reading is None:
        return None
    found = {reading.clause.id} if reading.clause else set()
    for name in finding["cause"].split(" | "):
        if name in reading.alternatives:
            found.update(reading.cites[reading.alternatives.index(name)])
    return found


def spans_of(checker, finding):
    """[(span, the name that stands in it or None)] of what has to be among the places of a finding."""
    spec, code = checker.spec, finding["code"]
    subject = finding["subject"].removeprefix("trigger ")
    sites = {site.path: site for site in spec.sites}
    if code in READINGS:
        found = [(r.span, r.name if r.kind == "declared" else None) for r in spec.readings if r.name == subject]
        return found
    if code in ("F0610", "F0611"):
        return [(claim.span, None) for claim in spec.claims if claim.name == subject]
    paths = [subject]
    if code == "F0304":
        paths = [finding["cause"].removeprefix("trigger ")]
    elif code in ("F0202", "F0204") and subject in spec.sequences:
        paths = [f"{subject}/{name}" for name in finding["cause"].split(" & ")]
    elif code not in (*STOPS, "F0201", "F0203", "F0602", "F0702", "F0703", "F0704"):
        return []
    if code in ("F0201", "F0203") and subject in spec.sequences:
        return []
    found = [sites[path] for path in paths if path in sites]
    return [(site.span, site.path.rpartition("/")[2] if site.kind in NAMED else None) for site in found]


def places_of(checker, finding):
    """The statement, claim or reading itself, or the name of the step, trigger or reading, is among the places."""
    tally, title = checker.tally, checker.title(finding)
    told = [(basename(p["file"]), p["line"], p["column"], p["end_line"], p["end_column"])
            for p in finding["places"] if p]  # a report may be judged elsewhere than it was made
    for span, name in spans_of(checker, finding):
        if name is None:
            good = (basename(span.file), *span[1:5]) in told
        else:
            good = any(file == basename(span.file) and line == span.line and words(span.file, line, *ends) == name
                       for file, line, *ends in told)
        tally.check("places", good, lambda: f"{title}: stands at {told}; the judge has {span[:5]} {name or ''}")


def words(file, line, column, end_line, end_column):
    """The text of a place in one line."""
    with open(file, encoding="utf-8") as text:
        lines = text.read().split("\n")
    return lines[line - 1][column - 1:end_column - 1] if line == end_line and line <= len(lines) else None


# No outcome meets it --------------------------------------------------------------------------------------


def everywhere(checker, finding):
    """`everywhere` just where the board has an outcome and at each of them the demand is not met (§9.1)."""
    judge, tally, title, spec = checker.judge, checker.tally, checker.title(finding), checker.spec
    witness = finding["witness"]
    demand = {"F0610": finding["subject"], "F0601": f"legal {finding['subject']}",
              "F0603": finding["cause"]}.get(finding["code"])
    if witness is None or not witness["runs"]:
        return
    if demand is None or witness["kind"] != "run":
        tally.check("everywhere", not witness["everywhere"], f"{title}: speaks of every outcome, and is no demand")
        return
    run = witness["runs"][0]
    scope = scope_of(checker, finding)
    if scope is None:
        tally.skip("everywhere")
        return
    board, machine = BoardText(spec, run["board"]), machine_of(checker, finding, scope)
    graph = Graph(spec, machine, machine.start(scope.sequence, board.data), assignment_of(spec, run), judge.budget)
    demands = judge.demands(scope)
    number = next((n for n, d in enumerate(demands) if d.name == demand), None)
    mine = False
    if number is not None and not graph.limited():
        answers = {bool(rows) and all(failed for _, failed in rows)
                   for _, rows in C.each_not_met(spec, demands[number:number + 1], graph)}
        mine = answers.pop() if len(answers) == 1 else None
    if mine is None:
        tally.skip("everywhere")
        return
    tally.check("everywhere", witness["everywhere"] == mine,
                f"{title}: everywhere: {witness['everywhere']}; the judge has {mine}")


# Scopes ---------------------------------------------------------------------------------------------------


def scopes(checker):
    spec, judge, tally = checker.spec, checker.judge, checker.tally
    rows = [row for row in checker.report["scopes"] if not row["subject"].startswith("the example ")]
    only = [condition.name for condition in spec.only]
    for row, (number, scope) in zip(rows, enumerate(judge.scopes)):
        name = row["subject"]
        conditions = only if scope.on is None else []
        tally.check("scope", row["only"] == conditions, f"{name}: only {row['only']}; the judge has {only}")
        where = scope.verify.where if scope.verify is not None else None
        where = None if where is None else where.text
        tally.check("scope", row["where"] == where, f"{name}: where {row['where']}; the judge has {where}")
        tally.check("scope", row["boards"] >= row["legal_boards"], f"{name}: more boards are legal than there are")
        readings(checker, row, number, scope)
        may_change(checker, row)
        if scope.on is not None:
            words = f" from the board \"{plain(scope.on.name)}\""
            tally.check("scope", name.endswith(words), f"{name}; the judge has{words}")
            tried = row["written_boards"] + row["written_boards_given_up"]
            tally.check("scope", tried == 0, f"{name}: other boards of the file are tried")
    for sequence in {scope.sequence.name for scope in judge.scopes if scope.on is None}:
        told = sum(row["written_boards"] + row["written_boards_given_up"]
                   for row, scope in zip(rows, judge.scopes) if scope.on is None and scope.sequence.name == sequence)
        mine = written(checker, sequence)
        tally.check("scope", told == mine, f"{sequence}: {told} boards of the file; the judge has {mine}")


def readings(checker, row, number, scope):
    """At least the most combinations of readings that the runs from one board consult; what is asked can consult more."""
    judge, tally = checker.judge, checker.tally
    if judge.unknown[number] or row["limits"]:
        tally.skip("scope")
        return
    most = max((len(judge.graphs(scope, orbit)) for orbit in judge.orbits[number]), default=0)
    tally.check("scope", row["readings"] >= most,
                f"{row['subject']}: {row['readings']} readings; the judge has {most} or more")


def may_change(checker, row):
    """Of what a gap or a contract may change, the values that are explored are told where there are others."""
    spec, tally = checker.spec, checker.tally
    places = {p.full_name: p for p in (*spec.variables, *(f for sort in spec.sorts for f in sort.fields))}
    for told in row["may_change"]:
        place = places.get(told["place"])
        good = place is not None and place.explored == (told["smallest"], told["largest"]) != place.document
        tally.check("scope", good, f"{row['subject']}: may change {told}; the judge has {place and place.explored}")


def written(checker, sequence):
    """On how many legal boards of the file the claims about a sequence were tried as well, or begun to be (§9)."""
    spec, judge = checker.spec, checker.judge
    boards = {board.data for board in [*spec.boards.values(), *(e.board for e in spec.examples)]}
    boards = [data for data in boards if judge.allowed(data) and judge.starts(data) and judge.legal(data)]
    return len(boards) if any(
        claim.on is None and claim.sequence.name == sequence for claim in spec.claims) else 0


# Idle -----------------------------------------------------------------------------------------------------


def idle_steps(checker):
    """What is idle is executed (§7)."""
    tally, totals = checker.tally, checker.judge.totals
    if any(checker.judge.unknown):
        tally.skip("idle")
        return
    dead = {f["subject"] for f in checker.report["findings"] if f["code"] == "F0703"}
    done = {step.site.path for step in totals.steps}
    for finding in checker.report["findings"]:
        if finding["code"] == "F0704":
            subject = finding["subject"]
            tally.check("idle", subject in done and subject not in dead, f"F0704 {subject}: no run comes to it")


__all__ = ["stated"]
