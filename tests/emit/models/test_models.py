"""The models target: classes of other libraries with the types and bounds of the dataclasses."""

from __future__ import annotations

import ast
import datetime as dt
import json
import os
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from importlib import import_module
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NotRequired, get_type_hints
from uuid import UUID

import msgspec
import pydantic
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from brimgen.emit.models import EMITTER, FLAVOURS
from brimgen.model.catalog import Catalog
from support.budget import costs
from support.canonical import canonical, instances
from support.checkers import MYPY, assert_clean
from support.made import catalog, complaints, emitted, tool
from support.project import Built, build

ID = "0190b7c4-0000-7000-8000-000000000001"
SPEC = """\
type: entity
name: State
enum: [open, in progress]
---
type: entity
name: Line
fields:
  sku: string
  price: { type: decimal, minimum: 0 }
---
type: entity
name: Node
fields:
  label: string
  kids: { type: "Node[]", default: [] }
---
type: python_function
name: place
description: Place an order.
arguments:
  inline:
    order: uuid
    from: date
    at: datetime
    name: { type: string, minLength: 1, maxLength: 5, pattern: "^[a-z]+$" }
    lines: { type: "Line[]", minItems: 1, maxItems: 2 }
    clock: time?
    span: duration?
    price: { type: decimal, minimum: 0, maximum: 100, default: 19.99 }
    digits: { type: decimal, wire: string, required: false }
    state: { type: State, default: open }
    states: { type: "State[]", required: false }
    kind: { type: string, enum: [a, b], default: a }
    count: { type: int, minimum: 1, maximum: 10, default: 5 }
    note: { type: string, required: false }
    since: { type: date, default: 2026-01-01 }
    data: bytes?
    user: { type: string, from_context: app.user }
returns: Line[]
---
type: python_function
name: grow
description: Grow a tree.
arguments: { inline: { tree: Node } }
returns: { inline: { height: int, at: datetime } }
"""
NEEDED = {
    "order": ID,
    "from": "2026-01-18",
    "at": "2026-01-18T05:00:00+02:00",
    "name": "abc",
    "lines": [{"sku": "x", "price": 1.5}],
}
ALL = {
    **NEEDED,
    "clock": "10:00:00",
    "span": "P1DT2H",
    "price": Decimal("12.345678901234567890"),
    "digits": "12.50",
    "state": "in progress",
    "states": ["open", "in progress"],
    "kind": "b",
    "count": 3,
    "note": "",
    "since": "2026-02-01",
    "data": "YWJj",
}
_numbers = count()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("models"),
        {"a.yaml": SPEC},
        targets=("python", "models"),
        models=FLAVOURS,
        package="modelled",
    )
    assert not made.diagnostics.has_errors
    return made


def run(text: str) -> ModuleType:
    """A generated module, imported."""
    name = f"generated_models_{next(_numbers)}"
    module = ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, name, "exec"), module.__dict__)
    return module


def module(flavour: str, made: Catalog) -> ModuleType:
    """The module of one flavour."""
    [text] = [
        text
        for path, text in emitted(EMITTER, made).items()
        if path.endswith(f"/models/{flavour}.py")
    ]
    return run(text)


def test_the_target_is_off_by_default_and_makes_what_the_project_asks_for(
    tmp_path: Path,
) -> None:
    assert not EMITTER.default
    for asked, made in (((), FLAVOURS[:1]), (("msgspec",), ("msgspec",))):
        project = build(
            tmp_path / "-".join(made),
            {"a.yaml": SPEC},
            targets=("python", "models"),
            **({"models": asked} if asked else {}),
            package="chosen",
        )
        found = {
            each.rpartition("/")[2] for each in project.files if "/models/" in each
        }
        assert {"__init__.py", *(f"{each}.py" for each in made)} == found
    assert [] == complaints(EMITTER, catalog())


