"""The JSON Schema target: the schemas of tools, entities and enums, one file each.

A tool has up to three: ``input`` is its canonical schema as it is (what a caller may send),
``bound`` what handler and SQL receive, where that is something else, ``output`` what it returns.
"""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.projection.json_values import is_same_json
from brimgen.emit.projection.tools import target_tools
from brimgen.emit.render import render_json
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.json import JsonObject
from brimgen.model.targets import target_named

NAME = "json_schema"


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """The view of a file: its schema, which is all that stands in it."""

    schema: JsonObject


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: what the catalog holds is JSON Schema already."""


def emit(catalog: Catalog) -> Iterator[Artifact]:
    """Write ``tools/<tool>.{input,bound,output}.json`` and ``entities/<Entity>.json``.

    Entities may inherit from and hold entities of any file, hence no sources for theirs.
    """
    outputs: dict[int | str, str] = {}
    for tool in target_tools(catalog, NAME):
        yield from _tool_files(tool, outputs)
    schemas = {name: each.schema for name, each in catalog.entities.items()}
    schemas |= {name: each.schema for name, each in catalog.enums.items()}
    for name in sorted(schemas):
        text = _text(schemas[name])
        yield Artifact(f"{NAME}/entities/{name}.json", text)


def _tool_files(tool: Tool, outputs: dict[int | str, str]) -> Iterator[Artifact]:
    """Write the files of a tool; ``outputs`` caches those of results, which many tools share,
    by the identity and by the content of their schemas.
    """
    made = {"input": _text(tool.input_schema)}
    if not is_same_json(tool.bound_schema, tool.input_schema):
        made["bound"] = _text(tool.bound_schema)
    if tool.returns is not None:
        schema = tool.returns.schema
        known = outputs.get(id(schema))
        if known is None:
            said = repr(schema)
            known = outputs.get(said) or _text(schema)
            outputs[id(schema)] = outputs[said] = known
        made["output"] = known
    for part, text in made.items():
        yield Artifact(f"{NAME}/tools/{tool.name}.{part}.json", text, tool.sources)


def _text(schema: JsonObject) -> str:
    return render_json("json_schema/document.json.j2", SchemaFile(schema))


EMITTER = Emitter(target_named(NAME), check, emit)
