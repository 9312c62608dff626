"""The names that a query can use: its sources, their columns, and those of outer queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlglot import exp

from brimgen.frozen import dataclass, field
from brimgen.sql.model import ColumnType, Origin, Table


class RelationColumn(NamedTuple):
    """A column that a source or a query gives; ``name`` is empty where the database makes it up.

    ``open`` marks NULL, a string literal or a parameter, whose type is still open.
    """

    name: str
    type: ColumnType | None
    nullable: bool | None
    origin: Origin | None = None
    open: bool = False
    node: exp.Expr | None = None


@dataclass(slots=True)
class Relation:
    """The rows that a query gives; ``columns`` is None where they are not sure."""

    columns: tuple[RelationColumn, ...] | None
    at_least_one: bool = False


@dataclass(slots=True, kw_only=True)
class Source:
    """A table, a subquery or a function in FROM, under the name by which it is referred to.

    ``extended`` says that an outer join may fill its columns with NULL; ``conditions`` are those of
    the joins that do. ``known`` are the columns that a filter keeps from being NULL. ``hidden``
    are those that USING has merged into another source's column.
    """

    name: str
    relation: Relation
    table: Table | None = None
    extended: bool = False
    conditions: list[exp.Expr] = field(default_factory=list[exp.Expr])
    known: set[str] = field(default_factory=set[str])
    hidden: set[str] = field(default_factory=set[str])

    @property
    def columns(self) -> tuple[RelationColumn, ...] | None:
        """Its columns; None where they are not sure."""
        return self.relation.columns

    @property
    def has_all_names(self) -> bool:
        """Whether the names of all of its columns are known."""
        return self.columns is not None and all(column.name for column in self.columns)


class ResolvedColumn(NamedTuple):
    """A column of a source, as a query sees it."""

    source: Source
    column: RelationColumn


@dataclass(slots=True, kw_only=True)
class Scope:
    """What the expressions of one query see.

    ``merged`` are the columns of USING and NATURAL, each with those that it stands for.
    ``is_grouped`` says that there are groups of rows which are never empty, ``is_one_group`` that
    all rows, perhaps none, are one group. ``windows`` are those of WINDOW, each with whether its
    frame may be empty. ``clause`` is the clause that is
    being read. ``outputs`` are the columns of the SELECT list by name, as far as it is read, and
    ``aliases`` all names that it gives.
    """

    dialect: str
    parent: Scope | None = None
    sources: list[Source] = field(default_factory=list[Source])
    merged: dict[str, list[ResolvedColumn]] = field(
        default_factory=dict[str, list[ResolvedColumn]]
    )
    tables: dict[str, Relation] = field(default_factory=dict[str, Relation])
    is_grouped: bool = False
    is_one_group: bool = False
    has_grouping_sets: bool = False
    clause: str = ""
    outputs: dict[str, RelationColumn] = field(
        default_factory=dict[str, RelationColumn]
    )
    aliases: frozenset[str] = frozenset()
    windows: dict[str, bool] = field(default_factory=dict[str, bool])

    def fold(self, identifier: exp.Expr | None) -> str:
        """Return what a name in a statement is looked up by."""
        if identifier is None:
            return ""
        if self.dialect == "postgres":
            quoted = identifier.args.get("quoted")
            return identifier.name if quoted else identifier.name.lower()
        return identifier.name.casefold()

    def fold_name(self, name: str) -> str:
        """Return what a name in the schema is looked up by."""
        return name if self.dialect == "postgres" else name.casefold()

    def source_named(self, name: str) -> Source | None:
        """Find a source by its name, in this query or in one around it."""
        for source in reversed(self.sources):
            if source.name == name:
                return source
        return self.parent.source_named(name) if self.parent is not None else None

    def common_table(self, name: str) -> Relation | None:
        """Find what a WITH gives, of this query or of one around it."""
        if name in self.tables:
            return self.tables[name]
        return self.parent.common_table(name) if self.parent is not None else None

    def column_of(self, source: Source, name: str) -> RelationColumn | None:
        """Find a column of a source."""
        for column in source.columns or ():
            if self.fold_name(column.name) == name:
                return column
        return None

    def resolve(self, name: str) -> list[ResolvedColumn]:
        """Return the columns of a name in this query; a merged one counts once."""
        if name in self.merged:
            return self.merged[name][:1]
        return self.columns_named(name, self.sources)

    def columns_named(
        self, name: str, sources: Sequence[Source]
    ) -> list[ResolvedColumn]:
        """Return the columns of a name in some sources."""
        columns: list[ResolvedColumn] = []
        for source in sources:
            column = self.column_of(source, name)
            if column is not None:
                columns.append(ResolvedColumn(source, column))
        return columns

    @property
    def has_unknown_source(self) -> bool:
        """Whether a source of this query may have columns that nobody knows."""
        return not all(source.has_all_names for source in self.sources)

    def around(self) -> Iterator[Scope]:
        """This scope and those around it, from the inside out."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def all_tables(self) -> dict[str, Relation]:
        """What the WITHs of this query and of those around it give."""
        tables: dict[str, Relation] = {}
        for outer in reversed(list(self.around())):
            tables |= outer.tables
        return tables

    @property
    def may_be_named(self) -> bool:
        """Whether a source here or around may have a name, or columns, that nobody knows."""
        return any(around.has_unknown_source for around in self.around())

    def star_columns(
        self, only: Source | None = None
    ) -> Sequence[ResolvedColumn] | None:
        """The columns of ``*``, or of ``source.*``; None where they are not sure."""
        if only is not None:
            return (
                None
                if only.columns is None
                else [ResolvedColumn(only, column) for column in only.columns]
            )
        if any(source.columns is None for source in self.sources):
            return None
        in_place = self.dialect in _MERGED_IN_PLACE
        columns = [] if in_place else [merged[0] for merged in self.merged.values()]
        shown = set[str]() if in_place else set(self.merged)
        for source in self.sources:
            for column in source.columns or ():
                name = self.fold_name(column.name)
                is_merged = name in self.merged and name in source.hidden
                if not is_merged or name not in shown:
                    columns.append(ResolvedColumn(source, column))
                if is_merged:
                    shown.add(name)
        return columns


_MERGED_IN_PLACE = frozenset({"sqlite", "duckdb"})
"""Dialects whose ``*`` leaves columns of USING where they are; standard SQL puts them first."""


def nullable_in(resolved: ResolvedColumn) -> bool | None:
    """Whether a column may be NULL in the rows of a query."""
    if (
        resolved.source.known
        and resolved.column.name.casefold() in resolved.source.known
    ):
        return False
    return True if resolved.source.extended else resolved.column.nullable
