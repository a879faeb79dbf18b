"""From lines to trees of items, sequences and statements (docs/language.md, "Grammar").

`file` returns the items of a file. Clauses are trees with a `block` of what stands in their place;
annotations (`cites`, `basis`) are trees of their own.
"""

from __future__ import annotations

from .lexer import Line
from .model import SpecError
from .parse import Cursor, Tree

CLAUSE_KINDS = ("rule", "definition", "example", "claim", "note", "reference")
CLAUSE_LINES = ("says", "waived", "refers", "defines", "uses", "yields")
BASES = ("text", "external", "gap", "invented")
OUTCOMES = ("win", "loss", "draw", "end")


def file(lines: list) -> list:
    return [item(line) for line in lines]


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


# ---------------------------------------------------------------------------------------------------
# Items


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
        return sequence(line)
    return declaration(line)


def declaration(line: Line) -> Tree:
    word = line.tokens[0].text
    reader = DECLARATIONS.get(word)
    if reader is None:
        raise SpecError(f"found `{word}`, expected an item", "E0106", line.span(0, 1))
    return reader(Cursor(line, 1), line)


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
            parts[word] = c.range()
        return c.tree("type integer", low, **parts)
    if c.accept("one", "of"):
        values = [c.name()]
        while c.sees(",") and c.is_name(1) and c.peek(2) in (",", "", ")"):
            c.at += 1
            values.append(c.name())
        return c.tree("type values", low, values=values)
    optional = c.sees("optional") and c.is_name(1)
    if optional:
        c.at += 1
    name = c.name()
    return c.tree("type named", low, name=name, optional=optional)


def initial(c: Cursor) -> dict:
    parts = {"default": None, "starts": None}
    while c.sees(",") and c.peek(1) in parts:
        c.at += 1
        word = c.name()
        if parts[word] is not None:
            c.fail(f"`{word}` stands twice", "E0417")
        parts[word] = c.expression()
    return parts


def parameters(c: Cursor) -> list:
    found = []
    c.expect("(")
    while not c.sees(")"):
        low = c.at
        name = c.name()
        c.expect(":")
        type_ = type_expression(c)
        found.append(c.tree("parameter", low, name=name, type=type_))
        if not c.accept(","):
            break
    c.expect(")")
    return found


def type_(c: Cursor, line: Line) -> Tree:
    bare(line)
    name = c.name()
    c.expect("is", "one", "of")
    return whole("type", c, name=name, values=c.names())


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
    while c.accept(","):
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
    c.expect("=")
    return whole("define", c, name=name, parameters=given, body=c.expression())


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
    given = parameters(c) if c.sees("(") else []
    c.expect(",")
    queue_ = None
    if not c.accept("at", "once"):
        c.expect("in")
        queue_ = c.name()
    order = None
    if c.accept(",", "listeners"):
        order = c.order()
    return whole("event", c, name=name, parameters=given, queue=queue_, order=order)


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
    elif c.peek() in ("reachable", "unreachable", "conserves"):
        form = c.name()
        parts["expression"] = c.expression()
        c.expect("in")
        sequence_ = c.name()
    else:
        c.expect("idempotent")
        form = "idempotent"
        sequence_, parts["step"] = step_reference(c)
    return whole("claim", c, question=question, name=name, form=form, sequence=sequence_, observer=observing(c), **parts)


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
    return whole("board", c, name=c.name(), lines=block(line, board_line))


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
    possible = c.sees("possible") and c.peek(1) not in (".", "=", "!=", "<", "<=", ">", ">=", "is", "+", "-", "*", "")
    if possible:
        c.at += 1
    if c.sees("gap") and (c.kinds[c.at + 1] == "text" or c.is_name(1)):
        c.at += 1
        if c.is_text():
            return whole("expect gap", c, possible=possible, gap=("kind", c.string()))
        return whole("expect gap", c, possible=possible, gap=("name", c.name()))
    return whole("expect", c, possible=possible, condition=c.expression())


