"""The walk of one argument: what the build of ``limit: {type: int, maximum: 100}`` passes.

Counts the distinct functions and files of brimgen that a second build calls, and the calls that
lead from one room (folder) of brimgen into another; up to the catalog, and in the whole. Run it as
``python benchmarks/walk.py``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from types import CodeType, FrameType

from figures import show

import brimgen
from brimgen import api
from brimgen.diagnostics import Diagnostics
from brimgen.resolve.link import resolve
from brimgen.settings.load import Flags, load_settings

HOUSE = f"{Path(brimgen.__file__).parent}/"
SPEC = """\
type: python_function
name: probe
description: Probe it.
arguments: { inline: { limit: { type: int, maximum: 100 } } }
"""


class Walk:
    """What is called while it is the profile of a thread; ``front`` ends with the catalog."""

    def __init__(self) -> None:
        self.calls: list[tuple[CodeType, bool]] = []
        self.front = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        code, caller = frame.f_code, frame.f_back
        if event == "return" and code is resolve.__code__:
            self.front = len(self.calls)
        if event != "call" or not code.co_filename.startswith(HOUSE):
            return
        while caller and not caller.f_code.co_filename.startswith(HOUSE):
            caller = caller.f_back
        is_change = caller is not None and _room(caller.f_code) != _room(code)
        self.calls.append((code, is_change))

    def row(self, name: str, end: int | None = None) -> list[str]:
        """A row of the table: the functions, files and room changes of the first calls."""
        calls = self.calls[:end]
        codes = {code for code, _ in calls if code.co_name[0] != "<"}
        files = {code.co_filename for code in codes}
        changes = sum(is_change for _, is_change in calls)
        return [name, *map(str, (len(codes), len(files), changes))]


def _room(code: CodeType) -> str:
    return code.co_filename.removeprefix(HOUSE).partition("/")[0]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        specs = Path(name, "specs")
        specs.mkdir()
        (specs / "probe.yaml").write_text(SPEC)
        settings = load_settings(
            Flags(specs=specs, out=Path(name, "out")), Diagnostics()
        )
        api.build(settings)  # which imports, and fills what is kept for a run
        walk = Walk()
        sys.setprofile(walk)
        api.build(settings)
        sys.setprofile(None)
    show(
        "walk",
        ["one argument", "functions", "files", "room changes"],
        [walk.row("up to the catalog", walk.front), walk.row("whole build")],
    )


if __name__ == "__main__":
    main()