def test_the_package_needs_no_library_until_a_model_is_wanted(built: Built) -> None:
    built.load()
    code = "import sys, modelled.models; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code],
        cwd=built.out / "python",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.split()
    assert "modelled.models" in loaded
    assert not {"pydantic", "msgspec"} & {*loaded}


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("call", [NEEDED, ALL], ids=["needed", "all"])
def test_an_input_comes_back_from_a_model_as_it_was(
    built: Built, flavour: str, call: dict[str, Any]
) -> None:
    """No digit is lost, nothing absent becomes null, no default is stated anew."""
    package, classes = built.load("models"), built.load(f"models.{flavour}")
    kind = built.tool("place").input_type
    value = kind.from_dict(call)
    model = package.to_model(classes.PlaceInput, value)
    assert value == package.from_model(kind, model)
    tree = built.tool("grow").input_type.from_dict(
        {"tree": {"label": "a", "kids": [{"label": "b", "kids": []}]}}
    )
    grown = package.to_model(classes.GrowInput, tree)
    assert tree == package.from_model(type(tree), grown)


@pytest.mark.parametrize("flavour", ["pydantic", "msgspec"])
def test_values_have_the_types_that_a_user_computes_with(
    built: Built, flavour: str
) -> None:
    classes = built.load(f"models.{flavour}")
    value = built.tool("place").input_type.from_dict(ALL)
    model = built.load("models").to_model(classes.PlaceInput, value)
    assert (UUID(ID), dt.date(2026, 1, 18)) == (model.order, model.from_)
    assert dt.datetime(2026, 1, 18, 3, tzinfo=dt.UTC) == model.at
    assert (dt.time(10), dt.timedelta(days=1, hours=2)) == (model.clock, model.span)
    assert (Decimal, ALL["price"]) == (type(model.price), model.price)
    assert classes.State.IN_PROGRESS is model.state
    assert "in progress" == classes.State.IN_PROGRESS
    assert classes.Line is type(model.lines[0])
    assert Decimal("1.5") == model.lines[0].price


def test_defaults_are_those_of_the_dataclass(built: Built) -> None:
    kind = built.tool("place").input_type
    expected = kind.from_dict(NEEDED)
    for flavour in ("pydantic", "msgspec"):
        classes = built.load(f"models.{flavour}")
        given = {
            "order": UUID(ID),
            "from" if flavour == "pydantic" else "from_": dt.date(2026, 1, 18),
            "at": dt.datetime(2026, 1, 18, 3, tzinfo=dt.UTC),
            "name": "abc",
            "lines": [classes.Line(sku="x", price=Decimal("1.5"))],
        }
        model = classes.PlaceInput(**given)
        assert (Decimal("19.99"), classes.State.OPEN) == (model.price, model.state)
        assert (5, "a") == (model.count, model.kind)
        found = built.load("models").from_model(kind, model)
        assert expected == found
        assert dt.date(2026, 1, 1) == found.since


def test_what_is_changed_in_place_in_a_model_comes_back(built: Built) -> None:
    """A default that was changed counts as given, although nobody has assigned it."""
    classes, package = built.load("models.pydantic"), built.load("models")
    tree = classes.Node(label="a")
    tree.kids.append(classes.Node(label="b"))
    tree.kids[0].kids.append(classes.Node(label="c"))
    grown = classes.GrowInput(tree=tree)
    found = package.from_model(built.tool("grow").input_type, grown)
    said = found.to_dict()["tree"]
    assert ["b"] == [kid["label"] for kid in said["kids"]]
    assert ["c"] == [kid["label"] for kid in said["kids"][0]["kids"]]
    untouched = classes.PlaceInput(**NEEDED)
    place = package.from_model(built.tool("place").input_type, untouched).to_dict()
    assert not {"clock", "note", "states"} & {*place}


def test_none_of_pydantic_is_absent_where_null_is_not_meant(built: Built) -> None:
    classes, kind = built.load("models.pydantic"), built.tool("place").input_type
    model = classes.PlaceInput(**{**NEEDED, "note": None, "clock": None})
    found = built.load("models").from_model(kind, model)
    assert found.note is None and "note" not in found.to_dict()
    assert found.to_dict()["clock"] is None


