"""`brimgen verify` reads what is written: faults planted in the output folder, and packages."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

SPEC = """\
type: sql_function
name: find_orders
connection: default
description: Search orders by state, the newest first.
when_to_use: Use for questions about orders.
arguments:
  inline:
    query: { type: string, minLength: 2, maxLength: 40 }
    kind: { type: string, enum: [new, paid, sent] }
    limit: { type: int, default: 10, minimum: 1, maximum: 100 }
    since: { type: date, required: false }
sql: SELECT order_id, total FROM orders WHERE :query = :kind AND :limit > 0 AND :since IS NULL
returns: { inline: { order_id: int, total: int } }
"""
OTHER = """\
type: python_function
name: add_note
description: Keep a remark about the last order, for its clerk.
when_to_use: Use to remember.
arguments: { inline: { note: { type: string, maxLength: 9 } } }
"""
SETTINGS = """\
package: shop
targets: [python, json_schema, sql, openai, mcp, docs, typescript]
connections: { default: { dialect: sqlite, drivers: [sqlite3] } }
"""
TOLD = "python/shop/descriptors/"

PLANTED = {
    "bound": ("python/shop/tools/find_orders.py", "1 <= limit <= 100", "1 <= limit"),
    "enum": ("json_schema/tools/find_orders.input.json", '"paid", ', ""),
    "dropped field": (
        "python/shop/tools/add_note.py",
        '"note": self.note',
        "",
    ),
    "wrong type": (
        "json_schema/tools/find_orders.output.json",
        '"integer"',
        '"string"',
    ),
    "swapped columns": (
        "python/shop/sql/find_orders.py",
        "SELECT order_id, total",
        "SELECT total, order_id",
    ),
    "SQL text": ("sql/find_orders.sqlite3.sql", ":limit > 0", ":limit >= 0"),
    "hint": (
        f"{TOLD}mcp/tools.json",
        '"readOnlyHint": true',
        '"readOnlyHint": false',
    ),
    "default in words": (
        f"{TOLD}openai/responses.json",
        "the default: 10",
        "the default: 11",
    ),
    "list entry": ("sql/find_orders.json", '"kind": "read"', '"kind": "write"'),
    "ledger row": ("losses.json", '"keyword": "maxLength"', '"keyword": "minLength"'),
}


@pytest.fixture
def generated(write: Callable[[str, str], Path], run: Run) -> Path:
    """A project that was generated; its output folder."""
    write("brimgen.yaml", SETTINGS)
    write("specs/find_orders.yaml", SPEC)
    write("specs/add_note.yaml", OTHER)
    assert 0 == run("generate").code
    return Path("out")


def plant(out: Path, file: str, old: str, new: str) -> None:
    text = (out / file).read_text()
    assert old in text
    (out / file).write_text(text.replace(old, new, 1))


def test_every_fault_in_the_output_folder_is_told(generated: Path, run: Run) -> None:
    sound = run("verify")
    assert (0, "") == (sound.code, sound.err)
    assert "files read and compared with the specs" in sound.out
    for fault in PLANTED.values():
        plant(generated, *fault)
    (generated / "python/shop/py.typed").unlink()
    ran = run("verify")
    assert 3 == ran.code
    told = {line.split(": ")[0] for line in ran.err.splitlines() if ": line " in line}
    assert {f"out/{file}" for file, _, _ in PLANTED.values()} == told
    assert "out/python/shop/py.typed: is missing" in ran.err
    assert "11 files not what the specs make" in ran.out.splitlines()[-1]


def test_what_a_written_fault_means_is_told_too(generated: Path, run: Run) -> None:
    plant(generated, *PLANTED["bound"])
    ran = run("verify")
    assert 3 == ran.code
    told = "Python, from_dict accepts what the schema refuses (maximum at '/limit')"
    assert f"find_orders: {told}\n    file: python/shop/tools/find_orders.py" in ran.err


def test_a_file_that_is_no_json_is_told(generated: Path, run: Run) -> None:
    (generated / "json_schema/tools/add_note.input.json").write_text("{")
    (generated / f"{TOLD}mcp/tools.json").write_text("[")
    assert 3 == run("verify").code


def test_a_file_that_no_spec_makes_is_told(generated: Path, run: Run) -> None:
    Path("specs/add_note.yaml").unlink()
    ran = run("verify")
    assert 3 == ran.code
    assert "add_note.py: no spec makes it any more" in ran.err


def test_nothing_generated_is_told_in_one_line(generated: Path, run: Run) -> None:
    shutil.rmtree(generated)
    ran = run("verify")
    assert (3, "") == (ran.code, ran.out)
    assert "nothing is generated in out/" in ran.err


@pytest.mark.whole
def test_a_wheel_and_an_installed_package_are_read(generated: Path, run: Run) -> None:
    package = generated / "python/shop"
    assert 0 == run("verify", "--installed", str(package)).code
    plant(generated, *PLANTED["swapped columns"])
    with zipfile.ZipFile("shop.whl", "w") as wheel:
        for file in package.rglob("*"):
            if file.is_file():
                wheel.write(file, file.relative_to(package.parent))
    for place in ("shop.whl", str(package), str(package.parent)):
        ran = run("verify", "--installed", place)
        assert 3 == ran.code
        assert "python/shop/sql/find_orders.py: line" in ran.err
        assert "Not looked at:\n" in ran.out
    Path("shop.whl").write_text("no wheel")
    assert 2 == run("verify", "--installed", "shop.whl").code


def test_an_installed_package_is_found_by_its_name(
    generated: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(generated / "python"))
    assert 0 == run("verify", "--installed", "shop").code
    plant(generated, *PLANTED["bound"])
    ran = run("verify", "--installed", "shop")
    assert 3 == ran.code
    assert "shop/python/shop/tools/find_orders.py: line" in ran.err
    missing = run("verify", "--installed", "shopp")
    assert 2 == missing.code
    assert "imports no package of that name" in missing.err
    assert "Run brimgen in the environment that has the package" in missing.err


def test_a_row_of_the_manifest_that_is_gone_or_wrong_is_told(
    generated: Path, run: Run
) -> None:
    manifest = generated / "manifest.json"
    sound = manifest.read_text()
    rows = [each for each in sound.splitlines(keepends=True) if "losses" not in each]
    manifest.write_text("".join(rows))
    assert "out/manifest.json: has no row for losses.json" in run("verify").err
    manifest.write_text(sound.replace('"sha256": "', '"sha256": "0', 1))
    assert "out/manifest.json: has another hash of " in run("verify").err


def test_what_is_not_asked_is_told(
    generated: Path, run: Run, write: Callable[[str, str], Path]
) -> None:
    deep = "(" * 41 + "a" + ")" * 41
    write(
        "specs/deep.yaml",
        OTHER.replace("add_note", "deep").replace("maxLength: 9", f'pattern: "{deep}"'),
    )
    ran = run("verify", "--built")
    assert 0 == ran.code
    told = "long texts for patterns that may take very long, or cannot be read: 1"
    assert told in ran.out, ran.out
    assert f"the first of deep: {deep}" in ran.out
    assert "all that was asked of 3 tools agrees" in ran.out.splitlines()[-1]
