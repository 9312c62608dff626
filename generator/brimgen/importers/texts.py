"""Read JSON and YAML texts into positioned nodes, so that messages can point at their parts.

YAML readers refuse some JSON (tabs, pairs of surrogates), so `json` itself judges a JSON text; what
it takes is divided into tokens, which have places.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from itertools import accumulate

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import IMPORT_NOT_JSON
from brimgen.source.characters import may_hide_characters, report_hidden
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.source.tree import MOST_NODES

_TOKEN = re.compile(r'([{}\[\]])|("(?:[^"\\]|\\.)*")|([^\s{}\[\],:"]+)')
_CONSTANTS = {"true": True, "false": False, "null": None}
_DEEPEST = 64


def read_json(name: str, text: str, diagnostics: Diagnostics) -> Node | None:
    """Read a JSON text as nodes with places; report an error and return None if it is invalid.

    Errors are repeated keys, NaN and Infinity, halves of surrogate pairs, and nesting of more than
    64 levels. Refused characters in strings are reported.
    """
    reader = _Reader(name, text)
    try:
        json.loads(text)
    except json.JSONDecodeError as problem:
        at = reader.span(problem.pos, problem.pos)
        diagnostics.add(IMPORT_NOT_JSON, at, reason=problem.msg)
        return None
    except (ValueError, RecursionError):
        pass  # too many digits, or too deep: the reader gets there, too
    try:
        root = reader.read()
    except _Refused as problem:
        diagnostics.add(IMPORT_NOT_JSON, problem.span, reason=problem)
        return None
    if may_hide_characters(text):
        report_hidden(root, text, diagnostics)
    return root


class _Refused(Exception):
    def __init__(self, span: Span, reason: str) -> None:
        super().__init__(reason)
        self.span = Span(span.file, *(span.line, span.column) * 2)


class _Reader:
    """Reads one text that `json` takes, or takes up to what is refused here."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._text = text
        self._starts = [0, *accumulate(len(part) + 1 for part in text.split("\n"))]

    def span(self, begin: int, end: int) -> Span:
        """The place of a part of the text."""
        line, end_line = (bisect_right(self._starts, at) for at in (begin, end))
        column, end_column = (
            at - self._starts[row - 1] + 1
            for at, row in ((begin, line), (end, end_line))
        )
        return Span(self._name, line, column, end_line, end_column)

    def read(self) -> Node:
        """The value of the whole text. Raises _Refused."""
        children: list[Node] = []
        outer: list[tuple[int, list[Node]]] = []
        for token in _TOKEN.finditer(self._text):
            mark, (begin, end) = token[1], token.span()
            if mark is None:
                children.append(self._scalar(token[0], self.span(begin, end)))
            elif mark in "{[":
                if len(outer) == _DEEPEST:
                    reason = f"nested more than {_DEEPEST} deep"
                    raise _Refused(self.span(begin, end), reason)
                outer.append((begin, children))
                children = []
            else:
                start, around = outer.pop()
                span, parts = self.span(start, end), tuple(children)
                node = _mapping(span, parts) if mark == "}" else ListNode(span, parts)
                around.append(node)
                children = around
        return children[0]

    @staticmethod
    def _scalar(written: str, span: Span) -> ScalarNode:
        if written[0] == '"':
            text = json.loads(written) if "\\" in written else written[1:-1]
            if not text.isascii() and any(
                "\ud800" <= each <= "\udfff" for each in text
            ):
                raise _Refused(span, "a text has half of a surrogate pair")
            return ScalarNode(span, text, text, quoted=True)
        if written in _CONSTANTS:
            return ScalarNode(span, written, _CONSTANTS[written])
        if written.strip("-") in ("NaN", "Infinity"):
            raise _Refused(span, f"{written} is no JSON number")
        try:
            is_whole = not {*written} & {*".eE"}
            value = int(written) if is_whole else _Number(written)
        except ValueError:
            raise _Refused(span, "a number has too many digits") from None
        return ScalarNode(span, written, value)


def _mapping(span: Span, parts: tuple[Node, ...]) -> MapNode:
    """An object; its keys have the places of their values."""
    entries: dict[str, Entry] = {}
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        assert isinstance(key, ScalarNode)
        if key.text in entries:
            raise _Refused(
                value.span, f"the key `{key.text}` stands twice in one object"
            )
        entries[key.text] = Entry(key._replace(span=value.span), value)
    return MapNode(span, tuple(entries.values()))


class _Number(float):
    """A number with a fraction or exponent that keeps its digits."""

    text: str

    def __new__(cls, text: str) -> _Number:
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __repr__(self) -> str:
        return self.text


def read_yaml(name: str, text: str, diagnostics: Diagnostics) -> tuple[MapNode, ...]:
    """The documents of a YAML text; what is no mapping is reported and left out.

    Documents of other systems are long. One may have as many values as its text has room for, so
    that it is only their repetition by aliases that is limited.
    """
    most = max(MOST_NODES, len(text))
    documents = compose(SourceFile(name, name, text), diagnostics, most=most)
    return tuple([document.root for document in documents if not document.is_broken])
