"""Prompt templates (spec-language.md)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from brimgen.model.catalog import TemplateBody
from support.linked import Linked, link, link_files


def prompt(template: str) -> Linked:
    body = "".join(f"  {line}\n" for line in template.split("\n"))
    return link(
        "type: template_function\nname: probe\n"
        "arguments: {inline: {name: string, items: 'string[]'}}\n"
        f"template: |\n{body}"
    )


@pytest.mark.parametrize(
    "template",
    [
        "Hello {{ args.name }}.",
        "Hello {{ args['name'] | upper }}.",
        "{% for item in args.items %}{{ loop.index }} {{ item }}{% endfor %}",
        "{% set n = args.name %}{{ n }}",
        "{% if args.name == 'x' %}y{% endif %}{# args.nothing #}",
        "Plain { braces }",
    ],
)
def test_a_sound_prompt_is_accepted(template: str) -> None:
    assert [] == prompt(template).told


@pytest.mark.parametrize(
    ("template", "slug", "text"),
    [
        ("Hello\n{{ args.nmae }}", "undeclared-in-template", "nmae"),
        ("{{ args['nmae'] }}", "undeclared-in-template", "nmae"),
        ("{{ user }}", "undeclared-in-template", "user"),
        ("Hello {{ name }}", "bare-in-template", "name"),
        ("{% include 'x' %}", "forbidden-in-template", "{% include 'x' %}"),
        ("{{ args.name.__class__ }}", "forbidden-in-template", "__class__"),
        ("{{ args.__class__ }}", "forbidden-in-template", "__class__"),
        ("Hello\n{{ args.name", "bad-template", None),
        ("{% for x in args.items %}", "bad-template", None),
        ("{{ " + "(" * 3000 + ")" * 3000 + " }}", "bad-template", None),
        ("{{ " + "-" * 700 + "1 }}", "bad-template", None),
        ("Hello\n{{ args.name | upcase }}", "bad-template", "upcase"),
        ("{% if args.name is foo %}x{% endif %}", "bad-template", "foo"),
        (
            "{% block a %}{% endblock %}{% block a %}{% endblock %}",
            "bad-template",
            None,
        ),
    ],
)
def test_faults_at_their_place(template: str, slug: str, text: str | None) -> None:
    [(said, at)] = prompt(template).told
    assert slug == said
    assert text is None or text == at


@pytest.mark.parametrize(
    "template",
    [
        "{{ 'a' * 10 ** 10 }}",
        "{{ 'a' | center(10 ** 10) }}",
        "{{ (10 ** 10) | list }}",
        "{% if 'a' * 10 ** 10 %}x{% endif %}",
        "{% set x = 9 ** 9 ** 9 %}",
    ],
)
def test_constants_are_not_worked_out(template: str) -> None:
    assert "undeclared-in-template" not in [slug for slug, _ in prompt(template).told]


def test_a_near_name_is_suggested() -> None:
    assert ("name",) == prompt("{{ args.nmae }}").only.suggestions


def test_roles_make_messages_and_keep_their_places() -> None:
    text = (
        "---\ntype: template_function\nname: probe\n"
        "arguments: {inline: {name: string}}\n---\n"
        "<system>\nBe brief.\n</system>\n<user>\nI am {{ args.nam }}.\n</user>\n"
    )
    linked = link_files({"probe.md": text})
    assert [("undeclared-in-template", "nam")] == linked.told
    [made] = linked.catalog.tools
    assert isinstance(made.body, TemplateBody)
    assert ["system", "user"] == [each.role for each in made.body.messages]


def test_jinja_is_loaded_for_templates_only() -> None:
    code = (
        "import sys; from brimgen.resolve import link; "
        "heavy = {'jinja2', 'jsonschema', 'referencing'} & set(sys.modules); "
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        check=False,
    )
    assert b"" == run.stderr
