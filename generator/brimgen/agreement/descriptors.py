"""The JSON Schemas that a profile shows to a model, and values in the form of that profile."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from brimgen.agreement.instances import objects_in
from brimgen.agreement.reference_validator import Oracle, words_of
from brimgen.emit.account import Descriptor, Loss, Recovery
from brimgen.emit.projection.ledger import BUDGET
from brimgen.model.json import is_list, is_object
from brimgen.schema.walk import map_schemas
from brimgen_runtime.grammar.schema_parts import resolve_pointer
from brimgen_runtime.schema.json_pointer import unescape_step

_HOMES = ("inputSchema", "input_schema", "parametersJsonSchema", "parameters")
_RESULTS = ("outputSchema", "responseJsonSchema", "response")
_DEEPEST = 24
_QUOTED = re.compile(r"([`\"'])(\w+)\1")
"""A name in quotation marks, which a text says under its alias."""


def arguments_schema(descriptor: Descriptor) -> Mapping[str, Any] | None:
    """Return the schema of the arguments; None where the descriptor has none (a prompt)."""
    entry = entry_of(descriptor)
    for home in _HOMES:
        if home in entry:
            schema: dict[str, Any] = entry[home]
            if descriptor.profile == "gemini_openapi":
                schema = map_schemas(schema, _in_json_schema)
            aliases = descriptor.aliases
            return _with_own_names(schema, aliases) if aliases else schema
    return None


def entry_of(descriptor: Descriptor) -> Any:
    """What a descriptor says of a tool, without the wrapper of OpenAI's chat API."""
    value: Any = descriptor.json
    return value.get("function", value)


def home_of(descriptor: Descriptor, *, output: bool = False) -> str:
    """The key at which a descriptor has the schema of the arguments, or of the result."""
    homes = _RESULTS if output else _HOMES
    entry = entry_of(descriptor)
    return next((home for home in homes if home in entry), homes[0])


def _with_own_names(
    schema: dict[str, Any], aliases: Mapping[str, str]
) -> dict[str, Any]:
    """A schema with the tool's own names in the place of ``aliases``."""

    def renamed(part: dict[str, Any]) -> dict[str, Any]:
        part = {**part}
        if is_object(part.get("properties")):
            properties = part["properties"].items()
            part["properties"] = {
                aliases.get(name, name): it for name, it in properties
            }
        if is_list(part.get("required")):
            part["required"] = [aliases.get(name, name) for name in part["required"]]
        if isinstance(part.get("description"), str):
            part["description"] = _QUOTED.sub(
                lambda at: f"{at[1]}{aliases.get(at[2], at[2])}{at[1]}",
                part["description"],
            )
        return part

    return map_schemas(schema, renamed)


def name_of(descriptor: Descriptor) -> str | None:
    """What the tool is called."""
    name = entry_of(descriptor).get("name")
    return name if isinstance(name, str) else None


def _in_json_schema(part: dict[str, Any]) -> dict[str, Any]:
    """Gemini's subset of OpenAPI 3.0 in the words of JSON Schema: small types, null as a type."""
    converted = {
        key: value
        for key, value in part.items()
        if key not in ("nullable", "example", "default")
        and (key, value) != ("format", "enum")
    }
    if isinstance(converted.get("type"), str):
        converted["type"] = converted["type"].lower()
    for bound in ("minLength", "maxLength", "minItems", "maxItems"):
        if isinstance(converted.get(bound), str):
            converted[bound] = int(converted[bound])
    return (
        {"anyOf": [converted, {"type": "null"}]} if part.get("nullable") else converted
    )


