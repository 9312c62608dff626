"""Read the waivers of specs: findings of lint that their authors accept, under ``x-lint-ignore``.

Two forms: ``{L602: reason}`` at a tool, an entity or a field; and ``{L602: {field: reason}}`` at a
tool or an entity, for fields that have no place of their own (those of pasted JSON Schema).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brimgen.diagnostics import Span
from brimgen.model.lint import IMPORTED_FROM, LINT_IGNORE, Subject, Waiver
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.decls import ArgumentsDecl, EntityDecl, FieldDecl, SpecSet, ToolDecl

Places = Mapping[str, tuple[Span, ...]]
"""The dotted path of a field (empty for the whole) → where it stands."""


def read_waivers(specs: SpecSet) -> tuple[Waiver, ...]:
    """All waivers, in the order of the files; whether they are sound is for lint to say."""
    decls: tuple[EntityDecl | ToolDecl, ...] = (*specs.entities, *specs.tools)
    return tuple(waiver for decl in decls for waiver in _declared_waivers(decl))


def imported_files(specs: SpecSet) -> dict[str, str]:
    """The spec files that were imported, each with what it was made of."""
    decls: tuple[EntityDecl | ToolDecl, ...] = (*specs.entities, *specs.tools)
    return {
        decl.span.file: extension.value.text.partition("#")[0]
        for decl in decls
        for extension in decl.extensions
        if extension.key.text == IMPORTED_FROM
        and isinstance(extension.value, ScalarNode)
    }


def _declared_waivers(decl: EntityDecl | ToolDecl) -> Iterator[Waiver]:
    is_tool = isinstance(decl, ToolDecl)
    content = decl.arguments if isinstance(decl, ToolDecl) else decl.content
    subject = Subject(decl.name.value, is_tool)
    ignored = [
        extension for extension in decl.extensions if extension.key.text == LINT_IGNORE
    ]
    places: Places = _places(decl, content) if ignored else {}
    for entry in ignored:
        yield from _waivers_of_entry(entry, subject, places)
    if content is not None:
        yield from _field_waivers(content, subject)


def _places(decl: EntityDecl | ToolDecl, content: ArgumentsDecl | None) -> Places:
    spans = [decl.span]
    if isinstance(decl, ToolDecl):
        bodies = (decl.body, *(body for _, body in decl.messages))
        spans += [body.span for body in bodies if body is not None]
    places = {"": tuple(spans)}
    if content is not None and content.standard is not None:
        places |= _places_of_properties(content.standard, "")
    for field in () if content is None else content.fields:
        places |= _places_of_field(field, "")
    return places


def _places_of_properties(schema: MapNode, path: str) -> dict[str, tuple[Span, ...]]:
    """The places of the properties of a JSON Schema, and of those of their items."""
    places: dict[str, tuple[Span, ...]] = {}
    pending: list[tuple[Node | None, str]] = [(schema, path)]
    while pending:
        node, above = pending.pop()
        if not isinstance(node, MapNode):
            continue
        pending.append((node.get("items"), above))
        properties = node.get("properties")
        for entry in properties.entries if isinstance(properties, MapNode) else ():
            name = f"{above}.{entry.key.text}" if above else entry.key.text
            places[name] = (_across(entry.key.span, entry.value.span),)
            pending.append((entry.value, name))
    return places


def _places_of_field(field: FieldDecl, above: str) -> dict[str, tuple[Span, ...]]:
    name = f"{above}.{field.name.value}" if above else field.name.value
    inner = [
        places
        for nested in field.fields or ()
        for places in _places_of_field(nested, name).items()
    ]
    return {name: (_span_of(field),), **dict(inner)}


def _span_of(field: FieldDecl) -> Span:
    """Return the span from the name of a field to the end of its declaration."""
    spans = [entry.value.span for entry in field.attributes.values()]
    if field.type is not None:
        spans.append(field.type.span)
    spans += [_span_of(nested) for nested in field.fields or ()]
    last = max(spans, default=field.name.span, key=lambda span: span[3:])
    return _across(field.name.span, last)


def _across(first: Span, last: Span) -> Span:
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)


def _field_waivers(content: ArgumentsDecl, owner: Subject) -> Iterator[Waiver]:
    for field in content.fields:
        if field.fields or LINT_IGNORE in field.attributes:
            yield from _waivers_of_field(field, owner)


def _waivers_of_field(field: FieldDecl, owner: Subject) -> Iterator[Waiver]:
    subject = _subject_within(owner, field.name.value)
    ignored = field.attributes.get(LINT_IGNORE)
    if ignored is not None:
        yield from _waivers_of_entry(
            ignored, subject, {subject.path: (_span_of(field),)}
        )
    for inner in field.fields or ():
        yield from _waivers_of_field(inner, subject)


def _waivers_of_entry(
    entry: Entry, subject: Subject, places: Places
) -> Iterator[Waiver]:
    """Yield the waivers under the key; a list or a word names rules without a reason."""
    value, own_places = entry.value, places[subject.path]
    if not isinstance(value, MapNode):
        names = value.items if isinstance(value, ListNode) else (value,)
        for name in names:
            yield Waiver(subject, _text(name), "", name.span, own_places)
        return
    for rule in value.entries:
        if isinstance(rule.value, MapNode):
            for field in rule.value.entries:
                part = _subject_within(subject, field.key.text)
                part_places = places.get(part.path, ())
                reason, at = _text(field.value), field.key.span
                yield Waiver(part, rule.key.text, reason, at, part_places)
        else:
            reason, at = _text(rule.value), rule.key.span
            yield Waiver(subject, rule.key.text, reason, at, own_places)


def _subject_within(owner: Subject, name: str) -> Subject:
    path = f"{owner.path}.{name}" if owner.path else name
    return Subject(owner.owner, owner.is_tool, path)


def _text(node: Node) -> str:
    """The text of a reason or of a rule; empty for anything without a word."""
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return node.text.strip() if any(map(str.isalpha, node.text)) else ""
    return ""
