"""Imports: a module and names of it in, the statement out, in the order that isort wants."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.emit.code import Code, bracketed, fits
from brimgen.regex import regex

_NUMBER = regex(r"([0-9]+)")


def import_from(module: str, names: Iterable[str], *, indent: int = 0) -> Code:
    """``from module import names``, broken as black breaks it."""
    ordered = in_order(names)
    flat = f"from {module} import {', '.join(ordered)}"
    if fits(flat, indent):
        return Code(flat)
    return bracketed(
        ordered, before=f"from {module} import (", after=")", indent=indent
    )


def exported(names: Iterable[str]) -> Code:
    """``__all__``."""
    ordered = sorted(names, key=lambda name: (_kind(name), natural(name)))
    items = [f'"{each}"' for each in ordered]
    return bracketed(items, before="__all__ = [", after="]")


def in_order(names: Iterable[str]) -> list[str]:
    """Names by kind: constants, classes, functions; then by the alphabet."""
    return sorted(names, key=lambda name: (_kind(name), natural(name.lower()), name))


def natural(text: str) -> list[tuple[bool, int, str]]:
    """What sorts texts with their numbers by value: ``a2`` before ``a10``."""
    parts = filter(None, _NUMBER.split(text))
    return [
        (False, int(each), "") if each.isdigit() else (True, 0, each) for each in parts
    ]


def module_order(name: str) -> list[tuple[bool, int, str]]:
    """What sorts modules of one package."""
    return natural(name.lower())


def _kind(name: str) -> int:
    if name.isupper() and len(name) > 1:
        return 0
    return 1 if name[0].isupper() else 2
