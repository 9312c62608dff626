"""Write lists, objects and JSON as one text or as many pairs of a query or form.

An item that contains its delimiter is refused, since most servers decode a value before they split
it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from ._json import ABSENT
from ._place import Delimited, encoded, json_body, text
from ._request import RequestError

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def delimited(
    value: object, separator: str, name: str, *, hidden: bool = False
) -> Delimited | None:
    """Return the items of a list as one text; None for what is absent.

    What may be a list, and is a plain value, is one item.
    """
    if value is None or value is ABSENT:
        return None
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    texts = [text(item, name, hidden=hidden) for item in items]
    if any(separator in item for item in texts):
        expected = f"items without `{separator}`, which stands between them"
        raise RequestError(name, expected, texts, hidden=hidden)
    return Delimited(texts, separator)


def delimited_text(
    value: object, separator: str, name: str, *, hidden: bool = False
) -> str | None:
    """Return the items of a list as a text that nothing encodes; None for what is absent."""
    items = delimited(value, separator, name, hidden=hidden)
    return None if items is None else text(items, name, hidden=hidden)


def json_text(value: object, name: str, *, hidden: bool = False) -> str | None:
    """Return a value as JSON text in ASCII; None for what is absent."""
    if value is None or value is ABSENT:
        return None
    try:
        written = json_body(value).decode()
    except RequestError:
        raise RequestError(name, "JSON values", value, hidden=hidden) from None
    return _BEYOND_ASCII.sub(_escaped, written)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def deep_pairs(
    key: str, value: object, name: str, hidden: bool, encode: Callable[[str], str]
) -> list[str]:
    """Return a pair for each value inside of an object or a list: ``key[min]=1``.

    The key is encoded. What is absent or null has none; the items of a list have a number as
    their name where they are objects or lists, and no name where they are plain: ``key[]=1``.
    """
    try:
        return [
            f"{key}{encode(way)}={encoded(leaf, name, hidden, encode)}"
            for way, leaf in _leaves("", value, name, hidden)
        ]
    except UnicodeEncodeError:
        expected = "names of whole characters"
    except RecursionError:
        expected = "an object that is not nested too deeply"
    raise RequestError(name, expected, value, hidden=hidden)


def _leaves(
    way: str, value: object, name: str, hidden: bool
) -> Iterator[tuple[str, object]]:
    """Yield the values inside of a value, each with the way that leads to it."""
    if value is None or value is ABSENT:
        return
    if isinstance(value, Mapping):
        for key, item in cast("Mapping[str, Any]", value).items():
            if not key or "[" in key or "]" in key:
                expected = "names with a letter, and without `[` and `]`"
                raise RequestError(name, expected, key, hidden=hidden)
            yield from _leaves(f"{way}[{key}]", item, name, hidden)
    elif isinstance(value, list):
        for number, item in enumerate(cast("list[object]", value)):
            step = number if _has_parts(item) else ""
            yield from _leaves(f"{way}[{step}]", item, name, hidden)
    else:
        yield way, value


def _has_parts(value: object) -> bool:
    return isinstance(value, Mapping | list)
