"""Describe in words of JSON what a tool expects, for the retry messages of its package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .errors import SchemaError, escape
from .json_pointer import unescape_step
from .json_values import PATTERNS, cut, describe, is_list, is_object, show
from .references import References
from .secrets import is_secret
from .validator import Validator

_MOST_PROPERTIES = 40
_MOST_OBJECTS = 12


def expected_lines(schema: Any) -> list[list[str]]:
    """Return what a schema wants, and on further lines what the objects in it have.

    A line is a list of arguments: ``center (Coordinate, required)``, ``radiusKm (number, more than
    0, required)``, and on the next line ``Coordinate: lat (number, required)``, ``lng (number,
    required)``. An object is called by the name of its definition, or after its property.
    A default is named only if its own schema accepts it: another one is never used.
    """
    if not is_object(schema):
        return [[describe(schema)]]
    return list(_Describer(schema).lines())


class _Describer:
    """Describes the objects of one document, each once."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._validator = Validator(document)
        self._references = References(document, draft7=False)
        self._definitions = _definitions(document)
        self._waiting: list[tuple[str, Mapping[str, Any], str]] = []
        self._described: set[str] = set()

    def lines(self) -> Iterator[list[str]]:
        """Yield the arguments, then objects one after the other, outer ones first."""
        root, pointer = self._followed(self._document, "")
        properties = root.get("properties")
        if not is_object(properties):
            yield [describe(root)]
            return
        yield self._properties(root, pointer, "") or ["no arguments"]
        while self._waiting and len(self._described) < _MOST_OBJECTS:
            name, schema, pointer = self._waiting.pop(0)
            if name not in self._described:
                self._described.add(name)
                first, *further = self._properties(schema, pointer, f"{name}.")
                yield [f"{name}: {first}", *further]

    def _properties(
        self, schema: Mapping[str, Any], pointer: str, prefix: str
    ) -> list[str]:
        required = schema.get("required", ())
        arguments: list[str] = []
        for name, subschema in schema["properties"].items():
            if len(arguments) == _MOST_PROPERTIES:
                arguments.append("…")
                break
            place = f"{pointer}/properties{escape(name)}"
            words = self._words(subschema, place, prefix + name)
            presence = self._presence(subschema, place, name in required)
            arguments.append(f"{name} ({', '.join([*words, presence])})")
        return arguments

    def _words(self, schema: Any, pointer: str, name: str) -> list[str]:
        """Return what a property is called, and its limits; an object in it is described later."""
        plain, place = self._without_null(*self._followed(schema, pointer))
        return [self._word(schema, plain, place, name), *limits(plain)]

    def _word(
        self, value: Any, schema: Mapping[str, Any], pointer: str, name: str
    ) -> str:
        """Return the type of a property in words; ``schema`` is ``value`` without references."""
        type_words = describe(value)
        null = " or null" if type_words.endswith(" or null") else ""
        is_scalar = "properties" not in schema and "items" not in schema
        if schema is not value and schema and is_scalar:
            type_words = describe(schema).removesuffix(null) + null
        before = ""
        if schema.get("type") == "array" and is_object(schema.get("items")):
            before = "list of "
            schema, pointer = self._followed(schema["items"], f"{pointer}/items")
        if not is_object(schema.get("properties")) or not schema["properties"]:
            return type_words
        named = _definition(pointer)
        self._waiting.append((named or name, schema, pointer))
        if named is None:
            return type_words
        return f"{before}{named}{null}"

    def _presence(self, schema: Any, pointer: str, required: bool) -> str:
        if required:
            return "required"
        if not is_object(schema) or schema.get("default") is None or is_secret(schema):
            return "optional"
        default = schema["default"]
        is_used = self._validator.accepts_at(pointer, schema, default)
        return f"optional, default {show(default, 30)}" if is_used else "optional"

    def _without_null(
        self, schema: Mapping[str, Any], pointer: str
    ) -> tuple[Mapping[str, Any], str]:
        for word in ("anyOf", "oneOf"):
            options = schema.get(word)
            if is_list(options):
                indexes = [
                    index
                    for index, option in enumerate(options)
                    if option != {"type": "null"}
                ]
                if len(indexes) == 1 and len(options) == 2:
                    return self._followed(
                        options[indexes[0]], f"{pointer}/{word}/{indexes[0]}"
                    )
        return schema, pointer

    def _followed(self, schema: Any, pointer: str) -> tuple[Mapping[str, Any], str]:
        """Return a schema, or what it refers to, and where that is."""
        for _ in range(10):
            if not is_object(schema) or "$ref" not in schema:
                break
            definition = self._definitions.get(str(schema["$ref"]))
            if definition is not None:
                schema, pointer = definition, schema["$ref"][1:]
                continue
            try:
                schema, pointer = self._references.resolve(schema, pointer)
            except SchemaError:
                break
        return (schema if is_object(schema) else {}), pointer


