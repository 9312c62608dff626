"""Find tools by words: a full-text index over names, titles, descriptions and tags.

The index is SQLite's FTS5, in memory or in a file. Words match in any form that the Porter
stemmer joins (``orders`` finds ``order``), names weigh most, and words that are one letter away
from those of a query come last.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock

Texts = Mapping[str, str]
"""The searchable texts of one tool: ``names``, ``title``, ``tags`` and ``description``."""

_COLUMNS = ("names", "title", "tags", "description")
_WEIGHTS = "10.0, 6.0, 4.0, 1.0"
_OTHER_FORM, _BEGINNING, _FUZZY = 1000.0, 2000.0, 3000.0
"""What is added to the rank of tools that do not have the words as they are written."""

_MOST_WORDS = 32
_LOCK_SECONDS = 10
_APPLICATION_ID = int.from_bytes(b"brim", "big")
"""The mark in the header of SQLite files that are indexes; only these are ever changed."""
_CASE = re.compile("(?<=[a-z0-9])(?=[A-Z])")
_IDEOGRAPH = re.compile("([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])")
_WORD = re.compile(r"[^\W_]+")


class ToolIndex:
    """A full-text index over the texts of tools; threads may share it.

    With ``file`` the index is kept there and made again only where the texts changed. If the file
    is locked or cannot be written, the index is in memory. Raises ValueError for a file that
    holds something else; it stays as it is.
    """

    def __init__(self, tools: Sequence[Texts], file: Path | None = None) -> None:
        self._tools = [
            {column: _spaced(tool[column]) for column in _COLUMNS} for tool in tools
        ]
        self._lock = Lock()
        self._connection = self._opened(file)

    def search(
        self, query: str, is_shown: Callable[[int], bool] = lambda _: True
    ) -> dict[int, float]:
        """Return the positions of the tools that ``query`` may mean, each with its rank.

        The lowest rank is the best. All words have to be found: as they are, as beginnings of
        words, or, ranked last, one letter away. If no tool that ``is_shown`` has all of them, tools
        with some of them are returned.
        """
        words = _words(_spaced(query))[:_MOST_WORDS]
        if not words:
            return {}
        begun = [f'"{word}"*' for word in words]
        whole_words = self._matches([f'"{word}"' for word in words], " AND ")
        begun_words = {**self._matches(begun, " AND "), **whole_words}
        near = [
            f"({' OR '.join([prefix, *self._similar(word)])})"
            for prefix, word in zip(begun, words, strict=True)
        ]
        ranks = {
            position: _FUZZY + rank
            for position, rank in self._matches(near, " AND ").items()
        }
        for position, rank in begun_words.items():
            ranks[position] = rank + self._tier(position, words, whole_words)
        shown = {each: rank for each, rank in ranks.items() if is_shown(each)}
        if shown:
            return shown
        some = self._matches(near, " OR ").items()
        return {position: rank for position, rank in some if is_shown(position)}

    def _matches(self, terms: Sequence[str], operator: str) -> dict[int, float]:
        """Return the tools that an expression of FTS5 matches, with the rank of each."""
        statement = (
            f"SELECT rowid, bm25(tools, {_WEIGHTS}) FROM tools WHERE tools MATCH ?"
        )
        with self._lock:
            rows = self._connection.execute(statement, (operator.join(terms),))
            return {position: round(rank, 6) for position, rank in rows}

    def _tier(
        self, position: int, words: Sequence[str], whole_words: Collection[int]
    ) -> float:
        """Return what puts words as they were written before other forms, then beginnings."""
        if position not in whole_words:
            return _BEGINNING
        written = {
            word for text in self._tools[position].values() for word in _words(text)
        }
        return 0.0 if written.issuperset(words) else _OTHER_FORM

    def _similar(self, word: str) -> Iterator[str]:
        """Yield, quoted, the words of all tools that are one letter away from ``word``."""
        texts = (text for tool in self._tools for text in tool.values())
        for candidate in sorted({term for text in texts for term in _words(text)}):
            if _differ_by_one_letter(word, candidate):
                yield f'"{candidate}"'

    def _opened(self, file: Path | None) -> sqlite3.Connection:
        if file is not None:
            with suppress(sqlite3.Error, OSError):
                return self._in_file(file)
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._fill(connection, "")
        return connection

    def _in_file(self, file: Path) -> sqlite3.Connection:
        digest = hashlib.sha256(json.dumps(self._tools).encode()).hexdigest()
        connection = sqlite3.connect(
            file, check_same_thread=False, timeout=_LOCK_SECONDS
        )
        try:
            connection.execute("BEGIN IMMEDIATE")
            if file.stat().st_size and not _is_index(connection):
                raise _foreign_file(file)
            if _digest_of(connection) != digest:
                self._fill(connection, digest)
            connection.commit()
        except Exception as error:
            connection.close()
            # A file that is locked or read-only is no damaged one.
            if not isinstance(error, sqlite3.OperationalError | ValueError):
                _remove_damaged_index(file)
            raise
        return connection

    def _fill(self, connection: sqlite3.Connection, digest: str) -> None:
        columns = ", ".join(_COLUMNS)
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute("DROP TABLE IF EXISTS tools")
        connection.execute("DROP TABLE IF EXISTS content")
        connection.execute(
            f"CREATE VIRTUAL TABLE tools USING fts5({columns}, "
            "tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        connection.executemany(
            f"INSERT INTO tools (rowid, {columns}) VALUES (?, ?, ?, ?, ?)",
            [
                (position, *(tool[column] for column in _COLUMNS))
                for position, tool in enumerate(self._tools)
            ],
        )
        connection.execute("CREATE TABLE content (digest TEXT)")
        connection.execute("INSERT INTO content VALUES (?)", (digest,))


def _is_index(connection: sqlite3.Connection) -> bool:
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    return bool(mark == _APPLICATION_ID)


def _remove_damaged_index(file: Path) -> None:
    """Remove a file that cannot be read; raise ValueError if its header lacks the mark."""
    with file.open("rb") as opened:
        header = opened.read(72)
    mark = _APPLICATION_ID.to_bytes(4, "big")
    if not (header.startswith(b"SQLite format 3\0") and header[68:] == mark):
        raise _foreign_file(file)
    file.unlink()


def _foreign_file(file: Path) -> ValueError:
    return ValueError(
        f"{file} is not an index of tools, so it is not changed: "
        "name another file, or move this one"
    )


def _digest_of(connection: sqlite3.Connection) -> str | None:
    """Return the digest of the texts that a file indexes, None where it is new."""
    exists = "SELECT 1 FROM sqlite_master WHERE name = 'content'"
    if connection.execute(exists).fetchone() is None:
        return None
    row = connection.execute("SELECT digest FROM content").fetchone()
    return None if row is None else str(row[0])


def _spaced(text: str) -> str:
    """Return a text with spaces between the words of ``camelCase``, and around ideographs."""
    return _IDEOGRAPH.sub(r" \1 ", _CASE.sub(" ", text))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _differ_by_one_letter(one: str, other: str) -> bool:
    """Return whether one letter more, less or other, or a swap, makes one word the other."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < 3 or one == other:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, other_rest = one[start:], other[start:]
    return (
        rest[1:] == other_rest[1:]
        or rest[1:] == other_rest
        or rest == other_rest[1:]
        or (
            rest[2:] == other_rest[2:]
            and rest[:2] == other_rest[1::-1]
            and len(rest) > 1
        )
    )
