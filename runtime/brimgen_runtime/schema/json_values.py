"""JSON in Python: the kinds of values, and how messages call values and schemas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, TypeAlias, TypeGuard

Number: TypeAlias = int | float | Decimal

KINDS = ("null", "boolean", "number", "string", "array", "object")
"""The kinds of JSON values, which are the types without ``integer``."""

_KIND_OF_TYPE: dict[type, str] = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    type(None): "null",
}

MAX_EXPONENT = 4299
"""The highest power of ten in a decimal: Python writes ints of at most 4300 digits."""

MOST_INT = 10 ** (MAX_EXPONENT + 1) - 1
"""The largest integer: Python reads and writes no longer one."""

EXACT_INTS = 2**53
"""Up to here a float is the integer that its digits say."""

LONGEST = 80
"""Values and lists in a message are cut after so many characters."""


def is_number(value: object) -> bool:
    """Return whether a value is a JSON number: a finite int, float or Decimal, not a bool.

    One of more than 4300 digits is none: it cannot be written.
    """
    if isinstance(value, int):
        return type(value) is not bool and -MOST_INT <= value <= MOST_INT
    if isinstance(value, float):
        return value - value == 0.0
    return (
        isinstance(value, Decimal)
        and value.is_finite()
        and (not value or -MAX_EXPONENT <= value.adjusted() <= MAX_EXPONENT)
    )


def is_integer(value: Any) -> bool:
    """Return whether a value is a JSON integer: a number without a fraction, as 3.0 is."""
    if not is_number(value):
        return False
    if isinstance(value, float):
        return value.is_integer()
    return not isinstance(value, Decimal) or value == value.to_integral_value()


def is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Return whether a value is a JSON object."""
    return value.__class__ is dict or isinstance(value, Mapping)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Return whether a value is a JSON array."""
    return isinstance(value, list)


def kind_of(value: Any) -> str:
    """Return the kind of a JSON value; ``other`` for what is none (NaN, a set, a tuple)."""
    kind = _KIND_OF_TYPE.get(value.__class__)
    if kind is not None:
        return kind
    if is_number(value):
        return "number"
    if isinstance(value, str):
        return "string"
    if is_object(value):
        return "object"
    return "array" if is_list(value) else "other"


def wanted(value: object, expected: str) -> str:
    """Return what is ``expected`` instead of a value, where a number was possible."""
    is_long = (
        isinstance(value, int) and type(value) is not bool and not is_number(value)
    )
    return f"a number of at most {MAX_EXPONENT + 1} digits" if is_long else expected


def exact(value: Number) -> int | Decimal:
    """Return a number without binary rounding: a float as the decimal that its repr says."""
    return Decimal(repr(float(value))) if isinstance(value, float) else value


def to_int(value: Any) -> int:
    """Return an integer; ``3.0`` and ``Decimal("3.0")`` are 3, ``1e23`` is ``10**23``."""
    number = int(value)
    if number != value:
        raise ValueError("no integer")
    return number if -EXACT_INTS <= number <= EXACT_INTS else int(exact(value))


def cut(text: str, longest: int = LONGEST) -> str:
    """Return a text of bearable length."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def is_unicode(text: str) -> bool:
    """Return whether UTF-8 can encode a text: it has no half of a surrogate pair."""
    try:
        return text.isascii() or bool(text.encode("utf-8"))
    except UnicodeEncodeError:
        return False


def escaped(text: str) -> str:
    """Return a text that UTF-8 can encode: halves of surrogate pairs become ``\\ud800``."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def show(value: Any, budget: int = LONGEST) -> str:
    """Return a value as JSON, cut where it is long; what is no JSON is told by its type only."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        from json.encoder import encode_basestring

        text = value[: budget + 1]
        shown = escaped(encode_basestring(text[:budget]))
        return shown if len(text) <= budget else shown[:-1] + '…"'
    if type(value) in (int, float, Decimal):
        return _show_number(value)
    if is_object(value):
        items = (
            f"{show(str(name), 30)}: {show(item, 30)}" for name, item in value.items()
        )
        return _show_items(items, "{}", budget)
    if is_list(value):
        return _show_items((show(item, 30) for item in value), "[]", budget)
    return f"a Python {type(value).__name__}"


def _show_number(value: Number) -> str:
    if isinstance(value, int) and value.bit_length() > 300:
        return "an integer of more than 90 digits"
    return cut(str(value))


def _show_items(items: Iterable[str], brackets: str, budget: int) -> str:
    parts: list[str] = []
    size = 0
    for item in items:
        if size > budget - 10:
            parts.append("…")
            break
        size += len(item) + 2
        parts.append(item)
    return brackets[0] + cut(", ".join(parts)) + brackets[1]


