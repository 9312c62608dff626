"""What is made of answers: JSON, text, and what is neither or breaks the schema (S2.55)."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from support.loopback import answer

TOKEN = {"TOKEN": "t0ken"}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            b"{",
            "is not valid JSON: Expecting property name enclosed in double quotes"
            " at line 1 column 2",
        ),
        (b"", "is empty"),
        (b" \r\n", "is empty"),
        (b"\xff\xfe\xfd", "is not valid JSON: no UTF-8 at byte 2"),
        (b"<html>", "is not valid JSON: Expecting value at line 1 column 1"),
        (b"NaN", "is not valid JSON: NaN is no JSON number"),
        (
            b'{"id": 1, "id": 2, "name": "x"}',
            'is not valid JSON: "id" occurs twice in one object',
        ),
        (b"[" * 100_000, "is not valid JSON: nested too deeply"),
        (
            b'{"id": 1e99999, "name": "x"}',
            "is not valid JSON: a number is out of range",
        ),
    ],
)
def test_what_is_no_json_is_an_error(world: Any, body: bytes, words: str) -> None:
    world.here.says(answer(200, body))
    error = world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN).error
    assert ("invalid_response", 200) == (error.code, error.status)
    assert f"get_item: the answer {words}" == error.message


def test_a_page_in_the_place_of_json_is_called_by_its_name(world: Any) -> None:
    world.here.says(answer(200, "\n<!doctype html>", content_type="text/html; x=y"))
    error = world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN).error
    assert "get_item: the answer is text/html, and not JSON" == error.message


def test_an_answer_without_content_is_null_where_that_is_a_value(world: Any) -> None:
    for status in (200, 204):
        world.here.says(answer(status, b""))
        result = world.tool("any_item").invoke({"id": "7"})
        assert {"ok": True, "value": None} == result.to_dict()
    world.here.says(answer(200, '{"id": 1, "name": "x", "new": 2}'))
    result = world.tool("any_item").invoke({"id": "7"})
    assert {"id": 1, "name": "x", "new": 2} == result.to_dict()["value"]


def test_compressed_answers_were_not_asked_for(world: Any) -> None:
    body = gzip.compress(b"{}")
    world.here.says(answer(200, body, content_encoding="gzip"))
    error = world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN).error
    told = (
        "get_item: the answer is compressed, which was not asked for, and is not read"
    )
    assert told == error.message


def test_an_answer_that_breaks_its_schema_tells_everything_but_the_value(
    world: Any,
) -> None:
    world.here.says(answer(200, '{"id": "seven", "nome": "Lamp"}'))
    error = world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN).error
    assert ("invalid_output", 200) == (error.code, error.status)
    assert "get_item: the answer is not what the tool returns" == error.message
    found = [(each.pointer, each.rule) for each in error.violations]
    assert [("/id", "type"), ("/name", "required"), ("/nome", "unknown")] == sorted(
        found
    )
    assert "seven" not in str(error.to_dict())
    messages = {each.pointer: each.message for each in error.violations}
    assert "id: expected integer" == messages["/id"]
    assert "name: missing, expected string" == messages["/name"]
    # What is withheld has no type either; what is missing is no value.
    assert "<Violation type at '/id': id: expected integer>" in map(
        repr, error.violations
    )
    assert (
        "id: expected integer; name: missing, expected string; "
        'nome: expected one of "id", "name", "price"'
    ) == error.detail
    assert all(each.message.startswith(each.pointer[1:]) for each in error.violations)


def test_a_wrong_answer_of_thousands_of_items_is_told_shortly(world: Any) -> None:
    items = ",".join(['{"id": "x", "name": 1}'] * 1000)
    world.here.says(answer(200, f"[{items}]"))
    call: dict[str, Any] = {
        "at": "2026-02-03T04:05:06Z",
        "ids": [],
        "amount": 1,
        "ok": False,
    }
    error = world.tool("keyed").invoke(call, secrets={"KEY": "k"}).error
    assert ("invalid_output", 20) == (error.code, len(error.violations))


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        ("käse".encode(), "text/plain", "käse"),
        ("käse".encode("latin-1"), "text/plain; charset=ISO-8859-1", "käse"),
        ("käse".encode("utf-16"), 'text/plain; charset="UTF-16"', "käse"),
        (b"", "text/plain", ""),
        (b"x", "", "x"),
    ],
)
def test_text_is_read_in_its_character_set(
    world: Any, body: bytes, kind: str, expected: str
) -> None:
    world.here.says(answer(200, body, content_type=kind))
    result = world.tool("everywhere").invoke(dict.fromkeys("abcdef", "x"))
    assert expected == result.value


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\xff", "text/plain"),
        (b"x", "text/plain; charset=rot13"),
        (b"x", "text/plain; charset=zip"),
        (b"x", "text/plain; charset=unicode_escape"),
        (b"x", "text/plain; charset=" + "x" * 999),
        (b"x", "text/plain; charset=\x01"),
    ],
)
def test_text_in_no_usual_character_set_is_an_error(
    world: Any, body: bytes, kind: str
) -> None:
    world.here.says(answer(200, body, content_type=kind))
    result = world.tool("everywhere").invoke(dict.fromkeys("abcdef", "x"))
    assert "invalid_response" == result.error.code
