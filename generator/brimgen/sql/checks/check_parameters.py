"""Check that parameters are declared, used, and fit their type and place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from brimgen.diagnostics import Diagnostics, Note, Rule, Span, did_you_mean, rules
from brimgen.frozen import dataclass
from brimgen.model.catalog import SqlBody, Tool
from brimgen.model.fields import Caller, Context
from brimgen.model.types import Field
from brimgen.sql import Statement, TokenKind
from brimgen.sql.added_casts import POLYMORPHIC
from brimgen.sql.checks.check_text import is_comment, quoted_names
from brimgen.sql.dialects import Lists
from brimgen.sql.filters import rejecting
from brimgen.sql.kinds import KINDS, SqlKind
from brimgen.sql.parameter_types import SqlType
from brimgen.sql.tokens import Token
from brimgen.sql.uses import Place, Role, find_places

_BINDABLE = re.compile(r"\A[^\W\d]\w*\Z")
FLOAT_DIGITS = 15
"""How many digits of any decimal a float keeps."""

_ARRAY_DIALECTS = frozenset({"postgres", "duckdb", "bigquery", "clickhouse"})
_ANYWHERE = frozenset(
    SqlType(kind=kind, nullable=nullable)
    for kind in SqlKind
    if KINDS[kind].names
    for nullable in (False, True)
)
"""Types, those of most arguments, that may be compared with anything."""
_COMPARED = Role.COMPARED
_VALUE_ROLES = frozenset({_COMPARED, Role.ROWS, Role.IN_PART})


@dataclass(frozen=True, slots=True)
class Uses:
    """A statement of a tool, the types of its arguments, and where each is used.

    ``other_uses`` are arguments that choose the text, or that other texts of the tool use;
    ``arrays`` are those that stand beside a column of lists, by the schema of the connection.
    """

    tool: Tool
    body: SqlBody
    statement: Statement
    types: Mapping[str, SqlType]
    places: tuple[Place, ...]
    other_uses: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()

    @staticmethod
    def of(
        tool: Tool,
        body: SqlBody,
        statement: Statement,
        types: Mapping[str, SqlType],
        other_uses: frozenset[str] = frozenset(),
        arrays: frozenset[str] = frozenset(),
    ) -> Uses:
        """Collect the uses in ``statement``."""
        places = find_places(statement)
        return Uses(tool, body, statement, types, places, other_uses, arrays)

    def span(self, place: Place) -> Span:
        """Return where a parameter stands in its file."""
        return self.body.statement.span_at(place.token.start, place.token.end)


def check_parameters(
    uses: Uses, foreign: frozenset[str], diagnostics: Diagnostics
) -> None:
    """Report every parameter that is undeclared, unused, misplaced or of the wrong type.

    ``foreign`` are arguments whose disuse was reported for another reason.
    """
    misspelt = _check_declared(uses, diagnostics)
    excused = _check_strings(uses, diagnostics)
    _check_unused(uses, excused | misspelt | foreign, diagnostics)
    types = uses.types
    for place in uses.places:
        plain = place.role is _COMPARED and not place.live
        if not plain or types.get(place.token.text[1:]) not in _ANYWHERE:
            _check_place(uses, place, diagnostics)
    _check_guards(uses, diagnostics)
    for field in [f for f in uses.tool.fields if types[f.name].kind is SqlKind.DECIMAL]:
        _check_type(uses, field, diagnostics)


def _check_declared(uses: Uses, diagnostics: Diagnostics) -> frozenset[str]:
    """Report undeclared parameters; return the arguments that they misspell."""
    if uses.types.keys() >= set(uses.statement.names):
        return frozenset()
    misspelt: set[str] = set()
    unknown: set[str] = set()
    for place in uses.places:
        name = place.token.name
        if name not in uses.types and (
            unbindable := _unbindable(uses, place.token.start)
        ):
            _report_unbindable(unbindable, diagnostics)
            misspelt.add(unbindable.name)
        elif name not in uses.types:
            bindable = filter(_BINDABLE.match, uses.types)
            near = did_you_mean(name, bindable)
            misspelt.update(near)
            unknown.update(() if near else (name,))
            diagnostics.add(
                rules.UNDECLARED_PARAMETER,
                uses.span(place),
                suggestions=[f":{argument}" for argument in near],
                name=name,
                tool=uses.tool.name,
            )
    unused = set(uses.types) - set(uses.statement.names) - misspelt
    # One undeclared name and one unused argument are one mistake.
    return frozenset(misspelt | (unused if len(unused) == len(unknown) == 1 else set()))


def _unbindable(uses: Uses, start: int) -> Field | None:
    """Return the argument whose name follows a colon, but has characters that no parameter has."""
    text = uses.statement.text
    unbindable = (
        field for field in uses.tool.fields if not _BINDABLE.match(field.name)
    )
    return next(
        (field for field in unbindable if text.startswith(field.name, start + 1)), None
    )


def _report_unbindable(field: Field, diagnostics: Diagnostics) -> None:
    tidy = re.sub(r"\W+", "_", field.name, flags=re.ASCII)
    near = (tidy,) if _BINDABLE.match(tidy) else ()
    diagnostics.add(
        rules.NAME_NOT_BINDABLE, field.span, suggestions=near, name=field.name
    )


def _check_strings(uses: Uses, diagnostics: Diagnostics) -> frozenset[str]:
    """Report parameters inside quotes; return them, so that they are not reported as unused."""
    excused: set[str] = set()
    block = uses.body.statement
    for token, start, name in quoted_names(uses.statement):
        if name in uses.types and not is_comment(token):
            span = block.span_at(start, start + 1 + len(name))
            diagnostics.add(
                rules.PARAMETER_IN_STRING,
                span,
                suggestions=_joined(uses, token),
                name=name,
                text=token.text.split("\n")[0][:40],
            )
            excused.add(name)
    return frozenset(excused)


def _joined(uses: Uses, token: Token) -> tuple[str, ...]:
    """Write a text with parameters in it as pieces, joined as the dialect joins them."""
    if token.text[:1] != "'" or "\n" in token.text:
        return ()
    statement, parts, at = uses.statement, list[str](), 1
    named = [
        quoted_name
        for quoted_name in quoted_names(statement)
        if quoted_name[0] == token
    ]
    for _, start, name in named:
        if name in uses.types:
            parts += [_quoted(token.text[at : start - token.start]), f":{name}"]
            at = start - token.start + len(parts[-1])
    parts = [part for part in (*parts, _quoted(token.text[at:-1])) if part]
    if statement.dialect.name == "mysql" and len(parts) > 1:
        return (f"CONCAT({', '.join(parts)})",)
    return ((" + " if statement.dialect.name == "tsql" else " || ").join(parts),)


def _quoted(text: str) -> str:
    return f"'{text}'" if text else ""


def _check_unused(
    uses: Uses, excused: frozenset[str], diagnostics: Diagnostics
) -> None:
    statement = uses.statement
    used = {*statement.names, *excused, *uses.other_uses}
    if TokenKind.AMBIGUOUS in statement.kinds:
        tokens = statement.tokens
        used.update(token.name for token in tokens if token.kind is TokenKind.AMBIGUOUS)
    if used.issuperset(uses.types):
        return
    commented = dict(_commented(uses))
    for field in uses.tool.fields:
        if field.name in used:
            continue
        place = commented.get(field.name)
        if field.declared and not _BINDABLE.match(field.name):
            _report_unbindable(field, diagnostics)
        elif field.declared and uses.body.strict:
            diagnostics.add(
                rules.UNUSED_PARAMETER,
                field.span,
                notes=[Note(place, "in a comment it binds nothing")] if place else (),
                name=field.name,
            )
        else:
            why = "`strict: false` allows" if field.declared else "it inherits"
            diagnostics.add(
                rules.UNUSED_PARAMETER_ALLOWED, field.span, name=field.name, why=why
            )


def _commented(uses: Uses) -> Iterator[tuple[str, Span]]:
    """Return the arguments that stand in comments, each with its last place there."""
    block = uses.body.statement
    for token, start, name in quoted_names(uses.statement):
        if is_comment(token):
            yield name, block.span_at(start, start + 1 + len(name))


def _check_place(uses: Uses, place: Place, diagnostics: Diagnostics) -> None:
    name = place.token.name
    type = uses.types.get(name)
    if place.live:
        diagnostics.add(
            rules.PARAMETER_IN_EXECUTABLE_COMMENT, uses.span(place), name=name
        )
    if type is None:
        return
    if not type.is_list and _wants_list(place):
        word = type.word
        diagnostics.add(rules.SCALAR_IN_LIST, uses.span(place), name=name, word=word)
        return
    rule = _misuse(uses, place, type)
    if rule is not None:
        diagnostics.add(rule, uses.span(place), name=name)
    else:
        _check_dialect(uses, place, type, diagnostics)


def _check_dialect(
    uses: Uses, place: Place, type: SqlType, diagnostics: Diagnostics
) -> None:
    """Report a value that the dialect takes as no parameter, or not in a list."""
    dialect, row = uses.statement.dialect.name, KINDS[type.kind]
    is_listed = type.is_list and dialect in row.unlisted
    if is_listed or dialect in row.unbound:
        diagnostics.add(
            rules.TYPE_NOT_OF_DIALECT,
            uses.span(place),
            name=place.token.name,
            word=type.word,
            dialect=dialect,
            what="list of them" if is_listed else "such parameter",
        )


def _misuse(uses: Uses, place: Place, type: SqlType) -> Rule | None:
    """Return what is wrong with a value of ``type`` where it stands."""
    statement, is_array = uses.statement, place.token.name in uses.arrays
    if place.role is Role.IDENTIFIER:
        return rules.PARAMETER_AS_IDENTIFIER
    if place.role is Role.ORDER_ITEM:
        return rules.PARAMETER_IN_ORDER_BY
    if type.kind is SqlKind.ENTITY:
        return rules.ENTITY_PARAMETER
    if place.of_row:
        return rules.ROWS_IN_LIST
    if type.is_list and not (is_array or _takes_list(statement, place)):
        beside = place.role is Role.IN_PART
        return rules.LIST_BESIDE_VALUES if beside else rules.LIST_AS_SCALAR
    if type.kind is SqlKind.PRIMITIVE and _is_untyped(statement, place):
        return rules.UNTYPED_PARAMETER
    return None


def _check_guards(uses: Uses, diagnostics: Diagnostics) -> None:
    """Report optional arguments whose filter finds no rows while they are absent.

    Values that the host sets are exempt: a guard would open what their filter protects.
    """
    optional = [
        field.name
        for field in uses.tool.fields
        if uses.types[field.name].nullable
        and isinstance(field.origin, Caller)
        and field.name in uses.statement.names
    ]
    if not optional:
        return
    for name, token in rejecting(uses.statement, optional).items():
        span = uses.body.statement.span_at(token.start, token.end)
        diagnostics.add(rules.UNGUARDED_FILTER, span, name=name)


def _takes_list(statement: Statement, place: Place) -> bool:
    """Whether a list may stand here in the dialect."""
    if place.role in (Role.IN_LIST, Role.NULL_TEST):
        return True
    if place.role in _VALUE_ROLES:
        return (
            place.cast or place.subscripted
        ) and statement.dialect.name in _ARRAY_DIALECTS
    if statement.dialect.name in _ARRAY_DIALECTS:
        return True
    json = statement.dialect.lists is Lists.JSON
    return json and place.function.startswith(("json_", "jsonb_", "openjson"))


def _wants_list(place: Place) -> bool:
    if place.role is Role.IN_LIST:
        return place.unbracketed
    return place.role is Role.QUANTIFIED and not place.cast


def _is_untyped(statement: Statement, place: Place) -> bool:
    if statement.dialect.name in ("bigquery", "clickhouse"):
        return True
    if statement.dialect.name != "postgres" or place.cast:
        return False
    is_alone = place.role in (Role.NULL_TEST, Role.SELECT_ITEM)
    return is_alone or place.function in POLYMORPHIC


def _check_type(uses: Uses, field: Field, diagnostics: Diagnostics) -> None:
    if field.name not in uses.statement.names:
        return
    statement, type = uses.statement, uses.types[field.name]
    sqlite = statement.dialect.name == "sqlite"
    small = type.digits is not None and type.digits[0] <= FLOAT_DIGITS
    if sqlite and type.kind is SqlKind.DECIMAL and not type.exact and not small:
        diagnostics.add(rules.TYPE_NOT_EXACT, field.span, name=field.name)


def check_hidden(uses: Uses, diagnostics: Diagnostics) -> None:
    """Report each argument hidden from callers that a statement uses and that may be missing.

    What a statement does without it depends on where it stands, and in filters it often is to
    let all rows through. So the argument must be required and not null, wherever it stands; and of
    an object or a list in JSON, what the statement reads may be missing.
    """
    for field in uses.tool.fields:
        is_json = uses.types[field.name].kind is SqlKind.JSON
        missing = _how_it_may_be_missing(field) or ("incomplete" if is_json else None)
        if isinstance(field.origin, Caller) or missing is None:
            continue
        of_name = (place for place in uses.places if place.token.name == field.name)
        place = next(of_name, None)
        if place is None and field.name not in uses.body.choices:
            continue
        is_context = isinstance(field.origin, Context)
        diagnostics.add(
            rules.HIDDEN_MAY_BE_MISSING,
            field.span if place is None else uses.span(place),
            notes=[Note(field.span, "the argument")],
            name=field.name,
            origin="comes from the context" if is_context else "is hidden",
            missing=missing,
        )


def _how_it_may_be_missing(field: Field) -> str | None:
    """Say how an argument may have no value of its own; None if it always has one."""
    if field.may_be_null:
        return "null"
    if field.default is not None:
        return "left to its default"
    return None if field.required else "absent"
