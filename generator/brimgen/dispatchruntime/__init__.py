"""The runtime of dispatchers that generated packages carry: its files, ready to be copied.

The modules beside this one are copied as they are into ``<package>/_dispatch``, where they import
only the standard library, each other, and ``_package``: the bridge to the package's own runtime,
which is generated there and stands for it here, where the modules are tested.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

MODULES = ("calls", "dispatchers", "parts", "providers")
"""The modules that are copied, sorted."""


@cache
def sources() -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of every module, to be copied as they are."""
    here = files(__name__)
    return tuple(
        (f"{module}.py", (here / f"{module}.py").read_text(encoding="utf-8"))
        for module in MODULES
    )
