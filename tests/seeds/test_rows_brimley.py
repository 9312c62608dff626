"""Seed 000, the rows B1 to B9 of its table, each by the words of its check."""

from __future__ import annotations

import json
import typing
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from brimgen.cli import run as cli
from support.project import Built, build
from support.seed_000 import COMPLEX, CONTEXT, FULL, PATH, SHORTHAND, STANDARD, WILDCARD

HEAD = "type: python_function\nname: probe\ndescription: A probe.\n"
RESOURCE = "type: resource\nname: probe\ndescription: A page.\nreturns: string\n"
CUSTOMER = "type: entity\nname: Customer\nfields: { name: string, email: string }\n"


def under(block: str, head: str = HEAD) -> str:
    return f"{head}arguments:\n{indent(block, '  ')}"


def inline(entries: str) -> str:
    return under(f"inline: {{ {entries} }}\n")


BLOCKS = {
    "1": under(SHORTHAND),
    "2": under(COMPLEX),
    "3": under(STANDARD),
    "4": HEAD + CONTEXT,
    "5": HEAD + FULL,
    "6": f"{RESOURCE}path: '/docs/{{category}}/{{sub_category}}/{{doc_index}}'\n{PATH}",
    "7": f"{RESOURCE}path: '/docs/{{category}}/{{remainder*}}'\n{WILDCARD}",
}


def schema_of(built: Built) -> Any:
    assert [] == [
        each.message for each in built.diagnostics if each.rule.severity == "error"
    ]
    return built.schema("probe.input")


def refused(tool: Any, call: Any) -> list[str]:
    """The pointers of what is wrong with a call."""
    with pytest.raises(ValueError) as caught:
        tool.input_type.from_dict(call)
    return [each.pointer for each in caught.value.violations]  # type: ignore[attr-defined]


@pytest.mark.parametrize("block", BLOCKS)
def test_B1_every_block_builds_as_it_stands(
    block: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "customer.yaml").write_text(CUSTOMER)
    (tmp_path / "specs" / "probe.yaml").write_text(BLOCKS[block])
    assert 0 == cli.run(["generate"])
    assert "error" not in capsys.readouterr().err
    assert (tmp_path / "out/python/tools/schemas/tools/probe.input.json").is_file()


def test_B1_args_is_another_word_for_arguments(tmp_path: Path) -> None:
    first = build(tmp_path / "a", {"p.yaml": BLOCKS["4"]}, package="same")
    text = BLOCKS["4"].replace("args:", "arguments:")
    assert first.files == build(tmp_path / "b", {"p.yaml": text}, package="same").files


def test_B2_shorthand(tmp_path: Path) -> None:
    assert {
        "type": "object",
        "properties": {
            "customer_id": {"type": "integer"},
            "is_active": {"type": "boolean"},
        },
        "required": ["customer_id", "is_active"],
        "additionalProperties": False,
    } == schema_of(build(tmp_path, {"p.yaml": BLOCKS["1"]}))


def test_B3_complex_reaches_every_output_and_the_decoder(tmp_path: Path) -> None:
    built = build(tmp_path, {"p.yaml": BLOCKS["2"]})
    told = "Number of records to return"
    limit = {"type": "integer", "maximum": 100, "default": 10, "description": told}
    assert limit == schema_of(built)["properties"]["limit"]
    assert "limit" not in schema_of(built).get("required", [])
    [mcp] = built.sent("mcp/tools.json")["tools"]
    assert limit == mcp["inputSchema"]["properties"]["limit"]
    [openai] = built.sent("openai/responses.json")
    assert {
        "anyOf": [{"type": "integer", "maximum": 100}, {"type": "null"}],
        "description": f"{told} (null means the default: 10)",
    } == openai["parameters"]["properties"]["limit"]
    probe = built.tool("probe")
    assert ["/limit"] == refused(probe, {"limit": 101})
    assert 10 == probe.input_type.from_dict({}).limit


