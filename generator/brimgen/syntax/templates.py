"""Split a template into its ``<system>``, ``<user>`` and ``<assistant>`` messages.

An opening tag counts at the start of a line, so that a prompt may mention `<user>` in its prose;
a template in which none does is one text without roles. A block ends at the first closing tag of
its role. Blank lines after the opening tag and white space before the closing one are not part of
the message; nothing else is changed (spec-language.md).
"""

from __future__ import annotations

import re

from brimgen.diagnostics import TextBlock
from brimgen.diagnostics.rules import (
    BODY_MISSING,
    ROLE_NOT_CLOSED,
    ROLE_NOT_OPENED,
    TEXT_OUTSIDE_ROLES,
)
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode
from brimgen.syntax import shapes
from brimgen.syntax.decls import Text
from brimgen.syntax.reader import Keys, Reader, head, read_section, shortened

ROLES = ("system", "user", "assistant")
_ROLE = "|".join(ROLES)
_OPEN = re.compile(rf"^[ \t]*<({_ROLE})>", re.MULTILINE)
_CLOSE = re.compile(rf"</({_ROLE})>")
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_MARKS = frozenset("{}[],:#")
_FOREIGN_ROLES = (
    *(("human", "user"), ("developer", "system")),
    *((role, "assistant") for role in ("ai", "bot", "model")),
)


def content(reader: Reader, key: str, node: Node) -> bool:
    """A text; MCP has it in a block of content."""
    text_node = node.get("text") if isinstance(node, MapNode) else None
    if not isinstance(text_node, ScalarNode):
        return shapes.text(reader, key, node)
    near = (f'"{shortened(text_node.text)}"',) if '"' not in text_node.text else ()
    return shapes.refuse(reader, key, node, expected="text", suggestions=near)


MESSAGE = Keys(
    {"role": shapes.Choice(ROLES, _FOREIGN_ROLES), "content": content},
    {"template": "content"},
)

_TAGS = frozenset(f"<{end}{role}>" for role in ROLES for end in ("", "/"))
Messages = tuple[tuple[Text, TextBlock], ...]


def split_roles(reader: Reader, block: TextBlock) -> Messages:
    """The messages of a template, in order; empty where it has no role blocks."""
    opening = _OPEN.search(block.text)
    if opening is None:
        return ()
    messages: list[tuple[Text, TextBlock]] = []
    position = 0
    while opening is not None:
        _outside(reader, block, start=position, end=opening.start())
        role = opening[1]
        following = _OPEN.search(block.text, opening.end())
        end = block.text.find(f"</{role}>", opening.end())
        tag = block.span_at(opening.start(1) - 1, opening.end())
        if end < 0 or (following is not None and following.start() < end):
            reader.report(ROLE_NOT_CLOSED, tag, role=role)
            position = len(block.text) if following is None else following.start()
        else:
            place = block.span_at(opening.start(1), opening.end(1))
            content = _trimmed(block, opening.end(), end)
            messages.append((Text(role, place), content))
            position = end + len(role) + 3
            following = _OPEN.search(block.text, position)
        opening = following
    _outside(reader, block, start=position, end=len(block.text))
    return tuple(messages)


def _trimmed(block: TextBlock, start: int, end: int) -> TextBlock:
    """The message without blank lines at its start and white space at its end."""
    text = block.text[start:end]
    stripped = text.lstrip()
    lead = text[: len(text) - len(stripped)]
    start += lead.rfind("\n") + 1 if "\n" in lead else len(lead)
    return block.part(start, max(start, end - (len(text) - len(text.rstrip()))))


def _outside(reader: Reader, block: TextBlock, *, start: int, end: int) -> None:
    """Report the first text between blocks that is more than white space or a comment."""
    text = _COMMENT.sub(lambda match: " " * len(match[0]), block.text[start:end])
    stripped = text.strip()
    if not stripped:
        return
    start += text.index(stripped)
    closing = _CLOSE.match(block.text, start)
    if closing is not None:
        span = block.span_at(start, closing.end())
        reader.report(ROLE_NOT_OPENED, span, role=closing[1])
        return
    line = stripped.split("\n", 1)[0].rstrip()
    near = (line.lower(),) if line.lower() in _TAGS else ()
    span = block.span_at(start, start + len(line))
    reader.report(TEXT_OUTSIDE_ROLES, span, suggestions=near)


def read_messages(reader: Reader, node: Node) -> Messages:
    """The list form: ``messages: [{role, content}]``."""
    if not shapes.items(reader, "messages", node) or not isinstance(node, ListNode):
        return ()
    if not node.items:
        reader.report(
            BODY_MISSING, node.span, owner="the list of messages", body="message"
        )
    messages: list[tuple[Text, TextBlock]] = []
    for item in node.items:
        near = _intended_message(item)
        if near or not isinstance(item, MapNode):
            shapes.refuse(
                reader,
                "an item of messages",
                item,
                expected="a mapping with `role` and `content`",
                suggestions=near,
                actual="one with the role as its key" if near else "",
            )
            continue
        section = read_section(reader, item, keys=MESSAGE, owner="a message")
        at = head(item)
        complete = [section.require(reader, key, at) for key in ("role", "content")]
        role, content = section.text("role"), section.scalar("content")
        if all(complete) and role is not None and isinstance(content, ScalarNode):
            messages.append((role, content.block))
    return tuple(messages)


def _intended_message(item: Node) -> tuple[str, ...]:
    """The message that a mapping of a role to its text was meant to be."""
    if not isinstance(item, MapNode) or len(item.entries) != 1:
        return ()
    key, value = item.entries[0]
    role = dict(_FOREIGN_ROLES).get(key.text, key.text)
    if role not in ROLES or not isinstance(value, ScalarNode):
        return ()
    text = shortened(value.text)
    content = f'"{text}"' if set(text) & _MARKS and '"' not in text else text
    return (f"{{role: {role}, content: {content}}}",)
