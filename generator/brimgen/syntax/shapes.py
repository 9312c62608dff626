"""Check the shapes of values, one function for each shape that a key can ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from math import isfinite
from types import MappingProxyType

from brimgen.diagnostics import did_you_mean
from brimgen.diagnostics.rules import EMPTY_LIST
from brimgen.frozen import dataclass
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.reader import ITEM, Reader, Shape, is_null, shortened

BOOLEANS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("yes", "on", "y", "1", "true"), "true"),
        **dict.fromkeys(("no", "off", "n", "0", "false"), "false"),
    }
)
"""What people write for a boolean, in lower case, and what it is."""

_SHORTEST_PART = 3


def anything(reader: Reader, key: str, node: Node) -> bool:
    """Any value; its reader looks closer."""
    return True


def text(reader: Reader, key: str, node: Node) -> bool:
    """A string."""
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return True
    return reader.refuse(
        key, node, expected="text", suggestions=_as_intended_text(node)
    )


def _as_intended_text(node: Node) -> tuple[str, ...]:
    """The text that a value was probably meant to be: a number, or the only item of a list."""
    if isinstance(node, ListNode) and len(node.items) == 1:
        (item,) = node.items
        return (shortened(item.text),) if isinstance(item, ScalarNode) else ()
    if not isinstance(node, ScalarNode) or node.value is None:
        return ()
    return (f'"{shortened(node.text)}"',)


def word(reader: Reader, key: str, node: Node) -> bool:
    """A scalar of which the source text counts: ``1.10`` is "1.10"."""
    if isinstance(node, ScalarNode) and node.value is not None:
        return True
    return reader.refuse(key, node, expected="text")


def flag(reader: Reader, key: str, node: Node) -> bool:
    """``true`` or ``false``."""
    if isinstance(node, ScalarNode) and isinstance(node.value, bool):
        return True
    intended = isinstance(node, ScalarNode) and BOOLEANS.get(node.text.lower())
    expected, suggestions = "`true` or `false`", (intended,) if intended else ()
    return reader.refuse(key, node, expected=expected, suggestions=suggestions)


def _number(node: Node) -> int | float | None:
    value = node.value if isinstance(node, ScalarNode) else None
    if type(value) is int or (isinstance(value, float) and isfinite(value)):
        return value
    return None


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number that is ``expected``; one in quotes is suggested without them."""

    expected: str
    accepts: Callable[[float], bool]

    def __call__(self, reader: Reader, key: str, node: Node) -> bool:
        """Whether ``node`` is one."""
        value = _number(node)
        if value is not None and self.accepts(value):
            return True
        text = node.text.strip() if isinstance(node, ScalarNode) else ""
        quoted = isinstance(node, ScalarNode) and isinstance(node.value, str)
        near = (text,) if quoted and text.isascii() and text.isdigit() else ()
        return reader.refuse(key, node, expected=self.expected, suggestions=near)


number = Number("a number", lambda value: True)
positive = Number("a number above 0", lambda value: value > 0)
count = Number(
    "a whole number of at least 0", lambda value: value >= 0 and value == int(value)
)
"""A whole number of at least zero (``3.0`` is one, as JSON Schema says)."""
positive_count = Number(
    "a whole number of at least 1", lambda value: value >= 1 and value == int(value)
)


def bound(reader: Reader, key: str, node: Node) -> bool:
    """A number, or the text of a date, datetime or decimal."""
    if isinstance(node, ScalarNode) and isinstance(node.value, str) and node.text:
        return True
    if _number(node) is None:
        return reader.refuse(key, node, expected="a number or a date")
    return True


def _no_list(
    reader: Reader, key: str, node: Node, intended: Callable[[str], str] = str
) -> bool:
    near = as_list(node, intended)
    return reader.refuse(key, node, expected="a list", suggestions=near)


