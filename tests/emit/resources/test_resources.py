"""Resources: what a URI means, and that it means nothing else (S0.36-43; rows B13, B14)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.checkers import MYPY, assert_clean
from support.project import Built, build

SPEC = """\
type: resource
name: doc
path: /docs/{category}/{sub_category}/{doc_index}
arguments: { entity_ref: ~, inline: { category: string, sub_category: string, doc_index: int } }
---
type: resource
name: rest
path: /docs/{category}/{remainder*}
arguments: { inline: { category: string, remainder: splat } }
---
type: resource
name: listed
path: /tags/{parts*}
arguments:
  inline:
    parts: string[]
    page: { type: int, default: 1, minimum: 1 }
    ids: { type: "int[]", required: false }
    words: { type: "string[]", required: false }
    exact: { type: decimal, required: false }
    on: { type: bool, required: false }
    day: { type: date?, required: false }
    where: { type: Place, required: false }
    "odd & name": { type: string, required: false }
---
type: entity
name: Place
fields: { lat: float, lon: float }
---
type: resource
name: fixed
path: /docs/about%20us/{page}
arguments: { inline: { page: { type: string, enum: [a, b] } } }
---
type: resource
name: whole
path: /status
---
type: resource
name: hidden
path: /mine/{id}
arguments: { inline: { id: uuid, who: { type: string, from_context: app.user.id } } }
---
type: resource
name: off
path: /off/{x}
enabled: false
arguments: { inline: { x: string } }
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("resources"),
        {"a.yaml": SPEC},
        targets=("python", "resources"),
        package="routed",
    )
    assert [] == [each.message for each in made.diagnostics if each.rule.code != "L601"]
    return made


@pytest.fixture(scope="module")
def module(built: Built) -> Any:
    return built.load("resources")


def said(module: Any, uri: str) -> Any:
    """What a URI means: the name of the resource and its arguments, None, or the pointers."""
    try:
        found = module.RESOURCES.match(uri)
    except ValueError as error:
        return sorted({each.pointer for each in error.violations})  # type: ignore[attr-defined]
    return found and (found.resource.name, found.input.to_dict())


MATCHES = {
    "/docs/a/b/7": ("doc", {"category": "a", "sub_category": "b", "doc_index": 7}),
    "/docs/a/b/x": ("rest", {"category": "a", "remainder": "b/x"}),
    "/docs/engineering/hardware/sensors/v1": (
        "rest",
        {"category": "engineering", "remainder": "hardware/sensors/v1"},
    ),
    "routed:///docs/a/b%20c/7": (
        "doc",
        {"category": "a", "sub_category": "b c", "doc_index": 7},
    ),
    "ROUTED:///status": ("whole", {}),
    "/status?": ("whole", {}),
    "/docs/K%C3%B6ln/x": ("rest", {"category": "Köln", "remainder": "x"}),
    "/docs/Köln/x": ("rest", {"category": "Köln", "remainder": "x"}),
    "/docs/%2525/x": ("rest", {"category": "%25", "remainder": "x"}),
    "/docs/...%20/x": ("rest", {"category": "... ", "remainder": "x"}),
    "/docs/about%20us/a": ("fixed", {"page": "a"}),
    "/d%6fcs/about%20us/b": ("fixed", {"page": "b"}),
    "/tags/a/b": ("listed", {"parts": ["a", "b"], "page": 1}),
    "/tags/a?page=2&on=true&exact=1.50&day=2026-01-18": (
        "listed",
        {"parts": ["a"], "page": 2, "on": True, "exact": 1.5, "day": "2026-01-18"},
    ),
    "/tags/a?ids=1&ids=2": ("listed", {"parts": ["a"], "page": 1, "ids": [1, 2]}),
    "/tags/a?ids=[1,2]": ("listed", {"parts": ["a"], "page": 1, "ids": [1, 2]}),
    "/tags/a?words=b%2Bc+d": (
        "listed",
        {"parts": ["a"], "page": 1, "words": ["b+c d"]},
    ),
    "/tags/a?odd+%26%20name=%3D": (
        "listed",
        {"parts": ["a"], "page": 1, "odd & name": "="},
    ),
    "/tags/a?where=%7B%22lat%22:1,%22lon%22:2%7D": (
        "listed",
        {"parts": ["a"], "page": 1, "where": {"lat": 1.0, "lon": 2.0}},
    ),
}

