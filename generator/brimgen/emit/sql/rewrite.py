"""Rewriting: a scanned statement in, the text for one driver out; only parameters change."""

from __future__ import annotations

import re
from collections.abc import Mapping

from brimgen.emit.sql.drivers import Lists, lists_of
from brimgen.emit.sql.mistaken import is_mistaken
from brimgen.emit.sql.rewritten import Rewritten
from brimgen.emit.sql.slots import Expansion, Slot, slot_of, spread_of
from brimgen.emit.sql.types import SqlKind, SqlType, full_type_name, type_name
from brimgen.frozen import dataclass, field
from brimgen.sqltext import Statement, TokenKind
from brimgen.sqltext.drivers import TYPED, Driver, Style
from brimgen.sqltext.places import Place, Role
from brimgen.sqltext.tokens import words

POLYMORPHIC = words(
    """concat concat_ws format jsonb_build_object json_build_object jsonb_build_array
    json_build_array to_json to_jsonb generate_series to_char date_trunc date_part pg_typeof
    num_nulls num_nonnulls quote_literal quote_nullable age abs row"""
)
_CUT = frozenset({SqlKind.DECIMAL, SqlKind.DATETIME})
"""A driver that cuts sends 1.25 as 1 beside an integer, an instant as its day beside a date."""
_CASTING = ("postgres", "duckdb")
"""Dialects in which ``::`` is a cast, and in which some values need one."""
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

    def run(self) -> Rewritten:
        """The text for the driver."""
        types = self.types
        known = [
            (place, name, types[name])
            for place in self.places
            if (name := place.token.text[1:]) in types
        ]
        self.escape = self._escape(binds=bool(known))
        keeps, position = self._keeps(), 0
        for place, name, type in known:
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
        return Rewritten(
            tuple(self.pieces) or ("",),
            tuple(self.slots if each_use else dict.fromkeys(self.slots)),
            tuple(dict.fromkeys(self.casts)),
            tuple(self.expanded),
        )

    def _keeps(self) -> bool:
        """Whether the driver takes most parameters as the author wrote them."""
        casts = self.statement.dialect.name in _CASTING
        return self.driver.style is Style.NAMED and not casts and not self.escape

    def _escape(self, *, binds: bool) -> tuple[str, str] | None:
        """What the driver would misread in a text, and how that is written instead."""
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
            known: str | int = self.numbers.setdefault(slot, len(self.numbers) + 1)
            self.texts.append(MARKS[style].format(known))
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
        """The type that a placeholder carries; of "is it NULL" that of a number."""
        dialect, type = self.statement.dialect.name, self.types[slot.name]
        if slot.given:
            type = SqlType(kind=SqlKind.INT, nullable=True)
        if dialect == "bigquery" and type.kind is SqlKind.JSON:
            type = SqlType(kind=SqlKind.TEXT, nullable=type.nullable)
        name = full_type_name(type, dialect)
        nullable = dialect == "clickhouse" and type.nullable and not type.is_list
        return f"Nullable({name})" if nullable else name

    def _copy(self, start: int, end: int) -> None:
        """The author's own text: as it is, but for ``\\:`` and comments a driver trips over."""
        text = self.statement.text[start:end]
        if "\\:" in text or self._is_stripped(text):
            text = "".join(
                self._plain(token.kind, token.text)
                for token in self.statement.tokens
                if start <= token.start < end
            )
        self._write(text)

    def _plain(self, kind: TokenKind, text: str) -> str:
        if kind is TokenKind.COMMENT and self._is_stripped(text):
            return " "
        if "\\:" not in text:
            return text
        if self.statement.dialect.backslash and kind is TokenKind.STRING:
            return re.sub(r"\\([\s\S])", _unescaped, text)
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
            before = text[place.start : token.start]
            self._wrapped(before, slot, text[token.end : place.end])

    def _wrapped(self, before: str, slot: Slot, after: str) -> None:
        self._write(before)
        self._bind(slot)
        self._write(after)

    def _value(self, place: Place, slot: Slot, type: SqlType) -> None:
        name, dialect = slot.name, self.statement.dialect.name
        if dialect == "bigquery" and type.kind is SqlKind.JSON:
            self._json(place, slot)
            return
        if not type.is_list and dialect not in _CASTING:
            self._bind(slot)
            return
        cast = self._cast(place, type)
        if place.role is Role.PATH and not (cast or place.cast or type.is_list):
            self.casts.append((name, "text[]"))  # the text of a list: '{a,b}'
            self._wrapped("CAST(", slot, " AS text)::text[]")
            return
        if place.role is Role.NULL_TEST and self._asks_apart(name, type, cast):
            slot = slot_of(self.statement, name, given=True)
        if not cast:
            self._typed(slot, type)
            return
        self.casts.append((name, cast))
        if type.is_list and place.subscripted:
            self._wrapped("(", slot, f"::{cast})")
        elif type.is_list and place.role is not Role.NULL_TEST:
            self._wrapped("", slot, f"::{cast}")
        else:
            self._wrapped("CAST(", slot, f" AS {cast})")

    def _json(self, place: Place, slot: Slot) -> None:
        """JSON as text that BigQuery parses: its driver knows no parameters of that type."""
        is_parsed = place.function == "parse_json"
        self._wrapped(*(("", slot, "") if is_parsed else ("PARSE_JSON(", slot, ")")))

    def _typed(self, slot: Slot, type: SqlType) -> None:
        """A value, with its type where a driver would cut it to the type of its neighbours."""
        self._bind(slot)
        if self.driver.cuts and type.kind in _CUT and not type.is_list:
            cast = type_name(type, self.statement.dialect.name)
            self.casts.append((slot.name, cast))
            self._write(f"::{cast}")

    def _asks_apart(self, name: str, type: SqlType, cast: str) -> bool:
        """Whether "is it NULL" is asked of a value of its own."""
        if type.is_list and lists_of(self.statement.dialect.name) in _NEVER_NULL:
            return True
        return bool(cast) and self._is_guessed(name, type)

    def _is_guessed(self, name: str, type: SqlType) -> bool:
        """Whether another use of a string takes the type of what it is compared with."""
        return type.kind is SqlKind.TEXT and any(
            each.token.name == name and each.role is not Role.NULL_TEST
            for each in self.places
        )

    def _cast(self, place: Place, type: SqlType) -> str:
        """The type to add at a place, where the database could not know it (sql.md 1.7)."""
        dialect = self.statement.dialect.name
        if dialect not in _CASTING:
            return ""
        is_known = dialect != "postgres" or type.is_list
        if not is_known and is_mistaken(self.statement, place, type):
            return full_type_name(type, dialect)
        if place.cast:
            return ""
        if type.is_list and place.role is not Role.NULL_TEST:
            typed = place.role in (Role.QUANTIFIED, Role.IN_LIST)
            return self._array_type(type, typed=typed)
        if dialect != "postgres" or not type_name(type, dialect):
            return ""
        untyped = place.role in (Role.NULL_TEST, Role.SELECT_ITEM)
        if untyped or place.function in POLYMORPHIC:
            return full_type_name(type, dialect)
        return ""

    def _array_type(self, type: SqlType, *, typed: bool) -> str:
        """The array type of a list; strings take that of the column they are compared with."""
        dialect = self.statement.dialect.name
        if dialect == "postgres" and typed and type.kind is SqlKind.TEXT:
            return ""
        if dialect == "duckdb" and type.kind is SqlKind.DECIMAL and not type.digits:
            return ""
        return full_type_name(type, dialect)

    def _in_list(self, place: Place, slot: Slot, type: SqlType) -> None:
        verb = "NOT IN " if place.negated else "IN "
        dialect = self.statement.dialect.name
        match lists_of(dialect):
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
        cast = self._array_type(type, typed=not place.tight)
        if cast:
            self.casts.append((place.token.name, cast))
        suffix = f"::{cast}" if cast else ""
        if place.tight:
            verb = "NOT IN" if place.negated else "IN"
            self._wrapped(f"{verb} (SELECT unnest(", slot, f"{suffix}))")
        else:
            verb = "<> ALL" if place.negated else "= ANY"
            self._wrapped(f"{verb}(", slot, f"{suffix})")


def _unescaped(found: re.Match[str]) -> str:
    return ":" if found[1] == ":" else found[0]


def rewrite(
    statement: Statement,
    places: tuple[Place, ...],
    types: Mapping[str, SqlType],
    driver: Driver,
) -> Rewritten:
    """``statement`` as ``driver`` takes it; every parameter must be in ``types``."""
    return Rewriter(statement, places, types, driver).run()
