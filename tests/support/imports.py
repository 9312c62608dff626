"""What is imported, as the texts that `brimgen import` prints, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from brimgen import importers
from brimgen.api import Diagnostics
from brimgen.importers.yaml_text import yaml_document
from brimgen.model.json import JsonObject

Imported: TypeAlias = tuple[tuple[str, ...], Diagnostics]


def _told(read: Callable[..., Iterable[JsonObject]]) -> Callable[..., Imported]:
    def imported(*arguments: Any, **options: Any) -> Imported:
        found = Diagnostics()
        documents = read(*arguments, found, **options)
        return tuple(map(yaml_document, documents)), found

    return imported


import_tools = _told(importers.import_tools)
import_sql = _told(importers.import_sql)
import_store = _told(importers.import_store)
