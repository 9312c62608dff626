"""Python modules, which are read and never run: classes become entities, enums and tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from importers.documents import imported
from support.project import build

PYTHON = '''\
from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import Annotated, Literal, NotRequired, Optional, TypedDict

print(open("/etc/hostname").read())  # never run


class Part(StrEnum):
    SCHEME = auto()
    HOST = "host"


class Home(TypedDict, total=False):
    """Where somebody lives."""

    street: str
    zip: Annotated[str, "Five digits"]


@dataclass
class ParseURLInput:
    """Take a link apart."""

    url: "str"
    """The link."""
    parts: list[Part]
    limit: Optional[int] = 5
    kind: Literal["a", "b"] = "a"
    part: Part = Part.HOST
    tags: set[str] = field(default_factory=list)
    home: Home | None = None
    param_descriptions = {"parts": "Which parts"}


class NotOurs:
    x: complex
'''
PYTHON_SPECS = (
    "type: entity\nname: Part\nenum: [scheme, host]\n",
    """\
type: entity
name: Home
description: Where somebody lives.
fields:
  street: { type: string, required: false }
  zip: { type: string, required: false, description: Five digits }
""",
    """\
type: python_function
name: parse_url
description: Take a link apart.
arguments:
  inline:
    url: { type: string, description: The link. }
    parts: { type: "Part[]", description: Which parts }
    limit: { type: "int?", default: 5 }
    kind:
      type: string
      enum: [a, b]
      default: a
    part: { type: Part, default: host }
    tags:
      type: "string[]"
      uniqueItems: true
      default: []
    home: Home?
""",
)


NO_SPEC = "becomes no spec: it is not a dataclass, TypedDict, model of pydantic or enum"


def test_python_classes_become_specs_and_nothing_is_run(tmp_path: Path) -> None:
    documents, told = imported("types.py", PYTHON)
    assert [f"35 I714 class `NotOurs` {NO_SPEC}"] == told
    assert PYTHON_SPECS == documents
    project = build(tmp_path, {"a.yaml": "---\n".join(documents)})
    decode = project.tool("parse_url").input_type.from_dict
    assert 5 == decode({"url": "u", "parts": ["scheme"]}).limit


UNKNOWN_PYTHON = [
    ("x: complex", "5 I707 the type of `A` is not understood: `complex`"),
    ("x: 'list['", "5 I707 the type of `A` is not understood: `'list['`"),
    ("x: int = f()", "5 I707 the default of `A` is not understood: `f()`"),
    (
        "x: list[int] = field(default_factory=lambda: g())",
        "5 I707 the default of `A` is not understood: "
        "`field(default_factory=lambda: g())`",
    ),
    ("x: int = 'a'", "4 I707 a build would refuse the spec of `A`: the default of `x`"),
]


@pytest.mark.parametrize(("line", "said"), UNKNOWN_PYTHON)
def test_python_that_is_not_understood_is_told_where_it_stands(
    line: str, said: str
) -> None:
    text = f"from dataclasses import dataclass, field\n\n@dataclass\nclass A:\n    {line}\n"
    documents, told = imported("types.py", text)
    assert () == documents
    assert 1 == len(told)
    assert told[0].startswith(said)


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("dict[str, int]", {"additionalProperties": {"type": "integer"}}),
        ("Required[dict[str, str]]", {"additionalProperties": {"type": "string"}}),
        ("list[list[int]]", {"items": {"type": "array", "items": {"type": "integer"}}}),
        ("int | str", {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (
            "tuple[int]",
            {"prefixItems": [{"type": "integer"}], "minItems": 1, "maxItems": 1},
        ),
    ],
)
def test_types_beyond_those_of_a_spec_are_json_schema(
    annotation: str, schema: dict[str, Any]
) -> None:
    text = f"class A(TypedDict):\n    options: {annotation}\n"
    (document,), told = imported("types.py", text)
    assert [] == told
    options = yaml.safe_load(document)["properties"]["options"]
    options.pop("type", None)
    assert schema == options


def test_keys_that_are_no_texts_are_told() -> None:
    text = "class A(TypedDict):\n    options: dict[int, str]\n"
    (document,), told = imported("types.py", text)
    assert "fields: { options: object }\n" in document
    reason = "`dict[int, str]` of `options` is not imported: a spec does not say this"
    assert [f"2 I714 {reason}"] == told


def test_classes_that_make_no_spec_are_told_one_by_one() -> None:
    text = "class Thing(Exception):\n    x: int\n\nclass Plain:\n    pass\n"
    assert (
        (),
        [
            "1 I702 nothing to import",
            f"1 I714 class `Thing` {NO_SPEC}",
            f"4 I714 class `Plain` {NO_SPEC}",
        ],
    ) == imported("types.py", text)


def test_what_is_not_python_is_told() -> None:
    assert ["1 I701 this is not Python: invalid syntax"] == imported("a.py", "a b")[1]
    assert [
        "1 I701 this is not Python: source code string cannot contain null bytes"
    ] == (imported("a.py", "\0")[1])
    assert 1 == len(imported("a.py", "(" * 100_000)[1])
