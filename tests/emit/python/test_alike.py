"""A tool's module is the same whatever other tools say: what fields share is what they agree on."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from brimgen.emit.python import EMITTER
from brimgen.frozen import replace
from brimgen.model.fields import Context, Field, Host, Zone
from brimgen.model.types import (
    ListType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
)
from emit.python.catalogs import DATETIME, DECIMAL, FLOAT, INT, STRING, Shop
from running.packages import link, standard_spec

SHOP = Shop()
POINT = SHOP.entity("Point", SHOP.field("lat", FLOAT, minimum=-90))
CHOICES = ("alphabetical", "chronological", "by relevance")
ONE = SHOP.field("limit", INT, default=1)


def _of(type: Type, **said: object) -> Field:
    return SHOP.field("limit", type, **said)  # type: ignore[arg-type]


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
    """The modules of tools that have one argument each, built together."""
    shop = Shop()
    shop.entities, shop.schemas = SHOP.entities, SHOP.schemas
    for name, field in named.items():
        shop.tool(name, field)
    return {
        name: each.text
        for each in EMITTER.emit(shop.catalog)
        for name in named
        if each.path.endswith(f"/tools/{name}.py")
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


def test_modules_of_fields_that_say_something_else_differ() -> None:
    found = [_modules({"tool": each})["tool"] for each in NEARLY_ALIKE.values()]
    assert len(found) == len(set(found))


def test_a_record_calls_the_default_of_its_own_module() -> None:
    """What is named after a tool is in none of the parts that tools share."""
    day = {"type": "string", "format": "date"}
    days = {"type": "array", "items": day, "default": ["2026-01-18"]}
    visit = {"type": "object", "properties": {"days": days, "note": {"type": "string"}}}
    texts = [
        standard_spec(name, None, {"type": "object", "properties": {name: visit}})
        for name in ("book", "plan", "move")
    ]
    catalog, _ = link(texts)
    made = [each for each in EMITTER.emit(catalog) if "/tools/" in each.path]
    called = [{*re.findall(r"(_default_\w+)\(\)", each.text)} for each in made]
    defined = [{*re.findall(r"def (_default_\w+)", each.text)} for each in made]
    assert defined == called
    assert 3 == len(set().union(*defined))
