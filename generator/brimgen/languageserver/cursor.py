"""Find the keys of a spec above the cursor, and whether the cursor is at a key."""

from __future__ import annotations

import re
from typing import TypeAlias

from brimgen.frozen import dataclass, field
from brimgen.languageserver.analysis import Region
from brimgen.source.events import Token, UnreadableTokens, tokens_read

_MARK = "cursor-is-here-0"
_WORD = re.compile(r"[\w-]*$")
_KEY_COMES = re.compile(r"(?:^|[{,]|(?:^|\s)-\s)\s*[\"']?$")
_ITEM_COMES = re.compile(r"\[[^\]{]*$")
Values: TypeAlias = dict[str, object]


@dataclass(slots=True)
class Level:
    """A collection that is open at the cursor: the key there, and the values before it.

    The ``key`` of a list is ``[]``.
    """

    is_list: bool
    is_flow: bool
    key: str | None = None
    values: Values = field(default_factory=dict[str, object])
    is_below_key: bool = False


@dataclass(frozen=True, slots=True)
class Cursor:
    """``word`` is what is written up to the cursor; ``levels`` lead to the place from the root."""

    word: str
    is_key: bool
    levels: tuple[Level, ...]

    @property
    def path(self) -> tuple[str, ...]:
        """The keys that lead to the collection or value that the cursor is in."""
        levels = self.levels[:-1] if self.is_key else self.levels
        return tuple(level.key or "" for level in levels)


def cursor_at(text: str, region: Region, line: int, column: int) -> Cursor | None:
    """Return the cursor at ``line`` and ``column``, counted from 1; None outside of YAML."""
    if not region.first <= line <= region.last_of_yaml:
        return None
    lines = text.split("\n")
    opening = next(
        (
            number
            for number in range(region.first, line)
            if lines[number - 1].strip().startswith("---")
        ),
        region.first - 1,
    )
    before = lines[line - 1][: column - 1]
    match = _WORD.search(before)
    word = match[0] if match else ""
    start = before[: len(before) - len(word)]
    is_key = bool(_KEY_COMES.search(start)) and not _ITEM_COMES.search(start)
    mark = f"{_MARK}: 0" if is_key else _MARK
    quote = start[-1:] if start[-1:] in {"'", '"'} else ""
    yaml = "\n".join([*lines[opening : line - 1], start.removesuffix(quote) + mark])
    levels = _levels(yaml)
    return None if levels is None else Cursor(word, is_key, levels)


def _levels(yaml: str) -> tuple[Level, ...] | None:
    """The collections that are open at the mark; None where the text before it is no YAML."""
    reader = _Levels()
    try:
        for token in tokens_read(yaml):
            if _MARK in str(getattr(token, "value", "")):
                return tuple(reader.open)
            reader.read(token)
    except UnreadableTokens:
        return None
    return None


class _Levels:
    """Follows tokens into collections and out of them."""

    def __init__(self) -> None:
        self.open: list[Level] = []
        self._key_comes = False

    def read(self, token: Token) -> None:
        match token.id:
            case "<block mapping start>" | "{":
                self.open.append(Level(is_list=False, is_flow=token.id == "{"))
            case "<block sequence start>" | "[":
                flow = token.id == "["
                self.open.append(Level(is_list=True, is_flow=flow, key="[]"))
            case "<block end>" | "}" | "]":
                self._leave_list_below_key()
                self._leave()
            case "-" if self.open and not self.open[-1].is_list:
                self.open.append(
                    Level(is_list=True, is_flow=False, key="[]", is_below_key=True)
                )
            case "?":
                self._leave_list_below_key()
                self._key_comes = True
            case "<scalar>":
                self._scalar(str(getattr(token, "value", "")))
            case _:
                pass

    def _leave_list_below_key(self) -> None:
        if self.open and self.open[-1].is_below_key:
            self._leave()

    def _leave(self) -> None:
        closed = self.open.pop()
        if self.open and not self.open[-1].is_list:
            value: object = list[object]() if closed.is_list else closed.values
            self.open[-1].values[self.open[-1].key or ""] = value

    def _scalar(self, text: str) -> None:
        if not self.open:
            return
        level = self.open[-1]
        if level.is_list:
            return
        if self._key_comes:
            level.key, self._key_comes = text, False
            level.values[text] = None
        else:
            level.values[level.key or ""] = text
