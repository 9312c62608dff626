"""Imports: a module and names of it in, the statement out, in the order that isort wants."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.emit.code import Code, bracketed, fits


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
    items = [f'"{each}"' for each in in_order(names)]
    return bracketed(items, before="__all__ = [", after="]")


def in_order(names: Iterable[str]) -> list[str]:
    """Names by kind: constants, classes, functions; then by the alphabet."""
    return sorted(names, key=lambda name: (_kind(name), name.lower(), name))


def _kind(name: str) -> int:
    if name.isupper() and len(name) > 1:
        return 0
    return 1 if name[0].isupper() else 2