STRANGERS = [
    *("", "docs/a/b/7", "/", "/docs", "/docs/a", "/other/a/b", "//host/docs/a/b/7"),
    *(
        "other:///docs/a/b/7",
        "routed://host/docs/a/b/7",
        "/Docs/a/b",
        "/status/",
        "/status/x",
    ),
    *("/off/x", "/docs%2Fa/b/7", "/../docs/a/b/7", "/./status", "/%zz/a/b", "mailto:a"),
]

REFUSED = {
    "/docs/a/../7": ["/sub_category"],
    "/docs/../b/7": ["/category"],
    "/docs/a/./7": ["/sub_category"],
    "/docs/a//7": ["/sub_category"],
    "/docs//b/7": ["/category"],
    "/docs/a/b/": ["/doc_index"],
    "/docs/%2e%2e/b": ["/category"],
    "/docs/.%2E/b": ["/category"],
    "/docs/%2e/b": ["/category"],
    "/docs/a/%2e%2e/%2e%2e/etc/passwd": ["/remainder"],
    "/docs/a/b%2fc/d/e": ["/remainder"],
    "/docs/a/..%2f..%2fetc": ["/remainder"],
    "/docs/a%5cb/c": ["/category"],
    "/docs/a\\b/c": ["/category"],
    "/docs/a/..\\..\\etc": ["/remainder"],
    "/docs/a%00b/c": ["/category"],
    "/docs/a%0d%0ab/c": ["/category"],
    "/docs/a\r\nb/c": ["/category"],
    "/docs/a%7fb/c": ["/category"],
    "/docs/a/b#c/d": ["/sub_category"],
    "/docs/a%/c": ["/category"],
    "/docs/a%2/c": ["/category"],
    "/docs/%ff/c": ["/category"],
    "/docs/%c0%af/c": ["/category"],
    "/docs/%ed%a0%80/c": ["/category"],
    "/docs/a/b?x=1": ["/x"],
    "/docs/a/b?category=c": ["/category"],
    "/tags/a?page=0": ["/page"],
    "/tags/a?page=01": ["/page"],
    "/tags/a?page=%2B1": ["/page"],
    "/tags/a?page=1.5": ["/page"],
    "/tags/a?page=": ["/page"],
    "/tags/a?page=%D9%A1": ["/page"],
    "/tags/a?page=1&page=2": ["/page"],
    "/tags/a?on=True": ["/on"],
    "/tags/a?on=1": ["/on"],
    "/tags/a?exact=NaN": ["/exact"],
    "/tags/a?exact=1e99999": ["/exact"],
    "/tags/a?ids=[1": ["/ids"],
    "/tags/a?ids=1&ids=x": ["/ids/1"],
    "/tags/a?where=nowhere": ["/where"],
    "/tags/a?words=%zz": ["/words"],
    "/tags/a?day=2026-02-30&page=x": ["/day", "/page"],
    "/mine/7": ["/id"],
    "/mine/0190b7c4-0000-7000-8000-000000000000?who=me": ["/who"],
}


@pytest.mark.parametrize(("uri", "expected"), MATCHES.items())
def test_what_a_uri_means(module: Any, uri: str, expected: Any) -> None:
    assert expected == said(module, uri)


@pytest.mark.parametrize("uri", STRANGERS)
def test_what_is_the_uri_of_no_resource(module: Any, uri: str) -> None:
    assert said(module, uri) is None


