"""Read ALTER TABLE."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from brimgen.frozen import replace
from brimgen.sqlschema.ddl.columns import (
    read_column,
    read_constraint,
    read_type,
)
from brimgen.sqlschema.ddl.cursor import Cursor, NotUnderstood
from brimgen.sqlschema.ddl.draft import Draft, TableDraft


def alter_table(cursor: Cursor, draft: Draft) -> None:
    """Apply ALTER TABLE to its table; one that is not known is left out.

    Raises `NotUnderstood`.
    """
    cursor.take("IF", "EXISTS")
    cursor.take("ONLY")
    named = cursor.qualified()
    table = draft.tables.get(draft.key_of(named))
    if table is None:
        return
    apply: Callable[[Cursor, TableDraft, Draft], None] | None = None
    for action in cursor.items():
        # T-SQL writes the verb once: `ADD a int, b int`.
        if apply is None or draft.dialect != "tsql":
            if not action.take("WITH", "CHECK"):
                action.take("WITH", "NOCHECK")
            apply = _ACTIONS.get(action.word)
            action.at += 1
        if apply is not None:
            apply(action, table, draft)


def _add(action: Cursor, table: TableDraft, draft: Draft) -> None:
    if read_constraint(action.rest(), table, draft):
        return
    is_column = action.take("COLUMN")
    action.take("IF", "NOT", "EXISTS")
    if action.word == "(":
        for item in action.group().items():
            if not read_constraint(item, table, draft):
                _add_column(item, table, draft)
        return
    if is_column or action.token is not None:
        _add_column(action.rest(), table, draft)


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
        "CONSTRAINT", "INDEX", "KEY", "FOREIGN", "CHECK", "COLUMN"
    )
    action.take("IF", "EXISTS")
    if kind in ("", "COLUMN"):
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
    elif action.take("DROP", "IDENTITY") or action.take("DROP", "EXPRESSION"):
        column = replace(column, default=False, generated=False)
    elif action.take("SET", "DATA", "TYPE") or action.take("TYPE"):
        table.written_types[name] = read_type(action, draft.dialect)
    elif draft.dialect == "tsql":
        table.written_types[name] = read_type(action, draft.dialect)
        column = replace(column, nullable=not action.take("NOT", "NULL"))
    table.columns[name] = column


def _modify(action: Cursor, table: TableDraft, draft: Draft) -> None:
    """MySQL and Oracle: the column is defined anew, its keys stay."""
    action.take("COLUMN")
    items = action.group().items() if action.word == "(" else [action.rest()]
    for item in items:
        _redefine(item, item.rest().name(), table, draft)


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
    if action.word in ("CONSTRAINT", "INDEX", "KEY") and action.peek(2) == "TO":
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
    table.rename(old, action.name())


def _set(action: Cursor, table: TableDraft, draft: Draft) -> None:
    if action.take("SCHEMA"):
        draft.tables.pop(draft.key_of((table.namespace, table.name)), None)
        namespace = action.name()
        table.namespace = "" if namespace == "public" else namespace
        draft.tables[draft.key_of((table.namespace, table.name))] = table


_ACTIONS: Mapping[str, Callable[[Cursor, TableDraft, Draft], None]] = {
    "ADD": _add,
    "DROP": _drop,
    "ALTER": _alter,
    "MODIFY": _modify,
    "CHANGE": _change,
    "RENAME": _rename,
    "SET": _set,
}
