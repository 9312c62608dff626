"""The JSON Schemas that a profile shows to a model, and values in the form of that profile."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from brimgen.agreement.excused_losses import Rows
from brimgen.agreement.reference_validator import Oracle, words_of
from brimgen.emit.account import Descriptor, Loss
from brimgen.model.json import is_list, is_object
from brimgen.schema.walk import map_schemas
from brimgen_runtime.grammar.schema_parts import resolve_pointer

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
