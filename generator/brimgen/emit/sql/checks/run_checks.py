"""Run every check of statements that needs no database (sql.md)."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from brimgen.diagnostics import Diagnostics, rules
from brimgen.diagnostics.rules import PIPES_AS_OR
from brimgen.emit.codecs.sql import SqlKind
from brimgen.emit.sql.checks.check_choices import check_choices, check_dropped
from brimgen.emit.sql.checks.check_columns import RowShape, check_columns, is_count
from brimgen.emit.sql.checks.check_compiled import check_compiled
from brimgen.emit.sql.checks.check_hidden_arguments import check_hidden
from brimgen.emit.sql.checks.check_keyset import check_keyset
from brimgen.emit.sql.checks.check_parameters import Uses, check_parameters
from brimgen.emit.sql.checks.check_syntax import check_syntax
from brimgen.emit.sql.checks.check_text import (
    check_foreign,
    check_marks,
    check_statements,
    check_text,
    has_only_our_placeholders,
    is_comment,
)
from brimgen.emit.sql.checks.result_columns import columns_of
from brimgen.emit.sql.statements import Bound, statements
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.sql import Kind, Statement, Token, TokenKind
from brimgen.sql.pipe_operators import pipes_as_or
from brimgen.sql.statement_kind import Facts, facts_of

if TYPE_CHECKING:
    from brimgen.emit.sql.checks.check_schema import InferredStatement
    from brimgen.emit.sql.databases.check_databases import Databases

_NULLS = frozenset({"NULL", "LIMIT", "OFFSET", "UPDATE", "DELETE"})
"""Only a statement with one of these words may depend on which arguments are absent."""


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report what is wrong with the statements of the catalog; nothing else changes."""
    with _databases(catalog) as databases:
        for bound in statements(catalog):
            if bound.body.fragments and not check_choices(bound, diagnostics):
                continue
            chosen_by = frozenset(bound.body.choices)
            if chosen_by:
                chosen_by = chosen_by.union(
                    *(variant.statement.names for variant in bound.chosen)
                )
            if bound.body.compiled is not None:
                check_compiled(bound, diagnostics)
            check_dropped(bound, diagnostics)
            check_keyset(bound, diagnostics)
            for variant in bound.chosen:
                _check_text(variant, chosen_by, databases, diagnostics)


def _check_text(
    bound: Bound,
    chosen_by: frozenset[str],
    databases: Databases | None,
    diagnostics: Diagnostics,
) -> None:
    """Check one text of a statement; ``chosen_by`` are arguments that other texts use."""
    statement, block = bound.statement, bound.body.statement
    if check_text(statement, block, diagnostics) and check_marks(
        statement, block, diagnostics
    ):
        _check_bound(bound, chosen_by, databases, diagnostics)


@contextmanager
def _databases(catalog: Catalog) -> Generator[Databases | None]:
    """Import and return the module that asks databases, if a connection has one."""
    connections = catalog.project.connections.values()
    if not any(
        connection.schema or connection.database is not None
        for connection in connections
    ):
        yield None
        return
    from brimgen.emit.sql.databases.check_databases import Databases

    with closing(Databases(catalog)) as databases:
        yield databases


def _check_bound(
    bound: Bound,
    chosen_by: frozenset[str],
    databases: Databases | None,
    diagnostics: Diagnostics,
) -> None:
    tool, body, statement = bound.tool, bound.body, bound.statement
    inferred = _inferred_statement(bound)
    arrays = frozenset[str]() if inferred is None else inferred.arrays
    uses = Uses.of(tool, body, statement, bound.types, chosen_by, arrays)
    facts = _check_statement(bound, uses, databases, diagnostics)
    ours = has_only_our_placeholders(statement, bound.types)
    if facts is not None and ours and not check_syntax(uses, diagnostics):
        return
    if facts is None:
        return
    if databases is not None and ours:
        result = databases.ask(bound, inferred, diagnostics)
    else:
        result = columns_of(statement)
    shape = RowShape.of(tool, bound.catalog)
    if shape is not None:
        check_columns(shape, result, bound, diagnostics)


def _inferred_statement(bound: Bound) -> InferredStatement | None:
    """Return what the schema of the connection says of a statement; None without a schema."""
    connection = bound.catalog.project.connections[bound.body.connection]
    if connection.schema is None:
        return None
    from brimgen.emit.sql.checks.check_schema import InferredStatement
    from brimgen.sql.known_schema import known_schema

    schema = known_schema(connection)
    if schema is None:
        return None
    return InferredStatement(bound, schema.infer(bound.statement))


