"""How small the board of a finding is, beside others of its scope that show it (docs/semantics.md §10, basis)."""

from __future__ import annotations

from .counts import given_up
from .witness import entity_count


def minimality(checker, finding, board, keys):
    """`exact`, `plainest` or `best effort`, whatever the basis of a smaller board's runs would be."""
    judge, tally, title = checker.judge, checker.tally, checker.title(finding)
    told, scope = finding["minimality"], finding["scope"]
    if finding["suggested"] or finding["written"]:
        tally.check("minimal", told == "best effort", f"{title}: {told}, and its board is none of the scope")
        return
    if scope is None or scope >= len(judge.scopes):
        tally.skip("minimal")
        return
    shown = set().union(*(judge.shown[k].boards.get(scope, ()) for k in keys if k in judge.shown))
    sizes = {n: entity_count(orbit.data) for n, orbit in enumerate(judge.orbits[scope])}
    mine = entity_count(board.data)
    fewest = min((sizes[n] for n in shown), default=mine)
    open_ = [n for n in given_up(checker, finding, scope) if sizes[n] < mine]
    if told == "exact":
        tally.check("minimal", mine <= fewest, f"{title}: {mine} entities; the judge has a board with {fewest}")
        tally.check("minimal", not open_, f"{title}: exact, and {len(open_)} smaller boards were given up")
    elif told == "plainest":
        tally.check("minimal", fewest < mine, f"{title}: plainest, and no smaller board shows it")
    else:
        tally.check("minimal", bool(open_), f"{title}: {told}, and no smaller board was given up")
