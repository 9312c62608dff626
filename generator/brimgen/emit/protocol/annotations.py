"""Derive the MCP annotations of a tool from its hints, its statement or its request."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.http import HttpBody
from brimgen.model.json import Json, JsonObject

if TYPE_CHECKING:
    from brimgen.sqltext import Facts


def hints_of(catalog: Catalog, tool: Tool) -> JsonObject:
    """Return the ``annotations`` of a tool: the author's hints, else those of its statement or
    request.

    A tool without any has none: clients then expect the worst (descriptors.md 2.1).
    """
    told = tool.mcp
    made: dict[str, Json] = {}
    seen = _implied_hints(catalog, tool)
    for key, said in (
        ("readOnlyHint", told.read_only),
        ("destructiveHint", told.destructive),
        ("idempotentHint", told.idempotent),
        ("openWorldHint", told.open_world),
    ):
        found = seen.get(key)
        value = found if said is None else said
        if value is not None:
            made[key] = value
    if made.get("readOnlyHint") is True:
        # Some clients look at this one alone, and what is not said counts as destructive.
        made.setdefault("destructiveHint", False)
    return _shared(tuple([(key, made[key]) for key in _ORDER if key in made]))


@cache
def _shared(hints: tuple[tuple[str, Json], ...]) -> JsonObject:
    """Return the same object for equal hints, as there are few."""
    return dict(hints)


def _implied_hints(catalog: Catalog, tool: Tool) -> dict[str, bool | None]:
    """Return the hints that the statement or the request of a tool implies.

    Safe methods read, and PUT and DELETE can be repeated (RFC 9110, 9.2); a request reaches a
    system outside, whatever its method.
    """
    if isinstance(tool.body, HttpBody):
        method = tool.body.method
        reads = method in _SAFE
        return {
            "readOnlyHint": reads,
            "destructiveHint": True if method == "DELETE" else False if reads else None,
            "idempotentHint": True if reads or method in ("PUT", "DELETE") else None,
            "openWorldHint": True,
        }
    facts = statement_of(catalog, tool)
    if facts is None:
        return {}
    return {
        "readOnlyHint": facts.hints.read_only,
        "destructiveHint": facts.hints.destructive,
        "idempotentHint": facts.hints.idempotent,
        "openWorldHint": False,
    }


_SAFE = ("GET", "HEAD", "OPTIONS")
_ORDER = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def contradict(catalog: Catalog, tool: Tool) -> bool:
    """Whether the author calls a tool read-only and destructive at once.

    The SQL target reports hints that contradict a known statement (SQL016).
    """
    if not (tool.mcp.read_only and tool.mcp.destructive):
        return False
    facts = statement_of(catalog, tool)
    if facts is None:
        return True
    from brimgen.sqltext import Kind

    return facts.kind is Kind.OTHER


def statement_of(catalog: Catalog, tool: Tool) -> Facts | None:
    """Return what the statement of a tool does; None where the tool has none."""
    if not isinstance(tool.body, SqlBody):
        return None
    from brimgen.sqltext import statement_facts

    text = tool.body.statement.text
    return statement_facts(text, _dialect(catalog, tool.body))


def _dialect(catalog: Catalog, body: SqlBody) -> str:
    connection = catalog.project.connections.get(body.connection)
    return connection.dialect if connection else "sqlite"
