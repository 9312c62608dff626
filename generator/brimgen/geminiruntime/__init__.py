"""The module that packages carry where Gemini knows arguments by other names; copied as it is."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def source() -> str:
    """Return the text of the module."""
    return (files(__name__) / "aliases.py").read_text(encoding="utf-8")
