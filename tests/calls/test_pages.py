"""The pages on handlers, resources, prompts and bundles: each example is run."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from brimgen.emit import EMITTERS
from brimgen.emit.prompts.supported_jinja import FILTERS, TESTS
from support.pages import DOCS, assert_programs, blocks
from support.project import USUAL

ROOT = Path(__file__).parents[2]
PAGES = ("handlers.md", "resources-and-prompts.md", "bundles.md")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the shop's package, as its specs make it now, can be imported from."""
    folder = tmp_path_factory.mktemp("shop")
    for name in ("pyproject.toml", "brimgen.lock.json"):
        shutil.copy(ROOT / name, folder)
    for name in ("specs", "db"):
        shutil.copytree(ROOT / name, folder / name)
    targets = [
        each.name for each in EMITTERS if each.default or each.name in (*USUAL, "store")
    ]
    chosen = [text for name in targets for text in ("--target", name)]
    command = [sys.executable, "-m", "brimgen", "generate", *chosen]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "out" / "python"


@pytest.mark.parametrize("page", PAGES)
def test_every_program_of_the_page_runs(tmp_path: Path, shop: Path, page: str) -> None:
    programs = blocks(DOCS / page, "python")
    assert programs
    assert_programs(tmp_path, programs, shop)


def test_the_page_lists_the_vocabulary() -> None:
    text = (ROOT / "docs" / "diagnostics.md").read_text("utf-8")
    told = re.search(r"the filters ([\w,\s]+); the tests ([\w,\s]+)[.;]", text)
    assert told is not None
    filters, tests = (
        set(re.findall(r"\w+", each)) - {"and", "or"} for each in told.groups()
    )
    assert filters == set(FILTERS) - {"d"}
    assert tests == set(TESTS) - {"==", "equalto"}