def _definitions(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the definitions that a reference like ``#/$defs/Order`` names, by these references.

    None if a schema has an ``$id``, which decides what the references in it are about: `References`
    looks through the whole document for those.
    """
    named = document.get("$defs")
    if not is_object(named) or "$id" in document:
        return {}
    if any(
        not is_object(definition) or "$id" in definition
        for definition in named.values()
    ):
        return {}
    return {f"#/$defs{escape(name)}": definition for name, definition in named.items()}


def _definition(pointer: str) -> str | None:
    """Return the name of a definition that a pointer is."""
    place, _, name = pointer.rpartition("/")
    is_definition = place in ("/$defs", "/definitions")
    return unescape_step(name) if is_definition else None


_COUNTED = (
    ("minLength", "maxLength", "character"),
    ("minItems", "maxItems", "item"),
    ("minProperties", "maxProperties", "property"),
)
_PLURALS = {"property": "properties"}


def limits(schema: Mapping[str, Any]) -> list[str]:
    """Return the limits of a value: ``["1 to 100", "multiple of 5"]``; none beside a choice.

    Of a list, those of its items come first: ``["each at least 1", "at most 20 items"]``.
    """
    if "const" in schema or is_list(schema.get("enum")):
        return []
    phrases: list[str] = []
    items = schema.get("items")
    if is_object(items):
        of_each = [limit for limit in limits(items) if not limit.startswith("each ")]
        phrases += [f"each {' and '.join(of_each)}"] if of_each else []
    phrases += _of_numbers(schema)
    for least, most, noun in _COUNTED:
        if least in schema or most in schema:
            phrases.append(_count(schema.get(least, 0), schema.get(most), noun))
    if schema.get("uniqueItems") is True:
        phrases.append("no two alike")
    pattern = schema.get("pattern")
    # `describe` names what such a pattern stands for.
    is_named = "x-tz" in schema or pattern in PATTERNS
    if "pattern" in schema and not is_named:
        phrases.append(cut(f"matching {pattern}"))
    return phrases


def _of_numbers(schema: Mapping[str, Any]) -> list[str]:
    decimal = schema.get("x-decimal")
    digits: Mapping[str, Any] = decimal if is_object(decimal) else {}
    phrases = _bounds(schema, digits)
    if "multipleOf" in schema:
        phrases.append(f"multiple of {schema['multipleOf']}")
    scale = digits.get("scale", 0 if digits else None)
    if "precision" in digits:
        before = digits["precision"] - scale
        phrases.append(f"at most {_counted(before, 'digit')} before the point")
    if scale is not None:
        phrases.append(f"at most {_counted(scale, 'digit')} after the point")
    return phrases


def _bounds(schema: Mapping[str, Any], digits: Mapping[str, Any]) -> list[str]:
    """Return the bounds of a number, without those that say how many digits it has."""
    words = {
        "minimum": "at least",
        "exclusiveMinimum": "more than",
        "maximum": "at most",
        "exclusiveMaximum": "less than",
    }
    ends: set[int] = set()
    if "precision" in digits:
        end = 10 ** (digits["precision"] - digits.get("scale", 0))
        ends = {end, -end}
    bounds = {
        word: schema[word]
        for word in words
        if word in schema and not (word.startswith("excl") and schema[word] in ends)
    }
    if bounds.keys() == {"minimum", "maximum"}:
        return [f"{bounds['minimum']} to {bounds['maximum']}"]
    shown = [f"{words[word]} {bound}" for word, bound in bounds.items()]
    return [" and ".join(shown)] if shown else []


def _count(least: Any, most: Any, noun: str) -> str:
    if most is None:
        return f"at least {_counted(least, noun)}"
    if least == most:
        return f"exactly {_counted(most, noun)}"
    if not least:
        return f"at most {_counted(most, noun)}"
    return f"{least} to {_counted(most, noun)}"


def _counted(number: Any, noun: str) -> str:
    plural = _PLURALS.get(noun, f"{noun}s")
    return f"{number} {noun if number == 1 else plural}"
