"""Check that descriptions mention the changes that a tool makes (S1.40)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from brimgen.diagnostics import rules
from brimgen.lint.arguments import Argument, exported_tools
from brimgen.lint.finding import Finding
from brimgen.lint.options import Scope
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.http import HttpBody
from brimgen.model.lint import Subject

_DELETES = frozenset({"DELETE", "TRUNCATE", "DROP"})
_METHODS = {"DELETE": "deletes", "PUT": "writes", "PATCH": "writes"}
"""What requests do by their methods (RFC 9110 9.3); a POST may be a search as well."""
_DELETING = re.compile(
    r"\b(?:delet|remov|eras|purg|drop|truncat|clear|clean|discard|destroy|forget|cancel|revok|"
    r"withdraw|undone|undo\b|wip|prun|expir|unsubscrib|irrevers|permanent)",
    re.IGNORECASE,
)
_CHANGING = re.compile(
    r"\b(?:writ|wrote|chang|updat|insert|creat|add|set|sav|stor|record|regist|replac|modif|edit|"
    r"mark|assign|attach|append|book|reserv|charg|pay|send|sent|submit|publish|post|mov|renam|"
    r"renew|reset|start|stop|enabl|disabl|activat|deactivat|approv|reject|import|upload|log\b|"
    r"logs\b|increas|decreas|increment|decrement|transfer|merg|lock|grant|migrat|alter|rebuild|"
    r"refresh|persist|apply|appl|enqueu|queu|schedul|place|clos|open|archiv|restor|upsert|copy|"
    r"copies|subscrib|side effect|mutat|overwrit)",
    re.IGNORECASE,
)


def check_effects(
    catalog: Catalog, arguments: Sequence[Argument], scope: Scope
) -> Iterator[Finding]:
    """Tools that change something, by their statement, method or hints, and do not say so.

    A tool without any description has one mistake, which is another.
    """
    for tool in exported_tools(catalog):
        effect = _effect(catalog, tool)
        if effect is None:
            continue
        text = " ".join(filter(None, (tool.description, tool.when_to_use)))
        if not text.strip() or _mentions(text, effect):
            continue
        yield Finding(
            rule=rules.SIDE_EFFECT_UNMENTIONED,
            span=tool.span,
            subject=Subject(tool.name, True),
            values={"tool": tool.name, "effect": effect},
        )


def _mentions(text: str, effect: str) -> bool:
    if _DELETING.search(text):
        return True
    return effect != "deletes" and _CHANGING.search(text) is not None


def _effect(catalog: Catalog, tool: Tool) -> str | None:
    """Return the effect of a tool on the world, in a word; None if it is unknown."""
    if isinstance(tool.body, SqlBody):
        from brimgen.sql.effects import Kind, statement_facts

        connection = catalog.project.connections.get(tool.body.connection)
        if connection is not None:
            facts = statement_facts(tool.body.statement.text, connection.dialect)
            if facts.verb in _DELETES:
                return "deletes"
            if facts.kind in (Kind.WRITE, Kind.DDL):
                return "writes"
    if isinstance(tool.body, HttpBody) and tool.mcp.read_only is not True:
        effect = _METHODS.get(tool.body.method)
        if effect is not None:
            return effect
    if tool.mcp.destructive:
        return "is destructive"
    return "changes something" if tool.mcp.read_only is False else None
