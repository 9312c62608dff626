"""The service runtime that generated packages carry: its files, ready to be copied.

The modules beside this one are copied as they are into ``<package>/_service``, where they import
only the standard library, each other, and two bridges to the package, which are generated there and
stand for it here, where the modules are tested: ``_package`` to its runtime, ``_sql`` to its SQL.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

MODULES = (
    "async_service",
    "command",
    "core",
    "endings",
    "errors",
    "outcome",
    "parts",
    "plan",
    "prepared",
    "service",
    "workers",
)
"""The modules that are copied, sorted."""

SQL_MODULES = ("async_statements", "databases", "statements", "transactions")
"""The modules that are copied where there are statements."""


@cache
def sources(*, sql: bool) -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of every module, to be copied as they are; ``sql``: with those
    about statements.
    """
    here = files(__name__)
    return tuple(
        (f"{module}.py", (here / f"{module}.py").read_text(encoding="utf-8"))
        for module in (*MODULES, *(SQL_MODULES if sql else ()))
    )
