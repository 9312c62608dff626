"""Texts that look like code, of all lengths, in every text position of a spec and all targets.

Every module compiles, black leaves it as it is, and it gives the texts back unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import black
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.emit import EMITTERS
from support.budget import costs
from support.project import Built, build

ALL = tuple(each.name for each in EMITTERS)
PROVIDERS = ("openai", "anthropic", "gemini")
FRAGMENTS = (
    *(" if ", " else ", " for x in ", " or ", " and ", " not in ", " in ", " is not "),
    *(" = ", " == ", " != ", ": ", ", ", ",", "(", ")", "[", "]", "{", "}", ").", "]["),
    *(
        '"',
        "'",
        '"""',
        "'''",
        "\\",
        "\\n",
        "\n",
        "#",
        "  # fmt: skip",
        " -> ",
        "lambda x: ",
    ),
    *(
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "%s",
        "%(x)s",
        ":x",
        "::",
        "--",
        "/*",
        "*/",
        "$$",
        "?",
        ";",
    ),
    *(
        "SELECT 1",
        " WHERE ",
        "return ",
        "raise ",
        "def f():",
        "class A:",
        "import os",
        "None",
    ),
    *(
        "word",
        "another word",
        "x",
        "0",
        "é",
        "注文",
        "a.b",
        "*",
        "**",
        "@",
        "|",
        "`",
        "<b>",
    ),
)
LENGTHS = (
    1,
    2,
    3,
    5,
    8,
    13,
    20,
    24,
    28,
    30,
    31,
    34,
    40,
    41,
    48,
    55,
    60,
    64,
    70,
    75,
    80,
    90,
)
MODE = black.Mode(target_versions={black.TargetVersion.PY311})


