"""Whether two assignments allow other outcomes once the same has been chosen (docs/semantics.md §7, F0406)."""

from __future__ import annotations

from collections import deque

from .model import Choice, Next


def to_choice(graph, i):
    """The next state where something is chosen, or the run ends; where it goes round before that, a state of the round."""
    seen = set()
    while type(graph.results[i]) is Next and i not in seen:
        seen.add(i)
        i = graph.succ[i][0]
    return i


def asked(choice):
    """What is to be chosen there."""
    return choice.kind, choice.site


def differ_after_choices(first, second, observer):
    """Whether some alternative has other outcomes under the one than under the other, where the same was chosen before."""
    one, two = first.values(observer), second.values(observer)
    todo, known = deque([(to_choice(first, 0), to_choice(second, 0))]), set()
    while todo:
        i, j = todo.popleft()
        if (i, j) in known:
            continue
        known.add((i, j))
        here, there = first.results[i], second.results[j]
        if type(here) is not Choice or type(there) is not Choice or asked(here) != asked(there):
            continue
        others = {a.label: m for m, a in enumerate(there.alternatives)}
        for k, a in enumerate(here.alternatives):
            if a.label not in others:
                continue
            x, y = first.succ[i][k], second.succ[j][others[a.label]]
            if one[x] != two[y]:
                return True
            todo.append((to_choice(first, x), to_choice(second, y)))
    return False


__all__ = ["differ_after_choices"]
