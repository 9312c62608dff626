"""How the tests find the programs of databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from databases import mariadb


def test_an_installed_mariadb_is_not_looked_for_in_the_whole_file_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The folder of an installed server is ``/``: nothing below it is listed."""

    def refuse(self: Path, *_: object, **__: object) -> None:
        raise AssertionError(f"listed: {self}")

    for name in ("glob", "rglob", "iterdir", "walk"):
        monkeypatch.setattr(Path, name, refuse, raising=False)
    assert "LD_LIBRARY_PATH" not in mariadb.environment(Path("/"))
