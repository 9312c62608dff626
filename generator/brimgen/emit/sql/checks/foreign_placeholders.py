"""Report placeholders of other styles, and suggest the parameters that replace them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from brimgen.diagnostics import Diagnostics, TextBlock, did_you_mean
from brimgen.diagnostics.rules.sql import statements as rules
from brimgen.sqltext import Statement, Token, TokenKind

_NAMED = re.compile(r"%\(([^()]+)\)s|[$@]@?([^\W\d]\w*)")
_NUMBERED = re.compile(r"[?$]([0-9]{1,6})")
_OPERATORS = frozenset(("=", "==", "<", ">", "<>", "!=", "LIKE", "ILIKE"))


def report_placeholders(
    statement: Statement,
    block: TextBlock,
    declared: Collection[str],
    diagnostics: Diagnostics,
) -> Iterator[str]:
    """Report every placeholder of another style, and suggest the parameter to write instead.

    Yields the arguments that they were probably meant to bind.
    """
    tokens = statement.significant
    marks = [at for at, token in enumerate(tokens) if token.kind is TokenKind.FOREIGN]
    nameless = [at for at in marks if _name(tokens[at]) is None]
    intended = _by_place(statement, nameless, tuple(declared))
    for at in marks:
        token, name = tokens[at], _name(tokens[at])
        near: tuple[str, ...] = ()
        if name is None:
            near = (intended[at],) if at in intended else ()
            yield from near or declared
        else:
            near = (name,) if name in declared else did_you_mean(name, declared)
            yield from near or declared
            near = near or ((name,) if name.isidentifier() else ())
        diagnostics.add(
            rules.FOREIGN_PLACEHOLDER,
            block.span_at(token.start, token.end),
            suggestions=[f":{argument}" for argument in near],
            text=token.text,
        )


def _name(token: Token) -> str | None:
    """Return the name in ``%(name)s``, ``$name`` and ``@name``; None for a positional
    placeholder.
    """
    named = _NAMED.fullmatch(token.text)
    return (named[1] or named[2]) if named else None


def _by_place(
    statement: Statement, marks: Sequence[int], declared: tuple[str, ...]
) -> dict[int, str]:
    """Match placeholders without a name to arguments: by their column, else by their order.

    Order decides only where there are as many placeholders as arguments, and nothing
    contradicts it.
    """
    if len(declared) == 1:
        return dict.fromkeys(marks, declared[0])
    tokens = statement.significant
    numbers = [_number(tokens[at], order) for order, at in enumerate(marks)]
    folded = {argument.casefold(): argument for argument in declared}
    columns = [folded.get(_column(statement, at).casefold()) for at in marks]
    pairs = {(number, name) for number, name in zip(numbers, columns, strict=True)}
    named = [name for _, name in pairs if name is not None]
    if len(set(named)) < len(named):  # two placeholders are compared with one column
        columns = [None] * len(marks)
    taken = frozenset(columns)
    in_order = set(numbers) == set(range(len(declared)))
    arguments: dict[int, str] = {}
    for at, number, column in zip(marks, numbers, columns, strict=True):
        if column is not None:
            arguments[at] = column
        elif in_order and declared[number] not in taken:
            arguments[at] = declared[number]
    return arguments


def _number(token: Token, order: int) -> int:
    numbered = _NUMBERED.fullmatch(token.text)
    return int(numbered[1]) - 1 if numbered else order


def _column(statement: Statement, at: int) -> str:
    """Return the column that a placeholder is compared with or stored in, or LIMIT; else an
    empty text.
    """
    tokens, words = statement.significant, statement.words
    before = words[at - 1] if at else ""
    if at > 1 and (tokens[at - 1].text in _OPERATORS or before in _OPERATORS):
        return tokens[at - 2].text.strip('"`[]')
    if before in ("LIMIT", "OFFSET"):
        return before
    return _inserted(statement, at)


def _inserted(statement: Statement, at: int) -> str:
    """Return the column of a placeholder in ``INSERT INTO t (a, b) VALUES (?, ?)``."""
    tokens, levels = statement.significant, statement.levels
    opened = next(
        (position for position in range(at, 0, -1) if levels[position] < levels[at]), 0
    )
    if opened < 2 or statement.words[opened - 1] != "VALUES":
        return ""
    list_end = opened - 2  # the bracket that closes the columns
    first = next(
        (
            position
            for position in range(list_end - 1, 0, -1)
            if tokens[position].text == "("
        ),
        list_end,
    )
    columns = [
        token.text for token in tokens[first + 1 : list_end] if token.text != ","
    ]
    index = sum(
        tokens[position].text == "," and levels[position] == levels[at]
        for position in range(opened, at)
    )
    return columns[index].strip('"`[]') if index < len(columns) else ""
