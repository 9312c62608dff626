"""Leave the stamps of `generate` and `check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimgen.cli.console.report import describe_build, summary_text
from brimgen.cli.console.summary import nothing_done, up_to_date
from brimgen.emit.handler_paths import looked_up_files
from brimgen.frozen import replace
from brimgen.settings.formats import FOR_PEOPLE

if TYPE_CHECKING:
    from brimgen.build.stamp import Invocation, Recorder
    from brimgen.settings.load import Settings
    from brimgen.stages import Result


def current_invocation() -> Invocation | None:
    """Return the invocation of the process; None if no stamp may answer it the next time."""
    import click

    invocation: Invocation | None = click.get_current_context().find_root().obj
    return invocation


def recorder(settings: Settings, invocation: Invocation | None) -> Recorder | None:
    """Begin to record a run, before it reads the specs; return None if that is impossible."""
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
