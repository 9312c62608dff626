"""No name that is hidden from callers stands in anything of `out/` that they, or models, see."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from end_to_end.served import ROOT

OUT = ROOT / "out"
LISTED = ("python/shop/descriptors",)


def hidden() -> dict[str, set[str]]:
    """By tool, what its handler gets and no caller may send."""
    found: dict[str, set[str]] = {}
    for path in sorted((OUT / "python/shop/schemas/tools").glob("*.bound.json")):
        tool = path.name.removesuffix(".bound.json")
        bound = json.loads(path.read_text("utf-8")).get("properties", {})
        given = path.with_name(f"{tool}.input.json").read_text("utf-8")
        names = {*bound} - {*json.loads(given).get("properties", {})}
        if names:
            found[tool] = names
    return found


def named(node: Any) -> Iterator[tuple[str, Any]]:
    """Every object with a name, at any depth."""
    if isinstance(node, dict):
        if isinstance(node.get("name"), str):
            yield node["name"], node
        for each in node.values():
            yield from named(each)
    elif isinstance(node, list):
        for each in node:
            yield from named(each)


def shown() -> Iterator[tuple[Path, str, str]]:
    """Each descriptor of each list: its file, its tool, and its text."""
    for folder in LISTED:
        for path in sorted((OUT / folder).rglob("*.json")):
            for name, node in named(json.loads(path.read_text("utf-8"))):
                yield path, name, json.dumps(node)
    for line in json.loads((OUT / "losses.json").read_text("utf-8")):
        yield OUT / "losses.json", line["tool"], json.dumps(line)
    for path in sorted((OUT / "python/shop/schemas/tools").glob("*.json")):
        if not path.name.endswith(".bound.json"):
            yield path, path.name.split(".")[0], path.read_text("utf-8")


def test_the_shop_hides_something() -> None:
    assert {"actor_id"} == hidden()["cancel_order"]
    assert {"tenant", "idempotency_key"} == hidden()["place_order"]


@pytest.mark.parametrize("tool", sorted(hidden()))
def test_nothing_that_is_hidden_is_shown(tool: str) -> None:
    texts = [(path, text) for path, name, text in shown() if name == tool]
    assert len(texts) >= 3
    for path, text in texts:
        for name in hidden()[tool]:
            assert not re.search(_said(name), text), (path.relative_to(OUT), name)


def _said(name: str) -> str:
    """A name as such; one that is an English word may stand in the author's prose."""
    return rf"\b{name}\b" if "_" in name else rf"""["'`/]{name}["'`/]"""
