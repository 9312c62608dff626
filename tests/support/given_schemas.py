"""Schemas of tools that are made in tests, without files."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from brimgen_runtime.schema.files import SchemaFile


def given_schemas(
    input: Mapping[str, Any], output: Mapping[str, Any] | None = None
) -> Any:
    """What `Tool` takes as its schemas; nothing is hidden."""
    sent = SchemaFile(lambda: input)
    back = None if output is None else SchemaFile(lambda: output)
    return SimpleNamespace(input=sent, bound=sent, output=back)
