"""Compare other lists with the specs: prompts and resources of MCP, commands, bundles."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from brimgen.agreement.ledger_file import parsed
from brimgen.agreement.report import Fault, entry_faults
from brimgen.agreement.same_schema import SchemaFile
from brimgen.agreement.schema_file_laws import different_schema
from brimgen.agreement.stated_limits import holds_words, states
from brimgen.agreement.table_laws import text_faults
from brimgen.model.catalog import (
    Catalog,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.http import HttpBody
from brimgen.model.json import is_list, is_object
from brimgen.model.paths import PathVariable
from brimgen.model.types import Field

BUNDLES = "bundles"
STORE = "flexigpt/tools.bundles.json"
COMMANDS = "commands"
_KINDS = frozenset({"string", "integer", "number", "boolean", "object", "array"})
PROMPTS = "MCP prompts"
RESOURCES = "MCP resources"


def list_file_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    """Yield where these lists differ from the specs."""
    package = f"python/{catalog.project.package}"
    for path, text in files.items():
        name = path.rpartition("/")[2]
        is_of_mcp = path.endswith(f"mcp/{name}")
        if is_of_mcp and name == "prompts.json":
            yield from _prompt_faults(catalog, path, _entries(text, "prompts"))
        elif is_of_mcp and name in ("resources.json", "resource_templates.json"):
            key = "resources" if name == "resources.json" else "resourceTemplates"
            yield from _resource_faults(catalog, path, _entries(text, key))
        elif path == "commands/available_commands.json":
            yield from _command_faults(catalog, path, _entries(text, ""))
        elif path.startswith("flexigpt/"):
            yield from _store_faults(catalog, path, text)
        elif path in ("bundles.json", f"{package}/bundles.json"):
            yield from _bundle_faults(catalog, path, _entries(text, "bundles"))


def _entries(text: str, key: str) -> list[Any]:
    """The objects of a list, which stands at ``key`` or is the whole text."""
    value = parsed(text)
    value = value.get(key) if is_object(value) and key else value
    return [entry for entry in value if is_object(entry)] if is_list(value) else []


# What MCP has beside tools


def _prompt_faults(catalog: Catalog, path: str, entries: list[Any]) -> Iterator[Fault]:
    prompts = [
        tool
        for tool in catalog.tools
        if isinstance(tool.body, TemplateBody) and _is_offered(tool, "mcp")
    ]
    listed = {entry.get("name"): entry for entry in entries}
    place = (PROMPTS, path, "the prompt")
    for tool in prompts:
        yield from entry_faults(
            tool, place, listed.get(tool.name), _prompt_entry_faults
        )


def _prompt_entry_faults(tool: Tool, entry: Any) -> Iterator[str]:
    yield from _description_faults(tool, entry)
    yield from _argument_faults(tool, entry.get("arguments"), _prompt_argument_faults)


def _prompt_argument_faults(field: Field, argument: Any) -> Iterator[str]:
    if bool(argument.get("required")) is not field.required:
        yield f"that it is {'not required' if field.required else 'required'}"
    yield from _text_faults(field, str(argument.get("description", "")))


def _argument_faults(
    tool: Tool, listed: Any, faults: Callable[[Field, Any], Iterator[str]]
) -> Iterator[str]:
    """Yield missing and surplus arguments of a list, and the ``faults`` of the others."""
    entries = listed if is_list(listed) else ()
    arguments = {entry.get("name"): entry for entry in entries if is_object(entry)}
    fields = {field.name: field for field in tool.caller_fields}
    for name in sorted(map(str, arguments.keys() ^ fields.keys())):
        verb = "leaves out" if name in fields else "has an argument too many,"
        yield f"{verb} `{name}`"
    for name, field in fields.items():
        if name in arguments:
            for says in faults(field, arguments[name]):
                yield f"says of `{name}` {says}"


def _resource_faults(
    catalog: Catalog, path: str, entries: list[Any]
) -> Iterator[Fault]:
    listed = {entry.get("name"): entry for entry in entries}
    for tool in catalog.tools:
        body = tool.body
        if not isinstance(body, ResourceBody) or not _is_offered(tool, "mcp"):
            continue
        has_variables = bool(tool.caller_fields)
        if has_variables is path.endswith("resource_templates.json"):
            place = (RESOURCES, path, "the resource")
            faults = partial(_resource_entry_faults, body)
            yield from entry_faults(tool, place, listed.get(tool.name), faults)


def _resource_entry_faults(body: ResourceBody, tool: Tool, entry: Any) -> Iterator[str]:
    yield from _description_faults(tool, entry)
    if (entry.get("mimeType") or None) != (tool.mcp.mime_type or body.mime_type):
        yield f"has the type {entry.get('mimeType')}; the spec has {body.mime_type}"
    uri = str(entry.get("uriTemplate", entry.get("uri", "")))
    names = [
        segment.name for segment in body.segments if isinstance(segment, PathVariable)
    ]
    at = 0
    for name in (*names, *body.query):
        at = uri.find(name, at)
        if at < 0:
            yield f"has no place for `{name}` in {uri}, or another order"
            break
    texts = _argument_texts(str(entry.get("description", "")), tool)
    for field in tool.caller_fields:
        for says in _text_faults(field, texts.get(field.name, "")):
            yield f"says of `{field.name}` {says}"


def _argument_texts(text: str, tool: Tool) -> dict[str, str]:
    """What a text says of each argument: ``year (integer; minimum 2000); …``."""
    starts = [
        (match.start(), field.name)
        for field in tool.caller_fields
        for match in [*re.finditer(rf"(?<!\w){re.escape(field.name)} \(", text)][-1:]
    ]
    starts.sort()
    ends = [at for at, _ in starts[1:]] + [len(text)]
    return {name: text[at:end] for (at, name), end in zip(starts, ends, strict=True)}


def _text_faults(field: Field, text: str) -> Iterator[str]:
    """Yield where the description of an argument differs from its schema.

    These lists have no place for a type: words say what is no plain text.
    """
    kind = field.schema.get("type")
    own = text.replace(field.description, " ") if field.description else text
    named_kinds = {*re.findall(r"\w+", own)} & _KINDS
    if isinstance(kind, str) and "enum" not in field.schema:
        wanted = {kind} - {"string"}
        is_scalar = kind not in ("array", "object")
        if not wanted <= named_kinds or (
            is_scalar and named_kinds - wanted - {"string"}
        ):
            yield f"the type {' or '.join(sorted(named_kinds)) or 'string'}; the spec says {kind}"
    yield from text_faults(field.schema, text)
    if not field.required and "default" in field.schema:
        default = field.schema["default"]
        if not states(text, "default", default):
            yield f"another default than {json.dumps(default)}, or none"


def _description_faults(tool: Tool, entry: Any) -> Iterator[str]:
    text = str(entry.get("description") or "")
    if tool.mcp.description is None and not holds_words(text, tool.description):
        yield "says another description than the spec"


# Commands


def _command_faults(catalog: Catalog, path: str, entries: list[Any]) -> Iterator[Fault]:
    listed = {entry.get("command_name"): entry for entry in entries}
    for tool in catalog.tools:
        entry = listed.get(tool.name)
        if entry is not None or _has_command(tool):
            place = (COMMANDS, path, "the tool")
            yield from entry_faults(tool, place, entry, _command_entry_faults)


def _has_command(tool: Tool) -> bool:
    """Whether the grammar surely has words for a tool: its arguments are plain scalars."""
    return (
        isinstance(tool.body, PythonBody | SqlBody | HttpBody)
        and _is_offered(tool, "commands")
        and tool.enforced_schema.get("additionalProperties") is False
        and "patternProperties" not in tool.enforced_schema
        and all(
            str(field.schema.get("type")) in _COMMAND_KINDS
            for field in tool.caller_fields
        )
    )


_COMMAND_KINDS = {
    "string": {"string", "date", "datetime"},
    "integer": {"int"},
    "number": {"float"},
    "boolean": {"bool"},
}


def _command_entry_faults(tool: Tool, entry: Any) -> Iterator[str]:
    if not holds_words(str(entry.get("description")), tool.description):
        yield "says another description than the spec"
    yield from _argument_faults(tool, entry.get("parameters"), _parameter_faults)


def _parameter_faults(field: Field, parameter: Any) -> Iterator[str]:
    kinds = _COMMAND_KINDS.get(str(field.schema.get("type")))
    if kinds is not None and parameter.get("type") not in kinds:
        yield f"the type {parameter.get('type')}; the spec says {field.schema['type']}"
    if bool(parameter.get("required")) is not field.required:
        yield f"that it is {'not required' if field.required else 'required'}"
    values = field.schema.get("enum")
    if is_list(values) and parameter.get("enum_values") != [*values]:
        yield f"the values {parameter.get('enum_values')}; the spec has {[*values]}"
    if (parameter.get("description") or None) != (field.description or None):
        yield "another description than the spec"


# Bundles


def _bundle_faults(catalog: Catalog, path: str, entries: list[Any]) -> Iterator[Fault]:
    listed = {entry.get("slug"): entry for entry in entries}
    for bundle in catalog.bundles:
        entry = listed.get(bundle.slug)
        if entry is None:
            yield Fault(bundle, BUNDLES, path, "does not list the bundle")
            continue
        wanted = {
            "id": bundle.identity.id,
            "displayName": bundle.display_name,
            "description": bundle.description,
            "isEnabled": bundle.enabled,
            "createdAt": bundle.identity.created_at,
            "modifiedAt": bundle.identity.modified_at,
        }
        for says in _key_faults(entry, wanted):
            yield Fault(bundle, BUNDLES, path, says)
        rows = {row.get("name"): row for row in entry.get("tools", ())}
        for tool in catalog.tools:
            if tool.bundle == bundle.name:
                yield from _bundled_tool_faults(tool, path, rows.pop(tool.name, None))
        for name in rows:
            says = f"lists the tool {name}, which the spec has not"
            yield Fault(bundle, BUNDLES, path, says)


def _bundled_tool_faults(tool: Tool, path: str, row: Any) -> Iterator[Fault]:
    if row is None:
        yield Fault(tool, BUNDLES, path, "does not list the tool")
        return
    wanted = {
        "id": tool.identity.id,
        "slug": tool.slug,
        "version": tool.version,
        "displayName": tool.title or tool.name,
        "description": tool.description,
        "tags": [*tool.tags] or None,
        "isEnabled": tool.is_switched_on,
        "createdAt": tool.identity.created_at,
        "modifiedAt": tool.identity.modified_at,
    }
    for says in _key_faults(row, wanted):
        yield Fault(tool, BUNDLES, path, says)
    output = tool.returns.schema if tool.returns else None
    for key, schema in (("argSchema", tool.input_schema), ("outputSchema", output)):
        if key not in row and path.startswith("python/"):
            continue  # the package has the schemas of its tools already
        home = SchemaFile(row.get(key), path)
        yield from different_schema(
            tool, BUNDLES, home, schema, row.get(key), f"{key}: "
        )
    own = row.get("x-brimgen", {})
    body = tool.body
    if isinstance(body, SqlBody) and "sql" in own:
        text = (body.written or body.statement).text
        if str(own["sql"]).split() != text.split():
            yield Fault(tool, BUNDLES, path, "has another statement than the spec")


def _store_faults(catalog: Catalog, path: str, text: str) -> Iterator[Fault]:
    """Yield where a file of a FlexiGPT store differs from the spec."""
    content = parsed(text)
    content = content if is_object(content) else {}
    if path == STORE:
        rows = content.get("bundles")
        for bundle in catalog.bundles:
            row = rows.get(bundle.id_or_slug) if is_object(rows) else None
            if not is_object(row):
                yield Fault(bundle, BUNDLES, path, "does not list the bundle")
                continue
            wanted = {
                "slug": bundle.slug,
                "displayName": bundle.display_name,
                "description": bundle.description,
                "isEnabled": bundle.enabled,
            }
            for says in _key_faults(row, wanted):
                yield Fault(bundle, BUNDLES, path, says)
        return
    for tool in catalog.tools:
        if path == store_file(catalog, tool):
            yield from _bundled_tool_faults(tool, path, content)


def store_file(catalog: Catalog, tool: Tool) -> str | None:
    """The file of a tool in a store of FlexiGPT; None for a tool without a bundle."""
    for bundle in catalog.bundles:
        if bundle.name == tool.bundle:
            folder = f"{bundle.id_or_slug}_{bundle.slug}"
            return f"flexigpt/{folder}/{tool.slug}_{tool.version}.json"
    return None


def _key_faults(entry: Any, wanted: Mapping[str, Any]) -> Iterator[str]:
    for key, value in wanted.items():
        found = entry.get(key)
        if (None if found in ("", []) else found) != (None if value == "" else value):
            shown, expected = json.dumps(found), json.dumps(value)
            yield f"has the {key} {shown}; the spec has {expected}"


def _is_offered(tool: Tool, target: str) -> bool:
    return tool.enabled and tool.is_for(target)
