"""Any text in every position of a spec: it comes back equal out of every target, as data.

The output is parsed, never searched: Python by `ast` and by importing it, JSON as JSON, Markdown by
a parser that would show raw HTML. What would run is a call of `print` with a sentinel, or a raised
error; that the modules hold nothing but what generated modules may hold is told by their trees.
"""

from __future__ import annotations

import ast
import json
from inspect import cleandoc
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from brimgen.emit import EMITTERS
from support.budget import costs
from support.project import Built, build
from support.visible import visible

ALL = tuple(each.name for each in EMITTERS)
SENTINEL = "brimgen_sentinel"
PIECES = (
    *(
        '"',
        "'",
        "\\",
        '"""',
        "'''",
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "\n",
        "\r",
        "\t",
    ),
    *(
        "*/",
        "/*",
        "-->",
        "<!--",
        "`",
        "```",
        "**",
        "_",
        "[x](y)",
        "![x](y)",
        "<b>",
        "&lt;",
    ),
    *(
        "<script>alert(1)</script>",
        "]]>",
        "${HOME}",
        "$(id)",
        "%s",
        "{0}",
        ":name",
        "--",
        ";",
    ),
    *(
        "\\N{DASH}",
        "\\x41",
        "\\u0041",
        "#",
        "# type: ignore",
        "# noqa",
        "|",
        "---",
        "\\\n",
    ),
    *(f"{{{{ {SENTINEL} }}}}", f'"""\nraise SystemError("{SENTINEL}")\n"""'),
    *(f'"); print("{SENTINEL}"); ("', f"\\u0022\\u0022\\u0022\nprint('{SENTINEL}')#"),
    *(" if x else ", "  # fmt: skip", "lambda x: ", ").", "-> (", "x" * 90),
    *("é", "注", "\U0001f600", "e\u0301", "\u00a0", "0", "True", "null", " "),
)
TEXTS = st.lists(
    st.sampled_from(PIECES)
    | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4),
    min_size=1,
    max_size=6,
).map(lambda parts: visible("a" + "".join(parts) + "\\z"))


def quoted(text: str) -> str:
    """A double-quoted YAML text, every character that is not plain as an escape."""
    plain = (
        (
            each
            if (each.isascii() and each.isalnum()) or each == " "
            else f"\\U{ord(each):08X}"
        )
        for each in text
    )
    return '"' + "".join(plain) + '"'


def specs_of(texts: list[str]) -> str:
    """A spec of every kind, with a text in each position that takes any."""
    one, two, three = (quoted(each) for each in texts)
    return f"""\
type: entity
name: Thing
title: {two}
description: {one}
fields:
  label: {{ type: string, description: {two}, default: {three}, title: {one} }}
---
type: entity
name: Mood
description: {three}
enum: [{one}, plain]
---
type: leaf
name: colour
description: {three}
schema: {{ type: string, description: {two} }}
---
type: bundle
name: shelf
id: 018f0e2b-1c4d-7abc-8def-0123456789ab
displayName: {one}
description: {two}
---
type: python_function
name: act
title: {three}
description: {one}
when_to_use: {two}
bundle: shelf
tags: [x]
arguments:
  inline:
    text: {{ type: string, description: {one}, default: {two}, title: {three}, examples: [{one}] }}
    choice: {{ type: string, enum: [{one}, other], description: {three} }}
    thing: {{ type: Thing, description: {two} }}
    mood: Mood
    shade: colour
    list: {{ type: "string[]", default: [{one}, {two}], description: {one} }}
returns: {{ type: string, description: {three} }}
x-note: {one}
mcp: {{ title: {two}, description: {three} }}
---
type: sql_function
name: look
description: {two}
arguments: {{ inline: {{ key: {{ type: string, description: {one}, default: {three} }} }} }}
returns: object[]
sql: SELECT :key AS key
---
type: template_function
name: say
description: {three}
arguments: {{ inline: {{ who: {{ type: string, description: {two} }} }} }}
messages:
  - {{ role: system, content: {quoted(raw(texts[0]))} }}
  - {{ role: user, content: "{{{{ args.who }}}}" }}
---
type: resource
name: page
description: {one}
path: /pages/{{id}}
arguments: {{ inline: {{ id: {{ type: string, description: {two} }} }} }}
"""


