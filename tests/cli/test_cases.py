"""What the command line does, as transcripts: a project, commands, and what comes of each.

The files ``*.cases`` hold ``[case what a user would lose]``, files of the project
(``[file PATH]``, to the next mark), and lines ``$ command``. What a command prints stands
below it: stdout as it is, stderr behind ``! ``, and an exit code other than 0 behind ``= ``.
What stands before the first case is there in every case of the file. ``brimgen`` runs in
this process, anything else in a shell. ``BRIMGEN_REGEN=1 pytest tests/cli/test_cases.py``
writes anew what commands print.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from brimgen.cli import run as cli
from support.case_files import parts, rewrite
from support.cases import is_regenerating

FOLDER = Path(__file__).parent
PART = re.compile(r"^(?:\[(file) (.*)\]|(\$) (.*))\n", re.M)
# Told by no case: that a first build wrote all its files, how many there are (each new target
# changes it), how a command is called that is called wrongly, and sums of concise findings.
UNTOLD = re.compile(
    r"brimgen: \S+: [1-9]\d* files? written, 0 removed, 0 unchanged\n"
    r"|Usage: .*\nTry .*\n\n(?=Error)"
)
SUM = re.compile(
    r"^brimgen: (?:\d+ (?:error|warning|info)|.*: the generated files are not).*\n",
    re.M,
)
COUNT = re.compile(
    r"(?<=: )[1-9]\d*(?= files? (?:written|as the))|(?<=removed, )[1-9]\d*(?= unch)"
)
CALL = re.compile(r"((?:[A-Z_]+=\S* )*)brimgen(?: (?!2>)(.*?))?( 2>&1)?(?: \| (.*))?")


class Case(NamedTuple):
    """One case: its file and name, what stands before all cases of the file, and its text."""

    path: Path
    name: str
    before: str
    text: str


def _cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.cases")):
        before = path.read_text("utf-8").partition("[case ")[0]
        for each in parts(path, "case"):
            yield Case(path, each.title, before, each.text)


class Shell:
    """The commands of one case, in its folder."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self._root, self._capture = folder, capture

    def play(self, text: str) -> str:
        """Write the files and run the commands of a text; the text as it should be."""
        played, *parts = PART.split(text)
        for is_file, path, _, command, body in zip(*(iter(parts),) * 5, strict=True):
            if is_file:
                file = self._root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(body, encoding="utf-8", newline="")
                played += f"[file {path}]\n{body}"
            else:
                played += f"$ {command}\n{self._run(command)}"
        return played

    def _run(self, command: str) -> str:
        """What comes of one command."""
        if command.startswith("cd "):
            os.chdir(command[3:])
            return ""
        if call := CALL.fullmatch(command):
            code, out, err = self._brimgen(*call.groups())
        else:
            code, out, err = _shell(command)
        out += "" if not out or out.endswith("\n") else "\n"
        told = "".join(f"! {line}".rstrip() + "\n" for line in err.splitlines())
        text = f"{out}{told}" + (f"= {code}\n" if code else "")
        return COUNT.sub("N", text.replace(str(self._root), "…"))

    def _brimgen(
        self, setting: str, arguments: str | None, is_one: str | None, pipe: str | None
    ) -> tuple[int, str, str]:
        self._capture.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            for each in setting.split():
                name, value = each.split("=", 1)
                patch.setenv(name, value.replace("$PWD", str(Path.cwd())))
            code = cli.run(shlex.split(arguments or ""))
        out, err = self._capture.readouterr()
        err = UNTOLD.sub("", err)
        if "concise" in (arguments or ""):
            err = SUM.sub("", err)
        if is_one:
            out, err = out + err, ""
        if pipe:
            _, out, more = _shell(pipe, out)
            err += more
        return code, out, err


def _shell(command: str, given: str = "") -> tuple[int, str, str]:
    ran = subprocess.run(
        ["sh", "-c", command], input=given, capture_output=True, text=True, check=False
    )
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize(
    "case", [*_cases()], ids=lambda case: f"{case.path.stem}-{case.name}"
)
def test_commands_do_what_they_did(
    case: Case,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("DOCS", str(FOLDER.parents[1] / "docs"))
    monkeypatch.setenv("PYTHONPATH", "out/python")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    shell = Shell(tmp_path, capsys)
    shell.play(case.before)
    played = shell.play(case.text)
    if is_regenerating():
        rewrite(case.path, f"[case {case.name}]", case.text, played)
    else:
        assert case.text == played
