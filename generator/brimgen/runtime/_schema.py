"""The slow path: JSON Schema in, a validator that collects every violation out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ._errors import Violation


class SchemaError(ValueError):
    """A schema that cannot be compiled: a `$ref` to nowhere, a pattern that is not ECMA-262."""


class Validator:
    """A JSON Schema (2020-12, or draft-07 where `$schema` says so), compiled on first use.

    ``schema`` is the canonical schema literal; nothing is read from it before the first slow call.
    ``tool`` names the tool or entity in errors. ``expects`` is what follows ``<tool> expects: ``
    in a retry message (``center (Coordinate, required), radiusKm (number, required)``); without it,
    the words are derived from the schema. ``fast`` maps JSON Pointers of subschemas
    (``/properties/center``, ``/properties/stops/items``, ``/$defs/Node``; "" is the root) to
    checks: a true result says that the subschema accepts the value, a false one says nothing. A
    generated fast decoder that returns the object or None is such a check.
    """

    def __init__(
        self,
        schema: Mapping[str, Any] | bool,
        *,
        tool: str = "input",
        expects: str | None = None,
        fast: Mapping[str, Callable[[Any], object]] | None = None,
    ) -> None:
        self.schema = schema
        self.tool = tool

    def compile(self) -> None:
        """Compile now. Raises SchemaError if the schema cannot be compiled."""
        raise NotImplementedError

    def is_valid(self, value: object) -> bool:
        """Return whether the schema accepts the value; stops at the first violation."""
        raise NotImplementedError

    def violations(self, value: object) -> list[Violation]:
        """Return everything that the schema refuses in the value, in schema order."""
        raise NotImplementedError

    def check(self, value: object) -> None:
        """Raise InputError with all violations if the schema refuses the value."""
        raise NotImplementedError

    def read_call(self, raw: object) -> Any:
        """Return what a model sent, ready for ``from_dict``: parsed, and the null rule applied.

        ``raw`` is a mapping or JSON text (str, bytes). Raises InputError for text that is not
        JSON. Never changes ``raw``.
        """
        raise NotImplementedError
