"""Decode results by their annotations: lists and dictionaries of generated classes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from types import NoneType
from typing import (
    Any,
    TypeAlias,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from ..schema.decode import to_plain
from .encode import to_json_value
from .record import (
    Convert,
    alternatives_of,
    decoder_of,
    decoder_of_union,
    names_in,
)

Place: TypeAlias = tuple[str | None, ...]
"""Where something stands: names of properties; None for any item, or any property not named."""
_OF_RESULTS: Mapping[str, Any] = {"assume_utc": True}
"""The schema has refused moments without an offset where these have no meaning."""


def result_decoder(module: str, places: tuple[Place, ...]) -> Callable[[Any], Any]:
    """Return what decodes a result as the annotation of ``CALL`` in a module says.

    The last type in its brackets is that of the result. ``places`` are those of decimals, which
    keep their digits where an object stays JSON.
    """
    home = sys.modules[module]
    names = {"CALL": home.__annotations__["CALL"]}
    owner = type("Call", (), {"__annotations__": names, "__module__": module})
    final = get_type_hints(owner, vars(home), names_in(home))["CALL"]
    hint = get_args(get_args(final)[0])[-1]
    tree = tree_of(places) if places else None
    return _decoder(hint, tree, module) or (lambda raw: raw)


def _decoder(hint: Any, tree: Tree | None, module: str) -> Convert | None:
    kinds, may_be_none = alternatives_of(hint)
    if len(kinds) > 1:
        return decoder_of_union(kinds)
    inner = _decoder_of_kind(kinds[0], tree, module)
    if inner is None or not may_be_none:
        return inner
    return lambda value: None if value is None else inner(value)


def _decoder_of_kind(kind: Any, tree: Tree | None, module: str) -> Convert | None:
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is NoneType:
        return lambda raw: None
    if kind is Any or (origin is dict and arguments[1] is Any):
        return partial(_as_json, tree=tree)
    if origin is list:
        item = _decoder(arguments[0], _below(tree, None), module)
        return list if item is None else lambda items: [item(each) for each in items]
    if origin is dict:
        value = _decoder(arguments[1], _below(tree, None), module)
        if value is None:
            return dict
        return lambda items: {name: value(each) for name, each in items.items()}
    if not is_typeddict(kind):
        return decoder_of(kind, _OF_RESULTS)
    hints = get_type_hints(kind, localns=names_in(sys.modules[module]))
    found = {
        name: _decoder(each, _below(tree, name), module) for name, each in hints.items()
    }
    members = {name: each for name, each in found.items() if each is not None}
    if not members:
        return None
    return lambda raw: {
        name: members[name](each) if name in members else each
        for name, each in raw.items()
    }


class Tree(dict[str | None, "Tree"]):
    """The places of decimals, by their first step; an empty tree stands for every place."""


@lru_cache(maxsize=256)
def tree_of(places: Iterable[Place]) -> Tree:
    """Return the tree of places."""
    tree = Tree()
    for place in places:
        node = tree
        for step in place:
            node = node.setdefault(step, Tree())
    return tree


def _below(tree: Tree | None, step: str | None) -> Tree | None:
    return tree.get(step, tree.get(None)) if tree else tree


def with_digits(raw: Any, places: tuple[Place, ...]) -> Any:
    """Return ``raw``, as it was parsed, as JSON in which only what stands at ``places`` can be a
    Decimal: where no int or float says it exactly, as in ``to_dict`` of a generated class.

    Every other number is an int or the float nearest to it.
    """
    return _as_json(raw, tree_of(places) if places else None)


def _as_json(raw: Any, tree: Tree | None) -> Any:
    if tree is None:
        return to_plain(raw)
    if not tree:
        return to_json_value(raw)
    if isinstance(raw, dict):
        items = cast("Any", raw).items()
        return {name: _as_json(item, _below(tree, name)) for name, item in items}
    if isinstance(raw, list):
        below = _below(tree, None)
        return [_as_json(item, below) for item in cast("Any", raw)]
    return to_plain(raw)
