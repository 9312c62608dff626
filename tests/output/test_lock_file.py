"""The lock file is saved with the output, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.diagnostics import Diagnostics
from brimgen.output.lock_file import PendingLockFile, read_text, report_stale, saved


class Broken(Exception):
    """The output cannot be written."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "brimgen.lock.json"


@pytest.mark.parametrize("before", [None, "old\n"])
@pytest.mark.parametrize("after", [None, "new\n"])
def test_it_is_what_it_is_to_be(
    path: Path, before: str | None, after: str | None
) -> None:
    if before is not None:
        path.write_text(before)
    with saved(PendingLockFile(path, before, after)):
        pass
    assert after == read_text(path)
    assert ([] if after is None else [path]) == list(path.parent.iterdir())


@pytest.mark.parametrize("before", [None, "old\n"])
def test_where_the_output_fails_it_is_what_it_was(
    path: Path, before: str | None
) -> None:
    if before is not None:
        path.write_text(before)
    with pytest.raises(Broken), saved(PendingLockFile(path, before, "new\n")):
        assert "new\n" == read_text(path)
        raise Broken
    assert before == read_text(path)


def test_the_same_text_is_not_written_again(path: Path) -> None:
    path.write_text("same\n")
    path.chmod(0o400)
    first = path.stat()
    with saved(PendingLockFile(path, "same\n", "same\n")), saved(None):
        pass
    assert first == path.stat()


def test_a_disk_that_fails_leaves_the_old_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text("old\n")

    def fail(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("brimgen.output.lock_file.os.fsync", fail)
    with (
        pytest.raises(OSError, match="No space"),
        saved(PendingLockFile(path, "old\n", "x")),
    ):
        pytest.fail("nothing may happen before the file is safe")
    assert ["old\n"] == [each.read_text() for each in path.parent.iterdir()]


def test_a_stale_file_is_told_from_where_the_output_lies(path: Path) -> None:
    diagnostics = Diagnostics()
    report_stale(
        PendingLockFile(path, "a", "b"), path.parent / "gen" / "out", diagnostics
    )
    report_stale(PendingLockFile(path, "a", "a"), path.parent / "out", diagnostics)
    report_stale(None, path.parent / "out", diagnostics)
    [told] = diagnostics
    assert ("stale-lock", "../brimgen.lock.json") == (told.rule.reason, told.span.file)
