"""Run every check of statements that needs no database (sql.md)."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from brimgen.diagnostics import Diagnostics, did_you_mean, rules
from brimgen.diagnostics.rules import PIPES_AS_OR
from brimgen.model.catalog import Catalog, Returns, SqlBody, SqlKey, Tool
from brimgen.model.fields import Caller
from brimgen.model.types import Field, ListType, NullableType, Type
from brimgen.sql import Statement, Token, TokenKind
from brimgen.sql.checks.check_choices import check_choices, check_dropped
from brimgen.sql.checks.check_columns import (
    RowShape,
    check_columns,
    columns_of,
    is_count,
)
from brimgen.sql.checks.check_nulls import check_nulls
from brimgen.sql.checks.check_parameters import Uses, check_hidden, check_parameters
from brimgen.sql.checks.check_schema import InferredStatement
from brimgen.sql.checks.check_syntax import check_syntax
from brimgen.sql.checks.check_text import (
    check_foreign,
    check_marks,
    check_statements,
    check_text,
    has_only_our_placeholders,
    is_comment,
    pipes_as_or,
)
from brimgen.sql.effects import Facts, Kind, facts_of
from brimgen.sql.kinds import SqlKind
from brimgen.sql.known_schema import known_schema
from brimgen.sql.statements import Bound, statements

if TYPE_CHECKING:
    from brimgen.sql.engines.check_databases import Databases


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
    from brimgen.sql.engines.check_databases import Databases

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
    facts = _check_statement(bound, uses, diagnostics)
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
    schema = known_schema(connection)
    if schema is None:
        return None
    return InferredStatement(bound, schema.infer(bound.statement))


def _check_statement(
    bound: Bound, uses: Uses, diagnostics: Diagnostics
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


MOST_VARIANTS = 64


def check_compiled(bound: Bound, diagnostics: Diagnostics) -> None:
    """Report filters that the statement has not, and too many variants."""
    filters, declared, span = bound.compiled, bound.body.compiled or (), bound.tool.span
    for name in declared:
        if name not in filters:
            diagnostics.add(rules.NO_SUCH_FILTER, span, name=name)
    if not declared and not filters:
        diagnostics.add(rules.NO_SUCH_FILTER, span, name="argument")
    count = len(bound.chosen) * 2 ** len(filters)
    if count > MOST_VARIANTS:
        diagnostics.add(rules.TOO_MANY_VARIANTS, span, count=count, most=MOST_VARIANTS)


def check_keyset(bound: Bound, diagnostics: Diagnostics) -> None:
    """Report arguments that cannot be keys, and columns that rows may lack."""
    if not bound.body.keyset:
        return
    arguments = {field.name: field for field in bound.tool.fields}
    columns = _columns(bound)
    for key in bound.body.keyset:
        argument, column = arguments.get(key.argument), columns.get(key.name)
        why = _lack_of_argument(argument)
        if why is not None:
            near = did_you_mean(key.argument, arguments) if argument is None else ()
            diagnostics.add(
                rules.KEYSET_ARGUMENT,
                key.span,
                suggestions=near,
                name=key.argument,
                why=why,
            )
            continue
        why = _lack_of_column(column)
        if why is not None:
            diagnostics.add(rules.KEYSET_COLUMN, key.span, column=key.column, why=why)
        elif argument and column and _inner(argument.type) != column.type:
            diagnostics.add(
                rules.KEYSET_ARGUMENT,
                key.span,
                name=key.argument,
                why=f"its type is not that of the field `{key.name}`",
            )


def keyset_fields(bound: Bound) -> tuple[tuple[SqlKey, Field], ...]:
    """Return the keys of a statement with their fields in a row; none where one is missing."""
    if not bound.body.keyset:
        return ()
    columns = _columns(bound)
    return tuple(
        (key, columns[key.name]) for key in bound.body.keyset if key.name in columns
    )


def _columns(bound: Bound) -> dict[str, Field]:
    returns = bound.tool.returns
    if returns is None or not isinstance(_inner(returns.type), ListType):
        return {}
    shape = RowShape.of(bound.tool, bound.catalog)
    return {field.name: field for field in shape.fields} if shape else {}


def _inner(type: Type) -> Type:
    return type.inner if isinstance(type, NullableType) else type


def _lack_of_argument(field: Field | None) -> str | None:
    if field is None:
        return "there is no such argument"
    if not isinstance(field.origin, Caller):
        return "the caller does not give it"
    if field.required or field.default is not None:
        return "it is never absent, as it is on the first page"
    return None


def _lack_of_column(field: Field | None) -> str | None:
    if field is None:
        return "`returns` is no list of rows with a field of this name"
    if not field.required or isinstance(field.type, NullableType):
        return "its field may be absent"
    return None


_GIVING = frozenset({"sqlite", "postgres", "duckdb"})
"""Dialects that have RETURNING behind every change."""


def report_rowless_returns(
    bound: Bound,
    facts: Facts,
    returns: Returns,
    diagnostics: Diagnostics,
) -> None:
    """Report that ``returns`` is the shape of rows, although the statement of ``bound`` gives
    none.
    """
    diagnostics.add(
        rules.SHAPE_WITHOUT_ROWS,
        returns.span,
        suggestions=_suggestions(bound, facts),
        tool=bound.tool.name,
        verb=facts.verb,
    )


def _suggestions(bound: Bound, facts: Facts) -> tuple[str, ...]:
    """Suggest a clause that makes the statement give those rows, or the number of changed rows."""
    shape = RowShape.of(bound.tool, bound.catalog)
    fields = shape.fields if shape is not None else ()
    names = [field.name for field in fields]
    if not facts.counts or not names:
        return ()
    statement = bound.statement
    unknown = _lacks_column(names, bound)
    is_one = len(fields) == 1 and is_count(fields[0].type)
    if is_one and (unknown or _is_new(names[0], statement.vocabulary)):
        return ("returns: int",)
    giving = statement.dialect.name in _GIVING
    if unknown or not giving or not all(map(str.isidentifier, names)):
        return ()
    return (f"RETURNING {', '.join(names)}",)


def _lacks_column(names: Iterable[str], bound: Bound) -> bool:
    """Whether a table of the statement is known to lack a column of one of ``names``."""
    connection = bound.catalog.project.connections[bound.body.connection]
    known = known_schema(connection)
    column_names = {
        column.name.casefold()
        for table in (known.schema.tables.values() if known is not None else ())
        if table.name.upper() in bound.statement.vocabulary
        for column in table.columns
    }
    wanted = {name.casefold() for name in names}
    return bool(column_names) and not column_names.issuperset(wanted)


def _is_new(name: str, vocabulary: frozenset[str]) -> bool:
    """Whether a name is not in the statement, and not one of a key that the database makes."""
    return name.upper() not in vocabulary and not name.casefold().endswith("id")
