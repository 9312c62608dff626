"""``brimgen init``: a project that works at once, in a folder where nothing is overwritten."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from brimgen.output.stage import stages_of
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
    told = (empty / "README.md").read_text().splitlines()
    begin = next(at for at, line in enumerate(told) if "import TOOLS" in line)
    names: dict[str, Any] = {}
    exec("\n".join(each.strip() for each in told[begin : begin + 3]), names)
    call = names["call"]
    assert (7, 10) == (call.customer_id, call.limit)
    assert 1 == len({each.index("#") for each in told if "    # " in each})


def test_init_makes_the_folder(empty: Path, run: Any) -> None:
    assert 0 == run("init", "new/project").code
    assert (empty / "new/project/specs/orders.yaml").is_file()


def test_what_is_there_is_kept_and_told(empty: Path, run: Any) -> None:
    mine = {
        "README.md": "mine\n",
        ".gitignore": "*.pyc\n  __pycache__/\n",
        ".gitattributes": "*.png binary\n",
    }
    for name, text in mine.items():
        (empty / name).write_text(text)
    ran = run("init")
    assert 0 == ran.code
    assert [
        "kept .gitattributes; you may want to add to it: "
        "out/** text eol=lf linguist-generated=true",
        "kept .gitignore; you may want to add to it: .out.brimgen-stage*/",
        "kept README.md",
        "wrote brimgen.schema.json",
        "wrote brimgen.yaml",
        "wrote specs/get_orders.sql",
        "wrote specs/order_reply.md",
        "wrote specs/orders.yaml",
    ] == sorted(ran.err.splitlines()[:-1])
    assert mine == {name: (empty / name).read_text() for name in mine}
    assert 0 == run("generate").code


def test_among_specs_of_others_no_examples_are_written(empty: Path, run: Any) -> None:
    (empty / "specs").mkdir()
    (empty / "specs/mine.yaml").write_text("type: entity\nname: A\nfields: {a: int}\n")
    ran = run("init")
    *_, told, last = ran.err.splitlines()
    assert 0 == ran.code
    assert "kept specs, which is not empty: no examples of specs were written" == told
    assert "Next: brimgen generate" == last
    assert ["mine.yaml"] == [each.name for each in (empty / "specs").iterdir()]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("brimgen.yaml", "package: shop\n", "brimgen.yaml configures"),
        ("pyproject.toml", "[tool.brimgen]\n", "[tool.brimgen] in pyproject.toml"),
        ("specs", "a file\n", "specs is no folder"),
    ],
)
def test_where_there_is_a_project_nothing_is_written(
    empty: Path, run: Any, name: str, text: str, told: str
) -> None:
    (empty / name).write_text(text)
    before = everything(empty)
    ran = run("init")
    assert 2 == ran.code
    assert told in ran.err
    assert "nothing was written." in ran.err
    assert before == everything(empty)


def test_a_project_of_others_is_no_hindrance(empty: Path, run: Any) -> None:
    (empty / "pyproject.toml").write_text("[tool.black]\nline-length = 88\n")
    assert 0 == run("init").code
    assert 0 == run("generate").code


def test_the_last_line_and_the_readme_say_the_next_command(
    empty: Path, run: Any
) -> None:
    assert run("init").err.endswith("\nNext: brimgen generate\n")
    assert run("init", "other").err.endswith("\nNext in other: brimgen generate\n")
    readme = (empty / "README.md").read_text("utf-8")
    assert "Next:\n\n    brimgen generate\n" in readme


def test_bytecode_of_the_package_is_not_checked_in(empty: Path, run: Any) -> None:
    """Git would change line ends in it, as it is told of everything below ``out``."""
    assert 0 == run("init").code
    assert "__pycache__/" in (empty / ".gitignore").read_text("utf-8").splitlines()


def test_what_a_killed_run_leaves_is_not_checked_in(empty: Path, run: Any) -> None:
    assert 0 == run("init").code
    ignored = (empty / ".gitignore").read_text("utf-8").splitlines()
    stages = {f"{each.name}/" for each in stages_of(empty / "out")}
    matched = {each for each in stages for line in ignored if fnmatchcase(each, line)}
    assert stages == matched


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
