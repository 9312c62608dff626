"""A row in the configuration and a template make a target; it is owned like every other one."""

from __future__ import annotations

import json

from emit.custom.conftest import ROW, Project

TEMPLATE = """\
{{ tool.description | comment("/**") }}
export const {{ tool.name | identifier("camel") }} = {{ tool.name | ts }};
"""
INDEX = "name: mine, template: index.ts.j2, path: ts/index.ts"


def test_a_template_is_printed_for_each_tool(project: Project) -> None:
    project.configure(ROW)
    project.write("my/tool.ts.j2", TEMPLATE)
    project.generate()
    assert (
        "/**\n * Finds orders.\n * Of one customer.\n */\n"
        'export const findOrders = "find_orders";\n'
    ) == project.read("ts/find_orders.ts")
    assert project.has("ts/count_orders.ts")
    manifest = json.loads(project.read("manifest.json"))
    row = manifest["files"]["ts/find_orders.ts"]
    assert "mine" == row["target"]
    assert ["specs/find.yaml"] == row["sources"]


def test_entries_of_one_name_are_one_target(project: Project) -> None:
    entity = 'name: mine, template: e.j2, path: "ts/{{ entity.name }}.txt"'
    project.configure(ROW, INDEX, entity)
    project.write("my/tool.ts.j2", TEMPLATE)
    project.write(
        "my/e.j2", "{{ entity.fields | map(attribute='name') | join(' ') | raw }}\n"
    )
    project.write(
        "my/index.ts.j2", "{% for tool in tools %}// {{ tool.name | ts }}\n{% endfor %}"
    )
    project.generate()
    assert "id note\n" == project.read("ts/Order.txt")
    assert '// "count_orders"\n// "find_orders"\n' == project.read("ts/index.ts")
    sources = json.loads(project.read("manifest.json"))["files"]["ts/index.ts"].get(
        "sources"
    )
    assert not sources


def test_a_file_whose_template_reads_all_tools_rests_on_all_specs(
    project: Project,
) -> None:
    project.configure(ROW)
    project.write(
        "my/tool.ts.j2", "// {{ catalog.package | ts }} {{ tools | length }}\n"
    )
    project.generate()
    files = json.loads(project.read("manifest.json"))["files"]
    assert not files["ts/find_orders.ts"].get("sources")


def test_check_tells_a_changed_template_and_stale_files(project: Project) -> None:
    project.configure(ROW)
    project.write("my/tool.ts.j2", TEMPLATE)
    project.generate()
    assert 0 == project.run("check").code
    project.write("my/tool.ts.j2", TEMPLATE.replace("const", "let"))
    assert 3 == project.run("check").code
    assert "-export const findOrders" in project.run("diff").said
    project.generate()
    (project.folder / "specs/count.yaml").unlink()
    assert 3 == project.run("check").code
    project.generate()
    assert not project.has("ts/count_orders.ts")
    project.write("out/ts/find_orders.ts", "by hand")
    assert 3 == project.run("generate").code
    assert "by hand" == project.read("ts/find_orders.ts")


def test_the_outputs_of_a_tool_are_told_though_a_template_needs_it(
    project: Project,
) -> None:
    project.configure(ROW, INDEX)
    project.write("my/tool.ts.j2", TEMPLATE)
    project.write("my/index.ts.j2", "// {{ tools[1].name | ts }}\n")
    ran = project.run("show", "find_orders")
    assert 0 == ran.code
    assert "out/ts/find_orders.ts" in ran.said


def test_one_target_is_made_alone_as_it_is_made_with_the_others(
    project: Project,
) -> None:
    project.configure(ROW, targets="[json_schema, openai]")
    project.write("my/tool.ts.j2", "{{ tool.told | ts }}\n")
    project.generate()
    whole = project.read("ts/find_orders.ts")
    assert "openai" in whole
    assert 0 == project.run("generate", "--target=mine").code
    assert whole == project.read("ts/find_orders.ts")
    ran = project.run("generate", "--target=mime")
    assert 2 == ran.code
    assert "there is no target 'mime'. Did you mean 'mine'?" in ran.said


def test_a_path_of_another_target_is_told_at_its_row(project: Project) -> None:
    path = '"json_schema/tools/{{ tool.name }}.input.json"'
    project.configure(
        "name: mine, template: t.j2, path: a.txt",
        f"name: mine, template: t.j2, path: {path}",
    )
    project.write("my/t.j2", "x\n")
    ran = project.run("generate")
    assert 1 == ran.code
    found = [each for each in ran.mistakes if "find_orders" in each]
    assert len(found) == 1
    assert "brimgen.yaml:6:" in found[0]
    assert (
        "[O540] the target `mine` writes `json_schema/tools/find_orders.input.json`, "
        "which the target `json_schema` writes too"
    ) in found[0]
