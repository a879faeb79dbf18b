"""Boards and runs as a report writes them: reading boards, replaying choices, where two ends differ."""

from __future__ import annotations

from .model import CREATED, REMOVED, STRIDE, Choice, Consult, Data, End, slot_of
from .names import plain, split


class Cannot(Exception):
    """What the report says cannot be followed."""


class BoardText:
    """A board of a report, as data, with the names of its entities."""

    def __init__(self, spec, board):
        self.spec = spec
        self.names = {}  # identity -> name
        self.by_name = {}
        counts = {}
        rows = {sort.name: [] for sort in spec.sorts}
        for entity in board["entities"]:
            sort = next((s for s in spec.sorts if s.name == entity["sort"]), None)
            if sort is None:
                raise Cannot(f"no sort {entity['sort']}")
            slot = counts.get(sort.name, 0)
            counts[sort.name] = slot + 1
            identity = sort.base + slot
            self.names[identity] = entity["name"]
            self.by_name[entity["name"]] = identity
            rows[sort.name].append(entity)
        entities = []
        for sort in spec.sorts:
            entities.append(tuple(
                (REMOVED if e["removed"] else 0,
                 *(self.value(place, e["fields"].get(place.name, e["fields"].get(plain(place.name))))
                   for place in sort.fields))
                for e in rows[sort.name]))
        variables = tuple(
            self.value(place, board["variables"].get(place.name, board["variables"].get(plain(place.name))))
            for place in spec.variables)
        zones = []
        for zone in spec.zones:
            if zone.owner is None:
                zones.append(self.content(board, zone.name))
            else:
                zones.append(tuple(
                    self.content(board, f"{zone.name} of {owner['name']}") for owner in rows[zone.owner.name]))
        for zone in spec.zones:
            if zone.unordered:
                c = zones[zone.index]
                zones[zone.index] = tuple(sorted(c)) if zone.owner is None else tuple(tuple(sorted(x)) for x in c)
        self.data = Data(tuple(entities), variables, tuple(zones), tuple(() for _ in spec.queues))

    def content(self, board, name):
        zones = board["zones"]
        if name not in zones:
            name = plain(name)
        if name not in zones:
            raise Cannot(f"the board has no zone {name}")
        return tuple(self.by_name[n] for n in zones[name])

    def value(self, place, text):
        if text is None:
            raise Cannot(f"the board has no value of {place.full_name}")
        kind = place.type.kind
        if kind == "integer":
            return int(text)
        if kind == "boolean":
            return text == "true"
        if kind == "enum":
            return next((v for v in place.type.values if v == text or plain(v) == text), text)
        if text == "none":
            return None
        return self.by_name[text]


def padded(spec, machine, sequence, data):
    """The board as a machine starts from it (with room for created entities, if it wants that)."""
    return machine.start(sequence, data)


