"""The service runtime that generated packages carry: its files, ready to be copied.

The modules beside this one are copied as they are into ``<package>/_service``, where they import
only the standard library, each other, and two bridges to the package, which are generated there and
stand for it here, where the modules are tested: ``_package`` to its runtime, ``_sql`` to its SQL.
"""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.runtime import copied_modules

BRIDGES = ("_package", "_sql")
"""The modules that are generated in a package."""


def sources(roots: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of ``roots`` and of the modules that they import."""
    return copied_modules(__name__, roots, BRIDGES)