@pytest.mark.parametrize("uri", ["docs/a/b/3", "docs/a/rest/of/it", "DOCS/a/b/3"])
def test_the_first_segment_may_stand_as_an_authority(module: Any, uri: str) -> None:
    """As in `config://version`, which clients of other servers write; nothing else changes."""
    scheme = module.DOC.scheme
    usual = module.RESOURCES.match(f"{scheme}:///{uri}")
    assert usual == module.RESOURCES.match(f"{scheme}://{uri}")
    assert (usual is None) is uri.startswith("DOCS")
    assert module.RESOURCES.match(f"{scheme}:////{uri}") is None


@pytest.mark.parametrize(("uri", "pointers"), REFUSED.items())
def test_a_uri_with_wrong_arguments_is_refused_with_their_names(
    module: Any, uri: str, pointers: list[str]
) -> None:
    assert pointers == said(module, uri)


@pytest.mark.parametrize("uri", MATCHES)
def test_what_is_built_means_the_same(module: Any, uri: str) -> None:
    found = module.RESOURCES.match(uri)
    built = found.resource.build(found.input)
    assert built.isascii()
    assert found.input == found.resource.match(built)
    assert found.input == found.resource.match(found.resource.uri(found.input))
    assert f"routed://{built}" == found.resource.uri(found.input)


HOSTILE = [
    *(
        "",
        ".",
        "..",
        "a/b",
        "../etc",
        "a\\b",
        "\x00",
        "a\r\nX: y",
        "\x7f",
        "#",
        "a#b",
        "\ud800",
    ),
]


@pytest.mark.parametrize("value", HOSTILE)
def test_nothing_hostile_is_built(module: Any, value: str) -> None:
    call = module.DOC.input_type(category=value, sub_category="b", doc_index=1)
    with pytest.raises(ValueError) as caught:
        module.DOC.build(call)
    assert ["/category"] == [
        each.pointer for each in caught.value.violations  # type: ignore[attr-defined]
    ][:1]


TEXTS = st.text(max_size=8) | st.sampled_from(
    [*HOSTILE, "%2e%2e", "//evil", "@", "a?b", "ｅ．．"]
)


@given(TEXTS, TEXTS, st.integers(-(10**9), 10**9))
def test_a_value_stays_in_its_segment(
    module: Any, one: str, two: str, number: int
) -> None:
    """Whatever is built is matched to an equal input, and has as many segments as its path."""
    call = module.DOC.input_type(category=one, sub_category=two, doc_index=number)
    try:
        built = module.DOC.build(call)
    except ValueError:
        assert any(
            each in ("", ".", "..")
            or any(
                c in "/\\#\x7f" or ord(c) < 32 or 0xD800 <= ord(c) < 0xE000
                for c in each
            )
            for each in (one, two)
        )
        return
    path = built.split("/")
    assert (["", "docs"], 5) == (path[:2], len(path))
    assert [one, two] == [unquote(each) for each in path[2:4]]
    assert not {"?", "#", "@", ":", "\\"} & set(built)
    assert call == module.DOC.match(built)


@given(st.text(max_size=20), st.text(max_size=20))
def test_no_text_makes_a_matcher_fail(module: Any, path: str, query: str) -> None:
    """Nothing but an answer or InputError comes out, and no segment is ever one that leads away."""
    for uri in (f"/docs/{path}?{query}", f"/docs/{quote(path, safe='/%')}", path):
        found = said(module, uri)
        if isinstance(found, tuple):
            for value in found[1].values():
                pieces = str(value).split("/")
                assert not {"", ".", ".."} & set(pieces)


@pytest.mark.whole
def test_the_types_are_those_of_the_tools(built: Built, module: Any) -> None:
    """A type checker knows what a match is."""
    program = (
        "from routed.resources import DOC\n"
        "from routed.tools.doc import DocInput\n"
        "found: DocInput | None = DOC.match('/docs/a/b/7')\n"
        "index: int = found.doc_index if found else 0\n"
        "text: str = DOC.build(DocInput(category='a', sub_category='b', doc_index=1))\n"
        "DOC.build(index)  # type: ignore[arg-type]\n"
    )
    root = built.folder / "out" / "python"
    (root / "program.py").write_text(program)
    assert_clean(root, "program.py", by=[MYPY])
