"""Waivers: declarations in, what they say under ``x-lint-ignore`` out.

Two forms: ``{L602: reason}`` at a tool, an entity or a field; and ``{L602: {field: reason}}`` at a
tool or an entity, for fields that have no place of their own (those of pasted JSON Schema).
"""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.model.lint import LINT_IGNORE, Subject, Waiver
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.decls import ArgumentsDecl, EntityDecl, FieldDecl, SpecSet, ToolDecl


def read_waivers(specs: SpecSet) -> tuple[Waiver, ...]:
    """All waivers, in the order of the files; whether they are sound is for lint to say."""
    decls: tuple[EntityDecl | ToolDecl, ...] = (*specs.entities, *specs.tools)
    return tuple(waiver for decl in decls for waiver in _of(decl))


def _of(decl: EntityDecl | ToolDecl) -> Iterator[Waiver]:
    is_tool = isinstance(decl, ToolDecl)
    content = decl.arguments if isinstance(decl, ToolDecl) else decl.content
    subject = Subject(decl.name.value, is_tool)
    for entry in decl.extensions:
        if entry.key.text == LINT_IGNORE:
            yield from _entries(entry, subject)
    if content is not None:
        yield from _of_fields(content, subject)


def _of_fields(content: ArgumentsDecl, owner: Subject) -> Iterator[Waiver]:
    for field in content.fields:
        if field.fields or LINT_IGNORE in field.attributes:
            yield from _of_field(field, owner)


def _of_field(field: FieldDecl, owner: Subject) -> Iterator[Waiver]:
    subject = _within(owner, field.name.value)
    ignored = field.attributes.get(LINT_IGNORE)
    if ignored is not None:
        yield from _entries(ignored, subject)
    for inner in field.fields or ():
        yield from _of_field(inner, subject)


def _entries(entry: Entry, subject: Subject) -> Iterator[Waiver]:
    """What stands under the key; a list or a word names rules without a reason."""
    value = entry.value
    if not isinstance(value, MapNode):
        names = value.items if isinstance(value, ListNode) else (value,)
        for each in names:
            yield Waiver(subject, _text(each), "", each.span)
        return
    for rule in value.entries:
        if isinstance(rule.value, MapNode):
            for field in rule.value.entries:
                place = _within(subject, field.key.text)
                yield Waiver(place, rule.key.text, _text(field.value), field.key.span)
        else:
            yield Waiver(subject, rule.key.text, _text(rule.value), rule.key.span)


def _within(owner: Subject, name: str) -> Subject:
    path = f"{owner.path}.{name}" if owner.path else name
    return Subject(owner.owner, owner.is_tool, path)


def _text(node: Node) -> str:
    """The text of a reason; empty for anything that is not text."""
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return node.text.strip()
    return ""
