"""Names of specs that generated modules have already, or mean something else by."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.checkers import BLACK, MYPY, PYRIGHT, RUFF, assert_clean
from support.project import Built, build

ROOT = Path(__file__).parents[2]
ENTITIES = (
    *("Request", "Plan", "Host", "Retry", "Result", "Secrets", "Sent", "Transport"),
    *("Options", "Final", "Slot", "Registry", "Awaitable", "Protocol", "TypeVar"),
    *("ToolError", "Handlers", "Value", "Answer", "A2Handler"),
)
TOOLS = (
    *("http", "sql", "json", "typing", "handlers", "prompts", "store", "mcp_server"),
    *("super", "TOOLS", "Registry", "invoke", "None", "self", "echo", "EchoHandler"),
    *("a2", "a10", "Echo_Other", "TYPE_CHECKING"),
)
OF_PYTHON = (
    *("list", "str", "object", "type", "globals", "sys", "print", "Any"),
    *("annotations", "attach"),
)
HTTP_TOOLS = ("dict", "getattr", "import_module", "setattr", "AttributeError")
ARGUMENTS = (
    *("secrets", "transport", "options", "self", "call", "context", "bound", "key"),
    *("made", "cls", "name", "arguments", "build", "run", "run_async", "partial"),
    *("chosen", "make", "_request", "_decode", "_OUTPUT", "PLAN", "class", "request"),
)


def _entity(name: str) -> str:
    return f"""
type: entity
name: {name}
fields: {{ a: int, b: date }}
---
type: http_function
name: uses-{name}
description: Send one.
arguments:
  inline: {{ v: {name}, k: {{ type: {name}, llm: false }} }}
allowedHosts: [a.example]
request:
  method: POST
  urlTemplate: https://a.example/
  body: {{ v: "${{v}}", k: "${{k}}" }}
returns: {name}
---
type: python_function
name: makes-{name}
description: Make one.
arguments: {{ inline: {{ v: {name} }} }}
returns: {name}
"""


def _hosted(name: str, rest: str) -> str:
    block = "".join(f"    {x!r}: {{ type: int, llm: false }}\n" for x in ARGUMENTS)
    return f"name: {name}\ndescription: d.\narguments:\n  inline:\n{block}{rest}"


def _called(name: str) -> str:
    return f"""
type: python_function
name: {name!r}
description: d.
arguments: {{ inline: {{ text: string }} }}
returns: date
"""


def _specs() -> str:
    query = ", ".join(f"q{n}: '${{{x}}}'" for n, x in enumerate(ARGUMENTS))
    request = f"""allowedHosts: [a.example]
request: {{ method: GET, urlTemplate: "https://a.example/", query: {{ {query} }} }}
returns: string
"""
    context = "".join(
        f"    {x!r}: {{ type: int, from_context: app.{x.strip('_')} }}\n"
        for x in ARGUMENTS
    )
    return "---\n".join(
        [
            *map(_entity, ENTITIES),
            *map(_called, (*TOOLS, *OF_PYTHON)),
            *(
                f"type: http_function\n{_hosted(name, request)}"
                for name in ("asked", *HTTP_TOOLS)
            ),
            f"type: python_function\n{_hosted('handled', 'returns: int')}\n",
            "type: python_function\nname: told\ndescription: d.\narguments:\n"
            f"  inline:\n{context}returns: int\n",
        ]
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(tmp_path_factory.mktemp("names"), {"names.yaml": _specs()})
    assert [] == [each for each in made.diagnostics if made.diagnostics.has_errors]
    made.load()
    return made


@pytest.mark.whole
@pytest.mark.parametrize(
    "checker",
    [MYPY, PYRIGHT, (*RUFF, "--select", "E4,E7,E9,F,I,RUF022"), BLACK],
    ids=lambda checker: checker[0],
)
def test_no_name_of_a_spec_takes_the_place_of_one_of_a_module(
    built: Built, checker: tuple[str, ...]
) -> None:
    assert_clean(built.out / "python", built.package, by=[checker])


def test_a_tool_named_like_a_builtin_leaves_all_others_within_reach(
    built: Built,
) -> None:
    """``from tools import list`` works, and so does whatever is imported after it."""
    package = built.load()
    for name in (*OF_PYTHON, *HTTP_TOOLS):
        assert f"{built.package}.tools.{name}" == getattr(package, name).__name__
    assert {*package.__all__} == {*dir(package)}
    for name in package.__all__:
        assert getattr(package, name) is not None
    http: Any = built.load("http")
    for name in HTTP_TOOLS:
        assert "asked" in http.HTTP_TOOLS and http.HTTP_TOOLS[name]
    assert isinstance(http.StdlibTransport, type)
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        built.load().no_such_name  # noqa: B018


def test_every_module_can_be_imported_where_warnings_are_errors(built: Built) -> None:
    modules = [
        path.removeprefix("python/").removesuffix(".py").replace("/", ".")
        for path in built.files
        if path.endswith(".py") and not path.endswith("__main__.py")
    ]
    script = (
        "import importlib, sys\nfor each in sys.argv[1:]: importlib.import_module(each)"
    )
    outcome = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *modules],
        cwd=built.folder / "out/python",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "") == (outcome.returncode, outcome.stderr[-2000:])


def test_a_tool_named_like_what_the_registry_calls_is_registered(built: Built) -> None:
    import datetime as dt

    made: Any = built.load("handlers")
    service: Any = built.load("service")
    day = dt.date(2026, 1, 2)
    handlers = made.Handlers(
        super=lambda call: day, TOOLS=lambda call: day, Registry=lambda call: day
    )
    assert {"super", "TOOLS", "Registry"} == set(handlers.runs)
    for name in handlers.runs:
        made = service.Service(handlers=handlers, only=[name])
        assert "2026-01-02" == made.call(name, {"text": "x"})


def test_values_of_the_host_may_be_named_like_what_a_call_uses(built: Built) -> None:
    asked: Any = built.load("http.asked")
    sent: list[str] = []

    class Transport:
        def send(self, request: Any, budget: Any, /) -> Any:
            sent.append(request.url)
            return built.load("http").Answer(200, (), b'"yes"')

    import inspect

    bind = inspect.signature(asked.CALL.bound_type.bind).parameters.values()
    names = [
        (
            f"{each.name}_"
            if each.name in ("secrets", "transport", "options")
            else each.name
        )
        for each in bind
        if each.kind is each.KEYWORD_ONLY
    ]
    values = {name: number for number, name in enumerate(names)}
    result = asked.invoke({}, transport=Transport(), **values)
    assert "yes" == result.value
    expected = "&".join(f"q{n}={n}" for n in range(len(ARGUMENTS)))
    assert [f"https://a.example/?{expected}"] == sent
