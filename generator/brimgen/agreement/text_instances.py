"""Generate texts that a schema of strings admits, and texts at its edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from brimgen.agreement.schema_parts import objects_in
from brimgen.model.leaves import LEAF, Shipped
from brimgen.patterns.example_text import LONGEST, example_text
from brimgen.patterns.slowness import slowness
from brimgen.patterns.syntax import Undecided

FORMATS: Mapping[str, tuple[str, str]] = {
    "date": ("2026-02-28", "2026-02-30"),
    "date-time": ("2026-02-28T12:30:00Z", "2026-02-28 noon"),
    "time": ("12:30:00Z", "25:30:00Z"),
    "duration": ("P1DT2H", "1 day"),
    "email": ("ada@example.com", "ada"),
    "hostname": ("shop.example.com", "-shop-.example.com"),
    "ipv4": ("192.0.2.1", "192.0.2.256"),
    "ipv6": ("2001:db8::1", "2001:db8::g"),
    "json-pointer": ("/a/0", "a/0"),
    "uri": ("https://example.com/a?b=c", "example com"),
    "uri-reference": ("/a?b=c", "a b\\c"),
    "uuid": ("123e4567-e89b-42d3-a456-426614174000", "123e4567"),
}
"""Of each format a text that is one and a text that is none, by the RFC that JSON Schema names."""

_LEAVES = {Shipped.TIMESTAMP.value: "date-time", Shipped.URL.value: "uri"}
"""The formats of the leaves that have another name than their format."""

_MOST = 12
_SHORT = 20


def admitted(schema: Mapping[str, Any]) -> Iterator[str]:
    """Texts that ``schema`` may admit, the likeliest first; each is still to be judged."""
    return _short_enough(schema, _admitted(schema))


def at_the_edges(schema: Mapping[str, Any]) -> Iterator[str]:
    """Texts at the edges of ``schema``, on both sides of each."""
    return _short_enough(schema, _at_the_edges(schema))


def _short_enough(schema: Mapping[str, Any], texts: Iterator[str]) -> Iterator[str]:
    """``texts`` without those on which a backtracking engine may never finish."""
    pattern, (low, _) = schema.get("pattern"), _bounds(schema)
    if not isinstance(pattern, str) or _is_fast(pattern):
        return texts
    return (text for text in texts if len(text) <= max(_SHORT, low))


def _is_fast(pattern: str) -> bool:
    """Whether nothing is found that makes ``pattern`` slow."""
    try:
        return slowness(pattern) is None
    except Undecided:
        return False


def slow_patterns(schema: Any) -> list[str]:
    """The patterns in a schema that are tried on short texts only, sorted."""
    patterns = (part.get("pattern") for part in objects_in(schema))
    texts = {pattern for pattern in patterns if isinstance(pattern, str)}
    return sorted(text for text in texts if not _is_fast(text))


def _admitted(schema: Mapping[str, Any]) -> Iterator[str]:
    low, high = _bounds(schema)
    yield from FORMATS.get(_kind(schema), ())[:1]
    if "pattern" in schema:
        for times in range(_MOST):
            text = example_text(schema["pattern"], times)
            if text is not None:
                yield text.ljust(low, text[-1:] or "a")
    yield "a" * max(low, min(3, high))


def _at_the_edges(schema: Mapping[str, Any]) -> Iterator[str]:
    low, high = _bounds(schema)
    yield from ("", " ", "é中😀", "a\x00b", '"quoted" \\ </script>', "null", "1")
    for length in (low - 1, low, high, high + 1):
        if 0 <= length <= LONGEST:
            yield "a" * length
            yield "😀" * length
    yield from FORMATS.get(_kind(schema), ())
    for text in dict.fromkeys(admitted(schema)):
        yield from (text, f" {text}", f"{text}\n", text.swapcase(), text[:-1])


def _kind(schema: Mapping[str, Any]) -> str:
    """The format of a string, or that of its leaf."""
    leaf = str(schema.get(LEAF))
    return str(schema.get("format", _LEAVES.get(leaf, leaf)))


def _bounds(schema: Mapping[str, Any]) -> tuple[int, int]:
    low = int(schema.get("minLength", 0))
    return min(low, LONGEST), int(schema.get("maxLength", LONGEST + 1))
