"""The YAML that others found tricky: no traceback, no hang, and what it means."""

from __future__ import annotations

import json

import pytest
import yaml

from brimgen.api import Diagnostics
from brimgen.source.events import YamlFailure
from brimgen.source.nodes import plain
from brimgen.source.places import Places
from brimgen.source.tree import trees
from runtime.corpora import lines, needs_corpora
from support.reading import read

# Both loaders of PyYAML take the `?` of `[?x]` for the mark of a key.
_MISREAD = ("yts/HM87-1",)

pytestmark = [
    needs_corpora,
    pytest.mark.usefixtures("loader"),
]


def _json_values(text: str) -> list[object]:
    """The values of a stream of JSON texts."""
    decoder, values, offset = json.JSONDecoder(), [], 0
    while text[offset:].strip():
        offset += len(text[offset:]) - len(text[offset:].lstrip())
        value, offset = decoder.raw_decode(text, offset)
        values.append(value)
    return values


def test_every_case_gives_documents_or_diagnostics() -> None:
    for item in lines("yaml-tricky/items"):
        documents, found = read(item["yaml"])
        for diagnostic in found:
            assert diagnostic.span.line <= len(item["yaml"].splitlines()) + 1, item[
                "id"
            ]
        if not documents and not found:
            assert item.get("json") in (None, "", "null\n"), item["id"]


def test_what_is_accepted_means_what_the_test_suite_says() -> None:
    compared = 0
    for item in lines("yaml-tricky/items"):
        diagnostics = Diagnostics()
        try:
            roots = list(trees(Places("a.yaml", item["yaml"]), diagnostics))
        except YamlFailure:
            continue
        if item.get("json") and not diagnostics:
            data = [None if root is None else plain(root) for root in roots]
            if data != _json_values(item["json"]):
                assert item["id"] in _MISREAD
            compared += 1
    assert compared > 45


def test_what_must_fail_is_not_accepted_beyond_what_the_loader_accepts(
    loader: str,
) -> None:
    for item in lines("yaml-tricky/items"):
        if not item["fail"]:
            continue
        _, found = read(item["yaml"])
        if not found:
            kind = yaml.SafeLoader if loader == "pure" else yaml.CSafeLoader
            assert list(yaml.parse(item["yaml"], Loader=kind)), item["id"]


def test_a_tab_behind_a_colon(loader: str) -> None:
    documents, found = read("description:\t'tabbed'\n")
    if loader != "pure":
        assert (len(documents), found) == (1, [])
    else:
        assert [each.rule.reason for each in found] == ["tab-indent"]
