"""Suggest what an author meant by a value of the wrong type."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    """The bounds of numbers, texts and lists that say of their type what ``key`` says of its."""
    return next((each for each in _BOUNDS if key in each), ())


def meant(node: Node, scalar: Scalar) -> tuple[str, ...]:
    """How a value of ``scalar`` is written that ``node`` was probably meant to be; () if none."""
    if not isinstance(node, ScalarNode) or node.value is None:
        return ()
    return tuple(dict.fromkeys(_candidates(node, scalar)))[:1]


def _candidates(node: ScalarNode, scalar: Scalar) -> Iterator[str]:
    text = node.text.strip()
    match scalar:
        case Scalar.BOOL:
            if text.lower() in BOOLEANS:
                yield BOOLEANS[text.lower()]
        case Scalar.INT | Scalar.FLOAT | Scalar.DECIMAL:
            number = text.replace("_", "").replace(",", "")
            if _NUMBER.fullmatch(number) and fits(scalar, float(number)):
                yield number
        case Scalar.STRING:
            if not isinstance(node.value, str):
                yield f'"{text}"'
        case Scalar.DATE | Scalar.DATETIME:
            yield from (each for each in _moments(text, scalar) if fits(scalar, each))
        case _:
            pass


def _moments(text: str, scalar: Scalar) -> Iterator[str]:
    day = _DAY.fullmatch(text)
    if day is None:
        return
    written = f"{day[1]}-{int(day[2]):02}-{int(day[3]):02}"
    if scalar is Scalar.DATE:
        yield written
        return
    time = _TIME.fullmatch(day[4] or "00:00")
    if time is not None:
        zone = time[4] or "Z"
        zone = zone if ":" in zone or zone == "Z" else f"{zone[:3]}:{zone[3:]}"
        yield f"{written}T{int(time[1]):02}:{time[2]}:{time[3] or '00'}{zone}"
