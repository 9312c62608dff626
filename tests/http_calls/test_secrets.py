"""Secrets: in the request, and nowhere else (S2.17; F5)."""

from __future__ import annotations

import json
import logging
from base64 import b64encode
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from support.loopback import answer, redirect

SECRET = 'p&ss"w/rd+é x'
ASCII = 'p&ss"w/rd+e x'


def _forms(secret: str) -> list[str]:
    return [
        secret,
        quote(secret, safe=""),
        quote(secret),
        quote_plus(secret),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        b64encode(secret.encode()).decode().rstrip("="),
        quote(secret, safe="").lower(),
    ]


def _told(result: Any) -> str:
    return "\n".join([repr(result), str(result), json.dumps(result.to_dict())])


@pytest.mark.parametrize("form", _forms(ASCII))
def test_an_answer_that_echoes_a_secret_does_not_bring_it_into_an_error(
    world: Any, form: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    item = json.dumps({"id": 1, "name": 2, form: form})
    for reply in (
        answer(200, item),
        answer(200, form),
        answer(200, json.dumps({"id": form, "name": form})),
        answer(404, form),
        answer(302, location=f"http://evil.example/{quote(form)}"),
    ):
        world.here.says(reply)
        result = world.tool("get_item").invoke({"id": "1"}, secrets={"TOKEN": ASCII})
        assert not result.ok
        assert f"Bearer {ASCII}" == world.here.only.header("authorization")
        told = _told(result) + caplog.text
        assert [] == [x for x in _forms(ASCII) if x.casefold() in told.casefold()]


def test_a_secret_that_cannot_be_sent_is_not_told(world: Any) -> None:
    for broken in (SECRET, "to\r\nken", "to\0ken", " token"):
        result = world.tool("get_item").invoke({"id": "1"}, secrets={"TOKEN": broken})
        assert "not_configured" == result.error.code
        assert "TOKEN: expected" in result.error.detail
        assert broken.strip() not in _told(result)
        assert [] == world.here.heard


def test_requests_show_no_value(world: Any) -> None:
    bound = world.built.load("tools.keyed").KeyedBound
    from datetime import UTC, datetime
    from decimal import Decimal

    made = bound(datetime(2026, 1, 2, tzinfo=UTC), [], Decimal(1), False)
    request = world.tool("keyed").build(made, {"KEY": ASCII})
    assert quote(ASCII, safe="") in request.url
    base = f"http://127.0.0.1:{world.here.port}/keyed"
    assert (
        f"<Request GET {base}?at=${{at}}&id=${{ids}}>" == repr(request) == str(request)
    )
    with pytest.raises(LookupError, match="the secret KEY is missing"):
        world.tool("keyed").build(made)


def test_no_generated_file_knows_more_than_the_names(world: Any) -> None:
    schemas = [text for path, text in world.built.files.items() if "/tools/" in path]
    assert [] == [text for text in schemas if "TOKEN" in text or "PASSWORD" in text]


def test_arguments_that_contain_a_secret_are_redacted_as_well(world: Any) -> None:
    secrets = {"TOKEN": "t0ken-of-ours"}
    call = {"id": "x", "lang": 7, "t0ken-of-ours": 1}
    result = world.tool("get_item").invoke(call, secrets=secrets)
    assert "invalid_arguments" == result.error.code
    assert "t0ken-of-ours" not in _told(result)
    assert "/***" in [each.pointer for each in result.error.violations]


def test_short_secrets_leave_the_words_of_an_error_as_they_are(world: Any) -> None:
    call = {"id": "x", "lang": 7, "other": 1}
    for secret in ("e", "an", "is", "1", "ok!"):
        plain = world.tool("get_item").invoke(call, secrets={"TOKEN": "t0ken-of-ours"})
        found = world.tool("get_item").invoke(call, secrets={"TOKEN": secret})
        assert plain.error.violations == found.error.violations
        world.here.says(answer(404, "nothing at all", content_type="text/plain"))
        found = world.tool("get_item").invoke({"id": "x"}, secrets={"TOKEN": secret})
        assert "nothing at all" == found.error.body.text


def test_short_secrets_keep_a_redirect_from_another_host(world: Any) -> None:
    there = f"http://localhost:{world.there.port}/tables?key=xaby"
    world.here.says(redirect(there))
    call = {"id": 1, "name": "x"}
    result = world.tool("add_item").invoke(call, secrets={"TOKEN": "ab"})
    assert "redirect_refused" == result.error.code
    assert "a redirect would take a secret" in result.error.message
    assert [] == world.there.heard


def test_the_beginning_of_a_short_secret_is_left_at_the_end_of_what_is_cut(
    world: Any,
) -> None:
    limits = world.http.Limits(max_error_bytes=8)
    world.here.says(answer(400, "saying a word", content_type="text/plain"))
    result = world.tool("get_item").invoke(
        {"id": "x"}, secrets={"TOKEN": "ab"}, options=world.http.Options(limits=limits)
    )
    assert ("saying a", True) == (result.error.body.text, result.error.body.is_cut)
