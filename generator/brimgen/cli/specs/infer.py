"""Write the types that the schema of a database gives into the specs: `infer`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.console.report import SOUND, SPEC_ERRORS, report_build, write_text
from brimgen.cli.console.summary import count
from brimgen.cli.options import project_options
from brimgen.cli.specs.replace_file import replace_file
from brimgen.diagnostics import did_you_mean
from brimgen.settings.formats import FOR_PEOPLE

if TYPE_CHECKING:
    from brimgen.settings.load import Settings


@click.command()
@click.argument("tool", required=False)
@project_options
def infer(settings: Settings, tool: str | None) -> int:
    """Write types that the schema of the database tells into the specs: of TOOL, or of all tools.

    \b
    Where `returns` is `rows`, `row` or `count`, or is missing although the
    statement returns rows, its fields are written out; an argument without a
    type gets that of its column. Everything else in the files stays.
    """
    from brimgen.inferring import infer_types

    inferred = infer_types(settings, tool)
    if tool is not None and tool not in inferred.tools:
        near = did_you_mean(tool, inferred.tools)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise click.UsageError(f"There is no tool {tool}.{hint}")
    for path, text in inferred.texts.items():
        _write(path, text)
    report_build(inferred.build, settings)
    if settings.format in FOR_PEOPLE:
        for name, inferences in inferred.what.items():
            write_text(f"{name}: {', '.join(inferences)}\n")
        written = count(len(inferred.what), "tool")
        write_text(f"brimgen: types of {written} written\n")
    return SPEC_ERRORS if inferred.build.diagnostics.has_errors else SOUND


def _write(path: Path, text: str) -> None:
    """Write a text whose lines end with a line feed; the ends and the mark of the file stay."""
    before = path.read_bytes()
    mark = b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b""
    ends = "\r\n" if b"\r\n" in before else "\n"
    replace_file(path, mark + text.replace("\n", ends).encode())
