"""The docs target: a Markdown page for each tool, and an index of them (S1.2).

Pages are for people who choose and review tools; they say what a caller may send, and nothing of
what is hidden from callers.
"""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.docs.lower import lower_index, lower_page
from brimgen.emit.projection.tools import target_tools
from brimgen.emit.render import render
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

NAME = "docs"
_ROOT = f"{NAME}/tools"


def files(catalog: Catalog) -> Iterator[Artifact]:
    """``docs/tools/<tool>.md`` and ``docs/tools/index.md``."""
    tools = target_tools(catalog, NAME)
    for tool in tools:
        text = render("docs/tool.md.j2", lower_page(catalog, tool))
        yield Artifact(f"{_ROOT}/{tool.name}.md", text, tool.sources)
    index = render("docs/index.md.j2", lower_index(tools))
    yield Artifact(f"{_ROOT}/{_index_name(catalog)}", index)


def _index_name(catalog: Catalog) -> str:
    """``index.md``, unless a tool has that page."""
    taken = {tool.name.casefold() for tool in catalog.tools}
    return "README.md" if "index" in taken else "index.md"


EMITTER = Emitter(target_named(NAME), files)
