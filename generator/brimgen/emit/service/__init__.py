"""The service target: one object that calls every tool of the package.

``<package>/service.py`` has the table of what runs how, `Service` and `AsyncService`;
``__main__.py`` is the command line. It needs the Python target, and
those that make the modules of statements, requests, resources and prompts.
"""

from __future__ import annotations

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.render import package_module
from brimgen.emit.service.lower import can_run, lower
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``service.py`` and ``__main__.py``; nothing where nothing can be run."""
    if not can_run(catalog):
        return ()
    return (
        package_module(catalog, "service/service.py.j2", lower(catalog)),
        package_module(catalog, "service/main.py.j2", name="__main__.py"),
    )


EMITTER = Emitter(target_named("service"), emit)
