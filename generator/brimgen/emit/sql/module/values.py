"""Write the expressions that encode a parameter for a dialect."""

from __future__ import annotations

from functools import cache

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.sql import KINDS, SqlKind
from brimgen.emit.sql.drivers import Lists, lists_of
from brimgen.emit.sql.types import SqlType
from brimgen.sql.drivers import Driver


def untyped_by(driver: Driver, dialect: str) -> str:
    """Return how a driver binds values whose type the server infers (`Driver.untyped`)."""
    return "text" if dialect == "duckdb" else driver.untyped


def takes_its_type(type: SqlType, untyped: str, dialect: str) -> bool:
    """Whether an instant takes the type of the column beside it; ``untyped`` is of its driver."""
    declared = type.kind is not SqlKind.DATETIME or type.zoned or type.naive
    return bool(untyped) and not (declared or (type.is_list and dialect == "duckdb"))


def is_untyped(type: SqlType, untyped: str, dialect: str) -> bool:
    """Whether the server infers the type of a value: of an instant, or of a list of strings."""
    by_text = untyped == "text" and dialect == "postgres"
    is_text_list = by_text and type.is_list and type.kind is SqlKind.TEXT
    return is_text_list or takes_its_type(type, untyped, dialect)


@cache
def encoder(type: SqlType, dialect: str, untyped: str = "") -> Code:
    """Return the function that encodes a value of ``type`` that is not None."""
    instant = takes_its_type(type, untyped, dialect)
    row = KINDS[type.kind]
    name = row.encoders.get(dialect, row.encoder)
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
    elif as_json and row.json_encoder:
        name = row.json_encoder
    function: Code = Code(f"_encode.{name}")
    if type.digits and not type.exact and type.kind is SqlKind.DECIMAL:
        precision, scale = type.digits
        function = Code(f"_encode.fixed({function}, {py(precision)}, {py(scale)})")
    if instant:
        lenient = "lenient_" if type.lenient else ""
        suffix = "_text" if untyped == "text" else ""
        function = Code(f"_untyped.{lenient}instant{suffix}")
    if type.leaf is not None and type.leaf.from_json:
        function = Code(f"_leaf.meant({type.leaf.from_json}, {function})")
    if type.leaf is not None and type.leaf.dump:
        function = Code(f"_leaf.dumped({type.leaf.dump}, {function})")
    is_text = untyped == "text" and is_untyped(type, untyped, dialect)
    if type.is_list and is_text:
        return Code(f"_untyped.array_text({function})")
    if type.is_list:
        return Code(f"_encode.{'json_array' if as_json else 'array'}({function})")
    return function
