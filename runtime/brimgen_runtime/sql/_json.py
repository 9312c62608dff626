"""Read and write JSON text of Python values: exact for decimals, strict for everything else."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from importlib import import_module
from typing import Any, cast

from ..records.encode import GIVE_OFFSET, moment
from . import _spans

MOST_BITS = 14_000
"""How long an int may be; Python writes out none of more than 4300 digits."""

NAIVE = f"has no offset: {GIVE_OFFSET}"
"""What is wrong with a datetime that says no instant, and what to do."""


def write(value: object, *, spaced: bool = False) -> str:
    """Return compact JSON text, or with a space behind commas and colons as PostgreSQL has it;
    decimals keep every digit.

    Raises ValueError for what JSON cannot say: NaN, Infinity, a datetime without an offset.
    """
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, Enum):
        return write(value.value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is no JSON number")
        return format(value, "f") if value.adjusted() < 40 else str(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no JSON number")
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise ValueError(f"{value} {NAIVE}")
        return json.dumps(moment(value))
    if isinstance(value, date):
        return json.dumps(value.isoformat())
    if isinstance(value, time | timedelta | bytes):
        return json.dumps(_spans.written(value))
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise ValueError(f"an int of {value.bit_length()} bits is too long for JSON")
    if isinstance(value, str | int | float):
        return json.dumps(value, ensure_ascii=False)
    return _write_parts(value, spaced)


def _write_parts(value: object, spaced: bool) -> str:
    space = " " if spaced else ""
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        members = [
            f"{write(str(key))}:{space}{write(at, spaced=spaced)}" for key, at in pairs
        ]
        return f"{{{f',{space}'.join(members)}}}"
    if isinstance(value, list | tuple):
        items = (write(at, spaced=spaced) for at in cast("list[object]", value))
        return f"[{f',{space}'.join(items)}]"
    to_dict = getattr(type(value), "to_dict", None)
    if to_dict is not None:
        return write(to_dict(value), spaced=spaced)
    raise ValueError(f"a Python {type(value).__name__} is no JSON value")


def read(value: object) -> Any:
    """Return what JSON text says, fractions as exact Decimals; parsed values stay as they are.

    Raises ValueError for text that is no JSON.
    """
    if isinstance(value, str | bytes | bytearray):
        return json.loads(value, parse_float=Decimal, parse_constant=_no_constant)
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


_PG8000_JSON = (114, 3802)
_PG8000_INET = 869
"""The types `json`, `jsonb` and `inet` of PostgreSQL, by their object identifiers."""


def keep_digits(cursor: object) -> None:
    """Have a cursor of psycopg, psycopg2 or pg8000 keep every digit of the numbers in JSON columns.

    These drivers read such columns with `json.loads`, which makes floats of fractions; pg8000 reads
    an `inet` as its network, too, which is kept as text. A connection may stand for all of its
    cursors, and does with pg8000. The cursors of other drivers stay as they are.
    """
    modules = {base.__module__.partition(".")[0] for base in type(cursor).__mro__}
    if "psycopg" in modules:
        import_module("psycopg.types.json").set_json_loads(read, cursor)
    if "psycopg2" in modules:
        extras = import_module("psycopg2.extras")
        extras.register_default_json(cursor, loads=read)
        extras.register_default_jsonb(cursor, loads=read)
    if "pg8000" in modules:
        connection: Any = getattr(
            cursor, "_c", cursor
        )  # `connection` of a cursor warns
        for oid in _PG8000_JSON:
            connection.register_in_adapter(oid, read)
        connection.register_in_adapter(_PG8000_INET, str)
