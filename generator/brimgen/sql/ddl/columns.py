"""Read the columns and constraints of a table in DDL."""

from __future__ import annotations

import re

from brimgen.sql import TokenKind
from brimgen.sql.ddl.cursor import Cursor
from brimgen.sql.ddl.draft import Draft, Key, TableDraft
from brimgen.sql.model import Column
from brimgen.sql.rules.native_types import type_name
from brimgen.sql.tokens import words

_ENDS_TYPE = words(
    """CONSTRAINT NOT NULL DEFAULT PRIMARY UNIQUE REFERENCES CHECK GENERATED AS COLLATE COMMENT
    AUTO_INCREMENT AUTOINCREMENT IDENTITY ON CHARSET KEY VISIBLE INVISIBLE STORAGE COMPRESSION
    ENCODE VIRTUAL STORED PERSISTENT FIRST AFTER USING DEFERRABLE INITIALLY OPTIONS MASKED SPARSE
    ROWGUIDCOL ASCII CODEC MATERIALIZED ALIAS TTL EPHEMERAL WITH ENCRYPTED"""
)
_CONSTRAINTS = words("CONSTRAINT PRIMARY UNIQUE FOREIGN CHECK EXCLUDE")
_INDEXES = words("INDEX KEY FULLTEXT SPATIAL")
_SERIAL = re.compile(r"(?:big|small)?serial[248]?\Z", re.IGNORECASE)


def read_items(body: Cursor, table: TableDraft, draft: Draft) -> None:
    """Read what is in the brackets of CREATE TABLE. Raises `NotUnderstood`."""
    for item in body.items():
        if not read_constraint(item, table, draft):
            read_column(item, table, draft)


def read_constraint(item: Cursor, table: TableDraft, draft: Draft) -> bool:
    """Read a constraint or index of the table; False for what is a column.

    Raises `NotUnderstood`.
    """
    first = item.token
    if first is None or first.kind is not TokenKind.WORD:
        return False
    if item.word in _INDEXES and _is_index(item, draft.dialect):
        return True
    if item.word == "LIKE":
        item.take("LIKE")
        _copy_columns(item, table, draft)
        return True
    if item.word == "PERIOD" and item.peek(1) == "FOR":
        return True
    if item.word not in _CONSTRAINTS:
        return False
    name = ""
    if item.take("CONSTRAINT"):
        is_named = item.word not in _CONSTRAINTS - {"CONSTRAINT"}
        name = item.name() if is_named else ""
    primary = item.take("PRIMARY", "KEY")
    if (primary or item.take("UNIQUE")) and item.take("USING", "INDEX"):
        _take_index(item.name(), name, table, primary=primary)
        return True
    if primary:
        item.skip_to("(")
        table.keys.append(Key(_read_names(item, table, draft), name, primary=True))
    elif item.tokens[item.at - 1].word == "UNIQUE":
        item.take_one_of("KEY", "INDEX")
        if item.word != "(":
            if not item.take("NULLS", "NOT", "DISTINCT"):
                item.take("NULLS", "DISTINCT")
            name = name if item.word == "(" else item.name()
        item.skip_to("(")
        columns = _read_names(item, table, draft)
        if columns:
            table.keys.append(
                Key(columns, name or "_".join((table.name, *columns, "key")))
            )
    elif item.take("CHECK"):
        _read_labels(item, table, draft)
    return True


def _take_index(index: str, name: str, table: TableDraft, *, primary: bool) -> None:
    """Make a unique index the key of a constraint, which the index is called after from then on."""
    for key in table.keys:
        if key.name == index:
            key.name, key.primary = name or index, primary


def _is_index(item: Cursor, dialect: str) -> bool:
    """Whether MySQL reads an index here, rather than a column called `key`."""
    return (dialect == "mysql" and item.peek(1) in ("(", "INDEX", "KEY")) or (
        dialect == "mysql" and (item.peek(2) in ("(", "USING"))
    )


def _read_names(item: Cursor, table: TableDraft, draft: Draft) -> tuple[str, ...]:
    return tuple(draft.declared_name(table, name) for name in item.names())


def _copy_columns(item: Cursor, table: TableDraft, draft: Draft) -> None:
    """Read ``LIKE source``: its columns, and its keys in MySQL or with INDEXES."""
    source = draft.tables.get(draft.key_of(item.qualified()))
    if source is None:
        draft.complete = table.complete = False
        return
    table.complete = table.complete and source.complete
    option_words = {token.word for token in item.rest().tokens}
    for name, column in source.columns.items():
        keeps_defaults = draft.dialect == "mysql" or not option_words.isdisjoint(
            {"DEFAULTS", "ALL"}
        )
        table.columns[name] = Column(
            name,
            None,
            column.nullable,
            column.default and keeps_defaults,
            False,
            column.span,
        )
        table.written_types[name] = source.written_types.get(name, "")
    if draft.dialect == "mysql" or not option_words.isdisjoint({"INDEXES", "ALL"}):
        table.keys += [Key(key.columns, key.name, key.primary) for key in source.keys]


