"""Bytes that a handler returns: base64 where its spec says bytes, and refused in every text."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from support.project import Built, build

SPEC = """\
type: entity
name: Photo
fields:
  title: string
  tags: "string[]?"
  pixels: bytes?
  next: Photo?
---
type: python_function
name: text
description: A text.
returns: string
---
type: python_function
name: maybe_text
description: A text.
returns: string?
---
type: python_function
name: texts
description: Texts.
returns: string[]
---
type: python_function
name: text_map
description: Texts by name.
returns: {type: object, additionalProperties: {type: string}}
---
type: python_function
name: photo
description: A photo.
returns: Photo
---
type: python_function
name: photos
description: Photos.
returns: Photo[]
---
type: python_function
name: row
description: An object.
returns:
  inline: {title: string, id: uuid?, pixels: bytes?, rest: object?, photo: Photo?}
---
type: python_function
name: data
description: Bytes.
returns: bytes
---
type: python_function
name: short
description: A few bytes.
returns: {inline: {it: {type: bytes, maxLength: 8}}}
---
type: python_function
name: anything
description: Anything.
returns: object
"""
RAW = b"\x00text"
TEXT = b64encode(RAW).decode()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(tmp_path_factory.mktemp("bytes"), {"a.yaml": SPEC})
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    return made


def outcome(built: Built, name: str, value: Any) -> Any:
    service = built.load("service").Service(
        handlers={name: lambda call: value}, partial=True
    )
    return service.outcome(name)


@pytest.mark.parametrize(
    ("name", "value", "place"),
    [
        ("text", RAW, "(root)"),
        ("maybe_text", RAW, "(root)"),
        ("texts", ["a", RAW], "/1"),
        ("text_map", {"a": RAW}, "/a"),
        ("photo", {"title": RAW}, "/title"),
        ("photo", {"title": "a", "tags": [RAW]}, "/tags/0"),
        ("photo", {"title": RAW, "pixels": RAW}, "/title"),
        ("photo", {"title": "a", "next": {"title": RAW}}, "/next/title"),
        ("photos", [{"title": RAW}], "/0/title"),
        ("row", {"title": RAW}, "/title"),
        ("row", {"title": "a", "id": RAW}, "/id"),
        ("row", {"title": "a", "photo": {"title": RAW}}, "/photo/title"),
    ],
)
def test_bytes_for_a_text_are_refused_and_not_sent_as_base64(
    built: Built, name: str, value: Any, place: str
) -> None:
    found = outcome(built, name, value)
    assert "invalid_output" == found.code
    told = str(found.error.__cause__)
    assert told.startswith(f"{place}: expected ") and ";" not in told


@pytest.mark.parametrize(
    ("name", "value", "sent"),
    [
        ("data", RAW, TEXT),
        ("data", TEXT, TEXT),
        ("short", {"it": b"a"}, {"it": "YQ=="}),
        (
            "photo",
            {"title": "a", "pixels": RAW, "next": {"title": "b", "pixels": RAW}},
            {"title": "a", "pixels": TEXT, "next": {"title": "b", "pixels": TEXT}},
        ),
        ("photos", [{"title": "a", "pixels": RAW}], [{"title": "a", "pixels": TEXT}]),
        (
            "row",
            {
                "title": "a",
                "pixels": RAW,
                "rest": {"b": [RAW]},
                "photo": {"title": "b"},
            },
            {
                "title": "a",
                "pixels": TEXT,
                "rest": {"b": [TEXT]},
                "photo": {"title": "b"},
            },
        ),
        (
            "row",
            {"title": "a", "rest": {"b": RAW}},
            {"title": "a", "rest": {"b": TEXT}},
        ),
        ("anything", {"a": [RAW]}, {"a": [TEXT]}),
    ],
)
def test_bytes_are_base64_where_the_spec_says_bytes_or_any_object(
    built: Built, name: str, value: Any, sent: Any
) -> None:
    found = outcome(built, name, value)
    assert ("ok", sent) == (found.code, found.value)
