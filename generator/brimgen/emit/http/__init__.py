"""The HTTP target: a typed request builder and a call function for each HTTP tool.

Templates are split at build time. The generated code is straight-line, one line per value, and
encodes each value for its place (S2.53). It imports only the standard library.
"""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.http.lower import lower_package, lower_tool
from brimgen.emit.names import module_name
from brimgen.emit.render import render
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.http import HttpBody
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def files(catalog: Catalog) -> Iterator[Artifact]:
    """Write ``python/<package>/http/``: a module for each tool."""
    tools = [tool for tool in catalog.tools if _has_module(tool)]
    if not tools:
        return
    folder = f"python/{catalog.project.package}/http"
    front = render("http/package.py.j2", lower_package(tools))
    yield Artifact(f"{folder}/__init__.py", front)
    for tool in tools:
        path = f"{folder}/{module_name(tool.name)}.py"
        text = render("http/tool.py.j2", lower_tool(tool, catalog))
        yield Artifact(path, text, tool.sources)


def _has_module(tool: Tool) -> bool:
    if not isinstance(tool.body, HttpBody):
        return False
    return tool.is_for("python", "http")


EMITTER = Emitter(target_named("http"), files)
