"""The table of targets: each row has what a target needs, and nothing else lists targets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import brimgen
from brimgen import emit
from brimgen.model.targets import TARGETS, Target
from brimgen.model.templates import FilePattern

ROOT = Path(__file__).parents[2]
PACKAGE = Path(brimgen.__file__).parent
SHARED = {
    "catalog_view",
    "codecs",
    "custom",
    "projection",
    "protocol",
}
"""Folders of `emit/` with what targets share."""


def holes(row: Target) -> list[str]:
    """What the row of a target promises and the project lacks."""
    needed = {
        f"tests/emit/{row.name}": "a folder of tests",
        f"docs/{row.page}": "a page of documentation",
    }
    if not row.files:
        needed[f"generator/brimgen/emit/{row.name}/__init__.py"] = "its folder"
    for each in row.files:
        needed[f"templates/{each.template}"] = "the template of its files"
    missing = [
        f"{row.name} has no {path}: {what}"
        for path, what in needed.items()
        if not row.page or not (ROOT / path).exists()
    ]
    if row.profiles and not row.provider:
        missing.append(f"{row.name} has no provider: its name for people")
    told = (ROOT / "docs" / "descriptors.md").read_text("utf-8")
    missing += [
        f"docs/descriptors.md has no row for the profile {profile}"
        for profile in row.profiles
        if f"\n| `{profile}` | `{row.name}` |" not in told
    ]
    return missing


@pytest.mark.parametrize("row", TARGETS, ids=lambda row: row.name)
def test_a_row_has_all_that_a_target_needs(row: Target) -> None:
    missing = holes(row)
    assert not missing, "\n".join(missing)
    assert row is emit.emitter(row.name).target


def test_a_row_without_anything_names_each_hole() -> None:
    missing = holes(
        Target("missing", "Missing tools", "missing.md", profiles=("missing",))
    )
    assert [
        "missing has no tests/emit/missing: a folder of tests",
        "missing has no docs/missing.md: a page of documentation",
        "missing has no generator/brimgen/emit/missing/__init__.py: its folder",
        "missing has no provider: its name for people",
        "docs/descriptors.md has no row for the profile missing",
    ] == missing
    pattern = FilePattern("missing/page.j2", "missing/page.txt")
    assert (
        "missing has no templates/missing/page.j2: the template of its files"
        in holes(Target("missing", "Missing files", "missing.md", files=(pattern,)))
    )


def test_every_folder_of_a_target_has_a_row() -> None:
    folders = {each.parent.name for each in (PACKAGE / "emit").glob("*/__init__.py")}
    assert {each.name for each in TARGETS if not each.files} == folders - SHARED


def test_the_table_imports_no_target() -> None:
    script = (
        "import sys, brimgen.emit as emit, brimgen.syntax.tools\n"
        "from brimgen.model.targets import target_names\n"
        "target_names()\n"
        "print([name for name in sys.modules if name.startswith('brimgen.emit.')])\n"
        "print(emit.emitter('json_schema').name)\n"
        "print('brimgen.emit.sql' in sys.modules)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert ["[]", "json_schema", "False"] == ran.stdout.splitlines()


def test_the_module_has_no_other_lazy_name() -> None:
    with pytest.raises(AttributeError, match="EMITTER'"):
        emit.__getattr__("EMITTER")
