"""Recurring: the texts of schemas that stand in several files of a catalog, each written once."""

from __future__ import annotations

from brimgen.emit.account import once_per_catalog
from brimgen.emit.indented import Texts
from brimgen.emit.render import render
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.json import Json

__all__ = ["Texts", "json_file", "texts_of"]


@once_per_catalog
def texts_of(catalog: Catalog) -> Texts:
    """What the targets of ``catalog`` have written of them so far; they all add to it."""
    return {}


@dataclass(frozen=True, slots=True)
class JsonFile:
    """The view of a file that is one JSON value."""

    value: Json
    texts: Texts


def json_file(template: str, value: Json, texts: Texts) -> str:
    """The text of a file that is one JSON value, by the ``template`` of its target."""
    return render(template, JsonFile(value, texts))
