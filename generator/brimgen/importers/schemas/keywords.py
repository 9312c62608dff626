"""Find, change and merge JSON Schemas of documents, as data.

``allOf`` is merged into one schema with the same meaning: documents derive objects this way
(``Dog`` is all of ``Pet``, and has a name), and add keywords to a reference (a description,
``nullable``). Merged, an object can become a class and can be closed. What cannot be merged stays
as it is.

OpenAPI marks with ``readOnly`` what only the service sends, and with ``writeOnly`` what only the
caller sends. Neither is required in the direction in which it is not sent. Its discriminators name
a property and map its values to schemas (4.8.25); a schema without a value goes by its name. JSON
Schema says the same with a constant in each branch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from brimgen.importers.nodes import entries_at, mappings_at, text_at
from brimgen.model.json import is_list, is_object
from brimgen.schema.walk import FOR_READERS, LISTS, NAMED, ONE
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode, plain
from brimgen_runtime.schema.json_pointer import escape_step, unescape_step

_PARTS = frozenset(
    {"allOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"}
)
_BRANCHES = frozenset({"anyOf", "oneOf"})
_OF_OBJECTS = frozenset(
    {"properties", "patternProperties", "required", "additionalProperties", "allOf"}
)


def plain_schema(node: Node) -> Any:
    """Return the data of a schema as `plain` does, but keep the values of texts as written.

    YAML reads the version 1.10 as the number 1.1, which `type: string` refuses.
    """
    if isinstance(node, ListNode):
        return [plain_schema(item) for item in node.items]
    if not isinstance(node, MapNode):
        return plain(node)
    kind = node.get("type")
    return {
        entry.key.text: (
            (_texts if _is_text(kind) else plain)(entry.value)
            if entry.key.text in _VALUES
            else plain_schema(entry.value)
        )
        for entry in node.entries
    }


_VALUES = frozenset({"enum", "const", "default", "example", "examples"})


def _is_text(kind: Node | None) -> bool:
    return kind is not None and plain(kind) in (
        "string",
        ["string"],
        ["string", "null"],
        ["null", "string"],
    )


def _texts(node: Node) -> Any:
    if isinstance(node, ListNode):
        return [_texts(item) for item in node.items]
    if isinstance(node, ScalarNode) and node.value is not None:
        return node.text
    return plain(node)


def map_inner_schemas(
    schema: Mapping[str, Any], change: Callable[[str, Any], Any]
) -> dict[str, Any]:
    """Apply ``change`` to each (keyword, inner schema) of ``schema``."""
    mapped = dict(schema)
    # Not by `rewritten`: chains of schemas are deep, and it takes two frames more for each.
    for key, value in schema.items():
        if key in NAMED and is_object(value):
            mapped[key] = {name: change(key, member) for name, member in value.items()}
        elif key in LISTS and is_list(value):
            mapped[key] = [change(key, item) for item in value]
        elif key in ONE:
            mapped[key] = change(key, value)
    return mapped


def is_part(key: str, schema: Mapping[str, Any], *, is_part_itself: bool) -> bool:
    """Whether a schema under ``key`` describes a value only in part.

    Such a schema cannot be closed: it does not know the properties that other parts allow.
    """
    if key in _BRANCHES:
        return is_part_itself or not _OF_OBJECTS.isdisjoint(schema)
    return key in _PARTS


def is_annotation(key: str) -> bool:
    """Return whether a keyword does not affect what is valid."""
    return key in FOR_READERS or key.startswith("x-")


def is_about_values(schema: Mapping[str, Any]) -> bool:
    """Whether a schema has a keyword that restricts values."""
    return not all(map(is_annotation, schema))


Follow = Callable[[str], Any]
"""Returns the target of a reference, merged as well."""

_OF_AN_OBJECT = frozenset({"type", "properties", "required", "additionalProperties"})


def merge_all_of(schema: Mapping[str, Any], follow: Follow) -> dict[str, Any]:
    """Merge the ``allOf`` of ``schema`` into it, where that is possible.

    The schemas of its properties stay as they are.
    """
    branches = schema.get("allOf")
    if not is_list(branches) or not branches or not all(map(is_object, branches)):
        return dict(schema)
    rest = {key: value for key, value in schema.items() if key != "allOf"}
    for branch in branches:
        if not is_about_values(branch):
            rest = {**branch, **rest}
    asserting = [branch for branch in branches if is_about_values(branch)]
    if not asserting:
        return rest
    if len(asserting) == 1:
        merged = _single_branch(asserting[0], rest, follow)
        if merged is not None:
            return merged
    joined = _join_objects([*asserting, rest], follow)
    if joined is None:
        return {**rest, "allOf": asserting}
    words = {key: value for key, value in rest.items() if is_annotation(key)}
    return {**words, **joined}


def _single_branch(
    branch: Mapping[str, Any], rest: Mapping[str, Any], follow: Follow
) -> dict[str, Any] | None:
    """Merge the only branch with ``rest``; None where ``rest`` asserts more than a type."""
    merged = dict(rest)
    kind = merged.pop("type", None)
    if is_about_values(merged):
        return None
    if "$ref" in branch:
        target = follow(branch["$ref"])
        branch_kind = target.get("type") if is_object(target) else None
    else:
        branch_kind = branch.get("type")
    if kind not in (None, branch_kind):
        return None
    both = {**branch, **merged}
    return merge_all_of(both, follow) if "allOf" in both else both


def _join_objects(
    schemas: list[Mapping[str, Any]], follow: Follow
) -> dict[str, Any] | None:
    """Merge several object schemas; None where one has other keywords than `_OF_AN_OBJECT`."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    is_open = False
    for schema in schemas:
        followed = _follow_schema(schema, follow)
        if not _is_plain(followed):
            return None
        for name, inner in followed.get("properties", {}).items():
            properties[name] = (
                _merge_property(properties[name], inner)
                if name in properties
                else inner
            )
        required += followed.get("required", ())
        is_open = is_open or followed.get("additionalProperties") is True
    merged: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        merged["required"] = [*dict.fromkeys(required)]
    if is_open:
        merged["additionalProperties"] = True
    return merged


