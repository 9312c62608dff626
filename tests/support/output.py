"""Output folders for tests: made from plain mappings, read back as plain mappings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from brimgen.api import Diagnostics
from brimgen.output.compare import Comparison
from brimgen.output.journal import write, writing
from brimgen.output.plan import Output, Plan, Scope

VERSION = "1.2.3"


def outputs(files: Mapping[str, str], target: str = "python") -> tuple[Output, ...]:
    """Outputs of one target, each resting on ``specs/a.yaml``."""
    return tuple(
        Output(path, text.encode(), target, ("specs/a.yaml",))
        for path, text in files.items()
    )


def plan_of(
    root: Path,
    made: tuple[Output, ...] | Mapping[str, str],
    *,
    force: bool = False,
    targets: frozenset[str] | None = None,
) -> tuple[Plan, Diagnostics]:
    """The plan for ``made``, and what was found on the way."""
    diagnostics = Diagnostics()
    files = made if isinstance(made, tuple) else outputs(made)
    scope = Scope(version=VERSION, force=force, targets=targets)
    comparison = Comparison(root, scope=scope, diagnostics=diagnostics)
    return comparison.plan(sorted(files, key=lambda file: file.path)), diagnostics


def generate(
    root: Path,
    made: tuple[Output, ...] | Mapping[str, str],
    *,
    force: bool = False,
    targets: frozenset[str] | None = None,
) -> Plan:
    """Plan and write as a run does; nothing may be wrong."""
    with writing(root):
        plan, diagnostics = plan_of(root, made, force=force, targets=targets)
        assert list(diagnostics) == []
        write(plan)
    return plan


def tree(root: Path) -> dict[str, str]:
    """All files below ``root`` but the manifest."""
    return {
        path: text for path, text in everything(root).items() if path != "manifest.json"
    }


def everything(root: Path) -> dict[str, str]:
    """All files below ``root``, with their text."""
    return {
        each.relative_to(root).as_posix(): each.read_text()
        for each in sorted(root.rglob("*"))
        if each.is_file()
    }
