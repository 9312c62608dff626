"""Files of other systems, read as if they were specs: read or refused, each fault at its place.

Somebody will put the tools of another system into the folder of the specs. Whatever is said about
them has a place in their text and advice to act on.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runtime.corpora import lines, needs_corpora
from support.cases import check

pytestmark = needs_corpora


def judge(folder: Path, text: str, name: str = "foreign.yaml") -> list[str]:
    """The codes of the errors about a file; everything that is said has a place in it."""
    specs = folder / "specs"
    specs.mkdir(exist_ok=True)
    (specs / name).write_text(text, encoding="utf-8")
    found = check(specs)
    last = text.count("\n") + 1
    errors = [each for each in found if each.rule.severity == "error"]
    for each in errors:
        assert each.span.line <= last
        assert each.rule.help
    return [each.rule.code for each in errors]


def test_files_of_genai_toolbox(step: int, tmp_path: Path) -> None:
    for item in [*lines("genai-toolbox/files")][::step]:
        assert judge(tmp_path, item["yaml"]), item["name"]


@pytest.mark.parametrize("corpus", ["genai-toolbox", "flexigpt", "mcp"])
def test_tools_of_others_as_documents(corpus: str, step: int, tmp_path: Path) -> None:
    for item in [*lines(f"{corpus}/items")][::step]:
        text = json.dumps(item.get("raw", item), indent=1)
        if "\\ud" not in text:
            assert judge(tmp_path, text), item["id"]


@pytest.mark.parametrize("corpus", ["mcp/items", "openapi/operations"])
def test_schemas_of_others_pasted(corpus: str, step: int, tmp_path: Path) -> None:
    accepted = 0
    for item in [*lines(corpus)][::step]:
        if "\\ud" in json.dumps(item["schema"]):
            continue
        schema = json.dumps({"type": "object", "properties": {}, **item["schema"]})
        head = "type: python_function\nname: foreign\narguments: {inline: "
        accepted += not judge(tmp_path, f"{head}{schema}}}\n")
    assert accepted


def test_yaml_that_was_made_to_be_tricky(step: int, tmp_path: Path) -> None:
    for item in [*lines("yaml-tricky/made")][::step]:
        judge(tmp_path, item["yaml"].replace("\ud800", ""))