def test_what_the_schema_refuses_is_refused_when_it_comes_back(built: Built) -> None:
    kind = built.tool("place").input_type
    classes = built.load("models.msgspec")
    line = classes.Line(sku="x", price=Decimal(-1))
    model = classes.PlaceInput(
        order=UUID(ID),
        from_=dt.date(2026, 1, 18),
        at=dt.datetime(2026, 1, 18, tzinfo=dt.UTC),
        name="abc",
        lines=[line],
    )
    with pytest.raises(
        import_module("brimgen_runtime.schema.errors").InputError, match="price"
    ):
        built.load("models").from_model(kind, model)
    naive = msgspec.structs.replace(model, at=dt.datetime(2026, 1, 18))
    with pytest.raises(ValueError, match="expected datetime with offset"):
        built.load("models").from_model(kind, naive)


def test_typed_dicts_say_what_json_has(built: Built) -> None:
    classes = built.load("models.typed_dict")
    assert {*NEEDED} == classes.PlaceInput.__required_keys__
    hints = get_type_hints(classes.PlaceInput, include_extras=True)
    assert (str, NotRequired[float | Decimal]) == (hints["from"], hints["price"])
    assert NotRequired[Literal["open", "in progress"]] == hints["state"]
    assert NotRequired[str | None] == hints["clock"]


PROGRAM = """\
from modelled.models import from_model, msgspec, pydantic, to_model, typed_dict
from modelled.tools.place import PlaceBound, PlaceInput


def convert(call: PlaceInput, bound: PlaceBound) -> PlaceInput:
    model: pydantic.PlaceInput = to_model(pydantic.PlaceInput, call)
    struct: msgspec.PlaceInput = to_model(msgspec.PlaceInput, call)
    said: typed_dict.PlaceInput = to_model(typed_dict.PlaceInput, call)
    whole: pydantic.PlaceBound = to_model(pydantic.PlaceBound, bound)
    print(struct, said["name"], whole.user)
    return from_model(PlaceInput, model)
"""


@pytest.mark.whole
def test_models_and_their_conversions_are_typed(built: Built) -> None:
    root = built.out / "python"
    (root / "use_models.py").write_text(PROGRAM)
    assert_clean(root, "use_models.py", "modelled/models", by=[MYPY])
    wrong = PROGRAM.replace("pydantic.PlaceInput = to", "pydantic.GrowInput = to")
    (root / "use_models.py").write_text(wrong)
    with pytest.raises(AssertionError):
        assert_clean(root, "use_models.py", by=[MYPY])


PROBES: dict[str, dict[str, Any]] = {
    '`"5"` for an int': {"count": "5"},
    "`5.0` for an int": {"count": 5.0},
    "`true` for an int": {"count": True},
    "11 where 10 is the maximum": {"count": 11},
    '`"1.5"` for a decimal': {"price": "1.5"},
    "101 where 100 is the maximum of a decimal": {"price": 101},
    "a decimal with 20 digits": {"price": Decimal("12.345678901234567890")},
    "a text that is too long": {"name": "abcdef"},
    "a text that breaks its pattern": {"name": "A"},
    "5 for a text": {"name": 5},
    "null for an optional argument that is not nullable": {"note": None},
    "null for a nullable argument": {"clock": None},
    "null for a required argument": {"name": None},
    "an unknown argument": {"more": 1},
    "an unknown field of an entity": {"lines": [{"sku": "a", "price": 1, "x": 1}]},
    "too many items": {"lines": [{"sku": "a", "price": 1}] * 3},
    "a value that no enum has": {"state": "lost"},
    "a value that is no choice": {"kind": "c"},
    "a datetime without offset": {"at": "2026-01-18T05:00:00"},
    "a datetime with a space": {"at": "2026-01-18 05:00:00Z"},
    "a number for a datetime": {"at": 1768712400},
    "a number for a date": {"from": 0},
    "a datetime for a date": {"from": "2026-01-18T00:00:00Z"},
    "a date that no calendar has": {"from": "2026-02-30"},
    "a UUID without dashes": {"order": ID.replace("-", "")},
    "a UUID in capitals": {"order": ID.upper()},
    "a time with an offset": {"clock": "10:00:00Z"},
    "a time without seconds": {"clock": "10:00"},
    "a duration in weeks": {"span": "P1W"},
    "a duration as seconds": {"span": 90},
    "no base64": {"data": "?"},
}
"""What is sent besides what is right."""


