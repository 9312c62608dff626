"""Read YAML text into positioned nodes, with the same limits as specs."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.source.nodes import MapNode
from brimgen.source.tree import MOST_NODES


def read_yaml(name: str, text: str, diagnostics: Diagnostics) -> tuple[MapNode, ...]:
    """The documents of a YAML text; what is no mapping is reported and left out.

    Documents of other systems are long. One may have as many values as its text has room for, so
    that it is only their repetition by aliases that is limited.
    """
    most = max(MOST_NODES, len(text))
    documents = compose(SourceFile(name, name, text), diagnostics, most=most)
    return tuple([document.root for document in documents if not document.is_broken])
