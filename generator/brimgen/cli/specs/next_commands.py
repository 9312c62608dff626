"""Say which commands come next, as they run in the shell of this system."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from brimgen.cli.console.report import write_text


def write_next(package: str, folder: Path = Path(), call: str = "list") -> None:
    """Print how to generate ``package`` from the project in ``folder``, and to try it.

    ``call`` are arguments of the package's command line.
    """
    place = "out/python"
    path = (
        f'$env:PYTHONPATH = "{place}"; ' if os.name == "nt" else f"PYTHONPATH={place} "
    )
    there = [] if folder == Path() else [f"cd {shlex.quote(folder.as_posix())}"]
    commands = (*there, "brimgen generate", f"{path}python -m {package} {call}")
    write_text("".join(("Next:\n", *(f"    {each}\n" for each in commands))))