class Specs:
    """Writes random specs; ``said`` are the texts that must come back, by where they stand."""

    def __init__(self, random: Random) -> None:
        self.random = random
        # Providers take short names only.
        self.is_short = random.random() < 0.4
        self.names: set[str] = set()

    def text(self, *, line: bool = False, plain: bool = False) -> str:
        """A text of a random length."""
        wanted, found = (
            self.random.choice((0, 1, 8, 25, 31, 45, 60, 72, 80, 88, 130)),
            "T",
        )
        while len(found) < wanted:
            found += self.random.choice(FRAGMENTS)
        found = found + "z"
        if line or plain:
            found = found.replace("\n", " ")
        return found

    def name(self, *, longest: int = 90) -> str:
        """A name that nothing else has."""
        longest = min(longest, 60) if self.is_short else longest
        while True:
            length = self.random.choice([each for each in LENGTHS if each <= longest])
            word = self.random.choice(
                ("if", "for", "or", "value", "not_in", "is", "else_")
            )
            made = (f"{word}_" * 40)[:length].strip("_")
            made = made or "v"
            while made.casefold().replace("_", "") in self.names:
                made += self.random.choice("abcdefgh")
            self.names.add(made.casefold().replace("_", ""))
            return made

    def scalar(self) -> dict[str, Any]:
        """An optional argument without parts."""
        text, other = self.text(), f"{self.text()}2"
        described = {"description": self.text()}
        return self.random.choice(
            [
                {"type": "string", "default": text, **described},
                {"type": "string", "enum": [text, other], "default": text, **described},
                {"type": "string", "enum": [text, other], "required": False},
                {"type": "string?", "default": text},
                {"type": "string?", "enum": [text, other]},
                {
                    "type": "string",
                    "required": False,
                    "examples": [text],
                    "title": text,
                },
                {"type": "string[]", "default": [text, other], **described},
                {"type": "string[]", "required": False, "maxItems": 3},
                {"type": "string[]?", "maxItems": 1000000000},
                {"type": "datetime", "default": "2024-01-02T03:04:05Z"},
                {"type": "datetime?"},
                {"type": "datetime[]", "required": False, **described},
                {"type": "date", "default": "2024-01-02", **described},
                {"type": "decimal", "default": 1.5, "minimum": 0},
                {"type": "decimal?", "maximum": 99999},
                {"type": "decimal[]?"},
                {"type": "float?", "minimum": 0, "maximum": 1},
                {"type": "float[]", "required": False},
                {"type": "int", "default": 7, "maximum": 10**12},
                {"type": "int[]?", "maxItems": 4},
                {
                    "type": "int",
                    "enum": [1, 22222222, 333333333333, 4],
                    "required": False,
                },
                {"type": "bool?", **described},
                {"type": "uuid?", **described},
                {"type": "uuid[]", "required": False},
                {"type": "object", "required": False},
                {"type": "string", "required": False, "pattern": "^[a-z (]{1,9}$"},
                {"type": self.entity, "required": False, **described},
                {"type": f"{self.entity}[]", "required": False},
                {"type": f"{self.entity}?"},
                {"type": self.mood, "default": self.moods[0]},
                {"type": f"{self.mood}[]", "default": [self.moods[1]]},
                {"type": f"{self.mood}?"},
                {"type": "shade", "default": text},
                {"type": "shade?"},
                {"type": "shade[]", "required": False},
            ]
        )

    def argument(self, depth: int = 0) -> dict[str, Any]:
        """An optional argument."""
        if depth < 2 and self.random.random() < 0.2:
            return {
                "type": self.random.choice(("object", "object[]")),
                "required": False,
                "description": self.text(),
                "fields": self.fields(depth + 1),
            }
        return self.scalar()

    def fields(self, depth: int = 0, most: int = 5) -> dict[str, Any]:
        """Some arguments by name."""
        count = self.random.randint(1, most)
        return {self.name(): self.argument(depth) for _ in range(count)}

    def documents(self) -> list[dict[str, Any]]:
        """Specs of every kind."""
        self.entity, self.mood = (
            f"Entity_{self.name(longest=55)}",
            f"Mood_{self.name(longest=55)}",
        )
        self.moods = [self.text(), f"{self.text()}2"]
        hidden = {
            self.name(): {
                "type": "string",
                "from_context": f"app.{self.name()}",
                "description": self.text(),
                **self.random.choice(
                    ({}, {"required": False}, {"default": self.text()})
                ),
            },
            self.name(): self.random.choice(
                (
                    {"type": "string", "llm": False, "default": self.text()},
                    {
                        "type": "datetime",
                        "llm": False,
                        "default": "2024-01-02T03:04:05Z",
                    },
                    {"type": self.mood, "llm": False, "default": self.moods[0]},
                    {"type": "string[]", "llm": False, "default": [self.text()]},
                    {"type": "string?", "llm": False},
                )
            ),
        }
        field_of_entity = {
            "label": {
                "type": "string",
                "description": self.text(),
                "default": self.text(),
            },
            self.name(): {"type": "decimal", "required": False},
            self.name(): {"type": "string", "enum": [self.text(), f"{self.text()}2"]},
            self.name(): {"type": "datetime?", "description": self.text()},
        }
        plain, part = self.name(longest=40), self.name(longest=40)
        one, two = self.name(longest=48), self.name(longest=48)
        inline = {plain: {"type": "string", "description": self.text()}}
        request = self.text(line=True).replace("$", "S")
        return [
            {
                "type": "entity",
                "name": self.entity,
                "description": self.text(),
                "fields": field_of_entity,
            },
            {
                "type": "entity",
                "name": self.mood,
                "description": self.text(),
                "enum": self.moods,
            },
            {
                "type": "leaf",
                "name": "shade",
                "description": self.text(),
                "schema": {"type": "string"},
            },
            {
                "type": "python_function",
                "name": self.name(longest=60),
                "title": self.text(line=True),
                "description": self.text(),
                "when_to_use": self.text(),
                "tags": [self.text(line=True)],
                "version": "1.0",
                "handler": f"some_module.{self.name()}:{self.name()}",
                "arguments": {"inline": {**self.fields(most=7), **hidden}},
                "returns": self.random.choice(
                    (
                        {"type": "string", "description": self.text()},
                        {"type": f"{self.entity}[]", "description": self.text()},
                        {"type": "object", "fields": self.fields(1)},
                        {"type": "datetime[]"},
                        {"type": "string", "enum": [self.text(), f"{self.text()}2"]},
                    )
                ),
            },
            {
                "type": "python_function",
                "name": self.name(longest=60),
                "description": self.text(),
                "arguments": {
                    "type": "object",
                    "properties": {
                        self.key(): {"type": "string", "default": self.text()},
                        self.name(): {
                            "type": "object",
                            "additionalProperties": {
                                "type": "string",
                                "enum": [self.text()],
                            },
                        },
                        self.name(): {
                            "type": ["string", "integer"],
                            "description": self.text(),
                        },
                        self.name(): {"const": self.text()},
                        self.name(): {
                            "type": ["string", "null"],
                            "enum": [self.text(), None],
                        },
                        self.name(): {"anyOf": [{"type": "string"}, {"type": "array"}]},
                    },
                },
            },
            {
                "type": "sql_function",
                "name": self.name(longest=60),
                "description": self.text(),
                "connection": self.random.choice(("default", "warehouse", "analytics")),
                "arguments": {
                    "inline": {
                        one: {
                            "type": "string",
                            "description": self.text(),
                            "default": self.text(),
                        },
                        two: {"type": "int[]", "minItems": 1},
                    }
                },
                "returns": {
                    "type": "object[]",
                    "fields": {
                        "a": {"type": "string", "description": self.text()},
                        self.name(longest=60): {
                            "type": "string?",
                            "enum": [self.text(), None],
                        },
                        self.name(longest=60): {"type": "datetime", "required": False},
                        self.name(longest=60): {"type": "decimal[]", "required": False},
                    },
                },
                "sql": f"SELECT {self.sql()} AS a, :{one} AS b\n  WHERE 1 IN (:{two})",
            },
            {
                "type": "http_function",
                "name": self.name(longest=60),
                "title": self.text(line=True),
                "description": self.text(),
                "allowedHosts": ["h.example"],
                "arguments": {
                    "inline": {**inline, part: {"type": "string[]", "required": False}}
                },
                "request": {
                    "method": "POST",
                    "urlTemplate": f"https://h.example/{self.path()}/${{{plain}}}",
                    "query": {"q": request, self.name(): f"${{{part}}}"},
                    "headers": {
                        "X-Text": self.text(line=True)
                        .replace("$", "S")
                        .encode("ascii", "ignore")
                        .decode()
                    },
                    "body": {
                        request: [request, 1],
                        "deep": {"part": f"{request}${{{plain}}}"},
                    },
                },
                "returns": self.random.choice(
                    (
                        {
                            "type": "object",
                            "fields": {self.name(): {"type": "decimal"}, "a": "date?"},
                        },
                        {"type": f"{self.entity}[]"},
                        {"type": "string", "enum": [self.text(), f"{self.text()}2"]},
                    )
                ),
            },
            {
                "type": "template_function",
                "name": self.name(longest=60),
                "description": self.text(),
                "arguments": {
                    "inline": {plain: "string", one: "string[]", two: "string?"}
                },
                "messages": [
                    {"role": "system", "content": self.words()},
                    {
                        "role": "user",
                        "content": self.template(plain, one, two),
                    },
                ],
            },
            {
                "type": "resource",
                "name": self.name(longest=60),
                "description": self.text(),
                "path": f"/{self.path()}/{{{plain}}}",
                "arguments": {"inline": inline},
            },
        ]

    def key(self) -> str:
        """The name of a property."""
        return self.name() if self.is_short else self.text(line=True)[:100]

    def path(self) -> str:
        """A segment of a URL."""
        return "p" * self.random.choice(LENGTHS)

    def template(self, plain: str, many: str, maybe: str) -> str:
        """A template of every statement."""
        one, two, three = (json.dumps(self.words()) for _ in range(3))
        parts = (
            self.words(),
            f"{{% if args.{plain} == {one} %}}",
            f"{{{{ args.{maybe} | default({two}) }}}}",
            "{% endif %}",
            f"{{% for each in args.{many} if each != {three} %}}",
            self.words(),
            "{{ each | upper }}{% else %}",
            self.words(),
            "{% endfor %}",
        )
        return "".join(parts)

    def words(self) -> str:
        """A text that a template says as it is."""
        found = self.text()
        for mark in ("{{", "{%", "{#", "}}", "%}"):
            found = found.replace(mark, " ")
        return found

    def sql(self) -> str:
        """A text as a literal of SQL."""
        found = self.text(plain=True).encode("ascii", "ignore").decode()
        for mark in ("\\", ":", "$", "?", "%", "{", "}", "@", "#", "--", "/*", ";"):
            found = found.replace(mark, " ")
        return "'" + found.replace("'", "''") + "'"


