"""Write the expressions that encode a parameter for a dialect, and statements as literals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.python import MODULES
from brimgen.emit.names import module_name
from brimgen.emit.python_text import constant_literal
from brimgen.emit.runtime_names import SQL_RUNTIME
from brimgen.sql.dialects import DIALECTS, Lists
from brimgen.sql.kinds import KINDS, SqlKind
from brimgen.sql.parameter_types import LeafForm, SqlType
from brimgen.sql.rewrite import is_untyped, takes_its_type

_SOURCES: Mapping[str, str] = {
    "_leaf": SQL_RUNTIME,
    "_spans": SQL_RUNTIME,
    "_leaves": "..",
    "UUID": "uuid",
    **{name: home for name, home in MODULES.items() if home == "datetime"},
}


def needed_by(functions: Iterable[str]) -> set[tuple[str, str]]:
    """Return what a module imports to call ``functions`` of leaves: pairs of a source and a
    name.
    """
    heads = {function.partition(".")[0] for function in functions}
    return {(_SOURCES[head], head) for head in heads if head in _SOURCES}


def dumping(form: LeafForm) -> str:
    """Return the function that makes JSON of a leaf; empty where it is JSON."""
    if form.is_uuid:
        return "_leaf.uuid_text"
    return f"_leaves.dump_{module_name(form.own)}" if form.own else ""


def parsing(form: LeafForm) -> str:
    """Return the function that makes a leaf of JSON; empty where it is JSON."""
    if form.is_uuid:
        return "UUID"
    return f"_leaves.parse_{module_name(form.own)}" if form.own else ""


@cache
def encoder(type: SqlType, dialect: str, untyped: str = "") -> Code:
    """Return the function that encodes a value of ``type`` that is not None."""
    instant = takes_its_type(type, untyped, dialect)
    row = KINDS[type.kind]
    name = row.encoders.get(dialect, row.encoder)
    as_json = type.is_list and DIALECTS[dialect].lists is Lists.JSON
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
    if type.leaf is not None and dumping(type.leaf):
        function = Code(f"_leaf.dumped({dumping(type.leaf)}, {function})")
    is_text = untyped == "text" and is_untyped(type, untyped, dialect)
    if type.is_list and is_text:
        return Code(f"_untyped.array_text({function})")
    if type.is_list:
        return Code(f"_encode.{'json_array' if as_json else 'array'}({function})")
    return function


_MARKS = re.compile(r'"{3,}|"+\Z')
"""What would end a literal in triple quotes."""


def text_literal(text: str) -> Code:
    """Return a string for the end of an assignment; several lines of it are kept between triple
    quotes.
    """
    if _is_plain(text):
        shown = text.replace("\\", "\\\\")
        if '"' in shown:
            shown = _MARKS.sub(_escaped, shown)
        return Code(f'"""\\\n{shown}"""')
    return constant_literal(text)


def _escaped(marks: re.Match[str]) -> str:
    return '\\"' * len(marks[0])


def _is_plain(text: str) -> bool:
    """Whether a reader sees the whole text: several lines of ASCII without spaces at their
    ends.
    """
    return (
        "\n" in text.rstrip("\n")
        and text.isascii()
        and text.replace("\n", "").isprintable()
        and " \n" not in f"{text}\n"
    )
