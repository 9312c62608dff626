"""Every mistake in a template is told at its line and column, with what was probably meant."""

from __future__ import annotations

import pytest

from emit.custom.conftest import ROW, Project, Told

AT = "my/tool.ts.j2"


@pytest.mark.parametrize(
    ("template", "place", "said"),
    [
        ("{{ tools[7].name | ts }}", "1:10", "[O540] a list has no `7`"),
        (
            "a\n  {{ tool.nam | ts }}",
            "2:11",
            "[O540] the object of `count_orders` has no `nam`",
        ),
        (
            "{{ tool.tags | first | md }}",
            "1:4",
            "[O540] nothing is here: the list is empty",
        ),
        ("{{ tool.title.x | md }}", "1:15", "[O540] null has no `x`"),
        ("{{ tol.name | ts }}", "1:4", "[O540] there is no variable `tol`"),
        ("{{ tool.name | tss }}", "1:16", "[O540] there is no filter `tss`"),
        ("{{ tool.name | e }}", "1:16", "[O540] there is no filter `e`"),
        ("{% if tool is foo %}{% endif %}", "1:15", "[O540] there is no test `foo`"),
        ("\n{% include 'x.j2' %}", "2:13", "[O540] there is no template `x.j2`"),
        ("{% extends 'tool.ts.j2' %}", "1:13", "[O540] `tool.ts.j2` extends itself"),
        ("{{ tool.name }}", "1:4", "[O540] this prints a text without a filter"),
        (
            "{{ 1 }} {{ tool.title }}",
            "1:12",
            "[O540] this prints null without a filter",
        ),
        ("x {{ tool.tags }}", "1:6", "[O540] this prints a list without a filter"),
        ("{{ tool.name ~ 'x' }}", "1:4", "[O540] this prints a text without a filter"),
        ("{% set x %}{{ tool.name }}{% endset %}", "1:15", "[O540] this prints a text"),
        (
            "{% filter replace('a', tool.name) %}a{% endfilter %}",
            "1:11",
            "[O540] this prints",
        ),
        ("{{ tool.name ? }}", "1:14", "[O540] this is not Jinja: unexpected char `?`"),
        (
            "{% for x in tools %}",
            "1:19",
            "[O540] this is not Jinja: unexpected end of template",
        ),
        ("{{ 'a }}", "1:4", "[O540] this is not Jinja: unexpected char"),
        (
            "{% fro x in y %}",
            "1:4",
            "[O540] this is not Jinja: encountered unknown tag `fro`",
        ),
        ("é {{ 1 / 0 }}", "1:6", "[O540] the template fails here: division by zero"),
        (
            "{{ tool.name | sql('x') }}",
            "1:4",
            "[O540] the template fails here: there is no dialect",
        ),
        (
            "{{ tool.name | md('x') }}",
            "1:4",
            "[O540] the template fails here: md has no form `x`",
        ),
        (
            "{{ tool.name | comment('x') }}",
            "1:4",
            "[O540] the template fails here: a comment has",
        ),
        (
            "{{ tool.name | identifier('x') }}",
            "1:4",
            "[O540] the template fails here: names have no",
        ),
        (
            "{{ tools[1].arguments[0].naem | ts }}",
            "1:26",
            "[O540] the object of `customer`",
        ),
    ],
)
def test_a_mistake_is_told_at_its_place(
    told: Told, template: str, place: str, said: str
) -> None:
    found = [each for each in told(template) if AT in each]
    assert found[0].startswith(f"{AT}:{place}: error"), found
    assert said in found[0]


