"""A sink takes each generated file as it is made, and keeps of it no more than a row.

What is to be written goes into the stage at once, so that the files of a build are never held all.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from brimgen.diagnostics import Diagnostics
from brimgen.digest import sha256
from brimgen.named import NamedTuple
from brimgen.output.compare import Comparison
from brimgen.output.plan import File, Output, Plan, Scope, State
from brimgen.output.stage import Stage

_CLASHES = (FileExistsError, IsADirectoryError, NotADirectoryError)


class Twin(NamedTuple):
    """What a sink in another process is made of: see `Sink.twin`."""

    root: Path
    scope: Scope
    folder: Path | None

    def sink(self) -> Sink:
        """The sink, in a process that has nothing else to do: it goes to stand in the stage.

        So it can put nothing into the stage of a later run, should it outlive its own.
        """
        comparison = Comparison(self.root, scope=self.scope, found=Diagnostics())
        if self.folder is None:
            return Sink(comparison)
        os.chdir(self.folder)
        return Sink(comparison, stage=Stage(self.root, opened=Path()))


class Sink:
    """Takes the generated files of a run, one call each, and makes the plan for them.

    With a ``stage``, files that the disk lacks are put there; without, nothing is written. With
    ``keep``, the ``outputs`` are kept whole.

    Several processes may each have a sink of one stage (`twin`): what `rows` hands on from one,
    `take` takes over in another.
    """

    def __init__(
        self,
        comparison: Comparison,
        *,
        stage: Stage | None = None,
        keep: bool = False,
    ) -> None:
        self._comparison, self._stage, self._keep = comparison, stage, keep
        self.files: list[File] = []
        self.outputs: list[Output] = []

    @property
    def twin(self) -> Twin | None:
        """What another process needs for a sink beside this one; None where nothing else will do
        than this very one. Raises `OSError` where there can be no stage.
        """
        if self._keep:
            return None
        if self._stage is None:
            return Twin(self._comparison.root, self._comparison.scope, None)
        self._stage.open()
        return Twin(self._comparison.root, self._comparison.scope, self._stage.folder)

    def begin_anew(self) -> None:
        """Forget whatever was taken, by this sink or another one of its stage."""
        self.files.clear()
        self.outputs.clear()
        if self._stage is not None:
            self._stage.drop()

    def __call__(self, output: Output) -> None:
        """Take a file. Raises `OSError` where the disk fails."""
        path, data = output.path, output.data
        state, in_the_way, known = State.NEW, None, None
        if stands := self._comparison.look(output):
            state, in_the_way, known, mode = stands
            if self._stage is not None and self._comparison.writes(state):
                try:
                    known = self._stage.put(path, data, mode)
                except _CLASHES:
                    known = None  # two at one path, or one in the other: the plan tells
        rest = output.target, output.sources, len(data), sha256(data)
        self.files.append(File(path, *rest, state, in_the_way, known))
        if self._keep:
            self.outputs.append(output)

    def rows(self, start: int = 0) -> list[tuple[Any, ...]]:
        """What was taken, from the file with the number ``start`` on, in builtin types."""
        files = self.files[start:]
        return [(*each[:5], each.state.value, *each[6:]) for each in files]

    def take(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Take over the `rows` of another process."""
        states = {each.value: each for each in State}
        self.files += [File._make((*row[:5], states[row[5]], *row[6:])) for row in rows]

    def plan(self) -> Plan:
        """The plan for the files that were taken.

        Raises `OSError` where one is to be written and did not reach the stage.
        """
        held = {each.path: each.data for each in self.outputs}
        plan = self._comparison.plan(self.files, held)
        if self._stage is not None and not self._comparison.found.has_errors:
            for each in self.files:
                if each.known is None and each.path in plan.puts:
                    raise OSError(errno.EIO, "it was not staged", each.path)
        return plan
