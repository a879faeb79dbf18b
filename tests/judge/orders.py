"""Orders that matter, with those to blame, and other choices that do (docs/semantics.md, §6 and §7)."""

from __future__ import annotations

from .graph import DIVERGES
from .model import Choice, sort_of
from .run import Passes


def subject(spec, choice):
    """What a point is called in reports."""
    if choice.alternatives[0].label[0] in ("instance", "listener"):
        for a in choice.alternatives:
            if a.label[0] == "instance":
                return "event " + spec.triggers[a.label[1].trigger].event.name
    return choice.site.path


def asked(spec, choice):
    """By which name reports ask whether the order at a point matters: of places apart from the list of steps."""
    places = choice.site.kind == "sequence" and choice.alternatives[0].label[0] != "step"
    return ("places of " if places else "") + subject(spec, choice)


def name_of(spec, choice, label):
    """What an element of an order is called in a cause: its sort, step or trigger."""
    kind = label[0]
    if kind in ("entity", "insertion", "card"):
        return spec.sorts[sort_of(label[1])].name
    if kind == "step":
        return choice.site_sequence.steps[label[1]].name if hasattr(choice, "site_sequence") else label[1]
    if kind == "instance":
        return spec.triggers[label[1].trigger].name
    if kind in ("place", "value"):
        v = label[1]
        if type(v) is int:
            return spec.sorts[sort_of(v)].name
        names = [name for name, type_ in spec.types.items() if v in type_.values]
        return names[0] if len(names) == 1 else "value"
    if kind == "announcement":
        return label[1]
    return str(label[1:])


def depth(state):
    control = state.control
    return (len(control), len(control[-1].frames)) if control else (0, 0)


OUTER = ("outer",)


def iteration(state, choice):
    """Which of the iterations of one frame chooses: a pass with places has two, and the inner one begins anew for
    each element of the outer one."""
    if choice.site.kind != "sequence":
        return None
    frame = state.control[choice.depth[0] - 1].frames[choice.depth[1] - 1]
    if type(frame[0]) is not Passes or not frame[0].sequence.has_places:
        return None
    by_steps = choice.alternatives[0].label[0] == "step"
    return OUTER if by_steps == (frame[3] == "steps") else ("inner", frame[5])


def steps_of(spec, site):
    for sequence in spec.sequences.values():
        if sequence.site is site:
            return sequence
    return None


class Points:
    """The order points of a graph, and what follows each of their alternatives."""

    def __init__(self, graph, observer):
        self.graph = graph
        self.values = graph.values(observer)
        self._after = {}

    def after(self, i, k):
        """(points where the same iteration chooses again, nodes where it is over, whether it may never be)."""
        key = (i, k)
        if key in self._after:
            return self._after[key]
        graph = self.graph
        choice = graph.results[i]
        site, level = choice.site, choice.depth
        own = iteration(graph.states[i], choice)
        points, over = set(), set()
        seen = {}
        ended = _pass_began(choice.alternatives[k].events, site) and depth(choice.alternatives[k].state)[0] <= level[0]
        work = []

        def visit(j, left):
            if left or depth(graph.states[j]) < level:
                over.add(j)
                return
            result = graph.results[j]
            if type(result) is Choice and result.site is site and result.depth == level:
                its = iteration(graph.states[j], result)
                if its == own:
                    points.add(j)
                    return
                if own != OUTER:  # what is inside of another element of the outer iteration
                    over.add(j)
                    return
            if not graph.succ[j]:
                over.add(j)
                return
            if j not in seen:
                seen[j] = None
                work.append(j)

        visit(graph.succ[i][k], ended)
        while work:
            j = work.pop()
            result = graph.results[j]
            for n, following in enumerate(graph.succ[j]):
                events = result.alternatives[n].events if type(result) is Choice else result.events
                left = _pass_began(events, site) and depth(graph.states[following])[0] <= level[0]
                visit(following, left)
        component, parts = graph.components()
        forever = any(
            parts[component[j]][1] and _cycles_inside(graph, j, seen) for j in seen
        )
        found = (points, over, forever)
        self._after[key] = found
        return found

    def both(self, i, k, m):
        """V(s·x·y) for the alternatives k and m at node i."""
        points, over, forever = self.after(i, k)
        values = self.values
        found = set()
        label = self.graph.results[i].alternatives[m].label
        for j in over:
            found |= values[j]
        for j in points:
            choice = self.graph.results[j]
            for n, a in enumerate(choice.alternatives):
                if a.label == label:
                    found |= values[self.graph.succ[j][n]]
                    break
            else:
                found |= values[j]
        if forever:
            found.add(DIVERGES)
        return frozenset(found)