def raw(text: str) -> str:
    """``text`` as a template that says it: with marks of Jinja it would be another one."""
    return text if not any(mark in text for mark in ("{{", "{%", "{#")) else "plain"


def built(folder: Path, texts: list[str]) -> Built:
    made = build(folder, {"all.yaml": specs_of(texts)}, targets=ALL)
    assert [] == [
        f"{each.rule.code} {each.message}"
        for each in made.diagnostics
        if each.rule.severity == "error"
    ]
    return made


def check_python(made: Built, texts: list[str], said: str) -> None:
    """Every module parses, nothing runs, and the texts are there as values and docstrings."""
    constants: set[object] = set()
    for path, text in made.files.items():
        if path.endswith(".py"):
            tree = ast.parse(text)
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant):
                    constants.add(node.value)
                if isinstance(node, ast.Name):
                    assert SENTINEL not in node.id, path
    tool = made.tool("act")
    one, two, _ = texts
    said_of_class = tool.input_type.__doc__
    # Plain texts of several lines are indented, as `inspect.cleandoc` undoes.
    assert one in (said_of_class, cleandoc(said_of_class))
    module = made.load("tools.act")
    assert one in constants
    assert SENTINEL not in said
    call = tool.input_type.from_dict(
        {"choice": one, "thing": {}, "mood": one, "shade": two}
    )
    given = call.to_dict()
    assert (two, one, [one, two]) == (given["text"], given["choice"], given["list"])
    assert module is not None


def check_json(made: Built, texts: list[str]) -> None:
    """The published schema and the descriptors say the very texts."""
    one, two, three = texts
    for path, text in made.files.items():
        if path.endswith(".json"):
            json.loads(text)
    schema = made.schema("act.input")
    properties: dict[str, Any] = schema["properties"]
    assert one == properties["text"]["description"]
    assert (two, three) == (properties["text"]["default"], properties["text"]["title"])
    assert [one, "other"] == properties["choice"]["enum"]
    assert [one, two] == properties["list"]["default"]
    assert two == properties["thing"]["description"]
    tools = {each["name"]: each for each in made.sent("mcp/tools.json")["tools"]}
    assert two == tools["act"]["title"]
    assert tools["act"]["description"].startswith(three)


def check_pages(made: Built) -> None:
    """No text becomes HTML of its own, or a link to anywhere."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table"])
    for path, text in made.files.items():
        if not path.endswith(".md"):
            continue
        for token in parser.parse(text):
            if token.content.strip() in text.split("\n")[:3]:
                continue  # the header of generated files is a comment
            for each in (token, *(token.children or ())):
                of_ours = each.content == "<br>"  # the end of a line in a table
                assert of_ours or not each.type.startswith("html"), (path, each)
                assert each.attrs.get("href", "") != "y", path
                assert each.attrs.get("src", "") != "y", path


def check_all(texts: list[str], capsys: pytest.CaptureFixture[str] | None) -> None:
    with TemporaryDirectory() as folder:
        made = built(Path(folder), texts)
        check_json(made, texts)
        check_pages(made)
        check_python(made, texts, capsys.readouterr().out if capsys else "")


@costs(12)
@given(st.lists(TEXTS, min_size=3, max_size=3, unique=True))
def test_any_text_comes_back(texts: list[str]) -> None:
    check_all(texts, None)


@pytest.mark.parametrize("start", range(0, len(PIECES), 12))
def test_each_piece_comes_back(start: int, capsys: pytest.CaptureFixture[str]) -> None:
    pieces = PIECES[start : start + 12]
    texts = [
        "".join(f"{each} {n}" for n, each in enumerate(pieces[i::3])) for i in range(3)
    ]
    check_all([f"a{each}\\" for each in texts], capsys)
