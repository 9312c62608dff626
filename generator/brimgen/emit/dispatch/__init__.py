"""The dispatch target: answers the tool calls in the responses of the providers' SDKs.

``<package>/dispatch.py`` has a dispatcher for each provider, ``_dispatch/`` is the runtime, over
the package's service. The package needs no SDK.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import Code, header
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.emit.render import render
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchPart:
    """A file of the target, which is the same for every catalog."""

    header: Code


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: the target of each provider reports what its descriptors cannot say."""


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """``dispatch.py``; nothing where no tool can be called."""
    if not target_tools(catalog, "python", CALLABLE):
        return ()
    package = f"python/{catalog.project.package}"
    view = DispatchPart(header=header())
    text = render("dispatch/dispatch.py.j2", view)
    return (Artifact(f"{package}/dispatch.py", text),)


EMITTER = Emitter(target_named("dispatch"), check, emit)
