"""One table of every type, the statements that fill and search it, and its boundary values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from support.project import Built, build, connection_to

INDIA = timezone(timedelta(hours=5, minutes=30))
COLUMNS = {
    "whole": "int",
    "ratio": "float",
    "amount": "decimal",
    "flag": "bool",
    "name": "string",
    "day": "date",
    "moment": "datetime",
    "clock": "time",
    "span": "duration",
    "large": "uint64",
    "packed": "bytes",
}
TABLES = {
    "sqlite": "id INTEGER, whole INTEGER, ratio REAL, amount NUMERIC, flag INTEGER, name TEXT,"
    " day TEXT, moment TEXT,"
    " clock TEXT, span REAL, large INTEGER, packed BLOB, data TEXT, names TEXT",
    "postgres": "id bigint, whole bigint, ratio double precision, amount numeric, flag boolean,"
    " name text, day date, moment timestamp,"
    " clock time, span interval, large numeric(20), packed bytea, data jsonb, names jsonb",
    "duckdb": "id BIGINT, whole BIGINT, ratio DOUBLE, amount DECIMAL(38,9), flag BOOLEAN,"
    " name VARCHAR, day DATE, moment TIMESTAMP,"
    " clock TIME, span INTERVAL, large UBIGINT, packed BLOB, data VARCHAR, names VARCHAR",
    "mysql": "id BIGINT, whole BIGINT, ratio DOUBLE, amount DECIMAL(65,30), flag BOOLEAN,"
    " name LONGTEXT COLLATE utf8mb4_bin, day DATE, moment DATETIME(6),"
    " clock TIME(6), span TIME(6), large BIGINT UNSIGNED, packed LONGBLOB, data JSON, names JSON",
    "clickhouse": "id Int64, whole Nullable(Int64), ratio Nullable(Float64),"
    " amount Nullable(Decimal(76, 20)), flag Nullable(Bool), name Nullable(String),"
    " day Nullable(Date32), moment Nullable(DateTime64(6, 'UTC')),"
    " clock Nullable(String), span Nullable(Decimal(20, 6)), large Nullable(UInt64),"
    " data Nullable(String), names Nullable(String)",
    "databricks": "id BIGINT, whole BIGINT, ratio DOUBLE, amount DECIMAL(38, 9),"
    " flag BOOLEAN, name STRING, day DATE, moment TIMESTAMP_NTZ, clock STRING,"
    " span DECIMAL(20, 6), large DECIMAL(20, 0), data STRING, names STRING",
    "snowflake": "id NUMBER(38, 0), whole NUMBER(38, 0), ratio FLOAT,"
    " amount NUMBER(38, 9), flag BOOLEAN, name VARCHAR, day DATE,"
    " moment TIMESTAMP_NTZ, clock TIME, span NUMBER(20, 6), large NUMBER(20, 0),"
    " packed BINARY, data VARCHAR, names VARCHAR",
}
AFTER = {"clickhouse": " ENGINE = Memory", "databricks": " USING parquet"}
VALUES: dict[str, list[Any]] = {
    "whole": [0, 1, -1, 2**63 - 1, -(2**63)],
    "ratio": [0.0, 1.5, -0.1, 5e-324, 1.7976931348623157e308, 1e22],
    "amount": [Decimal("0"), Decimal("1.50"), Decimal("-0.1"), Decimal("1E+5")],
    "flag": [True, False],
    "name": [
        "",
        "it's",
        'say "hi"',
        "50% %s %(name)s {name} :name $1 ?",
        "back\\slash\\'",
        "grüße 😀\u2028\n\ttab",
        "x" * 100_000,
    ],
    "day": [date.min, date(2024, 2, 29), date.max],
    "moment": [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(2024, 5, 6, 7, 8, 9, tzinfo=INDIA),
        datetime(2024, 5, 6, 7, 8, 9, 1, tzinfo=UTC),
        datetime(2024, 5, 6, 7, 8, 9, 999999, tzinfo=timezone(timedelta(hours=-8))),
        datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    ],
    "clock": [time.min, time(9, 30), time(9, 30, 0, 1), time.max],
    "span": [
        timedelta(0),
        timedelta(hours=1, minutes=30),
        timedelta(microseconds=1),
        timedelta(days=-3, microseconds=-500_000),
        timedelta(hours=838, minutes=59, seconds=59),
    ],
    "large": [0, 1, 2**63 - 1],
    "packed": [b"", b"\0\xff", b"it's \\ %s :name ?", bytes(range(256)) * 400],
}
EXACT = [
    Decimal("12345678901234567890.123456789"),
    Decimal("-0.000000001"),
    Decimal("99999999999999999999999999999.999999999"),
]
UNCARRIED: dict[str, list[Any]] = {
    "whole": [2**63, -(2**63) - 1, True, 1.0, "1"],
    "ratio": [float("nan"), float("inf"), True, "1.5", 10**400],
    "amount": [Decimal("NaN"), Decimal("Infinity"), 1.5, 1],
    "flag": [1, 0, "true"],
    "name": ["a\0b", "\ud800", 1, b"x"],
    "day": [datetime(2024, 1, 1, tzinfo=UTC), "2024-01-01"],
    "moment": [
        datetime(2024, 1, 1),
        date(2024, 1, 1),
        datetime(1, 1, 1, tzinfo=INDIA),
        "2024-01-01T00:00:00Z",
    ],
    "clock": [time(9, 30, tzinfo=UTC), timedelta(hours=9), "09:30:00"],
    "span": [90, "PT1H"],
    "large": [-1, 2**64, True, 1.0],
    "packed": ["AP8=", bytearray(b"x")],
}
UNLISTED = {"sqlite": {"packed"}}
"""The columns of a dialect that no list is compared with."""
UNBOUND = {"clickhouse": {"packed"}, "databricks": {"packed"}}
"""The columns of which a dialect takes no parameter."""
UNSENT = {"aiomysql": {"packed"}}
"""The columns of which a driver sends no value: aiomysql 0.3 no bytes beside PyMySQL 1.2."""

Rows = list[tuple[Sequence[Any], Sequence[str]]]
Run = Callable[[str, Any], Rows]


AWKWARD = """\
type: sql_function
name: awkward
arguments: { inline: { v: string, vs: "int[]" } }
returns: object
sql: |
  SELECT '5%% of :no' AS a, 'it''s %(x) ? $1 @x {y}' AS b, name AS c -- it's 5% :no ?
  /* ' " % :no $$ */ FROM things
  WHERE name = :v AND 5 % 3 = 2 AND name LIKE '%x_%' -- don't
    AND id IN (:vs) AND id NOT IN (:vs) = (1 = 2)
