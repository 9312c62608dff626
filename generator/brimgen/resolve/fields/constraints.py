"""Read the constraints of a field, and check values by them.

On a list type, the constraints of values are about the items, the item counts about the list
(spec-language.md). Keywords that do not apply to the type are reported, and so are bounds that no
value can satisfy.

``x-decimal: {precision, scale}`` on a number: it has at most ``scale`` digits after the point and
at most ``precision - scale`` before it. The digits before the point are published as bounds too;
``multipleOf: 1`` says that there is none after it; for other scales it is not used, because
validators that divide floats refuse 19.99 as a multiple of 0.01. ``x-tz: assume-utc`` on a string:
a date-time whose offset may be absent.

Bounds are numbers of JSON. A decimal that travels as text can have none, and readers of the schema
round a bound that has more digits than a float: both are reported.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from brimgen.diagnostics import Diagnostics, Note, did_you_mean, rules
from brimgen.frozen import dataclass, field
from brimgen.model.fields import LOCAL_DATETIME, Zone
from brimgen.model.json import Json
from brimgen.model.scalars import (
    DECIMAL_KEYS,
    LIST_KEYS,
    NUMBER_KEYS,
    SCALARS,
    TEXT_KEYS,
)
from brimgen.model.types import EntityType, EnumType, LeafType, Scalar, ScalarType
from brimgen.resolve.fields.patterns import FORMATS, check_pattern, check_speed
from brimgen.resolve.fields.types import Named
from brimgen.resolve.values import (
    exact,
    fits_format,
    identity,
    intended_values,
    is_replaced,
    same_bound,
    show,
)
from brimgen.source.nodes import Entry, ScalarNode
from brimgen.syntax.decls import FieldDecl
from brimgen.syntax.reader import shortened
from brimgen_runtime.schema.numbers import multiple_of

_COUNT_KEYS = frozenset({"minLength", "maxLength", "minItems", "maxItems"})
_MOST_DIGITS = 300  # more than any database holds, fewer than a double reaches
_ALL_KEYS = frozenset(
    (*NUMBER_KEYS, *TEXT_KEYS, *LIST_KEYS, *DECIMAL_KEYS, "tz", "enum")
)
_LARGEST = Decimal("1e18")
_DIGITS = 300
_OF_LEAF = frozenset((*NUMBER_KEYS, *TEXT_KEYS))
_LOWER = ("minimum", "exclusiveMinimum")
_UPPER = ("maximum", "exclusiveMaximum")


@dataclass(slots=True)
class Constraints:
    """What the attributes of one field say about its values and about the list around them.

    ``exact_bounds`` are the numeric bounds with all digits of their source text.
    """

    value: dict[str, Json] = field(default_factory=dict[str, Json])
    items: dict[str, Json] = field(default_factory=dict[str, Json])
    exact_bounds: dict[str, Decimal] = field(default_factory=dict[str, Decimal])
    enum: Entry | None = None
    precision: int | None = None
    scale: int | None = None
    wire_string: bool = False
    zone: Zone = Zone.REQUIRED

    def forget(self, *keys: str) -> None:
        """Drop keywords that contradict each other: a value that breaks one breaks no more."""
        for key in keys:
            for keywords in (self.value, self.items, self.exact_bounds):
                keywords.pop(key, None)


def read_constraints(
    decl: FieldDecl, named: Named | None, *, is_list: bool, diagnostics: Diagnostics
) -> Constraints:
    """Return the constraints of a field of type ``named`` (None: nested fields, or unsound)."""
    result = Constraints()
    for key, entry in decl.attributes.items():
        if key not in _ALL_KEYS:
            continue
        if not _applies(key, named, is_list=is_list):
            phrase = "a list" if is_list and key in LIST_KEYS else phrase_of(named)
            near = [
                keyword
                for keyword in same_bound(key)
                if _applies(keyword, named, is_list=is_list)
            ]
            diagnostics.add(
                rules.CONSTRAINT_NOT_FOR_TYPE,
                entry.key.span,
                suggestions=near,
                keyword=key,
                type=phrase,
            )
        elif key == "enum":
            result.enum = entry
        elif isinstance(entry.value, ScalarNode):
            _take(result, entry, entry.value, diagnostics)
            _check_range(result, entry, named, diagnostics)
    pattern = decl.attribute("pattern")
    if isinstance(pattern, ScalarNode) and "pattern" in result.value:
        check_speed(pattern, result.value.get("maxLength"), diagnostics)
    if len(result.exact_bounds) > 1:
        _check_bounds(result, decl, named, diagnostics)
    if len(result.value) > 1 or len(result.items) > 1:
        _check_counts(result, decl, diagnostics)
    _check_digits(result, decl, diagnostics)
    return result


def phrase_of(named: Named | None) -> str:
    """Return what messages call a value of a type."""
    match named:
        case ScalarType(scalar):
            article = "an" if scalar.value[0] in "aeiou" else "a"
            return f"{article} {scalar.value}"
        case EntityType(name):
            return f"the entity `{name}`"
        case EnumType(name):
            return f"the enum `{name}`"
        case LeafType(name):
            return f"the leaf `{name}`"
        case None:
            return "an object"


def _applies(key: str, named: Named | None, *, is_list: bool) -> bool:
    if is_list and key in LIST_KEYS:
        return True
    match named:
        case ScalarType(scalar):
            return key in SCALARS[scalar].constraints
        case LeafType(_, scalar):
            return (
                key in _OF_LEAF and key in SCALARS[scalar].constraints
            ) or key == "enum"
        case _:
            return False


def _take(
    result: Constraints, entry: Entry, node: ScalarNode, diagnostics: Diagnostics
) -> None:
    key = entry.key.text
    if key in NUMBER_KEYS:
        _take_bound(result, key, node, diagnostics)
    elif key in _COUNT_KEYS:
        count = _count(key, node, diagnostics)
        if count is not None:
            (result.items if key in LIST_KEYS else result.value)[key] = count
    elif key in ("precision", "scale"):
        count = _count(key, node, diagnostics)
        if count is not None and count > _MOST_DIGITS:
            _refuse(key, node, f"at most {_MOST_DIGITS}", diagnostics)
            return
        if key == "precision" and count == 0:
            _refuse(key, node, "at least 1", diagnostics)
        elif key == "precision":
            result.precision = count
        else:
            result.scale = count
    elif key == "wire":
        result.wire_string = node.text == "string"
    elif key == "tz":
        result.zone = Zone(node.text) if node.text in frozenset(Zone) else Zone.REQUIRED
    elif key == "pattern":
        if check_pattern(node, diagnostics):
            result.value[key] = node.text
    elif key == "format":
        if node.text not in FORMATS:
            diagnostics.add(
                rules.UNKNOWN_FORMAT,
                node.span,
                suggestions=did_you_mean(node.text, FORMATS),
                name=node.text,
            )
        result.value[key] = node.text
    elif node.value is True:  # `uniqueItems`
        result.items[key] = True


def _take_bound(
    result: Constraints, key: str, node: ScalarNode, diagnostics: Diagnostics
) -> None:
    if isinstance(node.value, str):
        _refuse(key, node, "a number", diagnostics)
        return
    if is_replaced(node):
        return
    value = exact(node)
    if key == "multipleOf" and value <= 0:
        _refuse(key, node, "more than 0", diagnostics)
        return
    result.exact_bounds[key] = value
    is_short = type(node.value) is int and len(node.text) <= _DIGITS
    result.value[key] = node.value if is_short else to_number(value)


def _check_range(
    result: Constraints, entry: Entry, named: Named | None, diagnostics: Diagnostics
) -> None:
    """Refuse a bound beyond the numbers that the type has."""
    key = entry.key.text
    bound = result.exact_bounds.get(key)
    if bound is None or key == "multipleOf" or not isinstance(named, ScalarType):
        return
    least, most = SCALARS[named.scalar].bounds
    if least <= bound <= most:
        return
    assert isinstance(entry.value, ScalarNode)
    expected = f"at least {least}" if bound < least else f"at most {most}"
    _refuse(key, entry.value, expected, diagnostics)
    result.forget(key)


def to_number(value: Decimal) -> int | float:
    """Return the JSON number of a decimal: a large one with an exponent is a float."""
    is_long = value.as_tuple().exponent not in (0, -1) or value.adjusted() > _DIGITS
    if value != value.to_integral_value() or (is_long and abs(value) >= _LARGEST):
        return float(value)
    return int(value)


def _count(key: str, node: ScalarNode, diagnostics: Diagnostics) -> int | None:
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(key, node, "a whole number", diagnostics)
        return None
    if not math.isfinite(value) or value < 0 or value != int(value):
        _refuse(key, node, "a whole number of at least 0", diagnostics)
        return None
    return int(value)


def _refuse(
    key: str, node: ScalarNode, expected: str, diagnostics: Diagnostics
) -> None:
    is_text = isinstance(node.value, str)
    diagnostics.add(
        rules.BAD_CONSTRAINT,
        node.span,
        suggestions=intended_values(node, Scalar.FLOAT) if is_text else (),
        keyword=key,
        expected=expected,
        actual=f"the text {show(node)}" if is_text else f"`{node.text}`",
    )


def _check_bounds(
    result: Constraints, decl: FieldDecl, named: Named | None, diagnostics: Diagnostics
) -> None:
    integral = isinstance(named, ScalarType) and SCALARS[named.scalar].is_integer
    for low in _LOWER:
        for high in _UPPER:
            both = low in result.exact_bounds and high in result.exact_bounds
            if both and not _has_values(
                result.exact_bounds, low, high, integral=integral
            ):
                _contradict(decl, low, high, diagnostics)
                result.forget(low, high)


def _check_counts(
    result: Constraints, decl: FieldDecl, diagnostics: Diagnostics
) -> None:
    for keywords, low, high in (
        (result.value, "minLength", "maxLength"),
        (result.items, "minItems", "maxItems"),
    ):
        least, most = keywords.get(low), keywords.get(high)
        if isinstance(least, int) and isinstance(most, int) and least > most:
            _contradict(decl, low, high, diagnostics)
            result.forget(low, high)


def _check_digits(
    result: Constraints, decl: FieldDecl, diagnostics: Diagnostics
) -> None:
    precision, scale = result.precision, result.scale
    if precision is None:
        return
    if scale is None:
        result.scale = 0
    elif scale > precision:
        node = decl.attribute("scale")
        assert node is not None
        diagnostics.add(
            rules.SCALE_OVER_PRECISION, node.span, scale=scale, precision=precision
        )
        result.precision = None


def _has_values(
    bounds: Mapping[str, Decimal], low: str, high: str, *, integral: bool
) -> bool:
    least, most = bounds[low], bounds[high]
    if integral:
        first = math.floor(least) + 1 if low == "exclusiveMinimum" else math.ceil(least)
        last = math.ceil(most) - 1 if high == "exclusiveMaximum" else math.floor(most)
        return first <= last
    strict = low == "exclusiveMinimum" or high == "exclusiveMaximum"
    return least < most or (least == most and not strict)


def _contradict(decl: FieldDecl, low: str, high: str, diagnostics: Diagnostics) -> None:
    lower, upper = decl.attribute(low), decl.attribute(high)
    assert isinstance(lower, ScalarNode) and isinstance(upper, ScalarNode)
    first, second = sorted((lower, upper), key=lambda bound: bound.span)
    diagnostics.add(
        rules.CONTRADICTING_BOUNDS,
        second.span,
        notes=[Note(first.span, "the other bound")],
        low_keyword=low,
        low=lower.text,
        high_keyword=high,
        high=upper.text,
    )


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


def local_datetime() -> dict[str, Json]:
    """Return the schema of a datetime whose offset may be absent."""
    return {"type": "string", "pattern": LOCAL_DATETIME, "x-tz": "assume-utc"}


def decimal_pattern(constraints: Constraints) -> str:
    """Return the pattern of a decimal that travels as a string (``wire: string``)."""
    precision, scale = constraints.precision, constraints.scale
    whole = "(?:0|[1-9][0-9]*)"
    if precision is not None:
        before = precision - (scale or 0)
        whole = "0" if before <= 0 else f"(?:0|[1-9][0-9]{{0,{before - 1}}})"
    fraction = r"(?:\.[0-9]+)?"
    if scale is not None:
        fraction = rf"(?:\.[0-9]{{1,{scale}}})?" if scale else ""
    return f"^-?{whole}{fraction}$"


def bound_digits(constraints: Constraints) -> None:
    """Add what `precision` and `scale` mean to the keywords of a decimal."""
    precision, scale = constraints.precision, constraints.scale
    if precision is None and scale is None:
        return
    annotation: dict[str, Json] = {}
    if precision is not None:
        annotation["precision"] = precision
        _tighten(constraints, Decimal(10) ** (precision - (scale or 0)))
    if scale is not None:
        annotation["scale"] = scale
    if not scale and "multipleOf" not in constraints.value:
        constraints.value["multipleOf"] = 1
    constraints.value["x-decimal"] = annotation


def _tighten(constraints: Constraints, limit: Decimal) -> None:
    bounds, value = constraints.exact_bounds, constraints.value
    upper = [bounds[key] for key in ("maximum", "exclusiveMaximum") if key in bounds]
    lower = [bounds[key] for key in ("minimum", "exclusiveMinimum") if key in bounds]
    if not upper or min(upper) >= limit:
        value["exclusiveMaximum"] = int(limit)
    if not lower or max(lower) <= -limit:
        value["exclusiveMinimum"] = -int(limit)


def check_bounds(
    constraints: Constraints, decl: FieldDecl, diagnostics: Diagnostics
) -> None:
    """Report the bounds of a decimal that cannot be published, and of those that are rounded."""
    for key in tuple(constraints.exact_bounds):
        entry = decl.attributes[key]
        if constraints.wire_string:
            diagnostics.add(
                rules.CONSTRAINT_NOT_FOR_TYPE,
                entry.key.span,
                keyword=key,
                type="a decimal that is text (`wire: string`)",
            )
            constraints.forget(key)
        elif isinstance(entry.value, ScalarNode):
            published = constraints.value[key]
            check_digits(
                entry.value, published, f"`{key}`", decl.name.value, diagnostics
            )


def check_digits(
    node: ScalarNode, published: Json, label: str, name: str, diagnostics: Diagnostics
) -> None:
    """Report a number of a decimal that is published as the float next to it."""
    if not isinstance(published, float) or exact(node) == Decimal(repr(published)):
        return
    diagnostics.add(
        rules.ROUNDED_LIMIT,
        node.span,
        what=label,
        name=name,
        value=node.text,
        published=repr(published),
    )
