"""A template of a project takes the place of one of brimgen, or replaces blocks of it."""

from __future__ import annotations

import json

import pytest

from emit.custom.conftest import Project


def test_a_block_is_replaced_and_all_else_stays(project: Project) -> None:
    project.configure(targets="[openai]")
    project.generate()
    before = json.loads(project.read("openai/chat.json"))
    project.write(
        "my/openai/chat.json.j2",
        '{% extends "brimgen/openai/chat.json.j2" %}\n'
        '{% block more %}\n    "x-owner": {{ view.name | json }},\n{% endblock %}\n',
    )
    assert 3 == project.run("check").code
    project.generate()
    after = json.loads(project.read("openai/chat.json"))
    for tool in after:
        assert tool["function"]["name"] == tool["function"].pop("x-owner")
    assert before == after
    assert 0 == project.run("check").code


def test_a_whole_template_is_replaced(project: Project) -> None:
    project.configure(targets="[docs]")
    project.write("my/docs/index.md.j2", "# Our tools\n")
    project.generate()
    assert "# Our tools\n" == project.read("docs/tools/index.md")
    assert "find_orders" in project.read("docs/tools/find_orders.md")


def test_a_part_that_a_template_includes_is_replaced(project: Project) -> None:
    enum = "type: entity\nname: Colour\nenum: [red, blue]\n"
    project.write("specs/colour.yaml", enum)
    project.configure(targets="[python]")
    ours = project.run("templates", "python/enum.py.j2", format=False).said
    project.write("my/python/enum.py.j2", f"# An enum of the shop.\n{ours}")
    project.generate()
    assert "# An enum of the shop.\nclass Colour(" in project.read(
        "python/shop/entities.py"
    )


def test_python_of_a_replaced_template_is_formatted_and_equal_elsewhere(
    project: Project,
) -> None:
    project.configure(targets="[python]")
    project.generate()
    before = project.read("python/shop/tools/find_orders.py")
    ours = project.run("templates", "python/module.py.j2", format=False).said
    project.write("my/python/module.py.j2", f"{ours}X   =  {{  'a':1}}\n")
    project.generate()
    after = project.read("python/shop/tools/find_orders.py")
    assert before.rstrip() + '\nX = {"a": 1}\n' == after.replace("\n\n\nX", "\nX")


def test_a_replaced_template_that_is_broken_is_told_and_nothing_is_written(
    project: Project,
) -> None:
    project.configure(targets="[python]")
    project.generate()
    before = project.read("python/shop/tools/find_orders.py")
    project.write("my/python/module.py.j2", "{{ view.header }}def f(:\n")
    ran = project.run("generate")
    assert 1 == ran.code
    assert "my/python/module.py.j2:1:1: error[O549]" in ran.said
    assert before == project.read("python/shop/tools/find_orders.py")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ view.nothing }}", "has no `nothing`: there are "),
        ("{{ view.tools }}", "[O543]"),
        ("{{ nothing }}", "there is no variable `nothing`: there are `view`"),
        ('{% extends "docs/index.md.j2" %}', "`docs/index.md.j2` extends itself"),
    ],
)
def test_a_mistake_in_it_is_told(project: Project, text: str, said: str) -> None:
    project.configure(targets="[docs]")
    project.write("my/docs/index.md.j2", text)
    ran = project.run("generate")
    assert 1 == ran.code
    assert "my/docs/index.md.j2:1:" in ran.said
    assert said in ran.said


def test_an_answer_from_the_cache_knows_the_templates(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = project.folder / ".cache"
    cache.mkdir(mode=0o700)
    monkeypatch.setenv("BRIMGEN_CACHE", str(cache))
    project.configure(targets="[docs]")
    project.write("my/docs/index.md.j2", "# One\n")
    project.generate()
    assert 0 == project.run("check").code
    project.write("my/docs/tool.md.j2", "# Two\n")
    assert 3 == project.run("check").code
    project.generate()
    assert "# Two\n" == project.read("docs/tools/find_orders.md")
    (project.folder / "my/docs/tool.md.j2").unlink()
    project.generate()
    assert "find_orders" in project.read("docs/tools/find_orders.md")
