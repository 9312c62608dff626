"""A document: one spec of a file, with the body that may follow its metadata."""

from __future__ import annotations

from brimgen.diagnostics import TextBlock
from brimgen.frozen import dataclass
from brimgen.source.nodes import MapNode


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A spec file that was read: its stable name (see `Span.file`), where it lies, its text.

    ``text`` has no byte order mark and only ``\\n`` line ends.
    """

    name: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """One spec: its metadata, and the body of a ``.sql`` or ``.md`` file (None in YAML).

    ``is_bare`` tells of a ``.sql`` file without metadata: its ``root`` is empty, and it is no
    spec, but a statement that the ``handler`` of a tool may name (spec-language.md).

    ``is_broken`` tells that some of the file could not be read, which was reported: its ``root`` is
    empty, and what the file may declare is not missing elsewhere.
    """

    file: SourceFile
    root: MapNode
    body: TextBlock | None = None
    is_bare: bool = False
    is_broken: bool = False
