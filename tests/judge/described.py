"""Conditions that a report tells in words: on which boards a finding occurs, and what is claimed, demanded and promised.

The words are read by `words.py`, compiled, and compared with the condition that the report or the specification has, on
boards of the scopes, on moments of runs, and on others nearby that no scope has: a word such as "at least" that stands
for "more than" shows where the two differ.
"""

from __future__ import annotations

import re
from copy import copy

from . import claims as C
from . import lexer, parse_items
from .conditions import Conditions
from .counts import uncompared
from .evaluate import Compiler, Scope
from .model import STRIDE, SpecError
from .names import plain
from .nearby import nearby, with_numbers
from .words import Words

BUT = ", as far as it was seen: some boards were given up"
COMPARED = ", as far as they were compared"
EXACT = re.compile(r"just those on which (?P<only>.+)")
SOME = re.compile(r"some of the (?P<n>\d+) on which (?P<only>.+?)(?:; among them all of the (?P<m>\d+) on which (?P<always>.+))?")
NOWHERE = "nowhere"
ALL = re.compile(r"all of the (?P<m>\d+) on which (?P<always>.+)")


class Described:
    """Reads and compares conditions of one specification."""

    def __init__(self, checker):
        self.spec = checker.spec
        self.judge = checker.judge
        checker.compiled = checker.compiled or Conditions(checker.spec.path)
        self.world = checker.compiled.world
        self.compiler = Compiler(self.world)
        self.words = Words(self.spec)
        self.words.add_declared(self.world)
        self.known, self.boards, self.compared = {}, None, {}
        self.entities, self.of_boards = {}, {}

    def of(self, board):
        """The same for conditions that name what lies on a board; `board` may be None."""
        if board is None:
            return self
        if board not in self.of_boards:
            other = self.of_boards[board] = copy(self)
            other.known, other.compared = {}, {}
            other.words = Words(self.spec)
            other.words.add_declared(self.world)
            other.words.names.update((plain(name), name) for name in board.names)
            other.entities = {name: (i, next(s for s in self.world.spec.sorts if s.base <= i < s.base + STRIDE))
                              for name, i in board.names.items()}
            many = [len(row) for row in board.data.entities]
            other.boards = [board.data] + [
                data for data in nearby(self.judge) if [len(row) for row in data.entities] == many]
        return self.of_boards[board]

    def compile(self, text, type_=None):
        """The expression of a text in the language; None if it is none."""
        if text not in self.known:
            try:
                lines = lexer.lines_of(f"legal judged: {text}\n", "<words>", 10**6)
                tree = parse_items.file(lines)[0].condition
                self.known[text] = self.compiler.expression(tree, Scope(entities=self.entities))
            except (SpecError, RecursionError, AttributeError, KeyError):
                self.known[text] = None
        return self.known[text]

    def same(self, words, expression, numbers):
        """Whether words say what an expression does: True or False; None if they are not understood, NOWHERE if there is
        nothing to compare them on."""
        key = (words, numbers, id(expression))
        if key not in self.compared:
            self.compared[key] = self._same(words, expression, numbers)
        return self.compared[key]

    def _same(self, words, expression, numbers):
        texts = self.words.read(words) if not numbers else list(self.words.values(words, {}))
        read = [e for e in map(self.compile, texts) if e is not None and e.type.kind == expression.type.kind]
        if not read:
            return None
        if self.boards is None:
            self.boards = nearby(self.judge)
        if not self.boards:
            return NOWHERE
        constants = {int(n) for n in re.findall(r"\d+", words + " " + (expression.text or ""))}
        boards = self.boards + with_numbers(self.spec, self.boards, constants)
        try:
            return any(self.agree(one, expression, boards) for one in read)
        except IndexError:  # it is compiled for where something is bound around it
            return NOWHERE

    def agree(self, one, two, boards):
        try:
            for n, data in enumerate(boards):
                old = boards[(n * 7 + 1) % len(boards)]
                first, second = (C.under(self.spec, e, data, {}, old) for e in (one, two))
                for v, a in first:
                    for w, b in second:
                        if v != w and all(b.get(r, k) == k for r, k in a.items()):
                            return False
        except C.Unknown:
            pass
        return True


# On which boards ------------------------------------------------------------------------------------------


