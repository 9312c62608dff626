"""The JSON Schemas that a profile shows to a model, and values in the form of that profile."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any

from brimgen.agreement.instances import Instances, objects_in
from brimgen.agreement.reference_validator import Oracle, Oracles, words_of
from brimgen.agreement.round_trip import Meaning
from brimgen.emit.account import Descriptor, Loss, Recovery
from brimgen.emit.projection.ledger import BUDGET
from brimgen.model.json import is_list, is_object
from brimgen.schema.walk import map_schemas
from brimgen_runtime.grammar.schema_parts import resolve_pointer
from brimgen_runtime.schema.json_pointer import steps_of, unescape_step

_HOMES = ("inputSchema", "input_schema", "parametersJsonSchema", "parameters")
_DEEPEST = 24


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

    ``name`` is what it calls the tool, None where that is not said; ``published`` is the schema of
    the tool, and ``losses`` the rows of the ledger on the descriptor.
    """

    def __init__(
        self,
        descriptor: Descriptor,
        schema: Mapping[str, Any],
        published: Mapping[str, Any],
        losses: Iterable[Loss],
        oracles: Oracles,
    ) -> None:
        self.name, self.profile = name_of(descriptor), descriptor.profile
        self.schema, self.oracle = schema, oracles.of(schema)
        self._oracles, self._published = oracles, published
        self._losses = [loss for loss in losses if loss.part == "input"]

    @cached_property
    def _relaxed(self) -> tuple[Oracle, Meaning]:
        schema = relaxed(self._published, self._losses, self.schema)
        oracle = self._oracles.of(schema)
        flat = Instances(schema, oracle.accepts_part).flat
        return oracle, Meaning(schema, flat, oracle.accepts_part)

    def may_admit(self, value: Any) -> bool:
        """Whether the tool admits a value but for the keywords that are lost. Raises `Unjudged`."""
        oracle, meaning = self._relaxed
        return oracle.accepts(value) or oracle.accepts(meaning.without_absent(value))

    def may_be_narrower(self, place: Sequence[str | int]) -> str | None:
        """The keyword of a ledger row by which less is admitted there, or None."""
        names = [step for step in place if isinstance(step, str)]
        rows = (row for row in self._losses if row.recovered_by is Recovery.NARROWED)
        return next((row.keyword for row in rows if _is_below(row, names)), None)

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


UNKNOWN = "unknown"
"""The rule of the decoder about properties and items that may not be there."""

_FURTHER = frozenset(
    {
        *("additionalProperties", "unevaluatedProperties", "patternProperties"),
        "propertyNames",
    }
)
_CLOSES: Mapping[str, tuple[str, ...]] = {
    "properties": ("additionalProperties",),
    "patternProperties": ("additionalProperties",),
    "prefixItems": ("items",),
}
"""Keywords that refuse what another one does not speak of; without that they would refuse more."""
_EVALUATES = frozenset(
    {
        *("allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "$ref"),
        *("properties", "patternProperties", "additionalProperties", "contains"),
        *("prefixItems", "items"),
    }
)
_IN_BRANCHES = re.compile(r"(/(anyOf|oneOf|allOf)/\d+)+\Z")
_NOT_IN_SCHEMA = frozenset({Recovery.TEXT, Recovery.DECODER, Recovery.NONE})


def relaxed(
    schema: Mapping[str, Any], losses: Iterable[Loss], shown: Any = None
) -> dict[str, Any]:
    """The schema of a tool without the keywords that a descriptor loses, and nothing recovers.

    ``shown`` is the schema of the descriptor: properties that it declares nowhere are lost with
    what closes an object.
    """
    whole, names = deepcopy({**schema}), {*declared(shown)}
    for loss in losses:
        if loss.recovered_by not in _NOT_IN_SCHEMA:
            continue
        outer = _parts_at(whole, _IN_BRANCHES.sub("", loss.pointer))
        parts = [*_parts_at(whole, loss.pointer), *outer]
        if loss.keyword in (BUDGET, "$ref", "$dynamicRef"):
            for part in [part for part in parts if "$ref" in part] or parts:
                part.clear()
        for part in parts:
            for keyword in (loss.keyword, *_CLOSES.get(loss.keyword, ())):
                part.pop(keyword, None)
            if loss.keyword == "additionalProperties":
                properties = part.get("properties", {})
                properties |= {name: True for name in properties if name not in names}
        if loss.keyword in _EVALUATES:
            whole = map_schemas(whole, _without_unevaluated)
    return whole


def _parts_at(whole: dict[str, Any], pointer: str) -> list[dict[str, Any]]:
    """The parts that a pointer of the ledger leads to, through references and ``allOf``."""
    parts = _together(whole, whole)
    for step in steps_of(pointer):
        inner = [_member(part, step) for part in parts]
        parts = [each for part in inner for each in _together(part, whole)]
    return [part for part in parts if is_object(part)]


def _member(part: Any, step: str) -> Any:
    if is_list(part):
        return part[int(step)] if step.isdigit() and int(step) < len(part) else None
    if step == "$defs" and "definitions" in part:
        step = "definitions"
    return part.get(step)


def _together(part: Any, whole: dict[str, Any]) -> list[Any]:
    """A part, what its references lead to, and those in its ``allOf``: a ledger joins them."""
    found = [part]
    for each in found:
        if not is_object(each):
            continue
        members = each.get("allOf")
        inner = [*members] if is_list(members) else []
        if isinstance(each.get("$ref"), str):
            inner.append(resolve_pointer(whole, each["$ref"]))
        found += [one for one in inner if all(one is not other for other in found)]
    return [each for each in found if is_object(each) or is_list(each)]


def _without_unevaluated(part: dict[str, Any]) -> dict[str, Any]:
    """A part without what refuses the properties and items that a lost keyword may evaluate."""
    return {k: v for k, v in part.items() if not k.startswith("unevaluated")}


def _is_below(row: Loss, names: Sequence[str]) -> bool:
    """Whether what a row is about lies at a place, or below it."""
    steps = row.pointer.split("/")[1:]
    own = [*names_in(steps)]
    return steps[:1] == ["$defs"] or (
        len(own) >= len(names)
        and all(mine in (None, name) for mine, name in zip(own, names, strict=False))
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


def declared(schema: Any) -> Iterator[str]:
    """The names of all properties that a schema declares in any of its parts."""
    for part in objects_in(schema):
        properties = part.get("properties")
        if is_object(properties):
            yield from properties
