"""Names: duplicates, reserved names, built-in entities."""

from __future__ import annotations

from typing import Any

from support.linked import link, tool

USER = "type: entity\nname: User\nfields: {id: int}\n"


def test_a_name_declared_twice_is_told_and_the_first_one_counts() -> None:
    linked = link(USER, USER.replace("int", "string"))
    assert [("duplicate-name", "User")] == linked.told
    [note] = linked.only.notes
    assert "specs/0.yaml" == note.span.file
    [id_field] = linked.entity("User").fields
    assert {"type": "integer"} == id_field.schema


def test_names_that_differ_in_case() -> None:
    tool = (
        "type: python_function\nname: probe\narguments: {inline: {u: User, v: USER}}\n"
    )
    linked = link(USER, USER.replace("User", "USER"), tool)
    assert [("same-name-in-other-case", "USER")] == linked.told


def test_entities_and_tools_have_names_of_their_own() -> None:
    linked = link(USER, "type: python_function\nname: User\n")
    assert [] == linked.slugs


def test_an_entity_called_like_a_type_is_refused() -> None:
    for name in ("date", "dict", "void", "markdown", "ContentBlock", "PromptMessage"):
        assert ["reserved-name"] == link(USER.replace("User", name)).slugs


def test_an_exact_entity_comes_before_a_type_word_in_another_case() -> None:
    probe = "type: python_function\nname: probe\narguments: {inline: {on: Date}}\n"
    linked = link(USER.replace("User", "Date"), probe)
    assert "object" == linked.properties["on"]["type"]


def test_builtin_entities_are_made_when_they_are_used() -> None:
    assert ["Plain"] == list(link(USER.replace("User", "Plain")).catalog.entities)
    linked = link(
        "type: template_function\nname: probe\nreturns: PromptMessage[]\n"
        "template: Hello.\n"
    )
    assert ["ContentBlock", "PromptMessage"] == sorted(linked.catalog.entities)
    role, content = linked.entity("PromptMessage").fields
    assert ("role", "content") == (role.name, content.name)
    returns = linked.tool.returns
    assert returns is not None
    schema: Any = returns.schema
    roles = ["user", "assistant", "system"]
    assert roles == schema["items"]["properties"]["role"]["enum"]


def test_who_uses_a_name_that_is_none_makes_no_mistake_besides() -> None:
    entity = "type: entity\nname: Größe\nfields: {cm: int}\n"
    assert [("bad-name", "Größe")] == tool("size: Größe\nmore: Größe[]", entity).told