def occurs_words(checker, finding, described):
    """The words about boards say what the conditions beside them do, with their numbers of boards."""
    occurs, tally = finding["occurs"], checker.tally
    title = checker.title(finding)
    if occurs is None or not occurs["words"]:
        return
    only, always = occurs["only"], occurs["always"]
    words = occurs["words"].removesuffix(COMPARED)
    if not finding["boards_at_least"]:
        tally.check("board words", (words != occurs["words"]) == (uncompared(checker, finding) > 0), (
            f"{title}: {occurs['words']!r}: {uncompared(checker, finding)} boards were not compared"))
    words = words.removesuffix(BUT)
    if occurs["words"].endswith(BUT):
        tally.check("board words", bool(finding["boards_at_least"]) or given_up(checker, finding), (
            f"{title}: {occurs['words']!r}: no boards were given up"))
    if words == "no short description was found":
        tally.check("board words", only is None and always is None, f"{title}: a description was found")
        return
    found = EXACT.fullmatch(words) or SOME.fullmatch(words) or ALL.fullmatch(words)
    if found is None:
        tally.check("board words", False, f"{title}: {words!r} is not understood")
        return
    row = found.groupdict()
    if found.re is EXACT:
        tally.check("board words", occurs["exact"], f"{title}: {words!r}, and it is not exact")
        row = {**row, "always": row["only"]}
    else:
        tally.check("board words", not occurs["exact"], f"{title}: {words!r}, and it is exact")
    for part, number, name in ((only, "n", "only"), (always, "m", "always")):
        told = row.get(name)
        if told is None or part is None:
            tally.check("board words", told is None and (part is None or found.re is ALL or name == "always"),
                        f"{title}: {words!r}: {name}: {part}")
            continue
        if row.get(number) is not None:
            tally.check("board words", int(row[number]) == part["boards"],
                        f"{title}: {words!r}: {name} is true of {part['boards']} boards")
        compare(checker, described, title, "board words", told, described.compile(part["when"]), part["when"])


def given_up(checker, finding):
    scope = finding["scope"]
    judge = checker.judge
    return scope is None or scope >= len(judge.scopes) or bool(
        judge.limited[scope] | judge.unknown[scope]) or any(row["given_up"] for row in checker.report["scopes"])


def compare(checker, described, title, kind, words, expression, source, numbers=False):
    same = None if expression is None else described.same(words, expression, numbers)
    if words.startswith("`"):
        same = "".join(words.strip("`").split()) == "".join(source.split())
    if same == NOWHERE:
        checker.tally.skip("words that are compared nowhere")
    elif same is None:
        checker.tally.skip(kind, f"{title}: {words!r} of `{source}`")
    else:
        checker.tally.check(kind, same, f"{title}: {words!r} is said of `{source}`")


# What is claimed, demanded and promised ---------------------------------------------------------------------


ONLY_ENDS = "; only where it ends counts here"


def sentence_end(text):
    """Where a sentence ends: at the first full stop outside of quotation marks, backquotes and brackets."""
    quote, deep = "", 0
    for n, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "`\"":
            quote = c
        elif c == "(":
            deep += 1
        elif c == ")":
            deep -= 1
            if deep < 0:
                return n
        elif c == "." and not deep and (n + 1 == len(text) or text[n + 1] == " "):
            return n
    return len(text)


def forms(claim):
    """(what a sentence of a claim begins with, what its condition is)."""
    name = claim.sequence.name.replace("_", " ")
    if claim.form == "must":
        return [f"after {name}, "]
    if claim.form == "invariant":
        return {"end": [f"at the end of {name}, "], "steps": [f"before {name}, after each of its steps and where it ends, "],
                "throughout": [f"throughout {name}, "]}[claim.moment]
    if claim.form == "reachable" and claim.moment == "end":
        return [f"it can be that after {name} "]
    if claim.form == "reachable":
        return [f"in {name} it can happen that "]
    if claim.form == "unreachable":
        return [f"in {name} it cannot happen that "]
    if claim.form == "conserves":
        return [f"throughout {name}, "]
    if claim.form == "terminates":
        return [f"every run of {name} ends, unless players or chance keep it going"]
    if claim.form == "equivalent":
        return [f"{name} and {claim.other.name.replace('_', ' ')} come to the same"]
    where = name if claim.step is None else f"the step \"{claim.step.name.replace('_', ' ')}\""
    if claim.form == "idempotent":
        return [f"doing {where}", f"doing {where} of {name}"]
    return [f"in {where}", f"in {where} of {name}"]


