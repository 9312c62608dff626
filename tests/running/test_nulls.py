"""Absent, null and a value: three things that a call can say of one argument, kept apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from brimgen.model.project import Project
from running.packages import errors, imported, link, write_package

SPEC = """
type: entity
name: Contact
fields: { phone: string?, fax: string? }
---
type: python_function
name: patch
description: Change what is given.
arguments:
  inline:
    id: int
    note: string?
    due: date?
    "a b": int?
    limit: { type: int, default: null }
    size: { type: int, default: 10 }
    kind: { type: string, required: false }
    contact: { type: Contact, required: false }
    user: { type: string, from_context: app.user }
---
type: python_function
name: named
description: Its argument has our name.
arguments:
  inline: { nulls: string?, from: date? }
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    catalog, found = link([SPEC], Project(package="nulls"))
    assert [] == [each.message for each in errors(found)]
    folder = write_package(catalog, tmp_path_factory.mktemp("nulls"))
    with imported(folder, "nulls") as package:
        yield package


CALLS: list[dict[str, Any]] = [
    {"id": 1},
    {"id": 1, "note": None},
    {"id": 1, "note": "n", "due": None, "a b": None},
    {"id": 1, "due": "2026-01-18", "limit": None},
    {"id": 1, "contact": {}},
    {"id": 1, "contact": {"phone": None}},
    {"id": 1, "contact": {"phone": "1", "fax": None}, "kind": "k"},
]


@pytest.mark.parametrize("sent", CALLS, ids=json.dumps)
def test_what_was_sent_is_what_is_written(
    package: ModuleType, sent: dict[str, Any]
) -> None:
    call = package.PatchInput.from_dict(sent)
    assert {**sent, "size": 10} == call.to_dict()
    again = package.PatchInput.from_dict(call.to_dict())
    assert (call, call.nulls) == (again, again.nulls)
    bound = package.PatchBound.bind(call, {"app": {"user": "u"}})
    assert {**sent, "size": 10, "user": "u"} == bound.to_dict()


def test_an_attribute_is_none_for_both_and_nulls_tells_which(
    package: ModuleType,
) -> None:
    absent = package.PatchInput.from_dict({"id": 1})
    null = package.PatchInput.from_dict({"id": 1, "a b": None, "note": None})
    assert (absent.note, absent.nulls) == (null.note, ()) == (None, ())
    assert ("note", "a b") == null.nulls
    assert absent == null == package.PatchInput(1)
    assert {"id": 1, "size": 10, "note": None} == package.PatchInput(
        1, nulls=("note",)
    ).to_dict()


def test_a_call_of_a_model_keeps_the_null_that_is_a_value(package: ModuleType) -> None:
    call = package.PatchInput.from_call('{"id": 1, "note": null, "size": null}')
    assert (("note",), 10) == (call.nulls, call.size)
