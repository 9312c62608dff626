"""Recurring: the texts of schemas that stand in several files of a catalog, each written once."""

from __future__ import annotations

from brimgen.emit.account import once
from brimgen.emit.indented import Texts, escaped, indented
from brimgen.model.catalog import Catalog
from brimgen.model.json import Json

__all__ = ["Texts", "json_file", "texts_of"]


@once
def texts_of(catalog: Catalog) -> Texts:
    """What the targets of ``catalog`` have written of them so far; they all add to it."""
    return {}


def json_file(value: Json, texts: Texts) -> str:
    """The text of a file that is one JSON value: `json_text` and a line end.

    It is no `Code`, and stands in no template: megabytes would be copied for each.
    """
    text = indented(value, texts=texts)
    text += "\n"
    return escaped(text)