def _check_statement(
    bound: Bound, uses: Uses, databases: Databases | None, diagnostics: Diagnostics
) -> Facts | None:
    """Report what the text shows; return its facts if it is one statement."""
    tool, body, statement = uses.tool, uses.body, uses.statement
    single = check_statements(statement, body.statement, tool.name, diagnostics)
    foreign = check_foreign(statement, body.statement, uses.types, diagnostics)
    if not statement.significant:
        return None
    check_parameters(uses, foreign, diagnostics)
    _check_drivers(bound, diagnostics)
    _check_pipes(uses, diagnostics)
    if not single:
        return None
    facts = facts_of(statement)
    _check_where(statement, body, facts, diagnostics)
    if not _NULLS.isdisjoint(statement.vocabulary):
        from brimgen.emit.sql.checks.check_nulls import (
            check_nulls,  # most queries do without
        )

        check_nulls(uses, facts, diagnostics)
    check_hidden(uses, diagnostics)
    _check_hints(tool, facts, diagnostics)
    _check_rows(bound, facts, diagnostics)
    return facts


def _check_drivers(bound: Bound, diagnostics: Diagnostics) -> None:
    """Report texts that a driver's own scanner misreads and that cannot be escaped (sql.md
    1.3).
    """
    names = {driver.name for driver in bound.drivers}
    if names.isdisjoint(("mysql_connector", "mariadb", "pg8000")):
        return
    statement, block = bound.statement, bound.body.statement
    for token in statement.tokens:
        inner = token.text[1:-1]
        quoted = "\\'" in inner or ("'" in inner and token.text[0] == '"')
        misread = {
            "mysql_connector": bool(statement.parameters)
            and "%s" in token.text
            and not is_comment(token),  # those are left out
            "mariadb": token.kind is TokenKind.STRING and quoted,
            "pg8000": bool(statement.parameters) and _trips(token),
        }
        span = block.span_at(token.start, token.end)
        text = token.text.split("\n")[0][:40]
        for driver, misreads in misread.items():
            if misreads and driver in names:
                diagnostics.add(
                    rules.DRIVER_CANNOT_CARRY, span, driver=driver, text=text
                )


def _trips(token: Token) -> bool:
    """Whether pg8000 does not see where a string ends."""
    text = token.text
    if token.kind is not TokenKind.STRING:
        return False
    if text.startswith("$"):
        return not text.startswith("$$")
    return text.endswith("\\'") or (text[0] == "e" and "\\'" in text)


def _check_pipes(uses: Uses, diagnostics: Diagnostics) -> None:
    """Report `||` where it joins texts in other dialects and means OR in this one."""
    flags = [name for name, value in uses.types.items() if value.kind is SqlKind.BOOL]
    token = pipes_as_or(uses.statement, flags)
    if token is not None:
        span = uses.body.statement.span_at(token.start, token.end)
        diagnostics.add(PIPES_AS_OR, span)


def _check_where(
    statement: Statement, body: SqlBody, facts: Facts, diagnostics: Diagnostics
) -> None:
    if facts.has_where is False:
        verb = next(
            token for token in statement.significant if token.word == facts.verb
        )
        span = body.statement.span_at(verb.start, verb.end)
        diagnostics.add(rules.DML_WITHOUT_WHERE, span, verb=facts.verb)


def _check_hints(tool: Tool, facts: Facts, diagnostics: Diagnostics) -> None:
    hints, span = tool.mcp, tool.mcp.span or tool.span
    contradictions: list[tuple[str, str]] = []
    if hints.read_only and facts.kind in (Kind.WRITE, Kind.LOCK, Kind.DDL):
        contradictions.append(("read_only", "true"))
    if hints.destructive and facts.kind is Kind.READ:
        contradictions.append(("destructive", "true"))
    deletes = facts.verb in ("DELETE", "TRUNCATE", "DROP")
    if hints.destructive is False and deletes:
        contradictions.append(("destructive", "false"))
    for key, value in contradictions:
        diagnostics.add(
            rules.ANNOTATION_CONTRADICTS_KIND,
            hints.places.get(key, span),
            key=key,
            value=value,
            kind=f"{facts.verb} ({facts.kind})",
        )


def _check_rows(bound: Bound, facts: Facts, diagnostics: Diagnostics) -> None:
    """Report rows without a shape, and a shape that no row will ever have."""
    tool, returns = bound.tool, bound.tool.returns
    if bound.body.last_id and returns is not None:
        why = _why_no_id(bound, facts)
        if why:
            rule = rules.LAST_ID_UNKNOWN
            diagnostics.add(rule, returns.span, tool=tool.name, why=why)
        return
    if returns is None:
        if facts.gives_rows:
            span = bound.body.statement.span
            diagnostics.add(rules.VOID_WITH_ROWS, span, tool=tool.name)
        return
    if not returns.is_known or facts.gives_rows is not False:
        return
    if facts.counts and is_count(returns.type):
        return
    from brimgen.emit.sql.checks.check_rowless import report_rowless_returns

    report_rowless_returns(bound, facts, returns, diagnostics)


def _why_no_id(bound: Bound, facts: Facts) -> str:
    """Return why no driver tells the id of a new row; empty where each does."""
    dialect = bound.dialect.name
    if dialect not in ("sqlite", "mysql"):
        return f"{dialect} does not tell it: write `RETURNING` with the key, and its type here"
    if facts.verb not in ("INSERT", "REPLACE"):
        return f"its {facts.verb} adds no row"
    if facts.gives_rows is not False:
        return "it returns rows, which RETURNING gives"
    return ""
