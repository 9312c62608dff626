"""The JSON Schema target: the schemas of tools, entities and enums, one file each.

A tool has up to three: ``input`` is its canonical schema (what a caller may send), ``bound`` what
handler and SQL receive, where that is something else, ``output`` what it returns. Nothing is said
twice: an entity is a reference to its file, an argument of ``bound`` one to that of ``input``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from urllib.parse import quote

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.entity_schemas import EntitySchemas
from brimgen.emit.indented import json_file
from brimgen.emit.projection.json_values import is_same_json
from brimgen.emit.projection.tools import target_tools
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.json import Json, JsonObject, is_object
from brimgen.model.targets import target_named
from brimgen_runtime.schema.json_pointer import escape_step

NAME = "json_schema"
_ANCHORS = frozenset({"$defs", "$id", "$schema", "definitions"})
"""What a schema is kept whole for: references in it mean another place in another file, or may
have nothing beside them."""


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: what the catalog holds is JSON Schema already."""


def files(catalog: Catalog) -> Iterator[Artifact]:
    """Write ``tools/<tool>.{input,bound,output}.json`` and ``entities/<Entity>.json``.

    Entities may inherit from and hold entities of any file, hence no sources for theirs.
    """
    entities = EntitySchemas(catalog.entities)
    outputs: dict[tuple[int | str, tuple[str, ...]], str] = {}
    for tool in target_tools(catalog, NAME):
        yield from _tool_files(tool, entities, outputs)
    beside = partial(_reference, "")
    schemas = dict(entities.in_order(beside))
    schemas |= {name: enum.schema for name, enum in catalog.enums.items()}
    for name in sorted(schemas):
        yield Artifact(f"{NAME}/entities/{name}.json", json_file(schemas[name]))


def _tool_files(
    tool: Tool,
    entities: EntitySchemas,
    outputs: dict[tuple[int | str, tuple[str, ...]], str],
) -> list[Artifact]:
    """Make the files of a tool's schemas; ``outputs`` caches those of results, which many tools
    share, by the identity and by the content of their schemas.
    """
    names = tool.entities_read
    texts = {"input": json_file(_with_references(tool.input_schema, entities, names))}
    if not is_same_json(tool.bound_schema, tool.input_schema):
        bound = _bound_by_input(tool)
        texts["bound"] = json_file(_with_references(bound, entities, names))
    if tool.returns is not None:
        schema = tool.returns.schema
        text = outputs.get((id(schema), names))
        if text is None:
            schema_text = repr(schema)
            text = outputs.get((schema_text, names)) or json_file(
                _with_references(schema, entities, names)
            )
            outputs[id(schema), names] = outputs[schema_text, names] = text
        texts["output"] = text
    return [
        Artifact(f"{NAME}/tools/{tool.name}.{part}.json", text, tool.sources)
        for part, text in texts.items()
    ]


def _with_references(
    schema: JsonObject, entities: EntitySchemas, names: tuple[str, ...]
) -> Json:
    if not names or not _ANCHORS.isdisjoint(schema):
        return schema
    return entities.named(schema, names, partial(_reference, "../entities/"))


def _reference(folder: str, entity: str, own: JsonObject) -> JsonObject:
    return {"$ref": f"{folder}{quote(entity)}.json", **own}


def _bound_by_input(tool: Tool) -> JsonObject:
    """Return the bound schema, with a reference to each argument that the input schema has."""
    input_schema, bound = tool.input_schema, tool.bound_schema
    input_properties = input_schema.get("properties")
    all_properties = bound.get("properties")
    is_whole = not _ANCHORS.isdisjoint(input_schema) or not _ANCHORS.isdisjoint(bound)
    if is_whole or not is_object(input_properties) or not is_object(all_properties):
        return bound
    properties: JsonObject = {
        name: (
            {"$ref": f"{quote(tool.name)}.input.json#/properties/{_pointer(name)}"}
            if name in input_properties and is_same_json(value, input_properties[name])
            else value
        )
        for name, value in all_properties.items()
    }
    return {**bound, "properties": properties}


def _pointer(name: str) -> str:
    return quote(escape_step(name), safe="~")


EMITTER = Emitter(target_named(NAME), check, files)
