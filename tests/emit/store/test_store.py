"""The store under load: documents of its routes, races for one pair, and whatever is sent."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from emit.store.test_sessions import BUILT_IN, MINE, READ, TOOL, Users, refusal
from support.checkers import BLACK, MYPY, RUFF, assert_clean
from support.loopback import Loopback
from support.project import Built

BUNDLE = {"slug": "mine", "displayName": "Mine"}


def test_answers_are_what_the_document_of_the_routes_says(
    store: Any, stored: Built
) -> None:
    document = stored.json("openapi/openapi.json")
    registry = Registry().with_resource(
        "openapi", Resource.from_contents(document, default_specification=DRAFT202012)
    )

    def check(name: str, value: Any) -> None:
        schema = {"$ref": f"openapi#/components/schemas/{name}"}
        Draft202012Validator(schema, registry=registry).validate(value)

    body = {key: value for key, value in TOOL.items() if key != "llmCallable"}
    check("BundlePut", {**BUNDLE, "isEnabled": True})
    check("Bundle", store.put_bundle(MINE, BUNDLE))
    check("ToolPut", body)
    check("Tool", store.put_tool(MINE, "count", "v1", body))
    store.called(MINE, "count", "v1")
    store.flush()
    for names in ((MINE, "count", "v1"), (BUILT_IN, READ, "v1")):
        check("EnabledPatch", {"isEnabled": False})
        check("Tool", store.patch_tool(*names, {"isEnabled": False}))
        check("Tool", store.tool(*names))
        check("Bundle", store.patch_bundle(names[0], {"isEnabled": True}))
    for page in (
        store.tools(include_disabled=True),
        store.search("co", include_disabled=True),
        store.tools(include_disabled=True, recommended_page_size=1),
    ):
        assert page.items
        check("ToolPage", page.to_dict())
    check("BundlePage", store.bundles(page_size=1).to_dict())
    with pytest.raises(ValidationError):
        check("Tool", {**body, "extra": 1})
    for method, operation, *names in (
        ("put_tool", "put", MINE, "count", "v1", body),
        ("delete_tool", "delete", BUILT_IN, READ, "v1"),
        ("tool", "get", MINE, "nothing", "v1"),
        ("patch_tool", "patch", MINE, "count", "v1", {}),
    ):
        status = refusal(store, method, *names).split()[1]
        path = "/bundles/{bundleID}/tools/{toolSlug}/version/{version}"
        assert status in document["paths"][path][operation]["responses"]


RACE = """\
import sys, time
from pathlib import Path
from stored.store import StoreError, open_store
folder, start, number = sys.argv[1:]
store = open_store(folder)
Path(start + number).touch()
while not Path(start).exists():
    time.sleep(0.001)
try:
    store.put_tool({mine!r}, "count", "v1", {{**{tool!r}, "description": number}})
except StoreError as error:
    print(error.code)
else:
    print("won")
"""


def test_F9_of_processes_that_race_for_one_pair_one_wins(
    store: Any, stored: Built, tmp_path: Path
) -> None:
    store.put_bundle(MINE, BUNDLE)
    start = tmp_path / "start"
    program = RACE.format(mine=MINE, tool=TOOL)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, tmp_path / "tools", start, str(number)],
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(stored.out / "python")},
        )
        for number in range(2)
    ]
    while not all(Path(f"{start}{number}").exists() for number in range(2)):
        assert all(each.poll() is None for each in running)
    start.touch()
    said = [each.communicate(timeout=60)[0].strip() for each in running]
    assert ["conflict", "won"] == sorted(said)
    assert str(said.index("won")) == store.tool(MINE, "count", "v1")["description"]


@pytest.mark.parametrize("host", ["api.example.com", "2130706433", "0x7f.1", "127.1"])
def test_a_name_does_not_lead_to_a_private_address(
    stored: Built,
    here: Loopback,
    tmp_path: Path,
    host: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The name server of the test leads every name to this machine."""
    usual = socket.getaddrinfo

    def look(_: str, *rest: Any, **given: Any) -> Any:
        return usual("127.0.0.1", *rest, **given)

    monkeypatch.setattr(socket, "getaddrinfo", look)
    users, place = Users(stored, tmp_path / "tools", here), f"{host}:{here.port}"
    users.open(allowed_hosts=[place])
    users.put({}, f"http://{place}/x")
    users.call()
    assert "host_not_allowed" in capsys.readouterr().out
    assert not here.heard
    transport = users.module.StdlibTransport(allow_private=True)
    users.open(allowed_hosts=[place], transport=transport)
    users.call()
    assert 1 == len(here.heard)


@pytest.mark.whole
def test_the_modules_are_clean(stored: Built) -> None:
    root = stored.out / "python"
    assert_clean(root, "stored/store.py", by=[BLACK, RUFF, MYPY])


BODIES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.text(max_size=3)
        | st.integers()
        | st.sampled_from([*TOOL, "name", "id", "slug", "isEnabled", "outputSchema"]),
        inner,
        max_size=5,
    ),
    max_leaves=12,
)


@given(BODIES, BODIES, st.booleans())
def test_whatever_is_sent_is_taken_or_refused_and_listing_goes_on(
    store: Any, body: Any, other: Any, is_tool: bool
) -> None:
    sent = {**TOOL, **body} if is_tool and isinstance(body, dict) else body
    for call in (
        lambda: store.put_bundle(MINE, other),
        lambda: store.put_bundle(MINE, BUNDLE),
        lambda: store.put_tool(MINE, "count", "v1", sent),
        lambda: store.patch_tool(MINE, "count", "v1", other),
        lambda: store.search(other, page_token=body),
        lambda: store.tools(tags=other),
    ):
        try:
            call()
        except Exception as problem:
            assert "StoreError" == type(problem).__name__, problem
    assert store.bundles(include_disabled=True).items
    store.search("count", include_disabled=True)
