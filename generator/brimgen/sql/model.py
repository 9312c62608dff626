"""The schema of a database, and what is inferred of a statement against it.

Everything here is plain data. Places in a DDL file are `Span`; places in a statement are pairs of
offsets into its text (`Place`), which `TextBlock.span_at` maps to the spec file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass, field
from brimgen.model.types import Scalar


class Base(StrEnum):
    """What values of a database type are, whatever the dialect calls the type."""

    INT2 = "int2"
    INT4 = "int4"
    INT8 = "int8"
    UINT8 = "uint8"
    INT16 = "int16"
    FLOAT4 = "float4"
    FLOAT8 = "float8"
    DECIMAL = "decimal"
    BOOL = "bool"
    TEXT = "text"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    INSTANT = "instant"
    INTERVAL = "interval"
    JSON = "json"
    UUID = "uuid"
    BYTES = "bytes"
    ENUM = "enum"
    LIST = "list"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ColumnType:
    """The type of a column, a parameter or an expression.

    ``native`` is its name in the dialect, ``base`` what its values are (`Base.OTHER` for types
    that brimgen does not know). ``labels`` are the labels of an enum, ``item`` the type of the
    items of a list. `native_types.column_type` makes one from the name of a type.
    """

    base: Base
    native: str
    labels: tuple[str, ...] = ()
    item: ColumnType | None = None

    @property
    def scalar(self) -> Scalar | None:
        """The scalar of the spec language; None where no scalar says what the values are."""
        return SCALAR_OF[self.base]


SCALAR_OF: Mapping[Base, Scalar | None] = {
    Base.INT2: Scalar.INT,
    Base.INT4: Scalar.INT,
    Base.INT8: Scalar.INT,
    Base.UINT8: Scalar.INT,
    Base.INT16: Scalar.INT,
    Base.FLOAT4: Scalar.FLOAT,
    Base.FLOAT8: Scalar.FLOAT,
    Base.DECIMAL: Scalar.DECIMAL,
    Base.BOOL: Scalar.BOOL,
    Base.TEXT: Scalar.STRING,
    Base.DATE: Scalar.DATE,
    Base.TIME: None,
    Base.DATETIME: Scalar.DATETIME,
    Base.INSTANT: Scalar.DATETIME,
    Base.INTERVAL: None,
    Base.JSON: None,
    Base.UUID: None,
    Base.BYTES: None,
    Base.ENUM: Scalar.STRING,
    Base.LIST: None,
    Base.OTHER: None,
}
"""The scalar of each base: the table of sql.md, read from the database's side."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table or a view.

    ``type`` is None where it is not known, ``nullable`` where nobody knows whether the column
    holds NULL (columns of views). A column of a primary key is not nullable, except in SQLite,
    where only INTEGER PRIMARY KEY, STRICT and WITHOUT ROWID forbid NULL. ``default`` says that an
    INSERT may leave the column out, ``generated`` that it may not name it.
    """

    name: str
    type: ColumnType | None
    nullable: bool | None = True
    default: bool = False
    generated: bool = False
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table or a view.

    ``namespace`` is the schema it lies in (``audit`` of ``audit.log``), empty for the default one.
    ``unique`` are the keys without the primary key, each as its columns: only those that forbid
    two equal rows (no partial indexes, none over expressions). ``query`` is the text of a view,
    from which its columns are inferred; then ``columns`` are those that the database lists.
    ``has_before_trigger`` says that a trigger may fill columns before a row is stored.
    """

    name: str
    columns: tuple[Column, ...]
    namespace: str = ""
    primary_key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    view: bool = False
    query: str = ""
    has_before_trigger: bool = False
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """The tables of one database, by `key`.

    ``enums`` are the named enums with their labels, ``functions`` and ``types`` what else the
    schema itself creates (lower case; domains and composite types among the types). ``complete``
    is False where tables, functions or types may exist that are not listed (an extension, a
    statement that was not understood): then no name is reported as unknown. ``converts`` says that
    it creates operators or casts: then no two types are reported as ones that do not go together.
    """

    dialect: str
    tables: Mapping[str, Table] = field(default_factory=dict[str, Table])
    enums: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    functions: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    complete: bool = True
    converts: bool = False

    @staticmethod
    def of(
        dialect: str,
        tables: Iterable[Table],
        *,
        enums: Mapping[str, tuple[str, ...]] | None = None,
        functions: Iterable[str] = (),
        types: Iterable[str] = (),
        complete: bool = True,
        converts: bool = False,
    ) -> Schema:
        """Make a schema of its tables."""
        return Schema(
            dialect=dialect,
            tables={
                key(dialect, table.name, table.namespace): table for table in tables
            },
            enums=dict(enums or {}),
            functions=frozenset(function.lower() for function in functions),
            types=frozenset(type.lower() for type in types),
            complete=complete,
            converts=converts,
        )


