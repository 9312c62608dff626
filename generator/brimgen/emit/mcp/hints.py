"""Hints: what a tool does to the world, by its own word and by its statement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.json import Json
from brimgen.sqltext import Hints, Kind, statement_facts

_READ = (Kind.READ,)
_WRITE = (Kind.WRITE, Kind.DDL)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What a tool says of itself, and what speaks against it."""

    claim: str
    fact: str


def hints_of(catalog: Catalog, tool: Tool) -> dict[str, Json]:
    """The ``annotations`` of a tool: the author's hints first, else those of its statement.

    A tool of which nothing is known has none: clients then expect the worst (descriptors.md 2.1).
    """
    told = tool.mcp
    made: dict[str, Json] = {}
    seen = _statement(catalog, tool)
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


def contradictions(catalog: Catalog, tool: Tool) -> Iterator[Contradiction]:
    """Where the author's hints speak against each other, or against the statement."""
    told = tool.mcp
    if told.read_only is True and told.destructive is True:
        yield Contradiction("read-only", "destructive as well")
    if not isinstance(tool.body, SqlBody):
        return
    facts = statement_facts(tool.body.statement.text, _dialect(catalog, tool.body))
    if told.read_only is True and facts.kind in _WRITE:
        yield Contradiction("read-only", f"its statement is {_article(facts.verb)}")
    if told.destructive is True and facts.kind in _READ:
        yield Contradiction("destructive", "its statement only reads")


def _article(verb: str) -> str:
    return f"{'an' if verb[:1] in 'AEIOU' else 'a'} {verb}"


def _statement(catalog: Catalog, tool: Tool) -> Hints | None:
    if not isinstance(tool.body, SqlBody):
        return None
    text = tool.body.statement.text
    return statement_facts(text, _dialect(catalog, tool.body)).hints


def _dialect(catalog: Catalog, body: SqlBody) -> str:
    connection = catalog.project.connections.get(body.connection)
    return connection.dialect if connection else "sqlite"
