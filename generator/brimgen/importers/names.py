"""Convert names of other systems to names that specs may have."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import count

from brimgen.model.json import Json

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}\Z")
"""The name of a spec."""

_NO_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_SEPARATOR = re.compile(r"[_-]+")
_WORD = re.compile(
    r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+|[0-9]+"
)
_UNDERSCORES = re.compile("__+")
LONGEST_NAME = 64


def spec_name(text: str) -> str:
    """``text`` as the name of a spec, which has ASCII letters, digits, dashes, underscores."""
    name = _NO_NAME.sub("_", text).strip("_-")
    return name if not name or name[0].isalpha() else f"n{name}"


def tool_name(text: str) -> str:
    """``text`` as the name of a tool: a `spec_name` that is cut after a word where it is long."""
    name = spec_name(text)
    if len(name) <= LONGEST_NAME:
        return name
    cut = name[: LONGEST_NAME + 1]
    ends = [match.start() for match in _SEPARATOR.finditer(cut) if match.start()]
    return cut[: ends[-1]] if ends else cut[:-1]


def connection_name(text: str) -> str:
    """``text`` as the name of a connection, which begins with a letter; may be empty."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", text).lstrip("_-0123456789")


def snake_case(name: str) -> str:
    """``name`` in lower case with underscores between its words: ``MyOrders`` is ``my_orders``."""
    return "_".join(_WORD.findall(name)).lower()


def operation_name(method: str, path: str) -> str:
    """The name of the tool of an operation without one: ``get_books_id`` of GET /books/{id}."""
    return tool_name(_UNDERSCORES.sub("_", spec_name(f"{method}_{path}")))


def numbered_name(name: str, taken: Container[str]) -> str:
    """Append the first number that makes a name that is not ``taken``."""
    for number in count(2):
        end = f"_{number}"
        candidate = f"{name[: LONGEST_NAME - len(end)]}{end}"
        if candidate not in taken:
            return candidate
    raise AssertionError("numbers end")


def name_keys(name: str) -> dict[str, Json]:
    """The keys ``name`` and, where a spec cannot have that name, ``x-name`` with the original.

    A name of which no valid one can be made stays; the reader of specs refuses it.
    """
    own = name if NAME.match(name) else tool_name(name) or name
    return {"name": own} if own == name else {"name": own, "x-name": name}
