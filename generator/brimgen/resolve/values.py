"""Convert, compare and show values of specs."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TypeAlias

from brimgen.model.catalog import Limits, McpOptions
from brimgen.model.json import Json
from brimgen.model.lint import IMPORTED_FROM, LINT_IGNORE
from brimgen.model.scalars import SCALARS, ScalarRow
from brimgen.model.types import Scalar
from brimgen.source.nodes import (
    Entry,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    plain,
    plain_object,
)
from brimgen.syntax.decls import FieldDecl
from brimgen.syntax.reader import Section
from brimgen.syntax.shapes import BOOLEANS

Number: TypeAlias = int | float | Decimal
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")


def published_extensions(extensions: Iterable[Entry]) -> dict[str, Json]:
    """Return the values of ``x-`` keys that callers may see: not those about the spec itself."""
    return {
        key.text: plain(value)
        for key, value in extensions
        if key.text not in (LINT_IGNORE, IMPORTED_FROM)
    }


def show(node: Node) -> str:
    """Return how a message names a value: a short one as it is written, a long one by kind."""
    if isinstance(node, MapNode):
        return "an object"
    if isinstance(node, ListNode):
        return "a list"
    text = f'"{node.text}"' if isinstance(node.value, str) else node.text or "null"
    return text if len(text) <= 60 else f"{text[:57]}…"


def is_number(value: object) -> bool:
    """Return whether a JSON value is a number: a boolean is not, NaN and infinity are not."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
    )


def exact_integer(value: object) -> int:
    """Return the integer that an integral number says in JSON: ``1e23`` is ``10**23``."""
    return value if isinstance(value, int) else int(Decimal(repr(value)))


def exact(node: ScalarNode) -> Decimal:
    """Return a number with all the digits of its source text.

    A number beyond a double was reported by the reader, and is the nearest double here.
    """
    assert not isinstance(node.value, str) and node.value is not None
    try:
        number = Decimal(node.text)
    except ArithmeticError:
        return Decimal(str(node.value))
    if isinstance(node.value, int):  # which the reader has made sure of
        return number
    in_range = abs(number.adjusted()) <= sys.float_info.max_10_exp
    return number if in_range else Decimal(str(node.value))


def is_replaced(node: ScalarNode) -> bool:
    """Return whether the reader replaced a number beyond JSON by the nearest, and reported it."""
    if node.quoted or not isinstance(node.value, float):
        return False
    try:
        return not math.isfinite(float(node.text))
    except ValueError:  # `.inf` and `.nan`, and numbers in hexadecimal
        return True


def fits(scalar: Scalar, value: Json, *, wire_string: bool = False) -> bool:
    """Return whether a JSON value is one of the scalar's (spec-language.md)."""
    if wire_string and SCALARS[scalar].keeps_digits:
        return isinstance(value, str) and _DECIMAL.fullmatch(value) is not None
    return _FITS[scalar](value)


_OF_JSON: Mapping[str, Callable[[Json], bool]] = {
    "integer": lambda value: is_number(value) and value == math.floor(value),  # type: ignore[arg-type]
    "number": is_number,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
}


def _test_of(row: ScalarRow) -> Callable[[Json], bool]:
    """Return the function that tells whether a JSON value is one of the scalar's."""
    accepts = row.accepts_text
    if accepts is not None:
        return lambda value: isinstance(value, str) and accepts(value)
    tests = [_OF_JSON[json_type] for json_type in row.json_types]
    if len(tests) > 1:
        return lambda value: any(test(value) for test in tests)
    test, (least, most) = tests[0], row.bounds
    if least == -math.inf and most == math.inf:
        return test
    return lambda value: test(value) and least <= value <= most  # type: ignore[operator]


_FITS = {scalar: _test_of(row) for scalar, row in SCALARS.items()}


def fits_format(name: str, text: str) -> bool:
    """Return whether a text has a format, as generated code asks it."""
    from brimgen_runtime.schema.texts import format_test

    test = format_test(name)
    return test is None or test(text)


