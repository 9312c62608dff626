"""List what compiled prompts support of Jinja, with the functions of the runtime."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FILTERS: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "abs": ("absolute", 0),
        "capitalize": ("capitalized", 0),
        "count": ("count", 0),
        "d": ("default", 2),
        "default": ("default", 2),
        "first": ("first", 0),
        "float": ("as_float", 1),
        "indent": ("indented", 3),
        "int": ("as_int", 1),
        "items": ("pairs", 0),
        "join": ("join", 2),
        "last": ("last", 0),
        "length": ("count", 0),
        "list": ("as_list", 0),
        "lower": ("lower", 0),
        "replace": ("replaced", 2),
        "reverse": ("reverse", 0),
        "round": ("rounded", 2),
        "sort": ("ordered", 3),
        "string": ("text", 0),
        "sum": ("total", 2),
        "title": ("titled", 0),
        "tojson": ("as_json", 0),
        "trim": ("trimmed", 1),
        "truncate": ("truncated", 4),
        "unique": ("distinct", 2),
        "upper": ("upper", 0),
        "wordcount": ("words", 0),
    }
)
"""Filters: the function, and how many arguments it may be given."""

KEYWORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "d": ("default_value", "boolean"),
        "default": ("default_value", "boolean"),
        "float": ("default",),
        "indent": ("width", "first", "blank"),
        "int": ("default",),
        "join": ("d", "attribute"),
        "replace": ("old", "new"),
        "round": ("precision", "method"),
        "sort": ("reverse", "case_sensitive", "attribute"),
        "sum": ("attribute", "start"),
        "trim": ("chars",),
        "truncate": ("length", "killwords", "end", "leeway"),
        "unique": ("case_sensitive", "attribute"),
    }
)
"""The names of the arguments of filters, in order."""

TESTS: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "defined": ("is_defined", 0),
        "divisibleby": ("is_divisible", 1),
        "eq": ("is_equal", 1),
        "equalto": ("is_equal", 1),
        "==": ("is_equal", 1),
        "even": ("is_even", 0),
        "false": ("is_false", 0),
        "in": ("is_in", 1),
        "mapping": ("is_mapping", 0),
        "none": ("is_none", 0),
        "number": ("is_numeric", 0),
        "odd": ("is_odd", 0),
        "string": ("is_string", 0),
        "true": ("is_true", 0),
        "undefined": ("is_undefined", 0),
    }
)
"""Tests: the function, and how many arguments it must be given."""

LOOP = frozenset(
    [
        *("index", "index0", "revindex", "revindex0", "first", "last", "length"),
        *("previtem", "nextitem", "depth", "depth0"),
    ]
)
"""What may be asked of ``loop``."""

PAIRS: Mapping[str, str] = MappingProxyType(
    {"items": "called_items", "keys": "called_keys", "values": "called_values"}
)
"""The methods of objects that may be called, without arguments, and their functions."""
