"""Hints: what a tool does to the world, by its own word, its statement or its request."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.http import HttpBody
from brimgen.model.json import Json, JsonObject

if TYPE_CHECKING:
    from brimgen.sqltext import Facts


def hints_of(catalog: Catalog, tool: Tool) -> JsonObject:
    """The ``annotations`` of a tool: the author's hints, else those of its statement or request.

    A tool of which nothing is known has none: clients then expect the worst (descriptors.md 2.1).
    """
    told = tool.mcp
    made: dict[str, Json] = {}
    seen = _seen(catalog, tool)
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
    """The few sets of hints that there are, each once for all tools."""
    return dict(hints)


def _seen(catalog: Catalog, tool: Tool) -> dict[str, bool | None]:
    """What the statement or the request of a tool tells by itself.

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

    What a known statement speaks against is told by the SQL target (SQL016), and not again.
    """
    if not (tool.mcp.read_only and tool.mcp.destructive):
        return False
    facts = statement_of(catalog, tool)
    if facts is None:
        return True
    from brimgen.sqltext import Kind

    return facts.kind is Kind.OTHER


def statement_of(catalog: Catalog, tool: Tool) -> Facts | None:
    """What the statement of a tool does; None where the tool has none."""
    if not isinstance(tool.body, SqlBody):
        return None
    from brimgen.sqltext import statement_facts

    text = tool.body.statement.text
    return statement_facts(text, _dialect(catalog, tool.body))


def _dialect(catalog: Catalog, body: SqlBody) -> str:
    connection = catalog.project.connections.get(body.connection)
    return connection.dialect if connection else "sqlite"
