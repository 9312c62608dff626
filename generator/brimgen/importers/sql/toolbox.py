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
from brimgen.diagnostics.rules import (
    IMPORT_NOT_KEPT,
    IMPORT_TOOLBOX_NOT_KEPT,
    IMPORT_TOOLBOX_REFUSED,
)
from brimgen.importers.draft import Choice, Draft, Format, PartReader
from brimgen.importers.names import connection_name, name_keys
from brimgen.importers.nodes import items_at, text_at
from brimgen.importers.sql.placeholders import body, with_given_names
from brimgen.model.json import Json
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode, plain
from brimgen.sql import DIALECTS, Dialect, find_dialect, scan
from brimgen.sql.effects import statement_facts

MARK = "-sql"
"""The end of the kind of each tool that is imported; a text without it is not read twice."""
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
    *("valueType", "excludedValues", "embeddedBy", "valueFromParam"),
)
_JSON_TYPES = {
    "string": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "object": "object",
}
_NO_PATTERN = re.compile(r"[\w\s,:;@%&#=/'\"-]*")
"""A text that means itself where Toolbox reads an allowed value as a regular expression."""
_RELATIVES = {
    **dict.fromkeys(("tidb", "oceanbase", "singlestore", "mindsdb"), "mysql"),
    "spanner": "bigquery",
}
"""Databases of Toolbox that write strings, comments and placeholders as another one does."""
_ONLY_IN_SCHEMA = frozenset({"not", "additionalProperties"})
"""Keywords of arguments that are written in Standard mode alone."""
_RUN_BY_TOOLBOX = {
    "embeddedBy": "Toolbox has the text embedded by a model before it runs the statement",
}
_ELSEWHERE = {
    "source": "its address and password belong to the program; `connections` has its dialect",
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
        kinds.setdefault(f"{text_at(document, 'kind')}s", []).append(
            Entry(key, document)
        )
    span = documents[0].span
    entries = [
        Entry(ScalarNode(span, kind, kind), MapNode(span, tuple(members)))
        for kind, members in kinds.items()
    ]
    return MapNode(span, tuple(entries))


def _is_tool(document: MapNode) -> bool:
    words = [text_at(document, key) for key in ("kind", "name", "type")]
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
                IMPORT_TOOLBOX_NOT_KEPT,
                entry.key.span,
                kind=kind,
                name=entry.key.text,
                why=advice,
            )
    chosen = _chosen(node, choice)
    connections = _connections(chosen)
    for entry in chosen:
        connection = connections.get(text_at(entry.value, "source"), "default")
        draft = _tool(entry, connection, diagnostics)
        if draft is not None:
            yield draft


def _chosen(node: MapNode, choice: Choice) -> list[Entry]:
    tools = node.get("tools")
    entries = tools.entries if isinstance(tools, MapNode) else ()
    return [entry for entry in entries if choice.takes(entry.key.text)]


def _connections(tools: Sequence[Entry]) -> dict[str, str]:
    """The connections of SQL tools by the names of their sources: the default one if it is one."""
    sources = dict.fromkeys(
        text_at(tool.value, "source") for tool in tools if not _refusal(tool.value)
    )
    if len(sources) == 1:
        return dict.fromkeys(sources, "default")
    names: dict[str, str] = {}
    for source in sources:
        name = connection_name(source) or "db"
        taken = name in names.values()
        names[source] = f"{name}_{len(names)}" if taken else name
    return names


def dialects(node: MapNode, choice: Choice) -> dict[str, str]:
    """The dialect of each connection that the chosen tools need."""
    chosen = _chosen(node, choice)
    connections = _connections(chosen)
    return {
        connections[text_at(tool.value, "source")]: _dialect(_kind(tool.value)).name
        for tool in chosen
        if not _refusal(tool.value)
    }


def _tool(entry: Entry, connection: str, diagnostics: Diagnostics) -> Draft | None:
    name, node = entry.key.text, entry.value
    assert isinstance(node, MapNode)
    reason = _refusal(node)
    if reason:
        diagnostics.add(
            IMPORT_TOOLBOX_REFUSED, entry.key.span, name=name, reason=reason
        )
        return None
    part = PartReader(node, f"tool `{name}`", diagnostics)
    part.only(_TOOL)
    names = name_keys(name)
    document: dict[str, Json] = {"type": "sql_function", **names}
    document |= _description(part)
    if connection != "default":
        document["connection"] = connection
    if node.get("authRequired") is not None:
        subject, why = "`authRequired`", "the host program decides who may call"
        diagnostics.add(
            IMPORT_NOT_KEPT, entry.key.span, what=subject, name=name, reason=why
        )
    parameters = _parameters(node, part)
    if any(_ONLY_IN_SCHEMA & argument.keys() for _, argument in parameters):
        document["arguments"] = {"inline": _schema(parameters)}
    elif parameters:
        document["arguments"] = {
            "inline": {
                key: argument["type"] if len(argument) == 1 else argument
                for key, argument in parameters
            }
        }
    dialect = _dialect(_kind(node))
    statement = body(scan(part.text("statement") or "", dialect))
    if statement_facts(statement, dialect.name).gives_rows is True:
        document["returns"] = "object[]"
    names_of_parameters = [
        text_at(parameter, "valueFromParam") or text_at(parameter, "name")
        for parameter in items_at(node, "parameters")
    ]
    document["sql"] = with_given_names(scan(statement, dialect), names_of_parameters)
    return Draft(str(names["name"]), entry.key.span, document) if part.sound else None


