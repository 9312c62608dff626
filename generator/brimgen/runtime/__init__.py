"""The runtime that every generated package carries: its files, ready to be copied.

The modules beside this one whose names begin with an underscore import only the standard library
and each other (relatively), so that they work here, where they are tested, and in a generated
package, where they are the siblings of ``tools`` and ``entities``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

MODULES = (
    "_arrays",
    "_compile",
    "_context",
    "_errors",
    "_formats",
    "_idna",
    "_json",
    "_kinds",
    "_logic",
    "_net_formats",
    "_nodes",
    "_nulls",
    "_numbers",
    "_objects",
    "_patterns",
    "_refs",
    "_report",
    "_runtime",
    "_scalars",
    "_schema",
    "_times",
    "_tools",
    "_unevaluated",
    "_unicode",
    "_values",
    "_words",
)
"""The modules of the runtime, sorted; ``_runtime`` is their public face."""


@cache
def sources() -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of every runtime module, to be copied as they are."""
    here = files(__name__)
    return tuple(
        (f"{each}.py", (here / f"{each}.py").read_text(encoding="utf-8"))
        for each in MODULES
    )
