"""Baselines: a whole build in, what the next one may rest on out, as plain values, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from brimgen.digest import sha256
from brimgen.emit.artifact import Apart, Emitter
from brimgen.frozen import dataclass
from brimgen.increment.mentions import Mentions, inner_of, mentions_of
from brimgen.increment.parts import LEDGER, Parts, may_list
from brimgen.increment.report import Report
from brimgen.model.catalog import Catalog, ResourceBody, SqlBody, Tool
from brimgen.model.http import HttpBody
from brimgen.model.types import (
    EntityType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.output.plan import File
from brimgen.source.document import SourceFile


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a whole build found.

    ``homes`` are the spec files that declare tools and nothing else, with these tools;
    ``mentions`` is about all others. ``faces`` are the digests of what other tools may see of each
    (`face_of`).
    ``lists`` are the generated files that hold a part for each tool. ``inner`` are the names of the
    inner objects of each entity and the like. ``told`` is what the build reported.

    ``others`` is the sum of what is told of tools that are left out (`brimgen.increment.others`),
    empty where none can be; ``moved`` are files that were built alone since that was so.
    """

    homes: dict[str, tuple[str, ...]]
    mentions: Mentions
    faces: dict[str, str]
    lists: dict[str, Parts]
    inner: dict[str, tuple[str, ...]]
    told: Report
    others: str = ""
    moved: tuple[str, ...] = ()

    def plain(self) -> tuple[Any, ...]:
        """The same in builtin types, for the file."""
        told = self.told
        lists = (self.homes, self.mentions.plain(), self.faces, self.lists)
        rest = (self.inner, told.rules, told.rows, self.others, self.moved)
        return (*lists, *rest)


def read_baseline(content: Any) -> Baseline:
    """What `Baseline.plain` made plain."""
    homes, mentions, faces, lists, inner, rules, rows, *rest = content
    told = Report(rules, rows)
    return Baseline(homes, Mentions(*mentions), faces, lists, inner, told, *rest)


def face_of(tool: Tool, emitters: Iterable[Emitter]) -> str:
    """The digest of what other tools, and lists of all tools, may see of one; positions are no part
    of it.
    """
    return _face(tool, _telling(emitters))


def _telling(emitters: Iterable[Emitter]) -> list[Callable[[Tool], object]]:
    """What targets say of a tool that others may see (`Apart`)."""
    return [each.apart.face for each in emitters if each.apart and each.apart.face]


def _face(tool: Tool, faces: Iterable[Callable[[Tool], object]]) -> str:
    body = tool.body
    said: object = None
    if isinstance(body, SqlBody):
        said = body.connection
    elif isinstance(body, HttpBody | ResourceBody):
        said = body
    seen = repr(
        (
            *(tool.name, tool.slug, tool.version, tool.bundle, tool.targets),
            *(tool.enabled, tool.is_switched_on, tool.mcp.uri_scheme),
            *(tool.entities_read, tool.sources, type(body).__name__, said),
            *_reached(tool),
            *(face(tool) for face in faces),
        )
    )
    return sha256(seen.encode())


def faces_of(catalog: Catalog, emitters: Iterable[Emitter]) -> dict[str, str]:
    """The faces of all tools, by their names."""
    faces = _telling(emitters)
    return {each.name: _face(each, faces) for each in catalog.tools}


def _reached(tool: Tool) -> tuple[object, ...]:
    """What callers of a tool fill out that is declared elsewhere: lint tells of it there, and only
    as long as anybody reaches it.
    """
    fields, home = tool.caller_fields, tool.span.file
    inherited = [tuple(each.span) for each in fields if each.span.file != home]
    composed = [each.type for each in fields if each.type.__class__ is not ScalarType]
    return inherited, sorted({name for each in composed for name in _named(each)})


def _named(kind: Type) -> Iterator[str]:
    """The entities whose fields a caller fills out for a value of ``kind``."""
    match kind:
        case EntityType(name):
            yield name
        case ListType(inner) | MapType(inner) | NullableType(inner):
            yield from _named(inner)
        case RecordType(fields=fields):
            for each in fields:
                yield from _named(each.type)
        case _:
            pass


def make_baseline(
    catalog: Catalog,
    files: Iterable[SourceFile],
    outputs: Iterable[File],
    emitters: Iterable[Emitter],
    told: Report,
    *,
    lists: Mapping[str, Parts],
    faces: Mapping[str, str] | None = None,
) -> Baseline | None:
    """The baseline of a sound build of the spec ``files``; ``lists`` are those that are as their
    targets described them, with their parts; ``faces`` are those of the tools, where they are
    known.

    None where a target promises nothing or not what it makes, or the build has something that no
    tool has alone: bundles, or a budget of tokens.
    """
    emitters = tuple(emitters)
    promises = {each.name: each.apart for each in emitters}
    if catalog.bundles or catalog.project.descriptors.token_budget is not None:
        return None
    found = None if None in promises.values() else _lists(outputs, promises, lists)
    if found is None:
        return None
    homes = _homes(catalog)
    return Baseline(
        homes=homes,
        mentions=mentions_of(catalog, files, homes),
        faces=dict(faces or faces_of(catalog, emitters)),
        lists=found,
        inner=inner_of(catalog),
        told=told,
    )


def _lists(
    outputs: Iterable[File],
    promises: Mapping[str, Apart | None],
    known: Mapping[str, Parts],
) -> dict[str, Parts] | None:
    """The parts of all lists among ``outputs``; None where one is not as it was described."""
    lists: dict[str, Parts] = {}
    for output in outputs:
        apart = promises.get(output.target, LEDGER)
        if apart and not output.sources and may_list(output.path, apart):
            if output.path not in known:
                return None
            lists[output.path] = known[output.path]
    return lists


def _homes(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """The spec files that declare tools and nothing else, and hold nothing for other files."""
    shared = {
        each.span.file
        for kind in (catalog.entities, catalog.enums, catalog.leaves)
        for each in kind.values()
    }
    homes: dict[str, list[str]] = {}
    for tool in catalog.tools:
        homes.setdefault(tool.span.file, []).append(tool.name)
        shared.update(each for each in tool.sources if each != tool.span.file)
    return {file: tuple(names) for file, names in homes.items() if file not in shared}
