"""What a run does not need it does not import: the command answers quickly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    "asyncio",
    "black",
    "datamodel_code_generator",
    "filelock",
    "hypothesis",
    "jinja2",
    "jsonschema",
    "pydantic",
    "referencing",
    "rich",
    "sqlglot",
    "yaml",
}
SCRIPT = """\
import sys
from brimgen.cli.run import run
code = run(sys.argv[1:])
print("\\n" + " ".join(sorted({each.partition(".")[0] for each in sys.modules})))
sys.exit(code)
"""


def heavy_imports(*arguments: str) -> set[str]:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}/generator:{ROOT}/runtime"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 3), ran.stderr
    return HEAVY & set(ran.stdout.rpartition("\n\n")[2].split())


@pytest.mark.parametrize("arguments", [("--version",), ("--help",)])
def test_an_answer_without_a_build_imports_nothing(arguments: tuple[str, ...]) -> None:
    assert set() == heavy_imports(*arguments)


def test_a_listing_of_targets_imports_the_renderer_at_most() -> None:
    assert {"jinja2"} >= heavy_imports("explain", "--targets")


def test_a_build_imports_what_it_uses() -> None:
    unused = {"black", "datamodel_code_generator", "filelock", "hypothesis", "pydantic"}
    assert set() == unused & heavy_imports("check")
