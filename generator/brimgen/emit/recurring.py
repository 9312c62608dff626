"""Recurring: the texts of schemas that stand in several files of a catalog, each written once."""

from __future__ import annotations

from brimgen.emit.account import once
from brimgen.emit.indented import Texts, Written, indented
from brimgen.model.catalog import Catalog
from brimgen.model.json import Json

__all__ = ["Texts", "Written", "texts_of", "written"]


@once
def texts_of(catalog: Catalog) -> Texts:
    """What the targets of ``catalog`` have written of them so far; they all add to it."""
    return {}


def written(value: Json, texts: Texts) -> Written:
    """The text of ``value``, which several places of a file hold, or several files."""
    return Written(indented(value, texts=texts))
