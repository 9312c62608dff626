"""Others: tools in; what a build that leaves them out is told of them out, as bytes, and back.

Left out, and told of, can be tools of which nothing counts but what is told: not those of which a
target makes one file, nor those of files that waive a rule, which may be about all tools, nor those
whose inner objects are declared elsewhere, and may be those of other tools as well.
"""

from __future__ import annotations

import pickle
from collections.abc import Container, Iterable, Mapping
from io import BytesIO

from brimgen.frozen import dataclass
from brimgen.increment.bare import Bare, bare
from brimgen.increment.mentions import records_in
from brimgen.model.catalog import Catalog, ResourceBody, TemplateBody, Tool
from brimgen.model.lint import LINT_IGNORE
from brimgen.model.types import ScalarType
from brimgen.regex import regex
from brimgen.source.document import SourceFile

_SPELLS = regex(r"\\[xuU\n]")
"""What the key of waivers may be spelled with."""


@dataclass(frozen=True, slots=True)
class Others:
    """What is ``told`` of tools that can be left out, by name, and of the rest on which files each
    ``rests``.
    """

    told: Mapping[str, Bare]
    rests: Mapping[str, tuple[str, ...]]

    def sources(self, name: str) -> tuple[str, ...]:
        """The files on which a tool rests."""
        told = self.told.get(name)
        return self.rests[name] if told is None else told.sources


def others_of(
    catalog: Catalog, files: Iterable[SourceFile], homes: Container[str]
) -> Others:
    """What is told of the tools that the spec ``files`` declare.

    Files that declare nothing but tools are ``homes``.
    """
    waiving = {each.name for each in files if _may_waive(each.text)}
    told: dict[str, Bare] = {}
    rests: dict[str, tuple[str, ...]] = {}
    for tool in catalog.tools:
        home = tool.span.file
        can_be_left = home in homes and home not in waiving
        if (
            can_be_left
            and not isinstance(tool.body, ResourceBody | TemplateBody)
            and not _borrows(tool)
        ):
            told[tool.name] = bare(tool)
        else:
            rests[tool.name] = tool.sources
    return Others(told, rests)


def _may_waive(text: str) -> bool:
    return LINT_IGNORE in text or ("\\" in text and _SPELLS.search(text) is not None)


def packed_others(others: Others) -> bytes:
    """What is told of ``others``, as bytes: the same for equal ones.

    So nothing is said of which values are one object, which means nothing, and takes longer.
    """
    packed = BytesIO()
    pickler = pickle.Pickler(packed, pickle.HIGHEST_PROTOCOL)
    pickler.fast = True
    # As plain tuples: the class of each would be looked up, and named, for each anew.
    told = {name: tuple(each) for name, each in others.told.items()}
    pickler.dump((told, others.rests))
    return packed.getvalue()


def read_others(data: bytes) -> Others:
    """What `packed_others` packed; the user has written it, and its sum is known."""
    told, rests = pickle.loads(data)
    return Others({name: Bare(*each) for name, each in told.items()}, rests)


def _borrows(tool: Tool) -> bool:
    """Whether an inner object of a tool is declared in another file."""
    home = tool.span.file
    return any(
        field.span.file != home
        for each in tool.fields
        if each.type.__class__ is not ScalarType
        for record in records_in(each.type)
        for field in record.fields
    )
