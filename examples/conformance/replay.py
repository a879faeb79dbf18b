"""Tests an implementation with the vectors that `endstep testgen` makes.

    endstep testgen ember.endstep -o vectors.json
    python3 replay.py vectors.json

For each vector: the board is set up, the choices of the vector are taken, and the outcome has to be that
of the vector. Then the board is played in every way in which choices can be taken, and the outcomes have
to be just those that the vector allows. Exit code 1 if something differs.
"""

import json
import sys

import ember


class Wrong(Exception):
    pass


def table_of(board):
    """A table of the implementation from a board of a vector."""
    cards = {
        one["name"]: ember.Card(one["name"], one["fields"]["kind"], one["fields"]["health"])
        for one in board.get("entities", [])
    }
    zones = {one["zone"]: one["holds"] for one in board.get("zones", [])}
    return ember.Table([cards[name] for name in zones.get("row", [])])


def seen_of_table(table):
    """What the observer of the vectors sees of a table of the implementation."""
    cards = table.row + table.ashes
    return (
        {card.name: card.health for card in cards},
        [card.name for card in table.row],
        sorted(card.name for card in table.ashes),
    )


def seen_of_data(data):
    """The same of data of a vector. A zone that is seen as a set has no order."""
    zones = {one["zone"]: one["holds"] for one in data.get("zones", [])}
    return (
        {one["name"]: one["fields"]["health"] for one in data.get("entities", [])},
        zones.get("row", []),
        sorted(zones.get("ashes", [])),
    )


def follow(vector):
    """Takes the choices of a vector."""
    choices = [one["choice"] for one in vector["moments"] if "choice" in one]

    def choose(what, options):
        if not choices:
            raise Wrong(f"asks to choose a {what}, where nothing is open")
        taken = choices.pop(0)["taken"]
        if what == "whether" and "taken" in taken:
            return taken["taken"][1]
        for card in options if what == "card" else []:
            if card.name == taken.get("entity"):
                return card
        raise Wrong(f"asks to choose a {what}, where {taken} is chosen")

    table = table_of(vector["board"])
    ember.cleanup(table, choose)
    if choices:
        raise Wrong(f"does not ask for {choices[0]['taken']}")
    return seen_of_table(table)


def all_ways(board):
    """Every outcome: each way to choose is a list of numbers, and the next is found by counting on."""
    outcomes, way = [], []
    while True:
        sizes = []

        def choose(what, options):
            sizes.append(len(options))
            if len(sizes) > len(way):
                way.append(0)
            return options[way[len(sizes) - 1]]

        table = table_of(board)
        ember.cleanup(table, choose)
        seen = seen_of_table(table)
        if seen not in outcomes:
            outcomes.append(seen)
        while way and way[-1] + 1 == sizes[len(way) - 1]:
            way.pop()
        if not way:
            return outcomes
        way[-1] += 1


def test(vector):
    if vector["outcome"]["tag"] != "end":
        raise Wrong("this implementation has no other outcomes than the end")
    expected = seen_of_data(vector["outcome"]["data"])
    found = follow(vector)
    if found != expected:
        raise Wrong(f"comes to {found}, expected {expected}")
    if vector["allowed"] is None:
        return
    allowed = [seen_of_data(one["data"]) for one in vector["allowed"]]
    possible = all_ways(vector["board"])
    for one in possible:
        if one not in allowed:
            raise Wrong(f"can come to {one}, which is not allowed")
    for one in allowed:
        if one not in possible:
            raise Wrong(f"can never come to {one}, which is allowed")


def main(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    assert (vectors["schema"], vectors["version"]) == ("endstep vectors", 1)
    wrong = 0
    for vector in vectors["vectors"]:
        try:
            test(vector)
            print(f"ok     {vector['name']}")
        except Wrong as why:
            wrong += 1
            print(f"WRONG  {vector['name']}: {why}")
    print(f"{len(vectors['vectors']) - wrong} of {len(vectors['vectors'])} vectors agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
