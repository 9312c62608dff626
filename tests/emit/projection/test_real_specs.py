"""Descriptors of real specs: what is hidden stays hidden, and real tools pass every stage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.made import corpus
from support.project import build
from support.strict_subset import refusals

TARGETS = ("json_schema", "openai", "mcp", "models")
HIDDEN = """\
type: entity
name: Actor
fields:
  login: string
  hidden_by_override: {type: string, description: hidden_text_0}
---
type: entity
name: Answer
fields: {text: string}
---
type: python_function
name: act
description: Act.
arguments:
  entity_ref: Actor
  inline:
    hidden_by_override: {from_context: app.user.name}
    hidden_id: {type: int, from_context: app.user.id, description: hidden_text_1}
    hidden_host: {type: int, llm: false, default: 4711, examples: [4712]}
    reason: string
returns: Answer
---
type: template_function
name: greet
description: Greet.
arguments:
  inline:
    hidden_zone: {type: string, from_context: config.zone}
    who: string
template: "Hello {{ args.who }} in {{ args.hidden_zone }}"
---
type: resource
name: page
path: /pages/{number}
arguments:
  inline:
    number: int
    hidden_tenant: {type: string, from_context: app.tenant}
"""


def test_nothing_hidden_is_in_any_descriptor(tmp_path: Path) -> None:
    """Law 5 (descriptors.md), S0.19."""
    made = build(tmp_path, {"hidden.yaml": HIDDEN}, targets=TARGETS)
    assert [] == made.slugs
    for path, text in made.files.items():
        if path.endswith((".bound.json", "/entities.json")):
            continue
        if path.endswith(
            "models/pydantic.py"
        ):  # what a tool runs with is not for callers
            text = text.split("class ActInput")[1].split("\nclass ")[0]
        assert "hidden" not in text, path
        assert "4711" not in text and "4712" not in text, path
    bound = made.schema("act.bound")
    assert "hidden_id" in bound["properties"]


@pytest.mark.parametrize("name", ["bfcl", "mcp"])
def test_real_tools_pass_every_stage(name: str, step: int, tmp_path: Path) -> None:
    files = {
        f"{number}.yaml": json.dumps(
            {
                "type": "python_function",
                "name": f"tool_{number}",
                "description": item.get("description") or "Not described.",
                "arguments": {"mode": "standard", "inline": item["schema"]},
                **({"returns": item["outputSchema"]} if "outputSchema" in item else {}),
            },
            ensure_ascii=False,
        )
        for number, item in enumerate(corpus(name)[::step])
    }
    made = build(tmp_path, files, targets=("json_schema", "openai", "mcp"))
    assert [] == [
        (each.rule.code, each.message)
        for each in made.diagnostics
        if each.rule.severity == "error"
    ]
    tools: Any = made.sent("openai/responses.json")
    assert len(files) == len(tools) == len(made.sent("mcp/tools.json")["tools"])
    strict = [each for each in tools if each["strict"]]
    assert [] == [
        (each["name"], refusals(each["parameters"]))
        for each in strict
        if refusals(each["parameters"])
    ]
    assert step > 1 or len(strict) > 0.85 * len(tools)