class JudgedDescriptor:
    """One descriptor of one tool: its schema, what judges by it, and what its ledger admits.

    ``name`` is what it calls the tool, None where that is not said.
    """

    def __init__(
        self,
        profile: str,
        schema: Mapping[str, Any],
        losses: Iterable[Loss],
        oracle: Oracle,
        name: str | None = None,
    ) -> None:
        self.name = name
        self.profile, self.schema, self.oracle = profile, schema, oracle
        self._rows = Rows(losses, schema)

    def may_be_wider(self, rule: str, place: Sequence[str | int]) -> str | None:
        """The keyword of a ledger row that excuses a violation of ``rule`` there, or None."""
        return self._rows.widen(rule, place)

    def may_be_narrower(self, place: Sequence[str | int]) -> str | None:
        """The keyword of a ledger row by which less is admitted there, or None."""
        return self._rows.narrow(place)

    def dangling(self) -> list[str]:
        """References within the schema that lead nowhere."""
        if any(words_of(self.schema, "$id")):
            return []  # they may be about the part that is called so
        refs = {word for word in words_of(self.schema, "$ref") if word[:1] == "#"}
        return sorted(ref for ref in refs if resolve_pointer(self.schema, ref) is None)

    def phrased(self, value: Any) -> Any:
        """A valid value as the descriptor wants it: null for what it requires and is absent.

        Raises `Unjudged`.
        """
        return value if self.oracle.accepts(value) else self._filled(value, self.schema)

    def _filled(self, value: Any, schema: Any, depth: int = 0) -> Any:
        schema = self._followed(schema)
        if depth > _DEEPEST or not is_object(schema):
            return value
        for branch in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            filled = self._filled(value, branch, depth + 1)
            if self.oracle.accepts_part(branch, filled):
                return filled
        if is_list(value):
            items = schema.get("items")
            return [self._filled(item, items, depth + 1) for item in value]
        if not is_object(value):
            return value
        properties = schema.get("properties", {})
        filled = {
            name: self._filled(member, properties.get(name), depth + 1)
            for name, member in value.items()
        }
        absent = [name for name in schema.get("required", ()) if name not in filled]
        return {**filled, **dict.fromkeys(absent)}

    def _followed(self, schema: Any) -> Any:
        """The schema that references lead to."""
        for _ in range(_DEEPEST):
            if not is_object(schema) or not isinstance(schema.get("$ref"), str):
                break
            schema = resolve_pointer(self.schema, schema["$ref"])
        return schema


Names: TypeAlias = tuple[str | None, ...]
"""The properties that lead to a place, list items left out; None is any that is not declared."""

UNKNOWN = "unknown"
"""The rule of the decoder about properties and items that may not be there."""

_CLOSING = frozenset(
    {
        *("additionalProperties", "additionalItems", "items", "properties"),
        *("unevaluatedProperties", "unevaluatedItems"),
    }
)
"""The keywords that make a property or an item one that may not be there."""

_HOLDS = frozenset(
    {
        *("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contains", "$ref"),
        *("prefixItems", "patternProperties", "dependentSchemas", "dependencies"),
        *("propertyNames", "additionalProperties", "unevaluatedProperties"),
        "properties",
    }
)
"""Keywords that hold schemas: where one is left out, all that its schemas say is left out."""

_CHOOSES = frozenset({"anyOf", "oneOf", "contains"})
"""Rules whose violations do not say which of the schemas in the keyword is broken."""

_OPEN_NAMES = frozenset(
    {
        *("additionalProperties", "unevaluatedProperties", "patternProperties"),
        *("propertyNames", "$ref", "$dynamicRef"),
    }
)
_FURTHER = _OPEN_NAMES - {"$ref", "$dynamicRef"}
_NOT_IN_SCHEMA = frozenset({Recovery.TEXT, Recovery.DECODER, Recovery.NONE})


class Rows:
    """The ledger's rows on the arguments of one tool in one profile, which shows ``schema``."""

    def __init__(self, losses: Iterable[Loss], schema: Any) -> None:
        rows = [loss for loss in losses if loss.part == "input"]
        names = {*declared(schema)}
        self._wider = [
            _Row(row, names) for row in rows if row.recovered_by in _NOT_IN_SCHEMA
        ]
        self._narrower = [
            _Row(row, names) for row in rows if row.recovered_by is Recovery.NARROWED
        ]

    def widen(self, rule: str, place: Sequence[str | int]) -> str | None:
        """The keyword of a row that lets the descriptor admit what breaks ``rule``, or None."""
        names = _of_properties(place)
        keywords = (row.keyword for row in self._wider if row.explains(rule, names))
        return next(keywords, None)

    def narrow(self, place: Sequence[str | int]) -> str | None:
        """The keyword of a row by which less is admitted there than by the decoder, or None."""
        names = _of_properties(place)
        keywords = (row.keyword for row in self._narrower if row.is_at_or_below(names))
        return next(keywords, None)


