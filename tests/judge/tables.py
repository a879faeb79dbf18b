"""Tables: types whose values are rows, with a value printed in each column (docs/semantics.md §1)."""

from __future__ import annotations

from typing import Any

from .model import SpecError
from .parse import Tree

MOST_PRINTED = 16384


def printed(world: Any, trees: list) -> dict:
    """From the name of a table to its columns: from their names to their type, and to what is printed in each row."""
    if sum(len(tree.columns) * len(tree.rows) for tree in trees) > MOST_PRINTED:
        raise SpecError("too many printed values", "E0424", trees[-1].span)
    return {tree.name: {name: column(world, tree, name) for name in names(tree)} for tree in trees}


def names(tree: Tree) -> list:
    """The names of the columns, after a look at the table as a whole."""
    found = [one.name for one in tree.columns]
    if not found or not tree.rows:
        raise SpecError(f"the table `{tree.name}` has no columns or no rows", "E0422", tree.span)
    if len(set(found)) != len(found):
        raise SpecError("a column is declared twice", "E0202", tree.span)
    for row in tree.rows:
        given = [one.name for one in row.values]
        for name in given:
            if name not in found:
                raise SpecError(f"`{name}` is no column of `{tree.name}`", "E0208", row.span)
        if len(set(given)) != len(given):
            raise SpecError("a column is given twice", "E0421", row.span)
    return found


def column(world: Any, table: Tree, name: str) -> tuple:
    tree = next(one for one in table.columns if one.name == name)
    type_ = world.type_of(tree.type, name)
    if type_.sort is not None:
        raise SpecError("what is printed is no entity", "E0205", tree.span)
    document = None
    if type_.kind == "integer":
        if tree.type.explore or tree.type.reach:
            raise SpecError("what is printed is not explored", "E0417", tree.span)
        document = world.range(tree.type.document)

    def constant(value: Tree) -> Any:
        found = world.constant(value, type_)
        if document is not None and not document[0] <= found <= document[1]:
            raise SpecError(f"found {found}, expected {document[0]} to {document[1]}", "E0403", value.span)
        return found

    default = None if tree.default is None else constant(tree.default)
    rows = {}
    for row in table.rows:
        given = next((one.value for one in row.values if one.name == name), None)
        if given is None and tree.default is None:
            raise SpecError(f"the row `{row.name}` has no value for `{name}`", "E0408", row.span)
        rows[row.name] = default if given is None else constant(given)
    return type_, rows
