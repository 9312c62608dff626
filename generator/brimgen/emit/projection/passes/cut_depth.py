"""Cut a schema to the tokens that a descriptor may take: its deepest parts become open.

An open part keeps its type and its words, and names the properties that it had. Only depth is cut,
never breadth: a model sees all arguments of a tool, and less of what stands far inside of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from brimgen.emit.projection.passes.inline_references import references
from brimgen.model.json import Json, JsonObject
from brimgen.model.tokens import MOST_TOKENS, estimate
from brimgen.schema.walk import (
    is_object,
    pointer_to,
    rewritten,
    subschemas,
)

__all__ = ["MOST_TOKENS", "cut_to", "largest_branch"]

_WORDS = ("title", "description", "deprecated")
_MOST_NAMED = 12


def cut_to(tokens: int, schema: JsonObject) -> tuple[JsonObject, tuple[str, ...]]:
    """Return ``schema`` with the most levels that ``tokens`` can say, and the pointers of the cuts.

    One level is kept always: the arguments.
    """
    if estimate(schema) <= tokens:
        return schema, ()
    least, most = 1, _depth(schema)
    kept = _Cutter(1).of(schema)
    while least < most - 1:
        middle = (least + most) // 2
        cutter = _Cutter(middle)
        candidate = cutter.of(schema)
        if estimate(candidate[0]) <= tokens:
            least, kept = middle, candidate
        else:
            most = middle
    return kept


def largest_branch(schema: JsonObject) -> str:
    """Return the pointer of the part directly below the root that takes most tokens."""
    parts = schema.get("properties")
    if not is_object(parts) or not parts:
        return ""
    name = max(parts, key=lambda name: (estimate(parts[name]), name))
    return pointer_to("/properties", name)


def _inner(schema: JsonObject) -> Iterator[JsonObject]:
    for keyword, value in schema.items():
        if keyword != "$defs":
            for part in subschemas(keyword, value):
                if is_object(part):
                    yield part


def _depth(schema: JsonObject) -> int:
    """Return how many levels of schemas there are, those of definitions by themselves."""
    definitions = schema.get("$defs")
    roots = [schema, *(definitions.values() if is_object(definitions) else ())]
    level = [root for root in roots if is_object(root)]
    depth = 0
    while level:
        level = [part for node in level for part in _inner(node)]
        depth += 1
    return depth


class _Cutter:
    """Opens what stands below a number of levels."""

    def __init__(self, levels: int) -> None:
        self._levels = levels
        self._cuts: list[str] = []

    def of(self, schema: JsonObject) -> tuple[JsonObject, tuple[str, ...]]:
        """Return a whole schema, without definitions that nothing refers to any more."""
        definitions = schema.get("$defs")
        body = {key: value for key, value in schema.items() if key != "$defs"}
        root = self._node(body, "", 0)
        if not is_object(definitions):
            return root, tuple(self._cuts)
        waiting, kept = list(references(root)), dict[str, Any]()
        while waiting:
            name = waiting.pop().removeprefix("#/$defs/")
            if name in definitions and name not in kept:
                place = pointer_to("", "$defs", name)
                kept[name] = self._node(definitions[name], place, 0)
                waiting += references(kept[name])
        defined = {"$defs": dict(sorted(kept.items()))} if kept else {}
        return {**root, **defined}, tuple(self._cuts)

    def _node(self, node: Json, pointer: str, level: int) -> Any:
        if not is_object(node):
            return node
        if level >= self._levels and any(_inner(node)):
            return self._opened(node, pointer)
        return {
            keyword: rewritten(
                keyword,
                value,
                pointer,
                lambda part, place: self._node(part, place, level + 1),
            )
            for keyword, value in node.items()
        }

    def _opened(self, node: JsonObject, pointer: str) -> dict[str, Json]:
        words = {key: node[key] for key in _WORDS if key in node}
        kind = node.get("type", "object" if "properties" in node else None)
        opened: dict[str, Json] = {**({"type": kind} if kind else {}), **words}
        names = _names(node)
        if names:
            more = ", …" if len(names) > _MOST_NAMED else ""
            listed = f"Not shown in full: {', '.join(names[:_MOST_NAMED])}{more}."
            said = words.get("description")
            opened["description"] = f"{said} {listed}" if said else listed
        self._cuts.append(pointer)
        return opened


def _names(node: JsonObject) -> list[str]:
    """The properties of an object, or of the objects of a list."""
    holder: Mapping[str, Json] = node
    items = node.get("items")
    if is_object(items):
        holder = items
    properties = holder.get("properties")
    return [*properties] if is_object(properties) else []
