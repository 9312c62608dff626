"""Answers that go beyond their spec: they are read leniently, told to the log, or refused where a
tool asks for that (S2.55).
"""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from support.checkers import MYPY, PYRIGHT, assert_clean
from support.loopback import answer, loopback
from support.project import build

LOGGED = "get_pets: the answer is tolerated: "


def _told(caplog: pytest.LogCaptureFixture) -> list[str]:
    told = [record.getMessage() for record in caplog.records]
    caplog.clear()
    return told


def test_a_new_value_of_an_enum_is_no_reason_to_lose_the_answer(
    world: Any, caplog: pytest.LogCaptureFixture
) -> None:
    sent = [
        {"name": "Rex", "mood": "wild", "legs": 4},
        {"name": "Tom", "mood": "asleep", "legs": 3},
    ]
    world.here.says(answer(200, json.dumps(sent)))
    result = world.tool("get_pets").invoke({})
    assert {"ok": True, "value": sent} == result.to_dict()
    rex, tom = result.value
    mood = world.built.load("entities").Mood
    assert rex.mood is mood.WILD
    assert isinstance(tom.mood, mood)
    assert ("asleep", "asleep", 3) == (tom.mood, tom.mood.value, tom.legs)
    assert sent[1] == tom.to_dict()
    assert tom == copy.deepcopy(tom)
    assert [
        LOGGED + '1.mood: expected one of "calm", "wild"; 1.legs: expected one of 2, 4'
    ] == [each.replace("/", ".") for each in _told(caplog)]
    # Nobody else gets one: arguments and the application's own code stay strict.
    with pytest.raises(ValueError, match="asleep"):
        mood("asleep")
    with pytest.raises(ValueError, match="mood"):
        world.built.load("entities").Pet.from_dict(sent[1])
    with pytest.raises(ValueError, match="asleep"):
        pickle.loads(pickle.dumps(tom.mood))


def test_new_members_are_kept_for_those_who_read_json(
    world: Any, caplog: pytest.LogCaptureFixture
) -> None:
    sent = [{"name": "Rex", "chip": {"id": 7, "at": None}}]
    world.here.says(answer(200, json.dumps(sent)))
    result = world.tool("get_pets").invoke({})
    assert sent == result.to_dict()["value"]
    assert "Rex" == result.value[0].name
    (told,) = _told(caplog)
    assert told.startswith(LOGGED)
    assert "chip" in told


def test_the_log_quotes_no_value_of_an_answer(
    world: Any, caplog: pytest.LogCaptureFixture
) -> None:
    world.here.says(answer(200, '[{"name": "Rex", "mood": "s3cr3t", "new": "pa55"}]'))
    assert world.tool("get_pets").invoke({}).ok
    (told,) = _told(caplog)
    assert "s3cr3t" not in told
    assert "pa55" not in told


