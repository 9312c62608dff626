"""The views that the templates of SQL modules print."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class ParamLine:
    """A parameter of a statement, as ``PARAMS`` has it."""

    name: Code
    type: Code
    nullable: Code
    origin: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundValue:
    """A value that a driver binds, as ``encoded``; ``key`` is that of the value in a dict.

    ``items`` is the variable of a list that is bound item by item instead.
    """

    key: Code
    items: Code | None = None
    encoded: Code


@dataclass(frozen=True, slots=True)
class ExpandedList:
    """A list whose items are bound one by one: ``items`` is the variable of them."""

    items: Code
    encoder: Code
    attribute: Code
    name: Code


@dataclass(frozen=True, slots=True)
class ExpandedPlace:
    """A place in the statement at which a list stands."""

    key: Code
    items: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """How lists get into the text of a statement.

    ``mark`` is the placeholder of an item, ``empty`` what stands for a list of none, and ``row`` a
    query of one item where the database takes only so many of them.
    """

    lists: Sequence[ExpandedList]
    places: Sequence[ExpandedPlace]
    mark: Code
    empty: Code
    row: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlDriver:
    """The part of one driver in a module; ``like`` is the earlier driver that it equals, if any.

    ``text`` is None where it is that of the spec. ``takes_nothing``: not even no arguments.
    ``renders``: the function gives the text, too.

    ``variants`` are the texts that arguments choose between, ``writers`` their functions, each
    once, and ``by_variant`` the table of both. ``is_variant``: it is one of those; it
    ``gives_text`` if it returns its text too, because lists expand in one of the texts.
    """

    name: Code
    key: Code
    renders: bool
    constant: Code
    like: SqlDriver | None
    text: Code | None
    function: Code
    result: Code
    takes_nothing: bool
    is_positional: bool
    values: Sequence[BoundValue]
    expansion: Expansion | None
    is_variant: bool = False
    gives_text: bool = False
    writers: Sequence[SqlDriver] = ()
    variants: Sequence[SqlVariant] = ()
    by_variant: Code | None = None


@dataclass(frozen=True, slots=True)
class SqlVariant:
    """A variant of a statement for one driver; ``key`` is what is chosen, as a tuple."""

    key: Code
    driver: SqlDriver


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A column or member that is read: ``_decode.verb(cells, key, reader)``.

    ``attribute`` is that of an entity which gets the value.
    """

    key: Code
    attribute: Code
    verb: Code
    reader: Code
    may_be_null: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordBody:
    """How cells become a ``TypedDict``; ``order`` are its names, where optional ones stand between
    others.
    """

    type: Code
    required: Sequence[Cell]
    optional: Sequence[Cell]
    order: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityBody:
    """How cells become an entity: by its ``document``, or else from ``cells``; the ``optional``
    ones have their own defaults. ``nulls`` is the attribute that names those of ``nullable`` that
    are NULL.
    """

    name: Code
    document: Code | None = None
    cells: Sequence[Cell] = ()
    optional: Sequence[Cell] = ()
    nulls: Code = Code("")
    nullable: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlFunction:
    """A function that reads a part of a row: a ``record``, or an open ``document``."""

    name: Code
    result: Code
    record: RecordBody | None
    document: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decode:
    """The function ``decode``: it makes an ``entity``, a ``record``, a ``document``, what
    ``reader`` reads from the only column, or a dict of all columns.

    ``encode`` is what makes JSON of a row, where that needs to be told.
    """

    result: Code
    entity: EntityBody | None = None
    record: RecordBody | None = None
    document: Code | None = None
    reader: Code | None = None
    encode: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageKey:
    """A key of a page: the argument ``name``, its attribute, and the ``value`` in ``row``."""

    name: Code
    argument: Code
    value: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlModule:
    """``<package>/sql/<tool>.py``; ``records`` are the classes of rows and their parts.

    ``statement`` is the class of what runs it, by what becomes of its rows; ``methods`` are those
    of it that the module has as functions.
    ``page_keys`` are those of a list that is read page by page.
    ``choice`` is the tuple of the values of a call that choose the text, if any do.
    """

    header: Code
    tool: Code
    tool_name: Code
    bound_class: Code
    input_class: Code
    imports: Sequence[Code]
    call_class: Code
    source: Code
    choice: Code | None
    params: Sequence[ParamLine]
    kind: Code
    drivers: Sequence[SqlDriver]
    records: Sequence[Code]
    functions: Sequence[SqlFunction]
    decode: Decode | None
    statement: Code
    methods: Sequence[Code]
    page_keys: Sequence[PageKey] = ()

    @property
    def has_footer(self) -> bool:
        """Whether anything has a second name."""
        return self.decode is not None or any(driver.like for driver in self.drivers)