def _accepts(decode: Callable[[dict[str, Any]], object], said: dict[str, Any]) -> bool:
    try:
        decode({**NEEDED, **said})
    except ValueError:
        return False
    return True


def table(built: Built) -> str:
    """The rows of docs/python.md about what a flavour accepts, and a dataclass does not."""
    kinds = built.load("models.pydantic").PlaceInput, built.load("models.msgspec")
    columns = (
        built.tool("place").input_type.from_dict,
        kinds[0].model_validate,
        lambda said: msgspec.convert(said, kinds[1].PlaceInput),
    )
    lines = ["| what is sent | `from_dict` | pydantic | msgspec |", "|---|---|---|---|"]
    for words, said in PROBES.items():
        exact, *others = (_accepts(decode, said) for decode in columns)
        if others == [exact, exact]:
            continue
        cells = ["accepts" if exact else "refuses"]
        for verdict in others:
            word = "accepts" if verdict else "refuses"
            cells.append(word if verdict == exact else f"**{word}**")
        lines.append(f"| {words} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def test_the_page_says_what_each_flavour_accepts(built: Built) -> None:
    """BRIMGEN_REGEN=1 writes the table again."""
    page = Path(__file__).parents[3] / "docs" / "python.md"
    text = page.read_text("utf-8")
    begin = text.index("| what is sent |")
    end = text.index("\n\n", begin) + 1
    if "BRIMGEN_REGEN" in os.environ:
        page.write_text(text[:begin] + table(built) + text[end:], "utf-8")
    else:
        assert table(built) == text[begin:end]


HOSTILE = st.text(
    alphabet=st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"])
    | st.sampled_from("'\"\\\n{}#"),
    max_size=20,
)
ALLOWED = (
    *(ast.Import, ast.ImportFrom, ast.ClassDef, ast.AnnAssign, ast.Assign, ast.Expr),
    *(ast.Pass,),
)


@costs(50)
@given(HOSTILE, HOSTILE, HOSTILE.filter(bool), st.sampled_from(FLAVOURS))
def test_no_text_of_a_spec_becomes_code(
    description: str, default: str, name: str, flavour: str
) -> None:
    schema = {
        "type": "object",
        "properties": {
            name: {
                "type": "string",
                "description": description,
                "default": default,
                "title": description,
            },
            "pick": {"type": "string", "enum": [default, "other"]},
        },
        "additionalProperties": False,
        "title": description,
        "description": description,
    }
    made = emitted(EMITTER, catalog(tool("t", schema), models=(flavour,)))
    [text] = [each for path, each in made.items() if path.endswith(f"/{flavour}.py")]
    tree = ast.parse(text)
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    for node in [*tree.body, *(part for each in classes for part in each.body)]:
        assert isinstance(node, ALLOWED), ast.unparse(node)
    assert {"TInput"} >= {each.name for each in classes}


Mutation = Callable[[Any], Any]
MUTATIONS: dict[str, Mutation] = {
    "as it is": lambda call: call,
    "unknown argument": lambda call: {**call, "ZZ": 1},
    "one argument missing": lambda call: dict(list(call.items())[1:]),
    "one argument of a foreign type": lambda call: {
        **call,
        **{name: {"ZZ": []} for name in list(call)[:1]},
    },
    "not an object": lambda call: [call],
}


@costs(50)
@given(st.data())
def test_pydantic_gives_the_verdict_of_the_schema(data: st.DataObject) -> None:
    """A second implementation: product.md 3. The strategies leave out the known gaps."""
    schema = data.draw(canonical())
    assume('"properties": {}' not in json.dumps(schema["properties"]))
    made = module("pydantic", catalog(tool("t", schema)))
    judge = Draft202012Validator(
        schema, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    for _ in range(4):
        call = data.draw(instances(schema))
        mutate = MUTATIONS[data.draw(st.sampled_from(sorted(MUTATIONS)))]
        sent = mutate(call)
        try:
            made.TInput.model_validate(sent)
            accepted = True
        except pydantic.ValidationError:
            accepted = False
        assert judge.is_valid(sent) == accepted, sent
