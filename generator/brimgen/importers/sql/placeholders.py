"""Write the placeholders of a query of sqlc or aiosql as ``:name``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from brimgen.frozen import dataclass, field

_SKIPPED = (
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|--[^\n]*|/\*.*?\*/"
    r"|(?P<tag>\$(?:[A-Za-z_]\w*)?\$).*?(?P=tag)"
)
_CALL = r"sqlc\.(?P<call>arg|narg|slice|embed)\(\s*'?\"?(?P<called>\w+)'?\"?\s*\)"
_PLACEHOLDER = re.compile(
    rf"(?P<skipped>{_SKIPPED})|{_CALL}|(?<![\w@:])@(?P<at>[A-Za-z_]\w*)"
    r"|\$(?P<number>[0-9]+)|(?P<mark>\?)(?P<which>[0-9]*)|(?<![:\w]):(?P<named>[A-Za-z_]\w*)",
    re.DOTALL,
)
_COMPARED = re.compile(
    r"(?:(?P<column>\w+)\"?\s*(?:=|<>|!=|<=|>=|<|>|(?:NOT\s+)?I?LIKE|(?:NOT\s+)?IN)"
    r"|(?P<word>LIMIT|OFFSET))\s*(?:ANY\s*)?\(?\s*\Z",
    re.IGNORECASE,
)
_INSERT = re.compile(
    r"INSERT\s+(?:OR\s+\w+\s+)?INTO\s+[\w.\"`]+\s*\((?P<columns>[^()]*)\)\s*VALUES\s*\(",
    re.IGNORECASE,
)


@dataclass(slots=True)
class NamedQuery:
    """A query whose placeholders have names.

    ``nullable`` are parameters that may be NULL (``sqlc.narg``), ``lists`` those that are lists
    (``sqlc.slice``), ``embedded`` the tables of ``sqlc.embed``.
    """

    text: str
    names: list[str] = field(default_factory=list[str])
    nullable: set[str] = field(default_factory=set[str])
    lists: set[str] = field(default_factory=set[str])
    embedded: list[str] = field(default_factory=list[str])


def with_names(text: str, *, has_variables: bool) -> NamedQuery:
    """Return a query with named placeholders; ``has_variables``: ``@x`` is a variable in it."""
    query = NamedQuery("")
    numbers: dict[str, str] = {}
    marks = 0
    stored = dict(_inserted_columns(text))
    at = 0
    for match in _PLACEHOLDER.finditer(text):
        name = match["called"] or match["at"] or match["named"]
        if match["skipped"] or (match["at"] and has_variables):
            continue
        if match["call"] == "embed":
            query.embedded.append(name)
            continue
        if name is None:
            marks += 1
            number = match["number"] or match["which"] or f"{marks}"
            name = numbers.get(number)
            if name is None:
                name = numbers[number] = _free_name(
                    stored.get(match.start())
                    or _compared_column(text[: match.start()]),
                    query.names,
                    number,
                )
        if match["call"] == "narg":
            query.nullable.add(name)
        if match["call"] == "slice":
            query.lists.add(name)
        if name not in query.names:
            query.names.append(name)
        query.text += f"{text[at : match.start()]}:{name}"
        at = match.end()
    query.text += text[at:]
    return query


def with_given_names(text: str, names: Sequence[str]) -> str:
    """Return a statement whose placeholders by position have ``names``, and others their own.

    ``$2`` and ``?2`` are the second one; each ``?`` is the next one.
    """
    parts: list[str] = []
    at = marks = 0
    for match in _PLACEHOLDER.finditer(text):
        name = match["at"] or match["named"]
        if match["skipped"] or match["call"]:
            continue
        if name is None:
            marks += 1
            index = int(match["number"] or match["which"] or marks) - 1
            name = names[index] if 0 <= index < len(names) else f"arg{index + 1}"
        parts += [text[at : match.start()], f":{name}"]
        at = match.end()
    return "".join((*parts, text[at:]))


def _compared_column(before: str) -> str:
    """Return the column that a placeholder is compared with, or ``limit`` or ``offset``."""
    match = _COMPARED.search(before)
    return "" if match is None else (match["column"] or match["word"].lower())


def _free_name(name: str, taken: list[str], number: str) -> str:
    if not name or name[0].isdigit() or not name.isascii():
        return f"arg{number}"
    return f"{name}_{number}" if name in taken else name


def _inserted_columns(text: str) -> Iterator[tuple[int, str]]:
    """Yield the offset of each value of an INSERT, and its column."""
    match = _INSERT.search(text)
    if match is None:
        return
    columns = [column.strip().strip('"`') for column in match["columns"].split(",")]
    at, depth = match.end(), 0
    index, start = 0, at
    while at < len(text) and depth >= 0:
        depth += (text[at] == "(") - (text[at] == ")")
        if depth < 0 or (text[at] == "," and depth == 0):
            value = text[start:at]
            if index < len(columns):
                yield start + len(value) - len(value.lstrip()), columns[index]
            index, start = index + 1, at + 1
        at += 1
