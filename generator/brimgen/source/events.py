"""YAML text in, its events out: the only room that imports PyYAML.

The nodes are built from events, not from PyYAML's own nodes: its C composer recurses (30,000
nested brackets end the process), while its event parser does not, so that every limit can be
kept before memory or stack are spent (promises.md 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from brimgen.regex import patterns_later

# What PyYAML knows of characters and values in patterns, its parser in C and we do without:
# compiling them was half of its import.
with patterns_later():
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
    "ScalarEvent",
    "SequenceEndEvent",
    "SequenceStartEvent",
    "YamlFailure",
    "events",
]

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Mark(Protocol):
    """A place in the text, counted from 0 in code points."""

    line: int
    column: int
    index: int


class Event(Protocol):
    """What is read of events; ``value`` and ``style`` are of scalars, ``flow_style`` of others."""

    start_mark: Mark
    end_mark: Mark
    anchor: str | None
    tag: str | None
    value: str
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
    """The events of ``text``, one by one. Raises `YamlFailure` and nothing else."""
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