def identity(value: Json) -> Hashable:
    """Return a key by which JSON values are compared: 1 is 1.0, but true is not 1."""
    if isinstance(value, bool):
        return ("flag", value)
    if value is None or isinstance(value, int | float | str):
        return value
    if isinstance(value, Mapping):
        return ("object", frozenset((key, identity(value[key])) for key in value))
    return ("list", tuple(map(identity, value)))


_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](.+))?", re.ASCII)
_TIME = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?[ ]?(Z|[+-]\d{2}:?\d{2})?", re.ASCII
)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,15})?", re.ASCII)


_BOUNDS = (
    ("minimum", "minLength", "minItems"),
    ("maximum", "maxLength", "maxItems"),
)


def same_bound(key: str) -> tuple[str, ...]:
    """Return the keywords that bound numbers, texts and lists on the same side as ``key``."""
    return next((bound for bound in _BOUNDS if key in bound), ())


def intended_values(node: Node, scalar: Scalar) -> tuple[str, ...]:
    """Suggest the value of ``scalar`` that ``node`` was probably meant to be; () if none."""
    if not isinstance(node, ScalarNode) or node.value is None:
        return ()
    return tuple(dict.fromkeys(_candidates(node, scalar)))[:1]


def _candidates(node: ScalarNode, scalar: Scalar) -> Iterator[str]:
    text = node.text.strip()
    row = SCALARS[scalar]
    if row.is_boolean and text.lower() in BOOLEANS:
        yield BOOLEANS[text.lower()]
    elif row.is_number:
        number = text.replace("_", "").replace(",", "")
        if _NUMBER.fullmatch(number) and fits(scalar, float(number)):
            yield number
    elif row.is_open_text and not isinstance(node.value, str):
        yield f'"{text}"'
    elif row.accepts_text is not None:
        yield from filter(row.accepts_text, _moments(text))


def _moments(text: str) -> Iterator[str]:
    """The time of day, or the day and the instant, that a text may stand for."""
    day = _DAY.fullmatch(text)
    if day is None:
        if clock := _TIME.fullmatch(text):
            yield f"{int(clock[1]):02}:{clock[2]}:{clock[3] or '00'}"
        return
    written = f"{day[1]}-{int(day[2]):02}-{int(day[3]):02}"
    yield written
    time = _TIME.fullmatch(day[4] or "00:00")
    if time is not None:
        zone = time[4] or "Z"
        zone = zone if ":" in zone or zone == "Z" else f"{zone[:3]}:{zone[3:]}"
        yield f"{written}T{int(time[1]):02}:{time[2]}:{time[3] or '00'}{zone}"


def read_mcp(said: Section) -> McpOptions:
    """Read the `mcp` key."""
    if not said.entries:
        return McpOptions()
    meta = said.node("meta")
    return McpOptions(
        span=said.span,
        places={name: entry.key.span for name, entry in said.entries.items()},
        title=said.value("title", None),
        description=said.value("description", None),
        read_only=said.value("read_only", None),
        destructive=said.value("destructive", None),
        idempotent=said.value("idempotent", None),
        open_world=said.value("open_world", None),
        mime_type=said.value("mime_type", None),
        uri_scheme=said.word("uri_scheme"),
        meta=plain_object(meta) if isinstance(meta, MapNode) else {},
    )


def read_limits(said: Section) -> Limits:
    """Read the `limits` key of a tool or a bundle."""
    numbers = {name: said.value(name, None) for name in said.entries}
    timeout = numbers.pop("timeout", None)
    counts = {name: int(number) for name, number in numbers.items()}
    return Limits(timeout=timeout, **counts)


_ANNOTATIONS = frozenset({"title", "description", "deprecated", "examples"})


def field_annotations(decl: FieldDecl) -> dict[str, Json]:
    """Return the annotations of a field: its texts and examples, and its ``x-`` keys."""
    words = item_annotations(decl)
    if words.get("deprecated") is False:
        del words["deprecated"]
    return words


def item_annotations(decl: FieldDecl) -> dict[str, Json]:
    """Return the annotations of the items of a list."""
    return {
        key: plain(value.value)
        for key, value in decl.attributes.items()
        if key in _ANNOTATIONS or (key[:2] == "x-" and key != LINT_IGNORE)
    }
