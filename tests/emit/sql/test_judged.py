"""Statements are judged whatever is made of them: a server runs what the SQL target wrote once."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen import api
from brimgen.api import Diagnostics, Flags, load_settings
from brimgen.model.targets import target_names

SPEC = """\
type: sql_function
name: one
description: One item.
arguments: {inline: {id: int}}
returns: object[]
sql: SELECT * FROM items WHERE id = :idd
"""


def _codes(folder: Path, *targets: str, spec: str = SPEC) -> list[str]:
    (folder / "specs").mkdir()
    (folder / "specs/one.yaml").write_text(spec, encoding="utf-8")
    config = folder / "brimgen.yaml"
    config.write_text(f"targets: [{', '.join(targets)}]\n", encoding="utf-8")
    flags, found = Flags(config=config), Diagnostics()
    settings = load_settings(flags, found)
    codes = [each.rule.code for each in api.build(settings).diagnostics]
    # A server by itself runs nothing, and flexigpt writes nothing without a bundle.
    return [each for each in codes if each not in {"T471", "T472"}]


@pytest.mark.parametrize("target", sorted(target_names()))
def test_every_target_alone_has_statements_judged(tmp_path: Path, target: str) -> None:
    assert ["SQL001"] == _codes(tmp_path, target)


def test_a_tool_that_leaves_the_target_out_is_judged(tmp_path: Path) -> None:
    spec = f"{SPEC}targets: [python, mcp, server]\n"
    assert ["SQL001"] == _codes(tmp_path, "python", "sql", "mcp", "server", spec=spec)
