"""Values: the expressions that encode a parameter for a dialect."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from brimgen.emit.code import Code
from brimgen.emit.python_text.pieces import spread
from brimgen.emit.sql.drivers import Lists, lists_of
from brimgen.emit.sql.types import SqlKind, SqlType

_BASE = {
    SqlKind.INT: "int64",
    SqlKind.FLOAT: "double",
    SqlKind.DECIMAL: "numeric",
    SqlKind.BOOL: "boolean",
    SqlKind.TEXT: "text",
    SqlKind.DATE: "day",
    SqlKind.DATETIME: "timestamp",
    SqlKind.PRIMITIVE: "primitive",
    SqlKind.JSON: "json",
    SqlKind.ENTITY: "json",
}
_OWN: Mapping[str, Mapping[SqlKind, str]] = {
    "sqlite": {
        SqlKind.DECIMAL: "real_decimal",
        SqlKind.BOOL: "bit",
        SqlKind.DATE: "day_text",
        SqlKind.DATETIME: "timestamp_text",
    },
    "duckdb": {SqlKind.DECIMAL: "decimal38"},
    "mysql": {SqlKind.DECIMAL: "decimal65"},
    "oracle": {
        SqlKind.DECIMAL: "decimal38",
        SqlKind.BOOL: "bit",
        SqlKind.TEXT: "filled_text",
    },
    "tsql": {SqlKind.DECIMAL: "decimal38"},
    "snowflake": {SqlKind.DECIMAL: "decimal38"},
    "databricks": {SqlKind.DECIMAL: "decimal38"},
    "bigquery": {SqlKind.DECIMAL: "decimal9"},
    "clickhouse": {
        SqlKind.DECIMAL: "decimal9",
        SqlKind.DATE: "day_text",
        SqlKind.DATETIME: "timestamp_text",
    },
}


@cache
def encoder(type: SqlType, dialect: str) -> Code:
    """The function that encodes a value of ``type`` that is not None."""
    name = _OWN.get(dialect, {}).get(type.kind, _BASE[type.kind])
    as_json = type.is_list and lists_of(dialect) is Lists.JSON
    if type.exact:
        name = "decimal_text"
    elif type.enum:
        name = "choice"
    elif type.kind is SqlKind.DATETIME:
        if type.zoned and dialect in ("postgres", "duckdb", "bigquery"):
            name = "utc"
        elif as_json or dialect == "clickhouse":
            name = "timestamp_text"
        name = f"lenient_{name}" if type.lenient else name
    elif type.kind is SqlKind.DATE and as_json:
        name = "day_text"
    function: Code = Code(f"_encode.{name}")
    if type.leaf is not None and type.leaf.meant:
        function = spread(Code("_leaf.meant"), Code(type.leaf.meant), function)
    if type.leaf is not None and type.leaf.dump:
        function = spread(Code("_leaf.dumped"), Code(type.leaf.dump), function)
    if type.is_list:
        return spread(Code(f"_encode.{'json_array' if as_json else 'array'}"), function)
    return function
