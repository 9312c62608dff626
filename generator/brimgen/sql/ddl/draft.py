"""The tables of a database while its DDL is read, statement by statement."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass, field, replace
from brimgen.sql.model import (
    Base,
    Column,
    ColumnType,
    Schema,
    Table,
    key,
)
from brimgen.sql.rules.native_types import column_type

_ROWID = frozenset({"INTEGER"})


@dataclass(slots=True)
class Key:
    """A primary or unique key; ``name`` is that of its constraint or index."""

    columns: tuple[str, ...]
    name: str = ""
    primary: bool = False


@dataclass(slots=True)
class TableDraft:
    """A table or view as far as its statements were read.

    ``heirs`` are the tables that inherit from it, and its partitions; ``partition_of`` is the table
    whose keys it has, too. ``complete`` is False where it has columns that are not known.
    ``written_types`` are the types of columns as they are written, ``labels`` the texts that CHECK
    admits in a column. ``options`` are the words behind the brackets of CREATE TABLE.
    """

    name: str
    namespace: str
    span: Span
    columns: dict[str, Column] = field(default_factory=dict[str, Column])
    written_types: dict[str, str] = field(default_factory=dict[str, str])
    keys: list[Key] = field(default_factory=list[Key])
    labels: dict[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    options: frozenset[str] = frozenset()
    view: bool = False
    query: str = ""
    has_before_trigger: bool = False
    heirs: list[TableDraft] = field(default_factory=list["TableDraft"])
    partition_of: TableDraft | None = None
    complete: bool = True

    def inherit(self, parent: TableDraft) -> None:
        """Take over the columns of a parent: they stand first, defined in both places perhaps."""
        primary = {name for key in parent.keys if key.primary for name in key.columns}
        columns: dict[str, Column] = {}
        for name, column in parent.columns.items():
            own = self.columns.get(name, column)
            columns[name] = replace(
                own,
                nullable=own.nullable and column.nullable and name not in primary,
                default=own.default or column.default,
            )
        self.columns = {**columns, **self.columns, **columns}
        self.written_types = {**parent.written_types, **self.written_types}
        self.labels = {**parent.labels, **self.labels}
        self.complete = self.complete and parent.complete
        parent.heirs.append(self)

    def all_heirs(self) -> list[TableDraft]:
        """The tables that inherit from it, and those that inherit from them; each once."""
        heirs: dict[int, TableDraft] = {id(self): self}
        waiting: list[TableDraft] = [self]
        while waiting:
            for heir in waiting.pop().heirs:
                if id(heir) not in heirs:
                    heirs[id(heir)] = heir
                    waiting.append(heir)
        return [*heirs.values()][1:]

    def all_keys(self) -> list[Key]:
        """Its keys, and those of the tables that it is a partition of."""
        whole: TableDraft | None = self
        tables: dict[int, TableDraft] = {}
        while whole is not None and id(whole) not in tables:
            tables[id(whole)] = whole
            whole = whole.partition_of
        return [key for table in tables.values() for key in table.keys]

    def drop(self, column: str) -> None:
        """Remove a column, and the keys that it is part of."""
        self.columns.pop(column, None)
        self.labels.pop(column, None)
        self.keys = [
            table_key for table_key in self.keys if column not in table_key.columns
        ]

    def rename(self, old: str, new: str) -> None:
        """Call a column otherwise, in keys, too; it keeps its place."""
        self.columns = {
            new if name == old else name: (
                replace(column, name=new) if name == old else column
            )
            for name, column in self.columns.items()
        }
        for table_names in (self.written_types, self.labels):
            if old in table_names:
                table_names[new] = table_names.pop(old)  # type: ignore[assignment]
        for table_key in self.keys:
            table_key.columns = tuple(
                new if name == old else name for name in table_key.columns
            )


@dataclass(slots=True)
class Draft:
    """Everything that the statements so far have created.

    ``domains`` are named types that stand for another one: its text, and whether it is NOT NULL.
    """

    dialect: str
    tables: dict[str, TableDraft] = field(default_factory=dict[str, TableDraft])
    enums: dict[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    domains: dict[str, tuple[str, bool]] = field(
        default_factory=dict[str, tuple[str, bool]]
    )
    functions: set[str] = field(default_factory=set[str])
    types: set[str] = field(default_factory=set[str])
    complete: bool = True
    converts: bool = False

    def key_of(self, named: tuple[str, str]) -> str:
        """What a table is found by: its namespace and name."""
        return key(self.dialect, named[1], named[0])

    def declared_name(self, table: TableDraft, column: str) -> str:
        """The name of a column of a table, as it was declared."""
        if column in table.columns or self.dialect == "postgres":
            return column
        same = (name for name in table.columns if name.casefold() == column.casefold())
        return next(same, column)

    def type_of(self, written: str) -> tuple[ColumnType | None, bool]:
        """Return the type that is written, and whether its domain is NOT NULL."""
        name, not_null = written, False
        for _ in range(len(self.domains) + 1):
            if name not in self.domains:
                break
            name, forbids = self.domains[name]
            not_null = not_null or forbids
        if not name:
            return None, not_null
        return column_type(self.dialect, name, self.enums), not_null

    def schema(self) -> Schema:
        """Return what was read as a whole."""
        return Schema.of(
            self.dialect,
            [self._table(table) for table in self.tables.values() if table.complete],
            enums=self.enums,
            functions=self.functions,
            types={*self.types, *self.domains},
            complete=self.complete,
            converts=self.converts,
        )

    def _table(self, draft: TableDraft) -> Table:
        keys = draft.all_keys()
        primary = next((each.columns for each in keys if each.primary), ())
        forbids_null = self._primary_forbids_null(draft, primary)
        columns = tuple(
            self._column(draft, column, forbids_null and column.name in primary)
            for column in draft.columns.values()
        )
        return Table(
            name=draft.name,
            namespace=draft.namespace,
            columns=columns,
            primary_key=primary,
            unique=tuple(
                dict.fromkeys(each.columns for each in keys if not each.primary)
            ),
            view=draft.view,
            query=draft.query,
            has_before_trigger=draft.has_before_trigger,
            span=draft.span,
        )

    def _primary_forbids_null(self, draft: TableDraft, primary: Sequence[str]) -> bool:
        if self.dialect != "sqlite" or draft.options & {"STRICT", "ROWID"}:
            return True
        written = draft.written_types.get(primary[0], "") if len(primary) == 1 else ""
        return written.upper() in _ROWID

    def _column(self, draft: TableDraft, column: Column, is_key: bool) -> Column:
        if draft.view:
            return column
        type, not_null = self.type_of(draft.written_types.get(column.name, ""))
        labels = draft.labels.get(column.name)
        if labels and type is not None and type.base in (Base.TEXT, Base.OTHER):
            type = replace(type, labels=labels)
        is_rowid = (
            is_key
            and self.dialect == "sqlite"
            and draft.written_types.get(column.name, "").upper() in _ROWID
            and "ROWID" not in draft.options
        )
        return replace(
            column,
            type=type,
            nullable=bool(column.nullable) and not (is_key or not_null),
            default=column.default or is_rowid,
        )
