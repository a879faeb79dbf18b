"""Conditions in plain words, as reports tell them, back into the language (docs/semantics.md §2).

`Words.conditions("no Card has power of more than 2")` gives every way in which these words can be read, as texts in the
language, such as `not (some it1: Card has it1.power > 2)`. Nothing is known here of what the words should say: whoever
asks compiles them and compares. What is not understood gives nothing.
"""

from __future__ import annotations

import re
from itertools import islice

from .names import plain

COMPARED = (("at most", "<="), ("at least", ">="), ("more than", ">"), ("less than", "<"), ("fewer than", "<"))
PAST = ((" was ", " is "), (" had ", " has "), (" were ", " are "), (" lay ", " lies "))
VERBS = (" is ", " has ", " lies ", " does not lie ", " does not have ", " was ", " had ", " lay ")
NUMBERS = {word: str(n) for n, word in enumerate(
    "one two three four five six seven eight nine ten eleven twelve".split(), 1)}
NUMBER = rf"(?:\d+|{'|'.join(NUMBERS)})"
MOST = 400  # readings of one sentence


class Words:
    """The names of a specification, by the words in which reports tell them."""

    def __init__(self, spec):
        self.spec = spec
        self.sorts, self.plurals = {}, {}
        for sort in spec.sorts:
            self.kind(sort.name)
        for name in spec.types:
            self.kind(name)
        self.zones = {plain(zone.name): zone for zone in spec.zones}
        self.queues = {plain(queue.name): queue.name for queue in spec.queues}
        self.names = {plain(place.name): place.name for place in spec.variables}
        for type_ in spec.types.values():
            self.names.update((plain(str(value)), str(value)) for value in type_.values)
        for place in (*spec.variables, *(f for sort in spec.sorts for f in sort.fields)):
            if place.type.kind == "enum":
                self.names.update((plain(str(v)), str(v)) for v in place.type.values if plain(str(v)) not in self.names)
        self.fields = {plain(f.name): f.name for sort in spec.sorts for f in sort.fields}
        self.fields.setdefault("holder", None)
        self.readings = {plain(r.name): r for r in spec.readings}
        self.defined = {}  # what is defined, and continuous values
        self.told = {}  # those of one thing
        self.count = 0

    def kind(self, name):
        self.sorts[plain(name)] = name
        self.plurals[plain(name) + "s"] = name

    def fresh(self, sort, bound):
        self.count += 1
        name = f"judged{self.count}"
        return name, {**bound, sort: name}

    def add_declared(self, world):
        """The columns of tables, definitions and continuous values."""
        for columns in world.columns.values():
            self.fields.update((plain(name), name) for name in columns)
        for name, definition in world.definitions.items():
            self.defined[plain(name)] = name
            if len(definition.parameters) == 1:
                self.told.setdefault(plain(name), name)
            if not definition.parameters:
                self.names.setdefault(plain(name), name)

    # Conditions -------------------------------------------------------------------------------------

    def read(self, text):
        """The texts in the language that these words can stand for."""
        return list(dict.fromkeys(islice(self.conditions(text.strip(), {}), MOST)))

    def conditions(self, text, bound):
        if text.startswith("`") and text.endswith("`") and "`" not in text[1:-1]:
            yield text[1:-1]
            return
        yield from self.joined(text, bound)
        yield from self.there(text, bound)
        yield from self.quantified(text, bound)
        yield from self.said(text, bound)
        yield from self.of_subject(text, bound)
        yield from self.earlier(text, bound)

    def joined(self, text, bound):
        if text.startswith("either "):
            for parts in self.parts(text[len("either "):], "; or ", " or ", ", or "):
                for one, two in self.both(parts, bound):
                    yield f"(({one}) or ({two}))"
                for one, two in self.both((parts[0], f"either {parts[1]}"), bound):
                    yield f"(({one}) or {two})"
        for parts in self.parts(text.removeprefix("both "), ", and ", " and ", "; and "):
            for one, two in self.both(parts, bound):
                yield f"(({one}) and ({two}))"

    def both(self, parts, bound):
        firsts = list(islice(self.conditions(parts[0], bound), 12))
        if firsts:
            for two in islice(self.conditions(parts[1], bound), 12):
                for one in firsts:
                    yield one, two

    @staticmethod
    def parts(text, *words):
        for word in words:
            at = text.find(word)
            while at > 0:
                yield text[:at], text[at + len(word):]
                at = text.find(word, at + 1)

    def there(self, text, bound):
        if re.match(r"there (is|are) not (at|more|less|fewer) ", text):
            yield from (f"(not {part})" for part in self.there(text.replace(" not ", " ", 1), bound))
        found = re.fullmatch(rf"there (?:is|are) (no|some|a|an|(?:at least|at most|more than|less than|fewer than) {NUMBER}|"
                             rf"{NUMBER}) (.+)", text)
        if not found:
            return
        how, what = found[1], found[2]
        name = self.sorts.get(what) or self.plurals.get(what)
        if name:
            it, _ = self.fresh(name, bound)
            yield self.number_of(how, f"(count of {it}: {name})")
        for name, zone, rest in self.kinds(what, bound):
            it, inner = self.fresh(name, bound)
            if zone and not rest:
                yield self.number_of(how, f"(count of {it}: {name}{zone})")
            for part in self.predicates(it, rest, inner) if rest.startswith("that ") else ():
                yield self.number_of(how, f"(count of {it}: {name}{zone} where {part})")
        for value in [*self.values(what, bound), *self.values(f"the {what}", bound)]:
            if how in ("no", "some", "a", "an"):
                yield f"({value} is {'' if how == 'no' else 'not '}none)"

    @staticmethod
    def number_of(how, count):
        """So many of something."""
        if how in ("some", "a", "an"):
            return f"({count} >= 1)"
        if how == "no":
            return f"({count} = 0)"
        for words, sign in COMPARED:
            if how.startswith(words):
                number = how[len(words):].strip()
                return f"({count} {sign} {NUMBERS.get(number, number)})"
        return f"({count} = {NUMBERS.get(how, how)})"

    def quantified(self, text, bound):
        found = re.match(rf"(no|some|every|not every|(?:at least|at most|more than|less than|fewer than) {NUMBER}) ", text)
        if found:
            for name, zone, rest in self.kinds(text[found.end():], bound):
                it, inner = self.fresh(name, bound)
                for one, two in self.parts(rest, " and another one ") if found[1] == "some" else ():
                    other, _ = self.fresh(name, bound)
                    for a in self.predicates(it, one, inner):
                        for b in self.predicates(other, two, inner):
                            yield (f"(some {it}: {name}{zone} has {a} and (some {other}: {name}{zone} has "
                                   f"{other} != {it} and {b}))")
                for filter_, part in self.filtered(it, rest, inner):
                    where = f"{it}: {name}{zone}{filter_}"
                    if found[1] in ("every", "not every"):
                        yield f"({'not ' if found[1] != 'every' else ''}(every {where} has {part}))"
                    elif found[1] == "no":
                        yield f"(not (some {where} has {part}))"
                    elif found[1] == "some":
                        yield f"(some {where} has {part})"
                    elif not filter_:
                        yield self.number_of(found[1], f"(count of {where} where {part})")
        found = re.match(r"for (some|every|no) ", text)
        if found:
            for name, zone, rest in self.kinds(text[found.end():], bound):
                head, comma, tail = rest.partition(", ")
                if not comma:
                    continue
                it, inner = self.fresh(name, bound)
                filters = [""] if not head else []
                if head.startswith("that "):
                    filters = [f" where {part}" for part in self.predicates(it, head[len("that "):], inner)]
                word = "every" if found[1] == "every" else "some"
                for part in islice(self.conditions(tail, inner), 40):
                    for where in filters:
                        whole = f"({word} {it}: {name}{zone}{where} has ({part}))"
                        yield f"(not {whole})" if found[1] == "no" else whole

    def filtered(self, it, text, bound):
        """(" where ..." or nothing, what is said) of "that has no host has health 0"."""
        yield from (("", part) for part in self.predicates(it, text, bound))
        for verb in VERBS if text.startswith("that ") else ():
            for before, after in self.parts(text, verb):
                for where in islice(self.predicates(it, before[len("that "):], bound), 6):
                    for part in islice(self.predicates(it, verb.lstrip() + after, bound), 6):
                        yield f" where {where}", part

    def kinds(self, text, bound):
        """(sort, " in zone" or nothing, what stands after it) of words that begin with a sort, one or many."""
        for words, name in [*self.sorts.items(), *self.plurals.items()]:
            if text == words or text.startswith(words + " ") or text.startswith(words + ","):
                rest = text[len(words):]
                yield name, "", rest.lstrip(" ") if not rest.startswith(",") else rest
                if rest.startswith(" in "):
                    for zone, after in self.zone_first(rest[len(" in "):], bound):
                        yield name, f" in {zone}", after.lstrip(" ") if not after.startswith(",") else after

    def said(self, text, bound):
        """What is said with names in quotation marks."""
        found = re.fullmatch(r'"([^"]+)" (?:is|was) (not |no longer )?true( at the start)?', text)
        if found:
            for name in self.truths(found[1]):
                part = f"old {name}" if found[3] else name
                yield f"(not {part})" if found[2] else f"({part})"
        found = re.fullmatch(r"(.+) is (not )?(determined|contradictory|ambiguous)", text)
        if found and found[1] in self.defined:
            yield f"({found[2] or ''}({self.defined[found[1]]} is {found[3]}))"
        found = re.fullmatch(r'(nothing|something) waits in the queue "([^"]+)"', text)
        if found and found[2] in self.queues:
            yield f"({self.queues[found[2]]} is {'not ' if found[1] == 'something' else ''}empty)"
        found = re.fullmatch(r'the reading "([^"]+)" is (not )?taken as "[^"]*" \((\w+)\)', text)
        if found and found[1] in self.readings:
            yield f"({self.readings[found[1]].name} is {found[2] or ''}{found[3]})"

    def truths(self, words):
        name = words.replace(" ", "_")
        yield self.names.get(words, name)
        yield f"{name}()"

    def earlier(self, text, bound):
        """What was so at the start."""
        if text.startswith("at the start, "):
            for part in self.conditions(text[len("at the start, "):], bound):
                yield f"(old ({part}))"
        if text.endswith(" at the start"):
            body = text[: -len(" at the start")]
            for past, present in PAST:
                for before, after in self.parts(body, past):
                    for part in self.of_subject(f"{before}{present}{after}", bound):
                        yield f"(old ({part}))"

    # A subject and what is said of it -----------------------------------------------------------------

    def of_subject(self, text, bound):
        for word, sign in ((" does not equal ", "!="), (" equals ", "=")):
            for before, after in self.parts(text, word):
                for one in islice(self.values(before, bound), 6):
                    for two in islice(self.values(after, bound, one), 6):
                        yield f"({one} {sign} {two})"
        for before, after in self.parts(text, " does not have ", " has "):
            held = re.fullmatch(r"(.+) as its (.+)", after)
            if held and self.fields.get(held[2]):
                sign = "=" if f"{before} has " in text else "!="
                for one in islice(self.values(before, bound), 6):
                    for two in islice(self.values(held[1], bound), 6):
                        yield f"({one}.{self.fields[held[2]]} {sign} {two})"
        for before, after in self.parts(text, " is ", " has ", " lies ", " does not lie "):
            verb = text[len(before) + 1:]
            zone = self.zone(before, bound)
            for one in zone:
                if verb in ("is empty", "is not empty"):
                    yield f"({one} {verb})"
            for value in islice(self.values(before, bound), 20):
                yield from self.predicates(value, verb, bound)

    def predicates(self, it, text, bound):
        """What is said of `it` (a text in the language): `has power of at most 2`, `is not in hand`, ..."""
        text = text.removeprefix("that ")
        for said, meant in (("have ", "has "), ("are ", "is "), ("lies ", "is "), ("does not lie ", "is not ")):
            text = meant + text[len(said):] if text.startswith(said) else text
        if text.endswith(" at the start"):
            for past, present in PAST:
                if text.startswith(past.lstrip()):
                    now = present.lstrip() + text[len(past.lstrip()):-len(" at the start")]
                    for part in self.predicates(it, now, bound):
                        yield f"(old ({part}))"
        if text.startswith("either "):
            for one, two in self.parts(text[len("either "):], ", or ", " or "):
                for a in islice(self.predicates(it, one, bound), 6):
                    for b in islice(self.predicates(it, two, bound), 6):
                        yield f"({a} or {b})"
        head = text.removeprefix("both ")
        for one, two in self.parts(head, " and "):
            if re.match(r"(is|has|are|have|lies)\b", two):
                for a in self.predicates(it, one, bound):
                    for b in self.predicates(it, two, bound):
                        yield f"({a} and {b})"
        if text.startswith("is "):
            yield from self.being(it, text[len("is "):], bound)
        elif text.startswith("has "):
            yield from self.having(it, text[len("has "):], bound)

    def being(self, it, text, bound):
        no = ""
        if text.startswith("not ") or text.startswith("no longer "):
            no, text = "not ", text.removeprefix("not ").removeprefix("no longer ")
        if text == "out of the game":
            yield f"({it} is {no}removed)"
        if text == "in the game":
            yield f"({it} is {'' if no else 'not '}removed)"
        if text.startswith("in "):
            for zone in self.zone(text[len("in "):], bound):
                yield f"({it} is {no}in {zone})"
        for side in ("before", "after"):
            if text.startswith(side + " "):
                for other in self.values(text[len(side) + 1:], bound):
                    yield f"({no}({it} is {side} {other}))"
        if text in self.fields:
            yield f"({no}{it}.{self.fields[text]})"
        if re.fullmatch(r"[a-z][\w ]*", text):
            yield f"({no}{text.replace(' ', '_')}({it}))"
        for words, sign in COMPARED:
            if text.startswith(words + " "):
                for value in self.values(text[len(words) + 1:], bound, it):
                    yield f"({no}({it} {sign} {value}))"
        yield from self.one_of(it, text, bound, no, "!=" if no else "=")

    def one_of(self, place, text, bound, no, sign):
        """One value, or one of several."""
        if text == "none":
            yield f"({place} is {no}none)"
            return
        for value in self.values(text, bound, place):
            yield f"({place} {sign} {value})"
        texts = re.split(r", | or ", text)
        rows = [self.range_or_value(place, t, bound) for t in texts]
        if (len(texts) > 1 or " to " in text) and all(rows):
            yield f"({no}({' or '.join(rows)}))"

    def range_or_value(self, place, text, bound):
        found = re.fullmatch(r"(-?\d+) to (-?\d+)", text)
        if found:
            return f"({place} >= {found[1]} and {place} <= {found[2]})"
        first = next(iter(self.values(text, bound, place)), None)
        return None if first is None else f"{place} = {first}"

    def having(self, it, text, bound):
        held = re.fullmatch(r"(.+) as its (.+)", text)
        for value in self.values(held[1], bound) if held and self.fields.get(held[2]) else ():
            yield f"({it}.{self.fields[held[2]]} = {value})"
        for words, name in self.fields.items():
            for begun in (f"a {words}", f"an {words}"):
                if name and text.startswith(begun + " that "):
                    for part in self.predicates(f"{it}.{name}", text[len(begun) + 6:], bound):
                        yield f"({it}.{name} is not none and {part})"
                        yield f"({part})"
            place = f"{it}.{name}" if name else f"(holder of {it})"
            if text in (f"no {words}", f"some {words}", f"a {words}"):
                yield f"({place} is {'' if text.startswith('no ') else 'not '}none)"
            if not text.startswith(words + " "):
                continue
            rest = text[len(words) + 1:]
            for other, sign in (("smaller than its ", "<"), ("larger than its ", ">"), ("of less than its ", "<"),
                                ("no smaller than its ", ">="), ("no larger than its ", "<="), ("of more than its ", ">"), ("of at most its ", "<="), ("of at least its ", ">="),
                                ("other than its ", "!="), ("equal to its ", "="), ("of its ", "="), ("as its ", "=")):
                if rest.startswith(other) and rest[len(other):] in self.fields:
                    yield f"({place} {sign} {it}.{self.fields[rest[len(other):]]})"
            yield from self.compared(place, rest, bound)
        for words, name in self.told.items():
            if text.startswith(words + " "):
                yield from self.compared(f"{name}({it})", text[len(words) + 1:], bound)
        for how, sign in (("less", "<"), ("more", ">")):
            found = re.fullmatch(rf"{how} (.+?) than (.+)", text)
            if found and found[1] in self.fields:
                place = f"{it}.{self.fields[found[1]]}"
                if found[2] == "at the start":
                    yield f"({place} {sign} old {place})"
                for value in self.values(found[2], bound, place):
                    yield f"({place} {sign} {value})"

    def compared(self, place, rest, bound):
        """`of at most 2`, `other than 1`, `2 or 3`: of what a place holds."""
        for of, sign in COMPARED:
            if rest.startswith(f"of {of} "):
                for value in self.values(rest[len(of) + 4:], bound, place):
                    yield f"({place} {sign} {value})"
        if rest.startswith("other than "):
            yield from self.one_of(place, rest[len("other than "):], bound, "not ", "!=")
        yield from self.one_of(place, rest, bound, "", "=")

    # Values -------------------------------------------------------------------------------------------

    def values(self, text, bound, it=None):
        """Numbers, entities, values of enumerations, ..., as texts in the language; `it` is what was named before."""
        if text.startswith("`") and text.endswith("`") and "`" not in text[1:-1]:
            yield f"({text[1:-1]})"
        if re.fullmatch(r"-?\d+", text):
            yield text
            return
        if text in ("true", "false", "none"):
            yield text
        if text == "what it was at the start" and it is not None:
            yield f"(old ({it}))"
        if text.startswith("what ") and text.endswith(" was at the start"):
            for value in self.values(text[len("what "):-len(" was at the start")], bound):
                yield f"(old ({value}))"
        if text in self.names:
            yield self.names[text]
        if text.startswith("that ") and text[5:] in self.sorts and self.sorts[text[5:]] in bound:
            yield bound[self.sorts[text[5:]]]
        yield from self.counted(text, bound)
        yield from self.reckoned(text, bound)
        for words, name in self.fields.items():
            for head in (words, "the " + words):
                if text.startswith(head + " of "):
                    for of in self.values(text[len(head) + 4:], bound):
                        yield f"({of}).{name}" if name else f"(holder of {of})"
        for words, name in self.defined.items():
            if text.startswith(words + " of "):
                yield from (f"{name}({of})" for of in self.values(text[len(words) + 4:], bound))
                for one, two in self.parts(text[len(words) + 4:], " and "):
                    for a in islice(self.values(one, bound), 6):
                        yield from (f"{name}({a}, {b})" for b in islice(self.values(two, bound), 6))
        yield from self.placed(text, bound)

    def placed(self, text, bound):
        found = re.match(r"the (first|last) (\w+) in ", text)
        if found and found[2] in self.sorts:
            for zone in self.zone(text[found.end():], bound):
                yield f"({found[1]} of {zone})"
        for which in ("first", "last"):
            if text.startswith(f"the {which} "):
                yield from self.of_kind(which, text[len(f"the {which} "):], bound)
        found = re.match(r"the (\w+) (before|after) ", text)
        if found and found[1] in self.sorts:
            way = "next after" if found[2] == "after" else "previous before"
            for of in self.values(text[found.end():], bound):
                yield f"({way} {of})"
        found = re.match(r"the neighbour (before|after) ", text)
        if found:
            for of in self.values(text[found.end():], bound):
                yield f"(neighbour {found[1]} {of})"

    def of_kind(self, word, text, bound):
        """`word` over the things that a text speaks of, such as "Cards in row that are red"."""
        for name, zone, rest in self.kinds(text, bound):
            it, inner = self.fresh(name, bound)
            if not rest:
                yield f"({word} {it}: {name}{zone})"
            elif rest.startswith("that "):
                for part in self.predicates(it, rest, inner):
                    yield f"({word} {it}: {name}{zone} where {part})"

    def counted(self, text, bound):
        found = re.fullmatch(r"the number of things pending in (.+)", text)
        if found and found[1] in self.queues:
            yield f"(size of {self.queues[found[1]]})"
        if text.startswith("the number of "):
            yield from self.of_kind("count of", text[len("the number of "):], bound)
        for begun, word in (("the total of ", "sum"), ("the largest ", "largest"), ("the smallest ", "smallest")):
            if not text.startswith(begun):
                continue
            for what, of in self.parts(text[len(begun):], " of all ", " of "):
                for name, zone, rest in self.kinds(of, bound):
                    it, inner = self.fresh(name, bound)
                    filters = [""] if not rest else []
                    if rest.startswith("that "):
                        filters = [f" where {part}" for part in self.predicates(it, rest, inner)]
                    fields = [self.fields.get(part) for part in what.split(" and ")]
                    bodies = [" + ".join(f"{it}.{f}" for f in fields)] if None not in fields else list(self.values(what, inner))
                    for body in bodies:
                        for where in filters:
                            yield f"({word} of {body} over {it}: {name}{zone}{where})" if word == "sum" else \
                                f"({word} {body} over {it}: {name}{zone}{where})"

    def reckoned(self, text, bound):
        for word, sign in ((" plus ", "+"), (" minus ", "-"), (" times ", "*"), (" divided by ", "divided by")):
            for one, two in self.parts(text, word):
                firsts = list(islice(self.values(one, bound), 6))
                for b in islice(self.values(two, bound), 6) if firsts else ():
                    for a in firsts:
                        yield f"({a} {sign} {b})"
        found = re.fullmatch(r"half of (.+?)(?:, rounded (up|down))?", text)
        if found:
            for value in self.values(found[1], bound):
                yield f"(half of ({value}){' rounded ' + found[2] if found[2] else ''})"
        found = re.fullmatch(r"the (smaller|larger) one of (.+)", text)
        if found:
            for one, two in self.parts(found[2], " and "):
                for a in islice(self.values(one, bound), 6):
                    for b in islice(self.values(two, bound), 6):
                        yield f"{'min' if found[1] == 'smaller' else 'max'}({a}, {b})"

    # Zones --------------------------------------------------------------------------------------------

    def zone(self, text, bound):
        """Texts for a zone, or a family of them."""
        for words, zone in self.zones.items():
            if text == words:
                yield zone.name
            if zone.owner is not None and text.startswith(words + " of "):
                for of in self.values(text[len(words) + 4:], bound):
                    yield f"{zone.name}({of})"

    def zone_first(self, text, bound):
        """(a zone, what stands after it) of words that begin with a zone."""
        ends = [m.start() for m in re.finditer(r"[ ,]", text)] + [len(text)]
        for end in ends:
            for zone in self.zone(text[:end], bound):
                yield zone, text[end:]


__all__ = ["Words"]
