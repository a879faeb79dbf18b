"""What lines of all kinds have in common; clauses and annotations (docs/language.md, "Clauses")."""

from __future__ import annotations

from .lexer import Line
from .model import SpecError
from .parse import Cursor, Tree

CLAUSE_KINDS = ("rule", "definition", "example", "claim", "note", "reference")
BASES = ("text", "external", "gap", "invented")
OUTCOMES = ("win", "loss", "draw", "end")


def block(line: Line, read) -> list:
    """What is nested under a line, each read by `read`."""
    return [read(inner) for inner in line.block]


def needed(line: Line, what: str = "a block") -> None:
    if not line.block:
        raise SpecError(f"expected {what} under this line", "E0109", line.span())


def bare(line: Line) -> None:
    if line.block:
        raise SpecError("nothing can be nested under this line", "E0110", line.block[0].span())


def whole(kind: str, cursor: Cursor, **parts) -> Tree:
    cursor.finish()
    return cursor.tree(kind, 0, **parts)


# ---------------------------------------------------------------------------------------------------
# Clauses and annotations


def clause(line: Line, inner) -> Tree:
    c = Cursor(line)
    c.expect("clause")
    id_ = c.id()
    c.expect("(")
    kind = c.name()
    if kind not in CLAUSE_KINDS:
        c.fail(f"`{kind}` is no kind of clause")
    c.expect(")")
    c.expect("at")
    locator = c.string()
    lines, inside = [], []
    for nested in line.block:
        found = clause_line(nested)
        if found is not None:
            lines.append(found)
        else:
            inside.append(inner(nested))
    return whole("clause", c, id=id_, clause_kind=kind, locator=locator, lines=lines, block=inside)


def clause_line(line: Line):
    """A line of a clause itself, or None."""
    word = line.tokens[0].text
    c = Cursor(line, 1)
    if word in ("says", "waived") and c.is_text():
        bare(line)
        return whole(word, c, text_=c.string())
    if word == "refers" and c.accept("to"):
        bare(line)
        target = ("text", c.string()) if c.is_text() else ("id", c.id())
        return whole("refers", c, target=target)
    if word in ("defines", "uses") and c.is_text():
        bare(line)
        texts = [c.string()]
        while c.accept(","):
            texts.append(c.string())
        return whole(word, c, texts=texts)
    if word == "yields" and c.accept("to"):
        bare(line)
        return whole("yields", c, id=c.id())
    return annotation(line)


def annotation(line: Line):
    word = line.tokens[0].text
    c = Cursor(line, 1)
    if word == "cites" and c.is_name():
        bare(line)
        ids = [c.id()]
        while c.accept(","):
            ids.append(c.id())
        return whole("cites", c, ids=ids)
    if word == "basis" and c.peek() in BASES:
        bare(line)
        basis = c.name()
        reason = c.string() if c.is_text() else None
        return whole("basis", c, basis=basis, reason=reason)
    return None


def with_(c: Cursor) -> list:
    values = []
    if c.accept("with"):
        while True:
            low = c.at
            name = c.name()
            c.expect("=")
            value = c.expression()
            values.append(c.tree("with", low, name=name, value=value))
            if not c.accept(","):
                break
    return values


def whom(c: Cursor):
    if c.accept("for"):
        return "everyone" if c.accept("everyone") else c.expression()
    return None
