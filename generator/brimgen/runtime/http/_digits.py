"""Parse a response's JSON so that decimals keep their digits."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias, cast

from .._runtime.decode import to_plain
from .._runtime.encode import to_json_value

Place: TypeAlias = tuple[str | None, ...]
"""Where something stands: names of properties; None for any item, or any property not named."""


def with_digits(raw: Any, decimals: tuple[Place, ...]) -> Any:
    """Return ``raw``, as it was parsed, as JSON in which only what stands at ``decimals`` can be a
    Decimal: where no int or float says it exactly, as in ``to_dict`` of a generated class.

    Every other number is an int or the float nearest to it.
    """
    return _kept(raw, _tree(decimals)) if decimals else to_plain(raw)


class _Tree(dict[str | None, "_Tree"]):
    """What may be a Decimal by the first step to it; everything does where there is no step."""


@lru_cache(maxsize=256)
def _tree(places: tuple[Place, ...]) -> _Tree:
    tree = _Tree()
    for place in places:
        node = tree
        for step in place:
            node = node.setdefault(step, _Tree())
    return tree


def _kept(raw: Any, tree: _Tree) -> Any:
    if not tree:
        return to_json_value(raw)
    rest = tree.get(None)
    if isinstance(raw, dict):
        items = cast("Any", raw).items()
        return {name: _inner(item, tree.get(name, rest)) for name, item in items}
    if isinstance(raw, list):
        return [_inner(item, rest) for item in cast("Any", raw)]
    return to_plain(raw)


def _inner(raw: Any, tree: _Tree | None) -> Any:
    return to_plain(raw) if tree is None else _kept(raw, tree)
