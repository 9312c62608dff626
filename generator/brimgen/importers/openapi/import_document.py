"""Import an OpenAPI document: its schemas as entities, its operations as HTTP tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import (
    IMPORT_BAD_REFERENCE,
    IMPORT_NOT_OPENAPI_3,
    IMPORT_WRONG_SHAPE,
)
from brimgen.importers.draft import Choice, Draft, Format
from brimgen.importers.names import numbered_name
from brimgen.importers.nodes import is_null, text_at, text_of
from brimgen.importers.openapi.document import METHODS, Api, schemas_in_files
from brimgen.importers.openapi.operations import Operation
from brimgen.importers.openapi.swagger_2 import as_openapi_3
from brimgen.importers.openapi.unmapped_keys import (
    report_document,
    report_key,
    report_wrong_schemas,
)
from brimgen.importers.schemas.components import Components, schemas_at
from brimgen.importers.schemas.keywords import Direction, is_annotation, read_tags
from brimgen.model.json import is_list, is_object
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode

_ANNOTATIONS = ("xml", "discriminator", "externalDocs")
_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def fits(root: MapNode) -> bool:
    """Whether ``root`` is an OpenAPI document of any version."""
    return root.get("openapi") is not None or root.get("swagger") is not None


def read(root: MapNode, diagnostics: Diagnostics, choice: Choice) -> Iterator[Draft]:
    """The entities of ``components/schemas``, then the operations in their order.

    Where operations are chosen, the entities are those that they need.
    """
    if text_at(root, "swagger").startswith("2."):
        root = as_openapi_3(root)
    version_node = root.get("openapi")
    version = version_node.text if isinstance(version_node, ScalarNode) else ""
    if not version.startswith("3."):
        node = version_node or root.get("swagger") or root
        diagnostics.add(IMPORT_NOT_OPENAPI_3, node.span)
        return
    rewrite = from_openapi_30 if version.startswith("3.0") else _with_json_schema_keys
    schemas = schemas_at(root, "components", "schemas")
    in_files, names = schemas_in_files(root)
    components = Components(
        {**schemas, **in_files},
        root,
        diagnostics,
        names=names,
        rewrite=rewrite,
        usual=Direction.ANSWER,
        tags=read_tags(root, "#/components/schemas/"),
    )
    api = Api(root, components, diagnostics, choice)
    operations = [
        operation
        for path, item in _objects(root.get("paths"), "`paths`", diagnostics)
        for operation in _operations(path, item, api)
    ]
    _number_duplicates(operations)
    # What is sent and what comes back decides which entities there are.
    chosen = [operation for operation in operations if choice.takes(operation.name)]
    tools = [operation.draft() for operation in chosen]
    report_document(root, diagnostics)
    for operation in chosen:
        operation.report_left_out()
    report_wrong_schemas(schemas, diagnostics)
    yield from components.entities(only_used=not choice.is_all)
    yield from filter(None, tools)


def _number_duplicates(operations: Sequence[Operation]) -> None:
    """Number tool names that became equal when long or invalid parts were cut from them."""
    taken: dict[str, str] = {}
    for operation in operations:
        if taken.get(operation.name, operation.known_as) != operation.known_as:
            operation.name = numbered_name(operation.name, taken)
        taken[operation.name] = operation.known_as


def _operations(path: Entry, node: MapNode, api: Api) -> Iterator[Operation]:
    """The operations of a path item; what would be lost is reported."""
    item = _followed(node, "path item", api)
    if item is None:
        return
    for entry in node.entries if item is not node else ():
        if entry.key.text in METHODS:
            reason = "it stands beside a `$ref`"
            report_key(entry, path.key.text, reason, api.diagnostics)
    methods = [entry for entry in item.entries if entry.key.text in METHODS]
    for entry in item.entries:
        if entry.key.text == "trace":
            report_key(entry, path.key.text, "no tool sends TRACE", api.diagnostics)
    for method, written in _objects(methods, f"`{path.key.text}`", api.diagnostics):
        operation = _followed(written, "operation", api)
        if operation is not None:
            yield Operation(api, path.key.text, item, method.key.text, operation)


def _followed(node: MapNode, what: str, api: Api) -> MapNode | None:
    """Return an object, or the one that it refers to; None, and a report, where there is none."""
    target = api.follow(node)
    reference = text_of(target, "$ref")
    if isinstance(target, MapNode) and reference is None:
        return target
    reason = f"no {what} stands there"
    reference = reference or text_of(node, "$ref")
    api.diagnostics.add(
        IMPORT_BAD_REFERENCE, node.span, reference=reference, reason=reason
    )
    return None


def _objects(
    node: Node | Sequence[Entry] | None, subject: str, diagnostics: Diagnostics
) -> Iterator[tuple[Entry, MapNode]]:
    """The entries of an object whose values are objects; report all others but extensions."""
    if isinstance(node, ListNode | ScalarNode):
        if not is_null(node):
            diagnostics.add(
                IMPORT_WRONG_SHAPE, node.span, what=subject, expected="a mapping"
            )
        return
    for entry in node.entries if isinstance(node, MapNode) else node or ():
        if isinstance(entry.value, MapNode):
            yield entry, entry.value
        elif not (entry.key.text.startswith("x-") or is_null(entry.value)):
            place = f"`{entry.key.text}` of {subject}"
            diagnostics.add(
                IMPORT_WRONG_SHAPE, entry.value.span, what=place, expected="a mapping"
            )


def from_openapi_30(schema: dict[str, Any]) -> dict[str, Any]:
    """Translate a schema object of OpenAPI 3.0 to JSON Schema: nulls, bounds, examples."""
    schema = _with_json_schema_keys(schema)
    if isinstance(schema.get("$ref"), str):
        # Beside a reference, 3.0 asserts nothing; documents do say words and directions there.
        schema = {k: v for k, v in schema.items() if k == "$ref" or is_annotation(k)}
    for exclusive, bound in _BOUNDS.items():
        exclusive_bound = schema.get(exclusive)
        if isinstance(exclusive_bound, bool):
            del schema[exclusive]
            if exclusive_bound and bound in schema:
                schema[exclusive] = schema.pop(bound)
    if schema.pop("nullable", False) is True:
        kind = schema.get("type")
        if isinstance(kind, str):
            schema["type"] = [kind, "null"]
        if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
            schema["enum"] = [*schema["enum"], None]
        if not isinstance(kind, str) and "enum" not in schema:
            schema = _or_null(schema)
    return schema


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema or null; annotations such as ``readOnly`` stay outside of the alternative."""
    asserted = {key: value for key, value in schema.items() if not is_annotation(key)}
    words = {key: value for key, value in schema.items() if is_annotation(key)}
    return {"anyOf": [asserted, {"type": "null"}], **words} if asserted else words


def _with_json_schema_keys(schema: dict[str, Any]) -> dict[str, Any]:
    """Rename keys that only OpenAPI has to ``x-…``, and put the example into a list."""
    named = {
        f"x-{key}" if key in _ANNOTATIONS else key: value
        for key, value in schema.items()
    }
    if named.get("format") == "byte":
        # OpenAPI 3.1 says it so.
        named = {k: v for k, v in named.items() if k != "format"}
        named.setdefault("contentEncoding", "base64")
    if "example" in named:
        example = named.pop("example")
        named.setdefault("examples", [example])
    return _with_choices_in_items(named)


def _with_choices_in_items(schema: dict[str, Any]) -> dict[str, Any]:
    """Move an ``enum`` of single values from a list to its items, which it is meant for."""
    choices, items = schema.get("enum"), schema.get("items")
    if schema.get("type") != "array" or not is_object(items) or not is_list(choices):
        return schema
    if not choices or any(map(is_list, choices)):
        return schema
    moved = {key: value for key, value in schema.items() if key != "enum"}
    return {**moved, "items": {"enum": choices, **items}}


FORMAT = Format(
    "openapi", "OpenAPI 3 and Swagger 2.0: schemas and operations", fits, read
)
