"""Write import statements in the order that isort wants."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from brimgen.emit.code import Code
from brimgen.emit.codecs.python import MODULES
from brimgen.emit.runtime_names import RUNTIME, home_of

STANDARD = {
    **MODULES,
    **dict.fromkeys(("Enum", "IntEnum", "StrEnum"), "enum"),
    **dict.fromkeys(("Final", "Literal", "NotRequired", "Self"), "typing"),
    **dict.fromkeys(("TYPE_CHECKING", "TypeAlias", "TypedDict"), "typing"),
    **dict.fromkeys(("dataclass", "field"), "dataclasses"),
    "Mapping": "collections.abc",
    "UUID": "uuid",
    "dt": "datetime",
}
"""The names of the library that generated modules take, each with its module; ``dt`` is what the
module of dates is called itself."""

_DATES = ("datetime", "dt")
_NUMBER = re.compile(r"[0-9]+")
_WIDEST = 128


class Imports:
    """What one module takes from elsewhere: pairs of a module and a name of it.

    Each name is asked for where it is written.
    """

    def __init__(self) -> None:
        self.taken: set[tuple[str, str]] = set()

    def take(self, module: str, name: str) -> Code:
        """A name of a module."""
        self.taken.add((module, name))
        return Code(name)

    def standard(self, name: str) -> Code:
        """A name of the standard library."""
        return self.take(STANDARD[name], name)

    def runtime(self, name: str) -> Code:
        """A name of the runtime."""
        return self.take(home_of(name), name)


def import_sections(pairs: Iterable[tuple[str, str]]) -> tuple[Code, ...]:
    """The imports of (module, name) pairs: a line for each module, and an empty one between those
    of the library, of the runtime and of the package.
    """
    sections: tuple[dict[str, set[str]], ...] = ({}, {}, {})
    for module, name in pairs:
        sections[_section(module)].setdefault(module, set()).add(name)
    lines: list[Code] = []
    for section in filter(None, sections):
        lines += [Code("")] if lines else []
        lines += [_import(module, section[module]) for module in _in_order(section)]
    return tuple(lines)


def _section(module: str) -> int:
    return 2 if module.startswith(".") else int(module.split(".")[0] == RUNTIME)


def _in_order(section: dict[str, set[str]]) -> list[str]:
    """Modules by the alphabet: a whole module first, and parents of a folder."""
    return sorted(
        section,
        key=lambda module: (
            _DATES[1] not in section[module],
            not module.startswith(".."),
            module_order(module),
        ),
    )


def _import(module: str, names: set[str]) -> Code:
    if names == {_DATES[1]}:
        return Code("import datetime as dt")
    ordered = sorted(names, key=_place)
    return Code(f"from {module} import {', '.join(ordered)}")


def exported_names(names: Iterable[str]) -> Code:
    """What stands in ``__all__``, for the bracket of a template."""
    ordered = sorted(names, key=lambda name: (_kind(name), natural(name)))
    return Code(", ".join([f'"{name}"' for name in ordered]))


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
