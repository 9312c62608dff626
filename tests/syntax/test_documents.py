"""Which document is what: type, name, order, and what is refused as a whole (spec-language.md)."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import ReferenceType, ref

import pytest

from brimgen.diagnostics import Diagnostics
from brimgen.source.compose import compose
from brimgen.source.document import Document, SourceFile
from brimgen.syntax.decls import ToolKind
from brimgen.syntax.documents import parse
from support.syntax import HEAD, read


def test_documents_keep_their_order() -> None:
    parsed = read(
        {
            "b.yaml": "type: entity\nname: B\nenum: [a]\n---\n" + HEAD,
            "a.yaml": "type: entity\nname: A\nenum: [a]\n",
            "c.sql": "/*\n---\nname: C\n---\n*/\nSELECT 1",
        }
    )
    assert [] == parsed.told
    assert ["A", "B"] == [each.name.value for each in parsed.specs.entities]
    assert ["probe", "C"] == [each.name.value for each in parsed.specs.tools]


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.sql", "/*\n---\nname: a\n---\n*/\nSELECT 1", ToolKind.SQL),
        ("a.SQL", "/*\n---\nname: a\n---\n*/\nSELECT 1", ToolKind.SQL),
        ("a.md", "---\nname: a\n---\nHi", ToolKind.TEMPLATE),
        ("a.md", "---\nname: a\ntype:\n---\nHi", ToolKind.TEMPLATE),
    ],
)
def test_a_file_may_say_what_it_is(name: str, text: str, kind: ToolKind) -> None:
    parsed = read(text, name=name)
    assert [] == parsed.told
    assert kind is parsed.tool.kind


@pytest.mark.parametrize(
    ("written", "slug", "suggestions"),
    [
        ("Template", "unknown-document-type", ("template_function",)),
        ("tool", "unknown-document-type", ("python_function",)),
        ("5", "unknown-document-type", ()),
        ("[entity]", "wrong-kind", ()),
    ],
)
def test_an_unknown_type_of_document_is_told_with_the_nearest(
    written: str, slug: str, suggestions: tuple[str, ...]
) -> None:
    parsed = read(f"type: {written}\nname: Thing\nanything: goes\n")
    assert [(slug, written)] == parsed.told
    assert suggestions == parsed.only.suggestions[:1]
    assert frozenset({"Thing"}) == parsed.specs.refused
    assert ((), ()) == (parsed.specs.tools, parsed.specs.entities)


@pytest.mark.parametrize(
    ("written", "more", "meant"),
    [
        ("sql_funtion", "sql: SELECT 1", "sql_function"),
        ("sql", "sql: SELECT 1", "sql_function"),
        ("python-function", "handler: a:b", "python_function"),
        ("tool", "handler: a:b", "python_function"),
        ("query", "sql: SELECT 1", "sql_function"),
        ("Template", "template: Hi", "template_function"),
        ("Entity", "enum: [a]", "entity"),
        ("model", "fields: { a: int }", "entity"),
    ],
)
def test_a_slip_in_the_type_hides_nothing(written: str, more: str, meant: str) -> None:
    parsed = read(f"type: {written}\nname: Thing\n{more}\nelse: 1\n")
    assert [("unknown-document-type", written), ("unknown-key", "else")] == parsed.told
    assert (meant,) == next(iter(parsed.diagnostics)).suggestions
    declared = [*parsed.specs.tools, *parsed.specs.entities]
    assert ["Thing"] == [each.name.value for each in declared]
    assert frozenset() == parsed.specs.refused


@pytest.mark.parametrize(
    ("text", "under", "suggestions"),
    [
        ("name: a\ndescription: b\n", "name", ()),
        ("name: a\nsql: SELECT 1\n", "name", ("type: sql_function",)),
        ("name: A\nfields: {}\n", "name", ("type: entity",)),
        ("name: a\nhandler: a:b\n", "name", ("type: python_function",)),
        ("name: a\ntypo: entty\n", "typo", ()),
    ],
)
def test_a_document_without_a_type(
    text: str, under: str, suggestions: tuple[str, ...]
) -> None:
    parsed = read(text)
    assert [("missing-key", under)] == parsed.told
    assert suggestions == parsed.only.suggestions


def test_a_misspelt_type_is_one_mistake() -> None:
    """The document is read as what was meant, so that its other mistakes are told as well."""
    parsed = read("name: A\ntyp: entity\nfields: {a: int}\n")
    assert [("unknown-key", "typ")] == parsed.told
    assert ("type",) == parsed.only.suggestions
    [declared] = parsed.specs.entities
    assert (False, "A") == (declared.sound, declared.name.value)


@pytest.mark.parametrize("name", ["a", "A", "get_orders", "get-orders-2", "x" * 64])
def test_sound_names_are_read(name: str) -> None:
    assert name == read(f"type: python_function\nname: {name}\n").tool.name.value


@pytest.mark.parametrize("name", ["true", "No", "1e3x", "nan"])
def test_a_name_keeps_its_source_text(name: str) -> None:
    parsed = read(f"type: python_function\nname: {name}\n")
    assert ([] if name[0].isalpha() else [("bad-name", name)]) == parsed.told


@pytest.mark.parametrize(
    ("name", "suggestions"),
    [
        ("get orders", ("get_orders",)),
        ("get.orders", ("get_orders",)),
        ("_private", ("private",)),
        ("größe", ("groesse",)),
        ("café_menü", ("cafe_menue",)),
        ("取得", ()),
        ("1st", ()),
        ("5", ()),
        ("''", ()),
        ('"a\\n"', ("a",)),
        ("x" * 65, ()),
    ],
)
@pytest.mark.parametrize("kind", ["python_function", "entity"])
def test_a_bad_name_is_told_with_a_better_one(
    kind: str, name: str, suggestions: tuple[str, ...]
) -> None:
    parsed = read(f"type: {kind}\nname: {name}\n" + "fields: {}\n" * (kind == "entity"))
    assert [("bad-name", name)] == parsed.told
    assert suggestions == parsed.only.suggestions
    # Its parts are looked at, under a name that nobody has written.
    [declared] = (*parsed.specs.tools, *parsed.specs.entities)
    assert (False, "(unnamed)") == (declared.sound, declared.name.value)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("get orders", "a space cannot stand in one"),
        ("größe", "`ö` cannot stand in one"),
        ("2nd", "it begins with `2`, and not with a letter"),
        ("''", "it is empty"),
        ("x" * 65, "it has 65 characters"),
    ],
)
def test_what_is_wrong_with_a_name(name: str, reason: str) -> None:
    message = read(f"type: python_function\nname: {name}\n").only.message
    assert message.endswith(f" cannot be the name of a tool: {reason}")


@pytest.mark.parametrize(
    ("lines", "help_"),
    [
        ("tags: a", "A list is written `[a, b]`, or one `- item` a line."),
        ("enabled: yes", "Only `true` and `false` are booleans; "),
        ("description: 5", "A number or a boolean becomes text in quotes."),
        ("description: [a]", "Text has no brackets or braces around it; "),
        ("mcp: a", "A mapping is written `{key: value}`, "),
    ],
)
def test_the_advice_is_about_what_is_wrong(lines: str, help_: str) -> None:
    told = read(f"type: python_function\nname: probe\n{lines}\n").only
    assert ("S202", True) == (told.rule.code, told.rule.help.startswith(help_))


def test_documents_without_a_name_are_called_alike_in_all_messages() -> None:
    """They are counted, those with a name that is none as well."""
    parsed = read(
        "type: entity\nfields: {}\n---\ntype: entity\nname: a b\nfields: {}\n---\n"
        "type: entity\nname: a b\nfields: {}\n---\ntype: entity\nfields: {}\nbad: 1\n"
    )
    called = [each.name.value for each in parsed.specs.entities]
    assert ["(unnamed)", "(unnamed 2)", "(unnamed 3)", "(unnamed 4)"] == called
    assert ["unknown key `bad` in entity `(unnamed 4)`"] == [
        each.message for each in parsed.diagnostics if each.rule.reason == "unknown-key"
    ]


def test_a_misspelt_name_is_one_mistake() -> None:
    parsed = read("type: python_function\nnmae: a\n")
    assert [("unknown-key", "nmae")] == parsed.told


@pytest.mark.parametrize("name", ["", "name:\n", "name: ~\n"])
def test_a_document_without_a_name(name: str) -> None:
    parsed = read(f"type: python_function\n{name}description: b\n")
    assert [("missing-key", "name" if name else "python_function")] == parsed.told


@pytest.mark.parametrize("kind", ["python_function", "entity", "leaf", "bundle"])
@pytest.mark.parametrize("name", ["con", "Aux", "NUL", "com1", "LPT9"])
def test_a_name_that_is_a_device_on_windows(kind: str, name: str) -> None:
    parsed = read(f"type: {kind}\nname: {name}\n")
    assert ("bad-name", name) in parsed.told
    assert any(
        "it is a device on Windows" in each.message for each in parsed.diagnostics
    )


def test_a_name_of_a_wrong_shape() -> None:
    assert [("wrong-kind", "[a]")] == read("type: python_function\nname: [a]\n").told


def test_a_document_without_a_name_is_read_all_the_same() -> None:
    parsed = read("type: python_function\nreturns: 5\ntags: a\n")
    assert ["missing-key", "type-not-text", "wrong-kind"] == [
        slug for slug, _ in parsed.told
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "tool_name: a\ntype: python_function\n",
            [("foreign-tool-key", "tool_name")],
        ),
        ("name: a\ntool_type: sql\n", [("foreign-tool-key", "tool_type")]),
        ("tool_name: a\ntool_type: sql\n", [("foreign-tool-key", "tool_type")]),
    ],
)
def test_tools_of_another_language(text: str, told: list[tuple[str, str]]) -> None:
    assert told == read(text).told


BROKEN = """\
type: python_function
name: first
descripton: One
arguments:
  entity_ref: [Customer]
  inline:
    a: int[][]
    b: { type: int, minimun: 1, default: ~ }
    c: 10
  limit: int
