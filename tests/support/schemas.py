"""Schemas of connections, from text."""

from __future__ import annotations

from brimgen.model.project import SchemaFile, SchemaSource


def schema_of(name: str, text: str) -> SchemaSource:
    """A schema in one file."""
    return SchemaSource((SchemaFile(name, text),))
