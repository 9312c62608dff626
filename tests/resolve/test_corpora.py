"""Standard mode over what others publish: nothing crashes, verdicts agree, types do not lie."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import jsonschema
import pytest
from jsonschema.validators import validator_for

from brimgen.diagnostics import Diagnostics, Span
from brimgen.model.catalog import Tool
from brimgen.model.project import Project
from brimgen.model.types import (
    Field,
    JsonType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
    UnionType,
)
from brimgen.resolve.entities.leaves import to_node
from brimgen.resolve.link import resolve
from brimgen.resolve.values import fits, identity
from brimgen.source.document import SourceFile
from brimgen.source.nodes import MapNode, Text
from brimgen.syntax.decls import ArgumentsDecl, SpecSet, ToolDecl, ToolKind
from brimgen.syntax.reader import Section
from runtime.corpora import lines, needs_corpora

SPAN = Span.at_file("specs/tool.yaml")

pytestmark = needs_corpora


def resolved(schema: Any) -> tuple[Tool | None, list[str]]:
    node = to_node(schema, SPAN)
    assert isinstance(node, MapNode)
    nothing = Section(node, "probe", {}, {}, ())
    decl = ToolDecl(
        file=SourceFile(SPAN.file, "tool.yaml", ""),
        kind=ToolKind.PYTHON,
        name=Text("probe", SPAN),
        span=SPAN,
        section=nothing,
        mcp=nothing,
        limits=nothing,
        arguments=ArgumentsDecl(span=SPAN, standard=node),
    )
    diagnostics = Diagnostics()
    catalog = resolve(SpecSet(tools=(decl,)), Project(), diagnostics)
    errors = [each.rule.reason for each in diagnostics if each.rule.severity == "error"]
    return next(iter(catalog.tools), None), errors


def holds(kind: Type, value: Any) -> bool:
    """Whether a value of JSON is one of a type."""
    match kind:
        case JsonType():
            return True
        case ScalarType(scalar, choices):
            return fits(scalar, value) and (
                not choices
                or any(identity(value) == identity(each) for each in choices)
            )
        case NullableType(inner):
            return value is None or holds(inner, value)
        case ListType(item):
            return isinstance(value, list) and all(holds(item, each) for each in value)
        case MapType(item):
            return isinstance(value, dict) and all(
                holds(item, each) for each in value.values()
            )
        case UnionType(options):
            return any(holds(each, value) for each in options)
        case RecordType(_, fields, extra):
            return isinstance(value, dict) and holds_all(fields, extra, value)
        case _:
            raise TypeError(kind)


def holds_all(fields: tuple[Field, ...], extra: Type | None, value: Any) -> bool:
    names = {each.name: each for each in fields}
    return all(
        holds(each.type, value[each.name]) if each.name in value else not each.required
        for each in fields
    ) and all(
        extra is not None and holds(extra, item)
        for name, item in value.items()
        if name not in names
    )


@pytest.mark.parametrize("corpus", ["bfcl", "mcp", "tau-bench"])
def test_real_tools_are_read_and_judged_as_their_corpus_says(
    corpus: str, step: int
) -> None:
    """None is refused; jsonschema's verdict on our closed schema is the corpus's."""
    instances: dict[str, list[Any]] = defaultdict(list)
    for each in lines(f"{corpus}/instances"):
        instances[each["id"]].append(each)
    for item in [*lines(f"{corpus}/items")][::step]:
        tool, errors = resolved(item["schema"])
        assert [] == errors
        assert tool is not None
        dialect = validator_for(tool.input_schema, jsonschema.Draft202012Validator)
        validator = dialect(tool.input_schema, format_checker=dialect.FORMAT_CHECKER)
        for each in instances[item["id"]]:
            data = each["data"]
            if not isinstance(data, dict) or "format uri" in each["kind"]:
                continue  # our root is an object; jsonschema alone does not check `uri`
            assert each["closed"] is validator.is_valid(data), each["id"]
            if each["closed"]:
                assert holds_all(tool.fields, tool.extra, data), each["id"]


@pytest.mark.parametrize(
    "path",
    [
        "maskbench/items",
        "openapi/operations",
        "jsonschemabench/Github_hard",
        "jsonschemabench/JsonSchemaStore",
        "jsonschemabench/Kubernetes",
        "json-schema-test-suite/draft2020-12",
    ],
)
def test_real_schemas_are_typed_or_refused(path: str, step: int) -> None:
    """Typed or refused with a diagnostic; an accepted instance is held by its type."""
    accepted = 0
    for item in [*lines(f"{path}")][::step]:
        if not isinstance(item["schema"], dict):
            continue
        tool, errors = resolved(item["schema"])
        assert tool is not None or errors
        if tool is None:
            continue
        accepted += 1
        validator = jsonschema.Draft202012Validator(
            tool.input_schema,
            format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
        )
        for test in item.get("tests", ()):
            try:
                valid = isinstance(test["data"], dict) and validator.is_valid(
                    test["data"]
                )
            except re.error:  # patterns that Python does not read
                continue
            if valid:
                assert holds_all(tool.fields, tool.extra, test["data"]), item["id"]
    assert accepted
