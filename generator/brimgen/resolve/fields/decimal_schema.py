"""Write decimals and UTC offsets in JSON Schema: bounds, patterns, annotations.

``x-decimal: {precision, scale}`` on a number: it has at most ``scale`` digits after the point and
at most ``precision - scale`` before it. The digits before the point are published as bounds too;
``multipleOf: 1`` says that there is none after it; for other scales it is not used, because
validators that divide floats refuse 19.99 as a multiple of 0.01. ``x-tz: assume-utc`` on a string:
a date-time whose offset may be absent.

Bounds are numbers of JSON. A decimal that travels as text can have none, and readers of the schema
round a bound that has more digits than a float: both are reported.
"""

from __future__ import annotations

from decimal import Decimal

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.resolve import fields as rules
from brimgen.model.fields import LOCAL_DATETIME
from brimgen.model.json import Json
from brimgen.resolve.fields.constraints import Constraints
from brimgen.resolve.values import exact
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.decls import FieldDecl


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
