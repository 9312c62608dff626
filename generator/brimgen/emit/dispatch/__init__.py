"""The dispatch target: answers the tool calls in the responses of the providers' SDKs.

``<package>/dispatch.py`` has a dispatcher for each provider, ``_dispatch/`` is the runtime, over
the package's service. The package needs no SDK.
"""

from __future__ import annotations

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.emit.render import package_module
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """``dispatch.py``; nothing where no tool can be called."""
    if not target_tools(catalog, "python", CALLABLE):
        return ()
    return (package_module(catalog, "dispatch/dispatch.py.j2"),)


EMITTER = Emitter(target_named("dispatch"), emit)
