"""Find the Python modules that the setting `sources` names."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SUFFIX = ".py"


def module_files(patterns: Iterable[str]) -> list[str]:
    """The paths of all files that one of the ``patterns`` fits, sorted, each once.

    ``*`` stands for any text of a name, ``**`` for any folders. Names that begin with a dot, and
    files that are no Python modules, are passed over.
    """
    from glob import glob

    paths = {
        os.path.normpath(path)
        for pattern in patterns
        for path in glob(pattern, recursive=True)
    }
    return sorted(
        path for path in paths if path.endswith(SUFFIX) and os.path.isfile(path)
    )
