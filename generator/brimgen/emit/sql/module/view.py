"""The views that the templates of SQL modules print."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlDriver:
    """The part of one driver in a module; ``like`` is the earlier driver that it equals, if any.

    ``text`` is None where it is that of the spec. ``renders``: what ``binder`` makes gives the
    text, too. ``variants`` are the texts that arguments choose between, by their constants, and
    ``writers`` what binds for them, each once, by its name.
    """

    key: Code
    name: Code
    renders: bool
    constant: Code
    like: SqlDriver | None
    text: Code | None
    function: Code
    binder: Code
    writers: Sequence[tuple[Code, Code]] = ()
    variants: Sequence[tuple[Code, Code]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decode:
    """What makes ``decode``, of which ``result`` is the type of a row.

    ``encode`` is what makes JSON of a row, where that needs to be told.
    """

    result: Code
    decode: Code
    encode: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageKey:
    """A key of a page: the argument ``name``, its attribute, and the ``value`` in ``row``."""

    name: Code
    argument: Code
    value: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryModule:
    """``<package>/sql/<tool>.py`` of queries that the caller writes."""

    header: Code
    tool: Code
    imports: Sequence[Code]
    call_class: Code
    dialect: Code
    drivers: Code
    tables: Code
    most: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlModule:
    """``<package>/sql/<tool>.py``; ``records`` are the classes of rows and their parts.

    ``statement`` is the class of what runs it, by what becomes of its rows; ``methods`` are those
    of it that the module has as functions.
    ``page_keys`` are those of a list that is read page by page. ``copied`` are the table and the
    columns that COPY stores rows in.
    """

    header: Code
    tool: Code
    tool_name: Code
    bound_class: Code
    imports: Sequence[Code]
    call_class: Code
    source: Code
    params: Sequence[Code]
    kind: Code
    drivers: Sequence[SqlDriver]
    records: Sequence[Code]
    functions: Sequence[tuple[Code, Code]]
    decode: Decode | None
    statement: Code
    methods: Sequence[Code]
    page_keys: Sequence[PageKey] = ()
    copied: Sequence[Code] = ()

    @property
    def has_footer(self) -> bool:
        """Whether anything has a second name."""
        return self.decode is not None or any(driver.like for driver in self.drivers)
