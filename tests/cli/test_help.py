"""What a newcomer reads first: the list of commands, and what a message means, in any width."""

from __future__ import annotations

import pytest

from brimgen.diagnostics.catalogue import KINDS
from cli.conftest import Run


def test_no_line_is_cut_in_a_narrow_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    ran = run("--help")
    assert 0 == ran.code
    assert "..." not in ran.out.replace("[ARGS]...", "")
    assert [] == [line for line in ran.out.splitlines() if len(line) > 60]


@pytest.mark.parametrize("width", [40, 60, 200])
def test_an_explanation_fits_the_terminal_and_leaves_examples_alone(
    run: Run, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for kind in KINDS[::10]:
        lines = run("explain", kind.code).out.splitlines()
        prose = [line for line in lines if not line.startswith(" ")]
        long = [line for line in prose if len(line) > width and " " in line]
        assert [] == long
        shown = [line[4:] for line in lines if line.startswith("    ")]
        assert [
            line.rstrip()
            for example in (kind.wrong, kind.right)
            for line in example.splitlines()
            if line.strip()
        ] == [line for line in shown if line]
