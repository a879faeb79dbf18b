"""From lines to trees of items (docs/language.md, "Files and items", "Declarations", "What is asked").

`file` returns the items of a file. Clauses are trees with a `block` of what stands in their place;
annotations (`cites`, `basis`) are trees of their own. Sequences are read by `parse_steps`.
"""

from __future__ import annotations

from .lexer import Line
from .model import SpecError
from .experiments import experiment
from .parse import Cursor, Tree
from .parse_lines import OUTCOMES, bare, block, clause, needed, whole, whom, with_
from .parse_steps import sequence, statements
from .parse_types import initial, parameters, type_expression


def file(lines: list) -> list:
    return [item(line) for line in lines]


def item(line: Line) -> Tree:
    c = Cursor(line)
    word = c.peek()
    if word == "game":
        bare(line)
        c.at = 1
        return whole("game", c, title=c.string())
    if word == "include":
        bare(line)
        c.at = 1
        return whole("include", c, path=c.string())
    if word == "document":
        c.at = 1
        name, title = c.name(), c.string()
        return whole("document", c, name=name, title=title, block=block(line, item))
    if word == "clause":
        return clause(line, item)
    if word == "sequence":
        return sequence(line, declaration)
    return declaration(line)


def declaration(line: Line) -> Tree:
    word = line.tokens[0].text
    reader = DECLARATIONS.get(word)
    if reader is None:
        raise SpecError(f"found `{word}`, expected an item", "E0106", line.span(0, 1))
    return reader(Cursor(line, 1), line)


def type_(c: Cursor, line: Line) -> Tree:
    bare(line)
    name = c.name()
    c.expect("is", "one", "of")
    return whole("type", c, name=name, values=c.names())


def table(c: Cursor, line: Line) -> Tree:
    name = c.name()
    needed(line)
    columns, rows = [], []
    for inner in line.block:
        bare(inner)
        # A column may be called `row`.
        is_row = inner.tokens[0].text == "row" and (len(inner.tokens) < 2 or inner.tokens[1].text != ":")
        (rows if is_row else columns).append(row(Cursor(inner, 1)) if is_row else column(Cursor(inner)))
    return whole("table", c, name=name, columns=columns, rows=rows)


def column(c: Cursor) -> Tree:
    name = c.name()
    c.expect(":")
    type_tree = type_expression(c)
    default = c.expression() if c.accept(",", "default") else None
    return whole("column", c, name=name, type=type_tree, default=default)


def row(c: Cursor) -> Tree:
    name = c.name()
    return whole("row", c, name=name, values=with_(c))


def entity(c: Cursor, line: Line) -> Tree:
    player = line.tokens[0].text == "player"
    name = c.name()
    document = size = headroom = None
    if c.accept("from"):
        low = c.integer()
        c.expect("to")
        document = (low, c.integer())
    while c.accept(","):
        if c.accept("explore"):
            if c.accept("up", "to"):
                size = (None, c.integer())
            else:
                low = c.integer()
                size = (low, c.integer() if c.accept("to") else low)
        else:
            c.expect("headroom")
            headroom = c.integer()
    fields = block(line, lambda inner: variable(Cursor(inner), inner, "field"))
    return whole(
        "entity", c, name=name, player=player, document=document, size=size, headroom=headroom, fields=fields
    )


def variable(c: Cursor, line: Line, kind: str | None = None) -> Tree:
    bare(line)
    kind = kind or line.tokens[0].text
    name = c.name()
    c.expect(":")
    type_tree = type_expression(c)
    return whole("place", c, place_kind=kind, name=name, type=type_tree, **initial(c))


def role(c: Cursor, line: Line) -> Tree:
    bare(line)
    name = c.name()
    c.expect(":")
    low = c.at
    sort = c.name()
    type_tree = c.tree("type named", low, name=sort, optional=True)
    starts = None
    if c.accept(",", "starts"):
        starts = c.expression()
    return whole("place", c, place_kind="role", name=name, type=type_tree, starts=starts, default=None)


def zone(c: Cursor, line: Line) -> Tree:
    bare(line)
    name = c.name()
    c.expect("of")
    sort = c.name()
    owner = c.name() if c.accept("per") else None
    parts = {"starts_empty": False, "holds": None, "explored": None, "unordered": False}
    given: list = []
    while c.accept(","):
        if c.peek() in given:
            raise SpecError(f"an option of `{name}` is given twice", "E0421", line.span())
        given.append(c.peek())
        if c.accept("starts", "empty"):
            parts["starts_empty"] = True
        elif c.accept("holds", "at", "most"):
            parts["holds"] = c.integer()
        elif c.accept("explore", "at", "most"):
            parts["explored"] = c.integer()
        else:
            c.expect("unordered")
            parts["unordered"] = True
    return whole("zone", c, name=name, sort=sort, owner=owner, **parts)


