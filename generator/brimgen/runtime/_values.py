"""Values between JSON and Python: reading, the null rule, decoding and encoding.

The ``to_…`` functions decode a value that its schema has accepted; they are total on such values
and raise ValueError or TypeError on others, so a generated fast path may call them inside ``try``.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any


def parse_json(text: str | bytes | bytearray) -> Any:
    """Return the value of a JSON text; numbers with a fraction or exponent become exact Decimals.

    Raises InputError (rule ``json``, with line and column) for bad JSON, NaN, Infinity, repeated
    keys and nesting that is too deep.
    """
    raise NotImplementedError


def drop_nulls(value: Any, schema: Mapping[str, Any] | bool) -> Any:
    """Return ``value`` without the nulls that mean "absent" (the null rule, language.md 4).

    A null property that is optional and not nullable is left out, at every depth; items of lists
    stay. The input is never changed: what differs is copied, the rest is shared.
    """
    raise NotImplementedError


def to_int(value: Any) -> int:
    """Return an integer; ``3.0`` and ``Decimal("3.0")`` are 3."""
    raise NotImplementedError


def to_float(value: Any) -> float:
    """Return a float; an integer beyond the range of floats stays an int, which is exact."""
    raise NotImplementedError


def to_decimal(value: Any) -> Decimal:
    """Return an exact Decimal: of an int or a decimal text, of a float by its shortest repr."""
    raise NotImplementedError


def to_date(value: Any) -> date:
    """Return the day of an ASCII ``YYYY-MM-DD``."""
    raise NotImplementedError


def to_datetime(value: Any, assume_utc: bool = False) -> datetime:
    """Return the aware datetime of an RFC 3339 text; without an offset only if ``assume_utc``."""
    raise NotImplementedError


def to_choice(value: Any, choices: tuple[Any, ...]) -> Any:
    """Return the member of ``choices`` that JSON-equals the value (1.0 gives 1, True does not)."""
    raise NotImplementedError


def to_plain(value: Any) -> Any:
    """Return JSON data with Decimals turned back to int or float at every depth (for ``Any``)."""
    raise NotImplementedError


def to_json_value(value: Any) -> Any:
    """Return the JSON value of a decoded one (``to_dict``): what decodes to an equal object.

    dates and datetimes become text, enums their value, objects with ``to_dict`` what that returns,
    mappings and lists are copied. A Decimal becomes an int or a float where that is exact, and
    stays a Decimal (which `write_json` prints digit by digit) where it is not. Raises ValueError
    for what JSON cannot say: NaN, Infinity, a datetime without an offset.
    """
    raise NotImplementedError


def write_json(value: Any) -> str:
    """Return compact JSON text of what `to_json_value` returned; Decimals keep every digit."""
    raise NotImplementedError
