"""Characters that hide words from people: refused wherever they come from, and sound texts pass."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.api import Diagnostics
from brimgen.settings.configuration import read_configuration
from brimgen_runtime.grammar.hidden_characters import hidden_characters
from support.each import check_each
from support.imports import import_tools
from support.project import build
from support.work import grows_like_its_input

REFUSED = {
    "direction override": "a\u202eb",
    "direction isolate": "a\u2066b",
    "direction mark between words": "a \u200f b",
    "direction mark in a right-to-left word": "שלו\u200eם",
    "direction marks in a run": "C++\u200f\u200e שלום",
    "tag": "a\U000e0072b",
    "tags behind a flag of no country": "\U0001f3f4\U000e0061\U000e007f",
    "variation selector of a letter": "a\ufe0fb",
    "variation selector of a digit": "5\ufe0f",
    "variation selectors in a run": "\u2764\ufe0f\ufe0f",
    "variation selector supplement": "葛\U000e0100",
    "zero width space": "a\u200bb",
    "zero width joiner between letters": "a\u200db",
    "zero width joiner at the end of an emoji": "\U0001f469\u200d",
    "zero width non-joiners in a run": "ب\u200c\u200cب",
    "word joiner": "a\u2060b",
    "invisible times": "2\u2062x",
    "byte order mark inside": "a\ufeffb",
    "hangul filler": "a\u3164b",
    "soft hyphen": "a\xadb",
    "null notehead": "a\U0001d159b",
    "filler of Khitan": "a\U00016fe4b",
    "zero width non-joiner after a Latin word": "PDF\u200c files",
    "blank braille": "a\u2800b",
    "control character": "a\x1bb",
    "line separator": "a\u2028b",
    "noncharacter": "a\ufdd0b",
}
SOUND = {
    "family": "👨‍👩‍👧‍👦",
    "skin tone and profession": "👩🏽‍🚀",
    "rainbow flag": "🏳️‍🌈",
    "pirate flag": "🏴‍☠️",
    "heart on fire": "❤️‍🔥",
    "keycap": "1️⃣",
    "warning sign": "⚠️ Costs money",
    "England": "\U0001f3f4"
    + "".join(chr(0xE0000 + ord(c)) for c in "gbeng")
    + "\U000e007f",
    "Persian": "می‌خواهم کتاب‌ها را ببینم",
    "Persian ending of a foreign word": "فایل PDF\u200cها و (کتاب)\u200cها",
    "Persian ending of a number": "20\u200cدرصد",
    "Kurdish": "به\u200c کوردی ئه\u200cوه\u200c",
    "Arabic": "البحث عن الطلبات",
    "Arabic joined form": "١٤٤٥ ه‍ ",
    "Hebrew": "חיפוש הזמנות",
    "Hebrew with punctuation": "שפת C++\u200f נוחה",
    "Hindi": "क्‍ष क्‌ष",
    "Malayalam at the end of a word": "അവന്‍",
    "Kannada at the end of a word": "ಬಾಕ್ಸ್‌ ತೆರೆ",
    "Bengali": "র‍্যাব",
    "Khmer words": "ភាសា\u200bខ្មែរ",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ\u180e\u1820",
    "Japanese": "注文を検索する",
    "variant of an ideograph": "\u8279\ufe00",
    "braille": "⠓⠑⠇⠇⠕\u2800⠺",
    "lines of Windows": "a\r\n\tb",
}


def escaped(text: str) -> str:
    """A YAML text in double quotes, every character but ASCII as an escape."""
    return '"' + "".join(f"\\U{ord(each):08x}" for each in text) + '"'


SPEC = """\
type: python_function
name: probe
description: {d}
tags: [x]
arguments:
  inline:
    choice: {{ type: string, enum: [{e}, other], description: {a} }}
    plain: {{ type: string, default: {v} }}
