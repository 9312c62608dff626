"""The schema of spec files: it knows what the parser knows, and says yes and no with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
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
from language.test_cases import CASES as language
from language.test_cases import Case
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


def test_editors_judge_the_cases_as_the_command_line_does() -> None:
    """What is built is accepted; what has a wrong shape is not, if one document can tell."""
    names, bodies = "S208", ("S270", "S273")
    field_of_a_result = "a mistake in a result is told"

    def check(case: Case) -> None:
        said = re.findall(r"(?m)^specs/\S+ error\[(\w+)\]", case.out)
        shapes = [each for each in said if each[:2] == "S2"]
        is_unseen = {names, *bodies}.intersection(
            said
        ) or case.name == field_of_a_result
        if (shapes and not is_unseen) or not said:
            assert bool(said) is not all(
                is_accepted(text, f"specs/{name}")
                for name, text in case.files.items()
                if name.endswith((".yaml", ".md")) and name != "brimgen.yaml"
            )

    check_each(language, check)


def test_hover_texts_stand_beside_synonyms_too() -> None:
    tool = SCHEMA["definitions"]["python_function"]["properties"]
    assert tool["inputs"]["description"].startswith("The same as `arguments`. ")
    assert all(each["description"] for each in tool.values())
    entry = SCHEMA["definitions"]["entry"]["properties"]
    assert all(each["description"] for each in entry.values())
