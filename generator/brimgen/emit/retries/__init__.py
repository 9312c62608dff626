"""The retries target: ``<package>/retries.py``, a module with names of the runtime."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import Code, header
from brimgen.emit.render import render
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """``retries.py``, which is the same for every catalog."""

    header: Code


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: the module holds nothing of the catalog."""


def parts(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``retries.py``."""
    text = render("retries/retries.py.j2", Module(header=header()))
    return (Artifact(f"python/{catalog.project.package}/retries.py", text),)


EMITTER = Emitter(target_named("retries"), check, parts)