def _follow_schema(schema: Mapping[str, Any], follow: Follow) -> Any:
    if "$ref" not in schema:
        return merge_all_of(schema, follow)
    target = follow(schema["$ref"])
    beside = {key: value for key, value in schema.items() if key != "$ref"}
    if not is_about_values(beside) or not is_object(target):
        return target
    return merge_all_of({"allOf": [target, beside]}, follow)


def _is_plain(schema: Any) -> bool:
    if not is_object(schema):
        return False
    keywords = {key for key in schema if not is_annotation(key)}
    return (
        keywords <= _OF_AN_OBJECT
        and schema.get("type", "object") == "object"
        and is_object(schema.get("properties", {}))
        and is_list(schema.get("required", []))
        and all(isinstance(name, str) for name in schema.get("required", ()))
        and schema.get("additionalProperties", True) is True
    )


def _merge_property(one: Any, other: Any) -> Any:
    """Merge two schemas of one property."""
    if one == other or not is_object(other) or not is_object(one):
        return one if is_object(one) else other
    if all(one.get(key, value) == value for key, value in other.items()):
        return {**one, **other}
    if not is_about_values(other) or not is_about_values(one):
        return {**one, **other}
    return {"allOf": [one, other]}


class Direction(StrEnum):
    """Where a schema is used: in requests, in responses, or in both."""

    REQUEST = "request"
    ANSWER = "answer"
    ANY = "any"


_HIDING = {Direction.REQUEST: "readOnly", Direction.ANSWER: "writeOnly"}


def visible_properties(
    schema: dict[str, Any], direction: Direction, follow: Follow
) -> dict[str, Any]:
    """Return ``schema`` with only the properties that are sent in this direction."""
    properties = schema.get("properties")
    keyword = _HIDING.get(direction)
    if keyword is None or not is_object(properties):
        return schema
    hidden = {
        name
        for name, subschema in properties.items()
        if _is_marked(subschema, keyword, follow)
    }
    if not hidden:
        return schema
    shown = {**schema}
    shown["properties"] = {
        name: value for name, value in properties.items() if name not in hidden
    }
    required = schema.get("required")
    if is_list(required):
        shown["required"] = [name for name in required if name not in hidden]
        if not shown["required"]:
            del shown["required"]
    return shown


