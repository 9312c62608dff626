"""Pages: what they say and leave out, and text that stays text whatever it holds."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from brimgen.emit import markdown
from brimgen.emit.docs import EMITTER
from support.made import catalog, emitted, tool

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def test_a_tool_called_index_keeps_its_page() -> None:
    files = emitted(EMITTER, catalog(tool("Index"), tool("other")))
    assert {
        "docs/tools/Index.md",
        "docs/tools/other.md",
        "docs/tools/README.md",
    } == set(files)


def test_a_table_shows_what_any_other_reference_leads_to() -> None:
    units = {"type": "string", "description": "A unit.", "enum": ["B", "kB"]}
    root = {
        "type": "object",
        "properties": {
            "unit": {"$ref": "#/units"},
            "same": {"$ref": "#/properties/unit"},
            "tree": {
                "type": "array",
                "description": "A tree.",
                "items": {"$ref": "#/properties/tree"},
            },
            "first": {"$ref": "#/allOf/0/properties/unit"},
        },
        "units": units,
        "allOf": [{"properties": {"unit": {"type": "string", "minLength": 1}}}],
    }
    page = emitted(EMITTER, catalog(tool("t", root)))["docs/tools/t.md"]
    assert '| `unit` | string | no |  | A unit. (one of "B", "kB") |' in page
    assert "| `same` | string | no |  | A unit. (one of" in page
    assert "| `tree` | array of array of any | no |  | A tree. |" in page
    assert "| `first` | string | no |  | (at least 1 character) |" in page


HOSTILE = [
    "<script>alert(1)</script>",
    "[a](javascript:alert(1))",
    "![x](http://a/b.png)",
    "<!-- a -->",
    "--> <b>",
    "# no heading",
    "1. no list\n2) none\n- none\n+ none\n* none",
    "> no quote",
    "    no code",
    "```\nno fence\n```",
    "~~~",
    "a\n===",
    "a\n---",
    "| a | b |\n| - | - |",
    "`code` ``` and ``",
    "*a* _b_ **c** __d__ ~~e~~",
    "&lt; &amp; &#35;",
    "\\* \\\\ \\",
    "[ref]: http://a",
    "[^1]: note",
    "$x$ :smile: @someone",
    "{{ view }} {% if %}",
    "a  \nb\\\nc",
    "\x00\x1b[31m\u202eevil",
]
TEXTS = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(alphabet="ab \n|`*_[]()<>#-+=~!&;:\\\"'1.\t", max_size=40),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40),
)


def _tokens(text: str) -> Iterator[Token]:
    for block in PARSER.parse(text):
        yield block
        yield from block.children or ()


def _spans(text: str) -> list[Token]:
    return [each for each in _tokens(text) if each.type == "code_inline"]


def _shown(text: str) -> str:
    """What a reader sees: the text, without markup."""
    found = []
    for each in _tokens(text):
        if each.type in ("text", "code_inline", "text_special"):
            found.append(each.content)
        elif each.type == "html_inline":
            found.append("\n" if each.content == "<br>" else each.content)
        elif each.type in ("softbreak", "paragraph_open"):
            found.append("\n")
    return "".join(found)


def _plain(text: str) -> str:
    return " ".join(markdown._clean(text).split())


def _all_hostile(test: object) -> object:
    for text in HOSTILE:
        test = example(text)(test)  # type: ignore[arg-type]
    return test


@_all_hostile
@given(TEXTS)
def test_paragraphs_are_nothing_but_text(text: str) -> None:
    made = markdown.paragraphs(text)
    kinds = {each.type for each in _tokens(made)}
    assert kinds <= {
        "paragraph_open",
        "paragraph_close",
        "inline",
        "text",
        "text_special",
        "softbreak",
    }
    assert _plain(text) == " ".join(_shown(made).split())


@_all_hostile
@given(TEXTS)
def test_a_cell_is_nothing_but_text(text: str) -> None:
    table = f"| a | b |\n| --- | --- |\n| {markdown.cell(text)} | end |\n"
    blocks = [each.type for each in PARSER.parse(table)]
    assert (1, 4) == (blocks.count("table_open"), blocks.count("th_open") * 2)
    assert 2 == blocks.count("td_open")
    cells = [each for each in PARSER.parse(table) if each.type == "inline"][2:]
    children = cells[0].children or []
    kinds = {each.type for each in children}
    assert kinds <= {"text", "text_special", "html_inline"}
    raw = {each.content for each in children if each.type == "html_inline"}
    assert raw <= {"<br>"}
    seen = "".join(
        "\n" if each.content == "<br>" else each.content for each in children
    )
    assert _plain(text) == " ".join(seen.split())
    assert "end" == cells[1].content


@_all_hostile
@given(TEXTS)
def test_a_heading_is_nothing_but_text(text: str) -> None:
    made = f"# {markdown.line(text)}\n"
    assert {each.type for each in _tokens(made)} <= {
        "heading_open",
        "heading_close",
        "inline",
        "text",
        "text_special",
    }
    assert _plain(text) == " ".join(_shown(made).split())


@_all_hostile
@given(TEXTS)
def test_a_code_span_shows_its_text(text: str) -> None:
    made = markdown.code(text)
    table = f"| a |\n| --- |\n| {made} |\n"
    spans = _spans(table)
    if made:
        assert 1 == len(spans)
        assert _plain(text) == " ".join(spans[0].content.split())
    else:
        assert not _plain(text)


@_all_hostile
@given(TEXTS)
def test_a_fence_holds_its_text(text: str) -> None:
    shown = markdown.without_controls(text)
    fence = markdown.fence(shown)
    blocks = PARSER.parse(f"{fence}json\n{shown}\n{fence}\n\nend\n")
    assert ["fence", "paragraph_open", "inline", "paragraph_close"] == [
        each.type for each in blocks
    ]
    assert markdown._clean(text) + "\n" == blocks[0].content
