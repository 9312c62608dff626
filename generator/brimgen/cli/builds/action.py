"""Run one action of a build system: the wanted files of some specs, with a depfile."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
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
from brimgen.source.files import module_files, reading_only, stable_module_name

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


if TYPE_CHECKING:
    from brimgen.api import Build
    from brimgen.emit.artifact import Artifact
    from brimgen.output.plan import Output


def paths_of_tools(
    build: Build, settings: Settings, names: Iterable[str]
) -> frozenset[str]:
    """Return the paths of the generated files that exist only because of these tools."""
    excluded = frozenset(names)
    if not excluded:
        return frozenset()
    for name in sorted(excluded):
        check_tool_name(name, build, "'TOOL'")
    without = {
        artifact.path for artifact in _emitted_without(excluded, build, settings)
    }
    outputs: Iterable[Output] = build.outputs or ()
    return frozenset(
        output.path
        for output in outputs
        if output.sources and output.path not in without
    )


def _emitted_without(
    names: frozenset[str], build: Build, settings: Settings
) -> Iterable[Artifact]:
    from brimgen import api
    from brimgen.emitting import emitted

    without = replace(
        build.catalog,
        tools=tuple(tool for tool in build.catalog.tools if tool.name not in names),
    )
    for emitter in api.real_stages(settings).emitters:
        for _, artifact in emitted(without, (emitter,)):
            yield artifact


def check_tool_name(name: str, build: Build, parameter: str) -> None:
    """Raise `click.BadParameter` for ``parameter`` if there is no tool of this name."""
    known = [tool.name for tool in build.catalog.tools]
    if name in known:
        return
    from brimgen.diagnostics import did_you_mean

    near = did_you_mean(name, known)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    problem = f"there is no tool {name!r}.{hint}"
    raise click.BadParameter(problem, param_hint=parameter)


def stable_name(path: Path, settings: Settings) -> str:
    """Return the stable name of a spec file. Raises `click.BadParameter` for other files."""
    if os.path.normpath(path.absolute()) in module_files(settings.sources):
        return stable_module_name(path.absolute(), settings.specs.parent)
    below = os.path.relpath(path.absolute(), settings.specs)
    if below.startswith(".."):
        raise click.BadParameter(f"{path} does not lie in {settings.specs}.")
    return f"{settings.specs.name}/{Path(below).as_posix()}"
