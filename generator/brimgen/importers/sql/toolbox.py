"""Import the ``tools.yaml`` of MCP Toolbox for Databases: its SQL tools, with their parameters.

A file is either a document for each source, tool and toolset (``kind: tool``), or, as in earlier
versions, one document that has them under ``sources``, ``tools`` and ``toolsets``. Tools of other
kinds (``postgres-list-tables``, ``http`` …) are run by that server alone, and are refused one by
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.imports import (
    NOT_KEPT,
    TOOLBOX_NOT_KEPT,
    TOOLBOX_REFUSED,
)
from brimgen.importers.draft import Draft, Shape, WholeFormat
from brimgen.importers.names import name_keys
from brimgen.importers.selection import Choice
from brimgen.importers.sql.placeholders import body, with_given_names
from brimgen.model.json import Json
from brimgen.source.nodes import Entry, ListNode, MapNode, ScalarNode
from brimgen.source.plain_json import plain
from brimgen.sqltext import DIALECTS, Dialect, find_dialect, scan
from brimgen.sqltext.effects.statement_kind import statement_facts

_TYPES = {
    "string": "string",
    "integer": "int",
    "float": "float",
    "boolean": "bool",
    "map": "object",
}
_TOOL = (
    *("kind", "type", "source", "description", "statement", "parameters"),
    *("name", "authRequired", "templateParameters"),
)
_PARAMETER = (
    *("name", "type", "description", "default", "required", "items"),
    *("authServices", "allowedValues", "minValue", "maxValue", "secure"),
)
_RELATIVES = {
    **dict.fromkeys(("tidb", "oceanbase", "singlestore", "mindsdb"), "mysql"),
    "spanner": "bigquery",
}
"""Databases of Toolbox that write strings, comments and placeholders as another one does."""
_ELSEWHERE = {
    "source": "declare it under `connections` of the configuration",
    "toolset": "a bundle (`type: bundle`) groups tools, and each tool names its bundle",
    "group": "a bundle (`type: bundle`) groups tools, and each tool names its bundle",
    "prompt": "write a spec with `type: prompt`",
    "authService": "the host program decides who calls, and gives claims as context",
}
"""Advice for each kind of document that is not imported."""


def join_documents(documents: Sequence[MapNode]) -> MapNode | None:
    """Join the documents of a file into one, as earlier versions wrote it; None without a tool."""
    if not any(_is_tool(document) for document in documents):
        return None
    kinds: dict[str, list[Entry]] = {}
    for document in documents:
        name = document.get("name")
        key = (
            name if isinstance(name, ScalarNode) else ScalarNode(document.span, "", "")
        )
        kinds.setdefault(f"{_text(document, 'kind')}s", []).append(Entry(key, document))
    span = documents[0].span
    entries = [
        Entry(ScalarNode(span, kind, kind), MapNode(span, tuple(members)))
        for kind, members in kinds.items()
    ]
    return MapNode(span, tuple(entries))


def _is_tool(document: MapNode) -> bool:
    words = [_text(document, key) for key in ("kind", "name", "type")]
    return words[0] == "tool" and all(words)


def fits(node: MapNode) -> bool:
    """Whether ``node`` has tools by their names, each of a kind."""
    tools = node.get("tools")
    return (
        isinstance(tools, MapNode)
        and bool(tools.entries)
        and all(
            isinstance(entry.value, MapNode) and _kind(entry.value)
            for entry in tools.entries
        )
    )


def read(node: MapNode, diagnostics: Diagnostics, choice: Choice) -> Iterator[Draft]:
    """Read the chosen SQL tools; report all other parts of the file."""
    for section in node.entries:
        kind = section.key.text.removesuffix("s") or "document"
        if kind == "tool" or not isinstance(section.value, MapNode):
            continue
        advice = _ELSEWHERE.get(kind, "only tools are imported")
        for entry in section.value.entries:
            diagnostics.add(
                TOOLBOX_NOT_KEPT,
                entry.key.span,
                kind=kind,
                name=entry.key.text,
                why=advice,
            )
    tools = node.get("tools")
    entries = tools.entries if isinstance(tools, MapNode) else ()
    chosen = [entry for entry in entries if choice.takes(entry.key.text)]
    sources = {_text(entry.value, "source") for entry in chosen}
    for entry in chosen:
        draft = _tool(entry, diagnostics, has_one_source=len(sources) == 1)
        if draft is not None:
            yield draft


def _tool(
    entry: Entry, diagnostics: Diagnostics, *, has_one_source: bool
) -> Draft | None:
    name, node = entry.key.text, entry.value
    assert isinstance(node, MapNode)
    reason = _refusal(node)
    if reason:
        diagnostics.add(TOOLBOX_REFUSED, entry.key.span, name=name, reason=reason)
        return None
    shape = Shape(node, f"tool `{name}`", diagnostics)
    shape.only(_TOOL)
    names = name_keys(name)
    document: dict[str, Json] = {"type": "sql_function", **names}
    description = shape.text("description", needed=False)
    if description:
        document["description"] = description.strip()
    source = _text(node, "source")
    if source and not has_one_source:
        document["connection"] = source
    if node.get("authRequired") is not None:
        subject, why = "`authRequired`", "the host program decides who may call"
        diagnostics.add(NOT_KEPT, entry.key.span, what=subject, name=name, reason=why)
    parameters = _parameters(name, node, shape)
    if parameters:
        document["arguments"] = {"inline": dict(parameters)}
    dialect = _dialect(_kind(node))
    statement = body(scan(shape.text("statement") or "", dialect))
    if statement_facts(statement, dialect.name).gives_rows is True:
        document["returns"] = "object[]"
    names_of_parameters = [key for key, _ in parameters]
    document["sql"] = with_given_names(scan(statement, dialect), names_of_parameters)
    return Draft(str(names["name"]), entry.key.span, document) if shape.sound else None


def _dialect(kind: str) -> Dialect:
    database = kind.removesuffix("-sql")
    return find_dialect(_RELATIVES.get(database, database)) or DIALECTS["postgres"]


def _refusal(node: MapNode) -> str:
    kind = _kind(node)
    if not kind.endswith("-sql") or kind.endswith("-execute-sql"):
        return f"tools of the kind `{kind}` are run by Toolbox itself"
    if node.get("templateParameters") is not None:
        return "`templateParameters` put text into the statement: write `choices`"
    return ""


def _parameters(name: str, node: MapNode, shape: Shape) -> list[tuple[str, Json]]:
    if node.get("parameters") is None:
        return []
    return [
        (key, argument)
        for parameter in shape.objects("parameters", "a parameter")
        for key, argument in [_parameter(name, parameter)]
    ]


def _parameter(tool: str, shape: Shape) -> tuple[str, Json]:
    """Return the name of a parameter, and its argument."""
    shape.only(_PARAMETER)
    name = shape.text("name") or ""
    argument: dict[str, Json] = {"type": _type(shape)}
    description = shape.text("description", needed=False)
    if description:
        argument["description"] = description.strip()
    if shape.flag("required") is False:
        argument["required"] = False
    for key, spec_key in (
        ("default", "default"),
        ("allowedValues", "enum"),
        ("minValue", "minimum"),
        ("maxValue", "maximum"),
    ):
        value = shape.node.get(key)
        if value is not None:
            argument[spec_key] = plain(value)
    if shape.flag("secure"):
        argument["from_context"] = f"app.{_segment(name)}"
    services = shape.node.get("authServices")
    if isinstance(services, ListNode) and services.items:
        argument["from_context"] = _claim(services.items[0])
    return name, argument["type"] if len(argument) == 1 else argument


def _type(shape: Shape) -> str:
    type_name = shape.text("type") or ""
    if type_name == "array":
        items = shape.mapping("items")
        inner = _TYPES.get(_text(items, "type"), "string") if items else "string"
        return f"{inner}[]"
    if type_name not in _TYPES:
        shape.sound = False
        shape.diagnostics.add(
            TOOLBOX_REFUSED,
            shape.node.span,
            name=_text(shape.node, "name"),
            reason=f"there is no type `{type_name}`",
        )
    return _TYPES.get(type_name, "string")


def _claim(service: object) -> str:
    """Return the context path of a claim of a token: the host program puts it there."""
    words: Sequence[str] = ("auth", "claim")
    if isinstance(service, MapNode):
        words = (_text(service, "name"), _text(service, "field"))
    return ".".join(("app", *(_segment(word) or "claim" for word in words)))


def _segment(word: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", word)


def _kind(node: object) -> str:
    if not isinstance(node, MapNode):
        return ""
    kind = _text(node, "kind")
    return _text(node, "type") if kind in ("", "tool") else kind


def _text(node: object, key: str) -> str:
    value = node.get(key) if isinstance(node, MapNode) else None
    text = value.value if isinstance(value, ScalarNode) else None
    return text if isinstance(text, str) else ""


FORMAT = WholeFormat("toolbox", "tools.yaml of MCP Toolbox: its SQL tools", fits, read)
