"""``bundles.json``: what the seed lists of bundles and tools (S2.2-4, S2.11; row F8)."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from brimgen_runtime.calls.bundles import Bundles
from support.project import build


def tools(bundle: Any) -> dict[str, Any]:
    """The tools of a bundle by name."""
    return {each["name"]: each for each in bundle["tools"]}


CORPUS = """\
type: bundle
name: files
---
type: bundle
name: other
---
type: bundle
name: attic
isEnabled: false
---
type: python_function
name: read_file
bundle: files
tags: [disk]
---
type: python_function
name: read_file_again
slug: read-file
version: v2
bundle: files
---
type: python_function
name: open_it
description: Read what a link leads to.
bundle: other
tags: [net]
---
type: python_function
name: rehead
bundle: other
---
type: python_function
name: reorder
bundle: other
---
type: python_function
name: read_old
bundle: attic
---
type: python_function
name: read_off
enabled: false
bundle: files
"""


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The generated ``BUNDLES``."""
    made = build(
        tmp_path_factory.mktemp("bundles"),
        {"a.yaml": CORPUS},
        targets=("python", "bundles"),
    )
    assert not made.diagnostics.has_errors
    module = made.load("bundles")
    for command in (["black", "--check", "--quiet"], ["ruff", "check", "--isolated"]):
        path = str(made.folder / "out" / "python" / made.package / "bundles.py")
        subprocess.run([sys.executable, "-m", *command, path], check=True)
    return module.BUNDLES


def names(page: Any) -> list[str]:
    """The tools of a page."""
    return [each.name for each in page.tools]


def test_a_tool_is_found_by_slug_and_version(bundles: Any) -> None:
    assert "read_file" == bundles.find("read-file@v1").name
    assert "read_file_again" == bundles.find("read-file", "v2").name
    assert "rehead" == bundles.find("rehead").name
    for wrong in ("read-file", "read_file", "Read-File@v1", "read-file@v3", ""):
        with pytest.raises(LookupError):
            bundles.find(wrong)
    with pytest.raises(LookupError):
        bundles.find("rehead", bundle_id="nobody")


def test_tools_are_listed_page_by_page(bundles: Any) -> None:
    everything = ["read_file", "read_file_again", "open_it", "rehead", "reorder"]
    assert everything == names(bundles.list())
    page = bundles.list(page_size=2)
    assert (everything[:2], "2") == (names(page), page.next_page_token)
    last = bundles.list(page_size=3, page_token="2")
    assert (everything[2:], None) == (names(last), last.next_page_token)
    assert {"read_old", "read_off"} == set(
        names(bundles.list(include_disabled=True))
    ) - set(everything)
    assert ["read_file", "open_it"] == names(bundles.list(tags=["net", "disk"]))
    for wrong in ({"page_size": 0}, {"page_token": "x"}, {"page_token": "-1"}):
        with pytest.raises(ValueError):
            bundles.list(**wrong)


def test_a_search_finds_prefixes_then_words_and_words_with_a_typo(bundles: Any) -> None:
    """S2.44-46: prefix, whole word, fuzzy; disabled ones only where they are asked for."""
    assert ["read_file", "read_file_again", "open_it"] == names(bundles.search("READ"))
    assert "read_file" in names(bundles.search("raed file"))
    assert {"read_old", "read_off"} <= set(
        names(bundles.search("read", include_disabled=True))
    )
    assert [] == names(bundles.search("zebra"))
    assert [] == names(bundles.search(" "))


def test_a_word_with_a_typo_is_found_beside_tools_that_have_the_word_itself() -> None:
    """S2.45: prefix, whole word, fuzzy, by rank; an exact hit hides no near one."""
    row = {
        "id": "b",
        "slug": "b",
        "displayName": "b",
        "isEnabled": True,
        "createdAt": None,
        "modifiedAt": None,
    }
    tools = [
        {**row, "version": "v1", "type": "python", "name": "x", "slug": slug}
        for slug in ("set-colour", "color", "pick-color", "colors")
    ]
    found = Bundles([{**row, "tools": tools}]).search("color")
    slugs = [each.slug for each in found.tools]
    assert slugs[-1] == "set-colour"
    assert set(slugs[:2]) == {"color", "colors"}
    assert slugs[2] == "pick-color"


def test_among_equals_the_newest_comes_first() -> None:
    row = {
        "id": "b",
        "slug": "b",
        "displayName": "b",
        "isEnabled": True,
        "createdAt": None,
        "modifiedAt": None,
    }
    tool = {**row, "version": "v1", "type": "python", "name": "x"}
    times = {"old": "2026-01-01T00:00:00Z", "new": "2026-02-01T00:00:00Z"}
    tools = [
        {**tool, "slug": f"read-{slug}", "modifiedAt": time}
        for slug, time in times.items()
    ]
    found = Bundles([{**row, "tools": tools}]).search("read")
    assert ["read-new", "read-old"] == [each.slug for each in found.tools]