def as_list(node: Node, intended: Callable[[str], str] = str) -> tuple[str, ...]:
    """The list that a scalar was probably meant to be: ``a, b`` and ``a`` are one each.

    ``intended`` gives the item for a word.
    """
    if not isinstance(node, ScalarNode) or is_null(node) or not node.text.strip():
        return ()
    text = shortened(node.text)
    if text.startswith("-"):  # of items whose dashes lack a space, one text is read
        text = text[1:].replace(" -", ",")
    parts = text.split("|" if "|" in text and "," not in text else ",")
    items = [intended(part.strip()) for part in parts if part.strip()]
    return (f"[{', '.join(items)}]",)


@dataclass(frozen=True, slots=True)
class Each:
    """A list of what ``item`` accepts, of at least ``least``; every other item is reported."""

    item: Shape
    least: int = 0

    def __call__(self, reader: Reader, key: str, node: Node) -> bool:
        """Whether ``node`` is one."""
        if not isinstance(node, ListNode):
            intended = self.item.intended if isinstance(self.item, Choice) else str
            return _no_list(reader, key, node, intended)
        if len(node.items) < self.least:
            return reader.refuse(key, node, expected="a list with at least one item")
        sound = [self.item(reader, f"{ITEM}{key}", item) for item in node.items]
        return False not in sound


words = Each(word)
"""A list of words."""


def flag_or_words(reader: Reader, key: str, node: Node) -> bool:
    """``true``, ``false`` or a list of words."""
    return (words if isinstance(node, ListNode) else flag)(reader, key, node)


def flag_or_text(reader: Reader, key: str, node: Node) -> bool:
    """``true``, ``false`` or a text."""
    value = node.value if isinstance(node, ScalarNode) else None
    is_text = isinstance(value, str) and value.strip() != ""
    return is_text or flag(reader, key, node)


def scalars(reader: Reader, key: str, node: Node) -> bool:
    """A list of at least one scalar (the items of an ``enum``)."""
    if not isinstance(node, ListNode):
        return _no_list(reader, key, node)
    if not node.items:
        reader.report(EMPTY_LIST, node.span, key=key)
        return False
    nested = [item for item in node.items if not isinstance(item, ScalarNode)]
    for item in nested:
        reader.refuse(f"{ITEM}{key}", item, expected="text, a number or a boolean")
    return not nested


def items(reader: Reader, key: str, node: Node) -> bool:
    """A list of anything."""
    return isinstance(node, ListNode) or _no_list(reader, key, node)


def mapping(reader: Reader, key: str, node: Node) -> bool:
    """A mapping."""
    if isinstance(node, MapNode):
        return True
    return reader.refuse(key, node, expected="a mapping", suggestions=_as_mapping(node))


@dataclass(frozen=True, slots=True)
class EachNamed:
    """A mapping of names to what ``value`` accepts; every other value is reported."""

    value: Shape

    def __call__(self, reader: Reader, key: str, node: Node) -> bool:
        """Whether ``node`` is one."""
        if not isinstance(node, MapNode):
            return mapping(reader, key, node)
        sound = [self.value(reader, name.text, value) for name, value in node.entries]
        return False not in sound


texts = EachNamed(text)
"""A mapping of texts."""
choices = EachNamed(texts)
"""A mapping of mappings of texts."""


def _as_mapping(node: Node) -> tuple[str, ...]:
    """The mapping that a list of mappings of one key each was probably meant to be."""
    items = node.items if isinstance(node, ListNode) else ()
    named_pairs = [_name_and_value(item) for item in items]
    if named_pairs and all(named_pairs):
        return (f"{{{', '.join(named_pairs)}}}",)
    pairs = [
        f"{key.text}: {value.text}"
        for item in items
        if isinstance(item, MapNode)
        for key, value in item.entries
        if isinstance(value, ScalarNode)
    ]
    return (f"{{{', '.join(pairs)}}}",) if pairs and len(pairs) == len(items) else ()


def _name_and_value(node: Node) -> str:
    """The pair that ``{name: X, value: y}`` stands for."""
    if not isinstance(node, MapNode) or len(node.entries) != 2:
        return ""
    name, value = node.get("name"), node.get("value")
    if not isinstance(name, ScalarNode) or not isinstance(value, ScalarNode):
        return ""
    return f"{name.text}: {value.text}"


