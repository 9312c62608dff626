"""Secrets: in the request, and nowhere else (S2.17; F5)."""

from __future__ import annotations

import json
import logging
from base64 import b64encode
from html import escape
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from support.loopback import answer

SECRET = 'p&ss"w/rd+e x'
FORMS = [
    SECRET,
    quote(SECRET, safe=""),
    quote(SECRET),
    quote_plus(SECRET),
    json.dumps(SECRET)[1:-1],
    b64encode(SECRET.encode()).decode().rstrip("="),
    quote(SECRET, safe="").lower(),
]


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_that_echoes_a_secret_does_not_bring_it_into_an_error(
    world: Any, form: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for reply in (
        answer(200, json.dumps({"id": 1, "name": 2, form: form})),
        answer(200, form),
        answer(200, json.dumps({"id": form, "name": form})),
        answer(404, form),
        answer(302, location=f"http://evil.example/{quote(form)}"),
    ):
        world.here.says(reply)
        result = world.tool("get_item").invoke({"id": "1"}, secrets={"TOKEN": SECRET})
        assert not result.ok
        assert f"Bearer {SECRET}" == world.here.only.header("authorization")
        told = f"{result!r} {result} {json.dumps(result.to_dict())} {caplog.text}"
        assert [] == [x for x in FORMS if x.casefold() in told.casefold()]


def test_no_generated_file_knows_more_than_the_names(world: Any) -> None:
    schemas = [text for path, text in world.built.files.items() if "/tools/" in path]
    assert schemas
    assert [] == [text for text in schemas if "TOKEN" in text or "PASSWORD" in text]


def test_secrets_are_found_in_the_forms_that_servers_echo(world: Any) -> None:
    password = 'pä<ss>"wö/rd&7+x'
    plain = password.encode()
    forms = [
        password,
        json.dumps(password),
        json.dumps(password).replace("/", "\\/"),
        escape(password),
        plain.hex(),
        plain.hex().upper(),
        "Basic " + b64encode(b"ann:" + plain).decode(),
        b64encode(b"x" + plain + b"yz").decode(),
        b64encode(b"xy" + plain + b"z").decode().replace("+", "-").replace("/", "_"),
    ]
    tool = world.module("_redact").forms([password])
    for form in forms:
        told = tool.cleaned(f"you sent {form}!")
        assert "***" in told
        kept = told.replace("you sent ", "").replace("***", "")
        assert len(kept) < 18, (form, told)


def test_where_errors_are_no_value_nothing_is_read(world: Any) -> None:
    seen: list[int] = []

    class Transport:
        def send(self, request: Any, budget: Any) -> Any:
            seen.append(budget.excerpt(404))
            return budget.collect(404, (), iter([b"no"]))

    given = {"secrets": {"USER": "u", "PASSWORD": "p"}, "transport": Transport()}
    found = world.tool("maybe_item").invoke({"id": 1}, **given)
    assert ({"ok": True, "value": None}, [0]) == (found.to_dict(), seen)
