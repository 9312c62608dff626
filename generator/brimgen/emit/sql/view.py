"""The views that the templates of the SQL target print."""

from __future__ import annotations

from brimgen.emit.code import Code
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlDriver:
    """The part of one driver in a module; ``like`` is the earlier driver that it equals, if
    any.
    """

    suffix: Code
    constant: Code
    like: Code | None
    sql: Code
    function: Code
    head: Code
    doc: Code
    body: tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class SqlFunction:
    """A function that reads a part of a row."""

    head: Code
    body: tuple[Code, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlModule:
    """``<package>/sql/<tool>.py``."""

    header: Code
    title: Code
    imports: tuple[Code, ...]
    typing_imports: tuple[Code, ...]
    exported: Code
    source: Code
    params: Code
    kind: Code
    drivers: tuple[SqlDriver, ...]
    records: tuple[Code, ...]
    functions: tuple[SqlFunction, ...]
    decode_head: Code | None
    decode_body: tuple[Code, ...]
    aliases: tuple[Code, ...]
