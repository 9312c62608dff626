"""The same specs are the same bytes, whatever surrounds the run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def generate(folder: Path, **variables: str) -> dict[str, bytes]:
    """Generate ``folder``/specs, with the settings and the lock file of this project, in a process
    of its own; return the whole output.
    """
    for name in ("pyproject.toml", "brimgen.lock.json"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "db", folder / "db")
    ran = subprocess.run(
        [sys.executable, "-m", "brimgen", "generate"],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT}/generator:{ROOT}/runtime",
            **variables,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == ran.returncode, ran.stderr
    return {
        each.relative_to(folder / "out").as_posix(): each.read_bytes()
        for each in (folder / "out").rglob("*")
        if each.is_file()
    }


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("expected")
    shutil.copytree(ROOT / "specs", folder / "specs")
    return generate(folder, PYTHONHASHSEED="0", TZ="UTC", LC_ALL="C.UTF-8")


@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8"},
        pytest.param(
            {"PYTHONHASHSEED": "2", "LC_ALL": "C", "PYTHONUTF8": "0"},
            marks=pytest.mark.whole,
        ),
        pytest.param(
            {"PYTHONHASHSEED": "3", "PYTHONOPTIMIZE": "2", "COLUMNS": "40"},
            marks=pytest.mark.whole,
        ),
    ],
)
def test_the_surroundings_do_not_matter(
    expected: dict[str, bytes], tmp_path: Path, variables: dict[str, str]
) -> None:
    folder = tmp_path / "a folder with spaces" / "é"
    shutil.copytree(ROOT / "specs", folder / "specs")
    assert expected == generate(folder, **variables)


def with_crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def with_mark(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


@pytest.mark.parametrize("change", [with_crlf, with_mark])
def test_line_ends_and_byte_order_marks_do_not_matter(
    expected: dict[str, bytes], tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    for source in sorted((ROOT / "specs").rglob("*.*"), reverse=True):
        copy = tmp_path / "specs" / source.relative_to(ROOT / "specs")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(change(source.read_bytes()))
    assert expected == generate(tmp_path)


def test_the_umask_does_not_matter(expected: dict[str, bytes], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    old = os.umask(0o077)
    try:
        assert expected == generate(tmp_path)
    finally:
        os.umask(old)


def test_nothing_of_this_machine_is_in_the_output(
    expected: dict[str, bytes],
) -> None:
    for path, data in expected.items():
        assert str(ROOT).encode() not in data, path
        assert os.fsencode(Path.home()) + b"/" not in data, path


def test_the_checked_in_output_is_this_output(expected: dict[str, bytes]) -> None:
    checked_in = {
        each.relative_to(ROOT / "out").as_posix(): each.read_bytes()
        for each in (ROOT / "out").rglob("*")
        if each.is_file() and "__pycache__" not in each.parts
    }
    assert expected.keys() == checked_in.keys()
    assert [] == [path for path in expected if expected[path] != checked_in[path]]
