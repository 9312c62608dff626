"""What calls and operators mean in SQLite, DuckDB and MySQL, by a table of functions each.

These databases convert most values silently, so that nothing is refused here: a call or an
operator that the table does not know has an unknown type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from brimgen.diagnostics import did_you_mean
from brimgen.sql.model import Base, ColumnType
from brimgen.sql.rules.native_types import list_of, type_of
from brimgen.sql.values import NOTHING_KNOWN, Meaning, Nulls, Value

FAMILIES: Mapping[Base, str] = {
    **dict.fromkeys((Base.INT2, Base.INT4, Base.INT8, Base.UINT8, Base.INT16), "int"),
    **dict.fromkeys((Base.FLOAT4, Base.FLOAT8), "float"),
    **dict.fromkeys((Base.TEXT, Base.ENUM), "text"),
}
_BASES = {"int": Base.INT8, "float": Base.FLOAT8}
_NUMBERS = ("bool", "int", "decimal", "float")
"""Each of them holds those before it, for a value that may be one or the other."""
_COMPARING = frozenset({"=", "<>", "<", ">", "<=", ">=", "<=>"})
_MATCHING = frozenset({"~", "~*", "~~", "~~*"})
"""Operators with a pattern, which is a text whatever the other operand is."""
_BITS = frozenset({"&", "|", "#", "<<", ">>", "bits"})


class Row(NamedTuple):
    """One way to call a function: what it takes, and what it gives."""

    kind: str
    nulls: Nulls
    arguments: tuple[str, ...]
    result: str

    def takes(self, count: int) -> bool:
        """Whether it is called with that many arguments."""
        if self.arguments and self.arguments[-1].startswith("*"):
            return count >= len(self.arguments) - 1
        return count == len(self.arguments)

    def pattern(self, at: int) -> str:
        """What the argument at a place is."""
        return self.arguments[min(at, len(self.arguments) - 1)].removeprefix("*")


@cache
def table(dialect: str) -> Mapping[str, tuple[Row, ...]]:
    """Read the functions of a dialect; there are none of dialects without a table."""
    path = Path(__file__).parent / "catalogues" / f"{dialect}.txt"
    rows_by_name: dict[str, tuple[Row, ...]] = {}
    if not path.is_file():
        return rows_by_name
    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith("#"):
            continue
        names, kind, nulls, ways = line.split("|")
        rows: list[Row] = []
        for way in ways.split(" "):
            taken, _, result = way.partition(">")
            arguments = tuple(taken.split(",")) if taken else ()
            rows.append(Row(kind, Nulls(nulls), arguments, result))
        for name in names.split(" "):
            rows_by_name[name] = (*rows_by_name.get(name, ()), *rows)
    return rows_by_name


def family(type: ColumnType | None) -> str:
    """Return the family of a type in the tables; empty where it is unknown."""
    if type is None or type.base is Base.OTHER:
        return ""
    return FAMILIES.get(type.base, type.base.value)


class TableRules:
    """The rules of a dialect that has a table of functions."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.strings_are_open = dialect == "duckdb"

    def call(self, name: str, values: Sequence[Value]) -> Meaning | None:
        """Return what a call means; None where the name is of no function in the table."""
        rows = table(self.dialect).get(name)
        if rows is None:
            return None
        fitting = [
            row
            for row in rows
            if row.takes(len(values))
            and all(_fits(row.pattern(at), value) for at, value in enumerate(values))
        ]
        if not fitting:
            return NOTHING_KNOWN
        row = fitting[0]
        results = {row.result for row in fitting}
        type = self._result_type(row, values) if len(results) == 1 else None
        arguments = tuple(
            self._argument_type(row.pattern(at)) for at in range(len(values))
        )
        return Meaning(type, arguments, row.kind, row.nulls)

    def _result_type(self, row: Row, values: Sequence[Value]) -> ColumnType | None:
        word, is_list = row.result.removesuffix("[]"), row.result.endswith("[]")
        if word == "?":
            return None
        if word == "same":
            same = [
                value for at, value in enumerate(values) if row.pattern(at) == "same"
            ]
            type = self.common(same)
        else:
            type = self._type(word)
        return list_of(self.dialect, type) if is_list and type is not None else type

    def _argument_type(self, pattern: str) -> ColumnType | None:
        if pattern in ("any", "same", "number", "list") or self.dialect == "sqlite":
            return None
        return self._type(pattern)

    def _type(self, word: str) -> ColumnType:
        return type_of(self.dialect, _BASES.get(word) or Base(word))

    def common(self, values: Sequence[Value]) -> ColumnType | None:
        """Return the type that values of CASE, COALESCE, UNION and the like have together."""
        typed = [value for value in values if not value.open]
        if not typed:
            texts = [value for value in values if value.type is not None]
            return texts[0].type if texts else None
        types = list(dict.fromkeys(value.type for value in typed))
        first = types[0]
        if len(types) == 1 or first is None or None in types:
            return None if None in types else first
        families = list(dict.fromkeys(map(family, types)))
        if "" in families:
            return None
        if len(families) == 1:
            return (
                self._widest(types) if families[0] == "int" else self._plain_type(first)
            )
        if set(families) <= set(_NUMBERS):
            return self._type(max(families, key=_NUMBERS.index))
        if set(families) == {"date", "datetime"} and self.dialect != "sqlite":
            return self._type("datetime")
        return None

    def _widest(self, types: Sequence[ColumnType | None]) -> ColumnType:
        bases = {type.base for type in types if type is not None}
        order = (Base.INT16, Base.UINT8, Base.INT8, Base.INT4, Base.INT2)
        return type_of(self.dialect, next(base for base in order if base in bases))

    def _plain_type(self, type: ColumnType) -> ColumnType | None:
        """A type without what only one of several has: labels, digits, items."""
        if type.base is Base.LIST:
            return None
        return type_of(self.dialect, Base.TEXT if type.base is Base.ENUM else type.base)

    def operator(self, symbol: str, values: Sequence[Value]) -> Meaning:
        """Return what an operator means for one or two operands."""
        if symbol in _COMPARING:
            return Meaning(
                self._type("bool"), _comparison_types(values), nulls=Nulls.STRICT
            )
        if symbol in _MATCHING:
            text = self._type("text")
            return Meaning(self._type("bool"), (text, text), nulls=Nulls.STRICT)
        if symbol == "->":
            return Meaning(self._type("json"), nulls=Nulls.MAYBE)
        if symbol == "->>":
            is_text = self.dialect != "sqlite"
            return Meaning(self._type("text") if is_text else None, nulls=Nulls.MAYBE)
        if symbol == "||":
            return self._concatenation(values)
        if symbol in _BITS:
            are_integers = all(
                family(value.type) in ("int", "bool") for value in values
            )
            type = (
                self._type("int") if are_integers or self.dialect != "duckdb" else None
            )
            return Meaning(type, nulls=Nulls.STRICT)
        return self._arithmetic(symbol, values)

    def _concatenation(self, values: Sequence[Value]) -> Meaning:
        families = {family(value.type) for value in values}
        if self.dialect == "duckdb" and (families & {"list", "", "bytes"}):
            return Meaning(None, nulls=Nulls.UNSURE)
        return Meaning(self._type("text"), nulls=Nulls.STRICT)

    def _arithmetic(self, symbol: str, values: Sequence[Value]) -> Meaning:
        families = [family(value.type) for value in values]
        if any(value.open for value in values) or "" in families:
            type = None
        elif len(values) == 1:
            type = values[0].type if families[0] in _NUMBERS[1:] else None
            if families[0] == "bool" and self.dialect != "duckdb":
                type = self._type("int")
        elif set(families) <= set(_NUMBERS):
            type = self._number(symbol, families)
        elif self.dialect == "duckdb":
            word = _MOMENTS.get((families[0], symbol, families[1]), "")
            type = self._type(word) if word else None
        else:
            type = None
        return Meaning(type, nulls=self._nulls(symbol, values))

    def _number(self, symbol: str, families: Sequence[str]) -> ColumnType | None:
        widest = max((*families, "int"), key=_NUMBERS.index)
        if symbol == "/" and self.dialect == "duckdb":
            return self._type("float")
        if symbol == "/" and self.dialect == "mysql":
            return self._type("float" if widest == "float" else "decimal")
        if symbol == "//" and self.dialect == "mysql":
            return self._type("int")
        if symbol == "^":
            return self._type("float")
        if "bool" in families and self.dialect == "duckdb":
            return None
        if widest == "decimal" and "float" in families:
            widest = "float"
        return self._type(widest)

    def _nulls(self, symbol: str, values: Sequence[Value]) -> Nulls:
        """A division by zero is NULL, unless the divisor is a number that is none."""
        if symbol not in ("/", "//", "%"):
            return Nulls.STRICT
        divisor = values[-1].node.unnest()
        is_number = divisor.is_number and not divisor.is_string
        if is_number and float(divisor.to_py()) != 0:
            return Nulls.STRICT
        return (
            Nulls.LOOSE if self.dialect == "duckdb" and symbol == "/" else Nulls.MAYBE
        )

    def casts(self, source: Value, target: ColumnType) -> str:
        """Return how a value is cast: implicitly, since these databases convert silently."""
        return "i"

    def outputs(self, name: str) -> tuple[tuple[str, ColumnType | None], ...]:
        """Return the named columns of a function in FROM; none where it has none."""
        return tuple(
            (column, None if word == "?" else self._type(word))
            for column, word in _OUTPUTS.get((self.dialect, name), ())
        )

    def nearest(self, name: str) -> tuple[str, ...]:
        """Return the functions whose names resemble a name."""
        return did_you_mean(name, table(self.dialect))


