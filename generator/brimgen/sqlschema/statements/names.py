"""Look up the names of a statement: columns, and types that the author writes."""

from __future__ import annotations

from sqlglot import exp

from brimgen.sqlschema.dialects.native_types import column_type, type_name, type_of
from brimgen.sqlschema.model import Base, ColumnType, Mistake, Origin, Schema, key
from brimgen.sqlschema.statements.notes import Notes, Rules
from brimgen.sqlschema.statements.parse_statement import Parsed
from brimgen.sqlschema.statements.scopes import Scope, Seen, Source, nullable_in
from brimgen.sqlschema.values import Value

_SYSTEM_COLUMNS = {
    "postgres": {"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid"},
    "sqlite": {"rowid", "oid", "_rowid_"},
    "duckdb": {"rowid", "filename"},
    "mysql": {"_rowid"},
}
_WITHOUT_EARLY_ALIASES = frozenset({"postgres", "mysql", "oracle", "tsql"})
"""Dialects in which WHERE cannot name the aliases of the SELECT list."""
_WITHOUT_BRACKETS = {
    *("current_catalog", "current_role", "current_schema", "user", "session_user"),
    *("localtime", "localtimestamp", "default", "current_date", "current_timestamp"),
    "current_time",
}
"""Functions that are called without brackets, and DEFAULT, which sqlglot takes for columns."""


