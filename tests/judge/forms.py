"""Expressions that look into zones or range over elements; the second half of `evaluate.Compiler`."""

from __future__ import annotations

from .model import NoValue, Type
from .parse import Tree
from .values import BOOLEAN, INTEGER, LACKS, Binder, Code, Missing, Scope, all_of, checked, spend, where_is


def ordered(sort) -> tuple:
    return tuple(zone for zone in sort.zones if not zone.unordered)


class Forms:
    """Zones, binders and folds. `self` is a Compiler. What looks at how zones are arranged notes in its tree at which."""

    # -- zones

    def zone(self, tree: Tree, scope: Scope, family: bool = False) -> tuple:
        """(contents, Zone, the owner of an applied family or None, whether it is an unapplied family, weight)."""
        if tree.kind not in ("name", "call"):
            self.wrong(tree, "expected a zone", "E0301")
        zone = self.world.zones.get(tree.name)
        if zone is None:
            known = tree.name in scope.names or tree.name in self.world.shared_names()
            self.wrong(tree, f"found `{tree.name}`, expected a zone", "E0205" if known else "E0201")
        self.world.spoken.zone(zone)
        index = zone.index
        if tree.kind == "call":
            if zone.owner is None or len(tree.arguments) != 1:
                expected = "none" if zone.owner is None else "1"
                self.wrong(tree, f"{len(tree.arguments)} arguments of a zone, expected {expected}", "E0305")
            owner = self.entity(tree.arguments[0], scope, zone.owner)
            f, base = owner.run, zone.owner.base
            return (lambda d, l, a, o: d[2][index][f(d, l, a, o) - base]), zone, f, False, 1 + owner.weight
        if zone.owner is None:
            return (lambda d, l, a, o: d[2][index]), zone, None, False, 1
        if not family:
            self.wrong(tree, f"found the zones `{zone.name}` of every `{zone.owner.name}`, expected one", "E0305")
        return (lambda d, l, a, o: sum(d[2][index], ())), zone, None, True, 1

    def on_end(self, tree, scope, want):
        contents, zone, _, _, weight = self.zone(tree.inner, scope)
        if zone.unordered:
            self.wrong(tree.inner, f"found the unordered zone `{zone.name}`", "E0412")
        tree.arranged = (zone,)
        at = 0 if tree.first else -1
        words, span = tree.inner.words, tree.inner.span

        def end(d, l, a, o):
            inside = contents(d, l, a, o)
            if not inside:
                raise NoValue("empty zone", words, span)
            return inside[at]

        return Code(end, zone.sort.type, 1 + weight)

    def on_holder(self, tree, scope, want):
        code = self.entity(tree.inner, scope)
        families = [zone for zone in code.type.sort.zones if zone.owner is not None]
        owners = {zone.owner.index: zone.owner for zone in families}
        if len(owners) != 1:
            self.wrong(tree, "families of one sort of owners are needed", "E0305")
        owner = families[0].owner
        f, base, indices = code.run, owner.base, tuple(zone.index for zone in families)

        def holder(d, l, a, o):
            entity = f(d, l, a, o)
            for index in indices:
                for slot, inside in enumerate(d[2][index]):
                    if entity in inside:
                        return base + slot
            return None

        return Code(holder, owner.optional, 1 + code.weight)

    def on_neighbour(self, tree, scope, want):
        code = self.entity(tree.inner, scope)
        f, sort, before = code.run, code.type.sort, tree.before
        tree.arranged = ordered(sort)

        def neighbour(d, l, a, o):
            entity = f(d, l, a, o)
            found = where_is(d, sort, entity)
            if found is None or found[0].unordered:
                return None
            inside, at = found[2], found[3]
            if before:
                return inside[at - 1] if at else None
            return inside[at + 1] if at + 1 < len(inside) else None

        return Code(neighbour, sort.optional, 1 + code.weight)

    def on_such(self, tree, scope, want):
        """The element nearest to an end of one ordered zone for which the filter is true, which is asked of all."""
        binder = self.binder(tree.binder, scope)
        where = tree.binder.zone or tree.binder
        if binder.zone is None:
            self.wrong(where, "found no zone, expected one that has ends", "E0412")
        if binder.family:
            self.wrong(where, f"found the zones `{binder.zone.name}` of every owner, expected one", "E0305")
        if binder.zone.unordered:
            self.wrong(where, f"found the unordered zone `{binder.zone.name}`", "E0412")
        tree.arranged = (binder.zone,)
        elements, at = binder.elements, 0 if tree.first else -1

        def such(d, l, a, o):
            found = elements(d, l, a, o)
            return found[at] if found else None

        return Code(such, binder.zone.sort.optional, 1 + binder.weight)

    def nearer(self, tree, scope, before: bool):
        """`c is before d`, `c is after d`: both lie in one ordered zone, and the left one nearer to that end."""
        left = self.entity(tree.left, scope)
        sort = left.type.sort
        right = self.entity(tree.right, scope, sort)
        if all(zone.unordered for zone in sort.zones):
            self.wrong(tree, f"a `{sort.name}` lies in no zone that is ordered", "E0412")
        f, g, negated = left.run, right.run, tree.negated
        tree.arranged = ordered(sort)

        def is_nearer(d, l, a, o):
            one, two = where_is(d, sort, f(d, l, a, o)), where_is(d, sort, g(d, l, a, o))
            if one is None or two is None or one[:2] != two[:2] or one[0].unordered:
                return negated
            return (one[3] < two[3] if before else one[3] > two[3]) != negated

        return Code(is_nearer, BOOLEAN, 1 + left.weight + right.weight)

    # -- binders

    def bound(self, tree, scope: Scope, name: str, type_: Type) -> Scope:
        if name in scope.names or name in self.world.shared_names() or name in self.world.values:
            self.wrong(tree, f"`{name}` already means something here", "E0203")
        return scope.bind(name, type_)

    def binder(self, tree: Tree, scope: Scope) -> Binder:
        zone = owner = None
        family = False
        if tree.zone is not None:
            everything, zone, owner, family, weight = self.zone(tree.zone, scope, family=True)
            type_ = zone.sort.type
            if tree.sort is not None and self.sort_or_type(tree) is not type_:
                self.wrong(tree, f"found a `{zone.sort.name}`, expected a `{tree.sort}`", "E0301")
        else:
            type_ = self.sort_or_type(tree)
            weight = 1
            if type_.kind == "entity":
                everything = all_of(type_.sort)
            else:
                values = type_.values
                everything = lambda d, l, a, o: values  # noqa: E731
        self.world.spoken.sort(type_.sort)
        inner = self.bound(tree, scope, tree.name, type_)
        if tree.where is None:
            def elements(d, l, a, o):
                found = everything(d, l, a, o)
                spend(len(found))
                return found

            return Binder(elements, everything, None, inner, type_, zone, owner, family, weight)
        where = self.as_type(tree.where, inner, BOOLEAN)
        admits, cost = where.run, 1 + where.weight

        def filtered(d, l, a, o):
            found, missing = [], None
            for element in everything(d, l, a, o):
                spend(cost)
                try:
                    if admits(d, l + (element,), a, o):
                        found.append(element)
                except LACKS as why:
                    missing = missing or Missing()
                    missing.add(why)
            if missing:
                missing.tell()
            return found

        return Binder(filtered, everything, admits, inner, type_, zone, owner, family, weight + where.weight)

    def sort_or_type(self, tree) -> Type:
        name = tree.sort
        if name == "boolean":
            return BOOLEAN
        if name in self.world.sorts:
            return self.world.sorts[name].type
        if name in self.world.types:
            return self.world.types[name]
        known = name in self.world.shared_names()
        self.wrong(tree, f"found `{name}`, expected a sort or type", "E0311" if known else "E0201")

    def on_count(self, tree, scope, want):
        binder = self.binder(tree.binder, scope)
        elements = binder.elements
        return Code(lambda d, l, a, o: len(elements(d, l, a, o)), INTEGER, 1 + binder.weight)

    def values_of(self, tree, scope) -> tuple:
        """What the body of a fold is, for each element; all are looked at."""
        binder = self.binder(tree.binder, scope)
        body = self.as_type(tree.body, binder.scope, INTEGER)
        elements, f, cost = binder.elements, body.run, body.weight

        def values(d, l, a, o):
            found, missing = [], None
            for element in elements(d, l, a, o):
                spend(cost)
                try:
                    found.append(f(d, l + (element,), a, o))
                except LACKS as why:
                    missing = missing or Missing()
                    missing.add(why)
            if missing:
                missing.tell()
            return found

        return values, 1 + binder.weight + body.weight

    def on_sum(self, tree, scope, want):
        values, weight = self.values_of(tree, scope)

        def total(d, l, a, o):
            return checked(sum(values(d, l, a, o)))

        return Code(total, INTEGER, weight)

    def extreme(self, tree, scope, pick):
        values, weight = self.values_of(tree, scope)
        words, span = tree.words, tree.span

        def found(d, l, a, o):
            candidates = values(d, l, a, o)
            if not candidates:
                raise NoValue("largest of nothing", words, span)
            return pick(candidates)

        return Code(found, INTEGER, weight)

    def on_largest(self, tree, scope, want):
        return self.extreme(tree, scope, max)

    def on_smallest(self, tree, scope, want):
        return self.extreme(tree, scope, min)

    def quantifier(self, tree, scope, decisive: bool):
        binder = self.binder(tree.binder, scope)
        body = self.as_type(tree.body, binder.scope, BOOLEAN)
        elements, f, cost = binder.elements, body.run, body.weight

        def quantified(d, l, a, o):
            missing = None
            for element in elements(d, l, a, o):
                spend(cost)
                try:
                    if f(d, l + (element,), a, o) == decisive:
                        return decisive
                except LACKS as why:
                    missing = missing or Missing()
                    missing.add(why)
            if missing:
                missing.tell()
            return not decisive

        return Code(quantified, BOOLEAN, 1 + binder.weight + body.weight)

    def on_every(self, tree, scope, want):
        return self.quantifier(tree, scope, False)

    def on_some(self, tree, scope, want):
        return self.quantifier(tree, scope, True)