def made_of(
    folder: Path, documents: list[dict[str, Any]], *, is_short: bool = True
) -> Built:
    targets = tuple(each for each in ALL if is_short or each not in PROVIDERS)
    text = "\n---\n".join(json.dumps(each, ensure_ascii=False) for each in documents)
    made = build(folder, {"all.yaml": text}, targets=targets)
    told = [each for each in made.diagnostics if each.rule.severity == "error"]
    assert [] == [f"{each.rule.code} {each.message}" for each in told]
    return made


def check_modules(made: Built) -> None:
    """Every module that is made of specs compiles, and black leaves it as it is."""
    for path, text in made.files.items():
        name = Path(path).name
        if not path.endswith(".py") or (name.startswith("_") and name[1] != "l"):
            continue
        if "/_" in path:
            continue
        compile(text, path, "exec", dont_inherit=True)
        if not path.startswith("models/"):  # another generator lays those out
            assert (
                black.format_str(text, mode=MODE).splitlines() == text.splitlines()
            ), path


def check_said(tool: Any, document: Mapping[str, Any]) -> None:
    """What a spec says of arguments comes back from the package."""
    assert document["description"] == tool.description
    arguments = document["arguments"]
    inline = arguments.get("inline") or arguments["properties"]
    shown = tool.input_schema["properties"]
    given: dict[str, Any] = {}
    for name, field in inline.items():
        if not isinstance(field, dict) or name not in shown:
            continue
        if "description" in field:
            assert field["description"] == shown[name]["description"]
        if "enum" in field and "default" not in field:
            given[name] = field["enum"][-2 if None in field["enum"] else -1]
        if "const" in field:
            given[name] = field["const"]
    if document["type"] != "python_function":
        return
    call = tool.input_type.from_dict(given).to_dict()
    slow = tool.input_type.from_accepted(given).to_dict()
    assert call == slow
    for name, field in inline.items():
        if name in shown and isinstance(field, dict):
            expected = given.get(name, field.get("default"))
            if isinstance(expected, str | list):
                assert expected == call[name]


