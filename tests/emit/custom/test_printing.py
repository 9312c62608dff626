"""What templates of projects print, and how their mistakes are met."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.emit.custom.mistakes import TemplateMistake
from brimgen.emit.custom.templates import Templates
from brimgen.model.templates import TemplateFile
from emit.custom.conftest import ROW, Project

TOOL = {"name": "x", "tags": ["a"], "items": "an item"}


def printed(template: str, **others: str) -> str:
    files = {name: TemplateFile(name, text) for name, text in others.items()}
    files["main.j2"] = TemplateFile("main.j2", template)
    return Templates(files).render("main.j2", {"tool": TOOL})


@pytest.mark.parametrize(
    "template",
    [
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% include 'main.j2' %}",
        "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
        "{% include '../../../etc/passwd' %}",
        "{{ tool.name }}",
        "{{ tool.name.nothing }}",
        "{{ nothing }}",
        "{{ 1 / 0 }}",
    ],
)
def test_a_mistake_of_a_template_is_no_traceback(template: str) -> None:
    with pytest.raises(TemplateMistake):
        printed(template)


def test_a_key_is_found_before_a_method_of_the_object() -> None:
    assert '"an item"' == printed("{{ tool.items | ts }}")
    assert "name tags items" == printed("{{ tool.keys() | join(' ') | raw }}")


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ 'a' ~ 1 }}", "a1"),
        ("{{ 'a' if tool.name == 'x' }}{{ 'b' if tool.name == 'y' }}", "a"),
        ("{{ ['a', 'b'] | join(', ') | upper }}", "A, B"),
        (
            "{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m('k' ~ 3) }}{{ m(tool.name | ts) }}",
            '<k3><"x">',
        ),
        (
            "{% set x = 'a' %}{% set ns = namespace(n=0) %}"
            "{% set ns.n = ns.n + 1 %}{{ x }}{{ ns.n }}",
            "a1",
        ),
        (
            "{% call m() %}b{% endcall %}{% macro m() %}{{ caller() }}{% endmacro %}",
            None,
        ),
        (
            "{% for x in [1, 2, 3] %}{% if x == 2 %}{% continue %}{% endif %}"
            "{{ loop.index }}{% endfor %}",
            "13",
        ),
        ("{{ tool.name | json | indent(2, true) }}", '  "x"'),
        ("{{ tool.title | default('none') }}", "none"),
        ("{{ 'a' + 'b' }}{{ 1 + 2 }}", "ab3"),
        ("{% filter indent(2) %}{{ tool.name | ts }}\na{% endfilter %}", '"x"\n  a'),
        ("{% from 'other.j2' import m %}{{ m('a') }}", "[a]"),
        ("{% extends 'base.j2' %}{% block b %}{{ super() }}!{% endblock %}", "<base!>"),
    ],
)
def test_what_authors_write_is_printed(template: str, expected: str | None) -> None:
    others = {
        "other.j2": "{% macro m(x) %}[{{ x }}]{% endmacro %}",
        "base.j2": "<{% block b %}base{% endblock %}>",
    }
    if expected is None:
        with pytest.raises(TemplateMistake):
            printed(template, **others)
        return
    assert expected == printed(template, **others)


def test_a_link_that_leaves_the_folder_is_refused(
    project: Project, tmp_path: Path
) -> None:
    project.configure(ROW)
    project.write("secret.j2", "secret")
    (tmp_path / "my/tool.ts.j2").symlink_to("../secret.j2")
    ran = project.run("generate")
    assert 2 == ran.code
    assert "cannot read my/tool.ts.j2: it is a link that leaves the folder" in ran.said


def test_a_linked_folder_is_refused(project: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "my/more").symlink_to("../elsewhere")
    ran = project.run("generate")
    assert 2 == ran.code
    assert "cannot read my/more: it is a link to a folder" in ran.said


def test_the_output_folder_holds_no_templates(project: Project) -> None:
    project.write("brimgen.yaml", "package: shop\nout: gen\ntemplates: gen/my\n")
    project.write("gen/my/t.j2", "x")
    ran = project.run("generate")
    assert 2 == ran.code
    assert "holds the templates" in ran.said
