"""A question that an earlier run was asked in; what changed since built and told, or nothing done.

The way of most runs while specs are written: it needs no command line, whose options the earlier
run has judged, and tells the warnings of specs that did not change as they were told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimgen.cli.plain import options_of
from brimgen.cli.report import SOUND, Told, said, told_of, write_text
from brimgen.cli.stamps import Witness, done
from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.show import closed, helps_once
from brimgen.emit import LISTED
from brimgen.increment.report import Report, report_of
from brimgen.settings.load import Settings, load_settings

if TYPE_CHECKING:
    from brimgen.increment.rebuild import Rebuilt
    from brimgen.stamp.answer import Question


def again(asked: Question) -> int | None:
    """Build and write what changed since the last run, if that can be known; None, with nothing
    done, where it cannot.

    Raises `OSError` where the disk fails: the output folder is then as it was, or, if only what is
    to be told could not be written, new.
    """
    read, found = options_of(asked.key[0]), Diagnostics()
    if read is None:
        return None
    settings = load_settings(read.flags, known_targets=tuple(LISTED), found=found)
    if found.has_errors:
        return None
    witness = Witness(settings, asked)
    known: tuple[Told, Report] | None = None

    def ahead(rebuilt: Rebuilt) -> None:
        nonlocal known
        known = _told(rebuilt, settings)
        witness.prepare(rebuilt.result, *known)

    rebuilt = witness.rebuild(ahead)
    if rebuilt is None or rebuilt.result.plan is None:
        return None
    told, report = known or _told(rebuilt, settings)
    write_text(told.text + said(done(rebuilt.result.plan), settings))
    witness.testify(rebuilt.result, told, report)
    return SOUND


def _told(rebuilt: Rebuilt, settings: Settings) -> tuple[Told, Report]:
    """What is told of a run, of what did not change too; and the same for the next run."""
    new = told_of(rebuilt.result.build, settings)
    report = rebuilt.kept.joined(report_of(rebuilt.result.build.found, new.each))
    each = texts = report.texts
    if settings.format == "full":
        texts = helps_once(each, report.helps)
    return Told(each, closed(texts, report.severities, settings.format)), report