def _description(part: PartReader) -> dict[str, Json]:
    return {key: str(text).strip() for key, text in part.texts("description").items()}


def _dialect(kind: str) -> Dialect:
    database = kind.removesuffix(MARK)
    return find_dialect(_RELATIVES.get(database, database)) or DIALECTS["postgres"]


def _refusal(node: Node) -> str:
    kind = _kind(node)
    if not kind.endswith(MARK) or kind.endswith("-execute-sql"):
        return f"tools of the kind `{kind}` are run by Toolbox itself"
    if not isinstance(node, MapNode):
        return ""
    if node.get("templateParameters") is not None:
        return "`templateParameters` put text into the statement: write `choices`"
    for parameter in items_at(node, "parameters"):
        for key, reason in _RUN_BY_TOOLBOX.items():
            if isinstance(parameter, MapNode) and parameter.get(key) is not None:
                return f"the parameter `{text_at(parameter, 'name')}` has `{key}`: {reason}"
    return ""


def _schema(parameters: Sequence[tuple[str, dict[str, Json]]]) -> dict[str, Json]:
    """Return the parameters as JSON Schema."""
    properties: dict[str, Json] = {}
    for name, argument in parameters:
        written = str(argument["type"])
        word = written.removesuffix("[]")
        type_: dict[str, Json] = {"type": _JSON_TYPES[word]}
        if written != word:
            type_ = {"type": "array", "items": type_}
        properties[name] = {
            **type_,
            **{
                key: value
                for key, value in argument.items()
                if key not in ("type", "required")
            },
        }
    required: list[Json] = [
        name
        for name, argument in parameters
        if argument.get("required") is not False and "default" not in argument
    ]
    return {"type": "object", "properties": properties, "required": required}


def _parameters(node: MapNode, part: PartReader) -> list[tuple[str, dict[str, Json]]]:
    if node.get("parameters") is None:
        return []
    return [
        (key, argument)
        for parameter in part.objects("parameters", "a parameter")
        if parameter.node.get("valueFromParam") is None
        for key, argument in [_parameter(parameter)]
    ]


def _parameter(part: PartReader) -> tuple[str, dict[str, Json]]:
    """Return the name of a parameter, and its argument."""
    part.only(_PARAMETER)
    name = part.text("name") or ""
    argument: dict[str, Json] = {"type": _type(part), **_description(part)}
    if part.flag("required") is False:
        argument["required"] = False
    for key, spec_key in (
        ("default", "default"),
        ("minValue", "minimum"),
        ("maxValue", "maximum"),
    ):
        value = part.node.get(key)
        if value is not None:
            argument[spec_key] = plain(value)
    argument |= _allowed(part.node.get("allowedValues"))
    excluded = _allowed(part.node.get("excludedValues"))
    if excluded:
        argument["not"] = excluded
    value_type = part.text("valueType", needed=False)
    if value_type in _TYPES:
        values = {"type": _JSON_TYPES[_TYPES[value_type]]}
        argument["additionalProperties"] = values
    elif value_type is not None:
        _refuse_type(part, value_type)
    if part.flag("secure"):
        argument["from_context"] = f"app.{_segment(name)}"
    services = part.node.get("authServices")
    if isinstance(services, ListNode) and services.items:
        argument["from_context"] = _claim(services.items[0])
    return name, argument


def _allowed(node: Node | None) -> dict[str, Json]:
    """Return the keywords for ``allowedValues``, which are regular expressions or plain values."""
    values = [
        plain(item) for item in (node.items if isinstance(node, ListNode) else ())
    ]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) < len(values) or all(map(_NO_PATTERN.fullmatch, texts)):
        return {"enum": values} if values else {}
    return {"pattern": "|".join(f"(?:{text})" for text in texts)}


def _type(part: PartReader) -> str:
    type_name = part.text("type") or ""
    if type_name == "array":
        items = part.mapping("items")
        inner = _TYPES.get(text_at(items, "type"), "string") if items else "string"
        return f"{inner}[]"
    if type_name not in _TYPES:
        _refuse_type(part, type_name)
    return _TYPES.get(type_name, "string")


def _refuse_type(part: PartReader, type_name: str) -> None:
    name, reason = text_at(part.node, "name"), f"there is no type `{type_name}`"
    part.report(IMPORT_TOOLBOX_REFUSED, part.node.span, name=name, reason=reason)


def _claim(service: object) -> str:
    """Return the context path of a claim of a token: the host program puts it there."""
    words: Sequence[str] = ("auth", "claim")
    if isinstance(service, MapNode):
        words = (text_at(service, "name"), text_at(service, "field"))
    return ".".join(("app", *(_segment(word) or "claim" for word in words)))


def _segment(word: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", word)


def _kind(node: object) -> str:
    if not isinstance(node, MapNode):
        return ""
    kind = text_at(node, "kind")
    return text_at(node, "type") if kind in ("", "tool") else kind


FORMAT = Format("toolbox", "tools.yaml of MCP Toolbox: its SQL tools", fits, read)
