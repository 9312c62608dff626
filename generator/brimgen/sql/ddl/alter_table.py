"""Read ALTER TABLE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from brimgen.frozen import replace
from brimgen.sql.ddl.columns import (
    read_column,
    read_constraint,
    read_type,
)
from brimgen.sql.ddl.cursor import Cursor, NotUnderstood
from brimgen.sql.ddl.draft import Draft, TableDraft
from brimgen.sql.tokens import words

_Action: TypeAlias = Callable[[Cursor, TableDraft, Draft], None]

_HARMLESS = words("""OWNER ENABLE DISABLE FORCE OF NOT CLUSTER REPLICA VALIDATE RESET
    OPTIONS DEPENDS
    ENGINE AUTO_INCREMENT AVG_ROW_LENGTH CHECKSUM COMMENT COMPRESSION CONNECTION DATA
    DELAY_KEY_WRITE ENCRYPTION INSERT_METHOD KEY_BLOCK_SIZE MAX_ROWS MIN_ROWS PACK_KEYS PASSWORD
    ROW_FORMAT STATS_AUTO_RECALC STATS_PERSISTENT STATS_SAMPLE_PAGES TABLESPACE UNION DEFAULT
    CHARACTER CHARSET COLLATE CONVERT ORDER ALGORITHM LOCK WITH WITHOUT PAGE_CHECKSUM
    PAGE_COMPRESSED PAGE_COMPRESSION_LEVEL TRANSACTIONAL SEQUENCE SECONDARY_ENGINE SECONDARY_LOAD
    SECONDARY_UNLOAD
    ANALYZE CHECK COALESCE DISCARD EXCHANGE IMPORT OPTIMIZE PARTITION REBUILD REMOVE REORGANIZE
    REPAIR TRUNCATE
    NOCHECK SWITCH
    MOVE SHRINK PCTFREE PCTUSED INITRANS STORAGE ALLOCATE DEALLOCATE LOGGING NOLOGGING
    COMPRESS NOCOMPRESS PARALLEL NOPARALLEL CACHE NOCACHE MONITORING NOMONITORING RESULT_CACHE
    INMEMORY ROW READ FLASHBACK
    SUSPEND RESUME RECLUSTER UNSET
    FREEZE UNFREEZE FETCH MATERIALIZE CLEAR UPDATE DELETE APPLY
    RECOVER ZORDER""")
"""The verbs that change no column: of PostgreSQL, MySQL, T-SQL, Oracle, Snowflake, ClickHouse and
Databricks."""
_HARMLESS_SET = words(
    """( TABLESPACE LOGGED UNLOGGED WITHOUT ACCESS OPTIONS TBLPROPERTIES TAG OWNER LOCATION SERDE
    SERDEPROPERTIES FILEFORMAT MASKING SORTED PARTITIONED STATISTICS"""
)
_HARMLESS_OF_COLUMN = words("RESET RESTART COMMENT UNSET SYNC")
_HARMLESS_SET_OF_COLUMN = words(
    """( STATISTICS STORAGE COMPRESSION EXPRESSION VISIBLE INVISIBLE OPTIONS TAG MASKING MASK
    INCREMENT MINVALUE MAXVALUE START CACHE CYCLE NO RESTART"""
)
_LISTING = words("ORDER UPDATE")
"""The verbs before a list whose items have no verb; a list of partitions is one, too."""
_NO_COLUMNS = (
    ("PARTITION", "("),
    ("PARTITION", "IF"),
    ("PARTITION", "PARTITIONS"),
    ("PARTITION", "START"),
    ("ROW", "ACCESS"),
    ("SEARCH", "OPTIMIZATION"),
    ("SUPPLEMENTAL", "LOG"),
    ("SYSTEM", "VERSIONING"),
)
"""What ADD names besides columns, constraints and indexes."""
_PARTS_OF_CLICKHOUSE = words("INDEX PROJECTION STATISTICS")
_NOT_INHERITED = words("CONSTRAINT PRIMARY UNIQUE FOREIGN EXCLUDE TO")
"""How the changes of a table begin that do not change the tables that inherit from it."""
_VERB_ONCE = frozenset({"tsql", "snowflake"})
"""The dialects that write the verb once: `ADD a int, b int`."""


def alter_table(cursor: Cursor, draft: Draft) -> None:
    """Apply ALTER TABLE to its table; one that is not known is left out.

    Raises `NotUnderstood` at a verb that may change columns in an unknown way.
    """
    cursor.take("IF", "EXISTS")
    only = cursor.take("ONLY")
    named = cursor.qualified()
    table = draft.tables.get(draft.key_of(named))
    if table is None:
        return
    apply: _Action | None = None
    is_list = False
    for action in cursor.items():
        if apply is None or draft.dialect not in _VERB_ONCE:
            if not action.take("WITH", "CHECK"):
                action.take("WITH", "NOCHECK")
            verb = action.word
            if is_list and verb not in _ACTIONS:
                continue
            if verb not in _ACTIONS and verb not in _HARMLESS:
                unknown = action.token or action.tokens[-1]
                cursor.at = cursor.tokens.index(unknown)
                raise NotUnderstood(f"it alters a table by `{unknown.text}`")
            apply = _ACTIONS.get(verb, _change_nothing)
            is_list = verb in _LISTING or action.peek(1) == "PARTITION"
            action.at += 1
        is_inherited = apply in _INHERITED and action.word not in _NOT_INHERITED
        for each in (table, *(table.all_heirs() if is_inherited and not only else ())):
            apply(action.rest(), each, draft)


def _change_nothing(action: Cursor, table: TableDraft, draft: Draft) -> None:
    """Pass over a change of what the schema does not hold."""


def _add(action: Cursor, table: TableDraft, draft: Draft) -> None:
    if read_constraint(action.rest(), table, draft):
        return
    if _names_no_column(action, draft.dialect):
        return
    is_column = action.take_one_of("COLUMN", "COLUMNS")
    may_exist = action.take("IF", "NOT", "EXISTS")
    if may_exist and draft.declared_name(table, action.rest().name()) in table.columns:
        return
    if action.word == "(":
        for item in action.group().items():
            if not read_constraint(item, table, draft):
                _add_column(item, table, draft)
        return
    if is_column or action.token is not None:
        _add_column(action.rest(), table, draft)


def _names_no_column(action: Cursor, dialect: str) -> bool:
    """Return whether ADD is followed by a partition, a policy and the like."""
    return (
        (action.word, action.peek(1)) in _NO_COLUMNS
        or (action.word == "PARTITION" and action.peek(2) == "VALUES")
        or (dialect == "clickhouse" and action.word in _PARTS_OF_CLICKHOUSE)
    )


def _add_column(item: Cursor, table: TableDraft, draft: Draft) -> None:
    order = [*table.columns]
    name = read_column(item, table, draft)
    _place_column(table, [*order, name], name, item, draft)


def _place_column(
    table: TableDraft, order: list[str], name: str, item: Cursor, draft: Draft
) -> None:
    """Bring columns into an order; in MySQL, FIRST and AFTER say where one of them stands."""
    last = item.tokens[-2:]
    if draft.dialect == "mysql" and last[-1].word == "FIRST":
        order = [name, *(column for column in order if column != name)]
    elif draft.dialect == "mysql" and last[0].word == "AFTER":
        after = draft.declared_name(table, item.stored_name(last[-1]))
        order = [column for column in order if column != name]
        order.insert(order.index(after) + 1 if after in order else len(order), name)
    table.columns = {column: table.columns[column] for column in order}


def _drop(action: Cursor, table: TableDraft, draft: Draft) -> None:
    if action.take("PRIMARY", "KEY"):
        table.keys = [key for key in table.keys if not key.primary]
        return
    kind = action.take_one_of(
        "CONSTRAINT", "INDEX", "KEY", "FOREIGN", "CHECK", "COLUMN", "COLUMNS"
    )
    action.take("IF", "EXISTS")
    if kind in ("", "COLUMN", "COLUMNS"):
        names = action.names() if action.word == "(" else [action.name()]
        for name in names:
            table.drop(draft.declared_name(table, name))
            if draft.dialect == "tsql":  # `DROP a, b` may name constraints
                _drop_key(name, table)
        return
    if kind == "FOREIGN":
        return
    name = action.name()
    _drop_key(name, table)
    if kind in ("CONSTRAINT", "CHECK"):
        table.labels = {
            column: labels
            for column, labels in table.labels.items()
            if name != f"{table.name}_{column}_check"
        }


def _drop_key(name: str, table: TableDraft) -> None:
    primary = f"{table.name}_pkey"
    table.keys = [
        key for key in table.keys if (key.name or primary * key.primary) != name
    ]


def _alter(action: Cursor, table: TableDraft, draft: Draft) -> None:
    action.take("COLUMN")
    name = draft.declared_name(table, action.name())
    column = table.columns.get(name)
    if column is None:
        return
    if action.take("SET", "NOT", "NULL"):
        column = replace(column, nullable=False)
    elif action.take("DROP", "NOT", "NULL"):
        column = replace(column, nullable=True)
    elif action.take("SET", "DEFAULT"):
        column = replace(column, default=action.word != "NULL")
    elif action.take("DROP", "DEFAULT"):
        column = replace(column, default=False)
    elif action.take("ADD", "GENERATED"):
        by_default = action.take("BY", "DEFAULT")
        column = replace(column, nullable=False, default=True, generated=not by_default)
    elif action.take("SET", "GENERATED"):
        column = replace(column, generated=not action.take("BY", "DEFAULT"))
    elif action.take("DROP", "IDENTITY") or action.take("DROP", "EXPRESSION"):
        column = replace(column, default=False, generated=False)
    elif action.take("SET", "DATA", "TYPE") or action.take("TYPE"):
        table.written_types[name] = read_type(action, draft.dialect)
    elif draft.dialect == "tsql":
        if action.word not in ("ADD", "DROP"):
            table.written_types[name] = read_type(action, draft.dialect)
            column = replace(column, nullable=not action.take("NOT", "NULL"))
    elif action.word not in _HARMLESS_OF_COLUMN and not (
        action.word == "SET" and action.peek(1) in _HARMLESS_SET_OF_COLUMN
    ):
        raise NotUnderstood(f"it alters the column `{name}` by `{action.word}`")
    table.columns[name] = column


def _modify(action: Cursor, table: TableDraft, draft: Draft) -> None:
    """MySQL and Oracle: the column is defined anew, its keys stay."""
    action.take("COLUMN")
    action.take("IF", "EXISTS")
    items = action.group().items() if action.word == "(" else [action.rest()]
    for item in items:
        name = draft.declared_name(table, item.rest().name())
        if name in table.columns:
            _redefine(item, name, table, draft)


def _change(action: Cursor, table: TableDraft, draft: Draft) -> None:
    """MySQL: the column is defined anew by another name."""
    action.take("COLUMN")
    old = draft.declared_name(table, action.name())
    item = action.rest()
    table.rename(old, item.rest().name())
    _redefine(item, item.rest().name(), table, draft)


def _redefine(item: Cursor, name: str, table: TableDraft, draft: Draft) -> None:
    order, name = [*table.columns], draft.declared_name(table, name)
    table.labels.pop(name, None)
    read_column(item, table, draft)
    _place_column(table, order, name, item, draft)


def _rename(action: Cursor, table: TableDraft, draft: Draft) -> None:
    is_key = action.word in ("CONSTRAINT", "INDEX", "KEY", "PARTITION")
    if is_key and action.peek(2) == "TO":
        action.at += 1
        old = action.name()
        action.take("TO")
        new = action.name()
        for key in table.keys:
            key.name = new if key.name == old else key.name
        return
    if action.word in ("TO", "AS") or (
        draft.dialect == "mysql" and action.peek(1) == ""
    ):
        action.take_one_of("TO", "AS")
        namespace, name = action.qualified()
        draft.tables.pop(draft.key_of((table.namespace, table.name)), None)
        table.namespace, table.name = namespace or table.namespace, name
        draft.tables[draft.key_of((table.namespace, name))] = table
        return
    action.take("COLUMN")
    old = draft.declared_name(table, action.name())
    if not action.take("TO"):
        raise NotUnderstood("the new name is missing")
    if table.view and old not in table.columns:
        raise NotUnderstood("it renames a column that only the query of the view names")
    table.rename(old, action.name())


def _set(action: Cursor, table: TableDraft, draft: Draft) -> None:
    if action.take("SCHEMA"):
        draft.tables.pop(draft.key_of((table.namespace, table.name)), None)
        namespace = action.name()
        table.namespace = "" if namespace == "public" else namespace
        draft.tables[draft.key_of((table.namespace, table.name))] = table
    elif action.take("UNUSED"):  # Oracle: the columns can no longer be named
        _drop(action, table, draft)
    elif action.word not in _HARMLESS_SET and action.peek(1) != "=":
        raise NotUnderstood(f"it alters a table by `SET {action.word}`")


def _attach(action: Cursor, table: TableDraft, draft: Draft) -> None:
    partition = _partition(action, draft)
    if partition is not None:
        partition.partition_of = table
        table.heirs.append(partition)


def _detach(action: Cursor, table: TableDraft, draft: Draft) -> None:
    partition = _partition(action, draft)
    if partition is not None and partition.partition_of is table:
        partition.keys, partition.partition_of = partition.all_keys(), None
        table.heirs.remove(partition)


def _partition(action: Cursor, draft: Draft) -> TableDraft | None:
    if draft.dialect != "postgres" or not action.take("PARTITION"):
        return None
    return draft.tables.get(draft.key_of(action.qualified()))


def _inherit(action: Cursor, table: TableDraft, draft: Draft) -> None:
    parent = draft.tables.get(draft.key_of(action.qualified()))
    if parent is not None:
        parent.heirs.append(table)


def _disinherit(action: Cursor, table: TableDraft, draft: Draft) -> None:
    if action.take("INHERIT"):
        parent = draft.tables.get(draft.key_of(action.qualified()))
        if parent is not None and table in parent.heirs:
            parent.heirs.remove(table)


_ACTIONS: Mapping[str, _Action] = {
    "ADD": _add,
    "DROP": _drop,
    "ALTER": _alter,
    "MODIFY": _modify,
    "CHANGE": _change,
    "RENAME": _rename,
    "SET": _set,
    "ATTACH": _attach,
    "DETACH": _detach,
    "INHERIT": _inherit,
    "NO": _disinherit,
}
_INHERITED = frozenset({_add, _drop, _alter, _rename})
"""The actions that change the tables that inherit from a table, too."""
