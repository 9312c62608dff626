"""The models target: that its modules run, and how far their verdicts are those of the schemas."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable
from itertools import count
from types import ModuleType
from typing import Any, NotRequired, get_type_hints

import black
import msgspec
import pydantic
import pytest
from black.mode import TargetVersion
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from brimgen.emit.models import EMITTER, FLAVOURS, KNOWN_GAPS, models
from brimgen.model.catalog import Catalog, Entity, Returns
from brimgen.model.types import EntityType, ListType
from support.budget import costs
from support.canonical import canonical, instances
from support.made import SPAN, catalog, complaints, emitted, field, tool

STRING = {"type": "string"}
COORDINATE = {
    "type": "object",
    "properties": {"lat": {"type": "number", "minimum": -90, "maximum": 90}},
    "required": ["lat"],
    "additionalProperties": False,
}
NODE = {
    "type": "object",
    "properties": {
        "label": STRING,
        "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
    },
    "required": ["label"],
    "additionalProperties": False,
}
_numbers = count()


def shop(*flavours: str) -> Catalog:
    """Entities, one of them recursive, and tools that use them more than once."""
    node = Entity(
        name="Node",
        span=SPAN,
        schema={"$ref": "#/$defs/Node", "$defs": {"Node": NODE}},
        fields=(
            field("label", STRING),
            field("kids", {"type": "array"}, type=ListType(EntityType("Node"))),
        ),
        recursive=True,
    )
    coordinate = Entity(
        name="Coordinate",
        span=SPAN,
        schema=COORDINATE,
        fields=(field("lat", {"type": "number"}),),
    )
    find = {
        "type": "object",
        "properties": {
            "from": {"type": "string", "format": "date"},
            "center": {**COORDINATE, "description": "Where to look"},
            "radiusKm": {"type": "number", "exclusiveMinimum": 0},
            "state": {"type": "string", "enum": ["open", "closed"], "default": "open"},
        },
        "required": ["from", "center"],
        "additionalProperties": False,
    }
    fields = tuple(
        field(
            name,
            schema,
            **({"type": EntityType("Coordinate")} if name == "center" else {}),
        )
        for name, schema in find["properties"].items()  # type: ignore[attr-defined]
    )
    grow = {
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/Node"}},
        "required": ["tree"],
        "additionalProperties": False,
        "$defs": {"Node": NODE},
    }
    return catalog(
        tool("find-orders", find, fields=fields),
        tool(
            "grow",
            grow,
            fields=(field("tree", {}, type=EntityType("Node")),),
            returns=Returns(
                type=ListType(EntityType("Coordinate")),
                schema={"type": "array", "items": COORDINATE},
                span=SPAN,
            ),
        ),
        entities={"Coordinate": coordinate, "Node": node},
        models=flavours,
    )


def run(text: str) -> ModuleType:
    """A generated module, imported."""
    name = f"generated_models_{next(_numbers)}"
    module = ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, name, "exec"), module.__dict__)
    return module


def module(flavour: str, made: Catalog) -> ModuleType:
    """The module of one flavour."""
    return run(emitted(EMITTER, made)[f"models/{flavour}_models.py"])


def test_the_target_is_off_by_default_and_makes_what_the_project_asks_for() -> None:
    assert not EMITTER.default
    assert {"models/pydantic_models.py"} == set(emitted(EMITTER, shop()))
    assert {f"models/{each}_models.py" for each in FLAVOURS} == set(
        emitted(EMITTER, shop(*FLAVOURS))
    )
    assert [] == complaints(EMITTER, shop())


def test_pydantic_models_validate_calls() -> None:
    made = module("pydantic", shop())
    call = {"from": "2026-01-18", "center": {"lat": 1.5}}
    found = made.FindOrdersInput.model_validate(call)
    assert ("2026-01-18", 1.5, "open") == (
        found.from_.isoformat(),
        found.center.lat,
        found.state,
    )
    assert made.Coordinate is type(found.center)
    grown = made.GrowInput.model_validate(
        {"tree": {"label": "a", "kids": [{"label": "b"}]}}
    )
    assert made.Node is type(grown.tree.kids[0])
    assert made.Coordinate.model_fields.keys() == {"lat"}
    assert "GrowOutput" in vars(made)


@pytest.mark.parametrize(
    "call",
    [
        {},
        {"from": "2026-02-30", "center": {"lat": 1}},
        {"from": "2026-01-18", "center": {"lat": "1"}},
        {"from": "2026-01-18", "center": {"lat": 91}},
        {"from": "2026-01-18", "center": {"lat": 1, "lng": 2}},
        {"from": "2026-01-18", "center": {"lat": 1}, "radiusKm": 0},
        {"from": "2026-01-18", "center": {"lat": 1}, "state": "none"},
        {"from": "2026-01-18", "center": {"lat": 1}, "more": 1},
    ],
)
def test_pydantic_models_refuse_what_the_schema_refuses(call: Any) -> None:
    with pytest.raises(pydantic.ValidationError):
        module("pydantic", shop()).FindOrdersInput.model_validate(call)


def test_msgspec_models_validate_calls() -> None:
    made = module("msgspec", shop("msgspec"))
    call = {"from": "2026-01-18", "center": {"lat": 1.5}}
    found = msgspec.convert(call, made.FindOrdersInput)
    assert ("2026-01-18", 1.5, "open") == (found.from_, found.center.lat, found.state)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**call, "center": {"lat": 91}}, made.FindOrdersInput)


def test_typed_dicts_say_which_keys_are_required() -> None:
    made = module("typeddict", shop("typeddict"))
    assert {"from", "center"} == made.FindOrdersInput.__required_keys__
    hints = get_type_hints(made.Node, include_extras=True)
    assert {"label": str, "kids": NotRequired[list[made.Node]]} == hints


def test_the_same_catalog_gives_the_same_bytes() -> None:
    assert emitted(EMITTER, shop(*FLAVOURS)) == emitted(EMITTER, shop(*FLAVOURS))


def test_a_catalog_without_anything_has_a_module_all_the_same() -> None:
    text = emitted(EMITTER, catalog())["models/pydantic_models.py"]
    assert text.startswith("# Code generated by brimgen. DO NOT EDIT.\n")


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
    text = emitted(EMITTER, catalog(tool("t", schema), models=(flavour,)))
    tree = ast.parse(text[f"models/{flavour}_models.py"])
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


def verdicts(schema: Any, value: Any) -> tuple[bool, bool]:
    """The schema's verdict of one argument, and that of its pydantic model."""
    root = {
        "type": "object",
        "properties": {"x": schema},
        "additionalProperties": False,
    }
    judge = Draft202012Validator(
        root, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    made = module("pydantic", catalog(tool("t", root)))
    try:
        made.TInput.model_validate({"x": value})
    except pydantic.ValidationError:
        return judge.is_valid({"x": value}), False
    return judge.is_valid({"x": value}), True


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (STRING, None, (False, True)),
        ({"type": "integer"}, 3.0, (True, False)),
        ({"type": "string", "format": "date"}, 0, (False, True)),
        ({"type": "string", "format": "date-time"}, 0, (False, True)),
        (
            {
                "anyOf": [
                    {"type": "object", "properties": {}, "additionalProperties": False},
                    STRING,
                ]
            },
            {"a": 1},
            (False, True),
        ),
        (
            {"type": "array", "items": STRING, "uniqueItems": True},
            ["a", "a"],
            (False, True),
        ),
    ],
)
def test_the_known_gaps_are_gaps_still(
    schema: Any, value: Any, expected: tuple[bool, bool]
) -> None:
    """Each of these would be a reason to shorten `KNOWN_GAPS`."""
    assert expected == verdicts(schema, value)
    assert set(FLAVOURS) == set(KNOWN_GAPS)


def test_msgspec_does_not_forbid_unknown_properties() -> None:
    made = module("msgspec", shop("msgspec"))
    msgspec.convert({"lat": 1.0, "more": 1}, made.Coordinate)


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_wide_types_are_laid_out_by_black(flavour: str) -> None:
    names = [f"AReferenceOfTheKind{each}" for each in "ABCDEF"]
    definitions: dict[str, object] = {
        name: {"type": "object", "title": name, "properties": {name: STRING}}
        for name in names
    }
    references = [{"$ref": f"#/$defs/{name}"} for name in names]
    definitions["AnyReference"] = {"anyOf": references}
    definitions["Table"] = {
        "type": "object",
        "properties": {
            "rows": {
                "type": "object",
                "patternProperties": {r"(^[_\$]?[a-z]+$)|(^\[.*\]$)": references[0]},
                "description": "The rows of the table, each with a name of its own",
            },
            "any": {"$ref": "#/$defs/AnyReference"},
        },
    }
    text = models({"$defs": definitions}, flavour)
    mode = black.Mode(target_versions={TargetVersion.PY311})
    assert black.format_str(text, mode=mode) == text
