"""Find values that are not JSON, where no schema looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, cast

from .errors import Finding, Path
from .kinds import is_object, kind_of
from .refs import has_true, subschemas
from .report import step_of


def is_lax(schema: Any) -> bool:
    """Return whether some schema lets a value through unseen, so that it may be no JSON at all."""
    if isinstance(schema, bool) or not is_object(schema):
        return schema is True
    waiting: list[Mapping[str, Any]] = [schema]
    while waiting:
        each = waiting.pop()
        if not _strict(each) or has_true(each):
            return True
        waiting += [inner for inner, _ in subschemas(each, "")]
    return False


def _strict(schema: Mapping[str, Any]) -> bool:
    if "enum" in schema or "const" in schema or "$ref" in schema:
        return True
    kinds = schema.get("type")
    if kinds is None:
        return False
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "object" in kinds and not _is_seen(schema.get("additionalProperties", True)):
        return False
    return "array" not in kinds or (
        _is_seen(schema.get("items", True)) and "contains" not in schema
    )


def _is_seen(schema: Any) -> bool:
    return schema is False or (is_object(schema) and bool(schema))


def foreign(value: Any, path: Path = None) -> Iterator[Finding]:
    """Yield what is no JSON at any depth: NaN, Infinity, sets, names that are no text."""
    kind = kind_of(value)
    if kind == "object":
        for name, item in value.items():
            if not isinstance(name, str):
                yield unnamed(path, name)
            yield from foreign(item, (path, name))
    elif kind == "array":
        for index, item in enumerate(value):
            yield from foreign(item, (path, index))
    elif kind == "other":
        yield path, "type", "a JSON value", value, ""


def unnamed(path: Path, name: object) -> Finding:
    """Return what is said of a name that is no text."""
    return (path, step_of(name)), "type", "a name that is text", name, ""


_PARSED = frozenset((bool, dict, float, int, list, str, Decimal, type(None)))


def peculiar(value: object) -> Finding | None:
    """Return what is said of some value of a type that parsed JSON has not; None without one.

    Such a value (a subclass, a mapping of another kind) counts as JSON as long as it behaves. It is
    the one to blame where reading a whole raised; so none of its own code runs here.
    """
    waiting: list[tuple[object, Path]] = [(value, None)]
    seen: set[int] = set()
    while waiting:
        each, path = waiting.pop()
        kind = type(each)
        if kind not in _PARSED:
            return path, "type", "a JSON value", each, ""
        if id(each) in seen:
            continue
        if kind is dict:
            seen.add(id(each))
            for name, item in cast("dict[object, object]", each).items():
                if type(name) is not str:
                    return unnamed(path, name)
                waiting.append((item, (path, name)))
        elif kind is list:
            seen.add(id(each))
            items = cast("list[object]", each)
            waiting += [(item, (path, index)) for index, item in enumerate(items)]
    return None
