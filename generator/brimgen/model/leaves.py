"""Leaves: types of a program that are primitives in JSON (S4.20-27; spec-language.md)."""

from __future__ import annotations

from enum import StrEnum

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass
from brimgen.model.json import JsonObject
from brimgen.model.types import Scalar

LEAF = "x-leaf"
"""The annotation of a schema whose values a leaf has yet to read; see docs/annotations.md."""


class Shipped(StrEnum):
    """The leaves that come with the language (S4.24-26)."""

    URL = "url"
    UUID = "uuid"
    TIMESTAMP = "timestamp"


@dataclass(frozen=True, slots=True)
class PythonName:
    """Something in a Python module, by its name there; in no ``module`` it is a builtin."""

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class LeafPython:
    """What a leaf of the project is in Python.

    ``parse`` makes a value of ``type`` from one of JSON, and raises ValueError where it cannot;
    ``dump`` makes one of JSON again.
    """

    type: PythonName
    parse: PythonName
    dump: PythonName


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A leaf.

    ``schema`` is published where the type is used; ``scalar`` is its type in JSON, ``sql`` what a
    database is given. ``shipped`` is set for those of the language, ``python`` for those of the
    project that are more in Python than they are in JSON.
    """

    name: str
    span: Span
    scalar: Scalar
    schema: JsonObject
    sql: Scalar
    shipped: Shipped | None = None
    python: LeafPython | None = None
    description: str | None = None
