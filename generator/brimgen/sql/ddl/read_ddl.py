"""Read DDL files into the schema of a database, statement by statement.

What creates or changes tables, views, types and functions is understood; statements about data,
rights and the like are passed over. A statement that is not understood is reported, and leaves the
schema incomplete: then no name is reported as unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics, Span, rules
from brimgen.model.project import SchemaFile
from brimgen.sql import TokenKind
from brimgen.sql.ddl.alter_table import alter_table
from brimgen.sql.ddl.columns import read_items
from brimgen.sql.ddl.cursor import Cursor, NotUnderstood
from brimgen.sql.ddl.draft import Draft, Key, TableDraft
from brimgen.sql.ddl.split_statements import DdlStatement, statements_of
from brimgen.sql.model import Column, Schema
from brimgen.sql.rules.native_types import type_name
from brimgen.sql.tokens import words

_Handler: TypeAlias = Callable[[Cursor, Draft], None]

_PASSED = words(
    """SELECT INSERT UPDATE DELETE REPLACE MERGE COPY BEGIN START COMMIT END ROLLBACK SAVEPOINT
    RELEASE SET RESET SHOW GRANT REVOKE COMMENT ANALYZE VACUUM LOCK UNLOCK PRAGMA WITH TRUNCATE
    REFRESH CLUSTER REINDEX SECURITY LOAD INSTALL ATTACH DETACH CALL EXEC EXECUTE PRINT FLUSH
    DECLARE DISCARD NOTIFY LISTEN OPTIMIZE CHECKPOINT USE IF EXPLAIN VALUES REASSIGN IMPORT EXPORT
    DELIMITER KILL"""
)
_MODIFIERS = words(
    """TEMP TEMPORARY UNLOGGED GLOBAL LOCAL EXTERNAL VIRTUAL OR REPLACE FOREIGN RECURSIVE
    MATERIALIZED TRANSIENT UNIQUE CONCURRENTLY FORCE EDITIONABLE ALGORITHM = UNDEFINED MERGE
    TEMPTABLE DEFINER @ SQL INVOKER PROCEDURAL TRUSTED CLUSTERED NONCLUSTERED ALTER"""
)
_OTHER_OBJECTS = words(
    """SEQUENCE SCHEMA DATABASE RULE POLICY ROLE USER COLLATION CONVERSION OPERATOR CAST
    STATISTICS PUBLICATION SUBSCRIPTION EVENT SERVER TABLESPACE LANGUAGE TRANSFORM TEXT SYNONYM
    ACCESS CONSTRAINT GROUP SECRET DEFAULT DICTIONARY MAPPING LOGIN"""
)


def read_ddl(
    files: Iterable[SchemaFile], dialect: str, diagnostics: Diagnostics
) -> Schema:
    """Return the tables that the statements of ``files`` leave behind."""
    draft = Draft(dialect)
    for file in files:
        for statement in statements_of(file, dialect):
            _read_statement(statement, draft, diagnostics)
    return draft.schema()


def _read_statement(
    statement: DdlStatement, draft: Draft, diagnostics: Diagnostics
) -> None:
    cursor = Cursor(statement, draft.dialect)
    first = cursor.word
    handler = _STATEMENTS.get(first)
    if handler is None and first in _PASSED:
        return
    try:
        if handler is None:
            raise NotUnderstood(f"it begins with `{statement.tokens[0].text}`")
        cursor.at = 1
        handler(cursor, draft)
    except NotUnderstood as problem:
        draft.complete = False
        diagnostics.add(rules.DDL_NOT_UNDERSTOOD, _place(cursor), why=problem)


def _place(cursor: Cursor) -> Span:
    """The token at which reading stopped, or the last one."""
    token = cursor.token or cursor.tokens[-1]
    return cursor.statement.span(token)


def _create(cursor: Cursor, draft: Draft) -> None:
    replaces = cursor.peek(0) == "OR"
    modifiers = set[str]()
    while cursor.token is not None and cursor.word not in _KINDS:
        if cursor.word in _OTHER_OBJECTS:
            draft.converts = draft.converts or cursor.word in ("CAST", "OPERATOR")
            return
        modifiers.add(cursor.word)
        is_modifier = (
            cursor.word in _MODIFIERS or cursor.token.kind is not TokenKind.WORD
        )
        definer = "DEFINER" in modifiers
        if not is_modifier and not definer:
            raise NotUnderstood(f"it creates `{cursor.token.text}`")
        cursor.at += 1
    kind = cursor.word
    if not kind:
        raise NotUnderstood("it does not say what it creates")
    cursor.at += 1
    may_exist = cursor.take("IF", "NOT", "EXISTS")
    _KINDS[kind](
        cursor, draft, modifiers | ({"IF"} if may_exist and not replaces else set())
    )


def _create_table(cursor: Cursor, draft: Draft, modifiers: set[str]) -> None:
    start = cursor.at
    namespace, name = cursor.qualified()
    table = TableDraft(name, namespace, cursor.span_from(start))
    table_key = draft.key_of((namespace, name))
    if table_key in draft.tables and "IF" in modifiers:
        return
    if "VIRTUAL" in modifiers:
        draft.complete = False  # a module decides what its columns are
        return
    if cursor.take("PARTITION", "OF"):
        parent = draft.tables.get(draft.key_of(cursor.qualified()))
        if parent is None:
            draft.complete = False
            return
        table.inherit(parent)
        table.partition_of = parent
        draft.tables[table_key] = table
        return
    if cursor.word == "LIKE":
        read_items(cursor.rest(), table, draft)
    elif cursor.word == "(" and cursor.peek(1) not in ("SELECT", "WITH"):
        read_items(cursor.group(), table, draft)
        _read_options(cursor, table, draft)
    else:  # CREATE TABLE … AS SELECT: only the database knows its columns
        draft.complete = False
        return
    draft.tables[table_key] = table


def _read_options(cursor: Cursor, table: TableDraft, draft: Draft) -> None:
    if cursor.take("INHERITS"):
        for item in reversed(cursor.group().items()):  # the first one's are first
            parent = draft.tables.get(draft.key_of(item.qualified()))
            if parent is None:
                draft.complete = table.complete = False
            else:
                table.inherit(parent)
    table.options = frozenset(token.word for token in cursor.rest().tokens)
    if "AS" in table.options and "SELECT" in table.options:
        draft.complete = False


def _create_view(cursor: Cursor, draft: Draft, modifiers: set[str]) -> None:
    start = cursor.at
    namespace, name = cursor.qualified()
    view = TableDraft(name, namespace, cursor.span_from(start), view=True)
    if cursor.word == "(":
        for item in cursor.group().items():
            column = item.name()
            view.columns[column] = Column(column, None, None, span=item.span_from(0))
    if not cursor.skip_to("AS"):
        raise NotUnderstood("a view needs AS and its query")
    cursor.take("AS")
    end = len(cursor.tokens)
    for at in range(cursor.at, end):
        if cursor.tokens[at].word == "WITH" and cursor.tokens[at + 1 : at + 2]:
            follows = cursor.tokens[at + 1].word
            if follows in ("NO", "DATA", "CHECK", "CASCADED", "LOCAL", "READ"):
                end = at
                break
    view.query = cursor.text(cursor.at, end)
    draft.tables[draft.key_of((namespace, name))] = view


def _create_index(cursor: Cursor, draft: Draft, modifiers: set[str]) -> None:
    if "UNIQUE" not in modifiers:
        return
    cursor.take("CONCURRENTLY")
    cursor.take("IF", "NOT", "EXISTS")
    name = "" if cursor.word == "ON" else cursor.qualified()[1]
    if not cursor.skip_to("ON"):
        raise NotUnderstood("an index needs ON and its table")
    cursor.take("ON")
    cursor.take("ONLY")
    table = draft.tables.get(draft.key_of(cursor.qualified()))
    cursor.skip_to("(")
    columns = cursor.names()
    if table is not None and columns and not cursor.skip_to("WHERE"):
        named = tuple(draft.declared_name(table, column) for column in columns)
        table.keys.append(Key(named, name))


def _create_type(cursor: Cursor, draft: Draft, _: set[str]) -> None:
    namespace, name = cursor.qualified()
    whole = f"{namespace}.{name}" if namespace else name
    cursor.take("AS")
    if cursor.take("ENUM"):
        draft.enums[whole] = tuple(
            item.tokens[0].text[1:-1].replace("''", "'")
            for item in cursor.group().items()
            if item.tokens[0].kind is TokenKind.STRING
        )
    elif draft.dialect == "duckdb" and cursor.token is not None:
        written = cursor.text(cursor.at, len(cursor.tokens))
        draft.domains[whole] = (type_name(written, draft.dialect), False)
    else:
        draft.types.add(whole)
    if cursor.take("RANGE"):
        multirange = f"{name}_multirange"
        if "range" in name:
            multirange = name.replace("range", "multirange", 1)
        draft.types.add(multirange)
        draft.functions |= {name, multirange}


def _create_domain(cursor: Cursor, draft: Draft, _: set[str]) -> None:
    namespace, name = cursor.qualified()
    cursor.take("AS")
    start = cursor.at
    cursor.skip_to("NOT", "NULL", "CHECK", "DEFAULT", "CONSTRAINT", "COLLATE")
    written = type_name(cursor.text(start, cursor.at), draft.dialect)
    not_null = cursor.skip_to("NOT") and cursor.take("NOT", "NULL")
    draft.domains[f"{namespace}.{name}" if namespace else name] = written, not_null


def _create_function(cursor: Cursor, draft: Draft, _: set[str]) -> None:
    cursor.take("FUNCTION")  # MySQL: CREATE AGGREGATE FUNCTION
    cursor.take("IF", "NOT", "EXISTS")
    draft.functions.add(cursor.qualified()[1])


def _create_trigger(cursor: Cursor, draft: Draft, _: set[str]) -> None:
    cursor.qualified()
    is_before = cursor.word in ("BEFORE", "INSTEAD")
    if is_before and draft.dialect != "sqlite" and cursor.skip_to("ON"):
        cursor.take("ON")
        table = draft.tables.get(draft.key_of(cursor.qualified()))
        if table is not None:
            table.has_before_trigger = True


def _create_extension(_: Cursor, draft: Draft, __: set[str]) -> None:
    draft.complete = False  # it brings functions and types that nobody lists


_KINDS: Mapping[str, Callable[[Cursor, Draft, set[str]], None]] = {
    "TABLE": _create_table,
    "VIEW": _create_view,
    "INDEX": _create_index,
    "TYPE": _create_type,
    "DOMAIN": _create_domain,
    "FUNCTION": _create_function,
    "AGGREGATE": _create_function,
    "MACRO": _create_function,
    "PROCEDURE": _create_function,
    "TRIGGER": _create_trigger,
    "EXTENSION": _create_extension,
}


def _alter(cursor: Cursor, draft: Draft) -> None:
    kind = cursor.word
    cursor.at += 1
    if kind in ("MATERIALIZED", "FOREIGN"):
        kind = cursor.word
        cursor.at += 1
    if kind in ("ALGORITHM", "DEFINER", "SQL") and cursor.skip_to("VIEW"):
        kind = cursor.word
        cursor.at += 1
    if kind == "VIEW" and cursor.rest().skip_to("AS"):
        _create_view(cursor, draft, set())
    elif kind in ("TABLE", "VIEW"):
        alter_table(cursor, draft)
    elif kind == "TYPE":
        _alter_type(cursor, draft)
    elif kind == "DOMAIN":
        named = cursor.qualified()
        written, not_null = draft.domains.get(
            ".".join(filter(None, named)), ("", False)
        )
        if cursor.take("SET", "NOT", "NULL") or cursor.take("DROP", "NOT", "NULL"):
            not_null = cursor.tokens[cursor.at - 3].word == "SET"
        draft.domains[".".join(filter(None, named))] = written, not_null


def _alter_type(cursor: Cursor, draft: Draft) -> None:
    name = ".".join(filter(None, cursor.qualified()))
    labels = [*draft.enums.get(name, ())]
    if cursor.take("ADD", "VALUE"):
        cursor.take("IF", "NOT", "EXISTS")
        label, at = _take_label(cursor), len(labels)
        side = cursor.take_one_of("BEFORE", "AFTER")
        if side:
            beside = _take_label(cursor)
            at = labels.index(beside) + (side == "AFTER") if beside in labels else at
        if label not in labels:
            labels.insert(at, label)
        draft.enums[name] = tuple(labels)
    elif cursor.take("RENAME", "VALUE"):
        old = _take_label(cursor)
        cursor.take("TO")
        new = _take_label(cursor)
        draft.enums[name] = tuple(new if label == old else label for label in labels)
    elif cursor.take("RENAME", "TO") and name in draft.enums:
        renamed = cursor.name()
        draft.enums[renamed] = draft.enums.pop(name)
        for table in draft.tables.values():
            for column, written in table.written_types.items():
                if written == name:
                    table.written_types[column] = renamed


def _take_label(cursor: Cursor) -> str:
    token = cursor.take_if(lambda token: token.kind is TokenKind.STRING)
    if token is None:
        raise NotUnderstood("a label is missing")
    return token.text[1:-1].replace("''", "'")


def _drop(cursor: Cursor, draft: Draft) -> None:
    cursor.take("MATERIALIZED")
    kind = cursor.take_one_of("TABLE", "VIEW", "TYPE", "DOMAIN", "INDEX")
    cursor.take("CONCURRENTLY")
    cursor.take("IF", "EXISTS")
    for item in cursor.items() if kind else ():
        named = item.qualified()
        whole = ".".join(filter(None, named))
        if kind in ("TABLE", "VIEW"):
            draft.tables.pop(draft.key_of(named), None)
        elif kind == "INDEX":
            on = (
                draft.tables.get(draft.key_of(item.qualified()))
                if item.take("ON")
                else None
            )
            for table in [on] if on else draft.tables.values():
                table.keys = [key for key in table.keys if key.name != named[1]]
        else:
            draft.enums.pop(whole, None)
            draft.domains.pop(whole, None)


def _rename(cursor: Cursor, draft: Draft) -> None:
    """MySQL: ``RENAME TABLE a TO b, c TO d``."""
    cursor.take("TABLE")
    for item in cursor.items():
        table = draft.tables.pop(draft.key_of(item.qualified()), None)
        item.take("TO")
        named = item.qualified()
        if table is not None:
            table.namespace, table.name = named
            draft.tables[draft.key_of(named)] = table


def _do(cursor: Cursor, draft: Draft) -> None:
    """PostgreSQL: a block of code; what it creates for certain is read from its text."""
    body = next((t for t in cursor.tokens if t.kind is TokenKind.STRING), None)
    draft.complete = False
    if body is None:
        return
    mark = body.text.index("$", 1) + 1 if body.text.startswith("$") else 1
    inner = body.text[mark:-mark]
    for statement in statements_of(SchemaFile("", inner), draft.dialect):
        tokens = [*statement.tokens]
        while tokens and tokens[0].word in ("BEGIN", "THEN"):
            tokens.pop(0)
        if len(tokens) > 1 and (tokens[0].word, tokens[1].word) == ("CREATE", "TYPE"):
            _create(Cursor(statement, draft.dialect, tuple(tokens[1:])), draft)


_STATEMENTS: Mapping[str, _Handler] = {
    "CREATE": _create,
    "ALTER": _alter,
    "DROP": _drop,
    "RENAME": _rename,
    "DO": _do,
}
