"""What is imported, as the texts that `brimgen import` prints."""

from __future__ import annotations

from typing import Any

from brimgen import importers
from brimgen.importers.yaml_text import yaml_document


def import_tools(*arguments: Any, **options: Any) -> tuple[str, ...]:
    return tuple(map(yaml_document, importers.import_tools(*arguments, **options)))


def import_sql(*arguments: Any, **options: Any) -> tuple[str, ...]:
    return tuple(map(yaml_document, importers.import_sql(*arguments, **options)))


def import_store(*arguments: Any, **options: Any) -> tuple[str, ...]:
    return tuple(map(yaml_document, importers.import_store(*arguments, **options)))
