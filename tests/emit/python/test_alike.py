"""A tool's module is the same whatever other tools say: what fields share is what they agree on."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from brimgen.emit.python import EMITTER
from brimgen.frozen import replace
from brimgen.model.catalog import Returns, Tool
from brimgen.model.fields import Context, Host, Zone
from brimgen.model.types import (
    Field,
    ListType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
)
from emit.python.catalogs import DATETIME, DECIMAL, FLOAT, INT, SPAN, STRING, Shop

SHOP = Shop()
POINT = SHOP.entity("Point", SHOP.field("lat", FLOAT, minimum=-90))
CHOICES = ("alphabetical", "chronological", "by relevance")
LONG_NUMBERS = (1_000_000_000, 2_000_000_000, 3_000_000_000)
ONE = SHOP.field("limit", INT, default=1)


def _of(type: Type, **said: object) -> Field:
    return SHOP.field("limit", type, **said)  # type: ignore[arg-type]


NUMBER = {"type": "integer"}
RESULTS = (
    Returns(type=INT, schema=NUMBER, span=SPAN),
    Returns(type=ListType(INT), schema={"type": "array", "items": NUMBER}, span=SPAN),
    Returns(type=POINT, schema=SHOP.schemas["Point"], span=SPAN),
)
"""What several tools give back, each said by one schema."""

NEARLY_ALIKE = {
    "plain": _of(INT),
    "bounded": _of(INT, minimum=1),
    "bounded otherwise": _of(INT, minimum=2),
    "bounded by a float": _of(INT, minimum=1.0),
    "in words": _of(INT, description="How many."),
    "in other words": _of(INT, description='How "many".\n\nReally.'),
    "optional": _of(INT, required=False),
    "default 1": ONE,
    "default 1.0": _of(INT, default=1.0),
    "default True": _of(INT, default=True),
    "default null": _of(NullableType(INT), default=None),
    "default 1 or null": _of(NullableType(INT), default=1),
    "float default 1": _of(FLOAT, default=1),
    "float default 1.0": _of(FLOAT, default=1.0),
    "float choices 1, 2": _of(ScalarType(Scalar.FLOAT, (1, 2))),
    "float choices 1.0, 2.0": _of(ScalarType(Scalar.FLOAT, (1.0, 2.0))),
    "int choices 1, 2": _of(ScalarType(Scalar.INT, (1, 2))),
    "exact 1.10": _of(DECIMAL, default=1.1, text="1.10"),
    "exact 1.1": _of(DECIMAL, default=1.1, text="1.1"),
    "exact as text": replace(_of(DECIMAL), wire_string=True),
    "moment": _of(DATETIME),
    "moment of UTC": replace(_of(DATETIME), zone=Zone.ASSUME_UTC),
    "text": _of(STRING, maxLength=5),
    "pattern": _of(STRING, pattern="^a+$"),
    "choices with an alias": _of(ScalarType(Scalar.STRING, CHOICES)),
    "choices and a default": _of(
        ScalarType(Scalar.STRING, CHOICES), default="by relevance"
    ),
    "choices with an alias, and words": _of(
        ScalarType(Scalar.STRING, CHOICES), description="Which comes first."
    ),
    "optional choices with an alias": _of(
        ScalarType(Scalar.STRING, CHOICES), required=False
    ),
    "choices that may be null": _of(NullableType(ScalarType(Scalar.STRING, CHOICES))),
    "numbers with an alias": _of(ScalarType(Scalar.INT, LONG_NUMBERS)),
    "numbers and a default": _of(
        ScalarType(Scalar.INT, LONG_NUMBERS), default=LONG_NUMBERS[1]
    ),
    "choices from the host": replace(
        _of(ScalarType(Scalar.STRING, CHOICES)), origin=Host()
    ),
    "choices from the context": replace(
        _of(ScalarType(Scalar.STRING, CHOICES)), origin=Context(("app", "order"))
    ),
    "list": _of(ListType(INT), default=[1]),
    "list of floats": _of(ListType(FLOAT), default=[1]),
    "list with a default of floats": _of(ListType(FLOAT), default=[1.0]),
    "list of entities": _of(ListType(POINT), minItems=1),
    "record": _of(RecordType("Limit", (SHOP.field("from", INT, minimum=1),))),
    "from the context": replace(ONE, origin=Context(("app", "limit"))),
    "from elsewhere in it": replace(ONE, origin=Context(("app", "most"))),
    "from the host": replace(ONE, origin=Host()),
}
"""Fields of one name, some of which share their schema."""


def _modules(named: Mapping[str, Field]) -> dict[str, str]:
    """The modules and schemas of tools that have one argument each, built together."""
    shop = Shop()
    shop.entities, shop.schemas = SHOP.entities, SHOP.schemas
    for name, field in named.items():
        shop.tool(name, field)
    made = EMITTER.emit(shop.catalog)
    return {
        name: "".join(each.text for each in made if f"/tools/{name}." in each.path)
        for name in named
    }


@pytest.mark.parametrize("name", NEARLY_ALIKE)
def test_a_module_is_the_same_beside_any_other(name: str) -> None:
    own = {"tool": NEARLY_ALIKE[name]}
    beside = {
        other: _modules({"before": each, **own})["tool"]
        for other, each in NEARLY_ALIKE.items()
    }
    assert dict.fromkeys(NEARLY_ALIKE, _modules(own)["tool"]) == beside


def test_modules_beside_all_others_are_what_they_are_alone() -> None:
    named = {
        f"tool_{number:02}": field
        for number, field in enumerate((*NEARLY_ALIKE.values(), *NEARLY_ALIKE.values()))
    }
    alone = {name: _modules({name: field})[name] for name, field in named.items()}
    assert alone == _modules(named)


def _drawn(number: int) -> Tool:
    """A tool of a few of these fields, with schemas that hold theirs, as resolve makes them."""
    chance, shop = random.Random(number), Shop()
    shop.entities, shop.schemas = SHOP.entities, SHOP.schemas
    names = chance.sample(("limit", "page", "first", "from", "class"), 4)
    drawn = chance.choices([*NEARLY_ALIKE.values()], k=chance.randint(1, 4))
    fields = [
        each.renamed(name, SPAN) for name, each in zip(names, drawn, strict=False)
    ]
    tool = shop.tool(f"tool_{number:03}", *fields)
    own = {each.name: each.schema for each in fields}
    given, bound = (
        {**each, "properties": {name: own[name] for name in own if name in shown}}
        for each in (tool.input_schema, tool.bound_schema)
        if isinstance(shown := each["properties"], Mapping)
    )
    returns = chance.choice((None, *RESULTS))
    return replace(tool, input_schema=given, bound_schema=bound, returns=returns)


def _texts(*tools: Tool) -> dict[str, str]:
    catalog = replace(SHOP.catalog, tools=tools)
    made = {each.path: each.text for each in EMITTER.emit(catalog)}
    return {each.name: made[f"python/shop/tools/{each.name}.py"] for each in tools}


def test_many_tools_that_share_what_they_can_are_what_they_are_alone() -> None:
    drawn = [_drawn(number) for number in range(150)]
    alone = {name: text for each in drawn for name, text in _texts(each).items()}
    assert alone == _texts(*drawn)
    assert alone == _texts(*reversed(drawn))


def test_modules_of_fields_that_say_something_else_differ() -> None:
    found = [_modules({"tool": each})["tool"] for each in NEARLY_ALIKE.values()]
    assert len(found) == len(set(found))
