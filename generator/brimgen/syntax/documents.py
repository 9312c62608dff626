"""Read all documents into declarations by their type.

A document says with ``type`` what it is. A ``.sql`` file that leaves it out is a sql_function, a
``.md`` file a template_function, because their bodies say so. A bare ``.sql`` file is no document
of its own but a statement, see `bodies`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules import (
    FOREIGN_TOOL_KEY,
    UNKNOWN_DOCUMENT_TYPE,
    UNREADABLE,
)
from brimgen.frozen import dataclass, field, replace
from brimgen.source.document import Document
from brimgen.source.nodes import MapNode, ScalarNode, Text
from brimgen.syntax import shapes
from brimgen.syntax.bodies import Statements, report_unused_body
from brimgen.syntax.decls import (
    BundleDecl,
    EntityDecl,
    LeafDecl,
    SpecSet,
    ToolDecl,
    ToolKind,
)
from brimgen.syntax.entities import read_bundle, read_entity, read_leaf
from brimgen.syntax.naming import (
    Labels,
    misspelt_entries,
    misspelt_value,
    name_of,
)
from brimgen.syntax.reader import Reader, head, is_null, shortened
from brimgen.syntax.tools import TOOL_TYPES, read_tool
from brimgen.syntax.words_of_others import TYPE_OF_KEY, TYPES_OF_OTHERS, WORDS_IN_TYPES

ENTITY_TYPE = "entity"
LEAF_TYPE = "leaf"
BUNDLE_TYPE = "bundle"
_TYPES = (ENTITY_TYPE, LEAF_TYPE, BUNDLE_TYPE, *TOOL_TYPES)
_TYPE_OF_SUFFIX = {".sql": ToolKind.SQL.value, ".md": ToolKind.TEMPLATE.value}
Decl: TypeAlias = EntityDecl | LeafDecl | BundleDecl | ToolDecl
_NAMED = re.compile(
    r"""(?:\bname["']?[ \t]*:[ \t]*["']?|^class[ \t]+)([A-Za-z][A-Za-z0-9_-]*)""",
    re.MULTILINE,
)


def parse(documents: Iterable[Document], diagnostics: Diagnostics) -> SpecSet:
    """Read the documents of a run into declarations, in their order.

    Everything that is wrong with the shape of a document is reported, each mistake once, at its
    place; what is sound is declared all the same, so that later stages can look at it. Raises
    nothing.

    Each document is released as soon as it is read, so that an iterator of ``documents`` needs the
    memory of one.
    """
    progress = _Read(Reader(diagnostics), Statements())
    for number, document in enumerate(documents):
        progress.take(number, document)
    return progress.finish(
        is_partial=any(
            diagnostic.rule.code == UNREADABLE.code for diagnostic in diagnostics
        )
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read so far: declarations by the numbers of their documents.

    ``waiting`` are those that name a file with a statement, which may be composed after them.
    """

    reader: Reader
    statements: Statements
    decls: dict[int, Decl] = field(default_factory=dict[int, Decl])
    refused: set[str] = field(default_factory=set[str])
    labels: Labels = field(default_factory=Labels)
    waiting: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])

    def take(self, number: int, document: Document) -> None:
        """Read a document into its declaration; later, if it names a file with a statement."""
        self.statements.add(document)
        if document.is_broken:
            self.refused.update(_NAMED.findall(document.file.text))
        if document.is_bare or document.is_broken:
            return
        kind = _type_of(self.reader, document)
        name = None if kind is None else name_of(self.reader, document.root, kind)
        if name is None:
            self.refused.update(_misplaced_name(document.root))
        if kind is None:
            return
        label = self.labels.of(document.root) if name is None else name
        declare = partial(
            self._declare, number, document, label, kind=kind, named=name is not None
        )
        is_sql = TOOL_TYPES.get(kind) is ToolKind.SQL
        if is_sql and document.root.get("handler") is not None:
            self.waiting.append(declare)
        else:
            declare()

    def _declare(
        self, number: int, document: Document, name: Text, *, kind: str, named: bool
    ) -> None:
        decl = _declared(
            self.reader, document, name, kind=kind, statements=self.statements
        )
        self.decls[number] = decl if named else replace(decl, sound=False)

    def finish(self, *, is_partial: bool) -> SpecSet:
        """All declarations, when every document was taken."""
        self.statements.is_partial = is_partial
        for declare in self.waiting:
            declare()
        self.statements.report_unused(self.reader)
        decls = [self.decls[number] for number in sorted(self.decls)]
        return SpecSet(
            tuple(decl for decl in decls if isinstance(decl, EntityDecl)),
            tuple(decl for decl in decls if isinstance(decl, ToolDecl)),
            tuple(decl for decl in decls if isinstance(decl, LeafDecl)),
            tuple(decl for decl in decls if isinstance(decl, BundleDecl)),
            frozenset(self.refused),
            is_partial=is_partial,
        )


def _declared(
    reader: Reader,
    document: Document,
    name: Text,
    *,
    kind: str,
    statements: Statements,
) -> Decl:
    if kind in TOOL_TYPES:
        return read_tool(reader, document, name, word=kind, statements=statements)
    report_unused_body(reader, document, f"{kind} `{shortened(name.value)}`")
    match kind:
        case "leaf":
            return read_leaf(reader, document, name)
        case "bundle":
            return read_bundle(reader, document, name)
        case _:
            return read_entity(reader, document, name)


def _type_of(reader: Reader, document: Document) -> str | None:
    """Return the type of a document; report it and return None where it is unknown.

    A misspelt type is reported, and the document is read as the type that was meant, so that its
    other mistakes are reported in the same run. A word of another system counts only if a key of
    the document confirms it.
    """
    node = document.root.get("type")
    if node is None or is_null(node):
        values = [entry.value for entry in document.root.entries]
        if any(
            isinstance(value, ScalarNode) and value.text in _TYPES for value in values
        ):
            slip = misspelt_value(document.root, "type")
            if slip is not None and slip.text in _TYPES:
                return slip.text
        file = document.file.name.casefold()
        for suffix, kind in _TYPE_OF_SUFFIX.items():
            if file.endswith(suffix):
                return kind
        is_partial = document.root.is_partial
        if not is_partial and not _is_foreign(reader, document.root):
            _report_missing_type(reader, document.root)
        return None
    if not shapes.word(reader, "type", node) or not isinstance(node, ScalarNode):
        return None
    if node.text in _TYPES:
        return node.text
    if _is_foreign(reader, document.root):
        return None
    intended = _intended_type(node.text)
    reader.report(
        UNKNOWN_DOCUMENT_TYPE,
        node.span,
        suggestions=intended,
        type=shortened(node.text),
    )
    is_foreign = _plain(node.text) in TYPES_OF_OTHERS
    if len(intended) != 1 or (
        is_foreign and intended[0] not in _types_of_keys(document.root)
    ):
        return None
    return intended[0]


def _is_foreign(reader: Reader, root: MapNode) -> bool:
    from brimgen.syntax.foreign import report_foreign

    return report_foreign(reader, root)


def _plain(written: str) -> str:
    return written.lower().replace("-", "_")


def _types_of_keys(root: MapNode) -> list[str]:
    """Return the types that a document's rarer keys belong to."""
    return [kind for key, kind in TYPE_OF_KEY.items() if root.get(key) is not None]


def _intended_type(written: str) -> tuple[str, ...]:
    """The type that was probably meant: a slip, or ``sql`` for ``sql_function``."""
    word = _plain(written)
    short = f"{word}_function"
    if short in TOOL_TYPES and short != "api_function":
        return (short,)
    if word in TYPES_OF_OTHERS:
        return (TYPES_OF_OTHERS[word],)
    near = did_you_mean(written, _TYPES)
    return (
        near
        or tuple(
            WORDS_IN_TYPES[part] for part in word.split("_") if part in WORDS_IN_TYPES
        )[:1]
    )


def _report_missing_type(reader: Reader, root: MapNode) -> None:
    foreign = root.entry("tool_type")
    if foreign is not None:
        text = foreign.value.text if isinstance(foreign.value, ScalarNode) else ""
        intended = text if text in _TYPES else next(iter(_intended_type(text)), "")
        reader.report(
            FOREIGN_TOOL_KEY,
            foreign.key.span,
            suggestions=(f"type: {intended}" if intended else "type",),
            key="tool_type",
        )
        return
    slips = misspelt_entries(root, "type") or [
        entry for entry in (root.entry("kind"),) if entry is not None
    ]
    kinds = _types_of_keys(root)
    from brimgen.diagnostics.helps import missing

    reader.report(
        missing("the document", "type"),
        slips[0].key.span if slips else head(root),
        suggestions=[f"type: {kinds[0]}"] if kinds else (),
        owner="the document",
        key="type",
    )


def _misplaced_name(root: MapNode) -> tuple[str, ...]:
    node = root.get("name")
    return (node.text,) if isinstance(node, ScalarNode) else ()
