"""The runtime of a package: installed beside it, of the version it was made for, or copied in."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

import brimgen_runtime
from brimgen.emit.vendored import NEEDS
from support.checkers import BLACK, MYPY, PYRIGHT, assert_clean
from support.project import Built, build

RUNTIME = Path(brimgen_runtime.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
INT_TOOL = """\
type: python_function
name: double
description: Double a number.
arguments: { inline: { n: { type: int, maximum: 100 } } }
returns: int
"""
USE = """\
import json, subprocess, sys
from shop import TOOLS, InputError
from shop.dispatch import OpenAIChat
from shop.http import HttpxTransport, StdlibTransport
from shop.prompts import PROMPTS
from shop.service import Service

try:
    TOOLS["get_orders"].input_type.from_call({"customer_id": "7", "x": 1})
except InputError as refused:
    print(len(refused.violations))
service = Service(handlers={"calculator": lambda call: call.a + call.b}, partial=True)
print(service.call("calculator", {"operation": "add", "a": 1, "b": 2}))
print("brimgen" in sys.modules, any(n.startswith("brimgen_runtime") for n in sys.modules))
"""


def run(python: Path, folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [python, "-c", code],
        cwd=folder,
        env=kept,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def vendored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the shop's package, which has a copy of the runtime."""
    folder = tmp_path_factory.mktemp("vendored")
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    table = settings.partition("[tool.brimgen]\n")[2].partition("[tool.pytest")[0]
    text = f'[tool.brimgen]\nruntime = "vendored"\n{table}'
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    for name in ("specs", "db", "templates"):
        (folder / name).symlink_to(ROOT / name)
    ran = subprocess.run(
        [sys.executable, "-m", "brimgen", "generate", "--specs", ROOT / "specs"],
        cwd=folder,
        env={**os.environ, "BRIMGEN_CACHE": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == ran.returncode, ran.stderr
    return folder / "out/python"


@pytest.mark.whole
def test_a_package_with_a_copy_of_the_runtime_runs_where_nothing_is_installed(
    vendored: Path, tmp_path: Path
) -> None:
    venv.create(tmp_path, symlinks=True)
    ran = run(tmp_path / "bin/python", vendored, USE)
    assert "" == ran.stderr
    assert ["2", "3.0", "False False"] == ran.stdout.splitlines()


@pytest.mark.whole
def test_a_package_with_a_copy_of_the_runtime_is_clean(vendored: Path) -> None:
    assert_clean(vendored, "shop", by=[MYPY, PYRIGHT, BLACK])


def test_the_copy_is_the_runtime_byte_for_byte(tmp_path: Path) -> None:
    built = build(
        tmp_path, {"a.yaml": INT_TOOL}, targets=("python",), runtime="vendored"
    )
    root = f"python/{built.package}/_runtime/"
    copies = {
        path.removeprefix(root): text
        for path, text in built.files.items()
        if path.startswith(root)
    }
    assert {"calls", "records", "schema"} == {
        path.partition("/")[0] for path in copies if "/" in path
    }
    for path, text in copies.items():
        assert (RUNTIME / path).read_text("utf-8") == text
    assert not any(
        "brimgen_runtime" in text
        and "import" in text.partition("brimgen_runtime")[0][-9:]
        for path, text in built.files.items()
        if not path.startswith(root)
    )


def test_text_of_a_spec_that_looks_like_an_import_stays(tmp_path: Path) -> None:
    words = "from brimgen_runtime.calls import x"
    spec = INT_TOOL.replace("Double a number.", words)
    built = build(tmp_path, {"a.yaml": spec}, targets=("python",), runtime="vendored")
    assert words == built.load().TOOLS["double"].description


def test_subjects_import_what_the_table_says() -> None:
    found = {subject: set(_imported(RUNTIME / subject)) for subject in NEEDS}
    folders = {each.parent.name for each in RUNTIME.glob("*/*.py")}
    assert folders == found.keys()
    for subject, imported in found.items():
        reached = set(NEEDS[subject])
        for _ in NEEDS:
            reached |= {each for known in reached for each in NEEDS[known]}
        assert imported <= reached, subject


def _imported(folder: Path) -> Iterator[str]:
    for module in folder.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 2:
                assert node.module is not None, module
                yield node.module.partition(".")[0]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("installed")
    return build(folder, {"a.yaml": INT_TOOL}, targets=("python",))


def test_a_package_of_another_version_of_the_runtime_says_so(built: Built) -> None:
    folder = built.folder / "out/python"
    built.load()
    code = (
        f"import sys; sys.path.append({str(RUNTIME.parent)!r})\n"
        "import brimgen_runtime; brimgen_runtime.__version__ = '7.3.1'\n"
        f"import {built.package}.tools.double"
    )
    ran = run(Path(sys.executable), folder, code)
    assert (
        f"ImportError: the package {built.package} was made for brimgen-runtime 0.1, but 7.3.1"
        " is installed: run `brimgen generate` again, or install 'brimgen-runtime==0.1.*'"
    ) == ran.stderr.splitlines()[-1]


def test_a_package_without_its_runtime_says_what_to_install(built: Built) -> None:
    ran = subprocess.run(
        [sys.executable, "-S", "-m", built.package, "list"],  # -S: nothing is installed
        cwd=built.folder / "out/python",
        env={name: text for name, text in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (
        f"ImportError: the package {built.package} needs brimgen-runtime, which this Python does"
        " not have: pip install 'brimgen-runtime==0.1.*'"
    ) == ran.stderr.splitlines()[-1]
    assert "During handling" not in ran.stderr


def test_a_wrong_runtime_is_refused_with_the_words_there_are(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/a.yaml").write_text(INT_TOOL)
    (tmp_path / "brimgen.yaml").write_text("runtime: vendor\n")
    ran = subprocess.run(
        [sys.executable, "-m", "brimgen", "check"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 1 == ran.returncode or 2 == ran.returncode
    assert "`installed`" in ran.stderr and "vendored" in ran.stderr
