"""Select tools of a document by names and patterns, and the server that they call."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from brimgen.diagnostics import did_you_mean


class Choice:
    """The tools that the user selects by name, or all tools.

    In ``names``, ``*`` stands for any text; `missed` are the names that matched no tool. ``server``
    is the URL that replaces those of a document.
    """

    def __init__(self, names: tuple[str, ...] = (), server: str | None = None) -> None:
        self._names = names
        self._server = server
        self._calls_none = server is not None
        self._missed = dict.fromkeys(names)
        self._asked: list[str] = []

    @property
    def is_all(self) -> bool:
        """Whether all tools are wanted."""
        return not self._names

    def takes(self, name: str) -> bool:
        """Whether the tool of this name is wanted."""
        self._asked.append(name)
        matching = [pattern for pattern in self._names if fnmatchcase(name, pattern)]
        for matched in matching:
            self._missed.pop(matched, None)
        return self.is_all or bool(matching)

    def server(self) -> str | None:
        """The URL of the server that was chosen; None where the document's own are."""
        self._calls_none = False
        return self._server

    @property
    def calls_none(self) -> bool:
        """Return whether a server was chosen that no operation needs."""
        return self._calls_none

    def missed(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The names that no tool has, each with suggestions."""
        for name in self._missed:
            yield name, did_you_mean(name, self._asked)
