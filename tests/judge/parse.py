"""From logical lines to syntax trees: one function for each rule of the grammar in docs/language.md.

Expressions, places, binders, orders and the like are here; statements and declarations are in
`parse_items` and `parse_steps`. A `Tree` has a kind and named parts; it remembers its tokens for places and words.
"""

from __future__ import annotations

from .lexer import RESERVED, Line, unquote
from .model import SpecError

MAX_NUMBER = 9223372036854775807
MAX_DEPTH = 64
COMPARISONS = frozenset(["=", "!=", "<", "<=", ">", ">="])
ENDS = frozenset(["top", "bottom", "first", "last"])
OF_FORMS = frozenset(["half", "count", "sum", "size", "holder"]) | ENDS


class Tree:
    """A node of the syntax tree."""

    def __init__(self, kind: str, line: Line, low: int, high: int, **parts):
        self.kind = kind
        self.line = line
        self.low = low
        self.high = high
        self.__dict__.update(parts)

    @property
    def span(self):
        return self.line.span(self.low, self.high)

    @property
    def words(self) -> str:
        return self.line.words(self.low, self.high)

    @property
    def text(self) -> str:
        return self.line.written(self.low, self.high)

    def __repr__(self) -> str:
        return f"{self.kind}:{self.text}"


class Cursor:
    """Reads the tokens of one line."""

    def __init__(self, line: Line, at: int = 0):
        self.line = line
        self.texts = [token.text for token in line.tokens]
        self.kinds = [token.kind for token in line.tokens]
        self.texts += ["", "", "", ""]
        self.kinds += ["end", "end", "end", "end"]
        self.at = at
        self.depth = 0

    # -- tokens

    def peek(self, ahead: int = 0) -> str:
        return self.texts[self.at + ahead]

    def sees(self, *texts: str) -> bool:
        """Whether the next tokens are these."""
        at = self.at
        for index, text in enumerate(texts):
            if self.texts[at + index] != text:
                return False
        return True

    def accept(self, *texts: str) -> bool:
        if self.sees(*texts):
            self.at += len(texts)
            return True
        return False

    def expect(self, *texts: str) -> None:
        if not self.accept(*texts):
            self.fail(f"found `{self.peek() or 'the end of the line'}`, expected `{' '.join(texts)}`")

    def fail(self, message: str, code: str = "E0106"):
        at = min(self.at, len(self.line.tokens) - 1)
        raise SpecError(message, code, self.line.span(at, at + 1))

    def is_name(self, ahead: int = 0) -> bool:
        at = self.at + ahead
        return self.kinds[at] == "word" and self.texts[at] not in RESERVED

    def begins_binder(self, ahead: int) -> bool:
        """Whether a name stands there, and after it what makes it one that is bound."""
        return self.is_name(ahead) and self.peek(ahead + 1) in (":", "in")

    def name(self) -> str:
        if not self.is_name():
            self.fail(f"found `{self.peek() or 'the end of the line'}`, expected a name")
        self.at += 1
        return self.texts[self.at - 1]

    def names(self) -> list:
        found = [self.name()]
        while self.accept(","):
            found.append(self.name())
        return found

    def integer(self) -> int:
        if self.kinds[self.at] != "int":
            self.fail(f"found `{self.peek()}`, expected a number")
        value = int(self.texts[self.at])
        if value > MAX_NUMBER:
            self.fail("a number beyond 64 bits", "E0107")
        self.at += 1
        return value

    def string(self) -> str:
        if self.kinds[self.at] != "text":
            self.fail(f"found `{self.peek()}`, expected a text")
        self.at += 1
        return unquote(self.texts[self.at - 1])

    def is_text(self) -> bool:
        return self.kinds[self.at] == "text"

    def id(self) -> str:
        if self.kinds[self.at] != "word":
            self.fail("expected a clause id")
        parts = [self.texts[self.at]]
        self.at += 1
        while self.sees(".") and self.kinds[self.at + 1] in ("word", "int"):
            parts.append(self.texts[self.at + 1])
            self.at += 2
        return ".".join(parts)

    def at_end(self) -> bool:
        return self.kinds[self.at] == "end"

    def finish(self) -> None:
        if not self.at_end():
            self.fail(f"found `{self.peek()}`, expected the end of the line")

    def tree(self, kind: str, low: int, **parts) -> Tree:
        return Tree(kind, self.line, low, self.at, **parts)

    # -- expressions

    def expression(self) -> Tree:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail("expressions too deep in each other", "E0108")
        low = self.at
        left = self.conjunction()
        while self.accept("or"):
            right = self.conjunction()
            left = self.tree("or", low, left=left, right=right)
        self.depth -= 1
        return left

    def conjunction(self) -> Tree:
        low = self.at
        left = self.negation()
        while self.accept("and"):
            right = self.negation()
            left = self.tree("and", low, left=left, right=right)
        return left

    def negation(self) -> Tree:
        low = self.at
        if self.accept("not"):
            inner = self.negation()
            return self.tree("not", low, inner=inner)
        return self.comparison()

    def comparison(self) -> Tree:
        low = self.at
        left = self.sum()
        operator = self.peek()
        if operator in COMPARISONS:
            self.at += 1
            right = self.sum()
            found = self.tree("compare", low, operator=operator, left=left, right=right)
            if self.peek() in COMPARISONS or self.sees("is"):
                self.fail("two comparisons in a row")
            return found
        if self.accept("is"):
            return self.test(low, left)
        return left

    def test(self, low: int, left: Tree) -> Tree:
        negated = self.accept("not")
        if self.accept("none"):
            kind, right = "is none", None
        elif self.accept("in"):
            kind, right = "is in", self.operand()
        elif self.peek() in ("before", "after"):
            kind = f"is {self.peek()}"
            self.at += 1
            right = self.operand()
        elif self.sees("empty") and not self._continues(1):
            self.at += 1
            kind, right = "is empty", None
        elif self.sees("removed") and not self._continues(1):
            self.at += 1
            kind, right = "is removed", None
        else:
            kind, right = "is", self.sum()
        if self.peek() in COMPARISONS or self.sees("is"):
            self.fail("two comparisons in a row")
        return self.tree(kind, low, left=left, right=right, negated=negated)

    def _continues(self, ahead: int) -> bool:
        return self.peek(ahead) in (".", "(", "+", "-", "*", "divided")

    def sum(self) -> Tree:
        low = self.at
        left = self.product()
        while self.peek() in ("+", "-"):
            operator = self.peek()
            self.at += 1
            right = self.product()
            left = self.tree(operator, low, left=left, right=right)
        return left

    def product(self) -> Tree:
        low = self.at
        left = self.operand()
        while self.sees("*") or self.sees("divided", "by"):
            kind = "*" if self.accept("*") else "divided by"
            if kind == "divided by":
                self.expect("divided", "by")
            right = self.operand()
            left = self.tree(kind, low, left=left, right=right)
        return left

    def operand(self) -> Tree:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail("expressions too deep in each other", "E0108")
        low = self.at
        if self.accept("-"):
            inner = self.operand()
            found = self.tree("negative", low, inner=inner)
        else:
            found = self.form(low) or self.postfix()
        self.depth -= 1
        return found

    def form(self, low: int):
        word = self.peek()
        if self.kinds[self.at] != "word":
            return None
        if word in OF_FORMS and self.peek(1) == "of":
            self.at += 2
            if word == "half":
                inner = self.operand()
                rounded = None
                if self.accept("rounded", "up"):
                    rounded = "up"
                elif self.accept("rounded", "down"):
                    rounded = "down"
                return self.tree("half", low, inner=inner, rounded=rounded)
            if word == "count":
                binder = self.binder()
                return self.tree("count", low, binder=binder)
            if word == "sum":
                return self._fold("sum", low)
            inner = self.operand()
            if word in ENDS:
                return self.tree("end", low, first=word in ("top", "first"), inner=inner)
            return self.tree(word, low, inner=inner)
        if word in ENDS and self.begins_binder(1):
            self.at += 1
            binder = self.binder()
            return self.tree("such", low, first=word in ("top", "first"), binder=binder)
        if word in ("largest", "smallest"):
            self.at += 1
            return self._fold(word, low)
        if word in ("every", "some"):
            self.at += 1
            binder = self.binder()
            self.expect("has")
            body = self.expression()
            return self.tree(word, low, binder=binder, body=body)
        if word == "if":
            self.at += 1
            condition = self.expression()
            self.expect("then")
            then = self.expression()
            self.expect("else")
            other = self.expression()
            return self.tree("if", low, condition=condition, then=then, other=other)
        if word == "old":
            self.at += 1
            inner = self.operand()
            return self.tree("old", low, inner=inner)
        if word in ("next", "previous"):
            link = "after" if word == "next" else "before"
            if self.peek(1) == link:
                self.at += 2
                inner = self.operand()
                return self.tree("neighbour player", low, forward=word == "next", inner=inner)
            if self.is_name(1) and self.peek(2) == link:
                self.at += 1
                name = self.name()
                self.at += 1
                inner = self.operand()
                self.expect("where")
                where = self.expression()
                return self.tree(
                    "search player", low, forward=word == "next", name=name, inner=inner, where=where
                )
        if word == "neighbour" and self.peek(1) in ("before", "after"):
            before = self.peek(1) == "before"
            self.at += 2
            inner = self.operand()
            return self.tree("neighbour", low, before=before, inner=inner)
        return None

    def _fold(self, kind: str, low: int) -> Tree:
        body = self.expression()
        self.expect("over")
        binder = self.binder()
        return self.tree(kind, low, body=body, binder=binder)

    def postfix(self) -> Tree:
        low = self.at
        found = self.primary()
        levels = 0
        while self.sees("."):
            self.at += 1
            name = self.name()
            found = self.tree("field", low, owner=found, name=name)
            levels += 1
        return found

    def primary(self) -> Tree:
        low = self.at
        kind = self.kinds[low]
        word = self.peek()
        if kind == "int":
            return self.tree("number", low, value=self.integer())
        if word in ("true", "false"):
            self.at += 1
            return self.tree("boolean", low, value=word == "true")
        if word == "none":
            self.at += 1
            return self.tree("none", low)
        if word == "(":
            self.at += 1
            inner = self.expression()
            self.expect(")")
            return inner
        if word == "per":
            return self.per(Cursor.expression)
        if self.is_name():
            name = self.name()
            if self.sees("("):
                arguments = self.arguments()
                return self.tree("call", low, name=name, arguments=arguments)
            return self.tree("name", low, name=name)
        self.fail(f"found `{word or 'the end of the line'}`, expected an expression")

    def arguments(self) -> list:
        self.expect("(")
        found = []
        if not self.sees(")"):
            found.append(self.expression())
            while self.accept(","):
                found.append(self.expression())
        self.expect(")")
        return found

    def per(self, part) -> Tree:
        """`per READING (a: x | b: y)`; `part` reads what goes with an alternative."""
        low = self.at
        self.expect("per")
        reading = self.name()
        self.expect("(")
        parts = []
        while True:
            alternative = self.name()
            self.expect(":")
            parts.append((alternative, part(self)))
            if not self.accept("|"):
                break
        self.expect(")")
        return self.tree("per", low, reading=reading, parts=parts)

    # -- what statements are made of

    def binder(self) -> Tree:
        low = self.at
        name = self.name()
        sort = self.name() if self.accept(":") else None
        zone = self.operand() if self.accept("in") else None
        where = self.expression() if self.accept("where") else None
        if sort is None and zone is None:
            self.fail("a binder needs a sort or a zone")
        return self.tree("binder", low, name=name, sort=sort, zone=zone, where=where)

    def place(self) -> Tree:
        found = self.postfix()
        if found.kind not in ("name", "field", "call"):
            self.fail("expected a place")
        return found

    def range(self) -> tuple:
        low = self.sum()
        self.expect("to")
        return low, self.sum()

    def one_or_more(self) -> tuple:
        """A range, or one value."""
        low = self.sum()
        return (low, self.sum() if self.accept("to") else low)

    def decider(self) -> Tree:
        low = self.at
        if self.accept("everyone", "together"):
            return self.tree("everyone", low)
        if self.sees("chance") and not self._continues(1):
            self.at += 1
            return self.tree("chance", low)
        if self.accept("nobody", "in", "particular"):
            return self.tree("nobody", low)
        return self.tree("somebody", low, who=self.expression())

    def order(self) -> Tree:
        low = self.at
        if self.sees("per"):
            return self.per(Cursor.order)
        if self.accept("in", "any", "order"):
            return self.tree("any", low)
        if self.accept("in", "an", "order", "of", "their", "own"):
            return self.tree("own", low)
        if self.accept("in", "an", "order", "chosen", "by"):
            by = self.decider()
            return self.tree("chosen", low, by=by)
        for kind in ("largest", "smallest"):
            if self.accept(kind):
                key = self.operand()
                self.expect("first")
                return self.ranked(low, kind, key, None)
        if self.accept("those", "where"):
            key = self.expression()
            self.expect("first")
            return self.ranked(low, "those", key, None)
        for words, kind in (
            (("left", "to", "right"), "left to right"),
            (("right", "to", "left"), "right to left"),
            (("in", "player", "order"), "player order"),
            (("in", "reverse", "player", "order"), "reverse player order"),
        ):
            if self.accept(*words):
                of_players = words[0] == "in"
                key = self.operand() if of_players and self.accept("of") else None
                start = self.expression() if self.accept("from") else None
                if of_players and (key is not None or self.sees(",", "then")):
                    return self.ranked(low, kind, key, start)
                return self.tree(kind, low, start=start)
        self.fail("expected an order")

    def ranked(self, low: int, by: str, key, start) -> Tree:
        """An order by rank, from what is said after it on."""
        then = self.order() if self.accept(",", "then") else None
        return self.tree("rank", low, by=by, key=key, start=start, then=then)

    def domain(self) -> Tree:
        low = self.at
        if self.sees("per"):
            return self.per(Cursor.domain)
        if self.accept("snapshot"):
            return self.tree("snapshot", low)
        if self.accept("rechecked"):
            return self.tree("rechecked", low)
        if self.accept("live", "by", "position"):
            return self.tree("by position", low)
        if self.accept("live"):
            return self.tree("live", low)
        if self.accept("until", "all", "pass"):
            return self.tree("until all pass", low)
        self.fail("expected a domain")

    def sees_domain(self) -> bool:
        """Whether a domain stands here, and no order; what a `per` speaks of is looked up in it."""
        at = self.at
        while self.texts[at] == "per":
            at += 5  # per NAME ( NAME :
            if at >= len(self.texts):
                return False
        return self.texts[at] in ("snapshot", "rechecked", "live", "until")

    def target(self) -> Tree:
        low = self.at
        if self.sees("before") or self.sees("after"):
            side = self.peek()
            self.at += 1
            inner = self.operand()
            return self.tree("beside", low, before=side == "before", inner=inner)
        if self.peek() in ENDS and self.peek(1) == "of":
            first = self.peek() in ("top", "first")
            self.at += 2
            inner = self.operand()
            return self.tree("zone end", low, first=first, inner=inner, said=True)
        inner = self.operand()
        return self.tree("zone end", low, first=False, inner=inner, said=False)
