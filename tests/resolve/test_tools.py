"""Tools: connections, handlers, options, returns, and what they read."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen.model.catalog import PythonBody, SqlBody
from brimgen.model.types import (
    EntityType,
    ListType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
)
from support.linked import link
from support.syntax import HEAD

SQL = "type: sql_function\nname: probe\nsql: SELECT 1\n"
USER = "type: entity\nname: User\nfields: {id: int}\n"


def test_an_unknown_connection_is_told_with_the_nearest() -> None:
    body = link(SQL).tool.body
    assert isinstance(body, SqlBody) and "default" == body.connection
    linked = link(f"{SQL}connection: defualt\n")
    assert [("unknown-connection", "defualt")] == linked.told
    assert ("default",) == linked.only.suggestions


@pytest.mark.parametrize(
    ("handler", "sound"),
    [
        ("shop.orders:place", True),
        ("orders:place", True),
        ("orders", False),
        ("shop/orders.py", False),
        ("shop.orders:", False),
        ("shop.orders:a.b", False),
        ("os:system('x')", False),
    ],
)
def test_a_handler_that_cannot_be_imported_by_name_is_refused(
    handler: str, sound: bool
) -> None:
    linked = link(f'{HEAD}handler: "{handler}"\n')
    assert ([] if sound else ["bad-handler"]) == linked.slugs
    if sound:
        assert PythonBody(handler) == linked.tool.body


@pytest.mark.parametrize(
    ("key", "text", "sound"),
    [
        ("slug", "readfile", True),
        ("slug", "Größe-2", True),
        ("slug", "读取", True),
        ("slug", "a" * 64, True),
        ("slug", "a" * 65, False),
        ("slug", "a_b", False),
        ("slug", "a b", False),
        ("slug", "a/b", False),
        ("slug", "a.b", False),
        ("slug", "a²", False),
        ("slug", "🙂", False),
        ("slug", "e\u0301", False),
        ("version", "v1.0.0", True),
        ("version", "1.10", True),
        ("version", "..", False),
    ],
)
def test_a_wrong_slug_or_version_of_a_tool_is_refused(
    key: str, text: str, sound: bool
) -> None:
    linked = link(f'{HEAD}{key}: "{text}"\n')
    assert ([] if sound else ["bad-slug"]) == linked.slugs


def test_every_key_of_a_tool_reaches_its_model() -> None:
    linked = link(
        f"{HEAD}version: 1.10\nenabled: false\ntags: [a, b]\ntargets: [mcp]\n"
        "title: T\ndescription: D\nwhen_to_use: W\nx-team: {name: shop}\n"
        "mcp: {title: M, read_only: true, meta: {a/b: 1}}\n"
    )
    made = linked.tool
    assert ("1.10", False, ("a", "b"), ("mcp",)) == (
        made.version,
        made.enabled,
        made.tags,
        made.targets,
    )
    assert ("T", "D", "W") == (made.title, made.description, made.when_to_use)
    assert {"x-team": {"name": "shop"}} == made.extensions
    assert ("M", True, None, {"a/b": 1}) == (
        made.mcp.title,
        made.mcp.read_only,
        made.mcp.destructive,
        made.mcp.meta,
    )


def test_a_tool_without_arguments_accepts_only_an_empty_object() -> None:
    expected = {"type": "object", "properties": {}, "additionalProperties": False}
    assert expected == link(HEAD).tool.input_schema


STRING = ScalarType(Scalar.STRING)
RETURNS: list[tuple[str, Any, Any]] = [
    ("string", STRING, {"type": "string"}),
    ("string[]", ListType(STRING), {"type": "array", "items": {"type": "string"}}),
    ("int?", NullableType(ScalarType(Scalar.INT)), {"type": ["integer", "null"]}),
    (
        "list[dict]",
        ListType(ScalarType(Scalar.OBJECT)),
        {"type": "array", "items": {"type": "object"}},
    ),
    ("markdown", STRING, {"type": "string", "contentMediaType": "text/markdown"}),
    (
        "{type: int, description: How many}",
        ScalarType(Scalar.INT),
        {"type": "integer", "description": "How many"},
    ),
    ("User[]", ListType(EntityType("User")), None),
    ("{entity_ref: User}", EntityType("User"), None),
    (
        "{type: array, items: {type: number}}",
        ListType(ScalarType(Scalar.FLOAT)),
        {"type": "array", "items": {"type": "number"}},
    ),
]


@pytest.mark.parametrize(("text", "kind", "schema"), RETURNS)
def test_a_result_has_the_type_that_it_says(text: str, kind: Any, schema: Any) -> None:
    returns = link(f"{HEAD}returns: {text}\n", USER).tool.returns
    assert returns is not None
    assert kind == returns.type
    assert schema is None or schema == returns.schema


@pytest.mark.parametrize("text", ["", "returns: void\n", "returns: {type: void}\n"])
def test_a_tool_that_returns_nothing_has_no_result(text: str) -> None:
    assert link(HEAD + text).tool.returns is None


def test_returns_of_their_own_fields() -> None:
    block = "returns: {entity_ref: User, inline: {name: string, note: string?}}\n"
    returns = link(HEAD + block, USER).tool.returns
    assert returns is not None and isinstance(returns.type, RecordType)
    assert "ProbeResult" == returns.type.name
    assert ["id", "name", "note"] == [each.name for each in returns.type.fields]
    assert ["id", "name"] == returns.schema["required"]


def test_unknown_returns_suggest_their_own_words() -> None:
    linked = link(f"{HEAD}returns: markdwn\n")
    assert [("unknown-type", "markdwn")] == linked.told
    assert ("markdown",) == linked.only.suggestions


def test_bind_is_for_what_has_structure() -> None:
    def told(entry: str, head: str = SQL) -> list[str]:
        return link(f"{head}arguments: {{inline: {{a: {entry}}}}}\n", USER).slugs

    assert [] == told("{type: User, bind: json}")
    assert [] == told("{type: 'int[]', bind: json}")
    assert ["bad-bind"] == told("{type: int, bind: json}")
    assert ["bad-bind"] == told("{type: User, bind: json}", HEAD)


def test_a_tool_with_doubtful_arguments_is_left_out() -> None:
    linked = link(
        "type: sql_function\nname: probe\nsql: SELECT :limit\n"
        "arguments: {entity_ref: Paeg}\n"
    )
    assert ["unknown-entity"] == linked.slugs
    assert () == linked.catalog.tools


def test_the_catalog_is_sorted_and_independent_of_the_order_of_files() -> None:
    texts = [HEAD.replace("probe", name) for name in ("b", "a")]
    assert ["a", "b"] == [each.name for each in link(*texts).catalog.tools]
