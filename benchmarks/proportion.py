"""How much a build writes: files and lines for one tool, the shop, and the tools of the corpora.

    python benchmarks/proportion.py

The real tools are those of public OpenAPI documents and MCP servers (`BRIMGEN_CORPORA`).
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from figures import show
from real_specs import CORPORA, has_corpora, write_real_specs

from brimgen import api
from brimgen.diagnostics import Diagnostics
from brimgen.settings.load import Flags, load_settings

ROOT = Path(__file__).parents[1]
INT_TOOL = """\
type: python_function
name: double
description: Double a number.
arguments:
  inline:
    n: { type: int, description: The number. }
returns: int
"""


class Size(NamedTuple):
    """What a build writes."""

    files: int
    lines: int
    tools: int


def size_of(flags: Flags) -> Size:
    """Build, and count all files but the manifest, which has a line for each."""
    made = api.build(load_settings(flags, Diagnostics()))
    outputs = made.outputs
    assert outputs is not None and made.catalog is not None
    lines = [each.data.count(b"\n") for each in outputs]
    return Size(len(lines), sum(lines), len(made.catalog.tools))


def one_int_tool(folder: Path) -> Size:
    """One tool with one int argument, with the targets that are on by default."""
    specs = folder / "specs"
    specs.mkdir(parents=True)
    (specs / "double.yaml").write_text(INT_TOOL)
    return size_of(Flags(config=configuration(folder)))


def configuration(folder: Path) -> Path:
    """Write a configuration that leaves every target as it is by default."""
    path = folder / "brimgen.yaml"
    path.write_text("package: tools\n")
    return path


def the_shop(folder: Path) -> Size:
    """The example of this project, with its own settings."""
    folder.mkdir()
    for name in ("pyproject.toml", "brimgen.lock.json"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "specs", folder / "specs")
    return size_of(Flags(config=folder / "pyproject.toml"))


def real_tools(folder: Path, number: int) -> Size:
    """So many tools of the corpora, half of each as far as there are that many."""
    specs = folder / "specs"
    specs.mkdir(parents=True)
    found: dict[str, list[Path]] = {}
    for corpus in CORPORA:
        write_real_specs(folder / corpus, corpus)
        found[corpus] = sorted((folder / corpus).iterdir())
    turns = [each for pair in _in_turns(*found.values()) for each in pair][:number]
    for at, path in enumerate(turns):
        shutil.copy(path, specs / f"{at}.yaml")
    return size_of(Flags(config=configuration(folder)))


def _in_turns(first: list[Path], second: list[Path]) -> Iterator[list[Path]]:
    for at in range(max(len(first), len(second))):
        yield first[at : at + 1] + second[at : at + 1]


def main() -> None:
    """Show the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = {
            "one tool with one int": one_int_tool(folder / "one"),
            "the shop": the_shop(folder / "shop"),
        }
        if has_corpora():
            rows |= {
                f"{number:,} real tools": real_tools(folder / str(number), number)
                for number in (100, 1000)
            }
    show(
        "proportion",
        ["what a build writes", "files", "lines", "lines a tool"],
        [
            [label, f"{it.files:,}", f"{it.lines:,}", f"{it.lines / it.tools:,.0f}"]
            for label, it in rows.items()
        ],
    )


if __name__ == "__main__":
    main()
