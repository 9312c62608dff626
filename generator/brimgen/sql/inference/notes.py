"""Collect mistakes and the uses of parameters while a statement is read."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple, Protocol

from sqlglot import exp

from brimgen.diagnostics import did_you_mean
from brimgen.sql.model import (
    Base,
    Column,
    ColumnType,
    Finding,
    InferredParameter,
    Mistake,
    Origin,
    Place,
    Schema,
    Table,
)
from brimgen.sql.tree import Parsed, place_of
from brimgen.sql.values import Meaning, Refused, Value


class Rules(Protocol):
    """What calls and operators mean in a dialect."""

    @property
    def dialect(self) -> str:
        """The name of the dialect."""
        ...

    @property
    def strings_are_open(self) -> bool:
        """Whether a string literal becomes of the type that it stands beside."""
        ...

    def call(self, name: str, values: Sequence[Value]) -> Meaning | Refused | None:
        """Return what a call means; None where the name is of no function."""
        ...

    def operator(self, symbol: str, values: Sequence[Value]) -> Meaning | Refused:
        """Return what an operator means for one or two operands."""
        ...

    def common(self, values: Sequence[Value]) -> ColumnType | Refused | None:
        """Return the type that several values have together; None where it is not sure."""
        ...

    def casts(self, source: Value, target: ColumnType) -> str:
        """Return how a value is cast: i implicitly, a where it is stored, e explicitly."""
        ...

    def outputs(self, name: str) -> tuple[tuple[str, ColumnType | None], ...]:
        """Return the named columns of a function in FROM; none where it has none."""
        ...

    def nearest(self, name: str) -> tuple[str, ...]:
        """Return the functions whose names resemble a name."""
        ...


class _Use(NamedTuple):
    """What one use says of a parameter."""

    type: ColumnType | None
    nullable: bool | None
    origin: Origin | None
    stored: bool
    is_list: bool


class Notes:
    """Collects the mistakes of a statement, and the uses of its parameters."""

    def __init__(self, parsed: Parsed, schema: Schema, rules: Rules) -> None:
        self.parsed = parsed
        self.schema = schema
        self.rules = rules
        self.dialect = rules.dialect
        self.findings: list[Finding] = []
        self._uses: dict[str, list[_Use]] = {}
        self.is_quiet = 0

    def report(
        self,
        mistake: Mistake,
        node: exp.Expr,
        text: str,
        *,
        subject: str = "",
        among: Sequence[str] = (),
        candidates: Sequence[str] = (),
        table: Table | None = None,
        column: Column | None = None,
    ) -> None:
        """Note a mistake; ``among`` are names of which the nearest ones are candidates.

        While ``is_quiet`` is set, none is noted: an unknown form may have names of its own.
        """
        if self.is_quiet:
            return
        near = tuple(candidates) or tuple(did_you_mean(subject, among))
        place = place_of(node, self.parsed)
        finding = Finding(mistake, text, place, subject, near, table, column)
        if finding not in self.findings:
            self.findings.append(finding)

    def report_refusal(self, refused: Refused, node: exp.Expr) -> None:
        """Note why there is no such call or operator."""
        self.report(
            refused.mistake,
            node,
            refused.text,
            subject=refused.subject,
            candidates=refused.candidates,
        )

    def name_of(self, node: exp.Expr) -> str:
        """The name of a parameter, as the author wrote it."""
        token = self.parsed.uses.get(str(node.this))
        return token.text[1:] if token is not None else ""

    def use(
        self,
        value: Value,
        type: ColumnType | None,
        *,
        nullable: bool | None = None,
        origin: Origin | None = None,
        stored: bool = False,
        is_list: bool = False,
    ) -> None:
        """Note what a use says of a parameter; check a literal that takes a type."""
        node = value.node.unnest()
        if isinstance(node, exp.Placeholder):
            name = self.name_of(node)
            use = _Use(type, nullable, origin, stored, is_list)
            self._uses.setdefault(name, []).append(use)
        elif isinstance(node, exp.Literal) and node.is_string and type is not None:
            self._check_literal(node, type, origin, stored=stored)

    def _check_literal(
        self,
        node: exp.Literal,
        type: ColumnType,
        origin: Origin | None,
        *,
        stored: bool,
    ) -> None:
        text = node.this
        if type.base is Base.ENUM and type.labels:
            if self.dialect != "postgres" and not stored:
                return  # others compare an enum as a text
            if text not in type.labels and not _folds(self.dialect, text, type):
                self.report(
                    Mistake.UNKNOWN_LABEL,
                    node,
                    f"`{text}` is no label of the enum",
                    subject=text,
                    candidates=did_you_mean(text, type.labels) or type.labels[:8],
                    table=origin.table if origin else None,
                    column=origin.column if origin else None,
                )
        elif self.rules.strings_are_open and not _is_readable(text, type.base):
            self.report(
                Mistake.BAD_LITERAL,
                node,
                f"`'{text}'` is no value of the type {type.native}",
                subject=text,
                table=origin.table if origin else None,
                column=origin.column if origin else None,
            )

    def parameters(self) -> dict[str, InferredParameter]:
        """What all uses of each parameter say together."""
        places: dict[str, list[Place]] = {}
        for token in self.parsed.uses.values():
            places.setdefault(token.text[1:], []).append(Place(token.start, token.end))
        return {
            name: _merge_uses(name, tuple(at), self._uses.get(name, []))
            for name, at in places.items()
        }


def _merge_uses(
    name: str, places: tuple[Place, ...], uses: Sequence[_Use]
) -> InferredParameter:
    types = list(dict.fromkeys(use.type for use in uses if use.type is not None))
    origins = list(dict.fromkeys(use.origin for use in uses if use.origin))
    lists = {use.is_list for use in uses if use.type is not None}
    nullables = {use.nullable for use in uses}
    return InferredParameter(
        name,
        _type_of_uses(types) if len(lists) < 2 else None,
        False if False in nullables else (True if True in nullables else None),
        places,
        is_list=lists == {True},
        origin=origins[0] if len(origins) == 1 else None,
        stored=any(use.stored for use in uses),
    )


def _type_of_uses(types: Sequence[ColumnType]) -> ColumnType | None:
    """The type of all uses; None where two uses differ in more than digits and width."""
    bases = {type.base for type in types}
    if len(bases) == 1:
        first = types[0]
        return first if first.item is None or len(types) == 1 else None
    whole = (Base.INT2, Base.INT4, Base.INT8)
    if types and bases <= set(whole):
        return min(types, key=lambda type: whole.index(type.base))
    return None


def _folds(dialect: str, text: str, type: ColumnType) -> bool:
    """Whether MySQL takes a text for a label: it compares without case, and trims spaces."""
    if dialect != "mysql":
        return False
    word = text.rstrip().casefold()
    return word in {label.casefold() for label in type.labels} or text in ("", "0")


_DIGITS = {
    Base.INT2: re.compile(r"\s*[+-]?\d[\d_]*\s*|\s*[+-]?0[xXoObB][0-9a-fA-F_]+\s*"),
    Base.DECIMAL: re.compile(
        r"(?i:\s*[+-]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(e[+-]?\d[\d_]*)?\s*"
        r"|\s*[+-]?0[xob][0-9a-f_]+\s*|\s*[+-]?(nan|inf|infinity)\s*)"
    ),
    Base.BOOL: re.compile(
        r"(?i:\s*(t|tr|tru|true|f|fa|fal|fals|false|y|ye|yes|n|no|on|of|off|0|1)\s*)"
    ),
    Base.UUID: re.compile(r"(?i:\s*\{?([0-9a-f]{4}-?){8}\}?\s*)"),
}
_LIKE = {
    Base.INT4: Base.INT2,
    Base.INT8: Base.INT2,
    Base.FLOAT4: Base.DECIMAL,
    Base.FLOAT8: Base.DECIMAL,
}
_MOMENTS = {Base.DATE, Base.DATETIME, Base.INSTANT}
_SPECIAL = re.compile(
    r"(?i:\s*(now|today|tomorrow|yesterday|epoch|[+-]?infinity|-?inf)\b.*)"
)


_DAY = re.compile(r"\s*(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)(?!.*\bBC\b)")


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _is_readable(text: str, base: Base) -> bool:
    """Whether a database reads a text as a value of a base; True where that is not sure."""
    pattern = _DIGITS.get(_LIKE.get(base, base))
    if pattern is not None:
        return pattern.fullmatch(text) is not None
    if base in _MOMENTS:
        day = _DAY.match(text)
        if day is not None:
            return _is_day(int(day[1]), int(day[2]), int(day[3]))
        return any(character.isdigit() for character in text) or bool(
            _SPECIAL.match(text)
        )
    if base is Base.INTERVAL:
        return any(character.isdigit() for character in text) or bool(
            _SPECIAL.match(text)
        )
    if base is Base.JSON:
        try:
            json.loads(text)
        except ValueError:
            return False
    return True
