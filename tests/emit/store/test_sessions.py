"""The tool store: sessions of its users, what it refuses, and its files (row F9)."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from functools import partial, wraps
from pathlib import Path
from typing import Any

import pytest

from support.loopback import Loopback, answer, redirect
from support.project import Built
from support.sessions import Session, sessions

HERE = Path(__file__).parent
BUILT_IN, READ = "0190b7c4-0000-7000-8000-000000000001", "read-file"
MINE = "0190b7c4-0000-7000-8000-00000000000a"
OTHER = "0190b7c4-0000-7000-8000-00000000000b"
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}
TOOL = {"type": "go", "goImpl": {"func": "example.org/tools.Count"}}
TOOL |= {"displayName": "Count", "description": "Count lines.", "tags": ["text"]}
TOOL |= {"argSchema": SCHEMA, "llmCallable": True}
SECRETS = {"TOKEN": "s3cret-t0ken", "USER": "ann", "PASSWORD": "p:w"}
OWN = {"id", "createdAt", "modifiedAt", "bundleID", "isEnabled"}


class Asked:
    """A store that prints why it refuses a request, and returns nothing then."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        @wraps(method)
        def ask(*given: Any, **named: Any) -> Any:
            try:
                return method(*given, **named)
            except Exception as error:
                if type(error).__name__ != "StoreError":
                    raise
                told = error.to_dict()["error"]  # type: ignore[attr-defined]
                assert error.code == told["code"]  # type: ignore[attr-defined]
                print(f"{told['code']} {told['status']}: {error}")
                return None

        return ask


def refusal(store: Any, method: str, *given: Any) -> str:
    """Code and status of the error that a request gets."""
    with pytest.raises(Exception) as caught:
        getattr(store, method)(*given)
    error = caught.value.to_dict()["error"]  # type: ignore[attr-defined]
    return f"{error['code']} {error['status']}"


def on_disk(folder: Path) -> dict[str, bytes]:
    """The files of a store, but for the lock."""
    return {
        each.relative_to(folder).as_posix(): each.read_bytes()
        for each in sorted(folder.rglob("*"))
        if each.is_file() and each.name != ".lock"
    }


def slugs(page: Any) -> list[str]:
    """The slugs of a page, then what is damaged, and the token of the next one."""
    more = [page.next_page_token] if page.next_page_token else []
    return [*(each["slug"] for each in page.items), *page.damaged, *more]


BROKEN = ["{", "[]", "", "{}", '{"slug": "count", "version": "v1"}', "[" * 200_000]
BROKEN += ['{"a":' * 200_000, '{"a": ' + "1" * 5000 + "}", "\udcff"]
WRONG = {"slug": 5, "version": None, "tags": 5, "isEnabled": "yes", "displayName": []}
WRONG |= {"description": {}, "createdAt": 1e999, "argSchema": float("nan")}
WRONG |= {"name": "\ud800"}


def damaged(path: Path, sound: Any) -> Iterator[None]:
    """Write what is no file of a store, one text after another: broken, or of wrong kinds."""
    kinds = [json.dumps({**sound, key: value}) for key, value in WRONG.items()]
    for text in [*BROKEN, *kinds]:
        path.write_text(text, errors="surrogateescape")
        yield


