"""Suggest what an author meant by a value of the wrong type."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brimgen.model.scalars import SCALARS
from brimgen.model.types import Scalar
from brimgen.resolve.values import fits
from brimgen.source.nodes import Node, ScalarNode
from brimgen.syntax.shapes import BOOLEANS

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
