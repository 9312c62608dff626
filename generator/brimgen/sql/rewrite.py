"""Rewrite a scanned statement for one driver; only parameters change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from brimgen.frozen import dataclass, field
from brimgen.sql import Statement, TokenKind
from brimgen.sql.added_casts import (
    CASTING,
    added_cast,
    array_type,
    instant_form,
    is_cut,
    is_made_zoned,
)
from brimgen.sql.dialects import DIALECTS, Lists
from brimgen.sql.drivers import TYPED, Driver, Style
from brimgen.sql.kinds import SqlKind
from brimgen.sql.parameter_types import SqlType, full_type_name, type_name
from brimgen.sql.tokens import QUOTED_TEXT, words
from brimgen.sql.uses import Place, Role

_NEVER_NULL = (Lists.EXPAND, Lists.TYPED)
MARKS: Mapping[Style, str] = {
    Style.PYFORMAT: "%({})s",
    Style.FORMAT: "%s",
    Style.QMARK: "?",
    Style.NAMED: ":{}",
    Style.TEXT_CLAUSE: ":{}",
    Style.DOLLAR: "${}",
    Style.NUMERIC: "${}",
    Style.TYPED_PYFORMAT: "%({}:{})s",
    Style.TYPED_BRACES: "{{{}:{}}}",
}
"""Placeholders: of a key, of a number where they are numbered; with a type after it, if typed."""
_ORACLE_WORDS = words(
    """ACCESS ADD ALL ALTER AND ANY AS ASC AUDIT BETWEEN BY CHAR CHECK CLUSTER COLUMN COMMENT
    COMPRESS CONNECT CREATE CURRENT DATE DECIMAL DEFAULT DELETE DESC DISTINCT DROP ELSE EXCLUSIVE
    EXISTS FILE FLOAT FOR FROM GRANT GROUP HAVING IDENTIFIED IMMEDIATE IN INCREMENT INDEX INITIAL
    INSERT INTEGER INTERSECT INTO IS LEVEL LIKE LOCK LONG MAXEXTENTS MINUS MLSLABEL MODE MODIFY
    NOAUDIT NOCOMPRESS NOT NOWAIT NULL NUMBER OF OFFLINE ON ONLINE OPTION OR ORDER PCTFREE PRIOR
    PUBLIC RAW RENAME RESOURCE REVOKE ROW ROWID ROWNUM ROWS SELECT SESSION SET SHARE SIZE SMALLINT
    START SUCCESSFUL SYNONYM SYSDATE TABLE THEN TO TRIGGER UID UNION UNIQUE UPDATE USER VALIDATE
    VALUES VARCHAR VARCHAR2 VIEW WHENEVER WHERE WITH"""
)
_FOLDING = frozenset({"duckdb", "oracle", "bigquery"})
"""Dialects for which `:a` and `:A` are one parameter; in the others each name is its own key."""


class Slot(NamedTuple):
    """A value that is bound: of which parameter, under which key.

    ``given`` slots stand where only "is it NULL" is asked; they have a key of their own so that
    the database need not find one type for both uses. So do further uses whose type may differ
    (``use``, which counts from 1).
    """

    name: str
    key: str
    given: bool = False
    use: int = 1


@dataclass(frozen=True, slots=True)
class Expansion:
    """The right side of IN, made of one placeholder an item when the list is known."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class DriverText:
    """The text for one driver, in pieces around expansions, and what is bound in which order.

    ``order`` has each slot once for dicts and numbered placeholders, once a use for the others.
    ``casts`` tells where a type was added: parameter, type. ``expansions`` are the lists that
    expand, in order of their places.
    """

    pieces: tuple[str | Expansion, ...]
    order: tuple[Slot, ...]
    casts: tuple[tuple[str, str], ...]
    expansions: tuple[Slot, ...]

    @property
    def text(self) -> str | None:
        """The whole text, where it is known at build time."""
        first = self.pieces[0]
        return first if len(self.pieces) == 1 and isinstance(first, str) else None

    @property
    def with_one_each(self) -> str:
        """The text with a list of one item in each place, for drivers that write ``?``."""
        return "".join(
            piece if isinstance(piece, str) else "(?)" for piece in self.pieces
        )


