"""The page of the target `catalogue` as a text; `tests/browser` looks at it in Chromium."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from brimgen.emit import describing_emitters
from brimgen.emit.account import Recovery
from brimgen.emit.catalog_view import catalog_view
from brimgen.emit.custom.project_targets import ProjectTargets
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named
from brimgen.model.templates import TemplateFile, TemplateFolder
from support.catalogue import harmless_project, hostile_project, page_of
from support.project import build

SPEC = """\
type: python_function
name: {}
description: Find orders.
arguments:
  inline:
    limit: {{type: int, maximum: 9}}
"""
PROFILES = ("openai", "mcp", "gemini")


class Page(HTMLParser):
    """The elements of a page with their attributes, and the texts of those of a tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.append((tag, dict(attrs)))
        self._texts.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self._texts.append(("", ""))

    def handle_data(self, data: str) -> None:
        if self._texts:
            tag, text = self._texts[-1]
            self._texts[-1] = tag, text + data

    def texts(self, tag: str) -> list[str]:
        """What follows the start of each element of ``tag``, up to the next tag."""
        return [text for name, text in self._texts if name == tag]

    @property
    def shape(self) -> list[Any]:
        """The elements with the names of their attributes."""
        return [(tag, [*attributes]) for tag, attributes in self.elements]

    @property
    def data(self) -> Any:
        """What the script reads."""
        return json.loads(self.texts("script")[0])


def made(folder: Path, files: Mapping[str, str]) -> Catalog:
    built = build(
        folder, files, targets=("catalogue",), profiles=PROFILES, package="made"
    )
    assert not built.diagnostics.has_errors, [
        each.message for each in built.diagnostics
    ]
    return built.catalog


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return made(tmp_path_factory.mktemp("hostile"), hostile_project())


def test_no_text_of_a_spec_becomes_an_element(hostile: Catalog, tmp_path: Path) -> None:
    """A page about hostile texts has the very elements of a page about harmless ones."""
    harmless = page_of(made(tmp_path, harmless_project()))
    assert Page(harmless).shape == Page(page_of(hostile)).shape


def test_the_data_of_the_page_is_that_of_the_view(hostile: Catalog) -> None:
    view: Any = catalog_view(hostile, describing_emitters(hostile.project))
    data = Page(page_of(hostile)).data
    assert 4 == len(data["tools"])
    for shown, tool in zip(data["tools"], view["tools"], strict=True):
        about = shown["about"]
        for key in ("name", "title", "description", "tags", "hints", "told", "request"):
            assert tool[key] == about[key]
        assert tool["input_rows"] == about["inputs"]
        assert tool["output_rows"] == about["outputs"]
        assert tool["examples"][:1] == ([about["example"]] if about["example"] else [])
        hidden = [each["name"] for each in tool["arguments"] if each["hidden"]]
        assert hidden == [each["name"] for each in shown["hidden"]]
    assert view["enums"][0]["members"] == data["types"][1]["members"]
    assert view["bundles"][0]["title"] == data["bundles"][0]["title"]


def check_policy(page: Page) -> None:
    """The policy admits the script and the style of ``page`` by their hashes, and nothing else."""
    [policy] = [
        attributes["content"] or ""
        for _, attributes in page.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]

    def source(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    [style] = page.texts("style")
    _, script = page.texts("script")
    assert {
        "default-src": "'none'",
        "style-src": source(style),
        "script-src": source(script),
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    } == dict(each.strip().split(" ", 1) for each in policy.split(";"))


def test_the_policy_admits_the_script_and_the_style_of_the_page_alone(
    hostile: Catalog,
) -> None:
    check_policy(Page(page_of(hostile)))


def test_a_project_can_change_the_style_and_the_policy_follows(
    hostile: Catalog,
) -> None:
    own = """\
{% extends "brimgen/catalogue/page.html.j2" %}
{% block style %}{{ super() }}:root { --accent: #7a2a5f; }{% endblock %}
{% block footer %}<p>Ask the {{ "desk" | html }}.</p>{% endblock %}
"""
    name = "catalogue/page.html.j2"
    folder = TemplateFolder("my", {name: TemplateFile(f"my/{name}", own)})
    targets = ProjectTargets(folder, describing_emitters)
    [artifact] = targets.of_files(target_named("catalogue")).emit(hostile)
    page = Page(artifact.text)
    assert page.texts("style")[0].endswith(":root { --accent: #7a2a5f; }")
    assert "Ask the desk." in page.texts("p")
    check_policy(page)


def test_the_page_asks_for_nothing(hostile: Catalog) -> None:
    for tag, attributes in Page(page_of(hostile)).elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert not {"src", "style", "srcset", "action"} & attributes.keys()
        assert not [each for each in attributes if each.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")


def test_a_tool_is_shown_by_its_targets_and_its_switch(tmp_path: Path) -> None:
    catalog = made(
        tmp_path,
        {
            "shown.yaml": SPEC.format("shown"),
            "named.yaml": SPEC.format("named") + "targets: [python, catalogue]\n",
            "left_out.yaml": SPEC.format("left_out") + "targets: [python]\n",
            "off.yaml": SPEC.format("switched_off") + "enabled: false\n",
        },
    )
    page = Page(page_of(catalog))
    listed = [
        (attributes["href"] or "").removeprefix("#/tool/")
        for tag, attributes in page.elements
        if tag == "a" and "#/tool/" in (attributes["href"] or "")
    ]
    assert ["named", "shown", "switched_off"] == listed
    assert listed == [each["about"]["name"] for each in page.data["tools"]]
    assert [True, True, False] == [
        each["about"]["enabled"] for each in page.data["tools"]
    ]


def test_every_way_of_recovery_has_words(hostile: Catalog) -> None:
    _, script = Page(page_of(hostile)).texts("script")
    table = script[script.index("const RECOVERY") : script.index("const TOLD")]
    assert [each.value for each in Recovery] == sorted(
        re.findall(r"^    (\w+): \[", table, re.M),
        key=[each.value for each in Recovery].index,
    )
