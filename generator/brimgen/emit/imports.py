"""Write import statements in the order that isort wants."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from brimgen.emit.code import Code
from brimgen.emit.runtime_names import RUNTIME, home_of


class Import(NamedTuple):
    """``from module import names``, or ``import module as alias``."""

    module: Code
    names: Code
    alias: Code | None = None


ImportGroup: TypeAlias = tuple[Import, ...]

_NUMBER = re.compile(r"[0-9]+")
_WIDEST = 128


def import_from(module: str, names: Iterable[str]) -> Code:
    """``from module import names``."""
    return Code(f"from {module} import {', '.join(in_order(names))}")


def import_runtime(names: Iterable[str]) -> list[Code]:
    """The imports of names of the runtime."""
    return import_names((home_of(name), name) for name in names)


def import_names(pairs: Iterable[tuple[str, str]]) -> list[Code]:
    """The imports of (module, name) pairs: parents of a folder first, then by module."""
    names: dict[str, set[str]] = {}
    for module, name in pairs:
        names.setdefault(module, set()).add(name)
    ordered = sorted(
        names, key=lambda module: (not module.startswith(".."), module_order(module))
    )
    return [import_from(module, names[module]) for module in ordered]


def section_of(module: str) -> int:
    """The section that a module is imported in: the library's, the runtime's, the package's."""
    return 2 if module.startswith(".") else int(module.split(".")[0] == RUNTIME)


def import_sections(
    pairs: Iterable[tuple[str, str]], first: Iterable[Code] = ()
) -> tuple[Code, ...]:
    """The imports of (module, name) pairs in sections that an empty line parts; ``first`` are the
    first lines of the library's.
    """
    by_section: dict[int, list[tuple[str, str]]] = {0: [], 1: [], 2: []}
    for module, name in pairs:
        by_section[section_of(module)].append((module, name))
    sections = [import_names(each) for each in by_section.values()]
    sections[0] = [*first, *sections[0]]
    lines = [line for each in sections if each for line in (Code(""), *each)]
    return tuple(lines[1:])


def exported_names(names: Iterable[str]) -> Code:
    """What stands in ``__all__``, for the bracket of a template."""
    ordered = sorted(names, key=lambda name: (_kind(name), natural(name)))
    return Code(", ".join([f'"{name}"' for name in ordered]))


def in_order(names: Iterable[str]) -> list[str]:
    """Names by kind: constants, classes, functions; then by the alphabet."""
    return sorted(names, key=_place)


@lru_cache(maxsize=1024)
def _place(name: str) -> tuple[int, str, str]:
    """Return the sort key of a name; cached, because all modules import the same few."""
    return _kind(name), natural(name.lower()), name


def natural(text: str) -> str:
    """Return the sort key that orders numbers in texts by value: ``a2`` before ``a10``."""
    return _NUMBER.sub(_padded, text)


def _padded(number: re.Match[str]) -> str:
    """Pad a number with zeros to the width of the longest name."""
    return number[0].zfill(_WIDEST)


def module_order(name: str) -> str:
    """Return the sort key of a module of the package."""
    return natural(name.lower())


def _kind(name: str) -> int:
    if name.isupper() and len(name) > 1:
        return 0
    return 1 if name[0].isupper() else 2
