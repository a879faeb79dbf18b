"""An implementation of the cleanup of Ember Row, as a game's own program might have it.

It knows nothing of Endstep. Whoever plays decides, through `choose`, where the rules leave something open.
"""


class Card:
    def __init__(self, name, kind, health):
        self.name, self.kind, self.health = name, kind, health


class Table:
    def __init__(self, row):
        self.row, self.ashes = row, []


def cleanup(table, choose):
    """Cleans the row up; `choose(what, options)` takes one of several options."""
    burn(table, choose)
    rise(table, choose)


def burn(table, choose):
    gone = set()
    while True:
        burning = [c for c in table.row if c.health <= 0 and c.name not in gone]
        if not burning:
            return
        card = burning[0] if len(burning) == 1 else choose("card", burning)
        gone.add(card.name)
        place = table.row.index(card)
        right = table.row[place + 1] if place + 1 < len(table.row) else None
        table.row.remove(card)
        table.ashes.append(card)
        if card.kind == "bomb" and right is not None:
            right.health -= 2


def rise(table, choose):
    phoenixes = [c for c in table.ashes if c.kind == "phoenix"]
    if not phoenixes or not choose("whether", [True, False]):
        return
    card = phoenixes[0] if len(phoenixes) == 1 else choose("card", phoenixes)
    card.health = 1
    table.ashes.remove(card)
    table.row.append(card)
