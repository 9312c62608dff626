"""Find the generated files of tools, and the stable names of specs."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.frozen import replace
from brimgen.settings.load import Settings
from brimgen.source.files import module_files, stable_module_name

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
    from brimgen.emit.custom.mistakes import TemplateMistakes
    from brimgen.emitting import emitted

    without = replace(
        build.catalog,
        tools=tuple(tool for tool in build.catalog.tools if tool.name not in names),
    )
    for emitter in api.real_stages(settings).emitters:
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
