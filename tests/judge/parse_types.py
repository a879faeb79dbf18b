"""Types, what places begin with, and parameters (docs/language.md, "Types")."""

from __future__ import annotations

from .parse import Cursor, Tree


def type_expression(c: Cursor, bounded: bool = True) -> Tree:
    low = c.at
    if c.accept("boolean"):
        return c.tree("type boolean", low)
    if c.accept("integer"):
        parts = {"document": None, "explore": None, "reach": None}
        if c.accept("from"):
            parts["document"] = c.range()
        while c.sees(",") and c.peek(1) in ("explore", "reach"):
            c.at += 1
            word = c.name()
            if parts[word] is not None:
                c.fail(f"`{word}` stands twice", "E0417")
            parts[word] = listed(c) if word == "explore" else c.range()
        return c.tree("type integer", low, **parts)
    if c.accept("one", "of"):
        values = [c.name()]
        while c.sees(",") and c.is_name(1) and c.peek(2) in (",", "", ")", "="):
            c.at += 1
            values.append(c.name())
        return c.tree("type values", low, values=values)
    optional = c.sees("optional") and c.is_name(1)
    if optional:
        c.at += 1
    name = c.name()
    return c.tree("type named", low, name=name, optional=optional)


def listed(c: Cursor) -> list:
    """Values and ranges of them; they end before a comma after which no number comes."""
    found = [c.one_or_more()]
    while c.sees(",") and (c.peek(1) == "-" or c.peek(1).isdigit()):
        c.at += 1
        found.append(c.one_or_more())
    return found


def initial(c: Cursor) -> dict:
    parts = {"default": None, "starts": None}
    while c.sees(",") and c.peek(1) in parts:
        c.at += 1
        word = c.name()
        if parts[word] is not None:
            c.fail(f"`{word}` stands twice", "E0417")
        parts[word] = c.expression()
    return parts


def parameters(c: Cursor, valued: bool = False) -> list:
    """Parameters; if they can be `valued`, each with its value or None."""
    found = []
    c.expect("(")
    while not c.sees(")"):
        low = c.at
        name = c.name()
        c.expect(":")
        type_ = type_expression(c)
        value = c.expression() if valued and c.accept("=") else None
        found.append(c.tree("parameter", low, name=name, type=type_, value=value))
        if not c.accept(","):
            break
    c.expect(")")
    return found
