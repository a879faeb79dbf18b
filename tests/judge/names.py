"""What things are called in reports: entities, labels of alternatives, zones and values."""

from __future__ import annotations

from .model import CREATED, slot_of, sort_of


def plain(name):
    """A name of a specification as reports write it: `first_player` is "first player"."""
    return name.replace("_", " ")


class Names:
    """The names of entities on runs from one board."""

    def __init__(self, spec, data, given=None):
        self.spec = spec
        self.given = {identity: name for name, identity in (given or {}).items()}
        self.board = {}
        for sort in spec.sorts:
            for slot, entity in enumerate(data.entities[sort.index]):
                if entity is not None and not entity[0] & CREATED:
                    identity = sort.base + slot
                    self.board[identity] = self.given.get(identity) or f"{split(sort.name)} {slot + 1}"

    def entity(self, identity, data=None):
        if identity in self.board:
            return self.board[identity]
        return None

    def value(self, v):
        if v is None:
            return "none"
        if v is True:
            return "true"
        if v is False:
            return "false"
        return str(v)


def split(name):
    """`SpellCard` and `Spell_Card` are "spell card"."""
    words = ""
    for i, c in enumerate(name):
        if c.isupper() and i and name[i - 1].islower():
            words += " "
        words += c.lower() if c != "_" else " "
    return words


__all__ = ["Names", "plain", "split", "slot_of", "sort_of"]
