"""On which clauses it rests what changes on the runs shown (docs/semantics.md §11, what changes rests on)."""

from __future__ import annotations

import re

from .names import plain
from .stated import rests_on

TOLD = re.compile(r"What changes there rests on (?:no clause|clauses? (?P<ids>[^;]+?))(?P<rest>; .*?)?\.(?= |$)")
HOLDER = re.compile(r"(?P<some>some of )?what the (?P<kind>step|trigger) \"(?P<name>[^\"]*)\"(?: of (?P<of>[^ ,;]+))? changes\b")
SEVERAL = ("simultaneously",)
SLOW = ("announce", "distribute")  # several small steps, of which the first alone says what is executed


def changing(replay):
    """The statements that change something, and whether it is known of each change which one does."""
    found, known, last = [], True, None
    data = [state.data for state in replay.path] + ([replay.end.data] if replay.end is not None else [])
    for n, events in enumerate(replay.events):
        sites = [e[1] for e in events if e[0] == "executed"]
        last = sites[-1] if sites else last
        if n + 1 >= len(data) or data[n] == data[n + 1]:
            continue
        if not sites:  # a statement that takes several small steps
            site = replay.path[n].control[-1].frames[-1][0].site
            if site is None and last is not None and last.kind in SLOW:
                site = last  # what reacts is put into a queue one by one, what is distributed is chosen piece by piece
            sites = [] if site is None else [site]
        known = known and len(sites) == 1 and sites[0].kind not in SEVERAL
        found += sites
    return found, known


def around(site):
    """What the sequence around cites as a whole."""
    while site.parent is not None:
        site = site.parent
    return set(site.cites) if site.kind == "sequence" else set()


def holder(site):
    """The step or trigger around a statement, as it is told: (kind, name, sequence); None outside of both."""
    while site is not None and site.kind not in ("step", "trigger"):
        site = site.parent
    if site is None:
        return None
    name = plain(site.path.rpartition("/")[2].removeprefix("trigger "))
    return (site.kind, name, plain(site.path.split("/")[0]) if site.kind == "step" else None)


def rests_told(checker, finding, replays):
    """Clauses that are told are those of statements that change something; and what rests on none is told."""
    tally, title = checker.tally, checker.title(finding)
    text = finding["text"]
    if "What changes there" not in text or finding["witness"]["kind"] == "again":
        return
    told = TOLD.search(text)
    if told is None:
        tally.check("rests on", False, f"{title}: {text!r} cannot be read")
        return
    sites, known = [], all(run["outcome"] != "stopped" for run in finding["witness"]["runs"])
    for replay in replays:
        some, sure = changing(replay)
        sites += some
        known = known and sure
    rows = [(site, rests_on(site) or around(site), holder(site)) for site in sites]
    ids = set(re.split(r", | and ", told["ids"] or "")) - {""}
    mine = set().union(*(clauses for _, clauses, _ in rows))
    tally.check("rests on", ids == mine if known else ids <= mine, f"{title}: {told[0]!r}; the judge has {sorted(mine)}")
    named = {(m["kind"], m["name"], m["of"]): bool(m["some"]) for m in HOLDER.finditer(told["rest"] or "")}
    for (kind, name, of), some in named.items():
        own = [clauses for _, clauses, who in rows if who and who[:2] == (kind, name) and of in (None, who[2])]
        without = sum(not clauses for clauses in own)
        good = not known or (0 < without < len(own) if some else 0 < without == len(own))
        tally.check("rests on", good, f"{title}: {told[0]!r}: of {len(own)} changes of {name} {without} rest on no clause")
    for site, clauses, who in rows if known and ids else ():
        if not clauses and who is not None:
            good = any(who[:2] == one[:2] and one[2] in (None, who[2]) for one in named)
            tally.check("rests on", good, f"{title}: {told[0]!r}: what {who} changes rests on no clause")


__all__ = ["rests_told"]
