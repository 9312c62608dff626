"""The table of targets: each row has what a target needs, and nothing else lists targets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from brimgen import emit
from brimgen.model.targets import TARGETS, Target

ROOT = Path(__file__).parents[2]
GOLDEN = {
    target
    for each in (ROOT / "tests/golden").glob("*/brimgen.yaml")
    for target in yaml.safe_load(each.read_text("utf-8"))["targets"]
}
"""The targets whose files are shown by a golden project."""


def holes(row: Target) -> list[str]:
    """What the row of a target promises and the project lacks."""
    needed = {f"docs/{row.page}": "a page of documentation"}
    if row.name not in GOLDEN and not row.default:
        needed[f"tests/emit/{row.name}"] = "tests, or a golden project"
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