COMPOSED = """\
inline:
  type: object
  properties:
    who: { $ref: "#/$defs/Who" }
    size: { not: { const: 3 } }
  oneOf:
    - required: [who]
    - required: [size]
  $defs:
    Who: { type: string, minLength: 1 }
  additionalProperties: false
"""


def test_B4_standard(tmp_path: Path) -> None:
    plain = schema_of(build(tmp_path / "a", {"p.yaml": BLOCKS["3"]}))
    assert ["customer_id"] == plain["required"]
    built = build(tmp_path / "b", {"p.yaml": under(COMPOSED)})
    verbatim = {
        "type": "object",
        "properties": {
            "who": {"$ref": "#/$defs/Who"},
            "size": {"not": {"const": 3}},
        },
        "oneOf": [{"required": ["who"]}, {"required": ["size"]}],
        "$defs": {"Who": {"type": "string", "minLength": 1}},
        "additionalProperties": False,
    }
    published = built.json(f"python/{built.package}/schemas/tools/probe.input.json")
    assert json.dumps(verbatim) == json.dumps(published)
    probe = built.tool("probe")
    assert "x" == probe.input_type.from_dict({"who": "x"}).who
    for call in ({"who": "x", "size": 1}, {}, {"size": 3}, {"who": ""}):
        assert refused(probe, call)


def test_B5_the_mode_is_read_off_the_mapping_or_said(tmp_path: Path) -> None:
    mixed = schema_of(
        build(tmp_path / "a", {"p.yaml": inline("a: int, b: {type: int}")})
    )
    assert {"a": {"type": "integer"}, "b": {"type": "integer"}} == mixed["properties"]
    named = schema_of(build(tmp_path / "b", {"p.yaml": inline("properties: string")}))
    assert {"properties": {"type": "string"}} == named["properties"]
    entry = "inline: { properties: { type: string, description: A word } }\n"
    forced = {}
    for mode in ("complex", "standard"):
        text = under(f"mode: {mode}\n{entry}")
        forced[mode] = build(tmp_path / mode, {"p.yaml": text})
    properties = {"properties": {"type": "string", "description": "A word"}}
    assert properties == schema_of(forced["complex"])["properties"]
    assert forced["standard"].diagnostics.has_errors


def test_B6_from_context(tmp_path: Path) -> None:
    built = build(tmp_path, {"p.yaml": BLOCKS["4"]})
    assert ["reason"] == list(schema_of(built)["properties"])
    probe = built.tool("probe")
    assert "actor_id" in typing.get_type_hints(probe.bound_type)
    call = probe.input_type.from_dict({"reason": "x"})
    bound = probe.bound_type.bind(call, {"app": {"user": {"id": "u-7"}}})
    assert ("x", "u-7") == (bound.reason, bound.actor_id)
    assert ["/actor_id"] == refused(probe, {"reason": "x", "actor_id": "me"})
    with pytest.raises(LookupError, match=r"app\.user\.id.*`?user`?"):
        probe.bound_type.bind(call, {"app": {}})


@pytest.mark.parametrize("path", ["env.HOME", "app", "app.__class__", "config."])
def test_B6_other_paths_are_errors_of_the_build(path: str, tmp_path: Path) -> None:
    text = BLOCKS["4"].replace("app.user.id", path)
    [error] = build(tmp_path, {"p.yaml": text}).diagnostics
    assert ("bad-context-path", "error") == (error.rule.reason, error.rule.severity)


WORDS = ["int", "float", "decimal", "bool", "string", "date", "datetime", "primitive"]
SCHEMAS: dict[str, Any] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "decimal": {"type": "number"},
    "bool": {"type": "boolean"},
    "string": {"type": "string"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
    "primitive": {"type": ["string", "number", "boolean"]},
}
HINTS: dict[str, Any] = {
    "int": int,
    "float": float,
    "decimal": Decimal,
    "bool": bool,
    "string": str,
    "date": date,
    "datetime": datetime,
    "primitive": Any,
}
SQL: dict[str, list[str]] = {
    "warehouse": [
        *("bigint", "double precision", "numeric", "boolean"),
        *("text", "date", "timestamp", ""),
    ],
    "analytics": [
        *("BIGINT", "DOUBLE", "DECIMAL(38,9)", "BOOLEAN"),
        *("VARCHAR", "DATE", "TIMESTAMP", ""),
    ],
}


