"""Classify the keywords of JSON Schema: which hold schemas, and which assert nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from operator import is_
from typing import TypeAlias, TypeGuard

from brimgen.model.json import Json, JsonObject
from brimgen.model.json_pointer import escape_step


def words(text: str) -> frozenset[str]:
    """Split ``text`` into a set of words."""
    return frozenset(text.split())


ONE = words(
    "items additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames"
    " not if then else contentSchema"
)
"""Keywords whose value is a schema."""

LISTS = frozenset(["allOf", "anyOf", "oneOf", "prefixItems"])
"""Keywords whose value is a list of schemas."""

NAMED = frozenset(["properties", "patternProperties", "dependentSchemas", "$defs"])
"""Keywords whose value is a mapping of schemas."""

HOLDERS = ONE | LISTS | NAMED

ANNOTATIONS = words(
    "title description default examples deprecated readOnly writeOnly $comment $schema $id"
    " $anchor $dynamicAnchor $vocabulary contentEncoding contentMediaType contentSchema"
)
"""Keywords that decide nothing about an instance; ``x-…`` and unknown ones are further ones."""

STANDARD = (
    ONE
    | LISTS
    | NAMED
    | ANNOTATIONS
    | words(
        "type enum const $ref required minimum maximum exclusiveMinimum exclusiveMaximum"
        " multipleOf minLength maxLength pattern format minItems maxItems uniqueItems"
        " minContains maxContains minProperties maxProperties dependentRequired"
    )
)
"""Every keyword of the 2020-12 vocabularies that stays after `inline`."""

BY_TYPE: Mapping[str, frozenset[str]] = {
    "string": words(
        "minLength maxLength pattern format contentEncoding contentMediaType"
        " contentSchema"
    ),
    "number": words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
    "array": words(
        "items prefixItems minItems maxItems uniqueItems contains minContains maxContains"
        " unevaluatedItems"
    ),
    "object": words(
        "properties required additionalProperties patternProperties propertyNames"
        " minProperties maxProperties dependentRequired dependentSchemas"
        " unevaluatedProperties"
    ),
}
"""Keywords that speak about values of one type only (``integer`` shares those of ``number``)."""

Rewrite: TypeAlias = Callable[[Json, str], Json]


_NO_OBJECTS = frozenset([str, int, float, bool, type(None), list, tuple])


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether a JSON value is an object."""
    # The test of an abstract class takes several times as long, and is hardly ever needed.
    kind = type(value)
    return kind is dict or (kind not in _NO_OBJECTS and isinstance(value, Mapping))


def is_annotation(keyword: str) -> bool:
    """Whether ``keyword`` asserts nothing about an instance."""
    return keyword in ANNOTATIONS or keyword.startswith("x-")


def pointer_to(pointer: str, *steps: str | int) -> str:
    """Append ``steps`` to a JSON Pointer (RFC 6901)."""
    for step in steps:
        pointer = f"{pointer}/{escape_step(str(step))}"
    return pointer


def rewritten(
    keyword: str,
    value: Json,
    pointer: str,
    rewrite: Rewrite,
) -> Json:
    """Replace each schema in ``value`` of ``keyword`` by ``rewrite(schema, pointer)``.

    ``pointer`` is that of the schema that holds the keyword. Values of keywords that hold no
    schema, malformed ones, and those of which nothing changes, come back as they are.
    """
    if keyword not in HOLDERS:
        return value
    at = f"{pointer}/{keyword}"
    if keyword in ONE:
        return rewrite(value, at)
    if keyword in LISTS and isinstance(value, list | tuple):
        items = [rewrite(item, pointer_to(at, i)) for i, item in enumerate(value)]
        return value if all(map(is_, items, value)) else items
    if keyword in NAMED and is_object(value):
        named = {
            name: rewrite(member, pointer_to(at, name))
            for name, member in value.items()
        }
        return value if all(map(is_, named.values(), value.values())) else named
    return value


def split_definitions(schema: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Split ``schema`` into itself without definitions, and these."""
    definitions = schema.get("$defs")
    if definitions is None:
        return schema, {}
    body = {k: v for k, v in schema.items() if k != "$defs"}
    return body, definitions if is_object(definitions) else {}


def schemas_in(schema: Json, pointer: str = "") -> Iterator[tuple[str, JsonObject]]:
    """Yield ``schema``, which stands at ``pointer``, and all schemas in it, each with its pointer.

    An outer one comes before those in it. References are not followed.
    """
    waiting = [(pointer, schema)]
    while waiting:
        at, node = waiting.pop()
        if not is_object(node):
            continue
        yield at, node
        inner: list[tuple[str, Json]] = []
        for keyword, value in node.items():
            if keyword in ONE:
                inner.append((pointer_to(at, keyword), value))
            elif keyword in NAMED and is_object(value):
                inner += [
                    (pointer_to(at, keyword, name), v) for name, v in value.items()
                ]
            elif keyword in LISTS and isinstance(value, list | tuple):
                inner += [(pointer_to(at, keyword, i), v) for i, v in enumerate(value)]
        waiting += reversed(inner)


def subschemas(keyword: str, value: Json) -> Collection[Json]:
    """Return the schemas that ``keyword`` with ``value`` holds, in order."""
    if keyword in ONE:
        return (value,)
    if keyword in LISTS and isinstance(value, list | tuple):
        return value
    if keyword in NAMED and is_object(value):
        return value.values()
    return ()
