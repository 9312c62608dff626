"""Hidden arguments of every type: a context and the host program give them on one road."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from support.checkers import MYPY, PYRIGHT, assert_clean
from support.project import Built, build

ARGUMENTS = {
    "day": "{type: date, HIDDEN}",
    "instant": "{type: datetime, HIDDEN}",
    "limit": "{type: int, maximum: 7, HIDDEN}",
    "mode": "{type: string, enum: [fast, slow], HIDDEN}",
    "colour": "{type: Colour, HIDDEN}",
    "price": "{type: decimal, wire: string, HIDDEN}",
    "amount": "{type: decimal, precision: 30, scale: 20, HIDDEN}",
    "key": "{type: uuid, HIDDEN}",
    "keys": '{type: "uuid[]", HIDDEN}',
    "prices": '{type: "decimal[]", wire: string, HIDDEN}',
    "data": "{type: bytes, HIDDEN}",
    "share": "{type: share, HIDDEN}",
    "place": "{type: Place, HIDDEN}",
    "pair": "{HIDDEN, fields: {left: uuid, right: date}}",
    "name": '{type: string, pattern: "^[a-z]+$", HIDDEN}',
    "maybe": "{type: uuid?, HIDDEN}",
    "absent": "{type: date, required: false, HIDDEN}",
    "plain": "{type: int, default: 3, HIDDEN}",
    "days": '{type: "date[]", default: ["2026-01-02"], HIDDEN}',
    "tone": "{type: Colour, default: red, HIDDEN}",
}
LINES = [f"    {name}: {type}" for name, type in ARGUMENTS.items()]
SPEC = """\
type: leaf
name: share
schema: {type: number, minimum: 0}
python: {type: "fractions:Fraction", dump: float}
---
type: entity
name: Colour
enum: [red, green]
---
type: entity
name: Place
fields: {id: uuid, since: date, worth: {type: decimal, wire: string}}
"""
TOOL = """\
---
type: python_function
name: {name}
description: Show what is hidden.
arguments:
  inline:
{lines}
returns: string
"""
KEY = UUID("123e4567-e89b-12d3-a456-426614174000")
DAY = dt.date(2026, 2, 3)
NOW = dt.datetime(2026, 2, 3, 4, 5, tzinfo=dt.UTC)
DIGITS = Decimal("0.12345678901234567890")
GIVEN: dict[str, tuple[Any, Any]] = {
    "day": ("2026-02-03", DAY),
    "instant": ("2026-02-03T04:05:00Z", NOW),
    "limit": (7, 7),
    "mode": ("fast", "fast"),
    "colour": ("green", "green"),
    "price": ("1.50", Decimal("1.50")),
    "amount": (DIGITS, DIGITS),
    "key": (str(KEY), KEY),
    "keys": ([str(KEY)], [KEY]),
    "prices": (["1.50"], [Decimal("1.50")]),
    "data": ("AAE=", b"\0\1"),
    "share": (0.25, Fraction(1, 4)),
    "place": (
        {"id": str(KEY), "since": "2026-02-03", "worth": "1.50"},
        {"id": KEY, "since": DAY, "worth": "1.50"},
    ),
    "pair": (
        {"left": str(KEY), "right": "2026-02-03"},
        {"left": KEY, "right": DAY},
    ),
    "name": ("ada", "ada"),
    "maybe": (None, None),
}
"""Each argument as JSON, and as the object that it is in Python."""
JSON = {name: value for name, (value, _) in GIVEN.items()}
OBJECTS = {name: value for name, (_, value) in GIVEN.items()}
WRONG: list[tuple[str, Any, str]] = [
    ("day", "tomorrow", "date (YYYY-MM-DD)"),
    ("limit", 9, "at most 7"),
    ("limit", "x", "integer"),
    ("limit", None, "integer"),
    ("mode", "hasty", '"fast", "slow"'),
    ("colour", "blue", "green"),
    ("price", "x", "text that matches"),
    ("key", "no", "UUID"),
    ("keys", ["no"], "UUID"),
    ("data", "?", "base64"),
    ("share", -1, "at least 0"),
    ("name", "Ada", "^[a-z]+$"),
    ("name", b"ada", "string"),
    ("place", {"id": str(KEY), "since": DAY}, "worth"),
    ("days", ["today"], "date (YYYY-MM-DD)"),
    ("day", object(), "no JSON value"),
]


def _tool(name: str, hidden: str) -> str:
    lines = "\n".join(
        line.replace("HIDDEN", hidden.format(line.strip().partition(":")[0]))
        for line in LINES
    )
    return TOOL.format(name=name, lines=lines)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A tool whose arguments the host program gives, and one that has them of the context."""
    text = SPEC + _tool("host", "llm: false")
    text += _tool("held", "from_context: app.{}")
    made = build(tmp_path_factory.mktemp("hidden"), {"a.yaml": text})
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    return made


