"""Hostile values in every position: never another host, path segment, pair or header.

Each request is read by two parsers of URLs besides ours, and as it came over the wire. A value is
either refused, or found again, whole, in its own place.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from support.budget import costs
from support.each import check_each
from support.loopback import Heard, answer

PLAIN = """
.. . ../ ../.. ..;/ ../../etc/passwd a/../../b a/./b %2e%2e %2e%2e/ %2E. %252e%252e ..%2f..
%2f %00 / // //evil.example @evil.example user:pass@evil.example :80 ? ?x=1 # #frag &a=b = ;
+ % %zz ${id} {id} http://evil.example/ javascript:alert(1) " ","x":1,"y":" ' <script> *
"""
HOSTILE = [
    *PLAIN.split(),
    "..\\",
    "/\\evil.example",
    "\\",
    "\\\\evil.example\\x",
    "a/b?c=d&e #",
    " ",
    " a ",
    "\t",
    "\r\n",
    "a\r\nX-Evil: 1",
    "a\nX-Evil: 1",
    "a\rX-Evil: 1",
    "a\r\n\r\nGET /evil HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "\x00",
    "a\x00b",
    "\x7f",
    "\x1b[2J",
    "\u2028",
    "\x85",
    "\u202e",
    "ü",
    "読取",
    "😀",
    "e\u0301",
    "\ufeff",
    "\uff0f\uff0e\uff0e",
    "。。",
    "\ud800",
    "exämple.com",
    "x" * 5000,
    "",
]
POSITIONS = "abcdef"


def sent(world: Any, **values: str) -> Heard | None:
    """What came over the wire of a call with these values, or None where it was refused."""
    world.here.says(answer(200, "fine"))
    call = {**dict.fromkeys(POSITIONS, "x"), **values}
    result = world.tool("everywhere").invoke(call)
    if result.ok:
        return world.here.only  # type: ignore[no-any-return]
    assert ("invalid_arguments", 400) == (result.error.code, result.error.status)
    pointers = {each.pointer[1:] for each in result.error.violations}
    assert pointers == set(values) or ({""} == pointers and "f" in values)
    assert [] == world.here.heard
    return None


def check(world: Any, heard: Heard, **values: str) -> None:
    """Everything is where the template says, and nothing is anywhere else."""
    expected = {**dict.fromkeys(POSITIONS, "x"), **values}
    assert f"127.0.0.1:{world.here.port}" == heard.header("host")
    assert "POST" == heard.method and heard.line.endswith(" HTTP/1.1")
    names = ["content-type", "x-value", "x-mixed", "accept-encoding"]
    names += ["user-agent", "connection", "host", "content-length"]
    assert sorted(names) == sorted(name for name, _ in heard.headers)
    assert expected["d"] == heard.header("x-value")
    assert f"v {expected['d']}!" == heard.header("x-mixed")
    body = {"whole": expected["f"], "part": f"a {expected['f']} b"}
    assert body == json.loads(heard.body)
    check_url(f"http://127.0.0.1:{world.here.port}{heard.target}", world, expected)


def check_url(url: str, world: Any, expected: dict[str, str]) -> None:
    """Two parsers agree on host, segments and pairs."""
    first, second = urlsplit(url), URL(url, encoded=True)
    for host, port, user in (
        (first.hostname, first.port, first.username),
        (second.host, second.port, second.user),
    ):
        assert ("127.0.0.1", world.here.port, None) == (host, port, user)
    assert "" == first.fragment == second.raw_fragment
    segments = ["p", expected["a"], f"v{expected['b']}.json"]
    for path in (first.path, second.raw_path):
        assert segments == [unquote(each) for each in path.split("/")[1:]]
    pairs = [("q", expected["c"]), ("mixed", f"<{expected['e']}>")]
    assert pairs == parse_qsl(first.query, keep_blank_values=True, strict_parsing=True)
    assert pairs == list(second.query.items())
    normal = URL(url)
    assert segments == [unquote(each) for each in normal.raw_path.split("/")[1:]]


@pytest.mark.parametrize("position", list(POSITIONS))
def test_a_value_stays_in_its_place_or_is_refused(world: Any, position: str) -> None:
    def check_value(value: str) -> None:
        heard = sent(world, **{position: value})
        if heard is not None:
            check(world, heard, **{position: value})

    check_each(HOSTILE, check_value)


REFUSED = {
    "a": ["", ".", "..", "../", "a/./b", "..\\", "%2e%2e", "%252e%252e", "\0", "\r\n"],
    "b": ["/../x", "x/..\\y", "/%2e%2e/", "\0", "a\nb", "\x7f"],
    "c": ["\ud800"],
    "d": ["\r\n", "a\r\nX: 1", "a\nb", "a\rb", "\0", " a", "a ", "\t", "ü", "\x7f"],
    "e": ["\ud800"],
    "f": ["\ud800"],
}
ACCEPTED = {
    "a": ["a/b?c=d&e #", "@", "...", "a..b", "%", "//x", "\\", "ü", "${id}", ":80"],
    "b": ["", ".", "..", "a/b", "%2f", "?#"],
    "c": ["", "..", "&a=b", "#", "\r\n", "\0", "+", " "],
    "d": ["", "a: b", "a\tb", "%0d%0a", "${id}", '"'],
    "e": ["", "&", "="],
    "f": ['","x":1,"y":"', "\0", "\r\n", "\u2028", "${id}", "null", "1"],
}


@pytest.mark.parametrize("position", list(POSITIONS))
def test_values_that_no_request_can_carry_are_refused_and_others_sent(
    world: Any, position: str
) -> None:
    wanted = dict.fromkeys(REFUSED[position], False)
    wanted |= dict.fromkeys(ACCEPTED[position], True)
    assert wanted == {
        each: sent(world, **{position: each}) is not None for each in wanted
    }


ALLOWED = """
127.0.0.1:{here} localhost:{there} LOCALHOST:{there} a.example.com a.b.example.com:80
xn--exmple-cua.example.com
"""
PLAIN_HOSTS = """
example.com example.com.evil.org evil-example.com .example.com a..example.com a.example.com.
a.example.com:443 a.example.com:0 a.example.com: a.example.com:80:80 127.0.0.1
127.0.0.1:{there} 127.1:{here} 2130706433:{here} 0x7f000001:{here} 0177.0.0.1:{here}
[::1]:{here} [::ffff:127.0.0.1]:{here} 169.254.169.254 user@a.example.com
a.example.com@evil.org a.example.com/ a.example.com? a.example.com# evil.org#.example.com
evil.org/.example.com evil.org?.example.com evil.org%2f.example.com -a.example.com
a-.example.com
"""
REFUSED_HOSTS = [
    *PLAIN_HOSTS.split(),
    "a.example.com\\",
    "evil.org\\.example.com",
    "evil.org\x00.example.com",
    "evil.org\r\n.example.com",
    "evil.org .example.com",
    "exämple.example.com",
    "ａ.example.com",
    "a。example。com",
    "a.exKample.com",
    "",
    "a" * 64 + ".example.com",
]
HOSTS = dict.fromkeys(ALLOWED.split(), True) | dict.fromkeys(REFUSED_HOSTS, False)


@pytest.mark.parametrize(("host", "is_allowed"), HOSTS.items())
def test_a_host_that_is_an_argument_is_among_the_allowed_or_refused(
    world: Any, host: str, is_allowed: bool
) -> None:
    host = host.format(here=world.here.port, there=world.there.port)
    asked: list[Any] = []

    class Transport:
        def send(self, request: Any, budget: Any) -> Any:
            asked.append(request)
            return world.http.Answer(200, (), b"{}")

    result = world.tool("roam").invoke(
        {"host": host}, secrets={"TOKEN": "t"}, transport=Transport()
    )
    assert is_allowed == result.ok
    assert int(is_allowed) == len(asked)
    if not is_allowed:
        assert "invalid_arguments" == result.error.code
        return
    expected = f"http://{host}/v1/x"
    assert expected == asked[0].url
    assert (
        urlsplit(expected).hostname
        == URL(expected).raw_host
        == host.lower().split(":")[0]
    )


VALUES = st.text(
    st.one_of(
        st.sampled_from("./\\%@?#&=:;+ \r\n\t\0[]{}*~-_2eEfF"),
        st.characters(exclude_categories=[]),
    ),
    max_size=12,
)


@costs(2)
@given(values=st.fixed_dictionaries(dict.fromkeys(POSITIONS, VALUES)))
def test_any_values_at_once(world: Any, values: dict[str, str]) -> None:
    tool = world.tool("everywhere")
    bound = world.built.load("tools.everywhere").EverywhereBound(**values)
    try:
        request = tool.build(bound)
    except world.http.RequestError as refused:
        halves = [
            x for each in values.values() for x in each if "\ud800" <= x <= "\udfff"
        ]
        assert refused.name in values or (halves and not refused.name)
        return
    found = world.module("_stdlib")
    answered = found.StdlibTransport().send(request, world.http.Budget(5, 1000))
    assert 500 == answered.status
    heard = world.here.heard[-1]
    check(world, heard, **values)


@given(host=VALUES, tail=st.sampled_from(["", ".example.com", ":80", "@a.example.com"]))
def test_no_text_leads_to_another_host(world: Any, host: str, tail: str) -> None:
    bound = world.built.load("tools.roam").RoamBound(f"{host}{tail}")
    try:
        request = world.tool("roam").build(bound, {"TOKEN": "t"})
    except world.http.RequestError:
        return
    url: str = request.url
    for found in (urlsplit(url).hostname, URL(url).host):
        assert found is not None
        assert found.endswith(".example.com") or found in ("127.0.0.1", "localhost")
