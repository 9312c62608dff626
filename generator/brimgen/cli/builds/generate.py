"""Build, write the files, report, and record a stamp."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.console.progress import showing_progress
from brimgen.cli.console.report import (
    DRIFT,
    SOUND,
    SPEC_ERRORS,
    describe_build,
    done,
    nothing_done,
    report_build,
    summary_text,
    up_to_date,
    write_summary,
)
from brimgen.emit.handler_paths import looked_up_files
from brimgen.frozen import replace
from brimgen.output.paths import MANIFEST_NAME
from brimgen.settings.formats import FOR_PEOPLE
from brimgen.source.files import relative_name

if TYPE_CHECKING:
    from brimgen.api import Build
    from brimgen.build.stamp import Invocation, Recorder
    from brimgen.settings.load import Settings
    from brimgen.stages import Result


def generate_files(
    settings: Settings,
    *,
    force: bool = False,
    adopt: bool = False,
    depfile: Path | None = None,
) -> int:
    """Bring the output folder up to date; return the exit code.

    All files that were read are named in ``depfile``, where one is given. Raises `OSError` if the
    disk fails: the output folder is then unchanged, unless only a message could not be printed.
    """
    from brimgen import api

    recording = recorder(settings)
    with showing_progress(settings) as stages:
        result = api.generate(settings, force=force, adopt=adopt, stages=stages)
    report_build(result.build, settings)
    if result.plan is None:
        return SPEC_ERRORS
    write_summary(done(result.plan), settings)
    lock = result.build.lock
    if lock is not None and lock.is_stale and lock.after is None:
        write_summary(
            f"{os.path.relpath(lock.path)} removed: no bundle needs it", settings
        )
    if depfile is not None:
        inputs = inputs_of(result.build, settings)
        write_depfile(depfile, settings.out / MANIFEST_NAME, inputs)
    if result.plan.kept:
        return DRIFT
    record(recording, result, settings)
    return SOUND


def recorder(settings: Settings) -> Recorder | None:
    """Begin to record a run, before it reads the specs; return None if that is impossible, or if no
    stamp may answer the invocation of the process the next time.
    """
    invocation: Invocation | None = click.get_current_context().find_root().obj
    if invocation is None or settings.format not in FOR_PEOPLE or settings.through_link:
        return None
    if any(connection.database for connection in settings.project.connections.values()):
        return None  # a database may change at any time
    from brimgen.build.stamp import Recorder

    schemas = (*(schema.name for schema in settings.schemas), *settings.schema_folders)
    folder, templates = settings.specs.parent, settings.templates
    return Recorder(
        invocation,
        settings.specs,
        templates=None if templates is None else templates.folder,
        beside=[str(settings.lock_file), *(str(folder / each) for each in schemas)],
        sources=settings.sources,
    )


def record(recording: Recorder | None, result: Result, settings: Settings) -> None:
    """Record a run after which everything is up to date."""
    if recording is None or result.plan is None:
        return
    plain, coloured = (
        describe_build(result.build, replace(settings, colour=colour))
        for colour in ("never", "always")
    )
    files = len(result.plan.states) - len(result.plan.removes)
    recorded = {
        command: (
            plain + summary_text(end, settings),
            coloured + summary_text(end, settings),
        )
        for command, end in (
            ("generate", nothing_done(files)),
            ("check", up_to_date(files)),
        )
    }
    looked_up = looked_up_files(result.build.catalog, settings.source_roots)
    recording.record(result, recorded, settings.colour, looked_up=looked_up)


_SPACES = re.compile(r"(\\*) ")


def inputs_of(
    build: Build, settings: Settings, specs: Iterable[str] | None = None
) -> list[Path]:
    """Return the files that a build has read.

    ``specs`` are the stable names of the spec files to include; None: all.
    """
    included = None if specs is None else frozenset(specs)
    inputs = [
        Path(source.path)
        for source in build.sources
        if included is None or source.name in included
    ]
    if settings.configuration is not None:
        inputs.append(Path(settings.configuration.path))
    beside = settings.specs.parent
    inputs += [beside / schema.name for schema in settings.schemas]
    if settings.templates is not None:
        inputs += [beside / file.path for file in settings.templates.files.values()]
    if settings.lock_file.is_file():
        inputs.append(settings.lock_file)
    return inputs


def write_depfile(path: Path, target: Path, inputs: Iterable[Path]) -> None:
    """Write ``target: inputs``, relative to the working directory. Raises `OSError`."""
    names = sorted({_escaped(input_) for input_ in inputs})
    lines = [f"{_escaped(target)}:", *names]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(" \\\n  ".join(lines) + "\n", encoding="utf-8", newline="\n")


def _escaped(path: Path) -> str:
    """Return a path in the syntax of make and Ninja, which read a backslash as an escape only
    before a character that needs one.
    """
    text = _SPACES.sub(r"\1\1\\ ", relative_name(path))
    return text.replace("#", "\\#").replace("$", "$$")