@pytest.mark.parametrize(
    ("status", "body", "value"),
    [
        (202, '[{"name": "Rex"}]', [{"name": "Rex"}]),
        (299, '[{"name": "Rex"}]', [{"name": "Rex"}]),
        (204, "", None),
    ],
)
def test_success_that_the_spec_does_not_list_is_success(
    world: Any,
    status: int,
    body: str,
    value: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    world.here.says(answer(status, body))
    assert {"ok": True, "value": value} == world.tool("get_pets").invoke({}).to_dict()
    assert f"its status {status} is not among those of the tool" in _told(caplog)[0]
    error = world.tool("exact_pets").invoke({}).error
    assert ("status", status) == (error.code, error.status)


@pytest.mark.parametrize(
    ("pet", "pointer"),
    [
        ({"name": "Rex", "mood": "asleep"}, "/0/mood"),
        ({"name": "Rex", "legs": 3}, "/0/legs"),
        ({"name": "Rex", "new": 1}, "/0/new"),
        ({"name": "Rex", "mood": None}, "/0/mood"),
    ],
)
def test_strict_results_refuse_what_goes_beyond_the_spec(
    world: Any, pet: dict[str, Any], pointer: str, caplog: pytest.LogCaptureFixture
) -> None:
    world.here.says(answer(200, json.dumps([pet])))
    error = world.tool("exact_pets").invoke({}).error
    assert "invalid_output" == error.code
    assert [pointer] == [each.pointer for each in error.violations]
    assert world.tool("get_pets").invoke({}).ok
    assert 1 == len(_told(caplog))


@pytest.mark.parametrize(
    ("sent", "pointer"),
    [
        ({"shape": 7}, "/shape"),
        ({"shape": {"side": "long"}}, "/shape"),
        ({"shape": None, "pair": [1, 2]}, "/pair/1"),
        ({"shape": None, "named": {"x-a": "b"}}, "/named/x-a"),
        ({"shape": None, "grade": "best"}, "/grade"),
        ({"shaped": None}, "/shape"),
        ([], ""),
    ],
)
def test_what_is_wrong_stays_wrong(world: Any, sent: Any, pointer: str) -> None:
    world.here.says(answer(200, json.dumps(sent)))
    error = world.tool("get_shape").invoke({}).error
    assert "invalid_output" == error.code
    assert pointer == error.violations[0].pointer


def test_a_null_that_means_absent_is_left_out(world: Any) -> None:
    world.here.says(answer(200, '[{"name": "Rex", "mood": null, "new": null}]'))
    result = world.tool("get_pets").invoke({})
    assert [{"name": "Rex", "new": None}] == result.to_dict()["value"]
    assert result.value[0].mood is None


def test_arguments_stay_strict(world: Any) -> None:
    refused = world.tool("get_item").invoke({"id": "7", "new": 1}).error
    assert "invalid_arguments" == refused.code


REFUSING = """\
type: http_function
name: get_state
allowedHosts: [HERE]
request: { urlTemplate: "http://HERE/" }
returns:
  mode: standard
  inline:
    type: object
    required: [state]
    properties:
      state: { type: string, not: { $ref: "#/$defs/Gone" } }
      kind: { enum: [a] }
    additionalProperties: false
    $defs:
      Gone: { $ref: "#/$defs/Word" }
      Word: { enum: [gone] }
"""


def test_what_may_not_be_is_no_more_for_an_answer_that_says_more(
    tmp_path: Path,
) -> None:
    with loopback() as here:
        spec = REFUSING.replace("HERE", f"127.0.0.1:{here.port}")
        built = build(tmp_path, {"a.yaml": spec}, targets=("python", "http"))
        tool = built.load("http.get_state")
        sent = {"state": "ok", "kind": "b", "new": 1}
        here.says(answer(200, json.dumps(sent)))
        assert sent == tool.invoke({}).to_dict()["value"]
        here.says(answer(200, json.dumps({**sent, "state": "gone"})))
        assert "invalid_output" == tool.invoke({}).error.code


SPEC = """\
type: entity
name: Kind
enum: [a, b]
---
type: entity
name: Level
enum: [1, 2]
---
type: entity
name: Mixed
enum: [x, 1]
---
type: http_function
name: by_setting
allowedHosts: [HERE]
request: { urlTemplate: "http://HERE/" }
returns: { inline: { kind: Kind, level: Level, mixed: Mixed } }
---
type: http_function
name: by_itself
allowedHosts: [HERE]
request: { urlTemplate: "http://HERE/" }
response: { strict_results: false }
returns: { inline: { kind: Kind, level: Level, mixed: Mixed } }
"""


def test_a_project_chooses_strict_results_and_a_tool_may_differ(tmp_path: Path) -> None:
    with loopback() as here:
        spec = SPEC.replace("HERE", f"127.0.0.1:{here.port}")
        built = build(
            tmp_path, {"a.yaml": spec}, targets=("python", "http"), strict_results=True
        )
        sent = {"kind": "c", "level": 3, "mixed": "y", "new": 1}
        here.says(answer(200, json.dumps(sent)))
        refused = built.load("http.by_setting").invoke({}).error
        assert ["/kind", "/level", "/mixed", "/new"] == [
            each.pointer for each in refused.violations
        ]
        result = built.load("http.by_itself").invoke({})
        assert sent == result.to_dict()["value"]
        assert (3, "y") == (result.value["level"], result.value["mixed"].value)
        assert_clean(built.out / "python", built.package, by=[MYPY, PYRIGHT])


@pytest.mark.parametrize(
    "sent",
    [
        {"shape": {"side": 1}},  # fits both
        {"shape": {"kind": "cube", "side": 1, "new": [None]}},  # an unknown tag
        {"shape": None, "again": {"side": 1, "new": 1}},
        {"shape": None, "grade": 3},
        {"shape": None, "named": {"x-a": 1, "b": 2}},
        {"shape": None, "new": None},
    ],
)
def test_alternatives_that_overlap_or_do_not_fit_quite_cost_nothing(
    world: Any, sent: Any, caplog: pytest.LogCaptureFixture
) -> None:
    world.here.says(answer(200, json.dumps(sent)))
    assert sent == world.tool("get_shape").invoke({}).to_dict()["value"]
    assert 1 == len(_told(caplog))
