"""Compare the keywords of two schemas at one place, without following references."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Any, TypeAlias

from brimgen.contract.schema_shapes import ANYTHING, bounds, covers, type_names
from brimgen.frozen import dataclass

Path: TypeAlias = tuple[str, ...]
Schema: TypeAlias = Mapping[str, Any]


class Kind(Enum):
    """The effect of a difference on the set of accepted values, or on readers."""

    NARROWER = auto()
    WIDER = auto()
    OTHER = auto()
    NEW = auto()
    GONE = auto()
    DEFAULT = auto()
    WORDS = auto()


@dataclass(frozen=True, slots=True)
class Difference:
    """``path`` are the names of properties that lead to it; ``text`` follows on their names."""

    path: Path
    kind: Kind
    text: str


WORDS = ("description", "title", "examples", "deprecated")
"""Keywords that are written for readers: they refuse and accept nothing."""
_RULES = (
    "pattern",
    "format",
    "multipleOf",
    "uniqueItems",
    "x-decimal",
    "x-leaf",
    "contentEncoding",
    "contentMediaType",
)
_LOGIC = (
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "prefixItems",
)


def compare_types(
    was: frozenset[str], now: frozenset[str], path: Path
) -> Iterator[Difference]:
    """Compare the JSON types."""
    if was == now:
        return
    text = f"is {type_names(now)} now, was {type_names(was)}"
    if covers(now, was):
        yield Difference(path, Kind.WIDER, text)
    elif covers(was, now):
        yield Difference(path, Kind.NARROWER, text)
    else:
        yield Difference(path, Kind.OTHER, text)


def compare_values(old: Schema, new: Schema, path: Path) -> Iterator[Difference]:
    """Compare the values of `enum` or `const`."""
    before, after = _values(old), _values(new)
    if before is None and after is None:
        return
    if after is None:
        yield Difference(path, Kind.WIDER, "is no longer one of a few values")
    elif before is None:
        text = f"must be one of {', '.join(after)}"
        yield Difference(path, Kind.NARROWER, text)
    else:
        lost = [value for value in before if value not in after]
        gained = [value for value in after if value not in before]
        if lost:
            yield Difference(path, Kind.NARROWER, f"is never {', '.join(lost)} now")
        if gained:
            yield Difference(path, Kind.WIDER, f"may be {', '.join(gained)} now")


def _values(schema: Schema) -> list[str] | None:
    if "const" in schema:
        return [canonical(schema["const"])]
    return [canonical(value) for value in schema["enum"]] if "enum" in schema else None


def compare_bounds(old: Schema, new: Schema, path: Path) -> Iterator[Difference]:
    """Compare bounds."""
    before, after = bounds(old), bounds(new)
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        if now is None:
            yield Difference(path, Kind.WIDER, f"has no `{name}` now, was {was}")
            continue
        tighter = was is None or (now > was) == name.lower().startswith(
            ("min", "exclusivemin")
        )
        kind = Kind.NARROWER if tighter else Kind.WIDER
        past = "had none" if was is None else f"was {was}"
        yield Difference(path, kind, f"has `{name}` {now} now, {past}")


def compare_rules(old: Schema, new: Schema, path: Path) -> Iterator[Difference]:
    """Compare the rules of strings, numbers and lists that are one keyword each."""
    for name in _RULES:
        was, now = old.get(name), new.get(name)
        if was == now:
            continue
        if now is None:
            yield Difference(path, Kind.WIDER, f"has no `{name}` now, was `{was}`")
        elif was is None:
            text = f"has `{name}` {canonical(now)} now, had none"
            yield Difference(path, Kind.NARROWER, text)
        else:
            text = f"has `{name}` {canonical(now)} now, was {canonical(was)}"
            yield Difference(path, Kind.OTHER, text)


def compare_additional(
    old_additional: Any, new_additional: Any, path: Path
) -> Iterator[Difference]:
    """Compare `additionalProperties`."""
    if (old_additional is False) == (new_additional is False):
        if (
            (old_additional in ANYTHING)
            and isinstance(new_additional, dict)
            and new_additional
        ):
            text = "restricts further properties"
            yield Difference(path, Kind.NARROWER, text)
        elif (
            isinstance(old_additional, dict)
            and old_additional
            and new_additional in ANYTHING
        ):
            text = "no longer restricts further properties"
            yield Difference(path, Kind.WIDER, text)
    elif new_additional is False:
        yield Difference(path, Kind.NARROWER, "takes no further properties now")
    else:
        yield Difference(path, Kind.WIDER, "takes further properties now")


def compare_logic(old: Schema, new: Schema, path: Path) -> Iterator[Difference]:
    """Compare logical keywords, without looking into their schemas."""
    for name in _LOGIC:
        if old.get(name) != new.get(name):
            kind = Kind.OTHER
            if name not in old:
                kind = Kind.NARROWER
            elif name not in new:
                kind = Kind.WIDER
            yield Difference(path, kind, f"has another rule in `{name}`")


def compare_words(old: Schema, new: Schema, path: Path) -> Iterator[Difference]:
    """Compare the default and the texts for readers."""
    if old.get("default", ...) != new.get("default", ...):
        is_text = "default" in new
        now = f"is {canonical(new['default'])}" if is_text else "has no default"
        was = (
            f"was {canonical(old['default'])}" if "default" in old else "had no default"
        )
        yield Difference(path, Kind.DEFAULT, f"{now} when left out, {was}")
    changed = [name for name in WORDS if old.get(name) != new.get(name)]
    if changed:
        yield Difference(path, Kind.WORDS, f"has another {' and '.join(changed)}")


def canonical(value: Any) -> str:
    """A JSON value as one text: equal texts are equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
