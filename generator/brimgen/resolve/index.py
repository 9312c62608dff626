"""Index all declarations by name, and report duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from brimgen.diagnostics import Diagnostics, Note, rules
from brimgen.frozen import dataclass
from brimgen.model.leaves import Leaf
from brimgen.model.project import Project
from brimgen.model.scalars import ALIASES
from brimgen.resolve.entities.leaves import BUILTIN_ENTITIES, make_leaf, shipped_leaves
from brimgen.syntax.decls import BundleDecl, EntityDecl, LeafDecl, SpecSet, ToolDecl
from brimgen.syntax.returns import LAST_ID

RETURN_WORDS = frozenset({"void", "markdown", LAST_ID})
Decl = TypeVar("Decl", EntityDecl | LeafDecl, BundleDecl, ToolDecl)
_KINDS: Mapping[type[object], str] = {
    EntityDecl: "entity",
    LeafDecl: "leaf",
    BundleDecl: "bundle",
    ToolDecl: "tool",
}


@dataclass(frozen=True, slots=True)
class Index:
    """What is declared, by name: entities with fields, enum entities, leaves, bundles and tools.

    ``leaves`` are those of the project, and those of the language whose name it has not taken.

    ``doubtful`` are the names of refused declarations. ``is_partial`` says that files are missing,
    which may declare any names.
    """

    objects: Mapping[str, EntityDecl]
    enums: Mapping[str, EntityDecl]
    leaves: Mapping[str, Leaf]
    bundles: tuple[BundleDecl, ...]
    tools: tuple[ToolDecl, ...]
    doubtful: frozenset[str]
    is_partial: bool = False

    def doubts(self, name: str) -> bool:
        """Whether a missing ``name`` may follow from a mistake that is reported already."""
        return self.is_partial or name in self.doubtful

    @property
    def entity_names(self) -> tuple[str, ...]:
        """The names of all entities, those of the objects first."""
        return (*self.objects, *self.enums)

    @property
    def type_names(self) -> tuple[str, ...]:
        """The names of all entities and leaves."""
        return (*self.entity_names, *self.leaves)


def index_names(specs: SpecSet, project: Project, diagnostics: Diagnostics) -> Index:
    """Return the index of ``specs``: the first of two declarations of one name counts.

    Entities and leaves share their names, because types mean both. Reports names that are taken
    (also after case folding and in every derived form) or reserved.
    """
    entities: dict[str, EntityDecl] = {}
    leaves = shipped_leaves()
    doubtful = set(specs.refused)
    types: list[EntityDecl | LeafDecl] = [*specs.entities, *specs.leaves]
    types.sort(key=lambda decl: decl.name.span)
    for decl in _unique(types, doubtful, diagnostics):
        if _is_reserved(decl, diagnostics):
            continue
        name = decl.name.value
        leaves.pop(name, None)
        if isinstance(decl, EntityDecl):
            entities[name] = decl
        elif (leaf := make_leaf(decl, diagnostics)) is not None:
            leaves[name] = leaf
        else:
            doubtful.add(name)
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
        leaves=MappingProxyType(leaves),
        bundles=tuple(_unique(specs.bundles, set(), diagnostics)),
        tools=tuple(_unique(specs.tools, doubtful, diagnostics)),
        doubtful=frozenset(doubtful),
        is_partial=specs.is_partial,
    )


def _unique(
    decls: Iterable[Decl], doubtful: set[str], diagnostics: Diagnostics
) -> list[Decl]:
    """The first declaration of each name; names of others that were refused are ``doubtful``."""
    unique: dict[str, Decl] = {}
    for decl in decls:
        name = decl.name.value
        folded = name.casefold()
        if isinstance(
            decl, ToolDecl
        ):  # modules and slugs are made of the names of tools
            folded = folded.replace("-", "_")
        first = unique.setdefault(folded, decl)
        if first is decl:
            continue
        kind = _KINDS[type(decl)]
        notes = [Note(first.name.span, "first declared here")]
        if first.name.value == name:
            diagnostics.add(
                rules.DUPLICATE_NAME, decl.name.span, notes=notes, kind=kind, name=name
            )
        else:
            doubtful.add(name)
            diagnostics.add(
                rules.SAME_NAME_IN_OTHER_CASE,
                decl.name.span,
                notes=notes,
                kind=kind,
                name=name,
                other=first.name.value,
            )
    return list(unique.values())


def _is_reserved(decl: EntityDecl | LeafDecl, diagnostics: Diagnostics) -> bool:
    name = decl.name.value
    if name in ALIASES or name in RETURN_WORDS:
        meaning = "a type word"
    elif name in BUILTIN_ENTITIES:
        meaning = "a built-in entity"
    else:
        return False
    diagnostics.add(
        rules.RESERVED_NAME,
        decl.name.span,
        owner="a leaf" if isinstance(decl, LeafDecl) else "an entity",
        name=name,
        what=meaning,
    )
    return True