class _Row:
    def __init__(self, loss: Loss, names: set[str]) -> None:
        self.keyword, self._value = loss.keyword, loss.value
        self._steps = loss.pointer.split("/")[1:]
        self._is_defined_apart = self._steps[:1] == ["$defs"]
        self._names: Names = tuple(names_in(self._steps))
        lost = (
            {loss.keyword: loss.value} if loss.keyword == "properties" else loss.value
        )
        self._lost_names: set[str] | None = {*declared(lost)}
        self._declared = names
        if loss.keyword in _OPEN_NAMES or _has_any(loss.value, _OPEN_NAMES):
            self._lost_names = None

    def explains(self, rule: str, names: Sequence[str]) -> bool:
        """Whether a value may break ``rule`` below ``names`` because of this loss."""
        if self.keyword == BUDGET:
            return any(True for _ in self._beyond(names))
        if rule in _CHOOSES and rule in self._steps and self.is_at_or_below(names):
            return True
        fits = (
            rule == self.keyword
            or (rule in (UNKNOWN, "false") and self.keyword in _CLOSING)
            or (rule == "dependencies" and self.keyword == "dependentRequired")
        )
        return any(
            (fits and len(rest) < 2) or self._concerns(rest)
            for rest in self._beyond(names)
        )

    def _concerns(self, rest: Sequence[str]) -> bool:
        """Whether the lost schemas restrict what ``rest`` leads to."""
        if self.keyword not in _HOLDS or (self.keyword == "properties" and not rest):
            return False
        if len(rest) < 2 and self.keyword not in (*_FURTHER, "properties"):
            return True
        if self._lost_names is not None:
            return rest[0] in self._lost_names
        return bool(rest) and (
            self.keyword != "additionalProperties" or rest[0] not in self._declared
        )

    def is_at_or_below(self, names: Sequence[str]) -> bool:
        """Whether the place is at these properties, or below them."""
        own = self._names[: len(names)]
        return self._is_defined_apart or self._are_same(own, names)

    def _beyond(self, names: Sequence[str]) -> Iterator[Sequence[str]]:
        """What leads on from the place; a definition may be used anywhere, also in itself."""
        length = len(self._names)
        last = len(names) - length if self._is_defined_apart else 0
        for start in range(last + 1):
            if self._are_same(self._names, names[start : start + length]):
                yield names[start + length :]

    def _are_same(self, own: Names, names: Sequence[str]) -> bool:
        return len(own) == len(names) and all(
            name == mine or (mine is None and name not in self._declared)
            for mine, name in zip(own, names, strict=True)
        )


def names_in(steps: Iterable[str]) -> Iterator[str | None]:
    """The properties that the pointer of a schema leads through."""
    following = iter(steps)
    for step in following:
        if step in ("properties", "$defs", "dependentSchemas"):
            name = next(following, None)
            if name is not None and step == "properties":
                yield unescape_step(name)
        elif step in _FURTHER:
            if step == "patternProperties":
                next(following, None)
            yield None


def _of_properties(place: Sequence[str | int]) -> tuple[str, ...]:
    return tuple(step for step in place if isinstance(step, str))


def declared(schema: Any) -> Iterator[str]:
    """The names of all properties that a schema declares in any of its parts."""
    for part in objects_in(schema):
        properties = part.get("properties")
        if is_object(properties):
            yield from properties


def _has_any(schema: Any, keywords: frozenset[str]) -> bool:
    """Whether any part of a schema has one of ``keywords``."""
    return any(not keywords.isdisjoint(part) for part in objects_in(schema))
