"""Suggest our type for a type name of another language."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS: Mapping[str, tuple[str, ...]] = {
    "string": (
        *("text", "char", "varchar", "nvarchar", "clob", "html", "markdown", "unicode"),
        *(
            "bytes",
            "blob",
            "binary",
            "email",
            "uri",
            "path",
            "password",
            "regex",
            "time",
            "enum",
        ),
    ),
    "int": (
        *("int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32"),
        *("uint64", "long", "short", "bigint", "smallint", "tinyint", "serial", "byte"),
    ),
    "float": ("float32", "float64", "real", "numeral"),
    "decimal": ("numeric", "money", "currency", "bigdecimal"),
    "bool": ("bit", "flag", "logical"),
    "datetime": ("timestamptz", "date-time", "date_time", "instant"),
    "object": (
        "map",
        "json",
        "jsonb",
        "record",
        "struct",
        "mapping",
        "hash",
        "namespace",
    ),
    "array": ("tuple", "set", "sequence", "vector", "slice", "iterable", "collection"),
    "primitive": ("scalar", "mixed", "variant"),
}
_MEANT: Mapping[str, str] = {
    each: word for word, foreign in _WORDS.items() for each in foreign
}
_NOTHING = frozenset({"none", "null", "nil", "unit", "nothing", "undefined"})


def meant(word: str, *, returns: bool = False) -> tuple[str, ...]:
    """Return the type word for ``word`` of another language, or nothing.

    What returns nothing is ``void``, where a tool says what it ``returns``.
    """
    folded = word.casefold()
    if folded in _NOTHING:
        return ("void",) if returns else ()
    return (_MEANT[folded],) if folded in _MEANT else ()