@dataclass(slots=True)
class Rewriter:
    """Writes one statement for one driver."""

    statement: Statement
    places: tuple[Place, ...]
    types: Mapping[str, SqlType]
    driver: Driver
    escape: tuple[str, str] | None = None
    texts: list[str] = field(default_factory=list[str])
    pieces: list[str | Expansion] = field(default_factory=list[str | Expansion])
    slots: list[Slot] = field(default_factory=list[Slot])
    expanded: list[Slot] = field(default_factory=list[Slot])
    numbers: dict[Slot, int] = field(default_factory=dict[Slot, int])
    casts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    uses: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])

    def run(self) -> DriverText:
        """Return the text for the driver."""
        types = self.types
        parameters = [
            (place, name, types[name])
            for place in self.places
            if (name := place.token.text[1:]) in types
        ]
        self.escape = self._escape(binds=bool(parameters))
        keeps, position = self._keeps(), 0
        for place, name, type in parameters:
            slot = slot_of(self.statement, name)
            if keeps and not type.is_list and slot.key == name:
                self.slots.append(slot)
            else:
                self._copy(position, place.start)
                self._use(place, slot, type)
                position = place.end
        self._copy(position, len(self.statement.text))
        self._end_piece()
        each_use = self.driver.style in (Style.FORMAT, Style.QMARK)
        return DriverText(
            tuple(self.pieces) or ("",),
            tuple(self.slots if each_use else dict.fromkeys(self.slots)),
            tuple(dict.fromkeys(self.casts)),
            tuple(self.expanded),
        )

    def _keeps(self) -> bool:
        """Whether the driver takes most parameters as the author wrote them."""
        casts = self.statement.dialect.name in CASTING
        return self.driver.style is Style.NAMED and not casts and not self.escape

    def _escape(self, *, binds: bool) -> tuple[str, str] | None:
        """Return what the driver would misread in a text, and its escaped form."""
        if self.driver.style is Style.TEXT_CLAUSE:
            return ":", "\\:"
        doubled = self.driver.unescapes or (self.driver.percent and binds)
        return ("%", "%%") if doubled else None

    def _write(self, text: str) -> None:
        self.texts.append(text.replace(*self.escape) if self.escape else text)

    def _bind(self, slot: Slot) -> None:
        self.slots.append(slot)
        style = self.driver.style
        if style is Style.NUMERIC:
            number: str | int = self.numbers.setdefault(slot, len(self.numbers) + 1)
            self.texts.append(MARKS[style].format(number))
        elif style in TYPED:
            self.texts.append(MARKS[style].format(slot.key, self._written_type(slot)))
        else:
            self.texts.append(MARKS[style].format(slot.key))

    def _expand(self, slot: Slot) -> None:
        self.slots.append(slot)
        self.expanded.append(slot)
        self._end_piece()
        self.pieces.append(Expansion(slot))

    def _end_piece(self) -> None:
        text = "".join(self.texts)
        if text:
            self.pieces.append(text)
        self.texts.clear()

    def _written_type(self, slot: Slot) -> str:
        """Return the type that a placeholder carries; for "is it NULL" that of a number."""
        dialect, type = self.statement.dialect.name, self.types[slot.name]
        if slot.given:
            type = SqlType(kind=SqlKind.INT, nullable=True)
        if dialect == "bigquery" and type.kind is SqlKind.JSON:
            type = SqlType(kind=SqlKind.TEXT, nullable=type.nullable)
        name = full_type_name(type, dialect)
        nullable = dialect == "clickhouse" and type.nullable and not type.is_list
        return f"Nullable({name})" if nullable else name

    def _copy(self, start: int, end: int) -> None:
        """Copy the author's text, except ``\\:`` and comments that the driver misreads."""
        text = self.statement.text[start:end]
        if not ("\\:" in text or self._is_stripped(text)):
            self._write(text)
            return
        for token in self.statement.tokens:
            if start <= token.start < end:
                plain = self._plain(token.kind, token.text)
                if self.driver.quotes and token.kind in QUOTED_TEXT:
                    self.texts.append(plain)
                else:
                    self._write(plain)

    def _plain(self, kind: TokenKind, text: str) -> str:
        if kind is TokenKind.COMMENT and self._is_stripped(text):
            return " "
        if "\\:" not in text:
            return text
        if self.statement.dialect.backslash and kind is TokenKind.STRING:
            return re.sub(r"(?<!\\)((?:\\\\)*)\\:", r"\1:", text)
        return text.replace("\\:", ":")

    def _is_stripped(self, text: str) -> bool:
        """Whether comments in ``text`` are left out."""
        misreads = self.driver.misreads
        return self.driver.strips_comments or bool(misreads and misreads in text)

    def _use(self, place: Place, slot: Slot, type: SqlType) -> None:
        if place.role is not Role.IN_LIST:
            self._value(place, slot, type)
        elif type.is_list:
            self._in_list(place, slot, type)
        else:
            text, token = self.statement.text, place.token
            self._write(text[place.start : token.start])
            self._value(place, slot, type)
            self._write(text[token.end : place.end])

    def _wrapped(self, before: str, slot: Slot, after: str) -> None:
        self._write(before)
        self._bind(slot)
        self._write(after)

    def _value(self, place: Place, slot: Slot, type: SqlType) -> None:
        name, dialect = slot.name, self.statement.dialect.name
        if dialect == "bigquery" and type.kind is SqlKind.JSON:
            self._json(place, slot)
            return
        if not type.is_list and dialect not in CASTING:
            self._bind(slot)
            return
        if self._takes_its_type(type):
            self._instant(place, type)
            return
        cast = added_cast(self.statement, place, type, self.types)
        if place.role is Role.PATH and not (cast or place.cast or type.is_list):
            self.casts.append((name, "text[]"))  # the text of a list: '{a,b}'
            self._wrapped("CAST(", slot, " AS text)::text[]")
            return
        if place.role is Role.NULL_TEST and self._needs_null_slot(name, type, cast):
            slot = slot_of(self.statement, name, given=True)
        if not cast:
            self._typed(place, slot, type)
        elif type.is_list and place.subscripted:
            self._cast("(", slot, "::", cast, ")")
        elif type.is_list and place.role is not Role.NULL_TEST:
            self._cast("", slot, "::", cast, "")
        else:
            self._cast("CAST(", slot, " AS ", cast, ")")

    def _takes_its_type(self, type: SqlType) -> bool:
        dialect = self.statement.dialect.name
        return takes_its_type(type, untyped_by(self.driver, dialect), dialect)

    def _cast(self, before: str, slot: Slot, verb: str, cast: str, after: str) -> None:
        self.casts.append((slot.name, cast))
        self._wrapped(before, slot, f"{verb}{cast}{after}")

    def _instant(self, place: Place, type: SqlType) -> None:
        """Write an instant, or a list of them, whose type the server infers."""
        name = place.token.name
        if place.role is Role.NULL_TEST:
            self._write_null_test(name, type)
            return
        form = instant_form(self.statement, place, type)
        uses = self.uses.setdefault(name, {})
        use = uses.setdefault(form.kind, len(uses) + 1)
        slot = slot_of(self.statement, name, use=use)
        if form.cast:
            self.casts.append((name, form.cast))
        self._wrapped(form.before, slot, form.after)

    def _write_null_test(self, name: str, type: SqlType) -> None:
        """Write an instant of which the statement only asks whether it is NULL."""
        if self.statement.dialect.name != "postgres":
            self._bind(slot_of(self.statement, name))
            return
        slot = slot_of(self.statement, name, given=True)
        self._cast("CAST(", slot, " AS ", full_type_name(type, "postgres"), ")")

    def _json(self, place: Place, slot: Slot) -> None:
        """JSON as text that BigQuery parses: its driver knows no parameters of that type."""
        is_parsed = place.function == "parse_json"
        self._wrapped(*(("", slot, "") if is_parsed else ("PARSE_JSON(", slot, ")")))

    def _typed(self, place: Place, slot: Slot, type: SqlType) -> None:
        """Write a value, with its type where a driver would cut it to the type of its
        neighbours.
        """
        cast = type_name(type, self.statement.dialect.name)
        if is_made_zoned(self.statement, place, type):
            # The cast of the author would read it in the time zone of the session.
            self._cast("(CAST(", slot, " AS ", cast, ") AT TIME ZONE 'UTC')")
        elif not (self._cuts() and is_cut(type)):
            self._bind(slot)
        elif self.driver.style is Style.TEXT_CLAUSE:
            self._cast("CAST(", slot, " AS ", cast, ")")
        else:
            self._cast("", slot, "::", cast, "")

    def _cuts(self) -> bool:
        return self.driver.cuts and self.statement.dialect.name == "postgres"

    def _needs_null_slot(self, name: str, type: SqlType, cast: str) -> bool:
        """Whether "is it NULL" is asked of a separate value, as a string may be an enum too."""
        if type.is_list and self.statement.dialect.lists in _NEVER_NULL:
            return True
        uses = (place for place in self.places if place.token.name == name)
        is_used = any(use.role is not Role.NULL_TEST for use in uses)
        return bool(cast) and type.kind is SqlKind.TEXT and is_used

    def _in_list(self, place: Place, slot: Slot, type: SqlType) -> None:
        verb = "NOT IN " if place.negated else "IN "
        dialect = self.statement.dialect.name
        match DIALECTS[dialect].lists:
            case Lists.EXPAND:
                self._write(verb)
                self._expand(spread_of(self.statement, slot))
            case Lists.JSON if dialect == "tsql":
                after = f") WITH (v {type_name(type, dialect)} '$'))"
                self._wrapped(f"{verb}(SELECT v FROM OPENJSON(", slot, after)
            case Lists.JSON:
                self._wrapped(f"{verb}(SELECT value FROM json_each(", slot, "))")
            case Lists.TYPED if dialect == "bigquery":
                self._wrapped(f"{verb}UNNEST(", slot, ")")
            case Lists.TYPED:
                self._wrapped(verb, slot, "")
            case Lists.ARRAY:
                self._in_array(place, type, slot)

    def _in_array(self, place: Place, type: SqlType, slot: Slot) -> None:
        if not place.tight and self._takes_its_type(type):
            self._write("<> ALL(" if place.negated else "= ANY(")
            self._instant(place, type)
            self._write(")")
            return
        dialect = self.statement.dialect.name
        cast = array_type(type, dialect, typed=not place.tight)
        if cast:
            self.casts.append((place.token.name, cast))
        suffix = f"::{cast}" if cast else ""
        if place.tight:
            verb = "NOT IN" if place.negated else "IN"
            self._wrapped(f"{verb} (SELECT unnest(", slot, f"{suffix}))")
        else:
            verb = "<> ALL" if place.negated else "= ANY"
            self._wrapped(f"{verb}(", slot, f"{suffix})")


