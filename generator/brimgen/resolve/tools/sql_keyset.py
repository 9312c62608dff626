"""Read the keys of a list that is read page by page, and write its condition and its order."""

from __future__ import annotations

import re
from collections.abc import Container

from brimgen.diagnostics import Diagnostics, TextBlock
from brimgen.diagnostics.rules.sql import keyset as rules
from brimgen.model.catalog import SqlKey
from brimgen.source.nodes import MapNode, Node, ScalarNode

AFTER = "after"
ORDER = "order"
_KEY = re.compile(
    r"\s*((?:[^\W\d]\w*\.)*[^\W\d]\w*)(?:\s+(ASC|DESC))?\s*", re.IGNORECASE
)
_PLACE = re.compile(rf"\{{\s*({AFTER}|{ORDER})\s*\}}")


def keyset_of(node: Node | None, diagnostics: Diagnostics) -> tuple[SqlKey, ...] | None:
    """Return the keys that ``node`` declares; None where one of them is wrong."""
    keys: list[SqlKey] = []
    entries = node.entries if isinstance(node, MapNode) else ()
    for name, value in entries:
        text = value.text if isinstance(value, ScalarNode) else ""
        match = _KEY.fullmatch(text)
        if match is None:
            diagnostics.add(rules.KEYSET_ORDER, value.span, text=text)
            continue
        direction = (match[2] or "ASC").upper()
        keys.append(SqlKey(name.text, match[1], direction, value.span))
    return tuple(keys) if len(keys) == len(entries) else None


def with_keyset(
    written: TextBlock,
    keys: tuple[SqlKey, ...],
    choices: Container[str],
    diagnostics: Diagnostics,
) -> TextBlock | None:
    """Return the text with its condition for ``{after}`` and its order for ``{order}``.

    It is None where one of them has no place.
    """
    if not keys:
        return written
    places = [*_PLACE.finditer(written.text)]
    for name in (AFTER, ORDER):
        why = None
        if name in choices:
            why = f"`choices` has a `{name}` too"
        elif all(match[1] != name for match in places):
            why = f"the statement has no `{{{name}}}`"
        if why is not None:
            diagnostics.add(rules.KEYSET_PLACE, keys[0].span, why=why)
            return None
    texts = {
        AFTER: _condition(keys),
        ORDER: ", ".join(f"{key.column} {key.direction}" for key in keys),
    }
    parts: list[TextBlock] = []
    at = 0
    for place in places:
        parts.append(written.part(at, place.start()))
        parts.append(TextBlock(texts[place[1]], keys[0].span, exact=False))
        at = place.end()
    parts.append(written.part(at, len(written.text)))
    return TextBlock.joined([part for part in parts if part.text])


def _condition(keys: tuple[SqlKey, ...]) -> str:
    """Return the filter of the rows after a row, all rows where none is given.

    The bound of the first key stands alone, so that an index that begins with it is used.
    """
    first, later = keys[0], _later(keys)
    if len(keys) > 1:
        later = f"{first.column} {_sign(first)}= :{first.argument} AND ({later})"
    return f"(:{first.argument} IS NULL OR {later})"


def _later(keys: tuple[SqlKey, ...]) -> str:
    """Return the comparison of the columns with the arguments, key by key."""
    first, *rest = keys
    beyond = f"{first.column} {_sign(first)} :{first.argument}"
    if not rest:
        return beyond
    equal = f"{first.column} = :{first.argument}"
    nested = _later(tuple(rest))
    inner = f"({nested})" if len(rest) > 1 else nested
    return f"{beyond} OR ({equal} AND {inner})"


def _sign(key: SqlKey) -> str:
    return "<" if key.direction == "DESC" else ">"
