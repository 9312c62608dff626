"""A second opinion: sqlglot reads the author's text too, where it is installed (sql.md 2.3).

It never renders anything, and no byte of the output depends on it. Its import costs more than
all statements of a project, so that it is asked only where the project says so.
"""

from __future__ import annotations

from importlib.util import find_spec

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import sql_statements as rules
from brimgen.model.catalog import SqlBody
from brimgen.sqltext import Statement, TokenKind


def is_available() -> bool:
    """Whether sqlglot is installed."""
    return find_spec("sqlglot") is not None


def ask(statement: Statement, body: SqlBody, found: Diagnostics) -> None:
    """Report where sqlglot finds other parameters than we do, or cannot parse the text."""
    import sqlglot
    from sqlglot import exp

    if any(each.kind is TokenKind.LIVE_OPEN for each in statement.tokens):
        return  # sqlglot takes an executable comment for a comment
    text = "".join(_shown(each.kind, each.text) for each in statement.tokens)
    try:
        trees = sqlglot.parse(text, read=statement.dialect.name)
    except Exception as error:
        why = str(error).split("\n")[0][:120]
        found.add(rules.DOES_NOT_PARSE, body.statement.span, why=why)
        return
    if any(tree is None or isinstance(tree, exp.Command) for tree in trees):
        return
    theirs = {
        str(each.this)
        for tree in trees
        if tree is not None
        for each in tree.find_all(exp.Placeholder)
        if each.this
    }
    ours = set(statement.names)
    if theirs != ours:
        found.add(
            rules.READINGS_DISAGREE,
            body.statement.span,
            theirs=_listed(theirs),
            ours=_listed(ours),
        )


def _shown(kind: TokenKind, text: str) -> str:
    return ":" if kind is TokenKind.ESCAPED else text


def _listed(names: set[str]) -> str:
    listed = ", ".join(f"`:{each}`" for each in sorted(names))
    return f"the parameters {listed}" if listed else "no parameters"
