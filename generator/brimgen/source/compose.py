"""A spec file in, its documents out (language.md 1)."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules.source_metadata import NO_METADATA, SEVERAL_METADATA
from brimgen.source.document import Document, SourceFile
from brimgen.source.metadata import divide
from brimgen.source.nodes import MapNode
from brimgen.source.ordinary import ordinary
from brimgen.source.places import Places


def compose(file: SourceFile, found: Diagnostics) -> tuple[Document, ...]:
    """The specs of one file, each with the positions of all its parts.

    ``.yaml`` and ``.yml`` hold one spec per YAML document, of which empty ones are skipped. In
    ``.sql`` the metadata stand between ``---`` lines inside of a leading comment and the body
    is the statement; a file without them gives a bare `Document`. In any other file they are
    front matter and the body is the template. What is wrong is reported, and the documents that
    can be read are returned, with a broken one behind them where others cannot. Raises nothing.
    """
    if file.name.casefold().endswith((".yaml", ".yml")):
        roots = tuple(_roots(file, file.text, found))
        read = tuple([Document(file, each) for each in roots if each is not None])
        return read if len(read) == len(roots) else (*read, _broken(file))
    parts = divide(file, found)
    if parts is None:
        return (_broken(file),)
    if parts.metadata is None:
        root = MapNode(Span.at_file(file.name), ())
        return (Document(file, root, parts.body, is_bare=True),)
    errors_before = len(found)
    every = tuple(_roots(file, parts.metadata, found))
    whole = tuple(each for each in every if each is not None)
    if not every and len(found) == errors_before:
        found.add(NO_METADATA, Span.at_file(file.name))
    for extra in whole[1:]:
        found.add(SEVERAL_METADATA, extra.span)
    if not whole:
        return (_broken(file),)
    return tuple(Document(file, root, parts.body) for root in whole[:1])


def _broken(file: SourceFile) -> Document:
    """What stands for all of a file that could not be read."""
    return Document(file, MapNode(Span.at_file(file.name), ()), is_broken=True)


def _roots(file: SourceFile, text: str, found: Diagnostics) -> Iterable[MapNode | None]:
    """The mappings of a YAML text, None for what is none or cannot be read."""
    places = Places(file.name, text)
    read = ordinary(places)
    if read is not None:
        return read
    from brimgen.source.recovery import roots

    return roots(places, found)
