"""Any text in the bodies of tools: in requests, prompts, resources, bundles, tags and wire names.

What is generated is run, and what comes out of it is parsed: a URL by `urllib`, a body as JSON, the
lists of the server as its readers read them. Texts that stand in a file as they are (the blocks of
a `.md` file) are those that the reader lets in; the rest is written as YAML escapes.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile.test_text_everywhere import ALL, PIECES, SENTINEL, TEXTS, quoted
from support.budget import costs
from support.project import Built, build
from support.visible import visible

SPEC = """\
type: bundle
name: shelf
displayName: {one}
description: {two}
---
type: http_function
name: send
description: Send it. Changes the list.
title: {two}
bundle: shelf
tags: [{one}]
allowedHosts: [h.example]
arguments: {{ inline: {{ part: {{ type: string, description: {two} }} }} }}
request:
  method: POST
  urlTemplate: "https://h.example/~a'()*!,/${{part}}"
  query: {{ {one}: {two}, part: {three} }}
  headers: {{ X-Text: {header} }}
  body: {{ {two}: [{one}, 1], text: {three_and_part}, part: "${{part}}" }}
---
type: http_function
name: write
description: Write it down. Changes the list.
allowedHosts: [h.example]
arguments: {{ inline: {{ part: string }} }}
request:
  method: PUT
  urlTemplate: "https://h.example/notes"
  headers: {{ Content-Type: text/plain }}
  body: {one_and_part}
---
type: resource
name: page
title: {one}
description: {two}
path: "/pages/a'()!,~%7B%22/{{id}}"
arguments: {{ inline: {{ id: {{ type: string, description: {three} }} }} }}
"""
WIRE = """\
type: python_function
name: odd
description: d
arguments:
  type: object
  properties: {{ {one}: {{ type: string, description: {two} }}, plain: {{ type: string }} }}
  required: [{one}]
