"""The library: specs of tools that come with brimgen, each with a reference implementation."""

from __future__ import annotations

from importlib.resources import files

NAMES = ("resolve_relative_date",)
"""The tools there are."""


def spec(name: str) -> str:
    """Return the text of a tool's spec file. Raises LookupError for a name that is none."""
    if name not in NAMES:
        raise LookupError(name)
    return (files(__name__) / f"{name}.yaml").read_text(encoding="utf-8")