def listing(values: Iterable[Any]) -> str:
    """Return values one after the other, the first twenty of them."""
    shown: list[str] = []
    for value in values:
        if len(shown) == 20:
            shown.append("…")
            break
        shown.append(show(value, 40))
    return ", ".join(shown)


FORMATS = {
    "date": "date (YYYY-MM-DD)",
    "date-time": "datetime with offset",
    "time": "time with offset",
    "duration": "ISO 8601 duration",
    "email": "email address",
    "uuid": "UUID",
    "uri": "absolute URI",
    "regex": "regular expression",
}
"""What a value of a format is called, where its own name is not good English."""

TIME = r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?$"
"""The pattern of a time of day."""

_SECONDS = r"[0-9]{1,9}(?:\.[0-9]{1,6})?S"
DURATION = (
    r"^-?P(?:[0-9]{1,8}W|[0-9]{1,8}D|(?:[0-9]{1,8}D)?"
    f"T(?:[0-9]{{1,9}}H(?:[0-9]{{1,9}}M)?(?:{_SECONDS})?"
    f"|[0-9]{{1,9}}M(?:{_SECONDS})?|{_SECONDS}))$"
)
"""The pattern of a duration: ISO 8601 without years and months, whose length varies."""

BASE64 = r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
"""The pattern of bytes in base64."""

PATTERNS = {
    TIME: "time of day (HH:MM:SS)",
    DURATION: "ISO 8601 duration (PT1H30M; no years or months)",
    BASE64: "base64 text",
}
"""What a text is called that matches a pattern of the type table."""

ASSUMED = "datetime (YYYY-MM-DDTHH:MM:SS, offset optional)"
"""What a datetime is called whose offset may be absent."""


def form_of(schema: Any) -> str:
    """Return what the values of a schema are: the format of a text, or a type; "" for several.

    That they may be null as well is left out; a moment whose offset may be absent is a moment.
    """
    if not is_object(schema):
        return ""
    kinds = schema.get("type", "")
    if is_list(kinds):
        non_null = [kind for kind in kinds if kind != "null"]
        kinds = non_null[0] if len(non_null) == 1 else ""
    if kinds != "string":
        return str(kinds)
    if schema.get("x-tz") == "assume-utc":
        return "date-time"
    return str(schema.get("format", kinds))


def describe(schema: Any) -> str:
    """Return what a schema wants, in a few words: ``integer``, ``list of date``, ``"a" or "b"``."""
    if not is_object(schema):
        return "anything" if schema is not False else "nothing"
    kind = schema.get("type")
    if "const" in schema:
        return show(schema["const"], 40)
    if is_list(schema.get("enum")):
        return f"one of {listing(schema['enum'])}"
    if kind in (None, "object") and isinstance(schema.get("title"), str):
        return cut(str(schema["title"])) or "object"
    if is_list(kind):
        return _describe_kinds(schema, kind)
    if kind == "array" and is_object(schema.get("items")):
        return _describe_list(schema["items"])
    if kind == "string" and isinstance(schema.get("format"), str):
        return FORMATS.get(schema["format"], str(schema["format"]))
    if schema.get("x-tz") == "assume-utc":
        return ASSUMED
    if kind == "string" and schema.get("pattern") in PATTERNS:
        return PATTERNS[schema["pattern"]]
    if isinstance(leaf := schema.get("x-leaf"), str):
        return cut(leaf)
    if kind is not None:
        return "list" if kind == "array" else str(kind)
    for word in ("anyOf", "oneOf"):
        if is_list(schema.get(word)):
            return either(map(describe, schema[word]))
    if isinstance(schema.get("$ref"), str):
        return cut(schema["$ref"].rpartition("/")[2] or "value")
    return "object" if "properties" in schema else "value"


def _describe_kinds(schema: Mapping[str, Any], kinds: list[Any]) -> str:
    non_null = [kind for kind in kinds if kind != "null"]
    words = [describe({**schema, "type": kind}) for kind in non_null]
    return either([*words, "null"] if "null" in kinds else words)


def either(words: Iterable[str]) -> str:
    """Join alternatives by "or". Null goes before a list, or it would read as one of its items."""
    alternatives = dict.fromkeys(words)
    if "null" in alternatives and any(word.startswith("list") for word in alternatives):
        alternatives = {"null": None, **alternatives}
    return " or ".join(alternatives)


def _describe_list(items: Mapping[str, Any]) -> str:
    word = describe(items)
    if word == "value":
        return "list"
    return f"list, each {word}" if word.startswith("one of ") else f"list of {word}"