"""


def plain(text: str) -> str:
    """``text`` without variables of requests, and without what no template of them may hold."""
    return text.replace("${", "$ {")


def printable(text: str) -> str:
    """What of ``text`` may stand in a file as it is, on one line."""
    kept = "".join(each for each in text if each.isprintable()).strip()
    return visible(kept)


def of_header(text: str) -> str:
    return "".join(each for each in plain(text) if " " <= each <= "~").strip()


def sound(made: Built) -> Built:
    assert [] == [
        f"{each.rule.code} {each.message}"
        for each in made.diagnostics
        if each.rule.severity == "error"
    ]
    return made


def check_requests(made: Built, texts: list[str]) -> None:
    """The request that is made says the very texts, each in its own place."""
    one, two, three = texts
    part = '"x/${x} é?#&;'
    send = made.load("http.send")
    bound = made.load("tools.send").SendBound(part)
    request = send.build(bound)
    url = urlsplit(request.url)
    assert ("https", "h.example", "") == (url.scheme, url.netloc, url.fragment)
    pairs = parse_qsl(url.query, keep_blank_values=True, max_num_fields=2)
    assert [(one, two), ("part", three)] == pairs
    assert ("X-Text", of_header(three)) in request.headers
    body = {two: [one, 1], "text": three + part, "part": part}
    assert body == json.loads(request.body)
    write = made.load("http.write")
    note = write.build(made.load("tools.write").WriteBound(part))
    assert (one + part).encode() == note.body


def check_lists(made: Built, texts: list[str]) -> None:
    """Whatever lists the tools says the very texts: bundles, server, OpenAPI, resources."""
    one, two, _ = texts
    bundles = made.load("bundles").BUNDLES
    (bundle,) = bundles
    assert (one, two) == (bundle.display_name, bundle.description)
    (tool,) = bundles.tools
    assert (one,) == tuple(tool.tags)
    assert (one, two) == tuple(
        made.json(f"python/{made.package}/bundles.json")["bundles"][0][key]
        for key in ("displayName", "description")
    )
    lists = import_module("brimgen_runtime.server.lists").Lists(made.package)
    listed = {each["name"]: each for each in lists.tools}
    assert two == listed["send"]["title"]
    (template,) = lists.templates
    assert one == template["title"]
    assert template["description"].startswith(two)
    page = made.load("resources").RESOURCES["page"]
    assert two == page.description
    call = made.load("tools.page").PageInput('x é"?')
    assert call == page.match(page.build(call))
    document = made.json("openapi/openapi.json")
    shown = {
        operation["operationId"]: operation
        for path in document["paths"].values()
        for operation in path.values()
        if "operationId" in operation
    }
    assert two in [each.get("summary") for each in shown.values()]


def check_prompt(made: Built, texts: list[str]) -> None:
    prompt = made.load("prompts").PROMPTS["say"]
    said = prompt.render(prompt.read({"who": texts[2]}))
    shown = [printable(each) for each in texts[:2]]
    expected = [("system", shown[0]), ("user", f"{shown[1]} {texts[2]}")]
    assert expected == [(each.role, each.text) for each in said]


def check_all(texts: list[str]) -> None:
    texts = [plain(each) for each in texts]
    one, two, three = texts
    spec = SPEC.format(
        one=quoted(one),
        two=quoted(two),
        three=quoted(three),
        header=quoted(of_header(three)),
        one_and_part=quoted(f"{one}${{part}}"),
        three_and_part=quoted(f"{three}${{part}}"),
    )
    prompt = (
        "---\nname: say\ndescription: d\narguments: { inline: { who: string } }\n---\n"
        f"<system>\n{literal(one)}\n</system>\n"
        f"<user>\n{literal(two)} {{{{ args.who }}}}\n</user>\n"
    )
    with TemporaryDirectory() as folder:
        files = {"all.yaml": spec, "say.md": prompt}
        made = sound(build(Path(folder), files, targets=ALL))
        check_requests(made, texts)
        check_lists(made, texts)
        check_prompt(made, texts)


def literal(text: str) -> str:
    """``text`` as a template of Jinja that says it."""
    return "".join(
        f"{{{{ {json.dumps(each)} }}}}" if each in "{}#%" else each
        for each in printable(text)
    )


BODIES = TEXTS.filter(lambda text: not any(f"<{role}" in text for role in ROLES))
ROLES = ("system", "user", "assistant", "/")


@costs(12)
@given(st.lists(BODIES, min_size=3, max_size=3, unique_by=plain))
def test_any_text_comes_back(texts: list[str]) -> None:
    check_all(texts)


@pytest.mark.parametrize("start", range(0, len(PIECES), 12))
def test_each_piece_comes_back(start: int, capsys: pytest.CaptureFixture[str]) -> None:
    pieces = [each for each in PIECES[start : start + 12] if "</" not in each]
    texts = [
        "".join(f"{each} {n}" for n, each in enumerate(pieces[i::3])) for i in range(3)
    ]
    check_all([f"a{i}{each}\\" for i, each in enumerate(texts)])
    assert SENTINEL not in capsys.readouterr().out


NAMES = TEXTS.map(printable).filter(lambda text: len(text) <= 64 and text != "plain")


@costs(4)
@given(NAMES, TEXTS)
def test_any_wire_name_is_the_key_of_its_value(name: str, text: str) -> None:
    """Where no provider is asked, a property has the name that it has (spec-language.md)."""
    spec = WIRE.format(one=quoted(name), two=quoted(text))
    with TemporaryDirectory() as folder:
        files = {"odd.yaml": spec}
        made = sound(build(Path(folder), files, targets=("python", "json_schema")))
        schema: dict[str, Any] = made.schema("odd.input")
        assert text == schema["properties"][name]["description"]
        call = made.tool("odd").input_type.from_dict({name: text})
        assert {name: text} == call.to_dict()
