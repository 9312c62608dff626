"""Verdicts of descriptors over the instances of the corpora, against those of the schemas."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from brimgen.emit.openai.profiles import OPENAI
from brimgen.emit.protocol.profiles import MCP
from support.made import corpus
from support.projected import projected


def calls(name: str) -> Iterator[Any]:
    """Instances whose verdict does not hang on formats, which the judge does not assert."""
    path = Path(os.environ["BRIMGEN_CORPORA"]) / name / "instances.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for each in map(json.loads, lines):
            if "format" not in each["kind"] and isinstance(each["data"], dict):
                yield each


class Strict:
    """The strict schema of one tool, and how a call is sent under it: every absence as null."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema
        self._root = jsonschema_rs.validator_for(schema)

    def accepts(self, call: Any) -> bool:
        """Whether the strict schema admits ``call`` with its absences filled."""
        return self._root.is_valid(self._sent(call, self._schema))

    def _sent(self, value: Any, node: Any) -> Any:
        if "$ref" in node:
            name = node["$ref"].removeprefix("#/$defs/")
            return self._sent(value, self._schema["$defs"][name])
        if "anyOf" in node:
            return self._by_branch(value, node["anyOf"])
        if isinstance(value, dict) and "properties" in node:
            said = {
                name: self._sent(value[name], each) if name in value else None
                for name, each in node["properties"].items()
            }
            return {**value, **said}
        if isinstance(value, list) and "items" in node:
            return [self._sent(each, node["items"]) for each in value]
        return value

    def _by_branch(self, value: Any, branches: Any) -> Any:
        for branch in branches:
            sent = self._sent(value, branch)
            alone = {**branch, "$defs": self._schema.get("$defs", {})}
            if jsonschema_rs.is_valid(alone, sent):
                return sent
        return value


@pytest.mark.parametrize("name", ["bfcl", "mcp"])
def test_descriptors_judge_as_the_schemas_do(name: str, step: int) -> None:
    """Laws 1 and 2 (descriptors.md): MCP says the same, strict refuses nothing valid.

    The strict subset closes objects that the author left open without a word, which the ledger
    notes as narrowed; calls with such an extra key are left out.
    """
    schemas = {
        each["id"]: {"additionalProperties": False, **each["schema"]}
        for each in corpus(name)[::step]
    }
    mcp, strict = {}, {}
    for key, schema in schemas.items():
        said = projected(schema, MCP, key).schema
        mcp[key] = jsonschema_rs.validator_for(said)
        projection = projected(schema, OPENAI, key)
        if not projection.obstacles:
            strict[key] = Strict(projection.schema)
    judged, wrong = 0, []
    for call in calls(name):
        key, data = call["id"], call["data"]
        if key not in mcp:
            continue
        judged += 1
        if call["closed"] != mcp[key].is_valid(data):
            wrong.append((key, "mcp", data))
        sendable = call["closed"] and "extra-key" not in call["kind"]
        if sendable and key in strict and not strict[key].accepts(data):
            wrong.append((key, "strict", data))
    assert [] == wrong
    assert judged > 10_000 // step
