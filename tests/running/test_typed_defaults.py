"""Defaults of every type in generated classes: type checkers accept what decodes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.checkers import MYPY, PYRIGHT, assert_clean
from support.project import build

LONG = "x" * 100
DEFAULTS = (
    ("string", LONG),
    ("primitive", LONG),
    ("url", f"https://a.example/{LONG}"),
    ("int", 10**100),
    ("decimal", 1.5),
    ("date", "2026-01-02"),
    ("datetime", "2026-01-02T03:04:05Z"),
    ("timestamp", "2026-01-02T03:04:05Z"),
    ("uuid", "0190b7c4-0000-7000-8000-00000000000a"),
    ("Size", LONG),
    ("Size[]", [LONG]),
    ("date[]", ["2026-01-02"]),
    ("object", {"a": LONG}),
)
CHOICES = (("string", LONG, [LONG, "y"]), ("primitive", LONG, [LONG, 1]))


@pytest.mark.whole
def test_type_checkers_accept_the_defaults_of_optional_fields(tmp_path: Path) -> None:
    fields: dict[str, object] = {}
    for mark in ("", "?"):
        for type, default in DEFAULTS:
            fields[f"f{len(fields)}"] = {"type": type + mark, "default": default}
        for type, default, choices in CHOICES:
            entry = {"type": type + mark, "default": default, "enum": choices}
            fields[f"f{len(fields)}"] = entry
    written = {"enum": [LONG, None], "default": LONG}
    standard = {"type": "object", "properties": {"a": written}}
    specs = (
        {"type": "entity", "name": "Size", "enum": [LONG, "small"]},
        {"type": "entity", "name": "Box", "fields": fields},
        _tool("open_box", {"box": "Box", **fields}),
        _tool("close_box", standard),
    )
    files = {f"{number}.yaml": json.dumps(each) for number, each in enumerate(specs)}
    made = build(tmp_path, files, targets=("python",))
    assert not made.diagnostics.has_errors
    made.load()
    assert_clean(tmp_path / "out/python", made.package, by=(MYPY, PYRIGHT))


def _tool(name: str, inline: dict[str, object]) -> dict[str, object]:
    return {"type": "python_function", "name": name, "arguments": {"inline": inline}}