def bound(built: Built, name: str, given: dict[str, Any]) -> Any:
    """What the handler of a tool receives, whichever way its hidden arguments come."""
    tool = built.tool(name)
    call = tool.input_type()
    if name == "host":
        return tool.bound_type.bind(call, **given)
    return tool.bound_type.bind(call, {"app": given})


@pytest.mark.parametrize("name", ["host", "held"])
@pytest.mark.parametrize("form", [JSON, OBJECTS])
def test_a_hidden_value_arrives_as_its_type_however_it_is_given(
    built: Built, name: str, form: dict[str, Any]
) -> None:
    found = bound(built, name, form)
    entities = built.load("entities")
    place = entities.Place(id=KEY, since=DAY, worth=Decimal("1.50"))
    expected = OBJECTS | {
        "colour": entities.Colour.GREEN,
        "place": place,
        "absent": None,
        "plain": 3,
        "days": [dt.date(2026, 1, 2)],
        "tone": entities.Colour.RED,
    }
    pair = found.pair
    assert (KEY, DAY) == (pair.left, pair.right)
    found_values = {each: getattr(found, each) for each in expected if each != "pair"}
    assert {each: expected[each] for each in found_values} == found_values
    assert type(found.price) is Decimal and type(found.amount) is Decimal
    again = {each: getattr(found, each) for each in ARGUMENTS if each != "absent"}
    assert found == bound(built, name, again)


@pytest.mark.parametrize("name", ["host", "held"])
@pytest.mark.parametrize(("argument", "value", "told"), WRONG)
def test_a_hidden_value_that_its_schema_refuses_is_told_and_nothing_runs(
    built: Built, name: str, argument: str, value: Any, told: str
) -> None:
    error = built.load("service").ContextError
    with pytest.raises(error) as caught:
        bound(built, name, {**JSON, argument: value})
    said = str(caught.value)
    source = argument if name == "host" else f"app.{argument}"
    assert source in said and told in said, said


def test_values_of_a_file_are_decoded_and_keep_their_digits(
    built: Built, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "values.json"
    given = {name: value for name, value in JSON.items() if name != "amount"}
    text = json.dumps({"host": given}).replace(
        '"host": {', f'"host": {{"amount": {DIGITS}, '
    )
    path.write_text(text)
    (tmp_path / "shown.py").write_text(
        "HANDLERS = {'host': lambda call: f'{call.day!r} {call.amount} {call.key!r}'}"
    )
    assert (0, f"{DAY!r} {DIGITS} {KEY!r}") == _called(built, path, tmp_path, capsys)[
        :2
    ]
    path.write_text(text.replace('"limit": 7', '"limit": 9'))
    code, _, told = _called(built, path, tmp_path, capsys)
    assert 1 == code
    assert "limit: expected at most 7. Give it with --values FILE.json." in told


def _called(
    built: Built, path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, Any, str]:
    service = built.load("service")
    command = import_module("brimgen_runtime.service.command")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(str(folder))
        options = ["--values", str(path), "--handlers", "shown"]
        code = command.main(service.Service, service.PLAN, ["call", "host", *options])
    shown = capsys.readouterr()
    return code, json.loads(shown.out) if code == 0 else None, shown.err


@pytest.mark.whole
def test_type_checkers_accept_what_reads_hidden_values(built: Built) -> None:
    assert_clean(built.out / "python", built.package, by=[MYPY, PYRIGHT])
