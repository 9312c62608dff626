"""A reviewer reads as little of `out/` as an edit of the shop's specs means: files and lines."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

import pytest

from brimgen import api
from brimgen.api import Diagnostics, Flags, load_settings

ROOT = Path(__file__).parents[2]
Edit = Callable[[Path], None]
Files = Mapping[str, str]

LISTS = {
    "python/shop/descriptors/anthropic/tools.json",
    "python/shop/descriptors/gemini/tools.json",
    "python/shop/descriptors/mcp/tools.json",
    "python/shop/descriptors/openai/responses.json",
}
"""What the four providers are sent: each says every argument once."""


class Change(NamedTuple):
    """What an edit makes of a file that was there before: lines that come, and that go."""

    added: int
    removed: int


class Review(NamedTuple):
    """What a reviewer sees: files that are new, and those that changed."""

    new: set[str]
    changed: Mapping[str, Change]


def generated(folder: Path, edit: Edit) -> Files:
    """What the shop is generated to after an edit of its specs."""
    for name in ("pyproject.toml", "brimgen.lock.json"):
        shutil.copy(ROOT / name, folder / name)
    for name in ("specs", "db"):
        shutil.copytree(ROOT / name, folder / name)
    edit(folder / "specs")
    settings = load_settings(Flags(config=folder / "pyproject.toml"), Diagnostics())
    made = api.build(settings)
    assert made.outputs is not None, [each.message for each in made.diagnostics]
    return {each.path: each.data.decode() for each in made.outputs}


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return generated(tmp_path_factory.mktemp("before"), lambda _: None)


def reviewed(before: Files, folder: Path, edit: Edit) -> Review:
    """What the edit shows; the manifest has one line for each of these files besides."""
    after = generated(folder, edit)
    assert set(before) <= set(after)
    changed = {
        path: changed_lines(before[path], text)
        for path, text in after.items()
        if path in before and before[path] != text
    }
    return Review(set(after) - set(before), changed)


def changed_lines(before: str, after: str) -> Change:
    lines = [*unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")]
    signs = [line[0] for line in lines[2:]]
    return Change(signs.count("+"), signs.count("-"))


def replacing(path: str, old: str, new: str) -> Edit:
    def edit(specs: Path) -> None:
        text = (specs / path).read_text("utf-8")
        assert 1 == text.count(old)
        (specs / path).write_text(text.replace(old, new), "utf-8")

    return edit


def test_another_description_of_an_argument(before: Files, tmp_path: Path) -> None:
    old = "Ids of the parcels"
    edit = replacing("tools/services/delivery.yaml", old, "Ids of all parcels")
    new, changed = reviewed(before, tmp_path, edit)
    assert not new
    assert {
        *LISTS,
        "python/shop/bundles.json",
        "docs/tools/request_pickup.md",
        "python/shop/schemas/tools/request_pickup.bound.json",
        "python/shop/schemas/tools/request_pickup.input.json",
        "python/shop/tools/request_pickup.py",
    } == set(changed)
    for path, lines in changed.items():
        assert lines <= (2, 2), path


def test_a_new_tool(before: Files, tmp_path: Path) -> None:
    def edit(specs: Path) -> None:
        (specs / "tools/orders/touch_order.sql").write_text(
            "/*\n---\nname: touch_order\ndescription: Mark an order as seen.\n"
            "arguments:\n  inline:\n    order_id: { type: int, description: Its number }\n"
            "---\n*/\nUPDATE orders SET note = 'seen' WHERE order_id = :order_id\n"
        )

    new, changed = reviewed(before, tmp_path, edit)
    assert all("touch_order" in path for path in new)
    assert len(new) <= 6
    assert {
        *LISTS,
        "docs/tools/index.md",
        "python/shop/__init__.py",
        "python/shop/service.py",
    } == set(changed)
    for path, lines in changed.items():
        assert 0 == lines.removed, path


def test_a_changed_entity(before: Files, tmp_path: Path) -> None:
    edit = replacing("entities/common.yaml", "A postal address.", "Where post goes.")
    new, changed = reviewed(before, tmp_path, edit)
    assert not new
    assert {
        "docs/tools/place_order.md",
        "python/shop/schemas/entities.json",
        "python/shop/schemas/tools/geo_search.output.json",
        "python/shop/schemas/tools/place_order.bound.json",
        "python/shop/schemas/tools/place_order.input.json",
        "python/shop/schemas/tools/place_order.output.json",
        "python/shop/descriptors/gemini/tools.json",
        "python/shop/descriptors/mcp/tools.json",
        "python/shop/descriptors/openai/responses.json",
        "python/shop/entities.py",
    } == set(changed)
    for path, lines in changed.items():
        assert lines <= (2, 2), path
