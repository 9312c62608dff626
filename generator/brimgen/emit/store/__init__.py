"""The store target: the tool store of seed 002, at run time (S2.27-49; row F9).

``<package>/store.py`` opens it with the package's bundles as built-ins.
It needs the targets for Python and bundles. Off by default: most packages offer their own tools.
"""

from __future__ import annotations

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import Code, header, py
from brimgen.emit.python_text import tuple_of
from brimgen.emit.render import package_module
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreModule:
    """``store.py``."""

    header: Code
    allowed_hosts: Code


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """``store.py``; nothing where there are no bundles."""
    if not catalog.bundles:
        return ()
    hosts = catalog.project.allowed_hosts or ()
    view = StoreModule(
        header=header(), allowed_hosts=tuple_of([py(str(host)) for host in hosts])
    )
    return (package_module(catalog, "store/store.py.j2", view),)


EMITTER = Emitter(target_named("store"), emit)
