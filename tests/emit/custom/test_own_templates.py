"""A template of a project takes the place of one of brimgen, or replaces blocks of it."""

from __future__ import annotations

import json

from emit.custom.conftest import Project


def test_a_block_is_replaced_and_all_else_stays(project: Project) -> None:
    project.configure(targets="[openai]")
    project.generate()
    before = json.loads(project.read("openai/chat.json"))
    project.write(
        "my/openai/responses.json.j2",
        '{% extends "brimgen/openai/responses.json.j2" %}\n'
        '{% block more %}\n    "x-owner": {{ view.name | json }},\n{% endblock %}\n',
    )
    assert 3 == project.run("check").code
    project.generate()
    after = json.loads(project.read("openai/chat.json"))
    for tool in after:
        assert tool["function"]["name"] == tool["function"].pop("x-owner")
    assert before == after
    assert 0 == project.run("check").code


def test_a_part_that_a_template_includes_is_replaced(project: Project) -> None:
    project.configure(targets="[catalogue]")
    ours = project.run(
        "explain", "--template", "catalogue/style.css.j2", format=False
    ).said
    project.write("my/catalogue/style.css.j2", f"/* Ours. */\n{ours}")
    project.generate()
    assert "<style>/* Ours. */" in project.read("catalogue/index.html").replace(
        "\n", ""
    )


def test_python_of_a_replaced_template_is_formatted_and_equal_elsewhere(
    project: Project,
) -> None:
    project.configure(targets="[python]")
    project.generate()
    before = project.read("python/shop/tools/find_orders.py")
    ours = project.run(
        "explain", "--template", "python/module.py.j2", format=False
    ).said
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
    project.write("my/python/module.py.j2", "def f(:\n")
    ran = project.run("generate")
    assert 1 == ran.code
    assert "my/python/module.py.j2:1:1: error[O540]" in ran.said
    assert before == project.read("python/shop/tools/find_orders.py")
