"""The pages on handlers, resources, prompts and bundles: each example is typed and run."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from brimgen.emit import EMITTERS
from brimgen.emit.prompts.vocabulary import FILTERS, TESTS

ROOT = Path(__file__).parents[2]
PAGES = ("handlers.md", "resources-and-prompts.md", "bundles.md")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the shop's package, as its specs make it now, can be imported from."""
    folder = tmp_path_factory.mktemp("shop")
    for name in ("pyproject.toml", "brimgen.lock.json"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "specs", folder / "specs")
    targets = [each.name for each in EMITTERS if each.default or each.name == "store"]
    chosen = [text for name in targets for text in ("--target", name)]
    command = [sys.executable, "-m", "brimgen", "generate", *chosen]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "out" / "python"


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
