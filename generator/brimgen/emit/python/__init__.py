"""The Python target: typed inputs that decode, validate and encode, standard library only."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import header
from brimgen.emit.names import module_name
from brimgen.emit.python.check import check
from brimgen.emit.python.descriptors import aliases_module, descriptors_module
from brimgen.emit.python.leaves import (
    MODULE,
    leaf_files,
    lower_leaves,
    own_leaves,
)
from brimgen.emit.python.lower import (
    lower_entities,
    lower_init,
    lower_tool,
)
from brimgen.emit.python.package import Package
from brimgen.emit.render import render
from brimgen.emit.schema_files import (
    entity_files,
    files_of_entities,
    files_of_tool,
)
from brimgen.frozen import replace
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def files(catalog: Catalog) -> Iterator[Artifact]:
    """The whole package of a sound catalog."""
    aliases = aliases_module(catalog)
    catalog = replace(
        catalog,
        tools=tuple(tool for tool in catalog.tools if tool.is_for("python")),
    )
    root = f"python/{catalog.project.package}"
    tools = f"{root}/tools"
    package = Package(catalog)
    front = render("python/package.py.j2", lower_init(catalog, package))
    yield Artifact(f"{root}/__init__.py", front)
    yield Artifact(f"{root}/py.typed", "")
    reader = descriptors_module(catalog)
    if reader is not None:
        text = render("python/descriptors.py.j2", reader)
        yield Artifact(f"{root}/descriptors/__init__.py", text)
    if aliases is not None:
        text = render("python/aliases.py.j2", aliases)
        yield Artifact(f"{root}/aliases.py", text)
    yield Artifact(f"{tools}/__init__.py", f'{header()}"""One module a tool."""\n')
    if catalog.entities or catalog.enums:
        entities = render("python/entities.py.j2", lower_entities(catalog, package))
        yield Artifact(f"{root}/entities.py", entities, entity_files(catalog))
        yield from files_of_entities(catalog)
    leaves = own_leaves(catalog)
    if leaves:
        leaf_text = render("python/leaves.py.j2", lower_leaves(leaves))
        yield Artifact(f"{root}/{MODULE}.py", leaf_text, leaf_files(leaves))
    for tool in catalog.tools:
        path = f"{tools}/{module_name(tool.name)}.py"
        text = render("python/tool.py.j2", lower_tool(tool, package))
        yield Artifact(path, text, tool.sources)
        yield from files_of_tool(tool, catalog.project)


EMITTER = Emitter(target_named("python"), files, check)
