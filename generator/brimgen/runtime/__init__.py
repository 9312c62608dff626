"""The runtime that every generated package carries: its files, ready to be copied.

``_runtime`` is its public face; ``_engine`` holds the rest. They import only the standard library
and each other (relatively), so that they work here, where they are tested, and in a generated
package, where ``_runtime`` is the sibling of ``tools`` and ``entities``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FRONT: Mapping[str, str] = MappingProxyType(
    {
        "BaseTool": "._engine.base_tool",
        "CallOutcome": "._engine.retry",
        "CallRefusal": "._engine.retry",
        "CallRefused": "._engine.retry",
        "ToolCall": "._engine.retry",
        "ToolParam": "._engine.tool_spec",
        "ToolResponse": "._engine.base_tool",
        "ToolReturn": "._engine.tool_spec",
        "ToolSpec": "._engine.tool_spec",
        "call_with_retries": "._engine.retry",
        "call_with_retries_async": "._engine.retry",
    }
)
"""What a package offers under its own name besides ``_runtime``, loaded on first use."""


def _here() -> Traversable:
    """This folder; where it lies on disk, without `importlib.resources`, which imports a lot."""
    folder = Path(__file__).parent
    if folder.is_dir():
        return folder
    from importlib.resources import files

    return files(__name__)


@cache
def modules() -> tuple[str, ...]:
    """The paths of all modules of the runtime, sorted, which are to be copied as they are."""
    engine = sorted(each.name for each in (_here() / "_engine").iterdir())
    paths = [f"_engine/{name}" for name in engine if name.endswith(".py")]
    return (*paths, "_runtime.py")


@cache
def source(path: str) -> str:
    """The text of one of the `modules`."""
    return _here().joinpath(path).read_text(encoding="utf-8")


@cache
def http_sources() -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of every module of the HTTP runtime, which packages with HTTP
    tools carry besides, sorted.
    """
    here = _here() / "http"
    names = sorted(each.name for each in here.iterdir() if each.name.endswith(".py"))
    return tuple(
        (each, (here / each).read_text(encoding="utf-8"))
        for each in names
        if each != "__init__.py"
    )
