"""Check: everything about statements that can be told without a database (sql.md 5.3)."""

from __future__ import annotations

from contextlib import closing

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import sql_statements as rules
from brimgen.emit.sql import second_opinion
from brimgen.emit.sql.asked import Asked
from brimgen.emit.sql.check_columns import Shaped, check_columns
from brimgen.emit.sql.check_parameters import Uses, check_parameters
from brimgen.emit.sql.check_text import (
    check_foreign,
    check_marks,
    check_statements,
    check_text,
    is_ours,
)
from brimgen.emit.sql.drivers import Wanted, sql_tools, wanted
from brimgen.emit.sql.types import sql_type
from brimgen.emit.sql.verify import Schemas, verify
from brimgen.emit.sql.verify_engine import Engines, check_types, verify_by_engine
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.types import JsonType
from brimgen.sqltext import Kind, Statement, TokenKind, scan
from brimgen.sqltext.columns import columns
from brimgen.sqltext.kind import Facts, facts_of


def check(catalog: Catalog, found: Diagnostics) -> None:
    """Report what is wrong with the statements of the catalog; nothing else is touched."""
    targets = {name: wanted(catalog, name) for name in catalog.project.connections}
    with closing(Schemas()) as schemas, closing(Engines()) as engines:
        for tool, body in sql_tools(catalog):
            target = targets.get(body.connection)
            if target is None:
                continue
            statement = scan(body.statement.text, target.dialect)
            if not check_text(statement, body.statement, found):
                continue
            if not check_marks(statement, body.statement, found):
                continue
            types = {each.name: sql_type(each, catalog) for each in tool.fields}
            uses = Uses.of(tool, body, statement, types)
            facts = _check_statement(catalog, uses, target, found)
            if facts is not None:
                asked = Asked(tool, body, statement, types, facts)
                shaped = Shaped.of(tool, catalog)
                known, told = None, None
                if is_ours(statement, types):
                    connection = catalog.project.connections[body.connection]
                    known = verify(asked, connection, schemas, found)
                    told = verify_by_engine(asked, connection, engines, found)
                if told is not None:
                    known = told[0]
                    check_types(asked, shaped, told, catalog, found)
                if shaped is not None:
                    given = columns(statement) if known is None else known
                    check_columns(shaped, given, body, found)


def _check_statement(
    catalog: Catalog, uses: Uses, target: Wanted, found: Diagnostics
) -> Facts | None:
    """Report what the text tells; the facts of it, where it is one statement."""
    tool, body, statement = uses.tool, uses.body, uses.statement
    single = check_statements(statement, body.statement, tool.name, found)
    meant = check_foreign(statement, body.statement, uses.types, found)
    if not statement.significant:
        return None
    check_parameters(uses, meant, found)
    _check_drivers(target, body, statement, found)
    if catalog.project.second_opinion and second_opinion.is_available():
        second_opinion.ask(statement, body, found)
    if not single:
        return None
    facts = facts_of(statement)
    _check_where(statement, body, facts, found)
    _check_hints(tool, facts, found)
    _check_rows(tool, body, facts, found)
    return facts


def _check_drivers(
    target: Wanted, body: SqlBody, statement: Statement, found: Diagnostics
) -> None:
    """Texts that a driver's own scanner misreads and that cannot be escaped (sql.md 1.3)."""
    names = {each.name for each in target.drivers}
    if names.isdisjoint(("mysql_connector", "mariadb")):
        return
    for token in statement.tokens:
        inner = token.text[1:-1]
        quoted = "\\'" in inner or ("'" in inner and token.text[0] == '"')
        misread = {
            "mysql_connector": bool(statement.parameters) and "%s" in token.text,
            "mariadb": token.kind is TokenKind.STRING and quoted,
        }
        span = body.statement.span_at(token.start, token.end)
        text = token.text.split("\n")[0][:40]
        for driver, misreads in misread.items():
            if misreads and driver in names:
                found.add(rules.DRIVER_CANNOT_CARRY, span, driver=driver, text=text)


def _check_where(
    statement: Statement, body: SqlBody, facts: Facts, found: Diagnostics
) -> None:
    if facts.has_where is False:
        verb = next(each for each in statement.significant if each.word == facts.verb)
        span = body.statement.span_at(verb.start, verb.end)
        found.add(rules.DML_WITHOUT_WHERE, span, verb=facts.verb)


def _check_hints(tool: Tool, facts: Facts, found: Diagnostics) -> None:
    said, span = tool.mcp, tool.mcp.span or tool.span
    contradictions: list[tuple[str, str]] = []
    if said.read_only and facts.kind in (Kind.WRITE, Kind.LOCK, Kind.DDL):
        contradictions.append(("readOnly", "true"))
    if said.destructive and facts.kind is Kind.READ:
        contradictions.append(("destructive", "true"))
    deletes = facts.verb in ("DELETE", "TRUNCATE", "DROP")
    if said.destructive is False and deletes:
        contradictions.append(("destructive", "false"))
    for key, value in contradictions:
        found.add(
            rules.ANNOTATION_CONTRADICTS_KIND,
            span,
            key=key,
            value=value,
            kind=f"{facts.verb} ({facts.kind})",
        )


def _check_rows(tool: Tool, body: SqlBody, facts: Facts, found: Diagnostics) -> None:
    if tool.returns is None and facts.gives_rows:
        found.add(rules.VOID_WITH_ROWS, body.statement.span, tool=tool.name)
    shaped = tool.returns is not None and not isinstance(tool.returns.type, JsonType)
    if tool.returns is not None and shaped and facts.gives_rows is False:
        found.add(rules.SHAPE_WITHOUT_ROWS, tool.returns.span, tool=tool.name)
