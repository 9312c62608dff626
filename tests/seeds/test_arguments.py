"""Seed 000, row by row: every YAML block of it builds unchanged and means what it says."""

from __future__ import annotations

import textwrap
import typing
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from support.project import build

HEADER = "type: python_function\nname: probe\ndescription: A probe.\n"


def tool(arguments: str, key: str = "arguments") -> str:
    return HEADER + f"{key}:\n" + textwrap.indent(textwrap.dedent(arguments), "  ")


SHORTHAND = """\
inline:
  customer_id: int
  is_active: bool
"""
COMPLEX = """\
inline:
  limit:
    type: int
    default: 10
    maximum: 100
    description: "Number of records to return"
"""
STANDARD = """\
inline:
  properties:
    customer_id: { type: integer }
  required: [customer_id]
"""
CONTEXT = """\
args:
  inline:
    # Provided by user
    reason: string
    # Automatically injected from system state
    actor_id:
      type: string
      from_context: "app.user.id"
"""
FULL = """\
arguments:
  entity_ref: Customer # Inherits Customer fields
  inline:
    status:
      type: string
      default: "shipped"
      enum: ["pending", "shipped", "cancelled"]
    min_total: float
    start_date: date
    user_id:
      type: string
      from_context: "app.user.id"
"""
PATH = """\
arguments:
  entity_ref: ~
  inline:
    category: string
    sub_category: string
    doc_index: int
"""
REST = """\
arguments:
  entity_ref: ~
  inline:
    category: string
    remainder: string # This would capture "hardware/sensors/v1"
"""
CUSTOMER = """\
type: entity
name: Customer
fields:
  name: string
  email: string
"""


def input_schema(folder: Path, spec: str, **files: str) -> Any:
    built = build(folder, {"probe.yaml": spec, **files})
    assert [] == built.slugs
    return built.json("json_schema/tools/probe.input.json")


def test_shorthand(tmp_path: Path) -> None:
    expected = {
        "type": "object",
        "properties": {
            "customer_id": {"type": "integer"},
            "is_active": {"type": "boolean"},
        },
        "required": ["customer_id", "is_active"],
        "additionalProperties": False,
    }
    assert expected == input_schema(tmp_path, tool(SHORTHAND))


def test_complex(tmp_path: Path) -> None:
    built = build(tmp_path, {"probe.yaml": tool(COMPLEX)})
    limit = built.json("json_schema/tools/probe.input.json")["properties"]["limit"]
    expected = {
        "type": "integer",
        "maximum": 100,
        "default": 10,
        "description": "Number of records to return",
    }
    assert expected == limit
    assert "required" not in built.json("json_schema/tools/probe.input.json")
    [chat] = built.json("openai/chat.json")
    description = chat["function"]["parameters"]["properties"]["limit"]["description"]
    assert description.startswith("Number of records to return")
    [mcp] = built.json("mcp/tools.json")["tools"]
    assert limit == mcp["inputSchema"]["properties"]["limit"]
    probe = built.tool("probe")
    assert 10 == probe.input_type.from_dict({}).limit
    with pytest.raises(ValueError, match="limit"):
        probe.input_type.from_dict({"limit": 101})


def test_standard(tmp_path: Path) -> None:
    schema = input_schema(tmp_path, tool(STANDARD))
    assert ["customer_id"] == schema["required"]
    assert {"customer_id": {"type": "integer"}} == schema["properties"]


def test_context(tmp_path: Path) -> None:
    built = build(tmp_path, {"probe.yaml": HEADER + CONTEXT})
    same = build(
        tmp_path / "twin",
        {"probe.yaml": HEADER + CONTEXT.replace("args:", "arguments:")},
        package=built.package,
    )
    assert built.files == same.files
    schema = built.json("json_schema/tools/probe.input.json")
    assert ["reason"] == list(schema["properties"])
    probe = built.tool("probe")
    with pytest.raises(ValueError, match="actor_id"):
        probe.input_type.from_dict({"reason": "x", "actor_id": "me"})
    call = probe.input_type.from_dict({"reason": "x"})
    bound = probe.bound_type.bind(call, {"app": {"user": {"id": "u1"}}})
    assert ("x", "u1") == (bound.reason, bound.actor_id)
    with pytest.raises(LookupError, match=r"app\.user\.id.*user"):
        probe.bound_type.bind(call, {"app": {}})


