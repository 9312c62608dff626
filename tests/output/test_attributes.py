"""Folders that are carried over keep owner, mode, times and attributes (issue 17, 17a)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from brimgen.output import write as write_module
from brimgen.output.stage import staging
from brimgen.output.write import write, writing
from support.output import generate, plan_of, refuse, tree

OLD = {"python/a.py": "a\n", "json/b.json": "{}\n", "json/deep/c.json": "{}\n"}
NEW = {**OLD, "python/a.py": "new\n"}
ANN, STAFF = 1234, 2345
SOME_TIME = 1_600_000_000_123_456_789


@pytest.fixture(params=["exchange", "journal"])
def root(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    if request.param == "journal":
        monkeypatch.setattr(write_module, "exchange_tree", refuse)
    generate(tmp_path / "out", OLD)
    (tmp_path / "out/mine/deep").mkdir(parents=True)
    (tmp_path / "out/mine/deep/notes.txt").write_text("mine\n")
    return tmp_path / "out"


def of_another(folder: Path) -> None:
    """Give a folder to somebody else, where this process may; to another group otherwise."""
    is_root = os.geteuid() == 0
    os.chown(folder, ANN if is_root else -1, STAFF if is_root else os.getegid())


def with_a_list(folder: Path) -> None:
    """An access list: others of a group may write, and new files get the same."""
    entries = [(1, 7, -1), (4, 5, -1), (8, 7, STAFF), (16, 7, -1), (32, 5, -1)]
    data = (2).to_bytes(4, "little") + b"".join(
        kind.to_bytes(2, "little")
        + rights.to_bytes(2, "little")
        + (who & 0xFFFFFFFF).to_bytes(4, "little")
        for kind, rights, who in entries
    )
    for name in ("system.posix_acl_access", "system.posix_acl_default"):
        os.setxattr(folder, name, data)


def refused(*_: object, **__: object) -> None:
    """Stand in the place of a call that this process may not make."""
    raise PermissionError(1, "Operation not permitted")


def seen(folder: Path) -> tuple[object, ...]:
    found = os.stat(folder)
    return (
        *(found.st_uid, found.st_gid, oct(found.st_mode), found.st_mtime_ns),
        {name: os.getxattr(folder, name) for name in os.listxattr(folder)},
    )


CHANGES: dict[str, Callable[[Path], None]] = {
    "owner": of_another,
    "mode": lambda folder: folder.chmod(0o2750),
    "sticky": lambda folder: folder.chmod(0o1777),
    "attributes": lambda folder: os.setxattr(folder, "user.mark", b"\0mine"),
    "access-list": with_a_list,
    "times": lambda folder: None,
}


@pytest.mark.parametrize("change", CHANGES)
def test_no_folder_loses_what_its_owner_gave_it(root: Path, change: str) -> None:
    folders = [root / each for each in ("mine", "mine/deep", "json/deep", "json")]
    for each in folders:
        CHANGES[change](each)
        os.utime(each, ns=(SOME_TIME, SOME_TIME))
    before = [seen(each) for each in folders]
    generate(root, NEW)
    assert before == [seen(each) for each in folders]
    assert {**NEW, "mine/deep/notes.txt": "mine\n"} == tree(root)


@pytest.mark.parametrize("change", [each for each in CHANGES if each != "times"])
def test_a_folder_with_new_files_keeps_all_but_its_times(
    root: Path, change: str
) -> None:
    folders = [root, root / "python"]
    for each in folders:
        CHANGES[change](each)
        os.utime(each, ns=(SOME_TIME, SOME_TIME))
    before = [seen(each) for each in folders]
    generate(root, NEW)
    after = [seen(each) for each in folders]
    assert [(*each[:3], each[4]) for each in before] == [
        (*each[:3], each[4]) for each in after
    ]
    assert all(each[3] != SOME_TIME for each in after)


def test_a_folder_from_which_a_folder_goes_keeps_its_owner(root: Path) -> None:
    (root / "json").chmod(0o2770)
    os.utime(root / "json", ns=(SOME_TIME, SOME_TIME))
    generate(root, {each: NEW[each] for each in NEW if "deep" not in each})
    assert not (root / "json/deep").exists()
    found = (root / "json").stat()
    assert 0o2770 == stat.S_IMODE(found.st_mode)
    assert SOME_TIME != found.st_mtime_ns


def test_new_files_in_a_shared_folder_belong_to_its_group(root: Path) -> None:
    of_another(root / "python")
    (root / "python").chmod(0o2775)
    group = (root / "python").stat().st_gid
    generate(root, {**NEW, "python/new.py": "1\n", "python/further/x.py": "1\n"})
    for each in ("python/new.py", "python/further", "python/further/x.py"):
        assert group == (root / each).stat().st_gid
    assert (root / "python/further").stat().st_mode & stat.S_ISGID


def test_a_file_that_is_replaced_keeps_its_owner(root: Path) -> None:
    of_another(root / "python/a.py")
    os.setxattr(root / "python/a.py", "user.mark", b"mine")
    before = (root / "python/a.py").stat()
    generate(root, NEW)
    after = (root / "python/a.py").stat()
    assert (before.st_uid, before.st_gid) == (after.st_uid, after.st_gid)
    assert b"mine" == os.getxattr(root / "python/a.py", "user.mark")


@pytest.mark.parametrize("call", ["setxattr", "utime"])
def test_a_folder_that_cannot_be_made_alike_stays_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    root = tmp_path / "out"
    generate(root, OLD)
    (root / "mine").mkdir()
    os.setxattr(root / "mine", "user.mark", b"mine")
    os.utime(root / "mine", ns=(SOME_TIME, SOME_TIME))
    before = (root / "mine").stat()
    real = getattr(os, call)

    def denied(path: object, *given: object, **named: object) -> None:
        if str(path).endswith("mine"):
            raise PermissionError(1, "Operation not permitted")
        real(path, *given, **named)

    monkeypatch.setattr(os, call, denied)
    plan, found = plan_of(root, NEW)
    with writing(root), staging(root) as stage:
        write(plan, stage, found)
    after = (root / "mine").stat()
    assert NEW == tree(root)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert ["out"] == os.listdir(tmp_path)
    assert [("O533", "out/mine", "Operation not permitted")] == [
        (each.rule.code, each.span.file, each.message.rpartition(": ")[2])
        for each in found
    ]


def test_a_user_leaves_the_folders_of_others_in_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only root may give a folder away: files are written one by one, and that is told."""
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o777)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    generate(Path("shop/out").absolute(), OLD)
    (tmp_path / "shop/out/theirs").mkdir()
    if os.geteuid() == 0:
        for each in (tmp_path / "shop", *(tmp_path / "shop").rglob("*")):
            os.chown(each, 65534, 65534)
        of_another(tmp_path / "shop/out/theirs")
        (tmp_path / "shop/out/theirs").chmod(0o755)
    else:
        monkeypatch.setattr(os, "utime", refused)
    before = (tmp_path / "shop/out/theirs").stat()
    reading, writing_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            plan, found = plan_of(Path("shop/out"), NEW)
            with writing(Path("shop/out")), staging(Path("shop/out")) as stage:
                write(plan, stage, found)
            os.write(writing_end, " ".join(each.rule.code for each in found).encode())
        except BaseException as problem:
            os.write(writing_end, repr(problem).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert b"O533" == os.read(reading, 1000)
    after = (tmp_path / "shop/out/theirs").stat()
    assert (before.st_ino, before.st_uid, before.st_gid, before.st_mtime_ns) == (
        *(after.st_ino, after.st_uid, after.st_gid, after.st_mtime_ns),
    )
    assert NEW == tree(tmp_path / "shop/out")
    assert ["out"] == os.listdir(tmp_path / "shop")
