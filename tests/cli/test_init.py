"""``brimgen init``: a project that works at once, in a folder where nothing is overwritten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.output import everything


@pytest.fixture
def empty(project: Path) -> Path:
    (project / "specs").rmdir()
    return project


def test_the_starter_generates_checks_and_answers(
    empty: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run("init")
    assert (0, "") == (ran.code, ran.out)
    assert {
        ".gitattributes",
        ".gitignore",
        "README.md",
        "brimgen.schema.json",
        "brimgen.yaml",
        "specs",
    } == {each.name for each in empty.iterdir()}
    ran = run("generate")
    assert 0 == ran.code, ran.err
    assert "warning" not in ran.err
    assert 0 == run("check").code
    monkeypatch.syspath_prepend(empty / "out/python")
    from tools import TOOLS  # type: ignore[import-not-found]

    call = TOOLS["get_orders"].input_type.from_call('{"customer_id": 7}')
    assert (7, 10) == (call.customer_id, call.limit)


def test_init_makes_the_folder(empty: Path, run: Any) -> None:
    assert 0 == run("init", "new/project").code
    assert (empty / "new/project/specs/orders.yaml").is_file()


def test_init_overwrites_nothing(empty: Path, run: Any) -> None:
    (empty / "README.md").write_text("mine\n")
    before = everything(empty)
    ran = run("init")
    assert 2 == ran.code
    assert "README.md is there already; nothing was written." in ran.err
    assert before == everything(empty)


def test_bytecode_of_the_package_is_not_checked_in(empty: Path, run: Any) -> None:
    """Git would change line ends in it, as it is told of everything below ``out``."""
    assert 0 == run("init").code
    assert "__pycache__/" in (empty / ".gitignore").read_text("utf-8").splitlines()


def test_editors_find_the_schema(empty: Path, run: Any) -> None:
    assert 0 == run("init").code
    for path in (empty / "specs").rglob("*.yaml"):
        first = path.read_text("utf-8").partition("\n")[0]
        mark, _, target = first.partition("$schema=")
        assert "# yaml-language-server: " == mark
        found = (path.parent / target).resolve()
        assert empty / "brimgen.schema.json" == found
    text = (empty / "brimgen.schema.json").read_text("utf-8")
    assert run("schema").out == text
