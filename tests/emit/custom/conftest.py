"""A project with templates of its own, and the command as a user runs it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from brimgen.cli.run import run as run_command

SPEC = """\
type: python_function
name: find_orders
description: "Finds orders.\\nOf one customer."
tags: [sales]
arguments:
  inline:
    customer: { type: string, description: Whose orders. }
    limit: { type: int, required: false, default: 10 }
returns: string
"""
SECOND = """\
type: python_function
name: count_orders
description: Counts orders.
returns: int
"""
ENTITY = """\
type: entity
name: Order
fields: { id: int, note: string }
"""


@dataclass(frozen=True)
class Ran:
    """The outcome of one run of the command."""

    code: int
    said: str

    @property
    def mistakes(self) -> list[str]:
        """The diagnostics: place, code, message."""
        return [each for each in self.said.splitlines() if "[" in each]


@dataclass(frozen=True)
class Project:
    """A folder with specs, templates and a configuration."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")

    def read(self, path: str) -> str:
        """A generated file."""
        return (self.folder / "out" / path).read_bytes().decode()

    def has(self, path: str) -> bool:
        """Whether a file was generated."""
        return (self.folder / "out" / path).exists()

    def configure(self, *custom: str, targets: str = "[json_schema]") -> None:
        """Write the configuration, with the targets of the project in ``custom``."""
        rows = "".join(f"  - {{ {each} }}\n" for each in custom)
        listed = f"custom:\n{rows}" if rows else ""
        text = f"package: shop\ntargets: {targets}\ntemplates: my\n{listed}"
        self.write("brimgen.yaml", text)

    def run(self, command: str, *options: str, format: bool = True) -> Ran:
        """Run the command; with ``format``, it takes the option of that name."""
        short = ["--format=concise"] if format else []
        code = run_command([command, *short, *options])
        said = self.capsys.readouterr()
        return Ran(code, said.err + said.out)

    def generate(self) -> None:
        """Generate; fail where that does."""
        ran = self.run("generate")
        assert 0 == ran.code, ran.said


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Project:
    """A project with two tools and an entity, and an empty folder of templates."""
    monkeypatch.chdir(tmp_path)
    made = Project(tmp_path, capsys)
    made.write("specs/find.yaml", SPEC)
    made.write("specs/count.yaml", SECOND)
    made.write("specs/order.yaml", ENTITY)
    (tmp_path / "my").mkdir()
    made.configure()
    return made


ROW = 'name: mine, template: tool.ts.j2, path: "ts/{{ tool.name }}.ts"'