def check(random: Random) -> None:
    specs = Specs(random)
    documents = specs.documents()
    with TemporaryDirectory() as folder:
        made = made_of(Path(folder), documents, is_short=specs.is_short)
        check_modules(made)
        for path in made.files:
            if (
                path.endswith(".py")
                and "transport" not in path
                and "mcp_server" not in path
            ):
                module = (
                    path.removesuffix(".py").removesuffix("/__init__").split("/")[2:]
                )
                if "_leaves" not in module and not (
                    module and module[0].startswith("_")
                ):
                    made.load(".".join(module))
        for each in documents:
            if "arguments" in each:
                check_said(made.tool(each["name"]), each)


@pytest.mark.whole
@costs(12)
@given(st.randoms(use_true_random=False))
def test_text_that_looks_like_code_is_only_text(random: Random) -> None:
    check(random)


def test_an_ordinary_default_with_if_in_it_compiles(tmp_path: Path) -> None:
    said = "Answer in one sentence if the user is in a hurry."
    spec = {
        "type": "python_function",
        "name": "ask",
        "description": "Ask.",
        "arguments": {"inline": {"instruction": {"type": "string", "default": said}}},
    }
    made = made_of(tmp_path, [spec])
    check_modules(made)
    assert said == made.tool("ask").input_type.from_dict({}).instruction
    assert {"instruction": said} == made.tool("ask").input_type.from_dict({}).to_dict()