def whom(c: Cursor):
    if c.accept("for"):
        return "everyone" if c.accept("everyone") else c.expression()
    return None


DECLARATIONS = {
    "type": type_, "entity": entity, "player": entity, "var": variable, "supply": variable, "role": role,
    "zone": zone, "define": define, "legal": legal, "explore": legal, "queue": queue, "event": event,
    "reading": reading, "trigger": trigger, "observer": observer, "verify": verify, "claim": claim,
    "question": claim, "board": board, "example": example, "accept": accept,
}


# ---------------------------------------------------------------------------------------------------
# Sequences


def sequence(line: Line) -> Tree:
    c = Cursor(line, 1)
    name = c.name()
    parts = {"parameters": [], "policy": "in order", "by": None, "binder": None, "order": None, "nest": None}
    if c.sees("("):
        parts["parameters"] = parameters(c)
    if c.accept(",", "steps"):
        if c.accept("in", "any", "order"):
            parts["policy"] = "any"
        elif c.accept("in", "an", "order", "chosen", "by"):
            parts["policy"], parts["by"] = "chosen", c.decider()
        elif c.accept("unspecified"):
            parts["policy"] = "unspecified"
        else:
            c.expect("in", "order")
    if c.accept(",", "over", "each"):
        parts["binder"] = c.binder()
        c.expect(",")
        if not c.sees("nest"):
            parts["order"] = c.order()
            c.expect(",")
        c.expect("nest")
        parts["nest"] = c.name()
        if parts["nest"] not in ("steps", "places", "unspecified"):
            c.fail("expected `steps`, `places` or `unspecified`")
    return whole("sequence", c, name=name, block=block(line, sequence_item), **parts)


def sequence_item(line: Line) -> Tree:
    word = line.tokens[0].text
    if word == "clause":
        return clause(line, sequence_item)
    if word == "step":
        needed(line)
        c = Cursor(line, 1)
        return whole("step", c, name=c.name(), block=statements(line, ensures=True))
    if word == "restart":
        return restart(line)
    if word == "contract":
        c = Cursor(line, 1)
        return whole("contract", c, lines=block(line, contract_line))
    return annotation(line) or declaration(line)


def restart(line: Line) -> Tree:
    c = Cursor(line, 1)
    c.expect("when")
    condition = c.expression()
    parts = {"cancel": None, "unfinished": None, "before": []}
    for inner in line.block:
        i = Cursor(inner)
        if i.accept("cancel"):
            bare(inner)
            key, value = "cancel", cancel(i)
        elif i.accept("unfinished"):
            bare(inner)
            key, value = "unfinished", unfinished(i)
        else:
            i.expect("before", "restarting")
            needed(inner)
            key, value = "before", statements(inner)
        i.finish()
        if parts[key]:
            raise SpecError(f"a second `{key}`", "E0417", inner.span())
        parts[key] = value
    if parts["cancel"] is None or parts["unfinished"] is None:
        raise SpecError("a restart has one `cancel` and one `unfinished`", "E0417", line.span())
    return whole("restart", c, condition=condition, **parts)


def cancel(c: Cursor) -> Tree:
    low = c.at
    if c.sees("per"):
        return c.per(cancel)
    if c.accept("at", "once"):
        return c.tree("at once", low)
    c.expect("at", "end", "of")
    if c.accept("step"):
        return c.tree("step", low)
    c.expect("pass")
    return c.tree("pass", low)


def unfinished(c: Cursor) -> Tree:
    low = c.at
    if c.sees("per"):
        return c.per(unfinished)
    if c.accept("lost"):
        return c.tree("lost", low)
    c.expect("carried")
    return c.tree("carried", low)


def contract_line(line: Line) -> Tree:
    bare(line)
    c = Cursor(line)
    if c.accept("changes"):
        place = c.place()
        within = c.range() if c.accept("within") else None
        return whole("changes", c, place=place, within=within)
    c.expect("ensures")
    return whole("ensures", c, condition=c.expression())