_JSON_ROWS = (
    ("key", "?"),
    ("value", "?"),
    ("type", "text"),
    ("atom", "?"),
    ("id", "int"),
    ("parent", "int"),
    ("fullkey", "text"),
    ("path", "text"),
)
_OUTPUTS = {
    ("sqlite", "json_each"): _JSON_ROWS,
    ("sqlite", "json_tree"): _JSON_ROWS,
    ("sqlite", "generate_series"): (("value", "int"),),
}
"""The columns of functions in FROM; SQLite hides no others but arguments."""
_MOMENTS = {
    ("date", "-", "date"): "int",
    ("date", "+", "int"): "date",
    ("date", "-", "int"): "date",
    ("date", "+", "interval"): "datetime",
    ("date", "-", "interval"): "datetime",
    ("datetime", "+", "interval"): "datetime",
    ("datetime", "-", "interval"): "datetime",
    ("interval", "+", "datetime"): "datetime",
    ("interval", "+", "date"): "datetime",
    ("instant", "+", "interval"): "instant",
    ("instant", "-", "interval"): "instant",
    ("datetime", "-", "datetime"): "interval",
    ("instant", "-", "instant"): "interval",
    ("interval", "+", "interval"): "interval",
    ("interval", "-", "interval"): "interval",
    ("interval", "*", "int"): "interval",
    ("int", "*", "interval"): "interval",
}
"""Sums and differences of days, moments and intervals in DuckDB."""


def _fits(pattern: str, value: Value) -> bool:
    if pattern in ("any", "same") or value.open:
        return True
    value_family = family(value.type)
    if pattern == "number":
        return value_family in (*_NUMBERS, "")
    return value_family in (pattern, "")


def _comparison_types(values: Sequence[Value]) -> tuple[ColumnType | None, ...]:
    """What the operands of a comparison take: each the type of the other one."""
    if len(values) != 2:
        return ()
    left, right = values
    return (
        None if right.open else right.type,
        None if left.open else left.type,
    )
