"""The manifest: what it says, byte for byte, and what it refuses to believe."""

from __future__ import annotations

import json

import pytest

from brimgen.output.manifest import (
    Entry,
    Manifest,
    UnreadableManifest,
    read_manifest,
)

MANIFEST = Manifest(
    "0.1.0",
    {
        "sql/b.sql": Entry("22", "sql", ("specs/b.sql",)),
        "a.py": Entry("11", "python", ("specs/a.yaml", "specs/é.yaml")),
    },
)
TEXT = """\
{
  "brimgen": "0.1.0",
  "format": 1,
  "files": {
    "a.py": {"sha256": "11", "target": "python", "sources": ["specs/a.yaml", "specs/é.yaml"]},
    "sql/b.sql": {"sha256": "22", "target": "sql", "sources": ["specs/b.sql"]}
  }
}
"""


def test_one_file_a_line_sorted() -> None:
    assert TEXT == MANIFEST.to_text()


def test_what_was_written_is_read_again() -> None:
    assert MANIFEST == read_manifest(MANIFEST.to_text().encode())


def test_an_empty_manifest_is_json_too() -> None:
    assert {} == json.loads(Manifest("1", {}).to_text())["files"]


def entry(path: str) -> str:
    files = {path: {"sha256": "1", "target": "t", "sources": []}}
    return json.dumps({"brimgen": "1", "format": 1, "files": files})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<<<<<<< HEAD",
        "[]",
        "{}",
        '{"brimgen": "1", "format": 2, "files": {}}',
        '{"brimgen": 1, "format": 1, "files": {}}',
        '{"brimgen": "1", "format": 1, "files": {"a": {"sha256": "1"}}}',
        '{"brimgen": "1", "format": 1, "files": {"a": "1"}}',
        "[" * 100_000,
        entry("../../etc/passwd"),
        entry("/etc/passwd"),
        entry("a/./b"),
        entry("..\\x"),
        entry("a\0b"),
        entry("half a pair \ud800"),
        entry("/".join(["a"] * 3000)),
        entry("manifest.json"),
        entry(".brimgen-journal/new/0"),
        entry("con"),
        entry("a").replace('"t"', '"\\udfff"'),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UnreadableManifest):
        read_manifest(text.encode())
