"""Run one action of a build system: the wanted files of some specs, with a depfile."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.builds.generate import inputs_of, write_depfile
from brimgen.cli.console.report import (
    DRIFT,
    SOUND,
    SPEC_ERRORS,
    print_text,
    report_build,
)
from brimgen.frozen import dataclass, replace
from brimgen.output.lock_file import report_stale
from brimgen.settings.load import Settings
from brimgen.source.files import module_files, reading_only, relative_name

if TYPE_CHECKING:
    from brimgen.api import Build
    from brimgen.output.plan import Output


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest:
    """What an action makes: the files of ``specs``; without any, those that depend on all specs.

    ``beside`` are further spec files that ``specs`` refer to, such as entities; None: the whole
    folder of specs is read.
    """

    specs: Sequence[Path]
    beside: Sequence[Path] | None = None
    depfile: Path | None = None


def run_action(settings: Settings, request: ActionRequest) -> int:
    """Make and write the files of a request; return the exit code.

    Only files that differ are written. No manifest is written, no file is removed, and files that
    were edited by hand are overwritten: the build system owns them.
    """
    names = [stable_name(spec, settings) for spec in request.specs]
    build = _build_specs(settings, names, request.beside)
    is_stale = not names and build.lock is not None and build.lock.is_stale
    if is_stale:
        report_stale(build.lock, settings.out, build.diagnostics)
    report_build(_only_action_diagnostics(build, names), settings)
    if build.outputs is None:
        return SPEC_ERRORS
    if is_stale:
        return DRIFT
    outputs = [output for output in build.outputs if _is_wanted(output, names)]
    for output in outputs:
        _write(settings.out / output.path, output.data)
    if request.depfile is not None:
        if not outputs:
            raise click.UsageError(
                "Nothing is made of these specs; a depfile needs a file."
            )
        sources = {source for output in outputs for source in output.sources}
        inputs = inputs_of(build, settings, sources if names else None)
        write_depfile(request.depfile, settings.out / outputs[0].path, inputs)
    return SOUND


def list_files(settings: Settings, request: ActionRequest) -> int:
    """Print exactly the files that `run_action` makes; return the exit code.

    Nothing is written. Errors are printed; warnings are left to the action.
    """
    names = [stable_name(spec, settings) for spec in request.specs]
    build = _build_specs(settings, names, request.beside)
    if build.outputs is None:
        report_build(build, settings)
        return SPEC_ERRORS
    for output in build.outputs:
        if _is_wanted(output, names):
            print_text(f"{os.path.relpath(settings.out / output.path)}\n")
    return SOUND


def _build_specs(
    settings: Settings, names: list[str], beside: Sequence[Path] | None
) -> Build:
    from brimgen import api

    stages = api.real_stages(settings)
    if beside is not None and names:
        read = {*names, *(stable_name(path, settings) for path in beside)}
        reading = settings.reading(reading_only(read))
        stages = replace(stages, read_files=reading)
    return api.build(settings, stages)


def _only_action_diagnostics(build: Build, names: list[str]) -> Build:
    """Drop warnings about other specs, unless there are errors; their own actions report them."""
    from brimgen.diagnostics import Diagnostics

    if not names or build.diagnostics.has_errors:
        return build
    diagnostics = Diagnostics()
    diagnostics.extend(
        diagnostic for diagnostic in build.diagnostics if diagnostic.span.file in names
    )
    return replace(build, diagnostics=diagnostics)


def _is_wanted(output: Output, names: list[str]) -> bool:
    return not {*names}.isdisjoint(output.sources) if names else not output.sources


def _write(path: Path, data: bytes) -> None:
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def stable_name(path: Path, settings: Settings) -> str:
    """Return the stable name of a spec file. Raises `click.BadParameter` for other files."""
    if os.path.normpath(path.absolute()) in module_files(settings.sources):
        return relative_name(path, settings.specs.parent)
    below = relative_name(path, settings.specs)
    if below.startswith(".."):
        raise click.BadParameter(f"{path} does not lie in {settings.specs}.")
    return f"{settings.specs.name}/{below}"