def _pass_began(events, site):
    for e in events:
        if e[0] in ("pass", "cancelled") and e[1].site is site:
            return True
    return False


def _cycles_inside(graph, j, inside):
    """Whether a cycle through node j stays among the nodes `inside`."""
    work, seen = [j], set()
    while work:
        n = work.pop()
        for m in graph.succ[n]:
            if m == j:
                return True
            if m in inside and m not in seen:
                seen.add(m)
                work.append(m)
    return False


def same_gaps(first, second):
    """Whether both consist of gaps only, and of the same (§7)."""
    tags = []
    for v in (first, second):
        if not all(o[0] != "diverges" and type(o[0]) is tuple and o[0][0] == "gap" for o in v):
            return False
        tags.append({o[0] for o in v})
    return tags[0] == tags[1]


def order_facts(graph, observer, only=None, inside=None):
    """(points, blame, blamed): which order points there are and whether alternatives differ there, which pairs
    are to blame: {(site subject, pair): 'differs' | 'same gap'}, and by which names it is asked about orders that
    have such a pair. `only`: a site; `inside`: at which nodes."""
    spec = graph.spec
    values = graph.values(observer)
    points = {}
    blame = {}
    blamed = set()
    helper = None
    for i, choice in graph.choices():
        if choice.kind != "order" and not (only is not None and choice.site is only):
            continue
        if choice.conflict or (only is not None and choice.site is not only) or inside and not inside(i):
            continue
        about = subject(spec, choice)
        following = graph.succ[i]
        first = values[following[0]]
        differs = any(values[j] != first for j in following)
        points.setdefault(asked(spec, choice), []).append((i, differs))
        if len(values[i]) == 1:
            continue
        helper = helper or Points(graph, observer)
        alternatives = choice.alternatives
        for k in range(len(alternatives)):
            for m in range(k + 1, len(alternatives)):
                one, two = helper.both(i, k, m), helper.both(i, m, k)
                if one != two:
                    blamed.add(asked(spec, choice))
                    pair = pair_name(spec, choice, alternatives[k].label, alternatives[m].label)
                    # elements of an iteration are no steps (F0204)
                    steps = alternatives[k].label[0] == "step"
                    kind = "same gap" if steps and same_gaps(one, two) else "differs"
                    if blame.get((about, pair)) != "differs":
                        blame[about, pair] = kind
    return points, blame, blamed


def pair_name(spec, choice, first, second):
    names = []
    for label in (first, second):
        if label[0] == "step":
            names.append(steps_of(spec, choice.site).steps[label[1]].name)
        else:
            names.append(name_of(spec, choice, label))
    return " & ".join(sorted(names)) + decided(choice)


def decided(choice):
    """By whom, where that depends on a reading (§7): what nobody decides is told by itself."""
    iteration = getattr(choice.site, "iteration", None)
    order = getattr(iteration, "order", None)
    if choice.decider is None or order is None or len(order.deciders()) < 2:
        return ""
    return {"everyone": ", chosen by everyone", "chance": ", by chance"}.get(choice.decider, ", chosen by a player")


def pairs_met(graph):
    """{(site subject, pair)} that stood before somebody at the same time."""
    spec = graph.spec
    found = set()
    for _, choice in graph.choices():
        if choice.kind != "order" or choice.conflict:
            continue
        labels = [a.label for a in choice.alternatives]
        about = subject(spec, choice)
        for k in range(len(labels)):
            for m in range(k + 1, len(labels)):
                found.add((about, pair_name(spec, choice, labels[k], labels[m])))
    return found


def open_choices(graph, observer):
    """{('F0305' | 'F0306' | 'conflict', subject): whether continuations differ} (§6)."""
    values = graph.values(observer)
    found = {}
    for i, choice in graph.choices():
        if choice.decider is not None:
            continue
        if choice.conflict:
            key = ("conflict", choice.site.path)
        elif choice.kind == "gap" and choice.site.kind == "sequence":
            continue  # the values of a contract
        elif choice.kind == "gap":
            key = ("F0305", choice.site.path)
        elif choice.kind in ("selection", "distribution"):
            key = ("F0306", choice.site.path)
        else:
            continue
        following = graph.succ[i]
        first = values[following[0]]
        differs = any(values[j] != first for j in following)
        found[key] = found.get(key, False) or differs
    return found
