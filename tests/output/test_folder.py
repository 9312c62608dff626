"""Homes, file systems and folders of the project are never an output folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from brimgen.output.folder import (
    foreign_names,
    foreign_names_text,
    overlap,
    why_not_output,
)


def test_the_root_of_a_file_system_is_no_output_folder() -> None:
    assert "is the root of a file system" == why_not_output(Path("/"))


def test_a_folder_that_holds_a_home_is_no_output_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "homes/ann").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "homes/ann"))
    assert "holds your home folder" == why_not_output(tmp_path / "homes")
    assert why_not_output(tmp_path / "homes/ann/out") is None


def test_a_home_folder_is_known_by_every_path_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder has the same device and number by a bind mount; here by a link, not resolved."""
    (tmp_path / "home").mkdir()
    (tmp_path / "mounted").symlink_to("home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert "is your home folder" == why_not_output(tmp_path / "mounted")
    assert why_not_output(tmp_path / "mounted/out") is None


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        ("work", ("holds", "the specs")),
        ("work/specs", ("is", "the specs")),
        ("work/specs/out", ("lies inside", "the specs")),
        ("conf", ("holds", "the configuration")),
        ("work/out", None),
        ("work/specs-out", None),
    ],
)
@pytest.mark.parametrize("way", ["", "link/"])
def test_an_output_folder_overlaps_by_whichever_path_it_is_named(
    tmp_path: Path, out: str, expected: tuple[str, str] | None, way: str
) -> None:
    for each in ("work/specs", "conf/inner"):
        (tmp_path / each).mkdir(parents=True)
    (tmp_path / "link").symlink_to(".")
    held = {"the configuration": tmp_path / "conf/inner"}
    assert expected == overlap(tmp_path / way / out, tmp_path / "work/specs", held)


def test_a_file_of_somebody_is_found_in_any_depth(tmp_path: Path) -> None:
    assert () == foreign_names(tmp_path)
    (tmp_path / "python/shop").mkdir(parents=True)
    for each in (".DS_Store", ".gitkeep", "python/Thumbs.db", ".gitignore"):
        (tmp_path / each).write_text("")
    assert () == foreign_names(tmp_path)
    (tmp_path / "python/shop/mine.py").write_text("")
    assert ("python",) == foreign_names(tmp_path)
    for each in ("a", "b", "c\n"):
        (tmp_path / each).symlink_to("nowhere")
    names = foreign_names(tmp_path)
    assert r"`a`, `b`, `'c\n'` and others" == foreign_names_text(names)


def test_a_folder_that_cannot_be_read_counts_as_one_with_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out/secret").mkdir(parents=True)
    (tmp_path / "out/secret").chmod(0)
    tmp_path.chmod(0o755)
    reading, writing = os.pipe()
    monkeypatch.chdir(tmp_path)
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setuid(65534)
        os.write(writing, repr(foreign_names(Path("out"))).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert b"('secret',)" == os.read(reading, 100)