class Replay:
    """A run that takes the choices of a report."""

    def __init__(self, spec, machine, state, assignment, names, choices, trace, like=lambda state: state):
        """`like`: what two states have in common that are the same."""
        self.spec = spec
        self.machine = machine
        self.assignment = assignment
        self.names = dict(names)
        self.path = [state]
        self.events = []
        self.end = None
        self.asked = 0
        self.after_choices = 0  # the position in the path after the last choice
        offered = [m["choice"] for m in trace or () if m["choice"]]
        choices = list(choices)
        self.like = like
        self.asked_again = False  # it stops where it could choose among what it has chosen among before
        seen, met = {like(state)}, set()
        while True:
            result = machine.advance(self.path[-1], assignment)
            if type(result) is Consult:
                raise Cannot(f"the run consults {result.reading.name}, which the report does not give")
            if type(result) is End:
                self.events.append(result.events)
                self.end = result
                break
            if type(result) is Choice:
                among = frozenset(like(a.state) for a in result.alternatives)
                if self.asked >= len(choices):
                    self.asked_again = among in met
                    break
                met.add(among)
                offer = offered[self.asked] if self.asked < len(offered) else None
                alternative = self.pick(result, choices[self.asked], offer)
                self.asked += 1
                self.events.append(alternative.events)
                state = alternative.state
                self.after_choices = len(self.path)
            else:
                self.events.append(result.events)
                state = result.state
            self.path.append(state)
            if like(state) in seen and self.asked >= len(choices):
                break
            seen.add(like(state))
            # On boards that the file writes down there may be no bounds: what is shown came long before.
            if len(self.path) > 20000:
                if self.asked < len(choices):
                    raise Cannot("the run is too long")
                break
        if self.asked < len(choices):
            raise Cannot(f"the run ends after {self.asked} of {len(choices)} choices")

    def comes_back(self):
        """Whether it goes round for ever, but for what only counts."""
        last = self.like(self.path[-1])
        return self.end is None and (self.asked_again or any(self.like(state) == last for state in self.path[:-1]))

    def pick(self, choice, wanted, offer):
        texts = [self.label(choice, a.label) for a in choice.alternatives]
        if choice.conflict:  # a field is told with its entity; the values of one place differ
            texts = [t and competing(t) for t in texts]
            wanted = competing(wanted)
            offer = offer and {**offer, "offered": [competing(t) for t in offer["offered"]]}
        found = [n for n, t in enumerate(texts) if t is not None and t == wanted]
        if len(found) == 1:
            return choice.alternatives[found[0]]
        if offer is not None:
            if len(offer["offered"]) != len(choice.alternatives):
                raise Cannot(f"{len(offer['offered'])} alternatives are offered, and the judge has {len(texts)}")
            if found and len(found) > 1:
                return choice.alternatives[found[0]]
            known = [t for t in texts if t is not None]
            offered = sorted(plain(t) for t in offer["offered"])
            if len(known) == len(texts) and sorted(map(plain, known)) != offered and choice.kind == "order":
                raise Cannot(f"offered are {offer['offered']}, and the judge has {texts}")
            return choice.alternatives[offer["offered"].index(wanted)]
        if not found:
            raise Cannot(f"nobody offers {wanted!r}: {texts}")
        return choice.alternatives[found[0]]

    def name(self, identity):
        return self.names.get(identity)

    def label(self, choice, label):
        kind = label[0]
        if kind in ("entity", "card", "insertion", "unit") and type(label[1]) is int:
            return self.name(label[1])
        if kind in ("value", "place", "unit", "number"):
            v = label[1]
            if v is None:
                return "none"
            if type(v) is bool:
                return "true" if v else "false"
            if type(v) is int and kind == "place":
                return self.name(v)
            return str(v)
        if kind == "step":
            for sequence in self.spec.sequences.values():
                if sequence.site is choice.site:
                    return plain(sequence.steps[label[1]].name)
        if kind == "option":
            return label[2]
        if kind == "case":
            return f"case {label[1] + 1}"
        if kind == "announcement":
            return self.announcement(self.spec.events[label[1]], label[2])
        if kind == "write" and len(label) > 2 and label[1].startswith("set "):
            v = label[2]
            shown = self.name(v) if type(v) is int and v >= STRIDE else "none" if v is None else str(v).lower()
            return f"{plain(label[1][4:])} = {shown}"
        if kind == "write" and len(label) > 2 and label[1].startswith("to "):
            _, zone, owner, first = label[2]
            return f" to {'top of ' if first else ''}{plain(zone.name)}" + (f" of {self.name(owner)}" if owner is not None else "")
        if kind == "may" and label[2]:
            return label[2] if label[1] else f"not {label[2]}"
        return None

    def announcement(self, event, payload):
        """An event with what it tells; None if some entity has no name."""
        texts = []
        for (_, type_), v in zip(event.parameters, payload):
            if v is None:
                texts.append("none")
            elif type_.kind in ("entity", "optional"):
                texts.append(self.name(v))
            else:
                texts.append(str(v) if type_.kind == "enum" else str(v).lower())
        if not texts:
            return event.name
        return None if None in texts else f"{event.name}({', '.join(texts)})"


def competing(text: str) -> str:
    """What tells one of competing writes from the others: the value, or where something is moved."""
    value = text.rpartition(" = ")[2]
    return value.rpartition(" to ")[2]


def example_labels(play, choice, label):
    """What `choose` lines of an example call an alternative."""
    names = {identity: name for name, identity in play.example.board.names.items()}
    reader = Replay.__new__(Replay)
    reader.spec = play.spec
    reader.names = names
    return reader.label(choice, label)


# Where two ends differ --------------------------------------------------------------------------------


def flat(spec, data, name):
    """{what: text} of everything in data, by the words of a report."""
    found = {}

    def text(place, v):
        if v is None:
            return "none"
        if place.type.kind in ("entity", "optional"):
            return name(v) or "?"
        if type(v) is bool:
            return "true" if v else "false"
        return plain(str(v)) if place.type.kind == "enum" else str(v)

    for sort in spec.sorts:
        for slot, entity in enumerate(data.entities[sort.index]):
            if entity is None or entity[0] & CREATED:
                continue
            who = name(sort.base + slot)
            for place in sort.fields:
                found[f"{plain(place.name)} of {who}"] = text(place, entity[1 + place.index])
    for place in spec.variables:
        found[plain(place.name)] = text(place, data.variables[place.index])
    return found


def differences(spec, observer, first, second, name):
    """{(what, first, second)} of fields and variables that an observer of everything sees."""
    a, b = flat(spec, first, name), flat(spec, second, name)
    for sort in spec.sorts:
        for slot, (one, two) in enumerate(zip(first.entities[sort.index], second.entities[sort.index])):
            if one is not None and two is not None and one[0] & REMOVED != two[0] & REMOVED:
                who = name(sort.base + slot)
                a[who], b[who] = ("not there" if e[0] & REMOVED else "there" for e in (one, two))
    return {(k, a[k], b[k]) for k in a if k in b and a[k] != b[k]}


def entity_count(data):
    return sum(1 for row in data.entities for e in row if e is not None)


__all__ = ["BoardText", "Replay", "Cannot", "differences", "entity_count", "slot_of", "split"]
