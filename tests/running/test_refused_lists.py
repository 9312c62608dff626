"""A list with one bad item is refused for that item: the others are not judged once more."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.project import Built, build

SPECS = {"order.yaml": """\
type: leaf
name: code
schema: { type: string }
python: { type: "counted_codes:Code", parse: "counted_codes:parse", dump: str }
---
type: entity
name: Part
fields: { code: code, count: { type: int, minimum: 1 } }
---
type: entity
name: Line
fields: { code: code, parts: "Part[]" }
---
type: python_function
name: order
description: Order parts.
arguments: { inline: { lines: "Line[]" } }
"""}
CODES = """
read = []


class Code(str):
    pass


def parse(text):
    read.append(text)
    return Code(text)
"""


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    (tmp_path / "counted_codes.py").write_text(CODES)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("counted_codes", None)
    return build(tmp_path, SPECS)


@pytest.fixture
def codes(built: Built) -> ModuleType:
    import importlib

    return importlib.import_module("counted_codes")


def lines(*counts: Any) -> dict[str, Any]:
    """A call with one line of two parts for each count."""
    return {
        "lines": [
            {
                "code": f"line {index}",
                "parts": [
                    {"code": f"first {index}", "count": 1},
                    {"code": f"second {index}", "count": count},
                ],
            }
            for index, count in enumerate(counts)
        ]
    }


def test_the_items_before_a_bad_one_are_read_once(
    built: Built, codes: ModuleType
) -> None:
    read = built.tool("order").input_type.from_dict
    read(lines(1, 1, 1))
    codes.read.clear()
    read(lines(1, 1, 1))
    usual = [text for text in codes.read if "2" not in text]
    codes.read.clear()
    with pytest.raises(built.load().InputError) as caught:
        read(lines(1, 1, 0))
    assert usual == [text for text in codes.read if "2" not in text]
    assert ["/lines/2/parts/1/count"] == [
        each.pointer for each in caught.value.violations
    ]


@pytest.mark.parametrize(
    ("counts", "paths"),
    [
        ((2.0, 1), []),
        ((2.0, 0), ["/lines/1/parts/1/count"]),
        ((0, 2.0), ["/lines/0/parts/1/count"]),
        ((0, "1", 1, -1), [f"/lines/{each}/parts/1/count" for each in (0, 1, 3)]),
    ],
)
def test_every_bad_item_is_told_beside_an_unusual_one(
    built: Built, counts: tuple[Any, ...], paths: list[str]
) -> None:
    read = built.tool("order").input_type.from_dict
    for _ in range(2):
        try:
            made = read(lines(*counts))
        except built.load().InputError as error:
            assert paths == [each.pointer for each in error.violations]
        else:
            assert ([], 2) == (paths, made.lines[0].parts[1].count)
