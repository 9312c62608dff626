"""The files of JSON Schemas: what is published, and what a package reads.

A tool has up to four: ``input`` is what a caller may send, ``bound`` what handler and SQL receive,
where that is something else, ``output`` what it returns, ``enforced`` what a decoder checks, where
open schemas are published. Each file is complete: an entity in it stands once, in its ``$defs``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brimgen.emit.artifact import Artifact
from brimgen.emit.chosen_targets import makes
from brimgen.emit.indented import json_file
from brimgen.emit.projection.json_values import is_same_json
from brimgen.model.catalog import Catalog, Entity, Tool
from brimgen.model.json import Json, JsonObject
from brimgen.model.project import Project
from brimgen.schema.walk import split_definitions

NAME = "json_schema"
"""The target that publishes schemas."""

ENTITIES, ENFORCED_ENTITIES = "entities", "entities.enforced"


def schemas_root(project: Project) -> str:
    """Return the folder of schemas: inside the package if the project makes one."""
    is_packaged = makes(project, "python")
    return f"python/{project.package}/schemas" if is_packaged else NAME


def file_stem(tool: Tool) -> str:
    """Return where the files of a tool's schemas lie, and how their names begin.

    What is not published lies apart, so that nobody takes it for a contract.
    """
    is_published = tool.enabled and tool.is_for(NAME)
    return f"{'tools' if is_published else 'unpublished'}/{tool.name}"


def tool_schemas(tool: Tool) -> dict[str, JsonObject]:
    """Return the schemas of a tool by the parts that their files are called after."""
    schemas = {"input": tool.input_schema}
    if not is_same_json(tool.bound_schema, tool.input_schema):
        schemas["bound"] = tool.bound_schema
    if tool.returns is not None:
        schemas["output"] = tool.returns.schema
    if not is_same_json(tool.enforced_schema, tool.input_schema):
        schemas["enforced"] = tool.enforced_schema
    return schemas


def files_of_tool(tool: Tool, project: Project) -> Iterator[Artifact]:
    """Yield the files of a tool."""
    for part, schema in tool_schemas(tool).items():
        path = f"{schemas_root(project)}/{file_stem(tool)}.{part}.json"
        yield Artifact(path, json_file(schema), tool.sources)


def files_of_entities(catalog: Catalog) -> Iterator[Artifact]:
    """Yield the file that has all entities and enums in its ``$defs``."""
    sources = entity_files(catalog)
    if not sources:
        return
    root, entities = schemas_root(catalog.project), catalog.entities
    schemas = {name: each.schema for name, each in entities.items()}
    schemas |= {name: enum.schema for name, enum in catalog.enums.items()}
    yield Artifact(f"{root}/{ENTITIES}.json", _document(schemas), sources)
    if any(map(is_enforced_apart, entities.values())):
        enforced = {name: each.enforced_schema for name, each in entities.items()}
        yield Artifact(f"{root}/{ENFORCED_ENTITIES}.json", _document(enforced), sources)


def _document(schemas: Mapping[str, JsonObject]) -> str:
    """Return the text of the schema that defines schemas, and whatever these define."""
    definitions: dict[str, Json] = {}
    for name, schema in schemas.items():
        body, own = split_definitions(schema)
        definitions |= {**own, name: body}
    return json_file({"$defs": dict(sorted(definitions.items()))})


def entity_files(catalog: Catalog) -> tuple[str, ...]:
    """The spec files of all entities, sorted."""
    files = {entity.span.file for entity in catalog.entities.values()}
    files |= {enum.span.file for enum in catalog.enums.values()}
    return tuple(sorted(files))


def is_enforced_apart(entity: Entity) -> bool:
    """Return whether a decoder enforces another schema of an entity than the published one."""
    return not is_same_json(entity.enforced_schema, entity.schema)
