"""Compare our reading of a statement with sqlglot's, where that is installed (sql.md).

sqlglot renders nothing, and no byte of the output depends on it. Its import costs more than all
statements of a project, so it is asked only where the project says so, and only once about a
text that several tools share.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.sql import statements as rules
from brimgen.frozen import dataclass
from brimgen.model.catalog import SqlBody
from brimgen.quiet import quiet
from brimgen.sqltext import Statement, TokenKind

_NO_OPINION = frozenset({TokenKind.LIVE_OPEN, TokenKind.AMBIGUOUS, TokenKind.FOREIGN})


@dataclass(frozen=True, slots=True)
class Opinion:
    """What sqlglot makes of a text: why it cannot parse it, or the parameters it finds.

    ``names`` is None where it has no opinion.
    """

    refusal: str = ""
    names: frozenset[str] | None = None


def is_available() -> bool:
    """Whether sqlglot is installed."""
    return find_spec("sqlglot") is not None


def forget() -> None:
    """Forget all answers."""
    _opinion.cache_clear()


def ask(statement: Statement, body: SqlBody, diagnostics: Diagnostics) -> None:
    """Report where sqlglot finds other parameters than we do, or cannot parse the text."""
    # It takes an executable comment for a comment; a colon of two readings and a placeholder of
    # another style were told already.
    if any(token.kind in _NO_OPINION for token in statement.tokens):
        return
    text = "".join(_shown(token.kind, token.text) for token in statement.tokens)
    opinion = _opinion(text, statement.dialect.name)
    if opinion.refusal:
        diagnostics.add(rules.DOES_NOT_PARSE, body.statement.span, why=opinion.refusal)
    ours = frozenset(statement.names)
    if opinion.names is not None and opinion.names != ours:
        diagnostics.add(
            rules.READINGS_DISAGREE,
            body.statement.span,
            theirs=_listed(opinion.names),
            ours=_listed(ours),
        )


@lru_cache(maxsize=4096)
def _opinion(text: str, dialect: str) -> Opinion:
    try:
        with quiet():
            import sqlglot
            from sqlglot import exp

            trees = sqlglot.parse(text, read=dialect)
    except Exception as error:
        return Opinion(refusal=str(error).split("\n")[0][:120])
    if any(tree is None or isinstance(tree, exp.Command) for tree in trees):
        return Opinion()
    return Opinion(
        names=frozenset(
            str(node.this)
            for tree in trees
            if tree is not None
            for node in tree.find_all(exp.Placeholder)
            if node.this
        )
    )


def _shown(kind: TokenKind, text: str) -> str:
    return ":" if kind is TokenKind.ESCAPED else text


def _listed(names: frozenset[str]) -> str:
    listed = ", ".join(f"`:{name}`" for name in sorted(names))
    return f"the parameters {listed}" if listed else "no parameters"