def rewrite(
    statement: Statement,
    places: tuple[Place, ...],
    types: Mapping[str, SqlType],
    driver: Driver,
) -> DriverText:
    """Rewrite ``statement`` for ``driver``; every parameter must be in ``types``."""
    return Rewriter(statement, places, types, driver).run()


def slot_of(
    statement: Statement, name: str, *, given: bool = False, use: int = 1
) -> Slot:
    """Return the slot of a parameter; ``given`` where only "is it NULL" is asked."""
    key, dialect = name, statement.dialect.name
    if dialect in _FOLDING:
        if dialect == "oracle":
            odd = key.upper() in _ORACLE_WORDS or not key.isascii() or key[0] == "_"
            plain = key.strip("_") if key.isascii() else ""
            key = f"b{statement.names.index(name)}_{plain}" if odd else key
        key = _distinct_key(statement, name, key)
    if given or use > 1:
        key = f"{key}__{'given' if given else use}"
        while key in statement.names:
            key += "_"
    return Slot(name, key, given, use)


def _distinct_key(statement: Statement, name: str, key: str) -> str:
    """Return the key of a parameter; a different one where only its case sets it apart from
    others.
    """
    folded = [parameter.lower() for parameter in statement.names]
    if folded.count(name.lower()) > 1:
        key = f"{key}_{statement.names.index(name)}"
        while key.lower() in folded:
            key += "_"
    return key


def spread_of(statement: Statement, slot: Slot) -> Slot:
    """Return a list whose items have keys that no other parameter has."""
    key = slot.key
    while any(name.startswith(f"{key}__") for name in statement.names):
        key += "_"
    return slot._replace(key=key)


def untyped_by(driver: Driver, dialect: str) -> str:
    """Return how a driver binds values whose type the server infers (`Driver.untyped`)."""
    return "text" if dialect == "duckdb" else driver.untyped


def takes_its_type(type: SqlType, untyped: str, dialect: str) -> bool:
    """Whether an instant takes the type of the column beside it; ``untyped`` is of its driver."""
    declared = type.kind is not SqlKind.DATETIME or type.zoned or type.naive
    return bool(untyped) and not (declared or (type.is_list and dialect == "duckdb"))


def is_untyped(type: SqlType, untyped: str, dialect: str) -> bool:
    """Whether the server infers the type of a value: of an instant, or of a list of strings."""
    by_text = untyped == "text" and dialect == "postgres"
    is_text_list = by_text and type.is_list and type.kind is SqlKind.TEXT
    return is_text_list or takes_its_type(type, untyped, dialect)