def read_column(item: Cursor, table: TableDraft, draft: Draft) -> str:
    """Read the definition of a column, and return its name. Raises `NotUnderstood`."""
    name = item.name()
    span = item.span_from(0)
    written = read_type(item, draft.dialect)
    column = _ColumnOptions(name)
    if draft.dialect == "clickhouse":
        column.nullable = written.lower().startswith(_NULLABLE)
        column.default = True
    if _SERIAL.match(written) and draft.dialect in ("postgres", "mysql"):
        column.nullable, column.default = False, True
        if draft.dialect == "mysql":
            table.keys.append(Key((name,), name))
    while item.token is not None:
        _read_option(item, column, table, draft)
    table.columns[name] = Column(
        name, None, column.nullable, column.default, column.generated, span
    )
    table.written_types[name] = written
    return name


_NULLABLE = ("nullable(", "lowcardinality(nullable(")
"""ClickHouse: how the types of columns begin that hold NULL; others have a default."""


class _ColumnOptions:
    """What the options of a column say."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nullable = True
        self.default = False
        self.generated = False
        self.constraint = ""


def _read_option(
    item: Cursor, column: _ColumnOptions, table: TableDraft, draft: Draft
) -> None:
    """Read one option of a column."""
    if item.take("CONSTRAINT"):
        column.constraint = item.name()
    elif item.take("NOT", "NULL"):
        column.nullable = False
    elif item.take("NULL"):
        column.nullable = True
    elif item.take("PRIMARY", "KEY") or (draft.dialect == "mysql" and item.take("KEY")):
        table.keys.append(Key((column.name,), column.constraint, primary=True))
    elif item.take("UNIQUE"):
        item.take("KEY")
        name = column.constraint or f"{table.name}_{column.name}_key"
        table.keys.append(Key((column.name,), name))
    elif item.take("DEFAULT"):
        column.default = not (item.word == "NULL" and item.peek(1) in ("", "COMMENT"))
        _skip_expression(item)
    elif item.take("AUTO_INCREMENT") or item.take("AUTOINCREMENT"):
        column.default = True
    elif item.take("IDENTITY"):
        column.default, column.generated = True, draft.dialect == "tsql"
    elif item.take("GENERATED") or item.word == "AS":
        _read_generated(item, column)
    elif item.take("REFERENCES"):
        item.qualified()
    elif item.take("SET"):  # ON DELETE SET DEFAULT gives the column no default
        item.skip()
    elif item.take("CHECK"):
        _read_labels(item, table, draft, column.name)
    else:
        item.skip()


def _read_generated(item: Cursor, column: _ColumnOptions) -> None:
    """Read ``GENERATED ALWAYS AS (…)``, or ``… AS IDENTITY``."""
    by_default = item.take("BY", "DEFAULT")
    item.take("ALWAYS")
    if not item.take("AS"):
        return
    if item.take("IDENTITY"):
        column.nullable, column.default = False, True
        column.generated = not by_default
    else:
        column.generated = True


def _skip_expression(item: Cursor) -> None:
    """Pass the value of DEFAULT: one operand, and those that operators add to it."""
    item.take_one_of("-", "+")
    item.skip()
    while item.word in ("(", "::", "||", "+", "-", "*", "/", ".", "[", "]"):
        is_group = item.word == "("
        item.skip()
        if not is_group and item.token is not None and item.word not in ("]", "["):
            item.skip()
    if not item.take("WITH", "TIME", "ZONE"):
        item.take("WITHOUT", "TIME", "ZONE")


def read_type(item: Cursor, dialect: str) -> str:
    """Pass the type of a column, and return it as it is written; empty where there is none."""
    start = item.at
    while item.token is not None:
        word = item.word
        if item.peek(1) == "TIME" and word in ("WITH", "WITHOUT"):
            item.at += 3
        elif word in _ENDS_TYPE or (word == "CHARACTER" and item.peek(1) == "SET"):
            break
        elif word == "ENUM" and item.peek(1) == "(":
            item.at += 1
            item.skip()
        else:
            item.skip()
    written = item.text(start, item.at)
    return type_name(written, dialect)


def _read_labels(
    item: Cursor, table: TableDraft, draft: Draft, column: str = ""
) -> None:
    """Read the texts that ``CHECK (column IN ('a', 'b'))`` admits; nothing of other conditions."""
    if item.word != "(":
        return
    tokens = [
        token for token in item.group().tokens if token.text not in ("(", ")", ",")
    ]
    plain, labels, at = list[str](), list[str](), 0
    while at < len(tokens):
        token = tokens[at]
        if (
            token.text == "::"
        ):  # a cast, which PostgreSQL adds when it prints the condition
            at += 2
            while at < len(tokens) and tokens[at].word in ("VARYING", "PRECISION"):
                at += 1
            while at < len(tokens) and tokens[at].text in ("[", "]"):
                at += 1
            continue
        if token.kind is TokenKind.STRING:
            labels.append(token.text[1:-1].replace("''", "'"))
        elif token.text not in ("[", "]"):
            is_name = token.kind is not TokenKind.MARK and token.word not in _LIST_WORDS
            plain.append(item.stored_name(token) if is_name else token.text.upper())
        at += 1
    if len(plain) > 1 and tuple(plain[1:]) in _LISTS and labels:
        named = draft.declared_name(table, plain[0])
        if not column or named.casefold() == column.casefold():
            table.labels[column or named] = tuple(dict.fromkeys(labels))


_LIST_WORDS = frozenset({"IN", "ANY", "ARRAY"})
_LISTS = frozenset({("IN",), ("=", "ANY", "ARRAY")})
