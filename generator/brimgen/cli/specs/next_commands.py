"""Say which commands come next, as they run in the shell of this system."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from brimgen.cli.console.report import write_text

_IS_POWERSHELL = os.name == "nt"


def write_next(
    package: str, folder: Path = Path(), call: str = "list", *roots: str
) -> None:
    """Print how to generate ``package`` from the project in ``folder``, and to try it.

    ``call`` are arguments of the package's command line, ``roots`` the folders of the modules that
    its handlers are in, unless that is the project's.
    """
    path = _quoted(os.pathsep.join(("out/python", *roots)))
    begin = f"$env:PYTHONPATH = {path};" if _IS_POWERSHELL else f"PYTHONPATH={path}"
    there = [] if folder == Path() else [f"cd {_quoted(folder.as_posix())}"]
    commands = (*there, "brimgen generate", f"{begin} python -m {package} {call}")
    write_text("".join(("Next:\n", *(f"    {each}\n" for each in commands))))


def _quoted(text: str) -> str:
    if _IS_POWERSHELL:
        return "'" + text.replace("'", "''") + "'"
    return shlex.quote(text)