def define(c: Cursor, line: Line) -> Tree:
    bare(line)
    name = c.name()
    given = parameters(c) if c.sees("(") else []
    continuous = None
    if line.tokens[0].text == "continuous":
        c.expect(":")
        continuous = type_expression(c)
    c.expect("=")
    return whole("define", c, name=name, parameters=given, continuous=continuous, body=c.expression())


def legal(c: Cursor, line: Line) -> Tree:
    bare(line)
    only = line.tokens[0].text == "explore"
    if only:
        c.expect("only")
    name = c.name()
    c.expect(":")
    return whole("legal", c, only=only, name=name, condition=c.expression())


def queue(c: Cursor, line: Line) -> Tree:
    bare(line)
    name = c.name()
    c.expect(",")
    if c.accept("first", "in", "first", "out"):
        discipline = "first"
    elif c.accept("last", "in", "first", "out"):
        discipline = "last"
    else:
        c.expect("by", "priority")
        discipline = "priority"
    capacity = None
    if c.accept(","):
        c.expect("explore", "up", "to")
        capacity = c.integer()
    return whole("queue", c, name=name, discipline=discipline, capacity=capacity)


def event(c: Cursor, line: Line) -> Tree:
    bare(line)
    name = c.name()
    given = parameters(c, valued=True) if c.sees("(") else []
    condition = c.expression() if c.accept(",", "whenever") else None
    c.expect(",")
    queue_ = None
    if not c.accept("at", "once"):
        c.expect("in")
        queue_ = c.name()
    order = listener = sort = None
    if c.accept(",", "listeners"):
        if c.is_name() and c.peek(1) == ":":
            listener = c.name()
            c.expect(":")
            sort = c.name()
        order = c.order()
    return whole(
        "event", c, name=name, parameters=given, condition=condition, queue=queue_, order=order, listener=listener,
        sort=sort,
    )


def reading(c: Cursor, line: Line) -> Tree:
    needed(line, "alternatives")
    name = c.name()
    return whole("reading", c, name=name, alternatives=block(line, alternative))


def alternative(line: Line) -> Tree:
    bare(line)
    c = Cursor(line)
    name, text = c.name(), c.string()
    ids = []
    if c.accept("cites"):
        ids.append(c.id())
        while c.accept(","):
            ids.append(c.id())
    return whole("alternative", c, name=name, text_=text, ids=ids)


def trigger(c: Cursor, line: Line) -> Tree:
    needed(line)
    name = c.name()
    listener = None
    if c.accept("for", "each"):
        listener = c.binder()
        c.expect(",")
    c.expect("on")
    event_ = c.name()
    payload = []
    if c.accept("("):
        if not c.sees(")"):
            payload = c.names()
        c.expect(")")
    where = c.expression() if c.accept("where") else None
    priority = 0
    if c.accept(",", "priority"):
        sign = -1 if c.accept("-") else 1
        priority = sign * c.integer()
    return whole(
        "trigger", c, name=name, listener=listener, event=event_, payload=payload, where=where,
        priority=priority, block=statements(line),
    )


def observer(c: Cursor, line: Line) -> Tree:
    name, text = c.name(), c.string()
    return whole("observer", c, name=name, text_=text, sights=block(line, sight))


def sight(line: Line) -> Tree:
    bare(line)
    c = Cursor(line)
    if c.accept("sees", "everything") and c.at_end():
        return whole("everything", c)
    c.at = 0
    if c.accept("ignores"):
        return whole("ignores", c, what=c.expression())
    c.expect("sees")
    if c.begins_binder(0):
        low, binder = c.at, c.binder()
        c.expect("by")
        by = c.expression()
        what = c.tree("by", low, binder=binder, by=by)
        return whole("sees by", c, what=what, as_set=c.accept("as", "a", "set"))
    what = c.expression()
    return whole("sees", c, what=what, as_set=c.accept("as", "a", "set"))


def verify(c: Cursor, line: Line) -> Tree:
    bare(line)
    name = c.name()
    seen = observing(c)
    sizes, contracts, where = [], [], None
    if c.accept("up", "to"):
        while True:
            sort = c.name()
            c.expect("=")
            sizes.append((sort, c.integer()))
            if not c.accept(","):
                break
    if c.accept("with"):
        contracts = c.names()
        c.expect("by", "contract")
    if c.accept("where"):
        where = c.expression()
    return whole("verify", c, name=name, observer=seen, sizes=sizes, contracts=contracts, where=where)


def observing(c: Cursor):
    return c.name() if c.accept("observing") else None


