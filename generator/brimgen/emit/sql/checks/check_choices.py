"""Check that each choice is one whole piece of SQL, and that none drops a hidden argument."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.sql import choices as rules
from brimgen.emit.sql.statements import Bound
from brimgen.model.fields import Caller
from brimgen.sqltext import scan
from brimgen.sqltext.tokens import (
    CLOSING,
    OPENING,
    Token,
    TokenKind,
    ends_operand,
    starts_operand,
    words,
)

_PAIRS = {")": "(", "]": "[", "}": "{"}
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


def check_choices(bound: Bound, diagnostics: Diagnostics) -> bool:
    """Report what is wrong with the choices of a statement; return whether they are sound.

    A choice stands in its place as it is written. So it must not end that place or reach beyond
    it: brackets, quotes and CASE are closed in it, and it has no comment, no separator and no
    clause. A condition of several parts stands in brackets, as AND and OR around it would bind
    its parts otherwise.
    """
    errors_before = len(diagnostics)
    for fragment in bound.body.fragments:
        why = _why_not_whole(scan(fragment.text.text, bound.dialect).pieces)
        if why is not None:
            diagnostics.add(
                rules.CHOICE_NOT_WHOLE,
                fragment.text.span,
                label=fragment.label,
                name=fragment.argument,
                why=why,
            )
    if len(diagnostics) > errors_before:
        return False
    for name, labels in _dropped(bound):
        diagnostics.add(
            rules.CHOICE_DROPS_HIDDEN,
            bound.body.statement.span,
            name=name,
            labels=", ".join(f"`{label}`" for label in labels),
        )
    return len(diagnostics) == errors_before


def _why_not_whole(pieces: tuple[Token, ...]) -> str | None:
    """Say why the tokens of a choice are not one whole piece of SQL; None if they are."""
    if not pieces:
        return "it is empty"
    if not (starts_operand(pieces[0]) or pieces[0].text == "*"):
        return f"it begins with `{pieces[0].text}`"
    opened: list[str] = []
    cases = betweens = 0
    for place, token in enumerate(pieces):
        following = pieces[place + 1].text if place + 1 < len(pieces) else ""
        if token.kind in _UNREADABLE:
            return _UNREADABLE[token.kind]
        if token.text == ";":
            return "it has a separator of statements"
        if token.text in OPENING:
            opened.append(token.text)
        elif token.text in CLOSING:
            if not opened or opened.pop() != _PAIRS[token.text]:
                return f"`{token.text}` closes a bracket that it does not open"
        elif opened or not token.word:
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
        elif token.word in _JOINING and cases == 0:
            return f"a condition with `{token.text}` must stand in brackets"
        elif token.word in _CLAUSES and not _is_in_expression(pieces, place, following):
            return f"`{token.text}` begins another part of the statement"
    if opened:
        return f"`{opened[-1]}` is not closed in it"
    if cases:
        return "a CASE is not closed in it"
    last = pieces[-1]
    is_end = ends_operand(last) or last.text == "*" or last.word == "FIRST"
    return None if is_end else f"it ends with `{last.text}`"


def _is_in_expression(pieces: tuple[Token, ...], place: int, following: str) -> bool:
    """Whether a word of `_CLAUSES` is part of an expression where it stands."""
    word, before = pieces[place].word, pieces[place - 1].word if place else ""
    if before == "" and place and pieces[place - 1].text == ".":
        return True  # the name of a column
    if word == "FROM":
        return (
            before == "DISTINCT"
            and place > 1
            and pieces[place - 2].word in ("IS", "NOT")
        )
    if word == "GROUP":
        return before == "WITHIN"
    return word in _FUNCTIONS and following == "("


def _dropped(bound: Bound) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each hidden argument that some texts use, with the labels of a text that does not."""
    texts = bound.chosen
    for field in bound.tool.fields:
        if isinstance(field.origin, Caller):
            continue
        without = [
            variant
            for variant, text in zip(bound.body.variants, texts, strict=False)
            if field.name not in text.statement.names
        ]
        if without and len(without) < len(texts):
            yield field.name, without[0].labels
