"""Resource paths (S0.36-43; rows B13, B14)."""

from __future__ import annotations

import pytest

from brimgen.model.catalog import ResourceBody
from brimgen.model.paths import PathLiteral, PathVariable
from support.linked import Linked, link


def resource(path: str, inline: str = "") -> Linked:
    arguments = f"arguments: {{inline: {{{inline}}}}}\n" if inline else ""
    return link(f'type: resource\nname: docs\npath: "{path}"\n{arguments}')


def test_arguments_outside_of_the_path_become_the_query() -> None:
    linked = resource(
        "/docs/{category}/{rest*}", "category: string, rest: string, lang: string?"
    )
    body = linked.tool.body
    assert isinstance(body, ResourceBody)
    assert (
        PathLiteral("docs"),
        PathVariable("category"),
        PathVariable("rest", rest=True),
    ) == body.segments
    assert ("lang",) == body.query


@pytest.mark.parametrize("kind", ["string", "splat", "remainder", "'string[]'"])
def test_types_of_the_rest(kind: str) -> None:
    assert [] == resource("/docs/{rest*}", f"rest: {kind}").slugs


@pytest.mark.parametrize(
    ("path", "inline", "slug", "text"),
    [
        ("/docs/{page}", "", "path-without-arguments", "page"),
        ("/docs/{pgae}", "page: string", "undeclared-placeholder", "pgae"),
        (
            "/docs/{page}",
            "page: {type: string, from_context: app.x}",
            "hidden-placeholder",
            "page",
        ),
        (
            "/docs/{page}",
            "page: {type: string, llm: false}",
            "hidden-placeholder",
            "page",
        ),
        ("/docs/{page}", "page: 'int[]'", "bad-placeholder-type", "page"),
        ("/docs/{page}", "page: object", "bad-placeholder-type", "page"),
        ("/docs/{rest*}", "rest: int", "bad-placeholder-type", "rest"),
        ("/docs/{page}", "page: splat", "bad-placeholder-type", "page"),
        (
            "/docs/{page}",
            "page: {type: int, default: 1}",
            "optional-placeholder",
            "page",
        ),
        ("/docs/{page}", "page: int?", "optional-placeholder", "page"),
    ],
)
def test_placeholders_of_a_path_and_arguments_that_do_not_match_are_told(
    path: str, inline: str, slug: str, text: str
) -> None:
    assert [(slug, text)] == resource(path, inline).told


@pytest.mark.parametrize(
    "path",
    [
        "docs/{a}",
        "/docs/{a*}/{b}",
        "/docs/{a}/{a}",
        "/docs/x{a}",
        "/docs/{a}.json",
        "/docs//{a}",
        "/docs/../{a}",
        "/docs/{a}/",
        "/docs/{}",
        "/docs/{a",
        "/docs/a b",
        "/docs/{a}?x=1",
    ],
)
def test_what_is_no_path(path: str) -> None:
    linked = resource(path, "a: string, b: string")
    assert ["bad-path"] == linked.slugs
    assert () == linked.catalog.tools


def test_the_near_name_is_suggested() -> None:
    assert ("page",) == resource("/docs/{pgae}", "page: string").only.suggestions
