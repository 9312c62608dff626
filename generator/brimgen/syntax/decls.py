"""Declarations: what the documents say, read and shaped, not yet looked up or checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from brimgen.diagnostics import Span, TextBlock
from brimgen.source.document import Document
from brimgen.source.nodes import Entry, MapNode, Node


@dataclass(frozen=True, slots=True)
class Text:
    """A string and its place."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type as written: ``User[]?`` is name ``User``, a list, optional.

    ``span`` covers the whole text, ``name`` alone is at the start of it for plain spellings.
    """

    name: str
    is_list: bool
    is_optional: bool
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDecl:
    """One argument or entity field.

    ``type`` is None where the entry has none (an override of an inherited field, or a nested
    ``fields`` block whose type is implied). ``attributes`` holds the remaining known keys of a
    complex entry with their raw values, in order, synonyms already given their standard name
    (``min`` is ``minimum``, ``enum_values`` is ``enum``).
    """

    name: Text
    type: TypeText | None
    attributes: tuple[Entry, ...] = ()
    fields: tuple[FieldDecl, ...] | None = None

    def attribute(self, key: str) -> Node | None:
        """The raw value of attribute ``key``, or None."""
        for entry in self.attributes:
            if entry.key.text == key:
                return entry.value
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentsDecl:
    """An ``arguments`` block (also the inline form of ``returns`` and the body of an entity).

    Exactly one of ``fields`` (shorthand and complex entries) and ``standard`` (the author's JSON
    Schema, verbatim) is filled where there is an inline part; both are empty where there is none.
    """

    span: Span
    entity_ref: Text | None = None
    fields: tuple[FieldDecl, ...] = ()
    standard: MapNode | None = None
    omit: tuple[Text, ...] = ()
    descriptions: tuple[tuple[Text, Text], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDecl:
    """A ``type: entity`` document: an object (``content``) or a closed list (``enum``)."""

    document: Document
    name: Text
    title: Text | None = None
    description: Text | None = None
    content: ArgumentsDecl | None = None
    enum: tuple[Node, ...] | None = None
    extensions: tuple[Entry, ...] = ()


class ToolKind(StrEnum):
    """The kinds of tool, by the ``type`` of their documents."""

    SQL = "sql_function"
    PYTHON = "python_function"
    TEMPLATE = "template_function"
    RESOURCE = "resource"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnsDecl:
    """A ``returns`` block: a type text, an arguments-like block, or a JSON Schema."""

    span: Span
    description: Text | None = None
    type: TypeText | None = None
    content: ArgumentsDecl | None = None
    schema: MapNode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDecl:
    """A tool document. ``body`` is the statement or the template, where the kind has one;
    ``messages`` the list form of a template; ``path`` the path template of a resource;
    ``options`` the remaining known keys of the kind (``mcp``, ``connection``, ``tags``,
    ``version``, ``slug``, ``enabled``, ``targets``, ``handler`` …) with their raw values.
    """

    document: Document
    kind: ToolKind
    name: Text
    title: Text | None = None
    description: Text | None = None
    when_to_use: Text | None = None
    arguments: ArgumentsDecl | None = None
    returns: ReturnsDecl | None = None
    body: TextBlock | None = None
    messages: tuple[tuple[Text, TextBlock], ...] = ()
    path: Text | None = None
    options: tuple[Entry, ...] = ()
    extensions: tuple[Entry, ...] = ()

    def option(self, key: str) -> Node | None:
        """The raw value of option ``key``, or None."""
        for entry in self.options:
            if entry.key.text == key:
                return entry.value
        return None


@dataclass(frozen=True, slots=True)
class SpecSet:
    """All declarations of one run, in the order of files and documents."""

    entities: tuple[EntityDecl, ...] = field(default=())
    tools: tuple[ToolDecl, ...] = field(default=())
