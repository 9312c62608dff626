"""`brimgen explain --schema`: the published schemas, and their copies in the documentation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brimgen.diagnostics.show_json import diagnostics_schema
from brimgen.editor.document import spec_schema

DOCS = Path(__file__).parents[2] / "docs"


def test_the_command_prints_them(run: Any) -> None:
    assert spec_schema() == json.loads(run("explain", "--schema", "specs").out)
    assert diagnostics_schema() == json.loads(
        run("explain", "--schema", "diagnostics").out
    )
    assert 2 == run("explain", "--schema", "tools").code


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        (("explain", "--schema", "specs"), "schemas/spec.schema.json"),
        (("explain", "--schema", "diagnostics"), "schemas/diagnostics.schema.json"),
        (("explain", "--schema", "view"), "schemas/view.schema.json"),
    ],
)
def test_the_documentation_is_made_from_them(
    run: Any, arguments: tuple[str, ...], path: str
) -> None:
    """`make docs` writes these files."""
    assert run(*arguments).out == (DOCS / path).read_text("utf-8")
