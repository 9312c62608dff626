"""Emitting: a catalog and the chosen targets in, the files they make out, begun before the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import PurePosixPath
from typing import Any

from brimgen import ahead
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.model.catalog import Catalog
from brimgen.output.plan import Output

MANY_TOOLS = 200
"""From here on a second process is worth its start."""


class Emission(ExitStack):
    """The files of one build; behind the context, no second process is left."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead: ahead.Ahead | None = None
        self._shared: tuple[Emitter, ...] = ()

    def begin(self, catalog: Catalog, emitters: tuple[Emitter, ...]) -> None:
        """Let a second process begin with the targets, if there is much to do.

        The checks of the targets go on meanwhile. Should they find errors, nobody asks what came
        of it. Targets that account for what they lose stay here: the checks make most of it.
        """
        shared = tuple(each for each in emitters if each.losses is None)
        if len(catalog.tools) >= MANY_TOOLS and shared and ahead.possible():
            jobs = [_job(each, catalog) for each in shared]
            self._ahead = self.enter_context(ahead.begun(jobs))
            self._shared = shared

    def outputs(
        self, catalog: Catalog, emitters: tuple[Emitter, ...]
    ) -> tuple[Output, ...]:
        """The files of all targets, those of the catalog that `begin` was given, if it was."""
        if self._ahead is None:
            self.begin(catalog, emitters)
        own = [each for each in emitters if each not in self._shared]
        made = [output for each in own for output in _emitted(each, catalog)]
        if self._ahead is not None:
            results = self._ahead.results()
            for emitter, files in zip(self._shared, results, strict=True):
                made += [
                    Output(PurePosixPath(path), data, emitter.name, sources)
                    for path, data, sources in files
                ]
        return tuple(made)


def _job(emitter: Emitter, catalog: Catalog) -> Callable[[], Any]:
    def emit() -> list[tuple[str, bytes, tuple[str, ...]]]:
        outputs = _emitted(emitter, catalog)
        return [(str(each.path), each.data, each.sources) for each in outputs]

    return emit


def _emitted(emitter: Emitter, catalog: Catalog) -> Iterable[Output]:
    return [output_of(each, emitter.name) for each in emitter.emit(catalog)]


def output_of(artifact: Artifact, target: str) -> Output:
    """A file as it is to be written, and whose it is."""
    data = artifact.text.encode("utf-8")
    return Output(artifact.path, data, target, artifact.sources)


def ledger(catalog: Catalog, emitters: tuple[Emitter, ...]) -> tuple[Output, ...]:
    """The file of what all targets lose, if any of them accounts for it."""
    from brimgen.emit.losses import NAME, losses_file, losses_of

    losses = losses_of(catalog, emitters)
    return () if losses is None else (output_of(losses_file(losses), NAME),)


def in_order(outputs: Iterable[Output]) -> tuple[Output, ...]:
    """Files by their paths, whoever made them."""
    return tuple(sorted(outputs, key=lambda each: str(each.path)))
