"""Styles: lists, objects and JSON as one value of a place, and what no item can do to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.project import Built, build

SPECS = """\
type: entity
name: Filter
fields:
  min: { type: decimal, required: false }
  tags: { type: "string[]", required: false }
  below: { type: "Filter[]", required: false }
---
type: http_function
name: styled
arguments:
  inline:
    ids: { type: "int[]", required: false }
    words: { type: "string[]", required: false }
    filter: { type: Filter, required: false }
    more: { type: object, required: false }
    who: { type: object, from_context: app.who, required: false }
allowedHosts: [example.com]
request:
  method: POST
  urlTemplate: https://example.com/?q=${words | space}
  query:
    ids: "${ids | comma}"
    first: "${filter.tags | pipe}"
    deep: "${filter | deep}"
    json: "${more | json}"
    who: "${who.ids | comma}"
  headers: { X-Ids: "${ids|comma}", X-More: "${more|json}" }
  body:
    ids: "${ids|comma}"
    words: ["${words|pipe}"]
    more: "${more|json}"
---
type: http_function
name: needed
arguments: { inline: { words: "string[]", filter: Filter, more: object } }
allowedHosts: [example.com]
request:
  method: POST
  urlTemplate: https://example.com/a/${words | comma}/v${words | comma}.json
  query: { x: "in (${words | comma})", f: "${filter | json}" }
  headers:
    Content-Type: application/x-www-form-urlencoded
    X-Words: "${words | comma}"
    X-More: "v${more | json}"
  body: { "a b": "${more | deep}", w: "${words | space}", f: "${filter | json}" }
"""
Make = Callable[..., Any]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("styles")
    made = build(folder, {"all.yaml": SPECS}, targets=("python", "http"))
    assert [] == [x.message for x in made.diagnostics if x.rule.severity == "error"]
    made.load()
    return made


@pytest.fixture(scope="module")
def styled(built: Built) -> Make:
    return _maker(built, "styled", "StyledBound")


@pytest.fixture(scope="module")
def needed(built: Built) -> Make:
    return _maker(built, "needed", "NeededInput")


def _maker(built: Built, name: str, kind: str) -> Make:
    """What makes the request of a tool of a call, and of the context."""
    home, tool = built.load(f"tools.{name}"), built.load(f"http.{name}")

    def make(who: object = None, **call: Any) -> Any:
        bound = getattr(home, kind)
        read = getattr(home, kind.replace("Bound", "Input")).from_call(call)
        context = {"app": {} if who is None else {"who": who}}
        return tool.build(read if bound is type(read) else bound.bind(read, context))

    return make


def test_a_list_without_items_is_left_out_where_it_is_all_of_a_pair_or_a_header(
    styled: Make,
) -> None:
    request = styled(ids=[], words=[], filter={"tags": []})
    assert "https://example.com/" == request.url
    assert ["Accept", "Content-Type"] == [name for name, _ in request.headers]
    assert {"ids": "", "words": [""]} == json.loads(request.body)


def test_the_items_of_a_list_are_encoded_and_what_separates_them_is_not(
    styled: Make,
) -> None:
    request = styled(ids=[1, 2], words=["a&b", "ü"], filter={"tags": ["x=1", "y"]})
    assert (
        "https://example.com/?q=a%26b%20%C3%BC&ids=1,2&first=x%3D1%7Cy"
        "&deep%5Btags%5D%5B%5D=x%3D1&deep%5Btags%5D%5B%5D=y"
    ) == request.url
    assert ("X-Ids", "1,2") in request.headers
    assert {"ids": "1,2", "words": ["a&b|ü"]} == json.loads(request.body)


def test_json_is_ascii_and_keeps_digits(styled: Make, needed: Make) -> None:
    more = {"ä": [1, None, {"b": "x\n😀"}], "c": True}
    request = styled(more=more)
    assert [("json", json.dumps(more, separators=(",", ":")))] == parse_qsl(
        urlsplit(request.url).query
    )
    assert ("X-More", json.dumps(more, separators=(",", ":"))) in request.headers
    assert more == json.loads(json.loads(request.body)["more"])
    request = needed(words=["a"], more={}, filter=json.loads('{"min": 1}'))
    assert [("w", "a"), ("f", '{"min":1}')] == parse_qsl(request.body.decode())


def test_every_place_takes_a_list(needed: Make) -> None:
    request = needed(words=["a/b", "&"], filter={}, more={"x y": {"z": [1, "2 3"]}})
    assert (
        "https://example.com/a/a%2Fb,%26/va%2Fb,%26.json"
        "?x=in%20%28a%2Fb,%26%29&f=%7B%7D"
    ) == request.url
    assert ("X-More", 'v{"x y":{"z":[1,"2 3"]}}') in request.headers


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"words": ["a b"]}, "words: expected items without ` `, which stands between"),
        ({"words": ["a|b"]}, "words: expected items without `|`, which stands between"),
        ({"filter": {"tags": ["a|b"]}}, "filter: expected items without `|`"),
        ({"more": {"é": "\ud800"}}, "more: expected JSON values"),
        ({"who": {"ids": {"a": 1}}}, "app.who: expected text, a number or"),
    ],
)
def test_what_cannot_be_written_is_refused(
    styled: Make, call: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError) as refused:
        styled(**call)
    assert words in str(refused.value)
    assert "{'a': 1}" not in str(refused.value)


@pytest.mark.parametrize("name", ["", "a]", "[", "a][b"])
def test_names_that_would_lead_elsewhere_are_refused(needed: Make, name: str) -> None:
    with pytest.raises(ValueError, match="more: expected names with a letter"):
        needed(words=["a"], filter={}, more={"a": {name: 1}})


@given(st.lists(st.text(), min_size=1))
def test_items_are_found_again_or_refused(needed: Make, words: list[str]) -> None:
    try:
        request = needed(words=words, filter={}, more={})
    except ValueError:
        return
    parts = urlsplit(request.url)
    assert words == unquote(parts.path.split("/")[2]).split(",")
    assert words == dict(parse_qsl(parts.query))["x"][4:-1].split(",")
    assert words == dict(request.headers)["X-Words"].split(",")
    fields = dict(parse_qsl(request.body.decode(), keep_blank_values=True))
    assert words == fields["w"].split(" ")
