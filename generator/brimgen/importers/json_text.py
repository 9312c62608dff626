"""Read JSON text into positioned nodes, so that messages can point at its parts.

YAML readers refuse some JSON (tabs, pairs of surrogates), so `json` itself reads the text; its
scanner is asked where each value begins and ends.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from json import decoder, scanner
from typing import Any, TypeAlias

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import IMPORT_NOT_JSON
from brimgen.source.characters import may_hide_characters, report_hidden
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode

_Scan: TypeAlias = Callable[[str, int], tuple[Any, int]]
# What the library's own decoder is made of, without public types.
_OBJECT: Callable[..., tuple[Any, int]] = vars(decoder)["JSONObject"]
_ARRAY: Callable[..., tuple[Any, int]] = vars(decoder)["JSONArray"]
_SCANNER: Callable[[Any], _Scan] = vars(scanner)["py_make_scanner"]
_DEEPEST = 64
_HALF = "a text has half of a surrogate pair"


def read_json(name: str, text: str, diagnostics: Diagnostics) -> Node | None:
    """Read a JSON text as nodes with places; report an error and return None if it is invalid.

    Errors are repeated keys, NaN and Infinity, halves of surrogate pairs, and nesting of more than
    64 levels. Refused characters in strings are reported.
    """
    reader = _Reader(name, text)
    try:
        root = reader.read()
        if may_hide_characters(text):
            report_hidden(root, text, diagnostics)
        return root
    except json.JSONDecodeError as problem:
        diagnostics.add(
            IMPORT_NOT_JSON, reader.span(problem.pos, problem.pos), reason=problem.msg
        )
    except _Refused as problem:
        diagnostics.add(
            IMPORT_NOT_JSON, reader.span(problem.at, problem.at), reason=problem.reason
        )
    except ValueError:
        reason = "a number has too many digits"
        diagnostics.add(
            IMPORT_NOT_JSON, reader.span(reader.at, reader.at), reason=reason
        )
    return None


def _keep_pairs(pairs: list[tuple[str, Node]]) -> list[tuple[str, Node]]:
    return pairs


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any(
        "\ud800" <= character <= "\udfff" for character in text
    )


class _Refused(Exception):
    def __init__(self, at: int, reason: str) -> None:
        super().__init__(reason)
        self.at = at
        self.reason = reason


class _Reader(json.JSONDecoder):
    """Reads one text; every value that the scanner hands on is a node."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(parse_constant=self._constant, parse_float=_Number)
        self._name = name
        self._text = text
        self._starts = [0, *accumulate(len(part) + 1 for part in text.split("\n"))]
        self._depth = 0
        self.at = 0
        self.parse_object = self._object
        self.parse_array = self._array
        self._scan: _Scan = _SCANNER(self)

    def read(self) -> Node:
        """The value of the whole text."""
        begin = len(self._text) - len(self._text.lstrip(" \t\n\r"))
        try:
            node, end = self._value(self._text, begin)
        except StopIteration as stop:
            raise json.JSONDecodeError(
                "Expecting value", self._text, stop.value
            ) from None
        rest = self._text[end:]
        if rest.strip(" \t\n\r"):
            extra = len(self._text) - len(rest.lstrip(" \t\n\r"))
            raise json.JSONDecodeError("Extra data", self._text, extra)
        return node

    def span(self, begin: int, end: int) -> Span:
        """The place of a part of the text."""
        line, column = self._place(begin)
        end_line, end_column = self._place(end)
        return Span(self._name, line, column, end_line, end_column)

    def _place(self, index: int) -> tuple[int, int]:
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def _value(self, text: str, begin: int) -> tuple[Node, int]:
        self.at = begin
        value, end = self._scan(text, begin)
        if isinstance(value, MapNode | ListNode):
            return value, end
        if isinstance(value, str) and not _is_unicode(value):
            raise _Refused(begin, _HALF)
        written = value if isinstance(value, str) else text[begin:end]
        quoted = isinstance(value, str)
        return ScalarNode(self.span(begin, end), written, value, quoted), end

    def _object(
        self, start: tuple[str, int], strict: bool, scan: _Scan, *unused: Any
    ) -> tuple[MapNode, int]:
        begin = start[1]
        pairs, end = self._nested(
            partial(_OBJECT, start, strict, self._value, None, _keep_pairs, {}),
            begin - 1,
        )
        span = self.span(begin - 1, end)
        return MapNode(span, tuple(self._entries(pairs, span))), end

    def _array(self, start: tuple[str, int], scan: _Scan) -> tuple[ListNode, int]:
        items, end = self._nested(partial(_ARRAY, start, self._value), start[1] - 1)
        return ListNode(self.span(start[1] - 1, end), tuple(items)), end

    def _nested(
        self, read: Callable[[], tuple[Any, int]], begin: int
    ) -> tuple[Any, int]:
        if self._depth == _DEEPEST:
            raise _Refused(begin, f"nested more than {_DEEPEST} deep")
        self._depth += 1
        parsed = read()
        self._depth -= 1
        return parsed

    def _entries(self, pairs: list[tuple[str, Node]], span: Span) -> list[Entry]:
        keys: set[str] = set()
        entries: list[Entry] = []
        for key, value in pairs:
            at = self._starts[value.span.line - 1] + value.span.column - 1
            if not _is_unicode(key):
                raise _Refused(at, _HALF)
            if key in keys:
                raise _Refused(at, f"the key `{key}` stands twice in one object")
            keys.add(key)
            entries.append(Entry(ScalarNode(value.span, key, key, True), value))
        return entries

    def _constant(self, name: str) -> None:
        raise _Refused(self.at, f"{name} is no JSON number")


class _Number(float):
    """A number with a fraction or exponent that keeps its digits."""

    def __new__(cls, text: str) -> _Number:
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str

    def __repr__(self) -> str:
        return self.text
