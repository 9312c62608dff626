"""Read the settings of the configuration file, TOML or YAML, into positioned nodes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeGuard

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import (
    FOREIGN_CONFIGURATION,
    NOT_A_MAPPING,
    TWO_CONFIGURATIONS,
    UNREADABLE_CONFIGURATION,
)
from brimgen.frozen import dataclass
from brimgen.source.characters import report_hidden
from brimgen.source.document import SourceFile
from brimgen.source.files import relative_name
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode

YAML_NAME = "brimgen.yaml"
TOML_NAME = "pyproject.toml"
_TABLE = re.compile(r"\s*\[\[?([^\]]+)\]")
_KEY = re.compile(r"\s*([^=#]*[^=#\s])\s*=")
_PART = re.compile(r"[^.\s\"']+")


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration file: the folder that it is about, its text, its settings.

    ``is_broken`` says that it could not be read, which was reported: ``root`` is empty then.
    """

    folder: Path
    file: SourceFile
    root: MapNode
    is_broken: bool = False


def find_configuration(start: Path, diagnostics: Diagnostics) -> Configuration | None:
    """The nearest configuration in ``start`` or above it: brimgen.yaml or [tool.brimgen].

    Above ``start`` only folders of the same repository count, up to the one that holds ``.git``: a
    file that somebody left in a shared folder must not steer what is written where. Nor may one
    that belongs to another user, or lies in a folder of theirs: this is reported. A
    pyproject.toml without [tool.brimgen] is passed over, so that one further up may count.
    """
    for folder in _searched(start):
        yaml, toml = folder / YAML_NAME, folder / TOML_NAME
        if folder != start and (foreign := _foreign(yaml, toml)) is not None:
            name = relative_name(foreign)
            diagnostics.add(FOREIGN_CONFIGURATION, Span.at_file(name), name=name)
            return None
        in_toml = read_configuration(toml, diagnostics) if toml.is_file() else None
        if yaml.is_file():
            if in_toml and not in_toml.is_broken:
                place = in_toml.root.span
                diagnostics.add(TWO_CONFIGURATIONS, place)
            return read_configuration(yaml, diagnostics)
        if in_toml:
            return in_toml
        if diagnostics.has_errors:
            return None
    return None


def _foreign(yaml: Path, toml: Path) -> Path | None:
    """The configuration above the working directory that belongs to another user, if any."""
    if sys.platform == "win32":
        return None
    trusted = {0, os.geteuid()}
    for path in (yaml, toml):
        if not path.is_file() or (path == toml and not _configures_brimgen(toml)):
            continue
        if not {path.stat().st_uid, path.parent.stat().st_uid} <= trusted:
            return path
    return None


def _configures_brimgen(toml: Path) -> bool:
    diagnostics = Diagnostics()
    return read_configuration(toml, diagnostics) is not None or diagnostics.has_errors


def places_of_configuration(start: Path) -> tuple[Path, ...]:
    """All files that `find_configuration` would read, if they were there."""
    names = (YAML_NAME, TOML_NAME)
    return tuple(folder / name for folder in _searched(start) for name in names)


def _searched(start: Path) -> tuple[Path, ...]:
    folders = (start, *start.parents)
    for depth, folder in enumerate(folders, 1):
        if (folder / ".git").exists():
            return folders[:depth]
    return folders[:1]


