"""Order declarations so that each comes after those that it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def order(needs: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the strongly connected groups of a graph, what is needed before what needs it.

    Members of a group are sorted; a group of one is recursive only if it needs itself.
    Iterative (Tarjan), because chains of specs may be longer than Python's stack.
    """
    walk = _Walk(needs)
    for name in sorted(needs):
        if name not in walk.index:
            walk.visit(name)
    return walk.groups


class _Walk:
    def __init__(self, needs: Mapping[str, Sequence[str]]) -> None:
        self.needs = needs
        self.index: dict[str, int] = {}
        self.low: dict[str, int] = {}
        self.open: dict[str, None] = {}
        self.groups: list[tuple[str, ...]] = []

    def visit(self, start: str) -> None:
        """Walk everything that ``start`` needs, and close the groups on the way back."""
        path = [self._enter(start)]
        while path:
            name, inner = path[-1]
            for needed in inner:
                if needed not in self.index:
                    path.append(self._enter(needed))
                    break
                if needed in self.open:
                    self.low[name] = min(self.low[name], self.index[needed])
            else:
                path.pop()
                if path:
                    outer = path[-1][0]
                    self.low[outer] = min(self.low[outer], self.low[name])
                if self.low[name] == self.index[name]:
                    self._close(name)

    def _enter(self, name: str) -> tuple[str, Iterator[str]]:
        self.index[name] = self.low[name] = len(self.index)
        self.open[name] = None
        return name, iter(self.needs.get(name, ()))

    def _close(self, name: str) -> None:
        group: list[str] = []
        while True:
            last, _ = self.open.popitem()
            group.append(last)
            if last == name:
                break
        self.groups.append(tuple(sorted(group)))
