"""Describe in words of JSON what a schema expects, for retry messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from .errors import SchemaError
from .kinds import is_list, is_object
from .limits import limits
from .refs import References, escape
from .words import describe, is_secret, show

Accepts: TypeAlias = Callable[[Any, str, Any], bool]
"""Whether a schema, which stands at a pointer, accepts a value."""

_MOST_PROPERTIES = 40
_MOST_OBJECTS = 12


def expects(schema: Any, names: Mapping[str, str], accepts: Accepts) -> str:
    """Return what a schema wants, and on further lines what the objects in it have.

    ``center (Coordinate, required), radiusKm (number, more than 0, required)``, and below
    ``Coordinate: lat (number, required), lng (number, required)``. ``names`` are what objects are
    called, by the pointers of their schemas; an object without a name is called after its property.
    A default is told that its own schema ``accepts``: another one is never used.
    """
    if not is_object(schema):
        return describe(schema)
    teller = _Teller(schema, names, accepts)
    return "\n".join(teller.lines())


class _Teller:
    def __init__(
        self, document: Mapping[str, Any], names: Mapping[str, str], accepts: Accepts
    ) -> None:
        self._document = document
        self._names = names
        self._accepts = accepts
        self._references = References(document, draft7=False)
        self._waiting: list[tuple[str, Mapping[str, Any], str]] = []
        self._told: set[str] = set()

    def lines(self) -> Iterator[str]:
        """Yield the arguments, then objects one after the other, outer ones first."""
        root, pointer = self._followed(self._document, "")
        properties = root.get("properties")
        if not is_object(properties):
            yield describe(root)
            return
        yield self._properties(root, pointer, "") or "no arguments"
        while self._waiting and len(self._told) < _MOST_OBJECTS:
            name, schema, pointer = self._waiting.pop(0)
            if name not in self._told:
                self._told.add(name)
                yield f"{name}: {self._properties(schema, pointer, f'{name}.')}"

    def _properties(self, schema: Mapping[str, Any], pointer: str, prefix: str) -> str:
        required = schema.get("required", ())
        told: list[str] = []
        for name, each in schema["properties"].items():
            if len(told) == _MOST_PROPERTIES:
                told.append("…")
                break
            place = f"{pointer}/properties{escape(name)}"
            words = self._words(each, place, prefix + name)
            presence = self._presence(each, place, name in required)
            told.append(f"{name} ({', '.join([*words, presence])})")
        return ", ".join(told)

    def _words(self, schema: Any, pointer: str, name: str) -> list[str]:
        """Return what a property is called, and its limits; an object in it is told later."""
        plain, place = self._without_null(*self._followed(schema, pointer))
        return [self._word(schema, plain, place, name), *limits(plain)]

    def _word(
        self, said: Any, schema: Mapping[str, Any], pointer: str, name: str
    ) -> str:
        """Return what a property is called that is ``said`` to be what a schema is."""
        whole = describe(said)
        null = " or null" if whole.endswith(" or null") else ""
        is_scalar = "properties" not in schema and "items" not in schema
        if schema is not said and schema and is_scalar:
            whole = describe(schema).removesuffix(null) + null
        before = ""
        if schema.get("type") == "array" and is_object(schema.get("items")):
            before = "list of "
            schema, pointer = self._followed(schema["items"], f"{pointer}/items")
        if not is_object(schema.get("properties")) or not schema["properties"]:
            return whole
        named = self._names.get(pointer) or _definition(pointer)
        self._waiting.append((named or name, schema, pointer))
        if named is None:
            return whole
        return f"{before}{named}{null}"

    def _presence(self, schema: Any, pointer: str, required: bool) -> str:
        if required:
            return "required"
        if not is_object(schema) or schema.get("default") is None or is_secret(schema):
            return "optional"
        default = schema["default"]
        is_used = self._accepts(schema, pointer, default)
        return f"optional, default {show(default, 30)}" if is_used else "optional"

    def _without_null(
        self, schema: Mapping[str, Any], pointer: str
    ) -> tuple[Mapping[str, Any], str]:
        for word in ("anyOf", "oneOf"):
            options = schema.get(word)
            if is_list(options):
                rest = [i for i, each in enumerate(options) if each != {"type": "null"}]
                if len(rest) == 1 and len(options) == 2:
                    return self._followed(
                        options[rest[0]], f"{pointer}/{word}/{rest[0]}"
                    )
        return schema, pointer

    def _followed(self, schema: Any, pointer: str) -> tuple[Mapping[str, Any], str]:
        """Return a schema, or what it refers to, and where that is."""
        for _ in range(10):
            if not is_object(schema) or "$ref" not in schema:
                break
            try:
                schema, pointer = self._references.resolve(schema, pointer)
            except SchemaError:
                break
        return (schema if is_object(schema) else {}), pointer


def _definition(pointer: str) -> str | None:
    """Return the name of a definition that a pointer is."""
    place, _, name = pointer.rpartition("/")
    is_definition = place in ("/$defs", "/definitions")
    return name.replace("~1", "/").replace("~0", "~") if is_definition else None
