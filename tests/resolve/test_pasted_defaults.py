"""Defaults of pasted schemas: a refused one is told, and neither applied nor published."""

from __future__ import annotations

import json
from typing import Any

import pytest

from brimgen.emit import emitter
from brimgen.judging import rejection
from support.linked import HEAD, Linked, link, tool

INNER = {"pattern": "^x", "default": "refused"}


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [INNER, {"type": "null"}]},
        {"type": "array", "items": INNER},
        {"properties": {"inner": INNER}},
        {"additionalProperties": INNER},
        {"$ref": "#/$defs/inner"},
        {"allOf": [{"$ref": "#/$defs/inner"}]},
        {"type": "array", "prefixItems": [INNER]},
    ],
)
def test_a_refused_default_is_published_nowhere(schema: dict[str, Any]) -> None:
    root = {"properties": {"a": schema}, "$defs": {"inner": INNER}}
    linked = _tool(root)
    assert {"default-not-applied"} == set(linked.slugs)
    [made] = linked.catalog.tools
    assert '"default"' not in json.dumps(made.input_schema)
    assert '"default"' not in json.dumps(made.bound_schema)
    assert '"default"' not in json.dumps(made.fields[0].schema)


def test_no_descriptor_and_no_package_states_a_refused_default() -> None:
    words = {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}], "default": "whole"}
    linked = _tool({"properties": {"a": words, "b": {"type": "array", "items": INNER}}})
    made = {
        each.path: each.text
        for target in map(emitter, ("python", "json_schema", "mcp", "anthropic"))
        for each in target.emit(linked.catalog)
        if "probe" in each.text
    }
    assert {"anthropic", "mcp", "tools"} <= {path.split("/")[-2] for path in made}
    for path, text in made.items():
        assert "whole" not in text and "refused" not in text, path


def test_a_default_of_a_result_that_its_schema_refuses() -> None:
    returns = "{type: object, properties: {n: {enum: [1], default: 2}}}"
    linked = link(f"{HEAD}returns: {returns}\n")
    assert ["default-not-applied"] == linked.slugs
    assert '"default"' not in json.dumps(linked.catalog.tools[0].returns.schema)


def test_the_text_that_is_searched_for_one_default_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched = 0

    def search(pattern: str, text: str) -> bool:
        nonlocal searched
        searched += len(pattern) + len(text)
        return False

    monkeypatch.setattr(rejection, "is_found", search)
    options = [{"pattern": f"^(a|b{n})*c$"} for n in range(300)]
    default = ["a" * 40 + str(n) for n in range(300)]
    schema = {"items": {"anyOf": options}, "default": default}
    assert ["default-not-decided"] == _tool({"properties": {"a": schema}}).slugs
    assert 0 < searched < 1_000_000


def _tool(root: dict[str, Any]) -> Linked:
    return tool(json.dumps(root))
