"""Derive the MCP annotations of a tool from its hints, its statement or its request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimgen.emit.protocol.view import Annotations
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.http import HttpBody

if TYPE_CHECKING:
    from brimgen.sql.effects import Facts


def annotations_of(catalog: Catalog, tool: Tool) -> Annotations:
    """Return the author's hints, and for the others those of the statement or request.

    A tool without any has none: clients then expect the worst (descriptors.md).
    """
    own, seen = tool.mcp, _implied_hints(catalog, tool)
    read_only = _either(own.read_only, seen.read_only)
    destructive = _either(own.destructive, seen.destructive)
    if read_only and destructive is None:
        # Some clients look at this one alone, and what is not said counts as destructive.
        destructive = False
    return Annotations(
        read_only,
        destructive,
        _either(own.idempotent, seen.idempotent),
        _either(own.open_world, seen.open_world),
    )


def _either(own: bool | None, seen: bool | None) -> bool | None:
    return seen if own is None else own


def _implied_hints(catalog: Catalog, tool: Tool) -> Annotations:
    """Return the hints that the statement or the request of a tool implies.

    Safe methods read, and PUT and DELETE can be repeated (RFC 9110, 9.2); a request reaches a
    system outside, whatever its method.
    """
    if isinstance(tool.body, HttpBody):
        method = tool.body.method
        reads = method in _SAFE
        return Annotations(
            read_only=reads,
            destructive=True if method == "DELETE" else False if reads else None,
            idempotent=True if reads or method in ("PUT", "DELETE") else None,
            open_world=True,
        )
    facts = statement_of(catalog, tool)
    if facts is None:
        return Annotations(None, None, None, None)
    hints = facts.hints
    return Annotations(hints.read_only, hints.destructive, hints.idempotent, False)


_SAFE = ("GET", "HEAD", "OPTIONS")


def contradict(catalog: Catalog, tool: Tool) -> bool:
    """Whether the author calls a tool read-only and destructive at once.

    The SQL target reports hints that contradict a known statement (SQL016).
    """
    if not (tool.mcp.read_only and tool.mcp.destructive):
        return False
    facts = statement_of(catalog, tool)
    if facts is None:
        return True
    from brimgen.sql.effects import Kind

    return facts.kind is Kind.OTHER


def statement_of(catalog: Catalog, tool: Tool) -> Facts | None:
    """Return what the statement of a tool does; None where the tool has none."""
    if not isinstance(tool.body, SqlBody):
        return None
    from brimgen.sql.effects import gravest, statement_facts

    dialect = _dialect(catalog, tool.body)
    return gravest(statement_facts(text.text, dialect) for text in tool.body.texts)


def _dialect(catalog: Catalog, body: SqlBody) -> str:
    connection = catalog.project.connections.get(body.connection)
    return connection.dialect if connection else "sqlite"
