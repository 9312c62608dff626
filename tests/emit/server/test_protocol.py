"""What clients can ask of a generated server beside calls, and what handlers can tell them."""

from __future__ import annotations

import asyncio
import importlib
from base64 import b64decode
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from support.project import Built, sound
from support.sessions import Session, sessions

SPECS = """\
type: python_function
name: work
description: Work.
arguments: {inline: {steps: int}}
returns: int
---
type: python_function
name: draw
description: Draw.
arguments: {inline: {format: {type: string, enum: [png, wav, csv]}}}
---
type: python_function
name: admin
description: Administer.
arguments: {inline: {}}
---
type: resource
name: page
path: /pages/{language}/{title}
arguments:
  inline:
    language: {type: string, enum: [de, en, es]}
    title: string
    draft: {type: bool, default: false}
returns: string
---
type: resource
name: logo
path: /logo.png
mcp: {mime_type: image/png}
arguments: {inline: {}}
---
type: resource
name: motto
path: /motto
arguments: {inline: {}}
returns: string
"""
PROMPT = """\
---
type: template_function
name: greet
description: A greeting.
arguments:
  inline:
    mood: {type: string, enum: [happy, sad, "so so"]}
    times: {type: int, enum: [1, 2, 10], default: 1}
---
Hello, {{ args.mood }}.
"""
HANDLERS = """
import asyncio
from {package}.handlers import CallContext, NotFound, current_call

contexts: list[CallContext] = []


def work(call):
    context = current_call()
    for step in range(call.steps):
        context.progress(step, call.steps, f"step {{step}}")
        context.log("info", "at work", step=step)
    context.progress(0)
    context.log("debug", "not asked for")
    return call.steps


async def work_on_the_loop(call):
    return work(call)


async def sleep(call):
    contexts.append(current_call())
    await asyncio.sleep(60)


def find(call):
    raise NotFound("there is no such thing")


def draw(call):
    kinds = {{"png": "image/png", "wav": "audio/wav", "csv": "text/csv"}}
    data = "a,b" if call.format == "csv" else b"\\x89" + call.format.encode()
    current_call().attach(data, kinds[call.format], uri=f"shop:///{{call.format}}")


def work_with_file(call):
    current_call().attach(b"\\x00", "application/octet-stream")
    return call.steps


def logo(call):
    return b"\\x89PNG"
"""
ERAS = {"2025-11-25": "legacy", "2026-07-28": "auto"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A package of functions, resources and a prompt, whose handlers each test gives."""
    made = sound(
        tmp_path_factory.mktemp("protocol"), {"a.yaml": SPECS, "greet.md": PROMPT}
    )
    code = HANDLERS.format(package=made.package)
    (made.folder / "out/python/protocol_handlers.py").write_text(code, "utf-8")
    return made


def handlers() -> Any:
    """The functions that handlers of these tests are."""
    return importlib.import_module("protocol_handlers")


def seen(
    built: Built,
    see: Callable[[Client], Awaitable[Any]],
    *,
    era: str = "2025-11-25",
    client: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    **given: Any,
) -> Any:
    """What a client sees of a server with these options, whose service is given so much."""
    module = built.load("mcp_server")

    async def visit() -> Any:
        service = module.AsyncService(partial=True, **given)
        server = module.make_server(service, module.Options(**(options or {})))
        async with Client(server, mode=ERAS[era], **(client or {})) as connected:
            return await see(connected)

    return asyncio.run(visit())


class Visits:
    """What a session can do: ask a server as a client, and print what it sees."""

    def __init__(self, built: Built) -> None:
        self.built = built

    def ask(self, method: str, *asked: Any, **given: Any) -> Any:
        """What one request of a client brings; an error of the protocol is printed."""
        era = given.pop("era", "2025-11-25")
        options, client = given.pop("options", None), given.pop("client", None)
        handlers = given.pop("handlers", None)

        async def see(client: Client) -> Any:
            try:
                return await getattr(client, method)(*asked, **given)
            except MCPError as error:
                print(f"{error.code} {error.message} {error.data or ''}".rstrip())
                return None

        return seen(
            self.built,
            see,
            era=era,
            client=client,
            options=options,
            handlers=handlers or {},
        )

    def pages(self, **given: Any) -> list[list[str]]:
        """The names of the tools, page by page."""
        found: list[list[str]] = []
        cursor = None
        while True:
            page = self.ask("list_tools", cursor=cursor, **given)
            found.append([each.name for each in page.tools])
            cursor = page.next_cursor
            if cursor is None:
                return found

    def complete(
        self, reference: str, argument: str, value: str = "", **given: Any
    ) -> Any:
        """The values that complete an argument of a prompt, or of a template with a ``:``."""
        kind = "resource" if ":" in reference else "prompt"
        key = "uri" if ":" in reference else "name"
        ref = _reference({"type": f"ref/{kind}", key: reference})
        found = self.ask("complete", ref, {"name": argument, "value": value}, **given)
        return found and found.completion


@pytest.mark.parametrize(
    "session", sessions(Path(__file__).with_name("protocol.cases"))
)
def test_clients_are_told_what_they_ask_for(built: Built, session: Session) -> None:
    visits = Visits(built)
    (template,) = built.load("descriptors").mcp(kind="resource_templates")
    uri = template["uriTemplate"]
    names: dict[str, Any] = {"ask": visits.ask, "pages": visits.pages, "uri": uri}
    names |= {"complete": visits.complete, "here": handlers(), "b64decode": b64decode}
    names |= {"ERAS": ERAS, "page": uri.partition("{")[0], "load": built.load}
    session.run(names, {uri.partition(":")[0]: "SCHEME"})


def _reference(written: dict[str, str]) -> Any:
    from mcp_types import PromptReference, ResourceTemplateReference

    known = {
        "ref/prompt": PromptReference,
        "ref/resource": ResourceTemplateReference,
    }
    return known[written["type"]].model_validate(written)


@pytest.mark.parametrize("work", ["work", "work_on_the_loop"])
def test_a_handler_reports_progress_and_logs_before_its_result(
    built: Built, work: str
) -> None:
    told: list[Any] = []

    async def on_progress(done: float, total: float | None, text: str | None) -> None:
        told.append((done, total, text))

    async def on_log(params: Any) -> None:
        told.append((params.level, params.logger, params.data))

    async def see(client: Client) -> Any:
        result = await client.call_tool(
            "work", {"steps": 3}, progress_callback=on_progress
        )
        return result.structured_content

    client = {"logging_callback": on_log}
    given = {"work": getattr(handlers(), work)}
    assert {"result": 3} == seen(built, see, handlers=given, client=client)
    logs = [each for each in told if each[0] == "info"]
    assert [
        ("info", "work", {"message": "at work", "step": step}) for step in range(3)
    ] == logs
    progress = [each for each in told if each[0] != "info"]
    assert (2, 3, "step 2") == progress[-1]
    assert sorted(progress) == progress


def test_a_client_chooses_which_log_messages_it_is_sent(built: Built) -> None:
    levels: list[str] = []

    async def on_log(params: Any) -> None:
        levels.append(params.level)

    async def see(client: Client) -> None:
        for level in ("debug", "error"):
            await client.set_logging_level(level)
            await client.call_tool("work", {"steps": 1})

    seen(
        built,
        see,
        handlers={"work": handlers().work},
        client={"logging_callback": on_log},
    )
    assert ["info", "debug"] == levels


def test_a_call_that_takes_too_long_is_answered_and_its_handler_told(
    built: Built,
) -> None:
    async def see(client: Client) -> Any:
        return await client.call_tool("work", {"steps": 1})

    result = seen(built, see, handlers={"work": handlers().sleep}, timeout=0.1)
    assert (True, "work took too long and was stopped.") == (
        result.is_error,
        result.content[0].text,
    )
    context = handlers().contexts.pop()
    assert context.cancelled
    assert 0 == context.remaining


def test_a_handler_is_told_that_its_client_has_cancelled(built: Built) -> None:
    contexts = handlers().contexts

    async def see(client: Client) -> None:
        call = asyncio.create_task(client.call_tool("work", {"steps": 1}))
        async with asyncio.timeout(10):
            while not contexts:
                await asyncio.sleep(0.01)
            call.cancel()
            while not contexts[0].cancelled:
                await asyncio.sleep(0.01)

    seen(built, see, handlers={"work": handlers().sleep})
    contexts.clear()
