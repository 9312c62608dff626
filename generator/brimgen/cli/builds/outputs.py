"""List the generated files that depend on given specs or tools."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.console.report import SOUND, SPEC_ERRORS, report_build, write_summary
from brimgen.cli.console.stdout import print_text
from brimgen.cli.console.summary import count
from brimgen.frozen import replace
from brimgen.settings.load import Settings
from brimgen.source.files import stable_module_name
from brimgen.source.module_files import module_files

if TYPE_CHECKING:
    from brimgen.emit.artifact import Artifact
    from brimgen.output.plan import Output
    from brimgen.pipeline import Build


def print_outputs(settings: Settings, asked: Sequence[str], *, all_: bool) -> int:
    """Print the generated files that depend on ``asked``; return the exit code.

    ``asked`` are spec files, or names of tools. For a tool, only its own files are printed, even if
    its spec file has others. With ``all_``, files that depend on all specs follow. Errors are
    printed, warnings are not. Raises `click.BadParameter` for an unknown name.
    """
    from brimgen import pipeline
    from brimgen.output.paths import MANIFEST_NAME

    files = {stable_name(Path(path), settings) for path in asked if _is_file(path)}
    names = [name for name in asked if not _is_file(name)]
    build = pipeline.build(settings)
    if build.outputs is None:
        report_build(build, settings)
        return SPEC_ERRORS
    of_tools = paths_of_tools(build, settings, names)
    own = [
        output.path
        for output in build.outputs
        if output.path in of_tools or files.intersection(output.sources)
    ]
    shared = [output.path for output in build.outputs if not output.sources]
    shared.append(MANIFEST_NAME)
    for path in (*own, *shared) if all_ else own:
        print_text(f"{os.path.relpath(settings.out / path)}\n")
    if not all_:
        verb, pronoun = ("rests", "it") if len(shared) == 1 else ("rest", "them")
        more = f"{len(shared)} more {verb} on all specs"
        write_summary(
            f"{count(len(own), 'file')}; {more} (--all prints {pronoun}, too)", settings
        )
    return SOUND


def _is_file(asked: str) -> bool:
    return Path(asked).is_file()


def paths_of_tools(
    build: Build, settings: Settings, names: Iterable[str]
) -> frozenset[str]:
    """Return the paths of the generated files that exist only because of these tools."""
    excluded = frozenset(names)
    if not excluded:
        return frozenset()
    for name in sorted(excluded):
        check_tool_name(name, build, "'SPEC|TOOL'")
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
    from brimgen import pipeline
    from brimgen.emit.custom.mistakes import TemplateMistakes
    from brimgen.emitting import emitted

    without = replace(
        build.catalog,
        tools=tuple(tool for tool in build.catalog.tools if tool.name not in names),
    )
    for emitter in pipeline.real_stages(settings).emitters:
        with suppress(TemplateMistakes):  # a template may need what is left out
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
    noun = "spec file and no tool" if "SPEC" in parameter else "tool"
    problem = f"there is no {noun} {name!r}.{hint}"
    raise click.BadParameter(problem, param_hint=parameter)


def stable_name(path: Path, settings: Settings) -> str:
    """Return the stable name of a spec file. Raises `click.BadParameter` for other files."""
    if os.path.normpath(path.absolute()) in module_files(settings.sources):
        return stable_module_name(path.absolute(), settings.specs.parent)
    below = os.path.relpath(path.absolute(), settings.specs)
    if below.startswith(".."):
        raise click.BadParameter(f"{path} does not lie in {settings.specs}.")
    return f"{settings.specs.name}/{Path(below).as_posix()}"
