"""Cut DDL files, migrations and dumps into statements.

What is not applied is blanked out, so that every statement keeps its place: the parts of a
migration that lead down, rows of data in a dump, commands for `psql` and `mysql`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass
from brimgen.model.project import SchemaFile
from brimgen.sql import DIALECTS, Token, TokenKind, scan

_UP = re.compile(
    r"--\s*(?:migrate:up|\+goose\s+up|\+migrate\s+up|rambler\s+up)\b", re.IGNORECASE
)
_DOWN = re.compile(
    r"--\s*(?:migrate:down|\+goose\s+down|\+migrate\s+down|rambler\s+down|//\s*@undo)\b"
    r"|-{4}\s*create above / drop below",
    re.IGNORECASE,
)
_COPIED_ROWS = re.compile(
    r"^COPY\s[^;]*\bFROM\s+stdin\b[^;]*;.*?^\\\.$",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_PSQL_COMMAND = re.compile(r"^\\[a-z]\w*\b.*$", re.MULTILINE)
_DELIMITER = re.compile(r"\s*delimiter\s+(\S+)\s*", re.IGNORECASE)
_NEWLINE = re.compile(r"\n")
_NOT_NEWLINE = re.compile(r"[^\n]")
_ROUTINES = frozenset({"TRIGGER", "FUNCTION", "PROCEDURE", "EVENT", "PACKAGE"})
_WITHOUT_BODY = frozenset({"TABLE", "VIEW", "INDEX", "TYPE", "DOMAIN", "SEQUENCE"})
_OTHER_ENDS = frozenset({"IF", "LOOP", "WHILE", "REPEAT"})
_LIVE = frozenset({TokenKind.LIVE_OPEN, TokenKind.LIVE_CLOSE})
_NAMED_WITHIN = 12
"""Within so many words after CREATE stands what is created."""


@dataclass(frozen=True, slots=True)
class DdlStatement:
    """A statement of a DDL file: its tokens without comments, and the file that it stands in."""

    file: SchemaFile
    tokens: tuple[Token, ...]

    @property
    def text(self) -> str:
        """The statement as it is written, without what separates it from the next one."""
        return self.file.text[self.tokens[0].start : self.tokens[-1].end]

    def span(self, first: Token, last: Token | None = None) -> Span:
        """Return the place of tokens in the file."""
        return span_in(self.file, first.start, (last or first).end)


def span_in(file: SchemaFile, start: int, end: int) -> Span:
    """Return the place of a part of a file."""
    (line, column), last = (_line_and_column(file.text, at) for at in (start, end))
    return Span(file.name, line, column, *last)


def _line_and_column(text: str, at: int) -> tuple[int, int]:
    starts = _line_starts(text)
    line = bisect_right(starts, at)
    return line, at - starts[line - 1] + 1


@lru_cache(maxsize=64)
def _line_starts(text: str) -> list[int]:
    return [0, *(newline.end() for newline in _NEWLINE.finditer(text))]


def statements_of(file: SchemaFile, dialect: str) -> Iterator[DdlStatement]:
    """Yield the statements of a file that are applied."""
    file = SchemaFile(file.name, applied_text(file.text, dialect))
    scanned = scan(file.text, DIALECTS[dialect])
    tokens = [token for token in scanned.significant if token.kind not in _LIVE]
    start = 0
    for end in _ends(tokens, dialect):
        if tokens[start:end]:
            yield DdlStatement(file, tuple(tokens[start:end]))
        start = end + 1


def applied_text(text: str, dialect: str) -> str:
    """Return ``text`` with blanks for everything that is not applied."""
    text = _without_down(text)
    if dialect == "postgres":
        text = _COPIED_ROWS.sub(lambda match: _blank(match[0]), text)
        text = _PSQL_COMMAND.sub(lambda match: _blank(match[0]), text)
    return _with_one_delimiter(text) if dialect == "mysql" else text


def _blank(text: str) -> str:
    return _NOT_NEWLINE.sub(" ", text)


def _without_down(text: str) -> str:
    has_up = _UP.search(text) is not None
    if not has_up and _DOWN.search(text) is None:
        return text
    is_up, lines_up = not has_up, list[str]()
    for line in text.splitlines(keepends=True):
        if _UP.match(line.strip()):
            is_up = True
        elif _DOWN.match(line.strip()):
            is_up = False
        lines_up.append(line if is_up else _blank(line))
    return "".join(lines_up)


def _with_one_delimiter(text: str) -> str:
    """Write `;` for the delimiters that commands for `mysql` set."""
    if "delimiter" not in text.casefold():
        return text
    delimiter, lines_out = ";", list[str]()
    for line in text.splitlines(keepends=True):
        command = _DELIMITER.fullmatch(line)
        if command is not None:
            delimiter, line = command[1], _blank(line)
        elif delimiter != ";" and line.rstrip().endswith(delimiter):
            at = line.rindex(delimiter)
            line = f"{line[:at]};{_blank(line[at + 1 :])}"
        lines_out.append(line)
    return "".join(lines_out)


def _ends(tokens: Sequence[Token], dialect: str) -> Iterator[int]:
    """Yield where statements end: the places of `;`, of GO in T-SQL, and the last one."""
    is_routine, depth, start = False, 0, 0
    for at, token in enumerate(tokens):
        word = token.word
        if at == start:
            depth = 0
            is_routine = _is_routine(tokens[at : at + _NAMED_WITHIN])
        before = tokens[at - 1] if at > start else None
        if not is_routine or (before is not None and before.text == "."):
            word = ""
        if word in ("BEGIN", "CASE"):
            depth += before is None or before.word != "END"
        elif word == "END":
            follows = tokens[at + 1].word if at + 1 < len(tokens) else ""
            depth -= follows not in _OTHER_ENDS
        if (token.text == ";" and depth <= 0) or (
            token.word == "GO" and dialect == "tsql"
        ):
            yield at
            start = at + 1
    yield len(tokens)


def _is_routine(first: Sequence[Token]) -> bool:
    """Whether a statement creates something with a body, in which `;` does not end it."""
    words = [token.word for token in first]
    created = (word for word in words if word in _ROUTINES | _WITHOUT_BODY)
    return words[:1] == ["CREATE"] and next(created, "") in _ROUTINES