def _is_marked(schema: Any, keyword: str, follow: Follow) -> bool:
    """Whether a property, or a schema that it refers to, sets the keyword ``word``."""
    waiting, seen = [schema], set[str]()
    while waiting:
        subschema = waiting.pop()
        if not is_object(subschema):
            continue
        if subschema.get(keyword) is True:
            return True
        parts, reference = subschema.get("allOf"), subschema.get("$ref")
        waiting += parts if is_list(parts) else ()
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            waiting.append(follow(reference))
    return False


def objects_in(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a JSON value."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if is_list(part):
            waiting += part
        elif is_object(part):
            waiting += part.values()
            yield part


def is_directed(schema: Any) -> bool:
    """Whether ``readOnly`` or ``writeOnly`` is set anywhere in a schema; follows no references."""
    return any(
        part.get(keyword) is True
        for part in objects_in(schema)
        for keyword in _HIDING.values()
    )


def references_in(schema: Any) -> set[str]:
    """All references in a schema."""
    references = (part.get("$ref") for part in objects_in(schema))
    return {each for each in references if isinstance(each, str)}


Tags: TypeAlias = Mapping[str, Mapping[str, list[str]]]
"""By the reference of a schema: its properties that discriminate, and the values that mean it."""


def read_tags(root: Node, place: str) -> Tags:
    """Return what the discriminators of a document say of the schemas at ``place``.

    ``place`` is the start of their references: ``#/components/schemas/``.
    """
    tags: dict[str, dict[str, list[str]]] = {}
    for union, discriminator in _unions(root):
        name = discriminator.get("propertyName")
        if not isinstance(name, ScalarNode):
            continue
        references = [text_at(branch, "$ref") for branch in union.items]
        mapped = _mapping(discriminator, place)
        for reference in references:
            if reference.startswith(place):
                usual = unescape_step(reference.removeprefix(place))
                values = tags.setdefault(reference, {}).setdefault(name.text, [])
                values += mapped.get(reference, [usual])
    return tags


def _unions(root: Node) -> Iterator[tuple[ListNode, MapNode]]:
    """Yield every union with a discriminator: its branches, and what the discriminator says."""
    for _, node in mappings_at(root):
        discriminator = node.get("discriminator")
        for key in ("oneOf", "anyOf"):
            union = node.get(key)
            if isinstance(discriminator, MapNode) and isinstance(union, ListNode):
                yield union, discriminator


def _mapping(discriminator: MapNode, place: str) -> dict[str, list[str]]:
    """Return the values of the property by the references that they are mapped to."""
    values: dict[str, list[str]] = {}
    for entry in entries_at(discriminator, "mapping"):
        target = entry.value.text if isinstance(entry.value, ScalarNode) else ""
        is_name = "/" not in target and "#" not in target
        reference = f"{place}{escape_step(target)}" if is_name else target
        values.setdefault(reference, []).append(entry.key.text)
    return values


def tagged(schema: Any, tags: Mapping[str, list[str]]) -> Any:
    """Return the schema of an object in which each property of ``tags`` has one of the values."""
    properties = schema.get("properties") if is_object(schema) else None
    if not is_object(properties):
        return schema
    fixed = {
        name: _fixed(properties.get(name, {}), [*dict.fromkeys(values)])
        for name, values in tags.items()
    }
    return {**schema, "properties": {**properties, **fixed}}


def _fixed(schema: Any, values: list[str]) -> Any:
    """Return the schema of a property that has one of the values; one that says so is kept."""
    if not is_object(schema) or "const" in schema:
        return schema
    choices = schema.get("enum", values)
    values = [value for value in values if is_list(choices) and value in choices]
    if not values or schema.get("type", "string") != "string":
        return schema
    words = {key: value for key, value in schema.items() if is_annotation(key)}
    said = {"const": values[0]} if len(values) == 1 else {"enum": values}
    return {"type": "string", **said, **words}