def key(dialect: str, name: str, namespace: str = "") -> str:
    """Return what a table is looked up by.

    ``name`` is as the database keeps it: PostgreSQL tells ``Users`` from ``users``, others do not.
    """
    whole = f"{namespace}.{name}" if namespace else name
    return whole if dialect == "postgres" else whole.casefold()


class Place(NamedTuple):
    """A part of a statement: the offsets of its first character and behind its last one."""

    start: int
    end: int


class Origin(NamedTuple):
    """The column of a table that a value comes from, unchanged."""

    table: Table
    column: Column


@dataclass(frozen=True, slots=True)
class InferredColumn:
    """A column of the result.

    ``type`` and ``nullable`` are None where they are not sure; ``nullable`` False means that no
    row has NULL there. ``name`` is empty where the database makes one up.
    """

    name: str
    type: ColumnType | None
    nullable: bool | None
    place: Place
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class InferredParameter:
    """A parameter, from all its uses.

    ``type`` is None where no use tells it, or where two uses differ; for a list parameter
    (``IN :ids``) it is the type of an item, and ``is_list`` is True. ``nullable`` is False where
    NULL is refused (stored in a NOT NULL column), True where the statement provides for it
    (``:x IS NULL OR …``), else None. ``origin`` is the column that it is compared with or stored
    in, ``stored`` whether it is stored. ``places`` are all its uses.
    """

    name: str
    type: ColumnType | None
    nullable: bool | None
    places: tuple[Place, ...]
    is_list: bool = False
    origin: Origin | None = None
    stored: bool = False


class Mistake(StrEnum):
    """What is wrong with a statement, whatever the data."""

    UNKNOWN_TABLE = "unknown-table"
    UNKNOWN_COLUMN = "unknown-column"
    AMBIGUOUS_COLUMN = "ambiguous-column"
    UNKNOWN_FUNCTION = "unknown-function"
    WRONG_ARGUMENTS = "wrong-arguments"
    MISMATCHED_TYPES = "mismatched-types"
    NOT_CASTABLE = "not-castable"
    BAD_LITERAL = "bad-literal"
    UNKNOWN_TYPE = "unknown-type"
    UNKNOWN_LABEL = "unknown-label"
    NOT_GROUPED = "not-grouped"
    MISPLACED_AGGREGATE = "misplaced-aggregate"
    MISPLACED_WINDOW = "misplaced-window"
    NOT_BOOLEAN = "not-boolean"
    COLUMN_COUNT = "column-count"
    MISSING_COLUMN = "missing-column"
    NULL_STORED = "null-stored"
    REPEATED_NAME = "repeated-name"
    GENERATED_COLUMN = "generated-column"
    NOT_ALLOWED = "not-allowed"
    NO_UNIQUE_KEY = "no-unique-key"


FOUND_WHEN_EXECUTED = frozenset(
    {
        Mistake.BAD_LITERAL,
        Mistake.UNKNOWN_LABEL,
        Mistake.MISSING_COLUMN,
        Mistake.NULL_STORED,
        Mistake.NO_UNIQUE_KEY,
    }
)
"""Mistakes that a database may not tell when it prepares a statement."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake that the database would refuse, certain by the schema.

    ``text`` says what is wrong in words for a message; ``place`` is where; ``subject`` is the name
    that it is about, and ``candidates`` are the names that could have been meant. ``table`` and
    ``column`` are what the schema says about it, where that shows the mistake.
    """

    mistake: Mistake
    text: str
    place: Place
    subject: str = ""
    candidates: tuple[str, ...] = ()
    table: Table | None = None
    column: Column | None = None


class Unreadable(NamedTuple):
    """Why a statement cannot be read, and where; ``place`` is None without sqlglot."""

    reason: str
    place: Place | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inferred:
    """What a statement gives and takes.

    ``columns`` is None where the statement gives no rows, or their columns are not sure
    (``gives_rows`` tells the two apart; it is None where that is not sure either).
    ``at_least_one`` is True where it always gives a row (an aggregate without GROUP BY).
    ``unreadable`` says why the statement could not be read at all: then nothing else is known.
    """

    columns: tuple[InferredColumn, ...] | None = None
    gives_rows: bool | None = None
    parameters: Mapping[str, InferredParameter] = field(
        default_factory=dict[str, InferredParameter]
    )
    at_least_one: bool = False
    findings: tuple[Finding, ...] = ()
    unreadable: Unreadable | None = None