@pytest.mark.parametrize("path", ["env.HOME", "app", "app.__class__", "config."])
def test_context_path_is_checked(tmp_path: Path, path: str) -> None:
    spec = HEADER + CONTEXT.replace("app.user.id", path)
    assert build(tmp_path, {"probe.yaml": spec}).found.has_errors


def test_full_example(tmp_path: Path) -> None:
    built = build(tmp_path, {"probe.yaml": HEADER + FULL, "customer.yaml": CUSTOMER})
    assert [] == built.slugs
    schema = built.json("json_schema/tools/probe.input.json")
    expected = ["name", "email", "status", "min_total", "start_date"]
    assert expected == list(schema["properties"])
    assert ["name", "email", "min_total", "start_date"] == schema["required"]
    bound = built.json("json_schema/tools/probe.bound.json")
    assert [*expected, "user_id"] == list(bound["properties"])


@pytest.mark.parametrize(
    ("block", "path"),
    [
        (PATH, "/docs/{category}/{sub_category}/{doc_index}"),
        (REST, "/docs/{category}/{remainder*}"),
    ],
)
def test_resource_blocks(tmp_path: Path, block: str, path: str) -> None:
    spec = (
        f"type: resource\nname: docs\ndescription: Pages.\npath: {path}\n{block}"
        "returns: string\n"
    )
    built = build(tmp_path, {"docs.yaml": spec})
    assert [] == built.slugs
    [template] = built.json("mcp/resource_templates.json")["resourceTemplates"]
    assert template["uriTemplate"].endswith(
        path.replace("{remainder*}", "{+remainder}")
    )


TYPE_TABLE = {
    "int": ({"type": "integer"}, int),
    "float": ({"type": "number"}, float),
    "decimal": ({"type": "number"}, Decimal),
    "bool": ({"type": "boolean"}, bool),
    "string": ({"type": "string"}, str),
    "date": ({"type": "string", "format": "date"}, date),
    "datetime": ({"type": "string", "format": "date-time"}, datetime),
    "primitive": ({"type": ["string", "number", "boolean"]}, None),
}


@pytest.mark.parametrize("word", TYPE_TABLE)
def test_type_table(tmp_path: Path, word: str) -> None:
    fragment, annotation = TYPE_TABLE[word]
    built = build(tmp_path, {"probe.yaml": tool(f"inline: {{value: {word}}}")})
    schema = built.json("json_schema/tools/probe.input.json")
    plain = {
        key: value
        for key, value in schema["properties"]["value"].items()
        if not key.startswith("x-")
    }
    assert fragment == plain
    hints = typing.get_type_hints(built.tool("probe").input_type)
    if annotation is not None:
        assert annotation is hints["value"]


SQL_TYPES = {
    "postgres": {
        "int": "bigint",
        "float": "double precision",
        "decimal": "numeric",
        "bool": "boolean",
        "string": "text",
        "date": "date",
        "datetime": "timestamp",
    },
    "duckdb": {
        "int": "BIGINT",
        "float": "DOUBLE",
        "decimal": "DECIMAL",
        "bool": "BOOLEAN",
        "string": "VARCHAR",
        "date": "DATE",
        "datetime": "TIMESTAMP",
    },
}


@pytest.mark.parametrize("dialect", SQL_TYPES)
def test_sql_types(tmp_path: Path, dialect: str) -> None:
    words = SQL_TYPES[dialect]
    connection = {"postgres": "warehouse", "duckdb": "analytics"}[dialect]
    names = ", ".join(f":a_{word}" for word in words)
    columns = ", ".join(f"c{number}" for number in range(len(words)))
    spec = (
        "type: sql_function\nname: probe\ndescription: A probe.\n"
        f"connection: {connection}\n"
        "arguments:\n  inline:\n"
        + "".join(f"    a_{word}: {word}\n" for word in words)
        + f"sql: INSERT INTO t ({columns}) VALUES ({names})\n"
    )
    built = build(tmp_path, {"probe.yaml": spec})
    assert [] == [each.message for each in built.found]
    [binding] = built.json("sql/bindings.json")["statements"]
    actual = {
        each["name"].removeprefix("a_"): each["sql_type"].split("(")[0]
        for each in binding["params"]
    }
    assert words == actual
