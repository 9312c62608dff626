"""Rewriting: a scanned statement in, the text for one driver out; only parameters change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field

from brimgen.emit.code import Code
from brimgen.emit.sql.drivers import Lists, lists_of
from brimgen.emit.sql.slots import Expansion, Slot, slot_of, spread_of
from brimgen.emit.sql.types import SqlKind, SqlType, full_type_name, type_name
from brimgen.frozen import dataclass
from brimgen.sqltext import Statement, TokenKind
from brimgen.sqltext.drivers import Driver, Style
from brimgen.sqltext.places import Place, Role
from brimgen.sqltext.tokens import words

POLYMORPHIC = words(
    """concat concat_ws format jsonb_build_object json_build_object jsonb_build_array
    json_build_array to_json to_jsonb generate_series to_char date_trunc date_part pg_typeof
    num_nulls num_nonnulls quote_literal quote_nullable age abs row"""
)
_CUT = frozenset({SqlKind.DECIMAL, SqlKind.DATETIME})
"""asyncpg sends 1.25 as 1 beside an integer, and an instant as its day beside a date."""
EMPTY = {
    "mysql": "(SELECT NULL FROM (SELECT 1) AS e WHERE 1 = 0)",
    "oracle": "(SELECT NULL FROM DUAL WHERE 1 = 0)",
}
ROW = {"oracle": "SELECT {} FROM DUAL"}
"""A query of one value, for databases that take only so many items on the right of IN."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The text for one driver, in pieces around expansions, and what is bound in which order.

    ``order`` has each slot once for dicts and numbered placeholders, once a use for the others.
    ``casts`` tells where a type was added: parameter, type.
    """

    pieces: tuple[str | Expansion, ...]
    order: tuple[Slot, ...]
    casts: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str | None:
        """The whole text, where it is known at build time."""
        if len(self.pieces) == 1 and isinstance(self.pieces[0], str):
            return self.pieces[0]
        return None

    @property
    def with_one_each(self) -> str:
        """The text with a list of one item in each place, for drivers that write ``?``."""
        return "".join(each if isinstance(each, str) else "(?)" for each in self.pieces)

    @property
    def shown(self) -> Code:
        """The text for a reader: a list that expands as a comment in its brackets."""
        parts = (
            each if isinstance(each, str) else f"(/* each of {each.slot.name} */)"
            for each in self.pieces
        )
        return Code("".join(parts))

    @property
    def expansions(self) -> tuple[Slot, ...]:
        """The lists that expand, in order of their places."""
        return tuple(each.slot for each in self.pieces if isinstance(each, Expansion))


@dataclass(slots=True)
class Rewriter:
    """Writes one statement for one driver."""

    statement: Statement
    places: tuple[Place, ...]
    types: Mapping[str, SqlType]
    driver: Driver
    casts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def run(self) -> Rewritten:
        """The text for the driver."""
        parts = list(self._parts())
        slots = [
            each.slot if isinstance(each, Expansion) else each
            for each in parts
            if not isinstance(each, str)
        ]
        each_use = self.driver.style in (Style.FORMAT, Style.QMARK)
        order = slots if each_use else list(dict.fromkeys(slots))
        doubled = self.driver.unescapes or (self.driver.percent and bool(slots))
        pieces: list[str | Expansion] = [""]
        for part in parts:
            if isinstance(part, Expansion):
                pieces += [part, ""]
            elif isinstance(part, Slot):
                pieces[-1] = f"{pieces[-1]}{self._mark(part, order)}"
            else:
                pieces[-1] = f"{pieces[-1]}{self._shown(part, doubled=doubled)}"
        kept = tuple(each for each in pieces if each != "") or ("",)
        return Rewritten(kept, tuple(order), tuple(dict.fromkeys(self.casts)))

    def _shown(self, text: str, *, doubled: bool) -> str:
        if self.driver.style is Style.TEXT_CLAUSE:
            return text.replace(":", "\\:")
        return text.replace("%", "%%") if doubled else text

    def _mark(self, slot: Slot, order: list[Slot]) -> str:
        match self.driver.style:
            case Style.NAMED | Style.TEXT_CLAUSE:
                return f":{slot.key}"
            case Style.DOLLAR:
                return f"${slot.key}"
            case Style.NUMERIC:
                return f"${order.index(slot) + 1}"
            case Style.PYFORMAT:
                return f"%({slot.key})s"
            case Style.FORMAT:
                return "%s"
            case Style.QMARK:
                return "?"
            case Style.TYPED_PYFORMAT:
                return f"%({slot.key}:{self._written_type(slot)})s"
            case Style.TYPED_BRACES:
                return f"{{{slot.key}:{self._written_type(slot)}}}"

    def _written_type(self, slot: Slot) -> str:
        """The type that a placeholder carries; of "is it NULL" that of a number."""
        dialect, type = self.statement.dialect.name, self.types[slot.name]
        if slot.given:
            type = SqlType(kind=SqlKind.INT, nullable=True)
        name = full_type_name(type, dialect)
        nullable = dialect == "clickhouse" and type.nullable and not type.is_list
        return f"Nullable({name})" if nullable else name

    def _parts(self) -> Iterator[str | Slot | Expansion]:
        """Text and slots in order, lists and casts written out."""
        text, position = self.statement.text, 0
        for place in self.places:
            if place.token.name in self.types:
                yield from self._between(position, place.start)
                yield from self._use(place, self.types[place.token.name])
                position = place.end
        yield from self._between(position, len(text))

    def _between(self, start: int, end: int) -> Iterator[str]:
        """The author's own text: as it is, but for ``\\:`` and comments a driver trips over."""
        text = self.statement.text[start:end]
        if "\\:" not in text and not self.driver.strips_comments:
            yield text
            return
        for token in self.statement.tokens:
            if start <= token.start < end:
                yield self._plain(token.kind, token.text)

    def _plain(self, kind: TokenKind, text: str) -> str:
        if kind is TokenKind.COMMENT and self.driver.strips_comments:
            return " "
        if "\\:" not in text:
            return text
        if self.statement.dialect.backslash and kind is TokenKind.STRING:
            return re.sub(r"\\([\s\S])", _escape, text)
        return text.replace("\\:", ":")

    def _use(self, place: Place, type: SqlType) -> Iterator[str | Slot | Expansion]:
        if place.role is Role.IN_LIST and type.is_list:
            yield from self._in_list(place, type)
            return
        if place.role is Role.IN_LIST:
            before, _, after = self.statement.text[place.start : place.end].partition(
                place.token.text
            )
            yield from (before, slot_of(self.statement, place.token.name), after)
            return
        yield from self._value(place, type)

    def _value(self, place: Place, type: SqlType) -> Iterator[str | Slot]:
        name = place.token.name
        never_null = lists_of(self.statement.dialect) in (Lists.EXPAND, Lists.TYPED)
        expands = never_null and type.is_list
        cast = self._cast(place, type)
        given = place.role is Role.NULL_TEST and (
            expands or (bool(cast) and self._is_guessed(name, type))
        )
        slot = slot_of(self.statement, name, given=given)
        if not cast:
            yield from self._typed(slot, type)
            return
        self.casts.append((name, cast))
        if type.is_list and place.subscripted:
            yield from ("(", slot, f"::{cast})")
        elif type.is_list and place.role is not Role.NULL_TEST:
            yield from (slot, f"::{cast}")
        else:
            yield from ("CAST(", slot, f" AS {cast})")

    def _typed(self, slot: Slot, type: SqlType) -> Iterator[str | Slot]:
        """A value, with its type where a driver would cut it to the type of its neighbours."""
        yield slot
        if self.driver.name == "asyncpg" and type.kind in _CUT and not type.is_list:
            cast = type_name(type, self.statement.dialect.name)
            self.casts.append((slot.name, cast))
            yield f"::{cast}"

    def _is_guessed(self, name: str, type: SqlType) -> bool:
        """Whether another use of a string takes the type of what it is compared with."""
        return type.kind is SqlKind.TEXT and any(
            each.token.name == name and each.role is not Role.NULL_TEST
            for each in self.places
        )

    def _cast(self, place: Place, type: SqlType) -> str:
        """The type to add at a place, where the database could not know it (sql.md 1.7)."""
        dialect = self.statement.dialect.name
        if place.cast or dialect not in ("postgres", "duckdb"):
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

    def _in_list(self, place: Place, type: SqlType) -> Iterator[str | Slot | Expansion]:
        slot, verb = slot_of(self.statement, place.token.name), (
            "NOT IN " if place.negated else "IN "
        )
        dialect = self.statement.dialect
        match lists_of(dialect):
            case Lists.EXPAND:
                yield from (verb, Expansion(spread_of(self.statement, slot)))
            case Lists.JSON if dialect.name == "tsql":
                yield from (f"{verb}(SELECT v FROM OPENJSON(", slot)
                yield f") WITH (v {type_name(type, dialect.name)} '$'))"
            case Lists.JSON:
                yield from (f"{verb}(SELECT value FROM json_each(", slot, "))")
            case Lists.TYPED if dialect.name == "bigquery":
                yield from (f"{verb}UNNEST(", slot, ")")
            case Lists.TYPED:
                yield from (verb, slot)
            case Lists.ARRAY:
                yield from self._in_array(place, type, slot)

    def _in_array(
        self, place: Place, type: SqlType, slot: Slot
    ) -> Iterator[str | Slot]:
        cast = self._array_type(type, typed=not place.tight)
        if cast:
            self.casts.append((place.token.name, cast))
        suffix = f"::{cast}" if cast else ""
        if place.tight:
            verb = "NOT IN" if place.negated else "IN"
            yield from (f"{verb} (SELECT unnest(", slot, f"{suffix}))")
        else:
            verb = "<> ALL" if place.negated else "= ANY"
            yield from (f"{verb}(", slot, f"{suffix})")


def _escape(found: re.Match[str]) -> str:
    return ":" if found[1] == ":" else found[0]


def rewrite(
    statement: Statement,
    places: tuple[Place, ...],
    types: Mapping[str, SqlType],
    driver: Driver,
) -> Rewritten:
    """``statement`` as ``driver`` takes it; every parameter must be in ``types``."""
    return Rewriter(statement, places, types, driver).run()
