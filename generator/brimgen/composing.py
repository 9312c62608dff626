"""Read any file of specs into its documents."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.source.compose import compose
from brimgen.source.document import Document, SourceFile
from brimgen.source.files import SUFFIX


def compose_any(file: SourceFile, diagnostics: Diagnostics) -> tuple[Document, ...]:
    """Return the specs of a file: the classes of a Python module, or what `compose` reads."""
    if not file.name.casefold().endswith(SUFFIX):
        return compose(file, diagnostics)
    from brimgen.importers.python.build_sources import documents

    return documents(file, diagnostics)
