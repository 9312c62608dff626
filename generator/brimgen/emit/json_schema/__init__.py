"""The JSON Schema target: the schemas of tools, entities and enums, as `schema_files` writes them.

A package has the files of its tools anyway: then this target adds those of the other tools.
"""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.chosen_targets import makes
from brimgen.emit.projection.tools import target_tools
from brimgen.emit.schema_files import NAME, schema_files
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: what the catalog holds is JSON Schema already."""


def files(catalog: Catalog) -> Iterator[Artifact]:
    """Write the schemas of the tools that no package has, and those of entities likewise."""
    is_packaged = makes(catalog.project, "python")
    made = schema_files(catalog)
    for tool in target_tools(catalog, NAME):
        if not (is_packaged and tool.is_for("python")):
            yield from made.of_tool(tool)
    if not is_packaged:
        yield from made.of_entities()


EMITTER = Emitter(target_named(NAME), check, files)
