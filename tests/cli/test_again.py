"""The command line of a run that rests on an earlier one: read as the whole command reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from brimgen.cli import main as cli
from brimgen.cli import options
from brimgen.cli.again import flags_of
from brimgen.settings.load import Flags


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["--specs", "a", "--out=b"],
        ["--specs=", "--out", "b=c"],
        ["--package", "shop", "--format=concise"],
        ["--format", "full", "--strict-loss", "--config", "brimgen.yaml"],
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
    assert seen == [flags_of(tuple(given))]


@pytest.mark.parametrize(
    "given",
    [
        ["--target", "sql"],
        ["--depfile", "x"],
        ["--spec", "a"],
        ["--out"],
        ["x"],
        ["--"],
    ],
)
def test_other_options_are_left_to_the_command(given: list[str]) -> None:
    assert flags_of(tuple(given)) is None
