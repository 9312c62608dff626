"""Hints: what a tool does to the world, by its own word and by its statement."""

from __future__ import annotations

from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.json import Json
from brimgen.sqltext import Facts, Kind, statement_facts


def hints_of(catalog: Catalog, tool: Tool) -> dict[str, Json]:
    """The ``annotations`` of a tool: the author's hints first, else those of its statement.

    A tool of which nothing is known has none: clients then expect the worst (descriptors.md 2.1).
    """
    told = tool.mcp
    made: dict[str, Json] = {}
    facts = _statement(catalog, tool)
    seen = facts.hints if facts else None
    for key, said, found in (
        ("readOnlyHint", told.read_only, seen.read_only if seen else None),
        ("destructiveHint", told.destructive, seen.destructive if seen else None),
        ("idempotentHint", told.idempotent, seen.idempotent if seen else None),
        ("openWorldHint", told.open_world, False if seen else None),
    ):
        value = found if said is None else said
        if value is not None:
            made[key] = value
    if made.get("readOnlyHint") is True:
        # Some clients look at this one alone, and what is not said counts as destructive.
        made.setdefault("destructiveHint", False)
    return {key: made[key] for key in _ORDER if key in made}


_ORDER = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def contradict(catalog: Catalog, tool: Tool) -> bool:
    """Whether the author calls a tool read-only and destructive at once.

    What a known statement speaks against is told by the SQL target (SQL016), and not again.
    """
    if not (tool.mcp.read_only and tool.mcp.destructive):
        return False
    facts = _statement(catalog, tool)
    return facts is None or facts.kind is Kind.OTHER


def _statement(catalog: Catalog, tool: Tool) -> Facts | None:
    if not isinstance(tool.body, SqlBody):
        return None
    text = tool.body.statement.text
    return statement_facts(text, _dialect(catalog, tool.body))


def _dialect(catalog: Catalog, body: SqlBody) -> str:
    connection = catalog.project.connections.get(body.connection)
    return connection.dialect if connection else "sqlite"
