"""What clients can ask of a generated server beside calls, and what handlers can tell them."""

from __future__ import annotations

import asyncio
import base64
import importlib
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from support.project import Built, build

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
    made = build(
        tmp_path_factory.mktemp("protocol"), {"a.yaml": SPECS, "greet.md": PROMPT}
    )
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
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


def refused(
    built: Built, see: Callable[[Client], Awaitable[Any]], **given: Any
) -> MCPError:
    async def caught(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await see(client)
        return caught.value

    found: MCPError = seen(built, caught, **given)
    return found


@pytest.mark.parametrize("era", ERAS)
def test_long_lists_come_in_pages(built: Built, era: str) -> None:
    async def see(client: Client) -> list[list[str]]:
        pages: list[list[str]] = []
        cursor = None
        while True:
            found = await client.list_tools(cursor=cursor)
            pages.append([each.name for each in found.tools])
            cursor = found.next_cursor
            if cursor is None:
                return pages

    assert [["admin", "draw"], ["work"]] == seen(
        built, see, era=era, options={"page_size": 2}
    )
    assert [["admin", "draw", "work"]] == seen(built, see, era=era)


@pytest.mark.parametrize("cursor", ["nope", "", "ZnJvbTox", "ZnJvbTo5", "ZnJvbTowMg=="])
def test_a_cursor_that_no_page_has_is_refused(built: Built, cursor: str) -> None:
    given = {"options": {"page_size": 2}} if cursor != "ZnJvbTox" else {}
    for lists in ("list_tools", "list_resources", "list_prompts"):
        error = refused(
            built, lambda client, of=lists: getattr(client, of)(cursor=cursor), **given
        )
        assert -32602 == error.code


def test_arguments_are_completed_from_what_their_schemas_list(built: Built) -> None:
    async def see(client: Client) -> list[list[str]]:
        template = (await client.list_resource_templates()).resource_templates[0]
        prompt = {"type": "ref/prompt", "name": "greet"}
        resource = {"type": "ref/resource", "uri": template.uri_template}
        return [
            (await client.complete(_reference(ref), argument)).completion.values
            for ref, argument in (
                (prompt, {"name": "mood", "value": "S"}),
                (prompt, {"name": "times", "value": "1"}),
                (resource, {"name": "language", "value": "e"}),
                (resource, {"name": "title", "value": ""}),
                (resource, {"name": "draft", "value": "t"}),
            )
        ]

    expected = [["sad", "so so"], ["1", "10"], ["en", "es"], [], ["true"]]
    assert expected == seen(built, see)


def _reference(written: dict[str, str]) -> Any:
    from mcp_types import PromptReference, ResourceTemplateReference

    known = {
        "ref/prompt": PromptReference,
        "ref/resource": ResourceTemplateReference,
    }
    return known[written["type"]].model_validate(written)


def test_a_program_suggests_values_that_no_schema_lists(built: Built) -> None:
    titles = [f"Title {number}" for number in range(150)]

    async def suggest(argument: str, typed: str, given: Any) -> Any:
        if argument != "title":
            return None
        return [each for each in titles if typed in each and given["language"] == "de"]

    async def see(client: Client) -> Any:
        (template,) = (await client.list_resource_templates()).resource_templates
        ref = _reference({"type": "ref/resource", "uri": template.uri_template})
        known = {"language": "de"}
        many = await client.complete(
            ref, {"name": "title", "value": "itle"}, context_arguments=known
        )
        other = await client.complete(ref, {"name": "language", "value": "d"})
        return many.completion, other.completion

    many, other = seen(built, see, options={"suggest": {"page": suggest}})
    assert (100, 150, True) == (len(many.values), many.total, many.has_more)
    assert ["de"] == other.values


@pytest.mark.parametrize(
    ("reference", "argument"),
    [
        ({"type": "ref/prompt", "name": "nope"}, "mood"),
        ({"type": "ref/prompt", "name": "greet"}, "nope"),
        ({"type": "ref/resource", "uri": "x:///nope"}, "title"),
    ],
)
def test_a_completion_of_what_there_is_not_is_refused(
    built: Built, reference: dict[str, str], argument: str
) -> None:
    error = refused(
        built,
        lambda client: client.complete(
            _reference(reference), {"name": argument, "value": ""}
        ),
    )
    assert -32602 == error.code


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


def test_a_notice_that_cannot_be_sent_ends_no_call(built: Built) -> None:
    """A number too long for JSON in a log message, or in a report, is dropped and logged."""

    def work(call: Any) -> int:
        context = built.load("mcp_server").current_call()
        context.log("info", "a long number", number=10**5000)
        context.progress(float("nan"))
        return 7

    async def see(client: Client) -> Any:
        return (await client.call_tool("work", {"steps": 1})).structured_content

    assert {"result": 7} == seen(built, see, handlers={"work": work})


def test_files_go_out_beside_the_result(built: Built) -> None:
    async def see(client: Client) -> Any:
        return [
            (await client.call_tool("draw", {"format": each})).content
            for each in ("png", "wav", "csv")
        ]

    (image,), (audio,), (file,) = seen(built, see, handlers={"draw": handlers().draw})
    assert ("image", "image/png") == (image.type, image.mime_type)
    assert b"\x89png" == base64.b64decode(image.data)
    assert ("audio", "audio/wav") == (audio.type, audio.mime_type)
    assert ("shop:///csv", "text/csv", "a,b") == (
        file.resource.uri,
        file.resource.mime_type,
        file.resource.text,
    )


def test_bytes_of_a_resource_go_out_as_such(built: Built) -> None:
    async def see(client: Client) -> Any:
        logo, _ = (await client.list_resources()).resources
        return (await client.read_resource(logo.uri)).contents

    (content,) = seen(built, see, handlers={"logo": handlers().logo})
    assert ("image/png", b"\x89PNG") == (
        content.mime_type,
        base64.b64decode(content.blob),
    )


@pytest.mark.parametrize(
    ("era", "code"), [("2025-11-25", -32002), ("2026-07-28", -32602)]
)
def test_a_handler_that_finds_nothing_says_that_the_resource_is_not_there(
    built: Built, era: str, code: int
) -> None:
    (template,) = built.load("descriptors").mcp(kind="resource_templates")
    uri = template["uriTemplate"].partition("{")[0] + "de/secret"
    error = refused(
        built,
        lambda client: client.read_resource(uri),
        era=era,
        handlers={"page": handlers().find},
    )
    assert (code, {"uri": uri}) == (error.code, error.data)
    assert f"Resource not found: {uri}" == error.message


def test_a_tool_that_a_caller_may_not_see_is_not_there_for_it(built: Built) -> None:
    async def visible(caller: Any) -> Any:
        return None if caller.claims else {"work", "draw"}

    async def see(client: Client) -> Any:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("admin", {})
        return [each.name for each in (await client.list_tools()).tools], caught.value

    given = {"admin": lambda _: None}
    names, error = seen(built, see, options={"visible": visible}, handlers=given)
    assert ["draw", "work"] == names
    assert (-32602, "Unknown tool: admin") == (error.code, error.message)


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
