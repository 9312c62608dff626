"""A hostile template reads no files, reaches nothing of Python, and ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.emit.custom import budget
from brimgen.emit.custom.mistakes import TemplateMistake
from brimgen.emit.custom.templates import Templates
from brimgen.model.templates import TemplateFile
from emit.custom.conftest import ROW, Project

TOOL = {"name": "x", "tags": ["a"], "items": "an item"}


def printed(template: str, **others: str) -> str:
    files = {name: TemplateFile(name, text) for name, text in others.items()}
    files["main.j2"] = TemplateFile("main.j2", template)
    return Templates(files).render("main.j2", {"tool": TOOL})


ESCAPES = [
    "{{ ''.__class__ }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ tool['__class__'] }}",
    "{{ tool.__init__.__globals__ }}",
    "{{ [tool] | map(attribute='__class__') | list | json }}",
    "{{ [tool] | map(attribute='name.__class__') | list | json }}",
    "{{ [tool] | selectattr('__class__') | list | json }}",
    "{{ [tool] | groupby('__class__') | list | json }}",
    "{{ [tool, tool] | sort(attribute='__class__') | list | json }}",
    "{{ tool | attr('__class__') }}",
    "{{ tool.name.format(1) }}",
    "{{ '{0.__class__}'.format(tool) }}",
    "{{ '{0.__class__}' | format(tool) }}",
    "{{ '%s' % tool }}",
    "{{ ''.format_map({}) }}",
    "{{ tool.update({}) }}",
    "{{ tool.tags.append('b') }}",
    "{{ tool.tags.clear() }}",
    "{{ self._TemplateReference__context }}",
    "{{ namespace.__init__ }}",
    "{{ range.__globals__ }}",
    "{{ cycler.__init__ }}",
    "{{ lipsum.__globals__ }}",
    "{{ joiner }}",
    "{{ dict }}",
    "{{ get_flashed_messages }}",
    "{% macro m() %}{% endmacro %}{{ m.__call__ }}",
    "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
    "{% for x in tool.tags %}{{ loop.__class__ }}{% endfor %}",
    "{% for x in tool.tags %}{{ loop._iterator.gi_frame }}{% endfor %}",
    "{% set x = tool.name.upper %}{{ x.__self__ }}",
    "{% import 'other.j2' as other %}{{ other._TemplateModule__x }}",
    "{% import 'other.j2' as other %}{{ other.__loader__ }}",
    "{% include '../../../etc/passwd' %}",
    "{% include '/etc/passwd' %}",
    "{% include 'brimgen/../../../../../etc/passwd' %}",
    "{% include '..\\\\..\\\\x' %}",
    "{% include tool.name %}",
    "{% extends 'brimgen/../render.py' %}",
    "{% do tool.clear() %}",
    "{% debug %}",
    "{% trans %}{% endtrans %}",
    "{{ request }}",
    "{{ config }}",
    "{{ tool.name | map('__class__') | list | json }}",
    "{% set tool.name = 'y' %}",
]


@pytest.mark.parametrize("template", ESCAPES)
def test_nothing_leads_out_of_the_sandbox(template: str) -> None:
    with pytest.raises(TemplateMistake):
        printed(template, **{"other.j2": "{% set x = 1 %}"})
    assert {"name": "x", "tags": ["a"], "items": "an item"} == TOOL


ENDLESS = [
    "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
    "{% for a in range(100000) %}{% for b in range(99999) if false %}{% endfor %}{% endfor %}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{% block a %}{{ self.a() }}{% endblock %}",
    "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "{% include 'main.j2' %}",
    "{{ range(1000000000) | list | json }}",
    "{{ 'a' * 1000000000 }}",
    "{{ 1000000000 * 'a' }}",
    "{{ [1] * 1000000000 }}",
    "{{ 2 ** 100000000 }}",
    "{{ ('a' * 90000000) ~ ('a' * 90000000) }}",
    "{{ ('a' * 90000000) + ('a' * 90000000) }}",
    "{{ ('a' * 100000) | replace('a', 'b' * 100000) }}",
    "{{ (['a' * 1000] * 1000) | join('b' * 1000000) }}",
    "{{ 'a' | indent(1000000000, true) }}",
    "{{ [1] | batch(1000000000, 0) | list | json }}",
    "{{ [1] | slice(1000000000) | list | json }}",
    "{{ 'a' | wordwrap(1000000000) }}",
    "{{ 'a'.ljust(1000000000) }}",
    "{{ 'a'.center(1000000000) }}",
    "{{ 'a'.zfill(1000000000) }}",
    "{{ 'a' | center(1000000000) }}",
    "{{ '%1000000000d' % 1 }}",
    "{{ 3.5 | round(1000000000) }}",
    "{% set ns = namespace(x='a' * 1000) %}{% for i in range(40) %}"
    "{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x='a' * 1000) %}{% for i in range(40) %}"
    "{% set ns.x %}{{ ns.x }}{{ ns.x }}{% endset %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x=9) %}{% for i in range(40) %}"
    "{% set ns.x = ns.x * ns.x %}{% endfor %}{{ ns.x }}",
    "{% for i in range(100000) %}" + "a" * 2000 + "{% endfor %}",
    "{% set x = 'a ' * 900000 %}{% for i in range(9999) %}{% set y = x | upper %}{% endfor %}",
    "{% set x = 'a ' * 900000 %}{% for i in range(9999) %}{% set y = x.upper() %}{% endfor %}",
    "{% set x = 'a ' * 900000 %}{% for i in range(9999) %}{% if 'b' in x %}{% endif %}{% endfor %}",
    "{% set x = 'a ' * 900000 %}{% for i in range(999) %}{% if x is eq x %}{% endif %}{% endfor %}",
    "{% set x = 'a ' * 900000 %}{% for i in range(9999) %}{% set y = x[1:] %}{% endfor %}",
    "{% set x = 'a ' * 900000 %}{{ ([x] * 9999) | map('upper') | list | length }}",
    "{% set x = 'a ' * 900000 %}{{ ([x] * 9999) | select('in', 'b' * 900000) | list | length }}",
    "{% set x = [1] * 90000 %}{% for i in range(9999) %}{% if 2 in x %}{% endif %}{% endfor %}",
    "{% set ns = namespace(x=[]) %}{% for i in range(9999) %}"
    "{% set ns.x = ns.x + ['a' * 900000] %}{% endfor %}",
    "{% macro m() %}{% for i in range(9999) %}{% filter replace('a', 'b' * 90000) %}aaaa"
    "{% endfilter %}{% endfor %}{% endmacro %}{{ m() }}",
    "{{ ([[1] * 10000] * 10000) | sum(start=[]) | length }}",
    "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "{% for a in [1] %}" * 30 + "{% endfor %}" * 30,
    "{{ 1" + "9" * 5000 + " }}",
]


@pytest.mark.parametrize("template", ENDLESS, ids=lambda text: text[:50])
def test_every_template_ends_soon(
    template: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "MOST_STEPS", 20_000)
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
