"""The server target: an MCP server that lists, checks and runs the tools of the package.

``<package>/mcp_server.py`` is what is run. It lists the descriptors
of the package and runs the service of it; to run, it needs the official SDK.
"""

from __future__ import annotations

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.chosen_targets import makes
from brimgen.emit.code import Code, header, py
from brimgen.emit.protocol.lists import list_files, listed
from brimgen.emit.protocol.profiles import MCP
from brimgen.emit.python_text import call, tuple_of
from brimgen.emit.render import package_module
from brimgen.emit.server.view import ServerModule
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``mcp_server.py``; nothing if there is nothing to list, or if the
    project asks for other providers' descriptors alone.
    """
    profiles = catalog.project.descriptors.profiles
    if (profiles and MCP.name not in profiles) or not any(listed(catalog)):
        return ()
    wrapped = [py(tool.name) for tool in listed(catalog).tools if tool.is_wrapped]
    server = catalog.project.server
    options = {"title": server.title, "instructions": server.instructions}
    identity = [
        Code(f"{name}={py(value)}")
        for name, value in options.items()
        if value is not None
    ]
    view = ServerModule(
        header=header(),
        wrapped=tuple_of(wrapped),
        identity=call(Code("Identity"), *identity),
    )
    project = catalog.project
    lacks_lists = makes(project, "python") and not makes(project, MCP.target)
    return (
        package_module(catalog, "server/mcp_server.py.j2", view),
        *(list_files(catalog) if lacks_lists else ()),
    )


EMITTER = Emitter(target_named("server"), emit)
