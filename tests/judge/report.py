"""Holds a report of `endstep check --format json` against what the judge finds by itself."""

from __future__ import annotations

from collections import Counter

from . import boards as B
from . import counts as C
from .conditions import Conditions, readings_statement, true_on
from .graph import TooLarge
from .model import SpecError
from .tried import restricted

LOOPS = ("F0501", "F0502", "F0503", "F0504")
DIRECT = ("F0301", "F0302", "F0303", "F0304", "F0306", "F0401", "F0402", "F0403", "F0404", "F0406", "F0405",
          "F0601", "F0602", "F0603", "F0604", "F0203")


# What has to be understood wherever it stands: words of these kinds that cannot be read are wrong.
UNDERSTOOD = frozenset((
    "board words", "claim words", "demand words", "readings in words", "ways in words", "ends in words", "can end in words", "power in words",
    "list in words", "fixed order", "values in words", "equivalent in words", "changes",
))


class Tally:
    """Statements by kind: how many agree, how many do not, and how many were not looked at."""

    def __init__(self):
        self.agreed = Counter()
        self.wrong = []
        self.skipped = Counter()

    def check(self, kind, good, words):
        if good:
            self.agreed[kind] += 1
        else:
            self.wrong.append((kind, words() if callable(words) else words))

    def skip(self, kind, why=""):
        if kind in UNDERSTOOD:
            self.wrong.append((kind, f"{why}: it cannot be read, or not be compared"))
        else:
            self.skipped[kind] += 1

    def merge(self, other):
        self.agreed.update(other.agreed)
        self.wrong.extend(other.wrong)
        self.skipped.update(other.skipped)