# ---------------------------------------------------------------------------------------------------
# Statements


def statements(line: Line, ensures: bool = False) -> list:
    """The statements nested under a line; `otherwise` is joined to the `if` or `may` above it."""
    return joined([statement(inner, ensures) for inner in line.block])


def joined(found: list) -> list:
    result: list = []
    for tree in found:
        if tree.kind != "otherwise":
            result.append(tree)
            continue
        last = result[-1] if result else None
        if last is None or last.kind not in ("if", "may") or last.otherwise is not None:
            raise SpecError("an `otherwise` without an `if` or a `may`", "E0111", tree.span)
        if tree.condition is None:
            last.otherwise = tree.block
        elif last.kind == "if":
            last.branches.append((tree.condition, tree.block))
        else:
            raise SpecError("a `may` has no `otherwise if`", "E0111", tree.span)
    return result


def statement(line: Line, ensures: bool = False) -> Tree:
    word = line.tokens[0].text
    if word == "clause":
        found = clause(line, lambda inner: statement(inner, ensures))
        found.block = joined(found.block)
        return found
    c = Cursor(line, 1)
    if word == "ensures" and ensures:
        bare(line)
        return whole("ensures", c, condition=c.expression())
    noted = annotation(line)
    if noted is not None:
        return noted
    reader = STATEMENTS.get(word)
    if reader is None:
        raise SpecError(f"found `{word}`, expected a statement", "E0106", line.span(0, 1))
    if word in SIMPLE:
        bare(line)
    elif word not in ("choose", "resolve"):
        needed(line)
    return reader(c, line)


def nothing(c, line):
    return whole("nothing", c)


def let(c, line):
    name = c.name()
    c.expect("=")
    return whole("let", c, name=name, value=c.expression())


def set_(c, line):
    place = c.place()
    c.expect("to")
    return whole("set", c, place=place, value=c.expression())


def change(c, line):
    up = line.tokens[0].text == "increase"
    place = c.place()
    c.expect("by")
    amount = c.expression()
    bound = None
    if c.accept(","):
        c.expect("at", "most" if up else "least")
        bound = c.expression()
    return whole("increase" if up else "decrease", c, place=place, amount=amount, bound=bound)


def transfer(c, line):
    amount = c.expression()
    c.expect("from")
    source = c.place()
    c.expect("to")
    return whole("transfer", c, amount=amount, source=source, target=c.place())


def move(c, line):
    if c.accept("all", "of"):
        source = c.operand()
        c.expect("to")
        return whole("move all", c, source=source, target=c.target())
    what = c.expression()
    c.expect("to")
    return whole("move", c, what=what, target=c.target())


def shuffle(c, line):
    return whole("shuffle", c, zone=c.operand())


def create(c, line):
    sort = c.name()
    name = c.name() if c.accept("as") else None
    target = c.target() if c.accept("in") else None
    return whole("create", c, sort=sort, name=name, target=target, values=with_(c))


def remove(c, line):
    return whole("remove", c, what=c.expression())


def announce(c, line):
    name = c.name()
    return whole("announce", c, name=name, arguments=c.arguments() if c.sees("(") else [])


def perform(c, line):
    name = c.name()
    return whole("perform", c, name=name, arguments=c.arguments() if c.sees("(") else [])


def resolve(c, line):
    bare(line)
    one = c.accept("next", "of")
    return whole("resolve", c, one=one, name=c.name())


def leave(c, line):
    return whole("leave", c, name=c.name())


def declare(c, line):
    outcome = c.name()
    if outcome not in OUTCOMES:
        c.fail("expected `win`, `loss`, `draw` or `end`")
    return whole("declare", c, outcome=outcome, whom=whom(c))


def gap(c, line):
    name = c.name()
    text = c.string() if c.is_text() else None
    place = within = None
    if c.accept("may"):
        c.expect("change")
        place = c.place()
        within = c.range() if c.accept("within") else None
    return whole("gap", c, name=name, text_=text, place=place, within=within)


