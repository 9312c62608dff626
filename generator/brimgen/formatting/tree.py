"""Read YAML text as a tree of items with their comments, from the tokens of PyYAML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, TypeAlias

from brimgen.frozen import dataclass, field
from brimgen.source.events import Token, tokens

Kind: TypeAlias = Literal["empty", "scalar", "alias", "map", "list"]
_COMMENT = re.compile(r"#[^\n]*")
_GLUED = re.compile(r"^#(?=\w)")


class CannotFormat(Exception):
    """The text has a rare form of YAML that this room does not lay out."""


@dataclass(slots=True, kw_only=True)
class Value:
    """The value of a pair or entry.

    ``text`` is the source of a scalar or alias, and ``style`` its quote or block mark. ``tail`` are
    the comments after the last item. ``spread``: a flow collection holds a comment or a text of
    several lines, so it cannot be written on one line.
    """

    kind: Kind
    start: int
    end: int
    properties: str = ""
    text: str = ""
    style: str = ""
    is_flow: bool = False
    items: list[Item] = field(default_factory=list["Item"])
    tail: list[str] = field(default_factory=list[str])
    spread: bool = False


@dataclass(slots=True, kw_only=True)
class Item:
    """A pair of a mapping, or an entry of a list (which has no key).

    ``above`` are the comments and empty lines before it, ``beside`` the comment on its line.
    """

    start: int
    key: Value | None
    value: Value
    above: list[str] = field(default_factory=list[str])
    beside: str = ""


@dataclass(slots=True, kw_only=True)
class Page:
    """One YAML document; ``mark`` is the comment on the line of its ``---``."""

    start: int
    root: Value
    mark: str = ""


def read_pages(text: str) -> list[Page]:
    """The documents of a YAML text that is sound. Raises `CannotFormat`."""
    read = tuple(tokens(text))
    pages = _Reader(text, read).pages()
    comments = _Comments(text)
    for start, comment in _comments(text, read):
        comments.attach(start, comment, pages)
    for page in pages:
        comments.mark_empty_lines(page.root)
    return pages


class _Reader:
    """Builds the tree from tokens."""

    def __init__(self, text: str, read: tuple[Token, ...]) -> None:
        self._text, self._tokens, self._at = text, read, 0

    @property
    def _next(self) -> str:
        return self._tokens[self._at].id

    def _take(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def pages(self) -> list[Page]:
        pages: list[Page] = []
        self._take()  # the start of the stream
        while self._next != "<stream end>":
            if self._next == "<directive>":
                raise CannotFormat("it has a directive of YAML")
            start = self._tokens[self._at].start_mark.index
            if self._next == "<document start>":
                self._take()
            root = self._value()
            if not pages:
                start = 0
            pages.append(Page(start=start, root=root))
            while self._next == "<document end>":
                self._take()
        return pages

    def _value(self, *, in_map: bool = False) -> Value:
        """Read the value that begins here; an empty one before any other token."""
        token = self._tokens[self._at]
        start, properties = token.start_mark.index, list[str]()
        while self._next in {"<anchor>", "<tag>"}:
            properties.append(self._source(self._take()))
        value = self._bare_value(in_map)
        value.start, value.properties = min(start, value.start), " ".join(properties)
        return value

    def _bare_value(self, in_map: bool) -> Value:
        token = self._tokens[self._at]
        start, end = token.start_mark.index, token.end_mark.index
        match token.id:
            case "<scalar>" | "<alias>":
                self._take()
                kind: Kind = "scalar" if token.id == "<scalar>" else "alias"
                style = getattr(token, "style", None) or ""
                source = self._source(token)
                return Value(kind=kind, start=start, end=end, text=source, style=style)
            case "{" | "[":
                return self._flow()
            case "<block mapping start>" | "<block sequence start>":
                return self._block()
            case "-" if in_map:  # a list whose dashes stand below the key
                items = list(self._entries())
                return Value(kind="list", start=start, end=start, items=items)
            case _:
                return Value(kind="empty", start=start, end=start)

    def _source(self, token: Token) -> str:
        return self._text[token.start_mark.index : token.end_mark.index]

    def _block(self) -> Value:
        opening = self._take()
        is_map = opening.id == "<block mapping start>"
        items = list(self._pairs() if is_map else self._entries())
        if self._take().id != "<block end>":
            raise CannotFormat("it has a form of YAML that is not laid out")
        start = opening.start_mark.index
        return Value(
            kind="map" if is_map else "list", start=start, end=start, items=items
        )

    def _entries(self) -> Iterator[Item]:
        while self._next == "-":
            start = self._take().start_mark.index
            yield Item(start=start, key=None, value=self._value())

    def _pairs(self) -> Iterator[Item]:
        while self._next == "?":
            yield self._pair()

    def _pair(self) -> Item:
        mark = self._take()
        if self._source(mark):
            raise CannotFormat("it has a key with a question mark")
        key, value = self._value(), None
        if self._next == ":":
            after = self._take().end_mark.index
            value = self._value(in_map=True)
            if value.kind == "empty":
                value.start = value.end = after
        if key.kind not in {"scalar", "alias"} or "\n" in key.text:
            raise CannotFormat("it has a key of several parts")
        value = value or Value(kind="empty", start=key.end, end=key.end)
        return Item(start=key.start, key=key, value=value)

    def _flow(self) -> Value:
        opening = self._take()
        items = list[Item]()
        while self._next not in {"}", "]"}:
            if self._next == ",":
                self._take()
            elif self._next == "?" and opening.id == "{":
                items.append(self._pair())
            elif self._next == "?":
                pair = self._pair()
                inner = Value(
                    kind="map",
                    start=pair.start,
                    end=pair.value.end,
                    items=[pair],
                    is_flow=True,
                )
                items.append(Item(start=pair.start, key=None, value=inner))
            else:
                items.append(
                    _item_without_colon(self._value(), is_key=opening.id == "{")
                )
        end = self._take().end_mark.index
        spread = any(_is_long(item.value) for item in items)
        return Value(
            kind="map" if opening.id == "{" else "list",
            start=opening.start_mark.index,
            end=end,
            items=items,
            is_flow=True,
            spread=spread,
        )


def _item_without_colon(value: Value, *, is_key: bool) -> Item:
    """An item of brackets without a colon: a key without a value, or an entry."""
    if not is_key:
        return Item(start=value.start, key=None, value=value)
    if value.kind not in {"scalar", "alias"} or "\n" in value.text:
        raise CannotFormat("it has a key of several parts")
    nothing = Value(kind="empty", start=value.end, end=value.end)
    return Item(start=value.start, key=value, value=nothing)


def _is_long(value: Value) -> bool:
    """Whether a value inside of brackets cannot stand on one line."""
    return value.spread or (value.kind == "scalar" and "\n" in value.text)


def _comments(text: str, read: tuple[Token, ...]) -> Iterator[tuple[int, str]]:
    """The comments with their offsets: between tokens, and after a block mark."""
    for token, following in pairwise(read):
        if getattr(token, "style", None) in {"|", ">"}:
            head = text[token.start_mark.index : token.end_mark.index].partition("\n")
            if "#" in head[0]:
                at = token.start_mark.index + head[0].index("#")
                yield at, _tidy(head[0][head[0].index("#") :])
        end, start = token.end_mark.index, following.start_mark.index
        for match in _COMMENT.finditer(text, end, max(start, end)):
            yield match.start(), _tidy(match[0])


def _tidy(comment: str) -> str:
    return _GLUED.sub("# ", comment.rstrip())


class _Comments:
    """Gives each comment to the item that it is about."""

    def __init__(self, text: str) -> None:
        self._text = text

    def attach(self, start: int, comment: str, pages: list[Page]) -> None:
        page = next(page for page in reversed(pages) if page.start <= start)
        line = self._text.rfind("\n", 0, start) + 1
        before = self._text[line:start].strip()
        if before == "---":
            page.mark = comment
        elif before:
            self._beside(page.root, start, comment)
        else:
            lines = [*self._empty_above(line), comment]
            self._above(page.root, start, start - line, lines)

    def _beside(self, block: Value, start: int, comment: str) -> None:
        """Attach a comment to the item on its line."""
        if block.is_flow:
            block.spread = True
        item = next(
            (item for item in reversed(block.items) if item.start <= start), None
        )
        if item is None:
            raise CannotFormat("a comment stands before the first key, on its line")
        inner = item.value
        if inner.items and inner.items[0].start <= start and not _is_past(inner, start):
            self._beside(inner, start, comment)
            block.spread |= block.is_flow and inner.spread
            return
        if _holds(inner, start):  # right behind an opening bracket
            inner.spread = True
        item.beside = f"{item.beside} {comment}".strip()

    def _above(self, block: Value, start: int, column: int, lines: list[str]) -> None:
        """Give a comment on a line of its own to the item below it, or to the end of a block."""
        if block.is_flow:
            block.spread = True
        at = sum(item.start <= start for item in block.items)
        if at and self._is_in(block.items[at - 1], start, column):
            self._above(block.items[at - 1].value, start, column, lines)
            return
        if at < len(block.items):
            block.items[at].above += lines
        else:
            block.tail += lines

    def _is_in(self, item: Item, start: int, column: int) -> bool:
        """Whether a comment belongs to the collection in an item.

        In block style it belongs there if it is above the last item, or indented as deep as the
        items. Dashes may be indented as deep as the key of their list: a comment after them is
        about the next key.
        """
        value = item.value
        if value.is_flow or not value.items:
            return _holds(value, start)
        depth = self._column(value.items[0].start)
        is_deep = column >= max(depth, self._column(item.start) + 1)
        return is_deep or start < _last_start(value)

    def _column(self, start: int) -> int:
        return start - (self._text.rfind("\n", 0, start) + 1)

    def mark_empty_lines(self, block: Value) -> None:
        """Add the empty line above each item that has one, up to one."""
        for item in block.items:
            line = self._text.rfind("\n", 0, item.start) + 1
            if not self._text[line : item.start].strip("- \t"):
                item.above += self._empty_above(line)
            self.mark_empty_lines(item.value)

    def _empty_above(self, line: int) -> list[str]:
        """An empty text where the line above the one that begins at ``line`` is empty."""
        previous = self._text[self._text.rfind("\n", 0, max(line - 1, 0)) + 1 : line]
        return [""] if line and not previous.strip() else []


def _is_past(value: Value, start: int) -> bool:
    return value.is_flow and value.end <= start


def _holds(value: Value, start: int) -> bool:
    """Whether a place lies between the brackets of a value."""
    return value.is_flow and value.start < start < value.end


def _last_start(block: Value) -> int:
    last = block.items[-1]
    return max(last.start, _last_start(last.value) if last.value.items else 0)
