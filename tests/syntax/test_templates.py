"""Templates: one text, role blocks, or a list of messages, with exact places (spec-language.md)."""

from __future__ import annotations

import pytest

from support.syntax import Parsed, read

FRONT = "---\nname: greet\n---\n"


def prompt(body: str) -> Parsed:
    return read(FRONT + body, name="greet.md")


def messages(parsed: Parsed) -> list[tuple[str, str]]:
    return [(role.value, block.text) for role, block in parsed.tool.messages]


def test_a_template_without_roles() -> None:
    parsed = prompt("Hello {{ args.name }}!\n")
    assert [] == parsed.told
    assert parsed.tool.body is not None
    assert "Hello {{ args.name }}!" == parsed.tool.body.text.strip()
    assert () == parsed.tool.messages


BLOCKS = """\
<system>
You are {{ args.who }}.

  Be kind.
</system>

{# the question #}
  <user>Hi <b>there</b></user>
<assistant>

  indented
</assistant>
<user></user>
"""


def test_the_roles_of_a_prompt_are_read() -> None:
    parsed = prompt(BLOCKS)
    assert [] == parsed.told
    assert [
        ("system", "You are {{ args.who }}.\n\n  Be kind."),
        ("user", "Hi <b>there</b>"),
        ("assistant", "  indented"),
        ("user", ""),
    ] == messages(parsed)
    assert parsed.tool.body is None


@pytest.mark.parametrize("text", ["args.who", "Be kind.", "there", "indented"])
def test_a_place_in_a_message_points_into_the_file(text: str) -> None:
    parsed = prompt(BLOCKS)
    [block] = [block for _, block in parsed.tool.messages if text in block.text]
    start = block.text.index(text)
    assert text == parsed.under(block.span_at(start, start + len(text)))


@pytest.mark.parametrize("role", ["system", "user", "assistant"])
def test_the_place_of_a_role(role: str) -> None:
    found = next(each for each, _ in prompt(BLOCKS).tool.messages if each.value == role)
    assert role == prompt(BLOCKS).under(found.span)


@pytest.mark.parametrize(
    "body",
    [
        "Write <user> in front.\n",
        "Use `<system>` here.\n",
        "<context>\nx\n</context>\n",
    ],
)
def test_tags_in_prose_are_no_roles(body: str) -> None:
    parsed = prompt(body)
    assert [] == parsed.told
    assert () == parsed.tool.messages


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("Be kind.\n<user>Hi</user>\n", [("text-outside-roles", "Be kind.")]),
        ("<user>Hi</user> and\nmore\n", [("text-outside-roles", "and")]),
        (
            "a\n<user>Hi</user>\nb\n<user>Hi</user>\nc",
            [("text-outside-roles", each) for each in "abc"],
        ),
        ("<user>\nHi\n", [("role-not-closed", "<user>")]),
        ("<system>\nA\n<user>\nB\n</user>\n", [("role-not-closed", "<system>")]),
        ("<user>\nA\n<user>\nB\n</user>\n", [("role-not-closed", "<user>")]),
        ("<user>A</user>\n</system>\n", [("role-not-opened", "</system>")]),
        ("<user>A</user></user>\n", [("role-not-opened", "</user>")]),
        ("<user>A</system>\n", [("role-not-closed", "<user>")]),
    ],
)
def test_a_mistake_in_the_roles_of_a_prompt_is_told(
    body: str, told: list[tuple[str, str]]
) -> None:
    parsed = prompt(body)
    assert told == parsed.told
    assert not parsed.tool.sound


YAML = "type: template_function\nname: greet\n"


def test_a_template_in_yaml() -> None:
    parsed = read(f"{YAML}template: Hi {{{{ args.name }}}}\n")
    body = parsed.tool.body
    assert body is not None and [] == parsed.told
    start = body.text.index("args")
    assert "args.name" == parsed.under(body.span_at(start, start + len("args.name")))


def test_role_blocks_in_a_block_scalar() -> None:
    parsed = read(
        f"{YAML}template: |\n  <system>\n  Be kind.\n  </system>\n  <user>Hi</user>\n"
    )
    assert [] == parsed.told
    assert [("system", "Be kind."), ("user", "Hi")] == messages(parsed)
    block = parsed.tool.messages[0][1]
    assert "kind" == parsed.under(block.span_at(3, 7))


def test_a_list_of_messages() -> None:
    parsed = read(
        f"{YAML}messages:\n  - role: system\n    content: |\n      Be kind.\n"
        "  - { role: user, template: 'Hi {{ args.x }}' }\n"
    )
    assert [] == parsed.told
    assert [("system", "Be kind.\n"), ("user", "Hi {{ args.x }}")] == messages(parsed)
    block = parsed.tool.messages[1][1]
    assert "args" == parsed.under(block.span_at(6, 10))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("Hi", [("wrong-kind", "Hi")]),
        ("[]", [("body-missing", "[]")]),
        ("[Hi]", [("wrong-kind", "Hi")]),
        ("[{ role: user }]", [("missing-key", "role")]),
        ("[{ content: Hi }]", [("missing-key", "content")]),
        ("[{}]", [("missing-key", "{}"), ("missing-key", "{}")]),
        ("[{ role: usr, content: Hi }]", [("unknown-choice", "usr")]),
        ("[{ role: user, content: [Hi] }]", [("wrong-kind", "[Hi]")]),
        ("[{ role: user, content: Hi, name: x }]", [("unknown-key", "name")]),
    ],
)
def test_mistakes_in_the_list(value: str, told: list[tuple[str, str]]) -> None:
    parsed = read(f"{YAML}messages: {value}\n")
    assert told == parsed.told
