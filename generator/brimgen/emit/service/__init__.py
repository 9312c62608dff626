"""The service target: one object that calls every tool of the package.

``<package>/service.py`` has the table of what runs how, `Service` and `AsyncService`;
``__main__.py`` is the command line. It needs the Python target, and
those that make the modules of statements, requests, resources and prompts.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.render import render
from brimgen.emit.service.lower import can_run, lower
from brimgen.emit.service.view import ServicePart
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: the service reports what its package lacks when it is created."""


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``service.py`` and ``__main__.py``; nothing where nothing can be run."""
    if not can_run(catalog):
        return ()
    package = f"python/{catalog.project.package}"
    view = lower(catalog)
    main = ServicePart(header=view.header)
    return (
        Artifact(f"{package}/service.py", render("service/service.py.j2", view)),
        Artifact(f"{package}/__main__.py", render("service/main.py.j2", main)),
    )


EMITTER = Emitter(target_named("service"), check, emit)
