"""What runs execute that begin on no board of a scope, or where others end (docs/semantics.md, §7, "Dead"): those from
boards of the file that claims are asked of, and those with which claims compare."""

from __future__ import annotations

from . import claims as C
from .facts import Totals
from .graph import TooLarge, leaves


def executed_beyond(checker):
    """(paths of what these runs execute, whether that is all that is executed beyond the scopes and examples)."""
    judge, report = checker.judge, checker.report
    totals = Totals()
    sure = not any(verify.contracts for verify in checker.spec.verifies)
    if report["suggested_boards"]:
        sure = False  # the prover suggests boards, of which only those are told that show something
    if any(row["limits"] for row in report["scopes"] if row["subject"].startswith("the example ")):
        sure = False  # more may be executed in runs of an example that were given up
    for scope in judge.scopes:
        for data, graphs in boards_in_file(checker, scope):
            if graphs is None:
                sure = False
                continue
            for claim in scope.claims:
                sure = compared(checker, scope, claim, data, graphs, totals) and sure
        for claim in scope.claims:
            if claim.form == "idempotent":
                for orbit in judge.orbits[judge.scopes.index(scope)]:
                    sure = again(checker, scope, claim, graphs_of(checker, scope, orbit), totals) and sure
    return {site.path for site in totals.executed}, sure


def graphs_of(checker, scope, orbit):
    try:
        return checker.judge.graphs(scope, orbit)
    except TooLarge:
        return None


def boards_in_file(checker, scope):
    """(data, graphs of the runs or None if these are too many) of each legal board of the file."""
    spec, judge = checker.spec, checker.judge
    for data in {board.data for board in (*spec.boards.values(), *(e.board for e in spec.examples))}:
        if not scope.claims or not (judge.allowed(data) and judge.starts(data) and judge.legal(data)):
            continue
        for wide in (False, True):  # the bounds of exploration do not count
            machine = judge.machine(scope.contracts, wide=wide)
            try:
                start = machine.start(scope.sequence, data)
                graphs = leaves(spec, machine, start, judge.budget, judge.legal_under(data))
            except TooLarge:
                graphs = None
            if graphs is None or not any(graph.limited() for graph in graphs):
                break
        yield data, graphs


def compared(checker, scope, claim, data, graphs, totals):
    """The runs from a board of which a claim is asked, and those with which it compares; whether all were visited."""
    spec, judge, sure = checker.spec, checker.judge, True
    asked = [graph for graph in graphs if C.meets(spec, claim.where, data, graph.assignment)]
    for graph in asked:
        scope.seen(graph, totals, claim.sequence)
        sure = sure and not graph.limited()
    if asked and claim.form == "equivalent":
        machine = asked[0].machine
        try:
            start = machine.start(claim.other, data)
            for graph in leaves(spec, machine, start, judge.budget, judge.legal_under(data)):
                scope.seen(graph, totals, claim.other)
                sure = sure and not graph.limited()
        except TooLarge:
            return False
    if claim.form == "idempotent":
        return again(checker, scope, claim, asked, totals) and sure
    return sure


def again(checker, scope, claim, graphs, totals):
    """The second runs of `idempotent`; whether all were visited."""
    if graphs is None:
        return False
    sure = True
    for graph in graphs:
        machine, starts = graph.machine, set()
        if claim.step is None:
            starts = {machine.start(claim.sequence, end.data) for _, end in graph.ends() if end.tag == ("end",)}
        else:
            starts = {machine.start_step(step, data, local) for step, place, local, data in C.step_ends(graph)
                      if step is claim.step and not C.gone(data, place)}
        for state in starts:
            try:
                for second in leaves(checker.spec, machine, state, checker.judge.budget, graph.assignment):
                    scope.seen(second, totals, claim.sequence)
                    sure = sure and not second.limited()
            except TooLarge:
                return False
    return sure


__all__ = ["executed_beyond"]
