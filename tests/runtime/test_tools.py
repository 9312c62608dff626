"""The tools of a package: described as objects, imported on first use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import brimgen_runtime

RUNTIME = Path(brimgen_runtime.__file__).parent
PACKAGE = """
from brimgen_runtime.calls.tools import Tools

TOOLS = Tools(__name__, {"one": ".tools.one:One", "two": ".tools.two:Two"})
"""
TOOL = """
from brimgen_runtime.calls.tools import Tool
from brimgen_runtime.schema.files import ToolSchemas

print("imported", __name__)


class Input:
    @classmethod
    def from_dict(cls, raw, /):
        return cls()

    @classmethod
    def from_call(cls, raw, /):
        return cls()

    def to_dict(self):
        return {}


TOOL = Tool(
    __name__.rpartition(".")[2],
    input_type=Input,
    bound_type=Input,
    schemas=ToolSchemas(__name__, "tools/one"),
    description="One of two.",
)
"""
USE = """
import sys

from package import TOOLS

assert "json" not in sys.modules and "dataclasses" not in sys.modules, "imported too much"
assert list(TOOLS) == ["one", "two"] and len(TOOLS) == 2 and "one" in TOOLS
print("nothing yet")
tool = TOOLS["two"]
assert TOOLS["two"] is tool
print(tool.name, tool.description, repr(tool), repr(TOOLS))
assert TOOLS.get("three") is None
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = tmp_path / "package"
    (root / "tools").mkdir(parents=True)
    (root / "__init__.py").write_text(PACKAGE)
    (root / "tools" / "__init__.py").write_text("")
    for name in ("one", "two"):
        (root / "tools" / f"{name}.py").write_text(TOOL)
    return tmp_path


def _run(code: str, root: Path) -> str:
    return subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path[:0] = [{str(root)!r}, {str(RUNTIME.parent)!r}]\n{code}",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout


def test_a_tool_is_imported_when_it_is_first_read(package: Path) -> None:
    assert (
        "nothing yet\nimported package.tools.two\n"
        "two One of two. <Tool two> Tools(one, two)\n"
    ) == _run(USE, package)


def test_the_runtime_needs_the_standard_library_only(package: Path) -> None:
    names = [
        f"brimgen_runtime.{path.relative_to(RUNTIME).with_suffix('').as_posix().replace('/', '.')}"
        for path in RUNTIME.rglob("*.py")
        if path.name not in ("httpx_transport.py", "otel.py", "requests_transport.py")
    ]
    lines = "\n".join(f"import {name.removesuffix('.__init__')}" for name in names)
    check = (
        "\nforeign = {name.partition('.')[0] for name in sys.modules}"
        "\nours = {'brimgen_runtime', '__main__'}"
        "\nprint(sorted(foreign - sys.stdlib_module_names - ours))"
    )
    assert "[]\n" == _run(lines + check, package)


def test_a_package_loads_what_is_seldom_used_on_first_use(package: Path) -> None:
    code = (
        "import sys, package, brimgen_runtime.schema.json_text as face\n"
        "heavy = {'json', 'uuid', 'inspect'} & set(sys.modules)\n"
        "print(sorted(heavy), 'brimgen_runtime.schema.compile' in sys.modules)\n"
        "print(face.parse_json('[1.0]'))"
    )
    assert "[] False\n[1.0]\n" == _run(code, package)
