"""`brimgen breaking` and what `diff` says of callers: real projects, folders and commits."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

Write = Callable[[str, str], Path]

ENTITY = "type: entity\nname: Line\nfields:\n  quantity: {type: int, maximum: 99}\n"
TOOL = """\
type: python_function
name: order
description: Orders what is on the lines, for good.
handler: shop:order
arguments:
  inline:
    lines: Line[]
    gift: {type: bool, default: false}
returns: {inline: {order_id: int, total: decimal}}
"""
_UNKNOWN = "Needed a single revision"
OTHER = TOOL.replace("name: order", "name: price").replace(":order", ":price")


@pytest.fixture
def shop(run: Run, write: Write) -> None:
    """A project with two tools that take the same lines, generated."""
    write("brimgen.yaml", "package: shop\n")
    write("specs/line.yaml", ENTITY)
    write("specs/order.yaml", TOOL)
    write("specs/price.yaml", OTHER)
    assert 0 == run("generate").code


def _git(*arguments: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *arguments], check=True, capture_output=True)


def _told(err: str) -> list[str]:
    return [line for line in err.splitlines() if line.startswith("warning[L619]")]


def test_a_change_of_an_entity_is_told_once_at_its_field(
    shop: None, run: Run, write: Write
) -> None:
    write("specs/line.yaml", ENTITY.replace("99", "9"))
    ran = run("diff", "--format", "concise")
    assert 3 == ran.code
    assert [
        "specs/line.yaml:4:3: warning[L619] `quantity` has `maximum` 9 now, was 99: "
        "that breaks callers of `order`, `price`"
    ] == [line for line in ran.err.splitlines() if "L619" in line]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("lines: Line[]", "lines: Line[]\n    customer: int", "`customer` is new and"),
        ("    gift: {type: bool, default: false}\n", "", "`gift` is gone"),
        ("default: false", "default: true", "`gift` is true when left out, was false"),
        ("total: decimal", "sum: decimal", "`total` is gone"),
        ("order_id: int", "order_id: string", "`order_id` is a string now"),
        ("returns: {inline: {order_id: int, total: decimal}}\n", "", "no schema"),
    ],
)
def test_what_breaks_is_told_and_fails(
    shop: None, run: Run, write: Write, old: str, new: str, said: str
) -> None:
    write("specs/order.yaml", TOOL.replace(old, new))
    ran = run("breaking", "--against", "out")
    assert 1 == ran.code
    assert [True] == [said in line for line in _told(ran.err)]
    assert "| breaking | `order` |" in ran.out


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            "gift: {type: bool, default: false}",
            "gift: {type: bool, default: false}\n    note: string?",
            "| additive | `order` | callers | `note` is new |",
        ),
        (
            "for good.",
            "at once.",
            "| routing | `order` | models | the tool has another `description` |",
        ),
    ],
)
def test_what_breaks_nobody_is_listed_and_passes(
    shop: None, run: Run, write: Write, old: str, new: str, line: str
) -> None:
    write("specs/order.yaml", TOOL.replace(old, new))
    ran = run("breaking", "--against", "out")
    assert (0, []) == (ran.code, _told(ran.err))
    assert line == ran.out.splitlines()[-1]


@pytest.mark.parametrize("at_the_tool", [True, False])
def test_an_approval_with_a_reason_is_obeyed(
    shop: None, run: Run, write: Write, at_the_tool: bool
) -> None:
    ignore = "x-lint-ignore: {breaking-change: nobody sends gifts}"
    text = TOOL.replace(
        "type: bool, default: false", f"type: int, default: 0, {ignore}"
    )
    if at_the_tool:
        text = TOOL.replace("type: bool, default: false", "type: int, default: 0")
        text += f"{ignore}\n"
    write("specs/order.yaml", text)
    ran = run("breaking", "--against", "out")
    assert (0, []) == (ran.code, _told(ran.err))
    line = "| breaking, approved | `order` | callers | `gift` is an integer now"
    assert line in ran.out


RENAMED = "the tool `price` is gone, renamed to `quote` as it seems"


def test_a_tool_that_was_renamed_is_told_with_its_new_name(
    shop: None, run: Run, write: Write
) -> None:
    write("specs/price.yaml", OTHER.replace("name: price", "name: quote"))
    ran = run("breaking", "--against", "out")
    assert 1 == ran.code
    assert [
        f"warning[L619]: {RENAMED}: that breaks its callers",
        " --> out/python/shop/schemas/tools/price.input.json:1:1",
        " ::: specs/price.yaml:2:7",
        "  |",
        "2 | name: quote",
        "  |       ----- is new, and takes the same input",
    ] == ran.err.splitlines()[:6]
    assert [
        f"| breaking | `price` | callers | {RENAMED.replace(' `price`', '')} |",
        "| additive | `quote` | models | the tool is new |",
    ] == ran.out.splitlines()[-2:]


def test_a_new_name_is_approved_where_it_stands(
    shop: None, run: Run, write: Write
) -> None:
    ignore = "x-lint-ignore: {breaking-change: nobody knew the old name}\n"
    write("specs/price.yaml", OTHER.replace("name: price", "name: quote") + ignore)
    ran = run("breaking", "--against", "out")
    assert (0, []) == (ran.code, _told(ran.err))


def test_a_tool_that_is_gone_is_told_where_the_output_is(
    run: Run, write: Write, project: Path
) -> None:
    write("brimgen.yaml", "package: shop\nout: build/made\n")
    write("specs/line.yaml", ENTITY)
    path = write("specs/price.yaml", OTHER)
    assert 0 == run("generate").code
    path.unlink()
    ran = run("diff", "--format", "concise")
    assert [
        "build/made/python/shop/schemas/tools/price.input.json:1:1: warning[L619] "
        "the tool `price` is gone: that breaks its callers"
    ] == [line for line in ran.err.splitlines() if "L619" in line]


def test_a_tool_that_is_switched_off_and_approved_at_its_spec_can_be_deleted_later(
    shop: None, project: Path, run: Run, write: Write
) -> None:
    write("specs/price.yaml", f"{OTHER}enabled: false\n")
    ran = run("breaking", "--against", "out", "--format", "concise")
    assert 1 == ran.code
    assert [
        "specs/price.yaml:2:7: warning[L619] the tool `price` is not published any "
        "more: that breaks its callers"
    ] == ran.err.splitlines()[:1]
    ignore = "x-lint-ignore: {breaking-change: the shop is closed}\n"
    write("specs/price.yaml", f"{OTHER}enabled: false\n{ignore}")
    assert 0 == run("breaking", "--against", "out").code
    assert 0 == run("generate").code
    (project / "specs/price.yaml").unlink()
    assert 0 == run("breaking", "--against", "out").code


def test_the_last_tool_is_missed_as_well(run: Run, write: Write) -> None:
    write("brimgen.yaml", "package: shop\n")
    write("specs/line.yaml", ENTITY)
    write("specs/price.yaml", OTHER)
    assert 0 == run("generate").code
    write("specs/price.yaml", f"{OTHER}enabled: false\n")
    assert 1 == run("breaking", "--against", "out").code


def test_a_commit_is_compared_with(
    shop: None, run: Run, write: Write, project: Path
) -> None:
    _git("init", "--initial-branch=main")
    _git("add", ".")
    _git("commit", "-m", "first")
    write("specs/order.yaml", TOOL.replace("gift: {type: bool, default: false}", ""))
    assert 0 == run("generate").code
    assert 1 == run("breaking").code
    assert 1 == run("breaking", "--against", "main").code
    _git("commit", "-am", "second")
    assert (0, "No tool's contract changes.\n") == (
        run("breaking").code,
        run("breaking").out,
    )
    assert 1 == run("breaking", "--against", "HEAD~1").code


@pytest.mark.parametrize("against", ["no-such-branch", "--output=x", ""])
def test_what_is_neither_folder_nor_commit_is_a_mistake_of_use(
    shop: None, run: Run, against: str, project: Path
) -> None:
    _git("init")
    ran = run("breaking", f"--against={against}")
    assert 2 == ran.code
    assert "'--against'" in ran.err
    told = " ".join(ran.err.split())
    assert f"git knows no such commit here: {_UNKNOWN}" in told
    assert "run `git fetch`, or give actions/checkout `fetch-depth: 0`" in told
    assert not (project / "x").exists()


def test_without_a_repository_nothing_is_to_be_fetched(shop: None, run: Run) -> None:
    ran = run("breaking", "--against=main")
    told = " ".join(ran.err.split())
    assert (2, True) == (ran.code, "git cannot read it as a commit with out/" in told)
    assert "fetch" not in told


def test_a_folder_without_an_output_is_a_mistake_of_use(
    shop: None, run: Run, write: Write
) -> None:
    write("empty/readme.md", "nothing\n")
    ran = run("breaking", "--against", "empty")
    assert (2, "") == (ran.code, ran.out)
    assert "there is no output of brimgen in 'empty'." in " ".join(ran.err.split())
    ran = run("breaking", "--against", ".")
    assert 2 == ran.code
    told = " ".join(ran.err.split())
    assert "there is no output of brimgen in '.'; did you mean out?" in told


def test_a_commit_without_an_output_is_a_mistake_of_use(run: Run, write: Write) -> None:
    write("brimgen.yaml", "package: shop\n")
    write("specs/order.yaml", TOOL.replace("lines: Line[]", "lines: string[]"))
    write("out/notes.txt", "ours\n")
    _git("init", "--initial-branch=main")
    _git("add", ".")
    _git("commit", "-m", "first")
    ran = run("breaking")
    assert (2, "") == (ran.code, ran.out)
    assert "out/ at 'HEAD' is no output of brimgen" in " ".join(ran.err.split())


def test_an_output_without_tools_is_one(run: Run, write: Write) -> None:
    write("brimgen.yaml", "package: shop\n")
    assert 0 == run("generate", "--out", "old").code
    write("specs/order.yaml", TOOL.replace("lines: Line[]", "lines: string[]"))
    ran = run("breaking", "--against", "old")
    assert (0, "1 additive.") == (ran.code, ran.out.splitlines()[0])


def test_without_schemas_there_is_nothing_to_compare(
    shop: None, run: Run, write: Write
) -> None:
    write("brimgen.yaml", "package: shop\ntargets: [python]\n")
    ran = run("breaking", "--against", "out")
    assert (2, "") == (ran.code, ran.out)
    assert "the target json_schema is off" in " ".join(ran.err.split())


def test_a_damaged_tree_is_compared_as_far_as_it_goes(
    shop: None, run: Run, write: Write
) -> None:
    write("old/python/shop/schemas/tools/order.input.json", "{")
    write("old/python/shop/schemas/tools/price.input.json", "[1]")
    write("old/mcp/tools.json", '{"tools": ["a"]}')
    ran = run("breaking", "--against", "old")
    assert 0 == ran.code
    assert "2 additive." == ran.out.splitlines()[0]
