"""Find filters ``(:x IS NULL OR …)``, and write a statement with or without them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brimgen.frozen import dataclass
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import TokenKind

_GUARD = ("IS", "NULL", "OR")
_ALWAYS = "(1 = 1)"
"""What stands for a filter that is left out; every dialect has it."""


@dataclass(frozen=True, slots=True)
class OptionalFilter:
    """A filter of the argument ``name`` in brackets, and where its condition starts."""

    name: str
    start: int
    condition: int
    end: int


def optional_filters(statement: Statement) -> tuple[OptionalFilter, ...]:
    """Return the filters of a statement that begin with their guard, outermost first."""
    return tuple(_find_filters(statement))


def _find_filters(statement: Statement) -> Iterator[OptionalFilter]:
    tokens, searched = statement.significant, 0
    for at in range(len(tokens) - 4):
        if tokens[at].text != "(" or tokens[at].start < searched:
            continue
        words = tuple(token.word for token in tokens[at + 2 : at + 5])
        if tokens[at + 1].kind is not TokenKind.PARAM or words != _GUARD:
            continue
        if (
            at
            and tokens[at - 1].kind is TokenKind.WORD
            and not _may_precede(tokens[at - 1].word)
        ):
            continue  # the arguments of a function
        end = statement.closing_bracket(at)
        if end is None:
            return
        searched = tokens[end].end
        name = tokens[at + 1].name
        yield OptionalFilter(name, tokens[at].start, tokens[at + 5].start, searched)


def _may_precede(word: str) -> bool:
    return word in ("WHERE", "AND", "OR", "NOT", "ON", "HAVING", "WHEN")


def without_guards(statement: Statement, given: Mapping[str, bool]) -> str:
    """Return the text in which the filters of ``given`` have no guard.

    Those whose argument is absent are left out.
    """
    text, at = "", 0
    for optional_filter in optional_filters(statement):
        if optional_filter.name not in given:
            continue
        text += statement.text[at : optional_filter.start]
        at = optional_filter.end
        condition = statement.text[optional_filter.condition : optional_filter.end]
        text += f"({condition}" if given[optional_filter.name] else _ALWAYS
    return text + statement.text[at:]
