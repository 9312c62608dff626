"""Compare every written JSON Schema with the schema of the spec, whichever file it stands in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from brimgen.agreement.ledger_file import parsed
from brimgen.agreement.report import Fault, Subject
from brimgen.agreement.same_schema import SchemaFile, schema_differences
from brimgen.model.catalog import Catalog, Entity, EnumEntity, PythonBody, SqlBody
from brimgen.model.http import HttpBody
from brimgen.model.json import is_list, is_object

SCHEMAS = "JSON Schema"
OPENAPI = "OpenAPI"
TYPESCRIPT_LIST = "TypeScript, the list of tools"
_TOOLS_OF_TYPESCRIPT = "export const tools: readonly ToolInfo[] = "
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"{}\[\]:,]+|[{}\[\]:,]')


def schema_file_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    """Yield where a written schema is not that of the spec."""
    yield from _published_faults(catalog, files)
    yield from _openapi_faults(catalog, files)
    yield from _typescript_faults(catalog, files)


def different_schema(
    subject: Subject,
    artifact: str,
    file: SchemaFile,
    wanted: Any,
    found: Any,
    prefix: str = "",
) -> Iterator[Fault]:
    """Yield a fault for each part of ``found`` that is not as ``wanted``."""
    for place, says in schema_differences(wanted, SchemaFile(wanted), found, file):
        text = f"`{place}` {says}" if place else says
        yield Fault(subject, artifact, file.path, f"{prefix}{text}")


def _published_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    published: list[tuple[Subject, str, Any]] = []
    for tool in catalog.tools:
        start = f"json_schema/tools/{tool.name}"
        published.append((tool, f"{start}.input.json", tool.input_schema))
        published.append((tool, f"{start}.bound.json", tool.bound_schema))
        if tool.returns is not None:
            published.append((tool, f"{start}.output.json", tool.returns.schema))
    named: list[Entity | EnumEntity] = [*catalog.entities.values()]
    named += catalog.enums.values()
    for entity in named:
        published.append(
            (entity, f"json_schema/entities/{entity.name}.json", entity.schema)
        )
    for subject, path, schema in published:
        if path in files:
            try:
                found = json.loads(files[path])
            except ValueError as problem:
                yield Fault(subject, SCHEMAS, path, f"is no JSON ({problem})")
                continue
            home = SchemaFile(found, path, files)
            yield from different_schema(subject, SCHEMAS, home, schema, found)


def _openapi_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    path = "openapi/openapi.json"
    if path not in files:
        return
    document = parsed(files[path])
    components = document.get("components") if is_object(document) else None
    parts = components.get("schemas") if is_object(components) else None
    parts = parts if is_object(parts) else {}
    home = SchemaFile(document, path)
    for tool in catalog.tools:
        for name, schema in (
            ("input", tool.input_schema),
            ("output", tool.returns.schema if tool.returns else None),
        ):
            found = parts.get(f"{tool.name}.{name}")
            is_called = isinstance(tool.body, PythonBody | SqlBody | HttpBody)
            is_wanted = tool.enabled and tool.is_for("openapi") and is_called
            if found is None and schema is not None and is_wanted:
                yield Fault(tool, OPENAPI, path, f"has no schema of the {name}")
            if found is not None and schema is not None:
                yield from different_schema(
                    tool, OPENAPI, home, schema, found, f"{name}: "
                )


def _typescript_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    path = "typescript/tools.ts"
    if path not in files:
        return
    listed = {entry.get("name"): entry for entry in typescript_tools(files[path])}
    for tool in catalog.tools:
        entry = listed.get(tool.name)
        if entry is None:
            is_called = isinstance(tool.body, PythonBody | SqlBody | HttpBody)
            if tool.enabled and is_called and tool.is_for("typescript"):
                yield Fault(tool, TYPESCRIPT_LIST, path, "does not list the tool")
            continue
        for key, schema in (
            ("inputSchema", tool.input_schema),
            ("outputSchema", tool.returns.schema if tool.returns else None),
        ):
            found = entry.get(key)
            home = SchemaFile(found, path)
            yield from different_schema(
                tool, TYPESCRIPT_LIST, home, schema, found, f"{key}: "
            )
        if (entry.get("description") or None) != (tool.description or None):
            says = "says another description than the spec"
            yield Fault(tool, TYPESCRIPT_LIST, path, says)


def typescript_tools(text: str) -> list[Any]:
    """The entries of the list of tools in a TypeScript file."""
    _, start, rest = text.partition(_TOOLS_OF_TYPESCRIPT)
    try:
        entries = _object_literal(rest) if start else []
    except ValueError:
        return []
    return [entry for entry in entries if is_object(entry)]


def _object_literal(text: str) -> list[Any]:
    """The list that an array of JavaScript is, of which ``text`` is the source and what follows.

    Raises ValueError.
    """
    tokens: list[str] = []
    depth = 0
    for token in _TOKENS.finditer(text):
        word = token[0]
        if word in "}]" and tokens[-1:] == [","]:
            tokens.pop()
        if word == ":" and not tokens[-1].startswith('"'):
            tokens[-1] = json.dumps(tokens[-1])
        tokens.append(word)
        depth += (word in "{[") - (word in "}]")
        if depth == 0:
            break
    value = json.loads(" ".join(tokens))
    return value if is_list(value) else []
