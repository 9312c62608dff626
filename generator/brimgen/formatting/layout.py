"""Print a tree of YAML in the one style of specs.

Two spaces a level, lists one level below their key, `{ a: 1 }` and `[1, 2]` on one line where they
fit, one empty line at most, double quotes, two spaces before a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brimgen.formatting.tree import CannotFormat, Item, Page, Value

WIDTH = 100
_STEP = "  "
_BLOCK = re.compile(r"[|>](?:[+-]?(?P<first>[1-9])?|(?P<then>[1-9])[+-]?)")


def print_pages(pages: Iterable[Page]) -> str:
    """The text of YAML documents, with `---` between them."""
    lines: list[str] = []
    for number, page in enumerate(pages):
        if number or page.mark:
            lines.append(f"---  {page.mark}".rstrip())
        body = list(_root(page.root))
        while body and not body[0]:
            body.pop(0)
        lines += body
    return "".join(f"{line}\n" for line in lines)


def _root(root: Value) -> Iterator[str]:
    if root.kind == "empty":
        yield from root.tail
    elif root.kind == "scalar" or root.properties or not root.items:
        raise CannotFormat("it is no mapping")
    else:
        yield from _block(root, "")


def _block(block: Value, indent: str) -> Iterator[str]:
    """The lines of a collection in block style."""
    keeps = (
        False  # whether the item before ends with empty lines that belong to its text
    )
    for number, item in enumerate(block.items):
        above = item.above if number or item.above[:1] != [""] else item.above[1:]
        if keeps:
            while above and not above[0]:
                above = above[1:]
        yield from _comment_lines(above, indent)
        yield from _item(item, indent)
        keeps = _keeps_lines(item.value)
    yield from _comment_lines(block.tail, indent)


def _keeps_lines(value: Value) -> bool:
    while value.items and not value.is_flow:
        value = value.items[-1].value
    return "+" in value.text.partition("\n")[0] if value.style in {"|", ">"} else False


def _comment_lines(lines: Iterable[str], indent: str) -> Iterator[str]:
    for line in lines:
        yield f"{indent}{line}" if line else ""


def _item(item: Item, indent: str) -> Iterator[str]:
    """The lines of a pair or entry."""
    head = "-" if item.key is None else f"{_key(item.key)}:"
    value, beside = item.value, f"  {item.beside}" if item.beside else ""
    start = " ".join(filter(None, [f"{indent}{head}", value.properties]))
    if value.kind == "empty":
        yield f"{start}{beside}"
    elif value.kind in {"scalar", "alias"}:
        yield from _scalar(value, start, indent, beside)
    elif value.is_flow and (line := _line(value, start)) is not None:
        yield f"{line}{beside}"
    elif item.key is None and not value.properties and _begins_plainly(value, beside):
        first, *lines = _block(value, indent + _STEP)
        yield f"{indent}- {first.lstrip()}"
        yield from lines
    else:
        yield f"{start}{beside}"
        yield from _block(value, indent + _STEP)


def _begins_plainly(value: Value, beside: str) -> bool:
    """Whether a collection may begin on the line of its dash."""
    return not beside and not any(value.items[0].above)


def _key(key: Value) -> str:
    text = _text(key)
    text = f"{text} " if key.kind == "alias" else text
    return " ".join(filter(None, [key.properties, text]))


def _scalar(value: Value, start: str, indent: str, beside: str) -> Iterator[str]:
    if value.style in {"|", ">"}:
        yield from _block_text(value, start, indent + _STEP, beside)
        return
    first, *following = _text(value).split("\n")
    if not following:
        yield f"{start} {first}{beside}"
        return
    yield f"{start} {first.rstrip()}"
    *between, last = (line.strip() for line in following)
    for line in between:
        yield f"{indent}{_STEP}{line}" if line else ""
    yield f"{indent}{_STEP}{last}{beside}"


def _block_text(value: Value, start: str, indent: str, beside: str) -> Iterator[str]:
    """The lines of a text after `|` or `>`, moved to ``indent``."""
    head, _, body = value.text.partition("\n")
    match = _BLOCK.match(head)
    assert match is not None, "a block scalar begins with its mark"
    if match["first"] or match["then"]:
        raise CannotFormat("it has a text with an indentation of its own")
    lines = body.split("\n")
    if lines and not lines[-1].strip():
        lines.pop()
    if "+" not in head:
        while lines and not lines[-1].strip():
            lines.pop()
    depth = min(
        (len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" ")),
        default=0,
    )
    mark = head.partition("#")[0].rstrip()
    yield f"{start} {mark}{beside}"
    for line in lines:
        content = line[depth:]
        yield f"{indent}{content}" if content else ""


def _text(value: Value) -> str:
    """The source of a scalar, with double quotes where single ones are not needed."""
    inner = value.text[1:-1]
    if value.style == "'" and not any(mark in inner for mark in "\\\"'"):
        return f'"{inner}"'
    return value.text


def _line(value: Value, start: str) -> str | None:
    """A collection in flow style behind ``start``; None where it does not fit on one line."""
    if value.items and value.spread:
        return None
    line = f"{start} {_brackets(value)}"
    return line if len(line) <= WIDTH or not value.items else None


def _inline(value: Value) -> str:
    """A value in flow style."""
    if value.kind == "empty":
        return value.properties
    plain = value.kind in {"scalar", "alias"}
    text = _flow_text(value) if plain else _brackets(value)
    return " ".join(filter(None, [value.properties, text]))


def _flow_text(value: Value) -> str:
    """The source of a scalar in brackets, where a bare question mark ends a text for PyYAML."""
    text = _text(value)
    if value.style or "?" not in text:
        return text
    if any(mark in text for mark in '\\"'):
        return f"'{text.replace(chr(39), chr(39) * 2)}'"
    return f'"{text}"'


def _brackets(value: Value) -> str:
    if value.kind == "list":
        return f"[{', '.join(_inline(item.value) for item in value.items)}]"
    pairs = ", ".join(map(_inline_pair, value.items))
    return f"{{ {pairs} }}" if pairs else "{}"


def _inline_pair(item: Item) -> str:
    assert item.key is not None, "a mapping has keys"
    key, value = _inline(item.key), _inline(item.value)
    key = f"{key} " if item.key.kind == "alias" else key
    return f"{key}: {value}" if value else f"{key}:"