@dataclass(frozen=True, slots=True)
class Block:
    """A mapping; ``suggest`` returns the mapping that a text in its place stands for."""

    suggest: Callable[[str], str]

    def __call__(self, reader: Reader, key: str, node: Node) -> bool:
        """Whether ``node`` is one."""
        if not isinstance(node, ScalarNode):
            return mapping(reader, key, node)
        near = self.suggest(node.text)
        suggestions = (near,) if near else ()
        return reader.refuse(key, node, expected="a mapping", suggestions=suggestions)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words; ``foreign`` are words of other systems, with their replacements.

    Messages call such a word ``label``; without one, they list the words.
    """

    words: tuple[str, ...]
    foreign: tuple[tuple[str, str], ...] = ()
    label: str = ""

    def __call__(self, reader: Reader, key: str, node: Node) -> bool:
        """Whether ``node`` is one of them."""
        written = node.text if isinstance(node, ScalarNode) else ""
        if written in self.words and not is_null(node):
            return True
        return reader.refuse(
            key,
            node,
            expected=self.label or " or ".join(f"`{word}`" for word in self.words),
            suggestions=self._near(written),
            is_choice=True,
        )

    def intended(self, written: str) -> str:
        """The word that ``written`` is, or probably stands for; itself where none is near."""
        near = () if written in self.words else self._near(written)
        return near[0] if near else written

    def _near(self, written: str) -> tuple[str, ...]:
        folded = written.lower()
        near = tuple(word for foreign, word in self.foreign if foreign == folded)
        return near or intended_words(written, self.words)


def intended_words(written: str, known: Collection[str]) -> tuple[str, ...]:
    """Suggest those of ``known`` that look like ``written``, or the only one that holds it."""
    folded = written.casefold()
    holders = [word for word in known if folded in word or word.startswith(folded)]
    is_one = len(holders) == 1 and len(folded) >= _SHORTEST_PART
    return did_you_mean(written, known) or (tuple(holders) if is_one else ())


def choice(*words: str) -> Choice:
    """One of ``words``."""
    return Choice(words)


def content(reader: Reader, key: str, node: Node) -> bool:
    """A text; MCP has it in a block of content."""
    text_node = node.get("text") if isinstance(node, MapNode) else None
    if not isinstance(text_node, ScalarNode):
        return text(reader, key, node)
    near = (f'"{shortened(text_node.text)}"',) if '"' not in text_node.text else ()
    return reader.refuse(key, node, expected="text", suggestions=near)


def templates(reader: Reader, key: str, node: Node) -> bool:
    """A mapping of names to texts, numbers or booleans; nulls are passed over."""
    if not mapping(reader, key, node) or not isinstance(node, MapNode):
        return False
    entries = [entry for entry in node.entries if not is_null(entry.value)]
    refused = [
        entry for entry in entries if not word(reader, entry.key.text, entry.value)
    ]
    return not refused


def hosts(reader: Reader, key: str, node: Node) -> bool:
    """Check a list of hosts; for a URL, suggest its host."""
    if not isinstance(node, ScalarNode) or "://" not in node.text:
        return words(reader, key, node)
    host = re.sub(r"[a-z]+://([^/,\s]*)[^,\s]*", r"\1", node.text)
    near = as_list(ScalarNode(node.span, host, host))
    return reader.refuse(key, node, expected="a list", suggestions=near)


def codes(reader: Reader, key: str, node: Node) -> bool:
    """A list of HTTP status codes, at least one."""
    return scalars(reader, key, node) and Each(_code)(reader, key, node)


def _code(reader: Reader, key: str, node: Node) -> bool:
    value = node.value if isinstance(node, ScalarNode) else None
    if isinstance(value, int) and not isinstance(value, bool) and 100 <= value <= 599:
        return True
    return reader.refuse(key, node, expected="a status code from 100 to 599")
