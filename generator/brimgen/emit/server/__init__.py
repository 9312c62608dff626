"""The server target: an MCP server that lists, checks and runs the tools of the package.

``<package>/mcp_server.py`` is what is run; ``_server/`` holds the runtime, the very lists that the
MCP target writes, and the list of how each tool runs. It needs the Python target, those that make
the modules of statements, requests, handlers, resources and prompts, and, to run, the official SDK.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.chosen_targets import makes
from brimgen.emit.code import header
from brimgen.emit.protocol.lists import list_files, listed
from brimgen.emit.protocol.profiles import MCP
from brimgen.emit.render import render
from brimgen.emit.server.lower import entries
from brimgen.emit.server.view import ServerModule
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named
from brimgen.serverruntime import sources

__all__ = ["EMITTER"]


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: the MCP target reports what the lists cannot express."""


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``mcp_server.py`` and ``_server/``; nothing if there is nothing to list, or if the
    project asks for other providers' descriptors alone.
    """
    profiles = catalog.project.descriptors.profiles
    if (profiles and MCP.name not in profiles) or not any(listed(catalog)):
        return ()
    package = f"python/{catalog.project.package}"
    folder = f"{package}/_server"
    head = header()
    view = ServerModule(header=head)
    project = catalog.project
    lacks_lists = makes(project, "python") and not makes(project, MCP.target)
    return (
        Artifact(f"{package}/mcp_server.py", render("server/mcp_server.py.j2", view)),
        Artifact(f"{folder}/__init__.py", render("server/folder.py.j2", view)),
        Artifact(f"{folder}/_package.py", render("server/package.py.j2", view)),
        *(
            Artifact(f"{folder}/{name}", f"{head}{text}", is_copy=True)
            for name, text in sources()
        ),
        Artifact(
            f"{folder}/lists/entries.json",
            render("server/entries.json.j2", entries(catalog)),
        ),
        *(list_files(catalog) if lacks_lists else ()),
    )


EMITTER = Emitter(target_named("server"), check, emit)
