"""The pages on handlers, resources, prompts and bundles: each example is typed and run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from brimgen.emit.prompts.vocabulary import FILTERS, TESTS
from support.project import build

ROOT = Path(__file__).parents[2]
PAGES = ("handlers.md", "resources-and-prompts.md", "bundles.md")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the shop's package, as its specs make it now, can be imported from."""
    specs = ROOT / "specs"
    files = {
        each.relative_to(specs).as_posix(): each.read_text("utf-8")
        for each in specs.rglob("*")
        if each.is_file()
    }
    built = build(tmp_path_factory.mktemp("shop"), files, package="shop")
    assert not built.found.has_errors
    for path, text in built.files.items():
        target = built.folder / "out" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return built.folder / "out" / "python"


@pytest.mark.parametrize("page", PAGES)
def test_examples_are_typed_and_run(tmp_path: Path, shop: Path, page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert programs
    files = [f"program_{number}.py" for number, _ in enumerate(programs)]
    for file, program in zip(files, programs, strict=True):
        (tmp_path / file).write_text(program, encoding="utf-8")
        subprocess.run(
            [sys.executable, file],
            cwd=tmp_path,
            env={"PYTHONPATH": str(shop)},
            check=True,
        )
    checked = [sys.executable, "-m", "mypy", "--strict", "--config-file=", *files]
    subprocess.run(checked, cwd=tmp_path, env={"MYPYPATH": str(shop)}, check=True)


def test_the_page_lists_the_vocabulary() -> None:
    text = (ROOT / "docs" / "resources-and-prompts.md").read_text("utf-8")
    lines = {
        line.split(" `")[0]: line
        for line in text.splitlines()
        if line.startswith("- the ")
    }
    told = {key: set(re.findall(r"`(\w+)`", line)) for key, line in lines.items()}
    assert {
        "- the filters": set(FILTERS) - {"d"},
        "- the tests": set(TESTS) - {"==", "equalto"},
    } == told
