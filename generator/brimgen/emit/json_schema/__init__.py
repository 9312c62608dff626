"""The JSON Schema target: the schemas of tools, entities and enums, as `schema_files` writes them.

A package has the files of its tools anyway: then this target adds those of the other tools.
"""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.chosen_targets import makes
from brimgen.emit.projection.tools import target_tools
from brimgen.emit.schema_files import NAME, files_of_entities, files_of_tool
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named


def files(catalog: Catalog) -> Iterator[Artifact]:
    """Write the schemas of the tools that no package has, and those of entities likewise."""
    is_packaged = makes(catalog.project, "python")
    for tool in target_tools(catalog, NAME):
        if not (is_packaged and tool.is_for("python")):
            yield from files_of_tool(tool, catalog.project)
    if not is_packaged:
        yield from files_of_entities(catalog)


EMITTER = Emitter(target_named(NAME), files)