def test_B7_schemas_and_python_types(tmp_path: Path) -> None:
    fields = ", ".join(f"a_{word}: {word}" for word in WORDS)
    built = build(tmp_path, {"p.yaml": inline(fields)})
    exact = {"x-decimal": True}
    found = schema_of(built)["properties"]
    assert SCHEMAS == {
        word: {k: v for k, v in found[f"a_{word}"].items() if k not in exact}
        for word in WORDS
    }
    hints = typing.get_type_hints(built.tool("probe").input_type)
    assert HINTS == {word: hints[f"a_{word}"] for word in WORDS}


@pytest.mark.parametrize("connection", SQL)
def test_B7_sql_types(connection: str, tmp_path: Path) -> None:
    fields = "".join(f"    a_{word}: {word}\n" for word in WORDS)
    values = ", ".join(f":a_{word}" for word in WORDS)
    text = (
        f"type: sql_function\nname: probe\nconnection: {connection}\n"
        f"arguments:\n  inline:\n{fields}"
        f"sql: INSERT INTO t (a, b, c, d, e, f, g, h) VALUES ({values})\n"
    )
    built = build(tmp_path, {"p.yaml": text}, targets=("sql",))
    assert [] == built.slugs
    statement = built.json("sql/probe.json")
    assert SQL[connection] == [
        each["sql_type"] for each in statement["params"].values()
    ]


def test_B8_conversion(tmp_path: Path) -> None:
    fields = "amount: decimal, at: datetime, on: date, what: primitive"
    probe = build(tmp_path, {"p.yaml": inline(fields)}).tool("probe")
    text = (
        '{"amount": 12345678901234567.89, "at": "2026-01-18T05:00:00+05:30",'
        ' "on": "2026-01-18", "what": WHAT}'
    )
    made = probe.input_type.from_call(text.replace("WHAT", "1"))
    assert Decimal("12345678901234567.89") == made.amount
    assert datetime(2026, 1, 17, 23, 30, tzinfo=UTC) == made.at
    assert made.at.tzinfo is not None
    assert date(2026, 1, 18) == made.on and type(made.on) is date
    accepted: list[tuple[str, object]] = [('"a"', "a"), ("1", 1), ("1.5", 1.5)]
    for what, value in [*accepted, ("true", True)]:
        made = probe.input_type.from_call(text.replace("WHAT", what))
        assert (type(value), value) == (type(made.what), made.what)
    for what in ("null", "[]", "{}"):
        with pytest.raises(ValueError, match="what"):
            probe.input_type.from_call(text.replace("WHAT", what))


USERS = """\
type: entity
name: User
fields: { name: string }
---
type: entity
name: Team
fields: { members: "User[]", scores: "int[]" }
---
type: python_function
name: probe
description: A probe.
arguments: { inline: { ids: "int[]", users: "User[]", team: Team } }
returns: "User[]"
---
type: python_function
name: count
description: A probe.
returns: "int[]"
"""


def test_B9_collections(tmp_path: Path) -> None:
    built = build(tmp_path, {"p.yaml": USERS})
    probe = built.tool("probe")
    user = built.load("entities").User
    call = {
        "ids": [1],
        "users": [{"name": "a"}, {"name": "b"}],
        "team": {"members": [{"name": "c"}], "scores": [2]},
    }
    made = probe.input_type.from_dict(call)
    assert [user("a"), user("b")] == made.users
    assert ([user("c")], [2]) == (made.team.members, made.team.scores)
    assert ["/ids/1"] == refused(probe, {**call, "ids": [1, "x"]})
    output = built.schema("probe.output")
    assert "array" == output["type"]
    assert ["name"] == output["items"]["required"]
    numbers = built.schema("count.output")
    assert ("array", {"type": "integer"}) == (numbers["type"], numbers["items"])
