"""A sink takes each generated file as it is made, and keeps of it no more than a row.

What is to be written goes into the stage at once, so that the files of a build are never held all.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from brimgen.digest import sha256
from brimgen.output.compare import Comparison
from brimgen.output.plan import File, Output, Plan, State
from brimgen.output.stage import Stage

_CLASHES = (FileExistsError, IsADirectoryError, NotADirectoryError)


class Sink:
    """Takes the generated files of a run, one call each, and makes the plan for them.

    With a ``stage``, files that the disk lacks are put there; without, nothing is written. With
    ``keep``, the ``outputs`` are kept whole.

    Several processes may each have a sink of one stage, once that is open (`Stage.open`): what
    `rows` hands on from one, `take` takes over in another.
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

    def __call__(self, output: Output) -> None:
        """Take a file. Raises `OSError` where the disk fails."""
        state, in_the_way, known = State.NEW, None, None
        if stands := self._comparison.look(output):
            state, in_the_way, known, mode = stands
            if self._stage is not None and self._comparison.writes(state):
                # Two files at one path, or one in the other, are told by the plan.
                with suppress(*_CLASHES):
                    known = self._stage.put(output.path, output.data, mode)
        self.files.append(
            File(
                output.path,
                output.target,
                output.sources,
                len(output.data),
                sha256(output.data),
                state,
                in_the_way,
                known,
            )
        )
        if self._keep:
            self.outputs.append(output)

    def rows(self) -> list[tuple[Any, ...]]:
        """What was taken, in builtin types."""
        return [(*each[:5], each.state.value, *each[6:]) for each in self.files]

    def take(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Take over the `rows` of another process."""
        self.files += [File._make((*row[:5], State(row[5]), *row[6:])) for row in rows]

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
