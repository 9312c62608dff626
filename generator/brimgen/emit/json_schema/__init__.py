"""The JSON Schema target: the schemas of tools, entities and enums, each in a file of its own.

A tool has up to three: ``input`` is its canonical schema as it is (what a caller may send),
``bound`` what handler and SQL receive, ``output`` what it returns (architecture.md 10).
"""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Apart, Artifact, Emitter
from brimgen.emit.projection.tools import carried
from brimgen.emit.recurring import Texts, texts_of
from brimgen.emit.render import render
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.json import JsonObject

NAME = "json_schema"


@dataclass(frozen=True, slots=True)
class SchemaDocument:
    """The view of one file."""

    schema: JsonObject
    texts: Texts


def check(catalog: Catalog, found: Diagnostics) -> None:
    """Report nothing: what the catalog holds is JSON Schema already."""


def emit(catalog: Catalog) -> Iterator[Artifact]:
    """``tools/<tool>.{input,bound,output}.json`` and ``entities/<Entity>.json``.

    Entities may inherit from and hold entities of any file, hence no sources for theirs.
    """
    texts = texts_of(catalog)
    for tool in carried(catalog, NAME):
        yield from _tool_files(tool, texts)
    schemas = {name: each.schema for name, each in catalog.entities.items()}
    schemas |= {name: each.schema for name, each in catalog.enums.items()}
    for name in sorted(schemas):
        yield _artifact(f"entities/{name}.json", SchemaDocument(schemas[name], texts))


def _tool_files(tool: Tool, texts: Texts) -> Iterator[Artifact]:
    schemas = {"input": tool.input_schema, "bound": tool.bound_schema}
    if tool.returns is not None:
        schemas["output"] = tool.returns.schema
    for part, schema in schemas.items():
        view = SchemaDocument(schema, texts)
        yield _artifact(f"tools/{tool.name}.{part}.json", view, tool.sources)


def _artifact(
    path: str, view: SchemaDocument, sources: tuple[str, ...] = ()
) -> Artifact:
    text = render("json_schema/document.json.j2", view)
    return Artifact(f"{NAME}/{path}", text, sources)


EMITTER = Emitter(
    NAME,
    "JSON Schema 2020-12 of inputs, outputs and entities",
    check,
    emit,
    apart=Apart(),
)