x-note: {{ {k}: 1 }}
"""
POSITIONS = "deavk"


def yaml_of(position: str, text: str) -> str:
    return SPEC.format(
        **{each: text if each == position else "d" for each in POSITIONS}
    )


def mcp_of(text: str) -> str:
    schema = {"type": "object", "properties": {"a": {"enum": [text]}}}
    return json.dumps([{"name": "probe", "inputSchema": schema}])


def openapi_of(text: str) -> str:
    operation = {"operationId": "probe", "summary": text, "responses": {}}
    return json.dumps(
        {
            "openapi": "3.1.0",
            "info": {"title": "t", "version": "1"},
            "servers": [{"url": "https://a.example"}],
            "paths": {"/x": {"get": operation}},
        }
    )


def openapi_yaml_of(text: str) -> str:
    return openapi_of("TEXT").replace('"TEXT"', escaped(text))


def entity_of(text: str) -> str:
    schema = {
        "type": "object",
        "title": "Probe",
        "properties": {"a": {"default": text}},
    }
    return json.dumps(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    )


def python_of(text: str) -> str:
    fields = f"    {text!a}\n    a: int\n"
    return f"from dataclasses import dataclass\n@dataclass\nclass Probe:\n{fields}"


IMPORTS: dict[str, tuple[str, Callable[[str], str]]] = {
    "mcp": ("tools.json", mcp_of),
    "openapi": ("api.json", openapi_of),
    "openapi in YAML": ("api.yaml", openapi_yaml_of),
    "json schema": ("schema.json", entity_of),
    "python": ("module.py", python_of),
}


def codes(diagnostics: Diagnostics) -> set[str]:
    return {each.rule.code for each in diagnostics if each.rule.severity == "error"}


@pytest.mark.parametrize("position", POSITIONS)
def test_an_escape_hides_nothing_from_people(tmp_path: Path, position: str) -> None:
    def check(case: str) -> None:
        made = build(tmp_path, {"a.yaml": yaml_of(position, escaped(REFUSED[case]))})
        assert "S009" in codes(made.diagnostics)
        assert not made.files

    check_each(REFUSED, check)


@pytest.mark.parametrize("is_escaped", [True, False])
def test_sound_texts_of_all_scripts_pass(tmp_path: Path, is_escaped: bool) -> None:
    def check(case: str) -> None:
        text = SOUND[case]
        each = escaped(text) if is_escaped or "\r" in text else f"'{text}'"
        files = {f"{at}.yaml": yaml_of(at, each) for at in "deavk"}
        files = {
            name: spec.replace("name: probe", f"name: probe_{name[0]}")
            for name, spec in files.items()
        }
        made = build(tmp_path, files, targets=("python", "json_schema"))
        assert set() == codes(made.diagnostics)

    check_each(SOUND, check)


@pytest.mark.parametrize("kind", IMPORTS)
def test_import_takes_no_hidden_character(kind: str) -> None:
    name, write = IMPORTS[kind]

    def check(case: str) -> None:
        made, diagnostics = import_tools(name, write(REFUSED[case]))
        assert made == ()
        assert codes(diagnostics) in ({"S009"}, {"I707"})
        errors = [each for each in diagnostics if each.rule.severity == "error"]
        assert all("U+" in each.message for each in errors)

    check_each(REFUSED, check)


@pytest.mark.parametrize("kind", IMPORTS)
def test_import_takes_sound_texts(kind: str) -> None:
    name, write = IMPORTS[kind]

    def check(case: str) -> None:
        made, diagnostics = import_tools(name, write(SOUND[case]))
        assert (len(made), codes(diagnostics)) == (1, set())

    check_each(SOUND, check)


def test_a_configuration_hides_nothing(tmp_path: Path) -> None:
    def check(case: str) -> None:
        text = escaped(REFUSED[case])
        for name, said in (
            ("brimgen.yaml", f"out: {text}\n"),
            ("pyproject.toml", f"[tool.brimgen]\nout = {text}\n"),
        ):
            (tmp_path / name).write_text(said, encoding="utf-8")
            diagnostics = Diagnostics()
            read_configuration(tmp_path / name, diagnostics)
            assert {"S009"} == codes(diagnostics)

    check_each(REFUSED, check)


def test_an_escape_in_the_expression_of_a_prompt_hides_nothing(tmp_path: Path) -> None:
    spec = "---\ntype: template_function\nname: p\ndescription: d\n---\n"
    made = build(tmp_path, {"p.md": spec + 'Hi {{ "a\\u202eb" }} {{ "é" }}\n'})
    [only] = [each for each in made.diagnostics if each.rule.code == "S009"]
    assert (only.span.line, only.span.column) == (6, 4)


def test_the_place_is_that_of_the_escape(tmp_path: Path) -> None:
    spec = (
        'type: python_function\nname: probe\ndescription: "é \\t two\n  li\\u202eles"\n'
    )
    made = build(tmp_path, {"a.yaml": spec + "tags: ['\u200b']\n"})
    spans = [each.span for each in made.diagnostics if each.rule.code == "S009"]
    assert [(4, 5, 11), (5, 9, 10)] == [
        (each.line, each.column, each.end_column) for each in spans
    ]
    text = (
        '[{"name": "probe", "inputSchema": {"type": "object"}, "x-\\udb40\\udc72": 1}]'
    )
    _, diagnostics = import_tools("a.json", text)
    [span] = [each.span for each in diagnostics if each.rule.code == "S009"]
    assert "\\udb40\\udc72" == text[span.column - 1 : span.end_column - 1]


def test_a_pattern_names_hidden_characters_by_its_own_escapes(tmp_path: Path) -> None:
    spec = (
        "type: python_function\nname: probe\narguments: { inline: { a: { type: string, "
    )
    made = build(tmp_path, {"a.yaml": spec + "pattern: '^[^\\u202E\\u200B]+$' } } }\n"})
    assert set() == codes(made.diagnostics)
    kind = made.tool("probe").input_type
    assert kind.from_dict({"a": "x"}).to_dict() == {"a": "x"}
    with pytest.raises(ValueError):
        kind.from_dict({"a": "x\u202e"})


PIECES = st.sampled_from(
    [
        *(
            "a",
            "ב",
            "\n",
            " ",
            ".",
            "5",
            "葛",
            "ب",
            "\u0915",
            "\u094d",
            "\u2764",
            "\u20e3",
        ),
        *(
            "\u200b",
            "\u200c",
            "\u200d",
            "\u200e",
            "\u200f",
            "\ufe0f",
            "\ufe00",
            "\u2800",
        ),
        *("\U0001f469", "\U0001f3fd", "\U0001f3f4", "\U000e0067"),
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_no_two_invisible_characters_stand_together(text: str) -> None:
    hidden = set(hidden_characters(text))
    invisible = "\u200b\u200c\u200d\u200e\u200f\ufe0f\ufe00\U000e0067"
    kept = [
        at for at, each in enumerate(text) if each in invisible and at not in hidden
    ]
    for at in kept:
        if at + 1 in kept:  # as in a heart on fire
            assert text[at : at + 2] == "\ufe0f\u200d"


@pytest.mark.parametrize("letter", ["ב", "x"])
def test_the_work_on_allowed_marks_grows_like_the_text(letter: str) -> None:
    text = f"{letter}. \u200f"
    assert grows_like_its_input(lambda size: [*hidden_characters(text * size)], 2000)