def choose(c, line):
    if c.sees("one", "by"):
        c.at += 2
        by = c.decider()
        needed(line, "options")
        return whole("choose one", c, by=by, options=block(line, option))
    bare(line)
    if c.sees("number") and c.is_name(1) and c.peek(2) == "from":
        c.at += 1
        name = c.name()
        c.expect("from")
        low, high = c.range()
        c.expect("by")
        return whole("choose number", c, name=name, low_=low, high_=high, by=c.decider())
    binder = c.binder()
    c.expect("by")
    return whole("choose", c, binder=binder, by=c.decider())


def option(line: Line) -> Tree:
    needed(line)
    c = Cursor(line)
    c.expect("option")
    text = c.string()
    where = c.expression() if c.accept("where") else None
    return whole("option", c, text_=text, where=where, block=statements(line))


def distribute(c, line):
    amount = c.expression()
    c.expect("over")
    binder = c.binder()
    c.expect("into")
    place = c.place()
    c.expect("by")
    by = c.decider()
    cap = None
    if c.accept(",", "at", "most"):
        cap = c.expression()
        c.expect("each")
    return whole("distribute", c, amount=amount, binder=binder, place=place, by=by, cap=cap)


def if_(c, line):
    condition = c.expression()
    return whole("if", c, branches=[(condition, statements(line))], otherwise=None)


def otherwise(c, line):
    condition = c.expression() if c.accept("if") else None
    return whole("otherwise", c, condition=condition, block=statements(line))


def cases(c, line):
    policy, by = "all", None
    if c.accept("in", "order"):
        policy = "in order"
    elif c.accept("chosen", "by"):
        policy, by = "chosen", c.decider()
    branches, other = [], None
    for inner in line.block:
        needed(inner)
        i = Cursor(inner)
        if other is not None:
            i.fail("`otherwise` is last", "E0111")
        if i.accept("otherwise"):
            other = statements(inner)
        else:
            i.expect("when")
            branches.append((i.expression(), statements(inner)))
        i.finish()
    return whole("cases", c, policy=policy, by=by, branches=branches, otherwise=other)


def depending(c, line):
    c.expect("on")
    name = c.name()
    parts = []
    for inner in line.block:
        needed(inner)
        i = Cursor(inner)
        i.expect("when")
        parts.append((i.name(), statements(inner)))
        i.finish()
    return whole("depending on", c, reading=name, parts=parts)


def for_each(c, line):
    c.expect("each")
    binder = c.binder()
    order = domain = None
    if c.accept(","):
        if c.sees_domain():
            domain = c.domain()
        else:
            order = c.order()
            if c.accept(","):
                domain = c.domain()
    return whole("for each", c, binder=binder, order=order, domain=domain, block=statements(line))


def simultaneously(c, line):
    return whole("simultaneously", c, block=statements(line))


def repeat(c, line):
    if c.accept("until", "stable") and c.at_end():
        return whole("repeat", c, until=None, condition=None, block=statements(line))
    c.at = 1
    until = c.accept("until")
    if not until:
        c.expect("while")
    return whole("repeat", c, until=until, condition=c.expression(), block=statements(line))


def may(c, line):
    c.expect("by")
    by = c.decider()
    text = c.string() if c.is_text() else None
    return whole("may", c, by=by, text_=text, block=statements(line), otherwise=None)


STATEMENTS = {
    "nothing": nothing, "let": let, "set": set_, "increase": change, "decrease": change, "transfer": transfer,
    "move": move, "shuffle": shuffle, "create": create, "remove": remove, "announce": announce,
    "perform": perform, "resolve": resolve, "leave": leave, "declare": declare, "gap": gap, "choose": choose,
    "distribute": distribute, "if": if_, "otherwise": otherwise, "cases": cases, "depending": depending,
    "for": for_each, "simultaneously": simultaneously, "repeat": repeat, "may": may,
}
SIMPLE = frozenset(
    """nothing let set increase decrease transfer move shuffle create remove announce perform leave declare gap
    distribute""".split()
)
