"""The templates of Python show the modules that they make, and can be extended block by block."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator

import pytest

from brimgen.emit import render as rendering
from brimgen.emit.python.lower import lower_entities, lower_init
from brimgen.emit.python.lower import lower_tool as lower
from brimgen.emit.python.package import Package
from brimgen.emit.render import render, template_root
from support.linked import link, tool
from support.syntax import HEAD

SPEC = """
place: { type: string, maxLength: 80 }
limit: { type: int, default: 20, description: Most to find }
tenant: { type: string, from_context: app.tenant }
"""
MODULE_BLOCKS = {
    "header",
    "documentation",
    "imports",
    "class_body",
    "fields",
    "bind",
    "footer",
}
TOOL_BLOCKS = {"documentation", "schemas", "tool"}


def _lines(template: str) -> list[str]:
    catalog = tool(SPEC).catalog
    view = lower(catalog.tools[0], Package(catalog))
    return render(template, view).splitlines(keepends=True)


@pytest.fixture
def extended(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Templates by name, beside those of brimgen."""
    texts: dict[str, str] = {}
    own = rendering._source

    def source(name: str) -> str | None:
        return texts.get(name) or own(name)

    rendering._environment.cache_clear()
    monkeypatch.setattr(rendering, "_source", source)
    yield texts
    rendering._environment.cache_clear()


def _blocks(template: str) -> set[str]:
    loaded = rendering._environment().get_template(template)
    return set(loaded.blocks)


def test_a_module_has_named_blocks() -> None:
    assert _blocks("python/module.py.j2") >= MODULE_BLOCKS
    assert _blocks("python/tool.py.j2") >= TOOL_BLOCKS
    for name in ("package", "leaves"):
        assert _blocks(f"python/{name}.py.j2") >= {"header", "imports", "footer"}


@pytest.mark.parametrize("block", sorted(MODULE_BLOCKS | TOOL_BLOCKS))
def test_a_block_that_is_replaced_changes_nothing_else(
    block: str, extended: dict[str, str]
) -> None:
    extended["mine.py.j2"] = (
        '{% extends "python/tool.py.j2" %}\n'
        f"{{% block {block} %}}\n{{{{ super() }}}}# Mine.\n{{% endblock %}}\n"
    )
    ours, mine = _lines("python/tool.py.j2"), _lines("mine.py.j2")
    changed = [each for each in difflib.ndiff(ours, mine) if each[0] in "+-"]
    assert changed
    assert set(changed) == {"+ # Mine.\n"}


def test_a_method_is_renamed_in_its_template_alone(extended: dict[str, str]) -> None:
    text = (template_root() / "python/module.py.j2").read_text("utf-8")
    assert text.count("def bind(") == 2
    extended["python/module.py.j2"] = text.replace("def bind(", "def join(")
    made = "".join(_lines("python/tool.py.j2"))
    assert "def join(" in made
    assert "def bind(" not in made


def test_modules_of_little_are_complete() -> None:
    catalog = link(HEAD).catalog
    package = Package(catalog)
    entities = render("python/entities.py.j2", lower_entities(catalog, package))
    assert entities.endswith("from __future__ import annotations\n")
    module = render("python/tool.py.j2", lower(catalog.tools[0], package))
    front = render("python/package.py.j2", lower_init(catalog, package))
    for text in (entities, module, front):
        ast.parse(text)
