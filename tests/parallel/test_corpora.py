"""What others have published, built together and alone."""

from __future__ import annotations

import json
import random
import re

import pytest

from brimgen import pipeline
from parallel.conftest import Project
from runtime.corpora import lines, needs_corpora

pytestmark = needs_corpora
MANY = 80


@pytest.mark.parametrize("corpus", ["bfcl", "seal-tools", "mcp"])
def test_tools_of_others(project: Project, corpus: str) -> None:
    items = [*lines(f"{corpus}/items")]
    chosen = random.Random(corpus).sample(items, min(MANY, len(items)))
    names: dict[str, str] = {}
    for number, item in enumerate(chosen):
        name = re.sub(r"[^a-z0-9]+", "_", str(item.get("name", "tool")).lower())
        path = f"tools/{number}.yaml"
        names[f"specs/{path}"] = path
        text = f"type: python_function\nname: tool_{name[:40].strip('_')}_{number}\n"
        project.write({path: f"{text}arguments: {json.dumps(item['schema'])}\n"})
    # What brimgen refuses is refused by one process: the others are left.
    for each in pipeline.build(project.settings).found:
        if each.rule.severity == "error" and each.span.file in names:
            (project.folder / "specs" / names.pop(each.span.file)).unlink()
    assert len(names) > 20
    assert 2 == project.hold(2)
    assert 3 == project.hold(3)
