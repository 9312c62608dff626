"""A generated file that rests on what changed in; it is put into the stage where it is another."""

from __future__ import annotations

import os
from collections.abc import Mapping

from brimgen.digest import sha256
from brimgen.frozen import dataclass
from brimgen.increment.parts import Parts, spliced
from brimgen.output.manifest import Entry
from brimgen.output.plan import File, Output, State
from brimgen.output.stage import Stage
from brimgen.output.write import mode_of


@dataclass(frozen=True, slots=True)
class Splice:
    """A list whose parts stand at ``parts``: ``new`` are those that are other than they were."""

    parts: Parts
    new: Mapping[str, bytes]


def staged(made: Output, old: Entry, stage: Stage) -> File:
    """A whole file, which had the entry ``old``. Raises `OSError`."""
    path, data, rest = made.path, made.data, (made.target, made.sources)
    digest = sha256(data)
    if digest == old.sha256:
        return File(path, *rest, len(data), digest, State.SAME)
    known = stage.put(path, data, mode_of(stage.root / path))
    return File(path, *rest, len(data), digest, State.CHANGED, known=known)


def staged_list(made: Output, splice: Splice, stage: Stage) -> File:
    """A list, of which ``made`` is the part that was built. Raises `OSError`.

    It goes from the old file to the new one, and is held by nobody as a whole.
    """
    place = stage.root / made.path
    with open(place, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        passing = sha256.passing(spliced(file, splice.parts, splice.new), size)
        known = stage.put_pieces(made.path, passing, mode_of(place))
    said = made.path, made.target, made.sources, known[1], passing.digest
    return File(*said, State.CHANGED, known=known)
