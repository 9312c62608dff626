"""The JSON Schema target, without a package: the schemas of the catalog, one byte not otherwise."""

from __future__ import annotations

import json
from typing import Any

from brimgen.emit.json_schema import EMITTER
from brimgen.model.catalog import Entity, EnumEntity, Returns
from brimgen.model.types import Scalar, ScalarType
from support.made import SPAN, catalog, complaints, emitted, tool

INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {"größe": {"type": "number", "description": "in 米"}},
    "required": ["größe"],
    "additionalProperties": False,
}
BOUND = {**INPUT, "properties": {**INPUT["properties"], "user": {"type": "integer"}}}
OUTPUT = {"type": "array", "items": {"type": "string"}}


def test_a_tool_has_an_input_a_bound_and_an_output_schema() -> None:
    returns = Returns(type=ScalarType(Scalar.STRING), schema=OUTPUT, span=SPAN)
    made = catalog(
        tool("measure", INPUT, bound_schema=BOUND, returns=returns),
        tool("ping"),
        tool("off", enabled=False),
        tool("elsewhere", targets=("python",)),
    )
    files = emitted(EMITTER, made)
    assert INPUT == files["json_schema/tools/measure.input.json"]
    assert BOUND == files["json_schema/tools/measure.bound.json"]
    assert OUTPUT == files["json_schema/tools/measure.output.json"]
    assert {
        *(f"json_schema/tools/measure.{part}.json" for part in ("bound", "input")),
        "json_schema/tools/measure.output.json",
        "json_schema/tools/ping.input.json",
    } == set(files)
    assert [] == complaints(EMITTER, made)


def test_keys_keep_their_order_and_letters_stay_letters() -> None:
    [artifact] = EMITTER.emit(catalog(tool("measure", INPUT)))
    assert json.dumps(INPUT) == json.dumps(json.loads(artifact.text))
    assert "\\u" not in artifact.text
    assert (SPAN.file,) == artifact.sources


def test_entities_and_enums_stand_in_one_file() -> None:
    state = {"type": "string", "enum": ["open"]}
    made = catalog(
        entities={"User": Entity(name="User", span=SPAN, fields=(), schema=INPUT)},
        enums={
            "State": EnumEntity(name="State", span=SPAN, values=("open",), schema=state)
        },
    )
    assert {
        "json_schema/entities.json": {"$defs": {"State": state, "User": INPUT}}
    } == (emitted(EMITTER, made))
