"""Output in proportion: a package has what is its own, and shows its tools to people."""

from __future__ import annotations

import pydoc
from pathlib import Path

import pytest

from brimgen import api
from brimgen.api import Diagnostics, Flags, load_settings
from brimgen.model.targets import TARGETS
from support.project import Built, build

INT_TOOL = """\
type: python_function
name: double
description: Double a number.
arguments:
  inline:
    n: { type: int, description: The number. }
returns: int
"""
DEFAULT = tuple(
    each.name for each in TARGETS if each.default and each.name != "service"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("int")
    return build(folder, {"double.yaml": INT_TOOL}, targets=DEFAULT)


def generated(folder: Path, configuration: str) -> dict[str, int]:
    """The lines of each file that a project of the tool is generated to."""
    (folder / "specs").mkdir(parents=True)
    (folder / "specs/double.yaml").write_text(INT_TOOL)
    (folder / "brimgen.yaml").write_text(configuration)
    flags = Flags(config=folder / "brimgen.yaml")
    made = api.build(load_settings(flags, Diagnostics()))
    assert made.outputs is not None
    return {each.path: each.data.count(b"\n") for each in made.outputs}


def test_one_tool_of_one_int_is_few_files_and_lines(tmp_path: Path) -> None:
    files = generated(tmp_path, "package: probe\n")
    assert len(files) <= 10, sorted(files)
    assert sum(files.values()) <= 250


def test_a_call_of_the_lean_package_is_decoded_and_refused_in_full(
    built: Built,
) -> None:
    kind = built.tool("double").input_type
    assert 3 == kind.from_call('{"n": 3.0}').n
    with pytest.raises(ValueError) as caught:
        kind.from_call({"n": "3", "m": 1})
    told = caught.value.retry_message()  # type: ignore[attr-defined]
    assert '- n: expected integer, got "3"' in told
    assert "- m: unknown argument" in told
    assert told.endswith("double expects: n (integer, required)")


def test_help_of_a_package_says_what_its_tools_take(built: Built) -> None:
    text = pydoc.plain(pydoc.render_doc(built.load()))
    assert "class DoubleInput" in text
    assert "Double a number." in text
    assert "DoubleInput(n: 'int')" in text
