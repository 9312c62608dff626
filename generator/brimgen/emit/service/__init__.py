"""The service target: one object that calls every tool of the package.

``<package>/service.py`` has the table of what runs how, `Service` and `AsyncService`;
``__main__.py`` is the command line, ``_service/`` the runtime. It needs the Python target, and
those that make the modules of statements, requests, resources and prompts.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.linker import copied_modules
from brimgen.emit.render import render
from brimgen.emit.service.lower import can_run, lower
from brimgen.emit.service.view import ServicePart
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: the service reports what its package lacks when it is created."""


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``service.py`` and ``_service/``; nothing where nothing can be run."""
    if not can_run(catalog):
        return ()
    package = f"python/{catalog.project.package}"
    folder = f"{package}/_service"
    view = lower(catalog)
    part = ServicePart(header=view.header)
    return (
        Artifact(f"{package}/service.py", render("service/service.py.j2", view)),
        Artifact(f"{package}/__main__.py", render("service/main.py.j2", part)),
        Artifact(f"{folder}/__init__.py", render("service/folder.py.j2", part)),
        Artifact(f"{folder}/_package.py", render("service/package.py.j2", part)),
        *(
            [Artifact(f"{folder}/_sql.py", render("service/sql.py.j2", part))]
            if view.connections
            else []
        ),
        *(
            Artifact(f"{folder}/{name}", f"{view.header}{text}", is_copy=True)
            for name, text in copied_modules(
                "brimgen_runtime.service",
                _modules(sql=bool(view.connections)),
                ("_package", "_sql"),
            )
        ),
    )


def _modules(*, sql: bool) -> tuple[str, ...]:
    """Return the modules of the runtime that the files of the target import."""
    return ("async_service", "command", *(["statements"] if sql else []))


EMITTER = Emitter(target_named("service"), check, emit)
