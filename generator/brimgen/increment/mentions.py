"""Mentions: texts of specs in, the files that declare what they may speak of out.

What a spec does not name it cannot rest on; a name that is written in a way that is not seen here
is unknown to the build that leaves its file out, which is an error, and a doubt.

What is generated may still meet: classes of inner objects are called after whose they are, and get
a number where there is such a name (`Scope.unique`). The ``place`` of the tool ``find`` and the
entity ``FindPlace`` both want ``FindPlace``. Of two that want one name, one is called as the other
begins (`are_related`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Entity
from brimgen.model.types import (
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.regex import regex
from brimgen.source.document import SourceFile

_WORD = regex(r"\w+")
_NO_LETTERS = regex(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Mentions:
    """Of the files that hold more than tools: ``kinds`` are the names that each declares,
    ``reach`` the files that each speaks of. Files without a name are read always.
    """

    kinds: Mapping[str, tuple[str, ...]]
    reach: Mapping[str, tuple[str, ...]]

    def plain(self) -> tuple[Any, ...]:
        """The same in builtin types."""
        return dict(self.kinds), dict(self.reach)

    def needed(self, texts: Iterable[str], owners: Iterable[str]) -> frozenset[str]:
        """The files that ``texts`` speak of, and those that these speak of in turn; those of
        relatives of the ``owners``, which are tools, too.
        """
        files = _files_by_word(self.kinds)
        letters = tuple(map(letters_of, owners))
        pending = [
            file
            for file, names in self.kinds.items()
            if not names
            or any(are_related(letters_of(each), letters) for each in names)
        ]
        for text in texts:
            pending += _spoken_of(text, files)
        found: set[str] = set()
        while pending:
            file = pending.pop()
            if file not in found:
                found.add(file)
                pending += self.reach[file]
        return frozenset(found)

    def speaking_of(self, files: Iterable[str]) -> frozenset[str]:
        """``files``, and those that speak of them, or of such that do."""
        back: dict[str, list[str]] = {}
        for file, others in self.reach.items():
            for other in others:
                back.setdefault(other, []).append(file)
        found: set[str] = set()
        pending = [*files]
        while pending:
            file = pending.pop()
            if file not in found:
                found.add(file)
                pending += back.get(file, ())
        return frozenset(found)

    def left_out(self, files: frozenset[str]) -> frozenset[str]:
        """The names that all but ``files`` declare."""
        return frozenset(
            name
            for file, names in self.kinds.items()
            if file not in files
            for name in names
        )


def letters_of(name: str) -> str:
    """What all names say alike that are made of ``name``: classes, functions and modules."""
    return _NO_LETTERS.sub("", name).casefold()


def are_related(letters: str, others: tuple[str, ...]) -> bool:
    """Whether something of one with these letters may want a name of something of ``others``."""
    return letters.startswith(others) or any(
        each.startswith(letters) for each in others
    )


def mentions_of(
    catalog: Catalog, files: Iterable[SourceFile], homes: Mapping[str, object]
) -> Mentions:
    """What those of ``files`` declare and speak of that are no ``homes`` of tools alone."""
    fixed = {each.name: each.text for each in files if each.name not in homes}
    names: dict[str, list[str]] = {file: [] for file in fixed}
    for kind in (catalog.entities, catalog.enums, catalog.leaves):
        for name, each in kind.items():
            if each.span.file in names:
                names[each.span.file].append(name)
    kinds = {file: tuple(each) for file, each in names.items()}
    by_word = _files_by_word(kinds)
    reach = {file: tuple(_spoken_of(text, by_word)) for file, text in fixed.items()}
    return Mentions(kinds, reach)


def inner_of(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """The names of entities, enums and leaves, each with those of its inner objects.

    Leaves of the language are none of the project's.
    """
    names = {name: tuple(_inner(each)) for name, each in catalog.entities.items()}
    leaves = [name for name, each in catalog.leaves.items() if each.shipped is None]
    return names | dict.fromkeys((*catalog.enums, *leaves), ())


def _inner(entity: Entity) -> Iterator[str]:
    types = [each.type for each in entity.fields]
    for type in types if entity.extra is None else (*types, entity.extra):
        if type.__class__ is not ScalarType:
            yield from (each.name for each in records_in(type))


def records_in(type: Type) -> Iterator[RecordType]:
    """The inner objects of values of ``type``, and those inside of them."""
    match type:
        case RecordType(fields=fields, extra=extra):
            yield type
            for each in fields:
                yield from records_in(each.type)
            if extra is not None:
                yield from records_in(extra)
        case ListType(item=inner) | MapType(value=inner) | NullableType(inner=inner):
            yield from records_in(inner)
        case _:
            pass


def _files_by_word(kinds: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for file, names in kinds.items():
        for word in {word for name in names for word in _WORD.findall(name)}:
            files.setdefault(word, []).append(file)
    return files


def _spoken_of(text: str, files: Mapping[str, list[str]]) -> set[str]:
    words = files.keys() & set(_WORD.findall(text))
    return {file for word in words for file in files[word]}
