"""The command line of a run that rests on an earlier one: read as the whole command reads it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from brimgen.cli import main as cli
from brimgen.cli import options
from brimgen.cli.plain import Plain, options_of, plain
from brimgen.settings.load import Flags


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["--specs", "a", "--out=b"],
        ["--specs=", "--out", "b=c"],
        ["--package", "shop", "--format=concise"],
        ["--format", "full", "--strict-loss", "--config", "brimgen.yaml"],
        ["--color", "always", "--color=never"],
        ["--specs", "a", "--specs", "b"],
        ["--out", "--strict-loss"],
    ],
)
def test_plain_options_are_read_alike(
    given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "brimgen.yaml").write_text("")
    seen: list[Flags] = []

    def see(flags: Flags) -> Any:
        seen.append(flags)
        raise KeyboardInterrupt

    monkeypatch.setattr(options, "_settings", see)
    assert 130 == cli.run(["generate", *given])
    assert [Plain(each, None) for each in seen] == [options_of(given)]


@pytest.mark.parametrize(
    "given",
    [
        ["--target", "sql"],
        ["--depfile", "x"],
        ["--spec", "a"],
        ["--out"],
        ["x"],
        ["--"],
        ["--jobs"],
        ["--jobs", "0"],
        ["--jobs", "-1"],
        ["--jobs", "two"],
        ["--jobs=²"],
        ["--verify"],
        ["--force"],
    ],
)
def test_other_options_are_left_to_the_command(given: list[str]) -> None:
    assert options_of(given) is None


def test_the_number_of_processes_is_read() -> None:
    assert Plain(Flags(), 3) == options_of(["--jobs", "2", "--jobs=3"])
    assert Plain(Flags(out=Path("--jobs")), None) == options_of(["--out", "--jobs"])


@pytest.mark.parametrize(
    "given",
    [
        ["--format", "fancy"],
        ["--color", "red"],
        ["--package", "class"],
        ["--config", "none.yaml"],
        ["--specs", "file"],
        ["--out", "file"],
        ["--config", "folder"],
    ],
)
def test_what_the_command_line_refuses_is_left_to_it(
    given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    assert plain(given, None) is None
    assert 2 == cli.run(["generate", *given])
    assert not (tmp_path / "out").exists()


def test_a_plain_build_has_no_command_line(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "a.yaml").write_text(
        "type: python_function\nname: find_orders\n"
    )
    code = (
        "import sys\nfrom brimgen.__main__ import main\n"
        "try:\n    main()\nfinally:\n    print('click' in sys.modules)"
    )
    for given, wanted in (["--jobs", "1"], "False"), (["--force"], "True"):
        ran = subprocess.run(
            [sys.executable, "-c", code, "generate", *given],
            cwd=tmp_path,
            env={**os.environ, "BRIMGEN_CACHE": ""},
            capture_output=True,
            text=True,
            check=True,
        )
        assert wanted == ran.stdout.strip()
        assert "brimgen: out: " in ran.stderr
