"""The keywords of texts: length, pattern, format, x-tz.

``x-tz`` allows a datetime without an offset, which no format of JSON Schema does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from .compile import Place, family
from .json_values import ASSUMED, FORMATS, PATTERNS, cut
from .nodes import Part, Test, leaf

_LATER = frozenset(("duration", "uuid"))
"""Formats that draft-07 does not know."""

_OWN = ("date", "date-time", "duration", "json-pointer", "relative-json-pointer")
_OF_NETS = ("email", "hostname", "ipv4", "ipv6", "iri", "iri-reference")
HOMES: Mapping[str, str] = {
    **dict.fromkeys((*_OWN, "time", "uuid"), "formats"),
    **dict.fromkeys((*_OF_NETS, "uri", "uri-reference", "uri-template"), "net_formats"),
    **dict.fromkeys(("idn-email", "idn-hostname"), "net_formats"),
    "regex": "regex_format",
}
"""The module that tests each format; a format that is not listed here is an annotation."""


def needs(schema: Mapping[str, Any]) -> list[str]:
    """Return the modules that the keywords of a schema need besides this one."""
    modules = [HOMES[schema["format"]]] if schema.get("format") in HOMES else []
    if schema.get("x-tz") == "assume-utc":
        modules.append("formats")
    return [*modules, "patterns"] if "pattern" in schema else modules


def format_test(name: str) -> Test | None:
    """Return the test of a format that is asserted, None for an annotation."""
    test: Test | None = family(HOMES[name]).TESTS[name] if name in HOMES else None
    return test


def parts(schema: Mapping[str, Any], place: Place) -> Iterator[Part]:
    """Yield the parts of the keywords of texts, in a fixed order."""
    is_local = schema.get("x-tz") == "assume-utc"
    if is_local:
        yield _local_datetime(schema, place)
    for word, sign in (("minLength", "at least"), ("maxLength", "at most")):
        if word in schema:
            yield _length(word, sign, schema[word])
    if "pattern" in schema and not is_local:
        yield _pattern(schema, place)
    name = str(schema.get("format"))
    test = format_test(name)
    if test is not None and not (place.compiler.draft7 and name in _LATER):
        yield leaf("string", test, "format", FORMATS.get(name, name), name)


def _length(word: str, sign: str, bound: Any) -> Part:
    noun = "character" if bound == 1 else "characters"
    expected = f"{sign} {bound} {noun}"
    if word == "minLength":
        return leaf("string", lambda text: len(text) >= bound, word, expected)
    return leaf("string", lambda text: len(text) <= bound, word, expected)


def _pattern(schema: Mapping[str, Any], place: Place) -> Part:
    """Return the part of ``pattern``: a text that is too long is refused without it."""
    pattern = schema["pattern"]
    search = place.compiler.searcher(pattern)
    most = schema.get("maxLength", sys.maxsize)
    expected = PATTERNS.get(pattern) or cut(f"text that matches {pattern}")
    return leaf(
        "string",
        lambda text: len(text) > most or search(text) is not None,
        "pattern",
        expected,
    )


def _local_datetime(schema: Mapping[str, Any], place: Place) -> Part:
    """Return the part of ``x-tz``, and of the ``pattern`` that says most of it to others."""
    search = place.compiler.searcher(schema["pattern"]) if "pattern" in schema else None
    is_local_datetime = family("formats").is_local_datetime

    def test(text: str) -> bool:
        fits = search is None or search(text) is not None
        return fits and is_local_datetime(text)

    return leaf("string", test, "format", ASSUMED, "date-time")


def quick(schema: Mapping[str, Any], test: Test) -> Test | None:
    """Return a quick test with the verdict of ``test`` for texts of bounded length, or None."""
    if schema.get("type") != "string" or not schema.keys().isdisjoint(_RARE):
        return None
    least, most = schema.get("minLength", 0), schema.get("maxLength", sys.maxsize)
    return lambda v: least <= len(v) <= most if type(v) is str else test(v)


_RARE = ("format", "pattern", "x-tz")
