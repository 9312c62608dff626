"""Values of the model as JSON, and back: rows of one table, in which equal values are one row.

A row is a list: what it is, then its parts. A part is a literal, or a list with the number of an
earlier row. Only the classes that are listed here are ever made; nothing is imported for a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, cast

from brimgen.diagnostics import Diagnostic, Note, Rule, Severity, Span, TextBlock
from brimgen.frozen import fields
from brimgen.model import catalog, http, leaves, lint, paths, types
from brimgen.model import fields as model_fields

_LITERALS = frozenset({bool, int, float, str, type(None)})


class NotOfModel(Exception):
    """A value is not of the model."""


@cache
def _classes() -> Mapping[str, Any]:
    """The classes of the model, and those of plain values, by name."""
    listed = (Diagnostic, Note, Rule, Severity, Span, TextBlock, dict, list, tuple)
    found: dict[str, Any] = {each.__name__: each for each in listed}
    for module in (catalog, http, leaves, lint, model_fields, paths, types):
        for name, made in vars(module).items():
            if isinstance(made, type) and made.__module__ == module.__name__:
                found[name] = made
    return found


class Writer:
    """Collects the ``rows`` of values."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self._by_text: dict[str, int] = {}
        self._by_identity: dict[int, tuple[object, list[int]]] = {}

    def part(self, value: object) -> Any:
        """The part that stands for a value.

        Raises `NotOfModel`, RecursionError, and ValueError for a huge integer.
        """
        if type(value) in _LITERALS:
            return value
        known = self._by_identity.get(id(value))
        if known is None:
            row = [type(value).__name__, *map(self.part, _parts(value))]
            number = self._by_text.setdefault(repr(row), len(self.rows))
            if number == len(self.rows):
                self.rows.append(row)
            known = self._by_identity[id(value)] = value, [number]
        return known[1]


def _parts(value: Any) -> Sequence[Any]:
    kind: Any = value.__class__
    if _classes().get(kind.__name__) is not kind:
        raise NotOfModel(kind)
    if isinstance(value, tuple | list):
        return cast(Sequence[Any], value)
    if isinstance(value, Enum):
        return (value.value,)
    if isinstance(value, dict):
        members = cast(Mapping[Any, Any], value)
        return [part for member in members.items() for part in member]
    return [getattr(value, name) for name in _names(kind)]


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def read_rows(rows: Sequence[Any]) -> list[Any]:
    """The values of rows.

    Raises LookupError, TypeError, ValueError or AttributeError for strange ones.
    """
    values: list[Any] = []
    for name, *parts in rows:
        found = [values[part[0]] if type(part) is list else part for part in parts]
        values.append(_maker(name)(found))
    return values


@cache
def _maker(name: str) -> Callable[[list[Any]], Any]:
    """What makes a value of its parts."""
    made: Any = _classes()[name]
    if made is dict:
        return lambda parts: dict(zip(parts[::2], parts[1::2], strict=True))
    if made in (list, tuple):
        return cast("Callable[[list[Any]], Any]", made)
    if issubclass(made, Enum | tuple) or not any(
        field.kw_only for field in fields(made)
    ):
        make = cast("Callable[..., Any]", made)
        return lambda parts: make(*parts)
    return lambda parts: made(**dict(zip(_names(made), parts, strict=True)))
