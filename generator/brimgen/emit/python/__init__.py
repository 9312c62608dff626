"""The Python target: typed inputs that decode, validate and encode, standard library only."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from brimgen.emit.artifact import Apart, Artifact, Emitter, Pending
from brimgen.emit.code import header
from brimgen.emit.names import module_name
from brimgen.emit.python.check import check, face, meets
from brimgen.emit.python.leaves import (
    MODULE,
    leaf_files,
    lower_leaves,
    own_leaves,
)
from brimgen.emit.python.lower import (
    entity_files,
    lower_entities,
    lower_init,
    lower_package,
    lower_tool,
)
from brimgen.emit.python.package import Package
from brimgen.emit.render import render
from brimgen.frozen import replace
from brimgen.model.catalog import Catalog
from brimgen.runtime import modules, source

__all__ = ["EMITTER"]


def emit(catalog: Catalog) -> Iterator[Artifact | Pending]:
    """The whole package of a sound catalog."""
    catalog = replace(
        catalog,
        tools=tuple(each for each in catalog.tools if each.is_for("python")),
        beside=tuple(each for each in catalog.beside if each.is_for("python")),
    )
    root = f"python/{catalog.project.package}"
    tools = f"{root}/tools"
    package = lower_package(catalog)
    yield Pending(f"{root}/__init__.py", partial(_init, catalog, package))
    yield Artifact(f"{root}/py.typed", "")
    yield Artifact(f"{tools}/__init__.py", f'{header()}"""One module a tool."""\n')
    yield Pending(
        f"{root}/entities.py",
        partial(_entities, catalog, package),
        entity_files(catalog),
    )
    leaves = own_leaves(catalog)
    if leaves:
        leaf_text = render("python/leaves.py.j2", lower_leaves(leaves))
        yield Artifact(f"{root}/{MODULE}.py", leaf_text, leaf_files(leaves))
    for path in modules():
        yield Pending(f"{root}/{path}", partial(_copied, path))
    for tool in catalog.tools:
        yield Artifact(
            f"{tools}/{module_name(tool.name)}.py",
            render("python/module.py.j2", lower_tool(tool, package)),
            tool.sources,
        )


def _init(catalog: Catalog, package: Package) -> str:
    return render("python/package.py.j2", lower_init(catalog, package))


def _entities(catalog: Catalog, package: Package) -> str:
    return render("python/module.py.j2", lower_entities(catalog, package))


def _copied(path: str) -> str:
    return f"{header()}{source(path)}"


EMITTER = Emitter(
    "python",
    "typed dataclasses that decode, validate and encode",
    check,
    emit,
    apart=Apart(meets=meets, face=face),
)
