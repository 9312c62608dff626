"""What calls and operators mean in PostgreSQL, in terms of column types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from brimgen.diagnostics import did_you_mean
from brimgen.sql.model import Base, ColumnType, Mistake
from brimgen.sql.rules import postgres_catalogue as catalogue
from brimgen.sql.rules.native_types import column_type, list_of
from brimgen.sql.rules.postgres_catalogue import (
    ANYTHING,
    UNKNOWN,
    Choice,
    common_type,
    resolve_call,
    resolve_operator,
)
from brimgen.sql.values import NOTHING_KNOWN, Meaning, Nulls, Refused, Value

_NAMES = {
    "smallint": "int2",
    "integer": "int4",
    "bigint": "int8",
    "real": "float4",
    "double precision": "float8",
    "boolean": "bool",
    "character varying": "varchar",
    "character": "bpchar",
    "time without time zone": "time",
    "time with time zone": "timetz",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamptz",
    "bit varying": "varbit",
}
"""The names of types in the catalogue, where SQL has another one."""
_PRINTED = {internal: printed for printed, internal in _NAMES.items()}

_MAYBE_OPERATORS = {"->", "->>", "#>", "#>>"}
_LOOSE_OPERATORS = {"@?", "@@"}


class PostgresRules:
    """The rules of PostgreSQL, with the enums and functions of a schema."""

    strings_are_open = True
    dialect = "postgres"

    def __init__(self, enums: Mapping[str, tuple[str, ...]]) -> None:
        self._enums = enums

    def call(self, name: str, values: Sequence[Value]) -> Meaning | Refused | None:
        """Return what a call means; None where the name is of no function of PostgreSQL."""
        types = tuple(map(self._name, values))
        choices = resolve_call(name, types)
        if choices is None:
            return None
        if not choices:
            return self._refuse_call(name, types)
        meaning = self._meaning(choices)
        return meaning._replace(nulls=_nulls(name, choices[0]))

    def operator(self, symbol: str, values: Sequence[Value]) -> Meaning | Refused:
        """Return what an operator means for one or two operands."""
        types = tuple(map(self._name, values))
        choices = resolve_operator(symbol, types)
        if choices is None:
            return NOTHING_KNOWN
        if not choices:
            shown = f" {symbol} ".join(map(self._display_name, types))
            if len(types) == 1:
                shown = f"{symbol} {self._display_name(types[0])}"
            return Refused(
                Mistake.MISMATCHED_TYPES, f"there is no operator `{shown}`", symbol
            )
        meaning = self._meaning(choices)
        nulls = Nulls.STRICT
        if symbol in _MAYBE_OPERATORS:
            nulls = Nulls.MAYBE
        elif symbol in _LOOSE_OPERATORS or (
            symbol == "||" and (meaning.type is None or meaning.type.base is Base.LIST)
        ):
            nulls = Nulls.LOOSE
        return meaning._replace(nulls=nulls)

    def common(self, values: Sequence[Value]) -> ColumnType | Refused | None:
        """Return the type that values of CASE, COALESCE, UNION and the like have together."""
        names = [self._name(value) for value in values]
        shared = common_type(names)
        if shared is None:
            shown = [
                self._display_name(operand)
                for operand in dict.fromkeys(names)
                if operand != UNKNOWN
            ]
            return Refused(
                Mistake.MISMATCHED_TYPES, f"{' and '.join(shown)} have no common type"
            )
        if shared == UNKNOWN:
            return self.type_named("text")
        same = [value.type for value in values if value.type and not value.open]
        if same and all(type == same[0] for type in same):
            return same[0]
        return self.type_named(shared)

    def casts(self, source: Value, target: ColumnType) -> str:
        """Return how a value is cast: i implicitly, a where it is stored, e explicitly."""
        return catalogue.cast_kind(self._name(source), self.internal_name(target))

    def _meaning(self, choices: tuple[Choice, ...]) -> Meaning:
        """What choices have in common."""
        first = choices[0]
        results = {choice.result for choice in choices}
        result = first.result if len(results) == 1 else ANYTHING
        arguments = tuple(
            types[0] if len(set(types)) == 1 else ANYTHING
            for types in zip(*[choice.arguments for choice in choices], strict=True)
        )
        return Meaning(
            self.type_named(result),
            tuple(map(self.type_named, arguments)),
            first.signature.kind,
        )

    def _refuse_call(self, name: str, types: tuple[str, ...]) -> Meaning | Refused:
        if ANYTHING in types:
            return NOTHING_KNOWN
        shown = ", ".join(map(self._display_name, types))
        overloads = catalogue.functions(name) or ()
        return Refused(
            Mistake.WRONG_ARGUMENTS,
            f"there is no function `{name}({shown})`",
            name,
            tuple(
                f"{name}({', '.join(map(self._display_name, overload.arguments))})"
                for overload in overloads[:4]
            ),
        )

    def _name(self, value: Value) -> str:
        if value.open:
            return UNKNOWN
        return self.internal_name(value.type)

    def internal_name(self, type: ColumnType | None) -> str:
        """Return the name of a type in the catalogue; `ANYTHING` where it is not in it."""
        if type is None:
            return ANYTHING
        if type.base is Base.LIST:
            inner = self.internal_name(type.item)
            return f"_{inner}" if inner else ANYTHING
        if type.base is Base.ENUM:
            return f"enum {type.native}"
        head, _, rest = type.native.partition("(")
        plain_name = f"{head}{rest.partition(')')[2]}".strip()
        name = _NAMES.get(plain_name, plain_name)
        return name if name in catalogue.catalogue().categories else ANYTHING

    def type_named(self, name: str) -> ColumnType | None:
        """Return the type of a name in the catalogue; None for `ANYTHING` and pseudo types."""
        if name.startswith("_"):
            item = self.type_named(name[1:])
            return item and list_of("postgres", item)
        if name.startswith("enum "):
            native = name[5:]
            return ColumnType(Base.ENUM, native, self._enums.get(native, ()))
        pseudo = catalogue.catalogue().categories.get(name) == "P"
        if name in (ANYTHING, UNKNOWN) or (pseudo and name != "void"):
            return None
        return column_type("postgres", _PRINTED.get(name, name))

    def _display_name(self, name: str) -> str:
        if name == UNKNOWN:
            return "unknown"
        type = self.type_named(name)
        return type.native if type is not None else name

    def outputs(self, name: str) -> tuple[tuple[str, ColumnType | None], ...]:
        """Return the named columns of a function in FROM; none where it has none."""
        return tuple(
            (column, self.type_named(type))
            for column, type in catalogue.outputs_of(name)
        )

    def nearest(self, name: str) -> tuple[str, ...]:
        """Return the functions whose names resemble a name."""
        return did_you_mean(name, catalogue.catalogue().offered)


@cache
def _nulls_by_name() -> Mapping[str, Nulls]:
    """When a call is NULL, by the name of the function, as `postgres_nulls.txt` lists them."""
    path = Path(__file__).parent / "catalogues" / "postgres_nulls.txt"
    sections = path.read_text(encoding="ascii").split("[")[:0:-1]
    headed = (section.partition("]") for section in sections)
    return {name: Nulls(word) for word, _, names in headed for name in names.split()}


def _nulls(name: str, choice: Choice) -> Nulls:
    """When a call is NULL, by the name of the function."""
    signature, nulls = choice.signature, _nulls_by_name().get(name, Nulls.LOOSE)
    if nulls not in (Nulls.STRICT, Nulls.LOOSE):
        return nulls
    if not signature.strict or signature.kind == "a":
        return Nulls.UNSURE
    if name == "substring" and "text" not in signature.arguments[1:]:
        return Nulls.STRICT
    has_range = any(argument.endswith("range") for argument in signature.arguments)
    return Nulls.LOOSE if has_range else nulls
