"""Output folders for tests: made from plain mappings, read back as plain mappings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from brimgen.diagnostics import Diagnostics
from brimgen.output.compare import Comparison
from brimgen.output.plan import Output, Plan, Scope
from brimgen.output.sink import Sink
from brimgen.output.stage import staging
from brimgen.output.write import write, writing

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
    """The plan for ``made``, which holds all that it puts, and what was found on the way."""
    diagnostics = Diagnostics()
    sink = Sink(_comparison(root, diagnostics, force, targets), keep=True)
    _hand_on(made, sink)
    return sink.plan(), diagnostics


def generate(
    root: Path,
    made: tuple[Output, ...] | Mapping[str, str],
    *,
    force: bool = False,
    targets: frozenset[str] | None = None,
) -> Plan:
    """Stage, plan and write as a run does; nothing may be wrong."""
    diagnostics = Diagnostics()
    with writing(root), staging(root) as stage:
        sink = Sink(_comparison(root, diagnostics, force, targets), stage=stage)
        _hand_on(made, sink)
        plan = sink.plan()
        assert list(diagnostics) == []
        write(plan, stage)
    return plan


def carry_out(plan: Plan) -> None:
    """Write a plan that holds all that it puts."""
    with staging(plan.root) as stage:
        write(plan, stage)


def _comparison(
    root: Path, diagnostics: Diagnostics, force: bool, targets: frozenset[str] | None
) -> Comparison:
    scope = Scope(version=VERSION, force=force, targets=targets)
    return Comparison(root, scope=scope, diagnostics=diagnostics)


def _hand_on(made: tuple[Output, ...] | Mapping[str, str], sink: Sink) -> None:
    for each in made if isinstance(made, tuple) else outputs(made):
        sink(each)


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
