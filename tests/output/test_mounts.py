"""Mounts: a new tree takes nothing away that somebody has mounted in the output folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.output import mounts
from brimgen.output.mounts import has_mounts
from brimgen.output.stage import staging
from brimgen.output.write import write
from support.output import generate, plan_of, tree

LINE = "97 26 253:0 {} {} rw,relatime shared:1 - ext4 /dev/vda rw\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "a b\\c" / "out"
    root.mkdir(parents=True)
    return root


def mounted(places: list[str], folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Make the system's table of mounts say that there are those at ``places``."""
    table = folder / "mountinfo"
    table.write_text("".join(LINE.format("/", each) for each in ("/", *places)))
    patch.setattr(mounts, "_TABLE", str(table))


@pytest.mark.parametrize(
    ("within", "is_one"),
    [
        ("/a\\040b\\134c/out", True),
        ("/a\\040b\\134c/out/python/own", True),
        ("/a\\040b\\134c/out-two", False),
        ("/a\\040b\\134c", False),
        ("/other", False),
    ],
)
def test_mounts_are_told_by_where_they_are(
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    within: str,
    is_one: bool,
) -> None:
    mounted([f"{tmp_path}{within}"], tmp_path, monkeypatch)
    assert is_one == has_mounts(root)


def test_what_is_mounted_elsewhere_of_the_folder_is_none(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounted([], tmp_path, monkeypatch)
    with (tmp_path / "mountinfo").open("a") as table:
        table.write(LINE.format(f"{tmp_path}/a\\040b\\134c/out", "/srv"))
    assert not has_mounts(root)


def test_a_folder_that_is_reached_by_a_link_is_the_one_it_is(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounted([f"{tmp_path}/a\\040b\\134c/out"], tmp_path, monkeypatch)
    (tmp_path / "link").symlink_to(root.parent)
    assert has_mounts(tmp_path / "link" / "out")


def test_without_a_table_there_are_none(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mounts, "_TABLE", str(tmp_path / "none"))
    assert not has_mounts(root)


def test_a_folder_with_mounts_is_not_exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mount would go with the old tree, which is removed with all that is in it."""
    root = tmp_path / "work" / "out"
    generate(root, {"python/a.py": "1\n", "b.py": "1\n"})
    generate(root, {"python/a.py": "2\n", "b.py": "1\n"})
    (root / "python/own").mkdir()
    mounted([f"{root}/python/own"], tmp_path, monkeypatch)
    before = (root / "python/own").stat().st_ino
    plan, found = plan_of(root, {"python/a.py": "3\n", "b.py": "1\n"})
    with staging(root) as stage:
        write(plan, stage, found)
    assert {"python/a.py": "3\n", "b.py": "1\n"} == tree(root)
    assert before == (root / "python/own").stat().st_ino
