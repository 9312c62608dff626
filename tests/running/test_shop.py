"""A package with every kind of type: imported, called, bound, written again, and type-checked."""

from __future__ import annotations

import copy
import datetime as dt
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.model.project import Project
from running.packages import (
    errors,
    imported,
    link,
    verdict,
    write_package,
)
from support.checkers import PYRIGHT

SPECS = Path(__file__).parents[1] / "golden/python_types/specs/shop.yaml"
GOOD: dict[str, Any] = {
    "center": {"lat": 1.5, "lon": 2.0},
    "radiusKm": 3.0,
    "from": "2026-01-18",
    "type": "b",
    "kind": "alphabetical",
    "status": "in-progress",
    "statuses": ["paid", "None"],
    "level": 2,
    "tags": ["a"],
    "ids": [1, 2],
    "scores": [1.0],
    "lines": [{"sku": "x", "count": 2, "price": 1.5}],
    "tree": {"label": "root", "children": [{"label": "leaf", "children": []}]},
    "when": "2026-01-18T05:00:00Z",
    "moments": ["2026-01-18T05:00:00+05:30"],
    "due": "2026-01-18",
    "limit": 3,
    "budget": 12.5,
    "email": "a@b",
    "address": {"street": "s", "from": "2026-01-18"},
    "meta": {"a": [1, {"b": None}]},
    "value": 1,
    "extras": {
        "id": "x",
        "anything": [1, "x", None],
        "counts": {"a": 1},
        "grid": [[1], [2, 3]],
        "paths": [[{"lat": 1.0, "lon": 2.0}]],
    },
    "since": "2026-01-18",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made, found = link([SPECS.read_text("utf-8")], Project(package="shop"))
    assert [] == errors(found)
    return write_package(made, tmp_path_factory.mktemp("out"))


@pytest.fixture(scope="module")
def shop(folder: Path) -> Iterator[ModuleType]:
    with imported(folder, "shop") as package:
        yield package


@pytest.fixture(scope="module")
def find(shop: ModuleType) -> Any:
    return shop.TOOLS["find-orders"]


def test_a_whole_call_is_decoded_to_its_types(find: Any, shop: ModuleType) -> None:
    before = copy.deepcopy(GOOD)
    call = find.input_type.from_dict(GOOD)
    assert before == GOOD
    assert shop.Coordinate(1.5, 2.0) == call.center
    assert dt.date(2026, 1, 18) == call.from_
    assert shop.Status.IN_PROGRESS is call.status
    assert [shop.Status.PAID, shop.Status.NONE] == call.statuses
    assert shop.Level.VALUE_2 is call.level
    assert [shop.OrderLine("x", count=2, price=Decimal("1.5"))] == call.lines
    assert "leaf" == call.tree.children[0].label
    assert dt.datetime(2026, 1, 18, 5, tzinfo=dt.UTC) == call.when
    assert dt.timedelta(hours=5.5) == call.moments[0].utcoffset()
    assert Decimal("12.5") == call.budget


def test_what_is_decoded_shares_nothing_that_can_change(find: Any) -> None:
    sent = copy.deepcopy(GOOD)
    call = find.input_type.from_dict(sent)
    call.tags.append("b")
    call.meta["c"] = 1
    call.extras.counts["z"] = 1
    call.extras.grid.append([])
    assert sent == GOOD


def test_defaults_are_made_anew(find: Any) -> None:
    least = {"center": {"lat": 1, "lon": 2}, "radiusKm": 3, "from": "2026-01-18"}
    one, other = find.input_type.from_dict(least), find.input_type.from_dict(least)
    assert (one.type, one.limit, one.due) == ("a", 10, None)
    assert [1, 2] == one.ids and dt.date(2026, 1, 18) == one.since
    one.ids.append(3)
    assert [1, 2] == other.ids
    assert (1.0, float) == (one.center.lat, type(one.center.lat))


def test_a_hidden_argument_comes_from_the_context_alone(
    find: Any, shop: ModuleType
) -> None:
    assert not verdict(find.input_type, {**GOOD, "actor_id": 7})
    call = find.input_type.from_dict(GOOD)
    context = {"app": {"user": {"id": 7}}}
    bound = find.bound_type.bind(call, context, tenant="t1")
    assert (7, "t1", "UTC") == (bound.actor_id, bound.tenant, bound.zone)
    assert bound.center is call.center
    assert list(find.bound_schema["properties"]) == list(bound.to_dict())
    with pytest.raises(shop.ContextError, match="user"):
        find.bound_type.bind(call, {"app": {}}, tenant="t1")


def test_a_tool_without_hidden_arguments_binds_to_itself(shop: ModuleType) -> None:
    ping = shop.TOOLS["ping"]
    call = ping.input_type.from_call("{}")
    assert call is ping.bound_type.bind(call)


_ODD = st.sampled_from(
    [
        *(None, True, False, 0, 1, -1, 2.0, 3, 1.5, 100.5, 1e400, math.nan, "", "a"),
        *("open", "2026-01-18", "2026-02-30", "2026-01-18T05:00:00Z", "a@b", [], {}),
        *([1], [1.0], ["a"], [None], [True], ["open"], {"a": 1}, {"a": "b"}, [[1]]),
        *({"lat": 91, "lon": 0}, {"lat": 0.0, "lon": 0.0, "x": 1}, {"label": "x"}),
        {"label": "x", "children": [{"label": 1}]},
    ]
)


@given(st.dictionaries(st.sampled_from([*GOOD, "extra"]), _ODD, max_size=3), st.data())
def test_the_verdict_is_that_of_the_schema(
    find: Any, changes: dict[str, Any], data: st.DataObject
) -> None:
    sent = {**GOOD, **changes}
    for key in data.draw(st.lists(st.sampled_from(list(GOOD)), max_size=2)):
        sent.pop(key, None)
    before = copy.deepcopy(sent)
    said = verdict(find.input_type, sent)
    assert repr(before) == repr(sent)
    assert _oracle(find.input_schema, sent) == said
    if said:
        call = find.input_type.from_dict(sent)
        assert call == find.input_type.from_accepted(sent)
        assert call == find.input_type.from_dict(call.to_dict())


def _oracle(schema: Any, value: Any) -> bool:
    if any(
        isinstance(each, float) and not math.isfinite(each) for each in _leaves(value)
    ):
        return False
    validator = jsonschema_rs.validator_for(schema, validate_formats=True)
    return validator.is_valid(value)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)
    else:
        yield value


@pytest.mark.whole
@pytest.mark.parametrize("tool", ["mypy", "ruff", "pyright"])
def test_checkers_have_nothing_to_say(folder: Path, tool: str) -> None:
    user = folder / "user.py"
    user.write_text(_USER, encoding="utf-8")
    commands = {
        "mypy": ["mypy", "--strict", "shop", "user.py"],
        "ruff": ["ruff", "check", "--isolated", "shop"],
        "pyright": PYRIGHT,
    }
    strict = {"include": ["shop", "user.py"], "typeCheckingMode": "strict"}
    (folder / "pyrightconfig.json").write_text(json.dumps(strict), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", *commands[tool]],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert 0 == done.returncode, done.stdout + done.stderr


_USER = '''"""A program of a user."""

from __future__ import annotations

import datetime as dt

from shop import Coordinate, FindOrdersBound, FindOrdersInput, InputError


def run(text: str) -> tuple[Coordinate, str]:
    """Read a call."""
    try:
        call = FindOrdersInput.from_call(text)
    except InputError as error:
        return Coordinate(0.0, 0.0), error.retry_message()
    bound = FindOrdersBound.bind(call, {}, tenant="t")
    day: dt.date = bound.from_
    return bound.center, day.isoformat()
'''
