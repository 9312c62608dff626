"""Find the constraint of a field that a value breaks."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from brimgen.model.json import Json
from brimgen.resolve.fields.constraints import Constraints
from brimgen.resolve.values import exact, fits_format, identity
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.reader import shortened
from brimgen_runtime._runtime.numbers import multiple_of

_KEEPS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    "minimum": operator.ge,
    "exclusiveMinimum": operator.gt,
    "maximum": operator.le,
    "exclusiveMaximum": operator.lt,
    "multipleOf": lambda number, unit: multiple_of(unit)(number),
}


def broken_keyword(
    node: ScalarNode, value: Json, constraints: Constraints
) -> tuple[str, object] | None:
    """Return the keyword that a plain value breaks, and its limit; None where it breaks none."""
    bounds = constraints.exact_bounds
    if isinstance(value, str) and not constraints.wire_string:
        limits = constraints.value
        return _broken_text(value, limits) if limits else None
    if isinstance(value, bool) or value is None:
        return None
    if not bounds and constraints.precision is None and constraints.scale is None:
        return None
    number = Decimal(value) if isinstance(value, str) else exact(node)
    for keyword, limit in bounds.items():
        if not _KEEPS[keyword](number, limit):
            return keyword, limit
    return _broken_digits(number, constraints)


def _broken_text(value: str, limits: dict[str, Json]) -> tuple[str, object] | None:
    least, most = limits.get("minLength"), limits.get("maxLength")
    if isinstance(least, int) and len(value) < least:
        return "minLength", least
    if isinstance(most, int) and len(value) > most:
        return "maxLength", most
    pattern = limits.get("pattern")
    if isinstance(pattern, str) and not _may_match(pattern, value):
        return "pattern", f"`{shortened(pattern)}`"
    name = limits.get("format")
    if isinstance(name, str) and not fits_format(name, value):
        return "format", name
    return None


def _may_match(pattern: str, value: str) -> bool:
    from brimgen.patterns.slowness import is_found

    return is_found(pattern, value) is not False


def _broken_digits(
    number: Decimal, constraints: Constraints
) -> tuple[str, object] | None:
    precision, scale = constraints.precision, constraints.scale
    if precision is None and scale is None:
        return None
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    fraction = max(0, -number.normalize().as_tuple().exponent)  # type: ignore[operator]
    if scale is not None and fraction > scale:
        return "scale", scale
    whole_digits = max(0, len(digits) + exponent) if number else 0
    if precision is not None and whole_digits > precision - (scale or 0):
        return "precision", precision
    return None


def broken_count(
    value: Sequence[Json], constraints: Constraints
) -> tuple[str, object] | None:
    """Return the keyword about the whole list that ``value`` breaks, and its limit."""
    limits = constraints.items
    least, most = limits.get("minItems"), limits.get("maxItems")
    if isinstance(least, int) and len(value) < least:
        return "minItems", least
    if isinstance(most, int) and len(value) > most:
        return "maxItems", most
    if limits.get("uniqueItems") and len(set(map(identity, value))) < len(value):
        return "uniqueItems", "true"
    return None
