"""Find what the modules of `brimgen_runtime` import of each other.

A package carries the modules that its own modules import, and those that these import (`closure`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import brimgen_runtime

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

ROOM = "_runtime"
ROOMS = (ROOM, "http", "sql")
"""The folders of modules that packages carry. The fronts of the others are generated."""

_FRONT = f"{ROOM}/__init__.py"

_IMPORT = re.compile(r"^ *from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_DEFINITION = re.compile(
    r"^(?:class |def |async def |    def (?=new_instance\())(\w+)"
    r"|^(\w+)(?:: [^=\n]+)? = |^(\w+): TypeAlias",
    re.MULTILINE,
)


def _folder() -> Traversable:
    """The runtime; where it lies on disk, without `importlib.resources`, which imports a lot."""
    folder = Path(brimgen_runtime.__file__).parent
    if folder.is_dir():
        return folder
    from importlib.resources import files

    return files(brimgen_runtime)


@cache
def source(path: str) -> str:
    """The text of a module, by its path in a package (``_runtime/errors.py``)."""
    return _folder().joinpath(path).read_text(encoding="utf-8")


@cache
def modules(room: str = ROOM) -> tuple[str, ...]:
    """The paths of the modules of a folder that packages carry, sorted (``http/_run.py``)."""
    paths = (f"{room}/{path.name}" for path in (_folder() / room).iterdir())
    fronts = {f"{room}/__init__.py" for room in ROOMS} - {_FRONT}
    return tuple(
        sorted(path for path in paths if path.endswith(".py") and path not in fronts)
    )


@cache
def _all_modules() -> frozenset[str]:
    return frozenset(path for room in ROOMS for path in modules(room))


@cache
def _homes() -> Mapping[str, str]:
    """The module of ``_runtime`` that defines each public name; the first where there are two."""
    homes: dict[str, str] = {}
    for path in modules():
        for names in _DEFINITION.findall(source(path)):
            name = "".join(names)
            if not name.startswith("_"):
                homes.setdefault(name, path.removeprefix(f"{ROOM}/")[:-3])
    return homes


def home_of(name: str) -> str:
    """The module of a package that a name of the runtime is imported from: ``_runtime.errors``."""
    home = _homes()[name]
    return ROOM if home == "__init__" else f"{ROOM}.{home}"


def imported(path: str, text: str) -> Iterator[str]:
    """The modules of the runtime that a module at ``path`` in its package imports."""
    folders = path.split("/")[:-1]
    for dots, name, names in _IMPORT.findall(text):
        kept = folders[: len(folders) - len(dots) + 1]
        home = "/".join([*kept, *filter(None, name.split("."))])
        inner = (f"{home}/{module}.py" for module in re.findall(r"\w+", names))
        for candidate in (f"{home}.py", f"{home}/__init__.py", *inner):
            if candidate in _all_modules():
                yield candidate


@cache
def _imports(path: str) -> frozenset[str]:
    return frozenset(imported(path, source(path)))


def closure(roots: Iterable[str]) -> tuple[str, ...]:
    """The modules of the runtime that ``roots`` need: themselves and all that they import, sorted.

    What is no module of the runtime is left out.
    """
    needed: set[str] = set()
    waiting = [root for root in roots if root in _all_modules()]
    while waiting:
        path = waiting.pop()
        if path not in needed:
            needed.add(path)
            waiting += _imports(path)
            if path.startswith(f"{ROOM}/"):
                waiting.append(_FRONT)
    return tuple(sorted(needed))


_SIBLINGS = re.compile(r"^ *from \.(\w*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


@cache
def _siblings(package: str, module: str) -> tuple[str, tuple[str, ...]]:
    """The text of a module, and the modules beside it that it imports."""
    from importlib.resources import files

    text = (files(package) / f"{module}.py").read_text(encoding="utf-8")
    siblings: list[str] = []
    for name, names in _SIBLINGS.findall(text):
        siblings += [name] if name else re.findall(r"\w+", names)
    return text, tuple(siblings)


def copied_modules(
    package: str, roots: Iterable[str], bridges: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of the modules of a runtime that ``roots`` need: themselves and all
    that they import beside them, sorted. ``bridges`` are generated in the package instead.
    """
    texts: dict[str, str] = {}
    waiting = [*roots]
    while waiting:
        module = waiting.pop()
        if module not in texts and module not in bridges:
            texts[module], imported = _siblings(package, module)
            waiting += imported
    return tuple((f"{name}.py", texts[name]) for name in sorted(texts))
