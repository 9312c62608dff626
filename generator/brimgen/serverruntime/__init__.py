"""The server runtime that generated packages carry: its files, ready to be copied.

The modules beside this one are copied as they are into ``<package>/_server``, where they import
only the standard library, each other, and ``_package``: the bridge to the package's own runtime,
which is generated there and stands for it here, where the modules are tested.
"""

from __future__ import annotations

from brimgen.runtime import copied_modules


def sources() -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of the modules that a server imports, to be copied as they are."""
    return copied_modules(__name__, ("command",), ("_package",))
