"""The scalars in Python: one row says how generated code annotates, tests, decodes and encodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from brimgen.emit.code import Code, py
from brimgen.emit.python_text import call
from brimgen.frozen import dataclass
from brimgen.model.types import Scalar

_JSON_CLASSES = frozenset({"int", "float", "bool", "str"})
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonCodec:
    """How Python holds the values of one scalar.

    - ``name`` and ``module``: the class of the values; ``module`` is empty for a builtin.
    - ``container``: ``dict`` or ``list``, where the class stands for the members of one.
    - ``decoder``: the function of the runtime that makes a value of JSON which the schema has
      accepted; None where JSON is the value.
    - ``literal``: writes a default as an expression; without it, the decoder makes the default.
    """

    name: str
    module: str = ""
    container: str = ""
    decoder: str | None = None
    literal: Callable[[str, Code], Code] | None = None

    @property
    def is_plain(self) -> bool:
        """Whether a value is in Python what it is in JSON."""
        return self.name in _JSON_CLASSES

    @property
    def is_open(self) -> bool:
        """Whether a value can be anything, or hold anything."""
        return self.name == "Any"

    @property
    def is_parsed(self) -> bool:
        """Whether the decoder makes an object of another class of what JSON has."""
        return not (self.is_plain or self.is_open)


def _date(text: str, class_name: Code) -> Code:
    from datetime import date

    day = date.fromisoformat(text)
    return call(class_name, py(day.year), py(day.month), py(day.day))


def _decimal(text: str, class_name: Code) -> Code:
    return call(class_name, Code(text) if _WHOLE.fullmatch(text) else py(text))


PYTHON: Mapping[Scalar, PythonCodec] = {
    Scalar.INT: PythonCodec(name="int", decoder="to_int"),
    Scalar.UINT64: PythonCodec(name="int", decoder="to_int"),
    Scalar.FLOAT: PythonCodec(name="float", decoder="to_float"),
    Scalar.DECIMAL: PythonCodec(
        name="Decimal", module="decimal", decoder="to_decimal", literal=_decimal
    ),
    Scalar.BOOL: PythonCodec(name="bool"),
    Scalar.STRING: PythonCodec(name="str"),
    Scalar.DATE: PythonCodec(
        name="date",
        module="datetime",
        decoder="to_date",
        literal=_date,
    ),
    Scalar.DATETIME: PythonCodec(
        name="datetime", module="datetime", decoder="to_datetime"
    ),
    Scalar.TIME: PythonCodec(name="time", module="datetime", decoder="to_time"),
    Scalar.DURATION: PythonCodec(
        name="timedelta", module="datetime", decoder="to_duration"
    ),
    Scalar.BYTES: PythonCodec(name="bytes", decoder="to_bytes"),
    Scalar.PRIMITIVE: PythonCodec(name="Any", module="typing", decoder="to_plain"),
    Scalar.OBJECT: PythonCodec(
        name="Any", module="typing", container="dict", decoder="to_plain"
    ),
    Scalar.ARRAY: PythonCodec(
        name="Any", module="typing", container="list", decoder="to_plain"
    ),
    Scalar.SPLAT: PythonCodec(name="str"),
}

MODULES: Mapping[str, str] = {
    row.name: row.module for row in PYTHON.values() if row.module
}
"""The module of the standard library that has each class."""
