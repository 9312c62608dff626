"""Write the placeholders of a query of sqlc, aiosql or Toolbox as ``:name``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlglot import exp

from brimgen.frozen import dataclass, field
from brimgen.sql import Statement, Token, TokenKind, scan
from brimgen.sql.model import Unreadable
from brimgen.sql.tokens import words
from brimgen.sql.tree import parse

_FOREIGN = re.compile(
    r"(?:\?|%s|[$:](?=\d))(?P<number>\d*)|(?:[@$]|%\()(?P<name>\w+)(?:\)s)?"
)
_ARGUMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MACROS = words("ARG NARG SLICE EMBED")
_STAND_IN = "brimgen_stand_in_"
_AROUND = (exp.Cast, exp.Paren, exp.Any, exp.All)
_COMPARING = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.In),
    *(exp.Like, exp.ILike, exp.Glob, exp.RegexpLike),
)


@dataclass(slots=True)
class NamedQuery:
    """A query whose placeholders have names.

    ``nullable`` are parameters that may be NULL (``sqlc.narg``, or ``$1 IS NULL OR …``), ``lists``
    those that are lists (``sqlc.slice``), ``embedded`` the tables of ``sqlc.embed``.
    """

    text: str
    names: list[str] = field(default_factory=list[str])
    nullable: set[str] = field(default_factory=set[str])
    lists: set[str] = field(default_factory=set[str])
    embedded: list[str] = field(default_factory=list[str])


class _Placeholder(NamedTuple):
    """The tokens ``first`` to ``last``; ``number`` tells which one it is if it has no name."""

    first: int
    last: int
    name: str = ""
    number: int = 0
    macro: str = ""


def body(statement: Statement) -> str:
    """Return a statement without the comments and white space around it, and without its ``;``."""
    tokens = [*statement.significant]
    while tokens and tokens[-1].text == ";":
        tokens.pop()
    return statement.text[tokens[0].start : tokens[-1].end] if tokens else ""


def with_embedded(
    statement: Statement, columns_of: Callable[[str], Sequence[str]]
) -> tuple[str, list[str]]:
    """Write each ``sqlc.embed(table)`` whose columns are known as ``table.id AS table_id, …``.

    Return the text, and the tables that are written so.
    """
    text, at, tables = "", 0, list[str]()
    for each in _placeholders(statement):
        columns = columns_of(each.name) if each.macro == "EMBED" else ()
        if not columns:
            continue
        listed = [f"{each.name}.{name} AS {each.name}_{name}" for name in columns]
        start = statement.significant[each.first].start
        text += f"{statement.text[at:start]}{', '.join(listed)}"
        at = statement.significant[each.last].end
        tables.append(each.name)
    return text + statement.text[at:], tables


def with_names(statement: Statement) -> NamedQuery:
    """Return a query with named placeholders. One without a name is called like its column."""
    placeholders = [*_placeholders(statement)]
    query = NamedQuery("")
    query.embedded += [each.name for each in placeholders if each.macro == "EMBED"]
    placeholders = [each for each in placeholders if each.macro != "EMBED"]
    given = {each.name for each in placeholders}
    stand_ins = [each.name or f"{_STAND_IN}{each.number}" for each in placeholders]
    text = _replaced(statement, zip(placeholders, stand_ins, strict=True))
    columns, nullable = _surroundings(scan(text, statement.dialect))
    numbered = {each.number: "" for each in placeholders if each.number}
    for number in numbered:
        column = columns.get(f"{_STAND_IN}{number}", "")
        name = column if _ARGUMENT.fullmatch(column) else f"arg{number}"
        numbered[number] = f"{name}_{number}" if name in given else name
        given.add(numbered[number])
    names = [each.name or numbered[each.number] for each in placeholders]
    query.names += dict.fromkeys(names)
    for each, stand_in, name in zip(placeholders, stand_ins, names, strict=True):
        if each.macro == "NARG" or stand_in in nullable:
            query.nullable.add(name)
        if each.macro == "SLICE":
            query.lists.add(name)
    query.text = _replaced(statement, zip(placeholders, names, strict=True))
    return query


def with_given_names(statement: Statement, names: Sequence[str]) -> str:
    """Return a statement whose placeholders by position have ``names``, and others their own.

    ``$2`` and ``?2`` are the second one; each ``?`` is the next one. A word such as ``@name`` is a
    placeholder if ``name`` is one of ``names``, and else a variable of the database.
    """
    named: list[tuple[_Placeholder, str]] = []
    for each in _placeholders(statement, names):
        index = each.number - 1
        if not each.macro:
            name = names[index] if 0 <= index < len(names) else f"arg{each.number}"
            named.append((each, each.name or name))
    return _replaced(statement, named)


def _replaced(statement: Statement, names: Iterable[tuple[_Placeholder, str]]) -> str:
    text, at = "", 0
    for placeholder, name in names:
        start = statement.significant[placeholder.first].start
        text += f"{statement.text[at:start]}:{name}"
        at = statement.significant[placeholder.last].end
    return text + statement.text[at:]


def _placeholders(
    statement: Statement, names: Sequence[str] = ()
) -> Iterator[_Placeholder]:
    tokens, highest = statement.significant, 0
    for index, token in enumerate(tokens):
        if token.kind in (TokenKind.PARAM, TokenKind.AMBIGUOUS):
            yield _Placeholder(index, index, token.name)
        elif token.kind is TokenKind.FOREIGN:
            match = _FOREIGN.fullmatch(token.text)
            if match is None:
                continue
            if match["name"]:
                yield _Placeholder(index, index, match["name"])
                continue
            number = int(match["number"] or highest + 1)
            highest = max(highest, number)
            yield _Placeholder(index, index, number=number)
        elif token.text[0] in "@$" and token.text[1:] in names:
            yield _Placeholder(index, index, token.text[1:])
        elif token.word == "SQLC":
            macro = _macro(tokens[index : index + 6])
            if macro is not None:
                yield macro._replace(first=index, last=index + 5)


def _macro(tokens: Sequence[Token]) -> _Placeholder | None:
    """Read ``sqlc.arg(name)``; the name may be in quotes."""
    if len(tokens) < 6 or tokens[2].word not in _MACROS:
        return None
    if [tokens[at].text for at in (1, 3, 5)] != [".", "(", ")"]:
        return None
    return _Placeholder(0, 0, tokens[4].text.strip("'\"`"), macro=tokens[2].word)


def _surroundings(statement: Statement) -> tuple[dict[str, str], set[str]]:
    """The column beside each parameter, where there is one, and what is tested for NULL.

    A parameter stands beside the column that it is compared with or stored in; of a row limit, it
    is called ``limit`` or ``offset``. Of what sqlglot cannot read nothing is said.
    """
    parsed = statement.computed_once(parse)
    columns: dict[str, str] = {}
    nullable: set[str] = set()
    if isinstance(parsed, Unreadable):
        return columns, nullable
    for node in parsed.tree.find_all(exp.Placeholder):
        inner: exp.Expr = node
        while isinstance(inner.parent, _AROUND):
            inner = inner.parent
        token = parsed.uses.get(str(node.this))
        if token is not None and inner.parent is not None:
            columns[token.name] = columns.get(token.name) or _column(
                inner, inner.parent
            )
            if isinstance(inner.parent, exp.Is):
                nullable.add(token.name)
    return columns, nullable


def _column(node: exp.Expr, around: exp.Expr) -> str:
    if isinstance(around, (exp.Limit, exp.Offset)):
        return around.key
    insert = around.find_ancestor(exp.Insert) if isinstance(around, exp.Tuple) else None
    if insert is not None and isinstance(insert.this, exp.Schema):
        listed, at = insert.this.expressions, node.index or 0
        return str(listed[at].name) if at < len(listed) else ""
    if not isinstance(around, _COMPARING) or around.this is node:
        return ""
    left = around.this
    while isinstance(left, exp.Cast):
        left = left.this
    return str(left.name) if isinstance(left, exp.Column) else ""