@pytest.mark.parametrize(
    ("template", "meant"),
    [
        ("{{ tool.nam | ts }}", "name"),
        ("{{ tol.name | ts }}", "tool"),
        ("{{ tool.name | tss }}", "ts"),
        ("{{ tool.name | tojson }}", "json"),
        ("{{ tool.name | safe }}", "raw"),
        ("{{ tool.name }}", "tool.name | ts"),
        ("{{ tool.name ~ '_x' }}", "(tool.name ~ '_x') | ts"),
        ("{{ (tool.name ~ '_x') }}", "(tool.name ~ '_x') | ts"),
        ("{{ tool.name if tool else 'x' }}", "(tool.name if tool else 'x') | ts"),
        ("{{ tools[0].name }}", "tools[0].name | ts"),
        ("{% include 'othr.j2' %}", "other.j2"),
        ("{% extends 'docs/indx.md.j2' %}", "docs/index.md.j2"),
    ],
)
def test_what_was_meant_is_suggested(
    project: Project, template: str, meant: str
) -> None:
    project.configure(ROW)
    project.write("my/tool.ts.j2", template)
    project.write("my/other.j2", "x")
    said = project.run("check", "--format=full").said
    assert f"did you mean `{meant}`?" in said


@pytest.mark.parametrize(
    "name",
    [
        "docstring",
        "identifier('camel')",
        "indent",
        "replace('a', 'b')",
        "sha256",
        "truncate(9)",
        "ts_key",
        "upper",
    ],
)
def test_null_is_no_text(told: Told, name: str) -> None:
    found = told(f"{{{{ tool.title | {name} }}}}")
    assert "[O540] the template fails here: this filter takes a text" in found[0]
    assert 'default("", true)' in found[0]


def test_null_is_no_part_of_a_text(told: Told) -> None:
    found = told("{{ ('x' ~ tool.title) | md }}")
    assert "[O540] the template fails here: `~` joins texts, and gets null" in found[0]


@pytest.mark.parametrize("name", ["html", "md", "raw"])
def test_filters_that_print_text_print_nothing_of_null(
    project: Project, name: str
) -> None:
    project.configure(ROW)
    project.write("my/tool.ts.j2", f"[{{{{ tool.title | {name} }}}}]\n")
    project.generate()
    assert "[]\n" == project.read("ts/find_orders.ts")


def test_a_template_that_nothing_uses_is_told(project: Project) -> None:
    project.write("my/docs/indx.md.j2", "x")
    ran = project.run("generate", "--format=full")
    assert 0 == ran.code
    assert "warning[O547]: nothing uses this template" in ran.said
    assert "did you mean `docs/index.md.j2`?" in ran.said


def test_a_template_that_is_not_there_is_told_at_its_name(project: Project) -> None:
    project.configure("name: clients, template: tol.j2, path: x.txt")
    found = [each for each in project.run("check").mistakes if "O540" in each]
    line = (project.folder / "brimgen.yaml").read_text().split("tol.j2")[0]
    row, column = line.count("\n") + 1, len(line.rpartition("\n")[2]) + 1
    assert found[0].startswith(f"brimgen.yaml:{row}:{column}: error[O540]")


def test_a_block_that_the_parent_lacks_is_told(project: Project) -> None:
    project.write(
        "my/openai/responses.json.j2",
        '{% extends "brimgen/openai/responses.json.j2" %}\n{% block mor %}{% endblock %}\n',
    )
    said = project.run("check", "--format=full").said
    assert (
        "error[O540]: `brimgen/openai/responses.json.j2` has no block `mor`: there are"
        in said
    )
    assert "my/openai/responses.json.j2:2:10" in said
    assert "did you mean `more`?" in said


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("nowhere", "there is no such folder"),
        ("ym", "did you mean `my`?"),
    ],
)
def test_a_folder_that_is_not_there_is_told(
    project: Project, folder: str, said: str
) -> None:
    project.write("brimgen.yaml", f"package: shop\ntemplates: {folder}\n")
    ran = project.run("check", "--format=full")
    assert 2 == ran.code
    assert "error[O540]" in ran.said
    assert said in ran.said


def test_templates_are_text_in_utf_8(project: Project) -> None:
    (project.folder / "my/t.j2").write_bytes(b"\xff")
    ran = project.run("check")
    assert 2 == ran.code
    assert "cannot read my/t.j2: it is not UTF-8" in ran.said
