"""Find the modules of the runtime that the modules and schemas of a package need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib import import_module

from brimgen.emit.artifact import Artifact
from brimgen.emit.code import header
from brimgen.emit.linker import ROOM, closure, imported, source
from brimgen.model.catalog import Catalog, ResourceBody
from brimgen.model.http import HttpBody
from brimgen.model.json import Json, JsonObject
from brimgen_runtime._runtime.compile import families
from brimgen_runtime._runtime.nodes import is_lax
from brimgen_runtime.http._relaxed import relaxed

_ONE = (
    "additionalItems",
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
_SEVERAL = (
    "$defs",
    "allOf",
    "anyOf",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "items",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
)


def imports_of(artifact: Artifact, catalog: Catalog) -> tuple[str, ...]:
    """Return the modules of the runtime that a file of the package imports, sorted."""
    root = _root(catalog)
    if not (artifact.path.startswith(root) and artifact.path.endswith(".py")):
        return ()
    modules = imported(artifact.path.removeprefix(root), artifact.text)
    return tuple(sorted(set(modules)))


TARGETS = {ROOM: "python", "http": "http", "sql": "sql"}
"""The target that the modules of each folder belong to."""


def carried(
    catalog: Catalog, needed: Collection[str], targets: Collection[str]
) -> Iterator[tuple[str, Artifact]]:
    """Yield the modules of the runtime as they are copied into the package, with their targets:
    those that its files need, those that its schemas need, and what all these import.

    Modules of targets that are not among ``targets`` are left out.
    """
    schemas = _modules_of_schemas(_schemas(catalog)) if needed else ()
    for path in closure({*needed, *schemas}):
        target = TARGETS[path.partition("/")[0]]
        if target in targets:
            text = f"{header()}{source(path)}"
            yield target, Artifact(f"{_root(catalog)}{path}", text, is_copy=True)


def _root(catalog: Catalog) -> str:
    return f"python/{catalog.project.package}/"


def _schemas(catalog: Catalog) -> Iterator[JsonObject]:
    """Yield every schema that a package may hold values against."""
    for tool in catalog.tools:
        yield from (tool.input_schema, tool.enforced_schema, tool.bound_schema)
        if tool.returns is not None:
            yield tool.returns.schema
            if isinstance(tool.body, HttpBody):
                yield relaxed(tool.returns.schema)
        elif isinstance(tool.body, ResourceBody):
            yield {}  # a resource that declares no result may be any JSON value
    for entity in catalog.entities.values():
        yield from (entity.schema, entity.enforced_schema)


def _modules_of_schemas(schemas: Iterable[JsonObject]) -> set[str]:
    """Return the modules that test the keywords of ``schemas``, by the table of the runtime."""
    names: set[str] = set()
    for schema in all_subschemas(schemas):
        if isinstance(schema, Mapping):
            names.update(_modules_of(schema))
        elif schema is True:
            names.add("unseen")
    return {f"{ROOM}/{name}.py" for name in names}


def _modules_of(schema: JsonObject) -> Iterator[str]:
    for name in families(schema):
        yield name
        needs = getattr(
            import_module(f"brimgen_runtime._runtime.{name}"), "needs", None
        )
        if needs is not None:
            yield from needs(schema)


def all_subschemas(schemas: Iterable[Json]) -> Iterator[Json]:
    """Yield schemas and all schemas in them, each object once."""
    waiting = list(schemas)
    seen: set[int] = set()
    while waiting:
        schema = waiting.pop()
        if not isinstance(schema, Mapping):
            yield schema
            continue
        if id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema
        for word in schema.keys() & _ONE:
            inner = schema[word]
            if isinstance(inner, Mapping | bool):
                waiting.append(inner)
        for word in schema.keys() & _SEVERAL:
            inner = schema[word]
            if isinstance(inner, Mapping) and word != "items":
                waiting += inner.values()
            elif isinstance(inner, list | tuple):
                waiting += inner


def lets_unseen(schema: JsonObject) -> bool:
    """Whether a schema lets values through unseen, so that they may be no JSON at all."""
    return any(is_lax(subschema) for subschema in all_subschemas([schema]))
