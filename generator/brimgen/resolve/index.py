"""Index: all declarations in, names to look them up by out; duplicates are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from brimgen.diagnostics import Diagnostics, Note
from brimgen.diagnostics.rules import resolve as rules
from brimgen.model.types import ALIASES
from brimgen.resolve.builtin import BUILTIN_ENTITIES
from brimgen.syntax.decls import EntityDecl, SpecSet, ToolDecl

RETURN_WORDS = frozenset({"void", "markdown"})
Decl = TypeVar("Decl", EntityDecl, ToolDecl)


@dataclass(frozen=True, slots=True)
class Index:
    """What is declared, by name: entities with fields, enum entities, and tools.

    ``doubtful`` are names that something was declared under, and refused: a reference to one of
    them is no mistake of its own.
    """

    objects: Mapping[str, EntityDecl]
    enums: Mapping[str, EntityDecl]
    tools: tuple[ToolDecl, ...]
    doubtful: frozenset[str]

    @property
    def entity_names(self) -> tuple[str, ...]:
        """The names of all entities, those of the objects first."""
        return (*self.objects, *self.enums)


def index_names(specs: SpecSet, found: Diagnostics) -> Index:
    """Return the index of ``specs``: the first of two declarations of one name counts.

    Reports names that are taken (also after case folding and in every derived form) or reserved.
    """
    entities: dict[str, EntityDecl] = {}
    doubtful = set(specs.refused)
    for decl in _unique(specs.entities, "entity", doubtful, found):
        if _is_reserved(decl, found):
            continue
        entities[decl.name.value] = decl
    doubtful |= {
        name
        for name, decl in entities.items()
        if decl.content is None and decl.enum is None
    }
    objects = {
        name: decl for name, decl in entities.items() if decl.content is not None
    }
    enums = {name: decl for name, decl in entities.items() if decl.enum is not None}
    return Index(
        objects=MappingProxyType({**BUILTIN_ENTITIES, **objects}),
        enums=MappingProxyType(enums),
        tools=tuple(_unique(specs.tools, "tool", doubtful, found)),
        doubtful=frozenset(doubtful),
    )


def _unique(
    decls: Iterable[Decl], kind: str, doubtful: set[str], found: Diagnostics
) -> list[Decl]:
    """The first declaration of each name; names of others that were refused are ``doubtful``."""
    kept: dict[str, Decl] = {}
    for decl in decls:
        name = decl.name.value
        first = kept.setdefault(name.casefold(), decl)
        if first is decl:
            continue
        notes = [Note(first.name.span, "first declared here")]
        if first.name.value == name:
            found.add(
                rules.DUPLICATE_NAME, decl.name.span, notes=notes, kind=kind, name=name
            )
        else:
            doubtful.add(name)
            found.add(
                rules.SAME_NAME_IN_OTHER_CASE,
                decl.name.span,
                notes=notes,
                kind=kind,
                name=name,
                other=first.name.value,
            )
    return list(kept.values())


def _is_reserved(decl: EntityDecl, found: Diagnostics) -> bool:
    name = decl.name.value
    if name in ALIASES or name in RETURN_WORDS:
        what = "a type word"
    elif name in BUILTIN_ENTITIES:
        what = "a built-in entity"
    else:
        return False
    found.add(rules.RESERVED_NAME, decl.name.span, name=name, what=what)
    return True
