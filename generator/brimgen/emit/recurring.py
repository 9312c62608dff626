"""Recurring: the texts of schemas that stand in several files of a catalog, each written once."""

from __future__ import annotations

from brimgen.emit.account import once
from brimgen.emit.indented import Texts
from brimgen.model.catalog import Catalog

__all__ = ["Texts", "texts_of"]


@once
def texts_of(catalog: Catalog) -> Texts:
    """What the targets of ``catalog`` have written of them so far; they all add to it."""
    return {}