class Users:
    """Stores that may call ``here`` only, and the tool that is put into the newest."""

    def __init__(self, stored: Built, folder: Path, here: Loopback) -> None:
        self.module, self.folder, self.here = stored.load("store"), folder, here
        self.place = f"127.0.0.1:{here.port}"
        self.pauses: list[float] = []
        self.store: Any = None
        self.open()

    def open(self, **given: Any) -> None:
        """Open the store, with other options than the usual ones."""
        clock = self.module.Clock(sleep=self.pauses.append, random=lambda: 1.0)
        usual = {"allowed_hosts": [self.place], "secrets": SECRETS}
        usual["options"] = self.module.Options(clock=clock)
        self.store = Asked(self.module.open_store(self.folder, **{**usual, **given}))
        self.store.put_bundle(MINE, {"slug": "mine"})

    def put(
        self,
        arguments: dict[str, Any],
        url: str = "http://HERE/pets/${name}",
        response: Any = None,
        output: Any = None,
        **request: Any,
    ) -> None:
        """Put in the tool ``get@v1``, or another one in its place."""
        request["urlTemplate"] = url.replace("HERE", self.place)
        needed = [key for key in arguments if "default" not in arguments[key]]
        schema = {"type": "object", "properties": arguments, "required": needed}
        tool: dict[str, Any] = {"type": "http", "argSchema": schema}
        tool["httpImpl"] = {"request": request}
        if response is not None:
            tool["httpImpl"]["response"] = response
        if output is not None:
            tool["outputSchema"] = output
        if any(each["slug"] == "get" for each in self.store.tools().items):
            self.store.delete_tool(MINE, "get", "v1")
        self.store.put_tool(MINE, "get", "v1", tool)

    def call(self, arguments: Any = None, *replies: Any, later: bool = False) -> None:
        """Invoke the tool, whose service replies so, and print what comes of it."""
        if replies:
            self.here.says(*replies)
        else:
            self.here.heard.clear()
        self.pauses.clear()
        names = (MINE, "get", "v1", {} if arguments is None else arguments)
        if later:
            answered = asyncio.run(self.store.invoke_async(*names))
        else:
            answered = self.store.invoke(*names)
        if answered is None:
            return
        if answered["ok"]:
            print("ok", json.dumps(answered["value"], ensure_ascii=False))
        else:
            error = answered["error"]
            assert "s3cret" not in json.dumps(error)
            status = f" {error['status']}" if "status" in error else ""
            print(f"{error['code']}{status}: {error['message']}")

    def sent(self, *headers: str) -> None:
        """Print what the service heard: requests, some of their headers, and their bodies."""
        for heard in self.here.heard:
            named = [f"{name}: {heard.header(name)}" for name in headers]
            body = [heard.body.decode()] if heard.body else []
            print(" | ".join([f"{heard.method} {heard.target}", *named, *body]))
        if not self.here.heard:
            print("nothing")


@pytest.fixture
def known(
    store: Any, stored: Built, tmp_path: Path, clock: Any, here: Loopback
) -> dict[str, Any]:
    """What the lines of a session know."""
    folder, module = tmp_path / "tools", stored.load("store")
    names: dict[str, Any] = {"store": Asked(store), "clock": clock, "folder": folder}
    names |= {"files": lambda: on_disk(folder), "slugs": slugs, "json": json, "os": os}
    names |= {"MINE": MINE, "OTHER": OTHER, "BUILT_IN": BUILT_IN, "READ": READ}
    names |= {"TOOL": TOOL, "BUNDLE": {"slug": "mine", "displayName": "Mine"}}
    names |= {"module": module, "stored": stored, "asyncio": asyncio}
    names |= {"read": (BUILT_IN, READ, "v1"), "count": (MINE, "count", "v1")}
    names |= {"refusal": partial(refusal, store), "damaged": damaged}
    names |= {"outside": _outside(tmp_path), "on_disk": on_disk}
    names["open"] = lambda **given: Asked(module.open_store(folder, **given))
    return names


def _outside(folder: Path) -> Path:
    found = folder / "outside"
    found.mkdir()
    (found / "notes.json").write_text("my notes")
    return found


@pytest.mark.parametrize("session", sessions(HERE / "sessions.cases"))
def test_F9_a_session(known: dict[str, Any], session: Session) -> None:
    session.run(known, {str(known["folder"]): "…"})


@pytest.mark.parametrize("session", sessions(HERE / "files.cases"))
def test_F9_files_that_are_damaged_or_foreign(
    known: dict[str, Any], session: Session
) -> None:
    session.run(known, {str(known["folder"]): "…"})


@pytest.mark.parametrize("session", sessions(HERE / "http_tools.cases"))
def test_F6_a_users_tool_is_invoked(
    stored: Built, tmp_path: Path, here: Loopback, there: Loopback, session: Session
) -> None:
    users = Users(stored, tmp_path / "tools", here)
    names = {"put": users.put, "call": users.call, "sent": users.sent, "users": users}
    names |= {"answer": answer, "redirect": redirect, "there": there, "json": json}
    names |= {"TEXT": {"type": "string"}, "file": tmp_path / "tools" / MINE}
    names |= {"TOKEN": {"type": "bearer", "valueTemplate": "${TOKEN}"}, "MINE": MINE}
    ports = {str(here.port): "HERE", str(there.port): "THERE"}
    session.run(names, ports)
