"""Derive the hints of MCP from statements and requests, and compare those that files give.

Only clear cases are judged: what begins with INSERT, UPDATE or DELETE changes data, and RFC 9110
says what a method does. What a function of the database does is not known here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from brimgen.agreement.report import Fault
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.http import HttpBody
from brimgen.model.json import is_list, is_object

HINTS = "MCP hints"
_KEYS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_NOT_CODE = re.compile(
    r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]",
    re.DOTALL,
)
_CHANGES = frozenset({"DELETE", "UPDATE", "DROP", "ALTER", "TRUNCATE"})
_ADDS = frozenset({"INSERT"})
_PLAIN = frozenset(
    {
        *(
            "SELECT",
            "DISTINCT",
            "FROM",
            "WHERE",
            "AND",
            "OR",
            "NOT",
            "IN",
            "IS",
            "NULL",
        ),
        *("AS", "ON", "JOIN", "LEFT", "INNER", "GROUP", "BY", "ORDER", "HAVING"),
        *("LIMIT", "OFFSET", "ASC", "DESC", "LIKE", "BETWEEN", "UNION", "ALL", "CASE"),
        *("WHEN", "THEN", "ELSE", "END", "EXISTS", "COUNT", "SUM", "MIN", "MAX", "AVG"),
        *("COALESCE", "LOWER", "UPPER", "LENGTH"),
    }
)


def wanted_hints(tool: Tool) -> dict[str, bool]:
    """The hints that a tool must have, without those that are not clear."""
    body = tool.body
    hints: dict[str, bool] = {}
    if isinstance(body, HttpBody):
        hints = _hints_of_method(body.method)
    elif isinstance(body, SqlBody):
        hints = statement_hints(body)
    for hint, name in _KEYS.items():
        own = getattr(tool.mcp, name)
        if own is not None:
            hints[hint] = own
    if hints.get("readOnlyHint"):
        hints.setdefault("destructiveHint", False)
    return hints


def _hints_of_method(method: str) -> dict[str, bool]:
    reads = method in _SAFE
    hints = {"readOnlyHint": reads, "openWorldHint": True}
    if reads or method in ("PUT", "DELETE"):
        hints["idempotentHint"] = True
    if reads or method == "DELETE":
        hints["destructiveHint"] = not reads
    return hints


def statement_hints(body: SqlBody) -> dict[str, bool]:
    """The hints that follow from the texts of a statement, not from what its author states."""
    every = [_hints_of_text(statement.text) for statement in body.texts]
    if any(hints.get("destructiveHint") for hints in every):
        return {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}
    if all(hints == every[0] for hints in every):
        return every[0]
    return {}


def _hints_of_text(text: str) -> dict[str, bool]:
    code = _NOT_CODE.sub(" ? ", text)
    words = re.findall(r"\w+", code.upper())
    if not words or ";" in code.strip().rstrip(";"):
        return {}
    if words[0] in _CHANGES:
        return {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}
    if words[0] in _ADDS:
        return {"readOnlyHint": False, "openWorldHint": False}
    called = {*re.findall(r"(\w+)\s*\(", code.upper())}
    is_plain = words[0] == "SELECT" and called <= _PLAIN and ":=" not in code
    if is_plain and {"INTO", "FOR", "LOCK"}.isdisjoint(words):
        return {"readOnlyHint": True, "openWorldHint": False}
    return {}


def hint_faults(
    catalog: Catalog, hints_by_file: Mapping[str, Mapping[str, Any]]
) -> Iterator[Fault]:
    """Yield the hints that are not those of the statement, of the request or of the spec.

    ``hints_by_file`` has the hints of each file, by its path and by tool.
    """
    tools = {tool.name: tool for tool in catalog.tools}
    for path, by_tool in hints_by_file.items():
        for name, hints in by_tool.items():
            if name in tools:
                yield from _entry_faults(tools[name], path, hints)


def _entry_faults(tool: Tool, path: str, hints: Any) -> Iterator[Fault]:
    for hint, wanted in wanted_hints(tool).items():
        found = hints.get(hint)
        if hint == "idempotentHint" and found is None and hints.get("readOnlyHint"):
            continue  # a call that changes nothing may be repeated in any case
        if found is not wanted:
            shown, expected = json.dumps(found), json.dumps(wanted)
            yield Fault(
                tool, HINTS, path, f"{hint} is {shown}, and should be {expected}"
            )


def annotations_in(entries: Any) -> dict[str, Any]:
    """The hints of a list of MCP's tools, by tool."""
    return {
        str(entry.get("name")): entry.get("annotations", {})
        for entry in (entries if is_list(entries) else ())
        if is_object(entry)
    }


def hints_in(entries: Any) -> dict[str, Any]:
    """The hints of a list of TypeScript's tools, by tool, in MCP's words."""
    return {
        str(entry.get("name")): {
            hint: entry.get(f"{hint.removesuffix('Hint')}") for hint in _KEYS
        }
        for entry in (entries if is_list(entries) else ())
        if is_object(entry)
    }
