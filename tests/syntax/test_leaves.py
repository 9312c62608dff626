"""Leaf and bundle documents, and those of other systems, as they are declared."""

from __future__ import annotations

import pytest

from brimgen.source.nodes import ScalarNode
from brimgen.syntax.decls import BundleDecl, LeafDecl, ToolKind
from support.syntax import Parsed, read

LEAF = "type: leaf\nname: iban\nschema: { type: string }\n"
BUNDLE = "type: bundle\nname: files\n"


def leaf(parsed: Parsed) -> LeafDecl:
    """The one leaf there is."""
    [decl] = parsed.specs.leaves
    return decl


def bundle(parsed: Parsed) -> BundleDecl:
    """The one bundle there is."""
    [decl] = parsed.specs.bundles
    return decl


def test_every_key_of_a_leaf_is_read() -> None:
    decl = leaf(
        read(
            f"{LEAF}description: An account\npython: {{ type: 'a:T', parse: 'a:p', dump: str }}\n"
            "sql: decimal\nplaceholder: DE\nx-owner: me\n"
        )
    )
    texts = (decl.python_type, decl.parse, decl.dump, decl.sql, decl.description)
    assert ["a:T", "a:p", "str", "decimal", "An account"] == [
        each.value for each in texts if each
    ]
    assert isinstance(decl.placeholder, ScalarNode) and "DE" == decl.placeholder.text
    assert (True, ["x-owner"]) == (
        decl.sound,
        [each.key.text for each in decl.extensions],
    )


def test_the_type_alone_may_stand_under_python() -> None:
    decl = leaf(read(f"{LEAF}python: a:T\n"))
    assert decl.python_type is not None
    assert ("a:T", None, None) == (decl.python_type.value, decl.parse, decl.dump)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("type: leaf\nname: iban\n", [("missing-key", "iban")]),
        ("type: leaf\nname: iban\nschema: string\n", [("wrong-kind", "string")]),
        (f"{LEAF}python: {{ parse: 'a:p' }}\n", [("missing-key", "python")]),
        (f"{LEAF}python: 3\n", [("wrong-kind", "3")]),
        (f"{LEAF}python: {{ typ: 'a:T' }}\n", [("unknown-key", "typ")]),
        (f"{LEAF}shcema: {{}}\n", [("unknown-key", "shcema")]),
        (
            "type: leaf\nname: iban\nschema: { type: string, minLenght: 2 }\n",
            [("misspelt-keyword", "minLenght")],
        ),
        ("type: leaf\nname: i b\nschema: { type: string }\n", [("bad-name", "i b")]),
    ],
)
def test_what_is_wrong_with_a_leaf(text: str, told: list[tuple[str, str]]) -> None:
    assert told == read(text).told


def test_every_key_of_a_bundle_is_read() -> None:
    decl = bundle(
        read(
            f"{BUNDLE}id: 1\nslug: 1.10\ndisplayName: Files\ndescription: All.\nisEnabled: false\n"
            "createdAt: 2026-01-18T05:00:00Z\nmodifiedAt: 2026-01-18T05:00:00Z\n"
        )
    )
    scalars = (decl.id, decl.slug, decl.enabled, decl.created_at, decl.modified_at)
    moment = "2026-01-18T05:00:00Z"
    assert ["1", "1.10", "false", moment, moment] == [
        each.text for each in scalars if each
    ]
    assert (True, "Files") == (
        decl.sound,
        decl.display_name and decl.display_name.value,
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{BUNDLE}isEnabled: yes\n", [("wrong-kind", "yes")]),
        (f"{BUNDLE}tools: []\n", [("unknown-key", "tools")]),
        (f"{BUNDLE}enabled: true\nisEnabled: true\n", [("synonym-twice", "isEnabled")]),
        ("type: bundle\n", [("missing-key", "bundle")]),
    ],
)
def test_what_is_wrong_with_a_bundle(text: str, told: list[tuple[str, str]]) -> None:
    assert told == read(text).told


def test_a_go_document_is_a_function_of_the_host() -> None:
    parsed = read(
        "type: go\nname: stat_path\ngoImpl: { func: example.com/fs.StatPath }\n"
        "argSchema:\n  type: object\n  properties: { path: { type: string } }\n"
        "outputSchema: { type: object, properties: {} }\nisEnabled: true\n"
    )
    assert [] == parsed.told
    tool = parsed.tool
    assert (ToolKind.PYTHON, None) == (tool.kind, tool.option("handler"))
    assert {"x-go-func": "example.com/fs.StatPath"} == {
        each.key.text: each.value.text  # type: ignore[union-attr]
        for each in tool.extensions
    }
    assert tool.arguments is not None and tool.arguments.standard is not None
    assert tool.returns is not None and tool.returns.schema is not None


def test_a_go_document_may_name_its_function_at_once() -> None:
    tool = read("type: go\nname: stat_path\nfunc: fs.StatPath\n").tool
    assert ["x-go-func"] == [each.key.text for each in tool.extensions]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tool_name: a\ntool_type: sql\nsql: SELECT 1\n", "type: sql_function"),
        ("tool_name: a\ntool_type: http_function\n", "type: http_function"),
        ("tool_name: a\ntool_type: weird\n", "type"),
    ],
)
def test_a_document_of_an_older_form_is_told_how_to_rewrite(
    text: str, message: str
) -> None:
    parsed = read(text)
    assert ["foreign-tool-key"] == [each.rule.reason for each in parsed.diagnostics]
    assert (message,) == parsed.only.suggestions


def test_arguments_and_arg_schema_exclude_each_other() -> None:
    parsed = read(
        "type: python_function\nname: a\narguments: { inline: { a: int } }\nargSchema: {}\n"
    )
    assert [("synonym-twice", "argSchema")] == parsed.told


def test_an_http_function_needs_a_request() -> None:
    assert [("missing-key", "a")] == read("type: http_function\nname: a\n").told
    parsed = read("type: http_function\nname: a\nrequest: { method: GET }\n")
    assert [("missing-key", "request")] == parsed.told
