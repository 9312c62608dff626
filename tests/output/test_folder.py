"""Folders of the system, of users and of the project are never an output folder (issue 17, 17a)."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from brimgen.output import mounts
from brimgen.output.folder import foreign_names, foreign_names_text, overlap
from brimgen.output.system_folders import (
    posix_places,
    why_not_here,
    why_not_output,
    windows_places,
)

POSIX = posix_places({"TMPDIR": "/scratch"}, ("/home/ann", "/data/homes/bob"))
WINDOWS = windows_places(
    {
        "SystemRoot": "C:\\Windows",
        "ProgramFiles": "C:\\Program Files",
        "USERPROFILE": "C:\\Users\\ann",
        "TEMP": "C:\\Users\\ann\\AppData\\Local\\Temp",
    }
)
LINE = "97 26 253:0 {} {} rw,relatime shared:1 - ext4 /dev/vda rw\n"


@pytest.mark.parametrize(
    ("out", "problem"),
    [
        ("/", "is the root of a file system"),
        ("/home/ann", "is your home folder"),
        ("/data/homes", "holds your home folder"),
        ("/home/carl", "is the home folder of a user"),
        ("/Users/carl", "is the home folder of a user"),
        ("/home", "holds your home folder"),
        ("/root", "is a folder of the system"),
        ("/tmp", "is a folder of the system"),
        ("/scratch", "is a folder of the system"),
        ("/var", "is a folder of the system"),
        ("/var/lib", "is a folder of the system"),
        ("/opt", "is a folder of the system"),
        ("/etc", "is a folder of the system"),
        ("/etc/cron.d", "lies in /etc, a folder of the system"),
        ("/usr/lib/x", "lies in /usr, a folder of the system"),
        ("/usr/src", "is a folder of the system"),
        ("/dev/shm", "is a folder of the system"),
        ("/proc/1", "lies in /proc, a folder of the system"),
        ("/System/x", "lies in /System, a folder of the system"),
    ],
)
def test_a_system_folder_is_not_replaced(out: str, problem: str) -> None:
    assert problem == why_not_output(PurePosixPath(out), POSIX)


@pytest.mark.parametrize(
    "out",
    [
        *("/out", "/app/out", "/home/ann/code/out", "/tmp/x", "/scratch/x", "/srv/out"),
        *("/usr/src/app/out", "/dev/shm/out", "/var/lib/jenkins/workspace/a/out"),
        *("/root/code/out", "/opt/shop/out", "/mnt/c/code/out", "/etcetera", "/run/x"),
    ],
)
def test_folders_where_people_work_are_allowed(out: str) -> None:
    assert why_not_output(PurePosixPath(out), POSIX) is None


@pytest.mark.parametrize(
    ("project", "out", "is_allowed"),
    [
        ("/usr/local/shop", "/usr/local/shop/out", True),
        ("/etc/shop", "/etc/shop/out", True),
        ("/etc/shop", "/etc/other", False),
        ("/etc", "/etc/cron.d", False),
        ("/usr/lib", "/usr/lib/out", False),
        ("/", "/etc/out", False),
    ],
)
def test_a_project_in_a_system_folder_may_generate_into_itself(
    project: str, out: str, is_allowed: bool
) -> None:
    problem = why_not_output(PurePosixPath(out), POSIX, PurePosixPath(project))
    assert is_allowed == (problem is None)


@pytest.mark.parametrize(
    ("out", "problem"),
    [
        ("C:\\", "is the root of a file system"),
        ("D:/", "is the root of a file system"),
        ("\\\\server\\share\\", "is the root of a file system"),
        ("c:\\users\\ANN", "is your home folder"),
        ("C:\\Users", "holds your home folder"),
        ("C:\\Users\\carl", "is the home folder of a user"),
        ("c:\\windows\\System32", "lies in C:\\Windows, a folder of the system"),
        ("C:\\Program Files", "is a folder of the system"),
        ("C:\\Users\\ann\\AppData\\Local\\Temp", "is a folder of the system"),
    ],
)
def test_a_system_folder_of_windows_is_not_replaced(out: str, problem: str) -> None:
    assert problem == why_not_output(PureWindowsPath(out), WINDOWS)


@pytest.mark.parametrize("out", ["C:\\work\\out", "D:\\out", "\\\\server\\share\\out"])
def test_folders_where_people_work_on_windows_are_allowed(out: str) -> None:
    assert why_not_output(PureWindowsPath(out), WINDOWS) is None


def test_a_home_folder_is_known_by_every_path_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder has the same device and number by a bind mount; here by a link, not resolved."""
    (tmp_path / "home").mkdir()
    (tmp_path / "mounted").symlink_to("home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert "is your home folder" == why_not_here(tmp_path / "mounted", tmp_path)
    assert why_not_here(tmp_path / "mounted/out", tmp_path) is None


def test_a_project_below_a_home_folder_by_another_path_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home/shop").mkdir(parents=True)
    (tmp_path / "mounted").symlink_to("home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    shop = tmp_path / "mounted/shop"
    assert why_not_here(shop / "out", shop) is None


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


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        ("elsewhere", ("lies inside", "the specs")),
        ("elsewhere/deep", ("lies inside", "the specs")),
        ("other", None),
    ],
)
def test_a_folder_of_the_specs_that_is_mounted_elsewhere_is_known(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    out: str,
    expected: tuple[str, str] | None,
) -> None:
    """A part of the specs is mounted elsewhere: no folder above it is one of the specs."""
    table = tmp_path / "mountinfo"
    shared = f"{tmp_path}/specs/shared"
    table.write_text(
        LINE.format("/", "/") + LINE.format(shared, f"{tmp_path}/elsewhere")
    )
    monkeypatch.setattr(mounts, "_TABLE", str(table))
    for each in ("specs/shared", "elsewhere/deep", "other"):
        (tmp_path / each).mkdir(parents=True)
    assert expected == overlap(tmp_path / out, tmp_path / "specs", {})


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
