"""Values of operands, known or symbolic, and the results of functions on them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeAlias, cast

from brimgen.frozen import dataclass, replace
from brimgen.sqltext.tokens import words

Truth = frozenset[bool | None]
YES: Truth = frozenset({True})
NO: Truth = frozenset({False})
NULL: Truth = frozenset({None})
MAYBE: Truth = frozenset({True, False, None})


def rank(value: bool | None) -> int:
    """Order the truth values: AND takes the least of its operands, OR the greatest."""
    return {False: 0, None: 1, True: 2}[value]


def negated(truth: Truth) -> Truth:
    """Apply NOT to each truth value that is possible."""
    return frozenset(None if value is None else not value for value in truth)


def exclusive_or(values: tuple[bool | None, ...]) -> bool | None:
    """Apply XOR to the operands."""
    return None if None in values else sum(map(bool, values)) % 2 == 1


@dataclass(frozen=True, slots=True)
class Symbol:
    """A value that is not known.

    ``kind`` is `row` for a column of somebody else's row, `given` for a value that the host set;
    neither is NULL, and the two are never equal.
    """

    key: str
    kind: str = ""
    nullable: bool = True


Value: TypeAlias = "bool | Decimal | str | tuple[Value, ...] | Symbol | None"

CHOOSING = frozenset({"if", "iif", "decode", "nvl2"})
FIRST_VALUE = frozenset({"coalesce", "ifnull", "nvl", "isnull"})
_SAME = words("lower upper trim ltrim rtrim btrim str string text to_char to_text")
"""Functions that keep apart what is apart, near enough."""

_STRICT = _SAME | words("length len char_length cardinality array_length abs + - * / %")
_LENGTHS = words("length len char_length character_length cardinality array_length")
_SEARCHED_FOR = {
    **dict.fromkeys(("starts_with", "startswith", "prefix", "contains"), 1),
    **dict.fromkeys(("ends_with", "endswith", "suffix", "strpos", "instr"), 1),
    "locate": 0,
}
"""Functions that look for a text in another one, and which argument that text is."""

_EXTREMES = frozenset({"greatest", "least"})
_ALL_REGEX = re.compile(r"\^?(?:\.[*+]|\.)?\$?")
_SKIPS_NULL = {
    "concat": frozenset({"postgres", "duckdb", "tsql", "sqlite"}),
    "||": frozenset({"oracle"}),
}
"""Dialects in which NULL adds nothing to a text; in the others it makes NULL of it."""


def value_of(json: object) -> Value:
    """Convert a value of JSON; an object becomes an unknown value."""
    if json is None or isinstance(json, bool | str):
        return json
    if isinstance(json, int | float):
        return Decimal(str(json))
    if isinstance(json, list | tuple):
        return tuple(map(value_of, cast("Sequence[object]", json)))
    return Symbol("an object", nullable=False)


def key_of(value: Value) -> str:
    """Return a key that is the same for equal values only."""
    return value.key if isinstance(value, Symbol) else repr(value)


def compare(left: Value, right: Value, sign: str) -> bool | None:
    """Compare two values that are not NULL; None where the outcome is unknown."""
    if isinstance(left, Symbol) or isinstance(right, Symbol):
        return _compare_unknown(left, right, sign)
    if isinstance(left, tuple) or isinstance(right, tuple):
        return None
    if isinstance(left, str) != isinstance(right, str):
        return None
    if isinstance(left, str) and isinstance(right, str):
        if left != right and left.casefold() == right.casefold():
            return None  # that is for the collation to say
        return _has_order(left == right, left < right, sign)
    a, b = Decimal(left), Decimal(right)  # type: ignore[arg-type]
    return _has_order(a == b, a < b, sign)


def _has_order(same: bool, less: bool, sign: str) -> bool:
    answers = {
        "=": same,
        "<>": not same,
        "<": less,
        ">": not less and not same,
        "<=": less or same,
        ">=": not less,
    }
    return answers[sign]


def _compare_unknown(left: Value, right: Value, sign: str) -> bool | None:
    if key_of(left) == key_of(right):
        return sign in ("=", "<=", ">=")
    if sign not in ("=", "<>"):
        return None
    kinds = [
        value.kind if isinstance(value, Symbol) else "known" for value in (left, right)
    ]
    apart = {*kinds} in ({"row", "given"}, {"row", "known"}, {"given", "known"})
    return (sign == "<>") if apart else None


def accepts_all(kind: str, pattern: Value) -> bool:
    """Whether a pattern accepts every text, or every text that is not empty."""
    if not isinstance(pattern, str):
        return False
    if kind == "regex":
        return _ALL_REGEX.fullmatch(pattern) is not None
    return bool(pattern) and not pattern.strip("%_" if kind == "like" else "*?")


def call_value(name: str, arguments: Sequence[Value], dialect: str) -> Value:
    """Return what a function or an operator gives."""
    name = name.rpartition(".")[2]
    if name in FIRST_VALUE and len(arguments) > 1:
        return _first_value(arguments)
    if name == "nullif" and len(arguments) == 2:
        same = None in arguments or compare(arguments[0], arguments[1], "=")
        if same is None:
            return Symbol(f"nullif({key_of(arguments[0])}, {key_of(arguments[1])})")
        return None if same and None not in arguments else arguments[0]
    if name in ("concat", "||"):
        return _concatenation(name, arguments, dialect)
    if name in _EXTREMES and dialect in ("postgres", "duckdb"):
        arguments = [argument for argument in arguments if argument is not None]
        if len({*map(key_of, arguments)}) == 1:
            return arguments[0]
    if name in ("num_nulls", "num_nonnulls"):
        nulls = [argument is None for argument in arguments]
        if not any(
            isinstance(argument, Symbol) and argument.nullable for argument in arguments
        ):
            return Decimal(nulls.count(name == "num_nulls"))
    if name in _SEARCHED_FOR and len(arguments) > 1:
        if None in arguments:
            return None
        if arguments[_SEARCHED_FOR[name]] == "":  # every text starts with it
            return Decimal(1)
    if None in arguments and (name in _STRICT or name in _EXTREMES):
        return None
    return _strict_value(name, arguments)


def _strict_value(name: str, arguments: Sequence[Value]) -> Value:
    """Return what a strict function gives for values that are not NULL."""
    first = arguments[0] if arguments else None
    if len(arguments) == 1 and name in _SAME:
        if isinstance(first, Symbol):
            return replace(first, key=f"{name}({first.key})")
        if isinstance(first, str):
            return {"lower": first.lower(), "upper": first.upper()}.get(
                name, first.strip() if "trim" in name else first
            )
    if name in _LENGTHS and isinstance(first, str | tuple):
        return Decimal(len(first))
    return Symbol(f"{name}({', '.join(map(key_of, arguments))})")


def _first_value(arguments: Sequence[Value]) -> Value:
    """Return the first value that is not NULL."""
    unsure: list[Symbol] = []
    for value in arguments:
        if value is None:
            continue
        if isinstance(value, Symbol) and value.nullable:
            unsure.append(value)
        elif any(symbol.key != key_of(value) for symbol in unsure):
            break
        else:
            return value
    else:
        if not unsure:
            return None
        if len({symbol.key for symbol in unsure}) == 1:
            return unsure[0]
    return Symbol(f"coalesce({', '.join(map(key_of, arguments))})")


def _concatenation(name: str, arguments: Sequence[Value], dialect: str) -> Value:
    if dialect in _SKIPS_NULL[name]:
        arguments = [argument for argument in arguments if argument is not None] or [""]
    if None in arguments:
        return None
    if all(isinstance(argument, str) for argument in arguments):
        return "".join(map(str, arguments))
    return Symbol(f"concat({', '.join(map(key_of, arguments))})")


def constant(value: object) -> Value:
    """Return the value of a constant of the statement."""
    return value if isinstance(value, bool | Decimal | str) else None
