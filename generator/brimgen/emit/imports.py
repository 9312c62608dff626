"""Write import statements in the order that isort wants."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from brimgen.emit.code import Code
from brimgen.emit.linker import home_of


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


def import_runtime(dots: str, names: Iterable[str]) -> list[Code]:
    """The imports of names of the package's runtime, to which ``dots`` lead."""
    names_by_module: dict[str, list[str]] = {}
    for name in names:
        names_by_module.setdefault(f"{dots}{home_of(name)}", []).append(name)
    return [
        import_from(module, names_by_module[module])
        for module in sorted(names_by_module)
    ]


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
