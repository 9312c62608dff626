"""The schema of spec files: it knows what the parser knows, and says yes and no with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.diagnostics import Diagnostics, Severity, catalogue
from brimgen.diagnostics.catalogue import Kind
from brimgen.editor.document import KINDS, spec_schema
from brimgen.editor.schema_pieces import ANY_TYPE, ITEM_TYPE, LIST_TYPE, OBJECT_TYPE
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.documents import BUNDLE_TYPE, ENTITY_TYPE, LEAF_TYPE, parse
from brimgen.syntax.reader import Reader
from brimgen.syntax.tools import TOOL_TYPES
from brimgen.syntax.type_text import read_type
from support.cases import CASES, cases
from support.documents import documents
from support.each import check_each
from support.pages import DOCS, blocks

ROOT = Path(__file__).parents[2]
SCHEMA = spec_schema()
DRAFT_07 = jsonschema.Draft7Validator(SCHEMA)
DRAFT_2020 = jsonschema.Draft202012Validator(SCHEMA)

# Mistakes of shape that no schema of one document can see, and why.
UNSEEN = {
    "foreign-tool-key": "it is told as the key that is missing",
    "entity-ref-not-a-name": "an `entity_ref` that is misspelt is an argument of that name",
    "body-not-used": "a body is not part of the metadata",
    "statement-file-not-found": "another file",
    "statement-file-has-metadata": "another file",
    "statement-file-unused": "another file",
    "text-outside-roles": "the text of a template",
    "role-not-closed": "the text of a template",
    "role-not-opened": "the text of a template",
    "bad-field-name": "the class that a name is made into",
    "bad-python-name": "the class that a name is made into",
    "bad-slug": "the slug that a name is made into",
    "bad-secret-name": "a rule of requests",
    "bad-host-pattern": "a rule of requests",
    "nested-list": "the type that a name stands for",
    "field-without-type": "the entity that is inherited",
}


def faults(document: Any) -> list[str]:
    """What the schema refuses; both dialects must agree on whether it does."""
    found = [
        f"{'/'.join(map(str, each.absolute_path))}: {each.message}"
        for each in DRAFT_07.iter_errors(document)
    ]
    assert DRAFT_2020.is_valid(document) == (not found)
    return found


def is_accepted(text: str, name: str = "specs/a.yaml") -> bool:
    read = documents(text, name)
    return bool(read) and all(not faults(each) for each in read)


def test_the_schema_is_one_in_both_dialects() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from _nodes(each)
    elif isinstance(value, list):
        for each in value:
            yield from _nodes(each)


def test_nothing_stands_beside_a_reference_and_each_leads_somewhere() -> None:
    for node in _nodes(SCHEMA):
        target = node.get("$ref")
        if isinstance(target, str):
            assert {"$ref"} == set(node)
            assert target.removeprefix("#/definitions/") in SCHEMA["definitions"]


def test_every_kind_of_document_has_a_row() -> None:
    known = {ENTITY_TYPE, LEAF_TYPE, BUNDLE_TYPE, *TOOL_TYPES}
    assert sorted(known) == sorted(kind.type for kind in KINDS)
    assert all(kind.summary for kind in KINDS)


OUR_SPECS = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("specs", "generator/brimgen/starter/specs")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".yaml", ".yml", ".sql", ".md")
)


def test_editors_underline_nothing_in_sound_specs() -> None:
    """Those of the shop, of a new project, and of the page about the language."""

    def check(path: str) -> None:
        read = documents((ROOT / path).read_text("utf-8"), path)
        assert read
        assert [[] for _ in read] == [faults(each) for each in read]

    check_each(OUR_SPECS, check)
    for text in blocks(DOCS / "spec-language.md", "yaml"):
        assert [] == [fault for each in documents(text) for fault in faults(each)], text


def _name_of(example: str) -> str:
    if example.startswith(("/*", "SELECT")):
        return "specs/a.sql"
    front = re.match(r"---\n(?:.*\n)*?---\n", example)
    return "specs/a.md" if front and "\ntype: entity" not in example else "specs/a.yaml"


def test_editors_accept_what_the_help_of_a_diagnostic_shows_as_right() -> None:
    def check(kind: Kind) -> None:
        for each in documents(kind.right, _name_of(kind.right)):
            if isinstance(each, dict) and {"type", "name"} <= set(each):
                assert [] == faults(each)

    check_each(
        (each for each in catalogue.KINDS if each.right and each.code[0] != "O"), check
    )


SHAPES = {
    rule.reason
    for rule in catalogue.RULES
    if re.fullmatch(r"S2\d\d", rule.code) and rule.severity is Severity.ERROR
}


def test_what_the_schema_cannot_see_is_about_shapes() -> None:
    assert UNSEEN.keys() <= SHAPES


def test_editors_underline_every_wrong_shape() -> None:
    assert [] == [
        case.name
        for case in cases({})
        if case.reason in SHAPES - UNSEEN.keys()
        and is_accepted(case.source.read_text("utf-8"), f"specs/{case.source.name}")
    ]


def test_editors_leave_other_errors_to_the_command_line() -> None:
    """What parses without an error has the right shape, whatever else is wrong with it."""

    def check(case: Any) -> None:
        source = case.source
        text = source.read_text("utf-8")
        diagnostics = Diagnostics()
        parse(
            compose(SourceFile(source.name, str(source), text), diagnostics),
            diagnostics,
        )
        assert diagnostics.has_errors or is_accepted(text, source.name)

    files = [each for each in cases({}) if each.source and each.source.is_file()]
    kinds = r"(R|T|SQL)\d|S2(35|45|50)"
    check_each((each for each in files if re.match(kinds, each.name)), check)


def test_no_case_is_lost() -> None:
    assert len(list(CASES.glob("S2*.txt"))) > 40


TYPES = st.from_regex(
    r"\A *(array|list|int|Order|object|dict|T-1|_x)? *(\[|<)? *(array|int|object|dict|list)?"
    r" *\??(\[\]|\]|>)? *(\[\])?\?? *\Z"
)


@given(TYPES | st.text(max_size=12))
def test_the_texts_of_types(text: str) -> None:
    diagnostics = Diagnostics()
    span = documents_span()
    read = read_type(Reader(diagnostics), ScalarNode(span, text, text, quoted=True))
    # Names in letters of all scripts are read, and told where they are declared or looked up.
    is_name = read is not None and read.name.isascii()
    assert bool(re.search(ANY_TYPE, text)) == is_name
    if read is None or not is_name:
        return
    is_plain = not read.is_list and not read.is_optional
    assert bool(re.search(ITEM_TYPE, text)) == (
        is_plain and read.name not in ("array", "list")
    )
    is_object = read.name in ("object", "dict")
    is_word = read.name in ("array", "list") and not read.is_list
    assert bool(re.search(OBJECT_TYPE, text)) == (is_object or is_word)
    assert bool(re.search(LIST_TYPE, text)) == is_word


def documents_span() -> Any:
    from brimgen.diagnostics import Span

    return Span.at_file("specs/a.yaml")


HEAD = {"type": "python_function", "name": "probe"}


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        (None, True),
        ({}, True),
        ({"inline": {"properties": "string"}}, True),
        ({"inline": {"properties": {"a": {"type": "integer"}}}}, True),
        ({"inline": {"properties": {"type": "int"}}}, True),
        ({"inline": {"a": {"type": "int", "minimun": 1}}}, False),
        ({"inline": {"a": {"default": 1}}}, False),
        ({"entity_ref": "Page", "inline": {"a": {"default": 1}}}, True),
        ({"entity_ref": None, "inline": {"a": {"default": 1}}}, False),
        ({"entity_ref": "Page", "omit": ["a"]}, True),
        ({"inline": {}, "omit": ["a"]}, False),
        ({"inline": {}, "omit": []}, True),
        ({"mode": "standard", "inline": {"type": "object"}}, True),
        ({"mode": "complex", "inline": {"properties": {"type": "int"}}}, True),
        ({"a": "int", "mode": "string"}, True),
        ({"a": "int", "descriptions": {"a": "What"}}, True),
        ({"a": 1}, False),
        ([{"name": "a", "type": "int"}], True),
        ([{"type": "int"}], False),
        ([{"name": "a"}], False),
        ("int", False),
        ({"inline": {"a": {"type": "array", "items": {"type": "string"}}}}, True),
        ({"inline": {"a": {"type": "array", "items": {"type": "int[]"}}}}, False),
        ({"inline": {"a": {"type": "int", "items": "string"}}}, False),
        ({"inline": {"a": {"fields": {"b": "int"}, "type": "object[]"}}}, True),
        ({"inline": {"a": {"fields": {"b": "int"}, "type": "string"}}}, False),
        ({"inline": {"a": {"min": 1, "minimum": 2, "type": "int"}}}, False),
        ({"inline": {"a": {"min": None, "minimum": 2, "type": "int"}}}, True),
        ({"inline": {"a": {"type": "int", "x-any": {"b": []}}}}, True),
        ({"inline": {"a\u0007": "int"}}, False),
        ({"inline": {"a" * 129: "int"}}, False),
        ({"inline": {"from date": "date"}}, True),
    ],
)
def test_editors_judge_arguments_as_the_command_line_does(
    arguments: Any, verdict: bool
) -> None:
    document = {**HEAD, "arguments": arguments}
    assert verdict == (not faults(document)), faults(document)
    assert verdict == _parses(document)


HTTP = {
    "type": "http_function",
    "name": "probe",
    "request": {"urlTemplate": "https://api.example.com/v1"},
}
LEAF_DOCUMENT = {"type": "leaf", "name": "uuid4", "schema": {"type": "string"}}


@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        (HTTP, True),
        ({**HTTP, "request": {"method": "GET"}}, False),
        ({**HTTP, "request": {"url": "https://a.example", "method": "FETCH"}}, False),
        ({**HTTP, "request": {"url": "https://a.example", "query": {"a": [1]}}}, False),
        ({**HTTP, "request": {"url": "https://a.example", "query": {"a": None}}}, True),
        (
            {
                **HTTP,
                "request": {
                    "url": "https://a.example",
                    "auth": {"type": "bearer", "token": "${T}"},
                    "retry": {"maxAttempts": 3, "statusCodes": [503]},
                },
                "response": {"successCodes": [200], "errorMode": "empty"},
                "secrets": ["T"],
                "allowed_hosts": ["a.example"],
            },
            True,
        ),
        (
            {
                **HTTP,
                "request": {"url": "https://a.example", "auth": {"type": "basic"}},
            },
            False,
        ),
        (
            {
                **HTTP,
                "request": {"url": "https://a.example", "retry": {"maxAttempts": 0}},
            },
            False,
        ),
        ({**HTTP, "response": {"successCodes": [20]}}, False),
        ({"type": "http_function", "name": "probe"}, False),
        ({"type": "api_function", "name": "probe", "url": "https://a.example"}, True),
        ({"type": "api_function", "name": "probe"}, False),
        ({"type": "go", "name": "probe", "func": "a.B"}, True),
        ({"type": "go", "name": "probe", "goImpl": {"func": "a.B"}}, True),
        ({"type": "go", "name": "probe", "goImpl": {"fun": "a.B"}}, False),
        ({**HEAD, "argSchema": {"type": "object"}}, True),
        ({**HEAD, "argSchema": {"type": "object"}, "args": {}}, False),
        (LEAF_DOCUMENT, True),
        ({**LEAF_DOCUMENT, "python": "str"}, True),
        (
            {**LEAF_DOCUMENT, "python": {"type": "uuid.UUID", "parse": "uuid.UUID"}},
            True,
        ),
        ({**LEAF_DOCUMENT, "python": {"parse": "uuid.UUID"}}, False),
        ({"type": "leaf", "name": "uuid4"}, False),
        ({"type": "bundle", "name": "shop", "isEnabled": True}, True),
        ({"type": "bundle", "name": "shop", "isEnabled": "yes"}, False),
        ({"type": "bundle", "name": "shop", "tools": []}, False),
    ],
)
def test_editors_judge_other_documents_as_the_command_line_does(
    document: Any, verdict: bool
) -> None:
    assert verdict == (not faults(document)), faults(document)
    assert verdict == _parses(document)


def _parses(document: Any) -> bool:
    diagnostics = Diagnostics()
    text = json.dumps(document)
    parse(compose(SourceFile("specs/a.yaml", "a", text), diagnostics), diagnostics)
    return not diagnostics.has_errors


def test_hover_texts_stand_beside_synonyms_too() -> None:
    tool = SCHEMA["definitions"]["python_function"]["properties"]
    assert tool["inputs"]["description"].startswith("The same as `arguments`. ")
    assert all(each["description"] for each in tool.values())
    entry = SCHEMA["definitions"]["entry"]["properties"]
    assert all(each["description"] for each in entry.values())
