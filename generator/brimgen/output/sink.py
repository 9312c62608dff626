"""Compare and stage generated files one at a time, as they are made.

What is to be written goes into the stage at once, so that memory never holds all files of a build.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from hashlib import sha256

from brimgen.output.compare import Comparison
from brimgen.output.plan import File, Output, Plan, State
from brimgen.output.stage import Stage

_CLASHES = (FileExistsError, IsADirectoryError, NotADirectoryError)


class Sink:
    """Takes the generated files of a run, one call each, and makes the plan for them.

    With a ``stage``, files that the disk lacks are put there; without, nothing is written. With
    ``keep``, the ``outputs`` are kept whole.
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
        """Take a file.

        Raises `OSError` where the disk fails.
        """
        path, data = output.path, output.data
        state, in_the_way, is_written = State.NEW, None, False
        if status := self._comparison.find_status(output):
            state, in_the_way, is_written, mode = status
            if self._stage is not None and self._comparison.writes(state):
                # Two at one path, or one in the other: the plan tells.
                with suppress(*_CLASHES):
                    self._stage.put(path, data, mode)
                    is_written = True
        digest = sha256(data).hexdigest()
        self.files.append(
            File(
                path,
                output.target,
                output.sources,
                len(data),
                digest,
                state,
                in_the_way,
                is_written,
            )
        )
        if self._keep:
            self.outputs.append(output)

    def plan(self) -> Plan:
        """The plan for the files that were taken.

        Raises `OSError` where one is to be written and did not reach the stage.
        """
        held = {output.path: output.data for output in self.outputs}
        plan = self._comparison.plan(self.files, held)
        if self._stage is not None and not self._comparison.diagnostics.has_errors:
            for file in self.files:
                if not file.is_written and file.path in plan.puts:
                    raise OSError(errno.EIO, "it was not staged", file.path)
        return plan
