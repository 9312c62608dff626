"""The tool store that generated packages may carry: its files, ready to be copied.

The modules beside this one are copied as they are into ``<package>/_store``, where they import
only the standard library, each other, and ``_package``: the bridge to the package's own runtime,
which is generated there and stands for it here, where the modules are tested.
"""

from __future__ import annotations

from functools import cache

MODULES = (
    "arguments",
    "bodies",
    "built_in",
    "disk",
    "errors",
    "headers",
    "hidden_characters",
    "hosts",
    "invocations",
    "kept_rows",
    "keywords",
    "names",
    "pages",
    "patterns",
    "request_shapes",
    "requests",
    "rule_messages",
    "schema_parts",
    "schemas",
    "store",
    "urls",
    "usage",
    "variables",
)
"""The modules that are copied, in alphabetical order."""


@cache
def sources() -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of every module, to be copied as they are."""
    # Here: it imports half of the standard library.
    from importlib.resources import files

    folder = files(__name__)
    return tuple(
        (f"{module}.py", (folder / f"{module}.py").read_text(encoding="utf-8"))
        for module in MODULES
    )
