"""What templates of a project print, and how a mistake in one is told, at its line and column.

`templates.cases` has a case in two lines: a template (or a path, a row of the configuration, a
template in the place of one of brimgen) with ⏎ for the ends of its lines, and what comes of it.
``BRIMGEN_REGEN=1 pytest tests/emit/custom`` writes that anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from emit.custom.conftest import ROW, Project
from support.case_files import Part, parts, rewrite
from support.cases import is_regenerating

FILE = Path(__file__).with_name("templates.cases")
CASES = [*parts(FILE, "template", "path", "row", "docs", "openai")]


def outcome(project: Project, case: Part) -> str:
    """What is said, or the text of the generated file."""
    text = case.title.replace("⏎", "\n")
    project.write("my/other.j2", "{% macro m(x) %}[{{ x }}]{% endmacro %}")
    project.write("my/base.j2", "<{% block b %}base{% endblock %}>")
    project.configure(ROW)
    project.write("my/tool.ts.j2", text if case.kind == "template" else "x\n")
    if case.kind == "path":
        project.configure(f'name: mine, template: tool.ts.j2, path: "{text}"')
    elif case.kind == "row":
        project.configure(text)
    elif case.kind == "docs":
        project.configure(targets="[docs]")
        project.write("my/docs/index.md.j2", text)
    elif case.kind == "openai":
        project.configure(targets="[openai]")
        project.write("my/openai/responses.json.j2", text)
    for name in ("find", "count"):
        spec = (project.folder / f"specs/{name}.yaml").read_text("utf-8")
        project.write(f"specs/{name}.yaml", f"{spec}x-dir: ../../etc\n")
    ran = project.run("generate")
    if ran.code:
        assert not (project.folder / "out").exists()
        errors = [each for each in ran.mistakes if "error[" in each]
        return f"{ran.code} {errors[0]}\n"
    return f"{project.read('ts/find_orders.ts').rstrip()}\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}-{case.title}")
def test_a_template_prints_or_its_mistake_is_told(project: Project, case: Part) -> None:
    made = outcome(project, case)
    if is_regenerating():
        mark = f"[{case.kind} {case.title}]"
        rewrite(FILE, mark, f"{mark}\n{case.text}", f"{mark}\n{made}")
        return
    assert case.text == made


def test_a_template_that_is_nested_too_deep_is_told(project: Project) -> None:
    text = "(" * 5000 + "1" + ")" * 5000
    made = outcome(project, Part("template", f"{{{{ {text} }}}}", ""))
    assert made.startswith("1 my/tool.ts.j2:1:")


def test_python_that_cannot_be_laid_out_is_told_at_its_template(
    project: Project,
) -> None:
    project.configure("name: mine, template: t.j2, path: a.py")
    project.write("my/t.j2", "x = {{ '-' * 9000 }}1")
    ran = project.run("generate")
    assert 1 == ran.code
    assert "a.py, which is made with this template" in ran.said


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
