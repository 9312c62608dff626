"""Parse YAML text into events or nodes; the only module that imports PyYAML.

Text is normally read from events: they come one by one, so that every limit is enforced before
memory or stack run out. PyYAML's own nodes are made by libyaml's composer, which
recurses (30,000 nested brackets end the process): they are used only for texts that `composed`
knows to be small and shallow.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Protocol

import yaml
from yaml import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingNode,
    MappingStartEvent,
    ScalarEvent,
    ScalarNode,
    SequenceEndEvent,
    SequenceNode,
    SequenceStartEvent,
)
from yaml.reader import ReaderError

from brimgen.source.nodes import Mark

__all__ = [
    "UNTAGGED",
    "AliasEvent",
    "DocumentEndEvent",
    "DocumentStartEvent",
    "Event",
    "MappingEndEvent",
    "MappingNode",
    "MappingStartEvent",
    "Scalar",
    "ScalarEvent",
    "ScalarNode",
    "SequenceEndEvent",
    "SequenceNode",
    "SequenceStartEvent",
    "Token",
    "UnreadableTokens",
    "YamlFailure",
    "YamlNode",
    "composed",
    "events",
    "tokens",
    "tokens_read",
]

UNTAGGED = ""
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class TextMark(Mark, Protocol):
    """A place in the text, which knows its distance from the start, too, in code points."""

    @property
    def index(self) -> int:
        """The code points before it."""
        ...


class Scalar(Protocol):
    """What is read of a scalar, be it an event or a node."""

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


class YamlNode(Protocol):
    """What is read of PyYAML's nodes; ``tag`` is `UNTAGGED` where none was written.

    ``value`` is the text of a scalar, the nodes of a list, or the pairs of nodes of a mapping.
    """

    start_mark: TextMark
    end_mark: TextMark
    tag: str
    value: Any
    style: str | None
    flow_style: bool


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
        loader = LOADER(text)
        yield from iter(loader.get_event, None)
    except yaml.MarkedYAMLError as problem:
        raise _marked(problem) from problem
    except ReaderError as problem:
        place = _place(text, problem.position)
        raise YamlFailure(str(problem.reason), place) from problem
    except (yaml.YAMLError, ValueError, OverflowError, LookupError) as problem:
        mark = getattr(loader, "line", 0), getattr(loader, "column", 0)
        raise YamlFailure("this value cannot be read", mark) from problem


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of ``text``, which `events` could read."""
    loader = LOADER(text)
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


def composed(text: str) -> list[YamlNode] | None:
    """The root of each document, as libyaml composes it; None where it does not.

    Whatever is wrong with the text is for `events` to say. The stack of the process must be deep
    enough for what is nested in the text.
    """
    if LOADER is not getattr(yaml, "CSafeLoader", None):
        return None
    roots: list[YamlNode] = []
    try:
        composer = _composer()(text)
        while composer.check_node():
            roots.append(composer.get_node())
    except (yaml.YAMLError, ValueError, OverflowError, LookupError):
        return None
    return roots


@cache
def _composer() -> Any:
    """Return libyaml's composer; tags of untagged nodes are not computed, because they are not used
    here.
    """

    class Composer(yaml.cyaml.CParser):  # type: ignore[misc,name-defined]
        def resolve(self, kind: type, value: str, implicit: tuple[bool, bool]) -> str:
            return UNTAGGED

        def descend_resolver(self, parent: object, index: object) -> None:
            """Nothing depends on what a node stands in."""

        def ascend_resolver(self) -> None:
            """Nothing depends on what a node stood in."""

    return Composer


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
