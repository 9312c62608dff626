"""YAML text in, positioned nodes out, under the guards that specs are read with."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.source.nodes import Node


def read_yaml(name: str, text: str, found: Diagnostics) -> Node | None:
    """The mapping of a YAML text; None, and a report, where it is none."""
    documents = compose(SourceFile(name, name, text), found)
    whole = [each for each in documents if not each.is_broken]
    return whole[0].root if whole else None
