"""Declarations: the content of documents, read and shaped, not yet looked up or checked."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from brimgen.diagnostics import Span, TextBlock
from brimgen.frozen import dataclass, field
from brimgen.source.document import SourceFile
from brimgen.source.nodes import Entry, MapNode, Node, ScalarNode, Text, span_within
from brimgen.syntax.reader import Section


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type as written: ``User[]?`` is name ``User``, a list, optional.

    ``source`` is the whole text, in which the name begins at ``start``; where it was not written as
    one text, the place of what says it.
    """

    name: str
    is_list: bool
    is_optional: bool
    source: ScalarNode | Span
    start: int = 0

    @property
    def span(self) -> Span:
        """The place of the whole."""
        source = self.source
        return source if isinstance(source, Span) else source.span

    @property
    def name_span(self) -> Span:
        """The place of the name alone; of the whole where the text is not in one piece."""
        source = self.source
        if isinstance(source, Span):
            return source
        within = span_within(source, self.start, self.start + len(self.name))
        return within or source.span


@dataclass(frozen=True, slots=True)
class FieldDecl:
    """One argument or entity field.

    ``type`` is None where the entry has none: an override of an inherited field (a nested
    ``fields`` block without ``type`` is given ``object``). ``attributes`` holds the remaining
    known keys of a complex entry and its ``x-`` keys with their raw values, in order, under their
    standard names (``min`` is ``minimum``, ``enum_values`` is ``enum``). Each value has the shape
    that its key asks for: a value of a wrong shape was reported and is left out.

    ``items`` of a list are folded into the field, because value constraints on a list type are
    about its items: ``{type: array, items: {type: string, enum: [a]}}`` is the declaration of
    ``{type: "string[]", enum: [a]}``, and ``fields`` of a list are those of an item. ``items``
    keeps only what says something about the item alone: its ``description``, ``title``,
    ``examples``, ``deprecated`` and ``x-`` keys, as attributes, with no type.

    ``sound`` is False where a part was refused: the field is declared, but nothing should be
    concluded from what it lacks.
    """

    name: Text
    type: TypeText | None
    attributes: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    fields: tuple[FieldDecl, ...] | None = None
    items: FieldDecl | None = None
    sound: bool = True

    def attribute(self, key: str) -> Node | None:
        """The raw value of attribute ``key``, or None."""
        entry = self.attributes.get(key)
        return None if entry is None else entry.value


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentsDecl:
    """An ``arguments`` block (also the inline form of ``returns`` and the body of an entity).

    Exactly one of ``fields`` (shorthand and complex entries) and ``standard`` (the author's JSON
    Schema, verbatim) is filled where there is an inline part; both are empty where there is none.
    ``sound`` is False where any part of the block was refused. ``complete`` tells that no field is
    missing nevertheless, as what was refused belongs to one of the fields.
    """

    span: Span
    entity_ref: Text | None = None
    fields: tuple[FieldDecl, ...] = ()
    standard: MapNode | None = None
    omit: tuple[Text, ...] = ()
    descriptions: tuple[tuple[Text, Text], ...] = ()
    sound: bool = True
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDecl:
    """A ``type: entity`` document: an object (``content``) or a closed list (``enum``).

    Exactly one of the two is filled, unless the entity is not ``sound`` (a part was refused).
    Items of ``enum`` are scalars, strings or numbers. ``span`` covers the whole declaration.
    """

    file: SourceFile
    name: Text
    span: Span
    title: str | None = None
    description: str | None = None
    content: ArgumentsDecl | None = None
    enum: tuple[Node, ...] | None = None
    extensions: tuple[Entry, ...] = ()
    sound: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafDecl:
    """A ``type: leaf`` document; ``python`` is what stands under that key, the type at least."""

    file: SourceFile
    name: Text
    section: Section
    python: Mapping[str, Text]
    sound: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleDecl:
    """A ``type: bundle`` document, and what stands under its key ``limits``."""

    file: SourceFile
    name: Text
    section: Section
    limits: Section
    sound: bool = True


class ToolKind(StrEnum):
    """The kinds of tool, by the ``type`` of their documents."""

    SQL = "sql_function"
    PYTHON = "python_function"
    HTTP = "http_function"
    TEMPLATE = "template_function"
    RESOURCE = "resource"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnsDecl:
    """A ``returns`` block: a type text, an arguments-like block, or a JSON Schema.

    Exactly one of ``type``, ``content`` and ``schema`` is filled, none where it was refused; but
    beside the ``type`` `rows` or `row`, ``content`` holds the fields that take the place of
    columns. ``void`` has no declaration. ``is_list`` and ``is_optional`` are about ``content``.
    """

    span: Span
    description: Text | None = None
    type: TypeText | None = None
    content: ArgumentsDecl | None = None
    schema: MapNode | None = None
    is_list: bool = False
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class RequestDecl:
    """The ``request`` of an HTTP tool, shapes checked, templates unread; it has a URL.

    ``response`` and ``retry`` are empty where nothing is said. ``auth`` are the keys that its
    `type` has, with that; it is empty where none is declared, and where it was refused.
    """

    section: Section
    response: Section
    retry: Section
    auth: Mapping[str, ScalarNode]

    @property
    def url(self) -> ScalarNode:
        """The URL."""
        url = self.section.scalar("urlTemplate")
        assert url is not None
        return url


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDecl:
    """A tool document.

    ``body`` is the statement, or the template where it has no roles; ``messages`` are the
    (role, template) pairs of a template that has roles, as a list or as ``<role>`` blocks. A
    sound template has exactly one of the two.

    ``section`` has all keys; those without a member here are read where it is decided what they
    mean (of ids and versions the text counts: ``1.10``). ``mcp`` and ``limits`` are what stands
    under these keys, and empty where nothing does.
    ``request`` is set for an HTTP tool, unless it was refused. An SQL tool whose statement was
    read from the file that ``handler`` names has that statement as ``body``; ``body_file`` is that
    file.

    ``sound`` is False where a part was refused: nothing should be concluded from what is absent.
    ``span`` covers the metadata, from the first key to the last value.
    """

    file: SourceFile
    kind: ToolKind
    name: Text
    span: Span
    section: Section
    mcp: Section
    limits: Section
    arguments: ArgumentsDecl | None = None
    returns: ReturnsDecl | None = None
    body: TextBlock | None = None
    messages: tuple[tuple[Text, TextBlock], ...] = ()
    extensions: tuple[Entry, ...] = ()
    body_file: SourceFile | None = None
    request: RequestDecl | None = None
    sound: bool = True


@dataclass(frozen=True, slots=True)
class SpecSet:
    """All declarations of one run, in the order of files and documents.

    ``refused`` are the names of documents that were refused as a whole, or that stand in files
    which could not be read to the end: a reference to one of them is not a second mistake.
    ``is_partial`` tells that whole files are missing, so that any name may stand in them.
    """

    entities: tuple[EntityDecl, ...] = field(default=())
    tools: tuple[ToolDecl, ...] = field(default=())
    leaves: tuple[LeafDecl, ...] = field(default=())
    bundles: tuple[BundleDecl, ...] = field(default=())
    refused: frozenset[str] = frozenset()
    is_partial: bool = False