class Names(Notes):
    """Looks up names, and knows which column each of them is."""

    def __init__(self, parsed: Parsed, schema: Schema, rules: Rules) -> None:
        super().__init__(parsed, schema, rules)
        self.seen_at: dict[int, Seen] = {}
        self.inside_aggregate: int = 0

    def column(self, node: exp.Column, scope: Scope) -> Value:
        """The value of a name."""
        name = scope.fold(node.this)
        if isinstance(node.this, exp.Star):
            return Value(None, None, node)
        if node.args.get("table") is not None:
            return self._qualified(node, name, scope)
        for around in scope.around():
            found = around.seen(name)
            if len(found) > 1 and not around.has_unknown_source:
                self._tell_ambiguous(node, name, found)
                return Value(None, None, node)
            if found:
                return self._seen(node, found[0], around, own=around is scope)
            if around.has_unknown_source:
                return Value(None, None, node)
            if name in around.outputs and self.dialect != "postgres":
                given = around.outputs[name]
                return Value(given.type, given.nullable, node, given.open, given.origin)
            if name in around.aliases and self.dialect not in _WITHOUT_EARLY_ALIASES:
                return Value(None, None, node)
        return self._unknown(node, name, scope)

    def _qualified(self, node: exp.Column, name: str, scope: Scope) -> Value:
        table = scope.fold(node.args["table"])
        source = scope.source_named(table)
        if source is None:
            if not scope.has_unknown_source and node.args.get("db") is None:
                names = [
                    each.name for around in scope.around() for each in around.sources
                ]
                self.tell(
                    Mistake.UNKNOWN_TABLE,
                    node.args["table"],
                    f"no table in FROM is called `{table}`",
                    subject=table,
                    among=names,
                )
            return Value(None, None, node)
        given = scope.column_of(source, name)
        if given is not None:
            own = any(each is source for each in scope.sources)
            return self._seen(node, Seen(source, given), scope, own=own)
        if source.has_all_names and not self._is_system(name):
            self.tell(
                Mistake.UNKNOWN_COLUMN,
                node,
                f"`{table}` has no column `{name}`",
                subject=name,
                among=[column.name for column in source.columns or ()],
                table=source.table,
            )
        return Value(None, None, node)

    def _seen(self, node: exp.Column, seen: Seen, scope: Scope, *, own: bool) -> Value:
        self.seen_at[id(node)] = seen
        given = seen.given
        nullable = self._merged_nullable(node, seen, scope)
        if own and not self.inside_aggregate:
            if scope.is_one_group and scope.clause == "select":
                nullable = True if self.dialect != "postgres" else nullable
            if scope.has_grouping_sets and scope.clause == "select":
                nullable = None if nullable is not True else True
        return Value(given.type, nullable, node, origin=given.origin)

    def _merged_nullable(
        self, node: exp.Column, seen: Seen, scope: Scope
    ) -> bool | None:
        """Whether a column may be NULL; a merged one is, if all that it stands for are."""
        name = scope.fold(node.this)
        several = scope.merged.get(name)
        if node.args.get("table") is not None or several is None:
            return nullable_in(seen)
        return self.merged_nullable(several)

    def merged_nullable(self, several: list[Seen]) -> bool | None:
        """Whether a column of USING may be NULL: not if one of its columns is always there."""
        there = [each for each in several if not each.source.extended]
        if there:
            found = [nullable_in(each) for each in there]
            return False if False in found else (None if None in found else True)
        own = [each.given.nullable for each in several]
        return False if all(each is False for each in own) else None

    def _tell_ambiguous(self, node: exp.Column, name: str, found: list[Seen]) -> None:
        sources = [each.source.name for each in found]
        names = tuple(f"{source}.{name}" for source in sources)
        shown = " and of ".join(f"`{each}`" for each in sources)
        self.tell(
            Mistake.AMBIGUOUS_COLUMN,
            node,
            f"`{name}` is a column of {shown}",
            subject=name,
            candidates=names,
        )

    def _unknown(self, node: exp.Column, name: str, scope: Scope) -> Value:
        quoted = bool(node.this.args.get("quoted"))
        if name in _WITHOUT_BRACKETS and not quoted:
            is_text = name in (
                "user",
                "session_user",
                "current_role",
                "current_catalog",
            )
            text = type_of(self.dialect, Base.TEXT)
            known = is_text and self.dialect != "postgres"
            return Value(text if known else None, None, node)
        if self.dialect == "sqlite" and quoted:
            return Value(None, None, node)  # it may be a string
        if self._is_system(name) and scope.sources:
            is_row = self.dialect == "sqlite" and len(scope.sources) == 1
            table = scope.sources[0].table
            if is_row and table is not None and not table.view:
                extended = scope.sources[0].extended
                return Value(type_of("sqlite", Base.INT8), extended or None, node)
            return Value(None, None, node)
        if scope.source_named(name) is not None:
            return Value(None, None, node)  # a whole row
        sources = [source for around in scope.around() for source in around.sources]
        if self.schema.complete:
            tables = [each.table.name for each in sources if each.table is not None]
            where = " or ".join(f"`{each}`" for each in tables[:3])
            self.tell(
                Mistake.UNKNOWN_COLUMN,
                node,
                (
                    f"{where} has no column `{name}`"
                    if where
                    else f"there is no `{name}` here"
                ),
                subject=name,
                among=[one.name for each in sources for one in each.columns or ()],
                table=sources[0].table if len(sources) == 1 else None,
            )
        return Value(None, None, node)

    def _is_system(self, name: str) -> bool:
        return name in _SYSTEM_COLUMNS.get(self.dialect, set())

    def written_type(self, written: exp.Expr, node: exp.Expr) -> ColumnType | None:
        """The type that an author writes in a cast; None where it is not known."""
        text = self._type_text(written)
        if text is None:
            return None
        found = column_type(
            self.dialect, type_name(text, self.dialect), self.schema.enums
        )
        known = found is not None and found.base is not Base.OTHER
        if known or self.dialect != "postgres" or found is None:
            return found if known else None
        item = found.native.split("(")[0].strip().strip('"')
        from brimgen.sqlschema.dialects.postgres_catalogue import is_known

        listed = is_known(item) or item.lower() in self.schema.types
        if listed or "." in item or not self.schema.complete:
            return found
        self.tell(
            Mistake.UNKNOWN_TYPE,
            node,
            f"there is no type `{item}`",
            subject=item,
            among=[*self.schema.enums, *_COMMON_TYPES],
        )
        return None

    def _type_text(self, written: exp.Expr) -> str | None:
        """The name of a type as the dialect writes it; sqlglot prints what it understood."""
        if not isinstance(written, exp.DataType):
            return None
        if written.this is exp.DataType.Type.USERDEFINED:
            kind = written.args.get("kind")
            return str(kind) if kind is not None else None
        casts = _CASTS.get(self.dialect)
        if casts is None:
            return written.sql(self.dialect)
        as_written = written.sql(self.dialect) if self.dialect == "mysql" else None
        return casts.get(str(written.this.value), as_written)

    def origin_of(self, source: Source, name: str, scope: Scope) -> Origin | None:
        """The column of a table by its name in a statement."""
        given = scope.column_of(source, name)
        return given.origin if given is not None else None

    def lookup_key(self, table: exp.Table, scope: Scope) -> str:
        """What a table is looked up by in the schema."""
        name, namespace = scope.fold(table.this), scope.fold(table.args.get("db"))
        if namespace in ("public", "main", "dbo"):
            namespace = ""
        return key(self.dialect, name, namespace)


_COMMON_TYPES = (
    *("integer", "bigint", "smallint", "text", "varchar", "boolean", "numeric", "real"),
    *("timestamp", "timestamptz", "date", "time", "interval", "uuid", "json", "jsonb"),
)
_CASTS = {
    "mysql": {
        "BIGINT": "bigint",
        "UBIGINT": "bigint unsigned",
        "CHAR": "varchar",
        "CHARACTER_SET": "varchar",
        "NCHAR": "varchar",
        "BINARY": "varbinary",
    },
    "sqlite": {
        **dict.fromkeys(("INT", "BIGINT", "SMALLINT", "TINYINT"), "INTEGER"),
        **dict.fromkeys(("TEXT", "VARCHAR", "CHAR", "NCHAR", "NVARCHAR"), "TEXT"),
        **dict.fromkeys(("DOUBLE", "FLOAT"), "REAL"),
        "VARBINARY": "BLOB",
        "DECIMAL": "DECIMAL",
    },
}
"""Casts whose types have other names than columns have, or make other values."""