"""


def columns_of(dialect: str) -> dict[str, str]:
    """The columns that a dialect has, and their types."""
    unbound = UNBOUND.get(dialect, ())
    return {name: word for name, word in COLUMNS.items() if name not in unbound}


def _specs(dialect: str) -> str:
    columns = columns_of(dialect)
    fields = "".join(f"  {name}: {word}?\n" for name, word in columns.items())
    inline = "".join(f"    {name}: {word}?\n" for name, word in columns.items())
    names = [*columns, "data", "names"]
    documents = [
        f"type: entity\nname: Thing\nfields:\n  id: int\n{fields}"
        '  data: object?\n  names: "string[]?"\n',
        f"type: sql_function\nname: put\narguments:\n  inline:\n    id: int\n{inline}"
        "    data: object?\n    names: { type: 'string[]', bind: json, required: false }\n"
        f"sql: INSERT INTO things (id, {', '.join(names)}) "
        f'VALUES (\\:id, {", ".join(f":{each}" for each in names)})\n'.replace(
            "\\:", ":"
        ),
        "type: sql_function\nname: get\narguments: { inline: { id: int } }\n"
        "returns: Thing\nsql: SELECT * FROM things WHERE id = :id\n",
        # Spark wants a backslash, and nothing behind the bracket.
        (
            AWKWARD.replace("id NOT IN (:vs) =", "(id NOT IN (:vs)) =").replace(
                "it''s", "it\\'s"
            )
            if dialect == "databricks"
            else AWKWARD
        ),
        "type: sql_function\nname: constant\nreturns: string\n"
        "sql: SELECT '100%' FROM things WHERE 5 % 2 = 1\n",
    ]
    for name, word in columns.items():
        documents.append(
            f"type: sql_function\nname: find_{name}\n"
            f"arguments: {{ inline: {{ v: '{word}?' }} }}\nreturns: 'int[]'\n"
            f"sql: SELECT id FROM things WHERE (:v IS NULL OR {name} = :v) ORDER BY id\n"
        )
        if name in UNLISTED.get(dialect, ()):
            continue
        documents += [
            f"type: sql_function\nname: in_{name}\n"
            f"arguments: {{ inline: {{ vs: '{word}[]?' }} }}\nreturns: 'int[]'\n"
            f"sql: SELECT id FROM things WHERE {name} IN (:vs) ORDER BY id\n",
            f"type: sql_function\nname: not_in_{name}\n"
            f"arguments: {{ inline: {{ vs: '{word}[]' }} }}\nreturns: 'int[]'\n"
            f"sql: SELECT id FROM things WHERE {name} NOT IN :vs ORDER BY id\n",
        ]
    return "---\n".join(documents)


@dataclass
class Shelf:
    """The generated package of a dialect, and how to run a statement with one driver."""

    built: Built
    driver: str
    run: Run
    made: dict[str, ModuleType] = field(default_factory=dict)

    @property
    def dialect(self) -> str:
        """The dialect of the statements."""
        return self.built.catalog.project.connections["default"].dialect

    def module(self, name: str) -> ModuleType:
        """A module of the package; the package is written once, not at each call."""
        if not self.made:
            self.made[""] = self.built.load()
        if name not in self.made:
            self.made[name] = import_module(f"{self.built.package}.{name}")
        return self.made[name]

    def call(self, tool: str, **values: Any) -> list[Any]:
        """Bind, execute, decode: the rows of ``tool`` as what it returns."""
        sql = self.module(f"sql.{tool}")
        bound = self.bound(tool, **values)
        bind = getattr(sql, f"bind_{self.driver}", None)
        if bind is None:
            text, arguments = getattr(sql, f"render_{self.driver}")(bound)
        else:
            text, arguments = getattr(sql, f"SQL_{self.driver.upper()}"), bind(bound)
        rows = self.run(text, arguments)
        decode = getattr(sql, f"decode_{self.driver}", None)
        return [decode(row, columns) for row, columns in rows] if decode else []

    def bound(self, tool: str, **values: Any) -> Any:
        """The bound object of ``tool``, made directly."""
        return self.module("").TOOLS[tool].bound_type(**values)

    def bind(self, tool: str, **values: Any) -> Any:
        """What ``execute`` is given."""
        module = self.module(f"sql.{tool}")
        return getattr(module, f"bind_{self.driver}")(self.bound(tool, **values))


def generated(folder: Path, dialect: str, drivers: tuple[str, ...]) -> Built:
    """The package for ``dialect``; the specs are sound, or the test fails."""
    built = build(
        folder,
        {"things.yaml": _specs(dialect)},
        targets=("python", "sql"),
        connections={"default": connection_to(dialect, *drivers)},
    )
    assert [] == built.errors
    return built
