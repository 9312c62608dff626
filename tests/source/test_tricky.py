"""The YAML that others found tricky: no traceback, no hang, and what made cases want."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from brimgen.diagnostics import Diagnostics
from brimgen.source.compose import compose
from brimgen.source.events import YamlFailure
from brimgen.source.files import read_files
from brimgen.source.nodes import plain, plain_object
from brimgen.source.places import Places
from brimgen.source.tree import trees
from support.reading import read

_CORPORA = os.environ.get("BRIMGEN_CORPORA", "")

# Both loaders of PyYAML take the `?` of `[?x]` for the mark of a key.
_MISREAD = ("yts/HM87-1",)

pytestmark = [
    pytest.mark.skipif(not _CORPORA, reason="BRIMGEN_CORPORA is not set"),
    pytest.mark.usefixtures("loader"),
]


def _items(name: str) -> Iterator[dict[str, Any]]:
    path = Path(_CORPORA, "yaml-tricky", name)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _made() -> dict[str, str]:
    return {
        item["name"].partition("/")[2]: item["yaml"] for item in _items("made.jsonl.gz")
    }


def _json_values(text: str) -> list[object]:
    """The values of a stream of JSON texts."""
    decoder, values, offset = json.JSONDecoder(), [], 0
    while text[offset:].strip():
        offset += len(text[offset:]) - len(text[offset:].lstrip())
        value, offset = decoder.raw_decode(text, offset)
        values.append(value)
    return values


def test_every_case_gives_documents_or_diagnostics() -> None:
    for item in _items("items.jsonl.gz"):
        documents, found = read(item["yaml"])
        for diagnostic in found:
            assert diagnostic.span.line <= len(item["yaml"].splitlines()) + 1, item[
                "id"
            ]
        if not documents and not found:
            assert item.get("json") in (None, "", "null\n"), item["id"]


def test_what_is_accepted_means_what_the_test_suite_says() -> None:
    compared = 0
    for item in _items("items.jsonl.gz"):
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
    for item in _items("items.jsonl.gz"):
        if not item["fail"]:
            continue
        _, found = read(item["yaml"])
        if not found:
            kind = yaml.SafeLoader if loader == "pure" else yaml.CSafeLoader
            assert list(yaml.parse(item["yaml"], Loader=kind)), item["id"]


@pytest.mark.parametrize(
    ("name", "slugs"),
    [
        ("norway-enum", []),
        ("octal-version", []),
        ("float-version", []),
        ("duplicate-key", ["duplicate-key"]),
        ("anchor-self", ["self-reference"]),
        ("billion-laughs-9", ["too-many-values"]),
        ("deep-flow-1000", ["too-deep"]),
        ("deep-flow-20000", ["too-deep"]),
        ("deep-schema-120", ["too-deep"]),
        ("bom", []),
        ("crlf", []),
        ("rtl", ["refused-character"]),
        ("quotes-in-description", []),
        ("jinja-in-description", []),
        ("python-tag", ["tag"]),
        ("properties-param", []),
    ],
)
def test_tricky_yaml_is_read_or_refused_with_its_reason(
    name: str, slugs: list[str], tmp_path: Path
) -> None:
    (tmp_path / "a.yaml").write_bytes(_made()[name].encode())
    diagnostics = Diagnostics()
    (file,) = read_files(tmp_path, diagnostics)
    compose(file, diagnostics)
    assert [each.rule.reason for each in diagnostics] == slugs


def test_a_tab_behind_a_colon(loader: str) -> None:
    documents, found = read(_made()["tab-after-colon"])
    if loader != "pure":
        assert (len(documents), found) == (1, [])
    else:
        assert [each.rule.reason for each in found] == ["tab-indent"]


def test_made_values_are_kept_as_written() -> None:
    made = _made()
    (norway,), _ = read(made["norway-enum"])
    inline = plain_object(norway.root)["arguments"]["inline"]  # type: ignore[index,call-overload]
    assert inline["country"]["enum"] == ["NO", "SE", "ON", "Off", "y", "n"]  # type: ignore[index,call-overload]
    (version,), _ = read(made["float-version"])
    assert version.root.get("version").text == "1.10"  # type: ignore[union-attr]
    (octal,), _ = read(made["octal-version"])
    assert octal.root.get("version").text == "010"  # type: ignore[union-attr]
    (_,), (duplicate,) = read(made["duplicate-key"])
    assert (duplicate.span.line, duplicate.span.column) == (8, 5)