returns: { type: 5 }
mcp: { read_only: yes }
---
type: entity
name: Second
fields: { a: "array<>" }
enum: [a]
"""


def test_every_mistake_is_told_once_in_one_run() -> None:
    parsed = read(BROKEN)
    assert [
        ("unknown-key", "descripton"),
        ("entity-ref-not-a-name", "[Customer]"),
        ("list-of-lists", "int[][]"),
        ("unknown-key", "minimun"),
        ("field-not-a-type", "10"),
        ("stray-argument", "limit"),
        ("type-not-text", "5"),
        ("wrong-kind", "yes"),
        ("list-of-nothing", '"array<>"'),
        ("entity-two-forms", "enum"),
    ] == parsed.told
    assert len(parsed.specs.tools) == len(parsed.specs.entities) == 1


class Watched(Document):
    """A document of which a test knows whether anybody holds it still."""


def test_no_document_but_the_last_is_held() -> None:
    watched: list[ReferenceType[Watched]] = []
    held: list[list[bool]] = []

    def documents(diagnostics: Diagnostics) -> Iterator[Watched]:
        for number in range(3):
            held.append([each() is not None for each in watched[:-1]])
            text = f"type: python_function\nname: tool_{number}\nhandler: a:b\n"
            file = SourceFile(f"specs/{number}.yaml", f"{number}.yaml", text)
            made = [
                Watched(each.file, each.root) for each in compose(file, diagnostics)
            ]
            watched.append(ref(made[0]))
            yield made.pop()

    diagnostics = Diagnostics()
    specs = parse(documents(diagnostics), diagnostics)
    assert ["tool_0", "tool_1", "tool_2"] == [x.name.value for x in specs.tools]
    assert [[], [], [False]] == held


def test_tools_that_name_a_file_behind_them_keep_their_place() -> None:
    parsed = read(
        {
            "a.yaml": "type: sql_function\nname: first\nhandler: z.sql\n",
            "b.yaml": f"{HEAD}handler: a:b\n",
            "c.yaml": "type: sql_function\nname: last\nsql: SELECT 2\n",
            "z.sql": "SELECT 1\n",
        }
    )
    bodies = [x.body and x.body.text for x in parsed.specs.tools]
    assert ["first", "probe", "last"] == [x.name.value for x in parsed.specs.tools]
    assert ["SELECT 1", None, "SELECT 2"] == bodies
    assert [] == parsed.told
