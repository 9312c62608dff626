"""Merge a new import into a spec that people may have edited: three ways, key by key.

Of the last import only digests are kept. A value that nobody edited becomes the new one; one that
the source did not change stays; where both changed, or one is gone, the edited one stays, and that
is a conflict. Text is edited in place, so comments and the order of keys survive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import TypeAlias, cast

from brimgen.importers.yaml_text import yaml_entry
from brimgen.model.json import Json, JsonObject, is_object
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode, plain

Path: TypeAlias = tuple[str, ...]
Digests: TypeAlias = Mapping[str, object] | str
"""The digest of a value; of a mapping, those of its members."""

_GONE = object()


def digests(value: Json) -> Digests:
    """The digests of a value and of its parts."""
    if isinstance(value, Mapping):
        return {key: digests(member) for key, member in value.items()}
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def merged(
    base: Digests, ours: JsonObject, theirs: JsonObject
) -> tuple[dict[str, Json], list[Path]]:
    """Merge what a spec says now (``ours``) and what was imported (``theirs``).

    ``base`` are the digests of what was imported before. Keys keep the order of ``ours``; new ones
    follow the key that they follow in ``theirs``. Return the paths of conflicts, too.
    """
    known: Mapping[str, object] = base if isinstance(base, Mapping) else {}
    result: dict[str, Json] = dict(ours)
    conflicts: list[Path] = []
    for key in (*theirs, *(key for key in ours if key not in theirs)):
        old = known.get(key, _GONE)
        mine, new = ours.get(key, _GONE), theirs.get(key, _GONE)
        digest_mine, digest_new = _digest(mine), _digest(new)
        if digest_mine == digest_new or digest_new == old:
            continue
        if is_object(mine) and is_object(new):
            inner = cast("Digests", old if isinstance(old, Mapping) else {})
            result[key], below = merged(inner, mine, new)
            conflicts += [(key, *path) for path in below]
        elif digest_mine != old:
            conflicts.append((key,))
        elif new is _GONE:
            del result[key]
        else:
            result = _with(result, key, cast("Json", new), [*theirs])
    return result, conflicts


def _digest(value: object) -> object:
    return value if value is _GONE else digests(cast("Json", value))


def _with(
    document: dict[str, Json], key: str, value: Json, order: list[str]
) -> dict[str, Json]:
    """Return a mapping with a value; a new key follows the one that it follows in ``order``."""
    if key in document:
        return {**document, key: value}
    before = [each for each in order[: order.index(key)] if each in document]
    if not before:
        return {**document, key: value}
    items = list(document.items())
    at = [*document].index(before[-1]) + 1
    return dict([*items[:at], (key, value), *items[at:]])


def rewritten(text: str, root: MapNode, wanted: JsonObject) -> str:
    """Return the text of a file in which the document ``root`` says what is ``wanted``.

    Lines that need not change stay. Comments beside a value that is replaced stand above it.
    """
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    editor = _Editor(lines)
    first, last = root.entries[0].key.span.line - 1, editor.end_of(root.entries[-1])
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    edited = [
        line if line.endswith("\r\n") else line.replace("\n", end)
        for line in editor.mapping(root, first, last, wanted)
    ]
    return "".join((*lines[:first], *edited, *lines[last:]))


class _Editor:
    """Edits mappings in block style by the lines of their file, which are counted from 0."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def mapping(
        self, node: MapNode, first: int, last: int, wanted: JsonObject
    ) -> Iterator[str]:
        """Yield the lines from ``first`` to before ``last``, which hold a mapping."""
        entries = {entry.key.text: entry for entry in node.entries}
        indent = " " * (node.entries[0].key.span.column - 1)
        order = [*wanted]
        at = first
        for key, entry in entries.items():
            start, end = entry.key.span.line - 1, self.end_of(entry)
            yield from self._lines[at:start]
            at = end
            if key not in wanted:
                continue
            yield from self._entry(entry, end, wanted[key], indent)
            for added in order[order.index(key) + 1 :]:
                if added in entries:
                    break
                yield yaml_entry(added, wanted[added], indent)
        yield from self._lines[at:last]

    def _entry(self, entry: Entry, end: int, value: Json, indent: str) -> Iterator[str]:
        node, start = entry.value, entry.key.span.line - 1
        if digests(cast("Json", plain(node))) == digests(value):
            yield from self._lines[start:end]
            return
        if isinstance(node, MapNode) and isinstance(value, Mapping):
            shares = any(each.key.text in value for each in node.entries)
            if shares and not self._is_marked(node, "{"):
                yield from self.mapping(node, start, end, value)
                return
        text = yaml_entry(entry.key.text, value, indent)
        line, span = self._lines[start], node.span
        column, end_column = span.column - 1, span.end_column - 1
        is_flow = self._is_marked(node, "{[") or isinstance(node, ScalarNode)
        is_in_line = span.line == span.end_line == start + 1 == end
        if is_flow and is_in_line and column < end_column and text.count("\n") == 1:
            head = len(yaml_entry(entry.key.text, 0, indent)) - len("0\n")
            yield f"{line[:column]}{text[head:-1]}{line[end_column:]}"
            return
        for old in self._lines[start:end]:
            comment = _COMMENT.search(old)
            if comment is not None and not self._is_block_text(node):
                yield f"{indent}{comment[1]}\n"
        yield text

    def end_of(self, entry: Entry) -> int:
        """Return the line behind an entry: behind what is indented below its last part."""
        end = entry.key.span.line
        waiting: list[Node] = [entry.value]
        while waiting:
            node = waiting.pop()
            is_closed = self._is_marked(node, "{[\"'")
            end = max(end, node.span.end_line if is_closed else node.span.line)
            if isinstance(node, MapNode):
                waiting += [part for each in node.entries for part in each]
            elif isinstance(node, ListNode):
                waiting += node.items
        column = entry.key.span.column - 1
        for number in range(end, len(self._lines)):
            line = self._lines[number]
            if line.strip() and len(line) - len(line.lstrip(" ")) <= column:
                break
            end = number + 1 if line.strip() else end
        return end

    def _is_marked(self, node: Node, marks: str) -> bool:
        """Whether the text of a node begins with one of ``marks``."""
        line, column = node.span.line - 1, node.span.column - 1
        text = "".join(self._lines[line : line + 1])
        return text[column : column + 1] in [*marks]

    def _is_block_text(self, node: Node) -> bool:
        return isinstance(node, ScalarNode) and self._is_marked(node, "|>")


_COMMENT = re.compile(r"^[^'\"]*?(?:^|\s)(#.*)$")
"""A comment that stands behind no quoted text of its line."""
