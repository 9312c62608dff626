"""A run of a command in; the stamp by which the next one knows that nothing changed out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimgen.cli.report import Told, said
from brimgen.settings.formats import FOR_PEOPLE
from brimgen.stamp.answer import has_baseline

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimgen.increment.leave import Left
    from brimgen.increment.rebuild import Rebuilt
    from brimgen.increment.report import Report
    from brimgen.output.plan import Plan
    from brimgen.pipeline import Result
    from brimgen.settings.load import Settings
    from brimgen.stamp.answer import Question
    from brimgen.stamp.record import Next, Specs


def asked_now() -> Question | None:
    """What the process was asked, if a stamp shall answer it the next time."""
    import click

    asked: Question | None = click.get_current_context().find_root().obj
    return asked


class Witness:
    """Sees the specs before they are read, and what a run has made of them."""

    def __init__(self, settings: Settings, asked: Question | None) -> None:
        self._settings = settings
        self._asked = asked
        self._specs: Specs | None = None
        self._rebuilt: Rebuilt | None = None
        self._next: Next | None = None
        self._is_prepared = False
        if (
            self._asked is not None
            and settings.format in FOR_PEOPLE
            and not settings.through_link
            and not _reads_more(settings)
        ):
            from brimgen.stamp.record import look_at_specs

            self._specs = look_at_specs(self._asked, settings.specs)

    def rebuild(
        self, meanwhile: Callable[[Rebuilt], None] | None = None
    ) -> Rebuilt | None:
        """Build and write only what changed since the last stamp, if that can be known.

        ``meanwhile`` gets the run before the files are in their place, if there is time to pass.
        """
        if self._asked is None or self._specs is None:
            return None
        if not has_baseline(self._asked):
            return None
        from brimgen.increment.rebuild import rebuild
        from brimgen.stamp.record import Specs

        def ahead(rebuilt: Rebuilt) -> None:
            self._rebuilt = rebuilt
            if meanwhile is not None:
                meanwhile(rebuilt)

        self._rebuilt = rebuild(self._settings, self._asked, ahead)
        if self._rebuilt is None:
            return None
        self._specs = Specs(self._specs.root, self._rebuilt.specs)
        return self._rebuilt

    def prepare(self, result: Result, told: Told, report: Report | None = None) -> None:
        """Make what `testify` leaves for the next run to rest on, of which nothing depends on how
        files are written. ``told`` are the warnings; ``report`` is the same for the next run, where
        ``result`` does not say it all.
        """
        if self._specs is None or result.plan is None:
            return
        from brimgen.increment.leave import next_of, next_of_rebuild
        from brimgen.increment.report import report_of

        report = report or report_of(result.build.found, told.each)
        if self._rebuilt is not None:
            self._next = next_of_rebuild(self._rebuilt, report)
        else:
            self._next = next_of(self._settings, result, report)
        self._is_prepared = True

    def testify(self, result: Result, told: Told, report: Report | None = None) -> None:
        """Leave a stamp of a run after which all is as it should be, of which no more may be told
        than when it was `prepare`d, if it was.
        """
        from brimgen.output.paths import JOURNAL_NAME
        from brimgen.output.stage import stages_of
        from brimgen.stamp.record import Made, record

        plan = result.plan
        if self._asked is None or self._specs is None or plan is None:
            return
        settings, files = self._settings, len(plan.states) - len(plan.removes)
        says = {
            "generate": told.text + said(nothing_done(files), settings),
            "check": told.text + said(as_it_should_be(files), settings),
        }
        left = self._left(result)
        if left is None:
            return
        if not self._is_prepared:
            self.prepare(result, told, report)
        made = Made(
            texts={each.path: each.text for each in result.build.sources},
            root=settings.out,
            outputs=left.outputs,
            digest=left.digest,
            written=plan.puts,
            compared_at=result.compared_at,
            written_at=result.written.moment,
            links=left.links,
            linked_at=result.written.linked_at,
            absent=(settings.out / JOURNAL_NAME, *stages_of(settings.out)),
            says=says,
            digests=left.digests,
            libraries=left.libraries,
            next=self._next,
        )
        record(self._asked, self._specs, made)

    def _left(self, result: Result) -> Left | None:
        """What the run has left, as far as it was made by it."""
        from brimgen.increment.leave import left_by, left_by_rebuild

        if self._rebuilt is not None:
            return left_by_rebuild(self._rebuilt)
        return left_by(result)


def _reads_more(settings: Settings) -> bool:
    """Whether what is said rests on files beside specs and configuration."""
    connections = settings.project.connections.values()
    return any(each.schema or each.database for each in connections)


def count(number: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def done(plan: Plan) -> str:
    """How `generate` ends; the manifest, which is its own, is not counted."""
    written = sum(path in plan.states for path in plan.puts)
    unchanged = len(plan.states) - written - len(plan.removes)
    return _done(written, len(plan.removes), unchanged)


def _done(written: int, removed: int, unchanged: int) -> str:
    return f"{count(written, 'file')} written, {removed} removed, {unchanged} unchanged"


def nothing_done(files: int) -> str:
    """How `generate` ends where there was nothing to do."""
    return _done(0, 0, files)


def as_it_should_be(files: int) -> str:
    """How `check` ends where there is nothing to tell."""
    return f"{count(files, 'file')} as the specs say"
