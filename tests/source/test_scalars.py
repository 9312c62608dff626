"""YAML 1.2 core scalars (spec-language.md): no surprise of YAML 1.1 changes a value."""

from __future__ import annotations

import math

import pytest

from brimgen.source.tree import NumberRange, core_value
from support.reading import read, read_data, read_root


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((word, None) for word in ("", "~", "null", "Null", "NULL")),
        *((word, True) for word in ("true", "True", "TRUE")),
        *((word, False) for word in ("false", "False", "FALSE")),
        ("0", 0),
        ("-0", 0),
        ("+12", 12),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("1e3", 1000.0),
        ("1.10", 1.1),
        (".5", 0.5),
        ("5.", 5.0),
        ("-1.5E-2", -0.015),
    ],
)
def test_what_is_not_text(text: str, value: object) -> None:
    assert core_value(text) == value
    assert type(core_value(text)) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "no", "NO", "on", "Off", "y", "n", "nULL", "tRue", "Y", "N"),
        *("1:30", "190:20:30", "2026-01-18", "2026-01-18T05:00:00Z", "1_000", "0b11"),
        *("0o8", "0xG", "-0x1", "+0o7", "1e", "e3", ".", "-", "+", "..5", "1.2.3"),
        *(
            "=",
            "<<",
            "inf",
            "nan",
            "-.nan",
            "1 2",
            "\uff11\uff12",
            "\u0663",
            "0x",
            "12e4f67",
        ),
    ],
)
def test_words_that_older_yaml_took_for_booleans_or_dates_stay_text(text: str) -> None:
    assert core_value(text) is text


@pytest.mark.parametrize(
    "text",
    [
        *(".inf", "-.Inf", "+.INF", ".nan", ".NaN", "1e999", "-1e400"),
        *("9" * 400, "9" * 5000, "0x" + "f" * 300, "0o" + "7" * 400),
    ],
)
def test_numbers_that_json_cannot_carry(text: str) -> None:
    with pytest.raises(NumberRange):
        core_value(text)
    (document,), (only,) = read(f"a: {text}\n")
    assert only.rule.reason == "number-range"
    value = document.root.get("a").value  # type: ignore[union-attr]
    assert isinstance(value, float)
    assert math.isfinite(value)
    assert (value < 0) == text.startswith("-")


@pytest.mark.parametrize("quoted", ["'{}'", '"{}"', "|-\n  {}", ">-\n  {}"])
@pytest.mark.parametrize("text", ["12", "true", "null", "1.10", "~", "1e999"])
def test_quoted_and_block_scalars_are_text(quoted: str, text: str) -> None:
    assert read_data("a: " + quoted.format(text) + "\n") == {"a": text}


def test_scalars_keep_their_source_text() -> None:
    root = read_root("a: 1.10\nb: NO\nc: 010\nd: True\ne: ~\nf:\n")
    assert [entry.value.text for entry in root.entries] == [  # type: ignore[union-attr]
        *("1.10", "NO", "010", "True", "~", "")
    ]


def test_keys_are_always_strings() -> None:
    root = read_root("1: a\ntrue: b\n~: c\n1.10: d\n2026-01-01: e\n'1.1': f\n")
    keys = [entry.key.value for entry in root.entries]
    assert keys == ["1", "true", "~", "1.10", "2026-01-01", "1.1"]
