"""Find the default and the values that a description mentions."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from brimgen.model.fields import Default
from brimgen.model.scalars import SCALARS
from brimgen.model.types import Field, NullableType, Scalar, ScalarType, Type

_DEFAULT = re.compile(
    r"\bdefault(?:s|ed)?\b(?:\s+(?:value|is|to|of))*\s*[:=]?\s*"
    r"(?:`(?P<code>[^`]+)`|\"(?P<double>[^\"]+)\"|'(?P<single>[^']+)'"
    r"|(?P<unquoted>[+-]?[\w.-]*\w))",
    re.IGNORECASE,
)
_BARS = re.compile(r"\s*[\w-]+(?:\s*\|\s*[\w-]+)+\s*\.?\s*")
_ONE_OF = re.compile(
    r"\b(?:one of|allowed values|possible values|valid values|must be either)\b[:\s(\[]*"
    r"[`'\"]?[\w-]+[`'\"]?(?:\s*,\s*[`'\"]?[\w-]+[`'\"]?)*(?:,?\s*(?:or|and|,)\s*[`'\"]?[\w-]+)",
    re.IGNORECASE,
)


def mentioned_default(text: str, field: Field) -> str | None:
    """The value that ``text`` calls the default, if it is written as a value of the field's type.

    ``default sort order`` and ``defaults to the current year`` name none.
    """
    match = _DEFAULT.search(text)
    if match is None:
        return None
    unquoted = match["unquoted"]
    text_value = unquoted or match["code"] or match["double"] or match["single"]
    scalar, choices = _scalar(field.type)
    row = None if scalar is None else SCALARS[scalar]
    if row is None:
        return None
    if row.is_number:
        return text_value if _number(text_value) is not None else None
    if row.is_boolean:
        return text_value if text_value.lower() in ("true", "false") else None
    if not row.is_open_text:
        return None
    declared = None if field.default is None else field.default.value
    is_declared = text_value in choices or text_value == declared
    return text_value if is_declared or unquoted is None else None


def _scalar(type: Type) -> tuple[Scalar | None, tuple[object, ...]]:
    match type:
        case ScalarType(scalar, choices):
            return scalar, choices
        case NullableType(inner=inner):
            return _scalar(inner)
        case _:
            return None, ()


def same_value(text: str, default: Default) -> bool:
    """Whether a text of prose and a declared default are one value."""
    value = default.value
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return text.lower() == default_text(default).lower()
    if isinstance(value, int | float):
        return _number(text) == _number(default.text or str(value))
    return False


def default_text(default: Default) -> str:
    """A default as an author would write it."""
    value = default.value
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return default.text or str(value)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def lists_choices(text: str) -> bool:
    """Whether ``text`` lists the only values that are allowed."""
    return bool(_BARS.fullmatch(text) or _ONE_OF.search(text))