def read_configuration(path: Path, diagnostics: Diagnostics) -> Configuration | None:
    """Read one configuration file; None where there is no text, or it does not speak of brimgen.

    Its name is the way to it from the working directory.
    """
    name = relative_name(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "not UTF-8"
        diagnostics.add(UNREADABLE_CONFIGURATION, Span.at_file(name), reason=reason)
        return None
    file = SourceFile(name, str(path), text)
    reports_before = diagnostics.reports
    root = (
        _toml(file, diagnostics) if path.suffix == ".toml" else _yaml(file, diagnostics)
    )
    is_broken = root is None and diagnostics.reports > reports_before
    if is_broken:
        root = MapNode(Span.at_file(name), ())
    return None if root is None else Configuration(path.parent, file, root, is_broken)


def _yaml(file: SourceFile, diagnostics: Diagnostics) -> MapNode | None:
    from brimgen.source.compose import compose

    problems = Diagnostics()
    composed = compose(file, problems)
    for diagnostic in problems:
        if diagnostic.rule is NOT_A_MAPPING:
            reason = "it is no mapping of settings to values"
            diagnostics.add(UNREADABLE_CONFIGURATION, diagnostic.span, reason=reason)
        else:
            diagnostics.extend([diagnostic])
            diagnostics.reports += 1
    documents = [document for document in composed if not document.is_broken]
    if len(documents) > 1:
        reason = "it holds more than one document (`---`)"
        place = documents[1].root.span
        diagnostics.add(UNREADABLE_CONFIGURATION, place, reason=reason)
    if documents or problems.has_errors:
        return documents[0].root if documents else None
    return MapNode(Span.at_file(file.name), ())


def _toml(file: SourceFile, diagnostics: Diagnostics) -> MapNode | None:
    import tomllib

    try:
        values = tomllib.loads(file.text)
    except (ValueError, RecursionError) as problem:
        place = _place_of_error(file.name, str(problem))
        diagnostics.add(UNREADABLE_CONFIGURATION, place, reason=_in_words(str(problem)))
        return None
    tools = values.get("tool")
    table = tools.get("brimgen") if _is_table(tools) else None
    if not _is_table(table):
        return None
    root = _map_node(table, ("tool", "brimgen"), _Places(file))
    report_hidden(root, file.text, diagnostics)
    return root


def _is_table(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_array(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _in_words(problem: str) -> str:
    """Return the message of the standard library's reader, without the place."""
    message = problem.partition(" (at ")[0]
    advice = "; in TOML a text stands in quotes" if message == "Invalid value" else ""
    return f"{message[:1].lower()}{message[1:]}{advice}"


def _place_of_error(name: str, message: str) -> Span:
    match = re.search(r"at line (\d+), column (\d+)", message)
    if match is None:
        return Span.at_file(name)
    line, column = int(match[1]), int(match[2])
    return Span(name, line, column, line, column + 1)


class _Places:
    """The places of keys in a TOML file, which the standard library's reader does not report.

    Found by looking at the lines: tables and keys written in the plain ways are found, for any
    other spelling the nearest table that was found answers.
    """

    def __init__(self, file: SourceFile) -> None:
        self._spans: dict[tuple[str, ...], Span] = {(): Span.at_file(file.name)}
        table: tuple[str, ...] = ()
        for number, line in enumerate(file.text.splitlines(), 1):
            header = _TABLE.match(line)
            written = header or _KEY.match(line)
            path = () if header else table
            for part in _PART.finditer(line, *written.span(1)) if written else ():
                path = (*path, part[0])
                start, end = (0, len(line)) if header else part.span()
                place = Span(file.name, number, start + 1, number, end + 1)
                self._spans.setdefault(path, place)
            table = path if header else table

    def of(self, path: tuple[str, ...]) -> Span:
        """The place of the key at ``path``."""
        return next(
            self._spans[path[:end]]
            for end in range(len(path), -1, -1)
            if path[:end] in self._spans
        )


def _map_node(
    table: Mapping[str, Any], path: tuple[str, ...], places: _Places
) -> MapNode:
    entries = tuple(
        Entry(
            ScalarNode(places.of((*path, key)), key, key, quoted=True),
            _node(value, (*path, key), places),
        )
        for key, value in table.items()
    )
    return MapNode(places.of(path), entries)


def _node(value: Any, path: tuple[str, ...], places: _Places) -> Node:
    span = places.of(path)
    match value:
        case _ if _is_table(value):
            return _map_node(value, path, places)
        case _ if _is_array(value):
            return ListNode(span, tuple(_node(item, path, places) for item in value))
        case bool() | int() | float() | str():
            return ScalarNode(span, str(value), value, quoted=isinstance(value, str))
        case _:
            return ScalarNode(span, str(value), str(value))
