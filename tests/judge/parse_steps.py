"""From lines to trees of sequences, steps and statements (docs/language.md, "Sequences", "Statements")."""

from __future__ import annotations

from .lexer import Line
from .model import SpecError
from .parse import Cursor, Tree
from .parse_lines import OUTCOMES, annotation, bare, block, clause, needed, whole, whom, with_
from .parse_types import parameters

def sequence(line: Line, declaration) -> Tree:
    """A sequence; `declaration` reads the items that stand in it."""
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
    items = block(line, lambda inner: sequence_item(inner, declaration))
    return whole("sequence", c, name=name, block=items, **parts)


def sequence_item(line: Line, declaration) -> Tree:
    word = line.tokens[0].text
    if word == "clause":
        return clause(line, lambda inner: sequence_item(inner, declaration))
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


def pass_(c, line):
    return whole("pass", c)


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


def go_to(c, line):
    c.expect("to")
    return whole("go to", c, name=c.name())


def declare(c, line):
    outcome = c.name()
    if outcome not in OUTCOMES:
        c.fail("expected `win`, `loss`, `draw` or `end`")
    return whole("declare", c, outcome=outcome, whom=whom(c))


def gap(c, line):
    name = c.name()
    text = c.string() if c.is_text() else None
    place = within = None
    goes_on = False
    if c.accept("and"):
        c.expect("go")
        c.expect("on")
        goes_on = True
        if c.accept("assuming"):
            c.string()
    elif c.accept("may"):
        c.expect("change")
        place = c.place()
        within = c.range() if c.accept("within") else None
    return whole("gap", c, name=name, text_=text, place=place, within=within, goes_on=goes_on)


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
    "nothing": nothing, "pass": pass_, "let": let, "set": set_, "increase": change, "decrease": change, "transfer": transfer,
    "move": move, "shuffle": shuffle, "create": create, "remove": remove, "announce": announce,
    "perform": perform, "resolve": resolve, "leave": leave, "go": go_to, "declare": declare, "gap": gap, "choose": choose,
    "distribute": distribute, "if": if_, "otherwise": otherwise, "cases": cases, "depending": depending,
    "for": for_each, "simultaneously": simultaneously, "repeat": repeat, "may": may,
}
SIMPLE = frozenset(
    """nothing pass let set increase decrease transfer move shuffle create remove announce perform leave go declare gap
    distribute""".split()
)