def claim(c: Cursor, line: Line) -> Tree:
    bare(line)
    question = line.tokens[0].text == "question"
    name = c.name()
    c.expect(":")
    parts = {"other": None, "step": None, "moment": None, "expression": None, "where": None}
    if c.accept("order", "irrelevant", "in"):
        form = "order irrelevant"
        sequence_, parts["step"] = step_reference(c)
    elif c.accept("equivalent"):
        form, sequence_ = "equivalent", c.name()
        c.expect(",")
        parts["other"] = c.name()
        parts["where"] = c.expression() if c.accept("where") else None
    elif c.accept("terminates"):
        form, sequence_ = "terminates", c.name()
        parts["where"] = c.expression() if c.accept("where") else None
    elif c.accept("invariant"):
        form = "invariant"
        parts["expression"] = c.expression()
        if c.accept("at", "the", "end", "of"):
            parts["moment"] = "end"
        elif c.accept("at", "every", "step", "of"):
            parts["moment"] = "steps"
        else:
            c.expect("throughout")
            parts["moment"] = "throughout"
        sequence_ = c.name()
    elif c.accept("must"):
        form = "must"
        parts["expression"] = c.expression()
        c.expect("after")
        sequence_ = c.name()
        parts["where"] = c.expression() if c.accept("where") else None
    elif question and c.peek() in ("largest", "smallest"):
        form = "largest" if c.accept("largest") else "smallest"
        if form == "smallest":
            c.expect("smallest")
        parts["expression"] = c.expression()
        if c.accept("in"):
            parts["moment"] = "ever"
            sequence_ = c.name()
        else:
            c.expect("after")
            parts["moment"] = "end"
            sequence_ = c.name()
            parts["where"] = c.expression() if c.accept("where") else None
    elif c.peek() in ("reachable", "unreachable", "conserves"):
        form = c.name()
        parts["expression"] = c.expression()
        if form == "reachable" and c.accept("after"):
            parts["moment"] = "end"
            sequence_ = c.name()
            parts["where"] = c.expression() if c.accept("where") else None
        else:
            c.expect("in")
            sequence_ = c.name()
    else:
        c.expect("idempotent")
        form = "idempotent"
        sequence_, parts["step"] = step_reference(c)
    return whole("claim", c, question=question, name=name, form=form, sequence=sequence_, observer=observing(c),
                 on=c.name() if c.accept("on") else None, **parts)


def step_reference(c: Cursor) -> tuple:
    name = c.name()
    return name, c.name() if c.accept(".") else None


def accept(c: Cursor, line: Line) -> Tree:
    bare(line)
    code = c.name()
    at = c.id() if c.accept("at") else None
    c.expect("because")
    return whole("accept", c, code=code, at=at, because=c.string())


def board(c: Cursor, line: Line) -> Tree:
    return whole("board", c, name=c.name(), like=c.name() if c.accept("like") else None, lines=block(line, board_line))


def board_line(line: Line) -> Tree:
    bare(line)
    c = Cursor(line)
    if c.is_name() and c.peek(1) == "=":
        name = c.name()
        c.expect("=")
        return whole("value", c, name=name, value=c.expression())
    sort = c.name()
    names = c.names()
    zone_ = c.operand() if c.accept("in") else None
    return whole("entities", c, sort=sort, names=names, zone=zone_, values=with_(c))


def example(c: Cursor, line: Line) -> Tree:
    return whole("example", c, name=c.name(), lines=block(line, example_line))


def example_line(line: Line) -> Tree:
    c = Cursor(line)
    word = c.peek()
    if word == "given":
        c.at = 1
        return whole("given", c, lines=block(line, board_line))
    bare(line)
    c.at = 1
    if word == "on":
        return whole("on", c, name=c.name())
    if word == "perform":
        name = c.name()
        return whole("perform", c, name=name, arguments=c.arguments() if c.sees("(") else [])
    if word == "reading":
        name = c.name()
        c.expect("is")
        return whole("reading is", c, name=name, alternative=c.name())
    if word == "choose":
        return whole("choose", c, text_=c.string())
    if word == "after":
        reference = step_reference(c)
        c.expect("expect")
        return whole("after", c, step=reference, condition=c.expression())
    if word != "expect":
        c.at = 0
        c.fail(f"found `{word}`, expected a line of an example")
    if c.sees("outcome") and c.peek(1) in OUTCOMES:
        c.at += 1
        return whole("expect outcome", c, outcome=c.name(), whom=whom(c))
    possible = c.accept("possible")
    if c.sees("gap") and (c.kinds[c.at + 1] == "text" or c.is_name(1)):
        c.at += 1
        if c.is_text():
            return whole("expect gap", c, possible=possible, gap=("kind", c.string()))
        return whole("expect gap", c, possible=possible, gap=("name", c.name()))
    return whole("expect", c, possible=possible, condition=c.expression())


DECLARATIONS = {
    "type": type_, "table": table, "entity": entity, "player": entity, "var": variable, "supply": variable, "role": role,
    "zone": zone, "define": define, "continuous": define, "legal": legal, "explore": legal, "queue": queue, "event": event,
    "reading": reading, "trigger": trigger, "observer": observer, "verify": verify, "claim": claim,
    "question": claim, "board": board, "example": example, "accept": accept, "experiment": experiment,
}
