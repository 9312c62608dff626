"""Check that each choice is one whole piece of SQL, and that no text drops a hidden argument."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from brimgen.diagnostics import Diagnostics, rules
from brimgen.model.catalog import CHOICE_PLACE, SqlFragment
from brimgen.model.fields import Caller
from brimgen.sql import Dialect, scan
from brimgen.sql.optional_filters import without_guards
from brimgen.sql.statements import Bound
from brimgen.sql.tokens import (
    BEFORE_EXPRESSION,
    CLOSING,
    OPENING,
    Token,
    TokenKind,
    depths,
    ends_operand,
    starts_operand,
    words,
)

_PAIRS = {")": "(", "]": "[", "}": "{"}
_BRACKETS = OPENING | CLOSING
_UNREADABLE = {
    TokenKind.COMMENT: "it has a comment",
    TokenKind.OPEN_COMMENT: "it has a comment",
    TokenKind.OPEN_STRING: "a quote in it is not closed",
}
_CLAUSES = words(
    """ALTER CALL CONNECT CREATE CROSS DELETE DROP EXCEPT EXEC EXECUTE FETCH FOR FORMAT FROM FULL
    GROUP HAVING INNER INSERT INTERSECT INTO JOIN LATERAL LEFT LIMIT LOCK MERGE MINUS NATURAL
    OFFSET ON OPTION ORDER OUTER PIVOT PREWHERE QUALIFY REPLACE RETURNING RIGHT SAMPLE SELECT SET
    SETTINGS START TABLESAMPLE TRUNCATE UNION UNPIVOT UPDATE USING VALUES WHERE WINDOW WITH"""
)
"""Words that begin a part of a statement: outside of brackets they end the place of a choice."""
_FUNCTIONS = words("FORMAT INSERT LEFT REPLACE RIGHT TRUNCATE VALUES")
"""Those of them that are functions, too."""
_JOINING = words("AND OR XOR")
_PART_OF_CASE = words("WHEN THEN ELSE END")
_OPERATORS = words(
    """AT BETWEEN COLLATE DIV ESCAPE FILTER GLOB ILIKE IN IS ISNULL LIKE MATCH MEMBER MOD NOT
    NOTNULL OVER OVERLAPS REGEXP RLIKE SIMILAR SOUNDS WITHIN"""
)
_DIRECTIONS = words("AS ASC DESC IGNORE NULLS RESPECT")
"""Words that a choice behind an operand may begin with: they leave the operand as it is."""
_BEHIND_OPERAND = _OPERATORS | _JOINING | _PART_OF_CASE | _DIRECTIONS
"""Words that go on with an expression, a column or a term to sort by; no other word may."""
_HALVES = words(
    """AT BINARY CHARACTER COLLATE DOUBLE IGNORE MEMBER NULLS OVER PRIOR RESPECT SOUNDS TIME
    WITHIN"""
)
"""Words that need one more word behind them."""


class _Place(NamedTuple):
    """What stands around a choice, and whether its text is read there as it is read alone.

    ``takes_list``: its place is a list of terms to sort or group by. ``is_bound``: the word before
    it is the AND of a BETWEEN, which is an operator.
    """

    before: Token | None
    after: Token | None
    reads_alike: bool
    takes_list: bool
    is_bound: bool


def check_choices(bound: Bound, diagnostics: Diagnostics) -> bool:
    """Report what is wrong with the choices of a statement; return whether they are sound.

    A choice stands in its place as it is written. So it must not end that place or reach beyond
    it: brackets, quotes and CASE are closed in it, and it has no comment, no separator and no
    clause. A condition of several parts stands in brackets, as AND and OR around it would bind
    its parts otherwise; so does everything that is no single operand, beside an operator.
    """
    errors_before = len(diagnostics)
    for fragment in bound.body.fragments:
        why = _why_not_whole(fragment, bound)
        if why is not None:
            diagnostics.add(
                rules.CHOICE_NOT_WHOLE,
                fragment.text.span,
                label=fragment.label,
                name=fragment.argument,
                why=why,
            )
    return len(diagnostics) == errors_before


def check_dropped(bound: Bound, diagnostics: Diagnostics) -> None:
    """Report hidden arguments that only some texts of a statement use.

    Of texts that leave out filters, the one that leaves out all of them has the fewest arguments.
    """
    hidden = [
        each.name for each in bound.tool.fields if not isinstance(each.origin, Caller)
    ]
    if not hidden or not (bound.body.variants or bound.compiled):
        return
    absent = dict.fromkeys(bound.compiled, False)
    shortest = [
        scan(without_guards(text.statement, absent), bound.dialect).names
        for text in bound.chosen
    ]
    used = {name for text in bound.chosen for name in text.statement.names}
    for name in filter(used.__contains__, hidden):
        for text, names in zip(bound.body.variants or (None,), shortest, strict=False):
            if name not in names:
                labels = () if text is None else text.labels
                parts = [("with", labels), ("without", bound.compiled)]
                diagnostics.add(
                    rules.CHOICE_DROPS_HIDDEN,
                    bound.body.statement.span,
                    name=name,
                    when=", ".join(
                        f"{word} {', '.join(f'`{each}`' for each in each_of)}"
                        for word, each_of in parts
                        if each_of
                    ),
                )
                break


def _why_not_whole(fragment: SqlFragment, bound: Bound) -> str | None:
    """Say why a choice is not one whole piece of SQL in each of its places; None if it is."""
    dialect = bound.dialect
    pieces = scan(fragment.text.text, dialect).pieces
    why = _why_not_closed(pieces, dialect)
    if why is not None:
        return why
    written = bound.body.written or bound.body.statement
    for match in CHOICE_PLACE.finditer(written.text):
        if match[1] == fragment.argument:
            start, end = match.span()
            place = _place(written.text[:start], fragment, written.text[end:], dialect)
            why = _why_not_there(pieces, place)
            if why is not None:
                return why
    return None


def _place(before: str, fragment: SqlFragment, after: str, dialect: Dialect) -> _Place:
    alone = scan(fragment.text.text, dialect).significant
    start, end = len(before), len(before) + len(fragment.text.text)
    around = scan(f"{before}{fragment.text.text}{after}", dialect).significant
    inside = [
        token._replace(start=token.start - start)
        for token in around
        if token.end > start and token.start < end
    ]
    ahead = [each for each in around if each.end <= start]
    return _Place(
        before=ahead[-1] if ahead else None,
        after=next((each for each in around if each.start >= end), None),
        reads_alike=inside == [*alone],
        takes_list=_last_word(ahead, _CLAUSES | {"BY"}) == "BY",
        is_bound=bool(ahead)
        and ahead[-1].word == "AND"
        and _last_word(ahead[:-1], _CLAUSES | _JOINING | {"BETWEEN"}) == "BETWEEN",
    )


def _last_word(ahead: list[Token], among: frozenset[str]) -> str:
    """Return the last word of ``among`` in the brackets that a place behind ``ahead`` is in."""
    depth = 0
    for token in reversed(ahead):
        depth += (token.text in CLOSING) - (token.text in OPENING)
        if depth < 0:
            return ""
        if depth == 0 and token.word in among:
            return token.word
    return ""


def _why_not_closed(pieces: tuple[Token, ...], dialect: Dialect) -> str | None:
    """Say why the tokens of a choice are not closed in themselves; None if they are."""
    if not pieces:
        return "it is empty"
    if not (starts_operand(pieces[0]) or pieces[0].text == "*"):
        return f"it begins with `{pieces[0].text}`"
    opened: list[str] = []
    cases = betweens = 0
    for place, token in enumerate(pieces):
        if token.kind in _UNREADABLE:
            return _UNREADABLE[token.kind]
        if token.text == ";":
            return "it has a separator of statements"
        if token.text in OPENING:
            opened.append(token.text)
        elif token.text in CLOSING:
            if not opened or opened.pop() != _PAIRS[token.text]:
                return f"`{token.text}` closes a bracket that it does not open"
        elif opened:
            continue
        elif token.word == "CASE":
            cases += 1
        elif token.word in _PART_OF_CASE:
            if cases == 0:
                return f"`{token.text}` belongs to a CASE outside of it"
            cases -= token.word == "END"
        elif token.word == "BETWEEN":
            betweens += 1
        elif token.word == "AND" and betweens:
            betweens -= 1
        elif cases == 0 and (
            token.word in _JOINING or _is_joining_mark(pieces, place, dialect)
        ):
            return f"a condition with `{token.text}` must stand in brackets"
        elif token.word and _begins_clause(pieces, place):
            return f"`{token.text}` begins another part of the statement"
    if opened:
        return f"`{opened[-1]}` is not closed in it"
    if cases:
        return "a CASE is not closed in it"
    if betweens:
        return "a BETWEEN in it has no AND"
    last = pieces[-1]
    is_end = ends_operand(last) or last.text == "*" or last.word == "FIRST"
    return None if is_end else f"it ends with `{last.text}`"


def _why_not_there(pieces: tuple[Token, ...], place: _Place) -> str | None:
    """Say why a choice is not one piece where it stands; None if it is."""
    before, after = place.before, place.after
    if not place.reads_alike:
        return "with what stands beside it, it is read in another way"
    if ends_operand(before) and pieces[0].word not in _DIRECTIONS:
        return "no operator stands before it"
    if not place.takes_list and any(
        token.text == "," and not depth
        for token, depth in zip(pieces, depths(pieces), strict=False)
    ):
        return "a `,` makes it several pieces, which only ORDER BY and GROUP BY take"
    if _is_one_operand(pieces):
        return None
    if before is not None and (
        place.is_bound
        or not (
            ends_operand(before)
            or before.text in ("(", "[", "{", ",")
            or before.word in BEFORE_EXPRESSION - _OPERATORS
        )
    ):
        return f"`{before.text}` stands before it, so it must stand in brackets"
    if after is not None and not (
        after.text in (")", "]", "}", ",", ";", "{")
        or (after.word and after.word not in _OPERATORS)
    ):
        return f"`{after.text}` stands behind it, so it must stand in brackets"
    return None


def _is_one_operand(pieces: tuple[Token, ...]) -> bool:
    """Whether no operator outside of the choice could part it."""
    outer = [
        token for token, depth in zip(pieces, depths(pieces), strict=False) if not depth
    ]
    if outer[0].word == "NOT":
        return False
    if outer[0].text in ("-", "+") and len(outer) == 2:
        return outer[1].kind is TokenKind.NUMBER
    if outer[0].word == "CASE":
        return [token.word for token in outer].index("END") == len(outer) - 1
    return all(
        token.kind is not TokenKind.MARK or token.text in ".()[]{}" for token in outer
    ) and all(
        token.text == "." or not ends_operand(before) or token.text in _BRACKETS
        for before, token in pairwise(outer)
    )


def _is_joining_mark(pieces: tuple[Token, ...], place: int, dialect: Dialect) -> bool:
    """Whether MySQL reads a mark as OR or AND."""
    pair = "".join(token.text for token in pieces[place : place + 2])
    return dialect.name == "mysql" and (pieces[place].text == "||" or pair == "&&")


def _begins_clause(pieces: tuple[Token, ...], place: int) -> bool:
    """Whether the word at a place cannot belong to an expression or a term to sort by."""
    token, before = pieces[place], pieces[place - 1] if place else None
    if before is not None and before.text == ".":
        return False  # the name of a column
    if before is not None and ends_operand(before) and before.word not in _HALVES:
        is_unit = place > 1 and pieces[place - 2].word == "INTERVAL"
        return token.word not in _BEHIND_OPERAND and not is_unit
    following = pieces[place + 1].text if place + 1 < len(pieces) else ""
    return token.word in _CLAUSES and not _is_in_expression(pieces, place, following)


def _is_in_expression(pieces: tuple[Token, ...], place: int, following: str) -> bool:
    """Whether a word of `_CLAUSES` is part of an expression where it stands."""
    word, before = pieces[place].word, pieces[place - 1].word if place else ""
    if word == "FROM":
        return (
            before == "DISTINCT"
            and place > 1
            and pieces[place - 2].word in ("IS", "NOT")
        )
    if word == "GROUP":
        return before == "WITHIN"
    return word in _FUNCTIONS and following == "("
