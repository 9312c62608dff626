"""Redirects: which are followed, what goes along, and what is refused (S2.18)."""

from __future__ import annotations

from typing import Any

import pytest

from support.loopback import answer, redirect

ITEM = '{"id": 7, "name": "Lamp"}'
TOKEN = {"TOKEN": "t0ken"}
CALL = {"id": 1, "name": "x"}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_at_home_is_followed(world: Any, status: int) -> None:
    world.here.says(redirect("../v2/items/7?x=1", status), answer(200, ITEM))
    assert world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN).ok
    first, second = world.here.heard
    assert ("/items/7", "/v2/items/7?x=1") == (first.target, second.target)
    assert ("GET", "Bearer t0ken") == (second.method, second.header("authorization"))


@pytest.mark.parametrize(
    ("tool", "status", "method"),
    [
        *(("add_item", status, "GET") for status in (301, 302, 303)),
        ("add_item", 307, "POST"),
        *(("send_form", status, "PUT") for status in (301, 302, 307)),
        ("send_form", 303, "GET"),
    ],
)
def test_a_post_becomes_a_get_where_that_is_usual_and_a_put_stays_one(
    world: Any, tool: str, status: int, method: str
) -> None:
    world.here.says(redirect("/other", status), answer(200, ITEM))
    call = CALL if tool == "add_item" else {"who": {"name": "Ada", "tags": ["x"]}}
    assert world.tool(tool).invoke(call, secrets=TOKEN).ok
    first, second = world.here.heard
    assert method == second.method
    assert (b"" if method == "GET" else first.body) == second.body
    assert (method != "GET") == (second.header("content-type") is not None)


def test_another_allowed_host_is_told_no_secret(world: Any) -> None:
    port = world.there.port
    world.here.says(redirect(f"http://localhost:{port}/items", 307))
    world.there.says(answer(201, ITEM))
    assert world.tool("add_item").invoke(CALL, secrets=TOKEN).ok
    heard = world.there.only
    assert None is heard.header("x-key")
    assert b"t0ken" not in heard.raw
    assert world.here.only.body == heard.body


def test_a_redirect_that_carries_a_secret_away_is_refused(world: Any) -> None:
    for location in ("/?k=t0ken", "/t%30ken?K=T0KEN"):
        world.here.says(redirect(f"http://localhost:{world.there.port}{location}"))
        world.there.says(answer(200, ITEM))
        result = world.tool("add_item").invoke(CALL, secrets=TOKEN)
        assert "redirect_refused" == result.error.code
        assert "t0ken" not in repr(result)
        assert [] == world.there.heard


@pytest.mark.parametrize(
    "location",
    [
        "http://evil.example/",
        "http://localhost:{there}.evil.example/",
        "//evil.example/",
        "http://user@127.0.0.1:{here}/",
        "http://127.0.0.1:{here}@evil.example/",
        "http://127.0.0.1:{here}\\@evil.example/",
        "\\\\evil.example/",
        "/\\evil.example/",
        "///evil.example/",
        "http:///evil.example/",
        "http:evil.example",
        "http://127.0.0.1/",
        "http://127.0.0.1:{there}/",
        "http://2130706433:{here}/",
        "http://0x7f.1:{here}/",
        "http://[::1]:{here}/",
        "http://[::ffff:127.0.0.1]:{here}/",
        "http://127.0.0.1.:{here}/",
        "http://127.0.0.1:{here}/a b",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:+{here}/",
        "http://127.0.0.1:/",
        "ftp://127.0.0.1:{here}/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/plain,x",
        "http://exämple.com/",
        "http://127。0。0。1:{here}/",
        "http://%31%32%37.0.0.1:{here}/",
        "",
        "http://",
        "http://127.0.0.1:{here}/\x7f",
    ],
)
def test_redirects_to_anything_else_are_refused(world: Any, location: str) -> None:
    given = location.format(here=world.here.port, there=world.there.port)
    world.here.says(redirect(given.encode().decode("latin-1")))
    world.there.says(answer(200, ITEM))
    result = world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN)
    assert not result.ok
    assert result.error.code in ("redirect_refused", "status", "invalid_response")
    assert (1, []) == (len(world.here.heard), world.there.heard)
    assert "evil" not in str(result.to_dict())


def test_a_circle_of_redirects_ends(world: Any) -> None:
    world.here.says(redirect("/items/7"))
    error = world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN).error
    assert ("redirect_refused", 1) == (error.code, error.attempts)
    assert "get_item: there are too many redirects" == error.message
    assert 6 == len(world.here.heard)


def test_https_never_becomes_http(world: Any) -> None:
    module, http = world.module("_redirect"), world.http
    hosts = (http.Host("a.example"),)
    request = http.Request("GET", "https://a.example/")
    answered = http.Answer(302, (("location", "http://a.example/"),))
    with pytest.raises(module.RedirectError, match="from https to http"):
        module.followed(request, answered, hosts, None)
    upgraded = module.followed(
        http.Request(
            "GET",
            "http://a.example/",
            (("Authorization", "x"),),
            private=("authorization",),
        ),
        http.Answer(302, (("location", "https://a.example/"),)),
        hosts,
        None,
    )
    assert ("https://a.example/", ()) == (upgraded.url, upgraded.headers)


def test_a_body_with_a_secret_stays_at_home(world: Any) -> None:
    module, http = world.module("_redirect"), world.http
    hosts = (http.Host("a.example"), http.Host("b.example"))
    request = http.Request("POST", "https://a.example/", (), b"x", is_private=True)
    answered = http.Answer(307, (("location", "https://b.example/"),))
    with pytest.raises(module.RedirectError, match="a secret to another host"):
        module.followed(request, answered, hosts, None)
    again = http.Answer(303, (("location", "https://b.example/"),))
    assert None is module.followed(request, again, hosts, None).body
