"""Seed 004: rows of its table, by the words of their checks, where no other test says it all."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from brimgen.cli import run as cli
from seeds import test_tool_input as seed_004
from support.pages import assert_programs
from support.project import build


def opened(schema: Any) -> Any:
    """A schema without ``additionalProperties: false``."""
    if isinstance(schema, list):
        return [opened(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: opened(each)
        for key, each in schema.items()
        if (key, each) != ("additionalProperties", False)
    }


@pytest.mark.parametrize("name", ["parse_url", "geo_search"])
def test_O1_the_schemas_of_the_seed(name: str, tmp_path: Path) -> None:
    spec = getattr(seed_004, name.upper()).replace("url: string", "url: url")
    seed = json.loads(getattr(seed_004, f"{name.upper()}_SCHEMA"))
    published = build(tmp_path / "a", {"t.yaml": spec}, closed=False).schema(
        f"{name}.input"
    )
    assert json.dumps(seed) == json.dumps(published)
    closed = build(tmp_path / "b", {"t.yaml": spec}).schema(f"{name}.input")
    assert seed != closed
    assert json.dumps(seed) == json.dumps(opened(closed))


HEAD = (
    "type: python_function\nname: probe\ndescription: A probe.\narguments:\n  inline:\n"
)


def test_O2_optional(tmp_path: Path) -> None:
    text = f"{HEAD}    a: int\n    b: 'int?'\n    c: {{ type: int, required: false }}\n"
    built = build(tmp_path, {"p.yaml": text})
    assert ["a"] == built.schema("probe.input")["required"]
    read = built.tool("probe").input_type.from_dict
    made = read({"a": 1})
    assert (1, None, None) == (made.a, made.b, made.c)
    assert None is read({"a": 1, "b": None}).b
    for call in ({"a": None}, {"a": 1, "c": None}):
        with pytest.raises(ValueError):
            read(call)


def test_O3_enums(tmp_path: Path) -> None:
    built = build(tmp_path, {"t.yaml": seed_004.PARSE_URL})
    enum = built.load("entities").URLComponent
    assert issubclass(enum, str)
    values = ["scheme", "host", "port", "path", "query", "fragment"]
    assert values == [each.value for each in enum]
    schema = built.schema("parse_url.input")
    assert values == schema["properties"]["components"]["items"]["enum"]
    read = built.tool("parse_url").input_type.from_call
    assert [enum("host")] == read({"url": "u", "components": ["host"]}).components
    with pytest.raises(ValueError) as caught:
        read({"url": "u", "components": ["fqdn"]})
    assert all(each in str(caught.value) for each in values)


def test_O4_a_description_of_nothing_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    text = (
        "type: python_function\nname: probe\ndescription: A probe.\narguments:\n"
        "  descriptions: { naem: Who }\n  inline: { name: string }\n"
    )
    (tmp_path / "specs" / "p.yaml").write_text(text)
    assert 1 == cli.run(["generate"])
    err = capsys.readouterr().err
    assert "naem" in err and "did you mean `name`?" in err
    assert ["specs"] == [each.name for each in tmp_path.iterdir()]


LEVELS = """\
type: entity
name: Point
fields: { lat: { type: float, minimum: -90 }, lon: float }
---
type: entity
name: Leg
fields: { stops: "Point[]", start: Point }
---
type: entity
name: Trip
fields: { legs: "Leg[]" }
---
"""


def test_O7_three_levels_and_items_of_entities(tmp_path: Path) -> None:
    built = build(tmp_path, {"p.yaml": f"{LEVELS}{HEAD}    trip: Trip\n"})
    schema = built.schema("probe.input")
    leg = schema["properties"]["trip"]["properties"]["legs"]["items"]
    stop = leg["properties"]["stops"]["items"]
    assert {"type": "number", "minimum": -90} == stop["properties"]["lat"]
    assert (["lat", "lon"], ["stops", "start"]) == (stop["required"], leg["required"])
    point = {"lat": 1.0, "lon": 2.0}
    trip = {"legs": [{"stops": [point, point], "start": point}]}
    tool = built.tool("probe")
    made = tool.input_type.from_dict({"trip": trip})
    assert 2.0 == made.trip.legs[0].stops[1].lon
    wrong = {"legs": [{"stops": [point, {"lat": -91, "lon": 0}], "start": point}]}
    with pytest.raises(ValueError) as caught:
        tool.input_type.from_dict({"trip": wrong})
    [violation] = caught.value.violations  # type: ignore[attr-defined]
    assert "/trip/legs/0/stops/1/lat" == violation.pointer


def test_O8_a_call_is_decoded_and_an_error_lists_what_is_expected(
    tmp_path: Path,
) -> None:
    text = (
        "type: entity\nname: Colour\nenum: [red, green]\n---\n"
        f"{HEAD}    colour: Colour\n    id: uuid\n    on: date\n    note: 'string?'\n"
    )
    built = build(tmp_path, {"p.yaml": text})
    read = built.tool("probe").input_type.from_call
    uuid = "0190b7c4-0000-7000-8000-000000000001"
    made = read({"colour": "red", "id": uuid, "on": "2026-01-18"})
    colour = built.load("entities").Colour
    assert (colour("red"), UUID(uuid), date(2026, 1, 18)) == (
        made.colour,
        made.id,
        made.on,
    )
    assert colour is type(made.colour)
    with pytest.raises(ValueError) as caught:
        read({"colour": "blue"})
    told = caught.value.retry_message()  # type: ignore[attr-defined]
    [line] = [each for each in told.splitlines() if "probe expects:" in each]
    for name in ("colour", "id", "on"):
        assert f"{name} (" in line
    assert 3 == line.count(", required)")
    assert 1 == line.count(", optional)")


def test_O9_inputs_are_made_without_json(tmp_path: Path) -> None:
    built = build(tmp_path, {"t.yaml": seed_004.GEO_SEARCH}, targets=("python",))
    built.load()
    program = (
        f"from {built.package}.entities import Coordinate\n"
        f"from {built.package}.tools.geo_search import GeoSearchInput\n"
        'made = GeoSearchInput(center=Coordinate(1.0, 2.0), radiusKm=3.0, query="x")\n'
        "assert (1.0, 3.0) == (made.center.latitude, made.radiusKm)\n"
        "assert made == GeoSearchInput.from_dict(made.to_dict())\n"
    )
    assert_programs(tmp_path, [program], built.folder / "out" / "python")


def test_O10_order_is_that_of_the_spec_and_folders_may_be_listed_in_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{name}.yaml": HEAD.replace("probe", name) for name in ("b", "a", "c")}
    files = {name: f"{text}    z: int\n    a: int\n" for name, text in files.items()}
    first = build(tmp_path, files, package="same")
    schema = first.schema("a.input")
    assert (["z", "a"], ["z", "a"]) == (list(schema["properties"]), schema["required"])
    assert first.files == build(tmp_path, files, package="same").files
    real = os.scandir

    class Shuffled:
        """A listing the other way round."""

        def __init__(self, path: Any = ".") -> None:
            with real(path) as entries:
                self._entries = sorted(
                    entries, key=lambda each: each.name, reverse=True
                )

        def __enter__(self) -> Any:
            return iter(self._entries)

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(os, "scandir", Shuffled)
    again = build(tmp_path, files, package="same")
    monkeypatch.undo()
    assert list(first.files.items()) == list(again.files.items())


def test_O11_a_keyword_is_an_attribute_with_a_mark(tmp_path: Path) -> None:
    tool = build(tmp_path, {"p.yaml": f"{HEAD}    from: string\n"}).tool("probe")
    made = tool.input_type.from_dict({"from": "BER"})
    assert ("BER", {"from": "BER"}) == (made.from_, made.to_dict())
    assert made == tool.input_type(from_="BER")