class Checker:
    def __init__(self, judge, report, tally=None, quick=True):
        self.judge = judge
        self.quick = quick
        self.spec = judge.spec
        self.report = report
        self.tally = tally or Tally()
        self.by_print = {f["fingerprint"]: f for f in report["findings"]}
        self.gap_paths = {}
        self.digests = []  # (finding, digest, boards), of all scopes in which something is found
        self.compiled = None
        self._legal = {}  # numbers of legal boards, by scope
        for site in self.spec.sites:
            name = getattr(site, "gap", None)
            if name:
                self.gap_paths.setdefault(name, []).append(site.path)

    # Keys -------------------------------------------------------------------------------------------

    def keys(self, finding):
        """The facts that a finding is about; None if the judge has no such fact."""
        code, subject, cause = finding["code"], finding["subject"], finding["cause"]
        subject = subject.removeprefix("trigger ")
        cause = cause.removeprefix("trigger ")
        if code in DIRECT:
            return [(code, subject, cause)]
        if code in ("F0201", "F0202"):
            return [("blame", subject, cause)]
        if code == "F0204":
            return [("same gap", subject, cause)]
        if code in LOOPS:
            return [(code, subject, None)]
        if code == "F0305":
            return [("F0305", path, "") for path in self.gap_paths.get(subject, [subject])]
        if code == "F0701":
            return [(code, subject, "")]
        if code in ("F0610", "F0611"):
            return [(code, subject, "")]
        return None

    def title(self, finding):
        return " ".join(x for x in (finding["code"], finding["subject"], finding["cause"] and "| " + finding["cause"]) if x)

    def shown(self, keys):
        """{scope: boards} and assignments of several facts together."""
        boards, assignments = {}, {}
        for key in keys:
            shown = self.judge.shown.get(key)
            if shown:
                for scope, some in shown.boards.items():
                    boards.setdefault(scope, set()).update(some)
                for scope, some in shown.assignments.items():
                    assignments.setdefault(scope, []).extend(some)
        return boards, assignments

    def legal_count(self, scope):
        where = self.judge.scopes[scope].verify and self.judge.scopes[scope].verify.where

        def is_one(orbit):
            assignments = B.legal_assignments(self.spec, orbit.data, where)
            return any(B.judge_board(self.spec, orbit.data, where, a) == "legal" for a in assignments)

        if scope not in self._legal:
            orbits = self.judge.orbits[scope]
            self._legal[scope] = sum(orbit.status == "legal" or is_one(orbit) for orbit in orbits)
        return self._legal[scope]

    # All --------------------------------------------------------------------------------------------

    def run(self):
        self.faults()
        self.scopes()
        from .verdicts import answers, completeness, global_findings
        from .causes import causes
        from .clauses import clauses
        from .examine import examine
        from .described import described
        from .figures import figures
        from .headings import headings
        from .paragraphs import paragraphs
        from .sentences import sentences
        from .stated import stated

        for words in self.judge.disagreements:
            self.tally.check("numbering", False, words)
        answers(self)
        for finding in self.report["findings"]:
            self.finding(finding)
            C.sentence(self, finding)
            C.at_least(self, finding)
            try:
                examine(self, finding)
            except TooLarge:
                self.tally.skip("witness")
        completeness(self)
        clauses(self)
        C.digests(self)
        causes(self)
        stated(self)
        described(self)
        figures(self)
        paragraphs(self)
        sentences(self)
        headings(self)
        global_findings(self)
        return self.tally

    def faults(self):
        """Where the report says that something is a fault of Endstep, it is one."""
        for row in [*self.report["scopes"], *self.report["answers"]]:
            for text in row["limits"]:
                self.tally.check("fault", "a fault of Endstep" not in text, f"{row['subject']}: {text}")

    def scopes(self):
        """Numbers of legal boards, and of boards whose runs were given up."""
        rows = [s for s in self.report["scopes"] if not s["subject"].startswith("the example ")]
        for row in rows:
            if any("no board" not in text and "were given up because they left" not in text and "has to be evaluated" not in text
                   for text in row["limits"]):
                raise TooLarge(f"the report met a limit: {row['limits'][0]}")
        for row, (number, scope) in zip(rows, enumerate(self.judge.scopes)):
            legal = self.legal_count(number)
            self.tally.check("legal boards", row["legal_boards"] == legal,
                             lambda: f"{row['subject']}: {row['legal_boards']} legal boards; the judge has {legal}")
            values, sizes = self.explored(scope)
            told = {(v["place"], v["smallest"], v["largest"]) for v in row["values"]}
            self.tally.check("explored", told == values, lambda: (
                f"{row['subject']}: explored {sorted(told - values)}; the judge has {sorted(values - told)}"))
            told = {(v["sort"], v["smallest"], v["largest"]) for v in row["sizes"]}
            self.tally.check("explored", told == sizes, lambda: (
                f"{row['subject']}: explored {sorted(told - sizes)}; the judge has {sorted(sizes - told)}"))
            gone = len(self.judge.limited[number])
            self.tally.check("limited boards", row["limited_boards"] == gone,
                             lambda: f"{row['subject']}: {row['limited_boards']} limited boards; the judge has {gone}")
        self.tally.check("scopes", len(rows) == len(self.judge.scopes),
                         f"{len(rows)} scopes; the judge has {len(self.judge.scopes)}")

    def explored(self, scope):
        """{(integer, smallest, largest)} and {(sort, smallest, largest)} of what boards of a scope have."""
        spec = self.spec
        if scope.on is not None:
            return set(), {(s.name, *2 * (len(scope.on.data.entities[s.index]),)) for s in spec.sorts}
        given = scope.verify.sizes if scope.verify is not None else {}
        concern = spec.spoken.concern(spec, scope.sequence)
        most = {s.name: s.explored[s.index in concern.sorts] for s in spec.sorts}
        sizes = {(s.name, s.explored[0], given.get(s.name, most[s.name])) for s in spec.sorts}
        some = {name for name, _, largest in sizes if largest}  # of sorts that no board has, there are no values
        places = [*spec.variables, *(f for sort in spec.sorts if sort.name in some for f in sort.fields)]
        places = [p for p in places if p in concern.places and p.type.kind == "integer" and not p.has_starts]
        return {(p.full_name, *p.explored) for p in places}, sizes

    # Findings ---------------------------------------------------------------------------------------

    def finding(self, finding):
        tally, title = self.tally, self.title(finding)
        if finding["suggested"] or finding["verdict"] in ("by inspection", "holds in scope"):
            return
        left_out = restricted(self, finding)
        if "under every reading" in finding["readings"]:
            tally.check("readings", finding["readings"].endswith(" that was tried") == left_out, lambda: (
                f"{title}: {finding['readings']!r}; boards were {'' if left_out else 'not '}left out under some"))
        tally.check("readings", not left_out or not finding["readings"].startswith("only if"), lambda: (
            f"{title}: {finding['readings']!r}; boards were left out under others"))
        code = finding["code"]
        keys = self.keys(finding)
        if keys is None:
            if code not in ("F0612", "F0702", "F0703", "F0704"):
                tally.skip("found")
            return
        if finding["witness"] is None and finding["verdict"] == "refuted":
            return  # nothing in scope: see the answers
        boards, assignments = self.shown(keys)
        if any((k[0], k[1]) in self.judge.unsure for k in keys):
            tally.skip("found")
            return
        if code == "F0204":  # of steps that are to blame for another difference, nothing is told of these (§7)
            tally.check("same gap", ("blame", *keys[0][1:]) not in self.judge.shown, lambda: (
                f"{title}: they are to blame for another difference"))
        in_file = not boards and self.judge.in_file(keys)
        if not boards and not in_file and self.judge.may_be_in_file(keys):
            tally.skip("found")
            return
        tally.check("found", bool(boards) or in_file, f"{title}: the judge does not find it on any board")
        if not boards:
            return
        choice = None
        if len(self.alike(finding)) > 1:  # several loops of a class: which cycle is whose is not judged
            tally.check("boards", finding["boards"] <= sum(map(len, boards.values())), lambda: (
                f"{title}: on {finding['boards']} boards; the judge has fewer"))
            return
        C.counted(self, finding, boards)
        if finding["legal_boards"] is None:
            tally.skip("boards")
        else:
            choice = self.matching(finding, boards)
            tally.check("boards", choice is not None, lambda: (
                f"{title}: on {finding['boards']} of {finding['legal_boards']} boards; the judge has "
                + " + ".join(f"{len(b)} of {self.legal_count(s)}" for s, b in sorted(boards.items()))))
            C.counts(self, finding, choice)
            self.conditions(finding, choice or sorted(boards.items())[:1])
        some = [a for scope in assignments for a in assignments[scope]]
        some += self.judge.assignments_in_file(keys)
        wrong = readings_statement(self.spec, finding["readings"], some)
        if isinstance(wrong, tuple):
            tally.skip("readings")
        else:
            tally.check("readings", wrong is None, lambda: f"{title}: {wrong}")

    def alike(self, finding):
        """The findings of the report that the judge does not tell apart from this one."""
        keys = self.keys(finding)
        return [f for f in self.report["findings"] if f["code"] in LOOPS and self.keys(f) == keys]

    def matching(self, finding, boards):
        """The scopes of which the numbers of boards are told: one, or all in which it is found or asked."""
        numbers = (finding["boards"], finding["legal_boards"])
        told = finding["scope"]
        if told in boards and finding["witness"]:
            good = (len(boards[told]), self.legal_count(told)) == numbers
            return [(told, boards[told])] if good else None
        for scope, some in sorted(boards.items()):
            if (len(some), self.legal_count(scope)) == numbers:
                return [(scope, some)]
        for group in (sorted(boards), self.same_sequence(boards)):
            total = sum(len(boards.get(s, ())) for s in group), sum(self.legal_count(s) for s in group)
            if total == numbers:
                return [(s, boards.get(s, set())) for s in group]
            data = [{self.judge.orbits[s][n].data for n in boards.get(s, ())} for s in group]
            legal = [{o.data for o in self.judge.orbits[s]} for s in group]
            if (len(set().union(*data)), len(set().union(*legal))) == numbers:
                return [(s, boards.get(s, set())) for s in group]
        return None

    def same_sequence(self, boards):
        names = {self.judge.scopes[s].sequence.name for s in boards}
        return [n for n, s in enumerate(self.judge.scopes) if s.sequence.name in names]

    def conditions_about(self, text, sort):
        self.compiled = self.compiled or Conditions(self.spec.path)
        return self.compiled.about(text, sort)

    # Conditions on boards ---------------------------------------------------------------------------

    def conditions(self, finding, choice):
        occurs = finding["occurs"]
        tally, title = self.tally, self.title(finding)
        if occurs is None:
            return
        judge = self.judge
        found, legal = {}, {}
        for scope, some in choice:
            for n, orbit in enumerate(judge.orbits[scope]):
                legal[orbit.data] = orbit
                if n in some:
                    found[orbit.data] = orbit
        true = {}
        for name in ("only", "always"):
            part = occurs[name]
            if part is None:
                continue
            try:
                self.compiled = self.compiled or Conditions(self.spec.path)
                expression = self.compiled.compile(part["when"])
                true[name] = {data for data in legal if true_on(self.spec, expression, data)}
            except SpecError as error:
                tally.check("condition", False, f"{title}: {name}: {part['when']}: {error}")
                continue
            count = len(true[name])
            tally.check("condition boards", part["boards"] == count, lambda: (
                f"{title}: {name}: `{part['when']}` is true of {part['boards']} boards; the judge has {count}"))
        if "only" in true:
            missing = set(found) - true["only"]
            tally.check("condition", not missing, lambda: (
                f"{title}: only: `{occurs['only']['when']}` is false of {len(missing)} boards on which it occurs"))
        if finding["boards_at_least"]:
            return
        if "always" in true:
            more = true["always"] - set(found)
            tally.check("condition", not more, lambda: (
                f"{title}: always: `{occurs['always']['when']}` is true of {len(more)} boards on which it does not occur"))
        if occurs["exact"] and "only" in true:
            more = true["only"] - set(found)
            tally.check("condition exact", not more and occurs["only"] == occurs["always"], lambda: (
                f"{title}: exact: `{occurs['only']['when']}` is true of {len(more)} other boards"))
