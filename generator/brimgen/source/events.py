"""Parse YAML text into events; the only module that imports PyYAML.

Events come one by one, so that every limit is enforced before memory or stack run out. PyYAML's
own nodes are not used: libyaml's composer recurses, and 30,000 nested brackets end the process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol

import yaml
from yaml import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml.reader import ReaderError

__all__ = [
    "AliasEvent",
    "DocumentEndEvent",
    "DocumentStartEvent",
    "Event",
    "MappingEndEvent",
    "MappingStartEvent",
    "Scalar",
    "ScalarEvent",
    "SequenceEndEvent",
    "SequenceStartEvent",
    "Token",
    "UnreadableTokens",
    "YamlFailure",
    "events",
    "tokens",
    "tokens_read",
]

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
"""Two escapes for one character, as JSON has them: libyaml refuses them, PyYAML does not."""


class TextMark(Protocol):
    """A place in a text, counted from 0: what PyYAML says of where something begins and ends."""

    @property
    def line(self) -> int:
        """The line."""
        ...

    @property
    def column(self) -> int:
        """The code points before it in its line."""
        ...

    @property
    def index(self) -> int:
        """The code points before it."""
        ...


class Scalar(Protocol):
    """What is read of a scalar."""

    start_mark: TextMark
    end_mark: TextMark
    value: str
    style: str | None


class Event(Scalar, Protocol):
    """The attributes that are read of events: ``value`` and ``style`` of scalars, ``flow_style`` of
    collections.
    """

    anchor: str | None
    tag: str | None
    flow_style: bool


class Token(Protocol):
    """What is read of PyYAML's tokens; ``id`` names its kind: ``<scalar>``, ``{``."""

    @property
    def id(self) -> str:
        """The kind."""
        ...

    start_mark: TextMark
    end_mark: TextMark


class YamlFailure(Exception):
    """The parser gave up: its words, and (line, column) from 0 of the place and its context."""

    def __init__(
        self,
        problem: str,
        place: tuple[int, int],
        context: str = "",
        context_place: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(problem, place, context, context_place)
        self.problem = problem
        self.place = place
        self.context = context
        self.context_place = context_place


def events(text: str) -> Iterator[Event]:
    """Yield the events of ``text``. Raises `YamlFailure` and nothing else."""
    loader = None
    try:
        loader = _loader(text)
        coming = iter(loader.get_event, None)
        yield from map(_paired, coming) if re.search(PAIR, text) else coming
    except yaml.MarkedYAMLError as problem:
        raise _marked(problem) from problem
    except ReaderError as problem:
        place = _place(text, problem.position)
        raise YamlFailure(str(problem.reason), place) from problem
    except (yaml.YAMLError, ValueError, OverflowError, LookupError) as problem:
        mark = getattr(loader, "line", 0), getattr(loader, "column", 0)
        raise YamlFailure("this value cannot be read", mark) from problem


def _loader(text: str) -> Any:
    return (yaml.SafeLoader if re.search(PAIR, text) else LOADER)(text)


def _paired(event: Event) -> Event:
    """Return an event in whose text two halves of a character are the character."""
    if isinstance(event, ScalarEvent) and not event.value.isascii():
        halves = event.value.encode("utf-16", "surrogatepass")
        event.value = halves.decode("utf-16", "surrogatepass")
    return event


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of ``text``, which `events` could read."""
    loader = _loader(text)
    while loader.check_token():
        yield loader.get_token()


class UnreadableTokens(Exception):
    """A text is YAML up to some place only."""


def tokens_read(text: str) -> Iterator[Token]:
    """Yield the tokens of a text that may be broken. Raises `UnreadableTokens` where it is."""
    try:
        yield from tokens(text)
    except (yaml.YAMLError, ValueError, OverflowError, LookupError) as problem:
        raise UnreadableTokens from problem


def _marked(problem: yaml.MarkedYAMLError) -> YamlFailure:
    mark = problem.problem_mark or problem.context_mark
    context = problem.context_mark
    return YamlFailure(
        problem.problem or "",
        (mark.line, mark.column) if mark else (0, 0),
        problem.context or "",
        (context.line, context.column) if context else None,
    )


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1)
