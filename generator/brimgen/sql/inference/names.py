"""Look up the names of a statement: columns, and types that the author writes.

What is wrong, and what each use says of a parameter, is collected meanwhile.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlglot import exp

from brimgen.diagnostics import did_you_mean
from brimgen.sql.inference.scopes import (
    ResolvedColumn,
    Scope,
    Source,
    nullable_in,
)
from brimgen.sql.model import (
    Base,
    Column,
    ColumnType,
    Finding,
    InferredParameter,
    Mistake,
    Origin,
    Place,
    Schema,
    Table,
    key,
)
from brimgen.sql.rules.native_types import (
    column_type,
    names_of_types,
    type_name,
    type_of,
)
from brimgen.sql.rules.postgres_rules import PostgresRules
from brimgen.sql.rules.table_rules import TableRules
from brimgen.sql.tree import Parsed, place_of
from brimgen.sql.values import Refused, Value

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


class Names:
    """Looks up names; collects the mistakes of a statement, and the uses of its parameters.

    ``resolved_at`` are the columns that names mean, by the `id` of their nodes; ``kept`` keeps the
    nodes alive that are made while reading. ``views`` are the views that are being read.
    ``ignores_null`` says that the statement stores another value where a column takes no NULL.
    """

    def __init__(self, parsed: Parsed, schema: Schema, rules: Rules) -> None:
        self.parsed = parsed
        self.schema = schema
        self.rules = rules
        self.dialect = rules.dialect
        self.findings: list[Finding] = []
        self._uses: dict[str, list[_Use]] = {}
        self.is_quiet = 0
        self.resolved_at: dict[int, ResolvedColumn] = {}
        self.inside_aggregate: int = 0
        self.views: frozenset[str] = frozenset()
        self.kept: list[exp.Expr] = []
        self.ignores_null = False

    def report(
        self,
        mistake: Mistake,
        node: exp.Expr,
        text: str,
        *,
        subject: str = "",
        among: Sequence[str] = (),
        candidates: Sequence[str] = (),
        table: Table | None = None,
        column: Column | None = None,
    ) -> None:
        """Note a mistake; ``among`` are names of which the nearest ones are candidates.

        While ``is_quiet`` is set, none is noted: an unknown form may have names of its own.
        """
        if self.is_quiet:
            return
        near = tuple(candidates) or tuple(did_you_mean(subject, among))
        place = place_of(node, self.parsed)
        finding = Finding(mistake, text, place, subject, near, table, column)
        if finding not in self.findings:
            self.findings.append(finding)

    def report_refusal(self, refused: Refused, node: exp.Expr) -> None:
        """Note why there is no such call or operator."""
        self.report(
            refused.mistake,
            node,
            refused.text,
            subject=refused.subject,
            candidates=refused.candidates,
        )

    def name_of(self, node: exp.Expr) -> str:
        """The name of a parameter, as the author wrote it."""
        token = self.parsed.uses.get(str(node.this))
        return token.text[1:] if token is not None else ""

    def use(
        self,
        value: Value,
        type: ColumnType | None,
        *,
        nullable: bool | None = None,
        origin: Origin | None = None,
        stored: bool = False,
        is_list: bool = False,
    ) -> None:
        """Note what a use says of a parameter; check a literal that takes a type."""
        node = value.node.unnest()
        if isinstance(node, exp.Placeholder):
            name = self.name_of(node)
            use = _Use(type, nullable, origin, stored, is_list)
            self._uses.setdefault(name, []).append(use)
        elif isinstance(node, exp.Literal) and node.is_string and type is not None:
            self._check_literal(node, type, origin, stored=stored)

    def _check_literal(
        self,
        node: exp.Literal,
        type: ColumnType,
        origin: Origin | None,
        *,
        stored: bool,
    ) -> None:
        text = node.this
        if type.base is Base.ENUM and type.labels:
            if self.dialect != "postgres" and not stored:
                return  # others compare an enum as a text
            if text not in type.labels and not _folds(self.dialect, text, type):
                self.report(
                    Mistake.UNKNOWN_LABEL,
                    node,
                    f"`{text}` is no label of the enum",
                    subject=text,
                    candidates=did_you_mean(text, type.labels) or type.labels[:8],
                    table=origin.table if origin else None,
                    column=origin.column if origin else None,
                )
        elif self.rules.strings_are_open and not _is_readable(text, type.base):
            self.report(
                Mistake.BAD_LITERAL,
                node,
                f"`'{text}'` is no value of the type {type.native}",
                subject=text,
                table=origin.table if origin else None,
                column=origin.column if origin else None,
            )

    def parameters(self) -> dict[str, InferredParameter]:
        """What all uses of each parameter say together."""
        places: dict[str, list[Place]] = {}
        for token in self.parsed.uses.values():
            places.setdefault(token.text[1:], []).append(Place(token.start, token.end))
        return {
            name: _merge_uses(name, tuple(at), self._uses.get(name, []))
            for name, at in places.items()
        }

    def column(self, node: exp.Column, scope: Scope) -> Value:
        """The value of a name."""
        name = scope.fold(node.this)
        if isinstance(node.this, exp.Star):
            return Value(None, None, node)
        if node.args.get("table") is not None:
            return self._qualified(node, name, scope)
        for around in scope.around():
            matches = around.resolve(name)
            if len(matches) > 1 and not around.has_unknown_source:
                self._report_ambiguous(node, name, matches)
                return Value(None, None, node)
            if matches:
                return self._resolved_value(
                    node, matches[0], around, own=around is scope
                )
            if around.has_unknown_source:
                return Value(None, None, node)
            if name in around.outputs and self.dialect != "postgres":
                output = around.outputs[name]
                return Value(
                    output.type, output.nullable, node, output.open, output.origin
                )
            if name in around.aliases and self.dialect not in _WITHOUT_EARLY_ALIASES:
                return Value(None, None, node)
        return self._unresolved(node, name, scope)

    def _qualified(self, node: exp.Column, name: str, scope: Scope) -> Value:
        source = self.named_source(node.args["table"], scope, node.args.get("db"))
        if source is None:
            return Value(None, None, node)
        column = scope.column_of(source, name)
        if column is not None:
            own = any(candidate is source for candidate in scope.sources)
            return self._resolved_value(
                node, ResolvedColumn(source, column), scope, own=own
            )
        is_call = name in self.schema.functions  # `row.f` is `f(row)`
        if source.has_all_names and not self._is_system(name) and not is_call:
            self.report(
                Mistake.UNKNOWN_COLUMN,
                node,
                f"`{source.name}` has no column `{name}`",
                subject=name,
                among=[column.name for column in source.columns or ()],
                table=source.table,
            )
        return Value(None, None, node)

    def named_source(
        self, identifier: exp.Expr, scope: Scope, namespace: exp.Expr | None = None
    ) -> Source | None:
        """The source that a name before a point means; None where none is known to be.

        That none has the name is no mistake where a source may have a name, or columns, that
        nobody knows, and in DuckDB where a column has it, whose fields are named.
        """
        name = scope.fold(identifier)
        source = scope.source_named(name)
        if source is not None or namespace is not None or scope.may_be_named:
            return source
        if self.dialect == "duckdb" and any(
            around.resolve(name) for around in scope.around()
        ):
            return None
        self.report(
            Mistake.UNKNOWN_TABLE,
            identifier,
            f"no table in FROM is called `{name}`",
            subject=name,
            among=[other.name for each in scope.around() for other in each.sources],
        )
        return None

    def _resolved_value(
        self, node: exp.Column, resolved: ResolvedColumn, scope: Scope, *, own: bool
    ) -> Value:
        self.resolved_at[id(node)] = resolved
        column = resolved.column
        nullable = self._merged_nullable(node, resolved, scope)
        if own and not self.inside_aggregate:
            if scope.is_one_group and scope.clause == "select":
                nullable = True if self.dialect != "postgres" else nullable
            if scope.has_grouping_sets and scope.clause == "select":
                nullable = None if nullable is not True else True
        return Value(column.type, nullable, node, origin=column.origin)

    def _merged_nullable(
        self, node: exp.Column, resolved: ResolvedColumn, scope: Scope
    ) -> bool | None:
        """Whether a column may be NULL; a merged one is, if all that it stands for are."""
        name = scope.fold(node.this)
        several = scope.merged.get(name)
        if node.args.get("table") is not None or several is None:
            return nullable_in(resolved)
        return self.merged_nullable(several)

    def merged_nullable(self, several: list[ResolvedColumn]) -> bool | None:
        """Whether a column of USING may be NULL: not if one of its columns is always there."""
        unextended = [merged for merged in several if not merged.source.extended]
        if unextended:
            nullables = [nullable_in(merged) for merged in unextended]
            return (
                False if False in nullables else (None if None in nullables else True)
            )
        own = [merged.column.nullable for merged in several]
        return False if all(nullable is False for nullable in own) else None

    def _report_ambiguous(
        self, node: exp.Column, name: str, matches: list[ResolvedColumn]
    ) -> None:
        sources = [match.source.name for match in matches]
        names = tuple(f"{source}.{name}" for source in sources)
        shown = " and of ".join(f"`{source}`" for source in sources)
        self.report(
            Mistake.AMBIGUOUS_COLUMN,
            node,
            f"`{name}` is a column of {shown}",
            subject=name,
            candidates=names,
        )

    def _unresolved(self, node: exp.Column, name: str, scope: Scope) -> Value:
        quoted = bool(node.this.args.get("quoted"))
        if name in _WITHOUT_BRACKETS and not quoted:
            is_text = name in (
                "user",
                "session_user",
                "current_role",
                "current_catalog",
            )
            text = type_of(self.dialect, Base.TEXT)
            is_known = is_text and self.dialect != "postgres"
            return Value(text if is_known else None, None, node)
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
            tables = [
                source.table.name for source in sources if source.table is not None
            ]
            where = " or ".join(f"`{table_name}`" for table_name in tables[:3])
            self.report(
                Mistake.UNKNOWN_COLUMN,
                node,
                (
                    f"{where} has no column `{name}`"
                    if where
                    else f"there is no `{name}` here"
                ),
                subject=name,
                among=[
                    column.name for source in sources for column in source.columns or ()
                ],
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
        type = column_type(
            self.dialect, type_name(text, self.dialect), self.schema.enums
        )
        has_base = type is not None and type.base is not Base.OTHER
        if has_base or self.dialect != "postgres" or type is None:
            return type if has_base else None
        item = type.native.split("(")[0].strip().strip('"')
        if self.is_type(item) or "." in item or not self.schema.complete:
            return type
        if not did_you_mean(item, names_of_types()):
            return type  # an extension that the schema does not name may bring it
        self.report(
            Mistake.UNKNOWN_TYPE,
            node,
            f"there is no type `{item}`",
            subject=item,
            among=[*self.schema.enums, *_COMMON_TYPES],
        )
        return None

    def is_type(self, name: str) -> bool:
        """Whether PostgreSQL or the schema has a type; every table is one, too."""
        from brimgen.sql.rules.postgres_catalogue import is_known

        return (
            is_known(name)
            or name.lower() in self.schema.types
            or name in self.schema.enums
            or key(self.dialect, name) in self.schema.tables
        )

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

    def output_name(self, identifier: exp.Expr) -> str:
        """The name that a result column has by an identifier of the statement."""
        if self.dialect == "postgres" and not identifier.args.get("quoted"):
            return identifier.name.lower()
        return identifier.name

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


Rules = PostgresRules | TableRules
"""What calls and operators mean in a dialect."""


class _Use(NamedTuple):
    """What one use says of a parameter."""

    type: ColumnType | None
    nullable: bool | None
    origin: Origin | None
    stored: bool
    is_list: bool


def _merge_uses(
    name: str, places: tuple[Place, ...], uses: Sequence[_Use]
) -> InferredParameter:
    types = list(dict.fromkeys(use.type for use in uses if use.type is not None))
    origins = list(dict.fromkeys(use.origin for use in uses if use.origin))
    lists = {use.is_list for use in uses if use.type is not None}
    nullables = {use.nullable for use in uses}
    return InferredParameter(
        name,
        _type_of_uses(types) if len(lists) < 2 else None,
        False if False in nullables else (True if True in nullables else None),
        places,
        is_list=lists == {True},
        origin=origins[0] if len(origins) == 1 else None,
        stored=any(use.stored for use in uses),
    )


def _type_of_uses(types: Sequence[ColumnType]) -> ColumnType | None:
    """The type of all uses; None where two uses differ in more than digits and width."""
    bases = {type.base for type in types}
    if len(bases) == 1:
        first = types[0]
        return first if first.item is None or len(types) == 1 else None
    whole = (Base.INT2, Base.INT4, Base.INT8)
    if types and bases <= set(whole):
        return min(types, key=lambda type: whole.index(type.base))
    return None


def _folds(dialect: str, text: str, type: ColumnType) -> bool:
    """Whether MySQL takes a text for a label: it compares without case, and trims spaces."""
    if dialect != "mysql":
        return False
    word = text.rstrip().casefold()
    return word in {label.casefold() for label in type.labels} or text in ("", "0")


_DIGITS = {
    Base.INT2: re.compile(r"\s*[+-]?\d[\d_]*\s*|\s*[+-]?0[xXoObB][0-9a-fA-F_]+\s*"),
    Base.DECIMAL: re.compile(
        r"(?i:\s*[+-]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(e[+-]?\d[\d_]*)?\s*"
        r"|\s*[+-]?0[xob][0-9a-f_]+\s*|\s*[+-]?(nan|inf|infinity)\s*)"
    ),
    Base.BOOL: re.compile(
        r"(?i:\s*(t|tr|tru|true|f|fa|fal|fals|false|y|ye|yes|n|no|on|of|off|0|1)\s*)"
    ),
    Base.UUID: re.compile(r"(?i:\s*\{?([0-9a-f]{4}-?){8}\}?\s*)"),
}
_LIKE = {
    Base.INT4: Base.INT2,
    Base.INT8: Base.INT2,
    Base.FLOAT4: Base.DECIMAL,
    Base.FLOAT8: Base.DECIMAL,
}
_MOMENTS = {Base.DATE, Base.DATETIME, Base.INSTANT}
_SPECIAL = re.compile(
    r"(?i:\s*(now|today|tomorrow|yesterday|epoch|[+-]?infinity|-?inf)\b.*)"
)


_DAY = re.compile(r"\s*(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)(?!.*\bBC\b)")


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _is_readable(text: str, base: Base) -> bool:
    """Whether a database reads a text as a value of a base; True where that is not sure."""
    pattern = _DIGITS.get(_LIKE.get(base, base))
    if pattern is not None:
        return pattern.fullmatch(text) is not None
    if base in _MOMENTS:
        day = _DAY.match(text)
        if day is not None:
            return _is_day(int(day[1]), int(day[2]), int(day[3]))
        return any(character.isdigit() for character in text) or bool(
            _SPECIAL.match(text)
        )
    if base is Base.INTERVAL:
        return any(character.isdigit() for character in text) or bool(
            _SPECIAL.match(text)
        )
    if base is Base.JSON:
        try:
            json.loads(text)
        except ValueError:
            return False
    return True