def claim_words(checker, described, title, claim, sentence):
    """The sentence of a claim says what is claimed, when, of which sequence and under which condition."""
    tally = checker.tally
    kind = "claim words"
    text = sentence.strip()
    text = text[0].lower() + text[1:]
    if text.startswith("`") or commented(checker, sentence):
        return
    described = described.of(claim.on)
    if claim.on is not None:
        there = f'on the board "{plain(claim.on.name)}": '
        tally.check(kind, text.startswith(there), f"{title}: {sentence!r}: on which board")
        text = text.removeprefix(there)
    observed = re.search(r"; what counts is what .+$", text)
    if observed:
        text = text[: observed.start()]
    tally.check(kind, bool(observed) == (claim.observer is not None), f"{title}: {sentence!r}: who observes")
    conditional = re.match(r"if at the start (.+?): (?=after |it can be that |every |\w[\w ]* and )", text)
    if claim.where is not None and conditional is None or claim.where is None and conditional:
        tally.check(kind, False, f"{title}: {sentence!r}: the condition")
        return
    if conditional:
        compare(checker, described, title, kind, conditional[1], claim.where, claim.where.text)
        text = text[conditional.end():]
    begun = [b for b in forms(claim) if text.lower().startswith(b.lower())]
    tally.check(kind, bool(begun), f"{title}: {sentence!r} is said of `{claim.form}`")
    if not begun or claim.expression is None:
        return
    rest = text[max(map(len, begun)):]
    if claim.form == "conserves":
        tally.check(kind, rest.endswith(" stays the same"), f"{title}: {sentence!r}")
        rest = rest.removesuffix(" stays the same")
        numbers = not rest.startswith("whether ")
        compare(checker, described, title, kind, rest.removeprefix("whether "), claim.expression, claim.expression.text, numbers)
    else:
        compare(checker, described, title, kind, rest, claim.expression, claim.expression.text)


def commented(checker, sentence):
    """Whether the author has put it so: in the comment above a claim, or in what its clause says."""
    if any(sentence in (clause.says or "") for clause in checker.spec.clauses.values()):
        return True
    for path in checker.spec.files:
        with open(path, encoding="utf-8") as file:
            if any(line.strip().startswith("--") and sentence in line for line in file):
                return True
    return False


CLAIMED = re.compile(r"(?:The document is said to claim this: |The author asks whether this is true: |"
                     r"This was taken to claim: )")


def claimed(checker, finding, described):
    """What a paragraph says of a claim, of legality, and of what a step or contract promises."""
    spec, text, title = checker.spec, finding["text"], checker.title(finding)
    code = finding["code"]
    claims = {c.name: c for c in spec.claims}
    if code in ("F0610", "F0611", "F0613"):
        begun = CLAIMED.search(text)
        if begun and finding["subject"] in claims:
            rest = text[begun.end():]
            claim_words(checker, described, title, claims[finding["subject"]], rest[: sentence_end(rest)])
    elif code == "F0405":
        for name in finding["cause"].split(" + "):
            begun = text.find(f"({name}: ")
            if begun < 0:
                continue
            rest = text[begun + len(name) + 3:]
            told, claim = rest[: sentence_end(rest)], claims.get(name)
            wide = claim is not None and claim.form == "invariant" and claim.moment != "end"
            checker.tally.check("demand words", told.endswith(ONLY_ENDS) == wide, f"{title}: {name}: {told!r}")
            demand_words(checker, described, title, finding, name, told.removesuffix(ONLY_ENDS))
    elif code == "F0601":
        begun = text.find(f"\"{finding['subject'].replace('_', ' ')}\" (")
        if begun >= 0:
            rest = text[text.index("(", begun) + 1:]
            demand_words(checker, described, title, finding, "legal " + finding["subject"], rest[: sentence_end(rest)])
    elif code in ("F0602", "F0603"):
        begun = re.search(r"this should hold, and it does not: |does not keep it: ", text)
        if begun:
            rest = text[begun.end():]
            demand_words(checker, described, title, finding, finding["cause"], rest[: sentence_end(rest)])


def demand_words(checker, described, title, finding, name, words):
    expression = demanded(checker.spec, finding, name)
    claim = next((c for c in checker.spec.claims if c.name == name), None)
    if claim is not None and expression is None:
        claim_words(checker, described, title, claim, words)
    elif expression is not None:
        compare(checker, described, title, "demand words", words, expression, expression.text)
    else:
        checker.tally.skip("demand words", f"{title}: {name}: {words!r}")


def demanded(spec, finding, name):
    """The condition of legality, of a step or of a contract that a finding names."""
    if name.startswith("legal "):
        return next((c.expression for c in spec.legal if c.name == name[len("legal "):]), None)
    number = re.fullmatch(r"ensures #(\d+)", name)
    if number is None:
        return None
    subject = finding["subject"]
    for sequence in spec.sequences.values():
        if sequence.name == subject and sequence.contract:
            return sequence.contract.ensures[int(number[1]) - 1]
        for step in sequence.steps:
            if step.site.path == subject and finding["code"] == "F0602":
                return step.ensures[int(number[1]) - 1]
    return None


def described(checker):
    """All conditions in words of a report."""
    reader = Described(checker)
    for finding in checker.report["findings"]:
        occurs_words(checker, finding, reader)
        claimed(checker, finding, reader)


__all__ = ["described"]
