"""What an editor shows of specs: completion, hover, definition, corrections."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.api import Diagnostics, Flags, load_settings
from brimgen.languageserver import answers
from brimgen.languageserver.analysis import Analysis, analyse
from brimgen.languageserver.answers import Question

FIND = """\
/*
---
name: find_orders
description: Finds the orders of a customer.
arguments:
  inline:
    customer_id: { type: int, minimum: 1, description: Whose orders }
    state: Stage
returns: Order[]
---
*/
-- not :customer_id
SELECT id FROM orders WHERE customer = :customer_id AND ':customer_id' <> state
AND state = :state
"""
SHARED = """\
type: entity
name: Order
description: What was bought.
fields: { id: int }
---
type: entity
name: Stage
enum: [open, paid]
---
type: http_function
name: track
description: Looks up a parcel.
arguments:
  inline:
    parcel: string
allowedHosts: [example.com]
request: { method: GET, url: "https://example.com/${parcel}" }
---
type: template_function
name: remind
arguments:
  inline:
    who: string
    days: { type: int, default: 3 }
template: "Remind {{ args.who }} in {{ args.days }} days. {{ args.who }}!"
"""
HERE = "|"
"""Where the cursor stands in the text of a question."""


class Editor:
    """A project whose files are open in an editor."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        found = Diagnostics()
        self.settings = load_settings(Flags(), found)
        assert not found.has_errors

    def analyse(self, file: str = "", text: str = "") -> Analysis:
        """The analysis with an unsaved text of a file."""
        path = self.folder / "specs" / file
        return analyse(self.settings, {path: text} if file else {})

    def asked(self, file: str, marked: str) -> Question:
        """The question at the bar in a text."""
        before, _, after = marked.partition(HERE)
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        return Question(self.folder / "specs" / file, before + after, line, column)

    def completed(self, file: str, marked: str) -> list[str]:
        """The labels that are offered at the bar."""
        found = answers.complete(self.asked(file, marked), self.analyse())
        return [each.label for each in found]


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """A project with an SQL tool, a request, a prompt and entities."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/find.sql").write_text(FIND)
    (tmp_path / "specs/shared.yaml").write_text(SHARED)
    return Editor(tmp_path)


def test_keys_are_offered_where_they_may_stand_and_with_their_meaning(
    editor: Editor,
) -> None:
    assert ["fields", "enum"] == [
        each
        for each in editor.completed("a.yaml", "type: entity\nname: A\n|")
        if each in {"fields", "enum", "sql", "name", "type"}
    ]
    top = editor.completed("find.sql", FIND.replace("returns", "ret|", 1))
    assert {"returns", "arguments", "connection"} - {"arguments"} <= {*top}
    assert "arguments" not in top
    of_field = editor.completed("find.sql", FIND.replace("minimum: 1", "min|"))
    assert {"minimum", "maximum", "default"} <= {*of_field}
    assert "type" not in of_field
    asked = editor.asked("find.sql", FIND.replace("minimum: 1", "min|"))
    texts = {
        each.label: each.text for each in answers.complete(asked, editor.analyse())
    }
    assert texts["minimum"]


@pytest.mark.parametrize(
    ("file", "text", "offered"),
    [
        ("find.sql", FIND.replace("Order[]", "|"), {"int", "Order", "Stage", "uuid"}),
        ("find.sql", FIND.replace("Stage", "|"), {"int", "Order", "Stage", "uuid"}),
        ("find.sql", FIND.replace("type: int", "type: |"), {"int", "datetime"}),
        ("a.yaml", "type: |", {"entity", "sql_function"}),
        ("a.yaml", "name: a\ntype: entity\nfields:\n  a:\n    type: |", {"Order"}),
        ("a.yaml", "type: sql_function\nenabled: |", {"true", "false"}),
        ("find.sql", FIND.replace("'", ":|", 1), {"customer_id", "state"}),
        ("shared.yaml", SHARED.replace("${parcel", "${|"), {"parcel"}),
        ("shared.yaml", SHARED.replace("args.who", "args.|", 1), {"who", "days"}),
    ],
)
def test_types_words_entities_and_placeholders_are_offered(
    editor: Editor, file: str, text: str, offered: set[str]
) -> None:
    assert offered <= {*editor.completed(file, text)}


def test_placeholders_are_offered_although_the_tool_is_broken_for_now(
    editor: Editor,
) -> None:
    before = editor.analyse()
    broken = FIND.replace("state: Stage", "state: [").replace("'", ":|", 1)
    asked = editor.asked("find.sql", broken)
    path = editor.folder / "specs/find.sql"
    after = analyse(editor.settings, {path: asked.text}, before)
    assert "find_orders" not in {each.name for each in after.catalog.tools}
    offered = {each.label for each in answers.complete(asked, after)}
    assert {"customer_id", "state"} <= offered


@pytest.mark.parametrize(
    ("line", "illegal"),
    [
        ("a: |", {"splat"}),
        ("a: { type: array, items: | }", {"array", "splat"}),
        ("a: { type: array, items: { type: | } }", {"array", "splat"}),
        ("a: { items: string, type: | }", {"int", "object", "Order", "splat"}),
        ("a: { fields: { b: int }, type: | }", {"int", "Order", "splat"}),
    ],
)
def test_a_type_that_is_illegal_at_the_place_is_not_offered(
    editor: Editor, line: str, illegal: set[str]
) -> None:
    text = f"type: python_function\nname: a\narguments:\n  inline:\n    {line}\n"
    offered = {*editor.completed("a.yaml", text)}
    assert offered and not offered & illegal


def test_only_entities_are_offered_for_an_entity_ref(editor: Editor) -> None:
    text = "type: python_function\nname: a\narguments:\n  entity_ref: |\n"
    assert {"Order"} == {*editor.completed("a.yaml", text)} & {"Order", "int", "Stage"}


@pytest.mark.parametrize(
    ("file", "text", "shown"),
    [
        (
            "find.sql",
            FIND.replace("= :cust", "= :cu|st"),
            "integer; required; minimum 1",
        ),
        ("find.sql", FIND.replace("Order[]", "Or|der[]"), '"id"'),
        ("find.sql", FIND.replace("Stage", "St|age"), '"paid"'),
        ("find.sql", FIND.replace("find_", "fi|nd_"), '"customer_id"'),
        ("find.sql", FIND.replace("minimum", "mini|mum"), "**minimum**: "),
        ("shared.yaml", SHARED.replace("args.days", "args.da|ys"), "default 3"),
    ],
)
def test_hover_shows_the_schema_of_what_a_word_names(
    editor: Editor, file: str, text: str, shown: str
) -> None:
    said = answers.hover(editor.asked(file, text), editor.analyse())
    assert said is not None
    assert shown in said


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (FIND.replace("Order[]", "Or|der[]"), ("specs/shared.yaml", 2)),
        (FIND.replace("Stage", "St|age"), ("specs/shared.yaml", 7)),
        (FIND.replace("= :cust", "= :cu|st"), ("specs/find.sql", 7)),
    ],
)
def test_a_word_leads_to_where_it_is_declared(
    editor: Editor, text: str, place: tuple[str, int]
) -> None:
    span = answers.define(editor.asked("find.sql", text), editor.analyse())
    assert span is not None
    assert place == (span.file, span.line)


def test_files_that_are_no_specs_are_left_alone(editor: Editor) -> None:
    page = Question(editor.folder / "README.md", "# A page\n\n\n", 3, 1)
    analysis = editor.analyse()
    assert [] == answers.complete(page, analysis)
    assert answers.hover(page, analysis) is None
    assert answers.formatted(editor.folder / "a.yaml", "a:   1\n", analysis) is None
    spec = editor.folder / "specs/a.yaml"
    assert "a: 1\n" == answers.formatted(spec, "a:   1\n", analysis)


def test_a_slip_in_an_unsaved_text_is_told_with_its_correction(editor: Editor) -> None:
    text = FIND.replace("returns", "retruns")
    analysis = editor.analyse("find.sql", text)
    assert "S203" in [each.rule.code for each in analysis.diagnostics]
    [edit] = answers.corrections(analysis, editor.folder / "specs/find.sql")
    assert ("retruns", "returns") == (edit.old, edit.new)


def test_an_entity_and_an_argument_are_found_wherever_they_are_used(
    editor: Editor,
) -> None:
    def lines(file: str, marked: str) -> list[tuple[str, int]]:
        asked = editor.asked(file, marked)
        found = answers.references(asked, editor.analyse())
        return [(each.file, each.line) for each in found]

    order = SHARED.replace("name: Order", "name: Or|der", 1)
    assert [("specs/find.sql", 9), ("specs/shared.yaml", 2)] == sorted(
        lines("shared.yaml", order)
    )
    state = FIND.replace("state: Stage", "st|ate: Stage")
    assert [8, 13, 14, 14] == [line for _, line in lines("find.sql", state)]
    assert [] == lines("find.sql", FIND.replace("SELECT", "SEL|ECT"))


def test_the_outline_of_a_file_is_what_it_declares(editor: Editor) -> None:
    analysis = editor.analyse()
    found = answers.declared_in("specs/shared.yaml", analysis)
    assert ["Order", "Stage", "track", "remind"] == [each.name for each in found]
