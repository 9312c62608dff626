"""Compare and stage generated files one at a time, as they are made.

What is to be written goes into the stage at once, so that memory never holds all files of a build.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from hashlib import sha256

from brimgen.output.compare import Comparison
from brimgen.output.plan import File, MadeFile, Output, Plan, State
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
        state, in_the_way, identity = State.NEW, None, None
        if status := self._comparison.find_status(output):
            state, in_the_way, identity, mode = status
            if self._stage is not None and self._comparison.writes(state):
                try:
                    identity = self._stage.put(path, data, mode)
                except _CLASHES:
                    identity = (
                        None  # two at one path, or one in the other: the plan tells
                    )
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
                identity,
            )
        )
        if self._keep:
            self.outputs.append(output)

    def keep(
        self, files: Iterable[MadeFile], target: str, sources: tuple[str, ...]
    ) -> bool:
        """Take files without their bytes, if all of them stand in the output folder already."""
        kept: list[File] = []
        for file in files:
            path, size, digest = file
            identity = self._comparison.find_identity(file)
            if identity is None:
                return False
            kept.append(
                File(path, target, sources, size, digest, State.SAME, identity=identity)
            )
        self.files += kept
        return True

    def plan(self) -> Plan:
        """The plan for the files that were taken.

        Raises `OSError` where one is to be written and did not reach the stage.
        """
        held = {output.path: output.data for output in self.outputs}
        plan = self._comparison.plan(self.files, held)
        if self._stage is not None and not self._comparison.diagnostics.has_errors:
            for file in self.files:
                if file.identity is None and file.path in plan.puts:
                    raise OSError(errno.EIO, "it was not staged", file.path)
        return plan
