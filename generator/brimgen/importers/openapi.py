"""An OpenAPI 3 document in; entities of its schemas and HTTP tools of its operations out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.imports import CANNOT_SAY
from brimgen.importers.api import Api
from brimgen.importers.components import Components, schemas_at
from brimgen.importers.draft import Draft, WholeFormat
from brimgen.importers.operations import METHODS, Operation
from brimgen.source.nodes import MapNode, ScalarNode

_ANNOTATIONS = ("xml", "discriminator", "externalDocs")
_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def fits(root: MapNode) -> bool:
    """Whether ``root`` says that it is OpenAPI."""
    return root.get("openapi") is not None or root.get("swagger") is not None


def read(root: MapNode, found: Diagnostics) -> Iterator[Draft]:
    """The entities of ``components/schemas``, then the operations in their order."""
    said = root.get("openapi")
    version = said.text if isinstance(said, ScalarNode) else ""
    if not version.startswith("3."):
        node = said or root.get("swagger") or root
        reason = "only OpenAPI 3 is read; convert the document first"
        found.add(CANNOT_SAY, node.span, name="swagger", reason=reason)
        return
    rewrite = of_30 if version.startswith("3.0") else _annotated
    schemas = schemas_at(root, "components", "schemas")
    components = Components(schemas, found, rewrite=rewrite)
    yield from components.entities()
    api = Api(root, components, found)
    paths = root.get("paths")
    for path in paths.entries if isinstance(paths, MapNode) else ():
        item = api.followed(path.value)
        if not isinstance(item, MapNode):
            continue
        for entry in item.entries:
            if entry.key.text in METHODS and isinstance(entry.value, MapNode):
                draft = Operation(
                    api, path.key.text, item, entry.key.text, entry.value
                ).draft()
                if draft is not None:
                    yield draft


def of_30(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema object of OpenAPI 3.0 as JSON Schema says it: nulls, open bounds, examples."""
    schema = _annotated(schema)
    if isinstance(schema.get("$ref"), str):
        # Beside a reference, 3.0 reads nothing else.
        schema = {"$ref": schema["$ref"]}
    for exclusive, bound in _BOUNDS.items():
        said = schema.get(exclusive)
        if isinstance(said, bool):
            del schema[exclusive]
            if said and bound in schema:
                schema[exclusive] = schema.pop(bound)
    if schema.pop("nullable", False) is True:
        kind = schema.get("type")
        if isinstance(kind, str):
            schema["type"] = [kind, "null"]
        if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
            schema["enum"] = [*schema["enum"], None]
        if not isinstance(kind, str) and "enum" not in schema:
            schema = {"anyOf": [schema, {"type": "null"}]} if schema else {}
    return schema


def _annotated(schema: dict[str, Any]) -> dict[str, Any]:
    """``schema`` with what OpenAPI alone knows under ``x-``, and its example in a list."""
    named = {
        f"x-{key}" if key in _ANNOTATIONS else key: value
        for key, value in schema.items()
    }
    if "example" in named:
        example = named.pop("example")
        named.setdefault("examples", [example])
    return named


FORMAT = WholeFormat("openapi", "OpenAPI 3: schemas and operations", fits, read)
