"""Tools of others in Standard mode: every module imports, and says what its schema says."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import black
import pytest

from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from running.packages import (
    errors,
    imported,
    link,
    python_files,
    standard_spec,
    tool_name,
    verdict,
    write_package,
)
from runtime.corpora import lines, needs_corpora


class Corpus:
    """A corpus as a written package: its catalog, its folder, and the instances of each tool.

    Of its tools, each ``step``-th is taken.
    """

    def __init__(self, name: str, step: int, root: Path) -> None:
        items = list(lines(f"{name}/items"))[::step]
        names = {
            each["id"]: tool_name(each["name"], number)
            for number, each in enumerate(items)
        }
        texts = [
            standard_spec(names[each["id"]], each["description"], each["schema"])
            for each in items
        ]
        catalog, found = link(texts, Project(package="corpus"))
        assert [] == errors(found)
        self.catalog: Catalog = catalog
        self.folder = write_package(catalog, root)
        self.instances: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for each in lines(f"{name}/instances"):
            if each["id"] in names:
                self.instances[names[each["id"]]].append(each)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(("bfcl", 1), marks=pytest.mark.whole),
        pytest.param(("mcp", 1), marks=pytest.mark.whole),
        ("bfcl", 20),
        ("mcp", 20),
        ("tau-bench", 2),
    ],
    ids=lambda part: f"{part[0]}-{part[1]}",
)
def corpus(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Corpus]:
    name, step = request.param
    yield Corpus(name, step, tmp_path_factory.mktemp(name))


@needs_corpora
def test_every_verdict_is_that_of_the_closed_schema(corpus: Corpus) -> None:
    """Arguments are an object whatever a schema without ``type`` says: others are left out."""
    wrong: list[str] = []
    with imported(corpus.folder, "corpus") as package:
        for tool in corpus.catalog.tools:
            input_type = package.TOOLS[tool.name].input_type
            for each in corpus.instances[tool.name]:
                if not isinstance(each["data"], dict):
                    continue
                before = json.dumps(each["data"])
                if verdict(input_type, each["data"]) != each["closed"]:
                    wrong.append(f"{tool.name} {each['kind']}")
                assert before == json.dumps(each["data"])
    assert [] == wrong


@needs_corpora
def test_both_paths_decode_alike_and_what_is_written_is_read_again(
    corpus: Corpus,
) -> None:
    with imported(corpus.folder, "corpus") as package:
        for tool in corpus.catalog.tools:
            input_type = package.TOOLS[tool.name].input_type
            for each in corpus.instances[tool.name]:
                if isinstance(each["data"], dict) and each["closed"]:
                    call = input_type.from_dict(each["data"])
                    assert call == input_type.from_accepted(each["data"])
                    assert call == input_type.from_dict(call.to_dict())


@needs_corpora
def test_modules_of_real_tools_are_laid_out_as_black_does(corpus: Corpus) -> None:
    """Every module with a line that was laid out by hand, and each tenth of the others."""
    for number, path in enumerate(python_files(corpus.folder / "corpus" / "tools")):
        text = path.read_text(encoding="utf-8")
        if number % 10 == 0 or "# fmt: skip" in text:
            assert text == black.format_str(text, mode=black.Mode()), path.name
